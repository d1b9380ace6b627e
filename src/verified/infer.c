/* The inference of section 3: three predicate transformers, computed backwards to their greatest fixed points.
 *
 *                          WP (all suppositions hold)    MUST_assert (one is met)    MUST_all (none holds)
 *   an assertion A         A and R                       true                        not A and R
 *   … that holds anyway        A and R                     R                          R
 *   … of a check by itself     A and R                     R                          R
 *   the name a begins      R with a true                 R with a true               R with a true
 *   the name a is updated  R with a false, and if a is true also R as it is (in all three)
 *   the execution ends     true                          false                       true
 *
 * May-unverified is `not WP`, must-unverified is `MUST_assert and MUST_all`.  A name that is false stays false when it is updated; the paper's text says
 * "for all b: R with b", its figure 4 has the stronger condition that this gives.
 *
 * A supposition holds anyway if it is true once the names of inference_passed are: an execution that has come so far has passed their checks.  This concerns the
 * must-unverified condition only.  The may-unverified one has to let those executions go on that are about to fail a check.
 *
 * Forwards it is computed which names can be false at a point; where one cannot, it is true in the conditions there (the paper's constant propagation).
 *
 * Each round looks at all points.  A table can change as often as it has bits, and every round but the last changes one. */
#include "verified/verified.h"

#include <stdlib.h>

typedef enum Transformer { ALL_HOLD, ONE_IS_MET, NONE_HOLDS, TRANSFORMERS } Transformer;

typedef struct InferencePoint {
    PointKind kind;
    uint32_t name;
    Table supposition;
    bool ends, starts;
    Vec(uint32_t) next, before;
    Table conditions[TRANSFORMERS]; /* before the point */
    uint32_t may_be_false;          /* names, as bits, before the point */
    bool reached;
} InferencePoint;

struct Inference {
    Vec(InferencePoint) points;
    uint32_t passed; /* names, as bits (inference_passed) */
};

Inference *inference_new(void)
{
    return mem_alloc(sizeof(Inference));
}

void inference_free(Inference *inference)
{
    if (!inference) return;
    for (uint32_t i = 0; i < inference->points.len; i++) {
        vec_release(&inference->points.data[i].next);
        vec_release(&inference->points.data[i].before);
    }
    vec_release(&inference->points);
    free(inference);
}

uint32_t inference_add(Inference *inference, PointKind kind, uint32_t name, Table supposition)
{
    REQUIRE(kind == POINT_PLAIN || kind == POINT_ASSERT || kind == POINT_CHECK || name < VERIFIED_MOST_NAMES,
            "a truth table has a limited number of names");
    InferencePoint point = {.kind = kind, .name = name, .supposition = supposition};
    vec_push(&inference->points, point);
    return inference->points.len - 1;
}

void inference_edge(Inference *inference, uint32_t from, uint32_t to)
{
    vec_push(&vec_at(&inference->points, from).next, to);
    vec_push(&vec_at(&inference->points, to).before, from);
}

void inference_end(Inference *inference, uint32_t point)
{
    vec_at(&inference->points, point).ends = true;
}

void inference_start(Inference *inference, uint32_t point)
{
    vec_at(&inference->points, point).starts = true;
}

void inference_passed(Inference *inference, uint32_t name)
{
    inference->passed |= 1u << name;
}

Table inference_with_passed(const Inference *inference, Table t)
{
    for (uint32_t name = 0; name < VERIFIED_MOST_NAMES; name++)
        if (inference->passed >> name & 1) t = table_with(t, name, true);
    return t;
}

/* ---- backwards ---- */

static Table condition_after(const Inference *inference, const InferencePoint *point, Transformer which)
{
    Table all = table_constant(!(point->ends && which == ONE_IS_MET));
    for (uint32_t i = 0; i < point->next.len; i++) all = table_and(all, inference->points.data[point->next.data[i]].conditions[which]);
    return all;
}

static Table condition_before(const Inference *inference, const InferencePoint *point, Transformer which, Table after)
{
    Table name, supposition;
    switch (point->kind) {
    case POINT_PLAIN: return after;
    case POINT_BEGIN: return table_with(after, point->name, true);
    case POINT_UPDATE:
        name = table_name(point->name);
        return table_and(table_with(after, point->name, false), table_or(table_not(name), table_with(after, point->name, true)));
    case POINT_CHECK: return which == ALL_HOLD ? table_and(after, point->supposition) : after;
    case POINT_ASSERT:
        if (which == ALL_HOLD) return table_and(after, point->supposition);
        supposition = inference_with_passed(inference, point->supposition);
        if (table_is(supposition, true)) return after;
        return which == ONE_IS_MET ? table_constant(true) : table_and(after, table_not(supposition));
    }
    return after;
}

static bool step_backwards(Inference *inference, uint32_t number)
{
    InferencePoint *point = &inference->points.data[number];
    bool changed = false;
    for (Transformer which = 0; which < TRANSFORMERS; which++) {
        Table before = condition_before(inference, point, which, condition_after(inference, point, which));
        changed |= !table_equal(before, point->conditions[which]);
        point->conditions[which] = before;
    }
    return changed;
}

/* ---- forwards ---- */

static bool step_forwards(Inference *inference, uint32_t number)
{
    InferencePoint *point = &inference->points.data[number];
    uint32_t names = point->may_be_false;
    bool reached = point->reached || point->starts;
    for (uint32_t i = 0; i < point->before.len; i++) {
        const InferencePoint *before = &inference->points.data[point->before.data[i]];
        uint32_t after = before->may_be_false;
        if (!before->reached) continue;
        if (before->kind == POINT_UPDATE) after |= 1u << before->name;
        if (before->kind == POINT_BEGIN) after &= ~(1u << before->name);
        names |= after;
        reached = true;
    }
    bool changed = names != point->may_be_false || reached != point->reached;
    point->may_be_false = names;
    point->reached = reached;
    return changed;
}

void inference_solve(Inference *inference)
{
    uint32_t count = inference->points.len;
    for (uint32_t i = 0; i < count; i++)
        for (Transformer which = 0; which < TRANSFORMERS; which++) inference->points.data[i].conditions[which] = table_constant(true);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = count; i-- > 0;) changed |= step_backwards(inference, i);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < count; i++) changed |= step_forwards(inference, i);
    }
}

/* ---- results ---- */

static Table given_names(const InferencePoint *point, Table t)
{
    for (uint32_t name = 0; name < VERIFIED_MOST_NAMES; name++)
        if (!(point->may_be_false >> name & 1)) t = table_with(t, name, true);
    return t;
}

static Table may_before(const InferencePoint *point)
{
    return table_not(point->conditions[ALL_HOLD]);
}

static Table must_before(const InferencePoint *point)
{
    return table_and(point->conditions[ONE_IS_MET], point->conditions[NONE_HOLDS]);
}

Table inference_may(const Inference *inference, uint32_t point)
{
    return given_names(&vec_at(&inference->points, point), may_before(&vec_at(&inference->points, point)));
}

Table inference_must(const Inference *inference, uint32_t point)
{
    return given_names(&vec_at(&inference->points, point), must_before(&vec_at(&inference->points, point)));
}

static bool changes(const Inference *inference, uint32_t number, Table (*condition)(const InferencePoint *point))
{
    const InferencePoint *point = &vec_at(&inference->points, number);
    Table here = given_names(point, condition(point));
    for (uint32_t i = 0; i < point->before.len; i++) {
        const InferencePoint *before = &inference->points.data[point->before.data[i]];
        if (!table_equal(given_names(before, condition(before)), here)) return true;
    }
    return point->starts;
}

bool inference_may_changes(const Inference *inference, uint32_t point)
{
    return changes(inference, point, may_before);
}

bool inference_must_changes(const Inference *inference, uint32_t point)
{
    return changes(inference, point, must_before);
}
