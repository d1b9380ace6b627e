/* What the commands share: the arguments that name a program, loading it, and a child process for what may go wrong. */
#include "cli/common.h"
#include "base/native.h"
#include "cli/cli.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- arguments ---- */

int cli_complain(const char *format, const char *what)
{
    fprintf(stderr, "clew: ");
    fprintf(stderr, format, what);
    fprintf(stderr, " (see `clew --help`)\n");
    return EXIT_USAGE;
}

int cli_parse(int argc, char **argv, int (*parse_one)(void *options, int argc, char **argv, int *i), void *options, Words *guest)
{
    vec_push(guest, NULL);
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            for (i++; i < argc; i++) vec_push(guest, argv[i]);
            break;
        }
        if (strcmp(argv[i], "--help") == 0) {
            cli_usage();
            exit(EXIT_DONE);
        }
        int status = parse_one(options, argc, argv, &i);
        if (status) return status;
    }
    return 0;
}

bool cli_positive_number(const char *text, double *value)
{
    char *end;
    errno = 0;
    *value = strtod(text, &end);
    return end != text && *end == 0 && errno == 0 && *value > 0;
}

static bool takes_word(const char *flag)
{
    static const char *const flags[] = {"-I",       "-D", "-U",      "-include", "-isystem", "-iquote", "-idirafter",
                                        "-imacros", "-x", "-Xclang", "-target",  "-l",       "-L"};
    for (size_t i = 0; i < COUNT_OF(flags); i++)
        if (strcmp(flag, flags[i]) == 0) return true;
    return false;
}

static void add_flag(Sources *sources, const char *flag, const char *word)
{
    if (flag[0] == '-' && (flag[1] == 'l' || flag[1] == 'L')) {
        const char *name = word ? word : flag + 2;
        if (flag[1] == 'l') vec_push(&sources->libraries, name);
        else vec_push(&sources->library_dirs, name);
        return;
    }
    vec_push(&sources->flags, flag);
    if (word) vec_push(&sources->flags, word);
}

static int add_flags(Sources *sources, const char *text)
{
    uint32_t count;
    char **words = text_words(text, &count);
    for (uint32_t i = 0; i < count; i++) vec_push(&sources->flags, words[i]);
    free(words);
    return 0;
}

int sources_parse(Sources *sources, int argc, char **argv, int *i)
{
    const char *word = argv[*i], *next = *i + 1 < argc ? argv[*i + 1] : NULL;
    if (strcmp(word, "--verbose") == 0) {
        sources->verbose = true;
    } else if (strcmp(word, "--cflags") == 0) {
        if (!next) return cli_complain("%s needs a value", word);
        ++*i;
        return add_flags(sources, next);
    } else if (strncmp(word, "--", 2) == 0) {
        return cli_complain("unknown option '%s'", word);
    } else if (word[0] == '-' && word[1]) {
        if (takes_word(word) && !next) return cli_complain("%s needs a value", word);
        add_flag(sources, word, takes_word(word) ? argv[++*i] : NULL);
    } else {
        vec_push(&sources->files, word);
    }
    return 0;
}

/* The file's name without its directory and ending. */
char *cli_program_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    char *name = mem_strdup(slash && slash[1] ? slash + 1 : file), *dot = strrchr(name, '.');
    if (dot && dot != name) *dot = 0;
    return name;
}

static const char *data_dir(const char *variable, const char *built, const char *installed)
{
    const char *named = getenv(variable);
    if (named && *named) return named;
    return access(built, R_OK) == 0 ? built : installed;
}

/* ---- loading ---- */

void cli_print_place(FILE *out, const Program *program, uint32_t loc)
{
    const Loc *place = &program->locs[loc];
    if (place->line) fprintf(out, "%s:%u:%u: ", place->file, place->line, place->column);
}

Status sources_open_libraries(const Sources *sources, Error *error)
{
    for (uint32_t i = 0; i < sources->libraries.len; i++) {
        const char *name = sources->libraries.data[i];
        void *handle = NULL;
        for (uint32_t k = 0; k < sources->library_dirs.len && !handle; k++) {
            char *path = mem_format("%s/lib%s.so", sources->library_dirs.data[k], name);
            handle = native_open(path);
            free(path);
        }
        static const char *const forms[] = {"lib%s.so", "lib%s.so.6", "lib%s.so.1", "lib%s.so.0", "lib%s.so.2", "lib%s.so.3"};
        for (size_t k = 0; k < COUNT_OF(forms) && !handle; k++) {
            char path[256];
            snprintf(path, sizeof path, forms[k], name);
            handle = native_open(path);
        }
        if (!handle && strcmp(name, "c") != 0 && strcmp(name, "pthread") != 0)
            return fail(error, "cannot load the library '%s': %s", name, dlerror());
    }
    return OK;
}

FrontOptions sources_front(const Sources *sources, const char *entry)
{
    return (FrontOptions){.files = sources->files.data,
                          .file_count = sources->files.len,
                          .flags = sources->flags.data,
                          .flag_count = sources->flags.len,
                          .include_dir = data_dir("CLEW_INCLUDE", CLEW_BUILD_INCLUDE, CLEW_INSTALLED_INCLUDE),
                          .models_dir = data_dir("CLEW_MODELS", CLEW_BUILD_MODELS, CLEW_INSTALLED_MODELS),
                          .entry = entry,
                          .verbose = sources->verbose};
}

Status sources_load(const Sources *sources, const char *entry, Program **program, FrontTimes *times, Error *error)
{
    FrontOptions front = sources_front(sources, entry);
    if (sources_open_libraries(sources, error) != OK) return FAILED;
    return front_load(&front, program, times, error);
}

/* ---- the child ---- */

int cli_end_like(int status)
{
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    return 128 + WTERMSIG(status);
}

static int wait_for(pid_t child, double time, double started)
{
    int status = 0;
    double limit = time > 0 ? started + time + 0.5 : 0;
    bool killed = false;
    for (useconds_t nap = 200;; nap = nap < 20000 ? nap * 2 : nap) {
        pid_t done = waitpid(child, &status, limit > 0 && !killed ? WNOHANG : 0);
        if (done == child) break;
        if (done < 0 && errno != EINTR) return EXIT_USAGE;
        if (done != 0) continue;
        if (clock_seconds() < limit) {
            usleep(nap);
            continue;
        }
        kill(child, SIGKILL); /* it hangs in native code, where the machine cannot look at the clock */
        killed = true;
    }
    if (killed) {
        fprintf(stderr,
                "clew: the time limit is reached in the middle of a step, in native code or in a question to the solver (--time %g)\n",
                time);
        return EXIT_TIME;
    }
    return cli_end_like(status);
}

int cli_in_child(int (*work)(void *data), void *data, double time, double started)
{
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    fflush(NULL);
    pid_t parent = getpid(), child = fork();
    if (child < 0) {
        fprintf(stderr, "clew: cannot start a process: %s\n", strerror(errno));
        return EXIT_USAGE;
    }
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* no guest outlives its command */
        if (getppid() != parent) _exit(EXIT_USAGE);
        int status = work(data);
        fflush(NULL);
        _exit(status);
    }
    return wait_for(child, time, started);
}
