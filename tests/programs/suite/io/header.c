/* clew test --stdin 8
 * branches: 14 of 14
 * tests: at most 14
 *
 * A binary header of eight bytes: magic, version, length, and a checksum over the bytes before it. */
#include <stdio.h>
#include <string.h>

static unsigned checksum(const unsigned char *bytes, int count)
{
    unsigned sum = 0;
    for (int i = 0; i < count; i++) sum = (sum * 3 + bytes[i]) & 255;
    return sum;
}

int main(void)
{
    unsigned char bytes[8];
    if (fread(bytes, 1, sizeof bytes, stdin) != sizeof bytes) return 1;
    if (memcmp(bytes, "CLW", 3) != 0) return 2;
    if (bytes[3] == 0 || bytes[3] > 2) return 3;
    unsigned length = (unsigned)bytes[4] << 8 | bytes[5];
    if (bytes[7] != checksum(bytes, 7)) return 4;
    if (length > 1024) puts("a long one");
    return 0;
}
