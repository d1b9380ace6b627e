/* clew run
 * bug: double-free 12
 */
#include <stdlib.h>

struct owner {
    int *data;
};

static void release(struct owner *o)
{
    free(o->data);
}

int main(void)
{
    struct owner a = {malloc(40)}, b = a;
    release(&a);
    release(&b);
    return 0;
}
