/* Processes under limits: compilers and tests, a few at a time, each in a session and process group of its own, so that whatever it started
 * ends with it.
 *
 * A run that has ended is waited for in two steps, first leaving its number taken (WNOWAIT): only then is it certain that killing its group
 * hits nothing else.  Ends are noticed through pidfds; where the kernel has none, by looking every millisecond.  Only children of this pool
 * are waited for: the caller may have others. */
#include "base/sandbox.h"
#include "replay/replay_int.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    EXIT_NOT_FOUND = 127,
    MOST_FILE_BYTES = 256 << 20, /* that a test may write to one file */
    STACK_BYTES = 8 << 20,       /* whatever the shell says: a run should not depend on it */
    MOST_POLL_MS = 100,
};

Run *replay__new_run(void)
{
    Run *run = mem_alloc(sizeof *run);
    run->handle = -1;
    return run;
}

static char *format_list(const char *format, va_list args)
{
    char *text = NULL;
    int n = vasprintf(&text, format, args);
    REQUIRE(n >= 0, "out of memory");
    return text;
}

void replay__add_word(Run *run, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vec_push(&run->words, format_list(format, args));
    va_end(args);
}

void replay__add_environment(Run *run, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vec_push(&run->environment, format_list(format, args));
    va_end(args);
}

static void free_run(Run *run)
{
    for (uint32_t i = 0; i < run->words.len; i++) free(run->words.data[i]);
    for (uint32_t i = 0; i < run->environment.len; i++) free(run->environment.data[i]);
    vec_release(&run->words);
    vec_release(&run->environment);
    free(run->directory);
    free(run->output);
    free(run->errors);
    free(run);
}

/* ---- the child ---- */

static void redirect(const char *path, int to)
{
    int fd = open(path ? path : "/dev/null", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd >= 0) dup2(fd, to);
}

static void limit(int what, uint64_t most)
{
    struct rlimit old;
    if (getrlimit(what, &old) != 0) return;
    if (old.rlim_max != RLIM_INFINITY && most > old.rlim_max) most = old.rlim_max;
    setrlimit(what, &(struct rlimit){.rlim_cur = most, .rlim_max = old.rlim_max});
}

static void confine(const Run *run, pid_t parent)
{
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(EXIT_NOT_FOUND);
    personality(ADDR_NO_RANDOMIZE); /* the same addresses in every run; and old sanitizers fail with some random ones */
    limit(RLIMIT_CORE, 0);
    if (!run->seconds) return; /* a compiler */
    limit(RLIMIT_CPU, (uint64_t)run->seconds + 2);
    limit(RLIMIT_FSIZE, MOST_FILE_BYTES);
    limit(RLIMIT_STACK, STACK_BYTES);
}

/* A test may write only below the directory of this replay. */
static void protect_machine(const Run *run)
{
    char *root = mem_strdup(run->directory), *slash = strrchr(root, '/');
    if (slash && slash != root) *slash = 0;
    setenv("TMPDIR", run->directory, 1);
    sandbox_enter(&(Sandbox){.writable = root});
    free(root);
}

static _Noreturn void be_child(const Run *run, pid_t parent)
{
    if (run->own_directory) protect_machine(run);
    confine(run, parent);
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (null >= 0) dup2(null, STDIN_FILENO);
    redirect(run->output, STDOUT_FILENO);
    redirect(run->errors, STDERR_FILENO);
    for (uint32_t i = 0; i < run->environment.len; i++) putenv(run->environment.data[i]);
    if (run->work) {
        int status = run->work(run->data, run->index);
        fflush(NULL);
        if (status || !run->words.len) _exit(status);
    }
    if (run->directory && chdir(run->directory) != 0) {
        dprintf(STDERR_FILENO, "error: cannot enter the directory %s: %s\n", run->directory, strerror(errno));
        _exit(EXIT_NOT_FOUND);
    }
    if (run->memory) limit(RLIMIT_AS, run->memory); /* last: what comes before may need more than the test is given */
    execvp(run->words.data[0], run->words.data);
    dprintf(STDERR_FILENO, "error: cannot run %s: %s\n", run->words.data[0], strerror(errno));
    _exit(EXIT_NOT_FOUND);
}

/* ---- starting and ending ---- */

static void print_command(const Run *run)
{
    for (uint32_t i = 0; i < run->environment.len; i++) fprintf(stderr, "%s ", run->environment.data[i]);
    for (uint32_t i = 0; i < run->words.len; i++) fprintf(stderr, "%s%s", i ? " " : "", run->words.data[i]);
    fputc('\n', stderr);
}

static void begin(Pool *pool, Run *run)
{
    if (pool->verbose && run->words.len) print_command(run);
    vec_push(&run->words, NULL);
    run->words.len--;
    if (run->own_directory) mkdir(run->directory, 0700);
    fflush(NULL);
    pid_t parent = getpid();
    run->started = clock_seconds();
    run->pid = fork();
    if (run->pid == 0) be_child(run, parent);
    if (run->pid > 0) run->handle = (int)syscall(SYS_pidfd_open, run->pid, 0);
    vec_push(&pool->running, run);
}

static void conclude(Run *run)
{
    if (run->handle >= 0) close(run->handle);
    run->handle = -1;
    if (run->own_directory) replay__remove_tree(run->directory);
    if (run->done) run->done(run->data, run->index, run);
    free_run(run);
}

static void end_group(const Run *run)
{
    kill(-run->pid, SIGKILL);
    kill(run->pid, SIGKILL); /* it may not have its own group yet */
}

static void take_status(Run *run)
{
    int status = 0;
    kill(-run->pid, SIGKILL); /* what it left behind */
    while (waitpid(run->pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (run->result.end == RUN_TIMED_OUT || run->result.end == RUN_NOT_RUN) return;
    run->result.end = WIFSIGNALED(status) ? RUN_SIGNALLED : RUN_EXITED;
    run->result.status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    if (run->result.end == RUN_SIGNALLED && run->result.status == SIGXCPU) run->result.end = RUN_TIMED_OUT;
}

static bool has_ended(Run *run)
{
    if (run->pid < 0) { /* fork failed */
        run->result.end = RUN_NOT_RUN;
        return true;
    }
    siginfo_t info = {0};
    int result = waitid(P_PID, (id_t)run->pid, &info, WEXITED | WNOHANG | WNOWAIT);
    if (result == 0 && !info.si_pid) return false;
    if (result < 0 && errno == EINTR) return false;
    if (result == 0) take_status(run);
    else run->result.end = RUN_NOT_RUN;
    return true;
}

static void end_late_ones(Pool *pool)
{
    double now = clock_seconds();
    for (uint32_t i = 0; i < pool->running.len; i++) {
        Run *run = pool->running.data[i];
        if (run->pid < 0 || run->result.end != RUN_WAITING) continue;
        bool out_of_time = pool->deadline && now >= pool->deadline;
        bool late = run->seconds && !run->is_batch && now - run->started >= run->seconds;
        if (out_of_time) pool->out_of_time = true;
        if (!out_of_time && !late) continue;
        run->result.end = late ? RUN_TIMED_OUT : RUN_NOT_RUN;
        end_group(run);
    }
}

static double next_event(const Pool *pool, double now)
{
    double next = now + MOST_POLL_MS / 1000.0;
    if (pool->deadline && pool->deadline < next) next = pool->deadline;
    for (uint32_t i = 0; i < pool->running.len; i++) {
        const Run *run = pool->running.data[i];
        if (run->seconds && !run->is_batch && run->started + run->seconds < next) next = run->started + run->seconds;
    }
    return next;
}

static void wait_for_some(Pool *pool)
{
    Vec(struct pollfd) handles = {0};
    bool blind = false;
    for (uint32_t i = 0; i < pool->running.len; i++) {
        struct pollfd handle = {.fd = pool->running.data[i]->handle, .events = POLLIN};
        if (handle.fd < 0) blind = true;
        vec_push(&handles, handle);
    }
    double now = clock_seconds(), left = next_event(pool, now) - now;
    int ms = blind || left <= 0 ? 1 : (int)(left * 1000) + 1;
    poll(handles.data, handles.len, ms);
    vec_release(&handles);
}

static void collect(Pool *pool)
{
    for (uint32_t i = 0; i < pool->running.len;) {
        Run *run = pool->running.data[i];
        if (!has_ended(run)) {
            i++;
            continue;
        }
        memmove(&pool->running.data[i], &pool->running.data[i + 1], (pool->running.len - i - 1) * sizeof run);
        pool->running.len--;
        conclude(run); /* may start others */
    }
}

void replay__start(Pool *pool, Run *run)
{
    REQUIRE(run->words.len || run->work, "a run has nothing to do");
    run->number = pool->next_number++;
    run->result.seconds = run->seconds;
    vec_push(&pool->waiting, run);
}

static Run *take_next(Pool *pool)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < pool->waiting.len; i++) {
        const Run *a = pool->waiting.data[i], *b = pool->waiting.data[best];
        if (a->priority < b->priority || (a->priority == b->priority && a->number < b->number)) best = i;
    }
    Run *run = pool->waiting.data[best];
    pool->waiting.data[best] = vec_top(&pool->waiting);
    pool->waiting.len--;
    return run;
}

bool replay__is_busy(const Pool *pool)
{
    return pool->waiting.len || pool->running.len;
}

static void begin_more(Pool *pool)
{
    bool late = pool->deadline && clock_seconds() >= pool->deadline;
    if (late && pool->waiting.len) pool->out_of_time = true;
    while (pool->waiting.len && (late || pool->running.len < pool->jobs)) {
        Run *run = take_next(pool);
        if (!late) {
            begin(pool, run);
            continue;
        }
        run->result.end = RUN_NOT_RUN;
        conclude(run); /* may start others */
    }
}

void replay__step(Pool *pool)
{
    collect(pool);
    end_late_ones(pool);
    begin_more(pool);
}

void replay__advance(Pool *pool)
{
    begin_more(pool);
    if (pool->running.len) wait_for_some(pool);
    collect(pool);
    end_late_ones(pool);
}

void replay__finish(Pool *pool)
{
    while (replay__is_busy(pool)) replay__advance(pool);
    vec_release(&pool->waiting);
    vec_release(&pool->running);
}

/* ---- words and files ---- */

const char *replay__signal_name(int number)
{
    const char *name = sigabbrev_np(number);
    return name ? name : "unknown signal";
}

void replay__describe_end(const RunResult *result, StrBuf *out)
{
    switch (result->end) {
    case RUN_EXITED: strbuf_addf(out, "exit status %d", result->status); break;
    case RUN_SIGNALLED: strbuf_addf(out, "SIG%s", replay__signal_name(result->status)); break;
    case RUN_TIMED_OUT: strbuf_addf(out, "ran longer than %g s", result->seconds); break;
    case RUN_WAITING:
    case RUN_NOT_RUN: strbuf_add(out, NO_TIME); break;
    }
}

char *replay__read_text(const char *path, size_t most)
{
    FILE *file = path ? fopen(path, "r") : NULL;
    char *text = mem_alloc(most + 1);
    size_t n = file ? fread(text, 1, most, file) : 0;
    for (size_t i = 0; i < n; i++)
        if (!text[i]) text[i] = '?';
    if (file) fclose(file);
    return mem_resize(text, n + 1);
}

Status replay__write_text(const char *path, const char *text, Error *error)
{
    FILE *file = fopen(path, "w");
    bool written = file && fputs(text, file) >= 0;
    if (file && fclose(file) != 0) written = false;
    return written ? OK : fail(error, "cannot write %s: %s", path, strerror(errno));
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)info, (void)type, (void)where;
    remove(path);
    return 0;
}

void replay__remove_tree(const char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}
