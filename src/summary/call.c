/* A call of a function that may be summarised: explored where the context needs it, then completed.
 *
 * The algorithm is that of the paper's figures 2 and 3.  Its context stack is the stack of Calls; "run f without backtracking and extend the inputs
 * by its outputs" is walk_complete; the implication that a context is covered is asked leaf by leaf, because a leaf that is not is
 * the next path to execute. */
#include "summary/summary_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_FAILURES = 3,   /* contexts in which a function could not be summarised: then it never is */
    MOST_WEIGHT = 30000, /* expressions of one function's paths */
    MOST_VERSIONS = 4,   /* of a tree, on one path at one call */
    MOST_ASSUMED = 8,    /* tries to get a run past what it assumes */
    MANY_MISSING = 4     /* places that are asked for all at once */
};

#define QUERY_EFFORT UINT64_C(4000000000)
#define IN_PLACE UINT32_MAX /* instead of a version */

/* ---- the context ---- */

/* The conditions of the path up to a length, in the program's inputs. */
static void collect_context(Summaries *s, uint32_t length)
{
    vec_clear(&s->context);
    for (uint32_t i = 0, level = 0; i < length; i++) {
        while (level < s->calls.len && s->calls.data[level]->path <= i) level++;
        Expr e = vm_condition(s->vm, i)->condition;
        vec_push(&s->context, level ? expr_translate(&s->calls.data[level - 1]->session.roots, e) : e);
    }
    s->options.assert_context(s->options.data, s->context.data, s->context.len);
    solver_set_effort(s->solver, QUERY_EFFORT);
}

static SolveAnswer ask(Summaries *s, const Expr *conditions, uint32_t count)
{
    return solver_check(s->solver, conditions, count, vm_model(s->vm));
}

static bool holds(void *data, Expr condition)
{
    Call *call = data;
    Summaries *s = call->summaries;
    const uint64_t *known = map_find(&call->held, condition);
    if (known) return *known;
    bool result = expr_eval(vm_model(s->vm), condition);
    if (result) {
        Expr negated = expr_not(vm_pool(s->vm), condition);
        collect_context(s, call->path);
        result = ask(s, &negated, 1) == SOLVE_UNSAT;
    }
    map_put(&call->held, condition, result);
    return result;
}

/* ---- models ---- */

/* The functions' own variables follow the inputs. */
static void update_formals(Summaries *s)
{
    ExprModel *model = vm_model(s->vm);
    for (uint32_t i = 0; i < s->calls.len; i++) {
        const VmSession *session = &s->calls.data[i]->session;
        for (uint32_t k = 0; k < session->formals.len; k++)
            expr_model_set(model, session->formals.data[k].variable, expr_eval(model, session->formals.data[k].root));
    }
}

static void take_changes(Summaries *s)
{
    uint32_t count;
    const SolveValue *changes = solver_changes(s->solver, &count);
    for (uint32_t i = 0; i < count; i++) expr_model_set(vm_model(s->vm), changes[i].var, changes[i].value);
    update_formals(s);
}

static Vec_values keep_inputs(const Summaries *s)
{
    Vec_values values = {0};
    uint32_t first = s->options.parameters, count = first + vm_input_count(s->vm);
    for (uint32_t i = 0; i < count; i++) {
        Expr var = i < first ? expr_var_at(vm_pool(s->vm), i) : vm_input(s->vm, i - first);
        vec_push(&values, ((SolveValue){var, expr_model_get(vm_model(s->vm), var)}));
    }
    return values;
}

static void set_inputs(Summaries *s, const Vec_values *values)
{
    for (uint32_t i = 0; i < values->len; i++) expr_model_set(vm_model(s->vm), values->data[i].var, values->data[i].value);
    update_formals(s);
}

/* ---- what is missing ---- */

static void fail_call(Call *call, const char *why)
{
    if (!call->why[0]) snprintf(call->why, sizeof call->why, "%.150s", why);
}

static bool is_borrowed(const Call *call, const Place *place)
{
    return place->kind != PLACE_BRANCH && call->tree->leaves.data[place->leaf].borrowed;
}

static uint64_t missing_key(const Place *place, uint64_t cases)
{
    uint64_t key = place->leaf ? (uint64_t)UINT32_MAX << 32 | place->leaf : (uint64_t)place->node << 32 | place->side;
    return cases ? hash_mix(key ^ cases) : key;
}

static bool is_open(const Call *call, const Place *place, uint64_t cases)
{
    bool wanted = is_borrowed(call, place) || (place->kind == PLACE_MISSING && !place->is_lost);
    return wanted && !map_find(&call->refuted, missing_key(place, cases));
}

/* A path that was not executed since it was loaded: it is once, for what it reaches. */
static void take_back(Call *call, const Place *place)
{
    call->borrowed = is_borrowed(call, place);
    call->tree->leaves.data[place->leaf].borrowed = false;
}

/* Adds the conditions on the way to the place, in the program's inputs. */
static void add_way(Summaries *s, const Instance *instance, uint32_t place)
{
    ExprPool *pool = vm_pool(s->vm);
    const Places *places = &instance->shape->places;
    while (places->data[place].parent != UINT32_MAX) {
        uint32_t above = places->data[place].parent;
        Expr e = places->data[place].is_yes ? instance->conditions[above] : expr_not(pool, instance->conditions[above]);
        if (!expr_is_const(pool, e)) vec_push(&s->assumptions, e);
        place = above;
    }
}

typedef enum Finding { FOUND_NONE, FOUND_INPUTS, FOUND_UNKNOWN } Finding;

/* The assumptions so far lead to the instance. */
static Finding look_in_places(Call *call, const Instance *instance, uint64_t cases)
{
    Summaries *s = call->summaries;
    uint32_t before = s->assumptions.len;
    for (uint32_t i = instance->shape->places.len; i-- > 0;) {
        const Place *place = &instance->shape->places.data[i];
        if (!instance->reached[i] || !is_open(call, place, cases)) continue;
        add_way(s, instance, i);
        SolveAnswer answer = ask(s, s->assumptions.data, s->assumptions.len);
        s->assumptions.len = before;
        if (answer == SOLVE_SAT) {
            take_changes(s);
            take_back(call, place);
            return FOUND_INPUTS;
        }
        if (answer == SOLVE_UNKNOWN) {
            fail_call(call, "the solver cannot tell which of its paths are possible");
            return FOUND_UNKNOWN;
        }
        map_put(&call->refuted, missing_key(place, cases), 1);
    }
    return FOUND_NONE;
}

static Finding look_for_missing(Call *call, const Instance *instance, uint64_t cases)
{
    Summaries *s = call->summaries;
    if (!instance->case_count) return look_in_places(call, instance, cases);
    Finding found = FOUND_NONE;
    for (uint32_t i = 0; i < instance->case_count && found == FOUND_NONE; i++) {
        vec_push(&s->assumptions, instance->cases[i].condition);
        found = look_for_missing(call, instance->each[i], hash_mix(cases ^ instance->cases[i].value));
        (void)vec_pop(&s->assumptions);
    }
    return found;
}

static uint32_t count_open(const Call *call, const Instance *instance, uint64_t cases)
{
    uint32_t open = 0;
    for (uint32_t i = 0; i < instance->case_count; i++)
        open += count_open(call, instance->each[i], hash_mix(cases ^ instance->cases[i].value));
    for (uint32_t i = 0; i < instance->shape->places.len && !instance->case_count; i++)
        open += instance->reached[i] && is_open(call, &instance->shape->places.data[i], cases);
    return open;
}

/* When it comes to one of the open places. */
static Expr open_condition(Call *call, const Instance *instance, uint64_t cases)
{
    ExprPool *pool = vm_pool(call->summaries->vm);
    const Places *places = &instance->shape->places;
    Expr result = expr_const(pool, 1, 0);
    for (uint32_t i = instance->case_count; i-- > 0;) {
        Expr here = open_condition(call, instance->each[i], hash_mix(cases ^ instance->cases[i].value));
        result = expr_ite(pool, instance->cases[i].condition, here, result);
    }
    if (instance->case_count) return result;
    Vec_exprs values = {0};
    for (uint32_t i = 0; i < places->len; i++) vec_push(&values, result);
    for (uint32_t i = places->len; i-- > 0;) {
        const Place *p = &places->data[i];
        if (!instance->reached[i]) continue;
        if (p->kind == PLACE_BRANCH) values.data[i] = expr_ite(pool, instance->conditions[i], values.data[p->yes], values.data[p->no]);
        else values.data[i] = expr_const(pool, 1, is_open(call, p, cases));
    }
    result = values.data[instance->shape->first];
    vec_release(&values);
    return result;
}

/* All of them at once: mostly none exists. */
static Finding look_for_any(Call *call, Instance *instance)
{
    Summaries *s = call->summaries;
    if (count_open(call, instance, 0) < MANY_MISSING) return FOUND_UNKNOWN;
    Expr open = open_condition(call, instance, 0);
    SolveAnswer answer = ask(s, &open, 1);
    if (answer == SOLVE_SAT) take_changes(s);
    return answer == SOLVE_SAT ? FOUND_INPUTS : answer == SOLVE_UNSAT ? FOUND_NONE : FOUND_UNKNOWN;
}

/* Finds inputs for a path that the tree does not have; the machine's model is then one (`another` than it was).  False: there is none in
 * this state. */
static bool find_missing(Walk *walk, bool *another)
{
    Call *call = walk->call;
    Summaries *s = call->summaries;
    uint32_t open = 0, borrowed = 0;
    for (uint32_t i = 0; i < walk->places.len; i++) {
        open += is_open(call, &walk->places.data[i], 0);
        borrowed += is_open(call, &walk->places.data[i], 0) && is_borrowed(call, &walk->places.data[i]);
    }
    if (!open) return false;
    *another = walk->places.data[walk->first].kind == PLACE_BRANCH;
    if (!*another) { /* whatever the inputs */
        take_back(call, &walk->places.data[walk->first]);
        return true;
    }
    Instances here;
    Vec_exprs actuals = {0};
    Shape *shape = shape_of_places(s, walk, &actuals);
    for (uint32_t i = 0; i < actuals.len; i++) actuals.data[i] = vm_root(s->vm, actuals.data[i]);
    instances_init(&here, s, vm_pool(s->vm), true);
    Instance *instance = instance_of(&here, shape, actuals.data, MOST_COMBINED);
    collect_context(s, call->path);
    vec_clear(&s->assumptions);
    Finding found = borrowed ? FOUND_UNKNOWN : look_for_any(call, instance);
    if (found == FOUND_UNKNOWN) found = look_for_missing(call, instance, 0);
    else call->borrowed = false;
    instances_release(&here);
    shape_free(shape);
    vec_release(&actuals);
    return found == FOUND_INPUTS;
}

/* ---- executing a path in isolation ---- */

static void keep_witness(Call *call, const VmStop *stop, uint32_t new_before)
{
    Summaries *s = call->summaries;
    uint64_t bug = (uint64_t)stop->bug << 32 | stop->loc;
    bool fresh = stop->kind == VM_BUG && !map_find(&s->known_bugs, bug) && !s->options.knows_bug(s->options.data, stop->bug, stop->loc);
    if (fresh) map_put(&s->known_bugs, bug, 1);
    if (!fresh && vm_isolated_new(s->vm) == new_before) return;
    vec_push(&s->witnesses, keep_inputs(s));
}

static bool is_path(const VmStop *stop)
{
    switch (stop->kind) {
    case VM_RETURNED:
    case VM_EXIT:
    case VM_SIGNAL:
    case VM_BUG:
    case VM_ASSUMPTION: return true;
    default: return false;
    }
}

/* Runs until the isolated call ends; calls in it are completed in turn.  VM_AGAIN: it has to be repeated. */
static VmStop run_isolated(Call *call)
{
    Summaries *s = call->summaries;
    VmStop stop;
    vec_clear(&call->used);
    vm_isolate(s->vm, &call->session);
    while ((stop = vm_run(s->vm)).kind == VM_CALL || stop.kind == VM_DECIDES) {
        SummaryResult result = summaries_call(s);
        if (result == SUMMARY_AGAIN) stop.kind = VM_AGAIN;
        if (result == SUMMARY_ENDS) stop.kind = VM_EXIT;
        if (result != SUMMARY_GOES_ON || s->stopped) break;
    }
    return stop;
}

static void execute_path(Call *call, bool another)
{
    Summaries *s = call->summaries;
    uint32_t new_before = vm_isolated_new(s->vm);
    Vec_values inputs = keep_inputs(s);
    VmStop stop;
    while ((stop = run_isolated(call)).kind == VM_AGAIN) {
        vm_isolated_forget(s->vm, new_before);
        vm_return(s->vm, call->mark);
        set_inputs(s, &inputs);
    }
    vec_release(&inputs);
    if (!is_path(&stop)) vm_isolated_forget(s->vm, new_before);
    call->runs += !call->borrowed;
    if (!s->options.on_path(s->options.data, another) || stop.kind == VM_TIME) s->stopped = true;
    if (s->stopped) return;
    if (vm_unfit_always(s->vm)) call->tree->failures += MOST_FAILURES;
    if (vm_unfit(s->vm)) fail_call(call, vm_unfit(s->vm));
    else if (!is_path(&stop)) fail_call(call, stop.message);
    else {
        uint32_t sides = call->tree->sides.len, weight = expr_pool_count(s->pool);
        keep_witness(call, &stop, new_before);
        if (!tree_add_path(call, &stop)) fail_call(call, "it does not depend on its inputs alone");
        else if (call->tree->sides.len == sides && sides > 2 && !call->borrowed)
            fail_call(call, "a path of it was not the one that was looked for");
        call->tree->weight += expr_pool_count(s->pool) - weight;
        if (call->tree->facts.paths > s->options.most_paths) fail_call(call, "it has too many paths");
        if (call->tree->weight > MOST_WEIGHT) fail_call(call, "its paths are too large for one formula");
    }
}

/* All paths that the calling state allows. */
static void explore(Call *call)
{
    Summaries *s = call->summaries;
    bool more = true, another = false;
    while (more && !call->why[0] && !s->stopped) {
        Walk walk;
        vm_return(s->vm, call->mark);
        walk_tree(&walk, call, UINT32_MAX);
        if (walk.unfit) fail_call(call, walk.unfit);
        if (vm_unfit(s->vm)) fail_call(call, vm_unfit(s->vm));
        more = !call->why[0] && find_missing(&walk, &another);
        walk_release(&walk);
        if (more) execute_path(call, another);
    }
    if (call->runs) call->tree->facts.explored++;
    else if (!call->why[0]) call->tree->facts.reused++;
}

/* ---- completing ---- */

/* The model of the caller's run may be one under which the function does not return. */
static SummaryResult find_return(Call *call, Expr returns, Expr ends)
{
    Summaries *s = call->summaries;
    Expr root = vm_root(s->vm, returns);
    collect_context(s, call->path);
    SolveAnswer answer = expr_is_const(vm_pool(s->vm), root) && !expr_value(vm_pool(s->vm), root) ? SOLVE_UNSAT : ask(s, &root, 1);
    if (answer == SOLVE_SAT) {
        take_changes(s);
        return SUMMARY_GOES_ON;
    }
    if (answer == SOLVE_UNKNOWN) s->options.on_loss(s->options.data, 0, solver_reason(s->solver));
    vm_say_of_call(s->vm, ends);
    return SUMMARY_ENDS;
}

static void tell_losses(const Walk *walk)
{
    const Summaries *s = walk->call->summaries;
    for (uint32_t i = 0; i < walk->places.len; i++) {
        const Place *p = &walk->places.data[i];
        uint32_t loc = walk->call->tree->nodes.data[p->node].loc;
        if (p->is_lost) s->options.on_loss(s->options.data, loc, "a value was fixed to the one at hand");
    }
}

/* Completes it with the paths that the tree had at a version.  Under the model another one may be needed: then that is said first. */
static SummaryResult complete(Call *call, uint32_t version, bool *covered)
{
    Summaries *s = call->summaries;
    ExprModel *model = vm_model(s->vm);
    Vec_exprs actuals = {0};
    Vec_segments segments = {0};
    Walk walk;
    walk_tree(&walk, call, version);
    const Shape *shape = shape_of(s, &walk, &actuals, &segments);
    Expr returns = shape_output(s, call->caller, shape, actuals.data, OUTPUT_RETURNS);
    Expr ends = shape_output(s, call->caller, shape, actuals.data, OUTPUT_ENDS);
    Expr missing = shape_output(s, call->caller, shape, actuals.data, OUTPUT_MISSING);
    SummaryResult result = SUMMARY_GOES_ON;
    *covered = !expr_eval(model, missing);
    if (walk.unfit) *covered = false;
    if (*covered && !expr_eval(model, returns)) result = find_return(call, returns, ends);
    if (*covered && result == SUMMARY_GOES_ON) {
        tell_losses(&walk);
        if (!call->caller) worth_completed(s, shape, actuals.data);
        shape_complete(s, shape, actuals.data, &segments);
    } else if (!*covered && !walk.unfit) {
        vm_say_of_call(s->vm, missing);
    }
    walk_release(&walk);
    vec_release(&actuals);
    vec_release(&segments);
    return result;
}

/* ---- calls ---- */

uint64_t summary__position_key(const Tree *tree, uint32_t side, uint64_t position)
{
    return hash_mix(hash_mix((uint64_t)tree->facts.function << 32 | side) ^ position);
}

/* Where on a path the call is: the same when the path is executed again. */
static uint64_t position_of(Summaries *s, Used *used)
{
    used->position = vm_position(s->vm);
    if (!s->calls.len) return used->position;
    Call *caller = vec_top(&s->calls);
    bool known;
    uint32_t side = tree_follow(caller, &known);
    used->fact = vm_fact_count(s->vm);
    return known ? summary__position_key(caller->tree, side, used->position) : 0;
}

static SummaryResult in_place(Summaries *s, Tree *tree, const char *why)
{
    tree->facts.inlined++;
    if (!tree->why || strcmp(tree->why, why) != 0) {
        free(tree->why);
        tree->why = mem_strdup(why);
    }
    vm_call_in_place(s->vm);
    return SUMMARY_GOES_ON;
}

/* What a call inside has given, in the program's inputs. */
static Expr meaning_in_inputs(void *data, Expr variable)
{
    Call *call = data;
    const Meaning *meaning = meaning_of(&call->meanings, variable);
    if (!meaning) return 0;
    Meaning m = *meaning;
    Vec_exprs actuals = {0};
    meaning_actuals(&call->meanings, m, &call->session.roots, &actuals);
    Expr root = shape_output(call->summaries, NULL, m.shape, actuals.data, m.output);
    vec_release(&actuals);
    return root ? root : expr_const(vm_pool(call->summaries->vm), expr_width(vm_pool(call->summaries->vm), variable), 0);
}

static uint32_t parts(void *data, Expr variable, const Expr **list)
{
    Call *call = data;
    const Meaning *meaning = meaning_of(&call->meanings, variable);
    if (!meaning) return 0;
    vec_clear(&call->parts);
    for (uint32_t i = 0; i < meaning->shape->variables.len; i++) {
        Expr actual = call->meanings.actuals.data[meaning->actuals + i];
        if (actual) vec_push(&call->parts, actual);
    }
    *list = call->parts.data;
    return call->parts.len;
}

/* What calls inside the function give is a variable in the caller's view, too. */
static Expr given(void *data, Expr variable)
{
    Call *call = data;
    return shape_given(call->summaries, call->caller, &call->into_view, variable);
}

static Expr undefined_in_view(void *data, unsigned width)
{
    return vm_undefined(((Call *)data)->summaries->vm, width);
}

static Call *call_new(Summaries *s, Tree *tree)
{
    Call *call = mem_alloc(sizeof *call);
    call->id = ++s->explorations;
    call->summaries = s;
    call->tree = tree;
    call->caller = s->calls.len ? vec_top(&s->calls) : NULL;
    call->session = (VmSession){.general = &tree->general, .holds = holds, .meaning = meaning_in_inputs, .parts = parts, .data = call};
    call->path = vm_path_length(s->vm);
    expr_translation_init(&call->into_view, s->pool, vm_pool(s->vm));
    call->into_view.variable = given;
    call->into_view.undef = undefined_in_view;
    call->into_view.data = call;
    expr_translation_init(&call->from_view, vm_pool(s->vm), s->pool);
    call->from_view.variable = summary__foreign;
    call->from_view.undef = summary__undef;
    call->from_view.data = call;
    return call;
}

static void call_free(Call *call)
{
    vm_session_release(&call->session);
    expr_translation_release(&call->into_view);
    expr_translation_release(&call->from_view);
    meanings_release(&call->meanings);
    vec_release(&call->parts);
    map_release(&call->refuted);
    map_release(&call->held);
    vec_release(&call->used);
    free(call);
}

/* The run has ended in an assumption that does not hold: inputs for the same path with which it does. */
static bool find_assumed(Summaries *s)
{
    uint32_t length = vm_path_length(s->vm);
    if (!length || vm_condition(s->vm, length - 1)->kind != CONDITION_ASSUME) return false;
    Expr assumed = expr_not(vm_pool(s->vm), vm_condition(s->vm, length - 1)->condition);
    collect_context(s, length - 1);
    if (ask(s, &assumed, 1) != SOLVE_SAT) return false;
    take_changes(s);
    return true;
}

static void execute_witness(Summaries *s, VmMark mark, const Vec_values *inputs)
{
    VmStopKind ended = VM_ASSUMPTION;
    set_inputs(s, inputs);
    for (unsigned i = 0; ended == VM_ASSUMPTION && i < MOST_ASSUMED; i++) {
        bool last = i + 1 == MOST_ASSUMED || (i > 0 && !find_assumed(s));
        if (last) set_inputs(s, inputs);
        vm_return(s->vm, mark);
        vm_watch(s->vm, false);
        vm_call_in_place(s->vm);
        ended = s->options.on_witness(s->options.data, last);
        vm_watch(s->vm, true);
        if (last) return;
    }
}

/* Runs that have shown something new, as a whole; only where no call around is isolated. */
static void execute_witnesses(Summaries *s, VmMark mark)
{
    for (uint32_t i = 0; i < s->witnesses.len && !s->stopped; i++) execute_witness(s, mark, &s->witnesses.data[i]);
    for (uint32_t i = 0; i < s->witnesses.len; i++) vec_release(&s->witnesses.data[i]);
    vec_clear(&s->witnesses);
}

static void keep_version(Summaries *s, Used used, uint64_t position)
{
    if (s->calls.len) vec_push(&vec_top(&s->calls)->used, used);
    else if (!map_find(&s->versions, position)) map_put(&s->versions, position, used.version);
}

/* Where the call was executed in place it always will be: a path stays what it is.  A function that was never completed need not be looked at
 * again. */
static SummaryResult fail_here(Call *call)
{
    Summaries *s = call->summaries;
    Tree *tree = call->tree;
    Used used = {0};
    vm_return(s->vm, call->before);
    uint64_t position = position_of(s, &used);
    used.version = IN_PLACE;
    keep_version(s, used, position);
    if (!s->stopped && ++tree->failures >= MOST_FAILURES && !tree->completed) vm_decline(s->vm, tree->function);
    return in_place(s, tree, s->stopped ? "there was no time for more" : call->why);
}

/* All paths that this state allows become part of the tree, unless that was done before at this place. */
static void explore_once(Call *call, uint64_t position)
{
    Summaries *s = call->summaries;
    uint64_t here = hash_mix(position ^ hash_mix(call->caller ? call->caller->id : 0));
    Vec_values inputs = keep_inputs(s);
    if (position && map_find(&s->explored, here)) {
        call->tree->facts.reused++;
    } else {
        vec_push(&s->calls, call);
        explore(call);
        (void)vec_pop(&s->calls);
    }
    if (position) map_put(&s->explored, here, 1);
    vm_return(s->vm, call->mark);
    if (!s->calls.len && s->witnesses.len) {
        execute_witnesses(s, call->mark);
        vm_return(s->vm, call->mark);
    }
    set_inputs(s, &inputs);
    vec_release(&inputs);
}

/* With the version of the tree that was used when this path was executed before; where that does not know what happens, that is said, and
 * then with a later one. */
static SummaryResult complete_call(Call *call)
{
    Summaries *s = call->summaries;
    Tree *tree = call->tree;
    SummaryResult result = SUMMARY_GOES_ON;
    bool covered = false;
    for (unsigned i = 0; i < MOST_VERSIONS && !covered; i++) {
        Used used = {0};
        uint64_t position = position_of(s, &used);
        const uint64_t *kept = position ? map_find(&s->versions, position) : NULL;
        if (kept && *kept == IN_PLACE) break;
        used.version = kept ? (uint32_t)*kept : tree->version;
        keep_version(s, used, position);
        result = complete(call, used.version, &covered);
        if (vm_unfit(s->vm)) break;
    }
    tree->completed = s->used = true;
    return covered ? result : in_place(s, tree, "a path of it is not known");
}

static const char *reason_against(const Summaries *s, const Tree *tree)
{
    const Function *f = tree->function;
    if (f->variadic) return "it takes a variable number of arguments";
    if (tree->floats) return "it calculates with floating-point numbers";
    if (!tree->several) return "there is one way to its end";
    if (tree->recursive || vm_call_is_recursive(s->vm)) return "it is recursive";
    if (!s->calls.len && !vm_call_matters(s->vm)) return "nothing is decided after it";
    return NULL;
}

/* First it is executed as it is: if nothing is decided in it there is nothing to summarise. */
static SummaryResult on_trial(Summaries *s)
{
    s->trial = vm_mark(s->vm);
    vm_call_on_trial(s->vm);
    return SUMMARY_GOES_ON;
}

SummaryResult summaries_call(Summaries *s)
{
    bool tried = vm_stop(s->vm)->kind == VM_DECIDES;
    if (tried) vm_return(s->vm, s->trial);
    Tree *tree = summary__tree(s, vm_call_target(s->vm));
    const char *against = reason_against(s, tree);
    Used used = {0};
    if (vm_watch_callers(s->vm)) return SUMMARY_AGAIN;
    if (tree->function->variadic || tree->floats || tree->recursive || !tree->several) vm_decline(s->vm, tree->function);
    if (against) return in_place(s, tree, against);
    uint64_t position = position_of(s, &used);
    const uint64_t *kept = position ? map_find(&s->versions, position) : NULL;
    bool given_up = tree->failures >= MOST_FAILURES && (!kept || *kept == IN_PLACE);
    if (given_up || (kept && *kept == IN_PLACE)) return in_place(s, tree, tree->why ? tree->why : "it was before");
    if (s->off && !kept && !s->calls.len) return in_place(s, tree, "its callers decide on all that it gives");
    if (!tried && !kept) return on_trial(s);
    Call *call = call_new(s, tree);
    call->before = tried ? s->trial : vm_mark(s->vm);
    SummaryResult result = SUMMARY_AGAIN;
    if (vm_settle_arguments(s->vm, &call->session)) {
        map_release(&call->held); /* what was settled holds now */
        call->path = vm_path_length(s->vm);
        call->mark = vm_mark(s->vm);
        explore_once(call, position);
        result = call->why[0] || s->stopped ? fail_here(call) : complete_call(call);
    }
    call_free(call);
    return result;
}
