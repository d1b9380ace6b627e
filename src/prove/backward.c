/* Backward analysis (Baluda, Denaro and Pezzè, Bidirectional Symbolic Analysis for Effective Branch Testing, sections 3 to 6).
 *
 * An R-state is a condition on the states at a location from which a branch can be taken.  The first one is the branch's own condition; from each, the
 * conditions at the locations before it follow by weakest preconditions (segment.c), through calls and returns as well, since an R-state knows the innermost
 * calls of the stack and may speak of registers of these callers.  If this ends, and no initial state satisfies an R-state at an entry, then the branch
 * cannot be taken, and the R-states are the nodes of the certificate.
 *
 * It ends because an R-state that others at its location include is not followed any further; this is induction, and sound because clew-check asks of all nodes
 * together whether they are closed.  To make that happen early
 *   - inputs are eliminated: by their equation if there is one, else by leaving out the conditions that they occur in, which makes the R-state larger;
 *   - conditions that follow from others are left out;
 *   - two R-states that differ in one condition, which one has and whose negation the other has, become one without it;
 *   - R-states are followed from the end of functions to their start, so that those that come together at a location meet before they are followed.
 *
 * Deviations from the paper: the frontier is not looked at from its other side (runs) here, since the search does that; alias facts are not taken from runs,
 * since pointers that cannot be followed make what they lead to arbitrary.  What undefined behaviour excludes is used only where it is needed, and the
 * instructions are listed in the certificate. */
#include "prove/backward_int.h"

#include <stdlib.h>

/* Is that where the program starts, or where a function is called from outside? */
static bool is_start(Backward *b, const RState *r)
{
    bool called = b->memory.open[r->function] || (b->options.whole && b->options.entries[0] == r->function);
    return called && r->stack == 0 && r->location == backward__places(b, r->function)->first[0];
}

/* First where the program starts, which may be the end of the attempt; then the deepest stack, and there the location nearest to the end of its function; among
 * those the fewest conditions. */
static bool comes_before(Backward *b, const RState *x, const RState *y)
{
    bool sx = is_start(b, x), sy = is_start(b, y);
    if (sx != sy) return sx;
    uint32_t dx = vec_at(&b->stacks, x->stack).depth, dy = vec_at(&b->stacks, y->stack).depth;
    if (dx != dy) return dx > dy;
    if (x->function == y->function && x->location != y->location) {
        const Places *p = backward__places(b, x->function);
        bool ex = x->location == backward__exit(b, x->function), ey = y->location == backward__exit(b, y->function);
        if (ex != ey) return ex;
        uint32_t bx = p->segments[x->location].block, by = p->segments[y->location].block;
        return bx == by ? x->location > y->location : p->order[bx] > p->order[by];
    }
    return x->count < y->count;
}

static uint32_t next_state(Backward *b)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t i = b->target_first; i < b->states.len; i++)
        if (!b->states.data[i].done && (best == UINT32_MAX || comes_before(b, &b->states.data[i], &b->states.data[best]))) best = i;
    return best;
}

/* The R-states of a branch that could not be proved are forgotten, but for those that an initial state leads to. */
void backward__give_up(Backward *b)
{
    for (uint32_t i = b->folded ? 0 : b->failed_state; i; i = vec_at(&b->states, i - 1).parent) {
        RState r = vec_at(&b->states, i - 1);
        RState known = r;
        known.with_demands = b->keeps_demands;
        known.first = b->reachable_conditions.len;
        known.next = backward__last_at(&b->reachable_at, r.function, r.location);
        for (uint32_t k = 0; k < r.count; k++) vec_push(&b->reachable_conditions, b->conditions.data[r.first + k]);
        vec_push(&b->reachable, known);
        map_put(&b->reachable_at, backward__location_key(r.function, r.location), b->reachable.len);
        if (i - 1 < b->target_first) break;
    }
    b->rests.len = b->target_rests;
    while (b->states.len > b->target_first) {
        RState r = vec_pop(&b->states);
        b->conditions.len = r.first;
        map_put(&b->at, backward__location_key(r.function, r.location), r.next);
    }
}

bool backward__follow_next(Backward *b)
{
    uint32_t state = next_state(b);
    if (state == UINT32_MAX) return false;
    if (b->options.deadline && clock_seconds() > b->options.deadline) {
        backward__fail(b, 0, UNFINISHED);
    } else {
        b->followed = state;
        backward__follow(b, state);
    }
    return true;
}

bool backward__condition(Backward *b, uint32_t number, uint32_t stack, uint32_t *location, Expr *condition)
{
    const Branch *branch = &b->program->branches[number];
    const Function *f = &b->program->functions[branch->function];
    const Places *p = backward__places(b, branch->function);
    if (branch->block >= f->source_blocks) return false;
    uint32_t last = p->first[branch->block + 1] - 1;
    for (uint32_t at = p->first[branch->block]; at <= last; at++)
        for (uint32_t i = 0; i < p->segments[at].choices.len; i++) {
            Choice choice = backward__segment(b, branch->function, at, stack)->choices.data[i];
            if (choice.branch != number && choice.branch + 1 != number) continue;
            *location = at;
            *condition = choice.branch == number ? choice.condition : expr_not(b->vars.pool, choice.condition);
            return true;
        }
    const Segment *s = backward__segment(b, branch->function, last, stack);
    const Instr *end = &f->code[s->end];
    *location = last;
    if (end->op == OP_BRANCH) {
        Expr c = segment_operand(&b->vars, s, end->a, 1);
        *condition = f->branches[end->imm].branch == number ? c : expr_not(b->vars.pool, c);
        return true;
    }
    if (end->op != OP_SWITCH || end->width > 64) return false;
    const Switch *sw = &f->switches[end->imm];
    Expr value = segment_operand(&b->vars, s, end->a, end->width), others = expr_const(b->vars.pool, 1, 1);
    for (uint32_t i = 0; i < sw->case_count; i++) {
        Expr same = expr_eq(b->vars.pool, value, expr_const(b->vars.pool, end->width, sw->cases[i].value));
        if (sw->branch + i == number) *condition = same;
        others = expr_and(b->vars.pool, others, expr_not(b->vars.pool, same));
    }
    if (sw->branch + sw->case_count == number) *condition = others;
    return true;
}

void backward__begin(Backward *b, uint32_t number)
{
    uint32_t location, function = b->program->branches[number].function, stack = backward__only_stack(b, function);
    Expr condition = 0;
    b->failure = NULL;
    b->failed_state = 0;
    b->target_first = b->states.len;
    b->target_rests = b->rests.len;
    b->followed = REST_BRANCH + number;
    if (!backward__condition(b, number, stack, &location, &condition) || !condition) {
        backward__fail(b, 0, "its condition is not understood");
        return;
    }
    const Segment *s = backward__segment(b, function, location, stack);
    Candidate c = {function, location, stack, 0, {0}, s, 0};
    bool possible = conditions_add(b->vars.pool, condition, &c.conditions);
    for (uint32_t i = 0; possible && i < s->assumed.len; i++) possible = conditions_add(b->vars.pool, s->assumed.data[i], &c.conditions);
    if (possible) backward__add_state(b, &c);
    else vec_release(&c.conditions);
}

static BackwardAnswer prove_once(Backward *b, uint32_t number)
{
    backward__begin(b, number);
    while (!b->failure && backward__follow_next(b)) {
    }
    if (!b->failure) return BACKWARD_PROVED;
    backward__give_up(b);
    return strcmp(b->failure, UNFINISHED) == 0 ? BACKWARD_UNFINISHED : BACKWARD_OPEN;
}

/* First with loops folded, which is soon over, then with refinement of the precision, then with lemmas about loops.  What undefined behaviour excludes is kept in the R-states only if the branch is
 * not proved without: it makes them larger, and the proof relies on more. */
BackwardAnswer backward_prove(Backward *b, uint32_t number, uint64_t work)
{
    static const struct {
        bool refines, folds, generalises, keeps_demands;
        unsigned share; /* of the work, in percent.  A guess. */
    } attempts[] = {{false, true, false, false, 30},
                    {true, false, false, false, 30},
                    {false, false, true, false, 35},
                    {false, false, true, true, 35},
                    {false, false, false, true, 35}};
    BackwardAnswer answer = BACKWARD_UNFINISHED;
    uint64_t generalised = 0;
    for (size_t i = 0; i < COUNT_OF(attempts) && answer != BACKWARD_PROVED; i++) {
        if (i == 4 && b->generalised == generalised) continue; /* no lemma was used, so this attempt is the same again */
        generalised = b->generalised;
        b->work_end = backward_work(b) + work / 100 * attempts[i].share;
        b->folds = attempts[i].folds;
        b->folded = false;
        b->generalises = attempts[i].generalises;
        b->keeps_demands = attempts[i].keeps_demands;
        answer = attempts[i].refines ? backward__prove_precisely(b, number) : prove_once(b, number);
        if (attempts[i].refines && answer == BACKWARD_OPEN) break; /* there is a way to the branch, as far as any attempt can tell */
    }
    b->stats.proved += answer == BACKWARD_PROVED;
    b->stats.failed += answer != BACKWARD_PROVED;
    return answer; /* without what undefined behaviour excludes, no less is reached */
}

const BackwardStats *backward_stats(const Backward *b)
{
    return &b->stats;
}

const char *backward_failure(const Backward *b)
{
    return b->failure;
}

/* ---- the whole ---- */

Backward *backward_new(const Program *program, const BackwardOptions *options)
{
    Backward *b = mem_alloc(sizeof *b);
    AnalyseOptions analyse = {.entries = options->entries, .entry_count = options->entry_count, .whole = options->whole};
    SolveOptions solve = {.effort = options->effort, .deadline = options->deadline};
    Error error;
    b->program = program;
    b->options = *options;
    bool supported = objects_find(&b->memory, program, &analyse);
    vars_init(&b->vars, program, &b->memory);
    b->places = mem_alloc((program->function_count + 1) * sizeof *b->places);
    vec_push(&b->stacks, (Stack){0});
    if (options->analysis) b->facts = facts_new(options->analysis);
    if (supported && solver_new(&b->solver, b->vars.pool, &solve, &error) == OK) return b;
    backward_free(b);
    return NULL;
}

void backward_free(Backward *b)
{
    for (uint32_t f = 0; f < b->program->function_count; f++) {
        Places *p = &b->places[f];
        for (uint32_t i = 0; p->first && i < p->first[b->program->functions[f].block_count]; i++) segment_release(&p->segments[i]);
        free(p->first);
        free(p->segments);
        free(p->order);
    }
    free(b->places);
    backward__release_precisions(b);
    if (b->facts) facts_free(b->facts);
    if (b->solver) solver_free(b->solver);
    map_release(&b->sizes);
    backward__free_contexts(b);
    vars_release(&b->vars);
    objects_release(&b->memory, b->program);
    vec_release(&b->stacks);
    map_release(&b->stack_numbers);
    vec_release(&b->states);
    vec_release(&b->rests);
    vec_release(&b->written);
    vec_release(&b->conditions);
    map_release(&b->at);
    vec_release(&b->reachable);
    vec_release(&b->reachable_conditions);
    map_release(&b->reachable_at);
    map_release(&b->relied);
    backward__release_lemmas(b);
    free(b);
}
