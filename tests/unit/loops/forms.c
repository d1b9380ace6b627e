/* loops, closed forms: what they say of n turns is what n turns do, one after the other, in words that wrap around. */
#include "loops/forms.h"

#include "base/arith.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

enum { VARIABLES = 4, LOOPS = 600, STARTS = 6, MOST_TURNS = 300 };

typedef struct Sample {
    ExprPool *pool;
    Random random;
    unsigned width;
    Expr variables[VARIABLES], effects[VARIABLES];
} Sample;

static Expr number(Sample *s, U128 value)
{
    return expr_const(s->pool, s->width, value);
}

static uint64_t below(Sample *s, uint64_t n)
{
    return random_below(&s->random, n);
}

/* One turn's effect on x; y is another variable. */
static Expr make_effect(Sample *s, Expr x, Expr y)
{
    ExprPool *pool = s->pool;
    Expr c = number(s, random_next(&s->random)), small = number(s, 1 + below(s, 7));
    Expr truth = expr_zext(pool, expr_eq(pool, x, number(s, 0)), s->width);
    Expr cells[] = {x, y};
    Expr cell = expr_select(pool, expr_array(pool, s->width, cells, 2), expr_zext(pool, expr_extract(pool, y, 0, 1), 64));
    switch (below(s, 13)) {
    case 0: return x;
    case 1: return expr_add(pool, x, c);
    case 2: return expr_add(pool, x, y);
    case 3: return expr_add(pool, expr_binary(pool, EXPR_MUL, c, x), small);
    case 4: return expr_binary(pool, EXPR_UDIV, x, expr_add(pool, small, number(s, 1)));
    case 5: return expr_binary(pool, EXPR_LSHR, x, number(s, 1 + below(s, 3)));
    case 6: return truth;
    case 7: return expr_add(pool, expr_binary(pool, EXPR_MUL, y, small), c);
    case 8: return c;
    case 9: return expr_ite(pool, expr_binary(pool, EXPR_ULT, x, c), expr_add(pool, x, small), x); /* up to a limit */
    case 10: return expr_add(pool, x, expr_binary(pool, EXPR_MUL, y, y));
    case 11: return expr_ite(pool, expr_eq(pool, y, number(s, 0)), expr_add(pool, cell, c), x); /* the cell of an array that y may choose */
    default: return expr_binary(pool, EXPR_SDIV, x, expr_add(pool, small, number(s, 1)));
    }
}

static void make_loop(Sample *s)
{
    for (uint32_t i = 0; i < VARIABLES; i++) s->variables[i] = expr_var(s->pool, s->width, "x");
    for (uint32_t i = 0; i < VARIABLES; i++)
        s->effects[i] = make_effect(s, s->variables[i], s->variables[(i + 1 + below(s, VARIABLES - 1)) % VARIABLES]);
}

/* The values after so many turns, one after the other. */
static void go_round(Sample *s, ExprModel *model, uint32_t turns, U128 *values)
{
    for (uint32_t n = 0; n < turns; n++) {
        U128 next[VARIABLES];
        for (uint32_t i = 0; i < VARIABLES; i++) expr_model_set(model, s->variables[i], values[i]);
        for (uint32_t i = 0; i < VARIABLES; i++) next[i] = expr_eval(model, s->effects[i]);
        memcpy(values, next, sizeof next);
    }
}

/* Compares the forms with the turns, for constants and for variables at the start; returns how many forms were found. */
static uint32_t compare(Sample *s, bool constants)
{
    ExprModel *model = expr_model_new(s->pool);
    Expr starts[VARIABLES], values[VARIABLES], turns = expr_var(s->pool, 32, "n");
    Forms forms;
    uint32_t known = 0;
    for (uint32_t i = 0; i < VARIABLES; i++)
        starts[i] = constants ? number(s, random_next(&s->random)) : expr_var(s->pool, s->width, "start");
    forms_init(&forms, s->pool, s->variables, s->effects, starts, VARIABLES);
    forms_after(&forms, starts, turns, values);
    for (uint32_t i = 0; i < VARIABLES; i++) {
        assert_int_equal(values[i] == 0, forms.forms[i].kind == FORM_UNKNOWN);
        known += values[i] != 0;
    }
    for (uint32_t k = 0; k < STARTS; k++) {
        uint32_t n = k < 3 ? k : (uint32_t)below(s, MOST_TURNS);
        U128 expected[VARIABLES];
        for (uint32_t i = 0; i < VARIABLES; i++) {
            if (!constants) expr_model_set(model, starts[i], random_next(&s->random) & arith_mask(s->width));
            expected[i] = expr_eval(model, starts[i]);
        }
        expr_model_set(model, turns, n);
        U128 found[VARIABLES];
        for (uint32_t i = 0; i < VARIABLES; i++) found[i] = values[i] ? expr_eval(model, values[i]) : 0;
        go_round(s, model, n, expected);
        for (uint32_t i = 0; i < VARIABLES; i++)
            if (values[i] && found[i] != expected[i]) fail_msg("a form of kind %d is wrong after %u turns", forms.forms[i].kind, n);
    }
    forms_release(&forms);
    expr_model_free(model);
    return known;
}

static void test_forms_are_what_turns_do(void **state)
{
    Sample s = {.pool = expr_pool_new()};
    uint32_t known = 0;
    (void)state;
    random_seed(&s.random, 20);
    for (uint32_t i = 0; i < LOOPS; i++) {
        static const unsigned widths[] = {8, 16, 32, 64};
        s.width = widths[i % 4];
        make_loop(&s);
        known += compare(&s, i % 3 == 0);
    }
    assert_true(known > LOOPS * VARIABLES / 2);
    expr_pool_free(s.pool);
}

static FormKind kind_of(Sample *s, Expr effect, Expr start)
{
    Forms forms;
    s->effects[0] = effect;
    Expr starts[VARIABLES] = {start, s->variables[1], s->variables[2], s->variables[3]};
    forms_init(&forms, s->pool, s->variables, s->effects, starts, VARIABLES);
    FormKind kind = forms.forms[0].kind;
    forms_release(&forms);
    return kind;
}

static void test_each_form_is_recognised(void **state)
{
    Sample s = {.pool = expr_pool_new(), .width = 32};
    ExprPool *pool = s.pool;
    (void)state;
    for (uint32_t i = 0; i < VARIABLES; i++) s.variables[i] = s.effects[i] = expr_var(pool, 32, "x");
    s.effects[1] = expr_add(pool, s.variables[1], number(&s, 1));
    Expr x = s.variables[0], counter = s.variables[1], kept = s.variables[2];
    assert_int_equal(kind_of(&s, x, x), FORM_KEPT);
    assert_int_equal(kind_of(&s, expr_add(pool, x, number(&s, 7)), x), FORM_SUM);
    assert_int_equal(kind_of(&s, expr_add(pool, x, kept), x), FORM_SUM);
    Expr cells[] = {x, counter}, index = expr_var(pool, 32, "input");
    Expr cell = expr_select(pool, expr_array(pool, 32, cells, 2), expr_zext(pool, index, 64));
    Expr chosen = expr_ite(pool, expr_eq(pool, index, number(&s, 0)), expr_add(pool, cell, number(&s, 1)), x);
    assert_int_equal(kind_of(&s, chosen, x), FORM_SUM);
    /* The index is computed from an input: `count[input & 3]++`. */
    Expr four[] = {x, counter, kept, s.variables[3]}, part = expr_extract(pool, index, 0, 2);
    cell = expr_select(pool, expr_array(pool, 32, four, 4), expr_zext(pool, part, 64));
    chosen = expr_ite(pool, expr_eq(pool, part, expr_const(pool, 2, 0)), expr_add(pool, cell, number(&s, 1)), x);
    assert_int_equal(kind_of(&s, chosen, x), FORM_SUM);
    assert_int_equal(kind_of(&s, expr_add(pool, x, counter), x), FORM_SQUARE);
    assert_int_equal(kind_of(&s, expr_binary(pool, EXPR_MUL, x, number(&s, 3)), x), FORM_AFFINE);
    assert_int_equal(kind_of(&s, expr_binary(pool, EXPR_UDIV, x, number(&s, 10)), x), FORM_QUOTIENT);
    assert_int_equal(kind_of(&s, expr_binary(pool, EXPR_LSHR, x, number(&s, 1)), x), FORM_QUOTIENT);
    Expr toggle = expr_zext(pool, expr_eq(pool, x, number(&s, 0)), 32);
    assert_int_equal(kind_of(&s, toggle, number(&s, 0)), FORM_ORBIT);
    assert_int_equal(kind_of(&s, toggle, kept), FORM_UNKNOWN);
    assert_int_equal(kind_of(&s, expr_binary(pool, EXPR_MUL, counter, counter), x), FORM_LAST);
    assert_int_equal(kind_of(&s, expr_binary(pool, EXPR_MUL, x, x), x), FORM_UNKNOWN);
    /* A loop of the char type: the sum is computed in a wider word and cut. */
    Expr narrow = expr_var(pool, 8, "c"), wide = expr_add(pool, expr_zext(pool, narrow, 32), number(&s, 7)),
         cut = expr_extract(pool, wide, 0, 8);
    Forms forms;
    forms_init(&forms, pool, &narrow, &cut, &narrow, 1);
    assert_true(forms.forms[0].kind == FORM_SUM || forms.forms[0].kind == FORM_AFFINE);
    forms_release(&forms);
    expr_pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms_are_what_turns_do),
        cmocka_unit_test(test_each_form_is_recognised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
