/* scanf from strings.  The __isoc99_ names differ only in that %as is not "allocate". */
#include "internal.h"

#include <stdio.h>

typedef struct TextSource {
    ClewSource source;
    const unsigned char *text;
} TextSource;

static int next(ClewSource *source)
{
    TextSource *s = (TextSource *)source;
    if (!*s->text) return -1;
    return *s->text++;
}

static void back(ClewSource *source, int byte)
{
    TextSource *s = (TextSource *)source;
    (void)byte;
    s->text--;
}

static int scan(const char *text, const char *format, va_list args, bool gnu_a)
{
    TextSource s = {{next, back}, (const unsigned char *)text};
    return clew__scan(&s.source, format, args, gnu_a);
}

#define SCANF(name, vname, gnu_a) \
    int vname(const char *restrict text, const char *restrict format, va_list args); \
    int vname(const char *restrict text, const char *restrict format, va_list args) \
    { \
        return scan(text, format, args, gnu_a); \
    } \
    int name(const char *restrict text, const char *restrict format, ...); \
    int name(const char *restrict text, const char *restrict format, ...) \
    { \
        va_list args; \
        va_start(args, format); \
        int result = scan(text, format, args, gnu_a); \
        va_end(args); \
        return result; \
    }

/* The headers rename sscanf to __isoc99_sscanf; here every name is meant as it is written. */
#define RENAMED(name) __asm__(name)
int clew__plain_sscanf(const char *restrict text, const char *restrict format, ...) RENAMED("sscanf");
int clew__plain_vsscanf(const char *restrict text, const char *restrict format, va_list args) RENAMED("vsscanf");
SCANF(clew__plain_sscanf, clew__plain_vsscanf, true)
SCANF(__isoc99_sscanf, __isoc99_vsscanf, false)
SCANF(__isoc23_sscanf, __isoc23_vsscanf, false)
