/* clew test --array a:25 --nonnull a --assume 'n >= 0 && n <= 25'
 * branches: 6 of 6
 *
 * Twenty steps upwards. */
int rising(const int *a, int n)
{
    int steps = 0;
    for (int i = 0; i + 1 < n; i++)
        if (a[i] < a[i + 1]) steps++;
    if (steps == 20) return 1;
    return 0;
}
