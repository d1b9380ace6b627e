/* The judgement: every edge of the program into a node is derived and asked about; nodes that are not closed backwards are dropped until all that are left are;
 * then each branch is judged by the nodes that are left.  Contexts that a certificate does not list are claimed never to be entered, which is asked, too. */
#include "check.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST_CALLS = 8, MOST_BYTES = 256 << 20 /* of a certificate */, MOST_QUESTIONS = 50000, MOST_UNANSWERED = 6 };

typedef struct Node {
    json_t *states;
    bool everything; /* no state at all occurs at its location */
} Node;
typedef struct Location {
    Node *nodes;
    size_t count;
} Location;
typedef struct Context {
    const Fn *fn;
    size_t sites[DEEPEST_CALLS], depth; /* numbers of the calls, innermost first */
    Location *at;
} Context;
typedef enum EdgeKind { EDGE_START, EDGE_FLOW, EDGE_EXIT, EDGE_CALL, EDGE_RETURN, EDGE_OUTSIDE, EDGE_NEVER } EdgeKind;
typedef struct Edge {
    EdgeKind kind;
    size_t context, callee;                            /* numbers of contexts */
    unsigned block, from, to, source, target, outcome; /* instructions from `from` up to `to` are executed; locations */
    bool done;
} Edge;

static Program program;
static Query query;
static Context *contexts;
static size_t context_count, call_depth, dropped, asked;
static Edge *edges;
static size_t edge_count;

/* ---- the certificate ---- */

static json_t *field(json_t *object, const char *name)
{
    json_t *value = json_object_get(object, name);
    if (!value) reject("the certificate lacks '%s'", name);
    return value;
}

static size_t fn_named(json_t *name)
{
    size_t fn = json_is_string(name) ? program_fn(&program, json_string_value(name)) : 0;
    if (!fn) reject("the certificate names a function that the bitcode does not define");
    return fn - 1;
}

static size_t place_at(json_t *json) /* [function, block, instruction]: its number */
{
    const Fn *fn = &program.fns[fn_named(json_array_get(json, 0))];
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

static Context context_of(size_t fn, json_t *calls)
{
    Context context = {.fn = &program.fns[fn], .depth = json_array_size(calls)};
    if (!json_is_array(calls) || context.depth > call_depth)
        reject("the certificate has a list of calls that is longer than its call_depth");
    for (size_t i = 0; i < context.depth; i++) {
        context.sites[i] = place_at(json_array_get(calls, i));
        if (!is_cut(instr_of(context.sites[i])))
            reject("the certificate has an instruction in a list of calls that calls no function of the program");
    }
    return context;
}

/* Number + 1 of a context that is listed; 0: it is not. */
static size_t find_context(const Context *c)
{
    for (size_t i = 0; i < context_count; i++)
        if (contexts[i].fn == c->fn && contexts[i].depth == c->depth &&
            memcmp(contexts[i].sites, c->sites, c->depth * sizeof *c->sites) == 0)
            return i + 1;
    return 0;
}

static void read_contexts(json_t *listed)
{
    const char *name;
    json_t *strings, *calls;
    size_t i;
    if (!json_is_object(listed)) reject("'contexts' is no object");
    json_object_foreach(listed, name, strings)
    {
        json_t *key = json_string(name);
        size_t fn = fn_named(key);
        json_decref(key);
        json_array_foreach(strings, i, calls)
        {
            Context context = context_of(fn, calls);
            if (find_context(&context)) continue;
            context.at = get(context.fn->locations * sizeof *context.at);
            contexts = grow(contexts, context_count, sizeof *contexts);
            contexts[context_count++] = context;
        }
    }
}

/* The location [function, block, instruction]: the start of a block or what follows a cut; [function, "exit"]. */
static unsigned location_at(json_t *json, const Fn *fn)
{
    if (json_is_string(json_array_get(json, 1)) && strcmp(json_string_value(json_array_get(json, 1)), "exit") == 0)
        return fn->locations - 1;
    const Place *place = &program.places[place_at(json)];
    const Block *block = &fn->blocks[place->block];
    unsigned location = block->location;
    if (place->instr <= block->first) return location; /* after the phis */
    for (unsigned i = 0; i < place->instr; i++) location += is_cut(block->instrs[i]);
    if (!is_cut(block->instrs[place->instr - 1])) reject("the certificate has a node where there is no location");
    return location;
}

static void read_nodes(json_t *nodes)
{
    size_t i;
    json_t *json;
    if (!json_is_array(nodes)) reject("'nodes' is no list");
    json_array_foreach(nodes, i, json)
    {
        json_t *at = field(json, "at"), *states = field(json, "states");
        Context context = context_of(fn_named(json_array_get(at, 0)), field(json, "calls"));
        unsigned location = location_at(at, context.fn);
        size_t number = find_context(&context);
        if (!number) reject("a node is in a context that the certificate does not list");
        Location *where = &contexts[number - 1].at[location];
        where->nodes = grow(where->nodes, where->count, sizeof *where->nodes);
        where->nodes[where->count++] = (Node){states, json_is_true(states)};
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
    if (json_integer_value(field(json, "version")) != 1) reject("%s has a version that is not known here", path);
    const char *slash = strrchr(path, '/');
    snprintf(directory, sizeof directory, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    read_program(field(json, "program"), directory);
    size_t i, count = json_array_size(field(json, "units"));
    if (count > sizeof units / sizeof *units) reject("more than %zu units", sizeof units / sizeof *units);
    json_array_foreach(field(json, "units"), i, name) units[i] = json_is_string(name) ? json_string_value(name) : "";
    const char *entry = json_string_value(field(json, "entry"));
    if (!entry == !count) reject("a certificate is about one entry or about units");
    program_open(&program, entry, units, count);
    json_t *depth = field(json, "call_depth");
    call_depth = json_is_integer(depth) && json_integer_value(depth) >= 0 ? (size_t)json_integer_value(depth) : DEEPEST_CALLS + 1;
    if (call_depth > DEEPEST_CALLS) reject("'call_depth' is not a number from 0 to %d", DEEPEST_CALLS);
    uint8_t *relies = get(program.place_count);
    json_array_foreach(field(json, "relies"), i, at) relies[place_at(at)] = 1;
    query.program = &program;
    query.relies = relies;
    read_contexts(field(json, "contexts"));
    read_nodes(field(json, "nodes"));
    return json;
}

/* ---- edges ---- */

static void add_edge(Edge edge)
{
    edges = grow(edges, edge_count, sizeof *edges);
    edges[edge_count++] = edge;
}

/* The edges of a call to one function, from the context that `edge` starts in. */
static void add_call_edges(Edge edge, const Fn *callee)
{
    Context to = {.fn = callee, .depth = contexts[edge.context].depth + 1};
    if (to.depth > call_depth) to.depth = call_depth;
    if (call_depth) to.sites[0] = table_get(&program.place_numbers, contexts[edge.context].fn->blocks[edge.block].instrs[edge.to]) - 1;
    for (size_t i = 1; i < to.depth; i++) to.sites[i] = contexts[edge.context].sites[i - 1];
    size_t number = find_context(&to);
    edge.callee = number - 1;
    edge.kind = number ? EDGE_CALL : EDGE_NEVER;
    edge.target = 0;
    add_edge(edge);
    if (!number) return;
    edge.kind = EDGE_RETURN;
    edge.target = edge.source + 1;
    add_edge(edge);
}

static void add_cut_edges(Edge edge, LLVMValueRef call)
{
    if (call_kind(call) == CALL_PROGRAM) {
        add_call_edges(edge, &program.fns[table_get(&program.fn_numbers, LLVMGetCalledValue(call)) - 1]);
        return;
    }
    for (size_t i = 0; i < program.fn_count; i++)
        if (program.fns[i].taken) add_call_edges(edge, &program.fns[i]);
    edge.kind = EDGE_OUTSIDE;
    edge.target = edge.source + 1;
    if (program.outside) add_edge(edge);
}

static void add_block_edges(size_t context, unsigned number)
{
    const Fn *fn = contexts[context].fn;
    const Block *block = &fn->blocks[number];
    Edge edge = {.context = context, .block = number, .from = block->first, .source = block->location};
    for (edge.to = block->first; edge.to + 1 < block->count; edge.to++) {
        if (!is_cut(block->instrs[edge.to])) continue;
        add_cut_edges(edge, block->instrs[edge.to]);
        edge.from = edge.to + 1;
        edge.source++;
    }
    LLVMValueRef last = block->instrs[edge.to];
    edge.kind = LLVMIsAReturnInst(last) ? EDGE_EXIT : EDGE_FLOW;
    edge.target = fn->locations - 1;
    if (edge.kind == EDGE_EXIT) add_edge(edge);
    for (edge.outcome = 0; edge.outcome < LLVMGetNumSuccessors(last); edge.outcome++) {
        unsigned successor = edge.outcome; /* of a switch the default comes first in LLVM, last here */
        if (LLVMIsASwitchInst(last)) successor = edge.outcome + 1 < LLVMGetNumSuccessors(last) ? edge.outcome + 1 : 0;
        edge.callee = table_get(&program.place_numbers, LLVMBasicBlockAsValue(LLVMGetSuccessor(last, successor))) - 1; /* the block */
        edge.target = fn->blocks[edge.callee].location;
        add_edge(edge);
    }
}

static void find_edges(void)
{
    for (size_t i = 0; i < program.fn_count; i++) {
        Context outside = {.fn = &program.fns[i]};
        if (!program.fns[i].open && !program.fns[i].initial) continue;
        size_t number = find_context(&outside);
        if (!number) reject("the certificate does not list %s as called from outside", program.fns[i].name);
        if (program.fns[i].open) add_edge((Edge){.kind = EDGE_START, .context = number - 1, .outcome = 0});
        if (program.fns[i].initial) add_edge((Edge){.kind = EDGE_START, .context = number - 1, .outcome = 1});
    }
    for (size_t i = 0; i < context_count; i++)
        for (unsigned b = 0; b < contexts[i].fn->block_count; b++) add_block_edges(i, b);
}

/* ---- questions ---- */

/* Beyond a fixed number of questions, and of questions without an answer, nothing is shown any more, so that every check ends. */
static Answer put_question(void)
{
    static unsigned unanswered;
    if (asked++ >= MOST_QUESTIONS || unanswered >= MOST_UNANSWERED) return ANSWER_UNKNOWN;
    Answer answer = solver_ask(&query);
    unanswered += answer == ANSWER_UNKNOWN || answer == ANSWER_NONE;
    return answer;
}

static void assume(Frame *frame, const Location *at, bool is_exit)
{
    for (size_t i = 0; i < at->count; i++) exclude(&query, predicate(&query, frame, at->nodes[i].states, is_exit));
}

static void run_segment(Frame *frame, const Edge *e)
{
    const Context *context = &contexts[e->context];
    query_start(&query);
    frame_start(frame, &program, context->fn, 'a');
    assume(frame, &context->at[e->source], false);
    for (unsigned i = e->from; i < e->to; i++) step(&query, frame, context->fn->blocks[e->block].instrs[i]);
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

static void set_result(Frame *frame, LLVMValueRef call, Term result)
{
    unsigned width = type_width(&program, LLVMTypeOf(call));
    if (width) frame_set(frame, call, result.width == width ? result : fresh(&query, width));
}

/* Asks whether the edge can lead into the node (NULL: into any node at its target). */
static Answer ask(const Edge *e, const Node *only)
{
    static Frame a, b;
    Frame *frame = &a;
    const Context *context = &contexts[e->context];
    LLVMValueRef last = e->kind == EDGE_START ? NULL : context->fn->blocks[e->block].instrs[e->to];
    const Location *target = &context->at[e->target];
    if (e->kind == EDGE_START) {
        query_start(&query);
        frame_start(frame, &program, context->fn, 'a');
        query.initial = e->outcome;
    } else {
        run_segment(frame, e);
    }
    if (e->kind == EDGE_CALL || e->kind == EDGE_RETURN) {
        frame_start(&b, &program, contexts[e->callee].fn, 'b');
        pass_arguments(&a, &b, last);
    }
    if (e->kind == EDGE_FLOW) {
        require(&query, outcome_of(&query, frame, last, e->outcome));
        take_phis(frame, &context->fn->blocks[e->block], &context->fn->blocks[e->callee]);
    } else if (e->kind == EDGE_EXIT) {
        frame->result = LLVMGetNumOperands(last) ? value_of(&query, frame, LLVMGetOperand(last, 0)) : (Term){0};
    } else if (e->kind == EDGE_CALL) {
        target = &contexts[e->callee].at[0];
        frame = &b;
    } else if (e->kind == EDGE_RETURN) {
        layer_push(&query, (Layer){.kind = LAYER_GLOBALS});
        LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(b.fn->ref));
        b.result = fresh(&query, type_width(&program, type));
        assume(&b, &contexts[e->callee].at[b.fn->locations - 1], true);
        set_result(frame, last, same_type(last, b.fn) ? b.result : (Term){0});
    } else if (e->kind == EDGE_OUTSIDE) {
        layer_push(&query, (Layer){.kind = LAYER_GLOBALS});
        set_result(frame, last, (Term){0});
    }
    Text reached = {0};
    bool any = e->kind == EDGE_NEVER;
    add(&reached, any ? "(or true" : "(or false");
    for (size_t i = 0; e->kind != EDGE_NEVER && i < target->count; i++) {
        if (only && only != &target->nodes[i]) continue;
        Term into = predicate(&query, frame, target->nodes[i].states, e->kind == EDGE_EXIT);
        if (is_excluded(&query, into)) continue; /* the same states are excluded before the edge, which does not change them */
        add(&reached, " %s", into.text);
        any = true;
    }
    require(&query, term_format(BOOL, "%s)", reached.data));
    free(reached.data);
    if (!any) return ANSWER_UNSAT;
    return put_question();
}

/* No state is left at the location, so no edge leaves it. */
static bool is_dead(const Location *at)
{
    for (size_t i = 0; i < at->count; i++)
        if (at->nodes[i].everything) return true;
    return false;
}

/* Drops every node that the edge can lead into; true if there was one. */
static bool settle(const Edge *e)
{
    Context *into = &contexts[e->kind == EDGE_CALL ? e->callee : e->context];
    Location *target = &into->at[e->target];
    if (e->kind != EDGE_START && is_dead(&contexts[e->context].at[e->source])) return false;
    if (e->kind == EDGE_RETURN && is_dead(&contexts[e->callee].at[contexts[e->callee].fn->locations - 1])) return false;
    if (e->kind != EDGE_NEVER && target->count == 0) return false;
    if (ask(e, NULL) == ANSWER_UNSAT) return false;
    if (e->kind == EDGE_NEVER) {
        printf("rejected: %s is called in a context that the certificate does not list\n", contexts[e->context].fn->name);
        exit(1);
    }
    size_t kept = 0, before = target->count;
    bool *good = get(before);
    for (size_t i = 0; i < before; i++) good[i] = before > 1 && ask(e, &target->nodes[i]) == ANSWER_UNSAT;
    for (size_t i = 0; i < before; i++)
        if (good[i]) target->nodes[kept++] = target->nodes[i];
    free(good);
    target->count = kept;
    dropped += before - kept;
    return kept < before;
}

static void close_nodes(void)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < edge_count; i++) {
            Edge *e = &edges[i];
            if (e->done) continue;
            e->done = true;
            if (!settle(e)) continue;
            changed = true;
            size_t context = e->kind == EDGE_CALL ? e->callee : e->context;
            unsigned exit_location = contexts[context].fn->locations - 1;
            for (size_t k = 0; k < edge_count; k++) /* whatever started from a dropped node is asked again */
                if (edges[k].kind != EDGE_START &&
                    ((edges[k].context == context && edges[k].source == e->target) ||
                     (edges[k].kind == EDGE_RETURN && edges[k].callee == context && e->target == exit_location)))
                    edges[k].done = false;
        }
    }
}

/* ---- branches ---- */

static bool is_infeasible(size_t place, unsigned outcome)
{
    const Place *p = &program.places[place];
    const Block *block = &program.fns[p->fn].blocks[p->block];
    Edge edge = {.block = p->block, .from = block->first, .to = p->instr, .source = block->location};
    static Frame frame;
    for (unsigned i = 0; i < p->instr; i++)
        if (is_cut(block->instrs[i])) edge.from = i + 1, edge.source++;
    for (edge.context = 0; edge.context < context_count; edge.context++) {
        if (contexts[edge.context].fn != &program.fns[p->fn] || is_dead(&contexts[edge.context].at[edge.source])) continue;
        run_segment(&frame, &edge);
        require(&query, outcome_of(&query, &frame, block->instrs[p->instr], outcome));
        if (put_question() != ANSWER_UNSAT) return false;
    }
    return true;
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

int main(int argc, char **argv)
{
    const char *path = NULL, *solver = "cvc5";
    unsigned long effort = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--solver") == 0 && i + 1 < argc) solver = argv[++i];
        else if (strcmp(argv[i], "--effort") == 0 && i + 1 < argc) effort = strtoul(argv[++i], NULL, 10);
        else if (argv[i][0] == '-' || path) reject("usage: clew-check [--solver cvc5|z3] [--effort N] CERTIFICATE");
        else path = argv[i];
    }
    if (!path) reject("usage: clew-check [--solver cvc5|z3] [--effort N] CERTIFICATE");
    signal(SIGPIPE, SIG_IGN);
    solver_choose(solver, effort);
    json_t *certificate = read_certificate(path), *branches = field(certificate, "branches"), *branch;
    find_edges();
    close_nodes();
    size_t i, accepted = 0;
    json_array_foreach(branches, i, branch) accepted += judge(branch);
    printf("%zu of %zu branches cannot be taken (%s); %zu questions, %zu nodes dropped\n", accepted, json_array_size(branches), solver,
           asked, dropped);
    solver_end();
    return accepted == json_array_size(branches) ? 0 : 1;
}
