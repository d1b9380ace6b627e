/* clew run
 * stdout: 2147483548\n
 * bug: signed-overflow 13
 */
#include <limits.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int low = 0;
    for (int i = 0; i < 100; i++) {
        low = INT_MIN;
        low -= i + argc;
    }
    printf("%d\n", low);
    return 0;
}
