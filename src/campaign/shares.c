/* Who may go on.
 *
 * With a limit of time, every unit gets a first share before any gets a second.  Then what is left goes again and again to units with open branches: to
 * the one first whose last share brought most for its time, among equals to the one that has had least, and each share is twice the last one of its
 * unit.  A search that has used up its share waits, and goes on where it was.
 *
 * With a budget that is counted (--work, --max-runs) nothing depends on the clock or on which process is faster: units are searched one after the other, and
 * each gets an equal part of what is left. */
#include "campaign/pool_int.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FIRST_PART = 4 /* of the time is for first shares: a quarter.  A guess. */ };
#define LEAST_SHARE 0.05
#define OVERDUE_SECONDS 1.0

bool campaign__is_counted(const Campaign *campaign)
{
    return campaign->options->search.work || campaign->options->search.max_runs;
}

/* ---- what a unit can reach ---- */

typedef Vec(uint32_t) Functions;

static void add_function(Functions *open, uint8_t *reached, uint32_t function)
{
    if (reached[function]) return;
    reached[function] = 1;
    vec_push(open, function);
}

/* Is it there to make an object that the function under test gets, or to release it?  What that calls has units of its own. */
static bool is_helper(const Function *function)
{
    return function->in_harness && (strncmp(function->name, "clew__make_", 11) == 0 || strncmp(function->name, "clew__release_", 14) == 0);
}

/* Functions that calls lead to; a computed call may lead to any function whose address is taken. */
static uint8_t *reachable_functions(const Program *program, const Function *entry)
{
    uint8_t *reached = mem_alloc(program->function_count + 1);
    bool any_address = false;
    Functions open = {0};
    add_function(&open, reached, (uint32_t)(entry - program->functions));
    for (uint32_t i = 0; i < program->constructor_count; i++) add_function(&open, reached, program->constructors[i].function);
    for (uint32_t i = 0; i < program->destructor_count; i++) add_function(&open, reached, program->destructors[i].function);
    while (open.len) {
        const Function *f = &program->functions[vec_pop(&open)];
        for (uint32_t i = 0; i < f->callee_count; i++)
            if (!is_helper(&program->functions[f->callees[i]])) add_function(&open, reached, f->callees[i]);
        if (!f->calls_unknown || any_address) continue;
        any_address = true;
        for (uint32_t i = 0; i < program->const_count; i++) {
            const Symbol *symbol = &program->symbols[program->consts[i].symbol];
            if (symbol->kind == SYMBOL_FUNCTION) add_function(&open, reached, symbol->index);
        }
    }
    vec_release(&open);
    return reached;
}

uint8_t *campaign__reachable(const Campaign *c, const Task *task)
{
    const Function *entry = task->function ? task->function : program_function(c->program, "main");
    uint8_t *functions = reachable_functions(c->program, entry), *wanted = mem_alloc(c->program->branch_count + 1);
    for (uint32_t i = 0; i < c->program->branch_count; i++) wanted[i] = c->wanted[i] && functions[c->program->branches[i].function];
    free(functions);
    return wanted;
}

uint32_t campaign__open_branches(const Pool *pool, uint32_t task)
{
    const Campaign *c = pool->campaign;
    uint32_t open = 0;
    for (uint32_t i = 0; i < c->program->branch_count; i++) open += pool->shares[task].wanted[i] && !c->known[i];
    return open;
}

/* ---- shares ---- */

void campaign__open_shares(Pool *pool)
{
    size_t size = (pool->count + 1) * sizeof *pool->grants, runs = MOST_PROCESSES * sizeof *pool->runs,
           larger = (pool->count + 1) * sizeof *pool->larger;
    pool->shares = mem_alloc((pool->count + 1) * sizeof *pool->shares);
    pool->grants = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pool->runs = mmap(NULL, runs, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pool->larger = mmap(NULL, larger, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(pool->grants != MAP_FAILED && pool->runs != MAP_FAILED && pool->larger != MAP_FAILED, "no memory to share with searches");
    for (uint32_t i = 0; i < pool->count; i++) {
        pool->shares[i].wanted = campaign__reachable(pool->campaign, &pool->tasks[i]);
        pool->shares[i].started = pool->tasks[i].unchanged;
    }
}

void campaign__close_shares(Pool *pool)
{
    for (uint32_t i = 0; i < pool->count; i++) {
        free(pool->shares[i].wanted);
        peers_free(pool->shares[i].peers);
        vec_release(&pool->shares[i].skipped);
    }
    munmap(pool->grants, (pool->count + 1) * sizeof *pool->grants);
    munmap(pool->runs, MOST_PROCESSES * sizeof *pool->runs);
    munmap(pool->larger, (pool->count + 1) * sizeof *pool->larger);
    free(pool->shares);
}

/* Does a search of the unit run, wait, or neither? */
typedef enum State { STATE_NONE, STATE_WAITS, STATE_RUNS } State;

static State state_of(const Pool *pool, uint32_t task)
{
    State state = STATE_NONE;
    for (uint32_t i = 0; i < MOST_PROCESSES; i++) {
        const Process *p = &pool->processes[i];
        if (!p->pid || p->task != task || p->way == WAY_REFINE) continue;
        State its = p->waits ? STATE_WAITS : STATE_RUNS;
        if (its > state) state = its;
    }
    return state;
}

static void end_share(Pool *pool, uint32_t task)
{
    Share *share = &pool->shares[task];
    share->granted = false;
    share->gain = share->gained;
    share->gained = 0;
}

static double seconds_left(const Pool *pool)
{
    double deadline = pool->campaign->search_deadline;
    return deadline ? deadline - clock_seconds() : 1e9;
}

static void grant(Pool *pool, uint32_t task, double seconds)
{
    Share *share = &pool->shares[task];
    share->granted = true;
    share->seconds = seconds;
    share->used += seconds;
    for (uint32_t i = 0; i < MOST_PROCESSES; i++)
        if (pool->processes[i].pid && pool->processes[i].task == task) pool->processes[i].waits = false;
    pool->grants[task].until = (uint64_t)((clock_seconds() + seconds) * 1e6);
}

/* The searches of a unit, for the first time or once more. */
static void start_searches(Pool *pool, uint32_t task, uint32_t count)
{
    Share *share = &pool->shares[task];
    if (count > 1) share->peers = peers_new(count);
    share->searches = share->peers ? count : 1;
    share->started = true;
    for (uint32_t i = 0; i < share->searches; i++) campaign__start_search(pool, task, i);
}

static double first_share(const Pool *pool)
{
    uint32_t jobs = pool->campaign->options->jobs, left = 0;
    for (uint32_t i = 0; i < pool->count; i++) left += !pool->shares[i].started;
    uint32_t rounds = (left + jobs - 1) / jobs;
    double part = pool->count <= jobs ? 1 : FIRST_PART;
    double seconds = seconds_left(pool) / rounds / part;
    return seconds > LEAST_SHARE ? seconds : LEAST_SHARE;
}

static double worth(const Share *share)
{
    return share->gain / share->seconds;
}

/* The unit that is to go on; UINT32_MAX: none is to. */
static uint32_t next_unit(const Pool *pool, uint32_t *candidates)
{
    uint32_t best = UINT32_MAX;
    *candidates = 0;
    for (uint32_t i = 0; i < pool->count; i++) {
        const Share *share = &pool->shares[i], *other = best == UINT32_MAX ? NULL : &pool->shares[best];
        if (!share->started || state_of(pool, i) != STATE_WAITS || !campaign__open_branches(pool, i)) continue;
        ++*candidates;
        bool more = other && worth(share) > worth(other), same = other && worth(share) == worth(other);
        if (!other || more || (same && share->used < other->used)) best = i;
    }
    return best;
}

/* Searches that wait and have nothing open any more hold memory for nothing. */
static void end_covered(Pool *pool)
{
    for (uint32_t i = 0; i < pool->count; i++) {
        if (state_of(pool, i) != STATE_WAITS || pool->shares[i].granted || campaign__open_branches(pool, i)) continue;
        pool->grants[i].finish = 1;
        pool->campaign->ledger->units.data[pool->tasks[i].unit].done = true;
        ledger_touch_unit(pool->campaign->ledger, pool->tasks[i].unit);
    }
}

/* Searches that wait may hold a third of the memory; beyond that the largest has to end. */
static void free_memory(Pool *pool)
{
    uint64_t most = (uint64_t)sysconf(_SC_PHYS_PAGES) * ((uint64_t)sysconf(_SC_PAGESIZE) / 1024) / 3, all = 0;
    const Process *largest = NULL;
    for (uint32_t i = 0; i < MOST_PROCESSES; i++) {
        const Process *p = &pool->processes[i];
        if (!p->pid || !p->waits || pool->grants[p->task].finish) continue;
        all += p->progress.peak_rss_kib;
        if (!largest || p->progress.peak_rss_kib > largest->progress.peak_rss_kib) largest = p;
    }
    if (all > most && largest) pool->grants[largest->task].finish = 1;
}

/* A search looks at its share between runs and calls.  If one does not for long, other units get their shares without waiting for it. */
static bool is_overdue(const Pool *pool, uint32_t task)
{
    return clock_seconds() > (double)pool->grants[task].until / 1e6 + OVERDUE_SECONDS;
}

static bool deal_time(Pool *pool)
{
    uint32_t jobs = pool->campaign->options->jobs, granted = 0, candidates;
    for (uint32_t i = 0; i < pool->count; i++) {
        if (pool->shares[i].granted && (state_of(pool, i) != STATE_RUNS || is_overdue(pool, i))) end_share(pool, i);
        granted += pool->shares[i].granted;
    }
    end_covered(pool);
    free_memory(pool);
    for (uint32_t i = 0; i < pool->count && granted < jobs; i++) {
        if (pool->shares[i].started) continue;
        uint32_t searches = i + 1 == pool->count ? jobs - granted : 1;
        double seconds = first_share(pool);
        start_searches(pool, i, searches);
        grant(pool, i, seconds);
        granted++;
    }
    for (uint32_t best; granted < jobs && (best = next_unit(pool, &candidates)) != UINT32_MAX; granted++) {
        double left = seconds_left(pool), seconds = 2 * pool->shares[best].seconds;
        grant(pool, best, candidates <= jobs || seconds > left ? left : seconds);
    }
    return granted > 0;
}

static bool deal_counted(Pool *pool)
{
    uint32_t running = 0;
    for (uint32_t i = 0; i < pool->count; i++) running += state_of(pool, i) != STATE_NONE;
    for (uint32_t i = 0; i < pool->count && running < pool->campaign->options->jobs; i++) {
        if (pool->shares[i].started) continue;
        start_searches(pool, i, 1);
        running++;
    }
    return running > 0;
}

bool campaign__deal(Pool *pool)
{
    return campaign__is_counted(pool->campaign) ? deal_counted(pool) : deal_time(pool);
}
