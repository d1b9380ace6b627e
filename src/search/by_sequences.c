/* A technique that makes sequences of inputs out of others, and executes them with constants.
 *
 * What a controller does after a thousand rounds lies too deep for points: each path to it has thousands of conditions.  But most of its rounds are alike.  So
 * sequences that showed something new are kept, whoever found them, and new ones are made of them: a stretch is repeated many times, left out, or replaced
 * by a stretch of another sequence; one value, or all that one place asks for, becomes another.  Such a sequence is *rehearsed*: the machine executes
 * it with constants for inputs, at full speed.  The same is done with inputs that are there from the start (sequences.h), such as the bytes of standard input.
 *
 * What a rehearsal has done is a set of *deeds*: it has taken some branch 1, 2, 4, 8, … times (the measure of the fuzzer AFL), it has missed a branch that is
 * a goal by some distance (vm/near.c), or it has ended in a state in which some register or word of memory has some value, or two of them have some pair of
 * values (to a power of two), or in a state that was not seen before.  For each deed, the shortest sequence known is kept: so what takes many rounds is come
 * to in steps, each from a state that was reached before.
 *
 * Where rounds differ, the solver is asked: the machine executes a sequence with constants but for a few neighbouring inputs (a *window*).  The conditions
 * on these are all there is to solve, so the question is as small after a thousand rounds as after one.
 *
 * A rehearsal proves nothing and adds nothing to the tree.  If it takes a branch that no run has reached, or ends in a bug that is not known, it is
 * executed once more as a run, of which a test is made. */
#include "search/sequences.h"

#include <stdlib.h>

enum {
    MOST_STEPS = 1000000, /* instructions of a rehearsal, about ten milliseconds.  A guess. */
    MOST_OF_WORK = 4      /* the way along a sequence may take one part in so many of what is done with the sequence.  A guess. */
};

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

/* ---- rehearsals ---- */

static void return_to_start(BySequences *self)
{
    Search *search = self->search;
    sequences__drop_checkpoints(self);
    search__leave_path(search, 0);
    search__rewind_pool(search, search->first_nodes);
    vm_return(search->vm, search->first);
    search->resumed = search->first;
}

static void go_to(BySequences *self, const Checkpoint *checkpoint)
{
    search__rewind_pool(self->search, checkpoint->nodes);
    vm_return(self->search->vm, checkpoint->mark);
}

/* What the rehearsal has taken before, and which branches are wanted. */
static void start_taken(BySequences *self, const Checkpoint *from, VmTaken *taken)
{
    uint32_t count = self->search->program->branch_count;
    if (from) memcpy(taken, from->taken, count * sizeof *taken);
    else memset(taken, 0, count * sizeof *taken);
    for (uint32_t i = 0; i < count; i++) taken[i].wanted = self->search->goals.data[i];
}

VmStop sequences__execute(BySequences *self, const Checkpoint *from, const Values *values, Window window, uint32_t length, VmTaken *taken)
{
    Search *search = self->search;
    uint32_t asked = from ? from->inputs : 0;
    if (from) go_to(self, from);
    else return_to_start(self);
    search->rehearses = true;
    if (search->options.at_run) *search->options.at_run = taken ? SEARCH_REHEARSAL : search_runs(search) + 1;
    if (taken) start_taken(self, from, taken);
    vm_count_branches(search->vm, taken);
    vm_give(search->vm, values->data, values->len);
    vm_set_window(search->vm, window.from, window.end);
    if (!from) vm_fix_image(search->vm);
    vm_set_depth(search->vm, length);
    self->steps_before = from ? from->steps : 0;
    self->instructions_before = vm_stats(search->vm)->instructions;
    vm_set_patience(search->vm, self->steps_before < MOST_STEPS ? MOST_STEPS - self->steps_before : 1, 0);
    VmStop stop = vm_run(search->vm);
    self->steps = self->steps_before + vm_stats(search->vm)->instructions - self->instructions_before;
    search->stats.rehearsed_inputs += vm_input_count(search->vm) - asked;
    vm_count_branches(search->vm, NULL);
    vm_end_window(search->vm);
    vm_give(search->vm, NULL, 0);
    return stop;
}

VmStop sequences__perform(BySequences *self, const Values *values, Window window, uint32_t length, VmTaken *taken)
{
    const Checkpoint *from = taken ? sequences__checkpoint(self, values, window.from) : NULL;
    self->length = taken && window.from == sequences__no_window.from ? length : UINT32_MAX;
    for (uint32_t kind = 0; kind < DEED_KINDS; kind++) vec_clear(&self->ends[kind]);
    self->search->stats.rehearsals += taken != NULL;
    return sequences__execute(self, from, values, window, length, taken);
}

static void end_rehearsals(BySequences *self)
{
    Search *search = self->search;
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

/* Makes a run of what was rehearsed.  A run without asked inputs is as short as any, so its path becomes part of the tree; long sequences are executed with
 * constants, and leave no path. */
static void make_run(BySequences *self, const Values *values, bool are_asked)
{
    Search *search = self->search;
    if (are_asked) {
        VmStop stop = sequences__perform(self, values, sequences__no_window, values->len, NULL);
        search->stats.runs++;
        vec_clear(&search->fresh);
        search->fresh_side = 0;
        search__end_run(search, &stop, true);
    } else {
        end_rehearsals(self);
        return_to_start(self);
        vm_give(search->vm, values->data, values->len);
        search__run(search);
        vm_give(search->vm, NULL, 0);
    }
}

/* Returns the repetitions that were watched; their period says whether they began to go round the same states, and the rehearsal ended there. */
static Repeat rehearse_once(BySequences *self, const Values *values)
{
    VmStop stop = sequences__perform(self, values, sequences__no_window, values->len, self->taken);
    bool is_ordinary = stop.kind != VM_ASSUMPTION && stop.kind != VM_UNSUPPORTED, news = is_ordinary && is_news(self, &stop);
    Repeat repeat = self->repeat;
    self->repeat = (Repeat){0};
    sequences__take(self, values);
    if (is_ordinary) {
        sequences__note_last_state(self);
        sequences__note_deeds(self);
    }
    Values up_to_end = *values;
    up_to_end.len = self->latest.length;
    if (news && repeat.period) make_run(self, &up_to_end, true);
    else if (news) make_run(self, values, sequences__are_asked(&self->latest));
    return repeat;
}

void sequences__rehearse(BySequences *self, const Values *values)
{
    Repeat repeat = rehearse_once(self, values);
    if (!repeat.period) return;
    self->search->stats.shortened++;
    sequences__shorten(&repeat, values, &self->shortened);
    rehearse_once(self, &self->shortened);
}

/* ---- */

static void rehearse_given(BySequences *self)
{
    Values values = vec_pop(&self->given);
    sequences__rehearse(self, &values);
    vec_release(&values);
}

/* Where nothing else is left to do, sequences get as much work as all the rest has had, and no more. */
static bool has_had_enough(const BySequences *self)
{
    const Search *search = self->search;
    return !search->tree.pending && search->schedule.accounts[TECHNIQUE_SEQUENCES].all.work > search_work(search) / 2;
}

/* Makes other sequences of one that is kept: half of the work goes into changes by chance, half into questions to the solver.  Half of the sequences
 * chosen come near to a goal, the others do anything that is rare: both are needed, because what leads to a goal may lead away from it first.  Changes are
 * made until they have taken most of the work, because the way to the end of a long sequence is gone along once for all of them. */
static void try_sequence(BySequences *self)
{
    uint64_t before = search_work(self->search), way_work = 0, work = 0;
    bool looks = self->window_work <= self->change_work;
    DeedKind kind = DEED_NEAR;
    uint32_t index;
    const Sequence *chosen = sequences__below(self, 2) ? sequences__choose_near(self, &index) : NULL;
    if (!chosen) chosen = sequences__choose(self, &kind, &index);
    sequences__begin(self, chosen);
    self->way_work = 0;
    do {
        chosen = &vec_at(&self->kept[kind], index); /* others may have been added before */
        if (looks) {
            sequences__look(self, chosen);
        } else {
            sequences__change(self, chosen, &self->trial);
            sequences__rehearse(self, &self->trial);
        }
        if (!work) way_work = self->way_work;
        work = search_work(self->search) - before;
    } while (work < MOST_OF_WORK * way_work);
    vec_at(&self->kept[kind], index).work += work;
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
    end_rehearsals(self);
    sequences__end(self);
    return_to_start(self);
    return HAS_WORKED;
}

static void release(void *data)
{
    BySequences *self = data;
    sequences__release(self);
    sequences__release_checkpoints(self);
    vec_release(&self->trial);
    vec_release(&self->repeated);
    vec_release(&self->shortened);
    free(self->taken);
    free(self);
}

const Technique technique_sequences = {start, NULL, propose, release, NO_TREE};
