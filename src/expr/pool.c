/* The pool: nodes, the hash tables that make equal expressions one, going back, and looking at nodes.
 *
 * Nodes lie in one reserved range of addresses that is touched as it fills, so making a node never moves the others.  A node is looked for in
 * two places.  First in a line of sixteen slots that belongs to its newest operand: programs combine what they have just computed, so this line is in the
 * cache, where a slot chosen by a hash almost never is once there are millions of nodes.  If that line is full, in a hash table, which is
 * open-addressed with linear probing at load 5/8 and holds 32-bit slots: 28 bits of id and 4 bits of hash, so that fifteen of sixteen
 * collisions are settled without reading a node.  Insertion happens in the order of ids, also when the table grows; hence the newest node
 * can be taken out by emptying its slot: nothing that is still there was ever moved past it.  That makes rewinding cost what it forgets.
 *
 * Known bits are computed when a node is made (its operands' are at hand then), not on the first question: so they never recurse, and what
 * they decide becomes a constant at once.  Nodes of which nothing is known take four bytes for it. */
#include "expr/expr_int.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { TABLE_START = 1 << 10, HUGE_BYTES = 1 << 23, LINE_SLOTS = 16, LINE_SHIFT = 3 /* a line serves eight ids */ };
#define LINES_BYTES ((size_t)(ID_LIMIT >> LINE_SHIFT) * LINE_SLOTS * sizeof(uint32_t))

static void *reserve(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    REQUIRE(memory != MAP_FAILED, "cannot reserve address space for expressions");
    return memory;
}

static uint32_t *table_new(uint32_t size)
{
    size_t bytes = size * sizeof(uint32_t);
    uint32_t *table = reserve(bytes);
    if (bytes >= HUGE_BYTES) madvise(table, bytes, MADV_HUGEPAGE);
    return table;
}

ExprPool *expr_pool_new(void)
{
    ExprPool *pool = mem_alloc(sizeof *pool);
    pool->nodes = reserve(ID_LIMIT * sizeof(Node));
    pool->elements = reserve(ID_LIMIT * sizeof(Expr));
    pool->known_at = reserve(ID_LIMIT * sizeof(uint32_t));
    pool->lines = reserve(LINES_BYTES);
    pool->table_size = TABLE_START;
    pool->table = table_new(pool->table_size);
    pool->count = 1; /* node 0 is no expression */
    return pool;
}

void expr_pool_free(ExprPool *pool)
{
    if (!pool) return;
    munmap(pool->nodes, ID_LIMIT * sizeof(Node));
    munmap(pool->elements, ID_LIMIT * sizeof(Expr));
    munmap(pool->known_at, ID_LIMIT * sizeof(uint32_t));
    munmap(pool->lines, LINES_BYTES);
    munmap(pool->table, pool->table_size * sizeof(uint32_t));
    for (uint32_t i = 0; i < pool->vars.len; i++) free(pool->vars.data[i].name);
    vec_release(&pool->narrow);
    vec_release(&pool->wide);
    vec_release(&pool->vars);
    vec_release(&pool->rewinds);
    free(pool);
}

uint32_t expr_pool_count(const ExprPool *pool)
{
    return pool->count;
}

/* ---- kinds ---- */

static const char *const kind_names[] = {
#define KIND(NAME, text, operands) text,
#include "expr/kinds.def"
#undef KIND
};

static const uint8_t kind_operands[] = {
#define KIND(NAME, text, operands) operands,
#include "expr/kinds.def"
#undef KIND
};

const char *expr_kind_name(ExprKind kind)
{
    REQUIRE(kind < EXPR_KINDS, "no such kind of expression");
    return kind_names[kind];
}

unsigned expr_operand_count(ExprKind kind)
{
    return kind_operands[kind];
}

/* FADD and FMUL do not: of two NaNs the machine returns the first. */
bool expr__commutes(ExprKind kind)
{
    switch (kind) {
    case EXPR_ADD:
    case EXPR_MUL:
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_XOR:
    case EXPR_EQ:
    case EXPR_FEQ:
    case EXPR_FUNO: return true;
    default: return false;
    }
}

static bool is_list(ExprKind kind)
{
    return kind == EXPR_ARRAY || kind == EXPR_APPLY;
}

/* ---- hash table ---- */

static uint64_t mix(uint64_t a, uint64_t b)
{
    U128 product = (U128)(a ^ 0x9e3779b97f4a7c15u) * (b ^ 0xd6e8feb86659fd93u);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint32_t expr__hash(const ExprPool *pool, const Node *node)
{
    uint64_t head = (uint64_t)node->kind << 16 | node->width;
    uint64_t hash;
    if (is_list(node->kind)) {
        hash = mix(node->kind == EXPR_APPLY ? node->word[1] : 0, head);
        for (uint32_t i = 0; i < node->b; i++) hash = mix(hash, pool->elements[node->a + i]);
    } else {
        hash = mix(node->word[0] + head * 0xa0761d6478bd642fu, node->word[1]);
    }
    return (uint32_t)(hash ^ hash >> 32);
}

static bool same_node(const ExprPool *pool, const Node *x, const Node *y)
{
    if (x->kind != y->kind || x->width != y->width || x->word[1] != y->word[1]) return false;
    if (!is_list(x->kind)) return x->word[0] == y->word[0];
    return x->b == y->b && !memcmp(pool->elements + x->a, pool->elements + y->a, x->b * sizeof(Expr));
}

static uint32_t slot_tag(uint32_t hash)
{
    return hash >> ID_BITS << ID_BITS;
}

/* The slot of an equal node, or the empty one where it belongs. */
static uint32_t find_slot(const ExprPool *pool, const Node *node)
{
    uint32_t mask = pool->table_size - 1;
    for (uint32_t i = node->hash & mask;; i = (i + 1) & mask) {
        uint32_t slot = pool->table[i];
        if (!slot) return i;
        if ((slot ^ node->hash) >> ID_BITS) continue;
        const Node *there = &pool->nodes[slot & (ID_LIMIT - 1)];
        if (there->hash == node->hash && same_node(pool, there, node)) return i;
    }
}

/* The line of the newest operand; NULL for nodes without operands. */
static uint32_t *line_of(const ExprPool *pool, const Node *node)
{
    unsigned operands = kind_operands[node->kind];
    Expr newest = node->a;
    if (operands == 0) return NULL;
    if (operands > 1 && node->b > newest) newest = node->b;
    if (operands > 2 && node->c > newest) newest = node->c;
    return pool->lines + (size_t)(newest >> LINE_SHIFT) * LINE_SLOTS;
}

/* The slot of an equal node, or the empty one where it belongs: in its line while that has room.  A line fills from the left and is emptied newest first, so what
 * went to the table when it was full has left the table before the line has room again. */
static uint32_t *find(const ExprPool *pool, const Node *node)
{
    uint32_t *line = line_of(pool, node);
    for (unsigned i = 0; line && i < LINE_SLOTS; i++) {
        if (!line[i]) return &line[i];
        if ((line[i] ^ node->hash) >> ID_BITS) continue;
        const Node *there = &pool->nodes[line[i] & (ID_LIMIT - 1)];
        if (there->hash == node->hash && same_node(pool, there, node)) return &line[i];
    }
    return &pool->table[find_slot(pool, node)];
}

Expr expr__find(const ExprPool *pool, const Node *node)
{
    return *find(pool, node) & (ID_LIMIT - 1);
}

/* A hint that this node will be asked for: its line is fetched while the rules run. */
void expr__expect(const ExprPool *pool, Expr a, Expr b)
{
    __builtin_prefetch(pool->lines + (size_t)((a > b ? a : b) >> LINE_SHIFT) * LINE_SLOTS);
}

static void table_insert(ExprPool *pool, Expr e)
{
    uint32_t mask = pool->table_size - 1, hash = pool->nodes[e].hash, i = hash & mask;
    while (pool->table[i]) i = (i + 1) & mask;
    pool->table[i] = e | slot_tag(hash);
}

static bool is_hashed(const Node *node)
{
    return node->kind != EXPR_VAR && node->kind != EXPR_UNDEF;
}

/* Re-inserts in the order of ids; the nodes are read in sequence, so the slots can be fetched ahead. */
static void table_grow(ExprPool *pool)
{
    enum { AHEAD = 16 };
    munmap(pool->table, pool->table_size * sizeof(uint32_t));
    REQUIRE(pool->table_size < UINT32_MAX / 2, "too many expressions");
    pool->table_size *= 2;
    pool->table = table_new(pool->table_size);
    for (Expr e = 1; e < pool->count; e++) {
        __builtin_prefetch(&pool->table[pool->nodes[e + AHEAD].hash & (pool->table_size - 1)], 1);
        if (is_hashed(&pool->nodes[e]) && !(pool->nodes[e].flags & FLAG_IN_LINE)) table_insert(pool, e);
    }
}

static void line_remove(ExprPool *pool, Expr e)
{
    uint32_t *line = line_of(pool, &pool->nodes[e]), i = LINE_SLOTS;
    while (!line[--i]) assert(i > 0);
    assert((line[i] & (ID_LIMIT - 1)) == e);
    line[i] = 0;
}

static void table_remove(ExprPool *pool, Expr e)
{
    if (pool->nodes[e].flags & FLAG_IN_LINE) {
        line_remove(pool, e);
        return;
    }
    uint32_t mask = pool->table_size - 1, i = pool->nodes[e].hash & mask;
    while ((pool->table[i] & (ID_LIMIT - 1)) != e) {
        assert(pool->table[i]);
        i = (i + 1) & mask;
    }
    pool->table[i] = 0;
    pool->table_used--;
}

/* ---- making nodes ---- */

static uint8_t inherited_flags(const ExprPool *pool, const Node *node)
{
    uint8_t flags = node->kind == EXPR_APPLY ? FLAG_APPLY : node->kind == EXPR_UNDEF ? FLAG_UNDEF : 0;
    unsigned operands = kind_operands[node->kind];
    if (operands > 0) flags |= expr__node(pool, node->a)->flags & FLAG_INHERITED;
    if (operands > 1) flags |= expr__node(pool, node->b)->flags & FLAG_INHERITED;
    if (operands > 2) flags |= expr__node(pool, node->c)->flags & FLAG_INHERITED;
    if (is_list(node->kind))
        for (uint32_t i = 0; i < node->b; i++) flags |= expr__node(pool, pool->elements[node->a + i])->flags & FLAG_INHERITED;
    return flags;
}

static Expr append(ExprPool *pool, const Node *node)
{
    REQUIRE(pool->count < ID_LIMIT - 64, "too many expressions");
    Expr e = pool->count++;
    pool->nodes[e] = *node;
    pool->nodes[e].flags |= inherited_flags(pool, node);
    return e;
}

static void enter(ExprPool *pool, Expr e, uint32_t *slot)
{
    assert(!*slot);
    if (slot < pool->table || slot >= pool->table + pool->table_size) {
        *slot = e | slot_tag(pool->nodes[e].hash);
        pool->nodes[e].flags |= FLAG_IN_LINE;
        return;
    }
    pool->table_used++;
    if ((uint64_t)pool->table_used * 8 > (uint64_t)pool->table_size * 5) {
        table_grow(pool);
    } else {
        *slot = e | slot_tag(pool->nodes[e].hash);
    }
}

/* node->hash is set.  An ARRAY's or APPLY's elements stand at the end of the side table already. */
static Expr intern_node(ExprPool *pool, Node *node)
{
    pool->work++;
    uint32_t *slot = find(pool, node);
    if (*slot) return *slot & (ID_LIMIT - 1);
    ExprKnown known = expr__known_of_node(pool, node);
    if (known_full(&known) && node->kind != EXPR_ARRAY && node->kind != EXPR_STORE) return expr_const(pool, node->width, known.low);
    Expr e = append(pool, node);
    expr__known_add(pool, e, &known);
    enter(pool, e, slot);
    return e;
}

Expr expr_const(ExprPool *pool, unsigned width, U128 value)
{
    REQUIRE(width >= 1 && width <= 128, "expressions have 1 to 128 bits");
    value &= arith_mask(width);
    Node node = {.kind = EXPR_CONST, .width = (uint16_t)width, .word = {(uint64_t)value, (uint64_t)(value >> 64)}};
    node.hash = expr__hash(pool, &node);
    uint32_t *slot = find(pool, &node);
    if (*slot) return *slot & (ID_LIMIT - 1);
    Expr e = append(pool, &node);
    enter(pool, e, slot);
    return e;
}

Expr expr__intern(ExprPool *pool, ExprKind kind, unsigned width, Expr a, Expr b, Expr c)
{
    assert(width >= 1 && width <= 128);
    Node node = {.kind = (uint8_t)kind, .width = (uint16_t)width, .a = a, .b = b, .c = c};
    if (kind == EXPR_STORE) node.d = expr_array_length(pool, a);
    node.hash = expr__hash(pool, &node);
    return intern_node(pool, &node);
}

Expr expr__intern_list(ExprPool *pool, ExprKind kind, unsigned width, const Expr *list, uint32_t count, const ExprFunction *function)
{
    assert(is_list(kind));
    REQUIRE(count < ID_LIMIT - pool->element_count, "too many array elements");
    Node node = {.kind = (uint8_t)kind, .width = (uint16_t)width, .a = pool->element_count, .b = count};
    node.word[1] = (uintptr_t)function;
    bool uniform = kind == EXPR_ARRAY;
    for (uint32_t i = 0; i < count; i++) {
        pool->elements[node.a + i] = list[i];
        uniform &= list[i] == list[0];
    }
    node.flags = uniform ? FLAG_UNIFORM : 0;
    node.hash = expr__hash(pool, &node);
    uint32_t before = pool->count;
    Expr e = intern_node(pool, &node);
    if (e == before) pool->element_count += count;
    return e;
}

Expr expr_var(ExprPool *pool, unsigned width, const char *name)
{
    REQUIRE(width >= 1 && width <= 128, "expressions have 1 to 128 bits");
    Expr e = append(pool, &(Node){.kind = EXPR_VAR, .width = (uint16_t)width, .a = pool->vars.len});
    vec_push(&pool->vars, ((Variable){e, mem_strdup(name)}));
    return e;
}

Expr expr_undef(ExprPool *pool, unsigned width)
{
    REQUIRE(width >= 1 && width <= 128, "expressions have 1 to 128 bits");
    return append(pool, &(Node){.kind = EXPR_UNDEF, .width = (uint16_t)width, .a = pool->undefs++});
}

/* ---- going back ---- */

void expr__forget(ExprPool *pool, uint32_t count)
{
    assert(count >= 1 && count <= pool->count);
    while (pool->count > count) {
        Expr e = pool->count - 1;
        const Node *node = &pool->nodes[e];
        if (is_hashed(node)) table_remove(pool, e);
        if (is_list(node->kind)) pool->element_count = node->a;
        if (node->kind == EXPR_VAR) free(vec_pop(&pool->vars).name);
        expr__known_drop(pool, e);
        pool->count--;
    }
}

void expr_pool_rewind(ExprPool *pool, uint32_t count)
{
    REQUIRE(count >= 1 && count <= pool->count, "rewind to a count never reached");
    assert(pool->depth == 0);
    if (count == pool->count) return;
    expr__forget(pool, count);
    while (pool->rewinds.len && vec_top(&pool->rewinds).count >= count) (void)vec_pop(&pool->rewinds);
    vec_push(&pool->rewinds, ((Rewind){++pool->generation, count, pool->vars.len}));
}

uint64_t expr_pool_generation(const ExprPool *pool)
{
    return pool->generation;
}

uint64_t expr_pool_work(const ExprPool *pool)
{
    return pool->work;
}

uint64_t expr_pool_evaluated(const ExprPool *pool)
{
    return pool->evaluated;
}

/* ---- inspection ---- */

ExprKind expr_kind(const ExprPool *pool, Expr e)
{
    return expr__node(pool, e)->kind;
}

unsigned expr_width(const ExprPool *pool, Expr e)
{
    return expr__node(pool, e)->width;
}

Expr expr_operand(const ExprPool *pool, Expr e, unsigned i)
{
    const Node *node = expr__node(pool, e);
    REQUIRE(i < kind_operands[node->kind], "the expression has no such operand");
    return i == 0 ? node->a : i == 1 ? node->b : node->c;
}

uint32_t expr_elements(const ExprPool *pool, Expr e, const Expr **elements)
{
    const Node *node = expr__node(pool, e);
    REQUIRE(is_list(node->kind), "only arrays and applications have elements");
    *elements = pool->elements + node->a;
    return node->b;
}

const ExprFunction *expr_function(const ExprPool *pool, Expr e)
{
    REQUIRE(is_kind(pool, e, EXPR_APPLY), "only applications have a function");
    return (const ExprFunction *)(uintptr_t)expr__node(pool, e)->word[1];
}

unsigned expr_extract_low(const ExprPool *pool, Expr e)
{
    REQUIRE(is_kind(pool, e, EXPR_EXTRACT), "only extractions have a low bit");
    return operand_b(pool, e);
}

uint32_t expr_array_length(const ExprPool *pool, Expr array)
{
    const Node *node = expr__node(pool, array);
    assert(node->kind == EXPR_ARRAY || node->kind == EXPR_STORE);
    return node->kind == EXPR_ARRAY ? node->b : node->d;
}

uint32_t expr_var_index(const ExprPool *pool, Expr e)
{
    REQUIRE(is_kind(pool, e, EXPR_VAR), "not a variable");
    return operand_a(pool, e);
}

uint32_t expr_var_count(const ExprPool *pool)
{
    return pool->vars.len;
}

Expr expr_var_at(const ExprPool *pool, uint32_t index)
{
    REQUIRE(index < pool->vars.len, "no such variable");
    return pool->vars.data[index].id;
}

const char *expr_var_name(const ExprPool *pool, Expr e)
{
    return pool->vars.data[expr_var_index(pool, e)].name;
}

bool expr_is_const(const ExprPool *pool, Expr e)
{
    return is_const(pool, e);
}

U128 expr_value(const ExprPool *pool, Expr e)
{
    REQUIRE(is_const(pool, e), "not a constant");
    return const_value(pool, e);
}

bool expr_has_undef(const ExprPool *pool, Expr e)
{
    return expr__node(pool, e)->flags & FLAG_UNDEF;
}

bool expr_has_apply(const ExprPool *pool, Expr e)
{
    return expr__node(pool, e)->flags & FLAG_APPLY;
}
