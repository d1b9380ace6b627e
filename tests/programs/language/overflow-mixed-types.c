/* clew run
 * exit: 0
 */
#include <limits.h>
#include <stdio.h>

#define TRY(op, A, a, B, b, R) \
    do { \
        A x = (A)(a); \
        B y = (B)(b); \
        R r; \
        int o = __builtin_##op##_overflow(x, y, &r); \
        printf("%d %lld|", o, (long long)r); \
    } while (0)
#define ALL(A, a, B, b, R) TRY(add, A, a, B, b, R); TRY(sub, A, a, B, b, R); TRY(mul, A, a, B, b, R); puts("")

int main(void)
{
    ALL(int, -1, int, 5, unsigned long long);
    ALL(int, INT_MIN, int, -1, unsigned long long);
    ALL(unsigned long, ULONG_MAX, long, -1, long);
    ALL(unsigned long, ULONG_MAX, int, 1, unsigned char);
    ALL(long, LONG_MIN, unsigned, 3, int);
    ALL(signed char, -128, unsigned long, 128, short);
    ALL(unsigned, 7, unsigned, 9, int);
    ALL(long, LONG_MAX, unsigned long, 2, unsigned long);
    ALL(_Bool, 1, char, 'a', unsigned char);
    __int128 wide;
    int o = __builtin_mul_overflow((__int128)LONG_MAX << 60, 1000, &wide);
    unsigned __int128 uwide;
    int u = __builtin_sub_overflow((unsigned __int128)3, (unsigned __int128)4, &uwide);
    printf("%d %lx %d %lx\n", o, (long)(wide >> 64), u, (long)(uwide >> 64));
    return 0;
}
