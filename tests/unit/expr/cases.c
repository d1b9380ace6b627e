/* expr_cases: whatever the variables, the expression equals one of its cases, and a case whose condition holds is its value. */
#include "base/arith.h"
#include "expr/cases.h"

#include <pthread.h>

/* After our headers: cmocka defines a macro named fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* Constants that differ in so many places that a choice of them stays a choice. */
static const uint32_t P = 0x95a6c3b5, Q = 0x2b5da74a, R = 0xd2c9354d, S = 0x6d1a5b96;

typedef struct Setting {
    ExprPool *pool;
    ExprCases cases;
    Expr c, d, x, y; /* two of one bit, two of 32 */
    Expr p, q, r, s; /* the constants */
} Setting;

static void begin(Setting *t)
{
    ExprPool *pool = t->pool = expr_pool_new();
    expr_cases_init(&t->cases, pool);
    t->c = expr_var(pool, 1, "c");
    t->d = expr_var(pool, 1, "d");
    t->x = expr_var(pool, 32, "x");
    t->y = expr_var(pool, 32, "y");
    t->p = expr_const(pool, 32, P);
    t->q = expr_const(pool, 32, Q);
    t->r = expr_const(pool, 32, R);
    t->s = expr_const(pool, 32, S);
}

static void end(Setting *t)
{
    expr_check(t->pool);
    expr_cases_release(&t->cases);
    expr_pool_free(t->pool);
}

/* What holds of every answer. */
static void well_formed(ExprPool *pool, Expr e, const ExprCase *list, uint32_t count)
{
    assert_in_range(count, 1, MOST_CASES);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(list[i].condition, expr_eq(pool, e, list[i].value));
        assert_int_not_equal(list[i].condition, expr_const(pool, 1, 0));
        for (uint32_t k = 0; k < i; k++) assert_int_not_equal(list[i].value, list[k].value);
    }
}

static uint32_t ask(Setting *t, Expr e, const ExprCase **list)
{
    uint32_t count = expr_cases(&t->cases, e, list);
    well_formed(t->pool, e, *list, count);
    return count;
}

static bool is_among(const ExprCase *list, uint32_t count, Expr value)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i].value == value) return true;
    return false;
}

/* These, in any order, and no others. */
static void exactly(Setting *t, Expr e, const Expr *values, uint32_t count)
{
    const ExprCase *list;
    assert_int_equal(ask(t, e, &list), count);
    for (uint32_t i = 0; i < count; i++) assert_true(is_among(list, count, values[i]));
}
#define EXACTLY(t, e, ...) exactly(t, e, (Expr[]){__VA_ARGS__}, COUNT_OF(((Expr[]){__VA_ARGS__})))

static void is_one_case(Setting *t, Expr e)
{
    const ExprCase *list;
    assert_int_equal(ask(t, e, &list), 1);
    assert_int_equal(list[0].value, e);
    assert_int_equal(list[0].condition, expr_const(t->pool, 1, 1));
}

/* ---- what is no choice ---- */

static void what_is_no_choice_is_one_case(void **state)
{
    (void)state;
    Setting t;
    begin(&t);
    ExprPool *pool = t.pool;
    Expr one = expr_const(pool, 32, 1), table = expr_array(pool, 32, (Expr[]){t.p, t.q, t.x}, 3);
    is_one_case(&t, t.p);
    is_one_case(&t, expr_const(pool, 1, 0));
    is_one_case(&t, expr_const(pool, 1, 1));
    is_one_case(&t, expr_const(pool, 128, (U128)P << 96 | Q));
    is_one_case(&t, t.x);
    is_one_case(&t, expr_undef(pool, 32));
    is_one_case(&t, expr_add(pool, t.x, one));
    is_one_case(&t, expr_add(pool, t.x, t.y));
    is_one_case(&t, expr_not(pool, t.x));
    is_one_case(&t, expr_extract(pool, t.x, 3, 9));
    is_one_case(&t, expr_zext(pool, t.x, 64));
    is_one_case(&t, expr_sext(pool, t.x, 64));
    is_one_case(&t, expr_binary(pool, EXPR_CONCAT, t.x, t.y));
    is_one_case(&t, expr_select(pool, table, expr_zext(pool, t.x, 64)));
    end(&t);
}

/* What is computed otherwise is opaque, whatever lies inside. */
static void other_operators_are_not_looked_into(void **state)
{
    (void)state;
    Setting t;
    begin(&t);
    Expr choice = expr_ite(t.pool, t.c, t.p, t.q);
    is_one_case(&t, expr_binary(t.pool, EXPR_MUL, choice, t.x));
    is_one_case(&t, expr_binary(t.pool, EXPR_UDIV, t.x, choice));
    is_one_case(&t, expr_binary(t.pool, EXPR_SHL, t.x, choice));
    EXACTLY(&t, expr_ite(t.pool, t.d, expr_binary(t.pool, EXPR_MUL, choice, t.x), t.y), expr_binary(t.pool, EXPR_MUL, choice, t.x), t.y);
    end(&t);
}

static void one_bit_is_two_cases(void **state)
{
    (void)state;
    Setting t;
    begin(&t);
    ExprPool *pool = t.pool;
    Expr yes = expr_const(pool, 1, 1), no = expr_const(pool, 1, 0), less = expr_binary(pool, EXPR_ULT, t.x, t.y);
    const Expr bits[] = {t.c,
                         less,
                         expr_not(pool, t.c),
                         expr_and(pool, t.c, less),
                         expr_eq(pool, t.x, t.y),
                         expr_extract(pool, t.x, 7, 1),
                         expr_ite(pool, t.c, t.d, less),
                         expr_undef(pool, 1)};
    for (unsigned i = 0; i < COUNT_OF(bits); i++) {
        const ExprCase *list;
        EXACTLY(&t, bits[i], yes, no);
        (void)ask(&t, bits[i], &list);
        for (int k = 0; k < 2; k++) assert_int_equal(list[k].condition, list[k].value == yes ? bits[i] : expr_not(pool, bits[i]));
    }
    EXACTLY(&t, expr_zext(pool, less, 32), expr_const(pool, 32, 0), expr_const(pool, 32, 1));
    EXACTLY(&t, expr_sext(pool, less, 32), expr_const(pool, 32, 0), expr_const(pool, 32, 0xffffffff));
    EXACTLY(&t, expr_add(pool, t.x, expr_zext(pool, less, 32)), t.x, expr_add(pool, t.x, expr_const(pool, 32, 1)));
    end(&t);
}

/* ---- choices ---- */

static void a_choice_is_one_of_its_arms(void **state)
{
    (void)state;
    Setting t;
    begin(&t);
    ExprPool *pool = t.pool;
    Expr next = expr_add(pool, t.x, expr_const(pool, 32, 1)), three = expr_const(pool, 32, 3);
    EXACTLY(&t, expr_ite(pool, t.c, t.p, t.q), t.p, t.q);
    EXACTLY(&t, expr_ite(pool, t.c, three, next), three, next);
    EXACTLY(&t, expr_ite(pool, t.c, t.x, t.y), t.x, t.y);
    EXACTLY(&t, expr_ite(pool, expr_binary(pool, EXPR_SLT, t.x, t.y), t.x, t.p), t.x, t.p);
    Expr inner = expr_ite(pool, t.d, t.p, t.x), outer = expr_ite(pool, t.c, inner, expr_ite(pool, expr_eq(pool, t.x, t.p), t.q, t.y));
    EXACTLY(&t, outer, t.p, t.x, t.q, t.y);
    EXACTLY(&t, expr_ite(pool, expr_binary(pool, EXPR_ULT, t.y, t.x), outer, inner), t.p, t.x, t.q, t.y);
    end(&t);
}

/* The conditions say which of two constants it is. */
static void constants_exclude_each_other(void **state)
{
    (void)state;
    Setting t;
    begin(&t);
    Expr e = expr_ite(t.pool, t.c, t.p, expr_ite(t.pool, t.d, t.q, t.r));
    const ExprCase *list;
    uint32_t count = ask(&t, e, &list);
    ExprModel *model = expr_model_new(t.pool);
    assert_int_equal(count, 3);
    for (unsigned bits = 0; bits < 4; bits++) {
        uint32_t holds = 0;
        expr_model_set(model, t.c, bits & 1);
        expr_model_set(model, t.d, bits >> 1);
        for (uint32_t i = 0; i < count; i++) holds += expr_eval(model, list[i].condition) != 0;
        assert_int_equal(holds, 1);
    }
    expr_model_free(model);
    end(&t);
}

/* 2 to the power of 300 paths through choices that share their arms: as few values, and no more time, than there are nodes. */
static void shared_choices_cost_one_visit_each(void **state)
{
    (void)state;
    Setting t;
    begin(&t);
    ExprPool *pool = t.pool;
    Expr a = t.x, b = t.y;
    for (unsigned i = 0; i < 300; i++) {
        Expr over = expr_binary(pool, EXPR_ULT, expr_const(pool, 32, i), t.x),
             under = expr_binary(pool, EXPR_SLT, t.y, expr_const(pool, 32, i));
        Expr first = expr_ite(pool, over, a, b), second = expr_ite(pool, under, b, a);
        a = first;
        b = second;
    }
    EXACTLY(&t, a, t.x, t.y);
    EXACTLY(&t, b, t.x, t.y);
    end(&t);
}

/* ---- what is computed from choices ---- */

static Expr plus(ExprPool *pool, Expr e, uint64_t value)
{
    return expr_add(pool, e, expr_const(pool, expr_width(pool, e), value));
}

static void sums_and_differences(void **state)
{
    (void)state;
    Setting t;
    begin(&t);
    ExprPool *pool = t.pool;
    Expr left = expr_ite(pool, t.c, t.p, t.q), right = expr_ite(pool, t.d, t.r, t.s);
    EXACTLY(&t, expr_add(pool, left, right), plus(pool, t.p, R), plus(pool, t.p, S), plus(pool, t.q, R), plus(pool, t.q, S));
    EXACTLY(&t, expr_binary(pool, EXPR_SUB, left, right), plus(pool, t.p, -(uint64_t)R), plus(pool, t.p, -(uint64_t)S),
            plus(pool, t.q, -(uint64_t)R), plus(pool, t.q, -(uint64_t)S));
    EXACTLY(&t, expr_add(pool, left, t.x), plus(pool, t.x, P), plus(pool, t.x, Q));
    EXACTLY(&t, expr_binary(pool, EXPR_SUB, t.x, left), expr_binary(pool, EXPR_SUB, t.x, t.p), expr_binary(pool, EXPR_SUB, t.x, t.q));
    Expr either = expr_ite(pool, t.c, t.x, t.y);
    EXACTLY(&t, expr_add(pool, either, right), plus(pool, t.x, R), plus(pool, t.x, S), plus(pool, t.y, R), plus(pool, t.y, S));
    /* P + S = Q + (P - Q + S): one value. */
    Expr other = expr_ite(pool, t.d, t.s, expr_const(pool, 32, P - Q + S));
    EXACTLY(&t, expr_add(pool, left, other), expr_const(pool, 32, P + S), expr_const(pool, 32, Q + S), expr_const(pool, 32, 2 * P - Q + S));
    end(&t);
}

static void bitwise_operators(void **state)
{
    (void)state;
    Setting t;
    begin(&t);
    ExprPool *pool = t.pool;
    Expr left = expr_ite(pool, t.c, t.p, t.x), right = expr_ite(pool, t.d, t.r, t.y);
    const ExprKind kinds[] = {EXPR_AND, EXPR_OR, EXPR_XOR};
    for (unsigned i = 0; i < COUNT_OF(kinds); i++)
        EXACTLY(&t, expr_binary(pool, kinds[i], left, right), expr_binary(pool, kinds[i], t.p, t.r), expr_binary(pool, kinds[i], t.p, t.y),
                expr_binary(pool, kinds[i], t.x, t.r), expr_binary(pool, kinds[i], t.x, t.y));
    EXACTLY(&t, expr_not(pool, left), expr_not(pool, t.p), expr_not(pool, t.x));
    end(&t);
}

static void extensions_and_concatenations(void **state)
{
    (void)state;
    Setting t;
    begin(&t);
    ExprPool *pool = t.pool;
    Expr left = expr_ite(pool, t.c, t.p, t.x), right = expr_ite(pool, t.d, t.q, t.y);
    EXACTLY(&t, expr_zext(pool, left, 64), expr_zext(pool, t.p, 64), expr_zext(pool, t.x, 64));
    EXACTLY(&t, expr_sext(pool, left, 64), expr_sext(pool, t.p, 64), expr_sext(pool, t.x, 64));
    EXACTLY(&t, expr_zext(pool, left, 128), expr_zext(pool, t.p, 128), expr_zext(pool, t.x, 128));
    EXACTLY(&t, expr_extract(pool, left, 5, 20), expr_extract(pool, t.p, 5, 20), expr_extract(pool, t.x, 5, 20));
    EXACTLY(&t, expr_binary(pool, EXPR_CONCAT, left, right), expr_binary(pool, EXPR_CONCAT, t.p, t.q),
            expr_binary(pool, EXPR_CONCAT, t.p, t.y), expr_binary(pool, EXPR_CONCAT, t.x, t.q), expr_binary(pool, EXPR_CONCAT, t.x, t.y));
    Expr above = expr_binary(pool, EXPR_CONCAT, expr_const(pool, 1, 1), expr_extract(pool, t.x, 0, 31));
    EXACTLY(&t, expr_ite(pool, t.c, above, t.y), above, t.y);
    end(&t);
}

/* Whatever form the pool gives to a choice of two constants, the two are among its cases. */
static void choices_of_constants_in_pieces(void **state)
{
    (void)state;
    enum { VALUES = 32 };
    Setting t;
    begin(&t);
    for (unsigned a = 0; a < VALUES; a++)
        for (unsigned b = 0; b < VALUES; b++) {
            Expr yes = expr_const(t.pool, 32, a * 9), no = expr_const(t.pool, 32, b * 9);
            const ExprCase *list;
            uint32_t count = ask(&t, expr_ite(t.pool, t.c, yes, no), &list);
            assert_true(is_among(list, count, yes) && is_among(list, count, no));
        }
    end(&t);
}

/* Such a choice within others, and the bytes of one. */
static void pieces_within_choices(void **state)
{
    (void)state;
    Setting t;
    begin(&t);
    ExprPool *pool = t.pool;
    Expr flag = expr_ite(pool, t.c, expr_const(pool, 32, 1), expr_const(pool, 32, 0));
    assert_int_not_equal(expr_kind(pool, flag), EXPR_ITE);
    EXACTLY(&t, expr_ite(pool, t.d, flag, t.x), expr_const(pool, 32, 0), expr_const(pool, 32, 1), t.x);
    EXACTLY(&t, expr_add(pool, flag, t.x), t.x, plus(pool, t.x, 1));
    Expr choice = expr_ite(pool, t.c, expr_const(pool, 32, 0x41), expr_ite(pool, t.d, expr_const(pool, 32, 0x42), t.x));
    EXACTLY(&t, expr_extract(pool, choice, 0, 8), expr_const(pool, 8, 0x41), expr_const(pool, 8, 0x42), expr_extract(pool, t.x, 0, 8));
    end(&t);
}

/* ---- limits ---- */

/* Of `count` values, one after the other. */
static Expr chain(Setting *t, const Expr *values, uint32_t count)
{
    Expr e = values[0];
    for (uint32_t i = 1; i < count; i++) e = expr_ite(t->pool, expr_eq(t->pool, t->x, expr_const(t->pool, 32, i)), values[i], e);
    return e;
}

static void more_than_the_limit_is_one_case(void **state)
{
    (void)state;
    Setting t;
    begin(&t);
    Expr values[MOST_CASES + 1];
    for (uint32_t i = 0; i < COUNT_OF(values); i++) values[i] = expr_var(t.pool, 32, "v");
    Expr most = chain(&t, values, MOST_CASES), more = chain(&t, values, MOST_CASES + 1);
    exactly(&t, most, values, MOST_CASES);
    is_one_case(&t, more);
    is_one_case(&t, more);
    exactly(&t, most, values, MOST_CASES);
    /* What contains it. */
    is_one_case(&t, expr_ite(t.pool, t.c, t.p, more));
    is_one_case(&t, expr_ite(t.pool, t.c, more, t.p));
    is_one_case(&t, expr_not(t.pool, more));
    is_one_case(&t, expr_add(t.pool, more, t.y));
    is_one_case(&t, expr_binary(t.pool, EXPR_SUB, t.y, more));
    end(&t);
}

static void combinations_over_the_limit_are_one_case(void **state)
{
    (void)state;
    enum { SIDE = 16 };
    Setting t;
    begin(&t);
    ExprPool *pool = t.pool;
    Expr left[SIDE], right[SIDE + 1], sums[SIDE * SIDE];
    for (uint32_t i = 0; i < SIDE; i++) left[i] = expr_var(pool, 32, "l");
    for (uint32_t i = 0; i < SIDE + 1; i++) right[i] = expr_var(pool, 32, "r");
    for (uint32_t i = 0; i < SIDE * SIDE; i++) sums[i] = expr_add(pool, left[i / SIDE], right[i % SIDE]);
    static_assert(SIDE * SIDE == MOST_CASES, "as many as there may be");
    exactly(&t, expr_add(pool, chain(&t, left, SIDE), chain(&t, right, SIDE)), sums, SIDE * SIDE);
    is_one_case(&t, expr_add(pool, chain(&t, left, SIDE), chain(&t, right, SIDE + 1)));
    /* Each byte of 32 that are all or nothing. */
    Expr bits = expr_sext(pool, t.c, 4);
    for (unsigned i = 0; i < 31; i++) bits = expr_binary(pool, EXPR_CONCAT, expr_sext(pool, expr_extract(pool, t.y, i, 1), 4), bits);
    is_one_case(&t, bits);
    end(&t);
}

enum { DEEP = 100000 };

static void *ask_deep(void *data)
{
    Setting *t = data;
    Expr few = t->p, many = t->p, sum = t->p, minus = t->p;
    for (uint32_t i = 0; i < DEEP; i++) {
        Expr here = expr_eq(t->pool, t->x, expr_const(t->pool, 32, i));
        few = expr_ite(t->pool, here, i % 2 ? t->q : t->y, few);
        many = expr_ite(t->pool, here, expr_const(t->pool, 32, i * R), many);
        sum = expr_binary(t->pool, EXPR_XOR, expr_binary(t->pool, EXPR_MUL, t->x, sum), expr_ite(t->pool, here, t->p, t->q));
        minus = expr_ite(t->pool, here, t->r, expr_binary(t->pool, EXPR_SUB, i % 2 ? t->x : t->y, minus));
    }
    is_one_case(t, few);
    is_one_case(t, many);
    is_one_case(t, minus);
    const ExprCase *list;
    (void)ask(t, sum, &list);
    return NULL;
}

/* Even where the stack is that of a thread. */
static void depth_costs_no_stack(void **state)
{
    (void)state;
    Setting t;
    pthread_attr_t attributes;
    pthread_t thread;
    begin(&t);
    pthread_attr_init(&attributes);
    assert_int_equal(pthread_attr_setstacksize(&attributes, 8 << 20), 0);
    assert_int_equal(pthread_create(&thread, &attributes, ask_deep, &t), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    end(&t);
}

/* ---- what is kept ---- */

static void answers_stay_until_the_next_question(void **state)
{
    (void)state;
    Setting t;
    begin(&t);
    const ExprCase *list;
    Expr e = expr_ite(t.pool, t.c, t.p, expr_ite(t.pool, t.d, t.q, t.x));
    assert_int_equal(ask(&t, e, &list), 3);
    ExprCase before[3];
    memcpy(before, list, sizeof before);
    for (uint32_t i = 0; i < DEEP; i++) (void)expr_binary(t.pool, EXPR_UDIV, t.x, expr_const(t.pool, 32, i));
    assert_memory_equal(list, before, sizeof before);
    end(&t);
}

static void the_same_question_builds_nothing(void **state)
{
    (void)state;
    Setting t;
    begin(&t);
    Expr left = expr_ite(t.pool, t.c, t.p, t.x), right = expr_ite(t.pool, t.d, t.q, t.y), sum = expr_add(t.pool, left, right);
    ExprCase before[4];
    const ExprCase *list;
    assert_int_equal(expr_cases(&t.cases, sum, &list), 4);
    memcpy(before, list, sizeof before);
    uint32_t count = expr_pool_count(t.pool);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(expr_cases(&t.cases, left, &list), 2);
        count = i ? count : expr_pool_count(t.pool); /* its conditions are new */
        assert_int_equal(expr_cases(&t.cases, sum, &list), 4);
        assert_memory_equal(list, before, sizeof before);
        assert_int_equal(expr_pool_count(t.pool), count);
    }
    end(&t);
}

/* Another expression may have the number of one that was forgotten. */
static void after_a_rewind_one_starts_again(void **state)
{
    (void)state;
    Setting t;
    begin(&t);
    uint32_t mark = expr_pool_count(t.pool);
    for (uint32_t i = 0; i < 10; i++) {
        Expr value = expr_const(t.pool, 32, P ^ i << 3), e = expr_ite(t.pool, t.c, value, i % 2 ? t.x : t.y);
        EXACTLY(&t, e, value, i % 2 ? t.x : t.y);
        expr_cases_release(&t.cases);
        expr_pool_rewind(t.pool, mark);
        expr_cases_init(&t.cases, t.pool);
    }
    end(&t);
}

/* ---- random expressions ---- */

enum { ROUNDS = 400, TERMS = 12, SMALL = 4, SMALL_BITS = 7, WIDE_MODELS = 20 };

typedef struct Terms {
    Random random;
    ExprPool *pool;
    Expr small[SMALL], wide, recent[8]; /* the small ones have SMALL_BITS bits together */
} Terms;

static uint32_t below(Terms *t, uint32_t n)
{
    return (uint32_t)random_below(&t->random, n);
}

static void begin_terms(Terms *t, uint64_t seed)
{
    static const unsigned widths[SMALL] = {1, 1, 2, 3};
    *t = (Terms){.pool = expr_pool_new()};
    random_seed(&t->random, seed);
    for (unsigned i = 0; i < SMALL; i++) t->small[i] = expr_var(t->pool, widths[i], "s");
    t->wide = expr_var(t->pool, 64, "w");
}

static Expr fit(Terms *t, Expr e, unsigned width)
{
    unsigned has = expr_width(t->pool, e);
    if (has > width) return expr_extract(t->pool, e, below(t, has - width + 1), width);
    return below(t, 2) ? expr_zext(t->pool, e, width) : expr_sext(t->pool, e, width);
}

static Expr leaf(Terms *t, unsigned width)
{
    Expr recent = t->recent[below(t, COUNT_OF(t->recent))];
    switch (below(t, 6)) {
    case 0: return fit(t, t->small[below(t, SMALL)], width);
    case 1: return fit(t, t->wide, width);
    case 2: return recent ? fit(t, recent, width) : expr_const(t->pool, width, below(t, 4));
    case 3: return expr_const(t->pool, width, -(U128)below(t, 4));
    default: return expr_const(t->pool, width, (U128)random_next(&t->random) << 64 | random_next(&t->random));
    }
}

static Expr term(Terms *t, unsigned depth, unsigned width);

static Expr condition(Terms *t, unsigned depth)
{
    static const ExprKind kinds[] = {EXPR_EQ, EXPR_ULT, EXPR_SLE};
    if (below(t, 2)) return t->small[below(t, 2)];
    unsigned width = 1 + below(t, 8);
    Expr a = term(t, depth, width), b = term(t, depth, width);
    return expr_binary(t->pool, kinds[below(t, COUNT_OF(kinds))], a, b);
}

static Expr term(Terms *t, unsigned depth, unsigned width)
{
    static const ExprKind kinds[] = {EXPR_ADD, EXPR_SUB, EXPR_AND, EXPR_OR, EXPR_XOR};
    if (!depth || !below(t, 8)) return leaf(t, width);
    Expr result;
    if (below(t, 3) == 0) {
        Expr decides = condition(t, depth - 1), yes = term(t, depth - 1, width), no = term(t, depth - 1, width);
        result = expr_ite(t->pool, decides, yes, no);
    } else if (below(t, 3) == 0) {
        result = fit(t, term(t, depth - 1, 1 + below(t, 40)), width);
    } else if (width > 1 && below(t, 3) == 0) {
        unsigned high = 1 + below(t, width - 1);
        Expr above = term(t, depth - 1, high), under = term(t, depth - 1, width - high);
        result = expr_binary(t->pool, EXPR_CONCAT, above, under);
    } else if (below(t, 6) == 0) {
        result = expr_not(t->pool, term(t, depth - 1, width));
    } else {
        Expr a = term(t, depth - 1, width), b = term(t, depth - 1, width);
        result = expr_binary(t->pool, kinds[below(t, COUNT_OF(kinds))], a, b);
    }
    t->recent[below(t, COUNT_OF(t->recent))] = result;
    return result;
}

static void holds_under(ExprModel *model, Expr e, const ExprCase *list, uint32_t count)
{
    U128 value = expr_eval(model, e);
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        bool holds = expr_eval(model, list[i].condition), equal = expr_eval(model, list[i].value) == value;
        assert_int_equal(holds, equal);
        any |= holds;
    }
    assert_true(any);
}

/* All values of the small variables, with some of the wide one. */
static void holds_everywhere(Terms *t, Expr e, const ExprCase *list, uint32_t count)
{
    ExprModel *model = expr_model_new(t->pool);
    for (uint32_t n = 0; n < 1u << SMALL_BITS; n++) {
        uint32_t rest = n;
        for (unsigned i = 0; i < SMALL; rest >>= expr_width(t->pool, t->small[i++])) expr_model_set(model, t->small[i], rest);
        if (n % (1 + (1u << SMALL_BITS) / WIDE_MODELS) == 0) expr_model_set(model, t->wide, random_next(&t->random) >> below(t, 64));
        holds_under(model, e, list, count);
    }
    expr_model_free(model);
}

/* The same answer as when nothing was asked before. */
static void same_when_asked_first(ExprPool *pool, Expr e, const ExprCase *list, uint32_t count)
{
    ExprCases fresh;
    const ExprCase *again;
    expr_cases_init(&fresh, pool);
    assert_int_equal(expr_cases(&fresh, e, &again), count);
    assert_memory_equal(again, list, count * sizeof *list);
    expr_cases_release(&fresh);
}

static void random_expressions_equal_one_of_their_cases(void **state)
{
    (void)state;
    static const unsigned widths[] = {1, 2, 3, 7, 8, 8, 16, 32, 32, 64, 128};
    uint32_t several = 0, single = 0;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        Terms t;
        ExprCases cases;
        begin_terms(&t, seed);
        expr_cases_init(&cases, t.pool);
        for (unsigned i = 0; i < TERMS; i++) {
            Expr e = term(&t, 1 + below(&t, 5), widths[below(&t, COUNT_OF(widths))]);
            const ExprCase *list;
            uint32_t count = expr_cases(&cases, e, &list);
            well_formed(t.pool, e, list, count);
            same_when_asked_first(t.pool, e, list, count);
            holds_everywhere(&t, e, list, count);
            if (count > 2) several++;
            else if (count == 1 && !expr_is_const(t.pool, e)) single++;
        }
        expr_check(t.pool);
        expr_cases_release(&cases);
        expr_pool_free(t.pool);
    }
    assert_in_range(several, ROUNDS, ROUNDS * TERMS);
    assert_in_range(single, ROUNDS / 4, ROUNDS * TERMS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_choice_is_one_case),
        cmocka_unit_test(other_operators_are_not_looked_into),
        cmocka_unit_test(one_bit_is_two_cases),
        cmocka_unit_test(a_choice_is_one_of_its_arms),
        cmocka_unit_test(constants_exclude_each_other),
        cmocka_unit_test(shared_choices_cost_one_visit_each),
        cmocka_unit_test(sums_and_differences),
        cmocka_unit_test(bitwise_operators),
        cmocka_unit_test(extensions_and_concatenations),
        cmocka_unit_test(choices_of_constants_in_pieces),
        cmocka_unit_test(pieces_within_choices),
        cmocka_unit_test(more_than_the_limit_is_one_case),
        cmocka_unit_test(combinations_over_the_limit_are_one_case),
        cmocka_unit_test(depth_costs_no_stack),
        cmocka_unit_test(answers_stay_until_the_next_question),
        cmocka_unit_test(the_same_question_builds_nothing),
        cmocka_unit_test(after_a_rewind_one_starts_again),
        cmocka_unit_test(random_expressions_equal_one_of_their_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
