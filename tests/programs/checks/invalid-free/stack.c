/* clew run
 * bug: invalid-free 10
 */
#include <stdlib.h>

int main(int argc, char **argv)
{
    int local[4];
    int *p = argc ? local : malloc(4);
    free(p);
    return 0;
}
