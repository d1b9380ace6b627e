/* printf to memory. */
#include "internal.h"

#include <limits.h>
#include <stdio.h>

typedef struct TextSink {
    ClewSink sink;
    char *text;
    size_t room, length; /* room without the terminator; length may exceed it */
} TextSink;

static void put(ClewSink *sink, const char *text, size_t n)
{
    TextSink *s = (TextSink *)sink;
    if (s->length < s->room) {
        size_t fits = s->room - s->length;
        bytes_copy(s->text + s->length, text, n < fits ? n : fits);
    }
    s->length += n;
}

/* size 0: nothing is written, not even a terminator. */
int clew__print_text(char *text, size_t size, const char *format, va_list args)
{
    TextSink s = {.sink = {.put = put}, .text = text, .room = size ? size - 1 : 0};
    int result = clew__format(&s.sink, format, args);
    if (size) text[s.length < s.room ? s.length : s.room] = 0;
    return result;
}

#define PRINT(call) \
    va_list args; \
    va_start(args, format); \
    int result = call; \
    va_end(args); \
    return result

int vsnprintf(char *restrict text, size_t size, const char *restrict format, va_list args)
{
    return clew__print_text(text, size, format, args);
}

int snprintf(char *restrict text, size_t size, const char *restrict format, ...)
{
    PRINT(clew__print_text(text, size, format, args));
}

int vsprintf(char *restrict text, const char *restrict format, va_list args)
{
    return clew__print_text(text, (size_t)INT_MAX + 1, format, args);
}

int sprintf(char *restrict text, const char *restrict format, ...)
{
    PRINT(clew__print_text(text, (size_t)INT_MAX + 1, format, args));
}

/* ---- allocated ---- */

int clew__print_new(char **text, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = clew__print_text(NULL, 0, format, args), result = -1;
    char *memory = n < 0 ? NULL : clew__malloc((size_t)n + 1);
    if (memory) {
        result = clew__print_text(memory, (size_t)n + 1, format, again);
        *text = memory;
    }
    va_end(again);
    return result;
}

int vasprintf(char **restrict text, const char *restrict format, va_list args)
{
    return clew__print_new(text, format, args);
}

int asprintf(char **restrict text, const char *restrict format, ...)
{
    PRINT(clew__print_new(text, format, args));
}

int __asprintf(char **restrict text, const char *restrict format, ...)
{
    PRINT(clew__print_new(text, format, args));
}
