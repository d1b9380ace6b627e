/* replay: what tests are seen to do natively, by exact counters and by gcov. */
#include "campaign.h"

#define TESTS "tests/test_subject.c"

/* ---- one source ---- */

static const char decide[] = "int decide(int a, int b)\n" /* 1 */
                             "{\n"
                             "    int r = 0;\n"
                             "    if (a > 3 && b < 7)\n" /* 4 */
                             "        r = 1;\n"
                             "\n"
                             "\n"
                             "    switch (b) {\n" /* 8 */
                             "    case 1: r += 10; break;\n"
                             "    case 2: r += 20; break;\n"
                             "    default: break;\n"
                             "    }\n"
                             "    for (int i = 0; i < b; i++) r++;\n" /* 13 */
                             "    return r ? r : -1;\n"               /* 14 */
                             "}\n";
static const char decide_tests[] = "#include <stdlib.h>\n"
                                   "static void one(void) { if (decide(0, 0) != -1) exit(1); }\n"
                                   "static void two(void) { if (decide(5, 1) != 12) exit(1); }\n"
                                   "static void three(void) { if (decide(5, 9) != 9) exit(1); }\n"
                                   "static void again(void) { if (decide(6, 1) != 12) exit(1); }\n"
                                   "static void wrong(void) { fprintf(stderr, \"test: Assertion `decide(0, 2) == 3' failed.\\n\"); if "
                                   "(decide(0, 2) != 3) exit(1); }\n";
#define DECIDE_ENTRIES \
    "#define entries ((Entry[]){{\"one\", one}, {\"two\", two}, {\"three\", three}, {\"again\", again}, {\"wrong\", wrong}})\n" TEST_MAIN

static void begin_decide(Campaign *c)
{
    static const char *const names[] = {"one", "two", "three", "again", "wrong"};
    begin_campaign(c, decide);
    open_campaign(c);
    /* By way of the root of all files, as from a folder that has nothing in common with the source's. */
    char *text = mem_format("#include <stdio.h>\n#include \"../../../..%s/subject.c\"\n%s", c->root, decide_tests);
    write_tests(c, TESTS, text, DECIDE_ENTRIES);
    free(text);
    for (size_t i = 0; i < COUNT_OF(names); i++) add_test(c, TESTS, names[i], END_RETURN);
}

static void outcomes_are_those_of_the_run(void **state)
{
    (void)state;
    Campaign c;
    begin_decide(&c);
    branch_at(&c, 8, "case 2", 0)->reached = true; /* by `wrong`, in the machine */
    vec_push(&test_at(&c, 5)->record.branches, branch_at(&c, 8, "case 2", 0)->id);
    replay(&c);
    assert_int_equal(c.replay.tests, 5);
    assert_int_equal(c.replay.passed, 4);
    assert_int_equal(c.replay.failed, 1);
    assert_int_equal(c.replay.differences.len, 0);
    assert_int_equal(c.replay.lines_agreeing, c.replay.lines_compared);
    assert_int_equal(c.replay.lines_compared + c.replay.lines_incomparable, 4);
    assert_true(c.replay.lines_compared >= 3);
    assert_true(test_at(&c, 1)->replayed && !test_at(&c, 1)->trouble);
    assert_false(test_at(&c, 5)->replayed);
    assert_string_equal(test_at(&c, 5)->trouble, "exit status 1");
    static const struct {
        uint32_t line;
        const char *outcome;
        uint32_t nth, test;
    } expected[] = {{4, "true", 0, 2},    {4, "false", 0, 1}, {4, "true", 1, 2},   {4, "false", 1, 3}, {8, "case 1", 0, 2},
                    {8, "default", 0, 1}, {13, "true", 0, 2}, {13, "false", 0, 1}, {14, "true", 0, 2}, {14, "false", 0, 1}};
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        const LedgerBranch *branch = branch_at(&c, expected[i].line, expected[i].outcome, expected[i].nth);
        assert_int_equal(branch->status, LEDGER_COVERED);
        assert_int_equal(branch->test, expected[i].test);
    }
    const LedgerBranch *open = branch_at(&c, 8, "case 2", 0);
    assert_int_equal(open->status, LEDGER_OPEN);
    assert_non_null(strstr(open->reason, "reached in the machine, but the test does not show it natively: "));
    assert_int_equal(count_covered(&c), COUNT_OF(expected));
    end_campaign(&c);
}

static void a_small_suite_is_chosen(void **state)
{
    (void)state;
    Campaign c;
    begin_decide(&c);
    replay(&c);
    replay_choose_suite(c.ledger);
    assert_true(test_at(&c, 1)->kept && test_at(&c, 2)->kept && test_at(&c, 3)->kept);
    assert_false(test_at(&c, 4)->kept);
    assert_false(test_at(&c, 5)->kept);
    assert_int_equal(count_covered(&c), 10);
    end_campaign(&c);
}

static void a_refuted_proof_is_a_difference(void **state)
{
    (void)state;
    Campaign c;
    begin_decide(&c);
    branch_at(&c, 14, "false", 0)->status = LEDGER_INFEASIBLE;
    branch_at(&c, 8, "case 2", 0)->status = LEDGER_INFEASIBLE;
    replay(&c);
    assert_int_equal(c.replay.differences.len, 1);
    assert_int_equal(c.replay.differences.data[0].line, 14);
    assert_int_equal(branch_at(&c, 14, "false", 0)->status, LEDGER_COVERED);
    assert_int_equal(branch_at(&c, 8, "case 2", 0)->status, LEDGER_INFEASIBLE);
    end_campaign(&c);
}

static void no_time_is_said(void **state)
{
    (void)state;
    Campaign c;
    begin_decide(&c);
    c.options.deadline = clock_seconds() + 0.01;
    branch_at(&c, 4, "true", 0)->reached = true;
    replay(&c);
    replay_choose_suite(c.ledger);
    assert_true(c.replay.out_of_time);
    assert_int_equal(c.replay.not_run, 5);
    assert_int_equal(c.replay.passed + c.replay.failed, 0);
    assert_int_equal(count_covered(&c), 0);
    assert_non_null(branch_at(&c, 4, "true", 0)->reason);
    assert_non_null(strstr(test_at(&c, 1)->trouble, "no time"));
    assert_false(test_at(&c, 1)->kept); /* nothing is written that was never run */
    assert_true(c.seconds < 1);
    end_campaign(&c);
}

static void check_written_files(Campaign *c)
{
    Error error;
    if (replay_check(c->ledger, &c->decls, NULL, &c->emit, &c->options, &c->replay, &error) != OK) fail_msg("%s", error.text);
    replay_choose_suite(c->ledger);
}

/* What was shown once holds if there is no time to show it again, or if it is shown again. */
static void no_time_takes_nothing_away(void **state)
{
    (void)state;
    Campaign c;
    begin_decide(&c);
    replay(&c);
    uint32_t covered = count_covered(&c);
    assert_true(covered > 0);
    for (int round = 0; round < 2; round++) {
        c.options.deadline = round ? 0 : clock_seconds() + 0.01;
        check_written_files(&c);
        assert_int_equal(count_covered(&c), covered);
        for (uint32_t i = 0; i < c.ledger->branches.len; i++) {
            const LedgerBranch *branch = &c.ledger->branches.data[i];
            if (branch->status != LEDGER_COVERED) continue;
            assert_true(test_at(&c, branch->test)->kept);
            assert_true(test_at(&c, branch->test)->replayed);
        }
    }
    end_campaign(&c);
}

static void a_file_that_cannot_be_built_is_said(void **state)
{
    (void)state;
    Campaign c;
    begin_decide(&c);
    write_tests(&c, TESTS, "#include \"../../subject.c\"\nint broken(void) { return undeclared; }\n", "");
    replay(&c);
    assert_int_equal(c.replay.not_run, 5);
    assert_non_null(strstr(test_at(&c, 1)->trouble, "clang-19 cannot build it: "));
    assert_non_null(strstr(test_at(&c, 1)->trouble, "undeclared"));
    end_campaign(&c);
}

/* ---- conditions that gcc and clang see differently ---- */

static const char folded[] = "int lines(int a, int b, int c)\n" /* 1 */
                             "{\n"
                             "    if (a &&\n"
                             "        b &&\n"
                             "        c)\n"
                             "        return 1;\n"
                             "    if (a == 1 ||\n"
                             "        /* more */\n"
                             "        b == 2 ||\n"
                             "        c == 3 ||\n"
                             "        a == c)\n"
                             "        return 2;\n"
                             "    return 3;\n"
                             "}\n"
                             "#define MIN(a, b) ((a) < (b) ? (a) : (b))\n"
                             "#define CHECK(x) do { \\\n"
                             "        if (!(x)) \\\n"
                             "            return -1; \\\n"
                             "    } while (0)\n"
                             "static inline int square(int x) { return x > 9 ? 81 : x * x; }\n"
                             "int folds(int c, int d)\n" /* 21 */
                             "{\n"
                             "    int any = c || d, both = c && d == 3, flag = c > 3 ? 1 : 0;\n"
                             "    if (c >= '0' && c <= '9') return 1;\n"
                             "    if (c == 1 || c == 2) return 2;\n"
                             "    CHECK(c !=\n"
                             "          -7);\n"
                             "    switch (c) { case 10: case 11: return 3; case 12 ... 14: return 4; case 99: break; }\n"
                             "    while (d-- > 0) { if (d == c) continue; if (d == 50) break; }\n"
                             "    do any++; while (any < 3);\n"
                             "    return MIN(any, both) + square(c) + (c < 0 ? -c : c) + flag;\n"
                             "}\n";
static const char folded_tests[] =
    "#include \"../../subject.c\"\n"
    "#include <stdlib.h>\n"
    "static int number;\n"
    "static void all(void) { int n = number; lines(n & 1, n & 2, n & 4); lines(n % 3, n % 4, n % 5); folds(n * 5 - 20, n % 7); }\n"
    "int test_entry(int argc, char **argv) __asm__(\"run_one\");\n"
    "int test_entry(int argc, char **argv) { number = atoi(argv[1]); all(); return 0; }\n";

/* Every prefix of a list of tests, so that lines are compared in many stages of being covered. */
static void no_difference_is_invented(void **state)
{
    (void)state;
    for (uint32_t last = 0; last < 24; last += last < 8 ? 3 : 7) {
        Campaign c;
        begin_campaign(&c, folded);
        open_campaign(&c);
        write_tests(&c, TESTS, folded_tests, "");
        for (uint32_t i = last < 8 ? last : 0; i <= last; i++) {
            char name[16];
            snprintf(name, sizeof name, "%u", i);
            add_test(&c, TESTS, name, END_RETURN);
        }
        replay(&c);
        assert_int_equal(c.replay.passed, c.ledger->tests.len);
        assert_int_equal(c.replay.differences.len, 0);
        assert_true(c.replay.lines_compared >= 5);
        assert_true(count_covered(&c) > 10);
        end_campaign(&c);
    }
}

/* ---- runs that are cut off ---- */

static const char cut[] = "#include <stdlib.h>\n"
                          "#include <unistd.h>\n"
                          "int cut(int how)\n"
                          "{\n"
                          "    int n = 0;\n"
                          "    if (how > 5) n = 1;\n" /* 6 */
                          "    if (how == 1) abort();\n"
                          "    if (how == 2) _exit(0);\n"
                          "    if (how == 3) exit(0);\n"
                          "    if (how == 4) quick_exit(0);\n"
                          "    if (how == 5) for (;;) n++;\n"
                          "    return n ? 1 : 2;\n" /* 12 */
                          "}\n";
static const char cut_tests[] =
    "#include \"../../subject.c\"\n"
    "#include <sys/wait.h>\n"
    "int test_entry(int argc, char **argv) __asm__(\"run_one\");\n"
    "int test_entry(int argc, char **argv)\n"
    "{\n"
    "    int status, how = atoi(argv[1]);\n"
    "    pid_t child = fork();\n"
    "    if (child == 0) { if (how == 5) alarm(1); cut(how); exit(0); }\n"
    "    waitpid(child, &status, 0);\n"
    "    return how == 1 ? !(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) : how == 5 ? !WIFSIGNALED(status) : status != 0;\n"
    "}\n";

static void a_run_that_is_cut_off_is_counted_exactly(void **state)
{
    (void)state;
    Campaign c;
    begin_campaign(&c, cut);
    open_campaign(&c);
    write_tests(&c, TESTS, "#include <signal.h>", cut_tests);
    static const RecordEnd ends[] = {END_RETURN, END_SIGNAL, END_EXIT, END_EXIT, END_EXIT, END_SIGNAL};
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        char name[16];
        snprintf(name, sizeof name, "%zu", i);
        add_test(&c, TESTS, name, ends[i]);
    }
    replay(&c);
    assert_int_equal(c.replay.passed, COUNT_OF(ends));
    assert_int_equal(c.replay.differences.len, 0);
    assert_int_equal(c.replay.lines_agreeing, 7);
    assert_int_equal(branch_at(&c, 7, "true", 0)->test, 2);
    assert_int_equal(branch_at(&c, 11, "true", 0)->test, 6);
    assert_int_equal(branch_at(&c, 6, "true", 0)->status, LEDGER_OPEN);
    assert_int_equal(branch_at(&c, 12, "true", 0)->status, LEDGER_OPEN);
    assert_int_equal(count_covered(&c), 12);
    end_campaign(&c);
}

/* ---- what the language leaves open ---- */

/* clang takes arguments from left to right, gcc from right to left. */
static const char ordered[] = "static int n;\n"
                              "static int next(void) { return ++n; }\n"
                              "static int first(int a, int b) { return a < b ? 1 : 2; }\n"
                              "int ordered(int x) { if (x) return 7; return first(next(), next()); }\n";
static const char ordered_tests[] =
    "#include \"../../subject.c\"\n"
    "int test_entry(int argc, char **argv) __asm__(\"run_one\");\n"
    "int test_entry(int argc, char **argv) { return argv[1][0] == 'x' ? ordered(1) != 7 : ordered(0) != 1; }\n";

static void a_test_that_only_one_compiler_likes_does_not_pass(void **state)
{
    (void)state;
    Campaign c;
    begin_campaign(&c, ordered);
    open_campaign(&c);
    write_tests(&c, TESTS, ordered_tests, "");
    add_test(&c, TESTS, "order", END_RETURN);
    add_test(&c, TESTS, "x", END_RETURN);
    replay(&c);
    assert_int_equal(c.replay.passed, 1);
    assert_int_equal(c.replay.failed, 1);
    assert_int_equal(c.replay.differences.len, 0);
    assert_string_equal(test_at(&c, 1)->trouble, "compiled by gcc: exit status 1");
    assert_int_equal(branch_at(&c, 4, "true", 0)->test, 2);
    assert_int_equal(branch_at(&c, 3, "true", 0)->status, LEDGER_OPEN);
    end_campaign(&c);
}

/* The tests hold under both compilers, but they take other ways. */
static const char divided[] = "#ifdef __clang__\n"
                              "enum { LIMIT = 2 };\n"
                              "#else\n"
                              "enum { LIMIT = 1 };\n"
                              "#endif\n"
                              "int divided(int x)\n"
                              "{\n"
                              "    int n = 0;\n"
                              "    if (x == 5) n++;\n" /* 9 */
                              "\n\n\n\n"
                              "    for (int i = 0; i < 2; i++)\n" /* 14 */
                              "\n\n\n\n"
                              "        if (i < LIMIT) n += 0;\n" /* 19 */
                              "    return n;\n"
                              "}\n";
static const char divided_tests[] = "#include \"../../subject.c\"\n"
                                    "int test_entry(int argc, char **argv) __asm__(\"run_one\");\n"
                                    "int test_entry(int argc, char **argv) { return divided(5) != 1; }\n";

static void a_difference_is_told_and_not_counted(void **state)
{
    (void)state;
    Campaign c;
    begin_campaign(&c, divided);
    open_campaign(&c);
    write_tests(&c, TESTS, divided_tests, "");
    add_test(&c, TESTS, "five", END_RETURN);
    replay(&c);
    assert_int_equal(c.replay.passed, 1);
    assert_int_equal(c.replay.differences.len, 1);
    assert_int_equal(c.replay.differences.data[0].line, 19);
    assert_string_equal(c.replay.differences.data[0].text, "the tests took 1 of 2 outcomes by exact counters, 2 of 2 by gcov");
    assert_int_equal(c.replay.lines_compared, 3);
    assert_int_equal(c.replay.lines_agreeing, 2);
    assert_int_equal(branch_at(&c, 19, "true", 0)->status, LEDGER_OPEN);
    assert_non_null(strstr(branch_at(&c, 19, "true", 0)->reason, "gcov"));
    assert_int_equal(branch_at(&c, 9, "true", 0)->status, LEDGER_COVERED);
    assert_int_equal(count_covered(&c), 3);
    end_campaign(&c);
}

/* ---- several sources ---- */

static const char header[] = "static inline int shared(int x) { return x > 10 ? 1 : 2; }\n"
                             "static int own(int x)\n"
                             "{\n"
                             "#ifdef MORE\n"
                             "    if (x == 3) return 9;\n"
                             "#endif\n"
                             "    if (x) return 1;\n"
                             "    return 0;\n"
                             "}\n";
static const char left[] = "#include \"common.h\"\n"
                           "static int helper(int x) { if (x > 1) return 1; return 2; }\n"
                           "int right(int);\n"
                           "int left(int x) { return helper(x) + shared(x) + own(x) + right(x); }\n"
                           "int main(int argc, char **argv) { if (argc > 5) return 1; return left(argc); }\n";
static const char right[] = "#define MORE\n"
                            "#include \"common.h\"\n"
                            "static int helper(int x) { if (x > 2) return 1; return 2; }\n"
                            "int right(int x) { return helper(x) + shared(x - 20) + own(x); }\n";

static LedgerBranch *branch_of(Campaign *c, const char *file, const char *function, uint32_t line, const char *outcome)
{
    for (uint32_t i = 0; i < c->ledger->branches.len; i++) {
        LedgerBranch *b = &c->ledger->branches.data[i];
        if (strstr(b->file, file) && strncmp(b->function, function, strlen(function)) == 0 && b->line == line &&
            strcmp(b->outcome, outcome) == 0)
            return b;
    }
    fail_msg("no branch %s in %s:%u", outcome, file, line);
    return NULL;
}

/* The tests of two units of two sources; both programs contain both sources, one by inclusion and the other by linking. */
static void functions_of_one_name_are_told_apart(void **state)
{
    (void)state;
    Campaign c;
    begin_campaign(&c, left);
    write_at(c.root, "common.h", header);
    add_source(&c, "right.c", right);
    open_campaign(&c);
    write_tests(&c, "tests/test_main.c",
                "int main(int, char **) __asm__(\"clew_program_main\");\n"
                "#include \"../../subject.c\"\n"
                "int test_entry(int argc, char **argv) __asm__(\"run_one\");\n"
                "int test_entry(int argc, char **argv) { return argc > 1 ? main(2, argv) != 9 : 1; }\n",
                "");
    add_test(&c, "tests/test_main.c", "two", END_RETURN);
    replay(&c);
    assert_int_equal(c.replay.passed, 1);
    assert_int_equal(c.replay.differences.len, 0);
    assert_int_equal(branch_of(&c, "subject.c", "main", 5, "false")->status, LEDGER_COVERED);
    assert_int_equal(branch_of(&c, "subject.c", "main", 5, "true")->status, LEDGER_OPEN);
    assert_int_equal(branch_of(&c, "subject.c", "helper", 2, "true")->status, LEDGER_COVERED);
    assert_int_equal(branch_of(&c, "subject.c", "helper", 2, "false")->status, LEDGER_OPEN);
    assert_int_equal(branch_of(&c, "right.c", "helper", 3, "true")->status, LEDGER_OPEN);
    assert_int_equal(branch_of(&c, "right.c", "helper", 3, "false")->status, LEDGER_COVERED);
    assert_int_equal(branch_of(&c, "common.h", "shared", 1, "false")->status, LEDGER_COVERED);
    assert_int_equal(branch_of(&c, "common.h", "shared", 1, "true")->status, LEDGER_OPEN);
    assert_int_equal(branch_of(&c, "common.h", "own", 7, "true")->status, LEDGER_COVERED);
    assert_int_equal(branch_of(&c, "common.h", "own", 5, "true")->status, LEDGER_OPEN);
    assert_int_equal(branch_of(&c, "common.h", "own", 5, "false")->status, LEDGER_COVERED);
    end_campaign(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes_are_those_of_the_run),
        cmocka_unit_test(a_small_suite_is_chosen),
        cmocka_unit_test(a_refuted_proof_is_a_difference),
        cmocka_unit_test(no_time_is_said),
        cmocka_unit_test(no_time_takes_nothing_away),
        cmocka_unit_test(a_file_that_cannot_be_built_is_said),
        cmocka_unit_test(no_difference_is_invented),
        cmocka_unit_test(a_run_that_is_cut_off_is_counted_exactly),
        cmocka_unit_test(a_test_that_only_one_compiler_likes_does_not_pass),
        cmocka_unit_test(a_difference_is_told_and_not_counted),
        cmocka_unit_test(functions_of_one_name_are_told_apart),
    };
    return cmocka_run_group_tests_name("replay: coverage", tests, NULL, NULL);
}
