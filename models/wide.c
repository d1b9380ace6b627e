/* Wide strings. */
#include "internal.h"

#include <wchar.h>

#undef wmemcpy

size_t wcslen(const wchar_t *s)
{
    size_t n = 0;
    while (s[n]) n++;
    return n;
}

size_t wcsnlen(const wchar_t *s, size_t max)
{
    size_t n = 0;
    while (n < max && s[n]) n++;
    return n;
}

static wchar_t *copy(wchar_t *to, const wchar_t *from)
{
    while ((*to = *from)) {
        to++;
        from++;
    }
    return to;
}

wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from)
{
    copy(to, from);
    return to;
}

wchar_t *wcpcpy(wchar_t *restrict to, const wchar_t *restrict from)
{
    return copy(to, from);
}

static wchar_t *copy_padded(wchar_t *to, const wchar_t *from, size_t n)
{
    size_t i = 0;
    while (i < n && (to[i] = from[i])) i++;
    for (size_t j = i; j < n; j++) to[j] = 0;
    return to + i;
}

wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
    copy_padded(to, from, n);
    return to;
}

wchar_t *wcpncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
    return copy_padded(to, from, n);
}

static wchar_t *end_of(const wchar_t *s)
{
    while (*s) s++;
    return (wchar_t *)s;
}

wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from)
{
    copy(end_of(to), from);
    return to;
}

wchar_t *wcsncat(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
    wchar_t *d = end_of(to);
    size_t i = 0;
    while (i < n && (d[i] = from[i])) i++;
    d[i] = 0;
    return to;
}

static int order(wchar_t a, wchar_t b)
{
    return (a > b) - (a < b);
}

int wcscmp(const wchar_t *a, const wchar_t *b)
{
    while ((*a == *b) & (*a != 0)) {
        a++;
        b++;
    }
    return order(*a, *b);
}

int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((a[i] != b[i]) | (a[i] == 0)) return order(a[i], b[i]);
    return 0;
}

int wcscoll(const wchar_t *a, const wchar_t *b)
{
    while ((*a == *b) & (*a != 0)) {
        a++;
        b++;
    }
    return order(*a, *b);
}

static int compare_letters(const wchar_t *a, const wchar_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int difference = to_lower(a[i]) - to_lower(b[i]);
        if ((difference != 0) | (a[i] == 0)) return difference;
    }
    return 0;
}

int wcscasecmp(const wchar_t *a, const wchar_t *b)
{
    return compare_letters(a, b, SIZE_MAX);
}

int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    return compare_letters(a, b, n);
}

static wchar_t *find_or_end(const wchar_t *s, wchar_t c)
{
    while ((*s != c) & (*s != 0)) s++;
    return (wchar_t *)s;
}

wchar_t *wcschr(const wchar_t *s, wchar_t c)
{
    wchar_t *found = find_or_end(s, c);
    return *found == c ? found : NULL;
}

wchar_t *wcschrnul(const wchar_t *s, wchar_t c)
{
    return find_or_end(s, c);
}

wchar_t *wcsrchr(const wchar_t *s, wchar_t c)
{
    const wchar_t *found = NULL;
    for (;; s++) {
        if (*s == c) found = s;
        if (!*s) return (wchar_t *)found;
    }
}

wchar_t *wcsstr(const wchar_t *haystack, const wchar_t *needle)
{
    for (;; haystack++) {
        size_t i = 0;
        while ((haystack[i] == needle[i]) & (needle[i] != 0)) i++;
        if (!needle[i]) return (wchar_t *)haystack;
        if (!*haystack) return NULL;
    }
}

static bool member(wchar_t c, const wchar_t *set)
{
    bool found = false;
    for (; *set; set++) found |= c == *set;
    return found;
}

static size_t span(const wchar_t *s, const wchar_t *set)
{
    size_t n = 0;
    while (member(s[n], set)) n++;
    return n;
}

static size_t span_complement(const wchar_t *s, const wchar_t *set)
{
    size_t n = 0;
    while (!(member(s[n], set) | (s[n] == 0))) n++;
    return n;
}

size_t wcsspn(const wchar_t *s, const wchar_t *set)
{
    return span(s, set);
}

size_t wcscspn(const wchar_t *s, const wchar_t *set)
{
    return span_complement(s, set);
}

wchar_t *wcspbrk(const wchar_t *s, const wchar_t *set)
{
    s += span_complement(s, set);
    return *s ? (wchar_t *)s : NULL;
}

wchar_t *wcstok(wchar_t *restrict s, const wchar_t *restrict separators, wchar_t **restrict rest)
{
    if (!s) s = *rest;
    if (!s) return NULL;
    s += span(s, separators);
    if (!*s) {
        *rest = NULL;
        return NULL;
    }
    wchar_t *end = s + span_complement(s, separators);
    *rest = *end ? end + 1 : NULL;
    *end = 0;
    return s;
}

wchar_t *wcsdup(const wchar_t *s)
{
    size_t n = (size_t)(end_of(s) - s) + 1;
    wchar_t *result = clew__malloc(n * sizeof *result);
    if (result) bytes_copy(result, s, n * sizeof *result);
    return result;
}

wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
    bytes_copy(to, from, n * sizeof *to);
    return to;
}

wchar_t *wmempcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
    bytes_copy(to, from, n * sizeof *to);
    return to + n;
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n)
{
    bytes_move(to, from, n * sizeof *to);
    return to;
}

wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n)
{
    for (size_t i = 0; i < n; i++) to[i] = c;
    return to;
}

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i]) return order(a[i], b[i]);
    return 0;
}

wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (s[i] == c) return (wchar_t *)s + i;
    return NULL;
}
