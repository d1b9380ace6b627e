/* Construction: each constructor checks widths, folds constants, puts the operands of commutative kinds in order (constants second, else
 * the older one first), asks the rules of the operator's family, and only then makes a node.
 *
 * Rules call constructors again, always on something smaller: narrower, or nearer to the leaves.  What bounds the depth is nevertheless
 * counted, not argued: beyond RULE_DEPTH nested calls no rule is applied, which is always sound. */
#include "expr/expr_int.h"

static Expr fold1(ExprPool *pool, ExprKind kind, unsigned width, Expr a)
{
    return expr_const(pool, width, expr_fold(kind, width, width_of(pool, a), const_value(pool, a), 0, 0));
}

static bool enter_rules(ExprPool *pool)
{
    return ++pool->depth < RULE_DEPTH;
}

static Expr leave_rules(ExprPool *pool, Expr result)
{
    assert(pool->depth > 0);
    pool->depth--;
    return result;
}

static bool is_array(const ExprPool *pool, Expr e)
{
    return is_kind(pool, e, EXPR_ARRAY) || is_kind(pool, e, EXPR_STORE);
}

static bool is_float_width(unsigned width)
{
    return width == 32 || width == 64 || width == 80;
}

static void require_value(const ExprPool *pool, Expr e)
{
    REQUIRE(e > 0 && e < pool->count, "not an expression of this pool");
    REQUIRE(!is_array(pool, e), "an array is no operand here");
}

static Expr rule_unary(ExprPool *pool, ExprKind kind, Expr a)
{
    switch (kind) {
    case EXPR_NOT: return rule_not(pool, a);
    case EXPR_CTPOP:
    case EXPR_CTLZ:
    case EXPR_CTTZ: return width_of(pool, a) > 1 ? 0 : kind == EXPR_CTPOP ? a : expr_not(pool, a);
    default: return 0;
    }
}

Expr expr_unary(ExprPool *pool, ExprKind kind, Expr a)
{
    require_value(pool, a);
    unsigned width = width_of(pool, a);
    if (kind == EXPR_FCONVERT) {
        REQUIRE(width == 32 || width == 64, "this float has no single other width: use expr_convert");
        return expr_convert(pool, kind, a, 96 - width);
    }
    REQUIRE(kind == EXPR_NOT || kind == EXPR_CTPOP || kind == EXPR_CTLZ || kind == EXPR_CTTZ || kind == EXPR_FSQRT, "not a unary kind");
    REQUIRE(kind != EXPR_FSQRT || is_float_width(width), "floats have 32, 64 or 80 bits");
    if (is_const(pool, a)) return fold1(pool, kind, width, a);
    Expr simple = enter_rules(pool) ? rule_unary(pool, kind, a) : 0;
    return leave_rules(pool, simple ? simple : expr__intern(pool, kind, width, a, 0, 0));
}

static Expr rule_binary(ExprPool *pool, ExprKind kind, Expr a, Expr b)
{
    switch (kind) {
    case EXPR_ADD: return rule_add(pool, a, b);
    case EXPR_SUB: return rule_sub(pool, a, b);
    case EXPR_MUL: return rule_mul(pool, a, b);
    case EXPR_UDIV:
    case EXPR_SDIV:
    case EXPR_UREM:
    case EXPR_SREM: return rule_divide(pool, kind, a, b);
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR: return rule_shift(pool, kind, a, b);
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_XOR: return rule_bitwise(pool, kind, a, b);
    case EXPR_EQ: return rule_eq(pool, a, b);
    case EXPR_ULT:
    case EXPR_ULE:
    case EXPR_SLT:
    case EXPR_SLE: return rule_less(pool, kind, a, b);
    case EXPR_CONCAT: return rule_concat(pool, a, b);
    default: return rule_float(pool, kind, a, b);
    }
}

static unsigned binary_width(const ExprPool *pool, ExprKind kind, Expr a, Expr b)
{
    unsigned width = width_of(pool, a);
    if (kind == EXPR_CONCAT) {
        REQUIRE(width + width_of(pool, b) <= 128, "expressions have 1 to 128 bits");
        return width + width_of(pool, b);
    }
    REQUIRE(width == width_of(pool, b), "operands of different widths");
    switch (kind) {
    case EXPR_EQ:
    case EXPR_ULT:
    case EXPR_ULE:
    case EXPR_SLT:
    case EXPR_SLE: return 1;
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_UDIV:
    case EXPR_SDIV:
    case EXPR_UREM:
    case EXPR_SREM:
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR:
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_XOR: return width;
    default: break;
    }
    REQUIRE(is_float_width(width), "floats have 32, 64 or 80 bits");
    switch (kind) {
    case EXPR_FEQ:
    case EXPR_FLT:
    case EXPR_FLE:
    case EXPR_FUNO: return 1;
    case EXPR_FADD:
    case EXPR_FSUB:
    case EXPR_FMUL:
    case EXPR_FDIV:
    case EXPR_FREM: return width;
    default: REQUIRE(false, "not a binary kind"); return 0;
    }
}

Expr expr_binary(ExprPool *pool, ExprKind kind, Expr a, Expr b)
{
    require_value(pool, a);
    require_value(pool, b);
    unsigned width = binary_width(pool, kind, a, b);
    bool first = is_const(pool, a), second = is_const(pool, b);
    if (first && second) {
        U128 value = expr_fold(kind, width, width_of(pool, b), const_value(pool, a), const_value(pool, b), 0);
        return expr_const(pool, width, value);
    }
    if (expr__commutes(kind) && (first || (!second && a > b))) {
        Expr swapped = a;
        a = b;
        b = swapped;
    }
    expr__expect(pool, a, b);
    Expr simple = enter_rules(pool) ? rule_binary(pool, kind, a, b) : 0;
    return leave_rules(pool, simple ? simple : expr__intern(pool, kind, width, a, b, 0));
}

Expr expr_extract(ExprPool *pool, Expr a, unsigned low, unsigned width)
{
    require_value(pool, a);
    REQUIRE(width >= 1 && width <= 128 && low + width <= width_of(pool, a), "extraction reaches beyond its operand");
    if (width == width_of(pool, a)) return a;
    if (is_const(pool, a)) return expr_const(pool, width, const_value(pool, a) >> low);
    Expr simple = enter_rules(pool) ? rule_extract(pool, a, low, width) : 0;
    return leave_rules(pool, simple ? simple : expr__intern(pool, EXPR_EXTRACT, width, a, low, 0));
}

Expr expr_zext(ExprPool *pool, Expr a, unsigned width)
{
    require_value(pool, a);
    REQUIRE(width >= width_of(pool, a) && width <= 128, "extension to fewer bits");
    if (width == width_of(pool, a)) return a;
    if (is_const(pool, a)) return fold1(pool, EXPR_ZEXT, width, a);
    Expr simple = enter_rules(pool) ? rule_zext(pool, a, width) : 0;
    return leave_rules(pool, simple ? simple : expr__intern(pool, EXPR_ZEXT, width, a, 0, 0));
}

Expr expr_sext(ExprPool *pool, Expr a, unsigned width)
{
    require_value(pool, a);
    REQUIRE(width >= width_of(pool, a) && width <= 128, "extension to fewer bits");
    if (width == width_of(pool, a)) return a;
    if (is_const(pool, a)) return fold1(pool, EXPR_SEXT, width, a);
    Expr simple = enter_rules(pool) ? rule_sext(pool, a, width) : 0;
    return leave_rules(pool, simple ? simple : expr__intern(pool, EXPR_SEXT, width, a, 0, 0));
}

Expr expr_ite(ExprPool *pool, Expr condition, Expr yes, Expr no)
{
    require_value(pool, condition);
    require_value(pool, yes);
    require_value(pool, no);
    REQUIRE(width_of(pool, condition) == 1, "a condition has one bit");
    REQUIRE(width_of(pool, yes) == width_of(pool, no), "operands of different widths");
    if (yes == no) return yes;
    if (is_const(pool, condition)) return const_value(pool, condition) ? yes : no;
    Expr simple = enter_rules(pool) ? rule_ite(pool, condition, yes, no) : 0;
    return leave_rules(pool, simple ? simple : expr__intern(pool, EXPR_ITE, width_of(pool, yes), condition, yes, no));
}

Expr expr_convert(ExprPool *pool, ExprKind kind, Expr a, unsigned width)
{
    require_value(pool, a);
    bool from_float = kind != EXPR_SITOF && kind != EXPR_UITOF, to_float = kind != EXPR_FTOSI && kind != EXPR_FTOUI;
    REQUIRE(!from_float || !to_float || kind == EXPR_FCONVERT, "not a conversion");
    REQUIRE(!from_float || is_float_width(width_of(pool, a)), "floats have 32, 64 or 80 bits");
    REQUIRE(to_float ? is_float_width(width) : width >= 1 && width <= 128, "no such width of a conversion's result");
    if (kind == EXPR_FCONVERT && width == width_of(pool, a)) return a;
    if (is_const(pool, a)) return fold1(pool, kind, width, a);
    return expr__intern(pool, kind, width, a, 0, 0);
}

Expr expr_array(ExprPool *pool, unsigned width, const Expr *elements, uint32_t count)
{
    REQUIRE(width >= 1 && width <= 128, "expressions have 1 to 128 bits");
    for (uint32_t i = 0; i < count; i++) {
        require_value(pool, elements[i]);
        REQUIRE(width_of(pool, elements[i]) == width, "an element of another width");
    }
    return expr__intern_list(pool, EXPR_ARRAY, width, elements, count, NULL);
}

static void require_access(const ExprPool *pool, Expr array, Expr index)
{
    REQUIRE(array > 0 && array < pool->count && is_array(pool, array), "not an array of this pool");
    require_value(pool, index);
    REQUIRE(width_of(pool, index) == 64, "an index has 64 bits");
}

Expr expr_store(ExprPool *pool, Expr array, Expr index, Expr element)
{
    require_access(pool, array, index);
    require_value(pool, element);
    REQUIRE(width_of(pool, element) == width_of(pool, array), "an element of another width");
    Expr simple = rule_store(pool, array, index, element);
    return simple ? simple : expr__intern(pool, EXPR_STORE, width_of(pool, array), array, index, element);
}

Expr expr_select(ExprPool *pool, Expr array, Expr index)
{
    require_access(pool, array, index);
    return rule_select(pool, array, index);
}

Expr expr_apply(ExprPool *pool, const ExprFunction *function, unsigned width, const Expr *arguments, uint32_t count)
{
    REQUIRE(width >= 1 && width <= 128, "expressions have 1 to 128 bits");
    bool constant = true;
    for (uint32_t i = 0; i < count; i++) {
        require_value(pool, arguments[i]);
        constant &= is_const(pool, arguments[i]);
    }
    if (!constant) return expr__intern_list(pool, EXPR_APPLY, width, arguments, count, function);
    Vec(U128) values = {0};
    vec_reserve(&values, count + 1);
    for (uint32_t i = 0; i < count; i++) vec_push(&values, const_value(pool, arguments[i]));
    U128 value = function->call(function->data, values.data, count);
    vec_release(&values);
    return expr_const(pool, width, value);
}
