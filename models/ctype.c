/* Character classes of the C locale, by comparison; results are glibc's bits.  ctype_tables.c has the tables that ctype.h's macros use. */
#include "internal.h"
#include "ctype_bits.h"

#include <ctype.h>
#include <locale.h>
#undef toascii
#undef tolower
#undef toupper
#undef tolower_l
#undef toupper_l
#undef _tolower
#undef _toupper

static inline int between(int c, int low, int high)
{
    return (unsigned)c - (unsigned)low <= (unsigned)(high - low);
}

static inline int letter(int c)
{
    return between(c | 32, 'a', 'z');
}

static inline int upper(int c)
{
    return between(c, 'A', 'Z');
}

static inline int lower(int c)
{
    return between(c, 'a', 'z');
}

static inline int hex(int c)
{
    return is_digit(c) | between(c | 32, 'a', 'f');
}

static inline int graphic(int c)
{
    return between(c, 33, 126);
}

#define CLASS(name, bit, condition) \
    int name(int c) \
    { \
        return (condition) * (bit); \
    } \
    int name##_l(int c, locale_t locale) \
    { \
        (void)locale; \
        return (condition) * (bit); \
    }

CLASS(isalpha, BIT_ALPHA, letter(c))
CLASS(isupper, BIT_UPPER, upper(c))
CLASS(islower, BIT_LOWER, lower(c))
CLASS(isdigit, BIT_DIGIT, is_digit(c))
CLASS(isxdigit, BIT_XDIGIT, hex(c))
CLASS(isspace, BIT_SPACE, is_space(c))
CLASS(isprint, BIT_PRINT, between(c, 32, 126))
CLASS(isgraph, BIT_GRAPH, graphic(c))
CLASS(isblank, BIT_BLANK, (c == ' ') | (c == '\t'))
CLASS(iscntrl, BIT_CNTRL, between(c, 0, 31) | (c == 127))
CLASS(ispunct, BIT_PUNCT, graphic(c) & !(letter(c) | is_digit(c)))
CLASS(isalnum, BIT_ALNUM, letter(c) | is_digit(c))

int isascii(int c)
{
    return (c & ~0x7f) == 0;
}

int toascii(int c)
{
    return c & 0x7f;
}

/* glibc's tables give 128..255 for the negative values of char, except for EOF. */
static inline int as_table(int c, int mapped)
{
    return between(c, -128, -2) ? c + 256 : mapped;
}

int toupper(int c)
{
    return as_table(c, to_upper(c));
}

int tolower(int c)
{
    return as_table(c, to_lower(c));
}

int toupper_l(int c, locale_t locale)
{
    (void)locale;
    return as_table(c, to_upper(c));
}

int tolower_l(int c, locale_t locale)
{
    (void)locale;
    return as_table(c, to_lower(c));
}

int _toupper(int c)
{
    return as_table(c, to_upper(c));
}

int _tolower(int c)
{
    return as_table(c, to_lower(c));
}
