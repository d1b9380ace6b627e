/* cases: what an expression can be, one by one, seen from its form.
 *
 * A choice, and what is computed from choices, equals one of a few simpler expressions: `c ? 3 : x + 1` is 3 or x + 1.  That it equals one is a
 * condition on the expression itself, so that two different constants exclude each other for whoever looks at the conditions. */
#ifndef CLEW_EXPR_CASES_H
#define CLEW_EXPR_CASES_H

#include "expr/expr.h"

enum { MOST_CASES = 256 };

typedef struct ExprCase {
    Expr value, condition; /* that it equals the value */
} ExprCase;

typedef struct ExprCases { /* of the expressions of one pool that were asked about */
    ExprPool *pool;
    Map known;   /* expression -> first of its values and their number */
    Map heights; /* of expressions above others that have cases */
    Vec(Expr) values, work;
    Vec(ExprCase) found;
} ExprCases;
void expr_cases_init(ExprCases *cases, ExprPool *pool);
void expr_cases_release(ExprCases *cases); /* also before the pool forgets expressions */
/* Its cases; they stay where they are until the next question.  At least one condition holds, whatever the variables.  One case: it is no
 * choice, or one of too many. */
uint32_t expr_cases(ExprCases *cases, Expr e, const ExprCase **list);

#endif
