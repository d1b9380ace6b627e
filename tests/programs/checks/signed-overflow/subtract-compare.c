/* clew run
 * bug: signed-overflow 9
 */
#include <limits.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int main(void)
{
    int values[] = {INT_MIN, 5};
    qsort(values, 2, sizeof values[0], compare);
    return 0;
}
