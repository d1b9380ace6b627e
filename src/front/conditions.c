/* The operands of && and || as branches of their own.
 *
 * In an `if` clang branches on each operand.  In a loop's condition, or where the value is used, it branches on all but the last, whose value
 * goes into a phi of one bit: two ways for the outcomes of one operand to be lost.  Here that operand gets its branch too (as gcc and
 * gcov have it), so every such phi is made of constants only.  What then branches on the phi repeats what the operands have decided, and is
 * no branch of the program any more (front__is_repeated); nor is a branch on a constant, which clang leaves where an operand is a text. */
#include "front/front_int.h"

#include <llvm-c/DebugInfo.h>

static bool is_bit_phi(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMIsAPHINode(value) && LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
}

static bool is_alone(LLVMValueRef phi)
{
    LLVMValueRef next = LLVMGetNextInstruction(phi);
    return phi == LLVMGetFirstInstruction(LLVMGetInstructionParent(phi)) && !(next && LLVMIsAPHINode(next));
}

static bool jumps(LLVMValueRef terminator)
{
    return terminator && LLVMIsABranchInst(terminator) && !LLVMIsConditional(terminator);
}

static bool is_not(LLVMValueRef value)
{
    return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMXor && LLVMIsAConstantInt(LLVMGetOperand(value, 1));
}

bool front__is_negated(LLVMValueRef condition)
{
    bool negated = false;
    for (; is_not(condition); condition = LLVMGetOperand(condition, 0)) negated = !negated;
    return negated;
}

/* The i-th value comes from a block that only jumps: that block branches on it, the phi gets 0 from there and 1 from a new block. */
static void split(LLVMBuilderRef builder, LLVMValueRef phi, unsigned i)
{
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i), to = LLVMGetInstructionParent(phi);
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(from);
    if (LLVMIsConstant(value) || !jumps(jump)) return;
    LLVMMetadataRef place = LLVMIsAInstruction(value) ? LLVMInstructionGetDebugLoc(value) : NULL;
    if (!place) place = LLVMInstructionGetDebugLoc(jump);
    LLVMBasicBlockRef yes = LLVMInsertBasicBlockInContext(LLVMGetTypeContext(LLVMTypeOf(phi)), to, "");
    LLVMInstructionEraseFromParent(jump);
    LLVMPositionBuilderAtEnd(builder, from);
    LLVMSetCurrentDebugLocation2(builder, place);
    LLVMBuildCondBr(builder, value, yes, to);
    LLVMPositionBuilderAtEnd(builder, yes);
    LLVMBuildBr(builder, to);
    LLVMValueRef one = LLVMConstInt(LLVMTypeOf(phi), 1, false);
    LLVMSetOperand(phi, i, LLVMConstInt(LLVMTypeOf(phi), 0, false));
    LLVMAddIncoming(phi, &one, &yes, 1);
}

void front__split_conditions(LLVMModuleRef module)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block)) {
            LLVMValueRef phi = LLVMGetFirstInstruction(block);
            if (!phi || !is_bit_phi(phi) || !is_alone(phi)) continue;
            unsigned count = LLVMCountIncoming(phi); /* before any is added */
            for (unsigned i = 0; i < count; i++) split(builder, phi, i);
        }
    LLVMDisposeBuilder(builder);
}

static bool all_constant(LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (!LLVMIsAConstantInt(LLVMGetIncomingValue(phi, i))) return false;
    return true;
}

/* What clang writes for va_arg, and for the gaps of an initialiser: branches that nobody wrote. */
static bool is_made_up(LLVMValueRef terminator)
{
    static const char *const targets[] = {"vaarg.", "arrayinit."};
    for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++)
        for (size_t k = 0; k < COUNT_OF(targets); k++)
            if (strncmp(LLVMGetBasicBlockName(LLVMGetSuccessor(terminator, i)), targets[k], strlen(targets[k])) == 0) return true;
    return false;
}

bool front__is_repeated(LLVMValueRef terminator)
{
    if (!LLVMIsABranchInst(terminator) || !LLVMIsConditional(terminator)) return false;
    if (is_made_up(terminator)) return true;
    LLVMValueRef condition = LLVMGetCondition(terminator);
    while (is_not(condition)) condition = LLVMGetOperand(condition, 0);
    if (LLVMIsAConstantInt(condition)) return true; /* the text in `p && "text"`: gcc makes no branch of a constant */
    return is_bit_phi(condition) && all_constant(condition);
}
