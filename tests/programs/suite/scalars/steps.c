/* clew test --assume 'number > 0 && number < 64'
 * branches: 7 of 8
 * infeasible: 10 false
 * tests: at most 4
 *
 * Collatz: for these numbers the limit of steps is never reached, and only one of several paths leads to many. */
int collatz(unsigned number)
{
    int steps = 0;
    while (number != 1 && steps < 200) {
        if (number % 2) number = 3 * number + 1;
        else number /= 2;
        steps++;
    }
    if (steps > 100) return 1;
    return 0;
}
