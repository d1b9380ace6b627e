/* clew test
 * branches: 10 of 10
 * tests: at most 8
 *
 * Binary search; the length follows the pointer, so the array has that length. */
int find(const int *sorted, int count, int key)
{
    if (!sorted || count <= 0) return -1;
    int low = 0, high = count - 1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (sorted[middle] == key) return middle;
        if (sorted[middle] < key) low = middle + 1;
        else high = middle - 1;
    }
    return -1;
}
