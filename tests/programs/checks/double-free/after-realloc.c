/* clew run
 * bug: double-free 10
 */
#include <stdlib.h>

int main(void)
{
    char *p = malloc(10), *old = p;
    p = realloc(p, 1 << 20);
    if (p != old) free(old);
    free(p);
    return 0;
}
