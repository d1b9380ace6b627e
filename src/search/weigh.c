/* With summaries, or path by path?
 *
 * Summaries make few runs and large queries; path by path, runs are many and cheap.  What is less work depends on the program.  The search begins
 * with summaries.  Once they have taken some work, it is estimated how many paths there are without them (D. E. Knuth, Estimating the efficiency of
 * backtrack programs, 1975): a path on which a coin is tossed at every point with two ways stands for 2^n paths if there were n of them.  When summaries
 * have taken as much as all these paths are expected to take, the search starts again path by path.  The estimate may be wrong: then it returns to
 * summaries, and so on, with more work each time; and where path by path leaves something open, it returns for good.
 *
 * Work is counted, about a nanosecond a unit, and never measured in time: the same search does the same every time. */
#include "search/search_int.h"

#include "vm/isolate.h"

#include <math.h>
#include <stdlib.h>

enum {
    FIRST_WORK = 12000000, /* of summaries, before anything is estimated */
    OVERRUN = 8,           /* times what was expected: then it was wrong */
    HOPELESS = 200,        /* times what summaries have taken: nothing more is estimated */
    GROWTH = 4,            /* of the work allowed, from one way to the next */
    LATER = 4,             /* times as much work: then it is estimated again */
    MANY_PATHS = 64,
    FEW_POINTS = 4, /* as many paths: then the end is near */
    FEWEST_PROBES = 4,
    PROBE_WORK = 2000000, /* of all of them, at least, */
    PROBE_SHARE = 12,     /* … or that part of all work */
    MOST_PROBE_WORK = 100000000,
    PATH_SHARE = 4,     /* times as much, for one path */
    PROBE_POINTS = 500, /* of one path */
    PROBE_EFFORT = 300000,
    HARD_WORK = 10000000, /* that a point takes where this is not enough */
    MOST_WEIGHED = 1000,  /* conditions of a path */
    WEIGH_EFFORT = 20000000,
    RUN_WORK = 3000, /* of a run, besides its instructions */
    INSTRUCTION_WORK = 12,
    NODE_WORK = 60
};
#define NO_LIMIT UINT64_MAX
#define TOO_MUCH "path by path was expected to be less work"
#define MOST_EXPECTED 1e16 /* paths, or work: more than anybody can do */

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- work ---- */

static uint64_t work_so_far(const Search *search)
{
    uint64_t work = search_solve_stats(search)->effort + search->stats.runs * RUN_WORK;
    work += vm_stats(search->vm)->instructions * INSTRUCTION_WORK + expr_pool_work(search->pool) * NODE_WORK;
    return work + summaries_work(search->summaries) * NODE_WORK;
}

static uint64_t work_of_this_way(const Search *search)
{
    return work_so_far(search) - search->weighing.start;
}

uint64_t search__work_left(const Search *search)
{
    const Weighing *w = &search->weighing;
    if (!search->summaries || w->limit == NO_LIMIT) return NO_LIMIT;
    uint64_t work = work_of_this_way(search);
    return work < w->limit ? w->limit - work : 0;
}

static uint64_t taken_by(const Search *search, WeighState way)
{
    const Weighing *w = &search->weighing;
    uint64_t before = way == WEIGH_SUMMARIES ? w->by_summaries : w->in_place;
    return before + (w->state == way ? work_of_this_way(search) : 0);
}

static void begin_way(Search *search, WeighState state, uint64_t limit)
{
    Weighing *w = &search->weighing;
    w->by_summaries = taken_by(search, WEIGH_SUMMARIES);
    w->in_place = taken_by(search, WEIGH_IN_PLACE);
    w->state = state;
    w->start = work_so_far(search);
    w->limit = limit;
}

void search__start_weighing(Search *search)
{
    if (search->options.always_summaries) begin_way(search, WEIGH_DONE, NO_LIMIT);
    else begin_way(search, WEIGH_SUMMARIES, FIRST_WORK);
}

/* ---- runs in place ---- */

/* With the inputs at hand, from where the machine is.  It is a run like others if it brings something new.  False: it was cut off. */
static bool run_in_place(Search *search)
{
    uint32_t seen = vm_branches_seen_count(search->vm), bugs = search->bugs.len;
    vm_watch(search->vm, false);
    VmStop stop = vm_run(search->vm);
    if (search->weighing.state == WEIGH_IN_PLACE) vm_stop_watching(search->vm);
    else vm_watch(search->vm, true);
    bool news = vm_branches_seen_count(search->vm) > seen || search->bugs.len > bugs;
    if (stop.kind == VM_BUG) news |= !search__knows_bug(search, stop.bug, stop.loc);
    search->stats.runs += news;
    search->stats.probes += !news;
    vec_clear(&search->fresh);
    if (news) search__end_run(search, &stop, true);
    return stop.kind != VM_UNSUPPORTED && stop.kind != VM_TIME && stop.kind != VM_STEPS;
}

static void return_to_start(Search *search)
{
    search__leave_path(search, 0);
    vm_return(search->vm, search->first);
    search->resumed = search->first;
}

/* ---- the estimate ---- */

/* A path is followed to its end.  At a point with two ways both are taken, and one is followed further, the longer one more likely than the
 * other: behind it there is more.  What the path stands for is 1 / the likelihood of the choices that led to it. */
typedef struct Probe {
    Search *search;
    uint64_t limit; /* of all work, for the path at hand */
    uint64_t ways;  /* found, in all probes */
    double paths;   /* what the path at hand stands for */
    Vec(SolveValue) back;
} Probe;

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

/* From the condition on, with these values; false: the run did not come there. */
static bool go_from(Search *search, uint32_t at, const SolveValue *values, uint32_t count)
{
    vm_return(search->vm, mark_before(search, at));
    for (uint32_t i = 0; i < count; i++) expr_model_set(vm_model(search->vm), values[i].var, values[i].value);
    return run_in_place(search) && at < vm_path_length(search->vm);
}

static bool go_another_way(Probe *probe, uint32_t at)
{
    Search *search = probe->search;
    uint32_t count;
    const SolveValue *changes = solver_changes(search->solver, &count);
    vec_clear(&probe->back);
    for (uint32_t i = 0; i < count; i++)
        vec_push(&probe->back, ((SolveValue){changes[i].var, expr_model_get(vm_model(search->vm), changes[i].var)}));
    return go_from(search, at, changes, count);
}

static double length_after(const Search *search, uint32_t at)
{
    double length = vm_path_length(search->vm) - at;
    return length * length;
}

/* All ways at one condition.  False: a run did not go as expected. */
static bool probe_point(Probe *probe, uint32_t at)
{
    Search *search = probe->search;
    vec_clear(&search->assumptions);
    for (;;) {
        double one = length_after(search, at);
        vec_push(&search->assumptions, expr_not(search->pool, vm_condition(search->vm, at)->condition));
        SolveAnswer answer = ask_another_way(search, at);
        if (answer == SOLVE_UNKNOWN) search->weighing.probe_work += HARD_WORK;
        if (answer != SOLVE_SAT) return true;
        probe->ways++;
        if (!go_another_way(probe, at)) return false;
        double both = one + length_after(search, at);
        bool stay = (double)random_below(&search->random, 1 << 20) < one / both * (1 << 20);
        probe->paths *= both / (stay ? one : both - one);
        if (stay) return go_from(search, at, probe->back.data, probe->back.len);
    }
}

static bool divides_paths(const VmCondition *c)
{
    return c->kind != CONDITION_CHECK && c->kind != CONDITION_ASSUME;
}

/* How many paths the one found stands for; 0: nothing is known. */
static double probe_once(Probe *probe)
{
    Search *search = probe->search;
    probe->paths = 1;
    vm_return(search->vm, search->first);
    if (!run_in_place(search)) return 0;
    for (uint32_t at = 0; at < vm_path_length(search->vm) && probe->paths < MOST_EXPECTED; at++) {
        if (at >= PROBE_POINTS || work_so_far(search) > probe->limit) return 0;
        if (divides_paths(vm_condition(search->vm, at)) && !probe_point(probe, at)) return 0;
    }
    return probe->paths;
}

/* The work that all paths without summaries will take, NO_LIMIT: too much, or nobody knows.  The more work was done, the more probes there are; few
 * hardly find the large parts of a tree and show too little, so a standard error is added. */
static uint64_t estimate(Search *search, uint64_t work)
{
    Weighing *w = &search->weighing;
    Probe probe = {.search = search};
    uint64_t enough = smaller(larger(work / PROBE_SHARE, PROBE_WORK), MOST_PROBE_WORK);
    return_to_start(search);
    while (w->probes < FEWEST_PROBES || w->probe_work < enough) {
        uint64_t before = work_so_far(search);
        probe.limit = before + PATH_SHARE * enough;
        double found = probe_once(&probe);
        if (found == 0) break;
        w->paths += found;
        w->squares += found * found;
        w->probes++;
        w->probe_work += work_so_far(search) - before;
    }
    bool known = w->probes >= FEWEST_PROBES;
    w->ways += probe.ways;
    return_to_start(search);
    vec_release(&probe.back);
    double each = RUN_WORK + (double)w->probe_work / (double)(w->ways + 1), expected = 0;
    if (known) {
        double n = (double)w->probes, mean = w->paths / n, variance = w->squares / n - mean * mean;
        expected = mean + sqrt((variance > 0 ? variance : 0) / n);
    }
    if (!known || expected * each > MOST_EXPECTED) return NO_LIMIT;
    search->stats.expected_paths = (uint64_t)expected;
    return (uint64_t)(expected * each) + 1;
}

/* ---- another way to search ---- */

/* All over again, from the first state: what was reached and found stays. */
static void forget_paths(Search *search)
{
    return_to_start(search);
    search__assert(search, NULL, 0);
    tree_release(&search->tree);
    tree_init(&search->tree);
    pending_release(&search->pending);
    pending_init(&search->pending, &search->tree, search->options.strategy, search->options.seed);
    search->budget = (Budget){0};
    map_release(&search->taken);
    map_release(&search->earliest);
    vec_clear(&search->hard);
    vec_clear(&search->fresh);
    memset(search->unknown.data, 0, search->unknown.len * sizeof *search->unknown.data);
    memset(search->divergent.data, 0, search->divergent.len * sizeof *search->divergent.data);
    memset(search->barren.data, 0, search->barren.len * sizeof *search->barren.data);
    memset(search->open.data, 0, search->open.len * sizeof *search->open.data);
    for (uint32_t i = 0; i < search->losses.len; i++) free((char *)search->losses.data[i].reason);
    vec_clear(&search->losses);
    map_release(&search->known_losses);
    search->stats.paths = search->stats.assumed_away = search->stats.bounded = 0;
}

/* The solver is faster without what belongs to another way. */
static void forget_expressions(Search *search)
{
    search__forget_expressions(search, search->first_nodes);
    vm_return(search->vm, search->first); /* it learns what is gone */
}

static void go_in_place(Search *search, uint64_t limit, const char *why)
{
    forget_paths(search);
    forget_expressions(search);
    summaries_leave(search->summaries, why);
    begin_way(search, WEIGH_IN_PLACE, limit);
    search__run(search);
}

static void go_by_summaries(Search *search, uint64_t limit)
{
    forget_paths(search);
    if (search->weighing.state == WEIGH_IN_PLACE) forget_expressions(search);
    summaries_return(search->summaries);
    begin_way(search, WEIGH_SUMMARIES, limit);
    search__run(search);
}

/* Path by path has left something open, which summaries may not. */
static void return_for_good(Search *search)
{
    go_by_summaries(search, NO_LIMIT);
    search->weighing.state = WEIGH_DONE;
}

static void go_on(Search *search, uint64_t more)
{
    search->weighing.limit = more == NO_LIMIT ? NO_LIMIT : work_of_this_way(search) + more;
    search__run(search);
}

/* Few points wait, compared with the paths there were. */
static bool is_nearly_done(const Search *search)
{
    return search->stats.paths >= MANY_PATHS && search->tree.pending <= search->stats.paths / FEW_POINTS;
}

/* The work allowed to summaries is done. */
static void weigh_summaries(Search *search)
{
    Weighing *w = &search->weighing;
    uint64_t work = taken_by(search, WEIGH_SUMMARIES), here = work_of_this_way(search);
    bool interrupted = !summaries_go_on(search->summaries);
    w->expected = estimate(search, work + w->in_place);
    uint64_t left = w->expected / HOPELESS > work ? NO_LIMIT : w->expected > work ? w->expected - work : 0;
    if (!interrupted && is_nearly_done(search)) go_on(search, larger(left, work));
    else if (!left) go_in_place(search, larger(w->expected, GROWTH * here), TOO_MUCH);
    else if (interrupted) go_by_summaries(search, left == NO_LIMIT ? left : smaller(left, larger(LATER * work, left / OVERRUN)));
    else go_on(search, left == NO_LIMIT ? left : smaller(left, larger(LATER * work, left / OVERRUN)));
}

/* The work allowed to path by path is done. */
static void weigh_in_place(Search *search)
{
    Weighing *w = &search->weighing;
    uint64_t work = taken_by(search, WEIGH_IN_PLACE);
    w->expected = estimate(search, work + w->by_summaries);
    uint64_t left = w->expected > work ? w->expected - work : 0;
    if (is_nearly_done(search)) go_on(search, larger(left, work));
    else if (w->expected == NO_LIMIT) go_by_summaries(search, NO_LIMIT);
    else if (work / OVERRUN > w->expected) go_by_summaries(search, GROWTH * work);
    else if (w->by_summaries < left / LATER) go_by_summaries(search, larger(left / LATER - w->by_summaries, work));
    else go_on(search, larger(left, work));
}

/* ---- paths that stand for one only ---- */

static Expr conjunction(const Search *search)
{
    Expr all = expr_const(search->pool, 1, 1);
    for (uint32_t i = 0; i < vm_path_length(search->vm); i++) all = expr_and(search->pool, all, vm_condition(search->vm, i)->condition);
    return all;
}

/* Do the conditions of the path at hand allow another one when calls are in place? */
static bool stands_for_several(Search *search)
{
    vec_clear(&search->prefix);
    for (uint32_t i = 0; i < vm_path_length(search->vm); i++) vec_push(&search->prefix, vm_condition(search->vm, i)->condition);
    return_to_start(search);
    bool known = run_in_place(search) && vm_path_length(search->vm) <= MOST_WEIGHED;
    Expr other = known ? expr_not(search->pool, conjunction(search)) : 0;
    vm_return(search->vm, search->first);
    search__assert(search, search->prefix.data, search->prefix.len);
    solver_set_effort(search->solver, WEIGH_EFFORT);
    return !known || solver_check(search->solver, &other, 1, vm_model(search->vm)) != SOLVE_UNSAT;
}

void search__weigh(Search *search)
{
    const Weighing *w = &search->weighing;
    if (!search->summaries || w->state == WEIGH_DONE) return;
    if (w->state == WEIGH_IN_PLACE) {
        if (search->losses.len) return_for_good(search);
        else if (!search__work_left(search)) weigh_in_place(search);
    } else if (!search__work_left(search)) {
        weigh_summaries(search);
    } else if (search->is_to_be_weighed) {
        search->is_to_be_weighed = false;
        if (summaries_weigh(search->summaries, stands_for_several(search))) search__run(search);
        else go_in_place(search, NO_LIMIT, "its callers decide on all that it gives");
    }
}
