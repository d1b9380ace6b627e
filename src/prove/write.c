/* Conditions in the words of certificates (docs/proofs.md). */
#include "prove/backward_int.h"

#include <stdlib.h>

static void write_term(Vars *vars, Expr e, StrBuf *out);

static void write_memory(Vars *vars, const VarInfo *info, uint32_t bytes, StrBuf *out)
{
    const Object *o = &vec_at(&vars->memory->objects, info->index);
    if (o->function == UINT32_MAX) {
        strbuf_add(out, "[\"global\",");
        analysis_write_text(out, vars->program->globals[o->index].name);
    } else {
        const Function *f = &vars->program->functions[o->function];
        const CodeOrigin *place = &f->origins[f->code[o->index].origin - 1];
        if (info->depth) strbuf_addf(out, "[\"frame\",%u,", info->depth);
        strbuf_addf(out, "[\"local\",%u,%u", place->block, place->instr);
    }
    strbuf_addf(out, ",%u,%u]", info->offset, bytes);
    if (o->function != UINT32_MAX && info->depth) strbuf_add(out, "]");
}

static void write_register(Vars *vars, const VarInfo *info, StrBuf *out)
{
    const Function *f = &vars->program->functions[info->function];
    uint32_t origin = f->register_origins[info->index];
    if (info->depth) strbuf_addf(out, "[\"frame\",%u,", info->depth);
    if (origin & ORIGIN_PARAM) strbuf_addf(out, "[\"param\",%u]", origin & ~ORIGIN_PARAM);
    else strbuf_addf(out, "[\"value\",%u,%u]", f->origins[origin - 1].block, f->origins[origin - 1].instr);
    if (info->depth) strbuf_add(out, "]");
}

static void write_bytes(Vars *vars, Expr address, uint32_t bytes, StrBuf *out)
{
    uint64_t offset;
    Expr base = vars_base(vars, address, &offset);
    if (offset >> 63) base = address, offset = 0; /* before its base */
    strbuf_add(out, "[\"memory\",");
    write_term(vars, base ? base : expr_const(vars->pool, 64, 0), out);
    strbuf_addf(out, ",%llu,%u]", (unsigned long long)offset, bytes);
}

static void write_variable(Vars *vars, const VarInfo *info, StrBuf *out)
{
    switch (info->kind) {
    case VAR_REGISTER: write_register(vars, info, out); return;
    case VAR_LOCAL:
    case VAR_GLOBAL: write_memory(vars, info, 1, out); return;
    case VAR_MEMORY: write_bytes(vars, info->index, 1, out); return;
    case VAR_RESULT: strbuf_add(out, "[\"result\"]"); return;
    case VAR_ADDRESS: {
        const Symbol *s = &vars->program->symbols[info->index];
        strbuf_add(out, "[\"address\",");
        analysis_write_text(out,
                            s->kind == SYMBOL_FUNCTION ? vars->program->functions[s->index].name : vars->program->globals[s->index].name);
        strbuf_add(out, "]");
        return;
    }
    default: REQUIRE(false, "an input is in no R-state");
    }
}

static bool is_next(const Vars *vars, const VarInfo *lower, const VarInfo *upper)
{
    uint64_t a, b;
    if (lower->kind != upper->kind) return false;
    if (lower->kind == VAR_MEMORY) return vars_base(vars, lower->index, &a) == vars_base(vars, upper->index, &b) && b == a + 1;
    return lower->index == upper->index && lower->depth == upper->depth && upper->offset == lower->offset + 1;
}

/* Adjacent bytes of one object, highest first: how many there are from the expression's highest on; *lowest: the last of them. */
static uint32_t adjacent_bytes(Vars *vars, Expr e, const VarInfo **lowest)
{
    ExprPool *pool = vars->pool;
    const VarInfo *before = NULL;
    for (uint32_t count = 0;; count++) {
        bool more = expr_kind(pool, e) == EXPR_CONCAT;
        Expr byte = more ? expr_operand(pool, e, 0) : e;
        if (expr_kind(pool, byte) != EXPR_VAR) return 0;
        const VarInfo *info = vars_info(vars, byte);
        if (info->kind != VAR_LOCAL && info->kind != VAR_GLOBAL && info->kind != VAR_MEMORY) return 0;
        if (before && !is_next(vars, info, before)) return 0;
        *lowest = before = info;
        if (!more) return count + 1;
        e = expr_operand(pool, e, 1);
    }
}

static void write_operands(Vars *vars, const char *word, Expr e, StrBuf *out)
{
    strbuf_addf(out, "[\"%s\",", word);
    write_term(vars, expr_operand(vars->pool, e, 0), out);
    strbuf_add(out, ",");
    write_term(vars, expr_operand(vars->pool, e, 1), out);
    strbuf_add(out, "]");
}

static const char *word_of(ExprKind kind)
{
    switch (kind) {
    case EXPR_ADD: return "bvadd";
    case EXPR_SUB: return "bvsub";
    case EXPR_MUL: return "bvmul";
    case EXPR_UDIV: return "bvudiv";
    case EXPR_SDIV: return "bvsdiv";
    case EXPR_UREM: return "bvurem";
    case EXPR_SREM: return "bvsrem";
    case EXPR_SHL: return "bvshl";
    case EXPR_LSHR: return "bvlshr";
    case EXPR_ASHR: return "bvashr";
    case EXPR_AND: return "bvand";
    case EXPR_OR: return "bvor";
    case EXPR_XOR: return "bvxor";
    case EXPR_CONCAT: return "concat";
    case EXPR_EQ: return "=";
    case EXPR_ULT: return "bvult";
    case EXPR_ULE: return "bvule";
    case EXPR_SLT: return "bvslt";
    case EXPR_SLE: return "bvsle";
    default: return NULL;
    }
}

static bool is_comparison(ExprKind kind)
{
    return kind >= EXPR_EQ && kind <= EXPR_SLE;
}

static void write_constant(unsigned width, U128 value, StrBuf *out)
{
    char digits[64];
    int at = sizeof digits;
    digits[--at] = 0;
    do digits[--at] = (char)('0' + (int)(value % 10)), value /= 10;
    while (value);
    strbuf_addf(out, "[\"const\",%u,\"%s\"]", width, digits + at);
}

static void write_term(Vars *vars, Expr e, StrBuf *out)
{
    ExprPool *pool = vars->pool;
    ExprKind kind = expr_kind(pool, e);
    unsigned width = expr_width(pool, e);
    const VarInfo *lowest;
    uint32_t bytes = kind == EXPR_CONCAT ? adjacent_bytes(vars, e, &lowest) : 0;
    if (kind == EXPR_CONST) {
        write_constant(width, expr_value(pool, e), out);
    } else if (kind == EXPR_VAR) {
        write_variable(vars, vars_info(vars, e), out);
    } else if (bytes > 0 && bytes <= 8) {
        if (lowest->kind == VAR_MEMORY) write_bytes(vars, lowest->index, bytes, out);
        else write_memory(vars, lowest, bytes, out);
    } else if (kind == EXPR_NOT) {
        strbuf_add(out, "[\"bvxor\",");
        write_term(vars, expr_operand(pool, e, 0), out);
        strbuf_add(out, ",");
        write_constant(width, ~(U128)0 >> (128 - width), out);
        strbuf_add(out, "]");
    } else if (kind == EXPR_ZEXT || kind == EXPR_SEXT) {
        strbuf_addf(out, "[\"%s\",%u,", kind == EXPR_ZEXT ? "zext" : "sext", width);
        write_term(vars, expr_operand(pool, e, 0), out);
        strbuf_add(out, "]");
    } else if (kind == EXPR_EXTRACT) {
        unsigned low = expr_extract_low(pool, e);
        strbuf_addf(out, "[\"extract\",%u,%u,", low + width - 1, low);
        write_term(vars, expr_operand(pool, e, 0), out);
        strbuf_add(out, "]");
    } else if (kind == EXPR_ITE) {
        strbuf_add(out, "[\"ite\",");
        write_condition(vars, expr_operand(pool, e, 0), out);
        strbuf_add(out, ",");
        write_term(vars, expr_operand(pool, e, 1), out);
        strbuf_add(out, ",");
        write_term(vars, expr_operand(pool, e, 2), out);
        strbuf_add(out, "]");
    } else if (is_comparison(kind)) {
        strbuf_add(out, "[\"bool\",");
        write_condition(vars, e, out);
        strbuf_add(out, "]");
    } else {
        write_operands(vars, word_of(kind), e, out);
    }
}

void write_condition(Vars *vars, Expr e, StrBuf *out)
{
    ExprPool *pool = vars->pool;
    ExprKind kind = expr_kind(pool, e);
    if (kind == EXPR_NOT) {
        strbuf_add(out, "[\"not\",");
        write_condition(vars, expr_operand(pool, e, 0), out);
        strbuf_add(out, "]");
    } else if (kind == EXPR_AND || kind == EXPR_OR) {
        strbuf_add(out, kind == EXPR_AND ? "[\"and\"," : "[\"or\",");
        write_condition(vars, expr_operand(pool, e, 0), out);
        strbuf_add(out, ",");
        write_condition(vars, expr_operand(pool, e, 1), out);
        strbuf_add(out, "]");
    } else if (is_comparison(kind)) {
        write_operands(vars, word_of(kind), e, out);
    } else {
        strbuf_add(out, "[\"=\",");
        write_term(vars, e, out);
        strbuf_add(out, ",[\"const\",1,\"1\"]]");
    }
}

/* ---- the certificate ---- */

static void write_stack(Backward *b, uint32_t stack, StrBuf *out)
{
    strbuf_add(out, "[");
    for (bool first = true; stack; stack = vec_at(&b->stacks, stack).below, first = false) {
        CallPlace site = vec_at(&b->stacks, stack).site;
        const Function *f = &b->program->functions[site.function];
        if (!first) strbuf_add(out, ",");
        analysis_write_place(out, f, f->code[site.call].origin, 0);
    }
    strbuf_add(out, "]");
}

static void write_location(Backward *b, const RState *r, StrBuf *out)
{
    const Function *f = &b->program->functions[r->function];
    const Places *p = backward__places(b, r->function);
    if (r->location == backward__exit(b, r->function)) {
        strbuf_add(out, "[");
        analysis_write_text(out, f->name);
        strbuf_add(out, ",\"exit\"]");
        return;
    }
    uint32_t block = p->segments[r->location].block;
    if (r->location > p->first[block]) {
        analysis_write_place(out, f, f->code[p->segments[r->location - 1].end].origin, 1);
        return;
    }
    strbuf_add(out, "[");
    analysis_write_text(out, f->name);
    strbuf_addf(out, ",%u,0]", block);
}

/* A branch is judged by what is known of all stacks, unless there is a node at its location with some of their calls.  Where its first R-state was contradictory
 * at once because of the calls that every stack has, a node without states says that these are to be looked at. */
static void write_branch_node(Backward *b, uint32_t branch, bool *first, StrBuf *out)
{
    uint32_t function = b->program->branches[branch].function;
    RState r = {.function = function, .stack = backward__only_stack(b, function)};
    Expr condition;
    if (!r.stack || !backward__condition(b, branch, r.stack, &r.location, &condition)) return;
    vec_push(&b->written, REST_FACTS);
    strbuf_add(out, *first ? "\n {\"at\":" : ",\n {\"at\":");
    *first = false;
    write_location(b, &r, out);
    strbuf_add(out, ",\"calls\":");
    write_stack(b, r.stack, out);
    strbuf_add(out, ",\"states\":false}");
}

static void write_nodes(Backward *b, const bool *needed, const uint32_t *branches, uint32_t count, StrBuf *out)
{
    bool first = true;
    strbuf_add(out, ",\n\"nodes\":[");
    size_t before = out->len;
    if (needed[b->states.len]) analysis_nodes(b->options.analysis, true, out, &first);
    vec_clear(&b->written);
    for (size_t i = before; i < out->len; i++) /* each node stands on a line */
        if (out->text[i] == '\n') vec_push(&b->written, REST_FACTS);
    for (uint32_t i = 0; i < b->states.len; i++) {
        const RState *r = &b->states.data[i];
        if (!needed[i]) continue;
        vec_push(&b->written, i);
        strbuf_add(out, first ? "\n {\"at\":" : ",\n {\"at\":");
        first = false;
        write_location(b, r, out);
        strbuf_add(out, ",\"calls\":");
        write_stack(b, r->stack, out);
        strbuf_add(out, ",\"states\":");
        if (r->count == 0) strbuf_add(out, "true");
        if (r->count > 1) strbuf_add(out, "[\"and\",");
        for (uint32_t k = 0; k < r->count; k++) {
            if (k) strbuf_add(out, ",");
            write_condition(&b->vars, b->conditions.data[r->first + k], out);
        }
        strbuf_add(out, r->count > 1 ? "]}" : "}");
    }
    for (uint32_t i = 0; i < count; i++) write_branch_node(b, branches[i], &first, out);
    strbuf_add(out, "\n]");
}

/* Writes that may leave their object, accesses through pointers that are not followed, and what R-states have relied on. */
static bool is_relied_on(Backward *b, bool uses_facts, uint32_t function, const Instr *instr)
{
    if (!instr->origin) return false;
    if (instr->op == OP_STORE || instr->op == OP_MEMCPY || instr->op == OP_MEMMOVE || instr->op == OP_MEMSET) {
        Address address = objects_address(&b->memory, b->program, function, instr->a);
        return !address.object || address.variable || instr->op != OP_STORE;
    }
    bool divides = instr->op >= OP_UDIV && instr->op <= OP_SREM;
    if (uses_facts && divides && !operand_is_const(instr->b)) return true;
    return map_find(&b->relied, (uint64_t)function << 32 | instr->origin) != NULL;
}

static void write_relies(Backward *b, bool uses_facts, StrBuf *out)
{
    bool first = true;
    strbuf_add(out, ",\n\"relies\":[");
    for (uint32_t g = 0; g < b->program->function_count; g++) {
        const Function *f = &b->program->functions[g];
        uint32_t last = 0;
        for (uint32_t i = 0; i < f->code_count; i++) {
            if (!is_relied_on(b, uses_facts, g, &f->code[i]) || f->code[i].origin == last) continue;
            last = f->code[i].origin;
            if (!first) strbuf_add(out, ",");
            first = false;
            analysis_write_place(out, f, last, 0);
        }
    }
    strbuf_add(out, "]");
}

uint32_t backward_certificate(Backward *b, const uint32_t *branches, const uint32_t *ids, uint32_t count, uint64_t bitcode_hash,
                              StrBuf *out)
{
    strbuf_addf(
        out, "{\"version\":2,\n\"program\":{\"file\":\"program.bc\",\"fnv1a\":\"%016llx\"},\n\"entry\":", (unsigned long long)bitcode_hash);
    if (b->options.whole) analysis_write_text(out, b->program->functions[b->options.entries[0]].name);
    else strbuf_add(out, "null");
    strbuf_add(out, ",\n\"units\":[");
    for (uint32_t i = 0; !b->options.whole && i < b->options.entry_count; i++) {
        if (i) strbuf_add(out, ",");
        analysis_write_text(out, b->program->functions[b->options.entries[i]].name);
    }
    strbuf_add(out, "]");
    bool *needed = mem_alloc(b->states.len + 1);
    backward__needed(b, branches, count, needed);
    write_relies(b, needed[b->states.len], out);
    write_nodes(b, needed, branches, count, out);
    free(needed);
    strbuf_add(out, ",\n\"branches\":[");
    for (uint32_t i = 0; i < count; i++) {
        const Branch *branch = &b->program->branches[branches[i]];
        strbuf_addf(out, "%s\n {\"id\":%u,\"at\":", i ? "," : "", ids[i]);
        analysis_write_place(out, &b->program->functions[branch->function], branch->origin, 0);
        strbuf_addf(out, ",\"outcome\":%u}", branch->which);
    }
    strbuf_add(out, "\n]\n}\n");
    return b->written.len;
}
