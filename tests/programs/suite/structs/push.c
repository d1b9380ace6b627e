/* clew test --nonnull v
 * branches: 2 of 2
 * complete: yes
 * tests: at most 4
 *
 * A growing array that is full, or has room: it has no elements only where it has no capacity. */
#include <stddef.h>

typedef struct {
    int *data;
    size_t len, cap;
} vec;

_Bool push(vec *v, int x)
{
    if (v->len == v->cap) return 0;
    v->data[v->len++] = x;
    return 1;
}
