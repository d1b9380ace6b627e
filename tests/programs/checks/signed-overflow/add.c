/* clew run
 * stdout: -2147483648\n
 * bug: signed-overflow 11
 */
#include <limits.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int x = INT_MAX;
    x += argc;
    printf("%d\n", x);
    return 0;
}
