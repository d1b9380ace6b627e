/* A search that has points to try gives runs to searches that have none, and takes such runs when it has none itself (peers.h). */
#include "search/search_int.h"

/* The point nearest to the root: behind it there is most to explore. */
static uint32_t shallowest(const Tree *tree)
{
    uint32_t best = NO_POINT;
    for (uint32_t i = 0; i < tree->points.len; i++)
        if (tree_is_due(tree, tree_entry(tree, i)) && (best == NO_POINT || tree->points.data[i].depth < tree->points.data[best].depth))
            best = i;
    return best;
}

/* The run at hand is the other search's business from its first new point on.  So are the states that it came to first: each search must go on itself from
 * the states that it calls visited, or two searches might leave the same state to each other. */
static void leave_run(Search *search, uint32_t states)
{
    search__forget_states(search, states);
    for (uint32_t i = 0; i < search->fresh.len; i++)
        if (tree_is_due(&search->tree, search->fresh.data[i])) search__give_up(search, search->fresh.data[i].point, NULL);
    if (search->left != NO_POINT) search__give_up(search, search->left, NULL);
}

static void give_run(Search *search)
{
    Vec(U128) inputs = {0};
    uint64_t runs = search->stats.runs;
    uint32_t point = shallowest(&search->tree), states = search->states.len;
    if (point == NO_POINT) return;
    schedule_interrupt(search); /* the run is no technique's proposal */
    search__try_point(search, point);
    if (search->stats.runs == runs || !search->fresh.len) return;
    for (uint32_t i = 0; i < vm_input_count(search->vm); i++)
        vec_push(&inputs, expr_model_get(vm_model(search->vm), vm_input(search->vm, i)));
    if (peers_give(search->options.peers, inputs.data, inputs.len, search->fresh.data[0].depth)) leave_run(search, states);
    vec_release(&inputs);
}

/* Executes the run that was given to this search.  The tree is empty, since nothing was pending. */
static void adopt_run(Search *search, const PeersRun *run)
{
    search__leave_path(search, 0);
    search->tree.exhausted = false;
    vm_return(search->vm, search->first);
    search->resumed = search->first;
    vm_give(search->vm, run->inputs.data, run->inputs.len);
    search->own_depth = run->depth;
    search__run(search);
    search->own_depth = 0;
    vm_give(search->vm, NULL, 0);
}

bool search__divide(Search *search)
{
    Peers *peers = search->options.peers;
    uint32_t self = search->options.peer;
    bool has_side = search->options.lane && !search->elsewhere.ended;
    if (!peers) return false;
    if (search->tree.pending >= 2 && peers_is_one_idle(peers)) give_run(search);
    if (search->tree.pending) return false;
    if (!search->is_idle) peers_set_idle(peers, self);
    search->is_idle = true;
    if (!peers_take(peers, self, !has_side, &search->given)) return !peers_are_all_idle(peers);
    search->is_idle = false;
    adopt_run(search, &search->given);
    return true;
}
