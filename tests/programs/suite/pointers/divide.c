/* clew test
 * branches: 8 of 8
 * bug: null-dereference 15
 * complete: yes
 * tests: at most 8
 *
 * Two results through pointers; the caller may leave out one of them, but the code believes that it is only the first. */
#include <limits.h>

int divide(int a, int b, int *quotient, int *remainder)
{
    if (b == 0) return -1;
    if (a == INT_MIN && b == -1) return -2;
    if (quotient) *quotient = a / b;
    *remainder = a % b;
    return 0;
}
