/* clew explore --function test
 * seeds: 10
 * branches: 8 of 8
 * returns: 0 3 4 13 14
 *
 * Paper 001, figure 1 with line 6: all four paths S0/S1 x S3/S4.  DART misses S0,S4, EXE misses S3. */
#include <clew.h>

CLEW_CONCRETE static double hash(double x)
{
    return x >= 0 && x <= 10 ? 10 * x : 0;
}

int test(int x, int y)
{
    int path = 0;
    if (x > 0) {
        if (y == hash(x)) path = 0; /* S0 */
        else path = 10;             /* S1 */
        if (x > 3 && y > 10) path += 3; /* S3 */
        else path += 4;                 /* S4 */
    }
    return path;
}
