/* Constants: from LLVM's to the program's.  A scalar constant is bits, or an address: a symbol plus bytes, perhaps minus another symbol.
 * Constant expressions are folded to that form; what does not fit it (a product of addresses, say) is left to be computed where it is
 * used. */
#include "front/front_int.h"
#include "base/arith.h"

#include <stdlib.h>

enum { DEEPEST_CONSTANT = 1000 };

LLVMOpcode front__opcode(LLVMValueRef value)
{
    return LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : LLVMGetConstOpcode(value);
}

static bool same_constant(const Const *a, const Const *b)
{
    return a->value == b->value && a->width == b->width && a->undef == b->undef && a->symbol == b->symbol && a->minus == b->minus;
}

Operand front__const(Translator *t, Const constant)
{
    /* Padding must not take part in the hash. */
    Const key;
    memset(&key, 0, sizeof key);
    key.value = constant.value & arith_mask(constant.width);
    key.width = constant.width;
    key.undef = constant.undef;
    key.symbol = constant.symbol;
    key.minus = constant.minus;
    for (uint64_t hash = hash_bytes(&key, sizeof key);; hash++) {
        const uint64_t *found = map_find(&t->constants, hash);
        if (found && !same_constant(&t->consts.data[*found], &key)) continue;
        if (found) return OPERAND_CONST | (uint32_t)*found;
        map_put(&t->constants, hash, t->consts.len);
        vec_reserve(&t->consts, t->consts.len + 1);
        memcpy(&t->consts.data[t->consts.len++], &key, sizeof key);
        return OPERAND_CONST | (t->consts.len - 1);
    }
}

Operand front__const_int(Translator *t, uint32_t width, U128 value)
{
    return front__const(t, (Const){.value = value, .width = (uint16_t)width});
}

/* LLVM-C gives only 64 bits of an integer; wider ones are read from their text, "i128 -5". */
void front__wide_bytes(LLVMValueRef value, uint8_t *bytes, uint64_t size)
{
    char *text = LLVMPrintValueToString(value);
    const char *p = strrchr(text, ' ');
    p = p ? p + 1 : text;
    bool negative = *p == '-';
    memset(bytes, 0, size);
    for (p += negative; *p >= '0' && *p <= '9'; p++) {
        unsigned carry = (unsigned)(*p - '0');
        for (uint64_t i = 0; i < size; i++, carry >>= 8) bytes[i] = (uint8_t)(carry += bytes[i] * 10u);
    }
    for (uint64_t i = 0, carry = 1; negative && i < size; i++, carry >>= 8) bytes[i] = (uint8_t)(carry += (uint8_t)~bytes[i]);
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(value));
    if (size * 8 > width && size * 8 - width < 8) bytes[size - 1] &= (uint8_t)(0xff >> (size * 8 - width));
    LLVMDisposeMessage(text);
}

static U128 integer_bits(LLVMValueRef value)
{
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(value));
    U128 bits = 0;
    if (width <= 64) return LLVMConstIntGetZExtValue(value);
    assert(width <= 128);
    front__wide_bytes(value, (uint8_t *)&bits, sizeof bits);
    return bits & arith_mask(width);
}

static unsigned float_width(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMFloatTypeKind: return 32;
    case LLVMDoubleTypeKind: return 64;
    case LLVMX86_FP80TypeKind: return 80;
    case LLVMFP128TypeKind:
    case LLVMPPC_FP128TypeKind: return 128;
    default: return 16;
    }
}

U128 front__constant_bits(LLVMValueRef value)
{
    if (LLVMIsAConstantInt(value)) return integer_bits(value);
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeRef same_size = LLVMIntTypeInContext(LLVMGetTypeContext(type), float_width(type));
    return integer_bits(LLVMConstBitCast(value, same_size));
}

/* ---- symbols ---- */

static bool fold_scalar(Translator *t, LLVMValueRef value, Const *result, unsigned depth);

static uint32_t label_symbol(Translator *t, LLVMValueRef address)
{
    LLVMBasicBlockRef block = LLVMGetBlockAddressBasicBlock(address);
    const uint64_t *known = map_find(&t->labels, (uintptr_t)block);
    if (known) return (uint32_t)*known;
    LLVMValueRef function = LLVMGetBlockAddressFunction(address);
    front__number_blocks(t, function);
    Symbol symbol = {SYMBOL_LABEL, front__function_index(t, function), front__block_index(t, block)};
    vec_push(&t->symbols, symbol);
    map_put(&t->labels, (uintptr_t)block, t->symbols.len - 1);
    return t->symbols.len - 1;
}

static bool fold_symbol(Translator *t, LLVMValueRef value, Const *result, unsigned depth)
{
    switch (LLVMGetValueKind(value)) {
    case LLVMFunctionValueKind:
    case LLVMGlobalIFuncValueKind: result->symbol = t->function_list.data[front__function_index(t, value)].symbol; return true;
    case LLVMGlobalVariableValueKind: {
        const uint64_t *index = map_find(&t->globals, (uintptr_t)value);
        if (!index) return false;
        result->symbol = t->global_list.data[*index].symbol;
        return true;
    }
    case LLVMGlobalAliasValueKind: return fold_scalar(t, LLVMAliasGetAliasee(value), result, depth + 1);
    case LLVMBlockAddressValueKind: result->symbol = label_symbol(t, value); return true;
    default: return false;
    }
}

/* ---- constant expressions ---- */

static bool fold_address(Translator *t, LLVMValueRef value, Const *result, unsigned depth)
{
    enum { MOST_STEPS = 16 };
    AddressStep steps[MOST_STEPS];
    int64_t offset;
    bool supported;
    if (LLVMGetNumOperands(value) > MOST_STEPS || LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind) return false;
    uint32_t variable = front__address_steps(t, value, steps, 0, &offset, &supported);
    if (!supported || !fold_scalar(t, LLVMGetOperand(value, 0), result, depth + 1)) return false;
    for (uint32_t i = 0; i < variable; i++) {
        Const index = {0};
        if (!fold_scalar(t, steps[i].index, &index, depth + 1) || index.undef || index.minus) return false;
        if (index.symbol && (result->symbol || steps[i].scale != 1 || index.width != 64)) return false;
        if (index.symbol) result->symbol = index.symbol;
        offset += (int64_t)((uint64_t)arith_sext(index.value, index.width) * steps[i].scale);
    }
    result->width = 64;
    result->value = (uint64_t)(result->value + (U128)(I128)offset);
    return true;
}

static bool fold_arithmetic(LLVMOpcode opcode, const Const *a, const Const *b, Const *result)
{
    *result = *a;
    bool plain = !a->symbol && !b->symbol && !a->minus && !b->minus;
    switch (opcode) {
    case LLVMAdd:
        if ((a->symbol && b->symbol) || (a->minus && b->minus)) return false;
        result->value = a->value + b->value;
        result->symbol = a->symbol ? a->symbol : b->symbol;
        result->minus = a->minus ? a->minus : b->minus;
        break;
    case LLVMSub:
        if ((a->symbol && b->minus) || (a->minus && b->symbol)) return false;
        result->value = a->value - b->value;
        result->symbol = a->symbol ? a->symbol : b->minus;
        result->minus = a->minus ? a->minus : b->symbol;
        break;
    case LLVMMul: result->value = a->value * b->value; break;
    case LLVMXor: result->value = a->value ^ b->value; break;
    case LLVMAnd: result->value = a->value & b->value; break;
    case LLVMOr: result->value = a->value | b->value; break;
    default: return false;
    }
    result->value &= arith_mask(result->width);
    if (result->symbol && result->symbol == result->minus) result->symbol = result->minus = 0;
    return plain || opcode == LLVMAdd || opcode == LLVMSub;
}

static bool fold_cast(Translator *t, LLVMValueRef value, LLVMOpcode opcode, Const *result, unsigned depth)
{
    LLVMValueRef source = LLVMGetOperand(value, 0);
    const Shape *from = front__shape(t, LLVMTypeOf(source)), *to = front__shape(t, LLVMTypeOf(value));
    if (from->count != 1 || to->count != 1 || from->problem || to->problem) return false;
    if (!fold_scalar(t, source, result, depth + 1)) return false;
    uint32_t before = result->width, after = to->leaves[0].type.width;
    result->width = (uint16_t)after;
    if (result->undef || after == before) return true;
    if (opcode == LLVMSExt && !result->symbol && !result->minus) {
        result->value = (U128)arith_sext(result->value, before);
    } else if (after > before && (result->symbol || result->minus)) {
        return false;
    }
    result->value &= arith_mask(after);
    return true;
}

static bool fold_expression(Translator *t, LLVMValueRef value, Const *result, unsigned depth)
{
    LLVMOpcode opcode = LLVMGetConstOpcode(value);
    switch (opcode) {
    case LLVMGetElementPtr: return fold_address(t, value, result, depth);
    case LLVMBitCast:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMAddrSpaceCast:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt: return fold_cast(t, value, opcode, result, depth);
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMXor:
    case LLVMAnd:
    case LLVMOr: {
        Const a = {0}, b = {0};
        if (!fold_scalar(t, LLVMGetOperand(value, 0), &a, depth + 1) || !fold_scalar(t, LLVMGetOperand(value, 1), &b, depth + 1))
            return false;
        return !a.undef && !b.undef && fold_arithmetic(opcode, &a, &b, result);
    }
    default: return false;
    }
}

static bool fold_scalar(Translator *t, LLVMValueRef value, Const *result, unsigned depth)
{
    const Shape *shape = front__shape(t, LLVMTypeOf(value));
    if (depth > DEEPEST_CONSTANT || shape->count != 1 || shape->problem || shape->is_vector) return false;
    *result = (Const){.width = shape->leaves[0].type.width};
    switch (LLVMGetValueKind(value)) {
    case LLVMConstantIntValueKind:
    case LLVMConstantFPValueKind: result->value = front__constant_bits(value); return true;
    case LLVMConstantPointerNullValueKind:
    case LLVMConstantAggregateZeroValueKind: return true;
    case LLVMUndefValueValueKind:
    case LLVMPoisonValueValueKind: result->undef = true; return true;
    case LLVMConstantExprValueKind: return fold_expression(t, value, result, depth);
    default: return fold_symbol(t, value, result, depth);
    }
}

static bool fold_limb(Translator *t, LLVMValueRef value, uint32_t leaf, Const *result)
{
    const Shape *shape = front__shape(t, LLVMTypeOf(value));
    *result = (Const){.width = shape->leaves[leaf].type.width, .undef = LLVMIsUndef(value)};
    if (result->undef) return true;
    if (!LLVMIsAConstantInt(value)) return false;
    uint8_t *bytes = mem_alloc(shape->count * 8);
    uint64_t limb;
    front__wide_bytes(value, bytes, shape->count * 8);
    memcpy(&limb, bytes + leaf * 8, sizeof limb);
    result->value = limb & arith_mask(result->width);
    free(bytes);
    return true;
}

/* Goes down to the element that holds the leaf. */
static bool fold_part(Translator *t, LLVMValueRef value, uint32_t leaf, Const *result, unsigned depth)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    const Shape *shape = front__shape(t, type);
    if (shape->problem) return false;
    if (shape->wide) return fold_limb(t, value, leaf, result);
    if (kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind && kind != LLVMVectorTypeKind) return fold_scalar(t, value, result, depth);
    if (LLVMIsUndef(value) || LLVMIsNull(value)) {
        *result = (Const){.width = shape->leaves[leaf].type.width, .undef = LLVMIsUndef(value)};
        return true;
    }
    if (LLVMIsAConstantExpr(value) || depth > DEEPEST_CONSTANT) return false;
    unsigned element = 0;
    if (kind == LLVMStructTypeKind) {
        for (uint32_t n; leaf >= (n = front__shape(t, LLVMStructGetTypeAtIndex(type, element))->count); element++) leaf -= n;
    } else {
        uint32_t n = front__shape(t, LLVMGetElementType(type))->count;
        element = leaf / n;
        leaf %= n;
    }
    LLVMValueRef part = LLVMGetAggregateElement(value, element);
    return part && fold_part(t, part, leaf, result, depth + 1);
}

bool front__fold(Translator *t, LLVMValueRef value, uint32_t leaf, Const *result)
{
    if (!LLVMIsConstant(value)) return false;
    return fold_part(t, value, leaf, result, 0);
}
