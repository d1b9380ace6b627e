/* clew run
 * bug: invalid-free 10
 */
#include <stdlib.h>

int main(void)
{
    char first[16] = "start";
    char *p = first;
    p = realloc(p, 32);
    return p == 0;
}
