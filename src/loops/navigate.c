/* A path, or a turn of a loop, on which the loops that it comes to are gone along in closed form. */
#include "loops/loops_int.h"

#include "vm/isolate.h"

#include <stdlib.h>

enum { MOST_NODES = 8 /* loops of a path that are gone along.  A guess. */ };

bool loops__may_turn(const VmCondition *c)
{
    return c->kind == CONDITION_BRANCH && c->branch != UINT32_MAX && c->mark != VM_NO_MARK;
}

bool loops__ended_run(const Loops *loops, uint32_t from)
{
    const Vm *vm = loops->host.vm;
    uint32_t length = vm_path_length(vm);
    if (length <= from) return false;
    const VmCondition *c = vm_condition(vm, length - 1);
    if (c->kind == CONDITION_CHECK) return vm_stop(vm)->kind == VM_BUG && !c->holds;
    return c->kind == CONDITION_ASSUME && vm_stop(vm)->kind == VM_ASSUMPTION;
}

static Node *node_at(const Scope *scope, const VmHead *head)
{
    for (uint32_t i = scope->nodes.len; i-- > 0;) {
        Node *node = scope->nodes.data[i];
        if (node->function == head->function && node->loop == head->loop && node->frame == head->frame) return node;
    }
    return NULL;
}

static bool is_goal_taken(const Loops *loops, const Scope *scope)
{
    const uint32_t *trace;
    uint32_t count = vm_trace(loops->host.vm, &trace);
    if (scope->stays.depth) return false;
    for (uint32_t i = scope->trace; i < count; i++)
        if (trace[i] == loops->goal) return true;
    return false;
}

/* The path has come to a loop for the first time. */
static void enter_loop(Loops *loops, Scope *scope, const VmHead *head)
{
    const uint32_t *trace;
    Node *node = mem_alloc(sizeof *node);
    uint32_t nodes = 0;
    node->function = head->function;
    node->loop = head->loop;
    node->frame = head->frame;
    node->trace = vm_trace(loops->host.vm, &trace) - scope->trace;
    node->inputs = vm_input_count(loops->host.vm) - scope->inputs;
    node->path = vm_path_length(loops->host.vm);
    vec_push(&loops->all_nodes, node);
    for (uint32_t i = 0; i < scope->nodes.len; i++) nodes += scope->nodes.data[i]->word.len != 0;
    if (nodes < MOST_NODES) {
        loops__find_chains(loops, node, head);
        if (node->chains.len) loops__go_along(loops, node);
    }
    vec_push(&scope->nodes, node);
}

/* Cuts the trace behind the goal, so that it is the last branch of a plan. */
static void end_at_goal(Loops *loops)
{
    const uint32_t *trace;
    uint32_t count = vm_trace(loops->host.vm, &trace), i = 0;
    while (i < count && trace[i] != loops->goal) i++;
    vm_cut_trace(loops->host.vm, i + 1);
}

ScopeEnd loops__run(Loops *loops, Scope *scope)
{
    Vm *vm = loops->host.vm;
    for (;;) {
        if (!loops->steps_left) return SCOPE_STOP;
        uint64_t before = vm_stats(vm)->instructions;
        VmGo go = scope->stays;
        go.steps = loops->steps_left < 4096 ? loops->steps_left : 4096;
        VmEvent event = vm_go(vm, &go);
        uint64_t steps = vm_stats(vm)->instructions - before + 1;
        loops->steps_left = loops->steps_left > steps ? loops->steps_left - steps : 0;
        if (is_goal_taken(loops, scope)) {
            end_at_goal(loops);
            return SCOPE_GOAL;
        }
        if (event == VM_EVENT_STOPPED) return SCOPE_STOP;
        if (event == VM_EVENT_LEFT) return SCOPE_LEFT;
        if (event != VM_EVENT_HEAD) continue;
        VmHead head = vm_head(vm);
        if (scope->stays.depth && head.loop == scope->stays.loop && head.frame == scope->frame) return SCOPE_TURN;
        const Node *node = node_at(scope, &head);
        if (node && node->word.len) return SCOPE_AGAIN;
        if (!node) enter_loop(loops, scope, &head);
        if (vm_stop(vm)->kind != VM_RUNNING) return SCOPE_STOP;
    }
}
