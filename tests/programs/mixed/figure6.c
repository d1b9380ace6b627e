/* clew explore --function test
 * seeds: 10
 * branches: 6 of 10
 * bug: abort 13
 * bug: signed-overflow 12
 *
 * Paper 001, figure 6: the first abort is reached, the second is not. */
#include <stdlib.h>

int test(int x, int y)
{
    if (x * x * x > 0) {
        if (x > 0 && y == 10) abort();
    } else {
        if (x > 0 && y == 20) abort();
    }
    return 0;
}
