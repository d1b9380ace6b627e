/* The invariants of the model, checked in full.  A violation is a bug of front/, so it aborts, naming function, block and instruction.
 *
 * Every register has one width, given by what writes it; each instruction must read its operands at the width it expects.  The upper
 * half of a wide value belongs to the lower one and is never named by itself. */
#include "program/program.h"

#include <stdio.h>
#include <stdlib.h>

enum { NEVER_WRITTEN = 0, UPPER_HALF = 0xffff };

typedef struct Check {
    const Program *program;
    const Function *function;
    const Instr *instr;
    uint16_t *widths; /* by register */
} Check;

static void broken(const Check *check, const char *what)
{
    StrBuf text = {0};
    strbuf_addf(&text, "program_check: %s", what);
    if (check->function) strbuf_addf(&text, " in function %s", check->function->name);
    if (check->instr) {
        strbuf_addf(&text, ", instruction %u: ", (uint32_t)(check->instr - check->function->code));
        program_print_instr(check->program, check->function, check->instr, &text);
    }
    base_abort(__FILE__, __LINE__, text.text);
}

#define EXPECT(condition, what) ((condition) ? (void)0 : broken(check, what))

/* ---- registers ---- */

static void write_register(Check *check, uint32_t reg, uint32_t width)
{
    EXPECT(width >= 1 && width <= 128, "a register of an impossible width");
    EXPECT((uint64_t)reg + (width > 64) < check->function->register_count, "a register that does not exist");
    EXPECT(check->widths[reg] == NEVER_WRITTEN || check->widths[reg] == width, "a register written at two widths");
    check->widths[reg] = (uint16_t)width;
    if (width <= 64) return;
    EXPECT(check->widths[reg + 1] == NEVER_WRITTEN || check->widths[reg + 1] == UPPER_HALF, "an upper half that is also a register");
    check->widths[reg + 1] = UPPER_HALF;
}

static void read_operand(Check *check, Operand operand, uint32_t width)
{
    EXPECT(operand != OPERAND_NONE, "an operand is missing");
    if (operand_is_const(operand)) {
        EXPECT(operand_index(operand) < check->program->const_count, "a constant that does not exist");
        EXPECT(check->program->consts[operand_index(operand)].width == width, "a constant of another width than the instruction reads");
        return;
    }
    EXPECT(operand < check->function->register_count, "a register that does not exist");
    EXPECT(check->widths[operand] != NEVER_WRITTEN, "a register that nothing writes");
    EXPECT(check->widths[operand] == width, "a register of another width than the instruction reads");
}

static void write_results(Check *check, const Scalar *results, uint32_t n, uint32_t first)
{
    for (uint32_t i = 0; i < n; i++) {
        write_register(check, first, results[i].width);
        first += scalar_registers(results[i]);
    }
}

static void note_writes(Check *check, const Instr *instr)
{
    switch (instr->op) {
    case OP_CALL: {
        EXPECT(instr->imm >= 0 && (uint64_t)instr->imm < check->function->call_count, "a call site that does not exist");
        const CallSite *site = &check->function->calls[instr->imm];
        EXPECT((instr->dst == OPERAND_NONE) == (site->result_count == 0), "a call whose results go nowhere");
        write_results(check, site->results, site->result_count, instr->dst);
        return;
    }
    case OP_ICMP:
    case OP_FCMP: write_register(check, instr->dst, 1); return;
    case OP_SADDO:
    case OP_UADDO:
    case OP_SSUBO:
    case OP_USUBO:
    case OP_SMULO:
    case OP_UMULO: write_register(check, instr->dst + (instr->width > 64 ? 2 : 1), 1); break;
    default: break;
    }
    static const bool writes[] = {
#define OP(NAME, text, operands, writes) writes,
#include "program/opcodes.def"
#undef OP
    };
    EXPECT((instr->dst != OPERAND_NONE) == writes[instr->op], "a result where there should be none, or none where there should be one");
    if (writes[instr->op]) write_register(check, instr->dst, instr->width);
}

/* ---- instructions ---- */

static void check_block_number(const Check *check, uint64_t block)
{
    EXPECT(block < check->function->block_count, "a block that does not exist");
}

static bool is_float_width(uint32_t width)
{
    return width == 32 || width == 64 || width == 80;
}

static void check_conversion(Check *check, const Instr *instr)
{
    uint32_t to = instr->width, from = instr->width2;
    read_operand(check, instr->a, from);
    switch (instr->op) {
    case OP_TRUNC: EXPECT(to < from, "a truncation that does not narrow"); break;
    case OP_ZEXT:
    case OP_SEXT: EXPECT(to > from, "an extension that does not widen"); break;
    case OP_FTOF: EXPECT(is_float_width(to) && is_float_width(from) && to != from, "a conversion of floats of odd widths"); break;
    case OP_FTOUI:
    case OP_FTOSI: EXPECT(is_float_width(from), "a conversion from a float of an odd width"); break;
    default: EXPECT(is_float_width(to), "a conversion to a float of an odd width"); break;
    }
}

static void check_memory(Check *check, const Instr *instr)
{
    switch (instr->op) {
    case OP_ADDRESS:
        read_operand(check, instr->a, 64);
        EXPECT(instr->width == 64, "an address of an odd width");
        EXPECT((instr->b == OPERAND_NONE) == (instr->c == OPERAND_NONE), "an index without a scale, or a scale without an index");
        if (instr->b == OPERAND_NONE) break;
        EXPECT(instr->width2 >= 1 && instr->width2 <= 64 && operand_is_const(instr->c), "an index of an impossible width");
        read_operand(check, instr->b, instr->width2);
        read_operand(check, instr->c, 64);
        break;
    case OP_LOAD: read_operand(check, instr->a, 64); break;
    case OP_STORE:
        read_operand(check, instr->a, 64);
        read_operand(check, instr->b, instr->width);
        break;
    case OP_ALLOCA:
        if (instr->a != OPERAND_NONE) read_operand(check, instr->a, instr->width2);
        EXPECT(instr->imm >= 0 && operand_is_const(instr->b), "an alloca without size or alignment");
        read_operand(check, instr->b, 64);
        if (instr->c != OPERAND_NONE) read_operand(check, instr->c, 128);
        break;
    default:
        read_operand(check, instr->a, 64);
        read_operand(check, instr->b, instr->op == OP_MEMSET ? 8 : 64);
        read_operand(check, instr->c, 64);
    }
}

static void check_call(Check *check, const Instr *instr)
{
    const CallSite *site = &check->function->calls[instr->imm];
    if (site->callee == UINT32_MAX) {
        read_operand(check, instr->a, 64);
    } else {
        EXPECT(site->callee < check->program->function_count && instr->a == OPERAND_NONE, "a callee that does not exist");
    }
    EXPECT(site->fixed_count <= site->argument_count, "more fixed arguments than arguments");
    for (uint32_t i = 0; i < site->argument_count; i++) read_operand(check, site->arguments[i].value, site->arguments[i].type.width);
}

static void check_return(Check *check, const Instr *instr)
{
    const Function *function = check->function;
    if (!function->result_count || instr->a == OPERAND_NONE) {
        EXPECT(instr->a == OPERAND_NONE, "a result returned from a function without");
        return;
    }
    if (function->result_count == 1) {
        read_operand(check, instr->a, function->results[0].width);
        return;
    }
    EXPECT(operand_is_reg(instr->a), "several results that are no registers");
    Operand at = instr->a;
    for (uint32_t i = 0; i < function->result_count; i++) {
        read_operand(check, at, function->results[i].width);
        at += scalar_registers(function->results[i]);
    }
}

static void check_branch_id(const Check *check, uint64_t id, OutcomeKind outcome)
{
    EXPECT(id < check->program->branch_count, "a branch that is not listed");
    const Branch *branch = &check->program->branches[id];
    EXPECT(&check->program->functions[branch->function] == check->function && branch->outcome == outcome, "a branch listed as another one");
}

static void check_switch(Check *check, const Instr *instr)
{
    EXPECT(instr->imm >= 0 && (uint64_t)instr->imm < check->function->switch_count, "a switch that does not exist");
    const Switch *sw = &check->function->switches[instr->imm];
    for (uint32_t i = 0; i < sw->case_count; i++) {
        check_block_number(check, sw->cases[i].block);
        check_branch_id(check, (uint64_t)sw->branch + i, OUTCOME_CASE);
    }
    check_block_number(check, sw->default_block);
    check_branch_id(check, (uint64_t)sw->branch + sw->case_count, OUTCOME_DEFAULT);
    read_operand(check, instr->a, instr->width);
}

static void check_terminator(Check *check, const Instr *instr)
{
    switch (instr->op) {
    case OP_JUMP: check_block_number(check, (uint64_t)instr->imm); break;
    case OP_BRANCH: {
        EXPECT(instr->imm >= 0 && (uint64_t)instr->imm < check->function->branch_count, "a conditional that does not exist");
        const CondBranch *branch = &check->function->branches[instr->imm];
        check_block_number(check, branch->yes);
        check_block_number(check, branch->no);
        check_branch_id(check, branch->branch, OUTCOME_TRUE);
        check_branch_id(check, (uint64_t)branch->branch + 1, OUTCOME_FALSE);
        read_operand(check, instr->a, 1);
        break;
    }
    case OP_SWITCH: check_switch(check, instr); break;
    case OP_INDIRECT: read_operand(check, instr->a, 64); break;
    case OP_RETURN: check_return(check, instr); break;
    case OP_TRAP:
        EXPECT(instr->imm >= 0 && (uint64_t)instr->imm < check->program->message_count, "a message that does not exist");
        if (instr->c != OPERAND_NONE) check_block_number(check, instr->c);
        break;
    default: break;
    }
}

static void check_plain(Check *check, const Instr *instr)
{
    static const uint8_t operands[] = {
#define OP(NAME, text, operands, writes) operands,
#include "program/opcodes.def"
#undef OP
    };
    const Operand list[] = {instr->a, instr->b, instr->c};
    for (uint32_t i = 0; i < 3; i++) {
        if (i < operands[instr->op]) {
            read_operand(check, list[i], instr->width);
        } else {
            EXPECT(list[i] == OPERAND_NONE, "an operand too many");
        }
    }
}

static void check_float(Check *check, const Instr *instr)
{
    EXPECT(is_float_width(instr->width), "a float of an odd width");
    EXPECT(instr->op != OP_FCMP || instr->predicate < 16, "a predicate that does not exist");
    check_plain(check, instr);
}

static void check_instr(Check *check, const Instr *instr)
{
    EXPECT(instr->loc < check->program->loc_count, "a place that does not exist");
    switch (instr->op) {
    case OP_TRUNC ... OP_SITOF: check_conversion(check, instr); break;
    case OP_FADD ... OP_FCMP: check_float(check, instr); break;
    case OP_ADDRESS ... OP_MEMSET: check_memory(check, instr); break;
    case OP_SELECT:
        read_operand(check, instr->a, 1);
        read_operand(check, instr->b, instr->width);
        read_operand(check, instr->c, instr->width);
        if (instr->imm >= 0) {
            check_branch_id(check, (uint64_t)instr->imm, OUTCOME_TRUE);
            check_branch_id(check, (uint64_t)instr->imm + 1, OUTCOME_FALSE);
        }
        break;
    case OP_CALL: check_call(check, instr); break;
    case OP_JUMP ... OP_TRAP: check_terminator(check, instr); break;
    case OP_BSWAP:
        EXPECT(instr->width % 16 == 0, "bytes swapped in an odd number of bytes");
        check_plain(check, instr);
        break;
    case OP_ICMP:
        EXPECT(instr->predicate <= PRED_SLE, "a predicate that does not exist");
        check_plain(check, instr);
        break;
    default: check_plain(check, instr); break;
    }
}

/* ---- functions ---- */

static void check_flow(Check *check, const Block *block)
{
    for (uint32_t i = 0; i < block->successor_count; i++) check_block_number(check, block->successors[i]);
    for (uint32_t i = 0; i < block->predecessor_count; i++) check_block_number(check, block->predecessors[i]);
    check_block_number(check, block->idom);
    EXPECT(block->loop == UINT32_MAX || block->loop < check->function->loop_count, "a loop that does not exist");
}

static void check_layout(Check *check)
{
    const Function *function = check->function;
    uint32_t at = 0;
    EXPECT(function->block_count > 0, "no entry block");
    for (uint32_t b = 0; b < function->block_count; b++) {
        const Block *block = &function->blocks[b];
        EXPECT(block->first == at && block->count > 0 && block->count <= function->code_count - at, "blocks that are not end to end");
        at += block->count;
        for (uint32_t i = 0; i < block->count; i++) {
            check->instr = &function->code[block->first + i];
            EXPECT(check->instr->op < OPCODES, "an unknown opcode");
            EXPECT(opcode_is_terminator(check->instr->op) == (i + 1 == block->count), "a terminator that is not at the end, or none there");
        }
        check->instr = NULL;
        check_flow(check, block);
    }
    EXPECT(at == function->code_count, "code outside of blocks");
}

static void check_function(Check *check)
{
    const Function *function = check->function;
    check->widths = mem_alloc(function->register_count * sizeof *check->widths);
    check_layout(check);
    for (uint32_t i = 0; i < function->param_count; i++) write_register(check, function->params[i].reg, function->params[i].type.width);
    for (uint32_t i = 0; i < function->code_count; i++) {
        check->instr = &function->code[i];
        note_writes(check, check->instr);
    }
    for (uint32_t i = 0; i < function->code_count; i++) {
        check->instr = &function->code[i];
        check_instr(check, check->instr);
    }
    check->instr = NULL;
    free(check->widths);
    check->widths = NULL;
}

static void check_marks(const Check *check)
{
    const Function *function = check->function;
    EXPECT(function->partition_count == 0 || function->partitions, "partitions that do not exist");
    for (uint32_t i = 0; i < function->partition_count; i++)
        EXPECT(function->partitions[i] && *function->partitions[i], "an empty partition");
}

/* ---- tables ---- */

static void check_symbols(const Check *check)
{
    const Program *p = check->program;
    EXPECT(p->symbol_count > 0 && p->symbols[0].kind == SYMBOL_NONE, "no symbol 0");
    for (uint32_t i = 1; i < p->symbol_count; i++) {
        const Symbol *symbol = &p->symbols[i];
        uint32_t limit = symbol->kind == SYMBOL_GLOBAL ? p->global_count : p->function_count;
        EXPECT(symbol->kind != SYMBOL_NONE && symbol->index < limit, "a symbol of nothing");
        EXPECT(symbol->kind != SYMBOL_FUNCTION || p->functions[symbol->index].symbol == i, "a function with another symbol");
        EXPECT(symbol->kind != SYMBOL_GLOBAL || p->globals[symbol->index].symbol == i, "a global with another symbol");
        EXPECT(symbol->kind != SYMBOL_LABEL || symbol->block < p->functions[symbol->index].block_count, "a label of no block");
    }
    for (uint32_t i = 0; i < p->const_count; i++) {
        const Const *constant = &p->consts[i];
        EXPECT(constant->width >= 1 && constant->width <= 128, "a constant of an impossible width");
        EXPECT(constant->width == 128 || !(constant->value >> constant->width), "a constant that does not fit its width");
        EXPECT(constant->symbol < p->symbol_count && constant->minus < p->symbol_count, "a constant of an unknown symbol");
    }
}

static void check_global(const Check *check, const Global *global)
{
    EXPECT(global->align && !(global->align & (global->align - 1)), "a global aligned to no power of two");
    EXPECT(global->defined || !global->bytes, "an undefined global with a value");
    for (uint32_t i = 0; i < global->reloc_count; i++) {
        const Reloc *reloc = &global->relocs[i];
        EXPECT(reloc->value < check->program->const_count, "an address in a global that does not exist");
        uint64_t size = (check->program->consts[reloc->value].width + 7u) / 8;
        EXPECT(reloc->offset <= global->size && size <= global->size - reloc->offset, "an address that lies outside its global");
    }
}

static void check_branch(const Check *check, const Branch *branch)
{
    const Program *p = check->program;
    EXPECT(branch->function < p->function_count && branch->loc < p->loc_count, "a branch of nothing");
    const Function *function = &p->functions[branch->function];
    EXPECT(branch->block < function->block_count && branch->target < function->block_count, "a branch between unknown blocks");
    EXPECT(branch->uncounted || !function->in_model, "a branch of the library that counts");
}

void program_check(const Program *program)
{
    Check check = {.program = program};
    check_symbols(&check);
    for (uint32_t i = 0; i < program->global_count; i++) check_global(&check, &program->globals[i]);
    for (uint32_t i = 0; i < program->branch_count; i++) check_branch(&check, &program->branches[i]);
    for (uint32_t i = 0; i < program->function_count; i++) {
        check.function = &program->functions[i];
        check_marks(&check);
        if (check.function->defined) check_function(&check);
    }
}
