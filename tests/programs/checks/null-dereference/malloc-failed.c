/* clew run
 * bug: null-dereference 9
 */
#include <stdlib.h>

int main(int argc, char **argv)
{
    char *p = malloc((size_t)1 << (argc + 60));
    p[0] = 1;
    free(p);
    return 0;
}
