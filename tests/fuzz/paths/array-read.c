/* inputs: 4 3
 * A constant table and a local array at a symbolic index. */
static const short table[16] = {3, -1, 4, 1, -5, 9, 2, 6, 5, 3, 5, 8, -9, 7, 9, 3};

int test(unsigned a, unsigned b)
{
    int local[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    int x = table[a] + local[b];
    if (x > 20) return x;
    if (table[x & 15] < 0) return -x;
    return 1000 + x;
}
