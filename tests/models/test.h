/* The frame of the tests: a trial makes one random input, runs both functions, and says whether they agree. */
#ifndef CLEW_MODELS_TEST_H
#define CLEW_MODELS_TEST_H

#include "host_native.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Random Random;

typedef struct Trial {
    const char *name;
    bool (*run)(Random *random);
    unsigned divisor; /* runs count / divisor times; what starts processes or files is dear */
} Trial;

/* Ends with a NULL name. */
extern const Trial string_trials[], ctype_trials[], convert_trials[], format_trials[], scan_trials[], sort_trials[], stdio_trials[],
    files_trials[], misc_trials[], getopt_trials[], wide_trials[], process_trials[];

#define TRIAL(name) \
    { \
#name, trial_##name, 1 \
    }
#define SLOW_TRIAL(name, divisor) \
    { \
#name, trial_##name, divisor \
    }
#define MODEL(function) extern __typeof__(function) model_##function

extern int model_clew__errno;

uint64_t below(Random *random, uint64_t n); /* 0 .. n - 1 */
bool one_in(Random *random, uint64_t n);
int between(Random *random, int low, int high); /* both included */
uint64_t any_bits(Random *random);              /* favours small, large and boundary values */
double any_double(Random *random);

/* Memory of n bytes that ends (or, with guard_before, begins) at an inaccessible page.  Slots 0..7; a slot is reused by its next call. */
char *guarded(int slot, size_t n);
char *guarded_before(int slot, size_t n);

/* A random string of length 0..max over one of several alphabets, in guarded memory that ends with its terminator. */
char *random_text(Random *random, int slot, size_t max);
void fill_random(Random *random, char *to, size_t n);
/* A copy of n bytes in guarded memory. */
char *guarded_copy(int slot, const void *from, size_t n);

/* Notes what differed and returns false. */
bool differ(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Notes an operation of a sequence; shown with what differed. */
void step(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A printable form of bytes, in one of a few static buffers. */
const char *shown(const void *bytes, size_t n);
#define text_shown(s) shown(s, strlen(s))

/* Compares the bytes written to two temporary files by two functions; see test_main.c. */
char *read_whole(int fd, size_t *n); /* from the start; malloc'ed */

#endif
