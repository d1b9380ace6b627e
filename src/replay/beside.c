/* Replay beside a search: tests are confirmed while others are still being found, so that at any moment nearly all that was found is confirmed.
 *
 * Tests are chosen, written together (join.c), built, run, and entered, then the next batch.  What comes in meanwhile waits, so batches are as large as
 * compilers are slow.  The machine knows what each test takes; of those that wait, only a small set that together takes everything not covered yet is run
 * (minimise.c).  Others are tried where a native run disagrees with the machine: then something they take is still not covered.
 *
 * Programs that show bugs have batches of their own, beside those of the tests: they are built with sanitizers, and some of them hang until they are ended.
 * The coverage of all tests comes first: where compilers and runs of both wait, those of the tests begin before those of the bugs.  Bugs are taken in the
 * order in which they are listed, and what breaks preconditions after them, so that what no time is left for is what matters least.
 *
 * A test that fails is tried a second time in a file of its unit alone.  One that does not end in time becomes one that need not end: what it was there
 * for it has shown by then, or not.  If a file cannot be built, its tests are divided until what cannot be built stands alone. */
#include "replay/replay_int.h"

#include <poll.h>
#include <stdlib.h>

typedef Vec(uint32_t) Indices;
enum { MOST_BUGS = 64 }; /* programs that show bugs in one batch, so that the most important ones are known soon.  A guess. */
typedef enum Stage { STAGE_NEW, STAGE_CHOSEN, STAGE_AGAIN, STAGE_DONE } Stage;
typedef enum LaneKind { LANE_TESTS, LANE_BUGS, LANES } LaneKind;

typedef struct Batches { /* one batch after the other of tests, or of programs that show bugs */
    LaneKind kind;
    Indices batch, files;    /* what runs: into Session.tests, and their files in Session.files */
    Indices apart;           /* indices in the ledger that are to be tried again, apart from other units */
    Indices divided, halves; /* the same, of files that could not be built: the halves of each, and how many tests each half has */
    double started, seconds; /* of the batch at hand; how long the last one took */
} Batches;

struct Replayer {
    Session session;
    EmitOptions emit;
    ReplayOptions options;
    Replay replay;
    Vec(uint8_t) stages; /* by test of the ledger: Stage; STAGE_DONE also for those that were never added */
    Indices added;       /* indices in the ledger */
    Batches lanes[LANES];
    char *trouble;
};

Status replayer_new(Replayer **out, Ledger *ledger, const Decls *decls, const Units *units, const EmitOptions *emit,
                    const ReplayOptions *options, Error *error)
{
    Replayer *r = mem_alloc(sizeof *r);
    r->emit = *emit;
    r->options = *options;
    r->session = (Session){.ledger = ledger, .decls = decls, .units = units, .emit = &r->emit, .replay = &r->replay};
    for (LaneKind kind = 0; kind < LANES; kind++) r->lanes[kind].kind = kind;
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
    for (LaneKind kind = 0; kind < LANES; kind++) {
        Batches *lane = &r->lanes[kind];
        vec_release(&lane->batch);
        vec_release(&lane->files);
        vec_release(&lane->apart);
        vec_release(&lane->divided);
        vec_release(&lane->halves);
    }
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

/* A small set that takes everything that is not covered yet, of tests or of programs that show bugs.  One test of each unit is run whatever it covers: a
 * function without branches has nothing else to show. */
static void choose_covering(const Replayer *r, bool bugs, Indices *chosen)
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
        if (r->stages.data[r->added.data[i]] != STAGE_NEW || is_bug(test) != bugs) continue;
        must[i] = !bugs && !names_find(&units, test->unit);
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

typedef struct Waiting {
    uint64_t rank;
    uint32_t test;
} Waiting;

static int by_rank(const void *a, const void *b)
{
    const Waiting *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return x->test < y->test ? -1 : x->test > y->test;
}

/* Another run of a bug that is shown already comes after all bugs that are not. */
static uint64_t rank_of(const Ledger *ledger, const LedgerTest *test)
{
    if (!test->bug) return UINT64_MAX;
    return ledger->bugs.data[test->bug - 1].confirmed ? UINT64_MAX - 1 : ledger_bug_rank(ledger, test->bug - 1);
}

static bool is_among(const Indices *list, uint32_t test)
{
    for (uint32_t i = 0; i < list->len; i++)
        if (list->data[i] == test) return true;
    return false;
}

/* Half of a batch may go to what only runs with bugs take, as far as there is such a thing; the rest goes by rank. */
static void choose_bugs(const Replayer *r, Indices *chosen)
{
    const Ledger *ledger = r->session.ledger;
    Vec(Waiting) waiting = {0};
    choose_covering(r, true, chosen);
    if (chosen->len > MOST_BUGS / 2) chosen->len = MOST_BUGS / 2;
    for (uint32_t i = 0; i < r->added.len; i++) {
        uint32_t test = r->added.data[i];
        const LedgerTest *entry = &ledger->tests.data[test];
        if (r->stages.data[test] != STAGE_NEW || !is_bug(entry) || is_among(chosen, test)) continue;
        vec_push(&waiting, ((Waiting){rank_of(ledger, entry), test}));
    }
    if (waiting.len) qsort(waiting.data, waiting.len, sizeof *waiting.data, by_rank);
    for (uint32_t i = 0; i < waiting.len && chosen->len < MOST_BUGS; i++) vec_push(chosen, waiting.data[i].test);
    vec_release(&waiting);
}

/* ---- batches ---- */

static void begin_tests(Replayer *r, Batches *lane, const uint32_t *tests, uint32_t count, Stage stage)
{
    Session *s = &r->session;
    uint32_t first_file = s->files.len, first = lane->batch.len;
    for (uint32_t i = 0; i < count; i++) {
        r->stages.data[tests[i]] = (uint8_t)stage;
        vec_push(&lane->batch, s->tests.len);
        vec_push(&s->tests, ((TestRun){.test = tests[i], .file = UINT32_MAX, .alone = UINT32_MAX, .is_bug = lane->kind == LANE_BUGS}));
    }
    if (count) replay__join(s, lane->batch.data + first, count, stage == STAGE_AGAIN);
    for (uint32_t i = first_file; i < s->files.len; i++) {
        s->files.data[i].is_later = lane->kind == LANE_BUGS;
        vec_push(&lane->files, i);
        replay__build_file(s, i);
    }
}

static void begin_batch(Replayer *r, Batches *lane)
{
    Indices chosen = {0};
    vec_clear(&lane->batch);
    vec_clear(&lane->files);
    begin_tests(r, lane, lane->apart.data, lane->apart.len, STAGE_AGAIN);
    vec_clear(&lane->apart);
    for (uint32_t i = 0, first = 0; i < lane->halves.len; first += lane->halves.data[i++])
        begin_tests(r, lane, lane->divided.data + first, lane->halves.data[i], STAGE_CHOSEN);
    vec_clear(&lane->divided);
    vec_clear(&lane->halves);
    if (!lane->batch.len) {
        if (lane->kind == LANE_BUGS) choose_bugs(r, &chosen);
        else choose_covering(r, false, &chosen);
    }
    begin_tests(r, lane, chosen.data, chosen.len, STAGE_CHOSEN);
    vec_release(&chosen);
    lane->started = clock_seconds();
}

static bool runs(const Replayer *r, const Batches *lane)
{
    for (uint32_t i = 0; i < lane->files.len; i++)
        if (vec_at(&r->session.files, lane->files.data[i]).pending) return true;
    return false;
}

/* Why the file of a test cannot be built; NULL: it can. */
static const char *build_problem(const Session *s, const TestRun *test)
{
    if (test->file == UINT32_MAX) return "it cannot be written as a file of C";
    const char *problem = vec_at(&s->binaries, vec_at(&s->files, test->file).binaries[BUILD_COUNTED]).problem;
    return problem && strcmp(problem, NO_TIME) != 0 ? problem : NULL;
}

/* True: it is to be tried again, in another way. */
static bool is_tried_again(Replayer *r, Batches *lane, uint32_t index)
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
        vec_push(&lane->apart, test->test);
        return true;
    }
    if (r->stages.data[test->test] == STAGE_AGAIN || replay__is_settled(s, index)) return false;
    vec_push(&lane->apart, test->test);
    return true;
}

/* The tests of each file of the batch that could not be built, in two halves. */
static void divide_files(const Replayer *r, Batches *lane)
{
    const Session *s = &r->session;
    for (uint32_t i = 0; i < lane->files.len; i++) {
        const TestFile *file = &vec_at(&s->files, lane->files.data[i]);
        uint32_t half = file->tests.len / 2;
        if (!half || !build_problem(s, &vec_at(&s->tests, file->tests.data[0]))) continue;
        for (uint32_t k = 0; k < file->tests.len; k++) vec_push(&lane->divided, vec_at(&s->tests, file->tests.data[k]).test);
        vec_push(&lane->halves, half);
        vec_push(&lane->halves, file->tests.len - half);
    }
}

static void end_batch(Replayer *r, Batches *lane)
{
    Session *s = &r->session;
    for (uint32_t i = 0; i < lane->batch.len; i++) {
        TestRun *test = &vec_at(&s->tests, lane->batch.data[i]);
        if (is_tried_again(r, lane, lane->batch.data[i])) continue;
        const char *problem = build_problem(s, test);
        bool was_run = test->counted.end != RUN_WAITING && test->counted.end != RUN_NOT_RUN;
        if (problem && !test->trouble) test->trouble = mem_strdup(problem);
        r->stages.data[test->test] = was_run || problem ? STAGE_DONE : STAGE_NEW;
        if (was_run || problem) {
            replay__enter_test(s, lane->batch.data[i]);
            replay__account(s, lane->batch.data[i], &r->replay);
        }
    }
    divide_files(r, lane);
    vec_clear(&lane->batch);
    lane->seconds = clock_seconds() - lane->started;
    replay_enter_branches(s->ledger, NULL);
}

/* Ends batches of which nothing runs any more, and begins others.  True: something runs. */
static bool go_on(Replayer *r)
{
    for (LaneKind kind = 0; kind < LANES; kind++) {
        Batches *lane = &r->lanes[kind];
        if (runs(r, lane)) continue;
        if (lane->batch.len) end_batch(r, lane);
        if (!r->session.pool.out_of_time) begin_batch(r, lane);
    }
    return r->lanes[LANE_TESTS].batch.len || r->lanes[LANE_BUGS].batch.len;
}

bool replayer_step(Replayer *r)
{
    replay__step(&r->session.pool);
    bool any = go_on(r);
    replay__step(&r->session.pool);
    return any;
}

uint32_t replayer_descriptors(const Replayer *r, struct pollfd *descriptors, uint32_t most)
{
    const Pool *pool = &r->session.pool;
    uint32_t n = 0;
    for (uint32_t i = 0; i < pool->running.len && n < most; i++)
        if (pool->running.data[i]->handle >= 0) descriptors[n++] = (struct pollfd){.fd = pool->running.data[i]->handle, .events = POLLIN};
    return n;
}

void replayer_set_jobs(Replayer *r, uint32_t jobs)
{
    r->session.pool.jobs = jobs;
}

void replayer_finish(Replayer *r, double deadline)
{
    r->session.pool.deadline = deadline;
    while (go_on(r)) replay__advance(&r->session.pool);
}

double replayer_batch_seconds(const Replayer *r)
{
    return r->lanes[LANE_TESTS].seconds;
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
