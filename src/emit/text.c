/* emit: pieces of C text: literals, comments, words. */
#include "base/arith.h"
#include "emit/emit_int.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINE_WIDTH = 100 };

/* Octal escapes have three digits, so that what follows cannot be read as part of them. */
static void add_character(StrBuf *out, unsigned char c)
{
    switch (c) {
    case '\n': strbuf_add(out, "\\n"); break;
    case '\t': strbuf_add(out, "\\t"); break;
    case '\r': strbuf_add(out, "\\r"); break;
    case '"': strbuf_add(out, "\\\""); break;
    case '\\': strbuf_add(out, "\\\\"); break;
    case '?': strbuf_add(out, out->len && out->text[out->len - 1] == '?' ? "\\?" : "?"); break; /* no trigraphs */
    default:
        if (c >= 32 && c < 127) strbuf_add_bytes(out, &c, 1);
        else strbuf_addf(out, "\\%03o", c);
    }
}

void emit__string(StrBuf *out, const void *bytes, size_t n, unsigned indent)
{
    const unsigned char *p = bytes;
    size_t start = out->len;
    strbuf_add(out, "\"");
    for (size_t i = 0; i < n; i++) {
        add_character(out, p[i]);
        bool full = out->len - start > LINE_WIDTH;
        if (i + 1 == n || !(p[i] == '\n' || full)) continue;
        strbuf_addf(out, "\"\n%*s\"", (int)indent, "");
        start = out->len;
    }
    strbuf_add(out, "\"");
}

void emit__comment_text(StrBuf *out, const char *text)
{
    for (; *text; text++) {
        bool closes = (text[0] == '*' && text[1] == '/') || (text[0] == '/' && text[1] == '*');
        strbuf_add_bytes(out, (unsigned char)*text < 32 ? " " : text, 1);
        if (closes) strbuf_add(out, " ");
    }
}

char *emit__word(const char *text)
{
    char *word = mem_strdup(text);
    for (char *p = word; *p; p++)
        if (!isalnum((unsigned char)*p)) *p = '_';
    return word;
}

/* The shortest of at most `digits` digits that is read back as the same value. */
static void add_float_text(StrBuf *out, double value, int digits, bool is_float)
{
    char text[512];
    for (int n = 1; n <= digits; n++) {
        snprintf(text, sizeof text, "%.*g", n, value);
        double back = is_float ? (double)strtof(text, NULL) : strtod(text, NULL);
        if (back == value) break;
    }
    strbuf_add(out, text);
    if (!strpbrk(text, ".eE")) strbuf_add(out, ".0");
}

void emit__float(StrBuf *out, uint32_t width, U128 bits)
{
    REQUIRE(width == 32 || width == 64, "a float or a double");
    double value = width == 32 ? (double)arith_f32((uint32_t)bits) : arith_f64((uint64_t)bits);
    if (isnan(value)) strbuf_add(out, "nan");
    else if (isinf(value)) strbuf_add(out, value < 0 ? "-inf" : "inf");
    else add_float_text(out, value, width == 32 ? 9 : 17, width == 32);
}

void emit__decimal(StrBuf *out, U128 bits, uint32_t width, bool is_signed)
{
    assert(width >= 1 && width <= 128);
    U128 value = width == 128 ? bits : bits & (((U128)1 << width) - 1);
    char digits[48], *p = digits + sizeof digits;
    if (is_signed && value >> (width - 1) & 1) {
        strbuf_add(out, "-");
        value = width == 128 ? -value : ((U128)1 << width) - value;
    }
    *--p = 0;
    do *--p = (char)('0' + (int)(value % 10));
    while (value /= 10);
    strbuf_add(out, p);
}
