/* vm: marked functions as application nodes, whose evaluation executes them and leaves no trace. */
#include "machine.h"

#include <math.h>

static const VmOptions exploring = {.exploring = true, .quiet_output = true, .marks = true};

#define HASH \
    CONCRETE "unsigned hash(unsigned x) { unsigned h = 5381; for (int i = 0; i < 4; i++) h = h * 33 ^ (x >> i * 8 & 255); return h; }"

static unsigned hash(unsigned x)
{
    unsigned h = 5381;
    for (int i = 0; i < 4; i++) h = (h * 33) ^ (x >> i * 8 & 255);
    return h;
}

static U128 value_at(Machine *m, Expr e, Expr variable, U128 value)
{
    ExprModel *model = expr_model_new(m->pool);
    expr_model_set(model, variable, value);
    U128 result = expr_eval(model, e);
    expr_model_free(model);
    return result;
}

static void a_marked_call_is_an_application(void **state)
{
    (void)state;
    Machine m;
    Expr x;
    machine_init(&m, HASH "unsigned test(unsigned a) { return hash(a) + 1; }", exploring);
    Expr result = machine_result(&m, &x);
    assert_true(expr_has_apply(m.pool, result));
    assert_int_equal(vm_path_length(m.vm), 0);
    for (unsigned k = 0; k < 1000; k++) assert_int_equal(value_at(&m, result, x, k * 7919), hash(k * 7919) + 1);
    uint64_t executed = vm_stats(m.vm)->applications;
    for (unsigned k = 900; k < 1000; k++) assert_int_equal(value_at(&m, result, x, k * 7919), hash(k * 7919) + 1);
    assert_true(vm_stats(m.vm)->applications < executed + 50); /* most are remembered */
    assert_int_equal(m.notes.len, 0);
    machine_release(&m);
}

/* The branch evaluates the application in the middle of its step. */
static void a_branch_follows_its_value(void **state)
{
    (void)state;
    Machine m;
    Expr x;
    machine_init(&m, HASH "int test(unsigned a) { if (hash(a) % 16 == 3) return 1; if (hash(a + 1) & 1) return 2; return 3; }", exploring);
    machine_start(&m, &x);
    VmMark first = vm_mark(m.vm);
    for (unsigned k = 0; k < 64; k++) {
        vm_return(m.vm, first);
        expr_model_set(vm_model(m.vm), x, k);
        assert_int_equal(vm_run(m.vm).kind, VM_EXIT);
        assert_int_equal(vm_result(m.vm, NULL), hash(k) % 16 == 3 ? 1 : hash(k + 1) & 1 ? 2 : 3);
        assert_int_equal(vm_condition(m.vm, 0)->kind, CONDITION_BRANCH);
    }
    machine_release(&m);
}

/* Writes globals and heap, calls itself, grows tables, leaves memory behind. */
#define WILD \
    "void *malloc(unsigned long); void free(void *); int count; char text[100]; char *kept; int heap[8]; " CONCRETE \
    "int wild(int x) { char local[77]; int *p = malloc(x & 63); count++; kept = malloc(10); if (kept) kept[3] = x;" \
    "  for (int i = 0; i < 77; i++) local[i] = text[i] = (char)(x + i); heap[x & 7] = x; if (x & 64) free(p);" \
    "  return x & 31 ? local[5] + wild(x - 1) : local[6] + 1; }"

static void expect_same(Machine *m, StrBuf *before, const char *where)
{
    StrBuf after = {0};
    vm_snapshot(m->vm, &after);
    if (after.len != before->len || memcmp(after.text, before->text, after.len) != 0) fail_msg("another state %s", where);
    strbuf_release(&after);
}

static void an_evaluation_leaves_no_trace(void **state)
{
    (void)state;
    Machine m;
    Expr x;
    machine_init(
        &m,
        WILD "int test(int a) { int v[20]; int w = wild(a); for (int i = 0; i < 20; i++) { text[i * 3] = i; v[i] = i; int *q = malloc(i); "
             "if (i == 7) kept = (char *)q; else free(q); heap[i & 7] += v[i]; if (a + i == 5) count += w; } return count + v[3] + w; }",
        exploring);
    machine_start(&m, &x);
    VmMark first = vm_mark(m.vm);
    Expr application = 0;
    StrBuf start = {0}, here = {0};
    vm_snapshot(m.vm, &start);
    uint64_t expected = 0;
    for (unsigned round = 0; round < 3; round++) { /* without evaluations, with them, with marks between, too */
        vm_return(m.vm, first);
        expect_same(&m, &start, "at the first mark");
        for (unsigned step = 0; vm_run_steps(m.vm, 1).kind == VM_RUNNING; step++) {
            for (uint32_t e = 1; !application && e < expr_pool_count(m.pool); e++)
                if (expr_kind(m.pool, e) == EXPR_APPLY) application = e;
            if (round == 0 || !application) continue;
            strbuf_clear(&here);
            vm_snapshot(m.vm, &here);
            uint64_t instructions = vm_stats(m.vm)->instructions;
            value_at(&m, application, x, 1000 * round + 37 * step);
            expect_same(&m, &here, "after an evaluation");
            assert_int_equal(vm_stats(m.vm)->instructions, instructions);
            if (round == 2 && step % 5 == 0) vm_mark(m.vm);
        }
        if (round == 0) expected = vm_result(m.vm, NULL);
        assert_int_equal(vm_result(m.vm, NULL), expected);
        value_at(&m, application, x, 12345); /* nothing is running any more */
    }
    vm_return(m.vm, first);
    expect_same(&m, &start, "at the end");
    assert_int_equal(vm_run(m.vm).kind, VM_EXIT);
    assert_int_equal(vm_result(m.vm, NULL), expected);
    strbuf_release(&start);
    strbuf_release(&here);
    machine_release(&m);
}

/* The same before there is any mark: the machine is not on the trail afterwards. */
static void an_evaluation_needs_no_mark(void **state)
{
    (void)state;
    Machine m;
    Expr x;
    VmOptions options = {.exploring = true};
    machine_init(&m, WILD "int test(int a) { int w = wild(a); count += 5; return w ? count : count + 1; }", options);
    assert_int_equal(machine_result(&m, &x), 0);
    assert_int_equal(vm_result(m.vm, NULL), 5);
    machine_release(&m);
}

static void constant_arguments_are_executed(void **state)
{
    (void)state;
    Machine m;
    Expr x;
    machine_init(&m,
                 "int calls; " CONCRETE
                 "int twice(int a) { calls++; return 2 * a; } int test(int a) { int s = 0; for (int i = 0; i < 10; i++) "
                 "s += twice(i); return twice(a) == 4 ? s : s + calls; }",
                 exploring);
    machine_result(&m, &x);
    assert_int_equal(vm_result(m.vm, NULL), 90 + 10);
    machine_release(&m);
}

/* On the path at hand the fault is a bug like any other; for a model that is tried it is no result. */
static void a_fault_ends_only_its_own_path(void **state)
{
    (void)state;
    Machine m;
    Expr x;
    machine_init(&m, CONCRETE "int part(int a) { return 100 / (a - 3); } int test(int a) { int p = part(a); return p == 50 ? 1 : 2; }",
                 exploring);
    machine_start(&m, &x);
    VmMark first = vm_mark(m.vm);
    assert_int_equal(vm_run(m.vm).kind, VM_EXIT);
    Expr condition = vm_condition(m.vm, 0)->condition;
    assert_int_equal(value_at(&m, condition, x, 3), 1);
    assert_int_equal(value_at(&m, condition, x, 3), 1);
    assert_int_equal(value_at(&m, condition, x, 5), 0);
    assert_int_equal(m.notes.len, 1);
    assert_true(machine_noted(&m, "'part'") && machine_noted(&m, "division by zero"));
    assert_int_equal(vm_stats(m.vm)->application_faults, 1);
    vm_return(m.vm, first);
    expr_model_set(vm_model(m.vm), x, 3);
    VmStop stop = vm_run(m.vm);
    assert_int_equal(stop.kind, VM_BUG);
    assert_int_equal(stop.bug, BUG_DIVISION_BY_ZERO);
    assert_string_equal(stop.function, "part");
    const VmCondition *failed = vm_condition(m.vm, vm_path_length(m.vm) - 1);
    assert_int_equal(failed->kind, CONDITION_CHECK);
    assert_int_equal(failed->bug, BUG_DIVISION_BY_ZERO);
    assert_false(failed->holds);
    assert_int_equal(failed->condition, expr_eq(m.pool, x, expr_const(m.pool, 32, 3)));
    assert_int_not_equal(failed->mark, VM_NO_MARK);
    vm_return(m.vm, failed->mark); /* and there is another side */
    expr_model_set(vm_model(m.vm), x, 5);
    assert_int_equal(vm_run(m.vm).kind, VM_EXIT);
    assert_int_equal(vm_result(m.vm, NULL), 1);
    machine_release(&m);
}

/* The call lies before the point of return, and the new model changes what happens in it. */
static void a_path_that_goes_on_under_another_model_is_confirmed(void **state)
{
    (void)state;
    Machine m;
    Expr x;
    machine_init(&m,
                 CONCRETE "int part(int a) { if (a > 100) return 1; return 100 / (a - 3); } "
                          "int test(int a) { int p = part(a); int r = p == 0 ? 1 : 2; if (a > 50) r += 10; return r; }",
                 exploring);
    machine_start(&m, &x);
    assert_int_equal(vm_run(m.vm).kind, VM_EXIT);
    assert_int_equal(vm_path_length(m.vm), 2);
    VmMark second = vm_condition(m.vm, 1)->mark;
    assert_int_equal(vm_branches_seen(m.vm)[0], 0);
    vm_return(m.vm, second);
    expr_model_set(vm_model(m.vm), x, 200);
    assert_int_equal(vm_run(m.vm).kind, VM_EXIT);
    assert_int_equal(vm_result(m.vm, NULL), 12);
    assert_int_equal(vm_branches_seen(m.vm)[0], 1); /* the program under this model takes it */
    vm_return(m.vm, second);
    StrBuf before = {0};
    vm_snapshot(m.vm, &before);
    expr_model_set(vm_model(m.vm), x, 3);
    VmStop stop = vm_run(m.vm);
    assert_int_equal(stop.kind, VM_BUG);
    assert_int_equal(stop.bug, BUG_DIVISION_BY_ZERO);
    assert_string_equal(stop.function, "part");
    assert_int_equal(vm_path_length(m.vm), 2);
    vm_return(m.vm, vm_condition(m.vm, 1)->mark);
    expect_same(&m, &before, "before the check");
    expr_model_set(vm_model(m.vm), x, 60);
    assert_int_equal(vm_run(m.vm).kind, VM_EXIT);
    assert_int_equal(vm_result(m.vm, NULL), 12);
    strbuf_release(&before);
    machine_release(&m);
}

/* Executed as any other from then on, it may ask. */
static void a_function_with_inputs_is_not_one(void **state)
{
    (void)state;
    Machine m;
    Expr x;
    machine_init(
        &m,
        "unsigned long clew__symbolic_value(int, int, const char *); " CONCRETE
        "int f(int a) { return a + (int)clew__symbolic_value(8, 'u', \"inner\"); } int test(int a) { return f(a & 3) + f(a & 1); }",
        exploring);
    Expr result = machine_result(&m, &x);
    assert_false(expr_has_apply(m.pool, result));
    assert_int_equal(vm_input_count(m.vm), 2);
    assert_true(m.notes.len == 1 && machine_noted(&m, "an input is asked for"));
    machine_release(&m);
}

static void what_has_no_result_gives_zero(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "for (;;) a++;",
        "if (a) for (;;) ;",
        "if (a) clew__exit(3);",
        "if (a) ((int *)0)[a] = 1;",
        "if (a) return clew__symbolic_value(32, 'u', \"inner\");",
        "int deep[2000]; deep[a & 3] = 1; return a ? f(a + 1) + deep[1] : 0;",
        "if (a) clew__assume(0);",
    };
    for (size_t i = 0; i < COUNT_OF(bodies); i++) {
        Machine m;
        Expr x;
        char *text =
            mem_format("void clew__exit(int); unsigned long clew__symbolic_value(int, int, const char *); void clew__assume(int); " CONCRETE
                       "int f(unsigned a) { %s return 7; } int test(unsigned a) { return a == 0 ? 0 : f(a & 255); }",
                       bodies[i]);
        machine_init(&m, text, exploring);
        machine_start(&m, &x);
        vm_mark(m.vm);
        expr_model_set(vm_model(m.vm), x, 256); /* f(0) */
        VmStop stop = vm_run(m.vm);
        assert_int_equal(stop.kind, VM_EXIT);
        Expr result;
        vm_result(m.vm, &result);
        assert_int_equal(value_at(&m, result, x, 9), 0);
        assert_int_equal(value_at(&m, result, x, 9), 0);
        assert_int_equal(m.notes.len, 1);
        assert_int_equal(vm_input_count(m.vm), 0);
        free(text);
        machine_release(&m);
    }
}

static void numbers_of_every_kind_pass(void **state)
{
    (void)state;
    Machine m;
    Expr x[6];
    machine_init(
        &m,
        CONCRETE
        "__int128 f(__int128 w, double d, signed char c, _Bool b, float g, long double l) { return w * c + (long)d + b + (int)g + (int)l; }"
        "long test(long w, double d, signed char c, _Bool b, float g) { __int128 r = f((__int128)w << 60 | 5, d, c, b, g, 2.5L); "
        "return (long)(r >> 40) ^ (long)r; }",
        exploring);
    Expr result = machine_result(&m, x);
    assert_true(expr_has_apply(m.pool, result));
    ExprModel *model = expr_model_new(m.pool);
    double d = 1e6;
    float g = -3;
    uint64_t bits = 0;
    uint32_t single = 0;
    memcpy(&bits, &d, 8);
    memcpy(&single, &g, 4);
    expr_model_set(model, x[0], 0x123456789abcdef);
    expr_model_set(model, x[1], bits);
    expr_model_set(model, x[2], 0xf9);
    expr_model_set(model, x[3], 1);
    expr_model_set(model, x[4], single);
    I128 expected = ((I128)0x123456789abcdef << 60 | 5) * -7 + 1000000 + 1 - 3 + 2;
    assert_int_equal(expr_eval(model, result), (uint64_t)(expected >> 40) ^ (uint64_t)expected);
    expr_model_free(model);
    machine_release(&m);
}

static void marked_functions_call_each_other(void **state)
{
    (void)state;
    Machine m;
    Expr x;
    machine_init(
        &m,
        "double cos(double); " CONCRETE "int inner(int a) { return a * a + 1; } " CONCRETE
        "int outer(int a) { return inner(a) + inner(a + 1) + (cos(0.0) == 1) + (cos(a) < 2); } int test(int a) { return outer(a & 1023); }",
        exploring);
    Expr result = machine_result(&m, &x);
    for (int k = 0; k < 50; k++) assert_int_equal(value_at(&m, result, x, (U128)k), k * k + 1 + (k + 1) * (k + 1) + 1 + 2);
    machine_release(&m);
}

static void a_pointer_makes_it_an_ordinary_function(void **state)
{
    (void)state;
    Machine m;
    Expr x;
    machine_init(&m,
                 CONCRETE
                 "int first(const int *p, int i) { return p[i] + i; } " CONCRETE "void none(int a) { } " CONCRETE
                 "int test(int a) { int v[2] = {a, a}; int s = 0; for (int i = 0; i < 2; i++) s += first(v, i); none(a); return s; }",
                 exploring);
    Expr result = machine_result(&m, &x);
    assert_false(expr_has_apply(m.pool, result));
    assert_int_equal(m.notes.len, 2);
    assert_true(machine_noted(&m, "'first' is marked as concrete but takes a pointer"));
    assert_true(machine_noted(&m, "'none' is marked as concrete but does not return a number"));
    machine_release(&m);
}

/* Its value at a global's place is the very application that is being evaluated. */
static void a_value_that_depends_on_itself_ends(void **state)
{
    (void)state;
    Machine m;
    Expr x;
    machine_init(&m,
                 "int g; " CONCRETE
                 "int f(int a) { return a + g; } int test(int a) { g = a; int r = f(a); g = r; r = f(r); g = f(g); return f(a) + g; }",
                 exploring);
    Expr result = machine_result(&m, &x);
    value_at(&m, result, x, 5);
    assert_true(machine_noted(&m, "depends on inputs that are not its arguments"));
    machine_release(&m);
}

static void names_mark_as_well(void **state)
{
    (void)state;
    Machine m;
    Expr x;
    const char *const names[] = {"plain", "missing"};
    VmOptions options = exploring;
    options.concrete = names;
    options.concrete_count = 2;
    machine_init(&m, "static int plain(int a) { return a * 3; } int test(int a) { return plain(a & 7); }", options);
    Expr result = machine_result(&m, &x);
    assert_int_equal(expr_kind(m.pool, result), EXPR_APPLY);
    assert_int_equal(value_at(&m, result, x, 5), 15);
    assert_int_equal(m.notes.len, 1);
    assert_true(machine_noted(&m, "'missing'"));
    machine_release(&m);
}

static void only_while_exploring(void **state)
{
    (void)state;
    Machine m;
    Expr x;
    machine_init(&m, "int calls; " CONCRETE "int f(int a) { calls++; return a & 3; } int test(int a) { return f(a) + calls; }",
                 (VmOptions){0});
    Expr result = machine_result(&m, &x);
    assert_false(expr_has_apply(m.pool, result));
    assert_int_equal(value_at(&m, result, x, 6), 3);
    machine_release(&m);
}

/* What is only tried is not covered. */
static void branches_count_for_the_path_at_hand(void **state)
{
    (void)state;
    Machine m;
    Expr x;
    machine_init(&m, CONCRETE "int f(int a) { int r = 0; if (a > 100) r = 1; return r; } int test(int a) { return f(a); }", exploring);
    Expr result = machine_result(&m, &x);
    assert_int_equal(m.program->branch_count, 2);
    assert_int_equal(vm_branches_seen(m.vm)[0], 0);
    assert_int_equal(vm_branches_seen(m.vm)[1], 1);
    assert_int_equal(value_at(&m, result, x, 200), 1);
    assert_int_equal(vm_branches_seen(m.vm)[0], 0);
    Expr y;
    machine_start(&m, &y);
    expr_model_set(vm_model(m.vm), y, 200);
    vm_run(m.vm);
    assert_int_equal(vm_branches_seen(m.vm)[0], 1);
    machine_release(&m);
}

static void reports_count_for_the_path_at_hand(void **state)
{
    (void)state;
    Machine m;
    Expr x;
    machine_init(&m, CONCRETE "int f(int a) { return a + 2147483640; } int test(int a) { return f(a); }", exploring);
    Expr result = machine_result(&m, &x);
    assert_int_equal(value_at(&m, result, x, 100), (uint32_t)2147483740u);
    assert_int_equal(m.reports.len, 0);
    Expr y;
    machine_start(&m, &y);
    expr_model_set(vm_model(m.vm), y, 100);
    vm_run(m.vm);
    assert_int_equal(m.reports.len, 1);
    machine_release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_marked_call_is_an_application),
        cmocka_unit_test(a_branch_follows_its_value),
        cmocka_unit_test(an_evaluation_leaves_no_trace),
        cmocka_unit_test(an_evaluation_needs_no_mark),
        cmocka_unit_test(constant_arguments_are_executed),
        cmocka_unit_test(a_fault_ends_only_its_own_path),
        cmocka_unit_test(a_path_that_goes_on_under_another_model_is_confirmed),
        cmocka_unit_test(a_function_with_inputs_is_not_one),
        cmocka_unit_test(what_has_no_result_gives_zero),
        cmocka_unit_test(numbers_of_every_kind_pass),
        cmocka_unit_test(marked_functions_call_each_other),
        cmocka_unit_test(a_pointer_makes_it_an_ordinary_function),
        cmocka_unit_test(a_value_that_depends_on_itself_ends),
        cmocka_unit_test(names_mark_as_well),
        cmocka_unit_test(only_while_exploring),
        cmocka_unit_test(branches_count_for_the_path_at_hand),
        cmocka_unit_test(reports_count_for_the_path_at_hand),
    };
    return cmocka_run_group_tests_name("vm: concrete", tests, NULL, NULL);
}
