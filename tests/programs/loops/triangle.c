/* clew test --assume 'n <= 200'
 * branches: 6 of 6
 *
 * The bound of the inner loop is the counter of the outer one. */
int triangle(unsigned n)
{
    unsigned turns = 0;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < i; j++) turns++;
    if (turns == 435) return 1;
    return 0;
}
