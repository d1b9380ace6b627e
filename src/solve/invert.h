/* Inverses of the operators: which value of one operand makes the result the target while the other operand stays?
 *
 * All functions work on values alone.  invert_exact is complete for the integer kinds: with nothing known of the operand it finds a
 * value whenever there is one.  For the F kinds it finds a value in all but rare cases.  invert_near is what to try if there is none: a
 * value that brings the result near the target, or could do so together with a change of the other operand. */
#ifndef CLEW_SOLVE_INVERT_H
#define CLEW_SOLVE_INVERT_H

#include "solve/solve_int.h"

typedef struct Inversion {
    ExprKind kind;
    unsigned width, source; /* as in DagNode: of the result; of the last operand */
    unsigned operand;       /* the one to change: 0 or 1 */
    unsigned size;          /* its width */
    U128 target;            /* wanted of the node */
    U128 x, y;              /* value now of the operand to change; of the other one (EXTRACT: the low bit) */
    ExprKnown known;        /* of the operand to change; invert_all(size) if nothing is */
    unsigned style;         /* 0, 1: the value next to the boundary where there is a choice; above: a random one */
    Random *random;
} Inversion;

ExprKnown invert_all(unsigned width);
bool invert_exact(const Inversion *inversion, U128 *value);
bool invert_near(const Inversion *inversion, U128 *value); /* never x itself */
/* Could an operand of which that is known have this value? */
bool invert_fits(const ExprKnown *known, U128 value);
/* The value made to fit, as far as this is easy. */
U128 invert_fit(const ExprKnown *known, U128 value);
/* The node's value with this value of the operand. */
U128 invert_result(const Inversion *inversion, U128 value);
/* A random number of up to that many bits, small ones as likely as large ones. */
U128 invert_random_size(Random *random, unsigned width);

/* invert_float.c, for the F kinds. */
bool invert_float_exact(const Inversion *inversion, U128 *value);
bool invert_float_near(const Inversion *inversion, U128 *value);

#endif
