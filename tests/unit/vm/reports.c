/* vm: bugs that are normally only reported, and how they end a run where that is wanted. */
#include "machine.h"

static VmStop run_with(Machine *m, const char *text, bool stop_at_report, unsigned value, Expr *x)
{
    machine_init(m, text, (VmOptions){.exploring = true, .marks = true, .stop_at_report = stop_at_report});
    machine_start(m, x);
    expr_model_set(vm_model(m->vm), *x, value);
    return vm_run(m->vm);
}

static const struct {
    const char *text;
    BugKind bug;
    unsigned bad, good;
} cases[] = {
    {"int test(int a) { return a + 2147483000 > 5 ? 1 : 2; }", BUG_SIGNED_OVERFLOW, 1000, 1},
    {"int test(int a) { return 2147483647 - -a; }", BUG_SIGNED_OVERFLOW, 3, 0},
    {"int test(unsigned a) { return 1 << a; }", BUG_SHIFT, 32, 3},
    {"int test(unsigned a) { int u; if (a & 1) u = 5; if (u) return 1; return 2; }", BUG_UNINITIALIZED, 2, 1},
    {"int test(unsigned a) { int u; if (a & 1) u = 5; switch (u) { case 1: return 3; case 5: return 4; } return 2; }", BUG_UNINITIALIZED, 2,
     1},
    {"int t[8]; int test(unsigned a) { unsigned v[2] = {3}, w[2]; w[a & 1] = 3; return t[w[1] & 7]; }", BUG_UNINITIALIZED, 2, 1},
};

static void a_report_ends_the_run_where_that_is_wanted(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Machine m;
        Expr x;
        VmStop stop = run_with(&m, cases[i].text, true, cases[i].bad, &x);
        if (stop.kind != VM_BUG || stop.bug != cases[i].bug) fail_msg("case %zu: %d %s", i, stop.kind, stop.message);
        assert_int_equal(stop.status, 0);
        assert_string_equal(stop.function, "test");
        assert_int_equal(m.reports.len, 0);
        machine_release(&m);
        stop = run_with(&m, cases[i].text, true, cases[i].good, &x);
        assert_int_equal(stop.kind, VM_EXIT);
        machine_release(&m);
        stop = run_with(&m, cases[i].text, false, cases[i].bad, &x);
        assert_int_equal(stop.kind, VM_EXIT);
        assert_int_equal(m.reports.len, 1);
        assert_int_equal(m.reports.data[0], cases[i].bug);
        machine_release(&m);
    }
}

/* The conditions of the path separate the inputs that come so far from those that do not, on either side. */
static void the_path_says_who_gets_there(void **state)
{
    (void)state;
    for (unsigned side = 0; side < 2; side++) {
        Machine m;
        Expr x;
        VmStop stop = run_with(&m, cases[0].text, true, side ? cases[0].bad : cases[0].good, &x);
        assert_int_equal(stop.kind, side ? VM_BUG : VM_EXIT);
        const VmCondition *check = vm_condition(m.vm, 0);
        assert_int_equal(check->kind, CONDITION_CHECK);
        assert_int_equal(check->bug, BUG_SIGNED_OVERFLOW);
        assert_true(check->divides);
        assert_int_equal(check->holds, !side);
        ExprModel *model = expr_model_new(m.pool);
        for (unsigned k = 600; k < 700; k++) {
            expr_model_set(model, x, k);
            assert_int_equal(expr_eval(model, check->condition), side ? k > 647 : k <= 647);
        }
        expr_model_free(model);
        machine_release(&m);
    }
}

static void a_branch_that_nothing_decides_is_not_taken(void **state)
{
    (void)state;
    Machine m;
    Expr x;
    run_with(&m, cases[3].text, true, 2, &x);
    assert_int_equal(m.program->branch_count, 4);
    assert_int_equal(vm_branches_seen(m.vm)[2] + vm_branches_seen(m.vm)[3], 0);
    machine_release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_report_ends_the_run_where_that_is_wanted),
        cmocka_unit_test(the_path_says_who_gets_there),
        cmocka_unit_test(a_branch_that_nothing_decides_is_not_taken),
    };
    return cmocka_run_group_tests_name("vm: reports", tests, NULL, NULL);
}
