/* A calculator: numbers, + - * / %, parentheses and unary minus, evaluated while it is parsed, with the errors a user can make. */
#include <clew.h>
#include <limits.h>
#include <stdlib.h>

enum { LENGTH = 9 };

enum error { NONE, SYNTAX, OVERFLOW, DIVISION, NESTING };

struct parser {
    const char *at;
    enum error error;
    int depth;
};

static int sum(struct parser *p);

static int set_error(struct parser *p, enum error error)
{
    if (p->error == NONE) p->error = error;
    return 0;
}

static void skip_space(struct parser *p)
{
    while (*p->at == ' ') p->at++;
}

static int number(struct parser *p)
{
    int value = 0;
    if (*p->at < '0' || *p->at > '9') return set_error(p, SYNTAX);
    while (*p->at >= '0' && *p->at <= '9') {
        int digit = *p->at++ - '0';
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, digit, &value)) return set_error(p, OVERFLOW);
    }
    return value;
}

static int factor(struct parser *p)
{
    int value;
    skip_space(p);
    if (*p->at == '-') {
        p->at++;
        value = factor(p);
        return value == INT_MIN ? set_error(p, OVERFLOW) : -value;
    }
    if (*p->at != '(') return number(p);
    if (++p->depth > 3) return set_error(p, NESTING);
    p->at++;
    value = sum(p);
    skip_space(p);
    if (*p->at != ')') return set_error(p, SYNTAX);
    p->at++;
    p->depth--;
    return value;
}

static int divide(struct parser *p, int a, int b, char operator)
{
    if (b == 0) return set_error(p, DIVISION);
    if (a == INT_MIN && b == -1) return set_error(p, OVERFLOW);
    return operator== '/' ? a / b : a % b;
}

static int product(struct parser *p)
{
    int value = factor(p);
    for (;;) {
        skip_space(p);
        char operator= * p->at;
        if (p->error != NONE || (operator!= '*' && operator!= '/' && operator!= '%')) return value;
        p->at++;
        int right = factor(p);
        if (p->error != NONE) return 0;
        if (operator!= '*') value = divide(p, value, right, operator);
        else if (__builtin_mul_overflow(value, right, &value)) return set_error(p, OVERFLOW);
    }
}

static int sum(struct parser *p)
{
    int value = product(p);
    for (;;) {
        skip_space(p);
        char operator= * p->at;
        if (p->error != NONE || (operator!= '+' && operator!= '-')) return value;
        p->at++;
        int right = product(p);
        if (p->error != NONE) return 0;
        int overflow = operator== '+' ? __builtin_add_overflow(value, right, &value) : __builtin_sub_overflow(value, right, &value);
        if (overflow) return set_error(p, OVERFLOW);
    }
}

int main(void)
{
    char text[LENGTH + 1];
    clew_make_symbolic(text, LENGTH, "text");
    text[LENGTH] = 0;
    struct parser p = {.at = text};
    int value = sum(&p);
    skip_space(&p);
    if (p.error == NONE && *p.at) p.error = SYNTAX;
    if (p.error != NONE) return p.error;
    if (value == 42) return 42;
    return value < 0 ? 10 : value > 1000 ? 11 : 0;
}
