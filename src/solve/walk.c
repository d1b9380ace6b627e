/* The way from a condition down to the inputs.
 *
 * At every node one operand is chosen and given the value with which the node takes its target (invert.h).  A conjunction that shall be
 * true and a CONCAT hand their targets to both operands, so that a magic number of eight bytes is one walk.  Where no operand can be
 * given such a value alone, one gets the value that comes nearest; the caller finds out by evaluation what the move is worth.  A table
 * is searched for an index whose element is the target, or else one with which some node further up takes its own target. */
#include "base/arith.h"
#include "solve/invert.h"
#include "solve/trial.h"

#include <math.h>
#include <stdlib.h>

enum { STEP_COST = 50, PROBE_COST = 16, MOST_ITEMS = 512, MOST_PROBES = 320, SMALL_TABLE = 64, LARGE_TABLE = 1 << 16 };

/* The value of a node in the move being made: variables may have got theirs already. */
static U128 value_now(const Trial *trial, uint32_t at)
{
    if (trial->dag.nodes[at].kind == EXPR_VAR)
        for (uint32_t i = 0; i < trial->move.len; i++)
            if (trial->move.data[i].var == at) return trial->move.data[i].value;
    return trial->values[at];
}

static ExprKnown known_of(const Trial *trial, uint32_t at)
{
    return expr_known(trial->dag.pool, trial->dag.nodes[at].e);
}

static bool hand_down(Trial *trial, uint32_t item, uint32_t at, U128 target)
{
    if (trial->items.len >= MOST_ITEMS) return false;
    assert(trial_depends(trial, at) && target <= arith_mask(trial->dag.nodes[at].width));
    assert(item < trial->items.len && at < trial->items.data[item].at);
    vec_push(&trial->items, ((WalkItem){at, item, target}));
    return true;
}

/* ---- operators ---- */

static bool is_binary(ExprKind kind)
{
    return expr_operand_count(kind) != 1;
}

static Inversion inversion_of(Trial *trial, const DagNode *node, U128 target, unsigned operand, unsigned style)
{
    assert(operand == 0 || is_binary((ExprKind)node->kind));
    uint32_t changing = operand ? node->b : node->a, staying = operand ? node->a : node->b;
    return (Inversion){
        .kind = (ExprKind)node->kind,
        .width = node->width,
        .source = node->source,
        .operand = operand,
        .size = trial->dag.nodes[changing].width,
        .target = target,
        .x = value_now(trial, changing),
        .y = is_binary((ExprKind)node->kind) ? value_now(trial, staying) : node->b,
        .known = known_of(trial, changing),
        .style = style,
        .random = &trial->random,
    };
}

static U128 square_root(U128 value)
{
    U128 root = 0;
    if (value < (U128)1 << 52) return (U128)sqrt((double)value); /* exact as far as doubles hold all integers */
    for (U128 bit = (U128)1 << 63; bit; bit >>= 1)
        if ((root | bit) * (root | bit) <= value) root |= bit;
    return root;
}

/* x*x, x+x and their like: both operands change at once. */
static bool step_twice(Trial *trial, uint32_t item, const DagNode *node, U128 target)
{
    unsigned width = node->source;
    switch ((ExprKind)node->kind) {
    case EXPR_MUL: return hand_down(trial, item, node->a, square_root(target));
    case EXPR_FMUL: return hand_down(trial, item, node->a, expr_fold(EXPR_FSQRT, width, width, target, 0, 0));
    case EXPR_FADD: return hand_down(trial, item, node->a, float_bits(width, float_number(width, target) / 2));
    case EXPR_FEQ:
    case EXPR_FUNO: /* x = x asks for a NaN or for a number */
        return hand_down(trial, item, node->a, float_bits(width, (node->kind == EXPR_FUNO) == (bool)target ? __builtin_nanl("") : 1));
    default: return false;
    }
}

/* A value of the operand with which the node takes its target, if what is known of the operand permits it.  A product has two inverses:
 * the quotient, and if there is none, what overflows to the target, which is rarely meant; random walks then often prefer the rounded
 * quotient. */
static bool find_inverse(const Inversion *inversion, U128 *value)
{
    if (inversion->kind == EXPR_MUL && invert_near(inversion, value)) {
        bool is_quotient = invert_result(inversion, *value) == inversion->target;
        if (is_quotient || (inversion->style && random_below(inversion->random, 4))) return invert_fits(&inversion->known, *value);
    }
    if (!invert_exact(inversion, value)) return false;
    assert(*value <= arith_mask(inversion->size) && invert_result(inversion, *value) == inversion->target);
    return *value != inversion->x && invert_fits(&inversion->known, *value);
}

static bool step_operator(Trial *trial, uint32_t item, unsigned style)
{
    U128 target = trial->items.data[item].target, value;
    const DagNode *node = &trial->dag.nodes[trial->items.data[item].at];
    bool binary = is_binary((ExprKind)node->kind);
    if (binary && node->a == node->b) return step_twice(trial, item, node, target);
    unsigned first = !binary ? 0 : style < 2 ? style : (unsigned)random_below(&trial->random, 2);
    if (!trial_depends(trial, first ? node->b : node->a)) first = !first;
    for (unsigned i = 0; i < 2; i++) {
        unsigned operand = first ^ i;
        if (operand == 1 && !binary) continue;
        uint32_t at = operand ? node->b : node->a;
        if (!trial_depends(trial, at)) continue;
        Inversion inversion = inversion_of(trial, node, target, operand, style);
        if (find_inverse(&inversion, &value)) return hand_down(trial, item, at, value);
    }
    Inversion inversion = inversion_of(trial, node, target, first, style);
    return invert_near(&inversion, &value) && hand_down(trial, item, first ? node->b : node->a, value);
}

/* ---- sums of digits ---- */

/* The least and the greatest value of a node, as far as known bits and conditions on a variable tell. */
static void range_of(Trial *trial, uint32_t at, I128 *low, I128 *high)
{
    ExprKnown known = known_of(trial, at);
    *low = (I128)known.low, *high = (I128)known.high;
    if (trial->dag.nodes[at].kind == EXPR_ZEXT) at = trial->dag.nodes[at].a;
    U128 least, greatest;
    if (trial->dag.nodes[at].kind != EXPR_VAR) return;
    if (!domain_nearest(trial, at, known.low, &least) || !domain_nearest(trial, at, known.high, &greatest)) return;
    if (least <= greatest) *low = (I128)least, *high = (I128)greatest;
}

static I128 floor_divide(I128 a, I128 b)
{
    assert(b > 0);
    return a / b - (a % b < 0);
}

/* target = x * factor + rest: x such that the rest can be what it then has to be.  False if the sum is of another shape. */
static bool step_split(Trial *trial, uint32_t item, unsigned style, bool product_first)
{
    const Dag *dag = &trial->dag;
    const DagNode *node = &dag->nodes[trial->items.data[item].at];
    uint32_t product = product_first ? node->a : node->b, rest = product_first ? node->b : node->a;
    const DagNode *factors = &dag->nodes[product];
    if (factors->kind != EXPR_MUL || dag->nodes[factors->b].kind != EXPR_CONST || node->width > 64) return false;
    if (!trial_depends(trial, rest)) return false;
    I128 low, high, target = arith_sext(trial->items.data[item].target, node->width), factor = (I128)trial->values[factors->b];
    range_of(trial, rest, &low, &high);
    I128 least = -floor_divide(high - target, factor), most = floor_divide(target - low, factor);
    ExprKnown known = known_of(trial, factors->a);
    if (known.low > 0 && least < (I128)known.low) least = (I128)known.low;
    if (least < 0) least = 0;
    if (most > (I128)known.high) most = (I128)known.high;
    if (least > most) return false;
    I128 x = (I128)trial->values[factors->a];
    x = x < least ? least : x > most ? most : x;
    if (style > 1) x = least + (I128)random_below(&trial->random, most - least < 1 << 30 ? (uint64_t)(most - least) + 1 : 1 << 30);
    if (!hand_down(trial, item, factors->a, (U128)x)) return false;
    return hand_down(trial, item, rest, (U128)(target - x * factor) & arith_mask(node->width));
}

static bool step_sum(Trial *trial, uint32_t item, unsigned style)
{
    if (style == 1 || (style > 1 && random_below(&trial->random, 2))) {
        bool product_first = random_below(&trial->random, 2);
        if (step_split(trial, item, style, product_first) || step_split(trial, item, style, !product_first)) return true;
    }
    return step_operator(trial, item, style);
}

/* ---- structure ---- */

/* Both operands get targets of their own. */
static bool step_both(Trial *trial, uint32_t item, const DagNode *node, U128 for_a, U128 for_b)
{
    bool change_a = trial->values[node->a] != for_a, change_b = trial->values[node->b] != for_b;
    if (change_a && !trial_depends(trial, node->a)) return false;
    if (change_b && !trial_depends(trial, node->b)) return false;
    return (!change_a || hand_down(trial, item, node->a, for_a)) && (!change_b || hand_down(trial, item, node->b, for_b));
}

static bool step_concat(Trial *trial, uint32_t item, unsigned style)
{
    U128 target = trial->items.data[item].target;
    const DagNode *node = &trial->dag.nodes[trial->items.data[item].at];
    if (step_both(trial, item, node, target >> node->source, target & arith_mask(node->source))) return true;
    return step_operator(trial, item, style);
}

static bool step_choice(Trial *trial, uint32_t item, unsigned style)
{
    U128 target = trial->items.data[item].target;
    const DagNode *node = &trial->dag.nodes[trial->items.data[item].at];
    bool taken = (bool)trial->values[node->a];
    uint32_t arm = taken ? node->b : node->c, other = taken ? node->c : node->b;
    ExprKnown known_arm = known_of(trial, arm), known_other = known_of(trial, other);
    bool can_stay = trial_depends(trial, arm) && invert_fits(&known_arm, target);
    bool can_flip = trial_depends(trial, node->a) && invert_fits(&known_other, target);
    bool ready = can_flip && trial->values[other] == target;
    if (can_stay && can_flip) {
        if (style == 0) can_stay = !ready;
        else if (style == 1) can_flip = false;
        else if (random_below(&trial->random, 2)) can_stay = false;
    }
    if (can_stay) return hand_down(trial, item, arm, target);
    if (!can_flip) return false;
    if (!hand_down(trial, item, node->a, !taken)) return false;
    return ready || !trial_depends(trial, other) || hand_down(trial, item, other, target);
}

/* ---- arrays ---- */

static int by_element(const void *x, const void *y, void *data)
{
    const U128 *elements = data;
    uint32_t i = *(const uint32_t *)x, k = *(const uint32_t *)y;
    if (elements[i] != elements[k]) return elements[i] < elements[k] ? -1 : 1;
    return i < k ? -1 : i > k;
}

static void sort_table(Trial *trial, KeptTable *table, const Expr *elements)
{
    uint32_t count = table->count;
    U128 *values = mem_alloc(count * sizeof *values);
    table->order = mem_resize(table->order, count * sizeof *table->order);
    for (uint32_t i = 0; i < count; i++) {
        values[i] = expr_value(trial->dag.pool, elements[i]);
        table->order[i] = i;
    }
    qsort_r(table->order, count, sizeof *table->order, by_element, values);
    free(values);
}

/* Among the sorted entries, the first one whose element is the value or more, and, if it is the value, whose index is `begin` or more. */
static uint32_t lower_bound(const Trial *trial, const KeptTable *table, const Expr *elements, U128 value, uint32_t begin)
{
    uint32_t low = 0, high = table->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2, index = table->order[middle];
        U128 element = expr_value(trial->dag.pool, elements[index]);
        if (element < value || (element == value && index < begin)) low = middle + 1;
        else high = middle;
    }
    return low;
}

static uint32_t find_sorted(const Trial *trial, const KeptTable *table, const Expr *elements, U128 value, uint32_t begin)
{
    for (unsigned round = 0; round < 2; round++, begin = 0) {
        uint32_t place = lower_bound(trial, table, elements, value, begin);
        if (place < table->count && expr_value(trial->dag.pool, elements[table->order[place]]) == value) return table->order[place];
    }
    return UINT32_MAX;
}

/* Sorting pays after some questions; until then the elements are gone through.  Both ways give the same index at the same charge. */
uint32_t trial_table_index(Trial *trial, const DagNode *array, U128 value, uint32_t begin)
{
    enum { QUESTIONS = 16 };
    assert(array->kind == EXPR_ARRAY && array->a == UINT32_MAX);
    KeptTable *table = &trial->tables[hash_mix(array->e) % KEPT_TABLES];
    const Expr *elements;
    uint32_t count = expr_elements(trial->dag.pool, array->e, &elements);
    trial->spent += PROBE_COST * 16;
    if (table->array != array->e) {
        table->array = array->e, table->count = count, table->asked = 0;
        if (array->e > trial->kept_top) trial->kept_top = array->e;
    }
    if (table->asked < QUESTIONS && ++table->asked == QUESTIONS) sort_table(trial, table, elements);
    if (table->asked == QUESTIONS) return find_sorted(trial, table, elements, value, begin);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = begin + i < count ? begin + i : begin + i - count;
        if (expr_value(trial->dag.pool, elements[index]) == value) return index;
    }
    return UINT32_MAX;
}

/* What the select gives for another index. */
static U128 element_at(Trial *trial, uint32_t at, U128 index)
{
    uint32_t place = trial->dag.nodes[at].b;
    U128 before = trial->values[place];
    trial->values[place] = index;
    U128 value = dag_value(&trial->dag, at, trial->values);
    trial->values[place] = before;
    trial->spent += PROBE_COST;
    return value;
}

/* Would this value bring the node of the item, or one further up the walk, to its target? */
static bool reaches_target(Trial *trial, uint32_t item, U128 value)
{
    const WalkItem *items = trial->items.data;
    while (value != items[item].target) {
        uint32_t at = items[item].at;
        item = items[item].up;
        if (item == UINT32_MAX) return false;
        U128 before = trial->values[at];
        trial->values[at] = value;
        value = dag_value(&trial->dag, items[item].at, trial->values);
        trial->values[at] = before;
        trial->spent += PROBE_COST;
    }
    return true;
}

static const DagNode *base_array(const Trial *trial, uint32_t at)
{
    while (trial->dag.nodes[at].kind == EXPR_STORE) at = trial->dag.nodes[at].a;
    return &trial->dag.nodes[at];
}

/* Changes the index to one where the target, or something as good, stands. */
static bool step_index(Trial *trial, uint32_t item, unsigned style)
{
    uint32_t at = trial->items.data[item].at, place = trial->dag.nodes[at].b;
    U128 target = trial->items.data[item].target;
    if (!trial_depends(trial, place)) return false;
    const DagNode *array = base_array(trial, trial->dag.nodes[at].a);
    ExprKnown known = known_of(trial, place);
    uint32_t length = array->b;
    if (array->a == UINT32_MAX && length > SMALL_TABLE && length <= LARGE_TABLE)
        for (unsigned i = 0; i < 4; i++) {
            uint32_t index = trial_table_index(trial, array, target, (uint32_t)random_below(&trial->random, length));
            if (index == UINT32_MAX) break;
            if (invert_fits(&known, index) && element_at(trial, at, index) == target) return hand_down(trial, item, place, index);
        }
    U128 low = known.low, high = known.high < length ? known.high : (U128)length - 1;
    if (!length || low > high) return false;
    uint64_t count = (uint64_t)(high - low) + 1, begin = style ? random_below(&trial->random, count) : 0;
    for (uint64_t i = 0; i < count && i < MOST_PROBES; i++) {
        U128 index = low + (begin + i) % count;
        if (index == trial->values[place] || !invert_fits(&known, index)) continue;
        if (reaches_target(trial, item, element_at(trial, at, index))) return hand_down(trial, item, place, index);
    }
    return false;
}

/* Changes the element that is selected now, or makes a store hit that writes the target. */
static bool step_element(Trial *trial, uint32_t item)
{
    const Dag *dag = &trial->dag;
    const DagNode *node = &dag->nodes[trial->items.data[item].at];
    U128 target = trial->items.data[item].target, index = trial->values[node->b];
    const DagNode *array = &dag->nodes[node->a];
    for (; array->kind == EXPR_STORE; array = &dag->nodes[array->a]) {
        if (trial->values[array->b] == index) return trial_depends(trial, array->c) && hand_down(trial, item, array->c, target);
        if (trial->values[array->c] == target && trial_depends(trial, array->b)) return hand_down(trial, item, array->b, index);
    }
    if (array->a == UINT32_MAX || index >= array->b) return false;
    uint32_t element = dag->list.data[array->a + (uint32_t)index];
    return trial_depends(trial, element) && hand_down(trial, item, element, target);
}

/* The node that the select gives for an index; UINT32_MAX if that is a constant of a table. */
static uint32_t element_node(const Trial *trial, const DagNode *node, U128 index)
{
    const DagNode *array = &trial->dag.nodes[node->a];
    for (; array->kind == EXPR_STORE; array = &trial->dag.nodes[array->a])
        if (trial->values[array->b] == index) return array->c;
    return array->a == UINT32_MAX ? UINT32_MAX : trial->dag.list.data[array->a + (uint32_t)index];
}

/* Changes the index and the element there. */
static bool step_elsewhere(Trial *trial, uint32_t item)
{
    const DagNode *node = &trial->dag.nodes[trial->items.data[item].at];
    if (!trial_depends(trial, node->b)) return false;
    ExprKnown known = known_of(trial, node->b);
    uint32_t length = dag_array_length(&trial->dag, node->a);
    for (unsigned i = 0; i < 4 && length; i++) {
        U128 index = random_below(&trial->random, length);
        uint32_t element = element_node(trial, node, index);
        if (index == trial->values[node->b] || !invert_fits(&known, index)) continue;
        if (element == UINT32_MAX || !trial_depends(trial, element)) continue;
        return hand_down(trial, item, node->b, index) && hand_down(trial, item, element, trial->items.data[item].target);
    }
    return false;
}

static bool step_select(Trial *trial, uint32_t item, unsigned style)
{
    if (style > 1 && !random_below(&trial->random, 4) && step_elsewhere(trial, item)) return true;
    bool index_first = style == 0 || (style > 1 && random_below(&trial->random, 2));
    if (index_first) return step_index(trial, item, style) || step_element(trial, item);
    return step_element(trial, item) || step_index(trial, item, style);
}

/* A real function: another argument, in the hope of the best. */
static bool step_apply(Trial *trial, uint32_t item)
{
    const DagNode *node = &trial->dag.nodes[trial->items.data[item].at];
    uint32_t free_ones = 0, chosen = 0;
    for (uint32_t i = 0; i < node->b; i++) {
        uint32_t argument = trial->dag.list.data[node->a + i];
        if (trial_depends(trial, argument) && !random_below(&trial->random, ++free_ones)) chosen = argument;
    }
    if (!free_ones) return false;
    unsigned width = trial->dag.nodes[chosen].width;
    U128 step = invert_random_size(&trial->random, width), x = trial->values[chosen];
    bool as_float = width == 80 || (is_float_width(width) && random_below(&trial->random, 4));
    U128 value = as_float ? float_random(width, &trial->random) : random_below(&trial->random, 2) ? x + step : x - step;
    return hand_down(trial, item, chosen, value & arith_mask(width));
}

/* ---- the walk ---- */

static bool assign(Trial *trial, uint32_t var, U128 value, unsigned style)
{
    assert(trial->dag.nodes[var].kind == EXPR_VAR && value <= arith_mask(trial->dag.nodes[var].width));
    if (style && !domain_nearest(trial, var, value, &value)) return false;
    for (uint32_t i = 0; i < trial->move.len; i++)
        if (trial->move.data[i].var == var) {
            trial->move.data[i].value = value;
            return true;
        }
    if (value != trial->values[var]) vec_push(&trial->move, ((Assignment){var, value}));
    return true;
}

static bool step(Trial *trial, uint32_t item, unsigned style)
{
    uint32_t at = trial->items.data[item].at;
    U128 target = trial->items.data[item].target;
    const DagNode *node = &trial->dag.nodes[at];
    trial->spent += STEP_COST;
    if (node->kind == EXPR_VAR) return assign(trial, at, target, style);
    if (trial->values[at] == target) return true;
    switch ((ExprKind)node->kind) {
    case EXPR_AND:
        if (node->width == 1 && target) return step_both(trial, item, node, 1, 1);
        return step_operator(trial, item, style);
    case EXPR_OR:
        if (node->width == 1 && !target) return step_both(trial, item, node, 0, 0);
        return step_operator(trial, item, style);
    case EXPR_ADD: return step_sum(trial, item, style);
    case EXPR_CONCAT: return step_concat(trial, item, style);
    case EXPR_ITE: return step_choice(trial, item, style);
    case EXPR_SELECT: return step_select(trial, item, style);
    case EXPR_APPLY: return step_apply(trial, item);
    default: return step_operator(trial, item, style);
    }
}

bool trial_walk(Trial *trial, uint32_t at, U128 target, unsigned style)
{
    vec_clear(&trial->items);
    vec_clear(&trial->move);
    if (!trial_depends(trial, at)) return false;
    vec_push(&trial->items, ((WalkItem){at, UINT32_MAX, target}));
    for (uint32_t next = 0; next < trial->items.len; next++)
        if (!step(trial, next, style)) return false;
    return trial->move.len > 0;
}
