/* clew test
 * branches: 4 of 4
 * covered: at least 4
 *
 * Feasible: errno is looked at through a pointer, and functions that change nothing else set it. */
#include <errno.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *error = &errno;
    *error = 0;
    size_t n = __VERIFIER_nondet_int() & 1 ? (size_t)-1 / 4 : 1;
    void *p = malloc(n);
    if (*error != 0) return 1;
    free(p);
    return 0;
}
