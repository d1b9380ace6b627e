/* The ways down a tree, one side after the other, and what is known on them: the bases, with their keys and with the bytes that accesses have found
 * to be there.  Keys are those that isolated calls give to places (isolate/inputs.c). */
#include "summary/save_int.h"

void route_release(Route *route)
{
    vec_release(&route->steps);
    vec_release(&route->bases);
    vec_release(&route->changes);
    vec_release(&route->bound);
    map_release(&route->is_bound);
}

static void step_to(Route *route, uint32_t node, uint32_t side)
{
    vec_push(&route->steps, ((Step){node, side, route->bases.len, route->changes.len, route->bound.len}));
}

static Step step_back(Route *route)
{
    Step step = vec_pop(&route->steps);
    while (route->changes.len > step.changes) {
        Change change = vec_pop(&route->changes);
        if (change.base < route->bases.len) route->bases.data[change.base] = change.old;
    }
    while (route->bound.len > step.bound) map_remove(&route->is_bound, vec_pop(&route->bound));
    route->bases.len = step.bases;
    return step;
}

bool route_next(Route *route)
{
    const Tree *tree = route->tree;
    uint32_t node = 1, next = 0;
    if (route->started) {
        const Step *top = &vec_top(&route->steps);
        node = tree->sides.data[top->side].child;
    }
    route->started = true;
    if (node && node < tree->nodes.len) next = tree->nodes.data[node].sides;
    while (!next && route->steps.len) {
        Step step = step_back(route);
        node = step.node;
        next = tree->sides.data[step.side].next;
    }
    if (next) step_to(route, node, next);
    return next;
}

uint64_t route_place_key(const Route *route, const Node *node)
{
    uint64_t base = node->base == ARGUMENT_BASE ? ARGUMENT_BASE : vec_at(&route->bases, node->base).key;
    return isolation_place_key(base, node->offset, node->bytes);
}

uint64_t route_object_key(uint64_t key)
{
    return hash_mix(key ^ 0xb5);
}

static void widen(Range *range, int64_t low, int64_t high)
{
    bool none = range->low == range->high;
    if (none || low < range->low) range->low = low;
    if (none || high > range->high) range->high = high;
}

static void widen_base(Route *route, const Node *node, const Side *side)
{
    RouteBase *base = &vec_at(&route->bases, node->base);
    bool size = node->kind == FACT_SIZE;
    int64_t low = size ? -side->offset : node->offset, high = size ? (int64_t)side->bytes : node->offset + (int64_t)node->bytes;
    vec_push(&route->changes, ((Change){node->base, *base}));
    widen(&base->read, low, high);
    if (size ? !side->write : node->write) widen(&base->write, low, high);
}

void route_enter(Route *route)
{
    const Step *top = &vec_top(&route->steps);
    const Node *node = &route->tree->nodes.data[top->node];
    const Side *side = &route->tree->sides.data[top->side];
    if (node->kind == FACT_PLACE) vec_push(&route->bases, ((RouteBase){.key = hash_mix((uint64_t)node->value)}));
    if (node->kind == FACT_SIZE || (node->kind == FACT_ACCESS && side->outcome < ACCESS_BUG)) widen_base(route, node, side);
    if (node->kind != FACT_READ) return;
    uint64_t key = route_place_key(route, node);
    if (side->form == FORM_POINTER) vec_push(&route->bases, ((RouteBase){.key = key}));
    if (side->form == FORM_CURSOR) vec_push(&route->bases, ((RouteBase){.key = route_object_key(key)}));
}

/* ---- expressions ---- */

void summary__push_operands(const ExprPool *pool, Expr e, Vec_exprs *work)
{
    const Expr *elements;
    ExprKind kind = expr_kind(pool, e);
    uint32_t count = kind == EXPR_ARRAY || kind == EXPR_APPLY ? expr_elements(pool, e, &elements) : 0;
    for (uint32_t i = 0; i < count; i++) vec_push(work, elements[i]);
    for (unsigned i = 0; i < expr_operand_count(kind); i++) vec_push(work, expr_operand(pool, e, i));
}
