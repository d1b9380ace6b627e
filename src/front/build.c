/* Building single instructions: registers, operands, and what every family of instructions is made of.
 *
 * A value of LLVM that only renames another (a cast between pointers and integers of their size, a part of an aggregate, an address plus
 * nothing) gets no registers of its own but those of what it renames.  That is sound because a register is written only where its value is
 * defined: phis are copied on split edges, in parallel, so no use of a renamed phi can see the next iteration's value. */
#include "front/front_int.h"

#include <stdio.h>

enum { DEEPEST_RENAMING = 200 };

uint32_t front__new_registers(Lower *l, uint32_t count)
{
    uint32_t first = l->register_count;
    REQUIRE(count < (1u << 30) && first < (1u << 30), "a function needs too many registers");
    l->register_count += count;
    return first;
}

uint32_t front__new_register(Lower *l, uint32_t width)
{
    assert(width >= 1 && width <= 128);
    return front__new_registers(l, width > 64 ? 2 : 1);
}

uint32_t front__new_block(Lower *l)
{
    if (l->block_total == l->blocks.len) vec_push(&l->blocks, (Draft){0});
    vec_clear(&vec_at(&l->blocks, l->block_total));
    return l->block_total++;
}

Instr *front__emit(Lower *l, Opcode op, uint32_t width)
{
    Draft *draft = &vec_at(&l->blocks, l->current);
    Instr instr = {.op = (uint8_t)op,
                   .width = (uint16_t)width,
                   .dst = OPERAND_NONE,
                   .a = OPERAND_NONE,
                   .b = OPERAND_NONE,
                   .c = OPERAND_NONE,
                   .loc = l->loc,
                   .origin = l->origin};
    vec_push(draft, instr);
    l->fresh = UINT32_MAX;
    return &vec_top(draft);
}

/* ---- values ---- */

static bool same_registers(const Shape *a, const Shape *b)
{
    if (a->count != b->count || a->problem || b->problem) return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->leaves[i].type.width != b->leaves[i].type.width) return false;
    return true;
}

static uint32_t leaves_of(Translator *t, LLVMTypeRef type)
{
    return front__shape(t, type)->count;
}

/* Leaves before the part of `type` that extractvalue's indices name. */
static uint32_t leaves_before(Translator *t, LLVMTypeRef type, LLVMValueRef value)
{
    uint32_t before = 0;
    const unsigned *indices = LLVMGetIndices(value);
    for (unsigned k = 0; k < LLVMGetNumIndices(value); k++) {
        if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            for (unsigned i = 0; i < indices[k]; i++) before += leaves_of(t, LLVMStructGetTypeAtIndex(type, i));
            type = LLVMStructGetTypeAtIndex(type, indices[k]);
        } else {
            type = LLVMGetElementType(type);
            before += indices[k] * leaves_of(t, type);
        }
    }
    return before;
}

/* The instruction or argument whose registers (from *skip on) hold what `value` is, or NULL. */
static LLVMValueRef renamed(Lower *l, LLVMValueRef value, uint32_t *skip)
{
    *skip = 0;
    LLVMValueRef source = NULL;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMBitCast:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMAddrSpaceCast:
    case LLVMExtractValue: source = LLVMGetOperand(value, 0); break;
    default: return NULL;
    }
    if (!LLVMIsAInstruction(source) && !LLVMIsAArgument(source)) return NULL;
    const Shape *from = front__shape(l->t, LLVMTypeOf(source)), *to = front__shape(l->t, LLVMTypeOf(value));
    if (from->problem || to->problem) return NULL;
    if (LLVMGetInstructionOpcode(value) == LLVMExtractValue) {
        uint32_t before = leaves_before(l->t, LLVMTypeOf(source), value);
        if (before < from->count) *skip = from->leaves[before].reg;
        return source;
    }
    return same_registers(from, to) ? source : NULL;
}

static uint32_t own_registers(Lower *l, LLVMValueRef value)
{
    return front__new_registers(l, front__shape(l->t, LLVMTypeOf(value))->registers);
}

static uint32_t register_at_depth(Lower *l, LLVMValueRef value, unsigned depth)
{
    const uint64_t *known = map_find(&l->values, (uintptr_t)value);
    if (known && *known) return (uint32_t)(*known - 1);
    uint32_t skip = 0, first;
    LLVMValueRef source = NULL;
    /* `known` without a register: unreachable code may define a value by itself */
    if (!known && depth < DEEPEST_RENAMING && LLVMIsAInstruction(value)) source = renamed(l, value, &skip);
    if (source) {
        map_put(&l->values, (uintptr_t)value, 0);
        first = register_at_depth(l, source, depth + 1) + skip;
    } else {
        first = own_registers(l, value);
    }
    map_put(&l->values, (uintptr_t)value, (uint64_t)first + 1);
    return first;
}

uint32_t front__register_of(Lower *l, LLVMValueRef value)
{
    return register_at_depth(l, value, 0);
}

Operand front__operand(Lower *l, LLVMValueRef value, uint32_t leaf)
{
    const Shape *shape = front__shape(l->t, LLVMTypeOf(value));
    assert(leaf < shape->count);
    if (LLVMIsAInstruction(value) || LLVMIsAArgument(value)) return front__register_of(l, value) + shape->leaves[leaf].reg;
    Const constant;
    if (front__fold(l->t, value, leaf, &constant)) return front__const(l->t, constant);
    uint32_t first = front__new_registers(l, shape->registers);
    if (LLVMIsAConstantExpr(value)) {
        front__lower_instruction(l, value, first);
    } else {
        front__trap(l, "a constant of an unsupported kind");
        front__undefine(l, first, shape);
    }
    return first + shape->leaves[leaf].reg;
}

/* ---- instructions ---- */

static Operand result(Lower *l, Instr *instr, uint32_t width)
{
    instr->dst = front__new_register(l, width);
    l->fresh = instr->dst;
    return instr->dst;
}

Operand front__unary(Lower *l, Opcode op, uint32_t width, Operand a)
{
    Instr *instr = front__emit(l, op, width);
    instr->a = a;
    return result(l, instr, width);
}

Operand front__binary(Lower *l, Opcode op, uint32_t width, Operand a, Operand b)
{
    Instr *instr = front__emit(l, op, width);
    instr->a = a;
    instr->b = b;
    return result(l, instr, width);
}

Operand front__compare(Lower *l, Opcode op, uint32_t predicate, uint32_t width, Operand a, Operand b)
{
    Instr *instr = front__emit(l, op, width);
    instr->predicate = (uint16_t)predicate;
    instr->a = a;
    instr->b = b;
    return result(l, instr, 1);
}

Operand front__select(Lower *l, uint32_t width, Operand condition, Operand yes, Operand no)
{
    Instr *instr = front__emit(l, OP_SELECT, width);
    instr->imm = -1;
    instr->a = condition;
    instr->b = yes;
    instr->c = no;
    return result(l, instr, width);
}

Operand front__convert(Lower *l, Opcode op, uint32_t to, uint32_t from, Operand a)
{
    Instr *instr = front__emit(l, op, to);
    instr->width2 = (uint16_t)from;
    instr->a = a;
    return result(l, instr, to);
}

Operand front__resize(Lower *l, uint32_t to, uint32_t from, Operand a)
{
    if (to == from) return a;
    return front__convert(l, to > from ? OP_ZEXT : OP_TRUNC, to, from, a);
}

Operand front__offset(Lower *l, Operand address, int64_t bytes)
{
    if (!bytes) return address;
    if (operand_is_const(address)) {
        Const constant = vec_at(&l->t->consts, operand_index(address));
        constant.value = (uint64_t)(constant.value + (U128)(I128)bytes);
        if (!constant.undef) return front__const(l->t, constant);
    }
    Instr *instr = front__emit(l, OP_ADDRESS, 64);
    instr->a = address;
    instr->imm = bytes;
    return result(l, instr, 64);
}

Operand front__load(Lower *l, uint32_t width, Operand address)
{
    return front__unary(l, OP_LOAD, width, address);
}

void front__store(Lower *l, uint32_t width, Operand address, Operand value)
{
    Instr *instr = front__emit(l, OP_STORE, width);
    instr->a = address;
    instr->b = value;
}

void front__move(Lower *l, uint32_t to, uint32_t width, Operand from)
{
    if (from == to) return;
    Instr *instr = front__emit(l, OP_MOV, width);
    instr->dst = to;
    instr->a = from;
}

void front__finish(Lower *l, uint32_t to, uint32_t width, Operand from)
{
    if (from == l->fresh) {
        vec_top(&vec_at(&l->blocks, l->current)).dst = to;
        l->fresh = UINT32_MAX;
        if (from + (width > 64 ? 2 : 1) == l->register_count) l->register_count = from; /* the temporary was the newest register */
    } else {
        front__move(l, to, width, from);
    }
}

void front__undefine(Lower *l, uint32_t first, const Shape *shape)
{
    for (uint32_t i = 0; i < shape->count; i++) front__emit(l, OP_UNDEF, shape->leaves[i].type.width)->dst = first + shape->leaves[i].reg;
}

/* Ends the block and goes on in a new one: what follows is still translated, so that its branches are listed. */
void front__trap(Lower *l, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    uint32_t next = front__new_block(l);
    Instr *instr = front__emit(l, OP_TRAP, 0);
    instr->imm = front__message(l->t, text);
    instr->c = next;
    l->current = next;
}

uint32_t front__outcomes(LLVMValueRef value)
{
    if (LLVMIsABranchInst(value)) return LLVMIsConditional(value) ? 2 : 0;
    if (LLVMIsASwitchInst(value)) return LLVMGetNumSuccessors(value);
    if (front__is_objective(value)) return 0;
    if (LLVMIsASelectInst(value)) return LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(value, 0))) == LLVMIntegerTypeKind ? 2 : 0;
    return 0;
}

uint32_t front__add_objective(Lower *l)
{
    uint32_t first = l->t->branches.len;
    for (uint32_t i = 0; i < 2; i++) {
        Branch branch = {.function = l->index,
                         .loc = l->loc,
                         .block = l->current,
                         .target = l->current,
                         .outcome = i ? OUTCOME_FALSE : OUTCOME_TRUE,
                         .ordinal = l->ordinal,
                         .which = i,
                         .origin = l->origin,
                         .objective = i == 0,
                         .uncounted = true};
        vec_push(&l->t->branches, branch);
    }
    return first;
}

uint32_t front__add_branch(Lower *l, uint32_t target, OutcomeKind outcome, U128 value)
{
    assert(l->which < l->outcomes);
    Branch branch = {.function = l->index,
                     .loc = l->loc,
                     .block = l->current,
                     .target = target,
                     .outcome = outcome,
                     .value = value,
                     .ordinal = l->ordinal,
                     .which = l->which++,
                     .origin = l->origin,
                     .uncounted = l->in_model};
    vec_push(&l->t->branches, branch);
    return l->t->branches.len - 1;
}
