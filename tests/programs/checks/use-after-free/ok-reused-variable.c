/* clew run
 * exit: 0
 */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = malloc(32);
    for (int i = 0; i < 1000; i++) {
        memset(p, i, 32);
        free(p);
        p = malloc(32 + i % 7);
        p[31] = 1;
    }
    char *old = p;
    p = realloc(p, 64);
    if (p == old) old[40] = 1;
    p[63] = 1;
    free(p);
    return 0;
}
