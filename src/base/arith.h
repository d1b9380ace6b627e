/* Machine arithmetic that C leaves undefined, defined once: what Clew's VM and Clew's expressions both mean.
 *
 * Integer division by zero and shifts by the width or more follow SMT-LIB (division by zero: all ones, remainder by zero: the
 * dividend, shift too far: zero or sign fill).  A program that does these has already been reported by a check, so the
 * values only have to be one and the same everywhere.  Float to integer conversions out of range follow x86-64. */
#ifndef CLEW_ARITH_H
#define CLEW_ARITH_H

#include "base/base.h"

#include <math.h>

static inline U128 arith_mask(unsigned width)
{
    return width >= 128 ? ~(U128)0 : ((U128)1 << width) - 1;
}

static inline uint64_t arith_mask64(unsigned width)
{
    return width >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << width) - 1;
}

/* Sign-extends the low `width` bits. */
static inline I128 arith_sext(U128 value, unsigned width)
{
    unsigned shift = 128 - width;
    return (I128)(value << shift) >> shift;
}

static inline int64_t arith_sext64(uint64_t value, unsigned width)
{
    unsigned shift = 64 - width;
    return (int64_t)(value << shift) >> shift;
}

static inline float arith_f32(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

static inline double arith_f64(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t arith_bits32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline uint64_t arith_bits64(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline long double arith_f80(U128 bits)
{
    long double value = 0;
    memcpy(&value, &bits, 10);
    return value;
}

static inline U128 arith_bits80(long double value)
{
    U128 bits = 0;
    memcpy(&bits, &value, 10);
    return bits;
}

/* The conversions of x86-64 as clang emits them without optimisation: 8 and 16 bits go through a 32-bit conversion,
 * unsigned 32 through a signed 64-bit one; what does not fit gives the "integer indefinite" pattern. */
static inline int64_t arith_cvt_i64(long double value)
{
    return value >= -9223372036854775808.0L && value < 9223372036854775808.0L ? (int64_t)value : INT64_MIN;
}

static inline int64_t arith_cvt_i32(long double value)
{
    return value > -2147483649.0L && value < 2147483648.0L ? (int32_t)value : INT32_MIN;
}

static inline U128 arith_fp_to_signed(long double value, unsigned width)
{
    if (width <= 32) return (U128)(I128)arith_cvt_i32(value) & arith_mask(width);
    if (width <= 64) return (U128)(I128)arith_cvt_i64(value) & arith_mask(width);
    if (!(value >= -0x1p127L && value < 0x1p127L)) return (U128)1 << 127 & arith_mask(width);
    return (U128)(I128)value & arith_mask(width);
}

static inline U128 arith_fp_to_unsigned(long double value, unsigned width)
{
    if (width < 32) return (U128)(I128)arith_cvt_i32(value) & arith_mask(width);
    if (width == 32) return (U128)(uint64_t)arith_cvt_i64(value) & arith_mask(32);
    if (width <= 64) {
        if (value >= 0 && value < 18446744073709551616.0L) return (uint64_t)value & arith_mask64(width);
        return (U128)(uint64_t)arith_cvt_i64(value) & arith_mask(width);
    }
    if (!(value > -1.0L && value < 0x1p128L)) return ~(U128)0 & arith_mask(width);
    return (U128)value & arith_mask(width);
}

#endif
