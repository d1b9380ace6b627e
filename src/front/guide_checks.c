/* Results of a verifier that stand in no source (docs/verified.md): which instruction each belongs to, and what it says there as code.
 *
 *     a condition                      before the first code of its line, from its column on
 *     a check                          before each instruction on the line, and at the column if there is one, that the machine checks so
 *     a verdict on an assertion        at the assertion that stands there
 *
 * What a macro of clew.h says in the source already is not said again, but the verdict of the file replaces that of the source. */
#include "front/guide_int.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

enum { VARIABLE_NAME = 1 /* operand of a local variable's debug information, as LLVM 19 lays it out */, MOST_OPERANDS = 16 };

/* ---- places ---- */

static char *path_of(LLVMValueRef instr, const char *file, unsigned length)
{
    unsigned n = 0;
    const char *directory = LLVMGetDebugLocDirectory(instr, &n);
    bool is_relative = length && file[0] != '/' && n;
    char *joined = is_relative ? mem_format("%.*s/%.*s", (int)n, directory, (int)length, file) : mem_format("%.*s", (int)length, file);
    char *path = realpath(joined, NULL);
    if (path) free(joined);
    return path ? path : joined;
}

static char *source_path(const Source *source)
{
    char *joined = source->directory && source->path[0] != '/' ? mem_format("%s/%s", source->directory, source->path)
                                                               : mem_strdup(source->path);
    char *path = realpath(joined, NULL);
    if (path) free(joined);
    return path ? path : joined;
}

static uint64_t find_source(const Guide *g, LLVMValueRef instr, const char *file, unsigned length)
{
    char *path = path_of(instr, file, length);
    uint64_t found = UINT32_MAX;
    for (uint32_t i = 0; i < g->sources->list.len && found == UINT32_MAX; i++) {
        char *other = source_path(&g->sources->list.data[i]);
        if (strcmp(path, other) == 0) found = i;
        free(other);
    }
    free(path);
    return found;
}

/* The number of the source that the instruction stands in; UINT32_MAX: in none, but in a header perhaps. */
static uint32_t source_of(Guide *g, LLVMValueRef instr)
{
    unsigned length = 0;
    const char *file = LLVMGetDebugLocFilename(instr, &length);
    if (!file || !LLVMGetDebugLocLine(instr)) return UINT32_MAX;
    const uint64_t *known = map_find(&g->source_numbers, (uintptr_t)file);
    if (known) return (uint32_t)*known;
    uint64_t found = find_source(g, instr, file, length);
    map_put(&g->source_numbers, (uintptr_t)file, found);
    return (uint32_t)found;
}

static bool is_on_line(Guide *g, const Annotation *a, LLVMValueRef instr)
{
    return !a->refused && LLVMGetDebugLocLine(instr) == a->line && source_of(g, instr) == a->source;
}

static bool is_at(Guide *g, const Annotation *a, LLVMValueRef instr)
{
    return is_on_line(g, a, instr) && (!a->column || LLVMGetDebugLocColumn(instr) == a->column);
}

/* ---- which code is checked ---- */

static LLVMValueRef accessed(LLVMValueRef instr)
{
    if (LLVMIsALoadInst(instr)) return LLVMGetOperand(instr, 0);
    return LLVMIsAStoreInst(instr) ? LLVMGetOperand(instr, 1) : NULL;
}

/* The pointer that an address is computed from. */
static LLVMValueRef base_of(LLVMValueRef address)
{
    while (LLVMIsAGetElementPtrInst(address)) address = LLVMGetOperand(address, 0);
    return address;
}

static bool is_integer(LLVMValueRef instr)
{
    LLVMTypeRef type = LLVMTypeOf(instr);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 128;
}

static bool is_arithmetic(LLVMValueRef instr)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(instr);
    return (op == LLVMAdd || op == LLVMSub || op == LLVMMul) && is_integer(instr);
}

static bool is_division(LLVMValueRef instr, bool is_signed)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(instr);
    if (!is_integer(instr)) return false;
    return op == LLVMSDiv || op == LLVMSRem || (!is_signed && (op == LLVMUDiv || op == LLVMURem));
}

static bool is_access(LLVMValueRef instr)
{
    LLVMValueRef address = accessed(instr);
    return address && !LLVMIsAAllocaInst(address) && !LLVMIsAGlobalVariable(address);
}

/* May it change variables that it does not name?  (analyse/verdicts.c) */
static bool reaches_others(LLVMValueRef instr)
{
    if (LLVMIsADbgInfoIntrinsic(instr)) return false;
    LLVMValueRef base = LLVMIsAStoreInst(instr) ? base_of(LLVMGetOperand(instr, 1)) : NULL;
    return LLVMIsACallInst(instr) || (base && !LLVMIsAAllocaInst(base) && !LLVMIsAGlobalVariable(base));
}

bool guide__wraps(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (is_arithmetic(i) && LLVMGetNSW(i)) return false;
    return true;
}

/* With -fwrapv overflow is no fault of the program, but it may be assumed away all the same. */
static bool is_checked(const Guide *g, const Annotation *a, LLVMValueRef instr)
{
    switch (a->check) {
    case IMPLICIT_OVERFLOW:
        if (is_arithmetic(instr)) return LLVMGetNSW(instr) || (a->is_assumption && g->wraps);
        return is_division(instr, true);
    case IMPLICIT_DIVISION: return is_division(instr, false);
    case IMPLICIT_SHIFT: {
        LLVMOpcode op = LLVMGetInstructionOpcode(instr);
        return (op == LLVMShl || op == LLVMLShr || op == LLVMAShr) && is_integer(instr);
    }
    case IMPLICIT_NULL: {
        LLVMValueRef address = accessed(instr), base = address ? base_of(address) : NULL;
        return base && !LLVMIsAAllocaInst(base) && !LLVMIsAGlobalVariable(base) && !LLVMIsConstant(base);
    }
    case IMPLICIT_BOUNDS: return is_access(instr);
    case IMPLICIT_UNCHANGED: return reaches_others(instr);
    case IMPLICIT_ALLOCATION:
        return LLVMIsACallInst(instr) && LLVMIsAFunction(LLVMGetCalledValue(instr)) &&
               check_allocates(front__value_name(LLVMGetCalledValue(instr)));
    default: return false;
    }
}

/* ---- events ---- */

/* Is it a call that a macro of clew.h has made, of the kind of the annotation? */
static bool is_macro_for(const Annotation *a, LLVMValueRef instr)
{
    return guide__calls(instr, a->is_assumption ? ASSUMED : ASSERTED);
}

void guide__find_macros(Guide *g, LLVMValueRef instr)
{
    if (!guide__calls(instr, ASSUMED) && !guide__calls(instr, ASSERTED)) return;
    for (uint32_t i = 0; i < g->results->annotations.len; i++) {
        Annotation *a = &g->results->annotations.data[i];
        if (!a->condition || !is_macro_for(a, instr) || !is_at(g, a, instr)) continue;
        a->is_found = true;
        map_put(&g->said, i, (uintptr_t)instr);
    }
}

const Annotation *guide__verdict_on(Guide *g, LLVMValueRef assertion)
{
    for (uint32_t i = 0; g->results && i < g->results->annotations.len; i++) {
        Annotation *a = &g->results->annotations.data[i];
        const uint64_t *said = map_find(&g->said, i);
        if (a->is_assumption || a->check || !is_at(g, a, assertion)) continue;
        if (a->condition ? !said || *said != (uintptr_t)assertion : false) continue;
        a->is_found = true;
        return a;
    }
    return NULL;
}

static bool belongs_here(Guide *g, uint32_t number, LLVMValueRef instr)
{
    const Annotation *a = &g->results->annotations.data[number];
    if (a->check) return is_at(g, a, instr) && is_checked(g, a, instr);
    return a->condition && !a->is_found && is_on_line(g, a, instr) && LLVMGetDebugLocColumn(instr) >= a->column;
}

/* What no code can tell beforehand is known when the instruction has been executed: if an access is beside its object, the execution ends there. */
static bool is_behind(const Annotation *a)
{
    return a->check == IMPLICIT_ALLOCATION || a->check == IMPLICIT_BOUNDS || a->check == IMPLICIT_UNCHANGED;
}

void guide__find_results(Guide *g, GuidedFunction *f, GuidedBlock *block, LLVMValueRef instr, bool behind)
{
    if (LLVMIsAPHINode(instr) || LLVMIsAAllocaInst(instr)) return;
    for (uint32_t i = 0; i < g->results->annotations.len; i++) {
        Annotation *a = &g->results->annotations.data[i];
        if (is_behind(a) != behind || !belongs_here(g, i, instr)) continue;
        a->is_found = f->is_annotated = true;
        vec_push(&block->events, ((Event){.instr = instr,
                                          .kind = a->is_assumption ? POINT_UPDATE : POINT_ASSERT,
                                          .supposition = table_constant(false),
                                          .from = a,
                                          .number = i,
                                          .before = !behind,
                                          .behind = behind}));
    }
}

void guide__refuse_unfound(Guide *g)
{
    for (uint32_t i = 0; g->results && i < g->results->annotations.len; i++) {
        Annotation *a = &g->results->annotations.data[i];
        if (a->refused || a->is_found) continue;
        a->is_own |= a->is_converted;
        char *message = a->check       ? mem_format("there is no %s check", check_name(a->check))
                        : a->condition ? mem_format("there is no code")
                                       : mem_format("there is no assertion");
        results_refuse(a, message);
        free(message);
    }
}

bool guide__is_doubted(Guide *g, LLVMValueRef function)
{
    uint32_t source = UINT32_MAX;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b && source == UINT32_MAX; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && source == UINT32_MAX; i = LLVMGetNextInstruction(i))
            source = source_of(g, i);
    for (uint32_t i = 0; g->results && i < g->results->annotations.len; i++) {
        const Annotation *a = &g->results->annotations.data[i];
        if (a->refused && !a->is_own && !a->is_assumption && (a->source == source || a->source == UINT32_MAX || g->is_whole)) return true;
    }
    return false;
}

/* ---- variables of the code under test ---- */

typedef Vec(LLVMValueRef) Arguments;

static bool is_debug_declare(LLVMValueRef instr)
{
    LLVMValueRef callee = LLVMIsACallInst(instr) ? LLVMGetCalledValue(instr) : NULL;
    return callee && LLVMIsAFunction(callee) && strcmp(front__value_name(callee), "llvm.dbg.declare") == 0;
}

static bool has_name(LLVMValueRef variable, const char *name)
{
    LLVMValueRef operands[MOST_OPERANDS];
    unsigned n = LLVMGetMDNodeNumOperands(variable), length = 0;
    if (n <= VARIABLE_NAME || n > MOST_OPERANDS) return false;
    LLVMGetMDNodeOperands(variable, operands);
    const char *text = operands[VARIABLE_NAME] ? LLVMGetMDString(operands[VARIABLE_NAME], &length) : NULL;
    return text && strlen(name) == length && strncmp(text, name, length) == 0;
}

/* Where the function keeps the variable; NULL: it is not known. */
static LLVMValueRef find_local(LLVMValueRef function, const ResultVariable *v)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!is_debug_declare(i)) continue;
            LLVMValueRef what = LLVMGetOperand(i, 0), variable = LLVMGetOperand(i, 1), place = NULL;
            if (!has_name(variable, v->name) || LLVMDIVariableGetLine(LLVMValueAsMetadata(variable)) != v->line) continue;
            if (LLVMGetMDNodeNumOperands(what) == 1) LLVMGetMDNodeOperands(what, &place);
            if (place) return place;
        }
    return NULL;
}

static LLVMValueRef find_variable(Guide *g, LLVMValueRef function, const ResultVariable *v)
{
    if (!v->is_static) return find_local(function, v);
    char *name = mem_format("%s.%s", front__value_name(function), v->name);
    LLVMValueRef global = LLVMGetNamedGlobal(g->module, name);
    free(name);
    return global;
}

static bool is_in(const ResultVariable *v, const char *expression)
{
    return !expression || front__names_word(expression, v->name);
}

/* LLVM-C finds a variable's debug information only while the module holds it as calls of intrinsics, so the module is converted for that time. */
static bool find_variables(Guide *g, LLVMValueRef function, const Annotation *a, const char *expression, LLVMValueRef *places)
{
    bool is_new = LLVMIsNewDbgInfoFormat(g->module), found = true;
    if (is_new) LLVMSetIsNewDbgInfoFormat(g->module, false);
    for (uint32_t i = 0; i < a->variables.len; i++) {
        if (!is_in(&a->variables.data[i], expression)) continue;
        places[i] = find_variable(g, function, &a->variables.data[i]);
        found &= places[i] != NULL;
    }
    if (is_new) LLVMSetIsNewDbgInfoFormat(g->module, true);
    return found;
}

/* ---- code ---- */

static LLVMValueRef always(const Guide *g, bool value)
{
    return LLVMConstInt(LLVMInt1TypeInContext(g->context), value, false);
}

static LLVMValueRef argument_of(Guide *g, LLVMValueRef place, LLVMTypeRef type, bool by_address)
{
    if (by_address) return place;
    bool is_bit = LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
    LLVMTypeRef kept = is_bit ? LLVMInt8TypeInContext(g->context) : type;
    LLVMValueRef value = LLVMBuildLoad2(g->builder, kept, place, "");
    return is_bit ? LLVMBuildTrunc(g->builder, value, type, "") : value;
}

static void hide(Guide *g, LLVMValueRef function)
{
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(g->context, MODEL_MARK, strlen(MODEL_MARK), "", 0));
    LLVMSetLinkage(function, LLVMInternalLinkage);
}

static void hide_named(Guide *g, char *name)
{
    LLVMValueRef function = LLVMGetNamedFunction(g->module, name);
    if (function) hide(g, function);
    free(name);
}

void guide__hide_conditions(Guide *g)
{
    for (uint32_t i = 0; g->results && i < g->results->annotations.len; i++) {
        hide_named(g, mem_format(RESULT_CONDITION, i));
        for (uint32_t old = 0; old < g->results->annotations.data[i].olds.len; old++) hide_named(g, mem_format(RESULT_OLD, i, old));
    }
}

static LLVMValueRef place_of_old(Guide *g, uint32_t number, uint32_t old)
{
    const uint64_t *place = map_find(&g->olds, (uint64_t)number << 32 | old);
    return place ? (LLVMValueRef)(uintptr_t)*place : NULL;
}

/* The arguments of a function behind the source: the variables of the annotation that the expression names, NULL for all, and places of kept values.  false: not
 * all of them are known where the builder stands. */
static bool find_arguments(Guide *g, LLVMValueRef caller, uint32_t number, const char *expression, LLVMValueRef callee,
                           Arguments *arguments)
{
    const Annotation *a = &g->results->annotations.data[number];
    LLVMValueRef *places = mem_alloc((a->variables.len + 1) * sizeof *places);
    bool found = find_variables(g, caller, a, expression, places);
    for (uint32_t i = 0; i < a->variables.len && found; i++) {
        if (!is_in(&a->variables.data[i], expression)) continue;
        found = arguments->len < LLVMCountParams(callee);
        if (!found) break;
        LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(callee, arguments->len));
        vec_push(arguments, argument_of(g, places[i], type, a->variables.data[i].by_address));
    }
    for (uint32_t i = 0; i < a->olds.len && found && !expression; i++) {
        vec_push(arguments, place_of_old(g, number, i));
        found = vec_top(arguments) != NULL;
    }
    free(places);
    return found;
}

/* Where it cannot be computed, an assumption does not hold, and nothing is said of a verdict. */
static LLVMValueRef build_condition(Guide *g, const Event *event)
{
    const Annotation *a = event->from;
    char *name = mem_format(RESULT_CONDITION, event->number);
    LLVMValueRef function = LLVMGetNamedFunction(g->module, name), result = NULL;
    LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(event->instr));
    Arguments values = {0};
    if (function && find_arguments(g, caller, event->number, NULL, function, &values) && values.len == LLVMCountParams(function)) {
        result = LLVMBuildCall2(g->builder, LLVMGlobalGetValueType(function), function, values.data, values.len, "");
        result = LLVMBuildICmp(g->builder, LLVMIntNE, result, LLVMConstNull(LLVMTypeOf(result)), "");
    }
    vec_release(&values);
    free(name);
    return result ? result : a->is_assumption ? always(g, false) : NULL;
}

/* ---- values that are kept ---- */

/* Parameters have their places in memory when the stores of what was passed are over. */
static LLVMValueRef after_arguments(const GuidedFunction *f)
{
    LLVMValueRef instr = f->blocks.data[0].start;
    while (LLVMIsAStoreInst(instr) && LLVMIsAArgument(LLVMGetOperand(instr, 0))) instr = LLVMGetNextInstruction(instr);
    return instr;
}

static void keep_old(Guide *g, const GuidedFunction *f, uint32_t number, uint32_t old)
{
    enum { BYTES = 16 }; /* of the largest scalar */
    char *name = mem_format(RESULT_OLD, number, old);
    LLVMValueRef keeper = LLVMGetNamedFunction(g->module, name);
    Arguments values = {0};
    free(name);
    if (!keeper) return;
    LLVMPositionBuilderBefore(g->builder, f->blocks.data[0].start);
    LLVMValueRef place = LLVMBuildAlloca(g->builder, LLVMArrayType2(LLVMInt8TypeInContext(g->context), BYTES), "");
    LLVMSetAlignment(place, BYTES);
    LLVMPositionBuilderBefore(g->builder, after_arguments(f));
    LLVMSetCurrentDebugLocation2(g->builder, NULL);
    if (find_arguments(g, f->function, number, g->results->annotations.data[number].olds.data[old], keeper, &values)) {
        vec_push(&values, place);
        if (values.len == LLVMCountParams(keeper)) {
            LLVMBuildCall2(g->builder, LLVMGlobalGetValueType(keeper), keeper, values.data, values.len, "");
            map_put(&g->olds, (uint64_t)number << 32 | old, (uintptr_t)place);
        }
    }
    vec_release(&values);
}

void guide__keep_olds(Guide *g, const GuidedFunction *f)
{
    for (uint32_t b = 0; b < f->blocks.len; b++)
        for (uint32_t i = 0; i < f->blocks.data[b].events.len; i++) {
            const Event *event = &f->blocks.data[b].events.data[i];
            for (uint32_t old = 0; event->from && old < event->from->olds.len; old++) keep_old(g, f, event->number, old);
        }
}

/* ---- checks ---- */

static LLVMValueRef build_fits(Guide *g, LLVMValueRef instr)
{
    static const char *const names[] = {"llvm.sadd.with.overflow", "llvm.ssub.with.overflow", "llvm.smul.with.overflow"};
    LLVMValueRef operands[] = {LLVMGetOperand(instr, 0), LLVMGetOperand(instr, 1)};
    LLVMTypeRef type = LLVMTypeOf(instr);
    LLVMOpcode op = LLVMGetInstructionOpcode(instr);
    if (!is_arithmetic(instr)) {
        unsigned sign = LLVMGetIntTypeWidth(type) - 1;
        uint64_t words[2] = {0};
        words[sign / 64] = (uint64_t)1 << sign % 64;
        LLVMValueRef least = LLVMConstIntOfArbitraryPrecision(type, sign / 64 + 1, words);
        LLVMValueRef not_least = LLVMBuildICmp(g->builder, LLVMIntNE, operands[0], least, "");
        return LLVMBuildOr(g->builder, not_least, LLVMBuildICmp(g->builder, LLVMIntNE, operands[1], LLVMConstAllOnes(type), ""), "");
    }
    const char *name = names[op == LLVMAdd ? 0 : op == LLVMSub ? 1 : 2];
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(g->module, LLVMLookupIntrinsicID(name, strlen(name)), &type, 1);
    LLVMValueRef pair = LLVMBuildCall2(g->builder, LLVMGlobalGetValueType(function), function, operands, 2, "");
    return LLVMBuildNot(g->builder, LLVMBuildExtractValue(g->builder, pair, 1, ""), "");
}

/* The type of a number of its size, if the variable is a single number or pointer; else NULL. */
static LLVMTypeRef scalar_type(const Guide *g, LLVMValueRef variable)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(variable);
    if (LLVMIsDeclaration(variable) || LLVMIsGlobalConstant(variable) || LLVMIsThreadLocal(variable) || !LLVMTypeIsSized(type)) return NULL;
    unsigned long long bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(g->module), type);
    return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 ? LLVMIntTypeInContext(g->context, (unsigned)bytes * 8) : NULL;
}

/* The builder stands behind the instruction.  Does each global variable that is a single number or pointer have the value that it had before the instruction? */
static LLVMValueRef build_unchanged(Guide *g, LLVMValueRef instr)
{
    enum { MOST_VARIABLES = 64 }; /* With more, the code takes too long.  A guess. */
    LLVMValueRef result = always(g, true), behind = LLVMGetNextInstruction(instr);
    uint32_t count = 0;
    for (LLVMValueRef v = LLVMGetFirstGlobal(g->module); v; v = LLVMGetNextGlobal(v)) {
        LLVMTypeRef type = scalar_type(g, v);
        if (!type || guide__is_own_variable(v)) continue;
        if (count++ == MOST_VARIABLES) return always(g, false);
        LLVMPositionBuilderBefore(g->builder, instr);
        LLVMValueRef before = LLVMBuildLoad2(g->builder, type, v, "");
        LLVMPositionBuilderBefore(g->builder, behind);
        LLVMValueRef after = LLVMBuildLoad2(g->builder, type, v, "");
        result = LLVMBuildAnd(g->builder, result, LLVMBuildICmp(g->builder, LLVMIntEQ, before, after, ""), "");
    }
    return result;
}

/* Does the instruction pass the check?  NULL: no code can tell. */
static LLVMValueRef build_passes(Guide *g, ImplicitCheck check, LLVMValueRef instr)
{
    switch (check) {
    case IMPLICIT_OVERFLOW: return build_fits(g, instr);
    case IMPLICIT_DIVISION: {
        LLVMValueRef divisor = LLVMGetOperand(instr, 1);
        return LLVMBuildICmp(g->builder, LLVMIntNE, divisor, LLVMConstNull(LLVMTypeOf(divisor)), "");
    }
    case IMPLICIT_SHIFT: {
        LLVMValueRef amount = LLVMGetOperand(instr, 1);
        LLVMTypeRef type = LLVMTypeOf(amount);
        return LLVMBuildICmp(g->builder, LLVMIntULT, amount, LLVMConstInt(type, LLVMGetIntTypeWidth(type), false), "");
    }
    case IMPLICIT_NULL: {
        LLVMValueRef base = base_of(accessed(instr));
        return LLVMBuildICmp(g->builder, LLVMIntNE, base, LLVMConstNull(LLVMTypeOf(base)), "");
    }
    case IMPLICIT_UNCHANGED: return build_unchanged(g, instr);
    case IMPLICIT_ALLOCATION: return LLVMBuildICmp(g->builder, LLVMIntNE, instr, LLVMConstNull(LLVMTypeOf(instr)), "");
    default: return NULL;
    }
}

static LLVMValueRef build_choice(Guide *g, LLVMValueRef terminator)
{
    if (!LLVMIsABranchInst(terminator) || !LLVMIsConditional(terminator)) return NULL;
    bool first = guide__fails(LLVMGetSuccessor(terminator, 0)), second = guide__fails(LLVMGetSuccessor(terminator, 1));
    LLVMValueRef condition = LLVMGetCondition(terminator);
    if (first && second) return always(g, false);
    return first ? LLVMBuildNot(g->builder, condition, "") : condition;
}

LLVMValueRef guide__build_holds(Guide *g, const Event *event)
{
    if (event->from && event->from->check) return build_passes(g, event->from->check, event->instr);
    if (event->before) return build_condition(g, event);
    if (LLVMIsATerminatorInst(event->instr)) return build_choice(g, event->instr);
    LLVMValueRef argument = LLVMGetOperand(event->instr, 0);
    return LLVMBuildICmp(g->builder, LLVMIntNE, argument, LLVMConstNull(LLVMTypeOf(argument)), "");
}
