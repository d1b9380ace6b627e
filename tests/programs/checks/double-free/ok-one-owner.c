/* clew run
 * exit: 0
 */
#include <stdlib.h>

struct shared {
    int count;
    char *data;
};

static void drop(struct shared **s)
{
    if (--(*s)->count == 0) {
        free((*s)->data);
        free(*s);
    }
    *s = 0;
}

int main(void)
{
    struct shared *a = malloc(sizeof *a), *b = a, *c = a;
    *a = (struct shared){3, malloc(5)};
    drop(&a);
    drop(&c);
    b->data[4] = 1;
    drop(&b);
    return 0;
}
