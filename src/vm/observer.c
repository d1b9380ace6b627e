/* What an observer asks of the machine, and does to it (observer.h). */
#include "vm/vm_int.h"

#include <stdlib.h>

VmObserver *vm_observer(Vm *vm)
{
    return &vm->observer;
}

/* ---- calls ---- */

bool vm_watch_active(Vm *vm)
{
    bool more = false;
    for (uint32_t i = vm->depth; i-- > 1 && !vm->frames[i].checked;) {
        Prepared *p = vm->frames[i].code;
        vm->frames[i].checked = true;
        if (p->watched || p->declined) continue;
        p->watched = more = true;
    }
    return more;
}

void vm_decline(Vm *vm, const Function *function)
{
    Prepared *p = &vm->prepared[function - vm->program->functions];
    p->watched = false;
    p->declined = true;
}

bool vm_is_watched(const Vm *vm, const Function *function)
{
    return vm->prepared[function - vm->program->functions].watched;
}

uint32_t vm_depth(const Vm *vm)
{
    return vm->depth;
}

VmFrame vm_frame(const Vm *vm, uint32_t i)
{
    const Frame *frame = &vm->frames[i];
    Origin origin = frame->code->origin[frame->pc - frame->code->code];
    return (VmFrame){frame->code->function, &frame->code->function->code[origin.instr + origin.instrs - 1]};
}

bool vm_is_active(const Vm *vm, const Function *function)
{
    for (uint32_t i = vm->depth; i-- > 0;)
        if (vm->frames[i].code->function == function) return true;
    return false;
}

static const CallSite *call_site(const Vm *vm)
{
    VmFrame frame = vm_frame(vm, vm->depth - 1);
    return &frame.function->calls[frame.instr->imm];
}

const Function *vm_call_target(const Vm *vm)
{
    const CallSite *site = call_site(vm);
    if (site->callee != UINT32_MAX) return &vm->program->functions[site->callee];
    Vm *mutable = (Vm *)vm;
    Value pointer = vm__operand(mutable, vm_frame(vm, vm->depth - 1).instr->a, 64);
    return vm__target(mutable, (uint64_t)vm__concrete(mutable, pointer))->function;
}

Expr vm_call_argument(Vm *vm, uint32_t i)
{
    const Argument *a = &call_site(vm)->arguments[i]; /* of the parameter's type: other calls are executed in place */
    return vm__expr(vm, vm__operand(vm, a->value, a->type.width), a->type.width);
}

static Value value_of(const Vm *vm, Expr e)
{
    return expr_is_const(vm->pool, e) ? (Value){.bits = expr_value(vm->pool, e)} : (Value){.e = e};
}

void vm_enter_call(Vm *vm, const Expr *arguments)
{
    const Function *f = vm_call_target(vm);
    Passed *passed = mem_alloc((f->param_count + 1) * sizeof *passed);
    bool fine = true;
    for (uint32_t i = 0; i < f->param_count && fine; i++) {
        const Param *p = &f->params[i];
        passed[i] = (Passed){value_of(vm, arguments[i]), p->type, p->byval_size, p->byval_align};
        if (p->byval_size) fine = vm__check_range(vm, (uint64_t)passed[i].value.bits, p->byval_size, false);
    }
    uint32_t dst = call_site(vm)->result_count ? vm_frame(vm, vm->depth - 1).instr->dst : OPERAND_NONE, depth = vm->depth;
    if (fine) vm__enter(vm, &vm->prepared[f - vm->program->functions], passed, f->param_count, NULL, dst);
    if (vm->depth > depth) vm__frame(vm)->told = true;
    free(passed);
}

void vm_tell_return(Vm *vm)
{
    vm->tells_return = true;
}

bool vm__returns(Vm *vm, const Function *function, const Value *results, uint32_t count)
{
    Vec(Expr) values = {0};
    for (uint32_t i = 0; i < count; i++) vec_push(&values, vm__expr(vm, results[i], function->results[i].width));
    vec_reserve(&values, 1); /* NULL has a meaning */
    bool stopped = vm->observer.data && vm->observer.returned(vm->observer.data, function, values.data, count);
    vec_release(&values);
    return stopped;
}

void vm_finish_call(Vm *vm, const Expr *results, uint32_t count)
{
    const CallSite *site = call_site(vm);
    uint32_t reg = vm_frame(vm, vm->depth - 1).instr->dst;
    for (uint32_t i = 0; i < site->result_count; i++) {
        unsigned width = site->results[i].width;
        vm__set(vm, reg, width, value_of(vm, i < count ? results[i] : vm__undef(vm, width)));
        reg += scalar_registers(site->results[i]);
    }
    vm__frame(vm)->pc++;
    vm->effects++;
}

/* ---- the run ---- */

void vm_set_stop(Vm *vm, VmStop stop)
{
    vm->stop = stop;
}

const VmStop *vm_stop(const Vm *vm)
{
    return &vm->stop;
}

void vm_record(Vm *vm, Expr decides, Expr condition, ConditionKind kind)
{
    BugKind bug = kind == CONDITION_OBJECT ? BUG_OUT_OF_BOUNDS : BUG_NONE;
    vm__condition(vm, decides, condition, kind, bug, UINT32_MAX, true);
}

Expr vm_undefined(Vm *vm, unsigned width)
{
    uint32_t undefs = vm->undefs;
    vm->undefs = 0;
    Expr e = vm__undef(vm, width);
    vm->undefs = undefs;
    return e;
}

/* ---- memory ---- */

bool vm_object(const Vm *vm, uint64_t address, VmObject *object)
{
    *object = (VmObject){0};
    if (!memory_contains(address)) return false;
    const Object *o = memory_object(&vm->memory, address, &object->start);
    ObjectKind kind = object_kind(o);
    object->size = o->size;
    object->exists = kind != OBJECT_NONE;
    object->is_live = kind == OBJECT_GLOBAL || kind == OBJECT_STACK || kind == OBJECT_HEAP;
    object->is_heap = kind == OBJECT_HEAP;
    object->is_readonly = o->shadow & OBJECT_READONLY;
    if (o->shadow & OBJECT_LIMITED) object->limit = memory_shadow((Memory *)&vm->memory, o)->limit;
    return true;
}

uint64_t vm_object_start(const Vm *vm, uint64_t address)
{
    uint64_t start = 0;
    if (memory_contains(address)) memory_object(&vm->memory, address, &start);
    return start;
}

Expr vm_read(Vm *vm, uint64_t address, unsigned bytes)
{
    return vm__expr(vm, vm__read_raw(vm, address, bytes), bytes * 8);
}

/* A step that begins anew reads the same, so nothing has changed. */
void vm_replace(Vm *vm, uint64_t address, unsigned bytes, Expr value)
{
    uint64_t effects = vm->effects;
    vm__write_raw(vm, address, bytes, (Value){.e = value});
    vm->effects = effects;
}

void vm_put(Vm *vm, uint64_t address, unsigned bytes, Expr value)
{
    vm__tell_place(vm, PLACE_WRITTEN, address, bytes);
    vm_adopt(vm, value);
    vm__write_raw(vm, address, bytes, value_of(vm, value));
}

Expr vm_settle(Vm *vm, Expr pointer, bool *based)
{
    vm->based = false;
    pointer = vm__settle(vm, pointer);
    *based = vm->based;
    return pointer;
}

Expr vm__limit_of(Vm *vm, const Object *object, uint64_t start)
{
    Expr limit = memory_shadow(&vm->memory, object)->limit;
    return vm__isolated(vm) ? vm->observer.limit(vm->observer.data, start, limit) : limit;
}

uint64_t vm_global_address(const Vm *vm, const char *name)
{
    const Global *global = program_global(vm->program, name);
    return global ? vm->symbols[global->symbol] : 0;
}

bool vm_is_address(uint64_t value)
{
    return value >= CODE_BASE && value < MEM_BASE + MEM_BYTES;
}
