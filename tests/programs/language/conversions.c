/* clew run
 * exit: 0
 */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    long values[] = {0, 1, -1, 127, 128, 255, 256, -128, -129, 32767, 32768, 65535, 65536, INT_MAX, (long)INT_MAX + 1, UINT_MAX, (long)UINT_MAX + 1, LONG_MIN, LONG_MAX};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        long v = values[i];
        printf("%d %u %d %u %d %u %ld %lu %d\n", (signed char)v, (unsigned char)v, (short)v, (unsigned short)v, (int)v, (unsigned)v, (long)(int)v, (unsigned long)(unsigned)v, (_Bool)v);
    }
    int minus = -1;
    unsigned one = 1;
    printf("%d %d %d %d\n", minus < (int)one, minus < one, (long)minus < one, sizeof(int) > minus);
    unsigned char c = 200;
    signed char s = (signed char)c;
    char plain = '\xff';
    printf("%d %d %d %d %d\n", c + c, s + s, c == s, plain < 0, ~c);
    printf("%d %d %u\n", (char)0x181, (int)(unsigned short)-1, -1 >> 1 == -1 ? 1u : 0u);
    printf("%d %d\n", 5 / -2, -5 % 3);
    printf("%u %lu\n", -5 / 2u, -5 / 2ul);
    int *p = (int *)(uintptr_t)0x1000;
    printf("%lx %ld\n", (long)(p + 3), (char *)(p + 3) - (char *)p);
    enum small { A = -1, B = 300 } e = B;
    unsigned char narrow = e;
    printf("%d %d %zu\n", narrow, e == B, sizeof 'a');
    return 0;
}
