/* clew run
 * bug: assertion 10
 */
#include <assert.h>
#include <stdlib.h>

static int order(const void *a, const void *b)
{
    const int *x = a, *y = b;
    assert(*x >= 0 && *y >= 0);
    return (*x > *y) - (*x < *y);
}

int main(void)
{
    int values[] = {3, 2, -1, 5};
    qsort(values, 4, sizeof values[0], order);
    return 0;
}
