/* clew test --array m:16 --nonnull m
 * branches: 14 of 14
 *
 * A matrix of four rows: the search must find six entries above the diagonal that are 1, and none below. */
int matrix_diagonal(const int m[16])
{
    int above = 0, below = 0;
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 4; column++) {
            if (m[4 * row + column] != 1) continue;
            if (column > row) above++;
            if (column < row) below++;
        }
    if (above == 6 && below == 0) return 1;
    return 0;
}
