/* Intervals of numbers: common part, hull, and a value moved into one. */
#include <clew.h>
#include <stdbool.h>

typedef struct Interval {
    int low, high; /* empty where low > high */
} Interval;

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static bool is_empty(Interval interval)
{
    return interval.low > interval.high;
}

static Interval common(Interval a, Interval b)
{
    return (Interval){larger(a.low, b.low), smaller(a.high, b.high)};
}

static int clamp(Interval interval, int value)
{
    return smaller(larger(value, interval.low), interval.high);
}

int main(void)
{
    Interval a = {clew_int("a.low"), clew_int("a.high")}, b = {0, 100};
    if (is_empty(a)) return 1;
    Interval both = common(a, b);
    if (is_empty(both)) return 2;
    int value = clamp(both, clew_int("value"));
    clew_assert(value >= 0 && value <= 100);
    return 0;
}
