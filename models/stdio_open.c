/* Streams: opening, closing, buffers, state, position. */
#include "stdio_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio_ext.h>
#include <unistd.h>

#undef feof_unlocked
#undef ferror_unlocked
#undef clearerr_unlocked
#undef fileno_unlocked

typedef struct Mode {
    int open_flags, file_flags;
} Mode;

static bool parse_mode(const char *text, Mode *mode)
{
    switch (*text++) {
    case 'r': *mode = (Mode){O_RDONLY, FILE_NO_WRITES}; break;
    case 'w': *mode = (Mode){O_WRONLY | O_CREAT | O_TRUNC, FILE_NO_READS}; break;
    case 'a': *mode = (Mode){O_WRONLY | O_CREAT | O_APPEND, FILE_NO_READS | FILE_APPEND}; break;
    default: return false;
    }
    for (int i = 1; i < 7 && *text && *text != ','; i++, text++) {
        if (*text == '+') {
            mode->open_flags = (mode->open_flags & ~O_ACCMODE) | O_RDWR;
            mode->file_flags &= FILE_APPEND;
        } else if (*text == 'x') {
            mode->open_flags |= O_EXCL;
        } else if (*text == 'e') {
            mode->open_flags |= O_CLOEXEC;
        }
    }
    return true;
}

/* Pure appending starts at the end; reading with appending starts at the beginning. */
static void start_position(ClewFile *f)
{
    if ((f->io._flags & (FILE_APPEND | FILE_NO_READS)) == (FILE_APPEND | FILE_NO_READS)) f->ops->seek(f, 0, SEEK_END);
}

static FILE *open_path(const char *path, const char *mode_text)
{
    Mode mode;
    if (!parse_mode(mode_text, &mode)) return fail_with(EINVAL), NULL;
    int fd = clew__fd_openat(AT_FDCWD, path, mode.open_flags, 0666);
    if (fd < 0) return fail_with(-fd), NULL;
    ClewFile *f = clew__file_new(fd, mode.file_flags, &clew__fd_ops);
    if (!f) {
        clew__fd_close(fd);
        return fail_with(ENOMEM), NULL;
    }
    start_position(f);
    return &f->io;
}

FILE *fopen(const char *restrict path, const char *restrict mode)
{
    return open_path(path, mode);
}

FILE *fopen64(const char *restrict path, const char *restrict mode)
{
    return open_path(path, mode);
}

FILE *fdopen(int fd, const char *mode_text)
{
    Mode mode;
    if (!parse_mode(mode_text, &mode)) return fail_with(EINVAL), NULL;
    int flags = clew__fd_flags(fd);
    if (flags < 0) return fail_with(-flags), NULL;
    bool cannot_read = (flags & O_ACCMODE) == O_WRONLY && !(mode.file_flags & FILE_NO_READS);
    bool cannot_write = (flags & O_ACCMODE) == O_RDONLY && !(mode.file_flags & FILE_NO_WRITES);
    if (cannot_read || cannot_write) return fail_with(EINVAL), NULL;
    if (mode.file_flags & FILE_APPEND) {
        int error = clew__fd_set_append(fd);
        if (error < 0) return fail_with(-error), NULL;
    }
    ClewFile *f = clew__file_new(fd, mode.file_flags, &clew__fd_ops);
    if (!f) return fail_with(ENOMEM), NULL;
    start_position(f);
    return &f->io;
}

FILE *tmpfile(void)
{
    int fd = clew__fd_openat(AT_FDCWD, "/tmp", O_RDWR | O_TMPFILE | O_EXCL, 0600);
    if (fd < 0) return fail_with(-fd), NULL;
    ClewFile *f = clew__file_new(fd, 0, &clew__fd_ops);
    return f ? &f->io : NULL;
}

FILE *tmpfile64(void)
{
    int fd = clew__fd_openat(AT_FDCWD, "/tmp", O_RDWR | O_TMPFILE | O_EXCL, 0600);
    if (fd < 0) return fail_with(-fd), NULL;
    ClewFile *f = clew__file_new(fd, 0, &clew__fd_ops);
    return f ? &f->io : NULL;
}

static int close_stream(ClewFile *f)
{
    int result = clew__file_flush(f);
    int closed = f->ops->close(f);
    if (closed < 0) clew__errno = -closed;
    f->io._fileno = -1;
    clew__file_release(f);
    return result == EOF || closed < 0 ? EOF : 0;
}

int fclose(FILE *stream)
{
    return close_stream(file_of(stream));
}

/* The structure stays; its descriptor keeps its number where it can. */
static FILE *reopen(const char *path, const char *mode_text, ClewFile *f)
{
    Mode mode;
    clew__file_flush(f);
    int old = f->ops == &clew__fd_ops ? f->io._fileno : -1;
    bool valid = parse_mode(mode_text, &mode);
    int fd = !valid ? -EINVAL : path ? clew__fd_openat(AT_FDCWD, path, mode.open_flags, 0666) : -EBADF;
    if (fd < 0) {
        f->ops->close(f);
        clew__file_release(f);
        return fail_with(-fd), NULL;
    }
    if (old >= 0 && fd != old) {
        int moved = clew__fd_move(fd, old);
        if (moved >= 0) fd = moved;
    } else if (old < 0) {
        f->ops->close(f);
    }
    clew__file_discard(f);
    clew__file_set_buffer(f, NULL, 0);
    int keep = f->io._flags & (int)0xffff0000;
    f->io._flags = keep | mode.file_flags;
    f->io._fileno = fd;
    f->ops = &clew__fd_ops;
    start_position(f);
    return &f->io;
}

FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
    return reopen(path, mode, file_of(stream));
}

FILE *freopen64(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
    return reopen(path, mode, file_of(stream));
}

/* ---- buffers ---- */

/* With no buffer given only the kind changes, and nothing is flushed.  Otherwise what was read ahead is lost where the file cannot seek
 * back. */
static int set_buffering(ClewFile *f, char *buffer, int mode, size_t size)
{
    if (mode != _IOFBF && mode != _IOLBF && mode != _IONBF) return EOF;
    f->io._flags &= ~(FILE_UNBUFFERED | FILE_LINE_BUFFERED);
    if (mode == _IOLBF) f->io._flags |= FILE_LINE_BUFFERED;
    if (mode == _IONBF) f->io._flags |= FILE_UNBUFFERED;
    if (mode == _IOFBF && !buffer) {
        clew__file_need_buffer(f);
        f->io._flags &= ~FILE_LINE_BUFFERED;
    }
    if (mode != _IONBF && !buffer) return 0;
    if (clew__file_flush(f) == EOF) return EOF;
    clew__file_discard(f);
    if (mode == _IONBF || !size) clew__file_set_buffer(f, f->io._shortbuf, 1);
    else clew__file_set_buffer(f, buffer, size);
    f->io._flags &= ~FILE_PUTTING;
    return 0;
}

int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size)
{
    return set_buffering(file_of(stream), buffer, mode, size);
}

void setbuf(FILE *restrict stream, char *restrict buffer)
{
    set_buffering(file_of(stream), buffer, buffer ? _IOFBF : _IONBF, BUFSIZ);
}

void setbuffer(FILE *restrict stream, char *restrict buffer, size_t size)
{
    set_buffering(file_of(stream), buffer, buffer ? _IOFBF : _IONBF, size);
}

void setlinebuf(FILE *stream)
{
    set_buffering(file_of(stream), NULL, _IOLBF, 0);
}

/* ---- state ---- */

#define STATE(name, expression) \
    int name(FILE *stream) \
    { \
        ClewFile *f = file_of(stream); \
        return (expression); \
    }
STATE(feof, (f->io._flags & FILE_EOF) != 0)
STATE(feof_unlocked, (f->io._flags & FILE_EOF) != 0)
STATE(ferror, (f->io._flags & FILE_ERROR) != 0)
STATE(ferror_unlocked, (f->io._flags & FILE_ERROR) != 0)
STATE(fileno, f->io._fileno < 0 ? fail_with(EBADF) : f->io._fileno)
STATE(fileno_unlocked, f->io._fileno < 0 ? fail_with(EBADF) : f->io._fileno)

void clearerr(FILE *stream)
{
    stream->_flags &= ~(FILE_EOF | FILE_ERROR);
}

void clearerr_unlocked(FILE *stream)
{
    stream->_flags &= ~(FILE_EOF | FILE_ERROR);
}

/* One thread runs at a time. */
void flockfile(FILE *stream)
{
    (void)stream;
}

void funlockfile(FILE *stream)
{
    (void)stream;
}

int ftrylockfile(FILE *stream)
{
    (void)stream;
    return 0;
}

/* ---- position ---- */

static int seek_to(ClewFile *f, int64_t offset, int whence)
{
    if (whence != SEEK_SET && whence != SEEK_CUR && whence != SEEK_END) return fail_with(EINVAL);
    if ((f->io._flags & FILE_PUTTING) && clew__file_flush(f) == EOF) return -1;
    if (whence == SEEK_CUR) offset -= clew__file_unread(f);
    int64_t result = f->ops->seek(f, offset, whence);
    if (result < 0) return fail_with((int)-result);
    clew__file_discard(f);
    f->io._flags &= ~(FILE_EOF | FILE_PUTTING);
    f->io._IO_write_base = f->io._IO_write_ptr = f->io._IO_write_end = f->io._IO_buf_base;
    return 0;
}

static int64_t tell(ClewFile *f)
{
    int64_t pending = f->io._IO_write_ptr - f->io._IO_write_base;
    bool appending = (f->io._flags & FILE_APPEND) && pending > 0;
    int64_t position = f->ops->seek(f, 0, appending ? SEEK_END : SEEK_CUR);
    if (position < 0) return fail_with((int)-position);
    if (f->io._flags & FILE_PUTTING) return position + pending;
    position -= clew__file_unread(f);
    if (position < 0) return fail_with(EIO);
    return position;
}

int fseek(FILE *stream, long offset, int whence)
{
    return seek_to(file_of(stream), offset, whence);
}

int fseeko(FILE *stream, off_t offset, int whence)
{
    return seek_to(file_of(stream), offset, whence);
}

int fseeko64(FILE *stream, off64_t offset, int whence)
{
    return seek_to(file_of(stream), offset, whence);
}

long ftell(FILE *stream)
{
    return tell(file_of(stream));
}

off_t ftello(FILE *stream)
{
    return tell(file_of(stream));
}

off64_t ftello64(FILE *stream)
{
    return tell(file_of(stream));
}

void rewind(FILE *stream)
{
    seek_to(file_of(stream), 0, SEEK_SET);
    stream->_flags &= ~FILE_ERROR;
}

static int get_position(ClewFile *f, fpos_t *position)
{
    int64_t now = tell(f);
    if (now < 0) return -1;
    bytes_fill(position, 0, sizeof *position);
    *(int64_t *)position = now;
    return 0;
}

int fgetpos(FILE *restrict stream, fpos_t *restrict position)
{
    return get_position(file_of(stream), position);
}

int fgetpos64(FILE *restrict stream, fpos64_t *restrict position)
{
    return get_position(file_of(stream), (fpos_t *)position);
}

int fsetpos(FILE *stream, const fpos_t *position)
{
    return seek_to(file_of(stream), *(const int64_t *)position, SEEK_SET);
}

int fsetpos64(FILE *stream, const fpos64_t *position)
{
    return seek_to(file_of(stream), *(const int64_t *)position, SEEK_SET);
}
