/* Arithmetic.  The normal form of a sum keeps its constant outside and second: ((x + y) + c), (x - y) + c, c - x.
 *
 * Products by powers of two, quotients by them and constant shifts are structure (CONCAT, ZEXT, SEXT of an EXTRACT), so that an index times
 * the size of an element, divided again, is the index.  Sums of parts that do not overlap are ORs, which are structure as well. */
#include "expr/expr_int.h"

static Expr sub(ExprPool *pool, Expr a, Expr b)
{
    return expr_binary(pool, EXPR_SUB, a, b);
}

static Expr negate_const(ExprPool *pool, Expr c)
{
    return expr_const(pool, width_of(pool, c), -const_value(pool, c));
}

static Expr number(ExprPool *pool, Expr like, U128 value)
{
    return expr_const(pool, width_of(pool, like), value);
}

/* c - x, with NOT x standing for -1 - x. */
static bool is_const_minus(const ExprPool *pool, Expr e, U128 *constant, Expr *x)
{
    const Node *node = expr__node(pool, e);
    if (node->kind == EXPR_NOT) {
        *constant = ~(U128)0;
        *x = node->a;
        return true;
    }
    if (node->kind != EXPR_SUB || !is_const(pool, node->a)) return false;
    *constant = const_value(pool, node->a);
    *x = node->b;
    return true;
}

/* ---- sums ---- */

static Expr add_const(ExprPool *pool, Expr a, Expr c)
{
    U128 constant, value = const_value(pool, c);
    Expr x;
    if (!value) return a;
    if (has_const(pool, a, EXPR_ADD)) return expr_add(pool, operand_a(pool, a), expr_add(pool, operand_b(pool, a), c));
    if (is_const_minus(pool, a, &constant, &x)) return sub(pool, number(pool, a, constant + value), x);
    return 0;
}

/* Rules that look into a; tried both ways. */
static Expr add_into(ExprPool *pool, Expr a, Expr b)
{
    U128 constant;
    Expr x;
    if (has_const(pool, a, EXPR_ADD)) return expr_add(pool, expr_add(pool, operand_a(pool, a), b), operand_b(pool, a));
    if (is_const_minus(pool, a, &constant, &x)) return expr_add(pool, sub(pool, b, x), number(pool, a, constant));
    if (is_kind(pool, a, EXPR_SUB) && operand_b(pool, a) == b) return operand_a(pool, a);
    return 0;
}

static bool never_overlap(const ExprPool *pool, Expr a, Expr b)
{
    if (expr__unknown(pool, a) || expr__unknown(pool, b)) return false;
    ExprKnown x = expr__known(pool, a), y = expr__known(pool, b);
    return (x.zeros | y.zeros) == arith_mask(width_of(pool, a));
}

Expr rule_add(ExprPool *pool, Expr a, Expr b)
{
    if (width_of(pool, a) == 1) return expr_binary(pool, EXPR_XOR, a, b);
    if (is_const(pool, b)) return add_const(pool, a, b);
    if (a == b) return expr_binary(pool, EXPR_MUL, a, number(pool, a, 2));
    Expr result = add_into(pool, a, b);
    if (!result) result = add_into(pool, b, a);
    if (result) return result;
    return never_overlap(pool, a, b) ? expr_or(pool, a, b) : 0;
}

/* c - b */
static Expr sub_from_const(ExprPool *pool, Expr c, Expr b)
{
    U128 constant, value = const_value(pool, c);
    Expr x;
    if (value == arith_mask(width_of(pool, c))) return expr_not(pool, b);
    if (has_const(pool, b, EXPR_ADD)) return sub(pool, number(pool, c, value - const_value(pool, operand_b(pool, b))), operand_a(pool, b));
    if (is_const_minus(pool, b, &constant, &x)) return expr_add(pool, x, number(pool, c, value - constant));
    if (!value && is_kind(pool, b, EXPR_SUB)) return sub(pool, operand_b(pool, b), operand_a(pool, b));
    return 0;
}

/* Rules that move constants out of a difference. */
static Expr sub_constants_out(ExprPool *pool, Expr a, Expr b)
{
    U128 constant;
    Expr x;
    if (has_const(pool, a, EXPR_ADD)) return expr_add(pool, sub(pool, operand_a(pool, a), b), operand_b(pool, a));
    if (has_const(pool, b, EXPR_ADD)) return expr_add(pool, sub(pool, a, operand_a(pool, b)), negate_const(pool, operand_b(pool, b)));
    if (is_const_minus(pool, b, &constant, &x)) return expr_add(pool, expr_add(pool, a, x), number(pool, a, -constant));
    if (is_const_minus(pool, a, &constant, &x)) return sub(pool, number(pool, a, constant), expr_add(pool, x, b));
    return 0;
}

static Expr sub_cancel(ExprPool *pool, Expr a, Expr b)
{
    const Node *x = expr__node(pool, a), *y = expr__node(pool, b);
    Expr zero = 0;
    if (x->kind == EXPR_ADD && x->a == b) return x->b;
    if (x->kind == EXPR_ADD && x->b == b) return x->a;
    if (y->kind == EXPR_SUB && y->a == a) return y->b;
    if (y->kind == EXPR_ADD && (y->a == a || y->b == a)) zero = y->a == a ? y->b : y->a;
    if (x->kind == EXPR_SUB && x->a == b) zero = x->b;
    if (zero) return sub(pool, number(pool, a, 0), zero);
    if (x->kind == EXPR_CONCAT && y->kind == EXPR_CONCAT && x->b == y->b)
        return expr_binary(pool, EXPR_CONCAT, sub(pool, x->a, y->a), number(pool, x->b, 0));
    if (x->kind != EXPR_ADD || y->kind != EXPR_ADD) return 0;
    if (x->a == y->a) return sub(pool, x->b, y->b);
    if (x->b == y->b) return sub(pool, x->a, y->a);
    if (x->a == y->b) return sub(pool, x->b, y->a);
    return x->b == y->a ? sub(pool, x->a, y->b) : 0;
}

Expr rule_sub(ExprPool *pool, Expr a, Expr b)
{
    if (width_of(pool, a) == 1) return expr_binary(pool, EXPR_XOR, a, b);
    if (a == b) return number(pool, a, 0);
    if (is_const(pool, b)) return expr_add(pool, a, negate_const(pool, b));
    if (is_const(pool, a)) return sub_from_const(pool, a, b);
    Expr result = sub_constants_out(pool, a, b);
    return result ? result : sub_cancel(pool, a, b);
}

/* ---- products ---- */

static Expr shift_left(ExprPool *pool, Expr a, unsigned amount)
{
    unsigned width = width_of(pool, a);
    if (amount >= width) return number(pool, a, 0);
    if (!amount) return a;
    return expr_binary(pool, EXPR_CONCAT, expr_extract(pool, a, 0, width - amount), expr_const(pool, amount, 0));
}

static Expr mul_const(ExprPool *pool, Expr a, Expr c)
{
    U128 value = const_value(pool, c), constant;
    Expr x;
    if (!value) return c;
    if (value == 1) return a;
    if (value == arith_mask(width_of(pool, a))) return sub(pool, number(pool, a, 0), a);
    if (has_const(pool, a, EXPR_MUL))
        return expr_binary(pool, EXPR_MUL, operand_a(pool, a), expr_binary(pool, EXPR_MUL, operand_b(pool, a), c));
    if (has_const(pool, a, EXPR_ADD)) /* (x + c1) * c = x * c + c1 * c: constants go outside */
        return expr_add(pool, expr_binary(pool, EXPR_MUL, operand_a(pool, a), c), expr_binary(pool, EXPR_MUL, operand_b(pool, a), c));
    if (is_const_minus(pool, a, &constant, &x))
        return expr_add(pool, expr_binary(pool, EXPR_MUL, x, negate_const(pool, c)), number(pool, a, constant * value));
    return is_power_of_two(value) ? shift_left(pool, a, trailing_zeros(value, 128)) : 0;
}

Expr rule_mul(ExprPool *pool, Expr a, Expr b)
{
    if (width_of(pool, a) == 1) return expr_and(pool, a, b);
    return is_const(pool, b) ? mul_const(pool, a, b) : 0;
}

/* ---- quotients ---- */

static Expr shift_right(ExprPool *pool, ExprKind kind, Expr a, unsigned amount)
{
    unsigned width = width_of(pool, a);
    bool is_signed = kind == EXPR_ASHR;
    if (amount >= width) {
        if (!is_signed) return number(pool, a, 0);
        amount = width - 1;
    }
    Expr kept = expr_extract(pool, a, amount, width - amount);
    return is_signed ? expr_sext(pool, kept, width) : expr_zext(pool, kept, width);
}

static Expr divide_signed(ExprPool *pool, ExprKind kind, Expr a, Expr b)
{
    if (is_const(pool, b) && (is_value(pool, b, 1) || is_ones(pool, b))) {
        if (kind == EXPR_SREM) return number(pool, a, 0);
        return is_value(pool, b, 1) ? a : sub(pool, number(pool, a, 0), a);
    }
    if (!expr__nonnegative(pool, a) || !expr__nonnegative(pool, b)) return 0;
    return expr_binary(pool, kind == EXPR_SDIV ? EXPR_UDIV : EXPR_UREM, a, b);
}

/* Zero-extended operands are divided in as many bits as the wider one has; a zero divisor would give other ones on top. */
static Expr divide_narrow(ExprPool *pool, ExprKind kind, Expr a, Expr b)
{
    if (!is_kind(pool, a, EXPR_ZEXT)) return 0;
    ExprKnown divisor = expr__known(pool, b);
    unsigned inner = width_of(pool, operand_a(pool, a));
    if (!divisor.low || divisor.high > arith_mask(inner)) return 0;
    if (!is_const(pool, b) && !(is_kind(pool, b, EXPR_ZEXT) && width_of(pool, operand_a(pool, b)) <= inner)) return 0;
    Expr narrow = expr_binary(pool, kind, operand_a(pool, a), expr_extract(pool, b, 0, inner));
    return expr_zext(pool, narrow, width_of(pool, a));
}

static Expr divide_by_const(ExprPool *pool, ExprKind kind, Expr a, U128 value)
{
    if (!value) return kind == EXPR_UDIV ? number(pool, a, ~(U128)0) : a;
    if (!is_power_of_two(value)) return 0;
    if (kind == EXPR_UDIV) return shift_right(pool, EXPR_LSHR, a, trailing_zeros(value, 128));
    return expr_and(pool, a, number(pool, a, value - 1));
}

Expr rule_divide(ExprPool *pool, ExprKind kind, Expr a, Expr b)
{
    bool is_remainder = kind == EXPR_UREM || kind == EXPR_SREM;
    if (is_remainder && (a == b || is_zero(pool, a))) return number(pool, a, 0);
    if (kind == EXPR_SDIV || kind == EXPR_SREM) return divide_signed(pool, kind, a, b);
    if (is_remainder && expr__known(pool, a).high < expr__known(pool, b).low) return a;
    Expr result = is_const(pool, b) ? divide_by_const(pool, kind, a, const_value(pool, b)) : 0;
    return result ? result : divide_narrow(pool, kind, a, b);
}

/* ---- shifts ---- */

Expr rule_shift(ExprPool *pool, ExprKind kind, Expr a, Expr b)
{
    if (is_zero(pool, a) || (kind == EXPR_ASHR && is_ones(pool, a))) return a;
    ExprKnown amount = expr__known(pool, b);
    unsigned width = width_of(pool, a);
    if (amount.low >= width || is_const(pool, b)) {
        unsigned by = amount.low < width ? (unsigned)amount.low : width;
        if (kind != EXPR_SHL) return shift_right(pool, kind, a, by);
        return by < width ? expr_binary(pool, EXPR_MUL, a, number(pool, a, (U128)1 << by)) : number(pool, a, 0);
    }
    return kind == EXPR_ASHR && expr__nonnegative(pool, a) ? expr_binary(pool, EXPR_LSHR, a, b) : 0;
}
