/* Known bits and intervals of sums, products, quotients and shifts.
 *
 * Sums follow the carry: the largest and the smallest possible sum agree with the real one wherever both operands and the carry into the
 * position are known.  Intervals are exact as long as nothing wraps, or everything does. */
#include "expr/expr_int.h"

/* The sum of a, b and the carry.  In `most`, the sum of the largest values, a zero bit of an operand is one that is known to be zero. */
static void add_bits(unsigned width, const ExprKnown *a, U128 b_zeros, U128 b_ones, unsigned carry, ExprKnown *result)
{
    U128 mask = arith_mask(width);
    U128 most = (mask & ~a->zeros) + (mask & ~b_zeros) + carry, least = a->ones + b_ones + carry;
    U128 carry_zero = ~(most ^ a->zeros ^ b_zeros), carry_one = least ^ a->ones ^ b_ones;
    U128 known = (a->zeros | a->ones) & (b_zeros | b_ones) & (carry_zero | carry_one) & mask;
    result->zeros = ~most & known;
    result->ones = least & known;
}

static ExprKnown known_sum(unsigned width, const ExprKnown *a, const ExprKnown *b)
{
    U128 mask = arith_mask(width), low = a->low + b->low, high = a->high + b->high;
    ExprKnown known = known_nothing(width);
    add_bits(width, a, b->zeros, b->ones, 0, &known);
    bool low_wraps = b->low > mask - a->low, high_wraps = b->high > mask - a->high;
    if (low_wraps == high_wraps) {
        known.low = low & mask;
        known.high = high & mask;
    }
    return known;
}

static ExprKnown known_difference(unsigned width, const ExprKnown *a, const ExprKnown *b)
{
    U128 mask = arith_mask(width);
    ExprKnown known = known_nothing(width);
    add_bits(width, a, b->ones, b->zeros, 1, &known);
    bool low_wraps = a->low < b->high, high_wraps = a->high < b->low;
    if (low_wraps == high_wraps) {
        known.low = (a->low - b->high) & mask;
        known.high = (a->high - b->low) & mask;
    }
    return known;
}

static ExprKnown known_product(unsigned width, const ExprKnown *a, const ExprKnown *b)
{
    U128 mask = arith_mask(width), high;
    ExprKnown known = known_nothing(width);
    if (!__builtin_mul_overflow(a->high, b->high, &high) && high <= mask) {
        known.low = a->low * b->low;
        known.high = high;
    }
    unsigned a_known = trailing_zeros(mask & ~(a->zeros | a->ones), width), b_known = trailing_zeros(mask & ~(b->zeros | b->ones), width);
    U128 agreed = arith_mask(a_known < b_known ? a_known : b_known), low_bits = a->ones * b->ones;
    unsigned zeros = trailing_zeros(mask & ~a->zeros, width) + trailing_zeros(mask & ~b->zeros, width);
    known.ones = low_bits & agreed;
    known.zeros = (~low_bits & agreed) | arith_mask(zeros < width ? zeros : width);
    return known;
}

static ExprKnown known_quotient(unsigned width, const ExprKnown *a, const ExprKnown *b)
{
    ExprKnown known = known_nothing(width);
    if (!b->low) return known;
    known.low = a->low / b->high;
    known.high = a->high / b->low;
    return known;
}

/* The remainder never exceeds the dividend, by zero included. */
static ExprKnown known_remainder(unsigned width, const ExprKnown *a, const ExprKnown *b)
{
    if (a->high < b->low) return *a;
    ExprKnown known = known_nothing(width);
    known.high = a->high;
    if (b->low && b->high - 1 < known.high) known.high = b->high - 1;
    return known;
}

ExprKnown known_arith(ExprKind kind, unsigned width, const ExprKnown *a, const ExprKnown *b)
{
    bool a_positive = a->zeros & sign_bit(width), b_positive = b->zeros & sign_bit(width);
    switch (kind) {
    case EXPR_ADD: return known_sum(width, a, b);
    case EXPR_SUB: return known_difference(width, a, b);
    case EXPR_MUL: return known_product(width, a, b);
    case EXPR_UDIV: return known_quotient(width, a, b);
    case EXPR_UREM: return known_remainder(width, a, b);
    case EXPR_SDIV: return a_positive && b_positive ? known_quotient(width, a, b) : known_nothing(width);
    case EXPR_SREM: {
        ExprKnown any = known_nothing(width);
        return a_positive ? known_remainder(width, a, b_positive ? b : &any) : any;
    }
    default: return known_nothing(width);
    }
}

static U128 shifted_right(U128 value, U128 amount, unsigned width)
{
    return amount >= width ? 0 : value >> (unsigned)amount;
}

ExprKnown known_shift(ExprKind kind, unsigned width, const ExprKnown *a, const ExprKnown *b)
{
    ExprKnown known = known_nothing(width);
    U128 mask = arith_mask(width);
    if (kind == EXPR_SHL) {
        U128 zeros = trailing_zeros(mask & ~a->zeros, width) + (b->low < width ? b->low : width);
        known.zeros = arith_mask(zeros < width ? (unsigned)zeros : width);
        return known;
    }
    U128 sign = sign_bit(width);
    if (kind == EXPR_LSHR || (a->zeros & sign)) {
        known.low = shifted_right(a->low, b->high, width);
        known.high = shifted_right(a->high, b->low, width);
    } else if (a->ones & sign) {
        known.low = mask - shifted_right(mask - a->low, b->low, width);
        known.high = mask - shifted_right(mask - a->high, b->high, width);
    }
    return known;
}
