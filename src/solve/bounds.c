/* The bounds tier: contradictions that known bits, intervals, small sets and chains of comparisons show.
 *
 * Conditions on one byte are sets (bounds_facts.c); where those of one byte have nothing in common, the query is answered without
 * looking at anything else.  The other conditions are laid out as a Dag.  Every node has a domain; the conditions' is {1}, a byte's
 * comes from its set. Sweeps over the nodes, up and down in turn, contract the domains along the operations in both directions until
 * nothing changes or the effort is spent; then the comparisons are looked at as a graph (bounds_order.c).  Everything is an
 * over-approximation of the solutions, so an empty domain proves UNSAT; the tier never says SAT.
 *
 * Each domain carries the set of conditions it rests on, which gives a first core; that is then tried with one condition less at a time,
 * as long as it is small.  A sweep visits a node if it or an operand has changed since its last visit: no queue, no lists of users, and
 * the order of the array is the order of the propagation. */
#include "solve/bounds_int.h"

#include <stdlib.h>

enum {
    FIRST_SWEEPS = 4, /* up and down together, before the order is looked at: x < y < x would go on for long */
    SWEEPS = 16,
    CONTRACTION = 150, /* effort of one */
    NODE_SETUP = 300,  /* effort of having a node in the query at all */
    MOST_NODES = 1 << 16,
    SMALL_NODES = 512, /* up to this size cores are made smaller */
    SMALL_CORE = 24
};

Bounds *bounds_new(ExprPool *pool)
{
    Bounds *bounds = mem_alloc(sizeof *bounds);
    bounds->pool = pool;
    dag_init(&bounds->dag, pool);
    return bounds;
}

void bounds_free(Bounds *bounds)
{
    if (!bounds) return;
    dag_release(&bounds->dag);
    free(bounds->at);
    free(bounds->fact_at);
    free(bounds->columns);
    free(bounds->leaf_slot);
    free(bounds->leaf_stamp);
    vec_release(&bounds->windows);
    vec_release(&bounds->numbers);
    vec_release(&bounds->vertices);
    vec_release(&bounds->edges);
    vec_release(&bounds->stack);
    vec_release(&bounds->twins);
    vec_release(&bounds->facts);
    vec_release(&bounds->needed);
    vec_release(&bounds->leaves);
    vec_release(&bounds->next);
    vec_release(&bounds->fact_of);
    vec_release(&bounds->rest);
    vec_release(&bounds->rest_index);
    vec_release(&bounds->active);
    free(bounds);
}

void bounds_forget(Bounds *bounds, uint32_t count)
{
    bounds__facts_forget(bounds, count);
    dag_forget(&bounds->dag);
}

/* ---- one domain ---- */

void bounds__conflict(Bounds *bounds, U128 reasons)
{
    if (bounds->empty) return;
    bounds->empty = true;
    bounds->conflict = reasons;
}

/* Takes a domain that has become smaller for the node's; the node's own stays as it was if nothing is left. */
static void settle(Bounds *bounds, uint32_t at, Domain *d, U128 reasons)
{
    Place *place = &bounds->at[at];
    unsigned width = bounds_width(bounds, at);
    bool left = domain_settle(width, d);
    if (left && place->window) left = window_settle(&bounds->windows.data[place->window - 1], width, d);
    if (!left) {
        bounds__conflict(bounds, place->reasons | reasons);
        return;
    }
    place->d = *d;
    place->reasons |= reasons;
    place->changed = ++bounds->clock;
    if (place->numbers) bounds__numbers_follow(bounds, at);
}

void bounds__sharpen(Bounds *bounds, uint32_t at, const Domain *with, U128 reasons)
{
    const Domain *old = &bounds->at[at].d;
    bool bits = (with->zeros & ~old->zeros) | (with->ones & ~old->ones);
    if (!bits && with->low <= old->low && with->high >= old->high && with->least <= old->least && with->most >= old->most) return;
    Domain d = {.zeros = old->zeros | with->zeros,
                .ones = old->ones | with->ones,
                .low = with->low > old->low ? with->low : old->low,
                .high = with->high < old->high ? with->high : old->high,
                .least = with->least > old->least ? with->least : old->least,
                .most = with->most < old->most ? with->most : old->most};
    settle(bounds, at, &d, reasons);
}

void bounds__cut(Bounds *bounds, uint32_t at, Circle circle, U128 reasons)
{
    const Domain *old = &bounds->at[at].d;
    Domain d = *old;
    if (!domain_cut(bounds_width(bounds, at), &d, circle)) {
        bounds__conflict(bounds, reasons | bounds_reasons(bounds, at));
        return;
    }
    if (d.low > old->low || d.high < old->high || d.least > old->least || d.most < old->most) settle(bounds, at, &d, reasons);
}

void bounds__decide(Bounds *bounds, uint32_t at, bool value, U128 reasons)
{
    Domain d = domain_value(1, value);
    bounds__sharpen(bounds, at, &d, reasons);
}

/* A hole in the middle of few values needs a window. */
void bounds__exclude(Bounds *bounds, uint32_t at, U128 value, U128 reasons)
{
    unsigned width = bounds_width(bounds, at);
    U128 mask = arith_mask(width);
    bounds__cut(bounds, at, (Circle){(value + 1) & mask, mask - 1}, reasons);
    Place *place = &bounds->at[at];
    if (bounds->empty || !domain_has(width, &place->d, value)) return;
    if (!place->window) {
        Circle circle = domain_circle(width, &place->d);
        if (circle.size > 255) return;
        Window window = {.base = width <= 8 ? 0 : circle.first};
        if (width <= 8) circle = (Circle){0, mask};
        for (unsigned i = 0; i <= circle.size; i++) window.bits[i >> 6] |= (uint64_t)1 << (i & 63);
        vec_push(&bounds->windows, window);
        place->window = bounds->windows.len;
    }
    Window *window = &bounds->windows.data[place->window - 1];
    U128 i = (value - window->base) & mask;
    if (!window_has(window, width, value)) return;
    window->bits[i >> 6] &= ~((uint64_t)1 << (i & 63));
    Domain d = place->d;
    settle(bounds, at, &d, reasons);
}

/* ---- sweeps ---- */

static void contract(Bounds *bounds, uint32_t at)
{
    const DagNode *node = &bounds->dag.nodes[at];
    bounds->work++;
    if (node->kind == EXPR_SELECT) {
        bounds__contract_select(bounds, at);
    } else if (node->kind >= EXPR_FADD && node->kind <= EXPR_UITOF) {
        bounds__contract_float(bounds, at);
    } else {
        bounds__forward(bounds, at);
        if (!bounds->empty) bounds__backward(bounds, at);
        if (!bounds->empty && (node->kind == EXPR_XOR || node->kind == EXPR_ZEXT)) bounds__contract_sign(bounds, at);
    }
}

static bool has_contraction(const DagNode *node)
{
    switch ((ExprKind)node->kind) {
    case EXPR_CONST:
    case EXPR_VAR:
    case EXPR_UNDEF:
    case EXPR_APPLY:
    case EXPR_ARRAY:
    case EXPR_STORE: return false;
    default: return true;
    }
}

/* Of a SELECT: has the index of a store, or an element, changed? */
static bool contents_changed(const Bounds *bounds, const DagNode *array, uint32_t visited)
{
    for (; array->kind == EXPR_STORE; array = &bounds->dag.nodes[array->a])
        if (bounds->at[array->b].changed > visited || bounds->at[array->c].changed > visited) return true;
    if (array->a == UINT32_MAX) return false;
    for (uint32_t i = 0; i < array->b; i++)
        if (bounds->at[bounds->dag.list.data[array->a + i]].changed > visited) return true;
    return false;
}

static bool due(const Bounds *bounds, uint32_t at)
{
    const DagNode *node = &bounds->dag.nodes[at];
    uint32_t visited = bounds->at[at].visited;
    if (!visited || bounds->at[at].changed > visited || bounds->at[node->a].changed > visited) return true;
    if (expr_operand_count((ExprKind)node->kind) == 1) return false;
    switch ((ExprKind)node->kind) {
    case EXPR_SELECT: return bounds->at[node->b].changed > visited || contents_changed(bounds, &bounds->dag.nodes[node->a], visited);
    case EXPR_ITE: return bounds->at[node->b].changed > visited || bounds->at[node->c].changed > visited;
    default: return bounds->at[node->b].changed > visited;
    }
}

/* One pass over all nodes that are due; false: there were none, or there is a conflict, or the effort is spent. */
static bool sweep(Bounds *bounds, bool up, uint64_t limit)
{
    const Dag *dag = &bounds->dag;
    bool any = false;
    for (uint32_t k = 0; k < dag->count; k++) {
        uint32_t at = up ? k : dag->count - 1 - k;
        if (!has_contraction(&dag->nodes[at]) || !due(bounds, at)) continue;
        any = true;
        contract(bounds, at);
        if (bounds->empty || bounds->work > limit) return false;
        bounds->at[at].visited = ++bounds->clock;
    }
    if (bounds__join_twins(bounds)) any = true;
    return any && !bounds->empty;
}

/* ---- a run ---- */

static U128 reason_bit(uint32_t condition)
{
    return (U128)1 << (condition & 127);
}

static Domain first_domain(Bounds *bounds, const DagNode *node)
{
    if (node->kind == EXPR_UNDEF) return domain_value(node->width, 0);
    ExprKnown known = expr_known(bounds->pool, node->e);
    Domain d = {known.zeros, known.ones, known.low, known.high, 0, arith_mask(node->width)};
    if (!(known.zeros | known.ones | known.low) && known.high == d.most) return d;
    bool any = domain_settle(node->width, &d);
    assert(any);
    (void)any;
    return d;
}

static void reset(Bounds *bounds)
{
    const Dag *dag = &bounds->dag;
    if (dag->count > bounds->capacity) {
        bounds->capacity = dag->count * 2;
        free(bounds->at);
        bounds->at = mem_alloc(bounds->capacity * sizeof *bounds->at);
    }
    for (uint32_t i = 0; i < dag->count; i++) bounds->at[i] = (Place){.d = first_domain(bounds, &dag->nodes[i])};
    vec_clear(&bounds->windows);
    vec_clear(&bounds->numbers);
    bounds->clock = 0;
    bounds->empty = false;
    bounds->conflict = 0;
}

static void place_leaf(Bounds *bounds, const Leaf *leaf)
{
    if (leaf->e >= bounds->dag.reserved || bounds->dag.stamps[leaf->e] != bounds->dag.stamp) return;
    uint32_t at = bounds->dag.position[leaf->e];
    Window window = {.base = 0};
    U128 reasons = 0;
    memset(window.bits, 0xff, sizeof window.bits);
    unsigned width = bounds_width(bounds, at);
    if (width < 8) {
        memset(window.bits, 0, sizeof window.bits);
        for (unsigned i = 0; i < 1u << width; i++) window.bits[i >> 6] |= (uint64_t)1 << (i & 63);
    }
    for (uint32_t i = leaf->first; i != UINT32_MAX; i = bounds->next.data[i]) {
        if (!bounds->active.data[i]) continue;
        set_meet(window.bits, bounds->facts.data[bounds->fact_of.data[i]].allowed);
        reasons |= reason_bit(i);
    }
    if (!reasons) return;
    if (set_empty(window.bits)) {
        bounds__conflict(bounds, reasons);
        return;
    }
    vec_push(&bounds->windows, window);
    bounds->at[at].window = bounds->windows.len;
    Domain d = bounds->at[at].d;
    settle(bounds, at, &d, reasons);
}

/* Propagates the active conditions; true if they contradict each other. */
static bool run(Bounds *bounds, uint64_t limit)
{
    reset(bounds);
    for (uint32_t i = 0; i < bounds->leaves.len && !bounds->empty; i++) place_leaf(bounds, &bounds->leaves.data[i]);
    for (uint32_t k = 0; k < bounds->rest.len && !bounds->empty; k++) {
        uint32_t i = bounds->rest_index.data[k];
        if (bounds->active.data[i]) bounds__decide(bounds, bounds->dag.roots.data[k], true, reason_bit(i));
    }
    if (bounds->empty) return true;
    unsigned turn = 0;
    while (turn < FIRST_SWEEPS && sweep(bounds, turn % 2 == 0, limit)) turn++;
    if (!bounds->empty && bounds->work <= limit) bounds__order(bounds);
    if (turn < FIRST_SWEEPS) return bounds->empty;
    while (turn < SWEEPS && !bounds->empty && sweep(bounds, turn % 2 == 0, limit)) turn++;
    return bounds->empty;
}

/* ---- cores ---- */

static uint32_t keep_reasons(Bounds *bounds)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < bounds->query->count; i++) {
        if (!(bounds->conflict & reason_bit(i))) bounds->active.data[i] = 0;
        left += bounds->active.data[i];
    }
    return left;
}

/* The Dag of the conditions that are left. */
static void build_again(Bounds *bounds)
{
    uint32_t kept = 0;
    for (uint32_t k = 0; k < bounds->rest.len; k++) {
        if (!bounds->active.data[bounds->rest_index.data[k]]) continue;
        bounds->rest.data[kept] = bounds->rest.data[k];
        bounds->rest_index.data[kept++] = bounds->rest_index.data[k];
    }
    if (kept == bounds->rest.len) return;
    bounds->rest.len = bounds->rest_index.len = kept;
    bool built = dag_build(&bounds->dag, bounds->rest.data, kept, UINT32_MAX);
    assert(built);
    (void)built;
    bounds__find_twins(bounds);
}

/* Leaves out one condition after the other; what is contradictory without it goes on with the core found there. */
static void make_core(Bounds *bounds, Outcome *outcome, uint64_t limit)
{
    uint32_t count = bounds->query->count, left = keep_reasons(bounds);
    bool worth = left > 1 && left <= SMALL_CORE;
    if (worth) build_again(bounds);
    worth = worth && bounds->dag.count <= SMALL_NODES;
    for (uint32_t i = 0; worth && i < count && left > 1 && bounds->work < limit; i++) {
        if (!bounds->active.data[i]) continue;
        uint32_t where[SMALL_CORE], n = 0;
        for (uint32_t k = 0; k < count; k++)
            if (bounds->active.data[k]) where[n++] = k;
        assert(n == left);
        bounds->active.data[i] = 0;
        if (run(bounds, limit)) {
            left = keep_reasons(bounds);
            continue;
        }
        for (uint32_t k = 0; k < n; k++) bounds->active.data[where[k]] = 1;
    }
    for (uint32_t i = 0; i < count; i++)
        if (bounds->active.data[i]) vec_push(&outcome->core, bounds->query->conditions[i]);
}

/* Conditions of one leaf without a common value: greedily those that leave the fewest values, until none is left. */
static void leaf_core(Bounds *bounds, const Leaf *leaf, Outcome *outcome)
{
    uint64_t left[4];
    memset(left, 0xff, sizeof left);
    while (!set_empty(left)) {
        uint32_t best = UINT32_MAX;
        unsigned fewest = set_count(left);
        for (uint32_t i = leaf->first; i != UINT32_MAX; i = bounds->next.data[i]) {
            uint64_t set[4];
            memcpy(set, left, sizeof set);
            set_meet(set, bounds->facts.data[bounds->fact_of.data[i]].allowed);
            if (set_count(set) >= fewest) continue;
            fewest = set_count(set);
            best = i;
        }
        assert(best != UINT32_MAX);
        set_meet(left, bounds->facts.data[bounds->fact_of.data[best]].allowed);
        vec_push(&outcome->core, bounds->query->conditions[best]);
    }
    bounds->work += 4 * outcome->core.len;
}

/* ---- the query ---- */

static Leaf *leaf_of(Bounds *bounds, Expr e)
{
    if (e >= bounds->leaf_reserved) {
        uint32_t size = e + e / 2 + 64;
        bounds->leaf_slot = mem_resize(bounds->leaf_slot, size * sizeof *bounds->leaf_slot);
        bounds->leaf_stamp = mem_resize(bounds->leaf_stamp, size * sizeof *bounds->leaf_stamp);
        memset(bounds->leaf_stamp + bounds->leaf_reserved, 0, (size - bounds->leaf_reserved) * sizeof *bounds->leaf_stamp);
        bounds->leaf_reserved = size;
    }
    if (bounds->leaf_stamp[e] != bounds->stamp) {
        Leaf leaf = {.e = e, .first = UINT32_MAX};
        memset(leaf.allowed, 0xff, sizeof leaf.allowed);
        bounds->leaf_stamp[e] = bounds->stamp;
        bounds->leaf_slot[e] = bounds->leaves.len;
        vec_push(&bounds->leaves, leaf);
    }
    return &vec_at(&bounds->leaves, bounds->leaf_slot[e]);
}

static void take(Bounds *bounds, const Query *query)
{
    bounds->query = query;
    bounds__facts_limit(bounds);
    vec_clear(&bounds->leaves);
    vec_clear(&bounds->next);
    vec_clear(&bounds->fact_of);
    vec_clear(&bounds->rest);
    vec_clear(&bounds->rest_index);
    vec_clear(&bounds->active);
    bounds->work = 0;
    if (++bounds->stamp == 0) {
        memset(bounds->leaf_stamp, 0, bounds->leaf_reserved * sizeof *bounds->leaf_stamp);
        bounds->stamp = 1;
    }
}

/* Sorts the conditions into those of one leaf and the rest; gives the leaf that has no value left, if there is one. */
static const Leaf *sort_conditions(Bounds *bounds, const Query *query)
{
    for (uint32_t i = 0; i < query->count; i++) {
        const Fact *fact = bounds__fact(bounds, query->conditions[i]);
        vec_push(&bounds->next, UINT32_MAX);
        vec_push(&bounds->fact_of, (uint32_t)(fact - bounds->facts.data));
        vec_push(&bounds->active, 1);
        if (!fact->leaf) {
            vec_push(&bounds->rest, query->conditions[i]);
            vec_push(&bounds->rest_index, i);
            continue;
        }
        Leaf *leaf = leaf_of(bounds, fact->leaf);
        bounds->next.data[i] = leaf->first;
        leaf->first = i;
        set_meet(leaf->allowed, fact->allowed);
        if (set_empty(leaf->allowed)) return leaf;
    }
    return NULL;
}

void bounds_solve(Bounds *bounds, const Query *query, Outcome *outcome)
{
    outcome->answer = SOLVE_UNKNOWN;
    outcome->reason = NULL;
    vec_clear(&outcome->core);
    vec_clear(&outcome->values);
    take(bounds, query);
    uint64_t setup = 20 * (uint64_t)query->count;
    const Leaf *empty = sort_conditions(bounds, query);
    if (empty) {
        leaf_core(bounds, empty, outcome);
        outcome->answer = SOLVE_UNSAT;
    } else if (bounds->rest.len) {
        uint64_t nodes = query->effort / (4 * NODE_SETUP), limit = bounds->work + query->effort / CONTRACTION;
        bool built = dag_build(&bounds->dag, bounds->rest.data, bounds->rest.len, nodes < MOST_NODES ? (uint32_t)nodes : MOST_NODES);
        setup += built ? NODE_SETUP * (uint64_t)bounds->dag.count : NODE_SETUP * nodes;
        if (built) bounds__find_twins(bounds);
        if (built && run(bounds, limit)) {
            make_core(bounds, outcome, limit);
            outcome->answer = SOLVE_UNSAT;
        }
    }
    outcome->spent = setup + CONTRACTION * bounds->work;
}
