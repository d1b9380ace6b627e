/* The descent tier on floats and real functions: every example on ten seeds, with every model checked; generated systems; determinism. */
#include "base/arith.h"
#include "solve/trial.h"
#include "solve/solve_int.h"

#include <math.h>
#include <stdlib.h>

/* After our headers: cmocka defines a macro named fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { SEEDS = 10, EFFORT = 100 * 1000 * 1000 };

/* ---- real functions ---- */

static U128 call_one(void *data, const U128 *arguments, uint32_t count)
{
    double (*function)(double) = *(double (**)(double))data;
    REQUIRE(count == 1, "one argument");
    return arith_bits64(function(arith_f64((uint64_t)arguments[0])));
}

static U128 call_pow(void *data, const U128 *arguments, uint32_t count)
{
    (void)data;
    REQUIRE(count == 2, "two arguments");
    return arith_bits64(pow(arith_f64((uint64_t)arguments[0]), arith_f64((uint64_t)arguments[1])));
}

static double hash(double x)
{
    return x >= 0 && x <= 10 ? 10 * x : 0;
}

static double stairs(double x)
{
    return x >= 0 && x <= 10 ? 10 * floor(x) : 0;
}

static double (*const real_functions[])(double) = {y0, sin, cos, floor, hash, stairs, exp, log, tan};
enum { Y0, SIN, COS, FLOOR, HASH, STAIRS, EXP, LOG, TAN };
static const ExprFunction functions[] = {
    {"y0", call_one, (void *)&real_functions[Y0]},     {"sin", call_one, (void *)&real_functions[SIN]},
    {"cos", call_one, (void *)&real_functions[COS]},   {"floor", call_one, (void *)&real_functions[FLOOR]},
    {"hash", call_one, (void *)&real_functions[HASH]}, {"stairs", call_one, (void *)&real_functions[STAIRS]},
    {"exp", call_one, (void *)&real_functions[EXP]},   {"log", call_one, (void *)&real_functions[LOG]},
    {"tan", call_one, (void *)&real_functions[TAN]},
};
static const ExprFunction power_function = {"pow", call_pow, NULL};

/* ---- a system of conditions over doubles ---- */

typedef struct System {
    ExprPool *pool;
    ExprModel *start;
    Expr v[6];
    Vec(Expr) conditions;
    Outcome outcome;
} System;

static void set_up(System *s)
{
    *s = (System){.pool = expr_pool_new()};
    s->start = expr_model_new(s->pool);
    for (unsigned i = 0; i < COUNT_OF(s->v); i++) s->v[i] = expr_var(s->pool, 64, "v");
}

static void tear_down(System *s)
{
    vec_release(&s->conditions);
    vec_release(&s->outcome.values);
    expr_model_free(s->start);
    expr_pool_free(s->pool);
}

static Expr real(System *s, double value)
{
    return expr_const(s->pool, 64, arith_bits64(value));
}

static Expr call(System *s, unsigned function, Expr x)
{
    return expr_apply(s->pool, &functions[function], 64, &x, 1);
}

static Expr power(System *s, Expr x, double exponent)
{
    Expr arguments[] = {x, real(s, exponent)};
    return expr_apply(s->pool, &power_function, 64, arguments, 2);
}

static Expr plus(System *s, Expr a, Expr b)
{
    return expr_binary(s->pool, EXPR_FADD, a, b);
}

static Expr times(System *s, Expr a, Expr b)
{
    return expr_binary(s->pool, EXPR_FMUL, a, b);
}

static void add(System *s, Expr condition)
{
    assert_false(expr_is_const(s->pool, condition));
    vec_push(&s->conditions, condition);
}

static void add_less(System *s, Expr a, Expr b)
{
    add(s, expr_binary(s->pool, EXPR_FLT, a, b));
}

static void add_equal(System *s, Expr a, Expr b)
{
    add(s, expr_binary(s->pool, EXPR_FEQ, a, b));
}

static int by_id(const void *a, const void *b)
{
    Expr x = *(const Expr *)a, y = *(const Expr *)b;
    return x < y ? -1 : x > y;
}

static SolveAnswer ask(System *s, uint64_t seed, uint64_t effort)
{
    qsort(s->conditions.data, s->conditions.len, sizeof(Expr), by_id);
    Descent *descent = descent_new(s->pool, seed);
    Query query = {.pool = s->pool,
                   .conditions = s->conditions.data,
                   .count = s->conditions.len,
                   .start = s->start,
                   .effort = effort,
                   .memory = 1 << 30};
    descent_solve(descent, &query, &s->outcome);
    descent_free(descent);
    assert_true(s->outcome.answer != SOLVE_UNSAT);
    if (s->outcome.answer != SOLVE_SAT) return SOLVE_UNKNOWN;
    ExprModel *model = expr_model_copy(s->start);
    for (uint32_t i = 0; i < s->outcome.values.len; i++)
        expr_model_set(model, s->outcome.values.data[i].var, s->outcome.values.data[i].value);
    for (uint32_t i = 0; i < s->conditions.len; i++) assert_true(expr_eval(model, s->conditions.data[i]) == 1);
    expr_model_free(model);
    return SOLVE_SAT;
}

static void solve_and_drop(System *s)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) assert_int_equal(ask(s, seed, EFFORT), SOLVE_SAT);
    vec_clear(&s->conditions);
}

static void real_functions_are_searched(void **state)
{
    (void)state;
    System s;
    set_up(&s);
    Expr x = s.v[0], y = s.v[1];
    add(&s, expr_binary(s.pool, EXPR_FLE, real(&s, 1.25), x));
    add_less(&s, real(&s, 0.2), call(&s, Y0, x));
    solve_and_drop(&s);
    add_less(&s, real(&s, 0.99), call(&s, SIN, x));
    add_less(&s, real(&s, 100), x);
    solve_and_drop(&s);
    add_equal(&s, power(&s, x, 3), real(&s, 27));
    solve_and_drop(&s);
    add_equal(&s, call(&s, FLOOR, x), x);
    add_less(&s, real(&s, 7.5), x);
    solve_and_drop(&s);
    for (unsigned function = HASH; function <= STAIRS; function++) {
        add_equal(&s, y, call(&s, function, x));
        add_less(&s, real(&s, 10), y);
        solve_and_drop(&s);
    }
    tear_down(&s);
}

static void arithmetic_on_floats_is_solved(void **state)
{
    (void)state;
    System s;
    set_up(&s);
    Expr x = s.v[0], y = s.v[1];
    add_less(&s, expr_unary(s.pool, EXPR_FSQRT, plus(&s, times(&s, x, x), times(&s, y, y))), real(&s, 5));
    add_less(&s, real(&s, 3), x);
    add_less(&s, real(&s, 3.5), y);
    solve_and_drop(&s);
    add_equal(&s, plus(&s, x, y), s.v[2]);
    add_equal(&s, times(&s, x, y), real(&s, 7.5));
    solve_and_drop(&s);
    add_equal(&s, plus(&s, x, y), real(&s, 10));
    add_equal(&s, times(&s, x, y), real(&s, 21));
    solve_and_drop(&s);
    add(&s, expr_eq(s.pool, expr_convert(s.pool, EXPR_FTOSI, times(&s, x, real(&s, 100)), 32), expr_const(s.pool, 32, 314)));
    solve_and_drop(&s);
    add_less(&s, expr_binary(s.pool, EXPR_FDIV, real(&s, 1), x), real(&s, 0));
    solve_and_drop(&s);
    add(&s, expr_binary(s.pool, EXPR_FUNO, x, x));
    solve_and_drop(&s);
    tear_down(&s);
}

static void products_of_integers_are_solved(void **state)
{
    (void)state;
    System s;
    set_up(&s);
    Expr x = expr_var(s.pool, 32, "x"), cube = expr_binary(s.pool, EXPR_MUL, expr_binary(s.pool, EXPR_MUL, x, x), x);
    add(&s, expr_binary(s.pool, EXPR_SLT, expr_const(s.pool, 32, 0), cube));
    add(&s, expr_binary(s.pool, EXPR_SLT, x, expr_const(s.pool, 32, 10)));
    solve_and_drop(&s);
    tear_down(&s);
}

/* Many conditions that pull the same inputs different ways. */
static void conflicting_systems_are_solved(void **state)
{
    (void)state;
    System s;
    set_up(&s);
    Expr *v = s.v, x = v[0], y = v[1];
    add_less(&s, real(&s, 1), plus(&s, call(&s, SIN, x), call(&s, COS, y)));
    add_less(&s, call(&s, EXP, v[2]), times(&s, x, y));
    add_less(&s, real(&s, 2), expr_unary(s.pool, EXPR_FSQRT, v[3]));
    add_less(&s, power(&s, v[3], 2), real(&s, 50));
    add_less(&s, plus(&s, v[4], v[5]), v[3]);
    add_less(&s, real(&s, 3), times(&s, v[4], v[5]));
    add_less(&s, call(&s, COS, v[5]), real(&s, 0));
    add_less(&s, real(&s, 0), x);
    solve_and_drop(&s);
    add_less(&s, real(&s, 10), plus(&s, times(&s, x, x), y));
    add_less(&s, plus(&s, x, times(&s, y, y)), real(&s, 4));
    add_less(&s, call(&s, SIN, plus(&s, x, y)), real(&s, -0.5));
    add_equal(&s, v[2], plus(&s, x, y));
    add_less(&s, power(&s, v[2], 3), v[3]);
    add_less(&s, expr_unary(s.pool, EXPR_FSQRT, v[3]), v[4]);
    add_less(&s, v[4], real(&s, 20));
    add_less(&s, real(&s, 0.3), call(&s, COS, v[4]));
    add_less(&s, v[5], expr_binary(s.pool, EXPR_FSUB, v[4], v[3]));
    add_less(&s, real(&s, 1), call(&s, LOG, v[3]));
    solve_and_drop(&s);
    tear_down(&s);
}

static void a_double_of_eight_bytes_is_one_input(void **state)
{
    (void)state;
    System s;
    set_up(&s);
    Expr word = expr_var(s.pool, 8, "byte");
    for (unsigned i = 1; i < 8; i++) word = expr_binary(s.pool, EXPR_CONCAT, expr_var(s.pool, 8, "byte"), word);
    add_less(&s, real(&s, 0.99), call(&s, SIN, word));
    add_less(&s, real(&s, 100), word);
    solve_and_drop(&s);
    tear_down(&s);
}

static void singles_meet_doubles(void **state)
{
    (void)state;
    System s;
    set_up(&s);
    Expr single = expr_var(s.pool, 32, "single"), wide = expr_convert(s.pool, EXPR_FCONVERT, single, 64);
    add_less(&s, real(&s, 0.5), call(&s, SIN, wide));
    add_equal(&s, wide, s.v[0]);
    add_less(&s, real(&s, 3), s.v[0]);
    solve_and_drop(&s);
    tear_down(&s);
}

/* ---- limits ---- */

static void effort_is_respected(void **state)
{
    (void)state;
    System s;
    set_up(&s);
    add_less(&s, real(&s, 1.5), call(&s, SIN, times(&s, s.v[0], s.v[1]))); /* has no solution */
    add_less(&s, s.v[0], s.v[1]);
    for (uint64_t effort = 1; effort <= 10000000; effort *= 100) {
        assert_int_equal(ask(&s, 1, effort), SOLVE_UNKNOWN);
        assert_true(s.outcome.spent <= effort + 20000);
        assert_non_null(s.outcome.reason);
    }
    tear_down(&s);
}

static void the_same_seed_gives_the_same_answer(void **state)
{
    (void)state;
    System s;
    set_up(&s);
    add_less(&s, real(&s, 0.999), call(&s, SIN, times(&s, s.v[0], s.v[1])));
    add_less(&s, call(&s, TAN, s.v[1]), real(&s, -3));
    add_less(&s, real(&s, 5), s.v[1]);
    U128 values[8] = {0};
    uint64_t spent = 0;
    for (unsigned round = 0; round < 3; round++) {
        assert_int_equal(ask(&s, 7, EFFORT), SOLVE_SAT);
        if (round) assert_true(spent == s.outcome.spent);
        spent = s.outcome.spent;
        for (uint32_t i = 0; i < s.outcome.values.len; i++) {
            if (round) assert_true(values[i] == s.outcome.values.data[i].value);
            values[i] = s.outcome.values.data[i].value;
        }
    }
    tear_down(&s);
}

/* ---- generated systems, true under a model ---- */

static Expr random_term(System *s, Random *random, int depth)
{
    if (depth == 0 || !random_below(random, 4)) {
        if (random_below(random, 4)) return s->v[random_below(random, 3)];
        return real(s, (double)random_below(random, 100) / 4 - 10);
    }
    Expr a = random_term(s, random, depth - 1);
    switch (random_below(random, 7)) {
    case 0: return call(s, SIN, a);
    case 1: return expr_unary(s->pool, EXPR_FSQRT, a);
    case 2: return expr_binary(s->pool, EXPR_FSUB, a, random_term(s, random, depth - 1));
    case 3: return expr_binary(s->pool, EXPR_FDIV, a, random_term(s, random, depth - 1));
    case 4: return times(s, a, random_term(s, random, depth - 1));
    default: return plus(s, a, random_term(s, random, depth - 1));
    }
}

static bool solves_generated(uint64_t seed)
{
    System s;
    Random random;
    random_seed(&random, seed);
    set_up(&s);
    ExprModel *model = expr_model_new(s.pool);
    for (unsigned i = 0; i < 3; i++) expr_model_set(model, s.v[i], arith_bits64((double)random_below(&random, 4000) / 64 - 20));
    for (unsigned i = 0; i < 5; i++) {
        Expr a = random_term(&s, &random, 3),
             b = random_below(&random, 2) ? real(&s, (double)random_below(&random, 20)) : random_term(&s, &random, 2);
        Expr e = expr_binary(s.pool, random_below(&random, 2) ? EXPR_FLT : EXPR_FLE, a, b);
        if (expr_is_const(s.pool, e)) continue;
        if (!expr_eval(model, e)) e = expr_not(s.pool, e);
        bool known = false;
        for (uint32_t k = 0; k < s.conditions.len; k++) known |= s.conditions.data[k] == e;
        if (!known) add(&s, e);
    }
    bool solved = !s.conditions.len || ask(&s, 1, 3000000) == SOLVE_SAT;
    expr_model_free(model);
    tear_down(&s);
    return solved;
}

static void generated_systems_are_solved(void **state)
{
    (void)state;
    unsigned solved = 0;
    for (uint64_t seed = 0; seed < 300; seed++) solved += solves_generated(seed);
    assert_true(solved >= 285);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_functions_are_searched),
        cmocka_unit_test(arithmetic_on_floats_is_solved),
        cmocka_unit_test(products_of_integers_are_solved),
        cmocka_unit_test(conflicting_systems_are_solved),
        cmocka_unit_test(a_double_of_eight_bytes_is_one_input),
        cmocka_unit_test(singles_meet_doubles),
        cmocka_unit_test(effort_is_respected),
        cmocka_unit_test(the_same_seed_gives_the_same_answer),
        cmocka_unit_test(generated_systems_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
