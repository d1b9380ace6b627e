/* One unit's search, in a process of its own. */
#include "campaign/campaign_int.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* A search begins with small inputs.  Where branches are open when it knows all paths, or when half of all its work has brought nothing new, and some run had an
 * input that filled its bound, the bounds are doubled and another search begins.  A search that still finds something is not left for that:
 * on five parsers it found more branches than one with larger inputs did with the same work.  A search that begins because the one before knows all paths has at
 * most as much work as there was before, since nobody knows whether any input is large enough for the open branches. */
enum { MOST_DOUBLINGS = 3, LEAST_WORK = 10000000 /* units (about 10 ms) that the first larger search has in any case.  A guess. */ };

enum {
    MOST_TESTS = 20000, /* of one unit */
    MOST_SEEDS = 1000,  /* tests that a later search begins with.  A guess: they cost some milliseconds. */
    RICH_RUNS = 12,
    RICH_PATH = 4000
};

/* A run whose path takes many branches: one test that may stand for several. */
typedef struct Rich {
    Record record;
    uint32_t score; /* branches on its path */
    uint64_t hash;  /* of their set */
} Rich;

typedef struct Worker {
    const Work *work;
    uint32_t tests; /* told so far */
    Rich rich[RICH_RUNS];
    uint8_t *lacking; /* per branch: only runs that ended in a bug or an assumption came to it */
    uint32_t lacking_count;
    uint32_t *stamps; /* per branch: the last run that was seen to take it */
    uint32_t stamp;
    uint32_t doublings;    /* how often this search has doubled the bounds of the buffers that the harness makes */
    bool capped;           /* this search has no more than a part of what is left */
    bool complete;         /* an earlier search, with smaller bounds, knows all paths */
    SearchProgress before; /* what the earlier searches, with smaller bounds, have done together */
    Vec(SearchSeed) seeds; /* what the tests told so far were given: later searches begin with that */
    uint32_t seen, bugs;   /* how many branches and bugs the search had at the last run */
    double told;           /* when progress was */
    double news_seconds;   /* of the processor, when a branch was reached last */
    uint64_t instructions; /* of this search's own machine */
} Worker;

/* ---- records ---- */

/* `is_end`: a fault is none of the unit's, since it had returned. */
static RecordEnd end_of(const VmStop *stop, bool returned, bool is_end)
{
    switch (stop->kind) {
    case VM_EXIT: return returned ? END_RETURN : END_EXIT;
    case VM_SIGNAL: return END_SIGNAL;
    case VM_BUG: return is_end ? END_RETURN : END_BUG;
    case VM_ASSUMPTION: return END_ASSUMPTION;
    case VM_INPUTS: return END_INPUTS;
    case VM_IDLE: return END_IDLE;
    default: return END_LIMIT;
    }
}

static void read_inputs(Record *record, Vm *vm)
{
    const ExprPool *pool = vm_pool(vm);
    for (uint32_t i = 0; i < vm_input_count(vm); i++) {
        VmInput input = vm_input_info(vm, i);
        RecordInput entry = {.name = mem_strdup(expr_var_name(pool, input.variable)), .type = input.type, .address = input.address};
        entry.width = expr_width(pool, input.variable);
        entry.bits = expr_model_get(vm_model(vm), input.variable);
        vec_push(&record->inputs, entry);
    }
}

static void read_memory(Record *record, const Vm *vm)
{
    for (uint32_t i = 0; i < vm_memory_count(vm) && !vm_by_chance(vm); i++) {
        const VmMemory *seen = vm_memory(vm, i);
        RecordMemory memory = {.name = mem_strdup(seen->name), .moment = seen->moment, .address = seen->address, .size = seen->size};
        memory.count = seen->count;
        memory.zeros = seen->zeros;
        memory.kind = seen->kind == 'f'   ? MEMORY_FUNCTION
                      : seen->kind == 'h' ? MEMORY_HEAP
                      : seen->kind == 's' ? MEMORY_LOCAL
                                          : MEMORY_GLOBAL;
        memory.bytes = mem_alloc(seen->count + 1);
        memory.set = mem_alloc(seen->count + 1);
        if (seen->count) memcpy(memory.bytes, seen->bytes, seen->count);
        if (seen->count) memcpy(memory.set, seen->set, seen->count);
        vec_push(&record->memory, memory);
    }
}

void campaign__read_run(Record *record, const Program *program, Vm *vm, const VmStop *stop, bool is_unit)
{
    read_inputs(record, vm);
    for (uint32_t i = 0; i < vm_observation_count(vm); i++) {
        const VmObservation *seen = vm_observation(vm, i);
        RecordSeen entry = {.name = mem_strdup(seen->name), .type = seen->type, .defined = seen->defined && !vm_by_chance(vm)};
        entry.width = seen->width;
        entry.bits = seen->bits;
        entry.address = seen->address;
        vec_push(&record->seen, entry);
    }
    read_memory(record, vm);
    record->doublings = vm_doublings(vm);
    const Loc *loc = &program->locs[stop->loc];
    bool is_end = is_unit && vm_returned(vm), is_bug = stop->kind == VM_BUG && !is_end;
    record->end = !is_bug && vm_by_chance(vm) ? END_LIMIT : end_of(stop, !is_unit || is_end, is_end);
    record->status = stop->any_status ? RECORD_ANY_STATUS : stop->status;
    record->bug = is_bug ? mem_strdup(bug_name(stop->bug)) : NULL;
    record->file = mem_strdup(loc->file ? loc->file : "");
    record->line = loc->line;
    record->function = mem_strdup(stop->function ? stop->function : "");
    record->message = mem_strdup(stop->message);
    if (is_bug) campaign__blame(record, program, vm, stop);
}

/* ---- while it searches ---- */

static void add_progress(SearchProgress *to, const SearchProgress *other)
{
    to->runs += other->runs;
    to->verified += other->verified;
    to->unverified += other->unverified;
    to->paths += other->paths;
    to->instructions += other->instructions;
    to->queries += other->queries;
    to->work += other->work;
    to->solver_seconds += other->solver_seconds;
    loops_add_stats(&to->loops, &other->loops, 1);
}

static SearchProgress progress_of(const Worker *worker, const Search *search)
{
    const SearchStats *s = search_stats(search);
    const SolveStats *q = search_solve_stats(search);
    LaneNote side = search_elsewhere(search);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    SearchProgress progress = {.runs = search_runs(search),
                               .verified = s->verified,
                               .unverified = s->unverified,
                               .paths = side.complete ? side.paths : s->paths,
                               .instructions = worker->instructions + side.instructions,
                               .queries = q->checks + side.queries,
                               .work = search_work(search),
                               .solver_seconds = (double)(q->total_nanoseconds + side.nanoseconds) / 1e9,
                               .processor_seconds = clock_processor_seconds(),
                               .news_seconds = worker->news_seconds,
                               .loops = search_loops_stats(search),
                               .peak_rss_kib = (uint64_t)usage.ru_maxrss + side.peak_rss_kib,
                               .strategy = search_strategy_now(search),
                               .complete = search_complete(search),
                               .knows_all = side.complete};
    add_progress(&progress, &worker->before);
    progress.complete |= worker->complete;
    return progress;
}

static void keep_seed(Worker *worker, const Record *record)
{
    SearchSeedInput *inputs = mem_alloc((record->inputs.len + 1) * sizeof *inputs);
    for (uint32_t i = 0; i < record->inputs.len; i++)
        inputs[i] = (SearchSeedInput){mem_strdup(record->inputs.data[i].name), record->inputs.data[i].bits};
    vec_push(&worker->seeds, ((SearchSeed){inputs, record->inputs.len}));
}

static void tell_test(Worker *worker, Record *record)
{
    if (worker->seeds.len < MOST_SEEDS) keep_seed(worker, record);
    message_send_record(worker->work->out, MESSAGE_TEST, worker->tests++, record);
    record_release(record);
}

static void tell_rich(Worker *worker);

static void tell_progress(Worker *worker, const Search *search)
{
    double now = clock_seconds();
    if (now - worker->told < 0.1 || worker->work->is_side) return;
    worker->told = now;
    SearchProgress progress = progress_of(worker, search);
    message_send_progress(worker->work->out, MESSAGE_PROGRESS, &progress);
}

/* Rich runs are told before it waits, since it may wait until the end. */
static void on_wait(void *data, const Search *search)
{
    Worker *worker = data;
    tell_rich(worker);
    SearchProgress progress = progress_of(worker, search);
    message_send_progress(worker->work->out, MESSAGE_WAITS, &progress);
}

/* What a run does after a fault, or where an assumption does not hold, is of no interest: a test of such a run is no good example. */
static bool is_ordinary(const VmStop *stop)
{
    return stop->kind != VM_BUG && stop->kind != VM_ASSUMPTION && stop->kind != VM_SIGNAL;
}

/* Branches that no search had reached before; from now on they are known.  Those of functions that only help to make an object are the business of
 * other units, so they stay unknown.  A run that was cut off at a limit counts like any other: its test ends
 * where its inputs end (refine.c). */
static void take_new_branches(Worker *worker, const Vm *vm, const VmStop *stop, Record *record)
{
    const Work *work = worker->work;
    const uint8_t *seen = vm_branches_seen(vm);
    for (uint32_t i = 0; i < work->program->branch_count; i++) {
        if (!seen[i] || !work->wanted[i] || work->known[i] == KNOWN_REACHED) continue;
        if (!is_ordinary(stop)) {
            worker->lacking[i] = 1;
            worker->lacking_count++;
        }
        work->known[i] = KNOWN_REACHED;
        vec_push(&record->branches, i);
    }
}

/* Branches that no ordinary run had taken before this one. */
static void take_lacking(Worker *worker, Vm *vm, Record *record)
{
    for (uint32_t i = 0; i < vm_path_length(vm) && worker->lacking_count; i++) {
        uint32_t branch = vm_condition(vm, i)->branch;
        if (branch == UINT32_MAX || !worker->lacking[branch]) continue;
        worker->lacking[branch] = 0;
        worker->lacking_count--;
        worker->work->known[branch] = KNOWN_REACHED;
        vec_push(&record->branches, branch);
    }
}

/* ---- runs that may make others superfluous ---- */

static uint32_t score_of(Worker *worker, Vm *vm, uint64_t *hash)
{
    uint32_t score = 0, stamp = ++worker->stamp;
    *hash = 0;
    for (uint32_t i = 0; i < vm_path_length(vm); i++) {
        uint32_t branch = vm_condition(vm, i)->branch;
        if (branch == UINT32_MAX || !worker->work->wanted[branch] || worker->stamps[branch] == stamp) continue;
        worker->stamps[branch] = stamp;
        *hash += hash_mix(branch + 1);
        score++;
    }
    return score;
}

static Rich *poorest(Worker *worker, uint64_t hash)
{
    Rich *least = &worker->rich[0];
    for (uint32_t i = 0; i < RICH_RUNS; i++) {
        if (worker->rich[i].score && worker->rich[i].hash == hash) return NULL;
        if (worker->rich[i].score < least->score) least = &worker->rich[i];
    }
    return least;
}

static void keep_rich(Worker *worker, Vm *vm, const VmStop *stop)
{
    uint64_t hash;
    bool returned = stop->kind == VM_EXIT && (!worker->work->function || vm_returned(vm));
    if ((!returned && stop->kind != VM_DEPTH && stop->kind != VM_VISITED && stop->kind != VM_IDLE) || vm_path_length(vm) > RICH_PATH)
        return;
    uint32_t score = score_of(worker, vm, &hash);
    Rich *least = poorest(worker, hash);
    if (!least || score <= least->score) return;
    record_release(&least->record);
    *least = (Rich){.record = {.unit = mem_strdup(worker->work->unit)}, .score = score, .hash = hash};
    campaign__read_run(&least->record, worker->work->program, vm, stop, worker->work->function != NULL);
}

/* Told like any other test: the replay decides which are kept. */
static void tell_rich(Worker *worker)
{
    for (uint32_t i = 0; i < RICH_RUNS && worker->tests > 1; i++) {
        Rich *rich = &worker->rich[i];
        if (rich->record.unit) tell_test(worker, &rich->record); /* its score stays: a poorer run is not told later */
    }
}

static void on_run(void *data, Search *search, Vm *vm, const VmStop *stop)
{
    Worker *worker = data;
    uint32_t seen = vm_branches_seen_count(vm), bugs = (uint32_t)search_stats(search)->bugs;
    worker->instructions = vm_stats(vm)->instructions;
    tell_progress(worker, search);
    keep_rich(worker, vm, stop);
    if (*worker->work->larger <= worker->doublings && vm_meets_bound(vm, stop)) *worker->work->larger = worker->doublings + 1;
    Record record = {0};
    if (worker->lacking_count && is_ordinary(stop)) take_lacking(worker, vm, &record);
    bool quiet = seen == worker->seen && bugs == worker->bugs && search_stats(search)->runs > 1 && !record.branches.len;
    if (quiet || worker->tests >= MOST_TESTS) return;
    bool target = worker->work->target && target_reached(worker->work->target, worker->work->program, vm);
    if (target) search_stop(search);
    bool found = bugs > worker->bugs || target || (search_stats(search)->runs == 1 && is_ordinary(stop));
    worker->seen = seen;
    worker->bugs = bugs;
    take_new_branches(worker, vm, stop, &record);
    if (!found && !record.branches.len) return;
    if (record.branches.len) worker->news_seconds = clock_processor_seconds();
    record.unit = mem_strdup(worker->work->unit);
    const char *turns = search_turns(search);
    if (turns) record.turns = mem_strdup(turns);
    campaign__read_run(&record, worker->work->program, vm, stop, worker->work->function != NULL);
    tell_test(worker, &record);
}

/* ---- when it has ended ---- */

/* The reason that helps most, and how much it says: of several units, the one that says most is believed. */
static ReasonRank reason_for(const Search *search, uint32_t branch, char text[256])
{
    SearchOpen open = search_open(search, branch);
    unsigned long long tried = open.tried;
    const char *times = tried == 1 ? "the one path" : "all paths";
    if (open.verified) {
        snprintf(text, 256,
                 "only executions that are verified, under what the verifier has assumed, reach it (--guide none tests them all the same)");
        return REASON_TRIED;
    }
    if (!open.evaluated && search_stats(search)->verified) {
        snprintf(text, 256,
                 "no execution that was tested came to it; those that are verified were left out (--guide none tests them all the same)");
        return REASON_NOT_EVALUATED;
    }
    if (!open.entered) {
        snprintf(text, 256, "its function is never called from what was tested");
        return REASON_NOT_CALLED;
    }
    if (search_complete(search)) {
        unsigned long long paths = search_stats(search)->paths;
        const char *until = open.undecided ? " up to where an uninitialised value decides," : "";
        if (paths == 1) snprintf(text, 256, "all paths (there is only one) were executed%s and none goes there", until);
        else snprintf(text, 256, "all %llu paths were executed%s and none goes there", paths, until);
        return REASON_COMPLETE;
    }
    if (!open.evaluated) {
        snprintf(text, 256, "its condition was never evaluated");
        return REASON_NOT_EVALUATED;
    }
    if (open.reason) snprintf(text, 256, "its condition was evaluated the other way; %s", open.reason);
    else if (tried)
        snprintf(text, 256, "its condition was evaluated the other way; no inputs go this way on %s tried (%llu)", times, tried);
    else if (open.depends)
        snprintf(text, 256, "its condition was evaluated the other way; there was no time to look for inputs that go this way");
    else snprintf(text, 256, "its condition was evaluated the other way, and did not depend on an input on the paths executed");
    return open.reason || tried ? REASON_TRIED : REASON_EVALUATED;
}

/* Of a branch in another function, which this unit never came to, it has nothing to say. */
static bool has_reason(const Work *work, const Search *search, uint32_t branch)
{
    const Function *function = &work->program->functions[work->program->branches[branch].function];
    if (!work->wanted[branch] || work->known[branch]) return false;
    return !work->function || strcmp(function->name, work->unit) == 0 || search_open(search, branch).entered;
}

static void tell_results(const Work *work, const Search *search, bool capped)
{
    uint32_t count;
    const SearchLoss *losses = search_losses(search, &count);
    for (uint32_t i = 0; i < count; i++) {
        const Loc *loc = &work->program->locs[losses[i].loc];
        message_send_text(work->out, MESSAGE_LOSS, loc->line, loc->file ? loc->file : "", losses[i].reason);
    }
    SearchEnd end = search_stats(search)->end;
    bool is_early = end == SEARCH_END_PATIENCE || end == SEARCH_END_RUNS || end == SEARCH_END_WORK || end == SEARCH_END_COVERED;
    if (is_early && !capped) message_send_text(work->out, MESSAGE_LOSS, 0, "", search_end_text(end));
    for (uint32_t i = 0; i < work->program->branch_count; i++) {
        char text[256], rank[2] = "0";
        if (!has_reason(work, search, i)) continue;
        rank[0] = (char)('0' + reason_for(search, i, text));
        message_send_text(work->out, MESSAGE_OPEN, i, rank, text);
    }
}

/* Several processes may have the same to say: the parent prints each note once. */
static void on_note(void *data, const char *text)
{
    const Work *work = data;
    message_send_text(work->out, MESSAGE_NOTE, 0, "", text);
}

/* ---- searches with larger bounds ---- */

/* May larger inputs bring what this search has not? */
static bool may_grow(void *data, const Search *search)
{
    const Worker *worker = data;
    bool is_first = !worker->work->is_side && !worker->work->search.peer;
    return is_first && worker->doublings<MOST_DOUBLINGS && * worker->work->larger> worker->doublings && search_goals_left(search);
}

/* The list as it is now, for one search: the worker's own grows with every test.  It lives as long as the process. */
static const SearchSeed *copy_seeds(const Worker *worker)
{
    SearchSeed *seeds = mem_alloc((worker->seeds.len + 1) * sizeof *seeds);
    for (uint32_t i = 0; i < worker->seeds.len; i++) seeds[i] = worker->seeds.data[i];
    return seeds;
}

/* Is there to be another search?  Then `options` are for it. */
static bool grow(Worker *worker, const Search *search, SearchOptions *options)
{
    const SearchOptions *all = &worker->work->search;
    SearchEnd end = search_stats(search)->end;
    bool over = end == SEARCH_END_COMPLETE || end == SEARCH_END_QUIET || (end == SEARCH_END_WORK && worker->capped);
    if (!over || !may_grow(worker, search)) return false;
    SearchProgress spent = progress_of(worker, search);
    if ((all->work && spent.work >= all->work) || (all->max_runs && spent.runs >= all->max_runs)) return false;
    uint64_t rest = all->work ? all->work - spent.work : UINT64_MAX, part = spent.work < LEAST_WORK ? LEAST_WORK : spent.work;
    worker->capped = end != SEARCH_END_QUIET && part < rest;
    if (options->peers) peers_set_gone(options->peers, 0);
    options->work = worker->capped ? part : all->work ? rest : 0;
    options->max_runs = all->max_runs ? all->max_runs - spent.runs : 0;
    options->vm.doublings = ++worker->doublings;
    options->seeds = copy_seeds(worker);
    options->seed_count = worker->seeds.len;
    options->lane = NULL;
    options->peers = NULL;
    options->summaries = false;
    return true;
}

static void begin_again(Worker *worker, Search *search)
{
    SearchProgress spent = progress_of(worker, search);
    if (search_complete(search) && !worker->complete) {
        worker->complete = true;
        tell_results(worker->work, search, false);
    }
    worker->before = spent;
    worker->instructions = 0;
    worker->seen = worker->bugs = 0;
    search_free(search);
}

static Search *new_search(const Work *work, const SearchOptions *options)
{
    Search *search;
    Error error;
    if (search_new(&search, work->program, work->function, options, &error) == OK) return search;
    if (!work->is_side) message_send_text(work->out, MESSAGE_ERROR, 0, "", error.text);
    _exit(1);
}

_Noreturn void campaign__work(Work *work)
{
    Worker worker = {.work = work, .stamps = mem_alloc((work->program->branch_count + 1) * sizeof(uint32_t))};
    worker.lacking = mem_alloc(work->program->branch_count + 1);
    work->search.vm.on_note = on_note;
    work->search.vm.on_note_data = work;
    if (work->again) {
        campaign__refine(work, work->again, work->again_count);
        _exit(0);
    }
    SearchOptions options = work->search;
    options.on_run = on_run;
    options.on_wait = on_wait;
    options.on_quiet = may_grow;
    options.on_run_data = options.on_wait_data = options.on_quiet_data = &worker;
    Search *search = new_search(work, &options);
    search_run(search);
    campaign__tell_summaries(work, search);
    while (grow(&worker, search, &options)) {
        begin_again(&worker, search);
        search = new_search(work, &options);
        search_run(search);
    }
    tell_rich(&worker);
    if (work->is_side) search_end_side(search);
    if (!worker.complete) tell_results(work, search, worker.capped);
    SearchProgress progress = progress_of(&worker, search);
    progress.found = search_stats(search)->end == SEARCH_END_TARGET;
    progress.ended = search_stats(search)->end != SEARCH_END_DEADLINE;
    progress.covered = search_stats(search)->end == SEARCH_END_COVERED;
    message_send_progress(work->out, MESSAGE_DONE, &progress);
    _exit(0);
}
