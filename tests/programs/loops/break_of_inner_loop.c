/* clew test --array a:48 --nonnull a
 * branches: 10 of 10
 *
 * Rows that end at a zero: the inner loop is left in two ways. */
int break_of_inner_loop(const unsigned char a[48])
{
    int full = 0, short_ones = 0;
    for (int row = 0; row < 12; row++) {
        int i = 0;
        for (; i < 4; i++)
            if (a[4 * row + i] == 0) break;
        if (i == 4) full++;
        else short_ones++;
    }
    if (full == 9) return 1;
    return 0;
}
