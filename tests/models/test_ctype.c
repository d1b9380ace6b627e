/* ctype.h: every value of every class, and the tables. */
#include "test.h"

#include <ctype.h>
#include <wctype.h>

extern const unsigned short **model___ctype_b_loc(void);
extern const int **model___ctype_toupper_loc(void), **model___ctype_tolower_loc(void);

#define CLASS_TRIAL(name) \
    extern int model_##name(int); \
    static bool trial_##name(Random *r) \
    { \
        int c = between(r, -1, 255); \
        int expected = (name)(c), got = model_##name(c); \
        return expected == got || differ("%d: glibc %d, model %d", c, expected, got); \
    }
CLASS_TRIAL(isalpha)
CLASS_TRIAL(isupper)
CLASS_TRIAL(islower)
CLASS_TRIAL(isdigit)
CLASS_TRIAL(isxdigit)
CLASS_TRIAL(isspace)
CLASS_TRIAL(isprint)
CLASS_TRIAL(isgraph)
CLASS_TRIAL(isblank)
CLASS_TRIAL(iscntrl)
CLASS_TRIAL(ispunct)
CLASS_TRIAL(isalnum)

#define WIDE_RANGE_TRIAL(name) \
    extern int model_##name(int); \
    static bool trial_##name(Random *r) \
    { \
        int c = one_in(r, 3) ? (int)any_bits(r) : between(r, -130, 260); \
        int expected = (name)(c), got = model_##name(c); \
        return expected == got || differ("%d: glibc %d, model %d", c, expected, got); \
    }
WIDE_RANGE_TRIAL(isascii)
WIDE_RANGE_TRIAL(toascii)
WIDE_RANGE_TRIAL(toupper)
WIDE_RANGE_TRIAL(tolower)

static bool trial___ctype_b_loc(Random *r)
{
    int c = between(r, -128, 255);
    return (*__ctype_b_loc())[c] == (*model___ctype_b_loc())[c] || differ("%d", c);
}

static bool trial___ctype_toupper_loc(Random *r)
{
    int c = between(r, -128, 255);
    return (*__ctype_toupper_loc())[c] == (*model___ctype_toupper_loc())[c] || differ("%d", c);
}

static bool trial___ctype_tolower_loc(Random *r)
{
    int c = between(r, -128, 255);
    return (*__ctype_tolower_loc())[c] == (*model___ctype_tolower_loc())[c] || differ("%d", c);
}

#define WIDE_TRIAL(name) \
    extern int model_##name(wint_t); \
    static bool trial_##name(Random *r) \
    { \
        wint_t c = one_in(r, 3) ? (wint_t)any_bits(r) : (wint_t)below(r, 300); \
        return (name(c) != 0) == (model_##name(c) != 0) || differ("%u", c); \
    }
WIDE_TRIAL(iswalpha)
WIDE_TRIAL(iswupper)
WIDE_TRIAL(iswlower)
WIDE_TRIAL(iswdigit)
WIDE_TRIAL(iswxdigit)
WIDE_TRIAL(iswalnum)
WIDE_TRIAL(iswspace)
WIDE_TRIAL(iswblank)
WIDE_TRIAL(iswprint)
WIDE_TRIAL(iswgraph)
WIDE_TRIAL(iswcntrl)
WIDE_TRIAL(iswpunct)

extern wint_t model_towupper(wint_t), model_towlower(wint_t);

static bool trial_towupper(Random *r)
{
    wint_t c = one_in(r, 3) ? (wint_t)any_bits(r) : (wint_t)below(r, 300);
    return (towupper(c) == model_towupper(c) && towlower(c) == model_towlower(c)) || differ("%u", c);
}

const Trial ctype_trials[] = {TRIAL(isalpha),
                              TRIAL(isupper),
                              TRIAL(islower),
                              TRIAL(isdigit),
                              TRIAL(isxdigit),
                              TRIAL(isspace),
                              TRIAL(isprint),
                              TRIAL(isgraph),
                              TRIAL(isblank),
                              TRIAL(iscntrl),
                              TRIAL(ispunct),
                              TRIAL(isalnum),
                              TRIAL(isascii),
                              TRIAL(toascii),
                              TRIAL(toupper),
                              TRIAL(tolower),
                              TRIAL(__ctype_b_loc),
                              TRIAL(__ctype_toupper_loc),
                              TRIAL(__ctype_tolower_loc),
                              TRIAL(iswalpha),
                              TRIAL(iswupper),
                              TRIAL(iswlower),
                              TRIAL(iswdigit),
                              TRIAL(iswxdigit),
                              TRIAL(iswalnum),
                              TRIAL(iswspace),
                              TRIAL(iswblank),
                              TRIAL(iswprint),
                              TRIAL(iswgraph),
                              TRIAL(iswcntrl),
                              TRIAL(iswpunct),
                              TRIAL(towupper),
                              {NULL, NULL, 0}};
