/* clew run
 * exit: 0
 */
#include <stdint.h>
#include <stdio.h>

static uint32_t crc(const char *text)
{
    uint32_t c = ~0u;
    for (; *text; text++) {
        c ^= (unsigned char)*text;
        for (int i = 0; i < 8; i++) c = c >> 1 ^ (c & 1 ? 0xedb88320u : 0);
    }
    return ~c;
}

int main(void)
{
    int negative = -1000;
    unsigned u = 0xdeadbeef;
    for (int n = 0; n < 32; n += 5) printf("%d %u %u ", negative >> n, u >> n, u << n);
    puts("");
    int64_t wide = INT64_MIN + 12345;
    for (int n = 0; n < 64; n += 13) printf("%ld %lu ", wide >> n, (uint64_t)wide >> n);
    unsigned char byte = 0x81;
    byte >>= 1;
    byte <<= 2;
    unsigned short half = 0x8001;
    half = (unsigned short)(half << 1 | half >> 15);
    printf("%d %d %x %x\n", byte, half, crc("123456789"), (u & -u) | (u ^ u >> 1));
    uint64_t x = 88172645463325252u;
    for (int i = 0; i < 100; i++) x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    printf("%lu\n", x);
    return 0;
}
