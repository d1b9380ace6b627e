/* clew test --array in:100 --nonnull in --assume 'n >= 0 && n <= 10 && m >= 0 && m <= 10'
 * branches: 10 of 10
 *
 * The benchmark EQCNT: nested loops with a branch, where variables of the outermost scope are changed
 * in the innermost loop. */
int eqcnt(const int *in, int n, int m)
{
    int a = 0, b = 0, k = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (in[k] == 1) a++;
            else b++;
            k++;
        }
    if (a == b && a > 20) return 1;
    return 0;
}
