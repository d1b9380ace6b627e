/* clew run
 * bug: use-after-free 24
 */
#include <stdlib.h>

struct buffer {
    char *bytes;
    int n;
};

static void grow(struct buffer *b)
{
    char *more = malloc(2 * b->n);
    free(b->bytes);
    b->n *= 2;
    (void)more;
}

int main(void)
{
    struct buffer b = {malloc(8), 8};
    for (int i = 0; i < 9; i++) {
        if (i == b.n) grow(&b);
        b.bytes[i] = 0;
    }
    return 0;
}
