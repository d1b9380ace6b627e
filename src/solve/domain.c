/* What the conditions over one variable alone leave of it.
 *
 * For a byte this is a set of 256 bits for each condition, found by evaluating the condition for all values.  The same conditions come
 * in query after query of a path, so the sets are kept.  (The charge for one is the same whether it was kept or not: what a query may
 * spend must not depend on earlier ones.)  For wider variables only the usual bounds are understood: x < c, c < x, x = c and the same of
 * x + d. */
#include "base/arith.h"
#include "solve/trial.h"

enum { SET_COST = 150, BOUND_COST = 3, MOST_NODES = 64 };

static const ByteSet everything = {{~(uint64_t)0, ~(uint64_t)0, ~(uint64_t)0, ~(uint64_t)0}};

/* The nodes from the condition down to the variable into `scratch`; false if they are too many or not cheap. */
static bool collect(Trial *trial, uint32_t var, uint32_t root)
{
    const Dag *dag = &trial->dag;
    bool cheap = true;
    vec_clear(&trial->scratch);
    trial->dirty[root / 64] |= (uint64_t)1 << root % 64;
    for (uint32_t at = root + 1; at-- > var;) {
        if (!(trial->dirty[at / 64] >> at % 64 & 1)) continue;
        trial->dirty[at / 64] &= ~((uint64_t)1 << at % 64);
        vec_push(&trial->scratch, at);
        if (dag->nodes[at].kind == EXPR_APPLY) cheap = false;
        uint32_t few[3] = {0};
        const uint32_t *operands;
        uint32_t count = trial_operands(dag, &dag->nodes[at], few, &operands);
        for (uint32_t i = 0; i < count; i++)
            if (trial->only[operands[i]] == var) trial->dirty[operands[i] / 64] |= (uint64_t)1 << operands[i] % 64;
    }
    return cheap && trial->scratch.len <= MOST_NODES;
}

static ByteSet evaluate_all(Trial *trial, uint32_t var, uint32_t root)
{
    assert(trial->only[root] == var);
    if (!collect(trial, var, root)) return everything;
    ByteSet set = {{0}};
    vec_clear(&trial->saved);
    for (uint32_t i = 0; i < trial->scratch.len; i++) {
        uint32_t at = trial->scratch.data[i];
        vec_push(&trial->saved, ((Assignment){at, trial->values[at]}));
    }
    assert(vec_top(&trial->scratch) == var);
    for (unsigned value = 0; value < 1u << trial->dag.nodes[var].width; value++) {
        trial->values[var] = value;
        for (uint32_t i = trial->scratch.len - 1; i-- > 0;) {
            uint32_t at = trial->scratch.data[i];
            trial->values[at] = dag_value(&trial->dag, at, trial->values);
        }
        if (trial->values[root]) set.bits[value >> 6] |= (uint64_t)1 << (value & 63);
    }
    for (uint32_t i = 0; i < trial->saved.len; i++) trial->values[trial->saved.data[i].var] = trial->saved.data[i].value;
    return set;
}

/* The sets are kept in lines of four; the oldest of a line makes room. */
static ByteSet set_of_condition(Trial *trial, uint32_t var, uint32_t root)
{
    enum { LINE = 4 };
    Expr condition = trial->dag.nodes[root].e;
    KeptSet *line = &trial->sets[hash_mix(condition) % (KEPT_SETS / LINE) * LINE];
    trial->spent += SET_COST;
    for (unsigned i = 0; i < LINE; i++)
        if (line[i].condition == condition) return line[i].set;
    memmove(line + 1, line, (LINE - 1) * sizeof *line);
    if (condition > trial->kept_top) trial->kept_top = condition;
    line[0] = (KeptSet){condition, evaluate_all(trial, var, root)};
    return line[0].set;
}

ByteSet domain_of_byte(Trial *trial, uint32_t var)
{
    const Dag *dag = &trial->dag;
    unsigned width = dag->nodes[var].width;
    assert(dag->nodes[var].kind == EXPR_VAR && width <= 8);
    ByteSet set = everything;
    for (unsigned i = 0; i < 4 && width < 8; i++) set.bits[i] = 0;
    if (width < 8) set.bits[0] = arith_mask64(1u << width);
    if (width == 7) set.bits[1] = ~(uint64_t)0;
    trial->spent += dag->roots.len * BOUND_COST;
    for (uint32_t i = 0; i < dag->roots.len; i++) {
        uint32_t root = dag->roots.data[i];
        if (trial->only[root] != var) continue;
        ByteSet more = set_of_condition(trial, var, root);
        for (unsigned k = 0; k < 4; k++) set.bits[k] &= more.bits[k];
    }
    return set;
}

/* ---- words ---- */

/* The values x of `node` op `constant` (or the other way round) as an interval; false if the condition is of another shape. */
static bool bound_of(ExprKind kind, unsigned width, U128 constant, bool constant_first, Interval *bound)
{
    U128 mask = arith_mask(width), least = kind == EXPR_SLT ? (U128)1 << (width - 1) : 0, greatest = (least - 1) & mask;
    if (kind == EXPR_EQ) *bound = (Interval){constant, 0};
    else if (kind != EXPR_ULT && kind != EXPR_SLT) return false;
    else if (constant_first) *bound = (Interval){(constant + 1) & mask, (greatest - constant - 1) & mask};
    else *bound = (Interval){least, (constant - 1 - least) & mask};
    return true;
}

static bool is_sum_of(const Trial *trial, uint32_t at, uint32_t var, U128 *addend)
{
    const DagNode *node = &trial->dag.nodes[at];
    *addend = 0;
    if (at == var) return true;
    if (node->kind != EXPR_ADD || node->a != var || trial->dag.nodes[node->b].kind != EXPR_CONST) return false;
    *addend = trial->values[node->b];
    return true;
}

static bool interval_of(const Trial *trial, uint32_t var, uint32_t root, Interval *interval)
{
    const DagNode *node = &trial->dag.nodes[root];
    if (node->kind != EXPR_EQ && node->kind != EXPR_ULT && node->kind != EXPR_SLT) return false;
    bool constant_first = trial->dag.nodes[node->a].kind == EXPR_CONST;
    uint32_t constant = constant_first ? node->a : node->b;
    unsigned width = trial->dag.nodes[var].width;
    U128 addend;
    if (trial->dag.nodes[constant].kind != EXPR_CONST) return false;
    if (!is_sum_of(trial, constant_first ? node->b : node->a, var, &addend)) return false;
    if (!bound_of((ExprKind)node->kind, width, trial->values[constant], constant_first, interval)) return false;
    interval->start = (interval->start - addend) & arith_mask(width);
    return true;
}

/* What both intervals have in common; of two pieces, the first.  False if nothing. */
static bool intersect(Interval *x, const Interval *y, U128 mask)
{
    U128 offset = (y->start - x->start) & mask, back = (x->start - y->start) & mask;
    if (offset <= x->span) {
        U128 left = x->span - offset;
        *x = (Interval){y->start, left < y->span ? left : y->span};
        return true;
    }
    if (back > y->span) return false;
    U128 left = y->span - back;
    if (left < x->span) x->span = left;
    return true;
}

Interval domain_of_word(Trial *trial, uint32_t var)
{
    const Dag *dag = &trial->dag;
    U128 mask = arith_mask(dag->nodes[var].width);
    Interval domain = {0, mask}, bound;
    assert(dag->nodes[var].kind == EXPR_VAR);
    trial->spent += dag->roots.len * BOUND_COST;
    for (uint32_t i = 0; i < dag->roots.len; i++) {
        uint32_t root = dag->roots.data[i];
        if (trial->only[root] != var || !interval_of(trial, var, root, &bound)) continue;
        if (domain.span == mask) domain = bound;
        else if (!intersect(&domain, &bound, mask)) return (Interval){0, mask};
    }
    return domain;
}

static bool nearest_byte(Trial *trial, uint32_t var, unsigned value, U128 *nearest)
{
    ByteSet set = domain_of_byte(trial, var);
    for (unsigned distance = 0; distance < 256; distance++) {
        if (value + distance < 256 && byte_set_has(&set, value + distance)) {
            *nearest = value + distance;
            return true;
        }
        if (distance <= value && byte_set_has(&set, value - distance)) {
            *nearest = value - distance;
            return true;
        }
    }
    return false;
}

bool domain_nearest(Trial *trial, uint32_t var, U128 value, U128 *nearest)
{
    unsigned width = trial->dag.nodes[var].width;
    U128 mask = arith_mask(width);
    if (width <= 8) return nearest_byte(trial, var, (unsigned)value, nearest);
    Interval domain = domain_of_word(trial, var);
    U128 offset = (value - domain.start) & mask;
    *nearest = value;
    if (offset <= domain.span) return true;
    U128 beyond = offset - domain.span, before = (domain.start - value) & mask;
    *nearest = beyond <= before ? (domain.start + domain.span) & mask : domain.start;
    return true;
}
