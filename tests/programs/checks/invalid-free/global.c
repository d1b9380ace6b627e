/* clew run
 * bug: invalid-free 11
 */
#include <stdlib.h>

static char buffer[64];
static char *pointer = buffer;

int main(void)
{
    free(pointer);
    return 0;
}
