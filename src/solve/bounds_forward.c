/* Contraction from operands to results.
 *
 * Sums and differences are taken on circles of values, so that wrapping costs nothing as long as the result does not cover
 * everything.  Products, quotients and shifts use whichever order (unsigned, signed) the values do not overflow in.  The kinds that only
 * move bits are exact on intervals of either order. */
#include "solve/bounds_int.h"

static unsigned count_ones(U128 x)
{
    return (unsigned)__builtin_popcountll((uint64_t)x) + (unsigned)__builtin_popcountll((uint64_t)(x >> 64));
}

/* ---- arithmetic ---- */

static Circle circle_sum(unsigned width, Circle a, Circle b)
{
    U128 mask = arith_mask(width);
    if (a.size > mask - b.size) return (Circle){0, mask};
    return (Circle){(a.first + b.first) & mask, a.size + b.size};
}

static Circle circle_negative(unsigned width, Circle a)
{
    return (Circle){-(a.first + a.size) & arith_mask(width), a.size};
}

/* Bits of a + b + carry, where the carries into them are known. */
static void sum_bits(unsigned width, U128 a_zeros, U128 a_ones, U128 b_zeros, U128 b_ones, unsigned carry, Domain *d)
{
    U128 mask = arith_mask(width);
    U128 most = (mask & ~a_zeros) + (mask & ~b_zeros) + carry, least = a_ones + b_ones + carry;
    U128 carry_clear = ~(most ^ a_zeros ^ b_zeros), carry_set = least ^ a_ones ^ b_ones;
    U128 known = (a_zeros | a_ones) & (b_zeros | b_ones) & (carry_clear | carry_set) & mask;
    d->zeros |= ~most & known;
    d->ones |= least & known;
}

void bounds__sum(Bounds *bounds, uint32_t into, uint32_t a, uint32_t b, bool subtract, U128 reasons)
{
    unsigned width = bounds_width(bounds, into);
    const Domain *x = bounds_at(bounds, a), *y = bounds_at(bounds, b);
    Circle second = domain_circle(width, y);
    if (subtract) second = circle_negative(width, second);
    Circle sum = circle_sum(width, domain_circle(width, x), second);
    Domain with = domain_all(width);
    if (subtract) sum_bits(width, x->zeros, x->ones, y->ones, y->zeros, 1, &with);
    else sum_bits(width, x->zeros, x->ones, y->zeros, y->ones, 0, &with);
    bounds__cut(bounds, into, sum, reasons);
    if ((with.zeros | with.ones) && !bounds->empty) bounds__sharpen(bounds, into, &with, reasons);
}

I128 domain_signed_low(unsigned width, const Domain *d)
{
    return arith_sext(d->least ^ half_of(width), width);
}

I128 domain_signed_high(unsigned width, const Domain *d)
{
    return arith_sext(d->most ^ half_of(width), width);
}

/* Ends within the width, as a domain. */
Domain domain_of_signed(unsigned width, I128 low, I128 high)
{
    U128 sign = half_of(width), mask = arith_mask(width);
    return domain_signed(width, ((U128)low & mask) ^ sign, ((U128)high & mask) ^ sign);
}

bool bounds__product_fits(unsigned width, U128 a, U128 b)
{
    U128 product;
    return !__builtin_mul_overflow(a, b, &product) && product <= arith_mask(width);
}

static void product_bits(unsigned width, const Domain *a, const Domain *b, Domain *d)
{
    unsigned a_known = low_zeros(~(a->zeros | a->ones)), b_known = low_zeros(~(b->zeros | b->ones));
    U128 agreed = arith_mask(a_known < b_known ? a_known : b_known), bits = a->ones * b->ones;
    unsigned zeros = low_zeros(~a->zeros) + low_zeros(~b->zeros);
    d->ones |= bits & agreed & arith_mask(width);
    d->zeros |= ((~bits & agreed) | arith_mask(zeros)) & arith_mask(width);
}

/* Up to 64 bits the exact products of signed ends are at hand, so the result may wrap as long as it does not go around. */
static Circle product_circle(unsigned width, const Domain *a, const Domain *b)
{
    U128 mask = arith_mask(width);
    Circle all = {0, mask};
    I128 x[2] = {domain_signed_low(width, a), domain_signed_high(width, a)},
         y[2] = {domain_signed_low(width, b), domain_signed_high(width, b)};
    I128 low = x[0] * y[0], high = low;
    for (int i = 1; i < 4; i++) {
        I128 product = x[i & 1] * y[i >> 1];
        if (product < low) low = product;
        if (product > high) high = product;
    }
    U128 size = (U128)high - (U128)low;
    return size < mask ? (Circle){(U128)low & mask, size} : all;
}

/* By the ends of the signed intervals, where no product of them overflows. */
static void wide_product(Bounds *bounds, uint32_t at, const DagNode *node, U128 reasons)
{
    unsigned width = node->width;
    const Domain *a = bounds_at(bounds, node->a), *b = bounds_at(bounds, node->b);
    I128 ends[2][2] = {{domain_signed_low(width, a), domain_signed_high(width, a)},
                       {domain_signed_low(width, b), domain_signed_high(width, b)}};
    I128 low = 0, high = 0, limit = width < 128 ? (I128)1 << (width - 1) : 0;
    for (unsigned i = 0; i < 4; i++) {
        I128 product;
        if (__builtin_mul_overflow(ends[0][i & 1], ends[1][i >> 1], &product)) return;
        if (limit && (product >= limit || product < -limit)) return;
        if (i == 0 || product < low) low = product;
        if (i == 0 || product > high) high = product;
    }
    Domain d = domain_of_signed(width, low, high);
    bounds__sharpen(bounds, at, &d, reasons);
}

static void forward_product(Bounds *bounds, uint32_t at, const DagNode *node, U128 reasons)
{
    unsigned width = node->width;
    const Domain *a = bounds_at(bounds, node->a), *b = bounds_at(bounds, node->b);
    Domain with = domain_all(width);
    product_bits(width, a, b, &with);
    if (bounds__product_fits(width, a->high, b->high)) {
        with.low = a->low * b->low;
        with.high = a->high * b->high;
    }
    bounds__sharpen(bounds, at, &with, reasons);
    if (bounds->empty) return;
    if (width <= 64) bounds__cut(bounds, at, product_circle(width, a, b), reasons);
    else wide_product(bounds, at, node, reasons);
}

static void forward_quotient(Bounds *bounds, uint32_t at, const DagNode *node, U128 reasons)
{
    unsigned width = node->width;
    const Domain *a = bounds_at(bounds, node->a), *b = bounds_at(bounds, node->b);
    U128 sign = half_of(width);
    if (!b->low) return;
    if (node->kind == EXPR_UDIV || (a->high < sign && b->high < sign)) {
        Domain with = domain_between(width, a->low / b->high, a->high / b->low);
        bounds__sharpen(bounds, at, &with, reasons);
    } else if (b->high < sign && width <= 64) {
        I128 low = domain_signed_low(width, a), high = domain_signed_high(width, a), few = (I128)b->low, many = (I128)b->high;
        Domain with = domain_of_signed(width, low / (low < 0 ? few : many), high / (high < 0 ? many : few));
        bounds__sharpen(bounds, at, &with, reasons);
    }
}

static void forward_remainder(Bounds *bounds, uint32_t at, const DagNode *node, U128 reasons)
{
    const Domain *a = bounds_at(bounds, node->a), *b = bounds_at(bounds, node->b);
    U128 high = a->high;
    if (b->low && b->high - 1 < high) high = b->high - 1;
    Domain with = domain_between(node->width, 0, high);
    if (a->high < b->low) with = *a;
    if (domain_single(b) && b->low && a->low / b->low == a->high / b->low) {
        with.low = a->low % b->low;
        with.high = a->high % b->low;
    }
    bounds__sharpen(bounds, at, &with, reasons);
}

static I128 magnitude(I128 x)
{
    return x < 0 ? -x : x;
}

/* The sign of the dividend, no larger than it, and smaller than the divisor (but 0, which leaves the dividend). */
static void forward_signed_remainder(Bounds *bounds, uint32_t at, const DagNode *node, U128 reasons)
{
    unsigned width = node->width;
    const Domain *a = bounds_at(bounds, node->a), *b = bounds_at(bounds, node->b);
    if (width > 64) return;
    I128 low = domain_signed_low(width, a), high = domain_signed_high(width, a);
    I128 b_low = domain_signed_low(width, b), b_high = domain_signed_high(width, b);
    I128 limit = magnitude(b_low) > magnitude(b_high) ? magnitude(b_low) : magnitude(b_high);
    bool same = domain_single(b) && limit && low / limit == high / limit && (low >= 0 || high <= 0);
    if (same) {
        low %= limit;
        high %= limit;
    } else {
        if (low > 0) low = 0;
        if (high < 0) high = 0;
        if (b->low && low < 1 - limit) low = 1 - limit;
        if (b->low && high > limit - 1) high = limit - 1;
    }
    Domain with = domain_of_signed(width, low, high);
    bounds__sharpen(bounds, at, &with, reasons);
}

/* ---- shifts ---- */

static U128 shifted_right(U128 value, U128 amount, unsigned width)
{
    return amount >= width ? 0 : value >> (unsigned)amount;
}

static void forward_shift(Bounds *bounds, uint32_t at, const DagNode *node, U128 reasons)
{
    unsigned width = node->width;
    const Domain *a = bounds_at(bounds, node->a), *b = bounds_at(bounds, node->b);
    U128 mask = arith_mask(width), sign = half_of(width);
    Domain with = domain_all(width);
    if (node->kind == EXPR_SHL) {
        U128 zeros = low_zeros(~a->zeros) + (b->low < width ? b->low : width);
        with.zeros = arith_mask(zeros < width ? (unsigned)zeros : width);
        if (b->high < width && bit_length(a->high) + b->high <= width) {
            with.low = a->low << (unsigned)b->low;
            with.high = a->high << (unsigned)b->high;
        }
        if (domain_single(b) && b->low < width) {
            with.zeros |= a->zeros << (unsigned)b->low & mask;
            with.ones |= a->ones << (unsigned)b->low & mask;
        }
    } else if (node->kind == EXPR_LSHR || a->high < sign) {
        with.low = shifted_right(a->low, b->high, width);
        with.high = shifted_right(a->high, b->low, width);
    } else if (a->low >= sign) {
        with.low = mask - shifted_right(mask - a->low, b->low, width);
        with.high = mask - shifted_right(mask - a->high, b->high, width);
    } else { /* towards zero from both sides */
        U128 down = mask - (a->least ^ sign), up = a->most ^ sign;
        with.least = (mask - shifted_right(down, b->low, width)) ^ sign;
        with.most = shifted_right(up, b->low, width) ^ sign;
    }
    bounds__sharpen(bounds, at, &with, reasons);
}

/* ---- bits ---- */

static void forward_bitwise(Bounds *bounds, uint32_t at, const DagNode *node, U128 reasons)
{
    const Domain *a = bounds_at(bounds, node->a), *b = bounds_at(bounds, node->b);
    Domain with = domain_all(node->width);
    if (node->kind == EXPR_AND) {
        with.zeros = a->zeros | b->zeros;
        with.ones = a->ones & b->ones;
        with.high = a->high < b->high ? a->high : b->high;
    } else if (node->kind == EXPR_OR) {
        with.zeros = a->zeros & b->zeros;
        with.ones = a->ones | b->ones;
        with.low = a->low > b->low ? a->low : b->low;
    } else {
        with.zeros = (a->zeros & b->zeros) | (a->ones & b->ones);
        with.ones = (a->zeros & b->ones) | (a->ones & b->zeros);
    }
    bounds__sharpen(bounds, at, &with, reasons);
}

static void forward_not(Bounds *bounds, uint32_t at, const DagNode *node, U128 reasons)
{
    const Domain *a = bounds_at(bounds, node->a);
    U128 mask = arith_mask(node->width);
    Domain with = {a->ones, a->zeros, mask - a->high, mask - a->low, mask - a->most, mask - a->least};
    bounds__sharpen(bounds, at, &with, reasons);
}

static void forward_concat(Bounds *bounds, uint32_t at, const DagNode *node, U128 reasons)
{
    unsigned shift = node->source;
    const Domain *a = bounds_at(bounds, node->a), *b = bounds_at(bounds, node->b);
    Domain with = {a->zeros << shift | b->zeros, a->ones << shift | b->ones, a->low << shift | b->low,
                   a->high << shift | b->high,   a->least << shift | b->low, a->most << shift | b->high};
    bounds__sharpen(bounds, at, &with, reasons);
}

static void forward_extract(Bounds *bounds, uint32_t at, const DagNode *node, U128 reasons)
{
    unsigned low = node->b, width = node->width, source = node->source;
    const Domain *a = bounds_at(bounds, node->a);
    U128 mask = arith_mask(width);
    Domain with = domain_all(width);
    with.zeros = a->zeros >> low & mask;
    with.ones = a->ones >> low & mask;
    if (low + width == source || a->low >> low >> width == a->high >> low >> width) {
        with.low = a->low >> low & mask;
        with.high = a->high >> low & mask;
    }
    if (low + width == source) {
        with.least = a->least >> low & mask;
        with.most = a->most >> low & mask;
    }
    bounds__sharpen(bounds, at, &with, reasons);
    if (low || bounds->empty) return;
    Circle circle = domain_circle(source, a);
    if (circle.size < mask) bounds__cut(bounds, at, (Circle){circle.first & mask, circle.size}, reasons);
}

static void forward_extend(Bounds *bounds, uint32_t at, const DagNode *node, U128 reasons)
{
    unsigned width = node->width, source = node->source;
    const Domain *a = bounds_at(bounds, node->a);
    U128 added = arith_mask(width) & ~arith_mask(source);
    Domain with = domain_all(width);
    if (node->kind == EXPR_ZEXT) {
        with = domain_between(width, a->low, a->high);
        with.zeros = a->zeros | added;
        with.ones = a->ones;
        with.most = (a->high & arith_mask(width)) ^ half_of(width);
        with.least = a->low ^ half_of(width);
    } else {
        U128 sign = half_of(source);
        with = domain_of_signed(width, domain_signed_low(source, a), domain_signed_high(source, a));
        with.zeros = a->zeros | (a->zeros & sign ? added : 0);
        with.ones = a->ones | (a->ones & sign ? added : 0);
    }
    bounds__sharpen(bounds, at, &with, reasons);
}

static void forward_count(Bounds *bounds, uint32_t at, const DagNode *node, U128 reasons)
{
    unsigned width = node->width;
    const Domain *a = bounds_at(bounds, node->a);
    U128 low, high;
    if (node->kind == EXPR_CTPOP) {
        U128 possible = arith_mask(width) & ~a->zeros;
        low = count_ones(a->ones);
        high = count_ones(possible);
        if (a->low && !low) low = 1;
    } else if (node->kind == EXPR_CTLZ) {
        low = width - bit_length(a->high);
        high = width - bit_length(a->low);
    } else {
        unsigned first = low_zeros(arith_mask(width) & ~a->zeros), last = low_zeros(a->ones);
        low = first < width ? first : width;
        high = last < width ? last : width;
        if (a->low && high == width) high = width - 1;
    }
    assert(low <= high && high <= width);
    Domain with = domain_between(width, low, high);
    bounds__sharpen(bounds, at, &with, reasons);
}

/* ---- comparisons: 1, 0 or -1 if it is open ---- */

static bool windows_differ(const Bounds *bounds, uint32_t a, uint32_t b)
{
    const Domain *x = bounds_at(bounds, a);
    uint32_t window = bounds->at[b].window;
    return window && domain_single(x) && !window_has(&bounds->windows.data[window - 1], bounds_width(bounds, b), x->low);
}

static int compare(const Bounds *bounds, const DagNode *node)
{
    const Domain *a = bounds_at(bounds, node->a), *b = bounds_at(bounds, node->b);
    switch ((ExprKind)node->kind) {
    case EXPR_EQ:
        if (domain_single(a) && domain_single(b)) return a->low == b->low;
        if (domain_disjoint(node->source, a, b)) return 0;
        return windows_differ(bounds, node->a, node->b) || windows_differ(bounds, node->b, node->a) ? 0 : -1;
    case EXPR_ULT: return a->high < b->low ? 1 : a->low >= b->high ? 0 : -1;
    case EXPR_ULE: return a->high <= b->low ? 1 : a->low > b->high ? 0 : -1;
    case EXPR_SLT: return a->most < b->least ? 1 : a->least >= b->most ? 0 : -1;
    default: assert(node->kind == EXPR_SLE); return a->most <= b->least ? 1 : a->least > b->most ? 0 : -1;
    }
}

/* ---- choices ---- */

static void forward_choice(Bounds *bounds, uint32_t at, const DagNode *node)
{
    int truth = bounds_truth(bounds, node->a);
    if (truth >= 0) {
        uint32_t chosen = truth ? node->b : node->c;
        bounds__sharpen(bounds, at, bounds_at(bounds, chosen), bounds_reasons(bounds, node->a) | bounds_reasons(bounds, chosen));
        return;
    }
    Domain with = domain_union(node->width, bounds_at(bounds, node->b), bounds_at(bounds, node->c));
    bounds__sharpen(bounds, at, &with, bounds_reasons(bounds, node->b) | bounds_reasons(bounds, node->c));
}

void bounds__forward(Bounds *bounds, uint32_t at)
{
    const DagNode *node = &bounds->dag.nodes[at];
    U128 reasons;
    switch ((ExprKind)node->kind) {
    case EXPR_NOT: forward_not(bounds, at, node, bounds_reasons(bounds, node->a)); return;
    case EXPR_EXTRACT: forward_extract(bounds, at, node, bounds_reasons(bounds, node->a)); return;
    case EXPR_ZEXT:
    case EXPR_SEXT: forward_extend(bounds, at, node, bounds_reasons(bounds, node->a)); return;
    case EXPR_CTPOP:
    case EXPR_CTLZ:
    case EXPR_CTTZ: forward_count(bounds, at, node, bounds_reasons(bounds, node->a)); return;
    case EXPR_ITE: forward_choice(bounds, at, node); return;
    default: break;
    }
    reasons = bounds_reasons(bounds, node->a) | bounds_reasons(bounds, node->b);
    switch ((ExprKind)node->kind) {
    case EXPR_ADD: bounds__sum(bounds, at, node->a, node->b, false, reasons); return;
    case EXPR_SUB: bounds__sum(bounds, at, node->a, node->b, true, reasons); return;
    case EXPR_MUL: forward_product(bounds, at, node, reasons); return;
    case EXPR_UDIV:
    case EXPR_SDIV: forward_quotient(bounds, at, node, reasons); return;
    case EXPR_UREM: forward_remainder(bounds, at, node, reasons); return;
    case EXPR_SREM: forward_signed_remainder(bounds, at, node, reasons); return;
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR: forward_shift(bounds, at, node, reasons); return;
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_XOR: forward_bitwise(bounds, at, node, reasons); return;
    case EXPR_CONCAT: forward_concat(bounds, at, node, reasons); return;
    default: break;
    }
    int truth = compare(bounds, node);
    if (truth >= 0) bounds__decide(bounds, at, truth, reasons);
}
