/* The bounds tier: contradictions it has to see, and that it never sees one where there is none.
 *
 * Random condition sets over few bits are decided by trying all assignments; at real widths, floats included, a planted model has to
 * stay inside the domain of every node.  The shares of contradictions found are floors: a weaker contraction fails them. */
#include "base/arith.h"
#include "solve/bounds_int.h"

#include <stdio.h>
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

enum { EFFORT = 10000000 };

typedef struct Fixture {
    ExprPool *pool;
    Bounds *bounds;
    ExprModel *model;
    Outcome outcome;
    Vec(Expr) conditions;
    uint32_t mark; /* of the empty pool */
} Fixture;

static Fixture fixture_new(void)
{
    Fixture f = {.pool = expr_pool_new()};
    f.bounds = bounds_new(f.pool);
    f.model = expr_model_new(f.pool);
    f.mark = expr_pool_count(f.pool);
    return f;
}

static void fixture_release(Fixture *f)
{
    vec_release(&f->outcome.core);
    vec_release(&f->outcome.values);
    vec_release(&f->conditions);
    expr_model_free(f->model);
    bounds_free(f->bounds);
    expr_pool_free(f->pool);
}

/* An empty pool again, which also tries the forgetting. */
static void fixture_restart(Fixture *f)
{
    bounds_forget(f->bounds, f->mark);
    expr_pool_rewind(f->pool, f->mark);
    vec_clear(&f->conditions);
}

/* Adds a condition in the order of ids, once; false if it is constantly false. */
static bool add(Fixture *f, Expr condition)
{
    assert_int_equal(expr_width(f->pool, condition), 1);
    if (expr_is_const(f->pool, condition)) return expr_value(f->pool, condition) != 0;
    uint32_t i = 0;
    while (i < f->conditions.len && f->conditions.data[i] < condition) i++;
    if (i < f->conditions.len && f->conditions.data[i] == condition) return true;
    vec_push(&f->conditions, condition);
    for (uint32_t k = f->conditions.len - 1; k > i; k--) f->conditions.data[k] = f->conditions.data[k - 1];
    f->conditions.data[i] = condition;
    return true;
}

static SolveAnswer ask(Fixture *f, const Expr *conditions, uint32_t count)
{
    Query query = {.pool = f->pool, .conditions = conditions, .count = count, .start = f->model, .effort = EFFORT, .memory = 1 << 30};
    bounds_solve(f->bounds, &query, &f->outcome);
    assert_true(f->outcome.answer != SOLVE_SAT);
    if (f->outcome.answer == SOLVE_UNKNOWN) return SOLVE_UNKNOWN;
    assert_true(f->outcome.core.len > 0 && f->outcome.core.len <= count);
    for (uint32_t i = 0; i < f->outcome.core.len; i++) {
        bool found = false;
        for (uint32_t k = 0; k < count; k++) found |= conditions[k] == f->outcome.core.data[i];
        assert_true(found);
    }
    return SOLVE_UNSAT;
}

static SolveAnswer ask_all(Fixture *f)
{
    return ask(f, f->conditions.data, f->conditions.len);
}

/* ---- short names ---- */

static Expr constant(Fixture *f, Expr like, U128 value)
{
    return expr_const(f->pool, expr_width(f->pool, like), value);
}

static Expr compare(Fixture *f, ExprKind kind, Expr a, U128 value)
{
    return expr_binary(f->pool, kind, a, constant(f, a, value));
}

static Expr differs(Fixture *f, Expr a, U128 value)
{
    return expr_not(f->pool, compare(f, EXPR_EQ, a, value));
}

static Expr at_least(Fixture *f, ExprKind strict, Expr a, U128 value)
{
    return expr_not(f->pool, compare(f, strict, a, value));
}

static Expr less(Fixture *f, ExprKind kind, Expr a, Expr b)
{
    return expr_binary(f->pool, kind, a, b);
}

static Expr real(Fixture *f, double value)
{
    return expr_const(f->pool, 64, arith_bits64(value));
}

static void expect(Fixture *f, SolveAnswer answer, uint32_t core)
{
    assert_int_equal(ask_all(f), answer);
    if (answer == SOLVE_UNSAT) assert_int_equal(f->outcome.core.len, core);
    vec_clear(&f->conditions);
}

/* ---- named cases ---- */

static void bytes_are_sets(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    Expr x = expr_var(f.pool, 8, "x"), y = expr_var(f.pool, 8, "y");
    add(&f, differs(&f, x, 'a'));
    add(&f, differs(&f, x, 'b'));
    add(&f, differs(&f, x, 'c'));
    add(&f, differs(&f, y, 'c'));
    add(&f, at_least(&f, EXPR_ULT, x, 'a'));
    add(&f, compare(&f, EXPR_ULT, x, 'd'));
    expect(&f, SOLVE_UNSAT, 5);
    add(&f, differs(&f, x, 'a'));
    add(&f, differs(&f, x, 'c'));
    add(&f, at_least(&f, EXPR_ULT, x, 'a'));
    add(&f, compare(&f, EXPR_ULT, x, 'd'));
    expect(&f, SOLVE_UNKNOWN, 0);
    /* isdigit and isalpha as programs write them, on the byte as an int */
    Expr wide = expr_zext(f.pool, x, 32), lower = expr_binary(f.pool, EXPR_OR, wide, expr_const(f.pool, 32, 32));
    add(&f, compare(&f, EXPR_ULT, expr_add(f.pool, wide, expr_const(f.pool, 32, -(U128)'0')), 10));
    add(&f, compare(&f, EXPR_ULT, expr_add(f.pool, lower, expr_const(f.pool, 32, -(U128)'a')), 26));
    expect(&f, SOLVE_UNSAT, 2);
    fixture_release(&f);
}

static void bytes_of_words_are_sets_too(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    Expr w = expr_var(f.pool, 32, "w"), b = expr_extract(f.pool, w, 8, 8);
    add(&f, compare(&f, EXPR_EQ, expr_binary(f.pool, EXPR_MUL, b, constant(&f, b, 6)), 12));
    add(&f, differs(&f, b, 2));
    add(&f, differs(&f, b, 130));
    expect(&f, SOLVE_UNSAT, 3);
    fixture_release(&f);
}

static void tables_are_looked_up(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    Expr elements[64];
    for (unsigned i = 0; i < 64; i++) elements[i] = expr_const(f.pool, 8, i % 5 * 10);
    Expr table = expr_array(f.pool, 8, elements, 64), i = expr_var(f.pool, 32, "i"), x = expr_var(f.pool, 8, "x");
    Expr value = expr_select(f.pool, table, expr_zext(f.pool, i, 64));
    add(&f, compare(&f, EXPR_ULT, i, 4));
    add(&f, at_least(&f, EXPR_ULT, value, 40));
    expect(&f, SOLVE_UNSAT, 2);
    add(&f, compare(&f, EXPR_ULT, i, 6));
    add(&f, at_least(&f, EXPR_ULT, value, 40));
    add(&f, differs(&f, i, 4));
    expect(&f, SOLVE_UNSAT, 3);
    /* a store in between may be read, and may not */
    Expr changed = expr_store(f.pool, table, expr_const(f.pool, 64, 2), x);
    value = expr_select(f.pool, changed, expr_zext(f.pool, i, 64));
    add(&f, compare(&f, EXPR_ULT, i, 4));
    add(&f, at_least(&f, EXPR_ULT, value, 40));
    expect(&f, SOLVE_UNKNOWN, 0);
    add(&f, compare(&f, EXPR_ULT, i, 4));
    add(&f, at_least(&f, EXPR_ULT, value, 40));
    add(&f, compare(&f, EXPR_ULT, x, 39));
    expect(&f, SOLVE_UNSAT, 3);
    fixture_release(&f);
}

static void large_tables_are_left_alone(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    Expr elements[1000];
    for (unsigned i = 0; i < 1000; i++) elements[i] = expr_const(f.pool, 8, i == 700 ? 200 : i % 100);
    Expr table = expr_array(f.pool, 8, elements, 1000), i = expr_var(f.pool, 32, "i");
    Expr value = expr_select(f.pool, table, expr_zext(f.pool, i, 64));
    add(&f, compare(&f, EXPR_ULT, i, 1000));
    add(&f, compare(&f, EXPR_EQ, value, 200));
    expect(&f, SOLVE_UNKNOWN, 0);
    add(&f, compare(&f, EXPR_ULT, i, 800));
    add(&f, at_least(&f, EXPR_ULT, i, 701));
    add(&f, compare(&f, EXPR_EQ, value, 200));
    expect(&f, SOLVE_UNSAT, 3);
    /* beyond the table there are zeros */
    add(&f, at_least(&f, EXPR_ULT, i, 990));
    add(&f, compare(&f, EXPR_ULT, i, 1010));
    add(&f, compare(&f, EXPR_ULT, value, 90));
    expect(&f, SOLVE_UNKNOWN, 0);
    fixture_release(&f);
}

static void intervals_of_ints(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    Expr x = expr_var(f.pool, 32, "x"), y = expr_var(f.pool, 32, "y");
    Expr seven = constant(&f, x, 7), sum = expr_add(f.pool, x, y);
    add(&f, compare(&f, EXPR_SLT, x, (U128)-5));
    add(&f, at_least(&f, EXPR_SLT, x, (U128)-6));
    add(&f, differs(&f, x, (U128)-6));
    expect(&f, SOLVE_UNSAT, 3);
    /* -10 < x < 10, -10 < y < 10, x + y > 20 */
    add(&f, compare(&f, EXPR_SLT, x, 10));
    add(&f, at_least(&f, EXPR_SLT, x, (U128)-9));
    add(&f, compare(&f, EXPR_SLT, y, 10));
    add(&f, at_least(&f, EXPR_SLT, y, (U128)-9));
    add(&f, at_least(&f, EXPR_SLT, sum, 20));
    expect(&f, SOLVE_UNSAT, 5);
    /* 0 <= x < 100, x * 7 == 3 modulo 2^32 is odd arithmetic: x / 7 > 14 is not */
    add(&f, compare(&f, EXPR_ULT, x, 100));
    add(&f, at_least(&f, EXPR_ULT, expr_binary(f.pool, EXPR_UDIV, x, seven), 15));
    expect(&f, SOLVE_UNSAT, 2);
    add(&f, compare(&f, EXPR_EQ, expr_binary(f.pool, EXPR_SREM, x, seven), 7));
    expect(&f, SOLVE_UNSAT, 1);
    add(&f, compare(&f, EXPR_SLT, x, 0));
    add(&f, compare(&f, EXPR_EQ, expr_binary(f.pool, EXPR_SREM, x, seven), 3));
    expect(&f, SOLVE_UNSAT, 2);
    add(&f, compare(&f, EXPR_ULT, x, 1000));
    add(&f, compare(&f, EXPR_ULT, y, 1000));
    add(&f, at_least(&f, EXPR_SLT, expr_binary(f.pool, EXPR_MUL, x, y), 998002));
    expect(&f, SOLVE_UNSAT, 3);
    /* a switch over 20 cases, none of them taken, of an index below 20 */
    for (unsigned i = 0; i < 20; i++) add(&f, differs(&f, sum, i));
    add(&f, compare(&f, EXPR_ULT, sum, 20));
    expect(&f, SOLVE_UNSAT, 21);
    fixture_release(&f);
}

static void comparisons_form_chains(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    Expr v[5];
    for (unsigned i = 0; i < 5; i++) v[i] = expr_var(f.pool, 32, "v");
    for (unsigned i = 0; i < 5; i++) add(&f, less(&f, EXPR_SLE, v[i], v[(i + 1) % 5]));
    expect(&f, SOLVE_UNKNOWN, 0);
    for (unsigned i = 0; i < 5; i++) add(&f, less(&f, i == 2 ? EXPR_SLT : EXPR_SLE, v[i], v[(i + 1) % 5]));
    expect(&f, SOLVE_UNSAT, 5);
    add(&f, less(&f, EXPR_ULT, v[0], v[1]));
    add(&f, less(&f, EXPR_ULE, v[3], v[4]));
    add(&f, less(&f, EXPR_ULT, v[1], v[0]));
    expect(&f, SOLVE_UNSAT, 2);
    add(&f, less(&f, EXPR_SLE, v[0], v[1]));
    add(&f, less(&f, EXPR_SLE, v[1], v[2]));
    add(&f, less(&f, EXPR_SLE, v[2], v[0]));
    add(&f, expr_not(f.pool, expr_eq(f.pool, v[0], v[2])));
    expect(&f, SOLVE_UNSAT, 4);
    /* x + 1 <= y and y <= x where x + 1 does not wrap */
    Expr next = expr_add(f.pool, v[0], constant(&f, v[0], 1));
    add(&f, less(&f, EXPR_SLE, next, v[1]));
    add(&f, less(&f, EXPR_SLE, v[1], v[0]));
    expect(&f, SOLVE_UNKNOWN, 0);
    add(&f, compare(&f, EXPR_SLT, v[0], 1000));
    add(&f, less(&f, EXPR_SLE, next, v[1]));
    add(&f, less(&f, EXPR_SLE, v[1], v[0]));
    expect(&f, SOLVE_UNSAT, 3);
    fixture_release(&f);
}

static void floats_are_ordered(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    Expr x = expr_var(f.pool, 64, "x"), y = expr_var(f.pool, 64, "y"), n = expr_var(f.pool, 32, "n");
    add(&f, less(&f, EXPR_FLT, x, real(&f, 1.0)));
    add(&f, less(&f, EXPR_FLT, real(&f, 2.0), x));
    expect(&f, SOLVE_UNSAT, 2);
    /* not (x < 1) and not (x >= 1): NaN */
    Expr below = less(&f, EXPR_FLT, x, real(&f, 1.0)), above = less(&f, EXPR_FLE, real(&f, 1.0), x);
    add(&f, expr_not(f.pool, below));
    add(&f, expr_not(f.pool, above));
    expect(&f, SOLVE_UNKNOWN, 0);
    add(&f, expr_not(f.pool, below));
    add(&f, expr_not(f.pool, above));
    add(&f, expr_not(f.pool, expr_binary(f.pool, EXPR_FUNO, x, x)));
    expect(&f, SOLVE_UNSAT, 3);
    add(&f, less(&f, EXPR_FLT, x, y));
    add(&f, less(&f, EXPR_FLT, y, x));
    expect(&f, SOLVE_UNSAT, 2);
    /* zeros of both signs are equal, and only one of them has no bits set */
    add(&f, expr_binary(f.pool, EXPR_FEQ, x, real(&f, 0.0)));
    add(&f, differs(&f, x, 0));
    expect(&f, SOLVE_UNKNOWN, 0);
    add(&f, less(&f, EXPR_FLE, real(&f, 0.0), x));
    add(&f, less(&f, EXPR_FLE, x, real(&f, 10.0)));
    add(&f, less(&f, EXPR_FLT, real(&f, 21.0), expr_binary(f.pool, EXPR_FADD, x, x)));
    expect(&f, SOLVE_UNSAT, 2);
    Expr converted = expr_convert(f.pool, EXPR_SITOF, n, 64);
    add(&f, less(&f, EXPR_FLT, converted, real(&f, 3.5)));
    add(&f, at_least(&f, EXPR_SLT, n, 4));
    expect(&f, SOLVE_UNSAT, 2);
    fixture_release(&f);
}

static void logic_is_propagated(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    Expr x = expr_var(f.pool, 32, "x"), y = expr_var(f.pool, 32, "y");
    Expr either = expr_or(f.pool, compare(&f, EXPR_ULT, x, 5), at_least(&f, EXPR_ULT, x, 11));
    add(&f, either);
    add(&f, at_least(&f, EXPR_ULT, x, 5));
    add(&f, compare(&f, EXPR_ULT, x, 11));
    add(&f, compare(&f, EXPR_ULT, y, 11));
    expect(&f, SOLVE_UNSAT, 3);
    Expr choice = expr_ite(f.pool, compare(&f, EXPR_ULT, x, 5), y, constant(&f, y, 100));
    add(&f, compare(&f, EXPR_ULT, choice, 50));
    add(&f, at_least(&f, EXPR_ULT, x, 5));
    expect(&f, SOLVE_UNSAT, 2);
    add(&f, compare(&f, EXPR_ULT, choice, 50));
    add(&f, at_least(&f, EXPR_ULT, y, 50));
    expect(&f, SOLVE_UNSAT, 2);
    fixture_release(&f);
}

static void rewinding_forgets(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    Expr x = expr_var(f.pool, 8, "x");
    uint32_t mark = expr_pool_count(f.pool);
    add(&f, compare(&f, EXPR_ULT, x, 10));
    add(&f, at_least(&f, EXPR_ULT, x, 10));
    expect(&f, SOLVE_UNSAT, 2);
    bounds_forget(f.bounds, mark);
    expr_pool_rewind(f.pool, mark);
    add(&f, compare(&f, EXPR_ULT, x, 11)); /* gets an id used before */
    add(&f, at_least(&f, EXPR_ULT, x, 10));
    expect(&f, SOLVE_UNKNOWN, 0);
    fixture_release(&f);
}

static void effort_is_kept(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    Expr x = expr_var(f.pool, 32, "x"), sum = x;
    for (unsigned i = 1; i < 2000; i++) sum = expr_binary(f.pool, EXPR_XOR, expr_binary(f.pool, EXPR_MUL, sum, sum), constant(&f, x, i));
    add(&f, compare(&f, EXPR_ULT, sum, 1000));
    Query query = {.pool = f.pool, .conditions = f.conditions.data, .count = 1, .start = f.model, .effort = 20000, .memory = 1 << 20};
    bounds_solve(f.bounds, &query, &f.outcome);
    assert_int_equal(f.outcome.answer, SOLVE_UNKNOWN);
    assert_true(f.outcome.spent <= 40000);
    fixture_release(&f);
}

/* ---- random conditions ---- */

typedef struct Maker {
    Fixture *f;
    Random *random;
    Expr vars[4];
    unsigned var_count;
    const unsigned *widths; /* that occur */
    unsigned width_count;
    bool floats, tables;
} Maker;

static Expr make(Maker *m, unsigned width, unsigned depth);

static unsigned below(Maker *m, unsigned n)
{
    return (unsigned)random_below(m->random, n);
}

static Expr fit(Maker *m, Expr e, unsigned width)
{
    unsigned own = expr_width(m->f->pool, e);
    if (own > width) return expr_extract(m->f->pool, e, below(m, 2) ? 0 : below(m, own - width + 1), width);
    return below(m, 2) ? expr_zext(m->f->pool, e, width) : expr_sext(m->f->pool, e, width);
}

static U128 any_constant(Maker *m, unsigned width)
{
    U128 mask = arith_mask(width), value = (U128)random_next(m->random) << 64 | random_next(m->random);
    switch (below(m, 5)) {
    case 0: return below(m, 8) & mask;
    case 1: return -(U128)below(m, 8) & mask;
    case 2: return ((U128)1 << below(m, width)) + below(m, 3) - 1;
    case 3: return value & mask & arith_mask(1 + below(m, width));
    default: return value & mask;
    }
}

static Expr make_leaf(Maker *m, unsigned width)
{
    if (below(m, 3) == 0) return expr_const(m->f->pool, width, any_constant(m, width));
    return fit(m, m->vars[below(m, m->var_count)], width);
}

static unsigned any_width(Maker *m)
{
    return m->widths[below(m, m->width_count)];
}

static Expr make_compare(Maker *m, unsigned depth)
{
    static const ExprKind kinds[] = {EXPR_EQ, EXPR_ULT, EXPR_ULE, EXPR_SLT, EXPR_SLE}, floats[] = {EXPR_FEQ, EXPR_FLT, EXPR_FLE, EXPR_FUNO};
    if (m->floats && below(m, 2)) {
        unsigned width = below(m, 2) ? 32 : 64;
        Expr a = make(m, width, depth - 1), b = make(m, width, depth - 1);
        return expr_binary(m->f->pool, floats[below(m, 4)], a, b);
    }
    unsigned width = any_width(m);
    Expr a = make(m, width, depth - 1), b = below(m, 3) ? make_leaf(m, width) : make(m, width, depth - 1);
    return below(m, 2) ? expr_binary(m->f->pool, kinds[below(m, 5)], a, b) : expr_binary(m->f->pool, kinds[below(m, 5)], b, a);
}

static Expr make_bool(Maker *m, unsigned depth)
{
    ExprPool *pool = m->f->pool;
    if (depth <= 1) return make_compare(m, 1);
    switch (below(m, 10)) {
    case 0: return expr_not(pool, make_bool(m, depth - 1));
    case 1: return expr_and(pool, make_bool(m, depth - 1), make_bool(m, depth - 1));
    case 2: return expr_or(pool, make_bool(m, depth - 1), make_bool(m, depth - 1));
    case 3: return expr_ite(pool, make_bool(m, depth - 1), make_bool(m, depth - 1), make_bool(m, depth - 1));
    default: return make_compare(m, depth);
    }
}

static Expr make_float(Maker *m, unsigned width, unsigned depth)
{
    static const ExprKind kinds[] = {EXPR_FADD, EXPR_FSUB, EXPR_FMUL, EXPR_FDIV, EXPR_FREM};
    static const double values[] = {0.0, -0.0, 1.0, -1.5, 10.0, 1e10, 1e-300, INFINITY, -1e300, 0.1};
    ExprPool *pool = m->f->pool;
    switch (below(m, 8)) {
    case 0: return expr_unary(pool, EXPR_FSQRT, make(m, width, depth - 1));
    case 1: return expr_convert(pool, below(m, 2) ? EXPR_SITOF : EXPR_UITOF, make(m, any_width(m), depth - 1), width);
    case 2: return expr_convert(pool, EXPR_FCONVERT, make(m, 96 - width, depth - 1), width);
    case 3: {
        double value = values[below(m, COUNT_OF(values))];
        return expr_const(pool, width, width == 32 ? arith_bits32((float)value) : arith_bits64(value));
    }
    default: break;
    }
    Expr a = make(m, width, depth - 1), b = make(m, width, depth - 1);
    return expr_binary(pool, kinds[below(m, 5)], a, b);
}

static Expr make_table(Maker *m, unsigned width, unsigned depth)
{
    ExprPool *pool = m->f->pool;
    Expr elements[20];
    unsigned count = 1 + below(m, 20), symbolic = below(m, 4);
    for (unsigned i = 0; i < count; i++) elements[i] = symbolic ? expr_const(pool, width, any_constant(m, width)) : make_leaf(m, width);
    Expr array = expr_array(pool, width, elements, count);
    for (unsigned i = below(m, 3); i > 0; i--)
        array = expr_store(pool, array, expr_zext(pool, make(m, 4, 1), 64), make(m, width, depth - 1));
    return expr_select(pool, array, expr_zext(pool, make(m, 5, depth - 1), 64));
}

static Expr make(Maker *m, unsigned width, unsigned depth)
{
    static const ExprKind kinds[] = {EXPR_ADD, EXPR_ADD,  EXPR_SUB,  EXPR_MUL, EXPR_UDIV, EXPR_SDIV, EXPR_UREM, EXPR_SREM,
                                     EXPR_SHL, EXPR_LSHR, EXPR_ASHR, EXPR_AND, EXPR_OR,   EXPR_XOR,  EXPR_ADD};
    static const ExprKind counts[] = {EXPR_CTPOP, EXPR_CTLZ, EXPR_CTTZ};
    ExprPool *pool = m->f->pool;
    if (depth == 0 || below(m, 8) == 0) return make_leaf(m, width);
    if (width == 1) return make_bool(m, depth);
    if (m->floats && (width == 32 || width == 64) && below(m, 3) == 0) return make_float(m, width, depth);
    switch (below(m, 12)) {
    case 0: return expr_not(pool, make(m, width, depth - 1));
    case 1: {
        unsigned low = 1 + below(m, width - 1);
        return expr_binary(pool, EXPR_CONCAT, make(m, width - low, depth - 1), make(m, low, depth - 1));
    }
    case 2: return fit(m, make(m, any_width(m), depth - 1), width);
    case 3: return expr_ite(pool, make_bool(m, depth - 1), make(m, width, depth - 1), make(m, width, depth - 1));
    case 4: return expr_unary(pool, counts[below(m, 3)], make(m, width, depth - 1));
    case 5:
        if (m->tables) return make_table(m, width, depth);
        break;
    case 6:
        if (m->floats) return expr_convert(pool, below(m, 2) ? EXPR_FTOSI : EXPR_FTOUI, make(m, below(m, 2) ? 32 : 64, depth - 1), width);
        break;
    default: break;
    }
    Expr a = make(m, width, depth - 1), b = below(m, 2) ? make_leaf(m, width) : make(m, width, depth - 1);
    return expr_binary(pool, kinds[below(m, COUNT_OF(kinds))], a, b);
}

static Maker maker(Fixture *f, Random *random, const unsigned *widths, unsigned count)
{
    return (Maker){.f = f, .random = random, .widths = widths, .width_count = count};
}

/* ---- against all assignments ---- */

static bool satisfiable(Fixture *f, Maker *m, const Expr *conditions, uint32_t count)
{
    Dag dag;
    dag_init(&dag, f->pool);
    assert_true(dag_build(&dag, conditions, count, 1 << 20));
    U128 *values = mem_alloc(dag.count * sizeof *values);
    unsigned total = 0;
    for (unsigned i = 0; i < m->var_count; i++) total += expr_width(f->pool, m->vars[i]);
    bool found = false;
    for (uint64_t assignment = 0; assignment < (uint64_t)1 << total && !found; assignment++) {
        uint64_t rest = assignment;
        U128 by_index[4];
        for (unsigned i = 0; i < m->var_count; i++) {
            unsigned width = expr_width(f->pool, m->vars[i]);
            by_index[i] = rest & arith_mask64(width);
            rest >>= width;
        }
        for (uint32_t at = 0; at < dag.count; at++) {
            if (dag.nodes[at].kind == EXPR_VAR) values[at] = by_index[expr_var_index(f->pool, dag.nodes[at].e)];
            else values[at] = dag_value(&dag, at, values);
        }
        found = true;
        for (uint32_t i = 0; i < count && found; i++) found = values[dag.roots.data[i]] != 0;
    }
    free(values);
    dag_release(&dag);
    return found;
}

typedef struct Tally {
    unsigned asked, unsat, seen, conditions, core;
} Tally;

static void print_conditions(Fixture *f, const Expr *conditions, uint32_t count)
{
    StrBuf text = {0};
    for (uint32_t i = 0; i < count; i++) {
        strbuf_clear(&text);
        expr_print(f->pool, conditions[i], &text);
        print_message("    %s\n", text.text);
    }
    strbuf_release(&text);
}

static void try_small(Fixture *f, Random *random, unsigned vars, unsigned low, unsigned high, bool tables, Tally *tally)
{
    static const unsigned widths[] = {3, 4, 5, 6, 8, 9, 12};
    Maker m = maker(f, random, widths, COUNT_OF(widths));
    m.var_count = vars;
    m.tables = tables;
    for (unsigned i = 0; i < vars; i++) m.vars[i] = expr_var(f->pool, low + below(&m, high - low + 1), "v");
    unsigned count = 2 + below(&m, 4);
    bool possible = true;
    for (unsigned i = 0; i < count; i++) possible &= add(f, make_bool(&m, 1 + below(&m, 3)));
    if (possible && f->conditions.len) {
        SolveAnswer answer = ask_all(f);
        bool sat = satisfiable(f, &m, f->conditions.data, f->conditions.len);
        tally->asked++;
        tally->unsat += !sat;
        tally->seen += answer == SOLVE_UNSAT;
        if (answer == SOLVE_UNSAT) {
            tally->conditions += f->conditions.len;
            tally->core += f->outcome.core.len;
        }
        if (answer == SOLVE_UNSAT && satisfiable(f, &m, f->outcome.core.data, f->outcome.core.len)) {
            print_message("satisfiable, of which this is called contradictory:\n");
            print_conditions(f, f->conditions.data, f->conditions.len);
            print_message("core:\n");
            print_conditions(f, f->outcome.core.data, f->outcome.core.len);
            fail_msg("a wrong UNSAT");
        }
    }
    fixture_restart(f);
}

static void agrees_with_all_assignments(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    Random random;
    random_seed(&random, 1);
    Tally tally[5] = {0};
    for (unsigned i = 0; i < 3000 * SCALE; i++) {
        try_small(&f, &random, 2, 3, 5, false, &tally[0]);
        try_small(&f, &random, 3, 3, 3, true, &tally[1]);
        try_small(&f, &random, 1, 9, 10, false, &tally[2]);
        try_small(&f, &random, 1, 4, 8, true, &tally[3]);
    }
    static const double floors[] = {0.8, 0.8, 0.4, 0.99};
    for (unsigned i = 0; i < 4; i++) {
        double share = (double)tally[i].seen / tally[i].unsat;
        print_message("%u: %u queries, %u contradictory, %.1f %% of these seen; core %.1f of %.1f\n", i, tally[i].asked, tally[i].unsat,
                      100 * share, (double)tally[i].core / tally[i].seen, (double)tally[i].conditions / tally[i].seen);
        assert_true(share >= floors[i]);
    }
    fixture_release(&f);
}

/* ---- against a planted model ---- */

static U128 any_value(Maker *m, unsigned width, bool floats)
{
    static const double values[] = {0.0, -0.0, 1.0, -1.5, 10.0, 1e10, 3.25, -7.0, 1e-300, INFINITY, NAN};
    if (floats && width == 64 && below(m, 2)) return arith_bits64(values[below(m, COUNT_OF(values))]);
    if (floats && width == 32 && below(m, 2)) return arith_bits32((float)values[below(m, COUNT_OF(values))]);
    return any_constant(m, width);
}

/* Every node's domain holds the node's value under the model. */
static void check_domains(Fixture *f)
{
    const Bounds *bounds = f->bounds;
    for (uint32_t at = 0; bounds->rest.len && at < bounds->dag.count; at++) {
        const DagNode *node = &bounds->dag.nodes[at];
        if (node->kind == EXPR_ARRAY || node->kind == EXPR_STORE) continue;
        U128 value = expr_eval(f->model, node->e);
        const Place *place = &bounds->at[at];
        bool inside = domain_has(node->width, &place->d, value);
        if (place->window) inside &= window_has(&bounds->windows.data[place->window - 1], node->width, value);
        if (!inside) {
            print_message("a value fell out of its domain:\n");
            print_conditions(f, &node->e, 1);
            print_conditions(f, f->conditions.data, f->conditions.len);
        }
        assert_true(inside);
    }
}

static void try_planted(Fixture *f, Random *random, bool floats)
{
    static const unsigned widths[] = {1, 5, 8, 8, 16, 32, 32, 32, 64, 64, 128}, float_widths[] = {8, 32, 64};
    Maker m = floats ? maker(f, random, float_widths, COUNT_OF(float_widths)) : maker(f, random, widths, COUNT_OF(widths));
    m.floats = floats;
    m.tables = below(&m, 2);
    m.var_count = 1 + below(&m, 4);
    for (unsigned i = 0; i < m.var_count; i++) {
        m.vars[i] = expr_var(f->pool, any_width(&m), "v");
        expr_model_set(f->model, m.vars[i], any_value(&m, expr_width(f->pool, m.vars[i]), floats));
    }
    unsigned count = 1 + below(&m, 8);
    for (unsigned i = 0; i < count; i++) {
        Expr condition = make_bool(&m, 1 + below(&m, 4));
        if (!expr_eval(f->model, condition)) condition = expr_not(f->pool, condition);
        assert_true(add(f, condition));
    }
    if (f->conditions.len) {
        SolveAnswer answer = ask_all(f);
        if (answer == SOLVE_UNSAT) {
            print_message("a model exists, and this is called contradictory:\n");
            print_conditions(f, f->outcome.core.data, f->outcome.core.len);
            for (unsigned i = 0; i < m.var_count; i++)
                print_message("  v%u = %llx\n", i, (unsigned long long)expr_model_get(f->model, m.vars[i]));
        }
        assert_int_equal(answer, SOLVE_UNKNOWN);
        check_domains(f);
    }
    fixture_restart(f);
}

static void keeps_planted_models(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    Random random;
    random_seed(&random, 2);
    for (unsigned i = 0; i < 110000 * SCALE; i++) try_planted(&f, &random, false);
    for (unsigned i = 0; i < 110000 * SCALE; i++) try_planted(&f, &random, true);
    fixture_release(&f);
}

/* ---- one operation between limited operands ---- */

static const ExprKind operations[] = {EXPR_ADD,  EXPR_SUB,  EXPR_MUL, EXPR_UDIV, EXPR_SDIV, EXPR_UREM,   EXPR_SREM, EXPR_SHL,
                                      EXPR_LSHR, EXPR_ASHR, EXPR_AND, EXPR_OR,   EXPR_XOR,  EXPR_CONCAT, EXPR_ITE,  EXPR_EXTRACT};

static Expr operate(Maker *m, ExprKind kind, Expr a, Expr b)
{
    ExprPool *pool = m->f->pool;
    unsigned width = expr_width(pool, a);
    switch (kind) {
    case EXPR_ITE: return expr_ite(pool, expr_binary(pool, EXPR_SLT, a, b), a, any_constant(m, 1) ? b : expr_not(pool, b));
    case EXPR_EXTRACT: return fit(m, fit(m, a, 1 + below(m, width)), width);
    case EXPR_CONCAT: {
        if (width < 2) return a;
        unsigned low = 1 + below(m, width - 1);
        return expr_binary(pool, EXPR_CONCAT, expr_extract(pool, a, below(m, low + 1), width - low), expr_extract(pool, b, 0, low));
    }
    default: break;
    }
    if (below(m, 3) == 0) b = expr_const(pool, width, any_constant(m, width));
    return expr_binary(pool, kind, a, b);
}

/* An end near the term's value under the model, or anywhere. */
static Expr end_near(Maker *m, Expr term)
{
    unsigned width = expr_width(m->f->pool, term);
    U128 value = expr_eval(m->f->model, term);
    switch (below(m, 4)) {
    case 0: return expr_const(m->f->pool, width, any_constant(m, width));
    case 1: return expr_const(m->f->pool, width, value + below(m, 5) - 2);
    default: return expr_const(m->f->pool, width, value + any_constant(m, 1 + below(m, width)) - any_constant(m, 1 + below(m, width)));
    }
}

static Expr limit_of(Maker *m, const Expr *terms, unsigned count)
{
    static const ExprKind kinds[] = {EXPR_ULT, EXPR_ULE, EXPR_SLT, EXPR_SLE, EXPR_EQ};
    ExprPool *pool = m->f->pool;
    Expr term = terms[below(m, count)], other = below(m, 4) ? end_near(m, term) : terms[below(m, count)];
    if (below(m, 8) == 0) {
        Expr mask = expr_const(pool, expr_width(pool, term), any_constant(m, expr_width(pool, term)));
        term = expr_and(pool, term, mask);
        other = expr_and(pool, other, mask);
    }
    ExprKind kind = kinds[below(m, 5)];
    return below(m, 2) ? expr_binary(pool, kind, term, other) : expr_binary(pool, kind, other, term);
}

/* Two operations on two variables, and limits on all four; planted: those that the model satisfies. */
static void try_operation(Fixture *f, Random *random, unsigned width, bool planted, Tally *tally)
{
    Maker m = maker(f, random, &width, 1);
    m.var_count = 2;
    for (unsigned i = 0; i < 2; i++) {
        m.vars[i] = expr_var(f->pool, width, "v");
        expr_model_set(f->model, m.vars[i], any_constant(&m, width));
    }
    Expr terms[4] = {m.vars[0], m.vars[1]};
    terms[2] = operate(&m, operations[below(&m, COUNT_OF(operations))], terms[0], terms[1]);
    terms[3] = operate(&m, operations[below(&m, COUNT_OF(operations))], terms[below(&m, 3)], terms[below(&m, 3)]);
    unsigned count = 3 + below(&m, 8);
    bool possible = true;
    for (unsigned i = 0; i < count; i++) {
        Expr condition = limit_of(&m, terms, 4);
        if (planted ? !expr_eval(f->model, condition) : below(&m, 2)) condition = expr_not(f->pool, condition);
        possible &= add(f, condition);
    }
    if (possible && f->conditions.len) {
        SolveAnswer answer = ask_all(f);
        bool sat = planted || satisfiable(f, &m, f->conditions.data, f->conditions.len);
        bool wrong = answer == SOLVE_UNSAT && (planted || satisfiable(f, &m, f->outcome.core.data, f->outcome.core.len));
        if (wrong) print_conditions(f, f->outcome.core.data, f->outcome.core.len);
        assert_false(wrong);
        if (planted) check_domains(f);
        tally->asked++;
        tally->unsat += !sat;
        tally->seen += answer == SOLVE_UNSAT;
    }
    fixture_restart(f);
}

static void operations_are_contracted(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    static const unsigned widths[] = {5, 9, 16, 32, 64, 65, 128};
    Random random;
    random_seed(&random, 3);
    Tally planted = {0}, small = {0};
    for (unsigned i = 0; i < 10000 * SCALE; i++) try_operation(&f, &random, widths[i % COUNT_OF(widths)], true, &planted);
    for (unsigned i = 0; i < 5000 * SCALE; i++) try_operation(&f, &random, 3 + i % 3, false, &small);
    double share = (double)small.seen / small.unsat;
    print_message("%u queries, %u contradictory, %.1f %% of these seen\n", small.asked, small.unsat, 100 * share);
    assert_true(share >= 0.85);
    fixture_release(&f);
}

static void try_float_operation(Fixture *f, Random *random)
{
    static const ExprKind kinds[] = {EXPR_FADD, EXPR_FSUB, EXPR_FMUL, EXPR_FDIV, EXPR_FSQRT},
                          orders[] = {EXPR_FLT, EXPR_FLE, EXPR_FEQ, EXPR_FUNO};
    unsigned width = random_below(random, 2) ? 32 : 64;
    Maker m = maker(f, random, &width, 1);
    for (unsigned i = 0; i < 3; i++) {
        m.vars[i] = expr_var(f->pool, i == 2 ? 32 : width, "v");
        expr_model_set(f->model, m.vars[i], i == 2 ? any_constant(&m, 32) : any_value(&m, width, true));
    }
    Expr terms[5] = {m.vars[0], m.vars[1]};
    ExprKind kind = kinds[below(&m, 5)];
    terms[2] = kind == EXPR_FSQRT ? expr_unary(f->pool, kind, terms[0]) : expr_binary(f->pool, kind, terms[0], terms[1]);
    terms[3] = expr_convert(f->pool, below(&m, 2) ? EXPR_SITOF : EXPR_UITOF, m.vars[2], width);
    terms[4] = expr_convert(f->pool, EXPR_FCONVERT, expr_convert(f->pool, EXPR_FCONVERT, terms[below(&m, 4)], 96 - width), width);
    Expr integer = expr_convert(f->pool, below(&m, 2) ? EXPR_FTOSI : EXPR_FTOUI, terms[below(&m, 5)], 32);
    for (unsigned i = 3 + below(&m, 8); i > 0; i--) {
        Expr term = terms[below(&m, 5)], other = terms[below(&m, 5)];
        U128 near = expr_eval(f->model, term) + any_constant(&m, width / 2) - any_constant(&m, width / 2);
        if (below(&m, 4)) other = expr_const(f->pool, width, below(&m, 4) ? near : any_value(&m, width, true));
        Expr condition = expr_binary(f->pool, orders[below(&m, 4)], below(&m, 2) ? term : other, below(&m, 2) ? other : term);
        if (below(&m, 6) == 0) condition = expr_binary(f->pool, EXPR_SLT, integer, end_near(&m, integer));
        if (below(&m, 6) == 0) condition = expr_binary(f->pool, EXPR_SLT, m.vars[2], end_near(&m, m.vars[2]));
        if (!expr_eval(f->model, condition)) condition = expr_not(f->pool, condition);
        assert_true(add(f, condition));
    }
    if (f->conditions.len) {
        SolveAnswer answer = ask_all(f);
        if (answer == SOLVE_UNSAT) print_conditions(f, f->outcome.core.data, f->outcome.core.len);
        assert_int_equal(answer, SOLVE_UNKNOWN);
        check_domains(f);
    }
    fixture_restart(f);
}

static void float_operations_are_contracted(void **state)
{
    (void)state;
    Fixture f = fixture_new();
    Random random;
    random_seed(&random, 4);
    for (unsigned i = 0; i < 10000 * SCALE; i++) try_float_operation(&f, &random);
    fixture_release(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_sets),
        cmocka_unit_test(bytes_of_words_are_sets_too),
        cmocka_unit_test(tables_are_looked_up),
        cmocka_unit_test(large_tables_are_left_alone),
        cmocka_unit_test(intervals_of_ints),
        cmocka_unit_test(comparisons_form_chains),
        cmocka_unit_test(floats_are_ordered),
        cmocka_unit_test(logic_is_propagated),
        cmocka_unit_test(rewinding_forgets),
        cmocka_unit_test(effort_is_kept),
        cmocka_unit_test(keeps_planted_models),
        cmocka_unit_test(operations_are_contracted),
        cmocka_unit_test(float_operations_are_contracted),
        cmocka_unit_test(agrees_with_all_assignments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
