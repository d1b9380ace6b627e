/* clew test --assume 'n <= 100000'
 * branches: 3 of 4
 * infeasible: 16 true
 * proved: at least 1
 *
 * A function adds in steps of 12, and its caller asks for a sum that is no multiple of 4. */
static unsigned add_up(unsigned turns)
{
    unsigned sum = 0;
    while (turns--) sum += 12;
    return sum;
}

int never_a_remainder(unsigned n)
{
    if (add_up(n) == 5002) return 1;
    return 0;
}
