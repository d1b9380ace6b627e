/* clew test --assume 'n <= 5000'
 * branches: 4 of 4
 *
 * The number of turns is an input, and the sum is compared below the loop. */
int bound_times_three(unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++) sum += 3;
    if (sum == 2997) return 1;
    return 0;
}
