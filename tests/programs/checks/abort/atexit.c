/* clew run
 * stdout: main is done\n
 * bug: abort 11
 */
#include <stdio.h>
#include <stdlib.h>

static void at_the_end(void)
{
    fflush(stdout);
    abort();
}

int main(void)
{
    atexit(at_the_end);
    puts("main is done");
    return 0;
}
