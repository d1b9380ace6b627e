/* peers: several searches of the same program, in processes of their own, that divide what is pending.
 *
 * Each has a tree of its own.  The first begins with a run; the others begin idle.  A search that has nothing pending is idle, and one that has enough gives it
 * a run: it goes another way at a point, sends the inputs of that run, and leaves all points that the run has made to the idle one.  So no two searches ever
 * work on the same point, and when all are idle everything is explored. */
#ifndef CLEW_SEARCH_PEERS_H
#define CLEW_SEARCH_PEERS_H

#include "base/base.h"

typedef struct Peers Peers;

enum { MOST_PEERS = 64 };

/* Before the processes are started.  NULL: there are not enough descriptors. */
Peers *peers_new(uint32_t count);
void peers_free(Peers *peers);                     /* in the process that has made them */
void peers_set_gone(Peers *peers, uint32_t which); /* its process has ended: it has nothing pending, and is given nothing */

/* ---- in the processes; `self` is which of the searches it is ---- */
void peers_set_idle(Peers *peers, uint32_t self);
bool peers_are_all_idle(const Peers *peers);
bool peers_is_one_idle(const Peers *peers);
/* Gives an idle search the inputs of a run, whose points behind the first `depth` conditions are its own from now on.  False: none is idle any more. */
bool peers_give(Peers *peers, const U128 *inputs, uint32_t count, uint32_t depth);
typedef struct PeersRun {
    Vec(U128) inputs;
    uint32_t depth;
} PeersRun;
/* Is a run given to this search, which has said that it is idle?  With `waits` a moment is waited for one. */
bool peers_take(Peers *peers, uint32_t self, bool waits, PeersRun *run);

#endif
