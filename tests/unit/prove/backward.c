/* prove, backward analysis: what cannot be taken is found, through calls, loops and pointers, and what can be taken is not. */
#include "../front/load.h"
#include "prove/prove_int.h"

#include <stdlib.h>

#define ASK "int __VERIFIER_nondet_int(void); "
/* Where nothing calls this function, both of its branches cannot be taken. */
#define DEAD "static int dead(int x) { if (x) return 1; return 2; } "

#define WORK 1000000000 /* units of work for one branch, about a second */

/* Exactly so many branches of the program are proved with so much work for each. */
static void expect_proved_with(const char *source, uint64_t work, uint32_t expected)
{
    Program *program = load(source);
    uint32_t entry = (uint32_t)(function_of(program, "main") - program->functions), proved = 0;
    BackwardOptions options = {.entries = &entry, .entry_count = 1, .whole = true, .effort = 20000000};
    Backward *b = backward_new(program, &options);
    assert_non_null(b);
    for (uint32_t i = 0; i < program->branch_count; i++) {
        bool is_proved = backward_prove(b, i, work) == BACKWARD_PROVED;
        assert_true(is_proved == (backward_failure(b) == NULL));
        proved += is_proved;
    }
    assert_int_equal(proved, expected);
    backward_free(b);
    program_free(program);
}

static void expect_proved(const char *source, uint32_t expected)
{
    expect_proved_with(source, WORK, expected);
}

static void conditions_that_contradict_each_other(void **state)
{
    (void)state;
    expect_proved(ASK DEAD "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 3) { x = 7; } else { x = 9; }"
                           "  return x == 8 ? dead(x) : 0; }",
                  3);
}

static void a_loop_that_keeps_two_variables_equal(void **state)
{
    (void)state;
    expect_proved(ASK DEAD "int main(void) { unsigned x = 0, y = 0;"
                           "  while (__VERIFIER_nondet_int()) { x += 3; y += 3; }"
                           "  unsigned difference = x - y; while (difference) dead(1); return 0; }",
                  3);
}

static void a_state_machine(void **state)
{
    (void)state;
    expect_proved(ASK DEAD "int main(void) { int s = 0, seen = 0;"
                           "  for (;;) { int in = __VERIFIER_nondet_int();"
                           "    switch (s) {"
                           "    case 0: if (in == 1) s = 1; break;"
                           "    case 1: seen = 1; s = in == 2 ? 2 : 0; break;"
                           "    default: return seen == 0 ? dead(in) : 0; } } }",
                  3);
}

/* How x goes on has no simple form, and R-states that speak of it never come to an end. */
static void a_state_machine_beside_a_counter(void **state)
{
    (void)state;
    expect_proved_with(DEAD "int main(void) { int s = 0, seen = 0; unsigned x = 0;"
                            "  for (;;) { x = 3 * x + 1;"
                            "    switch (s) {"
                            "    case 0: s = x > 99 ? 1 : 0; seen = s; break;"
                            "    case 1: s = x % 7 == 2 ? 2 : 3; break;"
                            "    case 2: s = x < 1000 ? 1 : 3; break;"
                            "    case 3: s = x & 64 ? 4 : 1; break;"
                            "    default: return seen == 0 ? dead(s) : 0; } } }",
                       10000000, 3);
}

/* The sum of the elements is known only if each of them is a case. */
static void an_input_that_chooses_between_variables(void **state)
{
    (void)state;
    expect_proved_with(ASK DEAD "static int used[2], n;"
                                "int main(void) { for (;;) { int i = __VERIFIER_nondet_int() & 1;"
                                "  if (!used[i]) { used[i] = 1; n++; }"
                                "  if (n > 2) return dead(i); } }",
                       100000000, 3);
}

static void a_caller_remembers_what_it_has_checked(void **state)
{
    (void)state;
    expect_proved(ASK DEAD "static int g; static int inner(int a) { g++; return a & 1; }"
                           "int main(void) { int x = __VERIFIER_nondet_int(); if (x < 5) return 0;"
                           "  int odd = inner(x); if (x < 3) dead(odd); return odd; }",
                  3);
}

static void results_through_pointers(void **state)
{
    (void)state;
    expect_proved(ASK DEAD "struct pair { int a, b; };"
                           "static int set(struct pair *p, int x) { if (x < 0) return -1; p->a = x; p->b = x / 2; return 0; }"
                           "int main(void) { struct pair one = {1, 1}, two = {5, 5};"
                           "  int status = set(&one, __VERIFIER_nondet_int()); set(&two, 7);"
                           "  if (status == 0 && one.a < 0) return dead(1);"
                           "  if (two.a != 7) return dead(2);"
                           "  return 0; }",
                  4);
}

static void what_pointers_may_change(void **state)
{
    (void)state;
    expect_proved(ASK "static int *where; static int kept = 1, other = 1;"
                      "int main(void) { where = __VERIFIER_nondet_int() ? &kept : &other;"
                      "  *where = 0; if (kept) return 1; return 2; }",
                  0);
}

static void arithmetic_wraps(void **state)
{
    (void)state;
    expect_proved(ASK "int main(void) { unsigned char n = 1; while (__VERIFIER_nondet_int()) n++; if (n == 0) return 1; return 2; }", 0);
}

static void overflow_is_undefined(void **state)
{
    (void)state;
    expect_proved(ASK DEAD "int main(void) { int n = 1; while (__VERIFIER_nondet_int()) n++; while (n < 1) dead(n); return 2; }", 3);
}

static void constants_are_added(void **state)
{
    (void)state;
    expect_proved(ASK DEAD "int main(void) { int a = 1, b = a + 2; while (b != 3) dead(__VERIFIER_nondet_int()); return 0; }", 3);
}

static void recursion_of_any_depth(void **state)
{
    (void)state;
    expect_proved(ASK DEAD "static int down(int n) { if (n <= 0) return 0; int r = down(n - 1); return r; }"
                           "int main(void) { int r = down(__VERIFIER_nondet_int()); while (r) dead(r); return 0; }",
                  3);
}

static uint32_t nodes_of(Backward *b, const uint32_t *branches, uint32_t count)
{
    static const uint32_t ids[2];
    StrBuf text = {0};
    uint32_t nodes = 0;
    backward_certificate(b, branches, ids, count, 0, &text);
    for (const char *at = text.text; (at = strstr(at, "\"states\"")) != NULL; at++) nodes++;
    strbuf_release(&text);
    return nodes;
}

static void a_certificate_holds_what_its_branches_rest_on(void **state)
{
    (void)state;
    Program *program = load(ASK "int main(void) { unsigned x = 0, y = 0; while (__VERIFIER_nondet_int()) { x += 2; y += 4; }"
                                "  if (x & 1) return 1; if (y & 2) return 2; return 0; }");
    uint32_t entry = (uint32_t)(function_of(program, "main") - program->functions), proved[2], count = 0;
    BackwardOptions options = {.entries = &entry, .entry_count = 1, .whole = true, .effort = 20000000};
    Backward *b = backward_new(program, &options);
    for (uint32_t i = 0; i < program->branch_count && count < 2; i++)
        if (backward_prove(b, i, 1000000000) == BACKWARD_PROVED) proved[count++] = i;
    assert_int_equal(count, 2);
    uint32_t both = nodes_of(b, proved, 2), first = nodes_of(b, proved, 1), second = nodes_of(b, proved + 1, 1);
    assert_true(first > 0 && first < both && second > 0 && second < both && first + second >= both);
    backward_free(b);
    program_free(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_that_contradict_each_other),
        cmocka_unit_test(a_loop_that_keeps_two_variables_equal),
        cmocka_unit_test(a_state_machine),
        cmocka_unit_test(a_state_machine_beside_a_counter),
        cmocka_unit_test(an_input_that_chooses_between_variables),
        cmocka_unit_test(a_caller_remembers_what_it_has_checked),
        cmocka_unit_test(results_through_pointers),
        cmocka_unit_test(what_pointers_may_change),
        cmocka_unit_test(arithmetic_wraps),
        cmocka_unit_test(overflow_is_undefined),
        cmocka_unit_test(constants_are_added),
        cmocka_unit_test(recursion_of_any_depth),
        cmocka_unit_test(a_certificate_holds_what_its_branches_rest_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
