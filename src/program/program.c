/* program: look-ups and the small facts about opcodes that all else asks for. */
#include "program/program.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const names[] = {
#define OP(NAME, text, operands, writes) text,
#include "program/opcodes.def"
#undef OP
};

const char *opcode_name(Opcode op)
{
    REQUIRE((unsigned)op < OPCODES, "no such opcode");
    return names[op];
}

bool opcode_is_terminator(Opcode op)
{
    return op >= OP_JUMP && op <= OP_TRAP;
}

Function *program_function(const Program *program, const char *name)
{
    const uint32_t *index = names_find(&program->function_names, name);
    return index ? &program->functions[*index] : NULL;
}

Global *program_global(const Program *program, const char *name)
{
    const uint32_t *index = names_find(&program->global_names, name);
    return index ? &program->globals[*index] : NULL;
}

void program_free(Program *program)
{
    if (!program) return;
    names_release(&program->function_names);
    names_release(&program->global_names);
    arena_release(&program->arena);
    free(program);
}

const char *branch_outcome_text(const Branch *branch, char buffer[64])
{
    switch (branch->outcome) {
    case OUTCOME_TRUE: return "true";
    case OUTCOME_FALSE: return "false";
    case OUTCOME_DEFAULT: return "default";
    case OUTCOME_CASE: break;
    }
    /* Shown as the signed number the source most likely has; the width of the switch is not known here, so the translation has stored the
     * value sign-extended. */
    I128 value = (I128)branch->value;
    if (value >= INT64_MIN && value <= INT64_MAX) {
        snprintf(buffer, 64, "case %lld", (long long)value);
    } else {
        snprintf(buffer, 64, "case 0x%llx%016llx", (unsigned long long)(branch->value >> 64), (unsigned long long)branch->value);
    }
    return buffer;
}

uint32_t function_block(const Function *function, uint32_t instr)
{
    uint32_t block = 0;
    while (instr - function->blocks[block].first >= function->blocks[block].count) block++;
    return block;
}
