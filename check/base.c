/* Storage, and the end by a message.  A check is one short process: what is allocated is freed by its end. */
#include "check.h"

#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void reject(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "clew-check: ");
    vfprintf(stderr, format, args);
    fprintf(stderr, "\n");
    va_end(args);
    solver_end();
    exit(2);
}

void *get(size_t size)
{
    void *memory = calloc(1, size ? size : 1);
    if (!memory) reject("out of memory");
    return memory;
}

void *grow(void *old, size_t count, size_t size)
{
    if (count & (count - 1) || (count == 0 && old)) return old; /* grows at 0, 1, 2, 4, … */
    void *memory = realloc(old, (count ? count * 2 : 1) * size);
    if (!memory) reject("out of memory");
    return memory;
}

void add(Text *text, const char *format, ...)
{
    for (;;) {
        va_list args;
        va_start(args, format);
        size_t room = text->cap - text->len;
        int n = vsnprintf(text->data ? text->data + text->len : NULL, room, format, args);
        va_end(args);
        if (n < 0) reject("a text cannot be formatted");
        if ((size_t)n < room) {
            text->len += (size_t)n;
            return;
        }
        text->cap = text->cap * 2 + (size_t)n + 64;
        text->data = realloc(text->data, text->cap);
        if (!text->data) reject("out of memory");
    }
}

typedef struct Pair {
    const void *key;
    size_t value;
} Pair;

static int by_key(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)((const Pair *)a)->key, y = (uintptr_t)((const Pair *)b)->key;
    return x < y ? -1 : x > y;
}

size_t table_get(const Table *table, const void *key)
{
    Pair wanted = {key, 0}, **found = tfind(&wanted, &table->tree, by_key);
    return found ? (*found)->value : 0;
}

void table_put(Table *table, const void *key, size_t value)
{
    Pair *new = get(sizeof *new);
    new->key = key;
    Pair **place = tsearch(new, &table->tree, by_key);
    if (!place) reject("out of memory");
    if (*place != new) free(new);
    (*place)->value = value;
}

void table_clear(Table *table)
{
    tdestroy(table->tree, free);
    table->tree = NULL;
}
