/* Native code: functions of the host's libraries called through libffi with concrete arguments, and foreign memory.
 *
 * A signal that native code raises is caught here and ends the guest, not the machine.  This needs the one mutable global of the program: a signal handler
 * has no context argument. */
#include "base/arith.h"
#include "base/native.h"
#include "vm/vm_int.h"

#include <errno.h>
#include <ffi.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

enum {
    WAITING_SECONDS = 2 /* that a native call may take in a search; what takes longer waits for something that does not come.  A guess. */
};

/* ---- the guard ---- */

static volatile struct {
    sigjmp_buf *landing; /* NULL: no native code is running */
    bool installed;
    uint64_t pending; /* signals from outside that the guest catches */
} guard;

static void on_signal(int number)
{
    sigjmp_buf *landing = guard.landing;
    if (!landing) { /* a fault of the machine itself: die of it */
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    guard.landing = NULL;
    siglongjmp(*landing, number);
}

static void install(void)
{
    static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_NODEFER}; /* the mask stays, so sigsetjmp need not save it */
    if (guard.installed) return;
    guard.installed = true;
    for (size_t i = 0; i < COUNT_OF(caught); i++) sigaction(caught[i], &action, NULL);
}

bool vm__guarded_copy(void *to, const void *from, size_t n)
{
    sigjmp_buf landing, *before = guard.landing;
    install();
    if (sigsetjmp(landing, 0) != 0) {
        guard.landing = before;
        return false;
    }
    guard.landing = &landing;
    memcpy(to, from, n);
    guard.landing = before;
    return true;
}

static void on_alarm(int number)
{
    if (guard.landing) on_signal(number); /* else native code has called back into the guest */
}

/* A search must not wait for a connection, a key or a lock that never comes, so SIGALRM ends a native call that lasts too long.  `clew run` waits as the
 * program does. */
static void limit_waiting(const Vm *vm, int seconds)
{
    if (!vm->options.exploring) return;
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = on_alarm, .sa_flags = SA_NODEFER}, NULL);
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value.tv_sec = seconds}, NULL);
}

/* ---- signals for the guest ---- */

static void on_guest_signal(int number)
{
    __atomic_fetch_or(&guard.pending, (uint64_t)1 << (number - 1), __ATOMIC_SEQ_CST);
}

static bool is_ours(int number)
{
    return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL || number == SIGABRT;
}

/* As models/host.h numbers them: 0 default, 1 ignore, 2 catch and restart calls, 3 catch. */
void vm__disposition(Vm *vm, int number, int disposition)
{
    if (number < 1 || number > 64 || is_ours(number) || vm->options.exploring) return;
    struct sigaction action = {.sa_handler = disposition == 0 ? SIG_DFL : disposition == 1 ? SIG_IGN : on_guest_signal};
    if (disposition == 2) action.sa_flags = SA_RESTART;
    if (disposition >= 2) vm->catches = true;
    sigaction(number, &action, NULL);
}

/* The library's clew__deliver is entered as if the next instruction had called it. */
void vm__deliver_signal(Vm *vm)
{
    Frame *frame = vm__frame(vm);
    const Function *deliver = program_function(vm->program, "clew__deliver");
    if (!guard.pending || !deliver || !deliver->defined || frame->pc == frame->code->code) return;
    unsigned number = (unsigned)__builtin_ctzll(guard.pending) + 1;
    __atomic_fetch_and(&guard.pending, ~((uint64_t)1 << (number - 1)), __ATOMIC_SEQ_CST);
    frame->pc--; /* a return goes on behind it */
    if (vm__push(vm, &vm->prepared[deliver - vm->program->functions], OPERAND_NONE))
        vm__set(vm, deliver->params[0].reg, deliver->params[0].type.width, (Value){.bits = number});
    vm->effects++;
}

/* ---- finding ---- */

void *vm__find_native(Vm *vm, const char *name)
{
    (void)vm;
    return native_find(name);
}

/* ---- types ---- */

static ffi_type *integer_type(unsigned width, bool is_signed)
{
    if (width <= 8) return is_signed ? &ffi_type_sint8 : &ffi_type_uint8;
    if (width <= 16) return is_signed ? &ffi_type_sint16 : &ffi_type_uint16;
    if (width <= 32) return is_signed ? &ffi_type_sint32 : &ffi_type_uint32;
    return is_signed ? &ffi_type_sint64 : &ffi_type_uint64;
}

static ffi_type *pair_type(void)
{
    static ffi_type *elements[] = {&ffi_type_uint64, &ffi_type_uint64, NULL};
    static ffi_type pair = {.type = FFI_TYPE_STRUCT, .elements = elements};
    return &pair;
}

static ffi_type *type_of(Scalar scalar)
{
    if (scalar.kind == SCALAR_POINTER) return &ffi_type_pointer;
    if (scalar.kind == SCALAR_FLOAT)
        return scalar.width == 32 ? &ffi_type_float : scalar.width == 64 ? &ffi_type_double : &ffi_type_longdouble;
    return scalar.width > 64 ? pair_type() : integer_type(scalar.width, scalar.sign);
}

static ffi_type *repeated_type(Arena *arena, ffi_type *element, uint64_t count)
{
    ffi_type **elements = arena_alloc(arena, (count + 1) * sizeof *elements);
    for (uint64_t i = 0; i < count; i++) elements[i] = element;
    ffi_type *type = arena_alloc(arena, sizeof *type);
    *type = (ffi_type){.type = FFI_TYPE_STRUCT, .elements = elements};
    return type;
}

/* A struct passed in memory: as many words as it has. */
static ffi_type *block_type(Arena *arena, uint64_t size)
{
    return repeated_type(arena, &ffi_type_uint64, (size + 7) / 8);
}

static ffi_type *result_type(Arena *arena, const Scalar *results, uint32_t count)
{
    if (count == 0) return &ffi_type_void;
    if (count == 1) return type_of(results[0]);
    if (count == 2 && results[0].width == 80) return &ffi_type_complex_longdouble; /* in two x87 registers */
    ffi_type **elements = arena_alloc(arena, (count + 1) * sizeof *elements);
    for (uint32_t i = 0; i < count; i++) elements[i] = type_of(results[i]);
    ffi_type *type = arena_alloc(arena, sizeof *type);
    *type = (ffi_type){.type = FFI_TYPE_STRUCT, .elements = elements};
    return type;
}

/* ---- calls back ---- */

typedef struct Closure {
    Vm *vm;
    const Function *function;
    ffi_cif cif;
    ffi_closure *closure;
    ffi_type **types;
    void *code;
} Closure;

static void called_back(ffi_cif *cif, void *result, void **arguments, void *data)
{
    Closure *closure = data;
    const Function *f = closure->function;
    U128 values[16] = {0};
    (void)cif;
    for (uint32_t i = 0; i < f->param_count && i < COUNT_OF(values); i++)
        memcpy(&values[i], arguments[i], (f->params[i].type.width + 7u) / 8);
    sigjmp_buf *landing = guard.landing;
    guard.landing = NULL;
    uint64_t value = (uint64_t)vm__nested(closure->vm, f, values, f->param_count);
    guard.landing = landing;
    if (closure->vm->stop.kind != VM_RUNNING && landing) siglongjmp(*landing, -1); /* leave the native code, too */
    if (f->result_count) {
        unsigned width = f->results[0].width;
        if (f->results[0].kind == SCALAR_INT && f->results[0].sign && width < 64) value = (uint64_t)arith_sext64(value, width);
        memcpy(result, &value, 8);
    }
}

static uint64_t closure_for(Vm *vm, const Function *f, uint64_t address)
{
    uint64_t *known = map_find(&vm->closures, address);
    if (known) return (uintptr_t)((Closure *)(uintptr_t)*known)->code;
    if (f->param_count > 16 || f->result_count > 1) return address;
    Closure *closure = mem_alloc(sizeof *closure);
    closure->vm = vm;
    closure->function = f;
    closure->types = mem_alloc((f->param_count + 1) * sizeof *closure->types);
    for (uint32_t i = 0; i < f->param_count; i++) closure->types[i] = type_of(f->params[i].type);
    ffi_type *result = f->result_count ? type_of(f->results[0]) : &ffi_type_void;
    closure->closure = ffi_closure_alloc(sizeof(ffi_closure), &closure->code);
    bool made = closure->closure && ffi_prep_cif(&closure->cif, FFI_DEFAULT_ABI, f->param_count, result, closure->types) == FFI_OK &&
                ffi_prep_closure_loc(closure->closure, &closure->cif, called_back, closure, closure->code) == FFI_OK;
    REQUIRE(made, "cannot make a callback");
    map_put(&vm->closures, address, (uintptr_t)closure);
    vm->native_seen = true;
    return (uintptr_t)closure->code;
}

void vm__native_release(Vm *vm)
{
    for (uint32_t i = 0; vm->symbols && i < vm->program->symbol_count; i++) {
        uint64_t *known = map_find(&vm->closures, CODE_BASE + 16 * (uint64_t)i);
        if (!known) continue;
        Closure *closure = (Closure *)(uintptr_t)*known;
        ffi_closure_free(closure->closure);
        free(closure->types);
        free(closure);
    }
}

/* ---- guest memory around a call ---- */

typedef Vec(uint64_t) Addresses;

/* The objects native code can reach from an argument: they are made concrete, and saved if there is a way back. */
static void reach(Vm *vm, uint64_t address, Addresses *reached, int depth)
{
    if (!memory_contains(address)) return;
    uint64_t start;
    const Object *object = memory_object(&vm->memory, address, &start);
    if (object->size == 0) return;
    for (uint32_t i = 0; i < reached->len; i++)
        if (reached->data[i] == start) return;
    vec_push(reached, start);
    vm__materialize(vm, start);
    if (vm->memory.trailing) memory_save(&vm->memory, start, object->size);
    if (depth == 0 || object->size > 65536 || !(vm->memory.trailing || vm->memory.symbolic_objects)) return;
    for (uint64_t at = 0; at + 8 <= object->size; at += 8) reach(vm, *(const uint64_t *)(uintptr_t)(start + at), reached, depth - 1);
}

/* Afterwards its bytes are values; those that changed are no longer symbolic. */
static void settle(Vm *vm, const Addresses *reached, uint8_t *const *before)
{
    for (uint32_t i = 0; i < reached->len; i++) {
        uint64_t start, address = reached->data[i];
        Object *object = memory_object(&vm->memory, address, &start);
        const uint8_t *now = (const uint8_t *)(uintptr_t)start;
        for (uint64_t k = 0; before[i] && k < object->size; k++)
            if (now[k] != before[i][k]) memory_set_symbolic(&vm->memory, object, k, 0, 0);
        if (object->size < UNTRACKED_BYTES) memory_mark_written(&vm->memory, start, object->size);
    }
}

static uint8_t **copies_of(Vm *vm, const Addresses *reached)
{
    uint8_t **copies = mem_alloc((reached->len + 1) * sizeof *copies);
    for (uint32_t i = 0; i < reached->len; i++) {
        uint64_t start;
        const Object *object = memory_object(&vm->memory, reached->data[i], &start);
        if (!(object->shadow & SHADOW_SYMBOLIC) || memory_shadow(&vm->memory, object)->array) continue;
        copies[i] = mem_alloc(object->size);
        memcpy(copies[i], (const void *)(uintptr_t)start, object->size);
    }
    return copies;
}

/* ---- the call ---- */

typedef struct NativeCall {
    ffi_cif cif;
    ffi_type **types;
    void **arguments;
    union {
        uint64_t words[16];
        long double wide;
    } result;
    Addresses reached;
} NativeCall;

static U128 argument_bits(Vm *vm, const Argument *a)
{
    return vm__concretize(vm, vm__operand(vm, a->value, a->type.width), a->type.width);
}

/* The value as native code wants it; pointers to guest functions become closures. */
static bool gather_one(Vm *vm, const Argument *a, Arena *arena, NativeCall *call, uint32_t i)
{
    U128 *bits = arena_alloc(arena, sizeof *bits);
    *bits = argument_bits(vm, a);
    call->types[i] = type_of(a->type);
    call->arguments[i] = bits;
    if (a->byval_size) {
        if (!vm__check_range(vm, (uint64_t)*bits, a->byval_size, false)) return false;
        call->types[i] = block_type(arena, a->byval_size);
        call->arguments[i] = (void *)(uintptr_t)*bits;
    }
    if (a->type.kind != SCALAR_POINTER) return true;
    const Prepared *target = vm__target(vm, (uint64_t)*bits);
    if (target && target->function->defined) *bits = closure_for(vm, target->function, (uint64_t)*bits);
    else if (target && vm__find_native(vm, target->function->name)) *bits = (uintptr_t)vm__find_native(vm, target->function->name);
    reach(vm, (uint64_t)*bits, &call->reached, 2);
    return true;
}

/* The lanes of a small vector travel together in one register, as a struct of them would. */
static void gather_lanes(Vm *vm, const Argument *a, uint32_t lanes, Arena *arena, NativeCall *call, uint32_t i)
{
    unsigned bytes = a->type.width / 8u;
    uint8_t *packed = arena_alloc(arena, (size_t)bytes * lanes);
    for (uint32_t k = 0; k < lanes; k++) {
        U128 bits = argument_bits(vm, &a[k]);
        memcpy(packed + k * bytes, &bits, bytes);
    }
    call->types[i] = repeated_type(arena, type_of(a->type), lanes);
    call->arguments[i] = packed;
}

static bool gather(Vm *vm, const CallSite *site, Arena *arena, NativeCall *call)
{
    uint32_t n = 0, fixed = 0;
    call->types = arena_alloc(arena, (site->argument_count + 1) * sizeof *call->types);
    call->arguments = arena_alloc(arena, (site->argument_count + 1) * sizeof *call->arguments);
    for (uint32_t k = 0, lanes; k < site->argument_count; k += lanes, n++) {
        const Argument *a = &site->arguments[k];
        lanes = a->type.lanes > 1 ? a->type.lanes : 1;
        if (k < site->fixed_count) fixed++;
        if (lanes * a->type.width > 64 && lanes > 1) {
            vm__stop(vm, VM_UNSUPPORTED, 0, "vectors of more than 64 bits cannot be passed to native code");
            return false;
        }
        if (lanes > 1) gather_lanes(vm, a, lanes, arena, call, n);
        else if (!gather_one(vm, a, arena, call, n)) return false;
    }
    ffi_type *result = result_type(arena, site->results, site->result_count);
    ffi_status status = site->variadic ? ffi_prep_cif_var(&call->cif, FFI_DEFAULT_ABI, fixed, n, result, call->types)
                                       : ffi_prep_cif(&call->cif, FFI_DEFAULT_ABI, n, result, call->types);
    if (status != FFI_OK) vm__stop(vm, VM_UNSUPPORTED, 0, "this call's types cannot be passed to native code");
    return status == FFI_OK;
}

static void take_results(Vm *vm, const Instr *instr, const CallSite *site, NativeCall *call)
{
    const uint8_t *from = (const uint8_t *)&call->result;
    uint32_t reg = instr->dst;
    uint64_t offset = 0;
    for (uint32_t i = 0; i < site->result_count; i++) {
        Scalar type = site->results[i];
        unsigned bytes = (type.width + 7u) / 8, align = bytes > 8 ? 16 : bytes;
        if (align) offset = (offset + align - 1) / align * align;
        U128 bits = 0;
        memcpy(&bits, from + offset, bytes);
        vm__set(vm, reg, type.width, (Value){.bits = bits & arith_mask(type.width)});
        offset += bytes;
        reg += scalar_registers(type);
    }
}

void vm__set_errno(Vm *vm, int number)
{
    const Global *g = program_global(vm->program, "clew__errno");
    if (g && g->defined) vm__store_bytes(vm, vm->symbols[g->symbol], 4, (Value){.bits = (uint32_t)number});
}

/* What the guest has made of its environment is what native code is to see. */
static char **guest_environment(Vm *vm)
{
    const Global *g = program_global(vm->program, "__environ");
    if (!g || !g->defined || vm->symbols[g->symbol] == 0) return environ;
    return *(char ***)(uintptr_t)vm->symbols[g->symbol];
}

void vm__native_call(Vm *vm, const Instr *instr, const CallSite *site, const char *name, void *function)
{
    Arena arena = {0};
    NativeCall call = {0};
    sigjmp_buf landing, *before = guard.landing;
    install();
    vm->native_seen = true;
    vm->stats.native_calls++;
    if (gather(vm, site, &arena, &call)) {
        uint8_t **copies = copies_of(vm, &call.reached);
        uint32_t depth = vm->depth, nested = vm->nested;
        char **world = environ;
        environ = guest_environment(vm);
        errno = 0;
        int number = sigsetjmp(landing, 0);
        if (number == 0) {
            guard.landing = &landing;
            limit_waiting(vm, WAITING_SECONDS);
            ffi_call(&call.cif, FFI_FN(function), &call.result, call.arguments);
        }
        int error = errno;
        limit_waiting(vm, 0);
        guard.landing = before;
        environ = world;
        if (number > 0) {
            vm->depth = depth;
            vm->nested = nested;
            if (number == SIGALRM && vm->options.exploring)
                vm__stop(vm, VM_UNSUPPORTED, 0,
                         "the native function '%s' has not returned for %d seconds: it waits for something outside of the program", name,
                         WAITING_SECONDS);
            else vm__stop(vm, VM_SIGNAL, number, "the native function '%s' died of signal %d (%s)", name, number, strsignal(number));
        } else if (number == 0) {
            settle(vm, &call.reached, copies);
            if (error) vm__set_errno(vm, error);
            take_results(vm, instr, site, &call);
        }
        for (uint32_t i = 0; i < call.reached.len; i++) free(copies[i]);
        free(copies);
    }
    vec_release(&call.reached);
    arena_release(&arena);
}

/* ---- calls for the value alone ---- */

struct NativeSignature {
    ffi_cif cif;
    Scalar result;
    uint32_t count;
    ffi_type *types[];
};

NativeSignature *vm__native_signature(Vm *vm, const Function *function)
{
    NativeSignature *s = arena_alloc(&vm->arena, sizeof *s + function->param_count * sizeof *s->types);
    s->result = function->results[0];
    s->count = function->param_count;
    for (uint32_t i = 0; i < s->count; i++) s->types[i] = type_of(function->params[i].type);
    return ffi_prep_cif(&s->cif, FFI_DEFAULT_ABI, s->count, type_of(s->result), s->types) == FFI_OK ? s : NULL;
}

int vm__native_evaluate(Vm *vm, const NativeSignature *signature, void *function, const U128 *arguments, U128 *result)
{
    sigjmp_buf landing, *before = guard.landing;
    U128 bits = 0;
    void *pointers[MAX_APPLIED];
    REQUIRE(signature->count <= MAX_APPLIED, "too many arguments");
    for (uint32_t i = 0; i < signature->count; i++) pointers[i] = (void *)(uintptr_t)&arguments[i];
    install();
    char **world = environ;
    environ = guest_environment(vm);
    int number = sigsetjmp(landing, 0);
    if (number == 0) {
        guard.landing = &landing;
        ffi_call((ffi_cif *)(uintptr_t)&signature->cif, FFI_FN(function), &bits, pointers);
    }
    guard.landing = before;
    environ = world;
    *result = number == 0 ? bits & arith_mask(signature->result.width) : 0;
    return number;
}
