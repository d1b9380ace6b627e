/* How far runs are followed.
 *
 * A program that asks for inputs in a loop without an end has no last condition.  Following its first run for thousands of rounds would cost much and
 * show little, so a run is left where the program asks for an input and the path has reached the present depth.  A loop without inputs may take as long as
 * thousands of other runs, so a run is also left after as many instructions as the depth is a part of FULL_DEPTH.  There the tree gets a point without
 * sides, which stands for "this run can be gone on with".  Such points wait until the depth grows, and are then tried like any other: the solver is asked
 * for inputs that lead there (the run that was left had some), and the machine runs on.
 *
 * A branch that depends on an uninitialised value is a bug, and the run ends there.  What lies behind it has no defined meaning; but where tests are to
 * reach it (passes_undecided), the run is gone on with in the same way, at once, for the bug is known now.
 *
 * The depth doubles when nothing else is left to try, or when it has been quiet for long (search.c).  It has no greatest value: a program that fills a
 * large array with inputs gets to what it does with them, and one that asks without an end is followed until a run has as many instructions as any may have. */
#include "search/search_int.h"

#include <stdio.h>

enum {
    FIRST_DEPTH = 256,   /* inputs or conditions.  A guess: some dozens of rounds of a control loop. */
    FULL_DEPTH = 1 << 14 /* from here on, only the limits of instructions and of conditions end a run (search.c) */
};

void search__start_depth(Search *search)
{
    search->depth = FIRST_DEPTH;
    vm_set_depth(search->vm, search->depth);
    search__set_patience(search, 0);
}

void search__set_patience(Search *search, uint32_t path)
{
    if (search->options.strategy == SEARCH_SUMMARIES) return; /* a run is not left in a call that is being summarised */
    uint64_t most = search->options.vm.run_limit;
    vm_set_patience(search->vm, search->depth < FULL_DEPTH ? most / FULL_DEPTH * search->depth : 0, path);
}

/* Going on behind the branch by one outcome only loses no path, because every path that goes on there has undefined behaviour. */
static void pass_undecided(Search *search, uint32_t loc)
{
    for (uint32_t i = 0; i < search->program->branch_count; i++)
        if (search->program->branches[i].loc == loc) search->open.data[i] = "an uninitialised value decides this branch, so no input does";
    vm_pass_undecided(search->vm, loc);
    search->undecided = true;
}

void search__leave_further(Search *search, const VmStop *stop)
{
    bool is_new;
    uint32_t parent = search->path.len ? vec_top(&search->path).point : NO_POINT;
    uint32_t at = tree_child(&search->tree, parent, parent == NO_POINT ? 0 : vec_top(&search->path).side, &is_new);
    Point *p = &search->tree.points.data[at];
    if (!is_new && !p->further) return; /* another run has gone on from here */
    p->kind = CONDITION_BRANCH;
    p->loc = stop->loc;
    p->inputs = vm_input_count(search->vm);
    p->further = true;
    search->left = at;
    p->waiting = !stop->undecided;
    if (!p->pending) tree_set_pending(&search->tree, at, true);
    if (stop->undecided) {
        pass_undecided(search, stop->loc);
        schedule_tell_all(search, at);
    } else {
        vec_push(&search->further, tree_entry(&search->tree, at));
    }
}

void search__end_further(Search *search, uint32_t point)
{
    Point *p = &search->tree.points.data[point];
    if (!p->live || !p->further || search->left == point) return;
    tree_set_pending(&search->tree, point, false);
    tree_prune(&search->tree, point);
}

bool search__deepen(Search *search)
{
    if (search->further.len == 0 || search->depth > UINT32_MAX / 2) return false;
    PendingEntries left = search->further;
    search->further = (PendingEntries){0};
    search->depth *= 2;
    vm_set_depth(search->vm, search->depth);
    search__set_patience(search, 0);
    for (uint32_t i = 0; i < left.len; i++) {
        Point *p = &search->tree.points.data[left.data[i].point];
        if (!p->live || p->serial != left.data[i].serial || !p->further) continue;
        p->waiting = false;
        schedule_tell_all(search, left.data[i].point);
    }
    vec_release(&left);
    return true;
}

void search__lose_further(Search *search)
{
    char text[160];
    if (search->further.len == 0) return;
    snprintf(text, sizeof text, "the program goes on without an end; its runs were followed up to a depth of %u inputs or conditions",
             search->depth);
    search__lose(search, search->tree.points.data[search->further.data[0].point].loc, text);
}
