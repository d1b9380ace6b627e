/* Circuits over words of literals: the plain ones.  A carry is a majority gate, a sum a three-way xor, an order the last borrow of a
 * subtraction; shifts are barrels of multiplexers, one level for each bit of the amount.  Constants vanish in the gates' own rules. */
#include "solve/blast_int.h"

Word word_const(unsigned width, U128 value)
{
    assert(width <= WORD_BITS);
    Word result = {.width = width};
    for (unsigned i = 0; i < width; i++) result.bit[i] = i < 128 && (value >> i & 1) ? LIT_TRUE : LIT_FALSE;
    return result;
}

bool word_is_const(const Word *a, U128 *value)
{
    *value = 0;
    for (unsigned i = a->width; i-- > 0;) {
        if (a->bit[i] > LIT_TRUE) return false;
        *value = *value << 1 | a->bit[i];
    }
    return true;
}

Word word_extract(const Word *a, unsigned low, unsigned width)
{
    assert(low + width <= a->width);
    Word result = {.width = width};
    memcpy(result.bit, a->bit + low, width * sizeof(Lit));
    return result;
}

Word word_concat(const Word *high, const Word *low)
{
    assert(high->width + low->width <= WORD_BITS);
    Word result = *low;
    memcpy(result.bit + low->width, high->bit, high->width * sizeof(Lit));
    result.width += high->width;
    return result;
}

static Word extend(const Word *a, unsigned width, Lit fill)
{
    assert(width >= a->width && width <= WORD_BITS);
    Word result = *a;
    for (unsigned i = a->width; i < width; i++) result.bit[i] = fill;
    result.width = width;
    return result;
}

Word word_zext(const Word *a, unsigned width)
{
    return extend(a, width, LIT_FALSE);
}

Word word_sext(const Word *a, unsigned width)
{
    return extend(a, width, a->bit[a->width - 1]);
}

Word word_resize(const Word *a, unsigned width)
{
    return width <= a->width ? word_extract(a, 0, width) : word_zext(a, width);
}

Word word_not(const Word *a)
{
    Word result = {.width = a->width};
    for (unsigned i = 0; i < a->width; i++) result.bit[i] = LIT_NOT(a->bit[i]);
    return result;
}

Word word_reverse(const Word *a)
{
    Word result = {.width = a->width};
    for (unsigned i = 0; i < a->width; i++) result.bit[i] = a->bit[a->width - 1 - i];
    return result;
}

Word word_map(Gates *gates, Lit (*gate)(Gates *, Lit, Lit), const Word *a, const Word *b)
{
    assert(a->width == b->width);
    Word result = {.width = a->width};
    for (unsigned i = 0; i < a->width; i++) result.bit[i] = gate(gates, a->bit[i], b->bit[i]);
    return result;
}

Word word_mask(Gates *gates, const Word *a, Lit keep)
{
    Word result = {.width = a->width};
    for (unsigned i = 0; i < a->width; i++) result.bit[i] = gates_and(gates, a->bit[i], keep);
    return result;
}

Word word_mux(Gates *gates, Lit condition, const Word *yes, const Word *no)
{
    assert(yes->width == no->width);
    Word result = {.width = yes->width};
    for (unsigned i = 0; i < yes->width; i++) result.bit[i] = gates_mux(gates, condition, yes->bit[i], no->bit[i]);
    return result;
}

static Lit any_of(Gates *gates, const Lit *bits, unsigned count)
{
    Lit none = LIT_TRUE;
    for (unsigned i = 0; i < count; i++) none = gates_and(gates, none, LIT_NOT(bits[i]));
    return LIT_NOT(none);
}

Lit word_any(Gates *gates, const Word *a)
{
    return any_of(gates, a->bit, a->width);
}

Lit word_eq(Gates *gates, const Word *a, const Word *b)
{
    assert(a->width == b->width);
    Lit equal = LIT_TRUE;
    for (unsigned i = 0; i < a->width && equal != LIT_FALSE; i++)
        equal = gates_and(gates, equal, LIT_NOT(gates_xor(gates, a->bit[i], b->bit[i])));
    return equal;
}

Lit word_ult(Gates *gates, const Word *a, const Word *b)
{
    assert(a->width == b->width);
    Lit less = LIT_FALSE;
    for (unsigned i = 0; i < a->width; i++) less = gates_majority(gates, LIT_NOT(a->bit[i]), b->bit[i], less);
    return less;
}

Lit word_slt(Gates *gates, const Word *a, const Word *b)
{
    Word x = *a, y = *b;
    x.bit[x.width - 1] = LIT_NOT(x.bit[x.width - 1]);
    y.bit[y.width - 1] = LIT_NOT(y.bit[y.width - 1]);
    return word_ult(gates, &x, &y);
}

Word word_add(Gates *gates, const Word *a, const Word *b, Lit carry)
{
    assert(a->width == b->width);
    Word sum = {.width = a->width};
    for (unsigned i = 0; i < a->width; i++) {
        sum.bit[i] = gates_xor3(gates, a->bit[i], b->bit[i], carry);
        if (i + 1 < a->width) carry = gates_majority(gates, a->bit[i], b->bit[i], carry);
    }
    return sum;
}

Word word_sub(Gates *gates, const Word *a, const Word *b)
{
    Word negated = word_not(b);
    return word_add(gates, a, &negated, LIT_TRUE);
}

Word word_negate_if(Gates *gates, Lit condition, const Word *a)
{
    Word flipped = {.width = a->width}, zero = word_const(a->width, 0);
    for (unsigned i = 0; i < a->width; i++) flipped.bit[i] = gates_xor(gates, a->bit[i], condition);
    return word_add(gates, &flipped, &zero, condition);
}

/* ---- shifts and counts ---- */

static Word shift_level(Gates *gates, const Word *a, unsigned by, Lit condition, bool left, Lit fill)
{
    Word result = {.width = a->width};
    for (unsigned i = 0; i < a->width; i++) {
        bool inside = left ? i >= by : i + by < a->width;
        Lit from = !inside ? fill : a->bit[left ? i - by : i + by];
        result.bit[i] = gates_mux(gates, condition, from, a->bit[i]);
    }
    return result;
}

Word word_shift(Gates *gates, ExprKind kind, const Word *a, const Word *amount)
{
    Lit fill = kind == EXPR_ASHR ? a->bit[a->width - 1] : LIT_FALSE;
    Word result = *a;
    unsigned level = 0;
    for (; level < amount->width && 1u << level < a->width; level++)
        result = shift_level(gates, &result, 1u << level, amount->bit[level], kind == EXPR_SHL, fill);
    Lit too_far = any_of(gates, amount->bit + level, amount->width - level);
    for (unsigned i = 0; i < a->width; i++) result.bit[i] = gates_mux(gates, too_far, fill, result.bit[i]);
    return result;
}

Word word_shift_right_sticky(Gates *gates, const Word *a, const Word *amount)
{
    Word result = *a;
    unsigned level = 0;
    for (; level < amount->width && 1u << level < a->width; level++) {
        Lit lost = any_of(gates, result.bit, 1u << level);
        Lit sticky = gates_and(gates, amount->bit[level], lost);
        result = shift_level(gates, &result, 1u << level, amount->bit[level], false, LIT_FALSE);
        result.bit[0] = gates_or(gates, result.bit[0], sticky);
    }
    Lit too_far = any_of(gates, amount->bit + level, amount->width - level), any = word_any(gates, &result);
    for (unsigned i = 0; i < a->width; i++) result.bit[i] = gates_mux(gates, too_far, i ? LIT_FALSE : any, result.bit[i]);
    return result;
}

Word word_normalize(Gates *gates, const Word *a, Word *zeros)
{
    unsigned levels = 0;
    while (1u << levels < a->width) levels++;
    Word result = *a;
    zeros->width = levels;
    for (unsigned level = levels; level-- > 0;) {
        unsigned by = 1u << level;
        Lit empty = LIT_NOT(any_of(gates, result.bit + result.width - by, by));
        result = shift_level(gates, &result, by, empty, true, LIT_FALSE);
        zeros->bit[level] = empty;
    }
    return result;
}

/* A tree of adders whose words grow a bit with every level; three bits make a first word at the cost of one full adder. */
static Word count_ones(Gates *gates, const Lit *bits, unsigned count)
{
    Word result = {.width = 1};
    if (count <= 3) {
        Lit a = bits[0], b = count > 1 ? bits[1] : LIT_FALSE, c = count > 2 ? bits[2] : LIT_FALSE;
        result.width = count > 1 ? 2 : 1;
        result.bit[0] = gates_xor3(gates, a, b, c);
        result.bit[1] = gates_majority(gates, a, b, c);
        return result;
    }
    unsigned half = (count - 1) / 2;
    Word x = count_ones(gates, bits, half), y = count_ones(gates, bits + half, count - 1 - half);
    unsigned width = (x.width > y.width ? x.width : y.width) + 1;
    x = word_zext(&x, width);
    y = word_zext(&y, width);
    return word_add(gates, &x, &y, bits[count - 1]);
}

Word word_ctpop(Gates *gates, const Word *a)
{
    Word ones = count_ones(gates, a->bit, a->width);
    return word_resize(&ones, a->width);
}

/* A one below the lowest bit makes the count of zero the width; the result is cut to the width, as evaluation does. */
Word word_ctlz(Gates *gates, const Word *a)
{
    Word one = word_const(1, 1), extended = word_concat(a, &one), zeros;
    word_normalize(gates, &extended, &zeros);
    return word_resize(&zeros, a->width);
}
