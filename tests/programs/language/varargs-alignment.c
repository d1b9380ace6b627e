/* clew run
 * exit: 0
 */
#include <stdarg.h>
#include <stdio.h>

struct __attribute__((aligned(16))) aligned {
    long a, b;
};
struct __attribute__((aligned(32))) more {
    int x;
};

/* Skips n ints, then reads something that must be aligned to 16 or more where arguments lie in memory. */
static void read_wide(int n, ...)
{
    va_list args;
    va_start(args, n);
    for (int i = 0; i < n; i++) va_arg(args, int);
    __int128 wide = va_arg(args, __int128);
    struct aligned s = va_arg(args, struct aligned);
    int between = va_arg(args, int);
    long double l = va_arg(args, long double);
    struct more m = va_arg(args, struct more);
    printf("%d: %lx%016lx %ld %ld %d %Lg %d\n", n, (long)(wide >> 64), (long)wide, s.a, s.b, between, l, m.x);
    va_end(args);
}

int main(void)
{
    __int128 w = ((__int128)0x123456789 << 64) | 0xabcdef;
    struct aligned s = {1, -2};
    struct more m = {77};
    read_wide(0, w, s, 5, 1.5L, m);
    read_wide(1, 1, w, s, 5, 1.5L, m);
    read_wide(5, 1, 2, 3, 4, 5, w, s, 5, 1.5L, m);
    read_wide(6, 1, 2, 3, 4, 5, 6, w, s, 5, 1.5L, m);
    read_wide(7, 1, 2, 3, 4, 5, 6, 7, w, s, 5, 1.5L, m);
    return 0;
}
