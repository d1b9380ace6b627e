/* Streams in memory: fmemopen and open_memstream. */
#include "stdio_int.h"

#include <errno.h>
#include <stdlib.h>

/* ---- fmemopen: a buffer of fixed size ---- */

typedef struct Fixed {
    char *buffer;
    size_t size, end, at; /* end: how far it holds text */
    bool owned, append;
} Fixed;

static ssize_t fixed_read(ClewFile *f, char *to, size_t n)
{
    Fixed *m = f->state;
    if (m->at >= m->end) return 0;
    if (n > m->end - m->at) n = m->end - m->at;
    bytes_copy(to, m->buffer + m->at, n);
    m->at += n;
    return (ssize_t)n;
}

static ssize_t fixed_write(ClewFile *f, const char *from, size_t n)
{
    Fixed *m = f->state;
    size_t at = m->append ? m->end : m->at;
    bool terminate = n == 0 || from[n - 1] != 0;
    if (at + n > m->size) {
        if (m->at + terminate >= m->size) return -ENOSPC;
        n = m->size - at;
    }
    bytes_copy(m->buffer + at, from, n);
    m->at = at + n;
    if (m->at > m->end) {
        m->end = m->at;
        if (m->end < m->size && terminate) m->buffer[m->end] = 0;
        else if (!m->append && terminate) m->buffer[m->size - 1] = 0;
    }
    return (ssize_t)n;
}

static int64_t fixed_seek(ClewFile *f, int64_t offset, int whence)
{
    Fixed *m = f->state;
    int64_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (int64_t)m->at : (int64_t)m->end;
    if (base + offset < 0 || base + offset > (int64_t)m->size) return -EINVAL;
    m->at = (size_t)(base + offset);
    return (int64_t)m->at;
}

static int fixed_close(ClewFile *f)
{
    Fixed *m = f->state;
    if (m->owned) clew__free(m->buffer);
    clew__free(m);
    return 0;
}

static const ClewFileOps fixed_ops = {fixed_read, fixed_write, fixed_seek, fixed_close, NULL};

FILE *fmemopen(void *buffer, size_t size, const char *mode)
{
    bool plus = false;
    for (const char *p = mode; *p; p++) plus |= *p == '+';
    if (mode[0] != 'r' && mode[0] != 'w' && mode[0] != 'a') return fail_with(EINVAL), NULL;
    Fixed *m = clew__malloc(sizeof *m);
    if (!m) return NULL;
    *m = (Fixed){.buffer = buffer, .size = size, .owned = !buffer, .append = mode[0] == 'a'};
    if (!buffer) {
        m->buffer = clew__malloc(size);
        if (!m->buffer) return clew__free(m), NULL;
        if (size) m->buffer[0] = 0;
    }
    if (mode[0] == 'w' && plus && size) m->buffer[0] = 0;
    m->end = mode[0] == 'r' ? size : mode[0] == 'w' ? 0 : text_length_max(m->buffer, size);
    if (mode[0] == 'a') m->at = m->end;
    int flags = plus ? 0 : mode[0] == 'r' ? FILE_NO_WRITES : FILE_NO_READS;
    ClewFile *f = clew__file_new(-2, flags | (m->append ? FILE_APPEND : 0), &fixed_ops);
    if (!f) return NULL;
    f->state = m;
    return &f->io;
}

/* ---- open_memstream: grows ---- */

typedef struct Growing {
    char **text, *buffer;
    size_t *length, size, end, at;
} Growing;

static void publish(Growing *m)
{
    *m->text = m->buffer;
    *m->length = m->at < m->end ? m->at : m->end;
}

static bool reserve(Growing *m, size_t n)
{
    if (n < m->size) return true;
    size_t size = m->size * 2 > n + 1 ? m->size * 2 : n + 1;
    char *grown = clew__realloc(m->buffer, size);
    if (!grown) return false;
    bytes_fill(grown + m->size, 0, size - m->size);
    m->buffer = grown;
    m->size = size;
    return true;
}

static ssize_t growing_write(ClewFile *f, const char *from, size_t n)
{
    Growing *m = f->state;
    if (!reserve(m, m->at + n)) return -ENOMEM;
    bytes_copy(m->buffer + m->at, from, n);
    m->at += n;
    if (m->at > m->end) {
        m->end = m->at;
        m->buffer[m->end] = 0;
    }
    publish(m);
    return (ssize_t)n;
}

static int64_t growing_seek(ClewFile *f, int64_t offset, int whence)
{
    Growing *m = f->state;
    int64_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (int64_t)m->at : (int64_t)m->end;
    if (base + offset < 0) return -EINVAL;
    m->at = (size_t)(base + offset);
    if (!reserve(m, m->at)) return -ENOMEM;
    publish(m);
    return (int64_t)m->at;
}

static ssize_t growing_read(ClewFile *f, char *to, size_t n)
{
    (void)f;
    (void)to;
    (void)n;
    return -EBADF;
}

static int growing_close(ClewFile *f)
{
    Growing *m = f->state;
    m->buffer[m->at] = 0; /* as glibc does, even before the end */
    publish(m);
    clew__free(m);
    return 0;
}

static const ClewFileOps growing_ops = {growing_read, growing_write, growing_seek, growing_close, NULL};

FILE *open_memstream(char **text, size_t *length)
{
    Growing *m = clew__malloc(sizeof *m);
    if (!m) return NULL;
    *m = (Growing){.text = text, .length = length, .size = BUFSIZ, .buffer = clew__malloc(BUFSIZ)};
    ClewFile *f = m->buffer ? clew__file_new(-2, FILE_NO_READS, &growing_ops) : NULL;
    if (!f) return clew__free(m), NULL;
    bytes_fill(m->buffer, 0, m->size);
    f->state = m;
    publish(m);
    return &f->io;
}
