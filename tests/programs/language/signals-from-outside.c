/* clew run
 * exit: 5
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t caught;
static volatile long counted;
static sigjmp_buf place;

static void note(int number)
{
    caught = number;
}

static void leap(int number)
{
    siglongjmp(place, number);
}

int main(void)
{
    signal(SIGALRM, note);
    ualarm(50000, 0);
    while (!caught) counted++;
    printf("%d\n", caught == SIGALRM);
    caught = 0;
    ualarm(50000, 0);
    while (!caught) {
    }
    ualarm(50000, 50000); /* again and again: the first may come before the pause */
    printf("%d %d\n", pause(), errno == EINTR);
    ualarm(0, 0);
    signal(SIGALRM, leap);
    int number = sigsetjmp(place, 1);
    if (!number) {
        ualarm(50000, 0);
        for (;;) counted++;
    }
    printf("%d\n", number == SIGALRM);
    int ends[2];
    if (pipe(ends) != 0) return 1;
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN);
    ssize_t sent = write(ends[1], "a", 1);
    printf("%zd %d\n", sent, errno == EPIPE);
    return 5;
}
