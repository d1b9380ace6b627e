/* clew test
 * branches: 6 of 6
 *
 * A bound that is an input, and steps of 3: more than 2^16 are needed. */
int steps_of_3(unsigned n)
{
    unsigned i = 0;
    while (i < n && n < 1000000) i += 3;
    if (i == 65538) return 1;
    return 0;
}
