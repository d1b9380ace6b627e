/* clew test --no-summaries
 * branches: 2 of 2
 * bug: assertion 15
 *
 * A whole program whose unverified assertion is met in a function that only the library calls: nothing before may be left out, though all else is
 * verified. */
#include <clew.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    CLEW_ASSERT_VERIFIED(x != y, false);
    return (x > y) - (x < y);
}

int main(void)
{
    int numbers[2] = {__VERIFIER_nondet_int(), 7};
    CLEW_ASSERT_VERIFIED(1, true);
    if (numbers[0] == 12) numbers[1] = 8;
    qsort(numbers, 2, sizeof *numbers, compare);
    return numbers[0] == 8;
}
