/* Text to integers.  Twelve digits of any base fit into 62 bits, so range is only tested from the thirteenth on: short numbers made of
 * inputs cost no branch but those on their characters. */
#include "internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum { SAFE_DIGITS = 12 };

typedef struct Number {
    uint64_t magnitude;
    bool negative, overflow;
    const char *end; /* NULL: no number there, or a bad base */
} Number;

static bool has_hex_prefix(const char *s)
{
    return s[0] == '0' && (s[1] | 32) == 'x' && digit_value((unsigned char)s[2]) < 16;
}

static Number scan(const char *s, int base)
{
    Number number = {0};
    if (base < 0 || base == 1 || base > 36) {
        clew__errno = EINVAL;
        return number;
    }
    while (is_space((unsigned char)*s)) s++;
    if ((*s == '-') | (*s == '+')) number.negative = *s++ == '-';
    if ((base == 0 || base == 16) && has_hex_prefix(s)) {
        s += 2;
        base = 16;
    }
    if (base == 0) base = *s == '0' ? 8 : 10;
    int count = 0;
    for (;; s++, count++) {
        unsigned digit = digit_value((unsigned char)*s);
        if (digit >= (unsigned)base) break;
        if (count >= SAFE_DIGITS) {
            uint64_t product;
            number.overflow |= __builtin_mul_overflow(number.magnitude, (uint64_t)base, &product);
            number.overflow |= __builtin_add_overflow(product, (uint64_t)digit, &number.magnitude);
        } else {
            number.magnitude = number.magnitude * (unsigned)base + digit;
        }
    }
    if (count > SAFE_DIGITS && number.overflow) number.magnitude = UINT64_MAX;
    if (count <= SAFE_DIGITS) number.overflow = false;
    number.end = count ? s : NULL;
    return number;
}

int64_t clew__parse_signed(const char *text, char **end, int base)
{
    Number number = scan(text, base);
    if (end && !(number.end == NULL && (base < 0 || base == 1 || base > 36))) *end = (char *)(number.end ? number.end : text);
    if (number.end && number.end - text > SAFE_DIGITS) {
        uint64_t limit = (uint64_t)INT64_MAX + number.negative;
        if (number.overflow | (number.magnitude > limit)) {
            clew__errno = ERANGE;
            return number.negative ? INT64_MIN : INT64_MAX;
        }
    }
    return (int64_t)(number.negative ? -number.magnitude : number.magnitude);
}

uint64_t clew__parse_unsigned(const char *text, char **end, int base)
{
    Number number = scan(text, base);
    if (end && !(number.end == NULL && (base < 0 || base == 1 || base > 36))) *end = (char *)(number.end ? number.end : text);
    if (number.overflow) {
        clew__errno = ERANGE;
        return UINT64_MAX;
    }
    return number.negative ? -number.magnitude : number.magnitude;
}

int atoi(const char *text)
{
    return (int)clew__parse_signed(text, NULL, 10);
}

long atol(const char *text)
{
    return clew__parse_signed(text, NULL, 10);
}

long long atoll(const char *text)
{
    return clew__parse_signed(text, NULL, 10);
}

/* The C2x names take binary prefixes too, in later versions of glibc than the one modelled here; that one has only the plain names. */
#define SIGNED(type, name) \
    type name(const char *restrict text, char **restrict end, int base); \
    type name(const char *restrict text, char **restrict end, int base) \
    { \
        return clew__parse_signed(text, end, base); \
    }
#define UNSIGNED(type, name) \
    type name(const char *restrict text, char **restrict end, int base); \
    type name(const char *restrict text, char **restrict end, int base) \
    { \
        return clew__parse_unsigned(text, end, base); \
    }
#define SIGNED_L(type, name) \
    type name(const char *restrict text, char **restrict end, int base, locale_t locale); \
    type name(const char *restrict text, char **restrict end, int base, locale_t locale) \
    { \
        (void)locale; \
        return clew__parse_signed(text, end, base); \
    }
#define UNSIGNED_L(type, name) \
    type name(const char *restrict text, char **restrict end, int base, locale_t locale); \
    type name(const char *restrict text, char **restrict end, int base, locale_t locale) \
    { \
        (void)locale; \
        return clew__parse_unsigned(text, end, base); \
    }

SIGNED(long, strtol)
SIGNED(long long, strtoll)
SIGNED(intmax_t, strtoimax)
SIGNED(long long, strtoq)
UNSIGNED(unsigned long, strtoul)
UNSIGNED(unsigned long long, strtoull)
UNSIGNED(uintmax_t, strtoumax)
UNSIGNED(unsigned long long, strtouq)
SIGNED_L(long, strtol_l)
SIGNED_L(long long, strtoll_l)
UNSIGNED_L(unsigned long, strtoul_l)
UNSIGNED_L(unsigned long long, strtoull_l)
#define GROUPED(type, name, parse) \
    type name(const char *restrict text, char **restrict end, int base, int group); \
    type name(const char *restrict text, char **restrict end, int base, int group) \
    { \
        (void)group; \
        return parse(text, end, base); \
    }
GROUPED(long, __strtol_internal, clew__parse_signed)
GROUPED(long long, __strtoll_internal, clew__parse_signed)
GROUPED(unsigned long, __strtoul_internal, clew__parse_unsigned)
GROUPED(unsigned long long, __strtoull_internal, clew__parse_unsigned)
