/* Gates: a graph of and, xor, multiplexer and full-adder gates with structural hashing.
 *
 * A literal is twice a gate's number, plus one if negated; gate 0 is the constant.  Building simplifies locally, so equal literals are
 * equal functions (not conversely), and constants never are the operand of a gate.  Operands have smaller numbers than the gates over
 * them.  Besides inputs there are derived gates: outputs of a definition (a quotient, say) which has no circuit but a relation that
 * determines it, its `side` literal, to be asserted wherever an output is used.  A relation is total: for all operands there are
 * outputs that satisfy it, so asserting it never restricts anything else.  Every literal thus has a value once the inputs have. */
#ifndef CLEW_SOLVE_GATES_H
#define CLEW_SOLVE_GATES_H

#include "base/base.h"

typedef uint32_t Lit;
#define LIT_FALSE 0u
#define LIT_TRUE 1u
#define LIT_NOT(a) ((a) ^ 1u)

typedef enum GateKind { GATE_CONST, GATE_INPUT, GATE_DERIVED, GATE_AND, GATE_XOR, GATE_MUX, GATE_XOR3, GATE_MAJORITY } GateKind;
typedef struct Gate {
    uint32_t kind : 4, uses : 28; /* uses: as operand of other gates, saturating */
    Lit a, b, c;                  /* MUX: a ? b : c.  INPUT: the owner's two numbers.  DERIVED: definition, bit, output */
} Gate;

typedef enum DefinitionKind { DEFINE_DIVISION, DEFINE_SQUARE_ROOT } DefinitionKind;
typedef struct Definition {
    DefinitionKind
        kind;       /* DIVISION: output 0 is a/b, output 1 a%b; a/0 is all ones, a%0 is a.  SQUARE_ROOT: of a, rounded down; and the rest */
    uint32_t first; /* of the operands' literals in `operands`: those of a, then those of b */
    uint32_t a_width, b_width;
    Lit output[2]; /* the lowest bits; the others follow */
    uint32_t output_width[2];
    Lit side, extra; /* extra follows from side but propagates otherwise; LIT_TRUE: there is none */
    uint32_t mark;   /* of the last cone it was in */
} Definition;

typedef bool GateValue(void *data, uint32_t owner, uint32_t bit); /* value of an input */

typedef struct Gates {
    Gate *gates;
    uint32_t *marks; /* by gate, for cones */
    uint8_t *values; /* by gate, set by gates_simulate */
    uint32_t count, capacity, mark;
    uint32_t *table, table_size; /* structural hashing: gate numbers, 0 is free */
    uint64_t work;               /* gates asked for: a measure of time */
    Vec(Definition) definitions;
    Vec(Lit) operands;
    Map known;          /* hash of a definition's operands -> its number */
    Vec(uint32_t) cone; /* gates of the last cone, operands first, without the constant */
    Vec(uint32_t) stack;
    Vec(Lit) sides; /* relations to assert with the last cone */
} Gates;

void gates_init(Gates *gates);
void gates_release(Gates *gates);
uint64_t gates_memory(const Gates *gates); /* bytes held */

Lit gates_input(Gates *gates, uint32_t owner, uint32_t bit); /* always a new one */
Lit gates_and(Gates *gates, Lit a, Lit b);
Lit gates_xor(Gates *gates, Lit a, Lit b);
Lit gates_mux(Gates *gates, Lit condition, Lit yes, Lit no);
Lit gates_xor3(Gates *gates, Lit a, Lit b, Lit c);
Lit gates_majority(Gates *gates, Lit a, Lit b, Lit c);
static inline Lit gates_or(Gates *gates, Lit a, Lit b)
{
    return LIT_NOT(gates_and(gates, LIT_NOT(a), LIT_NOT(b)));
}

/* The definition with these operands, at most 128 literals each; valid until the next one.  If there was none it is made, with outputs
 * of the widths given, and `side` is LIT_FALSE until gates_relate sets it. */
const Definition *gates_define(Gates *gates, const Definition *wanted, const Lit *a, const Lit *b);
void gates_relate(Gates *gates, const Definition *definition, Lit side);
void gates_reinforce(Gates *gates, const Definition *definition, Lit extra);

/* Fills `cone` and `sides` with what the roots depend on. */
void gates_cone(Gates *gates, const Lit *roots, uint32_t count);
/* Values of all gates of the last cone. */
void gates_simulate(Gates *gates, GateValue *input, void *data);
static inline bool gates_value(const Gates *gates, Lit a)
{
    return (gates->values[a >> 1] ^ a) & 1;
}

#endif
