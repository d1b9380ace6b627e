/* Integers of more than 128 bits: packed bit-fields make clang load and shift them, and C23's _BitInt allows them.  Such a value is a
 * row of 64-bit limbs, the lowest first, the last one as narrow as the width leaves it.  Work is done on full limbs (the last one
 * zero-extended) and the result is cut again.  Moving them about needs nothing special; division and conversions to and from floats are
 * not supported. */
#include "front/front_int.h"

#include <stdlib.h>

typedef struct Limbs {
    Operand *at;
    uint32_t n;
} Limbs;

static const Shape *shape_of(Lower *l, LLVMValueRef value)
{
    return front__shape(l->t, LLVMTypeOf(value));
}

static Operand limb_const(Lower *l, uint64_t value)
{
    return front__const_int(l->t, 64, value);
}

static Limbs new_limbs(Lower *l, uint32_t n)
{
    Limbs limbs = {mem_alloc(n * sizeof *limbs.at), n};
    for (uint32_t i = 0; i < n; i++) limbs.at[i] = limb_const(l, 0);
    return limbs;
}

static uint32_t bits_of(const Shape *shape)
{
    return shape->wide ? shape->wide : shape->leaves[0].type.width;
}

/* The value in full limbs: as many as it has, or as `least` asks for. */
static Limbs limbs_of(Lower *l, LLVMValueRef value, uint32_t least)
{
    const Shape *shape = shape_of(l, value);
    uint32_t n = (bits_of(shape) + 63) / 64;
    Limbs limbs = new_limbs(l, n > least ? n : least);
    if (!shape->wide) {
        Operand whole = front__operand(l, value, 0);
        front__repack(l, &whole, 1, shape->leaves[0].type.width, limbs.at, n, 64);
        return limbs;
    }
    for (uint32_t i = 0; i < n; i++) limbs.at[i] = front__resize(l, 64, shape->leaves[i].type.width, front__operand(l, value, i));
    return limbs;
}

/* Copies the sign, bit `bits` - 1, into everything above. */
static void extend_sign(Lower *l, Limbs *limbs, uint32_t bits)
{
    uint32_t top = (bits - 1) / 64, width = bits - top * 64;
    if (width < 64) {
        Operand cut = front__convert(l, OP_TRUNC, width, 64, limbs->at[top]);
        limbs->at[top] = front__convert(l, OP_SEXT, 64, width, cut);
    }
    Operand sign = front__binary(l, OP_ASHR, 64, limbs->at[top], limb_const(l, 63));
    for (uint32_t i = top + 1; i < limbs->n; i++) limbs->at[i] = sign;
}

static void define(Lower *l, const Shape *shape, uint32_t first, const Limbs *limbs)
{
    if (!shape->wide) {
        Operand whole;
        front__repack(l, limbs->at, limbs->n, 64, &whole, 1, shape->leaves[0].type.width);
        front__move(l, first, shape->leaves[0].type.width, whole);
        return;
    }
    for (uint32_t i = 0; i < shape->count; i++) {
        uint32_t width = shape->leaves[i].type.width;
        front__finish(l, first + shape->leaves[i].reg, width, front__resize(l, width, 64, limbs->at[i]));
    }
}

/* ---- shifts ---- */

/* Towards higher limbs for a positive distance, lower ones for a negative; `fill` comes in from above. */
static void shift_by(Lower *l, Limbs *limbs, bool left, uint32_t distance, Operand fill)
{
    uint32_t skip = distance / 64, bits = distance % 64, n = limbs->n;
    Operand *old = mem_alloc(n * sizeof *old), zero = limb_const(l, 0);
    memcpy(old, limbs->at, n * sizeof *old);
    for (uint32_t i = 0; i < n; i++) {
        Operand high, low;
        if (left) {
            high = i >= skip ? old[i - skip] : zero;
            low = i >= skip + 1 ? old[i - skip - 1] : zero;
        } else {
            low = i + skip < n ? old[i + skip] : fill;
            high = i + skip + 1 < n ? old[i + skip + 1] : fill;
        }
        if (!bits) {
            limbs->at[i] = left ? high : low;
            continue;
        }
        Operand up = front__binary(l, OP_SHL, 64, high, limb_const(l, left ? bits : 64 - bits));
        Operand down = front__binary(l, OP_LSHR, 64, low, limb_const(l, left ? 64 - bits : bits));
        limbs->at[i] = front__binary(l, OP_OR, 64, up, down);
    }
    free(old);
}

/* An unknown distance: for each of its bits, shift by that power of two or not. */
static void shift_variably(Lower *l, Limbs *limbs, bool left, Operand distance, uint32_t bits, Operand fill)
{
    for (uint32_t power = 0; (1u << power) < bits; power++) {
        Limbs shifted = new_limbs(l, limbs->n);
        memcpy(shifted.at, limbs->at, limbs->n * sizeof *limbs->at);
        shift_by(l, &shifted, left, 1u << power, fill);
        Operand moved = front__binary(l, OP_LSHR, 64, distance, limb_const(l, power));
        Operand wanted = front__convert(l, OP_TRUNC, 1, 64, moved);
        for (uint32_t i = 0; i < limbs->n; i++) limbs->at[i] = front__select(l, 64, wanted, shifted.at[i], limbs->at[i]);
        free(shifted.at);
    }
}

static void lower_shift(Lower *l, LLVMValueRef value, LLVMOpcode opcode, Limbs *limbs)
{
    uint32_t bits = bits_of(shape_of(l, value));
    bool left = opcode == LLVMShl;
    Operand fill = limb_const(l, 0);
    if (opcode == LLVMAShr) {
        extend_sign(l, limbs, bits);
        fill = front__binary(l, OP_ASHR, 64, limbs->at[limbs->n - 1], limb_const(l, 63));
    }
    Const distance;
    bool known = front__fold(l->t, LLVMGetOperand(value, 1), 0, &distance) && !distance.symbol && !distance.undef;
    if (known) {
        shift_by(l, limbs, left, (uint32_t)(distance.value < bits ? distance.value : bits), fill);
    } else {
        shift_variably(l, limbs, left, front__operand(l, LLVMGetOperand(value, 1), 0), bits, fill);
    }
}

/* ---- arithmetic ---- */

/* One limb of a sum or difference with the carry of the one below. */
static Operand add_limb(Lower *l, Opcode op, Operand a, Operand b, Operand *carry)
{
    uint32_t pair[2];
    Operand in[2][2] = {{a, b}, {0, *carry == OPERAND_NONE ? limb_const(l, 0) : front__convert(l, OP_ZEXT, 64, 1, *carry)}};
    for (uint32_t i = 0; i < 2; i++) {
        pair[i] = front__new_registers(l, 2);
        Instr *instr = front__emit(l, op, 64);
        instr->a = i ? pair[0] : in[0][0];
        instr->b = in[i][1];
        instr->dst = pair[i];
    }
    *carry = front__binary(l, OP_OR, 1, pair[0] + 1, pair[1] + 1);
    return pair[1];
}

static void multiply(Lower *l, Limbs *a, const Limbs *b)
{
    Limbs product = new_limbs(l, a->n);
    for (uint32_t i = 0; i < a->n; i++) {
        Operand carry = limb_const(l, 0);
        for (uint32_t k = 0; i + k < a->n; k++) {
            Operand x = front__convert(l, OP_ZEXT, 128, 64, a->at[i]), y = front__convert(l, OP_ZEXT, 128, 64, b->at[k]);
            Operand sum = front__binary(l, OP_MUL, 128, x, y);
            sum = front__binary(l, OP_ADD, 128, sum, front__convert(l, OP_ZEXT, 128, 64, product.at[i + k]));
            sum = front__binary(l, OP_ADD, 128, sum, front__convert(l, OP_ZEXT, 128, 64, carry));
            product.at[i + k] = front__convert(l, OP_TRUNC, 64, 128, sum);
            Operand above = front__binary(l, OP_LSHR, 128, sum, front__const_int(l->t, 128, 64));
            carry = front__convert(l, OP_TRUNC, 64, 128, above);
        }
    }
    memcpy(a->at, product.at, a->n * sizeof *a->at);
    free(product.at);
}

static void lower_sum(Lower *l, LLVMValueRef value, LLVMOpcode opcode, Limbs *limbs)
{
    Limbs other = limbs_of(l, LLVMGetOperand(value, 1), 0);
    Operand carry = OPERAND_NONE;
    if (opcode == LLVMMul) {
        multiply(l, limbs, &other);
    } else {
        for (uint32_t i = 0; i < limbs->n; i++)
            limbs->at[i] = add_limb(l, opcode == LLVMAdd ? OP_UADDO : OP_USUBO, limbs->at[i], other.at[i], &carry);
    }
    free(other.at);
}

/* ---- comparison ---- */

static Operand equal(Lower *l, const Limbs *a, const Limbs *b)
{
    Operand all = OPERAND_NONE;
    for (uint32_t i = 0; i < a->n; i++) {
        Operand here = front__compare(l, OP_ICMP, PRED_EQ, 64, a->at[i], b->at[i]);
        all = all == OPERAND_NONE ? here : front__binary(l, OP_AND, 1, all, here);
    }
    return all;
}

/* Less, by limbs from the lowest to the highest: a higher one decides unless it is equal. */
static Operand less(Lower *l, const Limbs *a, const Limbs *b, bool is_signed)
{
    Operand result = OPERAND_NONE;
    for (uint32_t i = 0; i < a->n; i++) {
        Predicate predicate = is_signed && i + 1 == a->n ? PRED_SLT : PRED_ULT;
        Operand here = front__compare(l, OP_ICMP, predicate, 64, a->at[i], b->at[i]);
        if (result != OPERAND_NONE) {
            Operand same = front__compare(l, OP_ICMP, PRED_EQ, 64, a->at[i], b->at[i]);
            here = front__select(l, 1, same, result, here);
        }
        result = here;
    }
    return result;
}

static void lower_comparison(Lower *l, LLVMValueRef value, uint32_t first)
{
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(value);
    bool is_signed = predicate >= LLVMIntSGT,
         swapped = predicate == LLVMIntUGT || predicate == LLVMIntULE || predicate == LLVMIntSGT || predicate == LLVMIntSLE;
    bool inverted = predicate == LLVMIntNE || predicate == LLVMIntUGE || predicate == LLVMIntULE || predicate == LLVMIntSGE ||
                    predicate == LLVMIntSLE;
    Limbs a = limbs_of(l, LLVMGetOperand(value, swapped ? 1 : 0), 0), b = limbs_of(l, LLVMGetOperand(value, swapped ? 0 : 1), 0);
    uint32_t bits = bits_of(shape_of(l, LLVMGetOperand(value, 0)));
    if (is_signed) {
        extend_sign(l, &a, bits);
        extend_sign(l, &b, bits);
    }
    Operand result = predicate == LLVMIntEQ || predicate == LLVMIntNE ? equal(l, &a, &b) : less(l, &a, &b, is_signed);
    if (inverted) result = front__binary(l, OP_XOR, 1, result, front__const_int(l->t, 1, 1));
    front__finish(l, first, 1, result);
    free(a.at);
    free(b.at);
}

/* ---- dispatch ---- */

static void lower_resize(Lower *l, LLVMValueRef value, LLVMOpcode opcode, uint32_t first)
{
    const Shape *to = shape_of(l, value), *from = shape_of(l, LLVMGetOperand(value, 0));
    Limbs limbs = limbs_of(l, LLVMGetOperand(value, 0), (bits_of(to) + 63) / 64);
    if (opcode == LLVMSExt) extend_sign(l, &limbs, bits_of(from));
    define(l, to, first, &limbs);
    free(limbs.at);
}

bool front__lower_wide(Lower *l, LLVMValueRef value, LLVMOpcode opcode, uint32_t first)
{
    switch (opcode) {
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt: lower_resize(l, value, opcode, first); return true;
    case LLVMICmp: lower_comparison(l, value, first); return true;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul: {
        Limbs limbs = limbs_of(l, LLVMGetOperand(value, 0), 0);
        if (opcode == LLVMShl || opcode == LLVMLShr || opcode == LLVMAShr) {
            lower_shift(l, value, opcode, &limbs);
        } else {
            lower_sum(l, value, opcode, &limbs);
        }
        define(l, shape_of(l, value), first, &limbs);
        free(limbs.at);
        return true;
    }
    default: return false;
    }
}
