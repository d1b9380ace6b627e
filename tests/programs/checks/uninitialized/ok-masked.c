/* clew run
 * exit: 0
 */
#include <stdlib.h>

int main(void)
{
    unsigned char *p = malloc(4);
    p[1] = 0x5a;
    unsigned word = *(unsigned *)p;
    int known = (word & 0xff00) == 0x5a00;
    int top = (word | 0xffffffff) == 0xffffffff;
    free(p);
    if (known && top) return 0;
    return 1;
}
