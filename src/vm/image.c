/* The program's image: addresses of symbols, values of constants, initial contents of globals, argument and environment strings. */
#include "base/arith.h"
#include "vm/vm_int.h"

#include <stdio.h>
#include <unistd.h>

static uint64_t place_global(Vm *vm, const Global *g)
{
    if (!g->defined) {
        void *native = vm__find_native(vm, g->name);
        if (native) vm->native_seen = true;
        return native ? (uintptr_t)native : g->weak ? 0 : CODE_BASE + 16 * (uint64_t)g->symbol; /* an access there names it */
    }
    return memory_alloc(&vm->memory, g->size, g->align, OBJECT_GLOBAL, 0, true);
}

static uint64_t place_function(Vm *vm, const Function *f)
{
    bool missing = f->weak && !f->defined && !vm__find_builtin(f->name) && !vm__find_native(vm, f->name);
    return missing ? 0 : CODE_BASE + 16 * (uint64_t)f->symbol;
}

static Status place_symbols(Vm *vm, Error *error)
{
    const Program *program = vm->program;
    for (uint32_t i = 1; i < program->symbol_count; i++) {
        const Symbol *symbol = &program->symbols[i];
        if (symbol->kind == SYMBOL_LABEL) vm->symbols[i] = CODE_BASE + 16 * (uint64_t)i;
        if (symbol->kind == SYMBOL_FUNCTION) vm->symbols[i] = place_function(vm, &program->functions[symbol->index]);
        if (symbol->kind != SYMBOL_GLOBAL) continue;
        const Global *g = &program->globals[symbol->index];
        vm->symbols[i] = place_global(vm, g);
        if (!vm->symbols[i] && g->defined)
            return fail(error, "no room for the global %s of %llu bytes: raise --memory", g->name, (unsigned long long)g->size);
    }
    return OK;
}

static void resolve_consts(Vm *vm)
{
    for (uint32_t i = 0; i < vm->program->const_count; i++) {
        const Const *c = &vm->program->consts[i];
        U128 value = c->value;
        if (c->symbol) value += vm->symbols[c->symbol];
        if (c->minus) value -= vm->symbols[c->minus];
        vm->consts[i] = value & arith_mask(c->width);
    }
}

static void fill_global(Vm *vm, const Global *g)
{
    uint64_t address = vm->symbols[g->symbol], start;
    if (g->bytes && g->size) memcpy((void *)(uintptr_t)address, g->bytes, g->size);
    for (uint32_t i = 0; i < g->reloc_count; i++) {
        const Reloc *reloc = &g->relocs[i];
        unsigned bytes = (vm->program->consts[reloc->value].width + 7u) / 8;
        assert(reloc->offset + bytes <= g->size);
        memcpy((void *)(uintptr_t)(address + reloc->offset), &vm->consts[reloc->value], bytes);
    }
    if (g->size < UNTRACKED_BYTES) memory_mark_written(&vm->memory, address, g->size);
    if (g->constant) memory_object(&vm->memory, address, &start)->shadow |= OBJECT_READONLY;
}

static uint64_t place_string(Vm *vm, const char *text)
{
    size_t n = strlen(text) + 1;
    uint64_t address = memory_alloc(&vm->memory, n, 16, OBJECT_GLOBAL, 0, true);
    if (!address) return 0;
    memcpy((void *)(uintptr_t)address, text, n);
    memory_mark_written(&vm->memory, address, n);
    return address;
}

/* An array of strings with room before and after them, closed by a null pointer. */
static uint64_t place_strings(Vm *vm, const char *const *texts, uint32_t count, uint32_t before, uint32_t after)
{
    uint64_t size = ((uint64_t)before + count + after + 1) * sizeof(uint64_t);
    uint64_t table = memory_alloc(&vm->memory, size, 16, OBJECT_GLOBAL, 0, true);
    for (uint32_t i = 0; i < count && table; i++) ((uint64_t *)(uintptr_t)table)[before + i] = place_string(vm, texts[i]);
    if (table) memory_mark_written(&vm->memory, table, size);
    return table;
}

/* A buffer of inputs, made before anything runs: `fixed` first, then `size` inputs, then `zeros` bytes of 0. */
static uint64_t place_inputs(Vm *vm, const char *name, const char *fixed, uint64_t size, uint64_t zeros)
{
    uint64_t n = strlen(fixed), address = memory_alloc(&vm->memory, n + size + zeros, 16, OBJECT_GLOBAL, 0, true);
    if (!address) return 0;
    memcpy((void *)(uintptr_t)address, fixed, n);
    memory_mark_written(&vm->memory, address, n + size + zeros);
    for (uint64_t k = 0; k < size; k++) {
        char *part = mem_format("%s[%llu]", name, (unsigned long long)k);
        vm__store_bytes(vm, address + n + k, 1, (Value){.e = vm__new_input(vm, 8, part, 'c', address)});
        vec_push(&vm->image_bytes, address + n + k);
        vec__free(part);
    }
    return address;
}

static Status place_files(Vm *vm, Error *error)
{
    for (uint32_t i = 0; i < vm->options.symbolic_file_count; i++) {
        const VmSymbolicFile *file = &vm->options.symbolic_files[i];
        const char *name = strcmp(file->path, "-") == 0 ? "stdin" : file->path;
        char *size_name = mem_format("%s.size", name);
        uint32_t position = vm->input_count;
        Expr size = vm__new_input(vm, 64, size_name, 'u', 0);
        vec__free(size_name);
        vec_push(&vm->image_bytes, 0);
        uint64_t address = place_inputs(vm, name, "", file->size, 0);
        if (!address) return fail(error, "no room for the symbolic file %s", file->path);
        vec_push(&vm->symbolic_file_address, ((SymbolicFile){address, size, position, place_string(vm, file->path)}));
    }
    return OK;
}

static bool is_input(const VmOptions *options, const char *entry)
{
    size_t n = strcspn(entry, "=");
    for (uint32_t i = 0; i < options->symbolic_environment_count; i++) {
        const char *name = options->symbolic_environment[i].path;
        if (strlen(name) == n && strncmp(name, entry, n) == 0) return true;
    }
    return false;
}

/* argv with room for arguments that are inputs; the environment with those that are inputs first. */
static Status place_arguments(Vm *vm, Error *error)
{
    const VmOptions *options = &vm->options;
    const char *const *environment = options->environment ? options->environment : (const char *const *)environ;
    uint32_t more = options->symbolic_environment_count;
    Vec(const char *) constant = {0};
    for (uint32_t i = 0; environment[i]; i++)
        if (!is_input(options, environment[i])) vec_push(&constant, environment[i]);
    vm->argv = place_strings(vm, options->argv, options->argc, 0, options->symbolic_arguments);
    vm->envp = place_strings(vm, constant.data, constant.len, more, 0);
    vec_release(&constant);
    bool placed = vm->argv && vm->envp;
    for (uint32_t i = 0; placed && i < options->symbolic_arguments; i++) {
        char name[32];
        snprintf(name, sizeof name, "argv%u", options->argc + i);
        uint64_t text = place_inputs(vm, name, "", options->symbolic_argument_size, 1);
        ((uint64_t *)(uintptr_t)vm->argv)[options->argc + i] = text;
        placed = text != 0;
    }
    for (uint32_t i = 0; placed && i < more; i++) {
        const VmSymbolicFile *variable = &options->symbolic_environment[i];
        char *name = mem_format("$%s", variable->path), *head = mem_format("%s=", variable->path);
        uint64_t text = place_inputs(vm, name, head, variable->size, 1);
        ((uint64_t *)(uintptr_t)vm->envp)[i] = text;
        placed = text != 0;
        vec__free(name);
        vec__free(head);
    }
    return placed ? OK : fail(error, "no room for the arguments: raise --memory");
}

Status vm__load_image(Vm *vm, Error *error)
{
    const Program *program = vm->program;
    if (place_symbols(vm, error) != OK) return FAILED;
    resolve_consts(vm);
    for (uint32_t i = 0; i < program->global_count; i++)
        if (program->globals[i].defined) fill_global(vm, &program->globals[i]);
    Status status = place_files(vm, error);
    if (status == OK && vm->options.argv) status = place_arguments(vm, error);
    vm->image_inputs = vm->input_count;
    return status;
}

Status vm_start_main(Vm *vm, Error *error)
{
    REQUIRE(vm->argv, "a program has arguments");
    const Function *start = program_function(vm->program, "clew__start");
    if (!start || !start->defined) start = program_function(vm->program, "main");
    if (!start || !start->defined) return fail(error, "the program has no function main");
    return vm_start_function(vm, start, (uint64_t[]){vm->options.argc, vm->argv, vm->envp}, start->param_count < 3 ? start->param_count : 3,
                             error);
}
