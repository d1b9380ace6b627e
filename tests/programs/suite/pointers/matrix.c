/* clew test --nonnull m --nonnull block
 * branches: 18 of 18
 * complete: yes
 * tests: at most 20
 *
 * Parameters that are declared as arrays have the elements that they are declared with, in all their rows. */
int diagonal(const int m[4][4])
{
    if (m[0][0] == 1 && m[1][1] == 2 && m[3][3] == 3) return 1;
    return 0;
}

int at(double m[2][4], int row, int column)
{
    if (row < 0 || row > 1 || column < 0 || column > 3) return -1;
    if (m[row][column] > 2.5) return 1;
    return 0;
}

int marked(const unsigned char block[100])
{
    if (block[99] == 3) return 1;
    return 0;
}
