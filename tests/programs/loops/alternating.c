/* clew test
 * branches: 8 of 8
 *
 * Turns that go one way and the other, as their number is even or odd. */
int alternating(unsigned n)
{
    unsigned a = 0, b = 0;
    for (unsigned i = 0; i < n; i++) {
        if (i % 2 == 0) a += 2;
        else b += 3;
    }
    if (a == 40 && b == 57) return 1;
    return 0;
}
