/* Running the tests, in every build that they need:
 *
 *   counted    all of them; what the counters saw is kept, also of a run that was cut off
 *   sanitized, memory   those that show a bug
 *   coverage   those that passed and end by returning or exiting
 *
 * The tests of one program run in one process, which starts a child for each (clew_test.c), so that no test depends on another and thousands of them run
 * in a second.  The process writes a line for each test to a file; the counters of each have a part of their own of another file.  A program that shows a
 * bug runs alone, since what it writes to stderr is the evidence.
 *
 * A test that passes as clang compiled it and fails as gcc compiled it depends on what the language leaves open: it does not pass.  What it has
 * added to gcov's data cannot be taken out again, so the others are then run once more from the beginning. */
#include "replay/replay_int.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROUNDS = 3, LEAST_CHUNK = 64 /* tests that are worth a process of their own */ };
static const double usual_seconds = 5;
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

static void chunk_done(void *data, uint32_t index, const Run *run);

/* The caller's to free; "" if there is no such file. */
static char *read_bytes(const char *path, size_t *n)
{
    StrBuf bytes = {0};
    char buffer[65536];
    FILE *file = fopen(path, "r");
    strbuf_add(&bytes, "");
    for (size_t got; file && (got = fread(buffer, 1, sizeof buffer, file)) > 0;) strbuf_add_bytes(&bytes, buffer, got);
    if (file) fclose(file);
    *n = bytes.len;
    return bytes.text;
}

static Run *new_test_run(Session *s, uint32_t test, BuildKind kind)
{
    const TestFile *file = &vec_at(&s->files, vec_at(&s->tests, test).file);
    const Binary *binary = &vec_at(&s->binaries, file->binaries[kind]);
    const LedgerTest *entry = ledger_test(s, test);
    Run *run = replay__new_run();
    double seconds = s->options->test_seconds ? s->options->test_seconds : usual_seconds;
    run->seconds = replay__bug_seconds(replay__bug_kind(s, test), seconds);
    run->priority = (uint32_t)kind * STAGES + STAGE_RUN + (file->is_later ? LATER : 0);
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

/* ---- one process for many tests ---- */

char *replay__chunk_path(const Session *s, uint32_t chunk, const char *what)
{
    return mem_format("%s/chunk%u.%s", s->scratch, chunk, what);
}

static const char *name_of(const Session *s, uint32_t test, char text[32])
{
    const LedgerTest *entry = ledger_test(s, test);
    if (!vec_at(&s->files, vec_at(&s->tests, test).file).together) return entry->name ? entry->name : "";
    snprintf(text, 32, "test_%u", entry->id);
    return text;
}

static bool prepare_counts(const char *path, uint64_t bytes)
{
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool good = fd >= 0 && ftruncate(fd, (off_t)bytes) == 0;
    if (fd >= 0) close(fd);
    return good;
}

static void start_chunk(Session *s, uint32_t index)
{
    const Chunk *chunk = &vec_at(&s->chunks, index);
    const TestFile *file = &vec_at(&s->files, chunk->file);
    char *results = replay__chunk_path(s, index, "results"), *counts = replay__chunk_path(s, index, "counts"), text[32];
    uint64_t stride = s->numbers.count + 1;
    Run *run = replay__new_run();
    run->is_batch = true;
    run->seconds = s->options->test_seconds ? s->options->test_seconds : usual_seconds;
    run->memory = s->options->memory ? s->options->memory : usual_memory;
    run->priority = (uint32_t)chunk->kind * STAGES + STAGE_RUN;
    run->errors = replay__chunk_path(s, index, "errors");
    run->output = replay__chunk_path(s, index, "output");
    run->directory = replay__chunk_path(s, index, "directory");
    run->own_directory = true;
    run->data = s;
    run->index = index;
    run->done = chunk_done;
    replay__add_environment(run, "CLEW_RESULTS=%s", results);
    if (chunk->kind == BUILD_COUNTED && prepare_counts(counts, stride * chunk->tests.len)) {
        replay__add_environment(run, "CLEW_COUNTS=%s", counts);
        replay__add_environment(run, "CLEW_STRIDE=%llu", (unsigned long long)stride);
    }
    if (chunk->kind == BUILD_COVERAGE) {
        char *data = replay__new_data_directory(s, index);
        replay__add_environment(run, "GCOV_PREFIX=%s", data);
        replay__add_environment(run, "GCOV_PREFIX_STRIP=%d", INT_MAX);
        free(data);
    }
    replay__add_word(run, "%s", vec_at(&s->binaries, file->binaries[chunk->kind]).path);
    for (uint32_t i = 0; i < chunk->tests.len; i++) replay__add_word(run, "%s", name_of(s, chunk->tests.data[i], text));
    free(results);
    free(counts);
    vec_at(&s->files, chunk->file).pending++;
    replay__start(&s->pool, run);
}

/* What the runner has written of a test: "NAME ok", "NAME failed WHY", "NAME late WHY". */
typedef struct Verdict {
    uint32_t order; /* in which the tests were run */
    const char *word, *why;
} Verdict;

static void read_verdicts(char *text, NameMap *names, Verdict *verdicts, uint32_t most)
{
    char *save = NULL;
    uint32_t n = 0;
    for (char *line = strtok_r(text, "\n", &save); line && n < most; line = strtok_r(NULL, "\n", &save)) {
        char *word = strchr(line, ' '), *why = word ? strchr(word + 1, ' ') : NULL;
        if (!word) continue;
        *word++ = 0;
        if (why) *why++ = 0;
        names_put(names, line, n);
        verdicts[n] = (Verdict){n, word, why ? why : ""};
        n++;
    }
}

static void see_counts(Session *s, uint32_t test, const char *counts, size_t n, uint32_t order)
{
    uint64_t stride = s->numbers.count + 1;
    for (uint32_t i = 0; i < s->numbers.count && order * stride + i < n; i++)
        if (counts[order * stride + i]) replay__see(&s->numbers, &vec_at(&s->tests, test).seen, i);
}

/* Places in a file that is soon removed say nothing. */
static const char *without_scratch(const Session *s, const char *line)
{
    const char *found = strstr(line, s->scratch), *end = found ? strstr(found, ": ") : NULL;
    return end ? end + 2 : line;
}

static char *explain(const Session *s, const Chunk *chunk, const Run *run, const Verdict *verdict)
{
    StrBuf text = {0};
    if (!verdict && run->result.end == RUN_NOT_RUN) return mem_strdup(NO_TIME);
    if (chunk->kind == BUILD_COVERAGE) strbuf_addf(&text, "compiled by %s: ", s->options->cc ? s->options->cc : "gcc");
    if (verdict) {
        strbuf_add(&text, without_scratch(s, verdict->why));
    } else {
        strbuf_add(&text, "the process that runs the tests ended early: ");
        replay__describe_end(&run->result, &text);
    }
    return text.text;
}

static void take_verdict(Session *s, const Chunk *chunk, uint32_t index, const Run *run, const Verdict *verdict)
{
    TestRun *test = &vec_at(&s->tests, index);
    bool fine = verdict && strcmp(verdict->word, "ok") == 0;
    if (chunk->kind == BUILD_COUNTED) {
        test->counted = (RunResult){.end = RUN_EXITED, .status = !fine, .seconds = run->seconds};
        if (!verdict) test->counted.end = run->result.end == RUN_NOT_RUN ? RUN_NOT_RUN : RUN_SIGNALLED;
        else if (strcmp(verdict->word, "late") == 0) test->counted.end = RUN_TIMED_OUT;
        test->passed = fine;
        if (s->ended < s->tests.len) s->ended++;
    } else if (!fine) {
        test->covering = false;
        if (!verdict && run->result.end == RUN_NOT_RUN) return;
        test->disturbs = true;
        test->passed = false;
    }
    if (!fine) {
        free(test->trouble);
        test->trouble = explain(s, chunk, run, verdict);
    }
}

static void chunk_done(void *data, uint32_t index, const Run *run)
{
    Session *s = data;
    const Chunk *chunk = &vec_at(&s->chunks, index);
    char *paths[] = {replay__chunk_path(s, index, "results"), replay__chunk_path(s, index, "counts")}, name[32];
    size_t size = 0, ignored;
    char *results = read_bytes(paths[0], &ignored), *counts = read_bytes(paths[1], &size);
    Verdict *verdicts = mem_alloc((chunk->tests.len + 1) * sizeof *verdicts);
    NameMap names = {0};
    read_verdicts(results, &names, verdicts, chunk->tests.len);
    for (uint32_t i = 0; i < chunk->tests.len; i++) {
        const uint32_t *known = names_find(&names, name_of(s, chunk->tests.data[i], name));
        take_verdict(s, chunk, chunk->tests.data[i], run, known ? &verdicts[*known] : NULL);
        if (known) see_counts(s, chunk->tests.data[i], counts, size, *known);
    }
    vec_at(&s->files, chunk->file).pending--;
    if (s->options->on_progress) s->options->on_progress(s->options->on_progress_data, "replaying tests", s->ended, s->tests.len);
    names_release(&names);
    free(verdicts);
    free(results);
    free(counts);
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        unlink(paths[i]);
        free(paths[i]);
    }
}

/* The tests of a file for which `is_wanted`, in as many processes as run at a time. */
static void start_chunks(Session *s, uint32_t file, BuildKind kind, bool (*is_wanted)(const TestRun *test))
{
    Vec(uint32_t) tests = {0};
    const TestFile *f = &vec_at(&s->files, file);
    for (uint32_t i = 0; i < f->tests.len; i++)
        if (is_wanted(&vec_at(&s->tests, f->tests.data[i]))) vec_push(&tests, f->tests.data[i]);
    uint32_t size = (tests.len + s->pool.jobs - 1) / s->pool.jobs;
    if (size < LEAST_CHUNK) size = LEAST_CHUNK;
    for (uint32_t first = 0; first < tests.len; first += size) {
        Chunk chunk = {.file = file, .kind = kind};
        for (uint32_t i = first; i < tests.len && i < first + size; i++) vec_push(&chunk.tests, tests.data[i]);
        vec_push(&s->chunks, chunk);
        start_chunk(s, s->chunks.len - 1);
    }
    vec_release(&tests);
}

static bool is_plain(const TestRun *test)
{
    return !test->is_bug;
}

static bool is_covering(const TestRun *test)
{
    return test->covering;
}

/* gcov can be asked about a test only if its program writes gcov's data at its end. */
static bool ends_orderly(const LedgerTest *test)
{
    return test->record.end == END_RETURN || test->record.end == END_EXIT;
}

/* ---- programs that show a bug, counted ---- */

static char *counts_path(const Session *s, uint32_t test)
{
    return mem_format("%s/test%u.counts", s->scratch, test);
}

static void counted_done(void *data, uint32_t index, const Run *run)
{
    Session *s = data;
    char *path = counts_path(s, index);
    size_t size = 0;
    char *counts = read_bytes(path, &size);
    vec_at(&s->tests, index).counted = run->result;
    see_counts(s, index, counts, size, 0);
    unlink(path);
    free(counts);
    free(path);
    vec_at(&s->files, vec_at(&s->tests, index).file).pending--;
    if (s->ended < s->tests.len) s->ended++;
}

static void start_counted(Session *s, uint32_t test)
{
    if (!vec_at(&s->tests, test).is_bug) return;
    Run *run = new_test_run(s, test, BUILD_COUNTED);
    char *path = counts_path(s, test);
    if (prepare_counts(path, s->numbers.count + 1)) replay__add_environment(run, "CLEW_COUNTS=%s", path);
    free(path);
    run->done = counted_done;
    vec_at(&s->files, vec_at(&s->tests, test).file).pending++;
    replay__start(&s->pool, run);
}

/* ---- sanitized ---- */

static void sanitized_done(void *data, uint32_t index, const Run *run)
{
    Session *s = data;
    vec_at(&s->tests, index).sanitized = run->result;
    vec_at(&s->files, vec_at(&s->tests, index).file).pending--;
}

static void start_sanitized(Session *s, uint32_t test, BuildKind kind)
{
    if (!vec_at(&s->tests, test).is_bug) return;
    Run *run = new_test_run(s, test, kind);
    replay__add_environment(run, "%s", asan_options);
    replay__add_environment(run, "%s", ubsan_options);
    replay__add_environment(run, "%s", msan_options);
    run->done = sanitized_done;
    vec_at(&s->files, vec_at(&s->tests, test).file).pending++;
    replay__start(&s->pool, run);
}

/* ---- coverage ---- */

static void cover_if_built(Session *s, uint32_t index)
{
    const Binary *binary = &vec_at(&s->binaries, index);
    if (binary->done && !binary->problem) start_chunks(s, binary->file, BUILD_COVERAGE, is_covering);
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
        for (uint32_t i = 0; i < s->tests.len && round >= ROUNDS; i++) s->tests.data[i].covering = false;
        for (uint32_t i = 0; i < s->files.len; i++)
            if (s->files.data[i].binaries[BUILD_COVERAGE] != UINT32_MAX) cover_if_built(s, s->files.data[i].binaries[BUILD_COVERAGE]);
        replay__finish(&s->pool);
    }
}

/* ---- all ---- */

static void cannot_build(Session *s, const Binary *binary)
{
    TestFile *file = &vec_at(&s->files, binary->file);
    for (uint32_t i = 0; i < file->tests.len; i++) {
        TestRun *test = &vec_at(&s->tests, file->tests.data[i]);
        if (binary->kind == BUILD_COUNTED && !test->is_bug) test->trouble = mem_strdup(binary->problem);
        if (binary->kind == BUILD_COUNTED) test->counted.end = RUN_NOT_RUN;
    }
}

void replay__built(Session *s, uint32_t index)
{
    const Binary *binary = &vec_at(&s->binaries, index);
    if (binary->kind == BUILD_COVERAGE) {
        if (s->covers) cover_if_built(s, index);
        return;
    }
    if (binary->problem) {
        cannot_build(s, binary);
        return;
    }
    BuildKind kind = binary->kind;
    uint32_t number = binary->file;
    const TestFile *file = &vec_at(&s->files, number);
    if (kind == BUILD_COUNTED) start_chunks(s, number, kind, is_plain);
    for (uint32_t i = 0; i < file->tests.len; i++) {
        if (kind == BUILD_COUNTED) start_counted(s, file->tests.data[i]);
        else start_sanitized(s, file->tests.data[i], kind);
    }
}

void replay__build_file(Session *s, uint32_t number)
{
    const TestFile *file = &vec_at(&s->files, number);
    if (!file->tests.len || file->binaries[BUILD_COUNTED] != UINT32_MAX) return;
    replay__build(s, number, BUILD_COUNTED);
    for (uint32_t k = 0; k < file->tests.len; k++) {
        BuildKind kind = replay__bug_build(replay__bug_kind(s, file->tests.data[k]));
        if (vec_at(&s->tests, file->tests.data[k]).is_bug && file->binaries[kind] == UINT32_MAX) replay__build(s, number, kind);
    }
}

static void build_files(Session *s)
{
    for (uint32_t i = 0; i < s->files.len; i++) replay__build_file(s, i);
    replay__finish(&s->pool);
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
            if (replay__is_settled(s, test)) file->tests.data[stay++] = test;
            else move_to_own_file(s, test);
        }
        if (file->together) file->tests.len = stay;
    }
}

/* Most tests pass, so the programs with gcov's counters are compiled before that is known, by processors that have nothing else to do. */
static void build_coverage(Session *s)
{
    for (uint32_t i = 0; i < s->files.len; i++) {
        const TestFile *file = &s->files.data[i];
        for (uint32_t k = 0; k < file->tests.len && file->binaries[BUILD_COVERAGE] == UINT32_MAX; k++)
            if (ends_orderly(ledger_test(s, file->tests.data[k])) && !vec_at(&s->tests, file->tests.data[k]).is_bug)
                replay__build(s, i, BUILD_COVERAGE);
    }
}

static bool choose_covering(Session *s, const TestFile *file)
{
    bool any = false;
    for (uint32_t k = 0; k < file->tests.len; k++) {
        TestRun *test = &vec_at(&s->tests, file->tests.data[k]);
        test->covering = test->passed && ends_orderly(ledger_test(s, file->tests.data[k]));
        any |= test->covering;
    }
    return any;
}

/* What gcc does not understand cannot be compared. */
static void leave_out_unbuilt(Session *s)
{
    for (uint32_t i = 0; i < s->files.len; i++) {
        const TestFile *file = &s->files.data[i];
        uint32_t binary = file->binaries[BUILD_COVERAGE];
        for (uint32_t k = 0; k < file->tests.len && binary != UINT32_MAX && s->binaries.data[binary].problem; k++)
            vec_at(&s->tests, file->tests.data[k]).covering = false;
    }
}

void replay__cover(Session *s)
{
    s->covers = true;
    for (uint32_t i = 0; i < s->files.len; i++) {
        if (!choose_covering(s, &s->files.data[i])) continue;
        uint32_t binary = s->files.data[i].binaries[BUILD_COVERAGE];
        if (binary == UINT32_MAX) replay__build(s, i, BUILD_COVERAGE);
        else cover_if_built(s, binary);
    }
    replay__finish(&s->pool);
    leave_out_unbuilt(s);
    repeat_disturbed(s);
}

void replay__run_tests(Session *s)
{
    build_coverage(s);
    build_files(s);
    separate(s);
    build_files(s);
    replay__cover(s);
}
