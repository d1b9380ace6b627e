/* clew explore
 * branches: 8 of 10
 * complete: yes
 * bug: use-after-free 23
 *
 * The address of a local variable stays that of the variable when the function is summarised: it is never that of another one. */
#include <clew.h>

static int *left;

static int leave(int x)
{
    int local = x;
    if (x <= 3) return 0;
    left = &local;
    return 1;
}

static int look(void)
{
    int own = 20, *mine = &own;
    if (left == mine) return 1;
    if (left) return *left;
    return *mine;
}

int main(void)
{
    int x = clew_int("x"), y = clew_int("y"), result = leave(x);
    if (y == 77) return look() == 1 ? 1 : 2;
    return result;
}
