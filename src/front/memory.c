/* Memory: alloca, load, store, address arithmetic, and atomic operations, which are plain ones here since the VM switches threads, if at
 * all, only between instructions of the source. */
#include "front/front_int.h"
#include "base/arith.h"

#include <stdlib.h>

static const Shape *shape_of(Lower *l, LLVMValueRef value)
{
    return front__shape(l->t, LLVMTypeOf(value));
}

/* The bytes of a small object that belong to no member.  Copying a struct moves them along, so they must not count as uninitialised data. */
static U128 padding_of(Lower *l, LLVMTypeRef type, uint64_t size)
{
    if (size == 0 || size > 128) return 0;
    const Shape *shape = front__shape(l->t, type);
    if (shape->problem || shape->packed || shape->wide) return 0;
    U128 members = 0;
    for (uint32_t i = 0; i < shape->count; i++) {
        const Leaf *leaf = &shape->leaves[i];
        members |= arith_mask((leaf->type.width + 7u) / 8) << leaf->offset;
    }
    return ~members & arith_mask((unsigned)size);
}

void front__lower_alloca(Lower *l, LLVMValueRef value, uint32_t first)
{
    LLVMValueRef count = LLVMGetOperand(value, 0);
    uint64_t size = front__type_size(l->t, LLVMGetAllocatedType(value));
    U128 padding = padding_of(l, LLVMGetAllocatedType(value), size);
    uint32_t align = LLVMGetAlignment(value), width = shape_of(l, count)->leaves[0].type.width;
    Operand times = OPERAND_NONE;
    if (LLVMIsAConstantInt(count)) {
        size *= (uint64_t)front__constant_bits(count);
    } else {
        times = front__operand(l, count, 0);
    }
    Instr *instr = front__emit(l, OP_ALLOCA, 64);
    instr->dst = first;
    instr->imm = (int64_t)size;
    instr->a = times;
    instr->width2 = times == OPERAND_NONE ? 0 : (uint16_t)width;
    instr->b = front__const_int(l->t, 64, align ? align : front__type_align(l->t, LLVMGetAllocatedType(value)));
    if (padding) instr->c = front__const_int(l->t, 128, padding);
}

/* ---- bit vectors in memory: as few integers as hold them ---- */

static bool packing(const Shape *shape, uint32_t *chunk_width, uint32_t *chunks)
{
    uint64_t width = shape->leaves[0].type.width, total = width * shape->count;
    if (total <= 128) {
        *chunk_width = (uint32_t)total;
        *chunks = 1;
        return true;
    }
    *chunk_width = 64;
    *chunks = (uint32_t)(total / 64);
    return 64 % width == 0 && total % 64 == 0;
}

static void load_packed(Lower *l, const Shape *shape, Operand address, uint32_t first)
{
    uint32_t width, n;
    if (!packing(shape, &width, &n)) {
        front__trap(l, "load of a vector of %u elements of %u bits is not supported", shape->count, shape->leaves[0].type.width);
        front__undefine(l, first, shape);
        return;
    }
    Operand *chunks = mem_alloc(n * sizeof *chunks), *elements = mem_alloc(shape->count * sizeof *elements);
    for (uint32_t i = 0; i < n; i++) {
        Operand at = front__offset(l, address, (int64_t)i * 8);
        chunks[i] = front__load(l, width, at);
    }
    front__repack(l, chunks, n, width, elements, shape->count, shape->leaves[0].type.width);
    for (uint32_t i = 0; i < shape->count; i++) front__move(l, first + shape->leaves[i].reg, shape->leaves[i].type.width, elements[i]);
    free(chunks);
    free(elements);
}

static void store_packed(Lower *l, const Shape *shape, Operand address, LLVMValueRef value)
{
    uint32_t width, n;
    if (!packing(shape, &width, &n)) {
        front__trap(l, "store of a vector of %u elements of %u bits is not supported", shape->count, shape->leaves[0].type.width);
        return;
    }
    Operand *chunks = mem_alloc(n * sizeof *chunks), *elements = mem_alloc(shape->count * sizeof *elements);
    for (uint32_t i = 0; i < shape->count; i++) elements[i] = front__operand(l, value, i);
    front__repack(l, elements, shape->count, shape->leaves[0].type.width, chunks, n, width);
    for (uint32_t i = 0; i < n; i++) {
        Operand at = front__offset(l, address, (int64_t)i * 8);
        front__store(l, width, at, chunks[i]);
    }
    free(chunks);
    free(elements);
}

static uint8_t access_flags(LLVMValueRef value)
{
    return (LLVMGetVolatile(value) ? FLAG_VOLATILE : 0) | (LLVMGetOrdering(value) != LLVMAtomicOrderingNotAtomic ? FLAG_ATOMIC : 0);
}

void front__lower_load(Lower *l, LLVMValueRef value, uint32_t first)
{
    const Shape *shape = shape_of(l, value);
    Operand address = front__operand(l, LLVMGetOperand(value, 0), 0);
    if (shape->packed) {
        load_packed(l, shape, address, first);
        return;
    }
    for (uint32_t i = 0; i < shape->count; i++) {
        Operand at = front__offset(l, address, (int64_t)shape->leaves[i].offset);
        Instr *instr = front__emit(l, OP_LOAD, shape->leaves[i].type.width);
        instr->a = at;
        instr->dst = first + shape->leaves[i].reg;
        instr->flags = access_flags(value);
    }
}

void front__lower_store(Lower *l, LLVMValueRef value)
{
    LLVMValueRef stored = LLVMGetOperand(value, 0);
    const Shape *shape = shape_of(l, stored);
    Operand address = front__operand(l, LLVMGetOperand(value, 1), 0);
    if (shape->packed) {
        store_packed(l, shape, address, stored);
        return;
    }
    unsigned unaligned = shape->count == 1 && 8 * LLVMGetAlignment(value) >= shape->leaves[0].type.width ? 0 : FLAG_UNALIGNED;
    for (uint32_t i = 0; i < shape->count; i++) {
        Operand part = front__operand(l, stored, i), at = front__offset(l, address, (int64_t)shape->leaves[i].offset);
        Instr *instr = front__emit(l, OP_STORE, shape->leaves[i].type.width);
        instr->a = at;
        instr->b = part;
        instr->flags = (uint8_t)(access_flags(value) | unaligned);
    }
}

/* ---- addresses ---- */

/* For a vector of addresses the index of one element; a scalar index serves all of them. */
static LLVMValueRef lane_of(LLVMValueRef index, uint32_t lane)
{
    if (LLVMGetTypeKind(LLVMTypeOf(index)) != LLVMVectorTypeKind || !LLVMIsConstant(index)) return index;
    LLVMValueRef element = LLVMGetAggregateElement(index, lane);
    return element ? element : index;
}

static bool step_constant(LLVMValueRef index, int64_t *number)
{
    if (LLVMIsNull(index)) {
        *number = 0;
        return true;
    }
    if (!LLVMIsAConstantInt(index)) return false;
    *number = (int64_t)arith_sext(front__constant_bits(index), LLVMGetIntTypeWidth(LLVMTypeOf(index)));
    return true;
}

uint32_t front__address_steps(Translator *t, LLVMValueRef gep, AddressStep *steps, uint32_t lane, int64_t *constant, bool *supported)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    uint32_t n = 0;
    *constant = 0;
    *supported = true;
    for (int i = 1; i < LLVMGetNumOperands(gep); i++) {
        LLVMValueRef index = lane_of(LLVMGetOperand(gep, (unsigned)i), lane);
        int64_t number;
        LLVMTypeKind kind = LLVMGetTypeKind(type);
        uint64_t scale = 0;
        bool known = step_constant(index, &number);
        if (i > 1 && kind == LLVMStructTypeKind) {
            if (!known || (uint64_t)number >= LLVMCountStructElementTypes(type)) {
                *supported = false;
                return 0;
            }
            *constant += (int64_t)LLVMOffsetOfElement(t->layout, type, (unsigned)number);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)number);
            continue;
        }
        if (i > 1) type = LLVMGetElementType(type);
        scale = front__type_size(t, type);
        if (known) {
            *constant = (int64_t)((uint64_t)*constant + (uint64_t)number * scale);
        } else if (scale) {
            steps[n++] = (AddressStep){index, scale};
        }
    }
    return n;
}

static Operand add_step(Lower *l, Operand address, const AddressStep *step, uint32_t lane, int64_t constant)
{
    const Shape *shape = shape_of(l, step->index);
    uint32_t leaf = shape->is_vector ? lane : 0, width = shape->leaves[leaf].type.width;
    Operand index = front__operand(l, step->index, leaf);
    if (width > 64) {
        index = front__convert(l, OP_TRUNC, 64, width, index);
        width = 64;
    }
    Operand scale = front__const_int(l->t, 64, step->scale), result = front__binary(l, OP_ADDRESS, 64, address, index);
    Instr *instr = &vec_top(&vec_at(&l->blocks, l->current));
    instr->c = scale;
    instr->width2 = (uint16_t)width;
    instr->imm = constant;
    return result;
}

void front__lower_address(Lower *l, LLVMValueRef value, uint32_t first)
{
    const Shape *shape = shape_of(l, value);
    LLVMValueRef base = LLVMGetOperand(value, 0);
    AddressStep *steps = mem_alloc((size_t)LLVMGetNumOperands(value) * sizeof *steps);
    for (uint32_t lane = 0; lane < shape->count; lane++) {
        int64_t constant;
        bool supported;
        uint32_t n = front__address_steps(l->t, value, steps, lane, &constant, &supported);
        if (!supported) {
            front__trap(l, "a computed member number is not supported");
            front__undefine(l, first, shape);
            break;
        }
        Operand address = front__operand(l, base, shape_of(l, base)->is_vector ? lane : 0);
        if (!n) address = front__offset(l, address, constant);
        for (uint32_t i = 0; i < n; i++) address = add_step(l, address, &steps[i], lane, i + 1 == n ? constant : 0);
        front__finish(l, first + shape->leaves[lane].reg, 64, address);
    }
    free(steps);
}

/* ---- atomic operations ---- */

static Operand choose(Lower *l, Opcode op, uint32_t predicate, uint32_t width, Operand old, Operand with)
{
    Operand keep = front__compare(l, op, predicate, width, old, with);
    return front__select(l, width, keep, old, with);
}

/* uinc_wrap: old >= with ? 0 : old + 1; udec_wrap: old == 0 || old > with ? with : old - 1 */
static Operand wrapped(Lower *l, LLVMAtomicRMWBinOp operation, uint32_t width, Operand old, Operand with)
{
    Operand one = front__const_int(l->t, width, 1), zero = front__const_int(l->t, width, 0);
    if (operation == LLVMAtomicRMWBinOpUIncWrap) {
        Operand next = front__binary(l, OP_ADD, width, old, one);
        Operand over = front__compare(l, OP_ICMP, PRED_UGE, width, old, with);
        return front__select(l, width, over, zero, next);
    }
    Operand next = front__binary(l, OP_SUB, width, old, one);
    Operand over = front__compare(l, OP_ICMP, PRED_UGE, width, next, with); /* 0 - 1 is the largest number */
    return front__select(l, width, over, with, next);
}

static Operand combined(Lower *l, LLVMAtomicRMWBinOp operation, uint32_t width, Operand old, Operand with)
{
    switch (operation) {
    case LLVMAtomicRMWBinOpXchg: return with;
    case LLVMAtomicRMWBinOpAdd: return front__binary(l, OP_ADD, width, old, with);
    case LLVMAtomicRMWBinOpSub: return front__binary(l, OP_SUB, width, old, with);
    case LLVMAtomicRMWBinOpAnd: return front__binary(l, OP_AND, width, old, with);
    case LLVMAtomicRMWBinOpNand:
        return front__binary(l, OP_XOR, width, front__binary(l, OP_AND, width, old, with), front__const_int(l->t, width, ~(U128)0));
    case LLVMAtomicRMWBinOpOr: return front__binary(l, OP_OR, width, old, with);
    case LLVMAtomicRMWBinOpXor: return front__binary(l, OP_XOR, width, old, with);
    case LLVMAtomicRMWBinOpMax: return choose(l, OP_ICMP, PRED_SGT, width, old, with);
    case LLVMAtomicRMWBinOpMin: return choose(l, OP_ICMP, PRED_SLT, width, old, with);
    case LLVMAtomicRMWBinOpUMax: return choose(l, OP_ICMP, PRED_UGT, width, old, with);
    case LLVMAtomicRMWBinOpUMin: return choose(l, OP_ICMP, PRED_ULT, width, old, with);
    case LLVMAtomicRMWBinOpFAdd: return front__binary(l, OP_FADD, width, old, with);
    case LLVMAtomicRMWBinOpFSub: return front__binary(l, OP_FSUB, width, old, with);
    case LLVMAtomicRMWBinOpFMax: return choose(l, OP_FCMP, FPRED_GT | FPRED_EQ, width, old, with);
    case LLVMAtomicRMWBinOpFMin: return choose(l, OP_FCMP, FPRED_LT | FPRED_EQ, width, old, with);
    case LLVMAtomicRMWBinOpUIncWrap:
    case LLVMAtomicRMWBinOpUDecWrap: return wrapped(l, operation, width, old, with);
    }
    return OPERAND_NONE;
}

void front__lower_atomic(Lower *l, LLVMValueRef value, uint32_t first)
{
    const Shape *shape = shape_of(l, value);
    Operand address = front__operand(l, LLVMGetOperand(value, 0), 0);
    for (uint32_t i = 0; i < shape->count; i++) {
        uint32_t width = shape->leaves[i].type.width;
        Operand with = front__operand(l, LLVMGetOperand(value, 1), i);
        Operand at = front__offset(l, address, (int64_t)shape->leaves[i].offset);
        Instr *load = front__emit(l, OP_LOAD, width);
        load->a = at;
        load->dst = first + shape->leaves[i].reg;
        load->flags = FLAG_ATOMIC;
        Operand result = combined(l, LLVMGetAtomicRMWBinOp(value), width, first + shape->leaves[i].reg, with);
        if (result == OPERAND_NONE) {
            front__trap(l, "atomic operation %d is not supported", (int)LLVMGetAtomicRMWBinOp(value));
            continue;
        }
        front__store(l, width, at, result);
        vec_top(&vec_at(&l->blocks, l->current)).flags = FLAG_ATOMIC;
    }
}

void front__lower_exchange(Lower *l, LLVMValueRef value, uint32_t first)
{
    const Shape *shape = shape_of(l, value);
    uint32_t width = shape->leaves[0].type.width;
    Operand address = front__operand(l, LLVMGetOperand(value, 0), 0);
    Operand expected = front__operand(l, LLVMGetOperand(value, 1), 0), wanted = front__operand(l, LLVMGetOperand(value, 2), 0);
    Instr *load = front__emit(l, OP_LOAD, width);
    load->a = address;
    load->dst = first;
    load->flags = FLAG_ATOMIC;
    uint32_t same = first + shape->leaves[1].reg;
    front__finish(l, same, 1, front__compare(l, OP_ICMP, PRED_EQ, width, first, expected));
    front__store(l, width, address, front__select(l, width, same, wanted, first));
    vec_top(&vec_at(&l->blocks, l->current)).flags = FLAG_ATOMIC;
}
