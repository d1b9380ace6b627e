/* Searches at work: so many processes at a time, what they tell, and their ends.  With more processes than units left, several search the same
 * unit in different orders; the first one that knows all paths ends the others. */
#include "base/sandbox.h"
#include "campaign/campaign_int.h"

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

enum { MOST_WORKERS = 64, HIGH_DESCRIPTOR = 800 };
#define STOP_SECONDS 0.5

typedef struct Process {
    pid_t pid; /* 0: none */
    int in;
    uint32_t task, order;  /* order: the how-manieth search of its task */
    double started, limit; /* limit: when it is ended from here; 0: never */
    double stopped;        /* when it was told to end; 0: it was not */
    StrBuf bytes;
    bool again;           /* executes tests again, see refine.c */
    Vec(uint8_t) refined; /* by number in the unit */
    Vec(uint32_t) tests;  /* number in the unit -> ledger's id; 0: not taken */
    SearchProgress progress;
    bool done;
} Process;

typedef struct Pool {
    Campaign *campaign;
    const Task *tasks;
    uint32_t count, next; /* tasks */
    Process processes[MOST_WORKERS];
    uint32_t running, finished;
    double committed;
    int signals;   /* a descriptor that tells when the user has had enough */
    NameMap notes; /* that were printed */
} Pool;

/* ---- what is told ---- */

static char *outcome_of(const Record *record)
{
    switch (record->end) {
    case END_RETURN: {
        const RecordSeen *result = record_seen(record, "result");
        if (strcmp(record->unit, "main") == 0) return mem_format("exit %d", record->status);
        if (result && result->defined && (result->type == 'i' || result->type == 'u') && result->width <= 64)
            return result->type == 'i'
                       ? mem_format("returns %lld",
                                    (long long)((int64_t)((uint64_t)result->bits << (64 - result->width)) >> (64 - result->width)))
                       : mem_format("returns %llu", (unsigned long long)result->bits);
        return mem_strdup("returns");
    }
    case END_EXIT: return mem_format("exit %d", record->status);
    case END_SIGNAL: return mem_format("signal %d", record->status);
    case END_BUG: return mem_format("bug %s", record->bug);
    case END_ASSUMPTION: return mem_strdup("an assumption does not hold");
    case END_LIMIT: break;
    }
    return mem_strdup("cut off");
}

/* The bug that the run ended in, if it is known already; UINT32_MAX: it is not. */
static uint32_t known_bug(const Ledger *ledger, const Record *record)
{
    for (uint32_t i = 0; i < ledger->bugs.len; i++) {
        const LedgerBug *known = &ledger->bugs.data[i];
        if (known->line == record->line && strcmp(known->kind, record->bug) == 0 && strcmp(known->file, record->file) == 0) return i;
    }
    return UINT32_MAX;
}

static void take_bug(Ledger *ledger, uint32_t test, const Record *record)
{
    uint32_t bug = known_bug(ledger, record);
    if (bug == UINT32_MAX) {
        bug = ledger->bugs.len;
        ledger_add_bug(ledger, &(LedgerBug){.kind = record->bug,
                                            .function = record->function,
                                            .file = record->file,
                                            .line = record->line,
                                            .message = record->message,
                                            .test = test});
    } else if (!ledger->bugs.data[bug].test) { /* of a search that was begun again */
        ledger->bugs.data[bug].test = test;
        ledger_touch_bug(ledger, bug);
    }
    ledger->tests.data[test - 1].bug = bug + 1;
    ledger_touch_test(ledger, test);
}

static void take_test(Pool *pool, Process *process, const Message *message)
{
    Ledger *ledger = pool->campaign->ledger;
    const Record *record = &message->record;
    uint32_t bug = record->end == END_BUG ? known_bug(ledger, record) : UINT32_MAX;
    while (process->tests.len <= message->number) vec_push(&process->tests, 0);
    if (bug != UINT32_MAX && ledger->bugs.data[bug].test && !record->branches.len) return; /* nothing new */
    LedgerTest *test = ledger_add_test(ledger, record->unit, record);
    uint32_t id = test->id;
    test->kept = true;
    test->outcome = outcome_of(record);
    ledger_touch_test(ledger, id);
    process->tests.data[message->number] = id;
    for (uint32_t i = 0; i < record->branches.len; i++) {
        uint32_t branch = record->branches.data[i];
        if (branch >= ledger->branches.len) continue;
        LedgerBranch *b = &ledger->branches.data[branch];
        b->reached = true;
        b->test = id;
        ledger_set_text(&b->reason, NULL);
        ledger_touch_branch(ledger, branch);
    }
    if (record->end == END_BUG) take_bug(ledger, id, record);
}

static void take_refined(Pool *pool, Process *process, const Message *message)
{
    Ledger *ledger = pool->campaign->ledger;
    uint32_t id = message->number < process->tests.len ? process->tests.data[message->number] : 0;
    if (!id) return;
    LedgerTest *test = &ledger->tests.data[id - 1];
    if (test->bug && (!message->record.bug || strcmp(message->record.bug, ledger->bugs.data[test->bug - 1].kind) != 0)) return;
    while (process->refined.len <= message->number) vec_push(&process->refined, 0);
    process->refined.data[message->number] = 1;
    record_release(&test->record);
    record_copy(&test->record, &message->record);
    free(test->outcome);
    test->outcome = outcome_of(&test->record);
    if (test->bug) ledger_set_text(&ledger->bugs.data[test->bug - 1].message, test->record.message);
    ledger_touch_test(ledger, id);
}

static void add_totals(SearchProgress *totals, const SearchProgress *more, int sign)
{
    totals->runs += (uint64_t)sign * more->runs;
    totals->paths += (uint64_t)sign * more->paths;
    totals->instructions += (uint64_t)sign * more->instructions;
    totals->queries += (uint64_t)sign * more->queries;
    totals->solver_seconds += sign * more->solver_seconds;
    if (more->peak_rss_kib > totals->peak_rss_kib) totals->peak_rss_kib = more->peak_rss_kib;
}

static void take_progress(Pool *pool, Process *process, const SearchProgress *progress)
{
    add_totals(&pool->campaign->totals, &process->progress, -1);
    add_totals(&pool->campaign->totals, progress, 1);
    process->progress = *progress;
}

static void end_rivals(Pool *pool, const Process *winner)
{
    for (uint32_t i = 0; i < MOST_WORKERS; i++) {
        Process *p = &pool->processes[i];
        if (p->pid && p != winner && p->task == winner->task && !p->again) kill(p->pid, SIGKILL);
    }
}

static void take_done(Pool *pool, Process *process, const SearchProgress *progress)
{
    const Task *task = &pool->tasks[process->task];
    LedgerUnit *unit = &pool->campaign->ledger->units.data[task->unit];
    take_progress(pool, process, progress);
    process->done = true;
    unit->done |= progress->ended;
    unit->complete |= progress->complete;
    ledger_touch_unit(pool->campaign->ledger, task->unit);
    if (progress->complete) end_rivals(pool, process);
    if (progress->found) pool->campaign->stopped = true;
}

static void print_note(Pool *pool, const char *text)
{
    if (names_find(&pool->notes, text)) return;
    names_put(&pool->notes, text, 1);
    report_clear(pool->campaign->report);
    fprintf(stderr, "clew: %s\n", text);
}

static void take(Pool *pool, Process *process, Message *message)
{
    Ledger *ledger = pool->campaign->ledger;
    const char *unit = pool->tasks[process->task].name;
    switch (message->kind) {
    case MESSAGE_TEST: take_test(pool, process, message); break;
    case MESSAGE_REFINED: take_refined(pool, process, message); break;
    case MESSAGE_NOTE: print_note(pool, message->text); break;
    case MESSAGE_LOSS: ledger_add_loss(ledger, unit, message->file, message->number, message->text); break;
    case MESSAGE_OPEN:
        if (message->number >= ledger->branches.len || ledger->branches.data[message->number].reached) break;
        ledger_set_text(&ledger->branches.data[message->number].reason, message->text);
        ledger_touch_branch(ledger, message->number);
        break;
    case MESSAGE_SUMMARY: ledger_add_summary(ledger, &message->summary); break;
    case MESSAGE_PROGRESS: take_progress(pool, process, &message->progress); break;
    case MESSAGE_DONE: take_done(pool, process, &message->progress); break;
    case MESSAGE_ERROR: ledger_add_loss(ledger, unit, "", 0, message->text); break;
    }
    record_release(&message->record);
}

static void take_all(Pool *pool, Process *process)
{
    size_t at = 0, used;
    Message message;
    while (message_take(process->bytes.text + at, process->bytes.len - at, &message, &used)) {
        take(pool, process, &message);
        at += used;
    }
    if (at) memmove(process->bytes.text, process->bytes.text + at, process->bytes.len - at); /* a process that said nothing has no bytes */
    process->bytes.len -= at;
}

/* ---- processes ---- */

/* How long a unit may take: more than its share of what is left, since most need less. */
static double share(const Pool *pool)
{
    double left = pool->campaign->search_deadline - clock_seconds();
    uint32_t units = pool->count - pool->next + pool->running, jobs = pool->campaign->options->jobs;
    uint32_t rounds = (units + jobs - 1) / jobs;
    double mine = rounds > 1 ? left * 2 / (rounds + 1.0) : left;
    return mine > 0.1 ? mine : 0.1;
}

static Work work_for(const Pool *pool, const Process *process)
{
    Campaign *campaign = pool->campaign;
    const Task *task = &pool->tasks[process->task];
    Work work = {.program = campaign->program,
                 .function = task->function,
                 .unit = task->name,
                 .search = campaign->options->search,
                 .known = campaign->known,
                 .wanted = campaign->wanted,
                 .target = campaign->target};
    static const SearchStrategy orders[] = {SEARCH_AUTO, SEARCH_GENERATIONAL, SEARCH_CFG, SEARCH_RANDOM};
    work.search.known = campaign->known;
    work.search.wanted = campaign->wanted;
    if (process->order) {
        work.search.seed += process->order;
        if (work.search.strategy == SEARCH_AUTO) work.search.strategy = orders[process->order % COUNT_OF(orders)];
    }
    work.search.summaries &= work.search.strategy == SEARCH_AUTO;
    if (campaign->search_deadline) {
        work.deadline = clock_seconds() + share(pool);
        work.search.deadline = work.deadline - 0.1 * share(pool);
    }
    return work;
}

static Process *free_process(Pool *pool)
{
    for (uint32_t i = 0; i < MOST_WORKERS; i++)
        if (!pool->processes[i].pid) return &pool->processes[i];
    return NULL;
}

static const sigset_t *stopping_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
    return set;
}

static void work_in_sandbox(void *data, Race *race)
{
    Work *work = data;
    work->search.race = race;
    work->search.in_place = race && !race_by_summaries(race);
    sandbox_enter(&(Sandbox){.writable = work->search.solve.log ? "/" : NULL, .strict = true});
    campaign__work(work);
}

static _Noreturn void be_worker(Work *work, const int ends[2], pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* no guest outlives its campaign */
    if (getppid() != parent) _exit(1);
    setpgid(0, 0);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    sigprocmask(SIG_UNBLOCK, stopping_signals(&(sigset_t){0}), NULL);
    close(ends[0]);
    work->out = fcntl(ends[1], F_DUPFD, HIGH_DESCRIPTOR); /* where the guest does not close it by chance */
    if (work->out < 0) work->out = ends[1];
    else close(ends[1]);
    if (work->again || !work->search.both_ways) work_in_sandbox(work, NULL);
    RaceOptions race = {.held = work->out, .strict = work->search.max_runs, .both = true, .limit = work->deadline};
    int status = race_run(&race, work_in_sandbox, work);
    if (WIFSIGNALED(status)) raise(WTERMSIG(status));
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

static bool launch(Pool *pool, Process *process, Work *work)
{
    int ends[2];
    if (pipe(ends) != 0) return false;
    fflush(NULL);
    pid_t parent = getpid();
    process->pid = fork();
    if (process->pid == 0) be_worker(work, ends, parent);
    close(ends[1]);
    process->in = ends[0];
    if (process->pid > 0) {
        process->limit = work->deadline ? work->deadline + 0.2 : 0;
        pool->running++;
        return true;
    }
    process->pid = 0;
    close(ends[0]);
    return false;
}

static void start(Pool *pool, uint32_t task, uint32_t order)
{
    Process *process = free_process(pool);
    if (!process) return;
    *process = (Process){.task = task, .order = order, .started = clock_seconds()};
    Work work = work_for(pool, process);
    SearchKept *kept = work.search.summaries ? campaign__kept_summaries(pool->campaign, &work.search.kept_count) : NULL;
    work.search.kept = kept;
    if (!launch(pool, process, &work))
        ledger_add_loss(pool->campaign->ledger, pool->tasks[task].name, "", 0, "cannot start a process for the search");
    free(kept);
}

static void explain_end(Pool *pool, const Process *process, int status)
{
    const char *unit = pool->tasks[process->task].name;
    bool ended = WIFSIGNALED(status) && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGTERM);
    if (process->done || (ended && pool->campaign->stopped)) return;
    char text[160];
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        snprintf(text, sizeof text, "the search was ended at its time limit, in native code or in a question to the solver");
    else if (WIFSIGNALED(status))
        snprintf(text, sizeof text, "the search died of signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else snprintf(text, sizeof text, "the search ended early, with status %d", WEXITSTATUS(status));
    bool rival = false;
    for (uint32_t i = 0; i < MOST_WORKERS; i++)
        rival |= pool->processes[i].done && !pool->processes[i].again && pool->processes[i].task == process->task;
    if (!rival) ledger_add_loss(pool->campaign->ledger, unit, "", 0, text);
}

/* What a search that was ended had no time for: its tests, with their final inputs and what they do. */
static void execute_again(Pool *pool, const Process *ended)
{
    Ledger *ledger = pool->campaign->ledger;
    Process *process = free_process(pool);
    Vec(Record) records = {0};
    if (!process) return;
    *process = (Process){.task = ended->task, .again = true, .started = clock_seconds()};
    for (uint32_t i = 0; i < ended->tests.len; i++) {
        bool done = i < ended->refined.len && ended->refined.data[i];
        if (!ended->tests.data[i] || done) continue;
        vec_push(&process->tests, ended->tests.data[i]);
        vec_push(&records, ledger->tests.data[ended->tests.data[i] - 1].record);
    }
    Work work = work_for(pool, process);
    work.again = records.data;
    work.again_count = records.len;
    if (work.deadline) work.deadline = clock_seconds() + 0.5 + 0.03 * pool->campaign->options->time;
    if (!records.len || !launch(pool, process, &work)) vec_release(&process->tests);
    vec_release(&records);
}

/* A test that could not be executed again is not written: what it is given and what it does is not known well enough. */
static void drop_unrefined(Pool *pool, const Process *ended)
{
    Ledger *ledger = pool->campaign->ledger;
    for (uint32_t i = 0; i < ended->tests.len; i++) {
        if (!ended->tests.data[i] || (i < ended->refined.len && ended->refined.data[i])) continue;
        LedgerTest *test = &ledger->tests.data[ended->tests.data[i] - 1];
        test->kept = false;
        ledger_set_text(&test->trouble, "there was no time to execute it again");
        ledger_touch_test(ledger, test->id);
    }
}

static void account_for(Pool *pool, const Process *ended, int status)
{
    const Task *task = &pool->tasks[ended->task];
    LedgerUnit *unit = &pool->campaign->ledger->units.data[task->unit];
    explain_end(pool, ended, status);
    unit->runs += ended->progress.runs;
    unit->paths = ended->progress.paths > unit->paths ? ended->progress.paths : unit->paths;
    unit->seconds += clock_seconds() - ended->started;
    ledger_touch_unit(pool->campaign->ledger, task->unit);
    bool others = false;
    for (uint32_t i = 0; i < MOST_WORKERS; i++)
        others |= pool->processes[i].pid && !pool->processes[i].again && pool->processes[i].task == ended->task;
    pool->finished += !others;
    execute_again(pool, ended);
}

static void finish(Pool *pool, Process *process)
{
    int status = 0;
    while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR) continue;
    kill(-process->pid, SIGKILL); /* what the guest may have started */
    take_all(pool, process);
    Process ended = *process;
    close(process->in);
    strbuf_release(&process->bytes);
    process->pid = 0;
    pool->running--;
    if (ended.again) drop_unrefined(pool, &ended);
    else account_for(pool, &ended, status);
    vec_release(&ended.tests);
    vec_release(&ended.refined);
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
    strbuf_add_bytes(&process->bytes, bytes, (size_t)n);
    take_all(pool, process);
}

/* ---- the loop ---- */

static void show(Pool *pool)
{
    const Campaign *c = pool->campaign;
    ReportStatus status = {.phase = "searching", .units = pool->count, .units_done = pool->finished};
    for (uint32_t i = 0; i < MOST_WORKERS && !status.unit; i++) {
        if (!pool->processes[i].pid) continue;
        status.unit = pool->tasks[pool->processes[i].task].name;
        status.strategy = search_strategy_name((SearchStrategy)pool->processes[i].progress.strategy);
    }
    for (uint32_t i = 0; i < c->ledger->branches.len; i++) {
        status.branches += c->ledger->branches.data[i].counted;
        status.reached += c->ledger->branches.data[i].counted && c->ledger->branches.data[i].reached;
    }
    status.paths = c->totals.paths;
    status.queries = c->totals.queries;
    status.tests = c->ledger->tests.len;
    for (uint32_t i = 0; i < MOST_WORKERS; i++) {
        if (!pool->processes[i].pid) continue;
        status.reached += pool->processes[i].progress.held_branches;
        status.tests += pool->processes[i].progress.held_tests;
    }
    status.bugs = c->ledger->bugs.len;
    status.seconds = clock_seconds() - c->options->started;
    status.seconds_left = c->options->time > 0 ? c->options->started + c->options->time - clock_seconds() : -1;
    report_status(c->report, &status);
}

static void wait_for_news(Pool *pool)
{
    struct pollfd ends[MOST_WORKERS + 1] = {{.fd = pool->signals, .events = POLLIN}};
    Process *who[MOST_WORKERS + 1] = {0};
    nfds_t count = 1;
    for (uint32_t i = 0; i < MOST_WORKERS; i++) {
        if (!pool->processes[i].pid) continue;
        who[count] = &pool->processes[i];
        ends[count++] = (struct pollfd){.fd = pool->processes[i].in, .events = POLLIN};
    }
    if (poll(ends, count, 50) <= 0) return;
    if (ends[0].revents) pool->campaign->stopped = true;
    for (nfds_t i = 1; i < count; i++)
        if (ends[i].revents) receive(pool, who[i]);
}

static void end_late_ones(Pool *pool)
{
    double now = clock_seconds();
    for (uint32_t i = 0; i < MOST_WORKERS; i++) {
        Process *p = &pool->processes[i];
        if (!p->pid) continue;
        if (pool->campaign->stopped && !p->again && !p->stopped) { /* what it holds back is let through */
            kill(p->pid, SIGTERM);
            p->stopped = now;
        }
        if ((p->limit && now > p->limit) || (p->stopped && now > p->stopped + STOP_SECONDS)) kill(p->pid, SIGKILL);
    }
}

static void start_more(Pool *pool)
{
    const Campaign *c = pool->campaign;
    uint32_t jobs = c->options->jobs < MOST_WORKERS ? c->options->jobs : MOST_WORKERS;
    bool late = c->search_deadline && clock_seconds() >= c->search_deadline;
    while (!late && !c->stopped && pool->running < jobs && pool->next < pool->count) {
        uint32_t task = pool->next++, rivals = pool->next == pool->count ? jobs - pool->running : 1;
        for (uint32_t i = 0; i < (c->options->search.max_runs ? 1 : rivals); i++) start(pool, task, i);
    }
    for (; late && pool->next < pool->count; pool->next++)
        ledger_add_loss(c->ledger, pool->tasks[pool->next].name, "", 0, "there was no time left to search it");
}

/* The first Ctrl-C ends the search, and what it has found is written; the next one ends everything. */
void campaign__search(Campaign *campaign, const Task *tasks, uint32_t count)
{
    Pool pool = {.campaign = campaign, .tasks = tasks, .count = count, .committed = clock_seconds()};
    sigset_t signals;
    Error error;
    sigprocmask(SIG_BLOCK, stopping_signals(&signals), NULL);
    pool.signals = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
    for (start_more(&pool); pool.running; start_more(&pool)) {
        wait_for_news(&pool);
        end_late_ones(&pool);
        show(&pool);
        if (clock_seconds() - pool.committed > 0.5) {
            ledger_commit(campaign->ledger, &error);
            pool.committed = clock_seconds();
        }
    }
    struct signalfd_siginfo taken;
    while (pool.signals >= 0 && read(pool.signals, &taken, sizeof taken) > 0) campaign->stopped = true;
    if (pool.signals >= 0) close(pool.signals);
    names_release(&pool.notes);
    sigprocmask(SIG_UNBLOCK, &signals, NULL);
    ledger_commit(campaign->ledger, &error);
}
