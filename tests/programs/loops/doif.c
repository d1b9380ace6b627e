/* clew test --array in:30 --nonnull in --assume 'n >= 0 && n <= 30'
 * branches: 14 of 14
 *
 * The benchmark DOIF: each member of an input array causes an action that depends on its value. */
int doif(const int *in, int n)
{
    int x = 0, y = 0, z = 0;
    for (int i = 0; i < n; i++) {
        if (in[i] == 1) x++;
        else if (in[i] == 2) y++;
        else if (in[i] == 3) z++;
    }
    if (x == 9 && y == 10 && z == 7) return 1;
    return 0;
}
