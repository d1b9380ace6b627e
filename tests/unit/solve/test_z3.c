/* Z3 as a tier: every operator means what evaluation says, limits are kept, and nothing that is rewound survives. */
#include "../../fuzz/formulas.h"
#include "solve/reference.h"
#include "solve/solve_int.h"

#include <stdlib.h>

/* After our headers: cmocka defines a macro named fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { EFFORT = 2000000000, MEMORY = 1 << 30 };

typedef struct Fixture {
    ExprPool *pool;
    Z3 *z3;
    ExprModel *start;
    Outcome outcome;
} Fixture;

static void set_up(Fixture *f)
{
    ExprPool *pool = expr_pool_new();
    *f = (Fixture){pool, z3_new(pool, 1, MEMORY), expr_model_new(pool), {0}};
}

static void tear_down(Fixture *f)
{
    vec_release(&f->outcome.values);
    vec_release(&f->outcome.core);
    expr_model_free(f->start);
    z3_free(f->z3);
    expr_pool_free(f->pool);
}

static SolveAnswer solve(Fixture *f, const Expr *conditions, uint32_t count)
{
    Query query = {f->pool, conditions, count, f->start, EFFORT, MEMORY, 0};
    z3_solve(f->z3, &query, &f->outcome);
    return f->outcome.answer;
}

static bool model_holds(Fixture *f, const Expr *conditions, uint32_t count)
{
    ExprModel *model = expr_model_copy(f->start);
    bool holds = true;
    for (uint32_t i = 0; i < f->outcome.values.len; i++)
        expr_model_set(model, f->outcome.values.data[i].var, f->outcome.values.data[i].value);
    for (uint32_t i = 0; i < count; i++) holds &= expr_eval(model, conditions[i]) != 0;
    expr_model_free(model);
    return holds;
}

/* An operator applied to variables that are bound to constants has the value that folding gives, and no other.  A NaN may be any NaN. */
static void must_have_value(Fixture *f, Expr result, const Expr *vars, const U128 *values, unsigned count)
{
    unsigned width = expr_width(f->pool, result);
    ExprModel *model = expr_model_new(f->pool);
    Expr conditions[4];
    for (unsigned i = 0; i < count; i++) {
        expr_model_set(model, vars[i], values[i]);
        conditions[i] = expr_eq(f->pool, vars[i], expr_const(f->pool, expr_width(f->pool, vars[i]), values[i]));
    }
    U128 value = expr_eval(model, result);
    expr_model_free(model);
    Expr same = expr_eq(f->pool, result, expr_const(f->pool, width, value));
    conditions[count] = expr_not(f->pool, same);
    assert_int_equal(solve(f, conditions, count + 1), SOLVE_UNSAT);
    conditions[count] = same;
    assert_int_equal(solve(f, conditions, count + 1), SOLVE_SAT);
    assert_true(model_holds(f, conditions, count + 1));
}

static void integer_operators_have_their_values(void **state)
{
    (void)state;
    static const unsigned widths[] = {1, 7, 8, 32, 64, 128};
    static const U128 values[] = {0, 1, 3, (U128)0xffffffffffffffff << 64 | 0xffffffffffffff80, (U128)1 << 127 | 0x80000080};
    Fixture f;
    set_up(&f);
    for (unsigned w = 0; w < COUNT_OF(widths); w++) {
        unsigned width = widths[w];
        for (ExprKind kind = EXPR_ADD; kind <= EXPR_CTTZ; kind++) {
            if (kind == EXPR_MUL && width > 64) continue; /* slow for Z3, and wide products are covered by 64 bits */
            if (kind == EXPR_ITE || kind == EXPR_EXTRACT || kind == EXPR_ZEXT || kind == EXPR_SEXT) continue;
            if (kind == EXPR_CONCAT && width > 64) continue;
            for (unsigned i = 0; i < COUNT_OF(values); i++) {
                uint32_t mark = expr_pool_count(f.pool);
                Expr vars[] = {expr_var(f.pool, width, "a"), expr_var(f.pool, width, "b")};
                bool one = kind == EXPR_NOT || kind >= EXPR_CTPOP;
                Expr result = one ? expr_unary(f.pool, kind, vars[0]) : expr_binary(f.pool, kind, vars[0], vars[1]);
                U128 mask = arith_mask(width), pair[] = {values[(i * 3 + 1) % COUNT_OF(values)] & mask, values[i] & mask};
                must_have_value(&f, result, vars, pair, one ? 1 : 2);
                z3_forget(f.z3, mark);
                expr_pool_rewind(f.pool, mark);
            }
        }
    }
    tear_down(&f);
}

static void structure_has_its_values(void **state)
{
    (void)state;
    Fixture f;
    set_up(&f);
    Expr x = expr_var(f.pool, 32, "x"), bit = expr_var(f.pool, 1, "b");
    static const U128 values[] = {0x80000001, 0x12345678, 0x7fffffff};
    for (unsigned i = 0; i < COUNT_OF(values); i++) {
        must_have_value(&f, expr_extract(f.pool, x, 7, 9), &x, &values[i], 1);
        must_have_value(&f, expr_extract(f.pool, x, 31, 1), &x, &values[i], 1);
        must_have_value(&f, expr_zext(f.pool, x, 128), &x, &values[i], 1);
        must_have_value(&f, expr_sext(f.pool, x, 128), &x, &values[i], 1);
        Expr vars[] = {bit, x};
        U128 pair[] = {i & 1, values[i]};
        Expr shifted = expr_binary(f.pool, EXPR_ADD, x, expr_const(f.pool, 32, 5));
        must_have_value(&f, expr_ite(f.pool, bit, x, shifted), vars, pair, 2);
        must_have_value(&f, expr_binary(f.pool, EXPR_CONCAT, bit, x), vars, pair, 2);
        must_have_value(&f, expr_sext(f.pool, bit, 8), &bit, pair, 1);
    }
    tear_down(&f);
}

static void float_operators_have_their_values(void **state)
{
    (void)state;
    static const double values[] = {0.0, -0.0, 1.5, -3.25, 1e-310, 1e30, INFINITY};
    Fixture f;
    set_up(&f);
    for (unsigned width = 32; width <= 64; width += 32) {
        for (ExprKind kind = EXPR_FADD; kind <= EXPR_FUNO; kind++) {
            if (kind == EXPR_FREM) continue;
            for (unsigned i = 0; i < COUNT_OF(values); i++) {
                Expr vars[] = {expr_var(f.pool, width, "a"), expr_var(f.pool, width, "b")};
                double a = values[i], b = values[(i * 2 + 1) % COUNT_OF(values)];
                U128 pair[] = {width == 32 ? arith_bits32((float)a) : arith_bits64(a),
                               width == 32 ? arith_bits32((float)b) : arith_bits64(b)};
                bool one = kind == EXPR_FSQRT;
                if (one ? a < 0 : isnan(a + b) || isnan(a - b) || isnan(a * b) || isnan(a / b)) continue; /* NaNs: below */
                Expr result = one ? expr_unary(f.pool, kind, vars[0]) : expr_binary(f.pool, kind, vars[0], vars[1]);
                must_have_value(&f, result, vars, pair, one ? 1 : 2);
            }
        }
    }
    tear_down(&f);
}

static void a_nan_is_a_nan_of_any_bits(void **state)
{
    (void)state;
    Fixture f;
    set_up(&f);
    Expr x = expr_var(f.pool, 64, "x"), zero = expr_const(f.pool, 64, 0);
    Expr quotient = expr_binary(f.pool, EXPR_FDIV, x, zero), conditions[] = {expr_eq(f.pool, x, zero), 0};
    conditions[1] = expr_binary(f.pool, EXPR_FLE, quotient, quotient);
    assert_int_equal(solve(&f, conditions, 2), SOLVE_UNSAT);
    conditions[1] = expr_eq(f.pool, quotient, expr_const(f.pool, 64, 0x7ff0000000000000)); /* infinity */
    assert_int_equal(solve(&f, conditions, 2), SOLVE_UNSAT);
    conditions[1] = expr_eq(f.pool, quotient, expr_const(f.pool, 64, 0xfff8000000000000)); /* the machine's */
    assert_int_equal(solve(&f, conditions, 2), SOLVE_SAT);
    tear_down(&f);
}

/* The borders of every conversion, as the machine does it. */
static void conversions_to_integers_are_the_machines(void **state)
{
    (void)state;
    static const double borders[] = {0, 1, 2147483648.0, 4294967296.0, 9223372036854775808.0, 18446744073709551616.0, 0x1p127, 0x1p128};
    static const unsigned widths[] = {8, 16, 32, 33, 64, 100, 128};
    Fixture f;
    set_up(&f);
    for (unsigned format = 32; format <= 64; format += 32)
        for (unsigned i = 0; i < COUNT_OF(borders); i++)
            for (unsigned w = 0; w < COUNT_OF(widths); w++) {
                double near[] = {borders[i], -borders[i], nextafter(borders[i], 0), -borders[i] - 1, -borders[i] - 0.5};
                double value = near[(i + w + format / 32) % COUNT_OF(near)];
                U128 bits = format == 32 ? arith_bits32((float)value) : arith_bits64(value);
                Expr x = expr_var(f.pool, format, "x");
                must_have_value(&f, expr_convert(f.pool, EXPR_FTOSI, x, widths[w]), &x, &bits, 1);
                must_have_value(&f, expr_convert(f.pool, EXPR_FTOUI, x, widths[w]), &x, &bits, 1);
            }
    tear_down(&f);
}

static void conversions_to_floats_round_to_nearest(void **state)
{
    (void)state;
    static const U128 values[] = {0, 1, 0x7fffffff, 0x80000001, 0x1000001, (U128)0x20000000000001, ~(U128)0, (U128)1 << 127 | 1};
    Fixture f;
    set_up(&f);
    for (unsigned i = 0; i < COUNT_OF(values); i++) {
        unsigned from = i < 5 ? 32 : 128, to = i % 2 ? 32 : 64;
        Expr x = expr_var(f.pool, from, "x");
        U128 value = values[i] & arith_mask(from);
        must_have_value(&f, expr_convert(f.pool, EXPR_SITOF, x, to), &x, &value, 1);
        must_have_value(&f, expr_convert(f.pool, EXPR_UITOF, x, to), &x, &value, 1);
    }
    Expr single = expr_var(f.pool, 32, "s"), wide = expr_var(f.pool, 64, "d");
    U128 bits = arith_bits32(0.1f), more = arith_bits64(0.1);
    must_have_value(&f, expr_convert(f.pool, EXPR_FCONVERT, single, 64), &single, &bits, 1);
    must_have_value(&f, expr_convert(f.pool, EXPR_FCONVERT, wide, 32), &wide, &more, 1);
    tear_down(&f);
}

static Expr random_table(Fixture *f, uint32_t length, unsigned width)
{
    Expr *elements = mem_alloc((length + 1) * sizeof *elements);
    for (uint32_t i = 0; i < length; i++) elements[i] = expr_const(f->pool, width, (U128)i * 2654435761u >> 7);
    Expr array = expr_array(f->pool, width, elements, length);
    free(elements);
    return array;
}

static void arrays_have_their_values(void **state)
{
    (void)state;
    static const uint32_t lengths[] = {1, 3, 16, 1000, 3000}; /* the last is read as a Z3 array */
    Fixture f;
    set_up(&f);
    for (unsigned i = 0; i < COUNT_OF(lengths); i++) {
        Expr vars[] = {expr_var(f.pool, 64, "i"), expr_var(f.pool, 64, "j")};
        Expr array = random_table(&f, lengths[i], 16);
        Expr written = expr_store(f.pool, array, vars[0], expr_const(f.pool, 16, 0x7777));
        U128 indexes[] = {0, lengths[i] - 1, lengths[i], ~(uint64_t)0, (uint64_t)1 << 32, 1};
        for (unsigned k = 0; k < COUNT_OF(indexes); k++) {
            U128 pair[] = {indexes[k], indexes[(k * 2) % COUNT_OF(indexes)]};
            must_have_value(&f, expr_select(f.pool, array, vars[1]), vars, pair, 2);
            must_have_value(&f, expr_select(f.pool, written, vars[1]), vars, pair, 2);
        }
    }
    Expr i = expr_var(f.pool, 64, "i"), huge = expr_select(f.pool, random_table(&f, 70000, 16), i);
    Expr condition = expr_eq(f.pool, huge, expr_const(f.pool, 16, 99));
    assert_int_equal(solve(&f, &condition, 1), SOLVE_UNKNOWN);
    assert_string_equal(f.outcome.reason, "table too large");
    condition = expr_eq(f.pool, i, expr_const(f.pool, 64, 99));
    assert_int_equal(solve(&f, &condition, 1), SOLVE_SAT);
    tear_down(&f);
}

static void real_functions_are_uninterpreted(void **state)
{
    (void)state;
    Fixture f;
    set_up(&f);
    Expr x = expr_var(f.pool, 16, "x"), y = expr_var(f.pool, 16, "y"), small = expr_const(f.pool, 8, 1);
    Expr of_x = expr_apply(f.pool, &formulas_function, 16, (Expr[]){x, small}, 2);
    Expr of_y = expr_apply(f.pool, &formulas_function, 16, (Expr[]){y, small}, 2);
    Expr differ = expr_not(f.pool, expr_eq(f.pool, of_x, of_y)), same = expr_eq(f.pool, x, y);
    assert_int_equal(solve(&f, (Expr[]){same, differ}, 2), SOLVE_UNSAT);
    assert_int_equal(f.outcome.core.len, 2);
    assert_int_equal(solve(&f, &differ, 1), SOLVE_SAT);
    tear_down(&f);
}

static void a_core_leaves_out_what_is_not_needed(void **state)
{
    (void)state;
    Fixture f;
    set_up(&f);
    Expr x = expr_var(f.pool, 32, "x"), y = expr_var(f.pool, 32, "y"), seven = expr_const(f.pool, 32, 7);
    Expr conditions[] = {expr_binary(f.pool, EXPR_ULT, y, seven),
                         expr_binary(f.pool, EXPR_ULT, expr_binary(f.pool, EXPR_UREM, x, seven), seven),
                         expr_eq(f.pool, expr_binary(f.pool, EXPR_UREM, x, expr_const(f.pool, 32, 6)), expr_const(f.pool, 32, 5)),
                         expr_eq(f.pool, expr_extract(f.pool, x, 0, 1), expr_const(f.pool, 1, 0))};
    assert_int_equal(solve(&f, conditions, 4), SOLVE_UNSAT);
    assert_int_equal(f.outcome.core.len, 2);
    assert_int_equal(f.outcome.core.data[0], conditions[2]);
    assert_int_equal(f.outcome.core.data[1], conditions[3]);
    tear_down(&f);
}

static void a_rewound_id_means_what_it_means_now(void **state)
{
    (void)state;
    Fixture f;
    set_up(&f);
    Expr x = expr_var(f.pool, 8, "x");
    uint32_t mark = expr_pool_count(f.pool);
    Expr first = expr_eq(f.pool, x, expr_const(f.pool, 8, 3));
    assert_int_equal(solve(&f, &first, 1), SOLVE_SAT);
    z3_forget(f.z3, mark);
    expr_pool_rewind(f.pool, mark);
    Expr second = expr_eq(f.pool, x, expr_const(f.pool, 8, 4));
    assert_int_equal(second, first);
    assert_int_equal(solve(&f, &second, 1), SOLVE_SAT);
    assert_int_equal(f.outcome.values.len, 1);
    assert_true(f.outcome.values.data[0].value == 4);
    tear_down(&f);
}

/* Products of 64 bits: far beyond a small budget, and the context is as good as before. */
static void budgets_are_kept(void **state)
{
    (void)state;
    Fixture f;
    set_up(&f);
    Expr x = expr_var(f.pool, 64, "x"), y = expr_var(f.pool, 64, "y"), one = expr_const(f.pool, 64, 1);
    Expr conditions[] = {expr_binary(f.pool, EXPR_ULT, one, x), expr_binary(f.pool, EXPR_ULT, one, y), 0};
    Expr product = expr_binary(f.pool, EXPR_MUL, expr_zext(f.pool, x, 128), expr_zext(f.pool, y, 128));
    conditions[2] = expr_eq(f.pool, product, expr_const(f.pool, 128, 0xffffffffffffffc5)); /* a prime */
    Query query = {f.pool, conditions, 3, f.start, 200000000, MEMORY, 0};
    z3_solve(f.z3, &query, &f.outcome);
    assert_int_equal(f.outcome.answer, SOLVE_UNKNOWN);
    assert_non_null(f.outcome.reason);
    assert_true(f.outcome.spent < 400000000);
    query.effort = EFFORT;
    query.memory = 1 << 20;
    z3_solve(f.z3, &query, &f.outcome);
    assert_int_equal(f.outcome.answer, SOLVE_UNKNOWN);
    query.memory = MEMORY;
    query.count = 2;
    z3_solve(f.z3, &query, &f.outcome);
    assert_int_equal(f.outcome.answer, SOLVE_SAT);
    tear_down(&f);
}

static void deep_expressions_do_not_recurse(void **state)
{
    (void)state;
    Fixture f;
    set_up(&f);
    Expr x = expr_var(f.pool, 64, "x"), e = expr_extract(f.pool, x, 0, 1);
    for (unsigned i = 0; i < 100000; i++) {
        Expr bit = expr_extract(f.pool, x, 1 + i % 63, 1), other = expr_extract(f.pool, x, i * 7 % 64, 1);
        e = expr_ite(f.pool, bit, e, expr_binary(f.pool, EXPR_XOR, e, other));
    }
    SolveAnswer answer = solve(&f, &e, 1);
    assert_true(answer == SOLVE_UNKNOWN || (answer == SOLVE_SAT && model_holds(&f, &e, 1)));
    tear_down(&f);
}

static void the_references_agree(void **state)
{
    (void)state;
    unsigned sat = 0, unsat = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        Fixture f;
        Formulas formulas;
        Expr conditions[16];
        uint32_t count = 0;
        set_up(&f);
        formulas_init(&formulas, f.pool, seed);
        formulas.floats = seed == 5;
        for (unsigned i = 0; i < 8; i++) {
            conditions[count] = formulas_next(&formulas);
            if (expr_is_const(f.pool, conditions[count])) continue;
            Query query = {f.pool, conditions, count + 1, f.start, EFFORT, MEMORY, 0};
            uint64_t time;
            SolveAnswer fresh = z3_reference_fresh(f.z3, &query, 500, &time);
            SolveAnswer incremental = z3_reference_incremental(f.z3, &query, 500, &time);
            assert_true(time > 0);
            assert_true(fresh == incremental || !fresh || !incremental);
            sat += fresh == SOLVE_SAT;
            unsat += fresh == SOLVE_UNSAT;
            if (fresh == SOLVE_SAT) count++;
            else if (count) count = (uint32_t)formulas_below(&formulas, count);
        }
        formulas_release(&formulas);
        tear_down(&f);
    }
    assert_true(sat > 30 && unsat >= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integer_operators_have_their_values),
        cmocka_unit_test(structure_has_its_values),
        cmocka_unit_test(float_operators_have_their_values),
        cmocka_unit_test(a_nan_is_a_nan_of_any_bits),
        cmocka_unit_test(conversions_to_integers_are_the_machines),
        cmocka_unit_test(conversions_to_floats_round_to_nearest),
        cmocka_unit_test(arrays_have_their_values),
        cmocka_unit_test(real_functions_are_uninterpreted),
        cmocka_unit_test(a_core_leaves_out_what_is_not_needed),
        cmocka_unit_test(a_rewound_id_means_what_it_means_now),
        cmocka_unit_test(budgets_are_kept),
        cmocka_unit_test(deep_expressions_do_not_recurse),
        cmocka_unit_test(the_references_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
