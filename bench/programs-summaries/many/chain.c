/* A value goes through six stages of five branches each; every stage keeps a code of what it did. */
#include <clew.h>

static int trim(int value)
{
    if (value < -1000) return -1000;
    if (value < 0) return value + 1;
    if (value == 0) return 0;
    if (value > 1000) return 1000;
    return value - 1;
}

static int offset_of(int sensor)
{
    if (sensor == 1) return 3;
    if (sensor == 2) return 7;
    if (sensor == 3) return -4;
    if (sensor == 4) return -9;
    return 0;
}

static int gain_of(int level)
{
    if (level < 10) return 1;
    if (level < 20) return 2;
    if (level < 40) return 3;
    if (level < 80) return 4;
    return 5;
}

static int mode_of(unsigned flags)
{
    if (flags & 1) return 1;
    if (flags & 2) return 2;
    if (flags & 4) return 4;
    if (flags & 8) return 8;
    return 0;
}

static int zone_of(int distance)
{
    if (distance < 0) return -1;
    if (distance <= 5) return 0;
    if (distance <= 50) return 1;
    if (distance <= 500) return 2;
    return 3;
}

static int priority_of(char letter)
{
    if (letter == 'u') return 100;
    if (letter == 'h') return 50;
    if (letter == 'm') return 20;
    if (letter == 'l') return 5;
    return 1;
}

int main(void)
{
    int value = trim(clew_int("value"));
    int offset = offset_of(clew_int("sensor"));
    int gain = gain_of(clew_int("level"));
    int mode = mode_of(clew_uint("flags"));
    int zone = zone_of(clew_int("distance"));
    int priority = priority_of(clew_char("priority"));
    int result = (value + offset) * gain + mode;
    if (zone < 0) return 1;
    if (result > 4000 && priority >= 50) return 2;
    if (result < -4000 && zone == 3) return 3;
    clew_assert(!(result == 5043 - 8 * priority && mode == 8));
    return 0;
}
