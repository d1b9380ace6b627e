/* Windows: a few neighbouring inputs of a sequence are symbolic while all others are constants, and the solver turns the conditions on them.
 *
 * From one execution each of its conditions is turned by itself; or one condition after the other is turned, each in an execution with the values that the
 * solver has found before.  The first way finds quickly which condition matters, and the second one finds what needs several conditions at once.  Half of
 * the windows are looked through in each way. */
#include "search/sequences.h"

#include "base/arith.h"

enum {
    MOST_WINDOW = 6,        /* its binary logarithm: a window has up to 64 inputs.  A guess. */
    MOST_TURNS = 64,        /* of conditions in one window, so that looking through it ends soon (a third of a second).  A guess. */
    WINDOW_EFFORT = 3000000 /* of one question to the solver, as for a point that is tried for the first time (go.c) */
};

/* Where a value was fixed, the other outcome is any other value. */
static bool has_other_outcome(const VmCondition *c)
{
    return c->kind == CONDITION_BRANCH || c->kind == CONDITION_CHECK || c->kind == CONDITION_CONCRETE;
}

static bool is_wanted(const Search *search, const VmCondition *c)
{
    Point p = {.kind = c->kind, .bug = c->bug, .branch = c->branch, .loc = c->loc};
    return c->kind != CONDITION_ASSUME && search__is_worthwhile(search, &p);
}

/* The condition of the path, from number `first` on, that is to come out otherwise: one that shows something new, or else any; UINT32_MAX: none. */
static uint32_t choose_condition(BySequences *self, uint32_t first)
{
    Search *search = self->search;
    uint32_t chosen = UINT32_MAX, wanted = 0, any = 0;
    for (uint32_t i = first; i < vm_path_length(search->vm); i++) {
        const VmCondition *c = vm_condition(search->vm, i);
        if (!has_other_outcome(c)) continue;
        if (is_wanted(search, c)) {
            if (sequences__below(self, ++wanted) == 0) chosen = i;
        } else if (!wanted && sequences__below(self, ++any) == 0) {
            chosen = i;
        }
    }
    return chosen;
}

/* Asks for inputs by which the condition comes out otherwise, after the same ones before.  The trial gets them. */
static bool ask_otherwise(BySequences *self, uint32_t condition)
{
    Search *search = self->search;
    vec_clear(&search->prefix);
    for (uint32_t i = 0; i < condition; i++) vec_push(&search->prefix, vm_condition(search->vm, i)->condition);
    search__assert(search, search->prefix.data, condition);
    Expr otherwise = expr_not(search->pool, vm_condition(search->vm, condition)->condition);
    solver_set_effort(search->solver, WINDOW_EFFORT);
    if (solver_check(search->solver, &otherwise, 1, vm_model(search->vm)) != SOLVE_SAT) return false;
    search__set_inputs(search);
    for (uint32_t i = 0; i < vm_input_count(search->vm) && i < self->trial.len; i++) {
        Expr variable = vm_input(search->vm, i); /* 0: a constant */
        if (variable) self->trial.data[i] = expr_model_get(vm_model(search->vm), variable);
    }
    return true;
}

/* Changes the trial so that one condition on the window's inputs, from number *first on, comes out otherwise.  The next one to change is behind it.
 * False: there is none, or no inputs change it. */
static bool turn_condition(BySequences *self, Window window, uint32_t length, uint32_t *first)
{
    sequences__perform(self, &self->trial, window, length, self->taken);
    uint32_t condition = choose_condition(self, *first);
    bool found = condition != UINT32_MAX && ask_otherwise(self, condition);
    *first = condition + 1;
    return found;
}

/* A window somewhere in the sequence.  The trial becomes the sequence, if need be prolonged to the end of the window.  It is executed to the end of the window,
 * or, half of the time, to its own end: what the program asks for in the window may decide something later. */
static Window choose_window(BySequences *self, const Sequence *sequence, uint32_t *length)
{
    uint32_t size = 1u << sequences__below(self, MOST_WINDOW + 1), at = sequences__choose_place(self, sequence);
    bool is_fixed = at < sequence->fixed;
    uint32_t first = is_fixed ? 0 : sequence->fixed, middle = is_fixed ? at : at + 1;
    Window window = {.from = middle > first + size / 2 ? middle - size / 2 : first};
    window.end = window.from + size;
    if (is_fixed && window.end > sequence->fixed) window.end = sequence->fixed;
    sequences__prolong(sequence, is_fixed ? 0 : window.end, &self->trial);
    *length = is_fixed || sequences__below(self, 2) ? self->trial.len : window.end;
    return window;
}

/* Repetitions are long, so they are left out where they have taken more work than the rest. */
static void rehearse_turned(BySequences *self, uint64_t begun)
{
    const Search *search = self->search;
    sequences__rehearse(self, &self->trial);
    uint64_t turned = search_work(search);
    self->turn_work += turned - begun;
    if (self->latest.length == 0 || self->repeat_work > self->turn_work) return;
    sequences__repeat_stretch(self, &self->latest, &self->repeated);
    sequences__rehearse(self, &self->repeated);
    self->repeat_work += search_work(search) - turned;
}

/* One condition after the other is turned, because what has to hold at once may be several. */
static void turn_in_a_row(BySequences *self, Window window, uint32_t length)
{
    uint32_t first = 0;
    for (uint32_t turns = 0; turns < MOST_TURNS; turns++) {
        uint64_t begun = search_work(self->search);
        if (!turn_condition(self, window, length, &first)) break;
        rehearse_turned(self, begun);
    }
}

static void set_window(BySequences *self, Window window, const U128 *values)
{
    for (uint32_t i = window.from; i < window.end; i++) self->trial.data[i] = values[i - window.from];
}

static void keep_window(BySequences *self, Window window, Values *values)
{
    for (uint32_t i = window.from; i < window.end; i++) vec_push(values, self->trial.data[i]);
}

/* The model gets the window's values, from which the solver begins. */
static void reset_model(BySequences *self, Window window)
{
    Search *search = self->search;
    for (uint32_t i = window.from; i < window.end && i < vm_input_count(search->vm); i++) {
        Expr variable = vm_input(search->vm, i);
        if (variable) expr_model_set(vm_model(search->vm), variable, self->trial.data[i] & arith_mask(expr_width(search->pool, variable)));
    }
}

/* Puts into `others` the window's values by which each condition alone comes out otherwise; of more than MOST_TURNS conditions, about as many are chosen. */
static void find_others(BySequences *self, Window window, uint32_t length, Values *others)
{
    Values own = {0};
    sequences__perform(self, &self->trial, window, length, self->taken);
    keep_window(self, window, &own);
    uint32_t count = vm_path_length(self->search->vm);
    for (uint32_t i = 0; i < count; i++) {
        if (!has_other_outcome(vm_condition(self->search->vm, i)) || sequences__below(self, count) >= MOST_TURNS) continue;
        reset_model(self, window);
        if (ask_otherwise(self, i)) keep_window(self, window, others);
        set_window(self, window, own.data);
    }
    vec_release(&own);
}

/* Each condition is turned by itself, because the path to them is executed only once then. */
static void turn_each(BySequences *self, Window window, uint32_t length)
{
    Values others = {0};
    uint64_t begun = search_work(self->search);
    find_others(self, window, length, &others);
    for (uint32_t at = 0; at < others.len; at += window.end - window.from) {
        set_window(self, window, others.data + at);
        rehearse_turned(self, begun);
        begun = search_work(self->search);
    }
    vec_release(&others);
}

void sequences__look(BySequences *self, const Sequence *sequence)
{
    uint32_t length;
    Window window = choose_window(self, sequence, &length);
    if (window.end > self->trial.len) window.end = self->trial.len;
    if (sequences__below(self, 2)) turn_each(self, window, length);
    else turn_in_a_row(self, window, length);
}
