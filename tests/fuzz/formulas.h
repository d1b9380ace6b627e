/* Random conditions for the tests of the solver: all operators and widths, and the shapes that programs make.
 *
 * A hidden model plants solutions: constants are often taken from the values that terms have under it, and conditions are often turned so that it
 * satisfies them.  Without that nearly all conjunctions would be unsatisfiable; others are made to contradict an earlier one by little. */
#ifndef CLEW_FUZZ_FORMULAS_H
#define CLEW_FUZZ_FORMULAS_H

#include "base/arith.h"
#include "expr/expr.h"

enum { FORMULA_VARS = 6 };

typedef struct Formulas {
    Random random;
    ExprPool *pool;
    ExprModel *hidden;
    Expr vars[FORMULA_VARS];
    unsigned var_count;
    bool floats;  /* float operations too */
    bool applies; /* real functions too */
    Expr recent;  /* the left side of the last comparison, for related ones */
} Formulas;

static inline uint64_t formulas_below(Formulas *f, uint64_t n)
{
    return random_below(&f->random, n);
}

static inline unsigned formulas_width(Formulas *f)
{
    static const unsigned usual[] = {1, 8, 8, 8, 16, 32, 32, 32, 64, 64, 128};
    return formulas_below(f, 6) ? usual[formulas_below(f, COUNT_OF(usual))] : 1 + (unsigned)formulas_below(f, 128);
}

static inline U128 formulas_float(Formulas *f, unsigned width)
{
    static const double values[] = {0.0,   -0.0,   1.0,   -1.0,  0.5,    2.0,          3.25,          1e10,
                                    -1e10, 1e-310, 1e300, 255.0, -128.5, 2147483648.0, -2147483648.5, 9.3e18};
    double value = values[formulas_below(f, COUNT_OF(values))];
    if (!formulas_below(f, 8)) value = formulas_below(f, 2) ? INFINITY : NAN;
    if (!formulas_below(f, 3)) value = (double)(int64_t)formulas_below(f, 2000000) / 64.0 - 10000;
    return width == 32 ? arith_bits32((float)value) : width == 64 ? arith_bits64(value) : arith_bits80((long double)value);
}

static inline U128 formulas_value(Formulas *f, unsigned width)
{
    U128 mask = arith_mask(width);
    if (f->floats && (width == 32 || width == 64 || width == 80) && formulas_below(f, 2)) return formulas_float(f, width);
    switch (formulas_below(f, 8)) {
    case 0: return 0;
    case 1: return mask;
    case 2: return (U128)1 << formulas_below(f, width);
    case 3: return mask >> formulas_below(f, width);
    case 4:
    case 5: return formulas_below(f, 128) & mask;
    case 6: return -(U128)formulas_below(f, 16) & mask;
    default: return ((U128)random_next(&f->random) << 64 | random_next(&f->random)) & mask;
    }
}

static inline void formulas_init(Formulas *f, ExprPool *pool, uint64_t seed)
{
    *f = (Formulas){.pool = pool, .hidden = expr_model_new(pool)};
    random_seed(&f->random, seed);
    f->var_count = 1 + (unsigned)formulas_below(f, 4);
    for (unsigned i = 0; i < f->var_count; i++) {
        char name[] = {'v', (char)('0' + i), 0};
        f->vars[i] = expr_var(pool, formulas_width(f), name);
        expr_model_set(f->hidden, f->vars[i], formulas_value(f, expr_width(pool, f->vars[i])));
    }
}

static inline void formulas_release(Formulas *f)
{
    expr_model_free(f->hidden);
}

/* The expression with another number of bits, cut or extended. */
static inline Expr formulas_fit(Formulas *f, Expr e, unsigned width)
{
    unsigned has = expr_width(f->pool, e);
    if (has == width) return e;
    if (has > width) return expr_extract(f->pool, e, (unsigned)formulas_below(f, has - width + 1), width);
    if (has * 2 == width && !formulas_below(f, 3)) return expr_binary(f->pool, EXPR_CONCAT, e, e);
    return formulas_below(f, 2) ? expr_zext(f->pool, e, width) : expr_sext(f->pool, e, width);
}

static inline Expr formulas_const(Formulas *f, unsigned width)
{
    return expr_const(f->pool, width, formulas_value(f, width));
}

static inline Expr formulas_leaf(Formulas *f, unsigned width)
{
    if (!formulas_below(f, 3)) return formulas_const(f, width);
    return formulas_fit(f, f->vars[formulas_below(f, f->var_count)], width);
}

static Expr formulas_term(Formulas *f, unsigned depth, unsigned width);
static Expr formulas_condition(Formulas *f, unsigned depth);

static inline Expr formulas_index(Formulas *f, unsigned depth)
{
    return formulas_below(f, 3) ? expr_zext(f->pool, formulas_term(f, depth, 8), 64) : formulas_term(f, depth, 64);
}

static inline Expr formulas_select(Formulas *f, unsigned depth, unsigned width)
{
    static const unsigned lengths[] = {1, 2, 5, 16, 100, 256};
    Expr elements[256], array;
    unsigned length = lengths[formulas_below(f, COUNT_OF(lengths))];
    bool constants = formulas_below(f, 4);
    for (unsigned i = 0; i < length; i++) elements[i] = constants || i > 8 ? formulas_const(f, width) : formulas_leaf(f, width);
    array = expr_array(f->pool, width, elements, length);
    for (uint64_t n = formulas_below(f, 3); n > 0; n--)
        array = expr_store(f->pool, array, formulas_index(f, depth), formulas_term(f, depth, width));
    return expr_select(f->pool, array, formulas_index(f, depth));
}

static inline U128 formulas_mix(void *data, const U128 *arguments, uint32_t count)
{
    U128 result = *(const uint64_t *)data;
    for (uint32_t i = 0; i < count; i++) result = (result ^ arguments[i]) * 0x9e3779b97f4a7c15u;
    return result ^ result >> 17;
}

static uint64_t formulas_seed_of_mix = 77;
static const ExprFunction formulas_function = {"mix", formulas_mix, &formulas_seed_of_mix};

static inline Expr formulas_float_term(Formulas *f, unsigned depth, unsigned width)
{
    static const ExprKind kinds[] = {EXPR_FADD, EXPR_FSUB, EXPR_FMUL, EXPR_FDIV, EXPR_FADD, EXPR_FSUB, EXPR_FREM};
    static const unsigned widths[] = {32, 32, 64, 64, 80};
    unsigned other = widths[formulas_below(f, 5)];
    switch (formulas_below(f, 8)) {
    case 0: return expr_unary(f->pool, EXPR_FSQRT, formulas_term(f, depth, width));
    case 1: return expr_convert(f->pool, EXPR_FCONVERT, formulas_term(f, depth, other), width);
    case 2: return expr_convert(f->pool, EXPR_SITOF, formulas_term(f, depth, formulas_width(f)), width);
    case 3: return expr_convert(f->pool, EXPR_UITOF, formulas_term(f, depth, formulas_width(f)), width);
    default: break;
    }
    ExprKind kind = kinds[formulas_below(f, COUNT_OF(kinds))];
    return expr_binary(f->pool, kind, formulas_term(f, depth, width), formulas_term(f, depth, width));
}

/* What joins two terms of the width: mostly cheap operators, multiplication and division of many bits seldom. */
static inline Expr formulas_arithmetic(Formulas *f, unsigned depth, unsigned width)
{
    static const ExprKind cheap[] = {EXPR_ADD, EXPR_ADD, EXPR_SUB, EXPR_AND, EXPR_OR, EXPR_XOR, EXPR_SHL, EXPR_LSHR, EXPR_ASHR};
    static const ExprKind dear[] = {EXPR_MUL, EXPR_MUL, EXPR_UDIV, EXPR_SDIV, EXPR_UREM, EXPR_SREM};
    bool is_dear = !formulas_below(f, width > 16 ? 8 : 3);
    ExprKind kind = is_dear ? dear[formulas_below(f, COUNT_OF(dear))] : cheap[formulas_below(f, COUNT_OF(cheap))];
    Expr a = formulas_term(f, depth, width);
    bool simple = (is_dear && width > 16) || !formulas_below(f, 2);
    return expr_binary(f->pool, kind, a, simple ? formulas_const(f, width) : formulas_term(f, depth, width));
}

static Expr formulas_term(Formulas *f, unsigned depth, unsigned width)
{
    static const ExprKind counts[] = {EXPR_CTPOP, EXPR_CTLZ, EXPR_CTTZ};
    ExprPool *pool = f->pool;
    if (depth == 0) return formulas_leaf(f, width);
    depth--;
    if (width == 1 && formulas_below(f, 2)) return formulas_condition(f, depth);
    if (f->floats && !formulas_below(f, 2)) {
        if (width == 32 || width == 64 || width == 80) return formulas_float_term(f, depth, width);
        ExprKind kind = formulas_below(f, 2) ? EXPR_FTOSI : EXPR_FTOUI;
        if (!formulas_below(f, 3)) return expr_convert(pool, kind, formulas_term(f, depth, formulas_below(f, 2) ? 32 : 64), width);
    }
    switch (formulas_below(f, 12)) {
    case 0: return expr_ite(pool, formulas_condition(f, depth), formulas_term(f, depth, width), formulas_term(f, depth, width));
    case 1: return formulas_fit(f, formulas_term(f, depth, formulas_width(f)), width);
    case 2: return expr_not(pool, formulas_term(f, depth, width));
    case 3: return formulas_select(f, depth > 2 ? 2 : depth, width);
    case 4: return expr_unary(pool, counts[formulas_below(f, 3)], formulas_term(f, depth, width));
    case 5:
        if (!f->applies) break;
        Expr arguments[] = {formulas_term(f, depth, width), formulas_term(f, depth, 8)};
        return expr_apply(pool, &formulas_function, width, arguments, 2);
    default: break;
    }
    return formulas_arithmetic(f, depth, width);
}

/* A constant near to the value that the term has in the hidden solution. */
static inline Expr formulas_near(Formulas *f, Expr term)
{
    U128 value = expr_eval(f->hidden, term) + (formulas_below(f, 2) ? 0 : formulas_below(f, 5)) - 2 * formulas_below(f, 2);
    return expr_const(f->pool, expr_width(f->pool, term), value);
}

static inline Expr formulas_compare(Formulas *f, Expr left)
{
    static const ExprKind kinds[] = {EXPR_EQ, EXPR_EQ, EXPR_ULT, EXPR_ULE, EXPR_SLT, EXPR_SLE};
    static const ExprKind float_kinds[] = {EXPR_FEQ, EXPR_FLT, EXPR_FLE, EXPR_FUNO};
    unsigned width = expr_width(f->pool, left);
    f->recent = left;
    Expr right = formulas_below(f, 4) ? formulas_near(f, left) : formulas_term(f, 1, width);
    if (f->floats && (width == 32 || width == 64 || width == 80) && formulas_below(f, 3)) {
        ExprKind kind = float_kinds[formulas_below(f, formulas_below(f, 3) ? 3 : 4)];
        return formulas_below(f, 2) ? expr_binary(f->pool, kind, left, right) : expr_binary(f->pool, kind, right, left);
    }
    ExprKind kind = kinds[formulas_below(f, COUNT_OF(kinds))];
    return formulas_below(f, 2) ? expr_binary(f->pool, kind, left, right) : expr_binary(f->pool, kind, right, left);
}

/* What programs compare: a byte, a sum of bytes, masked bits, a scaled word, an element of a table. */
static inline Expr formulas_program_term(Formulas *f)
{
    ExprPool *pool = f->pool;
    Expr byte = formulas_fit(f, f->vars[formulas_below(f, f->var_count)], 8), sum;
    switch (formulas_below(f, 6)) {
    case 0: return byte;
    case 1: return expr_zext(pool, byte, 32);
    case 2:
        sum = expr_zext(pool, byte, 32);
        for (int i = 0; i < 3; i++) sum = expr_add(pool, sum, formulas_fit(f, f->vars[formulas_below(f, f->var_count)], 32));
        return sum;
    case 3: return expr_and(pool, formulas_leaf(f, 32), formulas_const(f, 32));
    case 4:
        return expr_binary(pool, formulas_below(f, 2) ? EXPR_MUL : EXPR_UREM, formulas_leaf(f, 32),
                           expr_const(pool, 32, 3 + formulas_below(f, 200)));
    default: return formulas_select(f, 0, 8);
    }
}

static Expr formulas_condition(Formulas *f, unsigned depth)
{
    ExprPool *pool = f->pool;
    if (depth > 0 && !formulas_below(f, 5)) {
        Expr a = formulas_condition(f, depth - 1), b = formulas_condition(f, depth - 1);
        switch (formulas_below(f, 4)) {
        case 0: return expr_and(pool, a, b);
        case 1: return expr_or(pool, a, b);
        case 2: return expr_binary(pool, EXPR_XOR, a, b);
        default: return expr_ite(pool, formulas_condition(f, depth - 1), a, b);
        }
    }
    if (f->recent && !formulas_below(f, 3)) return formulas_compare(f, f->recent);
    if (!formulas_below(f, 2)) return formulas_compare(f, formulas_program_term(f));
    return formulas_compare(f, formulas_term(f, depth, formulas_width(f)));
}

/* A condition for a query: usually one that the hidden solution satisfies. */
static inline Expr formulas_next(Formulas *f)
{
    Expr condition = formulas_condition(f, (unsigned)formulas_below(f, 6));
    return expr_eval(f->hidden, condition) || !formulas_below(f, 4) ? condition : expr_not(f->pool, condition);
}

#endif
