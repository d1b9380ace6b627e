/* Structure: EXTRACT, CONCAT, ZEXT, SEXT.
 *
 * What merely moves bits (constant shifts, masks, products by powers of two, bytes written and read back) is expressed by these four
 * alone. Their normal form: a CONCAT is nested to the right and no two neighbours could be one piece; ZEXT stands for a zero on top, SEXT
 * for a repeated sign on top; ZEXT and SEXT stand outside of CONCATs they begin.
 *
 * The invariant that memory relies on: the bytes of a value, put together again in any order of nesting, are the value itself.  EXTRACT
 * therefore goes into no operator but a sum, and there only if the rest of the value keeps a part that names the sum; known bits at the
 * ends of a part are constants beside it; and CONCAT asks whether its operands, constants between them included, are adjoining parts. */
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

/* Are these bits of e known to be the low bits of the value? */
static bool has_bits(const ExprPool *pool, Expr e, unsigned low, unsigned width, U128 value)
{
    ExprKnown known = expr__known(pool, e);
    U128 mask = arith_mask(width);
    return (known.ones >> low & mask) == (value & mask) && (known.zeros >> low & mask) == (~value & mask);
}

/* Parts of one value that adjoin: one part. */
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

/* An extraction above a constant that its value has there, above another part of the value. */
static Expr join_across(ExprPool *pool, Expr high, Expr constant, Expr low)
{
    if (!is_kind(pool, high, EXPR_EXTRACT)) return 0;
    Expr whole = operand_a(pool, high), rest = 0, part = is_kind(pool, low, EXPR_CONCAT) ? first_piece(pool, low, &rest) : low;
    unsigned at = operand_b(pool, high), between = width_of(pool, constant), part_width = width_of(pool, part);
    if (at < between + part_width || !has_bits(pool, whole, at - between, between, const_value(pool, constant))) return 0;
    unsigned start = at - between - part_width;
    if (!is_part(pool, whole, start, part)) return 0;
    Expr joined = expr_extract(pool, whole, start, at + width_of(pool, high) - start);
    return rest ? concat(pool, joined, rest) : joined;
}

/* All of a value that is not known, with constants around it that are the known rest: the value.  `above` are the constant bits on top of
 * the part, `below` what follows it, or 0. */
static Expr complete(ExprPool *pool, U128 above, unsigned above_width, Expr part, Expr below)
{
    if (!is_kind(pool, part, EXPR_EXTRACT)) return 0;
    Expr whole = operand_a(pool, part), tail = 0;
    unsigned at = operand_b(pool, part), end = at + width_of(pool, part), top = width_of(pool, whole) - end;
    if (top > above_width || (top && !has_bits(pool, whole, end, top, above))) return 0;
    if (at) {
        Expr constant = !below || is_const(pool, below) ? below : first_piece(pool, below, &tail);
        if (!constant || !is_const(pool, constant) || width_of(pool, constant) < at) return 0;
        unsigned left = width_of(pool, constant) - at;
        if (!has_bits(pool, whole, 0, at, const_value(pool, constant) >> left)) return 0;
        below = left ? expr_const(pool, left, const_value(pool, constant)) : 0;
        if (tail) below = below ? concat(pool, below, tail) : tail;
    }
    if (below) whole = concat(pool, whole, below);
    if (above_width == top) return whole;
    return concat(pool, expr_const(pool, above_width - top, above >> top), whole);
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

static Expr concat_const(ExprPool *pool, Expr high, Expr low)
{
    Expr rest, first = first_piece(pool, low, &rest);
    if (first && is_const(pool, first)) {
        if (is_zero(pool, high) && is_zero(pool, first)) return expr_zext(pool, rest, width_of(pool, high) + width_of(pool, low));
        if (is_kind(pool, low, EXPR_CONCAT) || !is_zero(pool, high)) return concat(pool, concat(pool, high, first), rest);
    }
    Expr whole = complete(pool, const_value(pool, high), width_of(pool, high), first ? first : low, first ? rest : 0);
    if (whole) return whole;
    return is_zero(pool, high) ? expr_zext(pool, low, width_of(pool, high) + width_of(pool, low)) : 0;
}

Expr rule_concat(ExprPool *pool, Expr high, Expr low)
{
    if (is_kind(pool, high, EXPR_CONCAT)) return concat(pool, operand_a(pool, high), concat(pool, operand_b(pool, high), low));
    if (is_const(pool, high)) return concat_const(pool, high, low);
    Expr joined = is_const(pool, low) ? 0 : join_parts(pool, high, low);
    if (joined) return joined;
    Expr rest, first = first_piece(pool, low, &rest);
    if (first && is_const(pool, first)) {
        joined = join_across(pool, high, first, rest);
        if (joined) return joined;
    } else if (first) {
        joined = join_parts(pool, high, first);
        if (joined) return concat(pool, joined, rest);
    }
    joined = complete(pool, 0, 0, high, low);
    if (!joined) joined = join_sign(pool, high, low);
    if (joined) return joined;
    unsigned width = width_of(pool, high) + width_of(pool, low);
    if (is_kind(pool, high, EXPR_ZEXT)) return expr_zext(pool, concat(pool, operand_a(pool, high), low), width);
    return is_kind(pool, high, EXPR_SEXT) ? expr_sext(pool, concat(pool, operand_a(pool, high), low), width) : 0;
}

/* ---- extension ---- */

Expr rule_zext(ExprPool *pool, Expr a, unsigned width)
{
    if (is_kind(pool, a, EXPR_ZEXT)) return expr_zext(pool, operand_a(pool, a), width);
    unsigned added = width - width_of(pool, a);
    if (!is_kind(pool, a, EXPR_CONCAT)) return complete(pool, 0, added, a, 0);
    Expr first = operand_a(pool, a), rest = operand_b(pool, a);
    if (is_const(pool, first)) return concat(pool, expr_zext(pool, first, added + width_of(pool, first)), rest);
    return complete(pool, 0, added, first, rest);
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
    case EXPR_ZEXT:
    case EXPR_SEXT: return width_of(pool, node->a) <= width || low_is_free(pool, node->a, width, fuel);
    case EXPR_CONCAT: return width_of(pool, node->b) <= width;
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL: return fuel && low_is_free(pool, node->a, width, fuel - 1) && low_is_free(pool, node->b, width, fuel - 1);
    default: return false;
    }
}

static bool is_structure(const ExprPool *pool, Expr e)
{
    ExprKind kind = expr_kind(pool, e);
    return kind == EXPR_CONST || kind == EXPR_CONCAT || kind == EXPR_EXTRACT || kind == EXPR_ZEXT || kind == EXPR_SEXT;
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
    uint32_t before = pool->count;
    Expr narrow = expr_binary(pool, node.kind, expr_extract(pool, node.a, 0, width), expr_extract(pool, node.b, 0, width));
    if (!is_structure(pool, narrow)) return narrow;
    expr__forget(pool, before); /* it could join what stands below it and be lost */
    return 0;
}

/* Known bits at the ends of a part are constants beside it: so there is one form whichever way it was cut. */
static Expr extract_trimmed(ExprPool *pool, Expr a, unsigned low, unsigned width)
{
    ExprKnown known = expr__known(pool, a);
    U128 mask = arith_mask(width), open = mask & ~((known.zeros | known.ones) >> low);
    if (!open) return expr_const(pool, width, known.ones >> low);
    unsigned top = leading_zeros(open, width), bottom = trailing_zeros(open, width);
    if (!top && !bottom) return 0;
    Expr result = expr_extract(pool, a, low + bottom, width - top - bottom);
    if (bottom) result = concat(pool, result, expr_const(pool, bottom, known.ones >> low));
    return top ? concat(pool, expr_const(pool, top, known.ones >> (low + width - top)), result) : result;
}

Expr rule_extract(ExprPool *pool, Expr a, unsigned low, unsigned width)
{
    switch (expr_kind(pool, a)) {
    case EXPR_EXTRACT: return expr_extract(pool, operand_a(pool, a), operand_b(pool, a) + low, width);
    case EXPR_CONCAT: return extract_concat(pool, a, low, width);
    case EXPR_ZEXT:
    case EXPR_SEXT: return extract_extended(pool, a, low, width);
    default: break;
    }
    Expr trimmed = extract_trimmed(pool, a, low, width);
    if (trimmed) return trimmed;
    bool is_sum = is_kind(pool, a, EXPR_ADD) || is_kind(pool, a, EXPR_SUB) || is_kind(pool, a, EXPR_MUL);
    return is_sum ? extract_sum(pool, a, low, width) : 0;
}
