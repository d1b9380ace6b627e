/* Streams: the three standard ones, buffers, and the two places where buffers meet the world: underflow and overflow.
 *
 * When a buffer is flushed and how much goes out at once follow glibc, so that output mixed with write(2) comes in the same order. */
#include "stdio_int.h"

#include <errno.h>
#include <fcntl.h>

/* ---- descriptors as the ends of streams ---- */

static ssize_t fd_read(ClewFile *f, char *buffer, size_t n)
{
    return clew__fd_read(f->io._fileno, buffer, n);
}

static ssize_t fd_write(ClewFile *f, const char *buffer, size_t n)
{
    return clew__fd_write(f->io._fileno, buffer, n);
}

static int64_t fd_seek(ClewFile *f, int64_t offset, int whence)
{
    return clew__fd_seek(f->io._fileno, offset, whence);
}

static int fd_close(ClewFile *f)
{
    return clew__fd_close(f->io._fileno);
}

static bool fd_window(ClewFile *f, const unsigned char **bytes, size_t *n)
{
    return clew__fd_window(f->io._fileno, bytes, n);
}

const ClewFileOps clew__fd_ops = {fd_read, fd_write, fd_seek, fd_close, fd_window};

enum { MAGIC = (int)0xfbad0000 };

static ClewFile in = {.io = {._flags = MAGIC | FILE_NO_WRITES, ._fileno = 0}, .ops = &clew__fd_ops};
static ClewFile out = {.io = {._flags = MAGIC | FILE_NO_READS, ._fileno = 1}, .ops = &clew__fd_ops, .next = &in};
static ClewFile err = {.io = {._flags = MAGIC | FILE_NO_READS | FILE_UNBUFFERED, ._fileno = 2}, .ops = &clew__fd_ops, .next = &out};
static ClewFile *all = &err;

FILE *stdin = &in.io, *stdout = &out.io, *stderr = &err.io;

/* ---- life ---- */

ClewFile *clew__file_new(int fd, int flags, const ClewFileOps *ops)
{
    ClewFile *f = clew__malloc(sizeof *f);
    if (!f) return NULL;
    bytes_fill(f, 0, sizeof *f);
    f->io._flags = MAGIC | flags;
    f->io._fileno = fd;
    f->ops = ops;
    f->on_heap = true;
    f->next = all;
    all = f;
    return f;
}

void clew__file_release(ClewFile *f)
{
    for (ClewFile **link = &all; *link; link = &(*link)->next) {
        if (*link != f) continue;
        *link = f->next;
        break;
    }
    clew__file_discard(f);
    clew__file_set_buffer(f, NULL, 0);
    clew__free(f->backup);
    f->backup = NULL;
    f->backup_size = 0;
    if (f->on_heap) clew__free(f);
}

void clew__file_set_buffer(ClewFile *f, char *buffer, size_t n)
{
    if (f->owns_buffer) clew__free(f->io._IO_buf_base);
    f->owns_buffer = false;
    f->io._IO_buf_base = buffer;
    f->io._IO_buf_end = buffer + n;
    f->io._IO_read_base = f->io._IO_read_ptr = f->io._IO_read_end = buffer;
    f->io._IO_write_base = f->io._IO_write_ptr = f->io._IO_write_end = buffer;
}

void clew__file_need_buffer(ClewFile *f)
{
    if (f->io._IO_buf_base) return;
    size_t size = BUFSIZ;
    char *buffer = NULL;
    if (!(f->io._flags & FILE_UNBUFFERED)) {
        if (f->ops == &clew__fd_ops) {
            int64_t block = clew__fd_block_size(f->io._fileno);
            if (block > 0 && block < BUFSIZ) size = (size_t)block;
            int saved = clew__errno;
            if (clew__fd_isatty(f->io._fileno) > 0) f->io._flags |= FILE_LINE_BUFFERED;
            clew__errno = saved;
        }
        buffer = clew__malloc(size);
    }
    if (buffer) {
        clew__file_set_buffer(f, buffer, size);
        f->owns_buffer = true;
    } else {
        clew__file_set_buffer(f, f->io._shortbuf, 1);
    }
}

/* ---- reading ---- */

static void leave_backup(ClewFile *f)
{
    if (!f->in_backup) return;
    f->in_backup = false;
    f->io._IO_read_base = f->saved_base;
    f->io._IO_read_ptr = f->saved_ptr;
    f->io._IO_read_end = f->saved_end;
}

void clew__file_discard(ClewFile *f)
{
    f->in_backup = f->in_window = false;
    f->io._IO_read_base = f->io._IO_read_ptr = f->io._IO_read_end = f->io._IO_buf_base;
}

/* Bytes taken from the source that the program has not had; pushed-back ones count. */
int64_t clew__file_unread(const ClewFile *f)
{
    int64_t n = f->io._IO_read_end - f->io._IO_read_ptr;
    return f->in_backup ? n + (f->saved_end - f->saved_ptr) : n;
}

static int write_buffered(ClewFile *f);

static int stop_writing(ClewFile *f)
{
    if (!(f->io._flags & FILE_PUTTING)) return 0;
    if (write_buffered(f) < 0) return -1;
    f->io._flags &= ~FILE_PUTTING;
    f->io._IO_write_base = f->io._IO_write_ptr = f->io._IO_write_end = f->io._IO_buf_base;
    f->io._IO_read_base = f->io._IO_read_ptr = f->io._IO_read_end = f->io._IO_buf_base;
    return 0;
}

/* Before a terminal is read, what was written to the terminal must be visible. */
static void show_prompt(const ClewFile *f)
{
    if (!(f->io._flags & (FILE_LINE_BUFFERED | FILE_UNBUFFERED)) || !stdout) return;
    ClewFile *o = file_of(stdout);
    if ((o->io._flags & FILE_LINE_BUFFERED) && (o->io._flags & FILE_PUTTING)) write_buffered(o);
}

static int end_of_input(ClewFile *f, ssize_t n)
{
    if (n < 0) {
        f->io._flags |= FILE_ERROR;
        clew__errno = (int)-n;
    } else {
        f->io._flags |= FILE_EOF;
    }
    return EOF;
}

static int fill(ClewFile *f)
{
    const unsigned char *bytes;
    size_t size;
    if (f->ops->window && !(f->io._flags & FILE_UNBUFFERED) && f->ops->window(f, &bytes, &size)) {
        f->io._IO_read_base = f->io._IO_read_ptr = (char *)bytes;
        f->io._IO_read_end = (char *)bytes + size;
        f->in_window = true;
        if (size == 0) return end_of_input(f, 0);
        return *bytes;
    }
    f->io._IO_read_base = f->io._IO_read_ptr = f->io._IO_read_end = f->io._IO_buf_base;
    ssize_t n = f->ops->read(f, f->io._IO_buf_base, (size_t)(f->io._IO_buf_end - f->io._IO_buf_base));
    if (n <= 0) return end_of_input(f, n);
    f->io._IO_read_end = f->io._IO_buf_base + n;
    return (unsigned char)*f->io._IO_read_ptr;
}

int clew__underflow(ClewFile *f)
{
    if (f->io._IO_read_ptr < f->io._IO_read_end) return (unsigned char)*f->io._IO_read_ptr;
    if (f->in_backup) {
        leave_backup(f);
        if (f->io._IO_read_ptr < f->io._IO_read_end) return (unsigned char)*f->io._IO_read_ptr;
    }
    if (f->io._flags & FILE_EOF) {
        clew__read_nothing();
        return EOF;
    }
    if (f->io._flags & FILE_NO_READS) return end_of_input(f, -EBADF);
    clew__file_need_buffer(f);
    show_prompt(f);
    if (stop_writing(f) < 0) return EOF;
    return fill(f);
}

/* Large requests bypass the buffer in whole blocks. */
static ssize_t read_directly(ClewFile *f, char *to, size_t n)
{
    size_t block = (size_t)(f->io._IO_buf_end - f->io._IO_buf_base);
    ssize_t got = f->ops->read(f, to, block >= 128 ? n - n % block : n);
    if (got <= 0) end_of_input(f, got);
    return got;
}

size_t clew__file_read(ClewFile *f, void *to, size_t n)
{
    char *d = to;
    size_t left = n;
    while (left) {
        size_t ready = (size_t)(f->io._IO_read_end - f->io._IO_read_ptr);
        if (ready) {
            if (ready > left) ready = left;
            bytes_copy(d, f->io._IO_read_ptr, ready);
            f->io._IO_read_ptr += ready;
            d += ready;
            left -= ready;
            continue;
        }
        bool direct = !f->in_backup && !f->in_window && f->io._IO_buf_base && !(f->io._flags & (FILE_PUTTING | FILE_EOF | FILE_NO_READS)) &&
                      left >= (size_t)(f->io._IO_buf_end - f->io._IO_buf_base);
        if (direct) {
            show_prompt(f);
            ssize_t got = read_directly(f, d, left);
            if (got <= 0) break;
            d += got;
            left -= (size_t)got;
        } else if (clew__underflow(f) == EOF) {
            break;
        }
    }
    return n - left;
}

/* ---- writing ---- */

static size_t write_all(ClewFile *f, const char *from, size_t n)
{
    size_t done = 0;
    while (done < n) {
        ssize_t wrote = f->ops->write(f, from + done, n - done);
        if (wrote < 0) {
            f->io._flags |= FILE_ERROR;
            clew__errno = (int)-wrote;
            break;
        }
        done += (size_t)wrote;
    }
    return done;
}

static void empty_write_area(ClewFile *f)
{
    f->io._IO_write_base = f->io._IO_write_ptr = f->io._IO_buf_base;
    f->io._IO_write_end = f->io._flags & (FILE_UNBUFFERED | FILE_LINE_BUFFERED) ? f->io._IO_buf_base : f->io._IO_buf_end;
}

static int write_buffered(ClewFile *f)
{
    size_t n = (size_t)(f->io._IO_write_ptr - f->io._IO_write_base);
    if (!n) return 0;
    size_t done = write_all(f, f->io._IO_write_base, n);
    empty_write_area(f);
    return done == n ? 0 : -1;
}

/* What was read ahead is given back, so that writing goes on where the program has got to. */
static void start_writing(ClewFile *f)
{
    clew__file_need_buffer(f);
    int64_t unread = clew__file_unread(f);
    if (unread) f->ops->seek(f, -unread, SEEK_CUR);
    clew__file_discard(f);
    f->io._flags |= FILE_PUTTING;
    empty_write_area(f);
}

int clew__overflow(ClewFile *f, int byte)
{
    if (f->io._flags & FILE_NO_WRITES) {
        f->io._flags |= FILE_ERROR;
        clew__errno = EBADF;
        return EOF;
    }
    if (!(f->io._flags & FILE_PUTTING)) start_writing(f);
    if (byte == EOF) return write_buffered(f) < 0 ? EOF : 0;
    if (f->io._IO_write_ptr == f->io._IO_buf_end && write_buffered(f) < 0) return EOF;
    *f->io._IO_write_ptr++ = (char)byte;
    bool now = (f->io._flags & FILE_UNBUFFERED) || ((f->io._flags & FILE_LINE_BUFFERED) && byte == '\n');
    if (now && write_buffered(f) < 0) return EOF;
    return (unsigned char)byte;
}

/* Up to and with the last newline; 0 if there is none. */
static size_t through_last_newline(const char *from, size_t n)
{
    while (n > 0 && from[n - 1] != '\n') n--;
    return n;
}

/* First what fits goes into the buffer; if that is not all, or a line is complete, the buffer is written, then whole blocks directly, and
 * the rest is buffered. */
size_t clew__file_write(ClewFile *f, const void *bytes, size_t n)
{
    const char *from = bytes;
    size_t left = n, room = 0;
    bool line = false;
    if (!n) return 0;
    if ((f->io._flags & FILE_LINE_BUFFERED) && (f->io._flags & FILE_PUTTING)) {
        room = (size_t)(f->io._IO_buf_end - f->io._IO_write_ptr);
        size_t lines = room >= n ? through_last_newline(from, n) : 0;
        if (lines) {
            room = lines;
            line = true;
        }
    } else if (f->io._IO_write_end > f->io._IO_write_ptr) {
        room = (size_t)(f->io._IO_write_end - f->io._IO_write_ptr);
    }
    if (room) {
        if (room > left) room = left;
        bytes_copy(f->io._IO_write_ptr, from, room);
        f->io._IO_write_ptr += room;
        from += room;
        left -= room;
    }
    if (!left && !line) return n;
    if (clew__overflow(f, EOF) == EOF) return n - left;
    size_t block = (size_t)(f->io._IO_buf_end - f->io._IO_buf_base);
    size_t direct = block >= 128 ? left - left % block : left;
    if (direct) {
        size_t done = write_all(f, from, direct);
        left -= done;
        if (done < direct) return n - left;
        from += direct;
    }
    for (; left; left--, from++) {
        if (f->io._IO_write_end - f->io._IO_write_ptr >= (ptrdiff_t)left) {
            bytes_copy(f->io._IO_write_ptr, from, left);
            f->io._IO_write_ptr += left;
            return n;
        }
        if (file_put(f, (unsigned char)*from) == EOF) break;
    }
    return n - left;
}

/* ---- flushing ---- */

/* A stream that is being read moves its descriptor to where the program has got to, if the file can do that. */
int clew__file_flush(ClewFile *f)
{
    if (f->io._flags & FILE_PUTTING) return write_buffered(f) < 0 ? EOF : 0;
    int64_t unread = f->io._IO_read_end - f->io._IO_read_ptr;
    if (f->in_backup) unread = f->saved_end - f->saved_ptr;
    if (unread) {
        int64_t result = f->ops->seek(f, -unread, SEEK_CUR);
        if (result >= 0) clew__file_discard(f);
        else if (result != -ESPIPE) {
            clew__errno = (int)-result;
            return EOF;
        }
    }
    return 0;
}

static int flush_every(bool reading_too)
{
    int result = 0;
    for (ClewFile *f = all, *next; f; f = next) {
        next = f->next;
        if ((reading_too || (f->io._flags & FILE_PUTTING)) && clew__file_flush(f) == EOF) result = EOF;
    }
    return result;
}

void clew__flush_all(void)
{
    flush_every(clew__real_effects());
}

int fflush(FILE *stream)
{
    return stream ? clew__file_flush(file_of(stream)) : flush_every(false);
}

int fflush_unlocked(FILE *stream)
{
    return stream ? clew__file_flush(file_of(stream)) : flush_every(false);
}

void _flushlbf(void);
void _flushlbf(void)
{
    for (ClewFile *f = all; f; f = f->next)
        if ((f->io._flags & FILE_LINE_BUFFERED) && (f->io._flags & FILE_PUTTING)) write_buffered(f);
}

/* What inlined getc_unlocked and putc_unlocked call. */
int __uflow(FILE *stream)
{
    return file_get(file_of(stream));
}

int __overflow(FILE *stream, int byte)
{
    return clew__overflow(file_of(stream), byte);
}

int __underflow(FILE *stream);
int __underflow(FILE *stream)
{
    return clew__underflow(file_of(stream));
}
