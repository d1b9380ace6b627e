/* clew explore
 * branches: 4 of 4
 * bug: out-of-bounds 15
 *
 * A size that has to be fixed for malloc is tried with other values as well. */
#include <clew.h>
#include <stdlib.h>

int main(void)
{
    unsigned char n = clew_uchar("n");
    char *p = malloc(n ? n : 1);
    if (n > 10) p[n - 1] = 1;
    else
        p[10] = 2;
    free(p);
    return 0;
}
