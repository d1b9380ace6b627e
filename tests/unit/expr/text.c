/* expr_text: what a reader of a summary sees. */
#include "../../fuzz/formulas.h"

/* After our headers: cmocka defines a macro named fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

typedef struct Fixture {
    ExprPool *pool;
    Expr x, y, n, c, s0, s1, flag, i, f, d; /* ints, then bytes, a bit, 64 bits, float, double */
} Fixture;

static int open_pool(void **state)
{
    Fixture *f = mem_alloc(sizeof *f);
    f->pool = expr_pool_new();
    f->x = expr_var(f->pool, 32, "x");
    f->y = expr_var(f->pool, 32, "y");
    f->n = expr_var(f->pool, 32, "n");
    f->c = expr_var(f->pool, 32, "c");
    f->s0 = expr_var(f->pool, 8, "s[0]");
    f->s1 = expr_var(f->pool, 8, "s[1]");
    f->flag = expr_var(f->pool, 1, "flag");
    f->i = expr_var(f->pool, 64, "i");
    f->f = expr_var(f->pool, 32, "f");
    f->d = expr_var(f->pool, 64, "d");
    *state = f;
    return 0;
}

static int close_pool(void **state)
{
    Fixture *f = *state;
    expr_pool_free(f->pool);
    vec__free(f);
    return 0;
}

static Expr num(Fixture *f, int64_t value)
{
    return expr_const(f->pool, 32, (U128)(I128)value);
}

static Expr op(Fixture *f, ExprKind kind, Expr a, Expr b)
{
    return expr_binary(f->pool, kind, a, b);
}

static Expr add(Fixture *f, Expr a, Expr b)
{
    return expr_add(f->pool, a, b);
}

static Expr no(Fixture *f, Expr a)
{
    return expr_not(f->pool, a);
}

static Expr single(Fixture *f, float value)
{
    return expr_const(f->pool, 32, arith_bits32(value));
}

static void reads(Fixture *f, Expr e, const char *text)
{
    StrBuf out = {0};
    expr_text(f->pool, e, false, &out);
    assert_string_equal(out.text, text);
    strbuf_release(&out);
}

static void reads_signed(Fixture *f, Expr e, const char *text)
{
    StrBuf out = {0};
    strbuf_add(&out, ">");
    expr_text(f->pool, e, true, &out);
    assert_string_equal(out.text + 1, text);
    strbuf_release(&out);
}

static void constants_have_the_likelier_sign(void **state)
{
    Fixture *f = *state;
    reads(f, num(f, -1), "4294967295");
    reads_signed(f, num(f, -1), "-1");
    reads_signed(f, expr_const(f->pool, 128, (U128)1 << 127), "-170141183460469231731687303715884105728");
    reads(f, expr_const(f->pool, 128, ~(U128)0), "340282366920938463463374607431768211455");
    reads(f, expr_const(f->pool, 1, 1), "true");
    reads(f, add(f, f->x, num(f, -1)), "x - 1");
    reads(f, add(f, f->n, num(f, 1)), "n + 1");
    reads(f, add(f, f->n, num(f, INT32_MIN)), "n + 2147483648");
    reads(f, op(f, EXPR_MUL, f->x, num(f, -3)), "x * -3");
    reads(f, op(f, EXPR_SUB, num(f, 0), f->x), "-x");
    reads(f, op(f, EXPR_SUB, num(f, 7), f->x), "7 - x");
    reads(f, expr_eq(f->pool, f->x, num(f, -1)), "x = -1");
    reads(f, expr_eq(f->pool, f->x, num(f, 0xdeadbeef)), "x = 3735928559");
    reads(f, expr_eq(f->pool, f->s0, expr_const(f->pool, 8, 200)), "s[0] = 200");
    reads_signed(f, expr_eq(f->pool, f->s0, expr_const(f->pool, 8, 200)), "s[0] = -56");
    reads(f, op(f, EXPR_SDIV, f->x, num(f, -7)), "x / -7");
    reads(f, expr_ite(f->pool, f->flag, f->x, num(f, -1)), "if flag then x else 4294967295");
    reads_signed(f, expr_ite(f->pool, f->flag, f->x, num(f, -1)), "if flag then x else -1");
}

static void comparisons_are_as_written(void **state)
{
    Fixture *f = *state;
    reads(f, op(f, EXPR_SLT, num(f, 0), f->x), "x > 0");
    reads(f, op(f, EXPR_SLE, f->x, num(f, 0)), "x <= 0");
    reads(f, op(f, EXPR_SLE, num(f, 0), f->x), "x >= 0");
    reads(f, op(f, EXPR_SLT, f->x, num(f, 0)), "x < 0");
    reads(f, op(f, EXPR_SLT, f->x, num(f, -5)), "x < -5");
    reads(f, op(f, EXPR_SLE, f->x, num(f, 10)), "x <= 10");
    reads(f, op(f, EXPR_SLT, f->x, num(f, 10)), "x < 10");
    reads(f, op(f, EXPR_SLT, f->x, num(f, 100)), "x < 100");
    reads(f, op(f, EXPR_SLT, num(f, 9), f->x), "x >= 10");
    reads(f, op(f, EXPR_SLT, num(f, 10), f->x), "x > 10");
    reads(f, op(f, EXPR_SLE, num(f, '0'), f->x), "x >= 48");
    reads(f, op(f, EXPR_SLE, f->x, num(f, '9')), "x <= 57");
    reads(f, op(f, EXPR_SLE, num(f, INT32_MIN + 2), f->x), "x > -2147483647");
    reads(f, op(f, EXPR_SLT, f->x, f->y), "x < y");
    reads(f, no(f, op(f, EXPR_SLT, f->x, f->y)), "y <= x");
    reads(f, op(f, EXPR_ULT, f->x, num(f, 10)), "x <u 10");
    reads(f, op(f, EXPR_ULT, num(f, 10), f->x), "x >u 10");
    reads(f, op(f, EXPR_ULE, f->x, f->y), "x <=u y");
    reads(f, no(f, expr_eq(f->pool, f->x, f->y)), "x != y");
    reads(f, expr_eq(f->pool, f->y, add(f, f->x, num(f, 1))), "y = x + 1");
    reads(f, no(f, expr_eq(f->pool, f->s0, expr_const(f->pool, 8, 0))), "s[0] != 0");
}

static void conditions_are_flat(void **state)
{
    Fixture *f = *state;
    Expr a = op(f, EXPR_SLE, num(f, 0), f->x), b = op(f, EXPR_SLE, f->x, num(f, 10)), both = expr_and(f->pool, a, b);
    Expr c = expr_eq(f->pool, f->x, f->y);
    reads(f, both, "x >= 0 and x <= 10");
    reads(f, expr_and(f->pool, both, c), "x >= 0 and x <= 10 and x = y");
    reads(f, expr_and(f->pool, a, expr_and(f->pool, b, c)), "x >= 0 and x <= 10 and x = y");
    reads(f, expr_or(f->pool, a, expr_and(f->pool, b, c)), "x >= 0 or x <= 10 and x = y");
    reads(f, expr_and(f->pool, a, expr_or(f->pool, b, c)), "x >= 0 and (x <= 10 or x = y)");
    reads(f, no(f, expr_and(f->pool, f->flag, expr_and(f->pool, b, c))), "not flag or x > 10 or x != y");
    reads(f, no(f, f->flag), "not flag");
    reads(f, op(f, EXPR_XOR, a, c), "(x >= 0) != (x = y)");
    reads(f, expr_zext(f->pool, op(f, EXPR_SLT, f->x, f->y), 32), "x < y");
    reads(f, add(f, f->y, expr_zext(f->pool, op(f, EXPR_SLT, f->x, f->y), 32)), "y + (x < y)");
    reads(f, expr_sext(f->pool, op(f, EXPR_SLT, f->x, f->y), 32), "-(x < y)");
    reads(f, expr_extract(f->pool, f->x, 31, 1), "x < 0");
    reads(f, no(f, expr_extract(f->pool, f->x, 31, 1)), "x >= 0");
    reads(f, no(f, expr_eq(f->pool, expr_and(f->pool, f->x, num(f, 4)), num(f, 0))), "(x & 4) != 0");
}

static void casts_are_shown_where_they_matter(void **state)
{
    Fixture *f = *state;
    Expr wide = expr_sext(f->pool, f->s0, 32), narrow = expr_extract(f->pool, f->c, 0, 8);
    reads(f, expr_eq(f->pool, wide, f->c), "s[0] = c");
    reads(f, no(f, expr_eq(f->pool, expr_zext(f->pool, f->s0, 32), f->c)), "s[0] != c");
    reads(f, op(f, EXPR_SLT, wide, f->c), "s[0] < c");
    reads(f, op(f, EXPR_ULT, expr_zext(f->pool, f->s0, 32), f->c), "s[0] <u c");
    reads(f, op(f, EXPR_ULT, expr_zext(f->pool, f->s0, 32), expr_and(f->pool, f->c, num(f, 0xffff))), "s[0] < (c & 65535)");
    reads(f, add(f, expr_sext(f->pool, f->x, 64), f->i), "i + x");
    reads(f, narrow, "c");
    reads(f, expr_eq(f->pool, f->s0, narrow), "s[0] = c{7..0}");
    reads(f, expr_sext(f->pool, narrow, 32), "sext(c{7..0})");
    reads(f, expr_extract(f->pool, f->c, 8, 8), "c{15..8}");
    reads(f, op(f, EXPR_ULT, expr_and(f->pool, f->c, num(f, 255)), num(f, 7)), "(c & 255) < 7");
    reads(f, expr_eq(f->pool, expr_and(f->pool, f->c, num(f, 255)), num(f, 200)), "(c & 255) = 200");
    reads(f, op(f, EXPR_SLT, narrow, expr_const(f->pool, 8, 7)), "sext(c{7..0}) < 7");
    reads(f, op(f, EXPR_SLT, expr_extract(f->pool, f->c, 24, 8), expr_const(f->pool, 8, 7)), "c >> 24 < 7");
    reads(f, expr_zext(f->pool, wide, 64), "s[0] & 4294967295");
    reads(f, expr_zext(f->pool, add(f, f->s0, f->s1), 32), "s[0] + s[1] & 255");
    reads(f, expr_sext(f->pool, add(f, f->s0, f->s1), 32), "sext(s[0] + s[1])");
    reads(f, expr_sext(f->pool, add(f, f->x, f->y), 64), "x + y");
}

static void parts_are_masks_and_shifts(void **state)
{
    Fixture *f = *state;
    Expr sum = add(f, f->x, f->y);
    reads(f, expr_and(f->pool, f->x, num(f, 255)), "x & 255");
    reads(f, expr_and(f->pool, f->x, num(f, -8)), "x & -8");
    reads(f, expr_or(f->pool, f->x, num(f, 12)), "x | 12");
    reads(f, expr_and(f->pool, sum, num(f, 15)), "x + y & 15");
    reads(f, op(f, EXPR_MUL, f->x, num(f, 4)), "x << 2");
    reads(f, op(f, EXPR_LSHR, f->x, num(f, 4)), "x >>u 4");
    reads(f, op(f, EXPR_ASHR, f->x, num(f, 4)), "x >> 4");
    reads(f, expr_and(f->pool, op(f, EXPR_LSHR, f->x, num(f, 4)), num(f, 15)), "x >> 4 & 15");
    reads(f, op(f, EXPR_LSHR, expr_and(f->pool, f->x, num(f, 0xff0)), num(f, 4)), "x >> 4 & 255");
    reads(f, op(f, EXPR_MUL, expr_sext(f->pool, f->x, 64), expr_const(f->pool, 64, 8)), "x << 3");
    reads(f, op(f, EXPR_SHL, sum, f->y), "x + y << y");
    reads(f, op(f, EXPR_LSHR, f->x, f->y), "x >>u y");
    reads(f, op(f, EXPR_CONCAT, f->s1, f->s0), "s[1] << 8 | s[0]");
    reads(f, expr_zext(f->pool, op(f, EXPR_CONCAT, f->s1, f->s0), 32), "s[1] << 8 | s[0]");
    reads(f, op(f, EXPR_CONCAT, f->s1, no(f, f->s0)), "concat(s[1], ~s[0])");
    reads(f, no(f, sum), "~(x + y)");
}

static void brackets_are_few(void **state)
{
    Fixture *f = *state;
    Expr sum = add(f, f->x, f->y), product = op(f, EXPR_MUL, f->x, f->y);
    reads(f, add(f, product, f->n), "n + x * y");
    reads(f, op(f, EXPR_MUL, sum, f->n), "n * (x + y)");
    reads(f, op(f, EXPR_SUB, f->n, sum), "n - (x + y)");
    reads(f, op(f, EXPR_SUB, sum, f->n), "x + y - n");
    reads(f, add(f, f->n, sum), "n + x + y");
    reads(f, op(f, EXPR_SDIV, product, f->n), "x * y / n");
    reads(f, op(f, EXPR_MUL, f->c, op(f, EXPR_SDIV, f->x, f->n)), "c * (x / n)");
    reads(f, op(f, EXPR_UDIV, f->x, f->n), "x /u n");
    reads(f, op(f, EXPR_UREM, expr_zext(f->pool, f->s0, 32), num(f, 10)), "s[0] %u 10");
    reads(f, add(f, expr_ite(f->pool, f->flag, f->x, f->y), f->n), "n + (if flag then x else y)");
    reads(f, expr_ite(f->pool, f->flag, f->x, expr_ite(f->pool, expr_eq(f->pool, f->x, f->y), f->c, f->n)),
          "if flag then x else if x = y then c else n");
    Expr star = expr_var(f->pool, 32, "*p");
    reads(f, add(f, star, num(f, 1)), "*p + 1");
    reads(f, expr_extract(f->pool, star, 8, 8), "(*p){15..8}");
}

static U128 first(void *data, const U128 *arguments, uint32_t count)
{
    (void)data;
    return count ? arguments[0] : 0;
}

static void tables_and_calls(void **state)
{
    Fixture *f = *state;
    static const ExprFunction hash = {"hash", first, NULL};
    Expr table[20], arguments[] = {f->x, add(f, f->y, num(f, 1))};
    for (unsigned i = 0; i < 20; i++) table[i] = num(f, 7 * i);
    reads(f, expr_select(f->pool, expr_array(f->pool, 32, table, 3), f->i), "[0, 7, 14][i]");
    reads(f, expr_select(f->pool, expr_array(f->pool, 32, table, 20), f->i), "[0, 7, 14, 21, 28, 35, 42, 49, …][i]");
    Expr stored = expr_store(f->pool, expr_array(f->pool, 32, table, 2), f->i, f->x);
    reads(f, expr_select(f->pool, stored, expr_zext(f->pool, f->y, 64)), "([0, 7] with [i] = x)[y]");
    reads(f, expr_apply(f->pool, &hash, 32, arguments, 2), "hash(x, y + 1)");
    reads(f, expr_unary(f->pool, EXPR_CTPOP, f->x), "popcount(x)");
    reads(f, expr_undef(f->pool, 32), "undefined");
}

static void floats_are_numbers(void **state)
{
    Fixture *f = *state;
    reads(f, op(f, EXPR_FADD, f->f, single(f, 1.0f)), "f + 1.0");
    reads(f, op(f, EXPR_FMUL, op(f, EXPR_FSUB, f->f, single(f, 0.1f)), single(f, -2.5f)), "(f - 0.1) * -2.5");
    reads(f, op(f, EXPR_FLT, f->f, single(f, 1e20f)), "f < 1e+20");
    reads(f, op(f, EXPR_FLE, single(f, 3.0f), f->f), "f >= 3.0");
    reads(f, no(f, op(f, EXPR_FLT, f->f, single(f, 1.5f))), "not (f < 1.5)");
    reads(f, no(f, op(f, EXPR_FEQ, f->d, expr_const(f->pool, 64, arith_bits64(0.1)))), "d != 0.1");
    reads(f, op(f, EXPR_FUNO, f->f, f->f), "isnan(f)");
    reads(f, expr_convert(f->pool, EXPR_FCONVERT, f->d, 32), "(float)d");
    reads(f, op(f, EXPR_FLT, expr_convert(f->pool, EXPR_FCONVERT, f->f, 64), f->d), "f < d");
    reads(f, expr_convert(f->pool, EXPR_SITOF, f->x, 64), "(double)x");
    reads(f, expr_convert(f->pool, EXPR_UITOF, f->x, 64), "(double)unsigned(x)");
    reads(f, expr_convert(f->pool, EXPR_FTOSI, op(f, EXPR_FADD, f->d, f->d), 32), "(int32_t)(d + d)");
    reads(f, expr_unary(f->pool, EXPR_FSQRT, f->f), "sqrt(f)");
}

static void long_texts_end(void **state)
{
    Fixture *f = *state;
    Expr both = expr_const(f->pool, 1, 1), twice = f->x, deep = f->x;
    StrBuf out = {0};
    for (int i = 0; i < 100000; i++) both = expr_and(f->pool, both, no(f, expr_eq(f->pool, add(f, f->x, f->y), num(f, i))));
    expr_text(f->pool, both, false, &out);
    assert_in_range(out.len, 1000, 2003);
    assert_string_equal(out.text + out.len - 3, "…");
    for (int i = 0; i < 10000; i++) twice = op(f, EXPR_MUL, twice, op(f, EXPR_XOR, twice, f->y));
    strbuf_clear(&out);
    expr_text(f->pool, twice, false, &out);
    assert_in_range(out.len, 100, 2003);
    for (int i = 0; i < 100000; i++) deep = op(f, EXPR_UDIV, f->y, add(f, deep, f->y));
    strbuf_clear(&out);
    expr_text(f->pool, deep, false, &out);
    assert_in_range(out.len, 100, 2003);
    strbuf_release(&out);
}

static void anything_has_a_text(void **state)
{
    (void)state;
    StrBuf out = {0};
    for (uint64_t seed = 1; seed <= 200; seed++) {
        ExprPool *pool = expr_pool_new();
        Formulas f;
        formulas_init(&f, pool, seed);
        f.floats = seed % 2;
        f.applies = true;
        for (int i = 0; i < 4; i++) (void)formulas_next(&f);
        uint32_t count = expr_pool_count(pool);
        for (Expr e = 1; e < count; e++) {
            int open = 0;
            strbuf_clear(&out);
            expr_text(pool, e, seed % 4 < 2, &out);
            assert_in_range(out.len, 1, 2003);
            for (const char *at = out.text; *at; at++) open += (*at == '(') - (*at == ')');
            assert_true(open == 0 || out.len > 1000);
        }
        assert_int_equal(expr_pool_count(pool), count);
        formulas_release(&f);
        expr_pool_free(pool);
    }
    strbuf_release(&out);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_pool, close_pool)
    const struct CMUnitTest tests[] = {
        TEST(constants_have_the_likelier_sign),
        TEST(comparisons_are_as_written),
        TEST(conditions_are_flat),
        TEST(casts_are_shown_where_they_matter),
        TEST(parts_are_masks_and_shifts),
        TEST(brackets_are_few),
        TEST(tables_and_calls),
        TEST(floats_are_numbers),
        TEST(long_texts_end),
        cmocka_unit_test(anything_has_a_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
