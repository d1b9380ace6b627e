/* How rare is what a path would do that goes another way at a point?  See pending.h. */
#include "search/search_int.h"

enum {
    MOST_UNKNOWN = 4, /* then a place has to wait */
    CHASE_RUNS = 64,
    CHASE_SHARE = 8 /* of the entries that a chase has to move */
};

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

/* How often paths did the rarest thing that one would do that goes the other way here: the other outcome for the n-th time, or
 * something before it. */
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

unsigned search__level_of(Search *search, const Point *p)
{
    if (p->kind == CONDITION_CONCRETE) return PENDING_LEVELS - 1;
    if (p->other != UINT32_MAX && search->barren.data[p->other] >= MOST_BARREN) return PENDING_LEVELS - 1;
    if (!search__is_worthwhile(search, p) || search->unknown.data[p->loc] >= MOST_UNKNOWN)
        return PENDING_RARE + bits_of(frequency(search, p), PENDING_LEVELS - PENDING_RARE - 1);
    if (p->kind == CONDITION_CHECK) return PENDING_CHECKS;
    return PENDING_NEW + bits_of(*search__tries_of(search, p), PENDING_RARE - PENDING_NEW - 1);
}

void search__note_other(Search *search, Point *p)
{
    uint32_t first, end;
    if (p->branch == UINT32_MAX) return;
    search__siblings(search->program, p->branch, &first, &end);
    search->depends.data[first] = 1;
    if (search->program->branches[p->branch].outcome >= OUTCOME_CASE) return;
    p->other = first == p->branch ? first + 1 : first;
    p->times = search->on_path.data[p->other] + 1;
}

/* The path takes a branch once more.  Returns the rarest thing it has done by now; `before` is what that was up to here.  Only `auto` asks. */
uint64_t search__count_branch(Search *search, uint32_t branch, uint64_t before)
{
    if (branch == UINT32_MAX) return before;
    uint32_t times = ++search->on_path.data[branch];
    if (!pending_uses(&search->pending, ORDER_RARE)) return 0;
    uint64_t key = times_key(branch, times), count = taken(search, key) + 1, depth = search->path.len;
    if (depth < earliest(search, key)) {
        map_put(&search->earliest, key, depth);
        count = 1;
    }
    map_put(&search->taken, key, count);
    return !before || count <= taken(search, before) ? key : before;
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
void search__start_chase(Search *search)
{
    if (!pending_uses(&search->pending, ORDER_RARE) || search->stats.runs < search->next_chase) return;
    map_release(&search->taken);
    map_release(&search->earliest);
    pending_take_rare(&search->pending, &search->moved);
    for (uint32_t i = 0; i < search->moved.len; i++) {
        PendingEntry entry = search->moved.data[i];
        if (tree_is_due(&search->tree, entry))
            pending_add_rare(&search->pending, entry, search__level_of(search, &search->tree.points.data[entry.point]));
    }
    search->chases++;
    search->next_chase = search->stats.runs + (CHASE_RUNS + search->path.len) * luby(search->chases) + search->moved.len / CHASE_SHARE;
}
