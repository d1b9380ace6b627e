/* clew run
 * exit: 7
 */
#include <stdlib.h>

static int aborted;

static void abort_task(int task)
{
    aborted = task;
}

int main(void)
{
    void (*stop)(int) = abort_task;
    stop(7);
    if (!aborted) abort();
    return aborted;
}
