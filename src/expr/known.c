/* Known bits and unsigned intervals of nodes.
 *
 * Every node gets them when it is made, from those of its operands, in constant time (an ARRAY: in its length); there is no recursion.
 * Both views sharpen each other in `settle`.  They hold for every model, including what evaluation gives to UNDEF.  An ARRAY's are those
 * of any of its elements, a STORE's those of anything in it. */
#include "expr/expr_int.h"

ExprKnown known_nothing(unsigned width)
{
    return (ExprKnown){.high = arith_mask(width)};
}

ExprKnown known_value(unsigned width, U128 value)
{
    assert(!(value & ~arith_mask(width)));
    return (ExprKnown){~value & arith_mask(width), value, value, value};
}

/* Bits bound the interval; the common upper bits of the interval's ends are known. */
static void settle(unsigned width, ExprKnown *known)
{
    U128 mask = arith_mask(width);
    assert(!(known->zeros & known->ones) && !((known->zeros | known->ones) & ~mask));
    U128 low = known->ones, high = mask & ~known->zeros;
    if (low > known->low) known->low = low;
    if (high < known->high) known->high = high;
    assert(known->low <= known->high);
    U128 differing = known->low ^ known->high;
    U128 prefix = differing ? mask & ~arith_mask(width - leading_zeros(differing, width)) : mask;
    known->ones |= known->low & prefix;
    known->zeros |= ~known->low & prefix;
    assert(!(known->zeros & known->ones));
}

/* ---- storage ---- */

ExprKnown expr__known(const ExprPool *pool, Expr e)
{
    const Node *node = expr__node(pool, e);
    if (node->kind == EXPR_CONST) return known_value(node->width, node_value(node));
    uint32_t at = pool->known_at[e];
    if (!at) return known_nothing(node->width);
    if (node->width > 64) return vec_at(&pool->wide, at - 1);
    KnownNarrow known = vec_at(&pool->narrow, at - 1);
    return (ExprKnown){known.zeros, known.ones, known.low, known.high};
}

ExprKnown expr_known(ExprPool *pool, Expr e)
{
    return expr__known(pool, e);
}

void expr__known_add(ExprPool *pool, Expr e, const ExprKnown *known)
{
    unsigned width = width_of(pool, e);
    assert(e == pool->count - 1 && !pool->known_at[e]);
    if (!(known->zeros | known->ones | known->low) && known->high == arith_mask(width)) return;
    if (width > 64) {
        vec_push(&pool->wide, *known);
        pool->known_at[e] = pool->wide.len;
        return;
    }
    KnownNarrow narrow = {(uint64_t)known->zeros, (uint64_t)known->ones, (uint64_t)known->low, (uint64_t)known->high};
    vec_push(&pool->narrow, narrow);
    pool->known_at[e] = pool->narrow.len;
}

void expr__known_drop(ExprPool *pool, Expr e)
{
    if (!pool->known_at[e]) return;
    if (width_of(pool, e) > 64) (void)vec_pop(&pool->wide);
    else (void)vec_pop(&pool->narrow);
    assert(pool->known_at[e] == 1 + (width_of(pool, e) > 64 ? pool->wide.len : pool->narrow.len));
    pool->known_at[e] = 0;
}

bool expr__nonnegative(const ExprPool *pool, Expr e)
{
    return expr__known(pool, e).zeros >> (width_of(pool, e) - 1) & 1;
}

/* ---- transfer ---- */

static ExprKnown known_bitwise(ExprKind kind, unsigned width, const ExprKnown *a, const ExprKnown *b)
{
    ExprKnown known = known_nothing(width);
    if (kind == EXPR_AND) {
        known.zeros = a->zeros | b->zeros;
        known.ones = a->ones & b->ones;
        known.high = a->high < b->high ? a->high : b->high;
    } else if (kind == EXPR_OR) {
        known.zeros = a->zeros & b->zeros;
        known.ones = a->ones | b->ones;
        known.low = a->low > b->low ? a->low : b->low;
    } else {
        known.zeros = (a->zeros & b->zeros) | (a->ones & b->ones);
        known.ones = (a->zeros & b->ones) | (a->ones & b->zeros);
    }
    return known;
}

static ExprKnown known_not(unsigned width, const ExprKnown *a)
{
    U128 mask = arith_mask(width);
    return (ExprKnown){a->ones, a->zeros, mask - a->high, mask - a->low};
}

/* What holds of both. */
static ExprKnown known_union(const ExprKnown *a, const ExprKnown *b)
{
    return (ExprKnown){a->zeros & b->zeros, a->ones & b->ones, a->low < b->low ? a->low : b->low, a->high > b->high ? a->high : b->high};
}

/* Adding 2^(width-1) maps the signed order to the unsigned one: bounds of the value so mapped. */
static void signed_bounds(unsigned width, const ExprKnown *known, U128 *low, U128 *high)
{
    U128 sign = sign_bit(width);
    if ((known->zeros | known->ones) & sign) {
        *low = known->low ^ sign;
        *high = known->high ^ sign;
        return;
    }
    *low = known->ones;
    *high = arith_mask(width) & ~known->zeros;
}

static ExprKnown known_compare(ExprKind kind, unsigned source, const ExprKnown *a, const ExprKnown *b)
{
    if (kind == EXPR_EQ) {
        bool differ = (a->zeros & b->ones) || (a->ones & b->zeros) || a->high < b->low || b->high < a->low;
        return differ ? known_value(1, 0) : known_nothing(1);
    }
    U128 a_low = a->low, a_high = a->high, b_low = b->low, b_high = b->high;
    if (kind == EXPR_SLT || kind == EXPR_SLE) {
        signed_bounds(source, a, &a_low, &a_high);
        signed_bounds(source, b, &b_low, &b_high);
    }
    bool strict = kind == EXPR_ULT || kind == EXPR_SLT;
    if (a_high < b_low || (!strict && a_high == b_low)) return known_value(1, 1);
    if (b_high < a_low || (strict && b_high == a_low)) return known_value(1, 0);
    return known_nothing(1);
}

static ExprKnown known_extract(const Node *node, unsigned source, const ExprKnown *a)
{
    U128 mask = arith_mask(node->width);
    ExprKnown known = {a->zeros >> node->b & mask, a->ones >> node->b & mask, 0, mask};
    bool keeps_top = (a->high >> node->b) <= mask || node->b + node->width == source;
    if (keeps_top) {
        known.low = a->low >> node->b;
        known.high = a->high >> node->b;
    }
    return known;
}

static ExprKnown known_extend(const Node *node, unsigned source, const ExprKnown *a)
{
    U128 added = arith_mask(node->width) & ~arith_mask(source), sign = sign_bit(source);
    ExprKnown known = *a;
    if (node->kind == EXPR_ZEXT || (a->zeros & sign)) {
        known.zeros |= added;
    } else if (a->ones & sign) {
        known.ones |= added;
        known.low |= added;
        known.high |= added;
    } else {
        known.low = 0;
        known.high = arith_mask(node->width);
    }
    return known;
}

static ExprKnown known_concat(const ExprPool *pool, const Node *node)
{
    unsigned shift = width_of(pool, node->b);
    ExprKnown a = expr__known(pool, node->a), b = expr__known(pool, node->b);
    return (ExprKnown){a.zeros << shift | b.zeros, a.ones << shift | b.ones, a.low << shift | b.low, a.high << shift | b.high};
}

static ExprKnown known_count(ExprKind kind, unsigned width, const ExprKnown *a)
{
    ExprKnown known = known_nothing(width);
    if (kind == EXPR_CTPOP) {
        known.low = count_ones(a->ones);
        known.high = width - count_ones(a->zeros);
    } else if (kind == EXPR_CTLZ) {
        known.low = leading_zeros(a->high, width);
        known.high = leading_zeros(a->low, width);
    } else {
        known.low = trailing_zeros(arith_mask(width) & ~a->zeros, width);
        known.high = trailing_zeros(a->ones, width);
    }
    return known;
}

static ExprKnown known_array(const ExprPool *pool, const Node *node)
{
    if (!node->b) return known_value(node->width, 0);
    ExprKnown known = expr__known(pool, pool->elements[node->a]);
    if (node->flags & FLAG_UNIFORM) return known;
    for (uint32_t i = 1; i < node->b; i++) {
        ExprKnown element = expr__known(pool, pool->elements[node->a + i]);
        known = known_union(&known, &element);
        if (!known.low && known.high == arith_mask(node->width) && !(known.zeros | known.ones)) break;
    }
    return known;
}

static ExprKnown known_select(const ExprPool *pool, const Node *node)
{
    ExprKnown known = expr__known(pool, node->a), zero = known_value(node->width, 0);
    bool inside = expr__known(pool, node->b).high < expr_array_length(pool, node->a);
    return inside ? known : known_union(&known, &zero);
}

/* Kinds of which nothing is known where nothing is known of the operands. */
static bool learns_nothing(const ExprPool *pool, const Node *node)
{
    switch (node->kind) {
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_UDIV:
    case EXPR_SDIV:
    case EXPR_UREM:
    case EXPR_SREM:
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR:
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_XOR:
    case EXPR_EQ:
    case EXPR_ULT:
    case EXPR_ULE:
    case EXPR_SLT:
    case EXPR_SLE:
    case EXPR_CONCAT: return expr__unknown(pool, node->a) && expr__unknown(pool, node->b);
    case EXPR_NOT:
    case EXPR_EXTRACT:
    case EXPR_SEXT: return expr__unknown(pool, node->a);
    case EXPR_ITE: return expr__unknown(pool, node->b) && expr__unknown(pool, node->c);
    case EXPR_ZEXT:
    case EXPR_CTPOP:
    case EXPR_CTLZ:
    case EXPR_CTTZ:
    case EXPR_ARRAY:
    case EXPR_STORE:
    case EXPR_SELECT: return false;
    default: return true; /* inputs, floats, applications */
    }
}

static ExprKnown transfer(const ExprPool *pool, const Node *node)
{
    ExprKnown a, b;
    switch (node->kind) {
    case EXPR_ARRAY: return known_array(pool, node);
    case EXPR_SELECT: return known_select(pool, node);
    case EXPR_CONCAT: return known_concat(pool, node);
    case EXPR_ITE:
        a = expr__known(pool, node->b);
        b = expr__known(pool, node->c);
        return known_union(&a, &b);
    case EXPR_STORE:
        a = expr__known(pool, node->a);
        b = expr__known(pool, node->c);
        return known_union(&a, &b);
    default: break;
    }
    unsigned width = node->width, source = width_of(pool, node->a);
    a = expr__known(pool, node->a);
    b = expr_operand_count(node->kind) > 1 ? expr__known(pool, node->b) : a;
    switch (node->kind) {
    case EXPR_NOT: return known_not(width, &a);
    case EXPR_EXTRACT: return known_extract(node, source, &a);
    case EXPR_ZEXT:
    case EXPR_SEXT: return known_extend(node, source, &a);
    case EXPR_CTPOP:
    case EXPR_CTLZ:
    case EXPR_CTTZ: return known_count(node->kind, width, &a);
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_XOR: return known_bitwise(node->kind, width, &a, &b);
    case EXPR_EQ:
    case EXPR_ULT:
    case EXPR_ULE:
    case EXPR_SLT:
    case EXPR_SLE: return known_compare(node->kind, source, &a, &b);
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR: return known_shift(node->kind, width, &a, &b);
    default: return known_arith(node->kind, width, &a, &b);
    }
}

ExprKnown expr__known_of_node(const ExprPool *pool, const Node *node)
{
    if (node->kind == EXPR_CONST) return known_value(node->width, node_value(node));
    if (learns_nothing(pool, node)) return known_nothing(node->width);
    ExprKnown known = transfer(pool, node);
    settle(node->width, &known);
    return known;
}
