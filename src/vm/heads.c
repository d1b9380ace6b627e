/* The machine driven from loop head to loop head (vm.h): the reference interpreter executes one instruction after the other, and after each it is looked
 * at where the machine is.  That takes about ten times as long as the dispatch loop, so it is for few turns, of which much is to be known. */
#include "vm/vm_int.h"

#include <stdlib.h>

/* Per function: which codes begin the header of a loop, and in which block each code is. */
typedef struct Headers {
    uint32_t *head;  /* per code: number + 1 of the loop that begins there; 0: none */
    uint32_t *block; /* per code */
} Headers;

struct VmHeads {
    Headers *functions; /* per function, made when it is needed */
    bool traces;
    bool logs;
    Vec(uint32_t) trace;
    Vec(VmRange) writes;
};

static Headers *headers_of(Vm *vm, const Prepared *p)
{
    Headers *h = &vm->heads->functions[p->index];
    if (h->block) return h;
    const Function *f = p->function;
    h->block = mem_alloc((p->code_count + 1) * sizeof *h->block);
    h->head = mem_alloc((p->code_count + 1) * sizeof *h->head);
    for (uint32_t b = 0; b < f->block_count; b++) {
        uint32_t end = p->code_count;
        for (uint32_t k = 0; k < f->block_count; k++)
            if (p->block_start[k] > p->block_start[b] && p->block_start[k] < end) end = p->block_start[k];
        for (uint32_t i = p->block_start[b]; i < end; i++) h->block[i] = b;
    }
    for (uint32_t l = 0; l < f->loop_count && !f->in_model && !f->in_harness; l++) h->head[p->block_start[f->loops[l].header]] = l + 1;
    return h;
}

void vm_start_heads(Vm *vm, bool traces)
{
    if (!vm->heads) {
        vm->heads = mem_alloc(sizeof *vm->heads);
        vm->heads->functions = mem_alloc((vm->program->function_count + 1) * sizeof *vm->heads->functions);
    }
    vm->heads->traces = traces;
    vm->heads->logs = false;
    vec_clear(&vm->heads->trace);
    vec_clear(&vm->heads->writes);
}

void vm__release_heads(Vm *vm)
{
    if (!vm->heads) return;
    for (uint32_t i = 0; i < vm->program->function_count; i++) {
        free(vm->heads->functions[i].head);
        free(vm->heads->functions[i].block);
    }
    free(vm->heads->functions);
    vec_release(&vm->heads->trace);
    vec_release(&vm->heads->writes);
    free(vm->heads);
}

void vm__trace_branch(Vm *vm, uint32_t branch)
{
    if (vm->heads->traces) vec_push(&vm->heads->trace, branch);
}

uint32_t vm__trace_length(const Vm *vm)
{
    return vm->heads ? vm->heads->trace.len : 0;
}

uint32_t vm_trace(const Vm *vm, const uint32_t **branches)
{
    *branches = vm->heads->trace.data;
    return vm->heads->trace.len;
}

void vm_cut_trace(Vm *vm, uint32_t length)
{
    if (vm->heads->trace.len > length) vm->heads->trace.len = length;
}

/* ---- writes ---- */

void vm__log_write(Vm *vm, uint64_t address, uint64_t n)
{
    if (vm->heads->logs && vm->evaluating == EVALUATING_NOTHING) vec_push(&vm->heads->writes, ((VmRange){address, n}));
}

void vm_log_writes(Vm *vm, bool logs)
{
    vm->heads->logs = logs;
    if (logs) vec_clear(&vm->heads->writes);
}

uint32_t vm_logged_writes(const Vm *vm, const VmRange **writes)
{
    *writes = vm->heads->writes.data;
    return vm->heads->writes.len;
}

/* ---- registers ---- */

Expr vm_register(Vm *vm, uint32_t reg, unsigned width)
{
    Value value = vm__operand(vm, reg, width);
    if (!value.e) return expr_const(vm->pool, width, value.bits);
    unsigned has = expr_width(vm->pool, value.e);
    return has == width ? value.e : has > width ? expr_extract(vm->pool, value.e, 0, width) : expr_zext(vm->pool, value.e, width);
}

void vm_set_register(Vm *vm, uint32_t reg, unsigned width, Expr value)
{
    vm__set(vm, reg, width, expr_is_const(vm->pool, value) ? (Value){.bits = expr_value(vm->pool, value)} : (Value){.e = value});
}

void vm_assume(Vm *vm, Expr condition)
{
    vm_begin_step(vm);
    vm__assume(vm, condition);
}

/* ---- going ---- */

VmHead vm_head(const Vm *vm)
{
    const Frame *frame = vm__frame(vm);
    VmHead head = {.function = frame->code->index, .loop = UINT32_MAX, .depth = vm->depth, .frame = frame->serial};
    const Headers *h = &vm->heads->functions[frame->code->index];
    if (h->head && h->head[frame->pc - frame->code->code]) head.loop = h->head[frame->pc - frame->code->code] - 1;
    return head;
}

static bool is_inside(const Loop *loop, uint32_t block)
{
    for (uint32_t i = 0; i < loop->block_count; i++)
        if (loop->blocks[i] == block) return true;
    return false;
}

/* Has the machine left the loop? */
static bool has_left(Vm *vm, const VmGo *go)
{
    if (!go->depth || vm->depth > go->depth) return false;
    if (vm->depth < go->depth) return true;
    const Frame *frame = vm__frame(vm);
    const Headers *h = headers_of(vm, frame->code);
    return !is_inside(&frame->code->function->loops[go->loop], h->block[frame->pc - frame->code->code]);
}

/* The number of branches of `go->expected` that were taken, one by one from the beginning of the trace at `*checked` on; false: another one was. */
static bool is_expected(const Vm *vm, const VmGo *go, uint32_t *checked, uint32_t first)
{
    for (; *checked < vm->heads->trace.len; ++*checked)
        if (*checked - first >= go->expected_count || vm->heads->trace.data[*checked] != go->expected[*checked - first]) return false;
    return true;
}

VmEvent vm_go(Vm *vm, const VmGo *go)
{
    uint32_t first = vm->heads->trace.len - go->expected_before, checked = vm->heads->trace.len;
    for (uint64_t steps = 0; steps < go->steps; steps++) {
        if (vm->stop.kind != VM_RUNNING) return VM_EVENT_STOPPED;
        if (go->expected && checked - first == go->expected_count) return VM_EVENT_DONE;
        vm__step(vm);
        if (steps % TICKS == TICKS - 1 && vm->stop.kind == VM_RUNNING) vm__tick(vm);
        if (go->expected && !is_expected(vm, go, &checked, first)) return VM_EVENT_ASTRAY;
        if (vm->stop.kind != VM_RUNNING || vm->depth == 0) return VM_EVENT_STOPPED;
        if (has_left(vm, go)) return VM_EVENT_LEFT;
        const Frame *frame = vm__frame(vm);
        if (headers_of(vm, frame->code)->head[frame->pc - frame->code->code]) return VM_EVENT_HEAD;
    }
    return VM_EVENT_STEPS;
}
