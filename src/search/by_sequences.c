/* A technique for programs that ask for inputs again and again: long sequences of inputs, made out of shorter ones.
 *
 * What a controller does after a thousand rounds lies too deep for points: each path to it has thousands of conditions.  But most of its rounds are alike.  So
 * sequences that showed something new are kept, whoever found them, and new ones are made of them: a stretch is repeated many times, left out, or replaced
 * by a stretch of another sequence; one value, or all that one place asks for, becomes another.  Such a sequence is *rehearsed*: the machine executes
 * it with constants for inputs, at full speed.
 *
 * What a rehearsal has done is a set of *deeds*: it has taken some branch 1, 2, 4, 8, … times (the measure of the fuzzer AFL), or it has ended in a state
 * in which some register or word of memory has some value, or two of them have some pair of values (to a power of two).  For each deed, the
 * shortest sequence known is kept: so what takes many rounds is come to in steps, each from a state that was reached before.
 *
 * Where rounds differ, the solver is asked: the machine executes a sequence with constants up to some place and symbolic inputs from there, for a few
 * inputs (a *window*).  The conditions in the window are all there is to solve, so the question is as small after a thousand rounds as after one.
 *
 * A rehearsal proves nothing and adds nothing to the tree.  If it takes a branch that no run has reached, or ends in a bug that is not known, it is
 * executed once more as a run like any other, of which a test is made.
 *
 * Inputs that the harness of a unit makes before the call keep the values of the sequence's origin.  What is read from standard input is no sequence in this
 * sense: its bytes are there before the program starts. */
#include "search/search_int.h"

#include <stdlib.h>

enum {
    MOST_LENGTH = 1 << 14,   /* inputs of a sequence, as many as runs are followed for (depth.c) */
    MOST_VALUES = 1 << 22,   /* of all sequences that are kept: 80 MiB */
    MOST_EXACT = 64,         /* values in a state up to this one are told apart.  A guess. */
    MOST_PAIRED = 24,        /* values of a state of which pairs are looked at.  A guess. */
    MOST_STEPS = 1000000,    /* instructions of a rehearsal, about ten milliseconds.  A guess. */
    MOST_WINDOW = 6,         /* its binary logarithm: a window has up to 64 inputs.  A guess. */
    MOST_TURNS = 64,         /* of conditions in one window, so that looking through it ends soon (a third of a second).  A guess. */
    WINDOW_EFFORT = 3000000, /* of one question to the solver, as for a point that is tried for the first time (go.c) */
    MOST_TIMES = 12,         /* the binary logarithm of how often a stretch is repeated */
    CANDIDATES = 16          /* sequences of which one is chosen.  A guess. */
};

typedef Vec(U128) Values;

/* The shortest sequence known that does a deed: it takes some branch for the 2^n-th time, or it ends in a state with some value, or pair of values. */
typedef struct Sequence {
    Values values;
    Vec(uint32_t) places; /* in the user's code, that asked for them */
    uint32_t first;       /* the first input that the program has asked for by itself */
    uint64_t hits;        /* in how many rehearsals the deed was done */
    uint64_t work;        /* that was spent on sequences made of it */
} Sequence;
typedef Vec(Sequence) Sequences;

typedef enum DeedKind {
    DEED_BRANCH,
    DEED_VALUE, /* somewhere in the last state */
    DEED_PAIR,  /* of values there */
    DEED_KINDS
} DeedKind;

typedef struct BySequences {
    Search *search;
    Random random;
    Sequences kept[DEED_KINDS];
    Map of_deed[DEED_KINDS];        /* deed -> index of the sequence that does it */
    uint32_t length;                /* of the sequence that is being rehearsed: its last state is looked at, … */
    Vec(uint64_t) ends[DEED_KINDS]; /* … and this is what it has shown, as deeds */
    Vec(Values) given;              /* sequences of other techniques, to be rehearsed */
    uint64_t value_count;           /* of all that are kept */
    Values trial, repeated;         /* sequences at hand */
    Sequence latest;                /* that was rehearsed */
    VmTaken *taken;                 /* by the last rehearsal */
    uint64_t change_work, window_work;
} BySequences;

static void *start(Search *search)
{
    if (search->options.strategy == SEARCH_SUMMARIES) return NULL;
    for (uint32_t i = 0; i < search->options.skipped_count; i++)
        if (search->options.skipped[i] == SEARCH_REHEARSAL) return NULL; /* an internal error ended one before */
    BySequences *self = mem_alloc(sizeof *self);
    uint32_t branches = search->program->branch_count + 1;
    self->search = search;
    self->taken = mem_alloc(branches * sizeof *self->taken);
    random_seed(&self->random, search->options.seed + search->options.peer);
    return self;
}

/* ---- what is kept ---- */

void search__note_sequence(Search *search)
{
    Account *account = &search->schedule.accounts[TECHNIQUE_SEQUENCES];
    BySequences *self = account->self;
    Values values = {0};
    if (!self || search->rehearses || vm_first_asked(search->vm) >= vm_input_count(search->vm)) return;
    for (uint32_t i = 0; i < vm_input_count(search->vm) && i < MOST_LENGTH; i++)
        vec_push(&values, expr_model_get(vm_model(search->vm), vm_input(search->vm, i)));
    vec_push(&self->given, values);
    account->dry = false;
}

static void keep(BySequences *self, Sequence *sequence, const Values *values, uint32_t length)
{
    self->value_count += length;
    self->value_count -= sequence->values.len;
    vec_clear(&sequence->values);
    vec_clear(&sequence->places);
    for (uint32_t i = 0; i < length; i++) {
        vec_push(&sequence->values, values->data[i]);
        vec_push(&sequence->places, vm_input_info(self->search->vm, i).loc);
    }
}

/* Where little room is left, only sequences that are not longer than most are kept. */
static bool has_room(const BySequences *self, uint32_t length)
{
    uint64_t count = 1;
    for (uint32_t kind = 0; kind < DEED_KINDS; kind++) count += self->kept[kind].len;
    if (self->value_count + length > MOST_VALUES) return false;
    return self->value_count < MOST_VALUES / 2 || length <= self->value_count / count;
}

static void note_deed(BySequences *self, const Values *values, DeedKind kind, uint64_t deed, uint32_t length)
{
    uint32_t first = vm_first_asked(self->search->vm);
    const uint64_t *index = map_find(&self->of_deed[kind], deed);
    if (length <= first || length > values->len || !has_room(self, length)) return;
    if (!index) {
        map_put(&self->of_deed[kind], deed, self->kept[kind].len);
        vec_push(&self->kept[kind], ((Sequence){.first = first}));
    }
    Sequence *sequence = index ? &vec_at(&self->kept[kind], *index) : &vec_top(&self->kept[kind]);
    sequence->hits++;
    if (sequence->values.len == 0 || length < sequence->values.len) keep(self, sequence, values, length);
}

/* What the last rehearsal did. */
static void note_deeds(BySequences *self, const Values *values)
{
    for (uint32_t i = 0; i < self->search->program->branch_count; i++)
        for (uint32_t n = 0; n < VM_TAKEN_POWERS && self->taken[i].count >> n; n++)
            note_deed(self, values, DEED_BRANCH, (uint64_t)i * VM_TAKEN_POWERS + n, self->taken[i].inputs[n]);
    for (uint32_t kind = DEED_VALUE; kind < DEED_KINDS; kind++)
        for (uint32_t i = 0; i < self->ends[kind].len; i++) note_deed(self, values, (DeedKind)kind, self->ends[kind].data[i], self->length);
}

/* Values up to `exact` are told apart; larger ones by their sign and their binary logarithm. */
static uint64_t class_of(int64_t value, uint64_t exact)
{
    uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
    if (size <= exact) return (uint64_t)(value + (int64_t)exact);
    return (value < 0 ? 512u : 256u) + (uint64_t)(64 - __builtin_clzll(size));
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t x = (a ^ b * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

bool search__note_end(Search *search)
{
    BySequences *self = search->schedule.accounts[TECHNIQUE_SEQUENCES].self;
    const VmStateValue *values;
    uint32_t count;
    if (!self || vm_input_count(search->vm) != self->length || !vm_state_values(search->vm, &values, &count)) return false;
    for (uint32_t i = 0; i < count; i++) {
        vec_push(&self->ends[DEED_VALUE], mix(values[i].place, class_of(values[i].value, MOST_EXACT)));
        uint64_t one = mix(values[i].place, class_of(values[i].value, 1));
        for (uint32_t k = 0; k < i && i < MOST_PAIRED; k++)
            vec_push(&self->ends[DEED_PAIR], mix(one, mix(values[k].place, class_of(values[k].value, 1))));
    }
    return false;
}

/* ---- rehearsals ---- */

/* Executes the sequence with constants for its first `constants` inputs, until the program asks for more than `length`. */
static VmStop perform(BySequences *self, const Values *values, uint32_t constants, uint32_t length, VmTaken *taken)
{
    Search *search = self->search;
    search__leave_path(search, 0);
    search__rewind_pool(search, search->first_nodes);
    vm_return(search->vm, search->first);
    search->resumed = search->first;
    search->rehearses = true;
    if (search->options.at_run) *search->options.at_run = taken ? SEARCH_REHEARSAL : search_runs(search) + 1;
    self->length = taken && constants == length ? length : UINT32_MAX;
    for (uint32_t kind = 0; kind < DEED_KINDS; kind++) vec_clear(&self->ends[kind]);
    if (taken) memset(taken, 0, search->program->branch_count * sizeof *taken);
    vm_count_branches(search->vm, taken);
    vm_give(search->vm, values->data, values->len);
    vm_set_constants(search->vm, constants);
    vm_set_depth(search->vm, length);
    vm_set_patience(search->vm, MOST_STEPS, 0);
    VmStop stop = vm_run(search->vm);
    search->stats.rehearsals += taken != NULL;
    search->stats.rehearsed_inputs += vm_input_count(search->vm);
    vm_count_branches(search->vm, NULL);
    vm_set_constants(search->vm, 0);
    vm_give(search->vm, NULL, 0);
    return stop;
}

/* The machine is again where the search expects it. */
static void end_performance(BySequences *self)
{
    Search *search = self->search;
    vm_return(search->vm, search->first);
    vm_set_depth(search->vm, search->depth);
    search__set_patience(search, 0);
    search->rehearses = false;
}

static bool is_news(const BySequences *self, const VmStop *stop)
{
    const Search *search = self->search;
    if (stop->kind == VM_BUG && !search__knows_bug(search, stop->bug, stop->loc)) return true;
    for (uint32_t i = 0; i < search->program->branch_count; i++)
        if (self->taken[i].count && search->goals.data[i]) return true;
    return false;
}

/* Makes a run of what was rehearsed. */
static void make_run(BySequences *self, const Values *values)
{
    Search *search = self->search;
    VmStop stop = perform(self, values, values->len, values->len, NULL);
    search->stats.runs++;
    vec_clear(&search->fresh);
    search->fresh_side = 0;
    search__end_run(search, &stop, true);
    end_performance(self);
}

static void rehearse(BySequences *self, const Values *values)
{
    VmStop stop = perform(self, values, values->len, values->len, self->taken);
    bool is_ordinary = stop.kind != VM_ASSUMPTION && stop.kind != VM_UNSUPPORTED, news = is_ordinary && is_news(self, &stop);
    if (is_ordinary) note_deeds(self, values);
    self->latest.first = vm_first_asked(self->search->vm);
    keep(self, &self->latest, values, vm_input_count(self->search->vm) < values->len ? vm_input_count(self->search->vm) : values->len);
    end_performance(self);
    if (news) make_run(self, values);
}

/* ---- changes ---- */

static uint32_t below(BySequences *self, uint32_t n)
{
    return (uint32_t)random_below(&self->random, n);
}

static Sequence *choose_any(BySequences *self, DeedKind *kind, uint32_t *index)
{
    do *kind = (DeedKind)below(self, DEED_KINDS);
    while (self->kept[*kind].len == 0);
    *index = below(self, self->kept[*kind].len);
    return &self->kept[*kind].data[*index];
}

static const Sequence *choose_other(BySequences *self)
{
    DeedKind kind;
    uint32_t index;
    return choose_any(self, &kind, &index);
}

/* One on which little work was spent, and whose deed is rare. */
static const Sequence *choose(BySequences *self, DeedKind *kind, uint32_t *index)
{
    const Sequence *best = choose_any(self, kind, index);
    for (uint32_t i = 1; i < CANDIDATES; i++) {
        DeedKind other_kind;
        uint32_t other_index;
        const Sequence *other = choose_any(self, &other_kind, &other_index);
        if ((U128)(other->work + 1) * other->hits >= (U128)(best->work + 1) * best->hits) continue;
        best = other;
        *kind = other_kind;
        *index = other_index;
    }
    return best;
}

/* A number up to 2^most, of whatever size: numbers of each size together take as much work as those of any other. */
static uint32_t choose_size(BySequences *self, uint32_t most)
{
    uint32_t power = 0;
    while (power < most && below(self, 2)) power++;
    return (1u << power) + below(self, 1u << power);
}

/* A place in the sequence, mostly near its end: each distance from there is as likely as one of twice the size. */
static uint32_t choose_place(BySequences *self, const Sequence *sequence)
{
    uint32_t length = sequence->values.len - sequence->first, bits = 32 - (uint32_t)__builtin_clz(length);
    uint32_t distance = below(self, 1u << below(self, bits + 1));
    return distance < length ? sequence->values.len - 1 - distance : sequence->first;
}

/* The next input from `at` on for which the place asks; with `groups` only the first of several in a row counts.  The end, if there is none. */
static uint32_t next_at(const Sequence *sequence, uint32_t at, uint32_t place, bool groups)
{
    while (at < sequence->values.len) {
        bool is_there = sequence->places.data[at] == place;
        if (is_there && !(groups && at > sequence->first && sequence->places.data[at - 1] == place)) return at;
        at++;
    }
    return at;
}

typedef struct Stretch {
    uint32_t start, end;
} Stretch;

/* One or more rounds of some loop, where a round begins with an input that some place asks for. */
static Stretch choose_stretch(BySequences *self, const Sequence *sequence)
{
    uint32_t at = choose_place(self, sequence), place = sequence->places.data[at];
    bool groups = below(self, 2);
    uint32_t a = next_at(sequence, at, place, groups), b = next_at(sequence, choose_place(self, sequence), place, groups);
    Stretch stretch = {a < b ? a : b, a < b ? b : a};
    if (stretch.start == sequence->values.len) stretch.start = at;
    if (stretch.end == stretch.start) stretch.end = next_at(sequence, stretch.start + 1, place, groups);
    return stretch;
}

static void append(Values *values, const U128 *more, uint32_t count)
{
    for (uint32_t i = 0; i < count && values->len < MOST_LENGTH; i++) vec_push(values, more[i]);
}

static void repeat_stretch(BySequences *self, const Sequence *sequence, Values *made)
{
    Stretch stretch = choose_stretch(self, sequence);
    uint32_t times = choose_size(self, MOST_TIMES);
    const U128 *values = sequence->values.data;
    append(made, values, stretch.end);
    for (; times > 0 && made->len < MOST_LENGTH; times--) append(made, values + stretch.start, stretch.end - stretch.start);
    append(made, values + stretch.end, sequence->values.len - stretch.end);
}

static void leave_out_stretch(BySequences *self, const Sequence *sequence, Values *made)
{
    Stretch stretch = choose_stretch(self, sequence);
    append(made, sequence->values.data, stretch.start);
    append(made, sequence->values.data + stretch.end, sequence->values.len - stretch.end);
}

/* The first part of one sequence, and the last part of another that goes on at the same place. */
static void join_other(BySequences *self, const Sequence *sequence, Values *made)
{
    const Sequence *other = choose_other(self);
    uint32_t at = choose_place(self, sequence);
    uint32_t from = other->first + below(self, other->values.len - other->first);
    uint32_t there = next_at(other, from, sequence->places.data[at], false);
    append(made, sequence->values.data, there < other->values.len ? at : sequence->values.len);
    append(made, other->values.data + there, other->values.len - there);
}

/* A value for an input: one that was given to the same place in another sequence, or one near the value before, or any. */
static U128 choose_value(BySequences *self, uint32_t place, U128 before)
{
    const Sequence *other = choose_other(self);
    uint32_t from = other->first + below(self, other->values.len - other->first), at = next_at(other, from, place, false);
    switch (below(self, 4)) {
    case 0: return before + 1 + below(self, 8);
    case 1: return before - 1 - below(self, 8);
    case 2: return below(self, 2) ? below(self, 256) : random_next(&self->random);
    default: return at < other->values.len ? other->values.data[at] : before;
    }
}

static void change_value(BySequences *self, const Sequence *sequence, Values *made)
{
    append(made, sequence->values.data, sequence->values.len);
    uint32_t at = choose_place(self, sequence), place = sequence->places.data[at];
    U128 value = choose_value(self, place, sequence->values.data[at]);
    made->data[at] = value;
    if (below(self, 2)) return;
    for (uint32_t i = at + 1; i < sequence->values.len; i++)
        if (sequence->places.data[i] == place) made->data[i] = value;
}

typedef void Change(BySequences *self, const Sequence *sequence, Values *made);
static Change *const changes[] = {repeat_stretch, repeat_stretch, leave_out_stretch, join_other, change_value, change_value};

static void change(BySequences *self, const Sequence *sequence)
{
    vec_clear(&self->trial);
    changes[below(self, COUNT_OF(changes))](self, sequence, &self->trial);
    rehearse(self, &self->trial);
}

/* ---- windows ---- */

static bool has_other_outcome(const VmCondition *c)
{
    return c->kind == CONDITION_BRANCH || c->kind == CONDITION_CHECK;
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
            if (below(self, ++wanted) == 0) chosen = i;
        } else if (!wanted && below(self, ++any) == 0) {
            chosen = i;
        }
    }
    return chosen;
}

/* Asks for inputs by which the condition comes out otherwise, after the same ones before. */
static bool ask_otherwise(BySequences *self, uint32_t condition)
{
    Search *search = self->search;
    vec_clear(&search->prefix);
    for (uint32_t i = 0; i < condition; i++) vec_push(&search->prefix, vm_condition(search->vm, i)->condition);
    search__assert(search, search->prefix.data, condition);
    Expr otherwise = expr_not(search->pool, vm_condition(search->vm, condition)->condition);
    solver_set_effort(search->solver, WINDOW_EFFORT);
    return solver_check(search->solver, &otherwise, 1, vm_model(search->vm)) == SOLVE_SAT;
}

/* The sequence, gone on with by its last round until it has so many inputs. */
static void prolong(const Sequence *sequence, uint32_t length, Values *made)
{
    uint32_t end = sequence->values.len, round = end - 1;
    while (round > sequence->first && sequence->places.data[round] != sequence->places.data[sequence->first]) round--;
    vec_clear(made);
    append(made, sequence->values.data, end);
    while (made->len < length && made->len < MOST_LENGTH) append(made, sequence->values.data + round, end - round);
}

/* Changes the trial so that one condition from number *first on, among those of its `size` inputs from number `from` on, comes out otherwise.  The next one to
 * change is behind it.  False: there is none, or no inputs change it. */
static bool turn_condition(BySequences *self, uint32_t from, uint32_t size, uint32_t *first)
{
    Search *search = self->search;
    perform(self, &self->trial, from, from + size, self->taken);
    uint32_t condition = choose_condition(self, *first);
    bool found = condition != UINT32_MAX && ask_otherwise(self, condition);
    if (found) search__set_inputs(search);
    for (uint32_t i = from; found && i < vm_input_count(search->vm) && i < self->trial.len; i++)
        self->trial.data[i] = expr_model_get(vm_model(search->vm), vm_input(search->vm, i));
    end_performance(self);
    *first = condition + 1;
    return found;
}

/* What has to hold at once may be several conditions, so one after the other is turned; and it may have to hold for long, so the result is repeated. */
static void look_through_window(BySequences *self, const Sequence *sequence)
{
    uint32_t size = 1u << below(self, MOST_WINDOW + 1), at = choose_place(self, sequence) + 1, first = 0;
    uint32_t from = at > sequence->first + size / 2 ? at - size / 2 : sequence->first;
    prolong(sequence, from + size, &self->trial);
    for (uint32_t turns = 0; turns < MOST_TURNS && turn_condition(self, from, size, &first); turns++) {
        rehearse(self, &self->trial);
        if (self->latest.values.len <= self->latest.first) continue;
        vec_clear(&self->repeated);
        repeat_stretch(self, &self->latest, &self->repeated);
        rehearse(self, &self->repeated);
    }
}

/* ---- */

static void rehearse_given(BySequences *self)
{
    Values values = vec_pop(&self->given);
    rehearse(self, &values);
    vec_release(&values);
}

/* Where nothing else is left to do, sequences get as much work as all the rest has had, and no more. */
static bool has_had_enough(const BySequences *self)
{
    const Search *search = self->search;
    return !search->tree.pending && search->schedule.accounts[TECHNIQUE_SEQUENCES].all.work > search_work(search) / 2;
}

/* Makes another sequence of one that is kept. */
static void try_sequence(BySequences *self)
{
    Search *search = self->search;
    uint64_t before = search_work(search);
    bool looks = self->window_work <= self->change_work;
    DeedKind kind;
    uint32_t index;
    const Sequence *chosen = choose(self, &kind, &index);
    if (looks) look_through_window(self, chosen);
    else change(self, chosen);
    uint64_t work = search_work(search) - before;
    vec_at(&self->kept[kind], index).work += work; /* others may have been added before it */
    *(looks ? &self->window_work : &self->change_work) += work;
}

static Proposal propose(void *data, uint64_t work, PendingEntry *point)
{
    BySequences *self = data;
    (void)work;
    (void)point;
    if (has_had_enough(self) || (!self->kept[DEED_BRANCH].len && !self->given.len)) return PROPOSES_NOTHING;
    if (self->given.len) rehearse_given(self);
    else try_sequence(self);
    return HAS_WORKED;
}

static void release(void *data)
{
    BySequences *self = data;
    for (uint32_t kind = 0; kind < DEED_KINDS; kind++) {
        for (uint32_t i = 0; i < self->kept[kind].len; i++) {
            vec_release(&self->kept[kind].data[i].values);
            vec_release(&self->kept[kind].data[i].places);
        }
        vec_release(&self->kept[kind]);
        map_release(&self->of_deed[kind]);
        vec_release(&self->ends[kind]);
    }
    for (uint32_t i = 0; i < self->given.len; i++) vec_release(&self->given.data[i]);
    vec_release(&self->given);
    vec_release(&self->trial);
    vec_release(&self->repeated);
    vec_release(&self->latest.values);
    vec_release(&self->latest.places);
    free(self->taken);
    free(self);
}

const Technique technique_sequences = {start, NULL, propose, release, true};
