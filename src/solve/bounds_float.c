/* Floats of 32 and 64 bits as intervals of numbers.
 *
 * The numbers of a node are kept beside its bits only where a float operation asks for them; either side sharpens the other.  Rounding
 * to nearest is monotone, so the ends of a result are the rounded results of ends, taken from the same function that evaluates the
 * operation. Backwards, an end is first moved out to the neighbouring float, and so is what is computed from it: that covers both
 * roundings.  A NaN is carried as a possibility of its own: a comparison that is false says nothing of the order unless neither side can
 * be one. */
#include "solve/bounds_int.h"

#include <math.h>

static bool is_float(unsigned width)
{
    return width == 32 || width == 64;
}

static U128 infinity_bits(unsigned width)
{
    return width == 32 ? arith_bits32(INFINITY) : arith_bits64(INFINITY);
}

static double number(unsigned width, U128 bits)
{
    return width == 32 ? (double)arith_f32((uint64_t)bits) : arith_f64((uint64_t)bits);
}

static U128 bits_of(unsigned width, double value) /* the value is one of that width */
{
    return width == 32 ? arith_bits32((float)value) : arith_bits64(value);
}

static double above(unsigned width, double value)
{
    return width == 32 ? (double)nextafterf((float)value, INFINITY) : nextafter(value, INFINITY);
}

static double below(unsigned width, double value)
{
    return width == 32 ? (double)nextafterf((float)value, -INFINITY) : nextafter(value, -INFINITY);
}

static Numbers all_numbers(void)
{
    return (Numbers){-INFINITY, INFINITY, true};
}

static bool no_number(const Numbers *x)
{
    return x->low > x->high;
}

/* ---- bits and numbers ---- */

static Numbers from_bits(unsigned width, const Domain *d)
{
    U128 sign = half_of(width), infinity = infinity_bits(width);
    Numbers x = {INFINITY, -INFINITY, false};
    if (d->low < sign) { /* some value has the sign bit clear */
        U128 high = d->high < sign ? d->high : d->most ^ sign;
        x.nan = high > infinity;
        if (d->low <= infinity) {
            x.low = number(width, d->low);
            x.high = number(width, high < infinity ? high : infinity);
        }
    }
    if (d->high >= sign) {
        U128 low = d->low >= sign ? d->low : d->least ^ sign, high = d->high;
        x.nan |= high > (sign | infinity);
        if (low <= (sign | infinity)) {
            double from = number(width, high < (sign | infinity) ? high : sign | infinity), to = number(width, low);
            if (from < x.low) x.low = from;
            if (to > x.high) x.high = to;
        }
    }
    return x;
}

/* What numbers (no NaN among them) say of the bits. */
static Domain to_bits(unsigned width, const Numbers *x)
{
    U128 sign = half_of(width);
    bool plus = x->high >= 0, minus = x->low <= 0;
    U128 plus_low = minus ? 0 : bits_of(width, x->low), plus_high = plus ? bits_of(width, x->high) & ~sign : 0;
    U128 minus_low = sign | (plus ? 0 : bits_of(width, x->high)), minus_high = sign | bits_of(width, x->low);
    return (Domain){.low = plus ? plus_low : minus_low,
                    .high = minus ? minus_high : plus_high,
                    .least = (minus ? minus_low : plus_low) ^ sign,
                    .most = (plus ? plus_high : minus_high) ^ sign};
}

const Numbers *bounds__numbers(Bounds *bounds, uint32_t at)
{
    Place *place = &bounds->at[at];
    if (!place->numbers) {
        vec_push(&bounds->numbers, from_bits(bounds_width(bounds, at), &place->d));
        place->numbers = bounds->numbers.len;
    }
    return &bounds->numbers.data[place->numbers - 1];
}

static bool meet(Numbers *x, const Numbers *with)
{
    Numbers before = *x;
    if (with->low > x->low) x->low = with->low;
    if (with->high < x->high) x->high = with->high;
    x->nan = x->nan && with->nan;
    return x->low > before.low || x->high < before.high || x->nan != before.nan;
}

static void narrow(Bounds *bounds, uint32_t at, Numbers with, U128 reasons)
{
    if (bounds->empty) return;
    unsigned width = bounds_width(bounds, at);
    (void)bounds__numbers(bounds, at);
    Place *place = &bounds->at[at];
    Numbers *x = &bounds->numbers.data[place->numbers - 1];
    if (!meet(x, &with)) return;
    place->reasons |= reasons;
    place->changed = ++bounds->clock;
    if (no_number(x) && !x->nan) {
        bounds__conflict(bounds, place->reasons);
        return;
    }
    if (x->nan) return;
    Domain bits = to_bits(width, x);
    bounds__sharpen(bounds, at, &bits, reasons);
}

void bounds__numbers_follow(Bounds *bounds, uint32_t at)
{
    Place *place = &bounds->at[at];
    assert(place->numbers);
    Numbers with = from_bits(bounds_width(bounds, at), &place->d), *x = &bounds->numbers.data[place->numbers - 1];
    meet(x, &with);
    if (no_number(x) && !x->nan) bounds__conflict(bounds, place->reasons);
}

/* ---- comparisons ---- */

static int compare(ExprKind kind, const Numbers *a, const Numbers *b)
{
    bool nan = a->nan || b->nan, none = no_number(a) || no_number(b); /* none: one is certainly a NaN */
    if (kind == EXPR_FUNO) return none ? 1 : nan ? -1 : 0;
    if (none) return 0;
    switch (kind) {
    case EXPR_FEQ:
        if (a->high < b->low || b->high < a->low) return 0;
        return !nan && a->low == a->high && b->low == b->high ? 1 : -1;
    case EXPR_FLT: return a->low >= b->high ? 0 : !nan && a->high < b->low ? 1 : -1;
    default: assert(kind == EXPR_FLE); return a->low > b->high ? 0 : !nan && a->high <= b->low ? 1 : -1;
    }
}

static void order(Bounds *bounds, uint32_t a, uint32_t b, bool strict, U128 reasons)
{
    unsigned width = bounds_width(bounds, a);
    double high = bounds__numbers(bounds, b)->high;
    if (strict) high = high == -INFINITY ? NAN : below(width, high);
    if (isnan(high)) { /* nothing is below minus infinity */
        bounds__conflict(bounds, reasons | bounds_reasons(bounds, b));
        return;
    }
    narrow(bounds, a, (Numbers){-INFINITY, high, false}, reasons | bounds_reasons(bounds, b));
    if (bounds->empty) return;
    double low = bounds__numbers(bounds, a)->low;
    if (strict) low = low == INFINITY ? NAN : above(width, low);
    if (isnan(low)) {
        bounds__conflict(bounds, reasons | bounds_reasons(bounds, a));
        return;
    }
    narrow(bounds, b, (Numbers){low, INFINITY, false}, reasons | bounds_reasons(bounds, a));
}

/* x is not the number c: ends that are c move, NaN stays. */
static void differ(Bounds *bounds, uint32_t at, double c, U128 reasons)
{
    unsigned width = bounds_width(bounds, at);
    Numbers x = *bounds__numbers(bounds, at);
    Numbers with = all_numbers();
    if (x.low == c && x.high == c) with = (Numbers){INFINITY, -INFINITY, true};
    else if (x.low == c) with.low = above(width, c);
    else if (x.high == c) with.high = below(width, c);
    narrow(bounds, at, with, reasons);
}

static void backward_unordered(Bounds *bounds, const DagNode *node, bool truth, U128 reasons)
{
    Numbers any = {-INFINITY, INFINITY, false}, none = {INFINITY, -INFINITY, true};
    if (!truth) {
        narrow(bounds, node->a, any, reasons);
        narrow(bounds, node->b, any, reasons);
    } else if (!bounds__numbers(bounds, node->a)->nan) {
        narrow(bounds, node->b, none, reasons | bounds_reasons(bounds, node->a));
    } else if (!bounds__numbers(bounds, node->b)->nan) {
        narrow(bounds, node->a, none, reasons | bounds_reasons(bounds, node->b));
    }
}

static void backward_equal(Bounds *bounds, const DagNode *node, bool truth, U128 reasons)
{
    Numbers a = *bounds__numbers(bounds, node->a), b = *bounds__numbers(bounds, node->b);
    U128 all = reasons | bounds_reasons(bounds, node->a) | bounds_reasons(bounds, node->b);
    if (truth) {
        narrow(bounds, node->a, (Numbers){b.low, b.high, false}, all);
        narrow(bounds, node->b, (Numbers){a.low, a.high, false}, all);
    } else if (b.low == b.high && !b.nan) {
        differ(bounds, node->a, b.low, all);
    } else if (a.low == a.high && !a.nan) {
        differ(bounds, node->b, a.low, all);
    }
}

static void contract_compare(Bounds *bounds, uint32_t at, const DagNode *node)
{
    Numbers a = *bounds__numbers(bounds, node->a), b = *bounds__numbers(bounds, node->b);
    U128 both = bounds_reasons(bounds, node->a) | bounds_reasons(bounds, node->b);
    int known = compare((ExprKind)node->kind, &a, &b);
    if (known >= 0) bounds__decide(bounds, at, known, both);
    int truth = bounds->empty ? -1 : bounds_truth(bounds, at);
    if (truth < 0) return;
    U128 reasons = bounds_reasons(bounds, at);
    if (node->kind == EXPR_FUNO) backward_unordered(bounds, node, truth, reasons);
    else if (node->kind == EXPR_FEQ) backward_equal(bounds, node, truth, reasons);
    else if (truth) order(bounds, node->a, node->b, node->kind == EXPR_FLT, reasons);
    else if (!a.nan && !b.nan) order(bounds, node->b, node->a, node->kind == EXPR_FLE, reasons | both);
}

/* ---- arithmetic ---- */

static double fold(const DagNode *node, double a, double b)
{
    unsigned width = node->width;
    return number(width, expr_fold((ExprKind)node->kind, width, width, bits_of(width, a), bits_of(width, b), 0));
}

static Numbers sum(const DagNode *node, const Numbers *a, Numbers b)
{
    if (node->kind == EXPR_FSUB) b = (Numbers){-b.high, -b.low, b.nan};
    DagNode add = *node;
    add.kind = EXPR_FADD;
    Numbers r = {fold(&add, a->low, b.low), fold(&add, a->high, b.high), a->nan || b.nan};
    if ((a->low == -INFINITY && b.high == INFINITY) || (a->high == INFINITY && b.low == -INFINITY)) r.nan = true;
    if (isnan(r.low)) r.low = -INFINITY;
    if (isnan(r.high)) r.high = INFINITY;
    return r;
}

/* Of products and of quotients by what is not zero: the ends are among the results of ends. */
static Numbers corners(const DagNode *node, const Numbers *a, const Numbers *b)
{
    Numbers r = {INFINITY, -INFINITY, a->nan || b->nan};
    for (int i = 0; i < 4; i++) {
        double value = fold(node, i & 1 ? a->high : a->low, i & 2 ? b->high : b->low);
        if (isnan(value)) return all_numbers();
        if (value < r.low) r.low = value;
        if (value > r.high) r.high = value;
    }
    bool infinite = a->low == -INFINITY || a->high == INFINITY, other = b->low == -INFINITY || b->high == INFINITY;
    bool a_zero = a->low <= 0 && a->high >= 0, b_zero = b->low <= 0 && b->high >= 0;
    if (node->kind == EXPR_FMUL && ((infinite && b_zero) || (other && a_zero))) r.nan = true;
    if (node->kind == EXPR_FDIV && infinite && other) r.nan = true;
    return r;
}

/* The same factor twice: never negative, and no NaN unless the factor is one. */
static Numbers square(const DagNode *node, const Numbers *a)
{
    Numbers r = corners(node, a, a);
    if (r.low < 0) r.low = 0;
    r.nan = a->nan;
    return r;
}

static Numbers result(const DagNode *node, const Numbers *a, const Numbers *b)
{
    if (no_number(a) || no_number(b)) return (Numbers){INFINITY, -INFINITY, true};
    switch ((ExprKind)node->kind) {
    case EXPR_FADD:
    case EXPR_FSUB: return sum(node, a, *b);
    case EXPR_FMUL: return node->a == node->b ? square(node, a) : corners(node, a, b);
    case EXPR_FDIV: return b->low <= 0 && b->high >= 0 ? all_numbers() : corners(node, a, b);
    default:
        assert(node->kind == EXPR_FSQRT);
        if (a->high < 0) return (Numbers){INFINITY, -INFINITY, true};
        return (Numbers){a->low <= 0 ? 0 : fold(node, a->low, 0), fold(node, a->high, 0), a->nan || a->low < 0};
    }
}

/* r = a + b, to a: the exact sum lies within the neighbours of r's ends. */
static void backward_term(Bounds *bounds, uint32_t at, uint32_t into, Numbers other, U128 reasons)
{
    unsigned width = bounds_width(bounds, at);
    Numbers r = *bounds__numbers(bounds, at);
    DagNode subtract = {.kind = EXPR_FSUB, .width = (uint16_t)width, .source = (uint16_t)width};
    double low = fold(&subtract, below(width, r.low), other.high), high = fold(&subtract, above(width, r.high), other.low);
    low = isnan(low) ? -INFINITY : below(width, low);
    high = isnan(high) ? INFINITY : above(width, high);
    narrow(bounds, into, (Numbers){low, high, false}, reasons);
}

static void backward_arithmetic(Bounds *bounds, uint32_t at, const DagNode *node)
{
    Numbers r = *bounds__numbers(bounds, at), any = {-INFINITY, INFINITY, false};
    if (r.nan) return;
    narrow(bounds, node->a, any, bounds_reasons(bounds, at));
    if (node->kind == EXPR_FSQRT) {
        narrow(bounds, node->a, (Numbers){-0.0, INFINITY, false}, bounds_reasons(bounds, at));
        return;
    }
    narrow(bounds, node->b, any, bounds_reasons(bounds, at));
    if (bounds->empty || (node->kind != EXPR_FADD && node->kind != EXPR_FSUB)) return;
    Numbers a = *bounds__numbers(bounds, node->a), b = *bounds__numbers(bounds, node->b);
    U128 ra = bounds_reasons(bounds, at) | bounds_reasons(bounds, node->b),
         rb = bounds_reasons(bounds, at) | bounds_reasons(bounds, node->a);
    bool finite = r.low > -INFINITY || r.high < INFINITY;
    if (!finite) return;
    Numbers minus_b = {-b.high, -b.low, false};
    backward_term(bounds, at, node->a, node->kind == EXPR_FADD ? b : minus_b, ra);
    if (bounds->empty) return;
    if (node->kind == EXPR_FADD) backward_term(bounds, at, node->b, a, rb);
}

static void contract_arithmetic(Bounds *bounds, uint32_t at, const DagNode *node)
{
    if (!is_float(node->width)) return;
    bool unary = node->kind == EXPR_FSQRT;
    Numbers a = *bounds__numbers(bounds, node->a), b = unary ? a : *bounds__numbers(bounds, node->b);
    U128 reasons = bounds_reasons(bounds, node->a) | (unary ? 0 : bounds_reasons(bounds, node->b));
    narrow(bounds, at, result(node, &a, &b), reasons);
    if (!bounds->empty) backward_arithmetic(bounds, at, node);
}

/* ---- conversions ---- */

static void from_integer(Bounds *bounds, uint32_t at, const DagNode *node)
{
    unsigned width = node->width, source = node->source;
    if (!is_float(width) || source > 64) return;
    const Domain *a = bounds_at(bounds, node->a);
    bool signs = node->kind == EXPR_SITOF;
    U128 low = signs ? a->least ^ half_of(source) : a->low, high = signs ? a->most ^ half_of(source) : a->high;
    Numbers r = {number(width, expr_fold((ExprKind)node->kind, width, source, low, 0, 0)),
                 number(width, expr_fold((ExprKind)node->kind, width, source, high, 0, 0)), false};
    narrow(bounds, at, r, bounds_reasons(bounds, node->a));
    if (bounds->empty) return;
    Numbers x = *bounds__numbers(bounds, at);
    double exact = width == 32 ? 0x1p23 : 0x1p52; /* up to here nothing is rounded, and nothing beyond is rounded to here */
    I128 first = signs ? arith_sext(low, source) : (I128)low, last = signs ? arith_sext(high, source) : (I128)high;
    if (x.low > -exact && x.low < exact && (I128)ceil(x.low) > first) first = (I128)ceil(x.low);
    if (x.high > -exact && x.high < exact && (I128)floor(x.high) < last) last = (I128)floor(x.high);
    if (first > last) {
        bounds__conflict(bounds, bounds_reasons(bounds, at) | bounds_reasons(bounds, node->a));
        return;
    }
    Domain with = signs ? domain_of_signed(source, first, last) : domain_between(source, (U128)first, (U128)last);
    bounds__sharpen(bounds, node->a, &with, bounds_reasons(bounds, at));
}

/* Monotone as long as no value is out of the target's range. */
static void to_integer(Bounds *bounds, uint32_t at, const DagNode *node)
{
    unsigned width = node->width, source = node->source;
    if (!is_float(source) || width > 64) return;
    Numbers x = *bounds__numbers(bounds, node->a);
    bool signs = node->kind == EXPR_FTOSI;
    double limit = ldexp(1, (int)width - (signs ? 1 : 0));
    if (x.nan || no_number(&x) || x.low < (signs ? -limit : 0) || x.high >= limit) return;
    U128 low = expr_fold((ExprKind)node->kind, width, source, bits_of(source, x.low), 0, 0);
    U128 high = expr_fold((ExprKind)node->kind, width, source, bits_of(source, x.high), 0, 0);
    U128 sign = half_of(width);
    Domain with = signs ? domain_signed(width, low ^ sign, high ^ sign) : domain_between(width, low, high);
    bounds__sharpen(bounds, at, &with, bounds_reasons(bounds, node->a));
}

/* The nearest float of 32 bits.  Not by casts: GCC 12 makes vectors of pairs of (double)(float)x and drops the rounding. */
static double rounded(double value)
{
    return number(32, expr_fold(EXPR_FCONVERT, 32, 64, arith_bits64(value), 0, 0));
}

static void between_floats(Bounds *bounds, uint32_t at, const DagNode *node)
{
    unsigned width = node->width, source = node->source;
    if (!is_float(width) || !is_float(source)) return;
    Numbers x = *bounds__numbers(bounds, node->a);
    Numbers r = x;
    if (width == 32 && !no_number(&x)) r = (Numbers){rounded(x.low), rounded(x.high), x.nan};
    narrow(bounds, at, r, bounds_reasons(bounds, node->a));
    if (bounds->empty) return;
    r = *bounds__numbers(bounds, at);
    if (width == 64) { /* exact: the numbers are the same, cut to those of 32 bits */
        Numbers with = {rounded(r.low), rounded(r.high), r.nan};
        if (with.low < r.low) with.low = above(32, with.low);
        if (with.high > r.high) with.high = below(32, with.high);
        if (no_number(&r)) with = (Numbers){INFINITY, -INFINITY, true};
        narrow(bounds, node->a, with, bounds_reasons(bounds, at));
    } else if (!r.nan) {
        narrow(bounds, node->a, (Numbers){below(32, r.low), above(32, r.high), false}, bounds_reasons(bounds, at));
    }
}

/* The operand of a negation or of an absolute value, which are operations on bits; UINT32_MAX: it is neither. */
static uint32_t signless_operand(const Bounds *bounds, const DagNode *node)
{
    const DagNode *nodes = bounds->dag.nodes;
    if (!is_float(node->width)) return UINT32_MAX;
    if (node->kind == EXPR_XOR && nodes[node->b].kind == EXPR_CONST && expr_value(bounds->pool, nodes[node->b].e) == half_of(node->width))
        return node->a;
    if (node->kind != EXPR_ZEXT || node->source != node->width - 1 || nodes[node->a].kind != EXPR_EXTRACT || nodes[node->a].b != 0)
        return UINT32_MAX;
    return nodes[nodes[node->a].a].width == node->width ? nodes[node->a].a : UINT32_MAX;
}

static Numbers negated(Numbers x)
{
    return (Numbers){-x.high, -x.low, x.nan};
}

void bounds__contract_sign(Bounds *bounds, uint32_t at)
{
    const DagNode *node = &bounds->dag.nodes[at];
    uint32_t operand = signless_operand(bounds, node);
    if (operand == UINT32_MAX || (!bounds->at[at].numbers && !bounds->at[operand].numbers)) return;
    Numbers a = *bounds__numbers(bounds, operand), r = *bounds__numbers(bounds, at);
    U128 reasons = bounds_reasons(bounds, operand);
    if (node->kind == EXPR_XOR) {
        narrow(bounds, at, negated(a), reasons);
        narrow(bounds, operand, negated(r), bounds_reasons(bounds, at));
        return;
    }
    Numbers size = {a.low > 0 ? a.low : a.high < 0 ? -a.high : 0, a.high > -a.low ? a.high : -a.low, a.nan};
    if (no_number(&a)) size = a;
    narrow(bounds, at, size, reasons);
    narrow(bounds, operand, (Numbers){-r.high, r.high, r.nan}, bounds_reasons(bounds, at));
}

void bounds__contract_float(Bounds *bounds, uint32_t at)
{
    const DagNode *node = &bounds->dag.nodes[at];
    switch ((ExprKind)node->kind) {
    case EXPR_FEQ:
    case EXPR_FLT:
    case EXPR_FLE:
    case EXPR_FUNO:
        if (is_float(node->source)) contract_compare(bounds, at, node);
        return;
    case EXPR_FADD:
    case EXPR_FSUB:
    case EXPR_FMUL:
    case EXPR_FDIV:
    case EXPR_FSQRT: contract_arithmetic(bounds, at, node); return;
    case EXPR_SITOF:
    case EXPR_UITOF: from_integer(bounds, at, node); return;
    case EXPR_FTOSI:
    case EXPR_FTOUI: to_integer(bounds, at, node); return;
    case EXPR_FCONVERT: between_floats(bounds, at, node); return;
    default: return;
    }
}
