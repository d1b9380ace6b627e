/* What paths did most rarely so far.  Levels: first the checks of the newest path in its order, because those that cannot fail make what follows simpler;
 * then points at branches with an outcome not reached yet, by how often these were tried in vain, newest first; then the others by how rare it is
 * that a path takes the other outcome for the n-th time, and so early, as it would here, so that loops are driven further and counters reached; among
 * equally rare ones at random, with a liking for those near the start of the path, behind which there is more to come. */
#include "search/search_int.h"

#include <stdlib.h>

enum {
    LEVEL_CHECKS,
    LEVEL_NEW,
    LEVEL_RARE = 8,
    LEVELS = LEVEL_RARE + 12,
    CANDIDATES = 8,
    MOST_UNKNOWN = 4, /* then a place has to wait */
    CHASE_RUNS = 64,
    CHASE_SHARE = 8 /* of the entries that a chase has to move */
};

typedef struct ByRarity {
    Search *search;
    Waiting levels[LEVELS];
    PendingEntries moved;
    Random random;
    uint64_t picks, runs; /* proposed; told of */
    uint64_t next_chase, chases;
} ByRarity;

static void *start(Search *search)
{
    ByRarity *self = mem_alloc(sizeof *self);
    self->search = search;
    random_seed(&self->random, search->options.seed);
    search->counts_rarity = true;
    return self;
}

/* ---- how rare something is ---- */

static uint64_t times_key(uint32_t branch, uint32_t times)
{
    return (uint64_t)branch << 32 | times; /* never 0: times is not */
}

static uint64_t taken(const Search *search, uint64_t key)
{
    const uint64_t *count = map_find(&search->taken, key);
    return count ? *count : 0;
}

static uint64_t earliest(const Search *search, uint64_t key)
{
    const uint64_t *depth = map_find(&search->earliest, key);
    return depth ? *depth : UINT64_MAX;
}

/* A path that goes the other way at the point takes the other outcome there for the n-th time, after what it did before.  Returns how often paths did
 * so far whichever of these they did most rarely: a small number says that the path would do something new. */
static uint64_t frequency(Search *search, const Point *p)
{
    uint64_t before = p->rarest ? taken(search, p->rarest) : UINT64_MAX;
    uint64_t here = p->other == UINT32_MAX ? *search__tries_of(search, p) : taken(search, times_key(p->other, p->times));
    if (p->other != UINT32_MAX && p->depth < earliest(search, times_key(p->other, p->times))) here = 0;
    return here < before ? here : before;
}

static unsigned bits_of(uint64_t n, unsigned most)
{
    unsigned bits = n ? 64 - (unsigned)__builtin_clzll(n) : 0;
    return bits < most ? bits : most;
}

static unsigned level_of(Search *search, const Point *p)
{
    if (p->kind == CONDITION_CONCRETE) return LEVELS - 1;
    if (p->other != UINT32_MAX && search->barren.data[p->other] >= MOST_BARREN) return LEVELS - 1;
    if (!search__is_worthwhile(search, p) || (!p->hard && search->unknown.data[p->loc] >= MOST_UNKNOWN))
        return LEVEL_RARE + bits_of(frequency(search, p), LEVELS - LEVEL_RARE - 1);
    if (p->kind == CONDITION_CHECK) return LEVEL_CHECKS;
    return LEVEL_NEW + bits_of(*search__tries_of(search, p), LEVEL_RARE - LEVEL_NEW - 1);
}

/* The path takes a branch once more.  Returns the rarest thing it has done by now; `before` is what that was up to here.  Only what runs of this
 * technique do is counted: others do the same things a thousand times, which makes them no less rare here. */
uint64_t search__count_branch(Search *search, uint32_t branch, uint64_t before)
{
    if (branch == UINT32_MAX) return before;
    uint32_t times = ++search->on_path.data[branch], current = search->schedule.current;
    if (!search->counts_rarity) return 0;
    uint64_t key = times_key(branch, times), count = taken(search, key) + 1, depth = search->path.len;
    bool is_own = current == NOBODY || current == TECHNIQUE_RAREST;
    if (depth < earliest(search, key)) {
        if (is_own) map_put(&search->earliest, key, depth);
        count = 1;
    }
    if (is_own) map_put(&search->taken, key, count);
    return !before || count <= taken(search, before) ? key : before;
}

/* ---- the technique ---- */

static void add(ByRarity *self, PendingEntry entry)
{
    Search *search = self->search;
    waiting_add(&self->levels[level_of(search, &search->tree.points.data[entry.point])], &search->tree, entry);
}

static void note(void *data, const PendingEntry *points, uint32_t count, uint32_t score)
{
    ByRarity *self = data;
    (void)score;
    for (uint32_t i = 0; i < count; i++) add(self, points[i]);
    self->runs++;
}

/* 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 …: Luby, Sinclair and Zuckerman's sequence, the best to try again by when nothing is known of how long
 * a try takes. */
static uint64_t luby(uint64_t i)
{
    uint64_t size = 1;
    while (size < i + 1) size = 2 * size + 1;
    while (size - 1 != i) {
        size = (size - 1) / 2;
        assert(size > 0);
        i = i % size;
    }
    return (size + 1) / 2;
}

/* Where the search gets stuck with what it holds for rare, it helps to see everything as new again, and to go at it in another order. */
static void start_chase(ByRarity *self)
{
    Search *search = self->search;
    if (self->runs < self->next_chase) return;
    map_release(&search->taken);
    map_release(&search->earliest);
    vec_clear(&self->moved);
    for (unsigned level = LEVEL_RARE; level < LEVELS; level++)
        while (!waiting_is_empty(&self->levels[level])) vec_push(&self->moved, waiting_take_newest(&self->levels[level]));
    for (uint32_t i = 0; i < self->moved.len; i++)
        if (tree_is_there(&search->tree, self->moved.data[i])) add(self, self->moved.data[i]);
    self->chases++;
    self->next_chase = self->runs + (CHASE_RUNS + search->path.len) * luby(self->chases) + self->moved.len / CHASE_SHARE;
}

/* The one nearest to the start of a few at random. */
static PendingEntry take_any(ByRarity *self, Waiting *from)
{
    uint32_t n = waiting_count(from), best = (uint32_t)random_below(&self->random, n);
    const PendingEntry *entries = from->entries.data + from->first;
    for (unsigned k = 1; k < CANDIDATES; k++) {
        uint32_t other = (uint32_t)random_below(&self->random, n);
        if (entries[other].depth < entries[best].depth) best = other;
    }
    return waiting_take_at(from, best);
}

/* Its level may have changed since it was put aside: then it is put where it belongs now. */
static Proposal propose(void *data, uint64_t work, PendingEntry *point)
{
    ByRarity *self = data;
    (void)work;
    Search *search = self->search;
    start_chase(self);
    for (unsigned level = 0; level < LEVELS;) {
        Waiting *from = &self->levels[level];
        if (waiting_is_empty(from)) {
            level++;
            continue;
        }
        if (level == LEVEL_CHECKS) *point = waiting_take_oldest(from);
        else if (level >= LEVEL_RARE && self->picks++ % 2) *point = take_any(self, from);
        else *point = waiting_take_newest(from);
        if (!tree_is_due(&search->tree, *point)) return PROPOSES_POINT;
        if (level_of(search, &search->tree.points.data[point->point]) <= level) return PROPOSES_POINT;
        add(self, *point);
    }
    return PROPOSES_NOTHING;
}

static void release(void *data)
{
    ByRarity *self = data;
    for (unsigned i = 0; i < LEVELS; i++) waiting_release(&self->levels[i]);
    vec_release(&self->moved);
    free(self);
}

const Technique technique_rarest = {start, note, propose, release, false};
