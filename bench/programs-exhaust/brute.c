/* Counts the paths of json.c without Clew: `brute SIZE [ALPHABET]`.
 *
 * Inputs are built byte by byte.  A run on a prefix ends early where it looks at a byte that is not chosen yet; then all bytes (or all of the
 * alphabet) are tried there.  A run that comes to its end is a path, and paths are told apart by the sequence of their decisions.
 * Given no alphabet, of the prefixes with the same decisions only one is continued.  That is right because the validator never looks back at a
 * byte once it has looked at the next, which is checked.  Given one, every prefix over it is continued. */
#define BRUTE_FORCE
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 Trace;

static struct {
    unsigned char text[64];
    int chosen, newest; /* bytes that are chosen; the newest that was looked at */
    Trace trace;
    jmp_buf stop;
} run;

static int decide(int outcome)
{
    static const Trace odd = ((Trace)0x9e3779b97f4a7c15u << 64) | 0xf39cc0605cedc835u;
    run.trace = (run.trace + 1 + (unsigned)outcome) * odd;
    run.trace ^= run.trace >> 67;
    return outcome;
}

static unsigned char look(const unsigned char *at)
{
    int i = (int)(at - run.text);
    if (i < run.newest) {
        fprintf(stderr, "brute: the validator looks back\n");
        exit(1);
    }
    run.newest = i;
    if (i >= run.chosen) longjmp(run.stop, 1);
    return *at;
}

#define DECIDE(condition) decide((condition) != 0)
#define LOOK(at) look(at)
#include "json.c"

/* ---- sets of traces ---- */

typedef struct Set {
    Trace *slots; /* 0: empty */
    size_t count, size;
} Set;

static int insert(Set *set, Trace trace);

static void grow(Set *set)
{
    Set larger = {.size = set->size ? 2 * set->size : 1024};
    larger.slots = calloc(larger.size, sizeof *larger.slots);
    if (!larger.slots) abort();
    for (size_t i = 0; i < set->size; i++)
        if (set->slots[i]) insert(&larger, set->slots[i]);
    free(set->slots);
    *set = larger;
}

/* Was it new? */
static int insert(Set *set, Trace trace)
{
    if (2 * set->count >= set->size) grow(set);
    size_t i = (size_t)(trace >> 64) & (set->size - 1);
    for (; set->slots[i]; i = (i + 1) & (set->size - 1))
        if (set->slots[i] == trace) return 0;
    set->slots[i] = trace;
    set->count++;
    return 1;
}

/* ---- enumeration ---- */

static Set paths, prefixes;
static const unsigned char *alphabet;
static int letters;

static void extend(size_t size, int chosen);

static void try_prefix(size_t size, int chosen)
{
    run.chosen = chosen;
    run.newest = 0;
    run.trace = 1;
    if (setjmp(run.stop) == 0) {
        is_json(run.text, size);
        insert(&paths, run.trace);
        return;
    }
    if (alphabet || insert(&prefixes, run.trace * 64 + (unsigned)chosen)) extend(size, chosen);
}

static void extend(size_t size, int chosen)
{
    for (int i = 0; i < (alphabet ? letters : 256); i++) {
        run.text[chosen] = alphabet ? alphabet[i] : (unsigned char)i;
        try_prefix(size, chosen + 1);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    if (argc > 2) alphabet = (const unsigned char *)argv[2];
    letters = alphabet ? (int)strlen(argv[2]) : 0;
    try_prefix((size_t)atoi(argv[1]), 0);
    printf("%zu\n", paths.count);
    return 0;
}
