/* Which inputs of its function an expression of a tree depends on, seen through what calls inside give. */
#include "summary/summary_int.h"

#include <stdlib.h>

void depends_release(Depends *depends)
{
    map_release(&depends->known);
    for (uint32_t i = 0; i < depends->sets.len; i++) vec_release(&depends->sets.data[i]);
    vec_release(&depends->sets);
}

static uint32_t find_set(const Summaries *s, Expr e);

static void add_variable(Vec_exprs *set, Map *seen, Expr variable)
{
    if (map_find(seen, variable)) return;
    map_put(seen, variable, 1);
    vec_push(set, variable);
}

static void add_set(const Summaries *s, Vec_exprs *set, Map *seen, Expr e)
{
    uint32_t other = find_set(s, e);
    for (uint32_t i = 0; i < s->depends->sets.data[other].len; i++) add_variable(set, seen, s->depends->sets.data[other].data[i]);
}

/* Of what a call has given: of the actual values that this output depends on. */
static void add_given(const Summaries *s, Vec_exprs *set, Map *seen, Meaning meaning)
{
    const Uses *uses = shape_uses(s, meaning.shape, meaning.output);
    for (uint32_t i = 0; i < uses->count; i++) add_set(s, set, seen, s->meanings.actuals.data[meaning.actuals + uses->number[i]]);
}

static uint32_t find_set(const Summaries *s, Expr root)
{
    const uint64_t *known = map_find(&s->depends->known, root);
    if (known) return (uint32_t)*known;
    Vec_exprs set = {0}, work = {0};
    Map seen = {0}, variables = {0};
    vec_push(&work, root);
    while (work.len) {
        Expr e = vec_pop(&work);
        if (map_find(&seen, e)) continue;
        map_put(&seen, e, 1);
        if (expr_kind(s->pool, e) == EXPR_VAR) {
            const Meaning *meaning = meaning_of(&s->meanings, e);
            if (!meaning) add_variable(&set, &variables, e);
            else if (e != root) add_set(s, &set, &variables, e);
            else add_given(s, &set, &variables, *meaning);
        }
        summary__push_operands(s->pool, e, &work);
    }
    map_put(&s->depends->known, root, s->depends->sets.len);
    vec_push(&s->depends->sets, set);
    map_release(&seen);
    map_release(&variables);
    vec_release(&work);
    return s->depends->sets.len - 1;
}

void depends_mark(const Summaries *s, Expr e, Map *marked)
{
    uint32_t set = find_set(s, e);
    if (map_find(marked, (uint64_t)1 << 32 | set)) return;
    map_put(marked, (uint64_t)1 << 32 | set, 1);
    for (uint32_t i = 0; i < s->depends->sets.data[set].len; i++) map_put(marked, s->depends->sets.data[set].data[i], 1);
}
