/* expr_translate: what is rebuilt means the same, in another pool and in the same one, also where other expressions take the place of some. */
#include "../../fuzz/formulas.h"

#include <pthread.h>

/* After our headers: cmocka defines a macro named fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { ROOTS = 400, MODELS = 3, ROUNDS = 300 };

/* A pool full of random expressions; the roots are its newest values. */
typedef struct Filled {
    ExprPool *pool;
    Formulas f;
    Expr roots[ROOTS];
    uint32_t count;
} Filled;

static void fill(Filled *x, uint64_t seed)
{
    x->pool = expr_pool_new();
    formulas_init(&x->f, x->pool, seed);
    x->f.floats = seed % 3 == 0;
    x->f.applies = true;
    if (seed % 4 == 0) x->f.vars[0] = expr_undef(x->pool, 32);
    for (int i = 0; i < 4; i++) (void)formulas_next(&x->f);
    x->count = 0;
    for (Expr e = expr_pool_count(x->pool) - 1; e > 0 && x->count < ROOTS; e--) {
        ExprKind kind = expr_kind(x->pool, e);
        if (kind != EXPR_ARRAY && kind != EXPR_STORE) x->roots[x->count++] = e;
    }
}

static void empty(Filled *x)
{
    formulas_release(&x->f);
    expr_pool_free(x->pool);
}

static void translate_all(ExprTranslation *t, const Filled *x, Expr *again)
{
    for (uint32_t i = 0; i < x->count; i++) {
        again[i] = expr_translate(t, x->roots[i]);
        assert_int_equal(expr_width(t->to, again[i]), expr_width(x->pool, x->roots[i]));
        assert_int_equal(expr_translated(t, x->roots[i]), again[i]);
    }
}

/* Gives each variable of the original the value that what it has become has under a random model there. */
static void compose_model(Filled *x, ExprTranslation *t, ExprModel *here, ExprModel *there, uint32_t variables)
{
    for (uint32_t i = 0; i < expr_var_count(t->to); i++) {
        Expr var = expr_var_at(t->to, i);
        expr_model_set(there, var, formulas_value(&x->f, expr_width(t->to, var)));
    }
    for (uint32_t i = 0; i < variables; i++) {
        Expr var = expr_var_at(x->pool, i), becomes = expr_translated(t, var);
        if (becomes) expr_model_set(here, var, expr_eval(there, becomes));
    }
}

static void same_values(Filled *x, ExprTranslation *t, const Expr *again, uint32_t variables)
{
    ExprModel *here = expr_model_new(x->pool), *there = expr_model_new(t->to);
    for (int m = 0; m < MODELS; m++) {
        compose_model(x, t, here, there, variables);
        for (uint32_t i = 0; i < x->count; i++) assert_true(expr_eval(here, x->roots[i]) == expr_eval(there, again[i]));
    }
    expr_model_free(here);
    expr_model_free(there);
}

static void mark_kinds(const ExprPool *pool, bool *seen)
{
    for (Expr e = 1; e < expr_pool_count(pool); e++) seen[expr_kind(pool, e)] = true;
}

/* ---- meaning ---- */

static void another_pool_means_the_same(void **state)
{
    (void)state;
    bool seen[EXPR_KINDS] = {[EXPR_NONE] = true};
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        Filled x;
        Expr again[ROOTS];
        ExprTranslation t;
        fill(&x, seed);
        ExprPool *other = expr_pool_new();
        expr_translation_init(&t, x.pool, other);
        translate_all(&t, &x, again);
        same_values(&x, &t, again, expr_var_count(x.pool));
        mark_kinds(other, seen);
        expr_check(other);
        expr_translation_release(&t);
        expr_pool_free(other);
        empty(&x);
    }
    for (unsigned kind = 0; kind < EXPR_KINDS; kind++) assert_true(seen[kind]);
}

static void another_pool_with_expressions_for_variables(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        Filled x;
        Expr again[ROOTS];
        ExprTranslation t;
        Formulas put;
        fill(&x, seed);
        ExprPool *other = expr_pool_new();
        formulas_init(&put, other, seed + ROUNDS);
        expr_translation_init(&t, x.pool, other);
        for (uint32_t i = 0; i < expr_var_count(x.pool); i++) {
            Expr var = expr_var_at(x.pool, i);
            if (i % 3 != 2) expr_translation_set(&t, var, formulas_term(&put, 3, expr_width(x.pool, var)));
        }
        translate_all(&t, &x, again);
        same_values(&x, &t, again, expr_var_count(x.pool));
        expr_check(other);
        expr_translation_release(&t);
        formulas_release(&put);
        expr_pool_free(other);
        empty(&x);
    }
}

/* The expressions that are put contain new variables and nothing else, so that one model serves both sides. */
static void the_same_pool_with_expressions_for_variables(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        Filled x;
        Expr again[ROOTS];
        ExprTranslation t;
        Formulas put;
        fill(&x, seed);
        uint32_t variables = expr_var_count(x.pool);
        formulas_init(&put, x.pool, seed + ROUNDS);
        expr_translation_init(&t, x.pool, x.pool);
        for (uint32_t i = 0; i < variables; i++) {
            Expr var = expr_var_at(x.pool, i);
            expr_translation_set(&t, var, formulas_term(&put, 3, expr_width(x.pool, var)));
        }
        translate_all(&t, &x, again);
        same_values(&x, &t, again, variables);
        expr_check(x.pool);
        expr_translation_release(&t);
        formulas_release(&put);
        empty(&x);
    }
}

static void constants_fold(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        Filled x;
        ExprTranslation t;
        fill(&x, seed);
        ExprPool *to = seed % 2 ? x.pool : expr_pool_new();
        ExprModel *model = expr_model_new(x.pool);
        expr_translation_init(&t, x.pool, to);
        for (uint32_t i = 0; i < expr_var_count(x.pool); i++) {
            Expr var = expr_var_at(x.pool, i);
            unsigned width = expr_width(x.pool, var);
            U128 value = formulas_value(&x.f, width);
            expr_model_set(model, var, value);
            expr_translation_set(&t, var, expr_const(to, width, value));
        }
        for (uint32_t i = 0; i < x.count; i++) {
            Expr e = expr_translate(&t, x.roots[i]);
            if (expr_has_undef(x.pool, x.roots[i])) continue;
            if (!expr_has_apply(x.pool, x.roots[i])) assert_true(expr_is_const(to, e));
            if (expr_is_const(to, e)) assert_true(expr_value(to, e) == expr_eval(model, x.roots[i]));
        }
        expr_model_free(model);
        expr_translation_release(&t);
        if (to != x.pool) expr_pool_free(to);
        empty(&x);
    }
}

static void all_are_replaced_at_once(void **state)
{
    (void)state;
    ExprPool *pool = expr_pool_new();
    Expr x = expr_var(pool, 32, "x"), y = expr_var(pool, 32, "y"), inner = expr_binary(pool, EXPR_UDIV, x, y);
    Expr outer = expr_binary(pool, EXPR_UREM, inner, x);
    ExprTranslation t;
    expr_translation_init(&t, pool, pool);
    expr_translation_set(&t, x, y);
    expr_translation_set(&t, y, x);
    assert_int_equal(expr_translated(&t, inner), 0);
    assert_int_equal(expr_translate(&t, inner), expr_binary(pool, EXPR_UDIV, y, x));
    assert_int_equal(expr_translate(&t, outer), expr_binary(pool, EXPR_UREM, expr_binary(pool, EXPR_UDIV, y, x), y));
    assert_int_equal(expr_translate(&t, x), y);
    expr_translation_release(&t);
    /* Something that is no variable is replaced as a whole. */
    expr_translation_init(&t, pool, pool);
    expr_translation_set(&t, inner, expr_const(pool, 32, 5));
    assert_int_equal(expr_translate(&t, outer), expr_binary(pool, EXPR_UREM, expr_const(pool, 32, 5), x));
    expr_translation_release(&t);
    expr_pool_free(pool);
}

/* ---- callbacks ---- */

typedef struct Asked {
    ExprPool *from, *to;
    uint32_t variables, undefs;
    Expr undef;
} Asked;

static Expr on_variable(void *data, Expr e)
{
    Asked *asked = data;
    asked->variables++;
    return expr_const(asked->to, expr_width(asked->from, e), 7);
}

static Expr on_undef(void *data, unsigned width)
{
    Asked *asked = data;
    asked->undefs++;
    return expr_extract(asked->to, asked->undef, 0, width);
}

static void what_is_not_set_is_asked_for_once(void **state)
{
    (void)state;
    ExprPool *from = expr_pool_new(), *to = expr_pool_new();
    Expr x = expr_var(from, 32, "x"), y = expr_var(from, 32, "y"), u = expr_undef(from, 32), z = expr_var(to, 32, "z");
    Asked asked = {.from = from, .to = to, .undef = expr_undef(to, 64)};
    ExprTranslation t;
    expr_translation_init(&t, from, to);
    t.variable = on_variable;
    t.undef = on_undef;
    t.data = &asked;
    expr_translation_set(&t, y, z);
    Expr e = expr_binary(from, EXPR_UDIV, expr_add(from, x, u), expr_binary(from, EXPR_XOR, expr_binary(from, EXPR_UREM, u, x), y));
    Expr seven = expr_const(to, 32, 7), v = expr_extract(to, asked.undef, 0, 32);
    Expr expected = expr_binary(to, EXPR_UDIV, expr_add(to, seven, v), expr_binary(to, EXPR_XOR, expr_binary(to, EXPR_UREM, v, seven), z));
    assert_int_equal(expr_translate(&t, e), expected);
    assert_int_equal(expr_translate(&t, expr_binary(from, EXPR_UDIV, u, x)), expr_binary(to, EXPR_UDIV, v, seven));
    assert_true(asked.variables == 1 && asked.undefs == 1);
    expr_translation_release(&t);
    expr_pool_free(from);
    expr_pool_free(to);
}

static void in_the_same_pool_variables_are_asked_for(void **state)
{
    (void)state;
    ExprPool *pool = expr_pool_new();
    Expr x = expr_var(pool, 32, "x"), y = expr_var(pool, 32, "y"), z = expr_var(pool, 32, "z"), u = expr_undef(pool, 32);
    Expr e = expr_binary(pool, EXPR_UDIV, expr_add(pool, x, u), expr_binary(pool, EXPR_XOR, expr_binary(pool, EXPR_UREM, u, x), y));
    Asked asked = {.from = pool, .to = pool};
    ExprTranslation t;
    expr_translation_init(&t, pool, pool);
    t.variable = on_variable;
    t.undef = on_undef;
    t.data = &asked;
    expr_translation_set(&t, y, z);
    Expr seven = expr_const(pool, 32, 7);
    Expr expected =
        expr_binary(pool, EXPR_UDIV, expr_add(pool, seven, u), expr_binary(pool, EXPR_XOR, expr_binary(pool, EXPR_UREM, u, seven), z));
    assert_int_equal(expr_translate(&t, e), expected);
    assert_int_equal(expr_translate(&t, x), seven);
    assert_int_equal(expr_translate(&t, u), u);
    assert_int_equal(expr_translate(&t, expr_binary(pool, EXPR_UDIV, x, y)), expr_binary(pool, EXPR_UDIV, seven, z));
    assert_true(asked.variables == 1 && asked.undefs == 0);
    expr_translation_release(&t);
    expr_pool_free(pool);
}

static Expr on_variable_that_stays(void *data, Expr e)
{
    (void)e;
    ((Asked *)data)->variables++;
    return 0;
}

static void in_the_same_pool_variables_may_stay(void **state)
{
    (void)state;
    ExprPool *pool = expr_pool_new();
    Expr x = expr_var(pool, 32, "x"), y = expr_var(pool, 1, "y"), u = expr_undef(pool, 32);
    Expr e = expr_ite(pool, y, expr_binary(pool, EXPR_UDIV, x, u), expr_binary(pool, EXPR_UREM, u, x));
    Asked asked = {.from = pool, .to = pool};
    ExprTranslation t;
    expr_translation_init(&t, pool, pool);
    t.variable = on_variable_that_stays;
    t.undef = on_undef;
    t.data = &asked;
    uint32_t before = expr_pool_count(pool);
    assert_int_equal(expr_translate(&t, e), e);
    assert_int_equal(expr_translate(&t, x), x);
    assert_int_equal(expr_pool_count(pool), before);
    assert_true(asked.variables == 2 && asked.undefs == 0);
    expr_translation_release(&t);
    /* Without a callback nothing is asked for at all. */
    expr_translation_init(&t, pool, pool);
    t.undef = on_undef;
    t.data = &asked;
    assert_int_equal(expr_translate(&t, e), e);
    assert_int_equal(expr_pool_count(pool), before);
    assert_true(asked.variables == 2 && asked.undefs == 0);
    expr_translation_release(&t);
    expr_pool_free(pool);
}

enum { BUILT = 50000 };

/* Its successor; so much is built besides that all tables grow. */
static Expr on_variable_that_grows(void *data, Expr e)
{
    Asked *asked = data;
    unsigned width = expr_width(asked->to, e);
    Expr list[3] = {e, e, e};
    for (uint64_t i = 0; i < BUILT; i++) {
        (void)expr_const(asked->to, 128, (U128)i << 64 | asked->variables);
        if (i % 16) continue;
        list[1] = expr_const(asked->to, width, i * 3 + asked->variables);
        (void)expr_array(asked->to, width, list, 3);
    }
    asked->variables++;
    return expr_add(asked->to, e, expr_const(asked->to, width, 1));
}

/* Also where the variables are elements and arguments; what a variable becomes is not translated in its turn. */
static void in_the_same_pool_callbacks_may_build(void **state)
{
    (void)state;
    ExprPool *pool = expr_pool_new();
    Expr v[3], next[3], roots[3], expected[3], index = expr_var(pool, 64, "i"), one = expr_const(pool, 32, 1);
    for (int i = 0; i < 3; i++) v[i] = expr_var(pool, 32, "v");
    for (int i = 0; i < 3; i++) next[i] = expr_add(pool, v[i], one);
    Expr after = expr_add(pool, index, expr_const(pool, 64, 1));
    roots[0] = expr_select(pool, expr_array(pool, 32, v, 3), index);
    expected[0] = expr_select(pool, expr_array(pool, 32, next, 3), after);
    roots[1] = expr_apply(pool, &formulas_function, 32, v, 2);
    expected[1] = expr_apply(pool, &formulas_function, 32, next, 2);
    roots[2] = expr_binary(pool, EXPR_UDIV, expr_binary(pool, EXPR_MUL, v[0], v[1]), next[2]);
    expected[2] = expr_binary(pool, EXPR_UDIV, expr_binary(pool, EXPR_MUL, next[0], next[1]), expr_add(pool, next[2], one));
    Asked asked = {.from = pool, .to = pool};
    ExprTranslation t;
    expr_translation_init(&t, pool, pool);
    t.variable = on_variable_that_grows;
    t.data = &asked;
    for (int i = 0; i < 3; i++) assert_int_equal(expr_translate(&t, roots[i]), expected[i]);
    assert_int_equal(asked.variables, 4);
    expr_check(pool);
    expr_translation_release(&t);
    expr_pool_free(pool);
}

typedef struct Putting {
    ExprPool *pool;
    Formulas put;
    uint32_t variables; /* the older ones get something; the younger ones stay */
    uint64_t stay;      /* and so do these */
} Putting;

static Expr on_variable_at_random(void *data, Expr e)
{
    Putting *putting = data;
    uint32_t index = expr_var_index(putting->pool, e);
    assert_true(index < putting->variables);
    return putting->stay >> index & 1 ? 0 : formulas_term(&putting->put, 3, expr_width(putting->pool, e));
}

static void in_the_same_pool_callbacks_mean_the_same(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        Filled x;
        Expr again[ROOTS];
        ExprTranslation t;
        fill(&x, seed);
        Putting putting = {.pool = x.pool, .variables = expr_var_count(x.pool), .stay = seed};
        formulas_init(&putting.put, x.pool, seed + ROUNDS);
        expr_translation_init(&t, x.pool, x.pool);
        t.variable = on_variable_at_random;
        t.data = &putting;
        translate_all(&t, &x, again);
        same_values(&x, &t, again, putting.variables);
        expr_check(x.pool);
        expr_translation_release(&t);
        formulas_release(&putting.put);
        empty(&x);
    }
}

static void without_callbacks_leaves_are_new(void **state)
{
    (void)state;
    ExprPool *from = expr_pool_new(), *to = expr_pool_new();
    Expr x = expr_var(from, 16, "x"), u = expr_undef(from, 16), v = expr_undef(from, 16);
    Expr there = expr_var(to, 16, "x");
    ExprTranslation t;
    expr_translation_init(&t, from, to);
    Expr a = expr_translate(&t, x), b = expr_translate(&t, u), c = expr_translate(&t, v);
    assert_true(a != there && b != c);
    assert_string_equal(expr_var_name(to, a), "x");
    assert_true(expr_kind(to, b) == EXPR_UNDEF && expr_kind(to, c) == EXPR_UNDEF);
    assert_true(expr_translate(&t, x) == a && expr_translate(&t, u) == b);
    assert_int_equal(expr_translate(&t, expr_const(from, 9, 300)), expr_const(to, 9, 300));
    expr_translation_release(&t);
    expr_pool_free(from);
    expr_pool_free(to);
}

/* ---- cost ---- */

enum { DEEP = 100000, SHARED = 10000 };

typedef struct Deep {
    ExprTranslation t;
    Expr roots[3], again[3];
} Deep;

static void *translate_deep(void *data)
{
    Deep *deep = data;
    for (int i = 0; i < 3; i++) deep->again[i] = expr_translate(&deep->t, deep->roots[i]);
    return NULL;
}

static void build_deep(ExprPool *pool, Expr x, Expr y, Expr *roots)
{
    Expr deep = x, shared = x, array = expr_array(pool, 64, (Expr[]){x, y, x}, 3);
    for (uint64_t i = 0; i < DEEP; i++) {
        deep = expr_binary(pool, EXPR_XOR, y, expr_binary(pool, EXPR_MUL, deep, expr_const(pool, 64, 2 * i + 3)));
        array = expr_store(pool, array, expr_binary(pool, EXPR_XOR, y, expr_const(pool, 64, i % 1000)), deep);
    }
    for (int i = 0; i < SHARED; i++) shared = expr_binary(pool, EXPR_UDIV, shared, expr_binary(pool, EXPR_XOR, shared, y));
    roots[0] = deep;
    roots[1] = shared;
    roots[2] = expr_select(pool, array, x);
}

/* With a stack that would not hold a frame for each level; a shared node is rebuilt once. */
static void depth_costs_no_stack_and_sharing_stays(void **state)
{
    (void)state;
    ExprPool *pool = expr_pool_new(), *other = expr_pool_new();
    Expr x = expr_var(pool, 64, "x"), y = expr_var(pool, 64, "y");
    Deep deep;
    pthread_attr_t attributes;
    pthread_t thread;
    build_deep(pool, x, y, deep.roots);
    expr_translation_init(&deep.t, pool, other);
    pthread_attr_init(&attributes);
    assert_int_equal(pthread_attr_setstacksize(&attributes, 256 * 1024), 0);
    assert_int_equal(pthread_create(&thread, &attributes, translate_deep, &deep), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    assert_in_range(expr_pool_count(other), DEEP, expr_pool_count(pool));
    uint32_t after = expr_pool_count(other);
    for (int i = 0; i < 3; i++) assert_int_equal(expr_translate(&deep.t, deep.roots[i]), deep.again[i]);
    assert_int_equal(expr_pool_count(other), after);
    ExprModel *here = expr_model_new(pool), *there = expr_model_new(other);
    for (uint64_t value = 0; value < 3; value++) {
        expr_model_set(here, x, value);
        expr_model_set(there, expr_translated(&deep.t, x), value);
        expr_model_set(here, y, 1000 - value);
        expr_model_set(there, expr_translated(&deep.t, y), 1000 - value);
        for (int i = 0; i < 3; i++) assert_true(expr_eval(here, deep.roots[i]) == expr_eval(there, deep.again[i]));
    }
    expr_model_free(here);
    expr_model_free(there);
    expr_translation_release(&deep.t);
    expr_pool_free(other);
    expr_pool_free(pool);
}

/* Nodes that do not contain what was replaced are themselves; those that do are rebuilt, and the others of the pool stay as they are. */
static void the_same_pool_grows_by_what_changes(void **state)
{
    (void)state;
    ExprPool *pool = expr_pool_new();
    Expr x = expr_var(pool, 64, "x"), y = expr_var(pool, 64, "y"), z = expr_var(pool, 64, "z"), still = y, roots[3];
    build_deep(pool, x, y, roots);
    for (int i = 0; i < SHARED; i++) still = expr_binary(pool, EXPR_UDIV, still, expr_binary(pool, EXPR_XOR, still, y));
    ExprTranslation t;
    expr_translation_init(&t, pool, pool);
    expr_translation_set(&t, x, z);
    uint32_t before = expr_pool_count(pool);
    assert_int_equal(expr_translate(&t, still), still);
    assert_int_equal(expr_pool_count(pool), before);
    Expr shared = expr_translate(&t, roots[1]);
    assert_true(shared != roots[1]);
    assert_in_range(expr_pool_count(pool) - before, SHARED, 2 * SHARED + 10);
    expr_translation_release(&t);
    expr_pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_pool_means_the_same),
        cmocka_unit_test(another_pool_with_expressions_for_variables),
        cmocka_unit_test(the_same_pool_with_expressions_for_variables),
        cmocka_unit_test(constants_fold),
        cmocka_unit_test(all_are_replaced_at_once),
        cmocka_unit_test(what_is_not_set_is_asked_for_once),
        cmocka_unit_test(in_the_same_pool_variables_are_asked_for),
        cmocka_unit_test(in_the_same_pool_variables_may_stay),
        cmocka_unit_test(in_the_same_pool_callbacks_may_build),
        cmocka_unit_test(in_the_same_pool_callbacks_mean_the_same),
        cmocka_unit_test(without_callbacks_leaves_are_new),
        cmocka_unit_test(depth_costs_no_stack_and_sharing_stays),
        cmocka_unit_test(the_same_pool_grows_by_what_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
