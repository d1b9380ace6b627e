/* Frames: calls of every kind, returns, allocas, and calls back from native code.
 * Calls that only copy registers are made by the dispatch loop; all others come here. */
#include "base/arith.h"
#include "vm/vm_int.h"

#include <signal.h>
#include <stdlib.h>

/* ---- allocas ---- */

bool vm__alloca_push(Vm *vm, uint64_t address, uint64_t size)
{
    if (vm->alloca_bytes + size > MAX_ALLOCA_BYTES) {
        uint64_t start;
        memory_free(&vm->memory, memory_object(&vm->memory, address, &start), address);
        return false;
    }
    if (vm->memory.trailing) memory_trail(&vm->memory, TRAIL_STACK_PUSH, &size, 1);
    vec_push(&vm->allocas, address);
    vm->alloca_bytes += size;
    vm__tell_place(vm, PLACE_MADE, address, size);
    return true;
}

void vm__clear_padding(uint64_t address, U128 padding)
{
    uint8_t *bytes = (uint8_t *)(uintptr_t)address;
    for (unsigned k = 0; padding; k++, padding >>= 1)
        if (padding & 1) bytes[k] = 0;
}

uint64_t vm__alloca(Vm *vm, uint64_t size, uint32_t align)
{
    const char *function;
    uint64_t address = size > MAX_ALLOCA_BYTES ? 0 : memory_alloc(&vm->memory, size, align, OBJECT_STACK, vm__place(vm, &function), false);
    if (address && vm__alloca_push(vm, address, size)) return address;
    vm__report(vm, BUG_STACK_OVERFLOW, "%llu more bytes do not fit the stack of %d MiB", (unsigned long long)size, MAX_ALLOCA_BYTES >> 20);
    return 0;
}

void vm__leave_allocas(Vm *vm, uint32_t down_to)
{
    while (vm->allocas.len > down_to) {
        uint64_t address = vec_pop(&vm->allocas), start;
        Object *object = memory_object(&vm->memory, address, &start);
        uint64_t size = object->size;
        vm->alloca_bytes -= size;
        memory_free(&vm->memory, object, start);
        if (vm->memory.trailing) memory_trail(&vm->memory, TRAIL_STACK_POP, (uint64_t[]){address, size}, 2);
    }
}

/* ---- frames ---- */

bool vm__push(Vm *vm, Prepared *target, uint32_t dst)
{
    if (!target->code) vm__prepare(vm, target);
    uint64_t base = 0;
    if (vm->depth > 0) base = vm__frame(vm)->base + vm__frame(vm)->code->registers;
    if (vm->depth >= vm->most_depth || base + target->registers > STACK_REGISTERS) {
        vm__report(vm, BUG_STACK_OVERFLOW, "%u calls deep, in %s", vm->depth, target->function->name);
        return false;
    }
    vm->frames[vm->depth++] = (Frame){.code = target,
                                      .pc = target->code,
                                      .base = base,
                                      .serial = ++vm->serial,
                                      .dst = dst,
                                      .allocas = vm->allocas.len,
                                      .epoch = vm->memory.epoch};
    uint64_t *registers = vm->stack + base;
    for (uint32_t i = 0; i < target->const_count; i++) registers[target->const_first + i] = target->consts[i];
    vm->stats.calls++;
    return true;
}

void vm__pop(Vm *vm)
{
    vm__leave_allocas(vm, vm__frame(vm)->allocas);
    vm->depth--;
    if (vm->depth > 0 && vm->memory.trailing) vm__save_frame(vm, vm__frame(vm));
}

/* ---- structs by value ---- */

/* Where a struct that is passed by value lies is decided before the frame is pushed: a condition begins the call anew.  False: the guest was
 * stopped. */
static bool settle_byval(Vm *vm, Passed *passed)
{
    if (!passed->byval_size) return true;
    if (!passed->value.e) vm__tell_place(vm, PLACE_NAMED, (uint64_t)passed->value.bits, 0);
    passed->value = (Value){.bits = vm__concretize(vm, passed->value, passed->type.width)};
    return vm->stop.kind == VM_RUNNING && vm__check_range(vm, (uint64_t)passed->value.bits, passed->byval_size, false);
}

/* ---- calls ---- */

Prepared *vm__target(Vm *vm, uint64_t address)
{
    uint64_t symbol = (address - CODE_BASE) / 16;
    if (address < CODE_BASE || symbol >= vm->program->symbol_count || address % 16) return NULL;
    const Symbol *found = &vm->program->symbols[symbol];
    return found->kind == SYMBOL_FUNCTION ? &vm->prepared[found->index] : NULL;
}

static void resolve(Vm *vm, Prepared *target)
{
    const Function *f = target->function;
    if (!f->defined || f->in_model) target->builtin = vm__find_builtin(f->name);
    if (target->builtin) {
        Signature own = vm__builtin_signature(&vm->arena, target->builtin);
        if (!f->defined) target->signature = own; /* what the program declares may be anything */
        assert(own.param_count == target->signature.param_count && own.result_count == target->signature.result_count);
    }
    if (!f->defined && !target->builtin) target->native = vm__find_native(vm, f->name);
    vm__find_application(vm, target);
    target->resolved = true;
}

/* The arguments, converted if need be.  False: the run was stopped. */
static bool gather(Vm *vm, const CallSite *site, const Prepared *target, Value *values)
{
    const Signature *s = &target->signature;
    if (vm__same_arguments(site, s)) {
        for (uint32_t i = 0; i < s->param_count; i++) values[i] = vm__operand(vm, site->arguments[i].value, s->params[i].type.width);
        return true;
    }
    Passed *passed = vm__passed(vm, site);
    bool done = vm__convert_arguments(vm, s, target->function->name, passed, site->argument_count, values);
    free(passed);
    return done;
}

/* False: the function's own code is to be executed. */
static bool try_builtin(Vm *vm, const Instr *instr, const CallSite *site, const Prepared *target)
{
    const Builtin *builtin = target->builtin;
    BuiltinCall call = {.instr = instr, .site = site, .signature = &target->signature};
    assert(target->signature.param_count <= COUNT_OF(call.arguments));
    if (!gather(vm, site, target, call.arguments)) return true;
    uint32_t depth = vm->depth;
    if (vm__isolated(vm)) { /* on plain data it would read memory that nobody is told of */
        for (const Builtin *b = vm__string_builtins; b->name; b++)
            if (b == builtin) return false;
        if (!vm->observer.outside(vm->observer.data, OUTSIDE_MACHINE, builtin->name)) return true;
    }
    BuiltinResult result = builtin->call(vm, &call);
    if (result == BUILTIN_DECLINED) return false;
    vm->effects++;
    if (result == BUILTIN_DONE && vm->stop.kind == VM_RUNNING && vm->depth == depth) {
        vm__frame(vm)->pc++;
        if (vm->catches) vm__deliver_signal(vm);
    }
    return true;
}

static void call_body(Vm *vm, Prepared *target, const Instr *instr, const CallSite *site)
{
    Passed *passed = vm__passed(vm, site);
    bool settled = true;
    for (uint32_t i = 0; i < site->argument_count && settled; i++) settled = settle_byval(vm, &passed[i]);
    if (settled) vm__enter(vm, target, passed, site->argument_count, site, site->result_count ? instr->dst : OPERAND_NONE);
    free(passed);
}

static void call_outside(Vm *vm, Prepared *target, const Instr *instr, const CallSite *site)
{
    const char *name = target->function->name;
    if (!target->native) {
        vm__stop(vm, VM_UNSUPPORTED, 0, "the function '%s' is called but defined nowhere: add the file or library (-l…) that defines it",
                 name);
        return;
    }
    if (vm__isolated(vm) && !vm->observer.outside(vm->observer.data, OUTSIDE_NATIVE, name)) return;
    vm__lose(vm, "the native function %s was executed as it is", name);
    vm__native_call(vm, instr, site, name, target->native);
    if (vm->stop.kind != VM_RUNNING) return;
    vm__frame(vm)->pc++;
    if (vm->catches) vm__deliver_signal(vm);
}

void vm__call(Vm *vm, const Instr *instr)
{
    const CallSite *site = &vm__frame(vm)->code->function->calls[instr->imm];
    Prepared *target = site->callee == UINT32_MAX ? NULL : &vm->prepared[site->callee];
    if (!target) {
        uint64_t address = (uint64_t)vm__concretize(vm, vm__operand(vm, instr->a, 64), 64);
        target = vm__target(vm, address);
        if (!target && vm->native_seen && address >= 65536 && !memory_contains(address)) {
            vm__native_call(vm, instr, site, "a native function pointer", (void *)(uintptr_t)address);
            if (vm->stop.kind == VM_RUNNING) vm__frame(vm)->pc++;
            return;
        }
        if (!target) {
            vm__report(vm, address < 65536 ? BUG_NULL_DEREFERENCE : BUG_OUT_OF_BOUNDS, "call of %#llx, which is no function",
                       (unsigned long long)address);
            return;
        }
    }
    if (!target->resolved) resolve(vm, target);
    bool same = vm__same_arguments(site, &target->signature) && vm__same_results(site, &target->signature);
    bool known = target->builtin || target->function->defined; /* of a native function nothing but declarations is */
    if (!same && known) vm__note_types(vm, site, target, vm__frame(vm)->code->calls[instr->imm].result_used);
    if (target->application && same && vm__apply(vm, instr, site, target)) return;
    bool told = vm->stop.kind == VM_RUNNING && same && target->watched && target->function->defined && vm__is_observed(vm);
    if (told && vm->observer.call(vm->observer.data, target->function)) return;
    told &= vm->tells_return;
    vm->tells_return = false;
    if (target->builtin && try_builtin(vm, instr, site, target)) {
        if (told) vm->observer.returned(vm->observer.data, target->function, NULL, 0);
        return;
    }
    if (vm->stop.kind != VM_RUNNING) return;
    uint32_t depth = vm->depth;
    if (target->function->defined) call_body(vm, target, instr, site);
    else call_outside(vm, target, instr, site);
    if (told && vm->depth > depth) vm__frame(vm)->told = true;
}

/* ---- returns ---- */

typedef struct Results {
    Value values[16];
    uint32_t count;
} Results;

static void collect(Vm *vm, const Function *f, const Instr *instr, Results *results)
{
    uint32_t reg = operand_index(instr->a);
    if (instr->a == OPERAND_NONE) return;
    for (uint32_t i = 0; i < f->result_count && i < COUNT_OF(results->values); i++) {
        unsigned width = f->results[i].width;
        results->values[i] = vm__operand(vm, f->result_count == 1 ? instr->a : reg, width);
        reg += scalar_registers(f->results[i]);
        results->count++;
    }
}

static void finish(Vm *vm, const Function *f, const Results *results)
{
    U128 bits = 0;
    unsigned at = 0;
    for (uint32_t i = 0; i < results->count && at + f->results[i].width <= 128; at += f->results[i++].width)
        bits |= vm__concrete(vm, results->values[i]) << at;
    vm->result = bits;
    vm->result_width = results->count ? f->results[0].width : 0;
    vm->result_expression = results->count ? results->values[0].e : 0;
}

void vm__return(Vm *vm, const Instr *instr)
{
    Frame *frame = vm__frame(vm);
    const Function *f = frame->code->function;
    Results results = {0};
    collect(vm, f, instr, &results);
    if (frame->told && vm__returns(vm, f, results.values, results.count)) return;
    bool stop = frame->stop;
    uint32_t dst = frame->dst;
    if (stop) finish(vm, f, &results);
    vm__pop(vm);
    if (stop) {
        if (vm->nested == 0) vm__stop(vm, VM_EXIT, (int)(vm->result & 0xff), "returned from %s", f->name);
        return;
    }
    frame = vm__frame(vm);
    if (dst == OPERAND_NONE) {
        frame->pc++;
        return;
    }
    const Origin *origin = &frame->code->origin[frame->pc - frame->code->code];
    const Instr *call = &frame->code->function->code[origin->instr];
    const CallSite *site = &frame->code->function->calls[call->imm];
    if (f->result_count == 0 && strcmp(f->name, "main") == 0) { /* void main() */
        Scalar status = {.kind = SCALAR_INT, .width = 32};
        vm__take_results(vm, dst, site, &status, &(Value){.bits = 0}, 1);
    } else {
        vm__take_results(vm, dst, site, f->results, results.values, results.count);
    }
    frame->pc++;
}

/* ---- from outside ---- */

/* The frame was just pushed for the arguments; leaving it ends what was started. */
static bool entered(Vm *vm)
{
    if (vm->stop.kind != VM_RUNNING) return false;
    vm__frame(vm)->stop = true;
    return true;
}

static bool start(Vm *vm, const Function *function, const U128 *arguments, uint32_t count)
{
    Passed *passed = mem_alloc((count + 1) * sizeof *passed);
    for (uint32_t i = 0; i < count; i++) {
        Scalar type = i < function->param_count ? function->params[i].type : (Scalar){.kind = SCALAR_INT, .width = 64};
        passed[i] = (Passed){.value = {.bits = arguments[i] & arith_mask(type.width)}, .type = type};
    }
    vm__enter(vm, &vm->prepared[function - vm->program->functions], passed, count, NULL, OPERAND_NONE);
    vec__free(passed);
    return entered(vm);
}

U128 vm__nested(Vm *vm, const Function *function, const U128 *arguments, uint32_t count)
{
    uint32_t depth = vm->depth;
    if (!start(vm, function, arguments, count)) return 0;
    vm->nested++;
    vm__execute(vm, depth);
    vm->nested--;
    return vm->result;
}

/* What ran before is over: its frames, its path and its marks. */
static void abandon(Vm *vm)
{
    vm->memory.trailing = false;
    vec_clear(&vm->memory.trail);
    vec_clear(&vm->marks);
    vec_clear(&vm->saved_frames);
    vm__cut_path(vm, 0);
    if (vm->observer.data) vm->observer.undone(vm->observer.data, 0);
    while (vm->depth > 0) vm__pop(vm);
    vm->undefs = 0;
    vm->input_count = vm->image_inputs;
    vm__forget_observations(vm);
    vm__cut_applied(vm, 0);
    vm__forget_expressions(vm);
    vm->stop = (VmStop){0};
}

Status vm_start_function(Vm *vm, const Function *function, const uint64_t *arguments, uint32_t count, Error *error)
{
    if (!function->defined) return fail(error, "the function %s has no body", function->name);
    abandon(vm);
    U128 *values = mem_alloc((count + 1) * sizeof *values);
    for (uint32_t i = 0; i < count; i++) values[i] = arguments[i];
    bool started = start(vm, function, values, count);
    vec__free(values);
    return started ? OK : fail(error, "cannot start %s: %s", function->name, vm->stop.message);
}

Status vm_start_function_values(Vm *vm, const Function *function, const Expr *arguments, uint32_t count, Error *error)
{
    if (!function->defined) return fail(error, "the function %s has no body", function->name);
    REQUIRE(count == function->param_count, "a value for each parameter");
    abandon(vm);
    Passed *passed = mem_alloc((count + 1) * sizeof *passed);
    for (uint32_t i = 0; i < count; i++) {
        REQUIRE(expr_width(vm->pool, arguments[i]) == function->params[i].type.width, "a value of the parameter's width");
        passed[i] = (Passed){.value = {.e = arguments[i]}, .type = function->params[i].type};
    }
    vm__enter(vm, &vm->prepared[function - vm->program->functions], passed, count, NULL, OPERAND_NONE);
    vec__free(passed);
    return entered(vm) ? OK : fail(error, "cannot start %s: %s", function->name, vm->stop.message);
}
