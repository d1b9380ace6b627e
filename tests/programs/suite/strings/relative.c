/* clew test --string path:4
 * branches: 6 of 6
 * bug: invalid-free 17
 * tests: at most 6
 *
 * The pointer that is freed is no longer the one that was allocated, if the path began with a slash. */
#include <stdlib.h>
#include <string.h>

int parts(const char *path)
{
    if (!path) return -1;
    char *copy = strdup(path);
    if (copy[0] == '/') copy++;
    int result = 1;
    if (strchr(copy, '/')) result = 2;
    free(copy);
    return result;
}
