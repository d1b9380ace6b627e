/* inputs: 3 2
 * Non-local jumps, taken or not as inputs say. */
#include <setjmp.h>

static jmp_buf out;

static int deep(int n, int limit)
{
    if (n > limit) longjmp(out, n);
    return n <= 0 ? 0 : 1 + deep(n - 1, limit);
}

int test(unsigned a, unsigned b)
{
    volatile int tries = 0;
    int from = setjmp(out);
    tries++;
    if (from && tries > 1) return 100 + from + tries;
    return deep((int)a, (int)b + 2);
}
