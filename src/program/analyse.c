/* Control flow of every function: successors, predecessors, dominators, natural loops, direct callees.
 *
 * Dominators are computed by iterating over the blocks in reverse postorder until nothing changes, intersecting along the tree built so
 * far (Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm"); functions of C programs are small and nearly reducible, so two or
 * three rounds are enough and the plain arrays beat asymptotically better methods.  A natural loop is a back edge (its head dominates
 * its tail) with all blocks that reach the tail without passing the head; back edges to the same head make one loop.  Irreducible cycles
 * have no head that dominates them and make no loop.
 *
 * A TRAP has the block where execution would have gone on as its successor: what Clew cannot execute must not make what follows look
 * unreachable. */
#include "program/program.h"

#include <stdlib.h>

#define NOWHERE UINT32_MAX

typedef struct Flow {
    Program *program;
    Function *function;
    uint32_t *order;    /* reverse postorder of the reachable blocks */
    uint32_t *position; /* of a block in it, NOWHERE if unreachable */
    uint32_t reached;
    uint32_t *mark;       /* scratch, one entry per block; zeroed between uses */
    Vec(uint32_t) labels; /* blocks of this function whose address is taken */
} Flow;

static void add_successor(Block *block, uint32_t target)
{
    for (uint32_t i = 0; i < block->successor_count; i++)
        if (block->successors[i] == target) return;
    block->successors[block->successor_count++] = target;
}

static void collect_labels(Flow *flow)
{
    uint32_t index = (uint32_t)(flow->function - flow->program->functions);
    vec_clear(&flow->labels);
    for (uint32_t i = 0; i < flow->program->symbol_count; i++) {
        const Symbol *symbol = &flow->program->symbols[i];
        if (symbol->kind == SYMBOL_LABEL && symbol->index == index) vec_push(&flow->labels, symbol->block);
    }
}

/* A switch may name thousands of targets, so duplicates are found by marks, not by search. */
static void switch_successors(Flow *flow, Block *block, const Switch *sw)
{
    for (uint32_t i = 0; i <= sw->case_count; i++) {
        uint32_t target = i < sw->case_count ? sw->cases[i].block : sw->default_block;
        if (!flow->mark[target]) block->successors[block->successor_count++] = target;
        flow->mark[target] = 1;
    }
    for (uint32_t i = 0; i < block->successor_count; i++) flow->mark[block->successors[i]] = 0;
}

static void find_successors(Flow *flow, Block *block)
{
    Function *function = flow->function;
    const Instr *last = &function->code[block->first + block->count - 1];
    uint32_t most = 2;
    if (last->op == OP_SWITCH) most = function->switches[last->imm].case_count + 1;
    if (last->op == OP_INDIRECT) most = flow->labels.len;
    block->successors = arena_alloc(&flow->program->arena, most * sizeof *block->successors);
    block->successor_count = 0;
    switch (last->op) {
    case OP_JUMP: add_successor(block, (uint32_t)last->imm); break;
    case OP_BRANCH:
        add_successor(block, function->branches[last->imm].yes);
        add_successor(block, function->branches[last->imm].no);
        break;
    case OP_SWITCH: switch_successors(flow, block, &function->switches[last->imm]); break;
    case OP_INDIRECT:
        for (uint32_t i = 0; i < flow->labels.len; i++) add_successor(block, flow->labels.data[i]);
        break;
    case OP_TRAP:
        if (last->c != OPERAND_NONE) add_successor(block, last->c);
        break;
    default: break;
    }
}

static void find_predecessors(Flow *flow)
{
    Function *function = flow->function;
    for (uint32_t b = 0; b < function->block_count; b++) function->blocks[b].predecessor_count = 0;
    for (uint32_t b = 0; b < function->block_count; b++)
        for (uint32_t i = 0; i < function->blocks[b].successor_count; i++)
            function->blocks[function->blocks[b].successors[i]].predecessor_count++;
    for (uint32_t b = 0; b < function->block_count; b++) {
        Block *block = &function->blocks[b];
        block->predecessors = arena_alloc(&flow->program->arena, block->predecessor_count * sizeof *block->predecessors);
        block->predecessor_count = 0;
    }
    for (uint32_t b = 0; b < function->block_count; b++)
        for (uint32_t i = 0; i < function->blocks[b].successor_count; i++) {
            Block *target = &function->blocks[function->blocks[b].successors[i]];
            target->predecessors[target->predecessor_count++] = b;
        }
}

/* Depth-first search with its own stack: generated functions may have a hundred thousand blocks in a row. */
static void find_order(Flow *flow)
{
    Function *function = flow->function;
    typedef struct {
        uint32_t block, next;
    } Step;
    Vec(Step) stack = {0};
    uint32_t n = function->block_count, at = n;
    for (uint32_t b = 0; b < n; b++) flow->position[b] = NOWHERE;
    vec_push(&stack, ((Step){0, 0}));
    flow->mark[0] = 1;
    while (stack.len) {
        Step *top = &vec_top(&stack);
        const Block *block = &function->blocks[top->block];
        if (top->next < block->successor_count) {
            uint32_t target = block->successors[top->next++];
            if (flow->mark[target]) continue;
            flow->mark[target] = 1;
            vec_push(&stack, ((Step){target, 0}));
        } else {
            flow->order[--at] = top->block;
            (void)vec_pop(&stack);
        }
    }
    vec_release(&stack);
    flow->reached = n - at;
    memmove(flow->order, flow->order + at, flow->reached * sizeof *flow->order);
    for (uint32_t i = 0; i < flow->reached; i++) {
        flow->position[flow->order[i]] = i;
        flow->mark[flow->order[i]] = 0;
    }
}

static uint32_t common_dominator(const Flow *flow, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (flow->position[a] > flow->position[b]) a = flow->function->blocks[a].idom;
        while (flow->position[b] > flow->position[a]) b = flow->function->blocks[b].idom;
    }
    return a;
}

static void find_dominators(Flow *flow)
{
    Block *blocks = flow->function->blocks;
    for (uint32_t b = 0; b < flow->function->block_count; b++) blocks[b].idom = flow->position[b] == NOWHERE ? b : NOWHERE;
    blocks[0].idom = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < flow->reached; i++) {
            Block *block = &blocks[flow->order[i]];
            uint32_t found = NOWHERE;
            for (uint32_t p = 0; p < block->predecessor_count; p++) {
                uint32_t from = block->predecessors[p];
                if (flow->position[from] == NOWHERE || blocks[from].idom == NOWHERE) continue;
                found = found == NOWHERE ? from : common_dominator(flow, from, found);
            }
            assert(found != NOWHERE);
            if (block->idom != found) {
                block->idom = found;
                changed = true;
            }
        }
    }
}

static bool dominates(const Flow *flow, uint32_t a, uint32_t b)
{
    while (flow->position[b] > flow->position[a]) b = flow->function->blocks[b].idom;
    return a == b;
}

/* Walks back from the tails to the head and leaves the members in `members`, the head first. */
static void loop_members(Flow *flow, uint32_t head, uint32_t **members, uint32_t *count)
{
    Vec(uint32_t) found = {0};
    vec_push(&found, head);
    flow->mark[head] = 1;
    const Block *block = &flow->function->blocks[head];
    for (uint32_t i = 0; i < block->predecessor_count; i++) {
        uint32_t from = block->predecessors[i];
        if (flow->position[from] == NOWHERE || !dominates(flow, head, from) || flow->mark[from]) continue;
        flow->mark[from] = 1;
        vec_push(&found, from);
    }
    for (uint32_t i = 1; i < found.len; i++) {
        const Block *member = &flow->function->blocks[found.data[i]];
        for (uint32_t p = 0; p < member->predecessor_count; p++) {
            uint32_t from = member->predecessors[p];
            if (flow->position[from] == NOWHERE || flow->mark[from]) continue;
            flow->mark[from] = 1;
            vec_push(&found, from);
        }
    }
    *members = arena_alloc(&flow->program->arena, found.len * sizeof **members);
    memcpy(*members, found.data, found.len * sizeof **members);
    *count = found.len;
    for (uint32_t i = 0; i < found.len; i++) flow->mark[found.data[i]] = 0;
    vec_release(&found);
}

static bool is_loop_head(const Flow *flow, uint32_t b)
{
    const Block *block = &flow->function->blocks[b];
    for (uint32_t i = 0; i < block->predecessor_count; i++)
        if (flow->position[block->predecessors[i]] != NOWHERE && dominates(flow, b, block->predecessors[i])) return true;
    return false;
}

/* Heads are met in reverse postorder, so an outer loop is found before those inside it: the innermost loop of a head at that moment is the
 * parent, and each loop then claims its members from the outer ones. */
static void find_loops(Flow *flow)
{
    Function *function = flow->function;
    Vec(Loop) loops = {0};
    for (uint32_t b = 0; b < function->block_count; b++) function->blocks[b].loop = NOWHERE;
    for (uint32_t i = 0; i < flow->reached; i++) {
        uint32_t head = flow->order[i];
        if (!is_loop_head(flow, head)) continue;
        Loop loop = {.header = head, .parent = function->blocks[head].loop};
        loop.depth = loop.parent == NOWHERE ? 1 : loops.data[loop.parent].depth + 1;
        loop_members(flow, head, &loop.blocks, &loop.block_count);
        for (uint32_t k = 0; k < loop.block_count; k++) function->blocks[loop.blocks[k]].loop = loops.len;
        vec_push(&loops, loop);
    }
    function->loop_count = loops.len;
    function->loops = arena_alloc(&flow->program->arena, loops.len * sizeof *function->loops);
    if (loops.len) memcpy(function->loops, loops.data, loops.len * sizeof *function->loops);
    vec_release(&loops);
}

static void find_callees(Program *program, Function *function, Map *seen)
{
    uint32_t self = (uint32_t)(function - program->functions);
    function->callees = arena_alloc(&program->arena, function->call_count * sizeof *function->callees);
    function->callee_count = 0;
    function->calls_unknown = false;
    for (uint32_t i = 0; i < function->call_count; i++) {
        uint32_t callee = function->calls[i].callee;
        if (callee == UINT32_MAX) {
            function->calls_unknown = true;
            continue;
        }
        uint64_t key = (uint64_t)self << 32 | callee;
        if (map_find(seen, key)) continue;
        map_put(seen, key, 1);
        function->callees[function->callee_count++] = callee;
    }
}

static bool has_indirect(const Function *function)
{
    for (uint32_t b = 0; b < function->block_count; b++)
        if (function->code[function->blocks[b].first + function->blocks[b].count - 1].op == OP_INDIRECT) return true;
    return false;
}

static void analyse_function(Flow *flow)
{
    Function *function = flow->function;
    uint32_t n = function->block_count;
    flow->order = mem_alloc(n * sizeof *flow->order);
    flow->position = mem_alloc(n * sizeof *flow->position);
    flow->mark = mem_alloc(n * sizeof *flow->mark);
    if (has_indirect(function)) collect_labels(flow);
    for (uint32_t b = 0; b < n; b++) find_successors(flow, &function->blocks[b]);
    find_predecessors(flow);
    find_order(flow);
    find_dominators(flow);
    find_loops(flow);
    free(flow->order);
    free(flow->position);
    free(flow->mark);
}

void program_analyse(Program *program)
{
    Flow flow = {.program = program};
    Map seen = {0};
    for (uint32_t i = 0; i < program->function_count; i++) {
        flow.function = &program->functions[i];
        if (!flow.function->defined) continue;
        analyse_function(&flow);
        find_callees(program, flow.function, &seen);
    }
    map_release(&seen);
    vec_release(&flow.labels);
}
