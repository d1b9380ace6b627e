/* The tables behind ctype.h's macros: index -128..255, computed here by the compiler from the definition of each class. */
#include "internal.h"
#include "ctype_bits.h"

#include <ctype.h>

#define IN(c, low, high) ((c) >= (low) && (c) <= (high))
#define UPPER(c) IN(c, 'A', 'Z')
#define LOWER(c) IN(c, 'a', 'z')
#define DIGIT(c) IN(c, '0', '9')
#define ALNUM(c) (UPPER(c) || LOWER(c) || DIGIT(c))

#define BITS(c) \
    ((UPPER(c) ? BIT_UPPER : 0) | (LOWER(c) ? BIT_LOWER : 0) | (UPPER(c) || LOWER(c) ? BIT_ALPHA : 0) | (DIGIT(c) ? BIT_DIGIT : 0) | \
     (DIGIT(c) || IN(c, 'A', 'F') || IN(c, 'a', 'f') ? BIT_XDIGIT : 0) | ((c) == ' ' || IN(c, 9, 13) ? BIT_SPACE : 0) | \
     (IN(c, 32, 126) ? BIT_PRINT : 0) | (IN(c, 33, 126) ? BIT_GRAPH : 0) | ((c) == ' ' || (c) == 9 ? BIT_BLANK : 0) | \
     (IN(c, 0, 31) || (c) == 127 ? BIT_CNTRL : 0) | (IN(c, 33, 126) && !ALNUM(c) ? BIT_PUNCT : 0) | (ALNUM(c) ? BIT_ALNUM : 0))
#define CODE(c) ((c) < -1 ? (c) + 256 : (c))
#define TO_UPPER(c) (LOWER(c) ? (c)-32 : CODE(c))
#define TO_LOWER(c) (UPPER(c) ? (c) + 32 : CODE(c))

#define FOUR(f, c) f((c)), f((c) + 1), f((c) + 2), f((c) + 3)
#define SIXTEEN(f, c) FOUR(f, (c)), FOUR(f, (c) + 4), FOUR(f, (c) + 8), FOUR(f, (c) + 12)
#define LINE(f, c) SIXTEEN(f, (c)), SIXTEEN(f, (c) + 16), SIXTEEN(f, (c) + 32), SIXTEEN(f, (c) + 48)
#define ALL(f) LINE(f, -128), LINE(f, -64), LINE(f, 0), LINE(f, 64), LINE(f, 128), LINE(f, 192)

static const unsigned short classes[384] = {ALL(BITS)};
static const int uppers[384] = {ALL(TO_UPPER)}, lowers[384] = {ALL(TO_LOWER)};

const unsigned short **__ctype_b_loc(void)
{
    static const unsigned short *middle = classes + 128;
    return &middle;
}

const __int32_t **__ctype_toupper_loc(void)
{
    static const int *middle = uppers + 128;
    return &middle;
}

const __int32_t **__ctype_tolower_loc(void)
{
    static const int *middle = lowers + 128;
    return &middle;
}

size_t __ctype_get_mb_cur_max(void);
size_t __ctype_get_mb_cur_max(void)
{
    return 1;
}
