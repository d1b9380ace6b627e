/* clew test --assume 'a <= 3000 && b <= 3000'
 * branches: 6 of 6
 *
 * Euclid's algorithm on numbers that need ten divisions. */
int euclid(unsigned a, unsigned b)
{
    int divisions = 0;
    while (b) {
        unsigned rest = a % b;
        a = b;
        b = rest;
        divisions++;
    }
    if (divisions == 10 && a == 1) return 1;
    return 0;
}
