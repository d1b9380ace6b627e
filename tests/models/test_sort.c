/* Sorting and searching: results, and the pairs the comparator sees. */
#include "test.h"

#include <search.h>

MODEL(qsort);
MODEL(qsort_r);
MODEL(bsearch);
MODEL(lfind);
MODEL(lsearch);

enum { MAX = 40, SIZES = 3 };

typedef struct Item {
    unsigned char key, order;
    char rest[40];
} Item;

static uint64_t history;

static int by_key(const void *a, const void *b)
{
    const unsigned char *x = a, *y = b;
    history = history * 31 + x[0] * 256u + y[0] + x[1] * 7u + y[1] * 3u;
    return x[0] - y[0];
}

static int by_key_in(const void *a, const void *b, void *context)
{
    *(uint64_t *)context = *(uint64_t *)context * 31 + *(const unsigned char *)a * 256u + *(const unsigned char *)b;
    return by_key(a, b);
}

static size_t fill(Random *r, unsigned char *array, size_t n)
{
    static const size_t sizes[] = {2, 3, 4, 8, 12, 16, 33, sizeof(Item)};
    size_t size = sizes[below(r, 8)];
    unsigned keys = 1 + (unsigned)below(r, one_in(r, 2) ? 5 : 200);
    for (size_t i = 0; i < n; i++) {
        memset(array + i * size, (int)i, size);
        array[i * size] = (unsigned char)below(r, keys);
        array[i * size + 1] = (unsigned char)i;
    }
    return size;
}

static bool trial_qsort(Random *r)
{
    unsigned char expected[MAX * sizeof(Item)];
    size_t n = below(r, MAX), size = fill(r, expected, n);
    unsigned char *got = (unsigned char *)guarded_copy(0, expected, n * size);
    history = 0;
    qsort(expected, n, size, by_key);
    uint64_t expected_history = history;
    history = 0;
    model_qsort(got, n, size, by_key);
    if (expected_history != history) return differ("%zu elements of %zu: other comparisons", n, size);
    return memcmp(expected, got, n * size) == 0 || differ("%zu elements of %zu", n, size);
}

static bool trial_qsort_r(Random *r)
{
    unsigned char expected[MAX * sizeof(Item)];
    size_t n = below(r, MAX), size = fill(r, expected, n);
    unsigned char *got = (unsigned char *)guarded_copy(0, expected, n * size);
    uint64_t a = 1, b = 1;
    qsort_r(expected, n, size, by_key_in, &a);
    model_qsort_r(got, n, size, by_key_in, &b);
    return (a == b && memcmp(expected, got, n * size) == 0) || differ("%zu elements of %zu", n, size);
}

static bool trial_bsearch(Random *r)
{
    unsigned char array[MAX * sizeof(Item)], key[2] = {(unsigned char)below(r, 200), 0};
    size_t n = below(r, MAX), size = fill(r, array, n);
    qsort(array, n, size, by_key);
    char *sorted = guarded_copy(0, array, n * size);
    history = 0;
    void *expected = bsearch(key, sorted, n, size, by_key);
    uint64_t expected_history = history;
    history = 0;
    void *got = model_bsearch(key, sorted, n, size, by_key);
    return (expected == got && expected_history == history) || differ("%u in %zu elements of %zu", key[0], n, size);
}

static bool trial_lfind(Random *r)
{
    unsigned char array[MAX * sizeof(Item)], key[2] = {(unsigned char)below(r, 20), 0};
    size_t n = below(r, MAX), size = fill(r, array, n);
    char *guarded_array = guarded_copy(0, array, n * size);
    return lfind(key, guarded_array, &n, size, by_key) == model_lfind(key, guarded_array, &n, size, by_key) || differ("%u", key[0]);
}

static bool trial_lsearch(Random *r)
{
    unsigned char expected[(MAX + 1) * sizeof(Item)], got[(MAX + 1) * sizeof(Item)], key[sizeof(Item)] = {(unsigned char)below(r, 20)};
    size_t n = below(r, MAX), size = fill(r, expected, n), m = n, k = n;
    memcpy(got, expected, n * size);
    unsigned char *a = lsearch(key, expected, &m, size, by_key), *b = model_lsearch(key, got, &k, size, by_key);
    return (m == k && a - expected == b - got && memcmp(expected, got, m * size) == 0) || differ("%u", key[0]);
}

const Trial sort_trials[] = {TRIAL(qsort), TRIAL(qsort_r), TRIAL(bsearch), TRIAL(lfind), TRIAL(lsearch), {NULL, NULL, 0}};
