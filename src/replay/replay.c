/* replay: lists what there is to run, has it built and run (tests.c), compares with gcov (gcov.c), and enters the results (enter.c). */
#include "replay/replay_int.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static uint32_t file_of(Session *s, NameMap *known, const LedgerTest *test)
{
    const uint32_t *number = names_find(known, test->path);
    if (number) return *number;
    char *path = mem_format("%s/%s", s->ledger->directory, test->path), *full = realpath(path, NULL);
    TestFile file = {.path = full ? full : path, .unit = test->unit};
    if (full) free(path);
    for (size_t i = 0; i < BUILD_KINDS; i++) file.binaries[i] = UINT32_MAX;
    names_put(known, test->path, s->files.len);
    vec_push(&s->files, file);
    return s->files.len - 1;
}

/* Other formats are not run. */
static bool is_in_c(const LedgerTest *test)
{
    size_t n = test->path ? strlen(test->path) : 0;
    return n > 2 && strncmp(test->path, "tests/", 6) == 0 && strcmp(test->path + n - 2, ".c") == 0;
}

static void list_tests(Session *s)
{
    NameMap known = {0};
    for (uint32_t i = 0; i < s->ledger->tests.len; i++) {
        const LedgerTest *test = &s->ledger->tests.data[i];
        if (!is_in_c(test)) continue;
        uint32_t file = file_of(s, &known, test);
        vec_push(&s->tests, ((TestRun){.test = i, .file = file, .alone = file, .is_bug = test->bug || test->record.end == END_BUG}));
    }
    names_release(&known);
}

static uint32_t processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (uint32_t)n : 1;
}

static bool has_coverage(const Session *s)
{
    for (uint32_t i = 0; i < s->tests.len; i++)
        if (s->tests.data[i].covering) return true;
    return false;
}

void replay__open(Session *s, const ReplayOptions *options)
{
    s->options = options;
    s->pool = (Pool){.jobs = options->jobs ? options->jobs : processors(), .deadline = options->deadline, .verbose = options->verbose};
    replay__number(&s->numbers, s->ledger);
}

void replay__close(Session *s)
{
    replay__release_builds(s);
    replay__release_numbers(&s->numbers);
    for (uint32_t i = 0; i < s->files.len; i++) {
        TestFile *file = &s->files.data[i];
        if (file->has_build) emit_build_release(&file->build);
        vec_release(&file->tests);
        free(file->path);
    }
    for (uint32_t i = 0; i < s->tests.len; i++) {
        free(s->tests.data[i].trouble);
        free(s->tests.data[i].seen.bits);
    }
    for (uint32_t i = 0; i < s->chunks.len; i++) vec_release(&s->chunks.data[i].tests);
    vec_release(&s->chunks);
    vec_release(&s->files);
    vec_release(&s->tests);
    if (s->scratch) replay__remove_tree(s->scratch);
    free(s->scratch);
}

/* What an earlier replay found is of no interest. */
static void forget_bugs(Ledger *ledger)
{
    for (uint32_t i = 0; i < ledger->bugs.len; i++) {
        ledger->bugs.data[i].confirmed = false;
        ledger_set_text(&ledger->bugs.data[i].evidence, "there is no test that was run");
    }
}

void replay__account(const Session *s, uint32_t index, Replay *replay)
{
    const TestRun *test = &vec_at(&s->tests, index);
    bool was_run = test->counted.end != RUN_WAITING && test->counted.end != RUN_NOT_RUN;
    if (test->is_bug) return;
    replay->tests++;
    replay->passed += test->passed;
    replay->failed += was_run && !test->passed;
    replay->not_run += !was_run;
}

static void enter_all(Session *s, const OutcomeSet *doubted)
{
    forget_bugs(s->ledger);
    for (uint32_t i = 0; i < s->tests.len; i++) {
        replay__enter_test(s, i);
        replay__account(s, i, s->replay);
    }
    replay__enter_doubts(s, doubted);
    replay_enter_branches(s->ledger, s->replay);
    s->replay->bugs = s->ledger->bugs.len;
    for (uint32_t i = 0; i < s->ledger->bugs.len; i++) s->replay->confirmed += s->ledger->bugs.data[i].confirmed;
}

Status replay_run(Ledger *ledger, const Decls *decls, const Units *units, const EmitOptions *emit, const ReplayOptions *options,
                  Replay *replay, Error *error)
{
    Session session = {.ledger = ledger, .decls = decls, .units = units, .emit = emit, .replay = replay};
    OutcomeSet doubted = {0};
    *replay = (Replay){0};
    replay__open(&session, options);
    Status status = scratch_new(&session.scratch, error);
    if (status == OK) {
        Vec(uint32_t) all = {0};
        list_tests(&session);
        for (uint32_t i = 0; i < session.tests.len; i++) vec_push(&all, i);
        replay__join(&session, all.data, all.len, false);
        vec_release(&all);
        for (uint32_t i = 0; i < session.tests.len; i++) /* what could not be joined */
            if (session.tests.data[i].file == session.tests.data[i].alone)
                vec_push(&session.files.data[session.tests.data[i].file].tests, i);
        replay__run_tests(&session);
        if (has_coverage(&session)) replay__compare(&session, &doubted);
        enter_all(&session, &doubted);
        replay->out_of_time = session.pool.out_of_time;
    }
    replay__close(&session);
    free(doubted.bits);
    return status;
}

/* What it was seen to take before. */
static void recall(Session *s, TestRun *test)
{
    const LedgerTest *entry = &s->ledger->tests.data[test->test];
    test->passed = entry->replayed;
    for (uint32_t i = 0; i < entry->covers.len; i++)
        replay__see(&s->numbers, &test->seen, s->numbers.of_branch.data[entry->covers.data[i]]);
}

Status replay_check(Ledger *ledger, const Decls *decls, const Units *units, const EmitOptions *emit, const ReplayOptions *options,
                    Replay *replay, Error *error)
{
    Session session = {.ledger = ledger, .decls = decls, .units = units, .emit = emit, .replay = replay};
    OutcomeSet doubted = {0};
    replay__open(&session, options);
    Status status = scratch_new(&session.scratch, error);
    if (status == OK) {
        list_tests(&session);
        for (uint32_t i = 0; i < session.tests.len; i++) {
            TestRun *test = &session.tests.data[i];
            if (test->is_bug) continue;
            recall(&session, test);
            vec_push(&session.files.data[test->file].tests, i);
        }
        replay__cover(&session);
        if (has_coverage(&session)) replay__compare(&session, &doubted);
        for (uint32_t i = 0; i < session.tests.len; i++)
            if (session.tests.data[i].trouble) replay__enter_test(&session, i);
        replay__enter_doubts(&session, &doubted);
        replay->out_of_time |= session.pool.out_of_time;
    }
    replay__close(&session);
    free(doubted.bits);
    return status;
}

void replay_release(Replay *replay)
{
    for (uint32_t i = 0; i < replay->differences.len; i++) {
        free(replay->differences.data[i].file);
        free(replay->differences.data[i].text);
    }
    vec_release(&replay->differences);
}
