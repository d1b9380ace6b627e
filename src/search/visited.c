/* States that are visited once.
 *
 * A program that asks for inputs in a loop comes again and again to a state that it was in before, by other inputs.  What follows is the same then, so the run
 * ends: what the first run that came to the state has made of it stands in the tree, and is tried from there.  The tree of input sequences becomes the
 * graph of the program's states.  If that is finite, the search ends, and all paths are known: each state was gone on from in all ways, and where a way was
 * lost the search says so as ever.
 *
 * A state counts as visited only where the run is on a path that is not in the tree yet: else it would meet itself.  And it is gone on from once more
 * where it is now met at less than half the depth, so that the depth to which runs are followed (depth.c) is not taken from what it leads to.
 *
 * Comparing states may take a quarter of all work, and besides as much as the runs have cost that it has ended, because each would have gone on for at
 * least as long; beyond that, states are not looked at until the rest has caught up. */
#include "search/search_int.h"

enum {
    MOST_STATES = 1 << 23,
    SPARE_WORDS = 1 << 20 /* that may be looked at in any case */
};
#define FORGOTTEN UINT32_MAX /* as the depth of a state */

void search__start_visited(Search *search)
{
    if (search->options.revisits || search->options.strategy == SEARCH_SUMMARIES) return;
    search->options.vm.on_ask = search__is_visited;
    search->options.vm.on_ask_data = search;
}

/* ---- is the machine's path in the tree? ---- */

void search__start_walk(Search *search)
{
    Walk *walk = &search->walk;
    walk->depth = search->path.len;
    walk->side = search->path.len ? vec_top(&search->path).side : 0;
    walk->is_outside = walk->is_foreign = false;
}

static uint32_t side_with(const Tree *tree, uint32_t point, Expr condition)
{
    uint32_t side = tree->points.data[point].sides;
    while (side && tree->sides.data[side].condition != condition) side = tree->sides.data[side].next;
    return side;
}

/* The point below the walk; NO_POINT: none. */
static uint32_t point_below(const Search *search)
{
    return search->walk.depth ? search->tree.sides.data[search->walk.side].child : search->tree.root;
}

static bool is_outside(Search *search)
{
    Walk *walk = &search->walk;
    if (vm_path_length(search->vm) < search->own_depth) return false; /* on the way to what was given to this search */
    while (!walk->is_outside && !walk->is_foreign && walk->depth < vm_path_length(search->vm)) {
        uint32_t point = point_below(search), side = 0;
        if (walk->depth && search->tree.sides.data[walk->side].exhausted) return false;
        if (point != NO_POINT) side = side_with(&search->tree, point, vm_condition(search->vm, walk->depth)->condition);
        walk->is_outside = side == 0;
        walk->is_foreign = side == 0 && point != NO_POINT && search->tree.points.data[point].foreign;
        walk->side = side;
        walk->depth++;
    }
    if (walk->is_foreign) return false; /* the search whose business it is goes on from here, and must not be kept from it */
    if (walk->is_outside) return true;
    uint32_t next = point_below(search);
    if (next == NO_POINT) return !walk->depth && !search->tree.exhausted;
    const Point *p = &search->tree.points.data[next];
    return p->further && vm_input_count(search->vm) > p->inputs;
}

/* ---- states ---- */

static bool may_look(const Search *search)
{
    uint64_t work = search_work(search), runs = search->stats.runs + 1;
    return vm_state_work(search->vm) * STATE_WORK <= work / 4 + work / runs * search->stats.visited + SPARE_WORDS;
}

void search__forget_states(Search *search, uint32_t first)
{
    for (uint32_t i = first; i < search->states.len; i++) search->states.data[i].depth = FORGOTTEN;
}

bool search__is_visited(void *data, Vm *vm)
{
    Search *search = data;
    VmState state;
    if (search->rehearses) return search__note_end(search);
    if (!is_outside(search) || !may_look(search) || !vm_state(vm, &state)) return false;
    uint32_t depth = vm_input_count(vm) > vm_path_length(vm) ? vm_input_count(vm) : vm_path_length(vm);
    const uint64_t *known = map_find(&search->visited, state.a);
    if (!known || search->states.data[*known].depth == FORGOTTEN) {
        if (search->states.len >= MOST_STATES) return false;
        map_put(&search->visited, state.a, search->states.len);
        vec_push(&search->states, ((SeenState){state.b, depth}));
        return false;
    }
    SeenState *seen = &vec_at(&search->states, *known);
    if (seen->rest != state.b) return false;
    if (depth >= seen->depth / 2) {
        search->stats.visited++;
        return true;
    }
    seen->depth = depth;
    return false;
}
