/* clew run
 * bug: out-of-bounds 10
 */
#include <stdlib.h>

int main(void)
{
    char *p = malloc(10);
    *(short *)(p + 8) = 1;
    *(int *)(p + 8) = 1;
    free(p);
    return 0;
}
