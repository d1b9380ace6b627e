/* A calculator of sums, products and parentheses by recursive descent, over seven bytes. */
#include <clew.h>
#include <stdbool.h>

enum { SIZE = 7 };

typedef struct Reader {
    const char *at;
    bool is_wrong;
} Reader;

static int read_sum(Reader *reader);

static int read_factor(Reader *reader)
{
    if (*reader->at == '(') {
        reader->at++;
        int value = read_sum(reader);
        if (*reader->at == ')') reader->at++;
        else reader->is_wrong = true;
        return value;
    }
    if (*reader->at >= '0' && *reader->at <= '9') return *reader->at++ - '0';
    reader->is_wrong = true;
    return 0;
}

static int read_product(Reader *reader)
{
    int value = read_factor(reader);
    while (*reader->at == '*' && !reader->is_wrong) {
        reader->at++;
        value *= read_factor(reader);
    }
    return value;
}

static int read_sum(Reader *reader)
{
    int value = read_product(reader);
    while ((*reader->at == '+' || *reader->at == '-') && !reader->is_wrong) {
        if (*reader->at++ == '+') value += read_product(reader);
        else value -= read_product(reader);
    }
    return value;
}

int main(void)
{
    char text[SIZE + 1] = {0};
    clew_make_symbolic(text, SIZE, "text");
    Reader reader = {.at = text};
    int value = read_sum(&reader);
    if (reader.is_wrong || *reader.at) return 1;
    clew_assert(value != 42);
    return 0;
}
