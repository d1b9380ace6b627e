/* clew explore --summaries
 * seeds: 8
 * branches: 24 of 26
 * complete: yes
 *
 * `flags` looks for letters at a place that depends on inputs, so that all of the line is read, pointers that may be null and may be not
 * included: what its calls are does not depend on which of both they are. */
#include <clew.h>

enum { SIZE = 5, WORDS = 3 };

typedef struct Line {
    char letters[SIZE + 1];
    char *words[WORDS];
    int count;
} Line;

static void skip(const char **at)
{
    while (**at == ' ') ++*at;
}

static void copy(const char **at, char **to)
{
    while (**at && **at != ' ') *(*to)++ = *(*at)++;
    *(*to)++ = 0;
}

static int split(const char *text, Line *line)
{
    char *to = line->letters;
    for (;;) {
        skip(&text);
        if (!*text) return 0;
        if (line->count == WORDS) return -1;
        line->words[line->count++] = to;
        copy(&text, &to);
    }
}

static int flags(const char *word, int *level)
{
    for (word++; *word; word++) {
        if (*word != 'l') return -1;
        ++*level;
    }
    return 0;
}

static int gather(const Line *line)
{
    int level = 0;
    for (int i = 0; i < line->count; i++)
        if (line->words[i][0] == '-' && flags(line->words[i], &level) < 0) return -1;
    return level;
}

int main(void)
{
    char text[SIZE + 1] = {0};
    Line line = {0};
    clew_make_symbolic(text, SIZE, "text");
    if (split(text, &line) < 0) return 1;
    int level = gather(&line);
    if (level < 0) return 2;
    return level > 1 ? 3 : 0;
}
