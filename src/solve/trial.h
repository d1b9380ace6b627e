/* What the tiers that search for a model by changing one share (local, descent): the values of all nodes of a query, kept up to date
 * while variables change, and ways to find such changes.
 *
 * A Trial belongs to a tier and is used for one query after the other; its tables only grow.  All work is counted in `spent`, about a
 * nanosecond a unit, and what is kept from earlier queries changes neither a result nor that count. */
#ifndef CLEW_TRIAL_H
#define CLEW_TRIAL_H

#include "solve/solve_int.h"

enum { NO_VARIABLE = UINT32_MAX, MANY_VARIABLES = UINT32_MAX - 1 };

typedef struct Assignment { /* a variable, by position, and its value */
    uint32_t var;
    U128 value;
} Assignment;

/* The values of a byte that satisfy a condition over that byte alone. */
typedef struct ByteSet {
    uint64_t bits[4];
} ByteSet;

/* Values start, start + 1, ... start + span, modulo the width. */
typedef struct Interval {
    U128 start, span;
} Interval;

typedef struct WalkItem { /* a node and the value it shall take */
    uint32_t at, up;      /* up: the item it comes from; UINT32_MAX: none */
    U128 target;
} WalkItem;

enum { KEPT_SETS = 1024, KEPT_TABLES = 64 };

typedef struct KeptSet { /* by condition */
    Expr condition;
    ByteSet set;
} KeptSet;

typedef struct KeptTable { /* indexes of a constant array in the order of the elements, once it was asked for often enough */
    Expr array;
    uint32_t count, asked, *order;
} KeptTable;

typedef struct Trial {
    Dag dag;
    uint64_t seed;
    Random random;
    uint64_t spent, limit;
    uint32_t looks;         /* left, of one distance */
    uint32_t capacity;      /* of the tables by position */
    U128 *values;           /* by position */
    uint32_t *only;         /* by position: the one variable it depends on, NO_VARIABLE, or MANY_VARIABLES */
    uint32_t *first_parent; /* by position: into parents; one more entry than positions */
    uint32_t *rank;         /* by position: 1 + number of the condition it is, or 0 */
    uint64_t *dirty;        /* one bit by position; all clear between changes */
    Vec(uint32_t) parents;
    Vec(uint32_t) wrong;    /* conditions that are false now */
    Vec(uint32_t) wrong_at; /* by condition: 1 + its place there, or 0 */
    Vec(Assignment) trail;  /* what values were before the changes since the last trial_keep */
    Vec(WalkItem) items;
    Vec(Assignment) move; /* found by trial_walk */
    Vec(uint32_t) scratch;
    Vec(Assignment) saved;
    Expr kept_top; /* nothing is kept of expressions above */
    KeptSet *sets;
    KeptTable tables[KEPT_TABLES];
} Trial;

/* ---- trial.c: values ---- */
void trial_init(Trial *trial, ExprPool *pool, uint64_t seed);
void trial_release(Trial *trial);
void trial_forget(Trial *trial, uint32_t count);
/* Takes up a query: dag and values under its start.  False if the dag is far larger than the effort allows; one that just uses it up is
 * taken, as every later tier would pay more for it. */
bool trial_begin(Trial *trial, const Query *query);
/* The operands of a node that are positions (`few` is room for them); returns their number. */
uint32_t trial_operands(const Dag *dag, const DagNode *node, uint32_t few[3], const uint32_t **operands);
static inline bool trial_depends(const Trial *trial, uint32_t at)
{
    return trial->only[at] != NO_VARIABLE;
}
static inline bool trial_is_over(const Trial *trial)
{
    return trial->spent >= trial->limit;
}
/* Changes variables, and all that depends on them.  Undone as a whole by trial_undo up to the last trial_keep. */
void trial_apply(Trial *trial, const Assignment *move, uint32_t count);
void trial_undo(Trial *trial);
static inline void trial_keep(Trial *trial)
{
    vec_clear(&trial->trail);
}
/* The variables that differ from `start` are the answer. */
void trial_answer(const Trial *trial, const Query *query, Outcome *outcome);

/* How far a one-bit node is from the wanted value, 0 if it has it: logarithms of differences, at least 1 and below 200 for one
 * comparison. */
double trial_distance(Trial *trial, uint32_t at, bool wanted);

/* ---- domain.c: what the conditions on one variable alone leave of it ---- */
/* The values of an 8-bit variable with which all conditions hold that depend on nothing else. */
ByteSet domain_of_byte(Trial *trial, uint32_t var);
static inline bool byte_set_has(const ByteSet *set, unsigned value)
{
    return set->bits[value >> 6 & 3] >> (value & 63) & 1;
}
static inline unsigned byte_set_count(const ByteSet *set)
{
    unsigned count = 0;
    for (unsigned i = 0; i < 4; i++) count += (unsigned)__builtin_popcountll(set->bits[i]);
    return count;
}
/* The same for wider ones, as far as bounds on the variable or on its sum with a constant tell; everything if they contradict each
 * other. */
Interval domain_of_word(Trial *trial, uint32_t var);
/* The value of the variable's domain that is nearest; false if the domain is empty. */
bool domain_nearest(Trial *trial, uint32_t var, U128 value, U128 *nearest);

/* ---- walk.c: from a condition to the inputs ---- */
/* Finds values for variables that bring the node at a position to its target, if nothing else stands in the way, and leaves them in
 * `move`.  False if it found none.  Style 0 and 1 prefer the first and the second operand and values at boundaries; from 2 on choices are
 * random. */
bool trial_walk(Trial *trial, uint32_t at, U128 target, unsigned style);
/* The first index of a constant array, from `begin` on and then from 0, whose element is the value; UINT32_MAX if none. */
uint32_t trial_table_index(Trial *trial, const DagNode *array, U128 value, uint32_t begin);

/* ---- floats as ordered numbers: invert_float.c ---- */
static inline bool is_float_width(unsigned width)
{
    return width == 32 || width == 64 || width == 80;
}
/* Bits of floats to integers in the order of the numbers, NaNs at both ends; both zeros are neighbours. */
U128 float_to_order(unsigned width, U128 bits);
U128 float_from_order(unsigned width, U128 order); /* what is beyond the ends comes in at the other one */
bool float_is_nan(unsigned width, U128 bits);
long double float_number(unsigned width, U128 bits);
U128 float_bits(unsigned width, long double number); /* rounded */
/* A number of a magnitude that programs use: small integers, a few units, thousands, any exponent. */
U128 float_random(unsigned width, Random *random);

#endif
