/* The tree of a function's paths: facts in the order in which executions meet them. */
#include "summary/summary_int.h"

#include <stdlib.h>

/* Does it come to its end in several ways?  Those that end the program do not count. */
static bool returns_in_ways(const Function *f)
{
    uint8_t *returns = mem_alloc(f->block_count + 1);
    Vec(uint32_t) work = {0};
    bool several = f->calls_unknown;
    for (uint32_t b = 0; b < f->block_count; b++) {
        const Block *block = &f->blocks[b];
        if (!block->count || f->code[block->first + block->count - 1].op != OP_RETURN) continue;
        returns[b] = 1;
        vec_push(&work, b);
    }
    while (work.len) {
        const Block *block = &f->blocks[vec_pop(&work)];
        for (uint32_t i = 0; i < block->predecessor_count; i++)
            if (!returns[block->predecessors[i]]++) vec_push(&work, block->predecessors[i]);
    }
    for (uint32_t b = 0; b < f->block_count && !several; b++) {
        uint32_t ways = 0;
        for (uint32_t i = 0; i < f->blocks[b].successor_count; i++) ways += returns[f->blocks[b].successors[i]] != 0;
        several = ways > 1;
    }
    vec_release(&work);
    free(returns);
    return several;
}

typedef Vec(uint32_t) Functions;

/* What it may come to by direct calls, itself first. */
static Functions reachable_from(const Program *program, uint32_t function)
{
    uint8_t *seen = mem_alloc(program->function_count);
    Functions all = {0};
    vec_push(&all, function);
    seen[function] = 1;
    for (uint32_t k = 0; k < all.len; k++) {
        const Function *f = &program->functions[all.data[k]];
        for (uint32_t i = 0; i < f->callee_count; i++)
            if (!seen[f->callees[i]]++) vec_push(&all, f->callees[i]);
    }
    free(seen);
    return all;
}

static void look_at_callees(const Program *program, Tree *tree, uint32_t function)
{
    Functions all = reachable_from(program, function);
    for (uint32_t k = 0; k < all.len; k++) {
        const Function *f = &program->functions[all.data[k]];
        tree->several |= returns_in_ways(f);
        for (uint32_t i = 0; i < f->callee_count; i++) tree->recursive |= f->callees[i] == function;
    }
    vec_release(&all);
}

const char *summary__never(const Tree *tree)
{
    if (tree->function->variadic) return "it takes a variable number of arguments";
    if (!tree->several) return "there is one way to its end";
    return tree->recursive ? "it is recursive" : NULL;
}

Tree *summary__tree(Summaries *summaries, const Function *function)
{
    uint32_t index = (uint32_t)(function - summaries->program->functions);
    const uint64_t *found = map_find(&summaries->by_function, index);
    if (found) return summaries->trees.data[*found];
    Tree *tree = mem_alloc(sizeof *tree);
    tree->function = function;
    tree->facts.function = index;
    look_at_callees(summaries->program, tree, index);
    tree->since = 1;
    vec_push(&tree->nodes, (Node){0});
    vec_push(&tree->sides, (Side){0});
    vec_push(&tree->leaves, (Leaf){0});
    map_put(&summaries->by_function, index, summaries->trees.len);
    vec_push(&summaries->trees, tree);
    return tree;
}

void tree_free(Tree *tree)
{
    vec_release(&tree->nodes);
    vec_release(&tree->sides);
    vec_release(&tree->leaves);
    vec_release(&tree->results);
    vec_release(&tree->writes);
    vec_release(&tree->inputs);
    map_release(&tree->by_key);
    map_release(&tree->general);
    map_release(&tree->indexes);
    vec_release(&tree->comparisons);
    free(tree->why);
    free(tree);
}

/* ---- indexes ---- */

/* The variables that the value of an index comes from; not those that only choose it. */
void summary__note_index(Summaries *s, Tree *tree, Expr index)
{
    Vec_exprs work = {0};
    Map seen = {0};
    vec_push(&work, index);
    while (work.len) {
        Expr e = vec_pop(&work);
        if (expr_width(s->pool, e) == 1 || expr_kind(s->pool, e) == EXPR_SELECT || map_find(&seen, e)) continue;
        map_put(&seen, e, 1);
        if (expr_kind(s->pool, e) == EXPR_VAR && !map_find(&tree->indexes, e)) map_put(&tree->indexes, e, tree->since);
        summary__push_operands(s->pool, e, &work);
    }
    map_release(&seen);
    vec_release(&work);
}

static bool is_comparison(ExprKind kind)
{
    return kind == EXPR_EQ || kind == EXPR_ULT || kind == EXPR_ULE || kind == EXPR_SLT || kind == EXPR_SLE;
}

static bool has_index(const Summaries *s, const Tree *tree, Expr e)
{
    Vec_exprs work = {0};
    Map seen = {0};
    bool found = false;
    vec_push(&work, e);
    while (work.len && !found) {
        Expr at = vec_pop(&work);
        if (expr_width(s->pool, at) == 1 || expr_kind(s->pool, at) == EXPR_SELECT || map_find(&seen, at)) continue;
        map_put(&seen, at, 1);
        found = map_find(&tree->indexes, at) != NULL;
        summary__push_operands(s->pool, at, &work);
    }
    vec_release(&work);
    map_release(&seen);
    return found;
}

static bool is_simple(const Summaries *s, Expr e)
{
    ExprKind kind = expr_kind(s->pool, e);
    return kind == EXPR_VAR || ((kind == EXPR_ZEXT || kind == EXPR_SEXT || kind == EXPR_EXTRACT) &&
                                expr_kind(s->pool, expr_operand(s->pool, e, 0)) == EXPR_VAR);
}

/* What positions are compared with are positions, too: ends of buffers. */
static void note_limits(Summaries *s, Tree *tree)
{
    for (uint32_t i = 0; i < tree->comparisons.len; i++) {
        Expr a = expr_operand(s->pool, tree->comparisons.data[i], 0), b = expr_operand(s->pool, tree->comparisons.data[i], 1);
        bool kinds = is_simple(s, a) && expr_is_const(s->pool, b);
        if (!kinds && !has_index(s, tree, a) && !has_index(s, tree, b)) continue;
        summary__note_index(s, tree, a);
        summary__note_index(s, tree, b);
    }
}

void summary__note_indexes(Summaries *s, Tree *tree, Expr root)
{
    Vec_exprs work = {0};
    vec_push(&work, root);
    while (work.len) {
        Expr e = vec_pop(&work);
        ExprKind kind = expr_kind(s->pool, e);
        if (kind == EXPR_CONST || map_find(&s->scanned, e)) continue;
        map_put(&s->scanned, e, 1);
        if (is_comparison(kind)) vec_push(&tree->comparisons, e);
        if (kind == EXPR_SELECT || kind == EXPR_STORE) summary__note_index(s, tree, expr_operand(s->pool, e, 1));
        summary__push_operands(s->pool, e, &work);
    }
    vec_release(&work);
}

/* ---- facts as nodes and sides ---- */

/* In the tree's variables.  A tree of an earlier campaign has no calls inside: what they give is there as what it is. */
static Expr in_tree(Call *call, Expr e)
{
    Expr own = expr_translate(&call->from_view, e);
    return call->tree->flat ? instances_expand(call->summaries->flat, own) : own;
}

static Node node_of(const Call *call, const IsolatedFact *f)
{
    Node node = {.kind = f->kind, .base = f->base};
    switch ((FactKind)f->kind) {
    case FACT_READ:
        node.offset = f->offset;
        node.bytes = f->bytes;
        break;
    case FACT_PLACE: node.value = f->value; break;
    case FACT_ACCESS:
        node.offset = f->offset;
        node.bytes = f->bytes;
        node.write = f->write;
        break;
    case FACT_CONDITION: {
        const VmCondition *c = vm_condition(call->summaries->vm, f->condition);
        node.condition = c->kind;
        node.bug = c->bug;
        node.loc = call->tree->function->in_model ? 0 : c->loc; /* the library has no places of its own: it would be that of the caller */
        break;
    }
    default: break;
    }
    return node;
}

static bool same_node(const Node *a, const Node *b)
{
    return a->kind == b->kind && a->base == b->base && a->offset == b->offset && a->bytes == b->bytes && a->value == b->value &&
           a->write == b->write && a->condition == b->condition && a->loc == b->loc;
}

static Side side_of(Call *call, const IsolatedFact *f)
{
    Side side = {.form = f->form};
    switch ((FactKind)f->kind) {
    case FACT_READ: side.value = f->form == FORM_VALUE ? f->value : 0; break;
    case FACT_SAME:
        side.other = f->other;
        side.offset = f->offset;
        break;
    case FACT_ACCESS: side.outcome = f->outcome; break;
    case FACT_SIZE:
        side.offset = f->offset;
        side.bytes = f->bytes;
        side.outcome = f->outcome;
        side.write = f->write;
        break;
    case FACT_CONDITION: {
        const VmCondition *c = vm_condition(call->summaries->vm, f->condition);
        side.condition = in_tree(call, c->condition);
        side.write = c->kind == CONDITION_CHECK && c->holds;
        break;
    }
    default: break;
    }
    return side;
}

static bool same_side(const Side *a, const Side *b)
{
    return a->form == b->form && a->outcome == b->outcome && a->write == b->write && a->other == b->other && a->offset == b->offset &&
           a->bytes == b->bytes && a->value == b->value && a->condition == b->condition;
}

static uint32_t find_side(const Tree *tree, uint32_t node, const Side *wanted)
{
    for (uint32_t side = tree->nodes.data[node].sides; side; side = tree->sides.data[side].next)
        if (same_side(&tree->sides.data[side], wanted)) return side;
    return 0;
}

/* ---- inputs ---- */

/* The tree's variable for one of the machine's; what it stands for is known by its place. */
static Expr bind_input(Call *call, Expr variable, const char *name)
{
    Tree *tree = call->tree;
    Expr bound = expr_translated(&call->from_view, variable);
    if (bound) return bound;
    uint64_t formal = *map_find(&call->session.by_variable, variable), key = call->session.inputs.data[formal].key;
    const uint64_t *known = map_find(&tree->by_key, key);
    if (!known) {
        Expr made = expr_var(call->summaries->pool, expr_width(vm_pool(call->summaries->vm), variable), name);
        map_put(&tree->by_key, key, tree->inputs.len);
        vec_push(&tree->inputs, ((Input){key, made}));
        known = map_find(&tree->by_key, key);
    }
    bound = tree->inputs.data[*known].variable;
    expr_translation_set(&call->from_view, variable, bound);
    return bound;
}

/* Binds the variables that the fact brings in; a base gets its name. */
static void bind_fact(Call *call, const IsolatedFact *f, Way *way, Side *side)
{
    StrBuf name = {0};
    strbuf_add(&name, "");
    if (f->kind == FACT_PLACE) {
        strbuf_addf(&name, "&%s", vm_name_of_global(call->summaries->vm, (uint64_t)f->value));
        vec_push(&way->bases, name.text);
        return;
    }
    if (f->kind == FACT_LIMIT) strbuf_addf(&name, "size of %s", way->bases.data[f->base]);
    if (f->kind == FACT_READ) {
        Where where = {f->base, f->offset, f->bytes, f->base == ARGUMENT_BASE ? "" : way->bases.data[f->base]};
        summary__place_name(call->summaries, call->tree, &where, &name);
    }
    if (f->kind == FACT_READ && f->form == FORM_CURSOR) {
        StrBuf object = {0};
        strbuf_addf(&object, "object of %s", name.text);
        side->object = bind_input(call, f->object, object.text);
        strbuf_add(&name, " - start");
        vec_push(&way->bases, object.text);
    }
    if (f->variable) side->variable = bind_input(call, f->variable, name.text);
    if (f->kind == FACT_READ && f->form == FORM_POINTER) vec_push(&way->bases, name.text);
    else strbuf_release(&name);
}

/* ---- paths ---- */

static void add_leaf(Call *call, const VmStop *stop, uint32_t side, bool in_place)
{
    Tree *tree = call->tree;
    IsolatedPath path = isolation_path(call->summaries->isolation);
    Leaf leaf = {.returns = stop->kind == VM_RETURNED && !in_place,
                 .in_place = in_place,
                 .stop = (uint8_t)stop->kind,
                 .bug = (uint8_t)stop->bug,
                 .loc = stop->loc};
    leaf.results = tree->results.len;
    leaf.writes = tree->writes.len;
    if (leaf.returns) {
        leaf.result_count = path.result_count;
        for (uint32_t i = 0; i < leaf.result_count; i++) vec_push(&tree->results, in_tree(call, path.results[i]));
        for (uint32_t i = 0; i < leaf.result_count; i++) summary__note_indexes(call->summaries, tree, tree->results.data[leaf.results + i]);
        leaf.write_count = path.write_count;
        for (uint32_t i = 0; i < leaf.write_count; i++) {
            const IsolatedWrite *w = &path.writes[i];
            Write write = {w->base, w->bytes, w->offset, in_tree(call, w->value)};
            vec_push(&tree->writes, write);
            summary__note_indexes(call->summaries, tree, write.value);
        }
    }
    tree->sides.data[side].leaf = tree->leaves.len;
    vec_push(&tree->leaves, leaf);
    tree->facts.paths += !in_place;
    tree->in_place += in_place;
}

static uint32_t add_side(Tree *tree, uint32_t node, const Side *side)
{
    uint32_t made = tree->sides.len;
    vec_push(&tree->sides, *side);
    tree->sides.data[made].next = tree->nodes.data[node].sides;
    tree->sides.data[made].version = tree->version;
    tree->nodes.data[node].sides = made;
    return made;
}

static uint32_t add_node(Tree *tree, uint32_t above, const Node *node)
{
    uint32_t made = tree->nodes.len;
    vec_push(&tree->nodes, *node);
    if (above) tree->sides.data[above].child = made;
    return made;
}

/* The calls made on the way: the same versions of their trees belong to this path for ever. */
static void keep_versions(Call *call)
{
    Map *versions = &call->summaries->versions;
    const WayStep *steps = call->way.steps.data;
    for (uint32_t i = 0; i < call->used.len; i++) {
        Used used = call->used.data[i];
        uint64_t key = summary__position_key(call->tree, used.fact ? steps[used.fact - 1].side : 0, used.position);
        if (!map_find(versions, key)) map_put(versions, key, used.version);
    }
}

/* A completed call: that the program may end in it is known with the rest. */
static void add_end(Call *call, uint32_t node, const IsolatedFact *f)
{
    Tree *tree = call->tree;
    Side side = {.condition = in_tree(call, f->ends)};
    if (find_side(tree, node, &side)) return;
    uint32_t made = add_side(tree, node, &side);
    tree->sides.data[made].leaf = tree->leaves.len;
    vec_push(&tree->leaves, ((Leaf){.stop = VM_EXIT}));
}

void way_cut(Way *way, uint32_t count)
{
    if (way->steps.len > count) way->steps.len = count;
    uint32_t bases = way->steps.len ? vec_top(&way->steps).bases : 0;
    while (way->bases.len > bases) free(vec_pop(&way->bases));
    way->first_new = UINT32_MAX;
    way->contradicts = false;
}

void way_release(Way *way)
{
    way_cut(way, 0);
    vec_release(&way->steps);
    vec_release(&way->bases);
}

static uint32_t side_above(const Way *way)
{
    return way->steps.len ? vec_top(&way->steps).side : 0;
}

/* The node of the next fact, in the tree or made there; 0: there is none. */
static uint32_t next_node(Tree *tree, Way *way, const Node *wanted, bool adds)
{
    uint32_t above = side_above(way), node = above ? tree->sides.data[above].child : tree->nodes.len > 1;
    way->contradicts = above && tree->sides.data[above].leaf;
    if (!node && adds && !way->contradicts) node = add_node(tree, above, wanted);
    if (node) way->contradicts = !same_node(&tree->nodes.data[node], wanted);
    return way->contradicts ? 0 : node;
}

/* One fact further; `adds`: what is new becomes part of the tree.  False: the way ends here. */
static bool go_on(Call *call, Way *way, const IsolatedFact *f, bool adds)
{
    Tree *tree = call->tree;
    Node wanted = node_of(call, f);
    uint32_t node = next_node(tree, way, &wanted, adds), sides = tree->sides.len;
    if (!node) return false;
    Side side = side_of(call, f);
    bind_fact(call, f, way, &side);
    uint32_t found = find_side(tree, node, &side);
    if (adds && f->ends) add_end(call, node, f);
    if (adds && f->whole && !tree->nodes.data[node].closed) tree->nodes.data[node].closed = tree->version;
    if (!found && adds) found = add_side(tree, node, &side);
    if (adds && side.condition) summary__note_indexes(call->summaries, tree, side.condition);
    if (tree->sides.len > sides && way->first_new == UINT32_MAX) way->first_new = way->steps.len;
    if (found) vec_push(&way->steps, ((WayStep){node, found, way->bases.len}));
    else way_cut(way, way->steps.len);
    return found;
}

static bool follow(Call *call, bool adds)
{
    IsolatedPath path = isolation_path(call->summaries->isolation);
    while (call->way.steps.len < path.fact_count && go_on(call, &call->way, &path.facts[call->way.steps.len], adds)) continue;
    return call->way.steps.len == path.fact_count;
}

/* A function that reads and decides nothing has one path. */
static uint32_t only_side(Tree *tree)
{
    if (tree->nodes.len == 1) add_node(tree, 0, &(Node){.kind = FACT_KINDS, .closed = 1});
    return tree->nodes.data[1].sides ? tree->nodes.data[1].sides : add_side(tree, 1, &(Side){0});
}

bool tree_add_path(Call *call, const VmStop *stop, bool in_place)
{
    Tree *tree = call->tree;
    tree->since = ++tree->version;
    bool whole = follow(call, true);
    uint32_t last = call->way.steps.len                                     ? side_above(&call->way)
                    : isolation_path(call->summaries->isolation).fact_count ? 0
                                                                            : only_side(tree);
    bool fine = whole && !tree->sides.data[last].child && !call->foreign;
    if (fine && !tree->sides.data[last].leaf) add_leaf(call, stop, last, in_place);
    if (fine) keep_versions(call);
    note_limits(call->summaries, tree);
    tree->since = tree->version + 1;
    return fine && !call->foreign;
}

uint32_t tree_follow(Call *call, bool *known)
{
    *known = follow(call, false);
    return side_above(&call->way);
}
