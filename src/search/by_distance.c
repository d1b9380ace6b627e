/* The point from which a branch that is not reached yet is nearest, by the graph of the program (distance.h).  There is a list for each distance.
 * Distances only grow, so an entry whose distance has grown is put where it belongs when it is met. */
#include "search/search_int.h"

#include <stdlib.h>

enum { DISTANCES = 64, FAR = DISTANCES - 1, CHECK_DISTANCE = 1, OTHER_DISTANCE = FAR / 2 };

typedef struct ByDistance {
    Search *search;
    Distances distances;
    uint64_t goals; /* goals_version of the search when the distances were computed: if that differs now, they are computed again */
    Waiting near[DISTANCES];
    uint32_t nearest; /* no list below has an entry */
} ByDistance;

static void *start(Search *search)
{
    ByDistance *self = mem_alloc(sizeof *self);
    self->search = search;
    self->goals = UINT64_MAX;
    distances_init(&self->distances, search->program);
    return self;
}

static unsigned branch_distance(const ByDistance *self, uint32_t branch)
{
    const Search *search = self->search;
    uint32_t first, end, least = FAR;
    search__siblings(search->program, branch, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        if (search->goals.data[i]) return 0;
        uint32_t behind = i == branch ? DISTANCE_NONE : distance_behind(&self->distances, i);
        if (behind < least) least = behind + 1;
    }
    return least < FAR ? least : FAR;
}

/* Of another side to a goal. */
static unsigned distance_of(ByDistance *self, const Point *p)
{
    if (self->goals != self->search->goals_version) distances_update(&self->distances, self->search->goals.data);
    self->goals = self->search->goals_version;
    switch ((ConditionKind)p->kind) {
    case CONDITION_BRANCH: return p->branch == UINT32_MAX ? OTHER_DISTANCE : branch_distance(self, p->branch);
    case CONDITION_CHECK: return CHECK_DISTANCE;
    case CONDITION_ASSUME: return 0;
    default: return OTHER_DISTANCE;
    }
}

static void add(ByDistance *self, PendingEntry entry, unsigned distance)
{
    waiting_add(&self->near[distance], &self->search->tree, entry);
    if (distance < self->nearest) self->nearest = distance;
}

static void note(void *data, const PendingEntry *points, uint32_t count, uint32_t score)
{
    ByDistance *self = data;
    (void)score;
    for (uint32_t i = 0; i < count; i++) add(self, points[i], distance_of(self, &self->search->tree.points.data[points[i].point]));
}

static Proposal propose(void *data, uint64_t work, PendingEntry *point)
{
    ByDistance *self = data;
    (void)work;
    for (;;) {
        while (self->nearest < DISTANCES && waiting_is_empty(&self->near[self->nearest])) self->nearest++;
        if (self->nearest == DISTANCES) return PROPOSES_NOTHING;
        *point = waiting_take_newest(&self->near[self->nearest]);
        if (!tree_is_due(&self->search->tree, *point)) return PROPOSES_POINT;
        unsigned distance = distance_of(self, &self->search->tree.points.data[point->point]);
        if (distance <= self->nearest) return PROPOSES_POINT;
        add(self, *point, distance);
    }
}

static void release(void *data)
{
    ByDistance *self = data;
    for (unsigned i = 0; i < DISTANCES; i++) waiting_release(&self->near[i]);
    distances_release(&self->distances);
    free(self);
}

const Technique technique_nearest = {start, note, propose, release, false};
