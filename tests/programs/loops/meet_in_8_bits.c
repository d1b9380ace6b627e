/* clew test --assume 'n < 300'
 * branches: 6 of 6
 *
 * Two counters of 8 bits with different steps meet again after they have wrapped around. */
int meet_in_8_bits(unsigned n)
{
    unsigned char a = 0, b = 10;
    for (unsigned i = 0; i < n; i++) {
        a += 3;
        b += 5;
    }
    if (a == b && n > 200) return 1;
    return 0;
}
