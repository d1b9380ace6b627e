/* clew test --work 1000 --nonnull cells
 * branches: 10 of 10
 * precondition: full_cells: cells points to more than 8 elements
 *
 * `next` goes through all rows, so neither number says how many cells there are: a harness with `n` of them would report reads behind the array. */
int full_cells(const unsigned char *cells, unsigned n, unsigned columns)
{
    unsigned next = 0, full = 0;
    for (unsigned row = 0; row < n; row++)
        for (unsigned column = 0; column < columns; column++) {
            if (cells[next]) full++;
            next++;
        }
    if (n > 2 && full == 11) return 1;
    return 0;
}
