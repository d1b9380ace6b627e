/* clew run
 * bug: out-of-bounds 10
 */
#include <stdlib.h>

int main(void)
{
    char *p = malloc(100);
    p[99] = 1;
    p[-5000] = 1;
    free(p);
    return 0;
}
