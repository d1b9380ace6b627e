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
    expr_translation_release(&instance->into);
    free(instance->actuals);
    free(instance->cases);
    free(instance->each);
    free(instance->conditions);
    free(instance->reached);
    free(instance);
}

void instances_release(Instances *all)
{
    for (uint32_t i = 0; i < all->list.len; i++) instance_free(all->list.data[i]);
    vec_release(&all->list);
    map_release(&all->by_content);
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

typedef struct Into { /* what a translation belongs to */
    Instances *all;
    ExprTranslation *into;
} Into;

static Expr given(void *data, Expr variable)
{
    Instance *instance = data;
    return given_in(instance->all, &instance->into, variable);
}

static Expr undefined(void *data, unsigned width)
{
    return vm_undefined(((Instance *)data)->all->summaries->vm, width);
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
        Expr condition = expr_translate(&instance->into, p->condition);
        instance->conditions[i] = condition;
        if (!is_always(pool, condition, false)) instance->reached[p->yes] = true;
        if (!is_always(pool, condition, true)) instance->reached[p->no] = true;
    }
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
        instance->each[i] = instance_of(all, instance->shape, actuals.data, most / count);
    }
    vec_release(&actuals);
}

static void begin_translation(Instance *instance)
{
    const Summaries *s = instance->all->summaries;
    const Shape *shape = instance->shape;
    expr_translation_init(&instance->into, s->pool, instance->all->pool);
    instance->into.variable = given;
    instance->into.undef = undefined;
    instance->into.data = instance;
    for (uint32_t i = 0; i < shape->variables.len; i++)
        if (shape->decides.data[i]) expr_translation_set(&instance->into, shape->variables.data[i], instance->actuals[i]);
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
    }
    return instance;
}

/* ---- ways ---- */

static Expr choose(ExprPool *pool, Expr condition, Expr yes, Expr no)
{
    return !yes ? no : !no ? yes : expr_ite(pool, condition, yes, no);
}

/* From what it is at the places that are reached: they are numbered downwards, so one pass from the end, without recursion. */
static Expr combine(const Instance *instance, Vec_exprs *values)
{
    const Places *places = &instance->shape->places;
    for (uint32_t i = places->len; i-- > 0;) {
        const Place *p = &places->data[i];
        if (instance->reached[i] && p->kind == PLACE_BRANCH)
            values->data[i] = choose(instance->all->pool, instance->conditions[i], values->data[p->yes], values->data[p->no]);
    }
    return values->data[instance->shape->first];
}

/* When it comes to a place of the output's kind. */
static Expr way_of(Instance *instance, uint32_t output)
{
    static const uint8_t kinds[] = {[OUTPUT_RETURNS] = PLACE_RETURN, [OUTPUT_ENDS] = PLACE_END, [OUTPUT_MISSING] = PLACE_MISSING};
    ExprPool *pool = instance->all->pool;
    const Places *places = &instance->shape->places;
    if (instance->ways[output]) return instance->ways[output];
    Expr result = 0;
    for (uint32_t i = instance->case_count; i-- > 0;)
        result = choose(pool, instance->cases[i].condition, way_of(instance->each[i], output), result);
    if (!instance->case_count) {
        Vec_exprs values = {0};
        for (uint32_t i = 0; i < places->len; i++)
            vec_push(&values, instance->reached[i] ? expr_const(pool, 1, places->data[i].kind == kinds[output]) : 0);
        result = combine(instance, &values);
        vec_release(&values);
    }
    instance->ways[output] = result;
    return result;
}

/* ---- values ---- */

static Expr given_to_values(void *data, Expr variable)
{
    Into *into = data;
    return given_in(into->all, into->into, variable);
}

static Expr undefined_in_values(void *data, unsigned width)
{
    return vm_undefined(((Into *)data)->all->summaries->vm, width);
}

/* The output at all places that are reached; 0 where it is not given. */
static void translate_values(const Instance *instance, const Expr *actuals, uint32_t output, Vec_exprs *values)
{
    const Shape *shape = instance->shape;
    ExprTranslation t;
    Into into = {instance->all, &t};
    expr_translation_init(&t, instance->all->summaries->pool, instance->all->pool);
    t.variable = given_to_values;
    t.undef = undefined_in_values;
    t.data = &into;
    const Uses *uses = shape_uses(instance->all->summaries, shape, output);
    for (uint32_t i = 0; i < uses->count; i++) expr_translation_set(&t, shape->variables.data[uses->number[i]], actuals[uses->number[i]]);
    const Expr *own = shape_values(shape, output);
    for (uint32_t i = 0; i < shape->places.len; i++) vec_push(values, instance->reached[i] && own[i] ? expr_translate(&t, own[i]) : 0);
    expr_translation_release(&t);
}

static Expr value_of(Instance *instance, const Expr *actuals, uint32_t output);

static Expr value_by_case(Instance *instance, const Expr *actuals, uint32_t output)
{
    const Uses *uses = shape_uses(instance->all->summaries, instance->shape, output);
    Expr taken = actuals[instance->split], result = 0;
    instance->all->work += (uint64_t)instance->case_count * uses->count;
    Vec_exprs all = {0};
    for (uint32_t i = 0; i < instance->shape->variables.len; i++) vec_push(&all, actuals[i]);
    for (uint32_t i = instance->case_count; i-- > 0;) {
        for (uint32_t k = 0; k < uses->count; k++)
            if (actuals[uses->number[k]] == taken) all.data[uses->number[k]] = instance->cases[i].value;
        result = choose(instance->all->pool, instance->cases[i].condition, value_of(instance->each[i], all.data, output), result);
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
    for (uint32_t i = 0; i < shape->places.len && is_written(shape, output); i++) {
        bool returns = instance->reached[i] && shape->places.data[i].kind == PLACE_RETURN;
        vec_push(&values, returns ? expr_const(instance->all->pool, 1, shape_values(shape, output)[i] != 0) : 0);
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
    instance->all->work += uses->count;
    for (uint32_t i = 0; i < uses->count; i++)
        if (!shape->decides.data[uses->number[i]]) key = hash_mix(key ^ actuals[uses->number[i]]);
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
