/* Going along a loop in closed form: a word has each chain so many times in turn, and the state at the head becomes what the word makes of it.
 *
 * That a turn goes along its chain is a condition on the state before the turn.  It is asked for in the first two turns and in the last: a condition on a progression that holds in these
 * mostly holds in between, and a steered execution finds out whether it does; that something differs from a progression is asked of all turns.  What a turn asks of its own inputs is asked of one set of
 * inputs, which all turns along the letter then get.  Conditions on what an index that moves with the turns leads to are asked for at the first, second and last place. */
#include "loops/loops_int.h"

#include "base/arith.h"
#include "vm/observer.h"

#include <stdlib.h>

enum {
    MANY_ROUNDS = 3, /* where a word has each chain at least so many times, … */
    LETTERS = 8      /* … it has at least so many letters, since several of one chain may differ in their inputs.  A guess. */
};

typedef struct Word {
    Loops *loops;
    Node *node;
    Expr *variables, *state, *next, *scratch; /* per place */
    Exprs conditions, effects;                /* of the chain, with these */
} Word;

static bool contains_input(const ExprPool *pool, Expr root)
{
    Exprs open = {0};
    Map seen = {0};
    bool found = false;
    vec_push(&open, root);
    while (open.len && !found) {
        Expr e = vec_pop(&open);
        if (map_find(&seen, e)) continue;
        map_put(&seen, e, 1);
        ExprKind kind = expr_kind(pool, e);
        const Expr *elements;
        found = kind == EXPR_VAR;
        uint32_t n = kind == EXPR_ARRAY || kind == EXPR_APPLY ? expr_elements(pool, e, &elements) : 0;
        for (uint32_t i = 0; i < n; i++) vec_push(&open, elements[i]);
        for (unsigned i = 0; i < expr_operand_count(kind); i++) vec_push(&open, expr_operand(pool, e, i));
    }
    vec_release(&open);
    map_release(&seen);
    return found;
}

static Expr all_of(ExprPool *pool, const Exprs *list)
{
    Expr all = expr_const(pool, 1, 1);
    for (uint32_t i = 0; i < list->len; i++) all = expr_and(pool, all, list->data[i]);
    return all;
}

/* Does the condition read inputs at a place that moves with the turns?  Then it is one condition for each turn, on other inputs each time; they
 * mostly have nothing to do with each other, and steering asks for them one by one. */
static bool reads_inputs_along(const Word *w, Expr root)
{
    const ExprPool *pool = w->loops->host.pool;
    Exprs open = {0};
    Map seen = {0};
    bool found = false;
    vec_push(&open, root);
    while (open.len && !found) {
        Expr e = vec_pop(&open);
        if (map_find(&seen, e)) continue;
        map_put(&seen, e, 1);
        ExprKind kind = expr_kind(pool, e);
        const Expr *elements;
        if (kind == EXPR_SELECT) found = contains_input(pool, expr_operand(pool, e, 0)) && contains_input(pool, expr_operand(pool, e, 1));
        uint32_t n = kind == EXPR_ARRAY || kind == EXPR_APPLY ? expr_elements(pool, e, &elements) : 0;
        for (uint32_t i = 0; i < n; i++) vec_push(&open, elements[i]);
        for (unsigned i = 0; i < expr_operand_count(kind); i++) vec_push(&open, expr_operand(pool, e, i));
    }
    vec_release(&open);
    map_release(&seen);
    return found;
}

/* More turns than `than` require that the chain's conditions hold in the state `values`. */
static Expr required(Word *w, const Forms *forms, Expr turns, uint32_t than, const Expr *values)
{
    ExprPool *pool = w->loops->host.pool;
    Exprs there = {0};
    for (uint32_t i = 0; i < w->conditions.len; i++) vec_push(&there, 0);
    forms_replace_all(forms, values, NULL, 0, w->conditions.data, w->conditions.len, there.data);
    Expr few = expr_binary(pool, EXPR_ULE, turns, expr_const(pool, 32, than));
    Expr result = expr_or(pool, few, all_of(pool, &there));
    vec_release(&there);
    return result;
}

/* The constant that the chain's conditions say the local is, such as the case of a switch; 0: they do not say it. */
static Expr constant_of(const ExprPool *pool, const Chain *chain, Expr local)
{
    for (uint32_t i = 0; i < chain->conditions.len; i++) {
        Expr c = chain->conditions.data[i];
        if (expr_kind(pool, c) != EXPR_EQ) continue;
        Expr a = expr_operand(pool, c, 0), b = expr_operand(pool, c, 1);
        if (a == local && expr_is_const(pool, b)) return b;
        if (b == local && expr_is_const(pool, a)) return a;
    }
    return 0;
}

/* The inverse of an odd number modulo 2^128: each step doubles the number of lowest bits that are right, of which an odd number has three. */
static U128 inverse_of(U128 odd)
{
    U128 inverse = odd;
    for (unsigned bits = 3; bits < 128; bits *= 2) inverse *= 2 - odd * inverse;
    return inverse;
}

/* What begins as `start` and grows by the constant `step` is not 0 before any of the turns: the turn before which it is 0 first can be computed. */
static Expr never_zero(ExprPool *pool, Expr start, U128 step, Expr turns)
{
    unsigned width = expr_width(pool, start), low = 0;
    while (!(step >> low & 1)) low++;
    unsigned rest = width - low, wide = rest > 32 ? rest : 32;
    Expr part = expr_binary(pool, EXPR_SUB, expr_const(pool, rest, 0), expr_extract(pool, start, low, rest));
    Expr when = expr_binary(pool, EXPR_MUL, part, expr_const(pool, rest, inverse_of(step >> low) & arith_mask(rest)));
    Expr later = expr_binary(pool, EXPR_ULE, expr_zext(pool, turns, wide), expr_zext(pool, when, wide));
    if (!low) return later;
    return expr_or(pool, later, expr_not(pool, expr_eq(pool, expr_extract(pool, start, 0, low), expr_const(pool, low, 0))));
}

/* That two things differ whose difference grows by a constant is asked of all turns, and exactly: it may hold in the first turns and in the last and not
 * in between. */
static Expr all_differ(Word *w, const Forms *forms, Expr turns)
{
    ExprPool *pool = w->loops->host.pool;
    Expr all = expr_const(pool, 1, 1);
    for (uint32_t i = 0; i < w->conditions.len; i++) {
        Expr c = w->conditions.data[i];
        if (expr_kind(pool, c) != EXPR_NOT || expr_kind(pool, expr_operand(pool, c, 0)) != EXPR_EQ) continue;
        Expr equal = expr_operand(pool, c, 0);
        Expr difference = expr_binary(pool, EXPR_SUB, expr_operand(pool, equal, 0), expr_operand(pool, equal, 1));
        Expr step = expr_binary(pool, EXPR_SUB, forms_replace(forms, w->effects.data, difference), difference);
        if (!expr_is_const(pool, step) || !expr_value(pool, step)) continue;
        all = expr_and(pool, all, never_zero(pool, forms_replace(forms, w->state, difference), expr_value(pool, step), turns));
    }
    return all;
}

/* New variables for what differs from turn to turn.  Where the chain says what a local is, that takes its place, so that the sum of such inputs is a multiple of the number of turns. */
static void rename_locals(Word *w, const Chain *chain, Letter *letter)
{
    ExprPool *pool = w->loops->host.pool;
    ExprTranslation t;
    expr_translation_init(&t, pool, pool);
    for (uint32_t i = 0; i < chain->locals.len; i++) {
        Expr local = chain->locals.data[i], constant = constant_of(pool, chain, local),
             renamed = expr_var(pool, expr_width(pool, local), "turn");
        expr_model_set(vm_model(w->loops->host.vm), renamed,
                       constant ? expr_value(pool, constant) : expr_model_get(vm_model(w->loops->host.vm), local));
        vec_push(&letter->locals, renamed);
        if (!expr_translated(&t, local)) expr_translation_set(&t, local, constant ? constant : renamed);
    }
    vec_clear(&w->conditions);
    vec_clear(&w->effects);
    for (uint32_t i = 0; i < chain->conditions.len; i++) {
        bool left_out = !w->loops->exact && reads_inputs_along(w, chain->conditions.data[i]);
        if (!left_out) vec_push(&w->conditions, expr_translate(&t, chain->conditions.data[i]));
        w->loops->left_out |= left_out;
    }
    for (uint32_t i = 0; i < chain->effects.len; i++) vec_push(&w->effects, expr_translate(&t, chain->effects.data[i]));
    expr_translation_release(&t);
}

static bool changes_anything(const Node *node, const Chain *chain)
{
    for (uint32_t i = 0; i < node->places.len; i++)
        if (chain->effects.data[i] != node->places.data[i].variable) return true;
    return false;
}

/* So many turns along the chain: the condition for them is put on the path, and the state becomes what they make of it. */
static void add_letter(Word *w, uint32_t number)
{
    Loops *loops = w->loops;
    ExprPool *pool = loops->host.pool;
    const Chain *chain = &w->node->chains.data[number];
    uint32_t count = w->node->places.len;
    Letter letter = {.chain = number, .number = expr_var(pool, loops->bits, "turns")};
    Forms forms;
    letter.turns = expr_zext(pool, letter.number, 32);
    rename_locals(w, chain, &letter);
    forms_init(&forms, pool, w->variables, w->effects.data, w->state, count);
    Expr condition = required(w, &forms, letter.turns, 0, w->state);
    forms_replace_all(&forms, w->state, NULL, 0, w->effects.data, count, w->next);
    condition = expr_and(pool, condition, required(w, &forms, letter.turns, 1, w->next));
    forms_after(&forms, w->state, expr_binary(pool, EXPR_SUB, letter.turns, expr_const(pool, 32, 1)), w->scratch);
    condition = expr_and(pool, condition, required(w, &forms, letter.turns, 0, w->scratch));
    condition = expr_and(pool, condition, all_differ(w, &forms, letter.turns));
    forms_after(&forms, w->state, letter.turns, w->next);
    for (uint32_t i = 0; i < count; i++) {
        Expr none = expr_eq(pool, letter.turns, expr_const(pool, 32, 0));
        if (!w->next[i]) w->next[i] = expr_ite(pool, none, w->state[i], expr_var(pool, w->node->places.data[i].width, "unknown"));
    }
    memcpy(w->state, w->next, count * sizeof *w->state);
    vec_push(&w->node->word, letter);
    vm_assume(loops->host.vm, condition);
    forms_release(&forms);
}

void loops__go_along(Loops *loops, Node *node)
{
    uint32_t count = node->places.len;
    Word w = {.loops = loops, .node = node};
    w.variables = mem_alloc((count + 1) * sizeof(Expr));
    w.state = mem_alloc((count + 1) * sizeof(Expr));
    w.next = mem_alloc((count + 1) * sizeof(Expr));
    w.scratch = mem_alloc((count + 1) * sizeof(Expr));
    for (uint32_t i = 0; i < count; i++) {
        w.variables[i] = node->places.data[i].variable;
        w.state[i] = node->places.data[i].start;
    }
    uint32_t rounds = loops->rounds;
    if (rounds >= MANY_ROUNDS && rounds * node->chains.len < LETTERS) rounds = LETTERS / node->chains.len;
    for (uint32_t round = 0; round < rounds; round++)
        for (uint32_t i = 0; i < node->chains.len; i++)
            if (changes_anything(node, &node->chains.data[i])) add_letter(&w, i);
    for (uint32_t i = 0; i < count && node->word.len; i++) {
        const Place *p = &node->places.data[i];
        if (p->in_memory) vm_put(loops->host.vm, p->address, p->width / 8, w.state[i]);
        else vm_set_register(loops->host.vm, p->reg, p->width, w.state[i]);
    }
    loops->stats.loops += node->word.len != 0;
    free(w.variables);
    free(w.state);
    free(w.next);
    free(w.scratch);
    vec_release(&w.conditions);
    vec_release(&w.effects);
}
