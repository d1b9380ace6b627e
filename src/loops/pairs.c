/* Pairs of chains: a turn along one chain and then a turn along another count as one way round the loop, so that a letter of a word can alternate between the two for
 * any number of turns.
 *
 * A pair is made only where one of the two cannot be gone along twice in a row, since other orders are written with single chains; and where each of the two
 * may follow the other. */
#include "loops/loops_int.h"

#include <stdlib.h>

enum { MOST_PAIRS = 4 /* of one loop.  A guess. */ };

/* The conditions or effects of a turn along `second` right after a turn along `first`; `locals` stand for those of the second turn. */
static void after(Loops *loops, const Node *node, const Chain *first, const Chain *second, const Exprs *locals, Exprs *conditions,
                  Exprs *effects)
{
    ExprTranslation t;
    expr_translation_init(&t, loops->host.pool, loops->host.pool);
    for (uint32_t i = 0; i < node->places.len; i++) expr_translation_set(&t, node->places.data[i].variable, first->effects.data[i]);
    for (uint32_t i = 0; i < locals->len; i++)
        if (!expr_translated(&t, second->locals.data[i])) expr_translation_set(&t, second->locals.data[i], locals->data[i]);
    for (uint32_t i = 0; i < second->conditions.len; i++) vec_push(conditions, expr_translate(&t, second->conditions.data[i]));
    for (uint32_t i = 0; effects && i < second->effects.len; i++) vec_push(effects, expr_translate(&t, second->effects.data[i]));
    expr_translation_release(&t);
}

static void add_fresh_locals(Loops *loops, const Chain *chain, Exprs *locals)
{
    ExprModel *model = vm_model(loops->host.vm);
    for (uint32_t i = 0; i < chain->locals.len; i++) {
        Expr local = chain->locals.data[i], fresh = expr_var(loops->host.pool, expr_width(loops->host.pool, local), "turn");
        expr_model_set(model, fresh, expr_model_get(model, local));
        vec_push(locals, fresh);
    }
}

/* Some state at the head of the loop, and some inputs, lead along `first` and then along `second`. */
static bool may_follow(Loops *loops, const Node *node, const Chain *first, const Chain *second)
{
    Exprs locals = {0}, conditions = {0};
    add_fresh_locals(loops, second, &locals);
    for (uint32_t i = 0; i < first->conditions.len; i++) vec_push(&conditions, first->conditions.data[i]);
    after(loops, node, first, second, &locals, &conditions, NULL);
    SolveAnswer answer = loops__ask(loops, 0, conditions.data, conditions.len);
    vec_release(&locals);
    vec_release(&conditions);
    return answer != SOLVE_UNSAT;
}

static void add_pair(Loops *loops, Node *node, uint32_t first, uint32_t second)
{
    const Chain *a = &node->chains.data[first], *b = &node->chains.data[second];
    Chain pair = {0};
    Part parts[2] = {{.chain = first}, {.chain = second}};
    for (uint32_t i = 0; i < a->trace.len; i++) vec_push(&pair.trace, a->trace.data[i]);
    for (uint32_t i = 0; i < b->trace.len; i++) vec_push(&pair.trace, b->trace.data[i]);
    for (uint32_t i = 0; i < a->conditions.len; i++) vec_push(&pair.conditions, a->conditions.data[i]);
    for (uint32_t i = 0; i < a->locals.len; i++) vec_push(&parts[0].locals, a->locals.data[i]);
    add_fresh_locals(loops, b, &parts[1].locals);
    after(loops, node, a, b, &parts[1].locals, &pair.conditions, &pair.effects);
    for (uint32_t k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < parts[k].locals.len; i++) vec_push(&pair.locals, parts[k].locals.data[i]);
        vec_push(&pair.parts, parts[k]);
    }
    vec_push(&node->chains, pair);
    loops->stats.chains++;
}

void loops__add_pairs(Loops *loops, Node *node)
{
    uint32_t count = node->chains.len, pairs = 0;
    uint8_t *repeats = mem_alloc(count + 1);
    for (uint32_t i = 0; i < count; i++) repeats[i] = may_follow(loops, node, &node->chains.data[i], &node->chains.data[i]);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = i + 1; k < count && pairs < MOST_PAIRS; k++) {
            if (repeats[i] && repeats[k]) continue;
            if (!may_follow(loops, node, &node->chains.data[i], &node->chains.data[k])) continue;
            if (!may_follow(loops, node, &node->chains.data[k], &node->chains.data[i])) continue;
            add_pair(loops, node, i, k);
            pairs++;
        }
    free(repeats);
}
