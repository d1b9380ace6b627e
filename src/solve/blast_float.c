/* Circuits for IEEE single and double, rounding to nearest even.
 *
 * Operands are unpacked to sign, exponent and significand with its hidden bit; the exact result is brought to the form of Exact
 * below, with all bits that cannot matter but by being there collected in the lowest one (sticky), and one function rounds and packs.
 * It adds the rounding bit to exponent and fraction as to one integer, so that carries into the exponent, from the largest subnormal
 * to the smallest normal number and from the largest number to infinity need no further thought.
 *
 * Which NaN results is up to the machine: sign and payload are given from outside, as free literals; that it is a quiet NaN is
 * certain.  Exponents are signed words of two bits more than the format's: wide enough for products of normalized subnormals. */
#include "solve/blast_int.h"

typedef struct Format {
    unsigned exponent, fraction; /* widths */
} Format;

typedef struct Unpacked {
    Lit sign, nan, infinite, zero;
    Word exponent, significand; /* biased, and that of subnormals 1; with the hidden bit */
} Unpacked;

/* significand / 2^(its width - 1) * 2^(exponent - bias), the top bit being 1 (or the exponent so small that all is lost). */
typedef struct Exact {
    Lit sign;
    Word exponent, significand;
} Exact;

static Format format_of(unsigned width)
{
    assert(width == 32 || width == 64);
    return width == 32 ? (Format){8, 23} : (Format){11, 52};
}

static unsigned bias(Format format)
{
    return (1u << (format.exponent - 1)) - 1;
}

static Lit all_ones(Gates *gates, const Word *a)
{
    Word inverted = word_not(a);
    return LIT_NOT(word_any(gates, &inverted));
}

static Unpacked unpack(Gates *gates, const Word *a)
{
    Format format = format_of(a->width);
    Word fraction = word_extract(a, 0, format.fraction), exponent = word_extract(a, format.fraction, format.exponent);
    Lit normal = word_any(gates, &exponent), special = all_ones(gates, &exponent), some = word_any(gates, &fraction);
    Unpacked result = {.sign = a->bit[a->width - 1],
                       .nan = gates_and(gates, special, some),
                       .infinite = gates_and(gates, special, LIT_NOT(some)),
                       .zero = LIT_NOT(gates_or(gates, normal, some))};
    result.exponent = word_zext(&exponent, format.exponent + 2);
    result.exponent.bit[0] = gates_or(gates, exponent.bit[0], LIT_NOT(normal));
    result.significand = word_zext(&fraction, format.fraction + 1);
    result.significand.bit[format.fraction] = normal;
    return result;
}

/* The exponent may become 0 or negative. */
static void normalize(Gates *gates, Unpacked *a)
{
    Word zeros;
    a->significand = word_normalize(gates, &a->significand, &zeros);
    zeros = word_zext(&zeros, a->exponent.width);
    a->exponent = word_sub(gates, &a->exponent, &zeros);
}

static Word add_constant(Gates *gates, const Word *a, int64_t value)
{
    Word constant = word_const(a->width, (U128)(I128)value);
    return word_add(gates, a, &constant, LIT_FALSE);
}

/* The top `width` bits, the lowest of them or-ed with all below. */
static Word with_sticky(Gates *gates, const Word *a, unsigned width)
{
    if (a->width <= width) {
        Word zeros = word_const(width - a->width, 0);
        return word_concat(a, &zeros);
    }
    unsigned cut = a->width - width;
    Word top = word_extract(a, cut, width), rest = word_extract(a, 0, cut);
    top.bit[0] = gates_or(gates, top.bit[0], word_any(gates, &rest));
    return top;
}

static Word pack(Format format, Lit sign, const Word *magnitude)
{
    Word result = word_resize(magnitude, format.exponent + format.fraction + 1);
    result.bit[result.width - 1] = sign;
    return result;
}

static Word infinity(Format format, Lit sign)
{
    Word magnitude = word_const(format.exponent + format.fraction, ((U128)(1u << format.exponent) - 1) << format.fraction);
    return pack(format, sign, &magnitude);
}

static Word zero(Format format, Lit sign)
{
    Word magnitude = word_const(format.exponent + format.fraction, 0);
    return pack(format, sign, &magnitude);
}

static Word not_a_number(Format format, const Word *payload)
{
    Word result = *payload;
    for (unsigned i = format.fraction - 1; i < format.fraction + format.exponent; i++) result.bit[i] = LIT_TRUE;
    return result;
}

static Word round_exact(Gates *gates, Format format, const Exact *exact, bool subnormals)
{
    unsigned kept = format.fraction + 3, wide = exact->exponent.width;
    Word significand = with_sticky(gates, &exact->significand, kept), zero_word = word_const(wide, 0), one = word_const(wide, 1);
    Word limit = word_const(wide, ((U128)1 << format.exponent) - 1), field = word_sub(gates, &exact->exponent, &one);
    Lit overflow = LIT_NOT(word_slt(gates, &exact->exponent, &limit));
    if (subnormals) {
        Lit small = word_slt(gates, &exact->exponent, &one);
        Word distance = word_sub(gates, &one, &exact->exponent);
        distance = word_mux(gates, small, &distance, &zero_word);
        significand = word_shift_right_sticky(gates, &significand, &distance);
        field = word_mux(gates, small, &zero_word, &field);
    }
    Lit half = significand.bit[1], odd = significand.bit[2], more = significand.bit[0];
    Lit up = gates_and(gates, half, gates_or(gates, odd, more));
    unsigned width = format.exponent + format.fraction;
    Word hidden = word_extract(&significand, 2, format.fraction + 1), no_fraction = word_const(format.fraction, 0);
    field = word_extract(&field, 0, format.exponent);
    Word upper = word_concat(&field, &no_fraction), lower = word_zext(&hidden, width);
    Word sum = word_add(gates, &upper, &lower, up), rounded = pack(format, exact->sign, &sum), infinite = infinity(format, exact->sign);
    return word_mux(gates, overflow, &infinite, &rounded);
}

/* ---- arithmetic ---- */

static Word add_floats(Gates *gates, Format format, const Word *x, const Word *y, const Word *payload)
{
    unsigned magnitude_width = format.exponent + format.fraction;
    Word x_magnitude = word_extract(x, 0, magnitude_width), y_magnitude = word_extract(y, 0, magnitude_width);
    Lit swap = word_ult(gates, &x_magnitude, &y_magnitude);
    Word greater = word_mux(gates, swap, y, x), lesser = word_mux(gates, swap, x, y);
    Unpacked a = unpack(gates, &greater), b = unpack(gates, &lesser);
    Word distance = word_sub(gates, &a.exponent, &b.exponent), three = word_const(3, 0);
    distance = word_resize(&distance, format.exponent);
    Word aligned = word_concat(&b.significand, &three), top = word_concat(&a.significand, &three);
    aligned = word_shift_right_sticky(gates, &aligned, &distance);
    unsigned wide = format.fraction + 5;
    aligned = word_zext(&aligned, wide);
    top = word_zext(&top, wide);
    Lit differ = gates_xor(gates, a.sign, b.sign);
    for (unsigned i = 0; i < wide; i++) aligned.bit[i] = gates_xor(gates, aligned.bit[i], differ);
    Word sum = word_add(gates, &top, &aligned, differ), zeros;
    Lit some = word_any(gates, &sum);
    Exact exact = {.sign = a.sign, .significand = word_normalize(gates, &sum, &zeros)};
    zeros = word_zext(&zeros, a.exponent.width);
    exact.exponent = add_constant(gates, &a.exponent, 1);
    exact.exponent = word_sub(gates, &exact.exponent, &zeros);
    Word result = round_exact(gates, format, &exact, true);
    /* x - x is +0, but -0 + -0 is -0. */
    Word nothing = zero(format, gates_and(gates, a.sign, b.sign)), infinite = infinity(format, a.sign), nan = not_a_number(format, payload);
    result = word_mux(gates, some, &result, &nothing);
    result = word_mux(gates, a.infinite, &infinite, &result);
    /* A NaN has the greatest magnitude of all, unless both are. */
    Lit opposite = gates_and(gates, gates_and(gates, a.infinite, b.infinite), differ);
    return word_mux(gates, gates_or(gates, gates_or(gates, a.nan, b.nan), opposite), &nan, &result);
}

static Word finish(Gates *gates, Format format, Lit sign, const Word *finite, Lit is_infinite, Lit is_zero, Lit is_nan, const Word *payload)
{
    Word infinite = infinity(format, sign), nothing = zero(format, sign), nan = not_a_number(format, payload);
    Word result = word_mux(gates, is_zero, &nothing, finite);
    result = word_mux(gates, is_infinite, &infinite, &result);
    return word_mux(gates, is_nan, &nan, &result);
}

static Word multiply_floats(Gates *gates, Format format, const Word *x, const Word *y, const Word *payload)
{
    Unpacked a = unpack(gates, x), b = unpack(gates, y);
    normalize(gates, &a);
    normalize(gates, &b);
    unsigned wide = 2 * format.fraction + 2;
    Word left = word_zext(&a.significand, wide), right = word_zext(&b.significand, wide), product = word_mul(gates, &left, &right);
    Lit carry = product.bit[wide - 1];
    Word shifted = product;
    for (unsigned i = wide; i-- > 1;) shifted.bit[i] = product.bit[i - 1];
    shifted.bit[0] = LIT_FALSE;
    Exact exact = {.sign = gates_xor(gates, a.sign, b.sign), .significand = word_mux(gates, carry, &product, &shifted)};
    exact.exponent = add_constant(gates, &a.exponent, -(int64_t)bias(format));
    exact.exponent = word_add(gates, &exact.exponent, &b.exponent, carry);
    Word result = round_exact(gates, format, &exact, true);
    Lit some_zero = gates_or(gates, a.zero, b.zero), some_infinite = gates_or(gates, a.infinite, b.infinite);
    Lit nan = gates_or(gates, gates_or(gates, a.nan, b.nan), gates_and(gates, some_zero, some_infinite));
    return finish(gates, format, exact.sign, &result, some_infinite, some_zero, nan, payload);
}

static Word divide_floats(Gates *gates, Format format, const Word *x, const Word *y, const Word *payload)
{
    Unpacked a = unpack(gates, x), b = unpack(gates, y);
    normalize(gates, &a);
    normalize(gates, &b);
    /* Both significands start with 1, but for zeros, whose results are decided elsewhere. */
    a.significand.bit[format.fraction] = b.significand.bit[format.fraction] = LIT_TRUE;
    Word zeros = word_const(format.fraction + 2, 0), dividend = word_concat(&a.significand, &zeros), quotient, rest;
    Word divisor = word_zext(&b.significand, dividend.width);
    word_divide(gates, &dividend, &divisor, true, &quotient, &rest);
    Word sticky = {.width = 1, .bit = {word_any(gates, &rest)}}, bits = word_extract(&quotient, 0, format.fraction + 3);
    bits = word_concat(&bits, &sticky);
    Lit top = bits.bit[bits.width - 1];
    Word shifted = bits;
    for (unsigned i = bits.width; i-- > 1;) shifted.bit[i] = bits.bit[i - 1];
    shifted.bit[0] = LIT_FALSE;
    Exact exact = {.sign = gates_xor(gates, a.sign, b.sign), .significand = word_mux(gates, top, &bits, &shifted)};
    Word negated = word_not(&b.exponent); /* -b - 1, and 1 is added back where the top bit is set */
    exact.exponent = add_constant(gates, &a.exponent, bias(format));
    exact.exponent = word_add(gates, &exact.exponent, &negated, top);
    Word result = round_exact(gates, format, &exact, true);
    Lit nan = gates_or(gates, a.nan, b.nan);
    nan = gates_or(gates, nan, gates_and(gates, a.zero, b.zero));
    nan = gates_or(gates, nan, gates_and(gates, a.infinite, b.infinite));
    return finish(gates, format, exact.sign, &result, gates_or(gates, a.infinite, b.zero), gates_or(gates, a.zero, b.infinite), nan,
                  payload);
}

static Word root_float(Gates *gates, Format format, const Word *x, const Word *payload)
{
    Unpacked a = unpack(gates, x);
    normalize(gates, &a);
    Word unbiased = add_constant(gates, &a.exponent, -(int64_t)bias(format));
    Lit odd = unbiased.bit[0];
    Word padding = word_const(format.fraction + 3, 0), radicand = word_concat(&a.significand, &padding); /* for odd exponents */
    Word even = radicand;
    for (unsigned i = 0; i + 1 < even.width; i++) even.bit[i] = radicand.bit[i + 1];
    even.bit[even.width - 1] = LIT_FALSE;
    radicand = word_mux(gates, odd, &radicand, &even);
    Lit inexact;
    Word root = word_square_root(gates, &radicand, &inexact), sticky = {.width = 1, .bit = {inexact}};
    Word half = word_extract(&unbiased, 1, unbiased.width - 1);
    half = word_sext(&half, unbiased.width);
    Exact exact = {.sign = LIT_FALSE, .exponent = add_constant(gates, &half, bias(format)), .significand = word_concat(&root, &sticky)};
    Word result = round_exact(gates, format, &exact, false);
    Lit nan = gates_or(gates, a.nan, gates_and(gates, a.sign, LIT_NOT(a.zero)));
    Word finished = finish(gates, format, LIT_FALSE, &result, a.infinite, a.zero, nan, payload);
    Lit minus_zero = gates_and(gates, a.sign, a.zero);
    finished.bit[x->width - 1] = gates_or(gates, finished.bit[x->width - 1], minus_zero);
    return finished;
}

/* ---- conversions ---- */

static Word convert(Gates *gates, unsigned width, const Word *x, const Word *payload)
{
    Format from = format_of(x->width), to = format_of(width);
    Unpacked a = unpack(gates, x);
    if (width > x->width) normalize(gates, &a); /* going down, subnormals are far too small to matter */
    Word exponent = word_sext(&a.exponent, (from.exponent > to.exponent ? from : to).exponent + 2);
    Exact exact = {.sign = a.sign, .significand = a.significand};
    exact.exponent = add_constant(gates, &exponent, (int64_t)bias(to) - (int64_t)bias(from));
    Word result = round_exact(gates, to, &exact, width < x->width);
    return finish(gates, to, a.sign, &result, a.infinite, a.zero, a.nan, payload);
}

static Word from_integer(Gates *gates, bool is_signed, unsigned width, const Word *x)
{
    Format format = format_of(width);
    Lit sign = is_signed ? x->bit[x->width - 1] : LIT_FALSE;
    Word magnitude = word_negate_if(gates, sign, x), zeros;
    Lit some = word_any(gates, x);
    Exact exact = {.sign = sign, .significand = word_normalize(gates, &magnitude, &zeros)};
    Word greatest = word_const(format.exponent + 2, bias(format) + x->width - 1);
    zeros = word_zext(&zeros, greatest.width);
    exact.exponent = word_sub(gates, &greatest, &zeros);
    Word result = round_exact(gates, format, &exact, false), nothing = zero(format, LIT_FALSE);
    return word_mux(gates, some, &result, &nothing);
}

/* The integer part of the magnitude, and whether it has more than `width` bits (or is none at all). */
static Word integer_part(Gates *gates, const Unpacked *a, Format format, unsigned width, Lit *too_big)
{
    unsigned wide = width > format.fraction + 1 ? width : format.fraction + 1;
    Word padding = word_const(wide - format.fraction - 1, 0), top = word_concat(&a->significand, &padding);
    Word last = word_const(a->exponent.width, bias(format) + wide - 1), first = word_const(a->exponent.width, bias(format));
    Word beyond = word_const(a->exponent.width, bias(format) + width);
    Word distance = word_sub(gates, &last, &a->exponent);
    Lit below_one = word_slt(gates, &a->exponent, &first);
    Word shifted = word_shift(gates, EXPR_LSHR, &top, &distance);
    shifted = word_mask(gates, &shifted, LIT_NOT(below_one));
    *too_big = LIT_NOT(word_slt(gates, &a->exponent, &beyond));
    return word_resize(&shifted, width);
}

/* What does not fit gives the smallest number, which also is the right result for the one value that does. */
static Word to_signed(Gates *gates, const Unpacked *a, Format format, unsigned width)
{
    Lit too_big;
    Word magnitude = integer_part(gates, a, format, width - 1, &too_big);
    magnitude = word_zext(&magnitude, width);
    Word value = word_negate_if(gates, a->sign, &magnitude), indefinite = word_const(width, (U128)1 << (width - 1));
    return word_mux(gates, too_big, &indefinite, &value);
}

/* As arith_fp_to_signed and arith_fp_to_unsigned. */
static Word to_integer(Gates *gates, bool is_signed, unsigned width, const Word *x)
{
    Format format = format_of(x->width);
    Unpacked a = unpack(gates, x);
    Word result, plain, ones = word_const(128, ~(U128)0);
    Lit too_big;
    if (is_signed || width <= 32) {
        unsigned wide = width <= 32 && (is_signed || width < 32) ? 32 : width <= 64 ? 64 : 128;
        result = to_signed(gates, &a, format, wide);
    } else if (width <= 64) {
        plain = integer_part(gates, &a, format, 64, &too_big);
        Word otherwise = to_signed(gates, &a, format, 64);
        Lit fits = gates_and(gates, LIT_NOT(too_big), gates_or(gates, LIT_NOT(a.sign), a.zero));
        result = word_mux(gates, fits, &plain, &otherwise);
    } else {
        plain = integer_part(gates, &a, format, 128, &too_big);
        Lit negative = gates_and(gates, a.sign, word_any(gates, &plain));
        result = word_mux(gates, gates_or(gates, too_big, negative), &ones, &plain);
    }
    return word_resize(&result, width);
}

/* ---- comparisons ---- */

static Lit compare(Gates *gates, ExprKind kind, const Word *x, const Word *y)
{
    Unpacked a = unpack(gates, x), b = unpack(gates, y);
    Lit unordered = gates_or(gates, a.nan, b.nan), zeros = gates_and(gates, a.zero, b.zero);
    if (kind == EXPR_FUNO) return unordered;
    Lit equal = gates_or(gates, zeros, word_eq(gates, x, y));
    if (kind == EXPR_FEQ) return gates_and(gates, equal, LIT_NOT(unordered));
    Word x_magnitude = word_extract(x, 0, x->width - 1), y_magnitude = word_extract(y, 0, y->width - 1);
    Lit less = word_ult(gates, &x_magnitude, &y_magnitude), more = word_ult(gates, &y_magnitude, &x_magnitude);
    Lit negative = gates_or(gates, LIT_NOT(b.sign), more), positive = gates_and(gates, LIT_NOT(b.sign), less);
    Lit below = gates_and(gates, gates_mux(gates, a.sign, negative, positive), LIT_NOT(zeros));
    return gates_and(gates, kind == EXPR_FLE ? gates_or(gates, below, equal) : below, LIT_NOT(unordered));
}

static bool is_format(unsigned width)
{
    return width == 32 || width == 64;
}

bool float_has_circuit(ExprKind kind, unsigned width, unsigned source)
{
    switch (kind) {
    case EXPR_FADD:
    case EXPR_FSUB:
    case EXPR_FMUL:
    case EXPR_FDIV:
    case EXPR_FSQRT:
    case EXPR_SITOF:
    case EXPR_UITOF: return is_format(width);
    case EXPR_FCONVERT: return is_format(width) && is_format(source) && width != source;
    case EXPR_FEQ:
    case EXPR_FLT:
    case EXPR_FLE:
    case EXPR_FUNO:
    case EXPR_FTOSI:
    case EXPR_FTOUI: return is_format(source);
    default: return false;
    }
}

Word float_circuit(Gates *gates, ExprKind kind, unsigned width, const Word *a, const Word *b, const Word *payload)
{
    Word negated;
    switch (kind) {
    case EXPR_FADD: return add_floats(gates, format_of(width), a, b, payload);
    case EXPR_FSUB:
        negated = *b;
        negated.bit[width - 1] = LIT_NOT(negated.bit[width - 1]);
        return add_floats(gates, format_of(width), a, &negated, payload);
    case EXPR_FMUL: return multiply_floats(gates, format_of(width), a, b, payload);
    case EXPR_FDIV: return divide_floats(gates, format_of(width), a, b, payload);
    case EXPR_FSQRT: return root_float(gates, format_of(width), a, payload);
    case EXPR_FCONVERT: return convert(gates, width, a, payload);
    case EXPR_SITOF:
    case EXPR_UITOF: return from_integer(gates, kind == EXPR_SITOF, width, a);
    case EXPR_FTOSI:
    case EXPR_FTOUI: return to_integer(gates, kind == EXPR_FTOSI, width, a);
    default: return (Word){.width = 1, .bit = {compare(gates, kind, a, b)}};
    }
}
