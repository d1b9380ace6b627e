/* replay: processes under limits, and the choice of a small suite. */
#include "replay/replay_int.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- processes ---- */

typedef struct Ended {
    RunResult results[16];
    uint32_t order[16], count;
    Pool *pool;
} Ended;

static void note(void *data, uint32_t index, const Run *run)
{
    Ended *ended = data;
    ended->results[index] = run->result;
    ended->order[ended->count++] = index;
}

static Run *shell(Ended *ended, uint32_t index, const char *script)
{
    Run *run = replay__new_run();
    replay__add_word(run, "sh");
    replay__add_word(run, "-c");
    replay__add_word(run, "%s", script);
    run->data = ended;
    run->index = index;
    run->done = note;
    run->seconds = 10;
    return run;
}

static void ends_are_told(void **state)
{
    (void)state;
    Pool pool = {.jobs = 2};
    Ended ended = {.pool = &pool};
    replay__start(&pool, shell(&ended, 0, "exit 3"));
    replay__start(&pool, shell(&ended, 1, "kill -ABRT $$"));
    Run *late = shell(&ended, 2, "sleep 30 & sleep 30");
    late->seconds = 0.2;
    replay__start(&pool, late);
    Run *nothing = replay__new_run();
    replay__add_word(nothing, "/there/is/no/such/program");
    nothing->data = &ended;
    nothing->index = 3;
    nothing->done = note;
    replay__start(&pool, nothing);
    Run *busy = shell(&ended, 4, "while :; do :; done");
    busy->seconds = 0.3;
    replay__start(&pool, busy);
    Run *large = shell(&ended, 5, "exec tail /dev/zero");
    large->memory = 64 << 20;
    replay__start(&pool, large);
    double started = clock_seconds();
    replay__finish(&pool);
    assert_true(clock_seconds() - started < 8);
    assert_int_equal(ended.count, 6);
    assert_false(pool.out_of_time);
    assert_true(ended.results[0].end == RUN_EXITED && ended.results[0].status == 3);
    assert_true(ended.results[1].end == RUN_SIGNALLED && ended.results[1].status == SIGABRT);
    assert_int_equal(ended.results[2].end, RUN_TIMED_OUT);
    assert_true(ended.results[3].end == RUN_EXITED && ended.results[3].status == 127);
    assert_int_equal(ended.results[4].end, RUN_TIMED_OUT);
    assert_true(ended.results[5].end == RUN_EXITED && ended.results[5].status != 0);
    StrBuf text = {0};
    replay__describe_end(&ended.results[1], &text);
    strbuf_add(&text, ", ");
    replay__describe_end(&ended.results[2], &text);
    assert_string_equal(text.text, "SIGABRT, ran longer than 0.2 s");
    strbuf_release(&text);
}

/* What a test leaves running, even in the background and with its own end long past, ends with it. */
static void nothing_is_left_behind(void **state)
{
    (void)state;
    char root[] = "/tmp/clew-replay-XXXXXX";
    assert_non_null(mkdtemp(root));
    Pool pool = {.jobs = 1};
    Ended ended = {.pool = &pool};
    Run *run = shell(&ended, 0, "touch here; (sleep 0.5; touch ../late) & exit 0");
    run->directory = mem_format("%s/own", root);
    run->own_directory = true;
    replay__start(&pool, run);
    replay__finish(&pool);
    assert_int_equal(ended.results[0].end, RUN_EXITED);
    usleep(700000);
    char *own = mem_format("%s/own", root), *late = mem_format("%s/late", root);
    assert_int_not_equal(access(own, F_OK), 0);
    assert_int_not_equal(access(late, F_OK), 0);
    replay__remove_tree(root);
    assert_int_not_equal(access(root, F_OK), 0);
    free(own);
    free(late);
}

static void the_deadline_holds_for_all(void **state)
{
    (void)state;
    Pool pool = {.jobs = 2, .deadline = clock_seconds() + 0.3};
    Ended ended = {.pool = &pool};
    for (uint32_t i = 0; i < 6; i++) {
        Run *run = shell(&ended, i, "sleep 20");
        run->seconds = 0; /* as for a compiler */
        replay__start(&pool, run);
    }
    replay__finish(&pool);
    assert_true(clock_seconds() - pool.deadline < 0.5);
    assert_true(pool.out_of_time);
    assert_int_equal(ended.count, 6);
    for (uint32_t i = 0; i < 6; i++) assert_int_equal(ended.results[i].end, RUN_NOT_RUN);
}

static void urgent_ones_go_first(void **state)
{
    (void)state;
    Pool pool = {.jobs = 1};
    Ended ended = {.pool = &pool};
    static const uint32_t priorities[] = {5, 1, 3, 1, 0}, expected[] = {4, 1, 3, 2, 0};
    for (uint32_t i = 0; i < COUNT_OF(priorities); i++) {
        Run *run = shell(&ended, i, "exit 0");
        run->priority = priorities[i];
        replay__start(&pool, run);
    }
    replay__finish(&pool);
    for (uint32_t i = 0; i < COUNT_OF(expected); i++) assert_int_equal(ended.order[i], expected[i]);
}

/* ---- a small suite ---- */

enum { OUTCOMES = 8, TESTS = 6 };

static void choose(const char *const texts[TESTS], const char *must, const char *usable, const char *expected)
{
    Numbers numbers = {.count = OUTCOMES};
    OutcomeSet sets[TESTS] = {0}, wanted = {0};
    bool musts[TESTS], usables[TESTS], keep[TESTS];
    for (uint32_t i = 0; i < OUTCOMES; i++) replay__see(&numbers, &wanted, i);
    for (uint32_t i = 0; i < TESTS; i++) {
        for (const char *p = texts[i]; *p; p++) replay__see(&numbers, &sets[i], (uint32_t)(*p - '0'));
        musts[i] = must[i] == '1';
        usables[i] = usable[i] == '1';
    }
    replay__choose(&numbers, &wanted, sets, musts, usables, TESTS, keep);
    for (uint32_t i = 0; i < TESTS; i++) {
        assert_int_equal(keep[i], expected[i] == '1');
        free(sets[i].bits);
    }
    free(wanted.bits);
}

static void a_small_suite_covers_the_same(void **state)
{
    (void)state;
    const char *const plain[TESTS] = {"01", "012", "34", "567", "2", "0"};
    choose(plain, "000000", "111111", "011100");
    /* The largest is chosen first and then made needless by the two that are needed anyhow. */
    const char *const greedy[TESTS] = {"2345", "0123", "4567", "", "", ""};
    choose(greedy, "000000", "111111", "011000");
    const char *const bugs[TESTS] = {"01234567", "0", "1", "", "", ""};
    choose(bugs, "010100", "101000", "110100");
    choose(bugs, "000000", "011111", "011000"); /* what did not pass is no help */
    const char *const both[TESTS] = {"01", "01", "", "", "", ""};
    choose(both, "100000", "010000", "110000"); /* a bug's program is not what a suite relies on */
    const char *const ties[TESTS] = {"01", "01", "23", "23", "", ""};
    choose(ties, "000000", "111111", "101000");
    const char *const empty[TESTS] = {"", "", "", "", "", ""};
    choose(empty, "000001", "111110", "000001");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_are_told),
        cmocka_unit_test(nothing_is_left_behind),
        cmocka_unit_test(the_deadline_holds_for_all),
        cmocka_unit_test(urgent_ones_go_first),
        cmocka_unit_test(a_small_suite_covers_the_same),
    };
    return cmocka_run_group_tests_name("replay: processes", tests, NULL, NULL);
}
