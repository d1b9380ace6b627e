/* clew test --stdin 40
 * branches: 42 of 42
 * covered: at least 26
 *
 * A game in a small maze that reads moves from standard input: walls, a key, a door, a guard that moves too, and an exit.
 * What makes it hard is that the exit needs 30 right moves, the first 20 of them to fetch the key and to come back. */
#include <stdio.h>

enum { WIDTH = 9, HEIGHT = 7 };

static const char *maze[HEIGHT] = {
    "#########",
    "#@  #  K#",
    "# # # # #",
    "# #   # #",
    "# #######",
    "#     D>#",
    "#########",
};

static int x = 1, y = 1, guard = 4, direction = -1, has_key, bumps, steps;

static void move_guard(void)
{
    guard += direction;
    if (guard == 2) direction = 1;
    else if (guard == 5) direction = -1;
}

/* Returns 1 at the exit, -1 if the guard catches the player. */
static int move(int dx, int dy)
{
    char place = maze[y + dy][x + dx];
    switch (place) {
    case '#':
        bumps++;
        move_guard();
        return 0;
    case 'D':
        if (!has_key) return 0;
        break;
    case 'K':
        has_key = 1;
        break;
    default:
        break;
    }
    x += dx;
    y += dy;
    steps++;
    move_guard();
    if (y == 5 && x == guard) return -1;
    return place == '>' ? 1 : 0;
}

int main(void)
{
    int c;
    while ((c = getchar()) != EOF) {
        int result = 0;
        if (c == 'w') result = move(0, -1);
        else if (c == 's') result = move(0, 1);
        else if (c == 'a') result = move(-1, 0);
        else if (c == 'd') result = move(1, 0);
        else if (c == 'q' && steps >= 12) break;
        if (result < 0) return 2;
        if (result > 0 && bumps == 0) return 0;
        if (result > 0) return steps < 32 ? 1 : 5;
        if (bumps == 5) return 3;
    }
    return 4;
}
