/* Expressions as a person would write them.
 *
 * The simplifier's normal forms are turned back into what stood in the program: x < 11 into x <= 10, x + 4294967295 into x - 1, a part of a word
 * into a mask or a shift, its sign bit into x < 0.  Widenings are not shown: C has them without a word as well.  A one-bit expression is a
 * condition; a negation goes down to the comparisons.
 *
 * Precedence is that of C, but all comparisons are on one level.  Shared parts are repeated, so the text can be exponential in the nodes; it
 * is cut at LIMIT.  What writes nothing on its way down is bounded by DEPTH, so the time is that of the text. */
#include "expr/expr_int.h"

#include <stdio.h>
#include <stdlib.h>

enum { LIMIT = 2000, DEPTH = 250, ELEMENTS = 8, PIECES = 8 };

typedef enum Level { CHOICE, EITHER, BOTH, DENIAL, BIT_OR, BIT_XOR, BIT_AND, COMPARISON, SHIFT, SUM, PRODUCT, SIGN, ATOM } Level;

/* What the place of an expression says of constants in it. */
typedef enum Reading { OPEN, SIGNED, UNSIGNED, FLOATING } Reading;

typedef struct Text {
    const ExprPool *pool;
    StrBuf *out;
    size_t start;
    unsigned depth;
    bool is_signed;
    bool full; /* nothing is written any more */
} Text;

static void put_value(Text *t, Expr e, Level least, Reading reading);
static void put_condition(Text *t, Expr e, bool negated, Level least);

/* ---- words ---- */

static void put(Text *t, const char *text)
{
    if (t->full) return;
    if (t->out->len - t->start + strlen(text) > LIMIT) {
        t->full = true;
        text = "…";
    }
    strbuf_add(t->out, text);
}

static bool open_bracket(Text *t, Level own, Level least)
{
    if (own < least) put(t, "(");
    return own < least;
}

static void close_bracket(Text *t, bool opened)
{
    if (opened) put(t, ")");
}

static void put_decimal(Text *t, U128 value)
{
    char digits[48], *at = digits + sizeof digits;
    *--at = 0;
    do *--at = (char)('0' + (unsigned)(value % 10));
    while (value /= 10);
    put(t, at);
}

static bool above_middle(U128 value, unsigned width)
{
    return value >> (width - 1) & 1;
}

static U128 magnitude(U128 value, unsigned width)
{
    return -value & arith_mask(width);
}

static bool reads_negative(const Text *t, U128 value, unsigned width, Reading reading)
{
    if (!above_middle(value, width) || reading == UNSIGNED) return false;
    if (reading == SIGNED || t->is_signed) return true;
    bool is_usual = width >= 16 && is_power_of_two(width);
    return is_usual && magnitude(value, width) <= (U128)1 << (width / 2);
}

static void put_integer(Text *t, U128 value, unsigned width, Level least, Reading reading)
{
    if (!reads_negative(t, value, width, reading)) {
        put_decimal(t, value);
        return;
    }
    bool opened = open_bracket(t, SIGN, least);
    put(t, "-");
    put_decimal(t, magnitude(value, width));
    close_bracket(t, opened);
}

/* The fewest digits that mean this very number. */
static void put_float(Text *t, U128 bits, unsigned width, Level least)
{
    char text[64];
    long double value = width == 32 ? arith_f32((uint64_t)bits) : width == 64 ? arith_f64((uint64_t)bits) : arith_f80(bits);
    for (int digits = 1; digits <= 21; digits++) {
        snprintf(text, sizeof text, "%.*Lg", digits, value);
        long double again = width == 32 ? strtof(text, NULL) : width == 64 ? strtod(text, NULL) : strtold(text, NULL);
        if (again == value || value != value) break;
    }
    if (!strpbrk(text, ".en")) strcat(text, ".0");
    bool opened = open_bracket(t, text[0] == '-' ? SIGN : ATOM, least);
    put(t, text);
    close_bracket(t, opened);
}

static bool is_float_width(unsigned width)
{
    return width == 32 || width == 64 || width == 80;
}

static void put_const(Text *t, Expr e, Level least, Reading reading)
{
    unsigned width = width_of(t->pool, e);
    if (reading == FLOATING && is_float_width(width)) put_float(t, const_value(t->pool, e), width, least);
    else put_integer(t, const_value(t->pool, e), width, least, reading);
}

static void put_name(Text *t, Expr e, Level least)
{
    const char *name = expr_var_name(t->pool, e);
    bool opened = open_bracket(t, strchr("*&-!~", name[0]) && name[0] ? SIGN : ATOM, least);
    put(t, name);
    close_bracket(t, opened);
}

static void put_list(Text *t, const Expr *list, uint32_t count, uint32_t most)
{
    for (uint32_t i = 0; i < count && !t->full; i++) {
        if (i) put(t, ", ");
        if (i == most) {
            put(t, "…");
            return;
        }
        put_value(t, list[i], CHOICE, OPEN);
    }
}

static void put_call(Text *t, const char *name, const Expr *list, uint32_t count)
{
    put(t, name);
    put(t, "(");
    put_list(t, list, count, UINT32_MAX);
    put(t, ")");
}

/* ---- widenings and parts ---- */

static bool is_widening(const ExprPool *pool, Expr e)
{
    const Node *node = expr__node(pool, e);
    if (node->kind == EXPR_FCONVERT) return node->width > width_of(pool, node->a);
    return (node->kind == EXPR_ZEXT || node->kind == EXPR_SEXT) && width_of(pool, node->a) > 1;
}

/* Is e a part of a word that is not the word's value, signed or not? */
static bool is_part(const ExprPool *pool, Expr e)
{
    const Node *node = expr__node(pool, e);
    if (node->kind != EXPR_EXTRACT) return false;
    return node->b > 0 || node->width == 1 || expr__known(pool, node->a).high >= sign_bit(node->width);
}

/* What is shown for e: without widenings, and without truncations that change nothing. */
static Expr bare(const ExprPool *pool, Expr e)
{
    for (;;) {
        const Node *node = expr__node(pool, e);
        bool is_idle = node->kind == EXPR_EXTRACT && !is_part(pool, e);
        if (!is_idle && (!is_widening(pool, e) || is_part(pool, node->a))) return e;
        e = node->a;
    }
}

/* Bits of one word, moved by one distance, among constant bits. */
typedef struct Bits {
    Expr word;
    int down;     /* by how many bits it is shifted right; negative: left */
    U128 taken;   /* bits of the result that are its bits */
    U128 ones;    /* bits of the result that are 1 */
    bool is_top;  /* the word's highest bit is among them, or the result's is */
    bool is_sign; /* … and fills what is above */
} Bits;

static bool add_piece(const ExprPool *pool, Bits *bits, Expr piece, unsigned at, unsigned total)
{
    const Node *node = expr__node(pool, piece);
    if (node->kind == EXPR_CONST) {
        bits->ones |= node_value(node) << at;
        return true;
    }
    bool is_extract = node->kind == EXPR_EXTRACT;
    Expr word = is_extract ? node->a : piece;
    int down = (is_extract ? (int)node->b : 0) - (int)at;
    if (bits->word && (bits->word != word || bits->down != down)) return false;
    bits->word = word;
    bits->down = down;
    bits->taken |= arith_mask(node->width) << at;
    unsigned end = at + node->width;
    if (end == total || (unsigned)((int)end + down) == width_of(pool, word)) bits->is_top = true;
    return true;
}

/* The pieces of a CONCAT, the lowest last; 0: there are too many. */
static unsigned pieces_of(const ExprPool *pool, Expr e, Expr pieces[PIECES])
{
    unsigned count = 0;
    for (; is_kind(pool, e, EXPR_CONCAT); e = operand_b(pool, e)) {
        if (count == PIECES - 1) return 0;
        pieces[count++] = operand_a(pool, e);
    }
    pieces[count++] = e;
    return count;
}

/* Is e, widened to so many bits, a mask or a shift of one word? */
static bool find_bits(const ExprPool *pool, Expr e, unsigned total, Bits *bits)
{
    Expr pieces[PIECES];
    unsigned at = 0;
    bool is_sext = is_kind(pool, e, EXPR_SEXT);
    *bits = (Bits){0};
    if (is_sext || is_kind(pool, e, EXPR_ZEXT)) e = operand_a(pool, e);
    for (unsigned i = pieces_of(pool, e, pieces); i-- > 0;) {
        if (!add_piece(pool, bits, pieces[i], at, total)) return false;
        at += width_of(pool, pieces[i]);
    }
    if (!bits->word || (bits->word == e && !bits->down)) return false;
    bits->is_sign = is_sext;
    if (is_sext) bits->taken |= arith_mask(total) & ~arith_mask(at);
    return !is_sext || bits->is_top;
}

static bool is_run_from_shift(const Bits *bits)
{
    U128 low = bits->down < 0 ? (U128)1 << -bits->down : 1, run = bits->taken + low;
    return !(bits->taken & (low - 1)) && (!run || is_power_of_two(run));
}

static void put_shifted(Text *t, const Bits *bits, bool masked, Level least)
{
    if (!bits->down) {
        put_value(t, bits->word, least, OPEN);
        return;
    }
    bool is_plain = masked || bits->is_sign || bits->down < 0 || expr__nonnegative(t->pool, bits->word);
    bool opened = open_bracket(t, SHIFT, least);
    put_value(t, bits->word, SHIFT, OPEN);
    put(t, bits->down < 0 ? " << " : is_plain ? " >> " : " >>u ");
    put_decimal(t, (U128)(bits->down < 0 ? -bits->down : bits->down));
    close_bracket(t, opened);
}

static void put_bits(Text *t, const Bits *bits, unsigned width, Level least)
{
    bool fills = (bits->taken | bits->ones) == arith_mask(width), has_ones = bits->ones;
    bool masked = !fills && !(bits->is_top && is_run_from_shift(bits) && bits->down);
    bool opened = open_bracket(t, has_ones ? BIT_OR : masked ? BIT_AND : ATOM, least);
    put_shifted(t, bits, masked, masked ? BIT_AND : has_ones ? BIT_OR : least);
    if (masked) {
        put(t, " & ");
        put_integer(t, bits->taken, width, SIGN, OPEN);
    }
    if (has_ones) {
        put(t, " | ");
        put_integer(t, bits->ones, width, SIGN, OPEN);
    }
    close_bracket(t, opened);
}

static void put_part(Text *t, const Node *node)
{
    char range[32];
    unsigned high = node->b + node->width - 1;
    if (high == node->b) snprintf(range, sizeof range, "{%u}", high);
    else snprintf(range, sizeof range, "{%u..%u}", high, node->b);
    put_value(t, node->a, ATOM, OPEN);
    put(t, range);
}

static void put_piece(Text *t, Expr piece, Level least)
{
    const Node *node = expr__node(t->pool, piece);
    if (node->kind == EXPR_EXTRACT) put_part(t, node);
    else if (node->kind == EXPR_CONST) put_decimal(t, node_value(node));
    else put_value(t, piece, least, UNSIGNED);
}

static bool is_simple_piece(const ExprPool *pool, Expr piece)
{
    const Node *node = expr__node(pool, piece);
    return node->kind == EXPR_VAR || node->kind == EXPR_CONST || (node->kind == EXPR_EXTRACT && is_kind(pool, node->a, EXPR_VAR));
}

/* Several words side by side: a << 8 | b. */
static void put_joined(Text *t, const Expr *pieces, unsigned count, unsigned width, Level least)
{
    bool opened = open_bracket(t, BIT_OR, least);
    bool first = true;
    for (unsigned i = 0; i < count; i++) {
        width -= width_of(t->pool, pieces[i]);
        if (is_zero(t->pool, pieces[i])) continue;
        if (!first) put(t, " | ");
        first = false;
        put_piece(t, pieces[i], width ? SHIFT : BIT_XOR);
        if (!width) break;
        put(t, " << ");
        put_decimal(t, width);
    }
    close_bracket(t, opened);
}

static void put_concat(Text *t, Expr e, Level least)
{
    Expr pieces[PIECES];
    Bits bits;
    unsigned count = pieces_of(t->pool, e, pieces), simple = 0;
    if (count && find_bits(t->pool, e, width_of(t->pool, e), &bits)) {
        put_bits(t, &bits, width_of(t->pool, e), least);
        return;
    }
    while (simple < count && is_simple_piece(t->pool, pieces[simple])) simple++;
    if (count && simple == count) {
        put_joined(t, pieces, count, width_of(t->pool, e), least);
        return;
    }
    put(t, "concat(");
    put_piece(t, operand_a(t->pool, e), CHOICE);
    put(t, ", ");
    put_piece(t, operand_b(t->pool, e), CHOICE);
    put(t, ")");
}

static void put_sign(Text *t, const char *sign, Expr e, Level least, Reading reading)
{
    bool opened = open_bracket(t, SIGN, least);
    put(t, sign);
    put_value(t, e, sign[0] == '(' ? SIGN : ATOM, reading);
    close_bracket(t, opened);
}

static void put_masked(Text *t, Expr e, Level least)
{
    bool opened = open_bracket(t, BIT_AND, least);
    put_value(t, e, BIT_AND, OPEN);
    put(t, " & ");
    put_decimal(t, arith_mask(width_of(t->pool, e)));
    close_bracket(t, opened);
}

/* A part read as a signed number. */
static void put_signed_part(Text *t, Expr e, Level least)
{
    const Node *node = expr__node(t->pool, e);
    if (node->b + node->width == width_of(t->pool, node->a)) {
        put_shifted(t, &(Bits){.word = node->a, .down = (int)node->b, .is_sign = true}, false, least);
        return;
    }
    put(t, "sext(");
    put_part(t, node);
    put(t, ")");
}

/* Would the value be another one in more bits?  C computes in an int at least. */
static bool may_wrap(const ExprPool *pool, Expr e)
{
    const Node *node = expr__node(pool, e);
    if (node->width >= 32) return false;
    return node->kind == EXPR_ADD || node->kind == EXPR_SUB || node->kind == EXPR_MUL || node->kind == EXPR_SHL || node->kind == EXPR_NOT;
}

static void put_zext(Text *t, const Node *node, Level least, Reading reading)
{
    bool matters = is_kind(t->pool, node->a, EXPR_SEXT) || may_wrap(t->pool, node->a);
    if (matters) put_masked(t, node->a, least);
    else put_value(t, node->a, least, reading);
}

static void put_sext(Text *t, const Node *node, Level least, Reading reading)
{
    bool is_narrow_concat = is_kind(t->pool, node->a, EXPR_CONCAT) && width_of(t->pool, node->a) < 32;
    if (is_part(t->pool, node->a)) put_signed_part(t, node->a, least);
    else if (is_narrow_concat || may_wrap(t->pool, node->a)) put_call(t, "sext", &node->a, 1);
    else put_value(t, node->a, least, reading);
}

/* ZEXT or SEXT. */
static void put_widened(Text *t, Expr e, Level least, Reading reading)
{
    const Node *node = expr__node(t->pool, e);
    bool is_sext = node->kind == EXPR_SEXT;
    Bits bits;
    if (width_of(t->pool, node->a) == 1) {
        if (is_sext) put_sign(t, "-", node->a, least, OPEN);
        else put_condition(t, node->a, false, least);
    } else if (find_bits(t->pool, e, node->width, &bits)) {
        put_bits(t, &bits, node->width, least);
    } else if (is_sext) {
        put_sext(t, node, least, reading);
    } else {
        put_zext(t, node, least, reading);
    }
}

/* ---- arithmetic ---- */

static const char *operator_of(const ExprPool *pool, const Node *node, Level *level)
{
    bool plain = expr__nonnegative(pool, node->a) && expr__nonnegative(pool, node->b);
    switch (node->kind) {
    case EXPR_ADD:
    case EXPR_FADD: return *level = SUM, " + ";
    case EXPR_SUB:
    case EXPR_FSUB: return *level = SUM, " - ";
    case EXPR_MUL:
    case EXPR_FMUL: return *level = PRODUCT, " * ";
    case EXPR_SDIV:
    case EXPR_FDIV: return *level = PRODUCT, " / ";
    case EXPR_SREM:
    case EXPR_FREM: return *level = PRODUCT, " % ";
    case EXPR_UDIV: return *level = PRODUCT, plain ? " / " : " /u ";
    case EXPR_UREM: return *level = PRODUCT, plain ? " % " : " %u ";
    case EXPR_SHL: return *level = SHIFT, " << ";
    case EXPR_ASHR: return *level = SHIFT, " >> ";
    case EXPR_LSHR: return *level = SHIFT, expr__nonnegative(pool, node->a) ? " >> " : " >>u ";
    case EXPR_AND: return *level = BIT_AND, " & ";
    case EXPR_OR: return *level = BIT_OR, " | ";
    case EXPR_XOR: return *level = BIT_XOR, " ^ ";
    default: return NULL;
    }
}

static Reading reading_inside(ExprKind kind, Reading outside)
{
    switch (kind) {
    case EXPR_FADD:
    case EXPR_FSUB:
    case EXPR_FMUL:
    case EXPR_FDIV:
    case EXPR_FREM: return FLOATING;
    case EXPR_SDIV:
    case EXPR_SREM:
    case EXPR_MUL: return SIGNED;
    case EXPR_UDIV:
    case EXPR_UREM: return UNSIGNED;
    case EXPR_ADD:
    case EXPR_SUB: return outside == FLOATING ? OPEN : outside;
    default: return OPEN;
    }
}

/* May the right operand stand without brackets though its operator is of the same level? */
static bool associates(const ExprPool *pool, ExprKind kind, Expr right)
{
    ExprKind inner = expr_kind(pool, bare(pool, right));
    if (kind == EXPR_ADD) return inner == EXPR_ADD || inner == EXPR_SUB;
    return inner == kind && (kind == EXPR_MUL || kind == EXPR_AND || kind == EXPR_OR || kind == EXPR_XOR);
}

static void put_binary(Text *t, Expr e, const char *sign, Level level, Level least, Reading reading)
{
    const Node *node = expr__node(t->pool, e);
    reading = reading_inside(node->kind, reading);
    bool opened = open_bracket(t, level, least);
    bool negates = node->kind == EXPR_ADD && is_const(t->pool, node->b) && above_middle(const_value(t->pool, node->b), node->width);
    put_value(t, node->a, level, reading);
    if (negates && const_value(t->pool, node->b) != sign_bit(node->width)) {
        put(t, " - ");
        put_decimal(t, magnitude(const_value(t->pool, node->b), node->width));
    } else {
        put(t, sign);
        if (node->kind == EXPR_ADD && is_const(t->pool, node->b)) reading = UNSIGNED;
        put_value(t, node->b, associates(t->pool, node->kind, node->b) ? level : level + 1, reading);
    }
    close_bracket(t, opened);
}

static void put_conversion(Text *t, const Node *node, Level least)
{
    char cast[32];
    bool to_float = node->kind != EXPR_FTOSI && node->kind != EXPR_FTOUI;
    const char *name = node->width == 32 ? "float" : node->width == 64 ? "double" : "long double";
    if (to_float) snprintf(cast, sizeof cast, "(%s)", name);
    else snprintf(cast, sizeof cast, "(%sint%u_t)", node->kind == EXPR_FTOUI ? "u" : "", node->width);
    if (node->kind != EXPR_UITOF || expr__nonnegative(t->pool, node->a)) {
        put_sign(t, cast, node->a, least, node->kind == EXPR_FCONVERT || !to_float ? FLOATING : OPEN);
        return;
    }
    bool opened = open_bracket(t, SIGN, least);
    put(t, cast);
    put_call(t, "unsigned", &node->a, 1);
    close_bracket(t, opened);
}

/* ---- comparisons ---- */

/* How likely is it that the bound of a range was written with this number? */
static unsigned roundness(U128 value, unsigned width, bool is_signed)
{
    U128 size = is_signed && above_middle(value, width) ? magnitude(value, width) : value;
    unsigned score = 0;
    if (!size) return 100;
    for (U128 rest = size; rest % 10 == 0; rest /= 10) score += 2;
    if (size >= 4 && is_power_of_two(size)) score++;
    bool is_letter_or_digit = size == '0' || size == '9' || size == 'A' || size == 'Z' || size == 'a' || size == 'z';
    return is_letter_or_digit ? score + 2 : score;
}

typedef struct Order {
    Expr left, right;
    bool greater, equal; /* > or <; or equal */
    bool is_signed;
} Order;

static Order order_of(const ExprPool *pool, const Node *node, bool negated)
{
    bool is_const_first = is_const(pool, node->a);
    Order order = {.left = node->a, .right = node->b, .equal = node->kind == EXPR_ULE || node->kind == EXPR_SLE || node->kind == EXPR_FLE};
    order.is_signed = node->kind == EXPR_SLT || node->kind == EXPR_SLE;
    if (is_const_first) order.left = node->b, order.right = node->a, order.greater = true;
    if (negated) order.greater = !order.greater, order.equal = !order.equal;
    return order;
}

/* A constant bound as it was likely written: x <= 0 and not x < 1. */
static U128 bound_of(const ExprPool *pool, Order *order)
{
    unsigned width = width_of(pool, order->right);
    U128 value = const_value(pool, order->right), least = order->is_signed ? sign_bit(width) : 0;
    bool goes_down = order->greater == order->equal; /* the other way to say it has a bound that is less by one */
    U128 other = (goes_down ? value - 1 : value + 1) & arith_mask(width);
    if ((goes_down ? value : other) == least) return value;
    if (roundness(other, width, order->is_signed) <= roundness(value, width, order->is_signed)) return value;
    order->equal = !order->equal;
    return other;
}

/* Is e shown as a number that is not negative where it is compared with such a one?  A part of a word is: by a mask. */
static bool shows_unsigned(const ExprPool *pool, Expr e)
{
    return is_const(pool, e) || is_part(pool, e) || expr__nonnegative(pool, e);
}

static void put_side(Text *t, Expr e, bool masks, Reading reading)
{
    Bits bits;
    if (masks && is_part(t->pool, e)) {
        unsigned width = width_of(t->pool, operand_a(t->pool, e));
        find_bits(t->pool, e, width, &bits);
        put_bits(t, &bits, width, SHIFT);
    } else if (reading == SIGNED && is_part(t->pool, e)) {
        put_signed_part(t, e, SHIFT);
    } else {
        put_value(t, e, SHIFT, reading);
    }
}

static void put_order(Text *t, const Node *node, bool negated, Level least)
{
    const ExprPool *pool = t->pool;
    Order order = order_of(pool, node, negated);
    bool bounded = is_const(pool, order.right), is_part_bounded = bounded && is_part(pool, order.left);
    bool both = shows_unsigned(pool, order.left) && shows_unsigned(pool, order.right);
    bool plain = order.is_signed || (both && (!bounded || is_part_bounded || expr__nonnegative(pool, order.left)));
    bool masks = plain && !order.is_signed;
    Reading reading = order.is_signed ? SIGNED : UNSIGNED;
    U128 bound = bounded ? bound_of(pool, &order) : 0;
    bool opened = open_bracket(t, COMPARISON, least);
    put_side(t, order.left, masks, reading);
    put(t, order.greater ? " >" : " <");
    put(t, order.equal ? "=" : "");
    put(t, plain ? " " : "u ");
    if (bounded) put_integer(t, bound, width_of(pool, order.right), SHIFT, reading);
    else put_side(t, order.right, masks, reading);
    close_bracket(t, opened);
}

static bool is_variable(const ExprPool *pool, Expr e)
{
    return is_kind(pool, bare(pool, e), EXPR_VAR);
}

/* A variable stands first, one that was widened before one that was not. */
static bool is_turned(const ExprPool *pool, Expr a, Expr b)
{
    if (is_const(pool, b)) return false;
    if (!is_variable(pool, a)) return is_variable(pool, b);
    return is_variable(pool, b) && bare(pool, a) == a && bare(pool, b) != b;
}

static void put_equation(Text *t, const Node *node, bool negated, Level least)
{
    bool turned = is_turned(t->pool, node->a, node->b);
    Expr left = turned ? node->b : node->a, right = turned ? node->a : node->b;
    bool masks = is_part(t->pool, left) && shows_unsigned(t->pool, right);
    Reading reading = node->kind == EXPR_FEQ ? FLOATING : masks ? UNSIGNED : OPEN;
    bool opened = open_bracket(t, COMPARISON, least);
    put_side(t, left, masks, reading);
    put(t, negated ? " != " : " = ");
    put_side(t, right, masks, reading);
    close_bracket(t, opened);
}

/* Not negated: the contrary of a < b is not a >= b if one of them is no number. */
static void put_float_order(Text *t, const Node *node, Level least)
{
    Order order = order_of(t->pool, node, false);
    bool opened = open_bracket(t, COMPARISON, least);
    put_value(t, order.left, SHIFT, FLOATING);
    put(t, order.greater ? (order.equal ? " >= " : " > ") : order.equal ? " <= " : " < ");
    put_value(t, order.right, SHIFT, FLOATING);
    close_bracket(t, opened);
}

static void put_unordered(Text *t, const Node *node, Level least)
{
    bool both = node->a != node->b, opened = both && open_bracket(t, EITHER, least);
    put_call(t, "isnan", &node->a, 1);
    if (both) put(t, " or ");
    if (both) put_call(t, "isnan", &node->b, 1);
    close_bracket(t, opened);
}

/* One bit of a word: its sign, or what a mask leaves. */
static void put_bit(Text *t, const Node *node, bool negated, Level least)
{
    unsigned width = width_of(t->pool, node->a);
    bool opened = open_bracket(t, COMPARISON, least);
    if (node->b == width - 1) {
        put_value(t, node->a, SHIFT, SIGNED);
        put(t, negated ? " >= 0" : " < 0");
    } else {
        put(t, "(");
        put_value(t, node->a, BIT_AND, OPEN);
        put(t, " & ");
        put_decimal(t, (U128)1 << node->b);
        put(t, negated ? ") = 0" : ") != 0");
    }
    close_bracket(t, opened);
}

/* ---- conditions ---- */

static void put_junction(Text *t, const Node *node, bool negated, Level least)
{
    bool both = (node->kind == EXPR_AND) != negated;
    Level level = both ? BOTH : EITHER;
    bool opened = open_bracket(t, level, least);
    put_condition(t, node->a, negated, level);
    put(t, both ? " and " : " or ");
    put_condition(t, node->b, negated, level);
    close_bracket(t, opened);
}

/* Conditions that a negation does not enter: false if e is another one. */
static bool put_denied(Text *t, Expr e, bool negated, Level least)
{
    if (!negated) return false;
    bool opened = open_bracket(t, DENIAL, least);
    put(t, "not ");
    put_condition(t, e, false, ATOM);
    close_bracket(t, opened);
    return true;
}

static void put_choice(Text *t, const Node *node, Level least, Reading reading)
{
    bool opened = open_bracket(t, CHOICE, least);
    put(t, "if ");
    put_condition(t, node->a, false, EITHER);
    put(t, " then ");
    put_value(t, node->b, EITHER, reading);
    put(t, " else ");
    put_value(t, node->c, CHOICE, reading);
    close_bracket(t, opened);
}

static void put_operation(Text *t, Expr e, Level least, Reading reading);

static void put_condition_inside(Text *t, Expr e, bool negated, Level least)
{
    const Node *node = expr__node(t->pool, e);
    switch (node->kind) {
    case EXPR_CONST: put(t, (bool)node_value(node) != negated ? "true" : "false"); return;
    case EXPR_NOT: put_condition(t, node->a, !negated, least); return;
    case EXPR_AND:
    case EXPR_OR: put_junction(t, node, negated, least); return;
    case EXPR_EQ:
    case EXPR_FEQ: put_equation(t, node, negated, least); return;
    case EXPR_XOR: put_equation(t, node, !negated, least); return;
    case EXPR_ULT:
    case EXPR_ULE:
    case EXPR_SLT:
    case EXPR_SLE: put_order(t, node, negated, least); return;
    case EXPR_EXTRACT: put_bit(t, node, negated, least); return;
    default: break;
    }
    if (put_denied(t, e, negated, least)) return;
    switch (node->kind) {
    case EXPR_FLT:
    case EXPR_FLE: put_float_order(t, node, least); return;
    case EXPR_FUNO: put_unordered(t, node, least); return;
    default: put_operation(t, e, least, OPEN); return;
    }
}

static void put_condition(Text *t, Expr e, bool negated, Level least)
{
    if (t->full) return;
    if (++t->depth > DEPTH) put(t, "…");
    else put_condition_inside(t, e, negated, least);
    t->depth--;
}

/* ---- values ---- */

static void put_array(Text *t, Expr e)
{
    const Expr *elements;
    if (++t->depth > DEPTH) {
        put(t, "…");
    } else if (is_kind(t->pool, e, EXPR_ARRAY)) {
        uint32_t count = expr_elements(t->pool, e, &elements);
        put(t, "[");
        put_list(t, elements, count, ELEMENTS);
        put(t, "]");
    } else {
        const Node *node = expr__node(t->pool, e);
        put_array(t, node->a);
        put(t, " with [");
        put_value(t, node->b, CHOICE, UNSIGNED);
        put(t, "] = ");
        put_value(t, node->c, SHIFT, OPEN);
    }
    t->depth--;
}

static void put_select(Text *t, const Node *node)
{
    bool opened = is_kind(t->pool, node->a, EXPR_STORE);
    if (opened) put(t, "(");
    put_array(t, node->a);
    close_bracket(t, opened);
    put(t, "[");
    put_value(t, node->b, CHOICE, UNSIGNED);
    put(t, "]");
}

static void put_operation(Text *t, Expr e, Level least, Reading reading)
{
    const Node *node = expr__node(t->pool, e);
    const Expr *list;
    Level level = ATOM;
    uint32_t count;
    switch (node->kind) {
    case EXPR_CONST: put_const(t, e, least, reading); return;
    case EXPR_VAR: put_name(t, e, least); return;
    case EXPR_UNDEF: put(t, "undefined"); return;
    case EXPR_NOT: put_sign(t, "~", node->a, least, OPEN); return;
    case EXPR_CONCAT: put_concat(t, e, least); return;
    case EXPR_EXTRACT:
        if (is_part(t->pool, e)) put_part(t, node);
        else put_value(t, node->a, least, reading);
        return;
    case EXPR_ZEXT:
    case EXPR_SEXT: put_widened(t, e, least, reading); return;
    case EXPR_ITE: put_choice(t, node, least, reading); return;
    case EXPR_CTPOP: put_call(t, "popcount", &node->a, 1); return;
    case EXPR_CTLZ: put_call(t, "clz", &node->a, 1); return;
    case EXPR_CTTZ: put_call(t, "ctz", &node->a, 1); return;
    case EXPR_FSQRT: put_call(t, "sqrt", &node->a, 1); return;
    case EXPR_FCONVERT:
        if (is_widening(t->pool, e)) put_value(t, node->a, least, FLOATING);
        else put_conversion(t, node, least);
        return;
    case EXPR_FTOSI:
    case EXPR_FTOUI:
    case EXPR_SITOF:
    case EXPR_UITOF: put_conversion(t, node, least); return;
    case EXPR_ARRAY:
    case EXPR_STORE: put_array(t, e); return;
    case EXPR_SELECT: put_select(t, node); return;
    case EXPR_APPLY: count = expr_elements(t->pool, e, &list), put_call(t, expr_function(t->pool, e)->name, list, count); return;
    case EXPR_SUB:
        if (!is_zero(t->pool, node->a)) break;
        put_sign(t, "-", node->b, least, OPEN);
        return;
    default: break;
    }
    const char *sign = operator_of(t->pool, node, &level);
    assert(sign);
    put_binary(t, e, sign, level, least, reading);
}

static bool is_condition(const ExprPool *pool, Expr e)
{
    return width_of(pool, e) == 1 && !is_kind(pool, e, EXPR_ARRAY) && !is_kind(pool, e, EXPR_STORE);
}

static void put_value(Text *t, Expr e, Level least, Reading reading)
{
    if (t->full) return;
    if (is_condition(t->pool, e)) {
        put_condition(t, e, false, least);
        return;
    }
    if (++t->depth > DEPTH) put(t, "…");
    else put_operation(t, e, least, reading);
    t->depth--;
}

/* What is returned or stored as a part of a word is the word to the reader: C truncates without a word as well. */
static Expr whole(const ExprPool *pool, Expr e)
{
    const Node *node = expr__node(pool, e);
    return node->kind == EXPR_EXTRACT && node->b == 0 && node->width > 1 ? node->a : e;
}

void expr_text(ExprPool *pool, Expr e, bool is_signed, StrBuf *out)
{
    Text t = {.pool = pool, .out = out, .start = out->len, .is_signed = is_signed};
    put_value(&t, whole(pool, e), CHOICE, is_signed ? SIGNED : UNSIGNED);
}
