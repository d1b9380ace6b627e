/* clew test --assume 'n <= 1200000 && step >= 1 && step <= 9'
 * branches: 4 of 4
 *
 * About a million turns; the step is an input, too. */
int million_and_step(unsigned n, unsigned step)
{
    unsigned position = 5;
    for (unsigned i = 0; i < n; i++) position += step;
    if (position == 7000005) return 1;
    return 0;
}
