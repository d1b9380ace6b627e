/* clew test
 * branches: 4 of 4
 * bug: assertion 23
 * complete: yes
 * tests: at most 6
 *
 * An assertion on a global that another function should have kept true, and does not. */
#include <assert.h>

#define SLOTS 10u

unsigned used;

int acquire(unsigned count)
{
    if (used + count > SLOTS) return 0;
    used += count;
    return 1;
}

int left(void)
{
    assert(used <= SLOTS);
    return (int)(SLOTS - used);
}
