/* clew explore --summaries
 * seeds: 5
 * branches: 7 of 8
 * complete: yes
 *
 * Which call of `inner` this is must not depend on how `outer` was executed: on trial, where nothing was decided, or in place, once it is known that it
 * keeps memory.  Else the second call on one run is taken for the first on another, and gets its condition. */
#include <clew.h>
#include <stdlib.h>

static int g;
static int array[4];
static int *p = &g;
static short never;

static int inner(int a)
{
    if (never - 1U < 2U) a++;
    return *p + a;
}

static long outer(const int *a)
{
    g = g + (unsigned char)(inner(~*a) & 7);
    int *kept = malloc(8);
    (void)kept;
    return *a;
}

int main(void)
{
    int x = clew_int("x");
    unsigned char byte = clew_uchar("byte");
    int n = byte;
    g = byte;
    switch (clew_range(0, 4, "arm")) {
    case 0:
        if (x != -7) p = array;
        break;
    default: break;
    }
    g += (unsigned char)(outer(array + 1) & 7);
    if (outer(&n) < 100) n = 0;
    return 0;
}
