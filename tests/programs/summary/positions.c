/* clew explore
 * seeds: 3
 * variants: -DN=4 -DN=8
 * branches: 28 of 28
 * bug: assertion 70
 * complete: yes
 *
 * Positions in a text come out of functions three calls deep: each is one of a few, and in each case what follows is simple.  Path by path
 * there are thousands of paths. */
#include <clew.h>
#include <stdbool.h>

#ifndef N
#define N 6
#endif

typedef struct Cursor {
    const char *text;
    int at;
} Cursor;

typedef struct Span {
    int at, length;
} Span;

static int peek(const Cursor *cursor)
{
    return cursor->at < N ? (unsigned char)cursor->text[cursor->at] : -1;
}

static bool is_word(int c)
{
    return (c >= 'a' && c <= 'z') || c == '_';
}

static void skip_blanks(Cursor *cursor)
{
    while (peek(cursor) == ' ') cursor->at++;
}

static Span take_word(Cursor *cursor)
{
    Span word = {cursor->at, 0};
    while (is_word(peek(cursor))) cursor->at++;
    word.length = cursor->at - word.at;
    return word;
}

/* word = word */
static int take_setting(Cursor *cursor)
{
    skip_blanks(cursor);
    Span name = take_word(cursor);
    skip_blanks(cursor);
    if (name.length == 0 || peek(cursor) != '=') return 0;
    cursor->at++;
    skip_blanks(cursor);
    Span value = take_word(cursor);
    return value.length == 1 && cursor->text[value.at] == cursor->text[name.at] ? 2 : 1;
}

int main(void)
{
    char text[N];
    clew_make_symbolic(text, N, "text");
    Cursor cursor = {text, 0};
    int setting = take_setting(&cursor);
    skip_blanks(&cursor);
    if (setting == 0) return 1;
    clew_assert(!(setting == 2 && cursor.at == N));
    return 0;
}
