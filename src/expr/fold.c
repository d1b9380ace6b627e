/* The meaning of the operators on values: constant folding and evaluation both come here, so that they cannot differ.
 *
 * Values are cut to their width on the way in and out.  Integer corner cases are those of SMT-LIB, floats are the host's. */
#include "expr/expr_int.h"

#include <math.h>

/* SMT-LIB's bvsdiv: by zero gives 1 for negative dividends, all ones for the others; MIN / -1 wraps. */
static U128 divide_signed(unsigned width, U128 a, U128 b)
{
    bool minus_a = a >> (width - 1) & 1, minus_b = b >> (width - 1) & 1;
    if (!b) return minus_a ? 1 : arith_mask(width);
    U128 x = minus_a ? -a & arith_mask(width) : a, y = minus_b ? -b & arith_mask(width) : b;
    return minus_a != minus_b ? -(x / y) : x / y;
}

static U128 remainder_signed(unsigned width, U128 a, U128 b)
{
    bool minus_a = a >> (width - 1) & 1, minus_b = b >> (width - 1) & 1;
    if (!b) return a;
    U128 x = minus_a ? -a & arith_mask(width) : a, y = minus_b ? -b & arith_mask(width) : b;
    return minus_a ? -(x % y) : x % y;
}

static U128 shift(ExprKind kind, unsigned width, U128 a, U128 b)
{
    if (kind == EXPR_ASHR) return (U128)(arith_sext(a, width) >> (b >= width ? width - 1 : (unsigned)b));
    if (b >= width) return 0;
    return kind == EXPR_SHL ? a << (unsigned)b : a >> (unsigned)b;
}

static float fold_single(ExprKind kind, float a, float b)
{
    switch (kind) {
    case EXPR_FADD: return a + b;
    case EXPR_FSUB: return a - b;
    case EXPR_FMUL: return a * b;
    case EXPR_FDIV: return a / b;
    case EXPR_FREM: return fmodf(a, b);
    default: assert(kind == EXPR_FSQRT); return sqrtf(a);
    }
}

static double fold_double(ExprKind kind, double a, double b)
{
    switch (kind) {
    case EXPR_FADD: return a + b;
    case EXPR_FSUB: return a - b;
    case EXPR_FMUL: return a * b;
    case EXPR_FDIV: return a / b;
    case EXPR_FREM: return fmod(a, b);
    default: assert(kind == EXPR_FSQRT); return sqrt(a);
    }
}

static long double fold_extended(ExprKind kind, long double a, long double b)
{
    switch (kind) {
    case EXPR_FADD: return a + b;
    case EXPR_FSUB: return a - b;
    case EXPR_FMUL: return a * b;
    case EXPR_FDIV: return a / b;
    case EXPR_FREM: return fmodl(a, b);
    default: assert(kind == EXPR_FSQRT); return sqrtl(a);
    }
}

static U128 fold_float(ExprKind kind, unsigned width, U128 a, U128 b)
{
    if (width == 32) return arith_bits32(fold_single(kind, arith_f32((uint64_t)a), arith_f32((uint64_t)b)));
    if (width == 64) return arith_bits64(fold_double(kind, arith_f64((uint64_t)a), arith_f64((uint64_t)b)));
    assert(width == 80);
    return arith_bits80(fold_extended(kind, arith_f80(a), arith_f80(b)));
}

/* Exact: every float of these widths is a long double. */
static long double float_value(unsigned width, U128 bits)
{
    assert(width == 32 || width == 64 || width == 80);
    return width == 32 ? arith_f32((uint64_t)bits) : width == 64 ? arith_f64((uint64_t)bits) : arith_f80(bits);
}

static bool compare_floats(ExprKind kind, unsigned width, U128 a, U128 b)
{
    long double x = float_value(width, a), y = float_value(width, b);
    switch (kind) {
    case EXPR_FEQ: return x == y;
    case EXPR_FLT: return x < y;
    case EXPR_FLE: return x <= y;
    default: assert(kind == EXPR_FUNO); return x != x || y != y;
    }
}

static U128 convert_float(unsigned width, unsigned source, U128 a)
{
    if (width == source) return a;
    if (width == 32) return arith_bits32(source == 64 ? (float)arith_f64((uint64_t)a) : (float)arith_f80(a));
    if (width == 64) return arith_bits64(source == 32 ? (double)arith_f32((uint64_t)a) : (double)arith_f80(a));
    return arith_bits80(float_value(source, a));
}

static U128 integer_to_float(ExprKind kind, unsigned width, unsigned source, U128 a)
{
    if (kind == EXPR_SITOF) {
        I128 value = arith_sext(a, source);
        return width == 32 ? arith_bits32((float)value) : width == 64 ? arith_bits64((double)value) : arith_bits80((long double)value);
    }
    return width == 32 ? arith_bits32((float)a) : width == 64 ? arith_bits64((double)a) : arith_bits80((long double)a);
}

static bool compare(ExprKind kind, unsigned source, U128 a, U128 b)
{
    switch (kind) {
    case EXPR_EQ: return a == b;
    case EXPR_ULT: return a < b;
    case EXPR_ULE: return a <= b;
    case EXPR_SLT: return arith_sext(a, source) < arith_sext(b, source);
    default: assert(kind == EXPR_SLE); return arith_sext(a, source) <= arith_sext(b, source);
    }
}

static U128 fold(ExprKind kind, unsigned width, unsigned source, U128 a, U128 b, U128 c)
{
    switch (kind) {
    case EXPR_ADD: return a + b;
    case EXPR_SUB: return a - b;
    case EXPR_MUL: return a * b;
    case EXPR_UDIV: return b ? a / b : ~(U128)0;
    case EXPR_SDIV: return divide_signed(width, a, b);
    case EXPR_UREM: return b ? a % b : a;
    case EXPR_SREM: return remainder_signed(width, a, b);
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR: return shift(kind, width, a, b);
    case EXPR_AND: return a & b;
    case EXPR_OR: return a | b;
    case EXPR_XOR: return a ^ b;
    case EXPR_NOT: return ~a;
    case EXPR_EQ:
    case EXPR_ULT:
    case EXPR_ULE:
    case EXPR_SLT:
    case EXPR_SLE: return compare(kind, source, a, b);
    case EXPR_CONCAT: return a << source | b;
    case EXPR_EXTRACT: return a >> (unsigned)b;
    case EXPR_ZEXT: return a;
    case EXPR_SEXT: return (U128)arith_sext(a, source);
    case EXPR_ITE: return a ? b : c;
    case EXPR_CTPOP: return count_ones(a);
    case EXPR_CTLZ: return leading_zeros(a, width);
    case EXPR_CTTZ: return trailing_zeros(a, width);
    case EXPR_FADD:
    case EXPR_FSUB:
    case EXPR_FMUL:
    case EXPR_FDIV:
    case EXPR_FREM:
    case EXPR_FSQRT: return fold_float(kind, width, a, b);
    case EXPR_FEQ:
    case EXPR_FLT:
    case EXPR_FLE:
    case EXPR_FUNO: return compare_floats(kind, source, a, b);
    case EXPR_FCONVERT: return convert_float(width, source, a);
    case EXPR_FTOSI: return arith_fp_to_signed(float_value(source, a), width);
    case EXPR_FTOUI: return arith_fp_to_unsigned(float_value(source, a), width);
    case EXPR_SITOF:
    case EXPR_UITOF: return integer_to_float(kind, width, source, a);
    default: REQUIRE(false, "this kind of expression has no value of its own"); return 0;
    }
}

U128 expr_fold(ExprKind kind, unsigned width, unsigned source, U128 a, U128 b, U128 c)
{
    return fold(kind, width, source, a, b, c) & arith_mask(width);
}
