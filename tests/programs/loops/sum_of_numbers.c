/* clew test
 * branches: 4 of 4
 *
 * The sum of the numbers to 100, a polynomial of the number of turns. */
int sum_of_numbers(unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 1; i <= n; i++) sum += i;
    if (sum == 5050) return 1;
    return 0;
}
