/* clew test
 * branches: 10 of 10
 *
 * Division by repeated subtraction. */
int quotient(unsigned a, unsigned b)
{
    unsigned q = 0;
    if (b == 0) return 0;
    while (a >= b && q < 1000) {
        a -= b;
        q++;
    }
    if (q == 300 && a == 7) return 1;
    return 0;
}
