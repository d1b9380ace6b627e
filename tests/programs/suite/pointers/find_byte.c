/* clew test
 * branches: 8 of 8
 * tests: at most 8
 *
 * A block of memory without a type, and a place for the result that may be missing. */
#include <stddef.h>

int find_byte(const void *block, size_t size, unsigned char wanted, size_t *where)
{
    const unsigned char *bytes = block;
    if (!bytes) return -1;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == wanted) {
            if (where) *where = i;
            return 1;
        }
    }
    return 0;
}
