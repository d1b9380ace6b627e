/* Lists of conditions that hold together: equations are put to use, addresses of different objects told apart. */
#include "prove/backward_int.h"

#include <stdlib.h>

static int compare_exprs(const void *a, const void *b)
{
    Expr x = *(const Expr *)a, y = *(const Expr *)b;
    return x < y ? -1 : x > y;
}

void conditions_sort(Exprs *list)
{
    uint32_t kept = 0;
    if (list->len) qsort(list->data, list->len, sizeof *list->data, compare_exprs);
    for (uint32_t i = 0; i < list->len; i++)
        if (kept == 0 || list->data[i] != list->data[kept - 1]) list->data[kept++] = list->data[i];
    list->len = kept;
}

/* Adds the conjuncts of a condition; false: it never holds. */
bool conditions_add(ExprPool *pool, Expr e, Exprs *list)
{
    if (expr_is_const(pool, e)) return expr_value(pool, e) != 0;
    if (expr_kind(pool, e) == EXPR_AND)
        return conditions_add(pool, expr_operand(pool, e, 0), list) && conditions_add(pool, expr_operand(pool, e, 1), list);
    if (expr_kind(pool, e) == EXPR_NOT && expr_kind(pool, expr_operand(pool, e, 0)) == EXPR_OR) {
        Expr either = expr_operand(pool, e, 0);
        return conditions_add(pool, expr_not(pool, expr_operand(pool, either, 0)), list) &&
               conditions_add(pool, expr_not(pool, expr_operand(pool, either, 1)), list);
    }
    vec_push(list, e);
    return true;
}

/* Which side of an equation is put in place of the other: inputs are to vanish first, then registers, then memory; addresses of objects stay. */
static unsigned rank(const Vars *vars, Expr e)
{
    if (expr_kind(vars->pool, e) != EXPR_VAR) return 0;
    const VarInfo *info = vars_info(vars, e);
    switch (info->kind) {
    case VAR_INPUT: return 4;
    case VAR_REGISTER: return vars_spot(vars, e).object ? 0 : 3;
    case VAR_RESULT: return 2;
    case VAR_ADDRESS: return 0;
    default: return 1;
    }
}

static bool is_address(const Vars *vars, Expr e)
{
    return vars_spot(vars, e).object || vars_function(vars, e);
}

/* Solves an equation of two addresses (or other numbers of 64 bits) that are constants away from variables. */
static bool solve_sum(Vars *vars, Expr x, Expr y, Expr *what, Expr *is)
{
    uint64_t i, k;
    if (expr_width(vars->pool, x) != 64) return false;
    Expr p = vars_base(vars, x, &i), q = vars_base(vars, y, &k);
    if (!p || !q) return false;
    bool first = rank(vars, p) > rank(vars, q);
    if (rank(vars, p) == rank(vars, q)) first = !is_address(vars, p);
    if (is_address(vars, first ? p : q)) return false;
    *what = first ? p : q;
    *is = expr_add(vars->pool, first ? q : p, expr_const(vars->pool, 64, first ? k - i : i - k));
    return true;
}

/* What a condition says is equal to what; false: nothing. */
static bool equation(Vars *vars, Expr condition, Expr *what, Expr *is)
{
    ExprPool *pool = vars->pool;
    ExprKind kind = expr_kind(pool, condition);
    if (kind == EXPR_EQ) {
        Expr x = expr_operand(pool, condition, 0), y = expr_operand(pool, condition, 1);
        if (expr_is_const(pool, x)) *what = y, *is = x;
        else *what = x, *is = y;
        if (expr_is_const(pool, *is)) return true;
        if (rank(vars, y) > rank(vars, x)) *what = y, *is = x;
        if (rank(vars, *what) > 0 || solve_sum(vars, x, y, what, is)) return true;
    }
    bool negated = kind == EXPR_NOT;
    *what = negated ? expr_operand(pool, condition, 0) : condition;
    *is = expr_const(pool, 1, !negated);
    return true;
}

static bool contains(ExprPool *pool, Expr e, Expr part, Map *seen)
{
    if (e == part) return true;
    if (e < part || map_find(seen, e)) return false; /* operands are older than what is made of them */
    map_put(seen, e, 1);
    for (unsigned i = 0; i < expr_operand_count(expr_kind(pool, e)); i++)
        if (contains(pool, expr_operand(pool, e, i), part, seen)) return true;
    return false;
}

/* Puts what is known to be equal in place of `what` in all other conditions; false: they contradict each other.  *changed: some condition is another. */
static bool propagate(Vars *vars, Exprs *list, uint32_t which, bool *changed)
{
    ExprPool *pool = vars->pool;
    Expr what, is;
    if (!equation(vars, list->data[which], &what, &is)) return true;
    bool input = !expr_is_const(pool, is) && rank(vars, what) == 4;
    Map seen = {0};
    bool cyclic = !expr_is_const(pool, is) && contains(pool, is, what, &seen);
    map_release(&seen);
    if (cyclic) return true;
    ExprTranslation t;
    Exprs out = {0};
    bool possible = true;
    expr_translation_init(&t, pool, pool);
    expr_translation_set(&t, what, is);
    for (uint32_t i = 0; i < list->len && possible; i++) {
        Expr e = list->data[i], becomes = i == which ? e : expr_translate(&t, e);
        if (i == which && input) *changed = true; /* the input is eliminated */
        if (i == which && input) continue;
        *changed |= becomes != e;
        possible = conditions_add(pool, becomes, &out);
    }
    expr_translation_release(&t);
    vec_release(list);
    *list = out;
    return possible;
}

void conditions_variables(ExprPool *pool, Expr e, Map *seen, Exprs *vars)
{
    if (map_find(seen, e)) return;
    map_put(seen, e, 1);
    if (expr_kind(pool, e) == EXPR_VAR) vec_push(vars, e);
    for (unsigned i = 0; i < expr_operand_count(expr_kind(pool, e)); i++) conditions_variables(pool, expr_operand(pool, e, i), seen, vars);
}

/* Is each of the (sorted) few among the (sorted) many? */
bool conditions_are_among(const Expr *few, uint32_t count, const Expr *many, uint32_t many_count)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < count; i++) {
        while (k < many_count && many[k] < few[i]) k++;
        if (k == many_count || many[k] != few[i]) return false;
    }
    return true;
}

/* ---- addresses ---- */

/* Is it known that the two addresses differ?  Objects do not overlap, and none lies at NULL. */
bool conditions_are_apart(const Vars *vars, Expr x, Expr y)
{
    Spot a = vars_spot(vars, x), b = vars_spot(vars, y);
    uint32_t f = vars_function(vars, x), g = vars_function(vars, y);
    bool null = (expr_is_const(vars->pool, x) && !expr_value(vars->pool, x)) ||
                (expr_is_const(vars->pool, y) && !expr_value(vars->pool, y));
    if ((f || g) && (null || (f && g))) return f != g;
    if (a.object && b.object) {
        bool constants = vec_at(&vars->memory->objects, a.object - 1).constant && vec_at(&vars->memory->objects, b.object - 1).constant;
        return !constants && (a.object != b.object || a.depth != b.depth); /* equal literals may be one object */
    }
    return null && (a.object || b.object);
}

/* Is it the question whether two writes meet (segment.c), of addresses that are known to differ? */
static bool is_near_apart(const Vars *vars, Expr e)
{
    ExprPool *pool = vars->pool;
    Expr from = expr_operand(pool, e, 0);
    uint64_t offset;
    if (expr_kind(pool, e) != EXPR_ULT || expr_width(pool, from) != 64) return false;
    from = vars_base(vars, from, &offset);
    return from && expr_kind(pool, from) == EXPR_SUB &&
           conditions_are_apart(vars, expr_operand(pool, from, 0), expr_operand(pool, from, 1));
}

/* Sets comparisons of addresses in an expression that are known not to hold to false; true if there was one. */
static bool decide_addresses(Vars *vars, Expr e, Map *seen, ExprTranslation *t)
{
    ExprPool *pool = vars->pool;
    ExprKind kind = expr_kind(pool, e);
    if (!(vars_flags(vars, e) & HAS_ADDRESS) || map_find(seen, e)) return false;
    map_put(seen, e, 1);
    bool equates = kind == EXPR_EQ && expr_width(pool, expr_operand(pool, e, 0)) == 64;
    if ((equates && conditions_are_apart(vars, expr_operand(pool, e, 0), expr_operand(pool, e, 1))) ||
        (kind == EXPR_ULT && is_near_apart(vars, e))) {
        expr_translation_set(t, e, expr_const(pool, 1, 0));
        return true;
    }
    bool any = false;
    for (unsigned i = 0; i < expr_operand_count(kind); i++) any |= decide_addresses(vars, expr_operand(pool, e, i), seen, t);
    return any;
}

/* False: the conditions contradict each other. */
static bool settle_addresses(Vars *vars, Exprs *list)
{
    ExprTranslation t;
    Map seen = {0};
    Exprs out = {0};
    bool any = false, possible = true;
    expr_translation_init(&t, vars->pool, vars->pool);
    for (uint32_t i = 0; i < list->len; i++) any |= decide_addresses(vars, list->data[i], &seen, &t);
    for (uint32_t i = 0; any && possible && i < list->len; i++)
        possible = conditions_add(vars->pool, expr_translate(&t, list->data[i]), &out);
    if (any) {
        vec_release(list);
        *list = out;
    }
    expr_translation_release(&t);
    map_release(&seen);
    return possible;
}

/* ---- all of it ---- */

static bool is_equation(ExprPool *pool, Expr e)
{
    return expr_kind(pool, e) == EXPR_EQ;
}

/* Equations of parts of one number become one equation of more of it (rules_bits.c); false: the conditions contradict each other. */
static bool join_parts(ExprPool *pool, Exprs *list)
{
    uint32_t joins = 2 * list->len; /* each leaves fewer parts, so this is never reached */
    for (uint32_t i = 0; i < list->len && joins; i++) {
        if (!is_equation(pool, list->data[i])) continue;
        for (uint32_t k = i + 1; k < list->len; k++) {
            Expr both = is_equation(pool, list->data[k]) ? expr_and(pool, list->data[i], list->data[k]) : 0;
            if (!both || expr_kind(pool, both) == EXPR_AND) continue;
            list->data[k] = list->data[--list->len];
            list->data[i] = list->data[--list->len];
            if (!conditions_add(pool, both, list)) return false;
            i = UINT32_MAX; /* from the start */
            joins--;
            break;
        }
    }
    return true;
}

/* Makes the conditions plain; false: they contradict each other. */
bool conditions_simplify(Vars *vars, Exprs *list)
{
    for (uint32_t round = 0, most = 16 + 2 * list->len; round < most; round++) { /* each puts one equation to use */
        bool changed = false;
        if (!settle_addresses(vars, list) || !join_parts(vars->pool, list)) return false;
        conditions_sort(list);
        for (uint32_t i = 0; i < list->len && !changed; i++)
            if (!propagate(vars, list, i, &changed)) return false;
        if (!changed) return true;
    }
    conditions_sort(list);
    return true;
}
