/* defined: the condition under which no uninitialised value decides an expression.
 *
 * Of a choice the side taken must be defined, of an element that element, of a conjunction one side that makes it false, of all else every operand.
 * Conditions are kept with the expressions they are about, so asking about what contains an expression that was asked about before costs only
 * what is new, and an expression is looked at once however often it occurs. */
#ifndef CLEW_EXPR_DEFINED_H
#define CLEW_EXPR_DEFINED_H

#include "expr/expr.h"

typedef struct ExprDefined { /* of the expressions of one pool that were asked about */
    uint64_t generation;     /* of the pool: when it forgets expressions, all is forgotten here */
    Map known;               /* expression -> condition; array -> array of conditions */
    Vec(Expr) work, parts;
} ExprDefined;
void expr_defined_release(ExprDefined *defined);
Expr expr_defined(ExprDefined *defined, ExprPool *pool, Expr e); /* of width 1 */

#endif
