/* See distance.h. */
#include "search/distance.h"

static const Block *block_of(const Distances *d, uint32_t block)
{
    const Function *f = &d->program->functions[d->owner.data[block]];
    return &f->blocks[block - d->first.data[d->owner.data[block]]];
}

/* ---- the graph ---- */

static void number_blocks(Distances *d)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < d->program->function_count; i++) {
        vec_push(&d->first, next);
        next += d->program->functions[i].block_count;
        for (uint32_t k = 0; k < d->program->functions[i].block_count; k++) vec_push(&d->owner, i);
    }
    vec_push(&d->first, next);
    for (uint32_t i = 0; i < next; i++) vec_push(&d->steps, DISTANCE_NONE);
}

static uint8_t *find_address_taken(const Program *program)
{
    uint8_t *taken = mem_alloc(program->function_count + 1);
    for (uint32_t i = 0; i < program->const_count; i++) {
        const Symbol *symbol = &program->symbols[program->consts[i].symbol];
        if (symbol->kind == SYMBOL_FUNCTION) taken[symbol->index] = 1;
    }
    return taken;
}

static void add_callees(Distances *d, const CallSite *site, const uint8_t *address_taken)
{
    if (site->callee != UINT32_MAX) {
        vec_push(&d->callees, site->callee);
        return;
    }
    for (uint32_t i = 0; i < d->program->function_count; i++) {
        const Function *f = &d->program->functions[i];
        if (address_taken[i] && f->defined && (f->variadic || f->param_count == site->argument_count)) vec_push(&d->callees, i);
    }
}

static void find_calls(Distances *d, const uint8_t *address_taken)
{
    for (uint32_t i = 0; i < d->owner.len; i++) {
        const Function *f = &d->program->functions[d->owner.data[i]];
        const Block *block = block_of(d, i);
        vec_push(&d->call_first, d->callees.len);
        for (uint32_t k = block->first; k < block->first + block->count; k++)
            if (f->code[k].op == OP_CALL) add_callees(d, &f->calls[f->code[k].imm], address_taken);
    }
    vec_push(&d->call_first, d->callees.len);
}

static void find_exits(Distances *d)
{
    for (uint32_t i = 0; i < d->program->function_count; i++) {
        const Function *f = &d->program->functions[i];
        vec_push(&d->exit_first, d->exits.len);
        for (uint32_t k = 0; k < f->block_count; k++)
            if (f->code[f->blocks[k].first + f->blocks[k].count - 1].op == OP_RETURN) vec_push(&d->exits, d->first.data[i] + k);
    }
    vec_push(&d->exit_first, d->exits.len);
}

/* The calls once more, by function called. */
static void find_callers(Distances *d)
{
    uint32_t functions = d->program->function_count, sum = 0;
    for (uint32_t i = 0; i <= functions; i++) vec_push(&d->callers_first, 0);
    for (uint32_t i = 0; i < d->callees.len; i++) {
        d->callers_first.data[d->callees.data[i]]++;
        vec_push(&d->callers, 0);
    }
    for (uint32_t i = 0; i <= functions; i++) {
        sum += d->callers_first.data[i];
        d->callers_first.data[i] = sum;
    }
    for (uint32_t block = d->owner.len; block-- > 0;)
        for (uint32_t k = d->call_first.data[block + 1]; k-- > d->call_first.data[block];)
            d->callers.data[--d->callers_first.data[d->callees.data[k]]] = block;
}

void distances_init(Distances *distances, const Program *program)
{
    *distances = (Distances){.program = program};
    uint8_t *address_taken = find_address_taken(program);
    number_blocks(distances);
    find_calls(distances, address_taken);
    find_exits(distances);
    find_callers(distances);
    vec__free(address_taken);
}

void distances_release(Distances *distances)
{
    vec_release(&distances->first);
    vec_release(&distances->owner);
    vec_release(&distances->steps);
    vec_release(&distances->call_first);
    vec_release(&distances->callees);
    vec_release(&distances->callers_first);
    vec_release(&distances->callers);
    vec_release(&distances->exit_first);
    vec_release(&distances->exits);
    vec_release(&distances->queue);
}

/* ---- the walk ---- */

static void reach(Distances *d, uint32_t block, uint32_t steps)
{
    if (d->steps.data[block] != DISTANCE_NONE) return;
    d->steps.data[block] = steps;
    vec_push(&d->queue, block);
}

static void reach_exits(Distances *d, uint32_t caller, uint32_t steps)
{
    for (uint32_t i = d->call_first.data[caller]; i < d->call_first.data[caller + 1]; i++) {
        uint32_t callee = d->callees.data[i];
        for (uint32_t k = d->exit_first.data[callee]; k < d->exit_first.data[callee + 1]; k++) reach(d, d->exits.data[k], steps);
    }
}

/* All blocks from which it is one step to this one.  Of calls in the block itself, those that return before its open branch or before
 * another call. */
static void reach_before(Distances *d, uint32_t block)
{
    const Block *b = block_of(d, block);
    uint32_t first = d->first.data[d->owner.data[block]], steps = d->steps.data[block] + 1, function = d->owner.data[block];
    for (uint32_t i = 0; i < b->predecessor_count; i++) {
        reach(d, first + b->predecessors[i], steps);
        reach_exits(d, first + b->predecessors[i], steps);
    }
    if (steps == 1 || d->call_first.data[block + 1] - d->call_first.data[block] > 1) reach_exits(d, block, steps);
    if (block != first) return;
    for (uint32_t i = d->callers_first.data[function]; i < d->callers_first.data[function + 1]; i++) reach(d, d->callers.data[i], steps);
}

void distances_update(Distances *distances, const uint8_t *open)
{
    const Program *program = distances->program;
    for (uint32_t i = 0; i < distances->steps.len; i++) distances->steps.data[i] = DISTANCE_NONE;
    vec_clear(&distances->queue);
    for (uint32_t i = 0; i < program->branch_count; i++) {
        if (!open[i]) continue;
        reach(distances, distances->first.data[program->branches[i].function] + program->branches[i].block, 0);
    }
    for (uint32_t i = 0; i < distances->queue.len; i++) reach_before(distances, distances->queue.data[i]);
}

uint32_t distance_behind(const Distances *distances, uint32_t branch)
{
    const Branch *b = &distances->program->branches[branch];
    return distances->steps.data[distances->first.data[b->function] + b->target];
}
