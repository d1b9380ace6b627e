/* All summaries of a program: made, taken down, counted.  See summary.h; the algorithm is in call.c. */
#include "summary/summary_int.h"

#include <stdlib.h>

enum { MOST_PATHS = 2048 };

Summaries *summaries_new(const Program *program, Vm *vm, Solver *solver, const SummaryOptions *options)
{
    Summaries *s = mem_alloc(sizeof *s);
    s->program = program;
    s->vm = vm;
    s->solver = solver;
    s->options = *options;
    if (!s->options.most_paths) s->options.most_paths = MOST_PATHS;
    s->pool = expr_pool_new();
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
    map_release(&s->explored);
    vec_release(&s->context);
    vec_release(&s->assumptions);
    map_release(&s->known_bugs);
    map_release(&s->undefs);
    vec_release(&s->witnesses);
    free(s);
}

/* ---- what is known of them ---- */

bool summaries_used(const Summaries *s)
{
    return s && s->used;
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

Expr summary__foreign(void *data, Expr variable)
{
    Call *call = data;
    call->foreign = true;
    return summary__undef(data, expr_width(vm_pool(call->summaries->vm), variable));
}
