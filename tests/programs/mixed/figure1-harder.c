/* clew explore --function test
 * seeds: 10
 * branches: 6 of 6
 * returns: 0 3 4 13 14
 *
 * Paper 001, figure 1 with line 7: the condition that helped is gone; other solutions of the rest are tried (3.3). */
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
        if (y > 10) path += 3; /* S3 */
        else path += 4;                 /* S4 */
    }
    return path;
}
