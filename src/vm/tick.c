/* Every TICKS backward jumps and calls: limits, and loops that get nowhere.
 *
 * A loop that repeats a whole state (same frame, same place, same registers, and nothing stored, called or decided in between) will
 * repeat it for ever.  States are compared with one remembered state; the distance between remembering doubles (Brent), so that any period is found
 * in the end and long runs pay nothing.
 *
 * Where the function could leave the loop, repeating a state for ever is a bug.  Where nothing leads out of it (`for (;;);` after a shutdown), the program
 * says that it is to idle there, and the run is simply over. */
#include "vm/vm_int.h"

#include <stdlib.h>

enum {
    DEEP = 5000,     /* calls that are too many where every one of them has decided something */
    FIRST_TRIES = 4, /* to read: before that, states are not looked at, because most programs end.  A guess. */
    MOST_PERIOD = 64 /* tries after which a state is looked for again.  A guess: a round may read several things. */
};

static bool same_state(const Vm *vm, const Frame *frame)
{
    uint32_t n = frame->code->registers;
    if (vm->progress.serial != frame->serial || vm->progress.pc != frame->pc || vm->progress.effects != vm->effects) return false;
    if (vm->progress.mixed != frame->mixed || vm->progress.count != n) return false;
    if (!frame->mixed) return memcmp(vm->progress.registers, vm->stack + frame->base, n * sizeof(uint64_t)) == 0;
    const Expr *expressions = vm->expressions + frame->base;
    for (uint32_t i = 0; i < n; i++) {
        bool same = expressions[i] || vm->progress.registers[i] == vm->stack[frame->base + i];
        if (!same || expressions[i] != vm->progress.expressions[i]) return false;
    }
    return true;
}

static void remember(Vm *vm, const Frame *frame)
{
    uint32_t n = frame->code->registers;
    vm->progress.registers = mem_resize(vm->progress.registers, (n + 1) * sizeof(uint64_t));
    memcpy(vm->progress.registers, vm->stack + frame->base, n * sizeof(uint64_t));
    vm->progress.expressions = mem_resize(vm->progress.expressions, (n + 1) * sizeof(Expr));
    if (frame->mixed) memcpy(vm->progress.expressions, vm->expressions + frame->base, n * sizeof(Expr));
    vm->progress.mixed = frame->mixed;
    vm->progress.count = n;
    vm->progress.serial = frame->serial;
    vm->progress.pc = frame->pc;
    vm->progress.effects = vm->effects;
}

/* Can the function end, by a return or otherwise, from where it is? */
static bool can_end(const Frame *frame)
{
    const Function *f = frame->code->function;
    Vec(uint32_t) open = {0};
    uint8_t *visited = mem_alloc(f->block_count);
    bool ends = false;
    vec_push(&open, function_block(f, frame->code->origin[frame->pc - frame->code->code].instr));
    while (open.len && !ends) {
        const Block *block = &f->blocks[vec_pop(&open)];
        ends = block->successor_count == 0;
        for (uint32_t i = 0; i < block->successor_count; i++)
            if (!visited[block->successors[i]]++) vec_push(&open, block->successors[i]);
    }
    free(visited);
    vec_release(&open);
    return ends;
}

static void watch_progress(Vm *vm)
{
    const Frame *frame = vm__frame(vm);
    if (same_state(vm, frame)) {
        if (can_end(frame)) vm__report(vm, BUG_NO_PROGRESS, "this loop repeats the same state for ever");
        else vm__stop(vm, VM_IDLE, 0, "the program idles in this loop for ever");
        return;
    }
    if (vm->progress.wait > 0 && vm->progress.serial != 0) {
        vm->progress.wait--;
        return;
    }
    vm->progress.period = vm->progress.period ? vm->progress.period * 2 : 1;
    if (vm->progress.period > 1 << 20) vm->progress.period = 1;
    vm->progress.wait = vm->progress.period;
    remember(vm, frame);
}

/* A program that tries to read and takes nothing, and comes to a state in which it did so before, goes round for ever: no input can change that.  Many programs
 * that read commands in a loop do so at the end of their input, or before a character that their scanf does not take, and would print their menu until a limit
 * ends them. */
void vm__watch_reading(Vm *vm)
{
    VmState state;
    if (vm->reading.run != vm->run_start) vm->reading.tries = vm->reading.kept = 0;
    vm->reading.run = vm->run_start;
    uint64_t tries = ++vm->reading.tries, kept = vm->reading.kept;
    if (tries < FIRST_TRIES || (tries > kept + MOST_PERIOD && tries < 2 * kept) || !vm_state(vm, &state)) return;
    bool asked_nothing = kept && vm->reading.inputs == vm->input_count; /* else other inputs may lead elsewhere */
    if (asked_nothing && state.a == vm->reading.state.a && state.b == vm->reading.state.b) {
        vm__stop(vm, VM_IDLE, 0, "the program goes round for ever, trying to read");
    } else if (tries >= 2 * kept) {
        vm->reading.state = state;
        vm->reading.kept = tries;
        vm->reading.inputs = vm->input_count;
    }
}

/* A frame whose expressions have all gone (an uninitialised start value, overwritten) goes back to the faster loop. */
static void leave_mixed(Vm *vm)
{
    Frame *frame = vm__frame(vm);
    const Expr *expressions = vm->expressions + frame->base;
    for (uint32_t i = 0; i < frame->code->registers; i++)
        if (expressions[i]) return;
    frame->mixed = false;
}

void vm__tick(Vm *vm)
{
    if (!vm->options.reference && vm__frame(vm)->mixed) leave_mixed(vm);
    const VmOptions *options = &vm->options;
    if (options->step_limit && vm->stats.instructions >= options->step_limit)
        vm__stop(vm, VM_STEPS, 0, "the limit of %llu instructions is reached", (unsigned long long)options->step_limit);
    uint64_t executed = vm->stats.instructions - vm->run_start;
    if (options->run_limit && executed >= options->run_limit)
        vm__stop(vm, VM_STEPS, 0, "the run has more than %llu instructions", (unsigned long long)options->run_limit);
    uint32_t nodes = expr_pool_count(vm->pool);
    if (options->node_limit && nodes > vm->run_nodes && nodes - vm->run_nodes > options->node_limit)
        vm__stop(vm, VM_STEPS, 0, "the values of the run have more than %u expressions", options->node_limit);
    if (vm->patience && executed >= vm->patience && vm->path.len >= vm->patience_path && !vm->nested)
        vm__stop(vm, VM_DEPTH, 0, "the run goes on after %llu instructions", (unsigned long long)executed);
    if (options->path_limit && vm->path.len >= options->path_limit && vm->depth >= DEEP)
        vm__report(vm, BUG_STACK_OVERFLOW, "the recursion is %u calls deep, and no end is in sight", vm->depth);
    if (options->path_limit && vm->path.len >= options->path_limit)
        vm__stop(vm, VM_STEPS, 0, "the path has more than %u conditions", options->path_limit);
    if (options->deadline > 0 && clock_seconds() >= options->deadline) vm__stop(vm, VM_TIME, 0, "the time limit is reached");
    if (vm->catches && vm->stop.kind == VM_RUNNING) vm__deliver_signal(vm);
    if (!options->reference && !vm->observer.isolating && !vm->catches && vm->stop.kind == VM_RUNNING) watch_progress(vm);
    if (vm__isolated(vm)) vm->observer.tick(vm->observer.data);
}
