/* A lexer that fills an array of tokens, after which main counts what it saw. */
#include <clew.h>

#define TEXT 5

enum token_kind { T_EOF, T_INT, T_IDENT, T_PLUS, T_MINUS, T_ASSIGN, T_EQ, T_LT, T_LE, T_ERROR };

struct token {
    enum token_kind kind;
    int start, length;
};

static int is_ident(char c)
{
    return (c >= 'a' && c <= 'z') || c == '_';
}

static int is_number(char c)
{
    return c >= '0' && c <= '9';
}

static struct token make_token(enum token_kind kind, int start, int length)
{
    struct token t = {kind, start, length};
    return t;
}

static struct token scan(const char *s, int at)
{
    while (s[at] == ' ') at++;
    int start = at;
    if (s[at] == 0) return make_token(T_EOF, start, 0);
    if (is_number(s[at])) {
        while (is_number(s[at])) at++;
        return make_token(T_INT, start, at - start);
    }
    if (is_ident(s[at])) {
        while (is_ident(s[at]) || is_number(s[at])) at++;
        return make_token(T_IDENT, start, at - start);
    }
    switch (s[at]) {
    case '+': return make_token(T_PLUS, start, 1);
    case '-': return make_token(T_MINUS, start, 1);
    case '=':
        if (s[at + 1] == '=') return make_token(T_EQ, start, 2);
        return make_token(T_ASSIGN, start, 1);
    case '<':
        if (s[at + 1] == '=') return make_token(T_LE, start, 2);
        return make_token(T_LT, start, 1);
    }
    return make_token(T_ERROR, start, 1);
}

static int tokenize(const char *s, struct token *out, int max)
{
    int n = 0, at = 0;
    while (n < max) {
        out[n] = scan(s, at);
        if (out[n].kind == T_EOF || out[n].kind == T_ERROR) return n + 1;
        at = out[n].start + out[n].length;
        n++;
    }
    return n;
}

int main(void)
{
    char text[TEXT + 1] = {0};
    struct token tokens[TEXT + 1];
    clew_make_symbolic(text, TEXT, "text");
    int n = tokenize(text, tokens, TEXT + 1);
    int idents = 0, ops = 0;
    for (int i = 0; i < n; i++) {
        if (tokens[i].kind == T_ERROR) return 1;
        if (tokens[i].kind == T_IDENT) idents++;
        if (tokens[i].kind == T_EQ || tokens[i].kind == T_LE) ops++;
    }
    if (idents == 2 && ops == 1) return 2;
    clew_assert(ops < 3);
    return 0;
}
