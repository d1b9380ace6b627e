/* The solver from outside: stack, slices, caches, models, cores, budgets. */
#include "base/arith.h"
#include "solve/cache.h"
#include "solve/solve.h"
#include "solve/stack.h"

#include <setjmp.h>
#include <stdlib.h>
#undef fail
#include <cmocka.h>

typedef struct World {
    ExprPool *pool;
    Solver *solver;
    ExprModel *model;
    Expr x[8]; /* bytes */
    Expr w[4]; /* 32 bits */
} World;

static World world(uint32_t tiers)
{
    World w = {.pool = expr_pool_new()};
    SolveOptions options = {.tiers = tiers, .seed = 1};
    Error error;
    assert_int_equal(solver_new(&w.solver, w.pool, &options, &error), OK);
    w.model = expr_model_new(w.pool);
    for (unsigned i = 0; i < COUNT_OF(w.x); i++) w.x[i] = expr_var(w.pool, 8, "x");
    for (unsigned i = 0; i < COUNT_OF(w.w); i++) w.w[i] = expr_var(w.pool, 32, "w");
    return w;
}

static void release(World *w)
{
    solver_free(w->solver);
    expr_model_free(w->model);
    expr_pool_free(w->pool);
}

static Expr value(World *w, unsigned width, uint64_t v)
{
    return expr_const(w->pool, width, v);
}

static Expr less(World *w, Expr a, Expr b)
{
    return expr_binary(w->pool, EXPR_ULT, a, b);
}

static Expr equals(World *w, Expr a, uint64_t v)
{
    return expr_eq(w->pool, a, value(w, expr_width(w->pool, a), v));
}

static SolveAnswer check(World *w, Expr question)
{
    return solver_check(w->solver, &question, 1, w->model);
}

static void apply(World *w)
{
    uint32_t count;
    const SolveValue *changes = solver_changes(w->solver, &count);
    for (uint32_t i = 0; i < count; i++) expr_model_set(w->model, changes[i].var, changes[i].value);
}

static void test_only_what_depends_changes(void **state)
{
    (void)state;
    World w = world(0);
    expr_model_set(w.model, w.x[0], 5);
    expr_model_set(w.model, w.x[1], 200);
    solver_assert(w.solver, less(&w, w.x[0], value(&w, 8, 10)));
    solver_assert(w.solver, less(&w, value(&w, 8, 100), w.x[1]));
    assert_int_equal(check(&w, equals(&w, w.x[0], 7)), SOLVE_SAT);
    uint32_t count;
    const SolveValue *changes = solver_changes(w.solver, &count);
    assert_int_equal(count, 1);
    assert_int_equal(changes[0].var, w.x[0]);
    assert_int_equal((uint64_t)changes[0].value, 7);
    release(&w);
}

static void test_a_violated_assertion_is_solved_too(void **state)
{
    (void)state;
    World w = world(0);
    solver_assert(w.solver, less(&w, value(&w, 8, 100), w.x[1])); /* the model says 0 */
    assert_int_equal(check(&w, equals(&w, w.x[0], 7)), SOLVE_SAT);
    apply(&w);
    assert_int_equal((uint64_t)expr_eval(w.model, w.x[0]), 7);
    assert_true((uint64_t)expr_eval(w.model, w.x[1]) > 100);
    release(&w);
}

static void test_core_names_the_culprits(void **state)
{
    (void)state;
    World w = world(0);
    Expr small = less(&w, w.x[0], value(&w, 8, 10)), other = less(&w, w.x[1], value(&w, 8, 10)), big = less(&w, value(&w, 8, 20), w.x[0]);
    solver_assert(w.solver, small);
    solver_assert(w.solver, other);
    assert_int_equal(check(&w, big), SOLVE_UNSAT);
    uint32_t count;
    const Expr *core = solver_core(w.solver, &count);
    assert_int_equal(count, 2);
    for (uint32_t i = 0; i < count; i++) assert_true(core[i] == small || core[i] == big);
    release(&w);
}

static void test_return_forgets(void **state)
{
    (void)state;
    World w = world(0);
    Expr small = less(&w, w.x[0], value(&w, 8, 10)), big = less(&w, value(&w, 8, 20), w.x[0]);
    solver_assert(w.solver, small);
    assert_int_equal(check(&w, big), SOLVE_UNSAT);
    solver_return(w.solver, 0);
    assert_int_equal(solver_depth(w.solver), 0);
    assert_int_equal(check(&w, big), SOLVE_SAT);
    release(&w);
}

static void test_false_is_false(void **state)
{
    (void)state;
    World w = world(0);
    assert_int_equal(check(&w, value(&w, 1, 0)), SOLVE_UNSAT);
    assert_int_equal(check(&w, value(&w, 1, 1)), SOLVE_SAT);
    solver_assert(w.solver, value(&w, 1, 0));
    assert_int_equal(check(&w, equals(&w, w.x[0], 1)), SOLVE_UNSAT);
    assert_int_equal(solver_check(w.solver, NULL, 0, w.model), SOLVE_UNSAT);
    release(&w);
}

static void test_undef_reads_as_zero(void **state)
{
    (void)state;
    World w = world(0);
    Expr undef = expr_undef(w.pool, 8);
    assert_int_equal(check(&w, equals(&w, undef, 3)), SOLVE_UNSAT);
    assert_int_equal(check(&w, expr_eq(w.pool, undef, w.x[0])), SOLVE_SAT);
    expr_model_set(w.model, w.x[0], 9);
    assert_int_equal(check(&w, expr_eq(w.pool, undef, w.x[0])), SOLVE_SAT);
    apply(&w);
    assert_int_equal((uint64_t)expr_eval(w.model, w.x[0]), 0);
    release(&w);
}

static void test_cache_answers_the_same_and_its_parts(void **state)
{
    (void)state;
    World w = world(0);
    Expr a = less(&w, w.w[0], w.w[1]), b = less(&w, w.w[1], w.w[2]), c = less(&w, value(&w, 32, 7), w.w[0]);
    solver_assert(w.solver, a);
    solver_assert(w.solver, b);
    assert_int_equal(check(&w, c), SOLVE_SAT);
    uint64_t before = solver_stats(w.solver)->answered[TIER_CACHE];
    assert_int_equal(check(&w, c), SOLVE_SAT); /* equal */
    solver_return(w.solver, 1);
    assert_int_equal(check(&w, c), SOLVE_SAT); /* smaller: a and c */
    assert_int_equal(solver_stats(w.solver)->answered[TIER_CACHE], before + 2);
    solver_return(w.solver, 0);
    solver_assert(w.solver, less(&w, w.x[0], value(&w, 8, 4)));
    Expr far = less(&w, value(&w, 8, 9), w.x[0]);
    assert_int_equal(check(&w, far), SOLVE_UNSAT);
    solver_assert(w.solver, less(&w, w.x[1], w.x[0]));
    before = solver_stats(w.solver)->answered[TIER_CACHE];
    assert_int_equal(check(&w, far), SOLVE_UNSAT); /* larger than an UNSAT core */
    assert_int_equal(solver_stats(w.solver)->answered[TIER_CACHE], before + 1);
    release(&w);
}

/* A cached model of a larger question must not disturb variables that other conditions now hold. */
static void test_cached_values_stay_in_the_slice(void **state)
{
    (void)state;
    World w = world(0);
    Expr link = less(&w, w.x[0], w.x[1]), question = less(&w, value(&w, 8, 50), w.x[0]);
    solver_assert(w.solver, link);
    assert_int_equal(check(&w, question), SOLVE_SAT);
    solver_return(w.solver, 0);
    expr_model_set(w.model, w.x[1], 3);
    solver_assert(w.solver, equals(&w, w.x[1], 3));
    assert_int_equal(check(&w, question), SOLVE_SAT);
    apply(&w);
    assert_int_equal((uint64_t)expr_eval(w.model, w.x[1]), 3);
    assert_true((uint64_t)expr_eval(w.model, w.x[0]) > 50);
    release(&w);
}

static void test_start_is_optional(void **state)
{
    (void)state;
    World w = world(0);
    Expr question = equals(&w, expr_add(w.pool, w.w[0], w.w[1]), 1000);
    assert_int_equal(solver_check(w.solver, &question, 1, NULL), SOLVE_SAT);
    solver_assert(w.solver, question);
    uint64_t before = solver_stats(w.solver)->answered[TIER_SLICE];
    assert_int_equal(solver_check(w.solver, NULL, 0, NULL), SOLVE_SAT); /* the last model still does */
    assert_int_equal(solver_stats(w.solver)->answered[TIER_SLICE], before + 1);
    release(&w);
}

static void test_forgetting_keeps_what_stays(void **state)
{
    (void)state;
    World w = world(0);
    solver_assert(w.solver, less(&w, w.x[0], value(&w, 8, 10)));
    uint32_t count = expr_pool_count(w.pool);
    for (unsigned round = 0; round < 3; round++) {
        /* The same ids mean other things in each round. */
        Expr sum = expr_add(w.pool, w.x[0], value(&w, 8, 40 + round)), question = equals(&w, sum, 45);
        SolveAnswer answer = check(&w, question);
        assert_int_equal(answer, SOLVE_SAT);
        uint32_t changed;
        const SolveValue *changes = solver_changes(w.solver, &changed);
        U128 found = changed ? changes[0].value : expr_model_get(w.model, w.x[0]);
        assert_int_equal((uint64_t)found, 5 - round);
        solver_forget(w.solver, count);
        expr_pool_rewind(w.pool, count);
    }
    release(&w);
}

/* ---- every tier alone ---- */

static void test_tiers_can_be_switched_off(void **state)
{
    (void)state;
    static const uint32_t sets[] = {1u << TIER_BLAST, 1u << TIER_Z3, 1u << TIER_LOCAL | 1u << TIER_BLAST,
                                    SOLVE_ALL_TIERS & ~(1u << TIER_SLICE), SOLVE_ALL_TIERS & ~(1u << TIER_CACHE)};
    for (unsigned i = 0; i < COUNT_OF(sets); i++) {
        World w = world(sets[i]);
        solver_assert(w.solver, less(&w, w.w[0], w.w[1]));
        assert_int_equal(check(&w, equals(&w, expr_binary(w.pool, EXPR_MUL, w.w[0], w.w[1]), 35)), SOLVE_SAT);
        apply(&w);
        assert_true(expr_eval(w.model, w.w[0]) < expr_eval(w.model, w.w[1]));
        assert_int_equal(check(&w, less(&w, w.w[1], w.w[0])), SOLVE_UNSAT);
        for (unsigned t = 0; t < SOLVE_TIERS; t++)
            if (t != TIER_SLICE && !(sets[i] & 1u << t)) assert_int_equal(solver_stats(w.solver)->answered[t], 0);
        release(&w);
    }
}

/* ---- small domains ---- */

static U128 square(void *data, const U128 *arguments, uint32_t count)
{
    (void)data;
    REQUIRE(count == 1, "one argument");
    return arguments[0] * arguments[0];
}

/* 3 is no square modulo 256; only running the function on every byte tells. */
static void test_few_bits_are_enumerated(void **state)
{
    (void)state;
    static const ExprFunction function = {"square", square, NULL};
    World w = world(SOLVE_ALL_TIERS & ~(1u << TIER_MIXED));
    Expr squared = expr_apply(w.pool, &function, 8, &w.x[0], 1);
    assert_int_equal(check(&w, equals(&w, squared, 3)), SOLVE_UNSAT);
    assert_int_equal(check(&w, equals(&w, squared, 33)), SOLVE_SAT);
    apply(&w);
    assert_int_equal((uint64_t)expr_eval(w.model, squared), 33);
    release(&w);
}

/* ---- budgets ---- */

/* Two factors of 61 bits each, as a product of 128 bits. */
/* Many paths merged into one formula: nearly all is left to circuits, and answered as trying all values would. */
static void test_merged_questions_go_to_circuits(void **state)
{
    (void)state;
    enum { STEPS = 80, QUESTIONS = 12, FIRST = 4 };
    World w = world(0);
    bool possible[256] = {false};
    Expr result = value(&w, 8, 1);
    for (unsigned i = 0; i < STEPS; i++) {
        Expr taken = less(&w, w.x[i % 2], value(&w, 8, (i * 41 + 7) % 256));
        Expr more = expr_add(w.pool, result, value(&w, 8, i % 5)), other = expr_binary(w.pool, EXPR_XOR, result, value(&w, 8, i % 7));
        result = expr_ite(w.pool, taken, more, other);
    }
    for (unsigned first = 0; first < 256; first++)
        for (unsigned second = 0; second < 256; second++) {
            expr_model_set(w.model, w.x[0], first);
            expr_model_set(w.model, w.x[1], second);
            possible[(uint8_t)expr_eval(w.model, result)] = true;
        }
    const SolveStats *stats = solver_stats(w.solver);
    uint64_t bounds = 0, local = 0; /* when they were asked last */
    for (unsigned i = 0; i < QUESTIONS; i++) {
        assert_int_equal(check(&w, equals(&w, result, i * 21)), possible[i * 21] ? SOLVE_SAT : SOLVE_UNSAT);
        if (i < FIRST) bounds = stats->nanoseconds[TIER_BOUNDS], local = stats->nanoseconds[TIER_LOCAL];
    }
    assert_true(bounds > 0);
    assert_int_equal(stats->nanoseconds[TIER_BOUNDS], bounds);
    assert_int_equal(stats->nanoseconds[TIER_LOCAL], local);
    assert_true(stats->answered[TIER_BLAST] >= QUESTIONS - FIRST);
    release(&w);
}

static void test_factoring_is_given_up(void **state)
{
    (void)state;
    ExprPool *pool = expr_pool_new();
    Solver *solver;
    Error error;
    SolveOptions options = {.effort = 50000000};
    assert_int_equal(solver_new(&solver, pool, &options, &error), OK);
    Expr a = expr_var(pool, 128, "a"), b = expr_var(pool, 128, "b");
    U128 product = (U128)0x1fffffffffffffe1u * 0x1ffffffffffffc2fu;
    Expr limit = expr_const(pool, 128, (U128)1 << 62), one = expr_const(pool, 128, 1);
    solver_assert(solver, expr_binary(pool, EXPR_ULT, a, limit));
    solver_assert(solver, expr_binary(pool, EXPR_ULT, b, limit));
    solver_assert(solver, expr_binary(pool, EXPR_ULT, one, a));
    solver_assert(solver, expr_binary(pool, EXPR_ULT, a, b));
    Expr question = expr_eq(pool, expr_binary(pool, EXPR_MUL, a, b), expr_const(pool, 128, product));
    assert_int_equal(solver_check(solver, &question, 1, NULL), SOLVE_UNKNOWN);
    assert_true(strlen(solver_reason(solver)) > 0);
    Expr easy = expr_eq(pool, a, expr_const(pool, 128, 77)); /* and it goes on working */
    assert_int_equal(solver_check(solver, &easy, 1, NULL), SOLVE_SAT);
    solver_free(solver);
    expr_pool_free(pool);
}

/* A megabyte of bytes that are sums of others, read where an input says: no tier may build it all. */
static void test_large_tables_are_bounded(void **state)
{
    (void)state;
    ExprPool *pool = expr_pool_new();
    Solver *solver;
    Error error;
    SolveOptions options = {.effort = 50000000, .memory = (uint64_t)256 << 20};
    assert_int_equal(solver_new(&solver, pool, &options, &error), OK);
    enum { SIZE = 1 << 20 };
    Expr *elements = mem_alloc(SIZE * sizeof *elements), x = expr_var(pool, 8, "x"), i = expr_var(pool, 64, "i"),
         k = expr_var(pool, 64, "k");
    for (uint32_t n = 0; n < SIZE; n++) elements[n] = expr_binary(pool, EXPR_MUL, x, expr_const(pool, 8, n * 2654435761u >> 24));
    Expr table = expr_array(pool, 8, elements, SIZE);
    Expr left = expr_select(pool, table, i), right = expr_select(pool, table, expr_binary(pool, EXPR_MUL, i, k));
    Expr sum = expr_add(pool, expr_zext(pool, left, 16), expr_zext(pool, right, 16));
    Expr question = expr_eq(pool, sum, expr_const(pool, 16, 511)); /* 255 + 255 is less */
    assert_int_equal(solver_check(solver, &question, 1, NULL), SOLVE_UNSAT);
    Expr odd = expr_eq(pool, expr_binary(pool, EXPR_MUL, left, right), expr_const(pool, 8, 251));
    SolveAnswer answer = solver_check(solver, &odd, 1, NULL);
    assert_true(answer == SOLVE_UNKNOWN || answer == SOLVE_SAT);
    free(elements);
    solver_free(solver);
    expr_pool_free(pool);
}

/* ---- slicing against the definition ---- */

static void test_slices_are_components(void **state)
{
    (void)state;
    Random random;
    random_seed(&random, 7);
    for (unsigned round = 0; round < 300; round++) {
        World w = world(0);
        Stack stack;
        stack_init(&stack, w.pool);
        Expr conditions[12];
        uint32_t masks[13], depth = 0;
        for (unsigned step = 0; step < 40; step++) {
            if (depth == 12 || (depth && random_below(&random, 3) == 0)) {
                depth = (uint32_t)random_below(&random, depth);
                stack_return(&stack, depth);
                continue;
            }
            uint64_t a = random_below(&random, 8), b = random_below(&random, 8);
            Expr e = expr_eq(w.pool, expr_add(w.pool, w.x[a], value(&w, 8, random_below(&random, 200))), w.x[b]);
            if (a == b) e = less(&w, w.x[a], value(&w, 8, 1 + random_below(&random, 200)));
            conditions[depth] = e;
            masks[depth++] = 1u << a | 1u << b;
            stack_assert(&stack, e);
        }
        uint64_t a = random_below(&random, 8);
        Expr question = less(&w, value(&w, 8, 3), w.x[a]);
        uint32_t reached = 1u << a, before;
        do {
            before = reached;
            for (uint32_t i = 0; i < depth; i++)
                if (masks[i] & reached) reached |= masks[i];
        } while (before != reached);
        stack_slice(&stack, &question, 1, false);
        assert_int_equal(stack.reach.len, __builtin_popcount(reached));
        for (uint32_t i = 0; i < depth; i++) {
            bool found = false;
            for (uint32_t k = 0; k < stack.slice.len; k++) found |= stack.slice.data[k] == conditions[i];
            assert_int_equal(found, (masks[i] & reached) != 0);
        }
        stack_release(&stack);
        release(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_what_depends_changes),
        cmocka_unit_test(test_a_violated_assertion_is_solved_too),
        cmocka_unit_test(test_core_names_the_culprits),
        cmocka_unit_test(test_return_forgets),
        cmocka_unit_test(test_false_is_false),
        cmocka_unit_test(test_undef_reads_as_zero),
        cmocka_unit_test(test_cache_answers_the_same_and_its_parts),
        cmocka_unit_test(test_cached_values_stay_in_the_slice),
        cmocka_unit_test(test_start_is_optional),
        cmocka_unit_test(test_forgetting_keeps_what_stays),
        cmocka_unit_test(test_tiers_can_be_switched_off),
        cmocka_unit_test(test_few_bits_are_enumerated),
        cmocka_unit_test(test_merged_questions_go_to_circuits),
        cmocka_unit_test(test_factoring_is_given_up),
        cmocka_unit_test(test_large_tables_are_bounded),
        cmocka_unit_test(test_slices_are_components),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
