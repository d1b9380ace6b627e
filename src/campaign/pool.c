/* Processes at work for a campaign: searches of units, refiners that execute what was found once more, and beside them the native replay (replay/beside.c).
 *
 *   search ─▶ test as found ─▶ refiner ─▶ test as it is written ─▶ replayer ─▶ covered
 *
 * Searches of one unit share what is reached; the first one that knows all paths ends the others.  A crash costs the process that crashes what it had
 * not told yet; where it was a search, that is started again without the run that ended it. */
#include "base/line.h"
#include "base/sandbox.h"
#include "campaign/pool_int.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MOST_REFINED = 100,   /* tests that one refiner executes */
    MOST_ATTEMPTS = 8,    /* searches of a unit that may crash */
    MOST_DESCRIPTORS = 64 /* of the replayer that are waited for */
};
#define STOP_SECONDS 0.4  /* that a search has to tell what it knows when it is to end */
#define SILENT_SECONDS 1  /* after which a refiner is taken to be stuck in a test: most take some milliseconds for each.  A guess. */
#define LEAST_SEARCH 1    /* seconds for the search of units that have changed.  A guess. */
#define LEAST_RESERVE 0.7 /* seconds for the last batch of replay and for writing.  A guess. */

/* ---- time ---- */

double campaign__end(const Campaign *c)
{
    return c->options->time > 0 ? c->options->started + c->options->time - c->reserve : 0;
}

uint32_t campaign__processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (uint32_t)n : 1;
}

/* At the end there must be time for the written files, a tenth of all, and for two batches of tests: the one that runs by then, and one of what was found
 * meanwhile.  What is found and not confirmed is worth nothing, so that may be as much as a third of all. */
static void set_deadline(Campaign *c)
{
    double time = c->options->time, reserve = 0.1 * time, most = time / 3;
    if (time <= 0) return;
    if (reserve < LEAST_RESERVE) reserve = LEAST_RESERVE;
    if (c->replayer) reserve += 2 * replayer_batch_seconds(c->replayer);
    if (most < LEAST_RESERVE) most = LEAST_RESERVE < 0.5 * time ? LEAST_RESERVE : 0.5 * time;
    c->search_deadline = campaign__end(c) - (reserve < most ? reserve : most);
    if (c->search_limit > 0 && c->search_limit < c->search_deadline) c->search_deadline = c->search_limit;
}

/* ---- starting processes ---- */

static const sigset_t *stopping_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
    return set;
}

static _Noreturn void be_worker(Work *work, const int ends[2], pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* no guest outlives its campaign */
    if (getppid() != parent) _exit(1);
    setpgid(0, 0);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    sigprocmask(SIG_UNBLOCK, stopping_signals(&(sigset_t){0}), NULL);
    close(ends[0]);
    work->out = line_move_up(ends[1]);
    if (work->search.summaries && !work->again) work->search.lane = lane_start(work->program->branch_count, &work->is_side);
    sandbox_enter(&(Sandbox){.writable = work->search.solve.log ? "/" : NULL, .strict = true});
    campaign__work(work);
}

static Process *free_process(Pool *pool)
{
    for (uint32_t i = 0; i < MOST_PROCESSES; i++)
        if (!pool->processes[i].pid) return &pool->processes[i];
    return NULL;
}

static bool launch(Pool *pool, Process *process, Work *work)
{
    int ends[2];
    if (pipe(ends) != 0) return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fflush(NULL);
    pid_t parent = getpid();
    process->started = process->heard = clock_seconds();
    process->pid = fork();
    if (process->pid == 0) be_worker(work, ends, parent);
    close(ends[1]);
    process->in = ends[0];
    if (process->pid > 0) {
        pool->running++;
        return true;
    }
    process->pid = 0;
    close(ends[0]);
    return false;
}

static Work work_for(const Pool *pool, uint32_t task)
{
    Campaign *campaign = pool->campaign;
    Work work = {.program = campaign->program,
                 .function = pool->tasks[task].function,
                 .unit = pool->tasks[task].name,
                 .search = campaign->options->search,
                 .known = campaign->known,
                 .wanted = pool->shares[task].wanted,
                 .target = campaign->target,
                 .larger = &pool->larger[task]};
    work.search.known = campaign->known;
    work.search.wanted = work.wanted;
    return work;
}

/* An equal part of what is left goes to each unit that was not searched yet. */
static void set_budget(Pool *pool, uint32_t task, SearchOptions *search)
{
    Share *share = &pool->shares[task];
    uint64_t used = pool->campaign->totals.work, left = search->work > used ? search->work - used : 1;
    uint32_t units = 1;
    for (uint32_t i = 0; i < pool->count; i++) units += !pool->shares[i].started;
    if (search->work && !share->work_end) share->work_end = used + left / units;
    if (search->work) search->work = share->work_end > used ? share->work_end - used : 1;
}

void campaign__start_search(Pool *pool, uint32_t task, uint32_t peer)
{
    Process *process = free_process(pool);
    Share *share = &pool->shares[task];
    if (!process) return;
    *process = (Process){.task = task, .way = WAY_SEARCH, .peer = peer};
    Work work = work_for(pool, task);
    SearchOptions *search = &work.search;
    SearchKept *kept = NULL;
    if (campaign__is_counted(pool->campaign)) set_budget(pool, task, search);
    else search->grant = &pool->grants[task];
    if (pool->campaign->search_deadline) work.deadline = search->deadline = pool->campaign->search_deadline;
    search->peers = share->peers;
    search->peer = peer;
    search->summaries &=
        !program_function(work.program, FRONT_GO_ON_IF); /* a summary does not tell which paths of a function are of interest */
    search->summaries &= peer == 0;                      /* one of them has summaries as a technique */
    if (search->summaries || search->strategy == SEARCH_SUMMARIES)
        search->kept = kept = campaign__kept_summaries(pool->campaign, &search->kept_count);
    const char *planted = getenv("CLEW_PLANTED_ERROR");
    if (planted) search->planted = strtoull(planted, NULL, 10);
    search->at_run = &pool->runs[process - pool->processes];
    *search->at_run = 0;
    search->skipped = share->skipped.data;
    search->skipped_count = peer ? 0 : share->skipped.len;
    if (!peer) share->attempts++;
    search->seed += share->other_seed;
    if (!launch(pool, process, &work))
        ledger_add_loss(pool->campaign->ledger, pool->tasks[task].name, "", 0, "cannot start a process for the search");
    free(kept);
}

/* ---- refiners ---- */

static bool is_refiner(const Process *process)
{
    return process->pid && process->way == WAY_REFINE;
}

/* A test may call native functions that wait, for a network say, until the search's time is over.  With counted budgets nothing depends on time. */
static bool is_stuck(const Pool *pool, const Process *process)
{
    return !campaign__is_counted(pool->campaign) && clock_seconds() > process->heard + SILENT_SECONDS;
}

static bool refines(const Pool *pool)
{
    for (uint32_t i = 0; i < MOST_PROCESSES; i++)
        if (is_refiner(&pool->processes[i]) && !is_stuck(pool, &pool->processes[i])) return true;
    return false;
}

static bool refines_unit(const Pool *pool, const char *unit)
{
    for (uint32_t i = 0; i < MOST_PROCESSES; i++)
        if (is_refiner(&pool->processes[i]) && strcmp(pool->tasks[pool->processes[i].task].name, unit) == 0) return true;
    return false;
}

/* The unit of the oldest test that waits and need not wait longer; NULL: none. */
static const char *next_refined(const Pool *pool)
{
    const Ledger *ledger = pool->campaign->ledger;
    for (uint32_t i = 0; i < pool->unrefined.len; i++) {
        const char *unit = ledger->tests.data[pool->unrefined.data[i]].unit;
        if (!refines_unit(pool, unit)) return unit;
    }
    return NULL;
}

static uint32_t task_of(const Pool *pool, const char *unit)
{
    for (uint32_t i = 0; i < pool->count; i++)
        if (strcmp(pool->tasks[i].name, unit) == 0) return i;
    return UINT32_MAX;
}

void campaign__drop_test(Campaign *campaign, uint32_t index, const char *why)
{
    LedgerTest *test = &campaign->ledger->tests.data[index];
    test->kept = false;
    ledger_set_text(&test->trouble, why);
    ledger_touch_test(campaign->ledger, test->id);
}

/* One refiner at a time, with tests of one unit; beside it may be others that are stuck. */
static void start_refiner(Pool *pool)
{
    const Ledger *ledger = pool->campaign->ledger;
    const char *unit = refines(pool) ? NULL : next_refined(pool);
    Process *process = unit ? free_process(pool) : NULL;
    Vec(Record) records = {0};
    uint32_t kept = 0;
    if (!process) return;
    uint32_t task = task_of(pool, unit);
    *process = (Process){.task = task, .way = WAY_REFINE};
    for (uint32_t i = 0; i < pool->unrefined.len; i++) {
        uint32_t index = pool->unrefined.data[i];
        if (records.len < MOST_REFINED && strcmp(ledger->tests.data[index].unit, unit) == 0) {
            vec_push(&process->tests, index);
            vec_push(&records, ledger->tests.data[index].record);
        } else {
            pool->unrefined.data[kept++] = index;
        }
    }
    pool->unrefined.len = kept;
    Work work = task == UINT32_MAX ? (Work){0} : work_for(pool, task);
    work.again = records.data;
    work.again_count = records.len;
    work.deadline = campaign__end(pool->campaign);
    if (task == UINT32_MAX || !launch(pool, process, &work)) {
        for (uint32_t i = 0; i < process->tests.len; i++)
            campaign__drop_test(pool->campaign, process->tests.data[i], "there is no process that could execute it again");
        vec_release(&process->tests);
        *process = (Process){0};
    }
    vec_release(&records);
}

/* Tests that it has not told of are executed by another one, without the first: that is where it ended. */
static void end_refiner(Pool *pool, Process *ended, int status)
{
    uint32_t first = ended->refined;
    if (first < ended->tests.len && (WIFSIGNALED(status) || WEXITSTATUS(status)))
        campaign__drop_test(pool->campaign, ended->tests.data[first++], "Clew could not execute it a second time");
    for (uint32_t i = first; i < ended->tests.len; i++) {
        if (WIFSIGNALED(status)) vec_push(&pool->unrefined, ended->tests.data[i]);
        else campaign__drop_test(pool->campaign, ended->tests.data[i], "there was no time to execute it again");
    }
}

/* ---- ends ---- */

void campaign__end_others(Pool *pool, const Process *winner)
{
    for (uint32_t i = 0; i < MOST_PROCESSES; i++) {
        Process *p = &pool->processes[i];
        if (!p->pid || p == winner || p->task != winner->task || p->way == WAY_REFINE) continue;
        p->done = true; /* there is nothing to explain */
        kill(p->pid, SIGKILL);
    }
}

/* A search that was not ended from here: what happened, and what the user can do. */
static void explain_crash(Pool *pool, const Process *process, int status, uint64_t run)
{
    StrBuf text = {0};
    if (WIFSIGNALED(status)) strbuf_addf(&text, "the search died of signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else strbuf_addf(&text, "the search ended with status %d", WEXITSTATUS(status));
    if (run == SEARCH_REHEARSAL)
        strbuf_add(&text,
                   " while it tried long sequences of inputs, by native code or an internal error of Clew; these were left out then");
    else
        strbuf_addf(&text, " in run %llu, by native code or an internal error of Clew; to see it again: --no-replay --max-runs %llu",
                    (unsigned long long)run, (unsigned long long)run);
    ledger_add_loss(pool->campaign->ledger, pool->tasks[process->task].name, "", 0, text.text);
    strbuf_release(&text);
}

static void end_search(Pool *pool, const Process *ended, int status)
{
    const Task *task = &pool->tasks[ended->task];
    LedgerUnit *unit = &pool->campaign->ledger->units.data[task->unit];
    Share *share = &pool->shares[ended->task];
    unit->runs += ended->progress.runs;
    if (!unit->complete || ended->progress.complete)
        unit->paths += ended->progress.paths; /* a search that was ended by one that knew all paths adds nothing */
    unit->seconds += clock_seconds() - ended->started;
    ledger_touch_unit(pool->campaign->ledger, task->unit);
    bool crashed = WIFSIGNALED(status) || (WEXITSTATUS(status) && !ended->done);
    uint64_t run = pool->runs[ended - pool->processes];
    bool again = crashed && !ended->done && !pool->ended && !ended->peer && share->attempts < MOST_ATTEMPTS;
    if (share->peers && !again) peers_set_gone(share->peers, ended->peer);
    if (crashed && !ended->done && !pool->ended) explain_crash(pool, ended, status, run);
    if (!again) return;
    if (run > 1) vec_push(&share->skipped, run);
    else share->other_seed += MOST_ATTEMPTS; /* the first run takes other inputs */
    campaign__start_search(pool, ended->task, 0);
}

static void finish(Pool *pool, Process *process)
{
    int status = 0;
    while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR) continue;
    kill(-process->pid, SIGKILL); /* what the guest may have started */
    campaign__take_all(pool, process);
    close(process->in);
    strbuf_release(&process->bytes);
    process->pid = 0;
    pool->running--;
    Process ended = *process;
    if (ended.way == WAY_REFINE) end_refiner(pool, &ended, status);
    else end_search(pool, process, status);
    vec_release(&ended.tests);
}

static void receive(Pool *pool, Process *process)
{
    char bytes[65536];
    ssize_t n = read(process->in, bytes, sizeof bytes);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (n <= 0) {
        finish(pool, process);
        return;
    }
    process->heard = clock_seconds();
    strbuf_add_bytes(&process->bytes, bytes, (size_t)n);
    campaign__take_all(pool, process);
}

/* ---- the loop ---- */

static void show(Pool *pool)
{
    const Campaign *c = pool->campaign;
    ReportStatus status = {.phase = "searching", .units = pool->count};
    for (uint32_t i = 0; i < MOST_PROCESSES; i++) {
        const Process *p = &pool->processes[i];
        if (!p->pid || p->waits || p->way == WAY_REFINE || status.unit) continue;
        status.unit = pool->tasks[p->task].name;
        status.strategy = search_strategy_name((SearchStrategy)p->progress.strategy);
    }
    for (uint32_t i = 0; i < pool->count; i++) status.units_done += pool->shares[i].started;
    for (uint32_t i = 0; i < c->ledger->branches.len; i++) {
        status.branches += c->ledger->branches.data[i].counted;
        status.reached += c->ledger->branches.data[i].counted && c->ledger->branches.data[i].reached;
    }
    status.paths = c->totals.paths;
    status.queries = c->totals.queries;
    status.tests = c->ledger->tests.len;
    status.bugs = c->ledger->bugs.len;
    status.seconds = clock_seconds() - c->options->started;
    status.seconds_left = c->options->time > 0 ? campaign__end(c) - clock_seconds() : -1;
    report_status(c->report, &status);
}

static void wait_for_news(Pool *pool)
{
    struct pollfd ends[MOST_PROCESSES + MOST_DESCRIPTORS + 1] = {{.fd = pool->signals, .events = POLLIN}};
    Process *who[MOST_PROCESSES + 1] = {0};
    nfds_t count = 1;
    for (uint32_t i = 0; i < MOST_PROCESSES; i++) {
        if (!pool->processes[i].pid) continue;
        who[count] = &pool->processes[i];
        ends[count++] = (struct pollfd){.fd = pool->processes[i].in, .events = POLLIN};
    }
    nfds_t all = count;
    if (pool->campaign->replayer) all += replayer_descriptors(pool->campaign->replayer, ends + count, MOST_DESCRIPTORS);
    if (poll(ends, all, 50) <= 0) return;
    if (ends[0].revents) pool->campaign->stopped = pool->campaign->interrupted = true;
    for (nfds_t i = 1; i < count; i++)
        if (ends[i].revents) receive(pool, who[i]);
}

void campaign__tell_trouble(Campaign *c)
{
    const char *trouble = c->replayer ? replayer_trouble(c->replayer) : NULL;
    if (!trouble || c->told_trouble) return;
    c->told_trouble = true;
    report_clear(c->report);
    fprintf(stderr, "clew: some tests cannot be built, so what they reach is not confirmed: %s\n", trouble);
}

/* Searches are told to end, and have a moment to tell what they know. */
static void end_searches(Pool *pool)
{
    double now = clock_seconds();
    bool late = pool->campaign->search_deadline && now >= pool->campaign->search_deadline;
    if (!pool->ended && (late || pool->campaign->stopped)) {
        pool->ended = now;
        for (uint32_t i = 0; i < pool->count; i++) pool->grants[i].finish = 1;
    }
    if (!pool->ended || now < pool->ended + STOP_SECONDS) return;
    for (uint32_t i = 0; i < MOST_PROCESSES; i++)
        if (pool->processes[i].pid && pool->processes[i].way != WAY_REFINE) kill(pool->processes[i].pid, SIGKILL);
}

static bool is_searching(const Pool *pool)
{
    for (uint32_t i = 0; i < MOST_PROCESSES; i++)
        if (pool->processes[i].pid && pool->processes[i].way != WAY_REFINE) return true;
    return false;
}

static void kill_all(Pool *pool)
{
    for (uint32_t i = 0; i < MOST_PROCESSES; i++)
        if (pool->processes[i].pid) kill(pool->processes[i].pid, SIGKILL);
    while (pool->running)
        for (uint32_t i = 0; i < MOST_PROCESSES; i++)
            if (pool->processes[i].pid) receive(pool, &pool->processes[i]);
}

static void commit_now_and_then(Pool *pool)
{
    Error error;
    if (clock_seconds() - pool->committed < 0.5) return;
    ledger_commit(pool->campaign->ledger, &error);
    pool->committed = clock_seconds();
}

/* With a counted budget replay comes after the search, so that what is replayed does not depend on how fast it is. */
static void step(Pool *pool)
{
    Campaign *c = pool->campaign;
    wait_for_news(pool);
    set_deadline(c);
    end_searches(pool);
    start_refiner(pool);
    if (c->replayer && !campaign__is_counted(c)) replayer_step(c->replayer);
    campaign__tell_trouble(c);
    show(pool);
    commit_now_and_then(pool);
}

/* Tests of an earlier campaign that was killed before they were refined or replayed. */
static void take_up(Pool *pool)
{
    const Ledger *ledger = pool->campaign->ledger;
    for (uint32_t i = 0; i < ledger->tests.len; i++) {
        const LedgerTest *test = &ledger->tests.data[i];
        if (test->replayed || test->trouble || !test->kept) continue;
        if (!test->refined) vec_push(&pool->unrefined, i);
        else if (pool->campaign->replayer) replayer_add(pool->campaign->replayer, i);
    }
}

/* Where only some units are searched, they get their part of the time. */
static void limit_search(Campaign *c)
{
    double now = clock_seconds(), seconds = (c->search_deadline - now) * c->search_part;
    if (c->search_deadline && c->search_part > 0) c->search_limit = now + (seconds > LEAST_SEARCH ? seconds : LEAST_SEARCH);
}

static void search_all(Pool *pool)
{
    Campaign *c = pool->campaign;
    while ((!pool->ended && !c->stopped && campaign__deal(pool)) || is_searching(pool)) step(pool);
}

/* Refiners that are stuck get half of the time that is left; the other half is for what can be confirmed. */
static void confirm_all(Pool *pool)
{
    Campaign *c = pool->campaign;
    double end = campaign__end(c), now = clock_seconds(), patience = end ? now + (end - now) / 2 : 0;
    if (c->replayer) replayer_set_jobs(c->replayer, campaign__processors());
    while ((pool->unrefined.len || pool->running) && !c->interrupted && (!end || now < end - LEAST_RESERVE / 2)) {
        if (patience && now > patience && !refines(pool) && !next_refined(pool)) break;
        step(pool);
        now = clock_seconds();
    }
}

static void explain_unsearched(const Pool *pool)
{
    for (uint32_t i = 0; i < pool->count; i++)
        if (!pool->shares[i].started)
            ledger_add_loss(pool->campaign->ledger, pool->tasks[i].name, "", 0, "there was no time left to search it");
}

/* The first Ctrl-C ends the search, and what is confirmed by then is written; the next one ends everything. */
void campaign__search(Campaign *campaign, const Task *tasks, uint32_t count)
{
    Pool *pool = mem_alloc(sizeof *pool);
    struct signalfd_siginfo taken;
    sigset_t signals;
    Error error;
    *pool = (Pool){.campaign = campaign, .tasks = tasks, .count = count, .committed = clock_seconds()};
    campaign__open_shares(pool);
    set_deadline(campaign);
    sigprocmask(SIG_BLOCK, stopping_signals(&signals), NULL);
    pool->signals = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
    take_up(pool);
    limit_search(campaign);
    search_all(pool);
    explain_unsearched(pool);
    confirm_all(pool);
    kill_all(pool);
    while (pool->signals >= 0 && read(pool->signals, &taken, sizeof taken) > 0) campaign->stopped = campaign->interrupted = true;
    if (pool->signals >= 0) close(pool->signals);
    sigprocmask(SIG_UNBLOCK, &signals, NULL);
    campaign__close_shares(pool);
    vec_release(&pool->unrefined);
    names_release(&pool->notes);
    free(pool);
    ledger_commit(campaign->ledger, &error);
}
