/* Counters for native code: before every instruction that branches, a call says which of its outcomes comes next.
 *
 * The instructions are numbered by the same predicate (front__outcomes) in the same order as when a Program is made, so an outcome here and
 * a Branch there are the same thing by construction.  The number is chosen by a chain of selects in front of the branch rather than by
 * blocks on its edges: nothing of the function's shape changes, phis included, and a choice without edges (select) needs no rule of its own.
 * The cost is one comparison for each case of a switch. */
#include "front/front_int.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/IRReader.h>
#include <errno.h>
#include <stdlib.h>

#define COUNTER "clew_count"
enum { MOST_DEPTH = 16 };

typedef struct Counting {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTypeRef number_type, counter_type;
    LLVMValueRef counter; /* the function to call; made when it is first needed */
    uint32_t (*number_of)(void *data, const FrontOutcome *outcome);
    void *data;
    FrontOutcome at; /* function, place and ordinal of the instruction being looked at */
    StrBuf file;
} Counting;

/* The place of an instruction without one is that of the last one in its block that has one, as in a Program. */
static void move_to(Counting *c, LLVMValueRef value)
{
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(value);
    if (!location || !LLVMDILocationGetLine(location)) return;
    c->at.line = LLVMDILocationGetLine(location);
    c->at.column = LLVMDILocationGetColumn(location);
    LLVMMetadataRef scope = LLVMDILocationGetScope(location), file = scope ? LLVMDIScopeGetFile(scope) : NULL;
    strbuf_clear(&c->file);
    strbuf_add(&c->file, "");
    if (file) {
        unsigned directory_length = 0, length = 0;
        const char *directory = LLVMDIFileGetDirectory(file, &directory_length), *name = LLVMDIFileGetFilename(file, &length);
        if (directory_length && !(length && name[0] == '/')) {
            strbuf_add_bytes(&c->file, directory, directory_length);
            strbuf_add(&c->file, "/");
        }
        strbuf_add_bytes(&c->file, name, length);
    }
    c->at.file = c->file.text;
}

/* The tree of a condition ends at loads, calls and parameters, as long as locals are in memory; a phi or select in it is another choice. */
static bool has_choice(LLVMValueRef value, unsigned depth)
{
    if (!LLVMIsAInstruction(value) || !depth) return false;
    if (LLVMIsAPHINode(value) || LLVMIsASelectInst(value)) return true;
    if (LLVMIsALoadInst(value) || LLVMIsACallInst(value)) return false;
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        if (has_choice(LLVMGetOperand(value, (unsigned)i), depth - 1)) return true;
    return false;
}

static LLVMValueRef condition_of(LLVMValueRef value)
{
    return LLVMIsABranchInst(value) ? LLVMGetCondition(value) : LLVMGetOperand(value, 0);
}

static LLVMValueRef number(const Counting *c, uint32_t which, bool *any)
{
    FrontOutcome outcome = c->at;
    outcome.which = which;
    uint32_t n = c->number_of(c->data, &outcome);
    if (n != UINT32_MAX) *any = true;
    return LLVMConstInt(c->number_type, n, false);
}

/* The number of the outcome that the instruction is about to have; NULL if none of them is counted. */
static LLVMValueRef chosen_number(Counting *c, LLVMValueRef value, uint32_t outcomes)
{
    bool any = false;
    if (!LLVMIsASwitchInst(value)) {
        LLVMValueRef yes = number(c, 0, &any), no = number(c, 1, &any);
        return any ? LLVMBuildSelect(c->builder, condition_of(value), yes, no, "") : NULL;
    }
    LLVMValueRef selector = LLVMGetOperand(value, 0), *numbers = mem_alloc(outcomes * sizeof *numbers);
    for (uint32_t i = 0; i < outcomes; i++) numbers[i] = number(c, i, &any);
    LLVMValueRef chosen = any ? numbers[outcomes - 1] : NULL;
    for (uint32_t i = 0; any && i + 1 < outcomes; i++) {
        LLVMValueRef is = LLVMBuildICmp(c->builder, LLVMIntEQ, selector, LLVMGetOperand(value, 2 + 2 * i), "");
        chosen = LLVMBuildSelect(c->builder, is, numbers[i], chosen, "");
    }
    free(numbers);
    return chosen;
}

static void count_instruction(Counting *c, LLVMValueRef value, uint32_t outcomes)
{
    LLVMPositionBuilderBefore(c->builder, value);
    c->at.nested = has_choice(condition_of(value), MOST_DEPTH);
    LLVMValueRef chosen = chosen_number(c, value, outcomes);
    if (!chosen) return;
    if (!c->counter) c->counter = LLVMGetNamedFunction(c->module, COUNTER);
    if (!c->counter) c->counter = LLVMAddFunction(c->module, COUNTER, c->counter_type);
    LLVMBuildCall2(c->builder, c->counter_type, c->counter, &chosen, 1, "");
}

static void count_function(Counting *c, LLVMValueRef function)
{
    c->at = (FrontOutcome){.function = front__value_name(function), .file = ""};
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
        c->at.line = c->at.column = 0;
        c->at.file = "";
        for (LLVMValueRef value = LLVMGetFirstInstruction(block), next; value; value = next) {
            next = LLVMGetNextInstruction(value); /* what is put in front of it is not looked at again */
            uint32_t outcomes = front__outcomes(value);
            move_to(c, value);
            if (outcomes) {
                count_instruction(c, value, outcomes);
                c->at.ordinal++;
            }
        }
    }
}

static void count_module(Counting *c, LLVMContextRef context)
{
    c->builder = LLVMCreateBuilderInContext(context);
    c->number_type = LLVMInt32TypeInContext(context);
    c->counter_type = LLVMFunctionType(LLVMVoidTypeInContext(context), &c->number_type, 1, false);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) count_function(c, f);
    LLVMDisposeBuilder(c->builder);
    strbuf_release(&c->file);
}

static Status read_module(LLVMContextRef context, const char *path, LLVMModuleRef *module, Error *error)
{
    LLVMMemoryBufferRef buffer;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message) ||
        LLVMParseIRInContext(context, buffer, module, &message)) { /* takes the buffer */
        fail(error, "cannot read the code in %s: %s", path, message ? message : "damaged");
        LLVMDisposeMessage(message);
        return FAILED;
    }
    return OK;
}

Status front_count(const char *bitcode, const char *out, uint32_t (*number_of)(void *data, const FrontOutcome *outcome), void *data,
                   Error *error)
{
    LLVMContextRef context = LLVMContextCreate();
    Counting counting = {.number_of = number_of, .data = data};
    Status status = read_module(context, bitcode, &counting.module, error);
    if (status == OK) {
        front__split_conditions(counting.module);
        count_module(&counting, context);
        if (LLVMWriteBitcodeToFile(counting.module, out)) status = fail(error, "cannot write %s: %s", out, strerror(errno));
        LLVMDisposeModule(counting.module);
    }
    LLVMContextDispose(context);
    return status;
}
