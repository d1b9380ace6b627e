/* A function's tree in one calling state.
 *
 * The actual values are put for the function's inputs.  What the calling state decides (which objects pointers lead to, constants, conditions that fold)
 * is left out, and what remains is a small tree of conditions in the caller's view, whose leaves return, end the program, or are
 * missing.  Results and written places become choices along it. */
#include "summary/summary_int.h"

#include <stdlib.h>

enum { CONCRETE_VALUES = 24 }; /* that are tried where one has to be fixed */

/* ---- bases ---- */

static uint64_t object_start(const Walk *walk, uint64_t address)
{
    uint64_t start = 0, size;
    return vm_look_object(walk->call->summaries->vm, address, &start, &size) ? start : 0;
}

static uint32_t first_in_object(const Walk *walk, uint64_t start)
{
    for (uint32_t k = 0; k < walk->bases.len; k++)
        if (object_start(walk, walk->bases.data[k].address) == start) return k;
    return UINT32_MAX;
}

/* ---- sides that the state decides ---- */

static const Tree *tree_of(const Walk *walk)
{
    return walk->call->tree;
}

static uint32_t newest(const Walk *walk, uint32_t node)
{
    uint32_t side = tree_of(walk)->nodes.data[node].sides;
    while (side && tree_of(walk)->sides.data[side].version > walk->version) side = tree_of(walk)->sides.data[side].next;
    return side;
}

static uint32_t older(const Walk *walk, uint32_t side)
{
    return tree_of(walk)->sides.data[side].next;
}

static uint32_t side_same(Walk *walk, const Node *node, uint32_t side)
{
    WalkBase *base = &walk->bases.data[node->base];
    if (base->actual) vm_look_address(walk->call->summaries->vm, base->actual);
    uint64_t start = object_start(walk, base->address);
    uint32_t first = first_in_object(walk, start);
    for (; side; side = older(walk, side)) {
        const Side *s = &tree_of(walk)->sides.data[side];
        if (s->other == first && (uint64_t)s->offset == base->address - walk->bases.data[first].address) return side;
    }
    return 0;
}

static uint32_t side_access(Walk *walk, const Node *node, uint32_t side)
{
    Vm *vm = walk->call->summaries->vm;
    uint64_t base = walk->bases.data[node->base].address;
    unsigned outcome = vm_look_access(vm, base, node->offset, node->bytes, node->write);
    while (side && tree_of(walk)->sides.data[side].outcome != outcome) side = older(walk, side);
    if (side && outcome < ACCESS_BUG) vm_look_at(vm, base + (uint64_t)node->offset, node->bytes, node->write);
    return side;
}

static uint32_t side_size(Walk *walk, const Node *node, uint32_t side)
{
    Vm *vm = walk->call->summaries->vm;
    uint64_t base = walk->bases.data[node->base].address, start = 0, size = 0;
    vm_look_object(vm, base, &start, &size);
    vm_look_size(vm, base);
    bool limited = vm_look_limit(vm, base) != 0, readonly = vm_is_readonly(vm, base);
    for (; side; side = older(walk, side)) {
        const Side *s = &tree_of(walk)->sides.data[side];
        if ((uint64_t)s->offset == base - start && s->bytes == size - (base - start) && s->write == readonly &&
            s->outcome == (limited ? ACCESS_LIMITED : ACCESS_FINE))
            return side;
    }
    return 0;
}

static uint32_t side_limit(Walk *walk, const Node *node, uint32_t side)
{
    Expr limit = vm_look_limit(walk->call->summaries->vm, walk->bases.data[node->base].address);
    if (limit && side) expr_translation_set(&walk->into_view, tree_of(walk)->sides.data[side].variable, limit);
    return limit ? side : 0;
}

static uint32_t side_place(Walk *walk, const Node *node, uint32_t side)
{
    uint64_t start = object_start(walk, (uint64_t)node->value);
    if (start != (uint64_t)node->value) return 0;
    Expr address = expr_const(vm_pool(walk->call->summaries->vm), 64, start);
    vm_look_address(walk->call->summaries->vm, address);
    vec_push(&walk->bases, ((WalkBase){start, hash_mix(start), address}));
    return side;
}

/* ---- reads ---- */

static uint32_t with_form(const Walk *walk, uint32_t side, VmForm form)
{
    while (side && tree_of(walk)->sides.data[side].form != form) side = older(walk, side);
    return side;
}

static bool stays_inside(Walk *walk, Expr actual, uint64_t start, uint64_t size)
{
    ExprPool *pool = vm_pool(walk->call->summaries->vm);
    Expr offset = expr_binary(pool, EXPR_SUB, vm_root(walk->call->summaries->vm, actual), expr_const(pool, 64, start));
    Expr inside = expr_binary(pool, EXPR_ULE, offset, expr_const(pool, 64, size));
    return walk->call->session.holds(walk->call->session.data, inside);
}

static void bind(Walk *walk, Expr variable, Expr actual)
{
    if (!expr_translated(&walk->into_view, variable)) expr_translation_set(&walk->into_view, variable, actual);
}

static uint32_t read_pointer(Walk *walk, uint32_t side, uint64_t key, Expr actual, uint64_t address)
{
    side = with_form(walk, side, FORM_POINTER);
    if (!side) return 0;
    bind(walk, tree_of(walk)->sides.data[side].variable, actual);
    vec_push(&walk->bases, ((WalkBase){address, key, actual}));
    return side;
}

static uint32_t read_cursor(Walk *walk, uint32_t side, uint64_t key, Expr actual, uint64_t address)
{
    Vm *vm = walk->call->summaries->vm;
    side = with_form(walk, side, FORM_CURSOR);
    if (!side) return 0;
    Expr begin = vm_look_start(vm, address);
    bind(walk, tree_of(walk)->sides.data[side].object, begin);
    bind(walk, tree_of(walk)->sides.data[side].variable, expr_binary(vm_pool(vm), EXPR_SUB, actual, begin));
    vec_push(&walk->bases, ((WalkBase){object_start(walk, address), hash_mix(key ^ 0xb5), begin}));
    return side;
}

/* A constant that other calls had with another value becomes an input from now on. */
static uint32_t read_number(Walk *walk, uint32_t side, uint64_t key, Expr actual, bool argument)
{
    const Tree *tree = tree_of(walk);
    ExprPool *pool = vm_pool(walk->call->summaries->vm);
    bool other = false;
    for (uint32_t s = side; s && !argument && expr_is_const(pool, actual); s = older(walk, s)) {
        if (tree->sides.data[s].form != FORM_VALUE) continue;
        if (tree->sides.data[s].value == expr_value(pool, actual)) return s;
        other = true;
    }
    side = with_form(walk, side, FORM_INPUT);
    if (side) bind(walk, tree->sides.data[side].variable, actual);
    if (!side && other) map_put(&walk->call->tree->general, key, 1);
    return side;
}

static uint32_t side_read(Walk *walk, const Node *node, uint32_t side)
{
    Vm *vm = walk->call->summaries->vm;
    bool argument = node->base == ARGUMENT_BASE;
    uint64_t base_key = argument ? ARGUMENT_BASE : walk->bases.data[node->base].key, start = 0, size = 0;
    uint64_t key = vm_place_key(base_key, node->offset, node->bytes);
    uint32_t undefined = 0;
    Expr actual = argument ? vm_call_argument(vm, (uint32_t)node->offset)
                           : vm_look(vm, walk->bases.data[node->base].address + (uint64_t)node->offset, (uint32_t)node->bytes, &undefined);
    if (undefined) return with_form(walk, side, undefined == (1u << node->bytes) - 1 ? FORM_UNDEFINED : FORM_BYTES);
    bool pointer = argument ? tree_of(walk)->function->params[node->offset].type.kind == SCALAR_POINTER && node->bytes == 64
                            : node->bytes == 8;
    uint64_t address = pointer ? (uint64_t)expr_eval(vm_model(vm), actual) : 0;
    if (pointer && vm_look_object(vm, address, &start, &size)) {
        if (expr_is_const(vm_pool(vm), vm_root(vm, actual))) return read_pointer(walk, side, key, actual, address);
        if (stays_inside(walk, actual, start, size)) return read_cursor(walk, side, key, actual, address);
        walk->unfit = "it gets a pointer that may point to several objects";
        return 0;
    }
    return read_number(walk, side, key, actual, argument);
}

static uint32_t decided_side(Walk *walk, uint32_t node)
{
    const Node *n = &tree_of(walk)->nodes.data[node];
    uint32_t side = newest(walk, node);
    switch ((VmFactKind)n->kind) {
    case FACT_READ: return side_read(walk, n, side);
    case FACT_PLACE: return side_place(walk, n, side);
    case FACT_SAME: return side_same(walk, n, side);
    case FACT_ACCESS: return side_access(walk, n, side);
    case FACT_SIZE: return side_size(walk, n, side);
    case FACT_LIMIT: return side_limit(walk, n, side);
    default: return side;
    }
}

/* ---- places ---- */

static uint32_t add_place(Walk *walk, const Place *place)
{
    vec_push(&walk->places, *place);
    return walk->places.len - 1;
}

static uint32_t add_leaf(Walk *walk, uint32_t leaf, uint32_t parent, bool is_yes)
{
    const Leaf *l = &tree_of(walk)->leaves.data[leaf];
    Place place = {.kind = l->returns ? PLACE_RETURN : PLACE_END, .leaf = leaf, .parent = parent, .is_yes = is_yes};
    place.results = walk->results.len;
    for (uint32_t i = 0; i < l->result_count; i++)
        vec_push(&walk->results, expr_translate(&walk->into_view, tree_of(walk)->results.data[l->results + i]));
    place.writes = walk->writes.len;
    place.write_count = l->write_count;
    for (uint32_t i = 0; i < l->write_count; i++) {
        const Write *w = &tree_of(walk)->writes.data[l->writes + i];
        uint64_t address = walk->bases.data[w->base].address + (uint64_t)w->offset;
        vec_push(&walk->writes, ((PlaceWrite){address, w->bytes, expr_translate(&walk->into_view, w->value)}));
    }
    return add_place(walk, &place);
}

static uint32_t side_count(const Walk *walk, uint32_t node)
{
    uint32_t n = 0;
    for (uint32_t side = newest(walk, node); side; side = older(walk, side)) n++;
    return n;
}

/* The check has held on a path: what is missing is its failure. */
static bool has_held(const Walk *walk, uint32_t node)
{
    for (uint32_t side = newest(walk, node); side; side = older(walk, side))
        if (tree_of(walk)->sides.data[side].write) return true;
    return false;
}

static uint32_t add_missing(Walk *walk, uint32_t node, uint32_t parent, bool is_yes)
{
    const Summaries *summaries = walk->call->summaries;
    const Node *n = &tree_of(walk)->nodes.data[node];
    Place place = {.kind = PLACE_MISSING, .node = node, .side = newest(walk, node), .parent = parent, .is_yes = is_yes};
    bool check = n->kind == FACT_CONDITION && n->condition == CONDITION_CHECK && n->bug != BUG_NONE;
    if (check && has_held(walk, node) && summaries->options.knows_bug(summaries->options.data, (BugKind)n->bug, n->loc))
        place.kind = PLACE_END;
    if (n->kind == FACT_CONDITION && n->condition == CONDITION_CONCRETE) place.is_lost = side_count(walk, node) >= CONCRETE_VALUES;
    return add_place(walk, &place);
}

static uint32_t walk_from(Walk *walk, uint32_t node, uint32_t parent, bool is_yes);

static uint32_t walk_side(Walk *walk, uint32_t side, uint32_t parent, bool is_yes)
{
    const Side *s = &tree_of(walk)->sides.data[side];
    return s->leaf ? add_leaf(walk, s->leaf, parent, is_yes) : walk_from(walk, s->child, parent, is_yes);
}

/* One side after the other: yes leads to it, no to the next. */
static uint32_t walk_condition_node(Walk *walk, uint32_t node, uint32_t parent, bool is_yes)
{
    ExprPool *pool = vm_pool(walk->call->summaries->vm), *own = walk->call->summaries->pool;
    const Tree *tree = tree_of(walk);
    uint32_t first = UINT32_MAX, above = parent, bases = walk->bases.len;
    bool yes = is_yes, closed = tree->nodes.data[node].closed && tree->nodes.data[node].closed <= walk->version;
    for (uint32_t side = newest(walk, node); side; side = older(walk, side)) {
        Expr condition = expr_translate(&walk->into_view, tree->sides.data[side].condition);
        if (expr_is_const(pool, condition) && !expr_value(pool, condition)) continue;
        uint32_t last = older(walk, side);
        bool only = (closed && !last) || expr_is_const(pool, condition);
        if (!only && first != UINT32_MAX) {
            uint32_t before = newest(walk, node);
            only = older(walk, before) == side && !last &&
                   expr_not(own, tree->sides.data[before].condition) == tree->sides.data[side].condition;
        }
        walk->bases.len = bases;
        if (only) {
            uint32_t place = walk_side(walk, side, above, yes);
            if (first == UINT32_MAX) return place;
            walk->places.data[above].no = place;
            return first;
        }
        uint32_t made = add_place(walk, &(Place){.kind = PLACE_BRANCH, .condition = condition, .parent = above, .is_yes = yes});
        if (first == UINT32_MAX) first = made;
        else walk->places.data[above].no = made;
        uint32_t below = walk_side(walk, side, made, true);
        walk->places.data[made].yes = below;
        above = made;
        yes = false;
    }
    walk->bases.len = bases;
    uint32_t missing = add_missing(walk, node, above, yes);
    if (first == UINT32_MAX) return missing;
    walk->places.data[above].no = missing;
    return first;
}

static uint32_t walk_from(Walk *walk, uint32_t node, uint32_t parent, bool is_yes)
{
    const Tree *tree = tree_of(walk);
    while (node && tree->nodes.data[node].kind != FACT_CONDITION) {
        uint32_t side = walk->unfit ? 0 : decided_side(walk, node);
        if (!side) return add_missing(walk, node, parent, is_yes);
        if (tree->sides.data[side].leaf) return add_leaf(walk, tree->sides.data[side].leaf, parent, is_yes);
        node = tree->sides.data[side].child;
    }
    return node ? walk_condition_node(walk, node, parent, is_yes)
                : add_place(walk, &(Place){.kind = PLACE_MISSING, .parent = parent, .is_yes = is_yes});
}

static Expr unbound(void *data, Expr variable)
{
    (void)data;
    REQUIRE(!variable, "an input that was not read");
    return 0;
}

static Expr undefined_in_view(void *data, unsigned width)
{
    return vm_undefined(data, width);
}

uint32_t walk_tree(Walk *walk, Call *call, uint32_t version)
{
    *walk = (Walk){.call = call, .version = version};
    expr_translation_init(&walk->into_view, call->summaries->pool, vm_pool(call->summaries->vm));
    walk->into_view.undef = undefined_in_view;
    walk->into_view.variable = unbound;
    walk->into_view.data = call->summaries->vm;
    bool empty = call->tree->nodes.len == 1 || !newest(walk, 1);
    return walk_from(walk, empty ? 0 : 1, UINT32_MAX, true);
}

void walk_release(Walk *walk)
{
    expr_translation_release(&walk->into_view);
    vec_release(&walk->bases);
    vec_release(&walk->places);
    vec_release(&walk->results);
    vec_release(&walk->writes);
}

/* ---- what comes of it ---- */

/* Places are numbered downwards, so children have higher numbers: one pass from the end, without recursion. */
Expr walk_condition(Walk *walk, uint32_t first, PlaceKind kind)
{
    ExprPool *pool = vm_pool(walk->call->summaries->vm);
    Vec(Expr) values = {0};
    for (uint32_t i = 0; i < walk->places.len; i++) vec_push(&values, 0);
    for (uint32_t i = walk->places.len; i-- > 0;) {
        const Place *p = &walk->places.data[i];
        if (p->kind == PLACE_BRANCH) values.data[i] = expr_ite(pool, p->condition, values.data[p->yes], values.data[p->no]);
        else values.data[i] = expr_const(pool, 1, p->kind == kind);
    }
    Expr result = values.data[first];
    vec_release(&values);
    return result;
}

/* A value for every place that returns; the others do not matter. */
static Expr choose(Walk *walk, uint32_t first, Expr *values)
{
    ExprPool *pool = vm_pool(walk->call->summaries->vm);
    for (uint32_t i = walk->places.len; i-- > 0;) {
        const Place *p = &walk->places.data[i];
        if (p->kind != PLACE_BRANCH) continue;
        Expr yes = values[p->yes], no = values[p->no];
        values[i] = !yes ? no : !no ? yes : expr_ite(pool, p->condition, yes, no);
    }
    return values[first];
}

static int compare_writes(const void *a, const void *b)
{
    const PlaceWrite *x = a, *y = b;
    if (x->address != y->address) return x->address < y->address ? -1 : 1;
    return x->bytes < y->bytes ? 1 : x->bytes > y->bytes ? -1 : 0;
}

typedef Vec(PlaceWrite) PlaceWrites;

/* What is written on some path: whole values where all agree on them, else bytes. */
static void find_segments(const Walk *walk, PlaceWrites *segments)
{
    PlaceWrites all = {0};
    for (uint32_t i = 0; i < walk->writes.len; i++) vec_push(&all, walk->writes.data[i]);
    if (all.len) qsort(all.data, all.len, sizeof(PlaceWrite), compare_writes);
    for (uint32_t i = 0; i < all.len;) {
        uint64_t from = all.data[i].address, end = from + all.data[i].bytes;
        uint32_t next = i + 1, bytes = all.data[i].bytes;
        bool whole = true;
        for (; next < all.len && all.data[next].address < end; next++) {
            whole &= all.data[next].address == from && all.data[next].bytes == bytes;
            if (all.data[next].address + all.data[next].bytes > end) end = all.data[next].address + all.data[next].bytes;
        }
        if (whole) vec_push(segments, ((PlaceWrite){from, bytes, 0}));
        for (uint64_t at = from; !whole && at < end; at++) vec_push(segments, ((PlaceWrite){at, 1, 0}));
        i = next;
    }
    vec_release(&all);
}

/* What a path leaves in the segment; 0: nothing. */
static Expr written_by(Walk *walk, const Place *place, const PlaceWrite *segment)
{
    for (uint32_t i = 0; i < place->write_count; i++) {
        const PlaceWrite *w = &walk->writes.data[place->writes + i];
        if (segment->address < w->address || segment->address >= w->address + w->bytes) continue;
        return expr_extract(vm_pool(walk->call->summaries->vm), w->value, (unsigned)(segment->address - w->address) * 8,
                            segment->bytes * 8);
    }
    return 0;
}

static Expr segment_value(Walk *walk, uint32_t first, const PlaceWrite *segment, Expr *values)
{
    Vm *vm = walk->call->summaries->vm;
    Expr old = 0;
    uint32_t undefined;
    for (uint32_t i = 0; i < walk->places.len; i++) {
        const Place *p = &walk->places.data[i];
        values[i] = p->kind == PLACE_RETURN ? written_by(walk, p, segment) : 0;
        if (p->kind == PLACE_RETURN && !values[i] && !old) old = vm_look(vm, segment->address, segment->bytes, &undefined);
        if (p->kind == PLACE_RETURN && !values[i]) values[i] = old;
    }
    return choose(walk, first, values);
}

/* 0: it is always so, or never. */
static Expr undecided(Walk *walk, Expr condition)
{
    return expr_is_const(vm_pool(walk->call->summaries->vm), condition) ? 0 : condition;
}

void walk_complete(Walk *walk, uint32_t first)
{
    Expr returns = undecided(walk, walk_condition(walk, first, PLACE_RETURN)),
         ends = undecided(walk, walk_condition(walk, first, PLACE_END));
    bool whole = !undecided(walk, walk_condition(walk, first, PLACE_MISSING));
    const Tree *tree = tree_of(walk);
    Vm *vm = walk->call->summaries->vm;
    PlaceWrites segments = {0};
    Vec(Expr) results = {0};
    Expr *values = mem_alloc((walk->places.len + 1) * sizeof *values);
    find_segments(walk, &segments);
    for (uint32_t i = 0; i < segments.len; i++) segments.data[i].value = segment_value(walk, first, &segments.data[i], values);
    for (uint32_t r = 0; r < tree->function->result_count; r++) {
        for (uint32_t i = 0; i < walk->places.len; i++) {
            const Place *p = &walk->places.data[i];
            const Leaf *leaf = &tree->leaves.data[p->leaf];
            bool has = p->kind == PLACE_RETURN && r < leaf->result_count;
            values[i] = has ? walk->results.data[p->results + r] : 0;
        }
        Expr value = choose(walk, first, values);
        if (!value) break;
        vec_push(&results, value);
    }
    vm_complete_call(vm, returns, ends, whole, results.data, results.len);
    for (uint32_t i = 0; i < segments.len; i++)
        if (segments.data[i].value) vm_put(vm, segments.data[i].address, segments.data[i].bytes, segments.data[i].value);
    free(values);
    vec_release(&segments);
    vec_release(&results);
}
