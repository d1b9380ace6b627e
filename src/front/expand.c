/* Intrinsics that are spelled out in ordinary instructions.  Choices become SELECTs without a branch: the source has none here. */
#include "front/intrinsics.h"
#include "base/arith.h"

static const Shape *argument_shape(Lower *l, const IntrinsicCall *c, unsigned number)
{
    return front__shape(l->t, LLVMTypeOf(LLVMGetOperand(c->call, number)));
}

static Operand leaf(Lower *l, const IntrinsicCall *c, unsigned number, uint32_t i)
{
    return front__operand(l, LLVMGetOperand(c->call, number), argument_shape(l, c, number)->count > 1 ? i : 0);
}

static uint32_t width_of(const IntrinsicCall *c, uint32_t i)
{
    return c->shape->leaves[i].type.width;
}

static void define(Lower *l, const IntrinsicCall *c, uint32_t i, Operand value)
{
    front__finish(l, c->first + c->shape->leaves[i].reg, width_of(c, i), value);
}

static Operand integer(Lower *l, uint32_t width, U128 value)
{
    return front__const_int(l->t, width, value);
}

static U128 sign_bit(uint32_t width)
{
    return (U128)1 << (width - 1);
}

/* ---- integers ---- */

void front__expand_abs(Lower *l, const IntrinsicCall *c)
{
    for (uint32_t i = 0; i < c->shape->count; i++) {
        uint32_t width = width_of(c, i);
        Operand a = leaf(l, c, 0, i), zero = integer(l, width, 0);
        Instr *negation = front__emit(l, OP_SUB, width);
        Operand negated = front__new_register(l, width);
        negation->flags = LLVMConstIntGetZExtValue(LLVMGetOperand(c->call, 1)) ? FLAG_NSW : 0; /* the least integer has no absolute value */
        negation->a = zero;
        negation->b = a;
        negation->dst = negated;
        Operand negative = front__compare(l, OP_ICMP, PRED_SLT, width, a, zero);
        define(l, c, i, front__select(l, width, negative, negated, a));
    }
}

static Operand choice(Lower *l, uint32_t predicate, uint32_t width, Operand a, Operand b)
{
    Operand first = front__compare(l, OP_ICMP, predicate, width, a, b);
    return front__select(l, width, first, a, b);
}

void front__expand_choice(Lower *l, const IntrinsicCall *c)
{
    for (uint32_t i = 0; i < c->shape->count; i++) {
        Operand a = leaf(l, c, 0, i), b = leaf(l, c, 1, i);
        define(l, c, i, choice(l, (uint32_t)c->entry->number, width_of(c, i), a, b));
    }
}

static Operand saturated(Lower *l, Opcode op, uint32_t width, Operand a)
{
    if (op == OP_UADDO) return integer(l, width, ~(U128)0);
    if (op == OP_USUBO) return integer(l, width, 0);
    Operand negative = front__compare(l, OP_ICMP, PRED_SLT, width, a, integer(l, width, 0));
    return front__select(l, width, negative, integer(l, width, sign_bit(width)), integer(l, width, sign_bit(width) - 1));
}

void front__expand_saturation(Lower *l, const IntrinsicCall *c)
{
    Opcode op = (Opcode)c->entry->number;
    for (uint32_t i = 0; i < c->shape->count; i++) {
        uint32_t width = width_of(c, i), pair = front__new_registers(l, width > 64 ? 3 : 2);
        Operand a = leaf(l, c, 0, i), b = leaf(l, c, 1, i);
        Instr *instr = front__emit(l, op, width);
        instr->a = a;
        instr->b = b;
        instr->dst = pair;
        Operand limit = saturated(l, op, width, a);
        define(l, c, i, front__select(l, width, pair + (width > 64 ? 2 : 1), limit, pair));
    }
}

/* ---- reductions ---- */

void front__expand_reduction(Lower *l, const IntrinsicCall *c)
{
    Operand result = leaf(l, c, 0, 0);
    for (uint32_t i = 1; i < argument_shape(l, c, 0)->count; i++) {
        Operand next = leaf(l, c, 0, i);
        result = front__binary(l, (Opcode)c->entry->number, width_of(c, 0), result, next);
    }
    define(l, c, 0, result);
}

void front__expand_reduction_choice(Lower *l, const IntrinsicCall *c)
{
    Operand result = leaf(l, c, 0, 0);
    for (uint32_t i = 1; i < argument_shape(l, c, 0)->count; i++) {
        Operand next = leaf(l, c, 0, i);
        result = choice(l, (uint32_t)c->entry->number, width_of(c, 0), result, next);
    }
    define(l, c, 0, result);
}

void front__expand_float_reduction(Lower *l, const IntrinsicCall *c)
{
    Operand result = leaf(l, c, 0, 0);
    for (uint32_t i = 0; i < argument_shape(l, c, 1)->count; i++) {
        Operand next = leaf(l, c, 1, i);
        result = front__binary(l, (Opcode)c->entry->number, width_of(c, 0), result, next);
    }
    define(l, c, 0, result);
}

/* ---- floats ---- */

/* On x86-64 without FMA the compiler makes two operations of it. */
void front__expand_muladd(Lower *l, const IntrinsicCall *c)
{
    for (uint32_t i = 0; i < c->shape->count; i++) {
        Operand a = leaf(l, c, 0, i), b = leaf(l, c, 1, i), addend = leaf(l, c, 2, i);
        Operand product = front__binary(l, OP_FMUL, width_of(c, i), a, b);
        define(l, c, i, front__binary(l, OP_FADD, width_of(c, i), product, addend));
    }
}

void front__expand_copysign(Lower *l, const IntrinsicCall *c)
{
    for (uint32_t i = 0; i < c->shape->count; i++) {
        uint32_t width = width_of(c, i);
        Operand a = leaf(l, c, 0, i), b = leaf(l, c, 1, i);
        Operand magnitude = front__binary(l, OP_AND, width, a, integer(l, width, sign_bit(width) - 1));
        Operand sign = front__binary(l, OP_AND, width, b, integer(l, width, sign_bit(width)));
        define(l, c, i, front__binary(l, OP_OR, width, magnitude, sign));
    }
}

/* 2 to the power of n as a float; infinity where it is too large. */
static U128 power_of_two(uint32_t width, int n)
{
    if (width == 32) return arith_bits32(ldexpf(1, n));
    if (width == 64) return arith_bits64(ldexp(1, n));
    return arith_bits80(ldexpl(1, n));
}

/* Out of range gives the nearest limit, NaN gives 0.  The conversion itself only ever sees what fits. */
static Operand saturating_conversion(Lower *l, bool is_signed, uint32_t width, uint32_t from, Operand a)
{
    U128 low_limit = is_signed ? sign_bit(width) : 0, high_limit = arith_mask(width) >> (is_signed ? 1 : 0);
    Operand low = integer(l, from, is_signed ? power_of_two(from, (int)width - 1) | sign_bit(from) : 0);
    Operand high = integer(l, from, power_of_two(from, is_signed ? (int)width - 1 : (int)width)), zero = integer(l, from, 0);
    Operand too_low = front__compare(l, OP_FCMP, FPRED_LT | FPRED_EQ, from, a, low);
    Operand too_high = front__compare(l, OP_FCMP, FPRED_GT | FPRED_EQ, from, a, high);
    Operand is_nan = front__compare(l, OP_FCMP, FPRED_UNO, from, a, a);
    Operand outside = front__binary(l, OP_OR, 1, too_low, too_high);
    outside = front__binary(l, OP_OR, 1, outside, is_nan);
    Operand safe = front__select(l, from, outside, zero, a);
    Operand result = front__convert(l, is_signed ? OP_FTOSI : OP_FTOUI, width, from, safe);
    result = front__select(l, width, too_low, integer(l, width, low_limit), result);
    return front__select(l, width, too_high, integer(l, width, high_limit), result);
}

void front__expand_float_to_int(Lower *l, const IntrinsicCall *c)
{
    const Shape *from = argument_shape(l, c, 0);
    for (uint32_t i = 0; i < c->shape->count; i++) {
        Operand a = leaf(l, c, 0, i);
        define(l, c, i, saturating_conversion(l, c->entry->number == OP_FTOSI, width_of(c, i), from->leaves[i].type.width, a));
    }
}

/* libgcc's __powidf2, with its loop unrolled over the 32 bits of the exponent. */
static Operand integer_power(Lower *l, uint32_t width, Operand base, Operand exponent)
{
    Operand zero = integer(l, 32, 0), one = integer(l, width, power_of_two(width, 0)), result = one;
    Operand negative = front__compare(l, OP_ICMP, PRED_SLT, 32, exponent, zero);
    Operand negated = front__binary(l, OP_SUB, 32, zero, exponent);
    Operand n = front__select(l, 32, negative, negated, exponent);
    for (uint32_t bit = 0; bit < 32; bit++) {
        if (bit) base = front__binary(l, OP_FMUL, width, base, base);
        Operand shifted = bit ? front__binary(l, OP_LSHR, 32, n, integer(l, 32, bit)) : n;
        Operand odd = front__convert(l, OP_TRUNC, 1, 32, shifted);
        Operand product = bit ? front__binary(l, OP_FMUL, width, result, base) : base;
        result = front__select(l, width, odd, product, result);
    }
    Operand inverse = front__binary(l, OP_FDIV, width, one, result);
    return front__select(l, width, negative, inverse, result);
}

void front__expand_powi(Lower *l, const IntrinsicCall *c)
{
    uint32_t exponent_width = argument_shape(l, c, 1)->leaves[0].type.width;
    for (uint32_t i = 0; i < c->shape->count; i++) {
        Operand base = leaf(l, c, 0, i), exponent = leaf(l, c, 1, 0);
        exponent = front__resize(l, 32, exponent_width, exponent);
        define(l, c, i, integer_power(l, width_of(c, i), base, exponent));
    }
}

/* ---- classes of floats ---- */

enum {
    SIGNALING = 1,
    QUIET = 2,
    NEG_INF = 4,
    NEG_NORMAL = 8,
    NEG_SUBNORMAL = 16,
    NEG_ZERO = 32,
    POS_ZERO = 64,
    POS_SUBNORMAL = 128,
    POS_NORMAL = 256,
    POS_INF = 512
};

typedef struct Classes {
    Lower *l;
    uint32_t width;
    Operand magnitude, negative; /* bits without the sign; the sign */
    U128 infinity, quiet, smallest_normal;
    Operand result;
} Classes;

static Operand magnitude_is(Classes *k, Predicate predicate, U128 value)
{
    return front__compare(k->l, OP_ICMP, predicate, k->width, k->magnitude, front__const_int(k->l->t, k->width, value));
}

static Operand both(Classes *k, Operand a, Operand b)
{
    return front__binary(k->l, OP_AND, 1, a, b);
}

static Operand not(Classes * k, Operand a)
{
    return front__binary(k->l, OP_XOR, 1, a, front__const_int(k->l->t, 1, 1));
}

static void accept(Classes *k, Operand test)
{
    k->result = k->result == OPERAND_NONE ? test : front__binary(k->l, OP_OR, 1, k->result, test);
}

static void accept_signed(Classes *k, uint32_t mask, uint32_t positive, uint32_t negative, Operand test)
{
    if ((mask & positive) && (mask & negative)) {
        accept(k, test);
    } else if (mask & negative) {
        accept(k, both(k, test, k->negative));
    } else {
        Operand plus = not(k, k->negative);
        accept(k, both(k, test, plus));
    }
}

/* Long double has an explicit leading bit: numbers that lack it where it belongs are invalid, and are neither normal nor anything but
 * NaN. */
static Operand is_normal(Classes *k)
{
    Operand above = magnitude_is(k, PRED_UGE, k->smallest_normal), below = magnitude_is(k, PRED_ULT, k->infinity);
    Operand normal = both(k, above, below);
    if (k->width != 80) return normal;
    Operand top = front__binary(k->l, OP_LSHR, 80, k->magnitude, front__const_int(k->l->t, 80, 63));
    Operand leading = front__convert(k->l, OP_TRUNC, 1, 80, top);
    return both(k, normal, leading);
}

static Operand is_nan(Classes *k)
{
    if (k->width != 80) return magnitude_is(k, PRED_UGT, k->infinity);
    Operand infinite = magnitude_is(k, PRED_EQ, k->infinity), large = magnitude_is(k, PRED_UGE, k->smallest_normal);
    Operand number = front__binary(k->l, OP_OR, 1, infinite, is_normal(k));
    Operand invalid = not(k, number);
    return both(k, large, invalid);
}

static void accept_nans(Classes *k, uint32_t mask)
{
    Operand nan = is_nan(k);
    if ((mask & (SIGNALING | QUIET)) != (SIGNALING | QUIET)) {
        Operand bit = front__binary(k->l, OP_AND, k->width, k->magnitude, front__const_int(k->l->t, k->width, k->quiet));
        Operand zero = front__const_int(k->l->t, k->width, 0);
        Operand wanted = front__compare(k->l, OP_ICMP, mask & QUIET ? PRED_NE : PRED_EQ, k->width, bit, zero);
        nan = both(k, nan, wanted);
    }
    accept(k, nan);
}

static void set_limits(Classes *k)
{
    uint32_t fraction = k->width == 32 ? 23 : k->width == 64 ? 52 : 63;
    k->quiet = (U128)1 << (fraction - 1);
    if (k->width == 80) {
        k->infinity = ((U128)0x7fff << 64) | (U128)1 << 63;
        k->smallest_normal = (U128)1 << 64;
    } else {
        k->smallest_normal = (U128)1 << fraction;
        k->infinity = (sign_bit(k->width) - 1) >> fraction << fraction;
    }
}

static Operand classify(Lower *l, uint32_t width, Operand a, uint32_t mask)
{
    Classes k = {.l = l, .width = width, .result = OPERAND_NONE};
    set_limits(&k);
    k.magnitude = front__binary(l, OP_AND, width, a, integer(l, width, sign_bit(width) - 1));
    k.negative = front__compare(l, OP_ICMP, PRED_SLT, width, a, integer(l, width, 0));
    if (mask & (SIGNALING | QUIET)) accept_nans(&k, mask);
    if (mask & (POS_INF | NEG_INF)) accept_signed(&k, mask, POS_INF, NEG_INF, magnitude_is(&k, PRED_EQ, k.infinity));
    if (mask & (POS_ZERO | NEG_ZERO)) accept_signed(&k, mask, POS_ZERO, NEG_ZERO, magnitude_is(&k, PRED_EQ, 0));
    if (mask & (POS_NORMAL | NEG_NORMAL)) accept_signed(&k, mask, POS_NORMAL, NEG_NORMAL, is_normal(&k));
    if (mask & (POS_SUBNORMAL | NEG_SUBNORMAL)) {
        Operand nonzero = magnitude_is(&k, PRED_NE, 0), small = magnitude_is(&k, PRED_ULT, k.smallest_normal);
        accept_signed(&k, mask, POS_SUBNORMAL, NEG_SUBNORMAL, both(&k, nonzero, small));
    }
    return k.result == OPERAND_NONE ? integer(l, 1, 0) : k.result;
}

void front__expand_fpclass(Lower *l, const IntrinsicCall *c)
{
    const Shape *from = argument_shape(l, c, 0);
    uint32_t mask = (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(c->call, 1));
    for (uint32_t i = 0; i < c->shape->count; i++) {
        Operand a = leaf(l, c, 0, i);
        define(l, c, i, classify(l, from->leaves[i].type.width, a, mask));
    }
}
