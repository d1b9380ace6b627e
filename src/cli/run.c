/* `clew run`: the guest runs in a child process, so that nothing it or native code does can take the command down with it.  The parent
 * waits, ends a child that outlives its time, and then ends the same way the guest did. */
#include "cli/cli.h"
#include "front/front.h"
#include "vm/vm.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct RunOptions {
    Vec(const char *) files, flags, libraries, library_dirs, arguments;
    Vec(const char *) environment;
    double time, clock;
    uint64_t memory;
    uint32_t random_seed;
    bool stats, dump, reference, verbose, in_process;
} RunOptions;

/* ---- arguments ---- */

static int complain(const char *format, const char *what)
{
    fprintf(stderr, "clew: ");
    fprintf(stderr, format, what);
    fprintf(stderr, " (see `clew --help`)\n");
    return EXIT_USAGE;
}

static bool positive_number(const char *text, double *value)
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

static void add_flag(RunOptions *options, const char *flag, const char *word)
{
    if (flag[0] == '-' && (flag[1] == 'l' || flag[1] == 'L')) {
        const char *name = word ? word : flag + 2;
        if (flag[1] == 'l') vec_push(&options->libraries, name);
        else vec_push(&options->library_dirs, name);
        return;
    }
    vec_push(&options->flags, flag);
    if (word) vec_push(&options->flags, word);
}

static int set_value(RunOptions *options, const char *word, const char *text)
{
    double value = 0;
    if (strcmp(word, "--cflags") == 0) {
        uint32_t count;
        char **words = text_words(text, &count);
        for (uint32_t i = 0; i < count; i++) vec_push(&options->flags, words[i]);
        free(words);
        return 0;
    }
    if (strcmp(word, "--env") == 0) {
        if (!strchr(text, '=')) return complain("--env needs NAME=VALUE, not '%s'", text);
        vec_push(&options->environment, text);
        return 0;
    }
    if (!positive_number(text, &value)) return complain("'%s' is not a positive number", text);
    if (strcmp(word, "--time") == 0) options->time = value;
    else if (strcmp(word, "--memory") == 0) options->memory = (uint64_t)(value * 1048576.0);
    else if (strcmp(word, "--clock") == 0) options->clock = value;
    else options->random_seed = (uint32_t)value;
    return 0;
}

/* Returns 0, or the exit status of a complaint; *i moves over what was read. */
static int parse_one(RunOptions *options, int argc, char **argv, int *i)
{
    const char *word = argv[*i], *next = *i + 1 < argc ? argv[*i + 1] : NULL;
    static const char *const with_value[] = {"--time", "--memory", "--clock", "--rand-seed", "--cflags", "--env"};
    for (size_t k = 0; k < COUNT_OF(with_value); k++) {
        if (strcmp(word, with_value[k]) != 0) continue;
        if (!next) return complain("%s needs a value", word);
        ++*i;
        return set_value(options, word, next);
    }
    if (strcmp(word, "--stats") == 0) options->stats = true;
    else if (strcmp(word, "--dump") == 0) options->dump = true;
    else if (strcmp(word, "--reference") == 0) options->reference = true;
    else if (strcmp(word, "--verbose") == 0) options->verbose = true;
    else if (strcmp(word, "--in-process") == 0) options->in_process = true;
    else if (strncmp(word, "--", 2) == 0) return complain("unknown option '%s'", word);
    else if (word[0] == '-' && word[1]) {
        if (takes_word(word) && !next) return complain("%s needs a value", word);
        add_flag(options, word, takes_word(word) ? argv[++*i] : NULL);
    } else vec_push(&options->files, word);
    return 0;
}

static int parse(RunOptions *options, int argc, char **argv)
{
    vec_push(&options->arguments, NULL); /* the guest's argv[0], once the files are known */
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            for (i++; i < argc; i++) vec_push(&options->arguments, argv[i]);
            break;
        }
        if (strcmp(argv[i], "--help") == 0) {
            cli_usage();
            exit(EXIT_DONE);
        }
        int status = parse_one(options, argc, argv, &i);
        if (status) return status;
    }
    if (options->files.len == 0) return complain("%s", "no file to run");
    return 0;
}

/* The file's name without its directory and ending. */
static char *program_name(const char *file)
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

/* ---- the child ---- */

static void print_place(FILE *out, const Program *program, uint32_t loc)
{
    const Loc *place = &program->locs[loc];
    if (place->line) fprintf(out, "%s:%u:%u: ", place->file, place->line, place->column);
}

static void on_report(void *data, const VmReport *report)
{
    const Program *program = data;
    fprintf(stderr, "clew: ");
    print_place(stderr, program, report->loc);
    fprintf(stderr, "%s: %s%s%s\n", bug_name(report->bug), report->message, *report->function ? ", in " : "", report->function);
}

static void print_stop(const Program *program, const VmStop *stop, double seconds)
{
    if (stop->kind == VM_EXIT) return;
    fprintf(stderr, "clew: ");
    print_place(stderr, program, stop->loc);
    if (stop->kind == VM_BUG) fprintf(stderr, "%s: ", bug_name(stop->bug));
    fprintf(stderr, "%s", stop->message);
    if (stop->kind == VM_TIME) fprintf(stderr, " (--time %g)", seconds);
    if (*stop->function) fprintf(stderr, ", in %s", stop->function);
    fputc('\n', stderr);
}

static void print_stats(const Vm *vm, const FrontTimes *times, double started)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    const VmStats *stats = vm_stats(vm);
    double now = clock_seconds();
    fprintf(stderr, "clew: instructions %llu\n", (unsigned long long)stats->instructions);
    fprintf(stderr, "clew: symbolic instructions %llu\n", (unsigned long long)stats->symbolic_instructions);
    fprintf(stderr, "clew: calls %llu\n", (unsigned long long)stats->calls);
    fprintf(stderr, "clew: native calls %llu\n", (unsigned long long)stats->native_calls);
    fprintf(stderr, "clew: compile seconds %.6f\n", times->compile);
    fprintf(stderr, "clew: load seconds %.6f\n", times->load);
    fprintf(stderr, "clew: seconds %.6f\n", now - started);
    fprintf(stderr, "clew: guest memory KiB %llu\n", (unsigned long long)(stats->guest_bytes_peak / 1024));
    fprintf(stderr, "clew: peak memory KiB %ld\n", usage.ru_maxrss);
}

static Status open_libraries(const RunOptions *options, Error *error)
{
    for (uint32_t i = 0; i < options->libraries.len; i++) {
        const char *name = options->libraries.data[i];
        void *handle = NULL;
        for (uint32_t k = 0; k < options->library_dirs.len && !handle; k++) {
            char *path = mem_format("%s/lib%s.so", options->library_dirs.data[k], name);
            handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
            free(path);
        }
        static const char *const forms[] = {"lib%s.so", "lib%s.so.6", "lib%s.so.1", "lib%s.so.0", "lib%s.so.2", "lib%s.so.3"};
        for (size_t k = 0; k < COUNT_OF(forms) && !handle; k++) {
            char path[256];
            snprintf(path, sizeof path, forms[k], name);
            handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
        }
        if (!handle && strcmp(name, "c") != 0 && strcmp(name, "pthread") != 0)
            return fail(error, "cannot load the library '%s': %s", name, dlerror());
    }
    return OK;
}

static int dump(const Program *program)
{
    StrBuf text = {0};
    program_print(program, &text);
    fwrite(text.text, 1, text.len, stdout);
    strbuf_release(&text);
    return EXIT_DONE;
}

/* Where Clew, not the guest, ends the run, what the guest has printed so far still comes out. */
static void flush_streams(Vm *vm, const Program *program, const VmStop *stop)
{
    const Function *flush = program_function(program, "clew__flush_all");
    bool ours = stop->kind == VM_UNSUPPORTED || stop->kind == VM_TIME || (stop->kind == VM_BUG && stop->status == 0);
    if (ours && flush && flush->defined && vm_start_function(vm, flush, NULL, 0, NULL) == OK) vm_run(vm);
}

/* Ends this process as the guest ended. */
static int end_as(const VmStop *stop)
{
    if (stop->kind == VM_EXIT) return stop->status;
    if (stop->kind == VM_TIME || (stop->kind == VM_BUG && stop->status == 0)) return EXIT_TIME;
    if ((stop->kind == VM_SIGNAL || stop->kind == VM_BUG) && stop->status) {
        signal(stop->status, SIG_DFL);
        raise(stop->status);
    }
    return EXIT_USAGE;
}

static Status load(const RunOptions *options, Program **program, FrontTimes *times, Error *error)
{
    FrontOptions front = {.files = options->files.data,
                          .file_count = options->files.len,
                          .flags = options->flags.data,
                          .flag_count = options->flags.len,
                          .include_dir = data_dir("CLEW_INCLUDE", CLEW_BUILD_INCLUDE, CLEW_INSTALLED_INCLUDE),
                          .models_dir = data_dir("CLEW_MODELS", CLEW_BUILD_MODELS, CLEW_INSTALLED_MODELS),
                          .entry = "main",
                          .verbose = options->verbose};
    if (open_libraries(options, error) != OK) return FAILED;
    return front_load(&front, program, times, error);
}

static int run_guest(const RunOptions *options, double started)
{
    Program *program = NULL;
    FrontTimes times = {0};
    Error error;
    Vm *vm = NULL;
    ExprPool *pool = NULL;
    int status = EXIT_USAGE;
    if (load(options, &program, &times, &error) != OK) goto failed;
    if (options->dump) return dump(program);
    pool = expr_pool_new();
    VmOptions machine = {.argc = options->arguments.len,
                         .argv = options->arguments.data,
                         .environment = options->environment.len > 1 ? options->environment.data : NULL,
                         .fixed_time_ns = (int64_t)(options->clock * 1e9),
                         .random_seed = options->random_seed,
                         .memory_limit = options->memory,
                         .deadline = options->time > 0 ? started + options->time : 0,
                         .reference = options->reference,
                         .on_report = on_report,
                         .on_report_data = program};
    if (vm_new(&vm, program, pool, &machine, &error) != OK) goto failed;
    if (vm_start_main(vm, &error) != OK) goto failed;
    VmStop stop = vm_run(vm);
    flush_streams(vm, program, &stop);
    print_stop(program, &stop, options->time);
    if (options->stats) print_stats(vm, &times, started);
    return end_as(&stop); /* the process ends here: nothing is worth freeing */
failed:
    fprintf(stderr, "clew: %s\n", error.text);
    return status;
}

/* ---- the parent ---- */

static int wait_for(pid_t child, const RunOptions *options, double started)
{
    int status = 0;
    double limit = options->time > 0 ? started + options->time + 0.5 : 0;
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
        fprintf(stderr, "clew: the time limit is reached in native code (--time %g)\n", options->time);
        return EXIT_TIME;
    }
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    return 128 + WTERMSIG(status);
}

int cli_run(int argc, char **argv)
{
    RunOptions options = {0};
    double started = clock_seconds();
    int status = parse(&options, argc, argv);
    if (status) return status;
    vec_push(&options.environment, NULL);
    options.arguments.data[0] = program_name(options.files.data[0]);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    fflush(NULL);
    if (options.in_process) return run_guest(&options, started);
    pid_t parent = getpid(), child = fork();
    if (child < 0) {
        fprintf(stderr, "clew: cannot start a process: %s\n", strerror(errno));
        return EXIT_USAGE;
    }
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* no guest outlives its command */
        if (getppid() != parent) _exit(EXIT_USAGE);
        status = run_guest(&options, started);
        fflush(NULL);
        _exit(status);
    }
    return wait_for(child, &options, started);
}
