/* Multibyte characters of the C locale: bytes below 128 are themselves, the others are errors.  No state. */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#undef btowc
#undef wctob
#undef mbrlen

enum { ILLEGAL = -1, INCOMPLETE = -2 };

/* 1, 0 for NUL, or an error. */
static int64_t decode(wchar_t *to, const char *s, size_t n)
{
    if (n == 0) return INCOMPLETE;
    unsigned char byte = (unsigned char)*s;
    if (byte > 127) return fail_with(EILSEQ);
    if (to) *to = byte;
    return byte != 0;
}

static int64_t encode(char *to, wchar_t c)
{
    if ((uint32_t)c > 127) return fail_with(EILSEQ);
    *to = (char)c;
    return 1;
}

size_t mbrtowc(wchar_t *restrict to, const char *restrict s, size_t n, mbstate_t *restrict state)
{
    (void)state;
    return s ? (size_t)decode(to, s, n) : 0;
}

size_t mbrlen(const char *restrict s, size_t n, mbstate_t *restrict state)
{
    (void)state;
    return s ? (size_t)decode(NULL, s, n) : 0;
}

int mbtowc(wchar_t *restrict to, const char *restrict s, size_t n)
{
    if (!s) return 0;
    if (!*s) n = 1; /* NUL is seen even in no bytes */
    int64_t result = decode(to, s, n);
    return result < 0 ? -1 : (int)result;
}

int mblen(const char *s, size_t n)
{
    if (!s) return 0;
    if (!*s) n = 1;
    int64_t result = decode(NULL, s, n);
    return result < 0 ? -1 : (int)result;
}

size_t wcrtomb(char *restrict to, wchar_t c, mbstate_t *restrict state)
{
    (void)state;
    return to ? (size_t)encode(to, c) : 1;
}

int wctomb(char *to, wchar_t c)
{
    return to ? (int)encode(to, c) : 0;
}

int mbsinit(const mbstate_t *state)
{
    return !state || state->__count == 0;
}

wint_t btowc(int byte)
{
    return byte >= 0 && byte <= 127 ? (wint_t)byte : WEOF;
}

int wctob(wint_t c)
{
    return c <= 127 ? (int)c : EOF;
}

static size_t to_wide(wchar_t *to, const char **from, size_t n, bool keep_place)
{
    const char *s = *from;
    for (size_t i = 0; !to || i < n; i++) {
        wchar_t c;
        int64_t length = decode(&c, s + i, 1);
        if (length < 0) {
            if (to && keep_place) *from = s + i;
            return (size_t)-1;
        }
        if (to) to[i] = c;
        if (length == 0) {
            if (to && keep_place) *from = NULL;
            return i;
        }
    }
    if (keep_place) *from = s + n;
    return n;
}

static size_t to_bytes(char *to, const wchar_t **from, size_t n, bool keep_place)
{
    const wchar_t *s = *from;
    for (size_t i = 0; !to || i < n; i++) {
        char byte;
        if (encode(&byte, s[i]) < 0) {
            if (to && keep_place) *from = s + i;
            return (size_t)-1;
        }
        if (to) to[i] = byte;
        if (!byte) {
            if (to && keep_place) *from = NULL;
            return i;
        }
    }
    if (keep_place) *from = s + n;
    return n;
}

size_t mbstowcs(wchar_t *restrict to, const char *restrict from, size_t n)
{
    const char *s = from;
    return to_wide(to, &s, n, false);
}

size_t mbsrtowcs(wchar_t *restrict to, const char **restrict from, size_t n, mbstate_t *restrict state)
{
    (void)state;
    return to_wide(to, from, n, true);
}

size_t wcstombs(char *restrict to, const wchar_t *restrict from, size_t n)
{
    const wchar_t *s = from;
    return to_bytes(to, &s, n, false);
}

size_t wcsrtombs(char *restrict to, const wchar_t **restrict from, size_t n, mbstate_t *restrict state)
{
    (void)state;
    return to_bytes(to, from, n, true);
}
