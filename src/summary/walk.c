/* A function's tree in one calling state.
 *
 * The actual values are put for the function's inputs.  What the calling state decides (which objects pointers lead to, constants, conditions that fold)
 * is left out, and what remains is a small tree of conditions, whose leaves return, end the program, or are missing. */
#include "summary/summary_int.h"

#include <stdlib.h>

enum { CONCRETE_VALUES = 24 }; /* that are tried where one has to be fixed */

/* ---- bases ---- */

static uint64_t object_start(const Walk *walk, uint64_t address)
{
    VmObject object;
    return vm_object(walk->call->summaries->vm, address, &object) && object.exists ? object.start : 0;
}

static uint32_t first_in_object(const Walk *walk, uint64_t start)
{
    for (uint32_t k = 0; k < walk->bases.len; k++)
        if (object_start(walk, walk->bases.data[k].address) == start) return k;
    return UINT32_MAX;
}

static void bind(Walk *walk, Expr variable, Expr actual)
{
    if (map_find(&walk->bound, variable)) return;
    map_put(&walk->bound, variable, 1);
    if (!expr_translated(&walk->call->into_view, variable)) expr_translation_set(&walk->call->into_view, variable, actual);
    vec_push(&walk->variables, variable);
    vec_push(&walk->actuals, actual);
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
    if (base->actual) isolation_follow(walk->call->summaries->isolation, base->actual);
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
    Isolation *isolation = walk->call->summaries->isolation;
    uint64_t base = walk->bases.data[node->base].address;
    unsigned outcome = isolation_access(isolation, base, node->offset, node->bytes, node->write);
    while (side && tree_of(walk)->sides.data[side].outcome != outcome) side = older(walk, side);
    return side;
}

static uint32_t side_size(Walk *walk, const Node *node, uint32_t side)
{
    uint64_t base = walk->bases.data[node->base].address;
    VmObject object;
    vm_object(walk->call->summaries->vm, base, &object);
    bool limited = isolation_bounds(walk->call->summaries->isolation, base) != 0;
    for (; side; side = older(walk, side)) {
        const Side *s = &tree_of(walk)->sides.data[side];
        if ((uint64_t)s->offset == base - object.start && s->bytes == object.size - (base - object.start) &&
            s->write == object.is_readonly && s->outcome == (limited ? ACCESS_LIMITED : ACCESS_FINE))
            return side;
    }
    return 0;
}

static uint32_t side_limit(Walk *walk, const Node *node, uint32_t side)
{
    Expr limit = isolation_bounds(walk->call->summaries->isolation, walk->bases.data[node->base].address);
    if (limit && side) bind(walk, tree_of(walk)->sides.data[side].variable, limit);
    return limit ? side : 0;
}

static uint32_t side_place(Walk *walk, const Node *node, uint32_t side)
{
    uint64_t start = object_start(walk, (uint64_t)node->value);
    if (start != (uint64_t)node->value) return 0;
    Expr address = expr_const(vm_pool(walk->call->summaries->vm), 64, start);
    isolation_follow(walk->call->summaries->isolation, address);
    vec_push(&walk->bases, ((WalkBase){start, hash_mix(start), address}));
    return side;
}

/* ---- reads ---- */

static uint32_t with_form(const Walk *walk, uint32_t side, FactForm form)
{
    while (side && tree_of(walk)->sides.data[side].form != form) side = older(walk, side);
    return side;
}

static uint32_t with_value(const Walk *walk, uint32_t side, U128 value)
{
    while (side && (tree_of(walk)->sides.data[side].form != FORM_VALUE || tree_of(walk)->sides.data[side].value != value))
        side = older(walk, side);
    return side;
}

static bool stays_inside(Walk *walk, Expr actual, uint64_t start, uint64_t size)
{
    ExprPool *pool = vm_pool(walk->call->summaries->vm);
    Expr offset = expr_binary(pool, EXPR_SUB, isolation_root(walk->call->summaries->isolation, actual), expr_const(pool, 64, start));
    Expr inside = expr_binary(pool, EXPR_ULE, offset, expr_const(pool, 64, size));
    return walk->call->session.holds(walk->call->session.data, inside);
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
    Expr begin = isolation_start(walk->call->summaries->isolation, address);
    bind(walk, tree_of(walk)->sides.data[side].object, begin);
    bind(walk, tree_of(walk)->sides.data[side].variable, expr_binary(vm_pool(vm), EXPR_SUB, actual, begin));
    vec_push(&walk->bases, ((WalkBase){object_start(walk, address), hash_mix(key ^ 0xb5), begin}));
    return side;
}

/* A constant that other calls had with another value becomes an input from now on. */
static uint32_t read_number(Walk *walk, uint32_t side, uint64_t key, Expr actual, bool readonly)
{
    const Tree *tree = tree_of(walk);
    ExprPool *pool = vm_pool(walk->call->summaries->vm);
    uint32_t input = with_form(walk, side, FORM_INPUT), value = with_form(walk, side, FORM_VALUE);
    if (input && !readonly) bind(walk, tree->sides.data[input].variable, actual);
    bool general = !readonly && (input || (value && !(expr_is_const(pool, actual) && with_value(walk, side, expr_value(pool, actual)))));
    if (general) map_put(&walk->call->tree->general, key, 1);
    return general ? input : value ? with_value(walk, side, expr_value(pool, actual)) : 0;
}

static uint32_t side_read(Walk *walk, const Node *node, uint32_t side)
{
    Vm *vm = walk->call->summaries->vm;
    Isolation *isolation = walk->call->summaries->isolation;
    VmObject object;
    bool argument = node->base == ARGUMENT_BASE;
    uint64_t base_key = argument ? ARGUMENT_BASE : walk->bases.data[node->base].key;
    uint64_t key = isolation_place_key(base_key, node->offset, node->bytes);
    uint32_t undefined = 0;
    Expr actual = argument ? vm_call_argument(vm, (uint32_t)node->offset)
                           : isolation_look(isolation, walk->bases.data[node->base].address + (uint64_t)node->offset, (uint32_t)node->bytes,
                                            &undefined);
    if (undefined) return with_form(walk, side, undefined == (1u << node->bytes) - 1 ? FORM_UNDEFINED : FORM_BYTES);
    if (expr_has_undef(vm_pool(vm), actual)) walk->unfit = "it gets what may be uninitialised";
    if (walk->unfit) return 0;
    bool pointer = argument ? tree_of(walk)->function->params[node->offset].type.kind == SCALAR_POINTER && node->bytes == 64
                            : node->bytes == 8;
    uint64_t address = pointer ? (uint64_t)expr_eval(vm_model(vm), actual) : 0;
    if (pointer && vm_object(vm, address, &object) && object.exists) {
        if (expr_is_const(vm_pool(vm), isolation_root(isolation, actual))) {
            if (!argument && !isolation_is_plain(isolation, actual)) walk->unfit = "it gets a pointer that is computed";
            return walk->unfit ? 0 : read_pointer(walk, side, key, actual, address);
        }
        if (stays_inside(walk, actual, object.start, object.size)) return read_cursor(walk, side, key, actual, address);
        /* What was a number under another model, a null pointer say, still is one: the call stays what it was. */
        if (!with_form(walk, side, FORM_INPUT)) {
            walk->unfit = "it gets a pointer that may point to several objects";
            return 0;
        }
    }
    bool readonly = !argument && vm_object(vm, walk->bases.data[node->base].address, &object) && object.is_readonly;
    return read_number(walk, side, key, actual, readonly && expr_is_const(vm_pool(vm), actual));
}

/* ---- the path that was executed last: everything on it is known ---- */

static void bind_to_actual(Walk *walk, Expr variable, Expr formal)
{
    const IsolatedSession *session = &walk->call->session;
    const uint64_t *known = formal ? map_find(&session->by_variable, formal) : NULL;
    if (known) bind(walk, variable, session->inputs.data[*known].actual);
}

static void push_bases(Walk *walk, uint32_t count)
{
    const IsolatedBase *bases = isolation_path(walk->call->summaries->isolation).bases;
    for (uint32_t i = walk->bases.len; i < count; i++) vec_push(&walk->bases, ((WalkBase){bases[i].address, bases[i].key, 0}));
}

static uint32_t side_on_path(Walk *walk, uint32_t node)
{
    const Way *way = &walk->call->way;
    while (walk->step < way->steps.len && way->steps.data[walk->step].node != node) walk->step++;
    if (walk->step == way->steps.len) return 0;
    const IsolatedFact *fact = &isolation_path(walk->call->summaries->isolation).facts[walk->step];
    const WayStep *step = &way->steps.data[walk->step];
    bind_to_actual(walk, tree_of(walk)->sides.data[step->side].variable, fact->variable);
    bind_to_actual(walk, tree_of(walk)->sides.data[step->side].object, fact->object);
    push_bases(walk, step->bases);
    return step->side;
}

static uint32_t decided_side(Walk *walk, uint32_t node)
{
    const Node *n = &tree_of(walk)->nodes.data[node];
    uint32_t side = newest(walk, node);
    if (walk->is_on_path) return side_on_path(walk, node);
    switch ((FactKind)n->kind) {
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
    uint32_t made = walk->places.len;
    walk->call->summaries->work++;
    if (walk->instead != UINT32_MAX) {
        made = walk->instead;
        walk->places.data[made] = *place;
        walk->instead = UINT32_MAX;
    } else {
        vec_push(&walk->places, *place);
    }
    return made;
}

static uint32_t add_leaf(Walk *walk, uint32_t leaf, uint32_t parent, bool is_yes)
{
    const Leaf *l = &tree_of(walk)->leaves.data[leaf];
    PlaceKind kind = l->in_place ? PLACE_IN_PLACE : l->returns ? PLACE_RETURN : PLACE_END;
    Place place = {.kind = kind, .leaf = leaf, .parent = parent, .is_yes = is_yes};
    place.writes = walk->addresses.len;
    for (uint32_t i = 0; i < l->write_count; i++) {
        const Write *w = &tree_of(walk)->writes.data[l->writes + i];
        vec_push(&walk->addresses, walk->bases.data[w->base].address + (uint64_t)w->offset);
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

static uint32_t add_branch(Walk *walk, uint32_t node, uint32_t side, uint32_t parent, bool is_yes)
{
    return add_place(walk, &(Place){.kind = PLACE_BRANCH,
                                    .condition = tree_of(walk)->sides.data[side].condition,
                                    .node = node,
                                    .side = side,
                                    .parent = parent,
                                    .is_yes = is_yes});
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
        Expr condition = expr_translate(&walk->call->into_view, tree->sides.data[side].condition);
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
        uint32_t made = add_branch(walk, node, side, above, yes);
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

void walk_tree(Walk *walk, Call *call, uint32_t version)
{
    *walk = (Walk){.call = call, .version = version, .instead = UINT32_MAX};
    bool empty = call->tree->nodes.len == 1 || !newest(walk, 1);
    walk->first = walk_from(walk, empty ? 0 : 1, UINT32_MAX, true);
}

/* ---- one path more ---- */

/* The place that the path has left the tree at, as it was walked, and the number of that step; false: it did not. */
static bool find_end(const Walk *walk, uint32_t *place, uint32_t *step)
{
    const Way *way = &walk->call->way;
    const Place *places = walk->places.data;
    uint32_t at = walk->first;
    for (uint32_t i = 0; i < way->steps.len; i++) {
        const WayStep *s = &way->steps.data[i];
        while (places[at].kind == PLACE_BRANCH && places[at].node == s->node && places[at].side != s->side) at = places[at].no;
        if (places[at].kind == PLACE_BRANCH && places[at].node == s->node) at = places[at].yes;
        else if (places[at].kind == PLACE_MISSING && places[at].node == s->node) {
            *place = at;
            *step = i;
            return true;
        }
    }
    return false;
}

/* The newest side of a condition, where others are known: instead of what was missing. */
static uint32_t walk_newest(Walk *walk, uint32_t node, uint32_t before, uint32_t parent, bool is_yes)
{
    const Tree *tree = tree_of(walk);
    ExprPool *own = walk->call->summaries->pool;
    uint32_t side = newest(walk, node);
    Expr condition = expr_translate(&walk->call->into_view, tree->sides.data[side].condition);
    bool only = expr_is_const(vm_pool(walk->call->summaries->vm), condition) || tree->nodes.data[node].closed;
    if (before && !older(walk, before)) only |= expr_not(own, tree->sides.data[before].condition) == tree->sides.data[side].condition;
    if (only) return walk_side(walk, side, parent, is_yes);
    uint32_t made = add_branch(walk, node, side, parent, is_yes), below = walk_side(walk, side, made, true);
    walk->places.data[made].yes = below;
    below = add_missing(walk, node, made, false);
    walk->places.data[made].no = below;
    return made;
}

bool walk_extend(Walk *walk)
{
    const Way *way = &walk->call->way;
    uint32_t place, step;
    if (!find_end(walk, &place, &step) || step != way->first_new) return false;
    Place missing = walk->places.data[place];
    bool condition = tree_of(walk)->nodes.data[missing.node].kind == FACT_CONDITION;
    uint32_t side = newest(walk, missing.node);
    if (side != way->steps.data[step].side || older(walk, side) != missing.side) return false;
    walk->instead = place;
    walk->is_on_path = true;
    walk->step = step;
    walk->bases.len = 0;
    push_bases(walk, step ? way->steps.data[step - 1].bases : 0);
    if (condition) walk_newest(walk, missing.node, missing.side, missing.parent, missing.is_yes);
    else walk_from(walk, missing.node, missing.parent, missing.is_yes);
    walk->is_on_path = false;
    return !walk->unfit;
}

void walk_release(Walk *walk)
{
    map_release(&walk->bound);
    vec_release(&walk->bases);
    vec_release(&walk->addresses);
    vec_release(&walk->variables);
    vec_release(&walk->actuals);
    vec_release(&walk->places);
}
