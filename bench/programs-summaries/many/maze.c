/* A walk through a maze by commands, with a key and a door. */
#include <clew.h>
#include <stdbool.h>

#define MOVES 9

static char maze[5][7] = {
    "#####", "#.#k#", "#...#", "#.#D#", "###X#",
};

struct player {
    int row, column;
    bool has_key;
};

static bool direction(char c, int *dr, int *dc)
{
    *dr = *dc = 0;
    switch (c) {
    case 'u': *dr = -1; return true;
    case 'd': *dr = 1; return true;
    case 'l': *dc = -1; return true;
    case 'r': *dc = 1; return true;
    default: return false;
    }
}

static bool can_enter(const struct player *p, char cell)
{
    if (cell == '#') return false;
    if (cell == 'D') return p->has_key;
    return true;
}

static bool move(struct player *p, char c)
{
    int dr, dc;
    if (!direction(c, &dr, &dc)) return false;
    char cell = maze[p->row + dr][p->column + dc];
    if (!can_enter(p, cell)) return false;
    p->row += dr;
    p->column += dc;
    if (cell == 'k') p->has_key = true;
    return true;
}

int main(void)
{
    char moves[MOVES];
    struct player p = {1, 1, false};
    clew_make_symbolic(moves, MOVES, "moves");
    for (int i = 0; i < MOVES; i++) {
        if (!move(&p, moves[i])) return 1;
        if (maze[p.row][p.column] == 'X') {
            clew_assert(!p.has_key || i < 7);
            return 2;
        }
    }
    return 0;
}
