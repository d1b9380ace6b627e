/* From a solution to an execution.
 *
 * The plan has numbers for all variables of the path: how many turns each letter of each loop has, which inputs a turn along it gets.  Written one after the other,
 * these inputs often are all that is needed.  Where inputs were there before the loop (arrays, strings, standard input), the plan
 * knows those of few turns only; then an execution is steered: it is to take the branches of the plan's turns, and where it
 * takes another one, the solver is asked for inputs that go the right way. */
#include "loops/loops_int.h"

#include "vm/observer.h"

#include <stdlib.h>

enum {
    MOST_VALUES = 1 << 14, /* inputs of an execution, as many as a sequence may have (search/by_sequences.c) */
    MOST_TURNINGS = 20000, /* questions while one execution is steered: one for each condition that a path may have */
    STEPS_AT_ONCE = 100000,
    MOST_STEERED = 3000000 /* instructions of an execution that is steered, about half a second.  A guess. */
};

/* ---- plans ---- */

typedef struct Naming { /* which variables stand for the locals of a chain, in the letter or the pair around it */
    const struct Naming *outer;
    const Chain *chain;
    const Exprs *locals;
} Naming;

static U128 value_of(const Loops *loops, const Naming *naming, Expr variable)
{
    for (; naming; naming = naming->outer) {
        uint32_t i = 0;
        while (i < naming->chain->locals.len && naming->chain->locals.data[i] != variable) i++;
        if (i < naming->chain->locals.len) variable = naming->locals->data[i];
    }
    return expr_model_get(vm_model(loops->host.vm), variable);
}

static PlanNode *plan_node(Loops *loops, const Node *node, const Naming *naming);

static PlanLetter plan_letter(Loops *loops, const Node *node, uint32_t number, uint32_t turns, const Naming *naming)
{
    const Chain *chain = &node->chains.data[number];
    PlanLetter made = {.chain = number, .turns = turns};
    made.turn.trace = chain->trace.data;
    made.turn.trace_count = chain->trace.len;
    for (uint32_t i = 0; i < chain->inputs.len; i++) vec_push(&made.turn.inputs, value_of(loops, naming, chain->inputs.data[i]));
    for (uint32_t i = 0; i < chain->nodes.len; i++) vec_push(&made.turn.nodes, plan_node(loops, chain->nodes.data[i], naming));
    return made;
}

static PlanNode *plan_node(Loops *loops, const Node *node, const Naming *naming)
{
    PlanNode *plan = mem_alloc(sizeof *plan);
    plan->node = node;
    for (uint32_t i = 0; i < node->word.len; i++) {
        const Letter *letter = &node->word.data[i];
        const Chain *chain = &node->chains.data[letter->chain];
        uint32_t turns = (uint32_t)value_of(loops, naming, letter->number);
        Naming inner = {naming, chain, &letter->locals};
        if (turns && !chain->parts.len) vec_push(&plan->letters, plan_letter(loops, node, letter->chain, turns, &inner));
        for (uint32_t n = 0; n < turns && chain->parts.len; n++)
            for (uint32_t k = 0; k < chain->parts.len; k++) {
                const Part *part = &chain->parts.data[k];
                Naming innermost = {&inner, &node->chains.data[part->chain], &part->locals};
                vec_push(&plan->letters, plan_letter(loops, node, part->chain, 1, &innermost));
            }
    }
    return plan;
}

void loops__make_plan(Loops *loops, const Scope *scope, const uint32_t *trace, uint32_t trace_count, uint32_t inputs, Plan *plan)
{
    Vm *vm = loops->host.vm;
    plan->trace = trace;
    plan->trace_count = trace_count;
    for (uint32_t i = 0; i < inputs; i++) vec_push(&plan->inputs, expr_model_get(vm_model(vm), vm_input(vm, i)));
    for (uint32_t i = 0; i < scope->nodes.len; i++) vec_push(&plan->nodes, plan_node(loops, scope->nodes.data[i], NULL));
}

void loops__release_plan(Plan *plan)
{
    for (uint32_t i = 0; i < plan->nodes.len; i++) {
        PlanNode *node = plan->nodes.data[i];
        for (uint32_t k = 0; k < node->letters.len; k++) loops__release_plan(&node->letters.data[k].turn);
        vec_release(&node->letters);
        free(node);
    }
    vec_release(&plan->nodes);
    vec_release(&plan->inputs);
}

/* Inputs of the path, with those of the loops' turns where the loops lie on it. */
static bool write_inputs(const Plan *plan, LoopsValues *values)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i <= plan->inputs.len; i++) {
        for (; next < plan->nodes.len && plan->nodes.data[next]->node->inputs <= i; next++) {
            const PlanNode *node = plan->nodes.data[next];
            for (uint32_t k = 0; k < node->letters.len; k++)
                for (uint32_t n = 0; n < node->letters.data[k].turns; n++) {
                    uint32_t before = values->len;
                    if (!write_inputs(&node->letters.data[k].turn, values)) return false;
                    if (values->len == before) break; /* turns without inputs */
                }
        }
        if (values->len >= MOST_VALUES) return false;
        if (i < plan->inputs.len) vec_push(values, plan->inputs.data[i]);
    }
    return true;
}

bool loops__write_inputs(const Plan *plan, LoopsValues *values)
{
    vec_clear(values);
    return write_inputs(plan, values);
}

/* ---- steering ---- */

typedef struct Steering {
    Loops *loops;
    uint64_t steps_left;
} Steering;

/* The inputs that are asked for from now on are to be these. */
static void predict(Loops *loops, const LoopsValues *inputs)
{
    Vm *vm = loops->host.vm;
    uint32_t at = vm_input_count(vm);
    for (uint32_t i = 0; i < inputs->len && at + i < loops->given.len; i++) loops->given.data[at + i] = inputs->data[i];
}

/* The branch that was just taken is not the expected one: asks for inputs with which it is.  False: there are none, or no input decides it. */
static bool turn_back(Loops *loops, uint32_t expected)
{
    Vm *vm = loops->host.vm;
    const uint32_t *trace;
    uint32_t last = vm_trace(vm, &trace) - 1, length = vm_path_length(vm);
    if (!length) return false;
    const VmCondition *c = vm_condition(vm, length - 1);
    const Program *program = loops->host.program;
    if (c->trace != last || !loops__may_turn(c) || c->branch != trace[last]) return false;
    if (program->branches[expected].function != program->branches[c->branch].function ||
        program->branches[expected].ordinal != program->branches[c->branch].ordinal)
        return false;
    Expr other = loops__condition_for(loops, c, expected);
    if (loops__ask(loops, length - 1, &other, 1) != SOLVE_SAT) return false;
    loops__take_solution(loops);
    return loops__go_back(loops, NULL, length - 1);
}

static bool steer_path(Steering *s, const Plan *plan, const VmHead *own);

static bool steer_node(Steering *s, const PlanNode *node)
{
    VmHead head = vm_head(s->loops->host.vm);
    for (uint32_t i = 0; i < node->letters.len; i++)
        for (uint32_t n = 0; n < node->letters.data[i].turns; n++)
            if (!steer_path(s, &node->letters.data[i].turn, &head)) return false;
    return true;
}

static bool is_same_head(const VmHead *a, const VmHead *b)
{
    return a->function == b->function && a->loop == b->loop && a->frame == b->frame;
}

/* Goes along the plan: a turn of the loop whose head is `own`, or with NULL the whole path, which ends with the goal. */
static bool steer_path(Steering *s, const Plan *plan, const VmHead *own)
{
    Loops *loops = s->loops;
    Vm *vm = loops->host.vm;
    const uint32_t *trace;
    uint32_t first = vm_trace(vm, &trace), node = 0;
    predict(loops, &plan->inputs);
    for (uint32_t skipped = 0;;) {
        uint32_t at = vm_trace(vm, &trace) - first - skipped;
        if (at == plan->trace_count && !own) return true;
        if (s->steps_left == 0) return false;
        VmGo go = {.steps = STEPS_AT_ONCE, .expected = plan->trace, .expected_count = plan->trace_count, .expected_before = at};
        if (at == plan->trace_count) go.expected = NULL;
        uint64_t before = vm_stats(vm)->instructions;
        VmEvent event = vm_go(vm, &go);
        uint64_t steps = vm_stats(vm)->instructions - before + 1;
        s->steps_left = s->steps_left > steps ? s->steps_left - steps : 0;
        at = vm_trace(vm, &trace) - first - skipped;
        if (event == VM_EVENT_STOPPED) return !own && at == plan->trace_count;
        if (event == VM_EVENT_ASTRAY) {
            if (at > plan->trace_count || !turn_back(loops, plan->trace[at - 1])) return false;
            continue;
        }
        if (event != VM_EVENT_HEAD) continue;
        VmHead head = vm_head(vm);
        if (own && is_same_head(own, &head)) return at == plan->trace_count;
        if (node < plan->nodes.len && plan->nodes.data[node]->node->trace == at &&
            plan->nodes.data[node]->node->function == head.function && plan->nodes.data[node]->node->loop == head.loop) {
            uint32_t before_node = vm_trace(vm, &trace);
            if (!steer_node(s, plan->nodes.data[node++])) return false;
            skipped += vm_trace(vm, &trace) - before_node;
            LoopsValues rest = {0};
            uint32_t asked = plan->nodes.data[node - 1]->node->inputs;
            for (uint32_t i = asked; i < plan->inputs.len; i++) vec_push(&rest, plan->inputs.data[i]);
            predict(loops, &rest);
            vec_release(&rest);
        }
    }
}

bool loops__steer(Loops *loops, const Plan *plan, LoopsValues *values)
{
    Vm *vm = loops->host.vm;
    Steering s = {loops, MOST_STEERED};
    vm_return(vm, loops->host.first);
    vm_start_heads(vm, true);
    vec_clear(&loops->given);
    for (uint32_t i = 0; i < MOST_VALUES; i++) vec_push(&loops->given, 0);
    vm_give(vm, loops->given.data, loops->given.len);
    loops->questions_left = MOST_TURNINGS;
    bool came = steer_path(&s, plan, NULL);
    vec_clear(values);
    for (uint32_t i = 0; came && i < vm_input_count(vm); i++) vec_push(values, expr_model_get(vm_model(vm), vm_input(vm, i)));
    vm_give(vm, NULL, 0);
    return came;
}
