/* The pool's invariants, asserted one by one: every node is found through the hash table and only once, operands are older, widths fit,
 * nothing is left to fold, flags and known bits are those of the operands, side tables are in order. */
#include "expr/expr_int.h"

static void check_widths(const ExprPool *pool, const Node *node)
{
    unsigned width = node->width, a, b;
    switch (node->kind) {
    case EXPR_ITE: assert(width_of(pool, node->a) == 1 && width_of(pool, node->b) == width && width_of(pool, node->c) == width); return;
    case EXPR_STORE:
        assert(width_of(pool, node->a) == width && width_of(pool, node->b) == 64 && width_of(pool, node->c) == width);
        assert(node->d == expr_array_length(pool, node->a));
        return;
    case EXPR_SELECT: assert(width_of(pool, node->a) == width && width_of(pool, node->b) == 64); return;
    case EXPR_EXTRACT: assert(node->b + width <= width_of(pool, node->a) && width < width_of(pool, node->a)); return;
    case EXPR_ZEXT:
    case EXPR_SEXT: assert(width > width_of(pool, node->a)); return;
    case EXPR_FCONVERT:
    case EXPR_FTOSI:
    case EXPR_FTOUI:
    case EXPR_SITOF:
    case EXPR_UITOF: return;
    default: break;
    }
    unsigned operands = expr_operand_count(node->kind);
    if (!operands) return;
    a = width_of(pool, node->a);
    b = operands > 1 ? width_of(pool, node->b) : a;
    switch (node->kind) {
    case EXPR_CONCAT: assert(a + b == width); break;
    case EXPR_EQ:
    case EXPR_ULT:
    case EXPR_ULE:
    case EXPR_SLT:
    case EXPR_SLE:
    case EXPR_FEQ:
    case EXPR_FLT:
    case EXPR_FLE:
    case EXPR_FUNO: assert(a == b && width == 1); break;
    default: assert(a == b && a == width); break;
    }
    (void)a, (void)b, (void)width;
}

static uint8_t check_operand(const ExprPool *pool, Expr e, Expr operand, bool array)
{
    assert(operand > 0 && operand < e);
    const Node *node = expr__node(pool, operand);
    assert((node->kind == EXPR_ARRAY || node->kind == EXPR_STORE) == array);
    (void)e, (void)array;
    return node->flags & FLAG_INHERITED;
}

static void check_flags(const ExprPool *pool, Expr e)
{
    const Node *node = expr__node(pool, e);
    bool of_array = node->kind == EXPR_STORE || node->kind == EXPR_SELECT;
    uint8_t flags = node->kind == EXPR_UNDEF ? FLAG_UNDEF : node->kind == EXPR_APPLY ? FLAG_APPLY : 0;
    bool constant = expr_operand_count(node->kind) > 0;
    for (unsigned i = 0; i < expr_operand_count(node->kind); i++) {
        flags |= check_operand(pool, e, expr_operand(pool, e, i), of_array && i == 0);
        constant &= is_const(pool, expr_operand(pool, e, i));
    }
    assert(!constant); /* it would have been folded */
    bool is_list = node->kind == EXPR_ARRAY || node->kind == EXPR_APPLY;
    for (uint32_t i = 0; is_list && i < node->b; i++) flags |= check_operand(pool, e, pool->elements[node->a + i], false);
    assert((node->flags & FLAG_INHERITED) == flags);
    (void)flags, (void)constant;
}

static void check_known(const ExprPool *pool, Expr e)
{
    const Node *node = expr__node(pool, e);
    ExprKnown kept = expr__known(pool, e), fresh = expr__known_of_node(pool, node);
    assert(!memcmp(&kept, &fresh, sizeof kept));
    assert(!(kept.zeros & kept.ones) && kept.low <= kept.high && kept.high <= arith_mask(node->width));
    assert(kept.ones <= kept.low && kept.high <= (arith_mask(node->width) & ~kept.zeros));
    (void)kept, (void)fresh;
}

void expr_check(const ExprPool *pool)
{
    uint32_t vars = 0, elements = 0, hashed = 0, narrow = 0, wide = 0;
    assert(pool->count >= 1 && pool->depth == 0);
    for (Expr e = 1; e < pool->count; e++) {
        const Node *node = expr__node(pool, e);
        assert(node->kind > EXPR_NONE && node->kind < EXPR_KINDS && node->width >= 1 && node->width <= 128);
        check_flags(pool, e);
        check_widths(pool, node);
        check_known(pool, e);
        if (pool->known_at[e]) {
            uint32_t *stored = node->width > 64 ? &wide : &narrow;
            ++*stored;
            assert(pool->known_at[e] == *stored);
        }
        if (node->kind == EXPR_CONST) assert(!(node_value(node) & ~arith_mask(node->width)));
        if (node->kind == EXPR_ARRAY || node->kind == EXPR_APPLY) {
            assert(node->a == elements);
            elements += node->b;
        }
        if (node->kind == EXPR_VAR) {
            assert(node->a == vars && pool->vars.data[vars].id == e);
            vars++;
        }
        if (node->kind == EXPR_VAR || node->kind == EXPR_UNDEF) continue;
        assert(node->hash == expr__hash(pool, node) && expr__find(pool, node) == e);
        hashed += !(node->flags & FLAG_IN_LINE);
    }
    assert(vars == pool->vars.len && elements == pool->element_count && hashed == pool->table_used);
    assert(narrow == pool->narrow.len && wide == pool->wide.len);
    (void)vars, (void)elements, (void)hashed, (void)narrow, (void)wide;
}
