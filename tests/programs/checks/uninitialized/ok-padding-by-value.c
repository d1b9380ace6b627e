/* clew run
 * exit: 0
 */
#include <stdlib.h>
#include <string.h>

struct pair {
    char first;
    int second;
    short third;
};
static struct pair kept;

static struct pair pass(struct pair p)
{
    p.second++;
    return p;
}

int main(void)
{
    struct pair p, *heap = malloc(sizeof *heap);
    p.first = 1;
    p.second = 2;
    p.third = 3;
    *heap = pass(p);
    kept = pass(*heap);
    struct pair again = kept;
    free(heap);
    return again.first == 1 && again.second == 4 && again.third == 3 ? 0 : 1;
}
