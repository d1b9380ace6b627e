/* clew run
 * exit: 0
 */
#include <stdlib.h>

int main(void)
{
    for (int i = 0; i < 200; i++) {
        char *p = malloc(24), *q = malloc(24);
        free(p);
        p = malloc(24);
        free(q);
        free(p);
    }
    return 0;
}
