/* Plain Z3, to compare Clew's solver with: no tiers, no slices, no caches, the settings that Z3 comes with.
 *
 * Conditions are taken in the order given (here they need not ascend), as a program that uses Z3 directly would assert them.  The
 * time counted is that of asserting, checking and reading the model; translating expressions is left out.  Answers are Z3's own: models are not evaluated. */
#ifndef CLEW_SOLVE_REFERENCE_H
#define CLEW_SOLVE_REFERENCE_H

#include "solve/solve_int.h"

/* A new default solver for each query.  After `milliseconds` of one check: UNKNOWN; 0: no limit. */
SolveAnswer z3_reference_fresh(Z3 *z3, const Query *query, unsigned milliseconds, uint64_t *nanoseconds);
/* One default solver for all queries, one level for each condition: what successive queries have in common at their beginning stays asserted. */
SolveAnswer z3_reference_incremental(Z3 *z3, const Query *query, unsigned milliseconds, uint64_t *nanoseconds);

#endif
