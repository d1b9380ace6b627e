/* Clew's solver against Z3 alone: random conditions, asserted, taken back and asked about as a search over paths does it.
 *
 *   solve [--seed N] [--count N] [--floats] [--log FILE]     N rounds; round i uses seed + i, so that a failure is repeated by its own seed and --count 1
 *
 * In a round one solver, with all tiers or a random choice of them, goes along random paths: a condition is generated, the side that the current model
 * takes is asserted, the other side asked about; sometimes the path goes on under the model found, sometimes back, sometimes the pool is rewound.
 * SAT is believed after evaluating all conditions, UNSAT is refuted by any model of Z3's that evaluation confirms, and by a core that Z3
 * satisfies.  What either does not know is counted, not compared.  A failure is shrunk by leaving out conditions. */
#include "formulas.h"
#include "solve/solve_int.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { STEPS = 24, ORACLE_EFFORT = 200000000, SOLVER_EFFORT = 200000000 };

typedef struct Totals {
    uint64_t checks, answers[3], oracle[3], compared, not_compared, rounds, failed;
    uint64_t answered[SOLVE_TIERS], nanoseconds[SOLVE_TIERS], invalid_models;
} Totals;

typedef struct Round {
    uint64_t seed;
    ExprPool *pool;
    Formulas formulas;
    SolveOptions options;
    Solver *solver;
    Z3 *z3;
    ExprModel *model; /* satisfies all that is asserted */
    Vec(Expr) stack;
    Vec(Expr) query; /* asserted and assumed, as given to Z3 */
    Outcome outcome; /* Z3's */
    Totals *totals;
    bool failed;
} Round;

static uint64_t below(Round *round, uint64_t n)
{
    return random_below(&round->formulas.random, n);
}

/* ---- the oracle ---- */

static int by_id(const void *a, const void *b)
{
    Expr x = *(const Expr *)a, y = *(const Expr *)b;
    return x < y ? -1 : x > y;
}

/* Z3's answer on conditions, ascending and each once; constants decide or drop out. */
static SolveAnswer ask_z3(Round *round, const Expr *conditions, uint32_t count)
{
    Vec(Expr) sorted = {0};
    bool contradiction = false;
    for (uint32_t i = 0; i < count; i++) {
        if (!expr_is_const(round->pool, conditions[i])) vec_push(&sorted, conditions[i]);
        else contradiction |= !expr_value(round->pool, conditions[i]);
    }
    uint32_t distinct = 0;
    if (sorted.len) qsort(sorted.data, sorted.len, sizeof(Expr), by_id);
    for (uint32_t i = 0; i < sorted.len; i++)
        if (!distinct || sorted.data[distinct - 1] != sorted.data[i]) sorted.data[distinct++] = sorted.data[i];
    Query query = {round->pool, sorted.data, distinct, NULL, ORACLE_EFFORT, (uint64_t)1 << 30, 0};
    vec_clear(&round->outcome.values);
    round->outcome.answer = contradiction ? SOLVE_UNSAT : SOLVE_SAT;
    if (!contradiction && distinct) z3_solve(round->z3, &query, &round->outcome);
    vec_release(&sorted);
    return round->outcome.answer;
}

static bool all_hold(ExprModel *model, const Expr *conditions, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!expr_eval(model, conditions[i])) return false;
    return true;
}

/* Has Z3 just given a model that evaluation confirms?  Floats and real functions are abstractions there. */
static bool z3_model_holds(Round *round, const Expr *conditions, uint32_t count)
{
    ExprModel *model = expr_model_new(round->pool);
    for (uint32_t i = 0; i < round->outcome.values.len; i++)
        expr_model_set(model, round->outcome.values.data[i].var, round->outcome.values.data[i].value);
    bool holds = all_hold(model, conditions, count);
    expr_model_free(model);
    return holds;
}

/* ---- failures ---- */

static void print_conditions(const ExprPool *pool, const Expr *conditions, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        StrBuf text = {0};
        expr_print(pool, conditions[i], &text);
        printf("  %.600s\n", text.text);
        strbuf_release(&text);
    }
}

/* Does a new solver with the same options disagree with Z3 on these conditions? */
static bool disagrees(Round *round, const Expr *conditions, uint32_t count)
{
    Error error;
    Solver *solver;
    SolveOptions options = round->options;
    options.log = NULL;
    if (solver_new(&solver, round->pool, &options, &error) != OK) return false;
    SolveAnswer answer = solver_check(solver, conditions, count, NULL), reference = ask_z3(round, conditions, count);
    solver_free(solver);
    if (answer == SOLVE_SAT) return reference == SOLVE_UNSAT;
    return answer == SOLVE_UNSAT && reference == SOLVE_SAT && z3_model_holds(round, conditions, count);
}

static void shrink(Round *round)
{
    Vec(Expr) left = {0};
    for (uint32_t i = 0; i < round->query.len; i++) vec_push(&left, round->query.data[i]);
    bool alone = disagrees(round, left.data, left.len);
    for (uint32_t i = 0; alone && i < left.len;) {
        Expr dropped = left.data[i];
        memmove(left.data + i, left.data + i + 1, (left.len - i - 1) * sizeof(Expr));
        left.len--;
        if (disagrees(round, left.data, left.len)) continue;
        vec_push(&left, 0);
        memmove(left.data + i + 1, left.data + i, (left.len - i - 1) * sizeof(Expr));
        left.data[i++] = dropped;
    }
    printf(alone ? "a new solver fails on these alone:\n" : "only in this sequence of queries:\n");
    print_conditions(round->pool, left.data, left.len);
    vec_release(&left);
}

static void failure(Round *round, const char *what)
{
    printf("seed %llu, tiers %#x, %s:\n", (unsigned long long)round->seed, round->options.tiers, what);
    print_conditions(round->pool, round->query.data, round->query.len);
    shrink(round);
    round->failed = true;
}

/* ---- one check ---- */

/* Is it one of the conditions asked about, or of the conjuncts that these are taken apart into? */
static bool was_asked(Round *round, Expr condition)
{
    Vec(Expr) work = {0};
    bool found = false;
    for (uint32_t i = 0; i < round->query.len; i++) vec_push(&work, round->query.data[i]);
    while (work.len && !found) {
        Expr e = vec_pop(&work);
        found = e == condition;
        bool negated = expr_kind(round->pool, e) == EXPR_NOT;
        Expr inner = negated ? expr_operand(round->pool, e, 0) : e;
        if (expr_kind(round->pool, inner) != (negated ? EXPR_OR : EXPR_AND)) continue;
        for (unsigned i = 0; i < 2; i++) {
            Expr part = expr_operand(round->pool, inner, i);
            vec_push(&work, negated ? expr_not(round->pool, part) : part);
        }
    }
    vec_release(&work);
    return found;
}

static void check_core(Round *round)
{
    uint32_t count;
    const Expr *core = solver_core(round->solver, &count);
    for (uint32_t i = 0; i < count; i++)
        if (!round->failed && !was_asked(round, core[i])) failure(round, "a core with a condition that was not asked about");
    if (!round->failed && ask_z3(round, core, count) == SOLVE_SAT && z3_model_holds(round, core, count))
        failure(round, "a core that has a model");
}

/* Compares an answer about round->query with Z3's; `found` is the model that came with SAT. */
static void compare(Round *round, SolveAnswer answer, ExprModel *found)
{
    Totals *totals = round->totals;
    SolveAnswer reference = ask_z3(round, round->query.data, round->query.len);
    bool confirmed = reference == SOLVE_SAT && z3_model_holds(round, round->query.data, round->query.len);
    totals->checks++;
    totals->answers[answer]++;
    totals->oracle[reference]++;
    if (answer == SOLVE_SAT && !all_hold(found, round->query.data, round->query.len)) failure(round, "a model that is none");
    else if (answer == SOLVE_SAT && reference == SOLVE_UNSAT) failure(round, "SAT, but Z3 proves UNSAT");
    else if (answer == SOLVE_UNSAT && confirmed) failure(round, "UNSAT, but Z3 has a model");
    else if (answer == SOLVE_UNSAT) check_core(round);
    if (answer && reference && (answer == SOLVE_SAT || reference == SOLVE_UNSAT || confirmed)) totals->compared++;
    else totals->not_compared++;
}

/* Asks about the stack and the assumptions; returns the model of SAT, else NULL. */
static ExprModel *check(Round *round, const Expr *assumptions, uint32_t count, ExprModel *start)
{
    vec_clear(&round->query);
    for (uint32_t i = 0; i < round->stack.len; i++) vec_push(&round->query, round->stack.data[i]);
    for (uint32_t i = 0; i < count; i++) vec_push(&round->query, assumptions[i]);
    SolveAnswer answer = solver_check(round->solver, assumptions, count, start);
    ExprModel *found = NULL;
    if (answer == SOLVE_SAT) {
        uint32_t changes;
        const SolveValue *values = solver_changes(round->solver, &changes);
        found = expr_model_copy(start);
        for (uint32_t i = 0; i < changes; i++) expr_model_set(found, values[i].var, values[i].value);
    }
    compare(round, answer, found);
    return found;
}

/* ---- paths ---- */

static void push(Round *round, Expr condition)
{
    solver_assert(round->solver, condition);
    vec_push(&round->stack, condition);
}

static void back(Round *round, uint32_t depth)
{
    solver_return(round->solver, depth);
    round->stack.len = depth;
}

static void follow(Round *round, ExprModel *model)
{
    expr_model_free(round->model);
    round->model = model;
}

/* A branch: asks for the side not taken and either goes there or on. */
static void branch(Round *round)
{
    Expr condition = formulas_next(&round->formulas);
    Expr taken = expr_eval(round->model, condition) ? condition : expr_not(round->pool, condition), other = expr_not(round->pool, taken);
    if (expr_is_const(round->pool, other)) return;
    ExprModel *found = check(round, &other, 1, round->model);
    if (found && !round->failed && below(round, 2)) {
        follow(round, found);
        push(round, other);
        return;
    }
    if (found) expr_model_free(found);
    push(round, taken);
}

/* A question about several conditions at once, which need not be near to what holds now. */
static void question(Round *round)
{
    Expr assumptions[5];
    uint32_t count = 0, wanted = 1 + (uint32_t)below(round, COUNT_OF(assumptions));
    while (count < wanted) assumptions[count++] = formulas_next(&round->formulas);
    ExprModel *found = check(round, assumptions, count, round->model);
    if (found) expr_model_free(found);
}

/* The pool forgets a condition that was asked about only. */
static void rewind_pool(Round *round)
{
    uint32_t mark = expr_pool_count(round->pool);
    Expr recent = round->formulas.recent;
    question(round);
    if (round->failed) return;
    solver_forget(round->solver, mark);
    z3_forget(round->z3, mark);
    expr_pool_rewind(round->pool, mark);
    round->formulas.recent = recent;
}

static void step(Round *round)
{
    switch (below(round, 8)) {
    case 0: question(round); break;
    case 1:
        if (round->stack.len) back(round, (uint32_t)below(round, round->stack.len));
        break;
    case 2: rewind_pool(round); break;
    default: branch(round); break;
    }
}

/* ---- rounds ---- */

static uint32_t random_tiers(Round *round)
{
    uint32_t one = 1u << below(round, SOLVE_TIERS);
    switch (below(round, 4)) {
    case 0: return one;
    case 1: return SOLVE_ALL_TIERS & ~one;
    default: return SOLVE_ALL_TIERS;
    }
}

static void add_statistics(Round *round)
{
    const SolveStats *stats = solver_stats(round->solver);
    for (unsigned i = 0; i < SOLVE_TIERS; i++) {
        round->totals->answered[i] += stats->answered[i];
        round->totals->nanoseconds[i] += stats->nanoseconds[i];
    }
    round->totals->invalid_models += stats->invalid_models;
}

/* The solver ends the process where it finds itself wrong: the seed must be known then, too. */
static char current[64];

static void on_abort(int signal)
{
    (void)signal;
    ssize_t written = write(STDOUT_FILENO, current, strlen(current));
    (void)written;
}

static Status run_round(Totals *totals, uint64_t seed, bool floats, const char *log, Error *error)
{
    Round round = {.seed = seed, .pool = expr_pool_new(), .totals = totals};
    formulas_init(&round.formulas, round.pool, seed);
    round.formulas.floats = floats;
    round.formulas.applies = !below(&round, 4);
    round.options = (SolveOptions){.tiers = random_tiers(&round), .effort = SOLVER_EFFORT, .seed = seed, .log = log};
    Status status = solver_new(&round.solver, round.pool, &round.options, error);
    if (status == OK) {
        round.z3 = z3_new(round.pool, seed, (uint64_t)1 << 30);
        round.model = expr_model_new(round.pool);
        for (unsigned i = 0; i < STEPS && !round.failed; i++) step(&round);
        add_statistics(&round);
        totals->failed += round.failed;
        totals->rounds++;
        expr_model_free(round.model);
        z3_free(round.z3);
        solver_free(round.solver);
    }
    formulas_release(&round.formulas);
    vec_release(&round.stack);
    vec_release(&round.query);
    vec_release(&round.outcome.values);
    vec_release(&round.outcome.core);
    expr_pool_free(round.pool);
    return status;
}

static void print_totals(const Totals *t)
{
    printf("%llu rounds, %llu checks: %llu SAT, %llu UNSAT, %llu unknown; Z3 alone: %llu, %llu, %llu; %llu compared\n",
           (unsigned long long)t->rounds, (unsigned long long)t->checks, (unsigned long long)t->answers[SOLVE_SAT],
           (unsigned long long)t->answers[SOLVE_UNSAT], (unsigned long long)t->answers[SOLVE_UNKNOWN],
           (unsigned long long)t->oracle[SOLVE_SAT], (unsigned long long)t->oracle[SOLVE_UNSAT],
           (unsigned long long)t->oracle[SOLVE_UNKNOWN], (unsigned long long)t->compared);
    for (SolveTier tier = 0; tier < SOLVE_TIERS; tier++)
        printf("  %-8s %8llu answers %10.3f s\n", solve_tier_name(tier), (unsigned long long)t->answered[tier],
               (double)t->nanoseconds[tier] / 1e9);
    printf("%llu models refuted by evaluation, %llu failed\n", (unsigned long long)t->invalid_models, (unsigned long long)t->failed);
}

int main(int argc, char **argv)
{
    uint64_t seed = 1, count = 60;
    bool floats = false;
    const char *log = NULL;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--floats")) floats = true;
        else if (!strcmp(argv[i], "--seed") && i + 1 < argc) seed = strtoull(argv[++i], NULL, 0);
        else if (!strcmp(argv[i], "--count") && i + 1 < argc) count = strtoull(argv[++i], NULL, 0);
        else if (!strcmp(argv[i], "--log") && i + 1 < argc) log = argv[++i];
        else return fprintf(stderr, "usage: solve [--seed N] [--count N] [--floats] [--log FILE]\n"), 2;
    }
    Totals totals = {0};
    Error error;
    signal(SIGABRT, on_abort);
    for (uint64_t i = 0; i < count && totals.failed < 5; i++) {
        snprintf(current, sizeof current, "aborted: seed %llu\n", (unsigned long long)(seed + i));
        if (run_round(&totals, seed + i, floats || (seed + i) % 16 == 15, log, &error) != OK) return fprintf(stderr, "%s\n", error.text), 2;
    }
    print_totals(&totals);
    return totals.failed ? 1 : 0;
}
