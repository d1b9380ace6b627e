/* expr_defined: when no uninitialised value decides an expression, and what finding that out costs. */
#include "expr/defined.h"

#include <stdlib.h>

/* After our headers: cmocka defines a macro named fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

typedef struct Setting {
    ExprPool *pool;
    ExprModel *model;
    ExprDefined defined;
    Expr c, x, u; /* a bit, a word, and a word that is not initialised */
} Setting;

static int begin(void **state)
{
    Setting *t = mem_alloc(sizeof *t);
    t->pool = expr_pool_new();
    t->model = expr_model_new(t->pool);
    t->c = expr_var(t->pool, 1, "c");
    t->x = expr_var(t->pool, 64, "x");
    t->u = expr_undef(t->pool, 64);
    *state = t;
    return 0;
}

static int end(void **state)
{
    Setting *t = *state;
    expr_check(t->pool);
    expr_defined_release(&t->defined);
    expr_model_free(t->model);
    expr_pool_free(t->pool);
    free(t);
    return 0;
}

static bool is_defined(Setting *t, Expr e, U128 c, U128 x)
{
    expr_model_set(t->model, t->c, c);
    expr_model_set(t->model, t->x, x);
    return expr_eval(t->model, expr_defined(&t->defined, t->pool, e)) != 0;
}

static void test_sides(void **state)
{
    Setting *t = *state;
    Expr choice = expr_ite(t->pool, t->c, t->x, t->u), sum = expr_add(t->pool, choice, t->x);
    assert_true(is_defined(t, t->x, 0, 0));
    assert_false(is_defined(t, t->u, 1, 0));
    assert_true(is_defined(t, sum, 1, 7));
    assert_false(is_defined(t, sum, 0, 7));
    assert_false(is_defined(t, expr_ite(t->pool, expr_eq(t->pool, t->u, t->x), sum, choice), 1, 7));
}

/* A conjunction that one side makes false is false, whatever the other. */
static void test_logic(void **state)
{
    Setting *t = *state;
    Expr unknown = expr_eq(t->pool, t->u, t->x);
    Expr both = expr_and(t->pool, t->c, unknown), either = expr_or(t->pool, t->c, unknown);
    assert_true(is_defined(t, both, 0, 0));
    assert_false(is_defined(t, both, 1, 0));
    assert_true(is_defined(t, either, 1, 0));
    assert_false(is_defined(t, either, 0, 0));
}

static void test_elements(void **state)
{
    Setting *t = *state;
    Expr elements[3] = {t->x, t->u, expr_const(t->pool, 64, 5)};
    Expr array = expr_array(t->pool, 64, elements, 3), stored = expr_store(t->pool, array, expr_add(t->pool, t->x, t->x), t->u);
    Expr read = expr_select(t->pool, array, t->x), changed = expr_select(t->pool, stored, t->x);
    assert_true(is_defined(t, read, 0, 0));
    assert_false(is_defined(t, read, 0, 1));
    assert_true(is_defined(t, read, 0, 2));
    assert_false(is_defined(t, changed, 0, 0));
    assert_true(is_defined(t, changed, 0, 2));
}

enum { ELEMENTS = 200, READS = 200 };

/* An array that is read again and again is looked at once, and so is what was asked about before. */
static void test_cost(void **state)
{
    Setting *t = *state;
    Expr elements[ELEMENTS], sum = t->x;
    for (unsigned i = 0; i < ELEMENTS; i++) elements[i] = expr_ite(t->pool, t->c, expr_const(t->pool, 64, i), i & 1 ? t->u : t->x);
    Expr array = expr_array(t->pool, 64, elements, ELEMENTS);
    for (unsigned i = 0; i < READS; i++) {
        Expr index = expr_binary(t->pool, EXPR_XOR, t->x, expr_const(t->pool, 64, 2 * (i % 64)));
        sum = expr_binary(t->pool, EXPR_MUL, expr_add(t->pool, sum, expr_const(t->pool, 64, i)), expr_select(t->pool, array, index));
        uint64_t before = expr_pool_work(t->pool);
        assert_false(is_defined(t, sum, 0, 1));
        assert_in_range(expr_pool_work(t->pool) - before, 1, i ? 32 : 8 * ELEMENTS);
    }
    assert_true(is_defined(t, sum, 0, 2));
}

/* Deeper than any recursion should go, and said exactly all the same. */
static void test_depth(void **state)
{
    Setting *t = *state;
    Expr e = expr_ite(t->pool, t->c, t->x, t->u);
    for (unsigned i = 0; i < 20000; i++) e = expr_binary(t->pool, EXPR_MUL, expr_binary(t->pool, EXPR_XOR, e, t->x), t->x);
    assert_true(is_defined(t, e, 1, 3));
    assert_false(is_defined(t, e, 0, 3));
}

static void test_forgotten(void **state)
{
    Setting *t = *state;
    uint32_t count = expr_pool_count(t->pool);
    assert_false(is_defined(t, expr_add(t->pool, t->u, t->x), 0, 0));
    expr_pool_rewind(t->pool, count);
    Expr y = expr_ite(t->pool, t->c, t->u, t->x);
    assert_true(is_defined(t, y, 0, 0));
    assert_false(is_defined(t, y, 1, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_sides, begin, end),    cmocka_unit_test_setup_teardown(test_logic, begin, end),
        cmocka_unit_test_setup_teardown(test_elements, begin, end), cmocka_unit_test_setup_teardown(test_cost, begin, end),
        cmocka_unit_test_setup_teardown(test_depth, begin, end),    cmocka_unit_test_setup_teardown(test_forgotten, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
