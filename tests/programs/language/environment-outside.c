/* clew run
 * exit: 0
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void)
{
    setenv("CLEW_TEST_WORD", "seen", 1);
    fflush(stdout);
    if (system("echo $CLEW_TEST_WORD")) return 1;
    setenv("TZ", "EST5EDT", 1);
    tzset();
    time_t when = 1000000000;
    struct tm *local = localtime(&when);
    printf("%d:%02d\n", local->tm_hour, local->tm_min);
    return 0;
}
