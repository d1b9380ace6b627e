/* Inverses checked by evaluation, all values of small widths; the local tier on queries as paths have them and on generated ones. */
#include "base/arith.h"
#include "solve/invert.h"
#include "solve/trial.h"
#include "solve/solve_int.h"

#include <stdlib.h>

/* After our headers: cmocka defines a macro named fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* ---- inverses ---- */

static const ExprKind binary_kinds[] = {EXPR_ADD,  EXPR_SUB, EXPR_MUL, EXPR_UDIV, EXPR_SDIV, EXPR_UREM, EXPR_SREM, EXPR_SHL, EXPR_LSHR,
                                        EXPR_ASHR, EXPR_AND, EXPR_OR,  EXPR_XOR,  EXPR_EQ,   EXPR_ULT,  EXPR_ULE,  EXPR_SLT, EXPR_SLE};

static bool is_comparison(ExprKind kind)
{
    return kind >= EXPR_EQ && kind <= EXPR_SLE;
}

static Inversion make_inversion(ExprKind kind, unsigned width, unsigned size, unsigned operand, Random *random)
{
    return (Inversion){
        .kind = kind, .width = width, .source = size, .operand = operand, .size = size, .known = invert_all(size), .random = random};
}

/* An inverse is found exactly if there is one. */
static void check_inverse(Inversion *inversion, U128 values)
{
    bool exists = false;
    for (U128 v = 0; v < values && !exists; v++) exists = invert_result(inversion, v) == inversion->target;
    for (inversion->style = 0; inversion->style < 4; inversion->style++) {
        U128 value = ~(U128)0;
        bool found = invert_exact(inversion, &value);
        assert_true(found == exists);
        if (found) assert_true(value < values && invert_result(inversion, value) == inversion->target);
        if (invert_near(inversion, &value)) assert_true(value < values && value != inversion->x);
    }
}

static void binary_inverses_are_complete_at_small_widths(void **state)
{
    (void)state;
    Random random;
    random_seed(&random, 1);
    for (unsigned k = 0; k < COUNT_OF(binary_kinds); k++)
        for (unsigned width = 1; width <= 6; width++) {
            ExprKind kind = binary_kinds[k];
            unsigned values = 1u << width, result = is_comparison(kind) ? 1 : width;
            for (unsigned operand = 0; operand < 2; operand++)
                for (unsigned y = 0; y < values; y++)
                    for (unsigned target = 0; target < 1u << result; target++) {
                        Inversion inversion = make_inversion(kind, result, width, operand, &random);
                        inversion.x = random_below(&random, values);
                        inversion.y = y;
                        inversion.target = target;
                        check_inverse(&inversion, values);
                    }
        }
}

static void unary_inverses_are_complete_at_small_widths(void **state)
{
    (void)state;
    static const ExprKind kinds[] = {EXPR_NOT, EXPR_CTPOP, EXPR_CTLZ, EXPR_CTTZ, EXPR_ZEXT, EXPR_SEXT, EXPR_EXTRACT};
    Random random;
    random_seed(&random, 2);
    for (unsigned k = 0; k < COUNT_OF(kinds); k++)
        for (unsigned size = 1; size <= 6; size++)
            for (unsigned more = 0; more < 3; more++) {
                bool extends = kinds[k] == EXPR_ZEXT || kinds[k] == EXPR_SEXT, extract = kinds[k] == EXPR_EXTRACT;
                if (extract && more >= size) continue;
                unsigned width = extends ? size + more : extract ? size - more : size;
                for (unsigned low = 0; low <= (extract ? size - width : 0); low++)
                    for (unsigned i = 0; i < 4u << width; i++) {
                        Inversion inversion = make_inversion(kinds[k], width, size, 0, &random);
                        inversion.x = random_below(&random, 1u << size);
                        inversion.y = low;
                        inversion.target = i >> 2;
                        check_inverse(&inversion, 1u << size);
                    }
            }
}

static void concat_inverses_are_complete(void **state)
{
    (void)state;
    Random random;
    random_seed(&random, 3);
    for (unsigned high = 1; high <= 4; high++)
        for (unsigned low = 1; low <= 4; low++)
            for (unsigned operand = 0; operand < 2; operand++)
                for (unsigned y = 0; y < 1u << (operand ? high : low); y++)
                    for (unsigned target = 0; target < 1u << (high + low); target++) {
                        Inversion inversion = make_inversion(EXPR_CONCAT, high + low, operand ? low : high, operand, &random);
                        inversion.source = low;
                        inversion.y = y;
                        inversion.target = target;
                        inversion.x = random_below(&random, 1u << inversion.size);
                        check_inverse(&inversion, (U128)1 << inversion.size);
                    }
}

/* Where a value is known to exist because the target was computed from one. */
static void inverses_are_found_at_large_widths(void **state)
{
    (void)state;
    static const unsigned widths[] = {8, 16, 24, 32, 63, 64, 65, 100, 128};
    Random random;
    random_seed(&random, 4);
    for (unsigned k = 0; k < COUNT_OF(binary_kinds); k++)
        for (unsigned i = 0; i < 4000; i++) {
            unsigned width = widths[random_below(&random, COUNT_OF(widths))];
            Inversion inversion = make_inversion(binary_kinds[k], is_comparison(binary_kinds[k]) ? 1 : width, width, i & 1, &random);
            inversion.x = invert_random_size(&random, width);
            inversion.y = invert_random_size(&random, width);
            inversion.style = i >> 1 & 3;
            inversion.target = invert_result(&inversion, invert_random_size(&random, width));
            U128 value;
            assert_true(invert_exact(&inversion, &value));
            assert_true(value <= arith_mask(width) && invert_result(&inversion, value) == inversion.target);
        }
}

static void what_is_known_of_an_operand_is_respected(void **state)
{
    (void)state;
    Random random;
    random_seed(&random, 5);
    for (unsigned i = 0; i < 2000; i++) { /* x < y for a byte extended to 32 bits, whose lowest bit is 0 */
        Inversion inversion = make_inversion(i & 1 ? EXPR_ULT : EXPR_SLT, 1, 32, i >> 1 & 1, &random);
        inversion.known = (ExprKnown){~(U128)0xfe & arith_mask(32), 0, 0, 0xfe};
        inversion.x = random_below(&random, 128) * 2;
        inversion.y = 2 + random_below(&random, 250);
        inversion.target = i >> 2 & 1;
        inversion.style = i >> 3 & 3;
        U128 value;
        assert_true(invert_exact(&inversion, &value));
        assert_true(invert_fits(&inversion.known, value) && invert_result(&inversion, value) == inversion.target);
    }
}

/* ---- floats ---- */

static void the_order_of_floats_is_that_of_their_numbers(void **state)
{
    (void)state;
    static const unsigned widths[] = {32, 64, 80};
    Random random;
    random_seed(&random, 6);
    for (unsigned w = 0; w < COUNT_OF(widths); w++)
        for (unsigned i = 0; i < 20000; i++) {
            unsigned width = widths[w];
            U128 a = float_random(width, &random), b = i % 3 ? float_random(width, &random) : a;
            assert_true(float_from_order(width, float_to_order(width, a)) == a);
            if (float_is_nan(width, a) || float_is_nan(width, b)) continue;
            long double x = float_number(width, a), y = float_number(width, b);
            assert_true(float_bits(width, x) == a);
            if (x < y) assert_true(float_to_order(width, a) < float_to_order(width, b));
            U128 next = float_from_order(width, float_to_order(width, a) + 1);
            if (x != 0 && !float_is_nan(width, next)) assert_true(float_number(width, next) > x);
        }
}

/* The share of targets that are met, in per cent; what is met is checked. */
static unsigned float_rate(ExprKind kind, unsigned width, unsigned source, bool result_is_bit, Random *random)
{
    unsigned found = 0, total = 0;
    for (unsigned i = 0; i < 4000; i++) {
        Inversion inversion = make_inversion(kind, result_is_bit ? 1 : width, source, i & 1, random);
        bool unary = kind == EXPR_FSQRT || kind >= EXPR_FCONVERT;
        if (unary) inversion.operand = 0;
        bool to_float = kind == EXPR_SITOF || kind == EXPR_UITOF;
        inversion.x = to_float ? invert_random_size(random, source) : float_random(source, random);
        inversion.y = unary ? 0 : float_random(source, random);
        inversion.style = i >> 1 & 3;
        inversion.target = invert_result(&inversion, to_float ? invert_random_size(random, source) : float_random(source, random));
        U128 value;
        total++;
        if (!invert_exact(&inversion, &value)) continue;
        assert_true(value <= arith_mask(source) && invert_result(&inversion, value) == inversion.target);
        found++;
    }
    return found * 100 / total;
}

static void float_inverses_are_found(void **state)
{
    (void)state;
    Random random;
    random_seed(&random, 7);
    static const unsigned widths[] = {32, 64, 80};
    static const ExprKind comparisons[] = {EXPR_FEQ, EXPR_FLT, EXPR_FLE, EXPR_FUNO};
    for (unsigned w = 0; w < COUNT_OF(widths); w++) {
        unsigned width = widths[w];
        for (ExprKind kind = EXPR_FADD; kind <= EXPR_FSQRT; kind++)
            assert_true(float_rate(kind, width, width, false, &random) >= (kind == EXPR_FREM ? 60 : 90));
        for (unsigned k = 0; k < COUNT_OF(comparisons); k++) assert_true(float_rate(comparisons[k], width, width, true, &random) >= 97);
        assert_true(float_rate(EXPR_FTOSI, 32, width, false, &random) >= 99);
        assert_true(float_rate(EXPR_FTOUI, 64, width, false, &random) >= 95);
        assert_true(float_rate(EXPR_SITOF, width, 32, false, &random) >= 95);
        assert_true(float_rate(EXPR_UITOF, width, 64, false, &random) >= 95);
    }
    assert_true(float_rate(EXPR_FCONVERT, 64, 32, false, &random) >= 99);
    assert_true(float_rate(EXPR_FCONVERT, 32, 64, false, &random) >= 95);
}

/* ---- the tier ---- */

typedef struct Setting {
    ExprPool *pool;
    Local *local;
    ExprModel *start;
    Vec(Expr) conditions;
    Outcome outcome;
} Setting;

static void set_up(Setting *s)
{
    *s = (Setting){.pool = expr_pool_new()};
    s->local = local_new(s->pool, 1);
    s->start = expr_model_new(s->pool);
}

static void tear_down(Setting *s)
{
    vec_release(&s->conditions);
    vec_release(&s->outcome.values);
    expr_model_free(s->start);
    local_free(s->local);
    expr_pool_free(s->pool);
}

static int by_id(const void *a, const void *b)
{
    Expr x = *(const Expr *)a, y = *(const Expr *)b;
    return x < y ? -1 : x > y;
}

static void add(Setting *s, Expr condition)
{
    if (!expr_is_const(s->pool, condition)) vec_push(&s->conditions, condition);
    else assert_true(expr_value(s->pool, condition) == 1);
}

/* Solves the conditions and checks a model that comes out. */
static SolveAnswer ask(Setting *s, uint64_t effort)
{
    qsort(s->conditions.data, s->conditions.len, sizeof(Expr), by_id);
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->conditions.len; i++)
        if (!count || s->conditions.data[count - 1] != s->conditions.data[i]) s->conditions.data[count++] = s->conditions.data[i];
    s->conditions.len = count;
    Query query = {
        .pool = s->pool, .conditions = s->conditions.data, .count = count, .start = s->start, .effort = effort, .memory = 1 << 30};
    local_solve(s->local, &query, &s->outcome);
    assert_true(s->outcome.answer != SOLVE_UNSAT);
    if (s->outcome.answer != SOLVE_SAT) return SOLVE_UNKNOWN;
    ExprModel *model = expr_model_copy(s->start);
    for (uint32_t i = 0; i < s->outcome.values.len; i++) {
        SolveValue change = s->outcome.values.data[i];
        assert_true(expr_model_get(model, change.var) != change.value);
        expr_model_set(model, change.var, change.value);
    }
    for (uint32_t i = 0; i < count; i++) assert_true(expr_eval(model, s->conditions.data[i]) == 1);
    expr_model_free(model);
    return SOLVE_SAT;
}

static Expr number(Setting *s, unsigned width, int64_t value)
{
    return expr_const(s->pool, width, (U128)(I128)value);
}

static Expr less(Setting *s, Expr a, Expr b)
{
    return expr_binary(s->pool, EXPR_ULT, a, b);
}

static void bytes_of(Setting *s, Expr *bytes, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        bytes[i] = expr_var(s->pool, 8, "byte");
        expr_model_set(s->start, bytes[i], '0' + i % 10);
    }
}

static void one_comparison_of_a_path_is_flipped(void **state)
{
    (void)state;
    Setting s;
    set_up(&s);
    Expr bytes[20];
    bytes_of(&s, bytes, 20);
    for (unsigned i = 0; i < 20; i++) {
        add(&s, less(&s, number(&s, 8, '0' - 1), bytes[i]));
        add(&s, less(&s, bytes[i], number(&s, 8, '9' + 1)));
    }
    add(&s, expr_eq(s.pool, bytes[3], number(&s, 8, '7')));
    assert_int_equal(ask(&s, 50000), SOLVE_SAT);
    assert_int_equal(s.outcome.values.len, 1);
    assert_true(s.outcome.values.data[0].var == bytes[3] && s.outcome.values.data[0].value == '7');
    assert_true(s.outcome.spent < 10000);
    tear_down(&s);
}

static void a_magic_number_is_one_walk(void **state)
{
    (void)state;
    Setting s;
    set_up(&s);
    Expr bytes[8];
    bytes_of(&s, bytes, 8);
    Expr word = bytes[0];
    for (unsigned i = 1; i < 8; i++) word = expr_binary(s.pool, EXPR_CONCAT, bytes[i], word);
    add(&s, expr_eq(s.pool, word, number(&s, 64, 0x0102030405060708)));
    assert_int_equal(ask(&s, 10000), SOLVE_SAT);
    assert_int_equal(s.outcome.values.len, 8);
    tear_down(&s);
}

static void a_checksum_is_met(void **state)
{
    (void)state;
    Setting s;
    set_up(&s);
    Expr bytes[12];
    bytes_of(&s, bytes, 12);
    Expr sum = expr_zext(s.pool, bytes[0], 16);
    for (unsigned i = 1; i < 10; i++) sum = expr_add(s.pool, sum, expr_zext(s.pool, bytes[i], 16));
    add(&s, expr_eq(s.pool, sum, expr_binary(s.pool, EXPR_CONCAT, bytes[10], bytes[11])));
    add(&s, expr_not(s.pool, expr_eq(s.pool, bytes[4], number(&s, 8, 0))));
    assert_int_equal(ask(&s, 50000), SOLVE_SAT);
    tear_down(&s);
}

/* Digits, all of them '0' to '9', that read as the number. */
static void digits_make_a_number(void **state)
{
    (void)state;
    Random random;
    random_seed(&random, 8);
    unsigned solved = 0;
    for (unsigned round = 0; round < 100; round++) {
        Setting s;
        set_up(&s);
        Expr digits[6];
        bytes_of(&s, digits, 6);
        unsigned count = 2 + round % 5;
        Expr value = number(&s, 32, 0);
        uint64_t limit = 1;
        for (unsigned i = 0; i < count; i++, limit *= 10) {
            add(&s, less(&s, expr_add(s.pool, digits[i], number(&s, 8, -'0')), number(&s, 8, 10)));
            Expr digit = expr_add(s.pool, expr_zext(s.pool, digits[i], 32), number(&s, 32, -'0'));
            value = expr_add(s.pool, expr_binary(s.pool, EXPR_MUL, value, number(&s, 32, 10)), digit);
        }
        add(&s, expr_eq(s.pool, value, number(&s, 32, (int64_t)random_below(&random, limit))));
        solved += ask(&s, 50000) == SOLVE_SAT;
        tear_down(&s);
    }
    assert_true(solved >= 97);
}

/* A table of flags read at a byte, as isalpha and its like do. */
static void a_table_is_searched_for_a_flag(void **state)
{
    (void)state;
    Setting s;
    set_up(&s);
    Expr x = expr_var(s.pool, 32, "x"), elements[256], numbers[3000];
    for (unsigned i = 0; i < 256; i++) elements[i] = number(&s, 16, i >= 'a' && i <= 'f' ? 0x1008 : i < 32 ? 2 : 0xd00);
    for (unsigned i = 0; i < 3000; i++) numbers[i] = number(&s, 32, (int64_t)i * 7919 % 3001);
    Expr index = expr_zext(s.pool, expr_extract(s.pool, x, 8, 8), 64);
    Expr flags = expr_select(s.pool, expr_array(s.pool, 16, elements, 256), index);
    add(&s, expr_extract(s.pool, flags, 12, 1));
    assert_int_equal(ask(&s, 50000), SOLVE_SAT);
    vec_clear(&s.conditions);
    Expr picked = expr_select(s.pool, expr_array(s.pool, 32, numbers, 3000), expr_zext(s.pool, x, 64));
    add(&s, expr_eq(s.pool, picked, number(&s, 32, 2345 * 7919 % 3001)));
    assert_int_equal(ask(&s, 50000), SOLVE_SAT);
    assert_true(s.outcome.values.data[0].value == 2345);
    tear_down(&s);
}

/* The index of a table is looked for in two ways, and both have to agree with going through it. */
static void tables_are_searched_the_same_way_first_and_later(void **state)
{
    (void)state;
    enum { LENGTH = 700 };
    Setting s;
    set_up(&s);
    Expr index = expr_var(s.pool, 64, "index"), elements[LENGTH];
    for (unsigned i = 0; i < LENGTH; i++) elements[i] = number(&s, 16, (int64_t)(i * i % 331));
    Expr select = expr_select(s.pool, expr_array(s.pool, 16, elements, LENGTH), index), equal = expr_eq(s.pool, select, number(&s, 16, 1));
    Query query = {.pool = s.pool, .conditions = &equal, .count = 1, .start = s.start, .effort = 50000, .memory = 1 << 30};
    Trial trial;
    trial_init(&trial, s.pool, 1);
    assert_true(trial_begin(&trial, &query));
    const DagNode *array = trial.dag.nodes;
    while (array->kind != EXPR_ARRAY) array++;
    for (unsigned i = 0; i < 400; i++) {
        uint32_t begin = i * 37 % LENGTH, expected = UINT32_MAX;
        U128 value = i % 340;
        for (uint32_t k = 0; k < LENGTH && expected == UINT32_MAX; k++)
            if (expr_value(s.pool, elements[(begin + k) % LENGTH]) == value) expected = (begin + k) % LENGTH;
        assert_int_equal(trial_table_index(&trial, array, value, begin), expected);
    }
    trial_release(&trial);
    tear_down(&s);
}

static void stores_are_seen_through(void **state)
{
    (void)state;
    Setting s;
    set_up(&s);
    Expr i = expr_var(s.pool, 64, "i"), k = expr_var(s.pool, 64, "k"), v = expr_var(s.pool, 8, "v"), elements[16];
    for (unsigned n = 0; n < 16; n++) elements[n] = expr_var(s.pool, 8, "element");
    Expr array = expr_store(s.pool, expr_array(s.pool, 8, elements, 16), i, v);
    add(&s, less(&s, i, number(&s, 64, 16)));
    add(&s, less(&s, k, number(&s, 64, 16)));
    add(&s, expr_eq(s.pool, expr_select(s.pool, array, k), number(&s, 8, 77)));
    add(&s, expr_eq(s.pool, v, number(&s, 8, 3)));
    assert_int_equal(ask(&s, 50000), SOLVE_SAT);
    tear_down(&s);
}

static void a_byte_without_a_value_is_told(void **state)
{
    (void)state;
    Setting s;
    set_up(&s);
    Expr byte = expr_var(s.pool, 8, "byte");
    Expr low = expr_binary(s.pool, EXPR_AND, byte, number(&s, 8, 0x55));
    add(&s, expr_eq(s.pool, low, number(&s, 8, 0x11)));
    add(&s, less(&s, expr_binary(s.pool, EXPR_MUL, byte, number(&s, 8, 3)), number(&s, 8, 3)));
    add(&s, less(&s, byte, number(&s, 8, 0x20)));
    assert_int_equal(ask(&s, 50000), SOLVE_UNKNOWN);
    assert_non_null(s.outcome.reason);
    assert_true(s.outcome.spent < 10000);
    tear_down(&s);
}

static void effort_is_respected(void **state)
{
    (void)state;
    Setting s;
    set_up(&s);
    Expr x = expr_var(s.pool, 32, "x"), y = expr_var(s.pool, 32, "y");
    Expr odd = expr_extract(s.pool, expr_binary(s.pool, EXPR_MUL, x, expr_add(s.pool, x, number(&s, 32, 1))), 0, 1);
    add(&s, odd); /* x * (x + 1) is even */
    add(&s, less(&s, x, y));
    for (uint64_t effort = 1; effort <= 1000000; effort *= 10) {
        assert_int_equal(ask(&s, effort), SOLVE_UNKNOWN);
        assert_true(s.outcome.spent <= effort + 20000);
    }
    tear_down(&s);
}

static void answers_do_not_depend_on_earlier_queries(void **state)
{
    (void)state;
    uint64_t spent[2];
    U128 values[2] = {0, 0};
    for (unsigned round = 0; round < 2; round++) {
        Setting s;
        set_up(&s);
        Expr bytes[4];
        bytes_of(&s, bytes, 4);
        Expr sum = expr_add(s.pool, expr_binary(s.pool, EXPR_MUL, bytes[0], bytes[1]), expr_binary(s.pool, EXPR_MUL, bytes[2], bytes[3]));
        Expr limit = less(&s, bytes[0], number(&s, 8, '5')), equal = expr_eq(s.pool, sum, number(&s, 8, 93));
        Expr other = expr_not(s.pool, equal), far = expr_not(s.pool, limit), lower = less(&s, number(&s, 8, '1'), bytes[1]);
        if (round) { /* other queries first */
            add(&s, limit);
            add(&s, other);
            ask(&s, 50000);
            vec_clear(&s.conditions);
            add(&s, far);
            add(&s, lower);
            ask(&s, 50000);
            vec_clear(&s.conditions);
        }
        add(&s, limit);
        add(&s, equal);
        add(&s, lower);
        assert_int_equal(ask(&s, 500000), SOLVE_SAT);
        spent[round] = s.outcome.spent;
        for (uint32_t i = 0; i < s.outcome.values.len; i++) values[round] = values[round] * 257 + s.outcome.values.data[i].value;
        tear_down(&s);
    }
    assert_true(spent[0] == spent[1] && values[0] == values[1]);
}

static void rewinding_leaves_nothing_stale(void **state)
{
    (void)state;
    Setting s;
    set_up(&s);
    Expr byte = expr_var(s.pool, 8, "byte"), wide = expr_var(s.pool, 64, "wide");
    uint32_t mark = expr_pool_count(s.pool);
    for (unsigned round = 0; round < 50; round++) {
        Expr elements[100];
        for (unsigned i = 0; i < 100; i++) elements[i] = number(&s, 8, (i * 3 + round) & 0xff);
        add(&s, expr_eq(s.pool, expr_binary(s.pool, EXPR_AND, byte, number(&s, 8, 0x5a)), number(&s, 8, round & 0x5a)));
        add(&s, less(&s, number(&s, 8, round), byte));
        add(&s, less(&s, wide, number(&s, 64, 100)));
        Expr element = expr_select(s.pool, expr_array(s.pool, 8, elements, 100), wide);
        add(&s, expr_eq(s.pool, element, number(&s, 8, (51 + round) & 0xff)));
        assert_int_equal(ask(&s, 100000), SOLVE_SAT);
        vec_clear(&s.conditions);
        local_forget(s.local, mark);
        expr_pool_rewind(s.pool, mark);
    }
    tear_down(&s);
}

/* ---- generated queries: true under a model, asked from another one ---- */

typedef struct Maker {
    Setting s;
    Random random;
    Expr vars[16];
    uint32_t count;
    bool hard;
} Maker;

static uint64_t pick(Maker *m, uint64_t n)
{
    return random_below(&m->random, n);
}

static Expr constant(Maker *m, unsigned width)
{
    return expr_const(m->s.pool, width, invert_random_size(&m->random, width));
}

static Expr of_width(Maker *m, Expr e, unsigned width)
{
    unsigned from = expr_width(m->s.pool, e);
    if (from > width) return expr_extract(m->s.pool, e, (unsigned)pick(m, from - width + 1), width);
    return pick(m, 2) ? expr_zext(m->s.pool, e, width) : expr_sext(m->s.pool, e, width);
}

static Expr term(Maker *m, unsigned width, int depth);

static Expr table(Maker *m, unsigned width, int depth)
{
    Expr elements[16];
    for (unsigned i = 0; i < 16; i++) elements[i] = pick(m, 5) ? constant(m, width) : term(m, width, depth);
    Expr index = expr_zext(m->s.pool, of_width(m, term(m, width, depth), 4), 64);
    return expr_select(m->s.pool, expr_array(m->s.pool, width, elements, 16), index);
}

static Expr term(Maker *m, unsigned width, int depth)
{
    ExprPool *pool = m->s.pool;
    if (depth <= 0 || !pick(m, 5)) return pick(m, 4) ? of_width(m, m->vars[pick(m, m->count)], width) : constant(m, width);
    Expr a = term(m, width, depth - 1);
    switch (pick(m, m->hard ? 14 : 9)) {
    case 0:
    case 1: return expr_add(pool, a, term(m, width, depth - 1));
    case 2: return expr_binary(pool, EXPR_SUB, a, term(m, width, depth - 1));
    case 3: return expr_and(pool, a, constant(m, width));
    case 4: return expr_binary(pool, EXPR_XOR, a, term(m, width, depth - 1));
    case 5: return expr_binary(pool, EXPR_MUL, a, expr_const(pool, width, 1 + pick(m, 20)));
    case 6: return expr_ite(pool, expr_binary(pool, EXPR_ULT, a, term(m, width, depth - 1)), term(m, width, depth - 1), a);
    case 7: return expr_or(pool, a, term(m, width, depth - 1));
    case 8: return of_width(m, term(m, width > 8 ? width / 2 : width, depth - 1), width);
    case 9: return expr_binary(pool, EXPR_MUL, a, term(m, width, depth - 1));
    case 10: {
        Expr divisor = pick(m, 2) ? expr_const(pool, width, 1 + pick(m, 30)) : term(m, width, depth - 1);
        return expr_binary(pool, (ExprKind)(EXPR_UDIV + pick(m, 4)), a, divisor);
    }
    case 11: {
        Expr amount = expr_and(pool, term(m, width, depth - 1), expr_const(pool, width, 7));
        return expr_binary(pool, (ExprKind)(EXPR_SHL + pick(m, 3)), a, amount);
    }
    case 12: return table(m, width, depth - 1);
    default: return expr_unary(pool, (ExprKind)(EXPR_CTPOP + pick(m, 3)), a);
    }
}

static Expr condition(Maker *m, int depth)
{
    static const unsigned widths[] = {8, 8, 16, 32, 32, 64};
    static const ExprKind kinds[] = {EXPR_EQ, EXPR_ULT, EXPR_SLT, EXPR_ULE};
    unsigned width = widths[pick(m, COUNT_OF(widths))];
    if (!pick(m, 6)) return expr_binary(m->s.pool, pick(m, 2) ? EXPR_AND : EXPR_OR, condition(m, depth - 1), condition(m, depth - 1));
    Expr a = term(m, width, depth), b = pick(m, 3) ? constant(m, width) : term(m, width, depth - 1);
    return expr_binary(m->s.pool, kinds[pick(m, COUNT_OF(kinds))], a, b);
}

/* 1: solved, 0: not, -1: the start happened to satisfy it. */
static int ask_generated(uint64_t seed, int depth, bool hard)
{
    Maker m = {.hard = hard};
    random_seed(&m.random, seed);
    set_up(&m.s);
    ExprModel *model = expr_model_new(m.s.pool);
    m.count = 6 + (uint32_t)pick(&m, 6);
    for (uint32_t i = 0; i < m.count; i++) {
        unsigned width = pick(&m, 2) ? 8 : pick(&m, 2) ? 32 : 16;
        m.vars[i] = expr_var(m.s.pool, width, "v");
        expr_model_set(model, m.vars[i], invert_random_size(&m.random, width));
        expr_model_set(m.s.start, m.vars[i], invert_random_size(&m.random, width));
    }
    bool wrong = false;
    for (uint32_t n = 3 + (uint32_t)pick(&m, 8); n > 0; n--) {
        Expr e = condition(&m, depth);
        if (expr_is_const(m.s.pool, e)) continue;
        if (!expr_eval(model, e)) e = expr_not(m.s.pool, e);
        if (!expr_eval(m.s.start, e)) wrong = true;
        add(&m.s, e);
    }
    int result = !wrong ? -1 : ask(&m.s, 50000) == SOLVE_SAT;
    expr_model_free(model);
    tear_down(&m.s);
    return result;
}

static void generated_queries_are_solved(void **state)
{
    (void)state;
    for (unsigned hard = 0; hard < 2; hard++)
        for (int depth = 1; depth <= 3; depth++) {
            unsigned solved = 0, total = 0;
            for (uint64_t seed = 0; seed < 400; seed++) {
                int result = ask_generated(seed * 7 + (uint64_t)depth, depth, hard);
                total += result >= 0;
                solved += result > 0;
            }
            assert_true(total > 200);
            assert_true(solved * 100 >= total * 95);
        }
}

/* A condition that is a variable itself: nothing has to be computed again when it changes. */
static void a_variable_costs_little(void **state)
{
    (void)state;
    ExprPool *pool = expr_pool_new();
    ExprModel *start = expr_model_new(pool);
    Expr other = expr_binary(pool, EXPR_EQ, expr_var(pool, 8, "other"), expr_const(pool, 8, 7)), bit = expr_var(pool, 1, "bit");
    Expr conditions[] = {other, bit};
    Query query = {.pool = pool, .conditions = conditions, .count = 2, .start = start, .effort = 1000000, .memory = 1 << 30};
    Local *local = local_new(pool, 1);
    Outcome outcome = {0};
    local_solve(local, &query, &outcome);
    assert_int_equal(outcome.answer, SOLVE_SAT);
    assert_true(outcome.spent < 100000);
    local_free(local);
    vec_release(&outcome.values);
    vec_release(&outcome.core);
    expr_model_free(start);
    expr_pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(binary_inverses_are_complete_at_small_widths),
        cmocka_unit_test(unary_inverses_are_complete_at_small_widths),
        cmocka_unit_test(concat_inverses_are_complete),
        cmocka_unit_test(inverses_are_found_at_large_widths),
        cmocka_unit_test(what_is_known_of_an_operand_is_respected),
        cmocka_unit_test(the_order_of_floats_is_that_of_their_numbers),
        cmocka_unit_test(float_inverses_are_found),
        cmocka_unit_test(one_comparison_of_a_path_is_flipped),
        cmocka_unit_test(a_magic_number_is_one_walk),
        cmocka_unit_test(a_checksum_is_met),
        cmocka_unit_test(digits_make_a_number),
        cmocka_unit_test(a_table_is_searched_for_a_flag),
        cmocka_unit_test(tables_are_searched_the_same_way_first_and_later),
        cmocka_unit_test(stores_are_seen_through),
        cmocka_unit_test(a_byte_without_a_value_is_told),
        cmocka_unit_test(effort_is_respected),
        cmocka_unit_test(a_variable_costs_little),
        cmocka_unit_test(answers_do_not_depend_on_earlier_queries),
        cmocka_unit_test(rewinding_leaves_nothing_stale),
        cmocka_unit_test(generated_queries_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
