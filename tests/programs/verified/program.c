/* clew test --no-summaries
 * branches: 7 of 12
 * verified: 19 true
 * verified: 33 false
 * verified: 34 true
 * verified: 35 true
 * verified: 35 false
 * tests: at most 4
 *
 * A whole program, where names belong to all functions: what `read_size` assumes is what the assertion in `main` relies on.  Only sizes of 100 and more are
 * left to test. */
#include <clew.h>

extern int __VERIFIER_nondet_int(void);

static int read_size(void)
{
    int size = __VERIFIER_nondet_int();
    if (size < 0) size = 0;
    if (size > 1000) size = 1000;
    CLEW_ASSUMED(size < 100, small);
    return size;
}

int main(void)
{
    int size = read_size(), other = __VERIFIER_nondet_int();
    if (other > 5) size++;
    CLEW_ASSERT_VERIFIED(size <= 1001, small);

    /* Nothing that follows is asserted. */
    int kind = size > 50;
    if (kind) other = 3;
    if (size < 7) {
        if (other == 4) return 4;
    }
    return 0;
}
