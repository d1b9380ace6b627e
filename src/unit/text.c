/* Names and declarations in C. */
#include "unit/unit_int.h"

#include <ctype.h>
#include <stdio.h>

char *unit__text(Arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    assert(n >= 0);
    char *text = arena_alloc(arena, (size_t)n + 1);
    va_start(args, format);
    vsnprintf(text, (size_t)n + 1, format, args);
    va_end(args);
    return text;
}

bool unit__is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

bool unit__has_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        if ((at == text || !unit__is_word(at[-1])) && !unit__is_word(at[n])) return true;
    }
    return false;
}

/* Where the name stands in an abstract declarator: "int (*)(int)" after the star, "char [4]" before the bracket, else at the end. */
static size_t name_position(const char *spelling)
{
    static const char *const inner[] = {"(*)", "(*[", "(*const)", "(*volatile)", "(*restrict)"};
    for (size_t i = 0; i < COUNT_OF(inner); i++) {
        const char *at = strstr(spelling, inner[i]);
        if (at) return (size_t)(at - spelling) + strlen(inner[i]) - 1;
    }
    const char *bracket = strchr(spelling, '[');
    return bracket ? (size_t)(bracket - spelling) : strlen(spelling);
}

void unit__declare(StrBuf *out, const CType *type, const char *name)
{
    const char *spelling = type->plain;
    size_t at = name_position(spelling), end = at;
    while (end > 0 && spelling[end - 1] == ' ') end--;
    strbuf_add_bytes(out, spelling, end);
    bool touches = end > 0 && (spelling[end - 1] == '*' || spelling[end - 1] == '(');
    if (name[0] && name[0] != '[' && !touches) strbuf_add(out, " ");
    strbuf_add(out, name);
    strbuf_add(out, spelling + at);
}

bool unit__is_taken(const Plan *plan, const char *name)
{
    return names_find(&plan->names, name) || names_find(&plan->units->reserved, name);
}

const char *unit__unique(Plan *plan, const char *wish)
{
    const char *name = wish;
    for (uint32_t i = 2; unit__is_taken(plan, name); i++) name = unit__text(&plan->units->arena, "%s_%u", wish, i);
    names_put(&plan->names, name, 1);
    return name;
}

const char *unit__stem(Plan *plan, const char *path)
{
    char *stem = arena_strdup(&plan->units->arena, path), *to = stem;
    for (const char *from = path; *from; from++) {
        if (unit__is_word(*from)) *to++ = *from;
        else if (to > stem && to[-1] != '_') *to++ = '_';
    }
    while (to > stem + 1 && to[-1] == '_') to--;
    *to = 0;
    return stem;
}
