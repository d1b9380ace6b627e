/* SV-COMP's and Test-Comp's names for inputs.  Each value is named after its type; the VM numbers equal names. */
#include "internal.h"

#define NONDET(type, suffix) \
    type __VERIFIER_nondet_##suffix(void); \
    type __VERIFIER_nondet_##suffix(void) \
    { \
        return (type)clew__symbolic_value(sizeof(type) * 8, (type)-1 < (type)1 ? 'i' : 'u', #suffix); \
    }
#include "../src/decl/nondet.def"

_Bool __VERIFIER_nondet_bool(void);
_Bool __VERIFIER_nondet_bool(void)
{
    return clew__symbolic_value(1, 'b', "bool") != 0;
}

_Bool __VERIFIER_nondet__Bool(void);
_Bool __VERIFIER_nondet__Bool(void)
{
    return clew__symbolic_value(1, 'b', "bool") != 0;
}

__int128 __VERIFIER_nondet_int128(void);
__int128 __VERIFIER_nondet_int128(void)
{
    uint64_t low = clew__symbolic_value(64, 'u', "int128.low"), high = clew__symbolic_value(64, 'u', "int128.high");
    return (__int128)((unsigned __int128)high << 64 | low);
}

unsigned __int128 __VERIFIER_nondet_uint128(void);
unsigned __int128 __VERIFIER_nondet_uint128(void)
{
    uint64_t low = clew__symbolic_value(64, 'u', "uint128.low"), high = clew__symbolic_value(64, 'u', "uint128.high");
    return (unsigned __int128)high << 64 | low;
}

float __VERIFIER_nondet_float(void);
float __VERIFIER_nondet_float(void)
{
    union {
        uint32_t bits;
        float value;
    } u = {(uint32_t)clew__symbolic_value(32, 'f', "float")};
    return u.value;
}

double __VERIFIER_nondet_double(void);
double __VERIFIER_nondet_double(void)
{
    union {
        uint64_t bits;
        double value;
    } u = {clew__symbolic_value(64, 'f', "double")};
    return u.value;
}

#define POINTER(type, suffix) \
    type *__VERIFIER_nondet_##suffix(void); \
    type *__VERIFIER_nondet_##suffix(void) \
    { \
        return (type *)clew__symbolic_value(64, 'u', #suffix); \
    }
POINTER(char, pchar)
POINTER(char, charp)
POINTER(void, pointer)

void __VERIFIER_assume(int condition);
void __VERIFIER_assume(int condition)
{
    clew__assume(condition);
}

void __VERIFIER_assert(int condition);
void __VERIFIER_assert(int condition)
{
    if (!condition) clew__assertion_failed();
}

void assume_abort_if_not(int condition);
void assume_abort_if_not(int condition)
{
    clew__assume(condition);
}

_Noreturn void __VERIFIER_error(void);
_Noreturn void __VERIFIER_error(void)
{
    clew__assertion_failed();
}

_Noreturn void reach_error(void);
_Noreturn void reach_error(void)
{
    clew__assertion_failed();
}

/* One thread runs at a time. */
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_begin(void)
{
}

void __VERIFIER_atomic_end(void);
void __VERIFIER_atomic_end(void)
{
}
