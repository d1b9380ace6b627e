/* What a unit's harness observes (src/unit/unit.h): values after the call, arguments that stubs receive, and the memory that pointers among them lead to.
 *
 * Memory is remembered without types: from each observed pointer every aligned word that is the address of a live object is followed, as a
 * conservative garbage collector does.  Who writes the test knows the types and looks at what it needs.  All objects of one moment (a call of
 * a stub, or the end of the call under test) are remembered once, breadth first, until ROOM bytes are full. */
#include "vm/vm_int.h"

#include <stdlib.h>

enum {
    MOST_OF_ONE = 4096,  /* bytes of one object that are remembered after the call */
    MOST_IN_CALL = 512,  /* the same while a stub is called */
    ROOM = 65536,        /* bytes of all objects of a run together */
    MOST_OBJECTS = 256,  /* of a run */
    MOST_OBSERVED = 4096 /* calls of stubs whose arguments are kept */
};

uint32_t vm_observation_count(const Vm *vm)
{
    return vm->observations.len;
}

const VmObservation *vm_observation(const Vm *vm, uint32_t i)
{
    return &vec_at(&vm->observations, i);
}

uint32_t vm_memory_count(const Vm *vm)
{
    return vm->remembered.len;
}

const VmMemory *vm_memory(const Vm *vm, uint32_t i)
{
    return &vec_at(&vm->remembered, i);
}

void vm__forget_observations(Vm *vm)
{
    for (uint32_t i = 0; i < vm->observations.len; i++) free((char *)vm->observations.data[i].name);
    for (uint32_t i = 0; i < vm->remembered.len; i++) {
        free(vm->remembered.data[i].bytes);
        free(vm->remembered.data[i].set);
    }
    vec_clear(&vm->observations);
    vec_clear(&vm->remembered);
    vm->remembered_bytes = 0;
    vm->moment = 0;
    vm->returned = false;
}

/* ---- memory ---- */

bool vm__live_end(Vm *vm, uint64_t address, uint64_t *end)
{
    uint64_t start;
    if (!memory_contains(address)) return false;
    const Object *object = memory_object(&vm->memory, address, &start);
    ObjectKind kind = object_kind(object);
    *end = start + vm__object_end(vm, object);
    return kind == OBJECT_GLOBAL || kind == OBJECT_STACK || kind == OBJECT_HEAP;
}

static bool read_byte(Vm *vm, uint64_t address, unsigned char *byte)
{
    Value value = vm__load_byte(vm, address);
    *byte = (unsigned char)vm__concrete(vm, value);
    return !value.e || vm__decided(vm, value.e);
}

static bool is_remembered(const Vm *vm, uint64_t start)
{
    for (uint32_t i = vm->remembered.len; i-- > 0 && vm->remembered.data[i].moment == vm->moment;)
        if (vm->remembered.data[i].address == start) return true;
    return false;
}

static void remember_function(Vm *vm, uint64_t address)
{
    const Prepared *target = vm__target(vm, address);
    if (!target || is_remembered(vm, address)) return;
    VmMemory memory = {.name = target->function->name, .kind = 'f', .moment = vm->moment, .address = address, .size = 1};
    vec_push(&vm->remembered, memory);
}

/* Zeros at the end are counted only. */
static void read_object(Vm *vm, VmMemory *memory)
{
    uint64_t most = vm->moment ? MOST_IN_CALL : MOST_OF_ONE, n = memory->size < most ? memory->size : most;
    memory->bytes = mem_alloc(n + 1);
    memory->set = mem_alloc(n + 1);
    for (uint64_t i = 0; i < n; i++) {
        memory->set[i] = read_byte(vm, memory->address + i, &memory->bytes[i]);
        if (memory->bytes[i] || !memory->set[i]) memory->count = (uint32_t)i + 1;
    }
    memory->zeros = (uint32_t)n - memory->count;
    vm->remembered_bytes += memory->count;
}

static void remember_object(Vm *vm, uint64_t address)
{
    uint64_t start, end;
    if (!vm__live_end(vm, address, &end)) return remember_function(vm, address);
    const Object *object = memory_object(&vm->memory, address, &start);
    if (address > end || is_remembered(vm, start) || vm->remembered.len >= MOST_OBJECTS || vm->remembered_bytes >= ROOM) return;
    ObjectKind kind = object_kind(object);
    VmMemory memory = {.name = "", .moment = vm->moment, .address = start, .size = end - start};
    memory.kind = kind == OBJECT_GLOBAL ? 'g' : kind == OBJECT_HEAP ? 'h' : 's';
    if (kind == OBJECT_GLOBAL) memory.name = vm_name_of_global(vm, start);
    read_object(vm, &memory);
    vec_push(&vm->remembered, memory);
}

/* Its last bytes may be zeros that are not kept. */
static uint64_t word_of(const VmMemory *memory, uint32_t offset)
{
    uint64_t word = 0;
    for (uint32_t k = 0; k < 8 && offset + k < memory->count; k++) {
        if (!memory->set[offset + k]) return 0;
        word |= (uint64_t)memory->bytes[offset + k] << (8 * k);
    }
    return word;
}

/* The object there, and all that it leads to. */
static void remember(Vm *vm, uint64_t address)
{
    uint32_t next = vm->remembered.len;
    remember_object(vm, address);
    for (; next < vm->remembered.len; next++) {
        for (uint32_t offset = 0; offset < vm->remembered.data[next].count; offset += 8) {
            uint64_t word = word_of(&vm->remembered.data[next], offset);
            if (word) remember_object(vm, word);
        }
    }
}

/* ---- values ---- */

static void observe(Vm *vm, uint64_t address, uint64_t size, char type, char *name)
{
    VmObservation seen = {.name = name, .type = type, .defined = true, .width = (uint32_t)size * 8, .address = address};
    for (uint64_t k = 0; k < size; k++) {
        unsigned char byte;
        if (!read_byte(vm, address + k, &byte)) seen.defined = false;
        seen.bits |= (U128)byte << (k * 8);
    }
    vec_push(&vm->observations, seen);
    if (type == 'p' && seen.defined) remember(vm, (uint64_t)seen.bits);
}

static BuiltinResult builtin_observe(Vm *vm, BuiltinCall *call)
{
    uint64_t address = vm__word(vm, call, 0), size = vm__word(vm, call, 1), count = vm__word(vm, call, 2), end;
    if (!vm->options.observing || !vm__live_end(vm, address, &end) || vm->observations.len > MOST_OBSERVED * 16) return BUILTIN_DONE;
    REQUIRE(size >= 1 && size <= 16, "what is observed has 1 to 16 bytes");
    char type = (char)vm__word(vm, call, 3), *name = vm__guest_string(vm, vm__word(vm, call, 4));
    for (uint64_t i = 0; i < count && address + (i + 1) * size <= end; i++)
        observe(vm, address + i * size, size, type, count == 1 ? mem_strdup(name) : mem_format("%s[%llu]", name, (unsigned long long)i));
    if (count > 1) remember(vm, address);
    free(name);
    return BUILTIN_DONE;
}

static void note(Vm *vm, char type, uint64_t name, uint64_t address)
{
    VmObservation seen = {.name = vm__guest_string(vm, name), .type = type, .defined = true, .address = address};
    vec_push(&vm->observations, seen);
}

static BuiltinResult builtin_object(Vm *vm, BuiltinCall *call)
{
    if (vm->options.observing) note(vm, 'o', vm__word(vm, call, 1), vm__word(vm, call, 0));
    return BUILTIN_DONE;
}

static BuiltinResult builtin_called(Vm *vm, BuiltinCall *call)
{
    bool kept = vm->options.observing && !vm->returned && vm->observations.len <= MOST_OBSERVED;
    vm__give(vm, call, kept);
    if (!kept) return BUILTIN_DONE;
    note(vm, 'k', vm__word(vm, call, 0), 0);
    vm->moment = vm->observations.len;
    return BUILTIN_DONE;
}

static BuiltinResult builtin_returned(Vm *vm, BuiltinCall *call)
{
    (void)call;
    vm->returned = true;
    vm->moment = 0;
    return BUILTIN_DONE;
}

static BuiltinResult builtin_may_release(Vm *vm, BuiltinCall *call)
{
    uint64_t end;
    vm__give(vm, call, vm->options.observing && vm__live_end(vm, vm__word(vm, call, 0), &end));
    return BUILTIN_DONE;
}

static BuiltinResult builtin_allocated(Vm *vm, BuiltinCall *call)
{
    uint64_t address = vm__word(vm, call, 0), start = 0, end;
    bool live = vm->options.observing && vm__live_end(vm, address, &end);
    const Object *object = live ? memory_object(&vm->memory, address, &start) : NULL;
    bool heap = live && object_kind(object) == OBJECT_HEAP;
    vm__give(vm, call, !heap ? 0 : start == address ? 2 : 1);
    return BUILTIN_DONE;
}

const Builtin vm__observe_builtins[] = {
    {"clew__observe", builtin_observe, "vpllip"},
    {"clew__object", builtin_object, "vpp"},
    {"clew__called", builtin_called, "ip"},
    {"clew__returned", builtin_returned, "v"},
    {"clew__may_release", builtin_may_release, "ip"},
    {"clew__allocated", builtin_allocated, "ip"},
    {NULL, NULL, NULL},
};
