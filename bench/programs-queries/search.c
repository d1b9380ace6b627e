/* Sorting and searching with their contracts asserted: insertion sort, bounds of equal ranges, merging, a rotated array. */
#include <clew.h>

enum { N = 5 };

static void sort(int *a, int n)
{
    for (int i = 1; i < n; i++) {
        int value = a[i], k = i;
        for (; k > 0 && a[k - 1] > value; k--) a[k] = a[k - 1];
        a[k] = value;
    }
}

static int is_sorted(const int *a, int n)
{
    for (int i = 1; i < n; i++)
        if (a[i - 1] > a[i]) return 0;
    return 1;
}

/* The first place whose element is not less than the key. */
static int lower_bound(const int *a, int n, int key)
{
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (a[middle] < key) low = middle + 1;
        else high = middle;
    }
    return low;
}

static int upper_bound(const int *a, int n, int key)
{
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (a[middle] <= key) low = middle + 1;
        else high = middle;
    }
    return low;
}

static int merge(const int *a, int n, const int *b, int m, int *into)
{
    int i = 0, k = 0, count = 0;
    while (i < n || k < m) {
        int next = k == m || (i < n && a[i] <= b[k]) ? a[i++] : b[k++];
        if (count == 0 || into[count - 1] != next) into[count++] = next;
    }
    return count;
}

static void rotate(int *a, int n, int by)
{
    int copy[N];
    for (int i = 0; i < n; i++) copy[i] = a[(i + by) % n];
    for (int i = 0; i < n; i++) a[i] = copy[i];
}

/* The place of the key in a sorted array that was rotated, -1 if it is not there; the elements differ. */
static int find_rotated(const int *a, int n, int key)
{
    int low = 0, high = n - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        if (a[middle] == key) return middle;
        if (a[low] <= a[middle]) {
            if (a[low] <= key && key < a[middle]) high = middle - 1;
            else low = middle + 1;
        } else {
            if (a[middle] < key && key <= a[high]) low = middle + 1;
            else high = middle - 1;
        }
    }
    return -1;
}

int main(void)
{
    int a[N], merged[2 * N], other[2] = {-10, 10};
    for (int i = 0; i < N; i++) a[i] = clew_int("element");
    int key = clew_int("key"), by = clew_range(0, N, "by");
    sort(a, N);
    clew_assert(is_sorted(a, N));
    int low = lower_bound(a, N, key), high = upper_bound(a, N, key);
    clew_assert(low <= high);
    clew_assert(low == N || a[low] >= key);
    clew_assert(low == 0 || a[low - 1] < key);
    int count = merge(a, N, other, 2, merged);
    clew_assert(count >= 2 && is_sorted(merged, count));
    if (count < N + 2) return high - low > 1 ? 1 : 2; /* something is there twice */
    rotate(a, N, by);
    int found = find_rotated(a, N, key);
    clew_assert((found >= 0) == (low < high));
    clew_assert(found < 0 || a[found] == key);
    return found >= 0 ? 3 + found : 0;
}
