/* A technique for branches below loops: loops/ solves for how often each way round the loops has to be gone, and steers an execution there.
 *
 * A goal is a branch that is not reached although its condition was evaluated, with another outcome.  For each such outcome the inputs of the first run
 * that showed it are kept; from that run the loops are looked at.
 *
 * An attempt may cost a part of all work so far.  One that is cut off is made again when there was twice as much work, so that no attempt holds up the
 * search, and none is given up for its cost. */
#include "search/search_int.h"

#include "loops/loops.h"

#include <stdlib.h>

enum {
    FEW = 8,
    MANY = 20,             /* bits of a number of turns.  What few turns solve needs smaller circuits; 2^20 turns take seconds.  Guesses. */
    MOST_BASE = 1 << 12,   /* inputs of a run that is begun from.  A guess. */
    MOST_STEPS = 20000000, /* instructions of an execution that shows whether a goal is taken, about 50 ms */
    LEAST_WORK = 50000000, /* units, about 50 ms, that an attempt may cost in any case.  A guess: most need less. */
    WORK_PART = 4,         /* an attempt may cost one part in 4 of all work so far.  A guess. */
    NO_BASE = 0
};

/* Short words and few turns first: what they solve needs small formulas. */
enum { MOST_ATTEMPTS = 9 /* at a goal */ };
static const LoopsAttempt attempts[MOST_ATTEMPTS] = {
    {.rounds = 1, .bits = FEW},
    {.rounds = 2, .bits = FEW},
    {.rounds = 1, .bits = FEW, .exact = true},
    {.rounds = 1, .bits = MANY},
    {.rounds = 2, .bits = FEW, .pairs = true},
    {.rounds = 2, .bits = MANY},
    {.rounds = 3, .bits = MANY},
    {.rounds = 2, .bits = FEW, .exact = true},
    {.rounds = 2, .bits = MANY, .exact = true},
};

typedef struct ByLoops {
    Search *search;
    Loops *loops;
    Distances distances;
    uint8_t *open;         /* per branch: the goal at hand */
    Vec(LoopsValues) runs; /* inputs of runs that brought something new */
    uint32_t *base;        /* per branch: number + 1 of the run that has first taken it */
    uint32_t seen;         /* branches that runs had taken when these were kept last; another process may have reached them before */
    uint8_t *attempts;     /* per branch: how many were made */
    uint8_t *left_out;     /* per branch: the last attempt that was not exact has left out conditions */
    uint64_t *not_before;  /* per branch: no attempt is made until there was that much work */
    uint64_t retry;        /* the least of these that lies ahead; UINT64_MAX: none does */
    uint32_t next;         /* goal */
    VmTaken *taken;
    bool makes_run; /* of what was found */
} ByLoops;

static bool has_loops(const Program *program)
{
    for (uint32_t i = 0; i < program->function_count; i++) {
        const Function *f = &program->functions[i];
        if (f->defined && f->loop_count && !f->in_model && !f->in_harness) return true;
    }
    return false;
}

/* ---- executions ---- */

static void return_to_start(ByLoops *self)
{
    Search *search = self->search;
    search__leave_path(search, 0);
    search__rewind_pool(search, search->first_nodes);
    vm_return(search->vm, search->first);
    search->resumed = search->first;
}

static void begin(ByLoops *self)
{
    Search *search = self->search;
    return_to_start(self);
    search__assert(search, NULL, 0);
    search->rehearses = true;
    vm_set_depth(search->vm, 0);
    vm_set_patience(search->vm, 0, 0);
}

static void end(ByLoops *self)
{
    Search *search = self->search;
    vm_count_branches(search->vm, NULL);
    vm_give(search->vm, NULL, 0);
    vm_return(search->vm, search->first);
    vm_set_depth(search->vm, search->depth);
    search__set_patience(search, 0);
    search->rehearses = false;
}

/* Executes the program with constants for inputs. */
static VmStop perform(ByLoops *self, const LoopsValues *values, VmTaken *taken)
{
    Search *search = self->search;
    vm_return(search->vm, search->first);
    if (search->options.at_run) *search->options.at_run = taken ? SEARCH_REHEARSAL : search_runs(search) + 1;
    if (taken) memset(taken, 0, search->program->branch_count * sizeof *taken);
    vm_count_branches(search->vm, taken);
    vm_give(search->vm, values->data, values->len);
    vm_set_window(search->vm, UINT32_MAX, UINT32_MAX);
    vm_fix_image(search->vm);
    vm_set_depth(search->vm, values->len ? values->len : 1);
    vm_set_patience(search->vm, MOST_STEPS, 0);
    VmStop stop = vm_run(search->vm);
    vm_end_window(search->vm);
    vm_set_depth(search->vm, 0);
    vm_set_patience(search->vm, 0, 0);
    search->stats.rehearsals += taken != NULL;
    search->stats.rehearsed_inputs += vm_input_count(search->vm);
    return stop;
}

static bool takes(void *data, const LoopsValues *values, uint32_t branch)
{
    ByLoops *self = data;
    VmStop stop = perform(self, values, self->taken);
    return stop.kind != VM_ASSUMPTION && stop.kind != VM_UNSUPPORTED && self->taken[branch].count > 0;
}

static uint64_t work_so_far(const void *data)
{
    return search_work(((const ByLoops *)data)->search);
}

static uint32_t distance(void *data, uint32_t branch)
{
    const ByLoops *self = data;
    return distance_behind(&self->distances, branch);
}

/* A run of which no path is kept: a loop may go round a million times in it. */
static void make_run(ByLoops *self, const LoopsValues *values)
{
    Search *search = self->search;
    VmStop stop = perform(self, values, NULL);
    search->stats.runs++;
    vec_clear(&search->fresh);
    search->fresh_side = 0;
    self->makes_run = true;
    search__end_run(search, &stop, true);
    self->makes_run = false;
}

/* ---- goals ---- */

void search__note_base(Search *search)
{
    Account *account = &search->schedule.accounts[TECHNIQUE_LOOPS];
    ByLoops *self = account->self;
    const uint8_t *seen = vm_branches_seen(search->vm);
    uint32_t seen_count = vm_branches_seen_count(search->vm);
    bool any = false;
    if (!self || seen_count == self->seen || vm_input_count(search->vm) > MOST_BASE) return;
    self->seen = seen_count;
    for (uint32_t i = 0; i < search->program->branch_count; i++) {
        if (!seen[i] || self->base[i] != NO_BASE) continue;
        self->base[i] = self->runs.len + 1;
        any = true;
    }
    if (!any) return;
    LoopsValues values = {0};
    for (uint32_t i = 0; i < vm_input_count(search->vm); i++)
        vec_push(&values, expr_model_get(vm_model(search->vm), vm_input(search->vm, i)));
    vec_push(&self->runs, values);
    account->dry = false;
}

/* The run from which the goal is looked for: it has evaluated the goal's condition; NO_BASE: none has. */
static uint32_t base_of(const ByLoops *self, uint32_t goal)
{
    uint32_t first, end_of;
    search__siblings(self->search->program, goal, &first, &end_of);
    for (uint32_t i = first; i < end_of; i++)
        if (self->base[i] != NO_BASE) return self->base[i];
    return NO_BASE;
}

/* The next goal with fewest attempts; UINT32_MAX: there is none now. */
static uint32_t choose_goal(ByLoops *self)
{
    const Search *search = self->search;
    uint64_t work = search_work(search);
    uint32_t count = search->program->branch_count, chosen = UINT32_MAX;
    self->retry = UINT64_MAX;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = (self->next + k) % count;
        if (!search->goals.data[i] || self->attempts[i] >= MOST_ATTEMPTS || base_of(self, i) == NO_BASE) continue;
        if (self->not_before[i] > work) {
            if (self->not_before[i] < self->retry) self->retry = self->not_before[i];
            continue;
        }
        if (chosen == UINT32_MAX || self->attempts[i] < self->attempts[chosen]) chosen = i;
    }
    if (chosen != UINT32_MAX) self->next = chosen + 1;
    return chosen;
}

bool search__retry_loops(Search *search, uint64_t work)
{
    Account *account = &search->schedule.accounts[TECHNIQUE_LOOPS];
    ByLoops *self = account->self;
    if (!self || self->retry == UINT64_MAX || self->retry > work) return false;
    for (uint32_t i = 0; i < search->program->branch_count; i++)
        if (self->not_before[i] <= work) self->not_before[i] = 0;
    self->retry = UINT64_MAX;
    account->dry = false;
    return true;
}

/* What is left out is asked for where leaving it out has made a difference. */
static void count_attempt(ByLoops *self, uint32_t goal)
{
    uint8_t *next = &self->attempts[goal];
    if (!attempts[*next].exact) self->left_out[goal] = loops_left_out(self->loops);
    ++*next;
    while (*next < MOST_ATTEMPTS && attempts[*next].exact && !self->left_out[goal]) ++*next;
}

static LoopsAttempt next_attempt(const ByLoops *self, uint32_t goal)
{
    LoopsAttempt attempt = attempts[self->attempts[goal]];
    uint64_t part = search_work(self->search) / WORK_PART;
    attempt.work = part > LEAST_WORK ? part : LEAST_WORK;
    return attempt;
}

static Proposal propose(void *data, uint64_t work, PendingEntry *point)
{
    ByLoops *self = data;
    Search *search = self->search;
    (void)work;
    (void)point;
    uint32_t goal = choose_goal(self);
    if (goal == UINT32_MAX) return PROPOSES_NOTHING;
    LoopsValues found = {0};
    LoopsAttempt attempt = next_attempt(self, goal);
    self->open[goal] = 1;
    distances_update(&self->distances, self->open);
    self->open[goal] = 0;
    begin(self);
    if (!self->loops) {
        LoopsHost host = {search->program, search->vm, search->pool, search->solver, search->first, takes, distance, work_so_far, self};
        self->loops = loops_new(&host);
    }
    memset(self->taken, 0, search->program->branch_count * sizeof *self->taken);
    vm_count_branches(search->vm, self->taken);
    bool works = loops_find(self->loops, goal, &self->runs.data[base_of(self, goal) - 1], attempt, &found);
    bool again = !works && loops_was_cut_off(self->loops);
    if (again) self->not_before[goal] = 2 * search_work(search);
    else count_attempt(self, goal);
    vm_count_branches(search->vm, NULL);
    if (works) make_run(self, &found);
    end(self);
    vec_release(&found);
    return HAS_WORKED;
}

const char *search_turns(const Search *search)
{
    const ByLoops *self = search->schedule.accounts[TECHNIQUE_LOOPS].self;
    return self && self->makes_run ? loops_told(self->loops) : NULL;
}

LoopsStats search_loops_stats(const Search *search)
{
    const ByLoops *self = search->schedule.accounts[TECHNIQUE_LOOPS].self;
    return self && self->loops ? *loops_stats(self->loops) : (LoopsStats){0};
}

/* ---- */

static void *start(Search *search)
{
    if (search->options.strategy == SEARCH_SUMMARIES || search->options.no_loops || !has_loops(search->program)) return NULL;
    for (uint32_t i = 0; i < search->options.skipped_count; i++)
        if (search->options.skipped[i] == SEARCH_REHEARSAL) return NULL; /* an internal error ended one before */
    ByLoops *self = mem_alloc(sizeof *self);
    uint32_t branches = search->program->branch_count + 1;
    self->search = search;
    self->open = mem_alloc(branches);
    self->base = mem_alloc(branches * sizeof *self->base);
    self->attempts = mem_alloc(branches);
    self->left_out = mem_alloc(branches);
    self->not_before = mem_alloc(branches * sizeof *self->not_before);
    self->retry = UINT64_MAX;
    self->taken = mem_alloc(branches * sizeof *self->taken);
    distances_init(&self->distances, search->program);
    return self;
}

static void release(void *data)
{
    ByLoops *self = data;
    loops_free(self->loops);
    distances_release(&self->distances);
    for (uint32_t i = 0; i < self->runs.len; i++) vec_release(&self->runs.data[i]);
    vec_release(&self->runs);
    free(self->open);
    free(self->base);
    free(self->attempts);
    free(self->left_out);
    free(self->not_before);
    free(self->taken);
    free(self);
}

const Technique technique_loops = {start, NULL, propose, release, NO_TREE};
