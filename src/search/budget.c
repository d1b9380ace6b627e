/* What `auto` gives its budget to.
 *
 * Checks and branches not reached yet that can be had at once come first, always.  Beyond that, slices of tries are dealt out to four
 * arms: rarest first, nearest to a goal (cfg), generations, and depth first.  Each arm has a weight: a share of its own plus what its
 * slices brought lately, in new branches, bugs and outcomes of checks.  Credits make the shares exact and the same in every run: each
 * slice adds its weight to every arm's credit and charges the whole to the arm with the most.
 *
 * When nothing new was found for long, all that is left is to exhaust the program, and depth first is cheapest at that, in time and in
 * memory; it then gets the larger part, and more the longer it is.  While the tree holds too many points it gets nearly everything,
 * because it alone does not make the tree grow; how many are too many depends on whether there still is something new.
 *
 * Path by path in a race, exhausting the program is what counts, and the other process looks for what is new: then, after the first runs, depth
 * first alone is tried for some seconds, on the first conditions of each path: loops without an end are not followed.  Where the solver gives up
 * in the first runs, paths are not to be had cheaply, and everything is as ever. */
#include "search/search_int.h"

enum {
    SLICE_TRIES = 64,
    QUIET_RUNS = 2048,
    RARE_SHARE = 4,
    OTHER_SHARE = 1,
    QUIET_SHARE = 18, /* three quarters */
    MOST_QUIET = 4,   /* times that */
    NEWS_WORTH = 8,
    MOST_POINTS = 1 << 20,
    MOST_QUIET_POINTS = 1 << 13,
    MOST_PATHS = 128, /* besides, as many points as so many paths have */
    DRAIN_SLICES = 64 /* of which one is dealt out as ever */
};

/* How long it has been quiet. */
static int64_t quiet(const Search *search)
{
    return (int64_t)((search->stats.runs - search->stats.last_news) / QUIET_RUNS);
}

static bool is_too_large(const Search *search, bool already)
{
    uint64_t most = (quiet(search) >= MOST_QUIET ? MOST_QUIET_POINTS : MOST_POINTS) + (uint64_t)MOST_PATHS * search->path.len;
    return tree_live(&search->tree) > (already ? most - most / 8 : most);
}

static int64_t weight_of(const Search *search, Arm arm)
{
    switch (arm) {
    case ARM_RARE: return RARE_SHARE + search->budget.gains[arm];
    case ARM_NEAREST: return search->goals_left ? OTHER_SHARE + search->budget.gains[arm] : 0;
    case ARM_GENERATIONS: return OTHER_SHARE + search->budget.gains[arm];
    default: return QUIET_SHARE * (quiet(search) < MOST_QUIET ? quiet(search) : MOST_QUIET);
    }
}

static void deal(Search *search)
{
    Budget *budget = &search->budget;
    int64_t total = 0;
    Arm best = ARM_RARE;
    uint32_t brought = (uint32_t)(search->news - budget->news);
    budget->gains[budget->arm] = (budget->gains[budget->arm] + brought * NEWS_WORTH) / 2;
    for (unsigned arm = 0; arm < ARMS; arm++) {
        int64_t weight = weight_of(search, (Arm)arm);
        budget->credits[arm] = weight ? budget->credits[arm] + weight : 0;
        total += weight;
        if (weight && budget->credits[arm] > budget->credits[best]) best = (Arm)arm;
    }
    budget->credits[best] -= total;
    budget->arm = best;
    budget->left = SLICE_TRIES;
    budget->news = search->news;
}

static Order auto_order(Search *search)
{
    static const Order orders[ARMS] = {ORDER_RARE, ORDER_NEAREST, ORDER_GENERATIONS, ORDER_NEWEST};
    Budget *budget = &search->budget;
    budget->draining = is_too_large(search, budget->draining);
    if (budget->draining && ++budget->drained / SLICE_TRIES % DRAIN_SLICES) return ORDER_NEWEST;
    if (budget->left == 0) deal(search);
    if (budget->arm != ARM_NEWEST && pending_is_urgent(&search->pending)) return ORDER_RARE;
    budget->left--;
    return orders[budget->arm];
}

bool search__may_dive(const SearchOptions *options)
{
    bool aims = options->first_bug || options->target || options->max_runs || options->work;
    return options->in_place && options->strategy == SEARCH_AUTO && !aims;
}

/* What waits stays in one order alone. */
void search__start_diving(Search *search)
{
    PendingEntries waiting = search->pending.list;
    search->dives = true;
    search->pending.list = (PendingEntries){0};
    pending_release(&search->pending);
    pending_init(&search->pending, &search->tree, SEARCH_DFS, search->options.seed);
    for (uint32_t i = 0; i < waiting.len; i++)
        if (tree_is_due(&search->tree, waiting.data[i])) search__enqueue_new(search, waiting.data[i].point);
    vec_release(&waiting);
}

/* What waits is put into all orders; what was done so far does not try anybody's patience. */
void search__stop_diving(Search *search)
{
    PendingEntries waiting = search->pending.list;
    search->dives = false;
    search->pending.list = (PendingEntries){0};
    pending_release(&search->pending);
    pending_init(&search->pending, &search->tree, search->options.strategy, search->options.seed);
    search->distances_stale = true;
    for (uint32_t i = 0; i < search->deep.len; i++) {
        Point *p = &search->tree.points.data[search->deep.data[i].point];
        if (p->live && p->serial == search->deep.data[i].serial) p->waiting = false;
        vec_push(&waiting, search->deep.data[i]);
    }
    for (uint32_t i = 0; i < waiting.len; i++)
        if (tree_is_due(&search->tree, waiting.data[i])) search__enqueue_all(search, waiting.data[i].point);
    vec_release(&waiting);
    vec_clear(&search->deep);
    search->stats.last_news = search->stats.runs;
    search->news_effort = search_solve_stats(search)->effort;
    search->news_instructions = vm_stats(search->vm)->instructions;
}

Order search__choose_order(Search *search)
{
    if (search->dives) return ORDER_NEWEST;
    static const Order orders[SEARCH_STRATEGIES] = {[SEARCH_DFS] = ORDER_NEWEST,
                                                    [SEARCH_BFS] = ORDER_OLDEST,
                                                    [SEARCH_RANDOM] = ORDER_RANDOM,
                                                    [SEARCH_GENERATIONAL] = ORDER_GENERATIONS,
                                                    [SEARCH_CFG] = ORDER_NEAREST};
    return search->options.strategy == SEARCH_AUTO ? auto_order(search) : orders[search->options.strategy];
}
