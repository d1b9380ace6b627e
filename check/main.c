/* The judgement.  Every edge of the program into a node is derived and asked about; nodes that are not closed backwards are dropped until all that are left
 * are; then each branch is judged by the nodes that are left.
 *
 * A node speaks of all call stacks that begin, at their innermost end, with its list of calls.  A question is asked about such a list, too, and may use every
 * node whose list is a beginning of it.  Where that is not enough and there are nodes with longer lists, the list is divided into all lists that are longer by
 * one call. */
#include "check.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CALLS = 64, MOST_BYTES = 256 << 20 /* of a certificate */ };
/* What questions cost, in units of about a millisecond of cvc5's processor time. */
enum {
    COST_OF_QUESTION = 2,
    BYTES_A_UNIT = 1000,
    COST_OF_SECOND = 1000,
    QUESTIONS_OF_BUDGET = 10 /* that may be without an answer; guess */
};
#define USAGE "usage: clew-check [--solver cvc5|z3] [--effort N] [--budget N] [--list-dropped] CERTIFICATE"
#define OUTSIDE SIZE_MAX /* in place of a call: the stack ends here */

typedef struct Calls { /* the innermost calls of a stack, innermost first: numbers of places; OUTSIDE only as the last one */
    size_t sites[MOST_CALLS + 2];
    unsigned count;
} Calls;
typedef struct Group { /* the nodes of one location with the same calls */
    const Fn *fn;
    size_t location, next; /* next: number + 1 of another group of the same location */
    Calls *calls;
    json_t **nodes;
    size_t *numbers; /* of the nodes in the certificate */
    size_t count;
} Group;
typedef enum StepKind { STEP_START, STEP_FLOW, STEP_EXIT, STEP_CALL, STEP_RETURN, STEP_OUTSIDE, STEP_BRANCH } StepKind;
typedef struct Step { /* an edge of the program, for any stack; or the way to a branch that is judged */
    StepKind kind;
    const Fn *fn, *callee;       /* callee: of CALL and RETURN */
    unsigned block, from, to;    /* instructions from `from` up to `to` are executed */
    unsigned outcome, successor; /* FLOW: which, and its block; START: 1 if globals have their initial values */
    size_t source, target, next,
        site; /* locations; next: number + 1 of another step with this target; site: number of the instruction `to` */
} Step;
typedef struct Edge { /* a step into a group of nodes */
    size_t step, group;
    bool done;
} Edge;

static Program program;
static Query query;
static Frame frames[MOST_CALLS +
                    4]; /* the function that is called, the function whose instructions are executed, its caller, the caller's caller, … */
static Group *groups;
static Step *steps;
static Edge *edges;
static size_t group_count, step_count, edge_count, dropped, asked;
static uint64_t spent, budget = 200000 /* units.  A guess. */;
static size_t *first_group, *first_step; /* by location: number + 1 */

/* ---- lists of calls ---- */

/* Whether every stack that begins with `longer` begins with `shorter`. */
static bool begins(const Calls *longer, const Calls *shorter)
{
    return shorter->count <= longer->count && memcmp(shorter->sites, longer->sites, shorter->count * sizeof *shorter->sites) == 0;
}

/* The number of calls whose callers' frames can be named. */
static unsigned places_in(const Calls *calls)
{
    return calls->count && calls->sites[calls->count - 1] == OUTSIDE ? calls->count - 1 : calls->count;
}

/* A call with such a stack.  What does not fit any more is left out at the far end, which only makes the list speak of more stacks. */
static Calls pushed(size_t site, const Calls *calls)
{
    Calls result = {.sites = {site}, .count = calls->count + 1};
    if (result.count > MOST_CALLS + 1) result.count = MOST_CALLS + 1;
    memcpy(result.sites + 1, calls->sites, (result.count - 1) * sizeof *result.sites);
    return result;
}

static Calls popped(const Calls *calls)
{
    Calls result = {.count = calls->count - 1};
    memcpy(result.sites, calls->sites + 1, result.count * sizeof *result.sites);
    return result;
}

/* ---- the certificate ---- */

static json_t *field(json_t *object, const char *name)
{
    json_t *value = json_object_get(object, name);
    if (!value) reject("the certificate lacks '%s'", name);
    return value;
}

static const Fn *fn_named(json_t *name)
{
    size_t fn = json_is_string(name) ? program_fn(&program, json_string_value(name)) : 0;
    if (!fn) reject("the certificate names a function that the bitcode does not define");
    return &program.fns[fn - 1];
}

static size_t place_at(json_t *json) /* [function, block, instruction]: its number */
{
    const Fn *fn = fn_named(json_array_get(json, 0));
    json_t *block = json_array_get(json, 1), *instr = json_array_get(json, 2);
    json_int_t b = json_is_integer(block) ? json_integer_value(block) : -1, i = json_is_integer(instr) ? json_integer_value(instr) : -1;
    if (b < 0 || b >= fn->block_count || i < 0 || i >= fn->blocks[b].count)
        reject("the certificate names an instruction that %s does not have", fn->name);
    return table_get(&program.place_numbers, fn->blocks[b].instrs[i]) - 1;
}

static LLVMValueRef instr_of(size_t place)
{
    const Place *p = &program.places[place];
    return program.fns[p->fn].blocks[p->block].instrs[p->instr];
}

static Calls calls_at(json_t *json)
{
    Calls calls = {.count = (unsigned)json_array_size(json)};
    if (!json_is_array(json) || json_array_size(json) > MOST_CALLS) reject("'calls' is no list of at most %d calls", MOST_CALLS);
    for (unsigned i = 0; i < calls.count; i++) {
        json_t *call = json_array_get(json, i);
        bool outside = json_is_string(call) && strcmp(json_string_value(call), "outside") == 0;
        if (outside && i + 1 < calls.count) reject("the certificate has \"outside\" before the end of a list of calls");
        calls.sites[i] = outside ? OUTSIDE : place_at(call);
        if (!outside && !is_cut(instr_of(calls.sites[i])))
            reject("the certificate has an instruction in a list of calls that calls no function of the program");
    }
    return calls;
}

/* The location where a block begins (after its phis) or where the instructions after a cut begin that include this one. */
static size_t location_before(size_t number)
{
    const Place *place = &program.places[number];
    const Block *block = &program.fns[place->fn].blocks[place->block];
    unsigned first = place->instr;
    while (first > 0 && !is_cut(block->instrs[first - 1])) first--;
    return block->place + first;
}

/* [function, block, instruction]: the start of a block or what follows a cut; [function, "exit"]. */
static size_t location_at(json_t *json, const Fn *fn)
{
    json_t *second = json_array_get(json, 1);
    if (json_is_string(second) && strcmp(json_string_value(second), "exit") == 0) return fn->exit;
    size_t place = place_at(json), location = location_before(place);
    if (location != place && program.places[place].instr > fn->blocks[program.places[place].block].first)
        reject("the certificate has a node where there is no location");
    return location;
}

static bool same_type(LLVMValueRef call, const Fn *callee)
{
    return LLVMGetCalledFunctionType(call) == LLVMGlobalGetValueType(callee->ref);
}

static void pass_arguments(Frame *caller, Frame *callee, LLVMValueRef call)
{
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
    for (unsigned i = 0; same_type(call, callee->fn) && i < LLVMCountParams(callee->fn->ref); i++) {
        Term term = value_of(&query, caller, LLVMGetOperand(call, i));
        if (term.width && !LLVMGetEnumAttributeAtIndex(callee->fn->ref, i + 1, byval))
            frame_set(callee, LLVMGetParam(callee->fn->ref, i), term);
    }
}

/* The running function is frames[1], its callers follow.  While a call lasts, neither the registers of the caller nor the parameters change, so that these
 * are what was passed. */
static Frame *start_frames(const Fn *fn, const Calls *calls)
{
    query_start(&query);
    frame_start(&frames[1], fn, 2);
    for (unsigned i = 0; i < places_in(calls); i++) frame_start(&frames[i + 2], &program.fns[program.places[calls->sites[i]].fn], i + 3);
    for (unsigned i = places_in(calls); i > 0; i--) pass_arguments(&frames[i + 1], &frames[i], instr_of(calls->sites[i - 1]));
    return &frames[1];
}

static void arrive_at_exit(Frame *frame, Term result)
{
    frame->at_exit = true;
    frame->result = result;
}

static Term any_result(const Fn *fn)
{
    return fresh(&query, type_width(&program, LLVMGetReturnType(LLVMGlobalGetValueType(fn->ref))));
}

static Group *group_at(const Fn *fn, size_t location, const Calls *calls)
{
    for (size_t g = first_group[location]; g; g = groups[g - 1].next)
        if (groups[g - 1].calls->count == calls->count && begins(calls, groups[g - 1].calls)) return &groups[g - 1];
    groups = grow(groups, group_count, sizeof *groups);
    groups[group_count] = (Group){.fn = fn, .location = location, .next = first_group[location], .calls = get(sizeof *calls)};
    *groups[group_count].calls = *calls;
    first_group[location] = ++group_count;
    return &groups[group_count - 1];
}

static void read_nodes(json_t *nodes)
{
    size_t i;
    json_t *json;
    if (!json_is_array(nodes)) reject("'nodes' is no list");
    json_array_foreach(nodes, i, json)
    {
        json_t *at = field(json, "at"), *states = field(json, "states");
        const Fn *fn = fn_named(json_array_get(at, 0));
        Calls calls = calls_at(field(json, "calls"));
        size_t location = location_at(at, fn);
        Frame *frame = start_frames(fn, &calls);
        if (location == fn->exit) arrive_at_exit(frame, any_result(fn));
        predicate(&query, frame, states, places_in(&calls)); /* only to see that it is one */
        Group *group = group_at(fn, location, &calls);
        group->nodes = grow(group->nodes, group->count, sizeof *group->nodes);
        group->numbers = grow(group->numbers, group->count, sizeof *group->numbers);
        group->numbers[group->count] = i;
        group->nodes[group->count++] = states;
    }
}

static void read_program(json_t *json, const char *directory)
{
    const char *file = json_string_value(field(json, "file")), *hash = json_string_value(field(json, "fnv1a"));
    uint64_t sum = 14695981039346656037u;
    char path[4096], text[32];
    if (!file || strchr(file, '/') || !hash) reject("'program' does not name the bitcode");
    if (snprintf(path, sizeof path, "%s/%s", directory, file) >= (int)sizeof path) reject("the path of the bitcode is too long");
    FILE *in = fopen(path, "rb");
    if (!in) reject("cannot read %s, the bitcode that the certificate is about", path);
    for (int c; (c = getc(in)) != EOF;) sum = (sum ^ (unsigned char)c) * 1099511628211u;
    fclose(in);
    snprintf(text, sizeof text, "%016llx", (unsigned long long)sum);
    if (strcmp(text, hash) != 0) reject("the certificate is about another program than %s", path);
    program_read(&program, path);
}

static json_t *read_certificate(const char *path)
{
    json_error_t error;
    char directory[4096];
    const char *units[4096];
    FILE *in = fopen(path, "rb");
    if (!in || fseek(in, 0, SEEK_END) != 0) reject("cannot read %s", path);
    if (ftell(in) > MOST_BYTES) reject("%s is larger than %d MiB", path, MOST_BYTES >> 20);
    rewind(in);
    json_t *json = json_loadf(in, JSON_REJECT_DUPLICATES, &error), *name, *at;
    fclose(in);
    if (!json) reject("%s:%d: %s", path, error.line, error.text);
    if (json_integer_value(field(json, "version")) != 2) reject("%s has a version that is not known here", path);
    const char *slash = strrchr(path, '/');
    snprintf(directory, sizeof directory, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    read_program(field(json, "program"), directory);
    size_t i, count = json_array_size(field(json, "units"));
    if (count > sizeof units / sizeof *units) reject("more than %zu units", sizeof units / sizeof *units);
    json_array_foreach(field(json, "units"), i, name) units[i] = json_is_string(name) ? json_string_value(name) : "";
    const char *entry = json_string_value(field(json, "entry"));
    if (!entry == !count) reject("a certificate is about one entry or about units");
    program_open(&program, entry, units, count);
    uint8_t *relies = get(program.place_count);
    json_array_foreach(field(json, "relies"), i, at) relies[place_at(at)] = 1;
    query.program = &program;
    query.relies = relies;
    query.shared_list = json_object_get(json, "shared");
    if (query.shared_list && !json_is_array(query.shared_list)) reject("'shared' is no list");
    query.shared = get(json_array_size(query.shared_list) * sizeof *query.shared);
    first_group = get(program.location_count * sizeof *first_group);
    first_step = get(program.location_count * sizeof *first_step);
    read_nodes(field(json, "nodes"));
    return json;
}

/* ---- steps ---- */

static void add_step(Step step)
{
    steps = grow(steps, step_count, sizeof *steps);
    step.next = first_step[step.target];
    steps[step_count] = step;
    first_step[step.target] = ++step_count;
}

/* To one function that the call may lead to, and back. */
static void add_call(Step step, Fn *callee)
{
    callee->callers = grow(callee->callers, callee->caller_count, sizeof *callee->callers);
    callee->callers[callee->caller_count++] = step.site;
    step.callee = callee;
    step.kind = STEP_CALL;
    step.target = callee->entry;
    add_step(step);
    step.kind = STEP_RETURN;
    step.target = step.site + 1;
    add_step(step);
}

static void add_cut(Step step, LLVMValueRef call)
{
    step.site = step.fn->blocks[step.block].place + step.to;
    if (call_kind(call) == CALL_PROGRAM) {
        add_call(step, &program.fns[table_get(&program.fn_numbers, LLVMGetCalledValue(call)) - 1]);
        return;
    }
    for (size_t i = 0; i < program.fn_count; i++)
        if (program.fns[i].taken) add_call(step, &program.fns[i]);
    step.kind = STEP_OUTSIDE;
    step.target = step.site + 1;
    if (program.outside) add_step(step);
}

static void add_block(const Fn *fn, unsigned number)
{
    const Block *block = &fn->blocks[number];
    Step step = {.fn = fn, .block = number, .from = block->first, .source = block->place};
    for (step.to = block->first; step.to + 1 < block->count; step.to++) {
        if (!is_cut(block->instrs[step.to])) continue;
        add_cut(step, block->instrs[step.to]);
        step.from = step.to + 1;
        step.source = block->place + step.from;
    }
    LLVMValueRef last = block->instrs[step.to];
    step.kind = LLVMIsAReturnInst(last) ? STEP_EXIT : STEP_FLOW;
    step.target = fn->exit;
    if (step.kind == STEP_EXIT) add_step(step);
    for (step.outcome = 0; step.outcome < LLVMGetNumSuccessors(last); step.outcome++) {
        unsigned successor = step.outcome; /* of a switch the default comes first in LLVM, last here */
        if (LLVMIsASwitchInst(last)) successor = step.outcome + 1 < LLVMGetNumSuccessors(last) ? step.outcome + 1 : 0;
        step.successor = (unsigned)table_get(&program.block_numbers, LLVMBasicBlockAsValue(LLVMGetSuccessor(last, successor))) - 1;
        step.target = fn->blocks[step.successor].place;
        add_step(step);
    }
}

static void find_steps(void)
{
    for (size_t i = 0; i < program.fn_count; i++) {
        const Fn *fn = &program.fns[i];
        if (fn->open) add_step((Step){.kind = STEP_START, .fn = fn, .target = fn->entry, .outcome = 0});
        if (fn->initial) add_step((Step){.kind = STEP_START, .fn = fn, .target = fn->entry, .outcome = 1});
        for (unsigned b = 0; b < fn->block_count; b++) add_block(fn, b);
    }
}

/* ---- what unknown code may change ---- */

/* Everything that an instruction changes, in any state. */
static void expose_writes(const Fn *fn, LLVMValueRef instr)
{
    query_start(&query);
    frame_start(&frames[1], fn, 2);
    step_over(&query, &frames[1], instr);
    for (size_t i = 0; i < query.layer_count; i++) {
        const Layer *layer = &query.layers[i];
        if (layer->kind == LAYER_WRITE || layer->kind == LAYER_OBJECT) program.objects[layer->object].exposed |= layer->tag == 0;
        for (size_t k = 0; layer->kind >= LAYER_GLOBALS && k < program.object_count; k++) program.objects[k].exposed = true;
    }
}

/* Unknown code may call the open functions, and they others.  Assembly of the module can do anything to its globals. */
static void find_exposed(void)
{
    bool *called = get(program.fn_count);
    for (size_t i = 0; program.assembly && i < program.object_count; i++) program.objects[i].exposed = true;
    for (size_t i = 0; i < program.fn_count; i++) called[i] = program.fns[i].open;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < step_count; i++) {
            bool *callee = steps[i].kind == STEP_CALL ? &called[steps[i].callee - program.fns] : NULL;
            if (!callee || *callee || !called[steps[i].fn - program.fns]) continue;
            *callee = changed = true;
        }
    }
    for (size_t i = 0; i < program.place_count; i++) {
        const Place *place = &program.places[i];
        const Block *block = &program.fns[place->fn].blocks[place->block];
        if (!called[place->fn] || place->instr < block->first || place->instr + 1 == block->count) continue;
        if (!is_cut(block->instrs[place->instr])) expose_writes(&program.fns[place->fn], block->instrs[place->instr]);
    }
    free(called);
}

/* ---- what is known about the start of a step ---- */

static bool has_everything(const Group *group)
{
    for (size_t i = 0; i < group->count; i++)
        if (json_is_true(group->nodes[i])) return true;
    return false;
}

/* DEAD: nobody is at the location with this stack, because a node says so, or says that nobody enters the function with it.  DIVIDED: more is known about some
 * of the stacks that begin so. */
typedef enum Known { KNOWN, DIVIDED, DEAD } Known;
static Known what_is_known(const Fn *fn, size_t location, const Calls *stack)
{
    const size_t places[] = {location, fn->entry};
    Known known = KNOWN;
    for (int i = 0; i < 2; i++)
        for (size_t g = first_group[places[i]]; g; g = groups[g - 1].next) {
            bool everything = has_everything(&groups[g - 1]), tells = i == 0 ? groups[g - 1].count > 0 : everything;
            if (everything && begins(stack, groups[g - 1].calls)) return DEAD;
            if (tells && begins(groups[g - 1].calls, stack) && groups[g - 1].calls->count > stack->count) known = DIVIDED;
        }
    return known;
}

/* The stack at the start of a step whose end has these calls. */
static Calls stack_before(const Step *step, const Calls *calls)
{
    return step->kind == STEP_CALL && calls->count ? popped(calls) : *calls;
}

static bool leads_to(const Step *step, const Calls *calls)
{
    if (step->kind == STEP_CALL) return !calls->count || calls->sites[0] == step->site;
    if (step->kind == STEP_START) return !calls->count || calls->sites[0] == OUTSIDE;
    return true;
}

/* ---- questions ---- */

/* When the budget is spent, nothing is shown any more, so that every check ends. */
static Answer put_question(void)
{
    if (spent >= budget) return ANSWER_UNKNOWN;
    asked++;
    Answer answer = solver_ask(&query);
    spent += COST_OF_QUESTION + (query.symbols.len + query.body.len) / BYTES_A_UNIT;
    if (answer == ANSWER_UNKNOWN || answer == ANSWER_NONE) spent += (uint64_t)COST_OF_SECOND * solver_seconds();
    return answer;
}

/* The nodes at a location that hold for this stack. */
static void assume(Frame *frame, size_t location, const Calls *stack)
{
    query.state++;
    for (size_t g = first_group[location]; g; g = groups[g - 1].next) {
        const Group *group = &groups[g - 1];
        if (!begins(stack, group->calls)) continue;
        for (size_t i = 0; i < group->count; i++) exclude(&query, predicate(&query, frame, group->nodes[i], places_in(group->calls)));
    }
}

static void take_phis(Frame *frame, const Block *from, const Block *to)
{
    Term *terms = get((to->first + 1) * sizeof *terms);
    for (unsigned i = 0; i < to->first; i++)
        for (unsigned k = 0; k < LLVMCountIncoming(to->instrs[i]); k++)
            if (LLVMGetIncomingBlock(to->instrs[i], k) == from->ref)
                terms[i] = value_of(&query, frame, LLVMGetIncomingValue(to->instrs[i], k));
    for (unsigned i = 0; i < to->first; i++)
        if (type_width(&program, LLVMTypeOf(to->instrs[i]))) frame_set(frame, to->instrs[i], terms[i]);
    free(terms);
}

static void set_result(Frame *frame, LLVMValueRef call, Term result)
{
    unsigned width = type_width(&program, LLVMTypeOf(call));
    if (width) frame_set(frame, call, result.width == width ? result : fresh(&query, width));
}

/* Executes the step; gives the frame of the function at its end. */
static Frame *take(const Step *step, const Calls *stack)
{
    Frame *frame = start_frames(step->fn, stack), *callee = &frames[0];
    query.initial = step->kind == STEP_START && step->outcome;
    if (step->kind == STEP_START) return frame;
    const Block *block = &step->fn->blocks[step->block];
    LLVMValueRef last = block->instrs[step->to];
    assume(frame, step->source, stack);
    for (unsigned i = step->from; i < step->to; i++) step_over(&query, frame, block->instrs[i]);
    if (step->callee) {
        frame_start(callee, step->callee, 1);
        pass_arguments(frame, callee, last);
        if (call_kind(last) == CALL_COMPUTED) { /* the pointer holds the address of what is called */
            Term called = value_of(&query, frame, LLVMGetCalledValue(last)), own = value_of(&query, frame, step->callee->ref);
            require(&query, term_format(BOOL, "(= %s %s)", called.text, own.text));
        }
    }
    if (step->kind == STEP_CALL) return callee;
    if (step->kind == STEP_FLOW || step->kind == STEP_BRANCH) require(&query, outcome_of(&query, frame, last, step->outcome));
    if (step->kind == STEP_FLOW) take_phis(frame, block, &step->fn->blocks[step->successor]);
    if (step->kind == STEP_EXIT)
        arrive_at_exit(frame, LLVMGetNumOperands(last) ? value_of(&query, frame, LLVMGetOperand(last, 0)) : (Term){0});
    if (step->kind == STEP_RETURN) {
        Calls inner = pushed(step->site, stack);
        layer_push(&query, (Layer){.kind = LAYER_GLOBALS});
        arrive_at_exit(callee, any_result(step->callee));
        assume(callee, step->callee->exit, &inner);
        set_result(frame, last, same_type(last, step->callee) ? callee->result : (Term){0});
    }
    if (step->kind == STEP_OUTSIDE) {
        layer_push(&query, (Layer){.kind = LAYER_EXPOSED});
        set_result(frame, last, (Term){0});
    }
    return frame;
}

/* Asks whether the step, with this stack at its start, can lead into the node (NULL: into any node of the group), or be taken at all (no group). */
static Answer ask(const Step *step, const Calls *stack, const Group *target, const json_t *only)
{
    if (spent >= budget) return ANSWER_UNKNOWN;
    Frame *frame = take(step, stack);
    if (!target) return put_question();
    Text reached = {0};
    bool any = false;
    query.state++;
    add(&reached, "(or false");
    for (size_t i = 0; i < target->count; i++) {
        if (only && only != target->nodes[i]) continue;
        Term into = predicate(&query, frame, target->nodes[i], places_in(target->calls));
        if (is_excluded(&query, into)) continue; /* the same states are excluded before the step, which does not change them */
        add(&reached, " %s", into.text);
        any = true;
    }
    require(&query, term_format(BOOL, "%s)", reached.data));
    free(reached.data);
    return any ? put_question() : ANSWER_UNSAT;
}

static bool settle(const Step *step, const Calls *stack, Group *target);

/* The same for each list of calls that is longer by one. */
static bool settle_divided(const Step *step, const Calls *stack, Group *target)
{
    const Fn *bottom = stack->count ? &program.fns[program.places[stack->sites[stack->count - 1]].fn] : step->fn;
    bool good = true, outside = bottom->open || bottom->initial;
    Calls longer = *stack;
    longer.count++;
    for (size_t i = 0; i < bottom->caller_count + outside && (good || target); i++) {
        longer.sites[stack->count] = i < bottom->caller_count ? bottom->callers[i] : OUTSIDE;
        good &= settle(step, &longer, target);
    }
    return good;
}

/* Drops every node of the group that the step can lead into with this stack at its start; without a group: can it be taken?  True if nothing was found. */
static bool settle(const Step *step, const Calls *stack, Group *target)
{
    Calls inner = pushed(step->site, stack);
    Known outside = step->kind == STEP_START ? KNOWN : what_is_known(step->fn, step->source, stack);
    Known inside = step->kind == STEP_RETURN ? what_is_known(step->callee, step->callee->exit, &inner) : KNOWN;
    if ((target && target->count == 0) || outside == DEAD || inside == DEAD) return true;
    if (ask(step, stack, target, NULL) == ANSWER_UNSAT) return true;
    if ((outside == DIVIDED || inside == DIVIDED) && spent < budget) return settle_divided(step, stack, target);
    if (!target) return false;
    size_t kept = 0, before = target->count;
    bool *good = get(before);
    for (size_t i = 0; i < before; i++) good[i] = before > 1 && ask(step, stack, target, target->nodes[i]) == ANSWER_UNSAT;
    for (size_t i = 0; i < before; i++)
        if (good[i]) {
            target->numbers[kept] = target->numbers[i];
            target->nodes[kept++] = target->nodes[i];
        }
    free(good);
    target->count = kept;
    dropped += before - kept;
    return kept == before;
}

/* ---- all edges ---- */

static void find_edges(void)
{
    for (size_t g = 0; g < group_count; g++)
        for (size_t s = first_step[groups[g].location]; s; s = steps[s - 1].next)
            if (leads_to(&steps[s - 1], groups[g].calls)) {
                edges = grow(edges, edge_count, sizeof *edges);
                edges[edge_count++] = (Edge){s - 1, g, false};
            }
}

/* Whether the proof of the edge may have used the nodes that the group has lost; `revived`: among them the one that says that nobody is there. */
static bool rests_on(const Edge *edge, const Group *group, bool revived)
{
    const Step *step = &steps[edge->step];
    size_t exit = step->kind == STEP_RETURN ? step->callee->exit : SIZE_MAX,
           entry = step->kind == STEP_RETURN ? step->callee->entry : SIZE_MAX;
    if (step->kind == STEP_START) return false;
    if (group->location == exit || (revived && group->location == entry)) return true;
    if (group->location != step->source && !(revived && group->location == step->fn->entry)) return false;
    Calls stack = stack_before(step, groups[edge->group].calls);
    return begins(&stack, group->calls) || begins(group->calls, &stack);
}

static void close_nodes(void)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < edge_count; i++) {
            Group *target = &groups[edges[i].group];
            if (edges[i].done) continue;
            edges[i].done = true;
            bool dead = has_everything(target);
            Calls stack = stack_before(&steps[edges[i].step], target->calls);
            if (settle(&steps[edges[i].step], &stack, target)) continue;
            changed = true;
            for (size_t k = 0; k < edge_count; k++)
                if (edges[k].done && rests_on(&edges[k], target, dead && !has_everything(target))) edges[k].done = false;
        }
    }
}

/* ---- branches ---- */

static bool is_infeasible(size_t number, unsigned outcome)
{
    const Place *place = &program.places[number];
    const Fn *fn = &program.fns[place->fn];
    const Block *block = &fn->blocks[place->block];
    Step step = {.kind = STEP_BRANCH, .fn = fn, .block = place->block, .to = place->instr, .outcome = outcome};
    Calls any = {.count = 0};
    step.source = location_before(number);
    step.from = step.source == block->place ? block->first : (unsigned)(step.source - block->place);
    return settle(&step, &any, NULL);
}

static bool judge(json_t *branch)
{
    size_t place = place_at(field(branch, "at"));
    LLVMValueRef instr = instr_of(place);
    json_int_t outcome = json_integer_value(field(branch, "outcome")), id = json_integer_value(field(branch, "id"));
    bool chooses = LLVMIsASelectInst(instr) || (LLVMIsABranchInst(instr) && LLVMIsConditional(instr)), switches = LLVMIsASwitchInst(instr);
    json_int_t outcomes = chooses ? 2 : switches ? LLVMGetNumSuccessors(instr) : 0;
    if (outcome < 0 || outcome >= outcomes) reject("a branch of the certificate is no outcome of a branching instruction");
    unsigned length = 0;
    const char *file = LLVMGetDebugLocFilename(instr, &length);
    bool good = is_infeasible(place, (unsigned)outcome);
    printf("branch %lld %.*s:%u:%u outcome %lld of %s: %s\n", (long long)id, (int)length, file ? file : "", LLVMGetDebugLocLine(instr),
           LLVMGetDebugLocColumn(instr), (long long)outcome, program.fns[program.places[place].fn].name, good ? "accepted" : "rejected");
    return good;
}

/* One line for each node that does not hold: "node 3: dropped", counted from 0. */
static void list_dropped(size_t count)
{
    bool *left = get(count + 1);
    for (size_t g = 0; g < group_count; g++)
        for (size_t i = 0; i < groups[g].count; i++) left[groups[g].numbers[i]] = true;
    for (size_t i = 0; i < count; i++)
        if (!left[i]) printf("node %zu: dropped\n", i);
    free(left);
}

int main(int argc, char **argv)
{
    const char *path = NULL, *solver = "cvc5";
    unsigned long effort = 0;
    bool list = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--solver") == 0 && i + 1 < argc) solver = argv[++i];
        else if (strcmp(argv[i], "--effort") == 0 && i + 1 < argc) effort = strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--budget") == 0 && i + 1 < argc) budget = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--list-dropped") == 0) list = true;
        else if (argv[i][0] == '-' || path) reject(USAGE);
        else path = argv[i];
    }
    if (!path) reject(USAGE);
    signal(SIGPIPE, SIG_IGN);
    solver_choose(solver, effort, budget / COST_OF_SECOND / QUESTIONS_OF_BUDGET);
    json_t *certificate = read_certificate(path), *branches = field(certificate, "branches"), *branch;
    find_steps();
    find_exposed();
    find_edges();
    close_nodes();
    if (list) list_dropped(json_array_size(field(certificate, "nodes")));
    size_t i, accepted = 0;
    json_array_foreach(branches, i, branch) accepted += judge(branch);
    if (spent >= budget) printf("the budget of %llu units was spent before everything was asked (--budget)\n", (unsigned long long)budget);
    printf("%zu of %zu branches cannot be taken (%s); %zu questions, %zu nodes dropped, work %llu\n", accepted, json_array_size(branches),
           solver, asked, dropped, (unsigned long long)spent);
    solver_end();
    return accepted == json_array_size(branches) ? 0 : 1;
}
