/* clew test
 * branches: 2 of 2
 * complete: yes
 * tests: at most 4
 *
 * A function that a library has with which Clew is linked, and this program is not: it is missing like any other. */
unsigned long crc32(unsigned long start, const unsigned char *bytes, unsigned count);

int intact(const unsigned char bytes[4])
{
    if (crc32(0, bytes, 4) == 0x12345678) return 1;
    return 0;
}
