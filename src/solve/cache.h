/* cache: answers to earlier queries, and what follows from them.
 *
 * A query is a sorted list of conditions.  An equal one has the same answer.  One that contains an UNSAT core is UNSAT; one that is contained
 * in a satisfiable one has that one's model.  When the cache is full it is emptied: what matters is recent. */
#ifndef CLEW_CACHE_H
#define CLEW_CACHE_H

#include "solve/solve_int.h"

typedef struct CacheEntry {
    uint32_t first, count;        /* conditions */
    uint32_t values, value_count; /* of SAT */
    uint32_t next;                /* the same hash (SAT), or the same last condition (UNSAT cores); 0: none */
    bool sat;
} CacheEntry;

typedef struct Cache {
    Vec(Expr) conditions;
    Vec(SolveValue) values;
    Vec(CacheEntry) entries; /* [0] is none */
    Map exact;               /* hash of a satisfiable list -> entry */
    Map cores;               /* last condition of a core -> newest such entry */
    Map recent;              /* condition -> the two newest satisfiable entries with it */
} Cache;

void cache_release(Cache *cache);
void cache_clear(Cache *cache);
/* SAT: *values are those of some satisfiable superset; UNSAT: the core is appended to `core`. */
SolveAnswer cache_find(const Cache *cache, const Expr *conditions, uint32_t count, const SolveValue **values, uint32_t *value_count,
                       const Expr **core, uint32_t *core_count);
void cache_add_sat(Cache *cache, const Expr *conditions, uint32_t count, const SolveValue *values, uint32_t value_count);
void cache_add_core(Cache *cache, const Expr *core, uint32_t count);

#endif
