/* Is it worth it?  Where the program decides on all that functions give, every path of it takes one path of each function: then nothing is
 * saved, and calls are better executed in place. */
#include "summary/summary_int.h"

enum {
    FIRST_PATHS = 32, /* so many are not many */
    EVERY = 4,        /* path is looked at, and ever fewer where it is worth it */
    MOST_TRIES = 6,   /* in vain, one after the other */
    TRY_EFFORT = 20000000,
};

static Expr last_condition(const Summaries *s, uint32_t path)
{
    return path ? vm_condition(s->vm, path - 1)->condition : 0;
}

void worth_completed(Summaries *s, const Shape *shape, const Expr *actuals)
{
    uint32_t path = vm_path_length(s->vm);
    while (s->completed.len && vec_top(&s->completed).path >= path) s->completed_actuals.len = vec_pop(&s->completed).actuals;
    vec_push(&s->completed, ((Completed){path, last_condition(s, path), shape, s->completed_actuals.len}));
    for (uint32_t i = 0; i < shape->variables.len; i++) vec_push(&s->completed_actuals, actuals[i]);
}

/* The conditions that lead through the function under the model. */
static Expr way_taken(Summaries *s, const Instance *instance)
{
    ExprPool *pool = vm_pool(s->vm);
    ExprModel *model = vm_model(s->vm);
    Expr way = expr_const(pool, 1, 1);
    while (instance->case_count) {
        uint32_t i = 0;
        while (i + 1 < instance->case_count && !expr_eval(model, instance->cases[i].condition)) i++;
        way = expr_and(pool, way, instance->cases[i].condition);
        instance = instance->each[i];
    }
    const Places *places = &instance->shape->places;
    for (uint32_t at = instance->shape->first; places->data[at].kind == PLACE_BRANCH;) {
        Expr condition = instance->conditions[at];
        bool yes = expr_eval(model, condition);
        way = expr_and(pool, way, yes ? condition : expr_not(pool, condition));
        at = yes ? places->data[at].yes : places->data[at].no;
    }
    return way;
}

/* Do the conditions of the path at hand leave a choice to any of its functions? */
static bool leaves_choice(Summaries *s)
{
    ExprPool *pool = vm_pool(s->vm);
    uint32_t length = vm_path_length(s->vm);
    Expr all = expr_const(pool, 1, 1);
    for (uint32_t i = 0; i < s->completed.len && s->completed.data[i].path <= length; i++) {
        const Completed *c = &s->completed.data[i];
        if (c->last != last_condition(s, c->path)) continue; /* of a path that was left since */
        all = expr_and(pool, all, way_taken(s, instance_of(s->instances, c->shape, s->completed_actuals.data + c->actuals, MOST_COMBINED)));
    }
    Expr other = expr_not(pool, all);
    vec_clear(&s->context);
    for (uint32_t i = 0; i < length; i++) vec_push(&s->context, vm_condition(s->vm, i)->condition);
    s->options.assert_context(s->options.data, s->context.data, s->context.len);
    solver_set_effort(s->solver, TRY_EFFORT);
    return solver_check(s->solver, &other, 1, vm_model(s->vm)) != SOLVE_UNSAT;
}

void summaries_path_ended(Summaries *s)
{
    if (!s->used || s->off || s->stopped || ++s->paths < FIRST_PATHS || s->paths < s->next_try) return;
    if (expr_pool_generation(vm_pool(s->vm)) != s->generation) return; /* what calls were completed with may be forgotten */
    bool worth = leaves_choice(s);
    s->failed_tries = worth ? 0 : s->failed_tries + 1;
    s->next_try = worth ? 2 * s->paths : s->paths + EVERY;
    s->off = s->failed_tries == MOST_TRIES;
}
