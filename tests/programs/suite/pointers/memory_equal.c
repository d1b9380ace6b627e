/* clew test --array left:size --array right:size
 * branches: 10 of 10
 * tests: at most 10
 *
 * Two blocks of one length, given by options because only one of them stands before the length. */
#include <stddef.h>

int equal(const void *left, const void *right, size_t size)
{
    const unsigned char *a = left, *b = right;
    if (a == b) return 1;
    if (!a || !b) return 0;
    for (size_t i = 0; i < size; i++) {
        if (a[i] != b[i]) return 0;
    }
    return 1;
}
