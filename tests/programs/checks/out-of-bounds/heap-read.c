/* clew run
 * bug: out-of-bounds 11
 */
#include <stdlib.h>

int main(int argc, char **argv)
{
    int *a = calloc(4, sizeof *a);
    int sum = 0;
    for (int i = 0; i <= 4; i++)
        sum += a[i];
    free(a);
    return sum;
}
