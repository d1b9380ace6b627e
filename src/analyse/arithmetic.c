/* Instructions on numbers of which something is known.  Small sets are computed element by element; else each part of a value by its own rule. */
#include "analyse/value.h"

enum { MOST_PAIRS = 1024 /* of elements to compute with one by one; guess */ };

static uint64_t mask(uint32_t width)
{
    return width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

static int64_t as_signed(uint64_t value, uint32_t width)
{
    return width >= 64 ? (int64_t)value : (int64_t)(value << (64 - width)) >> (64 - width);
}

/* ---- one by one ---- */

/* false: undefined (division by 0, shift too far), so that no result follows or any. */
static bool compute(Opcode op, uint32_t width, uint64_t a, uint64_t b, uint64_t *r)
{
    int64_t sa = as_signed(a, width), sb = as_signed(b, width);
    switch (op) {
    case OP_ADD: *r = a + b; break;
    case OP_SUB: *r = a - b; break;
    case OP_MUL: *r = a * b; break;
    case OP_AND: *r = a & b; break;
    case OP_OR: *r = a | b; break;
    case OP_XOR: *r = a ^ b; break;
    case OP_UDIV: *r = b ? a / b : 0; return b != 0;
    case OP_UREM: *r = b ? a % b : 0; return b != 0;
    case OP_SDIV:
        if (b == 0 || (sb == -1 && sa == as_signed((uint64_t)1 << (width - 1), width))) return false;
        *r = (uint64_t)(sa / sb);
        break;
    case OP_SREM:
        if (b == 0 || sb == -1) {
            *r = 0;
            return b != 0;
        }
        *r = (uint64_t)(sa % sb);
        break;
    case OP_SHL: *r = b < width ? a << b : 0; break;
    case OP_LSHR: *r = b < width ? a >> b : 0; break;
    case OP_ASHR: *r = b < width ? (uint64_t)(sa >> b) : 0; break;
    default: return false;
    }
    *r &= mask(width);
    return b < width || (op != OP_SHL && op != OP_LSHR && op != OP_ASHR);
}

static bool overflows(Opcode op, uint32_t width, uint64_t a, uint64_t b)
{
    I128 x = as_signed(a, width), y = as_signed(b, width), r = op == OP_ADD ? x + y : op == OP_SUB ? x - y : x * y;
    return r < as_signed((uint64_t)1 << (width - 1), width) || r > (I128)(mask(width) >> 1);
}

static bool insert(Value *v, uint64_t x)
{
    uint32_t at = 0;
    while (at < v->count && v->set[at] < x) at++;
    if (at < v->count && v->set[at] == x) return true;
    if (v->count == MOST_CONSTANTS) return false;
    memmove(v->set + at + 1, v->set + at, (v->count - at) * sizeof *v->set);
    v->set[at] = x;
    v->count++;
    return true;
}

static bool one_by_one(Opcode op, bool exclude, const Value *a, const Value *b, Value *v)
{
    if (!a->count || !b->count || a->count * b->count > MOST_PAIRS) return false;
    *v = value_top(a->width);
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++) {
            uint64_t r;
            if (exclude && overflows(op, a->width, a->set[i], b->set[k])) continue;
            if (!compute(op, a->width, a->set[i], b->set[k], &r)) return false;
            if (!insert(v, r)) return false;
        }
    return v->count && value_reduce(v);
}

/* A number is added to addresses or subtracted from them. */
static bool is_offset(Opcode op, const Value *a, const Value *b)
{
    return (op == OP_ADD && value_has_address(a) != value_has_address(b)) || (op == OP_SUB && !value_has_address(b));
}

/* ---- by parts ---- */

static void bound_unsigned(Value *v, I128 low, I128 high)
{
    if (low < 0 || high > (I128)mask(v->width) || low > high) return;
    v->ulo = (uint64_t)low;
    v->uhi = (uint64_t)high;
}

static void bound_signed(Value *v, I128 low, I128 high, bool exclude)
{
    I128 least = v->slo, most = v->shi; /* of the width: the value is new */
    if (exclude && low < least) low = least;
    if (exclude && high > most) high = most;
    if (low < least || high > most || low > high) return;
    v->slo = (int64_t)low;
    v->shi = (int64_t)high;
}

static I128 least_of(const I128 *x)
{
    I128 r = x[0];
    for (int i = 1; i < 4; i++) r = x[i] < r ? x[i] : r;
    return r;
}

static I128 most_of(const I128 *x)
{
    I128 r = x[0];
    for (int i = 1; i < 4; i++) r = x[i] > r ? x[i] : r;
    return r;
}

static void multiply(Value *v, const Value *a, const Value *b, bool exclude)
{
    I128 s[] = {(I128)a->slo * b->slo, (I128)a->slo * b->shi, (I128)a->shi * b->slo, (I128)a->shi * b->shi};
    bound_signed(v, least_of(s), most_of(s), exclude);
    U128 high = (U128)a->uhi * b->uhi;
    if (high <= mask(v->width)) bound_unsigned(v, (I128)((U128)a->ulo * b->ulo), (I128)high);
}

/* How many of the lowest bits are known. */
static uint32_t known_below(const Value *v)
{
    uint64_t unknown = ~(v->zeros | v->ones);
    return unknown ? (uint32_t)__builtin_ctzll(unknown) : 64;
}

static void low_bits(Value *v, Opcode op, const Value *a, const Value *b)
{
    uint32_t n = known_below(a) < known_below(b) ? known_below(a) : known_below(b);
    uint64_t r = op == OP_ADD   ? a->ones + b->ones
                 : op == OP_SUB ? a->ones - b->ones
                                : a->ones * b->ones,
             m = n >= 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
    if (op == OP_MUL) { /* a product has the zeros of both at its end */
        n = (uint32_t)(~a->zeros ? __builtin_ctzll(~a->zeros) : 64) + (uint32_t)(~b->zeros ? __builtin_ctzll(~b->zeros) : 64);
        v->zeros |= n >= 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
    }
    m &= mask(v->width);
    v->ones |= r & m;
    v->zeros |= ~r & m;
}

static void divide(Value *v, Opcode op, const Value *a, const Value *b)
{
    uint64_t magnitude;
    switch (op) {
    case OP_UDIV: bound_unsigned(v, b->uhi ? a->ulo / b->uhi : 0, b->ulo ? a->uhi / b->ulo : a->uhi); break;
    case OP_UREM:
        if (value_is_constant(b, &magnitude) && magnitude && !(magnitude & (magnitude - 1))) { /* the lowest bits */
            v->ones |= a->ones & (magnitude - 1);
            v->zeros |= a->zeros & (magnitude - 1);
        }
        if (a->uhi < b->ulo) bound_unsigned(v, a->ulo, a->uhi);
        else if (b->uhi) bound_unsigned(v, 0, a->uhi < b->uhi - 1 ? a->uhi : b->uhi - 1);
        break;
    case OP_SDIV:
        if (b->slo > 0) {
            I128 s[] = {a->slo / b->slo, a->slo / b->shi, a->shi / b->slo, a->shi / b->shi};
            bound_signed(v, least_of(s), most_of(s), false);
        }
        break;
    default:
        if (b->slo == as_signed((uint64_t)1 << (b->width - 1), b->width)) break;
        magnitude = (uint64_t)(b->shi > -b->slo ? b->shi : -b->slo);
        if (!magnitude) break;
        bound_signed(v, a->slo >= 0 ? 0 : -(I128)(magnitude - 1),
                     a->shi <= 0                    ? 0
                     : a->shi < (I128)magnitude - 1 ? a->shi
                                                    : (I128)magnitude - 1,
                     false);
        if (a->slo < 0 && -(I128)(magnitude - 1) < a->slo) v->slo = a->slo > v->slo ? a->slo : v->slo;
        break;
    }
}

static void shift(Value *v, Opcode op, const Value *a, uint64_t by)
{
    uint64_t m = mask(v->width);
    if (by >= v->width) return;
    if (op == OP_SHL) {
        if (((U128)a->uhi << by) <= m) bound_unsigned(v, (I128)((U128)a->ulo << by), (I128)((U128)a->uhi << by));
        v->ones |= (a->ones << by) & m;
        v->zeros |= ((a->zeros << by) | (((uint64_t)1 << by) - 1)) & m;
    } else if (op == OP_LSHR) {
        bound_unsigned(v, a->ulo >> by, a->uhi >> by);
    } else {
        bound_signed(v, a->slo >> by, a->shi >> by, false);
    }
}

static void combine_bits(Value *v, Opcode op, const Value *a, const Value *b)
{
    uint64_t m = mask(v->width);
    if (op == OP_AND) {
        v->ones = a->ones & b->ones;
        v->zeros |= (a->zeros | b->zeros) & m;
        bound_unsigned(v, 0, a->uhi < b->uhi ? a->uhi : b->uhi);
    } else if (op == OP_OR) {
        v->ones = a->ones | b->ones;
        v->zeros |= a->zeros & b->zeros & m;
        bound_unsigned(v, a->ulo > b->ulo ? a->ulo : b->ulo, m);
    } else {
        v->ones = ((a->ones & b->zeros) | (a->zeros & b->ones)) & m;
        v->zeros |= ((a->zeros & b->zeros) | (a->ones & b->ones)) & m;
    }
}

Value value_binary(Opcode op, uint32_t flags, bool exclude, const Value *a, const Value *b)
{
    Value v;
    uint64_t by;
    exclude = exclude && (flags & FLAG_NSW) && (op == OP_ADD || op == OP_SUB || op == OP_MUL);
    bool addresses = value_has_address(a) || value_has_address(b);
    if (addresses && !is_offset(op, a, b)) return value_top(a->width);
    if (one_by_one(op, exclude, a, b, &v)) return v;
    v = value_top(a->width);
    if (addresses) return v;
    switch (op) {
    case OP_ADD:
        bound_unsigned(&v, (I128)a->ulo + b->ulo, (I128)a->uhi + b->uhi);
        bound_signed(&v, (I128)a->slo + b->slo, (I128)a->shi + b->shi, exclude);
        low_bits(&v, op, a, b);
        break;
    case OP_SUB:
        bound_unsigned(&v, (I128)a->ulo - b->uhi, (I128)a->uhi - b->ulo);
        bound_signed(&v, (I128)a->slo - b->shi, (I128)a->shi - b->slo, exclude);
        low_bits(&v, op, a, b);
        break;
    case OP_MUL:
        multiply(&v, a, b, exclude);
        low_bits(&v, op, a, b);
        break;
    case OP_UDIV:
    case OP_UREM:
    case OP_SDIV:
    case OP_SREM: divide(&v, op, a, b); break;
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
        if (value_is_constant(b, &by)) shift(&v, op, a, by);
        else if (op == OP_LSHR && b->uhi < v.width) bound_unsigned(&v, 0, a->uhi >> b->ulo);
        break;
    case OP_AND:
    case OP_OR:
    case OP_XOR: combine_bits(&v, op, a, b); break;
    default: break;
    }
    return value_reduce(&v) ? v : value_top(a->width);
}

Value value_convert(Opcode op, uint32_t width, const Value *a)
{
    Value v = value_top(width);
    uint64_t m = mask(width);
    if (value_has_address(a)) return v;
    if (a->count) {
        for (uint32_t i = 0; i < a->count; i++) insert(&v, (op == OP_SEXT ? (uint64_t)as_signed(a->set[i], a->width) : a->set[i]) & m);
        value_reduce(&v);
        return v;
    }
    if (op == OP_TRUNC) {
        v.ones = a->ones & m;
        v.zeros |= a->zeros & m;
        if (a->uhi <= m) bound_unsigned(&v, a->ulo, a->uhi);
        if (a->slo >= v.slo && a->shi <= v.shi) bound_signed(&v, a->slo, a->shi, false);
    } else if (op == OP_ZEXT) {
        v.ones = a->ones;
        v.zeros = a->zeros;
        bound_unsigned(&v, a->ulo, a->uhi);
    } else {
        bound_signed(&v, a->slo, a->shi, false);
    }
    return value_reduce(&v) ? v : value_top(width);
}

/* ---- comparisons ---- */

Predicate predicate_not(Predicate p)
{
    static const Predicate nots[] = {
        [PRED_EQ] = PRED_NE,   [PRED_NE] = PRED_EQ,   [PRED_UGT] = PRED_ULE, [PRED_UGE] = PRED_ULT, [PRED_ULT] = PRED_UGE,
        [PRED_ULE] = PRED_UGT, [PRED_SGT] = PRED_SLE, [PRED_SGE] = PRED_SLT, [PRED_SLT] = PRED_SGE, [PRED_SLE] = PRED_SGT};
    return nots[p];
}

static bool remove_constant(Value *v, uint64_t x)
{
    if (v->count) {
        for (uint32_t i = 0; i < v->count; i++)
            if (v->set[i] == x) {
                memmove(v->set + i, v->set + i + 1, (v->count - i - 1) * sizeof *v->set);
                v->set[--v->count] = 0;
                break;
            }
        return v->count && value_reduce(v);
    }
    int64_t s = as_signed(x, v->width);
    if (v->ulo == x) v->ulo++;
    if (v->uhi == x && v->uhi) v->uhi--;
    if (v->slo == s && s < INT64_MAX) v->slo++;
    if (v->shi == s && s > INT64_MIN) v->shi--;
    return value_reduce(v);
}

static bool assume_less(Predicate p, Value *a, Value *b)
{
    if (value_has_address(a) || value_has_address(b)) return true;
    bool strict = p == PRED_ULT || p == PRED_SLT;
    if (p == PRED_ULT || p == PRED_ULE) {
        if (strict && (b->uhi == 0 || a->ulo == UINT64_MAX)) return false;
        if (a->uhi > b->uhi - strict) a->uhi = b->uhi - strict;
        if (b->ulo < a->ulo + strict) b->ulo = a->ulo + strict;
    } else {
        if (strict && (b->shi == INT64_MIN || a->slo == INT64_MAX)) return false;
        if (a->shi > b->shi - strict) a->shi = b->shi - strict;
        if (b->slo < a->slo + strict) b->slo = a->slo + strict;
    }
    return value_reduce(a) && value_reduce(b);
}

bool value_assume(Predicate p, Value *a, Value *b)
{
    uint64_t x;
    switch (p) {
    case PRED_EQ:
        if (!value_meet(a, b)) return false;
        *b = *a;
        return true;
    case PRED_NE:
        if (value_is_constant(b, &x)) return remove_constant(a, x);
        if (value_is_constant(a, &x)) return remove_constant(b, x);
        return true;
    case PRED_UGT: return assume_less(PRED_ULT, b, a);
    case PRED_UGE: return assume_less(PRED_ULE, b, a);
    case PRED_SGT: return assume_less(PRED_SLT, b, a);
    case PRED_SGE: return assume_less(PRED_SLE, b, a);
    default: return assume_less(p, a, b);
    }
}

int value_compare(Predicate p, const Value *a, const Value *b)
{
    Value x = *a, y = *b;
    if (!value_assume(p, &x, &y)) return 0;
    x = *a;
    y = *b;
    return value_assume(predicate_not(p), &x, &y) ? -1 : 1;
}
