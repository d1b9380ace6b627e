/* Which registers a function may still read: liveness by backward iteration over the blocks.  Where an instruction reads or writes several registers, all
 * that it may read are counted as read, and only the ones that it surely writes as written: what is called dead is dead. */
#include "program/program.h"

#include <stdlib.h>

static const uint8_t operand_counts[] = {
#define OP(NAME, text, operands, writes) operands,
#include "program/opcodes.def"
#undef OP
};

static uint32_t words_of(const Function *function)
{
    return function->register_count / 64 + 1;
}

static void add(uint64_t *set, uint32_t reg)
{
    set[reg / 64] |= (uint64_t)1 << reg % 64;
}

static void read_operand(const Function *function, uint64_t *set, Operand operand, uint32_t registers)
{
    if (!operand_is_reg(operand)) return;
    for (uint32_t i = 0; i < registers && operand + i < function->register_count; i++) add(set, operand + i);
}

static void read_results(const Function *function, uint64_t *set, Operand first)
{
    uint32_t registers = 0;
    for (uint32_t i = 0; i < function->result_count; i++) registers += scalar_registers(function->results[i]);
    read_operand(function, set, first, registers);
}

static void read_operands(const Function *function, uint64_t *set, const Instr *instr)
{
    const Operand operands[] = {instr->a, instr->b, instr->c};
    uint32_t registers = instr->width > 64 || instr->width2 > 64 ? 2 : 1;
    if (instr->op == OP_RETURN) {
        read_results(function, set, instr->a);
        return;
    }
    for (uint32_t i = 0; i < COUNT_OF(operands) && i < operand_counts[instr->op]; i++) read_operand(function, set, operands[i], registers);
    if (instr->op != OP_CALL) return;
    const CallSite *site = &function->calls[instr->imm];
    for (uint32_t i = 0; i < site->argument_count; i++)
        read_operand(function, set, site->arguments[i].value, scalar_registers(site->arguments[i].type));
}

static void forget_result(uint64_t *set, const Instr *instr)
{
    if (operand_is_reg(instr->dst)) set[instr->dst / 64] &= ~((uint64_t)1 << instr->dst % 64);
}

static void live_out(const Function *function, const uint64_t *live, uint32_t block, uint64_t *set)
{
    uint32_t words = words_of(function);
    memset(set, 0, words * sizeof *set);
    for (uint32_t i = 0; i < function->blocks[block].successor_count; i++) {
        const uint64_t *in = live + (size_t)function->blocks[block].successors[i] * words;
        for (uint32_t k = 0; k < words; k++) set[k] |= in[k];
    }
}

static bool update(const Function *function, uint64_t *live, uint32_t block, uint64_t *set)
{
    const Block *b = &function->blocks[block];
    uint32_t words = words_of(function);
    uint64_t *in = live + (size_t)block * words;
    live_out(function, live, block, set);
    for (uint32_t i = b->first + b->count; i-- > b->first;) {
        forget_result(set, &function->code[i]);
        read_operands(function, set, &function->code[i]);
    }
    bool changed = memcmp(in, set, words * sizeof *set) != 0;
    memcpy(in, set, words * sizeof *set);
    return changed;
}

uint64_t *program_live(const Function *function)
{
    uint32_t words = words_of(function);
    uint64_t *live = mem_alloc((size_t)function->block_count * words * sizeof *live), *set = mem_alloc(words * sizeof *set);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t block = function->block_count; block-- > 0;) changed |= update(function, live, block, set);
    }
    free(set);
    return live;
}

void program_live_across(const Function *function, const uint64_t *live, uint32_t call, uint64_t *set)
{
    uint32_t block = function_block(function, call);
    const Block *b = &function->blocks[block];
    live_out(function, live, block, set);
    for (uint32_t i = b->first + b->count; --i > call;) {
        forget_result(set, &function->code[i]);
        read_operands(function, set, &function->code[i]);
    }
    forget_result(set, &function->code[call]);
}
