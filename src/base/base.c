/* base: errors, memory, maps, strings, random numbers.  The maps are open-addressed with linear probing at load 3/4; keys are mixed first, so
 * that pointers and small integers spread. */
#include "base/base.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

Status fail(Error *error, const char *format, ...)
{
    if (error) {
        va_list args;
        va_start(args, format);
        vsnprintf(error->text, sizeof error->text, format, args);
        va_end(args);
    }
    return FAILED;
}

void base_abort(const char *file, int line, const char *message)
{
    fprintf(stderr, "clew: internal error at %s:%d: %s\n", file, line, message);
    abort();
}

static void *checked(void *memory)
{
    if (!memory) base_abort(__FILE__, __LINE__, "out of host memory");
    return memory;
}

void *mem_alloc(size_t size)
{
    return checked(calloc(1, size ? size : 1));
}

void *mem_resize(void *old, size_t size)
{
    return checked(realloc(old, size ? size : 1));
}

char *mem_strdup(const char *text)
{
    return checked(strdup(text));
}

char *mem_format(const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    int n = vasprintf(&text, format, args);
    va_end(args);
    return checked(n < 0 ? NULL : text);
}

/* ---- arena ---- */

typedef struct ArenaChunk {
    struct ArenaChunk *next;
    size_t size;
    _Alignas(16) char bytes[];
} ArenaChunk;

enum { ARENA_CHUNK = 64 * 1024 };

void *arena_alloc(Arena *arena, size_t size)
{
    size = (size + 15) & ~(size_t)15;
    if (!arena->chunks || arena->capacity - arena->used < size) {
        size_t capacity = size > ARENA_CHUNK ? size : ARENA_CHUNK;
        ArenaChunk *chunk = mem_alloc(sizeof *chunk + capacity);
        chunk->next = arena->chunks;
        chunk->size = capacity;
        arena->chunks = chunk;
        arena->capacity = capacity;
        arena->used = 0;
    }
    void *memory = arena->chunks->bytes + arena->used;
    arena->used += size;
    return memory;
}

char *arena_strdup(Arena *arena, const char *text)
{
    size_t n = strlen(text) + 1;
    return memcpy(arena_alloc(arena, n), text, n);
}

void arena_release(Arena *arena)
{
    for (ArenaChunk *chunk = arena->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    *arena = (Arena){0};
}

/* ---- vector ---- */

void *vec__grow(void *data, uint32_t *cap, size_t wanted, size_t element_size)
{
    if (wanted <= *cap) return data;
    size_t grown = *cap < 8 ? 8 : (size_t)*cap * 2;
    if (grown < wanted) grown = wanted;
    REQUIRE(grown <= UINT32_MAX, "vector too long");
    *cap = (uint32_t)grown;
    return mem_resize(data, grown * element_size);
}

void vec__free(void *data)
{
    free(data);
}

/* ---- map ---- */

typedef struct MapSlot {
    uint64_t key, value;
    bool used;
} MapSlot;

static uint32_t map_home(const Map *map, uint64_t key)
{
    return (uint32_t)hash_mix(key * 0x9e3779b97f4a7c15u) & (map->cap - 1);
}

uint64_t *map_find(const Map *map, uint64_t key)
{
    if (!map->cap) return NULL;
    for (uint32_t i = map_home(map, key);; i = (i + 1) & (map->cap - 1)) {
        if (!map->slots[i].used) return NULL;
        if (map->slots[i].key == key) return &map->slots[i].value;
    }
}

static void map_grow(Map *map)
{
    Map old = *map;
    map->cap = old.cap ? old.cap * 2 : 16;
    map->slots = mem_alloc(map->cap * sizeof *map->slots);
    map->len = 0;
    for (uint32_t i = 0; i < old.cap; i++)
        if (old.slots[i].used) map_put(map, old.slots[i].key, old.slots[i].value);
    free(old.slots);
}

void map_put(Map *map, uint64_t key, uint64_t value)
{
    uint64_t *found = map_find(map, key);
    if (found) {
        *found = value;
        return;
    }
    if ((map->len + 1) * 4 > map->cap * 3) map_grow(map);
    uint32_t i = map_home(map, key);
    while (map->slots[i].used) i = (i + 1) & (map->cap - 1);
    map->slots[i] = (MapSlot){key, value, true};
    map->len++;
}

/* Removal shifts later entries of the run back, so that no tombstones are needed. */
void map_remove(Map *map, uint64_t key)
{
    uint64_t *found = map_find(map, key);
    if (!found) return;
    uint32_t hole = (uint32_t)((MapSlot *)((char *)found - offsetof(MapSlot, value)) - map->slots);
    for (uint32_t i = (hole + 1) & (map->cap - 1); map->slots[i].used; i = (i + 1) & (map->cap - 1)) {
        uint32_t home = map_home(map, map->slots[i].key);
        if (((i - home) & (map->cap - 1)) < ((i - hole) & (map->cap - 1))) continue;
        map->slots[hole] = map->slots[i];
        hole = i;
    }
    map->slots[hole].used = false;
    map->len--;
}

void map_release(Map *map)
{
    free(map->slots);
    *map = (Map){0};
}

/* ---- name map ---- */

typedef struct NameSlot {
    char *name;
    uint32_t value;
} NameSlot;

static uint32_t names_home(const NameMap *map, const char *name)
{
    return (uint32_t)hash_bytes(name, strlen(name)) & (map->cap - 1);
}

uint32_t *names_find(const NameMap *map, const char *name)
{
    if (!map->cap) return NULL;
    for (uint32_t i = names_home(map, name);; i = (i + 1) & (map->cap - 1)) {
        if (!map->slots[i].name) return NULL;
        if (strcmp(map->slots[i].name, name) == 0) return &map->slots[i].value;
    }
}

static void names_insert(NameMap *map, char *name, uint32_t value)
{
    uint32_t i = names_home(map, name);
    while (map->slots[i].name) i = (i + 1) & (map->cap - 1);
    map->slots[i] = (NameSlot){name, value};
    map->len++;
}

void names_put(NameMap *map, const char *name, uint32_t value)
{
    uint32_t *found = names_find(map, name);
    if (found) {
        *found = value;
        return;
    }
    if ((map->len + 1) * 4 > map->cap * 3) {
        NameMap old = *map;
        map->cap = old.cap ? old.cap * 2 : 16;
        map->slots = mem_alloc(map->cap * sizeof *map->slots);
        map->len = 0;
        for (uint32_t i = 0; i < old.cap; i++)
            if (old.slots[i].name) names_insert(map, old.slots[i].name, old.slots[i].value);
        free(old.slots);
    }
    names_insert(map, mem_strdup(name), value);
}

void names_release(NameMap *map)
{
    for (uint32_t i = 0; i < map->cap; i++) free(map->slots[i].name);
    free(map->slots);
    *map = (NameMap){0};
}

/* ---- string builder ---- */

static void strbuf_room(StrBuf *buf, size_t more)
{
    if (buf->len + more + 1 <= buf->cap) return;
    size_t cap = buf->cap ? buf->cap * 2 : 64;
    while (cap < buf->len + more + 1) cap *= 2;
    buf->text = mem_resize(buf->text, cap);
    buf->cap = cap;
}

void strbuf_add_bytes(StrBuf *buf, const void *bytes, size_t n)
{
    strbuf_room(buf, n);
    if (n) memcpy(buf->text + buf->len, bytes, n);
    buf->len += n;
    buf->text[buf->len] = 0;
}

void strbuf_add(StrBuf *buf, const char *text)
{
    strbuf_add_bytes(buf, text, strlen(text));
}

void strbuf_addf(StrBuf *buf, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    assert(n >= 0);
    strbuf_room(buf, (size_t)n);
    vsnprintf(buf->text + buf->len, (size_t)n + 1, format, again);
    va_end(again);
    buf->len += (size_t)n;
}

void strbuf_clear(StrBuf *buf)
{
    buf->len = 0;
    if (buf->text) buf->text[0] = 0;
}

void strbuf_release(StrBuf *buf)
{
    free(buf->text);
    *buf = (StrBuf){0};
}

char **text_words(const char *text, uint32_t *count)
{
    Vec(char *) words = {0};
    StrBuf word = {0};
    bool started = false;
    char quote = 0;
    for (const char *p = text;; p++) {
        if (!*p || (!quote && strchr(" \t\n\r", *p))) {
            if (started) vec_push(&words, mem_strdup(word.text ? word.text : ""));
            strbuf_clear(&word);
            started = false;
            if (!*p) break;
            continue;
        }
        started = true;
        if (quote && *p == quote) quote = 0;
        else if (!quote && (*p == '\'' || *p == '"')) quote = *p;
        else if (*p == '\\' && p[1] && quote != '\'' && (!quote || strchr("\"\\$`", p[1]))) strbuf_add_bytes(&word, ++p, 1);
        else strbuf_add_bytes(&word, p, 1);
    }
    strbuf_release(&word);
    *count = words.len;
    return words.data;
}

/* ---- random numbers and hashes ---- */

void random_seed(Random *random, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        seed += 0x9e3779b97f4a7c15u;
        uint64_t z = seed;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        random->s[i] = z ^ (z >> 31);
    }
}

static uint64_t rotate_left(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

uint64_t random_next(Random *random)
{
    uint64_t *s = random->s, result = rotate_left(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t random_below(Random *random, uint64_t n)
{
    REQUIRE(n > 0, "random_below(0)");
    return (uint64_t)(((U128)random_next(random) * n) >> 64);
}

uint64_t hash_bytes(const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * 0x100000001b3u;
    return hash_mix(h);
}

Status scratch_new(char **path, Error *error)
{
    const char *base = getenv("TMPDIR");
    *path = mem_format("%s/clew-XXXXXX", base && base[0] == '/' ? base : "/tmp");
    if (mkdtemp(*path)) return OK;
    Status status = fail(error, "cannot make a temporary directory %s: %s", *path, strerror(errno));
    free(*path);
    *path = NULL;
    return status;
}

double clock_processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
