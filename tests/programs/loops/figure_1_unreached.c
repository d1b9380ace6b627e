/* clew test --array A:15 --array B:15 --nonnull A --nonnull B
 * branches: 9 of 12
 * infeasible: 16 true
 * infeasible: 16 true
 * infeasible: 16 false
 * proved: at least 3
 *
 * Figure 1 with a limit that 15 turns cannot exceed, so the second operand is never evaluated. */
int figure(const int A[15], const int B[15])
{
    int a = 0, b = 0;
    for (int i = 0; i < 15; ++i)
        if (A[i] == 1) ++a;
    for (int j = 0; j < 15; ++j)
        if (B[j] == 2) ++b;
    if (a > 17 && a + b == 23) return 1;
    return 0;
}
