/* clew run
 * exit: 0
 */
#include <limits.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int one = argc, low = INT_MIN;
    long wide = LONG_MIN;
    printf("%d %d %ld %ld %d\n", low / one, low % one, wide / one, wide % (one + 1), 0 / low);
    printf("%d %d\n", -7 / (one + 1), -7 % (one + 1));
    printf("%d\n", (char)-128 / -one);
    return 0;
}
