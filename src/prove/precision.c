/* Precision: which variables and which calls R-states speak of, found out by refinement.
 *
 * R-states of a state machine collect a condition from every test that is passed on the way, most of which have nothing to do with the branch, and each
 * combination of them is an R-state of its own.  In an attempt of this kind a condition is left out unless all its variables are in the *precision*, which is empty at
 * first.  That makes R-states larger, and an initial state may satisfy one although the branch cannot be taken.  Then the chain of locations that leads from there to
 * the branch is followed again with all conditions.  If it is possible even so, the attempt is over; else a smallest set of variables is looked for that makes it
 * impossible, these join the precision, and the attempt starts again.  The calls of the stack that are known are treated in the same way, by their number.  Nothing here has to be right: the R-states that come of it are proved.
 *
 * After Beyer and Löwe, Explicit-State Software Model Checking Based on CEGAR and Interpolation (FASE 2013), with conditions in place of values and deletion
 * in place of interpolation. */
#include "prove/backward_int.h"

#include <stdlib.h>

enum {
    FIRST_DEPTH = 1,       /* calls of stacks that are known at first.  A guess. */
    MOST_REFINEMENTS = 40, /* of the precision of one branch.  A guess. */
    MOST_AT_ONCE = 64      /* R-states at one place of a chain, from choices (rstates.c).  A guess. */
};

/* ---- variables ---- */

static uint32_t root_of(const uint32_t *web, uint32_t reg)
{
    while (web[reg] != reg) reg = web[reg];
    return reg;
}

/* Registers that are copied to each other where control joins are one variable of the source.  Per register: another one of the same variable, or itself. */
static const uint32_t *web_of(Backward *b, uint32_t function)
{
    if (!b->webs) b->webs = mem_alloc((b->program->function_count + 1) * sizeof *b->webs);
    if (b->webs[function]) return b->webs[function];
    const Function *f = &b->program->functions[function];
    uint32_t *web = b->webs[function] = mem_alloc((f->register_count + 1) * sizeof *web);
    for (uint32_t i = 0; i < f->register_count; i++) web[i] = i;
    for (uint32_t i = 0; i < f->code_count; i++) {
        const Instr *copy = &f->code[i];
        if (copy->op == OP_MOV && operand_is_reg(copy->dst) && operand_is_reg(copy->a))
            web[root_of(web, copy->a)] = root_of(web, copy->dst);
    }
    return web;
}

/* The name of a variable in precisions; 0: it is not left out. */
static uint64_t key_of(Backward *b, Expr var)
{
    const VarInfo *info = vars_info(&b->vars, var);
    uint64_t kind = (uint64_t)(info->kind + 1) << 60;
    switch (info->kind) {
    case VAR_REGISTER: return kind | (uint64_t)info->function << 32 | root_of(web_of(b, info->function), info->index);
    case VAR_RESULT: return kind | info->function;
    case VAR_LOCAL:
    case VAR_GLOBAL: return kind | (uint64_t)info->index << 32 | info->offset / 8;
    case VAR_MEMORY: return kind;
    default: return 0;
    }
}

static bool is_among(const Keys *keys, uint64_t key)
{
    for (uint32_t i = 0; i < keys->len; i++)
        if (keys->data[i] == key) return true;
    return false;
}

/* Are all variables of the condition in the precision?  Those that are not are noted. */
static bool is_precise(Backward *b, Precision *p, Expr condition)
{
    Map seen = {0};
    Exprs vars = {0};
    bool all = true;
    conditions_variables(b->vars.pool, condition, &seen, &vars);
    for (uint32_t i = 0; i < vars.len; i++) {
        uint64_t key = key_of(b, vars.data[i]);
        if (!key || is_among(&p->keys, key)) continue;
        all = false;
        if (p->all && !is_among(&p->seen, key)) vec_push(&p->seen, key);
    }
    map_release(&seen);
    vec_release(&vars);
    return all || p->all;
}

void backward__leave_out(Backward *b, Exprs *conditions)
{
    uint32_t kept = 0;
    if (!b->precision) return;
    for (uint32_t i = 0; i < conditions->len; i++)
        if (is_precise(b, b->precision, conditions->data[i])) conditions->data[kept++] = conditions->data[i];
    b->folded |= kept < conditions->len;
    conditions->len = kept;
}

static uint32_t cut_stack(Backward *b, uint32_t function, uint32_t stack, uint32_t depth)
{
    if (!stack) return 0;
    bool only = backward__only_stack(b, function) != 0;
    Stack s = vec_at(&b->stacks, stack);
    if (!only && !depth) return 0;
    return backward__stack(b, s.site, cut_stack(b, s.site.function, s.below, only ? depth : depth - 1));
}

uint32_t backward__precise_stack(Backward *b, uint32_t function, uint32_t stack)
{
    return b->precision ? cut_stack(b, function, stack, b->precision->depth) : stack;
}

/* ---- chains ---- */

bool backward__is_on_chain(const Backward *b, const Candidate *c)
{
    const Chain *chain = b->chain;
    if (!chain) return true;
    if (chain->at >= chain->places.len) return false;
    const ChainPlace *place = &vec_at(&chain->places, chain->places.len - 1 - chain->at);
    return c->function == place->function && c->location == place->location &&
           (backward__stack_includes(b, place->stack, c->stack) || backward__stack_includes(b, c->stack, place->stack));
}

/* From the state that an initial state satisfies to that of the branch. */
static void note_chain(const Backward *b, Chain *chain)
{
    vec_clear(&chain->places);
    for (uint32_t i = b->failed_state; i; i = vec_at(&b->states, i - 1).parent) {
        const RState *r = &vec_at(&b->states, i - 1);
        vec_push(&chain->places, ((ChainPlace){r->function, r->location, r->stack}));
    }
}

typedef enum Possible { IMPOSSIBLE, POSSIBLE, NOT_KNOWN } Possible;

/* Whether the branch can be taken along the chain, as far as the variables of the precision tell. */
static Possible follow_chain(Backward *b, uint32_t number, Chain *chain, Precision *precision)
{
    Possible answer = POSSIBLE;
    b->precision = precision;
    b->chain = chain;
    chain->at = 0;
    chain->first = b->states.len;
    backward__begin(b, number);
    while (!b->failure && chain->at < chain->places.len && chain->first < b->states.len) {
        uint32_t from = chain->first;
        chain->first = b->states.len;
        chain->at++;
        if (chain->first - from > MOST_AT_ONCE) backward__fail(b, 0, UNFINISHED);
        for (uint32_t i = from; i < chain->first && !b->failure; i++) {
            if (vec_at(&b->states, i).included) continue;
            b->followed = i;
            backward__follow(b, i);
        }
    }
    if (!b->failure) answer = IMPOSSIBLE;
    else if (strcmp(b->failure, UNFINISHED) == 0) answer = NOT_KNOWN;
    b->folded = answer != POSSIBLE || !precision->all; /* else an initial state leads to all of them */
    backward__give_up(b);
    b->chain = NULL;
    b->precision = NULL;
    return answer;
}

/* Leaves variables out of the precision, from `fixed` on, as long as the chain stays impossible: first halves of them, then smaller and smaller parts. */
static void minimise(Backward *b, uint32_t number, Chain *chain, Precision *p, uint32_t fixed)
{
    uint32_t part = (p->keys.len - fixed + 1) / 2;
    while (part) {
        for (uint32_t at = p->keys.len; at > fixed;) {
            uint32_t count = at - fixed < part ? at - fixed : part;
            at -= count;
            Precision less = {.depth = p->depth};
            for (uint32_t i = 0; i < p->keys.len; i++)
                if (i < at || i >= at + count) vec_push(&less.keys, p->keys.data[i]);
            bool enough = follow_chain(b, number, chain, &less) == IMPOSSIBLE;
            if (enough) {
                vec_release(&p->keys);
                p->keys = less.keys;
            } else {
                vec_release(&less.keys);
            }
        }
        part = part == 1 ? 0 : (part + 1) / 2;
    }
}

/* Makes the precision larger so that the chain becomes impossible, if it is, and lets R-states keep what undefined behaviour excludes if that is necessary.
 * NOT_KNOWN: no variables are found that make it impossible. */
static Possible refine(Backward *b, uint32_t number, Chain *chain, Precision *p)
{
    Precision all = {.all = true, .depth = MOST_DEPTH};
    uint32_t fixed = p->keys.len, depth = p->depth;
    for (uint32_t i = 0; i < fixed; i++) vec_push(&all.keys, p->keys.data[i]);
    Possible answer = follow_chain(b, number, chain, &all);
    if (answer == POSSIBLE && !b->keeps_demands) {
        b->keeps_demands = true; /* for the rest of the attempt */
        answer = follow_chain(b, number, chain, &all);
    }
    if (answer == IMPOSSIBLE) {
        for (uint32_t i = 0; i < all.seen.len; i++) vec_push(&p->keys, all.seen.data[i]);
        while (p->depth < MOST_DEPTH && follow_chain(b, number, chain, p) == POSSIBLE) p->depth *= 2;
        minimise(b, number, chain, p, fixed);
        if (backward_work(b) > b->work_end)
            p->keys.len = fixed, p->depth = depth; /* more than is needed would be kept for the next attempt */
        if (p->keys.len == fixed && p->depth == depth) answer = NOT_KNOWN;
    }
    vec_release(&all.keys);
    vec_release(&all.seen);
    return answer;
}

/* ---- the whole ---- */

/* The precision of a branch is kept for the next attempt, which has more work. */
static Precision *precision_of(Backward *b, uint32_t number)
{
    if (!b->precisions) b->precisions = mem_alloc((b->program->branch_count + 1) * sizeof *b->precisions);
    if (!b->precisions[number]) {
        b->precisions[number] = mem_alloc(sizeof(Precision));
        b->precisions[number]->depth = FIRST_DEPTH;
    }
    return b->precisions[number];
}

BackwardAnswer backward__prove_precisely(Backward *b, uint32_t number)
{
    Precision *p = precision_of(b, number);
    Chain chain = {0};
    BackwardAnswer answer = BACKWARD_UNFINISHED;
    b->keeps_demands = p->keeps_demands;
    for (uint32_t round = 0; round < MOST_REFINEMENTS; round++) {
        b->precision = p;
        backward__begin(b, number);
        while (!b->failure && backward__follow_next(b)) {
        }
        b->precision = NULL;
        if (!b->failure) {
            answer = BACKWARD_PROVED;
            break;
        }
        bool unfinished = strcmp(b->failure, UNFINISHED) == 0;
        note_chain(b, &chain);
        backward__give_up(b);
        if (unfinished || chain.places.len == 0) break;
        Possible possible = refine(b, number, &chain, p);
        if (possible == POSSIBLE) answer = BACKWARD_OPEN;
        if (possible != IMPOSSIBLE) break;
    }
    p->keeps_demands = b->keeps_demands;
    vec_release(&chain.places);
    return answer;
}

void backward__release_precisions(Backward *b)
{
    for (uint32_t f = 0; b->webs && f < b->program->function_count; f++) free(b->webs[f]);
    for (uint32_t i = 0; b->precisions && i < b->program->branch_count; i++) {
        if (b->precisions[i]) vec_release(&b->precisions[i]->keys);
        free(b->precisions[i]);
    }
    free(b->webs);
    free(b->precisions);
}
