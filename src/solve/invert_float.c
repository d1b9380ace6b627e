/* Inverses of the float operators.
 *
 * Rounding makes most of them sets of neighbouring numbers, some of them empty.  So the inverse is computed as if there were no
 * rounding, and it and its neighbours are tried by evaluation; what does not come out exactly still is the best approximation.  For
 * comparisons the interesting values are those next to the boundary, then some at rising distance from it, since other conditions often
 * exclude the boundary. */
#include "base/arith.h"
#include "solve/invert.h"
#include "solve/trial.h"

#include <math.h>

/* ---- floats as ordered numbers ---- */

/* x87 extended numbers have their integer bit in the open; it is set unless the exponent is 0, so leaving it out loses nothing. */
static U128 without_integer_bit(U128 bits)
{
    return (bits >> 64) << 63 | (bits & arith_mask(63));
}

static U128 with_integer_bit(U128 packed)
{
    U128 upper = packed >> 63;
    U128 integer = upper & 0x7fff ? (U128)1 << 63 : 0;
    return upper << 64 | integer | (packed & arith_mask(63));
}

static unsigned packed_width(unsigned width)
{
    return width == 80 ? 79 : width;
}

U128 float_to_order(unsigned width, U128 bits)
{
    assert(is_float_width(width));
    unsigned packed = packed_width(width);
    if (width == 80) bits = without_integer_bit(bits);
    U128 sign = (U128)1 << (packed - 1);
    return bits & sign ? ~bits & arith_mask(packed) : bits | sign;
}

U128 float_from_order(unsigned width, U128 order)
{
    assert(is_float_width(width));
    unsigned packed = packed_width(width);
    U128 sign = (U128)1 << (packed - 1);
    order &= arith_mask(packed);
    U128 bits = order & sign ? order & ~sign : ~order & arith_mask(packed);
    return width == 80 ? with_integer_bit(bits) : bits;
}

bool float_is_nan(unsigned width, U128 bits)
{
    long double number = float_number(width, bits);
    return number != number;
}

long double float_number(unsigned width, U128 bits)
{
    assert(is_float_width(width));
    return width == 32 ? arith_f32((uint64_t)bits) : width == 64 ? arith_f64((uint64_t)bits) : arith_f80(bits);
}

U128 float_bits(unsigned width, long double number)
{
    assert(is_float_width(width));
    return width == 32 ? arith_bits32((float)number) : width == 64 ? arith_bits64((double)number) : arith_bits80(number);
}

static long double unit_random(Random *random)
{
    return (long double)(random_next(random) >> 11) * 0x1p-53L;
}

U128 float_random(unsigned width, Random *random)
{
    long double sign = random_below(random, 2) ? 1 : -1, unit = unit_random(random);
    switch (random_below(random, 8)) {
    case 0: return float_bits(width, sign * (long double)random_below(random, 12));
    case 1: return float_bits(width, sign * (long double)random_below(random, 2000));
    case 2: return float_bits(width, sign * (long double)random_below(random, 400) / 4);
    case 3:
    case 4: return float_bits(width, sign * unit * 10);
    case 5: return float_bits(width, sign * unit * 1000);
    case 6: return float_bits(width, sign * exp2l((unit - 0.5L) * 128));
    default: {
        U128 bits = random_next(random);
        bits = bits << 64 | random_next(random);
        return float_from_order(width, bits & arith_mask(packed_width(width)));
    }
    }
}

/* ---- candidates ---- */

static bool try_bits(const Inversion *inv, U128 bits, U128 *value)
{
    if (invert_result(inv, bits) != inv->target) return false;
    *value = bits;
    return true;
}

/* A number and its neighbours. */
static bool try_around(const Inversion *inv, long double number, U128 *value)
{
    enum { NEIGHBOURS = 4 };
    U128 bits = float_bits(inv->size, number);
    if (try_bits(inv, bits, value)) return true;
    if (number != number) return false;
    U128 order = float_to_order(inv->size, bits);
    for (unsigned i = 1; i <= NEIGHBOURS; i++)
        if (try_bits(inv, float_from_order(inv->size, order + i), value) || try_bits(inv, float_from_order(inv->size, order - i), value))
            return true;
    return false;
}

/* The inverse as if there were no rounding. */
static long double real_inverse(const Inversion *inv)
{
    long double t = float_number(inv->width, inv->target);
    if (inv->kind == EXPR_FSQRT) return t * t;
    if (inv->kind == EXPR_FCONVERT) return t;
    long double y = float_number(inv->size, inv->y);
    switch (inv->kind) {
    case EXPR_FADD: return t - y;
    case EXPR_FSUB: return inv->operand ? y - t : t + y;
    case EXPR_FMUL: return t / y;
    case EXPR_FDIV: return inv->operand ? y / t : t * y;
    default: assert(inv->kind == EXPR_FREM); return inv->operand ? fabsl(y - t) : t;
    }
}

static bool invert_arithmetic(const Inversion *inv, U128 *value)
{
    if (try_around(inv, real_inverse(inv), value)) return true;
    if (try_bits(inv, inv->x, value)) return true;
    static const double others[] = {0, -0.0, 1, INFINITY, -INFINITY, NAN};
    for (unsigned i = 0; i < COUNT_OF(others); i++)
        if (try_bits(inv, float_bits(inv->size, others[i]), value)) return true;
    return false;
}

/* ---- conversions ---- */

/* Integers below the magnitude of the target's 64 bits around the number. */
static bool invert_to_float(const Inversion *inv, U128 *value)
{
    long double number = float_number(inv->width, inv->target);
    long double most = inv->kind == EXPR_SITOF ? exp2l((long double)inv->size - 1) : exp2l(inv->size);
    if (!(number >= (inv->kind == EXPR_SITOF ? -most : 0) && number <= most)) return false;
    U128 mask = arith_mask(inv->size);
    U128 base = number >= 0 ? (number < 0x1p127L ? (U128)number : (U128)(number / 2) * 2) : (U128)(I128)number;
    for (unsigned i = 0; i < 3; i++)
        if (try_bits(inv, (base + i) & mask, value) || try_bits(inv, (base - i) & mask, value)) return true;
    return false;
}

static bool invert_to_integer(const Inversion *inv, U128 *value)
{
    bool is_signed = inv->kind == EXPR_FTOSI;
    long double number = is_signed ? (long double)arith_sext(inv->target, inv->width) : (long double)inv->target;
    static const long double within[] = {0, 0.5L, -0.5L, 0.25L, -0.25L};
    unsigned begin = inv->style > 1 ? (unsigned)random_below(inv->random, COUNT_OF(within)) : 0;
    for (unsigned i = 0; i < COUNT_OF(within); i++)
        if (try_bits(inv, float_bits(inv->size, number + within[(begin + i) % COUNT_OF(within)]), value)) return true;
    if (try_around(inv, number, value)) return true;
    long double wrapped = (long double)arith_sext(inv->target, inv->width); /* negative numbers converted to unsigned */
    return try_around(inv, wrapped, value);
}

/* ---- comparisons ---- */

/* A number on one side of y. */
static U128 on_side(const Inversion *inv, bool below, unsigned try)
{
    U128 order = float_to_order(inv->size, inv->y);
    long double y = float_number(inv->size, inv->y), sign = below ? -1 : 1;
    switch (try) {
    case 0: return float_from_order(inv->size, below ? order - 1 : order + 1);
    case 1: return float_bits(inv->size, y + sign);
    case 2: return float_bits(inv->size, y + sign * fabsl(y) / 2);
    case 3: return float_bits(inv->size, y + sign * fabsl(y));
    case 4: return float_bits(inv->size, sign * INFINITY);
    case 5: return float_random(inv->size, inv->random);
    case 6: return float_bits(inv->size, y + sign * exp2l((long double)random_below(inv->random, 80) - 40));
    default: {
        U128 step = invert_random_size(inv->random, packed_width(inv->size) - 1);
        return float_from_order(inv->size, below ? order - step : order + step);
    }
    }
}

static bool invert_less(const Inversion *inv, U128 *value)
{
    bool below = (bool)inv->target == (inv->operand == 0);
    if (inv->style < 2 && try_bits(inv, inv->y, value)) return true;
    for (unsigned i = 0; i < 8; i++) {
        unsigned try = inv->style < 2 ? (inv->style + i) % 8 : (unsigned)random_below(inv->random, 8);
        if (try_bits(inv, on_side(inv, below, try), value)) return true;
    }
    for (unsigned i = 0; i < 5; i++)
        if (try_bits(inv, on_side(inv, below, i), value)) return true;
    return try_bits(inv, inv->y, value) || try_bits(inv, float_bits(inv->size, NAN), value);
}

static bool invert_same(const Inversion *inv, U128 *value)
{
    if (inv->target) return try_bits(inv, inv->y, value);
    for (unsigned i = 0; i < 4; i++) { /* one after the other, or else it depends on the compiler which one is drawn first */
        unsigned try = inv->style < 2 ? inv->style : (unsigned)random_below(inv->random, 8);
        bool below = random_below(inv->random, 2);
        if (try_bits(inv, on_side(inv, below, try), value)) return true;
    }
    return try_bits(inv, 0, value) || try_bits(inv, float_bits(inv->size, 1), value);
}

static bool invert_unordered(const Inversion *inv, U128 *value)
{
    if (inv->target) return try_bits(inv, float_bits(inv->size, NAN), value);
    if (!float_is_nan(inv->size, inv->x)) return try_bits(inv, inv->x, value);
    U128 pick = inv->style < 2 ? float_bits(inv->size, inv->style) : float_random(inv->size, inv->random);
    return try_bits(inv, pick, value) || try_bits(inv, 0, value);
}

bool invert_float_exact(const Inversion *inv, U128 *value)
{
    switch (inv->kind) {
    case EXPR_FADD:
    case EXPR_FSUB:
    case EXPR_FMUL:
    case EXPR_FDIV:
    case EXPR_FREM:
    case EXPR_FSQRT:
    case EXPR_FCONVERT: return invert_arithmetic(inv, value);
    case EXPR_FTOSI:
    case EXPR_FTOUI: return invert_to_integer(inv, value);
    case EXPR_SITOF:
    case EXPR_UITOF: return invert_to_float(inv, value);
    case EXPR_FEQ: return invert_same(inv, value);
    case EXPR_FLT:
    case EXPR_FLE: return invert_less(inv, value);
    case EXPR_FUNO: return invert_unordered(inv, value);
    default: return false;
    }
}

static U128 near_integer(const Inversion *inv)
{
    long double number = float_number(inv->width, inv->target);
    U128 top = arith_mask(inv->size), half = (U128)1 << (inv->size - 1);
    bool is_signed = inv->kind == EXPR_SITOF;
    if (number != number) return inv->x;
    long double least = is_signed ? -(long double)half : 0, most = is_signed ? (long double)(half - 1) : (long double)top;
    if (number <= least) return is_signed ? half : 0;
    if (number >= most) return is_signed ? half - 1 : top;
    number = roundl(number);
    return (number < 0 ? (U128)(I128)number : (U128)number) & top;
}

bool invert_float_near(const Inversion *inv, U128 *value)
{
    U128 pick;
    if (inv->kind == EXPR_SITOF || inv->kind == EXPR_UITOF) pick = near_integer(inv);
    else if (inv->kind >= EXPR_FADD && inv->kind <= EXPR_FSQRT) pick = float_bits(inv->size, real_inverse(inv));
    else if (inv->kind == EXPR_FCONVERT) pick = float_bits(inv->size, float_number(inv->width, inv->target));
    else pick = float_random(inv->size, inv->random);
    if (pick == inv->x) pick = is_float_width(inv->size) ? float_random(inv->size, inv->random) : inv->x ^ 1;
    *value = pick;
    return pick != inv->x;
}
