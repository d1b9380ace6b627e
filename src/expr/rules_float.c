/* Floats.  Only what holds for every bit pattern, NaNs and signed zeros included: arithmetic is left alone (x * 1 is not x where x is a
 * signalling NaN), comparisons know what a NaN, an operand against itself, and an exact conversion mean. */
#include "expr/expr_int.h"

static bool is_nan_bits(unsigned width, U128 bits)
{
    return expr_fold(EXPR_FUNO, 1, width, bits, bits, 0);
}

static bool is_nan_const(const ExprPool *pool, Expr e)
{
    return is_const(pool, e) && is_nan_bits(width_of(pool, e), const_value(pool, e));
}

static bool is_never_nan(const ExprPool *pool, Expr e)
{
    const Node *node = expr__node(pool, e);
    if (node->kind == EXPR_CONST) return !is_nan_const(pool, e);
    return node->kind == EXPR_SITOF || node->kind == EXPR_UITOF;
}

static Expr unordered(ExprPool *pool, Expr a, Expr b)
{
    if (is_nan_const(pool, a) || is_nan_const(pool, b)) return expr_const(pool, 1, 1);
    bool a_never = is_never_nan(pool, a), b_never = is_never_nan(pool, b);
    if (a_never && b_never) return expr_const(pool, 1, 0);
    if (a == b) return 0;
    if (a_never) return expr_binary(pool, EXPR_FUNO, b, b);
    return b_never ? expr_binary(pool, EXPR_FUNO, a, a) : 0;
}

/* A conversion to a wider format is exact and keeps order and NaN. */
static Expr unconverted(ExprPool *pool, ExprKind kind, Expr a, Expr b)
{
    if (!is_kind(pool, a, EXPR_FCONVERT) || !is_kind(pool, b, EXPR_FCONVERT)) return 0;
    Expr x = operand_a(pool, a), y = operand_a(pool, b);
    if (width_of(pool, x) != width_of(pool, y) || width_of(pool, x) > width_of(pool, a)) return 0;
    return expr_binary(pool, kind, x, y);
}

Expr rule_float(ExprPool *pool, ExprKind kind, Expr a, Expr b)
{
    if (kind != EXPR_FEQ && kind != EXPR_FLT && kind != EXPR_FLE && kind != EXPR_FUNO) return 0;
    Expr result = unconverted(pool, kind, a, b);
    if (result) return result;
    if (kind == EXPR_FUNO) return unordered(pool, a, b);
    if (is_nan_const(pool, a) || is_nan_const(pool, b)) return expr_const(pool, 1, 0);
    if (a != b) return 0;
    return kind == EXPR_FLT ? expr_const(pool, 1, 0) : expr_not(pool, expr_binary(pool, EXPR_FUNO, a, a));
}
