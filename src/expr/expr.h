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
uint64_t expr_pool_generation(const ExprPool *pool); /* changes when expressions are forgotten */
uint64_t expr_pool_work(const ExprPool *pool);       /* nodes ever looked up or made */
uint64_t expr_pool_evaluated(const ExprPool *pool);  /* nodes ever evaluated by models of the pool */
uint32_t expr_pool_count(const ExprPool *pool);      /* nodes ever made: also a mark for expr_pool_rewind */
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
/* From now on some variables are names for expressions of the others: `meaning` returns it, 0 for those that have values of their own.  It may
 * build expressions. */
void expr_model_define(ExprModel *model, Expr (*meaning)(void *data, Expr var), void *data);

/* The meaning of every kind but VAR, UNDEF, APPLY and the arrays' on values.  `source` is the width of the last operand; b is EXTRACT's low bit. */
U128 expr_fold(ExprKind kind, unsigned width, unsigned source, U128 a, U128 b, U128 c);

/* ---- translation ---- */
/* Expressions of one pool rebuilt in another, or in the same one, with other expressions in place of some. */
typedef struct ExprTranslation {
    ExprPool *from, *to;
    /* What becomes of a variable that was not set; NULL, or 0 in the same pool: it stays, in another pool as a new one of its name. */
    Expr (*variable)(void *data, Expr e);
    Expr (*undef)(void *data, unsigned width); /* what becomes of something uninitialised, in another pool; NULL: a new one */
    void *data;
    Map known;
    Vec(Expr) work, elements;
} ExprTranslation;
void expr_translation_init(ExprTranslation *t, ExprPool *from, ExprPool *to);
void expr_translation_release(ExprTranslation *t);
void expr_translation_set(ExprTranslation *t, Expr e, Expr becomes); /* before anything that contains e is translated */
Expr expr_translated(const ExprTranslation *t, Expr e);              /* what it has become already; 0: nothing */
Expr expr_translate(ExprTranslation *t, Expr e);
/* The node e of the pool `from` (no leaf) once more, in `pool`, with other operands or elements. */
Expr expr_with_operands(ExprPool *pool, Expr e, ExprPool *from, const Expr *operands);

/* ---- text ---- */
void expr_print(const ExprPool *pool, Expr e, StrBuf *out); /* s-expression, shared nodes repeated; for people and tests */
/* As a person would write it: `x > 0 and s[0] = c`, `n + 1`.  Without casts that do not matter to the reader; u after an operator (`<u`,
 * `>>u`) says that its operands are unsigned.  is_signed: how constants are shown whose operator does not tell, as where the constant is
 * all.  Ends with … where it gets long. */
void expr_text(ExprPool *pool, Expr e, bool is_signed, StrBuf *out);
const char *expr_kind_name(ExprKind kind);
void expr_check(const ExprPool *pool); /* asserts the pool's invariants; slow, for tests and debug builds */

/* ---- bytes ---- */
/* The roots (values; 0 stays 0) and all that they need, each node once, added to `bytes`. */
void expr_encode(const ExprPool *pool, const Expr *roots, uint32_t count, StrBuf *bytes);
/* What stands for the variables and functions that the bytes name. */
typedef struct ExprDecode {
    void *data;
    /* `number` counts the variables as they are met: from the first root on, operands from left to right.  Returns an expression of that
     * width; 0: refused.  NULL: each is a new variable. */
    Expr (*variable)(void *data, uint32_t number, unsigned width, const char *name);
    const ExprFunction *(*function)(void *data, const char *name); /* NULL: refused */
    /* Does it give such a width for these arguments?  It may be called with them at once.  NULL: it bears any. */
    bool (*applies)(void *data, const ExprFunction *function, unsigned width, const Expr *arguments, uint32_t count);
} ExprDecode;
/* Builds them again with the constructors above, so what is now a constant folds.  Each undefined value becomes a new one.  False, and
 * the roots are 0: the bytes are no encoding of so many roots, or something was refused; the pool may hold new nodes then.
 * *used: how many bytes were read. */
bool expr_decode(ExprPool *pool, const void *bytes, size_t n, size_t *used, Expr *roots, uint32_t count, const ExprDecode *how);

#endif
