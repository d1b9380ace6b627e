/* A JSON validator (RFC 8259) over a short text: a recursive descent over bytes. */
#include <clew.h>

enum { LENGTH = 10, DEPTH = 4 };

struct reader {
    const unsigned char *at, *end;
    int depth;
};

static int value(struct reader *r);

static int peek(const struct reader *r)
{
    return r->at < r->end ? *r->at : -1;
}

static void skip_space(struct reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r')) r->at++;
}

static int take(struct reader *r, int c)
{
    if (peek(r) != c) return 0;
    r->at++;
    return 1;
}

static int word(struct reader *r, const char *text)
{
    for (; *text; text++)
        if (!take(r, *text)) return 0;
    return 1;
}

static int digits(struct reader *r)
{
    int n = 0;
    while (peek(r) >= '0' && peek(r) <= '9') {
        r->at++;
        n++;
    }
    return n;
}

static int number(struct reader *r)
{
    take(r, '-');
    if (take(r, '0')) {
        if (peek(r) >= '0' && peek(r) <= '9') return 0; /* no leading zeros */
    } else if (!digits(r)) {
        return 0;
    }
    if (take(r, '.') && !digits(r)) return 0;
    if (take(r, 'e') || take(r, 'E')) {
        if (!take(r, '+')) take(r, '-');
        if (!digits(r)) return 0;
    }
    return 1;
}

static int is_hex(int c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static int escape(struct reader *r)
{
    int c = peek(r);
    if (c < 0) return 0;
    r->at++;
    switch (c) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't': return 1;
    case 'u':
        for (int i = 0; i < 4; i++) {
            if (!is_hex(peek(r))) return 0;
            r->at++;
        }
        return 1;
    default: return 0;
    }
}

static int string(struct reader *r)
{
    if (!take(r, '"')) return 0;
    for (;;) {
        int c = peek(r);
        if (c < ' ') return 0; /* the end, or a control character */
        r->at++;
        if (c == '"') return 1;
        if (c == '\\' && !escape(r)) return 0;
    }
}

static int members(struct reader *r, int close, int keyed)
{
    skip_space(r);
    if (take(r, close)) return 1;
    for (;;) {
        if (keyed) {
            skip_space(r);
            if (!string(r)) return 0;
            skip_space(r);
            if (!take(r, ':')) return 0;
        }
        if (!value(r)) return 0;
        if (take(r, close)) return 1;
        if (!take(r, ',')) return 0;
    }
}

static int value(struct reader *r)
{
    int ok;
    if (++r->depth > DEPTH) return 0;
    skip_space(r);
    switch (peek(r)) {
    case '{':
        r->at++;
        ok = members(r, '}', 1);
        break;
    case '[':
        r->at++;
        ok = members(r, ']', 0);
        break;
    case '"': ok = string(r); break;
    case 't': ok = word(r, "true"); break;
    case 'f': ok = word(r, "false"); break;
    case 'n': ok = word(r, "null"); break;
    default: ok = number(r);
    }
    skip_space(r);
    r->depth--;
    return ok;
}

int main(void)
{
    unsigned char text[LENGTH];
    clew_make_symbolic(text, sizeof text, "text");
    struct reader r = {text, text, 0};
    while (r.end < text + LENGTH && *r.end) r.end++;
    if (!value(&r)) return 1;
    return r.at == r.end ? 0 : 2;
}
