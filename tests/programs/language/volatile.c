/* clew run
 * exit: 0
 */
#include <stdio.h>

static volatile int shared = 1;
static volatile struct { char c; volatile long l; } box;
static const volatile int status = 3;

int main(void)
{
    volatile int local = 2;
    int a = shared + shared;
    shared++;
    shared;
    local = local * shared;
    box.l = local;
    box.c = (char)box.l;
    volatile int *p = &shared;
    *p += *p;
    int *volatile q = &a;
    *q += status;
    volatile double d = 0.1;
    d += d;
    printf("%d %d %d %d %g\n", a, shared, local, box.c, d);
    for (volatile int i = 0; i < 3; i++) printf("%d ", i);
    puts("");
    return 0;
}
