/* clew test --array values:4
 * branches: 8 of 8
 * bug: no-progress 12
 * complete: yes
 * tests: at most 4
 *
 * A loop that stands still at the first zero. */
int count_negative(const int *values)
{
    int i = 0, negative = 0;
    if (!values) return -1;
    while (i < 4) {
        if (values[i] == 0) continue;
        if (values[i] < 0) negative++;
        i++;
    }
    return negative;
}
