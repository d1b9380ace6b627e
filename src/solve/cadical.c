/* CaDiCaL behind sat.h.
 *
 * Queries are many and small, so what CaDiCaL does at every call besides searching is switched off.  Effort is counted in what its
 * interface lets one see: the terminator is asked once for so many rounds of propagation, the learner once for every conflict. */
#include "solve/sat.h"

#include <ccadical.h>
#include <stdlib.h>

struct Sat {
    CCaDiCaL *cadical;
    uint64_t literals, clauses, learned; /* added; learned: literals */
    uint64_t conflicts;
    uint64_t used; /* effort in the present call */
    SatLimits limits;
    uint32_t questions; /* to the terminator, since the clock was read */
    uint32_t variables;
};

enum {
    ROUND_COST = 400,     /* of so many propagations as lie between two questions to the terminator */
    CONFLICT_COST = 8000, /* of a conflict, besides what grows with the formula */
    CALL_COST = 5000,
    VARIABLE_COST = 100, /* of a call: all are assigned */
    LITERAL_BYTES = 40,
    VARIABLE_BYTES = 400,
    LONGEST_LEARNED = 1 << 20,
    CLOCK_QUESTIONS = 1024
};

static uint64_t conflict_cost(const Sat *sat)
{
    return CONFLICT_COST + sat->clauses * 2;
}

static bool is_late(Sat *sat)
{
    if (sat->limits.deadline <= 0 || ++sat->questions < CLOCK_QUESTIONS) return false;
    sat->questions = 0;
    if (clock_seconds() < sat->limits.deadline) return false;
    sat->limits.effort = 0;
    return true;
}

static int out_of_effort(void *data)
{
    Sat *sat = data;
    sat->used += ROUND_COST;
    return sat->used > sat->limits.effort || is_late(sat);
}

static void learned(void *data, int *clause)
{
    Sat *sat = data;
    while (*clause++) sat->learned++;
    sat->conflicts++;
    sat->used += conflict_cost(sat);
}

Sat *sat_new(void)
{
    static const struct {
        const char *name;
        int value;
    } options[] = {{"quiet", 1}, {"profile", 0}, {"lucky", 0}, {"elim", 0}, {"subsume", 0}, {"probe", 0}, {"vivify", 0}, {"chrono", 0}};
    Sat *sat = mem_alloc(sizeof *sat);
    sat->cadical = ccadical_init();
    for (size_t i = 0; i < COUNT_OF(options); i++) ccadical_set_option(sat->cadical, options[i].name, options[i].value);
    ccadical_set_terminate(sat->cadical, sat, out_of_effort);
    ccadical_set_learn(sat->cadical, sat, LONGEST_LEARNED, learned);
    return sat;
}

void sat_free(Sat *sat)
{
    if (!sat) return;
    ccadical_release(sat->cadical);
    free(sat);
}

void sat_clause(Sat *sat, const int *literals, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        assert(literals[i]);
        uint32_t variable = (uint32_t)abs(literals[i]);
        if (variable > sat->variables) sat->variables = variable;
        ccadical_add(sat->cadical, literals[i]);
    }
    ccadical_add(sat->cadical, 0);
    sat->clauses++;
    sat->literals += count;
}

void sat_assume(Sat *sat, int literal)
{
    ccadical_assume(sat->cadical, literal);
}

SolveAnswer sat_solve(Sat *sat, const SatLimits *limits, uint64_t *spent)
{
    sat->used = CALL_COST + (uint64_t)sat->variables * VARIABLE_COST;
    sat->limits = *limits;
    uint64_t conflicts = limits->effort / conflict_cost(sat) + 1;
    ccadical_limit(sat->cadical, "conflicts", conflicts > INT32_MAX ? INT32_MAX : (int)conflicts);
    int result = ccadical_solve(sat->cadical);
    *spent += sat->used;
    return result == 10 ? SOLVE_SAT : result == 20 ? SOLVE_UNSAT : SOLVE_UNKNOWN;
}

bool sat_value(Sat *sat, int literal)
{
    return ccadical_val(sat->cadical, literal) > 0;
}

bool sat_failed(Sat *sat, int literal)
{
    return ccadical_failed(sat->cadical, literal);
}

uint64_t sat_conflicts(const Sat *sat)
{
    return sat->conflicts;
}

uint64_t sat_memory(const Sat *sat)
{
    return (sat->literals + sat->learned) * LITERAL_BYTES + (uint64_t)sat->variables * VARIABLE_BYTES;
}
