/* A path, or a turn of a loop, on which the loops that it comes to are gone along in closed form. */
#include "loops/loops_int.h"

#include "vm/observer.h"

#include <stdlib.h>

enum { MOST_NODES = 8 /* loops of a path that are gone along.  A guess. */ };

bool loops__may_turn(const VmCondition *c)
{
    return c->kind == CONDITION_BRANCH && c->branch != UINT32_MAX && c->mark != VM_NO_MARK;
}

Expr loops__condition_for(Loops *loops, const VmCondition *c, uint32_t branch)
{
    ExprPool *pool = loops->host.pool;
    const Branch *want = &loops->host.program->branches[branch];
    if (want->outcome == OUTCOME_CASE) return expr_eq(pool, c->decides, expr_const(pool, expr_width(pool, c->decides), want->value));
    if (want->outcome != OUTCOME_DEFAULT) return expr_not(pool, c->condition);
    Expr none = expr_const(pool, 1, 1);
    for (uint32_t i = branch - want->which; i < branch; i++) {
        Expr value = expr_const(pool, expr_width(pool, c->decides), loops->host.program->branches[i].value);
        none = expr_and(pool, none, expr_not(pool, expr_eq(pool, c->decides, value)));
    }
    return none;
}

bool loops__ended_run(const Loops *loops, uint32_t from)
{
    const Vm *vm = loops->host.vm;
    uint32_t length = vm_path_length(vm);
    if (length <= from) return false;
    const VmCondition *c = vm_condition(vm, length - 1);
    if (c->kind == CONDITION_CHECK) return vm_stop(vm)->kind == VM_BUG && !c->holds;
    return c->kind == CONDITION_ASSUME && !c->holds;
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

static Node *new_node(Loops *loops, const Scope *scope, const VmHead *head)
{
    const uint32_t *trace;
    Node *node = mem_alloc(sizeof *node);
    node->function = head->function;
    node->loop = head->loop;
    node->frame = head->frame;
    node->trace = vm_trace(loops->host.vm, &trace) - scope->trace;
    node->inputs = vm_input_count(loops->host.vm) - scope->inputs;
    node->path = vm_path_length(loops->host.vm);
    vec_push(&loops->all_nodes, node);
    return node;
}

static uint32_t places_in_memory(const Node *node)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < node->places.len; i++) count += node->places.data[i].in_memory;
    return count;
}

/* Does the first way round the loop put a constant into memory where something else was? */
static bool may_prepare(const Loops *loops, const Node *node)
{
    const ExprPool *pool = loops->host.pool;
    for (uint32_t i = 0; i < node->places.len && node->chains.len; i++) {
        Expr effect = node->chains.data[0].effects.data[i];
        if (node->places.data[i].in_memory && expr_is_const(pool, effect) && effect != node->places.data[i].start) return true;
    }
    return false;
}

/* Executes one turn along the first way round the loop, from its head.  False: the machine is elsewhere. */
static bool go_round_once(Loops *loops, const Node *node, const VmHead *head)
{
    Vm *vm = loops->host.vm;
    const Chain *chain = &node->chains.data[0];
    uint32_t inputs = vm_input_count(vm);
    Exprs conditions = {0};
    loops__where_entered(loops, node, &chain->conditions, &conditions);
    bool goes = loops__ask(loops, vm_path_length(vm), conditions.data, conditions.len) == SOLVE_SAT;
    vec_release(&conditions);
    if (!goes) return false;
    loops__take_solution(loops);
    for (uint32_t i = 0; i < chain->inputs.len && inputs + i < loops->given.len; i++)
        loops->given.data[inputs + i] = expr_model_get(vm_model(vm), chain->inputs.data[i]);
    for (;;) {
        VmGo go = {.depth = head->depth, .loop = head->loop, .steps = loops->steps_left};
        uint64_t before = vm_stats(vm)->instructions;
        VmEvent event = vm_go(vm, &go);
        uint64_t steps = vm_stats(vm)->instructions - before + 1;
        loops->steps_left = loops->steps_left > steps ? loops->steps_left - steps : 0;
        VmHead now = vm_head(vm);
        if (event != VM_EVENT_HEAD) return false;
        if (now.loop == head->loop && now.frame == head->frame) return true;
    }
}

/* The first turn of a loop may prepare what later turns only use, such as the buffer of a stream; then the ways round the loop look different after it, and
 * fewer places change.  So one turn is executed, and the loop is gone along from there.  Returns the node to go along. */
static Node *after_first_turn(Loops *loops, const Scope *scope, Node *node, const VmHead *head)
{
    Vm *vm = loops->host.vm;
    const uint32_t *trace_data;
    if (!may_prepare(loops, node)) return node;
    VmMark mark = vm_mark(vm);
    uint32_t trace = vm_trace(vm, &trace_data), undo = loops->undo.len;
    LoopsValues given = {0};
    for (uint32_t i = 0; i < loops->given.len; i++) vec_push(&given, loops->given.data[i]);
    Node *later = NULL;
    if (go_round_once(loops, node, head)) {
        later = new_node(loops, scope, head);
        later->turns_before = 1;
        loops__find_chains(loops, later, head);
    }
    bool is_simpler = later && later->chains.len && places_in_memory(later) < places_in_memory(node);
    if (!is_simpler) {
        loops__restore_model(loops, undo);
        vm_return(vm, mark);
        vm_cut_trace(vm, trace);
        if (given.len) memcpy(loops->given.data, given.data, given.len * sizeof *given.data);
    }
    vec_release(&given);
    return is_simpler ? later : node;
}

/* The path has come to a loop for the first time. */
static void enter_loop(Loops *loops, Scope *scope, const VmHead *head)
{
    Node *node = new_node(loops, scope, head);
    uint32_t nodes = 0;
    for (uint32_t i = 0; i < scope->nodes.len; i++) nodes += scope->nodes.data[i]->word.len != 0;
    if (nodes < MOST_NODES) {
        loops__find_chains(loops, node, head);
        node = after_first_turn(loops, scope, node, head);
        if (node->chains.len && loops->pairs) loops__add_pairs(loops, node);
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
        uint32_t conditions = vm_path_length(vm);
        VmGo go = scope->stays;
        go.steps = loops->steps_left < 4096 ? loops->steps_left : 4096;
        VmEvent event = vm_go(vm, &go);
        uint64_t steps = vm_stats(vm)->instructions - before + 1;
        loops->steps_left = loops->steps_left > steps ? loops->steps_left - steps : 0;
        loops->stats.states += vm_path_length(vm) - conditions;
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
