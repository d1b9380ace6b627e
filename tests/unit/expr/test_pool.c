/* The pool: sharing, inspection, flags, going back, text, deep expressions. */
#include "expr/expr.h"

/* After our headers: cmocka defines a macro named fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void equal_expressions_are_one(void **state)
{
    (void)state;
    ExprPool *pool = expr_pool_new();
    Expr x = expr_var(pool, 32, "x"), y = expr_var(pool, 32, "x");
    assert_int_not_equal(x, y);
    assert_int_equal(expr_add(pool, x, y), expr_add(pool, y, x));
    assert_int_equal(expr_const(pool, 8, 0x1ff), expr_const(pool, 8, 0xff));
    assert_int_not_equal(expr_const(pool, 8, 1), expr_const(pool, 9, 1));
    Expr wide = expr_const(pool, 128, (U128)1 << 127 | 5);
    assert_true(expr_value(pool, wide) == ((U128)1 << 127 | 5));
    assert_int_not_equal(expr_undef(pool, 8), expr_undef(pool, 8));
    expr_check(pool);
    expr_pool_free(pool);
}

static void nodes_can_be_looked_at(void **state)
{
    (void)state;
    ExprPool *pool = expr_pool_new();
    Expr x = expr_var(pool, 32, "first"), y = expr_var(pool, 32, "second");
    Expr product = expr_binary(pool, EXPR_MUL, x, y), part = expr_extract(pool, product, 8, 16);
    assert_int_equal(expr_kind(pool, part), EXPR_EXTRACT);
    assert_int_equal(expr_width(pool, part), 16);
    assert_int_equal(expr_extract_low(pool, part), 8);
    assert_int_equal(expr_operand(pool, part, 0), product);
    assert_int_equal(expr_operand(pool, product, 1), y);
    assert_int_equal(expr_var_count(pool), 2);
    assert_int_equal(expr_var_index(pool, y), 1);
    assert_int_equal(expr_var_at(pool, 1), y);
    assert_string_equal(expr_var_name(pool, y), "second");
    Expr list[3] = {x, y, x};
    const Expr *elements;
    Expr array = expr_array(pool, 32, list, 3);
    assert_int_equal(expr_elements(pool, array, &elements), 3);
    assert_memory_equal(elements, list, sizeof list);
    assert_int_equal(expr_array(pool, 32, list, 3), array);
    assert_int_not_equal(expr_array(pool, 32, list, 2), array);
    expr_check(pool);
    expr_pool_free(pool);
}

static U128 add_all(void *data, const U128 *arguments, uint32_t count)
{
    U128 sum = *(int *)data;
    for (uint32_t i = 0; i < count; i++) sum += arguments[i];
    return sum;
}

static void flags_are_inherited(void **state)
{
    (void)state;
    int zero = 0, one = 1;
    ExprFunction f = {"f", add_all, &zero}, g = {"g", add_all, &one};
    ExprPool *pool = expr_pool_new();
    Expr x = expr_var(pool, 32, "x"), u = expr_undef(pool, 32), seven = expr_const(pool, 32, 7);
    Expr call = expr_apply(pool, &f, 32, &x, 1), mixed = expr_add(pool, expr_add(pool, call, x), u);
    assert_false(expr_has_undef(pool, x) || expr_has_apply(pool, x));
    assert_true(expr_has_apply(pool, call));
    assert_false(expr_has_undef(pool, call));
    assert_true(expr_has_undef(pool, mixed) && expr_has_apply(pool, mixed));
    assert_true(expr_has_undef(pool, expr_array(pool, 32, &u, 1)));
    assert_ptr_equal(expr_function(pool, call), &f);
    assert_int_not_equal(call, expr_apply(pool, &g, 32, &x, 1));
    assert_int_equal(call, expr_apply(pool, &f, 32, &x, 1));
    assert_int_equal(expr_apply(pool, &g, 32, &seven, 1), expr_const(pool, 32, 8));
    assert_false(expr_has_undef(pool, expr_binary(pool, EXPR_SUB, u, u)));
    expr_check(pool);
    expr_pool_free(pool);
}

static void rewinding_forgets_everything_newer(void **state)
{
    (void)state;
    ExprPool *pool = expr_pool_new();
    Expr x = expr_var(pool, 64, "x");
    Expr kept = expr_add(pool, x, expr_const(pool, 64, 3));
    uint32_t mark = expr_pool_count(pool);
    for (int round = 0; round < 3; round++) {
        Expr y = expr_var(pool, 64, round ? "other" : "y"), list[2] = {x, y};
        assert_int_equal(y, mark);
        assert_int_equal(expr_var_index(pool, y), 1);
        Expr array = expr_array(pool, 64, list, 2);
        expr_select(pool, array, x);
        Expr chain = y;
        for (uint32_t i = 0; i < 5000; i++) chain = expr_binary(pool, EXPR_XOR, chain, expr_add(pool, x, expr_const(pool, 64, 100 + i)));
        expr_zext(pool, chain, 128);
        expr_check(pool);
        expr_pool_rewind(pool, mark);
        assert_int_equal(expr_pool_count(pool), mark);
        assert_int_equal(expr_var_count(pool), 1);
        expr_check(pool);
    }
    assert_int_equal(expr_add(pool, x, expr_const(pool, 64, 3)), kept);
    expr_pool_free(pool);
}

static void text_is_readable(void **state)
{
    (void)state;
    ExprPool *pool = expr_pool_new();
    StrBuf text = {0};
    Expr x = expr_var(pool, 32, "x"), y = expr_var(pool, 8, "y");
    expr_print(pool, expr_binary(pool, EXPR_ULT, expr_add(pool, x, expr_const(pool, 32, 5)), expr_sext(pool, y, 32)), &text);
    assert_string_equal(text.text, "(ult (add x 0x5:32) (sext 32 y))");
    strbuf_clear(&text);
    expr_print(pool, expr_extract(pool, x, 8, 16), &text);
    assert_string_equal(text.text, "(extract 8 16 x)");
    strbuf_clear(&text);
    expr_print(pool, expr_const(pool, 128, (U128)1 << 64), &text);
    assert_string_equal(text.text, "0x10000000000000000:128");
    strbuf_release(&text);
    expr_pool_free(pool);
}

enum { DEPTH = 1000000 };

static void a_million_levels_need_no_call_stack(void **state)
{
    (void)state;
    ExprPool *pool = expr_pool_new();
    Expr x = expr_var(pool, 64, "x"), y = expr_var(pool, 64, "y"), chain = x;
    uint64_t expected = 11;
    for (uint32_t i = 0; i < DEPTH; i++) {
        chain = expr_binary(pool, i % 2 ? EXPR_MUL : EXPR_XOR, chain, i % 2 ? y : expr_add(pool, y, expr_const(pool, 64, i + 1)));
        expected = i % 2 ? expected * 7 : expected ^ (7 + i + 1);
    }
    ExprModel *model = expr_model_new(pool);
    expr_model_set(model, x, 11);
    expr_model_set(model, y, 7);
    assert_true(expr_eval(model, chain) == expected);
    ExprKnown known = expr_known(pool, expr_zext(pool, chain, 65));
    assert_true(known.zeros == (U128)1 << 64);
    Expr low = expr_extract(pool, chain, 0, 8);
    assert_true(expr_eval(model, low) == (expected & 0xff));
    StrBuf text = {0};
    expr_print(pool, chain, &text);
    assert_true(text.len > DEPTH);
    strbuf_release(&text);
    expr_model_free(model);
    expr_pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_expressions_are_one), cmocka_unit_test(nodes_can_be_looked_at),
        cmocka_unit_test(flags_are_inherited),       cmocka_unit_test(rewinding_forgets_everything_newer),
        cmocka_unit_test(text_is_readable),          cmocka_unit_test(a_million_levels_need_no_call_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
