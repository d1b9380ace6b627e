/* search, sequences: what lies behind hundreds of inputs is reached, by runs like any other, and rehearsals leave no trace. */
#include "../front/load.h"
#include "search/search.h"

enum { ROUNDS = 3 * 60 /* at least, for the controller below */ };
#define MOST_WORK 16000000000u /* most seeds need less than a sixteenth of it, and a search ends when it has reached all */

#define ASK "unsigned long clew__symbolic_value(int, int, const char *); "

/* Three phases, each of which ends when an input has stayed in a range of its own for sixty rounds. */
static const char controller[] = ASK "static unsigned ask(void) { return (unsigned)clew__symbolic_value(16, 'u', \"t\"); }"
                                     "int test(void) { unsigned phase = 0, held = 0;"
                                     "  for (;;) {"
                                     "    unsigned t = ask();"
                                     "    if (t == 0xdead) return 0;"
                                     "    if (t >= 1000 + 500 * phase && t < 1010 + 500 * phase) held++; else held = 0;"
                                     "    if (held < 60) continue;"
                                     "    held = 0;"
                                     "    if (++phase == 3) return 1;"
                                     "  } }";

typedef struct Longest {
    uint32_t inputs;
    bool wrong; /* a run was told of whose inputs do not lead where it ended */
} Longest;

/* The same in C. */
static int result_of(const Vm *vm, Vm *machine)
{
    unsigned phase = 0, held = 0;
    for (uint32_t i = 0; i < vm_input_count(vm); i++) {
        unsigned t = (unsigned)expr_model_get(vm_model(machine), vm_input(vm, i));
        if (t == 0xdead) return 0;
        held = t >= 1000 + 500 * phase && t < 1010 + 500 * phase ? held + 1 : 0;
        if (held < 60) continue;
        held = 0;
        if (++phase == 3) return 1;
    }
    return -1;
}

static void note_run(void *data, Search *search, Vm *vm, const VmStop *stop)
{
    Longest *longest = data;
    Expr e;
    (void)search;
    if (stop->kind != VM_EXIT) return;
    longest->wrong |= result_of(vm, vm) != (int)vm_result(vm, &e);
    if (vm_result(vm, &e) == 1) longest->inputs = vm_input_count(vm);
}

static Search *explore(const Program *program, SearchStrategy strategy, Longest *longest)
{
    SearchOptions options = {
        .strategy = strategy, .seed = 1, .work = MOST_WORK, .until_covered = true, .on_run = note_run, .on_run_data = longest};
    Search *search;
    Error error;
    assert_int_equal(search_new(&search, program, function_of(program, "test"), &options, &error), OK);
    search_run(search);
    return search;
}

static void hundreds_of_inputs_are_found(void **state)
{
    static const SearchStrategy strategies[] = {SEARCH_AUTO, SEARCH_SEQUENCES};
    (void)state;
    Program *program = load(controller);
    for (unsigned i = 0; i < COUNT_OF(strategies); i++) {
        Longest longest = {0};
        Search *search = explore(program, strategies[i], &longest);
        assert_false(longest.wrong);
        assert_true(longest.inputs >= ROUNDS);
        assert_int_equal(search_goals_left(search), 0);
        search_free(search);
    }
    program_free(program);
}

/* A technique that only makes sequences knows nothing of all paths. */
static void sequences_alone_are_never_complete(void **state)
{
    (void)state;
    Longest longest = {0};
    Program *program = load("int test(int x) { if (x > 3) return 7; return 1; }");
    Search *search = explore(program, SEARCH_SEQUENCES, &longest);
    assert_false(search_complete(search));
    search_free(search);
    program_free(program);
}

/* Inputs that are there before the program asks for any are changed and looked at through windows, too. */
static void fixed_inputs_are_changed(void **state)
{
    static const char program_text[] = "void clew__symbolic(void *, unsigned long, const char *);"
                                       "int test(void) { unsigned char b[24]; int right = 0;"
                                       "  clew__symbolic(b, 24, \"b\");"
                                       "  for (int i = 0; i < 24; i++) if (b[i] == 'a' + i) right++;"
                                       "  if (right >= 12) return 1;"
                                       "  return 0; }";
    (void)state;
    Program *program = load(program_text);
    SearchOptions options = {.strategy = SEARCH_SEQUENCES, .seed = 1, .work = 2000000000};
    Search *search;
    Error error;
    assert_int_equal(search_new(&search, program, function_of(program, "test"), &options, &error), OK);
    search_run(search);
    assert_true(search_stats(search)->rehearsals > 0);
    assert_int_equal(search_goals_left(search), 0);
    assert_int_equal(search_stats(search)->divergences, 0);
    search_free(search);
    program_free(program);
}

/* Repetitions of a stretch go round a few states, which ends a rehearsal, and what needs other numbers of repetitions is found all the same: a dial with seven
 * positions that opens where it is left at the fifth one. */
static void repetitions_that_go_round_are_left_out(void **state)
{
    static const char dial[] = ASK "static unsigned ask(void) { return (unsigned)clew__symbolic_value(2, 'u', \"k\"); }"
                                   "int test(void) { unsigned at = 0, opened = 0;"
                                   "  for (;;) {"
                                   "    unsigned key = ask();"
                                   "    if (key == 0) at = (at + 1) % 7;"
                                   "    else if (key == 1 && at == 5) opened++;"
                                   "    else if (key == 2) at = 0;"
                                   "    if (opened == 2) return 1;"
                                   "  } }";
    (void)state;
    Longest longest = {0};
    Program *program = load(dial);
    Search *search = explore(program, SEARCH_SEQUENCES, &longest);
    assert_int_equal(search_goals_left(search), 0);
    assert_true(search_stats(search)->shortened > 0);
    search_free(search);
    program_free(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hundreds_of_inputs_are_found),
        cmocka_unit_test(sequences_alone_are_never_complete),
        cmocka_unit_test(fixed_inputs_are_changed),
        cmocka_unit_test(repetitions_that_go_round_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
