/* solve: satisfiability of conditions over the inputs, by the cheapest tier that can tell.
 *
 * A Solver holds a stack of asserted conditions that grows and shrinks with the path.  A check asks whether they can all be true together with
 * further assumptions.  SAT comes with a model that was checked by evaluation, real functions included; UNSAT with the conditions that suffice for it;
 * UNKNOWN is an answer of its own: the budget was spent, or real functions stand in the way of a proof.  What is uninitialised (UNDEF)
 * reads as 0, as in evaluation.  Budgets are counted in work, not in time, so answers repeat from run to run. */
#ifndef CLEW_SOLVE_H
#define CLEW_SOLVE_H

#include "base/base.h"
#include "expr/expr.h"

#include <stdatomic.h>

typedef struct Solver Solver;

typedef enum SolveAnswer { SOLVE_UNKNOWN, SOLVE_SAT, SOLVE_UNSAT } SolveAnswer;

typedef enum SolveTier {
#define TIER(NAME, text, help) TIER_##NAME,
#include "solve/tiers.def"
#undef TIER
    SOLVE_TIERS
} SolveTier;
const char *solve_tier_name(SolveTier tier);
#define SOLVE_ALL_TIERS ((1u << SOLVE_TIERS) - 1)

/* Parts of the domain of a real function that are worth trying (CLEW_PARTITION): gives up to `capacity` conditions on the arguments of
 * an application of it, each of one bit, and returns their number. */
typedef uint32_t SolvePartitions(void *data, ExprPool *pool, Expr application, Expr *conditions, uint32_t capacity);

typedef struct SolveOptions {
    uint32_t tiers;       /* bit set; 0: all */
    uint64_t effort;      /* work for one check, about a nanosecond a unit; 0: 2,000,000,000 */
    uint64_t memory;      /* bytes that tiers may hold; 0: 2 GiB */
    double deadline;      /* on clock_seconds: what is being solved then is UNKNOWN; 0: none */
    uint64_t seed;        /* of everything random */
    uint32_t mixed_tries; /* MAX_TRIES of the mixed procedure; 0: 64 */
    bool recheck;         /* ask Z3 again about every UNSAT of a cheaper tier, abort if it has a model (always in debug builds) */
    const char *log;      /* write every query there as SMT-LIB 2; NULL: no */
    SolvePartitions *partitions;
    void *partitions_data;
} SolveOptions;

typedef struct SolveValue { /* a variable and its value */
    Expr var;
    U128 value;
} SolveValue;

typedef struct SolveStats {
    uint64_t checks, sat, unsat, unknown;
    uint64_t answered[SOLVE_TIERS]; /* by the tier that gave the answer; SLICE: nothing was left to ask */
    uint64_t nanoseconds[SOLVE_TIERS], total_nanoseconds;
    uint64_t invalid_models; /* offered by a tier, refuted by evaluation (abstractions do this) */
    uint64_t effort;
} SolveStats;

/* Fails only if the log cannot be written. */
Status solver_new(Solver **solver, ExprPool *pool, const SolveOptions *options, Error *error);
void solver_free(Solver *solver);

/* The stack: asserting adds to it, returning to an earlier depth forgets what came after. */
uint32_t solver_depth(const Solver *solver);
void solver_assert(Solver *solver, Expr condition);
void solver_return(Solver *solver, uint32_t depth);

/* Can the asserted conditions and the assumptions hold together?  `start` is the model to begin from, usually the one the path was run under: where it
 * already satisfies what is independent of the assumptions, only the rest is solved.  It is evaluated, not changed.  NULL: the last one
 * found. */
SolveAnswer solver_check(Solver *solver, const Expr *assumptions, uint32_t count, ExprModel *start);
/* After SAT: what has to change in `start`; all other variables keep their values. */
const SolveValue *solver_changes(const Solver *solver, uint32_t *count);
/* After UNSAT: conditions that cannot hold together: conjuncts of what was asserted or assumed. */
const Expr *solver_core(const Solver *solver, uint32_t *count);
/* After UNKNOWN: why, for people. */
const char *solver_reason(const Solver *solver);

void solver_set_effort(Solver *solver, uint64_t effort); /* for the checks to come */
/* To be called when the pool is rewound, before: forgets all that mentions expressions from `count` on. */
void solver_forget(Solver *solver, uint32_t count);
const SolveStats *solver_stats(const Solver *solver);

#endif
