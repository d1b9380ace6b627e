/* Conditions that only compare variables and constants, and choose between them: sorting, minima, medians.
 *
 * Nothing but their order matters then, so k variables need no more than k values below, between and above the constants.  Numbered in their order,
 * these values are a few bits wide, and what takes a SAT solver long with 32 bits takes it no time.  Exact both ways. */
#include "base/arith.h"
#include "solve/solve_int.h"

#include <stdlib.h>

enum { MOST_VARIABLES = 32, MOST_CONSTANTS = 12, MOST_NODES = 20000, LEAST_WIDTH = 16, NODE_COST = 40 };

typedef struct Order {
    const Dag *dag;
    unsigned width; /* of what is compared; 0: nothing is */
    bool is_signed, is_unsigned;
    uint32_t variables;
    Vec(U128) constants; /* in order */
    Vec(U128) values;    /* that variables may have, ascending */
    ExprPool *pool;      /* of the small ones */
    unsigned small;
    Vec(Expr) made; /* by position */
} Order;

/* So that the order of unsigned numbers is that of the values. */
static U128 bias(const Order *order)
{
    return order->is_signed ? (U128)1 << (order->width - 1) : 0;
}

static bool add_constant(Order *order, U128 value)
{
    for (uint32_t i = 0; i < order->constants.len; i++)
        if (order->constants.data[i] == value) return true;
    vec_push(&order->constants, value);
    return order->constants.len <= MOST_CONSTANTS;
}

static bool take_wide(Order *order, const DagNode *node)
{
    if (order->width && order->width != node->width) return false;
    order->width = node->width;
    switch ((ExprKind)node->kind) {
    case EXPR_VAR: return ++order->variables <= MOST_VARIABLES;
    case EXPR_CONST: return add_constant(order, expr_value(order->dag->pool, node->e));
    case EXPR_ITE: return true;
    default: return false;
    }
}

static bool is_sign(const DagNode *node)
{
    return node->kind == EXPR_EXTRACT && node->width == 1 && node->b + 1 == node->source;
}

static bool take_node(Order *order, const DagNode *node)
{
    if (node->width != 1) return take_wide(order, node);
    switch ((ExprKind)node->kind) {
    case EXPR_ULT:
    case EXPR_ULE: order->is_unsigned = true; return true;
    case EXPR_EXTRACT: order->is_signed = true; return is_sign(node) && add_constant(order, 0);
    case EXPR_SLT:
    case EXPR_SLE: order->is_signed = true; return true;
    case EXPR_VAR:
    case EXPR_CONST:
    case EXPR_NOT:
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_XOR:
    case EXPR_EQ:
    case EXPR_ITE: return true;
    default: return false;
    }
}

static bool is_order(Order *order)
{
    const Dag *dag = order->dag;
    if (dag->count > MOST_NODES) return false;
    for (uint32_t i = 0; i < dag->count; i++)
        if (!take_node(order, &dag->nodes[i])) return false;
    return order->width >= LEAST_WIDTH && order->width <= 64 && order->variables > 1 && !(order->is_signed && order->is_unsigned);
}

static int compare(const void *a, const void *b)
{
    U128 x = *(const U128 *)a, y = *(const U128 *)b;
    return x < y ? -1 : x > y;
}

/* Up to so many values from `first` on, before `end`. */
static void add_values(Order *order, U128 first, U128 end)
{
    for (uint32_t i = 0; i < order->variables && first + i < end; i++) vec_push(&order->values, first + i);
}

/* The constants, and between them as many values as there are variables; biased. */
static void find_values(Order *order)
{
    U128 low = 0, end = (U128)1 << order->width;
    for (uint32_t i = 0; i < order->constants.len; i++) order->constants.data[i] = (order->constants.data[i] ^ bias(order)) & (end - 1);
    if (order->constants.len) qsort(order->constants.data, order->constants.len, sizeof(U128), compare);
    for (uint32_t i = 0; i < order->constants.len; i++) {
        U128 constant = order->constants.data[i], room = constant - low;
        add_values(order, room > order->variables ? constant - order->variables : low, constant);
        vec_push(&order->values, constant);
        low = constant + 1;
    }
    /* Without constants around zero, as people would choose. */
    add_values(order, order->constants.len || order->is_unsigned ? low : bias(order), end);
    order->small = 2;
    while (order->values.len >> (order->small - 1)) order->small++;
}

static Expr small_constant(const Order *order, U128 value)
{
    U128 biased = (value ^ bias(order)) & arith_mask(order->width);
    uint32_t number = 0;
    while (order->values.data[number] != biased) number++;
    return expr_const(order->pool, order->small, number);
}

static Expr rebuild(Order *order, const DagNode *node)
{
    ExprPool *pool = order->pool;
    const Expr *made = order->made.data;
    unsigned operands = expr_operand_count((ExprKind)node->kind);
    bool wide = node->width != 1;
    switch ((ExprKind)node->kind) {
    case EXPR_VAR: return expr_var(pool, wide ? order->small : 1, "");
    case EXPR_CONST:
        return wide ? small_constant(order, expr_value(order->dag->pool, node->e))
                    : expr_const(pool, 1, expr_value(order->dag->pool, node->e));
    case EXPR_ITE: return expr_ite(pool, made[node->a], made[node->b], made[node->c]);
    case EXPR_EXTRACT: return expr_binary(pool, EXPR_ULT, made[node->a], small_constant(order, 0));
    case EXPR_SLT: return expr_binary(pool, EXPR_ULT, made[node->a], made[node->b]);
    case EXPR_SLE: return expr_binary(pool, EXPR_ULE, made[node->a], made[node->b]);
    default:
        return operands == 1 ? expr_unary(pool, (ExprKind)node->kind, made[node->a])
                             : expr_binary(pool, (ExprKind)node->kind, made[node->a], made[node->b]);
    }
}

typedef Vec(Expr) Conditions;

/* The conditions, and that every variable is one of the values. */
static void collect(Order *order, Conditions *conditions)
{
    const Dag *dag = order->dag;
    for (uint32_t i = 0; i < dag->count; i++) vec_push(&order->made, rebuild(order, &dag->nodes[i]));
    for (uint32_t i = 0; i < dag->roots.len; i++) vec_push(conditions, order->made.data[dag->roots.data[i]]);
    Expr end = expr_const(order->pool, order->small, order->values.len);
    for (uint32_t i = 0; i < dag->vars.len; i++) {
        Expr variable = order->made.data[dag->vars.data[i]];
        if (dag->nodes[dag->vars.data[i]].width != 1) vec_push(conditions, expr_binary(order->pool, EXPR_ULT, variable, end));
    }
}

static void take_model(const Order *order, ExprModel *model, Outcome *outcome)
{
    const Dag *dag = order->dag;
    for (uint32_t i = 0; i < dag->vars.len; i++) {
        const DagNode *node = &dag->nodes[dag->vars.data[i]];
        U128 value = expr_model_get(model, order->made.data[dag->vars.data[i]]);
        if (node->width != 1) value = order->values.data[value] ^ bias(order);
        vec_push(&outcome->values, ((SolveValue){node->e, value}));
    }
}

static void solve_small(Order *order, const Query *query, Outcome *outcome)
{
    SolveOptions options = {.tiers = 1u << TIER_BLAST, .effort = query->effort, .memory = query->memory, .deadline = query->deadline};
    Solver *solver;
    Error error;
    Conditions conditions = {0};
    order->pool = expr_pool_new();
    collect(order, &conditions);
    ExprModel *model = expr_model_new(order->pool);
    if (solver_new(&solver, order->pool, &options, &error) == OK) {
        uint32_t count;
        outcome->answer = solver_check(solver, conditions.data, conditions.len, model);
        const SolveValue *changes = solver_changes(solver, &count);
        for (uint32_t i = 0; i < count && outcome->answer == SOLVE_SAT; i++) expr_model_set(model, changes[i].var, changes[i].value);
        outcome->spent += solver_stats(solver)->effort;
        solver_free(solver);
    }
    if (outcome->answer == SOLVE_SAT) take_model(order, model, outcome);
    for (uint32_t i = 0; i < query->count && outcome->answer == SOLVE_UNSAT; i++) vec_push(&outcome->core, query->conditions[i]);
    expr_model_free(model);
    expr_pool_free(order->pool);
    vec_release(&conditions);
}

void order_solve(const Dag *dag, const Query *query, Outcome *outcome)
{
    Order order = {.dag = dag};
    outcome->answer = SOLVE_UNKNOWN;
    if (is_order(&order)) {
        find_values(&order);
        outcome->spent += (uint64_t)dag->count * NODE_COST;
        if (order.small * 2 <= order.width) solve_small(&order, query, outcome);
    }
    vec_release(&order.constants);
    vec_release(&order.values);
    vec_release(&order.made);
}
