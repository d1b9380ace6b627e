/* pending: points that wait to be tried, in the order of the strategy.
 *
 * Entries may be stale: a point may have been freed, or have nothing left to look for; the caller checks.  For `auto` there are levels: first the checks of the
 * newest path in its order, because those that cannot fail make what follows simpler; then points at branches with an outcome not reached yet, by how often
 * these were tried in vain, newest first; then the others by how rare it is that a path takes the other outcome for the n-th time, and so early, as it would
 * here, so that loops are driven further and counters reached; among equally rare ones at random, with a liking for those near the start of
 * the path, behind which there is more to come. */
#ifndef CLEW_PENDING_H
#define CLEW_PENDING_H

#include "search/search.h"

enum { PENDING_CHECKS, PENDING_NEW, PENDING_RARE = 8, PENDING_LEVELS = PENDING_RARE + 12 };

typedef struct PendingEntry {
    uint32_t point, serial, depth;
} PendingEntry;
typedef Vec(PendingEntry) PendingEntries;

typedef struct Pending {
    SearchStrategy strategy;
    Random random;
    PendingEntries levels[PENDING_LEVELS];
    uint64_t picks;
    uint32_t first; /* of level 0, which is taken oldest first but for dfs and random */
} Pending;

void pending_init(Pending *pending, SearchStrategy strategy, uint64_t seed);
void pending_release(Pending *pending);
void pending_add(Pending *pending, PendingEntry entry, unsigned level); /* the level counts for auto only */
/* Moves all entries of the levels by rarity there, in any order. */
void pending_take_rare(Pending *pending, PendingEntries *into);
bool pending_pick(Pending *pending, PendingEntry *entry, unsigned *level);

#endif
