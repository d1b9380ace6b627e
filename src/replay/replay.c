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

static void list_tests(Session *s)
{
    NameMap known = {0};
    for (uint32_t i = 0; i < s->ledger->tests.len; i++) {
        const LedgerTest *test = &s->ledger->tests.data[i];
        if (!test->path) continue;
        uint32_t file = file_of(s, &known, test);
        vec_push(&s->files.data[file].tests, s->tests.len);
        s->files.data[file].left++;
        vec_push(&s->tests, ((TestRun){.test = i, .file = file, .is_bug = test->bug || test->record.end == END_BUG}));
    }
    names_release(&known);
}

static Status make_scratch(Session *s, Error *error)
{
    const char *base = getenv("TMPDIR");
    s->scratch = mem_format("%s/clew-XXXXXX", base && base[0] == '/' ? base : "/tmp");
    if (mkdtemp(s->scratch)) return OK;
    Status status = fail(error, "cannot make a temporary directory %s: %s", s->scratch, strerror(errno));
    free(s->scratch);
    s->scratch = NULL;
    return status;
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
    Status status = make_scratch(&session, error);
    if (status == OK) {
        replay__number(&session.numbers, ledger);
        list_tests(&session);
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
