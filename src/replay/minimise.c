/* A small suite: greedy set cover over what each test was seen to do natively, then those are dropped whose every outcome is another's too.
 * Greedy is within a factor of ln n of the least and in practice near it; the second step removes the early choices that later ones made
 * needless.  Ties go to the earlier test, so the result depends on nothing else than the sets. */
#include "replay/replay_int.h"

#include <stdlib.h>

typedef struct Cover {
    const OutcomeSet *sets;
    uint32_t *numbers, number_count; /* the outcomes that are wanted and that some test has */
    uint32_t *times;                 /* for each of those, by how many tests that are kept */
} Cover;

static uint32_t gain(const Cover *c, uint32_t test)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->number_count; i++) n += !c->times[i] && outcome_seen(&c->sets[test], c->numbers[i]);
    return n;
}

static void count_in(Cover *c, uint32_t test, int by)
{
    for (uint32_t i = 0; i < c->number_count; i++)
        if (outcome_seen(&c->sets[test], c->numbers[i])) c->times[i] += (uint32_t)by;
}

static bool is_needless(const Cover *c, uint32_t test)
{
    for (uint32_t i = 0; i < c->number_count; i++)
        if (c->times[i] < 2 && outcome_seen(&c->sets[test], c->numbers[i])) return false;
    return true;
}

static void list_wanted(Cover *c, const Numbers *numbers, const OutcomeSet *wanted)
{
    c->numbers = mem_alloc((numbers->count + 1) * sizeof *c->numbers);
    c->times = mem_alloc((numbers->count + 1) * sizeof *c->times);
    for (uint32_t i = 0; i < numbers->count; i++)
        if (outcome_seen(wanted, i)) c->numbers[c->number_count++] = i;
}

void replay__choose(const Numbers *numbers, const OutcomeSet *wanted, const OutcomeSet *sets, const bool *must, const bool *usable,
                    uint32_t count, bool *keep)
{
    Cover cover = {.sets = sets};
    list_wanted(&cover, numbers, wanted);
    for (uint32_t i = 0; i < count; i++) keep[i] = must[i]; /* for what they are, not for what they cover */
    for (;;) {
        uint32_t best = 0, best_gain = 0;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t g = usable[i] && !keep[i] ? gain(&cover, i) : 0;
            if (g > best_gain) best = i, best_gain = g;
        }
        if (!best_gain) break;
        keep[best] = true;
        count_in(&cover, best, 1);
    }
    for (uint32_t i = count; i-- > 0;) {
        if (!keep[i] || must[i] || !is_needless(&cover, i)) continue;
        keep[i] = false;
        count_in(&cover, i, -1);
    }
    free(cover.numbers);
    free(cover.times);
}
