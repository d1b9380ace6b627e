/* clew test
 * branches: 4 of 4
 * bug: abort 18
 * complete: yes
 * tests: at most 4
 *
 * A condition that chance does not meet (after the classic example of directed random testing). */
#include <stdlib.h>

static unsigned twice(unsigned x)
{
    return 2 * x;
}

int check(unsigned x, unsigned y)
{
    if (x != y) {
        if (twice(x) == x + 10) abort();
    }
    return 0;
}
