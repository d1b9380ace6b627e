/* A configuration file: sections, comments, key = value lines; known keys are typed and checked. */
#include <clew.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 14, NAME = 8 };

struct settings {
    int port, level, verbose, server; /* server: inside the section of that name */
};

struct line {
    char key[NAME + 1], value[NAME + 1];
};

static int is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static const char *skip_blanks(const char *at)
{
    while (*at == ' ' || *at == '\t') at++;
    return at;
}

/* Copies a name; NULL if there is none or it is too long. */
static const char *copy_name(const char *at, char *into)
{
    size_t n = 0;
    while (is_name(*at)) {
        if (n == NAME) return NULL;
        into[n++] = *at++;
    }
    into[n] = 0;
    return n ? at : NULL;
}

static const char *section(const char *at, struct settings *s)
{
    char name[NAME + 1];
    at = copy_name(at + 1, name);
    if (!at || *at != ']') return NULL;
    s->server = strcmp(name, "srv") == 0;
    return at + 1;
}

static int to_number(const char *text, int low, int high, int *into)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (*end || value < low || value > high) return 0;
    *into = (int)value;
    return 1;
}

static int to_switch(const char *text, int *into)
{
    if (!strcmp(text, "on") || !strcmp(text, "1")) *into = 1;
    else if (!strcmp(text, "off") || !strcmp(text, "0")) *into = 0;
    else return 0;
    return 1;
}

static int apply(const struct line *line, struct settings *s)
{
    if (s->server && !strcmp(line->key, "port")) return to_number(line->value, 1, 65535, &s->port);
    if (!strcmp(line->key, "lvl")) return to_number(line->value, 0, 9, &s->level);
    if (!strcmp(line->key, "v")) return to_switch(line->value, &s->verbose);
    return 0;
}

static const char *assignment(const char *at, struct settings *s)
{
    struct line line;
    at = copy_name(at, line.key);
    if (!at) return NULL;
    at = skip_blanks(at);
    if (*at != '=') return NULL;
    at = copy_name(skip_blanks(at + 1), line.value);
    return at && apply(&line, s) ? at : NULL;
}

/* The number of the faulty line, 0 if there is none. */
static int parse(const char *at, struct settings *s)
{
    for (int number = 1;; number++) {
        at = skip_blanks(at);
        if (*at == '#' || *at == ';') at += strcspn(at, "\n");
        else if (*at == '[') at = section(at, s);
        else if (*at && *at != '\n') at = assignment(at, s);
        if (!at) return number;
        at = skip_blanks(at);
        if (*at == 0) return 0;
        if (*at != '\n') return number;
        at++;
    }
}

int main(void)
{
    char text[LENGTH + 1];
    struct settings s = {.port = 80, .level = 3};
    clew_make_symbolic(text, LENGTH, "text");
    text[LENGTH] = 0;
    int faulty = parse(text, &s);
    if (faulty) return faulty;
    clew_assert(s.port >= 1 && s.port <= 65535);
    clew_assert(s.level >= 0 && s.level <= 9);
    if (s.verbose && s.level == 9) return 20;
    return s.port != 80 ? 21 : 22;
}
