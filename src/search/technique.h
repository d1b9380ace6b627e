/* technique: a way to find new branches.  Most are orders in which points of the tree are tried; others have a tree or a prover of their own.
 *
 * Orders share the tree of paths and the machine.  Each proposes one point after the other, out of those that it has been told of; the scheduler
 * (schedule.c) decides whose proposal is tried, and tells the technique of the points that its run has made.  All techniques share what is reached.
 *
 * What one technique does changes nothing in what another would do alone.  A technique that proposes a point which was tried for another one in
 * between is told of the points of that run then, as if it had made the run itself; so each follows its own order, and has for nothing what others
 * paid for.  A technique is added by one file and one line in techniques.def. */
#ifndef CLEW_TECHNIQUE_H
#define CLEW_TECHNIQUE_H

#include "search/tree.h"

typedef struct Search Search;

typedef enum Proposal {
    PROPOSES_NOTHING, /* it knows of nothing to try */
    PROPOSES_POINT,
    HAS_WORKED, /* it has used its slice itself, with a machine or a prover of its own; search_work counts what that took */
} Proposal;

/* What a technique brings nearer to its end: when all paths of a tree are known, the search is complete. */
typedef enum TechniqueTree { COMMON_TREE, OWN_TREE, NO_TREE } TechniqueTree;

typedef struct Technique {
    void *(*start)(Search *search); /* NULL: it has nothing to do in this search */
    /* Tells the technique of the points that a run has made, in the order of the run's path.  `score` is how many branches the run was the first to reach.
     * A point that is to be tried once more is told of alone.  NULL: the technique does not try points. */
    void (*note)(void *self, const PendingEntry *points, uint32_t count, uint32_t score);
    /* The technique names the point that it would try next, or works itself for about `work` units, the rest of its slice.  It forgets a point that it
     * names.  That point may have been tried meanwhile, so the scheduler checks. */
    Proposal (*propose)(void *self, uint64_t work, PendingEntry *point);
    void (*free)(void *self);
    TechniqueTree tree;
} Technique;

enum { MOST_SCORE = 15 /* what is above counts as this */ };

#define TECHNIQUE(NAME, table, text, help) extern const Technique table;
#include "search/techniques.def"
#undef TECHNIQUE

/* A list of points from which those that are gone are thrown out when it has doubled. */
typedef struct Waiting {
    PendingEntries entries;
    uint32_t first; /* those before were taken */
    uint32_t most;  /* then it is swept */
} Waiting;

void waiting_add(Waiting *waiting, const Tree *tree, PendingEntry entry);
static inline bool waiting_is_empty(const Waiting *waiting)
{
    return waiting->first == waiting->entries.len;
}
PendingEntry waiting_take_oldest(Waiting *waiting);
PendingEntry waiting_take_newest(Waiting *waiting);
PendingEntry waiting_take_at(Waiting *waiting, uint32_t i); /* of those that are left; the newest takes its place */
static inline uint32_t waiting_count(const Waiting *waiting)
{
    return waiting->entries.len - waiting->first;
}
void waiting_release(Waiting *waiting);

#endif
