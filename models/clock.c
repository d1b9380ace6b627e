/* Time of day and sleeping.  While exploring time stands as the options say, and sleeping takes none. */
#include "internal.h"

#include <errno.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { SECOND = 1000000000 };

time_t time(time_t *out)
{
    time_t now = clew__time_ns(CLOCK_REALTIME) / SECOND;
    if (out) *out = now;
    return now;
}

clock_t clock(void)
{
    return clew__time_ns(CLOCK_PROCESS_CPUTIME_ID) / 1000;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone)
{
    int64_t now = clew__time_ns(CLOCK_REALTIME);
    if (zone) bytes_fill(zone, 0, sizeof(struct timezone));
    *out = (struct timeval){now / SECOND, now % SECOND / 1000};
    return 0;
}

int clock_gettime(clockid_t id, struct timespec *out)
{
    int64_t now = clew__time_ns(id);
    if (now < 0) return fail_with(EINVAL);
    *out = (struct timespec){now / SECOND, now % SECOND};
    return 0;
}

int timespec_get(struct timespec *out, int base)
{
    if (base != TIME_UTC) return 0;
    int64_t now = clew__time_ns(CLOCK_REALTIME);
    *out = (struct timespec){now / SECOND, now % SECOND};
    return base;
}

double difftime(time_t later, time_t earlier)
{
    return (double)(later - earlier);
}

static void pass(int64_t ns)
{
    if (clew__real_effects()) clew__sleep_ns(ns);
}

unsigned sleep(unsigned seconds)
{
    pass((int64_t)seconds * SECOND);
    return 0;
}

int usleep(useconds_t microseconds)
{
    pass((int64_t)microseconds * 1000);
    return 0;
}

int nanosleep(const struct timespec *wanted, struct timespec *left)
{
    if (wanted->tv_nsec < 0 || wanted->tv_nsec >= SECOND || wanted->tv_sec < 0) return fail_with(EINVAL);
    pass(wanted->tv_sec * SECOND + wanted->tv_nsec);
    (void)left;
    return 0;
}

int clock_nanosleep(clockid_t id, int flags, const struct timespec *wanted, struct timespec *left)
{
    if (wanted->tv_nsec < 0 || wanted->tv_nsec >= SECOND || wanted->tv_sec < 0) return EINVAL;
    int64_t ns = wanted->tv_sec * SECOND + wanted->tv_nsec;
    if (flags & TIMER_ABSTIME) ns -= clew__time_ns(id);
    if (ns > 0) pass(ns);
    (void)left;
    return 0;
}
