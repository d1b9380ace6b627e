/* Comparisons.  Normal forms: an equation has its variable part as narrow and bare as the constant allows; against a constant there is only
 * ULT and SLT (x <= c is x < c + 1), and EQ where just one value is left; NOT of an order is the opposite order. */
#include "expr/expr_int.h"

static Expr truth(ExprPool *pool, bool value)
{
    return expr_const(pool, 1, value);
}

static Expr less(ExprPool *pool, ExprKind kind, Expr a, Expr b)
{
    return expr_binary(pool, kind, a, b);
}

static Expr like(ExprPool *pool, Expr e, U128 value)
{
    return expr_const(pool, width_of(pool, e), value);
}

static bool may_equal(const ExprPool *pool, Expr e, U128 value)
{
    ExprKnown known = expr__known(pool, e);
    return !(known.zeros & value) && !(known.ones & ~value) && known.low <= value && value <= known.high;
}

/* Does the value fit in the operand of this extension? */
static bool fits(const ExprPool *pool, Expr extended, U128 value)
{
    unsigned inner = width_of(pool, operand_a(pool, extended)), width = width_of(pool, extended);
    if (is_kind(pool, extended, EXPR_ZEXT)) return value <= arith_mask(inner);
    return ((U128)arith_sext(value & arith_mask(inner), inner) & arith_mask(width)) == value;
}

/* ---- equality ---- */

/* The inverse of an odd number modulo 2^128: Newton doubles the number of right bits. */
static U128 inverse(U128 odd)
{
    U128 x = odd;
    for (int i = 0; i < 7; i++) x *= 2 - odd * x;
    return x;
}

static Expr eq_choice(ExprPool *pool, Expr a, Expr c, U128 value)
{
    Node node = *expr__node(pool, a);
    if (is_kind(pool, node.b, EXPR_ITE) || is_kind(pool, node.c, EXPR_ITE)) return 0; /* a chain of choices stays one */
    bool yes = may_equal(pool, node.b, value), no = may_equal(pool, node.c, value);
    if (!yes && !no) return truth(pool, false);
    if (!yes) return expr_and(pool, expr_not(pool, node.a), expr_eq(pool, node.c, c));
    if (!no) return expr_and(pool, node.a, expr_eq(pool, node.b, c));
    if (is_const(pool, node.b)) return expr_or(pool, node.a, expr_eq(pool, node.c, c)); /* the constant is c, and so below */
    return is_const(pool, node.c) ? expr_or(pool, expr_not(pool, node.a), expr_eq(pool, node.b, c)) : 0;
}

static Expr eq_concat(ExprPool *pool, Expr a, U128 value)
{
    Expr high = operand_a(pool, a), low = operand_b(pool, a);
    unsigned split = width_of(pool, low);
    Expr upper = expr_eq(pool, high, like(pool, high, value >> split));
    return expr_and(pool, upper, expr_eq(pool, low, like(pool, low, value)));
}

static Expr eq_const(ExprPool *pool, Expr a, Expr c)
{
    U128 value = const_value(pool, c);
    Node node = *expr__node(pool, a);
    if (node.width == 1) return value ? a : expr_not(pool, a);
    if (!may_equal(pool, a, value)) return truth(pool, false);
    switch (node.kind) {
    case EXPR_NOT: return expr_eq(pool, node.a, like(pool, c, ~value));
    case EXPR_ZEXT:
    case EXPR_SEXT: return fits(pool, a, value) ? expr_eq(pool, node.a, like(pool, node.a, value)) : truth(pool, false);
    case EXPR_CONCAT: return eq_concat(pool, a, value);
    case EXPR_ITE: return eq_choice(pool, a, c, value);
    case EXPR_XOR:
        if (is_const(pool, node.b)) return expr_eq(pool, node.a, like(pool, c, value ^ const_value(pool, node.b)));
        return value ? 0 : expr_eq(pool, node.a, node.b);
    case EXPR_ADD: return is_const(pool, node.b) ? expr_eq(pool, node.a, like(pool, c, value - const_value(pool, node.b))) : 0;
    case EXPR_SUB:
        if (is_const(pool, node.a)) return expr_eq(pool, node.b, like(pool, c, const_value(pool, node.a) - value));
        return value ? 0 : expr_eq(pool, node.a, node.b);
    case EXPR_MUL:
        if (!is_const(pool, node.b) || !(const_value(pool, node.b) & 1)) return 0;
        return expr_eq(pool, node.a, like(pool, c, value * inverse(const_value(pool, node.b))));
    default: return 0;
    }
}

/* Both sides contain x: what is left of a = b without it; 0 if they do not.  a is a sum, or b alone is x. */
static Expr eq_cancel(ExprPool *pool, Expr a, Expr b)
{
    const Node *x = expr__node(pool, a), *y = expr__node(pool, b);
    if (x->kind == EXPR_ADD) {
        if (x->a == b) return expr_eq(pool, x->b, like(pool, b, 0));
        if (x->b == b) return expr_eq(pool, x->a, like(pool, b, 0));
        if (y->kind != EXPR_ADD) return 0;
        if (x->a == y->a) return expr_eq(pool, x->b, y->b);
        if (x->b == y->b) return expr_eq(pool, x->a, y->a);
        if (x->a == y->b) return expr_eq(pool, x->b, y->a);
        return x->b == y->a ? expr_eq(pool, x->a, y->b) : 0;
    }
    if (x->kind == EXPR_SUB) {
        if (x->a == b) return expr_eq(pool, x->b, like(pool, b, 0));
        if (y->kind != EXPR_SUB) return 0;
        if (x->a == y->a) return expr_eq(pool, x->b, y->b);
        return x->b == y->b ? expr_eq(pool, x->a, y->a) : 0;
    }
    return 0;
}

static Expr eq_structure(ExprPool *pool, Expr a, Expr b)
{
    Node x = *expr__node(pool, a), y = *expr__node(pool, b);
    if (x.kind != y.kind) return 0;
    if (x.kind == EXPR_NOT) return expr_eq(pool, x.a, y.a);
    if (x.kind == EXPR_ZEXT || x.kind == EXPR_SEXT) {
        unsigned x_width = width_of(pool, x.a), y_width = width_of(pool, y.a), inner = x_width > y_width ? x_width : y_width;
        if (x.kind == EXPR_ZEXT) return expr_eq(pool, expr_zext(pool, x.a, inner), expr_zext(pool, y.a, inner));
        return expr_eq(pool, expr_sext(pool, x.a, inner), expr_sext(pool, y.a, inner));
    }
    if (x.kind != EXPR_CONCAT || width_of(pool, x.b) != width_of(pool, y.b)) return 0;
    if (x.a == y.a) return expr_eq(pool, x.b, y.b);
    if (x.b == y.b) return expr_eq(pool, x.a, y.a);
    bool constant = (is_const(pool, x.a) && is_const(pool, y.a)) || (is_const(pool, x.b) && is_const(pool, y.b));
    return constant ? truth(pool, false) : 0; /* equal constants are one expression */
}

Expr rule_eq(ExprPool *pool, Expr a, Expr b)
{
    if (a == b) return truth(pool, true);
    if (is_const(pool, b)) return eq_const(pool, a, b);
    if (expr__complements(pool, a, b)) return truth(pool, false);
    if (width_of(pool, a) == 1 && is_kind(pool, a, EXPR_NOT)) return expr_not(pool, expr_eq(pool, operand_a(pool, a), b));
    if (width_of(pool, a) == 1 && is_kind(pool, b, EXPR_NOT)) return expr_not(pool, expr_eq(pool, a, operand_a(pool, b)));
    Expr result = eq_structure(pool, a, b);
    if (!result) result = eq_cancel(pool, a, b);
    return result ? result : eq_cancel(pool, b, a);
}

/* ---- order ---- */

static bool is_signed_kind(ExprKind kind)
{
    return kind == EXPR_SLT || kind == EXPR_SLE;
}

/* One bit: unsigned 0 < 1, signed 1 (that is -1) < 0. */
static Expr less_bit(ExprPool *pool, ExprKind kind, Expr a, Expr b)
{
    Expr low = is_signed_kind(kind) ? b : a, high = is_signed_kind(kind) ? a : b;
    if (kind == EXPR_ULT || kind == EXPR_SLT) return expr_and(pool, expr_not(pool, low), high);
    return expr_or(pool, expr_not(pool, low), high);
}

static U128 least(ExprKind kind, unsigned width)
{
    return is_signed_kind(kind) ? sign_bit(width) : 0;
}

static U128 greatest(ExprKind kind, unsigned width)
{
    return is_signed_kind(kind) ? sign_bit(width) - 1 : arith_mask(width);
}

/* x <= c and c <= x in terms of the strict order. */
static Expr strict(ExprPool *pool, ExprKind kind, Expr a, Expr b)
{
    ExprKind strict_kind = kind == EXPR_ULE ? EXPR_ULT : EXPR_SLT;
    unsigned width = width_of(pool, a);
    if (is_const(pool, b)) {
        if (const_value(pool, b) == greatest(kind, width)) return truth(pool, true);
        return less(pool, strict_kind, a, like(pool, b, const_value(pool, b) + 1));
    }
    if (const_value(pool, a) == least(kind, width)) return truth(pool, true);
    return less(pool, strict_kind, like(pool, a, const_value(pool, a) - 1), b);
}

/* Strict order against a constant at the end of the range. */
static Expr less_at_end(ExprPool *pool, ExprKind kind, Expr a, Expr b)
{
    unsigned width = width_of(pool, a);
    U128 mask = arith_mask(width), first = least(kind, width), last = greatest(kind, width);
    if (is_const(pool, b)) {
        U128 value = const_value(pool, b);
        if (value == first) return truth(pool, false);
        if (value == ((first + 1) & mask)) return expr_eq(pool, a, like(pool, a, first));
        return value == last ? expr_not(pool, expr_eq(pool, a, b)) : 0;
    }
    U128 value = const_value(pool, a);
    if (value == last) return truth(pool, false);
    if (value == ((last - 1) & mask)) return expr_eq(pool, b, like(pool, b, last));
    return value == first ? expr_not(pool, expr_eq(pool, b, a)) : 0;
}

/* x < c and c < x for a sign-extended x whose source cannot hold c: signed, c is beyond all its values; unsigned, it lies in
 * the gap between the non-negative ones and the negative ones. */
static Expr less_unreachable(ExprPool *pool, ExprKind kind, Expr x, U128 c, bool reversed)
{
    if (is_signed_kind(kind)) return truth(pool, (bool)(c & sign_bit(width_of(pool, x))) == reversed);
    Expr inner = operand_a(pool, x), negative = expr_extract(pool, inner, width_of(pool, inner) - 1, 1);
    return reversed ? negative : expr_not(pool, negative);
}

static Expr less_extended(ExprPool *pool, ExprKind kind, Expr a, Expr b)
{
    Expr extended = is_const(pool, b) ? a : b, constant = is_const(pool, b) ? b : a;
    ExprKind extension = expr_kind(pool, extended);
    if (extension != EXPR_ZEXT && extension != EXPR_SEXT) return 0;
    U128 value = const_value(pool, constant);
    if (!fits(pool, extended, value)) /* of ZEXT, the intervals decide it */
        return extension == EXPR_ZEXT ? 0 : less_unreachable(pool, kind, extended, value, constant == a);
    if (extension == EXPR_ZEXT && is_signed_kind(kind)) return 0; /* becomes unsigned */
    Expr inner = operand_a(pool, extended), narrow = like(pool, inner, value);
    return constant == b ? less(pool, kind, inner, narrow) : less(pool, kind, narrow, inner);
}

/* Against a constant, parts of a CONCAT that are constant drop out. */
static Expr less_concat(ExprPool *pool, ExprKind kind, Expr a, Expr b)
{
    bool reversed = is_const(pool, a);
    Expr concat = reversed ? b : a;
    if (!is_kind(pool, concat, EXPR_CONCAT)) return 0;
    U128 value = const_value(pool, reversed ? a : b);
    Expr high = operand_a(pool, concat), low = operand_b(pool, concat);
    U128 high_value = value >> width_of(pool, low), low_value = value & arith_mask(width_of(pool, low));
    if (is_const(pool, high)) {
        if (const_value(pool, high) != high_value) return 0; /* the intervals decide */
        Expr limit = like(pool, low, low_value);
        return reversed ? less(pool, EXPR_ULT, limit, low) : less(pool, EXPR_ULT, low, limit);
    }
    if (!is_const(pool, low)) return 0;
    bool low_less = reversed ? low_value < const_value(pool, low) : const_value(pool, low) < low_value;
    ExprKind high_kind = !low_less ? kind : kind == EXPR_ULT ? EXPR_ULE : EXPR_SLE;
    Expr limit = like(pool, high, high_value);
    return reversed ? less(pool, high_kind, limit, high) : less(pool, high_kind, high, limit);
}

static Expr less_than_const(ExprPool *pool, ExprKind kind, Expr a, Expr b)
{
    if (kind == EXPR_ULE || kind == EXPR_SLE) return strict(pool, kind, a, b);
    Expr result = less_at_end(pool, kind, a, b);
    if (!result) result = less_extended(pool, kind, a, b);
    return result ? result : less_concat(pool, kind, a, b);
}

/* Extensions of the same kind keep the order: SEXT both orders, ZEXT the unsigned one. */
static Expr less_structure(ExprPool *pool, ExprKind kind, Expr a, Expr b)
{
    Node x = *expr__node(pool, a), y = *expr__node(pool, b);
    if (x.kind != y.kind) return 0;
    if (x.kind == EXPR_ZEXT || x.kind == EXPR_SEXT) {
        unsigned x_width = width_of(pool, x.a), y_width = width_of(pool, y.a), inner = x_width > y_width ? x_width : y_width;
        if (x.kind == EXPR_SEXT) return less(pool, kind, expr_sext(pool, x.a, inner), expr_sext(pool, y.a, inner));
        return less(pool, kind, expr_zext(pool, x.a, inner), expr_zext(pool, y.a, inner));
    }
    if (x.kind == EXPR_NOT) return less(pool, kind, y.a, x.a);
    if (x.kind != EXPR_CONCAT || width_of(pool, x.b) != width_of(pool, y.b)) return 0;
    if (x.b == y.b) return less(pool, kind, x.a, y.a);
    if (x.a != y.a) return 0;
    ExprKind unsigned_kind = kind == EXPR_SLT ? EXPR_ULT : kind == EXPR_SLE ? EXPR_ULE : kind;
    return less(pool, unsigned_kind, x.b, y.b);
}

/* With equal known signs both orders agree. */
static bool same_known_sign(const ExprPool *pool, Expr a, Expr b)
{
    ExprKnown x = expr__known(pool, a), y = expr__known(pool, b);
    return ((x.zeros & y.zeros) | (x.ones & y.ones)) >> (width_of(pool, a) - 1) & 1;
}

Expr rule_less(ExprPool *pool, ExprKind kind, Expr a, Expr b)
{
    if (a == b) return truth(pool, kind == EXPR_ULE || kind == EXPR_SLE);
    if (width_of(pool, a) == 1) return less_bit(pool, kind, a, b);
    if (is_signed_kind(kind) && same_known_sign(pool, a, b)) return less(pool, kind == EXPR_SLT ? EXPR_ULT : EXPR_ULE, a, b);
    if (is_const(pool, a) || is_const(pool, b)) return less_than_const(pool, kind, a, b);
    return less_structure(pool, kind, a, b);
}
