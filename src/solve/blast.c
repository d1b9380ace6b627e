/* Bit-blasting: conditions to gates, gates to clauses, clauses to one incremental SAT solver.
 *
 * Gates are kept from query to query, as are clauses; a condition of a query is an assumption.  A SAT solver assigns all its variables
 * at every call, so when it holds many more than the present query needs, it is dropped and only the query's cone is put into a new
 * one.  Rewinding the pool forgets words; their gates stay as garbage that nothing reaches until all is started anew for its size.
 *
 * What has no circuit (real functions, fmod, x87 floats, the payload of a NaN) is free, so SAT is a proposal and UNSAT is exact.
 * Effort: work is counted in gates asked for and literals of clauses, each worth some nanoseconds, and in the SAT solver's own
 * measure. */
#include "base/arith.h"
#include "solve/blast_int.h"

#include <stdlib.h>

enum {
    GATE_COST = 15, /* units of effort */
    LITERAL_COST = 100,
    GATE_LITERALS = 3, /* of a gate's clauses, at least: a conjunction of n has 3n + 1, and may stand for n - 1 gates */
    CONE_COST = 8,
    STORE_COST = 20,
    FIRST_EFFORT = 30000000, /* of the SAT solver before divisions are reinforced */
    DROP_BASE = 300,         /* variables: a solver with fewer is never dropped */
    DROP_FACTOR = 12,        /* how much more a gate's clauses cost than its assignment */
    CONFLICT_WORTH = 8,      /* clauses of so many gates */
    LARGE_CONE = 3000,
    TABLE_BITS = 1 << 19, /* largest table: elements within the index's bounds times their width */
    GATE_BYTES = 64,      /* of a gate and what belongs to it */
    CLAUSES_BYTES = 1000, /* of a gate in the SAT solver */
    USUAL_NODE = 1 << 11  /* gates to ask for before a node is built; tables ask for themselves */
};

struct Blast {
    ExprPool *pool;
    Gates gates;
    Cnf cnfs[2], *cnf;         /* solvers for small and for large cones; the one for the present query */
    uint32_t *place;           /* by Expr: 1 + where its literals start; 0: none */
    uint32_t reserved, newest; /* newest: above the greatest Expr with a place */
    Vec(Lit) literals;
    Vec(Expr) work;
    Vec(Lit) roots;
    uint32_t *slot, slots; /* by variable number: 1 + its place among the outcome's values */
    const Query *query;
    uint64_t gate_work, clause_work; /* what the counters were when the query began */
    uint64_t other_work;
    const char *reason;
};

Blast *blast_new(ExprPool *pool, uint64_t seed)
{
    (void)seed; /* nothing here is random */
    Blast *blast = mem_alloc(sizeof *blast);
    blast->pool = pool;
    gates_init(&blast->gates);
    blast->cnf = &blast->cnfs[0];
    return blast;
}

void blast_free(Blast *blast)
{
    if (!blast) return;
    gates_release(&blast->gates);
    cnf_release(&blast->cnfs[0]);
    cnf_release(&blast->cnfs[1]);
    vec_release(&blast->literals);
    vec_release(&blast->work);
    vec_release(&blast->roots);
    free(blast->place);
    free(blast->slot);
    free(blast);
}

void blast_forget(Blast *blast, uint32_t count)
{
    if (count >= blast->newest) return;
    memset(blast->place + count, 0, (blast->newest - count) * sizeof *blast->place);
    blast->newest = count;
}

static uint64_t clause_work(const Blast *blast)
{
    return blast->cnfs[0].work + blast->cnfs[1].work;
}

static void start_anew(Blast *blast)
{
    blast->gate_work -= blast->gates.work;
    blast->clause_work -= clause_work(blast);
    gates_release(&blast->gates);
    cnf_release(&blast->cnfs[0]);
    cnf_release(&blast->cnfs[1]);
    gates_init(&blast->gates);
    vec_release(&blast->literals);
    blast_forget(blast, 0);
}

static uint64_t effort_spent(const Blast *blast)
{
    return (blast->gates.work - blast->gate_work) * GATE_COST + (clause_work(blast) - blast->clause_work) * LITERAL_COST +
           blast->other_work;
}

static uint64_t memory_held(const Blast *blast)
{
    return gates_memory(&blast->gates) + cnf_memory(&blast->cnfs[0]) + cnf_memory(&blast->cnfs[1]) +
           (uint64_t)blast->literals.cap * sizeof(Lit);
}

/* May `gates` more be built? */
static bool affordable(Blast *blast, uint64_t gates)
{
    uint64_t spent = effort_spent(blast);
    if (memory_held(blast) + gates * GATE_BYTES > blast->query->memory)
        blast->reason = "bit-blasting: the circuit is larger than the memory allowed";
    else if (spent + gates > blast->query->effort) blast->reason = "bit-blasting: the circuit is larger than the effort allowed";
    return !blast->reason;
}

/* ---- words of expressions ---- */

static Word word_of(const Blast *blast, Expr e)
{
    unsigned width = expr_width(blast->pool, e);
    if (expr_is_const(blast->pool, e)) return word_const(width, expr_value(blast->pool, e));
    assert(blast->place[e] && blast->literals.data);
    Word word = {.width = width};
    memcpy(word.bit, blast->literals.data + blast->place[e] - 1, width * sizeof(Lit));
    return word;
}

static Word operand(const Blast *blast, Expr e, unsigned i)
{
    return word_of(blast, expr_operand(blast->pool, e, i));
}

static Word input_word(Blast *blast, Expr e)
{
    Word word = {.width = expr_width(blast->pool, e)};
    for (unsigned i = 0; i < word.width; i++) word.bit[i] = gates_input(&blast->gates, e, i);
    return word;
}

static void keep(Blast *blast, Expr e, const Word *word)
{
    assert(word->width == expr_width(blast->pool, e));
    ExprKnown known = expr_known(blast->pool, e);
    blast->place[e] = blast->literals.len + 1;
    vec_reserve(&blast->literals, blast->literals.len + word->width);
    for (unsigned i = 0; i < word->width; i++) {
        Lit bit = known.ones >> i & 1 ? LIT_TRUE : known.zeros >> i & 1 ? LIT_FALSE : word->bit[i];
        vec_push(&blast->literals, bit);
    }
    if (e >= blast->newest) blast->newest = e + 1;
}

/* ---- arrays ---- */

typedef struct Table { /* an array under its stores, read at an index */
    const Expr *elements;
    unsigned width;
    uint64_t low, high; /* elements that the index can mean */
    Word index;
} Table;

static Expr base_of(const ExprPool *pool, Expr array)
{
    while (expr_kind(pool, array) == EXPR_STORE) array = expr_operand(pool, array, 0);
    return array;
}

/* The elements that a SELECT can read; false if there are none. */
static bool index_bounds(ExprPool *pool, Expr select, uint64_t *low, uint64_t *high)
{
    uint32_t length = expr_array_length(pool, expr_operand(pool, select, 0));
    ExprKnown known = expr_known(pool, expr_operand(pool, select, 1));
    if (!length || known.low >= length) return false;
    *low = (uint64_t)known.low;
    *high = known.high >= length ? length - 1 : (uint64_t)known.high;
    return true;
}

/* The elements first … first + 2^level - 1 by the lower bits of the index; those out of bounds may be anything.  False: all of them are. */
static bool read_tree(Blast *blast, const Table *table, unsigned level, uint64_t first, Word *result)
{
    uint64_t size = (uint64_t)1 << level;
    if (first > table->high || first + size - 1 < table->low) return false;
    if (level == 0) {
        *result = word_of(blast, table->elements[first]);
        return true;
    }
    Word yes, no;
    Lit bit = table->index.bit[level - 1];
    bool has_no = bit != LIT_TRUE && read_tree(blast, table, level - 1, first, &no);
    bool has_yes = bit != LIT_FALSE && read_tree(blast, table, level - 1, first + size / 2, &yes);
    if (has_yes && has_no) *result = word_mux(&blast->gates, bit, &yes, &no);
    else if (has_yes || has_no) *result = has_yes ? yes : no;
    return has_yes || has_no;
}

/* Reading a constant table of many elements is mostly reading constants: gates are made for what differs only. */
static Word select_word(Blast *blast, Expr e)
{
    ExprPool *pool = blast->pool;
    Gates *gates = &blast->gates;
    Expr array = expr_operand(pool, e, 0);
    Table table = {.width = expr_width(pool, e), .index = operand(blast, e, 1)};
    Word result = word_const(table.width, 0);
    if (!index_bounds(pool, e, &table.low, &table.high)) return result;
    uint32_t length = expr_array_length(pool, array);
    expr_elements(pool, base_of(pool, array), &table.elements);
    unsigned level = 0;
    while (level < table.index.width && level < 63 && table.high >> level) level++;
    read_tree(blast, &table, level, 0, &result);
    Vec(Expr) stores = {0};
    for (; expr_kind(pool, array) == EXPR_STORE; array = expr_operand(pool, array, 0)) vec_push(&stores, array);
    while (stores.len && affordable(blast, table.index.width + table.width)) {
        Expr store = vec_pop(&stores);
        Word at = operand(blast, store, 1), element = operand(blast, store, 2);
        result = word_mux(gates, word_eq(gates, &at, &table.index), &element, &result);
    }
    vec_release(&stores);
    Word bound = word_const(table.index.width, length);
    Lit inside = table.index.width < 32 && length >> table.index.width ? LIT_TRUE : word_ult(gates, &table.index, &bound);
    return word_mask(gates, &result, inside);
}

/* ---- circuits of nodes ---- */

static Word float_word(Blast *blast, Expr e, ExprKind kind)
{
    unsigned width = expr_width(blast->pool, e);
    unsigned source = expr_width(blast->pool, expr_operand(blast->pool, e, 0));
    if (!float_has_circuit(kind, width, source)) return input_word(blast, e);
    bool may_be_nan = (kind >= EXPR_FADD && kind <= EXPR_FSQRT) || kind == EXPR_FCONVERT;
    Word a = operand(blast, e, 0), b = expr_operand_count(kind) == 2 ? operand(blast, e, 1) : a, payload = {.width = width};
    if (may_be_nan) payload = input_word(blast, e);
    return float_circuit(&blast->gates, kind, width, &a, &b, &payload);
}

static Word divide_word(Blast *blast, Expr e, ExprKind kind)
{
    Gates *gates = &blast->gates;
    Word a = operand(blast, e, 0), b = operand(blast, e, 1), quotient, rest;
    Expr divisor = expr_operand(blast->pool, e, 1);
    bool positive = expr_known(blast->pool, divisor).low > 0;
    if (kind == EXPR_UDIV || kind == EXPR_UREM) {
        word_divide(gates, &a, &b, positive, &quotient, &rest);
        return kind == EXPR_UDIV ? quotient : rest;
    }
    Lit minus_a = a.bit[a.width - 1], minus_b = b.bit[b.width - 1];
    Word x = word_negate_if(gates, minus_a, &a), y = word_negate_if(gates, minus_b, &b);
    word_divide(gates, &x, &y, positive, &quotient, &rest);
    return kind == EXPR_SDIV ? word_negate_if(gates, gates_xor(gates, minus_a, minus_b), &quotient) : word_negate_if(gates, minus_a, &rest);
}

static Word bit_word(Lit bit)
{
    return (Word){.width = 1, .bit = {bit}};
}

static Word arithmetic_word(Blast *blast, Expr e, ExprKind kind)
{
    Gates *gates = &blast->gates;
    Word a = operand(blast, e, 0), b = operand(blast, e, 1);
    switch (kind) {
    case EXPR_ADD: return word_add(gates, &a, &b, LIT_FALSE);
    case EXPR_SUB: return word_sub(gates, &a, &b);
    case EXPR_MUL: return word_mul(gates, &a, &b);
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR: return word_shift(gates, kind, &a, &b);
    case EXPR_AND: return word_map(gates, gates_and, &a, &b);
    case EXPR_OR: return word_map(gates, gates_or, &a, &b);
    case EXPR_XOR: return word_map(gates, gates_xor, &a, &b);
    case EXPR_EQ: return bit_word(word_eq(gates, &a, &b));
    case EXPR_ULT: return bit_word(word_ult(gates, &a, &b));
    case EXPR_ULE: return bit_word(LIT_NOT(word_ult(gates, &b, &a)));
    case EXPR_SLT: return bit_word(word_slt(gates, &a, &b));
    case EXPR_SLE: return bit_word(LIT_NOT(word_slt(gates, &b, &a)));
    default: assert(kind == EXPR_CONCAT); return word_concat(&a, &b);
    }
}

static Word structure_word(Blast *blast, Expr e, ExprKind kind)
{
    Gates *gates = &blast->gates;
    unsigned width = expr_width(blast->pool, e);
    Word a = operand(blast, e, 0), b, c;
    switch (kind) {
    case EXPR_NOT: return word_not(&a);
    case EXPR_EXTRACT: return word_extract(&a, expr_extract_low(blast->pool, e), width);
    case EXPR_ZEXT: return word_zext(&a, width);
    case EXPR_SEXT: return word_sext(&a, width);
    case EXPR_CTPOP: return word_ctpop(gates, &a);
    case EXPR_CTLZ: return word_ctlz(gates, &a);
    case EXPR_CTTZ: b = word_reverse(&a); return word_ctlz(gates, &b);
    default:
        assert(kind == EXPR_ITE);
        b = operand(blast, e, 1);
        c = operand(blast, e, 2);
        return word_mux(gates, a.bit[0], &b, &c);
    }
}

static Word circuit(Blast *blast, Expr e, ExprKind kind)
{
    switch (kind) {
    case EXPR_VAR:
    case EXPR_APPLY:
    case EXPR_FREM: return input_word(blast, e);
    case EXPR_UNDEF: return word_const(expr_width(blast->pool, e), 0);
    case EXPR_UDIV:
    case EXPR_SDIV:
    case EXPR_UREM:
    case EXPR_SREM: return divide_word(blast, e, kind);
    case EXPR_SELECT: return select_word(blast, e);
    case EXPR_NOT:
    case EXPR_EXTRACT:
    case EXPR_ZEXT:
    case EXPR_SEXT:
    case EXPR_ITE:
    case EXPR_CTPOP:
    case EXPR_CTLZ:
    case EXPR_CTTZ: return structure_word(blast, e, kind);
    default: return kind >= EXPR_FADD && kind <= EXPR_UITOF ? float_word(blast, e, kind) : arithmetic_word(blast, e, kind);
    }
}

/* ---- building ---- */

static bool is_built(const Blast *blast, Expr e)
{
    return blast->place[e] || expr_is_const(blast->pool, e);
}

static void want(Blast *blast, Expr e)
{
    if (!is_built(blast, e)) vec_push(&blast->work, e);
}

/* What a SELECT reads: its index, the stores' indexes and elements, the elements within bounds. */
static void want_table(Blast *blast, Expr e)
{
    ExprPool *pool = blast->pool;
    Expr array = expr_operand(pool, e, 0);
    want(blast, expr_operand(pool, e, 1));
    for (; expr_kind(pool, array) == EXPR_STORE; array = expr_operand(pool, array, 0)) {
        blast->other_work += STORE_COST;
        want(blast, expr_operand(pool, array, 1));
        want(blast, expr_operand(pool, array, 2));
    }
    uint64_t low, high;
    if (!index_bounds(pool, e, &low, &high)) return;
    const Expr *elements;
    expr_elements(pool, array, &elements);
    uint64_t bits = (high - low + 1) * expr_width(pool, e);
    if (bits > TABLE_BITS) blast->reason = "bit-blasting: a table is too large";
    else if (affordable(blast, bits))
        for (uint64_t i = low; i <= high; i++) want(blast, elements[i]);
}

static void want_operands(Blast *blast, Expr e, ExprKind kind)
{
    assert(kind != EXPR_ARRAY && kind != EXPR_STORE);
    if (kind == EXPR_SELECT) want_table(blast, e);
    else if (kind != EXPR_FREM)
        for (unsigned i = 0; i < expr_operand_count(kind); i++) want(blast, expr_operand(blast->pool, e, i));
}

/* Words for an expression and all below it; false, with the reason, if that is too much. */
static bool build(Blast *blast, Expr root)
{
    vec_clear(&blast->work);
    want(blast, root);
    while (blast->work.len && !blast->reason) {
        Expr e = vec_top(&blast->work);
        uint32_t len = blast->work.len;
        ExprKind kind = expr_kind(blast->pool, e);
        if (!blast->place[e]) want_operands(blast, e, kind);
        if (blast->work.len > len) continue;
        blast->work.len--;
        if (blast->place[e] || blast->reason) continue;
        if (!affordable(blast, kind == EXPR_SELECT || expr_width(blast->pool, e) < 16 ? 0 : USUAL_NODE)) break;
        Word word = circuit(blast, e, kind);
        if (!blast->reason) keep(blast, e, &word);
    }
    return !blast->reason;
}

static bool build_all(Blast *blast)
{
    uint32_t wanted = expr_pool_count(blast->pool);
    if (wanted > blast->reserved) {
        uint32_t size = wanted + wanted / 2;
        blast->place = mem_resize(blast->place, size * sizeof *blast->place);
        memset(blast->place + blast->reserved, 0, (size - blast->reserved) * sizeof *blast->place);
        blast->reserved = size;
    }
    blast->reason = NULL;
    for (uint32_t i = 0; i < blast->query->count; i++)
        if (!build(blast, blast->query->conditions[i])) return false;
    return true;
}

/* ---- answers ---- */

static bool start_bit(void *data, uint32_t owner, uint32_t bit)
{
    Blast *blast = data;
    return expr_eval(blast->query->start, owner) >> bit & 1;
}

static void keep_bit(Blast *blast, Outcome *outcome, const Gate *gate, bool value)
{
    Expr var = gate->a;
    uint32_t number = expr_var_index(blast->pool, var);
    if (!blast->slot[number]) {
        vec_push(&outcome->values, ((SolveValue){var, expr_model_get(blast->query->start, var)}));
        blast->slot[number] = outcome->values.len;
    }
    SolveValue *kept = &vec_at(&outcome->values, blast->slot[number] - 1);
    U128 one = (U128)1 << gate->b;
    kept->value = value ? kept->value | one : kept->value & ~one;
}

/* Values of the variables in the cone, where they differ from the start. */
static void read_model(Blast *blast, Outcome *outcome)
{
    uint32_t vars = expr_var_count(blast->pool);
    if (vars > blast->slots) {
        uint32_t size = vars + vars / 2;
        blast->slot = mem_resize(blast->slot, size * sizeof *blast->slot);
        memset(blast->slot + blast->slots, 0, (size - blast->slots) * sizeof *blast->slot);
        blast->slots = size;
    }
    for (uint32_t i = 0; i < blast->gates.cone.len; i++) {
        uint32_t at = blast->gates.cone.data[i];
        const Gate *gate = &blast->gates.gates[at];
        if (gate->kind != GATE_INPUT || expr_kind(blast->pool, gate->a) != EXPR_VAR || !cnf_has(blast->cnf, at * 2)) continue;
        keep_bit(blast, outcome, gate, sat_value(blast->cnf->sat, cnf_literal(blast->cnf, at * 2)));
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < outcome->values.len; i++) {
        SolveValue value = outcome->values.data[i];
        blast->slot[expr_var_index(blast->pool, value.var)] = 0;
        if (value.value != expr_model_get(blast->query->start, value.var)) outcome->values.data[kept++] = value;
    }
    outcome->values.len = kept;
}

/* Conditions with the same literal count once. */
static void read_core(Blast *blast, Outcome *outcome)
{
    for (uint32_t i = 0; i < blast->query->count; i++) {
        Lit root = blast->roots.data[i];
        if (root <= LIT_TRUE || !sat_failed(blast->cnf->sat, cnf_literal(blast->cnf, root))) continue;
        bool again = false;
        for (uint32_t j = 0; j < i && !again; j++) again = blast->roots.data[j] == root;
        if (!again) vec_push(&outcome->core, blast->query->conditions[i]);
    }
}

/* The roots of the query; true if that already decides it. */
static bool decided_by_gates(Blast *blast, Outcome *outcome)
{
    vec_clear(&blast->roots);
    bool open = false;
    for (uint32_t i = 0; i < blast->query->count; i++) {
        Lit root = word_of(blast, blast->query->conditions[i]).bit[0];
        vec_push(&blast->roots, root);
        if (root == LIT_FALSE) {
            outcome->answer = SOLVE_UNSAT;
            vec_push(&outcome->core, blast->query->conditions[i]);
            return true;
        }
        open |= root != LIT_TRUE;
    }
    if (!open) outcome->answer = SOLVE_SAT;
    return !open;
}

static bool all_have_clauses(const Blast *blast)
{
    for (uint32_t i = 0; i < blast->roots.len; i++)
        if (blast->roots.data[i] > LIT_TRUE && !cnf_has(blast->cnf, blast->roots.data[i])) return false;
    return true;
}

/* A solver assigns all its variables at each call, so what the present cone does not need costs a little every time, and clauses that have
 * to be made again after a drop, or learned, cost a lot once: it is dropped when the one has come to the other. */
static void choose_solver(Blast *blast, uint32_t size)
{
    Cnf *cnf = blast->cnf = &blast->cnfs[size > LARGE_CONE];
    uint32_t held = cnf->gates.len;
    if (held > size) cnf->waste += held - size;
    uint64_t worth = held + (cnf->sat ? sat_conflicts(cnf->sat) * CONFLICT_WORTH : 0);
    if (held > DROP_BASE && cnf->waste / DROP_FACTOR > worth) cnf_drop(cnf);
}

/* How many gates of the cone have no clauses yet? */
static uint32_t missing_gates(const Blast *blast)
{
    uint32_t missing = 0;
    for (uint32_t i = 0; i < blast->gates.cone.len; i++) {
        uint32_t at = blast->gates.cone.data[i];
        missing += blast->gates.gates[at].kind > GATE_DERIVED && !cnf_has(blast->cnf, at * 2);
    }
    return missing;
}

/* Clauses that leave no effort for the search are not worth making: they would only be in the way of other queries. */
static bool has_room_for(Blast *blast, uint32_t size)
{
    uint64_t least = (uint64_t)missing_gates(blast) * GATE_LITERALS * LITERAL_COST;
    if (memory_held(blast) + (uint64_t)size * CLAUSES_BYTES > blast->query->memory) {
        blast->reason = "bit-blasting: the clauses are more than the memory allowed";
        cnf_drop(blast->cnf);
    } else if (effort_spent(blast) + least > blast->query->effort) {
        blast->reason = "bit-blasting: the clauses are more than the effort allowed";
    }
    return !blast->reason;
}

/* Puts what is missing into the SAT solver; false if that is too much.  `more`: something is missing that roots do not show. */
static bool make_clauses(Blast *blast, bool more)
{
    Gates *gates = &blast->gates;
    gates_cone(gates, blast->roots.data, blast->roots.len);
    uint32_t size = gates->cone.len;
    blast->other_work += (uint64_t)size * CONE_COST;
    choose_solver(blast, size);
    if (!more && all_have_clauses(blast)) return true;
    if (!has_room_for(blast, size)) return false;
    gates_simulate(gates, start_bit, blast);
    cnf_emit(blast->cnf, gates, blast->roots.data, blast->roots.len);
    return true;
}

/* UNKNOWN if that effort, or the query's, does not suffice. */
static SolveAnswer search(Blast *blast, uint64_t effort)
{
    uint64_t spent = effort_spent(blast), left = spent < blast->query->effort ? blast->query->effort - spent : 0;
    if (effort > left) effort = left;
    if (!effort) return SOLVE_UNKNOWN;
    for (uint32_t i = 0; i < blast->roots.len; i++)
        if (blast->roots.data[i] > LIT_TRUE) sat_assume(blast->cnf->sat, cnf_literal(blast->cnf, blast->roots.data[i]));
    SatLimits limits = {effort, blast->query->deadline};
    return sat_solve(blast->cnf->sat, &limits, &blast->other_work);
}

/* Divisions get their second description only if the first one does not do. */
static void solve_clauses(Blast *blast, Outcome *outcome)
{
    bool room = make_clauses(blast, false), weak = room && word_cone_is_weak(&blast->gates);
    if (room) outcome->answer = search(blast, weak ? FIRST_EFFORT : UINT64_MAX);
    if (weak && outcome->answer == SOLVE_UNKNOWN && affordable(blast, blast->gates.cone.len)) {
        word_reinforce_cone(&blast->gates);
        room = make_clauses(blast, true);
        if (room) outcome->answer = search(blast, UINT64_MAX);
    }
    if (outcome->answer == SOLVE_SAT) read_model(blast, outcome);
    else if (outcome->answer == SOLVE_UNSAT) read_core(blast, outcome);
    else {
        outcome->reason = room ? "bit-blasting: the SAT solver took all the effort allowed" : blast->reason;
        if (cnf_memory(blast->cnf) > blast->query->memory / 4) cnf_drop(blast->cnf);
    }
}

void blast_solve(Blast *blast, const Query *query, Outcome *outcome)
{
    blast->query = query;
    blast->gate_work = blast->gates.work;
    blast->clause_work = clause_work(blast);
    blast->other_work = 0;
    outcome->answer = SOLVE_UNKNOWN;
    outcome->reason = NULL;
    vec_clear(&outcome->values);
    vec_clear(&outcome->core);
    if (memory_held(blast) > query->memory / 2) start_anew(blast);
    if (!build_all(blast)) outcome->reason = blast->reason;
    else if (!decided_by_gates(blast, outcome)) solve_clauses(blast, outcome);
    outcome->spent = effort_spent(blast);
    blast->query = NULL;
}
