/* Products, quotients and square roots.
 *
 * A product is a sum of shifted rows.  The multiplier is the operand with the fewer rows: constants are recoded to digits -1, 0, 1
 * with no two neighbours other than 0, and a run of equal literals at the top (a sign extension) is one negative row.
 *
 * A quotient has no circuit but a relation, q * b + r = a without overflow and r < b: a third of the size of a chain of subtractions,
 * and it propagates backwards far better (measured: 32-bit x % y against bounds of y, 1.5 ms and 1.2 s).  But it takes a search to
 * find a quotient from its operands.  So the relation can be reinforced by the chain: at once for a constant b, whose chain is short,
 * and for square roots; for others when a query turns out to be hard.  With both, x % 7 = 3 and x % 14 = 4 is refuted in 1 ms (by the
 * product alone: 700 ms), and x / 1000 * 1000 + x % 1000 = x is proved in 0.5 ms (by the chain alone: 600 ms). */
#include "solve/blast_int.h"

/* Digits of a constant: `plus` and `minus`, with value = plus - minus modulo 2^width. */
static void recode(U128 value, unsigned width, U128 *plus, U128 *minus)
{
    *plus = *minus = 0;
    for (unsigned i = 0; i < width && i < 128; i++) {
        if (!(value >> i & 1)) continue;
        U128 one = (U128)1 << i, carried = value + one;
        bool run = i + 1 < width && i + 1 < 128 && (value >> (i + 1) & 1), lost = carried < value && width > 128;
        if (run && !lost) {
            *minus |= one;
            value = carried;
        } else {
            *plus |= one;
        }
    }
}

/* The sum and (a << shift), or their difference, each bit of a masked by `keep`.  Returns the carry out. */
static Lit add_row(Gates *gates, Word *sum, const Word *a, unsigned shift, Lit keep, bool subtract)
{
    Lit carry = subtract ? LIT_TRUE : LIT_FALSE;
    for (unsigned i = shift; i < sum->width; i++) {
        Lit x = i - shift < a->width ? gates_and(gates, a->bit[i - shift], keep) : LIT_FALSE, old = sum->bit[i];
        x ^= subtract;
        sum->bit[i] = gates_xor3(gates, old, x, carry);
        carry = gates_majority(gates, old, x, carry);
    }
    return carry;
}

static Word multiply_by_constant(Gates *gates, const Word *a, U128 value)
{
    U128 plus, minus;
    recode(value, a->width, &plus, &minus);
    Word sum = word_const(a->width, 0);
    for (unsigned i = 0; i < a->width && i < 128; i++) {
        if ((plus | minus) >> i & 1) add_row(gates, &sum, a, i, LIT_TRUE, minus >> i & 1);
    }
    return sum;
}

/* Bits up to where only copies of the top bit follow. */
static unsigned significant(const Word *a)
{
    unsigned n = a->width;
    while (n > 1 && a->bit[n - 2] == a->bit[n - 1]) n--;
    return n;
}

static unsigned rows(const Word *a)
{
    U128 value, plus, minus;
    if (a->width <= 128 && word_is_const(a, &value)) {
        recode(value, a->width, &plus, &minus);
        plus |= minus;
        return (unsigned)__builtin_popcountll((uint64_t)plus) + (unsigned)__builtin_popcountll((uint64_t)(plus >> 64));
    }
    unsigned count = 0;
    for (unsigned i = 0; i < significant(a); i++) count += a->bit[i] != LIT_FALSE;
    return count;
}

/* Makes b the multiplier: fewer rows, or by the literals, so that a product is the same gates in whatever order it is asked for. */
static void order(const Word **a, const Word **b)
{
    unsigned a_rows = rows(*a), b_rows = rows(*b);
    if (a_rows > b_rows || (a_rows == b_rows && (*a)->bit[0] >= (*b)->bit[0])) return;
    const Word *kept = *a;
    *a = *b;
    *b = kept;
}

Word word_mul(Gates *gates, const Word *a, const Word *b)
{
    assert(a->width == b->width);
    U128 value;
    order(&a, &b);
    if (b->width <= 128 && word_is_const(b, &value)) return multiply_by_constant(gates, a, value);
    Word sum = word_const(a->width, 0);
    unsigned n = significant(b);
    for (unsigned i = 0; i < n; i++) {
        if (b->bit[i] != LIT_FALSE) add_row(gates, &sum, a, i, b->bit[i], i == n - 1);
    }
    return sum;
}

/* ---- division ---- */

static unsigned bits_used(const Word *a)
{
    unsigned n = a->width;
    while (n > 1 && a->bit[n - 1] == LIT_FALSE) n--;
    return n;
}

/* The highest bit that is surely 1, counted from 1; 0 if none is. */
static unsigned bits_certain(const Word *a)
{
    unsigned n = a->width;
    while (n > 0 && a->bit[n - 1] != LIT_TRUE) n--;
    return n;
}

/* q * b + r = a over the integers.  The product is that of word_mul, so that a program which multiplies back meets the same gates. */
static Lit product_relation(Gates *gates, const Word *q, const Word *b, const Word *r, const Word *a)
{
    const Word *x = q, *y = b;
    order(&x, &y);
    Word sum = word_const(a->width, 0), rest = word_resize(r, a->width);
    Lit fits = LIT_TRUE, above = LIT_FALSE; /* above: any bit of x that row i would shift out */
    unsigned next = x->width;
    for (unsigned i = 0; i < y->width; i++) {
        for (; next > 0 && next + i > a->width; next--) above = gates_or(gates, above, x->bit[next - 1]);
        fits = gates_and(gates, fits, LIT_NOT(gates_and(gates, y->bit[i], above)));
        if (i < a->width) fits = gates_and(gates, fits, LIT_NOT(add_row(gates, &sum, x, i, y->bit[i], false)));
    }
    fits = gates_and(gates, fits, LIT_NOT(add_row(gates, &sum, &rest, 0, LIT_TRUE, false)));
    return gates_and(gates, fits, word_eq(gates, &sum, a));
}

/* The same for a constant b: q has so few bits that the sum cannot exceed two bits more than a has. */
static Lit product_relation_constant(Gates *gates, const Word *q, U128 b, const Word *r, const Word *a)
{
    Word x = word_zext(q, a->width + 2), product = multiply_by_constant(gates, &x, b), rest = word_zext(r, a->width + 2);
    Word sum = word_add(gates, &product, &rest, LIT_FALSE), wanted = word_zext(a, a->width + 2);
    return word_eq(gates, &sum, &wanted);
}

static Word output_word(const Definition *definition, unsigned output)
{
    Word result = {.width = definition->output_width[output]};
    for (unsigned i = 0; i < result.width; i++) result.bit[i] = definition->output[output] + 2 * i;
    return result;
}

/* q and r are what subtracting b wherever it fits gives. */
static Lit chain_relation(Gates *gates, const Word *a, const Word *b, const Word *q, const Word *r)
{
    Word rest = word_const(b->width + 1, 0), wide = word_zext(b, b->width + 1);
    Lit same = LIT_TRUE;
    for (unsigned i = a->width; i-- > 0;) {
        memmove(rest.bit + 1, rest.bit, b->width * sizeof(Lit));
        rest.bit[0] = a->bit[i];
        Lit fits = LIT_NOT(word_ult(gates, &rest, &wide)), wanted = i < q->width ? q->bit[i] : LIT_FALSE;
        Word less = word_sub(gates, &rest, &wide);
        rest = word_mux(gates, fits, &less, &rest);
        same = gates_and(gates, same, LIT_NOT(gates_xor(gates, fits, wanted)));
    }
    rest = word_resize(&rest, r->width);
    return gates_and(gates, same, word_eq(gates, &rest, r));
}

static Lit division_relation(Gates *gates, const Word *a, const Word *b, Lit positive, const Word *q, const Word *r)
{
    U128 value;
    Lit side = word_is_const(b, &value) ? product_relation_constant(gates, q, value, r, a) : product_relation(gates, q, b, r, a);
    unsigned wide = r->width > b->width ? r->width : b->width;
    Word r_wide = word_zext(r, wide), b_wide = word_zext(b, wide);
    Word inverted = word_not(q);
    Lit ones = LIT_NOT(word_any(gates, &inverted));
    return gates_and(gates, side, gates_mux(gates, positive, word_ult(gates, &r_wide, &b_wide), ones));
}

static Word operand_word(const Gates *gates, uint32_t first, uint32_t width)
{
    Word result = {.width = width};
    memcpy(result.bit, gates->operands.data + first, width * sizeof(Lit));
    return result;
}

static void reinforce(Gates *gates, const Definition *definition)
{
    Word a = operand_word(gates, definition->first, definition->a_width);
    Word b = operand_word(gates, definition->first + definition->a_width, definition->b_width);
    Word q = output_word(definition, 0), r = output_word(definition, 1);
    Lit chain = chain_relation(gates, &a, &b, &q, &r), positive = word_any(gates, &b);
    gates_reinforce(gates, definition, gates_or(gates, chain, LIT_NOT(positive)));
}

static bool is_weak(const Gates *gates, const Definition *definition)
{
    return definition->mark == gates->mark && definition->extra == LIT_TRUE && definition->kind == DEFINE_DIVISION;
}

bool word_cone_is_weak(const Gates *gates)
{
    if (!gates->sides.len) return false;
    for (uint32_t i = 0; i < gates->definitions.len; i++)
        if (is_weak(gates, &gates->definitions.data[i])) return true;
    return false;
}

void word_reinforce_cone(Gates *gates)
{
    for (uint32_t i = 0; i < gates->definitions.len; i++)
        if (is_weak(gates, &gates->definitions.data[i])) reinforce(gates, &gates->definitions.data[i]);
}

void word_divide(Gates *gates, const Word *a, const Word *b, bool b_positive, Word *quotient, Word *rest)
{
    assert(a->width == b->width && a->width <= 128);
    unsigned n = bits_used(a), m = bits_used(b), certain = bits_certain(b), width = a->width;
    if (certain > n) { /* b > a */
        *quotient = word_const(width, 0);
        *rest = *a;
        return;
    }
    Lit positive = b_positive ? LIT_TRUE : word_any(gates, b);
    Word x = word_resize(a, n), y = word_resize(b, m);
    Definition wanted = {.kind = DEFINE_DIVISION, .a_width = n, .b_width = m};
    wanted.output_width[0] = certain ? n - certain + 1 : n;
    wanted.output_width[1] = positive == LIT_TRUE && m < n ? m : n;
    const Definition *definition = gates_define(gates, &wanted, x.bit, y.bit);
    Word q = output_word(definition, 0), r = output_word(definition, 1);
    if (definition->side == LIT_FALSE) {
        U128 value;
        gates_relate(gates, definition, division_relation(gates, &x, &y, positive, &q, &r));
        if (word_is_const(&y, &value) && value) reinforce(gates, definition);
    }
    *quotient = word_zext(&q, width);
    for (unsigned i = q.width; i < width; i++) quotient->bit[i] = LIT_NOT(positive);
    *rest = word_zext(&r, width);
}

/* root * root + rest = a and rest <= 2 * root. */
static Lit root_relation(Gates *gates, const Word *a, const Word *root, const Word *rest)
{
    unsigned wide = a->width + 2;
    Word x = word_zext(root, wide), square = word_mul(gates, &x, &x), y = word_zext(rest, wide), wanted = word_zext(a, wide);
    Word sum = word_add(gates, &square, &y, LIT_FALSE), zero = word_const(1, 0), twice = word_concat(root, &zero);
    return gates_and(gates, word_eq(gates, &sum, &wanted), LIT_NOT(word_ult(gates, &twice, rest)));
}

/* The same digit by digit, two bits of a at a time. */
static Lit root_chain_relation(Gates *gates, const Word *a, const Word *root, const Word *rest)
{
    unsigned half = a->width / 2;
    Word left = word_const(half + 2, 0), found = word_const(half + 2, 0);
    Lit same = LIT_TRUE;
    for (unsigned i = half; i-- > 0;) {
        memmove(left.bit + 2, left.bit, half * sizeof(Lit));
        left.bit[0] = a->bit[2 * i];
        left.bit[1] = a->bit[2 * i + 1];
        Word tried = found;
        memmove(tried.bit + 2, found.bit, half * sizeof(Lit));
        tried.bit[0] = LIT_TRUE;
        tried.bit[1] = LIT_FALSE;
        Lit fits = LIT_NOT(word_ult(gates, &left, &tried));
        Word less = word_sub(gates, &left, &tried);
        left = word_mux(gates, fits, &less, &left);
        memmove(found.bit + 1, found.bit, (half + 1) * sizeof(Lit));
        found.bit[0] = fits;
        same = gates_and(gates, same, LIT_NOT(gates_xor(gates, fits, root->bit[i])));
    }
    left = word_resize(&left, rest->width);
    return gates_and(gates, same, word_eq(gates, &left, rest));
}

Word word_square_root(Gates *gates, const Word *a, Lit *inexact)
{
    assert(a->width % 2 == 0 && a->width <= 128);
    Definition wanted = {.kind = DEFINE_SQUARE_ROOT, .a_width = a->width, .output_width = {a->width / 2, a->width / 2 + 1}};
    const Definition *definition = gates_define(gates, &wanted, a->bit, NULL);
    Word root = output_word(definition, 0), rest = output_word(definition, 1);
    if (definition->side == LIT_FALSE) {
        gates_relate(gates, definition, root_relation(gates, a, &root, &rest));
        gates_reinforce(gates, definition, root_chain_relation(gates, a, &root, &rest));
    }
    *inexact = word_any(gates, &rest);
    return root;
}
