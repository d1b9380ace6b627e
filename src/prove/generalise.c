/* Loop folding: R-states at the heads of loops without what the loop changes.
 *
 * A condition on a register that the loop writes is another one after each turn backward, so that such R-states may never come to an end although the branch
 * does not depend on the loop at all.  In an attempt of this kind these conditions are left out at the head.  That makes the R-state larger, and so it may
 * include states that are reached; then the attempt fails, which says nothing about the branch, and the branch is tried without (backward.c).
 * Conditions on memory stay: whether the loop changes them is seen when the code is followed.
 *
 * After Chalupa and Strejček, Backward Symbolic Execution with Loop Folding (SAS 2021), who look for an inductive part of the condition instead; here the
 * inclusion of R-states in each other does that. */
#include "prove/backward_int.h"

#include <stdlib.h>

bool backward__loop_writes(const Function *f, const Loop *loop, uint32_t reg)
{
    for (uint32_t i = 0; i < loop->block_count; i++) {
        const Block *block = &f->blocks[loop->blocks[i]];
        for (uint32_t k = 0; k < block->count; k++)
            if (f->code[block->first + k].dst == reg) return true;
    }
    return false;
}

static bool depends_on_loop(Backward *b, const Function *f, const Loop *loop, Expr condition)
{
    Map seen = {0};
    Exprs vars = {0};
    bool found = false;
    conditions_variables(b->vars.pool, condition, &seen, &vars);
    for (uint32_t i = 0; i < vars.len && !found; i++) {
        const VarInfo *info = vars_info(&b->vars, vars.data[i]);
        found = info->kind == VAR_REGISTER && info->depth == 0 && backward__loop_writes(f, loop, info->index);
    }
    map_release(&seen);
    vec_release(&vars);
    return found;
}

void backward__fold(Backward *b, Candidate *c)
{
    const Function *f = &b->program->functions[c->function];
    const Places *p = backward__places(b, c->function);
    if (c->location == backward__exit(b, c->function)) return;
    uint32_t block = p->segments[c->location].block, kept = 0;
    for (uint32_t l = 0; l < f->loop_count && c->location == p->first[block]; l++) {
        if (f->loops[l].header != block) continue;
        for (uint32_t i = 0; i < c->conditions.len; i++)
            if (!depends_on_loop(b, f, &f->loops[l], c->conditions.data[i])) c->conditions.data[kept++] = c->conditions.data[i];
        b->folded |= kept < c->conditions.len;
        c->conditions.len = kept;
        return;
    }
}
