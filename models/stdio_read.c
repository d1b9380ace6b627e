/* Streams: reading characters, lines and blocks. */
#include "stdio_int.h"

#include <errno.h>

#undef getc_unlocked
#undef getchar_unlocked
#undef fgetc_unlocked

#define GETC(name) \
    int name(FILE *stream); \
    int name(FILE *stream) \
    { \
        return file_get(file_of(stream)); \
    }
GETC(fgetc)
GETC(getc)
GETC(fgetc_unlocked)
GETC(getc_unlocked)
GETC(_IO_getc)

int getchar(void)
{
    return file_get(file_of(stdin));
}

int getchar_unlocked(void)
{
    return file_get(file_of(stdin));
}

/* Reads through the delimiter, at most n bytes; EOF counts only if nothing came before it. */
static size_t get_until(ClewFile *f, char *to, size_t n, int delimiter)
{
    size_t done = 0;
    while (done < n) {
        int c = file_get(f);
        if (c == EOF) break;
        to[done++] = (char)c;
        if (c == delimiter) break;
    }
    return done;
}

/* An error in this call makes it fail; one from before does not. */
char *clew__get_line(ClewFile *f, char *to, int n)
{
    if (n <= 0) return NULL;
    if (n == 1) {
        to[0] = 0;
        return to;
    }
    int old = f->io._flags & FILE_ERROR;
    f->io._flags &= ~FILE_ERROR;
    size_t done = get_until(f, to, (size_t)n - 1, '\n');
    bool failed = done == 0 || ((f->io._flags & FILE_ERROR) && clew__errno != EAGAIN);
    if (!failed) to[done] = 0;
    f->io._flags |= old;
    return failed ? NULL : to;
}

char *fgets(char *restrict to, int n, FILE *restrict stream)
{
    return clew__get_line(file_of(stream), to, n);
}

char *fgets_unlocked(char *restrict to, int n, FILE *restrict stream)
{
    return clew__get_line(file_of(stream), to, n);
}

size_t clew__get_blocks(ClewFile *f, void *to, size_t size, size_t count)
{
    size_t wanted = size * count;
    if (!wanted) return 0;
    size_t done = clew__file_read(f, to, wanted);
    return done == wanted ? count : done / size;
}

size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict stream)
{
    return clew__get_blocks(file_of(stream), to, size, count);
}

size_t fread_unlocked(void *restrict to, size_t size, size_t count, FILE *restrict stream)
{
    return clew__get_blocks(file_of(stream), to, size, count);
}

int getw(FILE *stream)
{
    int word;
    return clew__file_read(file_of(stream), &word, sizeof word) == sizeof word ? word : EOF;
}

/* ---- pushing back ---- */

/* Makes room before the bytes already pushed back. */
static bool grow_backup(ClewFile *f)
{
    size_t used = f->in_backup ? (size_t)(f->io._IO_read_end - f->io._IO_read_ptr) : 0;
    if (used < f->backup_size) return true;
    size_t size = f->backup_size ? f->backup_size * 2 : 16;
    char *grown = clew__malloc(size);
    if (!grown) return false;
    if (used) bytes_copy(grown + size - used, f->io._IO_read_ptr, used);
    clew__free(f->backup);
    f->backup = grown;
    f->backup_size = size;
    if (f->in_backup) {
        f->io._IO_read_base = grown;
        f->io._IO_read_end = grown + size;
        f->io._IO_read_ptr = grown + size - used;
    }
    return true;
}

static int push_back(ClewFile *f, int c)
{
    if (c == EOF) return EOF;
    char byte = (char)c;
    if (f->io._flags & FILE_PUTTING) {
        /* As at the next read: what was written goes out first. */
        if (clew__file_flush(f) == EOF) return EOF;
        f->io._flags &= ~FILE_PUTTING;
        f->io._IO_write_ptr = f->io._IO_write_end = f->io._IO_write_base;
        clew__file_discard(f);
    }
    if (f->io._IO_read_ptr > f->io._IO_read_base && f->io._IO_read_ptr[-1] == byte) {
        f->io._IO_read_ptr--;
    } else {
        if (!grow_backup(f)) return EOF;
        if (!f->in_backup) {
            f->saved_base = f->io._IO_read_base;
            f->saved_ptr = f->io._IO_read_ptr;
            f->saved_end = f->io._IO_read_end;
            f->in_backup = true;
            f->io._IO_read_base = f->backup;
            f->io._IO_read_ptr = f->io._IO_read_end = f->backup + f->backup_size;
        }
        *--f->io._IO_read_ptr = byte;
    }
    f->io._flags &= ~FILE_EOF;
    return (unsigned char)byte;
}

int ungetc(int c, FILE *stream)
{
    return push_back(file_of(stream), c);
}

/* ---- lines of any length ---- */

static ssize_t get_delimited(char **line, size_t *size, int delimiter, ClewFile *f)
{
    if (!line || !size) return fail_with(EINVAL);
    if (!*line || !*size) {
        char *memory = clew__realloc(*line, 120);
        if (!memory) return fail_with(ENOMEM);
        *line = memory;
        *size = 120;
    }
    size_t n = 0;
    for (;;) {
        int c = file_get(f);
        if (c == EOF) break;
        if (n + 2 > *size) {
            size_t wanted = *size * 2 > n + 2 ? *size * 2 : n + 2;
            char *memory = clew__realloc(*line, wanted);
            if (!memory) return fail_with(ENOMEM);
            *line = memory;
            *size = wanted;
        }
        (*line)[n++] = (char)c;
        if (c == delimiter) break;
    }
    if (!n) return -1;
    (*line)[n] = 0;
    return (ssize_t)n;
}

ssize_t getdelim(char **restrict line, size_t *restrict size, int delimiter, FILE *restrict stream)
{
    return get_delimited(line, size, delimiter, file_of(stream));
}

ssize_t __getdelim(char **restrict line, size_t *restrict size, int delimiter, FILE *restrict stream)
{
    return get_delimited(line, size, delimiter, file_of(stream));
}

ssize_t getline(char **restrict line, size_t *restrict size, FILE *restrict stream)
{
    return get_delimited(line, size, '\n', file_of(stream));
}
