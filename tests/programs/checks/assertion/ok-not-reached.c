/* clew run
 * exit: 0
 */
#include <assert.h>

static int sign(int x)
{
    if (x < 0) return -1;
    if (x > 0) return 1;
    if (x != 0) assert(!"impossible");
    return 0;
}

int main(void)
{
    switch (sign(5) + sign(-5) + sign(0)) {
    case 0: break;
    default: assert(0);
    }
    return 0;
}
