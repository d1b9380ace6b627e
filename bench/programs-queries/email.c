/* Is this an e-mail address?  The dot-atom form of RFC 5322 with a host name, or an IPv4 address in brackets. */
#include <clew.h>
#include <string.h>

enum { LENGTH = 12 };

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int is_atom(char c)
{
    return is_letter(c) || is_digit(c) || (c && strchr("!#$%&'*+-/=?^_`{|}~", c) != NULL);
}

/* atom("." atom)*; where it ends, NULL if it is none. */
static const char *local_part(const char *at)
{
    for (;;) {
        if (!is_atom(*at)) return NULL;
        while (is_atom(*at)) at++;
        if (*at != '.') return at;
        at++;
    }
}

/* Letters, digits and inner hyphens. */
static const char *label(const char *at)
{
    const char *start = at;
    if (*at == '-') return NULL;
    while (is_letter(*at) || is_digit(*at) || *at == '-') at++;
    if (at == start || at[-1] == '-' || at - start > 63) return NULL;
    return at;
}

static int host(const char *at)
{
    int labels = 0;
    const char *last;
    for (;;) {
        last = at;
        at = label(at);
        if (!at) return 0;
        labels++;
        if (*at != '.') break;
        at++;
    }
    if (*at || labels < 2 || at - last < 2) return 0;
    for (; last < at; last++)
        if (!is_letter(*last)) return 0; /* the top level has letters only */
    return 1;
}

static const char *octet(const char *at)
{
    int value = 0, n = 0;
    if (at[0] == '0' && is_digit(at[1])) return NULL;
    for (; is_digit(*at) && n < 3; n++) value = value * 10 + (*at++ - '0');
    return n && value <= 255 ? at : NULL;
}

static int literal(const char *at)
{
    for (int i = 0; i < 4; i++) {
        at = octet(at);
        if (!at) return 0;
        if (i < 3 && *at++ != '.') return 0;
    }
    return at[0] == ']' && at[1] == 0;
}

/* 0: none, 1: at a host, 2: at an address. */
static int classify(const char *text)
{
    const char *at = local_part(text);
    if (!at || *at != '@') return 0;
    if (at[1] == '[') return literal(at + 2) ? 2 : 0;
    return host(at + 1);
}

int main(void)
{
    char text[LENGTH + 1];
    clew_make_symbolic(text, LENGTH, "text");
    text[LENGTH] = 0;
    int kind = classify(text);
    if (kind) clew_assert(strchr(text, '@') != NULL && strlen(text) >= 6);
    return kind;
}
