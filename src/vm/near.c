/* How near a run with constants comes to a branch that it does not take (VmTaken.wanted).
 *
 * Where a comparison decides otherwise, its operands tell by how much: for `a < b` that is false, a - b + 1.  This is the branch distance of search-based
 * testing (Korel 1990; Tracey et al. 1998).  A loop that counts, or a state that is numbered, comes nearer to the goal in many small steps, none of which
 * takes a new branch.  Conditions that are no comparisons of integers, or that depend on symbolic inputs, have no distance. */
#include "base/arith.h"
#include "vm/vm_int.h"

static uint64_t difference(I128 greater, I128 less)
{
    I128 size = greater < less ? less - greater : greater - less;
    return size > (I128)UINT64_MAX ? UINT64_MAX : (uint64_t)size;
}

static Predicate negation(Predicate predicate)
{
    static const Predicate negations[] = {PRED_NE, PRED_EQ, PRED_ULE, PRED_ULT, PRED_UGE, PRED_UGT, PRED_SLE, PRED_SLT, PRED_SGE, PRED_SGT};
    return negations[predicate];
}

/* The least change of the operands' difference by which the predicate, which does not hold, would hold: 1 for x < x, 5 for 8 == 3. */
static uint64_t distance(Predicate predicate, U128 a, U128 b, unsigned width)
{
    bool is_unsigned = predicate >= PRED_UGT && predicate <= PRED_ULE;
    I128 x = is_unsigned ? (I128)a : arith_sext(a, width), y = is_unsigned ? (I128)b : arith_sext(b, width);
    switch (predicate) {
    case PRED_NE: return 1;
    case PRED_UGT:
    case PRED_ULT:
    case PRED_SGT:
    case PRED_SLT: return difference(x, y) < UINT64_MAX ? difference(x, y) + 1 : UINT64_MAX;
    default: return difference(x, y);
    }
}

static void note(Vm *vm, uint32_t branch, uint64_t distance)
{
    VmTaken *taken = &vm->taken[branch];
    if (taken->near_inputs && distance >= taken->distance) return;
    taken->distance = distance;
    taken->near_inputs = vm->input_count;
}

static bool read_operands(Vm *vm, const Instr *i, U128 *a, U128 *b)
{
    if (i->width > 64) return false;
    Value x = vm__operand(vm, i->a, i->width), y = vm__operand(vm, i->b, i->width);
    *a = x.bits;
    *b = y.bits;
    return !(x.e | y.e);
}

/* The comparison that the condition of the instruction is; NULL: it is none. */
static const Instr *comparison(const Function *function, uint32_t at)
{
    const Instr *code = function->code;
    uint32_t first = function->blocks[function_block(function, at)].first;
    for (uint32_t before = at; before-- > first;)
        if (code[before].dst == code[at].a) return code[before].op == OP_ICMP ? &code[before] : NULL;
    return NULL;
}

/* The outcomes are `branch`, if the condition holds, and the next one. */
static void note_condition(Vm *vm, const Function *function, uint32_t at, uint32_t branch, bool holds)
{
    uint32_t other = holds ? branch + 1 : branch;
    const Instr *compare = vm->taken[other].wanted ? comparison(function, at) : NULL;
    U128 a, b;
    if (!compare || !read_operands(vm, compare, &a, &b)) return;
    Predicate wanted = holds ? negation((Predicate)compare->predicate) : (Predicate)compare->predicate;
    note(vm, other, distance(wanted, a, b, compare->width));
}

static void note_switch(Vm *vm, const Switch *cases, const Instr *i)
{
    Value value = vm__operand(vm, i->a, i->width);
    if (value.e || i->width > 64) return;
    for (uint32_t k = 0; k < cases->case_count; k++) {
        if (!vm->taken[cases->branch + k].wanted || cases->cases[k].value == value.bits) continue;
        note(vm, cases->branch + k, distance(PRED_EQ, value.bits, cases->cases[k].value, i->width));
    }
}

void vm__note_near(Vm *vm, uint32_t branch)
{
    const Frame *frame = vm__frame(vm);
    const Function *function = frame->code->function;
    const Origin *origin = &frame->code->origin[frame->pc - frame->code->code];
    uint32_t at = origin->instr + origin->instrs - 1;
    const Instr *i = &function->code[at];
    if (i->op == OP_BRANCH) {
        uint32_t yes = function->branches[i->imm].branch;
        note_condition(vm, function, at, yes, branch == yes);
    } else if (i->op == OP_SELECT && i->imm >= 0) {
        note_condition(vm, function, at, (uint32_t)i->imm, branch == (uint32_t)i->imm);
    } else if (i->op == OP_SWITCH) {
        note_switch(vm, &function->switches[i->imm], i);
    }
}
