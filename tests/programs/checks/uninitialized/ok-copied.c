/* clew run
 * exit: 0
 */
#include <string.h>

struct record {
    int id, extra[4];
};

static struct record pass(struct record r)
{
    return r;
}

int main(void)
{
    struct record a, b;
    a.id = 7;
    b = pass(a);
    int array[4], sum = 0;
    memcpy(array, a.extra, sizeof array);
    for (int i = 0; i < 4; i++) sum += array[i];
    (void)sum;
    return b.id - 7;
}
