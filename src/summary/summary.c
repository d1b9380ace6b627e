/* All summaries of a program: made, taken down, counted.  See summary.h; the algorithm is in call.c. */
#include "summary/summary_int.h"

#include <stdlib.h>

enum { MOST_PATHS = 2048 };

/* Of a variable of a view: what it is in the program's inputs. */
static Expr root_of(void *data, Expr variable)
{
    const Summaries *s = data;
    for (uint32_t i = s->calls.len; i-- > 0;)
        if (meaning_of(&s->calls.data[i]->meanings, variable)) return expr_translate(&s->calls.data[i]->session.roots, variable);
    return 0;
}

Summaries *summaries_new(const Program *program, Vm *vm, Solver *solver, const SummaryOptions *options)
{
    Summaries *s = mem_alloc(sizeof *s);
    s->program = program;
    s->vm = vm;
    s->isolation = isolation_new(vm, options->top);
    s->solver = solver;
    s->options = *options;
    if (!s->options.most_paths) s->options.most_paths = MOST_PATHS;
    s->pool = expr_pool_new();
    s->depends = mem_alloc(sizeof *s->depends);
    s->instances = mem_alloc(sizeof *s->instances);
    instances_init(s->instances, s, vm_pool(vm), true);
    s->flat = mem_alloc(sizeof *s->flat);
    instances_init(s->flat, s, s->pool, false);
    expr_model_define(vm_model(vm), root_of, s);
    return s;
}

void summaries_free(Summaries *s)
{
    if (!s) return;
    for (uint32_t i = 0; i < s->trees.len; i++) tree_free(s->trees.data[i]);
    expr_pool_free(s->pool);
    vec_release(&s->trees);
    map_release(&s->by_function);
    vec_release(&s->calls);
    map_release(&s->versions);
    map_release(&s->own_versions);
    map_release(&s->explored);
    vec_release(&s->context);
    vec_release(&s->assumptions);
    map_release(&s->known_bugs);
    map_release(&s->undefs);
    map_release(&s->scanned);
    for (uint32_t i = 0; i < s->shapes.len; i++) shape_free(s->shapes.data[i]);
    vec_release(&s->shapes);
    map_release(&s->by_content);
    meanings_release(&s->meanings);
    depends_release(s->depends);
    free(s->depends);
    instances_release(s->instances);
    free(s->instances);
    instances_release(s->flat);
    free(s->flat);
    expr_model_define(vm_model(s->vm), NULL, NULL);
    isolation_free(s->isolation);
    vec_release(&s->witnesses);
    free(s);
}

void summaries_watch(Summaries *s, bool watching)
{
    isolation_watch(s->isolation, watching);
}

/* ---- what is known of them ---- */

uint64_t summaries_work(const Summaries *s)
{
    return s ? s->work + s->instances->work + expr_pool_work(s->pool) : 0;
}

bool summaries_used(const Summaries *s)
{
    return s && s->used;
}

bool summaries_stopped(const Summaries *s)
{
    return s && s->stopped;
}

uint32_t summaries_count(const Summaries *s)
{
    return s->trees.len;
}

SummaryFacts summaries_facts(const Summaries *s, uint32_t i)
{
    SummaryFacts facts = vec_at(&s->trees, i)->facts;
    facts.why = s->trees.data[i]->why;
    return facts;
}

Expr summary__undef(void *data, unsigned width)
{
    Summaries *s = ((Call *)data)->summaries;
    const uint64_t *known = map_find(&s->undefs, width);
    if (!known) map_put(&s->undefs, width, expr_undef(s->pool, width));
    return (Expr)*map_find(&s->undefs, width);
}

/* What a call inside has given means the same in the tree; anything else is none of the function's inputs. */
Expr summary__foreign(void *data, Expr variable)
{
    Call *call = data;
    Summaries *s = call->summaries;
    const Meaning *meaning = meaning_of(&call->meanings, variable);
    if (!meaning) {
        call->foreign = true;
        return summary__undef(data, expr_width(vm_pool(s->vm), variable));
    }
    Meaning m = *meaning;
    Vec_exprs actuals = {0};
    meaning_actuals(&call->meanings, m, &call->from_view, &actuals);
    for (uint32_t i = 0; i < actuals.len; i++) {
        if (actuals.data[i] && m.shape->by_case.data[i]) summary__note_index(s, call->tree, actuals.data[i]);
        if (actuals.data[i]) summary__note_indexes(s, call->tree, actuals.data[i]);
    }
    Expr made = meaning_variable(s, &s->meanings, s->pool, m.shape, actuals.data, m.output);
    vec_release(&actuals);
    return made;
}
