/* How programs name their inputs: clew.h, KLEE, SV-COMP.  All of it comes down to new input values, new input bytes, and assumptions. */
#include "internal.h"
#include "../include/clew.h"

/* ---- clew.h ---- */

void clew_make_symbolic(void *address, size_t n, const char *name)
{
    clew__symbolic(address, n, name);
}

#define VALUE(type, function, bits, kind) \
    type function(const char *name) \
    { \
        return (type)clew__symbolic_value(bits, kind, name); \
    }
VALUE(char, clew_char, 8, 'c')
VALUE(unsigned char, clew_uchar, 8, 'u')
VALUE(short, clew_short, 16, 'i')
VALUE(unsigned short, clew_ushort, 16, 'u')
VALUE(int, clew_int, 32, 'i')
VALUE(unsigned, clew_uint, 32, 'u')
VALUE(long, clew_long, 64, 'i')
VALUE(unsigned long, clew_ulong, 64, 'u')

_Bool clew_bool(const char *name)
{
    return clew__symbolic_value(1, 'b', name) != 0;
}

static float float_of(uint64_t bits)
{
    union {
        uint32_t bits;
        float value;
    } u = {(uint32_t)bits};
    return u.value;
}

static double double_of(uint64_t bits)
{
    union {
        uint64_t bits;
        double value;
    } u = {bits};
    return u.value;
}

float clew_float(const char *name)
{
    return float_of(clew__symbolic_value(32, 'f', name));
}

double clew_double(const char *name)
{
    return double_of(clew__symbolic_value(64, 'f', name));
}

static int in_range(int low, int high, const char *name)
{
    int value = (int)clew__symbolic_value(32, 'i', name);
    clew__assume((value >= low) & (value < high));
    return value;
}

int clew_range(int low, int high, const char *name)
{
    return in_range(low, high, name);
}

void clew_assume(int condition)
{
    clew__assume(condition);
}

void clew_assert(int condition)
{
    if (!condition) clew__assertion_failed();
}

void clew__assumed(int holds, const char *name, const char *condition)
{
    (void)holds;
    (void)name;
    (void)condition;
}

void clew__assert_verified(int holds, const char *formula, const char *file, int line, const char *condition)
{
    (void)formula;
    (void)condition;
    (void)file;
    (void)line;
    if (!holds) clew__assertion_failed();
}

/* Called by code that Clew adds before an assertion: agrees with its verdict unless the formula holds and the assertion does not. */
void clew__check_verdict(int agrees, const char *formula);
void clew__check_verdict(int agrees, const char *formula)
{
    if (!agrees) clew__wrong_verdict(formula);
}

int clew_is_symbolic(unsigned long value)
{
    return clew__is_symbolic(value);
}
