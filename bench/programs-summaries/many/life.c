/* Neighbours in a small grid of cells, one step of the game of life. */
#include <clew.h>
#include <stdbool.h>

#define W 4
#define H 3

static bool is_alive(const bool g[H][W], int y, int x)
{
    if (y < 0 || y >= H || x < 0 || x >= W) return false;
    return g[y][x];
}

static int neighbours(const bool g[H][W], int y, int x)
{
    int n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if ((dy || dx) && is_alive(g, y + dy, x + dx)) n++;
    return n;
}

static bool next_cell(bool alive, int n)
{
    if (alive) return n == 2 || n == 3;
    return n == 3;
}

static int population(const bool g[H][W])
{
    int n = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) n += g[y][x];
    return n;
}

int main(void)
{
    bool now[H][W], next[H][W];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) now[y][x] = clew_char("cell") == '*';
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) next[y][x] = next_cell(now[y][x], neighbours(now, y, x));
    int before = population(now), after = population(next);
    if (after == 0) return 1;
    clew_assert(after - before < 3);
    return 0;
}
