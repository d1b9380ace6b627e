/* inputs: 4 4
 * Words read across symbolic bytes and bytes out of symbolic words, at odd offsets. */
#include <stdint.h>
#include <string.h>

int test(unsigned a, unsigned b)
{
    unsigned char bytes[12] = {0};
    uint32_t word = a * 0x01020304u + b, half;
    memcpy(bytes + 1, &word, 4);
    bytes[3] = 9;
    memcpy(bytes + 5, bytes + 2, 4);
    memcpy(&half, bytes + 3, 4);
    memmove(bytes + 2, bytes, 8);
    if (half > 0x30000000u) return (int)(half >> 8);
    uint16_t tail;
    memcpy(&tail, bytes + 6, 2);
    if (bytes[4] == 4) return 7;
    return tail + bytes[9];
}
