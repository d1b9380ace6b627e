/* clew run
 * stdout: 1\n
 * bug: signed-overflow 13
 * bug: signed-overflow 20
 */
#include <limits.h>
#include <stdio.h>

static int counter = INT_MAX - 1;

static int next(void)
{
    return counter++;
}

int main(void)
{
    next();
    next();
    counter--;
    printf("%d\n", counter == INT_MAX);
    return 0;
}
