/* clew run
 * exit: 0
 */
#include <stdlib.h>

int main(void)
{
    char *p = malloc(3);
    free(p);
    p = NULL;
    free(p);
    free(p);
    free(NULL);
    return 0;
}
