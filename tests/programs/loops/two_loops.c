/* clew test
 * branches: 5 of 6
 * infeasible: 12 true
 * proved: at least 1
 *
 * The benchmark TwoLoops: the bound of the second loop is what the first has computed. */
int two_loops(int n)
{
    int i = 0, k = 0;
    while (i < n) i += 4;
    while (k < i) k += 2;
    if (k == 15) return 1;
    return 0;
}
