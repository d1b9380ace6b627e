/* clew run
 * stdout: 479001600 1932053504\n
 * bug: signed-overflow 11
 */
#include <stdio.h>

static int factorial(int n)
{
    int f = 1;
    for (int i = 2; i <= n; i++)
        f *= i;
    return f;
}

int main(void)
{
    int fits = factorial(12);
    printf("%d %d\n", fits, factorial(13));
    return 0;
}
