/* Streams: writing characters, strings and blocks. */
#include "stdio_int.h"

#undef putc_unlocked
#undef putchar_unlocked
#undef fputc_unlocked

#define PUTC(name) \
    int name(int byte, FILE *stream); \
    int name(int byte, FILE *stream) \
    { \
        return file_put(file_of(stream), byte); \
    }
PUTC(fputc)
PUTC(putc)
PUTC(fputc_unlocked)
PUTC(putc_unlocked)
PUTC(_IO_putc)

int putchar(int byte)
{
    return file_put(file_of(stdout), byte);
}

int putchar_unlocked(int byte)
{
    return file_put(file_of(stdout), byte);
}

static int put_text(ClewFile *f, const char *text)
{
    size_t n = text_length(text);
    return clew__file_write(f, text, n) == n ? 1 : EOF;
}

int fputs(const char *restrict text, FILE *restrict stream)
{
    return put_text(file_of(stream), text);
}

int fputs_unlocked(const char *restrict text, FILE *restrict stream)
{
    return put_text(file_of(stream), text);
}

int puts(const char *text)
{
    ClewFile *f = file_of(stdout);
    size_t n = text_length(text);
    if (clew__file_write(f, text, n) != n || file_put(f, '\n') == EOF) return EOF;
    return (int)(n + 1);
}

static size_t put_blocks(ClewFile *f, const void *from, size_t size, size_t count)
{
    size_t wanted = size * count;
    if (!wanted) return 0;
    size_t done = clew__file_write(f, from, wanted);
    return done == wanted ? count : done / size;
}

size_t fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict stream)
{
    return put_blocks(file_of(stream), from, size, count);
}

size_t fwrite_unlocked(const void *restrict from, size_t size, size_t count, FILE *restrict stream)
{
    return put_blocks(file_of(stream), from, size, count);
}

int putw(int word, FILE *stream)
{
    return clew__file_write(file_of(stream), &word, sizeof word) == sizeof word ? 0 : EOF;
}
