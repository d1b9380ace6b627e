/* Strings: lengths, copies, comparisons.  One branch a byte: the conditions that end a loop are joined first and told apart after it. */
#include "internal.h"

#include <string.h>
#include <strings.h>

size_t strlen(const char *s)
{
    return text_length(s);
}

size_t strnlen(const char *s, size_t max)
{
    return text_length_max(s, max);
}

static char *copy(char *to, const char *from)
{
    while ((*to = *from)) {
        to++;
        from++;
    }
    return to;
}

char *strcpy(char *restrict to, const char *restrict from)
{
    copy(to, from);
    return to;
}

char *stpcpy(char *restrict to, const char *restrict from)
{
    return copy(to, from);
}

char *__stpcpy(char *restrict to, const char *restrict from)
{
    return copy(to, from);
}

/* Copies at most n bytes and pads with NUL; returns where the text ends. */
static char *copy_padded(char *to, const char *from, size_t n)
{
    size_t i = 0;
    while (i < n && (to[i] = from[i])) i++;
    bytes_fill(to + i, 0, n - i);
    return to + i;
}

char *strncpy(char *restrict to, const char *restrict from, size_t n)
{
    copy_padded(to, from, n);
    return to;
}

char *stpncpy(char *restrict to, const char *restrict from, size_t n)
{
    return copy_padded(to, from, n);
}

char *__stpncpy(char *restrict to, const char *restrict from, size_t n)
{
    return copy_padded(to, from, n);
}

char *strcat(char *restrict to, const char *restrict from)
{
    copy(to + text_length(to), from);
    return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t n)
{
    char *d = to + text_length(to);
    size_t i = 0;
    while (i < n && (d[i] = from[i])) i++;
    d[i] = 0;
    return to;
}

static int compare(const char *left, const char *right)
{
    const unsigned char *a = (const unsigned char *)left, *b = (const unsigned char *)right;
    while ((*a == *b) & (*a != 0)) {
        a++;
        b++;
    }
    return *a - *b;
}

int strcmp(const char *a, const char *b)
{
    return compare(a, b);
}

int strcoll(const char *a, const char *b)
{
    return compare(a, b);
}

int strcoll_l(const char *a, const char *b, locale_t locale)
{
    (void)locale;
    return compare(a, b);
}

int strncmp(const char *left, const char *right, size_t n)
{
    const unsigned char *a = (const unsigned char *)left, *b = (const unsigned char *)right;
    for (size_t i = 0; i < n; i++)
        if ((a[i] != b[i]) | (a[i] == 0)) return a[i] - b[i];
    return 0;
}

static int compare_letters(const char *left, const char *right, size_t n)
{
    const unsigned char *a = (const unsigned char *)left, *b = (const unsigned char *)right;
    for (size_t i = 0; i < n; i++) {
        int difference = to_lower(a[i]) - to_lower(b[i]);
        if ((difference != 0) | (a[i] == 0)) return difference;
    }
    return 0;
}

int strcasecmp(const char *a, const char *b)
{
    return compare_letters(a, b, SIZE_MAX);
}

int strncasecmp(const char *a, const char *b, size_t n)
{
    return compare_letters(a, b, n);
}

int strcasecmp_l(const char *a, const char *b, locale_t locale)
{
    (void)locale;
    return compare_letters(a, b, SIZE_MAX);
}

int strncasecmp_l(const char *a, const char *b, size_t n, locale_t locale)
{
    (void)locale;
    return compare_letters(a, b, n);
}

/* In the C locale the transformed string is the string itself. */
static size_t transform(char *to, const char *from, size_t n)
{
    size_t length = text_length(from);
    if (n) copy_padded(to, from, length + 1 < n ? length + 1 : n);
    return length;
}

size_t strxfrm(char *restrict to, const char *restrict from, size_t n)
{
    return transform(to, from, n);
}

size_t strxfrm_l(char *restrict to, const char *restrict from, size_t n, locale_t locale)
{
    (void)locale;
    return transform(to, from, n);
}

static char *duplicate(const char *s, size_t n)
{
    char *result = clew__malloc(n + 1);
    if (!result) return NULL;
    bytes_copy(result, s, n);
    result[n] = 0;
    return result;
}

char *strdup(const char *s)
{
    return duplicate(s, text_length(s));
}

char *__strdup(const char *s);
char *__strdup(const char *s)
{
    return duplicate(s, text_length(s));
}

char *strndup(const char *s, size_t max)
{
    return duplicate(s, text_length_max(s, max));
}

char *__strndup(const char *s, size_t max);
char *__strndup(const char *s, size_t max)
{
    return duplicate(s, text_length_max(s, max));
}
