/* The __isoc23_ conversions that programs compiled against later headers call: base 0 and 2 take a 0b prefix too. */
#include "internal.h"

#include <inttypes.h>

/* Text to hand to the ordinary conversion after an optional "0b", or NULL where there is none; the sign goes to *negative. */
static const char *after_binary_prefix(const char *s, int base, bool *negative)
{
    if (base != 0 && base != 2) return NULL;
    while (is_space((unsigned char)*s)) s++;
    *negative = *s == '-';
    if ((*s == '-') | (*s == '+')) s++;
    if (s[0] != '0' || (s[1] | 32) != 'b' || (s[2] | 1) != '1') return NULL;
    return s + 2;
}

static int64_t parse_signed(const char *text, char **end, int base)
{
    bool negative = false;
    const char *digits = after_binary_prefix(text, base, &negative);
    if (!digits) return clew__parse_signed(text, end, base);
    char *stop;
    int saved = clew__errno;
    clew__errno = 0;
    uint64_t value = clew__parse_unsigned(digits, &stop, 2);
    bool range = clew__errno != 0 || value > (uint64_t)INT64_MAX + negative;
    clew__errno = range ? 34 /* ERANGE */ : saved;
    if (end) *end = stop;
    if (range) return negative ? INT64_MIN : INT64_MAX;
    return (int64_t)(negative ? -value : value);
}

static uint64_t parse_unsigned(const char *text, char **end, int base)
{
    bool negative = false;
    const char *digits = after_binary_prefix(text, base, &negative);
    if (!digits) return clew__parse_unsigned(text, end, base);
    int saved = clew__errno;
    clew__errno = 0;
    uint64_t value = clew__parse_unsigned(digits, end, 2);
    bool range = clew__errno != 0;
    if (!range) clew__errno = saved;
    return negative && !range ? -value : value;
}

#define SIGNED(type, name) \
    type name(const char *restrict text, char **restrict end, int base); \
    type name(const char *restrict text, char **restrict end, int base) \
    { \
        return parse_signed(text, end, base); \
    }
#define UNSIGNED(type, name) \
    type name(const char *restrict text, char **restrict end, int base); \
    type name(const char *restrict text, char **restrict end, int base) \
    { \
        return parse_unsigned(text, end, base); \
    }

SIGNED(long, __isoc23_strtol)
SIGNED(long long, __isoc23_strtoll)
SIGNED(intmax_t, __isoc23_strtoimax)
UNSIGNED(unsigned long, __isoc23_strtoul)
UNSIGNED(unsigned long long, __isoc23_strtoull)
UNSIGNED(uintmax_t, __isoc23_strtoumax)
