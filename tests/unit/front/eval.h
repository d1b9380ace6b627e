/* A small evaluator of the program model, for tests only: integers and memory inside one buffer, no calls.  It shares nothing with the
 * VM, so that a wrong translation cannot be hidden by an equally wrong interpreter. */
#ifndef CLEW_TEST_EVAL_H
#define CLEW_TEST_EVAL_H

#include "base/arith.h"
#include "load.h"

typedef struct Eval {
    const Program *program;
    const Function *function;
    uint64_t registers[4096];
    uint8_t memory[1 << 16];
    uint64_t used;
    uint64_t globals[256];
    uint64_t trap; /* 1 + message, 0: none */
} Eval;

static inline U128 eval_const(const Eval *e, uint32_t index)
{
    const Const *c = &e->program->consts[index];
    U128 value = c->undef ? 0 : c->value;
    const uint32_t symbols[] = {c->symbol, c->minus};
    for (int i = 0; i < 2; i++) {
        const Symbol *symbol = &e->program->symbols[symbols[i]];
        uint64_t address = 0;
        if (symbol->kind == SYMBOL_GLOBAL) address = e->globals[symbol->index];
        if (symbol->kind == SYMBOL_LABEL) address = 1000000 + symbol->block;
        value = i ? value - address : value + address;
    }
    return value & arith_mask(c->width);
}

static inline U128 eval_read(const Eval *e, Operand o, uint32_t width)
{
    if (operand_is_const(o)) return eval_const(e, operand_index(o));
    return width > 64 ? (U128)e->registers[o + 1] << 64 | e->registers[o] : e->registers[o];
}

static inline void eval_write(Eval *e, uint32_t reg, uint32_t width, U128 value)
{
    value &= arith_mask(width);
    e->registers[reg] = (uint64_t)value;
    if (width > 64) e->registers[reg + 1] = (uint64_t)(value >> 64);
}

static inline uint8_t *eval_memory(Eval *e, U128 address, uint64_t size)
{
    assert_true(address >= 16 && address + size <= sizeof e->memory);
    return e->memory + (size_t)address;
}

static inline uint64_t eval_place(Eval *e, uint64_t size, uint64_t align)
{
    uint64_t at = (e->used + align - 1) / align * align;
    e->used = at + size;
    assert_true(e->used <= sizeof e->memory);
    return at;
}

static inline bool eval_compare(uint32_t predicate, U128 a, U128 b, uint32_t width)
{
    I128 x = arith_sext(a, width), y = arith_sext(b, width);
    const bool results[] = {a == b, a != b, a > b, a >= b, a<b, a <= b, x> y, x >= y, x < y, x <= y};
    return results[predicate];
}

static inline void eval_overflow(Eval *e, const Instr *n, U128 a, U128 b)
{
    U128 z;
    bool over = n->op == OP_UADDO ? __builtin_add_overflow(a, b, &z) : __builtin_sub_overflow(a, b, &z);
    eval_write(e, n->dst, n->width, z);
    eval_write(e, n->dst + (n->width > 64 ? 2 : 1), 1, over || z != (z & arith_mask(n->width)));
}

/* Everything but control flow. */
static inline void eval_plain(Eval *e, const Instr *n)
{
    uint32_t w = n->width;
    U128 a = n->a == OPERAND_NONE ? 0 : eval_read(e, n->a, n->width2 && n->op != OP_ADDRESS ? n->width2 : n->op == OP_STORE ? 64 : w);
    U128 b = n->b == OPERAND_NONE || n->op == OP_ADDRESS ? 0 : eval_read(e, n->b, n->op == OP_MEMSET ? 8 : w), z = 0;
    switch (n->op) {
    case OP_MOV:
    case OP_TRUNC:
    case OP_ZEXT: z = a; break;
    case OP_UNDEF: z = 0; break;
    case OP_ADD: z = a + b; break;
    case OP_SUB: z = a - b; break;
    case OP_MUL: z = a * b; break;
    case OP_SHL: z = b < w ? a << b : 0; break;
    case OP_LSHR: z = b < w ? a >> b : 0; break;
    case OP_ASHR: z = (U128)(arith_sext(a, w) >> (b < w ? b : w - 1)); break;
    case OP_AND: z = a & b; break;
    case OP_OR: z = a | b; break;
    case OP_XOR: z = a ^ b; break;
    case OP_SEXT: z = (U128)arith_sext(a, n->width2); break;
    case OP_UADDO:
    case OP_USUBO: eval_overflow(e, n, a, b); return;
    case OP_ICMP: eval_write(e, n->dst, 1, eval_compare(n->predicate, a, b, w)); return;
    case OP_SELECT: z = eval_read(e, n->a, 1) ? b : eval_read(e, n->c, w); break;
    case OP_ALLOCA: z = eval_place(e, (uint64_t)n->imm, (uint64_t)eval_read(e, n->b, 64)); break;
    case OP_LOAD: memcpy(&z, eval_memory(e, eval_read(e, n->a, 64), (w + 7) / 8), (w + 7) / 8); break;
    case OP_STORE: memcpy(eval_memory(e, a, (w + 7) / 8), &b, (w + 7) / 8); return;
    case OP_MEMCPY: {
        size_t size = (size_t)eval_read(e, n->c, 64);
        memcpy(eval_memory(e, a, size), eval_memory(e, b, size), size);
        return;
    }
    case OP_MEMSET: {
        size_t size = (size_t)eval_read(e, n->c, 64);
        memset(eval_memory(e, eval_read(e, n->a, 64), size), (int)b, size);
        return;
    }
    case OP_ADDRESS:
        z = eval_read(e, n->a, 64) + (U128)(I128)n->imm;
        if (n->b != OPERAND_NONE) z += (U128)arith_sext(eval_read(e, n->b, n->width2), n->width2) * eval_read(e, n->c, 64);
        break;
    default: fail_msg("the evaluator does not know %s", opcode_name(n->op));
    }
    eval_write(e, n->dst, w, z);
}

static inline void eval_globals(Eval *e)
{
    const Program *p = e->program;
    e->used = 16;
    for (uint32_t i = 0; i < p->global_count; i++) {
        e->globals[i] = eval_place(e, p->globals[i].size, p->globals[i].align);
        if (p->globals[i].bytes) memcpy(e->memory + e->globals[i], p->globals[i].bytes, p->globals[i].size);
    }
    for (uint32_t i = 0; i < p->global_count; i++)
        for (uint32_t k = 0; k < p->globals[i].reloc_count; k++) {
            const Reloc *reloc = &p->globals[i].relocs[k];
            U128 value = eval_const(e, reloc->value);
            memcpy(e->memory + e->globals[i] + reloc->offset, &value, (p->consts[reloc->value].width + 7) / 8);
        }
}

/* Runs a function of integer parameters; the result is its first scalar. */
static inline I128 eval(const Program *program, const char *name, uint32_t count, const int64_t *arguments)
{
    static Eval e;
    e = (Eval){.program = program, .function = function_of(program, name)};
    const Function *f = e.function;
    assert_true(f->defined && f->param_count == count && f->register_count < COUNT_OF(e.registers));
    eval_globals(&e);
    for (uint32_t i = 0; i < count; i++) eval_write(&e, f->params[i].reg, f->params[i].type.width, (U128)(I128)arguments[i]);
    for (uint32_t block = 0, steps = 0;; steps++) {
        assert_true(steps < 100000);
        const Block *b = &f->blocks[block];
        for (uint32_t i = 0; i + 1 < b->count; i++) eval_plain(&e, &f->code[b->first + i]);
        const Instr *last = &f->code[b->first + b->count - 1];
        switch (last->op) {
        case OP_JUMP: block = (uint32_t)last->imm; break;
        case OP_BRANCH: {
            const CondBranch *branch = &f->branches[last->imm];
            block = eval_read(&e, last->a, 1) ? branch->yes : branch->no;
            break;
        }
        case OP_SWITCH: {
            const Switch *sw = &f->switches[last->imm];
            U128 value = eval_read(&e, last->a, last->width);
            block = sw->default_block;
            for (uint32_t i = 0; i < sw->case_count; i++)
                if (sw->cases[i].value == value) block = sw->cases[i].block;
            break;
        }
        case OP_INDIRECT: block = (uint32_t)(eval_read(&e, last->a, 64) - 1000000); break;
        case OP_RETURN: return arith_sext(eval_read(&e, last->a, f->results[0].width), f->results[0].width);
        default: fail_msg("the evaluator met %s", opcode_name(last->op));
        }
    }
}

#define EVAL(program, name, ...) ((int64_t)eval(program, name, COUNT_OF(((const int64_t[]){__VA_ARGS__})), (const int64_t[]){__VA_ARGS__}))

#endif
