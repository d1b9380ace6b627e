/* clew run
 * exit: 0
 */
#include <stdio.h>

static int next(void)
{
    static int n = 100;
    static int *self = &n;
    return (*self)++;
}

static const char *number(int x)
{
    static char buffers[3][8];
    static unsigned turn;
    char *b = buffers[turn++ % 3];
    sprintf(b, "<%d>", x);
    return b;
}

static int recursive(int n)
{
    static int deepest;
    if (n > deepest) deepest = n;
    return n < 10 ? recursive(n + 1) : deepest;
}

int main(void)
{
    int a = next() + next();
    printf("%d %d\n", a, next());
    printf("%s %s %s\n", number(1), number(2), number(3));
    {
        static int n = 5;
        n++;
        printf("%d ", n);
    }
    extern int defined_below;
    printf("%d %d\n", recursive(0), defined_below);
    return 0;
}

int defined_below = 77;
