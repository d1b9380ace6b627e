/* Frames: calls of every kind, returns, allocas, and calls back from native code.
 * Calls that only copy registers are made by the dispatch loop; all others come here. */
#include "base/arith.h"
#include "vm/vm_int.h"

#include <signal.h>

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
    vm__own(vm, address);
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

/* ---- arguments ---- */

typedef struct Passed {
    Value value;
    Scalar type;
    uint64_t byval_size;
    uint32_t byval_align;
} Passed;

Value vm__adapt(Vm *vm, Value value, unsigned from, unsigned to)
{
    if (from == to) return value;
    if (value.e) return (Value){.e = from < to ? expr_zext(vm->pool, value.e, to) : expr_extract(vm->pool, value.e, 0, to)};
    return (Value){.bits = value.bits & arith_mask(to)};
}

/* Where a struct that is passed by value lies is decided before the frame is pushed: a condition begins the call anew.  False: the guest was
 * stopped. */
static bool settle_byval(Vm *vm, Passed *passed)
{
    if (!passed->byval_size) return true;
    if (!passed->value.e) vm__name_directly(vm, (uint64_t)passed->value.bits);
    passed->value = (Value){.bits = vm__concretize(vm, passed->value, passed->type.width)};
    return vm->stop.kind == VM_RUNNING && vm__check_range(vm, (uint64_t)passed->value.bits, passed->byval_size, false);
}

static bool pass_fixed(Vm *vm, const Function *callee, const Passed *passed, uint32_t count)
{
    for (uint32_t i = 0; i < callee->param_count; i++) {
        const Param *param = &callee->params[i];
        Value value = {.e = 0};
        if (i < count) value = vm__adapt(vm, passed[i].value, passed[i].type.width, param->type.width);
        else value.e = vm__undef(vm, param->type.width);
        if (param->byval_size && i < count) {
            uint64_t copy = vm__alloca(vm, param->byval_size, param->byval_align);
            if (!copy || !vm__copy(vm, copy, (uint64_t)vm__concrete(vm, value), param->byval_size)) return false;
            value = (Value){.bits = copy};
        }
        vm__set(vm, param->reg, param->type.width, value);
    }
    return true;
}

/* ---- variadic arguments, as the x86-64 ABI lays them out: six words of the general registers, eight vector registers, the stack ---- */

enum { GENERAL_WORDS = 6, VECTOR_SLOTS = 8, GENERAL_BYTES = 8 * GENERAL_WORDS, SAVE_BYTES = GENERAL_BYTES + 16 * VECTOR_SLOTS };

/* How many scalars from `i` on share one place: the lanes of a vector, or one. */
static uint32_t group(const Passed *passed, uint32_t i, uint32_t count)
{
    uint32_t lanes = passed[i].type.lanes ? passed[i].type.lanes : 1;
    return lanes <= count - i ? lanes : count - i;
}

typedef struct VaPlaces {
    uint32_t general, vector; /* registers used so far */
    uint64_t stack;           /* bytes of the overflow area so far */
    uint64_t align;           /* the largest needed there */
} VaPlaces;

typedef enum VaPlace { VA_GENERAL, VA_VECTOR, VA_STACK } VaPlace;

/* Where the argument goes; *offset is in the save area or in the overflow area. */
static VaPlace place_argument(VaPlaces *places, const Passed *p, uint32_t lanes, uint64_t *offset)
{
    uint64_t bytes = p->byval_size ? p->byval_size : lanes > 1 ? (uint64_t)lanes * p->type.width / 8 : p->type.width > 64 ? 16 : 8;
    bool is_float = p->type.kind == SCALAR_FLOAT || lanes > 1;
    if (!p->byval_size && !is_float && bytes == 8 && places->general < GENERAL_WORDS) {
        *offset = 8 * (uint64_t)places->general++;
        return VA_GENERAL;
    }
    if (!p->byval_size && is_float && p->type.width != 80 && bytes <= 16 && places->vector < VECTOR_SLOTS) {
        *offset = GENERAL_BYTES + 16 * (uint64_t)places->vector++;
        return VA_VECTOR;
    }
    uint64_t align = p->byval_size ? p->byval_align : bytes;
    if (align < 8) align = 8;
    if (align > places->align) places->align = align;
    *offset = (places->stack + align - 1) & ~(align - 1);
    places->stack = *offset + ((bytes + 7) & ~(uint64_t)7);
    return VA_STACK;
}

static bool store_argument(Vm *vm, uint64_t at, const Passed *passed, uint32_t lanes)
{
    if (passed->byval_size) return vm__copy(vm, at, (uint64_t)passed->value.bits, passed->byval_size);
    if (lanes == 1) {
        unsigned width = passed->type.width <= 64 ? 64 : 128;
        vm__store_bytes(vm, at, width / 8, vm__adapt(vm, passed->value, passed->type.width, width));
        return true;
    }
    for (uint32_t k = 0; k < lanes; k++)
        vm__store_bytes(vm, at + (uint64_t)k * passed->type.width / 8, passed->type.width / 8u, passed[k].value);
    return true;
}

/* Goes through the arguments; stores the variadic ones (from `first` on) if `save` is an address.  False: the guest was stopped. */
static bool walk_arguments(Vm *vm, const Passed *passed, uint32_t first, uint32_t count, VaPlaces *places, uint64_t save, uint64_t stack)
{
    for (uint32_t i = 0; i < count; i += group(passed, i, count)) {
        uint32_t lanes = group(passed, i, count);
        uint64_t offset;
        if (i == first) places->stack = 0; /* named arguments on the stack come before the overflow area */
        VaPlace place = place_argument(places, &passed[i], lanes, &offset);
        if (save && i >= first && !store_argument(vm, (place == VA_STACK ? stack : save) + offset, &passed[i], lanes)) return false;
    }
    return true;
}

/* Makes the va_list that va_start will copy. */
static bool pass_variadic(Vm *vm, const Passed *passed, uint32_t first, uint32_t count)
{
    VaPlaces named = {.align = 16}, all = {.align = 16}, again = {.align = 16};
    walk_arguments(vm, passed, first, first, &named, 0, 0);
    walk_arguments(vm, passed, first, count, &all, 0, 0);
    if (first >= count) all.stack = 0;
    uint64_t list = vm__alloca(vm, 24, 16), save = list ? vm__alloca(vm, SAVE_BYTES, 16) : 0;
    uint64_t stack = save ? vm__alloca(vm, all.stack, (uint32_t)all.align) : 0;
    if (!stack || !walk_arguments(vm, passed, first, count, &again, save, stack)) return false;
    uint64_t offsets = 8 * (uint64_t)named.general | (GENERAL_BYTES + 16 * (uint64_t)named.vector) << 32;
    vm__store_bytes(vm, list, 8, (Value){.bits = offsets});
    vm__store_bytes(vm, list + 8, 8, (Value){.bits = stack});
    vm__store_bytes(vm, list + 16, 8, (Value){.bits = save});
    vm__frame(vm)->varargs = list;
    return true;
}

static void enter(Vm *vm, Prepared *target, const Passed *passed, uint32_t count, uint32_t dst)
{
    const Function *callee = target->function;
    if (!vm__push(vm, target, dst)) return;
    if (!pass_fixed(vm, callee, passed, count)) return;
    if (callee->variadic) pass_variadic(vm, passed, callee->param_count < count ? callee->param_count : count, count);
}

static bool is_limited(const Vm *vm, uint64_t address)
{
    uint64_t start;
    return memory_contains(address) && (memory_object(&vm->memory, address, &start)->shadow & OBJECT_LIMITED);
}

/* The same for an isolated function.  There is no state to go back to between its caller and its first instruction, so no condition can be
 * recorded. */
static bool settle_byval_isolated(Vm *vm, Passed *passed)
{
    if (!passed->byval_size) return true;
    if (!passed->value.e) vm__name_directly(vm, (uint64_t)passed->value.bits);
    Expr address = passed->value.e ? vm__settle(vm, passed->value.e) : 0;
    passed->value = (Value){.bits = vm__concrete(vm, passed->value)};
    if (address && !expr_is_const(vm->pool, address)) vm__be_unfit(vm, "it is given a struct at an address that depends on inputs");
    if (is_limited(vm, (uint64_t)passed->value.bits)) vm__be_unfit(vm, "it is given a struct whose end depends on inputs");
    return vm->stop.kind == VM_RUNNING && vm__check_range(vm, (uint64_t)passed->value.bits, passed->byval_size, false);
}

void vm__enter_isolated(Vm *vm, const Function *function, const Expr *arguments, uint32_t dst)
{
    Passed *passed = mem_alloc((function->param_count + 1) * sizeof *passed);
    bool settled = true;
    for (uint32_t i = 0; i < function->param_count && settled; i++) {
        const Param *param = &function->params[i];
        bool constant = expr_is_const(vm->pool, arguments[i]);
        passed[i] = (Passed){.type = param->type, .byval_size = param->byval_size, .byval_align = param->byval_align};
        passed[i].value = constant ? (Value){.bits = expr_value(vm->pool, arguments[i])} : (Value){.e = arguments[i]};
        settled = settle_byval_isolated(vm, &passed[i]);
    }
    if (settled) enter(vm, &vm->prepared[function - vm->program->functions], passed, function->param_count, dst);
    vec__free(passed);
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
    if (!f->defined && !target->builtin) target->native = vm__find_native(vm, f->name);
    vm__find_application(vm, target);
    target->resolved = true;
}

static bool try_builtin(Vm *vm, const Instr *instr, const CallSite *site, const Builtin *builtin)
{
    if (site->argument_count < builtin->min_arguments) return false;
    BuiltinCall call = {.instr = instr, .site = site};
    call.count = site->argument_count < COUNT_OF(call.arguments) ? site->argument_count : COUNT_OF(call.arguments);
    for (uint32_t i = 0; i < call.count; i++) call.arguments[i] = vm__operand(vm, site->arguments[i].value, site->arguments[i].type.width);
    uint32_t depth = vm->depth;
    bool declines = false;
    if (vm__isolated(vm) && !vm__builtin_isolated(vm, builtin, &declines)) return true;
    if (declines) return false;
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
    const Function *callee = target->function;
    Passed *passed = mem_alloc(site->argument_count * sizeof *passed);
    bool settled = true;
    for (uint32_t i = 0; i < site->argument_count && settled; i++) {
        const Argument *a = &site->arguments[i];
        passed[i] = (Passed){vm__operand(vm, a->value, a->type.width), a->type, a->byval_size, a->byval_align};
        if (i < callee->param_count) passed[i].byval_size = callee->params[i].byval_size;
        settled = settle_byval(vm, &passed[i]);
    }
    if (settled) enter(vm, target, passed, site->argument_count, site->result_count ? instr->dst : OPERAND_NONE);
    vec__free(passed);
}

static void call_outside(Vm *vm, Prepared *target, const Instr *instr, const CallSite *site)
{
    const char *name = target->function->name;
    if (!target->native) {
        vm__stop(vm, VM_UNSUPPORTED, 0, "the function '%s' is called but defined nowhere: add the file or library (-l…) that defines it",
                 name);
        return;
    }
    if (vm__isolated(vm)) {
        vm__be_unfit_always(vm, "it calls a native function", name);
        return;
    }
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
    if (target->application && vm__apply(vm, instr, site, target)) return;
    if (vm->stop.kind == VM_RUNNING && vm__stops_call(vm, target)) return;
    if (target->builtin && try_builtin(vm, instr, site, target->builtin)) return;
    if (vm->stop.kind != VM_RUNNING) return;
    if (target->function->defined) call_body(vm, target, instr, site);
    else call_outside(vm, target, instr, site);
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
    if (vm__isolated(vm) && vm->depth == vec_top(&vm->isolation.levels).depth + 1) {
        vm__isolated_return(vm, results.values, results.count);
        return;
    }
    bool stop = frame->stop;
    uint32_t dst = frame->dst;
    if (stop) finish(vm, f, &results);
    vm__pop(vm);
    if (vm->depth <= vm->isolation.trial) vm->isolation.trial = 0;
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
    for (uint32_t i = 0, reg = dst; i < site->result_count && dst != OPERAND_NONE; i++) {
        unsigned width = site->results[i].width;
        Value value = {.e = 0};
        if (i < results.count) value = vm__adapt(vm, results.values[i], f->results[i].width, width);
        else value.e = vm__undef(vm, width);
        vm__set(vm, reg, width, value);
        reg += scalar_registers(site->results[i]);
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
        unsigned width = i < function->param_count ? function->params[i].type.width : 64;
        passed[i] = (Passed){.value = {.bits = arguments[i] & arith_mask(width)}, .type = {.kind = SCALAR_INT, .width = (uint16_t)width}};
    }
    enter(vm, &vm->prepared[function - vm->program->functions], passed, count, OPERAND_NONE);
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
    vm__isolation_undo(vm, 0, 0);
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
    enter(vm, &vm->prepared[function - vm->program->functions], passed, count, OPERAND_NONE);
    vec__free(passed);
    return entered(vm) ? OK : fail(error, "cannot start %s: %s", function->name, vm->stop.message);
}
