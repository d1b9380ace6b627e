/* clew test
 * branches: 2 of 2
 * precondition: rest: n >= 0
 * precondition: rest: text != NULL
 * precondition: room: size is small enough not to overflow
 *
 * The length of a buffer is never negative; any other number may be, but is not so large that a difference has no room. */
#include <string.h>

static char block[16];

int rest(const char *text, int n)
{
    if (n > 16) return 0;
    memcpy(block, text, n);
    return 15 - n;
}

int room(int size)
{
    return 15 - size;
}
