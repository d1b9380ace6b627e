/* What is known of a number of 1 to 64 bits: inside analyse/ only.
 *
 * A Value is a set of few constants, or two intervals (unsigned and signed) and known bits, each as sharp as the others allow.  Values are kept once and
 * named by 32-bit numbers, so that states are small and equal values have equal numbers.  Number 0 says nothing, whatever the width. */
#ifndef CLEW_ANALYSE_VALUE_H
#define CLEW_ANALYSE_VALUE_H

#include "base/base.h"
#include "program/program.h"

enum {
    MOST_CONSTANTS = 48 /* constants in a set.  State machines of protocols have up to about 40 states; larger sets become intervals. */
};

typedef struct Value {
    uint64_t ulo, uhi, zeros, ones; /* bits known to be 0 and 1 */
    int64_t slo, shi;
    uint32_t width, count;        /* count > 0: exactly these constants, ascending without sign */
    uint64_t set[MOST_CONSTANTS]; /* the rest is 0 */
} Value;

typedef struct Values {
    Vec(Value) list;
    Vec(uint32_t) next; /* with the same hash */
    Map first;
    Vec(uint64_t) constants; /* of the program, ascending: numbers that widening stops at, and that sets may hold for good */
} Values;

/* ---- addresses as constants ----
 * Explorations (explore.c) write the address of an object or a function as a constant of 64 bits: what it is the address of, the activation that a local belongs
 * to, and an offset.  Such constants are only in sets; bounds and bits are never taken from them. */
typedef struct AddressParts {
    bool function;  /* `index` is the number of a function; otherwise `index` is the number of an object in memory */
    uint32_t level; /* of the activation, from the outermost one on, that the local belongs to; 0 for a global */
    uint32_t index;
    int64_t offset;
} AddressParts;
bool address_encode(AddressParts parts, uint64_t *constant); /* false: a part is too large */
bool address_decode(uint64_t constant, AddressParts *parts); /* false: a plain number */
bool value_has_address(const Value *value);

void values_init(Values *values, const Program *program);
void values_release(Values *values);
uint32_t values_keep(Values *values, const Value *value);
Value values_get(const Values *values, uint32_t id, uint32_t width);

Value value_top(uint32_t width);
Value value_constant(uint32_t width, uint64_t constant);
Value value_unsigned(uint32_t width, uint64_t low, uint64_t high);
Value value_signed(uint32_t width, int64_t low, int64_t high);
bool value_reduce(Value *value); /* makes each part as sharp as the others allow; false: no number is left */
bool value_meet(Value *value, const Value *with);
Value value_join(const Value *a, const Value *b);
Value value_widen(const Values *values, const Value *old, const Value *new);
void value_list(Value *value); /* makes an interval of few constants a set */
bool value_is_constant(const Value *value, uint64_t *constant);

/* dst of an instruction over numbers; `exclude` as in AnalyseOptions. */
Value value_binary(Opcode op, uint32_t flags, bool exclude, const Value *a, const Value *b);
Value value_convert(Opcode op, uint32_t width, const Value *a);
/* 1: true for all, 0: false for all, -1: neither. */
int value_compare(Predicate predicate, const Value *a, const Value *b);
/* Sharpens both by the fact that the comparison holds; false: it cannot. */
bool value_assume(Predicate predicate, Value *a, Value *b);
Predicate predicate_not(Predicate predicate);

#endif
