/* Text of expressions: (add x 0x5:32), (extract 8 8 x) with low bit and width, (zext 32 x), (array ...), (apply name ...).
 * Kept free of recursion: the stack holds what is still to be written, expressions and closing brackets. */
#include "expr/expr_int.h"

static void print_const(U128 value, unsigned width, StrBuf *out)
{
    uint64_t high = (uint64_t)(value >> 64), low = (uint64_t)value;
    if (high) strbuf_addf(out, "0x%llx%016llx:%u", (unsigned long long)high, (unsigned long long)low, width);
    else strbuf_addf(out, "0x%llx:%u", (unsigned long long)low, width);
}

/* What stands before the operands. */
static void print_head(const Node *node, StrBuf *out)
{
    strbuf_addf(out, "(%s", expr_kind_name(node->kind));
    switch (node->kind) {
    case EXPR_EXTRACT: strbuf_addf(out, " %u %u", node->b, node->width); break;
    case EXPR_ZEXT:
    case EXPR_SEXT:
    case EXPR_FCONVERT:
    case EXPR_FTOSI:
    case EXPR_FTOUI:
    case EXPR_SITOF:
    case EXPR_UITOF: strbuf_addf(out, " %u", node->width); break;
    case EXPR_APPLY: strbuf_addf(out, " %s", ((const ExprFunction *)(uintptr_t)node->word[1])->name); break;
    default: break;
    }
}

void expr_print(const ExprPool *pool, Expr e, StrBuf *out)
{
    enum { CLOSE = 0 };
    Vec(Expr) work = {0};
    vec_push(&work, e);
    bool space = false;
    while (work.len) {
        Expr next = vec_pop(&work);
        if (next == CLOSE) {
            strbuf_add(out, ")");
            continue;
        }
        if (space) strbuf_add(out, " ");
        space = true;
        const Node *node = expr__node(pool, next);
        switch (node->kind) {
        case EXPR_CONST: print_const(node_value(node), node->width, out); continue;
        case EXPR_VAR: strbuf_add(out, expr_var_name(pool, next)); continue;
        case EXPR_UNDEF: strbuf_addf(out, "undef%u:%u", node->a, node->width); continue;
        default: break;
        }
        print_head(node, out);
        vec_push(&work, CLOSE);
        if (node->kind == EXPR_ARRAY || node->kind == EXPR_APPLY)
            for (uint32_t i = node->b; i-- > 0;) vec_push(&work, pool->elements[node->a + i]);
        for (unsigned i = expr_operand_count(node->kind); i-- > 0;) vec_push(&work, expr_operand(pool, next, i));
    }
    vec_release(&work);
}
