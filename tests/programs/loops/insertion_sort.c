/* clew test --array a:6 --nonnull a
 * branches: 8 of 8
 *
 * Insertion sort with a counter of moves that must be 12. */
int insertion_sort(int a[6])
{
    int moves = 0;
    for (int i = 1; i < 6; i++) {
        int value = a[i], j = i;
        while (j > 0 && a[j - 1] > value) {
            a[j] = a[j - 1];
            j--;
            moves++;
        }
        a[j] = value;
    }
    if (moves == 12) return 1;
    return 0;
}
