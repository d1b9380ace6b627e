/* inputs: 3 3
 * Loops in loops, and one that runs while two values differ. */
static unsigned gcd(unsigned x, unsigned y)
{
    while (y) {
        unsigned rest = x % y;
        x = y;
        y = rest;
    }
    return x;
}

int test(unsigned a, unsigned b)
{
    int n = 0;
    for (unsigned i = 0; i <= a; i++)
        for (unsigned k = i; k < b; k++) n += (int)(i * k) & 3;
    return n * 10 + (int)gcd(a, b);
}
