/* A small suite: greedy set cover over what each test was seen to do natively, then those are dropped whose every outcome is another's too.
 * Greedy is within a factor of ln n of the least and in practice near it; the second step removes the early choices that later ones made
 * needless.  Ties go to the earlier test, so the result depends on nothing else than the sets.
 *
 * Each test knows how many of its outcomes no chosen one has.  When a test is chosen, only tests that share one of its new outcomes are told, so the
 * cost is that of the sets themselves and of one pass over the tests for each choice. */
#include "replay/replay_int.h"

#include <stdlib.h>

typedef Vec(uint32_t) Numbered;

typedef struct Cover {
    Numbered *outcomes; /* by test: the wanted ones that it has */
    Numbered *tests;    /* by outcome: the usable tests that have it */
    uint32_t *gains;    /* by test: how many of its outcomes are not covered yet */
    uint32_t *times;    /* by outcome: by how many tests that are kept */
} Cover;

static void list_outcomes(Cover *c, const Numbers *numbers, const OutcomeSet *wanted, const OutcomeSet *set, uint32_t test, bool usable)
{
    for (uint32_t word = 0; set->bits && wanted->bits && word <= numbers->count / 64; word++) {
        for (uint64_t bits = set->bits[word] & wanted->bits[word]; bits; bits &= bits - 1) {
            uint32_t number = word * 64 + (uint32_t)__builtin_ctzll(bits);
            vec_push(&c->outcomes[test], number);
            if (usable) vec_push(&c->tests[number], test);
        }
    }
    c->gains[test] = usable ? c->outcomes[test].len : 0;
}

static void keep_test(Cover *c, uint32_t test)
{
    for (uint32_t i = 0; i < c->outcomes[test].len; i++) {
        uint32_t number = c->outcomes[test].data[i];
        if (c->times[number]++) continue;
        for (uint32_t k = 0; k < c->tests[number].len; k++) c->gains[c->tests[number].data[k]]--;
    }
}

static bool is_needless(const Cover *c, uint32_t test)
{
    for (uint32_t i = 0; i < c->outcomes[test].len; i++)
        if (c->times[c->outcomes[test].data[i]] < 2) return false;
    return true;
}

static uint32_t best_of(const Cover *c, uint32_t count)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < count; i++)
        if (c->gains[i] > c->gains[best]) best = i;
    return best;
}

void replay__choose(const Numbers *numbers, const OutcomeSet *wanted, const OutcomeSet *sets, const bool *must, const bool *usable,
                    uint32_t count, bool *keep)
{
    Cover c = {mem_alloc((count + 1) * sizeof *c.outcomes), mem_alloc((numbers->count + 1) * sizeof *c.tests),
               mem_alloc((count + 1) * sizeof *c.gains), mem_alloc((numbers->count + 1) * sizeof *c.times)};
    for (uint32_t i = 0; i < count; i++) {
        keep[i] = must[i]; /* for what they are, not for what they cover */
        list_outcomes(&c, numbers, wanted, &sets[i], i, usable[i] && !must[i]);
    }
    for (uint32_t best; count && c.gains[best = best_of(&c, count)];) {
        keep[best] = true;
        keep_test(&c, best);
    }
    for (uint32_t i = count; i-- > 0;) {
        if (!keep[i] || must[i] || !is_needless(&c, i)) continue;
        keep[i] = false;
        for (uint32_t k = 0; k < c.outcomes[i].len; k++) c.times[c.outcomes[i].data[k]]--;
    }
    for (uint32_t i = 0; i < count; i++) vec_release(&c.outcomes[i]);
    for (uint32_t i = 0; i < numbers->count; i++) vec_release(&c.tests[i]);
    free(c.outcomes);
    free(c.tests);
    free(c.gains);
    free(c.times);
}
