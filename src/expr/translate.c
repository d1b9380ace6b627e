/* Expressions rebuilt in another pool, or in the same one, with other expressions in place of some.
 *
 * Every node is rebuilt once per translation by the ordinary constructors, so what becomes constant folds.  Depth costs no stack. */
#include "expr/expr_int.h"

void expr_translation_init(ExprTranslation *t, ExprPool *from, ExprPool *to)
{
    *t = (ExprTranslation){.from = from, .to = to};
}

void expr_translation_release(ExprTranslation *t)
{
    map_release(&t->known);
    vec_release(&t->work);
    vec_release(&t->elements);
}

void expr_translation_set(ExprTranslation *t, Expr e, Expr becomes)
{
    REQUIRE(expr_width(t->from, e) == expr_width(t->to, becomes), "an expression of the same width");
    map_put(&t->known, e, becomes);
}

Expr expr_translated(const ExprTranslation *t, Expr e)
{
    const uint64_t *found = map_find(&t->known, e);
    return found ? (Expr)*found : 0;
}

static bool is_leaf(ExprKind kind)
{
    return kind == EXPR_CONST || kind == EXPR_VAR || kind == EXPR_UNDEF;
}

static Expr translate_leaf(ExprTranslation *t, Expr e)
{
    unsigned width = expr_width(t->from, e);
    if (t->from == t->to) {
        Expr becomes = t->variable && expr_kind(t->from, e) == EXPR_VAR ? t->variable(t->data, e) : 0;
        return becomes ? becomes : e;
    }
    switch (expr_kind(t->from, e)) {
    case EXPR_CONST: return expr_const(t->to, width, expr_value(t->from, e));
    case EXPR_UNDEF: return t->undef ? t->undef(t->data, width) : expr_undef(t->to, width);
    default: return t->variable ? t->variable(t->data, e) : expr_var(t->to, width, expr_var_name(t->from, e));
    }
}

/* Pushes the operands that are not translated yet; true: there are none. */
static bool has_operands(ExprTranslation *t, Expr e)
{
    uint32_t before = t->work.len;
    const Expr *elements;
    ExprKind kind = expr_kind(t->from, e);
    if (kind == EXPR_ARRAY || kind == EXPR_APPLY) {
        uint32_t count = expr_elements(t->from, e, &elements);
        for (uint32_t i = 0; i < count; i++)
            if (!map_find(&t->known, elements[i])) vec_push(&t->work, elements[i]);
    }
    for (unsigned i = 0; i < expr_operand_count(kind); i++) {
        Expr operand = expr_operand(t->from, e, i);
        if (!map_find(&t->known, operand)) vec_push(&t->work, operand);
    }
    return t->work.len == before;
}

Expr expr_with_operands(ExprPool *pool, Expr e, ExprPool *from, const Expr *operands)
{
    ExprKind kind = expr_kind(from, e);
    unsigned width = expr_width(from, e);
    const Expr *elements;
    switch (kind) {
    case EXPR_ARRAY: return expr_array(pool, width, operands, expr_elements(from, e, &elements));
    case EXPR_APPLY: return expr_apply(pool, expr_function(from, e), width, operands, expr_elements(from, e, &elements));
    case EXPR_EXTRACT: return expr_extract(pool, operands[0], expr_extract_low(from, e), width);
    case EXPR_ZEXT: return expr_zext(pool, operands[0], width);
    case EXPR_SEXT: return expr_sext(pool, operands[0], width);
    case EXPR_ITE: return expr_ite(pool, operands[0], operands[1], operands[2]);
    case EXPR_STORE: return expr_store(pool, operands[0], operands[1], operands[2]);
    case EXPR_SELECT: return expr_select(pool, operands[0], operands[1]);
    case EXPR_FTOSI:
    case EXPR_FTOUI:
    case EXPR_SITOF:
    case EXPR_UITOF:
    case EXPR_FCONVERT: return expr_convert(pool, kind, operands[0], width);
    default: return expr_operand_count(kind) == 1 ? expr_unary(pool, kind, operands[0]) : expr_binary(pool, kind, operands[0], operands[1]);
    }
}

static Expr rebuild(ExprTranslation *t, Expr e)
{
    const Expr *elements;
    ExprKind kind = expr_kind(t->from, e);
    vec_clear(&t->elements);
    if (kind == EXPR_ARRAY || kind == EXPR_APPLY) {
        uint32_t count = expr_elements(t->from, e, &elements);
        for (uint32_t i = 0; i < count; i++) vec_push(&t->elements, expr_translated(t, elements[i]));
    }
    for (unsigned i = 0; i < expr_operand_count(kind); i++) vec_push(&t->elements, expr_translated(t, expr_operand(t->from, e, i)));
    return expr_with_operands(t->to, e, t->from, t->elements.data);
}

Expr expr_translate(ExprTranslation *t, Expr e)
{
    Expr known = expr_translated(t, e);
    if (known) return known;
    uint32_t bottom = t->work.len;
    vec_push(&t->work, e);
    while (t->work.len > bottom) {
        Expr top = vec_top(&t->work);
        t->to->work++;
        if (map_find(&t->known, top)) {
            (void)vec_pop(&t->work);
        } else if (is_leaf(expr_kind(t->from, top))) {
            map_put(&t->known, top, translate_leaf(t, top));
            (void)vec_pop(&t->work);
        } else if (has_operands(t, top)) {
            map_put(&t->known, top, rebuild(t, top));
            (void)vec_pop(&t->work);
        }
    }
    return expr_translated(t, e);
}
