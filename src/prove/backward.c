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
#include "prove/prove_int.h"

#include <stdlib.h>

enum {
    MOST_DEPTH = 24,     /* calls of a stack that are known; the rest is cut off.  A guess. */
    MOST_COMPARED = 48,  /* R-states that are asked about together whether they include a new one.  A guess. */
    MOST_SPLITS = 8,     /* of one state into cases, one after the other.  A guess. */
    MOST_CONDITIONS = 64 /* of an R-state; the largest are left out.  A guess. */
};

#define UNFINISHED "its backward analysis has not come to an end"

typedef Vec(Expr) Exprs;

typedef struct Places { /* the locations of a function: starts of blocks, what follows their calls, and the exit */
    uint32_t *first;    /* per block: the location at its start; then the exit */
    Segment *segments;  /* per location: the code that follows it; block is UINT32_MAX until it was executed */
    uint32_t *order;    /* per block: its place in reverse postorder */
} Places;

struct Backward {
    const Program *program;
    BackwardOptions options;
    Memory memory;
    Vars vars;
    Solver *solver;
    Places *places; /* per function, made when needed */
    Vec(Stack) stacks;
    Map stack_numbers;
    Vec(RState) states;
    Exprs conditions;      /* of the R-states */
    Map at;                /* location -> R-state + 1 that was added there last */
    Vec(RState) reachable; /* R-states that initial states satisfy, or that lead from some that are */
    Exprs reachable_conditions;
    Map reachable_at;
    Facts *facts; /* NULL: none */
    bool uses_facts;
    uint64_t work_end;     /* when the branch at hand has to be decided */
    bool keeps_demands;    /* R-states also say what must hold for the code to be defined */
    Map relied;            /* function and origin -> 1: undefined behaviour of the instruction is excluded */
    uint32_t target_first; /* R-states from here on belong to the branch at hand */
    const char *failure;   /* why the branch cannot be proved */
    uint32_t failed_state; /* + 1 */
    BackwardStats stats;
};

/* ---- locations ---- */

static void order_blocks(const Function *f, uint32_t *order)
{
    uint32_t *stack = mem_alloc((f->block_count + 1) * sizeof *stack), *next = mem_alloc((f->block_count + 1) * sizeof *next), depth = 0;
    uint8_t *seen = mem_alloc(f->block_count + 1);
    uint32_t number = f->block_count;
    stack[depth++] = 0;
    seen[0] = 1;
    while (depth) {
        uint32_t b = stack[depth - 1];
        if (next[b] < f->blocks[b].successor_count) {
            uint32_t s = f->blocks[b].successors[next[b]++];
            if (!seen[s]) seen[s] = 1, stack[depth++] = s;
        } else {
            order[b] = --number;
            depth--;
        }
    }
    free(stack);
    free(next);
    free(seen);
}

static Places *places_of(Backward *b, uint32_t function)
{
    const Function *f = &b->program->functions[function];
    Places *p = &b->places[function];
    if (p->first) return p;
    p->first = mem_alloc((f->block_count + 1) * sizeof *p->first);
    p->order = mem_alloc((f->block_count + 1) * sizeof *p->order);
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->block_count; i++) {
        p->first[i] = count++;
        for (uint32_t k = 0; k < f->blocks[i].count; k++) count += segment__is_cut(b->program, f, &f->code[f->blocks[i].first + k]);
    }
    p->first[f->block_count] = count;
    p->segments = mem_alloc((count + 1) * sizeof *p->segments);
    order_blocks(f, p->order);
    for (uint32_t i = 0; i < f->block_count; i++) {
        Segment *s = &p->segments[p->first[i]];
        uint32_t end = f->blocks[i].first + f->blocks[i].count - 1;
        *s = (Segment){.function = function, .block = i, .first = f->blocks[i].first};
        for (uint32_t at = s->first; at < end; at++) {
            if (!segment__is_cut(b->program, f, &f->code[at])) continue;
            s->end = at;
            s++;
            *s = (Segment){.function = function, .block = i, .first = at + 1};
        }
        s->end = end;
    }
    for (uint32_t i = 0; i < count; i++) segment_execute(&b->vars, &p->segments[i]);
    return p;
}

static uint32_t exit_of(Backward *b, uint32_t function)
{
    return places_of(b, function)->first[b->program->functions[function].block_count];
}

/* ---- stacks ---- */

static uint32_t stack_make(Backward *b, CallPlace site, uint32_t below)
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
static uint32_t stack_cut(Backward *b, uint32_t stack, uint32_t depth)
{
    if (depth == 0 || stack == 0) return 0;
    Stack s = vec_at(&b->stacks, stack);
    return stack_make(b, s.site, stack_cut(b, s.below, depth - 1));
}

/* Does every stack that begins with `stack` begin with `other`, too? */
static bool stack_includes(const Backward *b, uint32_t other, uint32_t stack)
{
    while (other && stack && other != stack) {
        const Stack *x = &vec_at(&b->stacks, other), *y = &vec_at(&b->stacks, stack);
        if (x->site.function != y->site.function || x->site.call != y->site.call) return false;
        other = x->below;
        stack = y->below;
    }
    return other == 0 || other == stack;
}

/* ---- conditions ---- */

static int compare_exprs(const void *a, const void *b)
{
    Expr x = *(const Expr *)a, y = *(const Expr *)b;
    return x < y ? -1 : x > y;
}

static void sort(Exprs *list)
{
    uint32_t kept = 0;
    if (list->len) qsort(list->data, list->len, sizeof *list->data, compare_exprs);
    for (uint32_t i = 0; i < list->len; i++)
        if (kept == 0 || list->data[i] != list->data[kept - 1]) list->data[kept++] = list->data[i];
    list->len = kept;
}

/* Adds the conjuncts of a condition; false: it never holds. */
static bool add_conjuncts(ExprPool *pool, Expr e, Exprs *list)
{
    if (expr_is_const(pool, e)) return expr_value(pool, e) != 0;
    if (expr_kind(pool, e) == EXPR_AND)
        return add_conjuncts(pool, expr_operand(pool, e, 0), list) && add_conjuncts(pool, expr_operand(pool, e, 1), list);
    if (expr_kind(pool, e) == EXPR_NOT && expr_kind(pool, expr_operand(pool, e, 0)) == EXPR_OR) {
        Expr either = expr_operand(pool, e, 0);
        return add_conjuncts(pool, expr_not(pool, expr_operand(pool, either, 0)), list) &&
               add_conjuncts(pool, expr_not(pool, expr_operand(pool, either, 1)), list);
    }
    vec_push(list, e);
    return true;
}

/* Which side of an equation is put in place of the other: inputs are to vanish first, then registers, then memory; addresses of objects stay. */
static unsigned rank(const Vars *vars, Expr e)
{
    if (expr_kind(vars->pool, e) != EXPR_VAR) return 0;
    const VarInfo *info = vars_info(vars, e);
    switch (info->kind) {
    case VAR_INPUT: return 4;
    case VAR_REGISTER: return vars_spot(vars, e).object ? 0 : 3;
    case VAR_RESULT: return 2;
    case VAR_ADDRESS: return 0;
    default: return 1;
    }
}

/* What a condition says is equal to what; false: nothing. */
static bool equation(Vars *vars, Expr condition, Expr *what, Expr *is)
{
    ExprPool *pool = vars->pool;
    ExprKind kind = expr_kind(pool, condition);
    if (kind == EXPR_EQ) {
        Expr x = expr_operand(pool, condition, 0), y = expr_operand(pool, condition, 1);
        if (expr_is_const(pool, x)) *what = y, *is = x;
        else *what = x, *is = y;
        if (expr_is_const(pool, *is)) return true;
        if (rank(vars, y) > rank(vars, x)) *what = y, *is = x;
        if (rank(vars, *what) > 0) return true;
    }
    bool negated = kind == EXPR_NOT;
    *what = negated ? expr_operand(pool, condition, 0) : condition;
    *is = expr_const(pool, 1, !negated);
    return true;
}

static bool contains(ExprPool *pool, Expr e, Expr part, Map *seen)
{
    if (e == part) return true;
    if (e < part || map_find(seen, e)) return false; /* operands are older than what is made of them */
    map_put(seen, e, 1);
    for (unsigned i = 0; i < expr_operand_count(expr_kind(pool, e)); i++)
        if (contains(pool, expr_operand(pool, e, i), part, seen)) return true;
    return false;
}

/* Puts what is known to be equal in place of `what` in all other conditions; false: they contradict each other.  *changed: some condition is another. */
static bool propagate(Vars *vars, Exprs *list, uint32_t which, bool *changed)
{
    ExprPool *pool = vars->pool;
    Expr what, is;
    if (!equation(vars, list->data[which], &what, &is)) return true;
    bool input = !expr_is_const(pool, is) && rank(vars, what) == 4;
    Map seen = {0};
    bool cyclic = !expr_is_const(pool, is) && contains(pool, is, what, &seen);
    map_release(&seen);
    if (cyclic) return true;
    ExprTranslation t;
    Exprs out = {0};
    bool possible = true;
    expr_translation_init(&t, pool, pool);
    expr_translation_set(&t, what, is);
    for (uint32_t i = 0; i < list->len && possible; i++) {
        Expr e = list->data[i], becomes = i == which ? e : expr_translate(&t, e);
        if (i == which && input) *changed = true; /* the input is eliminated */
        if (i == which && input) continue;
        *changed |= becomes != e;
        possible = add_conjuncts(pool, becomes, &out);
    }
    expr_translation_release(&t);
    vec_release(list);
    *list = *(Exprs *)&out;
    return possible;
}

static bool settle_addresses(Vars *vars, Exprs *list);

/* Makes the conditions plain; false: they contradict each other. */
static bool simplify(Vars *vars, Exprs *list)
{
    for (int round = 0; round < 8; round++) {
        bool changed = false;
        if (!settle_addresses(vars, list)) return false;
        sort(list);
        for (uint32_t i = 0; i < list->len && !changed; i++)
            if (!propagate(vars, list, i, &changed)) return false;
        if (!changed) return true;
    }
    sort(list);
    return true;
}

/* ---- addresses ---- */

/* Is it known that the two addresses differ?  Objects do not overlap, and none lies at NULL. */
static bool are_apart(const Vars *vars, Expr x, Expr y)
{
    Spot a = vars_spot(vars, x), b = vars_spot(vars, y);
    uint32_t f = vars_function(vars, x), g = vars_function(vars, y);
    bool null = (expr_is_const(vars->pool, x) && !expr_value(vars->pool, x)) ||
                (expr_is_const(vars->pool, y) && !expr_value(vars->pool, y));
    if ((f || g) && (null || (f && g))) return f != g;
    if (a.object && b.object) {
        bool constants = vec_at(&vars->memory->objects, a.object - 1).constant && vec_at(&vars->memory->objects, b.object - 1).constant;
        return !constants && (a.object != b.object || a.depth != b.depth); /* equal literals may be one object */
    }
    return null && (a.object || b.object);
}

/* Is it the question whether two writes meet (segment.c), of addresses that are known to differ? */
static bool is_near_apart(const Vars *vars, Expr e)
{
    ExprPool *pool = vars->pool;
    Expr from = expr_operand(pool, e, 0);
    uint64_t offset;
    if (expr_kind(pool, e) != EXPR_ULT || expr_width(pool, from) != 64) return false;
    from = vars_base(vars, from, &offset);
    return from && expr_kind(pool, from) == EXPR_SUB && are_apart(vars, expr_operand(pool, from, 0), expr_operand(pool, from, 1));
}

/* Sets comparisons of addresses in an expression that are known not to hold to false; true if there was one. */
static bool decide_addresses(Vars *vars, Expr e, Map *seen, ExprTranslation *t)
{
    ExprPool *pool = vars->pool;
    ExprKind kind = expr_kind(pool, e);
    if (!(vars_flags(vars, e) & HAS_ADDRESS) || map_find(seen, e)) return false;
    map_put(seen, e, 1);
    bool equates = kind == EXPR_EQ && expr_width(pool, expr_operand(pool, e, 0)) == 64;
    if ((equates && are_apart(vars, expr_operand(pool, e, 0), expr_operand(pool, e, 1))) || (kind == EXPR_ULT && is_near_apart(vars, e))) {
        expr_translation_set(t, e, expr_const(pool, 1, 0));
        return true;
    }
    bool any = false;
    for (unsigned i = 0; i < expr_operand_count(kind); i++) any |= decide_addresses(vars, expr_operand(pool, e, i), seen, t);
    return any;
}

/* False: the conditions contradict each other. */
static bool settle_addresses(Vars *vars, Exprs *list)
{
    ExprTranslation t;
    Map seen = {0};
    Exprs out = {0};
    bool any = false, possible = true;
    expr_translation_init(&t, vars->pool, vars->pool);
    for (uint32_t i = 0; i < list->len; i++) any |= decide_addresses(vars, list->data[i], &seen, &t);
    for (uint32_t i = 0; any && possible && i < list->len; i++)
        possible = add_conjuncts(vars->pool, expr_translate(&t, list->data[i]), &out);
    if (any) {
        vec_release(list);
        *list = *(Exprs *)&out;
    }
    expr_translation_release(&t);
    map_release(&seen);
    return possible;
}

/* ---- questions ---- */

uint64_t backward_work(const Backward *b)
{
    return solver_stats(b->solver)->effort + 20 * expr_pool_work(b->vars.pool); /* a node takes about 20 ns; guess */
}

static Expr conjunction(ExprPool *pool, const Expr *conditions, uint32_t count)
{
    Expr all = expr_const(pool, 1, 1);
    for (uint32_t i = 0; i < count; i++) all = expr_and(pool, all, conditions[i]);
    return all;
}

static SolveAnswer ask(Backward *b, const Exprs *conditions, const Exprs *more)
{
    uint32_t depth = solver_depth(b->solver);
    for (uint32_t i = 0; i < conditions->len; i++) solver_assert(b->solver, conditions->data[i]);
    for (uint32_t i = 0; more && i < more->len; i++) solver_assert(b->solver, more->data[i]);
    SolveAnswer answer = solver_check(b->solver, NULL, 0, NULL);
    solver_return(b->solver, depth);
    b->stats.questions++;
    return answer;
}

/* ---- R-states ---- */

static uint64_t location_key(uint32_t function, uint32_t location)
{
    return (uint64_t)function << 32 | location;
}

static uint32_t last_at(const Map *map, uint32_t function, uint32_t location)
{
    const uint64_t *last = map_find(map, location_key(function, location));
    return last ? (uint32_t)*last : 0;
}

static const Expr *conditions_of(const Backward *b, const RState *r)
{
    return b->conditions.data + r->first;
}

/* Is each of the (sorted) few among the (sorted) many? */
static bool is_subset(const Expr *few, uint32_t count, const Expr *many, uint32_t many_count)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < count; i++) {
        while (k < many_count && many[k] < few[i]) k++;
        if (k == many_count || many[k] != few[i]) return false;
    }
    return true;
}

/* ---- what the abstract interpreter knows ---- */

static FactState facts_at(Backward *b, uint32_t function, uint32_t location)
{
    const Places *p = places_of(b, function);
    uint32_t block = p->segments[location].block;
    if (location > p->first[block]) return facts_after_call(b->facts, function, p->segments[location - 1].end);
    return facts_at_block(b->facts, function, block);
}

static Expr byte_of_cell(Vars *vars, const VarInfo *byte, uint32_t offset)
{
    VarInfo info = *byte;
    info.offset = offset;
    return vars_get(vars, info, 8);
}

static void add_bounds(ExprPool *pool, Expr e, const Value *v, Exprs *out)
{
    unsigned w = v->width;
    Value top = value_top(w);
    if (v->count) {
        Expr any = expr_const(pool, 1, 0);
        for (uint32_t i = 0; i < v->count; i++) any = expr_or(pool, any, expr_eq(pool, e, expr_const(pool, w, v->set[i])));
        vec_push(out, any);
        return;
    }
    uint64_t known = (v->zeros | v->ones) & top.uhi;
    if (v->ulo > top.ulo) vec_push(out, expr_binary(pool, EXPR_ULE, expr_const(pool, w, v->ulo), e));
    if (v->uhi < top.uhi) vec_push(out, expr_binary(pool, EXPR_ULE, e, expr_const(pool, w, v->uhi)));
    if (v->slo > top.slo) vec_push(out, expr_binary(pool, EXPR_SLE, expr_const(pool, w, (uint64_t)v->slo), e));
    if (v->shi < top.shi) vec_push(out, expr_binary(pool, EXPR_SLE, e, expr_const(pool, w, (uint64_t)v->shi)));
    if (known) vec_push(out, expr_eq(pool, expr_and(pool, e, expr_const(pool, w, known)), expr_const(pool, w, v->ones)));
}

/* What is known of one variable at the location: its value, or else bounds, which are added to `bounds`. */
static Expr fact_about(Backward *b, FactState at, Expr var, Exprs *bounds)
{
    ExprPool *pool = b->vars.pool;
    VarInfo info = *vars_info(&b->vars, var);
    const Value *v = NULL;
    uint32_t start = 0;
    uint64_t x;
    bool global = info.kind == VAR_GLOBAL, here = global || (info.kind == VAR_LOCAL && info.depth == 0);
    if (info.kind == VAR_REGISTER && info.depth == 0) v = facts_register(b->facts, at, info.index);
    else if (here) v = facts_cell(b->facts, at, info.index, info.offset, &start);
    if (!v) return 0;
    bool constant = value_is_constant(v, &x);
    if (info.kind == VAR_REGISTER) {
        if (v->width != expr_width(pool, var)) return 0;
        if (constant) return expr_const(pool, v->width, x);
        add_bounds(pool, var, v, bounds);
        return 0;
    }
    if (constant) return expr_const(pool, 8, x >> 8 * (info.offset - start));
    Value value = *v;
    Expr whole = byte_of_cell(&b->vars, &info, start);
    for (uint32_t i = 1; i < value.width / 8; i++) whole = expr_binary(pool, EXPR_CONCAT, byte_of_cell(&b->vars, &info, start + i), whole);
    add_bounds(pool, whole, &value, bounds);
    return 0;
}

static void collect_variables(ExprPool *pool, Expr e, Map *seen, Exprs *vars)
{
    if (map_find(seen, e)) return;
    map_put(seen, e, 1);
    if (expr_kind(pool, e) == EXPR_VAR) vec_push(vars, e);
    for (unsigned i = 0; i < expr_operand_count(expr_kind(pool, e)); i++) collect_variables(pool, expr_operand(pool, e, i), seen, vars);
}

/* Puts constants in place of variables that have only one value at the location, and adds what else is known to `bounds`.  False: the conditions cannot
 * hold there. */
static bool use_facts(Backward *b, uint32_t function, uint32_t location, Exprs *list, Exprs *bounds)
{
    if (!b->facts || location == exit_of(b, function)) return true;
    FactState at = facts_at(b, function, location);
    b->uses_facts |= at.state == NULL;
    if (!at.state) return false;
    ExprPool *pool = b->vars.pool;
    ExprTranslation t;
    Map seen = {0};
    Exprs vars = {0}, out = {0};
    bool possible = true, any = false;
    expr_translation_init(&t, pool, pool);
    for (uint32_t i = 0; i < list->len; i++) collect_variables(pool, list->data[i], &seen, &vars);
    for (uint32_t i = 0; i < vars.len; i++) {
        Expr value = fact_about(b, at, vars.data[i], bounds);
        if (value) expr_translation_set(&t, vars.data[i], value);
        any |= value != 0;
    }
    for (uint32_t i = 0; any && possible && i < list->len; i++) possible = add_conjuncts(pool, expr_translate(&t, list->data[i]), &out);
    b->uses_facts |= any;
    if (any) {
        vec_release(list);
        *list = *(Exprs *)&out;
    }
    expr_translation_release(&t);
    map_release(&seen);
    vec_release(&vars);
    sort(bounds);
    return possible;
}

typedef struct Candidate { /* an R-state that may have to be added */
    uint32_t function, location, stack, parent;
    Exprs conditions;
    const Segment *segment; /* whose demands hold as well where undefined behaviour is excluded; NULL: none */
    unsigned splits;        /* that have led to it */
} Candidate;

static bool is_included_plainly(Backward *b, const Candidate *c)
{
    for (uint32_t i = last_at(&b->at, c->function, c->location); i; i = vec_at(&b->states, i - 1).next) {
        const RState *r = &vec_at(&b->states, i - 1);
        if (!r->included && stack_includes(b, r->stack, c->stack) &&
            is_subset(conditions_of(b, r), r->count, c->conditions.data, c->conditions.len))
            return true;
    }
    return false;
}

static bool is_known_reachable(Backward *b, const Candidate *c)
{
    for (uint32_t i = last_at(&b->reachable_at, c->function, c->location); i; i = vec_at(&b->reachable, i - 1).next) {
        const RState *r = &vec_at(&b->reachable, i - 1);
        if ((r->with_demands || !b->keeps_demands) && stack_includes(b, c->stack, r->stack) &&
            is_subset(c->conditions.data, c->conditions.len, b->reachable_conditions.data + r->first, r->count))
            return true;
    }
    return false;
}

static void rely(Backward *b, const Segment *s)
{
    for (uint32_t i = 0; i < s->demands.len; i++) map_put(&b->relied, (uint64_t)s->function << 32 | s->demands.data[i].origin, 1);
}

/* Contradictory, or included in the R-states of its location?  With the demands of the segment only if it is neither without. */
static bool is_closed(Backward *b, const Candidate *c, const Exprs *bounds)
{
    ExprPool *pool = b->vars.pool;
    Exprs outside = {0};
    bool closed = ask(b, &c->conditions, NULL) == SOLVE_UNSAT;
    if (!closed && bounds->len) {
        closed = ask(b, &c->conditions, bounds) == SOLVE_UNSAT;
        b->uses_facts |= closed;
    }
    uint32_t compared = 0;
    for (uint32_t i = closed ? 0 : last_at(&b->at, c->function, c->location); i && compared < MOST_COMPARED;
         i = vec_at(&b->states, i - 1).next) {
        const RState *r = &vec_at(&b->states, i - 1);
        if (r->included || !stack_includes(b, r->stack, c->stack)) continue;
        vec_push(&outside, expr_not(pool, conjunction(pool, conditions_of(b, r), r->count)));
        compared++;
    }
    if (!closed && compared) closed = ask(b, &c->conditions, &outside) == SOLVE_UNSAT;
    for (uint32_t i = 0; !closed && i < bounds->len; i++) vec_push(&outside, bounds->data[i]);
    if (!closed && compared && bounds->len) {
        closed = ask(b, &c->conditions, &outside) == SOLVE_UNSAT;
        b->uses_facts |= closed;
    }
    for (uint32_t i = 0; !closed && c->segment && i < c->segment->demands.len; i++)
        vec_push(&outside, vec_at(&c->segment->demands, i).condition);
    if (!closed && outside.len > compared + bounds->len) {
        closed = ask(b, &c->conditions, &outside) == SOLVE_UNSAT;
        b->uses_facts |= closed && bounds->len;
        if (closed) rely(b, c->segment);
    }
    vec_release(&outside);
    return closed;
}

/* Leaves out what contains inputs or has no name in certificates, and what follows from the rest. */
static void weaken(Backward *b, Exprs *list)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->len; i++)
        if (!(vars_flags(&b->vars, list->data[i]) & (HAS_INPUT | HAS_UNNAMED))) list->data[kept++] = list->data[i];
    list->len = kept < MOST_CONDITIONS ? kept : MOST_CONDITIONS;
    for (uint32_t i = 0; i < list->len && list->len > 1;) {
        Exprs rest = {0};
        for (uint32_t k = 0; k < list->len; k++) vec_push(&rest, k == i ? expr_not(b->vars.pool, list->data[k]) : list->data[k]);
        bool follows = ask(b, &rest, NULL) == SOLVE_UNSAT;
        vec_release(&rest);
        if (!follows) i++;
        else memmove(list->data + i, list->data + i + 1, (--list->len - i) * sizeof *list->data);
    }
}

/* The number of a R-state at the same place that has the negation of one of the conditions and else the same ones, + 1; *which: of which condition. */
static uint32_t find_opposite(Backward *b, const Candidate *c, uint32_t *which)
{
    for (uint32_t i = last_at(&b->at, c->function, c->location); i; i = vec_at(&b->states, i - 1).next) {
        const RState *r = &vec_at(&b->states, i - 1);
        if (r->included || r->stack != c->stack || r->count != c->conditions.len) continue;
        uint32_t missing = 0;
        for (uint32_t k = 0; k < r->count && missing < 2; k++)
            if (!is_subset(&c->conditions.data[k], 1, conditions_of(b, r), r->count)) missing++, *which = k;
        if (missing != 1) continue;
        Expr negated = expr_not(b->vars.pool, c->conditions.data[*which]);
        if (is_subset(&negated, 1, conditions_of(b, r), r->count)) return i;
    }
    return 0;
}

static void mark_included(Backward *b, const Candidate *c)
{
    for (uint32_t i = last_at(&b->at, c->function, c->location); i; i = vec_at(&b->states, i - 1).next) {
        RState *r = &vec_at(&b->states, i - 1);
        if (i > b->target_first && !r->included && stack_includes(b, c->stack, r->stack) &&
            is_subset(c->conditions.data, c->conditions.len, conditions_of(b, r), r->count))
            r->included = r->done = true;
    }
}

static void fail_at(Backward *b, uint32_t state, const char *why)
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
                .next = last_at(&b->at, c->function, c->location),
                .parent = c->parent};
    for (uint32_t i = 0; i < c->conditions.len; i++) vec_push(&b->conditions, c->conditions.data[i]);
    vec_push(&b->states, r);
    map_put(&b->at, location_key(c->function, c->location), b->states.len);
    b->stats.states++;
}

/* The condition of a choice in a condition with inputs, where the choice itself depends on none; 0: there is none. */
static Expr find_choice(Vars *vars, Expr e, Map *seen)
{
    if (!(vars_flags(vars, e) & HAS_INPUT) || map_find(seen, e)) return 0;
    map_put(seen, e, 1);
    ExprPool *pool = vars->pool;
    ExprKind kind = expr_kind(pool, e);
    if (kind == EXPR_ITE && !(vars_flags(vars, expr_operand(pool, e, 0)) & (HAS_INPUT | HAS_UNNAMED))) return expr_operand(pool, e, 0);
    for (unsigned i = 0; i < expr_operand_count(kind); i++) {
        Expr found = find_choice(vars, expr_operand(pool, e, i), seen);
        if (found) return found;
    }
    return 0;
}

/* Adds what must hold of the conditions' variables for the code to be defined, if the branch is tried with that. */
static void keep_demands(Backward *b, Candidate *c)
{
    Map seen = {0};
    Exprs vars = {0};
    uint32_t before;
    for (uint32_t i = 0; i < c->conditions.len; i++) collect_variables(b->vars.pool, c->conditions.data[i], &seen, &vars);
    before = vars.len;
    for (uint32_t i = 0; b->keeps_demands && c->segment && i < c->segment->demands.len; i++) {
        Demand demand = vec_at(&c->segment->demands, i);
        if (vars_flags(&b->vars, demand.condition) & (HAS_INPUT | HAS_UNNAMED)) continue;
        collect_variables(b->vars.pool, demand.condition, &seen, &vars);
        if (vars.len == before) {
            vec_push(&c->conditions, demand.condition);
            map_put(&b->relied, (uint64_t)c->segment->function << 32 | demand.origin, 1);
        }
        vars.len =
            before; /* what other variables it has stays seen, so such a demand may be left out; that only makes the R-state larger */
    }
    sort((Exprs *)&c->conditions);
    map_release(&seen);
    vec_release(&vars);
}

static void add_state(Backward *b, Candidate *c);

/* Inputs take the conditions that they occur in with them when they are eliminated.  So a choice between an input and something else is made first: each case
 * is a state of its own. */
static bool split(Backward *b, Candidate *c)
{
    ExprPool *pool = b->vars.pool;
    Map seen = {0};
    Expr choice = 0;
    for (uint32_t i = 0; i < c->conditions.len && !choice; i++) choice = find_choice(&b->vars, c->conditions.data[i], &seen);
    map_release(&seen);
    if (!choice || c->splits == MOST_SPLITS) return false;
    for (int side = 0; side < 2; side++) {
        Candidate one = {c->function, c->location, c->stack, c->parent, {0}, c->segment, c->splits + 1};
        ExprTranslation t;
        bool possible = add_conjuncts(pool, side ? expr_not(pool, choice) : choice, (Exprs *)&one.conditions);
        expr_translation_init(&t, pool, pool);
        expr_translation_set(&t, choice, expr_const(pool, 1, !side));
        for (uint32_t i = 0; i < c->conditions.len && possible; i++)
            possible = add_conjuncts(pool, expr_translate(&t, c->conditions.data[i]), (Exprs *)&one.conditions);
        expr_translation_release(&t);
        if (possible) add_state(b, &one);
        else vec_release(&one.conditions);
    }
    return true;
}

/* Takes the candidate's conditions.  It becomes an R-state unless it is contradictory or included in others. */
static void add_state(Backward *b, Candidate *c)
{
    Exprs bounds = {0};
    if (b->failure || !use_facts(b, c->function, c->location, (Exprs *)&c->conditions, &bounds)) goto done;
    if (!simplify(&b->vars, &c->conditions) || is_included_plainly(b, c) || is_closed(b, c, &bounds)) goto done;
    if (b->keeps_demands) keep_demands(b, c);
    if (split(b, c)) goto done;
    weaken(b, &c->conditions);
    uint32_t which = 0;
    while (find_opposite(b, c, &which))
        memmove(c->conditions.data + which, c->conditions.data + which + 1, (--c->conditions.len - which) * sizeof *c->conditions.data);
    if (is_included_plainly(b, c)) goto done;
    if (is_known_reachable(b, c)) {
        fail_at(b, c->parent, "states from which it can be taken are reached, as far as the backward analysis can tell");
        goto done;
    }
    if (backward_work(b) > b->work_end) {
        fail_at(b, 0, UNFINISHED);
        goto done;
    }
    mark_included(b, c);
    push_state(b, c);
done:
    vec_release(&bounds);
    vec_release(&c->conditions);
}

/* ---- steps ---- */

typedef enum StepKind {
    STEP_FLOW,
    STEP_ENTER /* from the entry of a function to a call of it */,
    STEP_LEAVE /* from after a call to the exit */
} StepKind;
typedef struct BackStep {
    Backward *b;
    StepKind kind;
    Segment *segment;     /* FLOW, ENTER: the code before; NULL: none */
    Expr result;          /* FLOW from an exit: what is returned; 0: anything */
    const CallSite *site; /* ENTER */
    uint32_t callee;      /* ENTER, LEAVE */
    uint32_t call_dst;    /* LEAVE */
    uint32_t depth;       /* ENTER, LEAVE: calls that are known of the stack afterwards */
    Map inputs;           /* ENTER: what is not known of the callee's frame */
} BackStep;

static Expr step_input(BackStep *s, Expr var)
{
    const uint64_t *known = map_find(&s->inputs, var);
    if (known) return (Expr)*known;
    Expr input = vars_input(&s->b->vars, expr_width(s->b->vars.pool, var));
    map_put(&s->inputs, var, input);
    return input;
}

static Expr argument_for(BackStep *s, Expr var, uint32_t reg)
{
    const Function *f = &s->b->program->functions[s->callee];
    for (uint32_t i = 0; i < f->param_count && i < s->site->argument_count; i++) {
        const Param *p = &f->params[i];
        const Argument *a = &s->site->arguments[i];
        if (p->reg != reg) continue;
        if (p->byval_size || a->byval_size || p->type.width != a->type.width || p->type.kind != a->type.kind || a->type.width > 64 ||
            a->type.kind == SCALAR_FLOAT)
            break;
        Expr e = segment_operand(&s->b->vars, s->segment, a->value, a->type.width);
        if (e && expr_width(s->b->vars.pool, e) == expr_width(s->b->vars.pool, var)) return e;
        break;
    }
    return step_input(s, var);
}

static Expr variable_before(void *data, Expr var);

/* The address of a byte in memory, as it is before the step. */
static Expr address_before(BackStep *s, const VarInfo *info)
{
    ExprTranslation t;
    if (info->kind != VAR_MEMORY) return 0;
    expr_translation_init(&t, s->b->vars.pool, s->b->vars.pool);
    t.variable = variable_before;
    t.data = s;
    Expr address = expr_translate(&t, info->index);
    expr_translation_release(&t);
    return address;
}

static Expr before_call(BackStep *s, Expr var)
{
    Vars *vars = &s->b->vars;
    VarInfo info = *vars_info(vars, var);
    bool in_frame = info.kind == VAR_REGISTER || info.kind == VAR_LOCAL;
    if (info.kind == VAR_REGISTER && info.depth == 0) return argument_for(s, var, info.index);
    if (in_frame && info.depth == 0) return step_input(s, var);
    if (in_frame) info.depth--;
    Expr outer = in_frame ? vars_get(vars, info, expr_width(vars->pool, var)) : var;
    return segment_before(vars, s->segment, &info, outer, address_before(s, &info));
}

static Expr before_return(BackStep *s, Expr var)
{
    Vars *vars = &s->b->vars;
    VarInfo info = *vars_info(vars, var);
    if (info.kind == VAR_MEMORY) {
        info.index = address_before(s, &info);
        return vars_get(vars, info, 8);
    }
    if (info.kind != VAR_REGISTER && info.kind != VAR_LOCAL) return var;
    unsigned width = expr_width(vars->pool, var);
    if (info.kind == VAR_REGISTER && info.depth == 0 && info.index == s->call_dst) {
        const Function *f = &s->b->program->functions[s->callee];
        bool known = f->result_count == 1 && f->results[0].width == width && width <= 64 && f->results[0].kind != SCALAR_FLOAT;
        return known ? vars_get(vars, (VarInfo){VAR_RESULT, 0, s->callee, 0, 0}, width) : step_input(s, var);
    }
    info.depth++;
    if (info.depth > s->depth) return step_input(s, var);
    return vars_get(vars, info, width);
}

static Expr variable_before(void *data, Expr var)
{
    BackStep *s = data;
    VarInfo info = *vars_info(&s->b->vars, var);
    if (s->kind == STEP_ENTER) return before_call(s, var);
    if (s->kind == STEP_LEAVE) return before_return(s, var);
    if (info.kind == VAR_RESULT)
        return s->result && expr_width(s->b->vars.pool, s->result) == expr_width(s->b->vars.pool, var) ? s->result : step_input(s, var);
    return s->segment ? segment_before(&s->b->vars, s->segment, &info, var, address_before(s, &info)) : var;
}

/* Adds the conditions as they are before the step, and what the code of the step assumes; false: they cannot hold. */
static bool conditions_before(BackStep *s, const Expr *conditions, uint32_t count, Exprs *out)
{
    ExprPool *pool = s->b->vars.pool;
    ExprTranslation t;
    bool possible = !(s->segment && s->segment->dead);
    expr_translation_init(&t, pool, pool);
    t.variable = variable_before;
    t.data = s;
    for (uint32_t i = 0; i < count && possible; i++) possible = add_conjuncts(pool, expr_translate(&t, conditions[i]), out);
    expr_translation_release(&t);
    map_release(&s->inputs);
    for (uint32_t i = 0; s->segment && possible && i < s->segment->assumed.len; i++)
        possible = add_conjuncts(pool, s->segment->assumed.data[i], out);
    return possible;
}

static bool state_before(BackStep *s, uint32_t state, Exprs *out)
{
    const RState *r = &vec_at(&s->b->states, state);
    return conditions_before(s, conditions_of(s->b, r), r->count, out);
}

/* The condition under which the segment's end leads to the block. */
static Expr guard(Backward *b, const Segment *s, uint32_t to)
{
    const Function *f = &b->program->functions[s->function];
    const Instr *last = &f->code[s->end];
    ExprPool *pool = b->vars.pool;
    if (last->op == OP_BRANCH) {
        const CondBranch *branch = &f->branches[last->imm];
        Expr c = segment_operand(&b->vars, s, last->a, 1);
        if (branch->yes == branch->no) return expr_const(pool, 1, 1);
        return branch->yes == to ? c : expr_not(pool, c);
    }
    if (last->op == OP_SWITCH && last->width <= 64) {
        const Switch *sw = &f->switches[last->imm];
        Expr value = segment_operand(&b->vars, s, last->a, last->width), here = expr_const(pool, 1, 0), elsewhere = here;
        for (uint32_t i = 0; i < sw->case_count; i++) {
            Expr same = expr_eq(pool, value, expr_const(pool, last->width, sw->cases[i].value));
            Expr *into = sw->cases[i].block == to ? &here : &elsewhere;
            *into = expr_or(pool, *into, same);
        }
        return sw->default_block == to ? expr_not(pool, elsewhere) : here;
    }
    return expr_const(pool, 1, 1);
}

/* From a state (of which `conditions` hold) at the start of a block to what is before it. */
static void follow_block(Backward *b, uint32_t state, uint32_t block, const Exprs *through);

/* One edge of the control flow; blocks that the bitcode does not have are passed. */
static void follow_edge(Backward *b, uint32_t state, uint32_t from, uint32_t to, const Exprs *through)
{
    RState r = vec_at(&b->states, state);
    const Function *f = &b->program->functions[r.function];
    const Places *p = places_of(b, r.function);
    uint32_t location = p->first[from + 1] - 1;
    Segment *s = &p->segments[location];
    Exprs out = {0};
    if (f->code[s->end].op == OP_TRAP) {
        fail_at(b, state + 1, "code that is not understood leads there");
        return;
    }
    BackStep step = {.b = b, .kind = STEP_FLOW, .segment = s};
    bool possible = through ? conditions_before(&step, through->data, through->len, &out) : state_before(&step, state, &out);
    possible = possible && add_conjuncts(b->vars.pool, guard(b, s, to), &out);
    if (possible && from >= f->source_blocks) {
        follow_block(b, state, from, &out);
    } else if (possible) {
        Candidate c = {r.function, location, r.stack, state + 1, {out.data, out.len, out.cap}, s, 0};
        add_state(b, &c);
        return;
    }
    vec_release(&out);
}

static void follow_block(Backward *b, uint32_t state, uint32_t block, const Exprs *through)
{
    const Function *f = &b->program->functions[vec_at(&b->states, state).function];
    const Block *at = &f->blocks[block];
    for (uint32_t i = 0; i < at->predecessor_count && !b->failure; i++) {
        bool again = false;
        for (uint32_t k = 0; k < i; k++) again |= at->predecessors[k] == at->predecessors[i];
        if (!again) follow_edge(b, state, at->predecessors[i], block, through);
    }
}

/* From a function's exit to its returns. */
static void follow_exit(Backward *b, uint32_t state)
{
    RState r = vec_at(&b->states, state);
    const Function *f = &b->program->functions[r.function];
    const Places *p = places_of(b, r.function);
    for (uint32_t i = 0; i < f->block_count && !b->failure; i++) {
        uint32_t location = p->first[i + 1] - 1;
        Segment *s = &p->segments[location];
        const Instr *last = &f->code[s->end];
        if (last->op != OP_RETURN) continue;
        Candidate c = {r.function, location, r.stack, state + 1, {0}, s, 0};
        BackStep step = {.b = b, .kind = STEP_FLOW, .segment = s};
        if (f->result_count == 1) step.result = segment_operand(&b->vars, s, last->a, f->results[0].width);
        if (i >= f->source_blocks) fail_at(b, state + 1, "a return of it is not in the bitcode");
        else if (state_before(&step, state, (Exprs *)&c.conditions)) add_state(b, &c);
        else vec_release(&c.conditions);
    }
}

/* From after a call to the exit of a function that it calls. */
static void follow_return(Backward *b, uint32_t state, const Segment *s, uint32_t callee)
{
    RState r = vec_at(&b->states, state);
    uint32_t depth = vec_at(&b->stacks, r.stack).depth + 1;
    uint32_t stack = stack_make(b, (CallPlace){r.function, s->end}, r.stack);
    if (depth > MOST_DEPTH) stack = stack_cut(b, stack, MOST_DEPTH), depth = MOST_DEPTH;
    Candidate c = {callee, exit_of(b, callee), stack, state + 1, {0}, NULL, 0};
    BackStep step = {
        .b = b, .kind = STEP_LEAVE, .callee = callee, .depth = depth, .call_dst = b->program->functions[r.function].code[s->end].dst};
    if (state_before(&step, state, (Exprs *)&c.conditions)) add_state(b, &c);
    else vec_release(&c.conditions);
}

/* A computed call may lead out of the program: anything may have come of it. */
static void follow_outside(Backward *b, uint32_t state, Segment *s, uint32_t location)
{
    RState r = vec_at(&b->states, state);
    Exprs out = {0};
    Segment wild = {.function = s->function, .block = s->block, .first = s->end, .end = s->end};
    const Function *f = &b->program->functions[r.function];
    vec_push(&wild.changes, ((Change){.kind = CHANGE_GLOBALS}));
    if (f->code[s->end].dst != OPERAND_NONE) {
        uint32_t width = vars_width(&b->vars, r.function, f->code[s->end].dst);
        map_put(&wild.registers, f->code[s->end].dst, vars_input(&b->vars, width ? width : 64));
    }
    BackStep after = {.b = b, .kind = STEP_FLOW, .segment = &wild}, before = {.b = b, .kind = STEP_FLOW, .segment = s};
    Candidate c = {r.function, location, r.stack, state + 1, {0}, s, 0};
    if (state_before(&after, state, &out) && conditions_before(&before, out.data, out.len, (Exprs *)&c.conditions)) add_state(b, &c);
    else vec_release(&c.conditions);
    segment_release(&wild);
    vec_release(&out);
}

/* From after a call to what was executed before. */
static void follow_call(Backward *b, uint32_t state)
{
    RState r = vec_at(&b->states, state);
    Segment *s = &places_of(b, r.function)->segments[r.location - 1];
    const Function *f = &b->program->functions[r.function];
    uint32_t callee = f->calls[f->code[s->end].imm].callee;
    if (callee != UINT32_MAX) {
        follow_return(b, state, s, callee);
        return;
    }
    for (uint32_t i = 0; i < b->program->function_count && !b->failure; i++)
        if (b->memory.taken[i] && objects_runs(&b->program->functions[i])) follow_return(b, state, s, i);
    if (b->memory.outside && !b->failure) follow_outside(b, state, s, r.location - 1);
}

/* From a function's entry to one call of it. */
static void follow_entry_to(Backward *b, uint32_t state, CallPlace site, uint32_t stack)
{
    RState r = vec_at(&b->states, state);
    const Function *caller = &b->program->functions[site.function];
    const Places *p = places_of(b, site.function);
    uint32_t block = function_block(caller, site.call), location = p->first[block];
    if (block >= caller->source_blocks) {
        fail_at(b, state + 1, "a call of it is not in the bitcode");
        return;
    }
    while (p->segments[location].end != site.call) location++;
    Candidate c = {site.function, location, stack, state + 1, {0}, &p->segments[location], 0};
    BackStep step = {.b = b,
                     .kind = STEP_ENTER,
                     .segment = &p->segments[location],
                     .site = &caller->calls[caller->code[site.call].imm],
                     .callee = r.function};
    if (state_before(&step, state, (Exprs *)&c.conditions)) add_state(b, &c);
    else vec_release(&c.conditions);
}

static bool may_call(const Backward *b, const CallSite *site, uint32_t function)
{
    return site->callee == function || (site->callee == UINT32_MAX && b->memory.taken[function]);
}

/* Whether the program may start, or other code may call the function, in a state in which the conditions hold. */
static bool is_initial(Backward *b, uint32_t state)
{
    RState r = vec_at(&b->states, state);
    bool starts = b->options.whole && b->options.entries[0] == r.function;
    if (b->memory.open[r.function]) return true; /* the conditions are not contradictory, and nothing more is known */
    if (!starts) return false;
    ExprTranslation t;
    Exprs list = {0};
    bool possible = true;
    expr_translation_init(&t, b->vars.pool, b->vars.pool);
    for (uint32_t i = 0; i < b->vars.infos.len; i++) {
        const VarInfo *info = &b->vars.infos.data[i];
        uint64_t x;
        if (info->kind == VAR_GLOBAL && objects_initial(b->program, &vec_at(&b->memory.objects, info->index), info->offset, 1, &x))
            expr_translation_set(&t, expr_var_at(b->vars.pool, i), expr_const(b->vars.pool, 8, x));
    }
    for (uint32_t i = 0; i < r.count && possible; i++)
        possible = add_conjuncts(b->vars.pool, expr_translate(&t, b->conditions.data[r.first + i]), &list);
    expr_translation_release(&t);
    if (possible) possible = ask(b, &list, NULL) != SOLVE_UNSAT;
    vec_release(&list);
    return possible;
}

static void follow_entry(Backward *b, uint32_t state)
{
    RState r = vec_at(&b->states, state);
    if (r.stack) {
        Stack top = vec_at(&b->stacks, r.stack);
        follow_entry_to(b, state, top.site, top.below);
        return;
    }
    if (is_initial(b, state)) {
        fail_at(b, state + 1, "an initial state satisfies its conditions, as far as the backward analysis can tell");
        return;
    }
    for (uint32_t g = 0; g < b->program->function_count; g++) {
        const Function *f = &b->program->functions[g];
        if (!f->defined) continue;
        for (uint32_t i = 0; i < f->code_count && !b->failure; i++)
            if (f->code[i].op == OP_CALL && may_call(b, &f->calls[f->code[i].imm], r.function))
                follow_entry_to(b, state, (CallPlace){g, i}, 0);
    }
}

static void follow(Backward *b, uint32_t state)
{
    RState r = vec_at(&b->states, state);
    const Places *p = places_of(b, r.function);
    vec_at(&b->states, state).done = true;
    if (r.location == exit_of(b, r.function)) {
        follow_exit(b, state);
        return;
    }
    uint32_t block = p->segments[r.location].block;
    if (r.location > p->first[block]) follow_call(b, state);
    else if (block == 0) follow_entry(b, state);
    else follow_block(b, state, block, NULL);
}

/* ---- the search ---- */

/* The deepest stack first, and there the location nearest to the end of its function; among those the fewest conditions. */
static bool comes_before(Backward *b, const RState *x, const RState *y)
{
    uint32_t dx = vec_at(&b->stacks, x->stack).depth, dy = vec_at(&b->stacks, y->stack).depth;
    if (dx != dy) return dx > dy;
    if (x->function == y->function && x->location != y->location) {
        const Places *p = places_of(b, x->function);
        bool ex = x->location == exit_of(b, x->function), ey = y->location == exit_of(b, y->function);
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
static void give_up(Backward *b)
{
    for (uint32_t i = b->failed_state; i; i = vec_at(&b->states, i - 1).parent) {
        RState r = vec_at(&b->states, i - 1);
        RState known = r;
        known.with_demands = b->keeps_demands;
        known.first = b->reachable_conditions.len;
        known.next = last_at(&b->reachable_at, r.function, r.location);
        for (uint32_t k = 0; k < r.count; k++) vec_push(&b->reachable_conditions, b->conditions.data[r.first + k]);
        vec_push(&b->reachable, known);
        map_put(&b->reachable_at, location_key(r.function, r.location), b->reachable.len);
        if (i - 1 < b->target_first) break;
    }
    while (b->states.len > b->target_first) {
        RState r = vec_pop(&b->states);
        b->conditions.len = r.first;
        map_put(&b->at, location_key(r.function, r.location), r.next);
    }
}

static BackwardAnswer finish(Backward *b)
{
    while (!b->failure) {
        uint32_t state = next_state(b);
        if (state == UINT32_MAX) break;
        if (b->options.deadline && clock_seconds() > b->options.deadline) fail_at(b, 0, UNFINISHED);
        else follow(b, state);
    }
    if (b->failure) give_up(b);
    b->stats.proved += !b->failure;
    b->stats.failed += b->failure != NULL;
    if (!b->failure) return BACKWARD_PROVED;
    return strcmp(b->failure, UNFINISHED) == 0 ? BACKWARD_UNFINISHED : BACKWARD_OPEN;
}

/* The condition of a branch, at the start of the segment that it ends or that it is in; *location: where that is. */
static bool first_condition(Backward *b, uint32_t number, uint32_t *location, Expr *condition)
{
    const Branch *branch = &b->program->branches[number];
    const Function *f = &b->program->functions[branch->function];
    const Places *p = places_of(b, branch->function);
    if (branch->block >= f->source_blocks) return false;
    uint32_t last = p->first[branch->block + 1] - 1;
    for (uint32_t at = p->first[branch->block]; at <= last; at++)
        for (uint32_t i = 0; i < p->segments[at].choices.len; i++) {
            Choice choice = p->segments[at].choices.data[i];
            if (choice.branch != number && choice.branch + 1 != number) continue;
            *location = at;
            *condition = choice.branch == number ? choice.condition : expr_not(b->vars.pool, choice.condition);
            return true;
        }
    const Segment *s = &p->segments[last];
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

static BackwardAnswer prove_once(Backward *b, uint32_t number)
{
    uint32_t location, function = b->program->branches[number].function;
    Expr condition = 0;
    b->failure = NULL;
    b->failed_state = 0;
    b->target_first = b->states.len;
    if (!first_condition(b, number, &location, &condition) || !condition) return BACKWARD_OPEN;
    const Segment *s = &places_of(b, function)->segments[location];
    Candidate c = {function, location, 0, 0, {0}, s, 0};
    bool possible = add_conjuncts(b->vars.pool, condition, (Exprs *)&c.conditions);
    for (uint32_t i = 0; possible && i < s->assumed.len; i++)
        possible = add_conjuncts(b->vars.pool, s->assumed.data[i], (Exprs *)&c.conditions);
    if (possible) add_state(b, &c);
    else vec_release(&c.conditions);
    return finish(b);
}

/* What undefined behaviour excludes is kept in the R-states only if the branch is not proved without: it makes them larger, and the proof relies on more. */
BackwardAnswer backward_prove(Backward *b, uint32_t number, uint64_t work)
{
    BackwardAnswer answers[2];
    for (int with = 0; with < 2; with++) {
        b->work_end = backward_work(b) + work / 2;
        b->keeps_demands = with;
        answers[with] = prove_once(b, number);
        if (answers[with] == BACKWARD_PROVED) return BACKWARD_PROVED;
    }
    return answers[1] == BACKWARD_OPEN ? BACKWARD_OPEN : BACKWARD_UNFINISHED; /* without them, no less is reached */
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
    if (b->facts) facts_free(b->facts);
    if (b->solver) solver_free(b->solver);
    vars_release(&b->vars);
    objects_release(&b->memory, b->program);
    vec_release(&b->stacks);
    map_release(&b->stack_numbers);
    vec_release(&b->states);
    vec_release(&b->conditions);
    map_release(&b->at);
    vec_release(&b->reachable);
    vec_release(&b->reachable_conditions);
    map_release(&b->reachable_at);
    map_release(&b->relied);
    free(b);
}

/* ---- the certificate ---- */

static void write_stack(Backward *b, uint32_t stack, StrBuf *out)
{
    strbuf_add(out, "[");
    for (bool first = true; stack; stack = vec_at(&b->stacks, stack).below, first = false) {
        CallPlace site = vec_at(&b->stacks, stack).site;
        const Function *f = &b->program->functions[site.function];
        if (!first) strbuf_add(out, ",");
        analysis_write_place(out, f, f->code[site.call].origin, 0);
    }
    strbuf_add(out, "]");
}

static void write_location(Backward *b, const RState *r, StrBuf *out)
{
    const Function *f = &b->program->functions[r->function];
    const Places *p = places_of(b, r->function);
    if (r->location == exit_of(b, r->function)) {
        strbuf_add(out, "[");
        analysis_write_text(out, f->name);
        strbuf_add(out, ",\"exit\"]");
        return;
    }
    uint32_t block = p->segments[r->location].block;
    if (r->location > p->first[block]) {
        analysis_write_place(out, f, f->code[p->segments[r->location - 1].end].origin, 1);
        return;
    }
    strbuf_add(out, "[");
    analysis_write_text(out, f->name);
    strbuf_addf(out, ",%u,0]", block);
}

static void write_nodes(Backward *b, StrBuf *out)
{
    bool first = true;
    strbuf_add(out, ",\n\"nodes\":[");
    if (b->uses_facts) analysis_nodes(b->options.analysis, out, &first);
    for (uint32_t i = 0; i < b->states.len; i++) {
        const RState *r = &b->states.data[i];
        if (r->included) continue;
        strbuf_add(out, first ? "\n {\"at\":" : ",\n {\"at\":");
        first = false;
        write_location(b, r, out);
        strbuf_add(out, ",\"calls\":");
        write_stack(b, r->stack, out);
        strbuf_add(out, ",\"states\":");
        if (r->count == 0) strbuf_add(out, "true");
        if (r->count > 1) strbuf_add(out, "[\"and\",");
        for (uint32_t k = 0; k < r->count; k++) {
            if (k) strbuf_add(out, ",");
            write_condition(&b->vars, b->conditions.data[r->first + k], out);
        }
        strbuf_add(out, r->count > 1 ? "]}" : "}");
    }
    strbuf_add(out, "\n]");
}

/* Writes that may leave their object, accesses through pointers that are not followed, and what R-states have relied on. */
static bool is_relied_on(Backward *b, uint32_t function, const Instr *instr)
{
    if (!instr->origin) return false;
    if (instr->op == OP_STORE || instr->op == OP_MEMCPY || instr->op == OP_MEMMOVE || instr->op == OP_MEMSET) {
        Address address = objects_address(&b->memory, b->program, function, instr->a);
        return !address.object || address.variable || instr->op != OP_STORE;
    }
    bool divides = instr->op >= OP_UDIV && instr->op <= OP_SREM;
    if (b->uses_facts && divides && !operand_is_const(instr->b)) return true;
    return map_find(&b->relied, (uint64_t)function << 32 | instr->origin) != NULL;
}

static void write_relies(Backward *b, StrBuf *out)
{
    bool first = true;
    strbuf_add(out, ",\n\"relies\":[");
    for (uint32_t g = 0; g < b->program->function_count; g++) {
        const Function *f = &b->program->functions[g];
        uint32_t last = 0;
        for (uint32_t i = 0; i < f->code_count; i++) {
            if (!is_relied_on(b, g, &f->code[i]) || f->code[i].origin == last) continue;
            last = f->code[i].origin;
            if (!first) strbuf_add(out, ",");
            first = false;
            analysis_write_place(out, f, last, 0);
        }
    }
    strbuf_add(out, "]");
}

void backward_certificate(Backward *b, const uint32_t *branches, const uint32_t *ids, uint32_t count, uint64_t bitcode_hash, StrBuf *out)
{
    strbuf_addf(
        out, "{\"version\":2,\n\"program\":{\"file\":\"program.bc\",\"fnv1a\":\"%016llx\"},\n\"entry\":", (unsigned long long)bitcode_hash);
    if (b->options.whole) analysis_write_text(out, b->program->functions[b->options.entries[0]].name);
    else strbuf_add(out, "null");
    strbuf_add(out, ",\n\"units\":[");
    for (uint32_t i = 0; !b->options.whole && i < b->options.entry_count; i++) {
        if (i) strbuf_add(out, ",");
        analysis_write_text(out, b->program->functions[b->options.entries[i]].name);
    }
    strbuf_add(out, "]");
    write_relies(b, out);
    write_nodes(b, out);
    strbuf_add(out, ",\n\"branches\":[");
    for (uint32_t i = 0; i < count; i++) {
        const Branch *branch = &b->program->branches[branches[i]];
        strbuf_addf(out, "%s\n {\"id\":%u,\"at\":", i ? "," : "", ids[i]);
        analysis_write_place(out, &b->program->functions[branch->function], branch->origin, 0);
        strbuf_addf(out, ",\"outcome\":%u}", branch->which);
    }
    strbuf_add(out, "\n]\n}\n");
}
