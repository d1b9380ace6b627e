/* Conditions on the order of values only: answers and models at full width, and what is left to others because more than the order matters.
 *
 * The named cases ask order_solve itself and then a solver whose tiers include it.  Room is what an abstraction of the values gets wrong most easily, so
 * chains of variables are put into every small gap between constants and next to the ends of the range, where counting gives the answer.  Random
 * formulas are compared with Z3.  Every model has to satisfy the conditions as they were given. */
#include "base/arith.h"
#include "solve/solve_int.h"

#include <stdlib.h>

/* After our headers: cmocka defines a macro named fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#ifndef SCALE /* larger for a soak */
#define SCALE 1
#endif

enum { EFFORT = 1000000000, MEMORY = 1 << 30, VARIABLES = 32, CONSTANTS = 12 };

typedef struct Fixture {
    ExprPool *pool;
    Dag dag;
    Solver *circuits, *z3; /* with only these tiers; order_solve belongs to the first */
    ExprModel *zeros;
    Outcome outcome;
    Vec(Expr) conditions;
    bool contradictory; /* a condition was constantly false */
    uint32_t mark;      /* of the empty pool */
} Fixture;

static Solver *solver_of(ExprPool *pool, SolveTier tier, uint64_t effort)
{
    SolveOptions options = {.tiers = 1u << tier, .effort = effort, .seed = 1};
    Solver *solver;
    Error error;
    assert_int_equal(solver_new(&solver, pool, &options, &error), OK);
    return solver;
}

static Fixture fixture_new(void)
{
    Fixture f = {.pool = expr_pool_new()};
    dag_init(&f.dag, f.pool);
    f.circuits = solver_of(f.pool, TIER_BLAST, EFFORT);
    f.z3 = solver_of(f.pool, TIER_Z3, EFFORT);
    f.zeros = expr_model_new(f.pool);
    f.mark = expr_pool_count(f.pool);
    return f;
}

static void fixture_release(Fixture *f)
{
    vec_release(&f->outcome.values);
    vec_release(&f->outcome.core);
    vec_release(&f->conditions);
    expr_model_free(f->zeros);
    solver_free(f->circuits);
    solver_free(f->z3);
    dag_release(&f->dag);
    expr_pool_free(f->pool);
}

static void clear(Fixture *f)
{
    vec_clear(&f->conditions);
    f->contradictory = false;
}

/* An empty pool again. */
static void fixture_restart(Fixture *f)
{
    dag_forget(&f->dag);
    solver_forget(f->circuits, f->mark);
    solver_forget(f->z3, f->mark);
    expr_pool_rewind(f->pool, f->mark);
    clear(f);
}

/* In the order of ids and each once, as a query wants them. */
static void add(Fixture *f, Expr condition)
{
    assert_int_equal(expr_width(f->pool, condition), 1);
    if (expr_is_const(f->pool, condition)) {
        f->contradictory |= !expr_value(f->pool, condition);
        return;
    }
    uint32_t i = f->conditions.len;
    while (i > 0 && f->conditions.data[i - 1] > condition) i--;
    if (i > 0 && f->conditions.data[i - 1] == condition) return;
    vec_push(&f->conditions, condition);
    for (uint32_t k = f->conditions.len - 1; k > i; k--) f->conditions.data[k] = f->conditions.data[k - 1];
    f->conditions.data[i] = condition;
}

/* ---- asking ---- */

static bool satisfies(Fixture *f, const SolveValue *values, uint32_t count)
{
    ExprModel *model = expr_model_copy(f->zeros);
    bool holds = true;
    for (uint32_t i = 0; i < count; i++) {
        holds &= values[i].value <= arith_mask(expr_width(f->pool, values[i].var));
        expr_model_set(model, values[i].var, values[i].value);
    }
    for (uint32_t i = 0; i < f->conditions.len; i++) holds &= expr_eval(model, f->conditions.data[i]) != 0;
    expr_model_free(model);
    return holds;
}

static SolveAnswer ask_with(Fixture *f, uint64_t effort)
{
    Query query = {f->pool, f->conditions.data, f->conditions.len, f->zeros, effort, MEMORY, 0};
    Outcome *outcome = &f->outcome;
    outcome->spent = 0;
    vec_clear(&outcome->values);
    vec_clear(&outcome->core);
    assert_true(dag_build(&f->dag, query.conditions, query.count, UINT32_MAX));
    order_solve(&f->dag, &query, outcome);
    if (outcome->answer == SOLVE_SAT) {
        assert_int_equal(outcome->values.len, f->dag.vars.len);
        assert_true(satisfies(f, outcome->values.data, outcome->values.len));
    } else {
        assert_int_equal(outcome->values.len, 0);
    }
    assert_int_equal(outcome->core.len, outcome->answer == SOLVE_UNSAT ? query.count : 0);
    for (uint32_t i = 0; i < outcome->core.len; i++) assert_int_equal(outcome->core.data[i], query.conditions[i]);
    return outcome->answer;
}

static SolveAnswer ask(Fixture *f)
{
    return ask_with(f, EFFORT);
}

static SolveAnswer ask_solver(Fixture *f, Solver *solver)
{
    uint32_t count;
    SolveAnswer answer = solver_check(solver, f->conditions.data, f->conditions.len, f->zeros);
    const SolveValue *changes = solver_changes(solver, &count);
    if (answer == SOLVE_SAT) assert_true(satisfies(f, changes, count));
    return answer;
}

/* Both from inside and from outside, and the next question starts without conditions. */
static void expect(Fixture *f, SolveAnswer answer)
{
    assert_false(f->contradictory);
    assert_int_equal(ask(f), answer);
    if (answer != SOLVE_UNKNOWN) assert_true(f->outcome.spent > 0);
    if (answer != SOLVE_UNKNOWN) assert_int_equal(ask_solver(f, f->circuits), answer);
    clear(f);
}

/* Not even looked at closely; the tier that it belongs to gets it right all the same. */
static void expect_left(Fixture *f)
{
    assert_false(f->contradictory);
    assert_int_equal(ask(f), SOLVE_UNKNOWN);
    assert_int_equal(ask_solver(f, f->circuits), ask_solver(f, f->z3));
    clear(f);
}

/* ---- short names ---- */

static Expr var(Fixture *f, unsigned width)
{
    return expr_var(f->pool, width, "v");
}

static Expr value(Fixture *f, Expr like, U128 v)
{
    return expr_const(f->pool, expr_width(f->pool, like), v);
}

static Expr less(Fixture *f, ExprKind kind, Expr a, Expr b)
{
    return expr_binary(f->pool, kind, a, b);
}

static Expr equal(Fixture *f, Expr a, Expr b)
{
    return expr_eq(f->pool, a, b);
}

static Expr differ(Fixture *f, Expr a, Expr b)
{
    return expr_not(f->pool, expr_eq(f->pool, a, b));
}

static Expr least(Fixture *f, ExprKind kind, Expr a, Expr b)
{
    return expr_ite(f->pool, less(f, kind, a, b), a, b);
}

static Expr greatest(Fixture *f, ExprKind kind, Expr a, Expr b)
{
    return expr_ite(f->pool, less(f, kind, a, b), b, a);
}

static Expr sign(Fixture *f, Expr a)
{
    return expr_extract(f->pool, a, expr_width(f->pool, a) - 1, 1);
}

static const ExprKind strict[] = {EXPR_ULT, EXPR_SLT};
static const unsigned widths[] = {16, 17, 32, 63, 64};

/* ---- variables alone ---- */

/* As programs choose it, by nested comparisons. */
static Expr median_by_choices(Fixture *f, ExprKind kind, const Expr *v)
{
    Expr ascending = expr_ite(f->pool, less(f, kind, v[1], v[2]), v[1], greatest(f, kind, v[0], v[2]));
    Expr descending = expr_ite(f->pool, less(f, kind, v[0], v[2]), v[0], greatest(f, kind, v[1], v[2]));
    return expr_ite(f->pool, less(f, kind, v[0], v[1]), ascending, descending);
}

static void medians_agree(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    for (unsigned i = 0; i < COUNT_OF(widths) * 2; i++) {
        ExprKind kind = strict[i % 2];
        Expr v[] = {var(&f, widths[i / 2]), var(&f, widths[i / 2]), var(&f, widths[i / 2])};
        Expr low = least(&f, kind, v[0], v[1]), high = greatest(&f, kind, v[0], v[1]);
        Expr median = greatest(&f, kind, low, least(&f, kind, high, v[2])), other = median_by_choices(&f, kind, v);
        add(&f, differ(&f, median, other));
        expect(&f, SOLVE_UNSAT);
        add(&f, equal(&f, median, other));
        add(&f, differ(&f, v[0], v[1]));
        expect(&f, SOLVE_SAT);
        add(&f, differ(&f, greatest(&f, kind, low, v[2]), other)); /* no median */
        expect(&f, SOLVE_SAT);
        fixture_restart(&f);
    }
    fixture_release(&f);
}

enum { SORTED = 6, COMPARATORS = 12 };
static const uint8_t network[COMPARATORS][2] = {{0, 5}, {1, 3}, {2, 4}, {1, 2}, {3, 4}, {0, 3},
                                                {2, 5}, {0, 1}, {2, 3}, {4, 5}, {1, 2}, {3, 4}};

/* Adds that the outcome of the network without one of its comparators is not sorted. */
static void add_unsorted(Fixture *f, ExprKind kind, Expr *v, unsigned missing)
{
    for (unsigned i = 0; i < COMPARATORS; i++) {
        Expr a = v[network[i][0]], b = v[network[i][1]];
        if (i == missing) continue;
        v[network[i][0]] = least(f, kind, a, b);
        v[network[i][1]] = greatest(f, kind, a, b);
    }
    Expr sorted = expr_const(f->pool, 1, 1);
    for (unsigned i = 1; i < SORTED; i++) sorted = expr_and(f->pool, sorted, expr_not(f->pool, less(f, kind, v[i], v[i - 1])));
    add(f, expr_not(f->pool, sorted));
}

static void networks_sort(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    for (unsigned missing = 0; missing <= COMPARATORS; missing++) {
        Expr v[SORTED];
        unsigned width = widths[missing % COUNT_OF(widths)];
        for (unsigned i = 0; i < SORTED; i++) v[i] = var(&f, width);
        add_unsorted(&f, strict[missing % 2], v, missing);
        expect(&f, missing == COMPARATORS ? SOLVE_UNSAT : SOLVE_SAT);
        fixture_restart(&f);
    }
    fixture_release(&f);
}

static void networks_keep_their_inputs(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    Expr v[SORTED], first = 0;
    for (unsigned i = 0; i < SORTED; i++) v[i] = var(&f, 32);
    first = v[0];
    add_unsorted(&f, EXPR_SLT, v, COMPARATORS);
    clear(&f);
    for (unsigned i = 0; i < SORTED; i++) add(&f, differ(&f, v[i], first));
    expect(&f, SOLVE_UNSAT);
    for (unsigned i = 1; i < SORTED; i++) add(&f, differ(&f, v[i], first));
    expect(&f, SOLVE_SAT);
    fixture_release(&f);
}

/* What is asked from outside gets here: circuits of 64 bits would need more effort. */
static void solvers_get_by_with_little(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    Solver *solver = solver_of(f.pool, TIER_BLAST, EFFORT);
    Expr v[SORTED];
    for (unsigned i = 0; i < SORTED; i++) v[i] = var(&f, 64);
    add_unsorted(&f, EXPR_SLT, v, COMPARATORS);
    assert_int_equal(ask(&f), SOLVE_UNSAT);
    uint64_t enough = f.outcome.spent * 8; /* a quarter of it gets there */
    solver_set_effort(solver, enough);
    assert_int_equal(ask_solver(&f, solver), SOLVE_UNSAT);
    assert_true(solver_stats(solver)->effort < enough);
    assert_int_equal(solver_stats(solver)->answered[TIER_BLAST], 1);
    assert_int_equal(ask_with(&f, 1), SOLVE_UNKNOWN); /* not a wrong answer */
    solver_free(solver);
    fixture_release(&f);
}

static void cycles_are_contradictions(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    for (unsigned i = 0; i < COUNT_OF(widths) * 2; i++) {
        ExprKind kind = strict[i % 2], weak = kind == EXPR_ULT ? EXPR_ULE : EXPR_SLE;
        Expr a = var(&f, widths[i / 2]), b = var(&f, widths[i / 2]), c = var(&f, widths[i / 2]);
        add(&f, less(&f, kind, a, b));
        add(&f, less(&f, kind, b, c));
        expect(&f, SOLVE_SAT);
        add(&f, less(&f, kind, a, b));
        add(&f, less(&f, kind, b, c));
        add(&f, less(&f, kind, c, a));
        expect(&f, SOLVE_UNSAT);
        add(&f, less(&f, weak, a, b));
        add(&f, less(&f, weak, b, c));
        add(&f, less(&f, weak, c, a));
        expect(&f, SOLVE_SAT);
        add(&f, less(&f, weak, a, b));
        add(&f, less(&f, weak, b, c));
        add(&f, less(&f, weak, c, a));
        add(&f, differ(&f, a, c));
        expect(&f, SOLVE_UNSAT);
        fixture_restart(&f);
    }
    fixture_release(&f);
}

static void equalities_alone(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    for (unsigned i = 0; i < COUNT_OF(widths); i++) {
        Expr v[5], all = expr_const(f.pool, 1, 1);
        for (unsigned k = 0; k < COUNT_OF(v); k++) v[k] = var(&f, widths[i]);
        for (unsigned k = 0; k < COUNT_OF(v); k++)
            for (unsigned j = 0; j < k; j++) add(&f, differ(&f, v[k], v[j]));
        expect(&f, SOLVE_SAT);
        for (unsigned k = 1; k < COUNT_OF(v); k++) all = expr_and(f.pool, all, equal(&f, v[k], v[k - 1]));
        add(&f, all);
        add(&f, differ(&f, v[0], v[4]));
        expect(&f, SOLVE_UNSAT);
        /* Three variables, two values. */
        for (unsigned k = 0; k < 3; k++)
            add(&f, expr_or(f.pool, equal(&f, v[k], value(&f, v[k], 7)), equal(&f, v[k], value(&f, v[k], (U128)1 << (widths[i] - 1)))));
        add(&f, differ(&f, v[0], v[1]));
        add(&f, differ(&f, v[1], v[2]));
        expect(&f, SOLVE_SAT);
        for (unsigned k = 0; k < 3; k++) add(&f, expr_or(f.pool, equal(&f, v[k], value(&f, v[k], 7)), equal(&f, v[k], value(&f, v[k], 8))));
        for (unsigned k = 0; k < 3; k++) add(&f, differ(&f, v[k], v[(k + 1) % 3]));
        expect(&f, SOLVE_UNSAT);
        fixture_restart(&f);
    }
    fixture_release(&f);
}

/* Without constants the values are small numbers, negative ones never. */
static void values_are_small(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    for (unsigned i = 0; i < COUNT_OF(widths) * 2; i++) {
        Expr v[5];
        for (unsigned k = 0; k < COUNT_OF(v); k++) v[k] = var(&f, widths[i / 2]);
        for (unsigned k = 1; k < COUNT_OF(v); k++) add(&f, less(&f, strict[i % 2], v[k - 1], v[k]));
        assert_int_equal(ask(&f), SOLVE_SAT);
        for (unsigned k = 0; k < COUNT_OF(v); k++) assert_true(f.outcome.values.data[k].value < COUNT_OF(v));
        fixture_restart(&f);
    }
    fixture_release(&f);
}

/* ---- constants ---- */

/* v0 < v1 < …, between two bounds; NULL: none. */
static void add_chain(Fixture *f, ExprKind kind, unsigned width, unsigned count, const U128 *low, const U128 *high)
{
    Expr before = low ? expr_const(f->pool, width, *low) : 0;
    for (unsigned i = 0; i < count; i++) {
        Expr next = var(f, width);
        if (before) add(f, less(f, kind, before, next));
        before = next;
    }
    if (high) add(f, less(f, kind, before, expr_const(f->pool, width, *high)));
}

/* Whether the variables have enough room is known by counting. */
static void expect_room(Fixture *f, bool enough)
{
    if (f->contradictory) assert_false(enough);
    else assert_int_equal(ask(f), enough ? SOLVE_SAT : SOLVE_UNSAT);
    fixture_restart(f);
}

static void gaps_have_their_room(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    for (unsigned i = 0; i < COUNT_OF(widths) * 2; i++) {
        unsigned width = widths[i / 2];
        U128 half = (U128)1 << (width - 1), first = i % 2 ? half : 0, last = i % 2 ? half - 1 : arith_mask(width);
        U128 starts[] = {first, first + 1, 0, 1000, half - 4, -(U128)3 & arith_mask(width), last - 7};
        for (unsigned s = 0; s < COUNT_OF(starts); s++) {
            for (unsigned gap = 0; gap <= 6; gap++) {
                U128 low = starts[s], high = (low + gap + 1) & arith_mask(width);
                bool wraps = ((high ^ first) & arith_mask(width)) < ((low ^ first) & arith_mask(width));
                unsigned count = 2 + (s + gap) % 4;
                if (wraps) continue;
                add_chain(&f, strict[i % 2], width, count, &low, &high);
                expect_room(&f, gap >= count);
            }
        }
    }
    fixture_release(&f);
}

static void ends_have_their_room(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    for (unsigned i = 0; i < COUNT_OF(widths) * 2; i++) {
        unsigned width = widths[i / 2];
        U128 half = (U128)1 << (width - 1), first = i % 2 ? half : 0, last = i % 2 ? half - 1 : arith_mask(width);
        for (unsigned room = 0; room <= 5; room++) {
            for (unsigned count = 2; count <= 5; count++) {
                U128 high = (first + room) & arith_mask(width), low = (last - room) & arith_mask(width);
                add_chain(&f, strict[i % 2], width, count, NULL, &high);
                expect_room(&f, room >= count);
                add_chain(&f, strict[i % 2], width, count, &low, NULL);
                expect_room(&f, room >= count);
            }
        }
    }
    fixture_release(&f);
}

/* The same in several gaps at once: each variable of its own gap, then one too many for the narrow one. */
static void gaps_side_by_side(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    for (unsigned round = 0; round < 2; round++) {
        U128 bounds[] = {-(U128)2 & arith_mask(32), 0, 3, 4, 100};
        ExprKind kind = EXPR_SLT;
        add_chain(&f, kind, 32, 1, &bounds[0], &bounds[1]); /* -1 */
        add_chain(&f, kind, 32, 2 + round, &bounds[1], &bounds[2]);
        add_chain(&f, kind, 32, 3, &bounds[3], &bounds[4]);
        add_chain(&f, kind, 32, 3, NULL, &bounds[0]);
        add_chain(&f, kind, 32, 3, &bounds[4], NULL);
        expect(&f, round ? SOLVE_UNSAT : SOLVE_SAT);
        fixture_restart(&f);
    }
    fixture_release(&f);
}

/* Every variable is one of the extremes, and they are what they are. */
static void extremes_are_values(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    for (unsigned i = 0; i < COUNT_OF(widths) * 2; i++) {
        bool is_signed = i % 2;
        Expr a = var(&f, widths[i / 2]), b = var(&f, widths[i / 2]), c = var(&f, widths[i / 2]);
        U128 half = (U128)1 << (widths[i / 2] - 1), first = is_signed ? half : 0, last = is_signed ? half - 1 : arith_mask(widths[i / 2]);
        add(&f, equal(&f, a, value(&f, a, first)));
        add(&f, equal(&f, b, value(&f, a, last)));
        add(&f, less(&f, strict[i % 2], a, c));
        add(&f, less(&f, strict[i % 2], c, b));
        expect(&f, SOLVE_SAT);
        add(&f, equal(&f, a, value(&f, a, first)));
        add(&f, less(&f, strict[i % 2], b, a));
        expect(&f, SOLVE_UNSAT);
        add(&f, equal(&f, a, value(&f, a, last)));
        add(&f, less(&f, strict[i % 2], a, b));
        expect(&f, SOLVE_UNSAT);
        fixture_restart(&f);
    }
    fixture_release(&f);
}

static void clamped_values_stay_inside(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    Expr x = var(&f, 32), y = var(&f, 32), low = value(&f, x, -(U128)128), high = value(&f, x, 127);
    Expr clamped[] = {least(&f, EXPR_SLT, greatest(&f, EXPR_SLT, x, low), high), least(&f, EXPR_SLT, greatest(&f, EXPR_SLT, y, low), high)};
    add(&f, expr_or(f.pool, less(&f, EXPR_SLT, clamped[0], low), less(&f, EXPR_SLT, high, clamped[1])));
    expect(&f, SOLVE_UNSAT);
    add(&f, less(&f, EXPR_SLT, clamped[0], clamped[1]));
    add(&f, expr_not(f.pool, less(&f, EXPR_SLT, x, y)));
    expect(&f, SOLVE_UNSAT);
    add(&f, equal(&f, clamped[0], clamped[1]));
    add(&f, less(&f, EXPR_SLT, x, y));
    expect(&f, SOLVE_SAT);
    fixture_release(&f);
}

/* ---- single bits ---- */

static void signs_are_orders(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    for (unsigned i = 0; i < COUNT_OF(widths); i++) {
        Expr a = var(&f, widths[i]), b = var(&f, widths[i]), zero = value(&f, a, 0);
        add(&f, sign(&f, a));
        add(&f, expr_not(f.pool, sign(&f, b)));
        expect(&f, SOLVE_SAT);
        add(&f, sign(&f, a));
        add(&f, expr_not(f.pool, sign(&f, b)));
        add(&f, less(&f, EXPR_SLT, b, a));
        expect(&f, SOLVE_UNSAT);
        add(&f, expr_binary(f.pool, EXPR_XOR, sign(&f, a), sign(&f, b)));
        add(&f, equal(&f, a, b));
        expect(&f, SOLVE_UNSAT);
        add(&f, expr_binary(f.pool, EXPR_XOR, sign(&f, a), less(&f, EXPR_SLT, a, zero)));
        add(&f, less(&f, EXPR_SLT, a, b));
        if (f.contradictory) clear(&f); /* one is the other by simplification */
        else expect(&f, SOLVE_UNSAT);
        add(&f, sign(&f, greatest(&f, EXPR_SLT, a, b)));
        add(&f, less(&f, EXPR_SLT, value(&f, a, -(U128)3), a));
        add(&f, less(&f, EXPR_SLT, a, b));
        expect(&f, SOLVE_SAT); /* -2 and -1 */
        add(&f, sign(&f, greatest(&f, EXPR_SLT, a, b)));
        add(&f, less(&f, EXPR_SLT, value(&f, a, -(U128)2), a));
        add(&f, less(&f, EXPR_SLT, a, b));
        expect(&f, SOLVE_UNSAT);
        for (unsigned end = 2; end <= 3; end++) { /* 1 and 2 */
            add(&f, expr_not(f.pool, sign(&f, a)));
            add(&f, expr_not(f.pool, sign(&f, b)));
            add(&f, differ(&f, a, zero));
            add(&f, less(&f, EXPR_SLT, a, b));
            add(&f, less(&f, EXPR_SLT, b, value(&f, a, end)));
            expect(&f, end == 3 ? SOLVE_SAT : SOLVE_UNSAT);
        }
        fixture_restart(&f);
    }
    fixture_release(&f);
}

/* Each of x and y is one of a and b: all combinations of the bits, and what they exclude. */
static void bits_choose(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    for (unsigned i = 0; i < 2; i++) {
        ExprKind kind = strict[i];
        Expr p = var(&f, 1), q = var(&f, 1), a = var(&f, 32), b = var(&f, 32);
        Expr x = expr_ite(f.pool, p, a, b), y = expr_ite(f.pool, q, a, b);
        for (unsigned bits = 0; bits < 4; bits++) {
            add(&f, less(&f, kind, x, y));
            add(&f, less(&f, kind, a, b));
            add(&f, bits & 1 ? p : expr_not(f.pool, p));
            add(&f, bits & 2 ? q : expr_not(f.pool, q));
            expect(&f, bits == 1 ? SOLVE_SAT : SOLVE_UNSAT);
        }
        add(&f, less(&f, kind, x, y));
        add(&f, equal(&f, p, q));
        expect(&f, SOLVE_UNSAT);
        Expr choice = expr_ite(f.pool, p, less(&f, kind, a, b), expr_ite(f.pool, q, less(&f, kind, b, a), equal(&f, a, b)));
        add(&f, choice);
        add(&f, expr_not(f.pool, p));
        add(&f, less(&f, kind, b, a));
        expect(&f, SOLVE_SAT);
        add(&f, choice);
        add(&f, expr_not(f.pool, expr_or(f.pool, p, q)));
        add(&f, less(&f, kind, b, a));
        expect(&f, SOLVE_UNSAT);
    }
    fixture_release(&f);
}

/* ---- what is left to others ---- */

static void arithmetic_is_left(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    Expr a = var(&f, 32), b = var(&f, 32), c = var(&f, 32), narrow = var(&f, 16), other = var(&f, 16);
    static const ExprKind kinds[] = {EXPR_ADD, EXPR_SUB, EXPR_AND, EXPR_OR, EXPR_XOR};
    for (unsigned i = 0; i < COUNT_OF(kinds); i++) {
        add(&f, less(&f, EXPR_SLT, expr_binary(f.pool, kinds[i], a, b), c));
        add(&f, less(&f, EXPR_SLT, a, b));
        expect_left(&f);
    }
    add(&f, less(&f, EXPR_SLT, expr_not(f.pool, a), b));
    expect_left(&f);
    add(&f, less(&f, EXPR_SLT, expr_sext(f.pool, narrow, 32), a));
    expect_left(&f);
    add(&f, expr_extract(f.pool, a, 30, 1)); /* not the sign */
    add(&f, less(&f, EXPR_SLT, a, b));
    expect_left(&f);
    add(&f, expr_extract(f.pool, a, 0, 1));
    add(&f, less(&f, EXPR_SLT, a, b));
    expect_left(&f);
    add(&f, less(&f, EXPR_SLT, a, b)); /* two widths */
    add(&f, less(&f, EXPR_SLT, narrow, other));
    expect_left(&f);
    add(&f, less(&f, EXPR_SLT, expr_undef(f.pool, 32), b));
    add(&f, less(&f, EXPR_SLT, b, a));
    assert_int_equal(ask(&f), SOLVE_UNKNOWN);
    fixture_release(&f);
}

static void mixed_signedness_is_left(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    Expr a = var(&f, 32), b = var(&f, 32);
    add(&f, less(&f, EXPR_SLT, a, b));
    add(&f, less(&f, EXPR_ULT, b, a));
    expect_left(&f);
    add(&f, less(&f, EXPR_SLE, a, b));
    add(&f, less(&f, EXPR_ULE, b, a));
    expect_left(&f);
    add(&f, sign(&f, a));
    add(&f, less(&f, EXPR_ULT, a, b));
    expect_left(&f);
    fixture_release(&f);
}

static void other_widths_are_left(void **state)
{
    (void)state;
    static const unsigned others[] = {2, 8, 15, 65, 80, 128};
    Fixture f = fixture_new();
    for (unsigned i = 0; i < COUNT_OF(others); i++) {
        Expr a = var(&f, others[i]), b = var(&f, others[i]);
        add(&f, less(&f, EXPR_SLT, a, b));
        expect_left(&f);
        fixture_restart(&f);
    }
    Expr bits[] = {var(&f, 1), var(&f, 1)}, alone = var(&f, 32);
    add(&f, expr_or(f.pool, bits[0], bits[1]));
    expect_left(&f);
    add(&f, less(&f, EXPR_SLT, alone, value(&f, alone, 5)));
    expect_left(&f);
    fixture_release(&f);
}

/* ---- limits ---- */

static void variables_at_the_limit(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    for (unsigned i = 0; i < COUNT_OF(widths) * 2; i++) {
        ExprKind kind = strict[i % 2];
        add_chain(&f, kind, widths[i / 2], VARIABLES, NULL, NULL);
        assert_int_equal(ask(&f), SOLVE_SAT);
        Expr first = expr_var_at(f.pool, expr_var_count(f.pool) - VARIABLES), last = expr_var_at(f.pool, expr_var_count(f.pool) - 1);
        add(&f, less(&f, kind, last, first));
        expect(&f, SOLVE_UNSAT);
        add_chain(&f, kind, widths[i / 2], VARIABLES + 1, NULL, NULL);
        assert_int_equal(ask(&f), SOLVE_UNKNOWN);
        fixture_restart(&f);
    }
    fixture_release(&f);
}

static void wide_chains_need_wide_gaps(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    for (unsigned i = 0; i < COUNT_OF(widths) * 2; i++) {
        U128 low = -(U128)10 & arith_mask(widths[i / 2]), high = 22, half = (U128)1 << (widths[i / 2] - 1);
        for (unsigned missing = 0; missing < 2 && i % 2; missing++, low++) {
            add_chain(&f, EXPR_SLT, widths[i / 2], VARIABLES - 1, &low, &high);
            expect_room(&f, !missing);
        }
        low = half - 20, high = half + 12;
        for (unsigned missing = 0; missing < 2 && !(i % 2); missing++, low++) {
            add_chain(&f, EXPR_ULT, widths[i / 2], VARIABLES - 1, &low, &high);
            expect_room(&f, !missing);
        }
    }
    fixture_release(&f);
}

/* Constants `step` apart, and no variable is one of them. */
static void add_constants(Fixture *f, const Expr *v, unsigned variables, unsigned count, uint64_t step)
{
    for (unsigned i = 0; i < variables; i++)
        for (unsigned k = 0; k < count; k++) add(f, differ(f, v[i], value(f, v[i], 50 + k * step)));
}

static void constants_at_the_limit(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    for (unsigned i = 0; i < 4; i++) {
        ExprKind kind = strict[i % 2];
        unsigned width = i < 2 ? 32 : 64;
        Expr v[VARIABLES];
        for (unsigned k = 0; k < VARIABLES; k++) v[k] = var(&f, width);
        /* All of them between the first and the last constant, strictly ascending: 11 gaps of 3 values hold 32 variables, gaps of 2 do not. */
        for (unsigned step = 3; step <= 4; step++) {
            add_constants(&f, v, VARIABLES, CONSTANTS, step);
            for (unsigned k = 1; k < VARIABLES; k++) add(&f, less(&f, kind, v[k - 1], v[k]));
            add(&f, less(&f, kind, value(&f, v[0], 50), v[0]));
            add(&f, less(&f, kind, v[VARIABLES - 1], value(&f, v[0], 50 + (CONSTANTS - 1) * step)));
            assert_int_equal(ask(&f), step == 4 ? SOLVE_SAT : SOLVE_UNSAT);
            clear(&f);
        }
        add_constants(&f, v, 2, CONSTANTS + 1, 10);
        add(&f, less(&f, kind, v[0], v[1]));
        expect_left(&f);
        fixture_restart(&f);
    }
    fixture_release(&f);
}

/* Narrow variables with many constants have no fewer bits; what is asked is not answered wrongly. */
static void narrow_values_at_the_limit(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    unsigned answered = 0;
    for (unsigned count = 0; count <= CONSTANTS; count++) {
        Expr v[8];
        for (unsigned k = 0; k < COUNT_OF(v); k++) v[k] = var(&f, 16);
        add_constants(&f, v, COUNT_OF(v), count, 5);
        for (unsigned k = 1; k < COUNT_OF(v); k++) add(&f, less(&f, EXPR_ULT, v[k - 1], v[k]));
        if (count >= 4) {
            add(&f, less(&f, EXPR_ULT, value(&f, v[0], 50), v[0]));
            add(&f, less(&f, EXPR_ULT, v[7], value(&f, v[0], 60))); /* 51 … 54, 56 … 59 */
        }
        SolveAnswer answer = ask(&f);
        assert_int_not_equal(answer, SOLVE_UNSAT);
        answered += answer == SOLVE_SAT;
        assert_true(count > 10 || answer == SOLVE_SAT);
        fixture_restart(&f);
    }
    assert_true(answered >= 11);
    fixture_release(&f);
}

/* ---- random formulas ---- */

typedef struct Formula {
    Fixture *f;
    Random random;
    unsigned width;
    ExprKind order; /* EQ: equalities only */
    Expr vars[5], bits[2], constants[4];
    unsigned var_count, bit_count, constant_count;
} Formula;

static uint64_t below(Formula *g, uint64_t n)
{
    return random_below(&g->random, n);
}

static U128 random_constant(Formula *g)
{
    U128 half = (U128)1 << (g->width - 1), ends[] = {0, half, half - 1, arith_mask(g->width)};
    if (g->constant_count && below(g, 2)) /* close to an earlier one */
        return expr_value(g->f->pool, g->constants[below(g, g->constant_count)]) + below(g, 9) - 4;
    if (below(g, 3)) return ends[below(g, COUNT_OF(ends))] + below(g, 7) - 3;
    return random_next(&g->random);
}

static void formula_init(Formula *g)
{
    static const unsigned usual[] = {16, 32, 64};
    static const ExprKind orders[] = {EXPR_ULT, EXPR_SLT, EXPR_ULT, EXPR_SLT, EXPR_ULT, EXPR_SLT, EXPR_EQ};
    g->width = usual[below(g, COUNT_OF(usual))];
    g->order = orders[below(g, COUNT_OF(orders))];
    g->var_count = 2 + (unsigned)below(g, 4);
    g->bit_count = (unsigned)below(g, 3);
    for (unsigned i = 0; i < g->var_count; i++) g->vars[i] = var(g->f, g->width);
    for (unsigned i = 0; i < g->bit_count; i++) g->bits[i] = var(g->f, 1);
    g->constant_count = 0;
    for (unsigned i = (unsigned)below(g, 5); i > 0; i--) {
        U128 chosen = random_constant(g);
        g->constants[g->constant_count++] = expr_const(g->f->pool, g->width, chosen);
    }
}

static Expr condition(Formula *g, unsigned depth);

static Expr term(Formula *g, unsigned depth)
{
    if (depth && !below(g, 3)) {
        Expr chooses = condition(g, depth - 1), yes = term(g, depth - 1), no = term(g, depth - 1);
        return expr_ite(g->f->pool, chooses, yes, no);
    }
    if (g->constant_count && !below(g, 3)) return g->constants[below(g, g->constant_count)];
    return g->vars[below(g, g->var_count)];
}

static Expr comparison(Formula *g, unsigned depth)
{
    ExprKind weak = g->order == EXPR_ULT ? EXPR_ULE : g->order == EXPR_SLT ? EXPR_SLE : EXPR_EQ;
    uint64_t choice = below(g, 8);
    Expr a = term(g, depth);
    if (choice == 0 && g->order == EXPR_SLT) return sign(g->f, a);
    if (choice == 1 && g->bit_count) return g->bits[below(g, g->bit_count)];
    Expr b = term(g, depth);
    return expr_binary(g->f->pool, choice < 4 ? EXPR_EQ : choice < 6 ? weak : g->order, a, b);
}

static Expr condition(Formula *g, unsigned depth)
{
    static const ExprKind kinds[] = {EXPR_AND, EXPR_OR, EXPR_OR, EXPR_XOR, EXPR_EQ};
    if (!depth || below(g, 2)) {
        Expr made = comparison(g, depth);
        return below(g, 3) ? made : expr_not(g->f->pool, made);
    }
    Expr a = condition(g, depth - 1), b = condition(g, depth - 1);
    if (below(g, 4)) return expr_binary(g->f->pool, kinds[below(g, COUNT_OF(kinds))], a, b);
    return expr_ite(g->f->pool, a, b, condition(g, depth - 1));
}

/* Often a crowd between two of the constants, where the room is tight. */
static void add_random(Formula *g)
{
    bool crowd = g->order != EXPR_EQ && g->constant_count && below(g, 2);
    for (unsigned i = 1; crowd && i < g->var_count; i++) add(g->f, less(g->f, g->order, g->vars[i - 1], g->vars[i]));
    if (crowd && below(g, 4)) add(g->f, less(g->f, g->order, g->constants[0], g->vars[0]));
    if (crowd && below(g, 4)) add(g->f, less(g->f, g->order, g->vars[g->var_count - 1], g->constants[g->constant_count - 1]));
    for (unsigned i = 1 + (unsigned)below(g, crowd ? 3 : 6); i > 0; i--) add(g->f, condition(g, (unsigned)below(g, 3)));
}

static void explain(Fixture *f, unsigned round)
{
    StrBuf text = {0};
    for (uint32_t i = 0; i < f->conditions.len; i++) {
        expr_print(f->pool, f->conditions.data[i], &text);
        strbuf_add(&text, "\n");
    }
    print_error("formula %u:\n%s", round, text.text);
    strbuf_release(&text);
}

static void formulas_agree_with_z3(void **state)
{
    (void)state;
    enum { FORMULAS = 2000 * SCALE };
    Fixture f = fixture_new();
    Formula g = {.f = &f};
    unsigned asked = 0, counts[3] = {0};
    random_seed(&g.random, 20);
    for (unsigned round = 0; round < FORMULAS; round++) {
        formula_init(&g);
        add_random(&g);
        if (f.conditions.len) { /* what was constantly false is left out */
            SolveAnswer answer = ask(&f);
            asked++;
            counts[answer]++;
            /* A model that holds is its own proof. */
            if (answer == SOLVE_UNSAT && ask_solver(&f, f.z3) != answer) {
                explain(&f, round);
                fail();
            }
        }
        if (round % 64) clear(&f);
        else fixture_restart(&f);
    }
    fixture_release(&f);
    print_message("%u formulas: %u satisfiable, %u not, %u left\n", asked, counts[SOLVE_SAT], counts[SOLVE_UNSAT], counts[SOLVE_UNKNOWN]);
    assert_true(asked > FORMULAS * 9 / 10);
    assert_true(counts[SOLVE_UNKNOWN] < asked / 4);
    assert_true(counts[SOLVE_UNSAT] > asked / 8 && counts[SOLVE_SAT] > asked / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medians_agree),
        cmocka_unit_test(networks_sort),
        cmocka_unit_test(networks_keep_their_inputs),
        cmocka_unit_test(solvers_get_by_with_little),
        cmocka_unit_test(cycles_are_contradictions),
        cmocka_unit_test(equalities_alone),
        cmocka_unit_test(values_are_small),
        cmocka_unit_test(gaps_have_their_room),
        cmocka_unit_test(ends_have_their_room),
        cmocka_unit_test(gaps_side_by_side),
        cmocka_unit_test(extremes_are_values),
        cmocka_unit_test(clamped_values_stay_inside),
        cmocka_unit_test(signs_are_orders),
        cmocka_unit_test(bits_choose),
        cmocka_unit_test(arithmetic_is_left),
        cmocka_unit_test(mixed_signedness_is_left),
        cmocka_unit_test(other_widths_are_left),
        cmocka_unit_test(variables_at_the_limit),
        cmocka_unit_test(wide_chains_need_wide_gaps),
        cmocka_unit_test(constants_at_the_limit),
        cmocka_unit_test(narrow_values_at_the_limit),
        cmocka_unit_test(formulas_agree_with_z3),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
