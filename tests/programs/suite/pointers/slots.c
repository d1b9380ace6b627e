/* clew test
 * branches: 14 of 14
 * tests: at most 8
 *
 * An array of pointers, any of which may be NULL: the smallest number among those that are there. */
int lowest(int *const *slots, int count, int *result)
{
    int found = 0, best = 0;
    if (!slots) return -1;
    for (int i = 0; i < count; i++) {
        if (!slots[i]) continue;
        if (!found || *slots[i] < best) best = *slots[i];
        found = 1;
    }
    if (!found) return 0;
    if (result) *result = best;
    return 1;
}
