/* New sequences of inputs out of others, by chance: a stretch is repeated, left out or taken from another sequence, or values become others.
 *
 * Among asked inputs a stretch is one or more rounds of a loop, and the sequence becomes longer or shorter by it.  Fixed inputs keep their number, so there a
 * stretch moves what follows it in its group, as an editor with a line of fixed length does. */
#include "search/sequences.h"

enum { MOST_TIMES = 12 /* the binary logarithm of how often a stretch is repeated.  A guess. */ };

uint32_t sequences__below(BySequences *self, uint32_t n)
{
    return (uint32_t)random_below(&self->random, n);
}

/* A number up to 2^most, of whatever size: numbers of each size together take as much work as those of any other. */
static uint32_t choose_size(BySequences *self, uint32_t most)
{
    uint32_t power = 0;
    while (power < most && sequences__below(self, 2)) power++;
    return (1u << power) + sequences__below(self, 1u << power);
}

/* How often a stretch of so many inputs is repeated in a sequence of that length: numbers of each size together take as much work as those of any other.  The
 * whole sequence is executed, so up to as many repetitions as take its length each size is as likely as any other. */
static uint32_t choose_times(BySequences *self, uint32_t length, uint32_t size)
{
    uint32_t cheap = 31 - (uint32_t)__builtin_clz(length / size), power = sequences__below(self, cheap + 2);
    while (power > cheap && power < MOST_TIMES && sequences__below(self, 2)) power++;
    return (1u << power) + sequences__below(self, 1u << power);
}

/* An asked input, mostly near the end: each distance from there is as likely as one of twice the size. */
static uint32_t choose_asked(BySequences *self, const Sequence *sequence)
{
    uint32_t length = sequence->length - sequence->fixed, bits = 32 - (uint32_t)__builtin_clz(length);
    uint32_t distance = sequences__below(self, 1u << sequences__below(self, bits + 1));
    return distance < length ? sequence->length - 1 - distance : sequence->fixed;
}

/* Where there are fixed and asked inputs, one kind is as likely as the other. */
static bool chooses_fixed(BySequences *self, const Sequence *sequence)
{
    if (!sequences__are_asked(sequence)) return true;
    return sequence->fixed && sequences__below(self, 2);
}

uint32_t sequences__choose_place(BySequences *self, const Sequence *sequence)
{
    return chooses_fixed(self, sequence) ? sequences__below(self, sequence->fixed) : choose_asked(self, sequence);
}

/* The next asked input from `at` on for which the place asks; with `groups` only the first of several in a row counts.  The end, if there is none. */
static uint32_t next_at(const Sequence *sequence, uint32_t at, uint32_t place, bool groups)
{
    while (at < sequence->length) {
        bool is_there = sequence->inputs->places[at] == place;
        if (is_there && !(groups && at > sequence->fixed && sequence->inputs->places[at - 1] == place)) return at;
        at++;
    }
    return at;
}

typedef struct Stretch {
    uint32_t start, end;
} Stretch;

static void append(Values *values, const U128 *more, uint32_t count)
{
    for (uint32_t i = 0; i < count && values->len < MOST_LENGTH; i++) vec_push(values, more[i]);
}

static void copy(const Sequence *sequence, Values *made)
{
    vec_clear(made);
    append(made, sequence->inputs->values, sequence->length);
}

/* ---- asked inputs ---- */

/* One or more rounds of some loop, where a round begins with an input that some place asks for. */
static Stretch choose_rounds(BySequences *self, const Sequence *sequence)
{
    uint32_t at = choose_asked(self, sequence), place = sequence->inputs->places[at];
    bool groups = sequences__below(self, 2);
    uint32_t a = next_at(sequence, at, place, groups), b = next_at(sequence, choose_asked(self, sequence), place, groups);
    Stretch stretch = {a < b ? a : b, a < b ? b : a};
    if (stretch.start == sequence->length) stretch.start = at;
    if (stretch.end == stretch.start) stretch.end = next_at(sequence, stretch.start + 1, place, groups);
    return stretch;
}

static void repeat_rounds(BySequences *self, const Sequence *sequence, Values *made)
{
    Stretch stretch = choose_rounds(self, sequence);
    uint32_t size = stretch.end - stretch.start, times = choose_times(self, sequence->length, size);
    const U128 *values = sequence->inputs->values;
    vec_clear(made);
    append(made, values, stretch.end);
    self->repeat = (Repeat){.from = stretch.end, .size = size, .times = times};
    for (; times > 0 && made->len < MOST_LENGTH; times--) append(made, values + stretch.start, size);
    append(made, values + stretch.end, sequence->length - stretch.end);
}

void sequences__shorten(const Repeat *repeat, const Values *values, Values *made)
{
    uint32_t times = repeat->kept + (repeat->times - repeat->kept) % repeat->period;
    uint64_t end = repeat->from + (uint64_t)repeat->size * repeat->times;
    vec_clear(made);
    append(made, values->data, repeat->from + repeat->size * times);
    if (end < values->len) append(made, values->data + end, values->len - (uint32_t)end);
}

static void leave_out_rounds(BySequences *self, const Sequence *sequence, Values *made)
{
    Stretch stretch = choose_rounds(self, sequence);
    vec_clear(made);
    append(made, sequence->inputs->values, stretch.start);
    append(made, sequence->inputs->values + stretch.end, sequence->length - stretch.end);
}

/* The first part of one sequence, and the last part of another that goes on at the same place. */
static void join_rounds(BySequences *self, const Sequence *sequence, Values *made)
{
    const Sequence *other = sequences__choose_any(self);
    uint32_t at = choose_asked(self, sequence), from = sequences__below(self, other->length);
    uint32_t there = next_at(other, from > other->fixed ? from : other->fixed, sequence->inputs->places[at], false);
    vec_clear(made);
    append(made, sequence->inputs->values, there < other->length ? at : sequence->length);
    append(made, other->inputs->values + there, other->length - there);
}

void sequences__prolong(const Sequence *sequence, uint32_t length, Values *made)
{
    uint32_t end = sequence->length, round = end - 1;
    copy(sequence, made);
    if (!sequences__are_asked(sequence)) return;
    while (round > sequence->fixed && sequence->inputs->places[round] != sequence->inputs->places[sequence->fixed]) round--;
    while (made->len < length && made->len < MOST_LENGTH) append(made, sequence->inputs->values + round, end - round);
}

/* ---- fixed inputs ---- */

/* All fixed inputs that lie in the same object as the one at `at`, as far as they stand together. */
static Stretch group_of(const Sequence *sequence, uint32_t at)
{
    Stretch group = {at, at + 1};
    uint32_t place = sequence->inputs->places[at];
    while (group.start > 0 && sequence->inputs->places[group.start - 1] == place) group.start--;
    while (group.end < sequence->fixed && sequence->inputs->places[group.end] == place) group.end++;
    return group;
}

/* A part of a group from a place of it on. */
static Stretch choose_part(BySequences *self, const Stretch *group)
{
    uint32_t length = group->end - group->start, start = group->start + sequences__below(self, length);
    uint32_t size = choose_size(self, 32 - (uint32_t)__builtin_clz(length));
    return (Stretch){start, size < group->end - start ? start + size : group->end};
}

static void repeat_part(BySequences *self, const Sequence *sequence, Values *made)
{
    Stretch group = group_of(sequence, sequences__below(self, sequence->fixed)), part = choose_part(self, &group);
    uint32_t size = part.end - part.start, shift = size * choose_size(self, 2);
    copy(sequence, made);
    for (uint32_t i = part.end; i < group.end; i++)
        made->data[i] = sequence->inputs->values[i - part.end < shift ? part.start + (i - part.end) % size : i - shift];
}

static void leave_out_part(BySequences *self, const Sequence *sequence, Values *made)
{
    Stretch group = group_of(sequence, sequences__below(self, sequence->fixed)), part = choose_part(self, &group);
    uint32_t size = part.end - part.start;
    copy(sequence, made);
    for (uint32_t i = part.start; i < group.end; i++) made->data[i] = i + size < group.end ? sequence->inputs->values[i + size] : 0;
}

/* A part of the group becomes what another sequence has in that object, mostly somewhere else. */
static void join_part(BySequences *self, const Sequence *sequence, Values *made)
{
    const Sequence *other = sequences__choose_any(self);
    Stretch group = group_of(sequence, sequences__below(self, sequence->fixed)), part = choose_part(self, &group);
    uint32_t from = sequences__below(self, 2) ? part.start : group.start + sequences__below(self, group.end - group.start);
    copy(sequence, made);
    for (uint32_t i = part.start; i < part.end && from < group.end && from < other->length; i++, from++)
        made->data[i] = other->inputs->values[from];
}

/* ---- values ---- */

/* A value for an input: one that was given to the same place in another sequence, or one near the value before, or any. */
static U128 choose_value(BySequences *self, uint32_t place, U128 before)
{
    const Sequence *other = sequences__choose_any(self);
    uint32_t at = sequences__below(self, other->length);
    while (at < other->length && other->inputs->places[at] != place) at++;
    switch (sequences__below(self, 4)) {
    case 0: return before + 1 + sequences__below(self, 8);
    case 1: return before - 1 - sequences__below(self, 8);
    case 2: return sequences__below(self, 2) ? sequences__below(self, 256) : random_next(&self->random);
    default: return at < other->length ? other->inputs->values[at] : before;
    }
}

/* One value, or each from there on that the same place asks for. */
static void change_value(BySequences *self, const Sequence *sequence, Values *made)
{
    copy(sequence, made);
    uint32_t at = sequences__choose_place(self, sequence), place = sequence->inputs->places[at];
    U128 value = choose_value(self, place, sequence->inputs->values[at]);
    made->data[at] = value;
    if (at < sequence->fixed || sequences__below(self, 2)) return;
    for (uint32_t i = at + 1; i < sequence->length; i++)
        if (sequence->inputs->places[i] == place) made->data[i] = value;
}

/* A fixed input of any other group, each of which is as likely as any other; UINT32_MAX: there is no other group. */
static uint32_t choose_outside(BySequences *self, const Sequence *sequence, Stretch group)
{
    uint32_t chosen = UINT32_MAX, count = 0;
    for (Stretch other = group_of(sequence, 0);; other = group_of(sequence, other.end)) {
        if (other.start != group.start && sequences__below(self, ++count) == 0)
            chosen = other.start + sequences__below(self, other.end - other.start);
        if (other.end == sequence->fixed) return chosen;
    }
}

/* One of the fixed inputs outside of the group is taken for the number of elements of the group that count, as the size of a file or the length of a buffer
 * is: it grows, and the elements that count by it become others. */
static void add_elements(BySequences *self, const Sequence *sequence, Values *made)
{
    Stretch group = group_of(sequence, sequences__below(self, sequence->fixed));
    uint32_t counter = choose_outside(self, sequence, group);
    U128 count = counter == UINT32_MAX ? group.end - group.start : sequence->inputs->values[counter];
    copy(sequence, made);
    if (count >= group.end - group.start) return;
    uint32_t first = group.start + (uint32_t)count, more = choose_size(self, 3);
    if (more > group.end - first) more = group.end - first;
    made->data[counter] = count + more;
    for (uint32_t i = first; i < first + more; i++)
        made->data[i] = choose_value(self, sequence->inputs->places[i], i > group.start ? made->data[i - 1] : 0);
}

typedef void Change(BySequences *self, const Sequence *sequence, Values *made);

void sequences__repeat_stretch(BySequences *self, const Sequence *sequence, Values *made)
{
    Change *change = chooses_fixed(self, sequence) ? repeat_part : repeat_rounds;
    change(self, sequence, made);
}

void sequences__change(BySequences *self, const Sequence *sequence, Values *made)
{
    static Change *const of_asked[] = {repeat_rounds, repeat_rounds, leave_out_rounds, join_rounds, change_value, change_value};
    static Change *const of_fixed[] = {repeat_part, leave_out_part, join_part, add_elements, change_value, change_value};
    Change *const *changes = chooses_fixed(self, sequence) ? of_fixed : of_asked;
    changes[sequences__below(self, COUNT_OF(of_asked))](self, sequence, made);
    _Static_assert(COUNT_OF(of_asked) == COUNT_OF(of_fixed), "one number chooses from both");
}
