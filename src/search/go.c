/* Another way past a point: the solver is asked for inputs, the machine goes back to the deepest state that both ways share, and runs
 * on.
 *
 * The solver's stack holds the conditions above the point that is being tried; it and the path change only where they differ from what
 * they were, so neighbouring points cost little. */
#include "search/search_int.h"

#include "vm/observer.h"

enum {
    FIRST_EFFORT = 3000000,    /* for a query, while there is something else to do */
    MERGED_EFFORT = 400000000, /* the same where functions are summarised: there are fewer queries, and larger ones */
    MERGED_VALUES = 64,        /* the same where functions are summarised: what comes out of one may have few values */
    MOST_CASES = 8,            /* of a switch that are asked for by name before all others are, whichever that is */
    MOST_ENDED = 64,           /* runs to a point that end in a real function before they come to it. Guess. */
    MOST_DIVERGENT = 16        /* then what a run finds that should have come to a place is not followed */
};

#define SKIPPED "an internal error of Clew ended a run that comes this way; that run was left out"

void search__assert(Search *search, const Expr *conditions, uint32_t count)
{
    uint32_t common = 0;
    while (common < count && common < search->asserted.len && search->asserted.data[common] == conditions[common]) common++;
    solver_return(search->solver, common);
    search->asserted.len = common;
    for (uint32_t i = common; i < count; i++) {
        solver_assert(search->solver, conditions[i]);
        vec_push(&search->asserted, conditions[i]);
    }
}

/* For some arguments a real function ends the run.  Which these are is only known after a run had them; paths past the point do not. */
static void exclude_ends(Search *search, const Point *p)
{
    for (uint32_t side = p->sides; side; side = search->tree.sides.data[side].next)
        if (search->tree.sides.data[side].in_real)
            vec_push(&search->prefix, expr_not(search->pool, search->tree.sides.data[side].condition));
}

/* The conditions above the point that say anything, on the solver's stack. */
static void assert_prefix(Search *search, uint32_t point)
{
    const Tree *tree = &search->tree;
    const Point *p = &tree->points.data[point];
    vec_clear(&search->prefix);
    for (; p->parent != NO_POINT; p = &tree->points.data[p->parent]) {
        if (tree->points.data[p->parent].ends) exclude_ends(search, &tree->points.data[p->parent]);
        if (!tree->sides.data[p->side].implied) vec_push(&search->prefix, tree->sides.data[p->side].condition);
    }
    uint32_t depth = search->prefix.len;
    for (uint32_t i = 0; i < depth / 2; i++) {
        Expr other = search->prefix.data[i];
        search->prefix.data[i] = search->prefix.data[depth - 1 - i];
        search->prefix.data[depth - 1 - i] = other;
    }
    search__assert(search, search->prefix.data, depth);
}

static void set_effort(Search *search, const Point *p)
{
    uint64_t effort = search->options.solve.effort, most = effort;
    if (!p->hard) most = summaries_used(search->summaries) ? MERGED_EFFORT : FIRST_EFFORT;
    else if (!search__is_worthwhile(search, p)) most = MERGED_EFFORT;
    if (effort > most) effort = most;
    if (search->options.deadline > 0) {
        double left = search->options.deadline - clock_seconds();
        if (left * 0.25e9 < (double)effort) effort = left > 0 ? (uint64_t)(left * 0.25e9) : 0;
    }
    solver_set_effort(search->solver, effort);
}

/* Where a value had to be fixed, one much larger than the last is more likely to show something than its neighbour; 0: there is no
 * such condition. */
static Expr much_larger(Search *search, const Point *p)
{
    Expr fixed = search->tree.sides.data[p->sides].condition;
    if (p->kind != CONDITION_CONCRETE || expr_kind(search->pool, fixed) != EXPR_EQ || summaries_used(search->summaries)) return 0;
    Expr e = expr_operand(search->pool, fixed, 0), value = expr_operand(search->pool, fixed, 1);
    if (!expr_is_const(search->pool, value)) return 0;
    Expr limit = expr_const(search->pool, expr_width(search->pool, e), 2 * expr_value(search->pool, value) + 8);
    return expr_binary(search->pool, EXPR_ULT, limit, e);
}

/* A case that no run has taken yet, one after the other: "is 17" is a simpler question than "is none of the thousand others". */
static bool ask_for_case(Search *search, uint32_t point)
{
    const Point *p = &search->tree.points.data[point];
    Expr selector = p->selector;
    uint32_t first, end, tries = 0;
    if (!selector) return false;
    search__siblings(search->program, p->branch, &first, &end);
    for (uint32_t i = first; i < end && tries < MOST_CASES; i++) {
        const Branch *branch = &search->program->branches[i];
        if (!search->goals.data[i] || branch->outcome != OUTCOME_CASE) continue;
        Expr value = expr_const(search->pool, expr_width(search->pool, selector), branch->value);
        Expr is = expr_eq(search->pool, selector, value);
        if (expr_is_const(search->pool, is)) continue;
        tries++;
        if (solver_check(search->solver, &is, 1, vm_model(search->vm)) == SOLVE_SAT) return true;
    }
    return false;
}

static SolveAnswer ask(Search *search, uint32_t point)
{
    set_effort(search, &search->tree.points.data[point]);
    assert_prefix(search, point);
    if (ask_for_case(search, point)) return SOLVE_SAT;
    vec_clear(&search->assumptions);
    for (uint32_t side = search->tree.points.data[point].sides; side; side = search->tree.sides.data[side].next)
        vec_push(&search->assumptions, expr_not(search->pool, search->tree.sides.data[side].condition));
    Expr hint = much_larger(search, &search->tree.points.data[point]);
    if (hint) {
        vec_push(&search->assumptions, hint);
        SolveAnswer answer = solver_check(search->solver, search->assumptions.data, search->assumptions.len, vm_model(search->vm));
        if (answer == SOLVE_SAT) return answer;
        (void)vec_pop(&search->assumptions);
    }
    return solver_check(search->solver, search->assumptions.data, search->assumptions.len, vm_model(search->vm));
}

void search__forget_expressions(Search *search, uint32_t count)
{
    search__assert(search, NULL, 0);
    solver_forget(search->solver, count);
    expr_pool_rewind(search->pool, count);
    search->spare_nodes = SPARE_NODES;
    search->stats.rewinds++;
}

/* Expressions that only paths since left had are forgotten when they are many: what the state gone back to needs, and the conditions
 * of points, stay. The solver loses its caches by it. */
void search__rewind_pool(Search *search, uint32_t needed)
{
    uint32_t count = expr_pool_count(search->pool);
    if (count < needed + search->spare_nodes) return;
    Expr newest = tree_newest_condition(&search->tree);
    if (newest >= needed) needed = newest + 1;
    if (count < needed + search->spare_nodes / 2) {
        search->spare_nodes *= 2;
        return;
    }
    search__forget_expressions(search, needed);
}

/* Back to the deepest state that the current path and the one to the point share. */
static void go_back(Search *search, uint32_t point, bool rewinds)
{
    const Tree *tree = &search->tree;
    while (point != NO_POINT && !tree->points.data[point].on_path) point = tree->points.data[point].parent;
    if (point == NO_POINT) { /* a run that was left before its first condition */
        vm_return(search->vm, search->first);
        search->resumed = search->first;
        return;
    }
    uint32_t depth = tree->points.data[point].depth;
    VmMark mark = vec_at(&search->path, depth).mark;
    uint32_t nodes = search->path.data[depth].nodes;
    /* A check without a mark of its own shares the one of the step above it. */
    while (depth > 0 && search->path.data[depth - 1].mark == mark) depth--;
    search__leave_path(search, depth);
    if (rewinds) search__rewind_pool(search, nodes);
    vm_return(search->vm, mark);
    search->resumed = mark;
    REQUIRE(vm_path_length(search->vm) == depth, "the machine's path is not the search's");
}

void search__set_inputs(Search *search)
{
    uint32_t count;
    const SolveValue *changes = solver_changes(search->solver, &count);
    vec_clear(&search->changed);
    for (uint32_t i = 0; i < count; i++) {
        expr_model_set(vm_model(search->vm), changes[i].var, changes[i].value);
        vec_push(&search->changed, changes[i]);
    }
}

/* ---- repetition ---- */

static bool are_alike(const ExprPool *pool, Expr a, Expr b)
{
    return expr_width(pool, a) == expr_width(pool, b) && strcmp(expr_var_name(pool, a), expr_var_name(pool, b)) == 0;
}

/* The value that the solver has just found for an input of that name; false: none. */
static bool new_value(Search *search, Expr input, U128 *value)
{
    for (uint32_t k = search->changed.len; k-- > 0;) {
        if (!are_alike(search->pool, search->changed.data[k].var, input)) continue;
        *value = search->changed.data[k].value;
        return true;
    }
    return false;
}

/* What made one step of a loop go another way may do so with other steps, too: goes back to some place on the path, gives the inputs
 * that are asked for from there on the new values of their namesakes, and runs once more. */
static void repeat_inputs(Search *search)
{
    bool any = false;
    uint32_t count = vm_input_count(search->vm), depth = 0;
    if (random_below(&search->random, 2)) depth = (uint32_t)random_below(&search->random, search->path.len);
    vec_clear(&search->repeated);
    for (uint32_t i = search->tree.points.data[search->path.data[depth].point].inputs; i < count; i++) {
        Expr input = vm_input(search->vm, i);
        U128 value;
        if (!new_value(search, input, &value)) continue;
        any |= expr_model_get(vm_model(search->vm), input) != value;
        vec_push(&search->repeated, ((SolveValue){input, value}));
    }
    if (!any) return;
    go_back(search, search->path.data[depth].point, false);
    for (uint32_t i = 0; i < search->repeated.len; i++)
        expr_model_set(vm_model(search->vm), search->repeated.data[i].var, search->repeated.data[i].value);
    search__run(search);
}

static void note_barren(Search *search, uint32_t branch, bool barren)
{
    if (branch == UINT32_MAX) return;
    uint8_t *count = &search->barren.data[branch];
    *count = (uint8_t)(barren ? *count + (*count < MOST_BARREN) : 0);
}

/* The run did not go as predicted, so something besides the inputs decides.  Where that happens again and again, what such runs come
 * to is not followed any further: else the search might never end. */
static void diverge(Search *search, uint32_t point)
{
    uint32_t *count = &search->divergent.data[search->tree.points.data[point].loc];
    search->stats.divergences++;
    search__give_up(search, point, DIVERGED);
    if (++*count <= MOST_DIVERGENT) return;
    for (uint32_t i = 0; i < search->fresh.len; i++)
        if (tree_is_due(&search->tree, search->fresh.data[i]))
            search__give_up(search, search->fresh.data[i].point, "only a run that went astray came to this place");
}

/* The run ended in a real function, for arguments that no one could know to be such.  The point is tried again, with others. */
static void try_other_arguments(Search *search, uint32_t point)
{
    if (++search->tree.points.data[point].ended < MOST_ENDED) schedule_again(search, point);
    else search__give_up(search, point, "a real function ended every run that was to come to this place");
}

static bool is_cut_off(const Search *search, VmStopKind end)
{
    return end == VM_TIME || end == VM_STEPS || summaries_stopped(search->summaries);
}

static uint32_t most_values(const Search *search)
{
    return summaries_used(search->summaries) ? MERGED_VALUES : CONCRETE_VALUES;
}

/* Does the path end just above the point? */
static bool is_above(const Search *search, uint32_t point)
{
    const Point *p = &search->tree.points.data[point];
    if (!p->live || search->path.len != p->depth) return false;
    return p->depth == 0 || (vec_top(&search->path).point == p->parent && vec_top(&search->path).side == p->side);
}

/* Goes past the point by another side, with the inputs that the solver found. */
static void go_past(Search *search, uint32_t point)
{
    const Point *p = &search->tree.points.data[point];
    uint32_t sides = search->tree.points.data[point].side_count, depth = p->depth, other = p->other;
    bool further = p->further;
    go_back(search, point, true);
    search__set_inputs(search);
    search__set_patience(search, further ? depth : depth + 1);
    VmStopKind end = search__run(search);
    search__set_patience(search, 0);
    note_barren(search, other, end == VM_ASSUMPTION);
    p = &search->tree.points.data[point];
    bool came_back = depth < search->path.len && search->path.data[depth].point == point;
    if (further && is_above(search, point)) search__end_further(search, point);
    else if (!came_back && is_cut_off(search, end))
        search__give_up(search, point, "a run was cut off by a limit before it came to this place");
    else if (!came_back && vm_stop(search->vm)->in_real) try_other_arguments(search, point);
    else if (!came_back) diverge(search, point);
    else if (search->tree.points.data[point].side_count == sides) diverge(search, point);
    else if (p->kind == CONDITION_CONCRETE && sides + 1 >= most_values(search)) search__give_up(search, point, FIXED_VALUE);
    else if (p->pending) schedule_again(search, point);
}

/* The solver gave up.  It is asked again, with more effort, when nothing else is left. */
static void put_off(Search *search, uint32_t point)
{
    Point *p = &search->tree.points.data[point];
    search->unknown.data[p->loc]++;
    if (p->hard) {
        search__give_up(search, point, solver_reason(search->solver));
        return;
    }
    p->hard = p->waiting = true;
    vec_push(&search->hard, tree_entry(&search->tree, point));
}

/* Has an internal error ended the next run before? */
static bool is_skipped(const Search *search)
{
    for (uint32_t i = 0; i < search->options.skipped_count; i++)
        if (search->options.skipped[i] == search_runs(search) + 1) return true;
    return false;
}

/* The inputs that were just found led to an internal error before: others are looked for.  False: there are none. */
static bool find_others(Search *search, uint32_t point)
{
    uint32_t count;
    const SolveValue *changes = solver_changes(search->solver, &count);
    Expr same = expr_const(search->pool, 1, 1);
    search->stats.runs++;
    for (uint32_t i = 0; i < count; i++) {
        Expr value = expr_const(search->pool, expr_width(search->pool, changes[i].var), changes[i].value);
        same = expr_and(search->pool, same, expr_eq(search->pool, changes[i].var, value));
    }
    vec_clear(&search->assumptions);
    for (uint32_t side = search->tree.points.data[point].sides; side; side = search->tree.sides.data[side].next)
        vec_push(&search->assumptions, expr_not(search->pool, search->tree.sides.data[side].condition));
    vec_push(&search->assumptions, expr_not(search->pool, same));
    search__lose(search, search->tree.points.data[point].loc, SKIPPED);
    if (solver_check(search->solver, search->assumptions.data, search->assumptions.len, vm_model(search->vm)) == SOLVE_SAT) return true;
    search__give_up(search, point, SKIPPED);
    return false;
}

/* There is only one way. */
static void note_implied(Search *search, uint32_t point)
{
    uint32_t newest = search->tree.points.data[point].sides;
    if (newest && !search->tree.sides.data[newest].next) search->tree.sides.data[newest].implied = true;
}

void search__try_point(Search *search, uint32_t point)
{
    uint64_t effort = search_solve_stats(search)->effort;
    bool hard = search->tree.points.data[point].hard;
    ++*search__tries_of(search, &search->tree.points.data[point]);
    SolveAnswer answer = ask(search, point);
    if (hard) search->hard_effort += search_solve_stats(search)->effort - effort;
    switch (answer) {
    case SOLVE_SAT:
        if (is_skipped(search) && !find_others(search, point)) break;
        go_past(search, point);
        if (search->schedule.current == TECHNIQUE_RAREST && search->path.len && random_below(&search->random, 2)) repeat_inputs(search);
        break;
    case SOLVE_UNSAT:
        search->stats.unsat++;
        note_implied(search, point);
        search__give_up(search, point, NULL);
        break;
    case SOLVE_UNKNOWN:
        search->stats.unknown++;
        put_off(search, point);
        break;
    }
}
