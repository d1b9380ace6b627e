/* What the abstract interpreter knows of an R-state's variables: constants are put in their place, intervals and sets are used in questions (rstates.c).  What
 * is concluded from that rests on the interpreter's nodes, which are then part of the certificate. */
#include "prove/backward_int.h"

static FactState facts_at(Backward *b, uint32_t function, uint32_t location)
{
    const Places *p = backward__places(b, function);
    uint32_t block = p->segments[location].block;
    if (location > p->first[block]) return facts_after_call(b->facts, function, p->segments[location - 1].end);
    return facts_at_block(b->facts, function, block);
}

static Expr byte_of_cell(Vars *vars, const VarInfo *byte, uint32_t offset)
{
    VarInfo info = *byte;
    info.offset = offset;
    return vars_get(vars, info, 8);
}

static void add_bounds(ExprPool *pool, Expr e, const Value *v, Exprs *out)
{
    unsigned w = v->width;
    Value top = value_top(w);
    if (v->count) {
        Expr any = expr_const(pool, 1, 0);
        for (uint32_t i = 0; i < v->count; i++) any = expr_or(pool, any, expr_eq(pool, e, expr_const(pool, w, v->set[i])));
        vec_push(out, any);
        return;
    }
    uint64_t known = (v->zeros | v->ones) & top.uhi;
    if (v->ulo > top.ulo) vec_push(out, expr_binary(pool, EXPR_ULE, expr_const(pool, w, v->ulo), e));
    if (v->uhi < top.uhi) vec_push(out, expr_binary(pool, EXPR_ULE, e, expr_const(pool, w, v->uhi)));
    if (v->slo > top.slo) vec_push(out, expr_binary(pool, EXPR_SLE, expr_const(pool, w, (uint64_t)v->slo), e));
    if (v->shi < top.shi) vec_push(out, expr_binary(pool, EXPR_SLE, e, expr_const(pool, w, (uint64_t)v->shi)));
    if (known) vec_push(out, expr_eq(pool, expr_and(pool, e, expr_const(pool, w, known)), expr_const(pool, w, v->ones)));
}

/* What is known of one variable at the location: its value, or else bounds, which are added to `bounds`. */
static Expr fact_about(Backward *b, FactState at, Expr var, Exprs *bounds)
{
    ExprPool *pool = b->vars.pool;
    VarInfo info = *vars_info(&b->vars, var);
    const Value *v = NULL;
    uint32_t start = 0;
    uint64_t x;
    bool global = info.kind == VAR_GLOBAL, here = global || (info.kind == VAR_LOCAL && info.depth == 0);
    if (info.kind == VAR_REGISTER && info.depth == 0) v = facts_register(b->facts, at, info.index);
    else if (here) v = facts_cell(b->facts, at, info.index, info.offset, &start);
    if (!v) return 0;
    bool constant = value_is_constant(v, &x);
    if (info.kind == VAR_REGISTER) {
        if (v->width != expr_width(pool, var)) return 0;
        if (constant) return expr_const(pool, v->width, x);
        add_bounds(pool, var, v, bounds);
        return 0;
    }
    if (constant) return expr_const(pool, 8, x >> 8 * (info.offset - start));
    Value value = *v;
    Expr whole = byte_of_cell(&b->vars, &info, start);
    for (uint32_t i = 1; i < value.width / 8; i++) whole = expr_binary(pool, EXPR_CONCAT, byte_of_cell(&b->vars, &info, start + i), whole);
    add_bounds(pool, whole, &value, bounds);
    return 0;
}

/* The same for the caller's variables that parameters were given.  True: one has only one value. */
static bool use_parameter_facts(Backward *b, FactState at, const Candidate *c, const Map *seen, ExprTranslation *t, Exprs *bounds)
{
    const Function *f = &b->program->functions[c->function];
    bool any = false;
    uint64_t x;
    for (uint32_t i = 0; c->stack && i < f->param_count; i++) {
        const Value *v = facts_register(b->facts, at, f->params[i].reg);
        Expr e = v ? backward__argument(b, c->function, i, c->stack) : 0;
        if (!e || expr_kind(b->vars.pool, e) != EXPR_VAR || !map_find(seen, e) || v->width != expr_width(b->vars.pool, e)) continue;
        bool constant = value_is_constant(v, &x);
        if (constant) expr_translation_set(t, e, expr_const(b->vars.pool, v->width, x));
        else add_bounds(b->vars.pool, e, v, bounds);
        any |= constant;
    }
    return any;
}

/* Puts constants in place of variables that have only one value at the location, and adds what else is known to `bounds`.  False: the conditions cannot
 * hold there. */
bool backward__use_facts(Backward *b, const Candidate *c, Exprs *list, Exprs *bounds)
{
    uint32_t function = c->function, location = c->location;
    if (!b->facts || location == backward__exit(b, function)) return true;
    FactState at = facts_at(b, function, location);
    if (!at.state) {
        backward__rests_on(b, REST_FACTS);
        return false;
    }
    ExprPool *pool = b->vars.pool;
    ExprTranslation t;
    Map seen = {0};
    Exprs vars = {0}, out = {0};
    bool possible = true, any = false;
    expr_translation_init(&t, pool, pool);
    for (uint32_t i = 0; i < list->len; i++) conditions_variables(pool, list->data[i], &seen, &vars);
    for (uint32_t i = 0; i < vars.len; i++) {
        Expr value = fact_about(b, at, vars.data[i], bounds);
        if (value) expr_translation_set(&t, vars.data[i], value);
        any |= value != 0;
    }
    any |= use_parameter_facts(b, at, c, &seen, &t, bounds);
    for (uint32_t i = 0; any && possible && i < list->len; i++) possible = conditions_add(pool, expr_translate(&t, list->data[i]), &out);
    if (any) backward__rests_on(b, REST_FACTS);
    if (any) {
        vec_release(list);
        *list = out;
    }
    expr_translation_release(&t);
    map_release(&seen);
    vec_release(&vars);
    conditions_sort(bounds);
    return possible;
}
