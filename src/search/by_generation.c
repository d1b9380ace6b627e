/* All points of one run before those of the next (P. Godefroid, M. Levin and D. Molnar, Automated Whitebox Fuzz Testing, NDSS 2008): the run that was the
 * first to reach most branches comes first, of equally good ones the newest; its points are tried in the order of its path. */
#include "search/search_int.h"

#include <stdlib.h>

typedef struct ByGeneration {
    struct {
        PendingEntries entries; /* of one run after the other */
        Vec(uint32_t) runs;     /* how many entries each has */
    } scored[MOST_SCORE + 1];
    PendingEntries generation; /* the run whose points are being tried … */
    uint32_t next;             /* … from here on */
} ByGeneration;

static void *start(Search *search)
{
    (void)search;
    return mem_alloc(sizeof(ByGeneration));
}

static void note(void *data, const PendingEntry *points, uint32_t count, uint32_t score)
{
    ByGeneration *self = data;
    unsigned at = score < MOST_SCORE ? score : MOST_SCORE;
    if (count == 0) return;
    for (uint32_t i = 0; i < count; i++) vec_push(&self->scored[at].entries, points[i]);
    vec_push(&self->scored[at].runs, count);
}

static bool start_generation(ByGeneration *self)
{
    unsigned score = MOST_SCORE + 1;
    while (score > 0 && self->scored[score - 1].runs.len == 0) score--;
    if (score == 0) return false;
    PendingEntries *entries = &self->scored[score - 1].entries;
    uint32_t count = vec_pop(&self->scored[score - 1].runs);
    vec_clear(&self->generation);
    self->next = 0;
    for (uint32_t i = entries->len - count; i < entries->len; i++) vec_push(&self->generation, entries->data[i]);
    entries->len -= count;
    return true;
}

static Proposal propose(void *data, uint64_t work, PendingEntry *point)
{
    ByGeneration *self = data;
    (void)work;
    if (self->next == self->generation.len && !start_generation(self)) return PROPOSES_NOTHING;
    *point = self->generation.data[self->next++];
    return PROPOSES_POINT;
}

static void release(void *data)
{
    ByGeneration *self = data;
    for (unsigned i = 0; i <= MOST_SCORE; i++) {
        vec_release(&self->scored[i].entries);
        vec_release(&self->scored[i].runs);
    }
    vec_release(&self->generation);
    free(self);
}

const Technique technique_generations = {start, note, propose, release, false};
