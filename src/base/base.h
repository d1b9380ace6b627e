/* base: what every module may use and what knows nothing of the rest.
 *
 * Ownership words, used the same way everywhere: `init/release` for storage the caller holds, `new/free` for storage the
 * module hands out, `clear` keeps the capacity.  Running out of host memory is not survivable for a tool whose limits are
 * enforced from outside, so allocation here aborts with a message and never returns NULL. */
#ifndef CLEW_BASE_H
#define CLEW_BASE_H

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

typedef unsigned __int128 U128;
typedef __int128 I128;

/* ---- errors: class 3 of the house rules, a fault of the environment or of the input ---- */
typedef enum Status { OK = 0, FAILED = 1 } Status;
typedef struct Error {
    char text[2048];
} Error;
/* Writes the message and returns FAILED, so that `return fail(error, …)` reads well. */
Status fail(Error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Misuse of an API (class 1): checked always. */
#define REQUIRE(condition, message) ((condition) ? (void)0 : base_abort(__FILE__, __LINE__, message))
_Noreturn void base_abort(const char *file, int line, const char *message);

/* ---- memory ---- */
void *mem_alloc(size_t size); /* zeroed */
void *mem_resize(void *old, size_t size);
char *mem_strdup(const char *text);
char *mem_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Arena: storage with one lifetime, freed whole.  Memory is zeroed and aligned to 16. */
typedef struct Arena {
    struct ArenaChunk *chunks;
    size_t used, capacity;
} Arena;
void *arena_alloc(Arena *arena, size_t size);
char *arena_strdup(Arena *arena, const char *text);
void arena_release(Arena *arena);

/* Vector, typed by macro and bounds-asserted.  A zeroed Vec is empty. */
#define Vec(T) \
    struct { \
        T *data; \
        uint32_t len, cap; \
    }
#define vec_push(v, x) \
    do { \
        if ((v)->len == (v)->cap) vec_reserve(v, (v)->len + 1); \
        (v)->data[(v)->len++] = (x); \
    } while (0)
#define vec_reserve(v, n) ((v)->data = vec__grow((v)->data, &(v)->cap, (n), sizeof *(v)->data))
#define vec_at(v, i) ((v)->data[assert((uint32_t)(i) < (v)->len), (i)])
#define vec_top(v) ((v)->data[assert((v)->len > 0), (v)->len - 1])
#define vec_pop(v) ((v)->data[assert((v)->len > 0), --(v)->len])
#define vec_clear(v) ((void)((v)->len = 0))
#define vec_release(v) (vec__free((v)->data), (v)->data = NULL, (v)->len = (v)->cap = 0)
void *vec__grow(void *data, uint32_t *cap, size_t wanted, size_t element_size);
void vec__free(void *data);

/* Hash map from 64-bit keys to 64-bit values.  A zeroed Map is empty. */
typedef struct Map {
    struct MapSlot *slots;
    uint32_t len, cap;
} Map;
uint64_t *map_find(const Map *map, uint64_t key); /* NULL if absent; valid until the next map_put */
void map_put(Map *map, uint64_t key, uint64_t value);
void map_remove(Map *map, uint64_t key);
void map_release(Map *map);

/* Hash map from strings (copied) to 32-bit values. */
typedef struct NameMap {
    struct NameSlot *slots;
    uint32_t len, cap;
} NameMap;
uint32_t *names_find(const NameMap *map, const char *name);
void names_put(NameMap *map, const char *name, uint32_t value);
void names_release(NameMap *map);

/* String builder; text is always NUL-terminated once something was added. */
typedef struct StrBuf {
    char *text;
    size_t len, cap;
} StrBuf;
void strbuf_add(StrBuf *buf, const char *text);
void strbuf_add_bytes(StrBuf *buf, const void *bytes, size_t n);
void strbuf_addf(StrBuf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void strbuf_clear(StrBuf *buf);
void strbuf_release(StrBuf *buf);

/* The words of a text as a POSIX shell would see them: quotes and backslashes, no expansions.  The words and their table are the caller's to free. */
char **text_words(const char *text, uint32_t *count);

/* Random numbers: xoshiro256**, seeded by splitmix64; the same seed gives the same numbers on every machine. */
typedef struct Random {
    uint64_t s[4];
} Random;
void random_seed(Random *random, uint64_t seed);
uint64_t random_next(Random *random);
uint64_t random_below(Random *random, uint64_t n); /* n > 0 */

uint64_t hash_bytes(const void *bytes, size_t n);
static inline uint64_t hash_mix(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    return x;
}

/* A new directory for temporary files, below TMPDIR or /tmp; NULL on failure.  The path is the caller's. */
Status scratch_new(char **path, Error *error);

/* Seconds on the monotonic clock: for budgets and reports, never for decisions a test relies on. */
double clock_seconds(void);
double clock_processor_seconds(void); /* of this process */

#endif
