/* Arrays: reading through writes.  Two indexes are provably different if their known bits or intervals say so, or if they are the same
 * expression plus different constants.  The walk through a chain of writes is bounded; reading then starts where it stopped. */
#include "expr/expr_int.h"

enum { WALK = 256 };

static bool is_inside(const ExprPool *pool, Expr array, Expr index)
{
    return expr__known(pool, index).high < expr_array_length(pool, array);
}

static bool is_outside(const ExprPool *pool, Expr array, Expr index)
{
    return expr__known(pool, index).low >= expr_array_length(pool, array);
}

static Expr without_constant(const ExprPool *pool, Expr index)
{
    return has_const(pool, index, EXPR_ADD) ? operand_a(pool, index) : index;
}

static bool differ(const ExprPool *pool, Expr a, Expr b)
{
    if (a == b) return false;
    ExprKnown x = expr__known(pool, a), y = expr__known(pool, b);
    if ((x.zeros & y.ones) || (x.ones & y.zeros) || x.high < y.low || y.high < x.low) return true;
    return without_constant(pool, a) == without_constant(pool, b);
}

Expr rule_store(ExprPool *pool, Expr array, Expr index, Expr element)
{
    if (is_outside(pool, array, index)) return array;
    if (is_kind(pool, array, EXPR_STORE) && operand_b(pool, array) == index)
        return expr_store(pool, operand_a(pool, array), index, element);
    if (!is_kind(pool, element, EXPR_SELECT) || operand_b(pool, element) != index) return 0;
    return operand_a(pool, element) == array ? array : 0; /* what was there already */
}

static Expr select_element(ExprPool *pool, Expr array, Expr index)
{
    const Node *node = expr__node(pool, array);
    assert(node->kind == EXPR_ARRAY);
    if (is_outside(pool, array, index)) return expr_const(pool, node->width, 0);
    if (is_const(pool, index)) return pool->elements[node->a + (uint32_t)const_value(pool, index)];
    return (node->flags & FLAG_UNIFORM) && is_inside(pool, array, index) ? pool->elements[node->a] : 0;
}

static Expr select_stored(ExprPool *pool, Expr store, Expr index)
{
    Expr element = expr__node(pool, store)->c;
    if (is_inside(pool, store, index)) return element;
    Expr inside = expr_binary(pool, EXPR_ULT, index, expr_const(pool, 64, expr_array_length(pool, store)));
    return expr_ite(pool, inside, element, expr_const(pool, width_of(pool, store), 0));
}

Expr rule_select(ExprPool *pool, Expr array, Expr index)
{
    for (unsigned i = 0; i < WALK && is_kind(pool, array, EXPR_STORE); i++) {
        Expr at = operand_b(pool, array);
        if (at == index) return select_stored(pool, array, index);
        if (!differ(pool, at, index)) break;
        array = operand_a(pool, array);
    }
    Expr element = is_kind(pool, array, EXPR_ARRAY) ? select_element(pool, array, index) : 0;
    return element ? element : expr__intern(pool, EXPR_SELECT, width_of(pool, array), array, index, 0);
}
