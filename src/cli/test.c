/* `clew test`: searches the paths of main, or of every function that can be called with inputs of its own, and says what was reached and what was found.
 * The search runs in a child process: what native code does there cannot take the command down. */
#include "base/arith.h"
#include "cli/cli.h"
#include "cli/common.h"
#include "search/search.h"

#include <stdlib.h>

typedef struct TestOptions {
    Sources sources;
    Vec(const char *) functions, concrete, arguments;
    Vec(VmSymbolicFile) files;
    Vec(VmPartition) partitions;
    SearchOptions search;
    double time, started;
    bool stats, paths, in_process;
} TestOptions;

/* One function's, or main's, search as it goes on. */
typedef struct Unit {
    const TestOptions *options;
    const Program *program;
    const Function *function; /* NULL: main */
    uint8_t *reached;         /* per branch, by any unit */
    uint32_t bugs;            /* found so far */
} Unit;

/* ---- arguments ---- */

static int set_tiers(TestOptions *options, const char *text)
{
    uint32_t tiers = 0;
    char *copy = mem_strdup(text), *rest = copy;
    for (char *word; (word = strsep(&rest, ",")) != NULL;) {
        unsigned tier = 0;
        while (tier < SOLVE_TIERS && strcmp(word, solve_tier_name((SolveTier)tier)) != 0) tier++;
        if (tier == SOLVE_TIERS) return cli_complain("there is no solver tier '%s'", word);
        tiers |= 1u << tier;
    }
    free(copy);
    options->search.solve.tiers = tiers;
    return 0;
}

static int set_strategy(TestOptions *options, const char *text)
{
    for (unsigned i = 0; i < SEARCH_STRATEGIES; i++) {
        if (strcmp(text, search_strategy_name((SearchStrategy)i)) != 0) continue;
        options->search.strategy = (SearchStrategy)i;
        return 0;
    }
    return cli_complain("there is no search strategy '%s'", text);
}

static int add_file(TestOptions *options, const char *text)
{
    const char *colon = strrchr(text, ':');
    double size;
    if (!colon || !cli_positive_number(colon + 1, &size)) return cli_complain("--file needs NAME:SIZE, not '%s'", text);
    vec_push(&options->files, ((VmSymbolicFile){strndup(text, (size_t)(colon - text)), (uint64_t)size}));
    return 0;
}

/* A line of the config file: `concrete NAME`, `partition NAME CONDITION`, or a comment after #. */
static int read_config_line(TestOptions *options, const char *path, unsigned number, const char *line)
{
    uint32_t count;
    char **words = text_words(line, &count);
    if (count == 2 && strcmp(words[0], "concrete") == 0) {
        vec_push(&options->concrete, words[1]);
    } else if (count >= 3 && strcmp(words[0], "partition") == 0) {
        StrBuf text = {0};
        for (uint32_t i = 2; i < count; i++) strbuf_addf(&text, "%s%s", i > 2 ? " " : "", words[i]);
        vec_push(&options->partitions, ((VmPartition){words[1], text.text}));
    } else if (count && words[0][0] != '#') {
        fprintf(stderr, "clew: %s:%u: expected `concrete NAME` or `partition NAME CONDITION`\n", path, number);
        return EXIT_USAGE;
    }
    free(words);
    return 0;
}

static int read_config(TestOptions *options, const char *path)
{
    FILE *in = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    int status = 0;
    if (!in) return cli_complain("cannot read the config file '%s'", path);
    for (unsigned number = 1; !status && getline(&line, &capacity, in) >= 0; number++)
        status = read_config_line(options, path, number, line);
    if (ferror(in)) status = cli_complain("cannot read the config file '%s'", path);
    free(line);
    fclose(in);
    return status;
}

static int set_number(TestOptions *options, const char *word, const char *text)
{
    double value = 0;
    if (strcmp(word, "--seed") == 0) {
        char *end;
        options->search.seed = strtoull(text, &end, 0);
        return *text && !*end ? 0 : cli_complain("'%s' is not a number", text);
    }
    if (!cli_positive_number(text, &value)) return cli_complain("'%s' is not a positive number", text);
    if (strcmp(word, "--time") == 0) options->time = value;
    else if (strcmp(word, "--max-runs") == 0) options->search.max_runs = (uint64_t)value;
    else if (strcmp(word, "--stdin") == 0) vec_push(&options->files, ((VmSymbolicFile){"-", (uint64_t)value}));
    else if (strcmp(word, "--memory") == 0) options->search.vm.memory_limit = (uint64_t)(value * 1048576.0);
    else options->search.solve.effort = (uint64_t)value;
    return 0;
}

static int set_value(TestOptions *options, const char *word, const char *text)
{
    if (strcmp(word, "--function") == 0) vec_push(&options->functions, text);
    else if (strcmp(word, "--concrete") == 0) vec_push(&options->concrete, text);
    else if (strcmp(word, "--log-queries") == 0) options->search.solve.log = text;
    else if (strcmp(word, "--config") == 0) return read_config(options, text);
    else if (strcmp(word, "--file") == 0) return add_file(options, text);
    else if (strcmp(word, "--search") == 0) return set_strategy(options, text);
    else if (strcmp(word, "--tiers") == 0) return set_tiers(options, text);
    else return set_number(options, word, text);
    return 0;
}

static int parse_one(TestOptions *options, int argc, char **argv, int *i)
{
    static const char *const with_value[] = {"--function", "--concrete",      "--log-queries", "--config",   "--file",
                                             "--search",   "--tiers",         "--time",        "--max-runs", "--seed",
                                             "--stdin",    "--solver-effort", "--memory"};
    const char *word = argv[*i], *next = *i + 1 < argc ? argv[*i + 1] : NULL;
    for (size_t k = 0; k < COUNT_OF(with_value); k++) {
        if (strcmp(word, with_value[k]) != 0) continue;
        if (!next) return cli_complain("%s needs a value", word);
        ++*i;
        return set_value(options, word, next);
    }
    if (strcmp(word, "--stats") == 0) options->stats = true;
    else if (strcmp(word, "--paths") == 0) options->paths = true;
    else if (strcmp(word, "--first-bug") == 0) options->search.first_bug = true;
    else if (strcmp(word, "--in-process") == 0) options->in_process = true;
    else return sources_parse(&options->sources, argc, argv, i);
    return 0;
}

static int parse(TestOptions *options, int argc, char **argv)
{
    vec_push(&options->arguments, NULL);
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
    if (options->sources.files.len == 0) return cli_complain("%s", "no file to test");
    return 0;
}

/* ---- runs ---- */

static void print_branch(const Program *program, uint32_t branch)
{
    const Branch *b = &program->branches[branch];
    char text[64];
    cli_print_place(stdout, program, b->loc);
    printf("%s", branch_outcome_text(b, text));
}

static bool is_float_input(const Unit *unit, uint32_t i)
{
    return unit->function && i < unit->function->param_count && unit->function->params[i].type.kind == SCALAR_FLOAT;
}

static bool is_signed_input(const Unit *unit, uint32_t i)
{
    return !unit->function || i >= unit->function->param_count || unit->function->params[i].type.sign;
}

static void print_value(U128 value, unsigned width, bool is_float, bool is_signed)
{
    if (is_float && width == 32) printf("%.9g", (double)arith_f32((uint32_t)value));
    else if (is_float && width == 64) printf("%.17g", arith_f64((uint64_t)value));
    else if (width <= 64 && !is_signed) printf("%llu", (unsigned long long)value);
    else if (width <= 64) printf("%lld", (long long)arith_sext64((uint64_t)value, width));
    else printf("0x%llx%016llx", (unsigned long long)(value >> 64), (unsigned long long)value);
}

static void print_inputs(const Unit *unit, Vm *vm)
{
    const ExprPool *pool = vm_pool(vm);
    uint32_t count = vm_input_count(vm), params = unit->function ? unit->function->param_count : 0;
    for (uint32_t i = 0; i < params + count; i++) {
        Expr var = i < params ? expr_var_at(pool, i) : vm_input(vm, i - params);
        printf("%s%s = ", i ? ", " : "", expr_var_name(pool, var));
        print_value(expr_model_get(vm_model(vm), var), expr_width(pool, var), is_float_input(unit, i), is_signed_input(unit, i));
    }
    if (params + count == 0) printf("no inputs");
}

static void print_end(const Unit *unit, Vm *vm, const VmStop *stop)
{
    Expr expression = 0;
    if (stop->kind == VM_EXIT && unit->function) {
        const Function *f = unit->function;
        if (f->result_count != 1) printf("returns");
        else {
            uint64_t value = vm_result(vm, &expression);
            if (expression) value = (uint64_t)expr_eval(vm_model(vm), expression);
            printf("returns ");
            print_value(value, f->results[0].width, f->results[0].kind == SCALAR_FLOAT, true);
        }
    } else if (stop->kind == VM_EXIT) {
        printf("exit %d", stop->status);
    } else {
        cli_print_place(stdout, unit->program, stop->loc);
        if (stop->kind == VM_BUG) printf("%s: ", bug_name(stop->bug));
        printf("%s", stop->message);
    }
}

static void on_run(void *data, const Search *search, Vm *vm, const VmStop *stop)
{
    Unit *unit = data;
    const uint8_t *seen = search_reached(search);
    uint32_t fresh = 0;
    for (uint32_t i = 0; i < unit->program->branch_count; i++)
        fresh += seen[i] && !unit->reached[i] && !unit->program->branches[i].in_model;
    uint32_t bugs;
    search_bugs(search, &bugs);
    bool show = unit->options->paths || fresh || bugs > unit->bugs;
    unit->bugs = bugs;
    if (show && (stop->kind != VM_ASSUMPTION || unit->options->paths)) {
        printf("  %llu: ", (unsigned long long)search_stats(search)->runs);
        print_inputs(unit, vm);
        printf(" -> ");
        print_end(unit, vm, stop);
        for (uint32_t i = 0; i < unit->program->branch_count && fresh; i++) {
            if (!seen[i] || unit->reached[i] || unit->program->branches[i].in_model) continue;
            printf("\n       reaches ");
            print_branch(unit->program, i);
        }
        printf("\n");
        fflush(stdout); /* what is found is not lost if this process is */
    }
    memcpy(unit->reached, seen, unit->program->branch_count);
}

/* ---- a unit ---- */

static void print_stats(const Search *search)
{
    fflush(stdout);
    const SearchStats *s = search_stats(search);
    const SolveStats *q = search_solve_stats(search);
    fprintf(stderr, "clew: runs %llu, paths %llu, assumed away %llu, cut off %llu, divergences %llu, points %llu\n",
            (unsigned long long)s->runs, (unsigned long long)s->paths, (unsigned long long)s->assumed_away, (unsigned long long)s->bounded,
            (unsigned long long)s->divergences, (unsigned long long)s->points);
    fprintf(stderr, "clew: queries %llu: sat %llu, unsat %llu, unknown %llu, seconds %.6f\n", (unsigned long long)q->checks,
            (unsigned long long)q->sat, (unsigned long long)q->unsat, (unsigned long long)q->unknown, (double)q->total_nanoseconds / 1e9);
    for (unsigned i = 0; i < SOLVE_TIERS; i++)
        fprintf(stderr, "clew: tier %s: answered %llu, seconds %.6f\n", solve_tier_name((SolveTier)i), (unsigned long long)q->answered[i],
                (double)q->nanoseconds[i] / 1e9);
}

static void print_bugs(const Unit *unit, const Search *search)
{
    uint32_t count;
    const SearchBug *bugs = search_bugs(search, &count);
    for (uint32_t i = 0; i < count; i++) {
        printf("  bug: ");
        cli_print_place(stdout, unit->program, bugs[i].loc);
        printf("%s: %s, in %s\n", bug_name(bugs[i].bug), bugs[i].message, bugs[i].function);
    }
}

/* Branches of the functions that are the unit's own: of the program, not of Clew's library. */
static bool counts(const Unit *unit, uint32_t branch)
{
    const Branch *b = &unit->program->branches[branch];
    return !b->in_model && (!unit->function || &unit->program->functions[b->function] == unit->function);
}

static void print_branches(const Unit *unit, const Search *search)
{
    uint32_t all = 0, reached = 0;
    for (uint32_t i = 0; i < unit->program->branch_count; i++) {
        all += counts(unit, i);
        reached += counts(unit, i) && unit->reached[i];
    }
    printf("  %u of %u branches reached", reached, all);
    printf("; %llu paths%s\n", (unsigned long long)search_stats(search)->paths, search_complete(search) ? ", all there are" : "");
    for (uint32_t i = 0; i < unit->program->branch_count; i++) {
        if (!counts(unit, i) || unit->reached[i]) continue;
        const char *reason = search_open_reason(search, i);
        printf("  not reached: ");
        print_branch(unit->program, i);
        if (reason) printf(" (%s)\n", reason);
        else if (search_tried(search, i))
            printf(" (tried %llu times, no inputs go there on the paths seen)\n", (unsigned long long)search_tried(search, i));
        else printf(" (no path seen comes to it)\n");
    }
}

static void print_losses(const Unit *unit, const Search *search)
{
    uint32_t count;
    const SearchLoss *losses = search_losses(search, &count);
    for (uint32_t i = 0; i < count; i++) {
        printf("  not all paths are known: ");
        cli_print_place(stdout, unit->program, losses[i].loc);
        printf("%s\n", losses[i].reason);
    }
}

static int test_unit(Unit *unit)
{
    SearchOptions options = unit->options->search;
    Search *search;
    Error error;
    options.on_run = on_run;
    options.on_run_data = unit;
    printf("%s:\n", unit->function ? unit->function->name : "main");
    if (unit->function && search_check(unit->function, &error) != OK) {
        printf("  cannot be tested: %s\n", error.text);
        return EXIT_DONE;
    }
    if (search_new(&search, unit->program, unit->function, &options, &error) != OK) {
        fprintf(stderr, "clew: %s\n", error.text);
        return EXIT_USAGE;
    }
    search_run(search);
    print_branches(unit, search);
    print_losses(unit, search);
    print_bugs(unit, search);
    if (unit->options->stats) print_stats(search);
    uint32_t bugs;
    search_bugs(search, &bugs);
    search_free(search);
    fflush(stdout);
    return bugs ? EXIT_BUG : EXIT_DONE;
}

static bool is_wanted(const TestOptions *options, const Function *f)
{
    if (!f->defined || f->in_model) return false;
    for (uint32_t i = 0; i < options->functions.len; i++)
        if (strcmp(options->functions.data[i], f->name) == 0) return true;
    return options->functions.len == 0 && !f->internal;
}

static int test_all(TestOptions *options, const Program *program)
{
    Unit unit = {.options = options, .program = program, .reached = mem_alloc(program->branch_count + 1)};
    const Function *entry = program_function(program, "main");
    int status = EXIT_DONE;
    uint32_t tested = 0;
    if (entry && entry->defined && options->functions.len == 0) return test_unit(&unit);
    for (uint32_t i = 0; i < program->function_count; i++) {
        if (!is_wanted(options, &program->functions[i])) continue;
        unit.function = &program->functions[i];
        unit.bugs = 0;
        memset(unit.reached, 0, program->branch_count);
        int ended = test_unit(&unit);
        if (ended == EXIT_USAGE) return ended;
        if (ended == EXIT_BUG) status = ended;
        tested++;
    }
    free(unit.reached);
    if (tested) return status;
    return options->functions.len ? cli_complain("there is no function '%s' in these files", options->functions.data[0])
                                  : cli_complain("%s", "there is no function to test in these files");
}

static int test(void *data)
{
    TestOptions *options = data;
    Program *program;
    FrontTimes times = {0};
    Error error;
    if (sources_load(&options->sources, NULL, &program, &times, &error) != OK) {
        fprintf(stderr, "clew: %s\n", error.text);
        return EXIT_USAGE;
    }
    VmOptions *vm = &options->search.vm;
    vm->argc = options->arguments.len;
    vm->argv = options->arguments.data;
    vm->quiet_output = true;
    vm->symbolic_files = options->files.data;
    vm->symbolic_file_count = options->files.len;
    vm->concrete = options->concrete.data;
    vm->concrete_count = options->concrete.len;
    vm->partitions = options->partitions.data;
    vm->partition_count = options->partitions.len;
    if (options->time > 0) options->search.deadline = options->started + options->time;
    int status = test_all(options, program);
    program_free(program);
    return status;
}

int cli_test(int argc, char **argv)
{
    TestOptions options = {.started = clock_seconds()};
    int status = parse(&options, argc, argv);
    if (status) return status;
    options.arguments.data[0] = cli_program_name(options.sources.files.data[0]);
    return options.in_process ? test(&options) : cli_in_child(test, &options, options.time, options.started);
}
