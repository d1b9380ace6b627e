/* Domains: the two intervals, the known bits and the window of a node, made to agree.
 *
 * The ends of an interval move to the nearest value that has the known bits (exactly, not just by prefix), and the bits that both ends
 * of a half begin with become known.  All that leaves the set of values as it is: a value is only dropped if one of the parts forbids
 * it. */
#include "solve/bounds_int.h"

/* The least value >= from that has these bits; false if there is none up to the mask. */
static bool at_least(U128 mask, U128 zeros, U128 ones, U128 *from)
{
    U128 value = *from, bad = (value & zeros) | (~value & ones);
    if (!bad) return true;
    unsigned top = bit_length(bad) - 1;
    U128 bit = (U128)1 << top;
    if (!(ones & bit)) { /* a one where a zero belongs: some zero above it has to become one */
        U128 candidates = ~value & ~zeros & mask & ~(((U128)2 << top) - 1);
        if (!candidates) return false;
        bit = candidates & -candidates;
    }
    *from = (value & ~(bit | (bit - 1))) | bit | (ones & (bit - 1));
    return true;
}

static bool at_most(U128 mask, U128 zeros, U128 ones, U128 *from)
{
    U128 mirrored = mask - *from;
    if (!at_least(mask, ones, zeros, &mirrored)) return false;
    *from = mask - mirrored;
    return true;
}

/* Bits above the first one in which the ends differ. */
static U128 common_prefix(U128 mask, U128 low, U128 high)
{
    unsigned length = bit_length(low ^ high);
    return length >= 128 ? 0 : mask & ~(((U128)1 << length) - 1);
}

typedef struct Half {
    U128 low, high;
    bool any;
} Half;

static Half clear_half(U128 sign, const Domain *d)
{
    Half half = {d->low, d->high < sign ? d->high : sign - 1, d->most >= sign};
    if (d->least > sign && (d->least ^ sign) > half.low) half.low = d->least ^ sign;
    if ((d->most ^ sign) < half.high && half.any) half.high = d->most ^ sign;
    half.any = half.any && half.low <= half.high;
    return half;
}

static Half set_half(U128 sign, const Domain *d)
{
    Half half = {d->low > sign ? d->low : sign, d->high, d->least < sign};
    if (half.any && (d->least ^ sign) > half.low) half.low = d->least ^ sign;
    if (d->most < sign && (d->most ^ sign) < half.high) half.high = d->most ^ sign;
    half.any = half.any && half.low <= half.high;
    return half;
}

static void from_halves(U128 sign, Half clear, Half set, Domain *d)
{
    assert(clear.any || set.any);
    d->low = clear.any ? clear.low : set.low;
    d->high = set.any ? set.high : clear.high;
    d->least = (set.any ? set.low : clear.low) ^ sign;
    d->most = (clear.any ? clear.high : set.high) ^ sign;
}

static void settle_half(U128 mask, U128 zeros, U128 ones, Half *half)
{
    if (!half->any) return;
    half->any = !(zeros & ones) && at_least(mask, zeros, ones, &half->low) && at_most(mask, zeros, ones, &half->high) &&
                half->low <= half->high;
}

static bool settle_bit(Domain *d)
{
    bool zero = !d->ones && !d->low && d->most, one = !d->zeros && d->high && !d->least;
    if (zero && one) *d = domain_all(1);
    else *d = domain_value(1, one);
    return zero || one;
}

bool domain_settle(unsigned width, Domain *d)
{
    U128 mask = arith_mask(width), sign = half_of(width);
    if (width == 1) return settle_bit(d);
    if (d->low == d->high) {
        U128 value = d->low;
        bool has = domain_has(width, d, value);
        *d = domain_value(width, value);
        return has;
    }
    for (unsigned round = 0; round < 4; round++) {
        if (d->zeros & d->ones) return false;
        Half clear = clear_half(sign, d), set = set_half(sign, d);
        settle_half(mask, d->zeros | sign, d->ones, &clear);
        settle_half(mask, d->zeros, d->ones | sign, &set);
        if (!clear.any && !set.any) return false;
        from_halves(sign, clear, set, d);
        U128 zeros = ~(U128)0, ones = ~(U128)0;
        if (clear.any) {
            U128 prefix = common_prefix(mask, clear.low, clear.high);
            zeros &= ~clear.low & prefix;
            ones &= clear.low & prefix;
        }
        if (set.any) {
            U128 prefix = common_prefix(mask, set.low, set.high);
            zeros &= ~set.low & prefix;
            ones &= set.low & prefix;
        }
        if (!(zeros & ~d->zeros) && !(ones & ~d->ones)) return true;
        d->zeros |= zeros;
        d->ones |= ones;
    }
    return !(d->zeros & d->ones);
}

bool domain_has(unsigned width, const Domain *d, U128 value)
{
    U128 flipped = value ^ half_of(width);
    return !(value & d->zeros) && !(~value & d->ones) && d->low <= value && value <= d->high && d->least <= flipped && flipped <= d->most;
}

bool domain_disjoint(unsigned width, const Domain *a, const Domain *b)
{
    if ((a->zeros & b->ones) | (a->ones & b->zeros)) return true;
    if (a->high < b->low || b->high < a->low || a->most < b->least || b->most < a->least) return true;
    Domain both = {.low = a->low > b->low ? a->low : b->low,
                   .high = a->high < b->high ? a->high : b->high,
                   .least = a->least > b->least ? a->least : b->least,
                   .most = a->most < b->most ? a->most : b->most};
    U128 sign = half_of(width);
    return !clear_half(sign, &both).any && !set_half(sign, &both).any;
}

static Half half_union(Half a, Half b)
{
    if (!a.any || !b.any) return a.any ? a : b;
    return (Half){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high, true};
}

Domain domain_union(unsigned width, const Domain *a, const Domain *b)
{
    U128 sign = half_of(width);
    Domain d = {.zeros = a->zeros & b->zeros, .ones = a->ones & b->ones};
    from_halves(sign, half_union(clear_half(sign, a), clear_half(sign, b)), half_union(set_half(sign, a), set_half(sign, b)), &d);
    return d;
}

Circle domain_circle(unsigned width, const Domain *d)
{
    U128 size = d->high - d->low, across = d->most - d->least;
    return size <= across ? (Circle){d->low, size} : (Circle){d->least ^ half_of(width), across};
}

static void cut_half(Half *half, U128 first, U128 last)
{
    if (!half->any) return;
    if (first <= last) {
        if (half->low < first) half->low = first;
        if (half->high > last) half->high = last;
    } else {
        if (half->low > last && half->low < first) half->low = first;
        if (half->high > last && half->high < first) half->high = last;
    }
    half->any = half->low <= half->high;
}

bool domain_cut(unsigned width, Domain *d, Circle circle)
{
    U128 mask = arith_mask(width), sign = half_of(width), last = (circle.first + circle.size) & mask;
    if (circle.size >= mask) return true;
    Half clear = clear_half(sign, d), set = set_half(sign, d);
    cut_half(&clear, circle.first, last);
    cut_half(&set, circle.first, last);
    if (!clear.any && !set.any) return false;
    from_halves(sign, clear, set, d);
    return true;
}

/* ---- windows ---- */

bool window_has(const Window *window, unsigned width, U128 value)
{
    U128 i = (value - window->base) & arith_mask(width);
    return i < 256 && (window->bits[i >> 6] >> (i & 63) & 1);
}

/* Keeps the bits first … last of the set in `into`. */
static void add_range(uint64_t *into, const uint64_t *set, unsigned first, unsigned last)
{
    for (unsigned i = first >> 6; i <= last >> 6; i++) {
        uint64_t word = set[i];
        if (i == first >> 6) word &= ~(uint64_t)0 << (first & 63);
        if (i == last >> 6) word &= ~(uint64_t)0 >> (63 - (last & 63));
        into[i] |= word;
    }
}

static unsigned set_first(const uint64_t *set)
{
    unsigned i = 0;
    while (!set[i]) i++;
    return i * 64 + (unsigned)__builtin_ctzll(set[i]);
}

static unsigned set_last(const uint64_t *set)
{
    unsigned i = 3;
    while (!set[i]) i--;
    return i * 64 + 63 - (unsigned)__builtin_clzll(set[i]);
}

/* The part of the window that lies in a half becomes the half's hull and is added to `kept`. */
static void window_half(const Window *window, U128 mask, Half *half, uint64_t *kept)
{
    if (!half->any) return;
    uint64_t early[4] = {0}, late[4] = {0}; /* late: what lies beyond the place where the window passes zero */
    U128 first = (half->low - window->base) & mask, size = half->high - half->low;
    if (first < 256) add_range(early, window->bits, (unsigned)first, size > 255 - first ? 255 : (unsigned)(first + size));
    if (first && size > mask - first) {
        U128 beyond = size - (mask - first) - 1;
        add_range(late, window->bits, 0, beyond > 255 ? 255 : (unsigned)beyond);
    }
    bool any_early = !set_empty(early), any_late = !set_empty(late);
    half->any = any_early || any_late;
    if (!half->any) return;
    half->low = (window->base + set_first(any_early ? early : late)) & mask;
    half->high = (window->base + set_last(any_late ? late : early)) & mask;
    for (int i = 0; i < 4; i++) kept[i] |= early[i] | late[i];
}

static const uint64_t bit_patterns[8][4] = {
    {0xaaaaaaaaaaaaaaaa, 0xaaaaaaaaaaaaaaaa, 0xaaaaaaaaaaaaaaaa, 0xaaaaaaaaaaaaaaaa},
    {0xcccccccccccccccc, 0xcccccccccccccccc, 0xcccccccccccccccc, 0xcccccccccccccccc},
    {0xf0f0f0f0f0f0f0f0, 0xf0f0f0f0f0f0f0f0, 0xf0f0f0f0f0f0f0f0, 0xf0f0f0f0f0f0f0f0},
    {0xff00ff00ff00ff00, 0xff00ff00ff00ff00, 0xff00ff00ff00ff00, 0xff00ff00ff00ff00},
    {0xffff0000ffff0000, 0xffff0000ffff0000, 0xffff0000ffff0000, 0xffff0000ffff0000},
    {0xffffffff00000000, 0xffffffff00000000, 0xffffffff00000000, 0xffffffff00000000},
    {0, ~(uint64_t)0, 0, ~(uint64_t)0},
    {0, 0, ~(uint64_t)0, ~(uint64_t)0},
};

/* Known bits of a window from zero and of its domain. */
static void window_bits(Window *window, unsigned width, Domain *d)
{
    for (unsigned bit = 0; bit < 8 && bit < width; bit++) {
        const uint64_t *pattern = bit_patterns[bit];
        U128 value = (U128)1 << bit;
        bool zero = false, one = false;
        for (int i = 0; i < 4; i++) {
            if (d->zeros & value) window->bits[i] &= ~pattern[i];
            if (d->ones & value) window->bits[i] &= pattern[i];
            zero |= (window->bits[i] & ~pattern[i]) != 0;
            one |= (window->bits[i] & pattern[i]) != 0;
        }
        if (!one) d->zeros |= value;
        if (!zero) d->ones |= value;
    }
}

bool window_settle(Window *window, unsigned width, Domain *d)
{
    U128 mask = arith_mask(width), sign = half_of(width);
    for (unsigned round = 0; round < 3; round++) {
        Domain before = *d;
        uint64_t kept[4] = {0};
        if (window->base == 0) window_bits(window, width, d);
        Half clear = clear_half(sign, d), set = set_half(sign, d);
        window_half(window, mask, &clear, kept);
        window_half(window, mask, &set, kept);
        if (!clear.any && !set.any) return false;
        memcpy(window->bits, kept, sizeof kept);
        from_halves(sign, clear, set, d);
        if (!domain_settle(width, d)) return false;
        if (!memcmp(&before, d, sizeof before)) break;
    }
    return true;
}
