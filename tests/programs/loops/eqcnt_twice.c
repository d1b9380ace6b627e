/* clew test --array in:30 --nonnull in
 * branches: 17 of 18
 * infeasible: 21 true
 *
 * The benchmark EQCNTex: two such loops with fixed bounds; no order of turns reaches the target. */
int eqcnt_twice(const int in[30])
{
    int a = 0, b = 0, c = 0, d = 0, k = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 5; j++) {
            if (in[k] == 1) a++;
            else b++;
            k++;
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 5; j++) {
            if (in[k] == 1) c++;
            else d++;
            k++;
        }
    if (a > b && c > d && a + c < 16) return 1;
    return 0;
}
