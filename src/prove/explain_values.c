/* Values of the program in words: as the source names them, as the expression that computes them, or as the source has them at their place; and what they
 * depend on. */
#include "prove/explain_int.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- sets of terms ---- */

bool terms_add(Terms *terms, char *key)
{
    bool fresh = !names_find(&terms->set, key);
    if (fresh) {
        names_put(&terms->set, key, 1);
        vec_push(&terms->list, key);
    } else {
        free(key);
    }
    return fresh;
}

bool terms_has(const Terms *terms, char *key)
{
    bool found = names_find(&terms->set, key) != NULL;
    free(key);
    return found;
}

void terms_release(Terms *terms)
{
    for (uint32_t i = 0; i < terms->list.len; i++) free(terms->list.data[i]);
    vec_release(&terms->list);
    names_release(&terms->set);
}

/* ---- numbers ---- */

I128 explain__signed(U128 value, unsigned width)
{
    if (width == 0 || width >= 128) return (I128)value;
    return value >> (width - 1) & 1 ? (I128)(value | ~(U128)0 << width) : (I128)value;
}

U128 explain__ones(unsigned width)
{
    assert(width >= 1 && width <= 128);
    return ~(U128)0 >> (128 - width);
}

void explain__number(StrBuf *out, I128 value)
{
    char digits[48];
    int at = sizeof digits;
    bool minus = value < 0;
    U128 rest = minus ? -(U128)value : (U128)value;
    digits[--at] = 0;
    do digits[--at] = (char)('0' + (int)(rest % 10)), rest /= 10;
    while (rest);
    strbuf_addf(out, "%s%s", minus ? "-" : "", digits + at);
}

/* ---- the bitcode ---- */

uint32_t explain__origin(const Function *f, uint64_t block, uint64_t instr)
{
    for (uint32_t i = 0; i < f->origin_count; i++)
        if (f->origins[i].block == block && f->origins[i].instr == instr) return i + 1;
    return 0;
}

uint32_t explain__register(const Function *f, uint32_t origin)
{
    for (uint32_t i = 0; i < f->register_count; i++)
        if (f->register_origins[i] == origin) return i;
    return UINT32_MAX;
}

const Instr *explain__instr(const Function *f, uint32_t origin)
{
    const Instr *found = NULL;
    for (uint32_t i = 0; origin && i < f->code_count; i++)
        if (f->code[i].origin == origin) found = &f->code[i]; /* the last one has the result */
    return found;
}

const char *explain__function_name(const char *name, size_t *length)
{
    const char *dot = strrchr(name, '.');
    bool numbered = dot && dot != name && dot[1] && strspn(dot + 1, "0123456789") == strlen(dot + 1);
    *length = numbered ? (size_t)(dot - name) : strlen(name);
    return name;
}

/* ---- the source ---- */

static const char *source_text(Explainer *x, const char *file)
{
    const uint32_t *known = names_find(&x->files, file);
    if (known) return x->texts.data[*known];
    FILE *in = fopen(file, "r");
    StrBuf text = {0};
    char bytes[4096];
    for (size_t n; in && (n = fread(bytes, 1, sizeof bytes, in)) > 0;) strbuf_add_bytes(&text, bytes, n);
    if (in) fclose(in);
    names_put(&x->files, file, x->texts.len);
    vec_push(&x->texts, text.text);
    return text.text;
}

static const char *line_start(Explainer *x, const char *file, uint32_t line)
{
    const char *text = file && *file ? source_text(x, file) : NULL;
    for (uint32_t i = 1; text && i < line; i++) {
        text = strchr(text, '\n');
        if (text) text++;
    }
    return text;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* `p->next[i]` where the debug information points at `next`. */
static bool add_source_name(Explainer *x, uint32_t loc, StrBuf *out)
{
    const Loc *place = &x->program->locs[loc];
    const char *line = place->column ? line_start(x, place->file, place->line) : NULL;
    size_t n = line ? strcspn(line, "\n") : 0;
    if (place->column > n || !n) return false;
    const char *from = line + place->column - 1, *to = from;
    while (from > line) {
        const char *before = from - (from > line + 1 && from[-1] == '>' && from[-2] == '-' ? 2 : from[-1] == '.' ? 1 : 0);
        if (before == from || before == line || !is_word(before[-1])) break;
        for (from = before; from > line && is_word(from[-1]);) from--;
    }
    while (is_word(*to)) to++;
    if (to == from || isdigit((unsigned char)*from)) return false;
    if (*to == '[') {
        size_t inside = strcspn(to + 1, "[]()\n");
        if (to[1 + inside] == ']' && inside < 20) to += inside + 2;
    }
    strbuf_add_bytes(out, from, (size_t)(to - from));
    return true;
}

/* ---- values of the program ---- */

static bool add_operand(Explainer *x, const Function *f, Operand o, unsigned width, unsigned depth, StrBuf *out);

static const char *binary_sign(const Instr *instr)
{
    switch (instr->op) {
    case OP_ADD: return "+";
    case OP_SUB: return "-";
    case OP_MUL: return "*";
    case OP_UDIV:
    case OP_SDIV: return "/";
    case OP_UREM:
    case OP_SREM: return "%";
    case OP_SHL: return "<<";
    case OP_LSHR:
    case OP_ASHR: return ">>";
    case OP_AND: return "&";
    case OP_OR: return "|";
    case OP_XOR: return "^";
    default: return NULL;
    }
}

const char *const explain__comparisons[] = {[PRED_EQ] = "==",  [PRED_NE] = "!=", [PRED_UGT] = ">",  [PRED_UGE] = ">=", [PRED_ULT] = "<",
                                            [PRED_ULE] = "<=", [PRED_SGT] = ">", [PRED_SGE] = ">=", [PRED_SLT] = "<",  [PRED_SLE] = "<="};
const Predicate explain__opposites[] = {
    [PRED_EQ] = PRED_NE,   [PRED_NE] = PRED_EQ,   [PRED_UGT] = PRED_ULE, [PRED_UGE] = PRED_ULT, [PRED_ULT] = PRED_UGE,
    [PRED_ULE] = PRED_UGT, [PRED_SGT] = PRED_SLE, [PRED_SGE] = PRED_SLT, [PRED_SLT] = PRED_SGE, [PRED_SLE] = PRED_SGT};
const Predicate explain__mirrored[] = {
    [PRED_EQ] = PRED_EQ,   [PRED_NE] = PRED_NE,   [PRED_UGT] = PRED_ULT, [PRED_UGE] = PRED_ULE, [PRED_ULT] = PRED_UGT,
    [PRED_ULE] = PRED_UGE, [PRED_SGT] = PRED_SLT, [PRED_SGE] = PRED_SLE, [PRED_SLT] = PRED_SGT, [PRED_SLE] = PRED_SGE};

static bool is_constant(const Program *program, Operand o, U128 value)
{
    return operand_is_const(o) && program->consts[operand_index(o)].value == value && !program->consts[operand_index(o)].symbol;
}

/* A condition as C writes it; `negated`: its opposite. */
bool explain__truth(Explainer *x, const Function *f, Operand o, bool negated, unsigned depth, StrBuf *out)
{
    const Instr *instr = NULL;
    if (operand_is_reg(o) && !(f->register_origins[o] & ORIGIN_PARAM)) instr = explain__instr(f, f->register_origins[o]);
    if (depth > DEEPEST) return false;
    if (instr && instr->op == OP_ICMP) {
        Predicate p = negated ? explain__opposites[instr->predicate] : (Predicate)instr->predicate;
        const Instr *inner = operand_is_reg(instr->a) ? explain__instr(f, f->register_origins[instr->a]) : NULL;
        bool truth = inner && (inner->op == OP_ZEXT || inner->op == OP_SEXT) && inner->width2 == 1 && is_constant(x->program, instr->b, 0);
        if (truth && (p == PRED_EQ || p == PRED_NE)) return explain__truth(x, f, inner->a, p == PRED_EQ, depth + 1, out);
        if (!add_operand(x, f, instr->a, instr->width, depth + 1, out)) return false;
        strbuf_addf(out, " %s ", explain__comparisons[p]);
        return add_operand(x, f, instr->b, instr->width, depth + 1, out);
    }
    if (instr && instr->op == OP_XOR && instr->width == 1 && is_constant(x->program, instr->b, 1))
        return explain__truth(x, f, instr->a, !negated, depth + 1, out);
    if (instr && instr->op == OP_TRUNC) return explain__truth(x, f, instr->a, negated, depth + 1, out);
    if (negated) strbuf_add(out, "!");
    return add_operand(x, f, o, 1, depth + 1, out);
}

bool explain__global(Explainer *x, const char *global, uint64_t offset, uint64_t size, StrBuf *out)
{
    if (front_names_global(x->names, global, offset, size, out)) return true;
    const Global *g = program_global(x->program, global);
    strbuf_add(out, global);
    if (g && offset == 0 && (g->size == size || g->size == 0)) return true;
    strbuf_addf(out, "[byte %llu", (unsigned long long)offset);
    if (size > 1) strbuf_addf(out, " to %llu", (unsigned long long)(offset + size - 1));
    strbuf_add(out, "]");
    return true;
}

/* Where the address is a constant: the global variable that it points into. */
static const Global *pointed_global(const Program *program, Operand o, uint64_t *offset)
{
    if (!operand_is_const(o)) return NULL;
    const Const *c = &program->consts[operand_index(o)];
    const Symbol *s = &program->symbols[c->symbol];
    *offset = (uint64_t)c->value;
    return c->symbol && !c->minus && s->kind == SYMBOL_GLOBAL ? &program->globals[s->index] : NULL;
}

static bool add_instr(Explainer *x, const Function *f, const Instr *instr, unsigned depth, StrBuf *out)
{
    const char *sign = binary_sign(instr);
    uint64_t offset = 0;
    if (depth > DEEPEST) return false;
    if (sign) {
        strbuf_add(out, "(");
        if (!add_operand(x, f, instr->a, instr->width, depth + 1, out)) return false;
        strbuf_addf(out, " %s ", sign);
        if (!add_operand(x, f, instr->b, instr->width, depth + 1, out)) return false;
        strbuf_add(out, ")");
        return true;
    }
    switch (instr->op) {
    case OP_ICMP:
        strbuf_add(out, "(");
        if (!explain__truth(x, f, instr->dst, false, depth + 1, out)) return false;
        strbuf_add(out, ")");
        return true;
    case OP_ZEXT:
    case OP_SEXT:
    case OP_TRUNC: return add_operand(x, f, instr->a, instr->width2, depth + 1, out);
    case OP_LOAD: {
        const Global *g = pointed_global(x->program, instr->a, &offset);
        if (g) return explain__global(x, g->name, offset, (instr->width + 7u) / 8, out);
        return add_source_name(x, instr->loc, out);
    }
    case OP_CALL: {
        uint32_t callee = f->calls[instr->imm].callee;
        size_t n;
        if (callee == UINT32_MAX) return add_source_name(x, instr->loc, out);
        const char *name = explain__function_name(x->program->functions[callee].name, &n);
        strbuf_addf(out, "%.*s()", (int)n, name);
        return true;
    }
    default: return false;
    }
}

bool explain__value(Explainer *x, const Function *f, uint32_t origin, unsigned depth, StrBuf *out)
{
    const CodeOrigin *place = &f->origins[origin - 1];
    const Instr *instr = explain__instr(f, origin);
    size_t before = out->len;
    if (instr && instr->op == OP_ALLOCA) return false; /* an address: nothing to tell */
    if (!(instr && instr->op == OP_ICMP) && front_names_value(x->names, f->name, place->block, place->instr, out)) return true;
    if (instr && add_instr(x, f, instr, depth, out)) return true;
    if (out->text) out->text[out->len = before] = 0;
    const Loc *loc = instr ? &x->program->locs[instr->loc] : NULL;
    if (!loc || !loc->line || depth > DEEPEST) return false;
    strbuf_addf(out, "<the value of line %u, column %u>", loc->line, loc->column);
    return true;
}

bool explain__param(Explainer *x, const Function *f, uint32_t index, StrBuf *out)
{
    uint32_t reg = explain__register(f, ORIGIN_PARAM + index);
    for (uint32_t i = 0; i < f->param_count && reg != UINT32_MAX; i++) {
        if (f->params[i].reg != reg || !f->params[i].name[0]) continue;
        strbuf_add(out, f->params[i].name);
        return true;
    }
    if (reg == UINT32_MAX) return false;
    if (!front_names_param(x->names, f->name, index, out)) strbuf_addf(out, "<parameter %u>", index + 1);
    return true;
}

static bool add_operand(Explainer *x, const Function *f, Operand o, unsigned width, unsigned depth, StrBuf *out)
{
    if (o == OPERAND_NONE || out->len > LONGEST * 4) return false;
    if (operand_is_const(o)) {
        const Const *c = &x->program->consts[operand_index(o)];
        if (c->symbol || c->undef || width == 0 || width > 128) return false;
        explain__number(out, explain__signed(c->value, c->width ? c->width : width));
        return true;
    }
    uint32_t origin = f->register_origins[o];
    if (origin == ORIGIN_NONE) return false;
    return origin & ORIGIN_PARAM ? explain__param(x, f, origin & ~ORIGIN_PARAM, out) : explain__value(x, f, origin, depth, out);
}

/* ---- what values depend on ---- */

/* Part of an object, by four bytes.  Takes the object. */
void explain__cell_key(Terms *terms, char *object, uint64_t offset)
{
    terms_add(terms, mem_format("%s@%llu", object, (unsigned long long)(offset - offset % 4)));
    free(object);
}

static void collect_terms(Explainer *x, const Function *f, Operand o, Terms *terms, unsigned depth)
{
    uint32_t origin = o != OPERAND_NONE && operand_is_reg(o) ? f->register_origins[o] : ORIGIN_NONE;
    uint64_t offset;
    if (o == OPERAND_NONE || !operand_is_reg(o) || depth > DEEPEST) return;
    if (origin & ORIGIN_PARAM) {
        terms_add(terms, mem_format("%s:p%u", f->name, origin & ~ORIGIN_PARAM));
        return;
    }
    const Instr *instr = origin ? explain__instr(f, origin) : NULL;
    for (uint32_t i = 0; !origin && i < f->code_count; i++) /* in between, of an instruction that became several */
        if (f->code[i].dst == o) instr = &f->code[i];
    if (origin && !terms_add(terms, mem_format("%s:v%u.%u", f->name, f->origins[origin - 1].block, f->origins[origin - 1].instr))) return;
    if (!instr || instr->op == OP_CALL || instr->op == OP_ALLOCA) return;
    if (instr->op == OP_LOAD) {
        Operand address = instr->a;
        const Instr *from = NULL;
        uint64_t distance = 0;
        bool fixed = true;
        for (unsigned steps = 0; operand_is_reg(address) && steps < DEEPEST; steps++) { /* to the start of the object */
            from = explain__instr(f, f->register_origins[address]);
            if (!from || from->op != OP_ADDRESS) break;
            address = from->a;
            distance += (uint64_t)from->imm;
            fixed &= from->b == OPERAND_NONE;
        }
        const Global *g = pointed_global(x->program, address, &offset);
        char *object = NULL;
        if (g) object = mem_format("g:%s", g->name);
        else if (from && from->op == OP_ALLOCA && from->origin)
            object = mem_format("%s:l%u.%u", f->name, f->origins[from->origin - 1].block, f->origins[from->origin - 1].instr);
        if (object && fixed) explain__cell_key(terms, object, distance + (g ? offset : 0));
        else if (object) terms_add(terms, object);
    }
    collect_terms(x, f, instr->a, terms, depth + 1);
    collect_terms(x, f, instr->b, terms, depth + 1);
    if (instr->op == OP_SELECT) collect_terms(x, f, instr->c, terms, depth + 1);
}

void explain__terms(Explainer *x, const Function *f, Operand o, Terms *terms)
{
    collect_terms(x, f, o, terms, 0);
}

static bool add_switch(Explainer *x, const Function *f, const Instr *instr, uint32_t which, StrBuf *out)
{
    const Switch *sw = &f->switches[instr->imm];
    strbuf_add(out, "`");
    if (!add_operand(x, f, instr->a, instr->width, 0, out)) return false;
    if (which < sw->case_count) {
        strbuf_add(out, " == ");
        explain__number(out, explain__signed(sw->cases[which].value, instr->width));
        strbuf_add(out, "`");
        return true;
    }
    strbuf_add(out, "`");
    for (uint32_t i = 0; i < sw->case_count; i++) {
        if (i >= MOST_VALUES) {
            strbuf_add(out, ", …");
            break;
        }
        strbuf_add(out, i ? ", " : " is none of ");
        explain__number(out, explain__signed(sw->cases[i].value, instr->width));
    }
    return true;
}

bool explain__condition(Explainer *x, const Function *f, const Instr *instr, uint32_t which, StrBuf *out, Terms *terms)
{
    explain__terms(x, f, instr->a, terms);
    bool said = false;
    if (instr->op == OP_SWITCH) {
        said = add_switch(x, f, instr, which, out);
    } else {
        strbuf_add(out, "`");
        said = explain__truth(x, f, instr->a, which != 0, 0, out);
        strbuf_add(out, "`");
    }
    return said && out->len <= LONGEST && !strstr(out->text, "<the value");
}

/* The name alone would be taken for the value before the assignment. */
void explain__definition(Explainer *x, const Function *f, Operand condition, StrBuf *out)
{
    const Instr *compare = operand_is_reg(condition) ? explain__instr(f, f->register_origins[condition]) : NULL;
    if (!compare || compare->op != OP_ICMP || !operand_is_reg(compare->a) || f->register_origins[compare->a] & ORIGIN_PARAM) return;
    const Instr *made = explain__instr(f, f->register_origins[compare->a]);
    StrBuf name = {0}, text = {0};
    if (made && binary_sign(made) &&
        front_names_value(x->names, f->name, f->origins[made->origin - 1].block, f->origins[made->origin - 1].instr, &name) &&
        add_instr(x, f, made, 0, &text) && text.len <= LONGEST && !strstr(text.text, "<the value"))
        strbuf_addf(out, ", where `%s` was set to `%.*s`", name.text, (int)text.len - 2, text.text + 1); /* without the outer parentheses */
    strbuf_release(&name);
    strbuf_release(&text);
}
