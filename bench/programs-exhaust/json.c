/* A validator for JSON (RFC 8259) by recursive descent, over exactly SIZE bytes.
 *
 * In Clew it reads symbolic bytes from a buffer or, with -DFROM_STDIN, from standard input.  brute.c includes it with macros of its
 * own, to count its paths natively: every condition on the input stands alone in a DECIDE, every byte is read by a LOOK. */
#ifndef BRUTE_FORCE
#include <clew.h>
#include <unistd.h>
#define DECIDE(condition) (condition)
#define LOOK(at) (*(at))
#endif
#include <stdbool.h>
#include <stddef.h>

#ifndef SIZE
#define SIZE 6
#endif
enum { MAX_DEPTH = 64 };

typedef struct Reader {
    const unsigned char *at, *end;
    int depth;
} Reader;

static bool value(Reader *r);

static bool is_at_end(const Reader *r)
{
    return r->at == r->end;
}

/* The next byte is c: takes it. */
static bool take(Reader *r, unsigned char c)
{
    if (is_at_end(r)) return false;
    if (DECIDE(LOOK(r->at) != c)) return false;
    r->at++;
    return true;
}

static bool is_digit(const Reader *r)
{
    if (is_at_end(r)) return false;
    if (DECIDE(LOOK(r->at) < '0')) return false;
    if (DECIDE(LOOK(r->at) > '9')) return false;
    return true;
}

static void skip_space(Reader *r)
{
    while (!is_at_end(r)) {
        if (DECIDE(LOOK(r->at) == ' ')) r->at++;
        else if (DECIDE(LOOK(r->at) == '\t')) r->at++;
        else if (DECIDE(LOOK(r->at) == '\n')) r->at++;
        else if (DECIDE(LOOK(r->at) == '\r')) r->at++;
        else return;
    }
}

static bool word(Reader *r, const char *text)
{
    for (; *text; text++)
        if (!take(r, (unsigned char)*text)) return false;
    return true;
}

static bool digits(Reader *r)
{
    if (!is_digit(r)) return false;
    while (is_digit(r)) r->at++;
    return true;
}

static bool fraction(Reader *r)
{
    return !take(r, '.') || digits(r);
}

static bool exponent(Reader *r)
{
    if (!take(r, 'e') && !take(r, 'E')) return true;
    if (!take(r, '+')) take(r, '-');
    return digits(r);
}

/* A leading zero stands alone. */
static bool number(Reader *r)
{
    take(r, '-');
    if (!take(r, '0') && !digits(r)) return false;
    return fraction(r) && exponent(r);
}

static bool hex_digit(Reader *r)
{
    if (is_digit(r)) {
        r->at++;
        return true;
    }
    if (is_at_end(r)) return false;
    unsigned char lower = LOOK(r->at) | 0x20;
    if (DECIDE(lower < 'a')) return false;
    if (DECIDE(lower > 'f')) return false;
    r->at++;
    return true;
}

static bool escape(Reader *r)
{
    if (is_at_end(r)) return false;
    unsigned char c = LOOK(r->at++);
    static const char simple[] = "\"\\/bfnrt";
    for (const char *s = simple; *s; s++)
        if (DECIDE(c == (unsigned char)*s)) return true;
    if (DECIDE(c != 'u')) return false;
    for (int i = 0; i < 4; i++)
        if (!hex_digit(r)) return false;
    return true;
}

static bool string(Reader *r)
{
    if (!take(r, '"')) return false;
    while (!is_at_end(r)) {
        unsigned char c = LOOK(r->at++);
        if (DECIDE(c == '"')) return true;
        if (DECIDE(c == '\\')) {
            if (!escape(r)) return false;
        } else if (DECIDE(c < 0x20)) {
            return false;
        }
    }
    return false;
}

static bool member(Reader *r)
{
    skip_space(r);
    if (!string(r)) return false;
    skip_space(r);
    return take(r, ':') && value(r);
}

/* What follows an opening bracket: `close`, or items with commas between them. */
static bool items(Reader *r, unsigned char close, bool item(Reader *))
{
    skip_space(r);
    if (take(r, close)) return true;
    do {
        if (!item(r)) return false;
    } while (take(r, ','));
    return take(r, close);
}

static bool bare_value(Reader *r)
{
    if (take(r, '{')) return items(r, '}', member);
    if (take(r, '[')) return items(r, ']', value);
    if (is_at_end(r)) return false;
    if (DECIDE(LOOK(r->at) == '"')) return string(r);
    if (take(r, 't')) return word(r, "rue");
    if (take(r, 'f')) return word(r, "alse");
    if (take(r, 'n')) return word(r, "ull");
    return number(r);
}

static bool value(Reader *r)
{
    if (++r->depth > MAX_DEPTH) return false;
    skip_space(r);
    if (!bare_value(r)) return false;
    skip_space(r);
    r->depth--;
    return true;
}

static bool is_json(const unsigned char *text, size_t size)
{
    Reader reader = {text, text + size, 0};
    return value(&reader) && is_at_end(&reader);
}

#ifndef BRUTE_FORCE
int main(void)
{
    unsigned char text[SIZE];
#ifdef FROM_STDIN
    if (read(0, text, SIZE) != SIZE) return 2;
#else
    clew_make_symbolic(text, SIZE, "text");
#endif
    return is_json(text, SIZE) ? 0 : 1;
}
#endif
