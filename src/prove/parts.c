/* Certificates in parts: which R-states some of the proved branches rest on.
 *
 * R-states are shared by all branches, so that a certificate with all of them grows with each branch, and one question that is too hard for clew-check would
 * cost every branch.  Backward analysis therefore notes what each R-state rests on: the R-states that were made of what leads into it, those that include
 * it, and the facts of the abstract interpreter where they were used.  What a branch rests on, directly or not, is closed backwards by itself. */
#include "prove/backward_int.h"

#include <stdlib.h>

void backward__rests_on(Backward *b, uint32_t on)
{
    vec_push(&b->rests, ((Rest){b->followed, on}));
}

/* An R-state that was included in another one when that was made is represented by it. */
static uint32_t representative(const Backward *b, uint32_t state)
{
    while (vec_at(&b->states, state).included) state = vec_at(&b->states, state).included_by;
    return state;
}

static void need(const Backward *b, uint32_t on, bool *needed, Numbers *pending)
{
    uint32_t state = on == REST_FACTS ? b->states.len : representative(b, on);
    if (needed[state]) return;
    needed[state] = true;
    if (on != REST_FACTS) vec_push(pending, state);
}

void backward__needed(const Backward *b, const uint32_t *branches, uint32_t count, bool *needed)
{
    uint32_t *first = mem_alloc((b->states.len + 1) * sizeof *first), *next = mem_alloc((b->rests.len + 1) * sizeof *next);
    Numbers pending = {0};
    for (uint32_t i = 0; i < b->rests.len; i++) {
        Rest rest = b->rests.data[i];
        if (rest.state >= REST_BRANCH) {
            for (uint32_t k = 0; k < count; k++)
                if (rest.state == REST_BRANCH + branches[k]) need(b, rest.on, needed, &pending);
            continue;
        }
        next[i] = first[rest.state];
        first[rest.state] = i + 1;
    }
    while (pending.len) {
        uint32_t state = vec_pop(&pending);
        for (uint32_t i = first[state]; i; i = next[i - 1]) need(b, b->rests.data[i - 1].on, needed, &pending);
    }
    vec_release(&pending);
    free(first);
    free(next);
}

void backward_forget_nodes(Backward *b, const uint32_t *nodes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t state = nodes[i] < b->written.len ? b->written.data[nodes[i]] : REST_FACTS;
        if (state != REST_FACTS) vec_at(&b->states, state).rejected = true;
    }
}
