/* meaning: what an instruction means as an expression.  The single place that knows it.
 *
 * Operands and results are bit-vectors of the instruction's widths; floats are their IEEE bits.  Control flow, memory and calls are not values and
 * are the business of whoever walks the code. */
#ifndef CLEW_MEANING_H
#define CLEW_MEANING_H

#include "expr/expr.h"
#include "program/program.h"

/* The value of a computing instruction (MOV … FCMP, SELECT, ADDRESS) on the operands it reads (0 where it has none).
 * `scale` is the value of operand c of ADDRESS.  Returns 0 if expressions cannot say it (long double). */
Expr meaning_value(ExprPool *pool, const Instr *instr, Expr a, Expr b, Expr c, uint64_t scale);

/* The overflow bit of SADDO … UMULO; also of ADD, SUB and MUL, as if signed. */
Expr meaning_overflow(ExprPool *pool, const Instr *instr, Expr a, Expr b);

/* What must hold of the operands for the instruction to be defined: no signed overflow where FLAG_NSW says so, a divisor that is not zero, a shift
 * below the width.  0: nothing to check.  *kind tells which. */
typedef enum MeaningCheck { CHECK_NONE, CHECK_OVERFLOW, CHECK_DIVISOR, CHECK_QUOTIENT, CHECK_SHIFT } MeaningCheck;
Expr meaning_check(ExprPool *pool, const Instr *instr, Expr a, Expr b, MeaningCheck *kind);
/* INT_MIN / -1: the second check of SDIV and SREM. */
Expr meaning_check_quotient(ExprPool *pool, const Instr *instr, Expr a, Expr b);

#endif
