/* clew test --nonnull q
 * branches: 8 of 8
 * bug: out-of-bounds 26
 * precondition: queue_put: q comes from queue_new
 *
 * Memory with any contents shows a fault in queue_put, which is a precondition; but calls of the program's own functions lead to the same fault, so
 * there is a bug as well. */
#include <stdlib.h>

struct queue {
    int *items;
    unsigned room, last, used;
};

struct queue *queue_new(unsigned room)
{
    struct queue *q = room == 0 || room > 16 ? NULL : calloc(1, sizeof *q);
    if (q == NULL) return NULL;
    q->items = calloc(room, sizeof *q->items);
    q->room = room;
    return q;
}

int queue_put(struct queue *q, int value)
{
    q->items[q->last] = value;
    q->last = q->last + 1;
    q->used = q->last;
    return 1;
}

int queue_take(struct queue *q)
{
    return q->used == 0 ? 0 : q->items[q->last - 1];
}

void queue_free(struct queue *q)
{
    free(q->items);
    free(q);
}
