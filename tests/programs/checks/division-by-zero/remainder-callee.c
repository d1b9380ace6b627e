/* clew run
 * bug: division-by-zero 7
 */
static unsigned gcd(unsigned a, unsigned b)
{
    do {
        unsigned r = a % b;
        a = b;
        b = r;
    } while (a);
    return b;
}

int main(void)
{
    return (int)gcd(12, 18);
}
