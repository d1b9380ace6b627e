/* clew run
 * stdin: (3 + 4) * 2 - 10 / (1 + 1)\n2 * (3 + (4 - 1) * 5)\n1 / 0\n2 +\n-(8 % 5) * -2\n
 * exit: 0
 */
#include <ctype.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

/* Expressions are compiled to code for a stack machine, which then runs. */
enum op { PUSH, ADD, SUB, MUL, DIV, MOD, NEG, STOP };
static struct code { enum op op; long value; } code[128];
static int length;
static const char *at;
static jmp_buf error;
static const char *message;

static void fail(const char *text)
{
    message = text;
    longjmp(error, 1);
}

static void emit(enum op op, long value)
{
    if (length == 128) fail("too long");
    code[length++] = (struct code){op, value};
}

static char peek(void)
{
    while (*at == ' ') at++;
    return *at;
}

static void sum(void);

static void atom(void)
{
    if (isdigit((unsigned char)peek())) {
        char *end;
        emit(PUSH, strtol(at, &end, 10));
        at = end;
    } else if (peek() == '(') {
        at++;
        sum();
        if (peek() != ')') fail("expected )");
        at++;
    } else if (peek() == '-') {
        at++;
        atom();
        emit(NEG, 0);
    } else {
        fail("expected a number");
    }
}

static void product(void)
{
    atom();
    for (char c; (c = peek()) == '*' || c == '/' || c == '%';) {
        at++;
        atom();
        emit(c == '*' ? MUL : c == '/' ? DIV : MOD, 0);
    }
}

static void sum(void)
{
    product();
    for (char c; (c = peek()) == '+' || c == '-';) {
        at++;
        product();
        emit(c == '+' ? ADD : SUB, 0);
    }
}

static long run(void)
{
    long stack[64], *top = stack;
    for (const struct code *pc = code;; pc++) {
        switch (pc->op) {
        case PUSH: *top++ = pc->value; continue;
        case NEG: top[-1] = -top[-1]; continue;
        case STOP: return top[-1];
        default: break;
        }
        long b = *--top, *a = top - 1;
        if (b == 0 && (pc->op == DIV || pc->op == MOD)) fail("division by zero");
        switch (pc->op) {
        case ADD: *a += b; break;
        case SUB: *a -= b; break;
        case MUL: *a *= b; break;
        case DIV: *a /= b; break;
        case MOD: *a %= b; break;
        default: fail("bad code");
        }
    }
}

int main(void)
{
    char line[128];
    while (fgets(line, sizeof line, stdin)) {
        if (setjmp(error)) {
            printf("error: %s\n", message);
            continue;
        }
        length = 0;
        at = line;
        sum();
        emit(STOP, 0);
        printf("%ld (%d codes)\n", run(), length);
    }
    return 0;
}
