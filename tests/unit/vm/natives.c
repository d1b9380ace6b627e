/* vm: functions without a body: libm, libraries of the user's own, libc. */
#include "base/native.h"
#include "machine.h"

#include <dlfcn.h>
#include <math.h>

static const VmOptions exploring = {.exploring = true, .marks = true};

static Expr result_of(Machine *m, const char *text, Expr *variables)
{
    machine_init(m, text, exploring);
    return machine_result(m, variables);
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static const double numbers[] = {0, -0.0, 1, -1, 2.5, -3.75, 1e300, -1e-300, 0.1, 123456.789, INFINITY, -INFINITY};

static U128 value_at(Machine *m, Expr e, const Expr *variables, const U128 *values, uint32_t count)
{
    ExprModel *model = expr_model_new(m->pool);
    for (uint32_t i = 0; i < count; i++) expr_model_set(model, variables[i], values[i]);
    U128 result = expr_eval(model, e);
    expr_model_free(model);
    return result;
}

/* The names are hidden from the compiler, which would know some of them. */
static void exact_functions_are_expressions(void **state)
{
    (void)state;
    Machine m;
    Expr v[2];
    Expr e = result_of(&m, "double (*p)(double); double f(double) __asm__(\"fabs\"); double test(double a) { return f(a); }", v);
    assert_false(expr_has_apply(m.pool, e));
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        assert_int_equal(value_at(&m, e, v, (U128[]){bits_of(numbers[i])}, 1), bits_of(fabs(numbers[i])));
    machine_release(&m);
    e = result_of(&m, "double sqrt(double); double test(double a) { return sqrt(a); }", v);
    assert_int_equal(expr_kind(m.pool, e), EXPR_FSQRT);
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        if (numbers[i] >= 0) assert_int_equal(value_at(&m, e, v, (U128[]){bits_of(numbers[i])}, 1), bits_of(sqrt(numbers[i])));
    machine_release(&m);
    e = result_of(&m, "double f(double, double) __asm__(\"copysign\"); double test(double a, double b) { return f(a, b); }", v);
    assert_false(expr_has_apply(m.pool, e));
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        for (size_t k = 0; k < COUNT_OF(numbers); k++)
            assert_int_equal(value_at(&m, e, v, (U128[]){bits_of(numbers[i]), bits_of(numbers[k])}, 2),
                             bits_of(copysign(numbers[i], numbers[k])));
    machine_release(&m);
}

static void functions_of_libm_are_applications(void **state)
{
    (void)state;
    Machine m;
    Expr v[2];
    Expr e = result_of(&m, "double ldexp(double, int); double test(double a, int n) { return ldexp(a, n); }", v);
    assert_int_equal(expr_kind(m.pool, e), EXPR_APPLY);
    for (int n = -5; n < 5; n++) assert_int_equal(value_at(&m, e, v, (U128[]){bits_of(2.5), (uint32_t)n}, 2), bits_of(ldexp(2.5, n)));
    machine_release(&m);
    e = result_of(&m, "double jn(int, double); double test(int n, double a) { return jn(n, a); }", v);
    assert_int_equal(expr_kind(m.pool, e), EXPR_APPLY);
    volatile double x = 2.5; /* computed by the library, not by the compiler */
    assert_int_equal(value_at(&m, e, v, (U128[]){3, bits_of(x)}, 2), bits_of(jn(3, x)));
    machine_release(&m);
    e = result_of(&m, "long lround(double); long test(double a) { return lround(a); }", v);
    assert_int_equal(expr_kind(m.pool, e), EXPR_APPLY);
    assert_int_equal(value_at(&m, e, v, (U128[]){bits_of(-2.5)}, 1), (uint64_t)-3);
    machine_release(&m);
    e = result_of(&m, "int ilogbf(float); int test(float a) { return ilogbf(a); }", v);
    assert_int_equal(expr_kind(m.pool, e), EXPR_APPLY);
    float thousand = 1000;
    uint32_t bits;
    memcpy(&bits, &thousand, 4);
    assert_int_equal(value_at(&m, e, v, (U128[]){bits}, 1), 9);
    machine_release(&m);
    e = result_of(&m, "double pow(double, double); double test(double a, double b) { return pow(a, b) + pow(2, 3); }", v);
    assert_true(expr_has_apply(m.pool, e));
    assert_int_equal(value_at(&m, e, v, (U128[]){bits_of(1.5), bits_of(2)}, 2), bits_of(2.25 + 8));
    machine_release(&m);
}

/* A program's own function of that name is its own. */
static void a_name_alone_makes_no_function_of_libm(void **state)
{
    (void)state;
    Machine m;
    Expr v[1];
    Expr e = result_of(&m, "int gamma(int a) { return a + 1; } int test(int a) { return gamma(a); }", v);
    assert_false(expr_has_apply(m.pool, e));
    machine_release(&m);
}

static void load_library(const char *text)
{
    char *source = write_file(".c", text), *library = write_file(".so", ""),
         *command = mem_format("clang-19 -w -shared -fPIC -o %s %s", library, source);
    assert_int_equal(system(command), 0);
    if (!native_open(library)) fail_msg("%s", dlerror());
    unlink(source);
    unlink(library);
    free(source);
    free(library);
    free(command);
}

/* Clew is linked with libraries of its own, and the programs are not. */
static void libraries_of_clew_are_not_the_programs(void **state)
{
    (void)state;
    assert_non_null(native_find("qsort"));
    assert_non_null(native_find("cbrt"));
    assert_non_null(native_find("environ"));
    assert_null(native_find("LLVMContextCreate"));
    assert_null(native_find("Z3_mk_config"));
    assert_null(native_find("crc32"));
}

static void a_library_of_the_users_own_is_real(void **state)
{
    (void)state;
    load_library("int clewtest_mix(int a, short b, double d) { return a * 3 + b + (int)d; } int clewtest_div(int a) { return 100 / a; }"
                 "int clewtest_calls; int clewtest_text(const char *s, int n) { clewtest_calls++; return s[n]; }"
                 "int clewtest_trap(int a) { if (a == 9) __builtin_trap(); return a; }");
    Machine m;
    Expr v[3];
    Expr e = result_of(&m, "int clewtest_mix(int, short, double); int test(int a, short b, double d) { return clewtest_mix(a, b, d); }", v);
    assert_int_equal(expr_kind(m.pool, e), EXPR_APPLY);
    assert_int_equal(value_at(&m, e, v, (U128[]){7, 0xffff, bits_of(4.9)}, 3), 7 * 3 - 1 + 4);
    assert_int_equal(m.notes.len, 0);
    machine_release(&m);
    e = result_of(&m, "int clewtest_trap(int); int test(int a) { return clewtest_trap(a); }", v); /* dies for some values */
    assert_int_equal(value_at(&m, e, v, (U128[]){8}, 1), 8);
    assert_int_equal(value_at(&m, e, v, (U128[]){9}, 1), 0);
    assert_int_equal(value_at(&m, e, v, (U128[]){9}, 1), 0);
    assert_true(m.notes.len == 1 && machine_noted(&m, "signal"));
    machine_release(&m);
    machine_init(&m, "int clewtest_div(int); int test(int a) { return clewtest_div(a); }", exploring); /* on the path at hand */
    machine_start(&m, v);
    VmStop stop = vm_run(m.vm);
    assert_int_equal(stop.kind, VM_SIGNAL);
    assert_int_equal(vm_condition(m.vm, 0)->kind, CONDITION_CHECK);
    assert_false(vm_condition(m.vm, 0)->holds);
    machine_release(&m);
    e = result_of(&m, "int clewtest_text(const char *, int); int test(int a) { return clewtest_text(\"abc\", a); }",
                  v); /* a pointer: as ever */
    assert_int_equal(e, 0);
    assert_int_equal(vm_condition(m.vm, 0)->kind, CONDITION_CONCRETE);
    machine_release(&m);
}

/* What waits for something from outside would hold up the search for ever.  Run last: the limit takes two seconds. */
static void a_call_that_waits_ends_the_path(void **state)
{
    (void)state;
    Machine m;
    Expr v[1];
    machine_init(&m, "int poll(void *, unsigned long, int); int test(int a) { return poll(0, 0, a - 1) + a; }", exploring); /* a is 0 */
    machine_start(&m, v);
    VmStop stop = vm_run(m.vm);
    assert_int_equal(stop.kind, VM_UNSUPPORTED);
    assert_non_null(strstr(stop.message, "'poll'"));
    machine_release(&m);
    Expr e = result_of(&m, "int poll(void *, unsigned long, int); int test(int a) { return poll(0, 0, 1) + a; }", v);
    assert_int_equal(value_at(&m, e, v, (U128[]){5}, 1), 5);
    machine_release(&m);
}

/* libc is not known to be without effects, unless the user says so. */
static void functions_of_libc_are_called(void **state)
{
    (void)state;
    Machine m;
    Expr v[1];
    const char *text = "int ffs(int) __attribute__((nothrow)); int f(int) __asm__(\"ffs\"); int test(int a) { return f(a); }";
    Expr e = result_of(&m, text, v);
    assert_int_equal(e, 0);
    assert_int_equal(vm_condition(m.vm, 0)->kind, CONDITION_CONCRETE);
    machine_release(&m);
    const char *const names[] = {"ffs"};
    machine_init(&m, text, (VmOptions){.exploring = true, .concrete = names, .concrete_count = 1});
    e = machine_result(&m, v);
    assert_int_equal(expr_kind(m.pool, e), EXPR_APPLY);
    assert_int_equal(value_at(&m, e, v, (U128[]){8}, 1), 4);
    machine_release(&m);
}

/* A mark on a declaration is one, too; its parameters have no names. */
static void a_declaration_can_be_marked(void **state)
{
    (void)state;
    Machine m;
    Expr v[2], conditions[2];
    Expr e = result_of(&m, CONCRETE PARTITION("n < 0") "int f(int n) __asm__(\"ffs\"); int test(int a) { return f(a); }", v);
    assert_int_equal(expr_kind(m.pool, e), EXPR_APPLY);
    assert_int_equal(vm_partition_conditions(m.vm, e, conditions, 2), 1);
    assert_int_equal(conditions[0], expr_binary(m.pool, EXPR_SLT, v[0], expr_const(m.pool, 32, 0)));
    machine_release(&m);
    e = result_of(
        &m, PARTITION("$2 > $1") PARTITION("b > a") "double pow(double a, double b); double test(double a, double b) { return pow(a, b); }",
        v);
    assert_int_equal(vm_partition_conditions(m.vm, e, conditions, 2), 1);
    assert_int_equal(conditions[0], expr_binary(m.pool, EXPR_FLT, v[0], v[1]));
    assert_true(machine_noted(&m, "$1"));
    machine_release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_library_of_the_users_own_is_real), /* first: CMocka takes the signal handlers back after each test */
        cmocka_unit_test(exact_functions_are_expressions),
        cmocka_unit_test(functions_of_libm_are_applications),
        cmocka_unit_test(a_name_alone_makes_no_function_of_libm),
        cmocka_unit_test(functions_of_libc_are_called),
        cmocka_unit_test(a_declaration_can_be_marked),
        cmocka_unit_test(libraries_of_clew_are_not_the_programs),
        cmocka_unit_test(a_call_that_waits_ends_the_path),
    };
    return cmocka_run_group_tests_name("vm: natives", tests, NULL, NULL);
}
