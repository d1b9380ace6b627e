/* Arithmetic, comparisons, selection and the taking apart and putting together of vectors and aggregates.  Vector operations are done
 * element by element.  Everything that reaches the end of the dispatch unrecognised becomes a TRAP that names it. */
#include "front/front_int.h"

typedef struct Arithmetic {
    LLVMOpcode from;
    Opcode to;
    bool wraps, exact; /* which flags the instruction may carry */
} Arithmetic;

static const Arithmetic arithmetic[] = {
    {LLVMAdd, OP_ADD, true, false},    {LLVMSub, OP_SUB, true, false},    {LLVMMul, OP_MUL, true, false},
    {LLVMUDiv, OP_UDIV, false, true},  {LLVMSDiv, OP_SDIV, false, true},  {LLVMURem, OP_UREM, false, false},
    {LLVMSRem, OP_SREM, false, false}, {LLVMShl, OP_SHL, true, false},    {LLVMLShr, OP_LSHR, false, true},
    {LLVMAShr, OP_ASHR, false, true},  {LLVMAnd, OP_AND, false, false},   {LLVMOr, OP_OR, false, false},
    {LLVMXor, OP_XOR, false, false},   {LLVMFAdd, OP_FADD, false, false}, {LLVMFSub, OP_FSUB, false, false},
    {LLVMFMul, OP_FMUL, false, false}, {LLVMFDiv, OP_FDIV, false, false}, {LLVMFRem, OP_FREM, false, false},
};

static const Shape *shape_of(Lower *l, LLVMValueRef value)
{
    return front__shape(l->t, LLVMTypeOf(value));
}

static bool lower_arithmetic(Lower *l, LLVMValueRef value, LLVMOpcode opcode, uint32_t first)
{
    const Arithmetic *kind = NULL;
    for (size_t i = 0; i < COUNT_OF(arithmetic); i++)
        if (arithmetic[i].from == opcode) kind = &arithmetic[i];
    if (!kind) return false;
    const Shape *shape = shape_of(l, value);
    uint8_t flags = 0;
    if (kind->wraps && LLVMIsAInstruction(value)) flags = (LLVMGetNSW(value) ? FLAG_NSW : 0) | (LLVMGetNUW(value) ? FLAG_NUW : 0);
    if (kind->exact && LLVMIsAInstruction(value)) flags = LLVMGetExact(value) ? FLAG_EXACT : 0;
    for (uint32_t i = 0; i < shape->count; i++) {
        Operand a = front__operand(l, LLVMGetOperand(value, 0), i), b = front__operand(l, LLVMGetOperand(value, 1), i);
        Instr *instr = front__emit(l, kind->to, shape->leaves[i].type.width);
        instr->flags = flags;
        instr->a = a;
        instr->b = b;
        instr->dst = first + shape->leaves[i].reg;
    }
    return true;
}

static void lower_negation(Lower *l, LLVMValueRef value, uint32_t first)
{
    const Shape *shape = shape_of(l, value);
    for (uint32_t i = 0; i < shape->count; i++) {
        Operand a = front__operand(l, LLVMGetOperand(value, 0), i);
        front__finish(l, first + shape->leaves[i].reg, shape->leaves[i].type.width,
                      front__unary(l, OP_FNEG, shape->leaves[i].type.width, a));
    }
}

static void lower_comparison(Lower *l, LLVMValueRef value, LLVMOpcode opcode, uint32_t first)
{
    const Shape *shape = shape_of(l, LLVMGetOperand(value, 0));
    bool is_float = opcode == LLVMFCmp;
    uint32_t predicate = is_float ? (uint32_t)LLVMGetFCmpPredicate(value) : (uint32_t)LLVMGetICmpPredicate(value) - LLVMIntEQ;
    for (uint32_t i = 0; i < shape->count; i++) {
        Operand a = front__operand(l, LLVMGetOperand(value, 0), i), b = front__operand(l, LLVMGetOperand(value, 1), i);
        front__finish(l, first + i, 1, front__compare(l, is_float ? OP_FCMP : OP_ICMP, predicate, shape->leaves[i].type.width, a, b));
    }
}

/* A scalar condition in the user's code is a `?:` of the source and so has two branches; however many parts the chosen value has. */
static void lower_select(Lower *l, LLVMValueRef value, uint32_t first)
{
    const Shape *shape = shape_of(l, value);
    LLVMValueRef condition = LLVMGetOperand(value, 0);
    bool scalar = !shape_of(l, condition)->is_vector;
    int64_t branch = -1;
    if (front__is_objective(value)) {
        branch = front__add_objective(l);
    } else if (scalar && !l->in_model) {
        bool negated = front__is_negated(condition);
        branch = front__add_branch(l, l->current, negated ? OUTCOME_FALSE : OUTCOME_TRUE, 0);
        front__add_branch(l, l->current, negated ? OUTCOME_TRUE : OUTCOME_FALSE, 0);
    }
    for (uint32_t i = 0; i < shape->count; i++) {
        Operand chosen = front__operand(l, condition, scalar ? 0 : i);
        Operand yes = front__operand(l, LLVMGetOperand(value, 1), i), no = front__operand(l, LLVMGetOperand(value, 2), i);
        Operand result = front__select(l, shape->leaves[i].type.width, chosen, yes, no);
        vec_top(&vec_at(&l->blocks, l->current)).imm = i == 0 ? branch : -1;
        front__finish(l, first + shape->leaves[i].reg, shape->leaves[i].type.width, result);
    }
}

/* ---- aggregates ---- */

static void copy_leaf(Lower *l, const Shape *shape, uint32_t leaf, uint32_t first, Operand from)
{
    front__move(l, first + shape->leaves[leaf].reg, shape->leaves[leaf].type.width, from);
}

static uint32_t part_start(Lower *l, LLVMTypeRef type, LLVMValueRef value)
{
    uint32_t start = 0;
    const unsigned *indices = LLVMGetIndices(value);
    for (unsigned k = 0; k < LLVMGetNumIndices(value); k++) {
        bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
        for (unsigned i = 0; i < indices[k]; i++)
            start += front__shape(l->t, is_struct ? LLVMStructGetTypeAtIndex(type, i) : LLVMGetElementType(type))->count;
        type = is_struct ? LLVMStructGetTypeAtIndex(type, indices[k]) : LLVMGetElementType(type);
    }
    return start;
}

/* Mostly a renaming (see build.c); of a constant, or where the names go round in circles, a copy. */
static void lower_extract_value(Lower *l, LLVMValueRef value, uint32_t first)
{
    LLVMValueRef whole = LLVMGetOperand(value, 0);
    const Shape *shape = shape_of(l, value);
    uint32_t start = part_start(l, LLVMTypeOf(whole), value);
    for (uint32_t i = 0; i < shape->count; i++) copy_leaf(l, shape, i, first, front__operand(l, whole, start + i));
}

static void lower_insert_value(Lower *l, LLVMValueRef value, uint32_t first)
{
    LLVMValueRef whole = LLVMGetOperand(value, 0), part = LLVMGetOperand(value, 1);
    const Shape *shape = shape_of(l, value);
    uint32_t start = part_start(l, LLVMTypeOf(whole), value), n = shape_of(l, part)->count;
    for (uint32_t i = 0; i < shape->count; i++) {
        bool replaced = i >= start && i < start + n;
        copy_leaf(l, shape, i, first, replaced ? front__operand(l, part, i - start) : front__operand(l, whole, i));
    }
}

/* ---- vectors ---- */

static bool constant_index(LLVMValueRef index, uint32_t count, uint32_t *number)
{
    if (!LLVMIsAConstantInt(index) || LLVMGetIntTypeWidth(LLVMTypeOf(index)) > 64) return false;
    unsigned long long wanted = LLVMConstIntGetZExtValue(index);
    *number = wanted < count ? (uint32_t)wanted : count;
    return true;
}

static Operand index_is(Lower *l, LLVMValueRef index, uint32_t number)
{
    uint32_t width = shape_of(l, index)->leaves[0].type.width;
    return front__compare(l, OP_ICMP, PRED_EQ, width, front__operand(l, index, 0), front__const_int(l->t, width, number));
}

static void lower_extract_element(Lower *l, LLVMValueRef value, uint32_t first)
{
    LLVMValueRef vector = LLVMGetOperand(value, 0), index = LLVMGetOperand(value, 1);
    const Shape *shape = shape_of(l, vector);
    uint32_t width = shape->leaves[0].type.width, number;
    if (constant_index(index, shape->count, &number)) {
        if (number == shape->count) {
            front__undefine(l, first, shape_of(l, value));
        } else {
            front__move(l, first, width, front__operand(l, vector, number));
        }
        return;
    }
    Operand result = front__operand(l, vector, 0);
    for (uint32_t i = 1; i < shape->count; i++) {
        Operand element = front__operand(l, vector, i), here = index_is(l, index, i);
        result = front__select(l, width, here, element, result);
    }
    front__finish(l, first, width, result);
}

static void lower_insert_element(Lower *l, LLVMValueRef value, uint32_t first)
{
    LLVMValueRef vector = LLVMGetOperand(value, 0), element = LLVMGetOperand(value, 1), index = LLVMGetOperand(value, 2);
    const Shape *shape = shape_of(l, value);
    uint32_t width = shape->leaves[0].type.width, number;
    bool known = constant_index(index, shape->count, &number);
    for (uint32_t i = 0; i < shape->count; i++) {
        Operand old = front__operand(l, vector, i), new = front__operand(l, element, 0), result = old;
        if (known && i == number) result = new;
        if (!known) {
            Operand here = index_is(l, index, i);
            result = front__select(l, width, here, new, old);
        }
        front__finish(l, first + shape->leaves[i].reg, width, result);
    }
}

static void lower_shuffle(Lower *l, LLVMValueRef value, uint32_t first)
{
    const Shape *shape = shape_of(l, value);
    LLVMValueRef a = LLVMGetOperand(value, 0), b = LLVMGetOperand(value, 1);
    uint32_t n = shape_of(l, a)->count;
    for (uint32_t i = 0; i < shape->count; i++) {
        int from = LLVMGetMaskValue(value, i);
        uint32_t width = shape->leaves[i].type.width;
        if (from == LLVMGetUndefMaskElem()) {
            front__emit(l, OP_UNDEF, width)->dst = first + shape->leaves[i].reg;
        } else {
            Operand element = (uint32_t)from < n ? front__operand(l, a, (uint32_t)from) : front__operand(l, b, (uint32_t)from - n);
            copy_leaf(l, shape, i, first, element);
        }
    }
}

static void lower_freeze(Lower *l, LLVMValueRef value, uint32_t first)
{
    const Shape *shape = shape_of(l, value);
    for (uint32_t i = 0; i < shape->count; i++) copy_leaf(l, shape, i, first, front__operand(l, LLVMGetOperand(value, 0), i));
}

/* ---- dispatch ---- */

static const char *opcode_text(LLVMOpcode opcode)
{
    switch (opcode) {
    case LLVMVAArg: return "va_arg as an instruction";
    case LLVMLandingPad:
    case LLVMCatchPad:
    case LLVMCleanupPad: return "exception handling";
    default: return NULL;
    }
}

/* Why an instruction over these types cannot be executed, NULL if it can. */
static const char *type_problem(Lower *l, LLVMValueRef value, LLVMOpcode opcode)
{
    if (shape_of(l, value)->problem) return shape_of(l, value)->problem;
    if (opcode == LLVMCall) return NULL; /* its operands are looked at when it is known what is called */
    bool computes = opcode == LLVMFNeg || opcode == LLVMFCmp || opcode == LLVMFPExt || opcode == LLVMFPTrunc || opcode == LLVMFPToSI ||
                    opcode == LLVMFPToUI || opcode == LLVMSIToFP || opcode == LLVMUIToFP || opcode == LLVMAtomicRMW ||
                    (opcode >= LLVMAdd && opcode <= LLVMFRem);
    bool exotic = shape_of(l, value)->exotic;
    for (int i = 0; i < LLVMGetNumOperands(value); i++) {
        const Shape *shape = shape_of(l, LLVMGetOperand(value, (unsigned)i));
        if (shape->problem) return shape->problem;
        exotic |= shape->exotic;
    }
    return computes && exotic ? "a float of 16 or 128 bits" : NULL;
}

/* Integers of more than 128 bits can be moved like any value of several parts; all else is for wide.c. */
static bool computes_wide(Lower *l, LLVMValueRef value, LLVMOpcode opcode, uint32_t *bits)
{
    switch (opcode) {
    case LLVMCall:
    case LLVMLoad:
    case LLVMStore:
    case LLVMSelect:
    case LLVMFreeze:
    case LLVMExtractValue:
    case LLVMInsertValue:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor: return false;
    default: break;
    }
    *bits = shape_of(l, value)->wide;
    for (int i = 0; !*bits && i < LLVMGetNumOperands(value); i++) *bits = shape_of(l, LLVMGetOperand(value, (unsigned)i))->wide;
    return *bits;
}

static bool lower_memory(Lower *l, LLVMValueRef value, LLVMOpcode opcode, uint32_t first)
{
    switch (opcode) {
    case LLVMAlloca: front__lower_alloca(l, value, first); return true;
    case LLVMLoad: front__lower_load(l, value, first); return true;
    case LLVMStore: front__lower_store(l, value); return true;
    case LLVMGetElementPtr: front__lower_address(l, value, first); return true;
    case LLVMAtomicRMW: front__lower_atomic(l, value, first); return true;
    case LLVMAtomicCmpXchg: front__lower_exchange(l, value, first); return true;
    case LLVMFence: return true;
    default: return false;
    }
}

static bool lower_parts(Lower *l, LLVMValueRef value, LLVMOpcode opcode, uint32_t first)
{
    switch (opcode) {
    case LLVMExtractValue: lower_extract_value(l, value, first); return true;
    case LLVMInsertValue: lower_insert_value(l, value, first); return true;
    case LLVMExtractElement: lower_extract_element(l, value, first); return true;
    case LLVMInsertElement: lower_insert_element(l, value, first); return true;
    case LLVMShuffleVector: lower_shuffle(l, value, first); return true;
    case LLVMFreeze: lower_freeze(l, value, first); return true;
    default: return false;
    }
}

static bool lower_other(Lower *l, LLVMValueRef value, LLVMOpcode opcode, uint32_t first)
{
    switch (opcode) {
    case LLVMFNeg: lower_negation(l, value, first); return true;
    case LLVMICmp:
    case LLVMFCmp: lower_comparison(l, value, opcode, first); return true;
    case LLVMSelect: lower_select(l, value, first); return true;
    case LLVMCall: front__lower_call(l, value, first); return true;
    case LLVMBitCast:
    case LLVMAddrSpaceCast: front__lower_bitcast(l, value, first); return true;
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr: front__lower_cast(l, value, first); return true;
    default: return false;
    }
}

void front__lower_instruction(Lower *l, LLVMValueRef value, uint32_t first)
{
    LLVMOpcode opcode = front__opcode(value);
    const char *problem = type_problem(l, value, opcode);
    uint32_t bits;
    if (problem) {
        front__trap(l, "%s is not supported", problem);
    } else if (computes_wide(l, value, opcode, &bits)) {
        if (front__lower_wide(l, value, opcode, first)) return;
        front__trap(l, "this operation on an integer of %u bits is not supported", bits);
    } else if (lower_arithmetic(l, value, opcode, first) || lower_memory(l, value, opcode, first) || lower_parts(l, value, opcode, first) ||
               lower_other(l, value, opcode, first)) {
        return;
    } else if (opcode_text(opcode)) {
        front__trap(l, "%s is not supported", opcode_text(opcode));
    } else {
        front__trap(l, "LLVM instruction %d is not supported", (int)opcode);
    }
    front__undefine(l, first, shape_of(l, value));
}
