/* clew test
 * branches: 2 of 2
 * covered: at least 0
 *
 * Feasible: the library calls the program's own malloc. */
#include <stdlib.h>
#include <string.h>

static int calls;
static char pool[4096];
static size_t used;

void *malloc(size_t n)
{
    void *p = pool + used;
    used += (n + 15) / 16 * 16;
    calls++;
    return p;
}

void free(void *p)
{
    (void)p;
}

int main(void)
{
    char *s = strdup("abc");
    if (calls > 0) return 1;
    return s[0];
}
