/* clew test
 * branches: 6 of 6
 * bug: out-of-bounds 16
 * tests: at most 6
 *
 * A received frame is copied to a buffer that is one byte too small for the longest that is let through. */
#include <stddef.h>

#define LONGEST 9

static unsigned char frame[LONGEST - 1];

int store(const unsigned char *bytes, size_t size)
{
    if (!bytes || size > LONGEST) return -1;
    for (size_t i = 0; i < size; i++) frame[i] = bytes[i];
    return (int)size;
}
