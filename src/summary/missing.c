/* What the tree does not have and the calling state allows: the next path to execute. */
#include "summary/summary_int.h"

enum {
    MANY_MISSING = 4, /* places that are asked for all at once */
    ANYWHERE_EFFORT = 4000000,
    MOST_COMBINED_HERE =
        64, /* cases of several values together.  With 512 oSIP takes a quarter more work for packets of 6 bytes, with 1 the parser of
                              * bench/summaries takes a half more. */
    ONE_EFFORT = 500000000, /* for one place while there are others to ask for */
    FORK_EFFORT = 200, /* of building the formula for all of them, for each fork: what an expression counts in the search (NODE_WORK) */
};
#define ANY_EFFORT UINT64_C(8000000000)

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

typedef enum Finding { FOUND_NONE, FOUND_INPUTS, FOUND_UNKNOWN, FOUND_LITTLE /* there are more to ask for */ } Finding;

/* How long places are asked for one by one. */
typedef struct Tries {
    uint64_t until; /* solver effort; a first one is asked for in any case */
    bool begun, all;
} Tries;

static bool may_try(const Summaries *s, Tries *tries)
{
    bool may = tries->all || !tries->begun || solver_stats(s->solver)->effort < tries->until;
    tries->begun = true;
    return may;
}

/* The assumptions so far lead to the instance. */
static Finding look_in_places(Call *call, const Instance *instance, uint64_t cases, Tries *tries)
{
    Summaries *s = call->summaries;
    uint32_t before = s->assumptions.len;
    for (uint32_t i = 0; i < instance->fork_count; i++) {
        const Place *place = &instance->shape->places.data[instance->forks[i].place];
        if (!is_open(call, place, cases)) continue;
        if (!may_try(s, tries)) return FOUND_LITTLE;
        add_way(s, instance, instance->forks[i].place);
        SolveAnswer answer = context_ask(s, s->assumptions.data, s->assumptions.len);
        s->assumptions.len = before;
        if (answer == SOLVE_UNKNOWN && !tries->all) return FOUND_LITTLE;
        if (answer == SOLVE_SAT) {
            inputs_take(s);
            take_back(call, place);
            return FOUND_INPUTS;
        }
        if (answer == SOLVE_UNKNOWN) {
            call_fail(call, "the solver cannot tell which of its paths are possible");
            return FOUND_UNKNOWN;
        }
        map_put(&call->refuted, missing_key(place, cases), 1);
    }
    return FOUND_NONE;
}

static Finding look_for_missing(Call *call, const Instance *instance, uint64_t cases, Tries *tries)
{
    Summaries *s = call->summaries;
    if (!instance->case_count) return look_in_places(call, instance, cases, tries);
    Finding found = FOUND_NONE;
    for (uint32_t i = 0; i < instance->case_count && found == FOUND_NONE; i++) {
        vec_push(&s->assumptions, instance->cases[i].condition);
        found = look_for_missing(call, instance->each[i], hash_mix(cases ^ instance->cases[i].value), tries);
        (void)vec_pop(&s->assumptions);
    }
    return found;
}

static uint32_t count_open(const Call *call, const Instance *instance, uint64_t cases)
{
    uint32_t open = 0;
    for (uint32_t i = 0; i < instance->case_count; i++)
        open += count_open(call, instance->each[i], hash_mix(cases ^ instance->cases[i].value));
    for (uint32_t i = 0; i < instance->fork_count; i++)
        open += is_open(call, &instance->shape->places.data[instance->forks[i].place], cases);
    return open;
}

static uint64_t count_forks(const Instance *instance)
{
    uint64_t count = instance->fork_count;
    for (uint32_t i = 0; i < instance->case_count; i++) count += count_forks(instance->each[i]);
    return count;
}

/* When it comes to one of the open places. */
static Expr open_condition(Call *call, const Instance *instance, uint64_t cases)
{
    ExprPool *pool = vm_pool(call->summaries->vm);
    const Places *places = &instance->shape->places;
    Expr never = expr_const(pool, 1, 0), always = expr_const(pool, 1, 1), result = never;
    for (uint32_t i = instance->case_count; i-- > 0;) {
        Expr here = open_condition(call, instance->each[i], hash_mix(cases ^ instance->cases[i].value));
        result = expr_ite(pool, instance->cases[i].condition, here, result);
    }
    if (instance->case_count) return result;
    Vec_exprs values = {0};
    for (uint32_t i = 0; i < instance->fork_count; i++) {
        const Fork *fork = &instance->forks[i];
        const Place *p = &places->data[fork->place];
        Expr open = is_open(call, p, cases) ? always : never;
        if (p->kind == PLACE_BRANCH) {
            Expr yes = values.data[fork->yes], no = values.data[fork->no];
            open = yes == no ? yes : expr_ite(pool, instance->conditions[fork->place], yes, no);
        }
        vec_push(&values, open);
    }
    result = vec_top(&values);
    vec_release(&values);
    return result;
}

/* All of them at once: mostly none exists. */
static Finding look_for_any(Call *call, Instance *instance)
{
    Summaries *s = call->summaries;
    if (count_open(call, instance, 0) < MANY_MISSING) return FOUND_UNKNOWN;
    Expr open = open_condition(call, instance, 0);
    solver_set_effort(s->solver, ANY_EFFORT);
    SolveAnswer answer = context_ask(s, &open, 1);
    solver_set_effort(s->solver, PROOF_EFFORT);
    if (answer == SOLVE_SAT) inputs_take(s);
    return answer == SOLVE_SAT ? FOUND_INPUTS : answer == SOLVE_UNSAT ? FOUND_NONE : FOUND_UNKNOWN;
}

/* Where one missing path was found there is mostly another, and the solver answers for one place more easily than for all of them.  So places are asked for
 * one by one until that has taken as much work as the formula for all of them takes to build. */
static Finding look(Call *call, Instance *instance, bool borrowed)
{
    Solver *solver = call->summaries->solver;
    Tries few = {.until = solver_stats(solver)->effort + FORK_EFFORT * count_forks(instance), .begun = !call->runs, .all = borrowed};
    if (few.begun) few.until = 0;
    if (!borrowed) solver_set_effort(solver, ONE_EFFORT);
    Finding found = look_for_missing(call, instance, 0, &few);
    solver_set_effort(solver, PROOF_EFFORT);
    if (found != FOUND_LITTLE) return found;
    found = look_for_any(call, instance);
    return found == FOUND_UNKNOWN ? look_for_missing(call, instance, 0, &(Tries){.all = true}) : found;
}

/* Whatever the path.  That is asked when it matters for the second time. */
static bool is_impossible(Summaries *s, Expr way)
{
    enum { ONCE, POSSIBLE, IMPOSSIBLE };
    if (expr_is_const(vm_pool(s->vm), way)) return !expr_value(vm_pool(s->vm), way);
    const uint64_t *known = map_find(&s->instances->impossible, way);
    uint64_t now = known ? *known : ONCE;
    if (known && *known == ONCE) {
        context_leave(s, ANYWHERE_EFFORT);
        now = context_ask(s, &way, 1) == SOLVE_UNSAT ? IMPOSSIBLE : POSSIBLE;
    }
    map_put(&s->instances->impossible, way, now);
    return now == IMPOSSIBLE;
}

/* Nothing is missing for these actual values, whatever the path to the call. */
static bool is_whole(const Walk *walk)
{
    Summaries *s = walk->call->summaries;
    Vec_exprs actuals = {0};
    Vec_segments segments = {0};
    const Shape *shape = shape_of(s, walk, &actuals, &segments);
    for (uint32_t i = 0; i < actuals.len; i++) actuals.data[i] = isolation_root(s->isolation, actuals.data[i]);
    bool whole = is_impossible(s, shape_output(s, NULL, shape, actuals.data, OUTPUT_MISSING));
    vec_release(&actuals);
    vec_release(&segments);
    return whole;
}

/* Finds inputs for a path that the tree does not have; the machine's model is then one (`another` than it was).  False: there is none in
 * this state. */
bool missing_find(Walk *walk, bool *another)
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
    if (!call->runs && !borrowed && is_whole(walk)) return false;
    Vec_exprs actuals = {0};
    Shape *shape = shape_of_places(s, walk, &actuals);
    for (uint32_t i = 0; i < actuals.len && call->caller; i++)
        actuals.data[i] = expr_translate(&call->caller->session.roots, actuals.data[i]);
    if (!call->here) {
        call->here = mem_alloc(sizeof *call->here);
        instances_init(call->here, s, vm_pool(s->vm), true);
        call->here->of_one_call = true;
    }
    Instance *instance = instance_of(call->here, shape, actuals.data, MOST_COMBINED_HERE);
    context_collect(s, call->path);
    vec_clear(&s->assumptions);
    call->borrowed = false;
    Finding found = look(call, instance, borrowed);
    instances_clear(call->here);
    shape_free(shape);
    vec_release(&actuals);
    return found == FOUND_INPUTS;
}
