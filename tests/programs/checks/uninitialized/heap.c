/* clew run
 * bug: uninitialized 11
 */
#include <stdlib.h>

int main(void)
{
    int *p = malloc(4 * sizeof *p), n = 0;
    for (int i = 0; i < 3; i++) p[i] = i;
    for (int i = 0; i < 4; i++)
        if (p[i] > 1)
            n++;
    free(p);
    return 0;
}
