/* Strings: what looks for bytes or strings in strings. */
#include "internal.h"

#include <libgen.h>
#include <string.h>
#include <strings.h>
#undef basename

static char *find_or_end(const char *s, int byte)
{
    while ((*s != (char)byte) & (*s != 0)) s++;
    return (char *)s;
}

static char *find_first(const char *s, int byte)
{
    char *found = find_or_end(s, byte);
    return *found == (char)byte ? found : NULL;
}

static char *find_last(const char *s, int byte)
{
    const char *found = NULL;
    for (;; s++) {
        if (*s == (char)byte) found = s;
        if (!*s) return (char *)found;
    }
}

char *strchr(const char *s, int byte)
{
    return find_first(s, byte);
}

char *index(const char *s, int byte)
{
    return find_first(s, byte);
}

char *strchrnul(const char *s, int byte)
{
    return find_or_end(s, byte);
}

char *strrchr(const char *s, int byte)
{
    return find_last(s, byte);
}

char *rindex(const char *s, int byte)
{
    return find_last(s, byte);
}

/* Is the needle at the start of s?  Reads no further than the first difference. */
static bool starts_with(const char *s, const char *needle)
{
    while ((*s == *needle) & (*needle != 0)) {
        s++;
        needle++;
    }
    return *needle == 0;
}

static bool starts_with_letters(const char *s, const char *needle)
{
    while ((to_lower((unsigned char)*s) == to_lower((unsigned char)*needle)) & (*needle != 0)) {
        s++;
        needle++;
    }
    return *needle == 0;
}

char *strstr(const char *haystack, const char *needle)
{
    for (;; haystack++) {
        if (starts_with(haystack, needle)) return (char *)haystack;
        if (!*haystack) return NULL;
    }
}

char *strcasestr(const char *haystack, const char *needle)
{
    for (;; haystack++) {
        if (starts_with_letters(haystack, needle)) return (char *)haystack;
        if (!*haystack) return NULL;
    }
}

/* Is the byte one of the set?  Without a branch for each member.  NUL is none. */
static bool member(char byte, const char *set)
{
    bool found = false;
    for (; *set; set++) found |= byte == *set;
    return found;
}

static size_t span(const char *s, const char *set)
{
    size_t n = 0;
    while (member(s[n], set)) n++;
    return n;
}

static size_t span_complement(const char *s, const char *set)
{
    size_t n = 0;
    while (!(member(s[n], set) | (s[n] == 0))) n++;
    return n;
}

size_t strspn(const char *s, const char *set)
{
    return span(s, set);
}

size_t strcspn(const char *s, const char *set)
{
    return span_complement(s, set);
}

char *strpbrk(const char *s, const char *set)
{
    s += span_complement(s, set);
    return *s ? (char *)s : NULL;
}

static char *token(char *s, const char *separators, char **rest)
{
    if (!s) s = *rest;
    if (!s) return NULL;
    s += span(s, separators);
    if (!*s) {
        *rest = s;
        return NULL;
    }
    char *end = s + span_complement(s, separators);
    if (*end) *end++ = 0;
    *rest = end;
    return s;
}

char *strtok_r(char *restrict s, const char *restrict separators, char **restrict rest)
{
    return token(s, separators, rest);
}

char *__strtok_r(char *restrict s, const char *restrict separators, char **restrict rest)
{
    return token(s, separators, rest);
}

char *strtok(char *restrict s, const char *restrict separators)
{
    static char *rest;
    return token(s, separators, &rest);
}

char *strsep(char **restrict position, const char *restrict separators)
{
    char *s = *position;
    if (!s) return NULL;
    char *end = s + span_complement(s, separators);
    if (*end) {
        *end = 0;
        *position = end + 1;
    } else {
        *position = NULL;
    }
    return s;
}

/* GNU's; never changes its argument. */
char *basename(const char *path);
char *basename(const char *path)
{
    char *slash = find_last(path, '/');
    return slash ? slash + 1 : (char *)path;
}

/* POSIX's. */
char *__xpg_basename(char *path)
{
    if (!path || !*path) return (char *)".";
    size_t end = text_length(path);
    while (end > 1 && path[end - 1] == '/') end--;
    if (end == 1 && path[0] == '/') return path + text_length(path) - 1;
    if (path[end]) path[end] = 0;
    size_t start = end;
    while (start > 0 && path[start - 1] != '/') start--;
    return path + start;
}

char *dirname(char *path)
{
    static char dot[] = ".";
    char *slash = path ? find_last(path, '/') : NULL;
    if (slash && slash != path && !slash[1]) {
        char *p = slash;
        while (p != path && p[-1] == '/') p--;
        if (p != path) {
            slash = p;
            do slash--;
            while (slash != path && *slash != '/');
            if (*slash != '/') slash = NULL;
        }
    }
    if (!slash) return dot;
    char *p = slash;
    while (p != path && p[-1] == '/') p--;
    if (p == path) slash = slash == path + 1 ? slash + 1 : path + 1; /* "//" is kept */
    else slash = p;
    *slash = 0;
    return path;
}
