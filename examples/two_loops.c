/* clew test --array first:6 --array second:6 --nonnull first --nonnull second
 * branches: 12 of 12
 * tests: at most 6
 *
 * A condition on two counters, each made by a loop of its own (after the example of loop navigation by chains and counters): no single
 * input decides it. */
int balanced(const int *first, const int *second)
{
    int a = 0, b = 0;
    for (int i = 0; i < 6; i++) {
        if (first[i] == 1) a++;
    }
    for (int j = 0; j < 6; j++) {
        if (second[j] == 2) b++;
    }
    if (a > 4 && a + b == 9) return 1;
    return 0;
}
