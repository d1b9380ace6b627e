/* Contraction from results to operands: what the value of an operation says of one operand, given the other one.
 *
 * The conditions of a query stand at the top with the value 1, so this is the way in which most is learnt. */
#include "solve/bounds_int.h"

/* ---- arithmetic ---- */

/* The inverse of an odd number modulo 2^128. */
static U128 inverse(U128 odd)
{
    U128 x = odd;
    for (int i = 0; i < 6; i++) x *= 2 - odd * x;
    return x;
}

/* r = a * c for a constant c = odd * 2^t: the low bits of r fix low bits of a. */
static void factor_bits(unsigned width, const Domain *r, U128 c, Domain *with)
{
    unsigned known = low_zeros(~(r->zeros | r->ones)), twos = low_zeros(c);
    if (known > width) known = width;
    if (known <= twos) return;
    U128 agreed = arith_mask(known - twos), bits = (r->ones >> twos) * inverse(c >> twos);
    with->ones |= bits & agreed;
    with->zeros |= ~bits & agreed;
}

static I128 divide_down(I128 a, I128 b) /* b > 0 */
{
    I128 quotient = a / b;
    return quotient * b > a ? quotient - 1 : quotient;
}

static bool signed_product_fits(unsigned width, const Domain *a, const Domain *b)
{
    I128 limit = (I128)half_of(width), x[2] = {domain_signed_low(width, a), domain_signed_high(width, a)},
         y[2] = {domain_signed_low(width, b), domain_signed_high(width, b)};
    for (int i = 0; i < 4; i++) {
        I128 product = x[i & 1] * y[i >> 1];
        if (product < -limit || product >= limit) return false;
    }
    return true;
}

/* To one factor from the product and the other one. */
static void backward_factor(Bounds *bounds, uint32_t result, uint32_t into, uint32_t other)
{
    unsigned width = bounds_width(bounds, result);
    const Domain *r = bounds_at(bounds, result), *a = bounds_at(bounds, into), *b = bounds_at(bounds, other);
    Domain with = domain_all(width);
    if (!b->high) return;
    if (domain_single(b)) factor_bits(width, r, b->low, &with);
    if (bounds__product_fits(width, a->high, b->high)) {
        with.low = r->low / b->high + (r->low % b->high != 0);
        if (b->low) with.high = r->high / b->low;
    } else if (width <= 64 && b->low && b->high < half_of(width) && signed_product_fits(width, a, b)) {
        I128 low = domain_signed_low(width, r), high = domain_signed_high(width, r);
        I128 few = (I128)b->low, many = (I128)b->high;
        I128 from = -divide_down(-low, low < 0 ? few : many), to = divide_down(high, high < 0 ? many : few);
        Domain signed_with = domain_of_signed(width, from, to);
        with.least = signed_with.least;
        with.most = signed_with.most;
    }
    U128 reasons = bounds_reasons(bounds, result) | bounds_reasons(bounds, into) | bounds_reasons(bounds, other);
    bounds__sharpen(bounds, into, &with, reasons);
}

static U128 saturated(U128 a, U128 b, U128 plus, U128 mask)
{
    U128 product, sum;
    if (__builtin_mul_overflow(a, b, &product) || __builtin_add_overflow(product, plus, &sum)) return mask;
    return sum < mask ? sum : mask;
}

/* r = a / b with r * b <= a < (r + 1) * b. */
static void backward_unsigned_quotient(Bounds *bounds, const DagNode *node, uint32_t at)
{
    unsigned width = node->width;
    const Domain *r = bounds_at(bounds, at), *a = bounds_at(bounds, node->a), *b = bounds_at(bounds, node->b);
    U128 mask = arith_mask(width);
    U128 reasons = bounds_reasons(bounds, at) | bounds_reasons(bounds, node->a) | bounds_reasons(bounds, node->b);
    if (!bounds__product_fits(width, r->low, b->low)) {
        bounds__conflict(bounds, reasons);
        return;
    }
    Domain divisor = domain_between(width, r->high < mask ? a->low / (r->high + 1) + 1 : 1, r->low ? a->high / r->low : mask);
    Domain dividend = domain_between(width, r->low * b->low, saturated(r->high, b->high, b->high - 1, mask));
    bounds__sharpen(bounds, node->a, &dividend, reasons);
    if (!bounds->empty) bounds__sharpen(bounds, node->b, &divisor, reasons);
}

static void backward_quotient(Bounds *bounds, uint32_t at, const DagNode *node)
{
    unsigned width = node->width;
    const Domain *r = bounds_at(bounds, at), *a = bounds_at(bounds, node->a), *b = bounds_at(bounds, node->b);
    U128 sign = half_of(width);
    if (!b->low) return;
    if (node->kind == EXPR_UDIV || (a->high < sign && b->high < sign)) {
        backward_unsigned_quotient(bounds, node, at);
        return;
    }
    if (b->high >= sign || width > 64) return;
    I128 low = domain_signed_low(width, r), high = domain_signed_high(width, r), few = (I128)b->low, many = (I128)b->high;
    I128 from = low > 0 ? low * few : low * many - (many - 1), to = high < 0 ? high * few : high * many + (many - 1);
    I128 bottom = -(I128)sign, top = (I128)sign - 1;
    if (from < bottom) from = bottom;
    if (to > top) to = top;
    U128 reasons = bounds_reasons(bounds, at) | bounds_reasons(bounds, node->b);
    if (from > top || to < bottom) {
        bounds__conflict(bounds, reasons | bounds_reasons(bounds, node->a));
        return;
    }
    Domain with = domain_of_signed(width, from, to);
    bounds__sharpen(bounds, node->a, &with, reasons);
}

static void backward_remainder(Bounds *bounds, uint32_t at, const DagNode *node)
{
    unsigned width = node->width;
    const Domain *r = bounds_at(bounds, at), *a = bounds_at(bounds, node->a), *b = bounds_at(bounds, node->b);
    U128 reasons = bounds_reasons(bounds, at) | bounds_reasons(bounds, node->a) | bounds_reasons(bounds, node->b);
    Domain with = domain_between(width, r->low, arith_mask(width)); /* the remainder is never larger */
    if (a->high < b->low) {
        with = *r;
    } else if (domain_single(b) && b->low && a->low / b->low == a->high / b->low) {
        U128 base = a->low - a->low % b->low;
        with.low = base + r->low;
        with.high = r->high > arith_mask(width) - base ? arith_mask(width) : base + r->high;
        if (with.low < base) with.low = a->low;
    }
    bounds__sharpen(bounds, node->a, &with, reasons);
    if (bounds->empty || !b->low || r->low == arith_mask(width)) return;
    Domain divisor = domain_between(width, r->low + 1, arith_mask(width));
    bounds__sharpen(bounds, node->b, &divisor, reasons);
}

/* A positive remainder comes from a dividend at least as large, a negative one from one at most as large. */
static void backward_signed_remainder(Bounds *bounds, uint32_t at, const DagNode *node)
{
    unsigned width = node->width;
    if (width > 64) return;
    I128 low = domain_signed_low(width, bounds_at(bounds, at)), high = domain_signed_high(width, bounds_at(bounds, at));
    if (low <= 0 && high >= 0) return;
    I128 top = (I128)half_of(width) - 1;
    Domain with = low > 0 ? domain_of_signed(width, low, top) : domain_of_signed(width, -top - 1, high);
    bounds__sharpen(bounds, node->a, &with, bounds_reasons(bounds, at));
}

/* By a known amount. */
static void backward_shift(Bounds *bounds, uint32_t at, const DagNode *node)
{
    unsigned width = node->width;
    const Domain *r = bounds_at(bounds, at), *a = bounds_at(bounds, node->a), *b = bounds_at(bounds, node->b);
    U128 mask = arith_mask(width), reasons = bounds_reasons(bounds, at) | bounds_reasons(bounds, node->a) | bounds_reasons(bounds, node->b);
    Domain with = domain_all(width);
    if (node->kind == EXPR_SHL) {
        if (b->high >= width || bit_length(a->high) + b->high > width) return;
        unsigned few = (unsigned)b->low, many = (unsigned)b->high;
        with.low = (r->low >> many) + ((r->low & arith_mask(many)) != 0);
        with.high = r->high >> few;
        if (with.low > mask) with.low = mask;
    } else if (b->high < width && (node->kind == EXPR_LSHR || a->high < half_of(width))) {
        unsigned few = (unsigned)b->low, many = (unsigned)b->high;
        if (bit_length(r->low) + few > width) {
            bounds__conflict(bounds, reasons);
            return;
        }
        with.low = r->low << few;
        with.high = bit_length(r->high) + many > width ? mask : (r->high << many | arith_mask(many));
    } else {
        return;
    }
    bounds__sharpen(bounds, node->a, &with, reasons);
}

/* ---- bits ---- */

static void backward_bitwise(Bounds *bounds, uint32_t result, uint32_t into, uint32_t other)
{
    const DagNode *node = &bounds->dag.nodes[result];
    const Domain *r = bounds_at(bounds, result), *b = bounds_at(bounds, other);
    Domain with = domain_all(node->width);
    if (node->kind == EXPR_AND) {
        with.ones = r->ones;
        with.zeros = r->zeros & b->ones;
        with.low = r->low;
    } else if (node->kind == EXPR_OR) {
        with.zeros = r->zeros;
        with.ones = r->ones & b->zeros;
        with.high = r->high;
    } else {
        with.zeros = (r->zeros & b->zeros) | (r->ones & b->ones);
        with.ones = (r->zeros & b->ones) | (r->ones & b->zeros);
    }
    bounds__sharpen(bounds, into, &with, bounds_reasons(bounds, result) | bounds_reasons(bounds, other));
}

static void backward_not(Bounds *bounds, uint32_t at, const DagNode *node)
{
    const Domain *r = bounds_at(bounds, at);
    U128 mask = arith_mask(node->width);
    Domain with = {r->ones, r->zeros, mask - r->high, mask - r->low, mask - r->most, mask - r->least};
    bounds__sharpen(bounds, node->a, &with, bounds_reasons(bounds, at));
}

static void backward_concat(Bounds *bounds, uint32_t at, const DagNode *node)
{
    unsigned shift = node->source;
    const Domain *r = bounds_at(bounds, at);
    U128 mask = arith_mask(shift), reasons = bounds_reasons(bounds, at);
    Domain low = domain_all(shift);
    low.zeros = r->zeros & mask;
    low.ones = r->ones & mask;
    if (r->low >> shift == r->high >> shift) {
        low.low = r->low & mask;
        low.high = r->high & mask;
    }
    Domain high = {r->zeros >> shift, r->ones >> shift, r->low >> shift, r->high >> shift, r->least >> shift, r->most >> shift};
    bounds__sharpen(bounds, node->a, &high, reasons);
    if (!bounds->empty) bounds__sharpen(bounds, node->b, &low, reasons);
}

static void backward_extract(Bounds *bounds, uint32_t at, const DagNode *node)
{
    unsigned low = node->b, width = node->width, source = node->source;
    const Domain *r = bounds_at(bounds, at), *a = bounds_at(bounds, node->a);
    U128 above = a->low >> low >> width, reasons = bounds_reasons(bounds, at) | bounds_reasons(bounds, node->a);
    Domain with = domain_all(source);
    with.zeros = r->zeros << low;
    with.ones = r->ones << low;
    if (low + width == source || above == a->high >> low >> width) {
        U128 base = low + width == source ? 0 : above << width << low;
        with.low = base | r->low << low;
        with.high = base | r->high << low | arith_mask(low);
    }
    if (!low && width < source) { /* the value fits: it is the sign extension of its low part */
        I128 limit = (I128)half_of(width);
        if (domain_signed_low(source, a) >= -limit && domain_signed_high(source, a) < limit) {
            Domain extended = domain_of_signed(source, domain_signed_low(width, r), domain_signed_high(width, r));
            with.least = extended.least;
            with.most = extended.most;
        }
    }
    bounds__sharpen(bounds, node->a, &with, reasons);
}

static void backward_extend(Bounds *bounds, uint32_t at, const DagNode *node)
{
    unsigned width = node->width, source = node->source;
    const Domain *r = bounds_at(bounds, at);
    U128 mask = arith_mask(source), sign = half_of(source), reasons = bounds_reasons(bounds, at);
    Domain with = domain_all(source);
    with.zeros = r->zeros & mask;
    with.ones = r->ones & mask;
    if (node->kind == EXPR_ZEXT) {
        with.low = r->low & mask;
        with.high = r->high & mask;
        assert(r->high <= mask);
    } else {
        U128 offset = half_of(width) - sign; /* flipped values begin at this one */
        assert(r->least >= offset && r->most - offset <= mask);
        with.least = r->least - offset;
        with.most = r->most - offset;
    }
    bounds__sharpen(bounds, node->a, &with, reasons);
}

/* ---- comparisons ---- */

static void share_window(Bounds *bounds, uint32_t from, uint32_t to, U128 reasons)
{
    uint32_t window = bounds->at[from].window;
    if (!window) return;
    Window copy = bounds->windows.data[window - 1];
    Place *place = &bounds->at[to];
    if (!place->window) {
        vec_push(&bounds->windows, copy);
        place->window = bounds->windows.len;
    } else {
        Window *own = &bounds->windows.data[place->window - 1];
        if (own->base != copy.base) return;
        uint64_t before[4];
        memcpy(before, own->bits, sizeof before);
        set_meet(own->bits, copy.bits);
        if (!memcmp(before, own->bits, sizeof before)) return;
    }
    Domain d = place->d;
    if (!window_settle(&bounds->windows.data[place->window - 1], bounds_width(bounds, to), &d)) {
        bounds__conflict(bounds, reasons | place->reasons);
        return;
    }
    place->reasons |= reasons;
    place->changed = ++bounds->clock;
    place->d = d;
}

static void backward_equal(Bounds *bounds, uint32_t at, const DagNode *node)
{
    U128 reasons = bounds_reasons(bounds, at);
    if (bounds_truth(bounds, at)) {
        bounds__sharpen(bounds, node->a, bounds_at(bounds, node->b), reasons | bounds_reasons(bounds, node->b));
        if (!bounds->empty) bounds__sharpen(bounds, node->b, bounds_at(bounds, node->a), reasons | bounds_reasons(bounds, node->a));
        if (!bounds->empty) share_window(bounds, node->a, node->b, reasons | bounds_reasons(bounds, node->a));
        if (!bounds->empty) share_window(bounds, node->b, node->a, reasons | bounds_reasons(bounds, node->b));
        return;
    }
    const Domain *a = bounds_at(bounds, node->a), *b = bounds_at(bounds, node->b);
    if (domain_single(b)) bounds__exclude(bounds, node->a, b->low, reasons | bounds_reasons(bounds, node->b));
    else if (domain_single(a)) bounds__exclude(bounds, node->b, a->low, reasons | bounds_reasons(bounds, node->a));
}

/* a < b (strict) or a <= b. */
static void backward_less(Bounds *bounds, U128 reasons, uint32_t a, uint32_t b, bool signs, bool strict)
{
    unsigned width = bounds_width(bounds, a);
    U128 mask = arith_mask(width);
    U128 top = signs ? bounds_at(bounds, b)->most : bounds_at(bounds, b)->high;
    if (top < strict) {
        bounds__conflict(bounds, reasons | bounds_reasons(bounds, b));
        return;
    }
    Domain less = signs ? domain_signed(width, 0, top - strict) : domain_between(width, 0, top - strict);
    bounds__sharpen(bounds, a, &less, reasons | bounds_reasons(bounds, b));
    if (bounds->empty) return;
    U128 bottom = signs ? bounds_at(bounds, a)->least : bounds_at(bounds, a)->low;
    if (bottom > mask - strict) {
        bounds__conflict(bounds, reasons | bounds_reasons(bounds, a));
        return;
    }
    Domain more = signs ? domain_signed(width, bottom + strict, mask) : domain_between(width, bottom + strict, mask);
    bounds__sharpen(bounds, b, &more, reasons | bounds_reasons(bounds, a));
}

static void backward_compare(Bounds *bounds, uint32_t at, const DagNode *node)
{
    int truth = bounds_truth(bounds, at);
    if (truth < 0) return;
    if (node->kind == EXPR_EQ) {
        backward_equal(bounds, at, node);
        return;
    }
    bool signs = node->kind == EXPR_SLT || node->kind == EXPR_SLE, strict = node->kind == EXPR_ULT || node->kind == EXPR_SLT;
    U128 reasons = bounds_reasons(bounds, at);
    if (truth) backward_less(bounds, reasons, node->a, node->b, signs, strict);
    else backward_less(bounds, reasons, node->b, node->a, signs, !strict);
}

/* ---- choices ---- */

static void backward_choice(Bounds *bounds, uint32_t at, const DagNode *node)
{
    int truth = bounds_truth(bounds, node->a);
    const Domain *r = bounds_at(bounds, at);
    U128 reasons = bounds_reasons(bounds, at);
    if (truth >= 0) {
        bounds__sharpen(bounds, truth ? node->b : node->c, r, reasons | bounds_reasons(bounds, node->a));
        return;
    }
    if (domain_disjoint(node->width, r, bounds_at(bounds, node->b)))
        bounds__decide(bounds, node->a, false, reasons | bounds_reasons(bounds, node->b));
    else if (domain_disjoint(node->width, r, bounds_at(bounds, node->c)))
        bounds__decide(bounds, node->a, true, reasons | bounds_reasons(bounds, node->c));
}

static void backward_sum(Bounds *bounds, uint32_t at, const DagNode *node)
{
    U128 r = bounds_reasons(bounds, at);
    bool add = node->kind == EXPR_ADD;
    bounds__sum(bounds, node->a, at, node->b, add, r | bounds_reasons(bounds, node->b));
    if (bounds->empty) return;
    if (add) bounds__sum(bounds, node->b, at, node->a, true, r | bounds_reasons(bounds, node->a));
    else bounds__sum(bounds, node->b, node->a, at, true, r | bounds_reasons(bounds, node->a));
}

void bounds__backward(Bounds *bounds, uint32_t at)
{
    const DagNode *node = &bounds->dag.nodes[at];
    switch ((ExprKind)node->kind) {
    case EXPR_ADD:
    case EXPR_SUB: backward_sum(bounds, at, node); return;
    case EXPR_MUL:
        backward_factor(bounds, at, node->a, node->b);
        if (!bounds->empty) backward_factor(bounds, at, node->b, node->a);
        return;
    case EXPR_UDIV:
    case EXPR_SDIV: backward_quotient(bounds, at, node); return;
    case EXPR_UREM: backward_remainder(bounds, at, node); return;
    case EXPR_SREM: backward_signed_remainder(bounds, at, node); return;
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR: backward_shift(bounds, at, node); return;
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_XOR:
        backward_bitwise(bounds, at, node->a, node->b);
        if (!bounds->empty) backward_bitwise(bounds, at, node->b, node->a);
        return;
    case EXPR_NOT: backward_not(bounds, at, node); return;
    case EXPR_CONCAT: backward_concat(bounds, at, node); return;
    case EXPR_EXTRACT: backward_extract(bounds, at, node); return;
    case EXPR_ZEXT:
    case EXPR_SEXT: backward_extend(bounds, at, node); return;
    case EXPR_ITE: backward_choice(bounds, at, node); return;
    case EXPR_EQ:
    case EXPR_ULT:
    case EXPR_ULE:
    case EXPR_SLT:
    case EXPR_SLE: backward_compare(bounds, at, node); return;
    default: return;
    }
}
