/* clew test
 * branches: 3 of 6
 * infeasible: 22 true
 * infeasible: 24 false
 * infeasible: 24 false
 * proved: at least 1
 *
 * Feasible: a library function calls a function of the program, which changes a static. */
#include <stdlib.h>

static int compared;

static int compare(const void *a, const void *b)
{
    compared++;
    return *(const int *)a - *(const int *)b;
}

int main(void)
{
    int numbers[3] = {3, 1, 2};
    if (compared != 0) return 9;
    qsort(numbers, 3, sizeof *numbers, compare);
    if (compared > 0) return numbers[0] == 1 ? 0 : 2;
    return 3;
}
