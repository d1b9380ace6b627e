/* clew run
 * exit: 255
 */
#include <stdio.h>
#include <stdlib.h>

static void deep(int n)
{
    if (n == 0) exit(-1);
    deep(n - 1);
}

int main(void)
{
    printf("flushed by exit");
    deep(10);
}
