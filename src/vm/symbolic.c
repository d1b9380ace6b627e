/* Conditions, decisions and concrete values: where execution meets the current model. */
#include "base/arith.h"
#include "vm/vm_int.h"

#include <stdlib.h>

Expr vm__undef(Vm *vm, unsigned width)
{
    assert(width >= 1 && width <= 128);
    Expr *undef = &vm->undef[width][vm->undefs++ % UNDEFS];
    if (*undef) return *undef;
    *undef = expr_undef(vm->pool, width);
    if (*undef > vm->newest_undef) vm->newest_undef = *undef;
    return *undef;
}

static void forget_undefs(Vm *vm, uint32_t count)
{
    if (vm->newest_undef < count) return;
    for (unsigned width = 0; width < COUNT_OF(vm->undef); width++)
        for (unsigned i = 0; i < UNDEFS; i++)
            if (vm->undef[width][i] >= count) vm->undef[width][i] = 0;
    vm->newest_undef = count - 1;
}

static uint64_t input_key(uint32_t position, unsigned width, const char *name)
{
    return hash_mix(hash_bytes(name, strlen(name)) ^ hash_mix((uint64_t)position << 8 | width));
}

/* Numbers of variables that are gone will be given again, so these must not be found any more. */
static void forget_inputs(Vm *vm, uint32_t count)
{
    for (uint32_t i = 0; i < vm->inputs.len; i++)
        if (vm->inputs.data[i].variable >= count) vm->inputs.data[i].variable = 0;
    while (vm->made_inputs.len && vec_top(&vm->made_inputs).variable >= count) map_remove(&vm->known_inputs, vec_pop(&vm->made_inputs).key);
    vm->newest_input = count - 1;
}

/* Called at every return, so it costs next to nothing where the pool was not rewound. */
void vm__forget_expressions(Vm *vm)
{
    uint32_t count = expr_pool_count(vm->pool);
    forget_undefs(vm, count);
    if (vm->newest_input >= count) forget_inputs(vm, count);
    if (vm->newest_array >= count) {
        map_release(&vm->const_arrays);
        vm->newest_array = 0;
    }
}

Expr vm__expr(Vm *vm, Value value, unsigned width)
{
    return value.e ? value.e : expr_const(vm->pool, width, value.bits);
}

U128 vm__concrete(Vm *vm, Value value)
{
    return value.e ? expr_eval(vm->model, value.e) : value.bits;
}

static void count_branch(Vm *vm, VmTaken *taken)
{
    uint32_t count = ++taken->count;
    if (count & (count - 1) || count >> VM_TAKEN_POWERS) return;
    taken->inputs[__builtin_ctz(count)] = vm->input_count;
}

static void note_seen(Vm *vm, uint32_t branch, uint32_t inputs)
{
    if (!vm->seen[branch]) {
        vm->seen_count++;
        vm->seen_inputs[branch] = inputs;
    }
    vm->seen[branch] = 1;
}

static void doubt(Vm *vm, uint32_t branch)
{
    if (vm->doubted[branch]) return;
    vm->doubted[branch] = 1;
    vec_push(&vm->doubts, ((Doubt){branch, vm->input_count}));
}

void vm__seen(Vm *vm, uint32_t branch)
{
    assert(branch < vm->program->branch_count);
    if (vm->evaluating == EVALUATING_TRIAL) return;
    if (vm->heads) vm__trace_branch(vm, branch);
    if (vm->taken) {
        count_branch(vm, &vm->taken[branch]);
        vm__note_near(vm, branch);
        return;
    }
    if (vm->observer.isolating) {
        vm->observer.branch(vm->observer.data, branch);
        return;
    }
    if (vm->doubts_branches) doubt(vm, branch);
    else note_seen(vm, branch, vm->input_count);
}

void vm__end_doubts(Vm *vm)
{
    bool is_verified = vm->stop.kind == VM_ASSUMPTION && vm->stop.verified;
    for (uint32_t i = 0; i < vm->doubts.len; i++) {
        Doubt d = vm->doubts.data[i];
        if (is_verified) vm->verified_count += !vm->verified[d.branch];
        if (is_verified) vm->verified[d.branch] = 1;
        else note_seen(vm, d.branch, d.inputs);
    }
}

void vm__cut_doubts(Vm *vm, uint32_t length)
{
    while (vm->doubts.len > length) vm->doubted[vec_pop(&vm->doubts).branch] = 0;
}

/* ---- inputs ---- */

enum { MOST_BETWEEN = 64 }; /* other inputs */

static bool is_input(const ExprPool *pool, Expr e, unsigned width, const char *name)
{
    return e && expr_width(pool, e) == width && strcmp(expr_var_name(pool, e), name) == 0;
}

/* The variable that the input of this name has had at this position, on whatever path. */
static Expr known_input(const Vm *vm, uint32_t position, unsigned width, const char *name)
{
    const uint64_t *found = map_find(&vm->known_inputs, input_key(position, width, name));
    return found && is_input(vm->pool, (Expr)*found, width, name) ? (Expr)*found : 0;
}

/* A new input begins as the one of its name before it: what controls something mostly stays as it is for a while. */
static void repeat_value(Vm *vm, uint32_t position, unsigned width, const char *name)
{
    for (uint32_t i = position; i-- > 0 && position - i <= MOST_BETWEEN;) {
        if (!is_input(vm->pool, vm->inputs.data[i].variable, width, name)) continue;
        U128 value = expr_model_get(vm->model, vm->inputs.data[i].variable);
        if (value) expr_model_set(vm->model, vm->inputs.data[position].variable, value);
        return;
    }
}

/* Executed again, a path gets the variables it had, so all of its expressions are the same again, also where other paths have asked for other
 * things in between. */
Expr vm__new_input(Vm *vm, unsigned width, const char *name, char type, uint64_t address)
{
    assert(vm->evaluating == EVALUATING_NOTHING && vm->input_count <= vm->inputs.len);
    if (vm->input_count == vm->inputs.len) vec_push(&vm->inputs, (VmInput){0});
    uint32_t position = vm->input_count++;
    VmInput *input = &vm->inputs.data[position];
    input->type = type;
    input->address = address;
    if (!is_input(vm->pool, input->variable, width, name)) input->variable = known_input(vm, position, width, name);
    if (!input->variable) {
        input->variable = expr_var(vm->pool, width, name);
        vec_push(&vm->made_inputs, ((MadeInput){input_key(position, width, name), input->variable}));
        map_put(&vm->known_inputs, vec_top(&vm->made_inputs).key, input->variable);
        if (input->variable > vm->newest_input) vm->newest_input = input->variable;
        if (vm->depth > 1) repeat_value(vm, position, width, name); /* the harness makes objects, not a sequence */
    }
    if (position < vm->given_count) expr_model_set(vm->model, input->variable, vm->given[position] & arith_mask(width));
    return input->variable;
}

static char *input_name(Vm *vm, InputName name)
{
    char *text = vm__guest_string(vm, name.address), *element = text;
    if (name.is_element) {
        element = mem_format("%s[%llu]", text, (unsigned long long)name.element);
        free(text);
    }
    return element;
}

/* Where branches are counted, constants need no variables: it is only looked at which request it was.  A stub asks at one place for all that a struct
 * consists of, by names whose addresses tell them apart. */
static void skip_input(Vm *vm, InputName name, char type, uint64_t address)
{
    const char *function;
    if (vm->input_count == vm->inputs.len) vec_push(&vm->inputs, (VmInput){0});
    uint64_t request = hash_mix(name.address) + hash_mix((uint64_t)vm__place(vm, &function) << 32 | (uint32_t)name.element);
    vm->inputs.data[vm->input_count++] = (VmInput){.type = type, .address = address, .request = (uint32_t)(request >> 32)};
}

bool vm__is_constant(const Vm *vm, uint32_t position)
{
    return position < vm->given_count && (position < vm->window_from || position >= vm->window_end);
}

Value vm__ask_value(Vm *vm, unsigned width, InputName name, char type, uint64_t address)
{
    uint32_t position = vm->input_count;
    bool is_constant = vm__is_constant(vm, position);
    Value value = {.bits = is_constant ? vm->given[position] & arith_mask(width) : 0};
    if (is_constant && vm->taken) {
        skip_input(vm, name, type, address);
        return value;
    }
    char *text = input_name(vm, name);
    Expr variable = vm__new_input(vm, width, text, type, address);
    free(text);
    if (!is_constant) value.e = variable;
    return value;
}

static bool is_pointer_input(const Vm *vm, Expr e)
{
    const uint64_t *position = map_find(&vm->pointers, e);
    return position && *position < vm->input_count && vm->inputs.data[*position].variable == e && vm->inputs.data[*position].type == 'p';
}

enum { MAX_TERMS = 16 };

static Expr settle(Vm *vm, Expr e, unsigned depth)
{
    ExprPool *pool = vm->pool;
    ExprKind kind = expr_kind(pool, e);
    Expr address = kind == EXPR_VAR && vm__isolated(vm) ? vm->observer.settle(vm->observer.data, e) : 0;
    vm->based |= address != 0;
    if (address) return address;
    if (kind == EXPR_VAR && is_pointer_input(vm, e)) {
        Expr value = expr_const(pool, 64, expr_eval(vm->model, e));
        vm__condition(vm, e, expr_eq(pool, e, value), CONDITION_OBJECT, BUG_OUT_OF_BOUNDS, UINT32_MAX, true);
        return value;
    }
    if (kind != EXPR_ADD || depth == MAX_TERMS) return e;
    Expr a = expr_operand(pool, e, 0), b = expr_operand(pool, e, 1);
    Expr x = settle(vm, a, depth + 1), y = settle(vm, b, depth + 1);
    return x == a && y == b ? e : expr_add(pool, x, y);
}

Expr vm__settle(Vm *vm, Expr e)
{
    if (expr_width(vm->pool, e) != 64 || !(vm->pointers.len || vm__isolated(vm))) return e;
    vm->based = false;
    return settle(vm, e, 0);
}

/* ---- uninitialised values ---- */

bool vm__decided(Vm *vm, Expr e)
{
    return !expr_has_undef(vm->pool, e) || expr_eval(vm->model, expr_defined(&vm->defined, vm->pool, e));
}

/* ---- conditions ---- */

enum { MOST_SAVED_WORDS = 1 << 26 /* half a GiB */ };

void vm_begin_step(Vm *vm)
{
    vm->step = (StepStart){.path = vm->path.len,
                           .inputs = vm->input_count,
                           .undefs = vm->undefs,
                           .observed = vm->observer.position,
                           .depth = vm->depth,
                           .effects = vm->effects,
                           .live_bytes = vm->memory.live_bytes,
                           .instructions = vm->stats.instructions};
}

/* Has the step changed nothing yet but the path, the inputs, the uninitialised values and the log, which a mark sets back? */
static inline bool is_step_untouched(const Vm *vm)
{
    return vm->depth == vm->step.depth && vm->effects == vm->step.effects && vm->memory.live_bytes == vm->step.live_bytes;
}

VmMark vm_mark_ask(Vm *vm, uint64_t *instructions)
{
    bool is_fresh = vm->path.len == vm->step.path && vm->input_count == vm->step.inputs && is_step_untouched(vm);
    *instructions = vm->step.instructions;
    return is_fresh && !vm->nested && !vm->observer.isolating ? vm_mark(vm) : VM_NO_MARK;
}

/* The conditions of one step share a mark: the step begins anew, with the path, the inputs and the uninitialised values it began with. */
static VmMark step_mark(Vm *vm)
{
    for (uint32_t i = vm->step.path; i < vm->path.len; i++)
        if (vm->path.data[i].mark != VM_NO_MARK) return vm->path.data[i].mark;
    assert(is_step_untouched(vm));
    if (vm->saved_frames.len > MOST_SAVED_WORDS) return VM_NO_MARK; /* one further up will do */
    VmMark mark = vm_mark(vm);
    vm->marks.data[mark].path = vm->step.path;
    vm->marks.data[mark].inputs = vm->step.inputs;
    vm->marks.data[mark].undefs = vm->step.undefs;
    vm->marks.data[mark].observed = vm->step.observed;
    return mark;
}

static VmCondition *record(Vm *vm, Expr decides, Expr condition, ConditionKind kind, BugKind bug, uint32_t branch, bool mark)
{
    assert(expr_width(vm->pool, condition) == 1 && expr_eval(vm->model, condition));
    if (vm__is_observed(vm)) vm->observer.condition(vm->observer.data, kind);
    VmMark before = VM_NO_MARK;
    if (mark && vm->options.marks && vm->nested == 0) before = step_mark(vm);
    const char *function;
    VmCondition entry = {
        condition,           decides, (uint8_t)kind, (uint8_t)bug, true, true, branch, vm__place(vm, &function), before, vm_input_count(vm),
        vm__trace_length(vm)};
    vec_push(&vm->path, entry);
    map_put(&vm->on_path, condition, 1);
    vm->effects++;
    vm->step.effects++;
    return &vec_top(&vm->path);
}

/* What stands on the path already divides nothing any more. */
static bool on_path(const Vm *vm, Expr condition)
{
    return map_find(&vm->on_path, condition);
}

void vm__cut_path(Vm *vm, uint32_t length)
{
    vm__forget_implied(vm, length);
    while (vm->path.len > length) map_remove(&vm->on_path, vec_pop(&vm->path).condition);
}

/* That a value which could be uninitialised is not (or is) divides the path too.  False: it is, so no input decides what depends on it. */
bool vm__record_defined(Vm *vm, Expr e)
{
    if (!expr_has_undef(vm->pool, e)) return true;
    Expr is = expr_defined(&vm->defined, vm->pool, e);
    bool holds = expr_eval(vm->model, is);
    Expr found = holds ? is : expr_not(vm->pool, is);
    if (!expr_is_const(vm->pool, is) && !on_path(vm, found))
        record(vm, is, found, CONDITION_CHECK, BUG_UNINITIALIZED, UINT32_MAX, true)->holds = holds;
    return holds;
}

/* Nothing is recorded of what is always so, nor of what uninitialised data decides. */
void vm__condition(Vm *vm, Expr decides, Expr condition, ConditionKind kind, BugKind bug, uint32_t branch, bool mark)
{
    if (expr_is_const(vm->pool, condition) || on_path(vm, condition)) return;
    if (vm__record_defined(vm, decides)) record(vm, decides, condition, kind, bug, branch, mark);
}

void vm__assume(Vm *vm, Expr condition)
{
    bool holds = expr_eval(vm->model, condition) != 0;
    uint32_t before = vm->path.len;
    vm__condition(vm, condition, holds ? condition : expr_not(vm->pool, condition), CONDITION_ASSUME, BUG_NONE, UINT32_MAX, true);
    if (holds) return;
    if (vm->path.len > before && vec_top(&vm->path).kind == CONDITION_ASSUME) vec_top(&vm->path).holds = false;
    vm__stop(vm, VM_ASSUMPTION, 0, "an assumption does not hold");
}

/* A failed check that is only reported leaves nothing on the path, since execution goes on as if it had held. */
bool vm__check(Vm *vm, Expr holds, BugKind bug, bool ends)
{
    bool is = expr_eval(vm->model, holds), divides = ends || vm->options.stop_at_report;
    if (expr_is_const(vm->pool, holds) || (!is && !divides)) return is;
    Expr found = is ? holds : expr_not(vm->pool, holds);
    if (on_path(vm, found) || !vm__record_defined(vm, holds)) return is;
    VmCondition *entry = record(vm, holds, found, CONDITION_CHECK, bug, UINT32_MAX, ends);
    entry->holds = is;
    entry->divides = divides;
    return is;
}

U128 vm__concretize(Vm *vm, Value value, unsigned width)
{
    if (!value.e) return value.bits;
    value.e = vm__settle(vm, value.e);
    U128 bits = expr_eval(vm->model, value.e);
    Expr equal = expr_eq(vm->pool, value.e, expr_const(vm->pool, width, bits));
    vm__condition(vm, value.e, equal, CONDITION_CONCRETE, BUG_NONE, UINT32_MAX, true);
    if (width == 64 && !vm->based) vm__tell_place(vm, PLACE_NAMED, (uint64_t)bits, 0);
    return bits;
}

/* Isolated code always ends at such a branch, because its summary has to say the same for every call. */
void vm__check_decided(Vm *vm, Expr e, const char *what)
{
    const char *function;
    if (vm__decided(vm, e)) return;
    bool in_place = vm->options.stop_at_report && !vm__isolated(vm) && vm->evaluating == EVALUATING_NOTHING;
    if (in_place && (vm->passes_all || vm->by_chance || map_find(&vm->passed, vm__place(vm, &function)))) {
        vm->by_chance = true;
        return;
    }
    vm__report(vm, BUG_UNINITIALIZED, "this %s depends on an uninitialised value", what);
    vm->stop.undecided = in_place && vm->stop.kind == VM_BUG && vm->stop.bug == BUG_UNINITIALIZED;
}

bool vm__decide(Vm *vm, Expr condition, uint32_t yes, uint32_t no)
{
    bool taken = expr_eval(vm->model, condition) != 0;
    uint32_t branch = taken ? yes : no;
    vm->stats.symbolic_instructions++;
    vm__check_decided(vm, condition, "branch");
    vm__condition(vm, condition, taken ? condition : expr_not(vm->pool, condition), CONDITION_BRANCH, BUG_NONE, branch, true);
    if (vm->stop.kind == VM_RUNNING) vm__seen(vm, branch);
    return taken;
}
