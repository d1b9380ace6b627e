/* clew test
 * branches: 54 of 67
 * infeasible: 43 false
 * infeasible: 55 true
 * infeasible: 59 true
 * infeasible: 65 true
 * infeasible: 81 true
 * infeasible: 96 true
 * infeasible: 105 true
 * infeasible: 106 true
 * infeasible: 107 true
 * infeasible: 108 true
 * infeasible: 109 true
 * infeasible: 110 true
 * infeasible: 111 true
 * proved: at least 5
 *
 * A parser by recursive descent for sums and products of digits with parentheses: the depth is bounded, tokens are of five kinds, and
 * results are errors or numbers below a modulus. */
extern int __VERIFIER_nondet_int(void);

enum token { DIGIT, PLUS, TIMES, OPEN, CLOSE, END };
enum { ERROR = -1, DEEPEST = 4, MODULUS = 97 };

static enum token token;
static int digit, depth, errors;

static void advance(void)
{
    int c = __VERIFIER_nondet_int();
    if (c >= '0' && c <= '9') {
        token = DIGIT;
        digit = c - '0';
    } else if (c == '+') token = PLUS;
    else if (c == '*') token = TIMES;
    else if (c == '(') token = OPEN;
    else if (c == ')') token = CLOSE;
    else token = END;
}

static int fail(void)
{
    if (errors < 1000) errors++;
    return ERROR;
}

static int sum(void);

static int factor(void)
{
    int value;
    switch (token) {
    case DIGIT:
        value = digit;
        if (value > 9) return fail();
        advance();
        return value;
    case OPEN:
        if (depth > DEEPEST) return fail();
        if (depth == DEEPEST) return fail();
        depth++;
        advance();
        value = sum();
        depth--;
        if (depth < 0) return fail();
        if (value < 0) return ERROR;
        if (token != CLOSE) return fail();
        advance();
        return value;
    default:
        return fail();
    }
}

static int product(void)
{
    int value = factor();
    while (value >= 0 && token == TIMES) {
        advance();
        int other = factor();
        if (other >= MODULUS) return fail();
        if (other < 0) return ERROR;
        value = value * other % MODULUS;
    }
    return value;
}

static int sum(void)
{
    int value = product();
    while (value >= 0 && token == PLUS) {
        advance();
        int other = product();
        if (other < 0) return ERROR;
        value = (value + other) % MODULUS;
        if (value < 0) return fail();
    }
    return value;
}

int main(void)
{
    advance();
    int value = sum();
    if (value < ERROR) return 1;
    if (value >= MODULUS) return 2;
    if (depth > 0) return 3;
    if (depth < 0) return 4;
    if (value >= 0 && errors > 0) return 5;
    if (value < 0 && errors != 1) return 6;
    if (value >= 0 && token != END) return token == PLUS ? 7 : 8;
    return value == 42;
}
