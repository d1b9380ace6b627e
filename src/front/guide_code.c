/* The code that a program gets from verification results (guide.c): variables of names, objectives, and calls that end verified executions. */
#include "front/guide_int.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

static unsigned objective_mark(LLVMContextRef context)
{
    static const char mark[] = "clew.objective";
    return LLVMGetMDKindIDInContext(context, mark, sizeof mark - 1);
}

bool front__is_objective(LLVMValueRef value)
{
    return LLVMIsASelectInst(value) && LLVMHasMetadata(value) &&
           LLVMGetMetadata(
               value, objective_mark(LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(value))))));
}

/* ---- notes ---- */

static bool has_line(LLVMValueRef instr)
{
    return LLVMGetDebugLocLine(instr) != 0;
}

static void note(Guide *g, LLVMValueRef instr, FrontNote n)
{
    while (instr && !has_line(instr)) instr = LLVMGetNextInstruction(instr);
    if (!g->options->on_note || !instr) return;
    unsigned directory_length = 0, length = 0;
    const char *directory = LLVMGetDebugLocDirectory(instr, &directory_length), *file = LLVMGetDebugLocFilename(instr, &length);
    guide__shorten(&file, &length);
    bool is_relative = length && file[0] != '/' && directory_length;
    char *path = is_relative ? mem_format("%.*s/%.*s", (int)directory_length, directory, (int)length, file)
                             : mem_format("%.*s", (int)length, file);
    n.function = front__value_name(LLVMGetBasicBlockParent(LLVMGetInstructionParent(instr)));
    n.file = path;
    n.line = LLVMGetDebugLocLine(instr);
    n.column = LLVMGetDebugLocColumn(instr);
    g->options->on_note(g->options->on_note_data, &n);
    free(path);
}

/* The condition as the source, or the file of results, has it; to be freed. */
static char *condition_of(const Event *event)
{
    if (event->before && event->from->condition) return mem_strdup(event->from->condition);
    if (guide__calls(event->instr, ASSUMED) && !event->before) return guide__text(event->instr, 2);
    if (guide__calls(event->instr, ASSERTED) && !event->before) return guide__text(event->instr, 4);
    return NULL;
}

static void note_event(Guide *g, const Event *event)
{
    StrBuf text = {0};
    char *condition = condition_of(event);
    if (event->kind == POINT_UPDATE) strbuf_add(&text, g->names.data[event->name]);
    else table_print(event->supposition, (const char *const *)g->names.data, g->names.len, &text);
    note(g, event->instr,
         (FrontNote){.kind = event->kind == POINT_UPDATE ? FRONT_NOTE_ASSUMED : FRONT_NOTE_ASSERTED,
                     .text = text.text,
                     .condition = condition,
                     .check = event->from && event->from->check ? check_name(event->from->check) : NULL});
    free(condition);
    strbuf_release(&text);
}

static void note_conditions(Guide *g, LLVMValueRef instr, uint32_t point, bool after)
{
    if (!inference_may_changes(g->inference, point) && !inference_must_changes(g->inference, point)) return;
    StrBuf may = {0}, must = {0};
    table_print(inference_may(g->inference, point), (const char *const *)g->names.data, g->names.len, &may);
    table_print(inference_must(g->inference, point), (const char *const *)g->names.data, g->names.len, &must);
    note(g, instr, (FrontNote){.kind = FRONT_NOTE_CONDITIONS, .after = after, .text = may.text, .must = must.text});
    strbuf_release(&may);
    strbuf_release(&must);
}

/* ---- code ---- */

static LLVMTypeRef bit(const Guide *g)
{
    return LLVMInt1TypeInContext(g->context);
}

static LLVMValueRef get(Guide *g, LLVMValueRef variable)
{
    return LLVMBuildLoad2(g->builder, bit(g), variable, "");
}

/* The condition over the variables of the names, without branches. */
static LLVMValueRef build_table(Guide *g, Table t)
{
    uint32_t name = 0;
    while (name < g->names.len && !table_depends(t, name)) name++;
    if (name >= g->names.len) return LLVMConstInt(bit(g), !table_is(t, false), false);
    LLVMValueRef value = get(g, g->variables[name]), yes = build_table(g, table_with(t, name, true)),
                 no = build_table(g, table_with(t, name, false));
    return LLVMBuildOr(g->builder, LLVMBuildAnd(g->builder, value, yes, ""),
                       LLVMBuildAnd(g->builder, LLVMBuildNot(g->builder, value, ""), no, ""), "");
}

static void build_go_on_if(Guide *g, LLVMValueRef condition)
{
    LLVMTypeRef word = LLVMInt32TypeInContext(g->context);
    LLVMValueRef argument = LLVMBuildZExt(g->builder, condition, word, "");
    LLVMBuildCall2(g->builder, LLVMGlobalGetValueType(g->go_on_if), g->go_on_if, &argument, 1, "");
}

/* Does this activation decide what is tested, or is it part of one that does? */
static LLVMValueRef is_mine(Guide *g, const GuidedFunction *f)
{
    if (g->is_whole) return LLVMConstInt(bit(g), 1, false);
    return get(g, f->mine ? f->mine : g->within);
}

static void stand_after(Guide *g, LLVMValueRef instr)
{
    LLVMPositionBuilderBefore(g->builder, LLVMGetNextInstruction(instr)); /* a call is never the last one of its block */
    LLVMSetCurrentDebugLocation2(g->builder, LLVMInstructionGetDebugLoc(instr));
}

static void stand_before(Guide *g, LLVMValueRef instr)
{
    LLVMPositionBuilderBefore(g->builder, instr);
    LLVMSetCurrentDebugLocation2(g->builder, LLVMInstructionGetDebugLoc(instr));
}

/* An objective is a choice by the condition, whose result nothing uses. */
static void build_objective(Guide *g, LLVMValueRef condition)
{
    LLVMValueRef yes = LLVMConstInt(LLVMInt8TypeInContext(g->context), 1, false), no = LLVMConstNull(LLVMTypeOf(yes));
    if (LLVMIsConstant(condition)) condition = LLVMBuildFreeze(g->builder, condition, "");
    LLVMValueRef choice = LLVMBuildSelect(g->builder, condition, yes, no, "");
    LLVMSetMetadata(choice, objective_mark(g->context), LLVMMetadataAsValue(g->context, LLVMMDNodeInContext2(g->context, NULL, 0)));
}

/* Has a verifier said something of it?  Of an ordinary assertion none has. */
static bool has_verdict(const Event *event)
{
    return event->from || guide__calls(event->instr, ASSERTED);
}

/* The assertion of a result that brings its own condition. */
static void build_own(Guide *g, const Event *event, LLVMValueRef holds)
{
    if (!event->before || !event->from->condition || !holds) return;
    static const char name[] = "clew_assert";
    LLVMTypeRef word = LLVMInt32TypeInContext(g->context), type = LLVMFunctionType(LLVMVoidTypeInContext(g->context), &word, 1, false);
    LLVMValueRef function = LLVMGetNamedFunction(g->module, name), argument = LLVMBuildZExt(g->builder, holds, word, "");
    if (!function) function = LLVMAddFunction(g->module, name, type);
    LLVMBuildCall2(g->builder, type, function, &argument, 1, "");
}

/* Is an execution in which the supposition is false worth a test of its own?  It is not if only a failing check makes the supposition false and ends the
 * execution there: that bug has a test. */
static bool shows_more(const Guide *g, const Event *event)
{
    return !event->rests_on_itself && !table_is(inference_with_passed(g->inference, event->supposition), true);
}

/* Is the execution unverified already?  What makes the arguments for a test contradicts no verdict on the function under test either. */
static LLVMValueRef goes_on_anyway(Guide *g, LLVMValueRef unverified)
{
    return g->is_whole ? unverified : LLVMBuildOr(g->builder, unverified, LLVMBuildNot(g->builder, get(g, g->within), ""), "");
}

/* Before an assertion: an execution in which the supposition holds and the assertion fails contradicts the verifier, and ends unless something before was
 * unverified; and where the supposition is false, this execution is not verified. */
static void build_assertion(Guide *g, const GuidedFunction *f, const Event *event)
{
    if (event->behind) stand_after(g, event->instr);
    else stand_before(g, event->instr);
    LLVMValueRef supposition = build_table(g, event->supposition), denied = LLVMBuildNot(g->builder, supposition, "");
    LLVMValueRef unverified = LLVMBuildAnd(g->builder, denied, is_mine(g, f), "");
    LLVMValueRef either = LLVMBuildOr(g->builder, get(g, g->unverified), unverified, "");
    LLVMBuildStore(g->builder, either, g->unverified);
    LLVMValueRef holds = has_verdict(event) ? guide__build_holds(g, event) : NULL;
    if (holds) build_go_on_if(g, LLVMBuildOr(g->builder, LLVMBuildOr(g->builder, denied, holds, ""), goes_on_anyway(g, either), ""));
    if (shows_more(g, event)) build_objective(g, unverified);
    build_own(g, event, holds);
}

static void build_update(Guide *g, const Event *event)
{
    LLVMValueRef variable = g->variables[event->name], holds;
    if (event->before) stand_before(g, event->instr);
    else stand_after(g, event->instr);
    holds = guide__build_holds(g, event);
    if (holds) LLVMBuildStore(g->builder, LLVMBuildAnd(g->builder, get(g, variable), holds, ""), variable);
}

/* Where the builder stands: goes on only if this execution is unverified already, or may become so. */
static void build_may(Guide *g, const GuidedFunction *f, uint32_t point)
{
    Table may = inference_may(g->inference, point);
    if (table_is(may, true) || !inference_may_changes(g->inference, point)) return;
    LLVMValueRef is_others = LLVMBuildNot(g->builder, is_mine(g, f), "");
    LLVMValueRef goes_on = LLVMBuildOr(g->builder, is_others, get(g, g->unverified), "");
    build_go_on_if(g, LLVMBuildOr(g->builder, goes_on, build_table(g, may), ""));
}

/* Where the builder stands: inputs by which all that follows is unverified are looked for, unless only such go on anyway. */
static void build_must(Guide *g, const GuidedFunction *f, uint32_t point)
{
    Table must = inference_must(g->inference, point), may = inference_may(g->inference, point);
    bool is_trivial = table_is(must, true) || table_is(must, false) || !inference_must_changes(g->inference, point);
    if (is_trivial || ((g->options->guide & FRONT_GUIDE_MAY) && table_equal(must, may))) return;
    build_objective(g, LLVMBuildAnd(g->builder, is_mine(g, f), build_table(g, must), ""));
}

static void build_conditions(Guide *g, const GuidedFunction *f, uint32_t point)
{
    if (g->options->guide & FRONT_GUIDE_MUST) build_must(g, f, point);
    if ((g->options->guide & FRONT_GUIDE_MAY) && !f->is_doubted) build_may(g, f, point);
}

/* The point behind an event in its block. */
static uint32_t point_behind(const GuidedBlock *block, uint32_t event)
{
    const Event *here = &block->events.data[event];
    if (here->kind == POINT_PLAIN && !here->from) return here->after;
    return event + 1 < block->events.len ? block->events.data[event + 1].point : block->last;
}

void guide__build_block(Guide *g, const GuidedFunction *f, const GuidedBlock *block, bool decides)
{
    if (decides) {
        note_conditions(g, block->start, block->first, false);
        stand_before(g, block->start);
        build_conditions(g, f, block->first);
    }
    for (uint32_t i = 0; i < block->events.len; i++) {
        const Event *event = &block->events.data[i];
        LLVMValueRef next = event->before ? event->instr : LLVMGetNextInstruction(event->instr);
        if (event->kind != POINT_PLAIN) note_event(g, event);
        if (event->kind == POINT_UPDATE) build_update(g, event);
        if (event->kind == POINT_ASSERT) build_assertion(g, f, event);
        if (!decides || !next) continue;
        note_conditions(g, event->instr, point_behind(block, i), !event->before || (event->from && event->from->check));
        stand_before(g, next);
        build_conditions(g, f, point_behind(block, i));
    }
}

/* Names of the activation begin as true; and the first activation of a unit in the call that is tested is the one that the test has called. */
void guide__build_start(Guide *g, GuidedFunction *f)
{
    stand_before(g, f->blocks.data[0].start);
    for (uint32_t i = 0; i < g->names.len; i++) {
        g->variables[i] = LLVMBuildAlloca(g->builder, bit(g), g->names.data[i]);
        LLVMBuildStore(g->builder, LLVMConstInt(bit(g), 1, false), g->variables[i]);
    }
    if (!f->is_unit || !g->outermost) return;
    f->mine = LLVMBuildAlloca(g->builder, bit(g), "");
    LLVMBuildStore(g->builder, get(g, g->outermost), f->mine);
    LLVMBuildStore(g->builder, LLVMConstInt(bit(g), 0, false), g->outermost);
}

/* A wrong verdict: the supposition holds where the assertion fails.  What the search is told to leave out does not matter here. */
static void build_check(Guide *g, const Event *event)
{
    StrBuf text = {0};
    if (event->behind) stand_after(g, event->instr);
    else stand_before(g, event->instr);
    LLVMValueRef holds = has_verdict(event) ? guide__build_holds(g, event) : NULL;
    LLVMValueRef denied = LLVMBuildNot(g->builder, build_table(g, event->supposition), "");
    LLVMBuildStore(g->builder, LLVMBuildOr(g->builder, get(g, g->unverified), denied, ""), g->unverified);
    if (holds && !table_is(event->supposition, false)) {
        table_print(event->supposition, (const char *const *)g->names.data, g->names.len, &text);
        LLVMValueRef agrees = LLVMBuildOr(g->builder, denied, holds, "");
        LLVMValueRef arguments[] = {LLVMBuildZExt(g->builder, agrees, LLVMInt32TypeInContext(g->context), ""),
                                    LLVMBuildGlobalStringPtr(g->builder, text.text, "")};
        LLVMBuildCall2(g->builder, LLVMGlobalGetValueType(g->check_verdict), g->check_verdict, arguments, COUNT_OF(arguments), "");
        strbuf_release(&text);
    }
    build_own(g, event, holds);
}

void guide__build_checks(Guide *g, const GuidedBlock *block)
{
    for (uint32_t i = 0; i < block->events.len; i++) {
        const Event *event = &block->events.data[i];
        if (event->kind == POINT_UPDATE) build_update(g, event);
        if (event->kind == POINT_ASSERT) build_check(g, event);
    }
}

/* Variables that the code has because of the guide are i1, which no variable of C is. */
bool guide__is_own_variable(LLVMValueRef global)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(global);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
}

static LLVMValueRef add_global(Guide *g, const char *name, bool value)
{
    LLVMValueRef global = LLVMAddGlobal(g->module, bit(g), name);
    LLVMSetInitializer(global, LLVMConstInt(bit(g), value, false));
    LLVMSetLinkage(global, LLVMInternalLinkage);
    return global;
}

static bool is_entry(LLVMValueRef function)
{
    return strncmp(front__value_name(function), FRONT_UNIT_ENTRY, strlen(FRONT_UNIT_ENTRY)) == 0 && !LLVMIsDeclaration(function);
}

static void set_flag(Guide *g, LLVMValueRef flag, bool value)
{
    LLVMBuildStore(g->builder, LLVMConstInt(bit(g), value, false), flag);
}

/* The call that is tested; NULL: it is computed.  Before it the harness may call other functions, which make what is passed or say what is assumed. */
static LLVMValueRef tested_call(LLVMValueRef entry)
{
    LLVMValueRef last = NULL;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(entry); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsACallInst(i) || LLVMIsAIntrinsicInst(i)) continue;
            if (guide__calls(i, "clew__returned")) return last && LLVMIsAFunction(LLVMGetCalledValue(last)) ? last : NULL;
            last = i;
        }
    return NULL;
}

/* If the function under test says nothing of verification, no function that it calls is taken for it. */
static void build_entry(Guide *g, LLVMValueRef entry)
{
    LLVMValueRef call = tested_call(entry);
    const GuidedFunction *unit = call ? guide__function(g, LLVMGetCalledValue(call)) : NULL;
    if (!unit) return;
    stand_before(g, call);
    set_flag(g, g->within, true);
    set_flag(g, g->outermost, unit->is_annotated && unit->is_unit);
    stand_after(g, call);
    set_flag(g, g->within, false);
}

void guide__build_entries(Guide *g)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(g->module); f; f = LLVMGetNextFunction(f))
        if (is_entry(f)) build_entry(g, f);
}

static bool find_entry(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (is_entry(f)) return true;
    return false;
}

void guide__declare(Guide *g)
{
    bool has_harness = find_entry(g->module);
    LLVMTypeRef nothing = LLVMVoidTypeInContext(g->context),
                parameters[] = {LLVMInt32TypeInContext(g->context), LLVMPointerTypeInContext(g->context, 0)};
    g->unverified = add_global(g, "clew.unverified", false);
    if (g->options->guide == FRONT_GUIDE_CHECK) {
        g->check_verdict = LLVMAddFunction(g->module, FRONT_CHECK_VERDICT, LLVMFunctionType(nothing, parameters, 2, false));
        return;
    }
    g->go_on_if = LLVMAddFunction(g->module, FRONT_GO_ON_IF, LLVMFunctionType(nothing, parameters, 1, false));
    g->outermost = add_global(g, "clew.outermost", !has_harness);
    g->within = add_global(g, "clew.within", !has_harness);
}

void guide__build_names(Guide *g)
{
    for (uint32_t i = 0; i < g->names.len; i++) g->variables[i] = add_global(g, g->names.data[i], true);
}
