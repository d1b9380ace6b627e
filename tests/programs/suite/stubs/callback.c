/* clew test
 * branches: 8 of 8
 * tests: at most 6
 *
 * A function pointer that decides which elements are kept; it may be missing. */
int filter(int *values, int count, int (*keep)(int))
{
    int kept = 0;
    if (!values || !keep) return -1;
    for (int i = 0; i < count; i++) {
        if (keep(values[i])) values[kept++] = values[i];
    }
    return kept;
}
