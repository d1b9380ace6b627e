/* clew explore --function check
 * seeds: 10
 * branches: 2 of 2
 * returns: 0 1
 *
 * A CRC-32 over four bytes, by table. */
#include <stdint.h>

static uint32_t table[256];

static void fill(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        table[i] = c;
    }
}

static uint32_t crc32(const unsigned char *bytes, int n)
{
    uint32_t c = 0xffffffffu;
    for (int i = 0; i < n; i++) c = table[(c ^ bytes[i]) & 255] ^ c >> 8;
    return ~c;
}

int check(unsigned char a, unsigned char b, unsigned char c, unsigned char d)
{
    unsigned char bytes[] = {a, b, c, d};
    fill();
    if (crc32(bytes, 4) == 0x2cf7c1b5u) return 1;
    return 0;
}
