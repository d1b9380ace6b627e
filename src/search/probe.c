/* How many paths are there without summaries?  A sample of the tree of paths tells (P. C. Chen, Heuristic sampling: a method for predicting the
 * performance of tree searching programs, 1992).
 *
 * The tree is gone through level by level; a level has the paths so far that came to as many conditions.  Of all that stand before the same
 * condition of the program only one is followed, chosen by chance, and it stands for all of them: what lies behind is much the same. */
#include "search/search_int.h"

#include "vm/isolate.h"

enum {
    MOST_LEVELS = 500,
    PROBE_EFFORT = 300000,
    THIN_WORK = 200000,
    THIN_PATHS = 2,      /* for each level */
    HARD_WORK = 10000000 /* that a point takes where this is not enough */
};

/* A path that is followed further. */
typedef struct Sample {
    uint32_t at;           /* the next of its conditions at which there may be another way */
    uint64_t place;        /* of that condition */
    uint32_t first, count; /* its inputs, in Probe.values */
    double weight;         /* how many paths it stands for */
    double likely, all;    /* how likely it was to be chosen: so much of all */
} Sample;

typedef Vec(Sample) Samples;
typedef Vec(SolveValue) Values;

typedef struct Probe {
    Search *search;
    Samples now, next; /* on this level, and on the one below */
    Values values;     /* of inputs: those that differ from what was before the probe */
    Values before;     /* … and what they were then */
    uint32_t loaded;   /* the sample whose path the machine is on, by its first value; UINT32_MAX: none */
    uint64_t limit;    /* of all work */
    double paths;
    bool exact; /* nothing was left to chance */
} Probe;

/* ---- runs ---- */

/* With the inputs at hand, from where the machine is.  It is a run like others if it brings something new.  False: it was cut off. */
bool search__run_in_place(Search *search)
{
    uint32_t seen = vm_branches_seen_count(search->vm), bugs = search->bugs.len;
    vm_watch(search->vm, false);
    VmStop stop = vm_run(search->vm);
    if (search->weighing.state == WEIGH_IN_PLACE) vm_stop_watching(search->vm);
    else vm_watch(search->vm, true);
    bool news = vm_branches_seen_count(search->vm) > seen || search->bugs.len > bugs;
    if (stop.kind == VM_BUG) news |= !search__knows_bug(search, stop.bug, stop.loc);
    news &= !search->weighing.is_silent;
    search->stats.runs += news;
    search->stats.probes += !news;
    vec_clear(&search->fresh);
    if (news) search__end_run(search, &stop, true);
    return stop.kind != VM_UNSUPPORTED && stop.kind != VM_TIME && stop.kind != VM_STEPS;
}

static void set_value(Probe *probe, SolveValue v)
{
    ExprModel *model = vm_model(probe->search->vm);
    bool known = false;
    for (uint32_t i = 0; i < probe->before.len && !known; i++) known = probe->before.data[i].var == v.var;
    if (!known) vec_push(&probe->before, ((SolveValue){v.var, expr_model_get(model, v.var)}));
    expr_model_set(model, v.var, v.value);
}

static void restore_values(Probe *probe)
{
    for (uint32_t i = 0; i < probe->before.len; i++)
        expr_model_set(vm_model(probe->search->vm), probe->before.data[i].var, probe->before.data[i].value);
}

/* The machine's path is the sample's. */
static bool load(Probe *probe, const Sample *sample)
{
    Search *search = probe->search;
    if (probe->loaded == sample->first) return true;
    vm_return(search->vm, search->first);
    restore_values(probe);
    for (uint32_t i = 0; i < sample->count; i++) set_value(probe, probe->values.data[sample->first + i]);
    probe->loaded = sample->first;
    uint64_t before = search__work_so_far(search);
    bool known = search__run_in_place(search) && sample->at < vm_path_length(search->vm);
    search->weighing.again += search__work_so_far(search) - before;
    return known;
}

/* ---- samples ---- */

static bool divides_paths(const VmCondition *c)
{
    return c->kind != CONDITION_CHECK && c->kind != CONDITION_ASSUME;
}

/* An assumption that does not hold ends the path: with others it goes on there. */
static bool is_point(const Search *search, uint32_t at)
{
    bool failed = at + 1 == vm_path_length(search->vm) && vm_stop(search->vm)->kind == VM_ASSUMPTION;
    return failed || divides_paths(vm_condition(search->vm, at));
}

static uint32_t next_point(const Search *search, uint32_t at)
{
    while (at < vm_path_length(search->vm) && !is_point(search, at)) at++;
    return at;
}

/* The machine's path, from `at` on: how it goes on is looked at on the next level. */
static void add(Probe *probe, Sample sample)
{
    Search *search = probe->search;
    sample.at = next_point(search, sample.at);
    if (sample.at >= vm_path_length(search->vm)) {
        probe->paths += sample.weight;
        return;
    }
    const VmCondition *c = vm_condition(search->vm, sample.at);
    uint32_t first = c->branch, end;
    if (c->branch != UINT32_MAX) search__siblings(search->program, c->branch, &first, &end);
    sample.place = hash_mix(c->depth ^ hash_mix(c->branch != UINT32_MAX ? first : search->program->branch_count + c->loc));
    double length = vm_path_length(search->vm) - sample.at;
    sample.likely = sample.all = sample.weight * length;
    for (uint32_t i = 0; i < probe->next.len; i++) {
        Sample *other = &probe->next.data[i];
        if (other->place != sample.place) continue;
        probe->exact = false;
        sample.all += other->all;
        bool stays = (double)random_below(&search->weighing.random, 1 << 20) < other->all / sample.all * (1 << 20);
        if (stays) other->all = sample.all;
        else *other = sample;
        return;
    }
    vec_push(&probe->next, sample);
}

/* The inputs of the path that the solver has just found, as a change of the sample's. */
static Sample changed(Probe *probe, const Sample *sample)
{
    Sample other = {.at = sample->at + 1, .first = probe->values.len, .weight = sample->weight};
    uint32_t count;
    const SolveValue *changes = solver_changes(probe->search->solver, &count);
    for (uint32_t i = 0; i < count; i++) vec_push(&probe->values, changes[i]);
    for (uint32_t i = 0; i < sample->count; i++) {
        bool same = false;
        for (uint32_t k = 0; k < count && !same; k++) same = changes[k].var == probe->values.data[sample->first + i].var;
        if (!same) vec_push(&probe->values, probe->values.data[sample->first + i]);
    }
    other.count = probe->values.len - other.first;
    return other;
}

/* The state before a condition of the path at hand. */
static VmMark mark_before(const Search *search, uint32_t at)
{
    for (uint32_t i = at + 1; i-- > 0;)
        if (vm_condition(search->vm, i)->mark != VM_NO_MARK) return vm_condition(search->vm, i)->mark;
    return search->first;
}

/* SAT: inputs that go none of the ways seen at that condition are in the solver's changes. */
static SolveAnswer ask_another_way(Search *search, uint32_t at)
{
    vec_clear(&search->prefix);
    for (uint32_t i = 0; i < at; i++) vec_push(&search->prefix, vm_condition(search->vm, i)->condition);
    search__assert(search, search->prefix.data, at);
    solver_set_effort(search->solver, PROBE_EFFORT);
    return solver_check(search->solver, search->assumptions.data, search->assumptions.len, vm_model(search->vm));
}

/* All ways at the sample's next condition.  False: a run did not go as expected. */
static bool follow(Probe *probe, Sample sample)
{
    Search *search = probe->search;
    if (!load(probe, &sample)) return false;
    sample.weight *= sample.all / sample.likely;
    Sample same = sample;
    same.at++;
    add(probe, same);
    vec_clear(&search->assumptions);
    for (uint32_t ways = 1; search__work_so_far(search) < probe->limit; ways++) {
        Expr condition = vm_condition(search->vm, sample.at)->condition, negated = expr_not(search->pool, condition);
        bool closed = search->assumptions.len && search->assumptions.data[0] == condition;
        vec_push(&search->assumptions, negated);
        closed |= vm_condition(search->vm, sample.at)->kind == CONDITION_CONCRETE && ways >= CONCRETE_VALUES;
        SolveAnswer answer = closed ? SOLVE_UNSAT : ask_another_way(search, sample.at);
        if (answer == SOLVE_UNKNOWN) search->weighing.hard_work += HARD_WORK;
        if (answer != SOLVE_SAT) return true;
        search->weighing.ways++;
        Sample other = changed(probe, &sample);
        vm_return(search->vm, mark_before(search, sample.at));
        for (uint32_t i = 0; i < other.count; i++) set_value(probe, probe->values.data[other.first + i]);
        probe->loaded = other.first;
        if (!search__run_in_place(search) || sample.at >= vm_path_length(search->vm)) return false;
        add(probe, other);
    }
    return false;
}

/* The one whose path the machine is on. */
static void put_first(Probe *probe)
{
    for (uint32_t i = 1; i < probe->now.len; i++) {
        Sample first = probe->now.data[0];
        if (probe->now.data[i].first != probe->loaded) continue;
        probe->now.data[0] = probe->now.data[i];
        probe->now.data[i] = first;
        return;
    }
}

/* That there are at least. */
static double paths_so_far(const Probe *probe)
{
    double paths = probe->paths;
    for (uint32_t i = 0; i < probe->next.len; i++) paths += probe->next.data[i].weight;
    return paths;
}

/* Before the search has begun it does not pay to look at long paths that hardly divide. */
static bool is_thin(const Probe *probe, uint64_t start, uint32_t level)
{
    const Search *search = probe->search;
    if (!search->weighing.is_silent || !probe->exact || search__work_so_far(search) < start + THIN_WORK) return false;
    return paths_so_far(probe) < THIN_PATHS * level;
}

/* One sample of the tree; false: nothing is known.  The machine is at its first state before and after. */
bool search__probe(Search *search, uint64_t limit, double *paths, bool *exact)
{
    Probe probe = {.search = search, .limit = limit, .loaded = UINT32_MAX, .exact = true};
    uint64_t start = search__work_so_far(search);
    vec_push(&probe.values, ((SolveValue){0}));
    vm_return(search->vm, search->first);
    bool known = search__run_in_place(search);
    if (!search->first_nodes) search->first_nodes = expr_pool_count(search->pool);
    if (known) add(&probe, (Sample){.first = 0, .weight = 1});
    probe.loaded = 0;
    uint32_t level = 0;
    for (; probe.next.len && known && level < MOST_LEVELS; level++) {
        Samples now = probe.next;
        probe.next = probe.now;
        probe.now = now;
        vec_clear(&probe.next);
        put_first(&probe);
        for (uint32_t i = 0; i < probe.now.len && known; i++) known = !is_thin(&probe, start, level) && follow(&probe, probe.now.data[i]);
    }
    *paths = paths_so_far(&probe);
    *exact = probe.exact;
    vm_return(search->vm, search->first);
    restore_values(&probe);
    vec_release(&probe.now);
    vec_release(&probe.next);
    vec_release(&probe.values);
    vec_release(&probe.before);
    return known && level < MOST_LEVELS;
}
