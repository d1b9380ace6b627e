/* strerror and strsignal: glibc's own texts, each kept once fetched, since callers may hold several at a time. */
#include "internal.h"

#include <errno.h>
#include <string.h>

enum { KNOWN_ERRORS = 134, KNOWN_SIGNALS = 65, TEXT = 64 };

static const char *text_of(int error, char *unknown)
{
    static char *texts[KNOWN_ERRORS];
    if (error < 0 || error >= KNOWN_ERRORS) {
        clew__strerror(error, unknown, TEXT);
        return unknown;
    }
    if (!texts[error]) {
        size_t n = clew__strerror(error, unknown, TEXT) + 1;
        texts[error] = clew__malloc(n);
        if (!texts[error]) return unknown;
        bytes_copy(texts[error], unknown, n);
    }
    return texts[error];
}

char *strerror(int error)
{
    static char unknown[TEXT];
    int saved = clew__errno;
    char *text = (char *)text_of(error, unknown);
    clew__errno = saved;
    return text;
}

char *strerror_l(int error, locale_t locale)
{
    static char unknown[TEXT];
    (void)locale;
    return (char *)text_of(error, unknown);
}

/* GNU's: the text itself where it is known, else written to the buffer. */
char *strerror_r(int error, char *buffer, size_t n)
{
    static char unknown[TEXT];
    if (error >= 0 && error < KNOWN_ERRORS && error != 41 && error != 58) return (char *)text_of(error, unknown);
    clew__strerror(error, buffer, n);
    return buffer;
}

int __xpg_strerror_r(int error, char *buffer, size_t n);
int __xpg_strerror_r(int error, char *buffer, size_t n)
{
    size_t length = clew__strerror(error, buffer, n);
    if (error < 0 || error >= KNOWN_ERRORS || error == 41 || error == 58) return EINVAL;
    return length >= n ? ERANGE : 0;
}

char *strsignal(int signal)
{
    static char *texts[KNOWN_SIGNALS];
    static char unknown[TEXT];
    if (signal < 0 || signal >= KNOWN_SIGNALS) {
        clew__strsignal(signal, unknown, TEXT);
        return unknown;
    }
    if (!texts[signal]) {
        size_t n = clew__strsignal(signal, unknown, TEXT) + 1;
        texts[signal] = clew__malloc(n);
        if (!texts[signal]) return unknown;
        bytes_copy(texts[signal], unknown, n);
    }
    return texts[signal];
}
