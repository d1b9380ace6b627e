/* clew run
 * bug: use-after-free 12
 */
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 5;
    int before = *p;
    free(p);
    return before - *p;
}
