/* Cases: an R-state whose conditions depend on an input is divided before the input is eliminated, since that takes the conditions with it.
 *
 * A choice between an input and something else is made first, as after a write through a pointer.  Where memory is read at an index that is an input and has few
 * values, as in `table[in & 3]` or after `if (in < 4)`, each value is a case: there, the read is one of a variable that is known.  At last, an input that
 * chooses between variables of the state is decided. */
#include "prove/backward_int.h"

#include "base/arith.h"

#include <stdlib.h>

enum {
    MOST_SPLITS = 8, /* of one state into cases, one after the other.  A guess. */
    MOST_VALUES = 8  /* of an index.  A guess. */
};

typedef struct Cases { /* what is divided by the values of an expression */
    Expr what;         /* 0: nothing */
    uint64_t values[MOST_VALUES];
    uint32_t count;
} Cases;

static void add_numbers(Cases *cases, uint64_t count)
{
    while (cases->count < count) {
        cases->values[cases->count] = cases->count;
        cases->count++;
    }
}

/* Is it a choice, which depends on no input, or else (`by_input`) is one between what the state says? */
static bool is_choice(Vars *vars, Expr e, bool by_input)
{
    if (expr_kind(vars->pool, e) != EXPR_ITE) return false;
    unsigned flags = vars_flags(vars, expr_operand(vars->pool, e, 0));
    if (!by_input) return !(flags & (HAS_INPUT | HAS_UNNAMED));
    return (vars_flags(vars, expr_operand(vars->pool, e, 1)) | vars_flags(vars, expr_operand(vars->pool, e, 2))) & HAS_STATE;
}

/* The condition of a choice in a condition with inputs; 0: there is none. */
static Expr find_choice(Vars *vars, Expr e, bool by_input, Map *seen)
{
    if (!(vars_flags(vars, e) & HAS_INPUT) || map_find(seen, e)) return 0;
    map_put(seen, e, 1);
    ExprPool *pool = vars->pool;
    if (is_choice(vars, e, by_input)) return expr_operand(pool, e, 0);
    for (unsigned i = 0; i < expr_operand_count(expr_kind(pool, e)); i++) {
        Expr found = find_choice(vars, expr_operand(pool, e, i), by_input, seen);
        if (found) return found;
    }
    return 0;
}

static void find_choices(Vars *vars, const Exprs *conditions, bool by_input, Cases *cases)
{
    Map seen = {0};
    for (uint32_t i = 0; i < conditions->len && !cases->what; i++) cases->what = find_choice(vars, conditions->data[i], by_input, &seen);
    map_release(&seen);
    if (cases->what) add_numbers(cases, 2);
}

/* ---- indices ---- */

/* All numbers that have no other bits than the mask. */
static void add_parts(Cases *cases, uint64_t mask)
{
    uint64_t part = 0;
    do {
        cases->values[cases->count++] = part;
        part = (part - mask) & mask;
    } while (part);
}

static bool constant_below(ExprPool *pool, Expr e, uint64_t most, uint64_t *value)
{
    if (!expr_is_const(pool, e) || expr_value(pool, e) > most) return false;
    *value = (uint64_t)expr_value(pool, e);
    return true;
}

/* Do the conditions say that the number is not negative? */
static bool is_not_negative(ExprPool *pool, Expr e, const Exprs *conditions)
{
    for (uint32_t i = 0; i < conditions->len; i++) {
        Expr c = conditions->data[i];
        ExprKind kind = expr_kind(pool, c);
        if ((kind != EXPR_SLE && kind != EXPR_SLT) || expr_operand(pool, c, 1) != e) continue;
        Expr least = expr_operand(pool, c, 0);
        if (!expr_is_const(pool, least)) continue;
        I128 value = arith_sext(expr_value(pool, least), expr_width(pool, least));
        if (value >= (kind == EXPR_SLE ? 0 : -1)) return true;
    }
    return false;
}

/* The number is less than a small one, by the conditions. */
static void find_limit(ExprPool *pool, Expr e, const Exprs *conditions, Cases *cases)
{
    uint64_t limit;
    for (uint32_t i = 0; i < conditions->len && !cases->count; i++) {
        Expr c = conditions->data[i];
        ExprKind kind = expr_kind(pool, c);
        bool less = kind == EXPR_ULT || kind == EXPR_SLT, is_signed = kind == EXPR_SLT || kind == EXPR_SLE;
        if (!less && kind != EXPR_ULE && kind != EXPR_SLE) continue;
        if (expr_operand(pool, c, 0) != e || !constant_below(pool, expr_operand(pool, c, 1), MOST_VALUES - !less, &limit)) continue;
        if (!is_signed || is_not_negative(pool, e, conditions)) add_numbers(cases, limit + !less);
    }
}

static void find_values(ExprPool *pool, Expr e, const Exprs *conditions, Cases *cases)
{
    ExprKind kind = expr_kind(pool, e);
    unsigned width = expr_width(pool, e);
    uint64_t limit;
    cases->count = 0;
    if (width > 64) return;
    for (unsigned i = 0; kind == EXPR_AND && i < 2 && !cases->count; i++)
        if (constant_below(pool, expr_operand(pool, e, i), UINT64_MAX, &limit) && __builtin_popcountll(limit) <= 3) add_parts(cases, limit);
    if (kind == EXPR_UREM && constant_below(pool, expr_operand(pool, e, 1), MOST_VALUES, &limit)) add_numbers(cases, limit);
    if (!cases->count && width <= 3) add_numbers(cases, 1u << width);
    if (!cases->count) find_limit(pool, e, conditions, cases);
}

/* A part of the address that has inputs and few values; false: there is none. */
static bool find_index(Backward *b, Expr e, const Exprs *conditions, Map *seen, Cases *cases)
{
    ExprPool *pool = b->vars.pool;
    if (!(vars_flags(&b->vars, e) & HAS_INPUT) || map_find(seen, e)) return false;
    map_put(seen, e, 1);
    find_values(pool, e, conditions, cases);
    cases->what = e;
    if (cases->count) return true;
    for (unsigned i = 0; i < expr_operand_count(expr_kind(pool, e)); i++)
        if (find_index(b, expr_operand(pool, e, i), conditions, seen, cases)) return true;
    cases->what = 0;
    return false;
}

static void find_indices(Backward *b, const Exprs *conditions, Cases *cases)
{
    Map seen = {0}, looked = {0};
    Exprs vars = {0};
    for (uint32_t i = 0; i < conditions->len; i++)
        if (vars_flags(&b->vars, conditions->data[i]) & HAS_INPUT) conditions_variables(b->vars.pool, conditions->data[i], &seen, &vars);
    for (uint32_t i = 0; i < vars.len && !cases->what; i++)
        if (vars_info(&b->vars, vars.data[i])->kind == VAR_MEMORY)
            find_index(b, vars_info(&b->vars, vars.data[i])->index, conditions, &looked, cases);
    map_release(&seen);
    map_release(&looked);
    vec_release(&vars);
}

/* ---- division ---- */

typedef struct Division {
    Vars *vars;
    Expr what, value;
} Division;

static Expr translate(Division *d, Expr e);

/* Memory at an address in which the index has its value. */
static Expr read_again(void *data, Expr var)
{
    Division *d = data;
    VarInfo info = *vars_info(d->vars, var);
    Segment none = {0};
    if (info.kind != VAR_MEMORY || !(vars_flags(d->vars, var) & HAS_INPUT)) return var;
    return segment_before(d->vars, &none, &info, var, translate(d, info.index));
}

static Expr translate(Division *d, Expr e)
{
    ExprTranslation t;
    expr_translation_init(&t, d->vars->pool, d->vars->pool);
    t.variable = read_again;
    t.data = d;
    expr_translation_set(&t, d->what, d->value);
    Expr result = expr_translate(&t, e);
    expr_translation_release(&t);
    return result;
}

bool backward__divide(Backward *b, Candidate *c)
{
    ExprPool *pool = b->vars.pool;
    Cases cases = {0};
    if (c->splits == MOST_SPLITS) return false;
    find_choices(&b->vars, &c->conditions, false, &cases);
    if (!cases.what) find_indices(b, &c->conditions, &cases);
    if (!cases.what) find_choices(&b->vars, &c->conditions, true, &cases);
    for (uint32_t k = cases.count; cases.what && k-- > 0;) {
        Candidate one = {c->function, c->location, c->stack, c->parent, {0}, c->segment, c->splits + 1};
        Division d = {&b->vars, cases.what, expr_const(pool, expr_width(pool, cases.what), cases.values[k])};
        bool possible = conditions_add(pool, expr_eq(pool, d.what, d.value), &one.conditions);
        for (uint32_t i = 0; i < c->conditions.len && possible; i++)
            possible = conditions_add(pool, translate(&d, c->conditions.data[i]), &one.conditions);
        if (possible) backward__add_state(b, &one);
        else vec_release(&one.conditions);
    }
    return cases.what != 0;
}
