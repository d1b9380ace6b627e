/* States kept apart by the value of one variable.
 *
 * State machines relate what they remember to the state that they are in.  In each function the register or cell that is compared with most different
 * constants, at least three, is its *key*; states with different constants in the key are not joined.  A block then has up to 64 states, the first of which
 * (partition 0) is for states whose key may be anything. */
#include "analyse/analyse_int.h"

#include <stdlib.h>

enum { LEAST_CONSTANTS = 3 /* that a key is compared with; guess */ };

typedef struct Count {
    uint32_t slot, width;
    Vec(uint64_t) constants;
} Count;
typedef Vec(Count) Counts;

static void count(Counts *counts, uint32_t slot, uint32_t width, uint64_t constant)
{
    Count *found = NULL;
    for (uint32_t i = 0; i < counts->len; i++)
        if (counts->data[i].slot == slot) found = &counts->data[i];
    if (!found) {
        vec_push(counts, ((Count){.slot = slot, .width = width}));
        found = &vec_top(counts);
    }
    for (uint32_t i = 0; i < found->constants.len; i++)
        if (found->constants.data[i] == constant) return;
    vec_push(&found->constants, constant);
}

/* The slot that a compared operand stands for: itself, or the cell that it was loaded from. */
uint32_t analyse__slot(const Analysis *a, uint32_t function, Operand operand, uint32_t width)
{
    const Function *f = &a->program->functions[function];
    if (operand == OPERAND_NONE || !operand_is_reg(operand)) return UINT32_MAX;
    for (uint32_t i = 0; i < f->code_count; i++) {
        const Instr *load = &f->code[i];
        if (load->op != OP_LOAD || load->dst != operand) continue;
        Address address = objects_address(&a->memory, a->program, function, load->a);
        if (!address.object || address.variable) return UINT32_MAX;
        const Object *o = &vec_at(&a->memory.objects, address.object - 1);
        for (uint32_t k = 0; o->tracked && !o->constant && k < o->cell_count; k++) {
            const Cell *cell = &vec_at(&a->memory.cells, o->first_cell + k);
            if (cell->offset == address.offset && cell->bytes * 8 == width) return f->register_count + cell->slot;
        }
        return UINT32_MAX;
    }
    return f->register_origins[operand] == ORIGIN_NONE ? UINT32_MAX : operand;
}

static void count_comparisons(const Analysis *a, uint32_t function, Counts *counts)
{
    const Function *f = &a->program->functions[function];
    for (uint32_t i = 0; i < f->code_count; i++) {
        const Instr *instr = &f->code[i];
        if (instr->width > 64 || (instr->op != OP_SWITCH && instr->op != OP_ICMP)) continue;
        uint32_t slot = analyse__slot(a, function, instr->a, instr->width);
        if (slot == UINT32_MAX) continue;
        if (instr->op == OP_SWITCH) {
            const Switch *sw = &f->switches[instr->imm];
            for (uint32_t k = 0; k < sw->case_count; k++) count(counts, slot, instr->width, (uint64_t)sw->cases[k].value);
        } else if ((instr->predicate == PRED_EQ || instr->predicate == PRED_NE) && operand_is_const(instr->b)) {
            const Const *c = &a->program->consts[operand_index(instr->b)];
            if (!c->symbol && !c->undef) count(counts, slot, instr->width, (uint64_t)c->value);
        }
    }
}

void analyse__choose_keys(Analysis *a)
{
    for (uint32_t f = 0; f < a->program->function_count; f++) {
        Counts counts = {0};
        a->keys[f].slot = UINT32_MAX;
        if (a->options.partition) count_comparisons(a, f, &counts);
        uint32_t most = LEAST_CONSTANTS - 1;
        for (uint32_t i = 0; i < counts.len; i++) {
            if (counts.data[i].constants.len > most) {
                most = counts.data[i].constants.len;
                a->keys[f].slot = counts.data[i].slot;
                a->keys[f].width = counts.data[i].width;
            }
            vec_release(&counts.data[i].constants);
        }
        vec_release(&counts);
    }
}

uint32_t analyse__stride(const Analysis *a, uint32_t function)
{
    return a->keys[function].slot == UINT32_MAX ? 1 : PARTITIONS;
}

/* The partition of a constant, 0 if there are too many. */
static uint32_t partition_of(Key *key, uint64_t constant)
{
    for (uint32_t i = 0; i < key->constants.len; i++)
        if (key->constants.data[i] == constant) return i + 1;
    if (key->constants.len + 1 >= PARTITIONS) return 0;
    vec_push(&key->constants, constant);
    return key->constants.len;
}

void analyse__split(Analysis *a, uint32_t function, const uint32_t *state, Part *part, void *data)
{
    Key *key = &a->keys[function];
    uint32_t id = key->slot == UINT32_MAX ? 0 : state[key->slot], size = analyse__state_size(a, function);
    Value v = vec_at(&a->values.list, id);
    bool fits = id && v.count && v.width == key->width;
    for (uint32_t i = 0; fits && i < v.count; i++) fits = partition_of(key, v.set[i]) != 0;
    if (!fits) {
        part(a, data, 0, state);
        return;
    }
    State one = mem_alloc((size + 1) * sizeof *one);
    for (uint32_t i = 0; i < v.count; i++) {
        Value constant = value_constant(v.width, v.set[i]);
        memcpy(one, state, size * sizeof *one);
        one[key->slot] = values_keep(&a->values, &constant);
        part(a, data, partition_of(key, v.set[i]), one);
    }
    free(one);
}
