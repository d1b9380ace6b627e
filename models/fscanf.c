/* scanf from streams. */
#include "stdio_int.h"

typedef struct StreamSource {
    ClewSource source;
    ClewFile *file;
} StreamSource;

static int next(ClewSource *source)
{
    return file_get(((StreamSource *)source)->file);
}

/* The byte was just read, so it still stands before the position. */
static void back(ClewSource *source, int byte)
{
    (void)byte;
    ((StreamSource *)source)->file->io._IO_read_ptr--;
}

static int scan(FILE *stream, const char *format, va_list args, bool gnu_a)
{
    StreamSource s = {{next, back}, file_of(stream)};
    const char *before = s.file->io._IO_read_ptr;
    int result = clew__scan(&s.source, format, args, gnu_a);
    if (s.file->io._IO_read_ptr == before) clew__read_nothing();
    return result;
}

#define SCANF(fname, vfname, name, vname, gnu_a) \
    int vfname(FILE *restrict stream, const char *restrict format, va_list args); \
    int vfname(FILE *restrict stream, const char *restrict format, va_list args) \
    { \
        return scan(stream, format, args, gnu_a); \
    } \
    int vname(const char *restrict format, va_list args); \
    int vname(const char *restrict format, va_list args) \
    { \
        return scan(stdin, format, args, gnu_a); \
    } \
    int fname(FILE *restrict stream, const char *restrict format, ...); \
    int fname(FILE *restrict stream, const char *restrict format, ...) \
    { \
        va_list args; \
        va_start(args, format); \
        int result = scan(stream, format, args, gnu_a); \
        va_end(args); \
        return result; \
    } \
    int name(const char *restrict format, ...); \
    int name(const char *restrict format, ...) \
    { \
        va_list args; \
        va_start(args, format); \
        int result = scan(stdin, format, args, gnu_a); \
        va_end(args); \
        return result; \
    }

/* The headers rename scanf to __isoc99_scanf; here every name is meant as it is written. */
int clew__plain_fscanf(FILE *restrict stream, const char *restrict format, ...) __asm__("fscanf");
int clew__plain_vfscanf(FILE *restrict stream, const char *restrict format, va_list args) __asm__("vfscanf");
int clew__plain_scanf(const char *restrict format, ...) __asm__("scanf");
int clew__plain_vscanf(const char *restrict format, va_list args) __asm__("vscanf");
SCANF(clew__plain_fscanf, clew__plain_vfscanf, clew__plain_scanf, clew__plain_vscanf, true)
SCANF(__isoc99_fscanf, __isoc99_vfscanf, __isoc99_scanf, __isoc99_vscanf, false)
SCANF(__isoc23_fscanf, __isoc23_vfscanf, __isoc23_scanf, __isoc23_vscanf, false)
