#include "search/race.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdalign.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BY_SUMMARIES, BY_PATHS, WAYS, NOBODY = WAYS };
enum {
    SMALL_WORK = 3000000, /* that summaries may take in any case: fewer runs are worth it */
    FEW_RUNS = 1000,
    FEW_RUNS_SMALL_WORK = 13000000, /* … where path by path needs few, … */
    FEW_RUNS_WORK = 8000000,        /* … or so much more than that does */
    SOME_WORK = 60000000,           /* of path by path: a little more is not felt, … */
    LITTLE_WORK = 16000000,         /* … though it is where nearly all time is that of the start */
    CLOSE = 2,                      /* times the work of the other: about the same */
    OPEN_WORK = 1500000000,         /* that is waited for where one way has left something open, … */
    LITTLE_OPEN_WORK = 15000000,    /* … for summaries that have found no more, … */
    ENOUGH_WORK = 125000000,        /* … where one came to a limit of runs */
    HIGH_DESCRIPTOR = 800           /* where a guest does not close it by chance */
};
#define MOST_SPEED 2e9   /* units of work in a second: what seems more is too little to be measured */
#define LATE_SECONDS 0.3 /* that one may be later than the other */
#define NAP 0.0002       /* that passes before it is looked whether it is decided, … */
#define LONGEST_NAP 0.01 /* … after a while */
#define LONG 3600.0

typedef struct Lane {                   /* of one process, for the other to see */
    alignas(128) _Atomic uint64_t work; /* no cache line is shared */
    _Atomic uint64_t shown;
    _Atomic uint32_t found;
    _Atomic bool is_ended;
    RaceEnd end;
} Lane;

typedef struct Runner { /* a process as the waiting one sees it */
    pid_t pid;
    int line;    /* it says there that it has ended, and hears that it has won */
    int written; /* what it wrote, held back */
    bool is_dead;
    int status;     /* then */
    uint64_t work;  /* that it has done */
    double seconds; /* of processor time */
} Runner;

struct Race {
    Lane *lanes; /* shared */
    unsigned way;
    int held, real, written, line;
    bool is_won;
    struct sigaction before[2]; /* what signals did */
};

static volatile sig_atomic_t has_to_stop;

static void on_signal(int number)
{
    has_to_stop = number;
}

/* ---- in the two processes ---- */

bool race_by_summaries(const Race *race)
{
    return race->way == BY_SUMMARIES;
}

int race_live(const Race *race)
{
    return race->is_won ? race->held : race->way == BY_PATHS ? race->real : -1;
}

_Atomic uint64_t *race_shown(Race *race)
{
    return &race->lanes[race->way].shown;
}

void race_note(Race *race, uint64_t work, uint32_t found)
{
    Lane *lane = &race->lanes[race->way];
    atomic_store_explicit(&lane->shown, 0, memory_order_relaxed); /* first: it is never counted twice */
    atomic_store_explicit(&lane->work, work, memory_order_release);
    atomic_store_explicit(&lane->found, found, memory_order_relaxed);
}

static void let_through(int from, int to)
{
    char bytes[65536];
    off_t at = 0;
    for (ssize_t n; (n = pread(from, bytes, sizeof bytes, at)) > 0; at += n)
        for (ssize_t k = 0, more; k < n; k += more) {
            more = write(to, bytes + k, (size_t)(n - k));
            if (more < 0 && errno == EINTR) more = 0;
            if (more < 0) return;
        }
}

void race_end(Race *race, const RaceEnd *end)
{
    Lane *lane = &race->lanes[race->way];
    char word = 'e';
    race_note(race, end->work, end->found);
    lane->end = *end;
    lane->is_ended = true;
    while (write(race->line, &word, 1) < 0 && errno == EINTR) continue;
    ssize_t n;
    while ((n = read(race->line, &word, 1)) < 0 && errno == EINTR) continue;
    if (n != 1) _exit(1); /* nobody waits any more */
    fflush(NULL);
    let_through(race->written, race->real);
    dup2(race->real, race->held);
    race->is_won = true;
}

/* ---- who wins ---- */

/* What summaries may take where path by path is done; `otherwise`: if that took long. */
static uint64_t allowed(const RaceEnd *paths, uint64_t otherwise)
{
    uint64_t most = otherwise, least = SMALL_WORK;
    if (paths->runs <= FEW_RUNS) {
        most = paths->work + paths->work / 8 + FEW_RUNS_WORK;
        least = FEW_RUNS_SMALL_WORK;
    } else if (paths->work >= LITTLE_WORK && paths->work <= SOME_WORK) {
        most = paths->work + paths->work / 16;
    }
    return most < least ? least : most;
}

/* What one way, which has found more or not, may take where the other has left something open.  Mostly it will do so, too; path by path would be over
 * then without the other, so little is waited for. */
static uint64_t longer(unsigned ended, const RaceEnd *end, bool more)
{
    if (end->is_enough) return end->work + end->work / 4 + ENOUGH_WORK;
    if (ended == BY_PATHS && !more) return end->work + LITTLE_OPEN_WORK;
    return end->work + end->work / 4 + OPEN_WORK;
}

/* Would it have been decided for this one before the other had done so much? */
static bool was_enough(unsigned way, const RaceEnd *end, uint64_t work)
{
    return !end->is_done && !end->is_late && work > longer(way, end, false);
}

/* Both have ended. */
static unsigned better(const RaceEnd *summaries, const RaceEnd *paths, bool strict)
{
    if (summaries->is_done && paths->is_done) return summaries->work <= allowed(paths, paths->work) ? BY_SUMMARIES : BY_PATHS;
    if (strict && was_enough(BY_PATHS, paths, summaries->work)) return BY_PATHS;
    if (strict && was_enough(BY_SUMMARIES, summaries, paths->work)) return BY_SUMMARIES;
    if (summaries->is_done != paths->is_done) return summaries->is_done ? BY_SUMMARIES : BY_PATHS;
    return summaries->found >= paths->found ? BY_SUMMARIES : BY_PATHS;
}

/* One has ended; the other one has taken so much work, and goes on. */
static unsigned first(unsigned ended, const RaceEnd *end, uint64_t work, uint32_t found, bool strict)
{
    bool wins;
    uint64_t close = strict ? end->work : end->work / CLOSE;
    if (end->is_late) wins = false;
    else if (!end->is_done) wins = work > longer(ended, end, !strict && found > end->found);
    else if (ended == BY_SUMMARIES) wins = end->work <= SMALL_WORK || work >= close;
    else wins = work > allowed(end, close);
    return wins ? ended : NOBODY;
}

static unsigned decide(const Race *race, const Runner *runners, bool strict)
{
    const Lane *lanes = race->lanes;
    bool ended[WAYS] = {lanes[0].is_ended, lanes[1].is_ended};
    if (ended[0] && ended[1]) return better(&lanes[BY_SUMMARIES].end, &lanes[BY_PATHS].end, strict);
    for (unsigned way = 0; way < WAYS; way++) {
        if (!ended[way]) continue;
        return runners[!way].is_dead ? way : first(way, &lanes[way].end, runners[!way].work, lanes[!way].found, strict);
    }
    return NOBODY;
}

/* It has to end now. */
static unsigned best_so_far(const Race *race)
{
    const Lane *s = &race->lanes[BY_SUMMARIES], *p = &race->lanes[BY_PATHS];
    if (s->is_ended != p->is_ended) return s->is_ended ? BY_SUMMARIES : BY_PATHS;
    return s->found >= p->found ? BY_SUMMARIES : BY_PATHS;
}

/* ---- waiting ---- */

static double processor_seconds(pid_t pid)
{
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* The work that a process has done: what it has noted, or what the one that has ended would have done in the time it took, or half of
 * that if it took too little to be measured well.  Path by path may take its time where summaries have left something open. */
static void look(const Race *race, Runner *runners, unsigned way, bool strict)
{
    const Lane *lane = &race->lanes[way], *ended = &race->lanes[!way];
    runners[way].work = lane->work + lane->shown;
    runners[way].seconds = processor_seconds(runners[way].pid);
    bool counts = ended->is_ended && (ended->end.is_done || way == BY_SUMMARIES);
    if (strict || !counts || runners[!way].is_dead) return;
    double speed = (double)ended->end.work / (runners[!way].seconds + 1e-9);
    double work = runners[way].seconds * (speed < MOST_SPEED ? speed : MOST_SPEED) /
                  (ended->end.is_done && ended->end.work <= SOME_WORK ? 2 : 1);
    if (work > (double)runners[way].work) runners[way].work = (uint64_t)work;
}

static void reap(Runner *runner)
{
    while (waitpid(runner->pid, &runner->status, 0) < 0 && errno == EINTR) continue;
    runner->is_dead = true;
}

/* Until something happens, or for so many seconds. */
static void wait_for_news(Runner *runners, double seconds)
{
    struct pollfd lines[WAYS];
    time_t whole = (time_t)seconds;
    struct timespec most = {.tv_sec = whole, .tv_nsec = (long)((seconds - (double)whole) * 1e9)};
    for (unsigned way = 0; way < WAYS; way++)
        lines[way] = (struct pollfd){.fd = runners[way].is_dead ? -1 : runners[way].line, .events = POLLIN};
    if (ppoll(lines, WAYS, &most, NULL) <= 0) return;
    for (unsigned way = 0; way < WAYS; way++) {
        char word;
        if (!lines[way].revents || runners[way].is_dead) continue;
        if (read(runners[way].line, &word, 1) != 1) reap(&runners[way]);
    }
}

static unsigned wait_for_winner(const Race *race, const RaceOptions *options, Runner *runners)
{
    double late = 0, nap = NAP;
    for (;;) {
        unsigned winner = decide(race, runners, options->strict);
        double now = clock_seconds();
        bool is_late = (race->lanes[0].is_ended && race->lanes[0].end.is_late) || (race->lanes[1].is_ended && race->lanes[1].end.is_late);
        if (winner != NOBODY) return winner;
        if (is_late && !late) late = now + LATE_SECONDS;
        bool over = has_to_stop || (runners[0].is_dead && runners[1].is_dead) || (options->limit > 0 && now >= options->limit);
        if (over || (late && now >= late)) return best_so_far(race);
        bool waits = race->lanes[0].is_ended || race->lanes[1].is_ended;
        wait_for_news(runners, waits ? nap : options->limit > 0 ? options->limit - now : LONG);
        if (waits && nap < LONGEST_NAP) nap += nap / 16;
        for (unsigned way = 0; way < WAYS; way++)
            if (race->lanes[way].is_ended && !runners[way].is_dead) look(race, runners, way, options->strict);
        for (unsigned way = 0; way < WAYS; way++)
            if (!race->lanes[way].is_ended && !runners[way].is_dead) look(race, runners, way, options->strict);
    }
}

static void end_runner(Runner *runner)
{
    if (runner->is_dead) return;
    kill(runner->pid, SIGKILL);
    reap(runner);
}

/* The rest of what the winner does.  One that cannot go on has said what it had to say. */
static void follow(const Race *race, bool both, unsigned winner, Runner *runners)
{
    Runner *runner = &runners[winner];
    bool ended = race->lanes[winner].is_ended, goes_on = ended && !runner->is_dead;
    if (both && (!ended || race->lanes[winner].end.is_late)) {
        end_runner(&runners[!winner]);
        let_through(runners[!winner].written, race->held);
    }
    if (goes_on) {
        while (write(runner->line, "g", 1) < 0 && errno == EINTR) continue;
        end_runner(&runners[!winner]);
        while (waitpid(runner->pid, &runner->status, 0) < 0 && errno == EINTR)
            if (has_to_stop) kill(runner->pid, SIGKILL);
        runner->is_dead = true;
    } else {
        end_runner(&runners[!winner]);
        end_runner(runner);
        let_through(runner->written, race->held);
    }
}

/* ---- starting ---- */

static int move_up(int descriptor)
{
    int high = fcntl(descriptor, F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR);
    if (high < 0) return descriptor;
    close(descriptor);
    return high;
}

static const int stopping[] = {SIGINT, SIGTERM};

/* Those that are ignored stay so. */
static void catch_signals(Race *race)
{
    struct sigaction action = {.sa_handler = on_signal};
    has_to_stop = 0;
    for (size_t i = 0; i < COUNT_OF(stopping); i++) {
        sigaction(stopping[i], NULL, &race->before[i]);
        if (race->before[i].sa_handler != SIG_IGN) sigaction(stopping[i], &action, NULL);
    }
}

static void restore_signals(const Race *race)
{
    for (size_t i = 0; i < COUNT_OF(stopping); i++) sigaction(stopping[i], &race->before[i], NULL);
}

static _Noreturn void be_runner(Race *race, pid_t parent, void (*run)(void *data, Race *race), void *data)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    restore_signals(race);
    race->real = move_up(dup(race->held));
    if (race->real < 0 || dup2(race->written, race->held) < 0) _exit(1);
    run(data, race);
    _exit(1);
}

static bool start(Race *race, Runner *runner, void (*run)(void *data, Race *race), void *data)
{
    int ends[2];
    pid_t parent = getpid();
    runner->written = move_up(memfd_create("clew", MFD_CLOEXEC));
    if (runner->written < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
    runner->line = move_up(ends[0]);
    race->line = move_up(ends[1]);
    race->written = runner->written;
    runner->pid = fork();
    if (runner->pid == 0) {
        close(runner->line);
        be_runner(race, parent, run, data);
    }
    close(race->line);
    return runner->pid > 0;
}

int race_run(const RaceOptions *options, void (*run)(void *data, Race *race), void *data)
{
    Runner runners[WAYS] = {{.is_dead = true, .written = -1, .line = -1}, {.is_dead = true, .written = -1, .line = -1}};
    Race race = {.held = options->held};
    race.lanes = mmap(NULL, WAYS * sizeof *race.lanes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(race.lanes != MAP_FAILED, "no memory for two processes");
    fflush(NULL);
    catch_signals(&race);
    for (race.way = WAYS; race.way-- > 0;) runners[race.way].is_dead = !start(&race, &runners[race.way], run, data);
    unsigned winner = wait_for_winner(&race, options, runners);
    follow(&race, options->both, winner, runners);
    for (unsigned way = 0; way < WAYS; way++) {
        if (runners[way].written >= 0) close(runners[way].written);
        if (runners[way].line >= 0) close(runners[way].line);
    }
    munmap(race.lanes, WAYS * sizeof *race.lanes);
    restore_signals(&race);
    if (has_to_stop) raise(has_to_stop);
    return runners[winner].status;
}
