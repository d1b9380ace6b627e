/* clew test --nonnull q --nonnull value
 * branches: 15 of 16
 * infeasible: 21 true
 * proved: at least 0
 * precondition: queue_take: q comes from queue_new
 *
 * Objects are made by the functions that the source has for it: what queue_new establishes, no other function has to check, so what only memory with
 * any contents shows is a precondition. */
#include <stdlib.h>

struct queue {
    int *items;
    unsigned room, first, used;
};

struct queue *queue_new(unsigned room)
{
    struct queue *q;
    if (room == 0 || room > 16) return NULL;
    q = calloc(1, sizeof *q);
    if (q == NULL) return NULL;
    q->items = calloc(room, sizeof *q->items);
    q->room = room;
    return q;
}

int queue_put(struct queue *q, int value)
{
    if (q->used == q->room) return 0;
    q->items[(q->first + q->used) % q->room] = value;
    q->used++;
    return 1;
}

int queue_take(struct queue *q, int *value)
{
    if (q->used == 0) return 0;
    *value = q->items[q->first];
    q->first = (q->first + 1) % q->room;
    q->used--;
    return 1;
}

int queue_sum(const struct queue *q)
{
    int sum = 0;
    for (unsigned i = 0; i < q->used; i++) {
        int item = q->items[(q->first + i) % q->room];
        if (item > 0 && item < 100) sum += item;
    }
    return sum;
}

void queue_free(struct queue *q)
{
    free(q->items);
    free(q);
}
