/* expr_model_define: a variable that is a name for an expression has its value, whenever that expression is built. */
#include "../../fuzz/formulas.h"

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
    Map meanings; /* variable -> expression */
    uint32_t asked;
    Expr x, y, name;
} Setting;

static void begin(Setting *t)
{
    *t = (Setting){.pool = expr_pool_new()};
    t->model = expr_model_new(t->pool);
    t->name = expr_var(t->pool, 32, "name");
    t->x = expr_var(t->pool, 32, "x");
    t->y = expr_var(t->pool, 32, "y");
}

static void end(Setting *t)
{
    expr_model_free(t->model);
    expr_check(t->pool);
    map_release(&t->meanings);
    expr_pool_free(t->pool);
}

static Expr meaning_of(void *data, Expr var)
{
    Setting *t = data;
    const uint64_t *known = map_find(&t->meanings, var);
    t->asked++;
    return known ? (Expr)*known : 0;
}

static void is(Setting *t, Expr e, U128 value)
{
    assert_true(expr_eval(t->model, e) == value);
}

static Expr number(Setting *t, uint64_t value)
{
    return expr_const(t->pool, 32, value);
}

static Expr plus_one(Setting *t, Expr e)
{
    return expr_add(t->pool, e, number(t, 1));
}

/* ---- values ---- */

static void a_name_has_the_value_of_its_meaning(void **state)
{
    (void)state;
    Setting t;
    begin(&t);
    Expr meaning = expr_binary(t.pool, EXPR_MUL, t.x, t.y), twice = expr_add(t.pool, t.name, t.name);
    map_put(&t.meanings, t.name, meaning);
    expr_model_define(t.model, meaning_of, &t);
    expr_model_set(t.model, t.x, 6);
    expr_model_set(t.model, t.y, 7);
    is(&t, t.name, 42);
    is(&t, twice, 84);
    is(&t, t.x, 6);
    is(&t, expr_eq(t.pool, t.name, meaning), 1);
    expr_model_set(t.model, t.x, 5);
    is(&t, twice, 70);
    is(&t, t.name, 35);
    expr_model_set(t.model, t.y, 0);
    is(&t, twice, 0);
    end(&t);
}

/* Its own value, if it has one, does not matter as long as it is a name. */
static void a_name_has_no_value_of_its_own(void **state)
{
    (void)state;
    Setting t;
    begin(&t);
    map_put(&t.meanings, t.name, expr_not(t.pool, t.x));
    expr_model_define(t.model, meaning_of, &t);
    expr_model_set(t.model, t.name, 99);
    is(&t, t.name, 0xffffffff);
    expr_model_set(t.model, t.name, 98);
    is(&t, t.name, 0xffffffff);
    expr_model_set(t.model, t.x, 1);
    is(&t, t.name, 0xfffffffe);
    end(&t);
}

static void a_meaning_of_every_width_and_kind(void **state)
{
    (void)state;
    Setting t;
    begin(&t);
    expr_model_define(t.model, meaning_of, &t);
    expr_model_set(t.model, t.x, 0x80000001);
    Expr wide = expr_var(t.pool, 128, "wide"), bit = expr_var(t.pool, 1, "bit"), constant = expr_var(t.pool, 100, "constant");
    Expr other = expr_var(t.pool, 32, "other"), undef = expr_var(t.pool, 32, "undef");
    Expr part = expr_extract(t.pool, wide, 60, 64);
    map_put(&t.meanings, wide, expr_sext(t.pool, t.x, 128));
    map_put(&t.meanings, bit, expr_binary(t.pool, EXPR_SLT, t.x, t.y));
    map_put(&t.meanings, constant, expr_const(t.pool, 100, (U128)5 << 90));
    map_put(&t.meanings, other, t.x);
    map_put(&t.meanings, undef, expr_undef(t.pool, 32));
    is(&t, bit, 1);
    is(&t, wide, -(U128)0x7fffffff);
    is(&t, part, UINT64_MAX);
    is(&t, constant, (U128)5 << 90);
    is(&t, expr_extract(t.pool, constant, 90, 10), 5);
    is(&t, other, 0x80000001);
    is(&t, undef, 0);
    end(&t);
}

static U128 sum_of(void *data, const U128 *arguments, uint32_t count)
{
    (void)data;
    return count == 2 ? arguments[0] + arguments[1] : 0;
}

/* Where an operand can stand; the arm and the element that are not taken are not asked for. */
static void names_in_every_place(void **state)
{
    (void)state;
    static const ExprFunction sum = {"sum", sum_of, NULL};
    Setting t;
    begin(&t);
    Expr bit = expr_var(t.pool, 1, "bit"), at = expr_var(t.pool, 64, "at"), never = expr_var(t.pool, 32, "never");
    Expr elements[4] = {number(&t, 10), t.name, t.y, never}, array = expr_array(t.pool, 32, elements, 4);
    Expr choice = expr_ite(t.pool, bit, t.name, never), read = expr_select(t.pool, array, at);
    Expr written = expr_select(t.pool, expr_store(t.pool, array, at, t.name), expr_zext(t.pool, t.y, 64));
    Expr call = expr_apply(t.pool, &sum, 32, (Expr[]){t.name, t.y}, 2);
    map_put(&t.meanings, t.name, expr_add(t.pool, t.x, number(&t, 1)));
    map_put(&t.meanings, bit, expr_eq(t.pool, t.x, number(&t, 41)));
    map_put(&t.meanings, at, expr_zext(t.pool, expr_binary(t.pool, EXPR_SUB, t.x, number(&t, 40)), 64));
    map_put(&t.meanings, never, never); /* would never end */
    expr_model_define(t.model, meaning_of, &t);
    expr_model_set(t.model, t.x, 41);
    expr_model_set(t.model, t.y, 1);
    is(&t, choice, 42);
    is(&t, read, 42);
    is(&t, written, 42);
    is(&t, call, 43);
    expr_model_set(t.model, t.x, 40);
    is(&t, read, 10);
    is(&t, written, 41);
    is(&t, call, 42);
    end(&t);
}

static void a_younger_meaning(void **state)
{
    (void)state;
    Setting t;
    begin(&t);
    Expr e = expr_binary(t.pool, EXPR_XOR, t.name, t.x), meaning = t.x;
    expr_model_set(t.model, t.x, 3);
    is(&t, e, 3);
    expr_model_set(t.model, t.x, 2);
    for (uint32_t i = 0; i < 10000; i++) meaning = expr_binary(t.pool, EXPR_MUL, plus_one(&t, meaning), t.y);
    Expr young = expr_var(t.pool, 32, "young");
    map_put(&t.meanings, t.name, expr_add(t.pool, meaning, young));
    expr_model_define(t.model, meaning_of, &t);
    expr_model_set(t.model, young, 1000);
    is(&t, e, 1000 ^ 2);
    expr_model_set(t.model, young, 1001);
    is(&t, e, 1001 ^ 2);
    expr_model_set(t.model, t.y, 1);
    is(&t, e, (1001 + 10002) ^ 2);
    end(&t);
}

/* However many nodes the model has seen, and however many there are before the meaning. */
static void meanings_of_every_age(void **state)
{
    (void)state;
    for (uint32_t nodes = 0; nodes < 300; nodes++) {
        Setting t;
        begin(&t);
        for (uint32_t i = 0; i < nodes; i++) (void)number(&t, i);
        map_put(&t.meanings, t.name, expr_not(t.pool, t.x));
        expr_model_define(t.model, meaning_of, &t);
        is(&t, t.name, 0xffffffff);
        end(&t);
    }
}

enum { MANY = 50000, NAMES = 400000 };

/* Each is a name for an expression of the next; no stack is needed for that. */
static void names_of_names(void **state)
{
    (void)state;
    Setting t;
    begin(&t);
    Expr *names = mem_alloc((NAMES + 1) * sizeof *names);
    for (uint32_t i = 0; i <= NAMES; i++) names[i] = expr_var(t.pool, 32, "n");
    for (uint32_t i = 0; i < NAMES; i++) map_put(&t.meanings, names[i], expr_add(t.pool, names[i + 1], number(&t, i % 3)));
    expr_model_define(t.model, meaning_of, &t);
    expr_model_set(t.model, names[NAMES], 5);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < NAMES; i++) sum += i % 3;
    is(&t, names[0], sum + 5);
    is(&t, names[NAMES - 1], 5 + (NAMES - 1) % 3);
    expr_model_set(t.model, names[NAMES], 6);
    is(&t, names[0], sum + 6);
    free(names);
    end(&t);
}

/* ---- meanings that are built when they are asked for ---- */

/* MANY more than what is in the map; so much is built besides that all tables grow. */
static Expr build_meaning(void *data, Expr var)
{
    Setting *t = data;
    const uint64_t *known = map_find(&t->meanings, var);
    if (!known) return 0;
    t->asked++;
    for (uint32_t i = 0; i < MANY; i++) {
        uint64_t value = (uint64_t)t->asked * MANY + i + 1;
        (void)expr_const(t->pool, 128, (U128)value << 64 | value);
        if (i % 16 == 0) (void)expr_array(t->pool, 32, (Expr[]){t->x, t->y, number(t, value), number(t, i)}, 4);
    }
    return expr_add(t->pool, (Expr)*known, number(t, MANY));
}

static void meanings_may_be_built_when_asked_for(void **state)
{
    (void)state;
    static const ExprFunction sum = {"sum", sum_of, NULL};
    Setting t;
    begin(&t);
    Expr second = expr_var(t.pool, 32, "second"), wide = expr_var(t.pool, 128, "wide");
    Expr array = expr_store(t.pool, expr_array(t.pool, 32, (Expr[]){second, t.name, t.x}, 3), expr_zext(t.pool, second, 64), t.y);
    Expr e = expr_add(t.pool, expr_binary(t.pool, EXPR_UDIV, second, t.y), expr_apply(t.pool, &sum, 32, (Expr[]){t.name, second}, 2));
    Expr read = expr_select(t.pool, array, expr_zext(t.pool, t.y, 64)), high = expr_extract(t.pool, wide, 64, 64);
    Expr choice = expr_ite(t.pool, expr_eq(t.pool, t.name, second), t.y, expr_add(t.pool, second, t.name));
    map_put(&t.meanings, t.name, t.x);
    map_put(&t.meanings, second, t.name);
    expr_model_define(t.model, build_meaning, &t);
    expr_model_set(t.model, t.x, 4);
    expr_model_set(t.model, t.y, 1);
    expr_model_set(t.model, wide, (U128)77 << 64);
    const uint32_t name = 4 + MANY, other = name + MANY;
    is(&t, high, 77);
    is(&t, e, other + name + other);
    is(&t, read, name);
    is(&t, choice, other + name);
    is(&t, high, 77);
    expr_model_set(t.model, t.x, 5);
    is(&t, choice, other + name + 2);
    is(&t, e, other + name + other + 3);
    end(&t);
}

static void kept_values_are_not_asked_for_again(void **state)
{
    (void)state;
    Setting t;
    begin(&t);
    Expr e = expr_binary(t.pool, EXPR_MUL, t.name, t.x);
    map_put(&t.meanings, t.name, expr_add(t.pool, t.y, t.x));
    expr_model_define(t.model, meaning_of, &t);
    expr_model_set(t.model, t.x, 3);
    is(&t, e, 9);
    uint32_t asked = t.asked;
    is(&t, e, 9);
    is(&t, t.name, 3);
    is(&t, expr_binary(t.pool, EXPR_XOR, e, t.name), 9 ^ 3);
    assert_int_equal(t.asked, asked);
    expr_model_set(t.model, t.y, 1);
    is(&t, e, 12);
    assert_true(t.asked > asked);
    end(&t);
}

/* ---- from now on ---- */

static void without_a_meaning_it_is_a_variable(void **state)
{
    (void)state;
    Setting t;
    begin(&t);
    expr_model_define(t.model, meaning_of, &t);
    expr_model_set(t.model, t.name, 8);
    expr_model_set(t.model, t.x, 9);
    is(&t, expr_add(t.pool, t.name, t.x), 17);
    is(&t, t.y, 0);
    assert_int_equal(t.asked, 3);
    assert_true(expr_model_get(t.model, t.name) == 8);
    end(&t);
}

static void a_name_can_be_a_variable_again(void **state)
{
    (void)state;
    Setting t;
    begin(&t);
    expr_model_set(t.model, t.name, 8);
    expr_model_set(t.model, t.x, 9);
    map_put(&t.meanings, t.name, expr_add(t.pool, t.x, t.y));
    expr_model_define(t.model, meaning_of, &t);
    is(&t, t.name, 9);
    expr_model_define(t.model, NULL, NULL);
    uint32_t asked = t.asked;
    expr_model_set(t.model, t.x, 10);
    is(&t, t.name, 8);
    is(&t, expr_add(t.pool, t.name, t.x), 18);
    assert_int_equal(t.asked, asked);
    expr_model_define(t.model, meaning_of, &t);
    expr_model_set(t.model, t.x, 11);
    is(&t, t.name, 11);
    end(&t);
}

/* Also what was evaluated before. */
static void kept_values_follow_the_definition(void **state)
{
    (void)state;
    Setting t;
    begin(&t);
    expr_model_set(t.model, t.name, 8);
    expr_model_set(t.model, t.x, 9);
    Expr next = plus_one(&t, t.name);
    is(&t, next, 9);
    map_put(&t.meanings, t.name, t.x);
    uint64_t changes = expr_model_changes(t.model);
    expr_model_define(t.model, meaning_of, &t);
    assert_true(expr_model_changes(t.model) > changes);
    is(&t, next, 10);
    changes = expr_model_changes(t.model);
    expr_model_define(t.model, NULL, NULL);
    assert_true(expr_model_changes(t.model) > changes);
    is(&t, next, 9);
    end(&t);
}

/* ---- rewinds ---- */

/* The name is older than a variable that its meaning contains. */
static void a_forgotten_variable_in_a_meaning(void **state)
{
    (void)state;
    Setting t;
    begin(&t);
    Expr e = plus_one(&t, t.name);
    uint32_t mark = expr_pool_count(t.pool);
    expr_model_define(t.model, meaning_of, &t);
    expr_model_set(t.model, t.x, 3);
    for (uint32_t i = 0; i < 20; i++) {
        Expr young = expr_var(t.pool, 32, "young");
        map_put(&t.meanings, t.name, expr_add(t.pool, young, t.x));
        is(&t, e, 4);
        expr_model_set(t.model, young, 100 + i);
        is(&t, e, 104 + i);
        expr_pool_rewind(t.pool, mark);
    }
    expr_model_define(t.model, NULL, NULL);
    end(&t);
}

static void a_meaning_that_was_forgotten_and_built_again(void **state)
{
    (void)state;
    Setting t;
    begin(&t);
    Expr e = expr_binary(t.pool, EXPR_XOR, t.name, t.y);
    uint32_t mark = expr_pool_count(t.pool);
    uint64_t generation = expr_pool_generation(t.pool);
    expr_model_define(t.model, meaning_of, &t);
    for (uint32_t i = 1; i < 30; i++) {
        /* The numbers of the meaning's nodes are those of other expressions, which have other values. */
        for (uint32_t k = 0; k < i % 5; k++)
            is(&t, expr_binary(t.pool, EXPR_MUL, t.x, number(&t, 2 * k + 3 + i)), (i - 1) * (2 * k + 3 + i));
        map_put(&t.meanings, t.name, expr_binary(t.pool, EXPR_MUL, plus_one(&t, t.x), plus_one(&t, t.x)));
        is(&t, e, (uint64_t)i * i);
        expr_model_set(t.model, t.x, i);
        is(&t, t.name, (uint64_t)(i + 1) * (i + 1));
        expr_pool_rewind(t.pool, mark);
        assert_true(expr_pool_generation(t.pool) > generation);
        generation = expr_pool_generation(t.pool);
    }
    expr_model_define(t.model, NULL, NULL);
    end(&t);
}

/* A younger name takes the number of one that was forgotten, and has another meaning. */
static void names_that_were_forgotten(void **state)
{
    (void)state;
    Setting t;
    begin(&t);
    uint32_t mark = expr_pool_count(t.pool);
    expr_model_define(t.model, meaning_of, &t);
    expr_model_set(t.model, t.x, 100);
    for (uint32_t i = 0; i < 30; i++) {
        Expr young = expr_var(t.pool, 32, "young");
        map_put(&t.meanings, young, expr_add(t.pool, t.x, number(&t, i + 1)));
        is(&t, young, 101 + i);
        is(&t, expr_binary(t.pool, EXPR_MUL, young, t.x), 100 * (101 + i));
        expr_pool_rewind(t.pool, mark);
    }
    end(&t);
}

/* ---- against substitution ---- */

enum { ROUNDS = 300, MODELS = 3, DEPTH = 4 };

/* A definition means the same as the expressions in place of the variables. */
static void a_definition_is_a_substitution(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        Setting t;
        Formulas f, put;
        ExprTranslation substitution;
        begin(&t);
        formulas_init(&f, t.pool, seed);
        f.floats = seed % 3 == 0;
        f.applies = true;
        Expr e = formulas_term(&f, DEPTH, formulas_width(&f));
        formulas_init(&put, t.pool, seed + ROUNDS);
        expr_translation_init(&substitution, t.pool, t.pool);
        for (unsigned i = 0; i < f.var_count; i++) {
            if (formulas_below(&f, 4) == 0) continue;
            Expr meaning = formulas_term(&put, DEPTH, expr_width(t.pool, f.vars[i]));
            map_put(&t.meanings, f.vars[i], meaning);
            expr_translation_set(&substitution, f.vars[i], meaning);
        }
        Expr substituted = expr_translate(&substitution, e);
        expr_model_define(t.model, meaning_of, &t);
        for (int m = 0; m < MODELS; m++) {
            for (uint32_t i = 0; i < expr_var_count(t.pool); i++) {
                Expr var = expr_var_at(t.pool, i);
                expr_model_set(t.model, var, formulas_value(&f, expr_width(t.pool, var)));
            }
            is(&t, e, expr_eval(t.model, substituted));
        }
        expr_translation_release(&substitution);
        formulas_release(&f);
        formulas_release(&put);
        end(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_has_the_value_of_its_meaning),
        cmocka_unit_test(a_name_has_no_value_of_its_own),
        cmocka_unit_test(a_meaning_of_every_width_and_kind),
        cmocka_unit_test(names_in_every_place),
        cmocka_unit_test(a_younger_meaning),
        cmocka_unit_test(meanings_of_every_age),
        cmocka_unit_test(names_of_names),
        cmocka_unit_test(meanings_may_be_built_when_asked_for),
        cmocka_unit_test(kept_values_are_not_asked_for_again),
        cmocka_unit_test(without_a_meaning_it_is_a_variable),
        cmocka_unit_test(a_name_can_be_a_variable_again),
        cmocka_unit_test(kept_values_follow_the_definition),
        cmocka_unit_test(a_forgotten_variable_in_a_meaning),
        cmocka_unit_test(a_meaning_that_was_forgotten_and_built_again),
        cmocka_unit_test(names_that_were_forgotten),
        cmocka_unit_test(a_definition_is_a_substitution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
