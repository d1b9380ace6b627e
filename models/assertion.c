/* assert: glibc's message on standard error, then the verdict. */
#include "internal.h"

#include <assert.h>
#include <errno.h>

extern void clew__abort_handler(void) WEAK;

enum { LINE = 4096 };

typedef struct Message {
    char text[LINE];
    size_t length;
} Message;

static void add(Message *message, const char *text)
{
    for (; *text && message->length < LINE; text++) message->text[message->length++] = *text;
}

static void add_number(Message *message, unsigned number)
{
    char digits[11];
    int i = 10;
    digits[i] = 0;
    do digits[--i] = (char)('0' + number % 10);
    while (number /= 10);
    add(message, digits + i);
}

static void add_place(Message *message, const char *file, unsigned line, const char *function)
{
    if (*program_invocation_short_name) {
        add(message, program_invocation_short_name);
        add(message, ": ");
    }
    add(message, file);
    add(message, ":");
    add_number(message, line);
    add(message, ": ");
    if (function) {
        add(message, function);
        add(message, ": ");
    }
}

/* In a real run a handler of SIGABRT comes first, if the program has signals at all; while exploring the failure itself is what matters. */
static _Noreturn void fail(const Message *message)
{
    clew__write(2, message->text, message->length);
    if (clew__real_effects() && clew__abort_handler) clew__abort_handler();
    clew__assertion_failed();
}

static _Noreturn void assertion(const char *expression, const char *file, unsigned line, const char *function)
{
    Message message;
    message.length = 0;
    add_place(&message, file, line, function);
    add(&message, "Assertion `");
    add(&message, expression);
    add(&message, "' failed.\n");
    fail(&message);
}

void __assert_perror_fail(int error, const char *file, unsigned line, const char *function)
{
    Message message;
    char text[64];
    message.length = 0;
    clew__strerror(error, text, sizeof text);
    add_place(&message, file, line, function);
    add(&message, "Unexpected error: ");
    add(&message, text);
    add(&message, ".\n");
    fail(&message);
}

void __assert_fail(const char *expression, const char *file, unsigned line, const char *function)
{
    assertion(expression, file, line, function);
}

void __assert(const char *expression, const char *file, int line)
{
    assertion(expression, file, (unsigned)line, NULL);
}
