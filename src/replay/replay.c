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

/* Those that were never run come first: the others are known to pass. */
static void list_tests(Session *s)
{
    NameMap known = {0};
    for (unsigned replayed = 0; replayed < 2; replayed++)
        for (uint32_t i = 0; i < s->ledger->tests.len; i++) {
            const LedgerTest *test = &s->ledger->tests.data[i];
            if (!is_in_c(test) || test->replayed != (replayed != 0)) continue;
            uint32_t file = file_of(s, &known, test);
            vec_push(&s->files.data[file].tests, s->tests.len);
            vec_push(&s->tests, ((TestRun){.test = i, .file = file, .alone = file, .is_bug = test->bug || test->record.end == END_BUG}));
        }
    names_release(&known);
    for (uint32_t i = 0; i < s->files.len; i++) {
        TestFile *file = &s->files.data[i];
        file->known = true;
        for (uint32_t k = 0; k < file->tests.len; k++)
            file->known &= s->ledger->tests.data[s->tests.data[file->tests.data[k]].test].replayed;
    }
}

/* Tests that an earlier replay left out, or had no time for: one of them may be needed now. */
static Status bring_back(Ledger *ledger, const Decls *decls, const Units *units, const EmitOptions *emit, Error *error)
{
    bool any = false;
    for (uint32_t i = 0; i < ledger->tests.len; i++) {
        LedgerTest *test = &ledger->tests.data[i];
        if (test->kept || (test->trouble && strcmp(test->trouble, NO_TIME) != 0)) continue;
        test->kept = any = true;
        ledger_touch_test(ledger, test->id);
    }
    return any ? emit_suite(ledger, decls, units, emit, error) : OK;
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

static void release(Session *s)
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
    vec_release(&s->files);
    vec_release(&s->tests);
    if (s->scratch) replay__remove_tree(s->scratch);
    free(s->scratch);
}

Status replay_run(Ledger *ledger, const Decls *decls, const Units *units, const EmitOptions *emit, const ReplayOptions *options,
                  Replay *replay, Error *error)
{
    Session session = {.ledger = ledger, .decls = decls, .units = units, .emit = emit, .options = options, .replay = replay};
    OutcomeSet doubted = {0};
    *replay = (Replay){0};
    session.pool = (Pool){.jobs = options->jobs ? options->jobs : processors(), .deadline = options->deadline, .verbose = options->verbose};
    Status status = options->minimise ? bring_back(ledger, decls, units, emit, error) : OK;
    if (status == OK) status = scratch_new(&session.scratch, error);
    if (status == OK) {
        replay__number(&session.numbers, ledger);
        list_tests(&session);
        replay__join(&session);
        replay__run_tests(&session);
        if (has_coverage(&session)) replay__compare(&session, &doubted);
        replay__enter(&session, &doubted);
        replay->out_of_time = session.pool.out_of_time;
    }
    release(&session);
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
