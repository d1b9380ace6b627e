/* --fail: calls of a function of the library in the program lead to a wrapper of Clew's library (models/failing.c), by which an input says whether the call
 * fails; so do its addresses in tables of functions.  This is done before the library is linked, whose own calls do not fail, and is what a linker does
 * for the tests with --wrap. */
#include "front/front_int.h"

#include <stdlib.h>

/* What a harness does to make inputs and to look at results does not fail. */
static bool is_of_harness(LLVMValueRef user)
{
    if (!LLVMIsAInstruction(user)) return false;
    const char *name = front__value_name(LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)));
    return strncmp(name, FRONT_UNIT_ENTRY, strlen(FRONT_UNIT_ENTRY)) == 0 || strncmp(name, "clew__release_", 14) == 0;
}

static void redirect(LLVMModuleRef module, LLVMValueRef function, const char *name)
{
    char *target = mem_format("clew__failing_%s", name);
    LLVMValueRef failing = LLVMAddFunction(module, target, LLVMGlobalGetValueType(function));
    Vec(LLVMValueRef) kept = {0};
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
        if (is_of_harness(LLVMGetUser(use))) vec_push(&kept, LLVMGetUser(use));
    LLVMReplaceAllUsesWith(function, failing);
    for (uint32_t i = 0; i < kept.len; i++)
        for (int k = 0; k < LLVMGetNumOperands(kept.data[i]); k++)
            if (LLVMGetOperand(kept.data[i], (unsigned)k) == failing) LLVMSetOperand(kept.data[i], (unsigned)k, function);
    vec_release(&kept);
    free(target);
}

void front__let_fail(const FrontOptions *options, LLVMModuleRef module)
{
    for (uint32_t i = 0; i < options->fail_count; i++) {
        LLVMValueRef function = LLVMGetNamedFunction(module, options->fails[i]);
        if (function && LLVMIsDeclaration(function)) redirect(module, function, options->fails[i]);
    }
}
