/* clew explore --function test
 * seeds: 10
 * branches: 5 of 6
 * returns: 1
 *
 * Figure 3 with the square as a function nobody can look into. */
#include <clew.h>

CLEW_CONCRETE static long square(int x)
{
    return (long)x * x;
}

int test(int x, int y)
{
    if (x >= 0 && x > y && y == square(x)) return 0; /* S0 */
    return 1;                                        /* S1 */
}
