/* clew explore --function check
 * seeds: 10
 * branches: 6 of 6
 * returns: 0 1
 *
 * A CRC-32 over four bytes, bit by bit without a branch. */
#include <stdint.h>

int check(uint32_t word)
{
    uint32_t c = 0xffffffffu;
    for (int i = 0; i < 4; i++) {
        c ^= word >> 8 * i & 255;
        for (int k = 0; k < 8; k++) c = c >> 1 ^ (0xedb88320u & -(c & 1));
    }
    if (~c == 0x12345678u) return 1;
    return 0;
}
