/* Straight code from a state of which nothing is known.
 *
 * The values at the end of a segment are expressions over the state at its start; what is read before it was written is a variable (vars.c).  This is all
 * that weakest preconditions need: a condition on the state at the end becomes one on the state at the start by putting these expressions in its place.
 * Whatever certificates cannot follow (floats, wide numbers, volatile accesses, pointers that lead anywhere) is an input. */
#include "prove/prove_int.h"
#include "meaning/meaning.h"

#include <stdlib.h>

enum {
    MOST_ELEMENTS = 64, /* of an object that an access at an unknown place is divided into.  A guess; clew-check follows up to 256. */
    MOST_COPIED = 256   /* bytes of memcpy and memset that are followed one by one.  A guess. */
};

bool segment__is_cut(const Program *program, const Function *function, const Instr *instr)
{
    if (instr->op != OP_CALL) return false;
    uint32_t callee = function->calls[instr->imm].callee;
    return callee == UINT32_MAX || objects_runs(&program->functions[callee]);
}

void segment_release(Segment *segment)
{
    map_release(&segment->registers);
    map_release(&segment->unknown);
    vec_release(&segment->changes);
    vec_release(&segment->assumed);
    vec_release(&segment->demands);
    vec_release(&segment->choices);
}

/* ---- registers ---- */

static Expr fit(ExprPool *pool, Expr e, unsigned width)
{
    unsigned has = expr_width(pool, e);
    return has == width ? e : has > width ? expr_extract(pool, e, 0, width) : expr_zext(pool, e, width);
}

static Expr register_value(Vars *vars, const Segment *s, uint32_t reg, unsigned width)
{
    const uint64_t *written = map_find(&s->registers, reg);
    if (written) return fit(vars->pool, (Expr)*written, width);
    uint32_t own = vars_width(vars, s->function, reg);
    if (!own) return vars_input(vars, width);
    return fit(vars->pool, vars_get(vars, (VarInfo){VAR_REGISTER, 0, s->function, reg, 0}, own), width);
}

static Expr constant_value(Vars *vars, const Const *c, unsigned width)
{
    if (c->undef || c->minus) return vars_input(vars, width);
    if (!c->symbol) return expr_const(vars->pool, width, c->value);
    if (width != 64) return vars_input(vars, width);
    Expr address = vars_get(vars, (VarInfo){VAR_ADDRESS, 0, 0, c->symbol, 0}, 64);
    return expr_add(vars->pool, address, expr_const(vars->pool, 64, c->value));
}

Expr segment_operand(Vars *vars, const Segment *s, Operand operand, unsigned width)
{
    if (operand == OPERAND_NONE || width == 0 || width > 64) return 0;
    if (operand_is_reg(operand)) return register_value(vars, s, operand, width);
    return constant_value(vars, &vars->program->consts[operand_index(operand)], width);
}

static void set(Segment *s, uint32_t reg, Expr value)
{
    map_put(&s->registers, reg, value);
}

/* ---- memory ---- */

/* Something in memory: a byte of a tracked object, or the byte at an address. */
static Expr unknown_byte(Vars *vars, Segment *s, uint32_t at, const VarInfo *byte)
{
    uint64_t key = hash_mix((uint64_t)at << 32 | byte->index) ^
                   ((uint64_t)byte->kind << 60 | (uint64_t)byte->depth << 52 | (uint64_t)byte->offset << 32 | byte->index);
    const uint64_t *known = map_find(&s->unknown, key);
    if (known) return (Expr)*known;
    Expr input = vars_input(vars, 8);
    map_put(&s->unknown, key, input);
    return input;
}

static Expr byte_before(Vars *vars, Segment *s, uint32_t changes, const VarInfo *byte);

/* A byte after a write at an unknown place in its object: the new value, if the write covers it; the old one, if the write lies a multiple of its size
 * away. */
static Expr byte_of_any_write(Vars *vars, Segment *s, uint32_t at, const Change *c, const VarInfo *byte)
{
    ExprPool *pool = vars->pool;
    if (c->size & (c->size - 1)) return unknown_byte(vars, s, at, byte);
    uint64_t into = (byte->offset - c->offset) % c->size, start = byte->offset - c->offset - into;
    Expr hit = expr_eq(pool, c->variable, expr_const(pool, 64, start));
    Expr aligned = c->size == 1 ? expr_const(pool, 1, 1)
                                : expr_eq(pool, expr_extract(pool, c->variable, 0, (unsigned)__builtin_ctzll(c->size)),
                                          expr_const(pool, (unsigned)__builtin_ctzll(c->size), 0));
    Expr new = c->value ? expr_extract(pool, c->value, 8 * (unsigned)into, 8) : unknown_byte(vars, s, at, byte);
    Expr old = byte_before(vars, s, at, byte);
    Expr other = c->size == 1 ? old : vars_input(vars, 8);
    return expr_ite(pool, hit, new, expr_ite(pool, aligned, old, other));
}

/* How far `address` is behind `to`, if that is known; false: it is not.  *apart: they are in different objects. */
static bool distance(const Vars *vars, Expr to, Expr address, int64_t *bytes, bool *apart)
{
    Spot x = vars_spot(vars, to), y = vars_spot(vars, address);
    uint64_t i, k;
    Expr p = vars_base(vars, to, &i), q = vars_base(vars, address, &k);
    *bytes = (int64_t)(k - i);
    *apart = x.object && y.object && (x.object != y.object || x.depth != y.depth);
    return p == q;
}

/* What the address of an object is a multiple of. */
static uint64_t object_alignment(const Vars *vars, uint32_t object)
{
    const Object *o = &vec_at(&vars->memory->objects, object);
    if (o->function == UINT32_MAX) return vars->program->globals[o->index].defined ? vars->program->globals[o->index].align : 1;
    Operand align = vars->program->functions[o->function].code[o->index].b;
    return operand_is_const(align) ? (uint64_t)vars->program->consts[operand_index(align)].value : 1;
}

/* The byte at `address` after a write to `to`.  Where it is not known whether they meet, numbers are taken to lie at multiples of their size: then the write
 * hits the whole number that the byte belongs to.  If it hits a part of it only, its bytes are unknown; that
 * cannot be where both the write and the object are aligned. */
static Expr byte_of_pointer_write(Vars *vars, Segment *s, uint32_t at, Expr to, Expr address, const VarInfo *byte)
{
    const Change c = vec_at(&s->changes, at);
    uint64_t size = c.size;
    Expr value = c.value;
    ExprPool *pool = vars->pool;
    Expr old = byte_before(vars, s, at, byte);
    int64_t bytes;
    bool apart;
    if (distance(vars, to, address, &bytes, &apart)) {
        if (bytes < 0 || (uint64_t)bytes >= size) return old;
        return value ? expr_extract(pool, value, 8 * (unsigned)bytes, 8) : unknown_byte(vars, s, at, byte);
    }
    if (apart) return old;
    if (size & (size - 1)) return unknown_byte(vars, s, at, byte);
    uint64_t place;
    vars_base(vars, address, &place);
    uint64_t into = place % size;
    Expr start = expr_add(pool, address, expr_const(pool, 64, -into)), hit = expr_eq(pool, to, start);
    Expr new = value ? expr_extract(pool, value, 8 * (unsigned)into, 8) : unknown_byte(vars, s, at, byte);
    if (size > 1 && !(c.aligned && byte->kind != VAR_MEMORY && object_alignment(vars, byte->index) % size == 0)) {
        Expr from = expr_add(pool, expr_binary(pool, EXPR_SUB, to, start), expr_const(pool, 64, size - 1));
        Expr part = expr_binary(pool, EXPR_ULT, from, expr_const(pool, 64, 2 * size - 1));
        old = expr_ite(pool, part, unknown_byte(vars, s, at, byte), old);
    }
    return expr_ite(pool, hit, new, old);
}

static Expr write_address(Vars *vars, const Change *c)
{
    Expr address = vars_address(vars, c->object, 0, c->offset);
    return c->variable ? expr_add(vars->pool, address, c->variable) : address;
}

/* The byte at an address as the change has left it; 0: the change does not concern it. */
static Expr changed_memory(Vars *vars, Segment *s, uint32_t at, const VarInfo *byte)
{
    Change c = vec_at(&s->changes, at);
    const Object *o = c.kind == CHANGE_WRITE || c.kind == CHANGE_OBJECT ? &vec_at(&vars->memory->objects, c.object) : NULL;
    if (o && !o->escaped) return 0;
    if (c.kind == CHANGE_POINTER || c.kind == CHANGE_WRITE)
        return byte_of_pointer_write(vars, s, at, o ? write_address(vars, &c) : c.variable, byte->index, byte);
    return unknown_byte(vars, s, at, byte);
}

/* The same for a byte of a tracked object. */
static Expr changed_byte(Vars *vars, Segment *s, uint32_t at, const VarInfo *byte)
{
    Change c = vec_at(&s->changes, at);
    const Object *o = &vec_at(&vars->memory->objects, byte->index);
    switch (c.kind) {
    case CHANGE_WRITE:
        if (c.object != byte->index || byte->depth) return 0;
        if (c.variable) return byte_of_any_write(vars, s, at, &c, byte);
        if (byte->offset < c.offset || byte->offset - c.offset >= c.size) return 0;
        return c.value ? expr_extract(vars->pool, c.value, 8 * (unsigned)(byte->offset - c.offset), 8) : unknown_byte(vars, s, at, byte);
    case CHANGE_POINTER:
        if (!o->escaped) return 0;
        return byte_of_pointer_write(vars, s, at, c.variable, vars_address(vars, byte->index, byte->depth, byte->offset), byte);
    case CHANGE_OBJECT: return c.object == byte->index && byte->depth == 0 ? unknown_byte(vars, s, at, byte) : 0;
    case CHANGE_ESCAPED: return o->escaped ? unknown_byte(vars, s, at, byte) : 0;
    default: return o->exposed ? unknown_byte(vars, s, at, byte) : 0;
    }
}

Expr segment_initial(Vars *vars, uint32_t object, uint32_t offset)
{
    const Object *o = &vec_at(&vars->memory->objects, object);
    Operand address;
    uint64_t x;
    if (objects_initial(vars->program, o, offset, 1, &x)) return expr_const(vars->pool, 8, x);
    for (uint32_t i = 0; i < 8 && i <= offset; i++) {
        Expr e = objects_initial_address(vars->program, o, offset - i, &address) ? segment_operand(vars, NULL, address, 64) : 0;
        if (e) return expr_extract(vars->pool, e, 8 * i, 8);
    }
    return 0;
}

/* The byte after the first so many changes. */
static Expr byte_before(Vars *vars, Segment *s, uint32_t changes, const VarInfo *byte)
{
    bool constant = byte->kind != VAR_MEMORY && vec_at(&vars->memory->objects, byte->index).constant;
    Expr initial = constant ? segment_initial(vars, byte->index, byte->offset) : 0;
    if (initial) return initial;
    while (changes-- > 0) {
        Expr changed = byte->kind == VAR_MEMORY ? changed_memory(vars, s, changes, byte) : changed_byte(vars, s, changes, byte);
        if (changed) return changed;
    }
    return vars_get(vars, *byte, 8);
}

/* What stands for the byte at an address. */
static VarInfo byte_at(const Vars *vars, Expr address)
{
    Spot spot = vars_spot(vars, address);
    if (!spot.object || !vec_at(&vars->memory->objects, spot.object - 1).tracked) return (VarInfo){VAR_MEMORY, 0, 0, address, 0};
    bool local = vec_at(&vars->memory->objects, spot.object - 1).function != UINT32_MAX;
    return (VarInfo){local ? VAR_LOCAL : VAR_GLOBAL, spot.depth, 0, spot.object - 1, (uint32_t)spot.offset};
}

static Expr memory_at_address(Vars *vars, Segment *s, Expr address, uint64_t bytes)
{
    Expr whole = 0;
    for (uint64_t i = 0; i < bytes; i++) {
        VarInfo byte = byte_at(vars, expr_add(vars->pool, address, expr_const(vars->pool, 64, i)));
        Expr e = byte_before(vars, s, s->changes.len, &byte);
        whole = whole ? expr_binary(vars->pool, EXPR_CONCAT, e, whole) : e;
    }
    return whole;
}

static Expr memory_at(Vars *vars, Segment *s, uint32_t object, uint64_t offset, uint64_t bytes)
{
    bool local = vec_at(&vars->memory->objects, object).function != UINT32_MAX;
    Expr whole = 0;
    for (uint64_t i = 0; i < bytes; i++) {
        VarInfo byte = {local ? VAR_LOCAL : VAR_GLOBAL, 0, 0, object, (uint32_t)(offset + i)};
        Expr e = byte_before(vars, s, s->changes.len, &byte);
        whole = whole ? expr_binary(vars->pool, EXPR_CONCAT, e, whole) : e;
    }
    return whole;
}

/* The instruction that computes an address which is written once. */
static const Instr *definition(const Vars *vars, uint32_t function, uint32_t reg)
{
    const Function *f = &vars->program->functions[function];
    for (uint32_t i = 0; i < f->code_count; i++)
        if (f->code[i].dst == reg) return &f->code[i];
    return NULL;
}

/* What is added to the address besides its constant offset; 0: nothing. */
static Expr variable_part(Vars *vars, const Segment *s, Operand operand)
{
    ExprPool *pool = vars->pool;
    Expr sum = 0;
    while (operand != OPERAND_NONE && operand_is_reg(operand)) {
        const Instr *instr = definition(vars, s->function, operand);
        if (!instr || (instr->op != OP_ADDRESS && instr->op != OP_MOV)) break;
        if (instr->op == OP_ADDRESS && instr->b != OPERAND_NONE) {
            uint64_t scale = instr->c == OPERAND_NONE ? 1 : (uint64_t)vars->program->consts[operand_index(instr->c)].value;
            Expr index = segment_operand(vars, s, instr->b, instr->width2);
            if (!index) return vars_input(vars, 64);
            index = fit(pool, instr->width2 < 64 ? expr_sext(pool, index, 64) : index, 64);
            index = expr_binary(pool, EXPR_MUL, index, expr_const(pool, 64, scale));
            sum = sum ? expr_add(pool, sum, index) : index;
        }
        operand = instr->a;
    }
    return sum;
}

typedef struct Access {
    const Object *object; /* NULL: it is not known, or its content is not followed */
    uint32_t number;
    uint64_t offset;
    Expr variable;
} Access;

static Access access_of(Vars *vars, const Segment *s, Operand pointer)
{
    Address address = objects_address(vars->memory, vars->program, s->function, pointer);
    Access access = {.number = address.object - 1, .offset = address.offset};
    if (address.object) access.object = &vec_at(&vars->memory->objects, address.object - 1);
    if (address.object && address.variable) access.variable = variable_part(vars, s, pointer);
    if (access.variable && expr_is_const(vars->pool, access.variable)) {
        access.offset += (uint64_t)expr_value(vars->pool, access.variable);
        access.variable = 0;
    }
    return access;
}

static Expr load(Vars *vars, Segment *s, const Instr *instr)
{
    Access a = access_of(vars, s, instr->a);
    uint64_t n = instr->width / 8u;
    if (instr->width % 8 || instr->flags & FLAG_VOLATILE) return vars_input(vars, instr->width);
    if (!a.object || !a.object->tracked) return memory_at_address(vars, s, segment_operand(vars, s, instr->a, 64), n);
    if (a.object->size < n) return vars_input(vars, instr->width);
    if (!a.variable) return a.offset <= a.object->size - n ? memory_at(vars, s, a.number, a.offset, n) : vars_input(vars, instr->width);
    if (a.object->size / n > MOST_ELEMENTS || a.offset >= a.object->size) return vars_input(vars, instr->width);
    Expr result = vars_input(vars, instr->width);
    for (uint64_t at = a.offset % n; at <= a.object->size - n; at += n) {
        Expr here = expr_eq(vars->pool, a.variable, expr_const(vars->pool, 64, at - a.offset));
        result = expr_ite(vars->pool, here, memory_at(vars, s, a.number, at, n), result);
    }
    return result;
}

static void write_to(Vars *vars, Segment *s, Operand pointer, uint64_t size, Expr value, bool aligned)
{
    Access a = access_of(vars, s, pointer);
    Expr address = segment_operand(vars, s, pointer, 64);
    Spot spot = vars_spot(vars, address);
    if ((!a.object || !a.object->tracked) && spot.object && spot.depth == 0 && vec_at(&vars->memory->objects, spot.object - 1).tracked)
        a = (Access){&vec_at(&vars->memory->objects, spot.object - 1), spot.object - 1, spot.offset, 0};
    if (size == 0) return;
    if (!a.object || !a.object->tracked) {
        vec_push(&s->changes, ((Change){CHANGE_POINTER, 0, 0, size, address, value, aligned}));
        return;
    }
    bool inside = !a.variable && size <= a.object->size && a.offset <= a.object->size - size;
    if (inside || (a.variable && size <= 8))
        vec_push(&s->changes, ((Change){CHANGE_WRITE, a.number, a.offset, size, a.variable, value, false}));
    else vec_push(&s->changes, ((Change){.kind = CHANGE_OBJECT, .object = a.number}));
}

/* memset, memcpy, memmove. */
static void fill(Vars *vars, Segment *s, const Instr *instr)
{
    Access to = access_of(vars, s, instr->a), from = access_of(vars, s, instr->b);
    Expr length = segment_operand(vars, s, instr->c, 64);
    uint64_t n = length && expr_is_const(vars->pool, length) ? (uint64_t)expr_value(vars->pool, length) : UINT64_MAX;
    if (!to.object || !to.object->tracked) {
        vec_push(&s->changes, ((Change){.kind = CHANGE_ESCAPED}));
        return;
    }
    if (to.variable || n > MOST_COPIED || n > to.object->size || to.offset > to.object->size - n) {
        vec_push(&s->changes, ((Change){.kind = CHANGE_OBJECT, .object = to.number}));
        return;
    }
    bool known = instr->op != OP_MEMSET && from.object && from.object->tracked && !from.variable && n <= from.object->size &&
                 from.offset <= from.object->size - n;
    Expr byte = instr->op == OP_MEMSET ? segment_operand(vars, s, instr->b, 8) : 0, bytes[MOST_COPIED];
    for (uint64_t i = 0; i < n; i++) bytes[i] = known ? memory_at(vars, s, from.number, from.offset + i, 1) : byte;
    for (uint64_t i = 0; i < n; i++) vec_push(&s->changes, ((Change){CHANGE_WRITE, to.number, to.offset + i, 1, 0, bytes[i], false}));
}

Expr segment_before(Vars *vars, Segment *s, const VarInfo *info, Expr var, Expr address)
{
    switch (info->kind) {
    case VAR_REGISTER: {
        const uint64_t *written = info->depth == 0 ? map_find(&s->registers, info->index) : NULL;
        return written ? fit(vars->pool, (Expr)*written, expr_width(vars->pool, var)) : var;
    }
    case VAR_MEMORY:
    case VAR_LOCAL:
    case VAR_GLOBAL: {
        VarInfo byte = info->kind == VAR_MEMORY ? byte_at(vars, address)
                                                : *info; /* a copy: making variables moves the table that info lies in */
        return byte_before(vars, s, s->changes.len, &byte);
    }
    default: return var;
    }
}

/* ---- instructions ---- */

static void call(Vars *vars, Segment *s, const Instr *instr)
{
    const Function *f = &vars->program->functions[s->function];
    const CallSite *site = &f->calls[instr->imm];
    const Function *callee = &vars->program->functions[site->callee];
    Effect effect = objects_effect(vars->program, callee, site);
    if (effect == EFFECT_UNKNOWN) vec_push(&s->changes, ((Change){.kind = CHANGE_GLOBALS}));
    if (effect == EFFECT_QUIET) vec_push(&s->changes, ((Change){.kind = CHANGE_ESCAPED}));
    if (effect == EFFECT_ASSUME && site->argument_count == 1) {
        unsigned width = site->arguments[0].type.width;
        Expr e = segment_operand(vars, s, site->arguments[0].value, width);
        if (e) vec_push(&s->assumed, expr_not(vars->pool, expr_eq(vars->pool, e, expr_const(vars->pool, width, 0))));
    }
    if (callee->noreturn) s->dead = true;
    uint32_t reg = instr->dst;
    for (uint32_t i = 0; reg != OPERAND_NONE && i < site->result_count; i++)
        for (uint32_t k = 0; k < scalar_registers(site->results[i]); k++) {
            unsigned width = site->results[i].width;
            set(s, reg++, vars_input(vars, width > 64 ? 64 : width));
        }
}

static void forget_result(Vars *vars, Segment *s, const Instr *instr)
{
    bool more = instr->width > 64 || (instr->op >= OP_SADDO && instr->op <= OP_UMULO);
    const Function *f = &vars->program->functions[s->function];
    for (uint32_t i = 0; instr->dst != OPERAND_NONE && i < (more ? 3u : 1u) && instr->dst + i < f->register_count; i++)
        set(s, instr->dst + i, vars_input(vars, i || instr->width > 64 ? 64 : instr->op == OP_FCMP ? 1 : instr->width ? instr->width : 64));
}

static bool is_computed(const Instr *instr)
{
    if (instr->width == 0 || instr->width > 64 || instr->width2 > 64) return false;
    switch (instr->op) {
    case OP_MOV:
    case OP_ICMP:
    case OP_TRUNC:
    case OP_ZEXT:
    case OP_SEXT:
    case OP_SELECT:
    case OP_ADDRESS: return true;
    default: return instr->op >= OP_ADD && instr->op <= OP_XOR;
    }
}

static void add_demand(Segment *s, Expr condition, uint32_t origin)
{
    if (condition && origin) vec_push(&s->demands, ((Demand){condition, origin}));
}

static void compute(Vars *vars, Segment *s, const Instr *instr)
{
    ExprPool *pool = vars->pool;
    unsigned wa = instr->op == OP_SELECT                                                  ? 1
                  : instr->op == OP_TRUNC || instr->op == OP_ZEXT || instr->op == OP_SEXT ? instr->width2
                  : instr->op == OP_ADDRESS                                               ? 64u
                                                                                          : instr->width;
    unsigned wb = instr->op == OP_ADDRESS ? instr->width2 : instr->width;
    Expr a = segment_operand(vars, s, instr->a, wa), b = segment_operand(vars, s, instr->b, wb), c = 0;
    uint64_t scale = 0;
    if (instr->op == OP_ADDRESS && instr->c != OPERAND_NONE) scale = (uint64_t)vars->program->consts[operand_index(instr->c)].value;
    if (instr->op == OP_SELECT) c = segment_operand(vars, s, instr->c, instr->width);
    Expr value = meaning_value(pool, instr, a, b, c, scale);
    MeaningCheck kind;
    if (instr->op >= OP_SHL && instr->op <= OP_ASHR && !expr_is_const(pool, b)) { /* a shift that is too far gives any value */
        Expr near = expr_binary(pool, EXPR_ULT, b, expr_const(pool, instr->width, instr->width));
        if (instr->width < 8 && (1u << instr->width) <= instr->width) near = expr_const(pool, 1, 1);
        value = value ? expr_ite(pool, near, value, vars_input(vars, instr->width)) : 0;
    }
    if (instr->op == OP_SELECT && instr->imm >= 0) vec_push(&s->choices, ((Choice){(uint32_t)instr->imm, a}));
    Expr check = instr->op >= OP_ADD && instr->op <= OP_SREM ? meaning_check(pool, instr, a, b, &kind) : 0;
    if (check && !expr_is_const(pool, check)) add_demand(s, check, instr->origin);
    if (value) set(s, instr->dst, value);
    else forget_result(vars, s, instr);
}

static void execute(Vars *vars, Segment *s, const Instr *instr)
{
    switch (instr->op) {
    case OP_NOP:
    case OP_STACKRESTORE: return;
    case OP_CALL: call(vars, s, instr); return;
    case OP_LOAD:
        if (instr->width <= 64) set(s, instr->dst, load(vars, s, instr));
        else forget_result(vars, s, instr);
        return;
    case OP_STORE:
        write_to(vars, s, instr->a, (instr->width + 7u) / 8, instr->width % 8 ? 0 : segment_operand(vars, s, instr->b, instr->width),
                 !(instr->flags & FLAG_UNALIGNED));
        return;
    case OP_MEMCPY:
    case OP_MEMMOVE:
    case OP_MEMSET: fill(vars, s, instr); return;
    case OP_VASTART:
    case OP_VACOPY: vec_push(&s->changes, ((Change){.kind = CHANGE_ESCAPED})); return;
    case OP_ALLOCA: {
        uint32_t object = vars->memory->registers[s->function][instr->dst].object;
        if (object) vec_push(&s->changes, ((Change){.kind = CHANGE_OBJECT, .object = object - 1}));
        return; /* the variable of its register is its address */
    }
    default:
        if (is_computed(instr)) compute(vars, s, instr);
        else {
            if (instr->op == OP_SELECT && instr->imm >= 0)
                vec_push(&s->choices, ((Choice){(uint32_t)instr->imm, segment_operand(vars, s, instr->a, 1)}));
            forget_result(vars, s, instr);
        }
    }
}

void segment_execute(Vars *vars, Segment *s)
{
    const Function *f = &vars->program->functions[s->function];
    for (uint32_t i = s->first; i < s->end && !s->dead; i++) execute(vars, s, &f->code[i]);
}
