/* Which sequences of inputs are kept: for each deed of a rehearsal the shortest one that does it. */
#include "search/sequences.h"

#include <stdlib.h>

enum {
    MOST_VALUES = 1 << 22, /* of all sequences that are kept: 80 MiB */
    MOST_EXACT = 64,       /* values in a state up to this one are told apart.  A guess. */
    MOST_PAIRED = 24,      /* values of a state of which pairs are looked at.  A guess. */
    MOST_PERIOD = 4,       /* repetitions after which a state is looked for again.  A guess: most toggles have two positions. */
    CANDIDATES = 16,       /* sequences of which one is chosen.  A guess. */
    OF_OBJECT = 1u << 31   /* in a place: it is an object of fixed inputs, not a request of the program */
};

void search__note_sequence(Search *search)
{
    Account *account = &search->schedule.accounts[TECHNIQUE_SEQUENCES];
    BySequences *self = account->self;
    Values values = {0};
    if (!self || search->rehearses || vm_input_count(search->vm) == 0) return;
    for (uint32_t i = 0; i < vm_input_count(search->vm) && i < MOST_LENGTH; i++)
        vec_push(&values, expr_model_get(vm_model(search->vm), vm_input(search->vm, i)));
    vec_push(&self->given, values);
    account->dry = false;
}

/* ---- inputs that sequences share ---- */

static Inputs *make_inputs(BySequences *self, uint32_t count)
{
    Inputs *inputs = mem_alloc(sizeof *inputs + count * (sizeof *inputs->values + sizeof *inputs->places));
    inputs->places = (uint32_t *)(inputs->values + count);
    inputs->count = count;
    self->value_count += count;
    return inputs;
}

static void drop_inputs(BySequences *self, Inputs *inputs)
{
    if (!inputs || --inputs->users) return;
    self->value_count -= inputs->count;
    free(inputs);
}

static void set_inputs(BySequences *self, Sequence *sequence, Inputs *inputs)
{
    if (inputs) inputs->users++;
    drop_inputs(self, sequence->inputs);
    sequence->inputs = inputs;
}

void sequences__take(BySequences *self, const Values *values)
{
    Sequence *latest = &self->latest;
    const Vm *vm = self->search->vm;
    uint32_t count = vm_input_count(vm) < values->len ? vm_input_count(vm) : values->len, first = vm_first_asked(vm);
    set_inputs(self, latest, count ? make_inputs(self, count) : NULL);
    latest->length = count;
    latest->fixed = first < count ? first : count;
    latest->steps = self->steps;
    for (uint32_t i = 0; i < count; i++) {
        VmInput input = vm_input_info(vm, i);
        uint32_t object = OF_OBJECT | (uint32_t)hash_mix(input.address + (uint8_t)input.type);
        latest->inputs->values[i] = values->data[i];
        latest->inputs->places[i] = i < latest->fixed ? object : input.request & ~OF_OBJECT;
    }
}

/* The sequence becomes the first part of the latest one.  Inputs are shared unless that would hold more than twice as many as are needed. */
static void keep(BySequences *self, Sequence *sequence, uint32_t length)
{
    const Sequence *latest = &self->latest;
    Inputs *inputs = latest->inputs;
    if (length <= inputs->count / 2) {
        inputs = make_inputs(self, length);
        memcpy(inputs->values, latest->inputs->values, length * sizeof *inputs->values);
        memcpy(inputs->places, latest->inputs->places, length * sizeof *inputs->places);
    }
    set_inputs(self, sequence, inputs);
    self->length_sum += length;
    self->length_sum -= sequence->length;
    sequence->length = length;
    sequence->fixed = latest->fixed < length ? latest->fixed : length;
    sequence->steps = latest->steps;
}

/* Where little room is left, only sequences that are not longer than most are kept. */
static bool has_room(const BySequences *self, uint32_t length)
{
    uint64_t count = 1;
    for (uint32_t kind = 0; kind < DEED_KINDS; kind++) count += self->kept[kind].len;
    if (self->value_count + length > MOST_VALUES) return false;
    return self->value_count < MOST_VALUES / 2 || length <= self->length_sum / count;
}

/* A deed that was done when the rehearsal had asked for `length` inputs. */
static void note_deed(BySequences *self, DeedKind kind, uint64_t deed, uint32_t length)
{
    const uint64_t *index = map_find(&self->of_deed[kind], deed);
    if (length == 0 || length > self->latest.length || !has_room(self, length)) return;
    if (!index) {
        map_put(&self->of_deed[kind], deed, self->kept[kind].len);
        vec_push(&self->kept[kind], ((Sequence){0}));
    }
    Sequence *sequence = index ? &vec_at(&self->kept[kind], *index) : &vec_top(&self->kept[kind]);
    sequence->hits++;
    bool is_shorter = length < sequence->length || (length == sequence->length && self->steps < sequence->steps);
    if (sequence->length == 0 || is_shorter) keep(self, sequence, length);
}

/* Values up to `exact` are told apart; larger ones by their sign and their binary logarithm. */
static uint64_t class_of(int64_t value, uint64_t exact)
{
    uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
    if (size <= exact) return (uint64_t)(value + (int64_t)exact);
    return (value < 0 ? 512u : 256u) + (uint64_t)(64 - __builtin_clzll(size));
}

/* The sequence that was kept last comes near to the branch. */
static void list_near(BySequences *self, uint32_t branch)
{
    uint32_t i = 0, sequence = self->near_before.len;
    while (i < self->near_branches.len && self->near_branches.data[i].branch != branch) i++;
    if (i == self->near_branches.len) vec_push(&self->near_branches, ((NearBranch){branch, 0}));
    vec_push(&self->near_before, self->near_branches.data[i].last);
    self->near_branches.data[i].last = sequence + 1;
}

static void note_near(BySequences *self, uint32_t branch)
{
    const VmTaken *taken = &self->taken[branch];
    int64_t distance = taken->distance > INT64_MAX ? INT64_MAX : (int64_t)taken->distance;
    if (!taken->near_inputs) return;
    note_deed(self, DEED_NEAR, (uint64_t)branch << 32 | class_of(distance, MOST_EXACT), taken->near_inputs);
    if (self->near_before.len < self->kept[DEED_NEAR].len) list_near(self, branch);
}

void sequences__note_deeds(BySequences *self)
{
    for (uint32_t i = 0; i < self->search->program->branch_count; i++)
        for (uint32_t n = 0; n < VM_TAKEN_POWERS && self->taken[i].count >> n; n++)
            note_deed(self, DEED_BRANCH, (uint64_t)i * VM_TAKEN_POWERS + n, self->taken[i].inputs[n]);
    for (uint32_t i = 0; i < self->search->program->branch_count; i++)
        if (self->taken[i].wanted) note_near(self, i);
    for (uint32_t kind = DEED_VALUE; kind < DEED_KINDS; kind++)
        for (uint32_t i = 0; i < self->ends[kind].len; i++) note_deed(self, (DeedKind)kind, self->ends[kind].data[i], self->length);
}

/* ---- the last state of a rehearsal ---- */

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t x = (a ^ b * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

static void note_values(BySequences *self, const VmStateValue *values, uint32_t count)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t exact = mix(values[i].place, class_of(values[i].value, MOST_EXACT));
        vec_push(&self->ends[DEED_VALUE], exact);
        all += exact;
        uint64_t one = mix(values[i].place, class_of(values[i].value, 1));
        for (uint32_t k = 0; k < i && i < MOST_PAIRED; k++)
            vec_push(&self->ends[DEED_PAIR], mix(one, mix(values[k].place, class_of(values[k].value, 1))));
    }
    vec_push(&self->ends[DEED_STATE], all);
}

/* The program is about to ask for the first input after some repetition.  The state is compared with one that is kept, after 0, 4, 8, 16, … repetitions, for up
 * to MOST_PERIOD further ones, so the cost is a few states for each doubling of the length.  True: the state was there before. */
static bool goes_round(Repeat *repeat, Vm *vm)
{
    uint32_t inputs = vm_input_count(vm), done = inputs < repeat->from ? 0 : (inputs - repeat->from) / repeat->size;
    VmState state;
    if (inputs < repeat->from || (inputs - repeat->from) % repeat->size) return false;
    if (done < repeat->next || done >= repeat->times || !vm_state(vm, &state)) return false;
    if (repeat->has_state && state.a == repeat->state.a && state.b == repeat->state.b) {
        repeat->period = done - repeat->kept;
        return true;
    }
    if (!repeat->has_state || (done >= 2 * repeat->kept && done >= repeat->kept + MOST_PERIOD)) {
        repeat->state = state;
        repeat->kept = done;
        repeat->has_state = true;
    }
    repeat->next = done < repeat->kept + MOST_PERIOD ? done + 1 : 2 * repeat->kept;
    return false;
}

bool search__note_end(Search *search)
{
    BySequences *self = search->schedule.accounts[TECHNIQUE_SEQUENCES].self;
    const VmStateValue *values;
    uint32_t count;
    if (self && self->lays) {
        sequences__lay(self);
        return false;
    }
    if (self && self->repeat.times && goes_round(&self->repeat, search->vm)) return true;
    if (self && vm_input_count(search->vm) == self->length && vm_state_values(search->vm, &values, &count))
        note_values(self, values, count);
    return false;
}

void sequences__note_last_state(BySequences *self)
{
    Vm *vm = self->search->vm;
    const VmStateValue *values;
    uint32_t count;
    if (vm_first_asked(vm) == UINT32_MAX && vm_end_values(vm, &values, &count)) note_values(self, values, count);
}

/* ---- choice ---- */

static Sequence *choose_one(BySequences *self, DeedKind *kind, uint32_t *index)
{
    do *kind = (DeedKind)sequences__below(self, DEED_KINDS);
    while (self->kept[*kind].len == 0);
    *index = sequences__below(self, self->kept[*kind].len);
    return &self->kept[*kind].data[*index];
}

const Sequence *sequences__choose_any(BySequences *self)
{
    DeedKind kind;
    uint32_t index;
    return choose_one(self, &kind, &index);
}

/* Is the first one to be gone on from rather than the second?  Its deed is rare, and little work was spent on it. */
static bool is_better(const Sequence *sequence, const Sequence *other)
{
    return (U128)(sequence->work + 1) * sequence->hits < (U128)(other->work + 1) * other->hits;
}

const Sequence *sequences__choose(BySequences *self, DeedKind *kind, uint32_t *index)
{
    const Sequence *best = choose_one(self, kind, index);
    for (uint32_t i = 1; i < CANDIDATES; i++) {
        DeedKind other_kind;
        uint32_t other_index;
        const Sequence *other = choose_one(self, &other_kind, &other_index);
        if (!is_better(other, best)) continue;
        best = other;
        *kind = other_kind;
        *index = other_index;
    }
    return best;
}

/* Each goal is as likely as any other, however many distances to it are known. */
const Sequence *sequences__choose_near(BySequences *self, uint32_t *index)
{
    const Sequence *best = NULL;
    uint32_t goals = 0, last = 0;
    for (uint32_t i = 0; i < self->near_branches.len; i++)
        if (self->search->goals.data[self->near_branches.data[i].branch] && sequences__below(self, ++goals) == 0)
            last = self->near_branches.data[i].last;
    for (uint32_t at = last; at; at = self->near_before.data[at - 1]) {
        const Sequence *sequence = &self->kept[DEED_NEAR].data[at - 1];
        if (best && !is_better(sequence, best)) continue;
        best = sequence;
        *index = at - 1;
    }
    return best;
}

void sequences__release(BySequences *self)
{
    drop_inputs(self, self->latest.inputs);
    vec_release(&self->near_branches);
    vec_release(&self->near_before);
    for (uint32_t kind = 0; kind < DEED_KINDS; kind++) {
        for (uint32_t i = 0; i < self->kept[kind].len; i++) drop_inputs(self, self->kept[kind].data[i].inputs);
        vec_release(&self->kept[kind]);
        map_release(&self->of_deed[kind]);
        vec_release(&self->ends[kind]);
    }
    for (uint32_t i = 0; i < self->given.len; i++) vec_release(&self->given.data[i]);
    vec_release(&self->given);
}
