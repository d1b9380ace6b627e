/* clew test --array next:12 --nonnull next
 * branches: 8 of 8
 *
 * A list in an array of indices: a walk that visits ten cells before it ends. */
int linked_cells(const unsigned char next[12])
{
    unsigned at = 0;
    int visited = 0;
    while (at < 12 && visited < 100) {
        visited++;
        at = next[at];
    }
    if (visited == 10) return 1;
    if (visited == 100) return 2;
    return 0;
}
