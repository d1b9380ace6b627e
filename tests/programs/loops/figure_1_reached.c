/* clew test --array A:15 --array B:15 --nonnull A --nonnull B
 * branches: 12 of 12
 *
 * Figure 1 of the paper on loop navigation: two counters that only the number of turns through each
 * branch decides. */
int figure(const int A[15], const int B[15])
{
    int a = 0, b = 0;
    for (int i = 0; i < 15; ++i)
        if (A[i] == 1) ++a;
    for (int j = 0; j < 15; ++j)
        if (B[j] == 2) ++b;
    if (a > 12 && a + b == 23) return 1;
    return 0;
}
