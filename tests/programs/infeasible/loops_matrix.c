/* clew test
 * branches: 51 of 66
 * infeasible: 28 true
 * infeasible: 28 true
 * infeasible: 29 true
 * infeasible: 30 true
 * infeasible: 42 true
 * infeasible: 44 true
 * infeasible: 60 true
 * infeasible: 61 true
 * infeasible: 62 true
 * infeasible: 64 true
 * infeasible: 71 true
 * infeasible: 72 true
 * infeasible: 75 true
 * infeasible: 77 true
 * infeasible: 78 true
 * proved: at least 13
 *
 * Nested loops over a small board: row and column stay on it, a triangle is visited above its diagonal only, and counts are bounded by the size. */
extern int __VERIFIER_nondet_int(void);

#define SIZE 5
static unsigned char board[SIZE][SIZE];

static int cell(int row, int column)
{
    if (row < 0 || row >= SIZE) return -1;
    if (column < 0) return -2;
    if (column >= SIZE) return -3;
    return board[row][column];
}

static int count_neighbours(int row, int column)
{
    int count = 0;
    for (int i = row - 1; i <= row + 1; i++) {
        for (int k = column - 1; k <= column + 1; k++) {
            if (i == row && k == column) continue;
            if (i < 0 || i > SIZE - 1 || k < 0 || k > SIZE - 1) continue;
            int value = cell(i, k);
            if (value > 3) return -1;
            if (value == 3) count++;
            if (count > 8) return -2;
        }
    }
    return count;
}

int main(void)
{
    int crowded = 0, pairs = 0;
    for (int row = 0; row < SIZE; row++) {
        for (int column = 0; column < SIZE; column++) {
            board[row][column] = (unsigned char)(__VERIFIER_nondet_int() & 3);
        }
    }
    for (int row = 0; row < SIZE; row++) {
        for (int column = row + 1; column < SIZE; column++) {
            if (column <= row) return 1;
            if (column == 0) return 2;
            if (row == SIZE - 1) return 3;
            if (cell(row, column) == cell(column, row)) pairs++;
            if (pairs > 10) return 4;
        }
    }
    for (int row = 0; row < SIZE; row++) {
        int column = row;
        while (column < SIZE) {
            int neighbours = count_neighbours(row, column);
            if (neighbours < 0) return 5;
            if (neighbours == 9) return 6;
            if (neighbours > 5) crowded++;
            column += 2;
            if (column > 6) return 7;
        }
        if (column < SIZE) return 8;
        if (crowded > 15) return 9;
    }
    return crowded > 1 ? pairs : 10;
}
