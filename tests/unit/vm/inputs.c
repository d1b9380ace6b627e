/* vm: the inputs of a path are the same variables whenever the path is executed again. */
#include "machine.h"

#include <stdlib.h>

static const VmOptions exploring = {.exploring = true, .marks = true};

#define ASK "unsigned long clew__symbolic_value(int, int, const char *); void clew__symbolic(void *, unsigned long, const char *); "

static void start(Machine *m)
{
    Error error;
    if (vm_start_function(m->vm, function_of(m->program, "test"), NULL, 0, &error) != OK) fail_msg("%s", error.text);
}

static void a_path_executed_again_has_the_same_inputs(void **state)
{
    (void)state;
    Machine m;
    machine_init(&m,
                 ASK
                 "int test(void) { int a = clew__symbolic_value(32, 'u', \"a\"); char s[4]; clew__symbolic(s, 4, \"s\"); int sum = 0;"
                 "for (int i = 0; i < 50; i++) sum += (int)clew__symbolic_value(8, 'u', \"i\"); return a > 3 && s[2] == 'x' && sum > 9; }",
                 exploring);
    start(&m);
    VmMark first = vm_mark(m.vm);
    assert_int_equal(vm_run(m.vm).kind, VM_EXIT);
    assert_int_equal(vm_input_count(m.vm), 55);
    assert_string_equal(expr_var_name(m.pool, vm_input(m.vm, 0)), "a");
    assert_string_equal(expr_var_name(m.pool, vm_input(m.vm, 3)), "s[2]");
    Expr condition = vm_condition(m.vm, 0)->condition, input = vm_input(m.vm, 54);
    uint32_t nodes = expr_pool_count(m.pool);
    for (unsigned round = 0; round < 20; round++) {
        vm_return(m.vm, first);
        assert_int_equal(vm_input_count(m.vm), 0);
        assert_int_equal(vm_run(m.vm).kind, VM_EXIT);
        assert_int_equal(vm_condition(m.vm, 0)->condition, condition);
        assert_int_equal(vm_input(m.vm, 54), input);
        assert_int_equal(expr_pool_count(m.pool), nodes);
    }
    start(&m); /* also from the beginning */
    assert_int_equal(vm_run(m.vm).kind, VM_EXIT);
    assert_int_equal(expr_pool_count(m.pool), nodes);
    machine_release(&m);
}

/* Another path asks for other things at the same places. */
static void another_path_has_its_own_inputs(void **state)
{
    (void)state;
    Machine m;
    machine_init(&m,
                 ASK "int test(void) { if (clew__symbolic_value(8, 'u', \"a\") == 7) { clew__symbolic_value(16, 'u', \"b\"); "
                     "clew__symbolic_value(8, 'u', \"same\"); }"
                     "else { clew__symbolic_value(8, 'u', \"b\"); clew__symbolic_value(8, 'u', \"same\"); clew__symbolic_value(8, 'u', "
                     "\"more\"); } return 0; }",
                 exploring);
    start(&m);
    VmMark first = vm_mark(m.vm);
    vm_run(m.vm);
    assert_int_equal(vm_input_count(m.vm), 4);
    Expr a = vm_input(m.vm, 0), b = vm_input(m.vm, 1), same = vm_input(m.vm, 2), more = vm_input(m.vm, 3);
    vm_return(m.vm, first);
    expr_model_set(vm_model(m.vm), a, 7);
    vm_run(m.vm);
    assert_int_equal(vm_input_count(m.vm), 3);
    assert_int_equal(vm_input(m.vm, 0), a);
    assert_int_not_equal(vm_input(m.vm, 1), b);
    assert_int_equal(expr_width(m.pool, vm_input(m.vm, 1)), 16);
    assert_int_equal(vm_input(m.vm, 2), same);
    vm_return(m.vm, first);
    expr_model_set(vm_model(m.vm), a, 8);
    vm_run(m.vm);
    assert_int_equal(vm_input(m.vm, 3), more);
    machine_release(&m);
}

/* What a path has asked for is known again after a rewind that leaves its variables, also if another path came in between. */
static void a_rewind_leaves_older_inputs(void **state)
{
    (void)state;
    Machine m;
    machine_init(&m,
                 ASK "int test(void) { if (clew__symbolic_value(8, 'u', \"a\") == 7) return (int)clew__symbolic_value(16, 'u', \"b\");"
                     "return clew__symbolic_value(8, 'u', \"c\") + clew__symbolic_value(8, 'u', \"d\"); }",
                 exploring);
    start(&m);
    VmMark first = vm_mark(m.vm);
    vm_run(m.vm);
    assert_int_equal(vm_input_count(m.vm), 3);
    Expr a = vm_input(m.vm, 0), c = vm_input(m.vm, 1), d = vm_input(m.vm, 2);
    uint32_t nodes = expr_pool_count(m.pool);
    vm_return(m.vm, first);
    expr_model_set(vm_model(m.vm), a, 7);
    vm_run(m.vm);
    assert_int_equal(vm_input_count(m.vm), 2);
    expr_pool_rewind(m.pool, nodes);
    vm_return(m.vm, first);
    expr_model_set(vm_model(m.vm), a, 8);
    vm_run(m.vm);
    assert_int_equal(vm_input(m.vm, 1), c);
    assert_int_equal(vm_input(m.vm, 2), d);
    machine_release(&m);
}

/* A mark between two inputs knows how many there were. */
static void going_back_part_of_the_way_keeps_the_rest(void **state)
{
    (void)state;
    Machine m;
    machine_init(&m,
                 ASK "int test(void) { int a = clew__symbolic_value(8, 'u', \"a\"); if (a > 5) a++; int b = clew__symbolic_value(8, 'u', "
                     "\"b\"); return a + b; }",
                 exploring);
    start(&m);
    vm_run(m.vm);
    Expr a = vm_input(m.vm, 0), b = vm_input(m.vm, 1);
    vm_return(m.vm, vm_condition(m.vm, 0)->mark);
    assert_int_equal(vm_input_count(m.vm), 1);
    expr_model_set(vm_model(m.vm), a, 200);
    vm_run(m.vm);
    assert_int_equal(vm_input(m.vm, 0), a);
    assert_int_equal(vm_input(m.vm, 1), b);
    machine_release(&m);
}

/* What a rewind of the pool has forgotten is made anew. */
static void a_rewind_takes_inputs_away(void **state)
{
    (void)state;
    Machine m;
    machine_init(&m,
                 ASK "int test(void) { int a = clew__symbolic_value(8, 'u', \"a\"); if (a > 5) a++; int b = clew__symbolic_value(8, 'u', "
                     "\"b\"); return a + b; }",
                 exploring);
    start(&m);
    VmMark first = vm_mark(m.vm);
    uint32_t empty = expr_pool_count(m.pool);
    vm_run(m.vm);
    for (unsigned round = 0; round < 3; round++) {
        expr_pool_rewind(m.pool, empty);
        vm_return(m.vm, first);
        for (unsigned i = 0; i < 5; i++) expr_const(m.pool, 64, 100 + i + round); /* the ids are others' now */
        assert_int_equal(vm_run(m.vm).kind, VM_EXIT);
        assert_string_equal(expr_var_name(m.pool, vm_input(m.vm, 0)), "a");
        assert_string_equal(expr_var_name(m.pool, vm_input(m.vm, 1)), "b");
        expr_check(m.pool);
    }
    machine_release(&m);
}

static void files_come_first(void **state)
{
    (void)state;
    Machine m;
    const VmSymbolicFile file = {"-", 3};
    VmOptions options = exploring;
    options.symbolic_files = &file;
    options.symbolic_file_count = 1;
    machine_init(&m, ASK "int test(void) { return clew__symbolic_value(8, 'u', \"a\"); }", options);
    for (unsigned round = 0; round < 2; round++) {
        start(&m);
        assert_int_equal(vm_input_count(m.vm), 4);
        vm_run(m.vm);
        assert_int_equal(vm_input_count(m.vm), 5);
        assert_string_equal(expr_var_name(m.pool, vm_input(m.vm, 0)), "stdin.size");
        assert_string_equal(expr_var_name(m.pool, vm_input(m.vm, 3)), "stdin[2]");
        assert_int_equal(expr_var_count(m.pool), 5);
    }
    machine_release(&m);
}

/* A run with constants for inputs goes the same way, meets no condition, and leaves nothing behind. */
static void constants_are_given_and_branches_counted(void **state)
{
    (void)state;
    Machine m;
    machine_init(&m,
                 ASK "static int ask(void) { return (int)clew__symbolic_value(8, 'u', \"a\"); }"
                     "int test(void) { int n = 0; for (int i = 0; i < 20; i++) if (ask() > 9) n++; return n; }",
                 exploring);
    U128 values[20];
    Expr e;
    VmTaken *taken = mem_alloc((m.program->branch_count + 1) * sizeof *taken);
    for (unsigned i = 0; i < 20; i++) values[i] = i % 2 ? 10 : 9;
    start(&m);
    VmMark first = vm_mark(m.vm);
    assert_int_equal(vm_run(m.vm).kind, VM_EXIT);
    uint32_t seen = vm_branches_seen_count(m.vm), conditions = vm_path_length(m.vm), nodes = expr_pool_count(m.pool);
    Expr condition = vm_condition(m.vm, 19)->condition;
    assert_int_equal(conditions, 20);
    vm_return(m.vm, first);
    vm_give(m.vm, values, 20);
    vm_set_window(m.vm, 20, UINT32_MAX);
    vm_count_branches(m.vm, taken);
    assert_int_equal(vm_run(m.vm).kind, VM_EXIT);
    assert_int_equal(vm_result(m.vm, &e), 10);
    assert_int_equal(vm_path_length(m.vm), 0);
    assert_int_equal(vm_branches_seen_count(m.vm), seen);
    assert_int_equal(vm_input_count(m.vm), 20);
    uint32_t by_ten = 0;
    for (uint32_t i = 0; i < m.program->branch_count; i++) {
        if (taken[i].count != 10) continue;
        by_ten++;
        assert_true(taken[i].inputs[3] == 15 || taken[i].inputs[3] == 16); /* the eighth time */
    }
    assert_int_equal(by_ten, 2); /* both ways of the comparison */
    vm_count_branches(m.vm, NULL);
    vm_end_window(m.vm);
    vm_give(m.vm, NULL, 0);
    vm_return(m.vm, first);
    assert_int_equal(vm_run(m.vm).kind, VM_EXIT);
    assert_int_equal(vm_condition(m.vm, 19)->condition, condition);
    assert_int_equal(expr_pool_count(m.pool), nodes);
    vm_return(m.vm, first); /* the first half as constants */
    vm_give(m.vm, values, 20);
    vm_set_window(m.vm, 10, UINT32_MAX);
    assert_int_equal(vm_run(m.vm).kind, VM_EXIT);
    assert_int_equal(vm_path_length(m.vm), 10);
    vm_return(m.vm, first); /* all but three in the middle */
    vm_give(m.vm, values, 20);
    vm_set_window(m.vm, 7, 10);
    assert_int_equal(vm_run(m.vm).kind, VM_EXIT);
    assert_int_equal(vm_path_length(m.vm), 3);
    free(taken);
    machine_release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rewind_leaves_older_inputs),
        cmocka_unit_test(constants_are_given_and_branches_counted),
        cmocka_unit_test(a_path_executed_again_has_the_same_inputs),
        cmocka_unit_test(another_path_has_its_own_inputs),
        cmocka_unit_test(going_back_part_of_the_way_keeps_the_rest),
        cmocka_unit_test(a_rewind_takes_inputs_away),
        cmocka_unit_test(files_come_first),
    };
    return cmocka_run_group_tests_name("vm: inputs", tests, NULL, NULL);
}
