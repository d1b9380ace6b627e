/* The result as a certificate (docs/proofs.md): at each location what no state there can be.
 *
 * A fact about a value at a location becomes a node that holds the states in which the fact is wrong.  Locations that are not reached get a node with all
 * states.  Only registers that are still read are mentioned. */
#include "analyse/analyse_int.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Writer {
    Analysis *a;
    StrBuf *out;
    uint32_t instance; /* that is being written */
    uint64_t **live;   /* per function, made when needed */
    uint8_t *returned; /* per instruction of the instance's function: a call that comes back */
    bool first;
} Writer;

static void add_text(StrBuf *out, const char *text)
{
    strbuf_add(out, "\"");
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\') strbuf_addf(out, "\\%c", *c);
        else if ((unsigned char)*c < 32) strbuf_addf(out, "\\u%04x", (unsigned)*c);
        else strbuf_add_bytes(out, c, 1);
    }
    strbuf_add(out, "\"");
}

static void add_place(StrBuf *out, const Function *f, uint32_t origin, uint32_t after)
{
    const CodeOrigin *place = &f->origins[origin - 1];
    strbuf_add(out, "[");
    add_text(out, f->name);
    strbuf_addf(out, ",%u,%u]", place->block, place->instr + after);
}

static void add_calls(Writer *w, const Instance *instance)
{
    strbuf_add(w->out, "[");
    for (uint32_t i = 0; i < instance->depth; i++) {
        const Site *site = &vec_at(&w->a->sites, instance->sites[i]);
        const Function *f = &w->a->program->functions[site->function];
        if (i) strbuf_add(w->out, ",");
        add_place(w->out, f, f->code[site->call].origin, 0);
    }
    strbuf_add(w->out, "]");
}

/* ---- nodes ---- */

static void begin_node(Writer *w, const char *location)
{
    strbuf_addf(w->out, "%s\n {\"at\":%s,\"calls\":", w->first ? "" : ",", location);
    add_calls(w, &vec_at(&w->a->instances, w->instance));
    strbuf_add(w->out, ",\"states\":");
    w->first = false;
}

static void add_never(Writer *w, const char *location)
{
    begin_node(w, location);
    strbuf_add(w->out, "true}");
}

static void add_relation(Writer *w, const char *location, const char *relation, const char *name, uint32_t width, uint64_t x)
{
    begin_node(w, location);
    strbuf_addf(w->out, "[\"not\",[\"%s\",%s,[\"const\",%u,\"%llu\"]]]}", relation, name, width, (unsigned long long)x);
}

static void add_set(Writer *w, const char *location, const char *name, const Value *v)
{
    begin_node(w, location);
    strbuf_add(w->out, "[\"not\",[\"or\"");
    for (uint32_t i = 0; i < v->count; i++) strbuf_addf(w->out, ",[\"=\",%s,[\"const\",%u,\"%llu\"]]", name, v->width, (unsigned long long)v->set[i]);
    strbuf_add(w->out, "]]}");
}

/* The facts about one value, as nodes. */
static void add_value(Writer *w, const char *location, const char *name, uint32_t id)
{
    if (!id) return;
    const Value *v = &vec_at(&w->a->values.list, id);
    Value top = value_top(v->width), by_order = v->ulo <= v->uhi ? value_unsigned(v->width, v->ulo, v->uhi) : top;
    uint64_t mask = top.uhi;
    if (v->count) {
        add_set(w, location, name, v);
        return;
    }
    if (v->ulo > top.ulo) add_relation(w, location, "bvuge", name, v->width, v->ulo);
    if (v->uhi < top.uhi) add_relation(w, location, "bvule", name, v->width, v->uhi);
    if (v->slo > by_order.slo) add_relation(w, location, "bvsge", name, v->width, (uint64_t)v->slo & mask);
    if (v->shi < by_order.shi) add_relation(w, location, "bvsle", name, v->width, (uint64_t)v->shi & mask);
    uint64_t known = (v->zeros | v->ones) & mask;
    if (known & ~(by_order.zeros | by_order.ones)) {
        begin_node(w, location);
        strbuf_addf(w->out, "[\"not\",[\"=\",[\"bvand\",%s,[\"const\",%u,\"%llu\"]],[\"const\",%u,\"%llu\"]]]}", name, v->width, (unsigned long long)known, v->width,
                    (unsigned long long)(v->ones & mask));
    }
}

static void add_register(Writer *w, const Function *f, const char *location, uint32_t reg, uint32_t id)
{
    char name[64];
    uint32_t origin = f->register_origins[reg];
    if (origin == ORIGIN_NONE || !id) return;
    if (origin & ORIGIN_PARAM) snprintf(name, sizeof name, "[\"param\",%u]", origin & ~ORIGIN_PARAM);
    else snprintf(name, sizeof name, "[\"value\",%u,%u]", f->origins[origin - 1].block, f->origins[origin - 1].instr);
    add_value(w, location, name, id);
}

static void add_cell(Writer *w, const char *location, const Cell *cell, uint32_t id)
{
    const Object *o = &vec_at(&w->a->memory.objects, cell->object);
    StrBuf name = {0};
    if (o->function == UINT32_MAX) {
        strbuf_add(&name, "[\"global\",");
        add_text(&name, w->a->program->globals[o->index].name);
    } else {
        const Function *f = &w->a->program->functions[o->function];
        const CodeOrigin *place = &f->origins[f->code[o->index].origin - 1];
        strbuf_addf(&name, "[\"local\",%u,%u", place->block, place->instr);
    }
    strbuf_addf(&name, ",%u,%u]", cell->offset, cell->bytes);
    add_value(w, location, name.text, id);
    strbuf_release(&name);
}

static void add_cells(Writer *w, uint32_t function, const char *location, const uint32_t *cells)
{
    for (uint32_t i = 0; i < w->a->memory.cells.len; i++) {
        const Cell *cell = &vec_at(&w->a->memory.cells, i);
        const Object *o = &vec_at(&w->a->memory.objects, cell->object);
        if (o->function == UINT32_MAX || o->function == function) add_cell(w, location, cell, cells[cell->slot]);
    }
}

static void add_state(Writer *w, const Function *f, const char *location, const uint32_t *state, const uint64_t *live)
{
    for (uint32_t r = 0; r < f->register_count; r++)
        if (live[r / 64] >> r % 64 & 1) add_register(w, f, location, r, state[r]);
    add_cells(w, vec_at(&w->a->instances, w->instance).function, location, state + f->register_count);
}

static char *location_text(const Function *f, uint32_t origin, uint32_t after)
{
    StrBuf text = {0};
    add_place(&text, f, origin, after);
    return text.text;
}

static void on_call(void *data, uint32_t instance, const Instr *call, const uint32_t *state)
{
    Writer *w = data;
    uint32_t function = vec_at(&w->a->instances, instance).function, at;
    const Function *f = &w->a->program->functions[function];
    const CallSite *site = &f->calls[call->imm];
    at = (uint32_t)(call - f->code);
    w->returned[at] = 1;
    if (site->callee != UINT32_MAX && !analyse__runs(&w->a->program->functions[site->callee])) return;
    uint64_t *live = mem_alloc((f->register_count / 64 + 1) * sizeof *live);
    program_live_across(f, w->live[function], at, live);
    if (call->dst != OPERAND_NONE) live[call->dst / 64] |= (uint64_t)1 << call->dst % 64;
    char *location = location_text(f, call->origin, 1);
    add_state(w, f, location, state, live);
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
    add_text(&text, f->name);
    strbuf_addf(&text, ",%u,0]", block);
    return text.text;
}

static void add_instance(Writer *w, uint32_t number)
{
    const Instance *instance = &vec_at(&w->a->instances, number);
    uint32_t function = instance->function, size = analyse__state_size(w->a, function), words;
    const Function *f = &w->a->program->functions[function];
    State state = mem_alloc((size + 1) * sizeof *state);
    w->instance = number;
    w->returned = mem_alloc(f->code_count + 1);
    words = f->register_count / 64 + 1;
    if (!w->live[function]) w->live[function] = program_live(f);
    for (uint32_t b = 0; b < f->block_count; b++) {
        const uint32_t *at = vec_at(&w->a->instances, number).blocks[b];
        char *location = b < f->source_blocks ? block_location(f, b) : NULL;
        if (location && !at) add_never(w, location);
        if (location && at) add_state(w, f, location, at, w->live[function] + (size_t)b * words);
        free(location);
        if (!at) continue;
        memcpy(state, at, size * sizeof *state);
        analyse__block(w->a, number, b, state, ignore_flow);
    }
    for (uint32_t i = 0; i < f->code_count; i++) {
        const Instr *call = &f->code[i];
        if (call->op != OP_CALL || w->returned[i] || !call->origin) continue;
        const CallSite *site = &f->calls[call->imm];
        if (site->callee != UINT32_MAX && !analyse__runs(&w->a->program->functions[site->callee])) continue;
        char *location = location_text(f, call->origin, 1);
        add_never(w, location);
        free(location);
    }
    StrBuf exit = {0};
    strbuf_add(&exit, "[");
    add_text(&exit, f->name);
    strbuf_add(&exit, ",\"exit\"]");
    instance = &vec_at(&w->a->instances, number);
    if (!instance->exit) add_never(w, exit.text);
    if (instance->exit) {
        add_value(w, exit.text, "[\"result\"]", instance->exit[0]);
        add_cells(w, UINT32_MAX, exit.text, instance->exit + 1);
    }
    strbuf_release(&exit);
    free(w->returned);
    free(state);
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
        Address address = analyse__address(&a->memory, a->program, function, instr->a);
        return !address.object || address.variable || instr->op != OP_STORE;
    }
    default: return false;
    }
}

static void add_relies(Writer *w)
{
    uint8_t *seen = mem_alloc(w->a->program->function_count + 1);
    w->first = true;
    strbuf_add(w->out, ",\n\"relies\":[");
    for (uint32_t i = 0; i < w->a->instances.len; i++) {
        uint32_t function = w->a->instances.data[i].function, last = 0;
        const Function *f = &w->a->program->functions[function];
        if (seen[function]) continue;
        seen[function] = 1;
        for (uint32_t k = 0; k < f->code_count; k++) {
            if (!is_relied_on(w->a, function, &f->code[k]) || f->code[k].origin == last) continue;
            last = f->code[k].origin;
            if (!w->first) strbuf_add(w->out, ",");
            w->first = false;
            add_place(w->out, f, last, 0);
        }
    }
    strbuf_add(w->out, "]");
    free(seen);
}

static void add_contexts(Writer *w)
{
    bool first_function = true;
    strbuf_add(w->out, ",\n\"contexts\":{");
    for (uint32_t f = 0; f < w->a->program->function_count; f++) {
        bool first = true;
        for (uint32_t i = 0; i < w->a->instances.len; i++) {
            if (w->a->instances.data[i].function != f) continue;
            if (first) {
                strbuf_add(w->out, first_function ? "" : ",");
                add_text(w->out, w->a->program->functions[f].name);
                strbuf_add(w->out, ":[");
            } else {
                strbuf_add(w->out, ",");
            }
            first = first_function = false;
            add_calls(w, &w->a->instances.data[i]);
        }
        if (!first) strbuf_add(w->out, "]");
    }
    strbuf_add(w->out, "}");
}

static void add_contract(Writer *w)
{
    const AnalyseOptions *o = &w->a->options;
    strbuf_add(w->out, ",\n\"entry\":");
    if (o->whole) add_text(w->out, w->a->program->functions[o->entries[0]].name);
    else strbuf_add(w->out, "null");
    strbuf_add(w->out, ",\n\"units\":[");
    for (uint32_t i = 0; !o->whole && i < o->entry_count; i++) {
        if (i) strbuf_add(w->out, ",");
        add_text(w->out, w->a->program->functions[o->entries[i]].name);
    }
    strbuf_addf(w->out, "],\n\"call_depth\":%u", o->call_depth);
}

static void add_branches(Writer *w, const uint32_t *branches, const uint32_t *ids, uint32_t count)
{
    strbuf_add(w->out, ",\n\"branches\":[");
    for (uint32_t i = 0; i < count; i++) {
        const Branch *branch = &w->a->program->branches[branches[i]];
        strbuf_addf(w->out, "%s\n {\"id\":%u,\"at\":", i ? "," : "", ids[i]);
        add_place(w->out, &w->a->program->functions[branch->function], branch->origin, 0);
        strbuf_addf(w->out, ",\"outcome\":%u}", branch->which);
    }
    strbuf_add(w->out, "\n]");
}

void analysis_certificate(Analysis *a, const uint32_t *branches, const uint32_t *ids, uint32_t count, uint64_t bitcode_hash, StrBuf *out)
{
    Writer w = {.a = a, .out = out, .live = mem_alloc((a->program->function_count + 1) * sizeof *w.live), .first = true};
    strbuf_addf(out, "{\"version\":1,\n\"program\":{\"file\":\"program.bc\",\"fnv1a\":\"%016llx\"}", (unsigned long long)bitcode_hash);
    add_contract(&w);
    add_contexts(&w);
    add_relies(&w);
    strbuf_add(out, ",\n\"nodes\":[");
    a->on_call = on_call;
    a->on_call_data = &w;
    w.first = true;
    for (uint32_t i = 0; i < a->instances.len; i++) add_instance(&w, i);
    strbuf_add(out, "\n]");
    add_branches(&w, branches, ids, count);
    strbuf_add(out, "\n}\n");
    for (uint32_t f = 0; f < a->program->function_count; f++) free(w.live[f]);
    free(w.live);
}
