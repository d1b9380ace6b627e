/* clew test
 * branches: 6 of 6
 *
 * A number with 17 bits set, the highest of which is the 30th. */
int bits(unsigned x)
{
    int count = 0, size = 0;
    while (x > 0) {
        count += x & 1;
        x >>= 1;
        size++;
    }
    if (count == 17 && size == 30) return 1;
    return 0;
}
