/* Random numbers: glibc's additive feedback generator of degree 31 and its smaller kin, so that the numbers are the same. */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>

enum { TYPES = 5 };
static const int degrees[TYPES] = {0, 7, 15, 31, 63}, separations[TYPES] = {0, 3, 1, 3, 1};
static const size_t sizes[TYPES] = {8, 32, 64, 128, 256};

/* Word 0 of a state says its type and where it stands; the numbers follow. */
typedef struct Generator {
    int32_t *words;
    int type, front, rear;
} Generator;

static int32_t next(Generator *g)
{
    if (g->type == 0) return g->words[0] = (int32_t)(((uint32_t)g->words[0] * 1103515245u + 12345u) & 0x7fffffff);
    int degree = degrees[g->type];
    uint32_t sum = (uint32_t)g->words[g->front] + (uint32_t)g->words[g->rear];
    g->words[g->front] = (int32_t)sum;
    g->front = (g->front + 1) % degree;
    g->rear = (g->rear + 1) % degree;
    return (int32_t)(sum >> 1);
}

static void seed(Generator *g, unsigned value)
{
    if (value == 0) value = 1;
    g->words[0] = (int32_t)value;
    if (g->type == 0) return;
    int degree = degrees[g->type];
    int64_t word = (int32_t)value;
    for (int i = 1; i < degree; i++) {
        int64_t high = word / 127773, low = word % 127773;
        word = 16807 * low - 2836 * high;
        if (word < 0) word += 2147483647;
        g->words[i] = (int32_t)word;
    }
    g->front = separations[g->type];
    g->rear = 0;
    for (int i = 0; i < degree * 10; i++) next(g);
}

static int32_t first_state[32];
static Generator current = {first_state + 1, 3, 0, 0};
static bool seeded;

static Generator *generator(void)
{
    if (!seeded) {
        seeded = true;
        seed(&current, clew__random_seed());
    }
    return &current;
}

int rand(void)
{
    return next(generator());
}

long random(void)
{
    return next(generator());
}

void srand(unsigned value)
{
    seeded = true;
    seed(&current, value);
}

void srandom(unsigned value)
{
    seeded = true;
    seed(&current, value);
}

int rand_r(unsigned *state)
{
    unsigned next_value = *state, result;
    next_value = next_value * 1103515245u + 12345u;
    result = (next_value / 65536) % 2048;
    next_value = next_value * 1103515245u + 12345u;
    result = (result << 10) ^ ((next_value / 65536) % 1024);
    next_value = next_value * 1103515245u + 12345u;
    result = (result << 10) ^ ((next_value / 65536) % 1024);
    *state = next_value;
    return (int)result;
}

/* ---- states of the caller's ---- */

static void save(const Generator *g)
{
    g->words[-1] = g->type == 0 ? 0 : g->rear * TYPES + g->type;
}

char *initstate(unsigned value, char *state, size_t size)
{
    if (size < sizes[0]) return clew__errno = EINVAL, NULL;
    Generator *g = generator();
    char *old = (char *)(g->words - 1);
    save(g);
    int type = TYPES - 1;
    while (size < sizes[type]) type--;
    *g = (Generator){(int32_t *)(void *)state + 1, type, 0, 0};
    seed(g, value);
    save(g);
    return old;
}

char *setstate(char *state)
{
    Generator *g = generator();
    char *old = (char *)(g->words - 1);
    int32_t *words = (int32_t *)(void *)state;
    save(g); /* first: it may be the same */
    int type = words[0] % TYPES, rear = words[0] / TYPES;
    if (type < 0) return clew__errno = EINVAL, NULL;
    *g = (Generator){words + 1, type, 0, rear};
    if (type) g->front = (rear + separations[type]) % degrees[type];
    return old;
}
