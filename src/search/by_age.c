/* Techniques that look at nothing but when a point was made: the newest first (depth first), the oldest first (breadth first), or any. */
#include "search/search_int.h"

#include <stdlib.h>

typedef struct ByAge {
    const Tree *tree;
    Waiting waiting;
    Random random;
} ByAge;

static void *start(Search *search)
{
    ByAge *self = mem_alloc(sizeof *self);
    self->tree = &search->tree;
    random_seed(&self->random, search->options.seed);
    return self;
}

static void note(void *data, const PendingEntry *points, uint32_t count, uint32_t score)
{
    ByAge *self = data;
    (void)score;
    for (uint32_t i = 0; i < count; i++) waiting_add(&self->waiting, self->tree, points[i]);
}

static Proposal propose_newest(void *data, uint64_t work, PendingEntry *point)
{
    ByAge *self = data;
    (void)work;
    if (waiting_is_empty(&self->waiting)) return PROPOSES_NOTHING;
    *point = waiting_take_newest(&self->waiting);
    return PROPOSES_POINT;
}

static Proposal propose_oldest(void *data, uint64_t work, PendingEntry *point)
{
    ByAge *self = data;
    (void)work;
    if (waiting_is_empty(&self->waiting)) return PROPOSES_NOTHING;
    *point = waiting_take_oldest(&self->waiting);
    return PROPOSES_POINT;
}

static Proposal propose_any(void *data, uint64_t work, PendingEntry *point)
{
    ByAge *self = data;
    (void)work;
    if (waiting_is_empty(&self->waiting)) return PROPOSES_NOTHING;
    *point = waiting_take_at(&self->waiting, (uint32_t)random_below(&self->random, waiting_count(&self->waiting)));
    return PROPOSES_POINT;
}

static void release(void *data)
{
    ByAge *self = data;
    waiting_release(&self->waiting);
    free(self);
}

const Technique technique_newest = {start, note, propose_newest, release, false};
const Technique technique_oldest = {start, note, propose_oldest, release, false};
const Technique technique_random = {start, note, propose_any, release, false};
