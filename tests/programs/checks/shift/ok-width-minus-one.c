/* clew run
 * exit: 0
 */
#include <stdio.h>

int main(int argc, char **argv)
{
    int n = 30 + argc;
    unsigned u = 1u << n;
    unsigned long l = 1ul << (n + 32);
    int s = -1 >> n;
    unsigned __int128 w = (unsigned __int128)1 << (n + 96);
    printf("%u %lu %d %d\n", u, l, s, w >> (n + 96) == 1);
    return 0;
}
