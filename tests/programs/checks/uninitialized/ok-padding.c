/* clew run
 * exit: 0
 */
#include <stdlib.h>
#include <string.h>

struct padded {
    char c;
    long l;
    short s;
};

int main(void)
{
    struct padded a, *heap = malloc(sizeof *heap);
    a.c = 'c';
    a.l = -1;
    a.s = 3;
    *heap = a;
    struct padded b = *heap;
    memmove(heap, &b, sizeof b);
    int ok = heap->c == 'c' && heap->l == -1 && heap->s == 3;
    free(heap);
    return !ok;
}
