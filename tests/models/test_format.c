/* printf to memory: random conversions, alone, in sequence and by position.  What printf does with a stream is in test_stdio.c. */
#include "test.h"

#include <stdarg.h>
#include <wchar.h>

MODEL(snprintf);
MODEL(vsnprintf);
MODEL(sprintf);
MODEL(vsprintf);
MODEL(asprintf);
MODEL(vasprintf);
extern int model___snprintf_chk(char *, size_t, int, size_t, const char *, ...);
extern int model___sprintf_chk(char *, int, size_t, const char *, ...);

enum { MAX = 400 };
typedef enum Type { INT, LONG, DOUBLE, LONG_DOUBLE, STRING, WIDE_STRING, WIDE_CHAR, POINTER, COUNT, NONE, TYPES } Type;

typedef struct Built {
    char format[200];
    size_t n;
} Built;

static void add(Built *b, const char *text)
{
    size_t n = strlen(text);
    memcpy(b->format + b->n, text, n + 1);
    b->n += n;
}

static void add_number(Built *b, int value)
{
    char text[16];
    sprintf(text, "%d", value);
    add(b, text);
}

static void add_character(Built *b, char c)
{
    char text[2] = {c, 0};
    add(b, text);
}

static void add_literal(Random *r, Built *b)
{
    static const char *texts[] = {"", "x", "%%", " a b ", "\n", "\xff"};
    add(b, texts[below(r, 6)]);
}

/* Width and precision as digits or as stars; returns the number of stars. */
static int add_shape(Random *r, Built *b, bool stars)
{
    int used = 0;
    while (one_in(r, 2)) add_character(b, "-+ #0'I"[below(r, one_in(r, 4) ? 7 : 5)]);
    if (one_in(r, 2)) {
        if (stars && one_in(r, 4)) {
            add(b, "*");
            used |= 1;
        } else {
            add_number(b, one_in(r, 8) ? between(r, 0, 130) : between(r, 0, 20));
        }
    }
    if (one_in(r, 2)) {
        add(b, ".");
        if (stars && one_in(r, 4)) {
            add(b, "*");
            used |= 2;
        } else if (!one_in(r, 5)) {
            add_number(b, one_in(r, 8) ? between(r, 0, 130) : between(r, 0, 20));
        }
    }
    return used;
}

/* By position glibc takes the sizes q and L of an integer for that of an int; neither is C.  They come last in the list. */
static void add_conversion(Random *r, Built *b, Type type, bool by_position)
{
    static const char *small[] = {"", "h", "hh"}, *large[] = {"l", "ll", "j", "z", "t", "Z", "q", "L"};
    switch (type) {
    case INT:
        if (one_in(r, 6)) {
            add(b, "c");
            break;
        }
        add(b, small[below(r, 3)]);
        add_character(b, "diuoxX"[below(r, 6)]);
        break;
    case LONG:
        add(b, large[below(r, by_position ? 6 : 8)]);
        add_character(b, "diuoxX"[below(r, 6)]);
        break;
    case DOUBLE:
        if (one_in(r, 4)) add(b, "l");
        add_character(b, "aAeEfFgG"[below(r, 8)]);
        break;
    case LONG_DOUBLE:
        add(b, "L");
        add_character(b, "aAeEfFgG"[below(r, 8)]);
        break;
    case STRING: add(b, "s"); break;
    case WIDE_STRING: add(b, one_in(r, 2) ? "ls" : "S"); break;
    case WIDE_CHAR: add(b, one_in(r, 2) ? "lc" : "C"); break;
    case POINTER: add(b, "p"); break;
    case COUNT: add(b, "n"); break;
    default: add_character(b, "m%kvyMR"[below(r, one_in(r, 3) ? 7 : 2)]); break;
    }
}

typedef struct Value {
    uint64_t integer;
    double real;
    long double long_real;
    char *text;
    wchar_t *wide;
    void *pointer;
    int width, precision;
} Value;

static Value any_value(Random *r, int slot)
{
    Value v;
    v.integer = any_bits(r);
    v.real = any_double(r);
    v.long_real = one_in(r, 8) ? 1e-4940L * (long double)(double)v.integer : (long double)any_double(r) * 1.1L;
    v.text = one_in(r, 12) ? NULL : random_text(r, slot, 30);
    v.wide = NULL;
    if (!one_in(r, 12)) {
        size_t n = below(r, 12);
        v.wide = (wchar_t *)(void *)guarded(slot + 1, (n + 1) * sizeof(wchar_t));
        for (size_t i = 0; i < n; i++) v.wide[i] = one_in(r, 40) ? 200 : (wchar_t)between(r, 1, 127);
        v.wide[n] = 0;
    }
    v.pointer = one_in(r, 4) ? NULL : (void *)(uintptr_t)any_bits(r);
    v.width = between(r, -20, 20);
    v.precision = between(r, -3, 20);
    return v;
}

typedef int (*Printer)(char *to, size_t n, const char *format, ...);

#define CALL(value) \
    (stars == 0   ? print(to, n, format, value, count) \
     : stars == 1 ? print(to, n, format, v->width, value, count) \
     : stars == 2 ? print(to, n, format, v->precision, value, count) \
                  : print(to, n, format, v->width, v->precision, value, count))

static int call(Printer print, char *to, size_t n, const char *format, Type type, int stars, const Value *v, long *count)
{
    errno = model_clew__errno = type == NONE && v->width == 3 ? 4000 : EEXIST;
    switch (type) {
    case INT: return CALL((int)v->integer);
    case LONG: return CALL(v->integer);
    case DOUBLE: return CALL(v->real);
    case LONG_DOUBLE: return CALL(v->long_real);
    case STRING: return CALL(v->text);
    case WIDE_STRING: return CALL(v->wide);
    case WIDE_CHAR: return CALL((wint_t)(v->integer & 0xff));
    case POINTER: return CALL(v->pointer);
    default: return CALL(count);
    }
}

static bool same_output(const char *format, const char *expected, const char *got, size_t n, int a, int b)
{
    if (a == b && memcmp(expected, got, n) == 0) return true;
    return differ("\"%s\": glibc %d \"%s\", model %d \"%s\"", text_shown(format), a, shown(expected, n), b, shown(got, n));
}

/* One conversion into a buffer that may be too small. */
static bool one_conversion(Random *r, Printer expected_print, Printer got_print, bool unlimited)
{
    Built b = {.n = 0};
    Type type = (Type)below(r, TYPES);
    Value v = any_value(r, 4);
    add_literal(r, &b);
    add(&b, "%");
    int stars = add_shape(r, &b, true);
    add_conversion(r, &b, type, false);
    add_literal(r, &b);
    if (type == STRING && v.text && !strchr(b.format, '.') && !stars && one_in(r, 2)) add(&b, "%ln");
    size_t n = unlimited ? MAX : below(r, 60);
    char *expected = guarded(0, MAX), *got = guarded(1, n);
    memset(expected, '#', MAX);
    memset(got, '#', n);
    long expected_count = 77, got_count = 77;
    int a = call(expected_print, expected, n, b.format, type, stars, &v, &expected_count);
    int expected_errno = errno;
    int c = call(got_print, got, n, b.format, type, stars, &v, &got_count);
    if (a < 0 && c < 0)
        return expected_errno == model_clew__errno || differ("\"%s\": errno %d %d", b.format, expected_errno, model_clew__errno);
    if (expected_count != got_count) return differ("\"%s\": %%n %ld, %ld", b.format, expected_count, got_count);
    size_t written = a >= 0 && (size_t)a < n ? (size_t)a + 1 : n;
    return same_output(b.format, expected, got, written, a, c);
}

static bool trial_snprintf(Random *r)
{
    return one_conversion(r, snprintf, model_snprintf, false);
}

static int with_sprintf(char *to, size_t n, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)n;
    int result = vsprintf(to, format, args);
    va_end(args);
    return result;
}

static int with_model_vsprintf(char *to, size_t n, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)n;
    int result = model_vsprintf(to, format, args);
    va_end(args);
    return result;
}

static bool trial_vsprintf(Random *r)
{
    return one_conversion(r, with_sprintf, with_model_vsprintf, true);
}

static int with_vsnprintf(char *to, size_t n, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int result = model_vsnprintf(to, n, format, args);
    va_end(args);
    return result;
}

static bool trial_vsnprintf(Random *r)
{
    return one_conversion(r, snprintf, with_vsnprintf, false);
}

static int with_snprintf_chk(char *to, size_t n, const char *format, ...)
{
    char *text;
    va_list args;
    va_start(args, format);
    int result = model_vasprintf(&text, format, args);
    va_end(args);
    if (result >= 0) {
        int again = model___snprintf_chk(to, n, 1, n, "%s", text);
        char copy[2 * MAX];
        if ((size_t)result < sizeof copy &&
            (model___sprintf_chk(copy, 1, sizeof copy, "%s", text) != result || strlen(copy) > (size_t)result))
            again = -2;
        if (strlen(text) == (size_t)result) result = again;
        else memcpy(to, text, n < (size_t)result + 1 ? n : (size_t)result + 1);
        if (n && (size_t)result >= n) to[n - 1] = 0;
        free(text);
    }
    return result;
}

static bool trial_asprintf(Random *r)
{
    return one_conversion(r, snprintf, with_snprintf_chk, false);
}

/* ---- several ---- */

static const Type order[] = {INT, LONG, DOUBLE, STRING, LONG_DOUBLE, POINTER, INT, DOUBLE, WIDE_CHAR, STRING, LONG, INT, DOUBLE, DOUBLE};
enum { ARGUMENTS = sizeof order / sizeof *order };

static int call_all(Printer print, char *to, size_t n, const char *format, const Value *v)
{
    errno = model_clew__errno = EEXIST;
    return print(to, n, format, (int)v[0].integer, v[1].integer, v[2].real, v[3].text, v[4].long_real, v[5].pointer, (int)v[6].integer,
                 v[7].real, (wint_t)(v[8].integer & 0x7f), v[9].text, v[10].integer, (int)v[11].integer, v[12].real, v[13].real);
}

static bool compare_all(Random *r, const Built *b)
{
    Value v[ARGUMENTS];
    for (int i = 0; i < ARGUMENTS; i++) {
        v[i] = any_value(r, 4);
        if (v[i].real > 1e30 || v[i].real < -1e30) v[i].real = 1.5;
        if (v[i].long_real > 1e30L || v[i].long_real < -1e30L) v[i].long_real = 1.5L;
        v[i].text = i == 3 ? "three" : "";
        v[i].integer &= 0xffffff3fu;
    }
    v[6].integer = (uint64_t)between(r, 0, 15); /* negative: by position glibc then pads on the right with zeros if told to */
    char *expected = guarded(0, 4096), *got = guarded(1, 4096);
    memset(expected, '#', 4096);
    memset(got, '#', 4096);
    int a = call_all(snprintf, expected, 4096, b->format, v), c = call_all(model_snprintf, got, 4096, b->format, v);
    size_t n = a >= 0 && a < 4096 ? (size_t)a + 1 : 0;
    return same_output(b->format, expected, got, n, a, c);
}

static bool trial_sequence(Random *r)
{
    Built b = {.n = 0};
    for (int i = 0; i < ARGUMENTS && b.n < 170; i++) {
        add_literal(r, &b);
        add(&b, "%");
        add_shape(r, &b, false);
        add_conversion(r, &b, order[i], false);
    }
    return compare_all(r, &b);
}

/* Some of the arguments by number, then all of them, so that none has an unknown type; 7 is an int and serves as width. */
static bool trial_positions(Random *r)
{
    Built b = {.n = 0};
    for (int i = 0; i < 3; i++) {
        int which = (int)below(r, ARGUMENTS);
        add_literal(r, &b);
        add(&b, "%");
        add_number(&b, which + 1);
        add(&b, "$");
        if (one_in(r, 3)) add_character(&b, "-+ #0"[below(r, 5)]);
        if (one_in(r, 4)) add(&b, "*7$");
        else if (one_in(r, 2)) add_number(&b, between(r, 1, 15));
        if (one_in(r, 5)) add(&b, ".*7$");
        add_conversion(r, &b, order[which], true);
    }
    add(&b, "%1$d%2$ld%3$f%4$s%5$Lf%6$p%7$d%8$f%9$lc%10$s%11$ld%12$d%13$f%14$f");
    return compare_all(r, &b);
}

/* Where output cannot be read back and everything counts as an input: the text and the length are the same still. */
typedef struct Sink {
    void (*put)(struct Sink *, const char *, size_t);
    bool console, failed;
    char text[MAX * 2];
    size_t n;
} Sink;
extern int model_clew__format(Sink *sink, const char *format, va_list args);

static void sink_put(Sink *sink, const char *text, size_t n)
{
    memcpy(sink->text + sink->n, text, n);
    sink->n += n;
}

static int with_console(char *to, size_t n, const char *format, ...)
{
    Sink sink = {.put = sink_put, .console = true};
    va_list args;
    va_start(args, format);
    int result = model_clew__format(&sink, format, args);
    va_end(args);
    sink.text[sink.n] = 0;
    if (n) memcpy(to, sink.text, n < sink.n + 1 ? n : sink.n + 1);
    if (n && sink.n >= n) to[n - 1] = 0;
    return result;
}

static bool trial_console(Random *r)
{
    host.all_symbolic = 1;
    return one_conversion(r, snprintf, with_console, false);
}

const Trial format_trials[] = {TRIAL(snprintf), TRIAL(vsnprintf), TRIAL(vsprintf), TRIAL(asprintf),
                               TRIAL(sequence), TRIAL(positions), TRIAL(console),  {NULL, NULL, 0}};
