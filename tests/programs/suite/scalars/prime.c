/* clew test --assume 'number < 200'
 * branches: 6 of 6
 * tests: at most 6
 *
 * Is it prime?  By trial division. */
int prime(unsigned number)
{
    if (number < 2) return 0;
    for (unsigned divisor = 2; divisor * divisor <= number; divisor++) {
        if (number % divisor == 0) return 0;
    }
    return 1;
}
