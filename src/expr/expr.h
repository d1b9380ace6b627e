/* expr: hash-consed expressions over machine words.
 *
 * An Expr is a 32-bit id into a pool; equal expressions have equal ids, and an id stays valid as long as its pool (or until
 * expr_pool_rewind, which forgets the newest ones).  Building simplifies: constants fold, cheap algebraic rules apply, and what known bits
 * decide becomes a constant.  What only moves bits is CONCAT, EXTRACT, ZEXT and SEXT: constant shifts, masks of few runs, products and
 * quotients by powers of two never stay as such.  A value cut into bytes by expr_extract and put together by CONCAT is the same id
 * (unless several values lie side by side whose known bits could be each other's).  A pool belongs to one thread.  No function here
 * fails: widths that do not fit are misuse (REQUIRE). */
#ifndef CLEW_EXPR_H
#define CLEW_EXPR_H

#include "base/base.h"

typedef uint32_t Expr; /* 0: no expression */
typedef struct ExprPool ExprPool;

typedef enum ExprKind {
#define KIND(NAME, text, operands) EXPR_##NAME,
#include "expr/kinds.def"
#undef KIND
    EXPR_KINDS
} ExprKind;

ExprPool *expr_pool_new(void);
void expr_pool_free(ExprPool *pool);
uint32_t expr_pool_count(const ExprPool *pool); /* nodes ever made: also a mark for expr_pool_rewind */
/* Forgets all nodes with id >= count (as returned by expr_pool_count).  The caller keeps no such id. */
void expr_pool_rewind(ExprPool *pool, uint32_t count);

/* ---- construction ---- */
Expr expr_const(ExprPool *pool, unsigned width, U128 value);     /* the value is cut to the width */
Expr expr_var(ExprPool *pool, unsigned width, const char *name); /* always a new input; its number is expr_var_index */
Expr expr_undef(ExprPool *pool, unsigned width);                 /* always a new one */
Expr expr_unary(ExprPool *pool, ExprKind kind, Expr a);          /* NOT CTPOP CTLZ CTTZ FSQRT; FCONVERT: 32 to 64 bits and back */
Expr expr_binary(ExprPool *pool, ExprKind kind, Expr a, Expr b); /* ADD … XOR, EQ … SLE, CONCAT, FADD … FREM, FEQ … FUNO */
Expr expr_extract(ExprPool *pool, Expr a, unsigned low, unsigned width);
Expr expr_zext(ExprPool *pool, Expr a, unsigned width); /* the same width: a itself */
Expr expr_sext(ExprPool *pool, Expr a, unsigned width);
Expr expr_ite(ExprPool *pool, Expr condition, Expr yes, Expr no);
Expr expr_convert(ExprPool *pool, ExprKind kind, Expr a, unsigned width); /* FTOSI FTOUI SITOF UITOF FCONVERT */
Expr expr_array(ExprPool *pool, unsigned width, const Expr *elements, uint32_t count);
Expr expr_store(ExprPool *pool, Expr array, Expr index, Expr element);
Expr expr_select(ExprPool *pool, Expr array, Expr index);

/* A real function: deterministic and without side effects.  `call` gets the arguments' bits and returns the result's bits. */
typedef struct ExprFunction {
    const char *name;
    U128 (*call)(void *data, const U128 *arguments, uint32_t count);
    void *data;
} ExprFunction;
Expr expr_apply(ExprPool *pool, const ExprFunction *function, unsigned width, const Expr *arguments, uint32_t count);

/* Shorthands. */
static inline Expr expr_not(ExprPool *pool, Expr a)
{
    return expr_unary(pool, EXPR_NOT, a);
}
static inline Expr expr_and(ExprPool *pool, Expr a, Expr b)
{
    return expr_binary(pool, EXPR_AND, a, b);
}
static inline Expr expr_or(ExprPool *pool, Expr a, Expr b)
{
    return expr_binary(pool, EXPR_OR, a, b);
}
static inline Expr expr_eq(ExprPool *pool, Expr a, Expr b)
{
    return expr_binary(pool, EXPR_EQ, a, b);
}
static inline Expr expr_add(ExprPool *pool, Expr a, Expr b)
{
    return expr_binary(pool, EXPR_ADD, a, b);
}

/* ---- inspection ---- */
ExprKind expr_kind(const ExprPool *pool, Expr e);
unsigned expr_width(const ExprPool *pool, Expr e);
unsigned expr_operand_count(ExprKind kind);                                  /* 0 for ARRAY and APPLY, whose operands are elements */
Expr expr_operand(const ExprPool *pool, Expr e, unsigned i);                 /* i below the kind's operand count */
uint32_t expr_elements(const ExprPool *pool, Expr e, const Expr **elements); /* of ARRAY and APPLY; returns the count */
uint32_t expr_array_length(const ExprPool *pool, Expr array);                /* of ARRAY and STORE */
const ExprFunction *expr_function(const ExprPool *pool, Expr e);             /* of APPLY */
unsigned expr_extract_low(const ExprPool *pool, Expr e);                     /* of EXTRACT */
uint32_t expr_var_index(const ExprPool *pool, Expr e);                       /* of VAR: 0, 1, … in order of creation */
uint32_t expr_var_count(const ExprPool *pool);
Expr expr_var_at(const ExprPool *pool, uint32_t index);
const char *expr_var_name(const ExprPool *pool, Expr e);
bool expr_is_const(const ExprPool *pool, Expr e);
U128 expr_value(const ExprPool *pool, Expr e);     /* of CONST */
bool expr_has_undef(const ExprPool *pool, Expr e); /* does it depend on something uninitialised? O(1) */
bool expr_has_apply(const ExprPool *pool, Expr e); /* does it contain a real function? O(1) */

typedef struct ExprKnown {
    U128 zeros, ones; /* bits known to be 0, to be 1; disjoint, within the width */
    U128 low, high;   /* unsigned interval, inclusive */
} ExprKnown;
ExprKnown expr_known(ExprPool *pool, Expr e); /* kept per node, constant time, sound for every model; of an array: of any element */

/* ---- evaluation ---- */
/* A model assigns values to variables (0 to those not set).  Evaluation keeps each node's value with the model, so evaluating a growing
 * path costs only its new nodes; changing a variable forgets the kept values. */
typedef struct ExprModel ExprModel;
ExprModel *expr_model_new(ExprPool *pool);
ExprModel *expr_model_copy(const ExprModel *model);
void expr_model_free(ExprModel *model);
void expr_model_set(ExprModel *model, Expr var, U128 value);
U128 expr_model_get(const ExprModel *model, Expr var);
U128 expr_eval(ExprModel *model, Expr e);            /* cut to the width */
uint64_t expr_model_changes(const ExprModel *model); /* grows whenever a value changes */

/* The meaning of every kind but VAR, UNDEF, APPLY and the arrays' on values.  `source` is the width of the last operand; b is EXTRACT's low bit. */
U128 expr_fold(ExprKind kind, unsigned width, unsigned source, U128 a, U128 b, U128 c);

/* ---- text ---- */
void expr_print(const ExprPool *pool, Expr e, StrBuf *out); /* s-expression, shared nodes repeated; for people and tests */
const char *expr_kind_name(ExprKind kind);
void expr_check(const ExprPool *pool); /* asserts the pool's invariants; slow, for tests and debug builds */

#endif
