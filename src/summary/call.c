/* A call of a function that may be summarised: explored where the context needs it, then completed.
 *
 * The algorithm is that of the paper's figures 2 and 3.  Its context stack is the stack of Calls; "run f without backtracking and extend the inputs
 * by its outputs" is shape_complete; the implication that a context is covered is asked leaf by leaf, because a leaf that is not is
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
};

/* Instead of a version. */
#define IN_PLACE UINT32_MAX      /* the call is executed in place */
#define SETTLED (UINT32_MAX - 1) /* its arguments are settled first; the version is kept for the position behind these conditions */

static bool holds(void *data, Expr condition)
{
    Call *call = data;
    Summaries *s = call->summaries;
    const uint64_t *known = map_find(&call->held, condition);
    if (known) return *known;
    bool result = expr_eval(vm_model(s->vm), condition);
    if (result) {
        Expr negated = expr_not(vm_pool(s->vm), condition);
        context_collect(s, call->path);
        result = context_ask(s, &negated, 1) == SOLVE_UNSAT;
    }
    map_put(&call->held, condition, result);
    return result;
}

void call_fail(Call *call, const char *why)
{
    if (!call->why[0]) snprintf(call->why, sizeof call->why, "%.150s", why);
}

/* ---- executing a path in isolation ---- */

static void keep_witness(Call *call, const VmStop *stop, uint32_t new_before)
{
    Summaries *s = call->summaries;
    uint64_t bug = (uint64_t)stop->bug << 32 | stop->loc;
    bool fresh = stop->kind == VM_BUG && !map_find(&s->known_bugs, bug) && !s->options.knows_bug(s->options.data, stop->bug, stop->loc);
    if (fresh) map_put(&s->known_bugs, bug, 1);
    if (!fresh && isolation_new_branches(s->isolation) == new_before) return;
    vec_push(&s->witnesses, inputs_keep(s));
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

static void begin_path(Call *call)
{
    vm_return(call->summaries->vm, call->mark);
    vec_clear(&call->used);
    way_cut(&call->way, 0);
    isolation_enter(call->summaries->isolation, &call->session);
}

/* Part of the path that was executed last. */
static void return_to(Call *call, VmMark mark)
{
    Vm *vm = call->summaries->vm;
    vm_return(vm, mark);
    uint32_t facts = isolation_path(call->summaries->isolation).fact_count;
    while (call->used.len && vec_top(&call->used).fact > facts) (void)vec_pop(&call->used);
    way_cut(&call->way, facts);
}

/* The last state on the path executed last that the one with the inputs at hand comes to, too; VM_NO_MARK: there is none. */
static VmMark common_state(const Call *call)
{
    Vm *vm = call->summaries->vm;
    VmMark mark = VM_NO_MARK;
    for (uint32_t i = call->path; i < vm_path_length(vm); i++) {
        const VmCondition *c = vm_condition(vm, i);
        if (c->mark != VM_NO_MARK && c->kind != CONDITION_SUMMARY && c->kind != CONDITION_IN_PLACE) mark = c->mark;
        if (!expr_eval(vm_model(vm), c->condition)) return mark;
    }
    return VM_NO_MARK;
}

/* Runs until the isolated call ends; calls in it are completed in turn.  VM_AGAIN: it has to be repeated. */
static VmStop run_isolated(Call *call, VmMark from)
{
    Summaries *s = call->summaries;
    VmStop stop;
    if (from == VM_NO_MARK) begin_path(call);
    else return_to(call, from);
    while ((stop = vm_run(s->vm)).kind == VM_CALL || stop.kind == VM_DECIDES) {
        SummaryResult result = summaries_call(s);
        if (result == SUMMARY_AGAIN) stop.kind = VM_AGAIN;
        if (result == SUMMARY_ENDS) stop.kind = VM_EXIT;
        if (result != SUMMARY_GOES_ON || s->stopped) break;
    }
    return stop;
}

/* Then there is little to gain, and every path in place is executed once more in isolation.  The path at hand is one; if nothing is decided on it,
 * there is no other. */
static bool is_mostly_in_place(const Call *call)
{
    const Tree *tree = call->tree;
    bool decides = vm_path_length(call->summaries->vm) > call->path;
    return !decides || (tree->in_place >= MOST_FAILURES && tree->in_place > tree->facts.paths);
}

/* From the start, or from where it leaves the path that was executed last. */
static void execute_path(Call *call, bool another, VmMark from)
{
    Summaries *s = call->summaries;
    uint32_t new_before = isolation_new_branches(s->isolation);
    Vec_values inputs = inputs_keep(s);
    VmStop stop;
    while ((stop = run_isolated(call, from)).kind == VM_AGAIN) {
        isolation_forget_branches(s->isolation, new_before);
        from = VM_NO_MARK;
        inputs_set(s, &inputs);
    }
    vec_release(&inputs);
    bool foreign_bug = stop.kind == VM_BUG && call->tree->function->in_model; /* it is said of the caller's line */
    Unfit how = UNFIT_HERE;
    const char *unfit = isolation_unfit(s->isolation, &how);
    bool in_place = (unfit && how != UNFIT_HERE) || foreign_bug; /* a path with the same facts is, whatever the state */
    if (in_place || !is_path(&stop)) isolation_forget_branches(s->isolation, new_before);
    call->runs += !call->borrowed;
    if (!s->options.on_path(s->options.data, another) || stop.kind == VM_TIME) s->stopped = true;
    if (s->stopped) return;
    if (in_place) summary__say_why(call->tree, unfit ? unfit : "its bugs are those of its callers");
    if (!in_place && unfit) call_fail(call, unfit);
    else if (!in_place && !is_path(&stop)) call_fail(call, stop.message);
    else {
        uint32_t sides = call->tree->sides.len, weight = expr_pool_count(s->pool), before = call->tree->in_place;
        if (!in_place) keep_witness(call, &stop, new_before);
        if (!tree_add_path(call, &stop, in_place)) call_fail(call, "it does not depend on its inputs alone");
        else if (call->tree->sides.len == sides && sides > 2 && !call->borrowed)
            call_fail(call, "a path of it was not the one that was looked for");
        if (how == UNFIT_OUTSIDE) call->tree->outside += call->tree->in_place - before;
        call->tree->weight += expr_pool_count(s->pool) - weight;
        if (call->tree->facts.paths > s->options.most_paths) call_fail(call, "it has too many paths");
        if (in_place && is_mostly_in_place(call)) {
            call->tree->failures += MOST_FAILURES;
            call_fail(call, call->tree->why);
        }
        if (call->tree->weight > MOST_WEIGHT) call_fail(call, "its paths are too large for one formula");
    }
}

/* All paths that the calling state allows. */
static void explore(Call *call)
{
    Summaries *s = call->summaries;
    Walk walk = {0};
    Unfit how;
    bool more = true, another = false, is_known = false; /* the tree as it is now was walked, and a path of it was executed last */
    while (more && !call->why[0] && !s->stopped) {
        if (!is_known) {
            walk_release(&walk);
            vm_return(s->vm, call->mark);
            walk_tree(&walk, call, UINT32_MAX);
            if (walk.unfit) call_fail(call, walk.unfit);
            const char *unfit = isolation_unfit(s->isolation, &how);
            if (unfit) call_fail(call, unfit);
        }
        more = !call->why[0] && missing_find(&walk, &another);
        if (more) execute_path(call, another, is_known ? common_state(call) : VM_NO_MARK);
        is_known = more && !call->why[0] && !call->borrowed && !s->stopped && walk_extend(&walk);
    }
    walk_release(&walk);
    if (call->runs) call->tree->facts.explored++;
    else if (!call->why[0]) call->tree->facts.reused++;
}

/* ---- completing ---- */

/* The model of the caller's run may be one under which the function does not return. */
static SummaryResult find_return(Call *call, Expr returns, Expr ends)
{
    Summaries *s = call->summaries;
    Expr root = isolation_root(s->isolation, returns);
    context_collect(s, vm_path_length(s->vm));
    SolveAnswer answer = expr_is_const(vm_pool(s->vm), root) && !expr_value(vm_pool(s->vm), root) ? SOLVE_UNSAT : context_ask(s, &root, 1);
    if (answer == SOLVE_SAT) {
        inputs_take(s);
        return SUMMARY_GOES_ON;
    }
    if (answer == SOLVE_UNKNOWN) s->options.on_loss(s->options.data, 0, solver_reason(s->solver));
    isolation_say(s->isolation, ends);
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

typedef enum Completion { COMPLETES, GOES_IN_PLACE, IS_MISSING } Completion;

/* Completes it with the paths that the tree had at a version.  Under the model another one may be needed: then that is said first. */
static SummaryResult complete(Call *call, uint32_t version, Completion *completion)
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
    Expr in_place = shape_output(s, call->caller, shape, actuals.data, OUTPUT_IN_PLACE);
    SummaryResult result = SUMMARY_GOES_ON;
    *completion = walk.unfit || expr_eval(model, missing) ? IS_MISSING : expr_eval(model, in_place) ? GOES_IN_PLACE : COMPLETES;
    if (!walk.unfit)
        isolation_divide(s->isolation, in_place); /* on every path, whatever follows: what comes next at this place is one fact */
    if (*completion == COMPLETES && !expr_eval(model, returns)) result = find_return(call, returns, ends);
    if (*completion == COMPLETES && result == SUMMARY_GOES_ON) {
        tell_losses(&walk);
        shape_complete(s, shape, actuals.data, &segments);
    } else if (*completion == IS_MISSING && !walk.unfit) {
        isolation_say(s->isolation, missing);
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
    used->position = isolation_position(s->isolation);
    if (!s->calls.len) return used->position;
    Call *caller = vec_top(&s->calls);
    bool known;
    uint32_t side = tree_follow(caller, &known);
    used->fact = isolation_path(s->isolation).fact_count;
    return known ? summary__position_key(caller->tree, side, used->position) : 0;
}

void summary__say_why(Tree *tree, const char *why)
{
    if (tree->why && strcmp(tree->why, why) == 0) return;
    free(tree->why);
    tree->why = mem_strdup(why);
}

static SummaryResult in_place(Summaries *s, Tree *tree, const char *why)
{
    tree->facts.inlined++;
    summary__say_why(tree, why);
    isolation_call_in_place(s->isolation, false);
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
    call->session =
        (IsolatedSession){.general = &tree->general, .holds = holds, .meaning = meaning_in_inputs, .parts = parts, .data = call};
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
    isolated_session_release(&call->session);
    expr_translation_release(&call->into_view);
    expr_translation_release(&call->from_view);
    if (call->here) instances_release(call->here);
    free(call->here);
    meanings_release(&call->meanings);
    vec_release(&call->parts);
    map_release(&call->refuted);
    map_release(&call->held);
    vec_release(&call->used);
    way_release(&call->way);
    free(call);
}

/* The run has ended in an assumption that does not hold: inputs for the same path with which it does. */
static bool find_assumed(Summaries *s)
{
    uint32_t length = vm_path_length(s->vm);
    if (!length || vm_condition(s->vm, length - 1)->kind != CONDITION_ASSUME) return false;
    Expr assumed = expr_not(vm_pool(s->vm), vm_condition(s->vm, length - 1)->condition);
    context_collect(s, length - 1);
    if (context_ask(s, &assumed, 1) != SOLVE_SAT) return false;
    inputs_take(s);
    return true;
}

static void execute_witness(Summaries *s, VmMark mark, const Vec_values *inputs)
{
    VmStopKind ended = VM_ASSUMPTION;
    inputs_set(s, inputs);
    for (unsigned i = 0; ended == VM_ASSUMPTION && i < MOST_ASSUMED; i++) {
        bool last = i + 1 == MOST_ASSUMED || (i > 0 && !find_assumed(s));
        if (last) inputs_set(s, inputs);
        vm_return(s->vm, mark);
        isolation_watch(s->isolation, false);
        isolation_call_in_place(s->isolation, false);
        ended = s->options.on_witness(s->options.data, last);
        isolation_watch(s->isolation, true);
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
    else if (!map_find(&s->own_versions, position)) map_put(&s->own_versions, position, used.version);
}

static const uint64_t *kept_version(Summaries *s, uint64_t position)
{
    return position ? map_find(s->calls.len ? &s->versions : &s->own_versions, position) : NULL;
}

/* Where the call was executed in place it always will be: a path stays what it is.  A function that was never completed need not be looked at
 * again. */
static SummaryResult fail_here(Call *call, VmMark mark)
{
    Summaries *s = call->summaries;
    Tree *tree = call->tree;
    Used used = {0};
    vm_return(s->vm, mark);
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
    Vec_values inputs = inputs_keep(s);
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
    inputs_set(s, &inputs);
    vec_release(&inputs);
}

/* With the version of the tree that was used when this path was executed before; where that does not know what happens, that is said, and
 * then with a later one. */
static SummaryResult complete_call(Call *call)
{
    Summaries *s = call->summaries;
    Tree *tree = call->tree;
    SummaryResult result = SUMMARY_GOES_ON;
    Completion completion = IS_MISSING;
    Unfit how;
    for (unsigned i = 0; i < MOST_VERSIONS && completion == IS_MISSING; i++) {
        Used used = {0};
        uint64_t position = position_of(s, &used);
        const uint64_t *kept = kept_version(s, position);
        if (kept && *kept == IN_PLACE) break;
        used.version = kept && *kept != SETTLED ? (uint32_t)*kept : tree->version;
        keep_version(s, used, position);
        result = complete(call, used.version, &completion);
        if (isolation_unfit(s->isolation, &how)) break;
    }
    tree->completed = s->used = true;
    if (completion == COMPLETES) return result;
    if (completion == GOES_IN_PLACE && call->caller && tree->outside == tree->in_place) {
        isolation_leave(s->isolation, tree->why); /* what is outside of the function is outside of its callers */
        return SUMMARY_ENDS;
    }
    return in_place(s, tree, completion == GOES_IN_PLACE && tree->why ? tree->why : "a path of it is not known");
}

static const char *reason_against(const Summaries *s, const Tree *tree)
{
    const Function *f = tree->function;
    if (vm_is_making(s->vm)) return "it makes an object that the function under test gets";
    const char *never = summary__never(tree);
    if (never) return never;
    if (vm_is_active(s->vm, f)) return "it is recursive";
    if (!s->calls.len && !isolation_call_matters(s->isolation)) return "nothing is decided after it";
    for (uint32_t i = 0; i < f->param_count; i++)
        if (expr_has_undef(vm_pool(s->vm), vm_call_argument(s->vm, i))) return "it gets what may be uninitialised";
    return NULL;
}

/* First it is executed as it is: if nothing is decided in it there is nothing to summarise. */
static SummaryResult on_trial(Summaries *s)
{
    s->trial = vm_mark(s->vm);
    isolation_call_in_place(s->isolation, true);
    return SUMMARY_GOES_ON;
}

/* Where the call was completed on this path before it is again, whatever exploring it says now.  False: it was executed in place. */
static bool explore_settled(Call *call)
{
    Summaries *s = call->summaries;
    Used used = {0};
    uint64_t position = position_of(s, &used);
    const uint64_t *kept = kept_version(s, position);
    bool completes = kept && *kept != IN_PLACE;
    if (kept && !completes) return false;
    if (!completes || call->tree->failures < MOST_FAILURES) explore_once(call, position);
    if (completes) call->why[0] = 0;
    return true;
}

static const char *reason_before(const Tree *tree)
{
    return tree->why ? tree->why : "it was before";
}

/* The call's arguments are settled.  Conditions that were recorded for it must be recorded whenever the path is executed again: then the call is
 * not executed in place without them, whatever becomes of the function. */
static SummaryResult call_settled(Call *call, Used used, uint64_t position, bool settles)
{
    static const char *const astray = "it gets a pointer that may point anywhere";
    Summaries *s = call->summaries;
    bool said = vm_path_length(s->vm) > call->path;
    map_release(&call->held); /* what was settled holds now */
    call->path = vm_path_length(s->vm);
    call->mark = vm_mark(s->vm);
    if (call->session.astray && settles) return in_place(s, call->tree, astray);
    if (call->session.astray) call_fail(call, astray);
    else if (!explore_settled(call)) return in_place(s, call->tree, reason_before(call->tree));
    if (call->why[0] || s->stopped) return fail_here(call, settles ? call->mark : call->before);
    used.version = SETTLED;
    if (said) keep_version(s, used, position);
    return complete_call(call);
}

SummaryResult summaries_call(Summaries *s)
{
    bool tried = vm_stop(s->vm)->kind == VM_DECIDES;
    if (tried) vm_return(s->vm, s->trial);
    Tree *tree = summary__tree(s, vm_call_target(s->vm));
    const char *against = reason_against(s, tree);
    Used used = {0};
    if (vm_watch_active(s->vm)) return SUMMARY_AGAIN;
    if (summary__never(tree)) vm_decline(s->vm, tree->function);
    if (against) return in_place(s, tree, against);
    uint64_t position = position_of(s, &used);
    const uint64_t *kept = kept_version(s, position);
    bool given_up = tree->failures >= MOST_FAILURES && (!kept || *kept == IN_PLACE);
    if (given_up || (kept && *kept == IN_PLACE)) return in_place(s, tree, reason_before(tree));
    if (!tried && !kept) return on_trial(s);
    bool settles = kept && *kept == SETTLED && !s->calls.len;
    Call *call = call_new(s, tree);
    call->before = tried ? s->trial : vm_mark(s->vm);
    SummaryResult result = SUMMARY_AGAIN;
    if (isolation_settle_arguments(s->isolation, &call->session, settles)) result = call_settled(call, used, position, settles);
    call_free(call);
    return result;
}
