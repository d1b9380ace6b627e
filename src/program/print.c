/* Text for people: one line for each instruction, registers as r1, constants by value, blocks as b1, places at the end of the line. */
#include "program/program.h"

static void print_number(U128 value, StrBuf *out)
{
    if (value >> 64) {
        strbuf_addf(out, "0x%llx%016llx", (unsigned long long)(value >> 64), (unsigned long long)value);
    } else {
        strbuf_addf(out, "%llu", (unsigned long long)value);
    }
}

static void print_symbol(const Program *program, uint32_t index, StrBuf *out)
{
    const Symbol *symbol = &program->symbols[index];
    switch (symbol->kind) {
    case SYMBOL_FUNCTION: strbuf_addf(out, "@%s", program->functions[symbol->index].name); break;
    case SYMBOL_GLOBAL: strbuf_addf(out, "@%s", program->globals[symbol->index].name); break;
    case SYMBOL_LABEL: strbuf_addf(out, "@%s.b%u", program->functions[symbol->index].name, symbol->block); break;
    case SYMBOL_NONE: strbuf_add(out, "none"); break;
    }
}

static void print_const(const Program *program, uint32_t index, StrBuf *out)
{
    const Const *constant = &program->consts[index];
    if (constant->undef) {
        strbuf_add(out, "undef");
    } else if (constant->symbol) {
        print_symbol(program, constant->symbol, out);
        if (constant->value) strbuf_addf(out, "%+lld", (long long)constant->value);
    } else {
        print_number(constant->value, out);
    }
    if (constant->minus) {
        strbuf_add(out, "-");
        print_symbol(program, constant->minus, out);
    }
}

static void print_operand(const Program *program, Operand operand, StrBuf *out)
{
    if (operand_is_reg(operand)) {
        strbuf_addf(out, "r%u", operand);
    } else if (operand != OPERAND_NONE) {
        print_const(program, operand_index(operand), out);
    }
}

static void print_arguments(const Program *program, const CallSite *site, StrBuf *out)
{
    strbuf_add(out, "(");
    for (uint32_t i = 0; i < site->argument_count; i++) {
        const Argument *argument = &site->arguments[i];
        if (i) strbuf_add(out, ", ");
        if (site->variadic && i == site->fixed_count) strbuf_add(out, "... ");
        print_operand(program, argument->value, out);
        strbuf_addf(out, ":%c%u", "ipf"[argument->type.kind], argument -> type.width);
        if (argument->byval_size) strbuf_addf(out, " byval %llu", (unsigned long long)argument->byval_size);
    }
    strbuf_add(out, ")");
}

static void print_predicate(const Instr *instr, StrBuf *out)
{
    static const char *const integer[] = {"eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"};
    static const char *const real[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                       "uno",   "ueq", "ugt", "uge", "ult", "ule", "une", "true"};
    if (instr->op == OP_ICMP) strbuf_addf(out, ".%s", integer[instr->predicate]);
    if (instr->op == OP_FCMP) strbuf_addf(out, ".%s", real[instr->predicate]);
}

static void print_switch(const Switch *sw, StrBuf *out)
{
    for (uint32_t i = 0; i < sw->case_count; i++) {
        strbuf_add(out, " ");
        print_number(sw->cases[i].value, out);
        strbuf_addf(out, "->b%u", sw->cases[i].block);
    }
    strbuf_addf(out, " default->b%u #%u", sw->default_block, sw->branch);
}

static void print_details(const Program *program, const Function *function, const Instr *instr, StrBuf *out)
{
    switch (instr->op) {
    case OP_ADDRESS:
    case OP_ALLOCA: strbuf_addf(out, " imm %lld", (long long)instr->imm); break;
    case OP_SELECT:
        if (instr->imm >= 0) strbuf_addf(out, " #%lld", (long long)instr->imm);
        break;
    case OP_CALL: {
        const CallSite *site = &function->calls[instr->imm];
        if (site->callee != UINT32_MAX) strbuf_addf(out, " @%s", program->functions[site->callee].name);
        print_arguments(program, site, out);
        break;
    }
    case OP_JUMP: strbuf_addf(out, " b%lld", (long long)instr->imm); break;
    case OP_BRANCH: {
        const CondBranch *branch = &function->branches[instr->imm];
        strbuf_addf(out, " b%u b%u #%u", branch->yes, branch->no, branch->branch);
        break;
    }
    case OP_SWITCH: print_switch(&function->switches[instr->imm], out); break;
    case OP_TRAP: strbuf_addf(out, " \"%s\"", program->messages[instr->imm]); break;
    default: break;
    }
}

static void print_flags(const Instr *instr, StrBuf *out)
{
    static const char *const flags[] = {"nsw", "nuw", "exact", "volatile", "atomic"};
    for (uint32_t i = 0; i < COUNT_OF(flags); i++)
        if (instr->flags >> i & 1) strbuf_addf(out, " %s", flags[i]);
}

void program_print_instr(const Program *program, const Function *function, const Instr *instr, StrBuf *out)
{
    if (instr->dst != OPERAND_NONE) strbuf_addf(out, "r%u = ", instr->dst);
    strbuf_add(out, opcode_name(instr->op));
    print_predicate(instr, out);
    if (instr->width) strbuf_addf(out, " %u", instr->width);
    if (instr->width2) strbuf_addf(out, "<%u", instr->width2);
    print_flags(instr, out);
    const Operand operands[] = {instr->a, instr->b, instr->op == OP_TRAP ? OPERAND_NONE : instr->c};
    for (uint32_t i = 0; i < 3; i++) {
        if (operands[i] == OPERAND_NONE) continue;
        strbuf_add(out, " ");
        print_operand(program, operands[i], out);
    }
    print_details(program, function, instr, out);
    if (instr->loc) {
        const Loc *loc = &program->locs[instr->loc];
        strbuf_addf(out, "  ; %s:%u:%u", loc->file, loc->line, loc->column);
    }
}

static void print_scalars(const Scalar *scalars, uint32_t n, StrBuf *out)
{
    for (uint32_t i = 0; i < n; i++) strbuf_addf(out, "%s%c%u", i ? " " : "", "ipf"[scalars[i].kind], scalars[i].width);
}

static void print_function(const Program *program, const Function *function, StrBuf *out)
{
    strbuf_addf(out, "%s%s%s %s(", function->defined ? "function" : "external", function->internal ? " static" : "",
                function->in_model ? " model" : "", function->name);
    for (uint32_t i = 0; i < function->param_count; i++) {
        const Param *param = &function->params[i];
        strbuf_addf(out, "%sr%u:%c%u %s", i ? ", " : "", param->reg, "ipf"[param->type.kind], param -> type.width, param->name);
    }
    strbuf_addf(out, "%s) -> ", function->variadic ? ", ..." : "");
    print_scalars(function->results, function->result_count, out);
    if (function->concrete) strbuf_add(out, " concrete");
    for (uint32_t i = 0; i < function->partition_count; i++) strbuf_addf(out, " partition \"%s\"", function->partitions[i]);
    strbuf_add(out, "\n");
    for (uint32_t b = 0; function->defined && b < function->block_count; b++) {
        const Block *block = &function->blocks[b];
        strbuf_addf(out, "b%u:", b);
        for (uint32_t i = 0; i < block->predecessor_count; i++) strbuf_addf(out, "%s b%u", i ? "" : "  ; from", block->predecessors[i]);
        strbuf_add(out, "\n");
        for (uint32_t i = 0; i < block->count; i++) {
            strbuf_add(out, "    ");
            program_print_instr(program, function, &function->code[block->first + i], out);
            strbuf_add(out, "\n");
        }
    }
    strbuf_add(out, "\n");
}

static void print_global(const Program *program, const Global *global, StrBuf *out)
{
    strbuf_addf(out, "%s%s%s%s %s: %llu bytes, align %u", global->defined ? "global" : "external global",
                global->constant ? " constant" : "", global->internal ? " static" : "", global->thread_local_ ? " thread_local" : "",
                global->name, (unsigned long long)global->size, global->align);
    for (uint64_t i = 0; global->bytes && i < global->size && i < 64; i++) strbuf_addf(out, "%s%02x", i ? "" : " = ", global->bytes[i]);
    for (uint32_t i = 0; i < global->reloc_count; i++) {
        strbuf_addf(out, " +%llu:", (unsigned long long)global->relocs[i].offset);
        print_const(program, global->relocs[i].value, out);
    }
    strbuf_add(out, "\n");
}

void program_print(const Program *program, StrBuf *out)
{
    for (uint32_t i = 0; i < program->global_count; i++) print_global(program, &program->globals[i], out);
    strbuf_add(out, "\n");
    for (uint32_t i = 0; i < program->function_count; i++) print_function(program, &program->functions[i], out);
}
