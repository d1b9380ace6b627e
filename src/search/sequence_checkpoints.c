/* Rehearsals that go on from where an earlier one has come to.
 *
 * Most sequences that are made of another one differ from it near its end only.  So while sequences are made of one, the *base*, the machine keeps marks
 * along its rehearsal: where 0, 1, 2, 4, 8, … of its inputs are left to be asked for.  A rehearsal begins at the last mark up to which its inputs are those of
 * the base.  A change that lies d inputs before the end thus costs about 2d inputs, however long the base is; what leads to a mark is executed only once, unless a change before it
 * comes in between.  Marks are a stack: going back to one loses those behind it.
 *
 * All inputs before a mark are constants, those that are fixed included. */
#include "search/sequences.h"

#include <stdlib.h>

void sequences__begin(BySequences *self, const Sequence *sequence)
{
    sequences__drop_checkpoints(self);
    vec_clear(&self->base);
    if (!sequences__are_asked(sequence)) return;
    for (uint32_t i = 0; i < sequence->length; i++) vec_push(&self->base, sequence->inputs->values[i]);
    self->base_fixed = sequence->fixed;
    self->reach = sequence->length;
}

void sequences__drop_checkpoints(BySequences *self)
{
    self->checkpoint_count = 0;
}

void sequences__end(BySequences *self)
{
    vec_clear(&self->base);
    sequences__drop_checkpoints(self);
}

static const Checkpoint *last(const BySequences *self)
{
    return self->checkpoint_count ? &self->checkpoints[self->checkpoint_count - 1] : NULL;
}

/* The last number of inputs, up to `most`, at which there may be a checkpoint; 0: there is none. */
static uint32_t place_before(const BySequences *self, uint32_t most)
{
    uint32_t left = 0;
    while (left < self->base.len && self->base.len - left > most) left = left ? 2 * left : 1;
    return left < self->base.len ? self->base.len - left : 0;
}

static uint32_t shared_with_base(const BySequences *self, const Values *values, uint32_t end)
{
    uint32_t shared = 0;
    while (shared < self->base.len && shared < values->len && shared < end && values->data[shared] == self->base.data[shared]) shared++;
    return shared;
}

/* The machine executes the base from the last checkpoint on, and makes those up to `place`. */
static void go_on(BySequences *self, uint32_t place)
{
    uint64_t before = search_work(self->search);
    self->lays = true;
    sequences__execute(self, last(self), &self->base, sequences__no_window, place, self->taken);
    self->lays = false;
    if (!last(self) || last(self)->inputs < place) self->reach = last(self) ? last(self)->inputs : 0;
    self->way_work += search_work(self->search) - before;
}

const Checkpoint *sequences__checkpoint(BySequences *self, const Values *values, uint32_t end)
{
    uint32_t shared = shared_with_base(self, values, end), place = place_before(self, shared);
    if (place > self->reach) place = self->reach;
    while (last(self) && last(self)->inputs > shared) self->checkpoint_count--;
    if (place > self->base_fixed && (!last(self) || last(self)->inputs < place)) go_on(self, place);
    return last(self);
}

void sequences__lay(BySequences *self)
{
    Search *search = self->search;
    uint32_t inputs = vm_input_count(search->vm), size = search->program->branch_count;
    if (self->checkpoint_count == MOST_CHECKPOINTS || inputs <= self->base_fixed || place_before(self, inputs) != inputs) return;
    if (last(self) && last(self)->inputs >= inputs) return;
    Checkpoint *checkpoint = &self->checkpoints[self->checkpoint_count];
    uint64_t instructions;
    checkpoint->mark = vm_mark_ask(search->vm, &instructions);
    if (checkpoint->mark == VM_NO_MARK) return;
    if (!checkpoint->taken) checkpoint->taken = mem_alloc((size + 1) * sizeof *checkpoint->taken);
    memcpy(checkpoint->taken, self->taken, size * sizeof *checkpoint->taken);
    checkpoint->inputs = inputs;
    checkpoint->nodes = expr_pool_count(search->pool);
    checkpoint->steps = self->steps_before + instructions - self->instructions_before;
    self->checkpoint_count++;
}

void sequences__release_checkpoints(BySequences *self)
{
    for (uint32_t i = 0; i < MOST_CHECKPOINTS; i++) free(self->checkpoints[i].taken);
    vec_release(&self->base);
}
