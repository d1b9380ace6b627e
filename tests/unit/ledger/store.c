/* ledger: what was committed is there after the process ended, however it ended, and nothing else; folders that are not Clew's are refused. */
#include "base/base.h"

#include <setjmp.h>

#include <cmocka.h>

#include "sample.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static char *json_of(const Ledger *ledger)
{
    StrBuf out = {0};
    ledger_json(ledger, &out);
    return out.text;
}

static Ledger *open_ledger(const char *directory, uint64_t fingerprint, bool resume)
{
    Ledger *ledger = NULL;
    Error error = {""};
    if (ledger_open(&ledger, directory, "valves.c", &(LedgerIdentity){.sources = fingerprint}, resume, &error) != OK)
        fail_msg("%s", error.text);
    return ledger;
}

static void must_fail(const char *directory, uint64_t fingerprint, bool resume, const char *message)
{
    Ledger *ledger;
    Error error = {""};
    assert_int_equal(ledger_open(&ledger, directory, "valves.c", &(LedgerIdentity){.sources = fingerprint}, resume, &error), FAILED);
    assert_null(ledger);
    if (!strstr(error.text, message)) fail_msg("'%s' does not say '%s'", error.text, message);
}

static void commit(Ledger *ledger)
{
    Error error = {""};
    if (ledger_commit(ledger, &error) != OK) fail_msg("%s", error.text);
}

static void a_fresh_campaign_knows_the_one_before(void **state)
{
    (void)state;
    char *directory = sample_directory();
    Ledger *ledger = open_ledger(directory, 5, false);
    assert_null(ledger->past);
    sample_fill(ledger);
    ledger->ended = true;
    ledger_set_stat(ledger, "runs", 12);
    ledger->units.data[0].hash = UINT64_MAX;
    ledger_touch_unit(ledger, 0);
    commit(ledger);
    uint32_t tests = ledger->tests.len, branches = ledger->branches.len;
    ledger_free(ledger);

    ledger = open_ledger(directory, 6, false);
    assert_int_equal(ledger->tests.len, 0);
    assert_non_null(ledger->past);
    assert_true(ledger->past->ended);
    assert_int_equal(ledger->past->identity.sources, 5);
    assert_int_equal(ledger->past->tests.len, tests);
    assert_int_equal(ledger->past->branches.len, branches);
    assert_int_equal(ledger->past->units.data[0].hash, UINT64_MAX);
    ledger_free(ledger);

    ledger = open_ledger(directory, 6, true);
    assert_null(ledger->past);
    assert_false(ledger->ended);
    ledger_free(ledger);
    sample_remove(directory);
}

static void what_is_committed_reads_back(void **state)
{
    (void)state;
    char *directory = sample_directory();
    Error error;
    Ledger *ledger = open_ledger(directory, UINT64_MAX - 5, false), *again;
    sample_fill(ledger);
    ledger->complete = true;
    commit(ledger);
    char *before = json_of(ledger);
    ledger_add_loss(ledger, "flow", NULL, 0, "never committed");
    ledger_free(ledger);

    assert_int_equal(ledger_read(&again, directory, &error), OK);
    char *after = json_of(again);
    assert_string_equal(before, after);
    assert_int_equal(vec_at(&again->tests, 0).record.inputs.len, 1);
    assert_int_equal(vec_at(&again->branches, 2).counted, false);
    assert_int_equal(vec_at(&again->branches, 1).ordinal, 0);
    assert_true(ledger_summary(again, "skip")->hash == UINT64_MAX - 1);
    assert_string_equal(ledger_summary(again, "skip")->text, "x > 0: returns 1\n");
    assert_int_equal(ledger_summary(again, "skip")->bytes.len, 3);
    assert_memory_equal(ledger_summary(again, "skip")->bytes.text, "a\0b", 3);
    assert_int_equal(vec_at(&again->branches, 1).which, 1);
    assert_true(again->complete);
    assert_int_equal(ledger_commit(again, &error), OK);
    ledger_free(again);

    ledger = open_ledger(directory, UINT64_MAX - 5, true);
    ledger_add_loss(ledger, "flow", "src/valves.c", 44, "memcpy was called with concrete arguments");
    assert_int_equal(ledger->losses.len, 1);
    ledger_set_stat(ledger, "runs", 13);
    assert_int_equal(ledger->stats.len, 4);
    assert_non_null(ledger_unit(ledger, "odd"));
    ledger_free(ledger);
    free(before);
    free(after);
    sample_remove(directory);
}

/* What a test was seen to cover stays known; losses of a unit that is searched again do not. */
static void confirmed_tests_and_losses_read_back(void **state)
{
    (void)state;
    char *directory = sample_directory();
    Ledger *ledger = open_ledger(directory, 5, false);
    sample_fill(ledger);
    ledger_add_loss(ledger, "other", NULL, 0, "a loss of another unit");
    commit(ledger);
    LedgerTest *test = &vec_at(&ledger->tests, 0);
    test->refined = true;
    vec_push(&test->covers, 0u);
    vec_push(&test->covers, 2u);
    ledger_touch_test(ledger, test->id);
    ledger_drop_losses(ledger, "flow");
    commit(ledger);
    ledger_free(ledger);

    ledger = open_ledger(directory, 5, true);
    test = &vec_at(&ledger->tests, 0);
    assert_true(test->refined);
    assert_int_equal(test->covers.len, 2);
    assert_int_equal(vec_at(&test->covers, 1), 2);
    assert_int_equal(ledger->losses.len, 1);
    assert_string_equal(vec_at(&ledger->losses, 0).unit, "other");
    ledger_free(ledger);
    sample_remove(directory);
}

static void touched_entries_are_written_and_others_are_not(void **state)
{
    (void)state;
    char *directory = sample_directory();
    Error error;
    Ledger *ledger = open_ledger(directory, 1, false);
    sample_fill(ledger);
    commit(ledger);
    vec_at(&ledger->branches, 1).status = LEDGER_COVERED;
    vec_at(&ledger->branches, 3).status = LEDGER_COVERED;
    ledger_touch_branch(ledger, 3);
    vec_at(&ledger->tests, 1).kept = false;
    ledger_touch_test(ledger, 2);
    ledger_touch_test(ledger, 2);
    ledger_set_text(&vec_at(&ledger->bugs, 0).evidence, NULL);
    ledger_touch_bug(ledger, 0);
    vec_at(&ledger->units, 1).runs = 9;
    ledger_touch_unit(ledger, 1);
    commit(ledger);
    ledger_free(ledger);
    assert_int_equal(ledger_read(&ledger, directory, &error), OK);
    assert_int_equal(vec_at(&ledger->branches, 1).status, LEDGER_OPEN);
    assert_int_equal(vec_at(&ledger->branches, 3).status, LEDGER_COVERED);
    assert_false(vec_at(&ledger->tests, 1).kept);
    assert_null(vec_at(&ledger->bugs, 0).evidence);
    assert_int_equal(vec_at(&ledger->units, 1).runs, 9);
    assert_string_equal(vec_at(&vec_at(&ledger->units, 0).assumptions, 2), "p\nq");
    ledger_free(ledger);
    sample_remove(directory);
}

static void a_new_campaign_replaces_the_old_one(void **state)
{
    (void)state;
    char *directory = sample_directory();
    Error error;
    Ledger *ledger = open_ledger(directory, 1, false);
    sample_fill(ledger);
    commit(ledger);
    assert_int_equal(ledger_write_json(ledger, &error), OK);
    ledger_free(ledger);
    char *tests = mem_format("%s/tests", directory), *json = mem_format("%s/ledger.json", directory);
    mkdir(tests, 0777);
    sample_touch_file(directory, ".gitignore", "*\n");
    must_fail(directory, 2, true, "without --resume");
    assert_int_equal(access(json, F_OK), 0);
    ledger = open_ledger(directory, 2, false);
    assert_int_equal(ledger->branches.len + ledger->tests.len + ledger->stats.len, 0);
    assert_int_not_equal(access(json, F_OK), 0);
    assert_int_equal(access(tests, F_OK), 0);
    ledger_free(ledger);
    ledger = open_ledger(directory, 2, true);
    assert_int_equal(ledger->branches.len, 0);
    ledger_free(ledger);
    free(tests);
    free(json);
    sample_remove(directory);
}

/* ---- summaries ---- */

static uint64_t present_hash(void *data, const char *function)
{
    (void)data;
    return strcmp(function, "skip") == 0 || strcmp(function, "later") == 0 ? 5 : strcmp(function, "edited") == 0 ? 6 : 0;
}

static LedgerSummary *tell(Ledger *ledger, const char *function, uint64_t paths, uint64_t kept, const char *bytes)
{
    return ledger_add_summary(ledger, &(LedgerSummary){.function = (char *)(uintptr_t)function,
                                                       .hash = 5,
                                                       .paths = paths,
                                                       .kept = kept,
                                                       .explored = 1,
                                                       .text = (char *)(uintptr_t)bytes,
                                                       .bytes = {.text = (char *)(uintptr_t)bytes, .len = strlen(bytes)}});
}

static void summaries_of_units_are_one(void **state)
{
    (void)state;
    char *directory = sample_directory();
    Ledger *ledger = open_ledger(directory, 1, false);
    tell(ledger, "skip", 2, 0, "two");
    tell(ledger, "skip", 5, 2, "five");
    LedgerSummary *skip = tell(ledger, "skip", 3, 3, "three");
    assert_int_equal(ledger->summaries.len, 1);
    assert_int_equal(skip->paths, 5);
    assert_int_equal(skip->kept, 0); /* by an earlier unit, not an earlier campaign */
    assert_int_equal(skip->explored, 3);
    assert_string_equal(skip->text, "five");
    skip =
        ledger_add_summary(ledger, &(LedgerSummary){.function = "skip", .hash = 5, .paths = 9, .text = "nine", .why = "w", .inlined = 1});
    assert_string_equal(skip->text, "nine");
    assert_string_equal(skip->bytes.text, "five");
    assert_string_equal(skip->why, "w");
    assert_null(ledger_summary(ledger, "walk"));
    ledger_free(ledger);
    sample_remove(directory);
}

static void summaries_of_unchanged_functions_are_kept(void **state)
{
    (void)state;
    char *directory = sample_directory();
    Ledger *ledger = open_ledger(directory, 1, false);
    tell(ledger, "edited", 2, 0, "two");
    tell(ledger, "removed", 2, 0, "two");
    tell(ledger, "skip", 3, 0, "three");
    tell(ledger, "later", 4, 0, "four");
    commit(ledger);
    ledger_free(ledger);

    ledger = open_ledger(directory, 2, false);
    assert_int_equal(ledger->summaries.len, 0);
    ledger_keep_summaries(ledger, present_hash, NULL);
    assert_int_equal(ledger->summaries.len, 2);
    LedgerSummary *skip = ledger_summary(ledger, "skip");
    assert_false(ledger_summary_used(skip));
    assert_string_equal(skip->bytes.text, "three");
    skip = tell(ledger, "skip", 3, 3, "again");
    assert_int_equal(skip->kept, 3);
    assert_string_equal(skip->text, "three");
    assert_true(ledger_summary_used(skip));
    commit(ledger);
    ledger_free(ledger);

    ledger = open_ledger(directory, 2, true); /* and nothing is lost of what no unit called */
    assert_int_equal(ledger->summaries.len, 2);
    assert_string_equal(ledger_summary(ledger, "later")->bytes.text, "four");
    ledger_summary(ledger, "later")->hash = 9;
    ledger_keep_summaries(ledger, present_hash, NULL);
    assert_int_equal(ledger_summary(ledger, "later")->bytes.len, 0);
    assert_int_equal(ledger_summary(ledger, "skip")->paths, 3);
    ledger_free(ledger);
    sample_remove(directory);
}

static void resuming_nothing_begins_anew(void **state)
{
    (void)state;
    char *directory = sample_directory(), *below = mem_format("%s/a//b/", directory);
    Error error;
    Ledger *ledger;
    assert_int_equal(ledger_read(&ledger, directory, &error), FAILED);
    assert_non_null(strstr(error.text, "no campaign"));
    ledger = open_ledger(below, 1, true);
    ledger_free(ledger);
    free(below);
    sample_touch_file(directory, "ledger.db", "");
    char *nested = mem_format("%s/a", directory);
    sample_remove(mem_format("%s/a/b", directory));
    rmdir(nested);
    free(nested);
    assert_int_equal(ledger_read(&ledger, directory, &error), FAILED);
    assert_non_null(strstr(error.text, "before it had begun"));
    ledger_free(open_ledger(directory, 1, true));
    sample_remove(directory);
}

static void folders_of_others_are_refused(void **state)
{
    (void)state;
    char *directory = sample_directory(), *file = mem_format("%s/notes.txt", directory);
    sample_touch_file(directory, "notes.txt", "mine");
    must_fail(directory, 1, false, "'notes.txt'");
    must_fail(directory, 1, true, "--out");
    must_fail(file, 1, false, "--out");
    must_fail("", 1, false, "--out");
    must_fail("/proc/clew-cannot-be-made", 1, false, "cannot make");
    unlink(file);
    char *tests = mem_format("%s/tests", directory);
    mkdir(tests, 0777);
    must_fail(directory, 1, false, "'tests'");
    rmdir(tests);
    sample_touch_file(directory, "ledger.db", "this is the ledger of a grocer, and long enough to be looked at as a database file\n");
    must_fail(directory, 1, false, "not Clew's");
    must_fail(directory, 1, true, "not Clew's");
    free(tests);
    free(file);
    sample_remove(directory);
}

static void a_second_writer_is_told(void **state)
{
    (void)state;
    char *directory = sample_directory();
    Ledger *ledger = open_ledger(directory, 1, false);
    sample_fill(ledger);
    commit(ledger);
    pid_t child = fork();
    if (child == 0) {
        Ledger *other;
        Error error = {""};
        ledger_free(ledger); /* a child's copy: the parent's database is left alone */
        bool told = ledger_open(&other, directory, "valves.c", &(LedgerIdentity){.sources = 1}, false, &error) == FAILED &&
                    strstr(error.text, "another Clew");
        told = told && ledger_read(&other, directory, &error) == FAILED && strstr(error.text, "another Clew");
        _exit(told ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    ledger_set_stat(ledger, "runs", 99);
    commit(ledger);
    ledger_free(ledger);
    ledger = open_ledger(directory, 1, true);
    assert_true(ledger_stat(ledger, "runs") == 99);
    ledger_free(ledger);
    sample_remove(directory);
}

static void a_full_disk_is_an_error_and_can_be_retried(void **state)
{
    (void)state;
    char *directory = sample_directory();
    Error error = {""};
    Ledger *ledger = open_ledger(directory, 1, false);
    struct rlimit before, small;
    char *large = mem_alloc(400001);
    memset(large, 'x', 400000);
    sample_fill(ledger);
    commit(ledger);
    ledger_add_loss(ledger, "flow", large, 1, "long");
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small = (struct rlimit){100000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    assert_int_equal(ledger_commit(ledger, &error), FAILED);
    assert_non_null(strstr(error.text, "cannot write"));
    assert_int_equal(ledger_write_json(ledger, &error), FAILED);
    assert_non_null(strstr(error.text, "cannot write"));
    setrlimit(RLIMIT_FSIZE, &before);
    commit(ledger);
    ledger_free(ledger);
    ledger = open_ledger(directory, 1, true);
    assert_int_equal(ledger->losses.len, 2);
    ledger_free(ledger);
    free(large);
    sample_remove(directory);
}

/* ---- kill -9 ---- */

enum { KILLS = 50, BATCH = 7 };

/* Each commit brings BATCH branches, a test whose record names its number, and the count so far, told through the pipe once it is done. */
static void write_for_ever(const char *directory, int tell)
{
    Ledger *ledger;
    Error error;
    if (ledger_open(&ledger, directory, "valves.c", &(LedgerIdentity){.sources = 7}, true, &error) != OK) _exit(3);
    for (;;) {
        uint32_t done = ledger->tests.len + 1;
        char content[3000];
        memset(content, 'a' + (int)(done % 26), sizeof content);
        Record record = {.unit = mem_strdup("flow"), .end = END_EXIT, .status = (int)done};
        strbuf_add_bytes(&record.output, content, sizeof content);
        for (uint32_t i = 0; i < BATCH; i++) sample_branch(ledger, ledger->branches.len, "true", true);
        ledger_add_test(ledger, "flow", &record);
        record_release(&record);
        vec_at(&ledger->branches, 0).test = done;
        ledger_touch_branch(ledger, 0);
        ledger_set_stat(ledger, "runs", done);
        if (ledger_commit(ledger, &error) != OK) _exit(4);
        if (write(tell, &done, sizeof done) != sizeof done) _exit(5);
    }
}

static void check_after_kill(const char *directory, uint32_t told)
{
    Ledger *ledger;
    Error error = {""};
    if (ledger_open(&ledger, directory, "valves.c", &(LedgerIdentity){.sources = 7}, true, &error) != OK) fail_msg("%s", error.text);
    uint32_t done = ledger->tests.len;
    if (done < told || done > told + 1) fail_msg("%u commits were told, %u are there", told, done);
    assert_int_equal(ledger->branches.len, done * BATCH);
    assert_true(ledger_stat(ledger, "runs") == done);
    if (done) assert_int_equal(vec_at(&ledger->branches, 0).test, done);
    for (uint32_t i = 0; i < done; i++) {
        const Record *record = &vec_at(&ledger->tests, i).record;
        assert_int_equal(record->status, i + 1);
        assert_int_equal(record->output.len, 3000);
        assert_int_equal(record->output.text[2999], 'a' + (int)((i + 1) % 26));
    }
    ledger_free(ledger);
}

static void killing_the_writer_loses_only_what_was_not_committed(void **state)
{
    (void)state;
    char *directory = sample_directory();
    Random random;
    uint32_t told = 0;
    random_seed(&random, 9);
    for (int turn = 0; turn < KILLS; turn++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        if (child == 0) {
            close(ends[0]);
            write_for_ever(directory, ends[1]);
        }
        close(ends[1]);
        uint32_t done; /* every other child has committed once at least, however slow the machine is */
        if (turn % 2) {
            assert_int_equal(read(ends[0], &done, sizeof done), sizeof done);
            told = done;
        }
        usleep((useconds_t)random_below(&random, 25000));
        kill(child, SIGKILL);
        int status;
        waitpid(child, &status, 0);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        while (read(ends[0], &done, sizeof done) == sizeof done) told = done;
        close(ends[0]);
        check_after_kill(directory, told);
        /* What was committed and not told counts from now on. */
        Ledger *ledger = open_ledger(directory, 7, true);
        told = ledger->tests.len;
        ledger_free(ledger);
    }
    assert_true(told >= KILLS / 2);
    sample_remove(directory);
}

/* ---- damage ---- */

static void a_damaged_database_is_an_error_or_reads(void **state)
{
    (void)state;
    char *directory = sample_directory(), *path = mem_format("%s/ledger.db", directory);
    Ledger *ledger = open_ledger(directory, 1, false);
    Random random;
    sample_fill(ledger);
    commit(ledger);
    ledger_free(ledger);
    FILE *file = fopen(path, "rb");
    static char content[1 << 20];
    size_t size = fread(content, 1, sizeof content, file);
    fclose(file);
    random_seed(&random, 3);
    unsigned failed = 0;
    for (int turn = 0; turn < 300; turn++) {
        size_t at = (size_t)random_below(&random, size);
        size_t n = turn % 3 ? size : at;
        char old = content[at];
        content[at] ^= (char)(1u << random_below(&random, 8));
        file = fopen(path, "wb");
        fwrite(content, 1, n, file);
        fclose(file);
        content[at] = old;
        Error error = {""};
        if (ledger_read(&ledger, directory, &error) == OK) {
            free(json_of(ledger));
            ledger_free(ledger);
        } else {
            failed++;
            assert_true(error.text[0]);
        }
    }
    assert_true(failed > 50);
    free(path);
    sample_remove(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_committed_reads_back),
        cmocka_unit_test(a_fresh_campaign_knows_the_one_before),
        cmocka_unit_test(confirmed_tests_and_losses_read_back),
        cmocka_unit_test(touched_entries_are_written_and_others_are_not),
        cmocka_unit_test(a_new_campaign_replaces_the_old_one),
        cmocka_unit_test(summaries_of_units_are_one),
        cmocka_unit_test(summaries_of_unchanged_functions_are_kept),
        cmocka_unit_test(resuming_nothing_begins_anew),
        cmocka_unit_test(folders_of_others_are_refused),
        cmocka_unit_test(a_second_writer_is_told),
        cmocka_unit_test(a_full_disk_is_an_error_and_can_be_retried),
        cmocka_unit_test(killing_the_writer_loses_only_what_was_not_committed),
        cmocka_unit_test(a_damaged_database_is_an_error_or_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
