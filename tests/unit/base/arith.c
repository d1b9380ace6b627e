/* base: machine arithmetic, against what the compiler does with the same types and against the definition at the edges. */
#include "base/arith.h"

#include <setjmp.h>

#include <cmocka.h>

/* The reference conversions are made by the machine itself, on values the optimiser cannot see. */
static volatile double hidden;

static void sign_extension(void **state)
{
    (void)state;
    assert_int_equal(arith_sext64(0x80, 8), -128);
    assert_int_equal(arith_sext64(0x7f, 8), 127);
    assert_int_equal(arith_sext64(1, 1), -1);
    assert_int_equal(arith_sext64(UINT64_MAX, 64), -1);
    for (unsigned width = 1; width <= 128; width++) {
        U128 top = (U128)1 << (width - 1);
        assert_true(arith_sext(top, width) < 0);
        assert_true((((U128)arith_sext(top, width)) & arith_mask(width)) == top);
        assert_true(arith_sext(top - 1, width) == (I128)(top - 1));
    }
}

static void masks(void **state)
{
    (void)state;
    assert_true(arith_mask(1) == 1 && arith_mask(64) == UINT64_MAX && arith_mask(128) == ~(U128)0);
    assert_true(arith_mask64(1) == 1 && arith_mask64(63) == UINT64_MAX >> 1 && arith_mask64(64) == UINT64_MAX);
}

static void float_bits_round_trip(void **state)
{
    (void)state;
    Random random;
    random_seed(&random, 1);
    for (int i = 0; i < 10000; i++) {
        uint64_t bits = random_next(&random);
        double d = arith_f64(bits);
        if (d == d) assert_int_equal(arith_bits64(d), bits);
        float f = arith_f32(bits);
        if (f == f) assert_int_equal(arith_bits32(f), bits & 0xffffffffu);
        if (d == d) assert_true(arith_f80(arith_bits80((long double)d)) == (long double)d);
    }
    assert_int_equal(arith_bits64(1.0), 0x3ff0000000000000);
    assert_int_equal(arith_bits32(-2.0f), 0xc0000000);
}

static const double edges[] = {0.0,
                               -0.0,
                               0.5,
                               -0.5,
                               0.999,
                               -0.999,
                               1,
                               -1,
                               127.9,
                               128,
                               -128.9,
                               255.5,
                               256,
                               32767.5,
                               32768,
                               -32768.5,
                               65535.9,
                               2147483647.0,
                               2147483647.9,
                               2147483648.0,
                               -2147483648.0,
                               -2147483648.9,
                               -2147483649.0,
                               4294967295.0,
                               4294967296.0,
                               9007199254740993.0,
                               9223372036854774784.0,
                               9223372036854775808.0,
                               -9223372036854775808.0,
                               -9223372036854777856.0,
                               18446744073709549568.0,
                               18446744073709551616.0,
                               1e30,
                               -1e30,
                               1e300,
                               -1e300};

static void conversions_match_the_machine(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(edges); i++) {
        double value = hidden = edges[i];
        int32_t narrow;
        int64_t wide;
        __asm__("cvttsd2si %1, %0" : "=r"(narrow) : "x"(value));
        __asm__("cvttsd2si %1, %0" : "=r"(wide) : "x"(value));
        assert_int_equal((uint32_t)arith_fp_to_signed(value, 32), (uint32_t)narrow);
        assert_int_equal((uint64_t)arith_fp_to_signed(value, 64), (uint64_t)wide);
        assert_int_equal((uint32_t)arith_fp_to_unsigned(value, 32), (uint32_t)wide);
        assert_int_equal((uint8_t)arith_fp_to_signed(value, 8), (uint8_t)narrow);
        assert_int_equal((uint16_t)arith_fp_to_unsigned(value, 16), (uint16_t)narrow);
        if (value > -1 && value < 18446744073709551616.0) assert_int_equal((uint64_t)arith_fp_to_unsigned(value, 64), (uint64_t)hidden);
    }
}

static void wide_conversions(void **state)
{
    (void)state;
    assert_true(arith_fp_to_unsigned(0x1p127L, 128) == (U128)1 << 127);
    assert_true(arith_fp_to_signed(-0x1p127L, 128) == (U128)1 << 127);
    assert_true(arith_fp_to_signed(-3.9L, 128) == (U128)(I128)-3);
    assert_true(arith_fp_to_unsigned(18446744073709551615.0L, 64) == UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sign_extension),        cmocka_unit_test(masks),
        cmocka_unit_test(float_bits_round_trip), cmocka_unit_test(conversions_match_the_machine),
        cmocka_unit_test(wide_conversions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
