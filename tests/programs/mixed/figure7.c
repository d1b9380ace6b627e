/* clew explore --function test
 * seeds: 10
 * branches: 8 of 8
 * returns: 1 2 3 4
 *
 * Paper 001, figure 7: "residual solving" lets DART pass identityF(y) == 1 by luck. */
#include <clew.h>
#include <stdbool.h>

CLEW_CONCRETE static int identityF(int y)
{
    return y;
}

int test(bool b, int x, int y)
{
    if (b) {
        if (y <= 0) return 1;
        return 2;
    }
    if (x <= 0 && identityF(y) == 1) return 3;
    return 4;
}
