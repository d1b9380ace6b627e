/* Projection of inputs: what remains of a condition if the inputs in it may have any value.
 *
 * A comparison holds for some value of the inputs only if it holds with the larger side at its largest and the smaller side at its smallest.  Numbers are
 * bounded through concatenation and extension by zeros, in which each part only makes the whole larger; anything else that contains an input is bounded by its
 * width.  The result may hold for more states than the condition, never for fewer. */
#include "prove/backward_int.h"

static bool has_input(Vars *vars, Expr e)
{
    return vars_flags(vars, e) & HAS_INPUT;
}

static Expr extreme(ExprPool *pool, unsigned width, bool largest)
{
    return expr_const(pool, width, largest ? ~(U128)0 >> (128 - width) : 0);
}

/* The smallest or largest number, without sign, that the expression can be. */
static Expr bound(Vars *vars, Expr e, bool largest)
{
    ExprPool *pool = vars->pool;
    if (!has_input(vars, e)) return e;
    if (expr_kind(pool, e) == EXPR_CONCAT)
        return expr_binary(pool, EXPR_CONCAT, bound(vars, expr_operand(pool, e, 0), largest),
                           bound(vars, expr_operand(pool, e, 1), largest));
    if (expr_kind(pool, e) == EXPR_ZEXT) return expr_zext(pool, bound(vars, expr_operand(pool, e, 0), largest), expr_width(pool, e));
    return extreme(pool, expr_width(pool, e), largest);
}

/* Does the expression's sign depend on no input? */
static bool has_fixed_sign(Vars *vars, Expr e)
{
    while (expr_kind(vars->pool, e) == EXPR_CONCAT) e = expr_operand(vars->pool, e, 0);
    return !has_input(vars, e) || expr_kind(vars->pool, e) == EXPR_ZEXT;
}

/* The low bits of a sum depend on the low bits of its parts alone, which may be constants where the part is an input: of `x + 4 * i` the lowest two are those of x. */
static Expr low_bits(Vars *vars, Expr e)
{
    ExprPool *pool = vars->pool;
    if (!has_input(vars, e) || expr_kind(pool, e) != EXPR_EXTRACT || expr_extract_low(pool, e) != 0) return e;
    Expr sum = expr_operand(pool, e, 0);
    ExprKind kind = expr_kind(pool, sum);
    if (kind != EXPR_ADD && kind != EXPR_SUB && kind != EXPR_MUL) return e;
    Expr a = low_bits(vars, expr_extract(pool, expr_operand(pool, sum, 0), 0, expr_width(pool, e)));
    Expr b = low_bits(vars, expr_extract(pool, expr_operand(pool, sum, 1), 0, expr_width(pool, e)));
    return has_input(vars, a) || has_input(vars, b) ? e : expr_binary(pool, kind, a, b);
}

static Expr project_comparison(Vars *vars, ExprKind kind, Expr a, Expr b)
{
    ExprPool *pool = vars->pool;
    bool is_signed = kind == EXPR_SLT || kind == EXPR_SLE;
    if (is_signed && !(has_fixed_sign(vars, a) && has_fixed_sign(vars, b))) return expr_const(pool, 1, 1);
    return expr_binary(pool, kind, bound(vars, a, false), bound(vars, b, true));
}

static Expr project(Vars *vars, Expr e, bool negated)
{
    ExprPool *pool = vars->pool;
    ExprKind kind = expr_kind(pool, e);
    if (!has_input(vars, e)) return negated ? expr_not(pool, e) : e;
    Expr a = expr_operand_count(kind) > 0 ? expr_operand(pool, e, 0) : 0, b = expr_operand_count(kind) > 1 ? expr_operand(pool, e, 1) : 0;
    switch (kind) {
    case EXPR_NOT: return project(vars, a, !negated);
    case EXPR_AND:
    case EXPR_OR:
        return expr_binary(pool, (kind == EXPR_AND) != negated ? EXPR_AND : EXPR_OR, project(vars, a, negated), project(vars, b, negated));
    case EXPR_ULT: return negated ? project_comparison(vars, EXPR_ULE, b, a) : project_comparison(vars, kind, a, b);
    case EXPR_ULE: return negated ? project_comparison(vars, EXPR_ULT, b, a) : project_comparison(vars, kind, a, b);
    case EXPR_SLT: return negated ? project_comparison(vars, EXPR_SLE, b, a) : project_comparison(vars, kind, a, b);
    case EXPR_SLE: return negated ? project_comparison(vars, EXPR_SLT, b, a) : project_comparison(vars, kind, a, b);
    case EXPR_EQ:
        a = low_bits(vars, a);
        b = low_bits(vars, b);
        if (!has_input(vars, a) && !has_input(vars, b)) return negated ? expr_not(pool, expr_eq(pool, a, b)) : expr_eq(pool, a, b);
        if (!negated) return expr_and(pool, project_comparison(vars, EXPR_ULE, a, b), project_comparison(vars, EXPR_ULE, b, a));
        return expr_const(pool, 1, 1);
    default: return expr_const(pool, 1, 1);
    }
}

Expr conditions_project(Vars *vars, Expr condition)
{
    return project(vars, condition, false);
}
