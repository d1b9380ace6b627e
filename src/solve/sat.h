/* A SAT solver: clauses stay, assumptions hold for one call.  Literals are ±variable, variables count from 1.  The only user of CaDiCaL. */
#ifndef CLEW_SOLVE_SAT_H
#define CLEW_SOLVE_SAT_H

#include "solve/solve.h"

typedef struct Sat Sat;
Sat *sat_new(void);
void sat_free(Sat *sat);
/* The default phase of a variable is true: the owner chooses signs so that true is the likely value. */
void sat_clause(Sat *sat, const int *literals, uint32_t count);
void sat_assume(Sat *sat, int literal); /* for the next sat_solve */
typedef struct SatLimits {
    uint64_t effort; /* about nanoseconds, counted in decisions and conflicts */
    double deadline; /* on clock_seconds; 0: none */
} SatLimits;
/* UNKNOWN if a limit was reached.  `spent` is added to. */
SolveAnswer sat_solve(Sat *sat, const SatLimits *limits, uint64_t *spent);
bool sat_value(Sat *sat, int literal);  /* after SAT */
bool sat_failed(Sat *sat, int literal); /* after UNSAT: is this assumption part of the reason? */
uint64_t sat_conflicts(const Sat *sat); /* so far */
uint64_t sat_memory(const Sat *sat);    /* an estimate, from what was added and learned */

#endif
