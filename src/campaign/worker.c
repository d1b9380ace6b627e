/* One unit's search, in a process of its own. */
#include "campaign/campaign_int.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MOST_TESTS = 20000 /* of one unit */, RICH_RUNS = 12, RICH_PATH = 4000, OTHER_NUMBERS = 2 * MOST_TESTS };

/* A run whose path takes many branches: one test that may stand for several. */
typedef struct Rich {
    Record record;
    uint32_t score; /* branches on its path */
    uint64_t hash;  /* of their set */
} Rich;

typedef struct Worker {
    const Work *work;
    Vec(Record) records; /* told so far, by number */
    Rich rich[RICH_RUNS];
    uint8_t *lacking; /* per branch: 1 if only runs that ended in a bug or an assumption came to it, 2 if only runs that were cut off did */
    uint32_t lacking_count;
    uint32_t *stamps; /* per branch: the last run that was seen to take it */
    uint32_t stamp;
    uint32_t branches;   /* told so far */
    uint32_t seen, bugs; /* how many branches and bugs the search had at the last run */
    double told;         /* when progress was */
    uint64_t instructions;
    bool found; /* the target */
} Worker;

/* ---- records ---- */

static RecordEnd end_of(const VmStop *stop, bool returned)
{
    switch (stop->kind) {
    case VM_EXIT: return returned ? END_RETURN : END_EXIT;
    case VM_SIGNAL: return END_SIGNAL;
    case VM_BUG: return END_BUG;
    case VM_ASSUMPTION: return END_ASSUMPTION;
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

void campaign__read_run(Record *record, const Program *program, Vm *vm, const VmStop *stop, bool is_unit)
{
    read_inputs(record, vm);
    for (uint32_t i = 0; i < vm_observation_count(vm); i++) {
        const VmObservation *seen = vm_observation(vm, i);
        RecordSeen entry = {.name = mem_strdup(seen->name), .type = seen->type, .defined = seen->defined};
        entry.width = seen->width;
        entry.bits = seen->bits;
        entry.address = seen->address;
        vec_push(&record->seen, entry);
    }
    const Loc *loc = &program->locs[stop->loc];
    record->end = end_of(stop, !is_unit || vm_returned(vm));
    record->status = stop->status;
    record->bug = stop->kind == VM_BUG ? mem_strdup(bug_name(stop->bug)) : NULL;
    record->file = mem_strdup(loc->file ? loc->file : "");
    record->line = loc->line;
    record->function = mem_strdup(stop->function ? stop->function : "");
    record->message = mem_strdup(stop->message);
}

/* ---- while it searches ---- */

static SearchProgress progress_of(const Worker *worker, const Search *search)
{
    const SearchStats *s = search_stats(search);
    const SolveStats *q = search_solve_stats(search);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (SearchProgress){.runs = s->runs,
                            .paths = s->paths,
                            .instructions = worker->instructions,
                            .queries = q->checks,
                            .solver_seconds = (double)q->total_nanoseconds / 1e9,
                            .peak_rss_kib = (uint64_t)usage.ru_maxrss,
                            .strategy = search_strategy_now(search),
                            .complete = search_complete(search)};
}

/* Tests of both ways of a race may be told: their numbers differ. */
static uint32_t first_number(const Work *work)
{
    return work->search.race && race_by_summaries(work->search.race) ? OTHER_NUMBERS : 0;
}

static void tell_test(Worker *worker, Record record)
{
    message_send_record(worker->work->out, MESSAGE_TEST, first_number(worker->work) + worker->records.len, &record);
    worker->branches += record.branches.len;
    vec_push(&worker->records, record);
}

static void tell_progress(Worker *worker, const Search *search)
{
    double now = clock_seconds();
    if (now - worker->told < 0.1) return;
    worker->told = now;
    SearchProgress progress = progress_of(worker, search);
    const Race *race = worker->work->search.race;
    int out = race ? race_live(race) : worker->work->out;
    if (race) progress.held_branches = worker->branches;
    if (race) progress.held_tests = worker->records.len;
    if (out >= 0) message_send_progress(out, MESSAGE_PROGRESS, &progress);
}

/* Branches that no search had reached before; from now on they are known. */
static void take_new_branches(Worker *worker, const Search *search, const VmStop *stop, Record *record)
{
    const Work *work = worker->work;
    const uint8_t *seen = search_reached(search);
    bool cut = stop->kind == VM_TIME || stop->kind == VM_STEPS || stop->kind == VM_UNSUPPORTED;
    for (uint32_t i = 0; i < work->program->branch_count; i++) {
        if (!seen[i] || work->known[i] || worker->lacking[i] == 2) continue;
        if (work->wanted[i] && stop->kind != VM_EXIT) {
            worker->lacking[i] = cut ? 2 : 1;
            worker->lacking_count++;
        }
        if (cut) continue;
        work->known[i] = 1;
        if (work->wanted[i]) vec_push(&record->branches, i);
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
        worker->work->known[branch] = 1;
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
    if (!returned || vm_path_length(vm) > RICH_PATH) return;
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
    for (uint32_t i = 0; i < RICH_RUNS && worker->records.len > 1; i++) {
        if (!worker->rich[i].score) continue;
        tell_test(worker, worker->rich[i].record);
    }
}

static void on_run(void *data, Search *search, Vm *vm, const VmStop *stop)
{
    Worker *worker = data;
    uint32_t seen = vm_branches_seen_count(vm), bugs;
    search_bugs(search, &bugs);
    worker->instructions = vm_stats(vm)->instructions;
    tell_progress(worker, search);
    keep_rich(worker, vm, stop);
    Record record = {0};
    if (worker->lacking_count && stop->kind == VM_EXIT) take_lacking(worker, vm, &record);
    bool quiet = seen == worker->seen && bugs == worker->bugs && search_stats(search)->runs > 1 && !record.branches.len;
    if (quiet || worker->records.len >= MOST_TESTS) return;
    bool target = !worker->found && worker->work->target && target_reached(worker->work->target, worker->work->program, vm);
    if (target) search_stop(search);
    worker->found |= target;
    bool found = bugs > worker->bugs || target || (search_stats(search)->runs == 1 && stop->kind == VM_EXIT);
    worker->seen = seen;
    worker->bugs = bugs;
    take_new_branches(worker, search, stop, &record);
    if (!found && !record.branches.len) return;
    record.unit = mem_strdup(worker->work->unit);
    campaign__read_run(&record, worker->work->program, vm, stop, worker->work->function != NULL);
    tell_test(worker, record);
}

/* ---- when it has ended ---- */

static const char *reason_for(const Search *search, uint32_t branch, char text[128])
{
    const char *reason = search_open_reason(search, branch);
    if (search_reached(search)[branch]) return "only runs that were cut off came to it (a loop without an end, or a limit)";
    if (reason) return reason;
    uint64_t tried = search_tried(search, branch);
    if (search_complete(search)) return "every path was executed and none goes there, under what is assumed of the inputs (no certificate)";
    if (!tried) return "no path that was executed comes near it";
    snprintf(text, 128, "tried %llu time%s, no inputs go there on the paths executed", (unsigned long long)tried, tried == 1 ? "" : "s");
    return text;
}

/* Of a branch in another function, which this unit never came to, it has nothing to say. */
static bool has_reason(const Work *work, const Search *search, uint32_t branch)
{
    const Function *function = &work->program->functions[work->program->branches[branch].function];
    if (!work->wanted[branch] || work->known[branch]) return false;
    return search_reached(search)[branch] || !work->function || strcmp(function->name, work->unit) == 0 || search_tried(search, branch) ||
           search_open_reason(search, branch);
}

static void tell_results(const Work *work, const Search *search)
{
    uint32_t count;
    const SearchLoss *losses = search_losses(search, &count);
    for (uint32_t i = 0; i < count; i++) {
        const Loc *loc = &work->program->locs[losses[i].loc];
        message_send_text(work->out, MESSAGE_LOSS, loc->line, loc->file ? loc->file : "", losses[i].reason);
    }
    SearchEnd end = search_stats(search)->end;
    if (end == SEARCH_END_PATIENCE || end == SEARCH_END_RUNS) message_send_text(work->out, MESSAGE_LOSS, 0, "", search_end_text(end));
    for (uint32_t i = 0; i < work->program->branch_count; i++) {
        char text[128];
        if (has_reason(work, search, i)) message_send_text(work->out, MESSAGE_OPEN, i, "", reason_for(search, i, text));
    }
}

/* In a race nobody else is to know what was reached until it is won. */
static uint8_t *known_here(const Work *work)
{
    if (!work->search.race) return work->known;
    uint8_t *known = mem_alloc(work->program->branch_count + 1);
    memcpy(known, work->known, work->program->branch_count);
    return known;
}

static void tell_known(uint8_t *all, const Work *work)
{
    for (uint32_t i = 0; i < work->program->branch_count && all != work->known; i++) all[i] |= work->known[i];
}

/* Several processes may have the same to say: the parent prints each note once. */
static void on_note(void *data, const char *text)
{
    const Work *work = data;
    message_send_text(work->out, MESSAGE_NOTE, 0, "", text);
}

_Noreturn void campaign__work(const Work *given)
{
    Work own = *given, *work = &own;
    own.search.vm.on_note = on_note;
    own.search.vm.on_note_data = work;
    own.known = known_here(given);
    own.search.known = own.known;
    Worker worker = {.work = work, .stamps = mem_alloc((work->program->branch_count + 1) * sizeof(uint32_t))};
    worker.lacking = mem_alloc(work->program->branch_count + 1);
    SearchOptions options = work->search;
    Search *search;
    Error error;
    if (work->again) {
        campaign__refine(work, 0, work->again, work->again_count);
        _exit(0);
    }
    options.on_run = on_run;
    options.on_run_data = &worker;
    if (search_new(&search, work->program, work->function, &options, &error) != OK) {
        message_send_text(work->out, MESSAGE_ERROR, 0, "", error.text);
        _exit(1);
    }
    search_run(search);
    tell_known(given->known, work);
    tell_results(work, search);
    campaign__tell_summaries(work, search);
    tell_rich(&worker);
    SearchProgress progress = progress_of(&worker, search);
    progress.found = worker.found;
    progress.ended = search_stats(search)->end != SEARCH_END_DEADLINE;
    search_free(search);
    campaign__refine(work, first_number(work), worker.records.data, worker.records.len);
    message_send_progress(work->out, MESSAGE_DONE, &progress);
    _exit(0);
}
