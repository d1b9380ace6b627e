/* clew run
 * exit: 0
 */
#include <limits.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int r;
    long l;
    int a = __builtin_add_overflow(INT_MAX, argc, &r);
    int b = __builtin_mul_overflow(LONG_MAX, 2L * argc, &l);
    printf("%d %d %d %ld\n", a, r, b, l);
    return 0;
}
