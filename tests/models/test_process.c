/* Whole processes: this program starts itself twice with the same random script, once on glibc, once on the library; everything that comes
 * out of standard output and standard error, in its order, and the way it ends must be the same. */
#undef NDEBUG /* else assert.h does not declare what it calls */
#include "test.h"

#include "../../src/base/base.h"

#include <assert.h>
#include <err.h>
#include <error.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

MODEL(printf);
MODEL(puts);
MODEL(putchar);
MODEL(fputs);
MODEL(fwrite);
MODEL(fprintf);
MODEL(fflush);
MODEL(perror);
MODEL(write);
MODEL(exit);
MODEL(_exit);
MODEL(quick_exit);
MODEL(at_quick_exit);
MODEL(atexit);
MODEL(on_exit);
MODEL(abort);
MODEL(raise);
MODEL(kill);
MODEL(signal);
MODEL(sigaction);
MODEL(sigprocmask);
MODEL(sigemptyset);
MODEL(sigaddset);
MODEL(getchar);
MODEL(fgets);
MODEL(setvbuf);
MODEL(ungetc);
MODEL(__assert_fail);
MODEL(__assert_perror_fail);
MODEL(warn);
MODEL(warnx);
MODEL(err);
MODEL(errx);
MODEL(error);
MODEL(error_at_line);
MODEL(freopen);
MODEL(fclose);
MODEL(dup2);
MODEL(read);
MODEL(sigismember);
MODEL(sigfillset);
MODEL(sigdelset);
MODEL(sigpending);
extern FILE *model_stdin, *model_stdout, *model_stderr;
extern char *model_program_invocation_name, *model_program_invocation_short_name;
extern int model___isoc99_scanf(const char *, ...);
extern void *model___memcpy_chk(void *, const void *, size_t, size_t);
extern void *__memcpy_chk(void *, const void *, size_t, size_t);
extern int __isoc99_scanf(const char *, ...);

static bool in_model, input_closed, input_used;
#define CALL(name) (in_model ? model_##name : name)
#define OUT (in_model ? model_stdout : stdout)
#define ERR (in_model ? model_stderr : stderr)
#define IN (in_model ? model_stdin : stdin)

/* ---- the script, in the child ---- */

static void set_errno(int value)
{
    errno = model_clew__errno = value;
}

static void say(const char *text)
{
    CALL(write)(1, text, strlen(text));
}

static void plain_handler(void)
{
    CALL(printf)("plain handler\n");
}

static void second_handler(void)
{
    CALL(fputs)("second handler", OUT);
    CALL(atexit)(plain_handler);
}

static void status_handler(int status, void *argument)
{
    CALL(printf)("status %d %s\n", status, (char *)argument);
}

static void on_signal(int number)
{
    CALL(printf)("signal %d\n", number);
    say("<in handler>");
}

static void on_detailed_signal(int number, siginfo_t *info, void *context)
{
    (void)context;
    CALL(printf)("signal %d %d\n", number, info->si_signo);
}

static void output_step(Random *r)
{
    char *text = random_text(r, 0, one_in(r, 10) ? 5000 : 30);
    if (*text && one_in(r, 2)) text[below(r, strlen(text))] = '\n';
    switch (below(r, 10)) {
    case 0: CALL(printf)("%d %s\n", (int)below(r, 1000), text); break;
    case 1: CALL(printf)("%*d,", (int)below(r, one_in(r, 5) ? 5000 : 20), 5); break;
    case 2: CALL(puts)(text); break;
    case 3: CALL(putchar)(one_in(r, 3) ? '\n' : 'x'); break;
    case 4: CALL(fputs)(text, OUT); break;
    case 5: CALL(fwrite)(text, 1, strlen(text), OUT); break;
    case 6: CALL(fprintf)(ERR, "to stderr: %s %d\n", text, 7); break;
    case 7: say(text); break;
    case 8: CALL(fflush)(one_in(r, 2) ? OUT : NULL); break;
    default:
        set_errno((int)below(r, 50));
        CALL(perror)(one_in(r, 2) ? "text" : NULL);
        break;
    }
}

static void input_step(Random *r)
{
    char line[40];
    int value = 0;
    switch (below(r, 5)) {
    case 0: CALL(printf)("(%d)", CALL(getchar)()); break;
    case 1: CALL(printf)("(%s)", CALL(fgets)(line, sizeof line, IN) ? line : "EOF"); break;
    case 2:
        CALL(printf)("(%d", in_model ? model___isoc99_scanf("%d", &value) : __isoc99_scanf("%d", &value));
        CALL(printf)(" %d)", value);
        break;
    case 3: CALL(ungetc)('q', IN); break;
    default: /* allowed only before anything else */
        if (!input_used) CALL(setvbuf)(IN, NULL, _IONBF, 0);
        break;
    }
    input_used = true;
}

static void message_step(Random *r)
{
    set_errno((int)below(r, 40));
    switch (below(r, 5)) {
    case 0: CALL(warn)("warning %d", 5); break;
    case 1: CALL(warnx)("warning %s", "x"); break;
    case 2: CALL(error)(0, (int)below(r, 3), "error %d", 6); break;
    case 3: CALL(error_at_line)(0, (int)below(r, 3), "file.c", 12, "at %d", 6); break;
    default: CALL(warn)(NULL); break;
    }
}

static void signal_step(Random *r)
{
    static const int numbers[] = {SIGUSR1, SIGUSR2, SIGINT, SIGCHLD, SIGTERM, SIGABRT};
    int number = numbers[below(r, 6)];
    sigset_t set;
    struct sigaction action;
    switch (below(r, 7)) {
    case 0: CALL(signal)(number, on_signal); break;
    case 1: CALL(signal)(number, SIG_IGN); break;
    case 2:
        memset(&action, 0, sizeof action);
        action.sa_sigaction = on_detailed_signal;
        action.sa_flags = (int)(SA_SIGINFO | (one_in(r, 2) ? SA_RESETHAND : 0));
        CALL(sigaction)(number, &action, NULL);
        break;
    case 3:
        CALL(sigemptyset)(&set);
        CALL(sigaddset)(&set, number);
        CALL(sigprocmask)(one_in(r, 2) ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
        CALL(sigpending)(&set);
        CALL(printf)("[%d]", CALL(sigismember)(&set, number));
        break;
    case 4: CALL(kill)(getpid(), number == SIGABRT ? SIGUSR1 : number); break;
    default: CALL(raise)(number == SIGABRT ? SIGUSR2 : number); break;
    }
}

static void redirect_step(Random *r)
{
    switch (below(r, 3)) {
    case 0: CALL(setvbuf)(OUT, NULL, one_in(r, 2) ? _IOLBF : _IONBF, 0); break;
    case 1: CALL(dup2)(2, 1); break;
    default:
        if (!input_closed) CALL(fclose)(IN);
        input_closed = true;
        break;
    }
}

static _Noreturn void end_step(Random *r)
{
    char small[4];
    set_errno(ENOENT);
    switch (below(r, 13)) {
    case 0: CALL(__assert_fail)("x == y", "dir/file.c", 17, one_in(r, 2) ? "function" : NULL); break;
    case 1: CALL(__assert_perror_fail)(EINVAL, "file.c", 1, "f"); break;
    case 2: CALL(abort)(); break;
    case 3: CALL(_exit)((int)below(r, 300)); break;
    case 4: CALL(quick_exit)((int)below(r, 300)); break;
    case 5: CALL(err)((int)below(r, 10), "error %d", 3); break;
    case 6: CALL(errx)((int)below(r, 10), "errorx %d", 3); break;
    case 7: CALL(error)(4, EIO, "fatal"); break;
    case 8: CALL(__memcpy_chk)(small, "longer", 7, sizeof small); break;
    case 9: CALL(raise)(SIGTERM); break;
    default: break;
    }
    CALL(exit)((int)below(r, 300));
    __builtin_unreachable();
}

static _Noreturn void run_script(uint64_t seed)
{
    Random random, *r = &random;
    random_seed(r, seed);
    model_program_invocation_name = program_invocation_name;
    model_program_invocation_short_name = program_invocation_short_name;
    if (one_in(r, 2)) CALL(atexit)(plain_handler);
    if (one_in(r, 2)) CALL(on_exit)(status_handler, (void *)(uintptr_t) "argument");
    if (one_in(r, 2)) CALL(atexit)(second_handler);
    if (one_in(r, 2)) CALL(at_quick_exit)(plain_handler);
    for (int i = between(r, 0, 15); i > 0; i--) {
        uint64_t what = below(r, 20);
        if (what < 11) output_step(r);
        else if (what < 14 && !input_closed) input_step(r);
        else if (what < 16) message_step(r);
        else if (what < 18) signal_step(r);
        else if (what == 18 && one_in(r, 2)) redirect_step(r);
    }
    end_step(r);
}

/* Called by main: "--child glibc|model SEED".  The name is made the same for both. */
void process_child(char **arguments);
void process_child(char **arguments)
{
    in_model = strcmp(arguments[0], "model") == 0;
    alarm(20);
    run_script(strtoull(arguments[1], NULL, 10));
}

/* ---- the parent ---- */

typedef struct Outcome {
    char *output;
    size_t length;
    int status;
} Outcome;

static int open_terminal(int *inner)
{
    int outer = posix_openpt(O_RDWR | O_NOCTTY);
    if (outer < 0 || grantpt(outer) || unlockpt(outer)) exit(2);
    *inner = open(ptsname(outer), O_RDWR | O_NOCTTY);
    struct termios settings;
    tcgetattr(*inner, &settings);
    cfmakeraw(&settings);
    tcsetattr(*inner, TCSANOW, &settings);
    return outer;
}

static Outcome run_child(const char *which, uint64_t seed, bool terminal)
{
    Outcome o = {malloc(1 << 20), 0, 0};
    int ends[2], input[2];
    char number[32];
    snprintf(number, sizeof number, "%llu", (unsigned long long)seed);
    if (terminal) ends[0] = open_terminal(&ends[1]);
    else if (pipe(ends)) exit(2);
    if (pipe(input) || write(input[1], "12 34 abc\nline two\n\n x 5\n", 25) != 25) exit(2);
    close(input[1]);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        dup2(input[0], 0);
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        close(ends[0]);
        close(ends[1]);
        close(input[0]);
        execl("/proc/self/exe", "dir/models-test", "--child", which, number, NULL);
        _exit(127);
    }
    close(ends[1]);
    close(input[0]);
    for (ssize_t got; (got = read(ends[0], o.output + o.length, (1 << 20) - o.length)) > 0;) o.length += (size_t)got;
    close(ends[0]);
    waitpid(child, &o.status, 0);
    return o;
}

static bool same_process(Random *r, bool terminal)
{
    uint64_t seed = below(r, UINT32_MAX);
    Outcome a = run_child("glibc", seed, terminal), b = run_child("model", seed, terminal);
    bool same = true;
    size_t at = 0;
    while (at < a.length && at < b.length && a.output[at] == b.output[at]) at++;
    if (a.length != b.length || at < a.length) {
        size_t from = at > 40 ? at - 40 : 0;
        same = differ("seed %llu, byte %zu: glibc \"%s\", model \"%s\"", (unsigned long long)seed, at,
                      shown(a.output + from, a.length - from < 90 ? a.length - from : 90),
                      shown(b.output + from, b.length - from < 90 ? b.length - from : 90));
    } else if ((a.status & 0xff7f) != (b.status & 0xff7f)) {
        same = differ("seed %llu: status %x, model's %x", (unsigned long long)seed, (unsigned)a.status, (unsigned)b.status);
    }
    free(a.output);
    free(b.output);
    return same;
}

static bool trial_process_on_pipe(Random *r)
{
    return same_process(r, false);
}

static bool trial_process_on_terminal(Random *r)
{
    return same_process(r, true);
}

const Trial process_trials[] = {SLOW_TRIAL(process_on_pipe, 80), SLOW_TRIAL(process_on_terminal, 80), {NULL, NULL, 0}};
