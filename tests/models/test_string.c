/* string.h and strings.h. */
#include "test.h"

#include <libgen.h>
#undef basename
#include <string.h>
#include <strings.h>
#include <unistd.h>

MODEL(memcpy);
MODEL(memmove);
MODEL(memset);
MODEL(mempcpy);
MODEL(bcopy);
MODEL(bzero);
MODEL(explicit_bzero);
MODEL(memcmp);
MODEL(bcmp);
MODEL(memchr);
MODEL(memrchr);
MODEL(rawmemchr);
MODEL(memccpy);
MODEL(memmem);
MODEL(swab);
MODEL(ffs);
MODEL(ffsl);
MODEL(ffsll);
MODEL(strlen);
MODEL(strnlen);
MODEL(strcpy);
MODEL(stpcpy);
MODEL(strncpy);
MODEL(stpncpy);
MODEL(strcat);
MODEL(strncat);
MODEL(strcmp);
MODEL(strncmp);
MODEL(strcasecmp);
MODEL(strncasecmp);
MODEL(strcoll);
MODEL(strxfrm);
MODEL(strdup);
MODEL(strndup);
MODEL(strchr);
MODEL(strrchr);
MODEL(strchrnul);
MODEL(index);
MODEL(rindex);
MODEL(strstr);
MODEL(strcasestr);
MODEL(strspn);
MODEL(strcspn);
MODEL(strpbrk);
MODEL(strtok);
MODEL(strtok_r);
MODEL(strsep);
MODEL(basename);
MODEL(__xpg_basename);
MODEL(dirname);
MODEL(strerror);
MODEL(strerror_r);
MODEL(strsignal);

enum { MAX = 40 };

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

static bool same(const char *what, uint64_t expected, uint64_t got, const char *input, size_t n)
{
    if (expected == got) return true;
    return differ("%s: glibc %llx, model %llx, input \"%s\"", what, (unsigned long long)expected, (unsigned long long)got, shown(input, n));
}

static bool same_bytes(const char *expected, const char *got, size_t n)
{
    if (memcmp(expected, got, n) == 0) return true;
    return differ("glibc left \"%s\", model \"%s\"", shown(expected, n), shown(got, n));
}

/* Offsets compare where addresses cannot. */
static uint64_t offset_in(const void *base, const void *p)
{
    return p ? (uint64_t)((const char *)p - (const char *)base) : UINT64_MAX;
}

static int any_byte(Random *r, const char *text, size_t n)
{
    if (n && !one_in(r, 4)) return (unsigned char)text[below(r, n)];
    return between(r, -300, 300);
}

/* ---- memory ---- */

typedef struct Blocks {
    size_t n;
    char *from, *expected, *got;
} Blocks;

static Blocks blocks(Random *r)
{
    Blocks b;
    b.n = below(r, MAX);
    b.from = guarded(0, b.n);
    fill_random(r, b.from, b.n);
    b.expected = guarded(1, b.n);
    b.got = guarded(2, b.n);
    memset(b.expected, '#', b.n);
    memset(b.got, '#', b.n);
    return b;
}

#define COPY_TRIAL(name) \
    static bool trial_##name(Random *r) \
    { \
        Blocks b = blocks(r); \
        uint64_t expected = offset_in(b.expected, name(b.expected, b.from, b.n)); \
        uint64_t got = offset_in(b.got, model_##name(b.got, b.from, b.n)); \
        return same(#name, expected, got, b.from, b.n) && same_bytes(b.expected, b.got, b.n); \
    }
COPY_TRIAL(memcpy)
COPY_TRIAL(mempcpy)

#define MOVE(function, to, from, n) function(to, from, n)
#define BCOPY(function, to, from, n) function(from, to, n)
#define OVERLAP_TRIAL(name, call) \
    static bool trial_##name(Random *r) \
    { \
        size_t size = 1 + below(r, MAX), n = below(r, size + 1), from = below(r, size - n + 1), to = below(r, size - n + 1); \
        char *expected = guarded(1, size), *got = guarded(2, size); \
        fill_random(r, expected, size); \
        memcpy(got, expected, size); \
        call(name, expected + to, expected + from, n); \
        call(model_##name, got + to, got + from, n); \
        return same_bytes(expected, got, size); \
    }
OVERLAP_TRIAL(memmove, MOVE)
OVERLAP_TRIAL(bcopy, BCOPY)

static bool trial_memset(Random *r)
{
    Blocks b = blocks(r);
    int byte = any_byte(r, b.from, b.n);
    memset(b.expected, byte, b.n);
    void *result = model_memset(b.got, byte, b.n);
    return result == b.got && same_bytes(b.expected, b.got, b.n);
}

#define ZERO_TRIAL(name) \
    static bool trial_##name(Random *r) \
    { \
        Blocks b = blocks(r); \
        name(b.expected, b.n); \
        model_##name(b.got, b.n); \
        return same_bytes(b.expected, b.got, b.n); \
    }
ZERO_TRIAL(bzero)
ZERO_TRIAL(explicit_bzero)

/* Both ways of comparing: byte by byte, and as one expression. */
#define COMPARE_TRIAL(name) \
    static bool trial_##name(Random *r) \
    { \
        size_t n = below(r, MAX); \
        char *a = guarded(0, n), *b = guarded(1, n); \
        fill_random(r, a, n); \
        memcpy(b, a, n); \
        if (n && !one_in(r, 3)) b[below(r, n)] = (char)below(r, 256); \
        if (n && one_in(r, 3)) b[below(r, n)] = (char)below(r, 256); \
        host.all_symbolic = one_in(r, 2); \
        int expected = name(a, b, n), got = model_##name(a, b, n); \
        return same(#name, (uint64_t)sign(expected), (uint64_t)sign(got), a, n); \
    }
COMPARE_TRIAL(memcmp)

static bool trial_bcmp(Random *r)
{
    size_t n = below(r, MAX);
    char *a = guarded(0, n), *b = guarded(1, n);
    fill_random(r, a, n);
    memcpy(b, a, n);
    if (n && !one_in(r, 3)) b[below(r, n)] = (char)below(r, 256);
    return same("bcmp", bcmp(a, b, n) != 0, model_bcmp(a, b, n) != 0, a, n);
}

#define FIND_TRIAL(name) \
    static bool trial_##name(Random *r) \
    { \
        size_t n = below(r, MAX); \
        char *a = one_in(r, 2) ? guarded(0, n) : guarded_before(0, n); \
        fill_random(r, a, n); \
        int byte = any_byte(r, a, n); \
        return same(#name, offset_in(a, name(a, byte, n)), offset_in(a, model_##name(a, byte, n)), a, n); \
    }
FIND_TRIAL(memchr)
FIND_TRIAL(memrchr)

static bool trial_rawmemchr(Random *r)
{
    size_t n = 1 + below(r, MAX);
    char *a = guarded(0, n);
    fill_random(r, a, n);
    int byte = (unsigned char)a[below(r, n)];
    return same("rawmemchr", offset_in(a, rawmemchr(a, byte)), offset_in(a, model_rawmemchr(a, byte)), a, n);
}

static bool trial_memccpy(Random *r)
{
    Blocks b = blocks(r);
    int byte = any_byte(r, b.from, b.n);
    uint64_t expected = offset_in(b.expected, memccpy(b.expected, b.from, byte, b.n));
    uint64_t got = offset_in(b.got, model_memccpy(b.got, b.from, byte, b.n));
    return same("memccpy", expected, got, b.from, b.n) && same_bytes(b.expected, b.got, b.n);
}

static bool trial_memmem(Random *r)
{
    size_t n = below(r, MAX), m = below(r, 6);
    char *h = guarded(0, n), *e = guarded(1, m);
    fill_random(r, h, n);
    if (n >= m && one_in(r, 2)) memcpy(e, h + below(r, n - m + 1), m);
    else fill_random(r, e, m);
    return same("memmem", offset_in(h, memmem(h, n, e, m)), offset_in(h, model_memmem(h, n, e, m)), h, n);
}

static bool trial_swab(Random *r)
{
    Blocks b = blocks(r);
    ssize_t n = (ssize_t)b.n - (ssize_t)below(r, 2) * (ssize_t)(b.n + 1);
    swab(b.from, b.expected, n);
    model_swab(b.from, b.got, n);
    return same_bytes(b.expected, b.got, b.n);
}

static bool trial_ffs(Random *r)
{
    uint64_t v = one_in(r, 10) ? 0 : any_bits(r);
    return ffs((int)v) == model_ffs((int)v) && ffsl((long)v) == model_ffsl((long)v) && ffsll((long long)v) == model_ffsll((long long)v);
}

/* ---- strings ---- */

static bool trial_strlen(Random *r)
{
    char *s = random_text(r, 0, MAX);
    return same("strlen", strlen(s), model_strlen(s), s, strlen(s));
}

static bool trial_strnlen(Random *r)
{
    size_t n = below(r, MAX), max = below(r, MAX + 10);
    char *s = guarded(0, n);
    fill_random(r, s, n);
    if (n && (max > n || one_in(r, 2))) s[below(r, n)] = 0;
    if (!n) max = 0;
    if (max > n && !memchr(s, 0, n)) max = n;
    return same("strnlen", strnlen(s, max), model_strnlen(s, max), s, n);
}

#define STRING_COPY_TRIAL(name) \
    static bool trial_##name(Random *r) \
    { \
        char *s = random_text(r, 0, MAX); \
        size_t n = strlen(s) + 1; \
        char *expected = guarded(1, n), *got = guarded(2, n); \
        uint64_t a = offset_in(expected, name(expected, s)), b = offset_in(got, model_##name(got, s)); \
        return same(#name, a, b, s, n) && same_bytes(expected, got, n); \
    }
STRING_COPY_TRIAL(strcpy)
STRING_COPY_TRIAL(stpcpy)

/* The source need not be terminated where n ends first. */
#define BOUNDED_COPY_TRIAL(name) \
    static bool trial_##name(Random *r) \
    { \
        size_t length = below(r, MAX), n = below(r, MAX); \
        bool terminated = n > length || one_in(r, 2); \
        char *s = guarded(0, length + terminated); \
        fill_random(r, s, length); \
        if (terminated) s[length] = 0; \
        if (!terminated && n > length) n = length; \
        char *expected = guarded(1, n), *got = guarded(2, n); \
        uint64_t a = offset_in(expected, name(expected, s, n)), b = offset_in(got, model_##name(got, s, n)); \
        return same(#name, a, b, s, length) && same_bytes(expected, got, n); \
    }
BOUNDED_COPY_TRIAL(strncpy)
BOUNDED_COPY_TRIAL(stpncpy)

static bool trial_strcat(Random *r)
{
    char *a = random_text(r, 0, MAX), *b = random_text(r, 1, MAX);
    size_t n = strlen(a) + strlen(b) + 1;
    char *expected = guarded(2, n), *got = guarded(3, n);
    strcpy(expected, a);
    strcpy(got, a);
    strcat(expected, b);
    return model_strcat(got, b) == got && same_bytes(expected, got, n);
}

static bool trial_strncat(Random *r)
{
    char *a = random_text(r, 0, MAX), *b = random_text(r, 1, MAX);
    size_t limit = below(r, MAX), n = strlen(a) + strnlen(b, limit) + 1;
    char *expected = guarded(2, n), *got = guarded(3, n);
    strcpy(expected, a);
    strcpy(got, a);
    strncat(expected, b, limit);
    return model_strncat(got, b, limit) == got && same_bytes(expected, got, n);
}

static void two_texts(Random *r, char **a, char **b)
{
    *a = random_text(r, 0, MAX);
    size_t n = strlen(*a);
    if (one_in(r, 3)) {
        *b = random_text(r, 1, MAX);
        return;
    }
    size_t m = one_in(r, 2) ? n : below(r, n + 1);
    *b = guarded(1, m + 1);
    memcpy(*b, *a, m);
    (*b)[m] = 0;
    if (m && one_in(r, 2)) (*b)[below(r, m)] ^= one_in(r, 2) ? 32 : (char)0x80;
    if (strlen(*b) != m) *b = strcpy(guarded(1, strlen(*b) + 1), strdupa(*b));
}

#define ORDER_TRIAL(name, ...) \
    static bool trial_##name(Random *r) \
    { \
        char *a, *b; \
        two_texts(r, &a, &b); \
        size_t n = below(r, MAX + 4); \
        (void)n; \
        int expected = name(a, b __VA_ARGS__), got = model_##name(a, b __VA_ARGS__); \
        if (sign(expected) == sign(got)) return true; \
        return differ("glibc %d, model %d, \"%s\" \"%s\" %zu", expected, got, text_shown(a), text_shown(b), n); \
    }
ORDER_TRIAL(strcmp, )
ORDER_TRIAL(strcoll, )
ORDER_TRIAL(strncmp, , n)
ORDER_TRIAL(strcasecmp, )
ORDER_TRIAL(strncasecmp, , n)

static bool trial_strxfrm(Random *r)
{
    char *s = random_text(r, 0, MAX);
    size_t n = below(r, MAX);
    char *expected = guarded(1, n), *got = guarded(2, n);
    memset(expected, '#', n);
    memset(got, '#', n);
    size_t a = strxfrm(expected, s, n), b = model_strxfrm(got, s, n);
    return same("strxfrm", a, b, s, strlen(s)) && (a >= n || same_bytes(expected, got, a + 1));
}

static bool trial_strdup(Random *r)
{
    char *s = random_text(r, 0, MAX), *copy = model_strdup(s);
    bool ok = strcmp(copy, s) == 0;
    free(copy);
    return ok;
}

static bool trial_strndup(Random *r)
{
    char *s = random_text(r, 0, MAX);
    size_t n = below(r, MAX + 4);
    char *expected = strndup(s, n), *got = model_strndup(s, n);
    bool ok = strcmp(expected, got) == 0;
    free(expected);
    free(got);
    return ok;
}

#define STRING_FIND_TRIAL(name) \
    static bool trial_##name(Random *r) \
    { \
        char *s = random_text(r, 0, MAX); \
        int byte = any_byte(r, s, strlen(s) + 1); \
        return same(#name, offset_in(s, name(s, byte)), offset_in(s, model_##name(s, byte)), s, strlen(s)); \
    }
STRING_FIND_TRIAL(strchr)
STRING_FIND_TRIAL(strrchr)
STRING_FIND_TRIAL(strchrnul)
STRING_FIND_TRIAL(index)
STRING_FIND_TRIAL(rindex)

static char *needle_for(Random *r, const char *s)
{
    size_t n = strlen(s), from = below(r, n + 1), length = below(r, 5);
    if (one_in(r, 3)) return random_text(r, 1, 4);
    if (length > n - from) length = n - from;
    char *needle = guarded(1, length + 1);
    memcpy(needle, s + from, length);
    needle[length] = 0;
    if (length && one_in(r, 3) && needle[0] != ' ') needle[0] ^= 32;
    return needle;
}

#define SEARCH_TRIAL(name) \
    static bool trial_##name(Random *r) \
    { \
        char *s = random_text(r, 0, MAX), *needle = needle_for(r, s); \
        if (offset_in(s, name(s, needle)) == offset_in(s, model_##name(s, needle))) return true; \
        return differ("\"%s\" in \"%s\"", text_shown(needle), text_shown(s)); \
    }
SEARCH_TRIAL(strstr)
SEARCH_TRIAL(strcasestr)
SEARCH_TRIAL(strpbrk)

#define SPAN_TRIAL(name) \
    static bool trial_##name(Random *r) \
    { \
        char *s = random_text(r, 0, MAX), *set = needle_for(r, s); \
        if (name(s, set) == model_##name(s, set)) return true; \
        return differ("\"%s\" over \"%s\"", text_shown(s), text_shown(set)); \
    }
SPAN_TRIAL(strspn)
SPAN_TRIAL(strcspn)

/* All tokens, with separators that change on the way. */
typedef char *(*Tokenizer)(char *s, const char *separators, char **rest);

static char *with_strtok(char *s, const char *separators, char **rest)
{
    (void)rest;
    return strtok(s, separators);
}

static char *with_model_strtok(char *s, const char *separators, char **rest)
{
    (void)rest;
    return model_strtok(s, separators);
}

static bool same_tokens(Random *r, Tokenizer expected_next, Tokenizer got_next)
{
    char *s = random_text(r, 0, MAX), *separators = needle_for(r, s);
    size_t n = strlen(s) + 1;
    char *expected = guarded_copy(2, s, n), *got = guarded_copy(3, s, n), *expected_rest = NULL, *got_rest = NULL;
    for (int i = 0; i < 6; i++) {
        char *a = expected_next(i ? NULL : expected, separators, &expected_rest);
        char *b = got_next(i ? NULL : got, separators, &got_rest);
        if (offset_in(expected, a) != offset_in(got, b))
            return differ("token %d of \"%s\" by \"%s\"", i, text_shown(s), text_shown(separators));
        if (one_in(r, 3)) separators = "ab ";
    }
    return same_bytes(expected, got, n);
}

static bool trial_strtok(Random *r)
{
    return same_tokens(r, with_strtok, with_model_strtok);
}

static bool trial_strtok_r(Random *r)
{
    return same_tokens(r, strtok_r, model_strtok_r);
}

static bool trial_strsep(Random *r)
{
    char *s = random_text(r, 0, MAX), *separators = needle_for(r, s);
    size_t n = strlen(s) + 1;
    char *expected = guarded_copy(2, s, n), *got = guarded_copy(3, s, n), *a = expected, *b = got;
    for (int i = 0; i < 6; i++) {
        char *x = strsep(&a, separators), *y = model_strsep(&b, separators);
        if (offset_in(expected, x) != offset_in(got, y) || offset_in(expected, a) != offset_in(got, b))
            return differ("token %d of \"%s\" by \"%s\"", i, text_shown(s), text_shown(separators));
    }
    return same_bytes(expected, got, n);
}

/* ---- paths ---- */

static char *random_path(Random *r, int slot)
{
    size_t n = below(r, 12);
    char *s = guarded(slot, n + 1);
    for (size_t i = 0; i < n; i++) s[i] = "//a.b"[below(r, 5)];
    s[n] = 0;
    return s;
}

static bool trial_basename(Random *r)
{
    char *s = random_path(r, 0);
    return same("basename", offset_in(s, basename(s)), offset_in(s, model_basename(s)), s, strlen(s));
}

#define PATH_TRIAL(name) \
    static bool trial_##name(Random *r) \
    { \
        char *s = random_path(r, 0); \
        size_t n = strlen(s) + 1; \
        char *expected = guarded_copy(1, s, n), *got = guarded_copy(2, s, n); \
        char *a = name(expected), *b = model_##name(got); \
        if (strcmp(a, b) == 0 && memcmp(expected, got, n) == 0) return true; \
        return differ("of \"%s\": glibc \"%s\", model \"%s\"", text_shown(s), text_shown(a), text_shown(b)); \
    }
PATH_TRIAL(__xpg_basename)
PATH_TRIAL(dirname)

/* ---- errors ---- */

static bool trial_strerror(Random *r)
{
    int error = one_in(r, 5) ? (int)any_bits(r) : between(r, -3, 140);
    return strcmp(strerror(error), model_strerror(error)) == 0 || differ("%d", error);
}

static bool trial_strerror_r(Random *r)
{
    int error = one_in(r, 5) ? (int)any_bits(r) : between(r, -3, 140);
    size_t n = 1 + below(r, 40);
    char *expected = strerror_r(error, guarded(0, n), n), *got = model_strerror_r(error, guarded(1, n), n);
    return strcmp(expected, got) == 0 || differ("%d in %zu: \"%s\", \"%s\"", error, n, expected, got);
}

static bool trial_strsignal(Random *r)
{
    int number = between(r, -3, 70);
    char *expected = strdupa(strsignal(number));
    return strcmp(expected, model_strsignal(number)) == 0 || differ("%d", number);
}

/* ---- fortified forms, where they do not fail ---- */

extern void *model___memcpy_chk(void *, const void *, size_t, size_t);
extern char *model___strcpy_chk(char *, const char *, size_t), *model___strcat_chk(char *, const char *, size_t);
extern char *model___strncpy_chk(char *, const char *, size_t, size_t), *model___strncat_chk(char *, const char *, size_t, size_t);
extern char *model___stpcpy_chk(char *, const char *, size_t), *model___stpncpy_chk(char *, const char *, size_t, size_t);

static bool trial___strcpy_chk(Random *r)
{
    char *s = random_text(r, 0, MAX), *t = random_text(r, 1, MAX);
    size_t n = strlen(s) + 1, all = n + strlen(t), limit = below(r, MAX);
    char *expected = guarded(2, all), *got = guarded(3, all);
    strcpy(expected, s);
    if (model___strcpy_chk(got, s, n) != got || strcmp(expected, got) != 0) return differ("strcpy \"%s\"", text_shown(s));
    if (model___stpcpy_chk(got, s, n) != got + n - 1) return differ("stpcpy \"%s\"", text_shown(s));
    model___strcat_chk(got, t, all);
    strcat(expected, t);
    if (memcmp(expected, got, all) != 0) return differ("strcat \"%s\" \"%s\"", text_shown(s), text_shown(t));
    strcpy(expected, s);
    strcpy(got, s);
    strncat(expected, t, limit);
    model___strncat_chk(got, t, limit, all);
    if (strcmp(expected, got) != 0) return differ("strncat \"%s\" \"%s\"", text_shown(s), text_shown(t));
    limit = below(r, all + 1);
    strncpy(expected, s, limit);
    model___strncpy_chk(got, s, limit, all);
    return same_bytes(expected, got, limit);
}

const Trial string_trials[] = {
    TRIAL(memcpy),         TRIAL(mempcpy),    TRIAL(memmove),    TRIAL(bcopy),        TRIAL(memset),         TRIAL(bzero),
    TRIAL(explicit_bzero), TRIAL(memcmp),     TRIAL(bcmp),       TRIAL(memchr),       TRIAL(memrchr),        TRIAL(rawmemchr),
    TRIAL(memccpy),        TRIAL(memmem),     TRIAL(swab),       TRIAL(ffs),          TRIAL(strlen),         TRIAL(strnlen),
    TRIAL(strcpy),         TRIAL(stpcpy),     TRIAL(strncpy),    TRIAL(stpncpy),      TRIAL(strcat),         TRIAL(strncat),
    TRIAL(strcmp),         TRIAL(strcoll),    TRIAL(strncmp),    TRIAL(strcasecmp),   TRIAL(strncasecmp),    TRIAL(strxfrm),
    TRIAL(strdup),         TRIAL(strndup),    TRIAL(strchr),     TRIAL(strrchr),      TRIAL(strchrnul),      TRIAL(index),
    TRIAL(rindex),         TRIAL(strstr),     TRIAL(strcasestr), TRIAL(strpbrk),      TRIAL(strspn),         TRIAL(strcspn),
    TRIAL(strtok),         TRIAL(strtok_r),   TRIAL(strsep),     TRIAL(basename),     TRIAL(__xpg_basename), TRIAL(dirname),
    TRIAL(strerror),       TRIAL(strerror_r), TRIAL(strsignal),  TRIAL(__strcpy_chk), {NULL, NULL, 0}};
