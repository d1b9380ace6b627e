/* clew test
 * branches: 8 of 8
 * bug: signed-overflow 14
 *
 * The clock of a test is the clock of the search, which stands still in September 2020, and sleeping takes no time: what was found holds natively, too. */
#include <time.h>
#include <unistd.h>

int age(time_t born)
{
    time_t now = time(NULL);
    sleep(100);
    if (born > now) return -1;
    return now - born < 3600 ? 0 : 1;
}

int stamp(time_t (*clock)(time_t *), time_t last)
{
    time_t now = (clock ? clock : time)(NULL);
    if (now <= last) return 0;
    return 1;
}
