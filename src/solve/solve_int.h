/* What the files of solve share: the query that the tiers are given, their outcome, and their entry points.
 *
 * A tier is a decorator in spirit and a function in form: it is given a query and either answers or leaves the outcome UNKNOWN for
 * the next.  Every tier may be switched off; none relies on another one having run.  A model that a tier offers is evaluated
 * before it is believed (solve.c), so a tier may work on an abstraction as long as its UNSAT is exact. */
#ifndef CLEW_SOLVE_INT_H
#define CLEW_SOLVE_INT_H

#include "solve/solve.h"

typedef struct Query {
    ExprPool *pool;
    const Expr *conditions; /* one bit each, ascending, each once, none constant */
    uint32_t count;
    ExprModel *start; /* evaluating is welcome; its variables must not be set */
    uint64_t effort;  /* what the tier may spend, about a nanosecond a unit, counted in work and never measured in time */
    uint64_t memory;  /* bytes it may hold */
    double deadline;  /* on clock_seconds, for what has no other end; 0: none */
} Query;

typedef struct Outcome {
    SolveAnswer answer;
    Vec(SolveValue) values; /* of SAT: variables to change in `start` */
    Vec(Expr) core;         /* of UNSAT: conditions of the query that suffice */
    uint64_t spent;
    const char *reason; /* of UNKNOWN, a constant text; may be NULL */
} Outcome;

/* ---- dag.c: the nodes under some conditions, operands first, as an array ---- */
typedef struct DagNode {
    uint8_t kind;           /* ExprKind */
    uint16_t width, source; /* of the result; of the last operand */
    uint32_t a, b, c;       /* positions of operands.  EXTRACT: b is the low bit.  ARRAY: a is its first entry in `list`, or UINT32_MAX
                               if all elements are constants (then `table` has them), b the count.  STORE: a array, b index, c element.  APPLY: a first
                               entry in `list`, b the count */
    Expr e;
} DagNode;
typedef struct Dag {
    ExprPool *pool;
    DagNode *nodes; /* operands before their users */
    uint32_t count;
    Vec(uint32_t) list;
    Vec(uint32_t) vars;  /* positions of VAR nodes */
    Vec(uint32_t) roots; /* position of each condition */
    uint32_t capacity;
    uint32_t *position, *stamps, stamp, reserved; /* by Expr: its position if its stamp is the current one */
    Vec(Expr) work;
    Map constant_arrays; /* ARRAY -> 1 + whether all its elements are constants */
} Dag;
void dag_init(Dag *dag, ExprPool *pool);
void dag_release(Dag *dag);
/* Fills the dag; false if it has more than `limit` nodes and list entries. */
bool dag_build(Dag *dag, const Expr *conditions, uint32_t count, uint32_t limit);
void dag_forget(Dag *dag); /* the pool is going to be rewound */
/* Value of one node from those of its operands; values[] is by position.  VAR: must have been set before, is returned as it is. */
U128 dag_value(const Dag *dag, uint32_t at, const U128 *values);
/* Number of elements of the array at a position (ARRAY or STORE). */
uint32_t dag_array_length(const Dag *dag, uint32_t at);

/* ---- the tiers ---- */
/* bounds.c: UNSAT with a core, or UNKNOWN. */
typedef struct Bounds Bounds;
Bounds *bounds_new(ExprPool *pool);
void bounds_free(Bounds *bounds);
void bounds_forget(Bounds *bounds, uint32_t count);
void bounds_solve(Bounds *bounds, const Query *query, Outcome *outcome);

/* local.c: SAT or UNKNOWN.  Everything random comes from the seed and the query, not from earlier queries. */
typedef struct Local Local;
Local *local_new(ExprPool *pool, uint64_t seed);
void local_free(Local *local);
void local_forget(Local *local, uint32_t count);
void local_solve(Local *local, const Query *query, Outcome *outcome);

/* descent.c: SAT or UNKNOWN. */
typedef struct Descent Descent;
Descent *descent_new(ExprPool *pool, uint64_t seed);
void descent_free(Descent *descent);
void descent_forget(Descent *descent, uint32_t count);
void descent_solve(Descent *descent, const Query *query, Outcome *outcome);

/* blast.c: all answers.  APPLY and what has no circuit are free variables: its SAT may be refuted, its UNSAT is exact. */
typedef struct Blast Blast;
Blast *blast_new(ExprPool *pool, uint64_t seed);
void blast_free(Blast *blast);
void blast_forget(Blast *blast, uint32_t count);
void blast_solve(Blast *blast, const Query *query, Outcome *outcome);

/* order.c: all answers, or UNKNOWN where something else than the order of values matters; `dag`: of the query. */
void order_solve(const Dag *dag, const Query *query, Outcome *outcome);

/* z3.c: all answers; APPLY are uninterpreted functions. */
typedef struct Z3 Z3;
Z3 *z3_new(ExprPool *pool, uint64_t seed, uint64_t memory);
void z3_free(Z3 *z3);
void z3_forget(Z3 *z3, uint32_t count);
void z3_solve(Z3 *z3, const Query *query, Outcome *outcome);

/* smtlib.c: text for --log-queries and readers of it. */
typedef struct SmtLog SmtLog;
Status smtlog_open(SmtLog **log, ExprPool *pool, const char *path, Error *error);
void smtlog_close(SmtLog *log);
void smtlog_assert(SmtLog *log, Expr condition); /* one more level */
void smtlog_return(SmtLog *log, uint32_t depth); /* back to that many levels */
void smtlog_check(SmtLog *log, const Expr *assumptions, uint32_t count, SolveAnswer answer);
void smtlog_forget(SmtLog *log, uint32_t count);

#endif
