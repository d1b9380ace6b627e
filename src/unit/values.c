/* Values as a C programmer would write them: 'a' for a character, a suffix where the type needs one, the enumerator's name, the shortest
 * decimal fraction that reads back as the same float. */
#include "unit/unit_int.h"

#include "base/arith.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

bool unit__is_number(const CType *type)
{
    switch (type->kind) {
    case C_BOOL:
    case C_CHAR:
    case C_INT:
    case C_ENUM:
    case C_FLOAT: return true;
    default: return false;
    }
}

bool unit__is_text_char(const CType *type)
{
    if (type->kind != C_CHAR || !type->is_signed) return false;
    return !unit__has_word(type->plain, "signed") && !strstr(type->plain, "int8");
}

bool unit__same_type(const CType *a, const CType *b)
{
    if (a == b) return true;
    if (a->kind != b->kind || a->size != b->size) return false;
    if (a->kind == C_STRUCT || a->kind == C_UNION) return a->fields == b->fields;
    if (a->kind == C_POINTER) return unit__same_type(a->of, b->of);
    return unit__is_number(a) ? a->is_signed == b->is_signed && a->enumerators == b->enumerators : strcmp(a->plain, b->plain) == 0;
}

bool unit__has_const(const CType *type)
{
    if (type->is_const) return true;
    if (type->kind == C_ARRAY) return unit__has_const(type->of);
    if (type->kind != C_STRUCT && type->kind != C_UNION) return false;
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (unit__has_const(type->fields[i].type)) return true;
    }
    return false;
}

char unit__letter(const CType *type)
{
    switch (type->kind) {
    case C_BOOL: return 'b';
    case C_CHAR: return 'c';
    case C_FLOAT: return 'f';
    case C_POINTER: return 'p';
    default: return type->is_signed ? 'i' : 'u';
    }
}

U128 unit__normal(const CType *type, uint32_t field_bits, U128 bits)
{
    if (type->kind == C_FLOAT) return bits;
    if (type->kind == C_BOOL) return bits != 0;
    unsigned width = field_bits ? field_bits : (unsigned)type->size * 8;
    if (width == 0 || width > 128) return bits;
    return type->is_signed ? (U128)arith_sext(bits, width) : bits & arith_mask(width);
}

static void add_escaped(StrBuf *out, unsigned char c, char quote)
{
    static const char letters[] = "a\ab\bf\fn\nr\rt\tv\v";
    if ((char)c == quote || c == '\\') return strbuf_addf(out, "\\%c", c);
    for (size_t i = 0; i + 1 < sizeof letters; i += 2) {
        if ((char)c == letters[i + 1]) return strbuf_addf(out, "\\%c", letters[i]);
    }
    if (isprint(c)) return strbuf_addf(out, "%c", c);
    strbuf_addf(out, "\\%03o", c);
}

void unit__string_literal(StrBuf *out, const unsigned char *bytes, size_t n)
{
    strbuf_add(out, "\"");
    for (size_t i = 0; i < n; i++) {
        bool trigraph = bytes[i] == '?' && i > 0 && bytes[i - 1] == '?';
        if (trigraph) strbuf_add(out, "\\?");
        else add_escaped(out, bytes[i], '"');
    }
    strbuf_add(out, "\"");
}

static void add_unsigned(StrBuf *out, U128 value)
{
    char digits[48];
    size_t at = sizeof digits;
    digits[--at] = 0;
    do digits[--at] = (char)('0' + (int)(value % 10));
    while ((value /= 10) != 0);
    strbuf_add(out, digits + at);
}

/* A value of more than 64 bits has no literal in C. */
static void add_wide(StrBuf *out, bool is_signed, U128 value)
{
    strbuf_addf(out, "((%s__int128)0x%llxu << 64 | 0x%llxu)", is_signed ? "" : "unsigned ", (unsigned long long)(value >> 64),
                (unsigned long long)value);
}

static void add_signed(StrBuf *out, I128 value)
{
    if (value == INT32_MIN) return strbuf_add(out, "(-2147483647 - 1)");
    if (value == INT64_MIN) return strbuf_add(out, "(-9223372036854775807 - 1)");
    if (value < INT64_MIN || value > INT64_MAX) return add_wide(out, true, (U128)value);
    if (value < 0) strbuf_add(out, "-");
    add_unsigned(out, value < 0 ? -(U128)value : (U128)value);
}

static void add_integer(StrBuf *out, const CType *type, U128 value)
{
    if (type->is_signed) return add_signed(out, (I128)value);
    if (value > UINT64_MAX) return add_wide(out, false, value);
    add_unsigned(out, value);
    if (type->size >= 4 || value > INT32_MAX) strbuf_add(out, "u");
}

static bool add_enumerator(StrBuf *out, const CType *type, U128 value)
{
    for (uint32_t i = 0; i < type->enumerator_count; i++) {
        if ((U128)(I128)type->enumerators[i].value != value) continue;
        strbuf_add(out, type->enumerators[i].name);
        return true;
    }
    return false;
}

void unit__literal(StrBuf *out, const CType *type, U128 bits)
{
    if (type->kind == C_FLOAT) return unit__float_literal(out, type->size == 4 ? 32 : type->size == 8 ? 64 : 80, bits);
    U128 value = unit__normal(type, 0, bits);
    if (type->kind == C_ENUM && add_enumerator(out, type, value)) return;
    if (unit__is_text_char(type) && value != 0 && value < 128 && (isprint((int)value) || isspace((int)value))) {
        strbuf_add(out, "'");
        add_escaped(out, (unsigned char)value, '\'');
        return strbuf_add(out, "'");
    }
    add_integer(out, type, value);
}

/* ---- floats ---- */

/* As few digits as read back to the same value. */
static void shortest(char *text, size_t size, uint32_t width, long double value)
{
    int most = width == 32 ? 9 : width == 64 ? 17 : 21;
    for (int digits = 1; digits <= most; digits++) {
        snprintf(text, size, "%.*Lg", digits, value);
        long double back = width == 32 ? strtof(text, NULL) : width == 64 ? strtod(text, NULL) : strtold(text, NULL);
        if (back == value) return;
    }
}

void unit__float_literal(StrBuf *out, uint32_t width, U128 bits)
{
    assert(width == 32 || width == 64 || width == 80);
    const char *suffix = width == 32 ? "f" : width == 64 ? "" : "L", *builtin = width == 32 ? "f" : width == 64 ? "" : "l";
    long double value = width == 32 ? arith_f32((uint64_t)bits) : width == 64 ? arith_f64((uint64_t)bits) : arith_f80(bits);
    const char *sign = signbit(value) ? "-" : "";
    if (isnan(value)) return strbuf_addf(out, "%s__builtin_nan%s(\"\")", sign, builtin);
    if (isinf(value)) return strbuf_addf(out, "%s__builtin_inf%s()", sign, builtin);
    char text[64];
    shortest(text, sizeof text, width, value);
    strbuf_add(out, text);
    if (!strpbrk(text, ".e")) strbuf_add(out, ".0");
    strbuf_add(out, suffix);
}
