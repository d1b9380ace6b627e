/* Values and declarations as C text. */
#include "base/arith.h"
#include "unit/unit_int.h"

/* After our headers: cmocka defines a macro named fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const CType int_type = {.kind = C_INT, .is_signed = true, .size = 4, .plain = "int"};
static const CType long_type = {.kind = C_INT, .is_signed = true, .size = 8, .plain = "long"};
static const CType unsigned_type = {.kind = C_INT, .size = 4, .plain = "unsigned int"};
static const CType short_type = {.kind = C_INT, .size = 2, .plain = "unsigned short"};
static const CType wide_type = {.kind = C_INT, .is_signed = true, .size = 16, .plain = "__int128"};
static const CType char_type = {.kind = C_CHAR, .is_signed = true, .size = 1, .plain = "char"};
static const CType byte_type = {.kind = C_CHAR, .size = 1, .plain = "uint8_t"};
static const CType float_type = {.kind = C_FLOAT, .is_signed = true, .size = 4, .plain = "float"};
static const CType double_type = {.kind = C_FLOAT, .is_signed = true, .size = 8, .plain = "double"};
static const CEnumerator colours[] = {{"RED", -1}, {"GREEN", 5}};
static const CType colour_type = {
    .kind = C_ENUM, .is_signed = true, .size = 4, .plain = "enum colour", .enumerators = colours, .enumerator_count = 2};

static void expect(const CType *type, U128 bits, const char *text)
{
    StrBuf out = {0};
    unit__literal(&out, type, bits);
    assert_string_equal(out.text, text);
    strbuf_release(&out);
}

static void integers(void **state)
{
    (void)state;
    expect(&int_type, 0, "0");
    expect(&int_type, (uint32_t)-7, "-7");
    expect(&int_type, 0x80000000u, "(-2147483647 - 1)");
    expect(&long_type, (uint64_t)INT64_MIN, "(-9223372036854775807 - 1)");
    expect(&long_type, 5000000000u, "5000000000");
    expect(&unsigned_type, 0xffffffffu, "4294967295u");
    expect(&short_type, 65535, "65535");
    expect(&wide_type, (U128)1 << 64, "((__int128)0x1u << 64 | 0x0u)");
    expect(&wide_type, ~(U128)0, "-1");
}

static void characters(void **state)
{
    (void)state;
    expect(&char_type, 'a', "'a'");
    expect(&char_type, '\'', "'\\''");
    expect(&char_type, '\\', "'\\\\'");
    expect(&char_type, '\n', "'\\n'");
    expect(&char_type, 0, "0");
    expect(&char_type, 200, "-56");
    expect(&byte_type, 'a', "97");
}

static void enumerators(void **state)
{
    (void)state;
    expect(&colour_type, 5, "GREEN");
    expect(&colour_type, 0xffffffffu, "RED");
    expect(&colour_type, 6, "6");
}

static void floats(void **state)
{
    (void)state;
    expect(&double_type, arith_bits64(0.1), "0.1");
    expect(&double_type, arith_bits64(3), "3.0");
    expect(&double_type, arith_bits64(-0.0), "-0.0");
    expect(&double_type, arith_bits64(1e300), "1e+300");
    expect(&double_type, arith_bits64(0.1 + 0.2), "0.30000000000000004");
    expect(&float_type, arith_bits32(0.1f), "0.1f");
    expect(&float_type, arith_bits32(16777216.0f), "16777216.0f");
    expect(&double_type, arith_bits64(__builtin_inf()), "__builtin_inf()");
    expect(&float_type, 0x7fc00000u, "__builtin_nanf(\"\")");
    expect(&double_type, 1, "5e-324");
}

static void strings(void **state)
{
    (void)state;
    StrBuf out = {0};
    unit__string_literal(&out, (const unsigned char *)"a\"\\\n\001\?\?=7", 9);
    assert_string_equal(out.text, "\"a\\\"\\\\\\n\\001?\\?=7\"");
    strbuf_release(&out);
}

static void expect_declaration(const char *plain, const char *name, const char *text)
{
    CType type = {.plain = plain};
    StrBuf out = {0};
    unit__declare(&out, &type, name);
    assert_string_equal(out.text, text);
    strbuf_release(&out);
}

static void declarations(void **state)
{
    (void)state;
    expect_declaration("int", "n", "int n");
    expect_declaration("struct node *", "list", "struct node *list");
    expect_declaration("unsigned char [4]", "b", "unsigned char b[4]");
    expect_declaration("int [4]", "m[3]", "int m[3][4]");
    expect_declaration("int (*)(int)", "f", "int (*f)(int)");
    expect_declaration("int (*(*)(int))(void)", "f", "int (*(*f)(int))(void)");
    expect_declaration("void (*[3])(int)", "table", "void (*table[3])(int)");
    expect_declaration("struct node *", "const[]", "struct node *const[]");
    expect_declaration("int", "[]", "int[]");
}

static void normal_values(void **state)
{
    (void)state;
    assert_true(unit__normal(&int_type, 3, 0x7) == (U128)-1);
    assert_true(unit__normal(&unsigned_type, 3, 0xff) == 7);
    assert_true(unit__normal(&int_type, 0, 0xfffffffeu) == (U128)-2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers), cmocka_unit_test(characters),   cmocka_unit_test(enumerators),   cmocka_unit_test(floats),
        cmocka_unit_test(strings),  cmocka_unit_test(declarations), cmocka_unit_test(normal_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
