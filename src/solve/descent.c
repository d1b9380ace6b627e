/* The descent tier: search-based testing on the conditions.
 *
 * The cost of a model is the sum of the distances of its false conditions (trial_distance): how many steps between neighbouring
 * numbers, as a logarithm, each comparison lacks.  One input after the other is changed as long as the cost falls (Korel's alternating
 * variable method): steps of all sizes up and down, doubled while they help; for floats in steps between neighbouring numbers and in
 * real units; then values worth trying anywhere: constants of the conditions and their neighbours, values of the other inputs, limits.
 * False conditions are also repaired directly by inverting their operations (walk.c).  If nothing helps any more the search starts again
 * from random values of mixed magnitudes, or from the best model so far with some of it changed.  Real functions are black boxes here:
 * only their values matter.
 *
 * An input is a variable, or a CONCAT of variables (a double read from eight bytes), which then is changed as one. */
#include "base/arith.h"
#include "solve/invert.h"
#include "solve/trial.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_CONSTANTS = 48, MOST_PARTS = 16, USED_FLOAT = 1, USED_INT = 2, NEEDED = 4, MOST_SWEEPS = 40 };

typedef struct Input {
    uint32_t at; /* VAR or CONCAT */
    uint8_t use;
} Input;

typedef struct Constant {
    unsigned width;
    U128 value;
} Constant;

struct Descent {
    Trial trial;
    Vec(Input) inputs;
    Vec(Constant) constants;
    Vec(uint8_t) use;    /* by position */
    Vec(U128) best;      /* by variable: the best model of all */
    Vec(uint32_t) order; /* conditions to repair */
    double cost, best_cost;
};

Descent *descent_new(ExprPool *pool, uint64_t seed)
{
    Descent *descent = mem_alloc(sizeof *descent);
    trial_init(&descent->trial, pool, seed);
    return descent;
}

void descent_free(Descent *descent)
{
    if (!descent) return;
    trial_release(&descent->trial);
    vec_release(&descent->inputs);
    vec_release(&descent->constants);
    vec_release(&descent->use);
    vec_release(&descent->best);
    vec_release(&descent->order);
    free(descent);
}

void descent_forget(Descent *descent, uint32_t count)
{
    trial_forget(&descent->trial, count);
}

/* ---- the inputs ---- */

static bool reads_floats(ExprKind kind)
{
    return (kind >= EXPR_FADD && kind <= EXPR_FTOUI) || kind == EXPR_APPLY;
}

static bool hands_on(ExprKind kind)
{
    return kind == EXPR_ITE || kind == EXPR_ARRAY || kind == EXPR_STORE || kind == EXPR_SELECT;
}

/* How the users of each node read it. */
static void find_uses(Descent *descent)
{
    const Dag *dag = &descent->trial.dag;
    vec_reserve(&descent->use, dag->count + 1);
    descent->use.len = dag->count;
    memset(descent->use.data, 0, dag->count);
    for (uint32_t at = dag->count; at-- > 0;) {
        const DagNode *node = &dag->nodes[at];
        uint32_t few[3] = {0};
        const uint32_t *operands;
        uint32_t count = trial_operands(dag, node, few, &operands);
        for (uint32_t i = 0; i < count; i++) {
            unsigned width = dag->nodes[operands[i]].width;
            uint8_t use = USED_INT;
            if (reads_floats((ExprKind)node->kind) && is_float_width(width))
                use = node->kind == EXPR_APPLY ? USED_FLOAT | USED_INT : USED_FLOAT;
            else if (hands_on((ExprKind)node->kind) && width == node->width) use = descent->use.data[at];
            descent->use.data[operands[i]] |= use;
        }
    }
}

/* Is the node a CONCAT of whole variables, not too many? */
static bool is_joined(const Dag *dag, uint32_t at, unsigned *parts)
{
    if (dag->nodes[at].kind == EXPR_VAR) return ++*parts <= MOST_PARTS;
    if (dag->nodes[at].kind != EXPR_CONCAT) return false;
    return is_joined(dag, dag->nodes[at].a, parts) && is_joined(dag, dag->nodes[at].b, parts);
}

static void find_inputs(Descent *descent)
{
    const Dag *dag = &descent->trial.dag;
    find_uses(descent);
    vec_clear(&descent->inputs);
    for (uint32_t at = 0; at < dag->count; at++) {
        unsigned parts = 0;
        if (dag->nodes[at].kind != EXPR_VAR && dag->nodes[at].kind != EXPR_CONCAT) continue;
        if (!is_joined(dag, at, &parts)) continue;
        uint8_t use = descent->use.data[at] & (USED_FLOAT | USED_INT);
        vec_push(&descent->inputs, ((Input){at, use ? use : USED_INT}));
    }
}

static void find_constants(Descent *descent)
{
    const Trial *trial = &descent->trial;
    vec_clear(&descent->constants);
    for (uint32_t at = 0; at < trial->dag.count && descent->constants.len < MOST_CONSTANTS; at++) {
        const DagNode *node = &trial->dag.nodes[at];
        if (node->kind == EXPR_CONST && node->width > 1) vec_push(&descent->constants, ((Constant){node->width, trial->values[at]}));
    }
}

/* Which nodes lie under a false condition? */
static void find_needed(Descent *descent)
{
    Trial *trial = &descent->trial;
    const Dag *dag = &trial->dag;
    for (uint32_t at = 0; at < dag->count; at++) descent->use.data[at] &= (uint8_t)~NEEDED;
    for (uint32_t i = 0; i < trial->wrong.len; i++) descent->use.data[dag->roots.data[trial->wrong.data[i]]] |= NEEDED;
    for (uint32_t at = dag->count; at-- > 0;) {
        if (!(descent->use.data[at] & NEEDED)) continue;
        uint32_t few[3] = {0};
        const uint32_t *operands;
        uint32_t count = trial_operands(dag, &dag->nodes[at], few, &operands);
        for (uint32_t i = 0; i < count; i++) descent->use.data[operands[i]] |= NEEDED;
    }
    trial->spent += dag->count * 4;
}

/* ---- moves ---- */

static double cost_now(Trial *trial)
{
    double total = 0;
    for (uint32_t i = 0; i < trial->wrong.len; i++) total += trial_distance(trial, trial->dag.roots.data[trial->wrong.data[i]], true);
    return total;
}

/* Adds to the move what gives the input this value. */
static void add_assignments(Trial *trial, uint32_t at, U128 value)
{
    const DagNode *node = &trial->dag.nodes[at];
    if (node->kind == EXPR_VAR) {
        vec_push(&trial->move, ((Assignment){at, value & arith_mask(node->width)}));
        return;
    }
    add_assignments(trial, node->a, value >> node->source);
    add_assignments(trial, node->b, value & arith_mask(node->source));
}

/* Makes the move if the cost falls. */
static bool try_move(Descent *descent)
{
    Trial *trial = &descent->trial;
    assert(trial->trail.len == 0 && trial->move.len > 0);
    trial_apply(trial, trial->move.data, trial->move.len);
    double cost = trial->trail.len ? cost_now(trial) : descent->cost;
    if (cost < descent->cost - 1e-11) {
        descent->cost = cost;
        trial_keep(trial);
        return true;
    }
    trial_undo(trial);
    return false;
}

static bool try_value(Descent *descent, const Input *input, U128 value)
{
    Trial *trial = &descent->trial;
    value &= arith_mask(trial->dag.nodes[input->at].width);
    if (value == trial->values[input->at] || trial_is_over(trial)) return false;
    vec_clear(&trial->move);
    add_assignments(trial, input->at, value);
    return try_move(descent);
}

static bool try_number(Descent *descent, const Input *input, long double number)
{
    return try_value(descent, input, float_bits(descent->trial.dag.nodes[input->at].width, number));
}

/* ---- steps of all sizes ---- */

static U128 stepped(const Trial *trial, const Input *input, bool as_float, U128 step, bool down)
{
    unsigned width = trial->dag.nodes[input->at].width;
    U128 value = trial->values[input->at];
    if (!as_float) return down ? value - step : value + step;
    U128 order = float_to_order(width, value);
    return float_from_order(width, (down ? order - step : order + step) & arith_mask(width == 80 ? 79 : width));
}

static bool sweep_steps(Descent *descent, const Input *input, bool as_float)
{
    Trial *trial = &descent->trial;
    unsigned width = trial->dag.nodes[input->at].width, sizes = as_float && width == 80 ? 78 : width;
    bool improved = false;
    for (unsigned i = 0; i < sizes && descent->cost > 0; i++)
        for (unsigned down = 0; down < 2; down++) {
            U128 step = (U128)1 << i;
            while (step && try_value(descent, input, stepped(trial, input, as_float, step, down))) {
                improved = true;
                step <<= 1;
            }
        }
    return improved;
}

static bool sweep_units(Descent *descent, const Input *input)
{
    Trial *trial = &descent->trial;
    unsigned width = trial->dag.nodes[input->at].width;
    bool improved = false;
    for (int exponent = -7; exponent <= 7 && descent->cost > 0; exponent++)
        for (int sign = -1; sign <= 1; sign += 2) {
            long double step = sign * powl(10, exponent);
            while (try_number(descent, input, float_number(width, trial->values[input->at]) + step)) {
                improved = true;
                step *= 2;
            }
        }
    static const long double factors[] = {2, 0.5L, -1, 10, 0.1L};
    for (unsigned i = 0; i < COUNT_OF(factors); i++)
        while (try_number(descent, input, float_number(width, trial->values[input->at]) * factors[i])) improved = true;
    return improved;
}

static bool sweep_bits(Descent *descent, const Input *input)
{
    unsigned width = descent->trial.dag.nodes[input->at].width;
    bool improved = false;
    for (unsigned i = 0; i < width && descent->cost > 0; i++)
        improved |= try_value(descent, input, descent->trial.values[input->at] ^ (U128)1 << i);
    return improved;
}

/* ---- values worth trying anywhere ---- */

static bool try_float_specials(Descent *descent, const Input *input)
{
    unsigned width = descent->trial.dag.nodes[input->at].width;
    long double value = float_number(width, descent->trial.values[input->at]);
    const long double values[] = {0,
                                  -0.0L,
                                  1,
                                  -1,
                                  2,
                                  0.5L,
                                  10,
                                  100,
                                  1000,
                                  1e6L,
                                  1e9L,
                                  1e-3L,
                                  1e-9L,
                                  M_PIl,
                                  M_PIl / 2,
                                  -M_PIl / 2,
                                  2 * M_PIl,
                                  INFINITY,
                                  -INFINITY,
                                  NAN,
                                  rintl(value),
                                  floorl(value),
                                  ceill(value) + 1,
                                  value + M_PIl,
                                  1 / value};
    bool improved = false;
    for (unsigned i = 0; i < COUNT_OF(values) && descent->cost > 0; i++) improved |= try_number(descent, input, values[i]);
    static const double greatest[] = {3.4028234663852886e38, 1.7976931348623157e308}, least[] = {0x1p-149, 0x1p-1074};
    for (unsigned i = width > 32; i < 2 && width < 80 && descent->cost > 0; i += 2)
        for (int sign = -1; sign <= 1; sign += 2)
            improved |= try_number(descent, input, sign * greatest[i]) || try_number(descent, input, sign * least[i]);
    return improved;
}

static bool try_int_specials(Descent *descent, const Input *input)
{
    unsigned width = descent->trial.dag.nodes[input->at].width;
    assert(width >= 1 && width <= 128);
    U128 half = (U128)1 << (width - 1), value = descent->trial.values[input->at];
    const U128 values[] = {0, 1, ~(U128)0, half, half - 1, 10, 100, -value, ~value};
    bool improved = false;
    for (unsigned i = 0; i < COUNT_OF(values) && descent->cost > 0; i++) improved |= try_value(descent, input, values[i]);
    return improved;
}

/* A constant of the conditions as a value of the input: its bits, or its number in the other float format. */
static U128 constant_for(const Constant *constant, const Input *input, unsigned width)
{
    if (constant->width == width || !(input->use & USED_FLOAT) || !is_float_width(constant->width)) return constant->value;
    return float_bits(width, float_number(constant->width, constant->value));
}

static bool try_constants(Descent *descent, const Input *input)
{
    unsigned width = descent->trial.dag.nodes[input->at].width;
    bool improved = false;
    for (uint32_t i = 0; i < descent->constants.len && descent->cost > 0; i++) {
        U128 value = constant_for(&descent->constants.data[i], input, width);
        improved |= try_value(descent, input, value) || try_value(descent, input, value + 1) || try_value(descent, input, value - 1);
    }
    for (uint32_t i = 0; i < descent->inputs.len && i < MOST_CONSTANTS && descent->cost > 0; i++) {
        uint32_t other = descent->inputs.data[i].at;
        if (other != input->at && descent->trial.dag.nodes[other].width == width)
            improved |= try_value(descent, input, descent->trial.values[other]);
    }
    return improved;
}

static bool improve(Descent *descent, const Input *input)
{
    bool improved = false;
    if (input->use & USED_FLOAT) {
        improved |= sweep_units(descent, input);
        improved |= sweep_steps(descent, input, true);
        improved |= try_float_specials(descent, input);
    }
    if (input->use & USED_INT) {
        improved |= sweep_steps(descent, input, false);
        improved |= try_int_specials(descent, input);
        if (!improved) improved |= sweep_bits(descent, input);
    }
    return try_constants(descent, input) || improved;
}

/* Inverts what is wrong, one condition after the other. */
static bool repair(Descent *descent)
{
    enum { STYLES = 5, MOST = 32 };
    Trial *trial = &descent->trial;
    bool improved = false;
    vec_clear(&descent->order);
    for (uint32_t i = 0; i < trial->wrong.len && i < MOST; i++) vec_push(&descent->order, trial->wrong.data[i]);
    for (uint32_t i = 0; i < descent->order.len; i++)
        for (unsigned style = 0; style < STYLES && !trial_is_over(trial); style++) {
            uint32_t root = trial->dag.roots.data[descent->order.data[i]];
            if (trial->values[root]) break;
            if (trial_walk(trial, root, 1, style)) improved |= try_move(descent);
        }
    return improved;
}

/* Down to where nothing helps any more; true if all conditions hold. */
static bool climb_down(Descent *descent)
{
    Trial *trial = &descent->trial;
    descent->cost = cost_now(trial);
    for (unsigned sweep = 0; sweep < MOST_SWEEPS && trial->wrong.len && !trial_is_over(trial); sweep++) {
        bool improved = repair(descent);
        if (!trial->wrong.len) break;
        find_needed(descent);
        uint32_t count = descent->inputs.len, begin = (uint32_t)random_below(&trial->random, count);
        for (uint32_t i = 0; i < count && trial->wrong.len; i++) {
            const Input *input = &descent->inputs.data[(begin + i) % count];
            if (descent->use.data[input->at] & NEEDED) improved |= improve(descent, input);
        }
        if (!improved) break;
    }
    return !trial->wrong.len;
}

/* ---- beginning again ---- */

static U128 random_value(Descent *descent, const Input *input)
{
    Trial *trial = &descent->trial;
    Random *random = &trial->random;
    unsigned width = trial->dag.nodes[input->at].width;
    uint64_t how = random_below(random, 10);
    if (how < 2 && descent->constants.len) {
        U128 value = constant_for(&descent->constants.data[random_below(random, descent->constants.len)], input, width);
        return value + random_below(random, 3) - 1;
    }
    if (how == 2) {
        uint32_t other = descent->inputs.data[random_below(random, descent->inputs.len)].at;
        if (trial->dag.nodes[other].width == width) return trial->values[other];
    }
    bool as_float = input->use & USED_FLOAT && (!(input->use & USED_INT) || random_below(random, 4));
    if (as_float) return float_random(width, random);
    U128 value = invert_random_size(random, width);
    return random_below(random, 3) ? value : -value;
}

static void remember_best(Descent *descent)
{
    Trial *trial = &descent->trial;
    if (descent->cost >= descent->best_cost) return;
    descent->best_cost = descent->cost;
    vec_clear(&descent->best);
    for (uint32_t i = 0; i < trial->dag.vars.len; i++) vec_push(&descent->best, trial->values[trial->dag.vars.data[i]]);
}

/* The best model again with one or two inputs changed, or all of them random (but for some that keep their values). */
static void begin_again(Descent *descent, unsigned number)
{
    Trial *trial = &descent->trial;
    bool from_best = number % 3 == 2;
    assert(descent->best.len == trial->dag.vars.len);
    vec_clear(&trial->move);
    for (uint32_t i = 0; from_best && i < trial->dag.vars.len; i++)
        vec_push(&trial->move, ((Assignment){trial->dag.vars.data[i], descent->best.data[i]}));
    for (uint32_t i = 0; i < descent->inputs.len; i++) {
        uint64_t keep = from_best ? (descent->inputs.len > 2 ? descent->inputs.len / 2 : 2) : 5;
        bool kept = random_below(&trial->random, keep) == 0;
        if (kept == !from_best) continue;
        add_assignments(trial, descent->inputs.data[i].at, random_value(descent, &descent->inputs.data[i]));
    }
    trial_apply(trial, trial->move.data, trial->move.len);
    trial_keep(trial);
    trial->spent += 100;
}

static bool run(Descent *descent)
{
    Trial *trial = &descent->trial;
    find_inputs(descent);
    find_constants(descent);
    descent->best_cost = INFINITY;
    if (!descent->inputs.len) return false;
    for (unsigned number = 1; !trial_is_over(trial); number++) {
        if (climb_down(descent)) return true;
        remember_best(descent);
        begin_again(descent, number);
    }
    return !trial->wrong.len;
}

void descent_solve(Descent *descent, const Query *query, Outcome *outcome)
{
    Trial *trial = &descent->trial;
    outcome->answer = SOLVE_UNKNOWN;
    if (!trial_begin(trial, query)) {
        outcome->reason = "too large for the effort of the descent";
        outcome->spent = query->effort < 10 ? query->effort : query->effort / 4;
        return;
    }
    bool solved = !trial->wrong.len || run(descent);
    outcome->spent = trial->spent;
    outcome->reason = solved ? NULL : "the descent spent its effort";
    if (solved) trial_answer(trial, query, outcome);
}
