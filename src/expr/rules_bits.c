/* Bitwise operators: AND, OR, XOR, NOT.
 *
 * Masks of at most three runs become structure: x & 0xff is ZEXT(EXTRACT x), clearing a bit-field cuts it out, and an OR of parts that do
 * not overlap is a CONCAT.  So bytes assembled by shifts and bit-fields written into words end as the CONCAT of what was put in. */
#include "expr/expr_int.h"

/* ---- negation ---- */

static Expr negated_order(ExprPool *pool, Expr a)
{
    Expr x = operand_a(pool, a), y = operand_b(pool, a);
    switch (expr_kind(pool, a)) {
    case EXPR_ULT: return expr_binary(pool, EXPR_ULE, y, x);
    case EXPR_ULE: return expr_binary(pool, EXPR_ULT, y, x);
    case EXPR_SLT: return expr_binary(pool, EXPR_SLE, y, x);
    case EXPR_SLE: return expr_binary(pool, EXPR_SLT, y, x);
    default: return 0;
    }
}

Expr rule_not(ExprPool *pool, Expr a)
{
    unsigned width = width_of(pool, a);
    Node node = *expr__node(pool, a);
    switch (node.kind) {
    case EXPR_NOT: return node.a;
    case EXPR_ULT:
    case EXPR_ULE:
    case EXPR_SLT:
    case EXPR_SLE: return negated_order(pool, a);
    case EXPR_ADD: /* ~(x + c) = (~c) - x */
        if (is_const(pool, node.b)) return expr_binary(pool, EXPR_SUB, expr_not(pool, node.b), node.a);
        return 0;
    case EXPR_SUB: /* ~(c - x) = x + ~c */
        if (is_const(pool, node.a)) return expr_add(pool, node.b, expr_not(pool, node.a));
        return 0;
    case EXPR_XOR:
        if (is_const(pool, node.b)) return expr_binary(pool, EXPR_XOR, node.a, expr_not(pool, node.b));
        return 0;
    case EXPR_SEXT: return expr_sext(pool, expr_not(pool, node.a), width);
    case EXPR_ZEXT:
        return expr_binary(pool, EXPR_CONCAT, expr_const(pool, width - width_of(pool, node.a), ~(U128)0), expr_not(pool, node.a));
    case EXPR_CONCAT:
        if (!is_const(pool, node.a) && !is_const(pool, node.b)) return 0;
        return expr_binary(pool, EXPR_CONCAT, expr_not(pool, node.a), expr_not(pool, node.b));
    case EXPR_ITE:
        if (!is_const(pool, node.b) || !is_const(pool, node.c)) return 0;
        return expr_ite(pool, node.a, expr_not(pool, node.b), expr_not(pool, node.c));
    default: return 0;
    }
}

bool expr__complements(const ExprPool *pool, Expr a, Expr b)
{
    const Node *x = expr__node(pool, a), *y = expr__node(pool, b);
    if (x->kind == EXPR_NOT && x->a == b) return true;
    if (y->kind == EXPR_NOT && y->a == a) return true;
    bool orders = (x->kind == EXPR_ULT && y->kind == EXPR_ULE) || (x->kind == EXPR_ULE && y->kind == EXPR_ULT) ||
                  (x->kind == EXPR_SLT && y->kind == EXPR_SLE) || (x->kind == EXPR_SLE && y->kind == EXPR_SLT);
    return orders && x->a == y->b && x->b == y->a;
}

/* ---- masks as structure ---- */

/* How many runs of equal bits has the value? */
static unsigned count_runs(U128 value, unsigned width)
{
    return 1 + count_ones((value ^ value >> 1) & arith_mask(width - 1));
}

/* x with the runs where `take` has ones, and `fill` (all zeros or all ones) elsewhere. */
static Expr cut_runs(ExprPool *pool, Expr x, U128 take, U128 fill)
{
    unsigned width = width_of(pool, x);
    Expr result = 0;
    for (unsigned at = 0; at < width;) {
        bool taken = take >> at & 1;
        unsigned end = at;
        while (end < width && (take >> end & 1) == taken) end++;
        Expr piece = taken ? expr_extract(pool, x, at, end - at) : expr_const(pool, end - at, fill);
        result = result ? expr_binary(pool, EXPR_CONCAT, piece, result) : piece;
        at = end;
    }
    return result;
}

enum { RUNS = 3 };

/* A mask has no say where x's bit is that of the result anyway: there it is made neutral.  Thus a mask has one form, whatever was known. */
static Expr mask_const(ExprPool *pool, ExprKind kind, Expr x, Expr b)
{
    unsigned width = width_of(pool, x);
    U128 mask = arith_mask(width), value = const_value(pool, b);
    if (kind == EXPR_XOR) return value == mask ? expr_not(pool, x) : value ? 0 : x;
    ExprKnown known = expr__known(pool, x);
    U128 fill = kind == EXPR_AND ? 0 : mask, take = kind == EXPR_AND ? value : mask & ~value;
    U128 neutral = take | (kind == EXPR_AND ? known.zeros : known.ones);
    if (neutral == mask) return x;
    if (!take) return expr_const(pool, width, fill);
    if (count_runs(neutral, width) <= RUNS) return cut_runs(pool, x, neutral, fill);
    if (count_runs(take, width) <= RUNS) return cut_runs(pool, x, take, fill);
    return neutral == take ? 0 : expr_binary(pool, kind, x, expr_const(pool, width, kind == EXPR_AND ? neutral : ~neutral));
}

/* ---- cutting both operands ---- */

/* Where e is put together, or 0. */
static unsigned seam(const ExprPool *pool, Expr e)
{
    if (is_kind(pool, e, EXPR_CONCAT)) return width_of(pool, operand_b(pool, e));
    return is_kind(pool, e, EXPR_ZEXT) ? width_of(pool, operand_a(pool, e)) : 0;
}

static bool can_cut(const ExprPool *pool, Expr e)
{
    return is_const(pool, e) || seam(pool, e);
}

/* Is an operation with one of these constants no operation? */
static bool is_trivial(const ExprPool *pool, Expr a, Expr b)
{
    if (is_const(pool, a)) return is_const(pool, b) || is_zero(pool, a) || is_ones(pool, a);
    return is_const(pool, b) && (is_zero(pool, b) || is_ones(pool, b));
}

/* Does it pay to do the two halves for themselves: one of them vanishes, or loses a constant operand to the other's constant? */
static Expr bitwise_at(ExprPool *pool, ExprKind kind, Expr a, Expr b, unsigned at)
{
    unsigned width = width_of(pool, a);
    uint32_t before = pool->count;
    Expr a_high = expr_extract(pool, a, at, width - at), b_high = expr_extract(pool, b, at, width - at);
    Expr a_low = expr_extract(pool, a, 0, at), b_low = expr_extract(pool, b, 0, at);
    if (!is_trivial(pool, a_high, b_high) && !is_trivial(pool, a_low, b_low)) {
        expr__forget(pool, before);
        return 0;
    }
    Expr high = expr_binary(pool, kind, a_high, b_high), low = expr_binary(pool, kind, a_low, b_low);
    return expr_binary(pool, EXPR_CONCAT, high, low);
}

/* A word that is rotated and mixed again and again would end as single bits, each operation costing one for every bit: beyond so many pieces it stays whole.
 * AND and OR put words together from bytes and bit-fields, so they may have more of them. */
static bool too_many_pieces(const ExprPool *pool, ExprKind kind, Expr e)
{
    unsigned pieces = 1, most = kind == EXPR_XOR ? 4 : 16;
    for (; is_kind(pool, e, EXPR_CONCAT) && pieces <= most; e = operand_b(pool, e)) pieces++;
    return pieces > most;
}

static Expr bitwise_in_parts(ExprPool *pool, ExprKind kind, Expr a, Expr b)
{
    unsigned a_seam = seam(pool, a), b_seam = seam(pool, b);
    if (too_many_pieces(pool, kind, a) || too_many_pieces(pool, kind, b)) return 0;
    if (kind == EXPR_AND && is_kind(pool, a, EXPR_ZEXT)) return bitwise_at(pool, kind, a, b, a_seam);
    if (kind == EXPR_AND && is_kind(pool, b, EXPR_ZEXT)) return bitwise_at(pool, kind, a, b, b_seam);
    if (!can_cut(pool, a) || !can_cut(pool, b)) return 0;
    Expr result = a_seam ? bitwise_at(pool, kind, a, b, a_seam) : 0;
    if (!result && b_seam && b_seam != a_seam) result = bitwise_at(pool, kind, a, b, b_seam);
    return result;
}

/* Sign-extended operands: in the width before the extension.  A sign bit alone, repeated, chooses between constants. */
static Expr bitwise_extended(ExprPool *pool, ExprKind kind, Expr a, Expr b)
{
    if (!is_kind(pool, a, EXPR_SEXT)) return 0;
    Expr inner = operand_a(pool, a);
    unsigned width = width_of(pool, a), from = width_of(pool, inner);
    if (!is_const(pool, b)) {
        if (!is_kind(pool, b, EXPR_SEXT) || width_of(pool, operand_a(pool, b)) != from) return 0;
        return expr_sext(pool, expr_binary(pool, kind, inner, operand_a(pool, b)), width);
    }
    U128 value = const_value(pool, b), mask = arith_mask(width);
    if (from == 1) {
        U128 set = kind == EXPR_AND ? value : kind == EXPR_OR ? mask : mask & ~value, clear = kind == EXPR_AND ? 0 : value;
        return expr_ite(pool, inner, expr_const(pool, width, set), expr_const(pool, width, clear));
    }
    if (((U128)arith_sext(value & arith_mask(from), from) & mask) != value) return 0;
    return expr_sext(pool, expr_binary(pool, kind, inner, expr_const(pool, from, value)), width);
}

/* ---- algebra ---- */

static Expr constants_together(ExprPool *pool, ExprKind kind, Expr a, Expr b)
{
    if (!has_const(pool, a, kind)) return 0;
    Expr inner = operand_a(pool, a), constant = operand_b(pool, a);
    if (is_const(pool, b)) return expr_binary(pool, kind, inner, expr_binary(pool, kind, constant, b));
    return kind == EXPR_XOR ? expr_binary(pool, kind, expr_binary(pool, kind, inner, b), constant) : 0;
}

/* a & (a & b), a & (a | b), and the same with OR; b is the nested one. */
static Expr absorb(ExprPool *pool, ExprKind kind, Expr a, Expr b)
{
    ExprKind other = kind == EXPR_AND ? EXPR_OR : EXPR_AND;
    ExprKind inner = expr_kind(pool, b);
    if (inner != EXPR_AND && inner != EXPR_OR) return 0;
    Expr x = operand_a(pool, b), y = operand_b(pool, b);
    if (a == x || a == y) return inner == other ? a : b;
    bool negated = expr__complements(pool, a, x);
    if (!negated && !expr__complements(pool, a, y)) return 0;
    if (inner == kind) return expr_const(pool, width_of(pool, a), kind == EXPR_AND ? 0 : ~(U128)0);
    return expr_binary(pool, kind, a, negated ? y : x); /* a & (!a | y) = a & y */
}

static Expr xor_rules(ExprPool *pool, Expr a, Expr b)
{
    unsigned width = width_of(pool, a);
    if (a == b) return expr_const(pool, width, 0);
    if (expr__complements(pool, a, b)) return expr_const(pool, width, ~(U128)0);
    if (width == 1 && !is_const(pool, b)) return expr_not(pool, expr_eq(pool, a, b));
    if (is_kind(pool, a, EXPR_NOT) && is_kind(pool, b, EXPR_NOT))
        return expr_binary(pool, EXPR_XOR, operand_a(pool, a), operand_a(pool, b));
    if (is_kind(pool, a, EXPR_NOT)) {
        if (is_const(pool, b)) return expr_binary(pool, EXPR_XOR, operand_a(pool, a), expr_not(pool, b));
        return expr_not(pool, expr_binary(pool, EXPR_XOR, operand_a(pool, a), b));
    }
    if (is_kind(pool, b, EXPR_NOT)) return expr_not(pool, expr_binary(pool, EXPR_XOR, a, operand_a(pool, b)));
    if (is_kind(pool, a, EXPR_XOR) && (operand_a(pool, a) == b || operand_b(pool, a) == b))
        return operand_a(pool, a) == b ? operand_b(pool, a) : operand_a(pool, a);
    if (is_kind(pool, b, EXPR_XOR) && (operand_a(pool, b) == a || operand_b(pool, b) == a))
        return operand_a(pool, b) == a ? operand_b(pool, b) : operand_a(pool, b);
    return 0;
}

/* If `e` says that a part of some expression (an extraction) is equal to a constant, returns that part and sets *value to the constant; else returns 0. */
static Expr equal_part(const ExprPool *pool, Expr e, U128 *value)
{
    if (!is_kind(pool, e, EXPR_EQ) || !is_const(pool, operand_b(pool, e)) || !is_kind(pool, operand_a(pool, e), EXPR_EXTRACT)) return 0;
    *value = const_value(pool, operand_b(pool, e));
    return operand_a(pool, e);
}

/* Two parts of x that are next to each other and equal to constants are one part: `(x >> 8 & 255) == 1 && (x & 255) == 2` is `(x & 65535) == 258`.  Equations of
 * numbers that memory holds in bytes fall into such ones (eq_concat), and would stay so when another number is put in place of the bytes. */
static Expr equal_parts(ExprPool *pool, Expr high, Expr low)
{
    U128 upper, lower;
    Expr x = equal_part(pool, high, &upper), y = equal_part(pool, low, &lower);
    if (!x || !y || operand_a(pool, x) != operand_a(pool, y)) return 0;
    unsigned at = expr_extract_low(pool, y), seam = width_of(pool, y);
    if (expr_extract_low(pool, x) != at + seam) return 0;
    Expr whole = expr_extract(pool, operand_a(pool, x), at, seam + width_of(pool, x));
    return expr_eq(pool, whole, expr_const(pool, width_of(pool, whole), upper << seam | lower));
}

static Expr and_or_rules(ExprPool *pool, ExprKind kind, Expr a, Expr b)
{
    if (a == b) return a;
    if (expr__complements(pool, a, b)) return expr_const(pool, width_of(pool, a), kind == EXPR_AND ? 0 : ~(U128)0);
    Expr result = kind == EXPR_AND ? equal_parts(pool, a, b) : 0;
    if (!result && kind == EXPR_AND) result = equal_parts(pool, b, a);
    if (result) return result;
    result = absorb(pool, kind, a, b);
    if (!result) result = absorb(pool, kind, b, a);
    return result;
}

Expr rule_bitwise(ExprPool *pool, ExprKind kind, Expr a, Expr b)
{
    Expr result = kind == EXPR_XOR ? xor_rules(pool, a, b) : and_or_rules(pool, kind, a, b);
    if (!result) result = constants_together(pool, kind, a, b);
    if (!result) result = constants_together(pool, kind, b, a);
    if (!result) result = bitwise_extended(pool, kind, a, b);
    if (!result && is_const(pool, b)) result = mask_const(pool, kind, a, b);
    return result ? result : bitwise_in_parts(pool, kind, a, b);
}
