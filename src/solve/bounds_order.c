/* Chains of comparisons: x < y, y <= z, z < x has no solution, whatever the bounds of x, y and z.
 *
 * Every comparison that is decided, every bound, and some operations (a remainder is never larger than its dividend, a sum that does not
 * wrap lies above its terms) are edges `value(to) <= value(from) + weight` between terms read as numbers: unsigned, signed, or as
 * floats, of which only the order counts.  Terms that differ by a constant or by an extension are one vertex.  A cycle of negative
 * weight is a contradiction (Bellman and Ford); so is a disequality of two terms that cycles of weight zero tie together. */
#include "solve/bounds_int.h"

enum { UNSIGNED, SIGNED, FLOAT };
enum { VERTICES = 64, EDGES = 512, ZERO = 0 };

typedef struct Term {
    uint32_t vertex;
    I128 offset;
    U128 reasons;
} Term;

static uint32_t vertex(Bounds *bounds, uint32_t at, uint8_t reading)
{
    for (uint32_t i = 1; i < bounds->vertices.len; i++)
        if (bounds->vertices.data[i].at == at && bounds->vertices.data[i].reading == reading) return i;
    if (bounds->vertices.len == VERTICES) return UINT32_MAX;
    vec_push(&bounds->vertices, ((Vertex){at, reading, 0}));
    return bounds->vertices.len - 1;
}

static void edge(Bounds *bounds, Term from, Term to, I128 weight, U128 reasons)
{
    if (from.vertex == UINT32_MAX || to.vertex == UINT32_MAX || bounds->edges.len == EDGES) return;
    Edge new = {from.vertex, to.vertex, weight + from.offset - to.offset, reasons | from.reasons | to.reasons};
    vec_push(&bounds->edges, new);
}

/* The constant that a sum adds without wrapping in this reading, if it does. */
static bool adds(const Bounds *bounds, const DagNode *node, uint8_t reading, I128 *constant)
{
    const Domain *a = bounds_at(bounds, node->a), *b = bounds_at(bounds, node->b);
    unsigned width = node->width;
    if (node->kind != EXPR_ADD || !domain_single(b)) return false;
    if (reading == SIGNED) {
        I128 limit = (I128)half_of(width), c = arith_sext(b->low, width);
        *constant = c;
        return domain_signed_low(width, a) + c >= -limit && domain_signed_high(width, a) + c < limit;
    }
    U128 mask = arith_mask(width);
    *constant = (I128)b->low;
    if (a->high <= mask - b->low) return true;
    *constant -= (I128)mask + 1;
    return a->low > mask - b->low;
}

/* The vertex that stands for the node, through what changes its number by a constant at most. */
static Term term(Bounds *bounds, uint32_t at, uint8_t reading)
{
    Term term = {0};
    for (;;) {
        const DagNode *node = &bounds->dag.nodes[at];
        const Domain *d = bounds_at(bounds, at);
        I128 constant;
        if (domain_single(d)) {
            term.reasons |= bounds_reasons(bounds, at);
            term.offset += reading == SIGNED ? arith_sext(d->low, node->width) : (I128)d->low;
            return term;
        }
        if (reading == SIGNED && d->high < half_of(node->width)) {
            term.reasons |= bounds_reasons(bounds, at);
            reading = UNSIGNED;
        } else if (reading == UNSIGNED && d->low >= half_of(node->width)) {
            term.reasons |= bounds_reasons(bounds, at);
            term.offset += (I128)arith_mask(node->width) + 1;
            reading = SIGNED;
        }
        if (node->kind == EXPR_ZEXT) {
            at = node->a;
            reading = UNSIGNED;
        } else if (node->kind == EXPR_SEXT && reading == SIGNED) {
            at = node->a;
        } else if (adds(bounds, node, reading, &constant)) {
            term.offset += constant;
            term.reasons |= bounds_reasons(bounds, node->a) | bounds_reasons(bounds, node->b);
            at = node->a;
        } else {
            term.vertex = vertex(bounds, at, reading);
            return term;
        }
    }
}

static void add_comparison(Bounds *bounds, uint32_t at)
{
    const DagNode *node = &bounds->dag.nodes[at];
    U128 reasons = bounds_reasons(bounds, at);
    bool truth = bounds_truth(bounds, at);
    if (node->kind == EXPR_EQ) {
        if (!truth) return;
        for (unsigned reading = UNSIGNED; reading <= SIGNED; reading++) {
            Term a = term(bounds, node->a, (uint8_t)reading), b = term(bounds, node->b, (uint8_t)reading);
            edge(bounds, a, b, 0, reasons);
            edge(bounds, b, a, 0, reasons);
        }
        return;
    }
    uint8_t reading = node->kind == EXPR_SLT || node->kind == EXPR_SLE ? SIGNED : UNSIGNED;
    bool strict = (node->kind == EXPR_ULT || node->kind == EXPR_SLT) == truth;
    Term a = term(bounds, node->a, reading), b = term(bounds, node->b, reading);
    if (truth) edge(bounds, b, a, -(I128)strict, reasons);
    else edge(bounds, a, b, -(I128)strict, reasons);
}

static void add_float_comparison(Bounds *bounds, uint32_t at)
{
    const DagNode *node = &bounds->dag.nodes[at];
    if (node->source != 32 && node->source != 64) return;
    U128 reasons = bounds_reasons(bounds, at) | bounds_reasons(bounds, node->a) | bounds_reasons(bounds, node->b);
    bool truth = bounds_truth(bounds, at);
    if (!truth && (node->kind == EXPR_FEQ || bounds__numbers(bounds, node->a)->nan || bounds__numbers(bounds, node->b)->nan)) return;
    Term a = {.vertex = vertex(bounds, node->a, FLOAT)}, b = {.vertex = vertex(bounds, node->b, FLOAT)};
    bool strict = (node->kind == EXPR_FLT) == truth;
    if (node->kind == EXPR_FEQ) {
        edge(bounds, a, b, 0, reasons);
        edge(bounds, b, a, 0, reasons);
    } else if (truth) {
        edge(bounds, b, a, -(I128)strict, reasons);
    } else {
        edge(bounds, a, b, -(I128)strict, reasons);
    }
}

/* ---- edges that hold by themselves ---- */

static void add_bounds(Bounds *bounds, uint32_t i)
{
    Vertex v = bounds->vertices.data[i];
    if (v.reading == FLOAT) return;
    unsigned width = bounds_width(bounds, v.at);
    const Domain *d = bounds_at(bounds, v.at);
    I128 low = v.reading == SIGNED ? domain_signed_low(width, d) : (I128)d->low,
         high = v.reading == SIGNED ? domain_signed_high(width, d) : (I128)d->high;
    Term zero = {.vertex = ZERO}, self = {.vertex = i};
    edge(bounds, zero, self, high, bounds_reasons(bounds, v.at));
    edge(bounds, self, zero, -low, bounds_reasons(bounds, v.at));
}

enum { AT_LEAST = 1, AT_MOST = 2 };

/* result >= operand + least, result <= operand + most */
static void relate(Bounds *bounds, uint32_t result, uint32_t operand, unsigned sides, I128 least, I128 most, U128 reasons)
{
    Term self = {.vertex = result}, other = term(bounds, operand, UNSIGNED);
    if (sides & AT_MOST) edge(bounds, other, self, most, reasons);
    if (sides & AT_LEAST) edge(bounds, self, other, -least, reasons);
}

static void add_operation(Bounds *bounds, uint32_t i)
{
    Vertex v = bounds->vertices.data[i];
    if (v.reading != UNSIGNED) return;
    const DagNode *node = &bounds->dag.nodes[v.at];
    unsigned width = node->width;
    bool binary = node->kind == EXPR_ADD || node->kind == EXPR_UREM || node->kind == EXPR_UDIV || node->kind == EXPR_AND ||
                  node->kind == EXPR_OR || node->kind == EXPR_LSHR || node->kind == EXPR_SUB;
    if (!binary) return;
    const Domain *a = bounds_at(bounds, node->a), *b = bounds_at(bounds, node->b);
    U128 ra = bounds_reasons(bounds, node->a), rb = bounds_reasons(bounds, node->b);
    switch ((ExprKind)node->kind) {
    case EXPR_ADD:
        if (a->high > arith_mask(width) - b->high) return;
        relate(bounds, i, node->a, AT_LEAST | AT_MOST, (I128)b->low, (I128)b->high, ra | rb);
        relate(bounds, i, node->b, AT_LEAST | AT_MOST, (I128)a->low, (I128)a->high, ra | rb);
        return;
    case EXPR_SUB:
        if (a->low >= b->high) relate(bounds, i, node->a, AT_LEAST | AT_MOST, -(I128)b->high, -(I128)b->low, ra | rb);
        return;
    case EXPR_UDIV:
        if (b->low) relate(bounds, i, node->a, AT_MOST, 0, 0, rb);
        return;
    case EXPR_UREM:
    case EXPR_LSHR: relate(bounds, i, node->a, AT_MOST, 0, 0, 0); return;
    case EXPR_AND:
        relate(bounds, i, node->a, AT_MOST, 0, 0, 0);
        relate(bounds, i, node->b, AT_MOST, 0, 0, 0);
        return;
    default:
        relate(bounds, i, node->a, AT_LEAST, 0, 0, 0);
        relate(bounds, i, node->b, AT_LEAST, 0, 0, 0);
        return;
    }
}

static bool collect(Bounds *bounds)
{
    const Dag *dag = &bounds->dag;
    vec_clear(&bounds->vertices);
    vec_clear(&bounds->edges);
    vec_push(&bounds->vertices, ((Vertex){UINT32_MAX, UNSIGNED, 0}));
    for (uint32_t at = 0; at < dag->count; at++) {
        const DagNode *node = &dag->nodes[at];
        bool integers = node->kind >= EXPR_EQ && node->kind <= EXPR_SLE && node->source > 1 && node->source <= 64;
        bool floats = node->kind == EXPR_FEQ || node->kind == EXPR_FLT || node->kind == EXPR_FLE;
        if ((!integers && !floats) || bounds_truth(bounds, at) < 0) continue;
        if (integers && (domain_single(bounds_at(bounds, node->a)) || domain_single(bounds_at(bounds, node->b)))) continue;
        if (integers) add_comparison(bounds, at);
        else add_float_comparison(bounds, at);
    }
    if (!bounds->edges.len) return false;
    for (uint32_t i = 1; i < bounds->vertices.len; i++) {
        add_bounds(bounds, i);
        add_operation(bounds, i);
    }
    return true;
}

/* ---- cycles ---- */

/* Relaxes all edges until nothing changes; UINT32_MAX, or a vertex from which predecessors lead into a negative cycle. */
static uint32_t relax(Bounds *bounds, uint32_t *through)
{
    uint32_t changed = UINT32_MAX;
    for (uint32_t round = 0; round <= bounds->vertices.len; round++) {
        changed = UINT32_MAX;
        for (uint32_t i = 0; i < bounds->edges.len; i++) {
            const Edge *e = &bounds->edges.data[i];
            I128 value = bounds->vertices.data[e->from].potential + e->weight;
            if (value >= bounds->vertices.data[e->to].potential) continue;
            bounds->vertices.data[e->to].potential = value;
            through[e->to] = i;
            changed = e->to;
        }
        bounds->work += bounds->edges.len / 8 + 1;
        if (changed == UINT32_MAX) break;
    }
    return changed;
}

static void refute_cycle(Bounds *bounds, uint32_t v, const uint32_t *through)
{
    for (uint32_t i = 0; i < bounds->vertices.len; i++) v = bounds->edges.data[through[v]].from;
    U128 reasons = 0;
    uint32_t u = v;
    do {
        const Edge *e = &bounds->edges.data[through[u]];
        reasons |= e->reasons;
        u = e->from;
    } while (u != v);
    bounds__conflict(bounds, reasons);
}

/* Is there a path of edges without slack?  Adds its reasons. */
static bool tied(Bounds *bounds, uint32_t from, uint32_t to, U128 *reasons)
{
    uint32_t came[VERTICES];
    memset(came, 0xff, sizeof came);
    vec_clear(&bounds->stack);
    vec_push(&bounds->stack, from);
    while (bounds->stack.len && (came[to] == UINT32_MAX || from == to)) {
        uint32_t v = vec_pop(&bounds->stack);
        if (v == to) break;
        for (uint32_t i = 0; i < bounds->edges.len; i++) {
            const Edge *e = &bounds->edges.data[i];
            bool slack = bounds->vertices.data[v].potential + e->weight != bounds->vertices.data[e->to].potential;
            if (e->from != v || slack || e->to == from || came[e->to] != UINT32_MAX) continue;
            came[e->to] = i;
            vec_push(&bounds->stack, e->to);
        }
    }
    if (from != to && came[to] == UINT32_MAX) return false;
    for (uint32_t v = to; v != from; v = bounds->edges.data[came[v]].from) *reasons |= bounds->edges.data[came[v]].reasons;
    return true;
}

/* a != b for terms that are tied to be equal. */
static void refute_disequality(Bounds *bounds, uint32_t at)
{
    const DagNode *node = &bounds->dag.nodes[at];
    uint32_t count = bounds->vertices.len;
    for (uint8_t reading = UNSIGNED; reading <= SIGNED && !bounds->empty; reading++) {
        Term a = term(bounds, node->a, reading), b = term(bounds, node->b, reading);
        if (a.vertex >= count || b.vertex >= count) continue; /* no edge leads there */
        I128 apart = bounds->vertices.data[a.vertex].potential + a.offset - bounds->vertices.data[b.vertex].potential - b.offset;
        U128 reasons = bounds_reasons(bounds, at) | a.reasons | b.reasons;
        if (apart == 0 && tied(bounds, a.vertex, b.vertex, &reasons) && tied(bounds, b.vertex, a.vertex, &reasons))
            bounds__conflict(bounds, reasons);
    }
    bounds->vertices.len = count;
}

void bounds__order(Bounds *bounds)
{
    uint32_t through[VERTICES];
    if (!collect(bounds)) return;
    uint32_t v = relax(bounds, through);
    if (v != UINT32_MAX) {
        refute_cycle(bounds, v, through);
        return;
    }
    const Dag *dag = &bounds->dag;
    for (uint32_t at = 0, tries = 0; at < dag->count && tries < 16 && !bounds->empty; at++) {
        const DagNode *node = &dag->nodes[at];
        if (node->kind != EXPR_EQ || node->source > 64 || node->source == 1 || bounds_truth(bounds, at) != 0) continue;
        if (domain_single(bounds_at(bounds, node->a)) || domain_single(bounds_at(bounds, node->b))) continue;
        refute_disequality(bounds, at);
        tries++;
    }
}
