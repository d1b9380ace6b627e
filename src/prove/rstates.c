/* R-states: which of them are contradictory or included in others, and what is left out of them. */
#include "prove/backward_int.h"

#include <stdlib.h>

enum {
    MOST_NODES = 1 << 25, /* expressions, about 2 GiB; beyond that nothing more is proved */
    MOST_COMPARED = 48,   /* R-states that are asked about together whether they include a new one.  A guess. */
    MOST_WRITTEN = 4000,  /* nodes of a condition as certificates write it, without sharing.  A guess. */
    MOST_NESTED = 48,     /* of a condition; clew-check refuses lists that are nested more than 64 deep, and a node may write two */
    MOST_CONDITIONS = 64, /* of an R-state; those made last are left out.  A guess. */
    NODE_WORK = 20,       /* nanoseconds that an expression takes.  A guess. */
    COMPARISON_WORK = 20  /* of comparing a new R-state with one of its location: 15 to 30 were measured with perf */
};

/* ---- stacks ---- */

uint32_t backward__stack(Backward *b, CallPlace site, uint32_t below)
{
    uint64_t key = hash_mix((uint64_t)site.function << 32 | site.call) ^ (uint64_t)below * 0x9e3779b97f4a7c15u;
    for (const uint64_t *known; (known = map_find(&b->stack_numbers, key)) != NULL; key++) {
        const Stack *s = &vec_at(&b->stacks, *known);
        if (s->site.function == site.function && s->site.call == site.call && s->below == below) return (uint32_t)*known;
    }
    map_put(&b->stack_numbers, key, b->stacks.len);
    vec_push(&b->stacks, ((Stack){site, below, vec_at(&b->stacks, below).depth + 1}));
    return b->stacks.len - 1;
}

/* The innermost `depth` calls of a stack. */
uint32_t backward__cut_stack(Backward *b, uint32_t stack, uint32_t depth)
{
    if (depth == 0 || stack == 0) return 0;
    Stack s = vec_at(&b->stacks, stack);
    return backward__stack(b, s.site, backward__cut_stack(b, s.below, depth - 1));
}

bool backward__stack_includes(const Backward *b, uint32_t other, uint32_t stack)
{
    while (other && stack && other != stack) {
        const Stack *x = &vec_at(&b->stacks, other), *y = &vec_at(&b->stacks, stack);
        if (x->site.function != y->site.function || x->site.call != y->site.call) return false;
        other = x->below;
        stack = y->below;
    }
    return other == 0 || other == stack;
}

/* ---- questions ---- */

uint64_t backward_work(const Backward *b)
{
    return solver_stats(b->solver)->effort + NODE_WORK * expr_pool_work(b->vars.pool) + COMPARISON_WORK * b->compared;
}

static Expr conjunction(ExprPool *pool, const Expr *conditions, uint32_t count)
{
    Expr all = expr_const(pool, 1, 1);
    for (uint32_t i = 0; i < count; i++) all = expr_and(pool, all, conditions[i]);
    return all;
}

/* Asserts what is known of the addresses that the conditions speak of: they are not NULL, and differ from each other. */
static void assert_addresses(Backward *b, const Exprs *conditions, const Exprs *more)
{
    Map seen = {0};
    Exprs vars = {0};
    ExprPool *pool = b->vars.pool;
    const Exprs *lists[] = {conditions, more};
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; lists[k] && i < lists[k]->len; i++)
            if (vars_flags(&b->vars, lists[k]->data[i]) & HAS_ADDRESS) conditions_variables(pool, lists[k]->data[i], &seen, &vars);
    for (uint32_t i = 0; i < vars.len; i++) {
        if (!(vars_flags(&b->vars, vars.data[i]) & HAS_ADDRESS) || vars_info(&b->vars, vars.data[i])->kind == VAR_MEMORY) continue;
        solver_assert(b->solver, expr_not(pool, expr_eq(pool, vars.data[i], expr_const(pool, 64, 0))));
        for (uint32_t k = 0; k < i; k++)
            if (conditions_are_apart(&b->vars, vars.data[i], vars.data[k]))
                solver_assert(b->solver, expr_not(pool, expr_eq(pool, vars.data[i], vars.data[k])));
    }
    map_release(&seen);
    vec_release(&vars);
}

SolveAnswer backward__ask(Backward *b, const Exprs *conditions, const Exprs *more)
{
    uint32_t depth = solver_depth(b->solver);
    for (uint32_t i = 0; i < conditions->len; i++) solver_assert(b->solver, conditions->data[i]);
    for (uint32_t i = 0; more && i < more->len; i++) solver_assert(b->solver, more->data[i]);
    assert_addresses(b, conditions, more);
    SolveAnswer answer = solver_check(b->solver, NULL, 0, NULL);
    solver_return(b->solver, depth);
    b->stats.questions++;
    return answer;
}

/* ---- R-states ---- */

uint64_t backward__location_key(uint32_t function, uint32_t location)
{
    return (uint64_t)function << 32 | location;
}

uint32_t backward__last_at(const Map *map, uint32_t function, uint32_t location)
{
    const uint64_t *last = map_find(map, backward__location_key(function, location));
    return last ? (uint32_t)*last : 0;
}

const Expr *backward__conditions_of(const Backward *b, const RState *r)
{
    return b->conditions.data + r->first;
}

/* May new R-states be included in this one?  On a chain, only those at the same place of it. */
static bool is_usable(const Backward *b, uint32_t state)
{
    const RState *r = &vec_at(&b->states, state);
    return !r->included && !r->rejected && !(b->chain && state >= b->target_first && state < b->chain->first);
}

static bool is_included_plainly(Backward *b, const Candidate *c)
{
    for (uint32_t i = backward__last_at(&b->at, c->function, c->location); i; i = vec_at(&b->states, i - 1).next) {
        const RState *r = &vec_at(&b->states, i - 1);
        b->compared++;
        if (is_usable(b, i - 1) && backward__stack_includes(b, r->stack, c->stack) &&
            conditions_are_among(backward__conditions_of(b, r), r->count, c->conditions.data, c->conditions.len)) {
            backward__rests_on(b, i - 1);
            return true;
        }
    }
    return false;
}

static bool is_known_reachable(Backward *b, const Candidate *c)
{
    for (uint32_t i = backward__last_at(&b->reachable_at, c->function, c->location); i; i = vec_at(&b->reachable, i - 1).next) {
        const RState *r = &vec_at(&b->reachable, i - 1);
        b->compared++;
        if ((r->with_demands || !b->keeps_demands) && backward__stack_includes(b, c->stack, r->stack) &&
            conditions_are_among(c->conditions.data, c->conditions.len, b->reachable_conditions.data + r->first, r->count))
            return true;
    }
    return false;
}

static void rely(Backward *b, const Segment *s)
{
    for (uint32_t i = 0; i < s->demands.len; i++) map_put(&b->relied, (uint64_t)s->function << 32 | s->demands.data[i].origin, 1);
}

static bool is_in_core(const Expr *core, uint32_t count, const Expr *conditions, uint32_t condition_count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < condition_count; k++)
            if (core[i] == conditions[k]) return true;
    return false;
}

/* What may be taken to hold beside a candidate's conditions. */
typedef struct Outside {
    Exprs conditions;
    Numbers states; /* per condition: the R-state that it is outside of, or REST_FACTS, or REST_DEMAND */
} Outside;
#define REST_DEMAND (UINT32_MAX - 1)

static void add_outside(Outside *o, Expr condition, uint32_t state)
{
    vec_push(&o->conditions, condition);
    vec_push(&o->states, state);
}

/* If the candidate contradicts that, it rests on what the contradiction needs. */
static bool contradict(Backward *b, const Candidate *c, const Outside *o, bool *demands)
{
    if (backward__ask(b, &c->conditions, &o->conditions) != SOLVE_UNSAT) return false;
    uint32_t count = 0, found = 0;
    const Expr *core = solver_core(b->solver, &count);
    for (int every = 0; every < 2 && !found; every++) /* a core with none of them is not understood here: all are taken */
        for (uint32_t i = 0; i < o->conditions.len; i++) {
            Exprs parts = {0};
            bool trivial = !conditions_add(b->vars.pool, o->conditions.data[i], &parts); /* it is a contradiction of its own */
            if (every || trivial || is_in_core(core, count, parts.data, parts.len) || is_in_core(core, count, &o->conditions.data[i], 1)) {
                *demands |= o->states.data[i] == REST_DEMAND;
                if (o->states.data[i] != REST_DEMAND) backward__rests_on(b, o->states.data[i]);
                found++;
            }
            vec_release(&parts);
        }
    return true;
}

/* Contradictory, or included in the R-states of its location?  With the demands of the segment only if it is neither without. */
static bool is_closed(Backward *b, const Candidate *c, const Exprs *bounds)
{
    ExprPool *pool = b->vars.pool;
    Outside outside = {0};
    bool closed = backward__ask(b, &c->conditions, NULL) == SOLVE_UNSAT, demands = false;
    if (!closed && bounds->len) {
        closed = backward__ask(b, &c->conditions, bounds) == SOLVE_UNSAT;
        if (closed) backward__rests_on(b, REST_FACTS);
    }
    uint32_t compared = 0;
    for (uint32_t i = closed ? 0 : backward__last_at(&b->at, c->function, c->location); i && compared < MOST_COMPARED;
         i = vec_at(&b->states, i - 1).next) {
        const RState *r = &vec_at(&b->states, i - 1);
        if (!is_usable(b, i - 1) || !backward__stack_includes(b, r->stack, c->stack)) continue;
        add_outside(&outside, expr_not(pool, conjunction(pool, backward__conditions_of(b, r), r->count)), i - 1);
        compared++;
    }
    if (!closed && compared) closed = contradict(b, c, &outside, &demands);
    for (uint32_t i = 0; !closed && i < bounds->len; i++) add_outside(&outside, bounds->data[i], REST_FACTS);
    if (!closed && compared && bounds->len) closed = contradict(b, c, &outside, &demands);
    for (uint32_t i = 0; !closed && c->segment && i < c->segment->demands.len; i++)
        add_outside(&outside, vec_at(&c->segment->demands, i).condition, REST_DEMAND);
    if (!closed && outside.conditions.len > compared + bounds->len) {
        closed = contradict(b, c, &outside, &demands);
        if (demands) rely(b, c->segment);
    }
    vec_release(&outside.conditions);
    vec_release(&outside.states);
    return closed;
}

/* The nodes of an expression where shared ones count each time, at most about MOST_WRITTEN; times 256, plus the nesting. */
static uint64_t written_size(Backward *b, Expr e)
{
    const uint64_t *known = map_find(&b->sizes, e);
    if (known) return *known;
    ExprPool *pool = b->vars.pool;
    ExprKind kind = expr_kind(pool, e);
    uint64_t nodes = 1, nesting = 0;
    unsigned count = kind == EXPR_VAR ? 0 : expr_operand_count(kind);
    bool memory = kind == EXPR_VAR && vars_info(&b->vars, e)->kind == VAR_MEMORY;
    for (unsigned i = 0; i < count + memory; i++) {
        uint64_t part = written_size(b, memory ? vars_info(&b->vars, e)->index : expr_operand(pool, e, i));
        nodes += part / 256;
        if (part % 256 > nesting) nesting = part % 256;
    }
    if (nodes > MOST_WRITTEN) nodes = MOST_WRITTEN + 1;
    if (nesting < MOST_NESTED) nesting++;
    map_put(&b->sizes, e, 256 * nodes + nesting);
    return 256 * nodes + nesting;
}

static bool can_be_written(Backward *b, Expr e)
{
    uint64_t size = written_size(b, e);
    return size / 256 <= MOST_WRITTEN && size % 256 < MOST_NESTED;
}

/* Leaves out what contains inputs or has no name in certificates, and what follows from the rest. */
static void weaken(Backward *b, Exprs *list)
{
    Exprs named = {0};
    for (uint32_t i = 0; i < list->len; i++) {
        Expr e = list->data[i];
        if (vars_flags(&b->vars, e) & HAS_INPUT) e = conditions_project(&b->vars, e);
        if (!(vars_flags(&b->vars, e) & (HAS_INPUT | HAS_UNNAMED)) && can_be_written(b, e)) conditions_add(b->vars.pool, e, &named);
    }
    conditions_sort(&named);
    vec_release(list);
    *list = named;
    if (list->len > MOST_CONDITIONS) list->len = MOST_CONDITIONS;
    for (uint32_t i = 0; i < list->len && list->len > 1;) {
        Exprs rest = {0};
        for (uint32_t k = 0; k < list->len; k++) vec_push(&rest, k == i ? expr_not(b->vars.pool, list->data[k]) : list->data[k]);
        bool follows = backward__ask(b, &rest, NULL) == SOLVE_UNSAT;
        vec_release(&rest);
        if (!follows) i++;
        else memmove(list->data + i, list->data + i + 1, (--list->len - i) * sizeof *list->data);
    }
}

/* The number of a R-state at the same place that has the negation of one of the conditions and else the same ones, + 1; *which: of which condition. */
static uint32_t find_opposite(Backward *b, const Candidate *c, uint32_t *which)
{
    for (uint32_t i = backward__last_at(&b->at, c->function, c->location); i; i = vec_at(&b->states, i - 1).next) {
        const RState *r = &vec_at(&b->states, i - 1);
        if (!is_usable(b, i - 1) || r->stack != c->stack || r->count != c->conditions.len) continue;
        uint32_t missing = 0;
        for (uint32_t k = 0; k < r->count && missing < 2; k++)
            if (!conditions_are_among(&c->conditions.data[k], 1, backward__conditions_of(b, r), r->count)) missing++, *which = k;
        if (missing != 1) continue;
        Expr negated = expr_not(b->vars.pool, c->conditions.data[*which]);
        if (conditions_are_among(&negated, 1, backward__conditions_of(b, r), r->count)) return i;
    }
    return 0;
}

static void mark_included(Backward *b, const Candidate *c)
{
    for (uint32_t i = backward__last_at(&b->at, c->function, c->location); i; i = vec_at(&b->states, i - 1).next) {
        RState *r = &vec_at(&b->states, i - 1);
        if (i > (b->chain ? b->chain->first : b->target_first) && !r->included && backward__stack_includes(b, c->stack, r->stack) &&
            conditions_are_among(c->conditions.data, c->conditions.len, backward__conditions_of(b, r), r->count))
            r->included = r->done = true, r->included_by = b->states.len;
    }
}

void backward__fail(Backward *b, uint32_t state, const char *why)
{
    b->failure = why;
    b->failed_state = state;
}

static void push_state(Backward *b, const Candidate *c)
{
    RState r = {.function = c->function,
                .location = c->location,
                .stack = c->stack,
                .first = b->conditions.len,
                .count = c->conditions.len,
                .next = backward__last_at(&b->at, c->function, c->location),
                .parent = c->parent};
    for (uint32_t i = 0; i < c->conditions.len; i++) vec_push(&b->conditions, c->conditions.data[i]);
    vec_push(&b->states, r);
    map_put(&b->at, backward__location_key(c->function, c->location), b->states.len);
    b->stats.states++;
}

/* Adds what must hold of the conditions' variables for the code to be defined, if the branch is tried with that. */
static void keep_demands(Backward *b, Candidate *c)
{
    Map seen = {0};
    Exprs vars = {0};
    uint32_t before;
    for (uint32_t i = 0; i < c->conditions.len; i++) conditions_variables(b->vars.pool, c->conditions.data[i], &seen, &vars);
    before = vars.len;
    for (uint32_t i = 0; b->keeps_demands && c->segment && i < c->segment->demands.len; i++) {
        Demand demand = vec_at(&c->segment->demands, i);
        if (vars_flags(&b->vars, demand.condition) & (HAS_INPUT | HAS_UNNAMED)) continue;
        conditions_variables(b->vars.pool, demand.condition, &seen, &vars);
        if (vars.len == before) {
            vec_push(&c->conditions, demand.condition);
            map_put(&b->relied, (uint64_t)c->segment->function << 32 | demand.origin, 1);
        }
        vars.len =
            before; /* what other variables it has stays seen, so such a demand may be left out; that only makes the R-state larger */
    }
    conditions_sort(&c->conditions);
    map_release(&seen);
    vec_release(&vars);
}

/* Takes the candidate's conditions.  It becomes an R-state unless it is contradictory or included in others. */
void backward__add_state(Backward *b, Candidate *c)
{
    Exprs bounds = {0};
    if (b->failure || !backward__is_on_chain(b, c) || !backward__use_facts(b, c, &c->conditions, &bounds)) goto done;
    if (!conditions_simplify(&b->vars, &c->conditions) || is_included_plainly(b, c) || is_closed(b, c, &bounds)) goto done;
    if (b->keeps_demands) keep_demands(b, c);
    backward__leave_out(b, &c->conditions);
    if (backward__divide(b, c)) goto done;
    if (b->folds) backward__fold(b, c);
    weaken(b, &c->conditions);
    backward__leave_out(b, &c->conditions);
    uint32_t which = 0;
    while ((!b->precision || b->chain) && find_opposite(b, c, &which))
        memmove(c->conditions.data + which, c->conditions.data + which + 1, (--c->conditions.len - which) * sizeof *c->conditions.data);
    if (is_included_plainly(b, c)) goto done;
    if (backward__generalise(b, c, &bounds) && is_included_plainly(b, c)) goto done;
    if (!b->precision && is_known_reachable(b, c)) {
        backward__fail(b, c->parent, "states from which it can be taken are reached, as far as the backward analysis can tell");
        goto done;
    }
    if (backward_work(b) > b->work_end || expr_pool_count(b->vars.pool) > MOST_NODES) {
        backward__fail(b, 0, UNFINISHED);
        goto done;
    }
    mark_included(b, c);
    backward__rests_on(b, b->states.len);
    push_state(b, c);
done:
    vec_release(&bounds);
    vec_release(&c->conditions);
}
