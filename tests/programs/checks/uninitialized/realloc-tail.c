/* clew run
 * bug: uninitialized 12
 */
#include <stdlib.h>

int main(void)
{
    char *p = calloc(1, 8);
    p = realloc(p, 16);
    int n = 0;
    for (int i = 0; i < 16; i++)
        if (p[i] == 'x') n++;
    free(p);
    return n - n;
}
