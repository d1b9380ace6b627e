/* clew run
 * stdout: walking\n
 * bug: assertion 14
 */
#include <assert.h>
#include <stdio.h>

struct tree {
    struct tree *left, *right;
};

static int depth(struct tree *t, int limit)
{
    assert(limit);
    return t ? 1 + depth(t->left, limit - 1) : 0;
}

int main(void)
{
    struct tree ring = {&ring, 0};
    puts("walking");
    fflush(stdout);
    return depth(&ring, 20);
}
