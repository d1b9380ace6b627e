/* clew test
 * branches: 8 of 8
 *
 * A variable with two values in turn. */
int toggle(unsigned n)
{
    int side = 0;
    unsigned i;
    for (i = 0; i < n; i++) side = !side;
    if (side && i > 100 && i < 110) return 1;
    return 0;
}
