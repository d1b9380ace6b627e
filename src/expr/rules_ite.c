/* Choices.  A choice of two constants is the condition, repeated, wherever they differ the same way, if that takes few pieces; else it is
 * cut down to the bits where they differ.  So flags, masks made of conditions, and their bytes keep one form. */
#include "expr/expr_int.h"

static Expr concat(ExprPool *pool, Expr high, Expr low)
{
    return expr_binary(pool, EXPR_CONCAT, high, low);
}

enum { PIECES = 5 };

/* How the bit depends on the condition: 0 not at all, 1 as it is, 2 negated. */
static unsigned bit_role(U128 yes, U128 no, unsigned at)
{
    bool x = yes >> at & 1, y = no >> at & 1;
    return x == y ? 0 : x ? 1 : 2;
}

static unsigned end_of_run(U128 yes, U128 no, unsigned at, unsigned width)
{
    unsigned end = at + 1;
    while (end < width && bit_role(yes, no, end) == bit_role(yes, no, at)) end++;
    return end;
}

static unsigned count_pieces(U128 yes, U128 no, unsigned width)
{
    unsigned pieces = 0;
    for (unsigned at = 0; at < width; at = end_of_run(yes, no, at, width)) pieces++;
    return pieces;
}

/* Constants where both agree, the condition or its negation, repeated, where they do not. */
static Expr choose_in_pieces(ExprPool *pool, Expr condition, U128 yes, U128 no, unsigned width)
{
    Expr result = 0;
    for (unsigned at = 0, end; at < width; at = end) {
        end = end_of_run(yes, no, at, width);
        unsigned role = bit_role(yes, no, at);
        Expr piece = !role ? expr_const(pool, end - at, yes >> at)
                           : expr_sext(pool, role == 1 ? condition : expr_not(pool, condition), end - at);
        result = result ? concat(pool, piece, result) : piece;
    }
    return result;
}

static Expr choose_const(ExprPool *pool, Expr condition, Expr yes, Expr no)
{
    unsigned width = width_of(pool, yes);
    U128 x = const_value(pool, yes), y = const_value(pool, no);
    assert(x != y);
    if (count_pieces(x, y, width) <= PIECES) return choose_in_pieces(pool, condition, x, y, width);
    unsigned above = leading_zeros(x ^ y, width), below = trailing_zeros(x ^ y, width), core = width - above - below;
    Expr result = expr__intern(pool, EXPR_ITE, core, condition, expr_const(pool, core, x >> below), expr_const(pool, core, y >> below));
    if (below) result = concat(pool, result, expr_const(pool, below, x));
    return above ? concat(pool, expr_const(pool, above, x >> (width - above)), result) : result;
}

static Expr choose_bit(ExprPool *pool, Expr condition, Expr yes, Expr no)
{
    if (is_const(pool, yes)) return const_value(pool, yes) ? expr_or(pool, condition, no) : expr_and(pool, expr_not(pool, condition), no);
    if (is_const(pool, no)) return const_value(pool, no) ? expr_or(pool, expr_not(pool, condition), yes) : expr_and(pool, condition, yes);
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
