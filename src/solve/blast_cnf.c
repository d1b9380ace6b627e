/* Clauses of gates: Tseitin's, lazily, for the cone of a query.
 *
 * A gate gets a variable when a clause mentions it.  Ands of ands that nothing else uses become one wide and without variables of
 * their own.  A gate that has a variable has its clauses, and so has everything below it.
 *
 * CaDiCaL first tries `true` for every variable and its C interface has no other way to say which value is likely, so the sign of a
 * gate's literal is chosen by its value under the model the query starts from. */
#include "solve/blast_int.h"

#include <stdlib.h>

enum { WIDEST_AND = 512 };

void cnf_drop(Cnf *cnf)
{
    for (uint32_t i = 0; i < cnf->gates.len; i++) cnf->literal[cnf->gates.data[i]] = 0;
    vec_clear(&cnf->gates);
    sat_free(cnf->sat);
    cnf->sat = NULL;
    cnf->literals = 0;
    cnf->waste = 0;
}

void cnf_release(Cnf *cnf)
{
    sat_free(cnf->sat);
    free(cnf->literal);
    vec_release(&cnf->gates);
    vec_release(&cnf->clause);
    vec_release(&cnf->leaves);
    *cnf = (Cnf){0};
}

uint64_t cnf_memory(const Cnf *cnf)
{
    return (cnf->sat ? sat_memory(cnf->sat) : 0) + ((uint64_t)cnf->capacity + cnf->gates.cap) * sizeof(int);
}

bool cnf_has(const Cnf *cnf, Lit a)
{
    return a >> 1 < cnf->capacity && cnf->literal[a >> 1];
}

int cnf_literal(const Cnf *cnf, Lit a)
{
    assert(cnf_has(cnf, a));
    int literal = cnf->literal[a >> 1];
    return a & 1 ? -literal : literal;
}

static int need(Cnf *cnf, const Gates *gates, Lit a)
{
    uint32_t at = a >> 1;
    if (!cnf->literal[at]) {
        vec_push(&cnf->gates, at);
        int variable = (int)cnf->gates.len;
        cnf->literal[at] = gates->values[at] ? variable : -variable;
    }
    return cnf_literal(cnf, a);
}

static void add(Cnf *cnf, const int *literals, uint32_t count)
{
    cnf->work += count;
    cnf->literals += count;
    sat_clause(cnf->sat, literals, count);
}

#define ADD(cnf, ...) add(cnf, (const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

/* The conjuncts of an and, through ands that are used here only. */
static void gather(Cnf *cnf, const Gates *gates, uint32_t at)
{
    vec_clear(&cnf->leaves);
    vec_push(&cnf->leaves, gates->gates[at].a);
    vec_push(&cnf->leaves, gates->gates[at].b);
    for (uint32_t i = 0; i < cnf->leaves.len;) {
        Lit leaf = cnf->leaves.data[i];
        const Gate *gate = &gates->gates[leaf >> 1];
        if (leaf & 1 || gate->kind != GATE_AND || gate->uses != 1 || cnf->literal[leaf >> 1] || cnf->leaves.len >= WIDEST_AND) {
            i++;
            continue;
        }
        cnf->leaves.data[i] = gate->a;
        vec_push(&cnf->leaves, gate->b);
    }
}

static void emit_and(Cnf *cnf, const Gates *gates, uint32_t at, int out)
{
    gather(cnf, gates, at);
    vec_clear(&cnf->clause);
    vec_push(&cnf->clause, out);
    for (uint32_t i = 0; i < cnf->leaves.len; i++) {
        int leaf = need(cnf, gates, cnf->leaves.data[i]);
        ADD(cnf, -out, leaf);
        vec_push(&cnf->clause, -leaf);
    }
    add(cnf, cnf->clause.data, cnf->clause.len);
}

static void emit_xor3(Cnf *cnf, int out, int a, int b, int c)
{
    for (int i = 0; i < 8; i++) {
        int x = i & 1 ? a : -a, y = i & 2 ? b : -b, z = i & 4 ? c : -c;
        bool odd = __builtin_parity((unsigned)i);
        ADD(cnf, odd ? -out : out, x, y, z);
    }
}

static void emit_gate(Cnf *cnf, const Gates *gates, uint32_t at)
{
    const Gate *gate = &gates->gates[at];
    int out = cnf->literal[at];
    if (gate->kind <= GATE_DERIVED) return;
    if (gate->kind == GATE_AND) {
        emit_and(cnf, gates, at, out);
        return;
    }
    int a = need(cnf, gates, gate->a), b = need(cnf, gates, gate->b), c = gate->kind == GATE_XOR ? 0 : need(cnf, gates, gate->c);
    switch ((GateKind)gate->kind) {
    case GATE_XOR:
        ADD(cnf, -out, a, b);
        ADD(cnf, -out, -a, -b);
        ADD(cnf, out, -a, b);
        ADD(cnf, out, a, -b);
        break;
    case GATE_MUX:
        ADD(cnf, -a, -b, out);
        ADD(cnf, -a, b, -out);
        ADD(cnf, a, -c, out);
        ADD(cnf, a, c, -out);
        ADD(cnf, -b, -c, out); /* the last two follow, and propagate without a */
        ADD(cnf, b, c, -out);
        break;
    case GATE_XOR3: emit_xor3(cnf, out, a, b, c); break;
    default:
        assert(gate->kind == GATE_MAJORITY);
        ADD(cnf, -a, -b, out);
        ADD(cnf, -a, -c, out);
        ADD(cnf, -b, -c, out);
        ADD(cnf, a, b, -out);
        ADD(cnf, a, c, -out);
        ADD(cnf, b, c, -out);
    }
}

static void reserve(Cnf *cnf, uint32_t wanted)
{
    if (wanted <= cnf->capacity) return;
    uint32_t capacity = wanted + wanted / 2;
    cnf->literal = mem_resize(cnf->literal, capacity * sizeof *cnf->literal);
    memset(cnf->literal + cnf->capacity, 0, (capacity - cnf->capacity) * sizeof *cnf->literal);
    cnf->capacity = capacity;
}

/* From the roots down, so that every gate is reached after all that could need it. */
void cnf_emit(Cnf *cnf, const Gates *gates, const Lit *roots, uint32_t count)
{
    reserve(cnf, gates->count);
    if (!cnf->sat) cnf->sat = sat_new();
    uint32_t had = cnf->gates.len;
    for (uint32_t i = 0; i < count; i++)
        if (roots[i] > LIT_TRUE) need(cnf, gates, roots[i]);
    for (uint32_t i = 0; i < gates->sides.len; i++) {
        assert(gates->sides.data[i] > LIT_TRUE);
        ADD(cnf, need(cnf, gates, gates->sides.data[i])); /* perhaps not for the first time, which does no harm */
    }
    for (uint32_t i = gates->cone.len; i-- > 0;) {
        uint32_t at = gates->cone.data[i];
        if ((uint32_t)abs(cnf->literal[at]) > had) emit_gate(cnf, gates, at);
    }
}
