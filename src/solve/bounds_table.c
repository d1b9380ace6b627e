/* Contraction of SELECT: with an index that can only be at a few places, the result is one of the elements there, and a place whose element
 * cannot be the result is none of the index. */
#include "solve/bounds_int.h"

enum { PLACES = 256, STEPS = 2048 };

typedef struct Reading {
    Bounds *bounds;
    uint32_t array; /* position */
    unsigned width;
    const Expr *constants; /* of a table of constants without stores */
    U128 reasons;          /* of the elements read */
    unsigned steps;
} Reading;

static void join(Reading *reading, bool *any, Domain *into, const Domain *d, U128 reasons)
{
    *into = *any ? domain_union(reading->width, into, d) : *d;
    *any = true;
    reading->reasons |= reasons;
}

/* What can be read at index i: the newest stores first, down to one that certainly stands there. */
static Domain element(Reading *reading, uint32_t i)
{
    Bounds *bounds = reading->bounds;
    if (reading->constants) return domain_value(reading->width, expr_value(bounds->pool, reading->constants[i]));
    const Dag *dag = &bounds->dag;
    const DagNode *array = &dag->nodes[reading->array];
    Domain result = domain_all(reading->width);
    bool any = false;
    for (; array->kind == EXPR_STORE; array = &dag->nodes[array->a], reading->steps++) {
        const Domain *index = bounds_at(bounds, array->b);
        reading->reasons |= bounds_reasons(bounds, array->b);
        if (!domain_has(bounds_width(bounds, array->b), index, i)) continue;
        join(reading, &any, &result, bounds_at(bounds, array->c), bounds_reasons(bounds, array->c));
        if (domain_single(index)) return result;
    }
    if (array->a != UINT32_MAX) {
        uint32_t at = dag->list.data[array->a + i];
        join(reading, &any, &result, bounds_at(bounds, at), bounds_reasons(bounds, at));
    } else {
        const Expr *elements;
        expr_elements(bounds->pool, array->e, &elements);
        Domain value = domain_value(reading->width, expr_value(bounds->pool, elements[i]));
        join(reading, &any, &result, &value, 0);
    }
    return result;
}

/* The places of the index become a window on it. */
static void limit_index(Bounds *bounds, uint32_t index, const Window *places, U128 reasons)
{
    Place *place = &bounds->at[index];
    unsigned width = bounds_width(bounds, index);
    uint64_t before[4] = {0};
    if (!place->window) {
        vec_push(&bounds->windows, *places);
        place->window = bounds->windows.len;
    } else {
        Window *window = &bounds->windows.data[place->window - 1];
        if (window->base != places->base) return;
        memcpy(before, window->bits, sizeof before);
        set_meet(window->bits, places->bits);
        if (!memcmp(before, window->bits, sizeof before)) return;
    }
    Domain d = place->d;
    if (!window_settle(&bounds->windows.data[place->window - 1], width, &d)) {
        bounds__conflict(bounds, reasons | place->reasons);
        return;
    }
    place->d = d;
    place->reasons |= reasons;
    place->changed = ++bounds->clock;
}

/* Marks the places that agree with the result and joins what stands there; false: there is none. */
static bool read_places(Reading *reading, uint32_t at, uint32_t index, uint32_t length, Window *places, Domain *joined)
{
    Bounds *bounds = reading->bounds;
    const Domain *i = bounds_at(bounds, index), *result = bounds_at(bounds, at);
    uint32_t window = bounds->at[index].window;
    bool any = false;
    for (unsigned k = 0; k < PLACES && k <= i->high - i->low; k++) {
        U128 value = i->low + k;
        if (!domain_has(bounds_width(bounds, index), i, value)) continue;
        if (window && !window_has(&bounds->windows.data[window - 1], bounds_width(bounds, index), value)) continue;
        Domain d = value < length ? element(reading, (uint32_t)value) : domain_value(reading->width, 0);
        bounds->work++;
        if (reading->steps > STEPS) return true;
        if (domain_disjoint(reading->width, result, &d)) continue;
        places->bits[k >> 6] |= (uint64_t)1 << (k & 63);
        *joined = any ? domain_union(reading->width, joined, &d) : d;
        any = true;
    }
    return any;
}

void bounds__contract_select(Bounds *bounds, uint32_t at)
{
    const DagNode *node = &bounds->dag.nodes[at], *array = &bounds->dag.nodes[node->a];
    const Domain *index = bounds_at(bounds, node->b);
    if (index->high - index->low >= PLACES) return;
    Reading reading = {.bounds = bounds, .array = node->a, .width = node->width};
    if (array->kind == EXPR_ARRAY && array->a == UINT32_MAX) expr_elements(bounds->pool, array->e, &reading.constants);
    Window places = {.base = index->low};
    Domain joined = domain_all(node->width);
    bool any = read_places(&reading, at, node->b, dag_array_length(&bounds->dag, node->a), &places, &joined);
    U128 reasons = reading.reasons | bounds_reasons(bounds, node->b);
    if (reading.steps > STEPS) return;
    if (!any) {
        bounds__conflict(bounds, reasons | bounds_reasons(bounds, at));
        return;
    }
    U128 of_result = bounds_reasons(bounds, at);
    bounds__sharpen(bounds, at, &joined, reasons);
    if (!bounds->empty) limit_index(bounds, node->b, &places, of_result | reading.reasons);
}
