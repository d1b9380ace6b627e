/* search, sequences: what lies behind hundreds of inputs is reached, by runs like any other, and rehearsals leave no trace. */
#include "../front/load.h"
#include "search/sequences.h"

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

/* ---- rehearsals by hand ---- */

static Search *start_search(const Program *program)
{
    SearchOptions options = {.strategy = SEARCH_SEQUENCES, .seed = 1, .work = MOST_WORK, .until_covered = true};
    Search *search;
    Error error;
    assert_int_equal(search_new(&search, program, function_of(program, "test"), &options, &error), OK);
    return search;
}

static BySequences *sequences_of(Search *search)
{
    return search->schedule.accounts[TECHNIQUE_SEQUENCES].self;
}

static Values give(const unsigned *values, uint32_t count)
{
    Values given = {0};
    for (uint32_t i = 0; i < count; i++) vec_push(&given, values[i]);
    return given;
}

static uint64_t distance_to(const BySequences *self, OutcomeKind outcome, uint32_t number)
{
    const Program *program = self->search->program;
    uint32_t count = 0;
    for (uint32_t i = 0; i < program->branch_count; i++)
        if (program->branches[i].outcome == outcome && count++ == number) return self->taken[i].near_inputs ? self->taken[i].distance : 0;
    fail_msg("no such branch");
    return 0;
}

static const char comparisons[] = ASK "static int ask(void) { return (short)clew__symbolic_value(16, 'i', \"t\"); }"
                                      "int test(void) {"
                                      "  for (;;) {"
                                      "    if (ask() == 1000) return 1;"
                                      "    if (ask() > 500) return 2;"
                                      "    if (ask() <= 20) return 3;"
                                      "    if (ask() < -5) return 4;"
                                      "    if ((unsigned)ask() >= 9) return 5;"
                                      "    switch (ask()) { case 77: return 6; case 90: return 7; }"
                                      "  } }";

/* How near a rehearsal comes to what it does not take: by the operands of comparisons, the least difference in all the rehearsal. */
static void distances_are_those_of_the_operands(void **state)
{
    static const unsigned values[] = {1100, 400, 300, 3, 1, 2, 990, 498, 25, 100, 6, 80};
    static const uint64_t least[] = {10, 3, 5, 9, 3}, of_cases[] = {3, 10};
    (void)state;
    Program *program = load(comparisons);
    Search *search = start_search(program);
    BySequences *self = sequences_of(search);
    Values given = give(values, COUNT_OF(values));
    sequences__execute(self, NULL, &given, sequences__no_window, COUNT_OF(values), self->taken);
    for (uint32_t i = 0; i < COUNT_OF(least); i++) assert_int_equal(distance_to(self, OUTCOME_TRUE, i), least[i]);
    for (uint32_t i = 0; i < COUNT_OF(of_cases); i++) assert_int_equal(distance_to(self, OUTCOME_CASE, i), of_cases[i]);
    vec_release(&given);
    search_free(search);
    program_free(program);
}

/* What came near to a goal is gone on from, and no longer when nothing is a goal any more. */
static void what_comes_near_is_chosen(void **state)
{
    static const unsigned values[] = {990, 498, 25, 3, 6, 80, 1};
    (void)state;
    Program *program = load(comparisons);
    Search *search = start_search(program);
    BySequences *self = sequences_of(search);
    Values given = give(values, COUNT_OF(values));
    uint32_t index, shortest = UINT32_MAX;
    assert_null(sequences__choose_near(self, &index));
    sequences__rehearse(self, &given);
    for (uint32_t i = 0; i < 100; i++) {
        const Sequence *chosen = sequences__choose_near(self, &index);
        assert_non_null(chosen);
        assert_memory_equal(chosen->inputs->values, given.data, chosen->length * sizeof *given.data);
        if (chosen->length < shortest) shortest = chosen->length;
    }
    assert_int_equal(shortest, 1);
    for (uint32_t i = 0; i < program->branch_count; i++) search->goals.data[i] = 0;
    assert_null(sequences__choose_near(self, &index));
    vec_release(&given);
    search_free(search);
    program_free(program);
}

/* A state is news where every pair of its values was seen before, and only the first time. */
static void whole_states_are_kept(void **state)
{
    (void)state;
    Program *program = load(ASK "static int ask(void) { return (short)clew__symbolic_value(16, 'i', \"t\"); }"
                                "static int a, b, c;"
                                "int test(void) { for (;;) { int i = ask(); a = i & 1; b = i >> 1 & 1; c = i >> 2 & 1; } }");
    Search *search = start_search(program);
    BySequences *self = sequences_of(search);
    for (unsigned round = 0; round < 2; round++)
        for (unsigned i = 0; i < 8; i++) {
            Values given = give(&i, 1);
            sequences__rehearse(self, &given);
            assert_int_equal(self->kept[DEED_STATE].len, round ? 8 : i + 1);
            vec_release(&given);
        }
    search_free(search);
    program_free(program);
}

/* What one place asks for by two names are two requests, and the same two in the next round. */
static void requests_are_told_apart_by_name(void **state)
{
    static const unsigned values[] = {1, 2, 3, 4};
    (void)state;
    Program *program = load(ASK "static int ask(void) { int sum = 0;"
                                "  for (int i = 0; i < 2; i++) sum += (int)clew__symbolic_value(16, 'i', i ? \"a\" : \"b\"); return sum; }"
                                "int test(void) { for (;;) if (ask() == 1000) return 1; }");
    Search *search = start_search(program);
    BySequences *self = sequences_of(search);
    Values given = give(values, COUNT_OF(values));
    sequences__execute(self, NULL, &given, sequences__no_window, COUNT_OF(values), self->taken);
    sequences__take(self, &given);
    const uint32_t *places = self->latest.inputs->places;
    assert_int_not_equal(places[0], places[1]);
    assert_int_equal(places[0], places[2]);
    assert_int_equal(places[1], places[3]);
    vec_release(&given);
    search_free(search);
    program_free(program);
}

/* What a rehearsal from a checkpoint does is what it does from the start. */
static void check_against_start(BySequences *self, const Values *values)
{
    Search *search = self->search;
    uint32_t branches = search->program->branch_count, length = values->len;
    VmTaken *taken = mem_alloc(branches * sizeof *taken);
    const Checkpoint *from = sequences__checkpoint(self, values, UINT32_MAX);
    assert_non_null(from);
    assert_true(length - from->inputs <= 2 * 8);
    VmStopKind kind = sequences__execute(self, from, values, sequences__no_window, length, self->taken).kind;
    uint64_t steps = self->steps;
    uint32_t inputs = vm_input_count(search->vm);
    memcpy(taken, self->taken, branches * sizeof *taken);
    assert_int_equal(sequences__execute(self, NULL, values, sequences__no_window, length, self->taken).kind, kind);
    assert_int_equal(self->steps, steps);
    assert_int_equal(vm_input_count(search->vm), inputs);
    for (uint32_t i = 0; i < branches; i++) assert_memory_equal(&taken[i], &self->taken[i], sizeof *taken);
    free(taken);
}

static void checkpoints_change_nothing(void **state)
{
    enum { LENGTH = 150, CHANGED = 8 };
    (void)state;
    Program *program = load(controller);
    Search *search = start_search(program);
    BySequences *self = sequences_of(search);
    unsigned numbers[LENGTH];
    for (uint32_t i = 0; i < LENGTH; i++) numbers[i] = i < 60 ? 1001 : 1502;
    Values given = give(numbers, LENGTH);
    sequences__execute(self, NULL, &given, sequences__no_window, LENGTH, self->taken);
    sequences__take(self, &given);
    for (uint32_t changed = 1; changed <= CHANGED; changed++) {
        Values values = give(numbers, LENGTH);
        sequences__begin(self, &self->latest);
        values.data[LENGTH - CHANGED] = 7;
        check_against_start(self, &values);
        values.data[LENGTH - changed] = changed == 3 ? 0xdead : 1509;
        check_against_start(self, &values);
        vec_release(&values);
    }
    sequences__end(self);
    vec_release(&given);
    search_free(search);
    program_free(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_of_the_operands),
        cmocka_unit_test(what_comes_near_is_chosen),
        cmocka_unit_test(whole_states_are_kept),
        cmocka_unit_test(requests_are_told_apart_by_name),
        cmocka_unit_test(checkpoints_change_nothing),
        cmocka_unit_test(hundreds_of_inputs_are_found),
        cmocka_unit_test(sequences_alone_are_never_complete),
        cmocka_unit_test(fixed_inputs_are_changed),
        cmocka_unit_test(repetitions_that_go_round_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
