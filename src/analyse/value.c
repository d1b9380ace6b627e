/* Numbers of which something is known. */
#include "analyse/value.h"

#include <stdlib.h>

static uint64_t mask(uint32_t width)
{
    return width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

static int64_t as_signed(uint64_t value, uint32_t width)
{
    return width >= 64 ? (int64_t)value : (int64_t)(value << (64 - width)) >> (64 - width);
}

static int64_t signed_min(uint32_t width)
{
    return as_signed((uint64_t)1 << (width - 1), width);
}

static int64_t signed_max(uint32_t width)
{
    return (int64_t)(mask(width) >> 1);
}

/* ---- making ---- */

Value value_top(uint32_t width)
{
    assert(width >= 1 && width <= 64);
    return (Value){.uhi = mask(width), .zeros = ~mask(width), .slo = signed_min(width), .shi = signed_max(width), .width = width};
}

Value value_constant(uint32_t width, uint64_t constant)
{
    Value v = value_top(width);
    v.count = 1;
    v.set[0] = constant & mask(width);
    value_reduce(&v);
    return v;
}

Value value_unsigned(uint32_t width, uint64_t low, uint64_t high)
{
    Value v = value_top(width);
    assert(low <= high && high <= mask(width));
    v.ulo = low;
    v.uhi = high;
    value_reduce(&v);
    return v;
}

Value value_signed(uint32_t width, int64_t low, int64_t high)
{
    Value v = value_top(width);
    assert(low <= high);
    v.slo = low;
    v.shi = high;
    value_reduce(&v);
    return v;
}

bool value_is_constant(const Value *v, uint64_t *constant)
{
    *constant = v->set[0];
    return v->count == 1;
}

/* ---- addresses ---- */

enum { ADDRESS_TAG = 0x7a, OFFSET_BITS = 34, INDEX_BITS = 14, LEVEL_BITS = 7 };

bool address_encode(AddressParts p, uint64_t *constant)
{
    int64_t half = (int64_t)1 << (OFFSET_BITS - 1);
    if (p.offset < -half || p.offset >= half || p.index >> INDEX_BITS || p.level >> LEVEL_BITS) return false;
    *constant = (uint64_t)ADDRESS_TAG << 56 | (uint64_t)p.function << (OFFSET_BITS + INDEX_BITS + LEVEL_BITS) |
                (uint64_t)p.level << (OFFSET_BITS + INDEX_BITS) | (uint64_t)p.index << OFFSET_BITS | (uint64_t)(p.offset + half);
    return true;
}

bool address_decode(uint64_t x, AddressParts *p)
{
    if (x >> 56 != ADDRESS_TAG) return false;
    p->function = x >> (OFFSET_BITS + INDEX_BITS + LEVEL_BITS) & 1;
    p->level = (uint32_t)(x >> (OFFSET_BITS + INDEX_BITS)) & ((1u << LEVEL_BITS) - 1);
    p->index = (uint32_t)(x >> OFFSET_BITS) & ((1u << INDEX_BITS) - 1);
    p->offset = (int64_t)(x & (((uint64_t)1 << OFFSET_BITS) - 1)) - ((int64_t)1 << (OFFSET_BITS - 1));
    return true;
}

bool value_has_address(const Value *v)
{
    for (uint32_t i = 0; v->width == 64 && i < v->count; i++)
        if (v->set[i] >> 56 == ADDRESS_TAG) return true;
    return false;
}

/* ---- reduction ---- */

static bool allows(const Value *v, uint64_t x)
{
    int64_t s = as_signed(x, v->width);
    return x >= v->ulo && x <= v->uhi && s >= v->slo && s <= v->shi && !(x & v->zeros) && (x & v->ones) == v->ones;
}

static bool reduce_set(Value *v)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < v->count; i++)
        if (allows(v, v->set[i])) v->set[kept++] = v->set[i];
    for (uint32_t i = kept; i < MOST_CONSTANTS; i++) v->set[i] = 0;
    v->count = kept;
    if (!kept) return false;
    v->ulo = v->set[0];
    v->uhi = v->set[kept - 1];
    v->ones = mask(v->width);
    v->zeros = UINT64_MAX;
    v->slo = INT64_MAX;
    v->shi = INT64_MIN;
    for (uint32_t i = 0; i < kept; i++) {
        int64_t s = as_signed(v->set[i], v->width);
        v->ones &= v->set[i];
        v->zeros &= ~v->set[i];
        if (s < v->slo) v->slo = s;
        if (s > v->shi) v->shi = s;
    }
    return true;
}

/* One round; the parts sharpen each other. */
static void sharpen(Value *v)
{
    uint64_t half = (uint64_t)1 << (v->width - 1), m = mask(v->width);
    if (v->ulo >= half || v->uhi < half) { /* one sign: both orders agree */
        int64_t low = as_signed(v->ulo, v->width), high = as_signed(v->uhi, v->width);
        if (low > v->slo) v->slo = low;
        if (high < v->shi) v->shi = high;
    }
    if (v->slo >= 0 || v->shi < 0) {
        uint64_t low = (uint64_t)v->slo & m, high = (uint64_t)v->shi & m;
        if (low > v->ulo) v->ulo = low;
        if (high < v->uhi) v->uhi = high;
    }
    if (v->ones > v->ulo) v->ulo = v->ones;
    if ((m & ~v->zeros) < v->uhi) v->uhi = m & ~v->zeros;
    if (v->ulo > v->uhi) return;
    uint64_t differing = v->ulo ^ v->uhi, below = differing ? UINT64_MAX >> __builtin_clzll(differing) : 0; /* bits that may differ */
    v->ones |= v->ulo & ~below;
    v->zeros |= ~v->ulo & ~below;
}

bool value_reduce(Value *v)
{
    if (v->count) return reduce_set(v);
    for (int i = 0; i < 2; i++) sharpen(v);
    if (v->ulo > v->uhi || v->slo > v->shi || (v->zeros & v->ones)) return false;
    if (v->uhi - v->ulo >= 8) return true;
    for (uint64_t x = v->ulo;; x++) { /* so few that they are listed */
        if (allows(v, x)) v->set[v->count++] = x;
        if (x == v->uhi) break;
    }
    return v->count && reduce_set(v);
}

void value_list(Value *v)
{
    bool small = v->uhi - v->ulo < MOST_CONSTANTS;
    if (v->count || (!small && (uint64_t)v->shi - (uint64_t)v->slo >= MOST_CONSTANTS)) return;
    uint64_t first = small ? v->ulo : (uint64_t)v->slo, last = small ? v->uhi : (uint64_t)v->shi;
    Value set = value_constant(v->width, first);
    for (uint64_t x = first; x != last;) {
        Value next = value_constant(v->width, ++x);
        set = value_join(&set, &next);
    }
    if (value_meet(&set, v)) *v = set;
}

bool value_meet(Value *v, const Value *with)
{
    assert(v->width == with->width);
    Value kept = *v;
    if (with->count && (!v->count || with->count < v->count)) {
        memcpy(v->set, with->set, sizeof v->set);
        v->count = with->count;
    }
    const Value *sides[] = {&kept, with};
    for (int i = 0; i < 2; i++) {
        const Value *o = sides[i];
        if (o->ulo > v->ulo) v->ulo = o->ulo;
        if (o->uhi < v->uhi) v->uhi = o->uhi;
        if (o->slo > v->slo) v->slo = o->slo;
        if (o->shi < v->shi) v->shi = o->shi;
        v->zeros |= o->zeros;
        v->ones |= o->ones;
    }
    if (kept.count && with->count) { /* only what both list */
        uint32_t n = 0;
        const Value *other = v->count == kept.count && memcmp(v->set, kept.set, sizeof v->set) == 0 ? with : &kept;
        for (uint32_t i = 0; i < v->count; i++)
            for (uint32_t k = 0; k < other->count; k++)
                if (other->set[k] == v->set[i]) {
                    v->set[n++] = v->set[i];
                    break;
                }
        for (uint32_t i = n; i < MOST_CONSTANTS; i++) v->set[i] = 0;
        v->count = n;
        if (!n) return false;
    }
    return value_reduce(v);
}

/* The union of two sets, 0 elements if it is too large. */
static uint32_t unite(const Value *a, const Value *b, uint64_t *set)
{
    uint32_t n = 0, i = 0, k = 0;
    if (!a->count || !b->count) return 0;
    while (i < a->count || k < b->count) {
        if (n == MOST_CONSTANTS) return 0;
        bool from_a = k == b->count || (i < a->count && a->set[i] <= b->set[k]);
        uint64_t x = from_a ? a->set[i] : b->set[k];
        if (i < a->count && a->set[i] == x) i++;
        if (k < b->count && b->set[k] == x) k++;
        set[n++] = x;
    }
    return n;
}

static Value hull(const Value *a, const Value *b)
{
    Value v = {.width = a->width};
    v.ulo = a->ulo < b->ulo ? a->ulo : b->ulo;
    v.uhi = a->uhi > b->uhi ? a->uhi : b->uhi;
    v.slo = a->slo < b->slo ? a->slo : b->slo;
    v.shi = a->shi > b->shi ? a->shi : b->shi;
    v.zeros = a->zeros & b->zeros;
    v.ones = a->ones & b->ones;
    return v;
}

Value value_join(const Value *a, const Value *b)
{
    Value v = hull(a, b);
    v.count = unite(a, b, v.set);
    if (!v.count && (value_has_address(a) || value_has_address(b))) return value_top(a->width);
    if (!v.count) memset(v.set, 0, sizeof v.set);
    value_reduce(&v);
    return v;
}

/* ---- widening ---- */

static uint64_t constant_below(const Values *values, uint64_t x)
{
    uint64_t best = 0;
    for (uint32_t i = 0; i < values->constants.len && values->constants.data[i] <= x; i++) best = values->constants.data[i];
    return best;
}

static uint64_t constant_above(const Values *values, uint64_t x, uint64_t most)
{
    for (uint32_t i = 0; i < values->constants.len; i++)
        if (values->constants.data[i] >= x) return values->constants.data[i] < most ? values->constants.data[i] : most;
    return most;
}

static bool all_of_program(const Values *values, const Value *v)
{
    for (uint32_t i = 0; i < v->count; i++)
        if (constant_below(values, v->set[i]) != v->set[i]) return false;
    return v->count > 0;
}

/* The bounds that grew go on to the next number that the program mentions, or to the end. */
Value value_widen(const Values *values, const Value *old, const Value *new)
{
    Value joined = value_join(old, new);
    if (all_of_program(values, &joined) || value_has_address(old) || value_has_address(new)) return joined;
    Value v = hull(old, new);
    uint64_t m = mask(v.width);
    if (v.ulo < old->ulo) v.ulo = constant_below(values, v.ulo);
    if (v.uhi > old->uhi) v.uhi = constant_above(values, v.uhi, m);
    if (v.slo < old->slo) { /* constants of the program are kept without sign; of negative numbers the magnitude is looked up */
        uint64_t magnitude = constant_above(values, (uint64_t) - (v.slo + 1), INT64_MAX);
        v.slo = v.slo >= 0                                  ? (int64_t)constant_below(values, (uint64_t)v.slo)
                : magnitude > (uint64_t)signed_max(v.width) ? signed_min(v.width)
                                                            : -(int64_t)magnitude - 1;
    }
    if (v.shi > old->shi) v.shi = v.shi < 0 ? 0 : (int64_t)constant_above(values, (uint64_t)v.shi, (uint64_t)signed_max(v.width));
    if (v.zeros != old->zeros) v.zeros = ~m;
    if (v.ones != old->ones) v.ones = 0;
    value_reduce(&v);
    return v;
}

/* ---- keeping ---- */

static int compare_numbers(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

void values_init(Values *values, const Program *program)
{
    *values = (Values){0};
    vec_push(&values->list, (Value){0});
    vec_push(&values->next, 0);
    for (uint32_t i = 0; i < program->const_count; i++) {
        const Const *c = &program->consts[i];
        if (c->width > 64 || c->symbol || c->undef) continue;
        for (int by = -1; by <= 1; by++) vec_push(&values->constants, ((uint64_t)c->value + (uint64_t)by) & mask(c->width));
    }
    for (uint32_t f = 0; f < program->function_count; f++)
        for (uint32_t s = 0; s < program->functions[f].switch_count; s++)
            for (uint32_t i = 0; i < program->functions[f].switches[s].case_count; i++)
                vec_push(&values->constants, (uint64_t)program->functions[f].switches[s].cases[i].value);
    uint32_t n = 0;
    if (values->constants.len) qsort(values->constants.data, values->constants.len, sizeof(uint64_t), compare_numbers);
    for (uint32_t i = 0; i < values->constants.len; i++)
        if (n == 0 || values->constants.data[n - 1] != values->constants.data[i]) values->constants.data[n++] = values->constants.data[i];
    values->constants.len = n;
}

void values_release(Values *values)
{
    vec_release(&values->list);
    vec_release(&values->next);
    vec_release(&values->constants);
    map_release(&values->first);
}

static bool is_top(const Value *v)
{
    return !v->count && v->ulo == 0 && v->uhi == mask(v->width) && v->slo == signed_min(v->width) && v->shi == signed_max(v->width) &&
           !v->ones && v->zeros == ~mask(v->width);
}

uint32_t values_keep(Values *values, const Value *value)
{
    if (is_top(value)) return 0;
    uint64_t hash = hash_bytes(value, sizeof *value);
    const uint64_t *first = map_find(&values->first, hash);
    for (uint32_t id = first ? (uint32_t)*first : 0; id; id = vec_at(&values->next, id))
        if (memcmp(&vec_at(&values->list, id), value, sizeof *value) == 0) return id;
    vec_push(&values->next, first ? (uint32_t)*first : 0);
    map_put(&values->first, hash, values->list.len);
    vec_push(&values->list, *value);
    return values->list.len - 1;
}

Value values_get(const Values *values, uint32_t id, uint32_t width)
{
    if (!id || vec_at(&values->list, id).width != width) return value_top(width);
    return vec_at(&values->list, id);
}
