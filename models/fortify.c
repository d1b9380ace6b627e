/* The checked forms of string functions that -D_FORTIFY_SOURCE calls: the object's size comes as last argument. */
#include "hidden.h"

void clew__chk_fail(void)
{
    static const char message[] = "*** buffer overflow detected ***: terminated\n";
    clew__write(2, message, sizeof message - 1);
    clew__abort();
}

void __chk_fail(void)
{
    clew__chk_fail();
}

void *__memcpy_chk(void *restrict to, const void *restrict from, size_t n, size_t object)
{
    if (object < n) clew__chk_fail();
    bytes_copy(to, from, n);
    return to;
}

void *__mempcpy_chk(void *restrict to, const void *restrict from, size_t n, size_t object)
{
    if (object < n) clew__chk_fail();
    bytes_copy(to, from, n);
    return (char *)to + n;
}

void *__memmove_chk(void *to, const void *from, size_t n, size_t object)
{
    if (object < n) clew__chk_fail();
    bytes_move(to, from, n);
    return to;
}

void *__memset_chk(void *to, int byte, size_t n, size_t object)
{
    if (object < n) clew__chk_fail();
    bytes_fill(to, byte, n);
    return to;
}

void __explicit_bzero_chk(void *to, size_t n, size_t object)
{
    if (object < n) clew__chk_fail();
    bytes_fill(to, 0, n);
}

/* Copies the string into the object from `at` on; returns the place of the terminator. */
static char *copy_string(char *to, size_t at, const char *from, size_t object)
{
    size_t n = text_length(from);
    if (at >= object || n >= object - at) clew__chk_fail();
    bytes_copy(to + at, from, n + 1);
    return to + at + n;
}

char *__strcpy_chk(char *restrict to, const char *restrict from, size_t object)
{
    copy_string(to, 0, from, object);
    return to;
}

char *__stpcpy_chk(char *restrict to, const char *restrict from, size_t object)
{
    return copy_string(to, 0, from, object);
}

static char *copy_padded(char *to, const char *from, size_t n, size_t object)
{
    if (object < n) clew__chk_fail();
    size_t length = text_length_max(from, n);
    bytes_copy(to, from, length);
    bytes_fill(to + length, 0, n - length);
    return to + length;
}

char *__strncpy_chk(char *restrict to, const char *restrict from, size_t n, size_t object)
{
    copy_padded(to, from, n, object);
    return to;
}

char *__stpncpy_chk(char *restrict to, const char *restrict from, size_t n, size_t object)
{
    return copy_padded(to, from, n, object);
}

char *__strcat_chk(char *restrict to, const char *restrict from, size_t object)
{
    copy_string(to, text_length_max(to, object), from, object);
    return to;
}

char *__strncat_chk(char *restrict to, const char *restrict from, size_t n, size_t object)
{
    size_t at = text_length_max(to, object), length = text_length_max(from, n);
    if (at >= object || length >= object - at) clew__chk_fail();
    bytes_copy(to + at, from, length);
    to[at + length] = 0;
    return to;
}
