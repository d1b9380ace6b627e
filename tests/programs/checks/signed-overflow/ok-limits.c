/* clew run
 * exit: 0
 */
#include <limits.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int x = INT_MAX - argc, y = INT_MIN + argc;
    x += argc;
    y -= argc;
    long z = (long)x * x;
    printf("%d %d %ld %d\n", x, y, z, x + y);
    x = 46340;
    printf("%d %d\n", x * x, -(INT_MIN + argc));
    return 0;
}
