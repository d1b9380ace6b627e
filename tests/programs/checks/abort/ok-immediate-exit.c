/* clew run
 * exit: 3
 */
#include <stdlib.h>

static void never(void)
{
    abort();
}

int main(void)
{
    atexit(never);
    _Exit(3);
}
