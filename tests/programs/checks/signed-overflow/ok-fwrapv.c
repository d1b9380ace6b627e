/* clew run -fwrapv
 * exit: 0
 */
#include <limits.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int x = INT_MAX;
    x += argc;
    printf("%d %d\n", x, -x);
    return 0;
}
