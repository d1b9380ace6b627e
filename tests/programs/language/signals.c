/* clew run
 * exit: 0
 */
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t got, count;

static void handler(int signal_number)
{
    got = signal_number;
    count++;
}

int main(void)
{
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    printf("%d %d\n", got == SIGUSR1, count);
    signal(SIGTERM, SIG_IGN);
    raise(SIGTERM);
    void (*old)(int) = signal(SIGUSR1, SIG_DFL);
    printf("%d\n", old == handler);
    signal(SIGINT, handler);
    raise(SIGINT);
    printf("%d %d\n", got == SIGINT, count);
    return 0;
}
