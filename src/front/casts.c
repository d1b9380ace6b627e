/* Conversions between scalars, element by element for vectors, and the reinterpretation of bits across elements of other sizes. */
#include "front/front_int.h"

#include <stdlib.h>

static Opcode cast_opcode(LLVMOpcode opcode, uint32_t to, uint32_t from)
{
    switch (opcode) {
    case LLVMTrunc: return OP_TRUNC;
    case LLVMZExt: return OP_ZEXT;
    case LLVMSExt: return OP_SEXT;
    case LLVMFPToUI: return OP_FTOUI;
    case LLVMFPToSI: return OP_FTOSI;
    case LLVMUIToFP: return OP_UITOF;
    case LLVMSIToFP: return OP_SITOF;
    case LLVMFPTrunc:
    case LLVMFPExt: return OP_FTOF;
    default: return to == from ? OP_MOV : to > from ? OP_ZEXT : OP_TRUNC; /* pointers and integers */
    }
}

void front__lower_cast(Lower *l, LLVMValueRef value, uint32_t first)
{
    LLVMValueRef source = LLVMGetOperand(value, 0);
    const Shape *to = front__shape(l->t, LLVMTypeOf(value)), *from = front__shape(l->t, LLVMTypeOf(source));
    assert(to->count == from->count);
    for (uint32_t i = 0; i < to->count; i++) {
        uint32_t width = to->leaves[i].type.width, width2 = from->leaves[i].type.width;
        Operand a = front__operand(l, source, i);
        Opcode op = cast_opcode(front__opcode(value), width, width2);
        if (op == OP_MOV) {
            front__move(l, first + to->leaves[i].reg, width, a);
        } else {
            front__finish(l, first + to->leaves[i].reg, width, front__convert(l, op, width, width2, a));
        }
    }
}

/* The part of element `from` that falls into an element of `to_width` bits starting at bit `start`; its own first bit is `at`. */
static Operand piece(Lower *l, Operand from, uint32_t from_width, int64_t at, uint32_t to_width, int64_t start)
{
    Operand bits = from;
    if (at < start) bits = front__binary(l, OP_LSHR, from_width, bits, front__const_int(l->t, from_width, (U128)(start - at)));
    bits = front__resize(l, to_width, from_width, bits);
    if (at > start) bits = front__binary(l, OP_SHL, to_width, bits, front__const_int(l->t, to_width, (U128)(at - start)));
    return bits;
}

void front__repack(Lower *l, const Operand *from, uint32_t from_count, uint32_t from_width, Operand *to, uint32_t to_count,
                   uint32_t to_width)
{
    for (uint32_t i = 0; i < to_count; i++) {
        int64_t start = (int64_t)i * to_width, end = start + to_width;
        to[i] = OPERAND_NONE;
        for (uint32_t k = (uint32_t)(start / from_width); k < from_count && (int64_t)k * from_width < end; k++) {
            Operand bits = piece(l, from[k], from_width, (int64_t)k * from_width, to_width, start);
            to[i] = to[i] == OPERAND_NONE ? bits : front__binary(l, OP_OR, to_width, to[i], bits);
        }
        if (to[i] == OPERAND_NONE) to[i] = front__const_int(l->t, to_width, 0);
    }
}

void front__lower_bitcast(Lower *l, LLVMValueRef value, uint32_t first)
{
    LLVMValueRef source = LLVMGetOperand(value, 0);
    const Shape *to = front__shape(l->t, LLVMTypeOf(value)), *from = front__shape(l->t, LLVMTypeOf(source));
    if (!to->count || !from->count) return;
    uint32_t width = to->leaves[0].type.width, width2 = from->leaves[0].type.width;
    Operand *in = mem_alloc(from->count * sizeof *in), *out = mem_alloc(to->count * sizeof *out);
    for (uint32_t i = 0; i < from->count; i++) in[i] = front__operand(l, source, i);
    if (width == width2) {
        memcpy(out, in, to->count * sizeof *out);
    } else {
        front__repack(l, in, from->count, width2, out, to->count, width);
    }
    for (uint32_t i = 0; i < to->count; i++) front__finish(l, first + to->leaves[i].reg, width, out[i]);
    free(in);
    free(out);
}
