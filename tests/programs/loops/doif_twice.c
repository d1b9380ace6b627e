/* clew test --array in:20 --nonnull in --array more:20 --nonnull more --assume 'n >= 0 && n <= 20'
 * branches: 24 of 24
 *
 * The benchmark DOIFex: two such loops, one behind the other. */
int doif_twice(const int *in, const int *more, int n)
{
    int ax = 0, ay = 0, az = 0;
    for (int i = 0; i < n; i++) {
        if (in[i] == 1) ax++;
        else if (in[i] == 2) ay++;
        else if (in[i] == 3) az++;
    }

    int bx = 0, by = 0, bz = 0;
    for (int i = 0; i < n; i++) {
        if (more[i] == 1) bx++;
        else if (more[i] == 2) by++;
        else if (more[i] == 3) bz++;
    }
    if (ax == 6 && ay + by == 15 && bz == 5 && az == bx) return 1;
    return 0;
}
