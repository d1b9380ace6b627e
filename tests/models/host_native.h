/* What tests may change about the native primitives. */
#ifndef CLEW_HOST_NATIVE_H
#define CLEW_HOST_NATIVE_H

#include <stddef.h>
#include <stdint.h>

typedef struct Host {
    int real;         /* clew__real_effects */
    int all_symbolic; /* clew__is_symbolic */
    int console;      /* where writes to 1 and 2 go instead; 0: there */
    const char *symbolic_path;
    const unsigned char *symbolic_bytes;
    size_t symbolic_size;
    uint64_t inputs, assumptions, violated;
    int last_bits;
    int64_t slept;
    void (*destructor)(void);
} Host;

extern Host host;

#endif
