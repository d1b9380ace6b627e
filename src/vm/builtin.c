/* Functions the machine itself gives: the heap, non-local jumps, inputs and assumptions, the end of the program.
 * builtin_string.c holds fast ways for library functions on plain data, builtin_host.c what touches the world. */
#include "base/arith.h"
#include "vm/vm_int.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

static Scalar scalar_of(char letter)
{
    switch (letter) {
    case 'i': return (Scalar){.kind = SCALAR_INT, .width = 32};
    case 'l': return (Scalar){.kind = SCALAR_INT, .width = 64};
    case 'p': return (Scalar){.kind = SCALAR_POINTER, .width = 64};
    case 'f': return (Scalar){.kind = SCALAR_FLOAT, .width = 32};
    case 'd': return (Scalar){.kind = SCALAR_FLOAT, .width = 64};
    default: assert(letter == 'D'); return (Scalar){.kind = SCALAR_FLOAT, .width = 80};
    }
}

Signature vm__builtin_signature(Arena *arena, const Builtin *builtin)
{
    const char *types = builtin->types;
    uint32_t count = (uint32_t)strcspn(types + 1, ".");
    Param *params = arena_alloc(arena, (count + 1) * sizeof *params);
    Scalar *result = arena_alloc(arena, sizeof *result);
    for (uint32_t i = 0; i < count; i++) params[i] = (Param){.name = "", .type = scalar_of(types[1 + i])};
    if (*types != 'v') *result = scalar_of(*types);
    return (Signature){params, count, result, *types != 'v', types[1 + count] == '.'};
}

uint64_t vm__word(Vm *vm, BuiltinCall *call, uint32_t i)
{
    assert(i < call->signature->param_count);
    return (uint64_t)vm__concretize(vm, call->arguments[i], call->signature->params[i].type.width);
}

static void give(Vm *vm, const BuiltinCall *call, Value value)
{
    const Signature *s = call->signature;
    vm__take_results(vm, call->instr->dst, call->site, s->results, &value, s->result_count);
}

void vm__give(Vm *vm, const BuiltinCall *call, uint64_t value)
{
    if (call->signature->result_count) value &= arith_mask64(call->signature->results[0].width);
    give(vm, call, (Value){.bits = value});
}

void vm__give_input(Vm *vm, const BuiltinCall *call, Expr input)
{
    give(vm, call, (Value){.e = expr_zext(vm->pool, input, call->signature->results[0].width)});
}

/* ---- heap ---- */

#define MOST_NATIVE_BYTES ((uint64_t)1 << 47) /* of the address space of a process; larger allocations fail natively, too */

static uint64_t allocate(Vm *vm, uint64_t size, uint32_t align, bool zero)
{
    const char *function;
    uint64_t address = memory_alloc(&vm->memory, size, align, OBJECT_HEAP, vm__place(vm, &function), zero);
    if (address) {
        vm__tell_place(vm, PLACE_MADE, address, 0);
        return address;
    }
    vm__set_errno(vm, ENOMEM);
    if (vm->options.memory_is_guess && size < MOST_NATIVE_BYTES)
        vm__lose(vm, "an allocation beyond %llu MiB failed (--memory)", (unsigned long long)(vm->options.memory_limit >> 20));
    return 0;
}

enum { MOST_OPEN_BYTES = 65536, LEAST_OPEN_BYTES = 256 };

/* A size that depends on inputs need not be fixed: the object is made larger, and its end is the size.  Larger sizes are other paths. */
static uint64_t allocate_open(Vm *vm, Expr size, bool zero)
{
    uint64_t now = (uint64_t)expr_eval(vm->model, size), room = LEAST_OPEN_BYTES, start;
    while (room < now) room *= 4;
    Expr fits = expr_binary(vm->pool, EXPR_ULE, size, expr_const(vm->pool, 64, room));
    if (room > LEAST_OPEN_BYTES) fits = expr_and(vm->pool, fits, expr_binary(vm->pool, EXPR_ULT, expr_const(vm->pool, 64, room / 4), size));
    vm__condition(vm, size, fits, CONDITION_OBJECT, BUG_OUT_OF_BOUNDS, UINT32_MAX, true);
    uint64_t address = allocate(vm, room, 16, zero);
    if (address) vm__limit(vm, memory_object(&vm->memory, address, &start), size);
    return address;
}

static bool stays_open(Vm *vm, Value size)
{
    return size.e && vm->options.exploring && !vm->evaluating && !expr_has_undef(vm->pool, size.e) &&
           expr_eval(vm->model, size.e) <= MOST_OPEN_BYTES;
}

static BuiltinResult builtin_malloc(Vm *vm, BuiltinCall *call)
{
    Value size = call->arguments[0];
    vm__give(vm, call, stays_open(vm, size) ? allocate_open(vm, size.e, false) : allocate(vm, vm__word(vm, call, 0), 16, false));
    return BUILTIN_DONE;
}

/* The product of the two sizes, if only one of them depends on inputs and nothing wraps around. */
static Value product(Vm *vm, BuiltinCall *call)
{
    Value a = call->arguments[0], b = call->arguments[1];
    U128 all = vm__concrete(vm, a) * vm__concrete(vm, b);
    if (!a.e == !b.e || all > MOST_OPEN_BYTES) return (Value){0};
    uint64_t factor = a.e ? (uint64_t)b.bits : (uint64_t)a.bits;
    Expr size = a.e ? a.e : b.e, most = expr_const(vm->pool, 64, factor ? MOST_OPEN_BYTES * 4ull / factor : UINT64_MAX);
    vm__condition(vm, size, expr_binary(vm->pool, EXPR_ULE, size, most), CONDITION_OBJECT, BUG_OUT_OF_BOUNDS, UINT32_MAX, true);
    return (Value){.e = expr_binary(vm->pool, EXPR_MUL, size, expr_const(vm->pool, 64, factor))};
}

static BuiltinResult builtin_calloc(Vm *vm, BuiltinCall *call)
{
    uint64_t size;
    Value open = call->arguments[0].e || call->arguments[1].e ? product(vm, call) : (Value){0};
    if (stays_open(vm, open)) {
        vm__give(vm, call, allocate_open(vm, open.e, true));
        return BUILTIN_DONE;
    }
    bool wraps = __builtin_mul_overflow(vm__word(vm, call, 0), vm__word(vm, call, 1), &size);
    vm__give(vm, call, allocate(vm, wraps ? UINT64_MAX : size, 16, true));
    return BUILTIN_DONE;
}

/* aligned_alloc(alignment, size) and memalign */
static BuiltinResult builtin_memalign(Vm *vm, BuiltinCall *call)
{
    uint64_t align = vm__word(vm, call, 0), size = vm__word(vm, call, 1);
    bool power = align && (align & (align - 1)) == 0 && align <= 1u << 29;
    vm__give(vm, call, power ? allocate(vm, size, (uint32_t)align, false) : 0);
    return BUILTIN_DONE;
}

/* The heap object that starts at the address; NULL after a report. */
static Object *heap_object(Vm *vm, uint64_t address)
{
    uint64_t start = 0;
    Object *object = memory_contains(address) ? memory_object(&vm->memory, address, &start) : NULL;
    ObjectKind kind = object ? object_kind(object) : OBJECT_NONE;
    if (kind == OBJECT_HEAP && address == start) return object;
    char where[256];
    vm__describe(vm, address, where, sizeof where);
    if (kind == OBJECT_FREED_HEAP && address == start)
        vm__report(vm, BUG_DOUBLE_FREE, "%#llx is freed a second time", (unsigned long long)address);
    else vm__report(vm, BUG_INVALID_FREE, "%#llx is not what an allocation returned: %s", (unsigned long long)address, where);
    return NULL;
}

static bool foreign(Vm *vm, uint64_t address)
{
    return vm->native_seen && address >= 65536 && !memory_contains(address) &&
           address - CODE_BASE >= (uint64_t)vm->program->symbol_count * 16;
}

static BuiltinResult builtin_free(Vm *vm, BuiltinCall *call)
{
    uint64_t address = vm__word(vm, call, 0);
    if (address == 0) return BUILTIN_DONE;
    if (foreign(vm, address)) {
        vm__native_call(vm, call->instr, call->site, "free", (void *)free);
        return BUILTIN_DONE;
    }
    vm__tell_place(vm, PLACE_FREED, address, 0);
    if (vm->stop.kind != VM_RUNNING) return BUILTIN_DONE;
    Object *object = heap_object(vm, address);
    if (object) memory_free(&vm->memory, object, address);
    return BUILTIN_DONE;
}

/* Where the size has to be one number. */
static uint64_t fixed_size(Vm *vm, const Object *object)
{
    if (!(object->shadow & OBJECT_LIMITED)) return object->size;
    return (uint64_t)vm__concretize(vm, (Value){.e = memory_shadow(&vm->memory, object)->limit}, 64);
}

static BuiltinResult builtin_realloc(Vm *vm, BuiltinCall *call)
{
    uint64_t address = vm__word(vm, call, 0), size = vm__word(vm, call, 1);
    if (address == 0) {
        vm__give(vm, call, allocate(vm, size, 16, false));
        return BUILTIN_DONE;
    }
    if (foreign(vm, address)) {
        vm__native_call(vm, call->instr, call->site, "realloc", (void *)realloc);
        return BUILTIN_DONE;
    }
    vm__tell_place(vm, PLACE_FREED, address, 0);
    if (vm->stop.kind != VM_RUNNING) return BUILTIN_DONE;
    Object *object = heap_object(vm, address);
    if (!object) return BUILTIN_DONE;
    uint64_t kept = size ? fixed_size(vm, object) : 0, moved = 0; /* its conditions come before anything changes */
    if (kept > size) kept = size;
    if (!vm__check_range(vm, address, kept, false)) return BUILTIN_DONE;
    if (size) {
        moved = allocate(vm, size, 16, false);
        if (moved) vm__copy(vm, moved, address, kept);
    }
    if (moved || size == 0) memory_free(&vm->memory, object, address);
    vm__give(vm, call, moved);
    return BUILTIN_DONE;
}

static BuiltinResult builtin_object_size(Vm *vm, BuiltinCall *call)
{
    uint64_t address = vm__word(vm, call, 0), start;
    vm__give(vm, call, memory_contains(address) ? fixed_size(vm, memory_object(&vm->memory, address, &start)) : 0);
    return BUILTIN_DONE;
}

/* ---- setjmp and longjmp ---- */

/* The first three words of the jmp_buf: the frame's serial number, its depth, the code of the call. */
static BuiltinResult builtin_setjmp(Vm *vm, BuiltinCall *call)
{
    uint64_t buffer = vm__word(vm, call, 0);
    const Frame *frame = vm__frame(vm);
    if (!vm__check_range(vm, buffer, 24, true)) return BUILTIN_DONE;
    vm__store_bytes(vm, buffer, 8, (Value){.bits = frame->serial});
    vm__store_bytes(vm, buffer + 8, 8, (Value){.bits = vm->depth});
    vm__store_bytes(vm, buffer + 16, 8, (Value){.bits = (uint64_t)(frame->pc - frame->code->code)});
    vm__give(vm, call, 0);
    return BUILTIN_DONE;
}

static bool frame_between_is_native(const Vm *vm, uint64_t depth)
{
    for (uint32_t i = vm->depth; i > depth; i--)
        if (vm->frames[i - 1].stop) return true;
    return false;
}

static BuiltinResult builtin_longjmp(Vm *vm, BuiltinCall *call)
{
    uint64_t buffer = vm__word(vm, call, 0), words[3];
    if (!vm__check_range(vm, buffer, sizeof words, false)) return BUILTIN_DONE;
    vm_read_guest(vm, buffer, words, sizeof words);
    uint64_t value = call->signature->param_count > 1 ? vm__word(vm, call, 1) : 1, depth = words[1];
    if (depth == 0 || depth > vm->depth || vm->frames[depth - 1].serial != words[0]) {
        vm__report(vm, BUG_USE_AFTER_FREE, "longjmp to a function that has returned, or into a buffer that setjmp did not fill");
        return BUILTIN_DONE;
    }
    if (frame_between_is_native(vm, depth)) {
        vm__stop(vm, VM_UNSUPPORTED, 0, "longjmp across a native function");
        return BUILTIN_DONE;
    }
    while (vm->depth > depth) vm__pop(vm);
    Frame *frame = vm__frame(vm);
    const Origin *origin = &frame->code->origin[words[2]];
    const Instr *made = &frame->code->function->code[origin->instr];
    const CallSite *site = &frame->code->function->calls[made->imm];
    const Scalar result = {.kind = SCALAR_INT, .width = 32};
    frame->pc = frame->code->code + words[2] + 1;
    vm__take_results(vm, made->dst, site, &result, &(Value){.bits = (uint32_t)value ? (uint32_t)value : 1}, 1);
    return BUILTIN_JUMPED;
}

/* ---- inputs ---- */

char *vm__guest_string(Vm *vm, uint64_t address)
{
    StrBuf text = {0};
    strbuf_add(&text, "");
    for (char c; text.len < 256 && vm_read_guest(vm, address + text.len, &c, 1) == OK && c;) strbuf_add_bytes(&text, &c, 1);
    return text.text;
}

/* The harness asks for inputs in its own frame, the first one; a program asks by calling a function. */
bool vm__is_asked_by_program(Vm *vm)
{
    return vm->depth > 1;
}

/* The result of a marked function cannot be an input of its own.  A request for one more input is where a run of a program that never ends can be
 * left, and gone on with later: by then the program has done all that the inputs before make it do. */
bool vm__may_ask(Vm *vm)
{
    bool is_program = vm__is_asked_by_program(vm);
    if (is_program && vm->input_count < vm->first_asked) vm->first_asked = vm->input_count;
    if (vm->evaluating) vm__stop(vm, VM_UNSUPPORTED, 0, "an input is asked for in a function that is marked as concrete");
    else if (is_program && vm->ends_with_inputs && vm->input_count >= vm->given_count)
        vm__stop(vm, VM_INPUTS, 0, "the program asks for more inputs than there are");
    else if (is_program && vm->options.on_ask && vm->options.on_ask(vm->options.on_ask_data, vm))
        vm__stop(vm, VM_VISITED, 0, "the program is in a state that was seen before");
    else if (is_program && vm->depth_limit && (vm->input_count >= vm->depth_limit || vm->path.len >= vm->depth_limit))
        vm__stop(vm, VM_DEPTH, 0, "the program goes on asking for inputs after %u of them", vm->input_count);
    return vm->stop.kind == VM_RUNNING;
}

static BuiltinResult builtin_symbolic(Vm *vm, BuiltinCall *call)
{
    if (!vm__may_ask(vm)) return BUILTIN_DONE;
    uint64_t address = vm__word(vm, call, 0), n = vm__word(vm, call, 1);
    if (!vm__check_range(vm, address, n, true)) return BUILTIN_DONE;
    uint64_t name = vm__word(vm, call, 2);
    for (uint64_t k = 0; k < n; k++) vm__store_bytes(vm, address + k, 1, vm__ask_value(vm, 8, (InputName){name, true, k}, 'c', address));
    return BUILTIN_DONE;
}

static BuiltinResult builtin_symbolic_value(Vm *vm, BuiltinCall *call)
{
    if (!vm__may_ask(vm)) return BUILTIN_DONE;
    unsigned bits = (unsigned)vm__word(vm, call, 0);
    REQUIRE(bits >= 1 && bits <= 64, "an input has 1 to 64 bits");
    Value input = vm__ask_value(vm, bits, (InputName){.address = vm__word(vm, call, 2)}, (char)vm__word(vm, call, 1), 0);
    if (input.e) vm__give_input(vm, call, input.e);
    else vm__give(vm, call, (uint64_t)input.bits);
    return BUILTIN_DONE;
}

static BuiltinResult builtin_assume(Vm *vm, BuiltinCall *call)
{
    Value condition = call->arguments[0];
    if (condition.e) vm__assume(vm, expr_not(vm->pool, expr_eq(vm->pool, condition.e, expr_const(vm->pool, 32, 0))));
    else if (!condition.bits) vm__stop(vm, VM_ASSUMPTION, 0, "an assumption does not hold");
    return BUILTIN_DONE;
}

/* As an assumption, but it only tells what is worth testing: the branches of a run that it ends are not reached by it (vm__end_doubts). */
static BuiltinResult builtin_go_on_if(Vm *vm, BuiltinCall *call)
{
    builtin_assume(vm, call);
    vm->stop.verified = vm->stop.kind == VM_ASSUMPTION;
    return BUILTIN_DONE;
}

static BuiltinResult builtin_is_symbolic(Vm *vm, BuiltinCall *call)
{
    vm__give(vm, call, call->arguments[0].e != 0);
    return BUILTIN_DONE;
}

static BuiltinResult builtin_peek(Vm *vm, BuiltinCall *call)
{
    vm__give(vm, call, (uint64_t)vm__concrete(vm, call->arguments[0]));
    return BUILTIN_DONE;
}

static BuiltinResult builtin_concrete(Vm *vm, BuiltinCall *call)
{
    vm__give(vm, call, vm__word(vm, call, 0));
    return BUILTIN_DONE;
}

/* ---- the end ---- */

static BuiltinResult builtin_exit(Vm *vm, BuiltinCall *call)
{
    bool any = call->arguments[0].e && !vm__decided(vm, call->arguments[0].e);
    vm__stop(vm, VM_EXIT, (int)(vm__word(vm, call, 0) & 0xff), "exit");
    vm->stop.any_status = any && vm->stop.kind == VM_EXIT;
    return BUILTIN_DONE;
}

static BuiltinResult builtin_die(Vm *vm, BuiltinCall *call)
{
    int number = (int)vm__word(vm, call, 0);
    if (number == SIGABRT) vm__report(vm, BUG_ABORT, "abort was called");
    else vm__stop(vm, VM_SIGNAL, number, "the program raised signal %d (%s)", number, strsignal(number));
    return BUILTIN_DONE;
}

static BuiltinResult builtin_assertion_failed(Vm *vm, BuiltinCall *call)
{
    (void)call;
    vm__report(vm, BUG_ASSERTION, "the assertion failed");
    return BUILTIN_DONE;
}

/* The verifier's formula held when its assertion was met, and the assertion does not hold. */
static BuiltinResult builtin_wrong_verdict(Vm *vm, BuiltinCall *call)
{
    char *formula = vm__guest_string(vm, vm__word(vm, call, 0));
    const char *function;
    uint32_t line = vm->program->locs[vm__place(vm, &function)].line;
    if (strcmp(formula, "true") == 0)
        vm__report(vm, BUG_WRONG_VERDICT, "the verifier's verdict on line %u is wrong: it rests on no assumption, and the assertion fails",
                   line);
    else vm__report(vm, BUG_WRONG_VERDICT, "the verifier's verdict on line %u is wrong: %s holds, and the assertion fails", line, formula);
    free(formula);
    return BUILTIN_DONE;
}

static BuiltinResult builtin_trap(Vm *vm, BuiltinCall *call)
{
    (void)call;
    vm__report(vm, BUG_UNREACHABLE, "a trap instruction was reached");
    return BUILTIN_DONE;
}

/* The i-th constructor or destructor as a function pointer; null after the last. */
static void give_initializer(Vm *vm, BuiltinCall *call, const Initializer *list, uint32_t count)
{
    uint64_t i = vm__word(vm, call, 0);
    vm__give(vm, call, i < count ? vm->symbols[vm->program->functions[list[i].function].symbol] : 0);
}

static BuiltinResult builtin_constructor(Vm *vm, BuiltinCall *call)
{
    give_initializer(vm, call, vm->program->constructors, vm->program->constructor_count);
    return BUILTIN_DONE;
}

static BuiltinResult builtin_destructor(Vm *vm, BuiltinCall *call)
{
    give_initializer(vm, call, vm->program->destructors, vm->program->destructor_count);
    return BUILTIN_DONE;
}

const Builtin vm__machine_builtins[] = {
    {"malloc", builtin_malloc, "pl"},
    {"clew__malloc", builtin_malloc, "pl"},
    {"calloc", builtin_calloc, "pll"},
    {"free", builtin_free, "vp"},
    {"clew__free", builtin_free, "vp"},
    {"realloc", builtin_realloc, "ppl"},
    {"clew__realloc", builtin_realloc, "ppl"},
    {"aligned_alloc", builtin_memalign, "pll"},
    {"memalign", builtin_memalign, "pll"},
    {"clew__memalign", builtin_memalign, "pll"},
    {"malloc_usable_size", builtin_object_size, "lp"},
    {"clew__object_size", builtin_object_size, "lp"},
    {"setjmp", builtin_setjmp, "ip"},
    {"_setjmp", builtin_setjmp, "ip"},
    {"sigsetjmp", builtin_setjmp, "ipi"},
    {"__sigsetjmp", builtin_setjmp, "ipi"},
    {"longjmp", builtin_longjmp, "vpi"},
    {"_longjmp", builtin_longjmp, "vpi"},
    {"siglongjmp", builtin_longjmp, "vpi"},
    {"__longjmp_chk", builtin_longjmp, "vpi"},
    {"clew__builtin_setjmp", builtin_setjmp, "ip"},
    {"clew__builtin_longjmp", builtin_longjmp, "ip"},
    {"clew__symbolic", builtin_symbolic, "vplp"},
    {"clew__symbolic_value", builtin_symbolic_value, "liip"},
    {"clew__assume", builtin_assume, "vi"},
    {"clew__go_on_if", builtin_go_on_if, "vi"},
    {"clew__is_symbolic", builtin_is_symbolic, "il"},
    {"clew__peek", builtin_peek, "ll"},
    {"clew__concrete", builtin_concrete, "ll"},
    {"clew__exit", builtin_exit, "vi"},
    {"clew__die", builtin_die, "vi"},
    {"clew__assertion_failed", builtin_assertion_failed, "v"},
    {"clew__wrong_verdict", builtin_wrong_verdict, "vp"},
    {"clew__trap", builtin_trap, "v"},
    {"clew__constructor_at", builtin_constructor, "pi"},
    {"clew__destructor_at", builtin_destructor, "pi"},
    {NULL, NULL, NULL},
};

const Builtin *vm__find_builtin(const char *name)
{
    const Builtin *const tables[] = {vm__machine_builtins, vm__string_builtins, vm__host_builtins, vm__harness_builtins,
                                     vm__observe_builtins};
    for (size_t t = 0; t < COUNT_OF(tables); t++)
        for (const Builtin *b = tables[t]; b->name; b++)
            if (strcmp(b->name, name) == 0) return b;
    return NULL;
}
