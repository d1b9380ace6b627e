/* Guidance by verification results, in the code that is searched (docs/verified.md; the paper's figure 2).
 *
 * Sources say by the macros of clew.h what a verifier has assumed (`clew__assumed`) and which assertions it has verified under which assumptions
 * (`clew__assert_verified`); for sources that are left as they are, results from a file say the same (guide_checks.c).  The code gets a variable for each name, which is true until something that was assumed under the name does not hold; one more
 * variable that tells whether an assertion was met while its supposition was false; and calls of `clew__go_on_if`, which end an execution that is verified
 * to its end.  What is tested natively is the source as it is: nothing of this is in it.
 *
 * Where functions are tested one by one, names belong to one activation of a function, and only the activation that the test itself has called ends
 * executions: what follows in its callers is not known to the others, nor to the functions that make what the test passes.  A function that is no unit of its own is part of the unit that calls it, so a call
 * of one with assertions that may be unverified counts as unverified.  In a whole program names belong to the program, and conditions are inferred through
 * all its functions at once; where a function returns, it may return to each of its callers.
 *
 * A function without annotations, and calls of functions that have none, are left as they are. */
#include "front/guide_int.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- names ---- */

static uint32_t name_of(void *data, const char *name)
{
    Guide *g = data;
    if (results_doubt(g->results, name)) return NAME_FALSE;
    for (uint32_t i = 0; i < g->names.len; i++)
        if (strcmp(g->names.data[i], name) == 0) return i;
    return NAME_UNKNOWN;
}

/* A table of another tool names what it has not proved in any function: where nothing is assumed under such a name, nothing may rest on it. */
static uint32_t name_or_false(void *data, const char *name)
{
    uint32_t number = name_of(data, name);
    return number == NAME_UNKNOWN ? NAME_FALSE : number;
}

static void add_name(Guide *g, const char *name)
{
    g->has_context |= strcmp(name, FRAMA_C_CONTEXT) == 0;
    if (name_of(g, name) != NAME_UNKNOWN) return;
    g->is_full |= g->names.len == VERIFIED_MOST_NAMES;
    if (g->names.len < VERIFIED_MOST_NAMES) vec_push(&g->names, mem_strdup(name));
}

static void forget_names(Guide *g)
{
    for (uint32_t i = 0; i < g->names.len; i++) free(g->names.data[i]);
    vec_clear(&g->names);
}

char *guide__text(LLVMValueRef call, unsigned argument)
{
    LLVMValueRef value = LLVMGetOperand(call, argument), text = LLVMIsAGlobalVariable(value) ? LLVMGetInitializer(value) : NULL;
    size_t n;
    if (!text || !LLVMIsAConstantDataArray(text) || !LLVMIsConstantString(text)) return NULL;
    const char *bytes = LLVMGetAsString(text, &n);
    return strndup(bytes, n);
}

void guide__shorten(const char **file, unsigned *length)
{
    for (; *length > 2 && strncmp(*file, "./", 2) == 0; *length -= 2) *file += 2;
}

static void warn(LLVMValueRef instr, const char *text)
{
    unsigned n = 0;
    const char *file = LLVMGetDebugLocFilename(instr, &n);
    if (file) guide__shorten(&file, &n);
    fprintf(stderr, "clew: %.*s:%u: %s\n", (int)n, file ? file : "", LLVMGetDebugLocLine(instr), text);
}

/* What cannot be read verifies nothing. */
static Table read_supposition(Guide *g, const Event *event)
{
    Table formula = table_constant(false);
    Error error;
    LLVMValueRef call = event->instr;
    char *text = event->from ? mem_strdup(event->from->text) : guide__text(call, 1);
    if (!text) warn(call, "the formula of this assertion is no constant text: it counts as not verified");
    else if (formula_parse(text, event->from && event->from->is_converted ? name_or_false : name_of, g, &formula, &error) != OK) {
        StrBuf message = {0};
        strbuf_addf(&message, "%s%s: the assertion counts as not verified", error.text,
                    g->is_full ? " (only the first ten names are looked at)" : "");
        warn(call, message.text);
        strbuf_release(&message);
        formula = table_constant(false);
    }
    free(text);
    return formula;
}

/* ---- what functions do ---- */

bool guide__calls(LLVMValueRef instr, const char *name)
{
    if (!LLVMIsACallInst(instr)) return false;
    LLVMValueRef callee = LLVMGetCalledValue(instr);
    return LLVMIsAFunction(callee) && strcmp(front__value_name(callee), name) == 0;
}

static bool is_unit(const Guide *g, LLVMValueRef function)
{
    for (uint32_t i = 0; i < g->options->unit_count; i++)
        if (strcmp(g->options->units[i], front__value_name(function)) == 0) return true;
    return !g->is_whole && !g->options->unit_count && LLVMGetLinkage(function) == LLVMExternalLinkage;
}

static bool is_call(LLVMValueRef instr)
{
    return LLVMIsACallInst(instr) && !LLVMIsAIntrinsicInst(instr) && !LLVMIsAInlineAsm(LLVMGetCalledValue(instr));
}

/* An ordinary assertion: a branch to a block that only fails. */
bool guide__fails(LLVMBasicBlockRef block)
{
    static const char *const names[] = {"__assert_fail", "__assert", "__assert_rtn", "reach_error", "__VERIFIER_error"};
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        for (size_t k = 0; k < COUNT_OF(names); k++)
            if (guide__calls(i, names[k])) return true;
    return false;
}

static bool may_fail(LLVMValueRef terminator)
{
    for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++)
        if (guide__fails(LLVMGetSuccessor(terminator, i))) return true;
    return false;
}

static LLVMValueRef first_instruction(LLVMBasicBlockRef block)
{
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(i) || LLVMIsAAllocaInst(i)) i = LLVMGetNextInstruction(i);
    return i;
}

static bool is_assertion(LLVMValueRef instr)
{
    return guide__calls(instr, ASSERTED) || guide__calls(instr, "clew_assert") || (LLVMIsATerminatorInst(instr) && may_fail(instr));
}

static void find_event(Guide *g, GuidedFunction *f, GuidedBlock *block, LLVMValueRef i)
{
    Event event = {.instr = i, .kind = POINT_PLAIN, .supposition = table_constant(false)};
    if (guide__calls(i, ASSUMED)) event.kind = POINT_UPDATE;
    else if (is_assertion(i)) event.kind = POINT_ASSERT;
    else if (!is_call(i)) return;
    if (event.kind == POINT_ASSERT) event.from = guide__verdict_on(g, i);
    f->is_annotated |= guide__calls(i, ASSUMED) || guide__calls(i, ASSERTED) || event.from;
    LLVMValueRef callee = event.kind == POINT_PLAIN ? LLVMGetCalledValue(i) : NULL;
    event.callee = callee && LLVMIsAFunction(callee) ? callee : NULL;
    vec_push(&block->events, event);
}

static void find_events(Guide *g, GuidedFunction *f)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->function); b; b = LLVMGetNextBasicBlock(b)) {
        GuidedBlock block = {.block = b, .start = first_instruction(b)};
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (g->results) guide__find_results(g, f, &block, i, false);
            find_event(g, f, &block, i);
            if (g->results) guide__find_results(g, f, &block, i, true);
        }
        map_put(&f->block_numbers, (uintptr_t)b, f->blocks.len);
        vec_push(&f->blocks, block);
    }
    f->is_unit = is_unit(g, f->function);
}

static void find_macros(Guide *g)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(g->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) guide__find_macros(g, i);
}

static void find_functions(Guide *g)
{
    if (g->results) find_macros(g);
    for (LLVMValueRef f = LLVMGetFirstFunction(g->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f)) continue;
        GuidedFunction guided = {.function = f};
        find_events(g, &guided);
        vec_push(&g->functions, guided);
        map_put(&g->function_numbers, (uintptr_t)f, g->functions.len);
    }
}

GuidedFunction *guide__function(Guide *g, LLVMValueRef function)
{
    const uint64_t *number = function ? map_find(&g->function_numbers, (uintptr_t)function) : NULL;
    return number ? &g->functions.data[*number - 1] : NULL;
}

/* ---- names and suppositions of events ---- */

static char *assumed_name(const Event *event)
{
    return event->from ? mem_strdup(event->from->text) : guide__text(event->instr, 1);
}

static void read_names(Guide *g, GuidedFunction *f)
{
    for (uint32_t b = 0; b < f->blocks.len; b++)
        for (uint32_t i = 0; i < f->blocks.data[b].events.len; i++) {
            Event *event = &f->blocks.data[b].events.data[i];
            char *text = event->kind == POINT_UPDATE ? assumed_name(event) : NULL;
            if (text) add_name(g, text);
            free(text);
        }
}

/* An assumption under a name that there is no room for concerns no formula. */
static void read_formulas(Guide *g, GuidedFunction *f)
{
    for (uint32_t b = 0; b < f->blocks.len; b++)
        for (uint32_t i = 0; i < f->blocks.data[b].events.len; i++) {
            Event *event = &f->blocks.data[b].events.data[i];
            if (event->kind == POINT_UPDATE) {
                char *text = assumed_name(event);
                event->name = text ? name_of(g, text) : NAME_UNKNOWN;
                if (event->name >= VERIFIED_MOST_NAMES) event->kind = POINT_PLAIN;
                free(text);
            } else if (event->from || guide__calls(event->instr, ASSERTED)) {
                event->supposition = read_supposition(g, event);
            }
        }
}

/* ---- functions that are no units ---- */

/* Does it meet assertions that may be unverified, or, in a whole program, change names? */
static bool has_unverified(const Guide *g, const GuidedFunction *f)
{
    if (f->is_doubted) return true;
    for (uint32_t b = 0; b < f->blocks.len; b++)
        for (uint32_t i = 0; i < f->blocks.data[b].events.len; i++) {
            const Event *event = &f->blocks.data[b].events.data[i];
            if (event->kind == POINT_ASSERT && !table_is(event->supposition, true)) return true;
            if (event->kind == POINT_UPDATE && g->is_whole) return true;
        }
    return false;
}

/* A computed call, or one of a function that is not here: it may call any function whose address is taken. */
static bool calls_unknown(const Event *event)
{
    return !event->callee || LLVMIsDeclaration(event->callee);
}

/* May an assertion that belongs to the calling unit be met unverified in the call? */
static bool call_may_be_unverified(Guide *g, const Event *event)
{
    if (event->from) return false; /* no call, but an assumption that is not looked at */
    if (calls_unknown(event)) return g->calls_back;
    const GuidedFunction *callee = guide__function(g, event->callee);
    return callee && !callee->is_unit && callee->may_be_unverified;
}

static bool is_address_taken(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function) return true;
    }
    return false;
}

static bool spread_unverified(Guide *g, GuidedFunction *f)
{
    bool found = has_unverified(g, f);
    for (uint32_t b = 0; b < f->blocks.len && !found; b++)
        for (uint32_t i = 0; i < f->blocks.data[b].events.len && !found; i++) {
            const Event *event = &f->blocks.data[b].events.data[i];
            found = event->kind == POINT_PLAIN && call_may_be_unverified(g, event);
        }
    if (!found || f->may_be_unverified) return false;
    f->may_be_unverified = true;
    g->calls_back |= !f->is_unit && is_address_taken(f->function);
    return true;
}

static void find_unverified(Guide *g)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < g->functions.len; i++) changed |= spread_unverified(g, &g->functions.data[i]);
    }
}

/* ---- the graph ---- */

static uint32_t add_point(Guide *g, PointKind kind, uint32_t name, Table supposition, uint32_t before)
{
    uint32_t point = inference_add(g->inference, kind, name, supposition);
    if (before != UINT32_MAX) inference_edge(g->inference, before, point);
    return point;
}

static uint32_t add_plain(Guide *g, uint32_t before)
{
    return add_point(g, POINT_PLAIN, 0, table_constant(false), before);
}

/* Code of which nothing is known: it meets no assertion, one that is verified, or one that is not, and what is assumed in it may not hold. */
static void add_unknown(Guide *g, uint32_t from, uint32_t to)
{
    uint32_t held = add_point(g, POINT_ASSERT, 0, table_constant(true), from);
    uint32_t failed = add_point(g, POINT_ASSERT, 0, table_constant(false), from);
    inference_edge(g->inference, held, to);
    inference_edge(g->inference, failed, to);
    for (uint32_t i = 0; i < g->names.len && g->is_whole; i++) from = add_point(g, POINT_UPDATE, i, table_constant(false), from);
    inference_edge(g->inference, from, to);
}

static bool ends_if_failed(ImplicitCheck check)
{
    return check == IMPLICIT_NULL || check == IMPLICIT_BOUNDS || check == IMPLICIT_DIVISION;
}

static ImplicitCheck check_of(const Event *event)
{
    return event->from ? event->from->check : IMPLICIT_NONE;
}

/* Does the machine report it if what is assumed does not hold? */
static bool is_reported(const Guide *g, const Event *event)
{
    ImplicitCheck check = check_of(event);
    return check == IMPLICIT_SHIFT || ends_if_failed(check) || (check == IMPLICIT_OVERFLOW && !g->wraps);
}

static void look_at_updates(Guide *g, const GuidedFunction *f)
{
    for (uint32_t b = 0; b < f->blocks.len; b++)
        for (uint32_t i = 0; i < f->blocks.data[b].events.len; i++) {
            const Event *event = &f->blocks.data[b].events.data[i];
            if (event->kind != POINT_UPDATE) continue;
            if (!ends_if_failed(check_of(event))) g->ending &= ~(1u << event->name);
            if (!is_reported(g, event)) g->reported &= ~(1u << event->name);
        }
}

/* Is it a verdict on a check that rests on nothing but that this check is passed? */
static bool rests_on_itself(const Guide *g, const GuidedBlock *block, const Event *event)
{
    if (event->kind != POINT_ASSERT || !check_of(event)) return false;
    for (uint32_t i = 0; i < block->events.len; i++) {
        const Event *other = &block->events.data[i];
        bool is_assumed = other->kind == POINT_UPDATE && other->instr == event->instr && check_of(other) == check_of(event);
        if (is_assumed && g->reported >> other->name & 1 && table_equal(table_name(other->name), event->supposition)) return true;
    }
    return false;
}

static uint32_t add_event(Guide *g, const GuidedBlock *block, Event *event, uint32_t before)
{
    event->rests_on_itself = rests_on_itself(g, block, event);
    event->point = add_point(g, event->rests_on_itself ? POINT_CHECK : event->kind, event->name, event->supposition, before);
    if (event->kind != POINT_PLAIN || event->from) return event->point;
    const GuidedFunction *callee = guide__function(g, event->callee);
    bool follows = g->is_whole && callee && callee->blocks.len; /* the edges through its code are added when all points are there */
    event->after = follows ? inference_add(g->inference, POINT_PLAIN, 0, table_constant(false)) : add_plain(g, event->point);
    if (!follows && call_may_be_unverified(g, event)) add_unknown(g, event->point, event->after);
    return event->after;
}

static void start_inference(Guide *g, const GuidedFunction *functions, uint32_t count)
{
    g->ending = g->reported = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) look_at_updates(g, &functions[i]);
    g->inference = inference_new();
    for (uint32_t name = 0; name < g->names.len; name++)
        if (g->ending >> name & 1) inference_passed(g->inference, name);
}

static void add_points(Guide *g, GuidedFunction *f)
{
    for (uint32_t b = 0; b < f->blocks.len; b++) {
        GuidedBlock *block = &f->blocks.data[b];
        uint32_t at = block->first = add_plain(g, UINT32_MAX);
        for (uint32_t i = 0; i < block->events.len; i++) at = add_event(g, block, &block->events.data[i], at);
        block->last = add_plain(g, at);
    }
}

/* In a whole program, a function that returns goes on where it was called (add_returns). */
static bool ends_program(const Guide *g, const GuidedFunction *f, LLVMValueRef terminator)
{
    return !g->is_whole || !terminator || !LLVMIsAReturnInst(terminator) || strcmp(front__value_name(f->function), "main") == 0;
}

static void add_edges(Guide *g, GuidedFunction *f)
{
    for (uint32_t b = 0; b < f->blocks.len; b++) {
        GuidedBlock *block = &f->blocks.data[b];
        LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block->block);
        unsigned count = terminator ? LLVMGetNumSuccessors(terminator) : 0;
        for (unsigned i = 0; i < count; i++) {
            const uint64_t *to = map_find(&f->block_numbers, (uintptr_t)LLVMGetSuccessor(terminator, i));
            inference_edge(g->inference, block->last, f->blocks.data[*to].first);
        }
        if (count) continue;
        if (ends_program(g, f, terminator)) inference_end(g->inference, block->last);
        else if (is_address_taken(f->function)) inference_edge(g->inference, block->last, g->anywhere);
    }
}

static void add_returns(Guide *g, const GuidedFunction *callee, uint32_t to)
{
    for (uint32_t b = 0; b < callee->blocks.len; b++) {
        LLVMValueRef terminator = LLVMGetBasicBlockTerminator(callee->blocks.data[b].block);
        if (terminator && LLVMIsAReturnInst(terminator)) inference_edge(g->inference, callee->blocks.data[b].last, to);
    }
}

static void add_call_edges(Guide *g, GuidedFunction *f)
{
    for (uint32_t b = 0; b < f->blocks.len; b++)
        for (uint32_t i = 0; i < f->blocks.data[b].events.len; i++) {
            const Event *event = &f->blocks.data[b].events.data[i];
            const GuidedFunction *callee = event->kind == POINT_PLAIN ? guide__function(g, event->callee) : NULL;
            if (!callee || !callee->blocks.len) continue;
            inference_edge(g->inference, event->point, callee->blocks.data[0].first);
            add_returns(g, callee, event->after);
        }
}

/* ---- */

/* A unit, or a function that is part of one. */
static void guide_function(Guide *g, GuidedFunction *f)
{
    forget_names(g);
    read_names(g, f);
    start_inference(g, f, 1);
    add_points(g, f);
    add_edges(g, f);
    inference_start(g->inference, f->blocks.data[0].first);
    inference_solve(g->inference);
    guide__build_start(g, f);
    guide__keep_olds(g, f);
    for (uint32_t b = 0; b < f->blocks.len; b++) guide__build_block(g, f, &f->blocks.data[b], f->is_unit);
    inference_free(g->inference);
}

/* Nothing is inferred, and verdicts are compared with what happens. */
static void check_verdicts(Guide *g)
{
    for (uint32_t i = 0; i < g->functions.len && g->is_whole; i++) read_names(g, &g->functions.data[i]);
    if (g->is_whole) guide__build_names(g);
    for (uint32_t i = 0; i < g->functions.len; i++) {
        GuidedFunction *f = &g->functions.data[i];
        if (!f->is_annotated) continue;
        if (!g->is_whole) {
            forget_names(g);
            g->is_full = false;
            read_names(g, f);
        }
        read_formulas(g, f);
        if (!g->is_whole) guide__build_start(g, f);
        guide__keep_olds(g, f);
        for (uint32_t b = 0; b < f->blocks.len; b++) guide__build_checks(g, &f->blocks.data[b]);
    }
}

static void guide_units(Guide *g)
{
    for (uint32_t i = 0; i < g->functions.len; i++) {
        forget_names(g);
        g->is_full = false;
        read_names(g, &g->functions.data[i]);
        read_formulas(g, &g->functions.data[i]);
    }
    find_unverified(g);
    for (uint32_t i = 0; i < g->functions.len; i++)
        if (g->functions.data[i].is_annotated) guide_function(g, &g->functions.data[i]);
    guide__build_entries(g);
}

static void guide_program(Guide *g)
{
    for (uint32_t i = 0; i < g->functions.len; i++) read_names(g, &g->functions.data[i]);
    for (uint32_t i = 0; i < g->functions.len; i++) read_formulas(g, &g->functions.data[i]);
    find_unverified(g);
    guide__build_names(g);
    start_inference(g, g->functions.data, g->functions.len);
    g->anywhere = add_plain(g, UINT32_MAX);
    uint32_t end = add_plain(g, UINT32_MAX);
    inference_end(g->inference, end);
    add_unknown(g, g->anywhere, end);
    for (uint32_t i = 0; i < g->functions.len; i++) add_points(g, &g->functions.data[i]);
    for (uint32_t i = 0; i < g->functions.len; i++) add_edges(g, &g->functions.data[i]);
    for (uint32_t i = 0; i < g->functions.len; i++) add_call_edges(g, &g->functions.data[i]);
    const GuidedFunction *entry = guide__function(g, LLVMGetNamedFunction(g->module, "main"));
    if (entry) inference_start(g->inference, entry->blocks.data[0].first);
    inference_solve(g->inference);
    for (uint32_t i = 0; i < g->functions.len; i++) {
        const GuidedFunction *f = &g->functions.data[i];
        guide__keep_olds(g, f);
        for (uint32_t b = 0; b < f->blocks.len; b++) guide__build_block(g, f, &f->blocks.data[b], true);
    }
    inference_free(g->inference);
}

static void release(Guide *g)
{
    for (uint32_t i = 0; i < g->functions.len; i++) {
        GuidedFunction *f = &g->functions.data[i];
        for (uint32_t b = 0; b < f->blocks.len; b++) vec_release(&f->blocks.data[b].events);
        vec_release(&f->blocks);
        map_release(&f->block_numbers);
    }
    forget_names(g);
    vec_release(&g->names);
    vec_release(&g->functions);
    map_release(&g->function_numbers);
    map_release(&g->source_numbers);
    map_release(&g->olds);
    map_release(&g->said);
    LLVMDisposeBuilder(g->builder);
}

void front__guide(const FrontOptions *options, const Sources *sources, LLVMContextRef context, LLVMModuleRef module)
{
    bool has_annotations = LLVMGetNamedFunction(module, ASSUMED) || LLVMGetNamedFunction(module, ASSERTED) || options->results;
    if (options->guide == FRONT_GUIDE_NONE || !has_annotations) return;
    Guide g = {.options = options,
               .sources = sources,
               .results = options->results,
               .context = context,
               .module = module,
               .builder = LLVMCreateBuilderInContext(context)};
    guide__hide_conditions(&g);
    LLVMValueRef main_function = LLVMGetNamedFunction(module, "main");
    g.wraps = options->results && guide__wraps(module);
    g.is_whole = !options->unit_count && main_function && !LLVMIsDeclaration(main_function);
    find_functions(&g);
    guide__refuse_unfound(&g);
    for (uint32_t i = 0; i < g.functions.len; i++) g.functions.data[i].is_doubted = guide__is_doubted(&g, g.functions.data[i].function);
    guide__declare(&g);
    if (options->guide == FRONT_GUIDE_CHECK) check_verdicts(&g);
    else if (g.is_whole) guide_program(&g);
    else guide_units(&g);
    if (!g.has_context) results_lack_context(g.results);
    release(&g);
}
