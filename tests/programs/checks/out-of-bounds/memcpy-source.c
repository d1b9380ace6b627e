/* clew run
 * bug: out-of-bounds 12
 */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *from = malloc(15), to[16];
    memset(from, 'x', 15);
    memcpy(to, from, 15);
    memcpy(to, from, 16);
    free(from);
    return to[0] != 'x';
}
