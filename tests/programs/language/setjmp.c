/* clew run
 * exit: 0
 */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf outer, inner;
static int depth;

static void thrower(int n)
{
    char frame[64];
    frame[n] = (char)n;
    if (n == 0) longjmp(inner, 42);
    depth++;
    thrower(n - 1);
    printf("not reached %d\n", frame[n]);
}

static int middle(void)
{
    volatile int tries = 0;
    int code = setjmp(inner);
    if (code == 0) {
        tries++;
        thrower(5);
    }
    printf("caught %d, tries %d, depth %d\n", code, tries, depth);
    if (tries < 3) {
        tries++;
        longjmp(inner, tries);
    }
    longjmp(outer, 0);
}

static int generator_like(void)
{
    jmp_buf loop;
    volatile int sum = 0, i = 0;
    setjmp(loop);
    sum += i;
    if (++i <= 10) longjmp(loop, i);
    return sum;
}

int main(void)
{
    switch (setjmp(outer)) {
    case 0: middle(); break;
    case 1: puts("outer got 1 for 0"); break;
    default: puts("wrong");
    }
    printf("%d\n", generator_like());
    sigjmp_buf with_mask;
    volatile int round = 0;
    if (sigsetjmp(with_mask, 1) < 3) siglongjmp(with_mask, ++round);
    printf("%d\n", round);
    for (volatile int k = 0; k < 3; k++) {
        if (setjmp(inner)) printf("loop %d\n", k);
        else longjmp(inner, 1);
    }
    return 0;
}
