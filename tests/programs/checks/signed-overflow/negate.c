/* clew run
 * stdout: -9223372036854775808\n
 * bug: signed-overflow 10
 */
#include <limits.h>
#include <stdio.h>

static long magnitude(long x)
{
    return x < 0 ? -x : x;
}

int main(void)
{
    magnitude(LONG_MIN + 1);
    printf("%ld\n", magnitude(LONG_MIN));
    return 0;
}
