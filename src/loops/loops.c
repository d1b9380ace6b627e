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
    MOST_PATHS = 48,   /* paths behind loops that are looked at for one solution.  A guess. */
    MOST_SOLUTIONS = 4 /* that are looked for in one attempt, if no execution follows the first ones.  A guess. */
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
        loops__forget_chains(node);
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

void loops_add_stats(LoopsStats *to, const LoopsStats *more, int sign)
{
    to->attempts += (uint64_t)sign * more->attempts;
    to->solved += (uint64_t)sign * more->solved;
    to->steered += (uint64_t)sign * more->steered;
    to->loops += (uint64_t)sign * more->loops;
    to->chains += (uint64_t)sign * more->chains;
    to->words += (uint64_t)sign * more->words;
    to->eliminated += (uint64_t)sign * more->eliminated;
    to->states += (uint64_t)sign * more->states;
    to->questions += (uint64_t)sign * more->questions;
}

void loops_print_stats(FILE *out, const LoopsStats *s)
{
    if (!s->attempts) return;
    fprintf(
        out,
        "clew: loops: attempts %llu, solved %llu, steered %llu, loops %llu, chains %llu, eliminated %llu, states %llu, questions %llu\n",
        (unsigned long long)s->attempts, (unsigned long long)s->solved, (unsigned long long)s->steered, (unsigned long long)s->loops,
        (unsigned long long)s->chains, (unsigned long long)s->eliminated, (unsigned long long)s->states, (unsigned long long)s->questions);
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
    SolveAnswer answer = solver_check(loops->host.solver, more, count, vm_model(loops->host.vm));
    loops->stats.eliminated += answer == SOLVE_UNSAT;
    return answer;
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

/* An outcome that a path had before it was turned is asked for when nothing else is left, since other outcomes behind it were not. */
enum { ASKED = 1, HAD = 2 };

typedef struct Turned { /* outcomes of conditions, each after the branches before it: ASKED or HAD */
    Map keys;
} Turned;

typedef struct Turning {
    uint32_t condition, branch; /* of the path, and the outcome that is asked for instead; UINT32_MAX: none */
} Turning;

/* A number for the branches up to a condition and an outcome of it. */
static uint64_t key_of(const Loops *loops, Turning t)
{
    uint64_t key = t.branch;
    for (uint32_t i = 0; i < t.condition; i++) key = hash_mix(key ^ vm_condition(loops->host.vm, i)->branch);
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
        const uint64_t *known = map_find(&turned->keys, key_of(loops, (Turning){condition, i}));
        if (known && *known == HAD) distance = UINT32_MAX - 1;
        if (distance > *nearest || distance == UINT32_MAX || (known && *known == ASKED)) continue;
        *chosen = (Turning){condition, i};
        *nearest = distance;
    }
}

/* The outcome nearest to the goal that a condition from number `from` on may have instead; of several the last, which leaves most of the path as it is. */
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
        uint64_t had = key_of(loops, (Turning){t.condition, vm_condition(vm, t.condition)->branch});
        map_put(&turned->keys, key_of(loops, t), ASKED);
        if (!map_find(&turned->keys, had)) map_put(&turned->keys, had, HAD);
        Expr other = loops__condition_for(loops, vm_condition(vm, t.condition), t.branch);
        SolveAnswer answer = loops__ask(loops, t.condition, &other, 1);
        if (answer != SOLVE_SAT) continue;
        loops__take_solution(loops);
        (void)loops__go_back(loops, scope, t.condition);
        *end = loops__run(loops, scope);
        return true;
    }
}

bool loops_left_out(const Loops *loops)
{
    return loops->left_out;
}

bool loops_was_cut_off(const Loops *loops)
{
    return loops->cut_off;
}

/* Follows the run from these inputs, and turns conditions below the first loop that was gone along until the goal is taken. */
static bool come_to_goal(Loops *loops, Scope *scope, Turned *turned, const LoopsValues *base)
{
    begin(loops, base);
    vec_clear(&scope->nodes);
    ScopeEnd end = loops__run(loops, scope);
    uint32_t from = UINT32_MAX;
    for (uint32_t i = scope->nodes.len; i-- > 0;)
        if (scope->nodes.data[i]->word.len) from = scope->nodes.data[i]->path;
    for (uint32_t paths = 0; from != UINT32_MAX && paths < MOST_PATHS && end != SCOPE_GOAL; paths++)
        if (!turn(loops, scope, turned, from, &end)) return false;
    return from != UINT32_MAX && end == SCOPE_GOAL;
}

bool loops_find(Loops *loops, uint32_t goal, const LoopsValues *base, LoopsAttempt attempt, LoopsValues *found)
{
    Scope scope = {0};
    Turned turned = {0};
    bool works = false;
    loops->goal = goal;
    loops->rounds = attempt.rounds;
    loops->exact = attempt.exact;
    loops->bits = attempt.bits;
    loops->pairs = attempt.pairs;
    loops->work_end = loops->host.work(loops->host.data) + attempt.work;
    loops->cut_off = loops->left_out = false;
    loops->steps_left = MOST_STEPS;
    loops->stats.attempts++;
    for (uint32_t solution = 0; solution < MOST_SOLUTIONS && !works; solution++) {
        uint32_t before = turned.keys.len;
        loops->questions_left = MOST_QUESTIONS;
        if (!come_to_goal(loops, &scope, &turned, base) || (solution && turned.keys.len == before)) break;
        loops->stats.solved++;
        works = follow(loops, &scope, found);
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
