/* core: the tiers that reason, from bounds to Z3, one after the other; and mixed solving on top of them.
 *
 * Nothing is remembered here from query to query but what the tiers keep to be fast; caches and slicing are solve.c's. */
#ifndef CLEW_CORE_H
#define CLEW_CORE_H

#include "solve/solve_int.h"

/* What a query contains that decides which tiers are worth a try. */
typedef struct Features {
    bool applies;   /* real functions */
    bool opaque;    /* operations that have no circuit: fmod, long double */
    bool floats;    /* float arithmetic */
    bool nonlinear; /* products and quotients of unknowns, tables at unknown indexes */
    bool merged;    /* a large part of it are choices, as where many paths were made one formula */
} Features;

typedef struct Core {
    ExprPool *pool;
    SolveOptions options;
    SolveStats *stats;
    Bounds *bounds;
    Local *local;
    Descent *descent;
    Blast *blast;
    Z3 *z3, *judge; /* NULL until needed; judge: asked again in builds with asserts, which must not change what is answered */
    Dag dag;
    Vec(U128) values; /* by position in the dag */
    Vec(uint8_t) marks;
    uint64_t merged; /* queries so far */
    SolveTier tier;  /* that gave the last answer */
} Core;

void core_init(Core *core, ExprPool *pool, const SolveOptions *options, SolveStats *stats);
void core_release(Core *core);
void core_forget(Core *core, uint32_t count);
Features core_features(Core *core, const Query *query); /* fills core->dag */
/* Tiers bounds to Z3.  SAT was checked by evaluation. */
void core_solve(Core *core, const Query *query, Features features, Outcome *outcome);
void outcome_release(Outcome *outcome);
/* Z3's word on a set of conditions that a cheaper tier found UNSAT; aborts if they have a model. */
void core_recheck(Core *core, const Query *query);

/* mixed.c: paper 001.  `complex` kinds are the real functions and what has no circuit or, if `nonlinear`, also what the tiers gave up on. */
void mixed_solve(Core *core, const Query *query, bool nonlinear, Outcome *outcome);

#endif
