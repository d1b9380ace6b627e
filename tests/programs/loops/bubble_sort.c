/* clew test --array a:5 --nonnull a
 * branches: 8 of 8
 *
 * Bubble sort of five numbers; the greatest number of exchanges, and a number that no order takes. */
int bubble_sort(int a[5])
{
    int exchanges = 0;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j + 1 < 5 - i; j++)
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
                exchanges++;
            }
    if (exchanges == 10) return 1;
    return 0;
}
