/* Operations on bytes.  memcmp on inputs yields one expression instead of a branch a byte: all n bytes may be read anyway. */
#include "internal.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

#undef memcpy
#undef memmove
#undef memset

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    bytes_copy(to, from, n);
    return to;
}

void *memmove(void *to, const void *from, size_t n)
{
    bytes_move(to, from, n);
    return to;
}

void *memset(void *to, int byte, size_t n)
{
    bytes_fill(to, byte, n);
    return to;
}

void *mempcpy(void *restrict to, const void *restrict from, size_t n)
{
    bytes_copy(to, from, n);
    return (char *)to + n;
}

void *__mempcpy(void *restrict to, const void *restrict from, size_t n)
{
    bytes_copy(to, from, n);
    return (char *)to + n;
}

void bcopy(const void *from, void *to, size_t n)
{
    bytes_move(to, from, n);
}

void bzero(void *to, size_t n)
{
    bytes_fill(to, 0, n);
}

void explicit_bzero(void *to, size_t n)
{
    bytes_fill(to, 0, n);
}

/* The difference at the first place where they differ, as one nested choice built from the end. */
static int compare_without_branches(const unsigned char *a, const unsigned char *b, size_t n)
{
    int result = 0;
    for (size_t i = n; i > 0; i--) {
        int difference = a[i - 1] - b[i - 1];
        result = difference ? difference : result;
    }
    return result;
}

static int compare(const void *left, const void *right, size_t n)
{
    const unsigned char *a = left, *b = right;
    for (size_t i = 0; i < n; i++) {
        int difference = a[i] - b[i];
        if (clew__is_symbolic((uint64_t)difference)) {
            if (!clew__is_symbolic(n) && n - i <= 256) return compare_without_branches(a + i, b + i, n - i);
        }
        if (difference) return difference;
    }
    return 0;
}

int memcmp(const void *a, const void *b, size_t n)
{
    return compare(a, b, n);
}

int bcmp(const void *a, const void *b, size_t n)
{
    return compare(a, b, n);
}

static void *find(const void *memory, int byte, size_t n)
{
    const unsigned char *p = memory;
    for (size_t i = 0; i < n; i++)
        if (p[i] == (unsigned char)byte) return (void *)(p + i);
    return NULL;
}

void *memchr(const void *memory, int byte, size_t n)
{
    return find(memory, byte, n);
}

void *memrchr(const void *memory, int byte, size_t n)
{
    const unsigned char *p = memory;
    for (size_t i = n; i > 0; i--)
        if (p[i - 1] == (unsigned char)byte) return (void *)(p + i - 1);
    return NULL;
}

void *rawmemchr(const void *memory, int byte)
{
    const unsigned char *p = memory;
    while (*p != (unsigned char)byte) p++;
    return (void *)p;
}

void *memccpy(void *restrict to, const void *restrict from, int byte, size_t n)
{
    unsigned char *d = to;
    const unsigned char *s = from;
    for (size_t i = 0; i < n; i++) {
        d[i] = s[i];
        if (s[i] == (unsigned char)byte) return d + i + 1;
    }
    return NULL;
}

void *memmem(const void *haystack, size_t n, const void *needle, size_t m)
{
    const unsigned char *h = haystack, *e = needle;
    if (m == 0) return (void *)h;
    for (size_t i = 0; m <= n && i <= n - m; i++)
        if (h[i] == e[0] && compare(h + i, e, m) == 0) return (void *)(h + i);
    return NULL;
}

void swab(const void *restrict from, void *restrict to, ssize_t n)
{
    const char *s = from;
    char *d = to;
    for (ssize_t i = 0; i + 1 < n; i += 2) {
        char first = s[i], second = s[i + 1];
        d[i] = second;
        d[i + 1] = first;
    }
}

int ffs(int value)
{
    return value ? __builtin_ctz((unsigned)value) + 1 : 0;
}

int ffsl(long value)
{
    return value ? __builtin_ctzl((unsigned long)value) + 1 : 0;
}

int ffsll(long long value)
{
    return value ? __builtin_ctzll((unsigned long long)value) + 1 : 0;
}
