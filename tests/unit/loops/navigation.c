/* loops: branches below loops are reached by few runs, whatever the turns do to reach them, and inputs that lead there are those of ordinary runs. */
#include "../front/load.h"
#include "search/search.h"

#define ASK \
    "unsigned long clew__symbolic_value(int, int, const char *); static unsigned ask(void) { return (unsigned)clew__symbolic_value(32, " \
    "'u', \"t\"); } "

typedef struct Case {
    const char *text;
    uint32_t runs; /* at most, to come to `return 1` */
} Case;

/* Each returns 1 only after many turns in the right order. */
static const Case cases[] = {
    {ASK "int test(void) { unsigned a = 0, b = 0; while (ask()) { if (ask() == 7) a++; else b += 3; } if (a == 41 && b == 300) return 1; "
         "return 0; }",
     12},
    {ASK "int test(void) { unsigned char c = 0; while (ask()) c += 7; if (c == 3) return 1; return 0; }", 8},
    {ASK "int test(void) { unsigned held = 0; for (;;) { if (ask() == 5) held++; else held = 0; if (held == 500) return 1; } }", 8},
    {ASK "int test(void) { unsigned n = ask() % 64, m = ask() % 64, t = 0;"
         "  for (unsigned i = 0; i < n; i++) for (unsigned j = 0; j < m; j++) t++; if (t == 391) return 1; return 0; }",
     12},
    {ASK
     "struct s { int up, down; }; static void step(struct s *s, unsigned how) { if (how == 1) s->up++; else if (how == 2) s->down += 2; }"
     "int test(void) { struct s s = {0, 0}; for (int i = 0; i < 60; i++) step(&s, ask()); if (s.up == 20 && s.down == 30) return 1; return "
     "0; }",
     16},
    {ASK "int test(void) { unsigned x = 1; while (ask()) x = 5 * x + 3; if (x == 27343) return 1; return 0; }", 8},
    {ASK "int test(void) { unsigned votes[3] = {0}; for (;;) { unsigned v = ask(); if (v > 2) break; votes[v]++; }"
         "  if (votes[0] == 9 && votes[2] == 14) return 1; return 0; }",
     12},
    {ASK "int test(void) { unsigned sum = 0, n = 0; for (;;) switch (ask()) { case 5: sum += 5; n++; break; case 12: sum += 12; n++; break;"
         "  default: if (sum == 123 && n == 12) return 1; return 0; } }",
     12},
    {ASK "int test(void) { int depth = 0, pairs = 0; for (;;) { unsigned c = ask(); if (c == 1) depth++;"
         "  else if (c == 2) { if (!depth) return 0; depth--; pairs++; } else break; } if (depth == 0 && pairs == 9) return 1; return 0; }",
     16},
    {ASK "int test(void) { unsigned n = ask(), digits = 0; while (n) { n /= 10; digits++; } if (digits == 9) return 1; return 0; }", 8},
};

static bool returned_one;

static void note_run(void *data, Search *search, Vm *vm, const VmStop *stop)
{
    Expr e;
    (void)data;
    (void)search;
    returned_one |= stop->kind == VM_EXIT && vm_result(vm, &e) == 1;
}

/* The number of runs until a run returns 1, by loops alone; they know of the outcomes that a first search of another kind has come to, so that search is `random`. */
static uint64_t runs_of(const Case *c, SearchStrategy strategy, uint64_t work)
{
    Program *program = load(c->text);
    Search *search = NULL;
    Error error = {0};
    SearchOptions options = {.strategy = strategy, .seed = 1, .work = work, .on_run = note_run};
    returned_one = false;
    assert_int_equal(search_new(&search, program, function_of(program, "test"), &options, &error), OK);
    search_run(search);
    uint64_t runs = returned_one ? search_runs(search) : UINT64_MAX;
    search_free(search);
    program_free(program);
    return runs;
}

static void test_loops_lead_to_what_is_below(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (runs_of(&cases[i], SEARCH_LOOPS, 400000000) > cases[i].runs)
            fail_msg("program %zu was not reached in %u runs", i, cases[i].runs);
}

/* A loop that cannot reach its target costs little, and nothing is claimed. */
static void test_what_cannot_be_is_given_up(void **state)
{
    static const Case never = {ASK "int test(void) { unsigned i = 0; while (ask()) i += 2; if (i == 1001) return 1; return 0; }", 0};
    (void)state;
    assert_true(runs_of(&never, SEARCH_LOOPS, 400000000) == UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loops_lead_to_what_is_below),
        cmocka_unit_test(test_what_cannot_be_is_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
