/* The 48-bit linear congruential generators. */
#include "internal.h"

#include <stdlib.h>

static uint16_t state[3], old_state[3], increment;
static uint64_t multiplier;
static bool ready;

static uint64_t value_of(const uint16_t x[3])
{
    return (uint64_t)x[2] << 32 | (uint64_t)x[1] << 16 | x[0];
}

static void store(uint16_t x[3], uint64_t value)
{
    x[0] = (uint16_t)value;
    x[1] = (uint16_t)(value >> 16);
    x[2] = (uint16_t)(value >> 32);
}

static void defaults(void)
{
    multiplier = 0x5deece66du;
    increment = 0xb;
    ready = true;
}

static uint64_t step(uint16_t x[3])
{
    if (!ready) defaults();
    store(x, value_of(x) * multiplier + increment);
    return value_of(x);
}

/* 48 bits as the fraction of a number in [1, 2), less 1. */
static double as_double(uint64_t value)
{
    union {
        uint64_t bits;
        double number;
    } u = {(uint64_t)0x3ff << 52 | value << 4};
    return u.number - 1.0;
}

double drand48(void)
{
    return as_double(step(state));
}

double erand48(unsigned short x[3])
{
    return as_double(step(x));
}

long lrand48(void)
{
    return (long)(step(state) >> 17);
}

long nrand48(unsigned short x[3])
{
    return (long)(step(x) >> 17);
}

long mrand48(void)
{
    return (int32_t)(step(state) >> 16);
}

long jrand48(unsigned short x[3])
{
    return (int32_t)(step(x) >> 16);
}

void srand48(long seed)
{
    state[2] = (uint16_t)((uint64_t)seed >> 16);
    state[1] = (uint16_t)seed;
    state[0] = 0x330e;
    defaults();
}

unsigned short *seed48(unsigned short seed[3])
{
    for (int i = 0; i < 3; i++) {
        old_state[i] = state[i];
        state[i] = seed[i];
    }
    defaults();
    return old_state;
}

void lcong48(unsigned short parameters[7])
{
    for (int i = 0; i < 3; i++) state[i] = parameters[i];
    multiplier = value_of(parameters + 3);
    increment = parameters[6];
    ready = true;
}
