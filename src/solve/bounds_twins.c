/* Twins: an operation, and the same one on the same operands in a wider type that holds its result exactly.
 *
 * Checks for overflow compare the exact result with the limits of the narrow type; the program goes on with the narrow one.  Where the exact
 * result lies within the limits both are the same number, so what is known of one holds for the other: without this link a product that cannot
 * overflow tells nothing of its sign.  Twins are looked for once per dag: sums and differences have one more bit, products twice as many. */
#include "solve/bounds_int.h"

static unsigned narrow_width(const DagNode *node)
{
    switch ((ExprKind)node->kind) {
    case EXPR_ADD:
    case EXPR_SUB: return node->width - 1u;
    case EXPR_MUL: return node->width % 2 ? 0 : node->width / 2u;
    default: return 0;
    }
}

/* The operand as the narrow operation has it; 0 if it is not the extension of a signed number of that width. */
static Expr narrow_operand(Bounds *bounds, uint32_t at, unsigned width)
{
    const DagNode *node = &bounds->dag.nodes[at];
    ExprPool *pool = bounds->pool;
    if (node->kind == EXPR_CONST) {
        U128 value = expr_value(pool, node->e), cut = value & arith_mask(width);
        return ((U128)arith_sext(cut, width) & arith_mask(node->width)) == value ? expr_const(pool, width, cut) : 0;
    }
    if (node->kind == EXPR_SEXT && node->source <= width) return expr_sext(pool, bounds->dag.nodes[node->a].e, width);
    if (node->kind == EXPR_ZEXT && node->source < width) return expr_zext(pool, bounds->dag.nodes[node->a].e, width);
    return 0;
}

static void look_for_twin(Bounds *bounds, uint32_t wide)
{
    const DagNode *node = &bounds->dag.nodes[wide];
    unsigned width = narrow_width(node);
    if (width < 2) return;
    Expr a = narrow_operand(bounds, node->a, width), b = a ? narrow_operand(bounds, node->b, width) : 0;
    if (!b) return;
    Expr narrow = expr_binary(bounds->pool, (ExprKind)node->kind, a, b);
    if (narrow >= bounds->dag.reserved || bounds->dag.stamps[narrow] != bounds->dag.stamp) return;
    vec_push(&bounds->twins, ((Twins){bounds->dag.position[narrow], wide}));
}

void bounds__find_twins(Bounds *bounds)
{
    vec_clear(&bounds->twins);
    for (uint32_t i = 0; i < bounds->dag.count; i++) look_for_twin(bounds, i);
}

/* Tells each what is known of the other; true if that was news. */
bool bounds__join_twins(Bounds *bounds)
{
    uint32_t clock = bounds->clock;
    for (uint32_t i = 0; i < bounds->twins.len && !bounds->empty; i++) {
        Twins t = bounds->twins.data[i];
        unsigned width = bounds_width(bounds, t.narrow), wider = bounds_width(bounds, t.wide);
        I128 low = domain_signed_low(wider, bounds_at(bounds, t.wide)), high = domain_signed_high(wider, bounds_at(bounds, t.wide));
        I128 limit = (I128)1 << (width - 1);
        if (low < -limit || high >= limit) continue;
        U128 reasons = bounds_reasons(bounds, t.wide);
        Domain d = domain_of_signed(width, low, high);
        bounds__sharpen(bounds, t.narrow, &d, reasons);
        if (bounds->empty) break;
        low = domain_signed_low(width, bounds_at(bounds, t.narrow));
        high = domain_signed_high(width, bounds_at(bounds, t.narrow));
        d = domain_of_signed(wider, low, high);
        bounds__sharpen(bounds, t.wide, &d, reasons | bounds_reasons(bounds, t.narrow));
    }
    return bounds->clock != clock;
}
