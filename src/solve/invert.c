/* Inverses of the integer operators.
 *
 * After "Precise and complete propagation based local search for satisfiability modulo theories" (Niemetz, Preiner, Biere, CAV 2016),
 * with two differences: where several values do, the one that keeps most of the operand's present bits is preferred, because the rest of
 * the path was satisfied with those; and where none does, invert_near gives the value that comes closest, so that sums of digits and the
 * like are approached step by step. */
#include "base/arith.h"
#include "solve/invert.h"

ExprKnown invert_all(unsigned width)
{
    return (ExprKnown){0, 0, 0, arith_mask(width)};
}

bool invert_fits(const ExprKnown *known, U128 value)
{
    return !(value & known->zeros) && !(known->ones & ~value) && known->low <= value && value <= known->high;
}

U128 invert_fit(const ExprKnown *known, U128 value)
{
    U128 result = value < known->low ? known->low : value > known->high ? known->high : value;
    return (result | known->ones) & ~known->zeros;
}

U128 invert_result(const Inversion *inv, U128 value)
{
    U128 a = inv->operand ? inv->y : value, b = inv->operand ? value : inv->y;
    return expr_fold(inv->kind, inv->width, inv->source, a, b, 0);
}

static U128 random_word(Random *random, unsigned width)
{
    U128 value = random_next(random);
    if (width > 64) value = value << 64 | random_next(random);
    return value & arith_mask(width);
}

U128 invert_random_size(Random *random, unsigned width)
{
    U128 word = random_word(random, width);
    return word >> random_below(random, width);
}

/* Uniform in [low, high]. */
static U128 random_between(Random *random, U128 low, U128 high)
{
    assert(low <= high);
    U128 size = high - low + 1;
    if (!size) return random_word(random, 128);
    if (!(size >> 64)) return low + random_below(random, (uint64_t)size);
    return low + random_word(random, 128) % size;
}

static bool is_random(const Inversion *inv)
{
    return inv->style > 1;
}

static unsigned zeros_below(U128 value, unsigned width)
{
    if (!value) return width;
    uint64_t low = (uint64_t)value;
    return low ? (unsigned)__builtin_ctzll(low) : 64 + (unsigned)__builtin_ctzll((uint64_t)(value >> 64));
}

static unsigned ones_of(U128 value)
{
    return (unsigned)(__builtin_popcountll((uint64_t)value) + __builtin_popcountll((uint64_t)(value >> 64)));
}

/* ---- a choice in an interval ---- */

/* A value of [low, high] in the order given by flipping `bias`, preferably one that fits what is known. */
static bool choose_between(const Inversion *inv, U128 low, U128 high, U128 bias, U128 *value)
{
    const ExprKnown *known = &inv->known;
    if (!((known->low ^ known->high) & bias)) { /* the interval of the known values is one in this order too */
        U128 known_low = known->low ^ bias, known_high = known->high ^ bias;
        if (known_low > low) low = known_low;
        if (known_high < high) high = known_high;
    }
    if (low > high) return false;
    U128 x = inv->x ^ bias, near = x < low ? low : x > high ? high : x;
    for (unsigned try = 0; try < 8; try++) {
        U128 pick = try == 6 ? high : near;
        if (try < 6 && (try || is_random(inv))) {
            uint64_t how = random_below(inv->random, 3);
            U128 step = invert_random_size(inv->random, inv->size);
            if (how == 0) pick = random_between(inv->random, low, high);
            else if (near == low) pick = step > high - low ? high : low + step;
            else pick = step > near - low ? low : near - step;
        }
        *value = pick ^ bias;
        if (invert_fits(known, *value)) return true;
        *value = invert_fit(known, *value);
        U128 fitted = *value ^ bias;
        if (fitted >= low && fitted <= high && invert_fits(known, *value)) return true;
    }
    return false;
}

/* Comparisons are intervals of the operand that changes: from the least value, or up to the greatest. */
static bool invert_order(const Inversion *inv, U128 *value)
{
    bool is_signed = inv->kind == EXPR_SLT || inv->kind == EXPR_SLE, strict = inv->kind == EXPR_ULT || inv->kind == EXPR_SLT;
    U128 bias = is_signed ? (U128)1 << (inv->size - 1) : 0, y = inv->y ^ bias, top = arith_mask(inv->size);
    bool below = (bool)inv->target == (inv->operand == 0); /* is x to be on the lower side of y? */
    bool with_y = strict != (bool)inv->target;             /* is y itself one of the values? */
    if (below) {
        if (!with_y && y == 0) return false;
        return choose_between(inv, 0, with_y ? y : y - 1, bias, value);
    }
    if (!with_y && y == top) return false;
    return choose_between(inv, with_y ? y : y + 1, top, bias, value);
}

static bool invert_equal(const Inversion *inv, U128 *value)
{
    *value = inv->y;
    if (inv->target) return true;
    U128 mask = arith_mask(inv->size);
    for (unsigned try = 0; try < 8; try++) {
        if (try == 0 && !is_random(inv)) *value = (inv->y + 1) & mask;
        else if (try == 1 && !is_random(inv)) *value = (inv->y - 1) & mask;
        else *value = (inv->y + 1 + invert_random_size(inv->random, inv->size)) & mask;
        if (*value != inv->y && invert_fits(&inv->known, *value)) return true;
    }
    *value = ~inv->y & mask;
    return true;
}

/* ---- products and quotients ---- */

/* The inverse of an odd number modulo 2^128: Newton doubles the number of right bits. */
static U128 odd_inverse(U128 odd)
{
    assert(odd & 1);
    U128 x = odd;
    for (int i = 0; i < 7; i++) x *= 2 - odd * x;
    return x;
}

/* For an even factor the upper bits are free. */
static bool invert_mul(const Inversion *inv, U128 *value)
{
    unsigned width = inv->width;
    U128 mask = arith_mask(width);
    if (!inv->y) {
        *value = inv->x;
        return !inv->target;
    }
    unsigned zeros = zeros_below(inv->y, width);
    if (zeros_below(inv->target, width) < zeros) return false;
    U128 fixed = arith_mask(width - zeros), low = (inv->target >> zeros) * odd_inverse(inv->y >> zeros) & fixed;
    *value = low;
    for (unsigned try = 0; try < 4 && !invert_fits(&inv->known, *value); try++) {
        U128 upper = try == 0 ? inv->x : try == 1 ? mask : random_word(inv->random, width);
        *value = low | (upper & mask & ~fixed);
    }
    return true;
}

static bool invert_udiv(const Inversion *inv, U128 *value)
{
    U128 mask = arith_mask(inv->width), t = inv->target, y = inv->y;
    if (inv->operand == 0) {
        if (!y) {
            *value = inv->x;
            return t == mask;
        }
        if (t && y > mask / t) return false;
        U128 low = t * y, high = y - 1 > mask - low ? mask : low + (y - 1);
        return choose_between(inv, low, high, 0, value) || (*value = low, true);
    }
    if (t == mask) {
        *value = y == mask && is_random(inv);
        return true;
    }
    if (t > y || (!t && y == mask)) return false;
    U128 low = y / (t + 1) + 1, high = t ? y / t : mask;
    if (low > high) return false;
    return choose_between(inv, low, high, 0, value) || (*value = low, true);
}

static bool invert_urem(const Inversion *inv, U128 *value)
{
    U128 mask = arith_mask(inv->width), t = inv->target, y = inv->y;
    *value = t;
    if (inv->operand == 0) {
        if (!y) return true;
        if (t >= y) return false;
        U128 base = inv->x / y * y;
        if (is_random(inv)) base = random_word(inv->random, inv->width) / y * y;
        if (base <= mask - t) *value = base + t;
        if (!invert_fits(&inv->known, *value)) *value = t;
        return true;
    }
    *value = 0;
    if (y == t) {
        if (y < mask && is_random(inv)) *value = random_between(inv->random, y + 1, mask);
        return true;
    }
    if (y < t || y - t <= t) return false;
    *value = y - t;
    for (U128 part = 2; part < 10 && is_random(inv); part++) /* a smaller divisor, now and then */
        if (!((y - t) % part) && (y - t) / part > t && random_below(inv->random, 2)) *value = (y - t) / part;
    return true;
}

static U128 magnitude(U128 value, unsigned width)
{
    return value >> (width - 1) & 1 ? -value & arith_mask(width) : value;
}

static bool try_value(const Inversion *inv, U128 candidate, U128 *value)
{
    candidate &= arith_mask(inv->size);
    if (invert_result(inv, candidate) != inv->target) return false;
    *value = candidate;
    return true;
}

static bool try_both_signs(const Inversion *inv, U128 candidate, U128 *value)
{
    return try_value(inv, candidate, value) || try_value(inv, -candidate, value);
}

static bool invert_sdiv(const Inversion *inv, U128 *value)
{
    unsigned width = inv->width;
    U128 t = magnitude(inv->target, width), y = magnitude(inv->y, width), half = (U128)1 << (width - 1);
    if (inv->operand == 0) {
        if (!inv->y) return try_value(inv, inv->x, value) || try_value(inv, 0, value) || try_value(inv, half, value);
        if (t && y > half / t) return false;
        if (is_random(inv) && try_both_signs(inv, t * y + random_between(inv->random, 0, y - 1), value)) return true;
        return try_both_signs(inv, t * y, value);
    }
    if (try_value(inv, 0, value)) return true;
    U128 low = y / (t + 1) + 1, high = t ? y / t : half;
    if (low > high) return false;
    if (is_random(inv) && try_both_signs(inv, random_between(inv->random, low, high), value)) return true;
    return try_both_signs(inv, low, value) || try_both_signs(inv, high, value) || try_both_signs(inv, high - 1, value);
}

static bool invert_srem(const Inversion *inv, U128 *value)
{
    unsigned width = inv->width;
    U128 t = magnitude(inv->target, width), y = magnitude(inv->y, width);
    if (inv->operand == 0) {
        U128 x = magnitude(inv->x, width);
        if (y && try_both_signs(inv, x / y * y + t, value) && invert_fits(&inv->known, *value)) return true;
        return try_value(inv, inv->target, value);
    }
    if (try_value(inv, 0, value)) return true;
    return try_both_signs(inv, y - t, value) || try_value(inv, 1, value);
}

/* ---- shifts ---- */

static bool invert_shift_amount(const Inversion *inv, U128 *value)
{
    unsigned width = inv->width, begin = is_random(inv) ? (unsigned)random_below(inv->random, width) : 0;
    for (unsigned i = 0; i <= width; i++) {
        U128 amount = (begin + i) % (width + 1);
        if (amount > arith_mask(width)) continue; /* one bit: 0 and 1 are all */
        if (try_value(inv, amount, value) && invert_fits(&inv->known, *value)) return true;
    }
    for (unsigned i = 0; i <= width; i++)
        if (i <= arith_mask(width) && try_value(inv, i, value)) return true;
    return false;
}

static bool invert_shift(const Inversion *inv, U128 *value)
{
    unsigned width = inv->width;
    U128 mask = arith_mask(width);
    if (inv->operand == 1) return invert_shift_amount(inv, value);
    if (inv->y >= width) {
        if (inv->kind != EXPR_ASHR) return try_value(inv, inv->x, value);
        U128 sign = (U128)1 << (width - 1);
        return try_value(inv, inv->x & ~sign, value) || try_value(inv, inv->x | sign, value);
    }
    unsigned amount = (unsigned)inv->y;
    if (inv->kind == EXPR_SHL) {
        U128 free_bits = mask & ~(mask >> amount), base = inv->target >> amount;
        U128 keeping = base | (inv->x & free_bits);
        if (invert_fits(&inv->known, keeping) && try_value(inv, keeping, value)) return true;
        return try_value(inv, base, value);
    }
    return try_value(inv, (inv->target << amount & mask) | (inv->x & arith_mask(amount)), value);
}

/* ---- bits ---- */

static bool invert_bitwise(const Inversion *inv, U128 *value)
{
    if (inv->kind == EXPR_AND) {
        *value = inv->target | (inv->x & ~inv->y);
        return !(inv->target & ~inv->y);
    }
    *value = (inv->target & ~inv->y) | (inv->x & inv->y);
    return !(inv->y & ~inv->target);
}

static bool invert_concat(const Inversion *inv, U128 *value)
{
    unsigned low = inv->operand ? inv->size : inv->width - inv->size; /* width of the lower part */
    U128 upper = inv->target >> low, lower = inv->target & arith_mask(low);
    *value = inv->operand ? lower : upper;
    return inv->operand ? upper == inv->y : lower == inv->y;
}

static bool invert_extract(const Inversion *inv, U128 *value)
{
    U128 mask = arith_mask(inv->width) << (unsigned)inv->y;
    *value = (inv->x & ~mask) | inv->target << (unsigned)inv->y;
    return true;
}

/* Sets or clears bits, those that may differ first. */
static bool invert_ctpop(const Inversion *inv, U128 *value)
{
    if (inv->target > inv->size) return false;
    U128 result = inv->x;
    unsigned wanted = (unsigned)inv->target, have = ones_of(result);
    for (unsigned round = 0; round < 2; round++) {
        U128 fixed = round ? 0 : inv->known.zeros | inv->known.ones;
        unsigned begin = is_random(inv) ? (unsigned)random_below(inv->random, inv->size) : 0;
        for (unsigned i = 0; i < inv->size && have != wanted; i++) {
            U128 bit = (U128)1 << (begin + i) % inv->size;
            if (fixed & bit || (bool)(result & bit) == (have < wanted)) continue;
            result ^= bit;
            have = have < wanted ? have + 1 : have - 1;
        }
    }
    *value = result;
    return have == wanted;
}

static bool invert_count_zeros(const Inversion *inv, U128 *value)
{
    unsigned size = inv->size;
    *value = 0;
    if (inv->target >= size) return inv->target == size;
    unsigned count = (unsigned)inv->target;
    if (inv->kind == EXPR_CTLZ) {
        U128 bit = (U128)1 << (size - 1 - count);
        *value = bit | (inv->x & (bit - 1));
    } else {
        U128 bit = (U128)1 << count;
        *value = bit | (inv->x & arith_mask(size) & ~(bit | (bit - 1)));
    }
    return true;
}

bool invert_exact(const Inversion *inv, U128 *value)
{
    U128 mask = arith_mask(inv->size), t = inv->target, y = inv->y;
    assert(inv->operand < 2 && inv->x <= mask && t <= arith_mask(inv->width) && inv->random);
    switch (inv->kind) {
    case EXPR_ADD: *value = (t - y) & mask; return true;
    case EXPR_SUB: *value = (inv->operand ? y - t : t + y) & mask; return true;
    case EXPR_XOR: *value = t ^ y; return true;
    case EXPR_NOT: *value = ~t & mask; return true;
    case EXPR_MUL: return invert_mul(inv, value);
    case EXPR_UDIV: return invert_udiv(inv, value);
    case EXPR_UREM: return invert_urem(inv, value);
    case EXPR_SDIV: return invert_sdiv(inv, value);
    case EXPR_SREM: return invert_srem(inv, value);
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR: return invert_shift(inv, value);
    case EXPR_AND:
    case EXPR_OR: return invert_bitwise(inv, value);
    case EXPR_EQ: return invert_equal(inv, value);
    case EXPR_ULT:
    case EXPR_ULE:
    case EXPR_SLT:
    case EXPR_SLE: return invert_order(inv, value);
    case EXPR_CONCAT: return invert_concat(inv, value);
    case EXPR_EXTRACT: return invert_extract(inv, value);
    case EXPR_ZEXT: *value = t; return t <= mask;
    case EXPR_SEXT: return try_value(inv, t, value);
    case EXPR_CTPOP: return invert_ctpop(inv, value);
    case EXPR_CTLZ:
    case EXPR_CTTZ: return invert_count_zeros(inv, value);
    default: return invert_float_exact(inv, value);
    }
}

/* ---- nearly ---- */

/* The rounded quotient of numbers read as signed. */
static U128 divide_near(U128 a, U128 b, unsigned width)
{
    U128 x = magnitude(a, width), y = magnitude(b, width);
    if (!y) return 0;
    U128 quotient = x / y;
    if (x % y > y / 2) quotient++;
    return (a ^ b) >> (width - 1) & 1 ? -quotient : quotient;
}

static U128 saturate(U128 target, unsigned width, unsigned size, bool is_signed)
{
    I128 number = arith_sext(target, width);
    U128 top = is_signed ? arith_mask(size) >> 1 : arith_mask(size);
    if (number < 0) return is_signed ? (U128)1 << (size - 1) : 0;
    return (U128)number > top ? top : (U128)number;
}

static U128 near_quotient(const Inversion *inv)
{
    U128 mask = arith_mask(inv->width), t = inv->target, y = inv->y;
    if (inv->kind == EXPR_UDIV) {
        if (inv->operand) return t ? y / t : mask;
        return t && y > mask / t ? mask : t * y;
    }
    if (inv->operand) return t < mask ? t + 1 : mask;
    return y ? t % y : t;
}

static U128 near_concat(const Inversion *inv)
{
    if (!inv->operand) return inv->target >> (inv->width - inv->size);
    U128 upper = inv->target >> inv->size;
    if (upper == inv->y) return inv->target & arith_mask(inv->size);
    return upper > inv->y ? arith_mask(inv->size) : 0;
}

static U128 near_value(const Inversion *inv)
{
    U128 t = inv->target, y = inv->y, value;
    switch (inv->kind) {
    case EXPR_MUL: return divide_near(t, y, inv->width);
    case EXPR_ZEXT: return saturate(t, inv->width, inv->size, false);
    case EXPR_SEXT: return saturate(t, inv->width, inv->size, true);
    case EXPR_CONCAT: return near_concat(inv);
    case EXPR_AND: return (t & y) | (inv->x & ~y);
    case EXPR_OR: return (t & ~y) | (inv->x & y);
    case EXPR_UDIV:
    case EXPR_UREM: return near_quotient(inv);
    case EXPR_SHL: return inv->operand || y >= inv->width ? inv->x : t >> (unsigned)y;
    case EXPR_LSHR:
    case EXPR_ASHR: return inv->operand || y >= inv->width ? inv->x : t << (unsigned)y;
    default: return invert_exact(inv, &value) ? value : inv->x;
    }
}

/* The bound of the known interval that is nearer on the ring of the numbers. */
static U128 clip(const Inversion *inv, U128 value)
{
    const ExprKnown *known = &inv->known;
    U128 mask = arith_mask(inv->size);
    if (known->low <= value && value <= known->high) return value;
    return ((value - known->high) & mask) <= ((known->low - value) & mask) ? known->high : known->low;
}

bool invert_near(const Inversion *inv, U128 *value)
{
    U128 mask = arith_mask(inv->size);
    if (inv->kind >= EXPR_FADD && inv->kind <= EXPR_UITOF) return invert_float_near(inv, value);
    U128 pick = invert_fit(&inv->known, clip(inv, near_value(inv) & mask)) & mask;
    for (unsigned try = 0; pick == inv->x && try < 3; try++) {
        U128 step = invert_random_size(inv->random, inv->size);
        pick = (random_below(inv->random, 2) ? inv->x + step : inv->x - step) & mask;
        pick = invert_fit(&inv->known, pick) & mask;
    }
    *value = pick;
    return pick != inv->x;
}
