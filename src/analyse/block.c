/* Interpreting one block: what each instruction does to the state, and what the outcome of its end says about the values that decided it. */
#include "analyse/block_int.h"

#include <stdlib.h>

enum {
    DEEPEST_REFINEMENT = 8, /* definitions to go back through from a condition; guess */
    MOST_VALUES = 8         /* of a register that states are divided by; guess */
};

static bool is_number(uint32_t width)
{
    return width >= 1 && width <= 64;
}

uint32_t analyse__operand(Analysis *a, const uint32_t *state, Operand operand, uint32_t width)
{
    if (operand == OPERAND_NONE || !is_number(width)) return 0;
    if (operand_is_reg(operand)) return state[operand];
    const Const *c = &a->program->consts[operand_index(operand)];
    if (c->undef || c->minus) return 0;
    if (a->explorer && c->symbol && width == 64) return explore__symbol(a, c);
    Value v = c->symbol ? value_unsigned(64, 1, UINT64_MAX) : value_constant(width, (uint64_t)c->value);
    if (c->symbol) { /* addresses of objects and functions of the program differ from NULL */
        const Symbol *s = &a->program->symbols[c->symbol];
        bool sure = width == 64 && c->value == 0 &&
                    ((s->kind == SYMBOL_GLOBAL && a->program->globals[s->index].defined) ||
                     (s->kind == SYMBOL_FUNCTION && a->program->functions[s->index].defined));
        if (!sure) return 0;
    }
    return values_keep(&a->values, &v);
}

Value run__get(const Run *r, Operand operand, uint32_t width)
{
    return values_get(&r->a->values, analyse__operand(r->a, r->state, operand, width), width);
}

static void set_slot(Run *r, uint32_t slot, uint32_t id, uint32_t at)
{
    r->state[slot] = id;
    r->defined[slot] = at - r->first + 1;
}

static void set(Run *r, uint32_t at, const Value *v)
{
    set_slot(r, r->f->code[at].dst, values_keep(&r->a->values, v), at);
}

/* ---- memory ---- */

static uint32_t slot_of(const Run *r, const Cell *cell)
{
    return r->f->register_count + cell->slot;
}

const Cell *run__cell_at(const Memory *m, uint32_t object, uint64_t offset, uint32_t bytes)
{
    const Object *o = &vec_at(&m->objects, object);
    for (uint32_t i = 0; i < o->cell_count; i++) {
        const Cell *cell = &vec_at(&m->cells, o->first_cell + i);
        if (cell->offset == offset && cell->bytes == bytes) return cell;
    }
    return NULL;
}

static const Cell *cell_at(const Run *r, Address address, uint32_t bytes)
{
    return run__cell_at(&r->a->memory, address.object - 1, address.offset, bytes);
}

static uint32_t load_constant(Run *r, const Object *o, Address address, uint32_t bytes)
{
    uint64_t x;
    Value v, whole = {0};
    if (!address.variable) {
        if (!objects_initial(r->a->program, o, address.offset, bytes, &x)) return 0;
        v = value_constant(bytes * 8, x);
        return values_keep(&r->a->values, &v);
    }
    if (o->size / bytes > 256) return 0;
    for (uint64_t at = address.offset % bytes; at + bytes <= o->size; at += bytes) {
        if (!objects_initial(r->a->program, o, at, bytes, &x)) return 0;
        v = value_constant(bytes * 8, x);
        whole = whole.width ? value_join(&whole, &v) : v;
    }
    return whole.width ? values_keep(&r->a->values, &whole) : 0;
}

static uint32_t load_any(Run *r, const Object *o, Address address, uint32_t bytes)
{
    Value whole = {0};
    if (o->size / bytes > 64 || bytes > o->size) return 0;
    for (uint64_t at = address.offset % bytes; at + bytes <= o->size; at += bytes) {
        const Cell *cell = cell_at(r, (Address){address.object, at, false}, bytes);
        if (!cell) return 0;
        Value v = values_get(&r->a->values, r->state[slot_of(r, cell)], bytes * 8);
        whole = whole.width ? value_join(&whole, &v) : v;
    }
    return whole.width ? values_keep(&r->a->values, &whole) : 0;
}

static void load(Run *r, uint32_t at)
{
    const Instr *instr = &r->f->code[at];
    Address address = objects_address(&r->a->memory, r->a->program, r->function, instr->a);
    uint32_t id = 0, bytes = instr->width / 8u;
    Value places;
    if (instr->width % 8 == 0 && instr->width <= 64 && !(instr->flags & FLAG_VOLATILE) && run__pointees(r, instr->a, &places)) {
        id = run__load(r, &places, bytes);
    } else if (address.object && !(address.variable && r->a->explorer) && instr->width % 8 == 0 && instr->width <= 64 &&
               !(instr->flags & FLAG_VOLATILE)) {
        const Object *o = &vec_at(&r->a->memory.objects, address.object - 1);
        const Cell *cell = o->tracked && !o->constant && !address.variable ? cell_at(r, address, bytes) : NULL;
        if (o->constant) id = load_constant(r, o, address, bytes);
        else if (cell) id = r->state[slot_of(r, cell)];
        else if (o->tracked && address.variable) id = load_any(r, o, address, bytes);
    }
    set_slot(r, instr->dst, id, at);
    if (instr->width > 64) set_slot(r, instr->dst + 1, 0, at);
}

void run__write_cells(Run *r, uint32_t object, uint32_t level, uint64_t offset, uint64_t size, uint32_t id, bool maybe, uint32_t at)
{
    const Object *o = &vec_at(&r->a->memory.objects, object);
    for (uint32_t i = 0; i < o->cell_count; i++) {
        const Cell *cell = &vec_at(&r->a->memory.cells, o->first_cell + i);
        if (cell->offset + (uint64_t)cell->bytes <= offset || offset + size <= cell->offset) continue;
        uint32_t *slot = r->a->explorer ? run__slot(r, level, cell) : &r->state[slot_of(r, cell)];
        uint32_t new = cell->offset == offset && cell->bytes == size ? id : 0;
        if (!slot) continue;
        if (maybe && new) {
            Value old = values_get(&r->a->values, *slot, cell->bytes * 8), v = values_get(&r->a->values, new, cell->bytes * 8);
            Value joined = value_join(&old, &v);
            new = *slot ? values_keep(&r->a->values, &joined) : 0;
        }
        *slot = new;
        if (slot == &r->state[slot_of(r, cell)]) r->defined[slot_of(r, cell)] = at - r->first + 1;
    }
}

/* The same of an object that the code names. */
static void write_cells(Run *r, uint32_t object, uint64_t offset, uint64_t size, uint32_t id, bool maybe, uint32_t at)
{
    run__write_cells(r, object, analyse__level(r->a), offset, size, id, maybe, at);
}

void analyse__forget(const Analysis *a, uint32_t function, State state, Forget what)
{
    State cells = state + a->program->functions[function].register_count;
    for (uint32_t i = 0; i < a->memory.cells.len; i++) {
        const Cell *cell = &vec_at(&a->memory.cells, i);
        const Object *o = &vec_at(&a->memory.objects, cell->object);
        bool here = o->function == function, global = o->function == UINT32_MAX;
        bool changes = o->escaped || (what == FORGET_EXPOSED && o->exposed) || (what == FORGET_GLOBALS && global);
        if ((here || global) && changes) cells[cell->slot] = 0;
    }
}

static bool is_assumed(const Run *r, uint32_t at)
{
    const AnalyseOptions *o = &r->a->options;
    return o->assumed && !r->a->explorer && r->function == o->assumed_function && vec_at(&r->a->instances, r->instance).depth == 0 &&
           o->assumed[at];
}

static bool is_kept(const Run *r, const Cell *cell)
{
    const Object *o = &vec_at(&r->a->memory.objects, cell->object);
    return o->function == UINT32_MAX && r->a->options.kept && r->a->options.kept[o->index] && cell->bytes == o->size;
}

/* What the instruction is assumed to leave as it is survives. */
static void forget(Run *r, Forget what, uint32_t at)
{
    uint32_t count = is_assumed(r, at) ? r->a->memory.cells.len : 0;
    State cells = r->state + r->f->register_count, kept = mem_alloc((count + 1) * sizeof *kept);
    for (uint32_t i = 0; i < count; i++) {
        const Cell *cell = &vec_at(&r->a->memory.cells, i);
        if (is_kept(r, cell)) kept[i] = cells[cell->slot];
    }
    analyse__forget(r->a, r->function, r->state, what);
    for (uint32_t i = 0; i < count; i++) {
        const Cell *cell = &vec_at(&r->a->memory.cells, i);
        if (is_kept(r, cell)) cells[cell->slot] = kept[i];
    }
    free(kept);
    if (r->a->explorer) explore__forget_outer(r->a, what != FORGET_ESCAPED);
    for (uint32_t i = r->f->register_count; i < analyse__state_size(r->a, r->function); i++)
        r->defined[i] = at - r->first + 1; /* none is refined any more */
}

static void store(Run *r, uint32_t at)
{
    const Instr *instr = &r->f->code[at];
    Address address = objects_address(&r->a->memory, r->a->program, r->function, instr->a);
    Value places;
    if (run__pointees(r, instr->a, &places)) {
        run__store(r, &places, (instr->width + 7u) / 8, instr->width % 8 ? 0 : analyse__operand(r->a, r->state, instr->b, instr->width),
                   at);
        return;
    }
    if (!address.object) {
        forget(r, FORGET_ESCAPED, at);
        return;
    }
    assert(instr->width);
    const Object *o = &vec_at(&r->a->memory.objects, address.object - 1);
    uint32_t bytes = (instr->width + 7u) / 8, id = instr->width % 8 ? 0 : analyse__operand(r->a, r->state, instr->b, instr->width);
    if (!o->tracked) return;
    if (!address.variable) {
        write_cells(r, address.object - 1, address.offset, bytes, id, false, at);
        return;
    }
    for (uint64_t to = address.offset % bytes; to + bytes <= o->size; to += bytes)
        write_cells(r, address.object - 1, to, bytes, id, true, at);
}

static bool constant_of(const Run *r, Operand operand, uint64_t *x)
{
    Value v = run__get(r, operand, 64);
    return value_is_constant(&v, x);
}

/* memset, memcpy, memmove: cells get the byte, or what the source has at the same place, if that is known. */
static void fill(Run *r, uint32_t at)
{
    const Instr *instr = &r->f->code[at];
    const Memory *m = &r->a->memory;
    Address to = objects_address(m, r->a->program, r->function, instr->a), from = objects_address(m, r->a->program, r->function, instr->b);
    uint64_t length, byte, x;
    Value places;
    if (!to.object && run__pointees(r, instr->a, &places)) {
        run__clear(r, &places, constant_of(r, instr->c, &length) ? length : UINT32_MAX, at);
        return;
    }
    if (!to.object) forget(r, FORGET_ESCAPED, at);
    if (!to.object || !vec_at(&m->objects, to.object - 1).tracked) return;
    const Object *o = &vec_at(&m->objects, to.object - 1);
    bool sized = constant_of(r, instr->c, &length) && !to.variable;
    Value set_to = run__get(r, instr->b, 8);
    bool known_byte = instr->op == OP_MEMSET && value_is_constant(&set_to, &byte);
    for (uint32_t i = 0; i < o->cell_count; i++) {
        const Cell *cell = &vec_at(&m->cells, o->first_cell + i);
        uint32_t id = 0;
        if (sized && (cell->offset + (uint64_t)cell->bytes <= to.offset || cell->offset >= to.offset + length)) continue;
        bool inside = sized && cell->offset >= to.offset && cell->offset + (uint64_t)cell->bytes <= to.offset + length;
        if (inside && known_byte) {
            Value v = value_constant(cell->bytes * 8, byte * 0x0101010101010101u);
            id = values_keep(&r->a->values, &v);
        } else if (inside && instr->op != OP_MEMSET && from.object && !from.variable) {
            const Object *source = &vec_at(&m->objects, from.object - 1);
            uint64_t place = from.offset + cell->offset - to.offset;
            if (source->constant && objects_initial(r->a->program, source, place, cell->bytes, &x)) {
                Value v = value_constant(cell->bytes * 8, x);
                id = values_keep(&r->a->values, &v);
            } else if (source->tracked && !source->constant && from.object != to.object) {
                const Cell *same = cell_at(r, (Address){from.object, place, false}, cell->bytes);
                if (same) id = r->state[slot_of(r, same)];
            }
        }
        set_slot(r, slot_of(r, cell), id, at);
    }
}

static void allocate(Run *r, uint32_t at)
{
    const Instr *instr = &r->f->code[at];
    Value address = value_unsigned(64, 1, UINT64_MAX);
    uint32_t object = r->a->memory.registers[r->function][instr->dst].object;
    uint64_t known;
    if (r->a->explorer && object && address_encode((AddressParts){false, analyse__level(r->a), object - 1, 0}, &known))
        address = value_constant(64, known);
    set(r, at, &address);
    if (object) write_cells(r, object - 1, 0, UINT32_MAX, 0, false, at);
}

/* ---- refinement ---- */

static bool refine(Run *r, Operand operand, const Value *to, uint32_t before, unsigned depth);

/* The operands of a comparison that is known to hold. */
static bool refine_comparison(Run *r, const Instr *instr, Predicate predicate, uint32_t before, unsigned depth)
{
    if (!is_number(instr->width)) return true;
    Value a = run__get(r, instr->a, instr->width), b = run__get(r, instr->b, instr->width);
    return value_assume(predicate, &a, &b) && refine(r, instr->a, &a, before, depth + 1) && refine(r, instr->b, &b, before, depth + 1);
}

/* What the value of an instruction says about its operands.  `at` is the instruction's index. */
static bool refine_definition(Run *r, uint32_t at, const Value *v, unsigned depth)
{
    const Instr *instr = &r->f->code[at];
    uint64_t x, c;
    Value a, k;
    switch (instr->op) {
    case OP_MOV: return refine(r, instr->a, v, at, depth + 1);
    case OP_ICMP:
        if (!value_is_constant(v, &x)) return true;
        return refine_comparison(r, instr, x ? instr->predicate : predicate_not(instr->predicate), at, depth);
    case OP_ZEXT:
    case OP_SEXT:
        if (!is_number(instr->width2)) return true;
        a = value_convert(OP_TRUNC, instr->width2, v); /* the bits that were there are the low bits of the result */
        if (v->count) return refine(r, instr->a, &a, at, depth + 1);
        a = value_top(instr->width2);
        if (instr->op == OP_ZEXT) {
            a.ulo = v->ulo > a.uhi ? a.uhi : v->ulo;
            a.uhi = v->uhi < a.uhi ? v->uhi : a.uhi;
        } else {
            a.slo = v->slo > a.slo ? v->slo : a.slo;
            a.shi = v->shi < a.shi ? v->shi : a.shi;
        }
        return !value_reduce(&a) || refine(r, instr->a, &a, at, depth + 1);
    case OP_TRUNC:
        if (!is_number(instr->width2)) return true;
        a = run__get(r, instr->a, instr->width2);
        if (a.uhi >> (instr->width - 1) >> 1) return true; /* bits were lost */
        a = value_convert(OP_ZEXT, instr->width2, v);
        return refine(r, instr->a, &a, at, depth + 1);
    case OP_ADD:
    case OP_SUB:
    case OP_XOR:
        k = run__get(r, instr->b, instr->width);
        if (!value_is_constant(&k, &c)) return true;
        if (!v->count && instr->op == OP_XOR) return true;
        a = value_binary(instr->op == OP_ADD ? OP_SUB : instr->op == OP_SUB ? OP_ADD : OP_XOR, 0, false, v, &k);
        return refine(r, instr->a, &a, at, depth + 1);
    case OP_AND:
        k = run__get(r, instr->b, instr->width);
        if (!value_is_constant(&k, &c)) return true;
        a = value_top(instr->width);
        a.ones = v->ones & c;
        a.zeros |= v->zeros & c;
        return !value_reduce(&a) || refine(r, instr->a, &a, at, depth + 1);
    case OP_LOAD: {
        Address address = objects_address(&r->a->memory, r->a->program, r->function, instr->a);
        if (!address.object || address.variable || instr->flags & FLAG_VOLATILE || instr->width % 8) return true;
        const Object *o = &vec_at(&r->a->memory.objects, address.object - 1);
        const Cell *cell = o->tracked && !o->constant ? cell_at(r, address, instr->width / 8u) : NULL;
        if (!cell || r->defined[slot_of(r, cell)] > at - r->first + 1) return true; /* the cell was overwritten after this load */
        Value old = values_get(&r->a->values, r->state[slot_of(r, cell)], instr->width);
        if (!value_meet(&old, v)) return false;
        r->state[slot_of(r, cell)] = values_keep(&r->a->values, &old);
        return true;
    }
    default: return true;
    }
}

/* Narrows the value that the operand had when instruction `before` read it to `to`.  Returns false if no value is left, so that the path is impossible. */
static bool refine(Run *r, Operand operand, const Value *to, uint32_t before, unsigned depth)
{
    if (operand == OPERAND_NONE || !operand_is_reg(operand)) return true;
    uint32_t written = r->defined[operand];
    if (written > before - r->first + 1) return true; /* the register holds another value by now */
    Value v = values_get(&r->a->values, r->state[operand], to->width);
    if (!value_meet(&v, to)) return false;
    r->state[operand] = values_keep(&r->a->values, &v);
    if (!written || depth > DEEPEST_REFINEMENT) return true;
    return refine_definition(r, r->first + written - 1, &v, depth);
}

/* ---- instructions ---- */

static void forget_result(Run *r, uint32_t at)
{
    const Instr *instr = &r->f->code[at];
    if (instr->dst == OPERAND_NONE) return;
    for (uint32_t i = 0; i < 3 && instr->dst + i < r->f->register_count;
         i++) { /* a result may take two registers, and an overflow bit one more */
        bool more = instr->width > 64 || (instr->op >= OP_SADDO && instr->op <= OP_UMULO);
        if (i == 0 || more) set_slot(r, instr->dst + i, 0, at);
    }
}

static void select_value(Run *r, uint32_t at)
{
    const Instr *instr = &r->f->code[at];
    Value c = run__get(r, instr->a, 1), b = run__get(r, instr->b, instr->width), d = run__get(r, instr->c, instr->width), v;
    uint64_t x;
    bool sure = value_is_constant(&c, &x);
    if (instr->imm >= 0) {
        if (!sure || x) r->a->takes[instr->imm] |= 1;
        if (!sure || !x) r->a->takes[instr->imm + 1] |= 1;
    }
    v = sure ? (x ? b : d) : value_join(&b, &d);
    set(r, at, &v);
}

static void compare(Run *r, uint32_t at)
{
    const Instr *instr = &r->f->code[at];
    Value a = run__get(r, instr->a, instr->width), b = run__get(r, instr->b, instr->width), v = value_top(1);
    int known = value_compare(instr->predicate, &a, &b);
    if (instr->a == instr->b && operand_is_reg(instr->a)) {
        Predicate p = instr->predicate;
        known = p == PRED_EQ || p == PRED_UGE || p == PRED_ULE || p == PRED_SGE || p == PRED_SLE;
    }
    if (known >= 0) v = value_constant(1, (uint64_t)known);
    set(r, at, &v);
}

/* An execution that goes on behind the instruction has accessed memory through no null pointer, or has not divided by zero. */
static void exclude_fault(Run *r, uint32_t at)
{
    const Instr *instr = &r->f->code[at];
    bool is_access = instr->op == OP_LOAD || instr->op == OP_STORE, is_division = instr->op >= OP_UDIV && instr->op <= OP_SREM;
    if (!is_access && !(is_division && is_number(instr->width))) return;
    Operand operand = is_access ? instr->a : instr->b;
    for (uint32_t n = 0; is_access && operand != OPERAND_NONE && operand_is_reg(operand) && r->defined[operand]; n++) {
        const Instr *d = &r->f->code[r->first + r->defined[operand] - 1];
        if (d->op != OP_ADDRESS || d->dst != operand || n > DEEPEST_REFINEMENT) break;
        operand = d->a;
    }
    Value v = value_unsigned(is_access ? 64 : instr->width, 1, UINT64_MAX >> (is_access ? 0 : 64 - instr->width));
    if (!refine(r, operand, &v, at, 0)) r->dead = true;
}

static void call(Run *r, uint32_t at)
{
    const Instr *instr = &r->f->code[at];
    const CallSite *site = &r->f->calls[instr->imm];
    const Function *callee = site->callee == UINT32_MAX ? NULL : &r->a->program->functions[site->callee];
    uint32_t registers = 0;
    if (r->a->explorer && (!callee || objects_runs(callee))) {
        explore__call(r->a, at, r->state); /* goes on when the callee returns */
        r->dead = true;
    } else if (!callee || objects_runs(callee)) {
        if (!analyse__call(r->a, r->instance, at, r->state)) r->dead = true;
        for (uint32_t i = r->f->register_count; i < analyse__state_size(r->a, r->function); i++) r->defined[i] = at - r->first + 1;
    } else {
        Effect effect = objects_effect(r->a->program, callee, site);
        if (effect == EFFECT_UNKNOWN || effect == EFFECT_QUIET) forget(r, effect == EFFECT_UNKNOWN ? FORGET_EXPOSED : FORGET_ESCAPED, at);
        if (effect == EFFECT_ASSUME && site->argument_count == 1 && is_number(site->arguments[0].type.width)) {
            Value v = run__get(r, site->arguments[0].value, site->arguments[0].type.width), zero = value_constant(v.width, 0);
            if (!value_assume(PRED_NE, &v, &zero) || !refine(r, site->arguments[0].value, &v, at, 0)) r->dead = true;
        }
        if (callee->noreturn) r->dead = true;
        Value memory = value_unsigned(64, 1, UINT64_MAX);
        if (instr->dst != OPERAND_NONE)
            r->state[instr->dst] = is_assumed(r, at) && check_allocates(callee->name) ? values_keep(&r->a->values, &memory) : 0;
    }
    for (uint32_t i = 0; i < site->result_count; i++) registers += scalar_registers(site->results[i]);
    for (uint32_t i = 0; instr->dst != OPERAND_NONE && i < registers; i++) {
        r->defined[instr->dst + i] = at - r->first + 1;
        if (i) r->state[instr->dst + i] = 0;
    }
}

static void step(Run *r, uint32_t at)
{
    const Instr *instr = &r->f->code[at];
    bool exclude = r->a->options.exclude_overflow || is_assumed(r, at);
    Value v;
    if (instr->op == OP_CALL) {
        call(r, at);
    } else if (instr->op == OP_LOAD) {
        load(r, at);
    } else if (instr->op == OP_STORE) {
        store(r, at);
    } else if (instr->op == OP_ALLOCA) {
        allocate(r, at);
    } else if (instr->op == OP_MEMSET || instr->op == OP_MEMCPY || instr->op == OP_MEMMOVE) {
        fill(r, at);
    } else if (instr->op == OP_VASTART || instr->op == OP_VACOPY) {
        forget(r, FORGET_ESCAPED, at);
    } else if (instr->op == OP_MOV && instr->width <= 64) {
        set_slot(r, instr->dst, analyse__operand(r->a, r->state, instr->a, instr->width), at);
    } else if (instr->op >= OP_ADD && instr->op <= OP_XOR && is_number(instr->width)) {
        Value a = run__get(r, instr->a, instr->width), b = run__get(r, instr->b, instr->width);
        v = value_binary(instr->op, instr->flags, exclude, &a, &b);
        set(r, at, &v);
    } else if (instr->op == OP_ICMP && is_number(instr->width)) {
        compare(r, at);
    } else if (instr->op == OP_ADDRESS && r->a->explorer) {
        v = run__address(r, instr);
        set(r, at, &v);
    } else if (instr->op == OP_SELECT && is_number(instr->width)) {
        select_value(r, at);
    } else if ((instr->op == OP_TRUNC || instr->op == OP_ZEXT || instr->op == OP_SEXT) && is_number(instr->width) &&
               is_number(instr->width2)) {
        Value a = run__get(r, instr->a, instr->width2);
        v = value_convert(instr->op, instr->width, &a);
        set(r, at, &v);
    } else {
        if (instr->op == OP_SELECT && instr->imm >= 0) r->a->takes[instr->imm] = r->a->takes[instr->imm + 1] = 1;
        forget_result(r, at);
    }
}

/* ---- the end of a block ---- */

/* Goes to a successor if the operand can be in `v` there. */
static void take(Run *r, uint32_t at, Operand operand, const Value *v, uint32_t branch, uint32_t from, uint32_t to, Flow *flow)
{
    uint32_t size = analyse__state_size(r->a, r->function);
    State kept = mem_alloc(size * sizeof *kept);
    memcpy(kept, r->state, size * sizeof *kept);
    Value now = run__get(r, operand, v->width);
    if (value_meet(&now, v) && refine(r, operand, &now, at, 0)) {
        r->a->takes[branch] = 1;
        flow(r->a, r->instance, from, to, r->state);
    }
    memcpy(r->state, kept, size * sizeof *kept);
    free(kept);
}

static void take_switch(Run *r, uint32_t at, uint32_t block, Flow *flow)
{
    const Instr *instr = &r->f->code[at];
    const Switch *sw = &r->f->switches[instr->imm];
    if (!is_number(instr->width)) {
        for (uint32_t i = 0; i <= sw->case_count; i++) {
            r->a->takes[sw->branch + i] = 1;
            flow(r->a, r->instance, block, i < sw->case_count ? sw->cases[i].block : sw->default_block, r->state);
        }
        return;
    }
    Value rest = run__get(r, instr->a, instr->width);
    bool any = true;
    for (uint32_t i = 0; i < sw->case_count; i++) {
        Value v = value_constant(instr->width, (uint64_t)sw->cases[i].value);
        take(r, at, instr->a, &v, sw->branch + i, block, sw->cases[i].block, flow);
        any = any && value_assume(PRED_NE, &rest, &v);
    }
    if (any) take(r, at, instr->a, &rest, sw->branch + sw->case_count, block, sw->default_block, flow);
}

static void finish(Run *r, uint32_t block, Flow *flow)
{
    const Block *b = &r->f->blocks[block];
    uint32_t at = b->first + b->count - 1;
    const Instr *last = &r->f->code[at];
    if (last->op == OP_BRANCH) {
        const CondBranch *branch = &r->f->branches[last->imm];
        Value yes = value_constant(1, 1), no = value_constant(1, 0);
        take(r, at, last->a, &yes, branch->branch, block, branch->yes, flow);
        take(r, at, last->a, &no, branch->branch + 1, block, branch->no, flow);
    } else if (last->op == OP_SWITCH) {
        take_switch(r, at, block, flow);
    } else if (last->op == OP_RETURN) {
        if (r->a->explorer) explore__leave(r->a, last, r->state);
        else analyse__leave(r->a, r->instance, last, r->state);
    } else if (last->op != OP_UNREACHABLE) {
        if (last->op == OP_TRAP && r->a->explorer) r->a->explorer->failed = true;
        if (last->op == OP_TRAP) memset(r->state, 0, analyse__state_size(r->a, r->function) * sizeof *r->state);
        for (uint32_t i = 0; i < b->successor_count; i++) flow(r->a, r->instance, block, b->successors[i], r->state);
    }
}

void analyse__block(Analysis *a, uint32_t instance, uint32_t block, State state, Flow *flow)
{
    uint32_t function = vec_at(&a->instances, instance).function;
    analyse__block_from(a, instance, function, block, a->program->functions[function].blocks[block].first, state, flow);
}

static void run_block(Run *r, uint32_t block, uint32_t from, Flow *flow);

/* Goes on with each value of a register that has few, while states are explored.  False: it has one, or many. */
static bool divide(Run *r, uint32_t block, uint32_t at, Flow *flow)
{
    Explorer *x = r->a->explorer;
    uint32_t dst = r->f->code[at].dst, id = x && !r->dead && dst != OPERAND_NONE ? r->state[dst] : 0;
    uint32_t count = vec_at(&r->a->values.list, id).count;
    if (count < 2 || count > MOST_VALUES || !explore__divides(r->a, dst)) return false;
    Value v = vec_at(&r->a->values.list, id);
    uint32_t size = analyse__state_size(r->a, r->function), whole = vec_at(&x->activations, x->now).size;
    for (uint32_t i = 0; i < v.count; i++) {
        Run one = *r;
        Value constant = value_constant(v.width, v.set[i]);
        State outer = x->outer;
        one.state = mem_alloc((size + 1) * sizeof *one.state);
        one.defined = mem_alloc((size + 1) * sizeof *one.defined);
        x->outer = mem_alloc((whole + 1) * sizeof *x->outer);
        memcpy(one.state, r->state, size * sizeof *one.state);
        memcpy(one.defined, r->defined, size * sizeof *one.defined);
        memcpy(x->outer, outer, whole * sizeof *x->outer);
        x->forks++;
        if (refine(&one, dst, &constant, at + 1, 0)) run_block(&one, block, at + 1, flow);
        free(one.state);
        free(one.defined);
        free(x->outer);
        x->outer = outer;
    }
    return true;
}

static void run_block(Run *r, uint32_t block, uint32_t from, Flow *flow)
{
    Analysis *a = r->a;
    a->work += r->f->blocks[block].count;
    for (uint32_t i = from - r->first; i + 1 < r->f->blocks[block].count && !r->dead; i++) {
        const Instr *instr = &r->f->code[r->first + i];
        if (a->on_instr) a->on_instr(a->on_instr_data, r->first + i, r->state);
        step(r, r->first + i);
        if (a->options.ends_at_faults) exclude_fault(r, r->first + i);
        if (instr->op == OP_CALL && a->on_call && !r->dead) a->on_call(a->on_call_data, r->instance, instr, r->state);
        if (a->explorer && divide(r, block, r->first + i, flow)) return;
    }
    if (!r->dead) finish(r, block, flow);
}

void analyse__block_from(Analysis *a, uint32_t instance, uint32_t function, uint32_t block, uint32_t from, State state, Flow *flow)
{
    Run r = {.a = a, .instance = instance, .function = function, .state = state};
    r.f = &a->program->functions[r.function];
    r.first = r.f->blocks[block].first;
    r.defined = mem_alloc((analyse__state_size(a, r.function) + 1) * sizeof *r.defined);
    run_block(&r, block, from, flow);
    free(r.defined);
}
