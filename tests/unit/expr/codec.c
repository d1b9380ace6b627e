/* expr_encode and expr_decode: what is read back means the same, and damaged bytes cost a refusal and nothing else. */
#include "../../fuzz/formulas.h"

#include <stdlib.h>

/* After our headers: cmocka defines a macro named fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { ROOTS = 400, MODELS = 3 };

/* Variables of one name are one variable. */
typedef struct Reading {
    ExprPool *pool;
    NameMap names;
    uint32_t met;
    unsigned width_off;
    bool no_function, no_fit;
} Reading;

static Expr variable(void *data, uint32_t number, unsigned width, const char *name)
{
    Reading *r = data;
    assert_int_equal(number, r->met++);
    uint32_t *known = names_find(&r->names, name);
    if (known) return *known;
    Expr e = expr_var(r->pool, width + r->width_off, name);
    names_put(&r->names, name, e);
    return e;
}

static const ExprFunction *function(void *data, const char *name)
{
    Reading *r = data;
    return !r->no_function && !strcmp(name, formulas_function.name) ? &formulas_function : NULL;
}

static bool applies(void *data, const ExprFunction *f, unsigned width, const Expr *arguments, uint32_t count)
{
    (void)f, (void)width, (void)arguments;
    return !((Reading *)data)->no_fit && count == 2;
}

static bool read_back(Reading *r, const StrBuf *bytes, Expr *roots, uint32_t count)
{
    ExprDecode how = {r, variable, function, applies};
    size_t used;
    r->met = 0;
    return expr_decode(r->pool, bytes->text, bytes->len, &used, roots, count, &how) && used == bytes->len;
}

/* A pool full of random expressions, of every kind if one tries often; the roots are its newest values. */
static uint32_t fill(Formulas *f, ExprPool *pool, uint64_t seed, Expr *roots)
{
    formulas_init(f, pool, seed);
    f->floats = seed % 3 == 0;
    f->applies = true;
    if (seed % 4 == 0) f->vars[0] = expr_undef(pool, 32);
    for (int i = 0; i < 4; i++) (void)formulas_next(f);
    uint32_t count = 0;
    for (Expr e = expr_pool_count(pool) - 1; e > 0 && count < ROOTS; e--) {
        ExprKind kind = expr_kind(pool, e);
        if (kind != EXPR_ARRAY && kind != EXPR_STORE) roots[count++] = e;
    }
    return count;
}

static void mark_kinds(const ExprPool *pool, bool *seen)
{
    for (Expr e = 1; e < expr_pool_count(pool); e++) seen[expr_kind(pool, e)] = true;
}

static void same_values(Formulas *f, const Reading *r, const Expr *roots, const Expr *again, uint32_t count)
{
    ExprModel *here = expr_model_new(f->pool), *there = expr_model_new(r->pool);
    for (int m = 0; m < MODELS; m++) {
        for (uint32_t i = 0; i < expr_var_count(f->pool); i++) {
            Expr var = expr_var_at(f->pool, i);
            U128 value = formulas_value(f, expr_width(f->pool, var));
            uint32_t *other = names_find(&r->names, expr_var_name(f->pool, var));
            expr_model_set(here, var, value);
            if (other) expr_model_set(there, *other, value);
        }
        for (uint32_t i = 0; i < count; i++) {
            assert_int_equal(expr_width(f->pool, roots[i]), expr_width(r->pool, again[i]));
            assert_true(expr_eval(here, roots[i]) == expr_eval(there, again[i]));
        }
    }
    expr_model_free(here);
    expr_model_free(there);
}

static void what_is_read_back_means_the_same(void **state)
{
    (void)state;
    enum { ROUNDS = 400 };
    bool seen[EXPR_KINDS] = {[EXPR_NONE] = true};
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        ExprPool *pool = expr_pool_new();
        Formulas f;
        Expr roots[ROOTS], again[ROOTS];
        uint32_t count = fill(&f, pool, seed, roots);
        Reading r = {.pool = expr_pool_new()};
        StrBuf bytes = {0};
        mark_kinds(pool, seen);
        expr_encode(pool, roots, count, &bytes);
        assert_true(read_back(&r, &bytes, again, count));
        same_values(&f, &r, roots, again, count);
        expr_check(r.pool);
        strbuf_release(&bytes);
        names_release(&r.names);
        formulas_release(&f);
        expr_pool_free(r.pool);
        expr_pool_free(pool);
    }
    for (unsigned kind = 0; kind < EXPR_KINDS; kind++) assert_true(seen[kind]);
}

static void what_stands_around_is_left_alone(void **state)
{
    (void)state;
    ExprPool *pool = expr_pool_new();
    Expr x = expr_var(pool, 8, "x"), u = expr_undef(pool, 8), roots[] = {u, 0, expr_add(pool, x, u), u, x}, again[5];
    StrBuf bytes = {0};
    size_t used;
    strbuf_add(&bytes, "before");
    expr_encode(pool, roots, 5, &bytes);
    size_t end = bytes.len;
    strbuf_add(&bytes, "behind");
    assert_true(expr_decode(pool, bytes.text + 6, bytes.len - 6, &used, again, 5, NULL));
    assert_int_equal(used, end - 6);
    assert_true(again[1] == 0 && again[0] == again[3] && again[0] != u && again[4] != x);
    assert_int_equal(expr_kind(pool, again[0]), EXPR_UNDEF);
    assert_int_equal(again[2], expr_add(pool, again[0], again[4]));
    assert_string_equal(expr_var_name(pool, again[4]), "x");
    assert_false(expr_decode(pool, bytes.text + 6, bytes.len - 6, &used, again, 4, NULL));
    strbuf_release(&bytes);
    expr_pool_free(pool);
}

static void deep_and_shared_expressions(void **state)
{
    (void)state;
    enum { DEEP = 100000, SHARED = 10000 };
    ExprPool *pool = expr_pool_new(), *other = expr_pool_new();
    Expr x = expr_var(pool, 64, "x"), y = expr_var(pool, 64, "y"), deep = x, shared = x, again[3];
    Expr array = expr_array(pool, 64, (Expr[]){x, y, x}, 3);
    for (uint64_t i = 0; i < DEEP; i++) {
        deep = expr_binary(pool, EXPR_XOR, y, expr_binary(pool, EXPR_MUL, deep, expr_const(pool, 64, 2 * i + 3)));
        array = expr_store(pool, array, expr_binary(pool, EXPR_XOR, y, expr_const(pool, 64, i % 1000)), deep);
    }
    for (int i = 0; i < SHARED; i++) shared = expr_binary(pool, EXPR_UDIV, shared, expr_binary(pool, EXPR_XOR, shared, y));
    Expr roots[] = {deep, shared, expr_select(pool, array, x)};
    StrBuf bytes = {0};
    expr_encode(pool, roots, 3, &bytes);
    assert_in_range(bytes.len, DEEP, 40 * DEEP);
    Reading r = {.pool = other};
    assert_true(read_back(&r, &bytes, again, 3));
    Formulas f = {.pool = pool};
    random_seed(&f.random, 1);
    same_values(&f, &r, roots, again, 3);
    names_release(&r.names);
    strbuf_release(&bytes);
    expr_pool_free(other);
    expr_pool_free(pool);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    ExprPool *pool = expr_pool_new();
    Expr arguments[] = {expr_var(pool, 32, "x"), expr_var(pool, 32, "y")}, again;
    Expr applied = expr_apply(pool, &formulas_function, 32, arguments, 2);
    StrBuf bytes = {0};
    expr_encode(pool, &applied, 1, &bytes);
    Reading r = {.pool = expr_pool_new()};
    assert_true(read_back(&r, &bytes, &again, 1));
    r.no_function = true;
    assert_false(read_back(&r, &bytes, &again, 1));
    assert_int_equal(again, 0);
    r.no_function = false;
    r.no_fit = true;
    assert_false(read_back(&r, &bytes, &again, 1));
    r.no_fit = false;
    names_release(&r.names);
    r.width_off = 1;
    assert_false(read_back(&r, &bytes, &again, 1));
    names_release(&r.names);
    r.width_off = 0;
    bytes.text[0] ^= 1; /* other kinds */
    assert_false(read_back(&r, &bytes, &again, 1));
    names_release(&r.names);
    strbuf_release(&bytes);
    expr_pool_free(r.pool);
    expr_pool_free(pool);
}

static size_t damage(Random *random, const StrBuf *bytes, char *copy)
{
    size_t n = random_below(random, 3) ? bytes->len : random_below(random, bytes->len);
    memcpy(copy, bytes->text, n);
    for (uint64_t flips = n < bytes->len ? random_below(random, 2) : 1 + random_below(random, 4); flips > 0 && n > 0; flips--) {
        char *at = &copy[random_below(random, n)];
        if (random_below(random, 2)) *at = (char)(*at ^ 1 << random_below(random, 8));
        else *at = (char)random_below(random, random_below(random, 2) ? 256 : EXPR_KINDS);
    }
    return n;
}

/* In a block of its own size, so that reading beyond its end is seen. */
static bool read_damaged(Random *random, const StrBuf *bytes, ExprPool *pool, Expr *again, uint32_t count)
{
    char *copy = mem_alloc(bytes->len + 1);
    size_t n = damage(random, bytes, copy), used;
    char *exact = mem_resize(copy, n ? n : 1);
    bool whole = expr_decode(pool, exact, n, &used, again, count, &(ExprDecode){.data = &(Reading){.pool = pool}, .function = function});
    assert_true(used <= n);
    free(exact);
    return whole;
}

static void damaged_bytes_do_no_harm(void **state)
{
    (void)state;
    enum { ROUNDS = 20, TIMES = 1000 };
    ExprPool *other = expr_pool_new();
    Random random;
    uint64_t accepted = 0;
    random_seed(&random, 5);
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        ExprPool *pool = expr_pool_new();
        Formulas f;
        Expr roots[ROOTS], again[ROOTS];
        uint32_t count = fill(&f, pool, seed, roots), before = expr_pool_count(other);
        StrBuf bytes = {0};
        if (count > 8) count = 8;
        expr_encode(pool, roots, count, &bytes);
        for (int i = 0; i < TIMES; i++) {
            bool whole = read_damaged(&random, &bytes, other, again, count);
            ExprModel *model = expr_model_new(other);
            for (uint32_t k = 0; k < count; k++) {
                if (whole && again[k]) (void)expr_eval(model, again[k]);
                if (!whole) assert_int_equal(again[k], 0);
            }
            accepted += whole;
            expr_model_free(model);
            if (i % 100 == 0) expr_check(other);
            expr_pool_rewind(other, before);
        }
        strbuf_release(&bytes);
        formulas_release(&f);
        expr_pool_free(pool);
    }
    assert_in_range(accepted, ROUNDS * TIMES / 50, ROUNDS * TIMES);
    expr_pool_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_read_back_means_the_same), cmocka_unit_test(what_stands_around_is_left_alone),
        cmocka_unit_test(deep_and_shared_expressions),      cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(damaged_bytes_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
