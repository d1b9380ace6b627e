/* The chains of a loop: at its head, each place that the loop changes gets a variable, and the ways round it are executed one after the other.
 *
 * Which registers a loop changes is known; which memory, only after its turns were executed.  So the ways are looked for again whenever a turn has written to a
 * place that was not known to change. */
#include "loops/loops_int.h"

#include "vm/observer.h"

#include <stdlib.h>

enum {
    MOST_CHAINS = 12,  /* of one loop.  A guess. */
    MOST_PLACES = 64,  /* that a loop changes.  A guess. */
    MOST_TRIES = 64,   /* questions for one loop.  A guess. */
    MOST_SEARCHES = 4, /* for memory that changes */
    MOST_OBJECT = 256, /* bytes of an object that is written at a place which depends on what changes.  A guess. */
    MOST_WAYS = 8      /* out of one switch */
};

/* ---- places ---- */

/* The width that all instructions of the function give the register; 0: not one, or more than 64 bits. */
static unsigned width_of_register(const Function *f, uint32_t reg)
{
    unsigned width = 0;
    for (uint32_t i = 0; i < f->code_count; i++) {
        const Instr *instr = &f->code[i];
        if (instr->dst != reg || instr->op == OP_STORE) continue;
        unsigned has = instr->op == OP_ICMP || instr->op == OP_FCMP        ? 1
                       : instr->op == OP_ADDRESS || instr->op == OP_ALLOCA ? 64
                                                                           : instr->width;
        if (instr->op == OP_CALL) {
            const CallSite *site = &f->calls[instr->imm];
            has = site->result_count == 1 ? site->results[0].width : 0;
        }
        if (!has || has > 64 || (width && width != has)) return 0;
        width = has;
    }
    return width;
}

static bool is_live(Loops *loops, uint32_t function, uint32_t block, uint32_t reg)
{
    const Function *f = &loops->host.program->functions[function];
    if (!loops->live[function]) loops->live[function] = program_live(f);
    return loops->live[function][(uint64_t)block * (f->register_count / 64 + 1) + reg / 64] >> (reg % 64) & 1;
}

static void add_registers(Loops *loops, Node *node)
{
    const Function *f = &loops->host.program->functions[node->function];
    const Loop *loop = &f->loops[node->loop];
    Map known = {0};
    for (uint32_t b = 0; b < loop->block_count; b++) {
        const Block *block = &f->blocks[loop->blocks[b]];
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            uint32_t reg = f->code[i].dst;
            if (reg == OPERAND_NONE || !operand_is_reg(reg) || reg >= f->register_count || f->code[i].op == OP_STORE) continue;
            if (map_find(&known, reg) || !is_live(loops, node->function, loop->header, reg)) continue;
            map_put(&known, reg, 1);
            unsigned width = width_of_register(f, reg);
            if (!width) continue;
            Expr start = vm_register(loops->host.vm, reg, width);
            if (!expr_has_undef(loops->host.pool, start)) vec_push(&node->places, ((Place){.reg = reg, .width = width, .start = start}));
        }
    }
    map_release(&known);
}

/* Is it in an object that exists, and whole? */
static bool is_accessible(Loops *loops, uint64_t address, uint64_t bytes)
{
    VmObject object;
    bool exists = vm_object(loops->host.vm, address, &object) && object.exists;
    return exists && address - object.start < object.size && bytes <= object.size - (address - object.start);
}

/* False: it overlaps another place in part. */
static bool add_memory(Loops *loops, Node *node, uint64_t address, uint32_t bytes)
{
    for (uint32_t i = 0; i < node->places.len; i++) {
        const Place *p = &node->places.data[i];
        if (!p->in_memory || p->address + p->width / 8 <= address || address + bytes <= p->address) continue;
        return p->address == address && p->width == 8 * bytes;
    }
    uint32_t undefined = vm_undefined_bytes(loops->host.vm, address, bytes);
    Expr start = vm_read(loops->host.vm, address, bytes);
    if (!undefined && !expr_has_undef(loops->host.pool, start))
        vec_push(&node->places, ((Place){.in_memory = true, .address = address, .width = 8 * bytes, .start = start}));
    return true;
}

/* Adds the memory that the turns have written and that was there before; the machine is at the head again.  False: it cannot be followed. */
static bool add_written(Loops *loops, Node *node, const VmRange *writes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        VmRange w = writes[i];
        if (!is_accessible(loops, w.address, w.bytes)) continue;
        if (w.bytes > MOST_OBJECT) return false;
        uint32_t unit = w.bytes == 1 || w.bytes == 2 || w.bytes == 4 || w.bytes == 8 ? (uint32_t)w.bytes : w.bytes % 4 ? 1 : 4;
        for (uint64_t at = 0; at < w.bytes; at += unit)
            if (!add_memory(loops, node, w.address + at, unit)) return false;
        if (node->places.len > MOST_PLACES) return false;
    }
    return true;
}

static void set_place(Loops *loops, const Place *p, Expr value)
{
    if (p->in_memory) vm_put(loops->host.vm, p->address, p->width / 8, value);
    else vm_set_register(loops->host.vm, p->reg, p->width, value);
}

/* ---- turns ---- */

static void add_locals(Chain *chain, const Node *node)
{
    for (uint32_t i = 0; i < node->word.len; i++) {
        const Letter *letter = &node->word.data[i];
        vec_push(&chain->locals, letter->number);
        for (uint32_t k = 0; k < letter->locals.len; k++) vec_push(&chain->locals, letter->locals.data[k]);
    }
}

/* Keeps what the turn that is just complete has done. */
static void add_chain(Loops *loops, Node *node, Scope *scope)
{
    Vm *vm = loops->host.vm;
    Chain chain = {0};
    const uint32_t *trace;
    uint32_t count = vm_trace(vm, &trace);
    for (uint32_t i = scope->trace; i < count; i++) vec_push(&chain.trace, trace[i]);
    for (uint32_t i = scope->path; i < vm_path_length(vm); i++) vec_push(&chain.conditions, vm_condition(vm, i)->condition);
    for (uint32_t i = scope->inputs; i < vm_input_count(vm); i++) vec_push(&chain.inputs, vm_input(vm, i));
    for (uint32_t i = 0; i < chain.inputs.len; i++) vec_push(&chain.locals, chain.inputs.data[i]);
    for (uint32_t i = 0; i < scope->nodes.len; i++) {
        vec_push(&chain.nodes, scope->nodes.data[i]);
        add_locals(&chain, scope->nodes.data[i]);
    }
    for (uint32_t i = 0; i < node->places.len; i++) {
        const Place *p = &node->places.data[i];
        vec_push(&chain.effects, p->in_memory ? vm_read(vm, p->address, p->width / 8) : vm_register(vm, p->reg, p->width));
    }
    vec_push(&node->chains, chain);
    loops->stats.chains++;
}

static bool has_many_outcomes(const Loops *loops, const VmCondition *c)
{
    return loops->host.program->branches[c->branch].outcome >= OUTCOME_CASE;
}

/* Other outcomes that were asked for, per condition of the turn. */
typedef Vec(Exprs) Outcomes;

static void cut_outcomes(Outcomes *outcomes, uint32_t length)
{
    while (outcomes->len > length) {
        Exprs e = vec_pop(outcomes);
        vec_release(&e);
    }
}

/* Asks for another outcome of the last condition that may have one, and goes back to it.  False: there is none. */
static bool turn_last(Loops *loops, Scope *scope, Outcomes *outcomes, uint32_t *tries)
{
    Vm *vm = loops->host.vm;
    uint32_t length = vm_path_length(vm) - scope->path;
    cut_outcomes(outcomes, length);
    while (outcomes->len < length) vec_push(outcomes, (Exprs){0});
    for (uint32_t i = length; i-- > 0 && *tries;) {
        const VmCondition *c = vm_condition(vm, scope->path + i);
        Exprs *before = &outcomes->data[i];
        bool ended = i + 1 == length && loops__ended_run(loops, scope->path);
        if (!ended && !loops__may_turn(c)) continue;
        if (before->len >= (!ended && has_many_outcomes(loops, c) ? MOST_WAYS : 1u)) continue;
        vec_push(before, expr_not(loops->host.pool, c->condition));
        --*tries;
        if (loops__ask(loops, scope->path + i, before->data, before->len) != SOLVE_SAT) {
            for (uint32_t k = before->len; k < MOST_WAYS; k++) vec_push(before, 0);
            continue;
        }
        loops__take_solution(loops);
        cut_outcomes(outcomes, i + 1);
        if (loops__go_back(loops, scope, scope->path + i)) return true;
    }
    return false;
}

/* Executes one turn after the other from the head, where the machine is. */
static void execute_turns(Loops *loops, Node *node, Scope *scope)
{
    Outcomes outcomes = {0};
    uint32_t tries = MOST_TRIES;
    do {
        if (loops__run(loops, scope) == SCOPE_TURN) add_chain(loops, node, scope);
    } while (node->chains.len < MOST_CHAINS && turn_last(loops, scope, &outcomes, &tries));
    cut_outcomes(&outcomes, 0);
    vec_release(&outcomes);
}

void loops__forget_chains(Node *node)
{
    for (uint32_t i = 0; i < node->chains.len; i++) {
        Chain *chain = &node->chains.data[i];
        vec_release(&chain->trace);
        vec_release(&chain->nodes);
        vec_release(&chain->conditions);
        vec_release(&chain->effects);
        vec_release(&chain->inputs);
        vec_release(&chain->locals);
        for (uint32_t k = 0; k < chain->parts.len; k++) vec_release(&chain->parts.data[k].locals);
        vec_release(&chain->parts);
    }
    vec_clear(&node->chains);
}

/* Gives each place its variable, with the value that the place has. */
static void put_variables(Loops *loops, Node *node)
{
    for (uint32_t i = 0; i < node->places.len; i++) {
        Place *p = &node->places.data[i];
        U128 value = expr_eval(vm_model(loops->host.vm), p->start);
        if (!p->variable) p->variable = expr_var(loops->host.pool, p->width, "place");
        expr_model_set(vm_model(loops->host.vm), p->variable, value);
        set_place(loops, p, p->variable);
    }
}

void loops__where_entered(Loops *loops, const Node *node, const Exprs *list, Exprs *result)
{
    ExprTranslation t;
    expr_translation_init(&t, loops->host.pool, loops->host.pool);
    for (uint32_t i = 0; i < node->places.len; i++) expr_translation_set(&t, node->places.data[i].variable, node->places.data[i].start);
    for (uint32_t i = 0; i < list->len; i++) vec_push(result, expr_translate(&t, list->data[i]));
    expr_translation_release(&t);
}

void loops__find_chains(Loops *loops, Node *node, const VmHead *head)
{
    Vm *vm = loops->host.vm;
    const uint32_t *trace_data;
    VmMark mark = vm_mark(vm);
    uint32_t trace = vm_trace(vm, &trace_data), undo = loops->undo.len;
    bool is_known = false;
    LoopsValues given = {0};
    for (uint32_t i = 0; i < loops->given.len; i++) vec_push(&given, loops->given.data[i]);
    add_registers(loops, node);
    for (uint32_t search = 0; search < MOST_SEARCHES && !is_known; search++) {
        Scope scope = {.path = vm_path_length(vm), .trace = trace, .inputs = vm_input_count(vm), .frame = head->frame};
        scope.stays = (VmGo){.depth = head->depth, .loop = head->loop};
        loops__forget_chains(node);
        put_variables(loops, node);
        const VmRange *writes;
        if (!loops->logging++) vm_log_writes(vm, true);
        uint32_t logged = vm_logged_writes(vm, &writes);
        execute_turns(loops, node, &scope);
        if (!--loops->logging) vm_log_writes(vm, false);
        vec_release(&scope.nodes);
        loops__restore_model(loops, undo);
        vm_return(vm, mark);
        vm_cut_trace(vm, trace);
        if (given.len) memcpy(loops->given.data, given.data, given.len * sizeof *given.data);
        uint32_t places = node->places.len;
        uint32_t count = vm_logged_writes(vm, &writes);
        bool follows = add_written(loops, node, writes + logged, count - logged);
        if (!follows || !loops->questions_left || !loops->steps_left) break;
        is_known = node->places.len == places;
    }
    if (!is_known) loops__forget_chains(node);
    vec_release(&given);
}
