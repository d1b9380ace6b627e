/* Lists of points that wait, see technique.h. */
#include "search/technique.h"

enum { LEAST_SWEPT = 16384 };

static void sweep(Waiting *waiting, const Tree *tree)
{
    uint32_t kept = 0;
    for (uint32_t i = waiting->first; i < waiting->entries.len; i++)
        if (tree_is_there(tree, waiting->entries.data[i])) waiting->entries.data[kept++] = waiting->entries.data[i];
    waiting->entries.len = kept;
    waiting->first = 0;
    waiting->most = 2 * kept;
}

void waiting_add(Waiting *waiting, const Tree *tree, PendingEntry entry)
{
    if (waiting->entries.len >= LEAST_SWEPT && waiting->entries.len >= waiting->most) sweep(waiting, tree);
    vec_push(&waiting->entries, entry);
}

PendingEntry waiting_take_oldest(Waiting *waiting)
{
    PendingEntry entry = waiting->entries.data[waiting->first++];
    if (waiting_is_empty(waiting)) {
        waiting->first = 0;
        vec_clear(&waiting->entries);
    }
    return entry;
}

PendingEntry waiting_take_newest(Waiting *waiting)
{
    return vec_pop(&waiting->entries);
}

PendingEntry waiting_take_at(Waiting *waiting, uint32_t i)
{
    PendingEntry *at = &waiting->entries.data[waiting->first + i], entry = *at;
    *at = vec_top(&waiting->entries);
    (void)vec_pop(&waiting->entries);
    return entry;
}

void waiting_release(Waiting *waiting)
{
    vec_release(&waiting->entries);
}
