/* Sorting and searching.  qsort is glibc's merge sort: halves first, the left element wins ties; so the comparator sees the same pairs in
 * the same order and equal elements keep theirs. */
#include "internal.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>

typedef struct Sort {
    size_t size;
    int (*compare)(const void *, const void *, void *);
    void *context;
    char *spare;
} Sort;

static void sort(const Sort *s, char *base, size_t n)
{
    if (n <= 1) return;
    size_t left = n / 2, right = n - left;
    char *a = base, *b = base + left * s->size, *out = s->spare;
    sort(s, a, left);
    sort(s, b, right);
    while (left > 0 && right > 0) {
        if (s->compare(a, b, s->context) <= 0) {
            bytes_copy(out, a, s->size);
            a += s->size;
            left--;
        } else {
            bytes_copy(out, b, s->size);
            b += s->size;
            right--;
        }
        out += s->size;
    }
    if (left > 0) bytes_copy(out, a, left * s->size);
    bytes_copy(base, s->spare, (n - right) * s->size);
}

/* Where there is no memory to merge in. */
static void sort_in_place(const Sort *s, char *base, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        for (char *b = base + i * s->size; b > base && s->compare(b - s->size, b, s->context) > 0; b -= s->size) {
            for (size_t k = 0; k < s->size; k++) {
                char byte = b[k];
                b[k] = b[k - s->size];
                b[k - s->size] = byte;
            }
        }
    }
}

static void sort_array(void *base, size_t n, size_t size, int (*compare)(const void *, const void *, void *), void *context)
{
    if (n < 2 || size == 0) return;
    Sort s = {size, compare, context, clew__malloc(n * size)};
    if (!s.spare) {
        sort_in_place(&s, base, n);
        return;
    }
    sort(&s, base, n);
    clew__free(s.spare);
}

void qsort_r(void *base, size_t n, size_t size, int (*compare)(const void *, const void *, void *), void *context)
{
    sort_array(base, n, size, compare, context);
}

typedef struct Plain {
    int (*compare)(const void *, const void *);
} Plain;

static int compare_plain(const void *a, const void *b, void *context)
{
    return ((Plain *)context)->compare(a, b);
}

void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    Plain plain = {compare};
    sort_array(base, n, size, compare_plain, &plain);
}

void *bsearch(const void *key, const void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order == 0) return (void *)element;
        if (order < 0) high = middle;
        else low = middle + 1;
    }
    return NULL;
}

static void *find(const void *key, const void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    const char *element = base;
    for (size_t i = 0; i < n; i++, element += size)
        if (compare(key, element) == 0) return (void *)element;
    return NULL;
}

void *lfind(const void *key, const void *base, size_t *n, size_t size, int (*compare)(const void *, const void *))
{
    return find(key, base, *n, size, compare);
}

void *lsearch(const void *key, void *base, size_t *n, size_t size, int (*compare)(const void *, const void *))
{
    void *found = find(key, base, *n, size, compare);
    if (found) return found;
    char *end = (char *)base + *n * size;
    bytes_copy(end, key, size);
    ++*n;
    return end;
}

void insque(void *element, void *before)
{
    struct qelem {
        struct qelem *forward, *back;
    } *e = element, *p = before;
    if (!p) {
        e->forward = e->back = NULL;
        return;
    }
    e->forward = p->forward;
    e->back = p;
    if (p->forward) p->forward->back = e;
    p->forward = e;
}

void remque(void *element)
{
    struct qelem {
        struct qelem *forward, *back;
    } *e = element;
    if (e->forward) e->forward->back = e->back;
    if (e->back) e->back->forward = e->forward;
}
