/* Running the tests.  Each runs alone (`PROGRAM NAME`), so that what it does depends on no other, in every build that it needs:
 *
 *   counted    all of them; what the counters saw is kept, also of a run that was cut off
 *   sanitized, memory   those that show a bug
 *   coverage   those that passed and end by returning or exiting, when all others have ended: if time runs out, only the comparison suffers
 *
 * A test that passes as clang compiled it and fails as gcc compiled it depends on what the language leaves open: it does not pass.  What it has
 * added to gcov's data cannot be taken out again, so the others are then run once more from the beginning. */
#include "replay/replay_int.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROUNDS = 3, MESSAGE_BYTES = 65536, LINE_BYTES = 300 };
static const double usual_seconds = 10;
static const uint64_t usual_memory = (uint64_t)2 << 30;

static const char asan_options[] = "ASAN_OPTIONS=detect_leaks=0:abort_on_error=0:allocator_may_return_null=1:"
                                   "detect_stack_use_after_return=1:symbolize=0:exitcode=77";
static const char ubsan_options[] = "UBSAN_OPTIONS=print_stacktrace=0:halt_on_error=0:symbolize=0";
static const char msan_options[] = "MSAN_OPTIONS=halt_on_error=1:symbolize=0:exitcode=77";

static const LedgerTest *ledger_test(const Session *s, uint32_t test)
{
    return &vec_at(&s->ledger->tests, vec_at(&s->tests, test).test);
}

const char *replay__bug_kind(const Session *s, uint32_t test)
{
    const LedgerTest *entry = ledger_test(s, test);
    if (entry->bug) return vec_at(&s->ledger->bugs, entry->bug - 1).kind;
    return entry->record.bug ? entry->record.bug : "";
}

char *replay__errors_path(const Session *s, uint32_t test, BuildKind kind)
{
    return mem_format("%s/test%u.%u.errors", s->scratch, test, (unsigned)kind);
}

static char *counts_path(const Session *s, uint32_t test)
{
    return mem_format("%s/test%u.counts", s->scratch, test);
}

static Run *new_test_run(Session *s, uint32_t test, BuildKind kind)
{
    const TestFile *file = &vec_at(&s->files, vec_at(&s->tests, test).file);
    const Binary *binary = &vec_at(&s->binaries, file->binaries[kind]);
    const LedgerTest *entry = ledger_test(s, test);
    Run *run = replay__new_run();
    double seconds = s->options->test_seconds ? s->options->test_seconds : usual_seconds;
    run->seconds = replay__bug_seconds(replay__bug_kind(s, test), seconds);
    run->priority = (uint32_t)kind * STAGES + STAGE_RUN;
    run->errors = replay__errors_path(s, test, kind);
    run->output = mem_format("%s.output", run->errors);
    run->directory = mem_format("%s/run%u.%u", s->scratch, test, (unsigned)kind);
    run->own_directory = true;
    run->data = s;
    run->index = test;
    bool sanitized = kind == BUILD_SANITIZED || kind == BUILD_MEMORY; /* they need terabytes of addresses */
    if (!sanitized) run->memory = s->options->memory ? s->options->memory : usual_memory;
    replay__add_word(run, "%s", binary->path);
    if (file->together) replay__add_word(run, "test_%u", entry->id);
    else if (entry->name) replay__add_word(run, "%s", entry->name);
    return run;
}

/* ---- why a test does not pass ---- */

/* The line that says most: of a failed check, else a remark of the runner's, else the first one that is not the runner's list of tests. */
static const char *telling_line(char *text)
{
    static const char *const words[] = {"does not hold", "ssert", "failed", "but should", "differs from", "asks for"};
    static const char *const lists[] = {"1..", "ok ", "not ok "};
    const char *remark = NULL, *first = NULL;
    char *save = NULL;
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        bool listed = false;
        for (size_t i = 0; i < COUNT_OF(words); i++)
            if (strstr(line, words[i])) return line;
        for (size_t i = 0; i < COUNT_OF(lists); i++) listed |= strncmp(line, lists[i], strlen(lists[i])) == 0;
        if (!remark && line[0] == '#') remark = line;
        if (!first && !listed) first = line;
    }
    return remark ? remark : first;
}

/* Places in a file that is soon removed say nothing. */
static const char *without_scratch(const Session *s, const char *line)
{
    const char *found = strstr(line, s->scratch), *end = found ? strstr(found, ": ") : NULL;
    return end ? end + 2 : line;
}

static char *describe_trouble(const Session *s, const Run *run, const char *compiler)
{
    char *errors = replay__read_text(run->errors, MESSAGE_BYTES), *output = replay__read_text(run->output, MESSAGE_BYTES);
    char *text = mem_format("%s\n%s", errors, output);
    if (s->options->verbose) fprintf(stderr, "%s\n", text);
    const char *line = telling_line(text);
    StrBuf out = {0};
    if (line) line = without_scratch(s, line + strspn(line, "# "));
    if (compiler) strbuf_addf(&out, "compiled by %s: ", compiler);
    replay__describe_end(&run->result, &out);
    if (line) strbuf_addf(&out, ": %.*s", LINE_BYTES, line);
    free(errors);
    free(output);
    free(text);
    return out.text;
}

static bool succeeded(const Run *run)
{
    return run->result.end == RUN_EXITED && run->result.status == 0;
}

/* ---- counted ---- */

static bool prepare_counts(const Session *s, const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool good = fd >= 0 && ftruncate(fd, s->numbers.count + 1) == 0;
    if (fd >= 0) close(fd);
    return good;
}

static void read_counts(Session *s, uint32_t test)
{
    char *path = counts_path(s, test);
    FILE *file = fopen(path, "r");
    for (uint32_t i = 0; file && i < s->numbers.count; i++) {
        int byte = getc(file);
        if (byte == EOF) break;
        if (byte) replay__see(&s->numbers, &vec_at(&s->tests, test).seen, i);
    }
    if (file) fclose(file);
    unlink(path);
    free(path);
}

/* gcov can be asked about a test only if its program writes gcov's data at its end. */
static bool ends_orderly(const LedgerTest *test)
{
    return test->record.end == END_RETURN || test->record.end == END_EXIT;
}

static void cover_file(Session *s, uint32_t number)
{
    const TestFile *file = &vec_at(&s->files, number);
    bool any = false;
    for (uint32_t i = 0; i < file->tests.len; i++) {
        TestRun *test = &vec_at(&s->tests, file->tests.data[i]);
        test->covering = test->passed && ends_orderly(ledger_test(s, file->tests.data[i]));
        any |= test->covering;
    }
    if (any) replay__build(s, number, BUILD_COVERAGE);
}

static void counted_done(void *data, uint32_t index, const Run *run)
{
    Session *s = data;
    TestRun *test = &vec_at(&s->tests, index);
    test->counted = run->result;
    test->passed = !test->is_bug && succeeded(run);
    if (!test->is_bug && !test->passed)
        test->trouble = run->result.end == RUN_NOT_RUN ? mem_strdup(NO_TIME) : describe_trouble(s, run, NULL);
    read_counts(s, index);
    if (s->ended < s->tests.len) s->ended++;
    if (s->options->on_progress) s->options->on_progress(s->options->on_progress_data, "replaying tests", s->ended, s->tests.len);
}

static void start_counted(Session *s, uint32_t test)
{
    Run *run = new_test_run(s, test, BUILD_COUNTED);
    char *path = counts_path(s, test);
    if (prepare_counts(s, path)) replay__add_environment(run, "CLEW_COUNTS=%s", path);
    free(path);
    run->done = counted_done;
    replay__start(&s->pool, run);
}

/* ---- sanitized ---- */

static void sanitized_done(void *data, uint32_t index, const Run *run)
{
    Session *s = data;
    vec_at(&s->tests, index).sanitized = run->result;
}

static void start_sanitized(Session *s, uint32_t test, BuildKind kind)
{
    if (!vec_at(&s->tests, test).is_bug) return;
    Run *run = new_test_run(s, test, kind);
    replay__add_environment(run, "%s", asan_options);
    replay__add_environment(run, "%s", ubsan_options);
    replay__add_environment(run, "%s", msan_options);
    run->done = sanitized_done;
    replay__start(&s->pool, run);
}

/* ---- coverage ---- */

static void covered_done(void *data, uint32_t index, const Run *run)
{
    Session *s = data;
    TestRun *test = &vec_at(&s->tests, index);
    if (succeeded(run)) return;
    test->covering = false;
    if (run->result.end == RUN_NOT_RUN) return;
    test->disturbs = true;
    test->passed = false;
    test->trouble = describe_trouble(s, run, s->options->cc ? s->options->cc : "gcc");
}

static void start_covered(Session *s, uint32_t test)
{
    if (!vec_at(&s->tests, test).covering) return;
    Run *run = new_test_run(s, test, BUILD_COVERAGE);
    run->done = covered_done;
    replay__start(&s->pool, run);
}

static bool clear_disturbed(Session *s)
{
    bool any = false;
    for (uint32_t i = 0; i < s->tests.len; i++) {
        any |= s->tests.data[i].disturbs;
        s->tests.data[i].disturbs = false;
    }
    return any;
}

/* Until a round in which every test does what it should; if there is none, nothing is compared. */
static void repeat_disturbed(Session *s)
{
    for (unsigned round = 0; clear_disturbed(s); round++) {
        replay__forget_coverage(s);
        for (uint32_t i = 0; i < s->tests.len; i++) {
            if (round < ROUNDS) start_covered(s, i);
            else s->tests.data[i].covering = false;
        }
        replay__finish(&s->pool);
    }
}

/* ---- all ---- */

static void cannot_build(Session *s, const Binary *binary)
{
    TestFile *file = &vec_at(&s->files, binary->file);
    for (uint32_t i = 0; i < file->tests.len; i++) {
        TestRun *test = &vec_at(&s->tests, file->tests.data[i]);
        if (binary->kind == BUILD_COVERAGE) test->covering = false; /* what gcc does not understand cannot be compared */
        if (binary->kind == BUILD_COUNTED && !test->is_bug) test->trouble = mem_strdup(binary->problem);
        if (binary->kind == BUILD_COUNTED) test->counted.end = RUN_NOT_RUN;
    }
}

void replay__built(Session *s, uint32_t index)
{
    const Binary *binary = &vec_at(&s->binaries, index);
    if (binary->problem) {
        cannot_build(s, binary);
        return;
    }
    BuildKind kind = binary->kind;
    const TestFile *file = &vec_at(&s->files, binary->file);
    for (uint32_t i = 0; i < file->tests.len; i++) {
        if (kind == BUILD_COUNTED) start_counted(s, file->tests.data[i]);
        else if (kind == BUILD_COVERAGE) start_covered(s, file->tests.data[i]);
        else start_sanitized(s, file->tests.data[i], kind);
    }
}

static void build_files(Session *s, bool known)
{
    for (uint32_t i = 0; i < s->files.len; i++) {
        const TestFile *file = &s->files.data[i];
        if (!file->tests.len || file->known != known || file->binaries[BUILD_COUNTED] != UINT32_MAX) continue;
        replay__build(s, i, BUILD_COUNTED);
        for (uint32_t k = 0; k < file->tests.len; k++) {
            BuildKind kind = replay__bug_build(replay__bug_kind(s, file->tests.data[k]));
            if (vec_at(&s->tests, file->tests.data[k]).is_bug && file->binaries[kind] == UINT32_MAX) replay__build(s, i, kind);
        }
    }
    replay__finish(&s->pool);
}

static bool is_settled(const Session *s, uint32_t index)
{
    const TestRun *test = &vec_at(&s->tests, index);
    StrBuf ignored = {0};
    bool settled = test->is_bug ? replay__judge(s, index, &ignored) : test->passed;
    strbuf_release(&ignored);
    return settled;
}

static void move_to_own_file(Session *s, uint32_t index)
{
    TestRun *test = &vec_at(&s->tests, index);
    free(test->trouble);
    free(test->seen.bits);
    *test = (TestRun){.test = test->test, .file = test->alone, .alone = test->alone, .is_bug = test->is_bug};
    vec_push(&vec_at(&s->files, test->alone).tests, index);
}

/* What several files together did not show may be due to that. */
static void separate(Session *s)
{
    for (uint32_t i = 0; i < s->files.len && !s->pool.out_of_time; i++) {
        TestFile *file = &s->files.data[i];
        uint32_t stay = 0;
        for (uint32_t k = 0; k < file->tests.len && file->together; k++) {
            uint32_t test = file->tests.data[k];
            if (is_settled(s, test)) file->tests.data[stay++] = test;
            else move_to_own_file(s, test);
        }
        if (file->together) file->tests.len = stay;
    }
}

void replay__run_tests(Session *s)
{
    for (int known = 0; known < 2; known++) {
        build_files(s, known);
        separate(s);
        build_files(s, known);
    }
    for (uint32_t i = 0; i < s->files.len; i++) cover_file(s, i);
    replay__finish(&s->pool);
    repeat_disturbed(s);
}
