/* Conditions on a single small term, as sets.
 *
 * Most conditions of programs that read text depend on one input byte alone.  What such a condition allows is a set of at most 256
 * values, found once by evaluating it for all of them, node by node in columns, and kept by the condition's id: from then on a query
 * takes the condition in as an intersection of 256 bits, exactly, however the byte is looked at (tables, masks, arithmetic, case
 * distinctions).  The term is a variable of up to 8 bits, or else an EXTRACT of up to 8 bits of something wider through which alone the
 * condition depends on it. */
#include "solve/bounds_int.h"

#include <stdlib.h>

enum { NODES = 256, FACTS = 1 << 16, VALUES = 256 };

/* ---- the term ---- */

static bool is_leaf(const DagNode *node, bool extracts)
{
    if (node->kind == EXPR_VAR || node->kind == EXPR_APPLY) return true;
    return extracts && node->kind == EXPR_EXTRACT && node->width <= 8;
}

static bool need_operands(Bounds *bounds, const DagNode *node)
{
    uint8_t *needed = bounds->needed.data;
    unsigned count = expr_operand_count((ExprKind)node->kind);
    if (node->kind == EXPR_ARRAY && node->a != UINT32_MAX)
        for (uint32_t i = 0; i < node->b; i++) needed[bounds->dag.list.data[node->a + i]] = 1;
    if (count > 0) needed[node->a] = 1;
    if (count > 1) needed[node->b] = 1;
    if (count > 2) needed[node->c] = 1;
    return node->width <= 64;
}

/* The position of the only leaf under the condition, UINT32_MAX if there is not just one of up to 8 bits. */
static uint32_t only_leaf(Bounds *bounds, bool extracts)
{
    const Dag *dag = &bounds->dag;
    vec_clear(&bounds->needed);
    vec_reserve(&bounds->needed, dag->count);
    bounds->needed.len = dag->count;
    memset(bounds->needed.data, 0, dag->count);
    bounds->needed.data[dag->roots.data[0]] = 1;
    uint32_t leaf = UINT32_MAX;
    for (uint32_t at = dag->count; at-- > 0;) {
        if (!bounds->needed.data[at]) continue;
        const DagNode *node = &dag->nodes[at];
        if (!is_leaf(node, extracts)) {
            if (!need_operands(bounds, node)) return UINT32_MAX;
            continue;
        }
        if (leaf != UINT32_MAX || node->width > 8) return UINT32_MAX;
        leaf = at;
    }
    return leaf;
}

/* ---- evaluation for all values ---- */

static uint64_t *column(Bounds *bounds, uint32_t at)
{
    return bounds->columns + (size_t)at * VALUES;
}

static void fold_column(const DagNode *node, uint64_t *restrict r, const uint64_t *a, const uint64_t *b, unsigned count)
{
    bool unary = node->kind == EXPR_CTPOP || node->kind == EXPR_CTLZ || node->kind == EXPR_CTTZ || node->kind == EXPR_FSQRT ||
                 (node->kind >= EXPR_FCONVERT && node->kind <= EXPR_UITOF);
    for (unsigned i = 0; i < count; i++)
        r[i] = (uint64_t)expr_fold((ExprKind)node->kind, node->width, node->source, a[i], unary ? 0 : b[i], 0);
}

static uint64_t read_array(Bounds *bounds, const DagNode *array, uint64_t index, unsigned i)
{
    const Dag *dag = &bounds->dag;
    for (; array->kind == EXPR_STORE; array = &dag->nodes[array->a])
        if (column(bounds, array->b)[i] == index) return column(bounds, array->c)[i];
    if (array->a != UINT32_MAX) return column(bounds, dag->list.data[array->a + index])[i];
    const Expr *elements;
    expr_elements(dag->pool, array->e, &elements);
    return (uint64_t)expr_value(dag->pool, elements[index]);
}

static void select_column(Bounds *bounds, const DagNode *node, uint64_t *restrict r, const uint64_t *index, unsigned count)
{
    uint32_t length = dag_array_length(&bounds->dag, node->a);
    const DagNode *array = &bounds->dag.nodes[node->a];
    for (unsigned i = 0; i < count; i++) r[i] = index[i] < length ? read_array(bounds, array, index[i], i) : 0;
}

/* One loop for each common kind, so that the compiler makes vectors of them. */
static void compute_column(Bounds *bounds, uint32_t at, unsigned count)
{
    const Dag *dag = &bounds->dag;
    const DagNode *node = &dag->nodes[at];
    uint64_t *restrict r = column(bounds, at);
    uint64_t mask = arith_mask64(node->width);
#define EACH(value) \
    for (unsigned i = 0; i < count; i++) r[i] = (value); \
    return
    if (node->kind == EXPR_CONST) {
        uint64_t constant = (uint64_t)expr_value(dag->pool, node->e);
        EACH(constant);
    }
    if (node->kind == EXPR_UNDEF) {
        EACH(0);
    }
    if (node->kind == EXPR_ARRAY || node->kind == EXPR_STORE) return; /* read by SELECT */
    const uint64_t *a = column(bounds, node->a);
    unsigned source = node->source, sign = 64 - source;
    switch ((ExprKind)node->kind) {
    case EXPR_NOT: EACH(~a[i] & mask);
    case EXPR_EXTRACT: EACH(a[i] >> node->b & mask);
    case EXPR_ZEXT: EACH(a[i]);
    case EXPR_SEXT: EACH((uint64_t)((int64_t)(a[i] << sign) >> sign) & mask);
    default: break;
    }
    const uint64_t *b = column(bounds, node->b), *c = node->kind == EXPR_ITE ? column(bounds, node->c) : NULL;
    switch ((ExprKind)node->kind) {
    case EXPR_ADD: EACH((a[i] + b[i]) & mask);
    case EXPR_SUB: EACH((a[i] - b[i]) & mask);
    case EXPR_MUL: EACH((a[i] * b[i]) & mask);
    case EXPR_AND: EACH(a[i] & b[i]);
    case EXPR_OR: EACH(a[i] | b[i]);
    case EXPR_XOR: EACH(a[i] ^ b[i]);
    case EXPR_CONCAT: EACH(a[i] << source | b[i]);
    case EXPR_EQ: EACH(a[i] == b[i]);
    case EXPR_ULT: EACH(a[i] < b[i]);
    case EXPR_ULE: EACH(a[i] <= b[i]);
    case EXPR_SLT: EACH((int64_t)(a[i] << sign) < (int64_t)(b[i] << sign));
    case EXPR_SLE: EACH((int64_t)(a[i] << sign) <= (int64_t)(b[i] << sign));
    case EXPR_ITE: EACH(a[i] ? b[i] : c[i]);
    case EXPR_SELECT: select_column(bounds, node, r, b, count); return;
    default: fold_column(node, r, a, b, count); return;
    }
#undef EACH
}

static void evaluate(Bounds *bounds, uint32_t leaf, Fact *fact)
{
    const Dag *dag = &bounds->dag;
    unsigned count = 1u << dag->nodes[leaf].width;
    if (dag->count > bounds->column_capacity) {
        bounds->column_capacity = dag->count * 2;
        bounds->columns = mem_resize(bounds->columns, (size_t)bounds->column_capacity * VALUES * sizeof *bounds->columns);
    }
    for (uint32_t at = 0; at < dag->count; at++) {
        if (!bounds->needed.data[at]) continue;
        if (at != leaf) {
            compute_column(bounds, at, count);
            continue;
        }
        uint64_t *values = column(bounds, at);
        for (unsigned i = 0; i < count; i++) values[i] = i;
    }
    const uint64_t *truth = column(bounds, dag->roots.data[0]);
    memset(fact->allowed, 0, sizeof fact->allowed);
    for (unsigned i = 0; i < count; i++) fact->allowed[i >> 6] |= truth[i] << (i & 63);
    bounds->work += dag->count * 4;
}

static Fact find_fact(Bounds *bounds, Expr condition)
{
    Fact fact = {.condition = condition};
    if (!dag_build(&bounds->dag, &condition, 1, NODES)) return fact;
    uint32_t leaf = only_leaf(bounds, false);
    if (leaf == UINT32_MAX) leaf = only_leaf(bounds, true);
    if (leaf == UINT32_MAX) return fact;
    fact.leaf = bounds->dag.nodes[leaf].e;
    evaluate(bounds, leaf, &fact);
    return fact;
}

/* ---- storage ---- */

const Fact *bounds__fact(Bounds *bounds, Expr condition)
{
    if (condition >= bounds->fact_reserved) {
        uint32_t size = condition + condition / 2 + 64;
        bounds->fact_at = mem_resize(bounds->fact_at, size * sizeof *bounds->fact_at);
        memset(bounds->fact_at + bounds->fact_reserved, 0, (size - bounds->fact_reserved) * sizeof *bounds->fact_at);
        bounds->fact_reserved = size;
    }
    uint32_t known = bounds->fact_at[condition];
    if (known) {
        assert(vec_at(&bounds->facts, known - 1).condition == condition);
        return &vec_at(&bounds->facts, known - 1);
    }
    vec_push(&bounds->facts, find_fact(bounds, condition));
    bounds->fact_at[condition] = bounds->facts.len;
    if (condition >= bounds->fact_end) bounds->fact_end = condition + 1;
    return &vec_top(&bounds->facts);
}

void bounds__facts_forget(Bounds *bounds, uint32_t count)
{
    if (count >= bounds->fact_end) return;
    memset(bounds->fact_at + count, 0, (bounds->fact_end - count) * sizeof *bounds->fact_at);
    bounds->fact_end = count;
}

void bounds__facts_limit(Bounds *bounds)
{
    if (bounds->facts.len < FACTS) return;
    bounds__facts_forget(bounds, 0);
    vec_clear(&bounds->facts);
}
