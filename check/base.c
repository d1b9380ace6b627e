/* Storage, and the end by a message.  A check is one short process: what is allocated is freed by its end. */
#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static size_t slot(const Table *table, const void *key)
{
    size_t at = ((uintptr_t)key >> 4) * 0x9e3779b97f4a7c15u & (table->cap - 1);
    while (table->keys[at] && table->keys[at] != key) at = (at + 1) & (table->cap - 1);
    return at;
}

size_t table_get(const Table *table, const void *key)
{
    return table->cap ? table->values[slot(table, key)] : 0;
}

void table_put(Table *table, const void *key, size_t value)
{
    if (table->len * 2 >= table->cap) {
        Table bigger = {.cap = table->cap ? table->cap * 2 : 16, .len = table->len};
        bigger.keys = get(bigger.cap * sizeof *bigger.keys);
        bigger.values = get(bigger.cap * sizeof *bigger.values);
        for (size_t i = 0; i < table->cap; i++)
            if (table->keys[i]) {
                size_t to = slot(&bigger, table->keys[i]);
                bigger.keys[to] = table->keys[i];
                bigger.values[to] = table->values[i];
            }
        Table old = *table;
        *table = bigger;
        free(old.keys);
        free(old.values);
    }
    size_t at = slot(table, key);
    table->len += !table->keys[at];
    table->keys[at] = key;
    table->values[at] = value;
}

void table_clear(Table *table)
{
    if (table->len) memset(table->keys, 0, table->cap * sizeof *table->keys), memset(table->values, 0, table->cap * sizeof *table->values);
    table->len = 0;
}
