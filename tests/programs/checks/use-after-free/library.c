/* clew run
 * bug: use-after-free 12
 */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = strdup("labyrinth");
    size_t n = strlen(p);
    free(p);
    return (int)(n - strlen(p));
}
