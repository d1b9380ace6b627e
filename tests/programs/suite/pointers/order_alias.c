/* clew test
 * branches: 8 of 8
 * complete: yes
 * tests: at most 10
 *
 * Two pointers that may be the same one: they are put in order, unless they are. */
int order(int *low, int *high)
{
    if (!low || !high) return -1;
    if (low == high) return 0;
    if (*low > *high) {
        int kept = *low;
        *low = *high;
        *high = kept;
        return 1;
    }
    return 2;
}
