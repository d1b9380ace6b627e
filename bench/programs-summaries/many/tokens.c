/* The tokens of an expression of up to five bytes. */
#include <clew.h>
#include <stdbool.h>

enum { SIZE = 5 };

typedef enum Kind { END, NUMBER, NAME, OPERATOR, OPEN, CLOSE, BAD } Kind;

typedef struct Scanner {
    const char *text;
    int at;
    int line;
} Scanner;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

static Kind next_token(Scanner *scanner)
{
    const char *text = scanner->text;
    while (is_space(text[scanner->at])) scanner->at++;
    char c = text[scanner->at];
    if (c == '\0') return END;
    scanner->at++;
    if (is_digit(c)) {
        while (is_digit(text[scanner->at])) scanner->at++;
        return NUMBER;
    }
    if (is_letter(c)) {
        while (is_letter(text[scanner->at]) || is_digit(text[scanner->at])) scanner->at++;
        return NAME;
    }
    switch (c) {
    case '+':
    case '-':
    case '*': return OPERATOR;
    case '(': return OPEN;
    case ')': return CLOSE;
    default: return BAD;
    }
}

int main(void)
{
    char text[SIZE + 1] = {0};
    clew_make_symbolic(text, SIZE, "text");
    Scanner scanner = {.text = text};
    int numbers = 0, names = 0, depth = 0;
    for (;;) {
        Kind kind = next_token(&scanner);
        if (kind == END) break;
        if (kind == BAD) return 1;
        if (kind == NUMBER) numbers++;
        if (kind == NAME) names++;
        if (kind == OPEN) depth++;
        if (kind == CLOSE && --depth < 0) return 2;
    }
    if (depth != 0) return 3;
    clew_assert(!(numbers == 2 && names == 1));
    return 0;
}
