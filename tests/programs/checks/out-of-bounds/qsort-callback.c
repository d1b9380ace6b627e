/* clew run
 * bug: out-of-bounds 11
 */
#include <stdlib.h>

static const int weight[4] = {9, 8, 7, 6};

static int by_weight(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return weight[x] - weight[y];
}

int main(void)
{
    int order[] = {0, 3, 2, 4};
    qsort(order, 4, sizeof order[0], by_weight);
    return 0;
}
