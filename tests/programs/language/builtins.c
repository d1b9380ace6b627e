/* clew run
 * exit: 0
 */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int i;
    long l;
    unsigned u;
    unsigned char c;
    short s;
    printf("%d %d|", __builtin_add_overflow(INT_MAX, 1, &i), i);
    printf("%d %d|", __builtin_sub_overflow(INT_MIN, -1, &i), i);
    printf("%d %ld|", __builtin_mul_overflow(1L << 40, 1L << 30, &l), l);
    printf("%d %u|", __builtin_sub_overflow(3u, 4u, &u), u);
    printf("%d %d|", __builtin_add_overflow(200, 100, &c), c);
    printf("%d %d|", __builtin_mul_overflow((short)300, (short)300, &s), s);
    printf("%d %u\n", __builtin_add_overflow(-1, 2ul, &u), u);
    unsigned values[] = {1, 2, 0x80000000, 0xdeadbeef, 0xffffffff, 0x00010000};
    for (int k = 0; k < 6; k++)
        printf("%d %d %d %d %d %x\n", __builtin_popcount(values[k]), __builtin_clz(values[k]), __builtin_ctz(values[k]), __builtin_parity(values[k]), __builtin_ffs((int)values[k]), __builtin_bswap32(values[k]));
    printf("%d %d %d %lx %x\n", __builtin_popcountl(~0ul >> 3), __builtin_clzl(1ul << 40), __builtin_ctzll(1ull << 50), __builtin_bswap64(0x0123456789abcdef), __builtin_bswap16(0x1234));
    printf("%d %d %d %d\n", __builtin_ffs(0), __builtin_clrsb(-5), abs(-7), __builtin_expect(5, 5) == 5);
    printf("%x %x %lx\n", __builtin_rotateleft32(0x80000001, 4), __builtin_rotateright8(0x81, 1), __builtin_rotateleft64(1, 63));
    printf("%x %d %d\n", __builtin_bitreverse32(1), __builtin_constant_p(5), __builtin_types_compatible_p(int, signed));
    printf("%zu %d\n", __builtin_object_size(values, 0), (int)__builtin_choose_expr(1, 4, 5.5));
    printf("%g %g %d\n", __builtin_inf(), __builtin_fabs(-2.5), __builtin_isnan(__builtin_nan("")));
    char buffer[16];
    __builtin_memset(buffer, 'z', 15);
    buffer[15] = 0;
    printf("%zu %d\n", __builtin_strlen(buffer), __builtin_memcmp(buffer, "zz", 2));
    printf("%d %d\n", __builtin_unpredictable(i == i) != 0, (int)sizeof(__builtin_va_list));
    return __builtin_frame_address(0) == 0;
}
