/* clew test --assume 'n >= 1 && n <= 10000'
 * branches: 6 of 6
 *
 * A number from which 30 steps of Collatz lead to 1. */
int collatz(unsigned n)
{
    int steps = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        steps++;
    }
    if (steps == 30) return 1;
    return 0;
}
