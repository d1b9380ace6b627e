/* Conditions, decisions and concrete values: where execution meets the current model. */
#include "base/arith.h"
#include "vm/vm_int.h"

Expr vm__undef(Vm *vm, unsigned width)
{
    assert(width >= 1 && width <= 128);
    if (!vm->undef[width]) vm->undef[width] = expr_undef(vm->pool, width);
    return vm->undef[width];
}

Expr vm__expr(Vm *vm, Value value, unsigned width)
{
    return value.e ? value.e : expr_const(vm->pool, width, value.bits);
}

U128 vm__concrete(Vm *vm, Value value)
{
    return value.e ? expr_eval(vm->model, value.e) : value.bits;
}

void vm__seen(Vm *vm, uint32_t branch)
{
    assert(branch < vm->program->branch_count);
    vm->seen[branch] = 1;
}

/* Nothing is recorded of what is always so, nor of what depends on uninitialised data (no input decides that). */
void vm__condition(Vm *vm, Expr condition, ConditionKind kind, BugKind bug, uint32_t branch, bool mark)
{
    if (expr_is_const(vm->pool, condition) || expr_has_undef(vm->pool, condition)) return;
    assert(expr_width(vm->pool, condition) == 1);
    VmMark before = VM_NO_MARK;
    if (mark && vm->options.marks && vm->nested == 0) before = vm_mark(vm);
    const char *function;
    VmCondition entry = {condition, (uint8_t)kind, (uint8_t)bug, branch, vm__place(vm, &function), before};
    vec_push(&vm->path, entry);
    vm->effects++;
}

U128 vm__concretize(Vm *vm, Value value, unsigned width)
{
    if (!value.e) return value.bits;
    U128 bits = expr_eval(vm->model, value.e);
    Expr equal = expr_eq(vm->pool, value.e, expr_const(vm->pool, width, bits));
    vm__condition(vm, equal, CONDITION_CONCRETE, BUG_NONE, UINT32_MAX, true);
    return bits;
}

bool vm__decide(Vm *vm, Expr condition, uint32_t yes, uint32_t no)
{
    bool taken = expr_eval(vm->model, condition) != 0;
    uint32_t branch = taken ? yes : no;
    vm->stats.symbolic_instructions++;
    if (expr_has_undef(vm->pool, condition)) vm__report(vm, BUG_UNINITIALIZED, "this branch depends on an uninitialised value");
    else vm__condition(vm, taken ? condition : expr_not(vm->pool, condition), CONDITION_BRANCH, BUG_NONE, branch, true);
    vm__seen(vm, branch);
    return taken;
}
