/* `clew explore`: searches the paths of main, or of functions whose parameters are numbers, and prints what it finds as it finds it.  Nothing is
 * written and nothing is run natively; for looking at the search itself.
 * The search runs in a child process: what native code does there cannot take the command down. */
#include "base/arith.h"
#include "cli/cli.h"
#include "cli/common.h"
#include "cli/search_options.h"
#include "report/report.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct ExploreOptions {
    Sources sources;
    SearchArguments arguments;
    bool stats, paths, show_summaries, in_process;
} ExploreOptions;

/* One function's, or main's, search as it goes on. */
typedef struct Unit {
    const ExploreOptions *options;
    const Program *program;
    const Function *function; /* NULL: main */
    uint8_t *reached;         /* per branch, shown already; shared with the side search */
    uint32_t bugs;            /* found so far */
} Unit;

/* ---- arguments ---- */

static int parse_one(void *data, int argc, char **argv, int *i)
{
    ExploreOptions *options = data;
    const char *word = argv[*i];
    if (strcmp(word, "--stats") == 0) options->stats = true;
    else if (strcmp(word, "--paths") == 0) options->paths = true;
    else if (strcmp(word, "--show-summaries") == 0) options->show_summaries = true;
    else if (strcmp(word, "--in-process") == 0) options->in_process = true;
    else if (search_option_known(word)) return search_option_parse(&options->arguments, argc, argv, i);
    else return sources_parse(&options->sources, argc, argv, i);
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

static void on_run(void *data, Search *search, Vm *vm, const VmStop *stop)
{
    Unit *unit = data;
    const uint8_t *seen = vm_branches_seen(vm);
    uint32_t fresh = 0, bugs = (uint32_t)search_stats(search)->bugs;
    for (uint32_t i = 0; i < unit->program->branch_count; i++)
        fresh += seen[i] && !unit->reached[i] && !unit->program->branches[i].uncounted;
    bool show = unit->options->paths || fresh || bugs > unit->bugs;
    unit->bugs = bugs;
    if (stop->kind == VM_ASSUMPTION && !unit->options->paths) return; /* another run may show what it reached */
    if (show) {
        printf("  %llu: ", (unsigned long long)search_runs(search));
        print_inputs(unit, vm);
        printf(" -> ");
        print_end(unit, vm, stop);
        for (uint32_t i = 0; i < unit->program->branch_count && fresh; i++) {
            if (!seen[i] || unit->reached[i] || unit->program->branches[i].uncounted) continue;
            printf("\n       reaches ");
            print_branch(unit->program, i);
        }
        printf("\n");
        fflush(stdout); /* what is found is not lost if this process is */
    }
    for (uint32_t i = 0; i < unit->program->branch_count; i++) unit->reached[i] |= seen[i];
}

/* ---- a unit ---- */

static void print_stats(const Search *search)
{
    fflush(stdout);
    const SearchStats *s = search_stats(search);
    const SolveStats *q = search_solve_stats(search);
    fprintf(stderr,
            "clew: runs %llu, paths %llu, assumed away %llu, cut off %llu, visited %llu, divergences %llu, points %llu, rehearsals %llu, "
            "work %llu\n",
            (unsigned long long)search_runs(search), (unsigned long long)s->paths, (unsigned long long)s->assumed_away,
            (unsigned long long)s->bounded, (unsigned long long)s->visited, (unsigned long long)s->divergences,
            (unsigned long long)s->points, (unsigned long long)s->rehearsals, (unsigned long long)search_work(search));
    for (uint32_t i = 0; i < SEARCH_STRATEGIES; i++) {
        SearchTechnique t = search_technique(search, (SearchStrategy)i);
        if (t.work)
            fprintf(stderr, "clew: technique %s: work %llu, news %llu\n", search_strategy_name((SearchStrategy)i),
                    (unsigned long long)t.work, (unsigned long long)t.news);
    }
    LoopsStats loops = search_loops_stats(search);
    loops_print_stats(stderr, &loops);
    fprintf(stderr, "clew: queries %llu: sat %llu, unsat %llu, unknown %llu, seconds %.6f\n", (unsigned long long)q->checks,
            (unsigned long long)q->sat, (unsigned long long)q->unsat, (unsigned long long)q->unknown, (double)q->total_nanoseconds / 1e9);
    for (unsigned i = 0; i < SOLVE_TIERS; i++)
        fprintf(stderr, "clew: tier %s: answered %llu, seconds %.6f\n", solve_tier_name((SolveTier)i), (unsigned long long)q->answered[i],
                (double)q->nanoseconds[i] / 1e9);
}

static void print_summary_stats(const Unit *unit, const Search *search)
{
    const Summaries *summaries = search_summaries(search);
    for (uint32_t i = 0; summaries && i < summaries_count(summaries); i++) {
        SummaryFacts facts = summaries_facts(summaries, i);
        StrBuf text = {0};
        report_function(&(LedgerSummary){.paths = facts.paths,
                                         .kept = facts.kept,
                                         .explored = facts.explored,
                                         .reused = facts.reused,
                                         .inlined = facts.inlined,
                                         .why = (char *)(uintptr_t)facts.why},
                        &text);
        fprintf(stderr, "clew: summary of %s: %s\n", unit->program->functions[facts.function].name, text.text);
        strbuf_release(&text);
    }
}

static void print_summaries(const Unit *unit, const Search *search)
{
    const Summaries *summaries = search_summaries(search);
    for (uint32_t i = 0; summaries && i < summaries_count(summaries); i++) {
        SummaryFacts facts = summaries_facts(summaries, i);
        StrBuf text = {0};
        summaries_print(summaries, i, &text);
        printf("  summary of %s:", unit->program->functions[facts.function].name);
        if (text.len) printf("\n");
        else printf(" none%s%s\n", facts.why ? ": " : "", facts.why ? facts.why : "");
        char *rest = text.text;
        for (char *line; rest && *rest && (line = strsep(&rest, "\n")) != NULL;) printf("    %s\n", line);
        strbuf_release(&text);
    }
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
    return !b->uncounted && (!unit->function || &unit->program->functions[b->function] == unit->function);
}

static void print_branches(const Unit *unit, const Search *search)
{
    uint32_t all = 0, reached = 0;
    for (uint32_t i = 0; i < unit->program->branch_count; i++) {
        all += counts(unit, i);
        reached += counts(unit, i) && unit->reached[i];
    }
    printf("  %u of %u branches reached", reached, all);
    LaneNote elsewhere = search_elsewhere(search);
    uint64_t paths = elsewhere.complete ? elsewhere.paths : search_stats(search)->paths;
    printf("; %llu paths%s\n", (unsigned long long)paths, search_complete(search) ? ", all there are" : "");
    for (uint32_t i = 0; i < unit->program->branch_count; i++) {
        if (!counts(unit, i) || unit->reached[i]) continue;
        SearchOpen open = search_open(search, i);
        printf("  not reached: ");
        print_branch(unit->program, i);
        if (open.reason) printf(" (%s)\n", open.reason);
        else if (open.tried) printf(" (tried %llu times, no inputs go there on the paths seen)\n", (unsigned long long)open.tried);
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

/* The main search has the same to say. */
static void say_nothing(void *data, const char *text)
{
    (void)data;
    (void)text;
}

/* What a search knows of functions: the side search, if there is one. */
static void print_functions(const Unit *unit, const Search *search)
{
    if (unit->options->show_summaries) print_summaries(unit, search);
    if (unit->options->stats) print_summary_stats(unit, search);
}

static int search_unit(Unit *unit, Lane *lane, bool is_side)
{
    SearchOptions options = unit->options->arguments.search;
    Search *search;
    Error error;
    options.on_run = on_run;
    options.on_run_data = unit;
    options.lane = lane;
    if (is_side) options.vm.on_note = say_nothing;
    if (search_new(&search, unit->program, unit->function, &options, &error) != OK) {
        if (is_side) _exit(EXIT_USAGE);
        fprintf(stderr, "clew: %s\n", error.text);
        return EXIT_USAGE;
    }
    search_run(search);
    print_functions(unit, search);
    if (is_side) search_end_side(search);
    memcpy(unit->reached, search_reached(search), unit->program->branch_count);
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

static int explore_unit(Unit *unit)
{
    const ExploreOptions *options = unit->options;
    Error error;
    printf("%s:\n", unit->function ? unit->function->name : "main");
    if (unit->function && search_check(unit->function, &error) != OK) {
        printf("  cannot be tested: %s\n", error.text);
        return EXIT_DONE;
    }
    bool is_side = false;
    Lane *lane = options->arguments.search.summaries ? lane_start(unit->program->branch_count, &is_side) : NULL;
    int status = search_unit(unit, lane, is_side);
    lane_free(lane);
    return status;
}

static bool is_wanted(const ExploreOptions *options, const Function *f)
{
    if (!f->defined || f->in_model) return false;
    for (uint32_t i = 0; i < options->arguments.functions.len; i++)
        if (strcmp(options->arguments.functions.data[i], f->name) == 0) return true;
    return options->arguments.functions.len == 0 && !f->internal;
}

static int explore_all(ExploreOptions *options, const Program *program)
{
    Unit unit = {.options = options, .program = program};
    unit.reached = mmap(NULL, program->branch_count + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(unit.reached != MAP_FAILED, "no memory to share with a search");
    const Function *entry = program_function(program, "main");
    int status = EXIT_DONE;
    uint32_t tested = 0;
    if (entry && entry->defined && options->arguments.functions.len == 0) return explore_unit(&unit);
    for (uint32_t i = 0; i < program->function_count; i++) {
        if (!is_wanted(options, &program->functions[i])) continue;
        unit.function = &program->functions[i];
        unit.bugs = 0;
        memset(unit.reached, 0, program->branch_count);
        int ended = explore_unit(&unit);
        if (ended == EXIT_USAGE) return ended;
        if (ended == EXIT_BUG) status = ended;
        tested++;
    }
    munmap(unit.reached, program->branch_count + 1);
    if (tested) return status;
    return options->arguments.functions.len ? cli_complain("there is no function '%s' in these files", options->arguments.functions.data[0])
                                            : cli_complain("%s", "there is no function to test in these files");
}

static int explore(void *data)
{
    ExploreOptions *options = data;
    Program *program;
    FrontTimes times = {0};
    Error error;
    if (sources_load(&options->sources, NULL, &program, &times, &error) != OK) {
        fprintf(stderr, "clew: %s\n", error.text);
        return EXIT_USAGE;
    }
    int status = explore_all(options, program);
    program_free(program);
    return status;
}

int cli_explore(int argc, char **argv)
{
    double started = clock_seconds();
    ExploreOptions options = {0};
    SearchArguments *arguments = &options.arguments;
    int status = cli_parse(argc, argv, parse_one, &options, &arguments->arguments);
    if (status) return status;
    if (options.sources.files.len == 0) return cli_complain("%s", "no file to explore");
    search_options_finish(arguments, &options.sources);
    if (arguments->time > 0) arguments->search.deadline = started + arguments->time;
    return options.in_process ? explore(&options) : cli_in_child(explore, &options, arguments->time, started);
}
