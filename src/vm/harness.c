/* What the harness of a unit asks of the machine (src/unit/unit.h): inputs in memory, pointers that may point to one of several objects,
 * objects whose end depends on inputs.  A look at what the call has left behind: observe.c. */
#include "base/arith.h"
#include "vm/vm_int.h"

#include <stdlib.h>

enum {
    VM_FILLED = 8,         /* elements that clew__fill makes inputs */
    VM_FILLED_MOST = 4096, /* those, and elements behind them that it makes 0.  As many as an array with a length may have. */
    VM_FILLED_SOME = 64    /* the same where their number is symbolic, since each costs expressions.  A guess. */
};

/* ---- inputs ---- */

static void put_input(Vm *vm, uint64_t address, uint64_t object, uint64_t size, char type, InputName name)
{
    unsigned width = (unsigned)size * 8;
    if (type != 'b') {
        vm__store_bytes(vm, address, (unsigned)size, vm__ask_value(vm, width, name, type, object));
        return;
    }
    Value bit = vm__ask_value(vm, 1, name, type, object);
    if (bit.e) bit.e = expr_zext(vm->pool, bit.e, width);
    vm__store_bytes(vm, address, (unsigned)size, bit);
}

static bool start_of(Vm *vm, uint64_t address, uint64_t *start)
{
    if (!memory_contains(address)) return false;
    memory_object(&vm->memory, address, start);
    return true;
}

static BuiltinResult builtin_input(Vm *vm, BuiltinCall *call)
{
    if (!vm__may_ask(vm)) return BUILTIN_DONE;
    uint64_t address = vm__word(vm, call, 0), size = vm__word(vm, call, 1), object;
    REQUIRE(size >= 1 && size <= 16, "an input has 1 to 16 bytes");
    if (!vm__check_range(vm, address, size, true) || !start_of(vm, address, &object)) return BUILTIN_DONE;
    put_input(vm, address, object, size, (char)vm__word(vm, call, 2), (InputName){.address = vm__word(vm, call, 3)});
    return BUILTIN_DONE;
}

static BuiltinResult builtin_inputs(Vm *vm, BuiltinCall *call)
{
    if (!vm__may_ask(vm)) return BUILTIN_DONE;
    uint64_t address = vm__word(vm, call, 0), size = vm__word(vm, call, 1), count = vm__word(vm, call, 2), object;
    REQUIRE(size >= 1 && size <= 16, "an input has 1 to 16 bytes");
    if (!vm__check_range(vm, address, size * count, true) || !start_of(vm, address, &object)) return BUILTIN_DONE;
    uint64_t name = vm__word(vm, call, 4);
    for (uint64_t i = 0; i < count; i++)
        put_input(vm, address + i * size, object, size, (char)vm__word(vm, call, 3), (InputName){name, true, i});
    return BUILTIN_DONE;
}

/* ---- pointers ---- */

/* A new pointer has the first of its values unless the model, or who gives the inputs, says another one. */
static BuiltinResult builtin_pointer(Vm *vm, BuiltinCall *call)
{
    enum { MOST = 64 };
    if (!vm__may_ask(vm)) return BUILTIN_DONE;
    uint64_t count = vm__word(vm, call, 1), table = vm__word(vm, call, 2), choices[MOST];
    REQUIRE(count >= 1 && count <= MOST, "a pointer has 1 to 64 values");
    if (vm_read_guest(vm, table, choices, count * sizeof *choices) != OK) return BUILTIN_DONE;
    char *name = vm__guest_string(vm, vm__word(vm, call, 0));
    Expr input = vm__new_input(vm, 64, name, 'p', 0), any = expr_const(vm->pool, 1, 0);
    free(name);
    map_put(&vm->pointers, input, vm->input_count - 1);
    uint64_t value = (uint64_t)expr_eval(vm->model, input);
    bool known = false;
    for (uint64_t i = 0; i < count; i++) {
        known |= choices[i] == value;
        any = expr_or(vm->pool, any, expr_eq(vm->pool, input, expr_const(vm->pool, 64, choices[i])));
    }
    if (!known) expr_model_set(vm->model, input, choices[0]);
    vm__assume(vm, any);
    vm__give_input(vm, call, input);
    return BUILTIN_DONE;
}

static BuiltinResult builtin_any_memory(Vm *vm, BuiltinCall *call)
{
    (void)call;
    vm->any_memory = true;
    return BUILTIN_DONE;
}

static BuiltinResult builtin_limit(Vm *vm, BuiltinCall *call)
{
    uint64_t address = vm__word(vm, call, 0), start;
    if (!memory_contains(address)) return BUILTIN_DONE;
    Object *object = memory_object(&vm->memory, address, &start);
    Expr bytes = vm__expr(vm, call->arguments[1], 64);
    vm__assume(vm, expr_binary(vm->pool, EXPR_ULE, bytes, expr_const(vm->pool, 64, object->size)));
    if (vm->stop.kind == VM_RUNNING) vm__limit(vm, object, bytes);
    return BUILTIN_DONE;
}

/* ---- bounds ---- */

static void remember_bound(Vm *vm, VmBound bound)
{
    for (uint32_t i = 0; i < vm->bounds.len; i++)
        if (vm->bounds.data[i].last == bound.last) return;
    vec_push(&vm->bounds, bound);
}

static bool is_met(Vm *vm, const VmBound *bound, const VmStop *stop)
{
    uint64_t end;
    if (bound->last >= vm->input_count) return false;
    switch (bound->kind) {
    case BOUND_OF_TEXT: return expr_eval(vm->model, vm->inputs.data[bound->last].variable) != 0;
    case BOUND_OF_ARRAY: return stop->kind == VM_BUG && stop->object == bound->address && stop->offset == (int64_t)bound->bytes;
    default: return vm__live_end(vm, bound->address, &end) && end - bound->address > bound->bytes;
    }
}

bool vm_meets_bound(Vm *vm, const VmStop *stop)
{
    for (uint32_t i = 0; i < vm->bounds.len; i++)
        if (is_met(vm, &vm->bounds.data[i], stop)) return true;
    return false;
}

static void end_object(Vm *vm, uint64_t address, uint64_t bytes)
{
    uint64_t start;
    if (!memory_contains(address)) return;
    Object *object = memory_object(&vm->memory, address, &start), shorter = *object;
    if (start != address || object->size < bytes) return;
    shorter.size = bytes;
    memory_set_object(&vm->memory, object, shorter);
}

static BuiltinResult builtin_bound(Vm *vm, BuiltinCall *call)
{
    uint64_t usual = vm__word(vm, call, 1), most = vm__word(vm, call, 2), element = vm__word(vm, call, 3), least = vm__word(vm, call, 4);
    uint64_t bound = most >> vm->options.doublings >= usual ? usual << vm->options.doublings : most, address = vm__word(vm, call, 0);
    bool text = vm__word(vm, call, 5);
    uint64_t needed = (bound + text) * element;
    VmBound made = {.last = vm->input_count + (uint32_t)bound - 1, .address = address, .bytes = bound * element};
    made.kind = !least ? BOUND_OF_LENGTH : text ? BOUND_OF_TEXT : BOUND_OF_ARRAY;
    if (bound < most) remember_bound(vm, made);
    if (least) end_object(vm, address, needed > least ? needed : least);
    vm__give(vm, call, bound);
    return BUILTIN_DONE;
}

uint32_t vm_doublings(const Vm *vm)
{
    return vm->options.doublings;
}

void vm_set_doublings(Vm *vm, uint32_t doublings)
{
    if (doublings != vm->options.doublings) vec_clear(&vm->bounds);
    vm->options.doublings = doublings;
}

/* ---- what a function that nothing defines writes ---- */

typedef struct Filling {
    uint64_t address, size; /* of an element */
    bool text;              /* the last of them is 0; but where nothing says how many, a single one is a character */
    bool sized;             /* something does */
    uint64_t count;         /* there is no element after so many */
    uint64_t offset;
    Expr limit, most; /* of the object, in bytes from its start; of what is to be filled, in elements */
} Filling;

/* Is there an element i? */
static Expr fits(Vm *vm, const Filling *f, uint64_t i)
{
    ExprPool *pool = vm->pool;
    if (i >= f->count) return expr_const(pool, 1, 0);
    Expr inside = expr_binary(pool, EXPR_ULE, expr_const(pool, 64, f->offset + (i + 1) * f->size), f->limit);
    return expr_and(pool, inside, expr_binary(pool, EXPR_ULT, expr_const(pool, 64, i), f->most));
}

/* Elements that lie in the live object there and are no more than `most`.  Where nothing says how many there are, something in the middle of
 * an object is a member of a struct, and only that one is written. */
static void find_room(Vm *vm, Filling *f, Expr most)
{
    ExprPool *pool = vm->pool;
    uint64_t start, end;
    f->most = most;
    if (!vm__live_end(vm, f->address, &end)) return;
    const Object *object = memory_object(&vm->memory, f->address, &start);
    uint64_t offset = f->address - start;
    if (object->shadow & OBJECT_READONLY || offset >= object->size) return;
    bool limited = object->shadow & OBJECT_LIMITED;
    uint64_t room = (object->size - offset) / f->size, bound = VM_FILLED;
    if (f->sized) bound = limited || !expr_is_const(pool, most) ? VM_FILLED_SOME : VM_FILLED_MOST;
    f->limit = limited ? memory_shadow(&vm->memory, object)->limit : expr_const(pool, 64, object->size);
    f->offset = offset;
    f->count = room < bound ? room : bound;
    if (!f->sized && offset && !f->text && f->count > 1) f->count = 1;
}

static Expr element_there(Vm *vm, uint64_t address, uint64_t size)
{
    Expr e = vm__expr(vm, vm__load_byte(vm, address + size - 1), 8);
    for (uint64_t k = size - 1; k-- > 0;) e = expr_binary(vm->pool, EXPR_CONCAT, e, vm__expr(vm, vm__load_byte(vm, address + k), 8));
    return e;
}

static void fill_element(Vm *vm, const Filling *f, uint64_t i, Expr input)
{
    ExprPool *pool = vm->pool;
    unsigned width = (unsigned)f->size * 8;
    Expr there = fits(vm, f, i), value = input;
    bool always = expr_is_const(pool, there);
    if (always && !expr_value(pool, there)) return;
    if (f->text && (i > 0 || f->sized)) value = expr_ite(pool, fits(vm, f, i + 1), value, expr_const(pool, width, 0));
    uint64_t address = f->address + i * f->size;
    if (!always) value = expr_ite(pool, there, value, element_there(vm, address, f->size));
    vm__store_bytes(vm, address, (unsigned)f->size, (Value){.e = value});
}

/* How many there are is an input too, with the one value that it can have: so the record tells it. */
static void put_count(Vm *vm, const Filling *f, const char *name)
{
    ExprPool *pool = vm->pool;
    Expr sum = expr_const(pool, 64, 0);
    for (uint64_t i = 0; i < f->count; i++) sum = expr_add(pool, sum, expr_zext(pool, fits(vm, f, i), 64));
    char *text = mem_format("%s.count", name);
    Expr count = vm__new_input(vm, 64, text, 'u', 0);
    free(text);
    expr_model_set(vm->model, count, expr_eval(vm->model, sum));
    vm__assume(vm, expr_eq(pool, count, sum));
}

/* Always as many inputs, whether there is room for them or not, so that those of several calls are told apart. */
static BuiltinResult builtin_fill(Vm *vm, BuiltinCall *call)
{
    if (!vm__may_ask(vm)) return BUILTIN_DONE;
    Filling f = {.address = vm__word(vm, call, 0), .size = vm__word(vm, call, 1)};
    uint64_t how = vm__word(vm, call, 5);
    REQUIRE(f.size >= 1 && f.size <= 16, "an input has 1 to 16 bytes");
    f.text = how & 1;
    f.sized = how & 2;
    find_room(vm, &f, vm__expr(vm, call->arguments[2], 64));
    char *name = vm__guest_string(vm, vm__word(vm, call, 4));
    put_count(vm, &f, name);
    for (uint64_t i = 0; i < VM_FILLED && vm->stop.kind == VM_RUNNING; i++) {
        char *element = mem_format("%s[%llu]", name, (unsigned long long)i);
        fill_element(vm, &f, i, vm__new_input(vm, (unsigned)f.size * 8, element, (char)vm__word(vm, call, 3), 0));
        free(element);
    }
    for (uint64_t i = VM_FILLED; i < f.count && vm->stop.kind == VM_RUNNING; i++)
        fill_element(vm, &f, i, expr_const(vm->pool, (unsigned)f.size * 8, 0));
    free(name);
    return BUILTIN_DONE;
}

/* ---- a program's own inputs ---- */

static BuiltinResult builtin_argument_limit(Vm *vm, BuiltinCall *call)
{
    vm__give(vm, call, vm->options.symbolic_arguments);
    return BUILTIN_DONE;
}

static BuiltinResult builtin_variable_is_set(Vm *vm, BuiltinCall *call)
{
    uint64_t i = vm__word(vm, call, 0);
    if (i >= vm->options.symbolic_environment_count) {
        vm__give(vm, call, UINT64_MAX);
        return BUILTIN_DONE;
    }
    char *name = mem_format("$%s.set", vm->options.symbolic_environment[i].path);
    Expr set = vm__new_input(vm, 1, name, 'b', 0);
    free(name);
    vm__give_input(vm, call, set);
    return BUILTIN_DONE;
}

/* No request for an input: a run is never left here, since a test has nothing to stop it. */
static BuiltinResult builtin_may_fail(Vm *vm, BuiltinCall *call)
{
    if (vm->returned || vm->evaluating) {
        vm__give(vm, call, 0);
        return BUILTIN_DONE;
    }
    if (vm__is_asked_by_program(vm) && vm->input_count < vm->first_asked) vm->first_asked = vm->input_count;
    Value fails = vm__ask_value(vm, 1, (InputName){.address = vm__word(vm, call, 0)}, 'b', 0);
    if (fails.e) vm__give_input(vm, call, fails.e);
    else vm__give(vm, call, (uint64_t)fails.bits);
    return BUILTIN_DONE;
}

const Builtin vm__harness_builtins[] = {
    {"clew__input", builtin_input, "vplip"},
    {"clew__inputs", builtin_inputs, "vpllip"},
    {"clew__pointer", builtin_pointer, "ppip"},
    {"clew__any_memory", builtin_any_memory, "v"},
    {"clew__limit", builtin_limit, "vpl"},
    {"clew__bound", builtin_bound, "lplllli"},
    {"clew__fill", builtin_fill, "vpllipi"},
    {"clew__argument_limit", builtin_argument_limit, "i"},
    {"clew__variable_is_set", builtin_variable_is_set, "ii"},
    {"clew__may_fail", builtin_may_fail, "ip"},
    {NULL, NULL, NULL},
};
