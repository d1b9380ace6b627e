/* report: the closing summary as a person sees it. */
#include "report/report.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

/* A ledger that has never seen a directory: only what a summary reads. */
static Ledger *new_ledger(const char *directory)
{
    char scratch[] = "/tmp/clew-report-XXXXXX";
    Ledger *ledger;
    Error error;
    assert_non_null(mkdtemp(scratch));
    assert_int_equal(ledger_open(&ledger, scratch, "valves.c", &(LedgerIdentity){.sources = 1}, false, &error), OK);
    char *database = mem_format("%s/ledger.db", scratch), *journal = mem_format("%s-journal", database);
    remove(database);
    remove(journal);
    free(database);
    free(journal);
    remove(scratch);
    ledger_set_text(&ledger->directory, directory);
    return ledger;
}

static void add_branch(Ledger *ledger, uint32_t line, LedgerStatus status, const char *reason)
{
    static char *const outcomes[] = {"true", "false"};
    uint32_t id = ledger->branches.len;
    ledger_add_branch(ledger, &(LedgerBranch){.id = id,
                                              .function = "flow",
                                              .file = "valves.c",
                                              .line = line,
                                              .column = 9,
                                              .outcome = outcomes[id % 2],
                                              .status = status,
                                              .counted = true,
                                              .reached = status == LEDGER_COVERED,
                                              .reason = (char *)(uintptr_t)reason});
}

static LedgerTest *add_test(Ledger *ledger, const char *path, const char *name)
{
    Record record = {0};
    LedgerTest *test = ledger_add_test(ledger, "flow", &record);
    ledger_set_text(&test->path, path);
    ledger_set_text(&test->name, name);
    return test;
}

static void add_bug(Ledger *ledger, const char *kind, uint32_t line, const char *message, bool confirmed)
{
    char *path = mem_format("tests/bugs/bug_%u_flow.c", ledger->bugs.len + 1);
    LedgerTest *test = add_test(ledger, path, "main");
    test->bug = ledger->bugs.len + 1;
    test->kept = false;
    ledger_add_bug(ledger, &(LedgerBug){.kind = (char *)(uintptr_t)kind,
                                        .function = "flow",
                                        .file = "valves.c",
                                        .line = line,
                                        .message = (char *)(uintptr_t)message,
                                        .test = test->id,
                                        .confirmed = confirmed,
                                        .evidence = confirmed ? "SIGFPE" : "the run ended normally"});
    free(path);
}

static char *summary_of(const Ledger *ledger, const Replay *replay, bool quiet)
{
    FILE *out = tmpfile();
    assert_non_null(out);
    report_summary(out, ledger, replay, quiet);
    size_t size = (size_t)ftell(out);
    char *text = mem_alloc(size + 1);
    rewind(out);
    assert_int_equal(fread(text, 1, size, out), size);
    fclose(out);
    return text;
}

static void expect(Ledger *ledger, const Replay *replay, bool quiet, const char *expected)
{
    char *text = summary_of(ledger, replay, quiet);
    assert_string_equal(text, expected);
    free(text);
    ledger_free(ledger);
}

static unsigned count_lines(const char *text)
{
    unsigned lines = 0;
    for (; *text; text++) lines += *text == '\n';
    return lines;
}

static void nothing_left_to_do_is_said_in_few_words(void **state)
{
    (void)state;
    Ledger *ledger = new_ledger("clew-out");
    Replay replay = {0};
    add_branch(ledger, 3, LEDGER_COVERED, NULL);
    add_test(ledger, "tests/test_flow.c", "test_flow_1");
    add_test(ledger, "tests/test_flow.c", "test_flow_2")->kept = false;
    LedgerUnit *unit = ledger_add_unit(ledger, "flow", "valves.c", 1);
    unit->done = unit->complete = true;
    unit->paths = 7;
    ledger->complete = true;
    expect(ledger, &replay, false,
           "valves.c: 1 of 1 branch covered by 1 test; no bug\n"
           "  tests    clew-out/tests (make -C clew-out/tests)\n"
           "  paths    all 7 are known\n");
}

static void everything_at_once_is_aligned_and_grouped(void **state)
{
    (void)state;
    Ledger *ledger = new_ledger("clew-out");
    Replay replay = {.not_run = 2, .out_of_time = true};
    for (uint32_t i = 0; i < 6; i++) add_branch(ledger, 10 + i, LEDGER_COVERED, NULL);
    for (uint32_t i = 0; i < 5; i++) add_branch(ledger, 40 + i, LEDGER_OPEN, "the solver gave up");
    add_branch(ledger, 50, LEDGER_OPEN, NULL);
    add_branch(ledger, 60, LEDGER_INFEASIBLE, NULL);
    add_test(ledger, "tests/test_flow.c", "test_flow_1");
    ledger_set_text(&add_test(ledger, "tests/test_flow.c", "test_flow_2")->trouble, "returned 4, not 3");
    add_test(ledger, "cmocka/test_flow.c", "test_flow_1");
    add_bug(ledger, "division-by-zero", 31, "the divisor is 0", true);
    add_bug(ledger, "out-of-bounds", 32, "an index of 12 is outside an array of 4 elements", true);
    add_bug(ledger, "signed-overflow", 33, "a + 1", false);
    LedgerUnit *unit = ledger_add_unit(ledger, "flow", "valves.c", 1);
    vec_push(&unit->assumptions, mem_strdup("a points to n elements, n at most 4096"));
    unit = ledger_add_unit(ledger, "drain", "valves.c", 1);
    unit->done = true;
    vec_push(&unit->assumptions, mem_strdup("a points to n elements, n at most 4096"));
    ledger_set_text(&ledger_add_unit(ledger, "odd", "valves.c", 9)->problem, "parameter s: struct secret is only declared");
    ledger_add_loss(ledger, "flow", "valves.c", 44, "qsort was called with concrete arguments");
    expect(ledger, &replay, false,
           "valves.c: 6 of 13 branches covered by 3 tests, 1 proved infeasible (cov_b 46.2 %, cov_f 50.0 %); 2 bugs, 1 possible bug\n"
           "  tests    clew-out/tests (make -C clew-out/tests)\n"
           "           clew-out/cmocka\n"
           "  bug      valves.c:32: out-of-bounds in flow: an index of 12 is outside an array of 4 elements\n"
           "           clew-out/tests/bugs/bug_2_flow.c\n"
           "  bug      valves.c:31: division-by-zero in flow: the divisor is 0\n"
           "           clew-out/tests/bugs/bug_1_flow.c\n"
           "  unsure   valves.c:33: signed-overflow in flow: a + 1 (not confirmed natively: the run ended normally)\n"
           "           clew-out/tests/bugs/bug_3_flow.c\n"
           "  differs  test_flow_2: returned 4, not 3  clew-out/tests/test_flow.c\n"
           "           2 tests were not run natively: no time was left\n"
           "  untested odd: parameter s: struct secret is only declared\n"
           "  open     valves.c:40:9 true, 41:9 false, 42:9 true and 2 more: the solver gave up\n"
           "           valves.c:50:9 false: not reached\n"
           "  proved   valves.c:60:9 true: ?\n"
           "  paths    not all are known: flow was not finished\n"
           "           valves.c:44: qsort was called with concrete arguments\n"
           "  assumed  flow, drain: a points to n elements, n at most 4096\n"
           "  next     the same command with --resume goes on from here\n"
           "           --array, --string, --nonnull, --assume change what is assumed\n");
}

static void quiet_says_only_what_is_wrong(void **state)
{
    (void)state;
    Ledger *ledger = new_ledger("out");
    Replay replay = {0};
    add_branch(ledger, 3, LEDGER_OPEN, NULL);
    add_bug(ledger, "abort", 31, "", true);
    ledger_set_text(&ledger_add_unit(ledger, "odd", "valves.c", 9)->problem, "it is variadic");
    expect(ledger, &replay, true,
           "valves.c:31: abort in flow  out/tests/bugs/bug_1_flow.c\n"
           "untested: odd: it is variadic\n");
    ledger = new_ledger("out");
    add_branch(ledger, 3, LEDGER_OPEN, NULL);
    expect(ledger, &replay, true, "");
}

static void without_a_replay_nothing_is_called_covered(void **state)
{
    (void)state;
    Ledger *ledger = new_ledger("out");
    add_branch(ledger, 3, LEDGER_OPEN, NULL);
    vec_at(&ledger->branches, 0).reached = true;
    add_branch(ledger, 3, LEDGER_OPEN, NULL);
    add_bug(ledger, "abort", 31, NULL, false);
    vec_at(&ledger->branches, 0).test = 1; /* a bug's program counts where a branch rests on it */
    expect(ledger, NULL, false,
           "valves.c: 1 of 2 branches reached by 1 test, which was not replayed; 1 possible bug\n"
           "  tests    out/tests (make -C out/tests)\n"
           "  unsure   valves.c:31: abort in flow  out/tests/bugs/bug_1_flow.c\n"
           "  open     valves.c:3:9 false: not reached\n");
}

static void preconditions_are_listed_apart_by_function(void **state)
{
    (void)state;
    Ledger *ledger = new_ledger("out");
    Replay replay = {0};
    ledger_add_unit(ledger, "flow", "valves.c", 1)->done = true;
    ledger_add_unit(ledger, "drain", "valves.c", 9)->done = true;
    for (uint32_t i = 0; i < 3; i++) {
        add_bug(ledger, "null-dereference", 31 + i, "read of 4 bytes at 0, a null pointer", true);
        ledger_set_text(&vec_top(&ledger->bugs).unit, i < 2 ? "flow" : "drain");
        ledger_set_text(&vec_top(&ledger->bugs).precondition, i == 1 ? "q != NULL" : "p != NULL");
    }
    expect(ledger, &replay, false,
           "valves.c: 0 tests; no bug, 3 preconditions\n"
           "  tests    out/tests (make -C out/tests)\n"
           "  requires flow: p != NULL; q != NULL\n"
           "           drain: p != NULL\n");
}

static void bugs_of_one_cause_share_a_row(void **state)
{
    (void)state;
    Ledger *ledger = new_ledger("out");
    Replay replay = {0};
    for (uint32_t i = 0; i < 3; i++) {
        add_bug(ledger, "out-of-bounds", 31 + i, "read of 1 byte", true);
        vec_at(&ledger->tests, vec_top(&ledger->bugs).test - 1).record.blame = mem_strdup(i < 2 ? "n " : "k ");
    }
    expect(ledger, &replay, false,
           "valves.c: 0 tests; 3 bugs\n"
           "  tests    out/tests (make -C out/tests)\n"
           "  bug      valves.c:31: out-of-bounds in flow: read of 1 byte (also line 32)\n"
           "           out/tests/bugs/bug_1_flow.c\n"
           "  bug      valves.c:33: out-of-bounds in flow: read of 1 byte\n"
           "           out/tests/bugs/bug_3_flow.c\n");
}

static void null_pointers_bring_one_hint(void **state)
{
    (void)state;
    Ledger *ledger = new_ledger("out");
    Replay replay = {0};
    static const char *const messages[] = {"list is NULL", "a NULL pointer is read", "list is NULL"};
    for (uint32_t i = 0; i < COUNT_OF(messages); i++) {
        add_bug(ledger, "null-dereference", 30 + i, messages[i], true);
        Record *record = &vec_at(&ledger->tests, i).record;
        if (i != 1) vec_push(&record->inputs, ((RecordInput){mem_strdup("other"), 'p', 64, 0, 0}));
        vec_push(&record->inputs, ((RecordInput){mem_strdup(i == 1 ? "tree" : "list"), 'p', 64, 0, 0}));
        vec_push(&record->inputs, ((RecordInput){mem_strdup("list_object.next"), 'p', 64, 0, 0}));
        vec_push(&record->inputs, ((RecordInput){mem_strdup("n"), 'i', 32, 0, 0}));
    }
    char *text = summary_of(ledger, &replay, false);
    assert_non_null(strstr(text, "  hint     if list, tree are never NULL: --nonnull list --nonnull tree\n"));
    assert_null(strstr(strstr(text, "hint") + 1, "hint"));
    free(text);
    ledger_free(ledger);
}

static void a_screen_is_enough_for_much(void **state)
{
    (void)state;
    Ledger *ledger = new_ledger("clew-out");
    Replay replay = {0};
    for (uint32_t i = 0; i < 30; i++) {
        char *text = mem_format("reason %u", i);
        add_branch(ledger, i, LEDGER_OPEN, text);
        add_bug(ledger, "abort", i, NULL, i % 3 == 0);
        ledger_add_loss(ledger, "flow", "valves.c", i, text);
        LedgerUnit *unit = ledger_add_unit(ledger, text, "valves.c", i);
        vec_push(&unit->assumptions, mem_strdup(text));
        if (i % 5 == 0) ledger_set_text(&unit->problem, "cannot be built");
        free(text);
    }
    char *text = summary_of(ledger, &replay, false);
    assert_in_range(count_lines(text), 20, 23);
    assert_non_null(strstr(text, "           and 6 more (see clew-out/ledger.json)\n"));
    assert_non_null(strstr(text, "           and 29 more (see clew-out/ledger.json)\n"));
    free(text);
    ledger_free(ledger);

    ledger = new_ledger("clew-out");
    for (uint32_t i = 0; i < 30; i++) {
        char *reason = mem_format("reason %u", i);
        add_branch(ledger, i, LEDGER_OPEN, reason);
        free(reason);
    }
    text = summary_of(ledger, &replay, false);
    assert_int_equal(count_lines(text), 23); /* all the room that others do not need */
    assert_non_null(strstr(text, "and 9 more (see clew-out/ledger.json)\n"));
    free(text);
    ledger_free(ledger);
}

static void names_cannot_play_with_the_terminal(void **state)
{
    (void)state;
    Ledger *ledger = new_ledger("out");
    Replay replay = {0};
    ledger_set_text(&ledger->target, "a\033[2Jb.c");
    add_bug(ledger, "abort", 1, "text\nwith \a lines", true);
    ledger_set_text(&vec_at(&ledger->bugs, 0).file, NULL);
    char *text = summary_of(ledger, &replay, false);
    assert_null(strchr(text, '\033'));
    assert_null(strchr(text, '\a'));
    assert_non_null(strstr(text, "?:1: abort in flow: text with   lines"));
    free(text);
    ledger_free(ledger);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_left_to_do_is_said_in_few_words),
        cmocka_unit_test(everything_at_once_is_aligned_and_grouped),
        cmocka_unit_test(quiet_says_only_what_is_wrong),
        cmocka_unit_test(without_a_replay_nothing_is_called_covered),
        cmocka_unit_test(preconditions_are_listed_apart_by_function),
        cmocka_unit_test(bugs_of_one_cause_share_a_row),
        cmocka_unit_test(null_pointers_bring_one_hint),
        cmocka_unit_test(a_screen_is_enough_for_much),
        cmocka_unit_test(names_cannot_play_with_the_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
