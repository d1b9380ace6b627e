/* Lowering of one function: blocks, terminators, and the choice of who lowers an instruction.
 *
 * Blocks are written as drafts and laid end to end at the finish.  Draft i is block i of LLVM; splitting edges for phis and going on
 * after a TRAP add drafts behind those, so that the numbers of labels are known before any body is lowered. */
#include "front/front_int.h"
#include "base/arith.h"

#include <llvm-c/DebugInfo.h>

/* ---- terminators ---- */

static void lower_return(Lower *l, LLVMValueRef value)
{
    LLVMValueRef result = LLVMGetNumOperands(value) ? LLVMGetOperand(value, 0) : NULL;
    const Shape *shape = result ? front__shape(l->t, LLVMTypeOf(result)) : NULL;
    Operand operand = OPERAND_NONE;
    uint32_t width = 0;
    if (shape && shape->problem) {
        front__trap(l, "returning %s is not supported", shape->problem);
    } else if (shape && shape->count) {
        width = shape->leaves[0].type.width;
        operand = front__operand(l, result, 0);
    }
    if (width && shape->count > 1 && LLVMIsConstant(result)) {
        uint32_t first = front__new_registers(l, shape->registers);
        for (uint32_t i = 0; i < shape->count; i++)
            front__move(l, first + shape->leaves[i].reg, shape->leaves[i].type.width, front__operand(l, result, i));
        operand = first;
    }
    front__emit(l, OP_RETURN, width)->a = operand;
}

static uint32_t target(Lower *l, LLVMValueRef value, unsigned number)
{
    return front__block_index(l->t, LLVMGetSuccessor(value, number));
}

static void lower_branch(Lower *l, LLVMValueRef value)
{
    if (!LLVMIsConditional(value)) {
        uint32_t to = target(l, value, 0);
        front__emit(l, OP_JUMP, 0)->imm = to;
        return;
    }
    Operand condition = front__operand(l, LLVMGetCondition(value), 0);
    CondBranch branch = {.yes = target(l, value, 0), .no = target(l, value, 1)};
    bool negated = front__is_negated(LLVMGetCondition(value)); /* outcomes are those of what stands after the ! */
    branch.branch = front__add_branch(l, branch.yes, negated ? OUTCOME_FALSE : OUTCOME_TRUE, 0);
    front__add_branch(l, branch.no, negated ? OUTCOME_TRUE : OUTCOME_FALSE, 0);
    if (front__is_repeated(value))
        for (uint32_t i = 0; i < 2; i++) l->t->branches.data[branch.branch + i].uncounted = true;
    vec_push(&l->branches, branch);
    Instr *instr = front__emit(l, OP_BRANCH, 1);
    instr->a = condition;
    instr->imm = l->branches.len - 1;
}

static void lower_switch(Lower *l, LLVMValueRef value)
{
    LLVMValueRef selector = LLVMGetOperand(value, 0);
    const Shape *shape = front__shape(l->t, LLVMTypeOf(selector));
    uint32_t width = shape->leaves[0].type.width;
    bool unsupported = shape->problem || shape->wide;
    if (unsupported) front__trap(l, "switch over an integer of more than 128 bits is not supported");
    Operand operand = front__operand(l, selector, 0);
    uint32_t n = LLVMGetNumSuccessors(value) - 1;
    Switch sw = {.case_count = n, .default_block = target(l, value, 0), .branch = l->t->branches.len};
    sw.cases = arena_alloc(&l->t->program->arena, n * sizeof *sw.cases);
    for (uint32_t i = 0; i < n; i++) {
        U128 number = unsupported ? i : front__constant_bits(LLVMGetOperand(value, 2 + 2 * i));
        sw.cases[i] = (SwitchCase){number, target(l, value, i + 1)};
        front__add_branch(l, sw.cases[i].block, OUTCOME_CASE, (U128)arith_sext(number, width));
    }
    front__add_branch(l, sw.default_block, OUTCOME_DEFAULT, 0);
    vec_push(&l->switches, sw);
    Instr *instr = front__emit(l, OP_SWITCH, width);
    instr->a = operand;
    instr->imm = l->switches.len - 1;
}

/* A terminator that cannot be executed: TRAP, with one successor as the place where execution would go on. */
static void lower_unknown_terminator(Lower *l, LLVMValueRef value, const char *name, uint32_t first)
{
    front__trap(l, "%s is not supported", name);
    front__undefine(l, first, front__shape(l->t, LLVMTypeOf(value)));
    if (LLVMGetNumSuccessors(value)) {
        uint32_t to = target(l, value, 0);
        front__emit(l, OP_JUMP, 0)->imm = to;
    } else {
        front__emit(l, OP_UNREACHABLE, 0);
    }
}

static void lower_terminator(Lower *l, LLVMValueRef value, uint32_t first)
{
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMRet: lower_return(l, value); break;
    case LLVMBr: lower_branch(l, value); break;
    case LLVMSwitch: lower_switch(l, value); break;
    case LLVMIndirectBr: {
        Operand address = front__operand(l, LLVMGetOperand(value, 0), 0);
        front__emit(l, OP_INDIRECT, 64)->a = address;
        break;
    }
    case LLVMUnreachable: front__emit(l, OP_UNREACHABLE, 0); break;
    case LLVMCallBr: lower_unknown_terminator(l, value, "asm goto", first); break;
    default: lower_unknown_terminator(l, value, "exception handling", first); break;
    }
}

/* ---- a function ---- */

static void set_location(Lower *l, LLVMValueRef value)
{
    uint32_t loc = front__location(l->t, LLVMInstructionGetDebugLoc(value));
    if (loc) l->loc = loc;
}

static bool is_debug_information(LLVMValueRef value)
{
    LLVMValueRef callee = LLVMIsACallInst(value) ? LLVMGetCalledValue(value) : NULL;
    return callee && LLVMIsAFunction(callee) && strncmp(front__value_name(callee), "llvm.dbg.", 9) == 0;
}

/* For each register that holds a value of the bitcode as it is: which one. */
static void record_registers(Lower *l, Function *function)
{
    uint32_t number = 0, *from = arena_alloc(&l->t->program->arena, (l->register_count + 1) * sizeof *from);
    function->register_origins = from;
    for (unsigned i = 0; i < LLVMCountParams(l->function); i++) {
        LLVMValueRef param = LLVMGetParam(l->function, i);
        const Shape *shape = front__shape(l->t, LLVMTypeOf(param));
        if (shape->count == 1 && shape->leaves[0].type.width <= 64 && shape->leaves[0].type.kind != SCALAR_FLOAT)
            from[front__register_of(l, param)] = ORIGIN_PARAM + i;
    }
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(l->function); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef value = LLVMGetFirstInstruction(block); value; value = LLVMGetNextInstruction(value)) {
            if (is_debug_information(value)) continue;
            number++;
            const Shape *shape = front__shape(l->t, LLVMTypeOf(value));
            if (shape->count != 1 || shape->problem || shape->leaves[0].type.width > 64 || shape->leaves[0].type.kind == SCALAR_FLOAT)
                continue;
            uint32_t reg = front__register_of(l, value);
            if (from[reg] == ORIGIN_NONE) from[reg] = number;
        }
}

static void lower_block(Lower *l, LLVMBasicBlockRef block, uint32_t number)
{
    l->current = number;
    l->loc = 0;
    l->fresh = UINT32_MAX;
    uint32_t position = 0;
    for (LLVMValueRef value = LLVMGetFirstInstruction(block); value; value = LLVMGetNextInstruction(value)) {
        set_location(l, value);
        l->origin = 0;
        if (!is_debug_information(value)) {
            vec_push(&l->origins, ((CodeOrigin){number, position++}));
            l->origin = l->origins.len;
        }
        uint32_t first = front__register_of(l, value);
        l->outcomes = front__outcomes(value);
        l->which = 0;
        if (LLVMIsATerminatorInst(value)) {
            lower_terminator(l, value, first);
        } else if (!LLVMIsAPHINode(value)) {
            front__lower_instruction(l, value, first);
        }
        if (l->outcomes) l->ordinal++;
    }
    vec_push(&l->exits, l->current);
}

static void lay_out(Lower *l, Function *function)
{
    Arena *arena = &l->t->program->arena;
    for (uint32_t b = 0; b < l->block_total; b++) function->code_count += l->blocks.data[b].len;
    function->code = arena_alloc(arena, function->code_count * sizeof *function->code);
    function->blocks = arena_alloc(arena, l->block_total * sizeof *function->blocks);
    function->block_count = l->block_total;
    uint32_t at = 0;
    for (uint32_t b = 0; b < l->block_total; b++) {
        const Draft *draft = &l->blocks.data[b];
        assert(draft->len && opcode_is_terminator(draft->data[draft->len - 1].op));
        function->blocks[b] = (Block){.first = at, .count = draft->len};
        memcpy(function->code + at, draft->data, draft->len * sizeof *draft->data);
        at += draft->len;
    }
}

static void finish(Lower *l)
{
    Translator *t = l->t;
    Function *function = &t->function_list.data[l->index];
    lay_out(l, function);
    function->register_count = l->register_count;
    function->origin_count = l->origins.len;
    function->origins = front__keep(t, l->origins.data, l->origins.len * sizeof *l->origins.data);
    function->call_count = l->calls.len;
    function->calls = front__keep(t, l->calls.data, l->calls.len * sizeof *l->calls.data);
    function->switch_count = l->switches.len;
    function->switches = front__keep(t, l->switches.data, l->switches.len * sizeof *l->switches.data);
    function->branch_count = l->branches.len;
    function->branches = front__keep(t, l->branches.data, l->branches.len * sizeof *l->branches.data);
}

void front__lower_function(Lower *l, LLVMValueRef value, uint32_t index)
{
    l->function = value;
    l->index = index;
    l->in_model = l->t->function_list.data[index].in_model;
    l->block_total = l->register_count = l->ordinal = 0;
    vec_clear(&l->exits);
    vec_clear(&l->origins);
    vec_clear(&l->calls);
    vec_clear(&l->switches);
    vec_clear(&l->branches);
    map_release(&l->values);
    front__number_blocks(l->t, value);
    for (unsigned i = 0; i < LLVMCountParams(value); i++) front__register_of(l, LLVMGetParam(value, i));
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(value); block; block = LLVMGetNextBasicBlock(block)) front__new_block(l);
    uint32_t number = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(value); block; block = LLVMGetNextBasicBlock(block))
        lower_block(l, block, number++);
    l->origin = 0;
    front__lower_phis(l);
    record_registers(l, &l->t->function_list.data[index]);
    l->t->function_list.data[index].source_blocks = number;
    finish(l);
}
