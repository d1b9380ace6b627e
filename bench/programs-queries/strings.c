/* A command line of an instrument: words are split, compared and searched with the C library, numbers are read by strtol. */
#include <clew.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 12, WORDS = 4 };

struct instrument {
    long channel, level;
    int on;
    char label[6];
};

static int split(char *text, char **words)
{
    int n = 0;
    for (char *word = strtok(text, " ,"); word; word = strtok(NULL, " ,")) {
        if (n == WORDS) return -1;
        words[n++] = word;
    }
    return n;
}

static void lower(char *text)
{
    for (; *text; text++) *text = (char)tolower((unsigned char)*text);
}

/* A number with an optional unit: m is a thousandth, k a thousand. */
static int read_number(const char *text, long *value)
{
    char *end;
    errno = 0;
    *value = strtol(text, &end, 0);
    if (end == text || errno == ERANGE) return 0;
    if (!strcmp(end, "k")) {
        if (*value > LONG_MAX / 1000 || *value < LONG_MIN / 1000) return 0;
        *value *= 1000;
        return 1;
    }
    if (!strcmp(end, "m")) {
        *value /= 1000;
        return 1;
    }
    return *end == 0;
}

static int set_level(struct instrument *t, const char *text)
{
    long value;
    if (!read_number(text, &value) || value < -500 || value > 5000) return 0;
    t->level = value;
    return 1;
}

static int set_label(struct instrument *t, const char *text)
{
    size_t n = strlen(text);
    if (n >= sizeof t->label || strpbrk(text, "\"'\\")) return 0;
    memcpy(t->label, text, n + 1);
    return 1;
}

static int command(struct instrument *t, char **words, int n)
{
    static const char label[] = "label"; /* or the beginning of it */
    if (n == 0) return 1;
    lower(words[0]);
    if (n == 1 && !strcmp(words[0], "on")) t->on = 1;
    else if (n == 1 && !strncmp(words[0], "off", 3)) t->on = 0;
    else if (n == 2 && !strcmp(words[0], "ch")) t->channel = atoi(words[1]);
    else if (n == 2 && !strcmp(words[0], "lv")) return set_level(t, words[1]);
    else if (n == 2 && strstr(label, words[0]) == label) return set_label(t, words[1]);
    else return 0;
    return 1;
}

int main(void)
{
    char text[LENGTH + 1], *words[WORDS];
    struct instrument t = {.channel = 1};
    clew_make_symbolic(text, LENGTH, "text");
    text[LENGTH] = 0;
    char *comment = strchr(text, '#');
    if (comment) *comment = 0;
    int n = split(text, words);
    if (n < 0) return 1;
    if (!command(&t, words, n)) return 2;
    clew_assert(t.level >= -500 && t.level <= 5000);
    clew_assert(strlen(t.label) < sizeof t.label);
    if (t.level == 3000) return 3;
    if (t.channel < 1 || t.channel > 16) return 4;
    if (!strcmp(t.label, "temp")) return 5;
    return t.on ? 6 : 0;
}
