/* printf to streams. */
#include "stdio_int.h"

/* Unbuffered streams get the text in one piece where it is short. */
typedef struct StreamSink {
    ClewSink sink;
    ClewFile *file;
    size_t length;
    bool gather;
    char text[512];
} StreamSink;

static void write_out(StreamSink *s, const char *text, size_t n)
{
    if (clew__file_write(s->file, text, n) != n) s->sink.failed = true;
}

static void flush_gathered(StreamSink *s)
{
    write_out(s, s->text, s->length);
    s->length = 0;
}

static void put(ClewSink *sink, const char *text, size_t n)
{
    StreamSink *s = (StreamSink *)sink;
    if (!s->gather) {
        write_out(s, text, n);
        return;
    }
    if (n > sizeof s->text - s->length) flush_gathered(s);
    if (n > sizeof s->text) {
        write_out(s, text, n);
        return;
    }
    bytes_copy(s->text + s->length, text, n);
    s->length += n;
}

static int print(FILE *stream, const char *format, va_list args)
{
    StreamSink s;
    s.sink.put = put;
    s.sink.failed = false;
    s.file = file_of(stream);
    s.length = 0;
    s.gather = s.file->io._flags & FILE_UNBUFFERED;
    s.sink.console = s.file->ops == &clew__fd_ops && clew__fd_is_console(s.file->io._fileno);
    if (s.file->io._flags & FILE_NO_WRITES) return clew__overflow(s.file, EOF);
    int result = clew__format(&s.sink, format, args);
    if (s.length) flush_gathered(&s);
    return s.sink.failed ? -1 : result;
}

int vfprintf(FILE *restrict stream, const char *restrict format, va_list args)
{
    return print(stream, format, args);
}

int vprintf(const char *restrict format, va_list args)
{
    return print(stdout, format, args);
}

int __vfprintf_chk(FILE *restrict stream, int flag, const char *restrict format, va_list args);
int __vfprintf_chk(FILE *restrict stream, int flag, const char *restrict format, va_list args)
{
    (void)flag;
    return print(stream, format, args);
}

int __vprintf_chk(int flag, const char *restrict format, va_list args);
int __vprintf_chk(int flag, const char *restrict format, va_list args)
{
    (void)flag;
    return print(stdout, format, args);
}

#define PRINT(stream) \
    va_list args; \
    va_start(args, format); \
    int result = print(stream, format, args); \
    va_end(args); \
    return result

int fprintf(FILE *restrict stream, const char *restrict format, ...)
{
    PRINT(stream);
}

int printf(const char *restrict format, ...)
{
    PRINT(stdout);
}

int __fprintf_chk(FILE *restrict stream, int flag, const char *restrict format, ...);
int __fprintf_chk(FILE *restrict stream, int flag, const char *restrict format, ...)
{
    (void)flag;
    PRINT(stream);
}

int __printf_chk(int flag, const char *restrict format, ...);
int __printf_chk(int flag, const char *restrict format, ...)
{
    (void)flag;
    PRINT(stdout);
}

void perror(const char *text)
{
    char message[64];
    clew__strerror(clew__errno, message, sizeof message);
    bool named = text && *text;
    ClewFile *f = file_of(stderr);
    const char *parts[4] = {named ? text : "", named ? ": " : "", message, "\n"};
    char line[512];
    size_t length = 0;
    for (int i = 0; i < 4; i++) {
        size_t n = text_length(parts[i]);
        if (n > sizeof line - length) {
            clew__file_write(f, line, length);
            length = 0;
        }
        if (n > sizeof line) {
            clew__file_write(f, parts[i], n);
        } else {
            bytes_copy(line + length, parts[i], n);
            length += n;
        }
    }
    clew__file_write(f, line, length);
}
