/* vm: partitions are what C makes of them: each text is read by the machine and by the compiler, and both must agree on all values. */
#include "machine.h"

#include <float.h>
#include <math.h>

#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wbool-operation"
#pragma GCC diagnostic ignored "-Wfloat-equal"
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#pragma GCC diagnostic ignored "-Wlogical-not-parentheses"
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#pragma GCC diagnostic ignored "-Wtautological-compare"
#pragma GCC diagnostic ignored "-Wlogical-op-parentheses"
#pragma GCC diagnostic ignored "-Wbitwise-op-parentheses"
#pragma GCC diagnostic ignored "-Wshift-op-parentheses"
#pragma GCC diagnostic ignored "-Wtautological-constant-out-of-range-compare"
#pragma GCC diagnostic ignored "-Wconstant-logical-operand"

#define PARAMETERS \
    __int128 w, int x, unsigned u, signed char c, unsigned short h, long l, unsigned long q, double d, float f, _Bool b, const state_t e
#define PARAMETERS_TEXT \
    "__int128 w, int x, unsigned u, signed char c, unsigned short h, long l, unsigned long q, double d, float f, _Bool b, const state_t e"
typedef unsigned long state_t;
enum { PARAMETER_COUNT = 12 }; /* the first is two */

/* clang-format off */
#define CONDITIONS(C) \
    C(x > 3) C(x < -3) C(x >= u) C(u > -1) C(c < h) C(c == -1) C(h == 65535u) C(l > u) C(l < q) C(q > 0x7fffffffffffffff) \
    C(x + 1 > x) C(x - u < 5) C((x & 3) == 2) C(x & 3 == 3) C(x | 1 && u) C(x ^ u ^ 7) C(!x) C(!!u == 1) C(~x == -1) \
    C(-x > 10) C(-u > 10) C(x * 3 - 2 > l) C(u / 7 == 3 || u % 7 == 3) C(x / 7 * 7 + x % 7 == x) \
    C(u << 2 > 100) C(u >> 3 == 5) C(x >> 1 < 0) C(h << 4 > 200) C(5 << b == 10) \
    C(d > 3) C(d < x) C(d * 2 - 1 >= f) C(f == x) C(f / 3 > 0.1f) C(f / 3 > 0.1) C(-d < -1.5e1) C(!d) C(d && f) C(d == u + 0.5) \
    C(f != f) C(b == 1) C(b + 1 > 1) C(!b && x) C(e > 5u) C(e - 6 > 5) C(c + h * 2 > 'a') \
    C(x == '\n' || x == '\\' || x == '\x41' || x == '\101') C(x == 0x1F || x == 017 || x == 0b101) \
    C(u == 4294967295) C(x == 2147483648) C(l == -2147483648) C(1) C(0 || (1 && 2)) C(d > 0x1.8p1) C(d > 1.) C(d > .5) \
    C(((((x)))) != +5) C(1 < 2 < x) C(x == 1 == u) \
    C(w > l) C(w * 3 == x * 3) C((w >> 64) == -1) C(d < w) C(u < w && -5 < w) C(f < 1e10L)
/* clang-format on */

#define TEXT(...) #__VA_ARGS__,
static const char *const texts[] = {CONDITIONS(TEXT)};

#define VALUE(...) \
    if (which == n++) return (__VA_ARGS__) ? 1 : 0;
static int truth(unsigned which, PARAMETERS)
{
    unsigned n = 0;
    (void)x, (void)u, (void)c, (void)h, (void)l, (void)q, (void)d, (void)f, (void)b, (void)e, (void)w;
    CONDITIONS(VALUE)
    return -1;
}

static uint64_t interesting(Random *random)
{
    static const uint64_t values[] = {0,
                                      1,
                                      2,
                                      3,
                                      5,
                                      7,
                                      10,
                                      13,
                                      65,
                                      92,
                                      255,
                                      UINT64_MAX,
                                      UINT64_MAX - 1,
                                      UINT64_MAX - 4,
                                      0x7fffffff,
                                      0x80000000,
                                      0xffff,
                                      0x80,
                                      0x7f,
                                      UINT32_MAX,
                                      UINT64_MAX >> 1,
                                      (uint64_t)1 << 63,
                                      31,
                                      15};
    return random_below(random, 3) ? values[random_below(random, COUNT_OF(values))] : random_next(random) >> random_below(random, 64);
}

static double number(Random *random)
{
    static const double values[] = {0, -0.0, 1, 3, 3.5, -15, 1e300, 0.1, 0.3, 1.0 / 3, INFINITY, -INFINITY, NAN, 1e9, 5, 0.5};
    return random_below(random, 3) ? values[random_below(random, COUNT_OF(values))] : (double)(int64_t)interesting(random) / 8;
}

static void partitions_mean_what_they_mean_in_c(void **state)
{
    (void)state;
    StrBuf source = {0};
    strbuf_add(&source, "typedef unsigned long state_t; " CONCRETE);
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        strbuf_add(&source, "__attribute__((annotate(\"clew.partition:");
        for (const char *p = texts[i]; *p; p++) strbuf_addf(&source, *p == '\\' ? "\\\\" : "%c", *p);
        strbuf_add(&source, "\"))) ");
    }
    strbuf_add(&source,
               "int g(" PARAMETERS_TEXT ") { return x; } int test(" PARAMETERS_TEXT ") { return g(w, x, u, c, h, l, q, d, f, b, e); }");
    Machine m;
    Expr v[PARAMETER_COUNT], conditions[COUNT_OF(texts) + 1];
    machine_init(&m, source.text, (VmOptions){.exploring = true});
    Expr application = machine_result(&m, v);
    assert_int_equal(expr_kind(m.pool, application), EXPR_APPLY);
    const char *const *found;
    assert_int_equal(vm_partitions(m.vm, expr_function(m.pool, application), &found), COUNT_OF(texts));
    assert_string_equal(found[1], texts[1]);
    uint32_t count = vm_partition_conditions(m.vm, application, conditions, COUNT_OF(texts) + 1);
    for (uint32_t i = 0; i < m.notes.len; i++) fprintf(stderr, "%s\n", m.notes.data[i]);
    assert_int_equal(count, COUNT_OF(texts));
    assert_int_equal(m.notes.len, 0);
    Random random;
    random_seed(&random, 7);
    ExprModel *model = expr_model_new(m.pool);
    uint64_t trues = 0;
    for (unsigned round = 0; round < 3000; round++) {
        uint64_t a[PARAMETER_COUNT];
        for (unsigned i = 0; i < PARAMETER_COUNT; i++) a[i] = interesting(&random);
        double d = number(&random);
        float f = (float)number(&random);
        memcpy(&a[8], &d, 8);
        a[9] = 0;
        memcpy(&a[9], &f, 4);
        a[10] &= 1;
        a[2] = (uint32_t)((int)a[2] % (1 << 28)); /* what overflows has no meaning in C */
        a[1] = (uint64_t)((int64_t)a[1] >> 3);
        if (round % 2) a[1] = (uint64_t)((int64_t)a[0] >> 63);
        for (unsigned i = 0; i < PARAMETER_COUNT; i++) expr_model_set(model, v[i], a[i]);
        __int128 w = (__int128)((U128)a[1] << 64 | a[0]);
        for (unsigned i = 0; i < COUNT_OF(texts); i++) {
            assert_int_equal(expr_width(m.pool, conditions[i]), 1);
            int is = truth(i, w, (int)a[2], (unsigned)a[3], (signed char)a[4], (unsigned short)a[5], (long)a[6], a[7], d, f, (_Bool)a[10],
                           a[11]);
            if ((int)expr_eval(model, conditions[i]) != is)
                fail_msg("%s with x %d u %u c %d h %d l %ld q %lu d %g f %g b %d e %lu w %lx %lx should be %d", texts[i], (int)a[2],
                         (unsigned)a[3], (signed char)a[4], (unsigned short)a[5], (long)a[6], a[7], d, f, (int)a[10], a[11], a[1], a[0],
                         is);
            trues += (uint64_t)is;
        }
    }
    assert_true(trues > 10000);
    expr_model_free(model);
    machine_release(&m);
    strbuf_release(&source);
}

static void what_cannot_be_read_is_left_out(void **state)
{
    (void)state;
    static const char *const bad[] = {"y > 3", "x >",    "x > 3)", "(x > 3", "d % 2",     "x = 3",  "x + + ",   "3 > 08",
                                      "~d",    "d << 1", "'",      "x 3",    "1.5.2 > x", "$3 > 1", "x ? 1 : 2"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        Machine m;
        Expr v[2], conditions[4];
        char *text = mem_format(CONCRETE "__attribute__((annotate(\"clew.partition:%s\"))) " PARTITION("x == 1") PARTITION(
                                    "$2 > x") "int g(int x, double d) { return x; } int test(int x, double d) { return g(x, d); }",
                                bad[i]);
        machine_init(&m, text, (VmOptions){.exploring = true});
        Expr application = machine_result(&m, v);
        assert_int_equal(vm_partition_conditions(m.vm, application, conditions, 4), 2);
        assert_int_equal(vm_partition_conditions(m.vm, application, conditions, 4), 2);
        assert_int_equal(m.notes.len, 1);
        assert_true(machine_noted(&m, bad[i]) && machine_noted(&m, "'g'"));
        assert_int_equal(conditions[0], expr_eq(m.pool, v[0], expr_const(m.pool, 32, 1)));
        assert_int_equal(vm_partition_conditions(m.vm, application, conditions, 1), 1);
        machine_release(&m);
        free(text);
    }
}

/* Garbage must be refused, whatever it is. */
static void anything_can_be_read(void **state)
{
    (void)state;
    static const char letters[] = "xd()!~-+*/%<>=&|^ 0123.e'\\nuL$";
    Random random;
    random_seed(&random, 3);
    StrBuf source = {0};
    strbuf_add(&source, CONCRETE);
    for (unsigned i = 0; i < 2000; i++) {
        strbuf_add(&source, "__attribute__((annotate(\"clew.partition:");
        for (unsigned k = 1 + (unsigned)random_below(&random, 12); k > 0; k--) {
            char c = letters[random_below(&random, sizeof letters - 1)];
            strbuf_addf(&source, c == '\\' ? "\\\\" : "%c", c);
        }
        strbuf_add(&source, "\"))) ");
    }
    strbuf_add(&source, "int g(int x, double d) { return x; } int test(int x, double d) { return g(x, d); }");
    Machine m;
    Expr v[2], conditions[2000];
    machine_init(&m, source.text, (VmOptions){.exploring = true});
    Expr application = machine_result(&m, v);
    uint32_t count = vm_partition_conditions(m.vm, application, conditions, 2000);
    assert_true(count > 10 && m.notes.len > 100);
    for (uint32_t i = 0; i < count; i++) assert_int_equal(expr_width(m.pool, conditions[i]), 1);
    machine_release(&m);
    strbuf_release(&source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partitions_mean_what_they_mean_in_c),
        cmocka_unit_test(what_cannot_be_read_is_left_out),
        cmocka_unit_test(anything_can_be_read),
    };
    return cmocka_run_group_tests_name("vm: partitions", tests, NULL, NULL);
}
