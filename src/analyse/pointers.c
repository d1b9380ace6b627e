/* Pointers whose values are known one by one, while states are explored (explore.c): what they lead to is read and written there. */
#include "analyse/block_int.h"

#include <stdlib.h>

/* The object that an element of a set leads to; false: it is no address of an object. */
static bool object_of(const Run *r, uint64_t element, AddressParts *p)
{
    return address_decode(element, p) && !p->function && p->index < r->a->memory.objects.len &&
           vec_at(&r->a->memory.objects, p->index).tracked;
}

/* What an ADDRESS instruction adds to its first operand. */
static Value added(const Run *r, const Instr *instr)
{
    Value offset = value_constant(64, (uint64_t)instr->imm);
    if (instr->b == OPERAND_NONE) return offset;
    uint64_t scale = instr->c == OPERAND_NONE ? 1 : (uint64_t)r->a->program->consts[operand_index(instr->c)].value;
    if (instr->width2 < 1 || instr->width2 > 64) return value_top(64);
    Value index = run__get(r, instr->b, instr->width2), factor = value_constant(64, scale);
    value_list(&index);
    if (instr->width2 < 64) index = value_convert(OP_SEXT, 64, &index);
    index = value_binary(OP_MUL, 0, false, &index, &factor);
    return value_binary(OP_ADD, 0, false, &offset, &index);
}

Value run__address(const Run *r, const Instr *instr)
{
    Value base = run__get(r, instr->a, 64), offset = added(r, instr);
    return value_binary(OP_ADD, 0, false, &base, &offset);
}

/* An address that the code computes from an object that it names, by its indices: this is how clew-check follows it, so that facts about the register that holds the
 * address would not help. */
static Value named_places(const Run *r, Operand pointer, Address address)
{
    Value places = value_top(64), offset = value_constant(64, 0);
    uint64_t start;
    if (!address_encode((AddressParts){false, analyse__level(r->a), address.object - 1, 0}, &start)) return places;
    while (operand_is_reg(pointer)) {
        const Instr *instr = explore__definition(r->a, r->function, pointer);
        if (!instr || (instr->op != OP_ADDRESS && instr->op != OP_MOV)) break;
        Value more = instr->op == OP_ADDRESS ? added(r, instr) : value_constant(64, 0);
        offset = value_binary(OP_ADD, 0, false, &offset, &more);
        pointer = instr->a;
    }
    if (operand_is_const(pointer)) {
        Value more = value_constant(64, (uint64_t)r->a->program->consts[operand_index(pointer)].value);
        offset = value_binary(OP_ADD, 0, false, &offset, &more);
    }
    places = value_constant(64, start);
    return value_binary(OP_ADD, 0, false, &places, &offset);
}

bool run__pointees(const Run *r, Operand pointer, Value *places)
{
    AddressParts p;
    if (!r->a->explorer) return false;
    Address address = objects_address(&r->a->memory, r->a->program, r->function, pointer);
    *places = address.object && address.variable ? named_places(r, pointer, address) : run__get(r, pointer, 64);
    bool known = places->count > 0;
    for (uint32_t i = 0; i < places->count && known; i++) known = object_of(r, places->set[i], &p) || places->set[i] == 0;
    return known && (places->count > 1 || places->set[0] != 0);
}

uint32_t *run__slot(const Run *r, uint32_t level, const Cell *cell)
{
    const Explorer *x = r->a->explorer;
    const Object *o = &vec_at(&r->a->memory.objects, cell->object);
    const Activation *a = &vec_at(&x->activations, x->now);
    if (o->function == UINT32_MAX || (level == a->level && o->function == r->function)) return &r->state[r->f->register_count + cell->slot];
    while (a->level > level) a = &vec_at(&x->activations, a->caller);
    if (a->level != level || a->function != o->function || level == vec_at(&x->activations, x->now).level) return NULL;
    uint32_t registers = r->a->program->functions[a->function].register_count;
    return &x->outer[a->base + registers + cell->slot - r->a->memory.global_slots];
}

uint32_t analyse__initial(Analysis *a, uint32_t object, uint64_t offset, uint32_t bytes)
{
    const Object *o = &vec_at(&a->memory.objects, object);
    Operand address;
    uint64_t x;
    if (objects_initial(a->program, o, offset, bytes, &x)) {
        Value v = value_constant(bytes * 8, x);
        return values_keep(&a->values, &v);
    }
    return bytes == 8 && objects_initial_address(a->program, o, offset, &address) ? analyse__operand(a, NULL, address, 64) : 0;
}

static uint32_t load_one(Run *r, AddressParts p, uint32_t bytes)
{
    const Object *o = &vec_at(&r->a->memory.objects, p.index);
    if (p.offset < 0 || (uint64_t)p.offset + bytes > o->size) return 0;
    if (o->constant) return analyse__initial(r->a, p.index, (uint64_t)p.offset, bytes);
    const Cell *cell = run__cell_at(&r->a->memory, p.index, (uint64_t)p.offset, bytes);
    if (!cell) explore__miss(r->a->explorer, p.index, (uint64_t)p.offset, bytes);
    const uint32_t *slot = cell ? run__slot(r, p.level, cell) : NULL;
    return slot ? *slot : 0;
}

uint32_t run__load(Run *r, const Value *places, uint32_t bytes)
{
    Value whole = {0};
    AddressParts p;
    for (uint32_t i = 0; i < places->count; i++) {
        uint32_t id = object_of(r, places->set[i], &p) ? load_one(r, p, bytes) : 0;
        if (!id) return 0;
        Value v = values_get(&r->a->values, id, bytes * 8);
        whole = whole.width ? value_join(&whole, &v) : v;
    }
    return values_keep(&r->a->values, &whole);
}

void run__store(Run *r, const Value *places, uint32_t bytes, uint32_t id, uint32_t at)
{
    AddressParts p;
    for (uint32_t i = 0; i < places->count; i++) {
        if (!object_of(r, places->set[i], &p)) continue; /* nothing is at address 0 */
        const Object *o = &vec_at(&r->a->memory.objects, p.index);
        if (o->constant || p.offset < 0 || (uint64_t)p.offset + bytes > o->size) continue; /* undefined */
        if (!run__cell_at(&r->a->memory, p.index, (uint64_t)p.offset, bytes))
            explore__miss(r->a->explorer, p.index, (uint64_t)p.offset, bytes);
        run__write_cells(r, p.index, p.level, (uint64_t)p.offset, bytes, id, places->count > 1, at);
    }
}

void run__clear(Run *r, const Value *places, uint64_t size, uint32_t at)
{
    AddressParts p;
    for (uint32_t i = 0; i < places->count; i++)
        if (object_of(r, places->set[i], &p) && p.offset >= 0)
            run__write_cells(r, p.index, p.level, (uint64_t)p.offset, size, 0, false, at);
}

void explore__forget_outer(const Analysis *analysis, bool exposed)
{
    const Explorer *x = analysis->explorer;
    const Memory *m = &analysis->memory;
    for (uint32_t n = x->now; vec_at(&x->activations, n).level > 0;) {
        n = vec_at(&x->activations, n).caller;
        const Activation *a = &vec_at(&x->activations, n);
        for (uint32_t i = 0; i < m->cells.len; i++) {
            const Cell *cell = &m->cells.data[i];
            const Object *o = &vec_at(&m->objects, cell->object);
            if (o->function != a->function || !(o->escaped || (exposed && o->exposed))) continue;
            x->outer[a->base + analysis->program->functions[a->function].register_count + cell->slot - m->global_slots] = 0;
        }
    }
}
