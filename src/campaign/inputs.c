/* What a whole program reads, where the user has not said what its inputs are.
 *
 * A program that reads its standard input or its arguments, and is given neither, shows only its first few branches.  So its code is looked at: whether it
 * refers to stdin or calls what reads from there; whether main reads its parameters; whether it opens a file whose name is not a literal.  Each of these
 * becomes an input, of a size that is stated as an assumption with the option that changes it.  An option that states inputs (--stdin, --argv, --file,
 * --env, arguments after --) is taken for all that the program is to read, and so are the functions by which a program asks for its inputs itself. */
#include "campaign/campaign_int.h"

#include <stdlib.h>

/* A guess: bytes that the program does not read cost nothing, and a line or some numbers fit in. */
enum { INPUT_BYTES = 64, ARGUMENTS = 3, ARGUMENT_CHARACTERS = 12 /* a 32-bit number, or the name of most options */ };
#define FILE_NAME "input" /* of the file that arguments may name */

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

/* Functions that read from the standard input without being told so. */
static bool reads_input(const char *name)
{
    static const char *const names[] = {"getchar",        "getchar_unlocked", "gets",   "scanf",   "vscanf",
                                        "__isoc99_scanf", "__isoc99_vscanf",  "wscanf", "getwchar"};
    return is_one_of(name, names, COUNT_OF(names));
}

static bool reads_descriptor(const char *name)
{
    static const char *const names[] = {"read", "__read_chk", "readv", "fdopen"};
    return is_one_of(name, names, COUNT_OF(names));
}

static bool opens_file(const char *name)
{
    static const char *const names[] = {"fopen", "fopen64", "freopen", "open", "open64"};
    return is_one_of(name, names, COUNT_OF(names));
}

/* By which a program asks for inputs: those of clew.h, of KLEE, of SV-COMP. */
static bool asks_for_input(const char *name)
{
    bool is_annotation = strncmp(name, "clew__", 6) == 0;
    return (strncmp(name, "clew_", 5) == 0 && !is_annotation) || strncmp(name, "klee_", 5) == 0 ||
           strncmp(name, "__VERIFIER_nondet_", 18) == 0;
}

typedef struct Uses {
    bool input, file_names, asks;
} Uses;

/* Is the argument a number other than 0, which no standard input has as its descriptor? */
static bool is_other_descriptor(const Program *program, const Argument *argument)
{
    if (!operand_is_const(argument->value)) return false;
    const Const *number = &program->consts[operand_index(argument->value)];
    return !number->symbol && number->value != 0;
}

static void note_call(const Program *program, const CallSite *call, Uses *uses)
{
    if (call->callee == UINT32_MAX) return;
    const char *name = program->functions[call->callee].name;
    uses->asks |= asks_for_input(name);
    uses->input |= reads_input(name);
    if (!call->argument_count) return;
    uses->input |= reads_descriptor(name) && !is_other_descriptor(program, &call->arguments[0]);
    uses->file_names |= opens_file(name) && !operand_is_const(call->arguments[0].value);
}

static bool is_symbol(const Program *program, Operand operand, uint32_t symbol)
{
    return operand_is_const(operand) && program->consts[operand_index(operand)].symbol == symbol;
}

static void note_function(const Program *program, const Function *function, uint32_t stream, Uses *uses)
{
    for (uint32_t i = 0; i < function->call_count; i++) note_call(program, &function->calls[i], uses);
    for (uint32_t i = 0; stream && i < function->code_count; i++) {
        const Instr *instr = &function->code[i];
        uses->input |= is_symbol(program, instr->a, stream) || is_symbol(program, instr->b, stream) || is_symbol(program, instr->c, stream);
    }
}

static Uses find_uses(const Program *program)
{
    Uses uses = {0};
    const Global *global = program_global(program, "stdin");
    for (uint32_t i = 0; i < program->function_count; i++) {
        const Function *function = &program->functions[i];
        if (function->defined && !function->in_model && !function->in_harness)
            note_function(program, function, global ? global->symbol : 0, &uses);
    }
    return uses;
}

/* Does main read one of its parameters? */
static bool reads_parameters(const Function *entry)
{
    uint64_t *live = program_live(entry);
    bool reads = false;
    for (uint32_t i = 0; i < entry->param_count; i++) reads |= live[entry->params[i].reg / 64] >> entry->params[i].reg % 64 & 1;
    free(live);
    return reads;
}

static bool states_inputs(const VmOptions *vm)
{
    return vm->symbolic_file_count || vm->symbolic_environment_count || vm->symbolic_arguments || vm->argc > 1;
}

static void assume(Campaign *campaign, char *text)
{
    vec_push(&campaign->input_assumptions, text);
}

void campaign__find_inputs(Campaign *campaign, VmOptions *vm)
{
    static const VmSymbolicFile input = {"-", INPUT_BYTES}, file = {FILE_NAME, INPUT_BYTES};
    const Function *entry = campaign->whole_program ? program_function(campaign->program, "main") : NULL;
    if (!entry || !entry->defined || states_inputs(vm)) return;
    Uses uses = find_uses(campaign->program);
    if (uses.asks) return;
    if (uses.input) {
        campaign->input_files[vm->symbolic_file_count++] = input;
        assume(campaign, mem_format("the standard input has up to %d bytes (--stdin %d)", INPUT_BYTES, INPUT_BYTES));
    }
    if (reads_parameters(entry)) {
        vm->symbolic_arguments = ARGUMENTS;
        vm->symbolic_argument_size = ARGUMENT_CHARACTERS;
        assume(campaign, mem_format("there are up to %d arguments of up to %d characters (--argv %d,%d)", ARGUMENTS, ARGUMENT_CHARACTERS,
                                    ARGUMENTS, ARGUMENT_CHARACTERS));
    }
    if (uses.file_names && (uses.input || vm->symbolic_arguments)) {
        campaign->input_files[vm->symbolic_file_count++] = file;
        assume(campaign,
               mem_format("there is a file '%s' of up to %d bytes (--file %s:%d)", FILE_NAME, INPUT_BYTES, FILE_NAME, INPUT_BYTES));
    }
    vm->symbolic_files = campaign->input_files;
}
