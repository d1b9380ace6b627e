/* clew run
 * stdout: 1\n
 * bug: signed-overflow 10
 */
#include <stdio.h>

int main(int argc, char **argv)
{
    __int128 high = ((__int128)0x7fffffffffffffff << 64) | 0xffffffffffffffffu;
    high += argc;
    printf("%d\n", high < 0);
    return 0;
}
