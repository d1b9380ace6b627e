/* With summaries, or path by path?
 *
 * Summaries make few runs and large queries; path by path, runs are many and cheap.  What is less work depends on the program.  First it is
 * estimated how many paths there are without summaries (probe.c).  Then the search begins with summaries.  When they have taken as much as all paths
 * are expected to take, or a good part of it without finding anything new, the search starts again path by path.  The estimate may be
 * wrong: then it returns to summaries, and so on, with more work each time; and where path by path leaves something open, it returns for good.
 *
 * Work is counted, about a nanosecond a unit, and never measured in time: the same search does the same every time. */
#include "search/search_int.h"

#include <math.h>
#include <stdlib.h>

enum {
    SHORT_RUN = 200000,    /* instructions: programs with longer runs are not looked at before they are explored */
    SMALL_WORK = 12000000, /* that summaries may take in any case where there are … */
    FEW_RUNS = 1000,       /* … fewer runs without them */
    QUIET_SHARE = 4,       /* part of what is expected that they may take without finding anything new */
    LEAST_QUIET = 4000000,
    FEW_PATHS = 4,   /* that do not tell how many there are */
    UNKNOWN = 8,     /* times as much work: then it is tried again to estimate what could not be */
    OVERRUN = 2,     /* times what was expected: then it is estimated again */
    MISTAKE = 8,     /* times: then nobody knows */
    LATER = 8,       /* times what summaries have taken is left: then they are given more */
    GROWTH = 4,      /* of the work allowed, from one way to the next */
    HOPELESS = 1000, /* times the work so far: nothing more is estimated */
    MANY_PATHS = 64,
    FEW_POINTS = 4, /* as many paths: then the end is near */
    FEWEST_PROBES = 6,
    FEWEST_LARGE = 2, /* the same, if they take long */
    PROBE_WORK = 3000000,
    SAMPLE_SHARE = 4,     /* times as much, for one of them */
    PROBE_SHARE = 10,     /* part of what is expected, for better estimates, … */
    PROBE_SHARE_DONE = 4, /* … but not more than that of the work done */
    MOST_PROBE_WORK = 100000000,
    CLOSE = 8, /* part that the error is of what is expected: that is known well; … */
    ROUGH = 2, /* … more probes are made before summaries have taken … */
    ROUGH_WORK = 24000000,
    MOST_WEIGHED = 1000, /* conditions of a path */
    WEIGH_EFFORT = 20000000,
    RUN_WORK = 3000, /* of a run, besides its instructions */
    INSTRUCTION_WORK = 12,
    NODE_WORK = 60
};
#define NO_LIMIT UINT64_MAX
#define MOST_EXPECTED 1e18
#define TOO_MUCH "path by path was expected to be less work"

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- work ---- */

uint64_t search__work_so_far(const Search *search)
{
    uint64_t work = search_solve_stats(search)->effort + search->stats.runs * RUN_WORK;
    work += vm_stats(search->vm)->instructions * INSTRUCTION_WORK + expr_pool_work(search->pool) * NODE_WORK;
    return work + summaries_work(search->summaries) * NODE_WORK;
}

static uint64_t work_of_this_way(const Search *search)
{
    return search__work_so_far(search) - search->weighing.start;
}

/* What summaries may take until they find something new: all of it goes into proofs, and each is larger than the last. */
static uint64_t patience(const Weighing *w)
{
    return larger(larger(w->expected / QUIET_SHARE, w->last_news / 2), LEAST_QUIET);
}

static uint64_t patience_left(Search *search, uint64_t work)
{
    Weighing *w = &search->weighing;
    if (w->state != WEIGH_SUMMARIES || w->expected == NO_LIMIT) return NO_LIMIT;
    if (w->last_runs != search->stats.runs) {
        w->last_runs = search->stats.runs;
        w->last_news = work;
    }
    uint64_t quiet = work - w->last_news, most = patience(w);
    if (quiet >= most) w->quiet = larger(w->quiet, quiet);
    return w->quiet ? 0 : most - quiet;
}

uint64_t search__work_left(Search *search)
{
    const Weighing *w = &search->weighing;
    if (!search->summaries || w->limit == NO_LIMIT) return NO_LIMIT;
    uint64_t work = work_of_this_way(search), left = work < w->limit ? w->limit - work : 0;
    return smaller(left, patience_left(search, work));
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
    w->start = search__work_so_far(search);
    w->limit = limit;
    w->last_news = 0;
    w->quiet = 0;
}

void search__start_weighing(Search *search)
{
    if (search->options.always_summaries) begin_way(search, WEIGH_DONE, NO_LIMIT);
    else begin_way(search, WEIGH_SUMMARIES, NO_LIMIT);
}

static void return_to_start(Search *search)
{
    search__leave_path(search, 0);
    vm_return(search->vm, search->first);
    search->resumed = search->first;
}

/* ---- the estimate ---- */

/* What all probes so far say.  Few of them find the large parts of a tree, and some of these find far too much: their logarithms are what is spread
 * evenly. */
static double expected_paths(const Weighing *w, double *error)
{
    double n = (double)w->probes, mean = w->logs / n, variance = n > 1 ? fmax(w->squares - w->logs * mean, 0) / (n - 1) : 0;
    *error = sqrt(variance / n);
    return exp(mean + variance / 2 + *error);
}

static double work_of_path(const Weighing *w)
{
    return RUN_WORK + (double)(w->probe_work + w->hard_work - w->again) / (double)(w->ways + 1);
}

/* The error is a small part of what is expected: one of so many. */
static bool is_known(const Weighing *w, int parts)
{
    double error = w->is_exact ? 0 : 1;
    if (w->probes > 1) (void)expected_paths(w, &error);
    return error * parts < 1;
}

/* The work that all paths without summaries will take, NO_LIMIT: too much, or nobody knows. */
static uint64_t estimate(Search *search, uint64_t enough)
{
    Weighing *w = &search->weighing;
    uint64_t start = search__work_so_far(search), fewest = FEWEST_PROBES;
    return_to_start(search);
    while (!w->is_exact && (w->probes < fewest || (w->probe_work < enough && !is_known(w, CLOSE)))) {
        uint64_t before = search__work_so_far(search);
        double found;
        bool exact;
        bool whole = search__probe(search, before + SAMPLE_SHARE * enough, &found, &exact);
        w->probe_work += search__work_so_far(search) - before;
        if (w->probe_work > 2 * enough) fewest = FEWEST_LARGE;
        if (!whole) {
            w->least = fmax(w->least, found);
            break;
        }
        w->logs += log(fmax(found, 1));
        w->squares += log(fmax(found, 1)) * log(fmax(found, 1));
        w->probes++;
        w->is_exact = exact;
    }
    return_to_start(search);
    w->start += search__work_so_far(search) - start; /* that was no work of the present way */
    if (w->probes < FEWEST_LARGE && !w->is_exact) return NO_LIMIT;
    double error, paths = expected_paths(w, &error);
    search->stats.expected_paths = (uint64_t)paths;
    return (uint64_t)fmin(paths * work_of_path(w), MOST_EXPECTED) + 1;
}

/* Better, before it is acted upon. */
static uint64_t estimate_again(Search *search, uint64_t work)
{
    uint64_t most = smaller(smaller(search->weighing.expected / PROBE_SHARE, work / PROBE_SHARE_DONE), MOST_PROBE_WORK);
    return estimate(search, larger(most, PROBE_WORK));
}

/* So many paths that nobody can execute them all. */
static bool is_hopeless(const Weighing *w, uint64_t work)
{
    double error, paths = w->probes < FEWEST_LARGE && !w->is_exact ? w->least : expected_paths(w, &error);
    return paths * work_of_path(w) / HOPELESS > (double)work;
}

/* What summaries may take: as much as all paths, or half of it if that is known well. */
static uint64_t allowed(const Search *search)
{
    const Weighing *w = &search->weighing;
    if (search->stats.expected_paths < FEW_RUNS) return larger(w->expected, SMALL_WORK);
    return is_known(w, CLOSE) ? w->expected / 2 : w->expected;
}

/* What summaries are given, after so much work; 0: nothing more. */
static uint64_t more_for_summaries(Search *search, uint64_t work)
{
    const Weighing *w = &search->weighing;
    if (is_hopeless(w, larger(work, SMALL_WORK))) return NO_LIMIT;
    if (w->expected == NO_LIMIT) return larger(UNKNOWN * work, SMALL_WORK);
    uint64_t more = allowed(search) > work ? allowed(search) - work : 0;
    return is_known(w, ROUGH) ? more : smaller(more, larger(work, ROUGH_WORK));
}

/* Leaves no trace: what is found is not told, and machine and solver are as they were. */
static void estimate_silently(Search *search)
{
    Weighing *w = &search->weighing;
    Solver *solver = search->solver;
    uint64_t limit = search->options.vm.run_limit;
    Error error;
    if (solver_new(&search->solver, search->pool, &search->options.solve, &error) == OK) {
        w->is_silent = true;
        vm_set_run_limit(search->vm, smaller(limit, SHORT_RUN));
        w->expected = estimate(search, PROBE_WORK);
        vm_set_run_limit(search->vm, limit);
        search__forget_expressions(search, search->first_nodes);
        vm_return(search->vm, search->first);
        vm_forget_branches_seen(search->vm);
        search->news_instructions = vm_stats(search->vm)->instructions;
        w->silent_faults = vm_stats(search->vm)->application_faults;
        w->is_silent = false;
        solver_free(search->solver);
    }
    search->solver = solver;
}

/* Before anything else, as far as that is cheap. */
void search__weigh_first(Search *search)
{
    if (search->weighing.state != WEIGH_SUMMARIES) return;
    random_seed(&search->weighing.random, search->options.seed);
    search->weighing.expected = NO_LIMIT;
    estimate_silently(search);
    search->weighing.start = search__work_so_far(search);
    begin_way(search, WEIGH_SUMMARIES, more_for_summaries(search, 0));
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

/* A run that only brings the machine back to where it was is none of the search's. */
static void run_again(Search *search)
{
    uint64_t news = search->news, runs = search->stats.runs;
    search__run(search);
    if (search->news != news || search->stats.runs == runs) return;
    search->stats.runs--;
    search->stats.probes++;
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
    run_again(search);
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
    search->weighing.quiet = 0;
    run_again(search);
}

/* Few points wait, compared with the paths there were. */
static bool is_nearly_done(const Search *search)
{
    return search->stats.paths >= MANY_PATHS && search->tree.pending <= search->stats.paths / FEW_POINTS;
}

/* What summaries will still take until all paths are known, as far as paths tell; NO_LIMIT: they do not. */
static uint64_t foresee(const Search *search, uint64_t work)
{
    double done = tree_done(&search->tree);
    if (!search->tree.pending) return 1;
    return search->stats.paths >= FEW_PATHS && done > 0 ? (uint64_t)((double)work * (1 - done) / done) : NO_LIMIT;
}

/* The work allowed to summaries is done. */
static void weigh_summaries(Search *search)
{
    Weighing *w = &search->weighing;
    uint64_t work = taken_by(search, WEIGH_SUMMARIES), here = work_of_this_way(search);
    uint64_t foreseen = summaries_go_on(search->summaries) ? foresee(search, here) : NO_LIMIT;
    bool interrupted = !summaries_go_on(search->summaries);
    w->expected = estimate_again(search, work + w->in_place);
    uint64_t more = w->quiet > patience(w) ? 0 : more_for_summaries(search, work);
    if (!more && !w->quiet && foreseen < w->expected / 2) more = larger(foreseen, SMALL_WORK);
    if (!more) go_in_place(search, larger(OVERRUN * w->expected, here), TOO_MUCH);
    else if (interrupted) go_by_summaries(search, more);
    else go_on(search, more);
}

/* The work allowed to path by path is done. */
static void weigh_in_place(Search *search)
{
    Weighing *w = &search->weighing;
    uint64_t work = taken_by(search, WEIGH_IN_PLACE);
    w->expected = estimate_again(search, work + w->by_summaries);
    uint64_t left = w->expected > work ? w->expected - work : 0, share = left / LATER;
    if (is_nearly_done(search)) go_on(search, larger(left, work));
    else if (w->expected == NO_LIMIT || is_hopeless(w, work)) go_by_summaries(search, NO_LIMIT);
    else if (work / MISTAKE > w->expected) go_by_summaries(search, GROWTH * work);
    else if (w->by_summaries < share) go_by_summaries(search, larger(share - w->by_summaries, work));
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
    bool known = search__run_in_place(search) && vm_path_length(search->vm) <= MOST_WEIGHED;
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
        if (summaries_weigh(search->summaries, stands_for_several(search))) run_again(search);
        else go_in_place(search, NO_LIMIT, "its callers decide on all that it gives");
    }
}
