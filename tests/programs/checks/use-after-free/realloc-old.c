/* clew run
 * bug: use-after-free 13
 */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = malloc(16), *alias = p + 2;
    strcpy(p, "thread");
    p = realloc(p, 100000);
    p[0] = 'T';
    alias[0] = 'x';
    free(p);
    return 0;
}
