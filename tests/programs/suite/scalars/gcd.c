/* clew test
 * branches: 4 of 4
 * tests: at most 4
 *
 * Euclid's algorithm. */
unsigned gcd(unsigned a, unsigned b)
{
    if (a == 0) return b;
    while (b != 0) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
