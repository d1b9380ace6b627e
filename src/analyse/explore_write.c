/* The result of an exploration as nodes of a certificate: at each point, with the whole list of calls, the states are among those that were found; points
 * without states are never reached, and functions are entered with no other lists of calls. */
#include "analyse/analyse_int.h"

#include <stdlib.h>

typedef struct Writer {
    Analysis *a;
    StrBuf *out;
    const Activation *now; /* whose point is written */
    bool at_exit;
    StrBuf *facts; /* of the state at hand: conditions, each after a comma */
    const uint32_t *state;
    bool first;
} Writer;

/* ---- terms ---- */

/* A register or local of the frame, as seen from the innermost one; `text` is freed. */
static char *in_frame(const Writer *w, const Activation *frame, char *text)
{
    if (!text || frame->level == w->now->level) return text;
    char *result = mem_format("[\"frame\",%u,%s]", w->now->level - frame->level, text);
    free(text);
    return result;
}

static const Activation *frame_at(const Writer *w, uint32_t level)
{
    const Activation *frame = w->now;
    while (frame->level > level) frame = &vec_at(&w->a->explorer->activations, frame->caller);
    return frame;
}

/* An element of a set as a term; NULL: it is an address without a name here. */
static char *constant_text(const Writer *w, uint32_t width, uint64_t constant)
{
    AddressParts p;
    char *base = NULL;
    if (width != 64 || !address_decode(constant, &p)) return mem_format("[\"const\",%u,\"%llu\"]", width, (unsigned long long)constant);
    const Program *program = w->a->program;
    const Object *o = p.function ? NULL : &vec_at(&w->a->memory.objects, p.index);
    if (!o || o->function == UINT32_MAX) {
        StrBuf name = {0};
        strbuf_add(&name, "[\"address\",");
        analysis_write_text(&name, o ? program->globals[o->index].name : program->functions[p.index].name);
        strbuf_add(&name, "]");
        base = name.text;
    } else {
        const Function *f = &program->functions[o->function];
        const Activation *frame = frame_at(w, p.level);
        uint32_t origin = f->code[o->index].origin;
        if (frame->level != p.level || frame->function != o->function || (w->at_exit && frame == w->now) || !origin) return NULL;
        base = in_frame(w, frame, mem_format("[\"value\",%u,%u]", f->origins[origin - 1].block, f->origins[origin - 1].instr));
    }
    if (!p.offset) return base;
    char *text = mem_format("[\"bvadd\",%s,[\"const\",64,\"%llu\"]]", base, (unsigned long long)p.offset);
    free(base);
    return text;
}

/* ---- facts ---- */

static void add_relation(Writer *w, const char *relation, const char *name, uint32_t width, uint64_t x)
{
    strbuf_addf(w->facts, ",[\"%s\",%s,[\"const\",%u,\"%llu\"]]", relation, name, width, (unsigned long long)x);
}

static void add_set(Writer *w, const char *name, const Value *v)
{
    StrBuf text = {0};
    bool known = true;
    for (uint32_t i = 0; i < v->count && known; i++) {
        char *constant = constant_text(w, v->width, v->set[i]);
        known = constant != NULL;
        if (known) strbuf_addf(&text, ",[\"=\",%s,%s]", name, constant);
        free(constant);
    }
    if (known && v->count == 1) strbuf_add(w->facts, text.text);
    else if (known) strbuf_addf(w->facts, ",[\"or\"%s]", text.text);
    strbuf_release(&text);
}

static void add_value(Writer *w, const char *name, uint32_t id)
{
    const Value *v = &vec_at(&w->a->values.list, id);
    Value top = value_top(v->width), by_order = value_unsigned(v->width, v->ulo, v->uhi);
    uint64_t mask = top.uhi, known = (v->zeros | v->ones) & mask;
    if (v->count) {
        add_set(w, name, v);
        return;
    }
    if (v->ulo > top.ulo) add_relation(w, "bvuge", name, v->width, v->ulo);
    if (v->uhi < top.uhi) add_relation(w, "bvule", name, v->width, v->uhi);
    if (v->slo > by_order.slo) add_relation(w, "bvsge", name, v->width, (uint64_t)v->slo & mask);
    if (v->shi < by_order.shi) add_relation(w, "bvsle", name, v->width, (uint64_t)v->shi & mask);
    if (known & ~(by_order.zeros | by_order.ones)) {
        char *bits = mem_format("[\"bvand\",%s,[\"const\",%u,\"%llu\"]]", name, v->width, (unsigned long long)known);
        add_relation(w, "=", bits, v->width, v->ones & mask);
        free(bits);
    }
}

static void add_frame(Writer *w, const Activation *frame)
{
    Analysis *a = w->a;
    uint32_t registers = a->program->functions[frame->function].register_count;
    for (uint32_t i = 0; i + 1 < frame->size - frame->base; i++) {
        uint32_t id = w->state[frame->base + i], slot = i < registers ? i : i + a->memory.global_slots;
        char *name = id ? in_frame(w, frame, certificate__slot_name(a, frame->function, slot)) : NULL;
        if (name) add_value(w, name, id);
        free(name);
    }
    uint32_t result = w->state[frame->size - 1];
    if (frame == w->now && result) add_value(w, "[\"result\"]", result);
}

/* The facts of a state, in w->facts. */
static void add_state(Writer *w, const uint32_t *state)
{
    Analysis *a = w->a;
    const Function *f = &a->program->functions[w->now->function];
    w->state = state;
    for (uint32_t i = 0; i < a->memory.global_slots; i++) {
        char *name = state[i] ? certificate__slot_name(a, w->now->function, f->register_count + i) : NULL;
        if (name) add_value(w, name, state[i]);
        free(name);
    }
    for (const Activation *frame = w->now;; frame = &vec_at(&a->explorer->activations, frame->caller)) {
        add_frame(w, frame);
        if (frame->site == UINT32_MAX) break;
    }
}

/* ---- nodes ---- */

static void begin_node(Writer *w, const char *location)
{
    const Activation *frame = w->now;
    strbuf_addf(w->out, "%s\n {\"at\":%s,\"calls\":[", w->first ? "" : ",", location);
    w->first = false;
    for (; frame->site != UINT32_MAX; frame = &vec_at(&w->a->explorer->activations, frame->caller)) {
        const Site *site = &vec_at(&w->a->sites, frame->site);
        const Function *f = &w->a->program->functions[site->function];
        analysis_write_place(w->out, f, f->code[site->call].origin, 0);
        strbuf_add(w->out, ",");
    }
    strbuf_add(w->out, "\"outside\"],\"states\":");
}

/* What is not in any of the states, does not occur there. */
static void add_states(Writer *w, const char *location, const Point *p)
{
    StrBuf all = {0}, facts = {0};
    bool anything = false;
    w->facts = &facts;
    for (uint32_t i = 0; i < p->states.len; i++) {
        strbuf_clear(&facts);
        add_state(w, p->states.data[i].state);
        anything |= facts.len == 0;
        if (facts.len) strbuf_addf(&all, ",[\"and\"%s]", facts.text);
    }
    if (!anything) {
        begin_node(w, location);
        if (p->states.len == 1) strbuf_addf(w->out, "[\"not\",[\"and\"%s]]}", facts.text);
        else strbuf_addf(w->out, "[\"not\",[\"or\"%s]]}", all.text);
    }
    strbuf_release(&all);
    strbuf_release(&facts);
}

static void add_point(Writer *w, uint32_t activation, uint32_t at, const char *location)
{
    const Point *p = explore__point(w->a->explorer, activation, at);
    if (p && p->states.len) {
        add_states(w, location, p);
        return;
    }
    begin_node(w, location);
    strbuf_add(w->out, "true}");
}

static void add_activation(Writer *w, uint32_t number)
{
    w->now = &vec_at(&w->a->explorer->activations, number);
    const Function *f = &w->a->program->functions[w->now->function];
    StrBuf location = {0};
    for (uint32_t i = 0; i < f->source_blocks; i++) {
        strbuf_clear(&location);
        strbuf_add(&location, "[");
        analysis_write_text(&location, f->name);
        strbuf_addf(&location, ",%u,0]", i);
        add_point(w, number, f->blocks[i].first, location.text);
    }
    for (uint32_t i = 0; i < f->code_count; i++) {
        if (f->code[i].op != OP_CALL || !f->code[i].origin) continue;
        uint32_t callee = f->calls[f->code[i].imm].callee;
        if (callee != UINT32_MAX && !objects_runs(&w->a->program->functions[callee])) continue;
        strbuf_clear(&location);
        analysis_write_place(&location, f, f->code[i].origin, 1);
        add_point(w, number, i + 1, location.text);
    }
    strbuf_clear(&location);
    strbuf_add(&location, "[");
    analysis_write_text(&location, f->name);
    strbuf_add(&location, ",\"exit\"]");
    w->at_exit = true;
    add_point(w, number, f->code_count, location.text);
    w->at_exit = false;
    strbuf_release(&location);
}

/* ---- lists of calls with which functions are never entered ---- */

/* Has the function been entered with calls that begin so?  `ended`: with exactly these, from outside. */
static bool is_entered(const Analysis *a, uint32_t function, const uint32_t *sites, uint32_t depth, bool ended)
{
    const Explorer *x = a->explorer;
    for (uint32_t i = 0; i < x->activations.len; i++) {
        const Activation *frame = &x->activations.data[i];
        bool same = frame->entered && frame->function == function;
        for (uint32_t k = 0; k < depth && same; k++) {
            same = frame->site == sites[k];
            if (same) frame = &vec_at(&x->activations, frame->caller);
        }
        if (same && (!ended || frame->site == UINT32_MAX)) return true;
    }
    return false;
}

static void write_missing(Writer *w, uint32_t function, const uint32_t *sites, uint32_t depth, bool ended)
{
    const Program *program = w->a->program;
    strbuf_addf(w->out, "%s\n {\"at\":[", w->first ? "" : ",");
    w->first = false;
    analysis_write_text(w->out, program->functions[function].name);
    strbuf_add(w->out, ",0,0],\"calls\":[");
    for (uint32_t i = 0; i < depth; i++) {
        const Site *site = &vec_at(&w->a->sites, sites[i]);
        const Function *f = &program->functions[site->function];
        if (i) strbuf_add(w->out, ",");
        analysis_write_place(w->out, f, f->code[site->call].origin, 0);
    }
    if (ended) strbuf_add(w->out, depth ? ",\"outside\"" : "\"outside\"");
    strbuf_add(w->out, "],\"states\":true}");
}

/* Says of all lists that begin with these calls, and with which the function was not entered, that nobody enters it with them. */
static void add_missing(Writer *w, uint32_t function, uint32_t *sites, uint32_t depth)
{
    Analysis *a = w->a;
    if (!is_entered(a, function, sites, depth, false)) {
        write_missing(w, function, sites, depth, false);
        return;
    }
    uint32_t bottom = depth ? vec_at(&a->sites, sites[depth - 1]).function : function;
    bool from_outside = a->memory.open[bottom] || (a->options.whole && a->options.entries[0] == bottom);
    for (uint32_t g = 0; g < a->program->function_count; g++) {
        const Function *f = &a->program->functions[g];
        for (uint32_t i = 0; i < f->code_count; i++) {
            if (f->code[i].op != OP_CALL || !f->code[i].origin) continue;
            uint32_t callee = f->calls[f->code[i].imm].callee;
            if (callee != bottom && (callee != UINT32_MAX || !a->memory.taken[bottom])) continue;
            sites[depth] = analyse__site(a, g, i);
            add_missing(w, function, sites, depth + 1);
        }
    }
    if (from_outside && !is_entered(a, function, sites, depth, true)) write_missing(w, function, sites, depth, true);
}

void explore__nodes(Analysis *a, StrBuf *out)
{
    Writer w = {.a = a, .out = out, .first = true};
    uint32_t sites[256];
    for (uint32_t i = 0; i < a->explorer->activations.len; i++)
        if (a->explorer->activations.data[i].entered) add_activation(&w, i);
    for (uint32_t f = 0; f < a->program->function_count; f++)
        if (objects_runs(&a->program->functions[f])) add_missing(&w, f, sites, 0);
}
