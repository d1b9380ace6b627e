/* clew test
 * branches: 4 of 4
 *
 * A number of eight digits. */
int digits(unsigned n)
{
    int count = 0;
    while (n > 0) {
        n /= 10;
        count++;
    }
    if (count == 8) return 1;
    return 0;
}
