/* clew run -std=c99
 * exit: 0
 */
#include <stdio.h>

static inline int square(int x) { return x * x; }
inline int external(int x) { return x + 1; }
extern inline int external(int x);
__attribute__((noinline, const)) static int pure(int x) { return x * 2; }
__attribute__((always_inline)) static inline int forced(int x) { return square(x) + pure(x); }
__attribute__((cold)) static void unused_function(void) { puts("no"); }
static int restrict_copy(int *restrict to, const int *restrict from, int n)
{
    int i;
    for (i = 0; i < n; i++) to[i] = from[i];
    return i;
}
int old_style(a, b)
    int a;
    char b;
{
    return a + b;
}
static int no_arguments();

int main(void)
{
    int from[3] = {1, 2, 3}, to[3];
    register int r = forced(3);
    (void)unused_function;
    printf("%d %d %d %d\n", r, external(4), restrict_copy(to, from, 3), to[2]);
    printf("%d %d %s\n", old_style(3, 'a'), no_arguments(), __func__);
    return 0;
}

static int no_arguments() { return 8; }
