/* race: who wins, what is let through, and what happens to processes that die or do not end. */
#include "search/race.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define MILLION UINT64_C(1000000)

/* What a process does: notes work, says a word, and comes to its end, if it does. */
typedef struct Part {
    const char *word;
    bool hesitates, hangs, dies, is_done, is_late;
    uint64_t before, work, runs; /* before: noted while the other one may end */
    uint32_t found;
} Part;

typedef struct Play {
    Part parts[2]; /* with summaries, path by path */
    int out;
} Play;

static void act(void *data, Race *race)
{
    const Play *play = data;
    const Part *part = &play->parts[race_by_summaries(race) ? 0 : 1];
    if (part->word) (void)!write(play->out, part->word, strlen(part->word));
    race_note(race, part->before, part->found);
    if (part->dies) raise(SIGKILL);
    while (part->hangs) pause();
    if (part->hesitates) usleep(50000);
    race_end(race,
             &(RaceEnd){.is_done = part->is_done, .is_late = part->is_late, .work = part->work, .runs = part->runs, .found = part->found});
    (void)!write(play->out, race_by_summaries(race) ? " S" : " P", 2);
    _exit(race_by_summaries(race) ? 10 : 11);
}

typedef struct Outcome {
    int status;
    char text[256];
} Outcome;

static Outcome watch(Part summaries, Part paths, RaceOptions options)
{
    int ends[2];
    Outcome outcome = {0};
    assert_int_equal(pipe(ends), 0);
    Play play = {{summaries, paths}, ends[1]};
    options.held = ends[1];
    outcome.status = race_run(&options, act, &play);
    close(ends[1]);
    for (ssize_t n, at = 0; (n = read(ends[0], outcome.text + at, sizeof outcome.text - 1 - (size_t)at)) > 0;) at += n;
    close(ends[0]);
    return outcome;
}

static void expect(Part summaries, Part paths, int status, const char *text)
{
    Outcome outcome = watch(summaries, paths, (RaceOptions){0});
    assert_true(WIFEXITED(outcome.status));
    assert_int_equal(WEXITSTATUS(outcome.status), status);
    assert_string_equal(outcome.text, text);
}

static void the_one_with_less_work_wins(void **unused)
{
    (void)unused;
    Part many = {.word = "many", .is_done = true, .work = 500 * MILLION, .runs = 100000};
    Part few = {.word = "few", .is_done = true, .work = 100 * MILLION, .runs = 30};
    Part large = {.word = "large", .is_done = true, .work = 900 * MILLION, .runs = 30};
    expect(few, many, 10, "few S");
    expect(large, many, 11, "many P");
}

/* It need not wait for the other one's end. */
static void it_is_decided_as_soon_as_it_is_clear(void **unused)
{
    (void)unused;
    Part many = {.word = "many", .is_done = true, .work = 100 * MILLION, .runs = 100000};
    Part large = {.word = "large", .hangs = true, .before = 800 * MILLION};
    Part few = {.word = "few", .is_done = true, .work = 10 * MILLION, .runs = 30};
    Part endless = {.word = "endless", .hangs = true, .before = 400 * MILLION};
    expect(large, many, 11, "many P");
    expect(few, endless, 10, "few S");
}

static void summaries_may_take_more_where_there_are_few_runs(void **unused)
{
    (void)unused;
    Part paths = {.is_done = true, .work = 40 * MILLION, .runs = 900};
    Part summaries = {.is_done = true, .work = 50 * MILLION, .runs = 30};
    Part small = {.is_done = true, .work = 13 * MILLION, .runs = 30};
    Part tiny = {.is_done = true, .work = 1000, .runs = 3};
    expect(summaries, paths, 10, " S");
    summaries.work = 54 * MILLION;
    expect(summaries, paths, 11, " P");
    expect(small, tiny, 10, " S");
}

/* Many runs that take no time to speak of. */
static void summaries_may_take_a_little_more_where_nobody_feels_it(void **unused)
{
    (void)unused;
    Part paths = {.is_done = true, .work = 40 * MILLION, .runs = 5000};
    Part summaries = {.is_done = true, .before = 21 * MILLION, .work = 42 * MILLION, .runs = 30};
    expect(summaries, paths, 10, " S");
    summaries.work = 43 * MILLION;
    expect(summaries, paths, 11, " P");
    paths.work = 100 * MILLION;
    summaries.before = summaries.work = 101 * MILLION;
    expect(summaries, paths, 11, " P");
    paths.work = 10 * MILLION;
    summaries.before = summaries.work = 10 * MILLION + 1;
    expect(summaries, paths, 11, " P");
}

static void what_is_done_is_better_than_what_is_not(void **unused)
{
    (void)unused;
    Part open = {.work = 100 * MILLION, .runs = 10, .found = 9};
    Part done = {.is_done = true, .work = 800 * MILLION, .runs = 5000, .found = 8};
    expect(open, done, 11, " P");
    done.work = 110 * MILLION;
    expect(done, open, 10, " S");
}

/* Where path by path leaves something open, summaries that have found no more are not waited for. */
static void what_finds_no_more_is_not_waited_for(void **unused)
{
    (void)unused;
    Part open = {.work = 900 * MILLION, .runs = 10, .found = 9};
    Part summaries = {.hangs = true, .before = 920 * MILLION, .found = 9};
    Part more = {.is_done = true, .hesitates = true, .before = 920 * MILLION, .work = 1000 * MILLION, .found = 10};
    expect(summaries, open, 11, " P");
    expect(more, open, 10, " S");
    expect(open, more, 11, " P");
    more.found = open.found;
    expect(open, more, 11, " P");
}

static void of_two_that_are_not_done_the_one_wins_that_found_more(void **unused)
{
    (void)unused;
    Part one = {.word = "one", .work = MILLION, .found = 9}, other = {.word = "other", .work = MILLION, .found = 8};
    expect(one, other, 10, "one S");
    expect(other, one, 11, "one P");
    one.is_late = other.is_late = true;
    Outcome outcome = watch(other, one, (RaceOptions){.both = true});
    assert_string_equal(outcome.text, "otherone P");
}

static void one_that_dies_does_not_win(void **unused)
{
    (void)unused;
    Part done = {.word = "done", .is_done = true, .work = 50 * MILLION, .runs = 5000};
    expect((Part){.word = "dead", .dies = true}, done, 11, "done P");
    expect(done, (Part){.word = "dead", .dies = true}, 10, "done S");
    Outcome outcome = watch((Part){.word = "one", .dies = true}, (Part){.word = "more", .dies = true, .found = 1}, (RaceOptions){0});
    assert_true(WIFSIGNALED(outcome.status));
    assert_string_equal(outcome.text, "more");
}

/* Both take about the same: time does not matter if it has to be the same every time. */
static void it_may_have_to_be_the_same_every_time(void **unused)
{
    (void)unused;
    Part paths = {.is_done = true, .before = 60 * MILLION, .work = 100 * MILLION, .runs = 5000};
    Part summaries = {.is_done = true, .before = 60 * MILLION, .work = 99 * MILLION, .runs = 5000};
    for (unsigned i = 0; i < 20; i++) {
        Outcome outcome = watch(summaries, paths, (RaceOptions){.strict = true});
        assert_string_equal(outcome.text, " S");
    }
    summaries.work = 101 * MILLION;
    for (unsigned i = 0; i < 20; i++) {
        Outcome outcome = watch(summaries, paths, (RaceOptions){.strict = true});
        assert_string_equal(outcome.text, " P");
    }
}

/* … nor does it where something was left open. */
static void what_is_open_is_the_same_every_time(void **unused)
{
    (void)unused;
    Part paths = {.work = 100 * MILLION, .runs = 5000, .found = 9};
    Part summaries = {.before = 60 * MILLION, .work = 114 * MILLION, .runs = 30, .found = 10};
    for (unsigned i = 0; i < 40; i++) {
        summaries.hesitates = i % 4 == 0;
        paths.hesitates = i % 4 == 1;
        summaries.work = (i % 8 < 4 ? 114 : 116) * MILLION;
        Outcome outcome = watch(summaries, paths, (RaceOptions){.strict = true});
        assert_string_equal(outcome.text, i % 8 < 4 ? " S" : " P");
    }
}

static void a_limit_of_time_ends_it(void **unused)
{
    (void)unused;
    Part one = {.word = "one", .hangs = true}, more = {.word = "more", .hangs = true, .found = 1};
    Outcome outcome = watch(one, more, (RaceOptions){.limit = clock_seconds() + 0.2});
    assert_true(WIFSIGNALED(outcome.status));
    assert_string_equal(outcome.text, "more");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_one_with_less_work_wins),
        cmocka_unit_test(it_is_decided_as_soon_as_it_is_clear),
        cmocka_unit_test(summaries_may_take_more_where_there_are_few_runs),
        cmocka_unit_test(summaries_may_take_a_little_more_where_nobody_feels_it),
        cmocka_unit_test(what_is_done_is_better_than_what_is_not),
        cmocka_unit_test(what_finds_no_more_is_not_waited_for),
        cmocka_unit_test(of_two_that_are_not_done_the_one_wins_that_found_more),
        cmocka_unit_test(one_that_dies_does_not_win),
        cmocka_unit_test(it_may_have_to_be_the_same_every_time),
        cmocka_unit_test(what_is_open_is_the_same_every_time),
        cmocka_unit_test(a_limit_of_time_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
