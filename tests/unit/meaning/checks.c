/* meaning: overflow and definedness conditions against the plain statement of what they mean, over all operands of small widths. */
#include "base/arith.h"
#include "meaning/meaning.h"

#include <setjmp.h>
#include <stdio.h>

#include <cmocka.h>

enum { WIDTH = 4, VALUES = 1 << WIDTH };

typedef struct Pair {
    ExprPool *pool;
    ExprModel *model;
    Expr a, b;
} Pair;

static void pair_init(Pair *p, unsigned width)
{
    p->pool = expr_pool_new();
    p->model = expr_model_new(p->pool);
    p->a = expr_var(p->pool, width, "a");
    p->b = expr_var(p->pool, width, "b");
}

static void pair_release(Pair *p)
{
    expr_model_free(p->model);
    expr_pool_free(p->pool);
}

static unsigned value_at(Pair *p, Expr e, unsigned a, unsigned b)
{
    expr_model_set(p->model, p->a, a);
    expr_model_set(p->model, p->b, b);
    return (unsigned)expr_eval(p->model, e);
}

/* The exact result as a number, without any width. */
static int exact(Opcode op, unsigned a, unsigned b)
{
    bool is_signed = op == OP_SADDO || op == OP_SSUBO || op == OP_SMULO || op == OP_ADD || op == OP_SUB || op == OP_MUL;
    int x = is_signed ? (int)arith_sext64(a, WIDTH) : (int)a, y = is_signed ? (int)arith_sext64(b, WIDTH) : (int)b;
    switch (op) {
    case OP_SADDO:
    case OP_UADDO:
    case OP_ADD: return x + y;
    case OP_SSUBO:
    case OP_USUBO:
    case OP_SUB: return x - y;
    default: return x * y;
    }
}

static bool fits(Opcode op, int number)
{
    bool is_unsigned = op == OP_UADDO || op == OP_USUBO || op == OP_UMULO;
    return is_unsigned ? number >= 0 && number < VALUES : number >= -VALUES / 2 && number < VALUES / 2;
}

static void overflow_means_that_the_result_does_not_fit(void **state)
{
    (void)state;
    static const Opcode ops[] = {OP_SADDO, OP_UADDO, OP_SSUBO, OP_USUBO, OP_SMULO, OP_UMULO, OP_ADD, OP_SUB, OP_MUL};
    for (size_t k = 0; k < COUNT_OF(ops); k++) {
        Pair p;
        pair_init(&p, WIDTH);
        Expr overflow = meaning_overflow(p.pool, &(Instr){.op = (uint8_t)ops[k], .width = WIDTH}, p.a, p.b);
        assert_int_equal(expr_width(p.pool, overflow), 1);
        for (unsigned a = 0; a < VALUES; a++)
            for (unsigned b = 0; b < VALUES; b++) assert_int_equal(value_at(&p, overflow, a, b), !fits(ops[k], exact(ops[k], a, b)));
        pair_release(&p);
    }
}

static void wide_products_overflow_as_narrow_ones_do(void **state)
{
    (void)state;
    Pair p;
    pair_init(&p, 100); /* twice the width does not fit an expression */
    U128 half = (U128)1 << 99;
    const U128 corners[] = {0, 1, 2, half - 1, half, half + 1, arith_mask(100), (U128)1 << 50, ((U128)1 << 50) - 1, 3};
    Expr overflow = meaning_overflow(p.pool, &(Instr){.op = OP_SMULO, .width = 100}, p.a, p.b);
    Expr carries = meaning_overflow(p.pool, &(Instr){.op = OP_UMULO, .width = 100}, p.a, p.b);
    for (size_t i = 0; i < COUNT_OF(corners); i++)
        for (size_t k = 0; k < COUNT_OF(corners); k++) {
            I128 product;
            U128 natural;
            bool wraps = __builtin_mul_overflow(arith_sext(corners[i], 100), arith_sext(corners[k], 100), &product);
            bool wide = __builtin_mul_overflow(corners[i], corners[k], &natural) || natural > arith_mask(100);
            expr_model_set(p.model, p.a, corners[i]);
            expr_model_set(p.model, p.b, corners[k]);
            assert_int_equal(expr_eval(p.model, overflow), wraps || arith_sext((U128)product & arith_mask(100), 100) != product);
            assert_int_equal(expr_eval(p.model, carries), wide);
        }
    pair_release(&p);
}

static void divisions_and_shifts_say_when_they_are_defined(void **state)
{
    (void)state;
    Pair p;
    pair_init(&p, WIDTH);
    MeaningCheck kind;
    Expr divisor = meaning_check(p.pool, &(Instr){.op = OP_SDIV, .width = WIDTH}, p.a, p.b, &kind);
    assert_int_equal(kind, CHECK_DIVISOR);
    Expr quotient = meaning_check_quotient(p.pool, &(Instr){.op = OP_SDIV, .width = WIDTH}, p.a, p.b);
    Expr shift = meaning_check(p.pool, &(Instr){.op = OP_SHL, .width = WIDTH}, p.a, p.b, &kind);
    assert_int_equal(kind, CHECK_SHIFT);
    for (unsigned a = 0; a < VALUES; a++)
        for (unsigned b = 0; b < VALUES; b++) {
            assert_int_equal(value_at(&p, divisor, a, b), b != 0);
            assert_int_equal(value_at(&p, quotient, a, b), !(a == VALUES / 2 && b == VALUES - 1));
            assert_int_equal(value_at(&p, shift, a, b), b < WIDTH);
        }
    assert_int_equal(meaning_check(p.pool, &(Instr){.op = OP_ADD, .width = WIDTH}, p.a, p.b, &kind), 0);
    assert_int_equal(kind, CHECK_NONE);
    assert_int_not_equal(meaning_check(p.pool, &(Instr){.op = OP_ADD, .flags = FLAG_NSW, .width = WIDTH}, p.a, p.b, &kind), 0);
    assert_int_equal(kind, CHECK_OVERFLOW);
    pair_release(&p);
}

static void long_doubles_have_no_expressions(void **state)
{
    (void)state;
    Pair p;
    pair_init(&p, 80);
    assert_int_equal(meaning_value(p.pool, &(Instr){.op = OP_FADD, .width = 80}, p.a, p.b, 0, 0), 0);
    assert_int_equal(meaning_value(p.pool, &(Instr){.op = OP_FTOF, .width = 64, .width2 = 80}, p.a, 0, 0, 0), 0);
    assert_int_not_equal(meaning_value(p.pool, &(Instr){.op = OP_FNEG, .width = 80}, p.a, 0, 0, 0), 0);
    pair_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overflow_means_that_the_result_does_not_fit),
        cmocka_unit_test(wide_products_overflow_as_narrow_ones_do),
        cmocka_unit_test(divisions_and_shifts_say_when_they_are_defined),
        cmocka_unit_test(long_doubles_have_no_expressions),
    };
    return cmocka_run_group_tests_name("meaning: checks", tests, NULL, NULL);
}
