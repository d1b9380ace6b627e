/* Fewer places in a shape: what is equal in effect is one place.
 *
 * Leaves of one kind with the same values are one, and so are branches on the same condition to the same places; a branch whose ways lead to one
 * place decides nothing and is left out.  So a scanner of n bytes that goes on in two ways at each, which make no difference, has some n
 * places instead of 2^n, and whatever is made of the shape later grows with that.  The shape is then a graph without cycles: a place may have
 * several above it.  Those below it still have higher numbers. */
#include "summary/summary_int.h"

#include <stdlib.h>

static uint64_t leaf_key(const Shape *shape, uint32_t place)
{
    uint64_t key = hash_mix(shape->places.data[place].kind);
    uint32_t rows = shape->result_count + shape->segment_count;
    for (uint32_t row = 0; row < rows; row++)
        key = hash_mix(key ^ hash_mix((uint64_t)row << 32 | shape->values.data[(size_t)row * shape->places.len + place]));
    return key;
}

/* Place i of the new ones, numbered from the last one, is place kept[i]; becomes: what any place is among the new ones. */
static void keep_places(Shape *shape, const uint32_t *becomes, const uint32_t *kept, uint32_t count)
{
    uint32_t rows = shape->result_count + shape->segment_count;
    Places places = {0};
    Vec_exprs values = {0};
    for (uint32_t i = 0; i < count; i++) {
        Place place = {.kind = shape->places.data[kept[count - 1 - i]].kind, .parent = UINT32_MAX};
        if (place.kind == PLACE_BRANCH) {
            const Place *old = &shape->places.data[kept[count - 1 - i]];
            place.condition = old->condition;
            place.yes = count - 1 - becomes[old->yes];
            place.no = count - 1 - becomes[old->no];
        }
        vec_push(&places, place);
    }
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t i = 0; i < count; i++) vec_push(&values, shape->values.data[(size_t)row * shape->places.len + kept[count - 1 - i]]);
    shape->first = count - 1 - becomes[shape->first];
    vec_release(&shape->places);
    vec_release(&shape->values);
    for (uint32_t i = 0; i < places.len; i++) vec_push(&shape->places, places.data[i]);
    for (uint32_t i = 0; i < values.len; i++) vec_push(&shape->values, values.data[i]);
    vec_release(&places);
    vec_release(&values);
}

void shape_merge_places(Shape *shape)
{
    uint32_t old_count = shape->places.len, count = 0;
    uint32_t *becomes = mem_alloc((old_count + 1) * sizeof *becomes), *kept = mem_alloc((old_count + 1) * sizeof *kept);
    Map known = {0};
    for (uint32_t i = old_count;
         i-- > 0;) { /* Children stand behind their parents, so the loop runs backwards; keep_places gives the final numbers. */
        const Place *p = &shape->places.data[i];
        bool branch = p->kind == PLACE_BRANCH;
        uint32_t yes = branch ? becomes[p->yes] : 0, no = branch ? becomes[p->no] : 0;
        uint64_t key = branch ? hash_mix(hash_mix((uint64_t)p->condition << 32 | yes) ^ hash_mix(no)) : leaf_key(shape, i);
        const uint64_t *same = map_find(&known, key);
        if (branch && yes == no) becomes[i] = yes;
        else if (same) becomes[i] = (uint32_t)*same;
        else {
            map_put(&known, key, count);
            kept[count] = i;
            becomes[i] = count++;
        }
    }
    keep_places(shape, becomes, kept, count);
    map_release(&known);
    free(becomes);
    free(kept);
}
