/* clew test
 * branches: 6 of 6
 * complete: yes
 * tests: at most 8
 *
 * Whether a write through one pointer is seen through another: only if both point to the same object. */
int overwritten(int *first, int *second)
{
    if (!first || !second) return -1;
    *first = 1;
    *second = 2;
    if (*first == 2) return 1;
    return 0;
}
