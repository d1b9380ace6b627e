/* clew run
 * exit: 0
 */
#include <stdio.h>

static unsigned rotate(unsigned x, unsigned n)
{
    return x << (n & 31) | x >> (-n & 31);
}

int main(void)
{
    unsigned all = 0;
    for (unsigned n = 0; n <= 64; n++) all += rotate(0x80000001u, n);
    printf("%u %u\n", all, 7u << 0);
    return 0;
}
