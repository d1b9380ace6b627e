/* clew explore --function accept
 * seeds: 10
 * branches: 10 of 10
 * returns: -3 -2 -1 0
 *
 * A field that must equal the sum of the other bytes. */
#include <stdint.h>

int accept(uint64_t packet)
{
    unsigned char bytes[8];
    unsigned sum = 0;
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(packet >> 8 * i);
    if (bytes[0] != 0x7e) return -1;
    if (bytes[1] < 3) return -2;
    for (int i = 0; i < 7; i++) sum += bytes[i];
    if ((sum & 255) != bytes[7]) return -3;
    return 0;
}
