/* printf to descriptors: gathered, then written at once. */
#include "hidden.h"

typedef struct DescriptorSink {
    ClewSink sink;
    int fd;
    size_t length;
    char text[1024];
} DescriptorSink;

static void drain(DescriptorSink *s, const char *text, size_t n)
{
    while (n) {
        ssize_t wrote = clew__fd_write(s->fd, text, n);
        if (wrote < 0) {
            s->sink.failed = true;
            clew__errno = (int)-wrote;
            return;
        }
        text += wrote;
        n -= (size_t)wrote;
    }
}

static void put(ClewSink *sink, const char *text, size_t n)
{
    DescriptorSink *s = (DescriptorSink *)sink;
    if (n > sizeof s->text - s->length) {
        drain(s, s->text, s->length);
        s->length = 0;
    }
    if (n > sizeof s->text) {
        drain(s, text, n);
        return;
    }
    bytes_copy(s->text + s->length, text, n);
    s->length += n;
}

static int print(int fd, const char *format, va_list args)
{
    DescriptorSink s;
    s.sink = (ClewSink){.put = put, .console = clew__fd_is_console(fd)};
    s.fd = fd;
    s.length = 0;
    int result = clew__format(&s.sink, format, args);
    drain(&s, s.text, s.length);
    return s.sink.failed ? -1 : result;
}

int vdprintf(int fd, const char *restrict format, va_list args)
{
    return print(fd, format, args);
}

int dprintf(int fd, const char *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    int result = print(fd, format, args);
    va_end(args);
    return result;
}

int __vdprintf_chk(int fd, int flag, const char *restrict format, va_list args)
{
    (void)flag;
    return print(fd, format, args);
}

int __dprintf_chk(int fd, int flag, const char *restrict format, ...)
{
    (void)flag;
    va_list args;
    va_start(args, format);
    int result = print(fd, format, args);
    va_end(args);
    return result;
}
