/* Mixed concrete-symbolic solving: C. Pasareanu, N. Rungta, W. Visser, "Symbolic Execution with Mixed Concrete-Symbolic Solving", ISSTA 2011,
 * section 3.
 *
 * The conditions are split into simplePC, which the tiers can solve, and complexPC, which contains real functions.  A solution of
 * simplePC gives the functions' arguments; they are run; their results and equalities on the argument values used (extraPC, without
 * which the answer would be unsound, section 3.2) are put back; and all is solved again.  If that fails, another solution of
 * simplePC is tried (MAX_TRIES times): one that differs from those tried (incremental, 3.3), one in a part of the domain the user
 * named (partitions, 3.4), one with random values for inputs that simplePC leaves free (3.5), and first of all one that keeps the last
 * solution's values (residual solving, 3.6).
 *
 * Where this goes beyond the paper: equalities are put on the functions' argument expressions, not on the inputs below them, so the inputs stay free where
 * the argument leaves them so; nothing is substituted, because a real function is a free variable to the tiers and an equality fixes it;
 * constants of the query and small numbers serve as partitions nobody had to write; the neighbours of a solution are tried by running the functions
 * alone, which is cheap; and when simplePC has no solution left
 * that was not tried and refuted, the answer is UNSAT, not "unknown".
 *
 * The same procedure takes products, quotients and tables (`nonlinear`) for real functions when the tiers gave up on them. */
#include "base/arith.h"
#include "solve/core.h"
#include "solve/stack.h"

#include <stdlib.h>

enum { MAX_PARTITIONS = 64, MAX_CANDIDATES = 64, TRY_EFFORT_SHARE = 16, SCAN_STEPS = 512, SAMPLE_NODE_COST = 10, SAMPLE_CALL_COST = 200 };

typedef struct Mixed {
    Core *core;
    const Query *query;
    Dag dag;
    ExprModel *model; /* the solution that the functions are run on */
    Random random;
    bool nonlinear;
    Vec(uint32_t) complex;   /* positions of complex nodes, operands first */
    Vec(uint8_t) is_complex; /* by position: contains a complex node */
    Exprs simple;            /* simplePC and what was added to it */
    uint32_t simple_count;   /* of simplePC itself */
    Exprs extra;             /* extraPC of the present try, and results */
    Exprs arguments;         /* of complex nodes, not constant */
    Exprs work;
    Exprs partitions;
    Vec(U128) candidates; /* constants of the query */
    Map constrained;      /* variables in simplePC */
    bool exact;           /* every solution tried so far was refuted, not given up */
    Outcome outcome;
    uint64_t spent;
} Mixed;

/* ---- splitting ---- */

static bool is_unknown(const Dag *dag, uint32_t at)
{
    return dag->nodes[at].kind != EXPR_CONST;
}

static bool is_complex_kind(const Mixed *mixed, const DagNode *node)
{
    const Dag *dag = &mixed->dag;
    switch ((ExprKind)node->kind) {
    case EXPR_APPLY:
    case EXPR_FREM: return true;
    case EXPR_FADD:
    case EXPR_FSUB:
    case EXPR_FMUL:
    case EXPR_FDIV:
    case EXPR_FSQRT:
    case EXPR_FCONVERT:
    case EXPR_FTOSI:
    case EXPR_FTOUI:
    case EXPR_SITOF:
    case EXPR_UITOF: return mixed->nonlinear || node->width == 80 || node->source == 80;
    case EXPR_MUL:
    case EXPR_UDIV:
    case EXPR_SDIV:
    case EXPR_UREM:
    case EXPR_SREM: return mixed->nonlinear && is_unknown(dag, node->a) && is_unknown(dag, node->b);
    case EXPR_SELECT: return mixed->nonlinear && is_unknown(dag, node->b) && dag_array_length(dag, node->a) > 256;
    default: return false;
    }
}

static bool operand_complex(const Mixed *mixed, const DagNode *node)
{
    const uint8_t *marks = mixed->is_complex.data;
    const uint32_t at[] = {node->a, node->b, node->c};
    for (unsigned i = 0; i < expr_operand_count((ExprKind)node->kind); i++)
        if (marks[at[i]]) return true;
    if ((node->kind != EXPR_ARRAY && node->kind != EXPR_APPLY) || node->a == UINT32_MAX) return false;
    for (uint32_t i = 0; i < node->b; i++)
        if (marks[mixed->dag.list.data[node->a + i]]) return true;
    return false;
}

static void note_argument(Mixed *mixed, Expr e)
{
    if (expr_is_const(mixed->core->pool, e)) return;
    for (uint32_t i = 0; i < mixed->arguments.len; i++)
        if (mixed->arguments.data[i] == e) return;
    vec_push(&mixed->arguments, e);
}

static void note_arguments(Mixed *mixed, const DagNode *node)
{
    const Dag *dag = &mixed->dag;
    if (node->kind == EXPR_APPLY) {
        for (uint32_t i = 0; i < node->b; i++) note_argument(mixed, dag->nodes[dag->list.data[node->a + i]].e);
    } else if (node->kind == EXPR_SELECT) {
        note_argument(mixed, dag->nodes[node->b].e);
    } else {
        note_argument(mixed, dag->nodes[node->a].e);
        if (node->source && node->kind != EXPR_FSQRT && node->kind != EXPR_FCONVERT && node->kind != EXPR_FTOSI &&
            node->kind != EXPR_FTOUI && node->kind != EXPR_SITOF && node->kind != EXPR_UITOF)
            note_argument(mixed, dag->nodes[node->b].e);
    }
}

static void split(Mixed *mixed)
{
    Dag *dag = &mixed->dag;
    dag_build(dag, mixed->query->conditions, mixed->query->count, UINT32_MAX);
    vec_reserve(&mixed->is_complex, dag->count);
    mixed->is_complex.len = dag->count;
    for (uint32_t i = 0; i < dag->count; i++) {
        const DagNode *node = &dag->nodes[i];
        bool complex = is_complex_kind(mixed, node);
        if (complex) {
            vec_push(&mixed->complex, i);
            note_arguments(mixed, node);
        }
        mixed->is_complex.data[i] = complex || operand_complex(mixed, node);
    }
    for (uint32_t i = 0; i < dag->roots.len; i++)
        if (!mixed->is_complex.data[dag->roots.data[i]]) vec_push(&mixed->simple, mixed->query->conditions[i]);
    mixed->simple_count = mixed->simple.len;
}

/* Variables that simplePC says something about. */
static void note_constrained(Mixed *mixed)
{
    Dag simple;
    dag_init(&simple, mixed->core->pool);
    dag_build(&simple, mixed->simple.data, mixed->simple.len, UINT32_MAX);
    for (uint32_t i = 0; i < simple.vars.len; i++) map_put(&mixed->constrained, simple.nodes[simple.vars.data[i]].e, 1);
    dag_release(&simple);
}

/* ---- one try ---- */

/* Sorts and drops repetitions and constants; false if one of them is false. */
static bool tidy(Mixed *mixed, Exprs *list)
{
    uint32_t kept = 0;
    exprs_sort(list);
    for (uint32_t i = 0; i < list->len; i++) {
        Expr e = list->data[i];
        if (!expr_is_const(mixed->core->pool, e)) list->data[kept++] = e;
        else if (!expr_value(mixed->core->pool, e)) return false;
    }
    list->len = kept;
    return true;
}

/* Solves a list of conditions starting from mixed->model; the values found go into it if `keep`. */
static SolveAnswer solve(Mixed *mixed, Exprs *list, bool keep)
{
    if (!tidy(mixed, list)) return SOLVE_UNSAT;
    if (list->len == 0) return SOLVE_SAT;
    Query query = *mixed->query;
    query.conditions = list->data;
    query.count = list->len;
    query.start = mixed->model;
    query.effort = mixed->query->effort / TRY_EFFORT_SHARE;
    mixed->outcome.spent = 0;
    Features features = core_features(mixed->core, &query);
    core_solve(mixed->core, &query, features, &mixed->outcome);
    mixed->spent += mixed->outcome.spent;
    if (mixed->outcome.answer == SOLVE_SAT && keep)
        for (uint32_t i = 0; i < mixed->outcome.values.len; i++)
            expr_model_set(mixed->model, mixed->outcome.values.data[i].var, mixed->outcome.values.data[i].value);
    return mixed->outcome.answer;
}

/* A solution of simplePC, what was added to it and `hint` (0: none), into mixed->model. */
static SolveAnswer solve_simple(Mixed *mixed, Expr hint)
{
    vec_clear(&mixed->work);
    for (uint32_t i = 0; i < mixed->simple.len; i++) vec_push(&mixed->work, mixed->simple.data[i]);
    if (hint) vec_push(&mixed->work, hint);
    return solve(mixed, &mixed->work, true);
}

static Expr fix(Mixed *mixed, Expr e)
{
    ExprPool *pool = mixed->core->pool;
    return expr_eq(pool, e, expr_const(pool, expr_width(pool, e), expr_eval(mixed->model, e)));
}

/* Runs the functions under mixed->model and solves with their results and extraPC put back. */
static SolveAnswer solve_again(Mixed *mixed)
{
    vec_clear(&mixed->extra);
    vec_clear(&mixed->work);
    for (uint32_t i = 0; i < mixed->arguments.len; i++) vec_push(&mixed->extra, fix(mixed, mixed->arguments.data[i]));
    for (uint32_t i = 0; i < mixed->extra.len; i++) vec_push(&mixed->work, mixed->extra.data[i]);
    for (uint32_t i = 0; i < mixed->complex.len; i++) vec_push(&mixed->work, fix(mixed, mixed->dag.nodes[mixed->complex.data[i]].e));
    for (uint32_t i = 0; i < mixed->query->count; i++) vec_push(&mixed->work, mixed->query->conditions[i]);
    return solve(mixed, &mixed->work, true);
}

/* workingPC and not extraPC. */
static void exclude(Mixed *mixed)
{
    ExprPool *pool = mixed->core->pool;
    Expr same = expr_const(pool, 1, 1);
    for (uint32_t i = 0; i < mixed->extra.len; i++) same = expr_and(pool, same, mixed->extra.data[i]);
    vec_push(&mixed->simple, expr_not(pool, same));
}

/* mixedIsSatisfiable of the paper's figure 2; the hint, if any, is a partition. */
static SolveAnswer attempt(Mixed *mixed, Expr hint)
{
    SolveAnswer simple = solve_simple(mixed, hint);
    if (simple != SOLVE_SAT) return simple == SOLVE_UNSAT && !hint ? SOLVE_UNSAT : SOLVE_UNKNOWN;
    SolveAnswer answer = solve_again(mixed);
    if (answer == SOLVE_SAT) return SOLVE_SAT;
    if (answer == SOLVE_UNKNOWN) mixed->exact = false;
    exclude(mixed);
    return SOLVE_UNKNOWN;
}

/* ---- other solutions ---- */

static U128 random_value(Mixed *mixed, unsigned width, bool is_float)
{
    uint64_t magnitude = random_below(&mixed->random, 4), r = random_next(&mixed->random);
    int64_t small = (int64_t)(r % 21) - 10, medium = (int64_t)(r % 2001) - 1000;
    if (is_float && magnitude < 3) {
        double x = magnitude == 0 ? (double)small : magnitude == 1 ? (double)medium / 10 : (double)(int64_t)r / 4e15;
        return width == 32 ? (U128)arith_bits32((float)x) : (U128)arith_bits64(x);
    }
    if (magnitude == 0) return (U128)(I128)small & arith_mask(width);
    if (magnitude == 1) return (U128)(I128)medium & arith_mask(width);
    return ((U128)random_next(&mixed->random) << 64 | r) & arith_mask(width);
}

/* Inputs that simplePC leaves free get random values.  What width says of their type is all there is to know. */
static void randomise(Mixed *mixed)
{
    for (uint32_t i = 0; i < mixed->dag.vars.len; i++) {
        Expr var = mixed->dag.nodes[mixed->dag.vars.data[i]].e;
        unsigned width = expr_width(mixed->core->pool, var);
        if (map_find(&mixed->constrained, var)) continue;
        bool may_float = width == 32 || width == 64;
        expr_model_set(mixed->model, var, random_value(mixed, width, may_float && random_below(&mixed->random, 2)));
    }
}

static void note_candidates(Mixed *mixed)
{
    for (uint32_t i = 0; i < mixed->dag.count && mixed->candidates.len < MAX_CANDIDATES; i++)
        if (mixed->dag.nodes[i].kind == EXPR_CONST && mixed->dag.nodes[i].width > 1)
            vec_push(&mixed->candidates, expr_value(mixed->core->pool, mixed->dag.nodes[i].e));
}

/* An argument equals a constant of the query, a neighbour of it, or a small or random number. */
static Expr guess(Mixed *mixed)
{
    ExprPool *pool = mixed->core->pool;
    if (mixed->arguments.len == 0) return 0;
    Expr argument = mixed->arguments.data[random_below(&mixed->random, mixed->arguments.len)];
    unsigned width = expr_width(pool, argument);
    uint64_t choice = random_below(&mixed->random, 2);
    U128 value;
    if (choice == 0 && mixed->candidates.len) {
        value = mixed->candidates.data[random_below(&mixed->random, mixed->candidates.len)];
        value = value + random_below(&mixed->random, 3) - 1;
    } else {
        value = random_value(mixed, width, (width == 32 || width == 64) && random_below(&mixed->random, 2));
    }
    return expr_eq(pool, argument, expr_const(pool, width, value));
}

static void note_partitions(Mixed *mixed)
{
    const SolveOptions *options = &mixed->core->options;
    if (!options->partitions) return;
    for (uint32_t i = 0; i < mixed->complex.len; i++) {
        const DagNode *node = &mixed->dag.nodes[mixed->complex.data[i]];
        Expr conditions[MAX_PARTITIONS];
        if (node->kind != EXPR_APPLY) continue;
        uint32_t count = options->partitions(options->partitions_data, mixed->core->pool, node->e, conditions, MAX_PARTITIONS);
        for (uint32_t k = 0; k < count; k++) vec_push(&mixed->partitions, conditions[k]);
    }
}

/* ---- sampling ---- */

/* Do all conditions hold when variables have these values?  (values[] is by position; those of variables are set.) */
static bool sample(Mixed *mixed, U128 *values)
{
    const Dag *dag = &mixed->dag;
    for (uint32_t i = 0; i < dag->count; i++) values[i] = dag_value(dag, i, values);
    mixed->spent += SAMPLE_NODE_COST * dag->count + SAMPLE_CALL_COST * mixed->complex.len;
    for (uint32_t i = 0; i < dag->roots.len; i++)
        if (!values[dag->roots.data[i]]) return false;
    for (uint32_t i = 0; i < dag->vars.len; i++) expr_model_set(mixed->model, dag->nodes[dag->vars.data[i]].e, values[dag->vars.data[i]]);
    return true;
}

static U128 near(U128 value, unsigned width, int64_t step, bool as_float)
{
    if (as_float && width == 64) return arith_bits64(arith_f64((uint64_t)value) + (double)step);
    if (as_float && width == 32) return arith_bits32(arith_f32((uint32_t)value) + (float)step);
    return (value + (U128)(I128)step) & arith_mask(width);
}

/* One variable after the other takes the values next to the one it has, as an integer and as a float: a hash takes every small residue on
 * some of them. */
static bool scan(Mixed *mixed, U128 *values, uint64_t effort)
{
    const Dag *dag = &mixed->dag;
    for (int64_t step = 1; step <= SCAN_STEPS; step++)
        for (uint32_t i = 0; i < dag->vars.len; i++) {
            uint32_t at = dag->vars.data[i];
            unsigned width = dag->nodes[at].width;
            U128 kept = values[at];
            for (unsigned way = 0; way < (width == 32 || width == 64 ? 4 : 2); way++) {
                if (mixed->spent >= effort) return false;
                values[at] = near(kept, width, way % 2 ? -step : step, way >= 2);
                if (sample(mixed, values)) return true;
            }
            values[at] = kept;
        }
    return false;
}

static bool sample_around(Mixed *mixed)
{
    const Dag *dag = &mixed->dag;
    U128 *values = mem_alloc(dag->count * sizeof *values);
    uint64_t effort = mixed->spent + mixed->query->effort / TRY_EFFORT_SHARE;
    for (uint32_t i = 0; i < dag->vars.len; i++) values[dag->vars.data[i]] = expr_model_get(mixed->model, dag->nodes[dag->vars.data[i]].e);
    bool found = scan(mixed, values, effort);
    free(values);
    return found;
}

/* ---- the procedure ---- */

static SolveAnswer run_tries(Mixed *mixed)
{
    SolveAnswer answer = attempt(mixed, 0);
    if (answer == SOLVE_UNKNOWN && sample_around(mixed)) return SOLVE_SAT;
    for (uint32_t i = 0; i < mixed->partitions.len && answer == SOLVE_UNKNOWN; i++) answer = attempt(mixed, mixed->partitions.data[i]);
    for (uint32_t tries = 1; tries < mixed->core->options.mixed_tries && answer == SOLVE_UNKNOWN; tries++) {
        if (mixed->spent >= mixed->query->effort) break;
        if (tries % 3 == 2) randomise(mixed);
        answer = attempt(mixed, tries % 3 == 1 ? guess(mixed) : 0);
    }
    return answer;
}

/* The model as changes of the query's start. */
static void give_model(Mixed *mixed, Outcome *outcome)
{
    vec_clear(&outcome->values);
    for (uint32_t i = 0; i < mixed->dag.vars.len; i++) {
        Expr var = mixed->dag.nodes[mixed->dag.vars.data[i]].e;
        U128 value = expr_model_get(mixed->model, var);
        if (value != expr_model_get(mixed->query->start, var)) vec_push(&outcome->values, ((SolveValue){var, value}));
    }
}

static void release(Mixed *mixed)
{
    dag_release(&mixed->dag);
    expr_model_free(mixed->model);
    vec_release(&mixed->complex);
    vec_release(&mixed->is_complex);
    vec_release(&mixed->simple);
    vec_release(&mixed->extra);
    vec_release(&mixed->arguments);
    vec_release(&mixed->work);
    vec_release(&mixed->partitions);
    vec_release(&mixed->candidates);
    map_release(&mixed->constrained);
    outcome_release(&mixed->outcome);
}

void mixed_solve(Core *core, const Query *query, bool nonlinear, Outcome *outcome)
{
    Mixed mixed = {.core = core, .query = query, .nonlinear = nonlinear, .exact = true};
    dag_init(&mixed.dag, core->pool);
    random_seed(&mixed.random, core->options.seed ^ query->conditions[query->count - 1]);
    split(&mixed);
    if (mixed.complex.len == 0) {
        release(&mixed);
        return;
    }
    mixed.model = expr_model_copy(query->start);
    note_constrained(&mixed);
    note_candidates(&mixed);
    note_partitions(&mixed);
    SolveAnswer answer = run_tries(&mixed);
    if (answer == SOLVE_UNSAT && !mixed.exact) answer = SOLVE_UNKNOWN;
    outcome->answer = answer;
    outcome->reason = nonlinear ? "the tiers and mixed solving gave up on products, quotients or tables of unknowns"
                                : "real functions stand in the way, and no solution was found with them";
    if (answer == SOLVE_SAT) give_model(&mixed, outcome);
    vec_clear(&outcome->core);
    for (uint32_t i = 0; i < query->count && answer == SOLVE_UNSAT; i++) vec_push(&outcome->core, query->conditions[i]);
    outcome->spent += mixed.spent;
    release(&mixed);
}
