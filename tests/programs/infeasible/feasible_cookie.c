/* clew test
 * branches: 4 of 4
 * covered: at least 1
 *
 * Feasible: a stream calls functions of the program. */
#define _GNU_SOURCE
#include <stdio.h>

static int count;

static ssize_t put(void *cookie, const char *bytes, size_t n)
{
    (void)cookie;
    (void)bytes;
    count = 1;
    return (ssize_t)n;
}

int main(void)
{
    cookie_io_functions_t functions = {0, put, 0, 0};
    FILE *f = fopencookie(0, "w", functions);
    count = 0;
    if (!f) return 2;
    fputs("abc", f);
    fflush(f);
    if (count == 1) return 1;
    return 0;
}
