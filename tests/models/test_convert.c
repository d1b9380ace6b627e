/* Text to numbers, and stdlib's integer arithmetic. */
#include "test.h"

#include <inttypes.h>

MODEL(strtol);
MODEL(strtoll);
MODEL(strtoul);
MODEL(strtoull);
MODEL(strtoimax);
MODEL(strtoumax);
MODEL(atoi);
MODEL(atol);
MODEL(atoll);
MODEL(strtod);
MODEL(strtof);
MODEL(strtold);
MODEL(atof);
MODEL(abs);
MODEL(labs);
MODEL(llabs);
MODEL(imaxabs);
MODEL(div);
MODEL(ldiv);
MODEL(lldiv);
MODEL(imaxdiv);
MODEL(a64l);
MODEL(l64a);
extern long model___isoc23_strtol(const char *, char **, int);
extern unsigned long model___isoc23_strtoul(const char *, char **, int);

/* Text that is mostly a number in some base. */
static char *number_text(Random *r, int slot, int base)
{
    char text[100];
    size_t n = 0;
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    while (one_in(r, 4)) text[n++] = " \t\n\v\f\r"[below(r, 6)];
    if (one_in(r, 3)) text[n++] = "+-"[below(r, 2)];
    if (one_in(r, 4)) text[n++] = '0';
    if (one_in(r, 5)) text[n++] = "xXbB"[below(r, 4)];
    if (one_in(r, 4)) {
        static const char *edges[] = {"9223372036854775807",  "9223372036854775808",    "9223372036854775809",   "18446744073709551615",
                                      "18446744073709551616", "7fffffffffffffff",       "8000000000000000",      "ffffffffffffffff",
                                      "10000000000000000",    "1777777777777777777777", "2000000000000000000000"};
        const char *edge = edges[below(r, sizeof edges / sizeof *edges)];
        memcpy(text + n, edge, strlen(edge));
        n += strlen(edge);
    } else {
        size_t count = below(r, 24);
        int limit = base >= 2 && base <= 36 ? base : one_in(r, 2) ? 10 : 16;
        if (one_in(r, 5)) limit = 36;
        for (size_t i = 0; i < count; i++) {
            char c = digits[below(r, (uint64_t)limit)];
            text[n++] = one_in(r, 3) && c >= 'a' ? (char)(c - 32) : c;
        }
    }
    if (one_in(r, 4)) text[n++] = (char)between(r, 1, 255);
    text[n++] = 0;
    return guarded_copy(slot, text, n);
}

static int any_base(Random *r)
{
    static const int common[] = {0, 2, 8, 10, 16, 36};
    return one_in(r, 3) ? between(r, -2, 38) : common[below(r, 6)];
}

#define INTEGER_TRIAL(type, name) \
    static bool trial_##name(Random *r) \
    { \
        int base = any_base(r); \
        char *text = number_text(r, 0, base), *expected_end = NULL, *got_end = NULL; \
        errno = model_clew__errno = 0; \
        type expected = name(text, &expected_end, base); \
        int expected_errno = errno; \
        type got = model_##name(text, &got_end, base); \
        int got_errno = model_clew__errno; \
        if (expected_errno == EINVAL && base >= 0 && base != 1 && base <= 36) expected_errno = 0; \
        if (expected == got && expected_end == got_end && expected_errno == got_errno && model_##name(text, NULL, base) == got) \
            return true; \
        return differ("\"%s\" base %d: glibc %lld end %td errno %d, model %lld end %td errno %d", text_shown(text), base, \
                      (long long)expected, expected_end - text, expected_errno, (long long)got, got_end - text, got_errno); \
    }
INTEGER_TRIAL(long, strtol)
INTEGER_TRIAL(long long, strtoll)
INTEGER_TRIAL(unsigned long, strtoul)
INTEGER_TRIAL(unsigned long long, strtoull)
INTEGER_TRIAL(intmax_t, strtoimax)
INTEGER_TRIAL(uintmax_t, strtoumax)

#define PLAIN_TRIAL(type, name) \
    static bool trial_##name(Random *r) \
    { \
        char *text = number_text(r, 0, 10); \
        type expected = name(text), got = model_##name(text); \
        return expected == got || differ("\"%s\": glibc %lld, model %lld", text_shown(text), (long long)expected, (long long)got); \
    }
PLAIN_TRIAL(int, atoi)
PLAIN_TRIAL(long, atol)
PLAIN_TRIAL(long long, atoll)

/* The C2x forms agree with the plain ones but for 0b. */
static bool trial___isoc23_strtol(Random *r)
{
    int base = any_base(r);
    char *text = number_text(r, 0, base), *expected_end = NULL, *got_end = NULL;
    if (one_in(r, 3)) {
        uint64_t value = any_bits(r) >> below(r, 64);
        char binary[80];
        size_t n = 0;
        bool negative = one_in(r, 2);
        if (negative) binary[n++] = '-';
        binary[n++] = '0';
        binary[n++] = one_in(r, 2) ? 'b' : 'B';
        for (int bit = 63; bit >= 0; bit--)
            if (value >> bit || bit == 0) binary[n++] = (char)('0' + (value >> bit & 1));
        binary[n++] = 0;
        char *copy = guarded_copy(1, binary, n);
        unsigned long got = model___isoc23_strtoul(copy, &got_end, one_in(r, 2) ? 0 : 2);
        if (got == (negative ? -value : value) && !*got_end) return true;
        return differ("\"%s\": %lu", binary, got);
    }
    for (char *p = text; *p; p++)
        if ((*p | 32) == 'b') *p = 'c';
    long expected = strtol(text, &expected_end, base), got = model___isoc23_strtol(text, &got_end, base);
    return (expected == got && expected_end == got_end) || differ("\"%s\" base %d", text_shown(text), base);
}

/* ---- floats ---- */

static char *float_text(Random *r, int slot)
{
    char text[200];
    size_t n = 0;
    static const char *words[] = {"inf",
                                  "INF",
                                  "infinity",
                                  "Infinit",
                                  "nan",
                                  "NaN(12ab_)",
                                  "nan(",
                                  "nan()",
                                  "in",
                                  "na",
                                  "0x",
                                  "0x.p1",
                                  "0x1p",
                                  "1e",
                                  "1e+",
                                  ".",
                                  "-.5",
                                  "+.e1",
                                  "0x.8",
                                  "1e400",
                                  "1e-400",
                                  "4.9e-324",
                                  "1.7976931348623159e308",
                                  "3.4028236e38",
                                  "1e-46",
                                  "2.4703282292062327208e-324",
                                  "0x1.fffffffffffff8p1023",
                                  "1e4933",
                                  "9007199254740993",
                                  "16777217"};
    while (one_in(r, 6)) text[n++] = " \t\n"[below(r, 3)];
    if (one_in(r, 3)) text[n++] = "+-"[below(r, 2)];
    if (one_in(r, 5)) {
        const char *word = words[below(r, sizeof words / sizeof *words)];
        n += (size_t)sprintf(text + n, "%s", word);
    } else if (one_in(r, 6)) {
        n += (size_t)sprintf(text + n, one_in(r, 2) ? "%a" : "%A", __builtin_fabs(any_double(r)));
    } else if (one_in(r, 4)) {
        n += (size_t)snprintf(text + n, 60, "%.*g", between(r, 0, 25), __builtin_fabs(any_double(r)));
    } else {
        for (size_t count = below(r, 12); count > 0; count--) text[n++] = (char)between(r, '0', '9');
        if (one_in(r, 2)) text[n++] = '.';
        for (size_t count = below(r, 10); count > 0; count--) text[n++] = (char)between(r, '0', '9');
        if (one_in(r, 3)) n += (size_t)sprintf(text + n, "%c%s%d", "eE"[below(r, 2)], one_in(r, 3) ? "+" : "", between(r, -40, 40));
    }
    if (one_in(r, 4)) text[n++] = "x.eE+-pn1"[below(r, 9)];
    text[n++] = 0;
    return guarded_copy(slot, text, n);
}

#define FLOAT_TRIAL(type, name, bytes) \
    static bool trial_##name(Random *r) \
    { \
        char *text = float_text(r, 0), *expected_end = NULL, *got_end = NULL; \
        errno = model_clew__errno = 0; \
        type expected = name(text, &expected_end); \
        int expected_errno = errno; \
        type got = model_##name(text, &got_end); \
        if (memcmp(&expected, &got, bytes) == 0 && expected_end == got_end && expected_errno == model_clew__errno) return true; \
        return differ("\"%s\": glibc %La end %td errno %d, model %La end %td errno %d", text_shown(text), (long double)expected, \
                      expected_end - text, expected_errno, (long double)got, got_end - text, model_clew__errno); \
    }
FLOAT_TRIAL(double, strtod, sizeof expected)
FLOAT_TRIAL(float, strtof, sizeof expected)
FLOAT_TRIAL(long double, strtold, 10)

static bool trial_atof(Random *r)
{
    char *text = float_text(r, 0);
    double expected = atof(text), got = model_atof(text);
    return memcmp(&expected, &got, sizeof got) == 0 || differ("\"%s\"", text_shown(text));
}

/* ---- arithmetic ---- */

#define ABS_TRIAL(type, name) \
    static bool trial_##name(Random *r) \
    { \
        type value = (type)any_bits(r); \
        return name(value) == model_##name(value) || differ("%lld", (long long)value); \
    }
ABS_TRIAL(int, abs)
ABS_TRIAL(long, labs)
ABS_TRIAL(long long, llabs)
ABS_TRIAL(intmax_t, imaxabs)

#define DIV_TRIAL(type, name, result) \
    static bool trial_##name(Random *r) \
    { \
        type a = (type)any_bits(r), b = (type)any_bits(r); \
        if (b == 0 || b == -1) b = 7; \
        result expected = name(a, b), got = model_##name(a, b); \
        return (expected.quot == got.quot && expected.rem == got.rem) || differ("%lld %lld", (long long)a, (long long)b); \
    }
DIV_TRIAL(int, div, div_t)
DIV_TRIAL(long, ldiv, ldiv_t)
DIV_TRIAL(long long, lldiv, lldiv_t)
DIV_TRIAL(intmax_t, imaxdiv, imaxdiv_t)

static bool trial_a64l(Random *r)
{
    size_t n = below(r, 9);
    char *text = guarded(0, n + 1);
    for (size_t i = 0; i < n; i++) text[i] = one_in(r, 20) ? '#' : "./09AZaz5Mm"[below(r, 11)];
    text[n] = 0;
    return a64l(text) == model_a64l(text) || differ("\"%s\": %ld %ld", text, a64l(text), model_a64l(text));
}

static bool trial_l64a(Random *r)
{
    long value = (long)any_bits(r);
    char expected[16];
    strcpy(expected, l64a(value));
    return strcmp(expected, model_l64a(value)) == 0 || differ("%ld", value);
}

const Trial convert_trials[] = {TRIAL(strtol),    TRIAL(strtoll), TRIAL(strtoul), TRIAL(strtoull), TRIAL(strtoimax),
                                TRIAL(strtoumax), TRIAL(atoi),    TRIAL(atol),    TRIAL(atoll),    TRIAL(__isoc23_strtol),
                                TRIAL(strtod),    TRIAL(strtof),  TRIAL(strtold), TRIAL(atof),     TRIAL(abs),
                                TRIAL(labs),      TRIAL(llabs),   TRIAL(imaxabs), TRIAL(div),      TRIAL(ldiv),
                                TRIAL(lldiv),     TRIAL(imaxdiv), TRIAL(a64l),    TRIAL(l64a),     {NULL, NULL, 0}};
