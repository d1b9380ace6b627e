/* clew run
 * exit: 0
 */
#include <errno.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    errno = 0;
    char *p = malloc((size_t)1 << (argc + 60));
    if (p) return 1;
    if (errno != ENOMEM) return 2;
    if (calloc((size_t)1 << 40, (size_t)1 << (argc + 30))) return 3;
    p = malloc(10);
    if (!p) return 4;
    p[9] = 0;
    char *q = realloc(p, (size_t)1 << (argc + 60));
    if (q) return 5;
    p[9] = 1;
    free(p);
    return 0;
}
