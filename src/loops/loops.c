/* One attempt at a goal: the run that came near it is executed again, its loops are gone along in closed form, and conditions behind them are turned until the goal is
 * taken; the solution is followed by a real execution (steer.c). */
#include "loops/loops_int.h"

#include "vm/observer.h"

#include <stdlib.h>

enum {
    MOST_STEPS = 400000,  /* instructions of one attempt before steering, about 60 ms.  A guess. */
    MOST_QUESTIONS = 600, /* to the solver in one attempt.  A guess. */
    QUESTION_EFFORT =
        20000000, /* work units (about 20 ms) of one question: few questions decide an attempt, and each may have to find several numbers.  A guess. */
    MOST_PATHS = 48 /* paths behind loops that are looked at in one attempt.  A guess. */
};

Loops *loops_new(const LoopsHost *host)
{
    Loops *loops = mem_alloc(sizeof *loops);
    loops->host = *host;
    loops->live = mem_alloc((host->program->function_count + 1) * sizeof *loops->live);
    return loops;
}

static void release_nodes(Loops *loops)
{
    for (uint32_t i = 0; i < loops->all_nodes.len; i++) {
        Node *node = loops->all_nodes.data[i];
        for (uint32_t k = 0; k < node->chains.len; k++) {
            Chain *chain = &node->chains.data[k];
            vec_release(&chain->trace);
            vec_release(&chain->nodes);
            vec_release(&chain->conditions);
            vec_release(&chain->effects);
            vec_release(&chain->inputs);
            vec_release(&chain->locals);
        }
        for (uint32_t k = 0; k < node->word.len; k++) vec_release(&node->word.data[k].locals);
        vec_release(&node->chains);
        vec_release(&node->word);
        vec_release(&node->places);
        free(node);
    }
    vec_clear(&loops->all_nodes);
}

void loops_free(Loops *loops)
{
    if (!loops) return;
    release_nodes(loops);
    for (uint32_t i = 0; i < loops->host.program->function_count; i++) free(loops->live[i]);
    free(loops->live);
    vec_release(&loops->asserted);
    vec_release(&loops->undo);
    vec_release(&loops->all_nodes);
    vec_release(&loops->given);
    strbuf_release(&loops->told);
    free(loops);
}

const LoopsStats *loops_stats(const Loops *loops)
{
    return &loops->stats;
}

const char *loops_told(const Loops *loops)
{
    return loops->told.text;
}

/* ---- questions ---- */

/* The solver's stack holds the path's conditions as far as the last question needed them. */
static void assert_path(Loops *loops, uint32_t count)
{
    uint32_t common = 0;
    while (common < count && common < loops->asserted.len &&
           loops->asserted.data[common] == vm_condition(loops->host.vm, common)->condition)
        common++;
    solver_return(loops->host.solver, common);
    loops->asserted.len = common;
    for (uint32_t i = common; i < count; i++) {
        solver_assert(loops->host.solver, vm_condition(loops->host.vm, i)->condition);
        vec_push(&loops->asserted, vm_condition(loops->host.vm, i)->condition);
    }
}

SolveAnswer loops__ask(Loops *loops, uint32_t conditions, const Expr *more, uint32_t count)
{
    uint64_t work = loops->host.work(loops->host.data);
    if (work >= loops->work_end) loops->questions_left = 0, loops->cut_off = true;
    if (!loops->questions_left) return SOLVE_UNKNOWN;
    loops->questions_left--;
    loops->stats.questions++;
    assert_path(loops, conditions);
    solver_set_effort(loops->host.solver, work + QUESTION_EFFORT < loops->work_end ? QUESTION_EFFORT : loops->work_end - work);
    return solver_check(loops->host.solver, more, count, vm_model(loops->host.vm));
}

void loops__set(Loops *loops, Expr variable, U128 value)
{
    ExprModel *model = vm_model(loops->host.vm);
    vec_push(&loops->undo, ((SolveValue){variable, expr_model_get(model, variable)}));
    expr_model_set(model, variable, value);
}

void loops__take_solution(Loops *loops)
{
    uint32_t count;
    const SolveValue *changes = solver_changes(loops->host.solver, &count);
    for (uint32_t i = 0; i < count; i++) loops__set(loops, changes[i].var, changes[i].value);
}

void loops__restore_model(Loops *loops, uint32_t undo)
{
    while (loops->undo.len > undo) {
        SolveValue old = vec_pop(&loops->undo);
        expr_model_set(vm_model(loops->host.vm), old.var, old.value);
    }
}

/* Inputs that were asked for before keep the values that the model has now. */
static void keep_given(Loops *loops)
{
    Vm *vm = loops->host.vm;
    for (uint32_t i = 0; i < vm_input_count(vm) && i < loops->given.len; i++)
        loops->given.data[i] = expr_model_get(vm_model(vm), vm_input(vm, i));
}

bool loops__go_back(Loops *loops, Scope *scope, uint32_t condition)
{
    Vm *vm = loops->host.vm;
    uint32_t least = scope ? scope->path : 0;
    while (condition > least && vm_condition(vm, condition)->mark == VM_NO_MARK) condition--;
    const VmCondition *c = vm_condition(vm, condition);
    if (c->mark == VM_NO_MARK) return false;
    uint32_t trace = c->trace;
    VmMark mark = c->mark;
    keep_given(loops);
    vm_return(vm, mark);
    vm_cut_trace(vm, trace);
    while (scope && scope->nodes.len && vec_top(&scope->nodes)->path > condition) (void)vec_pop(&scope->nodes);
    return true;
}

/* ---- an attempt ---- */

static void begin(Loops *loops, const LoopsValues *base)
{
    Vm *vm = loops->host.vm;
    vm_return(vm, loops->host.first);
    vm_start_heads(vm, true);
    vec_clear(&loops->undo);
    vec_clear(&loops->asserted);
    solver_return(loops->host.solver, 0);
    vec_clear(&loops->given);
    for (uint32_t i = 0; i < base->len; i++) vec_push(&loops->given, base->data[i]);
    vm_give(vm, loops->given.data, loops->given.len);
}

/* The path has gone all the way to the goal: is there an execution that does so too? */
static bool follow(Loops *loops, Scope *scope, LoopsValues *found)
{
    const uint32_t *trace;
    uint32_t count = vm_trace(loops->host.vm, &trace);
    Plan plan = {0};
    uint32_t *copy = mem_alloc((count + 1) * sizeof *copy);
    memcpy(copy, trace, count * sizeof *copy);
    loops__make_plan(loops, scope, copy, count, vm_input_count(loops->host.vm), &plan);
    loops->stats.words++;
    bool works = loops__write_inputs(&plan, found) && loops->host.takes(loops->host.data, found, loops->goal);
    if (!works) works = loops__steer(loops, &plan, found) && loops->host.takes(loops->host.data, found, loops->goal);
    if (works) loops__describe(loops, &plan);
    loops__release_plan(&plan);
    free(copy);
    return works;
}

typedef struct Turned { /* outcomes of conditions that paths had or that were asked for, after which path */
    Map keys;
} Turned;

typedef struct Turning {
    uint32_t condition, branch; /* of the path, and the outcome that is asked for instead; UINT32_MAX: none */
} Turning;

/* A number for the path up to a condition and an outcome of it. */
static uint64_t key_of(const Loops *loops, Turning t)
{
    uint64_t key = t.branch;
    for (uint32_t i = 0; i < t.condition; i++) key = hash_mix(key ^ vm_condition(loops->host.vm, i)->condition);
    return key;
}

/* The branch of the same instruction that is nearest to the goal and was not asked for; `nearest` is lowered to how far it is. */
static void choose_outcome(const Loops *loops, const Turned *turned, uint32_t condition, Turning *chosen, uint32_t *nearest)
{
    const Program *program = loops->host.program;
    uint32_t taken = vm_condition(loops->host.vm, condition)->branch;
    const Branch *b = &program->branches[taken];
    for (uint32_t i = taken - b->which; i < program->branch_count; i++) {
        const Branch *other = &program->branches[i];
        if (other->function != b->function || other->ordinal != b->ordinal) break;
        if (i == taken) continue;
        uint32_t distance = i == loops->goal ? 0 : loops->host.distance(loops->host.data, i);
        if (distance != UINT32_MAX && i != loops->goal) distance++;
        if (distance >= *nearest || map_find(&turned->keys, key_of(loops, (Turning){condition, i}))) continue;
        *chosen = (Turning){condition, i};
        *nearest = distance;
    }
}

/* The outcome nearest to the goal that a condition from number `from` on may have instead; of several the first. */
static Turning choose_turning(const Loops *loops, const Turned *turned, uint32_t from)
{
    const Vm *vm = loops->host.vm;
    Turning chosen = {UINT32_MAX, UINT32_MAX};
    uint32_t nearest = UINT32_MAX;
    for (uint32_t i = from; i < vm_path_length(vm); i++)
        if (loops__may_turn(vm_condition(vm, i))) choose_outcome(loops, turned, i, &chosen, &nearest);
    return chosen;
}

/* Where a check that failed, or an assumption, has ended the run: asks for inputs with which it does not. */
static bool avoid_end(Loops *loops, Scope *scope, uint32_t from, ScopeEnd *end)
{
    Vm *vm = loops->host.vm;
    if (*end != SCOPE_STOP || !loops__ended_run(loops, from)) return false;
    uint32_t last = vm_path_length(vm) - 1;
    Expr other = expr_not(loops->host.pool, vm_condition(vm, last)->condition);
    if (loops__ask(loops, last, &other, 1) != SOLVE_SAT) return false;
    loops__take_solution(loops);
    if (!loops__go_back(loops, scope, last)) return false;
    *end = loops__run(loops, scope);
    return true;
}

/* Asks for another outcome of a condition of the path and goes on with it.  False: none is left to ask for. */
static bool turn(Loops *loops, Scope *scope, Turned *turned, uint32_t from, ScopeEnd *end)
{
    Vm *vm = loops->host.vm;
    if (avoid_end(loops, scope, from, end)) return true;
    for (;;) {
        Turning t = choose_turning(loops, turned, from);
        if (t.branch == UINT32_MAX || !loops->questions_left) return false;
        map_put(&turned->keys, key_of(loops, t), 1);
        map_put(&turned->keys, key_of(loops, (Turning){t.condition, vm_condition(vm, t.condition)->branch}), 1);
        Expr other = loops__condition_for(loops, vm_condition(vm, t.condition), t.branch);
        SolveAnswer answer = loops__ask(loops, t.condition, &other, 1);
        if (answer != SOLVE_SAT) continue;
        loops__take_solution(loops);
        (void)loops__go_back(loops, scope, t.condition);
        *end = loops__run(loops, scope);
        return true;
    }
}

bool loops_was_cut_off(const Loops *loops)
{
    return loops->cut_off;
}

bool loops_find(Loops *loops, uint32_t goal, const LoopsValues *base, LoopsAttempt attempt, LoopsValues *found)
{
    Scope scope = {0};
    Turned turned = {0};
    bool works = false;
    loops->goal = goal;
    loops->rounds = attempt.rounds;
    loops->exact = attempt.exact;
    loops->work_end = loops->host.work(loops->host.data) + attempt.work;
    loops->cut_off = false;
    loops->steps_left = MOST_STEPS;
    loops->questions_left = MOST_QUESTIONS;
    loops->stats.attempts++;
    begin(loops, base);
    ScopeEnd end = loops__run(loops, &scope);
    bool any = false;
    for (uint32_t i = 0; i < scope.nodes.len; i++) any |= scope.nodes.data[i]->word.len != 0;
    uint32_t from = 0;
    for (uint32_t i = scope.nodes.len; i-- > 0;)
        if (scope.nodes.data[i]->word.len) from = scope.nodes.data[i]->path;
    for (uint32_t paths = 0; any && paths < MOST_PATHS; paths++) {
        if (end == SCOPE_GOAL) {
            loops->stats.solved++;
            works = follow(loops, &scope, found);
            break;
        }
        if (!turn(loops, &scope, &turned, from, &end)) break;
    }
    loops->stats.steered += works;
    map_release(&turned.keys);
    vec_release(&scope.nodes);
    release_nodes(loops);
    solver_return(loops->host.solver, 0);
    vec_clear(&loops->asserted);
    vm_give(loops->host.vm, NULL, 0);
    return works;
}
