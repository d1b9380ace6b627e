/* Random expressions, built twice: through expr's simplifying constructors, and as a plain list of operations evaluated by the
 * straightforward code below, which shares nothing with expr's folding.  Both must agree under random models; what
 * expr_known claims must hold for the value found; and a value taken apart into bytes and put together again must be the same expression.
 *
 *   expr_rewrite [--seed N] [--count N]     N rounds; round i uses seed + i, so that a failure is repeated by its own seed and --count 1
 *
 * A NaN made by arithmetic may have any sign and payload, so any NaN equals any; what is computed from its bits is not compared. */
#include "base/arith.h"
#include "expr/expr.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ITEMS = 72, LIST = 6, MODELS = 4 };

typedef enum Precision { EXACT, ANY_NAN, UNSPECIFIED } Precision;

typedef struct Item {
    ExprKind kind;
    unsigned width, low, count;
    int operands[LIST];
    U128 constant;
    const ExprFunction *function;
    Expr expr;
    U128 value;
    Precision precision;
} Item;

typedef struct Round {
    Random random;
    uint64_t seed;
    ExprPool *pool;
    Item items[ITEMS];
    int count;
    uint64_t passed, failed;
} Round;

/* ---- the independent evaluator ---- */

static U128 mask_of(unsigned width)
{
    U128 mask = 0;
    for (unsigned i = 0; i < width; i++) mask = mask << 1 | 1;
    return mask;
}

static bool bit(U128 value, unsigned i)
{
    return value >> i & 1;
}

static U128 negated(U128 value, unsigned width)
{
    return (~value + 1) & mask_of(width);
}

static U128 magnitude(U128 value, unsigned width)
{
    return bit(value, width - 1) ? negated(value, width) : value;
}

static bool signed_less(U128 a, U128 b, unsigned width)
{
    bool minus_a = bit(a, width - 1), minus_b = bit(b, width - 1);
    return minus_a != minus_b ? minus_a : a < b;
}

static U128 signed_divide(U128 a, U128 b, unsigned width)
{
    bool minus_a = bit(a, width - 1), minus_b = bit(b, width - 1);
    if (!b) return minus_a ? 1 : mask_of(width);
    U128 quotient = magnitude(a, width) / magnitude(b, width);
    return minus_a == minus_b ? quotient : negated(quotient, width);
}

static U128 signed_remainder(U128 a, U128 b, unsigned width)
{
    if (!b) return a;
    U128 rest = magnitude(a, width) % magnitude(b, width);
    return bit(a, width - 1) ? negated(rest, width) : rest;
}

static U128 shift_bits(ExprKind kind, U128 a, U128 b, unsigned width)
{
    U128 result = 0;
    for (unsigned i = 0; i < width; i++) {
        bool set;
        if (kind == EXPR_SHL) set = b <= i && bit(a, i - (unsigned)b);
        else if (b < width - i) set = bit(a, i + (unsigned)b);
        else set = kind == EXPR_ASHR && bit(a, width - 1);
        if (set) result |= (U128)1 << i;
    }
    return result;
}

static U128 count_bits(ExprKind kind, U128 a, unsigned width)
{
    unsigned n = 0;
    if (kind == EXPR_CTPOP)
        for (unsigned i = 0; i < width; i++) n += bit(a, i);
    else if (kind == EXPR_CTLZ)
        while (n < width && !bit(a, width - 1 - n)) n++;
    else
        while (n < width && !bit(a, n)) n++;
    return n;
}

static bool is_nan(U128 bits, unsigned width)
{
    if (width == 32) return (bits & 0x7fffffff) > 0x7f800000;
    if (width == 64) return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
    long double value = arith_f80(bits);
    return value != value;
}

#define FLOAT_OPERATION(a, b, root, rem) \
    (kind == EXPR_FADD ? (a) + (b) : kind == EXPR_FSUB ? (a) - (b) : kind == EXPR_FMUL ? (a) * (b) : kind == EXPR_FDIV ? (a) / (b) \
     : kind == EXPR_FREM ? rem((a), (b)) : root(a))

static U128 float_operation(ExprKind kind, U128 a, U128 b, unsigned width)
{
    if (width == 32) {
        float x = arith_f32((uint64_t)a), y = arith_f32((uint64_t)b);
        return arith_bits32(FLOAT_OPERATION(x, y, sqrtf, fmodf));
    }
    if (width == 64) {
        double x = arith_f64((uint64_t)a), y = arith_f64((uint64_t)b);
        return arith_bits64(FLOAT_OPERATION(x, y, sqrt, fmod));
    }
    long double x = arith_f80(a), y = arith_f80(b);
    return arith_bits80(FLOAT_OPERATION(x, y, sqrtl, fmodl));
}

static bool float_less(U128 a, U128 b, unsigned width, bool or_equal, bool only_equal)
{
    if (is_nan(a, width) || is_nan(b, width)) return false;
    if (width == 32) {
        float x = arith_f32((uint64_t)a), y = arith_f32((uint64_t)b);
        return only_equal ? x == y : x < y || (or_equal && x == y);
    }
    if (width == 64) {
        double x = arith_f64((uint64_t)a), y = arith_f64((uint64_t)b);
        return only_equal ? x == y : x < y || (or_equal && x == y);
    }
    long double x = arith_f80(a), y = arith_f80(b);
    return only_equal ? x == y : x < y || (or_equal && x == y);
}

static long double as_long_double(U128 bits, unsigned width)
{
    return width == 32 ? (long double)arith_f32((uint64_t)bits) : width == 64 ? (long double)arith_f64((uint64_t)bits) : arith_f80(bits);
}

static U128 convert(ExprKind kind, U128 a, unsigned from, unsigned width)
{
    if (kind == EXPR_FTOSI) return arith_fp_to_signed(as_long_double(a, from), width);
    if (kind == EXPR_FTOUI) return arith_fp_to_unsigned(as_long_double(a, from), width);
    if (kind == EXPR_FCONVERT) {
        if (width == from) return a;
        if (width == 80) return arith_bits80(as_long_double(a, from));
        if (width == 64) return from == 32 ? arith_bits64(arith_f32((uint64_t)a)) : arith_bits64((double)arith_f80(a));
        return from == 64 ? arith_bits32((float)arith_f64((uint64_t)a)) : arith_bits32((float)arith_f80(a));
    }
    bool minus = kind == EXPR_SITOF && bit(a, from - 1);
    U128 size = minus ? negated(a, from) : a;
    if (width == 32) return arith_bits32(minus ? -(float)size : (float)size);
    if (width == 64) return arith_bits64(minus ? -(double)size : (double)size);
    return arith_bits80(minus ? -(long double)size : (long double)size);
}

static bool is_float_arithmetic(ExprKind kind)
{
    return kind >= EXPR_FADD && kind <= EXPR_FSQRT;
}

static bool is_float_comparison(ExprKind kind)
{
    return kind >= EXPR_FEQ && kind <= EXPR_FUNO;
}

static bool reads_floats(ExprKind kind)
{
    return is_float_arithmetic(kind) || is_float_comparison(kind) || kind == EXPR_FCONVERT || kind == EXPR_FTOSI || kind == EXPR_FTOUI;
}

static U128 operate(const Item *item, unsigned from, U128 a, U128 b, unsigned b_width)
{
    ExprKind kind = item->kind;
    unsigned width = item->width;
    switch (kind) {
    case EXPR_ADD: return a + b;
    case EXPR_SUB: return a + ~b + 1;
    case EXPR_MUL: return a * b;
    case EXPR_UDIV: return b ? a / b : mask_of(width);
    case EXPR_UREM: return b ? a % b : a;
    case EXPR_SDIV: return signed_divide(a, b, width);
    case EXPR_SREM: return signed_remainder(a, b, width);
    case EXPR_SHL: case EXPR_LSHR: case EXPR_ASHR: return shift_bits(kind, a, b, width);
    case EXPR_AND: return a & b;
    case EXPR_OR: return a | b;
    case EXPR_XOR: return a ^ b;
    case EXPR_NOT: return ~a;
    case EXPR_EQ: return a == b;
    case EXPR_ULT: return a < b;
    case EXPR_ULE: return !(b < a);
    case EXPR_SLT: return signed_less(a, b, from);
    case EXPR_SLE: return !signed_less(b, a, from);
    case EXPR_CONCAT: return a << b_width | b;
    case EXPR_EXTRACT: return a >> item->low;
    case EXPR_ZEXT: return a;
    case EXPR_SEXT: return bit(a, from - 1) ? a | ~mask_of(from) : a;
    case EXPR_CTPOP: case EXPR_CTLZ: case EXPR_CTTZ: return count_bits(kind, a, width);
    case EXPR_FEQ: return float_less(a, b, from, false, true);
    case EXPR_FLT: return float_less(a, b, from, false, false);
    case EXPR_FLE: return float_less(a, b, from, true, false);
    case EXPR_FUNO: return is_nan(a, from) || is_nan(b, from);
    case EXPR_FCONVERT: case EXPR_FTOSI: case EXPR_FTOUI: case EXPR_SITOF: case EXPR_UITOF: return convert(kind, a, from, width);
    default: return float_operation(kind, a, b, width);
    }
}

static void choose(Item *item, const Item *from)
{
    item->value = from->value;
    item->precision = from->precision;
}

static void evaluate_select(Round *round, Item *item)
{
    const Item *array = &round->items[item->operands[0]], *index = &round->items[item->operands[1]];
    item->value = 0;
    item->precision = index->precision ? UNSPECIFIED : EXACT;
    for (const Item *walk = array; walk->kind == EXPR_STORE; walk = &round->items[walk->operands[0]])
        if (round->items[walk->operands[1]].precision) item->precision = UNSPECIFIED;
    if (item->precision) return;
    const Item *base = array;
    while (base->kind == EXPR_STORE) base = &round->items[base->operands[0]];
    if (index->value >= base->count) return;
    for (; array->kind == EXPR_STORE; array = &round->items[array->operands[0]])
        if (round->items[array->operands[1]].value == index->value) {
            choose(item, &round->items[array->operands[2]]);
            return;
        }
    choose(item, &round->items[base->operands[(unsigned)index->value]]);
}

static void evaluate(Round *round, Item *item)
{
    const Item *a = &round->items[item->operands[0]], *b = &round->items[item->operands[1]], *c = &round->items[item->operands[2]];
    bool unspecified = false;
    U128 arguments[LIST];
    switch (item->kind) {
    case EXPR_CONST: item->value = item->constant; return;
    case EXPR_UNDEF: item->value = 0; return;
    case EXPR_VAR: case EXPR_ARRAY: case EXPR_STORE: return;
    case EXPR_SELECT: evaluate_select(round, item); return;
    case EXPR_ITE:
        choose(item, a->value ? b : c);
        if (a->precision) item->precision = UNSPECIFIED;
        return;
    case EXPR_APPLY:
        for (unsigned i = 0; i < item->count; i++) {
            arguments[i] = round->items[item->operands[i]].value;
            unspecified |= round->items[item->operands[i]].precision != EXACT;
        }
        item->value = item->function->call(item->function->data, arguments, item->count) & mask_of(item->width);
        item->precision = unspecified ? UNSPECIFIED : EXACT;
        return;
    default: break;
    }
    if (item->count < 2) b = a;
    item->value = operate(item, a->width, a->value, b->value, b->width) & mask_of(item->width);
    item->precision = EXACT;
    if (is_float_arithmetic(item->kind) || item->kind == EXPR_FCONVERT)
        if (is_nan(item->value, item->width)) item->precision = ANY_NAN;
    Precision worst = a->precision > b->precision ? a->precision : b->precision;
    if (worst == UNSPECIFIED || (worst == ANY_NAN && !reads_floats(item->kind))) item->precision = UNSPECIFIED;
}

/* ---- random expressions ---- */

static uint64_t below(Round *round, uint64_t n)
{
    return random_below(&round->random, n);
}

static unsigned random_width(Round *round)
{
    static const unsigned usual[] = {1, 1, 8, 8, 8, 16, 32, 32, 32, 64, 64, 64, 80, 128};
    return below(round, 4) ? usual[below(round, COUNT_OF(usual))] : 1 + (unsigned)below(round, 128);
}

static U128 random_float(Round *round, unsigned width)
{
    static const double values[] = {0.0,  -0.0,   1.0,   -1.0,  0.5,   2.0,    3.25,         1e10,
                                    -1e10, 1e-310, 1e300, 255.0, 256.0, -128.5, 4294967296.0, 9.3e18};
    double value = values[below(round, COUNT_OF(values))];
    if (!below(round, 8)) value = below(round, 2) ? INFINITY : NAN;
    if (!below(round, 4)) value = (double)(int64_t)random_next(&round->random) / 65536.0;
    return width == 32 ? arith_bits32((float)value) : width == 64 ? arith_bits64(value) : arith_bits80((long double)value);
}

static U128 random_value(Round *round, unsigned width)
{
    U128 mask = mask_of(width), one = 1;
    if ((width == 32 || width == 64 || width == 80) && !below(round, 3)) return random_float(round, width);
    switch (below(round, 10)) {
    case 0: return 0;
    case 1: return mask;
    case 2: return one << (width - 1);
    case 3: return mask >> 1;
    case 4: return one << below(round, width);
    case 5: return mask_of(1 + (unsigned)below(round, width));
    case 6: return ((mask_of(1 + (unsigned)below(round, width)) << below(round, width)) ^ (below(round, 2) ? mask : 0)) & mask;
    case 7: return below(round, 2) ? below(round, 10) & mask : -(U128)below(round, 10) & mask;
    case 8: return (U128)0x00ff00fff0f05501u * (1 + one * below(round, 3) * ((U128)1 << 64)) & mask;
    default: return ((U128)random_next(&round->random) << 64 | random_next(&round->random)) & mask;
    }
}

static int add_item(Round *round, Item item)
{
    assert(round->count < ITEMS);
    round->items[round->count] = item;
    return round->count++;
}

static int add_const(Round *round, unsigned width)
{
    U128 value = random_value(round, width);
    return add_item(round, (Item){.kind = EXPR_CONST, .width = width, .constant = value, .expr = expr_const(round->pool, width, value)});
}

static bool is_array(const Item *item)
{
    return item->kind == EXPR_ARRAY || item->kind == EXPR_STORE;
}

/* Some earlier value, recent ones more often. */
static int any_value(Round *round)
{
    for (;;) {
        int i = (int)below(round, (uint64_t)round->count);
        int j = (int)below(round, (uint64_t)round->count);
        i = i > j ? i : j;
        if (!is_array(&round->items[i])) return i;
    }
}

static int any_of_width(Round *round, unsigned width)
{
    if (below(round, 3)) {
        for (int tries = 0; tries < 40; tries++) {
            int i = any_value(round);
            if (round->items[i].width == width) return i;
        }
    }
    for (int i = round->count; i-- > 0;)
        if (!is_array(&round->items[i]) && round->items[i].width == width && below(round, 3) == 0) return i;
    return add_const(round, width);
}

static Expr expr_at(Round *round, int i)
{
    return round->items[i].expr;
}

static U128 call_mix(void *data, const U128 *arguments, uint32_t count)
{
    U128 result = *(const uint64_t *)data;
    for (uint32_t i = 0; i < count; i++) result = (result ^ arguments[i]) * 0x9e3779b97f4a7c15u;
    return result;
}

static uint64_t function_seeds[2] = {3, 77};
static const ExprFunction functions[2] = {{"mix3", call_mix, &function_seeds[0]}, {"mix77", call_mix, &function_seeds[1]}};

static void make_binary(Round *round, ExprKind kind, unsigned width, int a, int b)
{
    Expr expr = expr_binary(round->pool, kind, expr_at(round, a), expr_at(round, b));
    add_item(round, (Item){.kind = kind, .width = width, .count = 2, .operands = {a, b}, .expr = expr});
}

static void make_integer(Round *round)
{
    static const ExprKind kinds[] = {EXPR_ADD, EXPR_ADD, EXPR_SUB, EXPR_SUB, EXPR_MUL, EXPR_UDIV, EXPR_SDIV, EXPR_UREM, EXPR_SREM, EXPR_SHL,
                                     EXPR_LSHR, EXPR_ASHR, EXPR_AND, EXPR_AND, EXPR_OR, EXPR_OR, EXPR_XOR};
    int a = any_value(round), b = any_of_width(round, round->items[a].width);
    ExprKind kind = kinds[below(round, COUNT_OF(kinds))];
    if ((kind == EXPR_SHL || kind == EXPR_LSHR || kind == EXPR_ASHR) && below(round, 3)) {
        unsigned width = round->items[a].width;
        U128 amount = below(round, width + 1) & mask_of(width);
        b = add_item(round, (Item){.kind = EXPR_CONST, .width = width, .constant = amount, .expr = expr_const(round->pool, width, amount)});
    }
    if (!below(round, 8)) b = a;
    if (below(round, 2)) make_binary(round, kind, round->items[a].width, a, b);
    else make_binary(round, kind, round->items[a].width, b, a);
}

static void make_comparison(Round *round)
{
    int a = any_value(round), b = any_of_width(round, round->items[a].width);
    ExprKind kind = EXPR_EQ + (ExprKind)below(round, 5);
    if (below(round, 2)) make_binary(round, kind, 1, a, b);
    else make_binary(round, kind, 1, b, a);
}

static void make_unary(Round *round)
{
    static const ExprKind kinds[] = {EXPR_NOT, EXPR_NOT, EXPR_NOT, EXPR_CTPOP, EXPR_CTLZ, EXPR_CTTZ};
    int a = any_value(round);
    ExprKind kind = kinds[below(round, COUNT_OF(kinds))];
    Expr expr = expr_unary(round->pool, kind, expr_at(round, a));
    add_item(round, (Item){.kind = kind, .width = round->items[a].width, .count = 1, .operands = {a}, .expr = expr});
}

static void make_extension(Round *round)
{
    int a = any_value(round);
    unsigned from = round->items[a].width, width = random_width(round);
    if (width < from) {
        unsigned low = below(round, 3) ? (unsigned)below(round, (from - width) / 8 + 1) * 8 : (unsigned)below(round, from - width + 1);
        Expr expr = expr_extract(round->pool, expr_at(round, a), low, width);
        add_item(round, (Item){.kind = EXPR_EXTRACT, .width = width, .low = low, .count = 1, .operands = {a}, .expr = expr});
        return;
    }
    bool is_signed = below(round, 2);
    Expr expr = is_signed ? expr_sext(round->pool, expr_at(round, a), width) : expr_zext(round->pool, expr_at(round, a), width);
    add_item(round, (Item){.kind = is_signed ? EXPR_SEXT : EXPR_ZEXT, .width = width, .count = 1, .operands = {a}, .expr = expr});
}

static void make_concat(Round *round)
{
    int a = any_value(round), b = any_value(round);
    unsigned width = round->items[a].width + round->items[b].width;
    if (width <= 128) make_binary(round, EXPR_CONCAT, width, a, b);
}

/* Two neighbouring extractions of one value, put together. */
static void make_neighbours(Round *round)
{
    int a = any_value(round);
    unsigned width = round->items[a].width;
    if (width < 2) return;
    unsigned low = (unsigned)below(round, width - 1), end = low + 2 + (unsigned)below(round, width - low - 1);
    unsigned middle = low + 1 + (unsigned)below(round, end - low - 1);
    Expr upper = expr_extract(round->pool, expr_at(round, a), middle, end - middle);
    Expr lower = expr_extract(round->pool, expr_at(round, a), low, middle - low);
    int x = add_item(round, (Item){.kind = EXPR_EXTRACT, .width = end - middle, .low = middle, .count = 1, .operands = {a}, .expr = upper});
    int y = add_item(round, (Item){.kind = EXPR_EXTRACT, .width = middle - low, .low = low, .count = 1, .operands = {a}, .expr = lower});
    make_binary(round, EXPR_CONCAT, end - low, x, y);
}

static void make_choice(Round *round)
{
    int condition = any_of_width(round, 1), a = any_value(round), b = any_of_width(round, round->items[a].width);
    if (!below(round, 3)) {
        a = add_const(round, round->items[a].width);
        if (below(round, 2)) b = add_const(round, round->items[a].width);
    }
    Expr expr = expr_ite(round->pool, expr_at(round, condition), expr_at(round, a), expr_at(round, b));
    unsigned width = round->items[a].width;
    add_item(round, (Item){.kind = EXPR_ITE, .width = width, .count = 3, .operands = {condition, a, b}, .expr = expr});
}

static unsigned float_width(Round *round)
{
    static const unsigned widths[] = {32, 64, 32, 64, 80};
    return widths[below(round, COUNT_OF(widths))];
}

static void make_float(Round *round)
{
    unsigned width = float_width(round);
    int a = any_of_width(round, width), b = below(round, 8) ? any_of_width(round, width) : a;
    ExprKind kind = EXPR_FADD + (ExprKind)below(round, EXPR_FUNO - EXPR_FADD + 1);
    if (kind != EXPR_FSQRT) {
        make_binary(round, kind, is_float_comparison(kind) ? 1 : width, a, b);
        return;
    }
    Expr expr = expr_unary(round->pool, kind, expr_at(round, a));
    add_item(round, (Item){.kind = kind, .width = width, .count = 1, .operands = {a}, .expr = expr});
}

static void make_conversion(Round *round)
{
    ExprKind kind = EXPR_FCONVERT + (ExprKind)below(round, 5);
    bool from_float = kind <= EXPR_FTOUI, to_float = kind == EXPR_FCONVERT || kind >= EXPR_SITOF;
    int a = from_float ? any_of_width(round, float_width(round)) : any_value(round);
    unsigned width = to_float ? float_width(round) : random_width(round);
    if (kind == EXPR_FCONVERT && width == round->items[a].width) return;
    Expr expr = expr_convert(round->pool, kind, expr_at(round, a), width);
    add_item(round, (Item){.kind = kind, .width = width, .count = 1, .operands = {a}, .expr = expr});
}

static int make_index(Round *round)
{
    if (below(round, 3)) return any_of_width(round, 64);
    U128 value = below(round, LIST + 1);
    return add_item(round, (Item){.kind = EXPR_CONST, .width = 64, .constant = value, .expr = expr_const(round->pool, 64, value)});
}

static int find_array(Round *round)
{
    for (int i = round->count; i-- > 0;)
        if (is_array(&round->items[i]) && below(round, 2)) return i;
    return -1;
}

static void make_array(Round *round)
{
    int array = find_array(round);
    if (array < 0 || !below(round, 4)) {
        Item item = {.kind = EXPR_ARRAY, .width = random_width(round), .count = 1 + (unsigned)below(round, LIST)};
        Expr list[LIST];
        for (unsigned i = 0; i < item.count; i++) {
            item.operands[i] = i && !below(round, 3) ? item.operands[0] : any_of_width(round, item.width);
            list[i] = expr_at(round, item.operands[i]);
        }
        item.expr = expr_array(round->pool, item.width, list, item.count);
        array = add_item(round, item);
    }
    unsigned width = round->items[array].width;
    if (below(round, 2)) {
        int index = make_index(round), element = any_of_width(round, width);
        Expr expr = expr_store(round->pool, expr_at(round, array), expr_at(round, index), expr_at(round, element));
        array = add_item(round, (Item){.kind = EXPR_STORE, .width = width, .count = 3, .operands = {array, index, element}, .expr = expr});
    }
    int index = make_index(round);
    Expr expr = expr_select(round->pool, expr_at(round, array), expr_at(round, index));
    add_item(round, (Item){.kind = EXPR_SELECT, .width = width, .count = 2, .operands = {array, index}, .expr = expr});
}

static void make_application(Round *round)
{
    Item item = {.kind = EXPR_APPLY, .width = random_width(round), .count = 1 + (unsigned)below(round, 3)};
    Expr list[LIST];
    item.function = &functions[below(round, 2)];
    for (unsigned i = 0; i < item.count; i++) {
        item.operands[i] = any_value(round);
        list[i] = expr_at(round, item.operands[i]);
    }
    item.expr = expr_apply(round->pool, item.function, item.width, list, item.count);
    add_item(round, item);
}

static void make_any(Round *round)
{
    static void (*const makers[])(Round *) = {
        make_integer, make_integer,    make_integer, make_integer, make_comparison, make_comparison, make_unary,
        make_extension, make_extension, make_concat, make_concat,  make_neighbours, make_choice,     make_choice,
        make_float,   make_conversion, make_array,   make_application};
    uint64_t which = below(round, COUNT_OF(makers) + 8);
    makers[which < COUNT_OF(makers) ? which : below(round, 13)](round);
}

/* ---- comparison ---- */

static void print_value(U128 value)
{
    printf("0x%llx%016llx", (unsigned long long)(value >> 64), (unsigned long long)value);
}

/* The plain operations that item i depends on, in order. */
static void print_items(Round *round, int last)
{
    bool used[ITEMS] = {0};
    used[last] = true;
    for (int i = last; i >= 0; i--)
        for (unsigned j = 0; used[i] && j < round->items[i].count; j++) used[round->items[i].operands[j]] = true;
    for (int i = 0; i <= last; i++) {
        const Item *item = &round->items[i];
        if (!used[i]) continue;
        printf("  %%%d:%u = %s", i, item->width, expr_kind_name(item->kind));
        if (item->kind == EXPR_EXTRACT) printf(" low %u", item->low);
        for (unsigned j = 0; j < item->count; j++) printf(" %%%d", item->operands[j]);
        printf("  -> ");
        print_value(item->value);
        StrBuf text = {0};
        expr_print(round->pool, item->expr, &text);
        printf("   %.300s\n", text.text);
        strbuf_release(&text);
    }
}

static void report(Round *round, int i, const char *what, U128 value)
{
    printf("FAILED: %s, seed %llu, item %%%d, got ", what, (unsigned long long)round->seed, i);
    print_value(value);
    printf("\n");
    print_items(round, i);
    round->failed++;
}

static bool known_holds(ExprKnown known, U128 value, unsigned width)
{
    if ((known.zeros & known.ones) || ((known.zeros | known.ones) & ~mask_of(width))) return false;
    return !(known.zeros & value) && (known.ones & value) == known.ones && known.low <= value && value <= known.high;
}

static void compare_item(Round *round, ExprModel *model, int i)
{
    Item *item = &round->items[i];
    U128 value = expr_eval(model, item->expr);
    if (expr_width(round->pool, item->expr) != item->width || (value & ~mask_of(item->width))) {
        report(round, i, "wrong width", value);
        return;
    }
    if (!known_holds(expr_known(round->pool, item->expr), value, item->width)) {
        report(round, i, "known bits or interval exclude the value", value);
        return;
    }
    bool agree = item->precision == UNSPECIFIED || value == item->value || (item->precision == ANY_NAN && is_nan(value, item->width));
    if (agree) round->passed++;
    else report(round, i, "value differs", value);
}

static void compare_all(Round *round, ExprModel *model)
{
    for (int i = 0; i < round->count; i++) {
        Item *item = &round->items[i];
        item->precision = EXACT;
        if (item->kind == EXPR_VAR) {
            if (below(round, 3) == 0) expr_model_set(model, item->expr, random_value(round, item->width));
            item->value = expr_model_get(model, item->expr);
        }
    }
    for (int i = 0; i < round->count && !round->failed; i++) {
        evaluate(round, &round->items[i]);
        if (!is_array(&round->items[i])) compare_item(round, model, i);
    }
}

static Expr byte_at(Round *round, Expr e, unsigned i)
{
    return expr_extract(round->pool, e, i * 8, 8);
}

/* Bytes [low, high) put together with a random nesting. */
static Expr reassemble(Round *round, Expr e, unsigned low, unsigned high)
{
    if (high - low == 1) return byte_at(round, e, low);
    unsigned middle = low + 1 + (unsigned)below(round, high - low - 1);
    Expr upper = reassemble(round, e, middle, high), lower = reassemble(round, e, low, middle);
    return expr_binary(round->pool, EXPR_CONCAT, upper, lower);
}

/* Of several values side by side, a known bit of one, or a bit of the same name, may pass for a bit of its neighbour: then another
 * expression for the same value is right too. */
static bool has_one_form(Round *round, Expr e)
{
    enum { PIECES = 128 };
    Expr bases[PIECES];
    unsigned count = 0;
    bool plain = true;
    for (Expr rest = e; rest;) {
        ExprKind kind = expr_kind(round->pool, rest);
        if (kind == EXPR_SEXT) plain = false;
        if (kind == EXPR_ZEXT || kind == EXPR_SEXT) {
            rest = expr_operand(round->pool, rest, 0);
            continue;
        }
        Expr piece = kind == EXPR_CONCAT ? expr_operand(round->pool, rest, 0) : rest;
        rest = kind == EXPR_CONCAT ? expr_operand(round->pool, rest, 1) : 0;
        if (expr_is_const(round->pool, piece)) continue;
        if (expr_kind(round->pool, piece) == EXPR_EXTRACT) piece = expr_operand(round->pool, piece, 0);
        ExprKnown known = expr_known(round->pool, piece);
        if ((known.zeros | known.ones) || expr_width(round->pool, piece) == 1 || expr_kind(round->pool, piece) == EXPR_SEXT) plain = false;
        for (unsigned i = 0; i < count; i++) plain &= bases[i] != piece;
        bases[count++] = piece;
    }
    return count < 2 || plain;
}

static void compare_bytes(Round *round, ExprModel *model, int i)
{
    Expr e = round->items[i].expr;
    unsigned bytes = expr_width(round->pool, e) / 8;
    Expr left = byte_at(round, e, bytes - 1), right = byte_at(round, e, 0);
    for (unsigned at = bytes - 1; at-- > 0;) left = expr_binary(round->pool, EXPR_CONCAT, left, byte_at(round, e, at));
    for (unsigned at = 1; at < bytes; at++) right = expr_binary(round->pool, EXPR_CONCAT, byte_at(round, e, at), right);
    Expr random = reassemble(round, e, 0, bytes);
    Expr other = left != e ? left : right != e ? right : random;
    if (other == e || (!has_one_form(round, e) && expr_eval(model, other) == expr_eval(model, e))) {
        round->passed++;
        return;
    }
    StrBuf text = {0};
    expr_print(round->pool, other, &text);
    printf("reassembled: %.600s\n", text.text);
    strbuf_release(&text);
    report(round, i, left != e ? "bytes from the left" : right != e ? "bytes from the right" : "bytes in random nesting", 0);
}

/* ---- a round ---- */

static void start(Round *round)
{
    unsigned vars = 2 + (unsigned)below(round, 4);
    for (unsigned i = 0; i < vars; i++) {
        char name[16];
        snprintf(name, sizeof name, "v%u", i);
        unsigned width = random_width(round);
        add_item(round, (Item){.kind = EXPR_VAR, .width = width, .expr = expr_var(round->pool, width, name)});
    }
    unsigned width = random_width(round);
    if (!below(round, 3)) add_item(round, (Item){.kind = EXPR_UNDEF, .width = width, .expr = expr_undef(round->pool, width)});
}

static void grow(Round *round, int limit)
{
    while (round->count + LIST + 4 < limit) make_any(round);
}

static void run_round(Round *round, uint64_t seed)
{
    round->seed = seed;
    random_seed(&round->random, seed);
    round->pool = expr_pool_new();
    round->count = 0;
    start(round);
    ExprModel *model = expr_model_new(round->pool);
    int limit = 20 + (int)below(round, ITEMS - 19), half = limit / 2;
    grow(round, half);
    int kept = round->count;
    uint32_t mark = expr_pool_count(round->pool);
    for (int part = 0; part < 2 && !round->failed; part++) {
        grow(round, limit);
        for (int i = 0; i < MODELS / 2 && !round->failed; i++) compare_all(round, model);
        for (int i = 0; i < round->count && !round->failed; i++) {
            const Item *item = &round->items[i];
            if (!is_array(item) && item->width >= 16 && item->width % 8 == 0) compare_bytes(round, model, i);
        }
        expr_check(round->pool);
        if (part) break;
        expr_pool_rewind(round->pool, mark); /* ids are used again: nothing kept may be stale */
        round->count = kept;
    }
    expr_model_free(model);
    expr_pool_free(round->pool);
}

int main(int argc, char **argv)
{
    uint64_t seed = 1, count = 2000;
    for (int i = 1; i < argc; i += 2) {
        bool is_seed = !strcmp(argv[i], "--seed");
        if (i + 1 == argc || (!is_seed && strcmp(argv[i], "--count"))) {
            fprintf(stderr, "usage: expr_rewrite [--seed N] [--count N]\n");
            return 2;
        }
        *(is_seed ? &seed : &count) = strtoull(argv[i + 1], NULL, 0);
    }
    static Round round;
    uint64_t failed = 0;
    for (uint64_t i = 0; i < count && failed < 5; i++) {
        round.failed = 0;
        run_round(&round, seed + i);
        failed += round.failed;
    }
    printf("%llu passed, %llu failed\n", (unsigned long long)round.passed, (unsigned long long)failed);
    return failed ? 1 : 0;
}
