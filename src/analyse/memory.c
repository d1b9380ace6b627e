/* Which objects are modelled, which pointers may lead to them, which functions are called from outside, and what calls of other code do.
 *
 * An object escapes if its address is used otherwise than to load, store, copy, set or compare.  One that does not escape is changed only where its own name
 * is mentioned; one that has escaped also by any store through a pointer that is not followed, and by other code.  Objects are divided into cells: numbers
 * at known offsets, and the elements of arrays of up to 64. */
#include "analyse/analyse_int.h"

#include <stdlib.h>

enum {
    LARGEST_OBJECT = 1 << 16 /* bytes */,
    MOST_ELEMENTS = 64 /* of an array whose elements are cells */,
    MOST_CELLS = 256 /* of an object */,
    MOST_CELLS_IN_ALL = 8192
};

/* ---- calls of code that is not there ---- */

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static const char *const QUIET_NAMES[] = {
#define QUIET(name) #name,
#include "analyse/library.def"
#undef QUIET
};
static const char *const ASSUME_NAMES[] = {"__VERIFIER_assume", "klee_assume", "clew_assume", "clew__assume"};

static bool is_listed(const char *name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, list[i]) == 0) return true;
    return false;
}

/* Quiet functions that change no memory at all if they are given no pointers but to constants. */
static const char *const STILL_NAMES[] = {"abs",     "labs",    "llabs",   "rand",    "srand",    "random",      "srandom",
                                          "isalnum", "isalpha", "isblank", "iscntrl", "isdigit",  "isgraph",     "islower",
                                          "isprint", "ispunct", "isspace", "isupper", "isxdigit", "tolower",     "toupper",
                                          "abort",   "exit",    "_exit",   "_Exit",   "malloc",   "calloc",      "__assert_fail",
                                          "atoi",    "atol",    "getpid",  "sleep",   "usleep",   "reach_error", "__VERIFIER_error"};
/* Quiet functions that only read what their arguments point to. */
static const char *const READING_NAMES[] = {"strlen",
                                            "strnlen",
                                            "strcmp",
                                            "strncmp",
                                            "strcasecmp",
                                            "strncasecmp",
                                            "memcmp",
                                            "memchr",
                                            "strchr",
                                            "strrchr",
                                            "strstr",
                                            "strpbrk",
                                            "strspn",
                                            "strcspn",
                                            "__ctype_b_loc",
                                            "__ctype_tolower_loc",
                                            "__ctype_toupper_loc"};
static const char *const PRINTING_NAMES[] = {"printf", "puts", "putchar", "perror"};

static bool gets_only_constants(const Program *program, const CallSite *site)
{
    for (uint32_t i = 0; i < site->argument_count; i++) {
        if (site->arguments[i].type.kind != SCALAR_POINTER) continue;
        if (!operand_is_const(site->arguments[i].value)) return false;
        const Const *c = &program->consts[operand_index(site->arguments[i].value)];
        const Symbol *s = &program->symbols[c->symbol];
        if (c->symbol && !(s->kind == SYMBOL_GLOBAL && program->globals[s->index].constant)) return false;
    }
    return true;
}

Effect objects_effect(const Program *program, const Function *function, const CallSite *site)
{
    const char *name = function->name;
    if (function->weak) return EFFECT_UNKNOWN;
    if (is_listed(name, ASSUME_NAMES, COUNT_OF(ASSUME_NAMES))) return EFFECT_ASSUME;
    bool nondet = starts_with(name, "__VERIFIER_nondet_");
    if (!nondet && !starts_with(name, "clew_") && !is_listed(name, QUIET_NAMES, COUNT_OF(QUIET_NAMES))) return EFFECT_UNKNOWN;
    if (is_listed(name, READING_NAMES, COUNT_OF(READING_NAMES))) return EFFECT_STILL;
    bool buffers = program_function(program, "setvbuf") || program_function(program, "setbuf");
    bool still = nondet || is_listed(name, STILL_NAMES, COUNT_OF(STILL_NAMES)) ||
                 (!buffers && is_listed(name, PRINTING_NAMES, COUNT_OF(PRINTING_NAMES)));
    return still && gets_only_constants(program, site) ? EFFECT_STILL : EFFECT_QUIET;
}

bool objects_runs(const Function *function)
{
    return function->defined && !function->weak;
}

/* Programs that the certificates' form does not cover: control flow that no edge describes. */
static bool is_supported(const Program *program)
{
    static const char *const names[] = {"setjmp",      "_setjmp",        "__setjmp",    "sigsetjmp",  "__sigsetjmp", "longjmp", "_longjmp",
                                        "siglongjmp",  "vfork",          "getcontext",  "setcontext", "makecontext", "signal",  "sigaction",
                                        "swapcontext", "pthread_create", "thrd_create", "clone",      "timer_create"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (program_function(program, names[i])) return false;
    return program->constructor_count == 0 && program->destructor_count == 0;
}

/* ---- addresses ---- */

Address objects_address(const Memory *memory, const Program *program, uint32_t function, Operand operand)
{
    if (operand == OPERAND_NONE) return (Address){0};
    if (operand_is_reg(operand)) return memory->registers[function] ? memory->registers[function][operand] : (Address){0};
    const Const *constant = &program->consts[operand_index(operand)];
    const Symbol *symbol = &program->symbols[constant->symbol];
    if (symbol->kind != SYMBOL_GLOBAL || constant->minus) return (Address){0};
    return (Address){memory->global_objects[symbol->index], (uint64_t)constant->value, false};
}

static void add_object(Memory *memory, Object object)
{
    vec_push(&memory->objects, object);
}

/* Registers that are written once, by an ALLOCA or from another address, are addresses of that object. */
static void find_addresses(Memory *memory, const Program *program, uint32_t function)
{
    const Function *f = &program->functions[function];
    uint8_t *writes = mem_alloc(f->register_count + 1);
    memory->registers[function] = mem_alloc((f->register_count + 1) * sizeof(Address));
    for (uint32_t i = 0; i < f->code_count; i++)
        if (f->code[i].dst != OPERAND_NONE && writes[f->code[i].dst] < 2) writes[f->code[i].dst]++;
    for (uint32_t i = 0; i < f->code_count; i++) {
        const Instr *instr = &f->code[i];
        if (instr->op != OP_ALLOCA) continue;
        bool once = function_block(f, i) == 0 && instr->a == OPERAND_NONE && writes[instr->dst] == 1;
        add_object(memory, (Object){.function = function, .index = i, .size = (uint64_t)instr->imm, .tracked = once});
        memory->registers[function][instr->dst] = (Address){memory->objects.len, 0, false};
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < f->code_count; i++) {
            const Instr *instr = &f->code[i];
            if ((instr->op != OP_ADDRESS && instr->op != OP_MOV) || writes[instr->dst] != 1 ||
                memory->registers[function][instr->dst].object)
                continue;
            Address from = objects_address(memory, program, function, instr->a);
            if (!from.object) continue;
            if (instr->op == OP_ADDRESS) from.offset += (uint64_t)instr->imm;
            if (instr->b != OPERAND_NONE) from.variable = true;
            memory->registers[function][instr->dst] = from;
            changed = true;
        }
    }
    free(writes);
}

static void escape(Memory *memory, const Program *program, uint32_t function, Operand operand)
{
    if (operand == OPERAND_NONE) return;
    Address address = objects_address(memory, program, function, operand);
    if (address.object) vec_at(&memory->objects, address.object - 1).escaped = true;
    if (!operand_is_const(operand)) return;
    const Const *constant = &program->consts[operand_index(operand)];
    const uint32_t symbols[] = {constant->symbol, constant->minus};
    for (int i = 0; i < 2; i++) {
        const Symbol *symbol = &program->symbols[symbols[i]];
        if (symbol->kind == SYMBOL_FUNCTION) memory->taken[symbol->index] = 1;
        if (symbol->kind == SYMBOL_GLOBAL && memory->global_objects[symbol->index])
            vec_at(&memory->objects, memory->global_objects[symbol->index] - 1).escaped = true;
    }
}

static bool is_integer_access(const Instr *instr)
{
    return instr->width % 8 == 0 && instr->width <= 64;
}

/* Is the address that the instruction computes still known to point into a tracked object?  The address is not known if other instructions write the same
 * register; then the object counts as escaped. */
static bool follows(const Memory *memory, uint32_t function, const Instr *instr)
{
    return (instr->op == OP_ADDRESS || instr->op == OP_MOV) && memory->registers[function][instr->dst].object;
}

static void find_escapes(Memory *memory, const Program *program, uint32_t function)
{
    const Function *f = &program->functions[function];
    for (uint32_t i = 0; i < f->code_count; i++) {
        const Instr *instr = &f->code[i];
        switch (instr->op) {
        case OP_LOAD:
        case OP_ICMP: break;
        case OP_STORE: escape(memory, program, function, instr->b); break;
        case OP_MEMSET:
        case OP_MEMCPY:
        case OP_MEMMOVE: escape(memory, program, function, instr->c); break;
        case OP_MOV:
        case OP_ADDRESS:
            if (!follows(memory, function, instr)) escape(memory, program, function, instr->a);
            escape(memory, program, function, instr->b);
            break;
        case OP_ALLOCA: break;
        default:
            escape(memory, program, function, instr->a);
            escape(memory, program, function, instr->b);
            if (instr->op != OP_TRAP) escape(memory, program, function, instr->c);
            break;
        }
    }
    for (uint32_t i = 0; i < f->call_count; i++)
        for (uint32_t k = 0; k < f->calls[i].argument_count; k++) escape(memory, program, function, f->calls[i].arguments[k].value);
}

/* ---- who calls whom from where ---- */

static void find_outside(Memory *memory, const Program *program, const AnalyseOptions *options)
{
    bool computed = false, foreign = !options->whole;
    for (uint32_t g = 0; g < program->global_count; g++) foreign |= !program->globals[g].defined; /* it may hold pointers to code outside */
    for (uint32_t f = 0; f < program->function_count; f++) {
        const Function *function = &program->functions[f];
        foreign |= !objects_runs(function) && (memory->taken[f] || strcmp(function->name, "dlsym") == 0);
        for (uint32_t i = 0; i < function->call_count; i++) {
            uint32_t callee = function->calls[i].callee;
            computed |= callee == UINT32_MAX;
            if (callee == UINT32_MAX || objects_runs(&program->functions[callee])) continue;
            memory->outside |= objects_effect(program, &program->functions[callee], &function->calls[i]) == EFFECT_UNKNOWN;
        }
        for (uint32_t i = 0; i < function->code_count; i++) memory->outside |= function->code[i].op == OP_TRAP;
    }
    memory->outside |= computed && foreign;
    for (uint32_t f = 0; f < program->function_count; f++) {
        bool is_main = options->whole && options->entries[0] == f; /* code outside never calls it again */
        memory->open[f] = memory->outside && program->functions[f].defined &&
                          (memory->taken[f] || (!program->functions[f].internal && !is_main));
    }
    for (uint32_t i = 0; i < options->entry_count && !options->whole; i++) memory->open[options->entries[i]] = 1;
}

static void expose(Memory *memory, Address address)
{
    if (address.object) vec_at(&memory->objects, address.object - 1).exposed = true;
}

static void expose_writes(Memory *memory, const Program *program, uint32_t function)
{
    const Function *f = &program->functions[function];
    for (uint32_t i = 0; i < f->code_count; i++) {
        const Instr *instr = &f->code[i];
        bool writes = instr->op == OP_STORE || instr->op == OP_MEMSET || instr->op == OP_MEMCPY || instr->op == OP_MEMMOVE;
        if (writes) expose(memory, objects_address(memory, program, function, instr->a));
        for (uint32_t k = 0; instr->op == OP_TRAP && k < memory->objects.len; k++) memory->objects.data[k].exposed = true;
    }
}

static void mark_called(const Memory *memory, const Program *program, uint32_t function, uint8_t *called, bool *changed)
{
    const Function *f = &program->functions[function];
    for (uint32_t i = 0; i < f->call_count; i++)
        for (uint32_t k = 0; k < program->function_count; k++) {
            bool calls = f->calls[i].callee == UINT32_MAX ? memory->taken[k] : f->calls[i].callee == k;
            if (!calls || called[k]) continue;
            called[k] = 1;
            *changed = true;
        }
}

/* Unknown code may call the open functions, and they others. */
static void find_exposed(Memory *memory, const Program *program)
{
    uint8_t *called = mem_alloc(program->function_count + 1);
    memcpy(called, memory->open, program->function_count);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t f = 0; f < program->function_count; f++)
            if (called[f]) mark_called(memory, program, f, called, &changed);
    }
    for (uint32_t f = 0; f < program->function_count; f++)
        if (called[f]) expose_writes(memory, program, f);
    for (uint32_t i = 0; i < memory->objects.len; i++) memory->objects.data[i].exposed |= memory->objects.data[i].escaped;
    free(called);
}

/* ---- cells ---- */

static void add_cell(Memory *memory, uint32_t object, uint64_t offset, uint32_t bytes)
{
    Object *o = &vec_at(&memory->objects, object);
    if (bytes > o->size || offset > o->size - bytes || o->cell_count == MOST_CELLS || memory->cells.len == MOST_CELLS_IN_ALL) return;
    for (uint32_t i = 0; i < memory->cells.len; i++) /* only those of this object are in the list yet to be sorted */
        if (memory->cells.data[i].object == object && memory->cells.data[i].offset == offset && memory->cells.data[i].bytes == bytes)
            return;
    vec_push(&memory->cells, ((Cell){object, (uint32_t)offset, bytes, 0}));
    o->cell_count++;
}

bool objects_add_cell(Memory *memory, uint32_t object, uint64_t offset, uint32_t bytes)
{
    uint32_t before = memory->cells.len;
    add_cell(memory, object, offset, bytes);
    return memory->cells.len > before;
}

static void add_cells(Memory *memory, Address address, uint32_t bytes)
{
    Object *o = &vec_at(&memory->objects, address.object - 1);
    if (!o->tracked || o->constant) return;
    if (!address.variable) {
        add_cell(memory, address.object - 1, address.offset, bytes);
    } else if (o->size / bytes <= MOST_ELEMENTS) {
        for (uint64_t at = address.offset % bytes; at + bytes <= o->size; at += bytes) add_cell(memory, address.object - 1, at, bytes);
    }
}

static int compare_cells(const void *a, const void *b)
{
    const Cell *x = a, *y = b;
    if (x->object != y->object) return x->object < y->object ? -1 : 1;
    if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
    return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

static void find_cells(Memory *memory, const Program *program)
{
    for (uint32_t f = 0; f < program->function_count; f++)
        for (uint32_t i = 0; i < program->functions[f].code_count; i++) {
            const Instr *instr = &program->functions[f].code[i];
            if ((instr->op != OP_LOAD && instr->op != OP_STORE) || !is_integer_access(instr)) continue;
            Address address = objects_address(memory, program, f, instr->a);
            if (address.object) add_cells(memory, address, instr->width / 8);
        }
    objects_number_cells(memory);
}

void objects_number_cells(Memory *memory)
{
    memory->global_slots = 0;
    for (uint32_t i = 0; i < memory->objects.len; i++)
        if (memory->objects.data[i].function != UINT32_MAX) memory->local_slots[memory->objects.data[i].function] = 0;
    if (memory->cells.len) qsort(memory->cells.data, memory->cells.len, sizeof(Cell), compare_cells);
    for (uint32_t i = memory->cells.len; i-- > 0;) vec_at(&memory->objects, memory->cells.data[i].object).first_cell = i;
    for (uint32_t i = 0; i < memory->cells.len; i++) {
        Cell *cell = &memory->cells.data[i];
        const Object *o = &vec_at(&memory->objects, cell->object);
        if (o->function == UINT32_MAX) cell->slot = memory->global_slots++;
    }
    for (uint32_t i = 0; i < memory->cells.len; i++) {
        Cell *cell = &memory->cells.data[i];
        const Object *o = &vec_at(&memory->objects, cell->object);
        if (o->function != UINT32_MAX) cell->slot = memory->global_slots + memory->local_slots[o->function]++;
    }
}

bool objects_find(Memory *memory, const Program *program, const AnalyseOptions *options)
{
    uint32_t n = program->function_count;
    *memory = (Memory){.global_objects = mem_alloc((program->global_count + 1) * sizeof(uint32_t)),
                       .registers = mem_alloc((n + 1) * sizeof(Address *)),
                       .local_slots = mem_alloc((n + 1) * sizeof(uint32_t)),
                       .taken = mem_alloc(n + 1),
                       .open = mem_alloc(n + 1)};
    if (!is_supported(program)) return false;
    for (uint32_t g = 0; g < program->global_count; g++) {
        const Global *global = &program->globals[g];
        bool whole = global->defined && !global->weak && !global->thread_local_;
        add_object(memory, (Object){.function = UINT32_MAX,
                                    .index = g,
                                    .size = global->size,
                                    .tracked = !global->thread_local_,
                                    .constant = whole && global->constant});
        memory->global_objects[g] = memory->objects.len;
    }
    for (uint32_t f = 0; f < n; f++) find_addresses(memory, program, f);
    for (uint32_t f = 0; f < n; f++) find_escapes(memory, program, f);
    for (uint32_t g = 0; g < program->global_count; g++)
        for (uint32_t i = 0; i < program->globals[g].reloc_count; i++)
            escape(memory, program, 0, program->globals[g].relocs[i].value | OPERAND_CONST);
    find_outside(memory, program, options);
    for (uint32_t i = 0; i < memory->objects.len; i++) {
        Object *o = &memory->objects.data[i];
        if (o->size == 0 || o->size > LARGEST_OBJECT) o->tracked = false;
        if (o->function == UINT32_MAX && (memory->outside || !options->whole) && !program->globals[o->index].internal) o->escaped = true;
    }
    find_exposed(memory, program);
    find_cells(memory, program);
    return true;
}

void objects_release(Memory *memory, const Program *program)
{
    for (uint32_t f = 0; f < program->function_count; f++) free(memory->registers[f]);
    free(memory->registers);
    free(memory->global_objects);
    free(memory->local_slots);
    free(memory->taken);
    free(memory->open);
    vec_release(&memory->objects);
    vec_release(&memory->cells);
}

/* The initial value of some bytes of a global, if they are plain numbers. */
bool objects_initial(const Program *program, const Object *object, uint64_t offset, uint32_t bytes, uint64_t *value)
{
    *value = 0;
    if (object->function != UINT32_MAX) return false;
    const Global *global = &program->globals[object->index];
    if (!global->defined || global->weak || offset > global->size || bytes > global->size - offset) return false;
    for (uint32_t i = 0; i < global->reloc_count; i++)
        if (global->relocs[i].offset < offset + bytes && offset < global->relocs[i].offset + 8) return false;
    if (global->unset && memchr(global->unset + offset, 1, bytes)) return false;
    for (uint32_t i = 0; global->bytes && i < bytes; i++) *value |= (uint64_t)global->bytes[offset + i] << 8 * i;
    return true;
}

bool objects_initial_address(const Program *program, const Object *object, uint64_t offset, Operand *address)
{
    const Global *global = object->function == UINT32_MAX ? &program->globals[object->index] : NULL;
    for (uint32_t i = 0; global && global->defined && !global->weak && i < global->reloc_count; i++) {
        const Reloc *reloc = &global->relocs[i];
        *address = reloc->value | OPERAND_CONST;
        if (reloc->offset == offset && program->consts[reloc->value].width == 64) return true;
    }
    return false;
}
