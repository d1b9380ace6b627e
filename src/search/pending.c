/* See pending.h. */
#include "search/pending.h"

enum { CANDIDATES = 8, SWEEP_SHARE = 2, SWEEP_LEAST = 16384 };

static uint32_t orders_of(SearchStrategy strategy)
{
    switch (strategy) {
    case SEARCH_DFS: return 1u << ORDER_NEWEST;
    case SEARCH_BFS: return 1u << ORDER_OLDEST;
    case SEARCH_RANDOM: return 1u << ORDER_RANDOM;
    case SEARCH_GENERATIONAL: return 1u << ORDER_GENERATIONS;
    case SEARCH_CFG: return 1u << ORDER_NEAREST;
    default: return 1u << ORDER_RARE | 1u << ORDER_NEWEST | 1u << ORDER_GENERATIONS | 1u << ORDER_NEAREST;
    }
}

void pending_init(Pending *pending, const Tree *tree, SearchStrategy strategy, uint64_t seed)
{
    *pending = (Pending){.tree = tree, .orders = orders_of(strategy)};
    random_seed(&pending->random, seed);
}

void pending_release(Pending *pending)
{
    for (unsigned i = 0; i < PENDING_LEVELS; i++) vec_release(&pending->rare[i]);
    for (unsigned i = 0; i < PENDING_DISTANCES; i++) vec_release(&pending->near[i]);
    for (unsigned i = 0; i < PENDING_SCORES; i++) {
        vec_release(&pending->scored[i].entries);
        vec_release(&pending->scored[i].runs);
    }
    vec_release(&pending->list);
    vec_release(&pending->generation);
}

/* ---- sweeping ---- */

/* Leaves out the stale ones of `count` entries; returns how many stay. */
static uint32_t keep_due(const Pending *pending, PendingEntry *to, const PendingEntry *from, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (tree_is_due(pending->tree, from[i])) to[kept++] = from[i];
    return kept;
}

static void sweep_entries(Pending *pending, PendingEntries *entries, uint32_t *first)
{
    uint32_t from = first ? *first : 0;
    uint32_t kept = entries->len ? keep_due(pending, entries->data, entries->data + from, entries->len - from) : 0;
    entries->len = kept;
    if (first) *first = 0;
    pending->entries += kept;
}

static void sweep_runs(Pending *pending, unsigned score)
{
    PendingEntries *entries = &pending->scored[score].entries;
    uint32_t from = 0, kept = 0, runs = 0;
    for (uint32_t i = 0; i < pending->scored[score].runs.len; i++) {
        uint32_t count = pending->scored[score].runs.data[i], stay = keep_due(pending, entries->data + kept, entries->data + from, count);
        from += count;
        kept += stay;
        if (stay) pending->scored[score].runs.data[runs++] = stay;
    }
    entries->len = kept;
    pending->scored[score].runs.len = runs;
    pending->entries += kept;
}

/* Stale entries of all orders are thrown out when they are most of what there is. */
static void sweep(Pending *pending)
{
    uint64_t due = (uint64_t)pending->tree->pending * (unsigned)__builtin_popcount(pending->orders);
    if (pending->entries < SWEEP_LEAST || pending->entries < SWEEP_SHARE * due) return;
    pending->entries = 0;
    for (unsigned i = 0; i < PENDING_LEVELS; i++) sweep_entries(pending, &pending->rare[i], i == 0 ? &pending->first : NULL);
    for (unsigned i = 0; i < PENDING_DISTANCES; i++) sweep_entries(pending, &pending->near[i], NULL);
    for (unsigned i = 0; i < PENDING_SCORES; i++) sweep_runs(pending, i);
    sweep_entries(pending, &pending->list, &pending->oldest);
    sweep_entries(pending, &pending->generation, &pending->next);
}

/* ---- adding ---- */

static void add(Pending *pending, PendingEntries *entries, PendingEntry entry)
{
    vec_push(entries, entry);
    pending->entries++;
}

void pending_add_rare(Pending *pending, PendingEntry entry, unsigned level)
{
    assert(level < PENDING_LEVELS);
    add(pending, &pending->rare[level], entry);
}

void pending_add_listed(Pending *pending, PendingEntry entry)
{
    add(pending, &pending->list, entry);
}

void pending_add_near(Pending *pending, PendingEntry entry, unsigned distance)
{
    unsigned at = distance < PENDING_FAR ? distance : PENDING_FAR;
    add(pending, &pending->near[at], entry);
    if (at < pending->nearest) pending->nearest = at;
}

void pending_add_run(Pending *pending, const PendingEntry *entries, uint32_t count, uint32_t score)
{
    unsigned at = score < PENDING_SCORES ? score : PENDING_SCORES - 1;
    if (count == 0) return;
    for (uint32_t i = 0; i < count; i++) add(pending, &pending->scored[at].entries, entries[i]);
    vec_push(&pending->scored[at].runs, count);
}

void pending_take_rare(Pending *pending, PendingEntries *into)
{
    vec_clear(into);
    for (unsigned level = PENDING_RARE; level < PENDING_LEVELS; level++) {
        for (uint32_t i = 0; i < pending->rare[level].len; i++) vec_push(into, pending->rare[level].data[i]);
        pending->entries -= pending->rare[level].len;
        vec_clear(&pending->rare[level]);
    }
}

/* ---- picking: each of these takes out some entry, stale or not ---- */

/* The shallowest of a few at random. */
static PendingEntry take_random(Pending *pending, PendingEntries *from, unsigned candidates)
{
    uint32_t n = from->len, best = (uint32_t)random_below(&pending->random, n);
    for (unsigned k = 1; k < candidates; k++) {
        uint32_t other = (uint32_t)random_below(&pending->random, n);
        if (from->data[other].depth < from->data[best].depth) best = other;
    }
    PendingEntry entry = from->data[best];
    from->data[best] = vec_top(from);
    (void)vec_pop(from);
    return entry;
}

static PendingEntry take_first(PendingEntries *from, uint32_t *first)
{
    PendingEntry entry = from->data[(*first)++];
    if (*first == from->len) {
        *first = 0;
        vec_clear(from);
    }
    return entry;
}

static bool take_rare(Pending *pending, PendingEntry *entry, unsigned *level)
{
    while (*level < PENDING_LEVELS && pending->rare[*level].len == 0) ++*level;
    if (*level == PENDING_LEVELS) return false;
    if (*level == 0) *entry = take_first(&pending->rare[0], &pending->first);
    else if (*level >= PENDING_RARE && pending->picks++ % 2) *entry = take_random(pending, &pending->rare[*level], CANDIDATES);
    else *entry = vec_pop(&pending->rare[*level]);
    return true;
}

static bool take_nearest(Pending *pending, PendingEntry *entry, unsigned *level)
{
    while (pending->nearest < PENDING_DISTANCES && pending->near[pending->nearest].len == 0) pending->nearest++;
    if (pending->nearest == PENDING_DISTANCES) return false;
    *level = pending->nearest;
    *entry = vec_pop(&pending->near[*level]);
    return true;
}

/* The best run's points, in the order of its path; of equally good runs the newest. */
static bool start_generation(Pending *pending)
{
    unsigned score = PENDING_SCORES;
    while (score > 0 && pending->scored[score - 1].runs.len == 0) score--;
    if (score == 0) return false;
    PendingEntries *entries = &pending->scored[score - 1].entries;
    uint32_t count = vec_pop(&pending->scored[score - 1].runs);
    vec_clear(&pending->generation);
    pending->next = 0;
    for (uint32_t i = entries->len - count; i < entries->len; i++) vec_push(&pending->generation, entries->data[i]);
    entries->len -= count;
    return true;
}

static bool take_generation(Pending *pending, PendingEntry *entry)
{
    if (pending->generation.len == 0 && !start_generation(pending)) return false;
    *entry = take_first(&pending->generation, &pending->next);
    return true;
}

static bool take_listed(Pending *pending, Order order, PendingEntry *entry)
{
    if (pending->list.len == 0) return false;
    if (order == ORDER_OLDEST) *entry = take_first(&pending->list, &pending->oldest);
    else if (order == ORDER_RANDOM) *entry = take_random(pending, &pending->list, 1);
    else *entry = vec_pop(&pending->list);
    return true;
}

static bool take(Pending *pending, Order order, PendingEntry *entry, unsigned *level)
{
    switch (order) {
    case ORDER_RARE: return take_rare(pending, entry, level);
    case ORDER_GENERATIONS: return take_generation(pending, entry);
    case ORDER_NEAREST: return take_nearest(pending, entry, level);
    default: return take_listed(pending, order, entry);
    }
}

bool pending_pick(Pending *pending, Order order, PendingEntry *entry, unsigned *level)
{
    assert(pending_uses(pending, order));
    sweep(pending);
    *level = 0;
    while (take(pending, order, entry, level)) {
        pending->entries--;
        if (tree_is_due(pending->tree, *entry)) return true;
    }
    return false;
}

bool pending_is_urgent(Pending *pending)
{
    while (pending->rare[0].len && !tree_is_due(pending->tree, pending->rare[0].data[pending->first])) {
        (void)take_first(&pending->rare[0], &pending->first);
        pending->entries--;
    }
    if (pending->rare[0].len) return true;
    for (unsigned level = 1; level < PENDING_RARE; level++) {
        PendingEntries *entries = &pending->rare[level];
        while (entries->len && !tree_is_due(pending->tree, vec_top(entries))) {
            (void)vec_pop(entries);
            pending->entries--;
        }
        if (entries->len) return true;
    }
    return false;
}
