/* printf to memory, with the object's size known: -D_FORTIFY_SOURCE. */
#include "hidden.h"

#include <limits.h>

#define PRINT(call) \
    va_list args; \
    va_start(args, format); \
    int result = call; \
    va_end(args); \
    return result

static int print_checked(char *text, size_t size, const char *format, va_list args)
{
    int result = clew__print_text(text, size, format, args);
    if (result >= 0 && (size_t)result >= size) clew__chk_fail();
    return result;
}

int __vsnprintf_chk(char *restrict text, size_t size, int flag, size_t object, const char *restrict format, va_list args)
{
    (void)flag;
    if (object < size) clew__chk_fail();
    return clew__print_text(text, size, format, args);
}

int __snprintf_chk(char *restrict text, size_t size, int flag, size_t object, const char *restrict format, ...)
{
    (void)flag;
    if (object < size) clew__chk_fail();
    PRINT(clew__print_text(text, size, format, args));
}

int __vsprintf_chk(char *restrict text, int flag, size_t object, const char *restrict format, va_list args)
{
    (void)flag;
    if (object == 0) clew__chk_fail();
    if (object > (size_t)INT_MAX) return clew__print_text(text, (size_t)INT_MAX + 1, format, args);
    return print_checked(text, object, format, args);
}

int __sprintf_chk(char *restrict text, int flag, size_t object, const char *restrict format, ...)
{
    (void)flag;
    if (object == 0) clew__chk_fail();
    if (object > (size_t)INT_MAX) {
        PRINT(clew__print_text(text, (size_t)INT_MAX + 1, format, args));
    }
    PRINT(print_checked(text, object, format, args));
}

int __vasprintf_chk(char **restrict text, int flag, const char *restrict format, va_list args)
{
    (void)flag;
    return clew__print_new(text, format, args);
}

int __asprintf_chk(char **restrict text, int flag, const char *restrict format, ...)
{
    (void)flag;
    PRINT(clew__print_new(text, format, args));
}
