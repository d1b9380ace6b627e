/* The loop: pick a point, ask for a way past it, go back, run, note the new points.
 *
 * `path` mirrors the machine's conditions: point, side and mark of each.  The solver's stack holds the conditions above the point that is being
 * tried; it and the path change only where they differ from what they were, so neighbouring points cost little. */
#include "search/search.h"
#include "base/arith.h"
#include "search/pending.h"
#include "search/tree.h"

#include <stdlib.h>

enum {
    FIRST_EFFORT = 3000000, /* for a query, while there is something else to do */
    MOST_UNKNOWN = 4,       /* then a place has to wait */
    MOST_BARREN = 3,        /* then a branch has to wait */
    CHASE_RUNS = 64,
    CONCRETE_VALUES = 4,         /* that are tried where one has to be fixed */
    RUN_INSTRUCTIONS = 30000000, /* of one run, if the options do not say */
    PATH_CONDITIONS = 20000
};

typedef struct Step {
    uint32_t point, side;
    VmMark mark;
    uint32_t branch; /* that was taken; UINT32_MAX: none */
    uint64_t rarest; /* branch and n of what the path did up to here; 0: nothing */
} Step;

struct Search {
    const Program *program;
    const Function *function;
    SearchOptions options;
    ExprPool *pool;
    Vm *vm;
    Solver *solver;
    Tree tree;
    Pending pending;
    VmMark first;   /* before anything ran */
    Vec(Step) path; /* of the machine */
    Vec(Expr) asserted, prefix, assumptions;
    Vec(SolveValue) changed, repeated; /* what the solver found last; what is to be repeated */
    Random random;
    Vec(const char *) open; /* per branch */
    Vec(uint32_t) tried;
    Vec(uint32_t) on_path; /* per branch: how often the current path takes it */
    Vec(uint32_t) unknown; /* per place: how often the solver gave up there */
    Vec(uint8_t) barren;   /* per branch: how many runs in a row that were to take it ended in an assumption that did not hold */
    Map taken;             /* branch and n -> how many paths took it for the n-th time since one did so earlier than any before … */
    Map earliest;          /* … and at which depth that was */
    uint64_t next_chase, chases;
    PendingEntries moved;
    PendingEntries hard; /* points to be tried again, with all the solver's effort, when nothing else is left */
    Vec(SearchLoss) losses;
    Vec(SearchBug) bugs;
    Map known_losses, known_bugs;
    SearchStats stats;
    bool stopped;
};

const char *search_strategy_name(SearchStrategy strategy)
{
    static const char *const names[] = {
#define STRATEGY(NAME, text, help) text,
#include "search/strategies.def"
#undef STRATEGY
    };
    REQUIRE(strategy < SEARCH_STRATEGIES, "no such strategy");
    return names[strategy];
}

/* ---- accounts ---- */

static const char *lose(Search *search, uint32_t loc, const char *reason)
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

static void note_bug(Search *search, BugKind bug, uint32_t loc, const char *function, const char *message)
{
    if (map_find(&search->known_bugs, bug_key(bug, loc))) return;
    map_put(&search->known_bugs, bug_key(bug, loc), 1);
    vec_push(&search->bugs, ((SearchBug){bug, loc, function, mem_strdup(message), search->stats.runs}));
}

/* A path that was known already is not counted again. */
static void note_stop(Search *search, const VmStop *stop, bool known)
{
    switch (stop->kind) {
    case VM_BUG:
        note_bug(search, stop->bug, stop->loc, stop->function, stop->message);
        search->stats.paths += !known;
        break;
    case VM_ASSUMPTION: search->stats.assumed_away++; break;
    case VM_UNSUPPORTED:
    case VM_TIME:
    case VM_STEPS:
        search->stats.bounded++;
        lose(search, stop->loc, stop->message);
        break;
    default: search->stats.paths += !known;
    }
}

/* ---- branches ---- */

static bool are_siblings(const Branch *a, const Branch *b)
{
    return a->function == b->function && a->block == b->block && a->loc == b->loc;
}

/* The outcomes of the conditional or switch that a branch belongs to are numbered one after the other. */
static void siblings(const Program *program, uint32_t branch, uint32_t *first, uint32_t *end)
{
    const Branch *branches = program->branches;
    *first = branch;
    *end = branch + 1;
    if (branches[branch].outcome == OUTCOME_TRUE) {
        *end = branch + 2;
    } else if (branches[branch].outcome == OUTCOME_FALSE) {
        *first = branch - 1;
    } else {
        while (*first > 0 && branches[*first].outcome == OUTCOME_DEFAULT && are_siblings(&branches[*first - 1], &branches[branch]))
            --*first;
        while (*first > 0 && branches[*first - 1].outcome == OUTCOME_CASE && are_siblings(&branches[*first - 1], &branches[branch]))
            --*first;
        while (branches[*end - 1].outcome == OUTCOME_CASE && *end < program->branch_count) ++*end;
    }
}

static bool has_unreached_sibling(const Search *search, uint32_t branch)
{
    const uint8_t *seen = vm_branches_seen(search->vm);
    uint32_t first, end;
    siblings(search->program, branch, &first, &end);
    for (uint32_t i = first; i < end; i++)
        if (!seen[i]) return true;
    return false;
}

static bool is_worthwhile(const Search *search, const Point *p)
{
    if (p->kind == CONDITION_BRANCH && p->branch != UINT32_MAX)
        return !search->program->branches[p->branch].in_model && has_unreached_sibling(search, p->branch);
    return p->kind == CONDITION_ASSUME || (p->kind == CONDITION_CHECK && !map_find(&search->known_bugs, bug_key((BugKind)p->bug, p->loc)));
}

/* Tries are counted per branch, or per place for checks. */
static uint32_t *tries_of(Search *search, const Point *p)
{
    uint32_t at = search->program->branch_count + p->loc, end;
    if (p->branch != UINT32_MAX) siblings(search->program, p->branch, &at, &end);
    return &vec_at(&search->tried, at);
}

static uint64_t times_key(uint32_t branch, uint32_t times)
{
    return (uint64_t)branch << 32 | times; /* never 0: times is not */
}

static uint64_t taken(const Search *search, uint64_t key)
{
    const uint64_t *count = map_find(&search->taken, key);
    return count ? *count : 0;
}

static uint64_t earliest(const Search *search, uint64_t key)
{
    const uint64_t *depth = map_find(&search->earliest, key);
    return depth ? *depth : UINT64_MAX;
}

/* How often paths did the rarest thing that one would do that goes the other way here: the other outcome for the n-th time, or something before it. */
static uint64_t frequency(Search *search, const Point *p)
{
    uint64_t before = p->rarest ? taken(search, p->rarest) : UINT64_MAX;
    uint64_t here = p->other == UINT32_MAX ? *tries_of(search, p) : taken(search, times_key(p->other, p->times));
    if (p->other != UINT32_MAX && p->depth < earliest(search, times_key(p->other, p->times))) here = 0;
    return here < before ? here : before;
}

static unsigned bits_of(uint64_t n, unsigned most)
{
    unsigned bits = n ? 64 - (unsigned)__builtin_clzll(n) : 0;
    return bits < most ? bits : most;
}

static unsigned level_of(Search *search, const Point *p)
{
    if (p->kind == CONDITION_CONCRETE) return PENDING_LEVELS - 1;
    if (p->other != UINT32_MAX && search->barren.data[p->other] >= MOST_BARREN) return PENDING_LEVELS - 1;
    if (!is_worthwhile(search, p) || search->unknown.data[p->loc] >= MOST_UNKNOWN)
        return PENDING_RARE + bits_of(frequency(search, p), PENDING_LEVELS - PENDING_RARE - 1);
    if (p->kind == CONDITION_CHECK) return PENDING_CHECKS;
    return PENDING_NEW + bits_of(*tries_of(search, p), PENDING_RARE - PENDING_NEW - 1);
}

/* ---- the tree follows the path ---- */

static void enqueue(Search *search, uint32_t point)
{
    const Point *p = &search->tree.points.data[point];
    pending_add(&search->pending, (PendingEntry){point, p->serial, p->depth}, level_of(search, p));
}

/* Is it worth asking for another way at this condition? */
static bool has_other_side(const Search *search, const VmCondition *c, bool last, const VmStop *stop)
{
    switch ((ConditionKind)c->kind) {
    case CONDITION_ASSUME: return last && stop->kind == VM_ASSUMPTION;
    case CONDITION_CHECK: return !c->holds || !map_find(&search->known_bugs, bug_key((BugKind)c->bug, c->loc));
    default: return true;
    }
}

static bool closes(Search *search, uint32_t point)
{
    const Side *sides = search->tree.sides.data;
    uint32_t newest = search->tree.points.data[point].sides, before = sides[newest].next;
    return before && expr_not(search->pool, sides[newest].condition) == sides[before].condition;
}

static void note_other(Search *search, Point *p)
{
    uint32_t first, end;
    if (p->branch == UINT32_MAX || search->program->branches[p->branch].outcome >= OUTCOME_CASE) return;
    siblings(search->program, p->branch, &first, &end);
    p->other = first == p->branch ? first + 1 : first;
    p->times = search->on_path.data[p->other] + 1;
}

/* The path takes a branch once more.  Returns the rarest thing it has done by now; `before` is what that was up to here. */
static uint64_t count_branch(Search *search, uint32_t branch, uint64_t before)
{
    if (branch == UINT32_MAX) return before;
    uint64_t key = times_key(branch, ++search->on_path.data[branch]), count = taken(search, key) + 1, depth = search->path.len;
    if (depth < earliest(search, key)) {
        map_put(&search->earliest, key, depth);
        count = 1;
    }
    map_put(&search->taken, key, count);
    return !before || count <= taken(search, before) ? key : before;
}

/* One more condition of the run.  False: all that can follow is known. */
static bool add_step(Search *search, const VmCondition *c, bool last, const VmStop *stop)
{
    Step above = search->path.len ? vec_top(&search->path) : (Step){NO_POINT, 0, search->first, UINT32_MAX, 0};
    bool new_point, new_side;
    if (above.point == NO_POINT ? search->tree.exhausted : search->tree.sides.data[above.side].exhausted) return false;
    uint32_t at = tree_child(&search->tree, above.point, above.side, &new_point);
    uint32_t side = tree_side(&search->tree, at, c->condition, &new_side);
    Point *p = &search->tree.points.data[at];
    p->on_path = true;
    if (new_point) {
        p->kind = c->kind;
        p->bug = c->bug;
        p->branch = c->branch;
        p->loc = c->loc;
        p->inputs = c->inputs;
        p->pending = has_other_side(search, c, last, stop);
        note_other(search, p);
        p->rarest = above.rarest;
        if (p->pending) enqueue(search, at);
        if (c->kind == CONDITION_CONCRETE) lose(search, c->loc, "a value was fixed to the one at hand");
    } else if (new_side && p->pending && closes(search, at)) {
        p->pending = false;
    }
    uint64_t rarest = count_branch(search, c->branch, above.rarest);
    vec_push(&search->path, ((Step){at, side, c->mark != VM_NO_MARK ? c->mark : above.mark, c->branch, rarest}));
    return !search->tree.sides.data[side].exhausted;
}

/* Leaves the part of the path below `depth`. */
static void leave_path(Search *search, uint32_t depth)
{
    while (search->path.len > depth) {
        Step step = vec_pop(&search->path);
        if (step.branch != UINT32_MAX) search->on_path.data[step.branch]--;
        search->tree.points.data[step.point].on_path = false;
        tree_prune(&search->tree, step.point);
    }
}

static VmStopKind run(Search *search)
{
    uint32_t depth = search->path.len;
    VmStop stop = vm_run(search->vm);
    search->stats.runs++;
    uint32_t length = vm_path_length(search->vm);
    bool known = false;
    for (uint32_t i = depth; i < length && !known; i++) known = !add_step(search, vm_condition(search->vm, i), i + 1 == length, &stop);
    if (length > depth && !known) search->tree.sides.data[vec_top(&search->path).side].exhausted = true;
    note_stop(search, &stop, known);
    if (search->options.on_run) search->options.on_run(search->options.on_run_data, search, search->vm, &stop);
    return stop.kind;
}

static void note_barren(Search *search, uint32_t branch, bool barren)
{
    if (branch == UINT32_MAX) return;
    uint8_t *count = &search->barren.data[branch];
    *count = (uint8_t)(barren ? *count + (*count < MOST_BARREN) : 0);
}

/* ---- another way ---- */

/* The conditions above the point that say anything, on the solver's stack. */
static void assert_prefix(Search *search, uint32_t point)
{
    const Tree *tree = &search->tree;
    const Point *p = &tree->points.data[point];
    vec_clear(&search->prefix);
    for (; p->parent != NO_POINT; p = &tree->points.data[p->parent])
        if (!tree->sides.data[p->side].implied) vec_push(&search->prefix, tree->sides.data[p->side].condition);
    uint32_t common = 0, depth = search->prefix.len;
    for (uint32_t i = 0; i < depth / 2; i++) {
        Expr other = search->prefix.data[i];
        search->prefix.data[i] = search->prefix.data[depth - 1 - i];
        search->prefix.data[depth - 1 - i] = other;
    }
    while (common < depth && common < search->asserted.len && search->asserted.data[common] == search->prefix.data[common]) common++;
    solver_return(search->solver, common);
    search->asserted.len = common;
    for (uint32_t i = common; i < depth; i++) {
        solver_assert(search->solver, search->prefix.data[i]);
        vec_push(&search->asserted, search->prefix.data[i]);
    }
}

static void set_effort(Search *search, bool thorough)
{
    uint64_t effort = search->options.solve.effort;
    if (!thorough && effort > FIRST_EFFORT) effort = FIRST_EFFORT;
    if (search->options.deadline > 0) {
        double left = search->options.deadline - clock_seconds();
        if (left * 0.25e9 < (double)effort) effort = left > 0 ? (uint64_t)(left * 0.25e9) : 0;
    }
    solver_set_effort(search->solver, effort);
}

/* Where a value had to be fixed, one much larger than the last is more likely to show something than its neighbour; 0: there is no such condition. */
static Expr much_larger(Search *search, const Point *p)
{
    Expr fixed = search->tree.sides.data[p->sides].condition;
    if (p->kind != CONDITION_CONCRETE || expr_kind(search->pool, fixed) != EXPR_EQ) return 0;
    Expr e = expr_operand(search->pool, fixed, 0), value = expr_operand(search->pool, fixed, 1);
    if (!expr_is_const(search->pool, value)) return 0;
    Expr limit = expr_const(search->pool, expr_width(search->pool, e), 2 * expr_value(search->pool, value) + 8);
    return expr_binary(search->pool, EXPR_ULT, limit, e);
}

static SolveAnswer ask(Search *search, uint32_t point)
{
    set_effort(search, search->tree.points.data[point].hard);
    assert_prefix(search, point);
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

/* Back to the deepest state that the current path and the one to the point share. */
static void go_back(Search *search, uint32_t point)
{
    const Tree *tree = &search->tree;
    while (!tree->points.data[point].on_path) point = tree->points.data[point].parent;
    uint32_t depth = tree->points.data[point].depth;
    VmMark mark = vec_at(&search->path, depth).mark;
    /* A check without a mark of its own shares the one of the step above it. */
    while (depth > 0 && search->path.data[depth - 1].mark == mark) depth--;
    leave_path(search, depth);
    vm_return(search->vm, mark);
    REQUIRE(vm_path_length(search->vm) == depth, "the machine's path is not the search's");
}

static void set_inputs(Search *search)
{
    uint32_t count;
    const SolveValue *changes = solver_changes(search->solver, &count);
    vec_clear(&search->changed);
    for (uint32_t i = 0; i < count; i++) {
        expr_model_set(vm_model(search->vm), changes[i].var, changes[i].value);
        vec_push(&search->changed, changes[i]);
    }
}

static void give_up(Search *search, uint32_t point, const char *reason)
{
    Point *p = &search->tree.points.data[point];
    p->pending = false;
    if (reason) {
        const char *kept = lose(search, p->loc, reason);
        uint32_t first = 0, end = 0;
        if (p->branch != UINT32_MAX) siblings(search->program, p->branch, &first, &end);
        for (uint32_t i = first; i < end; i++) search->open.data[i] = kept;
    }
    tree_prune(&search->tree, point);
}

static uint32_t side_count(const Search *search, uint32_t point)
{
    uint32_t n = 0;
    for (uint32_t side = search->tree.points.data[point].sides; side; side = search->tree.sides.data[side].next) n++;
    return n;
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

/* What made one step of a loop go another way may do so with other steps, too: goes back to some place on the path, gives the inputs that are asked
 * for from there on the new values of their namesakes, and runs once more. */
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
    go_back(search, search->path.data[depth].point);
    for (uint32_t i = 0; i < search->repeated.len; i++)
        expr_model_set(vm_model(search->vm), search->repeated.data[i].var, search->repeated.data[i].value);
    run(search);
}

/* Goes past the point by another side, with the inputs that the solver found. */
static void go_past(Search *search, uint32_t point)
{
    uint32_t sides = side_count(search, point), depth = search->tree.points.data[point].depth,
             other = search->tree.points.data[point].other;
    go_back(search, point);
    set_inputs(search);
    note_barren(search, other, run(search) == VM_ASSUMPTION);
    if (depth >= search->path.len || search->path.data[depth].point != point) {
        search->stats.divergences++;
        give_up(search, point, "the run did not come back to this place: something outside the inputs decides");
    } else if (side_count(search, point) == sides) {
        give_up(search, point, "the run went the same way again");
    } else if (search->tree.points.data[point].kind == CONDITION_CONCRETE && sides + 1 >= CONCRETE_VALUES) {
        give_up(search, point, NULL);
    } else if (search->tree.points.data[point].pending) {
        enqueue(search, point);
    }
}

/* The solver gave up.  It is asked again, with more effort, if that could show something new. */
static void put_off(Search *search, uint32_t point)
{
    Point *p = &search->tree.points.data[point];
    search->unknown.data[p->loc]++;
    if (p->hard || !is_worthwhile(search, p)) {
        give_up(search, point, solver_reason(search->solver));
        return;
    }
    p->hard = true;
    vec_push(&search->hard, ((PendingEntry){point, p->serial, p->depth}));
}

/* There is only one way. */
static void note_implied(Search *search, uint32_t point)
{
    Side *side = &search->tree.sides.data[search->tree.points.data[point].sides];
    if (!side->next) side->implied = true;
}

static void try_point(Search *search, uint32_t point)
{
    ++*tries_of(search, &search->tree.points.data[point]);
    switch (ask(search, point)) {
    case SOLVE_SAT:
        go_past(search, point);
        if (search->options.strategy == SEARCH_AUTO && search->path.len && random_below(&search->random, 2)) repeat_inputs(search);
        break;
    case SOLVE_UNSAT:
        search->stats.unsat++;
        note_implied(search, point);
        give_up(search, point, NULL);
        break;
    case SOLVE_UNKNOWN:
        search->stats.unknown++;
        put_off(search, point);
        break;
    }
}

/* ---- the loop ---- */

static bool is_over(Search *search)
{
    const SearchOptions *options = &search->options;
    if (options->max_runs && search->stats.runs >= options->max_runs) search->stopped = true;
    if (options->first_bug && search->bugs.len) search->stopped = true;
    if (options->deadline > 0 && clock_seconds() >= options->deadline) search->stopped = true;
    return search->stopped;
}

static bool try_harder(Search *search)
{
    if (search->hard.len == 0) return false;
    for (uint32_t i = 0; i < search->hard.len; i++) pending_add(&search->pending, search->hard.data[i], 0);
    vec_clear(&search->hard);
    return true;
}

/* 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 …: Luby, Sinclair and Zuckerman's sequence, the best to try again by when nothing is known of how long a try takes. */
static uint64_t luby(uint64_t i)
{
    uint64_t size = 1;
    while (size < i + 1) size = 2 * size + 1;
    while (size - 1 != i) {
        size = (size - 1) / 2;
        assert(size > 0);
        i = i % size;
    }
    return (size + 1) / 2;
}

/* Where the search gets stuck with what it holds for rare, it helps to see everything as new again, and to go at it in another order. */
static void start_chase(Search *search)
{
    if (search->stats.runs < search->next_chase) return;
    map_release(&search->taken);
    map_release(&search->earliest);
    pending_take_rare(&search->pending, &search->moved);
    for (uint32_t i = 0; i < search->moved.len; i++) {
        const Point *p = &search->tree.points.data[search->moved.data[i].point];
        if (p->live && p->serial == search->moved.data[i].serial && p->pending) enqueue(search, search->moved.data[i].point);
    }
    search->chases++;
    search->next_chase = search->stats.runs + (CHASE_RUNS + search->path.len) * luby(search->chases);
}

/* A point that is to be tried now; its level may have changed since it was put aside. */
static bool pick(Search *search, uint32_t *point)
{
    PendingEntry entry;
    unsigned level;
    while (pending_pick(&search->pending, &entry, &level)) {
        const Point *p = &search->tree.points.data[entry.point];
        if (!p->live || p->serial != entry.serial || !p->pending) continue;
        if (search->options.strategy == SEARCH_AUTO && level < PENDING_LEVELS - 1 && !p->hard && level_of(search, p) > level) {
            enqueue(search, entry.point);
            continue;
        }
        if (p->hard && !is_worthwhile(search, p)) {
            give_up(search, entry.point, "the solver gave up, and nothing new was to be expected");
            continue;
        }
        *point = entry.point;
        return true;
    }
    return false;
}

void search_run(Search *search)
{
    uint32_t point;
    run(search);
    while (!is_over(search)) {
        start_chase(search);
        if (pick(search, &point)) try_point(search, point);
        else if (!try_harder(search)) break;
    }
    if (search->hard.len)
        lose(search, search->tree.points.data[search->hard.data[0].point].loc, "the solver gave up, and there was no time to ask again");
    if (vm_stats(search->vm)->application_faults) lose(search, 0, "a real function gave no result for some arguments");
    leave_path(search, 0);
    search->stats.points = search->tree.made;
}

/* ---- set-up ---- */

static void on_report(void *data, const VmReport *report)
{
    note_bug(data, report->bug, report->loc, report->function, report->message);
}

static uint32_t partitions(void *data, ExprPool *pool, Expr application, Expr *conditions, uint32_t capacity)
{
    (void)pool;
    return vm_partition_conditions(((Search *)data)->vm, application, conditions, capacity);
}

/* A first value: small numbers more often than large ones. */
static U128 first_value(Random *random, Scalar type)
{
    uint64_t r = random_next(random);
    int64_t small = (int64_t)(r % 201) - 100;
    if (type.kind == SCALAR_FLOAT && type.width <= 64)
        return type.width == 32 ? (U128)arith_bits32((float)small) : (U128)arith_bits64((double)small);
    return random_below(random, 4) ? (U128)(I128)small : (U128)r;
}

Status search_check(const Function *function, Error *error)
{
    for (uint32_t i = 0; i < function->param_count; i++)
        if (function->params[i].type.kind == SCALAR_POINTER)
            return fail(error, "the parameter '%s' of %s is a pointer: write a main that builds it and calls %s", function->params[i].name,
                        function->name, function->name);
    return OK;
}

static Status start_function(Search *search, Error *error)
{
    const Function *f = search->function;
    Vec(Expr) arguments = {0};
    Random random;
    if (search_check(f, error) != OK) return FAILED;
    random_seed(&random, search->options.seed);
    for (uint32_t i = 0; i < f->param_count; i++) {
        Expr input = expr_var(search->pool, f->params[i].type.width, f->params[i].name);
        expr_model_set(vm_model(search->vm), input, first_value(&random, f->params[i].type));
        vec_push(&arguments, input);
    }
    Status status = vm_start_function_values(search->vm, f, arguments.data, arguments.len, error);
    vec_release(&arguments);
    return status;
}

static Status set_up(Search *search, Error *error)
{
    SearchOptions *options = &search->options;
    options->vm.exploring = options->vm.marks = options->vm.stop_at_report = true;
    options->vm.on_report = on_report;
    options->vm.on_report_data = search;
    options->vm.deadline = options->deadline;
    if (!options->vm.run_limit) options->vm.run_limit = RUN_INSTRUCTIONS;
    if (!options->vm.path_limit) options->vm.path_limit = PATH_CONDITIONS;
    options->solve.seed = options->seed;
    options->solve.partitions = partitions;
    options->solve.partitions_data = search;
    if (vm_new(&search->vm, search->program, search->pool, &options->vm, error) != OK) return FAILED;
    if (solver_new(&search->solver, search->pool, &options->solve, error) != OK) return FAILED;
    Status status = search->function ? start_function(search, error) : vm_start_main(search->vm, error);
    if (status == OK) search->first = vm_mark(search->vm);
    return status;
}

Status search_new(Search **out, const Program *program, const Function *function, const SearchOptions *options, Error *error)
{
    Search *search = mem_alloc(sizeof *search);
    search->program = program;
    search->function = function;
    search->options = *options;
    search->pool = expr_pool_new();
    tree_init(&search->tree);
    pending_init(&search->pending, options->strategy, options->seed);
    random_seed(&search->random, options->seed);
    if (!search->options.solve.effort) search->options.solve.effort = 2000000000;
    for (uint32_t i = 0; i < program->branch_count; i++) {
        vec_push(&search->open, NULL);
        vec_push(&search->on_path, 0);
        vec_push(&search->barren, 0);
    }
    for (uint32_t i = 0; i < program->branch_count + program->loc_count; i++) vec_push(&search->tried, 0);
    for (uint32_t i = 0; i < program->loc_count; i++) vec_push(&search->unknown, 0);
    if (set_up(search, error) != OK) {
        search_free(search);
        return FAILED;
    }
    *out = search;
    return OK;
}

void search_free(Search *search)
{
    if (!search) return;
    solver_free(search->solver);
    if (search->vm) vm_free(search->vm);
    expr_pool_free(search->pool);
    tree_release(&search->tree);
    pending_release(&search->pending);
    for (uint32_t i = 0; i < search->losses.len; i++) free((char *)search->losses.data[i].reason);
    for (uint32_t i = 0; i < search->bugs.len; i++) free(search->bugs.data[i].message);
    vec_release(&search->path);
    vec_release(&search->asserted);
    vec_release(&search->prefix);
    vec_release(&search->assumptions);
    vec_release(&search->changed);
    vec_release(&search->repeated);
    vec_release(&search->open);
    vec_release(&search->tried);
    vec_release(&search->on_path);
    vec_release(&search->barren);
    vec_release(&search->unknown);
    map_release(&search->taken);
    map_release(&search->earliest);
    vec_release(&search->hard);
    vec_release(&search->moved);
    vec_release(&search->losses);
    vec_release(&search->bugs);
    map_release(&search->known_losses);
    map_release(&search->known_bugs);
    free(search);
}

/* ---- results ---- */

bool search_complete(const Search *search)
{
    return !search->stopped && search->losses.len == 0;
}

const SearchStats *search_stats(const Search *search)
{
    return &search->stats;
}

const SolveStats *search_solve_stats(const Search *search)
{
    return solver_stats(search->solver);
}

const SearchLoss *search_losses(const Search *search, uint32_t *count)
{
    *count = search->losses.len;
    return search->losses.data;
}

const SearchBug *search_bugs(const Search *search, uint32_t *count)
{
    *count = search->bugs.len;
    return search->bugs.data;
}

const uint8_t *search_reached(const Search *search)
{
    return vm_branches_seen(search->vm);
}

const char *search_open_reason(const Search *search, uint32_t branch)
{
    return search->open.data[branch];
}

uint64_t search_tried(const Search *search, uint32_t branch)
{
    uint32_t first, end;
    siblings(search->program, branch, &first, &end);
    return search->tried.data[first];
}
