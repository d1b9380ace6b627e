/* Models: values, what is kept, what changing a variable and rewinding make invalid; the corner cases of the operators. */
#include "base/arith.h"
#include "expr/expr.h"

/* After our headers: cmocka defines a macro named fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static U128 count_calls(void *data, const U128 *arguments, uint32_t count)
{
    ++*(int *)data;
    return count ? arguments[0] * 3 : 0;
}

static void values_are_kept_until_a_variable_changes(void **state)
{
    (void)state;
    int calls = 0;
    ExprFunction f = {"f", count_calls, &calls};
    ExprPool *pool = expr_pool_new();
    Expr x = expr_var(pool, 32, "x"), call = expr_apply(pool, &f, 32, &x, 1);
    Expr sum = expr_add(pool, call, x);
    ExprModel *model = expr_model_new(pool);
    assert_true(expr_eval(model, sum) == 0);
    expr_model_set(model, x, 5);
    assert_true(expr_eval(model, sum) == 20);
    assert_true(expr_eval(model, call) == 15);
    assert_true(expr_eval(model, expr_binary(pool, EXPR_XOR, call, sum)) == (15 ^ 20));
    assert_int_equal(calls, 2);
    expr_model_set(model, x, 5);
    assert_true(expr_eval(model, sum) == 20);
    assert_int_equal(calls, 2);
    expr_model_set(model, x, 6);
    assert_true(expr_eval(model, sum) == 24);
    assert_int_equal(calls, 3);
    expr_model_free(model);
    expr_pool_free(pool);
}

static void a_copy_is_independent(void **state)
{
    (void)state;
    ExprPool *pool = expr_pool_new();
    Expr x = expr_var(pool, 128, "x"), twice = expr_add(pool, x, x);
    ExprModel *model = expr_model_new(pool);
    expr_model_set(model, x, (U128)9 << 100);
    ExprModel *copy = expr_model_copy(model);
    expr_model_set(model, x, 1);
    assert_true(expr_eval(copy, twice) == (U128)9 << 101);
    assert_true(expr_eval(model, twice) == 2);
    assert_true(expr_model_get(copy, x) == (U128)9 << 100);
    expr_model_free(copy);
    expr_model_free(model);
    expr_pool_free(pool);
}

static void rewinding_leaves_no_stale_values(void **state)
{
    (void)state;
    ExprPool *pool = expr_pool_new();
    Expr x = expr_var(pool, 32, "x");
    ExprModel *model = expr_model_new(pool), *late = expr_model_new(pool);
    expr_model_set(model, x, 10);
    Expr kept = expr_add(pool, x, expr_const(pool, 32, 1));
    assert_true(expr_eval(model, kept) == 11);
    uint32_t low = expr_pool_count(pool);
    for (uint32_t i = 0; i < 20; i++) {
        Expr y = expr_var(pool, 32, "y");
        assert_true(expr_model_get(model, y) == 0);
        assert_true(expr_eval(model, y) == 0);
        expr_model_set(model, y, 100 + i);
        Expr sum = expr_add(pool, y, kept);
        assert_true(expr_eval(model, sum) == 111 + i);
        uint32_t middle = expr_pool_count(pool);
        Expr product = expr_binary(pool, EXPR_MUL, sum, expr_const(pool, 32, 3 + 2 * i));
        assert_true(expr_eval(model, product) == (111 + i) * (3 + 2 * i));
        expr_pool_rewind(pool, middle);
        Expr other = expr_binary(pool, EXPR_MUL, sum, expr_const(pool, 32, 5 + 2 * i));
        assert_true(expr_eval(model, other) == (111 + i) * (5 + 2 * i));
        if (i % 2) assert_true(expr_eval(late, other) == 1 * (5 + 2 * i));
        expr_pool_rewind(pool, low);
        expr_pool_rewind(pool, low);
    }
    assert_true(expr_eval(model, kept) == 11);
    expr_model_free(model);
    expr_model_free(late);
    expr_pool_free(pool);
}

static U128 value_of(ExprKind kind, unsigned width, U128 a, U128 b)
{
    ExprPool *pool = expr_pool_new();
    Expr x = expr_var(pool, width, "x"), y = expr_var(pool, width, "y");
    Expr symbolic = expr_binary(pool, kind, x, y), folded = expr_binary(pool, kind, expr_const(pool, width, a), expr_const(pool, width, b));
    ExprModel *model = expr_model_new(pool);
    expr_model_set(model, x, a);
    expr_model_set(model, y, b);
    U128 value = expr_eval(model, symbolic);
    assert_true(expr_value(pool, folded) == value);
    expr_model_free(model);
    expr_pool_free(pool);
    return value;
}

static void corner_cases_follow_smt_lib(void **state)
{
    (void)state;
    assert_true(value_of(EXPR_UDIV, 8, 5, 0) == 0xff);
    assert_true(value_of(EXPR_UREM, 8, 5, 0) == 5);
    assert_true(value_of(EXPR_SDIV, 8, 5, 0) == 0xff);
    assert_true(value_of(EXPR_SDIV, 8, 0xfb, 0) == 1);
    assert_true(value_of(EXPR_SREM, 8, 0xfb, 0) == 0xfb);
    assert_true(value_of(EXPR_SDIV, 8, 0x80, 0xff) == 0x80);
    assert_true(value_of(EXPR_SREM, 8, 0x80, 0xff) == 0);
    assert_true(value_of(EXPR_SREM, 8, 0xf9, 3) == 0xff);
    assert_true(value_of(EXPR_SHL, 32, 1, 32) == 0);
    assert_true(value_of(EXPR_LSHR, 128, ~(U128)0, 127) == 1);
    assert_true(value_of(EXPR_ASHR, 16, 0x8000, 99) == 0xffff);
    assert_true(value_of(EXPR_SLT, 128, (U128)1 << 127, 0) == 1);
    assert_true(value_of(EXPR_CONCAT, 64, 1, 2) == ((U128)1 << 64 | 2));
}

static void floats_are_the_hosts(void **state)
{
    (void)state;
    assert_true(value_of(EXPR_FADD, 32, arith_bits32(0.1f), arith_bits32(0.2f)) == arith_bits32(0.1f + 0.2f));
    assert_true(value_of(EXPR_FDIV, 64, arith_bits64(1.0), arith_bits64(3.0)) == arith_bits64(1.0 / 3.0));
    assert_true(value_of(EXPR_FMUL, 80, arith_bits80(0.1L), arith_bits80(3.0L)) == arith_bits80(0.1L * 3.0L));
    assert_true(value_of(EXPR_FREM, 64, arith_bits64(-7.5), arith_bits64(2.0)) == arith_bits64(-1.5));
    assert_true(value_of(EXPR_FEQ, 64, arith_bits64(0.0), arith_bits64(-0.0)) == 1);
    assert_true(value_of(EXPR_FLE, 64, arith_bits64(NAN), arith_bits64(1.0)) == 0);
    assert_true(value_of(EXPR_FUNO, 32, arith_bits32(NAN), arith_bits32(1.0f)) == 1);
    ExprPool *pool = expr_pool_new();
    Expr minus = expr_const(pool, 64, arith_bits64(-1.5)), big = expr_const(pool, 32, arith_bits32(1e20f));
    assert_true(expr_value(pool, expr_convert(pool, EXPR_FTOSI, minus, 32)) == 0xffffffff);
    assert_true(expr_value(pool, expr_convert(pool, EXPR_FTOSI, big, 32)) == 0x80000000);
    assert_true(expr_value(pool, expr_unary(pool, EXPR_FCONVERT, minus)) == arith_bits32(-1.5f));
    assert_true(expr_value(pool, expr_convert(pool, EXPR_FCONVERT, minus, 80)) == arith_bits80(-1.5L));
    assert_true(expr_value(pool, expr_convert(pool, EXPR_SITOF, expr_const(pool, 8, 0xff), 64)) == arith_bits64(-1.0));
    assert_true(expr_value(pool, expr_convert(pool, EXPR_UITOF, expr_const(pool, 8, 0xff), 64)) == arith_bits64(255.0));
    expr_pool_free(pool);
}

static void only_the_taken_arm_is_evaluated(void **state)
{
    (void)state;
    int calls = 0;
    ExprFunction f = {"f", count_calls, &calls};
    ExprPool *pool = expr_pool_new();
    Expr c = expr_var(pool, 1, "c"), x = expr_var(pool, 32, "x");
    Expr choice = expr_ite(pool, c, expr_apply(pool, &f, 32, &x, 1), x);
    ExprModel *model = expr_model_new(pool);
    expr_model_set(model, x, 4);
    assert_true(expr_eval(model, choice) == 4);
    assert_int_equal(calls, 0);
    expr_model_set(model, c, 1);
    assert_true(expr_eval(model, choice) == 12);
    assert_int_equal(calls, 1);
    expr_model_free(model);
    expr_pool_free(pool);
}

static void arrays_are_read_through_writes(void **state)
{
    (void)state;
    enum { STORES = 100000 };
    ExprPool *pool = expr_pool_new();
    Expr i = expr_var(pool, 64, "i"), j = expr_var(pool, 64, "j"), v = expr_var(pool, 8, "v"), table[4];
    for (unsigned k = 0; k < 4; k++) table[k] = expr_const(pool, 8, 10 + k);
    Expr array = expr_array(pool, 8, table, 4), written = expr_store(pool, array, i, v), read = expr_select(pool, written, j);
    ExprModel *model = expr_model_new(pool);
    expr_model_set(model, v, 99);
    expr_model_set(model, i, 2);
    for (unsigned k = 0; k < 6; k++) {
        expr_model_set(model, j, k);
        assert_true(expr_eval(model, read) == (k == 2 ? 99 : k < 4 ? 10 + k : 0));
    }
    expr_model_set(model, i, 7);
    expr_model_set(model, j, 7);
    assert_true(expr_eval(model, read) == 0);
    for (uint64_t k = 0; k < STORES; k++) /* index i ^ k: written last where it is 3 */
        written = expr_store(pool, written, expr_binary(pool, EXPR_XOR, i, expr_const(pool, 64, k)), expr_const(pool, 8, k));
    expr_model_set(model, i, 0x10000);
    expr_model_set(model, j, 3);
    assert_true(expr_eval(model, expr_select(pool, written, j)) == (0x10003 & 0xff));
    expr_check(pool);
    expr_model_free(model);
    expr_pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_kept_until_a_variable_changes),
        cmocka_unit_test(a_copy_is_independent),
        cmocka_unit_test(rewinding_leaves_no_stale_values),
        cmocka_unit_test(corner_cases_follow_smt_lib),
        cmocka_unit_test(floats_are_the_hosts),
        cmocka_unit_test(only_the_taken_arm_is_evaluated),
        cmocka_unit_test(arrays_are_read_through_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
