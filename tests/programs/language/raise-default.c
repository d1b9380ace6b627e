/* clew run
 * signal: SIGTERM
 */
#include <signal.h>
#include <stdio.h>

int main(void)
{
    puts("flushed");
    fflush(stdout);
    raise(SIGTERM);
    puts("not reached");
    return 0;
}
