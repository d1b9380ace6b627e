/* clew test
 * branches: 4 of 4
 *
 * A million turns. */
int million(unsigned n)
{
    unsigned i = 0, even = 0;
    for (; i < n; i++) even += 2;
    if (even == 2000000) return 1;
    return 0;
}
