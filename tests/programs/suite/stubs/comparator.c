/* clew test --nonnull items --nonnull compare
 * branches: 6 of 6
 * tests: at most 4
 *
 * The largest of some items by a comparison that the caller provides. */
typedef int (*comparison)(const void *, const void *);

int largest(const long *items, int count, comparison compare)
{
    int best = 0;
    if (count <= 0) return -1;
    for (int i = 1; i < count; i++) {
        if (compare(&items[i], &items[best]) > 0) best = i;
    }
    return best;
}
