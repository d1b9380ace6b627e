/* clew explore --function top
 * seeds: 5
 * branches: 6 of 6
 * returns: 1 2 3 4
 *
 * Paper 002, section 3.1: the constraint on hash(x) is beyond the solver, but part of the summary of g all the same. */
#include <clew.h>

CLEW_CONCRETE static int hash(int x)
{
    return (int)(((unsigned)x * 37u + 11u) % 128u);
}

int g(int x)
{
    int y;
    if (x < 0) return 0;
    y = hash(x);
    if (y == 100) return 10;
    if (x > 10) return 1;
    return 2;
}

int top(int z)
{
    int r = g(z);
    if (r == 10) return 1;
    if (r == 0) return 2;
    if (r == 1) return 3;
    return 4;
}
