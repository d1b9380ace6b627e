/* The result as a certificate (docs/proofs.md): at each location what no state there can be.
 *
 * A fact about a value at a location becomes a node that holds the states in which the fact is wrong.  Locations that are not reached get a node with all
 * states.  Only registers that are still read are mentioned, and parameters where others rest on what is known
 * of them: they are what the caller's registers hold. */
#include "analyse/analyse_int.h"

#include <stdlib.h>

typedef Vec(uint32_t) Callers;
typedef struct Writer {
    Analysis *a;
    StrBuf *out;
    uint32_t instance; /* that is being written */
    uint64_t **live;   /* per function, made when needed */
    Callers *callers;  /* per function: sites that may call it */
    State *returned;   /* per instruction of the instance's function and partition: the state after a call that comes back */
    State *after;      /* those of the call at hand */
    char *guard;       /* a condition under which facts hold; NULL: always */
    bool first;
    bool parameters; /* are mentioned where they are not read any more, too */
} Writer;

/* The innermost calls of a stack; `ended`: the outermost of them was made by a function that was called from outside. */
static void add_calls(Writer *w, const uint32_t *sites, uint32_t depth, bool ended)
{
    strbuf_add(w->out, "[");
    for (uint32_t i = 0; i < depth; i++) {
        const Site *site = &vec_at(&w->a->sites, sites[i]);
        const Function *f = &w->a->program->functions[site->function];
        if (i) strbuf_add(w->out, ",");
        analysis_write_place(w->out, f, f->code[site->call].origin, 0);
    }
    if (ended) strbuf_add(w->out, depth ? ",\"outside\"" : "\"outside\"");
    strbuf_add(w->out, "]");
}

/* ---- nodes ---- */

static void begin_node_of(Writer *w, const char *location, const uint32_t *sites, uint32_t depth, bool ended)
{
    strbuf_addf(w->out, "%s\n {\"at\":%s,\"calls\":", w->first ? "" : ",", location);
    add_calls(w, sites, depth, ended);
    strbuf_add(w->out, ",\"states\":");
    w->first = false;
}

static void begin_node(Writer *w, const char *location)
{
    const Instance *instance = &vec_at(&w->a->instances, w->instance);
    begin_node_of(w, location, instance->sites, instance->depth, instance->depth < w->a->options.call_depth);
}

static void add_never(Writer *w, const char *location)
{
    begin_node(w, location);
    strbuf_add(w->out, "true}");
}

/* A fact that holds at the location: states where it does not, but the guard does, never occur there. */
static void add_fact(Writer *w, const char *location, StrBuf *fact)
{
    begin_node(w, location);
    if (w->guard) strbuf_addf(w->out, "[\"and\",%s,[\"not\",%s]]}", w->guard, fact->text);
    else strbuf_addf(w->out, "[\"not\",%s]}", fact->text);
    strbuf_release(fact);
}

static void add_relation(Writer *w, const char *location, const char *relation, const char *name, uint32_t width, uint64_t x)
{
    StrBuf fact = {0};
    strbuf_addf(&fact, "[\"%s\",%s,[\"const\",%u,\"%llu\"]]", relation, name, width, (unsigned long long)x);
    add_fact(w, location, &fact);
}

static void add_set(Writer *w, const char *location, const char *name, uint32_t width, const uint64_t *set, uint32_t count)
{
    StrBuf fact = {0};
    strbuf_add(&fact, "[\"or\"");
    for (uint32_t i = 0; i < count; i++) strbuf_addf(&fact, ",[\"=\",%s,[\"const\",%u,\"%llu\"]]", name, width, (unsigned long long)set[i]);
    strbuf_add(&fact, "]");
    add_fact(w, location, &fact);
}

/* The facts about one value, as nodes. */
static void add_value(Writer *w, const char *location, const char *name, uint32_t id)
{
    if (!id) return;
    const Value *v = &vec_at(&w->a->values.list, id);
    Value top = value_top(v->width), by_order = value_unsigned(v->width, v->ulo, v->uhi);
    uint64_t mask = top.uhi, known = (v->zeros | v->ones) & mask;
    if (v->count) {
        add_set(w, location, name, v->width, v->set, v->count);
        return;
    }
    if (v->ulo > top.ulo) add_relation(w, location, "bvuge", name, v->width, v->ulo);
    if (v->uhi < top.uhi) add_relation(w, location, "bvule", name, v->width, v->uhi);
    if (v->slo > by_order.slo) add_relation(w, location, "bvsge", name, v->width, (uint64_t)v->slo & mask);
    if (v->shi < by_order.shi) add_relation(w, location, "bvsle", name, v->width, (uint64_t)v->shi & mask);
    if (known & ~(by_order.zeros | by_order.ones)) {
        char *bits = mem_format("[\"bvand\",%s,[\"const\",%u,\"%llu\"]]", name, v->width, (unsigned long long)known);
        add_relation(w, location, "=", bits, v->width, v->ones & mask);
        free(bits);
    }
}

char *certificate__slot_name(const Analysis *a, uint32_t function, uint32_t slot)
{
    const Function *f = &a->program->functions[function];
    if (slot < f->register_count) {
        uint32_t origin = f->register_origins[slot];
        if (origin == ORIGIN_NONE) return NULL;
        if (origin & ORIGIN_PARAM) return mem_format("[\"param\",%u]", origin & ~ORIGIN_PARAM);
        return mem_format("[\"value\",%u,%u]", f->origins[origin - 1].block, f->origins[origin - 1].instr);
    }
    for (uint32_t i = 0; i < a->memory.cells.len; i++) {
        const Cell *cell = &vec_at(&a->memory.cells, i);
        const Object *o = &vec_at(&a->memory.objects, cell->object);
        StrBuf name = {0};
        if (cell->slot != slot - f->register_count || (o->function != UINT32_MAX && o->function != function)) continue;
        if (o->function == UINT32_MAX) {
            strbuf_add(&name, "[\"global\",");
            analysis_write_text(&name, a->program->globals[o->index].name);
        } else {
            const CodeOrigin *place = &f->origins[f->code[o->index].origin - 1];
            strbuf_addf(&name, "[\"local\",%u,%u", place->block, place->instr);
        }
        strbuf_addf(&name, ",%u,%u]", cell->offset, cell->bytes);
        return name.text;
    }
    return NULL;
}

static void add_slot(Writer *w, uint32_t function, const char *location, uint32_t slot, uint32_t id)
{
    char *name = id ? certificate__slot_name(w->a, function, slot) : NULL;
    if (name) add_value(w, location, name, id);
    free(name);
}

static bool is_mentioned(const Writer *w, const Function *f, uint32_t slot, const uint64_t *live)
{
    if (slot >= f->register_count || live[slot / 64] >> slot % 64 & 1) return true;
    uint32_t origin = f->register_origins[slot];
    return w->parameters && origin != ORIGIN_NONE && (origin & ORIGIN_PARAM);
}

/* The states at a location, one for each partition (NULL: none).  Where the key may be anything (partition 0), they are joined to one. */
static void add_states(Writer *w, uint32_t function, const char *location, State *states, const uint64_t *live)
{
    const Function *f = &w->a->program->functions[function];
    const Key *key = &w->a->keys[function];
    uint32_t stride = analyse__stride(w->a, function), size = analyse__state_size(w->a, function), never = 0, parts = 0;
    State all = NULL;
    for (uint32_t p = 0; p < stride; p++) {
        if (states[p]) analyse__join(w->a, &all, states[p], size, &never);
        parts += states[p] != NULL;
    }
    if (!all) add_never(w, location);
    for (uint32_t slot = 0; all && slot < size; slot++)
        if (is_mentioned(w, f, slot, live) || slot == key->slot) add_slot(w, function, location, slot, all[slot]);
    char *name = parts > 1 && !states[0] ? certificate__slot_name(w->a, function, key->slot) : NULL;
    for (uint32_t p = 1; name && p < stride; p++) {
        if (!states[p]) continue;
        w->guard = mem_format("[\"=\",%s,[\"const\",%u,\"%llu\"]]", name, key->width, (unsigned long long)vec_at(&key->constants, p - 1));
        for (uint32_t slot = 0; slot < size; slot++)
            if (slot != key->slot && is_mentioned(w, f, slot, live) && states[p][slot] != all[slot])
                add_slot(w, function, location, slot, states[p][slot]);
        free(w->guard);
        w->guard = NULL;
    }
    free(name);
    free(all);
}

static char *location_text(const Function *f, uint32_t origin, uint32_t after)
{
    StrBuf text = {0};
    analysis_write_place(&text, f, origin, after);
    return text.text;
}

static void arrive(Analysis *a, void *data, uint32_t partition, const uint32_t *state)
{
    Writer *w = data;
    uint32_t never = 0;
    analyse__join(a, &w->after[partition], state, analyse__state_size(a, vec_at(&a->instances, w->instance).function), &never);
}

/* Joins the state after a call to those that the same call has led to before, because a node must cover all of them. */
static void on_call(void *data, uint32_t instance, const Instr *call, const uint32_t *state)
{
    Writer *w = data;
    uint32_t function = vec_at(&w->a->instances, instance).function;
    w->after = w->returned + (size_t)(call - w->a->program->functions[function].code) * analyse__stride(w->a, function);
    analyse__split(w->a, function, state, arrive, w);
}

static void add_call(Writer *w, uint32_t function, uint32_t at)
{
    const Function *f = &w->a->program->functions[function];
    const Instr *call = &f->code[at];
    const CallSite *site = &f->calls[call->imm];
    if (!call->origin || (site->callee != UINT32_MAX && !objects_runs(&w->a->program->functions[site->callee]))) return;
    uint64_t *live = mem_alloc((f->register_count / 64 + 1) * sizeof *live);
    program_live_across(f, w->live[function], at, live);
    if (call->dst != OPERAND_NONE) live[call->dst / 64] |= (uint64_t)1 << call->dst % 64;
    char *location = location_text(f, call->origin, 1);
    add_states(w, function, location, w->returned + (size_t)at * analyse__stride(w->a, function), live);
    free(location);
    free(live);
}

static void ignore_flow(Analysis *a, uint32_t instance, uint32_t from, uint32_t to, const uint32_t *state)
{
    (void)a, (void)instance, (void)from, (void)to, (void)state;
}

/* The start of a block of the bitcode, where its phis have their values. */
static char *block_location(const Function *f, uint32_t block)
{
    StrBuf text = {0};
    strbuf_add(&text, "[");
    analysis_write_text(&text, f->name);
    strbuf_addf(&text, ",%u,0]", block);
    return text.text;
}

static void add_exit(Writer *w, const Instance *instance)
{
    const Function *f = &w->a->program->functions[instance->function];
    StrBuf exit = {0};
    strbuf_add(&exit, "[");
    analysis_write_text(&exit, f->name);
    strbuf_add(&exit, ",\"exit\"]");
    if (!instance->exit) add_never(w, exit.text);
    if (instance->exit) add_value(w, exit.text, "[\"result\"]", instance->exit[0]);
    for (uint32_t i = 0; instance->exit && i < w->a->memory.global_slots; i++)
        add_slot(w, instance->function, exit.text, f->register_count + i, instance->exit[1 + i]);
    strbuf_release(&exit);
}

static void add_instance(Writer *w, uint32_t number)
{
    const Instance *instance = &vec_at(&w->a->instances, number);
    uint32_t function = instance->function, size = analyse__state_size(w->a, function), stride = analyse__stride(w->a, function);
    const Function *f = &w->a->program->functions[function];
    State state = mem_alloc((size + 1) * sizeof *state);
    w->instance = number;
    w->returned = mem_alloc(((size_t)f->code_count * stride + 1) * sizeof *w->returned);
    if (!w->live[function]) w->live[function] = program_live(f);
    for (uint32_t b = 0; b < f->source_blocks; b++) {
        char *location = block_location(f, b);
        add_states(w, function, location, instance->blocks + (size_t)b * stride,
                   w->live[function] + (size_t)b * (f->register_count / 64 + 1));
        free(location);
    }
    for (uint32_t b = 0; b < f->block_count * stride; b++) { /* on_call collects */
        if (!instance->blocks[b]) continue;
        memcpy(state, instance->blocks[b], size * sizeof *state);
        analyse__block(w->a, number, b / stride, state, ignore_flow);
    }
    for (uint32_t i = 0; i < f->code_count; i++)
        if (f->code[i].op == OP_CALL) add_call(w, function, i);
    add_exit(w, instance);
    for (size_t i = 0; i < (size_t)f->code_count * stride; i++) free(w->returned[i]);
    free(w->returned);
    free(state);
}

/* ---- contexts that are never entered ---- */

/* The sites that may call the function. */
static void find_callers(Analysis *a, uint32_t function, Callers *callers)
{
    for (uint32_t f = 0; f < a->program->function_count; f++) {
        const Function *caller = &a->program->functions[f];
        for (uint32_t i = 0; i < caller->code_count; i++) {
            if (caller->code[i].op != OP_CALL || !caller->code[i].origin) continue;
            uint32_t callee = caller->calls[caller->code[i].imm].callee;
            if (callee == function || (callee == UINT32_MAX && a->memory.taken[function])) vec_push(callers, analyse__site(a, f, i));
        }
    }
}

static bool is_entered(const Analysis *a, uint32_t function, const uint32_t *sites, uint32_t depth, bool ended)
{
    for (uint32_t i = 0; i < a->instances.len; i++) {
        const Instance *known = &a->instances.data[i];
        if (known->function == function && known->depth >= depth && (!ended || known->depth == depth) &&
            (!depth || memcmp(known->sites, sites, depth * sizeof *sites) == 0))
            return true;
    }
    return false;
}

static bool is_called_from_outside(const Analysis *a, uint32_t function)
{
    bool whole_entry = a->options.whole && a->options.entries[0] == function;
    return whole_entry || a->memory.open[function];
}

/* Says of all stacks that begin with these calls, and with which the analysis has never entered the function, that nobody enters it with them. */
static void add_missing(Writer *w, const char *location, uint32_t function, uint32_t *sites, uint32_t depth)
{
    Analysis *a = w->a;
    if (!is_entered(a, function, sites, depth, false)) {
        begin_node_of(w, location, sites, depth, false);
        strbuf_add(w->out, "true}");
        return;
    }
    if (depth == a->options.call_depth) return;
    uint32_t bottom = depth ? vec_at(&a->sites, sites[depth - 1]).function : function;
    for (uint32_t i = 0; i < w->callers[bottom].len; i++) {
        sites[depth] = vec_at(&w->callers[bottom], i);
        add_missing(w, location, function, sites, depth + 1);
    }
    if (!is_called_from_outside(a, bottom) || is_entered(a, function, sites, depth, true)) return;
    begin_node_of(w, location, sites, depth, true);
    strbuf_add(w->out, "true}");
}

static void add_all_missing(Writer *w)
{
    uint32_t n = w->a->program->function_count, sites[COUNT_OF(((Instance *)NULL)->sites)];
    w->callers = mem_alloc((n + 1) * sizeof *w->callers);
    for (uint32_t f = 0; f < n; f++)
        if (objects_runs(&w->a->program->functions[f])) find_callers(w->a, f, &w->callers[f]);
    for (uint32_t f = 0; f < n; f++) {
        if (!objects_runs(&w->a->program->functions[f])) continue;
        char *location = block_location(&w->a->program->functions[f], 0);
        add_missing(w, location, f, sites, 0);
        free(location);
    }
    for (uint32_t f = 0; f < n; f++) vec_release(&w->callers[f]);
    free(w->callers);
}

/* ---- the rest ---- */

/* Accesses whose object or place in it is not known, divisions, and additions where overflow is excluded. */
static bool is_relied_on(const Analysis *a, uint32_t function, const Instr *instr)
{
    if (!instr->origin) return false;
    switch (instr->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL: return a->options.exclude_overflow && (instr->flags & FLAG_NSW);
    case OP_UDIV:
    case OP_SDIV:
    case OP_UREM:
    case OP_SREM: return !operand_is_const(instr->b);
    case OP_STORE:
    case OP_MEMCPY:
    case OP_MEMMOVE:
    case OP_MEMSET: {
        Address address = objects_address(&a->memory, a->program, function, instr->a);
        return !address.object || address.variable || instr->op != OP_STORE;
    }
    default: return false;
    }
}

static void add_relies(Writer *w)
{
    w->first = true;
    strbuf_add(w->out, ",\n\"relies\":[");
    for (uint32_t function = 0; function < w->a->program->function_count; function++) {
        const Function *f = &w->a->program->functions[function];
        uint32_t last = 0;
        for (uint32_t k = 0; k < f->code_count; k++) {
            if (!is_relied_on(w->a, function, &f->code[k]) || f->code[k].origin == last) continue;
            last = f->code[k].origin;
            if (!w->first) strbuf_add(w->out, ",");
            w->first = false;
            analysis_write_place(w->out, f, last, 0);
        }
    }
    strbuf_add(w->out, "]");
}

static void add_contract(Writer *w)
{
    const AnalyseOptions *o = &w->a->options;
    strbuf_add(w->out, ",\n\"entry\":");
    if (o->whole) analysis_write_text(w->out, w->a->program->functions[o->entries[0]].name);
    else strbuf_add(w->out, "null");
    strbuf_add(w->out, ",\n\"units\":[");
    for (uint32_t i = 0; !o->whole && i < o->entry_count; i++) {
        if (i) strbuf_add(w->out, ",");
        analysis_write_text(w->out, w->a->program->functions[o->entries[i]].name);
    }
    strbuf_add(w->out, "]");
}

static void add_branches(Writer *w, const uint32_t *branches, const uint32_t *ids, uint32_t count)
{
    strbuf_add(w->out, ",\n\"branches\":[");
    for (uint32_t i = 0; i < count; i++) {
        const Branch *branch = &w->a->program->branches[branches[i]];
        strbuf_addf(w->out, "%s\n {\"id\":%u,\"at\":", i ? "," : "", ids[i]);
        analysis_write_place(w->out, &w->a->program->functions[branch->function], branch->origin, 0);
        strbuf_addf(w->out, ",\"outcome\":%u}", branch->which);
    }
    strbuf_add(w->out, "\n]");
}

void analysis_write_text(StrBuf *out, const char *text)
{
    strbuf_add(out, "\"");
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\') strbuf_addf(out, "\\%c", *c);
        else if ((unsigned char)*c < 32) strbuf_addf(out, "\\u%04x", (unsigned)*c);
        else strbuf_add_bytes(out, c, 1);
    }
    strbuf_add(out, "\"");
}

void analysis_write_place(StrBuf *out, const Function *f, uint32_t origin, uint32_t after)
{
    const CodeOrigin *place = &f->origins[origin - 1];
    strbuf_add(out, "[");
    analysis_write_text(out, f->name);
    strbuf_addf(out, ",%u,%u]", place->block, place->instr + after);
}

void analysis_nodes(Analysis *a, bool parameters, StrBuf *out, bool *first)
{
    Writer w = {.a = a,
                .parameters = parameters,
                .out = out,
                .live = mem_alloc((a->program->function_count + 1) * sizeof *w.live),
                .first = *first};
    a->on_call = on_call;
    a->on_call_data = &w;
    for (uint32_t i = 0; i < a->instances.len; i++) add_instance(&w, i);
    add_all_missing(&w);
    *first = w.first;
    for (uint32_t f = 0; f < a->program->function_count; f++) free(w.live[f]);
    free(w.live);
}

void analysis_certificate(Analysis *a, const uint32_t *branches, const uint32_t *ids, uint32_t count, uint64_t bitcode_hash, StrBuf *out)
{
    Writer w = {.a = a, .out = out, .first = true};
    bool first = true;
    strbuf_addf(out, "{\"version\":2,\n\"program\":{\"file\":\"program.bc\",\"fnv1a\":\"%016llx\"}", (unsigned long long)bitcode_hash);
    add_contract(&w);
    add_relies(&w);
    strbuf_add(out, ",\n\"nodes\":[");
    if (a->explorer) explore__nodes(a, out);
    else analysis_nodes(a, false, out, &first);
    strbuf_add(out, "\n]");
    add_branches(&w, branches, ids, count);
    strbuf_add(out, "\n}\n");
}
