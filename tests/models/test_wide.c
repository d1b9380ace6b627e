/* Wide strings and the multibyte conversions of the C locale. */
#include "test.h"

#include <wchar.h>

MODEL(wcslen);
MODEL(wcsnlen);
MODEL(wcscpy);
MODEL(wcpcpy);
MODEL(wcsncpy);
MODEL(wcscat);
MODEL(wcsncat);
MODEL(wcscmp);
MODEL(wcsncmp);
MODEL(wcscasecmp);
MODEL(wcsncasecmp);
MODEL(wcschr);
MODEL(wcsrchr);
MODEL(wcsstr);
MODEL(wcsspn);
MODEL(wcscspn);
MODEL(wcspbrk);
MODEL(wcstok);
MODEL(wcsdup);
MODEL(wmemcpy);
MODEL(wmemmove);
MODEL(wmemset);
MODEL(wmemcmp);
MODEL(wmemchr);
MODEL(mbtowc);
MODEL(wctomb);
MODEL(mblen);
MODEL(mbstowcs);
MODEL(wcstombs);
MODEL(btowc);
MODEL(wctob);
MODEL(mbrtowc);
MODEL(wcrtomb);
MODEL(mbsrtowcs);
MODEL(wcsrtombs);
MODEL(mbrlen);

enum { MAX = 20 };

static wchar_t *wide_room(int slot, size_t n)
{
    return (wchar_t *)(void *)guarded(slot, n * sizeof(wchar_t));
}

static wchar_t any_wide(Random *r)
{
    return one_in(r, 20) ? (wchar_t)any_bits(r) : (wchar_t) "abAB \t"[below(r, 6)];
}

static wchar_t *wide_text(Random *r, int slot)
{
    size_t n = below(r, MAX);
    wchar_t *s = wide_room(slot, n + 1);
    for (size_t i = 0; i < n; i++) {
        s[i] = any_wide(r);
        if (!s[i]) s[i] = 1;
    }
    s[n] = 0;
    return s;
}

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

static bool trial_wcslen(Random *r)
{
    wchar_t *s = wide_text(r, 0);
    size_t max = below(r, MAX + 4);
    return (wcslen(s) == model_wcslen(s) && wcsnlen(s, max) == model_wcsnlen(s, max)) || differ("of %zu", wcslen(s));
}

static bool trial_wcscpy(Random *r)
{
    wchar_t *s = wide_text(r, 0);
    size_t n = wcslen(s) + 1, m = below(r, MAX + 4);
    wchar_t *a = wide_room(1, n), *b = wide_room(2, n), *c = wide_room(3, m), *d = wide_room(4, m);
    wcscpy(a, s);
    if (model_wcscpy(b, s) != b || wmemcmp(a, b, n) != 0 || model_wcpcpy(b, s) != b + n - 1) return differ("wcscpy");
    wcsncpy(c, s, m);
    return (model_wcsncpy(d, s, m) == d && wmemcmp(c, d, m) == 0) || differ("wcsncpy");
}

static bool trial_wcscat(Random *r)
{
    wchar_t *s = wide_text(r, 0), *t = wide_text(r, 1);
    size_t n = wcslen(s) + wcslen(t) + 1, limit = below(r, MAX);
    wchar_t *a = wide_room(2, n), *b = wide_room(3, n);
    wcscat(wcscpy(a, s), t);
    model_wcscat(wcscpy(b, s), t);
    if (wcscmp(a, b) != 0) return differ("wcscat");
    wcsncat(wcscpy(a, s), t, limit);
    model_wcsncat(wcscpy(b, s), t, limit);
    return wcscmp(a, b) == 0 || differ("wcsncat");
}

static bool trial_wcscmp(Random *r)
{
    wchar_t *a = wide_text(r, 0), *b = wide_text(r, 1);
    size_t n = below(r, MAX);
    if (one_in(r, 2)) {
        b = wide_room(1, wcslen(a) + 1);
        wcscpy(b, a);
        if (*b && one_in(r, 2)) b[below(r, wcslen(a))] ^= 32;
        if (wcslen(b) != wcslen(a)) return true;
    }
    bool same = sign(wcscmp(a, b)) == sign(model_wcscmp(a, b)) && sign(wcsncmp(a, b, n)) == sign(model_wcsncmp(a, b, n));
    /* Letters beyond ASCII overflow glibc's difference; equality is what counts. */
    same = same && (wcscasecmp(a, b) == 0) == (model_wcscasecmp(a, b) == 0) &&
           (wcsncasecmp(a, b, n) == 0) == (model_wcsncasecmp(a, b, n) == 0);
    return same || differ("\"%ls\" \"%ls\"", a, b);
}

static bool trial_wcschr(Random *r)
{
    wchar_t *s = wide_text(r, 0), *t = wide_text(r, 1), c = one_in(r, 6) ? 0 : any_wide(r);
    if (wcslen(t) > 3) t += wcslen(t) - 3;
    if (wcschr(s, c) != model_wcschr(s, c) || wcsrchr(s, c) != model_wcsrchr(s, c)) return differ("wcschr");
    if (wcsstr(s, t) != model_wcsstr(s, t) || wcspbrk(s, t) != model_wcspbrk(s, t)) return differ("wcsstr");
    return (wcsspn(s, t) == model_wcsspn(s, t) && wcscspn(s, t) == model_wcscspn(s, t)) || differ("wcsspn");
}

static bool trial_wcstok(Random *r)
{
    wchar_t *s = wide_text(r, 0);
    size_t n = wcslen(s) + 1;
    wchar_t *a = wide_room(1, n), *b = wide_room(2, n), *x = NULL, *y = NULL;
    wcscpy(a, s);
    wcscpy(b, s);
    for (int i = 0; i < 5; i++) {
        wchar_t *p = wcstok(i ? NULL : a, L"a ", &x), *q = model_wcstok(i ? NULL : b, L"a ", &y);
        if (!p != !q || (p && p - a != q - b)) return differ("token %d", i);
    }
    return wmemcmp(a, b, n) == 0 || differ("memory");
}

static bool trial_wmemcpy(Random *r)
{
    size_t n = below(r, MAX);
    wchar_t *a = wide_room(0, n), *b = wide_room(1, n), *c = wide_room(2, n), value = any_wide(r);
    for (size_t i = 0; i < n; i++) a[i] = b[i] = any_wide(r);
    if (n && one_in(r, 2)) b[below(r, n)] = any_wide(r);
    if (sign(wmemcmp(a, b, n)) != sign(model_wmemcmp(a, b, n)) || wmemchr(a, value, n) != model_wmemchr(a, value, n))
        return differ("wmemcmp");
    model_wmemcpy(c, a, n);
    if (wmemcmp(a, c, n) != 0) return differ("wmemcpy");
    size_t from = below(r, n + 1), to = below(r, n + 1), count = n - (from > to ? from : to);
    wmemmove(a + to, a + from, count);
    model_wmemmove(c + to, c + from, count);
    if (wmemcmp(a, c, n) != 0) return differ("wmemmove");
    wmemset(a, value, n);
    model_wmemset(c, value, n);
    return wmemcmp(a, c, n) == 0 || differ("wmemset");
}

static bool same(const char *what, int64_t a, int64_t b)
{
    return a == b || differ("%s: glibc %lld, model %lld", what, (long long)a, (long long)b);
}

static bool trial_mbtowc(Random *r)
{
    char *s = random_text(r, 0, 3);
    size_t n = below(r, strlen(s) + 2);
    wchar_t a = 7, b = 7;
    errno = model_clew__errno = 0;
    if (!same("mbtowc", mbtowc(&a, s, n), model_mbtowc(&b, s, n)) || !same("errno", errno, model_clew__errno) || !same("character", a, b))
        return false;
    mbstate_t state, model_state;
    memset(&state, 0, sizeof state);
    memset(&model_state, 0, sizeof state);
    if (!same("mbrtowc", (int64_t)mbrtowc(&a, s, n, &state), (int64_t)model_mbrtowc(&b, s, n, &model_state)) || !same("character", a, b))
        return false;
    int c = between(r, -1, 300);
    return same("mblen", mblen(s, n), model_mblen(s, n)) && same("btowc", btowc(c), model_btowc(c)) &&
           same("wctob", wctob((wint_t)c), model_wctob((wint_t)c));
}

static bool trial_wctomb(Random *r)
{
    char a[16] = "", b[16] = "";
    wchar_t c = one_in(r, 3) ? (wchar_t)any_bits(r) : (wchar_t)below(r, 260);
    errno = model_clew__errno = 0;
    return same("wctomb", wctomb(a, c), model_wctomb(b, c)) && same("errno", errno, model_clew__errno) && same("byte", a[0], b[0]);
}

static bool trial_mbstowcs(Random *r)
{
    char *s = random_text(r, 0, MAX);
    size_t n = below(r, MAX + 4);
    wchar_t a[MAX + 5] = {0}, b[MAX + 5] = {0};
    bool measure = one_in(r, 4);
    if (!same("mbstowcs", (int64_t)mbstowcs(measure ? NULL : a, s, n), (int64_t)model_mbstowcs(measure ? NULL : b, s, n))) return false;
    if (wmemcmp(a, b, MAX + 5) != 0) return differ("mbstowcs \"%s\"", text_shown(s));
    const char *p = s, *q = s;
    mbstate_t state, model_state;
    memset(&state, 0, sizeof state);
    memset(&model_state, 0, sizeof state);
    size_t x = mbsrtowcs(measure ? NULL : a, &p, n, &state), y = model_mbsrtowcs(measure ? NULL : b, &q, n, &model_state);
    return same("mbsrtowcs", (int64_t)x, (int64_t)y) && same("place", p ? p - s : -1, q ? q - s : -1);
}

static bool trial_wcstombs(Random *r)
{
    wchar_t *s = wide_text(r, 0);
    size_t n = below(r, MAX + 4);
    char a[MAX + 5] = {0}, b[MAX + 5] = {0};
    bool measure = one_in(r, 4);
    if (!same("wcstombs", (int64_t)wcstombs(measure ? NULL : a, s, n), (int64_t)model_wcstombs(measure ? NULL : b, s, n))) return false;
    if (memcmp(a, b, MAX + 5) != 0) return differ("wcstombs");
    const wchar_t *p = s, *q = s;
    mbstate_t state, model_state;
    memset(&state, 0, sizeof state);
    memset(&model_state, 0, sizeof state);
    size_t x = wcsrtombs(measure ? NULL : a, &p, n, &state), y = model_wcsrtombs(measure ? NULL : b, &q, n, &model_state);
    return same("wcsrtombs", (int64_t)x, (int64_t)y) && same("place", p ? p - s : -1, q ? q - s : -1);
}

const Trial wide_trials[] = {TRIAL(wcslen),  TRIAL(wcscpy), TRIAL(wcscat), TRIAL(wcscmp),   TRIAL(wcschr),   TRIAL(wcstok),
                             TRIAL(wmemcpy), TRIAL(mbtowc), TRIAL(wctomb), TRIAL(mbstowcs), TRIAL(wcstombs), {NULL, NULL, 0}};
