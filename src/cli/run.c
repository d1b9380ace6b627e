/* `clew run`: the guest runs in a child process, so that nothing it or native code does can take the command down with it.  The parent
 * waits, ends a child that outlives its time, and then ends the same way the guest did. */
#include "cli/cli.h"
#include "cli/common.h"
#include "vm/vm.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

typedef struct RunOptions {
    Sources sources;
    Words arguments, environment;
    double time, clock, started;
    uint64_t memory;
    uint32_t random_seed;
    bool stats, dump, reference, in_process;
} RunOptions;

/* ---- arguments ---- */

static int set_value(RunOptions *options, const char *word, const char *text)
{
    double value = 0;
    if (strcmp(word, "--env") == 0) {
        if (!strchr(text, '=')) return cli_complain("--env needs NAME=VALUE, not '%s'", text);
        vec_push(&options->environment, text);
        return 0;
    }
    if (!cli_positive_number(text, &value)) return cli_complain("'%s' is not a positive number", text);
    if (strcmp(word, "--time") == 0) options->time = value;
    else if (strcmp(word, "--memory") == 0) options->memory = (uint64_t)(value * 1048576.0);
    else if (strcmp(word, "--clock") == 0) options->clock = value;
    else options->random_seed = (uint32_t)value;
    return 0;
}

/* Returns 0, or the exit status of a complaint; *i moves over what was read. */
static int parse_one(void *data, int argc, char **argv, int *i)
{
    RunOptions *options = data;
    const char *word = argv[*i], *next = *i + 1 < argc ? argv[*i + 1] : NULL;
    static const char *const with_value[] = {"--time", "--memory", "--clock", "--rand-seed", "--env"};
    for (size_t k = 0; k < COUNT_OF(with_value); k++) {
        if (strcmp(word, with_value[k]) != 0) continue;
        if (!next) return cli_complain("%s needs a value", word);
        ++*i;
        return set_value(options, word, next);
    }
    if (strcmp(word, "--stats") == 0) options->stats = true;
    else if (strcmp(word, "--dump") == 0) options->dump = true;
    else if (strcmp(word, "--reference") == 0) options->reference = true;
    else if (strcmp(word, "--in-process") == 0) options->in_process = true;
    else return sources_parse(&options->sources, argc, argv, i);
    return 0;
}

/* ---- the child ---- */

static void on_report(void *data, const VmReport *report)
{
    const Program *program = data;
    fprintf(stderr, "clew: ");
    cli_print_place(stderr, program, report->loc);
    fprintf(stderr, "%s: %s%s%s\n", bug_name(report->bug), report->message, *report->function ? ", in " : "", report->function);
}

static void print_stop(const Program *program, const VmStop *stop, double seconds)
{
    if (stop->kind == VM_EXIT) return;
    fprintf(stderr, "clew: ");
    cli_print_place(stderr, program, stop->loc);
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
    bool ours = stop->kind == VM_UNSUPPORTED || stop->kind == VM_TIME || stop->kind == VM_IDLE ||
                (stop->kind == VM_BUG && stop->status == 0);
    if (ours && flush && flush->defined && vm_start_function(vm, flush, NULL, 0, NULL) == OK) vm_run(vm);
}

/* Ends this process as the guest ended. */
static int end_as(const VmStop *stop)
{
    if (stop->kind == VM_EXIT) return stop->status;
    if (stop->kind == VM_TIME || stop->kind == VM_IDLE || (stop->kind == VM_BUG && stop->status == 0)) return EXIT_TIME;
    if ((stop->kind == VM_SIGNAL || stop->kind == VM_BUG) && stop->status) {
        signal(stop->status, SIG_DFL);
        raise(stop->status);
    }
    return EXIT_USAGE;
}

static int run_guest(void *data)
{
    const RunOptions *options = data;
    double started = options->started;
    Program *program = NULL;
    FrontTimes times = {0};
    Error error;
    Vm *vm = NULL;
    ExprPool *pool = NULL;
    int status = EXIT_USAGE;
    if (sources_load(&options->sources, "main", &program, &times, &error) != OK) goto failed;
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

int cli_run(int argc, char **argv)
{
    RunOptions options = {.started = clock_seconds()};
    int status = cli_parse(argc, argv, parse_one, &options, &options.arguments);
    if (status) return status;
    if (options.sources.files.len == 0) return cli_complain("%s", "no file to run");
    vec_push(&options.environment, NULL);
    options.arguments.data[0] = cli_program_name(options.sources.files.data[0]);
    return options.in_process ? run_guest(&options) : cli_in_child(run_guest, &options, options.time, options.started);
}
