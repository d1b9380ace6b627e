/* Values that the path leaves no choice of.
 *
 * Where one element of a table is READY, `if (status[choice] == READY)` says which value `choice` has, though no known bit of the input shows it.  If the
 * program then writes to status[choice], and the address counts as symbolic, every element becomes "the new value if choice is here": the table is
 * symbolic from there on, equal states look different, and queries grow with every turn of the scheduler.
 *
 * So for a narrow part of an input (a term, of at most 8 bits) the values are kept that the conditions on this part alone admit.  An address made of terms
 * with one value each is a constant.  No condition is recorded for that, because it follows from those that the path has.  KLEE does the same for
 * equalities ("implied value concretization"); sets also cover tables and inequalities.
 *
 * The path is read only where an address is symbolic and consists of terms; each condition once, by evaluating it for all values of its term. */
#include "vm/vm_int.h"

#include <stdlib.h>

enum {
    TERM_BITS = 8,
    SET_WORDS = (1 << TERM_BITS) / 64,
    MOST_TERMS = 4,   /* of an address */
    MOST_VISITS = 128 /* nodes of an expression, elements of its tables included; larger ones say nothing.  Guess. */
};

typedef struct ValueSet {
    uint64_t words[SET_WORDS];
} ValueSet;

/* What the path leaves of a term since a condition. */
typedef struct Narrowed {
    ValueSet values;
    Expr term;
    uint32_t condition; /* its place on the path */
    uint32_t before;    /* what was left of the same term, counted from 1; 0: everything */
} Narrowed;

struct VmImplied {
    Vec(Narrowed) narrowed;
    Map latest;       /* term -> place in `narrowed`, counted from 1 */
    uint32_t read;    /* conditions of the path */
    ExprModel *model; /* to evaluate conditions under other values than the run's */
    Vec(Expr) visited;
};

typedef struct Terms {
    Expr all[MOST_TERMS];
    uint32_t count;
} Terms;

/* ---- terms ---- */

static bool is_term(const ExprPool *pool, Expr e)
{
    if (expr_width(pool, e) > TERM_BITS) return false;
    return expr_kind(pool, e) == EXPR_VAR || (expr_kind(pool, e) == EXPR_EXTRACT && expr_kind(pool, expr_operand(pool, e, 0)) == EXPR_VAR);
}

static Expr variable_of(const ExprPool *pool, Expr term)
{
    return expr_kind(pool, term) == EXPR_VAR ? term : expr_operand(pool, term, 0);
}

static bool add_term(Terms *terms, Expr term)
{
    for (uint32_t i = 0; i < terms->count; i++)
        if (terms->all[i] == term) return true;
    if (terms->count == MOST_TERMS) return false;
    terms->all[terms->count++] = term;
    return true;
}

static bool visit(VmImplied *s, Expr e)
{
    for (uint32_t i = 0; i < s->visited.len; i++)
        if (s->visited.data[i] == e) return true;
    if (s->visited.len == MOST_VISITS) return false;
    vec_push(&s->visited, e);
    return true;
}

/* False: it is large, or depends on something else than terms. */
static bool find_terms(VmImplied *s, const ExprPool *pool, Expr root, Terms *terms)
{
    *terms = (Terms){0};
    vec_clear(&s->visited);
    vec_push(&s->visited, root);
    for (uint32_t i = 0; i < s->visited.len; i++) {
        Expr e = s->visited.data[i];
        const Expr *elements;
        ExprKind kind = expr_kind(pool, e);
        if (kind == EXPR_CONST) continue;
        if (is_term(pool, e)) {
            if (!add_term(terms, e)) return false;
            continue;
        }
        if (kind == EXPR_VAR || kind == EXPR_UNDEF || kind == EXPR_APPLY) return false;
        uint32_t count = kind == EXPR_ARRAY ? expr_elements(pool, e, &elements) : expr_operand_count(kind);
        for (uint32_t k = 0; k < count; k++)
            if (!visit(s, kind == EXPR_ARRAY ? elements[k] : expr_operand(pool, e, k))) return false;
    }
    return true;
}

/* ---- what the path says of them ---- */

static bool has(const ValueSet *set, unsigned value)
{
    return set->words[value / 64] >> (value % 64) & 1;
}

static unsigned count_values(const ValueSet *set)
{
    unsigned count = 0;
    for (unsigned i = 0; i < SET_WORDS; i++) count += (unsigned)__builtin_popcountll(set->words[i]);
    return count;
}

static void narrow(VmImplied *s, const ExprPool *pool, Expr condition, Expr term, uint32_t at)
{
    const uint64_t *latest = map_find(&s->latest, term);
    Narrowed now = {.term = term, .condition = at, .before = latest ? (uint32_t)*latest : 0};
    Expr variable = variable_of(pool, term);
    unsigned low = variable == term ? 0 : expr_extract_low(pool, term);
    for (unsigned value = 0; value < 1u << expr_width(pool, term); value++) {
        if (now.before && !has(&s->narrowed.data[now.before - 1].values, value)) continue;
        expr_model_set(s->model, variable, (U128)value << low);
        if (expr_eval(s->model, condition)) now.values.words[value / 64] |= 1ull << (value % 64);
    }
    vec_push(&s->narrowed, now);
    map_put(&s->latest, term, s->narrowed.len);
}

static void read_path(Vm *vm)
{
    VmImplied *s = vm->implied;
    Terms terms;
    for (; s->read < vm->path.len; s->read++) {
        Expr condition = vm->path.data[s->read].condition;
        if (find_terms(s, vm->pool, condition, &terms) && terms.count == 1) narrow(s, vm->pool, condition, terms.all[0], s->read);
    }
}

void vm__forget_implied(Vm *vm, uint32_t length)
{
    VmImplied *s = vm->implied;
    if (!s || s->read <= length) return;
    s->read = length;
    while (s->narrowed.len && vec_top(&s->narrowed).condition >= length) {
        Narrowed last = vec_pop(&s->narrowed);
        if (last.before) map_put(&s->latest, last.term, last.before);
        else map_remove(&s->latest, last.term);
    }
}

static bool is_single(const VmImplied *s, Expr term)
{
    const uint64_t *latest = map_find(&s->latest, term);
    return latest && count_values(&s->narrowed.data[*latest - 1].values) == 1;
}

/* ---- the question ---- */

static void start(Vm *vm)
{
    vm->implied = mem_alloc(sizeof *vm->implied);
    vm->implied->model = expr_model_new(vm->pool);
}

void vm__release_implied(Vm *vm)
{
    if (!vm->implied) return;
    vec_release(&vm->implied->narrowed);
    vec_release(&vm->implied->visited);
    map_release(&vm->implied->latest);
    expr_model_free(vm->implied->model);
    free(vm->implied);
}

/* A summary is to hold for every path that calls the function, so what the caller's path implies is not used in it. */
bool vm__is_implied(Vm *vm, Expr e)
{
    Terms terms;
    if (vm__isolated(vm) || vm->evaluating != EVALUATING_NOTHING || expr_has_undef(vm->pool, e)) return false;
    if (!vm->implied) start(vm);
    if (!find_terms(vm->implied, vm->pool, e, &terms)) return false;
    read_path(vm);
    for (uint32_t i = 0; i < terms.count; i++)
        if (!is_single(vm->implied, terms.all[i]) && !is_single(vm->implied, variable_of(vm->pool, terms.all[i]))) return false;
    return true;
}
