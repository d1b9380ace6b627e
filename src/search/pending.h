/* pending: the points that wait to be tried, in several orders at once.
 *
 * Every order that is in use holds an entry for each waiting point.  A point that was tried by way of one order stays behind in the
 * others as a stale entry, which is skipped when it is met, and swept out with all others of its kind when they are the larger part.
 *
 * RARE is the heart of `auto`.  It has levels: first the checks of the newest path in its order, because those that cannot fail make
 * what follows simpler; then points at branches with an outcome not reached yet, by how often these were tried in vain, newest first;
 * then the others by how rare it is that a path takes the other outcome for the n-th time, and so early, as it would here, so that
 * loops are driven further and counters reached; among equally rare ones at random, with a liking for those near the start of the
 * path, behind which there is more to come.  GENERATIONS follows P. Godefroid, M. Levin and D. Molnar, Automated Whitebox Fuzz Testing
 * (NDSS 2008): runs are scored by the branches they were the first to reach, and all points of the best run are tried before those of
 * the next.  NEAREST keeps a list for each distance to a branch not reached yet (distance.h).  Distances only grow, so an entry whose
 * distance has grown is put where it belongs when it is met. */
#ifndef CLEW_PENDING_H
#define CLEW_PENDING_H

#include "search/search.h"
#include "search/tree.h"

typedef enum Order { ORDER_RARE, ORDER_NEWEST, ORDER_OLDEST, ORDER_RANDOM, ORDER_GENERATIONS, ORDER_NEAREST, ORDERS } Order;

enum {
    PENDING_CHECKS,
    PENDING_NEW,
    PENDING_RARE = 8,
    PENDING_LEVELS = PENDING_RARE + 12,
    PENDING_SCORES = 16,
    PENDING_DISTANCES = 64,
    PENDING_FAR = PENDING_DISTANCES - 1
};

typedef struct Pending {
    const Tree *tree;
    uint32_t orders; /* bit set of those in use */
    Random random;
    PendingEntries rare[PENDING_LEVELS];
    uint64_t picks;
    uint32_t first;      /* of level 0, which is taken oldest first */
    PendingEntries list; /* of NEWEST, OLDEST and RANDOM */
    uint32_t oldest;     /* of OLDEST: the first one in it */
    struct {
        PendingEntries entries; /* of one run after the other */
        Vec(uint32_t) runs;     /* how many entries each has */
    } scored[PENDING_SCORES];
    PendingEntries generation; /* the run whose points are being tried … */
    uint32_t next;             /* … from here on */
    PendingEntries near[PENDING_DISTANCES];
    uint32_t nearest; /* no list below has an entry */
    uint64_t entries; /* in all orders */
} Pending;

void pending_init(Pending *pending, const Tree *tree, SearchStrategy strategy, uint64_t seed);
void pending_release(Pending *pending);
static inline bool pending_uses(const Pending *pending, Order order)
{
    return pending->orders >> order & 1;
}
/* To one order. */
void pending_add_rare(Pending *pending, PendingEntry entry, unsigned level);
void pending_add_listed(Pending *pending, PendingEntry entry);
void pending_add_near(Pending *pending, PendingEntry entry, unsigned distance);
void pending_add_run(Pending *pending, const PendingEntry *entries, uint32_t count, uint32_t score); /* the points of one run */
/* Moves all entries of the levels by rarity there, in any order. */
void pending_take_rare(Pending *pending, PendingEntries *into);
/* Does something wait that comes before all rarity? */
bool pending_is_urgent(Pending *pending);
/* Takes out the next one; *level: its level or distance.  False: nothing waits. */
bool pending_pick(Pending *pending, Order order, PendingEntry *entry, unsigned *level);

#endif
