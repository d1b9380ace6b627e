/* clew test
 * branches: 2 of 2
 * covered: at least 0
 *
 * Feasible: errno is looked at through a pointer, and functions that change nothing else set it. */
#include <errno.h>
#include <stdlib.h>

int main(void)
{
    int *error = &errno;
    *error = 0;
    int n = atoi("99999999999999999999");
    if (*error != 0) return 1;
    return n & 1;
}
