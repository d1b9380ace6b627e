/* Instruction → expression.  Bit counting and shifting map onto kinds of their own or onto EXTRACT and CONCAT; predicates are reduced to EQ, ULT, ULE,
 * SLT, SLE by swapping and negating; a float predicate is the disjunction of the outcomes it admits. */
#include "meaning/meaning.h"

#include "base/arith.h"

static Expr constant(ExprPool *pool, unsigned width, U128 value)
{
    return expr_const(pool, width, value);
}

static Expr byte_swap(ExprPool *pool, Expr a, unsigned width)
{
    Expr result = expr_extract(pool, a, 0, 8);
    for (unsigned low = 8; low < width; low += 8) result = expr_binary(pool, EXPR_CONCAT, result, expr_extract(pool, a, low, 8));
    return result;
}

static Expr bit_reverse(ExprPool *pool, Expr a, unsigned width)
{
    Expr result = expr_extract(pool, a, 0, 1);
    for (unsigned low = 1; low < width; low++) result = expr_binary(pool, EXPR_CONCAT, result, expr_extract(pool, a, low, 1));
    return result;
}

/* fshl: the high word of (a:b) << (c mod width); fshr: the low word of (a:b) >> (c mod width).  With c = 0 the other part
 * shifts by the whole width, which gives 0, so the OR is right without a case distinction. */
static Expr funnel(ExprPool *pool, bool left, unsigned width, Expr a, Expr b, Expr c)
{
    Expr size = constant(pool, width, width);
    Expr by = expr_binary(pool, EXPR_UREM, c, size);
    Expr rest = expr_binary(pool, EXPR_SUB, size, by);
    Expr high = expr_binary(pool, EXPR_SHL, a, left ? by : rest);
    Expr low = expr_binary(pool, EXPR_LSHR, b, left ? rest : by);
    return expr_or(pool, high, low);
}

static Expr integer_compare(ExprPool *pool, unsigned predicate, Expr a, Expr b)
{
    switch (predicate) {
    case PRED_EQ: return expr_eq(pool, a, b);
    case PRED_NE: return expr_not(pool, expr_eq(pool, a, b));
    case PRED_UGT: return expr_binary(pool, EXPR_ULT, b, a);
    case PRED_UGE: return expr_binary(pool, EXPR_ULE, b, a);
    case PRED_ULT: return expr_binary(pool, EXPR_ULT, a, b);
    case PRED_ULE: return expr_binary(pool, EXPR_ULE, a, b);
    case PRED_SGT: return expr_binary(pool, EXPR_SLT, b, a);
    case PRED_SGE: return expr_binary(pool, EXPR_SLE, b, a);
    case PRED_SLT: return expr_binary(pool, EXPR_SLT, a, b);
    case PRED_SLE: return expr_binary(pool, EXPR_SLE, a, b);
    default: base_abort(__FILE__, __LINE__, "unknown integer predicate");
    }
}

static Expr float_compare(ExprPool *pool, unsigned admits, Expr a, Expr b)
{
    bool negate = admits & FPRED_UNO; /* admitting NaN: the negation of the ordered complement */
    unsigned ordered = (negate ? ~admits : admits) & (FPRED_EQ | FPRED_GT | FPRED_LT);
    Expr result;
    switch (ordered) {
    case 0: result = constant(pool, 1, 0); break;
    case FPRED_EQ: result = expr_binary(pool, EXPR_FEQ, a, b); break;
    case FPRED_LT: result = expr_binary(pool, EXPR_FLT, a, b); break;
    case FPRED_GT: result = expr_binary(pool, EXPR_FLT, b, a); break;
    case FPRED_LT | FPRED_EQ: result = expr_binary(pool, EXPR_FLE, a, b); break;
    case FPRED_GT | FPRED_EQ: result = expr_binary(pool, EXPR_FLE, b, a); break;
    case FPRED_LT | FPRED_GT: result = expr_or(pool, expr_binary(pool, EXPR_FLT, a, b), expr_binary(pool, EXPR_FLT, b, a)); break;
    default: result = expr_not(pool, expr_binary(pool, EXPR_FUNO, a, b)); break;
    }
    return negate ? expr_not(pool, result) : result;
}

static Expr resize(ExprPool *pool, const Instr *instr, Expr a)
{
    switch (instr->op) {
    case OP_TRUNC: return expr_extract(pool, a, 0, instr->width);
    case OP_ZEXT: return expr_zext(pool, a, instr->width);
    case OP_SEXT: return expr_sext(pool, a, instr->width);
    case OP_FTOF: return instr->width == instr->width2 ? a : expr_unary(pool, EXPR_FCONVERT, a);
    case OP_FTOUI: return expr_convert(pool, EXPR_FTOUI, a, instr->width);
    case OP_FTOSI: return expr_convert(pool, EXPR_FTOSI, a, instr->width);
    case OP_UITOF: return expr_convert(pool, EXPR_UITOF, a, instr->width);
    default: return expr_convert(pool, EXPR_SITOF, a, instr->width);
    }
}

static Expr address(ExprPool *pool, const Instr *instr, Expr a, Expr b, uint64_t scale)
{
    Expr result = a;
    if (b) {
        Expr index = instr->width2 < 64 ? expr_sext(pool, b, 64) : expr_extract(pool, b, 0, 64);
        result = expr_add(pool, result, expr_binary(pool, EXPR_MUL, index, constant(pool, 64, scale)));
    }
    return expr_add(pool, result, constant(pool, 64, (uint64_t)instr->imm));
}

static bool long_double(const Instr *instr)
{
    switch (instr->op) {
    case OP_FTOF:
    case OP_UITOF:
    case OP_SITOF:
    case OP_FTOUI:
    case OP_FTOSI: return instr->width == 80 || instr->width2 == 80;
    case OP_FADD:
    case OP_FSUB:
    case OP_FMUL:
    case OP_FDIV:
    case OP_FREM:
    case OP_FCMP: return instr->width == 80;
    default: return false;
    }
}

static const uint8_t direct_kind[OPCODES] = {
    [OP_ADD] = EXPR_ADD,   [OP_SUB] = EXPR_SUB,   [OP_MUL] = EXPR_MUL,   [OP_UDIV] = EXPR_UDIV, [OP_SDIV] = EXPR_SDIV,
    [OP_UREM] = EXPR_UREM, [OP_SREM] = EXPR_SREM, [OP_SHL] = EXPR_SHL,   [OP_LSHR] = EXPR_LSHR, [OP_ASHR] = EXPR_ASHR,
    [OP_AND] = EXPR_AND,   [OP_OR] = EXPR_OR,     [OP_XOR] = EXPR_XOR,   [OP_FADD] = EXPR_FADD, [OP_FSUB] = EXPR_FSUB,
    [OP_FMUL] = EXPR_FMUL, [OP_FDIV] = EXPR_FDIV, [OP_FREM] = EXPR_FREM, [OP_SADDO] = EXPR_ADD, [OP_UADDO] = EXPR_ADD,
    [OP_SSUBO] = EXPR_SUB, [OP_USUBO] = EXPR_SUB, [OP_SMULO] = EXPR_MUL, [OP_UMULO] = EXPR_MUL,
};

Expr meaning_value(ExprPool *pool, const Instr *instr, Expr a, Expr b, Expr c, uint64_t scale)
{
    if (long_double(instr)) return 0;
    if (direct_kind[instr->op]) return expr_binary(pool, direct_kind[instr->op], a, b);
    unsigned width = instr->width;
    switch (instr->op) {
    case OP_MOV: return a;
    case OP_UNDEF: return expr_undef(pool, width);
    case OP_CTPOP: return expr_unary(pool, EXPR_CTPOP, a);
    case OP_CTLZ: return expr_unary(pool, EXPR_CTLZ, a);
    case OP_CTTZ: return expr_unary(pool, EXPR_CTTZ, a);
    case OP_BSWAP: return byte_swap(pool, a, width);
    case OP_BITREVERSE: return bit_reverse(pool, a, width);
    case OP_FSHL:
    case OP_FSHR: return funnel(pool, instr->op == OP_FSHL, width, a, b, c);
    case OP_ICMP: return integer_compare(pool, instr->predicate, a, b);
    case OP_FCMP: return float_compare(pool, instr->predicate, a, b);
    case OP_TRUNC:
    case OP_ZEXT:
    case OP_SEXT:
    case OP_FTOF:
    case OP_FTOUI:
    case OP_FTOSI:
    case OP_UITOF:
    case OP_SITOF: return resize(pool, instr, a);
    case OP_FNEG: return expr_binary(pool, EXPR_XOR, a, constant(pool, width, (U128)1 << (width - 1)));
    case OP_FABS: return expr_and(pool, a, constant(pool, width, arith_mask(width - 1)));
    case OP_SELECT: return expr_ite(pool, a, b, c);
    case OP_ADDRESS: return address(pool, instr, a, b, scale);
    default: return 0;
    }
}

/* ---- overflow ----
 * Said as comparisons with limits wherever there is room, because intervals, inversion and circuits all take those better than tricks with
 * sign bits: with a constant operand the limits are for the other one, else for the exact result in a wider type. */

static Expr outside(ExprPool *pool, Expr a, unsigned width, I128 low, I128 high)
{
    Expr below = expr_binary(pool, EXPR_SLT, a, constant(pool, width, (U128)low));
    return expr_or(pool, below, expr_binary(pool, EXPR_SLT, constant(pool, width, (U128)high), a));
}

static I128 least(unsigned width)
{
    return -((I128)1 << (width - 1));
}

static I128 greatest(unsigned width)
{
    return ((I128)1 << (width - 1)) - 1;
}

static bool small_constant(const ExprPool *pool, Expr e, I128 *value)
{
    unsigned width = expr_width(pool, e);
    if (!expr_is_const(pool, e) || width > 64) return false;
    *value = arith_sext(expr_value(pool, e), width);
    return true;
}

/* Does a * c leave the signed range?  Division cuts towards zero, which is into the range on both sides. */
static Expr scaled_overflow(ExprPool *pool, unsigned width, Expr a, I128 c)
{
    if (c == 0) return constant(pool, 1, 0);
    I128 low = c > 0 ? least(width) / c : greatest(width) / c, high = c > 0 ? greatest(width) / c : least(width) / c;
    return outside(pool, a, width, low, high > greatest(width) ? greatest(width) : high);
}

static Expr signed_product_overflow(ExprPool *pool, unsigned width, Expr a, Expr b)
{
    I128 c;
    if (small_constant(pool, b, &c)) return scaled_overflow(pool, width, a, c);
    if (small_constant(pool, a, &c)) return scaled_overflow(pool, width, b, c);
    Expr product = expr_binary(pool, EXPR_MUL, expr_sext(pool, a, width * 2), expr_sext(pool, b, width * 2));
    return outside(pool, product, width * 2, least(width), greatest(width));
}

static Expr unsigned_product_overflow(ExprPool *pool, unsigned width, Expr a, Expr b)
{
    Expr product = expr_binary(pool, EXPR_MUL, expr_zext(pool, a, width * 2), expr_zext(pool, b, width * 2));
    return expr_binary(pool, EXPR_ULT, constant(pool, width * 2, arith_mask(width)), product);
}

/* No room for the double width: the product divided by one factor must give the other one back. */
static Expr large_product_overflow(ExprPool *pool, bool is_signed, unsigned width, Expr a, Expr b)
{
    Expr zero = constant(pool, width, 0);
    Expr product = expr_binary(pool, EXPR_MUL, a, b);
    Expr back = expr_binary(pool, is_signed ? EXPR_SDIV : EXPR_UDIV, product, b);
    Expr wrong = expr_not(pool, expr_eq(pool, back, a));
    if (is_signed) { /* -1 * MIN wraps to MIN, and MIN / -1 wraps back to MIN */
        Expr minimum = constant(pool, width, (U128)1 << (width - 1));
        Expr special = expr_and(pool, expr_eq(pool, b, constant(pool, width, arith_mask(width))), expr_eq(pool, a, minimum));
        wrong = expr_or(pool, wrong, special);
    }
    return expr_and(pool, expr_not(pool, expr_eq(pool, b, zero)), wrong);
}

static Expr product_overflow(ExprPool *pool, bool is_signed, unsigned width, Expr a, Expr b)
{
    if (width * 2 > 128) return large_product_overflow(pool, is_signed, width, a, b);
    return is_signed ? signed_product_overflow(pool, width, a, b) : unsigned_product_overflow(pool, width, a, b);
}

static Expr sum_overflow(ExprPool *pool, ExprKind kind, unsigned width, Expr a, Expr b)
{
    I128 c;
    if (kind == EXPR_ADD && expr_is_const(pool, a) && !expr_is_const(pool, b)) return sum_overflow(pool, kind, width, b, a);
    if (small_constant(pool, b, &c)) {
        if (kind == EXPR_SUB) c = -c;
        return outside(pool, a, width, c < 0 ? least(width) - c : least(width), c > 0 ? greatest(width) - c : greatest(width));
    }
    if (width < 128) {
        Expr exact = expr_binary(pool, kind, expr_sext(pool, a, width + 1), expr_sext(pool, b, width + 1));
        return outside(pool, exact, width + 1, least(width), greatest(width));
    }
    /* a + b: equal signs, and another one in the sum.  a - b: different signs, and another one than a's in the difference. */
    Expr result = expr_binary(pool, kind, a, b), other = kind == EXPR_ADD ? result : a;
    Expr changed = expr_and(pool, expr_binary(pool, EXPR_XOR, other, b), expr_binary(pool, EXPR_XOR, a, result));
    return expr_extract(pool, changed, width - 1, 1);
}

Expr meaning_overflow(ExprPool *pool, const Instr *instr, Expr a, Expr b)
{
    unsigned width = instr->width;
    switch (instr->op) {
    case OP_UADDO: return expr_binary(pool, EXPR_ULT, expr_add(pool, a, b), a);
    case OP_USUBO: return expr_binary(pool, EXPR_ULT, a, b);
    case OP_UMULO: return product_overflow(pool, false, width, a, b);
    case OP_MUL:
    case OP_SMULO: return product_overflow(pool, true, width, a, b);
    case OP_ADD:
    case OP_SADDO: return sum_overflow(pool, EXPR_ADD, width, a, b);
    default: return sum_overflow(pool, EXPR_SUB, width, a, b);
    }
}

Expr meaning_check(ExprPool *pool, const Instr *instr, Expr a, Expr b, MeaningCheck *kind)
{
    switch (instr->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
        if (!(instr->flags & FLAG_NSW)) break;
        *kind = CHECK_OVERFLOW;
        return expr_not(pool, meaning_overflow(pool, instr, a, b));
    case OP_UDIV:
    case OP_SDIV:
    case OP_UREM:
    case OP_SREM: *kind = CHECK_DIVISOR; return expr_not(pool, expr_eq(pool, b, constant(pool, instr->width, 0)));
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR: *kind = CHECK_SHIFT; return expr_binary(pool, EXPR_ULT, b, constant(pool, instr->width, instr->width));
    default: break;
    }
    *kind = CHECK_NONE;
    return 0;
}

Expr meaning_check_quotient(ExprPool *pool, const Instr *instr, Expr a, Expr b)
{
    Expr minimum = constant(pool, instr->width, (U128)1 << (instr->width - 1));
    Expr minus_one = constant(pool, instr->width, arith_mask(instr->width));
    return expr_not(pool, expr_and(pool, expr_eq(pool, a, minimum), expr_eq(pool, b, minus_one)));
}
