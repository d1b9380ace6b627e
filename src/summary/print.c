/* Summaries as text for people: a line for each path, its precondition and its postcondition, as the paper writes them (section 3).
 *
 * What is returned is `ret`, what is written `place := value`, in the values that places had before; the program's end inside is `false`.
 * A path is a leaf of the tree and the sides that lead to it.  Of the facts only those are shown that a reader would miss: conditions, constants that were
 * read, pointers into one object, accesses that fail.  The lines are ordered by their length in conditions, then by their text, so that they do not
 * depend on the order in which the paths were found. */
#include "summary/summary_int.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_LINES = 200, MOST_TEXT = 4000 /* of a precondition */, MOST_VISITED = 64, MOST_EXPANDED = 20000 };

/* ---- places ---- */

/* A base's name is what an address in its object is called: `p`, `&global`. */
void summary__place_name(const Summaries *s, const Tree *tree, const Where *where, StrBuf *out)
{
    if (where->base == ARGUMENT_BASE) {
        const char *name = tree->function->params[where->offset].name;
        if (*name) strbuf_add(out, name);
        else strbuf_addf(out, "argument %lld", (long long)where->offset + 1);
        return;
    }
    const char *base = where->base_name;
    const Global *global = *base == '&' ? program_global(s->program, base + 1) : NULL;
    int64_t bytes = where->bytes ? (int64_t)where->bytes : 1;
    bool divides = where->offset % bytes == 0;
    if (global && where->offset == 0 && where->bytes == global->size) strbuf_add(out, global->name);
    else if (global && divides) strbuf_addf(out, "%s[%lld]", global->name, (long long)(where->offset / bytes));
    else if (where->offset == 0 && bytes != 1) strbuf_addf(out, "*%s", base);
    else if (divides && strpbrk(base, "* ")) strbuf_addf(out, "(%s)[%lld]", base, (long long)(where->offset / bytes));
    else if (divides) strbuf_addf(out, "%s[%lld]", base, (long long)(where->offset / bytes));
    else strbuf_addf(out, "*(%s + %lld)", base, (long long)where->offset);
}

static void add_address(const char *base, int64_t offset, StrBuf *out)
{
    strbuf_add(out, base);
    if (offset) strbuf_addf(out, " %c %lld bytes", offset < 0 ? '-' : '+', (long long)(offset < 0 ? -offset : offset));
}

/* ---- a path ---- */

typedef struct Line {
    char *text;
    uint32_t conditions;
} Line;

typedef struct Printer {
    const Summaries *s;
    const Tree *tree;
    uint32_t *node_of, *above; /* of a side; of a node the side that leads to it */
    Vec(uint32_t) sides;       /* of the path at hand, the last one first */
    Vec(char *) bases;
    Map said;      /* conditions */
    Map unsigned_; /* variables of unsigned parameters */
    uint32_t conditions;
    bool full;
    StrBuf text;
    Instances whole; /* what calls inside give is shown as what it is */
} Printer;

/* Begins another part; false: the line is long enough. */
static bool begin_part(Printer *p)
{
    if (p->full) return false;
    p->full = p->text.len > MOST_TEXT;
    if (p->text.len) strbuf_add(&p->text, " and ");
    if (p->full) strbuf_add(&p->text, "…");
    return !p->full;
}

static const char *base_name(const Printer *p, uint32_t base)
{
    return base < p->bases.len ? p->bases.data[base] : "an object";
}

static void add_place(Printer *p, uint32_t base, int64_t offset, uint64_t bytes)
{
    Where where = {base, offset, bytes, base == ARGUMENT_BASE ? "" : base_name(p, base)};
    summary__place_name(p->s, p->tree, &where, &p->text);
}

/* What a value is compared with decides how it reads: the first of its variables is taken for all. */
static bool is_signed(const Printer *p, Expr e)
{
    const ExprPool *pool = p->s->pool;
    Expr work[MOST_VISITED];
    unsigned count = 0, visited = 0;
    work[count++] = e;
    while (count && visited++ < MOST_VISITED) {
        Expr at = work[--count];
        const Expr *elements = NULL;
        ExprKind kind = expr_kind(pool, at);
        if (kind == EXPR_VAR) return !map_find(&p->unsigned_, at);
        unsigned operands = kind == EXPR_APPLY ? expr_elements(pool, at, &elements) : expr_operand_count(kind);
        for (unsigned i = operands; i-- > 0 && count < MOST_VISITED;) work[count++] = elements ? elements[i] : expr_operand(pool, at, i);
    }
    return true;
}

static void add_float(Printer *p, U128 bits, unsigned width)
{
    double value = 0;
    float narrow;
    uint32_t low = (uint32_t)bits;
    uint64_t whole = (uint64_t)bits;
    memcpy(&narrow, &low, sizeof narrow);
    if (width == 64) memcpy(&value, &whole, sizeof value);
    else value = narrow;
    char text[40];
    snprintf(text, sizeof text, "%.15g", value);
    if (strtod(text, NULL) != value) snprintf(text, sizeof text, "%.17g", value);
    strbuf_add(&p->text, text);
}

/* A value that is returned or written; `type` may be NULL. */
static void add_value(Printer *p, Expr value, const Scalar *type)
{
    ExprPool *pool = p->s->pool;
    unsigned width = expr_width(pool, value);
    bool constant = expr_is_const(pool, value);
    if (constant && type && type->kind == SCALAR_FLOAT && (width == 32 || width == 64)) {
        add_float(p, expr_value(pool, value), width);
    } else if (constant && width == 64 && vm_is_address((uint64_t)expr_value(pool, value))) {
        uint64_t address = (uint64_t)expr_value(pool, value);
        VmObject object;
        bool known = vm_object(p->s->vm, address, &object) && object.exists;
        char *name = mem_format("&%s", vm_name_of_global(p->s->vm, object.start));
        if (known && name[1] && !strchr(name, ' ')) add_address(name, (int64_t)(address - object.start), &p->text);
        else strbuf_add(&p->text, "an address");
        free(name);
    } else {
        expr_text(pool, value, constant ? !type || type->sign || width >= 32 : is_signed(p, value), &p->text);
    }
}

/* ---- facts ---- */

static void say_condition(Printer *p, const Side *side)
{
    ExprPool *pool = p->s->pool;
    Expr condition = instances_expand(&p->whole, side->condition);
    if (expr_is_const(pool, condition) || map_find(&p->said, condition)) return;
    map_put(&p->said, condition, 1);
    p->conditions++;
    if (begin_part(p)) expr_text(pool, condition, is_signed(p, condition), &p->text);
}

static void say_read(Printer *p, const Node *node, const Side *side)
{
    ExprPool *pool = p->s->pool;
    bool argument = node->base == ARGUMENT_BASE;
    switch ((FactForm)side->form) {
    case FORM_VALUE: {
        unsigned width = (unsigned)(argument ? node->bytes : node->bytes * 8);
        p->conditions++;
        if (!begin_part(p)) return;
        add_place(p, node->base, node->offset, node->bytes);
        strbuf_add(&p->text, " = ");
        add_value(p, expr_const(pool, width, side->value), argument ? &p->tree->function->params[node->offset].type : NULL);
        break;
    }
    case FORM_UNDEFINED:
        p->conditions++;
        if (!begin_part(p)) return;
        add_place(p, node->base, node->offset, node->bytes);
        strbuf_add(&p->text, " is uninitialised");
        break;
    case FORM_INPUT:
        if (argument && !p->tree->function->params[node->offset].type.sign) map_put(&p->unsigned_, side->variable, 1);
        break;
    default: break;
    }
}

static void say_same(Printer *p, const Node *node, const Side *side)
{
    if (side->other == node->base) return;
    p->conditions++;
    if (!begin_part(p)) return;
    strbuf_addf(&p->text, "%s = ", base_name(p, node->base));
    add_address(base_name(p, side->other), side->offset, &p->text);
}

static void say_access(Printer *p, const Node *node, const Side *side)
{
    if (side->outcome < ACCESS_BUG) return;
    p->conditions++;
    if (!begin_part(p)) return;
    add_address(base_name(p, node->base), node->offset, &p->text);
    if (side->outcome - ACCESS_BUG == BUG_USE_AFTER_FREE) strbuf_add(&p->text, " is in memory that was freed");
    else strbuf_add(&p->text, node->write ? " cannot be written" : " is outside of its object");
}

static void say_fact(Printer *p, const Node *node, const Side *side)
{
    switch ((FactKind)node->kind) {
    case FACT_READ: say_read(p, node, side); break;
    case FACT_SAME: say_same(p, node, side); break;
    case FACT_ACCESS: say_access(p, node, side); break;
    case FACT_CONDITION: say_condition(p, side); break;
    default: break;
    }
    if (node->kind == FACT_PLACE) vec_push(&p->bases, mem_format("&%s", vm_name_of_global(p->s->vm, (uint64_t)node->value)));
    if (node->kind != FACT_READ) return;
    Expr named = side->form == FORM_POINTER ? side->variable : side->form == FORM_CURSOR ? side->object : 0;
    if (named) vec_push(&p->bases, mem_strdup(expr_var_name(p->s->pool, named)));
}

/* ---- the postcondition ---- */

static void say_end(Printer *p, const Leaf *leaf, const Node *last)
{
    const Loc *loc = &p->s->program->locs[leaf->loc];
    bool inside = last->kind == FACT_CONDITION && last->condition == CONDITION_SUMMARY && !leaf->loc;
    strbuf_add(&p->text, "false (");
    if (leaf->stop == VM_BUG) strbuf_addf(&p->text, "bug: %s", bug_name((BugKind)leaf->bug));
    else if (leaf->stop == VM_SIGNAL) strbuf_add(&p->text, "signal");
    else if (leaf->stop == VM_ASSUMPTION) strbuf_add(&p->text, "an assumption does not hold");
    else strbuf_add(&p->text, inside ? "a call does not return" : "exit");
    if (leaf->loc && loc->line) strbuf_addf(&p->text, " at %s:%u", loc->file, loc->line);
    strbuf_add(&p->text, ")");
}

static void say_post(Printer *p, const Leaf *leaf, const Node *last)
{
    const Tree *tree = p->tree;
    const char *and = p->text.len ? " and " : "";
    if (leaf->in_place) {
        strbuf_addf(&p->text, "%sexecuted in place", and);
        return;
    }
    if (!leaf->returns) {
        strbuf_add(&p->text, and);
        say_end(p, leaf, last);
        return;
    }
    for (uint32_t i = 0; i < leaf->result_count; i++, and = " and ") {
        strbuf_addf(&p->text, "%sret", and);
        if (leaf->result_count > 1) strbuf_addf(&p->text, ".%u", i);
        strbuf_add(&p->text, " = ");
        add_value(p, instances_expand(&p->whole, tree->results.data[leaf->results + i]), &tree->function->results[i]);
    }
    for (uint32_t i = 0; i < leaf->write_count; i++, and = " and ") {
        const Write *w = &tree->writes.data[leaf->writes + i];
        if (p->text.len > 2 * MOST_TEXT) {
            strbuf_addf(&p->text, "%s…", and);
            return;
        }
        strbuf_add(&p->text, and);
        add_place(p, w->base, w->offset, w->bytes);
        strbuf_add(&p->text, " := ");
        add_value(p, instances_expand(&p->whole, w->value), NULL);
    }
    if (!leaf->result_count && !leaf->write_count) strbuf_addf(&p->text, "%strue", and);
}

/* ---- the tree ---- */

static void find_ways(Printer *p)
{
    const Tree *tree = p->tree;
    p->node_of = mem_alloc(tree->sides.len * sizeof *p->node_of);
    p->above = mem_alloc(tree->nodes.len * sizeof *p->above);
    for (uint32_t node = 1; node < tree->nodes.len; node++) {
        for (uint32_t side = tree->nodes.data[node].sides; side; side = tree->sides.data[side].next) {
            p->node_of[side] = node;
            if (tree->sides.data[side].child) p->above[tree->sides.data[side].child] = side;
        }
    }
}

static Line line_of(Printer *p, uint32_t last)
{
    const Tree *tree = p->tree;
    vec_clear(&p->sides);
    for (uint32_t side = last; side; side = p->above[p->node_of[side]]) vec_push(&p->sides, side);
    for (uint32_t i = p->sides.len; i-- > 0;)
        say_fact(p, &tree->nodes.data[p->node_of[p->sides.data[i]]], &tree->sides.data[p->sides.data[i]]);
    say_post(p, &tree->leaves.data[tree->sides.data[last].leaf], &tree->nodes.data[p->node_of[last]]);
    Line line = {p->text.text, p->conditions};
    for (uint32_t i = 0; i < p->bases.len; i++) free(p->bases.data[i]);
    vec_clear(&p->bases);
    map_release(&p->said);
    p->text = (StrBuf){0};
    p->conditions = 0;
    p->full = false;
    return line;
}

static int compare_lines(const void *a, const void *b)
{
    const Line *x = a, *y = b;
    if (x->conditions != y->conditions) return x->conditions < y->conditions ? -1 : 1;
    return strverscmp(x->text, y->text);
}

void summaries_print(const Summaries *s, uint32_t i, StrBuf *out)
{
    Printer p = {.s = s, .tree = vec_at(&s->trees, i)};
    Vec(Line) lines = {0};
    instances_init(&p.whole, s, s->pool, false);
    p.whole.most = expr_pool_count(s->pool) + MOST_EXPANDED;
    find_ways(&p);
    for (uint32_t side = 1; side < p.tree->sides.len; side++)
        if (p.tree->sides.data[side].leaf) vec_push(&lines, line_of(&p, side));
    if (lines.len) qsort(lines.data, lines.len, sizeof(Line), compare_lines);
    for (uint32_t k = 0; k < lines.len; k++) {
        if (k < MOST_LINES) strbuf_addf(out, "%s%s\n", k ? "or " : "", lines.data[k].text);
        free(lines.data[k].text);
    }
    if (lines.len > MOST_LINES) strbuf_addf(out, "… and %u more\n", lines.len - MOST_LINES);
    instances_release(&p.whole);
    free(p.node_of);
    free(p.above);
    map_release(&p.unsigned_);
    vec_release(&p.sides);
    vec_release(&p.bases);
    vec_release(&lines);
}
