/* clew run
 * exit: 0
 */
#include <stdlib.h>

static int tick(int *counter)
{
    return ++*counter < 100000;
}

int main(void)
{
    int *counter = calloc(1, sizeof *counter);
    while (tick(counter));
    int n = *counter;
    free(counter);
    return n - 100000;
}
