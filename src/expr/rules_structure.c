/* Structure: EXTRACT, CONCAT, ZEXT, SEXT.
 *
 * What merely moves bits (constant shifts, masks, products by powers of two, bytes written and read back) is expressed by these four alone.
 * Their normal form: a CONCAT is nested to the right and no two neighbours could be one piece; ZEXT stands for a zero on top, SEXT for a
 * repeated sign on top; ZEXT and SEXT stand outside of CONCATs they begin.
 *
 * The invariant that memory relies on: the bytes of a value, put together again in any order of nesting, are the value itself.  EXTRACT
 * therefore only goes into an operator where the rest of the value keeps a piece that still names it (an anchor); CONCAT asks whether
 * its neighbour is the adjoining part of such a piece, and takes the whole. */
#include "expr/expr_int.h"

static Expr concat(ExprPool *pool, Expr high, Expr low)
{
    return expr_binary(pool, EXPR_CONCAT, high, low);
}

/* ---- CONCAT ---- */

/* Is `part` what one gets by extracting it from `whole`?  Leaves no node behind. */
static bool is_part(ExprPool *pool, Expr whole, unsigned low, Expr part)
{
    uint32_t before = pool->count;
    bool is = expr_extract(pool, whole, low, width_of(pool, part)) == part;
    expr__forget(pool, before);
    return is;
}

/* The bits of `whole` from `at` on: how many agree with the value, being known? */
static unsigned agreeing(const ExprPool *pool, Expr whole, unsigned at, unsigned limit, U128 value)
{
    ExprKnown known = expr__known(pool, whole);
    U128 mask = arith_mask(limit), wrong = mask & ~((value & known.ones >> at) | (~value & known.zeros >> at));
    return trailing_zeros(wrong, limit);
}

/* A constant above an extraction: bits of it that the value has there anyway are taken from the value. */
static Expr extend_up(ExprPool *pool, U128 value, unsigned width, Expr low)
{
    if (!is_kind(pool, low, EXPR_EXTRACT)) return 0;
    Expr whole = operand_a(pool, low);
    unsigned at = operand_b(pool, low), next = at + width_of(pool, low), room = width_of(pool, whole) - next;
    unsigned taken = room ? agreeing(pool, whole, next, room < width ? room : width, value) : 0;
    if (!taken) return 0;
    Expr extended = expr_extract(pool, whole, at, width_of(pool, low) + taken);
    return taken == width ? extended : concat(pool, expr_const(pool, width - taken, value >> taken), extended);
}

/* The same with a constant below. */
static Expr extend_down(ExprPool *pool, Expr high, U128 value, unsigned width)
{
    if (!is_kind(pool, high, EXPR_EXTRACT)) return 0;
    Expr whole = operand_a(pool, high);
    unsigned at = operand_b(pool, high), limit = at < width ? at : width, taken = 0;
    ExprKnown known = expr__known(pool, whole);
    while (taken < limit && ((value >> (width - 1 - taken) & 1 ? known.ones : known.zeros) >> (at - 1 - taken) & 1)) taken++;
    if (!taken) return 0;
    Expr extended = expr_extract(pool, whole, at - taken, width_of(pool, high) + taken);
    return taken == width ? extended : concat(pool, extended, expr_const(pool, width - taken, value));
}

static Expr join_parts(ExprPool *pool, Expr high, Expr low)
{
    unsigned high_width = width_of(pool, high), low_width = width_of(pool, low), width = high_width + low_width;
    if (is_kind(pool, high, EXPR_EXTRACT)) {
        Expr whole = operand_a(pool, high);
        unsigned at = operand_b(pool, high);
        if (at >= low_width && is_part(pool, whole, at - low_width, low)) return expr_extract(pool, whole, at - low_width, width);
    }
    if (is_kind(pool, low, EXPR_EXTRACT)) {
        Expr whole = operand_a(pool, low);
        unsigned at = operand_b(pool, low), next = at + low_width;
        if (next + high_width <= width_of(pool, whole) && is_part(pool, whole, next, high)) return expr_extract(pool, whole, at, width);
    }
    return 0;
}

/* A sign bit, once or repeated, above the value it is the sign of. */
static Expr join_sign(ExprPool *pool, Expr high, Expr low)
{
    Expr sign = is_kind(pool, high, EXPR_SEXT) ? operand_a(pool, high) : high;
    if (width_of(pool, sign) != 1 || is_const(pool, low)) return 0;
    if (low == sign || is_part(pool, low, width_of(pool, low) - 1, sign))
        return expr_sext(pool, low, width_of(pool, high) + width_of(pool, low));
    return 0;
}

/* Single bits of a negated value are negated bits. */
static Expr join_negated(ExprPool *pool, Expr high, Expr low)
{
    if (!is_kind(pool, high, EXPR_NOT) || !is_kind(pool, low, EXPR_NOT)) return 0;
    Expr joined = join_parts(pool, operand_a(pool, high), operand_a(pool, low));
    return joined ? expr_not(pool, joined) : 0;
}

/* What two neighbours become together, or 0. */
static Expr join(ExprPool *pool, Expr high, Expr low)
{
    if (is_const(pool, high) && is_const(pool, low)) return concat(pool, high, low);
    if (is_const(pool, high)) return extend_up(pool, const_value(pool, high), width_of(pool, high), low);
    Expr joined = is_const(pool, low) ? extend_down(pool, high, const_value(pool, low), width_of(pool, low)) : 0;
    if (!joined) joined = join_parts(pool, high, low);
    return joined ? joined : join_negated(pool, high, low);
}

/* The first piece of a value put together, or 0; *rest is what follows it. */
static Expr first_piece(ExprPool *pool, Expr e, Expr *rest)
{
    if (is_kind(pool, e, EXPR_CONCAT)) {
        *rest = operand_b(pool, e);
        return operand_a(pool, e);
    }
    if (!is_kind(pool, e, EXPR_ZEXT)) return 0;
    *rest = operand_a(pool, e);
    return expr_const(pool, width_of(pool, e) - width_of(pool, *rest), 0);
}

Expr rule_concat(ExprPool *pool, Expr high, Expr low)
{
    if (is_kind(pool, high, EXPR_CONCAT)) return concat(pool, operand_a(pool, high), concat(pool, operand_b(pool, high), low));
    Expr joined = join(pool, high, low);
    if (joined) return joined;
    Expr rest, first = first_piece(pool, low, &rest);
    joined = first ? join(pool, high, first) : 0;
    if (joined) return concat(pool, joined, rest);
    joined = is_const(pool, high) ? 0 : join_sign(pool, high, low);
    if (joined) return joined;
    unsigned width = width_of(pool, high) + width_of(pool, low);
    if (is_kind(pool, high, EXPR_ZEXT)) return expr_zext(pool, concat(pool, operand_a(pool, high), low), width);
    if (is_kind(pool, high, EXPR_SEXT)) return expr_sext(pool, concat(pool, operand_a(pool, high), low), width);
    return is_zero(pool, high) ? expr_zext(pool, low, width) : 0;
}

/* ---- extension ---- */

Expr rule_zext(ExprPool *pool, Expr a, unsigned width)
{
    if (is_kind(pool, a, EXPR_ZEXT)) return expr_zext(pool, operand_a(pool, a), width);
    if (is_kind(pool, a, EXPR_CONCAT) && is_const(pool, operand_a(pool, a))) { /* the zeros join a constant on top */
        Expr low = operand_b(pool, a);
        return concat(pool, expr_zext(pool, operand_a(pool, a), width - width_of(pool, low)), low);
    }
    unsigned added = width - width_of(pool, a);
    if (!is_kind(pool, a, EXPR_CONCAT)) return extend_up(pool, 0, added, a);
    Expr first = extend_up(pool, 0, added, operand_a(pool, a));
    return first ? concat(pool, first, operand_b(pool, a)) : 0;
}

Expr rule_sext(ExprPool *pool, Expr a, unsigned width)
{
    if (is_kind(pool, a, EXPR_SEXT)) return expr_sext(pool, operand_a(pool, a), width);
    U128 sign = sign_bit(width_of(pool, a));
    ExprKnown known = expr__known(pool, a);
    if (known.zeros & sign) return expr_zext(pool, a, width);
    if (known.ones & sign) return concat(pool, expr_const(pool, width - width_of(pool, a), ~(U128)0), a);
    return 0;
}

/* ---- EXTRACT ---- */

static Expr extract_concat(ExprPool *pool, Expr a, unsigned low, unsigned width)
{
    Expr upper = operand_a(pool, a), lower = operand_b(pool, a);
    unsigned split = width_of(pool, lower);
    if (low >= split) return expr_extract(pool, upper, low - split, width);
    if (low + width <= split) return expr_extract(pool, lower, low, width);
    return concat(pool, expr_extract(pool, upper, 0, low + width - split), expr_extract(pool, lower, low, split - low));
}

static Expr extract_extended(ExprPool *pool, Expr a, unsigned low, unsigned width)
{
    Expr inner = operand_a(pool, a);
    unsigned split = width_of(pool, inner);
    bool is_signed = is_kind(pool, a, EXPR_SEXT);
    if (low + width <= split) return expr_extract(pool, inner, low, width);
    if (low >= split) return is_signed ? expr_sext(pool, expr_extract(pool, inner, split - 1, 1), width) : expr_const(pool, width, 0);
    Expr kept = expr_extract(pool, inner, low, split - low);
    return is_signed ? expr_sext(pool, kept, width) : expr_zext(pool, kept, width);
}

/* Does the low part of e cost nothing: a constant, or bits named elsewhere; or a sum of such? */
static bool low_is_free(const ExprPool *pool, Expr e, unsigned width, unsigned fuel)
{
    const Node *node = expr__node(pool, e);
    switch (node->kind) {
    case EXPR_CONST: return true;
    case EXPR_ZEXT: case EXPR_SEXT: return width_of(pool, node->a) <= width || low_is_free(pool, node->a, width, fuel);
    case EXPR_CONCAT: return width_of(pool, node->b) <= width;
    case EXPR_ADD: case EXPR_SUB: case EXPR_MUL:
        return fuel && low_is_free(pool, node->a, width, fuel - 1) && low_is_free(pool, node->b, width, fuel - 1);
    default: return false;
    }
}

/* Sums wrap alike in fewer bits.  The upper part must keep an unknown bit: where that is, an extraction names the sum. */
static Expr extract_sum(ExprPool *pool, Expr a, unsigned low, unsigned width)
{
    enum { FUEL = 3 };
    if (low || !low_is_free(pool, a, width, FUEL)) return 0;
    ExprKnown known = expr__known(pool, a);
    U128 upper = arith_mask(width_of(pool, a)) & ~arith_mask(width);
    if (!(upper & ~(known.zeros | known.ones))) return 0;
    Node node = *expr__node(pool, a);
    return expr_binary(pool, node.kind, expr_extract(pool, node.a, 0, width), expr_extract(pool, node.b, 0, width));
}

/* Does every way to cut the value into bytes, wherever the first one ends, leave a byte that is not known and where the constant is neither
 * neutral nor absorbing throughout? */
static bool has_anchor(const ExprPool *pool, Expr a, U128 constant)
{
    ExprKnown known = expr__known(pool, a);
    unsigned width = width_of(pool, a);
    U128 open = arith_mask(width) & ~(known.zeros | known.ones);
    if (is_kind(pool, a, EXPR_XOR)) return constant & open;
    for (unsigned start = 1; start <= 8; start++) {
        bool found = false;
        for (unsigned low = 0, end = start; low < width && !found; low = end, end += 8) {
            U128 byte = arith_mask(end < width ? end : width) & ~arith_mask(low), part = constant & byte;
            found = part && part != byte && (open & byte);
        }
        if (!found) return false;
    }
    return true;
}

/* Where the constant changes nothing, the bits are the operand's. */
static Expr extract_masked(ExprPool *pool, Expr a, unsigned low, unsigned width)
{
    if (!is_const(pool, operand_b(pool, a))) return 0;
    U128 constant = const_value(pool, operand_b(pool, a)), part = constant >> low & arith_mask(width);
    U128 neutral = is_kind(pool, a, EXPR_AND) ? arith_mask(width) : 0;
    if (part != neutral || !has_anchor(pool, a, constant)) return 0;
    return expr_extract(pool, operand_a(pool, a), low, width);
}

/* One bit of a choice of constants is the condition, its negation or a constant. */
static Expr extract_choice(ExprPool *pool, Expr a, unsigned low, unsigned width)
{
    Node node = *expr__node(pool, a);
    if (width > 1 || !is_const(pool, node.b) || !is_const(pool, node.c)) return 0;
    bool yes = const_value(pool, node.b) >> low & 1, no = const_value(pool, node.c) >> low & 1;
    if (yes == no) return expr_const(pool, 1, yes);
    return yes ? node.a : expr_not(pool, node.a);
}

Expr rule_extract(ExprPool *pool, Expr a, unsigned low, unsigned width)
{
    switch (expr_kind(pool, a)) {
    case EXPR_EXTRACT: return expr_extract(pool, operand_a(pool, a), operand_b(pool, a) + low, width);
    case EXPR_CONCAT: return extract_concat(pool, a, low, width);
    case EXPR_ZEXT: case EXPR_SEXT: return extract_extended(pool, a, low, width);
    case EXPR_ADD: case EXPR_SUB: case EXPR_MUL: return extract_sum(pool, a, low, width);
    case EXPR_AND: case EXPR_OR: case EXPR_XOR: return extract_masked(pool, a, low, width);
    case EXPR_ITE: return extract_choice(pool, a, low, width);
    case EXPR_NOT: return width == 1 ? expr_not(pool, expr_extract(pool, operand_a(pool, a), low, 1)) : 0;
    default: return 0;
    }
}
