/* clew test
 * branches: 14 of 14
 * bug: out-of-bounds 19
 * tests: at most 14
 *
 * Decodes a packet: a mark, a version, the length of the data, the data, and a checksum behind it.  The length that the packet
 * claims is compared with the length that it has, but one byte is forgotten. */
#include <stddef.h>

#define HEADER 3

int decode(const unsigned char *packet, size_t size)
{
    unsigned char sum = 0;
    if (!packet || size < HEADER + 1) return -1;
    if (packet[0] != 0x7e || packet[1] > 2) return -2;
    size_t length = packet[2];
    if (length > size - HEADER) return -3;
    for (size_t i = 0; i <= length; i++) sum = (unsigned char)(sum ^ packet[HEADER + i]);
    if (sum != 0) return -4;
    return (int)length;
}
