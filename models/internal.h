/* What the library's files share: internal names, and the few byte loops that nearly every file needs.  Nothing here may call a public
 * name, since a program can define that name itself.
 *
 * Code that symbolic data flows through compares bytes one by one, joins conditions with & and |, and never reads a byte that C forbids. */
#ifndef CLEW_MODELS_INTERNAL_H
#define CLEW_MODELS_INTERNAL_H

#undef __OPTIMIZE__ /* so that glibc's headers define nothing inline */

#include "host.h"

#include <stdarg.h>
#include <stdbool.h>

#define WEAK __attribute__((weak))

extern int clew__errno; /* errno.c */

static inline int fail_with(int error)
{
    clew__errno = error;
    return -1;
}

/* The result of a primitive, as a system call's wrapper gives it. */
static inline int64_t checked(int64_t result)
{
    return result < 0 ? fail_with((int)-result) : result;
}

static inline size_t text_length(const char *s)
{
    size_t n = 0;
    while (s[n]) n++;
    return n;
}

static inline size_t text_length_max(const char *s, size_t max)
{
    size_t n = 0;
    while (n < max && s[n]) n++;
    return n;
}

/* Copies and fills: one instruction of the VM when the length is known, a loop when it is an input (each length its own path). */
static inline void bytes_copy(void *to, const void *from, size_t n)
{
#ifndef CLEW_NATIVE
    if (!clew__is_symbolic(n)) {
        __builtin_memcpy(to, from, n);
        return;
    }
#endif
    unsigned char *d = to;
    const unsigned char *s = from;
    for (size_t i = 0; i < n; i++) d[i] = s[i];
}

static inline void bytes_move(void *to, const void *from, size_t n)
{
#ifndef CLEW_NATIVE
    if (!clew__is_symbolic(n)) {
        __builtin_memmove(to, from, n);
        return;
    }
#endif
    unsigned char *d = to;
    const unsigned char *s = from;
    if ((uintptr_t)d - (uintptr_t)s >= n)
        for (size_t i = 0; i < n; i++) d[i] = s[i];
    else
        for (size_t i = n; i > 0; i--) d[i - 1] = s[i - 1];
}

static inline void bytes_fill(void *to, int byte, size_t n)
{
#ifndef CLEW_NATIVE
    if (!clew__is_symbolic(n)) {
        __builtin_memset(to, byte, n);
        return;
    }
#endif
    unsigned char *d = to;
    for (size_t i = 0; i < n; i++) d[i] = (unsigned char)byte;
}

static inline bool text_equal(const char *a, const char *b)
{
    size_t i = 0;
    while ((a[i] == b[i]) & (a[i] != 0)) i++;
    return a[i] == b[i];
}

static inline int is_space(int c)
{
    return (c == ' ') | ((unsigned)c - '\t' < 5);
}

static inline int is_digit(int c)
{
    return (unsigned)c - '0' < 10;
}

static inline int to_lower(int c)
{
    return c + (((unsigned)c - 'A' < 26) << 5);
}

static inline int to_upper(int c)
{
    return c - (((unsigned)c - 'a' < 26) << 5);
}

/* Value of a digit in bases up to 36; 99 if it is none. */
static inline unsigned digit_value(int c)
{
    unsigned decimal = (unsigned)c - '0', letter = ((unsigned)c | 32) - 'a';
    return decimal < 10 ? decimal : letter < 26 ? letter + 10 : 99;
}

/* signal.c: as abort(), by its internal name. */
_Noreturn void clew__abort(void);
void clew__abort_handler(void); /* what abort does before the end */

/* process.c: as exit(), by its internal name. */
_Noreturn void clew__leave(int status);

/* integer.c: the number at the start of `text`.  Values beyond the type are cut to its limits with ERANGE. */
int64_t clew__parse_signed(const char *text, char **end, int base);
uint64_t clew__parse_unsigned(const char *text, char **end, int base);

/* floats.c */
double clew__parse_double(const char *text, char **end);
float clew__parse_float(const char *text, char **end);
long double clew__parse_long_double(const char *text, char **end);

/* format.c: the formatter behind all printf functions.  `put` takes the output piecewise; it never fails, but may set `failed`.  Where
 * `console` is set nobody can read the output back, so numbers that are inputs are shown under the current model without splitting the path
 * by their number of digits.  Returns the length, or -1. */
typedef struct ClewSink {
    void (*put)(struct ClewSink *sink, const char *text, size_t n);
    bool console, failed;
} ClewSink;
int clew__format(ClewSink *sink, const char *format, va_list args);

/* sprintf.c: size 0 writes nothing, not even a terminator. */
int clew__print_text(char *text, size_t size, const char *format, va_list args);
int clew__print_new(char **text, const char *format, va_list args);

/* scan.c: the scanner behind all scanf functions. */
typedef struct ClewSource {
    int (*next)(struct ClewSource *source); /* a byte or -1 */
    void (*back)(struct ClewSource *source, int byte);
} ClewSource;
int clew__scan(ClewSource *source, const char *format, va_list args, bool gnu_a);

/* fd.c: descriptors.  All return -errno on failure. */
int clew__fd_openat(int directory, const char *path, int flags, int mode);
int clew__fd_close(int fd);
ssize_t clew__fd_read(int fd, void *buffer, size_t n);
ssize_t clew__fd_pread(int fd, void *buffer, size_t n, int64_t offset);
ssize_t clew__fd_write(int fd, const void *buffer, size_t n);
int64_t clew__fd_seek(int fd, int64_t offset, int whence);
int clew__fd_isatty(int fd);
int clew__fd_truncate(int fd, int64_t size);
bool clew__fd_is_console(int fd);
int64_t clew__fd_block_size(int fd);
int clew__fd_move(int fd, int wanted); /* dup2 and close */
int clew__fd_unlink(const char *path);
int clew__fd_flags(int fd); /* as fcntl's F_GETFL */
int clew__fd_set_append(int fd);
/* All bytes left of a symbolic file, which are then read; false for other files. */
bool clew__fd_window(int fd, const unsigned char **bytes, size_t *n);

/* stdio_core.c; weak references elsewhere, so that only programs with streams link them. */
void clew__flush_all(void);

#endif
