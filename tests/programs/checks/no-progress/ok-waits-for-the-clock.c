/* clew run
 * exit: 0
 */
#include <time.h>

int main(void)
{
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do clock_gettime(CLOCK_MONOTONIC, &now);
    while (now.tv_sec == start.tv_sec && now.tv_nsec < start.tv_nsec + 2000000);
    return 0;
}
