/* Samples of sound: a gate, a gain that saturates, and a limiter with a peak hold. */
#include <clew.h>

enum { COUNT = 5, GATE = 50, LIMIT = 20000 };

typedef struct Filter {
    int peak;
    int clipped;
    int last;
} Filter;

static int absolute(int value)
{
    return value < 0 ? -value : value;
}

static short saturate(int value)
{
    if (value > 32767) return 32767;
    if (value < -32768) return -32768;
    return (short)value;
}

static int clamp(int value, int low, int high)
{
    if (value < low) return low;
    if (value > high) return high;
    return value;
}

static int filter_sample(Filter *filter, short sample)
{
    if (absolute(sample) < GATE) return 0;
    int loud = saturate(3 * sample);
    int limited = clamp(loud, -LIMIT, LIMIT);
    if (limited != loud) filter->clipped++;
    if (absolute(limited) > filter->peak) filter->peak = absolute(limited);
    filter->last = limited;
    return limited;
}

int main(void)
{
    Filter filter = {0};
    short out[COUNT];
    for (int i = 0; i < COUNT; i++) out[i] = (short)filter_sample(&filter, clew_short("sample"));
    int sum = 0;
    for (int i = 0; i < COUNT; i++) sum += out[i];
    clew_assert(filter.peak <= LIMIT);
    if (filter.clipped > 3) return 2;
    return sum > 50000 ? 1 : 0;
}
