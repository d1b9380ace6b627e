/* A board of tic-tac-toe: is the position possible, and who has won? */
#include <clew.h>
#include <stdbool.h>

enum { SIDE = 3, CELLS = SIDE * SIDE };

typedef enum Cell { EMPTY, CROSS, NOUGHT } Cell;

static int value_of(char c)
{
    if (c == 'x') return CROSS;
    if (c == 'o') return NOUGHT;
    return EMPTY;
}

static Cell owner_of(const Cell *cells, int first, int step)
{
    Cell cell = cells[first];
    if (cell == EMPTY) return EMPTY;
    if (cells[first + step] != cell || cells[first + 2 * step] != cell) return EMPTY;
    return cell;
}

static int count_lines(const Cell *cells, Cell player)
{
    int count = 0;
    for (int i = 0; i < SIDE; i++) {
        if (owner_of(cells, SIDE * i, 1) == player) count++;
        if (owner_of(cells, i, SIDE) == player) count++;
    }
    if (owner_of(cells, 0, SIDE + 1) == player) count++;
    if (owner_of(cells, SIDE - 1, SIDE - 1) == player) count++;
    return count;
}

int main(void)
{
    char text[CELLS];
    clew_make_symbolic(text, CELLS, "text");
    Cell cells[CELLS];
    int crosses = 0, noughts = 0;
    for (int i = 0; i < CELLS; i++) {
        cells[i] = value_of(text[i]);
        if (cells[i] == CROSS) crosses++;
        if (cells[i] == NOUGHT) noughts++;
    }
    if (crosses != noughts && crosses != noughts + 1) return 1;
    int won = count_lines(cells, CROSS), lost = count_lines(cells, NOUGHT);
    if (won > 0 && lost > 0) return 2;
    clew_assert(won < 2); /* two lines with one move are possible */
    return won > 0 ? 3 : lost > 0 ? 4 : 0;
}
