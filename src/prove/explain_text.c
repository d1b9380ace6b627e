/* Predicates of certificates in words.
 *
 * What a node says of one term and constants (`x` is not above 9, `x` is 0, 1 or 2) is gathered per term and said once, as a range.  Conditions that cannot
 * hold together stay as they are.  Values without a name in the source are written as the expression that computes them, or as the source has them. */
#include "prove/explain_int.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MOST_NESTING = 64, /* of lists, as in the form of certificates */
    MOST_PARTS = 5     /* conditions that are said to exclude each other; guess */
};

/* ["const", W, "N"] */
static bool read_const(const json_t *term, U128 *value, unsigned *width)
{
    const char *op = json_string_value(json_array_get(term, 0)), *digits = json_string_value(json_array_get(term, 2));
    json_int_t w = json_integer_value(json_array_get(term, 1));
    if (!op || strcmp(op, "const") != 0 || !digits || !*digits || strlen(digits) > 39 || w < 1 || w > 128) return false;
    *value = 0;
    for (const char *c = digits; *c; c++) {
        if (!isdigit((unsigned char)*c)) return false;
        *value = *value * 10 + (U128)(*c - '0');
    }
    *width = (unsigned)w;
    return true;
}

/* ---- terms of certificates ---- */

static bool add_term(const View *view, const json_t *term, unsigned depth, StrBuf *out, Terms *terms);
static bool add_predicate(const View *view, const json_t *p, bool negated, unsigned depth, StrBuf *out, Terms *terms);

static bool read_number(const json_t *list, size_t i, uint64_t *number)
{
    const json_t *value = json_array_get(list, i);
    *number = (uint64_t)json_integer_value(value);
    return json_is_integer(value) && json_integer_value(value) >= 0 && json_integer_value(value) <= UINT32_MAX;
}

static const char *op_of(const json_t *list)
{
    const char *op = json_string_value(json_array_get(list, 0));
    return op ? op : "";
}

static bool add_local(const View *view, const json_t *term, StrBuf *out, Terms *terms)
{
    const Function *f = view->function;
    uint64_t b, i, offset, size;
    if (!read_number(term, 1, &b) || !read_number(term, 2, &i) || !read_number(term, 3, &offset) || !read_number(term, 4, &size))
        return false;
    explain__cell_key(terms, mem_format("%s:l%u.%u", f->name, (unsigned)b, (unsigned)i), offset);
    if (front_names_local(view->explainer->names, f->name, (uint32_t)b, (uint32_t)i, offset, size, out)) return true;
    if (!front_names_value(view->explainer->names, f->name, (uint32_t)b, (uint32_t)i, out)) return false;
    strbuf_addf(out, "[byte %llu", (unsigned long long)offset);
    if (size > 1) strbuf_addf(out, " to %llu", (unsigned long long)(offset + size - 1));
    strbuf_add(out, "]");
    return true;
}

static bool add_frame(const View *view, const json_t *term, unsigned depth, StrBuf *out, Terms *terms)
{
    uint64_t d;
    if (!read_number(term, 1, &d) || d < 1) return false;
    const char *name = json_string_value(json_array_get(json_array_get(view->calls, d - 1), 0));
    const Function *caller = name ? program_function(view->explainer->program, name) : NULL;
    if (!caller || !caller->defined) return false;
    View above = {view->explainer, caller, NULL, view->shared};
    size_t n;
    explain__function_name(name, &n);
    strbuf_addf(out, "%.*s's ", (int)n, name);
    return add_term(&above, json_array_get(term, 2), depth + 1, out, terms);
}

static bool add_leaf(const View *view, const char *op, const json_t *term, unsigned depth, StrBuf *out, Terms *terms, bool *known)
{
    const Function *f = view->function;
    Explainer *x = view->explainer;
    uint64_t a, b;
    U128 value;
    unsigned width;
    *known = true;
    if (read_const(term, &value, &width)) {
        explain__number(out, explain__signed(value, width));
        return true;
    }
    if (strcmp(op, "value") == 0) {
        uint32_t origin = read_number(term, 1, &a) && read_number(term, 2, &b) ? explain__origin(f, a, b) : 0;
        if (!origin) return false;
        terms_add(terms, mem_format("%s:v%u.%u", f->name, (unsigned)a, (unsigned)b));
        return explain__value(x, f, origin, 0, out);
    }
    if (strcmp(op, "param") == 0) {
        if (!read_number(term, 1, &a)) return false;
        terms_add(terms, mem_format("%s:p%u", f->name, (unsigned)a));
        return explain__param(x, f, (uint32_t)a, out);
    }
    if (strcmp(op, "result") == 0) {
        size_t n;
        terms_add(terms, mem_format("%s:result", f->name));
        explain__function_name(f->name, &n);
        strbuf_addf(out, "%.*s()", (int)n, f->name);
        return true;
    }
    if (strcmp(op, "global") == 0) {
        const char *name = json_string_value(json_array_get(term, 1));
        if (!name || !read_number(term, 2, &a) || !read_number(term, 3, &b)) return false;
        explain__cell_key(terms, mem_format("g:%s", name), a);
        return explain__global(x, name, a, b, out);
    }
    if (strcmp(op, "address") == 0) {
        const char *name = json_string_value(json_array_get(term, 1));
        strbuf_addf(out, "&%s", name ? name : "?");
        return name != NULL;
    }
    if (strcmp(op, "local") == 0) return add_local(view, term, out, terms);
    if (strcmp(op, "frame") == 0) return add_frame(view, term, depth, out, terms);
    *known = false;
    return false;
}

/* ["memory", T, O, N]: what a pointer points to. */
static bool add_memory(const View *view, const json_t *term, unsigned depth, StrBuf *out, Terms *terms)
{
    const json_t *base = json_array_get(term, 1);
    uint64_t offset, size, a, b = 0;
    if (!read_number(term, 2, &offset) || !read_number(term, 3, &size)) return false;
    bool param = strcmp(op_of(base), "param") == 0, value = strcmp(op_of(base), "value") == 0;
    if ((param || value) && read_number(base, 1, &a) && (param || read_number(base, 2, &b)) &&
        front_names_pointed(view->explainer->names, view->function->name, param ? UINT32_MAX : (uint32_t)a, (uint32_t)(param ? a : b),
                            offset, size, out)) {
        terms_add(terms, param ? mem_format("%s:p%u", view->function->name, (unsigned)a)
                               : mem_format("%s:v%u.%u", view->function->name, (unsigned)a, (unsigned)b));
        return true;
    }
    strbuf_add(out, offset ? "*(" : "*");
    if (!add_term(view, json_array_get(term, 1), depth + 1, out, terms)) return false;
    if (offset) strbuf_addf(out, " + %llu bytes)", (unsigned long long)offset);
    return true;
}

static bool add_binary(const View *view, const char *sign, const json_t *term, unsigned depth, StrBuf *out, Terms *terms)
{
    const json_t *right = json_array_get(term, 2);
    bool bits = strcmp(sign, "&") == 0 || strcmp(sign, "|") == 0 || strcmp(sign, "^") == 0;
    U128 value;
    unsigned width;
    if (depth) strbuf_add(out, "(");
    if (!add_term(view, json_array_get(term, 1), depth + 1, out, terms)) return false;
    strbuf_addf(out, " %s ", sign);
    if (bits && read_const(right, &value, &width) && width <= 64) strbuf_addf(out, "0x%llx", (unsigned long long)value);
    else if (!add_term(view, right, depth + 1, out, terms)) return false;
    if (depth) strbuf_add(out, ")");
    return true;
}

static const char *sign_of(const char *op)
{
    static const char *const signs[][2] = {{"bvadd", "+"},  {"bvsub", "-"},   {"bvmul", "*"},  {"bvand", "&"},  {"bvor", "|"},
                                           {"bvxor", "^"},  {"bvudiv", "/"},  {"bvsdiv", "/"}, {"bvurem", "%"}, {"bvsrem", "%"},
                                           {"bvshl", "<<"}, {"bvlshr", ">>"}, {"bvashr", ">>"}};
    for (size_t i = 0; i < COUNT_OF(signs); i++)
        if (strcmp(op, signs[i][0]) == 0) return signs[i][1];
    return NULL;
}

static bool add_term(const View *view, const json_t *term, unsigned depth, StrBuf *out, Terms *terms)
{
    const char *op = op_of(term), *sign = sign_of(op);
    bool known;
    uint64_t low;
    if (depth > DEEPEST || out->len > LONGEST * 4) return false;
    if (strcmp(op, "shared") == 0)
        return read_number(term, 1, &low) && add_term(view, json_array_get(view->shared, (size_t)low), depth + 1, out, terms);
    if (sign) return add_binary(view, sign, term, depth, out, terms);
    if (strcmp(op, "zext") == 0 || strcmp(op, "sext") == 0 || strcmp(op, "trunc") == 0)
        return add_term(view, json_array_get(term, 2), depth + 1, out, terms);
    if (strcmp(op, "extract") == 0) {
        if (!read_number(term, 2, &low)) return false;
        if (low) strbuf_add(out, "(");
        if (!add_term(view, json_array_get(term, 3), depth + 1, out, terms)) return false;
        if (low) strbuf_addf(out, " >> %llu)", (unsigned long long)low);
        return true;
    }
    if (strcmp(op, "memory") == 0) return add_memory(view, term, depth, out, terms);
    if (strcmp(op, "bool") == 0) {
        strbuf_add(out, "(");
        if (!add_predicate(view, json_array_get(term, 1), false, depth + 1, out, terms)) return false;
        strbuf_add(out, ")");
        return true;
    }
    return add_leaf(view, op, term, depth, out, terms, &known);
}

/* ---- predicates ---- */

static bool comparison_of(const char *op, Predicate *predicate)
{
    static const struct {
        const char *op;
        Predicate predicate;
    } table[] = {{"=", PRED_EQ},      {"bvult", PRED_ULT}, {"bvule", PRED_ULE}, {"bvugt", PRED_UGT}, {"bvuge", PRED_UGE},
                 {"bvslt", PRED_SLT}, {"bvsle", PRED_SLE}, {"bvsgt", PRED_SGT}, {"bvsge", PRED_SGE}};
    for (size_t i = 0; i < COUNT_OF(table); i++)
        if (strcmp(op, table[i].op) == 0) {
            *predicate = table[i].predicate;
            return true;
        }
    return false;
}

/* A comparison with its constant, if it has one, on the right. */
typedef struct Atom {
    Predicate predicate;
    const json_t *left, *right;
    bool constant; /* the right side is one */
    U128 value;
    unsigned width;
} Atom;

static bool read_atom(const json_t *p, bool negated, Atom *atom)
{
    *atom = (Atom){.left = json_array_get(p, 1), .right = json_array_get(p, 2)};
    if (json_array_size(p) != 3 || !comparison_of(op_of(p), &atom->predicate)) return false;
    if (negated) atom->predicate = explain__opposites[atom->predicate];
    if (read_const(atom->left, &atom->value, &atom->width)) {
        const json_t *left = atom->left;
        atom->left = atom->right;
        atom->right = left;
        atom->predicate = explain__mirrored[atom->predicate];
    }
    atom->constant = read_const(atom->right, &atom->value, &atom->width);
    return true;
}

/* One bit that is compared with a constant is a condition itself. */
static bool add_bit(const View *view, const Atom *atom, unsigned depth, StrBuf *out, Terms *terms)
{
    bool negated = (atom->value == 0) != (atom->predicate == PRED_NE);
    uint64_t b, i;
    if (strcmp(op_of(atom->left), "bool") == 0) return add_predicate(view, json_array_get(atom->left, 1), negated, depth + 1, out, terms);
    if (strcmp(op_of(atom->left), "value") == 0 && read_number(atom->left, 1, &b) && read_number(atom->left, 2, &i)) {
        uint32_t origin = explain__origin(view->function, b, i), reg = origin ? explain__register(view->function, origin) : UINT32_MAX;
        if (reg == UINT32_MAX) return false;
        explain__terms(view->explainer, view->function, reg, terms);
        return explain__truth(view->explainer, view->function, reg, negated, 0, out);
    }
    if (negated) strbuf_add(out, "!");
    return add_term(view, atom->left, depth + 1, out, terms);
}

static void add_constant(const Atom *atom, StrBuf *out)
{
    bool is_unsigned = atom->predicate >= PRED_UGT && atom->predicate <= PRED_ULE;
    if (is_unsigned && (atom->value >> 127) == 0) explain__number(out, (I128)atom->value);
    else explain__number(out, explain__signed(atom->value, atom->width));
}

static bool add_atom(const View *view, const Atom *atom, unsigned depth, StrBuf *out, Terms *terms)
{
    if (atom->constant && atom->width == 1 && (atom->predicate == PRED_EQ || atom->predicate == PRED_NE))
        return add_bit(view, atom, depth, out, terms);
    if (!add_term(view, atom->left, depth + 1, out, terms)) return false;
    Atom said = *atom;
    if (said.constant && said.predicate == PRED_SGT && explain__signed(said.value, said.width) != (I128)(explain__ones(said.width) >> 1)) {
        said.predicate = PRED_SGE; /* i > -1 is i >= 0 */
        said.value = (said.value + 1) & explain__ones(said.width);
    }
    strbuf_addf(out, " %s ", explain__comparisons[said.predicate]);
    if (!said.constant) return add_term(view, said.right, depth + 1, out, terms);
    add_constant(&said, out);
    return true;
}

/* ---- bytes of a number ---- */

/* A byte of memory equals a constant. */
typedef struct ByteAtom {
    const json_t *cell;
    uint64_t offset;
    U128 value;
} ByteAtom;

/* Where a cell has its offset; its size follows.  0: it is none. */
static size_t offset_index(const json_t *cell)
{
    const char *op = op_of(cell);
    return strcmp(op, "global") == 0 || strcmp(op, "memory") == 0 ? 2 : strcmp(op, "local") == 0 ? 3 : 0;
}

/* The cell that a term names, also of another frame. */
static const json_t *cell_of(const json_t *term)
{
    return strcmp(op_of(term), "frame") == 0 ? json_array_get(term, 2) : term;
}

static bool read_byte(const json_t *p, ByteAtom *byte)
{
    Atom atom;
    uint64_t size;
    if (!read_atom(p, false, &atom) || !atom.constant || atom.predicate != PRED_EQ || atom.width != 8) return false;
    const json_t *cell = cell_of(atom.left);
    size_t at = offset_index(cell);
    *byte = (ByteAtom){.cell = atom.left, .value = atom.value};
    return at && read_number(cell, at, &byte->offset) && read_number(cell, at + 1, &size) && size == 1;
}

/* The same object from another offset on. */
static json_t *moved_cell(const json_t *term, uint64_t offset, uint64_t size)
{
    json_t *copy = json_deep_copy(term), *cell = strcmp(op_of(copy), "frame") == 0 ? json_array_get(copy, 2) : copy;
    json_array_set_new(cell, offset_index(cell), json_integer((json_int_t)offset));
    json_array_set_new(cell, offset_index(cell) + 1, json_integer((json_int_t)size));
    return copy;
}

static bool is_same_number(const ByteAtom *a, const ByteAtom *b)
{
    if (a->offset / 4 != b->offset / 4) return false;
    json_t *moved = moved_cell(a->cell, b->offset, 1);
    bool same = json_equal(moved, b->cell);
    json_decref(moved);
    return same;
}

/* Is it one number in the source, as far as is known? */
static bool is_number(const View *view, const json_t *number)
{
    StrBuf text = {0};
    Terms terms = {0};
    bool good = add_term(view, number, 0, &text, &terms) && !strstr(text.text, "[byte ");
    strbuf_release(&text);
    terms_release(&terms);
    return good;
}

/* The upper bytes of a number of four, from `low` on, equal the value.  Takes the number. */
static json_t *joined_atom(json_t *number, unsigned low, uint64_t value)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)(value >> 8 * low));
    if (low) number = json_pack("[s,o,[s,i,s]]", "bvlshr", number, "const", 32, low == 1 ? "8" : low == 2 ? "16" : "24");
    return json_pack("[s,o,[s,i,s]]", "=", number, "const", 32, digits);
}

/* Provers take `state == 4480` apart into bytes.  In a list of predicates, those about the bytes of one number become one. */
static json_t *join_bytes(const View *view, const json_t *parts)
{
    json_t *joined = json_array();
    size_t count = json_array_size(parts);
    bool *used = mem_alloc(count + 1);
    for (size_t i = 0; i < count; i++) {
        ByteAtom byte, other;
        size_t at[4] = {0};
        unsigned seen = 0, low = 0;
        uint64_t value = 0;
        if (used[i]) continue;
        bool is_byte = read_byte(json_array_get(parts, i), &byte);
        for (size_t k = 0; is_byte && k < count; k++) {
            if (!read_byte(json_array_get(parts, k), &other) || !is_same_number(&byte, &other)) continue;
            seen |= 1u << other.offset % 4;
            at[other.offset % 4] = k;
            value |= (uint64_t)other.value << 8 * (other.offset % 4);
        }
        while (seen && !(seen >> low & 1)) low++;
        json_t *number = seen && seen >> low == 0xfu >> low ? moved_cell(byte.cell, byte.offset - byte.offset % 4, 4) : NULL;
        if (number && is_number(view, number)) {
            for (unsigned k = low; k < 4; k++) used[at[k]] = true;
            json_array_append_new(joined, joined_atom(number, low, value));
        } else {
            json_decref(number);
            json_array_append(joined, json_array_get(parts, i));
        }
    }
    free(used);
    return joined;
}

/* The parts of ["and", …] or ["or", …], those of parts of the same form included. */
static void flatten(const json_t *p, const char *op, unsigned depth, json_t *parts)
{
    bool same = strcmp(op_of(p), op) == 0 && depth < MOST_NESTING;
    for (size_t i = 1; same && i < json_array_size(p); i++) flatten(json_array_get(p, i), op, depth + 1, parts);
    if (!same) json_array_append(parts, (json_t *)(uintptr_t)p);
}

/* Joined where that is sound: what holds together of an "and", what does not hold of an "or". */
static json_t *parts_of(const View *view, const json_t *p)
{
    json_t *parts = json_array(), *opposites = json_array(), *rest = json_array();
    bool all = strcmp(op_of(p), "and") == 0;
    flatten(p, op_of(p), 0, parts);
    for (size_t i = 0; i < json_array_size(parts); i++) {
        json_t *part = json_array_get(parts, i);
        ByteAtom byte;
        bool opposite = !all && strcmp(op_of(part), "not") == 0 && read_byte(json_array_get(part, 1), &byte);
        json_array_append(opposite ? opposites : rest, opposite ? json_array_get(part, 1) : part);
    }
    json_t *joined = join_bytes(view, all ? rest : opposites), *result = all ? joined : rest;
    for (size_t i = 0; !all && i < json_array_size(joined); i++)
        json_array_append_new(result, json_pack("[s,O]", "not", json_array_get(joined, i)));
    json_decref(all ? rest : joined);
    json_decref(opposites);
    json_decref(parts);
    return result;
}

static bool add_parts(const View *view, const json_t *parts, bool all, bool negated, unsigned depth, StrBuf *out, Terms *terms)
{
    size_t count = json_array_size(parts);
    if (depth && count > 1) strbuf_add(out, "(");
    for (size_t i = 0; i < count; i++) {
        if (i) strbuf_add(out, all ? " && " : " || ");
        if (!add_predicate(view, json_array_get(parts, i), negated, depth + (count > 1), out, terms)) return false;
    }
    if (depth && count > 1) strbuf_add(out, ")");
    return count > 0;
}

static bool add_predicate(const View *view, const json_t *p, bool negated, unsigned depth, StrBuf *out, Terms *terms)
{
    const char *op = op_of(p);
    Atom atom;
    if (depth > DEEPEST || out->len > LONGEST * 4) return false;
    if (strcmp(op, "not") == 0) return add_predicate(view, json_array_get(p, 1), !negated, depth + 1, out, terms);
    if (strcmp(op, "and") == 0 || strcmp(op, "or") == 0) {
        json_t *parts = parts_of(view, p);
        bool good = add_parts(view, parts, (strcmp(op, "and") == 0) != negated, negated, depth, out, terms);
        json_decref(parts);
        return good;
    }
    return read_atom(p, negated, &atom) && add_atom(view, &atom, depth, out, terms);
}

/* ---- what is known of one term ---- */

typedef struct Range {
    json_t *term;
    char *name; /* `i`; with the line of the assignment where another value has the same name */
    Terms terms;
    unsigned width;
    U128 least, most; /* unsigned */
    I128 signed_least, signed_most;
    Vec(I128) values; /* the only ones, if there are any */
    bool listed;
} Range;
typedef Vec(Range) Ranges;

static I128 lowest(unsigned width)
{
    return -(I128)(explain__ones(width) >> 1) - 1;
}

static I128 highest(unsigned width)
{
    return (I128)(explain__ones(width) >> 1);
}

/* `i` (as set in line 12): two values of one variable. */
static void add_assignment(const View *view, const json_t *term, StrBuf *out)
{
    uint64_t b, i;
    bool value = strcmp(op_of(term), "value") == 0 && read_number(term, 1, &b) && read_number(term, 2, &i);
    const Instr *instr = value ? explain__instr(view->function, explain__origin(view->function, b, i)) : NULL;
    uint32_t line = instr ? view->explainer->program->locs[instr->loc].line : 0;
    if (line) strbuf_addf(out, " (as set in line %u)", line);
    else strbuf_add(out, " (an earlier value)");
}

static Range *range_of(const View *view, Ranges *ranges, const json_t *term, unsigned width)
{
    StrBuf name = {0};
    Terms terms = {0};
    bool taken = false;
    for (uint32_t i = 0; i < ranges->len; i++)
        if (ranges->data[i].width == width && json_equal(ranges->data[i].term, term)) return &ranges->data[i];
    strbuf_add(&name, "`");
    if (!add_term(view, term, 0, &name, &terms) || name.len > LONGEST) {
        strbuf_release(&name);
        terms_release(&terms);
        return NULL;
    }
    strbuf_add(&name, "`");
    for (uint32_t i = 0; i < ranges->len; i++) taken |= strncmp(ranges->data[i].name, name.text, name.len) == 0;
    if (taken) add_assignment(view, term, &name);
    vec_push(ranges, ((Range){.term = json_deep_copy(term),
                              .name = name.text,
                              .terms = terms,
                              .width = width,
                              .most = explain__ones(width),
                              .signed_least = lowest(width),
                              .signed_most = highest(width)}));
    return &vec_top(ranges);
}

/* The atom always holds.  False: it says nothing about a range. */
static bool add_to_range(const View *view, Ranges *ranges, const Atom *atom)
{
    if (!atom->constant || atom->width < 2 || atom->width > 64 || (atom->predicate == PRED_NE && atom->value != 0)) return false;
    Range *r = range_of(view, ranges, atom->left, atom->width);
    I128 s = explain__signed(atom->value, atom->width);
    U128 u = atom->value;
    if (!r) return true;
    switch (atom->predicate) {
    case PRED_EQ:
        r->signed_least = r->signed_most = s;
        r->least = r->most = u;
        break;
    case PRED_NE: r->least = r->least > 1 ? r->least : 1; break;
    case PRED_ULE: r->most = u < r->most ? u : r->most; break;
    case PRED_ULT: r->most = u && u - 1 < r->most ? u - 1 : r->most; break;
    case PRED_UGE: r->least = u > r->least ? u : r->least; break;
    case PRED_UGT: r->least = u + 1 > r->least ? u + 1 : r->least; break;
    case PRED_SLE: r->signed_most = s < r->signed_most ? s : r->signed_most; break;
    case PRED_SLT: r->signed_most = s - 1 < r->signed_most ? s - 1 : r->signed_most; break;
    case PRED_SGE: r->signed_least = s > r->signed_least ? s : r->signed_least; break;
    case PRED_SGT: r->signed_least = s + 1 > r->signed_least ? s + 1 : r->signed_least; break;
    }
    return true;
}

static int by_value(const void *a, const void *b)
{
    I128 x = *(const I128 *)a, y = *(const I128 *)b;
    return x < y ? -1 : x > y;
}

/* ["or", x = 1, x = 2, …] always holds.  False: it is not of this form. */
static bool add_values(const View *view, Ranges *ranges, const json_t *list)
{
    const json_t *term = NULL;
    Atom atom;
    for (size_t i = 1; i < json_array_size(list); i++) {
        if (!read_atom(json_array_get(list, i), false, &atom) || !atom.constant || atom.predicate != PRED_EQ || atom.width < 2)
            return false;
        if (term && !json_equal(term, atom.left)) return false;
        term = atom.left;
    }
    if (!term) return false;
    Range *r = range_of(view, ranges, term, atom.width);
    if (!r || r->listed) return true;
    r->listed = true;
    for (size_t i = 1; i < json_array_size(list); i++) {
        read_atom(json_array_get(list, i), false, &atom);
        vec_push(&r->values, explain__signed(atom.value, atom.width));
    }
    qsort(r->values.data, r->values.len, sizeof *r->values.data, by_value);
    return true;
}

/* Values that the bounds exclude are none. */
static void narrow(Range *r)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->values.len; i++) {
        I128 s = r->values.data[i];
        U128 u = (U128)s & explain__ones(r->width);
        if (s >= r->signed_least && s <= r->signed_most && u >= r->least && u <= r->most) r->values.data[kept++] = s;
    }
    r->values.len = kept;
}

static void say_values(Range *r, StrBuf *out)
{
    narrow(r);
    uint32_t n = r->values.len;
    if (!n) return;
    bool dense = r->values.data[n - 1] - r->values.data[0] == (I128)n - 1;
    strbuf_addf(out, "%s is always ", r->name);
    if (n > 2 && (dense || n > MOST_VALUES)) {
        strbuf_add(out, dense ? "between " : "one of ");
        if (!dense) strbuf_addf(out, "%u values between ", n);
        explain__number(out, r->values.data[0]);
        strbuf_add(out, " and ");
        explain__number(out, r->values.data[n - 1]);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        strbuf_add(out, i == 0 ? "" : i + 1 < n ? ", " : " or ");
        explain__number(out, r->values.data[i]);
    }
}

static void say_bounds(Range *r, StrBuf *out)
{
    I128 low = lowest(r->width), high = highest(r->width);
    bool one_sign = r->most <= (U128)high || r->least > (U128)high; /* unsigned bounds are bounds of the signed number, too */
    if (one_sign) {
        I128 from = explain__signed(r->least, r->width), to = explain__signed(r->most, r->width);
        if (from > r->signed_least) r->signed_least = from;
        if (to < r->signed_most) r->signed_most = to;
    } else if (r->least == 1 && r->signed_least == 0) {
        r->signed_least = 1;
    } else if (r->least > 0 || r->most < explain__ones(r->width)) {
        bool nonzero = r->least == 1 && r->most == explain__ones(r->width);
        strbuf_addf(out, nonzero ? "%s is never 0" : "%s, as an unsigned number, is always between ", r->name);
        if (nonzero) return;
        explain__number(out, (I128)r->least);
        strbuf_add(out, " and ");
        explain__number(out, (I128)r->most);
        return;
    }
    if (r->signed_least == low && r->signed_most == high) return;
    strbuf_addf(out, "%s is always ", r->name);
    if (r->signed_least == r->signed_most) {
        explain__number(out, r->signed_least);
    } else if (r->signed_least > low && r->signed_most < high) {
        strbuf_add(out, "between ");
        explain__number(out, r->signed_least);
        strbuf_add(out, " and ");
        explain__number(out, r->signed_most);
    } else {
        strbuf_add(out, r->signed_least > low ? "at least " : "at most ");
        explain__number(out, r->signed_least > low ? r->signed_least : r->signed_most);
    }
}

static void say_ranges(Ranges *ranges, FactList *facts)
{
    for (uint32_t i = 0; i < ranges->len; i++) {
        Range *r = &ranges->data[i];
        StrBuf text = {0};
        if (r->listed) say_values(r, &text);
        else say_bounds(r, &text);
        bool weak = !r->listed && r->width == 64 && r->least == 1; /* a pointer is not NULL */
        if (text.len) vec_push(facts, ((Fact){text.text, r->terms, weak}));
        else terms_release(&r->terms);
        vec_release(&r->values);
        json_decref(r->term);
        free(r->name);
    }
    vec_release(ranges);
}

/* ---- facts ---- */

static void add_fact(FactList *facts, StrBuf *text, Terms *terms, bool good)
{
    if (good && text->len && text->len <= LONGEST) {
        vec_push(facts, ((Fact){text->text, *terms, false}));
        return;
    }
    strbuf_release(text);
    terms_release(terms);
}

/* All of them together never hold: if one is a negation, it is what the others imply. */
static void say_conflict(const View *view, const json_t *parts, FactList *facts)
{
    StrBuf text = {0};
    Terms terms = {0};
    size_t count = json_array_size(parts), negation = SIZE_MAX, said = 0;
    bool good = count <= MOST_PARTS;
    for (size_t i = 0; i < count; i++)
        if (strcmp(op_of(json_array_get(parts, i)), "not") == 0) negation = negation == SIZE_MAX ? i : count;
    bool implies = negation < count && count == 2;
    if (implies) strbuf_add(&text, "if ");
    for (size_t i = 0; i < count && good; i++) {
        if (implies && i == negation) continue;
        strbuf_add(&text, said == 0 ? "`" : said + 1 == count ? " and `" : ", `");
        good = add_predicate(view, json_array_get(parts, i), false, 0, &text, &terms);
        strbuf_add(&text, "`");
        said++;
    }
    if (implies && good) {
        strbuf_add(&text, ", then `");
        good = add_predicate(view, json_array_get(parts, negation), true, 0, &text, &terms);
        strbuf_add(&text, "`");
    }
    if (!implies) strbuf_add(&text, " never hold together");
    add_fact(facts, &text, &terms, good);
}

static void add_always(const View *view, const json_t *p, Ranges *ranges, FactList *facts, unsigned depth);

static void add_never(const View *view, const json_t *p, Ranges *ranges, FactList *facts, unsigned depth)
{
    const char *op = op_of(p);
    Atom atom;
    if (depth > DEEPEST) return;
    if (strcmp(op, "not") == 0) {
        add_always(view, json_array_get(p, 1), ranges, facts, depth + 1);
    } else if (strcmp(op, "or") == 0) {
        json_t *parts = parts_of(view, p);
        for (size_t i = 0; i < json_array_size(parts); i++) add_never(view, json_array_get(parts, i), ranges, facts, depth + 1);
        json_decref(parts);
    } else if (strcmp(op, "and") == 0) {
        json_t *parts = parts_of(view, p);
        if (json_array_size(parts) == 1) add_never(view, json_array_get(parts, 0), ranges, facts, depth + 1);
        else say_conflict(view, parts, facts);
        json_decref(parts);
    } else if (read_atom(p, true, &atom) && !add_to_range(view, ranges, &atom)) {
        StrBuf text = {0};
        Terms terms = {0};
        strbuf_add(&text, "`");
        bool good = add_predicate(view, p, false, 0, &text, &terms);
        strbuf_add(&text, "` never holds");
        add_fact(facts, &text, &terms, good);
    }
}

static void add_always(const View *view, const json_t *p, Ranges *ranges, FactList *facts, unsigned depth)
{
    const char *op = op_of(p);
    Atom atom;
    if (depth > DEEPEST) return;
    if (strcmp(op, "not") == 0) {
        add_never(view, json_array_get(p, 1), ranges, facts, depth + 1);
        return;
    }
    if (strcmp(op, "and") == 0) {
        json_t *parts = parts_of(view, p);
        for (size_t i = 0; i < json_array_size(parts); i++) add_always(view, json_array_get(parts, i), ranges, facts, depth + 1);
        json_decref(parts);
        return;
    }
    if (strcmp(op, "or") == 0 && add_values(view, ranges, p)) return;
    if (strcmp(op, "or") != 0 && (!read_atom(p, false, &atom) || add_to_range(view, ranges, &atom))) return;
    StrBuf text = {0};
    Terms terms = {0};
    strbuf_add(&text, "`");
    bool good = add_predicate(view, p, false, 0, &text, &terms);
    strbuf_add(&text, "` always holds");
    add_fact(facts, &text, &terms, good);
}

void explain__facts(const View *view, const json_t *const *states, uint32_t count, FactList *facts)
{
    Ranges ranges = {0};
    json_t *all = json_array(); /* what always holds */
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(all, strcmp(op_of(states[i]), "not") == 0 ? json_incref(json_array_get(states[i], 1))
                                                                        : json_pack("[s,O]", "not", states[i]));
    json_t *joined = join_bytes(view, all);
    for (size_t i = 0; i < json_array_size(joined); i++) add_always(view, json_array_get(joined, i), &ranges, facts, 0);
    json_decref(joined);
    json_decref(all);
    say_ranges(&ranges, facts);
}

void facts_release(FactList *facts)
{
    for (uint32_t i = 0; i < facts->len; i++) {
        free(facts->data[i].text);
        terms_release(&facts->data[i].terms);
    }
    vec_release(facts);
}
