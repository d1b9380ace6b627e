/* vm: conditions on the path, marks and going back, on functions small enough to know every path by heart. */
#include "../front/load.h"
#include "explore.h"

static Explore explore(const char *text, unsigned bits)
{
    Program *program = load(text);
    const Function *function = function_of(program, "test");
    unsigned all[EXPLORE_INPUTS] = {bits, bits, bits};
    Explore x;
    explore_init(&x, program, function, all, function->param_count);
    explore_all(&x, false);
    return x;
}

static void release(Explore *x)
{
    Program *program = (Program *)x->program;
    explore_release(x);
    program_free(program);
}

/* How many assignments satisfy the conditions of the path? */
static uint32_t admitted(Explore *x, const ExploredPath *path)
{
    uint8_t *set = mem_alloc(x->assignments);
    memset(set, 1, x->assignments);
    for (uint32_t i = 0; i < path->conditions.len; i++) explore_narrow(x, set, path->conditions.data[i].condition, true);
    uint32_t count = 0;
    for (uint32_t k = 0; k < x->assignments; k++) count += set[k];
    free(set);
    return count;
}

static const ExploredPath *path_with_bug(const Explore *x, BugKind bug)
{
    for (uint32_t i = 0; i < x->paths.len; i++)
        if (x->paths.data[i].end.kind == VM_BUG && x->paths.data[i].end.bug == bug) return &x->paths.data[i];
    fail_msg("no path with %s", bug_name(bug));
    return NULL;
}

static void a_branch_has_two_sides(void **state)
{
    (void)state;
    Explore x = explore("int test(unsigned a) { return a > 9 ? 1 : 2; }", 4);
    assert_int_equal(x.paths.len, 2);
    assert_int_equal(admitted(&x, &x.paths.data[0]) + admitted(&x, &x.paths.data[1]), 16);
    assert_int_equal(x.paths.data[0].end.result, 2);
    assert_int_equal(admitted(&x, &x.paths.data[0]), 10);
    release(&x);
}

/* The first run ends in the fault; that there is another side must stand on the path. */
static void a_fault_on_the_first_run_hides_nothing(void **state)
{
    (void)state;
    Explore x = explore("int test(unsigned a) { return 100 / (int)a; }", 4);
    assert_int_equal(x.paths.len, 2);
    assert_int_equal(x.paths.data[0].end.kind, VM_BUG);
    assert_int_equal(admitted(&x, &x.paths.data[0]), 1);
    assert_int_equal(admitted(&x, &x.paths.data[1]), 15);
    release(&x);
    x = explore("int v[4]; int test(unsigned a) { return v[a ^ 15]; }", 4);
    assert_int_equal(x.paths.len, 2);
    assert_int_equal(x.paths.data[0].end.bug, BUG_OUT_OF_BOUNDS);
    assert_int_equal(admitted(&x, &x.paths.data[0]), 12);
    release(&x);
}

/* Which object an access leaves may depend on inputs as well. */
static void a_fault_through_a_chosen_pointer_is_exact(void **state)
{
    (void)state;
    Explore x = explore("int v[4], w[10]; int test(unsigned a, unsigned b) { int *p = b & 1 ? v : w; int *q[2] = {v, w}; "
                        "return p[a] + q[b >> 3][a]; }",
                        4);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < x.paths.len; i++) sum += admitted(&x, &x.paths.data[i]);
    assert_int_equal(sum, 256);
    path_with_bug(&x, BUG_OUT_OF_BOUNDS);
    release(&x);
}

static void the_smallest_number_divided_by_minus_one_is_a_path_of_its_own(void **state)
{
    (void)state;
    Explore x = explore("int test(unsigned a, unsigned b) { int x = (int)(a << 28); return x / ((int)b - 4); }", 4);
    uint32_t sum = 0, signals = 0;
    for (uint32_t i = 0; i < x.paths.len; i++) {
        sum += admitted(&x, &x.paths.data[i]);
        if (x.paths.data[i].end.kind == VM_SIGNAL) signals = admitted(&x, &x.paths.data[i]);
    }
    assert_int_equal(sum, 256);
    assert_int_equal(signals, 1); /* a == 8, b == 3 */
    release(&x);
}

/* An overflow is reported; execution goes on the same way, so it divides nothing. */
static void what_is_only_reported_divides_nothing(void **state)
{
    (void)state;
    Explore x = explore("int test(unsigned a) { return 2147483640 + (int)a; }", 4);
    assert_int_equal(x.paths.len, 1);
    assert_int_equal(admitted(&x, &x.paths.data[0]), 16);
    assert_int_equal(x.reports.len, 1);
    release(&x);
}

/* Padding and elements that the index cannot reach, or does not reach on this path, decide nothing. */
static void a_partly_initialised_object_is_reported_only_where_it_is_read(void **state)
{
    (void)state;
    Explore x =
        explore("struct s { char c; int n; }; int test(unsigned a) { struct s v[4]; for (int i = 0; i < 4; i++) { v[i].c = i; v[i].n = i; }"
                "return v[a].c == 2 ? v[a].n : 9; }",
                2);
    assert_int_equal(x.paths.len, 2);
    assert_int_equal(x.reports.len, 0);
    release(&x);
    x = explore("int test(unsigned a) { int v[4]; v[0] = v[1] = v[3] = 5; return v[a] == 5; }", 2);
    assert_int_equal(x.paths.len, 1); /* the comparison is a value */
    release(&x);
    x = explore("int test(unsigned a) { int v[4]; v[0] = v[1] = v[3] = 5; if (v[a] == 5) return 1; return 0; }", 2);
    assert_int_equal(x.paths.len, 2);
    assert_int_equal(x.reports.len, 1);
    assert_int_equal(admitted(&x, &x.paths.data[0]), 3);
    release(&x);
    x = explore("int test(unsigned a) { int v[4]; v[a] = 5; if (v[3] == 5) return 1; return 0; }", 2);
    assert_int_equal(x.paths.len, 2);
    assert_int_equal(x.reports.len, 1);
    release(&x);
}

/* Going back to the second condition of one step must not leave the first one on the path twice. */
static void a_step_with_two_conditions_is_begun_anew(void **state)
{
    (void)state;
    Explore x =
        explore("char from[8], to[8]; int test(unsigned a, unsigned b) { __builtin_memcpy(to + a, from + b, 1); return to[3]; }", 2);
    for (uint32_t i = 0; i < x.paths.len; i++)
        for (uint32_t k = 1; k < x.paths.data[i].conditions.len; k++)
            assert_int_not_equal(x.paths.data[i].conditions.data[k].condition, x.paths.data[i].conditions.data[k - 1].condition);
    assert_int_equal(x.paths.len, 16);
    release(&x);
}

static void a_wide_overflow_keeps_both_halves_and_the_flag(void **state)
{
    (void)state;
    Explore x = explore("int test(unsigned a) { __int128 r; _Bool o = __builtin_mul_overflow((__int128)1 << 120, (__int128)a, &r);"
                        "return (int)(r >> 118) * 2 + o; }",
                        8);
    for (uint32_t k = 0; k < 256; k++) {
        explore_assign(&x, x.model, k);
        __int128 r;
        bool o = __builtin_mul_overflow((__int128)1 << 120, (__int128)k, &r);
        assert_int_equal((int)(uint32_t)expr_eval(x.model, x.paths.data[0].result), (int)(r >> 118) * 2 + o);
    }
    release(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_branch_has_two_sides),
        cmocka_unit_test(a_fault_on_the_first_run_hides_nothing),
        cmocka_unit_test(a_fault_through_a_chosen_pointer_is_exact),
        cmocka_unit_test(the_smallest_number_divided_by_minus_one_is_a_path_of_its_own),
        cmocka_unit_test(what_is_only_reported_divides_nothing),
        cmocka_unit_test(a_partly_initialised_object_is_reported_only_where_it_is_read),
        cmocka_unit_test(a_step_with_two_conditions_is_begun_anew),
        cmocka_unit_test(a_wide_overflow_keeps_both_halves_and_the_flag),
    };
    return cmocka_run_group_tests_name("vm: paths", tests, NULL, NULL);
}
