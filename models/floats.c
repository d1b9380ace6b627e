/* Text to floating point.  The text of the number is found first.  Where its digits and its power of ten are both exact in the type, one
 * multiplication or division gives the correctly rounded result (Clinger, PLDI 1990), and digits that are inputs stay inputs.  Everything
 * else goes to the native conversion. */
#include "internal.h"

#include <stdlib.h>

typedef struct Text {
    size_t start, length; /* length from the start of the argument; 0: no number */
    bool negative, plain;
    int digits; /* of the mantissa, leading zeros included */
    uint64_t mantissa;
    int64_t exponent;
} Text;

static size_t match_word(const char *s, const char *word)
{
    size_t n = 0;
    while (word[n]) {
        if (to_lower((unsigned char)s[n]) != word[n]) return 0;
        n++;
    }
    return n;
}

/* "(chars)" after nan. */
static size_t nan_payload(const char *s)
{
    if (s[0] != '(') return 0;
    size_t n = 1;
    while ((digit_value((unsigned char)s[n]) < 36) | (s[n] == '_')) n++;
    return s[n] == ')' ? n + 1 : 0;
}

static size_t special(const char *s)
{
    size_t n = match_word(s, "inf");
    if (n) return n + match_word(s + n, "inity");
    n = match_word(s, "nan");
    return n ? n + nan_payload(s + n) : 0;
}

/* An exponent, if it is complete; its value saturates. */
static size_t exponent_part(const char *s, int letter, int64_t *value)
{
    if (to_lower((unsigned char)s[0]) != letter) return 0;
    size_t n = 1;
    bool negative = s[n] == '-';
    if ((s[n] == '-') | (s[n] == '+')) n++;
    if (!is_digit(s[n])) return 0;
    int64_t magnitude = 0;
    for (; is_digit(s[n]); n++)
        if (magnitude < 100000000) magnitude = magnitude * 10 + (s[n] - '0');
    *value = negative ? -magnitude : magnitude;
    return n;
}

/* Digits with at most one point; 0 if there is no digit. */
static size_t mantissa_part(const char *s, unsigned base, Text *text)
{
    size_t n = 0;
    int fraction = 0;
    bool point = false;
    for (;; n++) {
        unsigned digit = digit_value((unsigned char)s[n]);
        if (digit < base) {
            text->mantissa = text->mantissa * base + digit;
            text->digits++;
            fraction += point;
        } else if (s[n] == '.' && !point) {
            point = true;
        } else {
            break;
        }
    }
    text->exponent = -fraction;
    return text->digits ? n : 0;
}

static size_t hexadecimal(const char *s, Text *text)
{
    if (s[0] != '0' || (s[1] | 32) != 'x') return 0;
    size_t n = mantissa_part(s + 2, 16, text);
    if (!n) return 0;
    int64_t power;
    return n + 2 + exponent_part(s + 2 + n, 'p', &power);
}

static Text find(const char *s)
{
    Text text = {0};
    size_t i = 0;
    while (is_space((unsigned char)s[i])) i++;
    text.start = i;
    text.negative = s[i] == '-';
    if ((s[i] == '-') | (s[i] == '+')) i++;
    size_t n = 0;
    if (!(is_digit(s[i]) | (s[i] == '.'))) {
        n = special(s + i);
    } else {
        n = hexadecimal(s + i, &text);
        if (!n) {
            text.digits = 0;
            text.mantissa = 0;
            n = mantissa_part(s + i, 10, &text);
            int64_t power = 0;
            if (n) n += exponent_part(s + i + n, 'e', &power);
            text.exponent += power;
            text.plain = true;
        }
    }
    text.length = n ? i + n : 0;
    return text;
}

/* A terminated copy of the number alone, for the native conversion.  Short ones stay on the stack. */
static char *extract(const char *s, const Text *text, char *room, size_t size)
{
    size_t n = text->length - text->start;
    char *copy = n < size ? room : clew__malloc(n + 1);
    if (!copy) return NULL;
    bytes_copy(copy, s + text->start, n);
    copy[n] = 0;
    return copy;
}

#define POWERS 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10
#define MORE_POWERS 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22

/* max_digits: that many decimal digits are exact in the type; max_power: so is that power of ten. */
#define PARSE(type, name, native, max_digits, max_power, ...) \
    type name(const char *s, char **end) \
    { \
        static const type powers[] = {__VA_ARGS__}; \
        Text text = find(s); \
        if (end) *end = (char *)s + text.length; \
        if (!text.length) return 0; \
        if (text.plain && text.digits <= max_digits && text.exponent >= -max_power && text.exponent <= max_power) { \
            type value = (type)text.mantissa; \
            value = text.exponent < 0 ? value / powers[-text.exponent] : value * powers[text.exponent]; \
            return text.negative ? -value : value; \
        } \
        char room[128], *copy = extract(s, &text, room, sizeof room); \
        if (!copy) return 0; \
        type value = native(copy, NULL); \
        if (copy != room) clew__free(copy); \
        return value; \
    }

PARSE(double, clew__parse_double, clew__strtod, 15, 22, POWERS, MORE_POWERS)
PARSE(float, clew__parse_float, clew__strtof, 7, 10, POWERS)
PARSE(long double, clew__parse_long_double, clew__strtold, 19, 22, POWERS, MORE_POWERS)

double atof(const char *s)
{
    return clew__parse_double(s, NULL);
}

double strtod(const char *restrict s, char **restrict end)
{
    return clew__parse_double(s, end);
}

float strtof(const char *restrict s, char **restrict end)
{
    return clew__parse_float(s, end);
}

long double strtold(const char *restrict s, char **restrict end)
{
    return clew__parse_long_double(s, end);
}

double strtod_l(const char *restrict s, char **restrict end, locale_t locale)
{
    (void)locale;
    return clew__parse_double(s, end);
}

float strtof_l(const char *restrict s, char **restrict end, locale_t locale)
{
    (void)locale;
    return clew__parse_float(s, end);
}

long double strtold_l(const char *restrict s, char **restrict end, locale_t locale)
{
    (void)locale;
    return clew__parse_long_double(s, end);
}
