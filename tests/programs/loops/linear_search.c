/* clew test --array a:20 --nonnull a
 * branches: 6 of 6
 *
 * A search that has to come to the 17th element. */
int linear_search(const int a[20], int key)
{
    int i = 0;
    while (i < 20 && a[i] != key) i++;
    if (i == 17) return 1;
    return 0;
}
