/* clew run
 * exit: 0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(void)
{
    srand(42);
    int a = rand(), b = rand();
    srand(42);
    printf("%d %d %d\n", a == rand(), b == rand(), a >= 0 && a <= RAND_MAX);
    srandom(7);
    printf("%ld %d\n", random(), rand());
    time_t now = time(NULL);
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    printf("%d %d %d\n", now > 1600000000, t.tv_sec >= now, clock() >= 0);
    time_t fixed = 1000000000;
    struct tm *utc = gmtime(&fixed);
    char text[64];
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", utc);
    printf("%s %d\n", text, utc->tm_yday);
    return 0;
}
