/* The values of a query's nodes under a model that changes all the time.
 *
 * Positions are in topological order, so a change is carried on by going over a bit set of touched positions upwards: each node is
 * computed at most once per change, and only if an operand has really got another value.  What was overwritten goes on a trail; taking a
 * trial back costs what it changed.  Arrays have no value: a change in one of their elements is handed on to what selects from them. */
#include "base/arith.h"
#include "solve/trial.h"

#include <math.h>
#include <stdlib.h>

enum { NODE_COST = 40, LEAST_NODE_COST = 16, ENTRY_COST = 8, VALUE_COST = 14, CALL_COST = 100 };

void trial_init(Trial *trial, ExprPool *pool, uint64_t seed)
{
    *trial = (Trial){.seed = seed};
    dag_init(&trial->dag, pool);
    trial->sets = mem_alloc(KEPT_SETS * sizeof *trial->sets);
}

void trial_release(Trial *trial)
{
    dag_release(&trial->dag);
    free(trial->values);
    free(trial->only);
    free(trial->first_parent);
    free(trial->rank);
    free(trial->dirty);
    free(trial->sets);
    for (uint32_t i = 0; i < KEPT_TABLES; i++) free(trial->tables[i].order);
    vec_release(&trial->parents);
    vec_release(&trial->wrong);
    vec_release(&trial->wrong_at);
    vec_release(&trial->trail);
    vec_release(&trial->items);
    vec_release(&trial->move);
    vec_release(&trial->scratch);
    vec_release(&trial->saved);
    *trial = (Trial){0};
}

void trial_forget(Trial *trial, uint32_t count)
{
    dag_forget(&trial->dag);
    if (trial->kept_top < count) return;
    trial->kept_top = count;
    for (uint32_t i = 0; i < KEPT_SETS; i++)
        if (trial->sets[i].condition >= count) trial->sets[i].condition = 0;
    for (uint32_t i = 0; i < KEPT_TABLES; i++)
        if (trial->tables[i].array >= count) trial->tables[i].array = trial->tables[i].asked = 0;
}

/* ---- taking up a query ---- */

static void reserve(Trial *trial, uint32_t wanted)
{
    if (wanted < trial->capacity) return;
    uint32_t capacity = wanted + wanted / 2 + 64;
    trial->values = mem_resize(trial->values, capacity * sizeof *trial->values);
    trial->only = mem_resize(trial->only, capacity * sizeof *trial->only);
    trial->first_parent = mem_resize(trial->first_parent, (capacity + 1) * sizeof *trial->first_parent);
    trial->rank = mem_resize(trial->rank, capacity * sizeof *trial->rank);
    free(trial->dirty);
    trial->dirty = mem_alloc((capacity / 64 + 1) * sizeof *trial->dirty);
    trial->capacity = capacity;
}

uint32_t trial_operands(const Dag *dag, const DagNode *node, uint32_t few[3], const uint32_t **operands)
{
    *operands = few;
    switch ((ExprKind)node->kind) {
    case EXPR_CONST:
    case EXPR_VAR:
    case EXPR_UNDEF: return 0;
    case EXPR_ARRAY:
        if (node->a == UINT32_MAX) return 0; /* fall through */
    case EXPR_APPLY: *operands = dag->list.data + node->a; return node->b;
    default: few[0] = node->a, few[1] = node->b, few[2] = node->c; return expr_operand_count((ExprKind)node->kind);
    }
}

/* On which variable does each node depend, and who reads whom? */
static void link_nodes(Trial *trial)
{
    const Dag *dag = &trial->dag;
    uint32_t few[3] = {0};
    const uint32_t *operands;
    memset(trial->first_parent, 0, (dag->count + 1) * sizeof *trial->first_parent);
    for (uint32_t at = 0; at < dag->count; at++) {
        uint32_t only = dag->nodes[at].kind == EXPR_VAR ? at : (uint32_t)NO_VARIABLE;
        uint32_t n = trial_operands(dag, &dag->nodes[at], few, &operands);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t below = trial->only[operands[i]];
            trial->first_parent[operands[i]]++;
            if (below == NO_VARIABLE || below == only) continue;
            only = only == NO_VARIABLE ? below : (uint32_t)MANY_VARIABLES;
        }
        trial->only[at] = only;
    }
    uint32_t total = 0;
    for (uint32_t at = 0; at < dag->count; at++) trial->first_parent[at] = total += trial->first_parent[at];
    trial->first_parent[dag->count] = total;
    vec_reserve(&trial->parents, total + 1);
    trial->parents.len = total;
    for (uint32_t at = dag->count; at-- > 0;) {
        uint32_t n = trial_operands(dag, &dag->nodes[at], few, &operands);
        for (uint32_t i = 0; i < n; i++) trial->parents.data[--trial->first_parent[operands[i]]] = at;
    }
}

/* Keeps the set of false conditions when the truth of one changes. */
static void toggle(Trial *trial, uint32_t condition)
{
    uint32_t place = trial->wrong_at.data[condition];
    if (!place) {
        vec_push(&trial->wrong, condition);
        trial->wrong_at.data[condition] = trial->wrong.len;
        return;
    }
    assert(trial->wrong.data[place - 1] == condition);
    uint32_t last = vec_pop(&trial->wrong);
    if (last != condition) {
        trial->wrong.data[place - 1] = last;
        trial->wrong_at.data[last] = place;
    }
    trial->wrong_at.data[condition] = 0;
}

static void take_conditions(Trial *trial)
{
    const Dag *dag = &trial->dag;
    memset(trial->rank, 0, dag->count * sizeof *trial->rank);
    vec_clear(&trial->wrong);
    vec_reserve(&trial->wrong_at, dag->roots.len + 1);
    trial->wrong_at.len = dag->roots.len;
    for (uint32_t i = 0; i < dag->roots.len; i++) {
        trial->rank[dag->roots.data[i]] = i + 1;
        trial->wrong_at.data[i] = 0;
        if (!trial->values[dag->roots.data[i]]) toggle(trial, i);
    }
}

static void take_values(Trial *trial, ExprModel *start)
{
    const Dag *dag = &trial->dag;
    for (uint32_t at = 0; at < dag->count; at++) {
        const DagNode *node = &dag->nodes[at];
        if (node->kind == EXPR_VAR) trial->values[at] = expr_model_get(start, node->e);
        else trial->values[at] = node->kind == EXPR_APPLY ? expr_eval(start, node->e) : dag_value(dag, at, trial->values);
    }
}

/* Every value is what its operands make it, and the false conditions are those listed. */
static __attribute__((unused)) bool is_consistent(const Trial *trial)
{
    const Dag *dag = &trial->dag;
    for (uint32_t at = 0; at < dag->count; at++)
        if (dag_value(dag, at, trial->values) != trial->values[at]) return false;
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < dag->roots.len; i++) {
        bool listed = trial->wrong_at.data[i] != 0;
        if (listed && vec_at(&trial->wrong, trial->wrong_at.data[i] - 1) != i) return false;
        if (listed != !trial->values[dag->roots.data[i]]) return false;
        wrong += listed;
    }
    return wrong == trial->wrong.len;
}

bool trial_begin(Trial *trial, const Query *query)
{
    uint64_t allowed = query->effort / LEAST_NODE_COST;
    trial->spent = 0;
    trial->limit = query->effort;
    vec_clear(&trial->trail);
    if (!dag_build(&trial->dag, query->conditions, query->count, allowed < 1u << 22 ? (uint32_t)allowed : 1u << 22)) return false;
    reserve(trial, trial->dag.count);
    take_values(trial, query->start);
    link_nodes(trial);
    take_conditions(trial);
    uint64_t seed = trial->seed;
    for (uint32_t i = 0; i < query->count; i++) seed = hash_mix(seed * 31 + query->conditions[i]);
    random_seed(&trial->random, seed);
    assert(is_consistent(trial));
    trial->spent = (uint64_t)trial->dag.count * NODE_COST + (uint64_t)trial->dag.list.len * ENTRY_COST;
    return true;
}

/* ---- changes ---- */

static void write_value(Trial *trial, uint32_t at, U128 value)
{
    trial->values[at] = value;
    if (trial->rank[at]) toggle(trial, trial->rank[at] - 1);
}

static uint32_t touch_parents(Trial *trial, uint32_t at, uint32_t highest)
{
    uint32_t end = trial->first_parent[at + 1];
    assert(trial->first_parent[at] <= end && end <= trial->parents.len);
    for (uint32_t i = trial->first_parent[at]; i < end; i++) {
        uint32_t parent = trial->parents.data[i];
        assert(parent > at && parent < trial->dag.count);
        trial->dirty[parent / 64] |= (uint64_t)1 << parent % 64;
        if (parent > highest) highest = parent;
    }
    return highest;
}

/* Recomputes a touched node; false if nothing changes for its users. */
static bool recompute(Trial *trial, uint32_t at)
{
    const DagNode *node = &trial->dag.nodes[at];
    trial->spent += node->kind == EXPR_APPLY ? CALL_COST : VALUE_COST;
    if (node->kind == EXPR_ARRAY || node->kind == EXPR_STORE) return true;
    U128 value = dag_value(&trial->dag, at, trial->values);
    if (value == trial->values[at]) return false;
    vec_push(&trial->trail, ((Assignment){at, trial->values[at]}));
    write_value(trial, at, value);
    return true;
}

void trial_apply(Trial *trial, const Assignment *move, uint32_t count)
{
    uint32_t lowest = UINT32_MAX, highest = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = move[i].var;
        assert(trial->dag.nodes[at].kind == EXPR_VAR);
        U128 value = move[i].value & arith_mask(trial->dag.nodes[at].width);
        if (value == trial->values[at]) continue;
        vec_push(&trial->trail, ((Assignment){at, trial->values[at]}));
        write_value(trial, at, value);
        highest = touch_parents(trial, at, highest);
        if (at < lowest) lowest = at;
    }
    if (lowest == UINT32_MAX) return;
    for (uint32_t word = lowest / 64; word <= highest / 64; word++)
        while (trial->dirty[word]) {
            uint32_t at = word * 64 + (uint32_t)__builtin_ctzll(trial->dirty[word]);
            trial->dirty[word] &= trial->dirty[word] - 1;
            if (recompute(trial, at)) highest = touch_parents(trial, at, highest);
        }
    if (highest > lowest) trial->spent += (highest - lowest) / 128;
}

void trial_undo(Trial *trial)
{
    while (trial->trail.len) {
        Assignment old = vec_pop(&trial->trail);
        assert(old.value != trial->values[old.var]);
        write_value(trial, old.var, old.value);
    }
}

void trial_answer(const Trial *trial, const Query *query, Outcome *outcome)
{
    assert(!trial->wrong.len && is_consistent(trial));
    outcome->answer = SOLVE_SAT;
    vec_clear(&outcome->values);
    for (uint32_t i = 0; i < trial->dag.vars.len; i++) {
        uint32_t at = trial->dag.vars.data[i];
        Expr var = trial->dag.nodes[at].e;
        if (trial->values[at] == expr_model_get(query->start, var)) continue;
        vec_push(&outcome->values, ((SolveValue){var, trial->values[at]}));
    }
}

/* ---- distance ---- */

enum { DEEPEST = 64, FAR = 190, MOST_LOOKED_AT = 1000 /* what is shared is looked at again and again */ };

static double measure(U128 difference)
{
    if (difference >> 64) return 1 + log2((double)difference);
    return 1 + log2(1 + (double)(uint64_t)difference);
}

static double distance_order(const DagNode *node, unsigned width, U128 a, U128 b, bool wanted)
{
    bool is_signed = node->kind == EXPR_SLT || node->kind == EXPR_SLE;
    U128 bias = is_signed ? (U128)1 << (width - 1) : 0;
    U128 x = a ^ bias, y = b ^ bias;
    return measure(wanted ? x - y : y - x);
}

static double distance_equal(unsigned width, U128 a, U128 b, bool wanted)
{
    if (!wanted) return 1;
    U128 up = (a - b) & arith_mask(width), down = (b - a) & arith_mask(width);
    return measure(up < down ? up : down);
}

static double distance_float(const DagNode *node, U128 a, U128 b, bool wanted)
{
    unsigned width = node->source;
    bool unordered = float_is_nan(width, a) || float_is_nan(width, b);
    if (node->kind == EXPR_FUNO) return wanted ? FAR : 1;
    if (unordered) return FAR; /* then the comparison is false, so true is wanted */
    if (node->kind == EXPR_FEQ && !wanted) return 1;
    U128 x = float_to_order(width, a), y = float_to_order(width, b);
    return measure(x < y ? y - x : x - y);
}

/* The sign bit of a number: how far is it from the other sign? */
static double distance_sign(const DagNode *node, unsigned width, U128 value, bool wanted)
{
    if (node->b + 1 != width || node->width != 1) return 1;
    return measure(wanted ? value : -value & arith_mask(width));
}

static double distance(Trial *trial, uint32_t at, bool wanted, unsigned depth);

static double distance_both(Trial *trial, const DagNode *node, bool wanted, bool all, unsigned depth)
{
    double x = distance(trial, node->a, wanted, depth), y = distance(trial, node->b, wanted, depth);
    return all ? x + y : x < y ? x : y;
}

static double distance_choice(Trial *trial, const DagNode *node, bool wanted, unsigned depth)
{
    double yes = distance(trial, node->a, true, depth) + distance(trial, node->b, wanted, depth);
    double no = distance(trial, node->a, false, depth) + distance(trial, node->c, wanted, depth);
    return yes < no ? yes : no;
}

/* Equal or different bits: one of the two has to change. */
static double distance_bits(Trial *trial, const DagNode *node, unsigned depth)
{
    double change_a = distance(trial, node->a, !trial->values[node->a], depth);
    double change_b = distance(trial, node->b, !trial->values[node->b], depth);
    return change_a < change_b ? change_a : change_b;
}

static double distance(Trial *trial, uint32_t at, bool wanted, unsigned depth)
{
    const U128 *values = trial->values;
    const DagNode *node = &trial->dag.nodes[at];
    assert(node->width == 1);
    if ((bool)values[at] == wanted) return 0;
    if (!trial_depends(trial, at)) return FAR;
    if (depth >= DEEPEST || trial->looks == 0) return 1;
    trial->looks--;
    trial->spent += VALUE_COST;
    switch ((ExprKind)node->kind) {
    case EXPR_NOT: return distance(trial, node->a, !wanted, depth + 1);
    case EXPR_AND: return distance_both(trial, node, wanted, wanted, depth + 1);
    case EXPR_OR: return distance_both(trial, node, wanted, !wanted, depth + 1);
    case EXPR_ITE: return distance_choice(trial, node, wanted, depth + 1);
    case EXPR_EQ:
        if (node->source == 1) return distance_bits(trial, node, depth + 1);
        return distance_equal(node->source, values[node->a], values[node->b], wanted);
    case EXPR_ULT:
    case EXPR_ULE:
    case EXPR_SLT:
    case EXPR_SLE: return distance_order(node, node->source, values[node->a], values[node->b], wanted);
    case EXPR_FEQ:
    case EXPR_FLT:
    case EXPR_FLE:
    case EXPR_FUNO: return distance_float(node, values[node->a], values[node->b], wanted);
    case EXPR_EXTRACT: return distance_sign(node, node->source, values[node->a], wanted);
    default: return 1;
    }
}

double trial_distance(Trial *trial, uint32_t at, bool wanted)
{
    trial->looks = MOST_LOOKED_AT;
    return distance(trial, at, wanted, 0);
}
