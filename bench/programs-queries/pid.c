/* A PID controller in fixed point (Q16.16) for a heater: saturation, anti-windup, a dead band, and alarms. */
#include <clew.h>
#include <stdint.h>

typedef int32_t fixed; /* 16 fractional bits */

enum { STEPS = 3, ONE = 1 << 16, OUTPUT_LIMIT = 100 * ONE, INTEGRAL_LIMIT = 400 * ONE, DEAD_BAND = ONE / 4 };

struct controller {
    fixed p, i, d;
    fixed integral, last_error;
    int saturated, alarms;
};

static fixed clamp(int64_t value, fixed limit)
{
    if (value > limit) return limit;
    if (value < -(int64_t)limit) return -limit;
    return (fixed)value;
}

static fixed multiply(fixed a, fixed b)
{
    return clamp((int64_t)a * b >> 16, INT32_MAX);
}

static fixed difference(fixed a, fixed b)
{
    return clamp((int64_t)a - b, INT32_MAX);
}

static fixed step(struct controller *c, fixed wanted, fixed measured)
{
    fixed error = difference(wanted, measured);
    if (error > -DEAD_BAND && error < DEAD_BAND) error = 0;
    fixed slope = difference(error, c->last_error);
    c->last_error = error;
    if (!c->saturated) c->integral = clamp((int64_t)c->integral + error, INTEGRAL_LIMIT);
    int64_t sum = (int64_t)multiply(c->p, error) + multiply(c->i, c->integral) + multiply(c->d, slope);
    fixed output = clamp(sum, OUTPUT_LIMIT);
    c->saturated = output == OUTPUT_LIMIT || output == -OUTPUT_LIMIT;
    return output;
}

/* A sensor that jumps, sticks at its ends or runs away is not believed. */
static int plausible(struct controller *c, fixed measured, fixed before)
{
    if (measured < -50 * ONE || measured > 300 * ONE) {
        c->alarms |= 1;
        return 0;
    }
    fixed jump = difference(measured, before);
    if (jump > 40 * ONE || jump < -40 * ONE) {
        c->alarms |= 2;
        return 0;
    }
    return 1;
}

static fixed duty(fixed output)
{
    if (output <= 0) return 0;
    fixed percent = output / 100;
    return percent > 95 * ONE / 100 ? ONE : percent;
}

int main(void)
{
    struct controller c = {.p = 2 * ONE, .i = ONE / 8, .d = ONE / 2};
    fixed wanted = clew_range(0, 250, "wanted") * ONE, before = 20 * ONE;
    int full = 0;
    for (int i = 0; i < STEPS; i++) {
        fixed measured = (fixed)clew_int("measured");
        if (!plausible(&c, measured, before)) {
            if (c.alarms == 3) return 1;
            continue;
        }
        before = measured;
        fixed output = step(&c, wanted, measured);
        clew_assert(output >= -OUTPUT_LIMIT && output <= OUTPUT_LIMIT);
        clew_assert(c.integral >= -INTEGRAL_LIMIT && c.integral <= INTEGRAL_LIMIT);
        if (duty(output) == ONE) full++;
    }
    if (c.alarms) return 2;
    if (full == STEPS) return 3;
    return c.integral < 0 ? 4 : c.last_error == 0 ? 5 : 0;
}
