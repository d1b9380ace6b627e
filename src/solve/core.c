/* The tiers in order of cost.  Each gets a share of the effort that suits what it is for: bounds and local search a few dozen microseconds'
 * worth, because they answer most queries or none; descent some milliseconds' where floats or real functions make circuits dear; then
 * circuits; and Z3 for what remains.  Bounds and local search are left out where many paths were merged into one formula: of such queries
 * they answer some, but circuits, which share much with those of the queries before, answer all in less time.  Every model is evaluated, on
 * a flat copy of the query, before it counts. */
#include "base/arith.h"
#include "solve/core.h"

#include <stdlib.h>
#include <time.h>

enum {
    TRY_COST = 2500, /* of a tier, besides what it counts itself */
    BOUNDS_EFFORT = 90000,
    BOUNDS_NODE_EFFORT = 3000,
    LOCAL_EFFORT = 60000,
    LOCAL_NODE_EFFORT = 60,
    LOCAL_LATE_EFFORT = 20000000,
    DESCENT_EFFORT = 3000000,
    DESCENT_LATE_EFFORT = 20000000,
    Z3_EFFORT = 500000000,
    LEAST_Z3_EFFORT = 10000000, /* to make its formulas alone takes some milliseconds */
    ENUMERATION_EFFORT = 60000000,
    MOST_BITS = 20,
    NODE_COST = 10,
    LARGE_TABLE = 4096,
    LARGE_QUERY = 256, /* nodes, … */
    CHOICES = 10,      /* … of which one in so many is a choice */
    FIRST_MERGED = 4   /* queries of that kind, before there are circuits that others can share */
};

void core_init(Core *core, ExprPool *pool, const SolveOptions *options, SolveStats *stats)
{
    *core = (Core){.pool = pool, .options = *options, .stats = stats};
    core->bounds = bounds_new(pool);
    core->local = local_new(pool, options->seed);
    core->descent = descent_new(pool, options->seed);
    core->blast = blast_new(pool, options->seed);
    dag_init(&core->dag, pool);
}

void core_release(Core *core)
{
    bounds_free(core->bounds);
    local_free(core->local);
    descent_free(core->descent);
    blast_free(core->blast);
    if (core->z3) z3_free(core->z3);
    if (core->judge) z3_free(core->judge);
    dag_release(&core->dag);
    vec_release(&core->values);
    vec_release(&core->marks);
}

void core_forget(Core *core, uint32_t count)
{
    bounds_forget(core->bounds, count);
    local_forget(core->local, count);
    descent_forget(core->descent, count);
    blast_forget(core->blast, count);
    if (core->z3) z3_forget(core->z3, count);
    if (core->judge) z3_forget(core->judge, count);
    dag_forget(&core->dag);
}

void outcome_release(Outcome *outcome)
{
    vec_release(&outcome->values);
    vec_release(&outcome->core);
}

/* ---- what a query contains ---- */

static bool is_constant(const Dag *dag, uint32_t at)
{
    return dag->nodes[at].kind == EXPR_CONST;
}

static void note_feature(const Dag *dag, const DagNode *node, Features *features)
{
    switch ((ExprKind)node->kind) {
    case EXPR_APPLY: features->applies = true; break;
    case EXPR_FREM: features->opaque = true; break;
    case EXPR_FADD:
    case EXPR_FSUB:
    case EXPR_FMUL:
    case EXPR_FDIV:
    case EXPR_FSQRT:
    case EXPR_FCONVERT:
    case EXPR_FTOSI:
    case EXPR_FTOUI:
    case EXPR_SITOF:
    case EXPR_UITOF:
    case EXPR_FEQ:
    case EXPR_FLT:
    case EXPR_FLE:
    case EXPR_FUNO:
        features->floats = true;
        if (node->source == 80 || node->width == 80) features->opaque = true;
        break;
    case EXPR_MUL:
    case EXPR_UDIV:
    case EXPR_SDIV:
    case EXPR_UREM:
    case EXPR_SREM:
        if (!is_constant(dag, node->a) && !is_constant(dag, node->b)) features->nonlinear = true;
        break;
    case EXPR_SELECT:
        if (dag_array_length(dag, node->a) > LARGE_TABLE) features->nonlinear = true;
        break;
    default: break;
    }
}

static bool is_dag_of(const Dag *dag, const Query *query)
{
    if (dag->roots.len != query->count) return false;
    for (uint32_t i = 0; i < query->count; i++)
        if (dag->nodes[dag->roots.data[i]].e != query->conditions[i]) return false;
    return true;
}

static void take_apart(Core *core, const Query *query)
{
    if (is_dag_of(&core->dag, query)) return;
    bool built = dag_build(&core->dag, query->conditions, query->count, UINT32_MAX);
    assert(built);
    (void)built;
}

Features core_features(Core *core, const Query *query)
{
    Features features = {0};
    const Dag *dag = &core->dag;
    uint32_t choices = 0;
    take_apart(core, query);
    for (uint32_t i = 0; i < dag->count; i++) {
        note_feature(dag, &dag->nodes[i], &features);
        choices += dag->nodes[i].kind == EXPR_ITE;
    }
    features.merged = dag->count >= LARGE_QUERY && choices >= dag->count / CHOICES;
    return features;
}

/* ---- belief ---- */

/* Evaluates the dag under the values of its variables. */
static bool all_hold(Core *core)
{
    const Dag *dag = &core->dag;
    U128 *values = core->values.data;
    for (uint32_t i = 0; i < dag->count; i++) values[i] = dag_value(dag, i, values);
    for (uint32_t i = 0; i < dag->roots.len; i++)
        if (!values[dag->roots.data[i]]) return false;
    return true;
}

/* Do all conditions hold under the model that was offered? */
static bool holds(Core *core, const Query *query, const Outcome *outcome)
{
    const Dag *dag = &core->dag;
    take_apart(core, query);
    vec_reserve(&core->values, dag->count);
    core->values.len = dag->count;
    U128 *values = core->values.data;
    for (uint32_t i = 0; i < dag->vars.len; i++) values[dag->vars.data[i]] = expr_model_get(query->start, dag->nodes[dag->vars.data[i]].e);
    for (uint32_t i = 0; i < outcome->values.len; i++) {
        Expr var = outcome->values.data[i].var;
        if (dag->stamps[var] == dag->stamp) values[dag->position[var]] = outcome->values.data[i].value;
    }
    return all_hold(core);
}

/* ---- one tier ---- */

static uint64_t nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void call_tier(Core *core, SolveTier tier, const Query *query, Outcome *outcome)
{
    switch (tier) {
    case TIER_BOUNDS: bounds_solve(core->bounds, query, outcome); break;
    case TIER_LOCAL: local_solve(core->local, query, outcome); break;
    case TIER_DESCENT: descent_solve(core->descent, query, outcome); break;
    case TIER_BLAST: blast_solve(core->blast, query, outcome); break;
    case TIER_Z3:
        if (!core->z3) core->z3 = z3_new(core->pool, core->options.seed, core->options.memory);
        z3_solve(core->z3, query, outcome);
        break;
    default: assert(false);
    }
}

/* What may still be spent on the query: near a deadline, half of the time that is left for one tier. */
static uint64_t effort_left(const Query *query, const Outcome *outcome)
{
    uint64_t left = outcome->spent < query->effort ? query->effort - outcome->spent : 0;
    if (query->deadline <= 0) return left;
    double seconds = query->deadline - clock_seconds();
    if (seconds <= 0) return 0;
    return seconds * 0.5e9 < (double)left ? (uint64_t)(seconds * 0.5e9) : left;
}

/* Gives the tier at most that much effort; true if the query is answered. */
static bool attempt(Core *core, SolveTier tier, const Query *whole, uint64_t effort, Outcome *outcome)
{
    uint64_t spent = outcome->spent, left = effort_left(whole, outcome);
    if (!(core->options.tiers & 1u << tier) || left == 0 || (tier == TIER_Z3 && left < LEAST_Z3_EFFORT)) return false;
    Query query = *whole;
    uint64_t start = nanoseconds();
    query.effort = effort < left ? effort : left;
    vec_clear(&outcome->values);
    vec_clear(&outcome->core);
    outcome->answer = SOLVE_UNKNOWN;
    outcome->spent = 0;
    call_tier(core, tier, &query, outcome);
    outcome->spent += spent + TRY_COST;
    if (outcome->answer == SOLVE_SAT && !holds(core, &query, outcome)) {
        core->stats->invalid_models++;
        outcome->answer = SOLVE_UNKNOWN;
        outcome->reason = "a model of the abstraction does not hold in fact";
    }
    core->stats->nanoseconds[tier] += nanoseconds() - start;
    if (outcome->answer == SOLVE_UNKNOWN) return false;
    core->tier = tier;
    return true;
}

/* All values of a query that depends on few bits, one by one: exact both ways, real functions included.  It belongs to the tier local. */
static bool enumerate(Core *core, const Query *query, Outcome *outcome)
{
    const Dag *dag = &core->dag;
    unsigned bits = 0;
    take_apart(core, query);
    for (uint32_t i = 0; i < dag->vars.len && bits <= MOST_BITS; i++) bits += dag->nodes[dag->vars.data[i]].width;
    uint64_t cost = bits > MOST_BITS ? UINT64_MAX : ((uint64_t)dag->count * NODE_COST) << bits;
    if (cost > ENUMERATION_EFFORT || (query->deadline > 0 && cost > effort_left(query, outcome))) return false;
    vec_reserve(&core->values, dag->count);
    core->values.len = dag->count;
    for (uint64_t number = 0; number >> bits == 0; number++) {
        uint64_t rest = number;
        outcome->spent += (uint64_t)dag->count * NODE_COST;
        for (uint32_t i = 0; i < dag->vars.len; i++) {
            uint32_t at = dag->vars.data[i];
            core->values.data[at] = rest & arith_mask(dag->nodes[at].width);
            rest >>= dag->nodes[at].width;
        }
        if (!all_hold(core)) continue;
        vec_clear(&outcome->values);
        for (uint32_t i = 0; i < dag->vars.len; i++)
            vec_push(&outcome->values, ((SolveValue){dag->nodes[dag->vars.data[i]].e, core->values.data[dag->vars.data[i]]}));
        outcome->answer = SOLVE_SAT;
        return true;
    }
    vec_clear(&outcome->core);
    for (uint32_t i = 0; i < query->count; i++) vec_push(&outcome->core, query->conditions[i]);
    outcome->answer = SOLVE_UNSAT;
    return true;
}

/* Before circuits of full width are made.  It belongs to the tier blast. */
static bool attempt_order(Core *core, const Query *whole, Outcome *outcome)
{
    uint64_t start = nanoseconds();
    Query query = *whole;
    query.effort = effort_left(whole, outcome) / 2;
    if (!(core->options.tiers & 1u << TIER_BLAST) || !query.effort) return false;
    take_apart(core, &query);
    vec_clear(&outcome->values);
    vec_clear(&outcome->core);
    order_solve(&core->dag, &query, outcome);
    if (outcome->answer == SOLVE_SAT && !holds(core, &query, outcome)) outcome->answer = SOLVE_UNKNOWN;
    core->stats->nanoseconds[TIER_BLAST] += nanoseconds() - start;
    if (outcome->answer != SOLVE_UNKNOWN) core->tier = TIER_BLAST;
    return outcome->answer != SOLVE_UNKNOWN;
}

void core_solve(Core *core, const Query *query, Features features, Outcome *outcome)
{
    bool blackbox = features.applies || features.opaque, search = blackbox || features.floats;
    bool circuits = !search && !features.nonlinear && core->options.tiers & 1u << TIER_BLAST;
    bool early = !circuits || !features.merged || ++core->merged <= FIRST_MERGED;
    uint64_t size = core->dag.count;
    outcome->answer = SOLVE_UNKNOWN;
    outcome->reason = NULL;
    if (early && attempt(core, TIER_BOUNDS, query, BOUNDS_EFFORT + size * BOUNDS_NODE_EFFORT, outcome)) return;
    if (early && attempt(core, TIER_LOCAL, query, LOCAL_EFFORT + size * LOCAL_NODE_EFFORT, outcome)) return;
    if (search && attempt(core, TIER_DESCENT, query, DESCENT_EFFORT, outcome)) return;
    if (!search && attempt_order(core, query, outcome)) return;
    unsigned share = search ? 16 : core->options.tiers & 1u << TIER_Z3 ? 2 : 1;
    if (attempt(core, TIER_BLAST, query, query->effort / share, outcome)) return;
    if ((core->options.tiers & 1u << TIER_LOCAL) && enumerate(core, query, outcome)) {
        core->tier = TIER_LOCAL;
        return;
    }
    if (blackbox) return;
    if (attempt(core, TIER_LOCAL, query, LOCAL_LATE_EFFORT, outcome)) return;
    if (search && attempt(core, TIER_DESCENT, query, DESCENT_LATE_EFFORT, outcome)) return;
    uint64_t spent = outcome->spent;
    if (attempt(core, TIER_Z3, query, Z3_EFFORT, outcome)) return;
    bool refused = outcome->spent - spent < LEAST_Z3_EFFORT; /* it was too large */
    if (refused && !search) attempt(core, TIER_BLAST, query, UINT64_MAX, outcome);
}

void core_recheck(Core *core, const Query *query)
{
    Outcome outcome = {0};
    Query again = *query;
    again.effort = 500000000;
    if (!core->judge) core->judge = z3_new(core->pool, core->options.seed, core->options.memory);
    z3_solve(core->judge, &again, &outcome);
    bool wrong = outcome.answer == SOLVE_SAT && holds(core, &again, &outcome);
    outcome_release(&outcome);
    REQUIRE(!wrong, "a tier answered UNSAT where there is a model");
}
