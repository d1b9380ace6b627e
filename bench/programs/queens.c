/* Solutions of the n-queens problem by plain backtracking: calls and small arrays. */
#include <stdio.h>
#include <stdlib.h>

static int safe(const int *columns, int row, int column)
{
    for (int r = 0; r < row; r++)
        if (columns[r] == column || abs(columns[r] - column) == row - r) return 0;
    return 1;
}

static int solve(int *columns, int row, int n)
{
    if (row == n) return 1;
    int solutions = 0;
    for (int c = 0; c < n; c++)
        if (safe(columns, row, c)) {
            columns[row] = c;
            solutions += solve(columns, row + 1, n);
        }
    return solutions;
}

int main(void)
{
    int columns[16];
    for (int n = 6; n <= 11; n++) printf("%d ", solve(columns, 0, n));
    printf("%d\n", solve(columns, 0, 12));
    return 0;
}
