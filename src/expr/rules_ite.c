/* Choices.  A choice of two constants is cut down to the bits where they differ; if these are all ones against all zeros, it is the condition,
 * repeated.  So flags, masks made of conditions and their bytes keep one form. */
#include "expr/expr_int.h"

static Expr concat(ExprPool *pool, Expr high, Expr low)
{
    return expr_binary(pool, EXPR_CONCAT, high, low);
}

/* The constants differ in the first bit and in the last: two bits are the condition and its negation. */
static Expr choice_core(ExprPool *pool, Expr condition, unsigned width, U128 yes, U128 no)
{
    U128 mask = arith_mask(width);
    if (yes == mask && !no) return expr_sext(pool, condition, width);
    if (no == mask && !yes) return expr_sext(pool, expr_not(pool, condition), width);
    if (width == 2) return yes == 1 ? concat(pool, expr_not(pool, condition), condition) : concat(pool, condition, expr_not(pool, condition));
    return expr__intern(pool, EXPR_ITE, width, condition, expr_const(pool, width, yes), expr_const(pool, width, no));
}

static Expr choose_const(ExprPool *pool, Expr condition, Expr yes, Expr no)
{
    unsigned width = width_of(pool, yes);
    U128 x = const_value(pool, yes), y = const_value(pool, no);
    assert(x != y);
    unsigned above = leading_zeros(x ^ y, width), below = trailing_zeros(x ^ y, width), core = width - above - below;
    Expr result = choice_core(pool, condition, core, x >> below & arith_mask(core), y >> below & arith_mask(core));
    if (below) result = concat(pool, result, expr_const(pool, below, x));
    return above ? concat(pool, expr_const(pool, above, x >> (width - above)), result) : result;
}

static Expr choose_bit(ExprPool *pool, Expr condition, Expr yes, Expr no)
{
    if (is_const(pool, yes))
        return const_value(pool, yes) ? expr_or(pool, condition, no) : expr_and(pool, expr_not(pool, condition), no);
    if (is_const(pool, no))
        return const_value(pool, no) ? expr_or(pool, expr_not(pool, condition), yes) : expr_and(pool, condition, yes);
    if (yes == condition) return expr_or(pool, condition, no);
    if (no == condition) return expr_and(pool, condition, yes);
    return expr__complements(pool, yes, no) ? expr_eq(pool, condition, yes) : 0;
}

/* Arms that choose again. */
static Expr choose_nested(ExprPool *pool, Expr condition, Expr yes, Expr no)
{
    Node x = *expr__node(pool, yes), y = *expr__node(pool, no);
    if (x.kind == EXPR_ITE) {
        if (x.a == condition) return expr_ite(pool, condition, x.b, no);
        if (x.c == no) return expr_ite(pool, expr_and(pool, condition, x.a), x.b, no);
        if (x.b == no) return expr_ite(pool, expr_and(pool, condition, expr_not(pool, x.a)), x.c, no);
    }
    if (y.kind == EXPR_ITE) {
        if (y.a == condition) return expr_ite(pool, condition, yes, y.c);
        if (y.b == yes) return expr_ite(pool, expr_or(pool, condition, y.a), yes, y.c);
        if (y.c == yes) return expr_ite(pool, expr_or(pool, condition, expr_not(pool, y.a)), yes, y.b);
    }
    return 0;
}

/* Both arms extended from the same width. */
static Expr choose_extended(ExprPool *pool, Expr condition, Expr yes, Expr no)
{
    Node x = *expr__node(pool, yes), y = *expr__node(pool, no);
    if (x.kind != y.kind || (x.kind != EXPR_ZEXT && x.kind != EXPR_SEXT)) return 0;
    if (width_of(pool, x.a) != width_of(pool, y.a)) return 0;
    Expr inner = expr_ite(pool, condition, x.a, y.a);
    return x.kind == EXPR_ZEXT ? expr_zext(pool, inner, x.width) : expr_sext(pool, inner, x.width);
}

Expr rule_ite(ExprPool *pool, Expr condition, Expr yes, Expr no)
{
    const Node *node = expr__node(pool, condition);
    if (node->kind == EXPR_NOT) return expr_ite(pool, node->a, no, yes);
    if (node->kind == EXPR_EQ && ((node->a == yes && node->b == no) || (node->a == no && node->b == yes))) return no;
    Expr result = width_of(pool, yes) == 1 ? choose_bit(pool, condition, yes, no) : 0;
    if (result) return result;
    if (is_const(pool, yes) && is_const(pool, no)) return choose_const(pool, condition, yes, no);
    result = choose_nested(pool, condition, yes, no);
    return result ? result : choose_extended(pool, condition, yes, no);
}
