/* A check from the outside in: take conditions apart, slice, look into the caches, ask the tiers, ask the mixed procedure, remember.
 *
 * Only what the start model does not satisfy, and what depends on it, is solved: the conditions of a path hold under the model it was run under, so a
 * typical check solves one negated condition and its neighbours.  That asserted conditions hold under `start` is evaluated once for
 * each state of the model and stack (`holds_*`), not once per check. */
#include "solve/cache.h"
#include "solve/core.h"
#include "solve/stack.h"

#include <stdlib.h>
#include <time.h>

enum { RECENT_MODELS = 4 };

struct Solver {
    ExprPool *pool;
    SolveOptions options;
    SolveStats stats;
    Stack stack;
    Cache cache;
    Core core;
    SmtLog *log;
    ExprModel *own;                   /* the last model found, for checks without a start */
    ExprModel *recent[RECENT_MODELS]; /* newest first; only the variables of the slice they answered are theirs */
    const ExprModel *holds_in;        /* the first holds_count entries hold in this model as long as it has made holds_changes changes */
    uint64_t holds_changes;
    uint32_t holds_count;
    Exprs questions, core_out;
    Outcome outcome;
    Vec(SolveValue) changes, all; /* all: every variable of the slice */
    const char *reason;
};

const char *solve_tier_name(SolveTier tier)
{
    static const char *const names[] = {
#define TIER(NAME, text, help) text,
#include "solve/tiers.def"
#undef TIER
    };
    REQUIRE(tier < SOLVE_TIERS, "no such tier");
    return names[tier];
}

Status solver_new(Solver **out, ExprPool *pool, const SolveOptions *options, Error *error)
{
    Solver *solver = mem_alloc(sizeof *solver);
    solver->pool = pool;
    solver->options = *options;
    if (!solver->options.tiers) solver->options.tiers = SOLVE_ALL_TIERS;
    if (!solver->options.effort) solver->options.effort = 2000000000;
    if (!solver->options.memory) solver->options.memory = (uint64_t)2 << 30;
    if (!solver->options.mixed_tries) solver->options.mixed_tries = 64;
#ifndef NDEBUG
    solver->options.recheck = true;
#endif
    if (options->log && smtlog_open(&solver->log, pool, options->log, error) != OK) {
        free(solver);
        return FAILED;
    }
    stack_init(&solver->stack, pool);
    core_init(&solver->core, pool, &solver->options, &solver->stats);
    solver->own = expr_model_new(pool);
    for (unsigned i = 0; i < RECENT_MODELS; i++) solver->recent[i] = expr_model_new(pool);
    *out = solver;
    return OK;
}

void solver_free(Solver *solver)
{
    if (!solver) return;
    if (solver->log) smtlog_close(solver->log);
    stack_release(&solver->stack);
    cache_release(&solver->cache);
    core_release(&solver->core);
    expr_model_free(solver->own);
    for (unsigned i = 0; i < RECENT_MODELS; i++) expr_model_free(solver->recent[i]);
    vec_release(&solver->questions);
    vec_release(&solver->core_out);
    vec_release(&solver->changes);
    vec_release(&solver->all);
    outcome_release(&solver->outcome);
    free(solver);
}

/* ---- the stack ---- */

uint32_t solver_depth(const Solver *solver)
{
    return solver->stack.levels.len;
}

void solver_assert(Solver *solver, Expr condition)
{
    REQUIRE(expr_width(solver->pool, condition) == 1, "a condition has one bit");
    stack_assert(&solver->stack, condition);
    if (solver->log) smtlog_assert(solver->log, condition);
}

void solver_return(Solver *solver, uint32_t depth)
{
    stack_return(&solver->stack, depth);
    if (solver->holds_count > solver->stack.entries.len) solver->holds_count = solver->stack.entries.len;
    if (solver->log) smtlog_return(solver->log, depth);
}

void solver_forget(Solver *solver, uint32_t count)
{
    for (uint32_t i = 0; i < solver->stack.entries.len; i++)
        REQUIRE(solver->stack.entries.data[i].condition < count, "an asserted condition is to be forgotten");
    support_forget(&solver->stack.support, count);
    cache_clear(&solver->cache);
    core_forget(&solver->core, count);
    if (solver->log) smtlog_forget(solver->log, count);
}

void solver_set_effort(Solver *solver, uint64_t effort)
{
    solver->options.effort = effort;
}

const SolveStats *solver_stats(const Solver *solver)
{
    return &solver->stats;
}

const SolveValue *solver_changes(const Solver *solver, uint32_t *count)
{
    *count = solver->changes.len;
    return solver->changes.data;
}

const Expr *solver_core(const Solver *solver, uint32_t *count)
{
    *count = solver->core_out.len;
    return solver->core_out.data;
}

const char *solver_reason(const Solver *solver)
{
    return solver->reason ? solver->reason : "the effort for one query was spent";
}

/* ---- the question ---- */

static SolveAnswer unsat_because(Solver *solver, Expr condition)
{
    vec_push(&solver->core_out, condition);
    return SOLVE_UNSAT;
}

static bool is_independent(Solver *solver, Expr condition)
{
    return support_of(&solver->stack.support, condition) == 0;
}

/* A condition that the start model violates becomes a question, unless no variable can change it. */
static SolveAnswer note_violated(Solver *solver, Expr condition)
{
    if (is_independent(solver, condition)) return unsat_because(solver, condition);
    vec_push(&solver->questions, condition);
    return SOLVE_UNKNOWN;
}

static SolveAnswer note_assumptions(Solver *solver, const Expr *assumptions, uint32_t count, ExprModel *start)
{
    vec_clear(&solver->questions);
    for (uint32_t i = 0; i < count; i++) {
        REQUIRE(expr_width(solver->pool, assumptions[i]) == 1, "a condition has one bit");
        stack_conjuncts(solver->pool, assumptions[i], &solver->questions);
    }
    uint32_t given = solver->questions.len, kept = 0;
    bool violated = false;
    for (uint32_t i = 0; i < given; i++) {
        Expr condition = solver->questions.data[i];
        bool holds = expr_eval(start, condition) != 0;
        violated |= !holds;
        if (!is_independent(solver, condition)) solver->questions.data[kept++] = condition;
        else if (!holds) return unsat_because(solver, condition);
    }
    solver->questions.len = kept;
    return violated ? SOLVE_UNKNOWN : SOLVE_SAT;
}

/* Asserted conditions that do not hold under the start model. */
static SolveAnswer note_asserted(Solver *solver, ExprModel *start)
{
    const Stack *stack = &solver->stack;
    uint64_t changes = expr_model_changes(start);
    if (solver->holds_in != start || solver->holds_changes != changes) solver->holds_count = 0;
    uint32_t before = solver->questions.len;
    for (uint32_t i = solver->holds_count; i < stack->entries.len; i++) {
        Expr condition = stack->entries.data[i].condition;
        if (!expr_eval(start, condition) && note_violated(solver, condition) == SOLVE_UNSAT) return SOLVE_UNSAT;
    }
    if (solver->questions.len != before) return SOLVE_UNKNOWN;
    solver->holds_in = start;
    solver->holds_changes = expr_model_changes(start);
    solver->holds_count = stack->entries.len;
    return SOLVE_SAT;
}

/* ---- models ---- */

static void note_change(Solver *solver, ExprModel *start, Expr var, U128 value)
{
    if (expr_model_get(start, var) != value) vec_push(&solver->changes, ((SolveValue){var, value}));
}

/* The model found becomes the newest recent one, and the values of all variables of the slice are listed. */
static void remember_model(Solver *solver, ExprModel *start)
{
    ExprModel *model = solver->recent[RECENT_MODELS - 1];
    for (unsigned i = RECENT_MODELS - 1; i > 0; i--) solver->recent[i] = solver->recent[i - 1];
    solver->recent[0] = model;
    vec_clear(&solver->all);
    for (uint32_t i = 0; i < solver->stack.reach.len; i++) {
        Expr var = expr_var_at(solver->pool, solver->stack.reach.data[i]);
        vec_push(&solver->all, ((SolveValue){var, expr_model_get(start, var)}));
        expr_model_set(model, var, solver->all.data[i].value);
    }
    for (uint32_t i = 0; i < solver->changes.len; i++) expr_model_set(model, solver->changes.data[i].var, solver->changes.data[i].value);
    for (uint32_t i = 0; i < solver->all.len; i++) solver->all.data[i].value = expr_model_get(model, solver->all.data[i].var);
}

static bool satisfies(Solver *solver, ExprModel *model)
{
    const Exprs *slice = &solver->stack.slice;
    for (uint32_t i = slice->len; i-- > 0;)
        if (!expr_eval(model, slice->data[i])) return false;
    return true;
}

static bool try_recent(Solver *solver, ExprModel *start)
{
    for (unsigned i = 0; i < RECENT_MODELS; i++) {
        if (!satisfies(solver, solver->recent[i])) continue;
        for (uint32_t k = 0; k < solver->stack.reach.len; k++) {
            Expr var = expr_var_at(solver->pool, solver->stack.reach.data[k]);
            note_change(solver, start, var, expr_model_get(solver->recent[i], var));
        }
        return true;
    }
    return false;
}

/* ---- tiers ---- */

static bool is_in_slice(const Solver *solver, Expr var)
{
    uint32_t index = expr_var_index(solver->pool, var);
    return index < solver->stack.by_var.len && solver->stack.by_var.data[index].visited == solver->stack.stamp;
}

/* A larger question's model also has values for variables that this one must leave alone. */
static SolveAnswer try_cache(Solver *solver, ExprModel *start)
{
    const SolveValue *values;
    const Expr *core;
    uint32_t value_count, core_count;
    SolveAnswer answer =
        cache_find(&solver->cache, solver->stack.slice.data, solver->stack.slice.len, &values, &value_count, &core, &core_count);
    if (answer == SOLVE_SAT)
        for (uint32_t i = 0; i < value_count; i++)
            if (is_in_slice(solver, values[i].var)) note_change(solver, start, values[i].var, values[i].value);
    if (answer == SOLVE_UNSAT)
        for (uint32_t i = 0; i < core_count; i++) vec_push(&solver->core_out, core[i]);
    if (answer == SOLVE_UNKNOWN && try_recent(solver, start)) answer = SOLVE_SAT;
    return answer;
}

static void take_outcome(Solver *solver, ExprModel *start)
{
    Outcome *outcome = &solver->outcome;
    solver->reason = outcome->reason;
    if (outcome->answer == SOLVE_SAT)
        for (uint32_t i = 0; i < outcome->values.len; i++)
            note_change(solver, start, outcome->values.data[i].var, outcome->values.data[i].value);
    if (outcome->answer != SOLVE_UNSAT) return;
    assert(outcome->core.len > 0);
    for (uint32_t i = 0; i < outcome->core.len; i++) vec_push(&solver->core_out, outcome->core.data[i]);
    exprs_sort(&solver->core_out);
}

static SolveAnswer ask_tiers(Solver *solver, const Query *query)
{
    Outcome *outcome = &solver->outcome;
    Core *core = &solver->core;
    outcome->spent = 0;
    Features features = core_features(core, query);
    core_solve(core, query, features, outcome);
    bool mixed = features.applies || features.opaque || features.nonlinear || features.floats;
    if (outcome->answer == SOLVE_UNKNOWN && mixed && (solver->options.tiers & 1u << TIER_MIXED)) {
        mixed_solve(core, query, !features.applies && !features.opaque, outcome);
        if (outcome->answer != SOLVE_UNKNOWN) core->tier = TIER_MIXED;
    }
    solver->stats.effort += outcome->spent;
    take_outcome(solver, query->start);
    return outcome->answer;
}

static void recheck(Solver *solver, ExprModel *start)
{
    if (!solver->options.recheck || solver->core.tier == TIER_Z3) return;
    Query query = {.pool = solver->pool,
                   .conditions = solver->core_out.data,
                   .count = solver->core_out.len,
                   .start = start,
                   .memory = solver->options.memory,
                   .deadline = solver->options.deadline};
    core_recheck(&solver->core, &query);
}

static SolveAnswer ask(Solver *solver, ExprModel *start)
{
    Stack *stack = &solver->stack;
    bool caching = solver->options.tiers & 1u << TIER_CACHE;
    solver->core.tier = TIER_CACHE;
    SolveAnswer answer = caching ? try_cache(solver, start) : SOLVE_UNKNOWN;
    if (answer != SOLVE_UNKNOWN) return answer;
    Query query = {.pool = solver->pool,
                   .conditions = stack->slice.data,
                   .count = stack->slice.len,
                   .start = start,
                   .effort = solver->options.effort,
                   .memory = solver->options.memory,
                   .deadline = solver->options.deadline};
    answer = ask_tiers(solver, &query);
    if (answer == SOLVE_UNSAT) recheck(solver, start);
    if (!caching || answer == SOLVE_UNKNOWN) return answer;
    if (answer == SOLVE_UNSAT) {
        cache_add_core(&solver->cache, solver->core_out.data, solver->core_out.len);
    } else {
        remember_model(solver, start);
        cache_add_sat(&solver->cache, stack->slice.data, stack->slice.len, solver->all.data, solver->all.len);
    }
    return answer;
}

static SolveAnswer decide(Solver *solver, const Expr *assumptions, uint32_t count, ExprModel *start)
{
    vec_clear(&solver->changes);
    vec_clear(&solver->core_out);
    solver->reason = NULL;
    solver->core.tier = TIER_SLICE;
    SolveAnswer assumed = note_assumptions(solver, assumptions, count, start);
    if (assumed == SOLVE_UNSAT) return SOLVE_UNSAT;
    SolveAnswer asserted = note_asserted(solver, start);
    if (asserted == SOLVE_UNSAT) return SOLVE_UNSAT;
    if (assumed == SOLVE_SAT && asserted == SOLVE_SAT) return SOLVE_SAT;
    stack_slice(&solver->stack, solver->questions.data, solver->questions.len, !(solver->options.tiers & 1u << TIER_SLICE));
    return ask(solver, start);
}

static void count_answer(Solver *solver, SolveAnswer answer)
{
    SolveStats *stats = &solver->stats;
    stats->checks++;
    if (answer == SOLVE_SAT) stats->sat++;
    else if (answer == SOLVE_UNSAT) stats->unsat++;
    else stats->unknown++;
    if (answer != SOLVE_UNKNOWN) stats->answered[solver->core.tier]++;
}

SolveAnswer solver_check(Solver *solver, const Expr *assumptions, uint32_t count, ExprModel *start)
{
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    ExprModel *model = start ? start : solver->own;
    SolveAnswer answer = decide(solver, assumptions, count, model);
    if (answer == SOLVE_SAT && !start)
        for (uint32_t i = 0; i < solver->changes.len; i++)
            expr_model_set(solver->own, solver->changes.data[i].var, solver->changes.data[i].value);
    clock_gettime(CLOCK_MONOTONIC, &to);
    solver->stats.total_nanoseconds += (uint64_t)(to.tv_sec - from.tv_sec) * 1000000000u + (uint64_t)to.tv_nsec - (uint64_t)from.tv_nsec;
    count_answer(solver, answer);
    if (solver->log) smtlog_check(solver->log, assumptions, count, answer);
    return answer;
}
