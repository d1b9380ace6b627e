/* clew run
 * exit: 0
 */
#include <stdlib.h>

int main(void)
{
    char *p = malloc(10), *q = p + 10;
    while (q != p) *--q = 'x';
    free(q);
    return 0;
}
