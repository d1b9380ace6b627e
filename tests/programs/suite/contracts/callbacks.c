/* clew test
 * branches: 6 of 6
 * bug: out-of-bounds 27
 * bug: out-of-bounds 33
 * precondition: heap_first: place returns what heap_first can use
 * precondition: heap_first: place != NULL
 * precondition: fill: read != NULL
 * precondition: pick: hash != NULL
 *
 * A position that a function of the caller returns is the caller's business.  How many bytes it says that it has read, and whatever a hash
 * function returns, is for the callee to check. */
#include <stddef.h>

static const int heap[16] = {0, 7, 5};

int heap_first(size_t (*place)(void))
{
    if (heap[place()]) return 1;
    return 2;
}

int fill(int (*read)(void *context, char *buffer, size_t size), void *context)
{
    char buffer[8];
    int n = read(context, buffer, sizeof buffer);
    if (n < 0) return -1;
    return buffer[n] == 'x';
}

int pick(int (*hash)(const char *text))
{
    static const int table[4] = {1, 2, 3, 4};
    if (table[hash("a") % 4] == 3) return 1;
    return 0;
}
