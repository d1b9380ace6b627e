/* search: how a search ends, what it aims at, and what it does about runs that go astray. */
#include "../front/load.h"
#include "search/search.h"

typedef struct Result {
    SearchStats stats;
    uint32_t losses, goals_left;
    bool complete;
    char loss[2048];
    uint8_t reached[256];
} Result;

static Result search_in(const Program *program, const char *function, SearchOptions options)
{
    Result result = {0};
    Search *search;
    Error error;
    options.seed = options.seed ? options.seed : 3;
    assert_int_equal(search_new(&search, program, function ? function_of(program, function) : NULL, &options, &error), OK);
    search_run(search);
    result.stats = *search_stats(search);
    result.complete = search_complete(search);
    result.goals_left = search_goals_left(search);
    const SearchLoss *losses = search_losses(search, &result.losses);
    for (uint32_t i = 0; i < result.losses; i++) {
        size_t used = strlen(result.loss);
        snprintf(result.loss + used, sizeof result.loss - used, "%u: %s; ", program->locs[losses[i].loc].line, losses[i].reason);
    }
    assert_true(program->branch_count <= sizeof result.reached);
    memcpy(result.reached, search_reached(search), program->branch_count);
    search_free(search);
    return result;
}

static Result search_text(const char *text, SearchOptions options)
{
    Program *program = load(text);
    Result result = search_in(program, "test", options);
    program_free(program);
    return result;
}

/* 2^12 paths, and one branch that no input reaches. */
static const char *const many = "int test(unsigned x)\n{\n"
                                "    int n = 0;\n"
                                "    for (int i = 0; i < 12; i++)\n"
                                "        if (x >> i & 1) n++;\n"
                                "    if (x * x % 4 == 3) return -1;\n"
                                "    return n;\n}\n";

static void ends_when_nothing_is_left(void **unused)
{
    (void)unused;
    Result result = search_text(many, (SearchOptions){0});
    assert_int_equal(result.stats.end, SEARCH_END_COMPLETE);
    assert_true(result.complete);
    assert_int_equal(result.stats.paths, 4096);
    assert_int_equal(result.goals_left, 1);
}

static void ends_at_max_runs(void **unused)
{
    (void)unused;
    Result result = search_text(many, (SearchOptions){.max_runs = 100});
    assert_int_equal(result.stats.end, SEARCH_END_RUNS);
    assert_int_equal(result.stats.runs, 100);
    assert_false(result.complete);
}

/* The run ends where something is assumed that no input decides.  The assumption before has held, so nothing is asked about it. */
static void asks_nothing_about_an_assumption_that_held(void **unused)
{
    (void)unused;
    Result result = search_text("void clew__assume(_Bool);\n"
                                "int test(int x)\n{\n"
                                "    clew__assume(x < 1000);\n"
                                "    clew__assume(0);\n"
                                "    return x;\n}\n",
                                (SearchOptions){.max_runs = 20, .strategy = SEARCH_DFS});
    assert_int_equal(result.stats.end, SEARCH_END_COMPLETE);
    assert_int_equal(result.stats.runs, 1);
}

/* Ten times the patience, since paths are short; work counts, too. */
static void ends_by_patience(void **unused)
{
    (void)unused;
    Program *program = load(many);
    uint8_t *wanted = mem_alloc(program->branch_count);
    Result open = search_in(program, "test", (SearchOptions){.patience = 100, .strategy = SEARCH_DFS});
    assert_int_equal(open.stats.end, SEARCH_END_PATIENCE);
    assert_in_range(open.stats.runs, open.stats.last_news + 100, open.stats.last_news + 1000);
    assert_int_equal(open.goals_left, 1);
    for (uint32_t i = 0; i < program->branch_count; i++) wanted[i] = open.reached[i];
    Result closed = search_in(program, "test", (SearchOptions){.patience = 100, .strategy = SEARCH_DFS, .wanted = wanted});
    assert_int_equal(closed.stats.end, SEARCH_END_PATIENCE);
    assert_in_range(closed.stats.runs, closed.stats.last_news + 100, closed.stats.last_news + 1000);
    assert_int_equal(closed.goals_left, 0);
    for (uint32_t i = 0; i < program->branch_count; i++) wanted[i] = !open.reached[i];
    Result known = search_in(program, "test", (SearchOptions){.patience = 100, .strategy = SEARCH_DFS, .known = wanted});
    assert_int_equal(known.stats.runs, closed.stats.runs);
    free(wanted);
    program_free(program);
}

static void stops_at_the_target(void **unused)
{
    (void)unused;
    Program *program = load("int test(unsigned x, unsigned y)\n{\n"
                            "    for (int i = 0; i < 10; i++)\n"
                            "        if (x >> i & 1) y++;\n"
                            "    if (x == 77) return 1;\n"
                            "    return y > 5;\n}\n");
    uint32_t target = UINT32_MAX;
    for (uint32_t i = 0; i < program->branch_count; i++)
        if (program->locs[program->branches[i].loc].line == 5 && program->branches[i].outcome == OUTCOME_TRUE) target = i;
    assert_true(target != UINT32_MAX);
    for (unsigned i = 0; i < SEARCH_STRATEGIES; i++) {
        if (i == SEARCH_SEQUENCES) continue; /* this program asks for nothing again and again */
        Result result = search_in(program, "test", (SearchOptions){.strategy = (SearchStrategy)i, .target = &target});
        assert_int_equal(result.stats.end, SEARCH_END_TARGET);
        assert_true(result.reached[target]);
        assert_true(result.stats.runs < 1024);
    }
    program_free(program);
}

static void stops_at_the_first_bug(void **unused)
{
    (void)unused;
    Result result =
        search_text("int test(int x, int y) { return x > 1000 && y < -5 ? x / (y + 6) : x; }", (SearchOptions){.first_bug = true});
    assert_int_equal(result.stats.end, SEARCH_END_FIRST_BUG);
}

/* Distance leads straight to the one call behind which something is left, past many paths that lead nowhere. */
static void cfg_goes_where_something_is_left(void **unused)
{
    (void)unused;
    static const char *const text =
        "static int last(int x) { if (x == 123456) return 1; return 0; }\n"
        "static int noise(unsigned x) { int n = 0; for (int i = 0; i < 14; i++) if (x >> i & 1) n++; return n; }\n"
        "int test(unsigned x, int y, int z)\n{\n"
        "    if (y == 4711) return last(z);\n"
        "    return noise(x);\n}\n";
    Result cfg = search_text(text, (SearchOptions){.strategy = SEARCH_CFG, .patience = 1});
    assert_int_equal(cfg.goals_left, 0);
    assert_true(cfg.stats.runs < 50);
}

static void count_calls(void *data, const Search *search)
{
    assert_true(search_stats(search)->end == SEARCH_GOES_ON);
    ++*(uint64_t *)data;
}

/* A query that no tier can answer in time does not keep the search from ending; the progress is shown meanwhile. */
static void ends_at_the_deadline(void **unused)
{
    (void)unused;
    uint64_t calls = 0;
    SearchOptions options = {.on_progress = count_calls, .on_progress_data = &calls};
    Program *program =
        load("int test(unsigned long a, unsigned long b)\n{\n"
             "    unsigned __int128 p = (unsigned __int128)a * b;\n"
             "    if (a > 1 && b > a && (unsigned long)p == 0xd3c21bcecceda1a7u && (unsigned long)(p >> 64) == 0x3f5a1) return 1;\n"
             "    int n = 0;\n"
             "    for (int i = 0; i < 60; i++) n += a >> i & 1 ? (int)(b >> i & 3) == 2 : 0;\n"
             "    return n;\n}\n");
    options.deadline = clock_seconds() + 0.4;
    Result result = search_in(program, "test", options);
    double late = clock_seconds() - options.deadline;
    assert_int_equal(result.stats.end, SEARCH_END_DEADLINE);
    assert_true(late < 2); /* the machine may be busy */
    assert_true(calls >= 1 && calls <= 60);
    program_free(program);
}

/* Something besides the inputs decides what happens when a path is executed again: runs go astray, which is said, and the search still ends. */
static void runs_that_go_astray_are_counted(void **unused)
{
    (void)unused;
    static const char *const text = "#include <fcntl.h>\n#include <unistd.h>\n"
                                    "int test(unsigned x)\n{\n"
                                    "    int n = 0, source = open(\"/dev/urandom\", O_RDONLY);\n"
                                    "    for (int i = 0; i < 6; i++) {\n"
                                    "        unsigned now = 0;\n"
                                    "        if (x >> (31 - i) & 1) n++;\n"
                                    "        if (read(source, &now, sizeof now) < 0) return -1;\n"
                                    "        if ((x ^ now) % 64 == 3) n += 2;\n"
                                    "    }\n"
                                    "    return n;\n}\n";
    Result result = search_text(text, (SearchOptions){.strategy = SEARCH_BFS, .max_runs = 20000});
    assert_int_equal(result.stats.end, SEARCH_END_COMPLETE);
    assert_false(result.complete);
    assert_true(result.stats.divergences > 0);
    assert_true(strstr(result.loss, "8: the program behaved differently") || strstr(result.loss, "10: the program behaved differently"));
}

/* A run has so many instructions from where it begins.  One that begins further up is cut off in a part of the tree where another one went on. */
static void runs_that_are_cut_off_do_not_diverge(void **unused)
{
    (void)unused;
    static const char *const text = "int test(unsigned long x)\n{\n"
                                    "    int n = 0;\n"
                                    "    for (int i = 0; i < 30; i++) {\n"
                                    "        for (volatile int k = 0; k < 10000; k++) {}\n"
                                    "        if (x >> i & 1) n++;\n"
                                    "        if (n == 4) return i;\n"
                                    "    }\n"
                                    "    return n;\n}\n";
    SearchOptions options = {.strategy = SEARCH_RANDOM, .max_runs = 300, .vm.run_limit = 500000};
    Result result = search_text(text, options);
    assert_true(result.stats.bounded > 0);
    assert_int_equal(result.stats.divergences, 0);
    assert_non_null(strstr(result.loss, "6: a run was cut off by a limit before it came to this place"));
}

/* Every path has a sum of its own: expressions of paths that were left are forgotten. */
static void expressions_are_forgotten(void **unused)
{
    (void)unused;
    static const char *const text = "unsigned test(unsigned x, unsigned y)\n{\n"
                                    "    unsigned sum = 0;\n"
                                    "    for (int i = 0; i < 16; i++) {\n"
                                    "        if (x >> i & 1) sum = (sum * 33 ^ y) * (y | 5) + i;\n"
                                    "        sum = (sum + (y >> i)) * 77 ^ y * (sum | 1);\n"
                                    "    }\n"
                                    "    return sum;\n}\n";
    Result result = search_text(text, (SearchOptions){.strategy = SEARCH_DFS});
    assert_int_equal(result.stats.paths, 65536);
    assert_true(result.complete);
    assert_true(result.stats.rewinds >= 1);
}

/* A value that grows in each turn of a loop would take up all memory long before the run has too many instructions. */
static void runs_have_so_many_expressions(void **unused)
{
    (void)unused;
    static const char *const text = "int test(unsigned x)\n{\n"
                                    "    unsigned sum = x;\n"
                                    "    for (unsigned i = 0; i < 100000; i++)\n"
                                    "        sum = (sum ^ i) * 33;\n"
                                    "    return sum == 5;\n}\n";
    Result result = search_text(text, (SearchOptions){.strategy = SEARCH_DFS, .vm.node_limit = 20000});
    assert_int_equal(result.stats.bounded, 1);
    assert_non_null(strstr(result.loss, "4: the values of the run have more than 20000 expressions"));
}

/* What would follow if there were more room is not known; a limit that was asked for is the program's own. */
static void room_that_was_not_asked_for_is_a_loss(void **unused)
{
    (void)unused;
    static const char *const text = "void *malloc(unsigned long);\n"
                                    "int test(int x)\n{\n"
                                    "    return x == 3 && malloc(3ul << 30) ? 1 : 0;\n}\n";
    Result guessed = search_text(text, (SearchOptions){.strategy = SEARCH_DFS});
    assert_false(guessed.complete);
    assert_non_null(strstr(guessed.loss, "4: an allocation beyond 2048 MiB failed"));
    assert_true(search_text(text, (SearchOptions){.strategy = SEARCH_DFS, .vm.memory_limit = 1 << 20}).complete);
}

static void ends_when_the_work_is_spent(void **unused)
{
    (void)unused;
    Result one = search_text(many, (SearchOptions){.work = 3000000}), two = search_text(many, (SearchOptions){.work = 3000000});
    assert_int_equal(one.stats.end, SEARCH_END_WORK);
    assert_true(one.stats.runs > 16 && one.stats.runs < 4096);
    assert_int_equal(one.stats.runs, two.stats.runs);
}

/* The branch that no input reaches is not wanted; half a second's work is left for bugs, and that is not enough for all paths. */
static void ends_when_all_is_covered(void **unused)
{
    (void)unused;
    static const char *const text = "int test(unsigned x)\n{\n    int n = 0;\n"
                                    "    for (int i = 0; i < 32; i++)\n        if (x >> i & 1) n++;\n    return n;\n}\n";
    Result result = search_text(text, (SearchOptions){.until_covered = true});
    assert_int_equal(result.stats.end, SEARCH_END_COVERED);
    assert_int_equal(result.goals_left, 0);
}

/* A run that an internal error ended before is left out, and what lies behind it is reached with other inputs. */
static void runs_that_fail_are_left_out(void **unused)
{
    (void)unused;
    static const uint64_t skipped[] = {2, 5};
    static const char *const text = "int test(int a, int b)\n{\n    if (a > 100) b++;\n    return b > 7 ? 1 : 2;\n}\n";
    Result whole = search_text(text, (SearchOptions){0});
    Result result = search_text(text, (SearchOptions){.skipped = skipped, .skipped_count = COUNT_OF(skipped)});
    assert_true(whole.complete && !result.complete);
    assert_non_null(strstr(result.loss, "that run was left out"));
    assert_int_equal(result.goals_left, 0);
}

int main(void)
{
    const struct CMUnitTest unit_tests[] = {
        cmocka_unit_test(ends_when_nothing_is_left),
        cmocka_unit_test(ends_at_max_runs),
        cmocka_unit_test(asks_nothing_about_an_assumption_that_held),
        cmocka_unit_test(ends_by_patience),
        cmocka_unit_test(stops_at_the_target),
        cmocka_unit_test(stops_at_the_first_bug),
        cmocka_unit_test(cfg_goes_where_something_is_left),
        cmocka_unit_test(ends_at_the_deadline),
        cmocka_unit_test(runs_that_go_astray_are_counted),
        cmocka_unit_test(expressions_are_forgotten),
        cmocka_unit_test(runs_have_so_many_expressions),
        cmocka_unit_test(room_that_was_not_asked_for_is_a_loss),
        cmocka_unit_test(runs_that_are_cut_off_do_not_diverge),
        cmocka_unit_test(ends_when_the_work_is_spent),
        cmocka_unit_test(ends_when_all_is_covered),
        cmocka_unit_test(runs_that_fail_are_left_out),
    };
    return cmocka_run_group_tests(unit_tests, NULL, NULL);
}
