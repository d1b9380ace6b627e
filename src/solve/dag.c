/* The nodes under the conditions of a query as a flat array, operands before their users.
 *
 * Tiers that go over a query many times copy it here once: a position is an index into their own tables, and a node's fields lie side by side.
 * A table of constants (1 MiB of them, say) is one node: its elements are read from the pool. */
#include "base/arith.h"
#include "solve/solve_int.h"

#include <stdlib.h>

void dag_init(Dag *dag, ExprPool *pool)
{
    *dag = (Dag){.pool = pool};
}

void dag_release(Dag *dag)
{
    free(dag->nodes);
    free(dag->position);
    free(dag->stamps);
    vec_release(&dag->list);
    vec_release(&dag->vars);
    vec_release(&dag->roots);
    vec_release(&dag->work);
    map_release(&dag->constant_arrays);
    *dag = (Dag){0};
}

void dag_forget(Dag *dag)
{
    map_release(&dag->constant_arrays);
    vec_clear(&dag->roots);
}

static void start_anew(Dag *dag)
{
    uint32_t wanted = expr_pool_count(dag->pool);
    if (wanted > dag->reserved) {
        uint32_t size = wanted + wanted / 2;
        dag->position = mem_resize(dag->position, size * sizeof *dag->position);
        dag->stamps = mem_resize(dag->stamps, size * sizeof *dag->stamps);
        memset(dag->stamps + dag->reserved, 0, (size - dag->reserved) * sizeof *dag->stamps);
        dag->reserved = size;
    }
    if (++dag->stamp == 0) {
        memset(dag->stamps, 0, dag->reserved * sizeof *dag->stamps);
        dag->stamp = 1;
    }
    vec_clear(&dag->list);
    vec_clear(&dag->vars);
    vec_clear(&dag->roots);
    vec_clear(&dag->work);
    dag->count = 0;
}

static bool all_constants(Dag *dag, Expr array, const Expr *elements, uint32_t count)
{
    uint64_t *known = map_find(&dag->constant_arrays, array);
    if (known) return *known == 2;
    bool constant = true;
    for (uint32_t i = 0; i < count && constant; i++) constant = expr_is_const(dag->pool, elements[i]);
    map_put(&dag->constant_arrays, array, constant ? 2 : 1);
    return constant;
}

static bool is_placed(const Dag *dag, Expr e)
{
    return dag->stamps[e] == dag->stamp;
}

/* Is e placed?  If not it is next. */
static bool need(Dag *dag, Expr e)
{
    if (is_placed(dag, e)) return true;
    vec_push(&dag->work, e);
    return false;
}

/* Are all operands placed?  The others are on the stack then.  Adds the number of list entries the node will need. */
static bool need_operands(Dag *dag, Expr e, uint64_t *entries)
{
    const ExprPool *pool = dag->pool;
    ExprKind kind = expr_kind(pool, e);
    bool ready = true;
    for (unsigned i = 0; i < expr_operand_count(kind); i++) ready &= need(dag, expr_operand(pool, e, i));
    if (kind != EXPR_ARRAY && kind != EXPR_APPLY) return ready;
    const Expr *elements;
    uint32_t count = expr_elements(pool, e, &elements);
    if (kind == EXPR_ARRAY && all_constants(dag, e, elements, count)) return ready;
    for (uint32_t i = 0; i < count; i++) ready &= need(dag, elements[i]);
    if (ready) *entries += count;
    return ready;
}

static void fill_node(Dag *dag, uint32_t at, Expr e)
{
    const ExprPool *pool = dag->pool;
    ExprKind kind = expr_kind(pool, e);
    DagNode *node = &dag->nodes[at];
    *node = (DagNode){.kind = (uint8_t)kind, .width = (uint16_t)expr_width(pool, e), .e = e};
    unsigned n = expr_operand_count(kind);
    uint32_t *into[] = {&node->a, &node->b, &node->c};
    for (unsigned i = 0; i < n; i++) *into[i] = dag->position[expr_operand(pool, e, i)];
    if (n) node->source = (uint16_t)expr_width(pool, expr_operand(pool, e, n - 1));
    if (kind == EXPR_EXTRACT) node->b = expr_extract_low(pool, e);
    if (kind == EXPR_VAR) vec_push(&dag->vars, at);
    if (kind != EXPR_ARRAY && kind != EXPR_APPLY) return;
    const Expr *elements;
    node->b = expr_elements(pool, e, &elements);
    node->a = UINT32_MAX;
    if (kind == EXPR_ARRAY && all_constants(dag, e, elements, node->b)) return;
    node->a = dag->list.len;
    for (uint32_t i = 0; i < node->b; i++) vec_push(&dag->list, dag->position[elements[i]]);
}

static void place(Dag *dag, Expr e)
{
    if (dag->count == dag->capacity) {
        dag->capacity = dag->capacity ? dag->capacity * 2 : 256;
        dag->nodes = mem_resize(dag->nodes, dag->capacity * sizeof *dag->nodes);
    }
    dag->stamps[e] = dag->stamp;
    dag->position[e] = dag->count;
    fill_node(dag, dag->count++, e);
}

bool dag_build(Dag *dag, const Expr *conditions, uint32_t count, uint32_t limit)
{
    start_anew(dag);
    uint64_t entries = 0;
    for (uint32_t i = 0; i < count; i++) {
        vec_push(&dag->work, conditions[i]);
        while (dag->work.len) {
            Expr e = vec_top(&dag->work);
            if (!is_placed(dag, e)) {
                if (!need_operands(dag, e, &entries)) continue;
                if (dag->count + entries >= limit) return false;
                place(dag, e);
            }
            (void)vec_pop(&dag->work);
        }
        vec_push(&dag->roots, dag->position[conditions[i]]);
    }
    return true;
}

uint32_t dag_array_length(const Dag *dag, uint32_t at)
{
    while (dag->nodes[at].kind == EXPR_STORE) at = dag->nodes[at].a;
    assert(dag->nodes[at].kind == EXPR_ARRAY);
    return dag->nodes[at].b;
}

static U128 select_value(const Dag *dag, const DagNode *node, const U128 *values)
{
    U128 index = values[node->b];
    if (index >= dag_array_length(dag, node->a)) return 0;
    const DagNode *array = &dag->nodes[node->a];
    for (; array->kind == EXPR_STORE; array = &dag->nodes[array->a])
        if (values[array->b] == index) return values[array->c];
    if (array->a != UINT32_MAX) return values[dag->list.data[array->a + (uint32_t)index]];
    const Expr *elements;
    expr_elements(dag->pool, array->e, &elements);
    return expr_value(dag->pool, elements[(uint32_t)index]);
}

static U128 apply_value(const Dag *dag, const DagNode *node, const U128 *values)
{
    U128 few[8], *arguments = node->b <= COUNT_OF(few) ? few : mem_alloc(node->b * sizeof *arguments);
    for (uint32_t i = 0; i < node->b; i++) arguments[i] = values[dag->list.data[node->a + i]];
    const ExprFunction *function = expr_function(dag->pool, node->e);
    U128 value = function->call(function->data, arguments, node->b) & arith_mask(node->width);
    if (arguments != few) free(arguments);
    return value;
}

U128 dag_value(const Dag *dag, uint32_t at, const U128 *values)
{
    const DagNode *node = &dag->nodes[at];
    switch ((ExprKind)node->kind) {
    case EXPR_CONST: return expr_value(dag->pool, node->e);
    case EXPR_VAR: return values[at];
    case EXPR_UNDEF:
    case EXPR_ARRAY:
    case EXPR_STORE: return 0;
    case EXPR_SELECT: return select_value(dag, node, values);
    case EXPR_APPLY: return apply_value(dag, node, values);
    case EXPR_ITE: return values[values[node->a] ? node->b : node->c];
    default: break;
    }
    if (expr_operand_count((ExprKind)node->kind) == 2)
        return expr_fold((ExprKind)node->kind, node->width, node->source, values[node->a], values[node->b], 0);
    return expr_fold((ExprKind)node->kind, node->width, node->source, values[node->a], node->b, 0);
}
