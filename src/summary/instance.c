/* Shapes with actual values.
 *
 * Equal ones are made once.  A function does something simple for each position in memory and something complicated for all of them at once, so an actual
 * value that is one of a few and that positions are computed from is taken case by case: what is then constant folds, and the cases are
 * those of many calls. */
#include "summary/summary_int.h"

#include <stdlib.h>
#include <string.h>

enum { ALL_CASES = 40000 };

void instances_init(Instances *all, const Summaries *summaries, ExprPool *pool, bool by_case)
{
    *all = (Instances){.summaries = summaries, .pool = pool, .by_case = by_case, .generation = expr_pool_generation(pool)};
    expr_cases_init(&all->cases, pool);
}

static void instance_free(Instance *instance)
{
    map_release(&instance->by_content);
    free(instance->actuals);
    free(instance->cases);
    free(instance->each);
    free(instance->conditions);
    free(instance->reached);
    free(instance->forks);
    free(instance);
}

void instances_clear(Instances *all)
{
    for (uint32_t i = 0; i < all->list.len; i++) instance_free(all->list.data[i]);
    vec_clear(&all->list);
    map_release(&all->by_content);
}

void instances_release(Instances *all)
{
    instances_clear(all);
    for (uint32_t i = 0; i < all->intos.len; i++) {
        expr_translation_release(&all->intos.data[i]->translation);
        free(all->intos.data[i]);
    }
    vec_release(&all->list);
    vec_release(&all->intos);
    map_release(&all->into_of);
    map_release(&all->impossible);
    map_release(&all->chosen);
    expr_cases_release(&all->cases);
}

/* The pool has forgotten expressions: so do we. */
static void catch_up(Instances *all)
{
    if (all->generation == expr_pool_generation(all->pool)) return;
    Instances before = *all;
    all->chosen = (Map){0};
    instances_release(all);
    instances_init(all, all->summaries, all->pool, all->by_case);
    all->of_one_call = before.of_one_call;
    all->work = before.work;
    all->chosen = before.chosen;
    all->case_count = before.case_count;
}

/* All that are in the program's inputs share what calls inside give. */
static Instances *shared(Instances *all)
{
    return all->pool == all->summaries->instances->pool ? all->summaries->instances : all;
}

static bool is_full(Instances *all)
{
    if (all->most && expr_pool_count(all->pool) > all->most) all->exceeded = true;
    return all->exceeded;
}

/* ---- one of them ---- */

static Expr given_in(Instances *all, ExprTranslation *into, Expr variable)
{
    const Meanings *meanings = &all->summaries->meanings;
    const Meaning *meaning = meaning_of(meanings, variable);
    REQUIRE(meaning || into->from == into->to, "an input that was not read");
    if (!meaning || is_full(all)) return 0;
    Meaning m = *meaning;
    Vec_exprs actuals = {0};
    meaning_actuals(meanings, m, into, &actuals);
    Expr output = instances_output(shared(all), m.shape, actuals.data, m.output);
    vec_release(&actuals);
    return output ? output : expr_const(all->pool, expr_width(into->from, variable), 0);
}

static Expr given(void *data, Expr variable)
{
    Into *into = data;
    return given_in(into->all, &into->translation, variable);
}

static Expr undefined(void *data, unsigned width)
{
    return vm_undefined(((Into *)data)->all->summaries->vm, width);
}

static bool is_always(const ExprPool *pool, Expr condition, bool value)
{
    return expr_is_const(pool, condition) && expr_value(pool, condition) == value;
}

/* Which places are reached, and under which conditions. */
static void reach_places(Instance *instance)
{
    const Shape *shape = instance->shape;
    const ExprPool *pool = instance->all->pool;
    instance->conditions = mem_alloc((shape->places.len + 1) * sizeof *instance->conditions);
    instance->reached = mem_alloc(shape->places.len + 1);
    instance->reached[shape->first] = true;
    for (uint32_t i = 0; i < shape->places.len; i++) {
        const Place *p = &shape->places.data[i];
        if (!instance->reached[i] || p->kind != PLACE_BRANCH) continue;
        Expr condition = expr_translate(&instance->into->translation, p->condition);
        instance->conditions[i] = condition;
        if (!is_always(pool, condition, false)) instance->reached[p->yes] = true;
        if (!is_always(pool, condition, true)) instance->reached[p->no] = true;
    }
}

/* What values are chosen along: places that decide nothing here are passed over. */
static void collect_forks(Instance *instance)
{
    const Shape *shape = instance->shape;
    const ExprPool *pool = instance->all->pool;
    uint32_t *fork_of = mem_alloc((shape->places.len + 1) * sizeof *fork_of);
    instance->forks = mem_alloc((shape->places.len + 1) * sizeof *instance->forks);
    for (uint32_t i = shape->places.len; i-- > 0;) {
        const Place *p = &shape->places.data[i];
        if (!instance->reached[i]) continue;
        bool branch = p->kind == PLACE_BRANCH;
        bool yes = branch && !is_always(pool, instance->conditions[i], false),
             no = branch && !is_always(pool, instance->conditions[i], true);
        if (yes != no) fork_of[i] = fork_of[yes ? p->yes : p->no];
        else {
            Fork fork = {i, branch ? fork_of[p->yes] : 0, branch ? fork_of[p->no] : 0};
            fork_of[i] = instance->fork_count;
            instance->forks[instance->fork_count++] = fork;
        }
    }
    free(fork_of);
}

/* The first actual value that is taken case by case, if it has no more than so many; UINT32_MAX: none. */
static uint32_t find_split(Instances *all, const Shape *shape, const Expr *actuals, uint32_t most)
{
    for (uint32_t i = 0; i < shape->variables.len && all->by_case; i++) {
        const ExprCase *list;
        uint32_t count = 1;
        if (shape->by_case.data[i] && shape->decides.data[i] && !expr_has_undef(all->pool, actuals[i]))
            count = expr_cases(&shared(all)->cases, actuals[i], &list);
        if (count > 1 && count <= most) return i;
    }
    return UINT32_MAX;
}

/* Cases of cases may be too many: then all are one formula, which takes longer to solve but is made once.  What was chosen stays: a path that is executed
 * again has the same conditions. */
static bool is_split(Instances *all, uint64_t key, const Expr *actual)
{
    Instances *everybody = shared(all);
    const ExprCase *list;
    bool yes = everybody->case_count < ALL_CASES;
    if (all != everybody) return yes; /* for one question only */
    uint64_t *known = map_find(&everybody->chosen, key);
    if (known) return *known;
    if (yes) everybody->case_count += expr_cases(&everybody->cases, *actual, &list);
    map_put(&everybody->chosen, key, yes);
    return yes;
}

static void split(Instance *instance, uint32_t at, uint32_t most)
{
    Instances *all = instance->all;
    const ExprCase *found;
    uint32_t count = expr_cases(&shared(all)->cases, instance->actuals[at], &found);
    uint64_t taken = all->taken;
    instance->split = at;
    instance->case_count = count;
    instance->cases = mem_alloc(count * sizeof *instance->cases);
    memcpy(instance->cases, found, count * sizeof *instance->cases);
    instance->each = mem_alloc(count * sizeof *instance->each);
    Vec_exprs actuals = {0};
    for (uint32_t i = 0; i < instance->shape->variables.len; i++) vec_push(&actuals, instance->actuals[i]);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < actuals.len; k++)
            if (instance->actuals[k] == instance->actuals[at]) actuals.data[k] = instance->cases[i].value;
        all->taken = hash_mix(taken ^ hash_mix((uint64_t)instance->actuals[at] << 32 | instance->cases[i].value));
        instance->each[i] = instance_of(all, instance->shape, actuals.data, most / count);
    }
    all->taken = taken;
    vec_release(&actuals);
}

static void into_init(Into *into, Instances *all)
{
    into->all = all;
    expr_translation_init(&into->translation, all->summaries->pool, all->pool);
    into->translation.variable = given;
    into->translation.undef = undefined;
    into->translation.data = into;
}

/* In the same call the same values are put for the variables whatever more of the tree is known by then, but for those taken case by case: what
 * was translated stays. */
static void begin_translation(Instance *instance)
{
    Instances *all = instance->all;
    const Shape *shape = instance->shape;
    const uint64_t *known = all->of_one_call ? map_find(&all->into_of, all->taken) : NULL;
    if (!known) {
        vec_push(&all->intos, mem_alloc(sizeof(Into)));
        into_init(vec_top(&all->intos), all);
        map_put(&all->into_of, all->taken, all->intos.len - 1);
    }
    instance->into = known ? all->intos.data[*known] : vec_top(&all->intos);
    for (uint32_t i = 0; i < shape->variables.len; i++)
        if (shape->decides.data[i]) expr_translation_set(&instance->into->translation, shape->variables.data[i], instance->actuals[i]);
}

static uint64_t instance_key(const Shape *shape, const Expr *actuals, uint32_t most)
{
    uint64_t key = hash_mix(shape->hash ^ most);
    for (uint32_t i = 0; i < shape->variables.len; i++)
        if (shape->decides.data[i]) key = hash_mix(key ^ actuals[i]);
    return key;
}

Instance *instance_of(Instances *all, const Shape *shape, const Expr *actuals, uint32_t most)
{
    catch_up(all);
    catch_up(shared(all)); /* its cases are everybody's */
    uint32_t at = find_split(all, shape, actuals, most);
    uint64_t key = instance_key(shape, actuals, at == UINT32_MAX ? 0 : most);
    if (at != UINT32_MAX && !is_split(all, key, &actuals[at])) {
        at = UINT32_MAX;
        key = instance_key(shape, actuals, 0);
    }
    all->work += shape->variables.len;
    const uint64_t *known = map_find(&all->by_content, key);
    if (known) return all->list.data[*known];
    Instance *instance = mem_alloc(sizeof *instance);
    map_put(&all->by_content, key, all->list.len);
    vec_push(&all->list, instance);
    instance->shape = shape;
    instance->all = all;
    instance->actuals = mem_alloc((shape->variables.len + 1) * sizeof *instance->actuals);
    for (uint32_t i = 0; i < shape->variables.len; i++) instance->actuals[i] = shape->decides.data[i] ? actuals[i] : 0;
    if (at != UINT32_MAX) {
        split(instance, at, most);
    } else {
        begin_translation(instance);
        reach_places(instance);
        collect_forks(instance);
    }
    return instance;
}

/* ---- ways ---- */

static Expr choose(ExprPool *pool, Expr condition, Expr yes, Expr no)
{
    return !yes || yes == no ? no : !no ? yes : expr_ite(pool, condition, yes, no);
}

/* From what it is at the forks, those below before those above. */
static Expr combine(const Instance *instance, Vec_exprs *values)
{
    for (uint32_t i = 0; i < instance->fork_count; i++) {
        const Fork *fork = &instance->forks[i];
        if (instance->shape->places.data[fork->place].kind != PLACE_BRANCH) continue;
        Expr condition = instance->conditions[fork->place];
        values->data[i] = choose(instance->all->pool, condition, values->data[fork->yes], values->data[fork->no]);
    }
    return vec_top(values);
}

static bool is_way(PlaceKind kind, uint32_t output)
{
    switch (output) {
    case OUTPUT_RETURNS: return kind == PLACE_RETURN || kind == PLACE_IN_PLACE;
    case OUTPUT_ENDS: return kind == PLACE_END;
    case OUTPUT_IN_PLACE: return kind == PLACE_IN_PLACE;
    default: return kind == PLACE_MISSING;
    }
}

/* When it comes to a place of the output's kind. */
static Expr way_of(Instance *instance, uint32_t output)
{
    ExprPool *pool = instance->all->pool;
    const Places *places = &instance->shape->places;
    if (instance->ways[output]) return instance->ways[output];
    Expr result = 0;
    for (uint32_t i = instance->case_count; i-- > 0;)
        result = choose(pool, instance->cases[i].condition, way_of(instance->each[i], output), result);
    if (!instance->case_count) {
        Vec_exprs values = {0};
        for (uint32_t i = 0; i < instance->fork_count; i++)
            vec_push(&values, expr_const(pool, 1, is_way(places->data[instance->forks[i].place].kind, output)));
        result = combine(instance, &values);
        vec_release(&values);
    }
    instance->ways[output] = result;
    return result;
}

/* ---- values ---- */

/* The output at all places that are reached; 0 where it is not given. */
static void translate_values(const Instance *instance, const Expr *actuals, uint32_t output, Vec_exprs *values)
{
    const Shape *shape = instance->shape;
    Into into;
    into_init(&into, instance->all);
    const Uses *uses = shape_uses(instance->all->summaries, shape, output);
    for (uint32_t i = 0; i < uses->count; i++) {
        uint32_t number = uses->number[i];
        expr_translation_set(&into.translation, shape->variables.data[number],
                             i < uses->bystanders ? actuals[number] : instance->actuals[number]);
    }
    instance->all->work += uses->count;
    const Expr *own = shape_values(shape, output);
    for (uint32_t i = 0; i < instance->fork_count; i++) {
        Expr value = own[instance->forks[i].place];
        vec_push(values, value ? expr_translate(&into.translation, value) : 0);
    }
    expr_translation_release(&into.translation);
}

static Expr value_of(Instance *instance, const Expr *actuals, uint32_t output);

/* The values that are taken case by case are those of the instance; bystanders that are the same expression follow them. */
static Expr value_by_case(Instance *instance, const Expr *actuals, uint32_t output)
{
    const Uses *uses = shape_uses(instance->all->summaries, instance->shape, output);
    Expr taken = instance->actuals[instance->split], result = 0;
    bool follows = false;
    Vec_exprs all = {0};
    for (uint32_t k = 0; k < uses->bystanders; k++) follows |= actuals[uses->number[k]] == taken;
    for (uint32_t i = 0; follows && i < instance->shape->variables.len; i++) vec_push(&all, actuals[i]);
    instance->all->work += instance->case_count + all.len;
    for (uint32_t i = instance->case_count; i-- > 0;) {
        for (uint32_t k = 0; k < uses->bystanders && follows; k++)
            if (actuals[uses->number[k]] == taken) all.data[uses->number[k]] = instance->cases[i].value;
        Expr here = value_of(instance->each[i], follows ? all.data : actuals, output);
        result = choose(instance->all->pool, instance->cases[i].condition, here, result);
    }
    vec_release(&all);
    return result;
}

static bool is_written(const Shape *shape, uint32_t output)
{
    return output >= OUTPUT_VALUES + shape->result_count + shape->segment_count;
}

static Expr value_by_place(Instance *instance, const Expr *actuals, uint32_t output)
{
    const Shape *shape = instance->shape;
    Vec_exprs values = {0};
    if (!is_written(shape, output)) translate_values(instance, actuals, output, &values);
    for (uint32_t i = 0; i < instance->fork_count && is_written(shape, output); i++) {
        uint32_t place = instance->forks[i].place;
        bool returns = shape->places.data[place].kind == PLACE_RETURN;
        vec_push(&values, returns ? expr_const(instance->all->pool, 1, shape_values(shape, output)[place] != 0) : 0);
    }
    Expr result = combine(instance, &values);
    vec_release(&values);
    return result;
}

static Expr value_of(Instance *instance, const Expr *actuals, uint32_t output)
{
    const Shape *shape = instance->shape;
    const Uses *uses = shape_uses(instance->all->summaries, shape, output);
    uint64_t key = hash_mix(output);
    instance->all->work += uses->bystanders + 1;
    for (uint32_t i = 0; i < uses->bystanders; i++) key = hash_mix(key ^ actuals[uses->number[i]]);
    const uint64_t *known = map_find(&instance->by_content, key);
    if (known) return (Expr)*known;
    Expr value = instance->case_count ? value_by_case(instance, actuals, output) : value_by_place(instance, actuals, output);
    map_put(&instance->by_content, key, value);
    return value;
}

Expr instances_output(Instances *all, const Shape *shape, const Expr *actuals, uint32_t output)
{
    Instance *instance = instance_of(all, shape, actuals, MOST_COMBINED);
    return output < OUTPUT_VALUES ? way_of(instance, output) : value_of(instance, actuals, output);
}

/* ---- whole expressions ---- */

typedef struct Expansion {
    Instances *all;
    ExprTranslation into;
} Expansion;

static Expr expand_variable(void *data, Expr variable)
{
    Expansion *e = data;
    return given_in(e->all, &e->into, variable);
}

Expr instances_expand(Instances *all, Expr e)
{
    Expansion expansion = {.all = all};
    expr_translation_init(&expansion.into, all->pool, all->pool);
    expansion.into.variable = expand_variable;
    expansion.into.data = &expansion;
    Expr result = expr_translate(&expansion.into, e);
    expr_translation_release(&expansion.into);
    return result;
}
