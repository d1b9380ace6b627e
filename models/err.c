/* err.h and error.h: messages with the program's name on standard error. */
#include "stdio_int.h"

#include <err.h>
#include <error.h>
#include <errno.h>
#include <stdlib.h>

unsigned error_message_count;
int error_one_per_line;
void (*error_print_progname)(void);

typedef struct StreamSink {
    ClewSink sink;
    char text[1024];
    size_t length;
} StreamSink;

static void flush(StreamSink *s)
{
    clew__file_write(file_of(stderr), s->text, s->length);
    s->length = 0;
}

static void put(ClewSink *sink, const char *text, size_t n)
{
    StreamSink *s = (StreamSink *)sink;
    if (n > sizeof s->text - s->length) flush(s);
    if (n > sizeof s->text) {
        clew__file_write(file_of(stderr), text, n);
        return;
    }
    bytes_copy(s->text + s->length, text, n);
    s->length += n;
}

static void put_text(StreamSink *s, const char *text)
{
    put(&s->sink, text, text_length(text));
}

static void begin(StreamSink *s)
{
    s->sink = (ClewSink){.put = put, .console = clew__fd_is_console(2)};
    s->length = 0;
}

/* error < 0: no text of an error. */
static void put_message(StreamSink *s, const char *format, va_list args, int error)
{
    char text[64];
    if (format) {
        clew__format(&s->sink, format, args);
        if (error >= 0) put_text(s, ": ");
    }
    if (error >= 0) {
        clew__strerror(error, text, sizeof text);
        put_text(s, text);
    }
}

static void message(const char *format, va_list args, int error)
{
    StreamSink s;
    begin(&s);
    put_text(&s, program_invocation_short_name);
    put_text(&s, ": ");
    put_message(&s, format, args, error);
    put_text(&s, "\n");
    flush(&s);
}

static _Noreturn void leave(int status)
{
    clew__leave(status);
}

void vwarn(const char *format, va_list args)
{
    message(format, args, clew__errno);
}

void vwarnx(const char *format, va_list args)
{
    message(format, args, -1);
}

void verr(int status, const char *format, va_list args)
{
    message(format, args, clew__errno);
    leave(status);
}

void verrx(int status, const char *format, va_list args)
{
    message(format, args, -1);
    leave(status);
}

void warn(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message(format, args, clew__errno);
    va_end(args);
}

void warnx(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message(format, args, -1);
    va_end(args);
}

void err(int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message(format, args, clew__errno);
    leave(status);
}

void errx(int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message(format, args, -1);
    leave(status);
}

/* ---- error.h ---- */

static void begin_error(StreamSink *s)
{
    begin(s);
    clew__file_flush(file_of(stdout));
    if (error_print_progname) {
        error_print_progname();
    } else {
        put_text(s, program_invocation_name);
        put_text(s, ":");
    }
}

static void end_error(StreamSink *s, int status)
{
    put_text(s, "\n");
    flush(s);
    error_message_count++;
    if (status) leave(status);
}

void error(int status, int number, const char *format, ...)
{
    StreamSink s;
    va_list args;
    begin_error(&s);
    if (!error_print_progname) put_text(&s, " ");
    va_start(args, format);
    put_message(&s, format, args, number ? number : -1);
    va_end(args);
    end_error(&s, status);
}

void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...)
{
    static const char *last_file;
    static unsigned last_line;
    if (error_one_per_line) {
        if (last_line == line && (last_file == file || (last_file && file && text_equal(last_file, file)))) return;
        last_file = file;
        last_line = line;
    }
    StreamSink s;
    va_list args;
    begin_error(&s);
    if (file) {
        char digits[12];
        int i = 11;
        digits[i] = 0;
        do digits[--i] = (char)('0' + line % 10);
        while (line /= 10);
        put_text(&s, file);
        put_text(&s, ":");
        put_text(&s, digits + i);
        put_text(&s, ": ");
    } else {
        put_text(&s, " ");
    }
    va_start(args, format);
    put_message(&s, format, args, number ? number : -1);
    va_end(args);
    end_error(&s, status);
}
