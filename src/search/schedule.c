/* Whose proposal is tried next.
 *
 * Work is counted (search_work), and dealt out in slices to the techniques that are alive, that is, that know of something to try.
 *
 *   1. Half of all work is dealt out by right: a slice goes to the technique that has had least by right so far.
 *   2. The other half is dealt out by merit: a slice goes to the technique that has brought most news (branches, bugs, outcomes of checks) per unit of its
 *      work.  News counts as much as work had been done by all when it came: what comes late was hard to find, and whoever finds it now is worth more
 *      than who found much when all was new.  When half of all work so far has brought no news, what is left is to be exhausted: a slice
 *      goes to the tree that has had least work so far, and there to the technique that decided most per unit of work.  Techniques that work on no tree
 *      count as one more tree, if they have brought news.
 *   3. A technique pays for all that its tries take.  A try that takes longer than the slice is charged for it, so others have their turn until they
 *      have had as much.
 *
 * So with k techniques alive, each gets at least one part in 2k of all work, but for one try of each of the others.  A technique works on its own
 * proposals alone (technique.h), so what it finds alone with some amount of work, all together find with about 2k times as much, and with less
 * where others have done part of it; what is reached and the inputs that the solver starts from are common to all, so luck may differ.  Of two trees
 * (the common one; that of summaries) the one that is exhausted first is so within about twice the work that it takes alone (thrice, where techniques without a tree
 * have brought news), from when nothing new is found any more.  How long a slice is changes how much less; not that bound.
 *
 * One limit comes before it: where the tree holds more points than memory is to hold, depth first, which does not make it grow, has nearly all slices
 * until it is smaller. */
#include "search/search_int.h"

enum {
    LEAST_SLICE = 50000, /* units of work, about 50 microseconds: some dozens of tries of a small program */
    MOST_SLICE =
        1000000, /* about a millisecond.  A guess, as the one above: longer ones make others wait, shorter ones are spent on changing over. */
    SLICE_PART = 16, /* a slice is one part in 16 of all work so far, so that small programs do not wait for one technique.  A guess. */
    MOST_POINTS = 1 << 20,
    MOST_PATHS = 128, /* besides, as many points as so many paths have */
    DRAIN_SLICES = 64 /* of which one is dealt out as ever */
};

static const Technique *const tables[] = {
#define TECHNIQUE(NAME, table, text, help) &table,
#include "search/techniques.def"
#undef TECHNIQUE
};
_Static_assert(COUNT_OF(tables) == TECHNIQUES, "techniques.def lists them all");

void schedule_start(Search *search)
{
    Schedule *schedule = &search->schedule;
    bool all = search->options.strategy == SEARCH_AUTO || search->options.strategy == SEARCH_SUMMARIES;
    schedule->current = NOBODY;
    for (uint32_t i = 0; i < TECHNIQUES; i++)
        if (all || search->options.strategy == i + 1) schedule->accounts[i].self = tables[i]->start(search);
}

void schedule_free(Search *search)
{
    for (uint32_t i = 0; i < TECHNIQUES; i++)
        if (search->schedule.accounts[i].self) tables[i]->free(search->schedule.accounts[i].self);
    vec_release(&search->schedule.adopted);
}

/* ---- what techniques are told ---- */

/* As it was when the first run came by: those by other sides are told of when it is proposed. */
static PendingEntry first_entry(const Tree *tree, uint32_t point)
{
    PendingEntry entry = tree_entry(tree, point);
    if (entry.sides > 1) entry.sides = 1;
    return entry;
}

/* False: the technique does not try points. */
static bool tell(Search *search, uint32_t technique, const PendingEntry *points, uint32_t count, uint32_t score)
{
    Account *account = &search->schedule.accounts[technique];
    if (!account->self || count == 0 || !tables[technique]->note) return false;
    tables[technique]->note(account->self, points, count, score);
    account->dry = false;
    return true;
}

void schedule_note_run(Search *search, const PendingEntry *points, uint32_t count, uint32_t score)
{
    for (uint32_t i = 0; i < TECHNIQUES; i++)
        if (search->schedule.current == NOBODY || search->schedule.current == i) tell(search, i, points, count, score);
}

void schedule_again(Search *search, uint32_t point)
{
    PendingEntry entry = tree_entry(&search->tree, point);
    if (search->schedule.current == NOBODY) schedule_tell_all(search, point);
    else tell(search, search->schedule.current, &entry, 1, MOST_SCORE);
}

bool schedule_tell_all(Search *search, uint32_t point)
{
    PendingEntry entry = first_entry(&search->tree, point);
    bool any = false;
    for (uint32_t i = 0; i < TECHNIQUES; i++) any |= tell(search, i, &entry, 1, MOST_SCORE);
    return any;
}

/* The points of the run that was the first to go by that side. */
static void tell_of_run(Search *search, uint32_t technique, uint32_t side)
{
    const Tree *tree = &search->tree;
    PendingEntries *run = &search->schedule.adopted;
    uint32_t score = tree->sides.data[side].score;
    vec_clear(run);
    for (uint32_t at = tree->sides.data[side].child; at != NO_POINT; at = tree->sides.data[side].child) {
        const Point *p = &tree->points.data[at];
        if (p->pending || p->side_count > 1) vec_push(run, first_entry(tree, at));
        for (side = p->sides; side && tree->sides.data[side].next;) side = tree->sides.data[side].next;
        if (!side) break;
    }
    tell(search, technique, run->data, run->len, score);
}

/* What others have done at the point since the technique was told of it. */
static void catch_up(Search *search, uint32_t technique, PendingEntry entry)
{
    const Tree *tree = &search->tree;
    uint32_t more = tree->points.data[entry.point].side_count - entry.sides;
    for (uint32_t side = tree->points.data[entry.point].sides; more > 0; more--, side = tree->sides.data[side].next)
        tell_of_run(search, technique, side);
}

/* ---- the rule ---- */

static void charge(Search *search)
{
    Schedule *schedule = &search->schedule;
    uint64_t work = search_work(search) - schedule->work;
    schedule->work += work;
    if (schedule->current == NOBODY) return;
    Account *account = &schedule->accounts[schedule->current];
    if (schedule->by_right) account->by_right += work;
    schedule->dealt[schedule->by_right] += work;
    account->all.work += work;
}

static void end_slice(Search *search)
{
    Schedule *schedule = &search->schedule;
    uint64_t decided = search->stats.runs + search->stats.unsat, news = search->news - schedule->news;
    if (schedule->current != NOBODY) {
        Account *account = &schedule->accounts[schedule->current];
        account->all.news += news;
        account->worth += news * schedule->work;
        account->decided += decided - schedule->decided;
    }
    if (news) schedule->quiet_from = schedule->work;
    schedule->news = search->news;
    schedule->decided = decided;
}

static bool is_alive(const Account *account)
{
    return account->self && !account->dry;
}

/* What the tree that the technique works on has had; those that work on none count together. */
static uint64_t tree_work(const Schedule *schedule, uint32_t technique)
{
    uint64_t work = 0;
    for (uint32_t i = 0; i < TECHNIQUES; i++)
        if (tables[i]->tree == tables[technique]->tree) work += schedule->accounts[i].all.work;
    return work;
}

/* Is a / work_a more than b / work_b? */
static bool is_more(uint64_t a, uint64_t work_a, uint64_t b, uint64_t work_b)
{
    return (U128)a * (work_b + 1) > (U128)b * (work_a + 1);
}

static bool brings_more(const Schedule *schedule, uint32_t technique, uint32_t other)
{
    const Account *a = &schedule->accounts[technique], *b = &schedule->accounts[other];
    return is_more(a->worth, a->all.work, b->worth, b->all.work);
}

/* A technique that works on no tree and has brought nothing can exhaust nothing, either. */
static bool may_exhaust(const Schedule *schedule, uint32_t technique)
{
    return tables[technique]->tree != NO_TREE || schedule->accounts[technique].worth;
}

static bool exhausts_more(const Schedule *schedule, uint32_t technique, uint32_t other)
{
    const Account *a = &schedule->accounts[technique], *b = &schedule->accounts[other];
    if (may_exhaust(schedule, technique) != may_exhaust(schedule, other)) return may_exhaust(schedule, technique);
    uint64_t had_a = tree_work(schedule, technique), had_b = tree_work(schedule, other);
    if (had_a != had_b) return had_a < had_b;
    if (tables[technique]->tree == NO_TREE) return brings_more(schedule, technique, other);
    return is_more(a->decided, a->all.work, b->decided, b->all.work);
}

static uint32_t next_by_right(const Schedule *schedule)
{
    uint32_t best = NOBODY;
    for (uint32_t i = 0; i < TECHNIQUES; i++)
        if (is_alive(&schedule->accounts[i]) && (best == NOBODY || schedule->accounts[i].by_right < schedule->accounts[best].by_right))
            best = i;
    return best;
}

static uint32_t next_by_merit(const Schedule *schedule)
{
    uint32_t best = NOBODY;
    bool is_quiet = schedule->work - schedule->quiet_from >= schedule->work / 2;
    for (uint32_t i = 0; i < TECHNIQUES; i++)
        if (is_alive(&schedule->accounts[i]) && (best == NOBODY || (is_quiet ? exhausts_more : brings_more)(schedule, i, best))) best = i;
    return best;
}

/* A technique that comes to life again is not owed what it did not need. */
static void forgive(Schedule *schedule)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < TECHNIQUES; i++)
        if (is_alive(&schedule->accounts[i]) && schedule->accounts[i].by_right < least) least = schedule->accounts[i].by_right;
    for (uint32_t i = 0; i < TECHNIQUES; i++)
        if (!is_alive(&schedule->accounts[i]) && schedule->accounts[i].by_right < least && least != UINT64_MAX)
            schedule->accounts[i].by_right = least;
}

static bool is_too_large(const Search *search)
{
    return tree_live(&search->tree) > MOST_POINTS + (uint64_t)MOST_PATHS * search->path.len;
}

static uint64_t slice_work(const Schedule *schedule)
{
    uint64_t work = schedule->work / SLICE_PART;
    return work < LEAST_SLICE ? LEAST_SLICE : work > MOST_SLICE ? MOST_SLICE : work;
}

static void start_slice(Search *search)
{
    Schedule *schedule = &search->schedule;
    end_slice(search);
    forgive(schedule);
    schedule->by_right = schedule->dealt[true] <= schedule->dealt[false];
    schedule->current = schedule->by_right ? next_by_right(schedule) : next_by_merit(schedule);
    if (is_too_large(search) && is_alive(&schedule->accounts[TECHNIQUE_DFS]) && ++schedule->drained % DRAIN_SLICES)
        schedule->current = TECHNIQUE_DFS;
    schedule->end = schedule->work + slice_work(schedule);
}

/* The next one that is to be tried, of those that the technique proposes. */
static Proposal propose(Search *search, uint32_t technique, uint32_t *point)
{
    const Schedule *schedule = &search->schedule;
    Account *account = &search->schedule.accounts[technique];
    Proposal proposal;
    PendingEntry entry;
    while ((proposal = tables[technique]->propose(account->self, schedule->end - schedule->work, &entry)) == PROPOSES_POINT) {
        if (!tree_is_there(&search->tree, entry)) continue;
        catch_up(search, technique, entry);
        if (!tree_is_due(&search->tree, entry)) continue;
        *point = entry.point;
        return proposal;
    }
    account->dry = proposal == PROPOSES_NOTHING;
    return proposal;
}

/* Every point that is to be tried, to all: where each has lost sight of some. */
static bool tell_all_that_is_due(Search *search)
{
    bool any = false;
    for (uint32_t i = 0; i < search->tree.points.len; i++) {
        if (!tree_is_due(&search->tree, tree_entry(&search->tree, i))) continue;
        any |= schedule_tell_all(search, i);
    }
    return any;
}

/* Does a technique that tries points know of some? */
static bool knows_points(const Schedule *schedule)
{
    for (uint32_t i = 0; i < TECHNIQUES; i++)
        if (is_alive(&schedule->accounts[i]) && tables[i]->note) return true;
    return false;
}

bool schedule_has_points(Search *search)
{
    return knows_points(&search->schedule) || tell_all_that_is_due(search);
}

void schedule_interrupt(Search *search)
{
    charge(search);
    end_slice(search);
    search->schedule.current = NOBODY;
}

Proposal schedule_pick(Search *search, uint32_t *point)
{
    Schedule *schedule = &search->schedule;
    charge(search);
    for (;;) {
        if (schedule->current == NOBODY || schedule->work >= schedule->end || schedule->accounts[schedule->current].dry)
            start_slice(search);
        if (schedule->current == NOBODY) return PROPOSES_NOTHING;
        Proposal proposal = propose(search, schedule->current, point);
        if (proposal != PROPOSES_NOTHING) return proposal;
    }
}

SearchTechnique search_technique(const Search *search, SearchStrategy technique)
{
    return technique == SEARCH_AUTO ? (SearchTechnique){0} : search->schedule.accounts[technique - 1].all;
}

const char *schedule_name(uint32_t technique)
{
    static const char *const names[] = {
#define TECHNIQUE(NAME, table, text, help) text,
#include "search/techniques.def"
#undef TECHNIQUE
    };
    REQUIRE(technique < TECHNIQUES, "no such technique");
    return names[technique];
}
