/* The loop: pick a point, try it, until nothing is left or a budget is spent.  See search_int.h for where the rest is. */
#include "search/search_int.h"

#include "base/arith.h"

#include <stdlib.h>
#include <time.h>

enum {
    RUN_INSTRUCTIONS = 30000000, /* of one run, if the options do not say */
    PATH_CONDITIONS = 20000,
    RUN_NODES = 1 << 24, /* expressions of one run: about a gibibyte */
    EFFORT_OF_RUN = 3000 /* a cheap run takes about three microseconds */,
    INSTRUCTIONS_OF_RUN = 60,
    PATIENCE_FACTOR = 10, /* while something wanted is not reached, or all paths are so short that they may be few */
    SHORT_PATH = 256,
    LEAST_HARD_EFFORT = 500000000,
    RUN_WORK = 1500, /* nanoseconds of a run, besides its instructions */
    INPUT_WORK = 60, /* nanoseconds of a constant that is given to the program in a rehearsal, besides its instructions */
    INSTRUCTION_WORK = 12,
    NODE_WORK = 200,
    EVALUATION_WORK = 10,
    PLACE_WORK = 40,
    LEAST_QUIET_WORK = 20000000, /* units, about 20 ms: before that it is not called quiet.  A guess. */
    LEAST_BUG_WORK = 500000000,  /* units, about half a second, that are spent on bugs when every branch is reached.  A guess. */
    LONGEST_PAUSE_NS = 20000000
};
#define PROGRESS_SECONDS 0.05
#define GUEST_BYTES ((uint64_t)2 << 30) /* that a program may hold, so that several searches find room beside each other.  A guess. */

const char *search_strategy_name(SearchStrategy strategy)
{
    return strategy == SEARCH_AUTO ? "auto" : schedule_name(strategy - 1);
}

const char *search_end_text(SearchEnd end)
{
    static const char *const texts[] = {
        "it goes on",
#define END(NAME, text) text,
#include "search/ends.def"
#undef END
    };
    REQUIRE(end < COUNT_OF(texts), "no such end");
    return texts[end];
}

/* ---- the loop ---- */

/* Runs since the last news; work of the solver and of the machine counts as so many cheap ones. */
static uint64_t quiet_runs(const Search *search)
{
    uint64_t effort = search_solve_stats(search)->effort - search->news_effort;
    uint64_t instructions = vm_stats(search->vm)->instructions - search->news_instructions;
    return search->stats.runs - search->stats.last_news + effort / EFFORT_OF_RUN + instructions / INSTRUCTIONS_OF_RUN;
}

/* Bugs may lie on other paths through branches that are reached already: looking for them gets as much work as reaching the branches took. */
static bool has_covered_all(Search *search)
{
    uint64_t work = search_work(search);
    if (!search->options.until_covered || search->goals_left) return false;
    if (!search->covered_work) search->covered_work = work;
    uint64_t most = search->covered_work > LEAST_BUG_WORK ? search->covered_work : LEAST_BUG_WORK;
    return work - search->covered_work >= most;
}

bool search__may_go_on(Search *search)
{
    const SearchOptions *options = &search->options;
    SearchGrant *grant = options->grant;
    if (!search__has_turn(search)) return false;
    if (!grant) return true;
    for (long pause = 1000000; (double)grant->until < clock_seconds() * 1e6 && !grant->finish; pause += pause / 2) {
        if (pause == 1000000 && options->on_wait) options->on_wait(options->on_wait_data, search);
        if (pause > LONGEST_PAUSE_NS) pause = LONGEST_PAUSE_NS;
        nanosleep(&(struct timespec){0, pause}, NULL);
    }
    return !grant->finish;
}

static SearchEnd find_end(Search *search)
{
    const SearchOptions *options = &search->options;
    uint64_t quiet = quiet_runs(search), factor = search->goals_left || search->longest <= SHORT_PATH ? PATIENCE_FACTOR : 1;
    if (search->found || (options->target && search->reached[*options->target])) return SEARCH_END_TARGET;
    if (options->first_bug && search->bugs.len) return SEARCH_END_FIRST_BUG;
    if (search->elsewhere.complete) return SEARCH_END_COMPLETE;
    if (options->max_runs && search_runs(search) >= options->max_runs) return SEARCH_END_RUNS;
    if (options->patience && quiet / factor >= options->patience) return SEARCH_END_PATIENCE;
    if (options->work && search_work(search) >= options->work) return SEARCH_END_WORK;
    if (has_covered_all(search)) return SEARCH_END_COVERED;
    if (search->ends_quietly) return SEARCH_END_QUIET;
    if (options->deadline > 0 && clock_seconds() >= options->deadline) return SEARCH_END_DEADLINE;
    return search__may_go_on(search) ? SEARCH_GOES_ON : SEARCH_END_DEADLINE;
}

void search__show_progress(Search *search)
{
    if (!search->options.on_progress) return;
    double now = clock_seconds();
    if (now < search->next_progress) return;
    search->next_progress = now + PROGRESS_SECONDS;
    search->options.on_progress(search->options.on_progress_data, search);
}

/* The solver is asked again where it gave up; with `new_only`, only where that could show something new. */
static bool try_harder(Search *search, bool new_only)
{
    if (search->hard.len == 0) return false;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < search->hard.len; i++) {
        PendingEntry entry = search->hard.data[i];
        Point *p = &search->tree.points.data[entry.point];
        if (!p->live || p->serial != entry.serial || !p->pending) continue;
        if (new_only && !search__is_worthwhile(search, p)) {
            search->hard.data[kept++] = entry;
            continue;
        }
        p->waiting = false;
        schedule_tell_all(search, entry.point);
    }
    search->hard.len = kept;
    return true;
}

/* Hard points that show nothing new only complete the picture: they may take as much as all others. */
static bool is_enough(const Search *search)
{
    uint64_t hard = search->hard_effort, others = search_solve_stats(search)->effort - hard;
    return hard > LEAST_HARD_EFFORT && hard > others;
}

/* One step of the technique whose turn it is.  False: none has anything to do. */
static bool take_step(Search *search)
{
    uint32_t point;
    switch (schedule_pick(search, &point)) {
    case PROPOSES_NOTHING: return false;
    case HAS_WORKED: return true;
    case PROPOSES_POINT: break;
    }
    const Point *p = &search->tree.points.data[point];
    if (!p->hard || search__is_worthwhile(search, p) || !is_enough(search)) search__try_point(search, point);
    else search__give_up(search, point, "the solver gave up, and nothing new was to be expected");
    return true;
}

/* ---- work ---- */

uint64_t search_work(const Search *search)
{
    uint64_t work = search_solve_stats(search)->effort + search->stats.runs * RUN_WORK + search->elsewhere.work;
    work += vm_stats(search->vm)->instructions * INSTRUCTION_WORK + expr_pool_work(search->pool) * NODE_WORK;
    work += vm_state_work(search->vm) * STATE_WORK + search->stats.rehearsals * RUN_WORK + search->stats.rehearsed_inputs * INPUT_WORK;
    work += expr_pool_evaluated(search->pool) * EVALUATION_WORK;
    return work + summaries_work(search->summaries) * PLACE_WORK;
}

uint64_t search_runs(const Search *search)
{
    return search->stats.runs + search->elsewhere.runs;
}

/* When half of all work so far has brought nothing new, counted from the last news, what was put off is taken up: runs are followed twice as far, and,
 * if it was quiet for as long as one question may take, the solver is asked again where it gave up.  The rule has no scale of its own: a search that finds something stays where it finds it, and one that
 * does not reaches out whenever it has worked twice as long. */
static void reach_out(Search *search)
{
    uint64_t work = search_work(search);
    (void)search__retry_loops(search, work);
    if (search->news != search->quiet_news) {
        search->quiet_news = search->news;
        search->quiet_work = work;
    }
    uint64_t quiet = work - search->quiet_work;
    if (quiet < LEAST_QUIET_WORK || quiet < work / 2) return;
    search->quiet_work = work;
    search->ends_quietly = search->options.on_quiet && search->options.on_quiet(search->options.on_quiet_data, search);
    search__deepen(search);
    if (quiet >= search->options.solve.effort) try_harder(search, true);
}

/* Is there a point of the common tree to be tried?  What was put off is taken up where nothing else is left. */
static bool has_points(Search *search)
{
    return schedule_has_points(search) || search__deepen(search) || try_harder(search, false);
}

void search_stop(Search *search)
{
    search->found = true;
}

void search_run(Search *search)
{
    if (!search->options.peers || !search->options.peer) search__run(search);
    search->first_nodes = expr_pool_count(search->pool);
    if (search->options.seed_count) search__run_seeds(search);
    while ((search->stats.end = find_end(search)) == SEARCH_GOES_ON) {
        search__show_progress(search);
        reach_out(search);
        bool waits = search__divide(search), any = has_points(search);
        bool knows_all = !search->tree.pending && !search->losses.len && !waits;
        if (knows_all || (!take_step(search) && !any && !waits && !search__retry_loops(search, UINT64_MAX))) break;
    }
    if (search->stats.end == SEARCH_GOES_ON) search->stats.end = SEARCH_END_COMPLETE;
    if (search->hard.len && search->tree.pending) /* else other runs have gone there since */
        search__lose(search, search->tree.points.data[search->hard.data[0].point].loc,
                     "the solver gave up, and was not asked again before the search ended");
    if (search->tree.pending) search__lose_further(search);
    /* Only said at the end: a search that knows all other executions has nothing more to do. */
    if (search->stats.verified) search__lose(search, 0, "executions that are verified were left out (--guide none includes them)");
    bool tries_no_points = search->options.strategy == SEARCH_SEQUENCES || search->options.strategy == SEARCH_LOOPS;
    if (search->tree.pending && tries_no_points)
        search__lose(search, 0, "the technique that was chosen (--search) does not try every path");
    if (vm_stats(search->vm)->application_faults) search__lose(search, 0, "a real function gave no result for some arguments");
    search__leave_path(search, 0);
    search->stats.points = search->tree.made;
    search__end_lane(search);
}

/* ---- set-up ---- */

static void on_report(void *data, const VmReport *report)
{
    search__note_bug(data, report->bug, report->loc, report->function, report->message, false);
}

static void on_loss(void *data, uint32_t loc, const char *text)
{
    Search *search = data;
    search__lose(search, loc, text);
}

static uint32_t partitions(void *data, ExprPool *pool, Expr application, Expr *conditions, uint32_t capacity)
{
    (void)pool;
    return vm_partition_conditions(((Search *)data)->vm, application, conditions, capacity);
}

/* A first value: small numbers more often than large ones. */
static U128 first_value(Random *random, Scalar type)
{
    uint64_t r = random_next(random);
    int64_t small = (int64_t)(r % 201) - 100;
    if (type.kind == SCALAR_FLOAT && type.width <= 64)
        return type.width == 32 ? (U128)arith_bits32((float)small) : (U128)arith_bits64((double)small);
    return random_below(random, 4) ? (U128)(I128)small : (U128)r;
}

Status search_check(const Function *function, Error *error)
{
    for (uint32_t i = 0; i < function->param_count; i++)
        if (function->params[i].type.kind == SCALAR_POINTER)
            return fail(error, "the parameter '%s' of %s is a pointer: write a main that builds it and calls %s", function->params[i].name,
                        function->name, function->name);
    return OK;
}

static Status start_function(Search *search, Error *error)
{
    const Function *f = search->function;
    Vec(Expr) arguments = {0};
    Random random;
    if (search_check(f, error) != OK) return FAILED;
    random_seed(&random, search->options.seed);
    for (uint32_t i = 0; i < f->param_count; i++) {
        Expr input = expr_var(search->pool, f->params[i].type.width, f->params[i].name);
        expr_model_set(vm_model(search->vm), input, first_value(&random, f->params[i].type));
        vec_push(&arguments, input);
    }
    Status status = vm_start_function_values(search->vm, f, arguments.data, arguments.len, error);
    vec_release(&arguments);
    return status;
}

static Status set_up(Search *search, Error *error)
{
    SearchOptions *options = &search->options;
    options->vm.exploring = options->vm.marks = options->vm.stop_at_report = true;
    options->vm.on_report = on_report;
    options->vm.on_report_data = search;
    options->vm.on_loss = on_loss;
    options->vm.on_loss_data = search;
    search__start_visited(search);
    if (!options->vm.fixed_time_ns) options->vm.fixed_time_ns = SEARCH_TIME_NS;
    options->vm.deadline = options->deadline;
    if (!options->vm.run_limit) options->vm.run_limit = RUN_INSTRUCTIONS;
    if (!options->vm.path_limit) options->vm.path_limit = PATH_CONDITIONS;
    if (!options->vm.node_limit) options->vm.node_limit = RUN_NODES;
    if (!options->vm.memory_limit) {
        options->vm.memory_limit = GUEST_BYTES;
        options->vm.memory_is_guess = true;
    }
    options->solve.seed = options->seed;
    options->solve.deadline = options->deadline;
    options->solve.partitions = partitions;
    options->solve.partitions_data = search;
    if (vm_new(&search->vm, search->program, search->pool, &options->vm, error) != OK) return FAILED;
    if (solver_new(&search->solver, search->pool, &options->solve, error) != OK) return FAILED;
    Status status = search->function ? start_function(search, error) : vm_start_main(search->vm, error);
    search__update_goals(search);
    search__start_depth(search);
    if (options->vm.on_ask) vm_start_states(search->vm);
    if (status == OK) search->first = search->resumed = vm_mark(search->vm);
    if (status == OK && options->strategy == SEARCH_SUMMARIES) search__use_summaries(search);
    return status;
}

/* What concerns the caller's budget is the main search's business.  What others have reached is not known here, so the side search finds what it would
 * find alone. */
static void become_side(Search *search)
{
    SearchOptions *options = &search->options;
    options->strategy = SEARCH_SUMMARIES;
    options->work = options->planted = options->skipped_count = 0;
    options->grant = NULL;
    options->at_run = NULL;
    options->known = NULL;
    options->peers = NULL;
    search__wait_for_first_turn(search);
}

Status search_new(Search **out, const Program *program, const Function *function, const SearchOptions *options, Error *error)
{
    Search *search = mem_alloc(sizeof *search);
    search->program = program;
    search->function = function;
    search->options = *options;
    search->pool = expr_pool_new();
    tree_init(&search->tree);
    if (search__is_side(search)) become_side(search);
    if (options->lane && !search__is_side(search)) search->reached = lane_reached(options->lane);
    else search->reached = search->own_reached = mem_alloc(program->branch_count + 1);
    schedule_start(search);
    search->spare_nodes = SPARE_NODES;
    random_seed(&search->random, options->seed);
    if (!search->options.solve.effort) search->options.solve.effort = 2000000000;
    for (uint32_t i = 0; i < program->branch_count; i++) {
        vec_push(&search->open, NULL);
        vec_push(&search->on_path, 0);
        vec_push(&search->barren, 0);
        vec_push(&search->depends, 0);
    }
    for (uint32_t i = 0; i < program->branch_count + program->loc_count; i++) vec_push(&search->tried, 0);
    for (uint32_t i = 0; i < program->loc_count; i++) {
        vec_push(&search->unknown, 0);
        vec_push(&search->divergent, 0);
    }
    if (set_up(search, error) != OK) {
        search_free(search);
        return FAILED;
    }
    *out = search;
    return OK;
}

void search_free(Search *search)
{
    if (!search) return;
    summaries_free(search->summaries);
    solver_free(search->solver);
    if (search->vm) vm_free(search->vm);
    expr_pool_free(search->pool);
    tree_release(&search->tree);
    schedule_free(search);
    for (uint32_t i = 0; i < search->losses.len; i++) free((char *)search->losses.data[i].reason);
    for (uint32_t i = 0; i < search->bugs.len; i++) free(search->bugs.data[i].message);
    vec_release(&search->path);
    vec_release(&search->asserted);
    vec_release(&search->prefix);
    vec_release(&search->assumptions);
    vec_release(&search->changed);
    vec_release(&search->repeated);
    vec_release(&search->open);
    vec_release(&search->tried);
    vec_release(&search->on_path);
    vec_release(&search->barren);
    vec_release(&search->depends);
    vec_release(&search->unknown);
    vec_release(&search->divergent);
    free(search->own_reached);
    vec_release(&search->given.inputs);
    vec_release(&search->goals);
    vec_release(&search->fresh);
    map_release(&search->taken);
    map_release(&search->earliest);
    vec_release(&search->hard);
    vec_release(&search->further);
    vec_release(&search->states);
    map_release(&search->visited);
    vec_release(&search->losses);
    vec_release(&search->bugs);
    map_release(&search->known_losses);
    map_release(&search->known_bugs);
    map_release(&search->known_checks);
    free(search);
}

/* ---- results ---- */

bool search_complete(const Search *search)
{
    return search->stats.end == SEARCH_END_COMPLETE && (search->losses.len == 0 || search->elsewhere.complete);
}

const SearchStats *search_stats(const Search *search)
{
    return &search->stats;
}

SearchStrategy search_strategy_now(const Search *search)
{
    return search->schedule.current == NOBODY ? SEARCH_AUTO : (SearchStrategy)(search->schedule.current + 1);
}

uint32_t search_goals_left(const Search *search)
{
    return search->goals_left;
}

const SolveStats *search_solve_stats(const Search *search)
{
    return solver_stats(search->solver);
}

const Summaries *search_summaries(const Search *search)
{
    return search->summaries;
}

const SearchLoss *search_losses(const Search *search, uint32_t *count)
{
    *count = search->losses.len;
    return search->losses.data;
}

const SearchBug *search_bugs(const Search *search, uint32_t *count)
{
    *count = search->bugs.len;
    return search->bugs.data;
}

const uint8_t *search_reached(const Search *search)
{
    return search->reached;
}

LaneNote search_elsewhere(const Search *search)
{
    return search->elsewhere;
}

SearchOpen search_open(const Search *search, uint32_t branch)
{
    uint32_t first, end;
    search__siblings(search->program, branch, &first, &end);
    SearchOpen open = {.depends = search->depends.data[first],
                       .tried = search->tried.data[first],
                       .reason = search->open.data[branch],
                       .verified = vm_is_in_verified(search->vm, branch),
                       .undecided = search->undecided};
    for (uint32_t i = first; i < end; i++) open.evaluated |= search_reached(search)[i];
    open.entered = open.evaluated || vm_entered(search->vm, search->program->branches[branch].function);
    return open;
}
