/* clew run
 * exit: 0
 * stdout: -2147483648\n
 * bug: signed-overflow 13
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int least = INT_MIN + argc - 1;
    least = abs(least);
    printf("%d\n", least);
    return argv ? 0 : 1;
}
