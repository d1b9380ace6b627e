/* Going back along the trail restores everything: registers, memory, allocations, shadows, the path.
 *
 *   trail [--seed N] [--count N] --models DIR --include DIR [FILE.c...]
 *
 * The guests are the files given and N programs of Csmith.  A file with a function `test` and no main (tests/fuzz/paths) is started
 * on symbolic arguments under a random model, any other from main.  A guest runs to its end once; then marks are set at random
 * points, each with a snapshot of the whole machine, and execution goes forwards by random numbers of steps (of the reference
 * interpreter, or to the end by the dispatch loop) and back to random marks, inner and outer ones, each time comparing snapshots
 * byte by byte.  Whenever it runs to its end again, that must be the same end, with the same path and result, and what it writes on
 * the way the last part of what it wrote at first.  (Registers that nothing reads any more may differ: the dispatch loop does not
 * compute them.) */
#include "front/front.h"
#include "vm/vm.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOVES = 24, MARKS = 8, MAX_STEPS = 30000000 };

typedef struct Point {
    VmMark mark;
    StrBuf state;
} Point;

typedef struct Guest {
    const char *name;
    Program *program;
    const Function *function; /* NULL: main */
    ExprPool *pool;
    Vm *vm;
    Random random;
    uint64_t seed, steps;
    Point points[MARKS];
    unsigned count;
    VmStop end;      /* of the first run, and what it left: */
    StrBuf outcome;  /* result and path */
    StrBuf output;   /* what it wrote to standard output */
    int output_file; /* standard output while a guest runs */
    off_t read_to;   /* there */
    uint64_t compared;
    bool failed;
    char complaint[256];
} Guest;

/* ---- starting ---- */

static bool start(Guest *g, bool marks, Error *error)
{
    static const char *argv[] = {"guest"}, *environment[] = {NULL};
    VmOptions options = {.argc = 1, .argv = argv, .environment = environment, .exploring = true, .marks = marks};
    options.step_limit = MAX_STEPS;
    options.fixed_time_ns = 1000000000;
    g->pool = expr_pool_new();
    if (vm_new(&g->vm, g->program, g->pool, &options, error) != OK) return false;
    if (!g->function) return vm_start_main(g->vm, error) == OK;
    Expr arguments[8];
    for (uint32_t i = 0; i < g->function->param_count; i++) {
        Expr input = expr_var(g->pool, 4, "input");
        expr_model_set(vm_model(g->vm), input, random_below(&g->random, 16));
        arguments[i] = expr_zext(g->pool, input, g->function->params[i].type.width);
    }
    return vm_start_function_values(g->vm, g->function, arguments, g->function->param_count, error) == OK;
}

static void finish(Guest *g)
{
    vm_free(g->vm);
    expr_pool_free(g->pool);
    for (unsigned i = 0; i < MARKS; i++) strbuf_release(&g->points[i].state);
    strbuf_release(&g->outcome);
    strbuf_release(&g->output);
}

/* ---- moving ---- */

static void complain(Guest *g, const char *what, size_t at)
{
    if (!g->failed) snprintf(g->complaint, sizeof g->complaint, "%s (byte %zu)", what, at);
    g->failed = true;
}

static void compare(Guest *g, const StrBuf *before, const StrBuf *after, const char *what)
{
    size_t at = 0;
    while (at < before->len && at < after->len && before->text[at] == after->text[at]) at++;
    if (before->len != after->len || at != before->len) complain(g, what, at);
    g->compared++;
}

static void add_point(Guest *g)
{
    if (g->count == MARKS) return;
    Point *point = &g->points[g->count++];
    strbuf_clear(&point->state);
    vm_snapshot(g->vm, &point->state);
    point->mark = vm_mark(g->vm);
    StrBuf again = {0};
    vm_snapshot(g->vm, &again);
    compare(g, &point->state, &again, "setting a mark changed the state");
    strbuf_release(&again);
}

static void go_back(Guest *g, unsigned to)
{
    StrBuf now = {0};
    vm_return(g->vm, g->points[to].mark);
    vm_snapshot(g->vm, &now);
    compare(g, &g->points[to].state, &now, "the state after going back is another one");
    strbuf_release(&now);
    g->count = to + 1;
}

static uint64_t distance(Guest *g)
{
    uint64_t most = (uint64_t)2 << random_below(&g->random, 18);
    return 1 + random_below(&g->random, most < g->steps ? most : g->steps + 1);
}

static bool same_stop(VmStop a, VmStop b)
{
    return a.kind == b.kind && a.status == b.status && a.bug == b.bug && a.loc == b.loc && strcmp(a.message, b.message) == 0;
}

static void add_outcome(Guest *g, StrBuf *out)
{
    Expr expression;
    strbuf_addf(out, "%llu", (unsigned long long)vm_result(g->vm, &expression));
    strbuf_addf(out, " %u:", expression);
    for (uint32_t i = 0; i < vm_path_length(g->vm); i++)
        strbuf_addf(out, " %u/%u", vm_condition(g->vm, i)->condition, vm_condition(g->vm, i)->branch);
}

/* What was written since the last time. */
static void add_output(Guest *g, StrBuf *out)
{
    char buffer[4096];
    for (ssize_t n; (n = pread(g->output_file, buffer, sizeof buffer, g->read_to)) > 0; g->read_to += n)
        strbuf_add_bytes(out, buffer, (size_t)n);
}

static bool is_last_part(const StrBuf *part, const StrBuf *whole)
{
    return part->len <= whole->len && (part->len == 0 || memcmp(whole->text + whole->len - part->len, part->text, part->len) == 0);
}

static void run_to_end(Guest *g)
{
    StrBuf outcome = {0}, output = {0};
    add_output(g, &output);
    strbuf_clear(&output);
    VmStop stop = vm_run(g->vm);
    add_outcome(g, &outcome);
    add_output(g, &output);
    if (!same_stop(stop, g->end)) {
        complain(g, "it ends otherwise after going back: ", 0);
        snprintf(g->complaint + strlen(g->complaint), 128, ": %d %d %.40s, at first %d %d %.40s", (int)stop.kind, stop.status, stop.message,
                 (int)g->end.kind, g->end.status, g->end.message);
    }
    if (!is_last_part(&output, &g->output)) complain(g, "it writes otherwise after going back", 0);
    compare(g, &g->outcome, &outcome, "it takes another path after going back");
    strbuf_release(&outcome);
    strbuf_release(&output);
}

static void move(Guest *g)
{
    switch (random_below(&g->random, 5)) {
    case 0:
    case 1: add_point(g); break;
    case 2: run_to_end(g); break;
    default: break;
    }
    if (vm_run_steps(g->vm, distance(g)).kind != VM_RUNNING || random_below(&g->random, 3) == 0)
        go_back(g, (unsigned)random_below(&g->random, g->count));
}

/* ---- one guest ---- */

/* The guest's standard output goes to a file. */
static int redirect(Guest *g)
{
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    FILE *file = tmpfile();
    REQUIRE(kept >= 0 && file, "no temporary file");
    g->output_file = dup(fileno(file));
    dup2(g->output_file, STDOUT_FILENO);
    fclose(file);
    return kept;
}

static void restore(Guest *g, int kept)
{
    dup2(kept, STDOUT_FILENO);
    close(kept);
    close(g->output_file);
}

/* False: it cannot be used (it runs too long, or needs what is not there). */
static bool test(Guest *g)
{
    Error error;
    random_seed(&g->random, g->seed);
    bool usable = start(g, random_below(&g->random, 2), &error);
    if (usable) {
        if (random_below(&g->random, 2)) vm_run_steps(g->vm, 1 + random_below(&g->random, g->function ? 15 : 1000));
        usable = vm_run_steps(g->vm, 1).kind == VM_RUNNING;
    }
    if (usable) {
        add_point(g);
        g->end = vm_run(g->vm);
        add_outcome(g, &g->outcome);
        add_output(g, &g->output);
        g->steps = vm_stats(g->vm)->instructions;
        usable = g->steps < MAX_STEPS / (MOVES + 2) && g->end.kind != VM_UNSUPPORTED; /* the limit counts what was gone back over, too */
    }
    if (usable) {
        go_back(g, 0);
        for (unsigned i = 0; i < MOVES && !g->failed; i++) move(g);
        go_back(g, (unsigned)random_below(&g->random, g->count));
        run_to_end(g);
    }
    finish(g);
    return usable;
}

static Program *load(const char *file, const char *models, const char *include, bool *unit)
{
    for (int entry = 1; entry >= 0; entry--) {
        const char *files[] = {file}, *flags[] = {"-w", "-D_GNU_SOURCE", "-I/usr/include/csmith"};
        FrontOptions options = {
            .files = files, .file_count = 1, .flags = flags, .flag_count = 3, .include_dir = include, .models_dir = models};
        options.entry = entry ? "main" : NULL;
        Program *program;
        Error error;
        *unit = !entry;
        if (front_load(&options, &program, NULL, &error) == OK) return program;
    }
    return NULL;
}

typedef struct Totals {
    unsigned passed, failed, skipped;
    uint64_t compared;
} Totals;

static void test_file(const char *file, const char *models, const char *include, uint64_t seed, Totals *totals)
{
    bool unit;
    Program *program = load(file, models, include, &unit);
    if (!program) {
        printf("FAIL %s cannot be loaded\n", file);
        totals->failed++;
        return;
    }
    for (unsigned round = 0; round < 3; round++) {
        Guest g = {
            .name = file, .program = program, .function = unit ? program_function(program, "test") : NULL, .seed = seed * 1000 + round};
        int kept = redirect(&g);
        bool usable = test(&g);
        restore(&g, kept);
        if (g.failed) printf("FAIL %s, seed %llu, round %u: %s\n", file, (unsigned long long)seed, round, g.complaint);
        totals->compared += g.compared;
        totals->passed += usable && !g.failed;
        totals->failed += g.failed;
        totals->skipped += !usable;
        if (!usable) break;
    }
    program_free(program);
}

static void test_random(const char *models, const char *include, uint64_t seed, Totals *totals)
{
    char file[] = "/tmp/clew-trail-XXXXXX.c";
    int fd = mkstemps(file, 2);
    REQUIRE(fd >= 0, "no temporary file");
    close(fd);
    char *command = mem_format("csmith --seed %llu --max-funcs 4 --max-block-depth 3 --max-array-len-per-dim 5 --output %s >/dev/null",
                               (unsigned long long)seed, file);
    if (system(command) == 0) test_file(file, models, include, seed, totals);
    else totals->skipped++;
    unlink(file);
    free(command);
}

int main(int argc, char **argv)
{
    const char *models = NULL, *include = NULL;
    uint64_t seed = 1, count = 0;
    Totals totals = {0};
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) seed = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--count") == 0 && i + 1 < argc) count = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--models") == 0 && i + 1 < argc) models = argv[++i];
        else if (strcmp(argv[i], "--include") == 0 && i + 1 < argc) include = argv[++i];
        else test_file(argv[i], models, include, seed, &totals);
    }
    for (uint64_t i = 0; i < count; i++) test_random(models, include, seed + i, &totals);
    printf("%llu states compared\n", (unsigned long long)totals.compared);
    printf("%u passed, %u failed, %u skipped\n", totals.passed, totals.failed, totals.skipped);
    return totals.failed != 0 || totals.passed == 0;
}
