/* clew test
 * branches: 8 of 8
 * complete: yes
 * tests: at most 8
 *
 * A sum that stops at the ends of its type instead of overflowing. */
#include <limits.h>

int add(int a, int b)
{
    if (b > 0 && a > INT_MAX - b) return INT_MAX;
    if (b < 0 && a < INT_MIN - b) return INT_MIN;
    return a + b;
}
