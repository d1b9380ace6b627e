/* forms: what variables are after n turns along one way round a loop, in closed form.
 *
 * One turn makes of each variable an expression over the variables before the turn.  A form says what n such turns make of it: exactly, in the arithmetic
 * of machine words, for every n; or nothing is known (FORM_UNKNOWN), which is the star of the paper on loop navigation (section 3.2). */
#ifndef CLEW_LOOPS_FORMS_H
#define CLEW_LOOPS_FORMS_H

#include "expr/expr.h"

typedef enum FormKind {
    FORM_KEPT,       /* x stays as it is */
    FORM_SUM,        /* x + n * step: an arithmetic progression; the step does not change in the turns */
    FORM_SQUARE,     /* x + n * step + n * (n - 1) / 2 * change: the step itself grows by `change` */
    FORM_AFFINE,     /* x becomes factor * x + step, both constants: geometric progressions, and more */
    FORM_QUOTIENT,   /* x becomes x / factor or x >> k: soon 0 (or -1), so the values are listed */
    FORM_ORBIT,      /* the value at the start is a constant, and those after it repeat themselves: they are listed */
    FORM_LAST,       /* computed in each turn from variables that have forms themselves */
    FORM_FORM_COUNT, /* kinds before this one are exact */
    FORM_UNKNOWN = FORM_FORM_COUNT
} FormKind;

enum { MOST_LISTED = 64 /* values of QUOTIENT (a shift by one bit of a word has so many) and ORBIT */ };

typedef struct Form {
    FormKind kind;
    Expr step, change; /* over the variables before the first turn */
    U128 factor;
    uint32_t depth;        /* of LAST: 1 more than that of what it is computed from */
    uint32_t listed, back; /* of QUOTIENT, ORBIT: so many values are listed, then those from number `back` on repeat */
} Form;

/* Several variables that change together. */
typedef struct Forms {
    ExprPool *pool;
    const Expr *variables, *effects; /* the caller's: before a turn, and after it */
    uint32_t count;
    Form *forms;
    uint8_t *changes; /* per variable: it is not FORM_KEPT */
} Forms;

/* `starts` are the values before the first turn: ORBIT depends on them. */
void forms_init(Forms *forms, ExprPool *pool, const Expr *variables, const Expr *effects, const Expr *starts, uint32_t count);
void forms_release(Forms *forms);
/* The values after `turns` turns (an expression of 32 bits) from these starts; 0 for a variable of which nothing is known. */
void forms_after(const Forms *forms, const Expr *starts, Expr turns, Expr *values);
/* An expression over the variables, with these values in their place. */
Expr forms_replace(const Forms *forms, const Expr *values, Expr e);
/* The same for a list, which shares the work; variables may also be replaced as `more` says (pairs). */
void forms_replace_all(const Forms *forms, const Expr *values, const Expr *more, uint32_t more_count, const Expr *list, uint32_t count,
                       Expr *results);

#endif
