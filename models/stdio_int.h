/* Streams.  The structure begins as glibc's does, since getc_unlocked and its kin may have been inlined into the program; the fields have
 * glibc's meaning: bytes to be read are [read_ptr, read_end), bytes to be written [write_base, write_ptr), and where every byte written
 * needs attention (line buffered or unbuffered) write_end is write_base. */
#ifndef CLEW_MODELS_STDIO_INT_H
#define CLEW_MODELS_STDIO_INT_H

#include "internal.h"

#include <stdio.h>

enum {
    FILE_UNBUFFERED = 0x2,
    FILE_NO_READS = 0x4,
    FILE_NO_WRITES = 0x8,
    FILE_EOF = 0x10,
    FILE_ERROR = 0x20,
    FILE_LINE_BUFFERED = 0x200,
    FILE_PUTTING = 0x800,
    FILE_APPEND = 0x1000,
};

typedef struct ClewFile ClewFile;

/* Where a stream's bytes come from and go to; -errno on failure. */
typedef struct ClewFileOps {
    ssize_t (*read)(ClewFile *f, char *buffer, size_t n);
    ssize_t (*write)(ClewFile *f, const char *buffer, size_t n);
    int64_t (*seek)(ClewFile *f, int64_t offset, int whence);
    int (*close)(ClewFile *f);
    bool (*window)(ClewFile *f, const unsigned char **bytes, size_t *n); /* may be NULL */
} ClewFileOps;

struct ClewFile {
    struct _IO_FILE io;
    const ClewFileOps *ops;
    void *state; /* of streams that are no files */
    ClewFile *next;
    bool on_heap, owns_buffer, in_backup, in_window;
    /* Bytes pushed back stand in a buffer of their own; the stream's proper read area waits here meanwhile. */
    char *backup, *saved_base, *saved_ptr, *saved_end;
    size_t backup_size;
};

static inline ClewFile *file_of(FILE *stream)
{
    return (ClewFile *)stream;
}

static inline int file_get(ClewFile *f);
static inline int file_put(ClewFile *f, int byte);

extern const ClewFileOps clew__fd_ops;

ClewFile *clew__file_new(int fd, int flags, const ClewFileOps *ops); /* in the list of all streams; NULL: no memory */
void clew__file_release(ClewFile *f);                                /* out of the list, memory freed */
int clew__underflow(ClewFile *f);                                    /* the next byte, left there, or EOF */
int clew__overflow(ClewFile *f, int byte);                           /* writes the byte; EOF: only what is buffered */
int clew__file_flush(ClewFile *f);                                   /* what fflush does to one stream */
size_t clew__file_read(ClewFile *f, void *to, size_t n);
size_t clew__file_write(ClewFile *f, const void *from, size_t n);
void clew__file_discard(ClewFile *f); /* forgets what was read ahead and pushed back */
int64_t clew__file_unread(const ClewFile *f);
char *clew__get_line(ClewFile *f, char *to, int n);
size_t clew__get_blocks(ClewFile *f, void *to, size_t size, size_t count);
void clew__file_need_buffer(ClewFile *f); /* gives it one of the usual size, if it has none */
void clew__file_set_buffer(ClewFile *f, char *buffer, size_t n);

static inline int file_get(ClewFile *f)
{
    if (f->io._IO_read_ptr >= f->io._IO_read_end && clew__underflow(f) == EOF) return EOF;
    return (unsigned char)*f->io._IO_read_ptr++;
}

static inline int file_put(ClewFile *f, int byte)
{
    if (f->io._IO_write_ptr >= f->io._IO_write_end) return clew__overflow(f, (unsigned char)byte);
    return (unsigned char)(*f->io._IO_write_ptr++ = (char)byte);
}

#endif
