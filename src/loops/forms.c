/* Closed forms are found by looking at what one turn does to a variable x, in this order:
 *
 *   x                  it is kept
 *   x + d              d does not depend on what changes: a sum.  d grows by a constant in each turn: a square
 *   c * x + d          with constants: composed by doubling, so that bit i of the number of turns applies the turn 2^i times
 *   x / c, x >> k      after a few turns nothing is left of x: the values are listed
 *   f(x)               x begins with a constant: its orbit is computed, and listed if it soon repeats itself (toggles, saturation)
 *   g(others)          a function of variables with forms, and not of x itself: g of what they are one turn before
 *
 * All arithmetic is modulo 2^w, as the machine's is. */
#include "loops/forms.h"

#include "base/arith.h"

#include <stdlib.h>

enum {
    MOST_LINEAR = 32, /* operators one inside the other of an effect that may be linear.  A guess. */
    MOST_CHOICES = 8, /* one inside the other, of which a variable's new value is one.  A guess. */
    MOST_DEPTH = 3    /* of variables that are computed from such as are computed from others in each turn.  A guess. */
};

/* ---- substitution ---- */

void forms_replace_all(const Forms *f, const Expr *values, const Expr *more, uint32_t more_count, const Expr *list, uint32_t count,
                       Expr *results)
{
    ExprTranslation t;
    expr_translation_init(&t, f->pool, f->pool);
    for (uint32_t i = 0; i < f->count; i++)
        if (values[i]) expr_translation_set(&t, f->variables[i], values[i]);
    for (uint32_t i = 0; i < more_count; i++) expr_translation_set(&t, more[2 * i], more[2 * i + 1]);
    for (uint32_t i = 0; i < count; i++) results[i] = list[i] ? expr_translate(&t, list[i]) : 0;
    expr_translation_release(&t);
}

Expr forms_replace(const Forms *f, const Expr *values, Expr e)
{
    Expr result;
    forms_replace_all(f, values, NULL, 0, &e, 1, &result);
    return result;
}

/* ---- dependence ---- */

/* Which variables the expression contains: a bit each in `set`, one byte per variable. */
static void find_variables(const Forms *f, const Map *numbers, Expr root, uint8_t *set)
{
    Vec(Expr) open = {0};
    Map seen = {0};
    memset(set, 0, f->count);
    vec_push(&open, root);
    while (open.len) {
        Expr e = vec_pop(&open);
        if (map_find(&seen, e)) continue;
        map_put(&seen, e, 1);
        const uint64_t *number = map_find(numbers, e);
        if (number) set[*number] = 1;
        const Expr *elements;
        ExprKind kind = expr_kind(f->pool, e);
        if (kind == EXPR_ARRAY || kind == EXPR_APPLY) {
            uint32_t n = expr_elements(f->pool, e, &elements);
            for (uint32_t i = 0; i < n; i++) vec_push(&open, elements[i]);
        } else {
            for (unsigned i = 0; i < expr_operand_count(kind); i++) vec_push(&open, expr_operand(f->pool, e, i));
        }
    }
    vec_release(&open);
    map_release(&seen);
}

typedef struct Finder {
    Forms *f;
    Map numbers;
    uint8_t *set;
} Finder;

/* Does it contain a variable that changes, other than number `except`? */
static bool contains_changing(Finder *finder, Expr e, uint32_t except)
{
    find_variables(finder->f, &finder->numbers, e, finder->set);
    for (uint32_t i = 0; i < finder->f->count; i++)
        if (i != except && finder->set[i] && finder->f->changes[i]) return true;
    return false;
}

static bool contains(Finder *finder, Expr e, uint32_t variable)
{
    find_variables(finder->f, &finder->numbers, e, finder->set);
    return finder->set[variable];
}

/* ---- finding ---- */

static Expr replace_one(ExprPool *pool, Expr what, Expr by, Expr e)
{
    ExprTranslation t;
    expr_translation_init(&t, pool, pool);
    expr_translation_set(&t, what, by);
    Expr result = expr_translate(&t, e);
    expr_translation_release(&t);
    return result;
}

/* The expression where the condition holds: if that says which constant something is (an index into an array), the expression with this constant. */
static Expr under(ExprPool *pool, Expr condition, Expr e)
{
    if (expr_kind(pool, condition) != EXPR_EQ) return e;
    Expr a = expr_operand(pool, condition, 0), b = expr_operand(pool, condition, 1);
    if (expr_is_const(pool, b)) return replace_one(pool, a, b, e);
    return expr_is_const(pool, a) ? replace_one(pool, b, a, e) : e;
}

/* a - b.  Where a is one of several values, as the cell of an array that a turn may write to, so is the difference; often it is one of several constants. */
static Expr subtract(ExprPool *pool, Expr a, Expr b, unsigned depth)
{
    if (expr_kind(pool, a) != EXPR_ITE || depth == MOST_CHOICES) return expr_binary(pool, EXPR_SUB, a, b);
    Expr condition = expr_operand(pool, a, 0);
    Expr yes = subtract(pool, under(pool, condition, expr_operand(pool, a, 1)), b, depth + 1);
    return expr_ite(pool, condition, yes, subtract(pool, expr_operand(pool, a, 2), b, depth + 1));
}

static bool find_sum(Finder *finder, uint32_t i)
{
    Forms *f = finder->f;
    Expr step = subtract(f->pool, f->effects[i], f->variables[i], 0);
    if (contains_changing(finder, step, UINT32_MAX)) return false;
    f->forms[i] = (Form){.kind = FORM_SUM, .step = step};
    return true;
}

/* The value of an expression that contains one variable alone, for a value of it; false: it contains more. */
static bool evaluate_at(const Forms *f, Expr variable, U128 at, Expr e, U128 *value)
{
    Expr result = replace_one(f->pool, variable, expr_const(f->pool, expr_width(f->pool, variable), at), e);
    if (!expr_is_const(f->pool, result)) return false;
    *value = expr_value(f->pool, result);
    return true;
}

/* Are the lowest `bits` bits of the expression a linear function of the variable, modulo 2^bits? */
static bool is_linear(const Forms *f, Expr variable, Expr e, unsigned bits, unsigned depth)
{
    const ExprPool *pool = f->pool;
    if (e == variable || expr_is_const(pool, e)) return true;
    if (depth == MOST_LINEAR) return false;
    Expr a = expr_operand_count(expr_kind(pool, e)) > 0 ? expr_operand(pool, e, 0) : 0;
    Expr b = expr_operand_count(expr_kind(pool, e)) > 1 ? expr_operand(pool, e, 1) : 0;
    switch (expr_kind(pool, e)) {
    case EXPR_ADD:
    case EXPR_SUB: return is_linear(f, variable, a, bits, depth + 1) && is_linear(f, variable, b, bits, depth + 1);
    case EXPR_MUL:
        if (expr_is_const(pool, a)) return is_linear(f, variable, b, bits, depth + 1);
        return expr_is_const(pool, b) && is_linear(f, variable, a, bits, depth + 1);
    case EXPR_NOT: return is_linear(f, variable, a, bits, depth + 1); /* -a - 1 */
    case EXPR_EXTRACT: return expr_extract_low(pool, e) == 0 && is_linear(f, variable, a, bits, depth + 1);
    case EXPR_ZEXT:
    case EXPR_SEXT: return bits <= expr_width(pool, a) && is_linear(f, variable, a, bits, depth + 1);
    case EXPR_CONCAT: /* the first part is the high one */
        if (bits <= expr_width(pool, b)) return is_linear(f, variable, b, bits, depth + 1);
        return expr_is_const(pool, b) && is_linear(f, variable, a, bits - expr_width(pool, b), depth + 1);
    default: return false;
    }
}

/* A linear function is known by its values at 0 and 1. */
static bool find_affine(Finder *finder, uint32_t i)
{
    Forms *f = finder->f;
    unsigned width = expr_width(f->pool, f->variables[i]);
    U128 zero, one;
    if (!is_linear(f, f->variables[i], f->effects[i], width, 0)) return false;
    if (!evaluate_at(f, f->variables[i], 0, f->effects[i], &zero) || !evaluate_at(f, f->variables[i], 1, f->effects[i], &one)) return false;
    f->forms[i] = (Form){.kind = FORM_AFFINE, .factor = (one - zero) & arith_mask(width), .step = expr_const(f->pool, width, zero)};
    return true;
}

/* A step that itself grows by the same amount in each turn. */
static bool find_square(Finder *finder, uint32_t i)
{
    Forms *f = finder->f;
    Expr step = subtract(f->pool, f->effects[i], f->variables[i], 0);
    if (contains(finder, step, i)) return false;
    Expr next;
    forms_replace_all(f, f->effects, NULL, 0, &step, 1, &next);
    Expr change = subtract(f->pool, next, step, 0);
    if (contains_changing(finder, change, UINT32_MAX)) return false;
    f->forms[i] = (Form){.kind = FORM_SQUARE, .step = step, .change = change};
    return true;
}

/* Applies the effect of one variable again and again to `start`; the values go to `values`, which has room for MOST_LISTED + 1.  Returns how many differ from all before;
 * *back: the one that comes next again.  0: they are too many. */
static uint32_t list_values(const Forms *f, uint32_t i, Expr start, Expr *values, uint32_t *back)
{
    values[0] = start;
    for (uint32_t n = 1; n <= MOST_LISTED; n++) {
        values[n] = replace_one(f->pool, f->variables[i], values[n - 1], f->effects[i]);
        for (uint32_t k = 0; k < n; k++)
            if (values[k] == values[n]) {
                *back = k;
                return n;
            }
    }
    return 0;
}

static bool is_quotient(const Forms *f, uint32_t i)
{
    ExprPool *pool = f->pool;
    Expr e = f->effects[i], x = f->variables[i];
    ExprKind kind = expr_kind(pool, e);
    if (kind == EXPR_ZEXT || kind == EXPR_SEXT) { /* a shift */
        Expr part = expr_operand(pool, e, 0);
        return expr_kind(pool, part) == EXPR_EXTRACT && expr_operand(pool, part, 0) == x &&
               expr_extract_low(pool, part) + expr_width(pool, part) == expr_width(pool, x);
    }
    if (kind != EXPR_UDIV && kind != EXPR_SDIV) return false;
    return expr_operand(pool, e, 0) == x && expr_is_const(pool, expr_operand(pool, e, 1)) && expr_value(pool, expr_operand(pool, e, 1)) > 1;
}

static bool find_quotient(Finder *finder, uint32_t i)
{
    Forms *f = finder->f;
    if (!is_quotient(f, i)) return false;
    U128 largest = arith_mask(expr_width(f->pool, f->variables[i]));
    Expr values[MOST_LISTED + 1], start = expr_const(f->pool, expr_width(f->pool, f->variables[i]),
                                                     expr_kind(f->pool, f->effects[i]) == EXPR_SDIV ? largest >> 1 : largest);
    Form form = {.kind = FORM_QUOTIENT};
    form.listed = list_values(f, i, start, values, &form.back);
    if (!form.listed || form.back + 1 != form.listed) return false;
    f->forms[i] = form;
    return true;
}

static bool find_orbit(Finder *finder, uint32_t i, Expr start)
{
    Forms *f = finder->f;
    if (!expr_is_const(f->pool, start) || contains_changing(finder, f->effects[i], i)) return false;
    Expr values[MOST_LISTED + 1];
    Form form = {.kind = FORM_ORBIT};
    form.listed = list_values(f, i, start, values, &form.back);
    for (uint32_t k = 0; k < form.listed; k++)
        if (!expr_is_const(f->pool, values[k])) return false;
    if (form.listed) f->forms[i] = form;
    return form.listed != 0;
}

static bool find_last(Finder *finder, uint32_t i)
{
    Forms *f = finder->f;
    find_variables(f, &finder->numbers, f->effects[i], finder->set);
    if (finder->set[i]) return false;
    uint32_t depth = 1;
    for (uint32_t k = 0; k < f->count; k++) {
        if (!finder->set[k]) continue;
        if (f->forms[k].kind == FORM_UNKNOWN || f->forms[k].depth == MOST_DEPTH) return false;
        if (f->forms[k].depth >= depth) depth = f->forms[k].depth + 1;
    }
    f->forms[i] = (Form){.kind = FORM_LAST, .depth = depth};
    return true;
}

void forms_init(Forms *f, ExprPool *pool, const Expr *variables, const Expr *effects, const Expr *starts, uint32_t count)
{
    *f = (Forms){pool, variables, effects, count, mem_alloc((count + 1) * sizeof(Form)), mem_alloc(count + 1)};
    Finder finder = {f, {0}, mem_alloc(count + 1)};
    for (uint32_t i = 0; i < count; i++) {
        map_put(&finder.numbers, variables[i], i);
        f->changes[i] = effects[i] != variables[i];
        f->forms[i].kind = f->changes[i] ? FORM_UNKNOWN : FORM_KEPT;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!f->changes[i] || find_sum(&finder, i) || find_quotient(&finder, i) || find_affine(&finder, i)) continue;
        if (!find_orbit(&finder, i, starts[i])) find_square(&finder, i);
    }
    for (bool any = true; any;) {
        any = false;
        for (uint32_t i = 0; i < count; i++)
            if (f->forms[i].kind == FORM_UNKNOWN) any |= find_last(&finder, i);
    }
    map_release(&finder.numbers);
    free(finder.set);
}

void forms_release(Forms *f)
{
    free(f->forms);
    free(f->changes);
}

/* ---- values ---- */

/* A number of 32 bits in another width. */
static Expr number_in(ExprPool *pool, Expr n, unsigned width)
{
    return width < 32 ? expr_extract(pool, n, 0, width) : expr_zext(pool, n, width);
}

static Expr multiply(ExprPool *pool, Expr a, Expr b)
{
    return expr_binary(pool, EXPR_MUL, a, b);
}

/* So many steps; of a step that is one of several values, the choice is made once. */
static Expr steps(ExprPool *pool, Expr n, Expr step, unsigned depth)
{
    if (expr_kind(pool, step) != EXPR_ITE || depth == MOST_CHOICES) return multiply(pool, n, step);
    Expr yes = steps(pool, n, expr_operand(pool, step, 1), depth + 1), no = steps(pool, n, expr_operand(pool, step, 2), depth + 1);
    return expr_ite(pool, expr_operand(pool, step, 0), yes, no);
}

/* n * (n - 1) / 2, which is below 2^63 for n of 32 bits, in another width. */
static Expr pairs(ExprPool *pool, Expr n, unsigned width)
{
    Expr wide = expr_zext(pool, n, 64), less = expr_binary(pool, EXPR_SUB, wide, expr_const(pool, 64, 1));
    Expr half = expr_extract(pool, multiply(pool, wide, less), 1, 63);
    return width <= 63 ? expr_extract(pool, half, 0, width) : expr_zext(pool, half, width);
}

/* Applies the turn 2^i times for each bit i of n. */
static Expr affine_after(ExprPool *pool, const Form *form, Expr start, Expr n)
{
    unsigned width = expr_width(pool, start);
    U128 mask = arith_mask(width), factor = form->factor, step = expr_value(pool, form->step);
    Expr x = start;
    for (unsigned bit = 0; bit < 32; bit++) {
        Expr once = expr_add(pool, multiply(pool, expr_const(pool, width, factor), x), expr_const(pool, width, step));
        x = expr_ite(pool, expr_extract(pool, n, bit, 1), once, x);
        step = (factor * step + step) & mask;
        factor = factor * factor & mask;
        if (factor == 1 && step == 0) break; /* from here on nothing changes */
    }
    return x;
}

static Expr listed_after(const Forms *f, uint32_t i, Expr start, Expr n)
{
    ExprPool *pool = f->pool;
    const Form *form = &f->forms[i];
    Expr values[MOST_LISTED + 1] = {0}, at = n;
    uint32_t period = form->listed - form->back;
    if (period > 1) {
        Expr back = expr_const(pool, 32, form->back), past = expr_binary(pool, EXPR_SUB, n, back);
        Expr again = expr_add(pool, expr_binary(pool, EXPR_UREM, past, expr_const(pool, 32, period)), back);
        at = expr_ite(pool, expr_binary(pool, EXPR_ULT, n, back), n, again);
    }
    values[0] = start;
    for (uint32_t k = 1; k < form->listed; k++) values[k] = replace_one(f->pool, f->variables[i], values[k - 1], f->effects[i]);
    Expr result = values[form->listed - 1];
    for (uint32_t k = form->listed - 1; k-- > 0;) result = expr_ite(pool, expr_eq(pool, at, expr_const(pool, 32, k)), values[k], result);
    return result;
}

static Expr value_after(const Forms *f, uint32_t i, const Expr *starts, Expr n)
{
    ExprPool *pool = f->pool;
    const Form *form = &f->forms[i];
    unsigned width = expr_width(pool, f->variables[i]);
    switch (form->kind) {
    case FORM_KEPT: return starts[i];
    case FORM_SUM: return expr_add(pool, starts[i], steps(pool, number_in(pool, n, width), forms_replace(f, starts, form->step), 0));
    case FORM_SQUARE: {
        Expr sum = expr_add(pool, starts[i], multiply(pool, number_in(pool, n, width), forms_replace(f, starts, form->step)));
        return expr_add(pool, sum, multiply(pool, pairs(pool, n, width), forms_replace(f, starts, form->change)));
    }
    case FORM_AFFINE: return affine_after(pool, form, starts[i], n);
    case FORM_QUOTIENT:
    case FORM_ORBIT: return listed_after(f, i, starts[i], n);
    default: return 0;
    }
}

/* What is computed in each turn is that function of what the others were one turn before; of these, some may be computed so themselves. */
static void values_after(const Forms *f, const Expr *starts, Expr n, uint32_t depth, Expr *values)
{
    ExprPool *pool = f->pool;
    for (uint32_t i = 0; i < f->count; i++) values[i] = value_after(f, i, starts, n);
    if (!depth) return;
    Expr *before = mem_alloc((f->count + 1) * sizeof *before);
    values_after(f, starts, expr_binary(pool, EXPR_SUB, n, expr_const(pool, 32, 1)), depth - 1, before);
    for (uint32_t i = 0; i < f->count; i++) {
        if (f->forms[i].kind != FORM_LAST || f->forms[i].depth > depth) continue;
        Expr last = forms_replace(f, before, f->effects[i]);
        values[i] = expr_ite(pool, expr_eq(pool, n, expr_const(pool, 32, 0)), starts[i], last);
    }
    free(before);
}

void forms_after(const Forms *f, const Expr *starts, Expr n, Expr *values)
{
    uint32_t depth = 0;
    for (uint32_t i = 0; i < f->count; i++)
        if (f->forms[i].depth > depth) depth = f->forms[i].depth;
    values_after(f, starts, n, depth, values);
}
