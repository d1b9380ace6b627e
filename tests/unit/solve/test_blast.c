/* Bit-blasting: circuits against folding, answers against evaluation and enumeration, limits, forgetting. */
#include "base/arith.h"
#include "solve/blast_int.h"

#include <stdlib.h>

/* After our headers: cmocka defines a macro named fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const unsigned all_widths[] = {1, 2, 3, 7, 8, 13, 16, 31, 32, 33, 64, 65, 128};

/* ---- circuits on values, without a SAT solver ---- */

static U128 random_value(Random *random, unsigned width)
{
    U128 value = (U128)random_next(random) << 64 | random_next(random);
    switch (random_below(random, 6)) {
    case 0: value >>= random_below(random, 128); break;
    case 1: value = random_below(random, 4); break;
    case 2: value = -(U128)random_below(random, 4); break;
    case 3: value = ((U128)1 << random_below(random, width)) + random_below(random, 3) - 1; break;
    default: break;
    }
    return value & arith_mask(width);
}

/* Zeros, subnormals, infinities, NaNs, numbers near one, near overflow, with few or with almost all bits set. */
static U128 random_float(Random *random, unsigned width)
{
    unsigned fraction_width = width == 32 ? 23 : 52, exponent_width = width == 32 ? 8 : 11;
    uint64_t most = arith_mask64(exponent_width), bias = most >> 1, ones = arith_mask64(fraction_width);
    uint64_t fraction = random_next(random) & ones, exponent = random_next(random) & most, sign = random_next(random) & 1;
    switch (random_below(random, 10)) {
    case 0: exponent = 0; break;
    case 1: exponent = most - random_below(random, 3); break;
    case 2: fraction = 0; break;
    case 3: exponent = random_below(random, 2) * most, fraction = 0; break;
    case 4: exponent = bias + random_below(random, 8) - 4; break;
    case 5: exponent = bias + random_below(random, 140) - 4; break;
    case 6: fraction = fraction >> random_below(random, fraction_width) << random_below(random, fraction_width) & ones; break;
    case 7: exponent = random_below(random, fraction_width + 3); break;
    case 8: fraction = random_below(random, 2) ? ones - random_below(random, 4) : random_below(random, 4); break;
    default: break;
    }
    return (U128)(sign << (width - 1) | exponent << fraction_width | fraction);
}

static bool is_nan(unsigned width, U128 value)
{
    return width == 32 ? arith_f32((uint64_t)value) != arith_f32((uint64_t)value)
                       : arith_f64((uint64_t)value) != arith_f64((uint64_t)value);
}

static bool value_of_input(void *data, uint32_t owner, uint32_t bit)
{
    const U128 *values = data;
    return values[owner] >> bit & 1;
}

static Word input(Gates *gates, uint32_t owner, unsigned width)
{
    Word word = {.width = width};
    for (unsigned i = 0; i < width; i++) word.bit[i] = gates_input(gates, owner, i);
    return word;
}

static Word integer_circuit(Gates *gates, ExprKind kind, const Word *a, const Word *b)
{
    Word quotient, rest, mirrored = word_reverse(a);
    if (kind == EXPR_UDIV || kind == EXPR_UREM) word_divide(gates, a, b, false, &quotient, &rest);
    switch (kind) {
    case EXPR_ADD: return word_add(gates, a, b, LIT_FALSE);
    case EXPR_SUB: return word_sub(gates, a, b);
    case EXPR_MUL: return word_mul(gates, a, b);
    case EXPR_UDIV: return quotient;
    case EXPR_UREM: return rest;
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR: return word_shift(gates, kind, a, b);
    case EXPR_EQ: return (Word){.width = 1, .bit = {word_eq(gates, a, b)}};
    case EXPR_ULT: return (Word){.width = 1, .bit = {word_ult(gates, a, b)}};
    case EXPR_SLT: return (Word){.width = 1, .bit = {word_slt(gates, a, b)}};
    case EXPR_CTPOP: return word_ctpop(gates, a);
    case EXPR_CTLZ: return word_ctlz(gates, a);
    default: assert_int_equal(kind, EXPR_CTTZ); return word_ctlz(gates, &mirrored);
    }
}

/* Inputs 0 and 1 are the operands; input 2 is what a NaN's bits are read from, garbage where no NaN results. */
static void agrees_with_folding(Random *random, ExprKind kind, unsigned width, unsigned source, unsigned cases)
{
    Gates gates;
    gates_init(&gates);
    bool is_float = kind >= EXPR_FADD, from_float = is_float && kind != EXPR_SITOF && kind != EXPR_UITOF;
    Word a = input(&gates, 0, source), b = input(&gates, 1, source), free_bits = input(&gates, 2, width);
    Word result = is_float ? float_circuit(&gates, kind, width, &a, &b, &free_bits) : integer_circuit(&gates, kind, &a, &b);
    assert_int_equal(result.width, width);
    gates_cone(&gates, result.bit, result.width);
    for (unsigned i = 0; i < cases; i++) {
        U128 values[3];
        for (unsigned j = 0; j < 2; j++) values[j] = from_float ? random_float(random, source) : random_value(random, source);
        if (random_below(random, 6) == 0)
            values[1] = ((values[0] + random_below(random, 3) - 1) ^ (U128)random_below(random, 2) << (source - 1)) & arith_mask(source);
        U128 wanted = expr_fold(kind, width, source, values[0], values[1], 0), got = 0;
        values[2] = from_float && (width == 32 || width == 64) && is_nan(width, wanted) ? wanted : random_value(random, width);
        gates_simulate(&gates, value_of_input, values);
        for (unsigned j = 0; j < width; j++) got |= (U128)gates_value(&gates, result.bit[j]) << j;
        if (got != wanted) print_error("%s, %u bits from %u: case %u\n", expr_kind_name(kind), width, source, i);
        assert_true(got == wanted);
        for (uint32_t j = 0; j < gates.sides.len; j++) assert_true(gates_value(&gates, gates.sides.data[j]));
    }
    gates_release(&gates);
}

static void integer_circuits_agree_with_folding(void **state)
{
    (void)state;
    static const ExprKind kinds[] = {EXPR_ADD,  EXPR_SUB, EXPR_MUL, EXPR_UDIV, EXPR_UREM,  EXPR_SHL,  EXPR_LSHR,
                                     EXPR_ASHR, EXPR_EQ,  EXPR_ULT, EXPR_SLT,  EXPR_CTPOP, EXPR_CTLZ, EXPR_CTTZ};
    Random random;
    random_seed(&random, 1);
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        for (size_t j = 0; j < COUNT_OF(all_widths); j++) {
            bool comparison = kinds[i] >= EXPR_EQ && kinds[i] <= EXPR_SLE;
            agrees_with_folding(&random, kinds[i], comparison ? 1 : all_widths[j], all_widths[j], 60);
        }
}

static void float_circuits_agree_with_folding(void **state)
{
    (void)state;
    static const ExprKind kinds[] = {EXPR_FADD, EXPR_FSUB, EXPR_FMUL, EXPR_FDIV, EXPR_FSQRT, EXPR_FEQ, EXPR_FLT, EXPR_FLE, EXPR_FUNO};
    Random random;
    random_seed(&random, 2);
    for (unsigned format = 32; format <= 64; format += 32) {
        for (size_t i = 0; i < COUNT_OF(kinds); i++)
            agrees_with_folding(&random, kinds[i], kinds[i] >= EXPR_FEQ && kinds[i] <= EXPR_FUNO ? 1 : format, format, 4000);
        agrees_with_folding(&random, EXPR_FCONVERT, 96 - format, format, 8000);
        for (size_t j = 0; j < COUNT_OF(all_widths); j++) {
            agrees_with_folding(&random, EXPR_FTOSI, all_widths[j], format, 500);
            agrees_with_folding(&random, EXPR_FTOUI, all_widths[j], format, 500);
            agrees_with_folding(&random, EXPR_SITOF, format, all_widths[j], 500);
            agrees_with_folding(&random, EXPR_UITOF, format, all_widths[j], 500);
        }
    }
}

/* ---- queries ---- */

typedef struct Fixture {
    ExprPool *pool;
    Blast *blast;
    ExprModel *start;
    Outcome outcome;
    Random random;
    Vec(Expr) made; /* expressions to build on */
} Fixture;

static int set_up(void **state)
{
    Fixture *fixture = mem_alloc(sizeof *fixture);
    fixture->pool = expr_pool_new();
    fixture->blast = blast_new(fixture->pool, 1);
    fixture->start = expr_model_new(fixture->pool);
    random_seed(&fixture->random, 3);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *fixture = *state;
    blast_free(fixture->blast);
    expr_model_free(fixture->start);
    vec_release(&fixture->outcome.values);
    vec_release(&fixture->outcome.core);
    vec_release(&fixture->made);
    expr_pool_free(fixture->pool);
    free(fixture);
    return 0;
}

static int by_id(const void *a, const void *b)
{
    Expr x = *(const Expr *)a, y = *(const Expr *)b;
    return x < y ? -1 : x > y;
}

/* Asks as solve.c does: ascending, no constants, nothing twice. */
static SolveAnswer ask_within(Fixture *fixture, const Expr *conditions, uint32_t count, uint64_t effort, uint64_t memory)
{
    Expr kept[32];
    uint32_t n = 0, unique = 0;
    vec_clear(&fixture->outcome.core);
    for (uint32_t i = 0; i < count; i++) {
        if (!expr_is_const(fixture->pool, conditions[i])) kept[n++] = conditions[i];
        else if (!expr_value(fixture->pool, conditions[i])) return SOLVE_UNSAT;
    }
    qsort(kept, n, sizeof *kept, by_id);
    for (uint32_t i = 0; i < n; i++)
        if (!unique || kept[unique - 1] != kept[i]) kept[unique++] = kept[i];
    Query query = {fixture->pool, kept, unique, fixture->start, effort, memory, 0};
    blast_solve(fixture->blast, &query, &fixture->outcome);
    return fixture->outcome.answer;
}

static SolveAnswer ask(Fixture *fixture, const Expr *conditions, uint32_t count)
{
    return ask_within(fixture, conditions, count, 2000000000, (uint64_t)1 << 30);
}

/* Does the model of the last SAT make the conditions true? */
static bool holds(Fixture *fixture, const Expr *conditions, uint32_t count)
{
    ExprModel *model = expr_model_copy(fixture->start);
    for (uint32_t i = 0; i < fixture->outcome.values.len; i++) {
        SolveValue change = fixture->outcome.values.data[i];
        assert_true(expr_model_get(fixture->start, change.var) != change.value);
        expr_model_set(model, change.var, change.value);
    }
    bool all = true;
    for (uint32_t i = 0; i < count; i++) all &= expr_eval(model, conditions[i]) != 0;
    expr_model_free(model);
    return all;
}

static Expr constant(Fixture *fixture, unsigned width, U128 value)
{
    return expr_const(fixture->pool, width, value);
}

static unsigned below(Fixture *fixture, unsigned n)
{
    return (unsigned)random_below(&fixture->random, n);
}

/* Something of that width, from what was made. */
static Expr pick(Fixture *fixture, unsigned width)
{
    ExprPool *pool = fixture->pool;
    Expr e = 0;
    for (int i = 0; i < 8; i++) {
        e = fixture->made.data[below(fixture, fixture->made.len)];
        if (expr_width(pool, e) == width) return e;
    }
    unsigned has = expr_width(pool, e);
    if (below(fixture, 3) == 0) return constant(fixture, width, random_value(&fixture->random, width));
    if (has > width) return expr_extract(pool, e, below(fixture, has - width + 1), width);
    return below(fixture, 2) ? expr_zext(pool, e, width) : expr_sext(pool, e, width);
}

static Expr random_select(Fixture *fixture, unsigned width)
{
    ExprPool *pool = fixture->pool;
    Expr elements[9], index = below(fixture, 4) ? expr_zext(pool, pick(fixture, 3), 64) : pick(fixture, 64);
    uint32_t count = 1 + below(fixture, 9);
    for (uint32_t i = 0; i < count; i++)
        elements[i] = below(fixture, 2) ? pick(fixture, width) : constant(fixture, width, random_value(&fixture->random, width));
    Expr array = expr_array(pool, width, elements, count);
    for (unsigned stores = below(fixture, 3); stores > 0; stores--) {
        Expr at = below(fixture, 2) ? expr_zext(pool, pick(fixture, 3), 64) : pick(fixture, 64);
        array = expr_store(pool, array, at, pick(fixture, width));
    }
    return expr_select(pool, array, index);
}

static Expr random_float_node(Fixture *fixture, unsigned width)
{
    ExprPool *pool = fixture->pool;
    unsigned format = below(fixture, 2) ? 32 : 64;
    switch (below(fixture, 5)) {
    case 0: return expr_binary(pool, EXPR_FADD + below(fixture, 4), pick(fixture, format), pick(fixture, format));
    case 1: return expr_binary(pool, EXPR_FEQ + below(fixture, 4), pick(fixture, format), pick(fixture, format));
    case 2: return expr_convert(pool, EXPR_FCONVERT, pick(fixture, format), 96 - format);
    case 3: return expr_convert(pool, EXPR_FTOSI + below(fixture, 2), pick(fixture, format), width);
    default: return expr_convert(pool, EXPR_SITOF + below(fixture, 2), pick(fixture, width), format);
    }
}

static Expr random_node(Fixture *fixture, const unsigned *widths, unsigned count, bool floats)
{
    ExprPool *pool = fixture->pool;
    unsigned width = widths[below(fixture, count)], other = widths[below(fixture, count)];
    switch (below(fixture, floats ? 13 : 11)) {
    case 0: return expr_binary(pool, EXPR_ADD + below(fixture, 3), pick(fixture, width), pick(fixture, width));
    case 1: return expr_binary(pool, EXPR_UDIV + below(fixture, 4), pick(fixture, width), pick(fixture, width));
    case 2: return expr_binary(pool, EXPR_SHL + below(fixture, 3), pick(fixture, width), pick(fixture, width));
    case 3: return expr_binary(pool, EXPR_AND + below(fixture, 3), pick(fixture, width), pick(fixture, width));
    case 4: return expr_not(pool, pick(fixture, width));
    case 5: return expr_binary(pool, EXPR_EQ + below(fixture, 5), pick(fixture, width), pick(fixture, width));
    case 6: return width + other > 128 ? pick(fixture, width) : expr_binary(pool, EXPR_CONCAT, pick(fixture, width), pick(fixture, other));
    case 7: return expr_ite(pool, pick(fixture, 1), pick(fixture, width), pick(fixture, width));
    case 8: return expr_unary(pool, EXPR_CTPOP + below(fixture, 3), pick(fixture, width));
    case 9: return random_select(fixture, width);
    case 10: return expr_binary(pool, EXPR_MUL, pick(fixture, width), constant(fixture, width, random_value(&fixture->random, width)));
    default: return random_float_node(fixture, width);
    }
}

/* New variables and nodes over them; returns the newest node. */
static Expr random_dag(Fixture *fixture, const unsigned *widths, unsigned count, unsigned vars, unsigned nodes, bool floats)
{
    vec_clear(&fixture->made);
    for (unsigned i = 0; i < vars; i++) vec_push(&fixture->made, expr_var(fixture->pool, widths[below(fixture, count)], "v"));
    for (unsigned i = 0; i < nodes; i++) {
        Expr e = random_node(fixture, widths, count, floats);
        vec_push(&fixture->made, e);
    }
    return vec_top(&fixture->made);
}

/* With all variables fixed a root has its value and no other one.  Only a NaN's bits may be free. */
static void fixed_variables_decide_everything(void **state)
{
    Fixture *fixture = *state;
    ExprPool *pool = fixture->pool;
    uint32_t mark = expr_pool_count(pool);
    for (unsigned round = 0; round < 250; round++) {
        if (round % 5 == 0) {
            blast_forget(fixture->blast, mark);
            expr_pool_rewind(pool, mark);
        }
        bool floats = round % 2;
        unsigned vars = 1 + below(fixture, 4);
        Expr root = random_dag(fixture, all_widths, COUNT_OF(all_widths), vars, 4 + below(fixture, 16), floats);
        ExprModel *model = expr_model_new(pool);
        Expr conditions[5];
        for (unsigned i = 0; i < vars; i++) {
            unsigned width = expr_width(pool, fixture->made.data[i]);
            U128 value = random_value(&fixture->random, width);
            expr_model_set(model, fixture->made.data[i], value);
            conditions[i] = expr_eq(pool, fixture->made.data[i], constant(fixture, width, value));
        }
        Expr same = expr_eq(pool, root, constant(fixture, expr_width(pool, root), expr_eval(model, root)));
        expr_model_free(model);
        conditions[vars] = same;
        assert_int_equal(ask(fixture, conditions, vars + 1), SOLVE_SAT);
        assert_true(holds(fixture, conditions, vars + 1));
        conditions[vars] = expr_not(pool, same);
        SolveAnswer answer = ask(fixture, conditions, vars + 1);
        if (answer == SOLVE_SAT) assert_true(floats && !holds(fixture, conditions, vars + 1));
        else assert_int_equal(answer, SOLVE_UNSAT);
    }
}

typedef struct Enumerated {
    bool conditions, core; /* is there a model of them? */
} Enumerated;

static Enumerated enumerate(Fixture *fixture, unsigned vars, const Expr *conditions, uint32_t count)
{
    Enumerated found = {0};
    unsigned bits = 0;
    for (unsigned i = 0; i < vars; i++) bits += expr_width(fixture->pool, fixture->made.data[i]);
    ExprModel *model = expr_model_new(fixture->pool);
    for (uint64_t all = 0; all >> bits == 0; all++) {
        uint64_t rest = all;
        for (unsigned i = 0; i < vars; i++) {
            unsigned width = expr_width(fixture->pool, fixture->made.data[i]);
            expr_model_set(model, fixture->made.data[i], rest & arith_mask64(width));
            rest >>= width;
        }
        bool true_conditions = true, true_core = fixture->outcome.core.len > 0;
        for (uint32_t i = 0; i < count; i++) true_conditions &= expr_eval(model, conditions[i]) != 0;
        for (uint32_t i = 0; i < fixture->outcome.core.len; i++) true_core &= expr_eval(model, fixture->outcome.core.data[i]) != 0;
        found.conditions |= true_conditions;
        found.core |= true_core;
    }
    expr_model_free(model);
    return found;
}

static void small_formulas_agree_with_enumeration(void **state)
{
    Fixture *fixture = *state;
    static const unsigned widths[] = {1, 2, 3, 4};
    unsigned unsat = 0;
    for (unsigned round = 0; round < 600; round++) {
        unsigned vars = 2 + below(fixture, 2), count = 1 + below(fixture, 4);
        random_dag(fixture, widths, COUNT_OF(widths), vars, 6 + below(fixture, 14), false);
        Expr conditions[4];
        for (unsigned i = 0; i < count; i++) {
            Expr e = fixture->made.data[vars + below(fixture, fixture->made.len - vars)];
            unsigned width = expr_width(fixture->pool, e);
            conditions[i] = width == 1 ? e : expr_eq(fixture->pool, e, constant(fixture, width, random_value(&fixture->random, width)));
            if (below(fixture, 2)) conditions[i] = expr_not(fixture->pool, conditions[i]);
        }
        SolveAnswer answer = ask(fixture, conditions, count);
        Enumerated found = enumerate(fixture, vars, conditions, count);
        assert_int_equal(answer, found.conditions ? SOLVE_SAT : SOLVE_UNSAT);
        if (answer == SOLVE_UNSAT) assert_false(found.core);
        unsat += answer == SOLVE_UNSAT;
    }
    assert_in_range(unsat, 100, 500);
}

/* ---- particular properties ---- */

static void cores_leave_out_what_is_not_needed(void **state)
{
    Fixture *fixture = *state;
    ExprPool *pool = fixture->pool;
    Expr x = expr_var(pool, 32, "x"), y = expr_var(pool, 32, "y"), sum = expr_add(pool, x, y);
    Expr conditions[] = {
        expr_binary(pool, EXPR_ULT, x, constant(fixture, 32, 10)), expr_binary(pool, EXPR_ULT, y, constant(fixture, 32, 10)),
        expr_eq(pool, expr_binary(pool, EXPR_XOR, x, y), constant(fixture, 32, 3)), expr_eq(pool, sum, constant(fixture, 32, 100))};
    assert_int_equal(ask(fixture, conditions, 4), SOLVE_UNSAT);
    assert_in_range(fixture->outcome.core.len, 2, 3);
    assert_int_equal(ask(fixture, conditions, 3), SOLVE_SAT);
    assert_true(holds(fixture, conditions, 3));
}

static void the_start_is_kept_where_nothing_speaks_against_it(void **state)
{
    Fixture *fixture = *state;
    ExprPool *pool = fixture->pool;
    Expr bytes[16], conditions[16];
    for (unsigned i = 0; i < 16; i++) {
        bytes[i] = expr_var(pool, 8, "byte");
        expr_model_set(fixture->start, bytes[i], 'a' + i);
        conditions[i] = expr_binary(pool, EXPR_ULT, constant(fixture, 8, 'A'), bytes[i]);
    }
    conditions[15] = expr_eq(pool, bytes[3], constant(fixture, 8, 'Z'));
    assert_int_equal(ask(fixture, conditions, 16), SOLVE_SAT);
    assert_true(holds(fixture, conditions, 16));
    assert_int_equal(fixture->outcome.values.len, 1);
    assert_int_equal(fixture->outcome.values.data[0].var, bytes[3]);
}

static U128 identity(void *data, const U128 *arguments, uint32_t count)
{
    (void)data;
    return count ? arguments[0] : 0;
}

static void real_functions_are_free(void **state)
{
    Fixture *fixture = *state;
    ExprPool *pool = fixture->pool;
    static const ExprFunction function = {"identity", identity, NULL};
    Expr x = expr_var(pool, 8, "x"), call = expr_apply(pool, &function, 8, &x, 1), twice = expr_add(pool, call, call);
    Expr possible = expr_eq(pool, twice, constant(fixture, 8, 6)), odd = expr_extract(pool, expr_add(pool, twice, x), 0, 1);
    assert_int_equal(ask(fixture, &possible, 1), SOLVE_SAT);
    Expr impossible[] = {possible, odd, expr_binary(pool, EXPR_ULT, x, constant(fixture, 8, 1))};
    assert_int_equal(ask(fixture, impossible, 3), SOLVE_UNSAT);
    assert_int_equal(fixture->outcome.core.len, 2);
}

static Expr crc_of(Fixture *fixture, Expr table, const Expr *bytes, unsigned count)
{
    ExprPool *pool = fixture->pool;
    Expr crc = constant(fixture, 32, 0xffffffff);
    for (unsigned i = 0; i < count; i++) {
        Expr index = expr_zext(pool, expr_binary(pool, EXPR_XOR, expr_extract(pool, crc, 0, 8), bytes[i]), 64);
        Expr shifted = expr_zext(pool, expr_extract(pool, crc, 8, 24), 32);
        crc = expr_binary(pool, EXPR_XOR, expr_select(pool, table, index), shifted);
    }
    return crc;
}

static void a_checksum_is_inverted(void **state)
{
    Fixture *fixture = *state;
    ExprPool *pool = fixture->pool;
    Expr elements[256], bytes[4], text[4];
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
        elements[i] = constant(fixture, 32, crc);
    }
    Expr table = expr_array(pool, 32, elements, 256);
    for (unsigned i = 0; i < 4; i++) {
        bytes[i] = expr_var(pool, 8, "byte");
        text[i] = constant(fixture, 8, (U128) "Clew"[i]);
    }
    Expr wanted = crc_of(fixture, table, text, 4), condition = expr_eq(pool, crc_of(fixture, table, bytes, 4), wanted);
    assert_true(expr_is_const(pool, wanted));
    assert_int_equal(ask(fixture, &condition, 1), SOLVE_SAT);
    assert_true(holds(fixture, &condition, 1));
    Expr other[] = {condition, expr_not(pool, expr_eq(pool, bytes[0], text[0]))};
    assert_int_equal(ask(fixture, other, 2), SOLVE_UNSAT); /* four bytes determine a CRC-32 and conversely */
}

static void tables_are_bounded_by_what_the_index_can_be(void **state)
{
    Fixture *fixture = *state;
    ExprPool *pool = fixture->pool;
    enum { LENGTH = 1 << 16 };
    Expr *elements = mem_alloc(LENGTH * sizeof *elements);
    for (uint32_t i = 0; i < LENGTH; i++) elements[i] = constant(fixture, 32, i * 2654435761u);
    Expr table = expr_array(pool, 32, elements, LENGTH), wide = expr_var(pool, 64, "wide"), narrow = expr_var(pool, 8, "narrow");
    Expr offset = expr_add(pool, expr_zext(pool, narrow, 64), constant(fixture, 64, 40000));
    Expr all = expr_eq(pool, expr_select(pool, table, wide), elements[777]);
    Expr some = expr_eq(pool, expr_select(pool, table, offset), elements[40123]);
    assert_int_equal(ask(fixture, &all, 1), SOLVE_UNKNOWN);
    assert_non_null(fixture->outcome.reason);
    assert_int_equal(ask(fixture, &some, 1), SOLVE_SAT);
    assert_true(holds(fixture, &some, 1));
    assert_true(fixture->outcome.values.data[0].value == 123);
    free(elements);
}

/* s * (w + 1) is s * w + s, which a SAT solver cannot see. */
static void effort_and_memory_are_bounded(void **state)
{
    Fixture *fixture = *state;
    ExprPool *pool = fixture->pool;
    Expr s = expr_var(pool, 128, "s"), w = expr_var(pool, 128, "w"), one = constant(fixture, 128, 1);
    Expr left = expr_binary(pool, EXPR_MUL, s, expr_add(pool, w, one)), right = expr_add(pool, s, expr_binary(pool, EXPR_MUL, s, w));
    Expr hard = expr_not(pool, expr_eq(pool, left, right)), easy = expr_binary(pool, EXPR_ULT, one, s);
    assert_int_equal(ask_within(fixture, &hard, 1, 200000000, (uint64_t)1 << 30), SOLVE_UNKNOWN);
    assert_non_null(fixture->outcome.reason);
    assert_in_range(fixture->outcome.spent, 100000000, 260000000);
    assert_int_equal(ask(fixture, &easy, 1), SOLVE_SAT);
    assert_true(holds(fixture, &easy, 1));
    assert_int_equal(ask_within(fixture, &hard, 1, 2000000000, 4000000), SOLVE_UNKNOWN);
    assert_non_null(fixture->outcome.reason);
    assert_true(fixture->outcome.spent < 100000000);
    assert_int_equal(ask_within(fixture, &hard, 1, 1000, (uint64_t)1 << 30), SOLVE_UNKNOWN);
    assert_int_equal(ask(fixture, &easy, 1), SOLVE_SAT);
    assert_true(holds(fixture, &easy, 1));
}

static void quotient_and_rest_belong_together(void **state)
{
    Fixture *fixture = *state;
    ExprPool *pool = fixture->pool;
    Expr x = expr_var(pool, 64, "x"), y = expr_var(pool, 64, "y");
    Expr quotient = expr_binary(pool, EXPR_UDIV, x, y), rest = expr_binary(pool, EXPR_UREM, x, y);
    Expr differ = expr_not(pool, expr_eq(pool, expr_add(pool, expr_binary(pool, EXPR_MUL, quotient, y), rest), x));
    assert_int_equal(ask(fixture, &differ, 1), SOLVE_UNSAT);
    Expr conditions[] = {expr_eq(pool, quotient, constant(fixture, 64, 123456)), expr_eq(pool, rest, constant(fixture, 64, 4711))};
    assert_int_equal(ask(fixture, conditions, 2), SOLVE_SAT);
    assert_true(holds(fixture, conditions, 2));
}

/* The relation that defines a quotient takes a search here; it must be helped before the effort is spent. */
static void operands_determine_a_quotient(void **state)
{
    Fixture *fixture = *state;
    ExprPool *pool = fixture->pool;
    for (unsigned i = 0; i < 12; i++) {
        static const ExprKind kinds[] = {EXPR_UDIV, EXPR_SREM, EXPR_FDIV};
        unsigned width = i % 3 == 2 ? 64 : i == 0 ? 128 : 64;
        Expr x = expr_var(pool, width, "x"), y = expr_var(pool, width, "y"), operation = expr_binary(pool, kinds[i % 3], x, y);
        U128 a = ((U128)random_next(&fixture->random) << 64 | random_next(&fixture->random)) & arith_mask(width);
        U128 b = (random_next(&fixture->random) >> (i % 3 == 2 ? 2 : random_below(&fixture->random, 50))) | 1;
        U128 value = expr_fold(kinds[i % 3], width, width, a, b, 0);
        Expr conditions[] = {expr_eq(pool, x, constant(fixture, width, a)), expr_eq(pool, y, constant(fixture, width, b)),
                             expr_not(pool, expr_eq(pool, operation, constant(fixture, width, value)))};
        assert_int_equal(ask(fixture, conditions, 3), SOLVE_UNSAT);
        assert_int_equal(fixture->outcome.core.len, 3);
        assert_true(fixture->outcome.spent < 500000000);
    }
}

/* Answers do not depend on what was asked before, nor on the clauses kept from it. */
static void many_queries_share_one_solver(void **state)
{
    Fixture *fixture = *state;
    ExprPool *pool = fixture->pool;
    Expr bytes[32];
    for (unsigned i = 0; i < 32; i++) bytes[i] = expr_var(pool, 8, "byte");
    for (unsigned round = 0; round < 1500; round++) {
        Expr conditions[5];
        uint64_t low = below(fixture, 200), high = low + below(fixture, 4), other = below(fixture, 250);
        Expr x = bytes[below(fixture, 32)], y = bytes[below(fixture, 32)],
             sum = expr_add(pool, expr_zext(pool, x, 32), expr_zext(pool, y, 32));
        conditions[0] = expr_binary(pool, EXPR_ULT, constant(fixture, 8, low), x);
        conditions[1] = expr_binary(pool, EXPR_ULT, x, constant(fixture, 8, high));
        conditions[2] = expr_eq(pool, sum, constant(fixture, 32, other + 250));
        bool possible = false;
        for (uint64_t a = low + 1; a < high; a++) possible |= x == y ? 2 * a == other + 250 : a <= other + 250 && other + 250 - a < 256;
        assert_int_equal(ask(fixture, conditions, 3), possible ? SOLVE_SAT : SOLVE_UNSAT);
        if (possible) assert_true(holds(fixture, conditions, 3));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integer_circuits_agree_with_folding),
        cmocka_unit_test(float_circuits_agree_with_folding),
        cmocka_unit_test_setup_teardown(fixed_variables_decide_everything, set_up, tear_down),
        cmocka_unit_test_setup_teardown(small_formulas_agree_with_enumeration, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cores_leave_out_what_is_not_needed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_start_is_kept_where_nothing_speaks_against_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(real_functions_are_free, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_checksum_is_inverted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tables_are_bounded_by_what_the_index_can_be, set_up, tear_down),
        cmocka_unit_test_setup_teardown(effort_and_memory_are_bounded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(quotient_and_rest_belong_together, set_up, tear_down),
        cmocka_unit_test_setup_teardown(operands_determine_a_quotient, set_up, tear_down),
        cmocka_unit_test_setup_teardown(many_queries_share_one_solver, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
