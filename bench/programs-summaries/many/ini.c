/* A parser of "key=value;" settings with a cursor over a buffer. */
#include <clew.h>
#include <stdbool.h>
#include <stddef.h>

#define SIZE 8

typedef struct Cursor {
    const char *data;
    size_t pos, len;
} Cursor;

enum { OK = 0, ERR_EOF = -1, ERR_KEY = -2, ERR_EQ = -3, ERR_VALUE = -4, ERR_SEMI = -5 };

static bool at_end(const Cursor *c)
{
    return c->pos >= c->len || c->data[c->pos] == '\0';
}

static int peek(const Cursor *c)
{
    return at_end(c) ? -1 : (unsigned char)c->data[c->pos];
}

static bool accept(Cursor *c, char want)
{
    if (peek(c) != want) return false;
    c->pos++;
    return true;
}

static int parse_key(Cursor *c, char *key)
{
    int ch = peek(c);
    if (ch < 0) return ERR_EOF;
    if (ch < 'a' || ch > 'z') return ERR_KEY;
    *key = (char)ch;
    c->pos++;
    return OK;
}

static int parse_number(Cursor *c, int *value)
{
    int n = 0, digits = 0;
    while (peek(c) >= '0' && peek(c) <= '9') {
        n = n * 10 + (peek(c) - '0');
        c->pos++;
        digits++;
    }
    if (digits == 0) return ERR_VALUE;
    *value = n;
    return OK;
}

static int parse_setting(Cursor *c, int *port, int *level)
{
    char key = 0;
    int value = 0;
    int err = parse_key(c, &key);
    if (err) return err;
    if (!accept(c, '=')) return ERR_EQ;
    err = parse_number(c, &value);
    if (err) return err;
    if (!accept(c, ';')) return ERR_SEMI;
    if (key == 'p') *port = value;
    else if (key == 'l') *level = value;
    return OK;
}

int main(void)
{
    char text[SIZE + 1];
    clew_make_symbolic(text, SIZE, "text");
    text[SIZE] = 0;
    Cursor c = {text, 0, SIZE};
    int port = 80, level = 1;
    while (!at_end(&c)) {
        if (accept(&c, ' ') || accept(&c, '\n')) continue;
        int err = parse_setting(&c, &port, &level);
        if (err) return -err;
    }
    clew_assert(port != 0);
    if (level > 9) return 10;
    return 0;
}
