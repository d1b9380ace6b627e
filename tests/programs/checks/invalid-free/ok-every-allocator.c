/* clew run
 * exit: 0
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    void *aligned = aligned_alloc(64, 128), *posix = 0;
    if ((uintptr_t)aligned % 64) return 1;
    if (posix_memalign(&posix, 256, 10)) return 2;
    if ((uintptr_t)posix % 256) return 3;
    char *a = strdup("x"), *b = strndup("xyz", 2), *c = calloc(3, 3), *d = realloc(0, 5), *e = malloc(0);
    free(aligned);
    free(posix);
    free(a);
    free(b);
    free(c);
    free(d);
    free(e);
    return 0;
}
