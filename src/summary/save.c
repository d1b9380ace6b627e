/* Summaries as bytes, to be taken up by another campaign whose program has the function unchanged (hash.c).
 *
 *   hash of the rest (8 bytes), format, counts, nodes, sides, leaves, writes, then the expressions (expr_encode): inputs, conditions, results, values
 *
 * Numbers are LEB128.  What another run does not have is named by something that it has: globals by their names, places in the source by an instruction of
 * the function or of one it may call, inputs by the facts that bring them in: their keys are found again on the way down the tree.
 * A tree that depends on addresses in another way, or on real functions, is not saved.  The reader is load.c. */
#include "summary/save_int.h"

#include <stdlib.h>

/* ---- what cannot be saved ---- */

static bool names_address(U128 value, unsigned width)
{
    uint64_t low = (uint64_t)value, high = (uint64_t)(value >> 64);
    return width >= 64 && (vm_is_address(low) || vm_is_address(-low) || vm_is_address(high));
}

/* The bytes of a table of addresses. */
static bool holds_address(const ExprPool *pool, Expr array)
{
    const Expr *elements;
    uint32_t count = expr_elements(pool, array, &elements);
    for (uint32_t i = 0; i + 8 <= count && expr_width(pool, array) == 8; i += 8) {
        uint64_t value = 0;
        for (unsigned k = 0; k < 8; k++)
            if (expr_is_const(pool, elements[i + k])) value |= (uint64_t)expr_value(pool, elements[i + k]) << 8 * k;
        if (vm_is_address(value)) return true;
    }
    return false;
}

static bool is_portable(const ExprPool *pool, const Vec_exprs *roots)
{
    Map seen = {0};
    Vec_exprs work = {0};
    bool fine = true;
    for (uint32_t i = 0; i < roots->len; i++)
        if (roots->data[i]) vec_push(&work, roots->data[i]);
    while (work.len && fine) {
        Expr e = vec_pop(&work);
        if (map_find(&seen, e)) continue;
        map_put(&seen, e, 1);
        ExprKind kind = expr_kind(pool, e);
        fine = kind != EXPR_APPLY;
        if (kind == EXPR_CONST) fine = !names_address(expr_value(pool, e), expr_width(pool, e));
        if (kind == EXPR_ARRAY) fine = !holds_address(pool, e);
        summary__push_operands(pool, e, &work);
    }
    map_release(&seen);
    vec_release(&work);
    return fine;
}

/* ---- writing ---- */

typedef struct Writer {
    const Summaries *s;
    const Tree *tree;
    StrBuf *out;
    Map input_of; /* variable -> number + 1 */
    Vec_exprs roots;
    Map instr_of; /* place in the source -> function, instruction */
    Map locs;     /* place in the source -> number of those written */
    Map flags;    /* node -> NODE_GENERAL */
    bool refused;
} Writer;

static void put_number(Writer *w, U128 value)
{
    for (; value >= 0x80; value >>= 7) strbuf_add_bytes(w->out, &(char){(char)(0x80 | (unsigned)(value & 0x7f))}, 1);
    strbuf_add_bytes(w->out, &(char){(char)value}, 1);
}

static void put_signed(Writer *w, int64_t value)
{
    put_number(w, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

static void put_text(Writer *w, const char *text)
{
    put_number(w, strlen(text));
    strbuf_add(w->out, text);
}

/* The places of the function and of all that it may come to by direct calls. */
static void find_locs(Writer *w)
{
    const Program *program = w->s->program;
    uint8_t *seen = mem_alloc(program->function_count);
    Vec(uint32_t) work = {0};
    vec_push(&work, w->tree->facts.function);
    seen[w->tree->facts.function] = 1;
    for (uint32_t at = 0; at < work.len; at++) {
        const Function *f = &program->functions[work.data[at]];
        for (uint32_t i = 0; i < f->code_count; i++)
            if (f->code[i].loc && !map_find(&w->instr_of, f->code[i].loc))
                map_put(&w->instr_of, f->code[i].loc, (uint64_t)work.data[at] << 32 | i);
        for (uint32_t i = 0; i < f->callee_count; i++)
            if (!seen[f->callees[i]]++) vec_push(&work, f->callees[i]);
    }
    vec_release(&work);
    free(seen);
}

static void put_loc(Writer *w, uint32_t loc)
{
    const uint64_t *known = map_find(&w->locs, loc), *at = map_find(&w->instr_of, loc);
    put_number(w, !loc ? 0 : known ? *known : w->locs.len + 1);
    if (!loc || known) return;
    const Function *f = at ? &w->s->program->functions[*at >> 32] : NULL;
    if (!f || program_function(w->s->program, f->name) != f) {
        w->refused = true;
        return;
    }
    put_text(w, f->name);
    put_number(w, (uint32_t)*at);
    map_put(&w->locs, loc, w->locs.len + 1);
}

static void put_node(Writer *w, uint32_t number)
{
    const Node *node = &w->tree->nodes.data[number];
    const uint64_t *flags = map_find(&w->flags, number);
    put_number(w, node->kind);
    put_number(w, (node->write ? NODE_WRITE : 0) | (node->closed ? NODE_CLOSED : 0) | (flags ? *flags : 0));
    put_number(w, node->condition);
    put_number(w, node->bug);
    put_number(w, node->base);
    put_loc(w, node->loc);
    put_number(w, node->sides);
    put_signed(w, node->offset);
    put_number(w, node->bytes);
    if (node->kind != FACT_PLACE) return;
    const char *name = vm_name_of_global(w->s->vm, (uint64_t)node->value);
    w->refused |= vm_global_address(w->s->vm, name) != node->value;
    put_text(w, name);
}

static void put_input(Writer *w, Expr variable)
{
    put_number(w, variable ? *map_find(&w->input_of, variable) : 0);
}

static void put_side(Writer *w, const Side *side)
{
    w->refused |= names_address(side->value, 64);
    put_number(w, side->next);
    put_number(w, side->child);
    put_number(w, side->leaf);
    put_number(w, side->form);
    put_number(w, side->outcome);
    put_number(w, side->write);
    put_number(w, side->other);
    put_signed(w, side->offset);
    put_number(w, side->bytes);
    put_number(w, side->value);
    put_input(w, side->variable);
    put_input(w, side->object);
}

static void put_leaf(Writer *w, const Leaf *leaf)
{
    put_number(w, leaf->returns);
    put_number(w, leaf->in_place);
    put_number(w, leaf->stop);
    put_number(w, leaf->bug);
    put_loc(w, leaf->loc);
    put_number(w, leaf->results);
    put_number(w, leaf->result_count);
    put_number(w, leaf->writes);
    put_number(w, leaf->write_count);
}

static void add_input(Writer *w, Expr variable)
{
    if (!variable || map_find(&w->input_of, variable)) return;
    vec_push(&w->roots, variable);
    map_put(&w->input_of, variable, w->roots.len);
}

static void add_root(Writer *w, Instances *whole, Expr e)
{
    vec_push(&w->roots, e ? instances_expand(whole, e) : 0);
}

static void collect_roots(Writer *w)
{
    const Tree *tree = w->tree;
    for (uint32_t i = 1; i < tree->sides.len; i++) {
        add_input(w, tree->sides.data[i].object);
        add_input(w, tree->sides.data[i].variable);
    }
    Instances whole; /* what calls inside give, as what it is */
    instances_init(&whole, w->s, w->s->pool, false);
    whole.most = expr_pool_count(w->s->pool) + MOST_EXPANDED;
    for (uint32_t i = 1; i < tree->sides.len; i++) add_root(w, &whole, tree->sides.data[i].condition);
    for (uint32_t i = 0; i < tree->results.len; i++) add_root(w, &whole, tree->results.data[i]);
    for (uint32_t i = 0; i < tree->writes.len; i++) add_root(w, &whole, tree->writes.data[i].value);
    w->refused |= whole.exceeded;
    instances_release(&whole);
}

static void collect_flags(Writer *w)
{
    const Tree *tree = w->tree;
    Route route = {.tree = tree};
    while (route_next(&route)) {
        uint32_t node = vec_top(&route.steps).node;
        route_enter(&route);
        if (tree->nodes.data[node].kind != FACT_READ) continue;
        uint64_t key = route_place_key(&route, &tree->nodes.data[node]);
        map_put(&w->flags, node, map_find(&tree->general, key) ? NODE_GENERAL : 0);
    }
    route_release(&route);
}

static void put_tree(Writer *w)
{
    const Tree *tree = w->tree;
    uint32_t inputs = w->input_of.len;
    const uint32_t counts[] = {FORMAT, tree->nodes.len, tree->sides.len, tree->leaves.len, tree->results.len, tree->writes.len, inputs};
    for (unsigned i = 0; i < COUNT_OF(counts); i++) put_number(w, counts[i]);
    put_number(w, tree->facts.paths);
    for (uint32_t i = 1; i < tree->nodes.len; i++) put_node(w, i);
    for (uint32_t i = 1; i < tree->sides.len; i++) put_side(w, &tree->sides.data[i]);
    for (uint32_t i = 1; i < tree->leaves.len; i++) put_leaf(w, &tree->leaves.data[i]);
    for (uint32_t i = 0; i < tree->writes.len; i++) {
        put_number(w, tree->writes.data[i].base);
        put_number(w, tree->writes.data[i].bytes);
        put_signed(w, tree->writes.data[i].offset);
    }
    expr_encode(w->s->pool, w->roots.data, w->roots.len, w->out);
}

bool summaries_save(const Summaries *s, uint32_t i, StrBuf *bytes)
{
    Writer w = {.s = s, .tree = vec_at(&s->trees, i), .out = bytes};
    size_t start = bytes->len;
    if (w.tree->leaves.len == 1) return false;
    collect_roots(&w);
    bool fine = !w.refused && is_portable(s->pool, &w.roots);
    if (fine) {
        find_locs(&w);
        collect_flags(&w);
        strbuf_add_bytes(bytes, &(uint64_t){0}, HASH_BYTES);
        put_tree(&w);
        fine = !w.refused;
        uint64_t hash = hash_bytes(bytes->text + start + HASH_BYTES, bytes->len - start - HASH_BYTES);
        memcpy(bytes->text + start, &hash, HASH_BYTES);
    }
    if (!fine) bytes->len = start;
    map_release(&w.input_of);
    map_release(&w.instr_of);
    map_release(&w.locs);
    map_release(&w.flags);
    vec_release(&w.roots);
    return fine;
}
