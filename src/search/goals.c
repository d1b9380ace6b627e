/* Branches, goals, and what a run brings that is new. */
#include "search/search_int.h"

enum {
    GOALS_RUNS = 256,
    ANY_MEMORY_RUNS = 8 /* runs with any memory that may show a fault before it counts as known.  A guess. */
};

/* ---- losses and bugs ---- */

const char *search__lose(Search *search, uint32_t loc, const char *reason)
{
    uint64_t key = hash_bytes(reason, strlen(reason)) ^ loc, *known = map_find(&search->known_losses, key);
    if (known) return search->losses.data[*known].reason;
    map_put(&search->known_losses, key, search->losses.len);
    vec_push(&search->losses, ((SearchLoss){loc, mem_strdup(reason)}));
    return vec_top(&search->losses).reason;
}

static uint64_t bug_key(BugKind bug, uint32_t loc)
{
    return (uint64_t)bug << 32 | loc;
}

bool search__knows_bug(const Search *search, BugKind bug, uint32_t loc)
{
    return map_find(&search->known_bugs, bug_key(bug, loc));
}

/* A fault that a unit shows when it gets memory with any contents may be one of objects that the project's functions have made, too: such a run is
 * looked for until several of the others have come.  Returns whether the fault is news. */
static bool is_new_bug(Search *search, uint64_t key, bool any_memory)
{
    uint64_t mark = (uint64_t)1 << 63 | key;
    uint64_t *known = any_memory ? map_find(&search->known_bugs, mark) : NULL, times = known ? *known + 1 : 1;
    if (any_memory) map_put(&search->known_bugs, mark, times);
    if (!any_memory || times >= ANY_MEMORY_RUNS) map_put(&search->known_bugs, key, 1);
    return times == 1;
}

void search__note_bug(Search *search, BugKind bug, uint32_t loc, const char *function, const char *message, bool elsewhere)
{
    if (search__knows_bug(search, bug, loc)) return;
    if (!is_new_bug(search, bug_key(bug, loc), !elsewhere && vm_has_any_memory(search->vm))) return;
    vec_push(&search->bugs, ((SearchBug){bug, loc, function, mem_strdup(message), search->stats.runs, elsewhere}));
    search->stats.bugs += !elsewhere;
    search->news++;
}

/* The first time that a check holds, or fails, at its place. */
void search__note_check(Search *search, const VmCondition *c)
{
    uint64_t key = bug_key((BugKind)c->bug, c->loc) << 1 | c->holds;
    if (map_find(&search->known_checks, key)) return;
    map_put(&search->known_checks, key, 1);
    search->news++;
}

/* ---- branches ---- */

static bool are_siblings(const Branch *a, const Branch *b)
{
    return a->function == b->function && a->block == b->block && a->loc == b->loc;
}

/* The outcomes of the conditional or switch that a branch belongs to are numbered one after the other. */
void search__siblings(const Program *program, uint32_t branch, uint32_t *first, uint32_t *end)
{
    const Branch *branches = program->branches;
    *first = branch;
    *end = branch + 1;
    if (branches[branch].outcome == OUTCOME_TRUE || branches[branch].outcome == OUTCOME_FALSE) {
        *first = branch - branches[branch].which; /* of what stands after a !, false comes first */
        *end = *first + 2;
    } else {
        while (*first > 0 && branches[*first].outcome == OUTCOME_DEFAULT && are_siblings(&branches[*first - 1], &branches[branch]))
            --*first;
        while (*first > 0 && branches[*first - 1].outcome == OUTCOME_CASE && are_siblings(&branches[*first - 1], &branches[branch]))
            --*first;
        while (branches[*end - 1].outcome == OUTCOME_CASE && *end < program->branch_count) ++*end;
    }
}

/* Is one of the outcomes that could be taken instead a goal? */
static bool has_open_sibling(const Search *search, uint32_t branch)
{
    uint32_t first, end;
    search__siblings(search->program, branch, &first, &end);
    for (uint32_t i = first; i < end; i++)
        if (search->goals.data[i]) return true;
    return false;
}

bool search__is_worthwhile(const Search *search, const Point *p)
{
    if (p->kind == CONDITION_BRANCH && p->branch != UINT32_MAX) return has_open_sibling(search, p->branch);
    return p->kind == CONDITION_ASSUME || (p->kind == CONDITION_CHECK && !search__knows_bug(search, (BugKind)p->bug, p->loc));
}

/* Tries are counted per branch, or per place for checks. */
uint32_t *search__tries_of(Search *search, const Point *p)
{
    uint32_t at = search->program->branch_count + p->loc, end;
    if (p->branch != UINT32_MAX) search__siblings(search->program, p->branch, &at, &end);
    return &vec_at(&search->tried, at);
}

void search__note_other(Search *search, Point *p)
{
    uint32_t first, end;
    if (p->branch == UINT32_MAX) return;
    search__siblings(search->program, p->branch, &first, &end);
    search->depends.data[first] = 1;
    if (search->program->branches[p->branch].outcome >= OUTCOME_CASE) return;
    p->other = first == p->branch ? first + 1 : first;
    p->times = search->on_path.data[p->other] + 1;
}

/* ---- goals ---- */

static bool is_wanted(const Search *search, uint32_t branch)
{
    const SearchOptions *options = &search->options;
    if (options->known && options->known[branch]) return false;
    return options->wanted ? options->wanted[branch] : !search->program->branches[branch].uncounted;
}

/* What the caller says is known or wanted may have changed too; it is looked at when something else has, and now and then. */
static bool is_due(const Search *search)
{
    bool may_change = search->options.known || search->options.wanted || search->options.lane;
    return vm_branches_seen_count(search->vm) + vm_verified_count(search->vm) != search->seen_count ||
           (may_change && search->stats.runs % GOALS_RUNS == 0);
}

uint32_t search__update_goals(Search *search)
{
    const uint8_t *seen = vm_branches_seen(search->vm);
    uint32_t count = search->program->branch_count, fresh = 0, left = 0;
    bool first = search->goals.len == 0, is_side = search__is_side(search);
    if (!first && !is_due(search)) return 0;
    search->seen_count = vm_branches_seen_count(search->vm) + vm_verified_count(search->vm);
    for (uint32_t i = 0; i < count; i++) {
        if (first) vec_push(&search->goals, 0);
        fresh += seen[i] > search->reached[i];
        search->reached[i] |= seen[i];
        if (is_side && seen[i]) lane_reached(search->options.lane)[i] = 1;
        bool is_left = !search->reached[i] && is_wanted(search, i);
        /* A verified execution took it: others have to come from the paths that it leaves, and aiming at it again gives more of the same. */
        search->goals.data[i] = is_left && !vm_is_in_verified(search->vm, i);
        left += is_left;
    }
    search->goals_left = left;
    search->goals_version++;
    search->news += fresh;
    return fresh;
}
