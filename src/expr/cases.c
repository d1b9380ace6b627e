#include "expr/cases.h"

enum { MOST_HEIGHT = 400, MOST_PRODUCTS = 4096 };

typedef struct Set {
    uint32_t count;
    Expr values[MOST_CASES];
} Set;

void expr_cases_init(ExprCases *cases, ExprPool *pool)
{
    *cases = (ExprCases){.pool = pool};
}

void expr_cases_release(ExprCases *cases)
{
    map_release(&cases->known);
    map_release(&cases->heights);
    vec_release(&cases->work);
    vec_release(&cases->values);
    vec_release(&cases->found);
}

/* False: there are too many. */
static bool add_value(Set *set, Expr value)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (set->values[i] == value) return true;
    if (set->count == MOST_CASES) return false;
    set->values[set->count++] = value;
    return true;
}

static bool find(ExprCases *cases, Expr e, Set *set);

static bool choose(ExprCases *cases, Expr e, Set *set)
{
    Set no;
    if (!find(cases, expr_operand(cases->pool, e, 1), set) || !find(cases, expr_operand(cases->pool, e, 2), &no)) return false;
    for (uint32_t i = 0; i < no.count; i++)
        if (!add_value(set, no.values[i])) return false;
    return true;
}

static Expr apply(ExprPool *pool, Expr e, Expr a, Expr b)
{
    ExprKind kind = expr_kind(pool, e);
    switch (kind) {
    case EXPR_EXTRACT: return expr_extract(pool, a, expr_extract_low(pool, e), expr_width(pool, e));
    case EXPR_ZEXT: return expr_zext(pool, a, expr_width(pool, e));
    case EXPR_SEXT: return expr_sext(pool, a, expr_width(pool, e));
    default: return b ? expr_binary(pool, kind, a, b) : expr_unary(pool, kind, a);
    }
}

static bool combine(ExprCases *cases, Expr e, Set *set)
{
    ExprPool *pool = cases->pool;
    Set x, y = {.count = 1, .values = {0}};
    bool two = expr_operand_count(expr_kind(pool, e)) > 1;
    if (!find(cases, expr_operand(pool, e, 0), &x)) return false;
    if (two && !find(cases, expr_operand(pool, e, 1), &y)) return false;
    if (x.count == 1 && y.count == 1) return add_value(set, e);
    if (x.count * y.count > MOST_PRODUCTS) return false;
    for (uint32_t i = 0; i < x.count; i++)
        for (uint32_t k = 0; k < y.count; k++)
            if (!add_value(set, apply(pool, e, x.values[i], y.values[k]))) return false;
    return true;
}

/* Does it have the cases of its operands? */
static bool is_transparent(const ExprPool *pool, Expr e)
{
    if (expr_width(pool, e) == 1) return false;
    switch (expr_kind(pool, e)) {
    case EXPR_ITE:
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_XOR:
    case EXPR_NOT:
    case EXPR_CONCAT:
    case EXPR_EXTRACT:
    case EXPR_ZEXT:
    case EXPR_SEXT: return true;
    default: return false;
    }
}

/* Pushes the operands whose height is not known; true: there are none. */
static bool has_heights(ExprCases *cases, Expr e)
{
    uint32_t before = cases->work.len;
    for (unsigned i = expr_kind(cases->pool, e) == EXPR_ITE; i < expr_operand_count(expr_kind(cases->pool, e)); i++) {
        Expr operand = expr_operand(cases->pool, e, i);
        if (is_transparent(cases->pool, operand) && !map_find(&cases->heights, operand)) vec_push(&cases->work, operand);
    }
    return cases->work.len == before;
}

static uint64_t known_height(const ExprCases *cases, Expr e)
{
    const uint64_t *known = map_find(&cases->heights, e);
    return known ? *known : 0;
}

/* Of the part that cases are looked for in; it costs no stack. */
static uint64_t height_of(ExprCases *cases, Expr root)
{
    if (!is_transparent(cases->pool, root)) return 0;
    vec_push(&cases->work, root);
    while (cases->work.len) {
        Expr e = vec_top(&cases->work);
        if (!map_find(&cases->heights, e)) {
            uint64_t height = 0;
            if (!has_heights(cases, e)) continue;
            for (unsigned i = expr_kind(cases->pool, e) == EXPR_ITE; i < expr_operand_count(expr_kind(cases->pool, e)); i++) {
                uint64_t below = known_height(cases, expr_operand(cases->pool, e, i));
                if (below > height) height = below;
            }
            map_put(&cases->heights, e, height + 1);
        }
        (void)vec_pop(&cases->work);
    }
    return known_height(cases, root);
}

static bool compute(ExprCases *cases, Expr e, Set *set)
{
    ExprPool *pool = cases->pool;
    ExprKind kind = expr_kind(pool, e);
    if (expr_width(pool, e) == 1 && kind != EXPR_CONST)
        return add_value(set, expr_const(pool, 1, 1)) && add_value(set, expr_const(pool, 1, 0));
    if (!is_transparent(pool, e)) return add_value(set, e);
    return kind == EXPR_ITE ? choose(cases, e, set) : combine(cases, e, set);
}

/* False: there are too many. */
static bool find(ExprCases *cases, Expr e, Set *set)
{
    const uint64_t *known = map_find(&cases->known, e);
    set->count = 0;
    if (!known) {
        bool few = compute(cases, e, set);
        if (!few) set->count = 0;
        map_put(&cases->known, e, (uint64_t)cases->values.len << 32 | set->count);
        for (uint32_t i = 0; i < set->count; i++) vec_push(&cases->values, set->values[i]);
        return few;
    }
    uint32_t first = (uint32_t)(*known >> 32);
    set->count = (uint32_t)*known;
    for (uint32_t i = 0; i < set->count; i++) set->values[i] = cases->values.data[first + i];
    return set->count > 0;
}

uint32_t expr_cases(ExprCases *cases, Expr e, const ExprCase **list)
{
    Set set;
    vec_clear(&cases->found);
    if (height_of(cases, e) > MOST_HEIGHT || !find(cases, e, &set)) set = (Set){.count = 1, .values = {e}};
    for (uint32_t i = 0; i < set.count; i++) {
        Expr here = expr_eq(cases->pool, e, set.values[i]);
        bool never = expr_is_const(cases->pool, here) && !expr_value(cases->pool, here);
        if (!never) vec_push(&cases->found, ((ExprCase){set.values[i], here}));
    }
    *list = cases->found.data;
    return cases->found.len;
}
