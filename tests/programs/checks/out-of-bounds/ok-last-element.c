/* clew run
 * exit: 0
 */
#include <stdlib.h>
#include <string.h>

static int table[5];

int main(void)
{
    int local[5];
    int *heap = malloc(5 * sizeof *heap);
    table[4] = local[4] = heap[4] = 1;
    char *bytes = (char *)heap;
    bytes[19] = 0;
    memset(bytes, 0, 20);
    int all = table[4] + local[4] + heap[4];
    free(heap);
    return all - 2;
}
