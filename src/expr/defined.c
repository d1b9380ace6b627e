/* Definedness, bottom up with a stack of its own: expressions are deep where a loop has written an array. */
#include "expr/defined.h"

typedef struct Finder {
    ExprDefined *all;
    ExprPool *pool;
    bool waits; /* for parts that were put on the stack */
} Finder;

static bool is_array(const ExprPool *pool, Expr e)
{
    return expr_kind(pool, e) == EXPR_ARRAY || expr_kind(pool, e) == EXPR_STORE;
}

/* Its condition; if it is not known yet it has to be found first, and what is returned means nothing. */
static Expr of(Finder *f, Expr e)
{
    Expr yes = expr_const(f->pool, 1, 1);
    if (!is_array(f->pool, e) && !expr_has_undef(f->pool, e)) return yes;
    const uint64_t *found = map_find(&f->all->known, e);
    if (found) return (Expr)*found;
    vec_push(&f->all->work, e);
    f->waits = true;
    return yes;
}

static Expr of_elements(Finder *f, Expr array)
{
    const Expr *elements;
    uint32_t count = expr_elements(f->pool, array, &elements);
    vec_clear(&f->all->parts);
    for (uint32_t i = 0; i < count; i++) {
        expr_elements(f->pool, array, &elements); /* building may have moved them */
        vec_push(&f->all->parts, of(f, elements[i]));
    }
    return f->waits ? 0 : expr_array(f->pool, 1, f->all->parts.data, count);
}

static Expr of_store(Finder *f, Expr e)
{
    Expr below = of(f, expr_operand(f->pool, e, 0)), element = of(f, expr_operand(f->pool, e, 2));
    return f->waits ? 0 : expr_store(f->pool, below, expr_operand(f->pool, e, 1), element);
}

static Expr of_select(Finder *f, Expr e)
{
    Expr index = expr_operand(f->pool, e, 1), bits = of(f, expr_operand(f->pool, e, 0)), has_index = of(f, index);
    return f->waits ? 0 : expr_and(f->pool, has_index, expr_select(f->pool, bits, index));
}

static Expr of_choice(Finder *f, Expr test, Expr yes, Expr no)
{
    Expr has_test = of(f, test), has_yes = of(f, yes), has_no = of(f, no);
    return f->waits ? 0 : expr_and(f->pool, has_test, expr_ite(f->pool, test, has_yes, has_no));
}

/* A part of a choice may be defined where the whole is not. */
static Expr of_part(Finder *f, Expr e)
{
    unsigned low = expr_extract_low(f->pool, e), width = expr_width(f->pool, e);
    Expr choice = expr_operand(f->pool, e, 0), test = expr_operand(f->pool, choice, 0), no = expr_operand(f->pool, choice, 2);
    Expr yes = expr_extract(f->pool, expr_operand(f->pool, choice, 1), low, width);
    return of_choice(f, test, yes, expr_extract(f->pool, no, low, width));
}

/* One side alone decides a conjunction that it makes false, a disjunction that it makes true. */
static Expr of_logical(Finder *f, Expr e)
{
    ExprPool *pool = f->pool;
    bool is_and = expr_kind(pool, e) == EXPR_AND;
    Expr a = expr_operand(pool, e, 0), b = expr_operand(pool, e, 1), has_a = of(f, a), has_b = of(f, b);
    if (f->waits) return 0;
    Expr by_a = expr_and(pool, has_a, is_and ? expr_not(pool, a) : a), by_b = expr_and(pool, has_b, is_and ? expr_not(pool, b) : b);
    return expr_or(pool, expr_and(pool, has_a, has_b), expr_or(pool, by_a, by_b));
}

static Expr of_operands(Finder *f, Expr e)
{
    Expr all = expr_const(f->pool, 1, 1);
    unsigned count = expr_operand_count(expr_kind(f->pool, e));
    for (unsigned i = 0; i < count; i++) (void)of(f, expr_operand(f->pool, e, i));
    for (unsigned i = 0; i < count && !f->waits; i++) all = expr_and(f->pool, all, of(f, expr_operand(f->pool, e, i)));
    return all;
}

static Expr find(Finder *f, Expr e)
{
    ExprPool *pool = f->pool;
    ExprKind kind = expr_kind(pool, e);
    switch (kind) {
    case EXPR_UNDEF:
    case EXPR_APPLY: return expr_const(pool, 1, 0);
    case EXPR_ARRAY: return of_elements(f, e);
    case EXPR_STORE: return of_store(f, e);
    case EXPR_SELECT: return of_select(f, e);
    case EXPR_ITE: return of_choice(f, expr_operand(pool, e, 0), expr_operand(pool, e, 1), expr_operand(pool, e, 2));
    default: break;
    }
    if (kind == EXPR_EXTRACT && expr_kind(pool, expr_operand(pool, e, 0)) == EXPR_ITE) return of_part(f, e);
    return (kind == EXPR_AND || kind == EXPR_OR) && expr_width(pool, e) == 1 ? of_logical(f, e) : of_operands(f, e);
}

Expr expr_defined(ExprDefined *defined, ExprPool *pool, Expr e)
{
    Finder f = {.all = defined, .pool = pool};
    if (defined->generation != expr_pool_generation(pool)) map_release(&defined->known);
    defined->generation = expr_pool_generation(pool);
    Expr result = of(&f, e);
    while (defined->work.len) {
        Expr at = vec_top(&defined->work);
        f.waits = false;
        result = find(&f, at);
        if (f.waits) continue;
        map_put(&defined->known, at, result);
        while (defined->work.len && map_find(&defined->known, vec_top(&defined->work))) (void)vec_pop(&defined->work);
    }
    return result;
}

void expr_defined_release(ExprDefined *defined)
{
    map_release(&defined->known);
    vec_release(&defined->work);
    vec_release(&defined->parts);
}
