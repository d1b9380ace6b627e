/* Summaries that save.c has written, as trees again.
 *
 * The reader trusts nothing.  Links form a tree, bases exist on every path, variables are bound before they are used, and nothing is read or
 * written that an access before it has not found to be there: then a walk (walk.c) can do no harm, whatever else the bytes say.
 * What was loaded is borrowed: a path is executed once more where a calling state allows it, because what it reaches is only reached by executing it. */
#include "summary/save_int.h"

#include <stdlib.h>

#define MOST_OFFSET ((int64_t)1 << 40)

/* ---- reading ---- */

typedef struct Reader {
    const unsigned char *at, *end;
    const char *wrong; /* NULL: nothing so far; after the first fault everything reads as 0 */
    Summaries *s;
    Tree *tree;
    Vec(uint32_t) locs;
    Vec(uint8_t) flags;     /* of nodes */
    Vec(uint32_t) variable; /* of sides: input + 1 */
    Vec(uint32_t) object;
    Vec_exprs inputs;
    uint32_t input_count;
    Vec_exprs roots;
    uint8_t *has_key; /* of inputs */
    Vec_exprs work;
    StrBuf name;
} Reader;

static bool need(Reader *in, bool condition, const char *what)
{
    if (!condition && !in->wrong) {
        in->wrong = what;
        in->at = in->end;
    }
    return !in->wrong;
}

static U128 get_number(Reader *in, U128 limit)
{
    U128 value = 0;
    for (unsigned shift = 0;; shift += 7) {
        if (!need(in, in->at < in->end && shift < 128, "it ends too early")) return 0;
        unsigned byte = *in->at++;
        U128 part = byte & 0x7f;
        if (!need(in, (part << shift) >> shift == part, "a number is too large")) return 0;
        value |= part << shift;
        if (!(byte & 0x80)) break;
    }
    return need(in, value <= limit, "a number is too large") ? value : 0;
}

static uint32_t get_small(Reader *in, uint32_t limit)
{
    return (uint32_t)get_number(in, limit);
}

static int64_t get_signed(Reader *in)
{
    uint64_t value = (uint64_t)get_number(in, UINT64_MAX);
    return (int64_t)(value >> 1 ^ -(value & 1));
}

static const char *get_text(Reader *in)
{
    size_t n = (size_t)get_number(in, (size_t)(in->end - in->at)), left = (size_t)(in->end - in->at);
    strbuf_clear(&in->name);
    strbuf_add(&in->name, "");
    if (!need(in, n <= left && !memchr(in->at, 0, n), "a name is none")) return "";
    strbuf_add_bytes(&in->name, in->at, n);
    in->at += n;
    return in->name.text;
}

static uint32_t get_loc(Reader *in)
{
    uint32_t number = get_small(in, in->locs.len + 1);
    if (!number) return 0;
    if (number <= in->locs.len) return in->locs.data[number - 1];
    const Function *f = program_function(in->s->program, get_text(in));
    uint32_t instr = get_small(in, UINT32_MAX);
    if (!need(in, f && instr < f->code_count, "a place in the source is not there")) return 0;
    vec_push(&in->locs, f->code[instr].loc);
    return f->code[instr].loc;
}

static Node get_node(Reader *in)
{
    Node node = {.kind = (uint8_t)get_small(in, FACT_KINDS)};
    uint8_t flags = (uint8_t)get_small(in, NODE_FLAGS - 1);
    node.write = flags & NODE_WRITE;
    node.closed = (flags & NODE_CLOSED) != 0;
    vec_push(&in->flags, flags);
    node.condition = (uint8_t)get_small(in, CONDITION_SUMMARY);
    node.bug = (uint8_t)get_small(in, BUG_KINDS - 1);
    node.base = get_small(in, UINT32_MAX);
    node.loc = get_loc(in);
    node.sides = get_small(in, UINT32_MAX);
    node.offset = get_signed(in);
    node.bytes = (uint64_t)get_number(in, MOST_OFFSET);
    if (node.kind == FACT_PLACE && !in->wrong) {
        node.value = vm_global_address(in->s->vm, get_text(in));
        need(in, node.value, "a global is not there");
    }
    need(in, node.offset > -MOST_OFFSET && node.offset < MOST_OFFSET, "a number is too large");
    return node;
}

static Side get_side(Reader *in)
{
    Side side = {.version = 1};
    side.next = get_small(in, UINT32_MAX);
    side.child = get_small(in, UINT32_MAX);
    side.leaf = get_small(in, UINT32_MAX);
    side.form = (uint8_t)get_small(in, FORM_BYTES);
    side.outcome = (uint8_t)get_small(in, ACCESS_BUG + BUG_KINDS - 1);
    side.write = get_small(in, 1);
    side.other = get_small(in, UINT32_MAX);
    side.offset = get_signed(in);
    side.bytes = (uint64_t)get_number(in, MOST_OFFSET);
    side.value = get_number(in, ~(U128)0);
    vec_push(&in->variable, get_small(in, in->input_count));
    vec_push(&in->object, get_small(in, in->input_count));
    need(in, side.offset > -MOST_OFFSET && side.offset < MOST_OFFSET, "a number is too large");
    return side;
}

static Leaf get_leaf(Reader *in)
{
    Leaf leaf = {.borrowed = true, .returns = get_small(in, 1)};
    leaf.in_place = get_small(in, 1);
    in->tree->in_place += leaf.in_place;
    leaf.stop = (uint8_t)get_small(in, VM_DECIDES);
    leaf.bug = (uint8_t)get_small(in, BUG_KINDS - 1);
    leaf.loc = get_loc(in);
    leaf.results = get_small(in, UINT32_MAX);
    leaf.result_count = get_small(in, in->tree->function->result_count);
    leaf.writes = get_small(in, UINT32_MAX);
    leaf.write_count = get_small(in, UINT32_MAX);
    need(in, !leaf.returns || (leaf.stop == VM_RETURNED && !leaf.in_place), "an end is none");
    return leaf;
}

static Expr get_variable(void *data, uint32_t number, unsigned width, const char *name)
{
    Reader *in = data;
    if (number != in->inputs.len || number >= in->input_count) return 0;
    vec_push(&in->inputs, expr_var(in->s->pool, width, name));
    return vec_top(&in->inputs);
}

/* What is undefined becomes what it is in all trees. */
static void share_undefs(Reader *in)
{
    ExprPool *pool = in->s->pool;
    ExprTranslation t;
    Map seen = {0};
    expr_translation_init(&t, pool, pool);
    vec_clear(&in->work);
    for (uint32_t i = 0; i < in->roots.len; i++)
        if (in->roots.data[i] && expr_has_undef(pool, in->roots.data[i])) vec_push(&in->work, in->roots.data[i]);
    while (in->work.len) {
        Expr e = vec_pop(&in->work);
        if (map_find(&seen, e)) continue;
        map_put(&seen, e, 1);
        if (expr_kind(pool, e) == EXPR_UNDEF) expr_translation_set(&t, e, summary__undef(&(Call){.summaries = in->s}, expr_width(pool, e)));
        summary__push_operands(pool, e, &in->work);
    }
    for (uint32_t i = 0; i < in->roots.len; i++)
        if (in->roots.data[i] && expr_has_undef(pool, in->roots.data[i])) in->roots.data[i] = expr_translate(&t, in->roots.data[i]);
    expr_translation_release(&t);
    map_release(&seen);
}

static void get_expressions(Reader *in, uint32_t count)
{
    ExprDecode how = {.data = in, .variable = get_variable};
    size_t used = 0, left = (size_t)(in->end - in->at);
    for (uint32_t i = 0; i < count; i++) vec_push(&in->roots, 0);
    bool fine = expr_decode(in->s->pool, in->at, left, &used, in->roots.data, count, &how);
    need(in, fine && used == left && in->inputs.len == in->input_count, "its expressions are none");
    for (uint32_t i = 0; i < in->input_count && !in->wrong; i++) need(in, in->roots.data[i] == in->inputs.data[i], "an input is none");
    if (!in->wrong) share_undefs(in);
}

/* Everything but the sense of it. */
static void get_tree(Reader *in)
{
    Tree *tree = in->tree;
    uint32_t left = in->end - in->at < UINT32_MAX / 8 ? (uint32_t)(in->end - in->at) : UINT32_MAX / 8, counts[7];
    for (unsigned i = 0; i < COUNT_OF(counts); i++) counts[i] = get_small(in, left);
    if (!need(in, counts[0] == FORMAT && counts[1] > 1 && counts[2] > 1 && counts[3] > 1, "its format is another")) return;
    in->input_count = counts[6];
    tree->facts.paths = get_small(in, counts[3] - 1);
    vec_push(&tree->nodes, (Node){0});
    vec_push(&in->flags, 0);
    vec_push(&tree->sides, (Side){0});
    vec_push(&in->variable, 0);
    vec_push(&in->object, 0);
    vec_push(&tree->leaves, (Leaf){0});
    for (uint32_t i = 1; i < counts[1] && !in->wrong; i++) vec_push(&tree->nodes, get_node(in));
    for (uint32_t i = 1; i < counts[2] && !in->wrong; i++) vec_push(&tree->sides, get_side(in));
    for (uint32_t i = 1; i < counts[3] && !in->wrong; i++) vec_push(&tree->leaves, get_leaf(in));
    for (uint32_t i = 0; i < counts[5] && !in->wrong; i++) {
        Write write = {.base = get_small(in, UINT32_MAX), .bytes = get_small(in, 16)};
        write.offset = get_signed(in);
        need(in, write.offset > -MOST_OFFSET && write.offset < MOST_OFFSET, "a number is too large");
        vec_push(&tree->writes, write);
    }
    if (in->wrong) return;
    uint32_t sides = counts[2] - 1, results = counts[4];
    get_expressions(in, counts[6] + sides + results + counts[5]);
    if (in->wrong) return;
    const Expr *at = in->roots.data + counts[6];
    for (uint32_t i = 0; i < sides; i++) tree->sides.data[1 + i].condition = *at++;
    for (uint32_t i = 0; i < results; i++) vec_push(&tree->results, *at++);
    for (uint32_t i = 0; i < counts[5]; i++) tree->writes.data[i].value = *at++;
    for (uint32_t i = 1; i <= sides && !in->wrong; i++) {
        Side *side = &tree->sides.data[i];
        side->variable = in->variable.data[i] ? in->inputs.data[in->variable.data[i] - 1] : 0;
        side->object = in->object.data[i] ? in->inputs.data[in->object.data[i] - 1] : 0;
    }
}

/* ---- checking ---- */

/* Nodes and sides hang together as a tree; older sides have lower numbers than newer ones, and nodes than those below them. */
static void check_links(Reader *in)
{
    const Tree *tree = in->tree;
    uint8_t *listed = mem_alloc(tree->sides.len), *below = mem_alloc(tree->nodes.len), *ends = mem_alloc(tree->leaves.len);
    for (uint32_t node = 1; node < tree->nodes.len && !in->wrong; node++) {
        uint32_t side = tree->nodes.data[node].sides;
        need(in, side > 0 && (node == 1 || below[node]), "a node hangs nowhere");
        while (side && need(in, side < tree->sides.len && !listed[side]++, "a side is none")) {
            const Side *s = &tree->sides.data[side];
            bool child = !s->child || (s->child > node && s->child < tree->nodes.len && !below[s->child]++);
            bool leaf = !s->leaf || (!s->child && s->leaf < tree->leaves.len && !ends[s->leaf]++);
            if (!need(in, child && leaf && s->next < side, "a side leads nowhere")) break;
            side = s->next;
        }
    }
    for (uint32_t side = 1; side < tree->sides.len && !in->wrong; side++) need(in, listed[side], "a side hangs nowhere");
    free(listed);
    free(below);
    free(ends);
}

/* Are all variables of the expression known on the way to it? */
static bool is_bound(Reader *in, Route *route, Expr e)
{
    const ExprPool *pool = in->s->pool;
    vec_clear(&in->work);
    vec_push(&in->work, e);
    while (in->work.len) {
        Expr at = vec_pop(&in->work);
        if (map_find(&route->is_bound, at)) continue;
        if (expr_kind(pool, at) == EXPR_VAR) return false;
        map_put(&route->is_bound, at, 1);
        vec_push(&route->bound, at);
        summary__push_operands(pool, at, &in->work);
    }
    return true;
}

static void check_value(Reader *in, Route *route, Expr e, uint64_t width)
{
    need(in, e && expr_width(in->s->pool, e) == width && is_bound(in, route, e), "a value is none");
}

static bool is_within(const Range *range, int64_t offset, uint64_t bytes)
{
    return range->low != range->high && offset >= range->low && offset + (int64_t)bytes <= range->high;
}

/* The side brings the variable in: it is an input of this key. */
static void bind_input(Reader *in, Route *route, uint32_t number, uint64_t width, uint64_t key)
{
    Tree *tree = in->tree;
    if (!need(in, number && expr_width(in->s->pool, in->inputs.data[number - 1]) == width, "an input is none")) return;
    Input *input = &tree->inputs.data[number - 1];
    if (!in->has_key[number - 1] && need(in, !map_find(&tree->by_key, key), "two inputs are one")) {
        in->has_key[number - 1] = 1;
        input->key = key;
        map_put(&tree->by_key, key, number - 1);
    }
    need(in, input->key == key, "an input is in two places");
    if (map_find(&route->is_bound, input->variable)) return;
    map_put(&route->is_bound, input->variable, 1);
    vec_push(&route->bound, input->variable);
}

static bool is_natural(uint64_t n)
{
    return n == 1 || n == 2 || n == 4 || n == 8 || n == 10;
}

static void check_read(Reader *in, Route *route, const Node *node, uint32_t number)
{
    const Function *f = in->tree->function;
    const Side *side = &in->tree->sides.data[number];
    bool argument = node->base == ARGUMENT_BASE, fine;
    if (argument) fine = node->offset >= 0 && node->offset < f->param_count && node->bytes == f->params[node->offset].type.width;
    else
        fine = node->base < route->bases.len && is_natural(node->bytes) &&
               is_within(&route->bases.data[node->base].read, node->offset, node->bytes);
    if (!need(in, fine, "it reads what is not there")) return;
    uint64_t key = route_place_key(route, node), width = argument ? node->bytes : node->bytes * 8;
    uint32_t variable = in->variable.data[number], object = in->object.data[number];
    uint8_t flags = in->flags.data[vec_top(&route->steps).node];
    if (flags & NODE_GENERAL) map_put(&in->tree->general, key, 1);
    bool binds = side->form == FORM_INPUT || side->form == FORM_POINTER || side->form == FORM_CURSOR, cursor = side->form == FORM_CURSOR;
    need(in, binds == (variable != 0) && cursor == (object != 0), "an input is none");
    need(in, side->form == FORM_INPUT || !binds || width == 64, "a pointer is none");
    need(in, side->form != FORM_VALUE || width >= 128 || !(side->value >> width), "a value is none");
    if (side->form == FORM_INPUT || side->form == FORM_POINTER) bind_input(in, route, variable, width, key);
    if (!cursor) return;
    bind_input(in, route, object, 64, route_object_key(key));
    bind_input(in, route, variable, 64, hash_mix(key ^ 0x0f));
}

static void check_side(Reader *in, Route *route)
{
    const Step *top = &vec_top(&route->steps);
    const Node *node = &in->tree->nodes.data[top->node];
    const Side *side = &in->tree->sides.data[top->side];
    uint32_t variable = in->variable.data[top->side], bases = route->bases.len;
    bool read = node->kind == FACT_READ, limit = node->kind == FACT_LIMIT, condition = node->kind == FACT_CONDITION;
    need(in, condition == (side->condition != 0) && (read || limit || !variable) && (read || !in->object.data[top->side]),
         "a side is none");
    switch ((FactKind)node->kind) {
    case FACT_READ: check_read(in, route, node, top->side); break;
    case FACT_PLACE: need(in, node->base == bases, "a base is none"); break;
    case FACT_SAME: need(in, node->base < bases && side->other < bases, "a base is none"); break;
    case FACT_ACCESS: need(in, node->base < bases, "a base is none"); break;
    case FACT_SIZE: need(in, node->base < bases && side->offset >= 0, "a base is none"); break;
    case FACT_LIMIT:
        if (need(in, node->base < bases && variable, "a base is none"))
            bind_input(in, route, variable, 64, hash_mix(route->bases.data[node->base].key ^ 0x1e));
        break;
    case FACT_CONDITION: check_value(in, route, side->condition, 1); break;
    default: need(in, top->node == 1 && side->leaf && !side->next, "a fact is none"); break;
    }
}

static void check_leaf(Reader *in, Route *route, const Leaf *leaf)
{
    const Tree *tree = in->tree;
    bool results = leaf->results <= tree->results.len && leaf->result_count <= tree->results.len - leaf->results;
    bool writes = leaf->writes <= tree->writes.len && leaf->write_count <= tree->writes.len - leaf->writes;
    if (!need(in, results && writes, "a path has no end")) return;
    for (uint32_t i = 0; i < leaf->result_count; i++)
        check_value(in, route, tree->results.data[leaf->results + i], tree->function->results[i].width);
    for (uint32_t i = 0; i < leaf->write_count && !in->wrong; i++) {
        const Write *write = &tree->writes.data[leaf->writes + i];
        bool fine = write->base < route->bases.len && is_natural(write->bytes) &&
                    is_within(&route->bases.data[write->base].write, write->offset, write->bytes);
        if (need(in, fine, "it writes what is not there")) check_value(in, route, write->value, (uint64_t)write->bytes * 8);
    }
}

static void check_tree(Reader *in)
{
    Route route = {.tree = in->tree};
    in->has_key = mem_alloc(in->input_count + 1);
    for (uint32_t i = 0; i < in->input_count; i++) vec_push(&in->tree->inputs, ((Input){0, in->inputs.data[i]}));
    while (!in->wrong && route_next(&route)) {
        check_side(in, &route);
        if (in->wrong) break;
        route_enter(&route);
        uint32_t leaf = in->tree->sides.data[vec_top(&route.steps).side].leaf;
        if (leaf) check_leaf(in, &route, &in->tree->leaves.data[leaf]);
    }
    for (uint32_t i = 0; i < in->input_count && !in->wrong; i++) need(in, in->has_key[i], "an input is nowhere");
    route_release(&route);
}

static void release_reader(Reader *in)
{
    vec_release(&in->locs);
    vec_release(&in->flags);
    vec_release(&in->variable);
    vec_release(&in->object);
    vec_release(&in->inputs);
    vec_release(&in->roots);
    vec_release(&in->work);
    strbuf_release(&in->name);
    free(in->has_key);
}

/* The tree that was read becomes the function's. */
static void adopt(Summaries *s, Tree *tree)
{
    Tree *own = summary__tree(s, tree->function), empty = *own;
    *own = *tree;
    *tree = empty;
    own->facts.function = empty.facts.function;
    own->facts.kept = own->facts.paths;
    own->version = own->since = 1;
    own->flat = true;
    own->recursive = empty.recursive;
    own->several = empty.several;
    own->why = empty.why;
    tree->why = NULL;
    for (uint32_t i = 1; i < own->sides.len; i++)
        if (own->sides.data[i].condition) summary__note_indexes(s, own, own->sides.data[i].condition);
    for (uint32_t i = 0; i < own->results.len; i++) summary__note_indexes(s, own, own->results.data[i]);
    for (uint32_t i = 0; i < own->writes.len; i++) summary__note_indexes(s, own, own->writes.data[i].value);
    own->since = 2;
}

Status summaries_load(Summaries *s, uint32_t function, const void *bytes, size_t n, Error *error)
{
    REQUIRE(function < s->program->function_count, "a function of the program");
    const Function *f = &s->program->functions[function];
    const uint64_t *known = map_find(&s->by_function, function);
    if (known && s->trees.data[*known]->nodes.len > 1) return fail(error, "%s has a summary already", f->name);
    Tree *tree = mem_alloc(sizeof *tree);
    tree->function = f;
    uint64_t hash = 0;
    if (n >= HASH_BYTES) memcpy(&hash, bytes, HASH_BYTES);
    Reader in = {.at = (const unsigned char *)bytes + (n < HASH_BYTES ? n : HASH_BYTES), .s = s, .tree = tree};
    in.end = (const unsigned char *)bytes + n;
    need(&in, n > HASH_BYTES && hash == hash_bytes(in.at, n - HASH_BYTES), "its bytes have changed");
    if (!in.wrong) get_tree(&in);
    if (!in.wrong) check_links(&in);
    if (!in.wrong) check_tree(&in);
    if (!in.wrong) adopt(s, tree);
    Status status = in.wrong ? fail(error, "the summary of %s cannot be read: %s", f->name, in.wrong) : OK;
    release_reader(&in);
    tree_free(tree);
    return status;
}
