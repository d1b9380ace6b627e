/* Replay beside a search: tests are confirmed while others are still being found, so that at any moment nearly all that was found is confirmed.
 *
 * One batch at a time: tests are chosen, written together (join.c), built, run, and entered, then the next batch.  What comes in meanwhile waits, so
 * batches are as large as compilers are slow.  The machine knows what each test takes; of those that wait, only a small set that together takes everything
 * not covered yet is run (minimise.c).  Others are tried where a native run disagrees with the machine: then something they take is still not covered.
 *
 * Programs that show bugs have batches of their own, in turn with the others: they are built with sanitizers, and some of them hang until they are ended.
 *
 * A test that fails is tried a second time in a file of its unit alone.  One that does not end in time becomes one that need not end: what it was there
 * for it has shown by then, or not.  If a file cannot be built, its tests are divided until what cannot be built stands alone. */
#include "replay/replay_int.h"

#include <poll.h>
#include <stdlib.h>

typedef Vec(uint32_t) Indices;
enum { MOST_BUGS = 16 }; /* programs that show bugs in one batch.  A guess. */
typedef enum Stage { STAGE_NEW, STAGE_CHOSEN, STAGE_AGAIN, STAGE_DONE } Stage;

struct Replayer {
    Session session;
    EmitOptions emit;
    ReplayOptions options;
    Replay replay;
    Vec(uint8_t) stages;     /* by test of the ledger: Stage; STAGE_DONE also for those that were never added */
    Vec(uint32_t) added;     /* indices in the ledger */
    Vec(uint32_t) batch;     /* into Session.tests: what runs */
    Vec(uint32_t) apart;     /* indices in the ledger that are to be tried again, apart from other units */
    Indices divided, halves; /* the same, of files that could not be built: the halves of each, and how many tests each half has */
    uint32_t first_file;     /* of the batch, in Session.files */
    bool turn;               /* it is that of programs that show bugs */
    double started, seconds; /* of the batch at hand; how long the last one took */
    char *trouble;
};

Status replayer_new(Replayer **out, Ledger *ledger, const Decls *decls, const Units *units, const EmitOptions *emit,
                    const ReplayOptions *options, Error *error)
{
    Replayer *r = mem_alloc(sizeof *r);
    r->emit = *emit;
    r->options = *options;
    r->session = (Session){.ledger = ledger, .decls = decls, .units = units, .emit = &r->emit, .replay = &r->replay};
    replay__open(&r->session, &r->options);
    Status status = scratch_new(&r->session.scratch, error);
    r->emit.support = r->session.scratch;
    if (status == OK) status = emit_support(decls, units, &r->emit, error);
    if (status == OK) *out = r;
    else replayer_free(r);
    return status;
}

void replayer_free(Replayer *r)
{
    if (!r) return;
    r->session.pool.deadline = 1; /* long ago */
    replay__finish(&r->session.pool);
    replay__close(&r->session);
    vec_release(&r->stages);
    vec_release(&r->added);
    vec_release(&r->batch);
    vec_release(&r->apart);
    vec_release(&r->divided);
    vec_release(&r->halves);
    free(r->trouble);
    free(r);
}

void replayer_add(Replayer *r, uint32_t test)
{
    while (r->stages.len <= test) vec_push(&r->stages, STAGE_DONE);
    r->stages.data[test] = STAGE_NEW;
    vec_push(&r->added, test);
}

/* ---- choosing ---- */

static bool is_bug(const LedgerTest *test)
{
    return test->bug || test->record.end == END_BUG;
}

static void see_branches(const Replayer *r, const LedgerTest *test, OutcomeSet *set)
{
    const Numbers *numbers = &r->session.numbers;
    for (uint32_t i = 0; i < test->record.taken.len; i++)
        if (test->record.taken.data[i] < r->session.ledger->branches.len)
            replay__see(numbers, set, numbers->of_branch.data[test->record.taken.data[i]]);
    for (uint32_t i = 0; i < test->record.branches.len; i++)
        if (test->record.branches.data[i] < r->session.ledger->branches.len)
            replay__see(numbers, set, numbers->of_branch.data[test->record.branches.data[i]]);
}

static void choose_bugs(const Replayer *r, Indices *chosen)
{
    for (uint32_t i = 0; i < r->added.len && chosen->len < MOST_BUGS; i++) {
        uint32_t test = r->added.data[i];
        if (r->stages.data[test] == STAGE_NEW && is_bug(&r->session.ledger->tests.data[test])) vec_push(chosen, test);
    }
}

/* One test of each unit is run whatever it covers: a function without branches has nothing else to show. */
static void choose_tests(const Replayer *r, Indices *chosen)
{
    const Ledger *ledger = r->session.ledger;
    uint32_t n = r->added.len;
    bool *keep = mem_alloc(n + 1), *must = mem_alloc(n + 1), *usable = mem_alloc(n + 1);
    OutcomeSet *sets = mem_alloc((n + 1) * sizeof *sets), wanted = {0};
    NameMap units = {0};
    for (uint32_t i = 0; i < ledger->branches.len; i++)
        if (ledger->branches.data[i].counted && ledger->branches.data[i].status != LEDGER_COVERED)
            replay__see(&r->session.numbers, &wanted, r->session.numbers.of_branch.data[i]);
    for (uint32_t i = 0; i < ledger->tests.len; i++)
        if (ledger->tests.data[i].replayed && ledger->tests.data[i].unit) names_put(&units, ledger->tests.data[i].unit, 1);
    for (uint32_t i = 0; i < n; i++) {
        const LedgerTest *test = &ledger->tests.data[r->added.data[i]];
        if (r->stages.data[r->added.data[i]] != STAGE_NEW || is_bug(test)) continue;
        must[i] = !names_find(&units, test->unit);
        usable[i] = !must[i];
        names_put(&units, test->unit, 1);
        see_branches(r, test, &sets[i]);
    }
    replay__choose(&r->session.numbers, &wanted, sets, must, usable, n, keep);
    for (uint32_t i = 0; i < n; i++) {
        if (keep[i]) vec_push(chosen, r->added.data[i]);
        free(sets[i].bits);
    }
    names_release(&units);
    free(keep);
    free(must);
    free(usable);
    free(sets);
    free(wanted.bits);
}

/* ---- batches ---- */

static void begin_tests(Replayer *r, const uint32_t *tests, uint32_t count, Stage stage)
{
    Session *s = &r->session;
    uint32_t first_file = s->files.len, first = r->batch.len;
    for (uint32_t i = 0; i < count; i++) {
        r->stages.data[tests[i]] = (uint8_t)stage;
        vec_push(&r->batch, s->tests.len);
        vec_push(
            &s->tests,
            ((TestRun){.test = tests[i], .file = UINT32_MAX, .alone = UINT32_MAX, .is_bug = is_bug(&s->ledger->tests.data[tests[i]])}));
    }
    if (count) replay__join(s, r->batch.data + first, count, stage == STAGE_AGAIN);
    for (uint32_t i = first_file; i < s->files.len; i++) replay__build_file(s, i);
}

static void begin_batch(Replayer *r)
{
    Indices chosen = {0};
    vec_clear(&r->batch);
    r->first_file = r->session.files.len;
    begin_tests(r, r->apart.data, r->apart.len, STAGE_AGAIN);
    vec_clear(&r->apart);
    for (uint32_t i = 0, first = 0; i < r->halves.len; first += r->halves.data[i++])
        begin_tests(r, r->divided.data + first, r->halves.data[i], STAGE_CHOSEN);
    vec_clear(&r->divided);
    vec_clear(&r->halves);
    if (!r->batch.len && r->turn) choose_bugs(r, &chosen);
    if (!r->batch.len && !chosen.len) choose_tests(r, &chosen);
    if (!r->batch.len && !chosen.len) choose_bugs(r, &chosen);
    r->turn = !r->turn;
    begin_tests(r, chosen.data, chosen.len, STAGE_CHOSEN);
    vec_release(&chosen);
    r->started = clock_seconds();
    replay__step(&r->session.pool);
}

/* Why the file of a test cannot be built; NULL: it can. */
static const char *build_problem(const Session *s, const TestRun *test)
{
    if (test->file == UINT32_MAX) return "it cannot be written as a file of C";
    const char *problem = vec_at(&s->binaries, vec_at(&s->files, test->file).binaries[BUILD_COUNTED]).problem;
    return problem && strcmp(problem, NO_TIME) != 0 ? problem : NULL;
}

/* True: it is to be tried again, in another way. */
static bool is_tried_again(Replayer *r, uint32_t index)
{
    Session *s = &r->session;
    const TestRun *test = &vec_at(&s->tests, index);
    const char *problem = build_problem(s, test);
    RunEnd end = test->counted.end;
    LedgerTest *entry = &s->ledger->tests.data[test->test];
    if (problem) {
        if (!r->trouble) r->trouble = mem_strdup(problem);
        return test->file != UINT32_MAX && vec_at(&s->files, test->file).tests.len > 1;
    }
    if (end == RUN_WAITING || end == RUN_NOT_RUN) return false;
    if (end == RUN_TIMED_OUT && !test->is_bug && entry->record.end != END_LIMIT) {
        entry->record.end = END_LIMIT;
        vec_push(&r->apart, test->test);
        return true;
    }
    if (r->stages.data[test->test] == STAGE_AGAIN || replay__is_settled(s, index)) return false;
    vec_push(&r->apart, test->test);
    return true;
}

/* The tests of each file of the batch that could not be built, in two halves. */
static void divide_files(Replayer *r)
{
    const Session *s = &r->session;
    for (uint32_t i = r->first_file; i < s->files.len; i++) {
        const TestFile *file = &s->files.data[i];
        uint32_t half = file->tests.len / 2;
        if (!half || !build_problem(s, &vec_at(&s->tests, file->tests.data[0]))) continue;
        for (uint32_t k = 0; k < file->tests.len; k++) vec_push(&r->divided, vec_at(&s->tests, file->tests.data[k]).test);
        vec_push(&r->halves, half);
        vec_push(&r->halves, file->tests.len - half);
    }
}

static void end_batch(Replayer *r)
{
    Session *s = &r->session;
    for (uint32_t i = 0; i < r->batch.len; i++) {
        TestRun *test = &vec_at(&s->tests, r->batch.data[i]);
        if (is_tried_again(r, r->batch.data[i])) continue;
        const char *problem = build_problem(s, test);
        bool was_run = test->counted.end != RUN_WAITING && test->counted.end != RUN_NOT_RUN;
        if (problem && !test->trouble) test->trouble = mem_strdup(problem);
        r->stages.data[test->test] = was_run || problem ? STAGE_DONE : STAGE_NEW;
        if (was_run || problem) {
            replay__enter_test(s, r->batch.data[i]);
            replay__account(s, r->batch.data[i], &r->replay);
        }
    }
    divide_files(r);
    vec_clear(&r->batch);
    r->seconds = clock_seconds() - r->started;
    replay_enter_branches(s->ledger, NULL);
}

bool replayer_step(Replayer *r)
{
    replay__step(&r->session.pool);
    if (replay__is_busy(&r->session.pool)) return true;
    if (r->batch.len) end_batch(r);
    begin_batch(r);
    return r->batch.len > 0;
}

uint32_t replayer_descriptors(const Replayer *r, struct pollfd *descriptors, uint32_t most)
{
    const Pool *pool = &r->session.pool;
    uint32_t n = 0;
    for (uint32_t i = 0; i < pool->running.len && n < most; i++)
        if (pool->running.data[i]->handle >= 0) descriptors[n++] = (struct pollfd){.fd = pool->running.data[i]->handle, .events = POLLIN};
    return n;
}

void replayer_finish(Replayer *r, double deadline, uint32_t jobs)
{
    r->session.pool.deadline = deadline;
    r->session.pool.jobs = jobs;
    for (;;) {
        replay__finish(&r->session.pool);
        if (r->batch.len) end_batch(r);
        if (r->session.pool.out_of_time) return;
        begin_batch(r);
        if (!r->batch.len) return;
    }
}

double replayer_batch_seconds(const Replayer *r)
{
    return r->seconds;
}

const char *replayer_trouble(const Replayer *r)
{
    return r->trouble;
}

void replayer_account(const Replayer *r, Replay *replay)
{
    replay->tests += r->replay.tests;
    replay->passed += r->replay.passed;
    replay->failed += r->replay.failed;
}
