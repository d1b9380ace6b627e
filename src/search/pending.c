/* See pending.h. */
#include "search/pending.h"

enum { CANDIDATES = 8 };

void pending_init(Pending *pending, SearchStrategy strategy, uint64_t seed)
{
    *pending = (Pending){.strategy = strategy};
    random_seed(&pending->random, seed);
}

void pending_release(Pending *pending)
{
    for (unsigned i = 0; i < PENDING_LEVELS; i++) vec_release(&pending->levels[i]);
}

void pending_add(Pending *pending, PendingEntry entry, unsigned level)
{
    unsigned at = pending->strategy == SEARCH_AUTO ? level : 0;
    assert(at < PENDING_LEVELS);
    vec_push(&pending->levels[at], entry);
}

/* The shallowest of a few at random. */
static PendingEntry take_random(Pending *pending, unsigned level, unsigned candidates)
{
    uint32_t n = pending->levels[level].len, best = (uint32_t)random_below(&pending->random, n);
    PendingEntry *entries = pending->levels[level].data;
    for (unsigned k = 1; k < candidates; k++) {
        uint32_t other = (uint32_t)random_below(&pending->random, n);
        if (entries[other].depth < entries[best].depth) best = other;
    }
    PendingEntry entry = entries[best];
    entries[best] = vec_top(&pending->levels[level]);
    (void)vec_pop(&pending->levels[level]);
    return entry;
}

static PendingEntry take_first(Pending *pending)
{
    PendingEntry entry = pending->levels[0].data[pending->first++];
    if (pending->first == pending->levels[0].len) {
        pending->first = 0;
        vec_clear(&pending->levels[0]);
    }
    return entry;
}

void pending_take_rare(Pending *pending, PendingEntries *into)
{
    vec_clear(into);
    for (unsigned level = PENDING_RARE; level < PENDING_LEVELS; level++) {
        for (uint32_t i = 0; i < pending->levels[level].len; i++) vec_push(into, pending->levels[level].data[i]);
        vec_clear(&pending->levels[level]);
    }
}

bool pending_pick(Pending *pending, PendingEntry *entry, unsigned *level)
{
    bool oldest = pending->strategy == SEARCH_BFS || pending->strategy == SEARCH_AUTO;
    *level = 0;
    while (*level < PENDING_LEVELS && pending->levels[*level].len == 0) ++*level;
    if (*level == PENDING_LEVELS) return false;
    if (*level == 0 && oldest) *entry = take_first(pending);
    else if (pending->strategy == SEARCH_RANDOM) *entry = take_random(pending, *level, 1);
    else if (*level >= PENDING_RARE && pending->picks++ % 2) *entry = take_random(pending, *level, CANDIDATES);
    else *entry = vec_pop(&pending->levels[*level]);
    return true;
}
