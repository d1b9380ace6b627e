/* Which calls stop the run, and where on the path they are.
 *
 * Functions are watched once a condition was recorded while they were active: before that there is nothing to summarise in them, and calls cost nothing.  The
 * run that finds it out is repeated from a mark before the call. */
#include "isolate/isolate_int.h"

#include <stdlib.h>

void isolation_watch(Isolation *isolation, bool watching)
{
    isolation->watching = watching;
}

bool isolation__is_on_trial(const Isolation *isolation)
{
    return isolation->trial && vm_depth(isolation->vm) > isolation->trial;
}

void isolation__condition(void *data, ConditionKind kind)
{
    Isolation *isolation = data;
    Vm *vm = isolation->vm;
    if (isolation->watching && isolation__is_on_trial(isolation)) vm_end_run(vm, VM_DECIDES, "something is decided in a call");
    else if (isolation->watching && vm_watch_active(vm)) vm_end_run(vm, VM_AGAIN, "there is something to decide in a function");
    if (!isolation->levels.len) return;
    IsolatedFact fact = {.kind = FACT_CONDITION, .condition = vm_path_length(vm)};
    const IsolatedOutcome *outcome = kind == CONDITION_SUMMARY ? isolation->outcome : NULL;
    fact.ends = outcome ? outcome->ends : 0;
    fact.whole = outcome && outcome->whole;
    isolation__add_fact(isolation, isolation__top(isolation), &fact);
}

/* How many calls of the function are past since the last condition.  Since the start it would not be the same whenever the path is executed: calls are
 * not counted before the function is watched.  But runs go on from conditions. */
static uint32_t count_met(const Isolation *isolation, const uint64_t *met)
{
    return *met >> 32 == vm_path_length(isolation->vm) ? (uint32_t)*met : 0;
}

static uint64_t *met_of(const Isolation *isolation, const Function *function)
{
    return &isolation->met[function - vm_program(isolation->vm)->functions];
}

void isolation__met(Isolation *isolation, const Function *function)
{
    uint64_t *met = met_of(isolation, function);
    vm_save_word(isolation->vm, met);
    *met = (uint64_t)vm_path_length(isolation->vm) << 32 | (count_met(isolation, met) + 1);
}

bool isolation__call(void *data, const Function *function)
{
    Isolation *isolation = data;
    if (!isolation->watching) return false;
    if (isolation->in_place || isolation__is_on_trial(isolation)) {
        isolation__met(isolation, function); /* a run that comes back to it stops there as it did before */
        isolation->in_place = false;
        return false;
    }
    vm_end_run(isolation->vm, VM_CALL, "%s is called", function->name);
    return true;
}

void isolation_call_in_place(Isolation *isolation, bool on_trial)
{
    Vm *vm = isolation->vm;
    isolation->in_place = isolation->watching && vm_is_watched(vm, vm_call_target(vm));
    vm_set_stop(vm, (VmStop){0});
    if (!on_trial) return;
    isolation->trial = vm_depth(vm);
    vm_tell_return(vm);
}

/* ---- where the call is ---- */

uint64_t isolation_position(const Isolation *isolation)
{
    const Vm *vm = isolation->vm;
    bool isolated = isolation->levels.len;
    uint32_t depth = vm_depth(vm), below = isolated ? vec_top(&isolation->levels).depth : 0;
    VmFrame frame = vm_frame(vm, depth - 1);
    uint64_t before = isolated ? isolation->completed - vec_top(&isolation->levels).completed
                               : count_met(isolation, met_of(isolation, vm_call_target(vm)));
    uint64_t hash = hash_mix((uint64_t)(depth - below) << 32 | (uint64_t)(frame.function - vm_program(vm)->functions));
    hash = hash_mix(hash ^ (uint64_t)(frame.instr - frame.function->code));
    hash = hash_mix(hash ^ hash_mix(before));
    for (uint32_t i = 0; i < vm_path_length(vm) && !isolated; i++) hash = hash_mix(hash ^ vm_condition(vm, i)->condition);
    return hash;
}

static bool decides(const Program *program, const Function *f, const Instr *i)
{
    if (i->op == OP_BRANCH || i->op == OP_SWITCH || i->op == OP_INDIRECT) return true;
    if (i->op != OP_CALL) return false;
    uint32_t callee = f->calls[i->imm].callee;
    return callee == UINT32_MAX || (program->functions[callee].defined && program->functions[callee].code_count);
}

/* Is there a branch, or a call of something that may have one, that can be reached from behind the call that the frame is at? */
static bool decides_later(const Program *program, VmFrame frame)
{
    const Function *f = frame.function;
    uint32_t at = (uint32_t)(frame.instr - f->code) + 1;
    bool found = false;
    uint8_t *seen = mem_alloc(f->block_count + 1);
    Vec(uint32_t) work = {0};
    const Block *here = &f->blocks[function_block(f, at - 1)];
    for (uint32_t i = at; i < here->first + here->count && !found; i++) found = decides(program, f, &f->code[i]);
    vec_push(&work, function_block(f, at - 1));
    while (work.len && !found) {
        const Block *block = &f->blocks[vec_pop(&work)];
        for (uint32_t s = 0; s < block->successor_count && !found; s++) {
            const Block *next = &f->blocks[block->successors[s]];
            if (seen[block->successors[s]]++) continue;
            for (uint32_t i = 0; i < next->count && !found; i++) found = decides(program, f, &f->code[next->first + i]);
            vec_push(&work, block->successors[s]);
        }
    }
    vec_release(&work);
    free(seen);
    return found;
}

bool isolation_call_matters(const Isolation *isolation)
{
    for (uint32_t i = vm_depth(isolation->vm); i-- > 0;)
        if (decides_later(vm_program(isolation->vm), vm_frame(isolation->vm, i))) return true;
    return false;
}
