/* The gate graph: rules, hashing, cones and simulation.  See gates.h for what holds.
 *
 * Rules look at most two levels deep and never make more than one new gate for the one asked for.  Signs are pulled out of xor, and
 * kept out of a multiplexer's `yes` and of two operands of a majority, so that a function and its complement share a gate. */
#include "solve/gates.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 1024 };

static void reserve(Gates *gates, uint32_t wanted)
{
    if (wanted <= gates->capacity) return;
    uint32_t capacity = gates->capacity ? gates->capacity * 2 : FIRST_CAPACITY;
    gates->gates = mem_resize(gates->gates, capacity * sizeof *gates->gates);
    gates->marks = mem_resize(gates->marks, capacity * sizeof *gates->marks);
    gates->values = mem_resize(gates->values, capacity);
    memset(gates->marks + gates->capacity, 0, (capacity - gates->capacity) * sizeof *gates->marks);
    gates->capacity = capacity;
}

void gates_init(Gates *gates)
{
    *gates = (Gates){.count = 1, .table_size = 2 * FIRST_CAPACITY};
    reserve(gates, 1);
    gates->gates[0] = (Gate){.kind = GATE_CONST};
    gates->values[0] = 0;
    gates->table = mem_alloc(gates->table_size * sizeof *gates->table);
}

void gates_release(Gates *gates)
{
    free(gates->gates);
    free(gates->marks);
    free(gates->values);
    free(gates->table);
    vec_release(&gates->definitions);
    vec_release(&gates->operands);
    map_release(&gates->known);
    vec_release(&gates->cone);
    vec_release(&gates->stack);
    vec_release(&gates->sides);
    *gates = (Gates){0};
}

uint64_t gates_memory(const Gates *gates)
{
    uint64_t each = sizeof(Gate) + sizeof *gates->marks + sizeof *gates->values;
    return gates->capacity * each + ((uint64_t)gates->table_size + gates->cone.cap + gates->stack.cap + gates->operands.cap) * sizeof(Lit) +
           gates->definitions.cap * sizeof(Definition);
}

/* ---- structural hashing ---- */

static uint64_t hash_gate(GateKind kind, Lit a, Lit b, Lit c)
{
    return hash_mix(((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15u + ((uint64_t)c << 3 | kind));
}

static void grow_table(Gates *gates)
{
    uint32_t size = gates->table_size * 2;
    free(gates->table);
    gates->table = mem_alloc(size * sizeof *gates->table);
    gates->table_size = size;
    for (uint32_t i = 1; i < gates->count; i++) {
        const Gate *gate = &gates->gates[i];
        if (gate->kind < GATE_AND) continue;
        uint32_t at = (uint32_t)hash_gate(gate->kind, gate->a, gate->b, gate->c) & (size - 1);
        while (gates->table[at]) at = (at + 1) & (size - 1);
        gates->table[at] = i;
    }
}

static void use(Gates *gates, Lit a)
{
    Gate *gate = &gates->gates[a >> 1];
    if (gate->uses < (1u << 28) - 1) gate->uses++;
}

static Lit new_gate(Gates *gates, GateKind kind, Lit a, Lit b, Lit c)
{
    REQUIRE(gates->count < UINT32_MAX / 4, "too many gates");
    reserve(gates, gates->count + 1);
    gates->gates[gates->count] = (Gate){.kind = kind, .a = a, .b = b, .c = c};
    return gates->count++ * 2;
}

static Lit hashed(Gates *gates, GateKind kind, Lit a, Lit b, Lit c)
{
    assert(a > LIT_TRUE && b > LIT_TRUE);
    if (gates->count * 2 >= gates->table_size) grow_table(gates);
    uint32_t at = (uint32_t)hash_gate(kind, a, b, c) & (gates->table_size - 1);
    for (; gates->table[at]; at = (at + 1) & (gates->table_size - 1)) {
        const Gate *gate = &gates->gates[gates->table[at]];
        if (gate->kind == kind && gate->a == a && gate->b == b && gate->c == c) return gates->table[at] * 2;
    }
    gates->table[at] = gates->count;
    use(gates, a);
    use(gates, b);
    if (c > LIT_TRUE) use(gates, c);
    return new_gate(gates, kind, a, b, c);
}

Lit gates_input(Gates *gates, uint32_t owner, uint32_t bit)
{
    return new_gate(gates, GATE_INPUT, owner, bit, 0);
}

/* ---- rules ---- */

static void sort(Lit *a, Lit *b)
{
    if (*a <= *b) return;
    Lit kept = *a;
    *a = *b;
    *b = kept;
}

/* a & b by what gate a is; true if that decides it. */
static bool and_by_operand(Gates *gates, Lit a, Lit b, Lit *result)
{
    const Gate *gate = &gates->gates[a >> 1];
    if (gate->kind != GATE_AND) return false;
    Lit x = gate->a, y = gate->b;
    if (!(a & 1)) {
        if (b == x || b == y) return *result = a, true;
        if (b == LIT_NOT(x) || b == LIT_NOT(y)) return *result = LIT_FALSE, true;
        return false;
    }
    if (b == LIT_NOT(x) || b == LIT_NOT(y)) return *result = b, true;
    if (b == x) return *result = gates_and(gates, b, LIT_NOT(y)), true;
    if (b == y) return *result = gates_and(gates, b, LIT_NOT(x)), true;
    return false;
}

static bool contradict(const Gates *gates, Lit a, Lit b)
{
    const Gate *x = &gates->gates[a >> 1], *y = &gates->gates[b >> 1];
    if (x->kind != GATE_AND || y->kind != GATE_AND || ((a | b) & 1)) return false;
    return x->a == LIT_NOT(y->a) || x->a == LIT_NOT(y->b) || x->b == LIT_NOT(y->a) || x->b == LIT_NOT(y->b);
}

Lit gates_and(Gates *gates, Lit a, Lit b)
{
    gates->work++;
    sort(&a, &b);
    if (a == LIT_FALSE) return LIT_FALSE;
    if (a == LIT_TRUE || a == b) return b;
    if (a == LIT_NOT(b)) return LIT_FALSE;
    Lit result;
    if (and_by_operand(gates, a, b, &result) || and_by_operand(gates, b, a, &result)) return result;
    if (contradict(gates, a, b)) return LIT_FALSE;
    return hashed(gates, GATE_AND, a, b, 0);
}

Lit gates_xor(Gates *gates, Lit a, Lit b)
{
    gates->work++;
    Lit sign = (a ^ b) & 1;
    a &= ~1u, b &= ~1u;
    sort(&a, &b);
    if (a == LIT_FALSE) return b ^ sign;
    if (a == b) return LIT_FALSE ^ sign;
    const Gate *x = &gates->gates[a >> 1], *y = &gates->gates[b >> 1];
    if (y->kind == GATE_XOR && (y->a == a || y->b == a)) return (y->a == a ? y->b : y->a) ^ sign;
    if (x->kind == GATE_XOR && (x->a == b || x->b == b)) return (x->a == b ? x->b : x->a) ^ sign;
    return hashed(gates, GATE_XOR, a, b, 0) ^ sign;
}

Lit gates_xor3(Gates *gates, Lit a, Lit b, Lit c)
{
    gates->work++;
    Lit sign = (a ^ b ^ c) & 1;
    a &= ~1u, b &= ~1u, c &= ~1u;
    sort(&a, &b);
    sort(&b, &c);
    sort(&a, &b);
    if (a == LIT_FALSE) return gates_xor(gates, b, c) ^ sign;
    if (a == b) return c ^ sign;
    if (b == c) return a ^ sign;
    return hashed(gates, GATE_XOR3, a, b, c) ^ sign;
}

Lit gates_majority(Gates *gates, Lit a, Lit b, Lit c)
{
    gates->work++;
    sort(&a, &b);
    sort(&b, &c);
    sort(&a, &b);
    if (a == LIT_FALSE) return b == LIT_TRUE ? c : gates_and(gates, b, c);
    if (a == LIT_TRUE) return gates_or(gates, b, c);
    if (a == b || b == c) return b;
    if (a == LIT_NOT(b)) return c;
    if (b == LIT_NOT(c)) return a;
    Lit sign = (a & 1) + (b & 1) + (c & 1) > 1;
    return hashed(gates, GATE_MAJORITY, a ^ sign, b ^ sign, c ^ sign) ^ sign;
}

/* What `branch` is when the multiplexer's condition has the given value. */
static Lit under(const Gates *gates, Lit condition, bool value, Lit branch)
{
    if (branch >> 1 == condition >> 1) return value ^ ((branch ^ condition) & 1) ? LIT_TRUE : LIT_FALSE;
    const Gate *gate = &gates->gates[branch >> 1];
    if (gate->kind == GATE_MUX && gate->a == condition) return (value ? gate->b : gate->c) ^ (branch & 1);
    return branch;
}

Lit gates_mux(Gates *gates, Lit condition, Lit yes, Lit no)
{
    gates->work++;
    if (condition <= LIT_TRUE) return condition ? yes : no;
    if (condition & 1) return gates_mux(gates, LIT_NOT(condition), no, yes);
    yes = under(gates, condition, true, yes);
    no = under(gates, condition, false, no);
    if (yes == no) return yes;
    if (yes == LIT_NOT(no)) return gates_xor(gates, condition, no);
    if (yes <= LIT_TRUE) return yes ? gates_or(gates, condition, no) : gates_and(gates, LIT_NOT(condition), no);
    if (no <= LIT_TRUE) return no ? gates_or(gates, LIT_NOT(condition), yes) : gates_and(gates, condition, yes);
    Lit sign = yes & 1;
    return hashed(gates, GATE_MUX, condition, yes ^ sign, no ^ sign) ^ sign;
}

/* ---- definitions ---- */

static bool same_operands(const Gates *gates, const Definition *x, const Definition *wanted, const Lit *a, const Lit *b)
{
    const Lit *operands = gates->operands.data + x->first;
    return x->kind == wanted->kind && x->a_width == wanted->a_width && x->b_width == wanted->b_width &&
           !memcmp(operands, a, x->a_width * sizeof *a) && (!x->b_width || !memcmp(operands + x->a_width, b, x->b_width * sizeof *b));
}

/* Of two definitions with one hash only the newer is found again. */
const Definition *gates_define(Gates *gates, const Definition *wanted, const Lit *a, const Lit *b)
{
    assert(wanted->a_width && wanted->a_width <= 128 && wanted->b_width <= 128);
    uint64_t hash = hash_bytes(a, wanted->a_width * sizeof *a) * 31 + wanted->kind;
    if (wanted->b_width) hash = hash_mix(hash) ^ hash_bytes(b, wanted->b_width * sizeof *b);
    uint64_t *found = map_find(&gates->known, hash);
    if (found && same_operands(gates, &vec_at(&gates->definitions, *found), wanted, a, b)) return &vec_at(&gates->definitions, *found);
    Definition new = *wanted;
    new.first = gates->operands.len;
    new.side = LIT_FALSE;
    new.extra = LIT_TRUE;
    new.mark = 0;
    for (uint32_t i = 0; i < new.a_width; i++) vec_push(&gates->operands, a[i]);
    for (uint32_t i = 0; i < new.b_width; i++) vec_push(&gates->operands, b[i]);
    for (uint32_t output = 0; output < 2; output++) {
        new.output[output] = gates->count * 2;
        for (uint32_t i = 0; i < new.output_width[output]; i++) new_gate(gates, GATE_DERIVED, gates->definitions.len, i, output);
    }
    map_put(&gates->known, hash, gates->definitions.len);
    vec_push(&gates->definitions, new);
    return &vec_top(&gates->definitions);
}

void gates_relate(Gates *gates, const Definition *definition, Lit side)
{
    assert(side != LIT_FALSE && definition->side == LIT_FALSE);
    vec_at(&gates->definitions, definition - gates->definitions.data).side = side;
}

void gates_reinforce(Gates *gates, const Definition *definition, Lit extra)
{
    assert(extra != LIT_FALSE && definition->extra == LIT_TRUE);
    vec_at(&gates->definitions, definition - gates->definitions.data).extra = extra;
}

/* ---- cones ---- */

static void visit(Gates *gates, Lit a)
{
    if (gates->marks[a >> 1] < gates->mark) vec_push(&gates->stack, a >> 1);
}

static void visit_operands(Gates *gates, uint32_t at)
{
    Gate gate = gates->gates[at];
    if (gate.kind >= GATE_AND) {
        visit(gates, gate.a);
        visit(gates, gate.b);
        if (gate.kind >= GATE_MUX) visit(gates, gate.c);
    } else if (gate.kind == GATE_DERIVED) {
        const Definition *definition = &vec_at(&gates->definitions, gate.a);
        for (uint32_t i = 0; i < definition->a_width + definition->b_width; i++)
            visit(gates, vec_at(&gates->operands, definition->first + i));
    }
}

/* Marks: below `mark` is unseen, `mark` is on the stack with its operands above it, mark + 1 is in the cone. */
static void cone_of(Gates *gates, Lit root)
{
    visit(gates, root);
    while (gates->stack.len) {
        uint32_t at = vec_top(&gates->stack);
        if (gates->marks[at] < gates->mark) {
            gates->marks[at] = gates->mark;
            visit_operands(gates, at);
            continue;
        }
        gates->stack.len--;
        if (gates->marks[at] > gates->mark) continue;
        gates->marks[at] = gates->mark + 1;
        vec_push(&gates->cone, at);
    }
}

void gates_cone(Gates *gates, const Lit *roots, uint32_t count)
{
    if (gates->mark >= UINT32_MAX - 4) {
        memset(gates->marks, 0, gates->capacity * sizeof *gates->marks);
        for (uint32_t i = 0; i < gates->definitions.len; i++) gates->definitions.data[i].mark = 0;
        gates->mark = 0;
    }
    gates->mark += 2;
    gates->marks[0] = gates->mark + 1;
    vec_clear(&gates->cone);
    vec_clear(&gates->sides);
    for (uint32_t i = 0; i < count; i++) cone_of(gates, roots[i]);
    for (uint32_t next = 0; next < gates->cone.len; next++) {
        const Gate *gate = &gates->gates[gates->cone.data[next]];
        if (gate->kind != GATE_DERIVED) continue;
        Definition *definition = &vec_at(&gates->definitions, gate->a);
        if (definition->mark == gates->mark) continue;
        definition->mark = gates->mark;
        Lit relations[] = {definition->side, definition->extra};
        for (unsigned i = 0; i < 2; i++) {
            if (relations[i] == LIT_TRUE) continue;
            vec_push(&gates->sides, relations[i]);
            cone_of(gates, relations[i]);
        }
    }
}

static U128 operand_value(const Gates *gates, uint32_t first, uint32_t width)
{
    U128 value = 0;
    for (uint32_t i = width; i-- > 0;) value = value << 1 | gates_value(gates, gates->operands.data[first + i]);
    return value;
}

static U128 square_root(U128 a)
{
    U128 root = 0;
    for (unsigned i = 64; i-- > 0;) {
        U128 tried = root | (U128)1 << i;
        if (tried <= a / tried) root = tried;
    }
    return root;
}

static bool derived_value(const Gates *gates, const Gate *gate)
{
    const Definition *definition = &gates->definitions.data[gate->a];
    U128 a = operand_value(gates, definition->first, definition->a_width), outputs[2];
    if (definition->kind == DEFINE_DIVISION) {
        U128 b = operand_value(gates, definition->first + definition->a_width, definition->b_width);
        outputs[0] = b ? a / b : ~(U128)0;
        outputs[1] = b ? a % b : a;
    } else {
        outputs[0] = square_root(a);
        outputs[1] = a - outputs[0] * outputs[0];
    }
    return outputs[gate->c] >> gate->b & 1;
}

void gates_simulate(Gates *gates, GateValue *input, void *data)
{
    for (uint32_t i = 0; i < gates->cone.len; i++) {
        uint32_t at = gates->cone.data[i];
        const Gate *gate = &gates->gates[at];
        bool value;
        switch ((GateKind)gate->kind) {
        case GATE_INPUT: value = input(data, gate->a, gate->b); break;
        case GATE_DERIVED: value = derived_value(gates, gate); break;
        case GATE_AND: value = gates_value(gates, gate->a) && gates_value(gates, gate->b); break;
        case GATE_XOR: value = gates_value(gates, gate->a) != gates_value(gates, gate->b); break;
        case GATE_MUX: value = gates_value(gates, gates_value(gates, gate->a) ? gate->b : gate->c); break;
        case GATE_XOR3: value = gates_value(gates, gate->a) ^ gates_value(gates, gate->b) ^ gates_value(gates, gate->c); break;
        case GATE_MAJORITY: value = gates_value(gates, gate->a) + gates_value(gates, gate->b) + gates_value(gates, gate->c) > 1; break;
        default: assert(false); value = false;
        }
        gates->values[at] = value;
    }
}
