/* Simplification: what the rest of Clew relies on being one and the same expression. */
#include "base/arith.h"
#include "expr/expr.h"

/* After our headers: cmocka defines a macro named fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

typedef struct Fixture {
    ExprPool *pool;
    Expr x, y, b, c, zero, i; /* 32, 32, 8, 1, 32 and 64 bits */
} Fixture;

static int open_pool(void **state)
{
    Fixture *f = mem_alloc(sizeof *f);
    f->pool = expr_pool_new();
    f->x = expr_var(f->pool, 32, "x");
    f->y = expr_var(f->pool, 32, "y");
    f->b = expr_var(f->pool, 8, "b");
    f->c = expr_var(f->pool, 1, "c");
    f->zero = expr_const(f->pool, 32, 0);
    f->i = expr_var(f->pool, 64, "i");
    *state = f;
    return 0;
}

static int close_pool(void **state)
{
    Fixture *f = *state;
    expr_check(f->pool);
    expr_pool_free(f->pool);
    vec__free(f);
    return 0;
}

static Expr num(Fixture *f, U128 value)
{
    return expr_const(f->pool, 32, value);
}

static Expr op(Fixture *f, ExprKind kind, Expr a, Expr b)
{
    return expr_binary(f->pool, kind, a, b);
}

static void sums_cancel(void **state)
{
    Fixture *f = *state;
    Expr sum = expr_add(f->pool, f->x, f->y), x5 = expr_add(f->pool, f->x, num(f, 5));
    assert_int_equal(expr_add(f->pool, x5, num(f, 7)), expr_add(f->pool, f->x, num(f, 12)));
    assert_int_equal(op(f, EXPR_SUB, x5, num(f, 5)), f->x);
    assert_int_equal(op(f, EXPR_SUB, sum, f->x), f->y);
    assert_int_equal(op(f, EXPR_SUB, f->x, f->x), f->zero);
    assert_int_equal(op(f, EXPR_SUB, x5, expr_add(f->pool, f->x, num(f, 2))), num(f, 3));
    assert_int_equal(expr_add(f->pool, op(f, EXPR_SUB, f->x, f->y), f->y), f->x);
    assert_int_equal(op(f, EXPR_SUB, num(f, 9), op(f, EXPR_SUB, num(f, 4), f->x)), x5);
    assert_int_equal(expr_add(f->pool, x5, f->y), expr_add(f->pool, sum, num(f, 5)));
    assert_int_equal(expr_add(f->pool, expr_not(f->pool, f->x), num(f, 1)), op(f, EXPR_SUB, f->zero, f->x));
    assert_int_equal(op(f, EXPR_MUL, x5, num(f, 4)), expr_add(f->pool, op(f, EXPR_MUL, f->x, num(f, 4)), num(f, 20)));
}

static void shifts_and_powers_of_two_are_structure(void **state)
{
    Fixture *f = *state;
    Expr shifted = op(f, EXPR_SHL, f->x, num(f, 3));
    assert_int_equal(shifted, op(f, EXPR_MUL, f->x, num(f, 8)));
    assert_int_equal(expr_kind(f->pool, shifted), EXPR_CONCAT);
    assert_int_equal(op(f, EXPR_UDIV, f->x, num(f, 8)), op(f, EXPR_LSHR, f->x, num(f, 3)));
    assert_int_equal(op(f, EXPR_UREM, f->x, num(f, 8)), expr_and(f->pool, f->x, num(f, 7)));
    Expr wide = expr_sext(f->pool, f->x, 64), scaled = op(f, EXPR_MUL, wide, expr_const(f->pool, 64, 4));
    Expr index = op(f, EXPR_UDIV, scaled, expr_const(f->pool, 64, 4));
    assert_int_equal(index, expr_zext(f->pool, expr_sext(f->pool, f->x, 62), 64));
}

static void masks_and_bit_fields(void **state)
{
    Fixture *f = *state;
    assert_int_equal(expr_and(f->pool, f->x, num(f, 0xff)), expr_zext(f->pool, expr_extract(f->pool, f->x, 0, 8), 32));
    assert_int_equal(expr_and(f->pool, f->x, f->x), f->x);
    assert_int_equal(op(f, EXPR_XOR, f->x, f->x), f->zero);
    assert_int_equal(expr_not(f->pool, expr_not(f->pool, f->x)), f->x);
    assert_int_equal(expr_and(f->pool, f->x, expr_not(f->pool, f->x)), f->zero);
    Expr u = expr_undef(f->pool, 32);
    Expr field = expr_or(f->pool, expr_and(f->pool, u, num(f, ~(U128)0xf)), num(f, 5));
    assert_int_equal(expr_and(f->pool, field, num(f, 0xf)), num(f, 5));
    assert_true(expr_has_undef(f->pool, field));
    Expr four = expr_extract(f->pool, f->b, 0, 4), cleared = expr_and(f->pool, u, num(f, ~(U128)0xf0));
    Expr put = op(f, EXPR_SHL, expr_zext(f->pool, four, 32), num(f, 4)), word = expr_or(f->pool, cleared, put);
    assert_int_equal(expr_extract(f->pool, word, 4, 4), four);
    assert_int_equal(expr_and(f->pool, op(f, EXPR_LSHR, word, num(f, 4)), num(f, 0xf)), expr_zext(f->pool, four, 32));
}

static Expr load(Fixture *f, const Expr *bytes, unsigned count)
{
    Expr value = bytes[count - 1];
    for (unsigned k = count - 1; k-- > 0;) value = op(f, EXPR_CONCAT, value, bytes[k]);
    return value;
}

static Expr store_and_load(Fixture *f, Expr e)
{
    Expr bytes[16];
    unsigned count = expr_width(f->pool, e) / 8;
    for (unsigned k = 0; k < count; k++) bytes[k] = expr_extract(f->pool, e, k * 8, 8);
    return load(f, bytes, count);
}

static void bytes_put_together_are_the_value(void **state)
{
    Fixture *f = *state;
    Expr wide = expr_zext(f->pool, f->b, 32), sum = expr_add(f->pool, wide, num(f, 5));
    Expr values[] = {
        f->x,
        wide,
        sum,
        expr_sext(f->pool, f->b, 32),
        expr_not(f->pool, f->x),
        expr_and(f->pool, f->x, num(f, 0x00ffff00)),
        expr_and(f->pool, f->x, num(f, 0x55aa00ff)),
        op(f, EXPR_XOR, f->x, num(f, 0x80000001)),
        expr_add(f->pool, sum, wide),
        expr_ite(f->pool, f->c, num(f, 0x12345678), num(f, 0x9abcdef0)),
        expr_ite(f->pool, f->c, num(f, 1), f->zero),
        expr_ite(f->pool, f->c, f->x, num(f, 7)),
        expr_unary(f->pool, EXPR_CTPOP, f->x),
        op(f, EXPR_MUL, f->x, num(f, 12)),
        op(f, EXPR_LSHR, f->x, f->y),
        op(f, EXPR_ASHR, f->x, num(f, 5)),
        op(f, EXPR_FADD, f->x, f->y),
        f->i,
        expr_sext(f->pool, sum, 64),
        expr_zext(f->pool, f->c, 32),
        expr_undef(f->pool, 128),
    };
    for (unsigned k = 0; k < COUNT_OF(values); k++) assert_int_equal(store_and_load(f, values[k]), values[k]);
}

static void bytes_assembled_by_shifts_are_their_concatenation(void **state)
{
    Fixture *f = *state;
    Expr bytes[4], word = f->zero, sum = f->zero;
    for (unsigned k = 0; k < 4; k++) {
        bytes[k] = expr_var(f->pool, 8, "byte");
        Expr part = op(f, EXPR_SHL, expr_zext(f->pool, bytes[k], 32), num(f, 8 * k));
        word = expr_or(f->pool, word, part);
        sum = expr_add(f->pool, sum, part);
    }
    assert_int_equal(word, load(f, bytes, 4));
    assert_int_equal(sum, word);
    for (unsigned k = 0; k < 4; k++) assert_int_equal(expr_extract(f->pool, word, 8 * k, 8), bytes[k]);
}

static void equations_of_parts_are_one_equation(void **state)
{
    Fixture *f = *state;
    ExprPool *pool = f->pool;
    Expr product = op(f, EXPR_MUL, f->x, f->y), whole = expr_const(pool, 1, 1), back = whole;
    for (unsigned k = 0; k < 4; k++) {
        Expr part = expr_eq(pool, expr_extract(pool, product, 8 * k, 8), expr_const(pool, 8, 0x40 + k));
        whole = expr_and(pool, whole, part);
        back = expr_and(pool, part, back);
    }
    assert_int_equal(whole, expr_eq(pool, product, num(f, 0x43424140)));
    assert_int_equal(back, whole);
    Expr low = expr_eq(pool, expr_extract(pool, product, 0, 8), expr_const(pool, 8, 1));
    Expr far = expr_eq(pool, expr_extract(pool, product, 16, 8), expr_const(pool, 8, 2));
    assert_int_equal(expr_kind(pool, expr_and(pool, low, far)), EXPR_AND);
}

static void comparisons(void **state)
{
    Fixture *f = *state;
    ExprPool *pool = f->pool;
    Expr yes = expr_const(pool, 1, 1), no = expr_const(pool, 1, 0), wide = expr_zext(pool, f->b, 32), sign = expr_sext(pool, f->b, 32);
    Expr seven = expr_const(pool, 8, 7);
    assert_int_equal(expr_eq(pool, expr_add(pool, f->x, num(f, 5)), num(f, 9)), expr_eq(pool, f->x, num(f, 4)));
    assert_int_equal(expr_eq(pool, wide, num(f, 7)), expr_eq(pool, f->b, seven));
    assert_int_equal(expr_eq(pool, wide, num(f, 300)), no);
    assert_int_equal(expr_eq(pool, sign, num(f, 0xffffff80)), expr_eq(pool, f->b, expr_const(pool, 8, 0x80)));
    assert_int_equal(expr_eq(pool, sign, num(f, 0x80)), no);
    assert_int_equal(expr_eq(pool, expr_ite(pool, f->c, num(f, 3), num(f, 9)), num(f, 9)), expr_not(pool, f->c));
    assert_int_equal(expr_eq(pool, expr_ite(pool, f->c, num(f, 3), num(f, 9)), num(f, 4)), no);
    assert_int_equal(expr_eq(pool, f->c, yes), f->c);
    assert_int_equal(expr_eq(pool, expr_zext(pool, f->c, 32), f->zero), expr_not(pool, f->c));
    assert_int_equal(op(f, EXPR_ULT, wide, num(f, 256)), yes);
    assert_int_equal(op(f, EXPR_ULT, wide, num(f, 7)), op(f, EXPR_ULT, f->b, seven));
    assert_int_equal(op(f, EXPR_SLT, wide, num(f, 7)), op(f, EXPR_ULT, f->b, seven));
    assert_int_equal(op(f, EXPR_SLT, sign, num(f, 7)), op(f, EXPR_SLT, f->b, seven));
    assert_int_equal(op(f, EXPR_SLT, sign, num(f, 1000)), yes);
    assert_int_equal(op(f, EXPR_ULT, sign, num(f, 1000)), expr_not(pool, expr_extract(pool, f->b, 7, 1)));
    assert_int_equal(expr_not(pool, op(f, EXPR_ULT, f->x, f->y)), op(f, EXPR_ULE, f->y, f->x));
    assert_int_equal(expr_not(pool, op(f, EXPR_SLE, f->x, num(f, 3))), op(f, EXPR_SLT, num(f, 3), f->x));
    assert_int_equal(op(f, EXPR_ULT, f->x, num(f, 1)), expr_eq(pool, f->x, f->zero));
    assert_int_equal(expr_kind(pool, expr_not(pool, op(f, EXPR_FLT, f->x, f->y))), EXPR_NOT);
    assert_int_equal(expr_eq(pool, expr_and(pool, f->x, num(f, 0x80)), f->zero), expr_not(pool, expr_extract(pool, f->x, 7, 1)));
    Expr a = expr_var(pool, 8, "a"), pair = op(f, EXPR_CONCAT, a, f->b);
    Expr both = expr_and(pool, expr_eq(pool, a, seven), expr_eq(pool, f->b, expr_const(pool, 8, 9)));
    assert_int_equal(expr_eq(pool, pair, expr_const(pool, 16, 0x709)), both);
    Expr tail = op(f, EXPR_CONCAT, a, expr_const(pool, 8, 5));
    assert_int_equal(op(f, EXPR_ULT, tail, expr_const(pool, 16, 0x706)), op(f, EXPR_ULE, a, seven));
}

static void choices(void **state)
{
    Fixture *f = *state;
    ExprPool *pool = f->pool;
    Expr d = expr_var(pool, 1, "d");
    assert_int_equal(expr_ite(pool, f->c, f->x, f->x), f->x);
    assert_int_equal(expr_ite(pool, expr_not(pool, f->c), f->x, f->y), expr_ite(pool, f->c, f->y, f->x));
    assert_int_equal(expr_ite(pool, f->c, expr_ite(pool, f->c, f->x, f->zero), f->y), expr_ite(pool, f->c, f->x, f->y));
    assert_int_equal(expr_ite(pool, f->c, d, expr_const(pool, 1, 0)), expr_and(pool, f->c, d));
    assert_int_equal(expr_ite(pool, f->c, expr_const(pool, 1, 1), d), expr_or(pool, f->c, d));
    assert_int_equal(expr_ite(pool, f->c, num(f, 1), f->zero), expr_zext(pool, f->c, 32));
    assert_int_equal(expr_ite(pool, expr_eq(pool, f->x, f->y), f->x, f->y), f->y);
    assert_int_equal(expr_ite(pool, f->c, f->x, expr_ite(pool, d, f->x, f->y)), expr_ite(pool, expr_or(pool, f->c, d), f->x, f->y));
}

static void arrays(void **state)
{
    Fixture *f = *state;
    ExprPool *pool = f->pool;
    Expr list[3] = {f->x, f->y, f->zero}, same[2] = {f->x, f->x}, one = expr_const(pool, 64, 1), j = expr_var(pool, 64, "j");
    Expr array = expr_array(pool, 32, list, 3), uniform = expr_array(pool, 32, same, 2), bit = expr_zext(pool, f->c, 64);
    assert_int_equal(expr_select(pool, array, one), f->y);
    assert_int_equal(expr_select(pool, array, expr_const(pool, 64, 3)), f->zero);
    assert_int_equal(expr_select(pool, uniform, bit), f->x);
    assert_int_equal(expr_kind(pool, expr_select(pool, uniform, f->i)), EXPR_SELECT);
    Expr stored = expr_store(pool, array, one, num(f, 42));
    assert_int_equal(expr_select(pool, stored, one), num(f, 42));
    assert_int_equal(expr_select(pool, stored, expr_const(pool, 64, 0)), f->x);
    assert_int_equal(expr_store(pool, stored, one, f->x), expr_store(pool, array, one, f->x));
    assert_int_equal(expr_store(pool, array, expr_const(pool, 64, 3), f->x), array);
    Expr at_i = expr_store(pool, array, f->i, num(f, 7)), next = expr_add(pool, f->i, one);
    assert_int_equal(expr_select(pool, at_i, next), expr_select(pool, array, next));
    Expr inside = op(f, EXPR_ULT, f->i, expr_const(pool, 64, 3));
    assert_int_equal(expr_select(pool, at_i, f->i), expr_ite(pool, inside, num(f, 7), f->zero));
    assert_int_equal(expr_operand(pool, expr_select(pool, at_i, j), 0), at_i);
    assert_int_equal(expr_store(pool, at_i, j, expr_select(pool, at_i, j)), at_i);
    assert_int_equal(expr_select(pool, expr_store(pool, uniform, bit, num(f, 5)), bit), num(f, 5));
}

static void known_bits(void **state)
{
    Fixture *f = *state;
    ExprPool *pool = f->pool;
    ExprKnown known = expr_known(pool, expr_add(pool, expr_zext(pool, f->b, 32), num(f, 5)));
    assert_true(known.low == 5 && known.high == 260);
    assert_true(known.zeros == 0xfffffe00);
    known = expr_known(pool, op(f, EXPR_UREM, f->x, num(f, 10)));
    assert_true(known.high == 9);
    known = expr_known(pool, expr_or(pool, f->x, num(f, 0x50505)));
    assert_true(known.ones == 0x50505 && known.low == 0x50505);
    known = expr_known(pool, f->x);
    assert_true(!known.zeros && !known.ones && known.high == 0xffffffff);
    known = expr_known(pool, num(f, 6));
    assert_true(known.ones == 6 && known.low == 6 && known.high == 6);
    Expr table[2] = {num(f, 4), num(f, 6)};
    known = expr_known(pool, expr_select(pool, expr_array(pool, 32, table, 2), expr_zext(pool, f->c, 64)));
    assert_true(known.low == 4 && known.high == 6 && known.ones == 4);
    Expr small = op(f, EXPR_UREM, f->x, num(f, 10));
    assert_int_equal(op(f, EXPR_ULT, small, num(f, 10)), expr_const(pool, 1, 1));
    assert_int_equal(expr_eq(pool, small, num(f, 10)), expr_const(pool, 1, 0));
}

static void floats(void **state)
{
    Fixture *f = *state;
    ExprPool *pool = f->pool;
    Expr nan = num(f, arith_bits32(NAN)), one = num(f, arith_bits32(1.0f)), unordered = op(f, EXPR_FUNO, f->x, f->x);
    assert_int_equal(op(f, EXPR_FEQ, f->x, nan), expr_const(pool, 1, 0));
    assert_int_equal(op(f, EXPR_FUNO, f->x, nan), expr_const(pool, 1, 1));
    assert_int_equal(op(f, EXPR_FUNO, f->x, one), unordered);
    assert_int_equal(op(f, EXPR_FEQ, f->x, f->x), expr_not(pool, unordered));
    assert_int_equal(op(f, EXPR_FLT, f->x, f->x), expr_const(pool, 1, 0));
    Expr wide_x = expr_unary(pool, EXPR_FCONVERT, f->x), wide_y = expr_unary(pool, EXPR_FCONVERT, f->y);
    assert_int_equal(op(f, EXPR_FLT, wide_x, wide_y), op(f, EXPR_FLT, f->x, f->y));
    assert_int_not_equal(op(f, EXPR_FMUL, f->x, one), f->x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sums_cancel, open_pool, close_pool),
        cmocka_unit_test_setup_teardown(shifts_and_powers_of_two_are_structure, open_pool, close_pool),
        cmocka_unit_test_setup_teardown(masks_and_bit_fields, open_pool, close_pool),
        cmocka_unit_test_setup_teardown(bytes_put_together_are_the_value, open_pool, close_pool),
        cmocka_unit_test_setup_teardown(bytes_assembled_by_shifts_are_their_concatenation, open_pool, close_pool),
        cmocka_unit_test_setup_teardown(equations_of_parts_are_one_equation, open_pool, close_pool),
        cmocka_unit_test_setup_teardown(comparisons, open_pool, close_pool),
        cmocka_unit_test_setup_teardown(choices, open_pool, close_pool),
        cmocka_unit_test_setup_teardown(arrays, open_pool, close_pool),
        cmocka_unit_test_setup_teardown(known_bits, open_pool, close_pool),
        cmocka_unit_test_setup_teardown(floats, open_pool, close_pool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
