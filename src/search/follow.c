/* The tree follows the machine: after a run each condition of the machine's path has its point, side and mark in `path`. */
#include "search/search_int.h"

/* A path that was known already is not counted again. */
static void note_stop(Search *search, const VmStop *stop, bool known)
{
    search->stats.verified += stop->verified;
    search->stats.unverified += stop->kind == VM_BUG || vm_is_unverified(search->vm);
    switch (stop->kind) {
    case VM_BUG:
        search__note_bug(search, stop->bug, stop->loc, stop->function, stop->message, false);
        search->stats.paths += !known;
        break;
    case VM_ASSUMPTION: search->stats.assumed_away++; break;
    case VM_VISITED:
    case VM_RETURNED: break;
    case VM_DEPTH: search->stats.bounded++; break;
    case VM_UNSUPPORTED:
    case VM_TIME:
    case VM_STEPS:
        search->stats.bounded++;
        if (!vm_by_chance(search->vm)) search__lose(search, stop->loc, stop->message);
        break;
    default: search->stats.paths += !known;
    }
}

/* ---- the path ---- */

/* Is it worth asking for another way at this condition? */
static bool has_other_side(const Search *search, const VmCondition *c)
{
    switch ((ConditionKind)c->kind) {
    case CONDITION_SUMMARY: return false; /* all that does not return here was explored */
    case CONDITION_ASSUME: return !c->holds;
    case CONDITION_CHECK: return !c->holds || !search__knows_bug(search, (BugKind)c->bug, c->loc);
    default: return true;
    }
}

static bool is_switch(const Search *search, const VmCondition *c)
{
    return c->kind == CONDITION_BRANCH && c->branch != UINT32_MAX && search->program->branches[c->branch].outcome >= OUTCOME_CASE;
}

static bool closes(Search *search, uint32_t point)
{
    const Side *sides = search->tree.sides.data;
    uint32_t newest = search->tree.points.data[point].sides, before = sides[newest].next;
    return before && expr_not(search->pool, sides[newest].condition) == sides[before].condition;
}

/* One more condition of the run.  False: all that can follow is known. */
static bool add_step(Search *search, const VmCondition *c)
{
    Step above = search->path.len ? vec_top(&search->path) : (Step){NO_POINT, 0, search->first, UINT32_MAX, 0, 0};
    bool new_point, new_side;
    if (above.point == NO_POINT ? search->tree.exhausted : search->tree.sides.data[above.side].exhausted) return false;
    uint32_t at = tree_child(&search->tree, above.point, above.side, &new_point);
    uint32_t side = tree_side(&search->tree, at, c->condition, &new_side);
    Point *p = &search->tree.points.data[at];
    p->on_path = true;
    if (new_side && !search->fresh_side) search->fresh_side = side;
    if (p->further) { /* its first condition is met */
        p->further = p->waiting = false;
        tree_set_pending(&search->tree, at, false);
        new_point = true;
    }
    if (new_point) {
        p->kind = c->kind;
        p->bug = c->bug;
        p->branch = c->branch;
        p->selector = is_switch(search, c) ? c->decides : 0;
        p->loc = c->loc;
        p->inputs = c->inputs;
        p->rarest = above.rarest;
        search__note_other(search, p);
        if (c->kind == CONDITION_CHECK) search__note_check(search, c);
        p->foreign = search->path.len < search->own_depth;
        if (!p->foreign && has_other_side(search, c)) {
            tree_set_pending(&search->tree, at, true);
            vec_push(&search->fresh, tree_entry(&search->tree, at));
        }
    } else if (new_side && p->foreign) {
        search->tree.sides.data[side].exhausted = true;
    } else if (new_side && p->pending && closes(search, at)) {
        tree_set_pending(&search->tree, at, false);
    }
    uint64_t rarest = search__count_branch(search, c->branch, above.rarest);
    uint32_t nodes = c->mark != VM_NO_MARK ? expr_pool_count(search->pool) : above.nodes;
    vec_push(&search->path, ((Step){at, side, c->mark != VM_NO_MARK ? c->mark : above.mark, c->branch, nodes, rarest}));
    return !search->tree.sides.data[side].exhausted;
}

/* Leaves the part of the path below `depth`. */
void search__leave_path(Search *search, uint32_t depth)
{
    while (search->path.len > depth) {
        Step step = vec_pop(&search->path);
        if (step.branch != UINT32_MAX) search->on_path.data[step.branch]--;
        search->tree.points.data[step.point].on_path = false;
        tree_prune(&search->tree, step.point);
    }
}

void search__give_up(Search *search, uint32_t point, const char *reason)
{
    const Point *p = &search->tree.points.data[point];
    tree_set_pending(&search->tree, point, false);
    if (reason) {
        const char *kept = search__lose(search, p->loc, reason);
        uint32_t first = 0, end = 0;
        if (p->branch != UINT32_MAX) search__siblings(search->program, p->branch, &first, &end);
        for (uint32_t i = first; i < end; i++) search->open.data[i] = kept;
    }
    tree_prune(&search->tree, point);
}

void search__end_run(Search *search, const VmStop *stop, bool known)
{
    uint64_t news = search->news;
    note_stop(search, stop, known);
    uint32_t score = search__update_goals(search);
    if (search->fresh_side) search->tree.sides.data[search->fresh_side].score = score < MOST_SCORE ? (uint8_t)score : MOST_SCORE;
    schedule_note_run(search, search->fresh.data, search->fresh.len, score);
    search__note_base(search);
    if (search->news != news) {
        search__note_sequence(search);
        search->stats.last_news = search->stats.runs;
        search->news_effort = search_solve_stats(search)->effort;
        search->news_instructions = vm_stats(search->vm)->instructions;
    }
    if (stop->kind != VM_RETURNED) search->told = vm_branches_seen_count(search->vm);
    if (search->options.on_run && stop->kind != VM_RETURNED) search->options.on_run(search->options.on_run_data, search, search->vm, stop);
}

/* The run's last condition: nothing follows it.  But a run that a limit has cut off may end where one that began further down went on. */
static void end_path(Search *search, const VmStop *stop)
{
    Step last = vec_top(&search->path);
    if (search->tree.sides.data[last.side].child == NO_POINT) search->tree.sides.data[last.side].exhausted = true;
    if (!stop->in_real) return;
    search->tree.sides.data[last.side].in_real = true;
    search->tree.points.data[last.point].ends = true;
}

VmStopKind search__run(Search *search)
{
    uint32_t depth = search->path.len;
    search->left = NO_POINT;
    search__start_walk(search);
    if (search->options.at_run) *search->options.at_run = search_runs(search) + 1;
    REQUIRE(!search->options.planted || search->options.planted != search_runs(search) + 1, "an error was planted in this run");
    VmStop stop = search__execute(search);
    search->stats.runs += stop.kind != VM_RETURNED;
    uint32_t length = vm_path_length(search->vm);
    bool known = false;
    if (length > search->longest) search->longest = length;
    vec_clear(&search->fresh);
    search->fresh_side = 0;
    for (uint32_t i = depth; i < length && !known; i++) known = !add_step(search, vm_condition(search->vm, i));
    bool left = (stop.kind == VM_DEPTH || (stop.undecided && search->options.passes_undecided)) && !known;
    if (left) search__leave_further(search, &stop);
    if (length > depth && !known && !left) end_path(search, &stop);
    search__end_run(search, &stop, known || search->own_depth); /* a run that was given was counted by who gave it */
    return stop.kind;
}
