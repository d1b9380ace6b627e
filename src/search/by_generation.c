/* All points of one run before those of the next (P. Godefroid, M. Levin and D. Molnar, Automated Whitebox Fuzz Testing, NDSS 2008): the run that was the
 * first to reach most branches comes first, of equally good ones the newest; its points are tried in the order of its path.
 *
 * A run counts as the first to take an outcome of a condition if no run that this technique was told of before has taken it, whatever other techniques have reached: else
 * beside others, who reach most branches before, all runs would be equally good, and the newest of them would be a depth-first search. */
#include "search/search_int.h"

#include <stdlib.h>

typedef struct ByGeneration {
    Search *search;
    Vec(uint8_t) taken; /* per branch: a run that this technique was told of has taken it */
    struct {
        PendingEntries entries; /* of one run after the other */
        Vec(uint32_t) runs;     /* how many entries each has */
    } scored[MOST_SCORE + 1];
    PendingEntries generation; /* the run whose points are being tried … */
    uint32_t next;             /* … from here on */
} ByGeneration;

static void *start(Search *search)
{
    ByGeneration *self = mem_alloc(sizeof *self);
    self->search = search;
    for (uint32_t i = 0; i < search->program->branch_count; i++) vec_push(&self->taken, 0);
    return self;
}

/* How many outcomes of conditions the run is the first to take, of the runs that this technique knows. */
static unsigned count_first_taken(ByGeneration *self, const PendingEntry *points, uint32_t count)
{
    unsigned first = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t branch = self->search->tree.points.data[points[i].point].branch;
        if (branch == UINT32_MAX || self->taken.data[branch]) continue;
        self->taken.data[branch] = 1;
        first++;
    }
    return first;
}

static void note(void *data, const PendingEntry *points, uint32_t count, uint32_t score)
{
    ByGeneration *self = data;
    if (count == 0) return;
    unsigned first = count_first_taken(self, points, count), best = first > score ? first : score,
             at = best < MOST_SCORE ? best : MOST_SCORE;
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
    vec_release(&self->taken);
    free(self);
}

const Technique technique_generations = {start, note, propose, release, false};
