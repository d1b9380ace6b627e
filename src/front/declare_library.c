/* What the C library does with pointers: library.def, and the conversions of printf and scanf. */
#include "front/declare_int.h"

typedef struct LibraryEntry {
    const char *name, *arguments;
} LibraryEntry;

static const LibraryEntry library[] = {
#define LIBRARY(name, arguments) {#name, arguments},
#include "front/library.def"
#undef LIBRARY
};

void declare__library_names(Declarer *d)
{
    for (uint32_t i = 0; i < COUNT_OF(library); i++) names_put(&d->library, library[i].name, i);
}

static void read_letter(char letter, LibraryArgument *argument)
{
    switch (letter) {
    case 's': argument->flags |= LIBRARY_STRING; break;
    case 't': argument->flags |= LIBRARY_TEXT; break;
    case 'r': argument->flags |= LIBRARY_READ; break;
    case 'w': argument->flags |= LIBRARY_WRITE; break;
    case 'f': argument->flags |= LIBRARY_FREE; break;
    case '>': argument->flags |= LIBRARY_RETURN; break;
    case 'p': argument->flags |= LIBRARY_FORMAT; break;
    case 'c': argument->flags |= LIBRARY_SCAN; break;
    case '-': break;
    default: assert(letter >= '0' && letter <= '9'); argument->length = letter - '0';
    }
}

LibraryArgument declare__library(const Declarer *d, const char *function, uint32_t argument)
{
    LibraryArgument result = {.length = -1};
    const uint32_t *entry = names_find(&d->library, function);
    const char *p = entry ? library[*entry].arguments : "";
    for (; argument && *p; p++) argument -= *p == ' ';
    if (argument) return result;
    for (; *p && *p != ' '; p++) read_letter(*p, &result);
    return result;
}

const char *declare__builtin_name(Arena *arena, const char *builtin)
{
    static const char before[] = "__builtin_", checked[] = "_chk";
    if (strncmp(builtin, before, sizeof before - 1) != 0) return NULL;
    char *name = arena_strdup(arena, builtin + sizeof before - 1);
    size_t n = strlen(name), k = sizeof checked - 1;
    if (strncmp(name, "__", 2) != 0) return name;
    if (n > k && strcmp(name + n - k, checked) == 0) name[n - k] = 0;
    return name + 2;
}

/* ---- formats ---- */

static const char *skip_any(const char *p, const char *of)
{
    return p + strspn(p, of);
}

static const char *skip_set(const char *p) /* behind the [ of scanf */
{
    if (*p == '^') p++;
    if (*p == ']') p++;
    while (*p && *p != ']') p++;
    return *p ? p + 1 : p;
}

uint32_t declare__format(const char *format, bool scan, uint32_t *flags, uint32_t most)
{
    uint32_t count = 0;
    for (const char *p = strchr(format, '%'); p && count < most; p = strchr(p, '%')) {
        p = skip_any(p + 1, scan ? "0123456789m" : "-+ #0'123456789.");
        bool dropped = scan && *p == '*';
        while (*p == '*') {
            if (!scan && count < most) flags[count++] = 0;
            p = skip_any(p + 1, "0123456789.");
        }
        p = skip_any(p, "hlLqjzt");
        char kind = *p;
        if (!kind) break;
        p = scan && kind == '[' ? skip_set(p + 1) : p + 1;
        if (kind == '%' || dropped || count == most) continue;
        if (scan) flags[count++] = LIBRARY_WRITE;
        else flags[count++] = kind == 's' ? LIBRARY_STRING : kind == 'n' ? LIBRARY_WRITE : 0;
    }
    return count;
}
