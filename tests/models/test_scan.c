/* scanf from strings and streams: random formats on inputs that mostly suit them. */
#include "test.h"

#include <wchar.h>

extern int model___isoc99_sscanf(const char *, const char *, ...), model_sscanf(const char *, const char *, ...);
extern int model___isoc99_fscanf(FILE *, const char *, ...);
MODEL(fmemopen);
MODEL(fclose);
MODEL(fgetc);
MODEL(feof);

enum { TARGETS = 4, ROOM = 256, MAX = 60 };

typedef struct Case {
    char format[128], input[MAX + 40];
    size_t format_length, input_length;
    bool is_long_double[TARGETS], allocates[TARGETS];
} Case;

static void add(Case *c, const char *text)
{
    strcpy(c->format + c->format_length, text);
    c->format_length += strlen(text);
}

static void feed(Case *c, const char *text)
{
    strcpy(c->input + c->input_length, text);
    c->input_length += strlen(text);
}

static void feed_number(Random *r, Case *c)
{
    char text[64];
    uint64_t value = any_bits(r);
    switch (below(r, 10)) {
    case 0: snprintf(text, sizeof text, "%llx", (unsigned long long)value); break;
    case 1: snprintf(text, sizeof text, "0x%llX", (unsigned long long)value); break;
    case 2: snprintf(text, sizeof text, "%#llo", (unsigned long long)value); break;
    case 3: snprintf(text, sizeof text, "%llu%llu", (unsigned long long)value, (unsigned long long)value); break;
    case 4: snprintf(text, sizeof text, "%.*g", between(r, 1, 17), any_double(r)); break;
    case 5: snprintf(text, sizeof text, "%.3a", any_double(r)); break;
    case 6:
        snprintf(text, sizeof text, "%s",
                 ((const char *[]){"inf", "nan", "-", "+", "0x", "0xg", "1e", "1e+", ".", "-.5", "infinit", "(nil)", "0x.p", "in", "1.e5",
                                   "+0x1p"})[below(r, 16)]);
        break;
    default: snprintf(text, sizeof text, "%lld", (long long)value); break;
    }
    if (strlen(text) > 40) text[40] = 0;
    if (c->input_length + strlen(text) < MAX) feed(c, text);
}

static void feed_text(Random *r, Case *c)
{
    for (size_t n = below(r, 8); n > 0 && c->input_length < MAX; n--) {
        char text[2] = {one_in(r, 10) ? (char)between(r, 1, 255) : "abcz-]^ 09"[below(r, 10)], 0};
        feed(c, text);
    }
}

static void add_set(Random *r, Case *c)
{
    static const char *sets[] = {"[abc]",    "[^abc]",   "[a-z]", "[]a]",  "[^]a]",  "[a-]",   "[-a]",
                                 "[0-9a-f]", "[^ \t\n]", "[z-a]", "[a-a]", "[^0-9]", "[a-c-e]"};
    add(c, sets[below(r, sizeof sets / sizeof *sets)]);
}

static void add_conversion(Random *r, Case *c, int *used)
{
    static const char *sizes[] = {"", "", "h", "hh", "l", "ll", "j", "z", "t", "L", "q"};
    char text[24];
    add(c, "%");
    bool suppressed = one_in(r, 8), number = one_in(r, 2);
    if (suppressed) add(c, "*");
    if (one_in(r, 3)) {
        snprintf(text, sizeof text, "%d", between(r, 0, 12));
        add(c, text);
    }
    if (number) {
        bool real = one_in(r, 3);
        const char *size = real ? ((const char *[]){"", "l", "L"})[below(r, 3)] : sizes[below(r, 11)];
        if (real && size[0] == 'L' && !suppressed) c->is_long_double[*used] = true;
        add(c, size);
        snprintf(text, sizeof text, "%c", real ? "aefgEGAF"[below(r, 8)] : "dddiuoxXpn"[below(r, 10)]);
        add(c, text);
        feed_number(r, c);
    } else {
        bool allocate = !suppressed && one_in(r, 10);
        if (allocate) {
            add(c, "m");
            c->allocates[*used] = true;
        }
        /* Wide sets are left out: glibc drops bytes that are no characters instead of stopping there. */
        bool wide = one_in(r, 10) && !allocate;
        if (wide) add(c, "l");
        switch (wide ? below(r, 2) : below(r, 4)) {
        case 0: add(c, "c"); break;
        case 1: add(c, "s"); break;
        case 2: add_set(r, c); break;
        default: add(c, one_in(r, 6) && !allocate ? "%" : "s"); break;
        }
        feed_text(r, c);
    }
    if (!suppressed) ++*used;
}

static void add_between(Random *r, Case *c)
{
    static const char *texts[] = {"", " ", ",", " , ", "a", "\n", "%%", " %n"};
    uint64_t which = below(r, 7);
    add(c, texts[which]);
    if (!one_in(r, 5)) feed(c, which == 6 ? "%" : texts[which]);
    if (one_in(r, 4)) feed(c, " ");
}

static Case any_case(Random *r)
{
    Case c;
    memset(&c, 0, sizeof c);
    int used = 0;
    for (int i = between(r, 1, 4); i > 0 && used < TARGETS; i--) {
        if (one_in(r, 5)) feed(&c, " ");
        add_between(r, &c);
        add_conversion(r, &c, &used);
    }
    if (one_in(r, 6) && c.input_length) c.input_length = below(r, c.input_length);
    c.input[c.input_length] = 0;
    return c;
}

typedef struct Targets {
    _Alignas(16) char bytes[TARGETS][ROOM];
} Targets;

static bool same_targets(const Case *c, Targets *expected, Targets *got)
{
    bool same = true;
    for (int i = 0; i < TARGETS; i++) {
        char *a = expected->bytes[i], *b = got->bytes[i];
        if (c->allocates[i]) {
            char *x, *y;
            memcpy(&x, a, sizeof x);
            memcpy(&y, b, sizeof y);
            bool unset = memcmp(a, "\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa", 8) == 0;
            bool also_unset = memcmp(b, "\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa", 8) == 0;
            /* On failure glibc leaves a null pointer, or one it has freed; the value then means nothing. */
            if (unset || also_unset) continue;
            (void)x;
            (void)y;
        } else if (memcmp(a, b, c->is_long_double[i] ? 10 : ROOM) != 0) {
            same = differ("target %d: glibc \"%s\", model \"%s\"", i, shown(a, 24), shown(b, 24));
        }
    }
    return same;
}

/* What %ms and the like allocated, where both conversions succeeded. */
static bool same_allocated(const Case *c, Targets *expected, Targets *got, int done)
{
    bool same = true;
    for (int i = 0; i < TARGETS && i < done; i++) {
        if (!c->allocates[i] || strstr(c->format, "mc")) continue;
        char *x, *y;
        memcpy(&x, expected->bytes[i], sizeof x);
        memcpy(&y, got->bytes[i], sizeof y);
        if (strcmp(x, y) != 0) same = false;
    }
    return same;
}

static bool conclude(const Case *c, Targets *expected, Targets *got, int a, int b)
{
    if (a != b) return differ("\"%s\" from \"%s\": glibc %d, model %d", text_shown(c->format), text_shown(c->input), a, b);
    if (!same_targets(c, expected, got)) return differ("\"%s\" from \"%s\": targets differ", text_shown(c->format), text_shown(c->input));
    if (!strstr(c->format, "n") && !same_allocated(c, expected, got, a))
        return differ("\"%s\" from \"%s\": allocated text differs", text_shown(c->format), text_shown(c->input));
    return true;
}

#define POINTERS(t) (t)->bytes[0], (t)->bytes[1], (t)->bytes[2], (t)->bytes[3]

static bool trial_sscanf(Random *r)
{
    static Targets expected, got;
    Case c = any_case(r);
    memset(&expected, 0xaa, sizeof expected);
    memset(&got, 0xaa, sizeof got);
    char *input = guarded_copy(0, c.input, c.input_length + 1);
    errno = model_clew__errno = 0;
    int a = sscanf(input, c.format, POINTERS(&expected));
    int b = model___isoc99_sscanf(input, c.format, POINTERS(&got));
    return conclude(&c, &expected, &got, a, b);
}

/* The stream must stand at the same place afterwards. */
static bool trial_fscanf(Random *r)
{
    static Targets expected, got;
    Case c = any_case(r);
    if (!c.input_length) return true;
    memset(&expected, 0xaa, sizeof expected);
    memset(&got, 0xaa, sizeof got);
    FILE *f = fmemopen(c.input, c.input_length, "r"), *g = model_fmemopen(c.input, c.input_length, "r");
    int a = fscanf(f, c.format, POINTERS(&expected));
    int b = model___isoc99_fscanf(g, c.format, POINTERS(&got));
    bool same = conclude(&c, &expected, &got, a, b);
    if (same && !feof(f) != !model_feof(g)) same = differ("\"%s\" from \"%s\": feof", text_shown(c.format), text_shown(c.input));
    for (int x = 0, y; same && x != EOF;) {
        x = fgetc(f);
        y = model_fgetc(g);
        if (x != y) same = differ("\"%s\" from \"%s\": next is %d, model's %d", text_shown(c.format), text_shown(c.input), x, y);
    }
    fclose(f);
    model_fclose(g);
    return same;
}

static bool trial_positions(Random *r)
{
    int a1 = 1, a2 = 2, b1 = 1, b2 = 2;
    char input[64];
    snprintf(input, sizeof input, "%d %d", (int)any_bits(r), (int)any_bits(r));
    int x = sscanf(input, "%2$d %1$d", &a1, &a2), y = model___isoc99_sscanf(input, "%2$d %1$d", &b1, &b2);
    return (x == y && a1 == b1 && a2 == b2) || differ("\"%s\"", input);
}

/* In the oldest names %as allocates. */
static bool trial_gnu_a(Random *r)
{
    char *text = NULL, *input = random_text(r, 0, 20), word[64] = "";
    int expected = sscanf(input, "%63s", word), got = model_sscanf(input, "%as", &text);
    bool same = expected == got && (got < 1 || strcmp(text, word) == 0);
    if (got == 1) free(text);
    return same || differ("\"%s\"", text_shown(input));
}

const Trial scan_trials[] = {TRIAL(sscanf), TRIAL(fscanf), TRIAL(positions), TRIAL(gnu_a), {NULL, NULL, 0}};
