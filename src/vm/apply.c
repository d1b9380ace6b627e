/* Real functions inside expressions: a call with symbolic arguments of a function that the user has marked (or of a native function of the
 * user's own libraries) becomes an application node instead of being executed on expressions.  See Păsăreanu, Rungta and Visser, "Symbolic
 * Execution with Mixed Concrete-Symbolic Solving", sections 3 and 4; the solver's part is solve/mixed.c.
 *
 * Evaluating such a node executes the function on values, whenever a model is tried: in the middle of an instruction or while the machine
 * stands still.  So an evaluation suspends the machine and afterwards puts back all of it: memory along the trail, frames, path, counts,
 * the reason for having stopped.  The lines that it saved are forgotten again, so that it takes no epoch away from the marks.
 *
 * At the call, and again when the path is continued under another model, the function is executed for real: its reports and the branches it
 * takes are those of the path.  If it ends there (a bug, exit) the path ends so, as it would natively, with a condition on the arguments.
 * While models are only tried an evaluation that has no result counts, is noted once, and gives 0. */
#include "base/arith.h"
#include "vm/vm_int.h"

#include <dlfcn.h>
#include <stdlib.h>

enum { EVALUATION_STEPS = 10000000, EVALUATION_DEPTH = 8, MEMO_START = 64, MEMO_MOST = 1 << 16 };

/* ---- which functions ---- */

static bool is_number(Scalar type)
{
    return type.kind != SCALAR_POINTER && type.width <= 128;
}

/* A result in several scalars (an __int128 is two) is one to the solver, the first scalar lowest; 0: it cannot be. */
static unsigned result_width(const Function *f)
{
    unsigned width = 0;
    for (uint32_t i = 0; i < f->result_count; i++) {
        if (!is_number(f->results[i])) return 0;
        width += f->results[i].width;
    }
    return width <= 128 && (f->defined || f->result_count == 1) ? width : 0;
}

/* Why not; NULL: it can be one. */
static const char *unfit(const Function *f)
{
    if (f->variadic) return "takes a variable number of arguments";
    if (result_width(f) == 0) return "does not return a number";
    if (f->param_count == 0) return "has no parameters";
    if (f->param_count > MAX_APPLIED) return "has too many parameters";
    for (uint32_t i = 0; i < f->param_count; i++) {
        if (!is_number(f->params[i].type)) return "takes a pointer";
        if (!f->defined && f->params[i].type.lanes > 1) return "takes a vector";
    }
    return !f->defined && f->results[0].lanes > 1 ? "returns a vector" : NULL;
}

bool vm__note_unfit(Vm *vm, Prepared *target)
{
    const char *why = unfit(target->function);
    if (why && !target->unfit_noted && target->function->param_count > 0) {
        target->unfit_noted = true;
        vm__note(vm, "the function '%s' is marked as concrete but %s: it is executed as any other", target->function->name, why);
    }
    return why;
}

/* A static function may have got a number behind its name when files were linked. */
static bool is_named(const Function *f, const char *name)
{
    size_t n = strlen(name);
    if (strncmp(f->name, name, n) != 0) return false;
    const char *rest = f->name + n;
    return !*rest || (f->internal && *rest == '.' && rest[1] && strspn(rest + 1, "0123456789") == strlen(rest + 1));
}

void vm__mark_functions(Vm *vm)
{
    const Program *program = vm->program;
    if (!vm->options.exploring) return;
    for (uint32_t i = 0; i < program->function_count; i++) vm->prepared[i].marked = program->functions[i].concrete;
    for (uint32_t k = 0; k < vm->options.concrete_count; k++) {
        bool found = false;
        for (uint32_t i = 0; i < program->function_count; i++) {
            if (!is_named(&program->functions[i], vm->options.concrete[k])) continue;
            vm->prepared[i].marked = found = true;
        }
        if (!found) vm__note(vm, "the program calls no function '%s' that could be concrete", vm->options.concrete[k]);
    }
}

/* From a library that the user has named: not the system's, not Clew itself. */
static bool is_users(void *function)
{
    static const char *const systems[] = {"libc.so",     "libm.so",    "libpthread.so", "libdl.so",  "librt.so",
                                          "libgcc_s.so", "libmvec.so", "ld-linux",      "linux-vdso"};
    Dl_info there, here;
    if (!dladdr(function, &there) || !there.dli_fname || !dladdr((void *)(uintptr_t)vm__find_application, &here)) return false;
    const char *slash = strrchr(there.dli_fname, '/'), *name = slash ? slash + 1 : there.dli_fname;
    for (size_t i = 0; i < COUNT_OF(systems); i++)
        if (strncmp(name, systems[i], strlen(systems[i])) == 0) return false;
    return there.dli_fbase != here.dli_fbase;
}

static U128 call_memoised(void *data, const U128 *arguments, uint32_t count);

static U128 call_pure(void *data, const U128 *arguments, uint32_t count)
{
    (void)count;
    return vm__pure_value(data, arguments);
}

void vm__find_application(Vm *vm, Prepared *target)
{
    const Function *f = target->function;
    bool native = !f->defined && !target->builtin && target->native;
    const struct PureFunction *pure = native && !unfit(f) ? vm__find_pure(f) : NULL;
    if (!pure && target->marked && (vm__note_unfit(vm, target) || !(native || f->defined))) return;
    if (!pure && !target->marked && !(native && vm->options.exploring && !unfit(f) && is_users(target->native))) return;
    NativeSignature *signature = native ? vm__native_signature(vm, f) : NULL;
    if (native && !signature) return;
    Application *a = arena_alloc(&vm->arena, sizeof *a);
    *a = (Application){
        .expr = {f->name, pure ? call_pure : call_memoised, a}, .vm = vm, .target = target, .pure = pure, .signature = signature};
    a->uniform = vm__is_uniform(f);
    a->bad_partitions = arena_alloc(&vm->arena, f->partition_count + 1);
    vec_push(&vm->applications, a);
    target->application = a;
}

/* ---- results known already ---- */

/* One slot for each hash: the newer of two that collide stays, once the table is as large as it may be. */
typedef struct Memo {
    uint32_t capacity, count, width; /* width: arguments of an entry */
    struct MemoEntry {
        U128 bits;
        uint8_t how; /* Evaluating; NOTHING: empty */
    } * entries;
    U128 *arguments;
} Memo;

static Memo *memo_new(uint32_t capacity, uint32_t width)
{
    Memo *memo = mem_alloc(sizeof *memo);
    *memo = (Memo){.capacity = capacity, .width = width};
    memo->entries = mem_alloc(capacity * sizeof *memo->entries);
    memo->arguments = mem_alloc((size_t)capacity * width * sizeof *memo->arguments);
    return memo;
}

static void memo_free(Memo *memo)
{
    if (!memo) return;
    free(memo->entries);
    free(memo->arguments);
    free(memo);
}

static uint32_t memo_slot(const Memo *memo, const U128 *arguments)
{
    uint64_t hash = hash_bytes(arguments, memo->width * sizeof *arguments);
    return (uint32_t)hash_mix(hash) & (memo->capacity - 1);
}

static struct MemoEntry *memo_find(const Memo *memo, const U128 *arguments)
{
    if (!memo) return NULL;
    uint32_t slot = memo_slot(memo, arguments);
    struct MemoEntry *entry = &memo->entries[slot];
    if (!entry->how || memcmp(memo->arguments + (size_t)slot * memo->width, arguments, memo->width * sizeof *arguments) != 0) return NULL;
    return entry;
}

static void memo_put(Memo *memo, const U128 *arguments, struct MemoEntry entry)
{
    uint32_t slot = memo_slot(memo, arguments);
    memo->count += memo->entries[slot].how == EVALUATING_NOTHING;
    memo->entries[slot] = entry;
    memcpy(memo->arguments + (size_t)slot * memo->width, arguments, memo->width * sizeof *arguments);
}

static Memo *memo_larger(Memo *old)
{
    if (old->capacity >= MEMO_MOST || old->count * 2 < old->capacity) return old;
    Memo *memo = memo_new(old->capacity * 2, old->width);
    for (uint32_t i = 0; i < old->capacity; i++)
        if (old->entries[i].how) memo_put(memo, old->arguments + (size_t)i * old->width, old->entries[i]);
    memo_free(old);
    return memo;
}

void vm__release_applications(Vm *vm)
{
    for (uint32_t i = 0; i < vm->applications.len; i++) memo_free(vm->applications.data[i]->memo);
}

/* ---- the machine steps aside ---- */

typedef struct Suspended {
    VmStop stop;
    VmStats stats;
    U128 result;
    uint32_t result_width;
    Expr result_expression;
    uint64_t serial, effects, step_limit, peak_bytes;
    StepStart step;
    uint32_t depth, nested, undefs, input_count, path, trail, allocas, epoch, frame_epoch;
    bool trailing, quiet_output, native_seen, evaluated_more;
    Evaluating evaluating;
    __typeof__(((Vm *)0)->progress) progress;
} Suspended;

static void suspend(Vm *vm, Suspended *s, Evaluating how)
{
    Memory *memory = &vm->memory;
    *s = (Suspended){.stop = vm->stop,
                     .stats = vm->stats,
                     .result = vm->result,
                     .result_width = vm->result_width,
                     .result_expression = vm->result_expression,
                     .serial = vm->serial,
                     .effects = vm->effects,
                     .step_limit = vm->options.step_limit,
                     .peak_bytes = memory->peak_bytes,
                     .depth = vm->depth,
                     .nested = vm->nested,
                     .undefs = vm->undefs,
                     .input_count = vm->input_count,
                     .path = vm->path.len,
                     .step = vm->step,
                     .trail = memory->trail.len,
                     .allocas = vm->allocas.len,
                     .epoch = memory->epoch,
                     .frame_epoch = vm->depth ? vm__frame(vm)->epoch : 0,
                     .trailing = memory->trailing,
                     .quiet_output = vm->options.quiet_output,
                     .native_seen = vm->native_seen,
                     .evaluated_more = vm->evaluated_more,
                     .evaluating = vm->evaluating,
                     .progress = vm->progress};
    REQUIRE(memory->epoch + 1 != 0, "too many marks");
    memory->epoch++;
    memory->trailing = true;
    if (vm->depth) vm__frame(vm)->epoch = memory->epoch; /* it is not returned into */
    memset(&vm->progress, 0, sizeof vm->progress);
    vm->stop = (VmStop){0};
    vm->options.step_limit = vm->stats.instructions + EVALUATION_STEPS;
    vm->options.quiet_output = true;
    vm->evaluating = how;
    vm->evaluated_more = false;
    vm->evaluations++;
}

static void resume(Vm *vm, const Suspended *s)
{
    Memory *memory = &vm->memory;
    vm->evaluations--;
    vm__undo(vm, s->trail, true);
    assert(vm->allocas.len == s->allocas);
    vm__cut_path(vm, s->path);
    free(vm->progress.registers);
    vm->progress = s->progress;
    vm->stop = s->stop;
    vm->stats = s->stats;
    vm->result = s->result;
    vm->result_width = s->result_width;
    vm->result_expression = s->result_expression;
    vm->serial = s->serial;
    vm->effects = s->effects;
    vm->options.step_limit = s->step_limit;
    vm->options.quiet_output = s->quiet_output;
    vm->depth = s->depth;
    vm->nested = s->nested;
    vm->undefs = s->undefs;
    vm->input_count = s->input_count;
    vm->step = s->step;
    vm->native_seen = s->native_seen;
    vm->evaluated_more = s->evaluated_more;
    vm->evaluating = s->evaluating;
    memory->peak_bytes = s->peak_bytes;
    memory->epoch = s->epoch;
    memory->trailing = s->trailing;
    if (vm->depth) vm__frame(vm)->epoch = s->frame_epoch;
}

/* ---- evaluation ---- */

static void note_fault(Vm *vm, Application *a, const char *why)
{
    if (a->fault_noted) return;
    a->fault_noted = true;
    vm__note(vm, "the function '%s', marked as concrete, has no result for some arguments, where 0 is taken for it: %s", a->expr.name, why);
}

static void note_more(Vm *vm, Application *a)
{
    if (a->more_noted) return;
    a->more_noted = true;
    vm__note(
        vm, "the function '%s', marked as concrete, depends on inputs that are not its arguments: they are taken as they are at the moment",
        a->expr.name);
}

static struct MemoEntry execute(Application *a, const U128 *arguments, Evaluating how, VmStop *stop)
{
    Vm *vm = a->vm;
    const Function *f = a->target->function;
    struct MemoEntry entry = {.how = (uint8_t)how};
    Suspended suspended;
    suspend(vm, &suspended, how);
    if (a->signature) {
        int number = vm__native_evaluate(vm, a->signature, a->target->native, arguments, &entry.bits);
        if (number > 0)
            vm__stop(vm, VM_SIGNAL, number, "the native function '%s' died of signal %d (%s)", f->name, number, strsignal(number));
    } else {
        entry.bits = vm__nested(vm, f, arguments, f->param_count) & arith_mask(result_width(f));
    }
    *stop = vm->stop;
    bool more = vm->evaluated_more;
    resume(vm, &suspended);
    if (more) note_more(vm, a);
    if (more || stop->kind == VM_TIME) entry.how = EVALUATING_NOTHING; /* not to be kept */
    vm->stats.applications++;
    if (stop->kind == VM_RUNNING) return entry;
    entry.bits = 0;
    vm->stats.application_faults++;
    if (how == EVALUATING_TRIAL || stop->kind == VM_STEPS) note_fault(vm, a, stop->message);
    if (stop->kind != VM_STEPS && entry.how) entry.how = EVALUATING_TRIAL; /* how it ends will be asked again */
    return entry;
}

/* The bits of the result.  For real also, in *stop, why there is none; VM_RUNNING: there is. */
static U128 evaluate(Application *a, const U128 *arguments, Evaluating how, VmStop *stop)
{
    const struct MemoEntry *known = memo_find(a->memo, arguments);
    stop->kind = VM_RUNNING;
    if (known && known->how >= how) return known->bits;
    if (a->vm->evaluations >= EVALUATION_DEPTH) {
        note_fault(a->vm, a, "its value depends on itself");
        return 0;
    }
    struct MemoEntry entry = execute(a, arguments, how, stop);
    if (stop->kind == VM_STEPS) stop->kind = VM_RUNNING; /* 0 it is */
    if (!entry.how) return entry.bits;
    a->memo = a->memo ? memo_larger(a->memo) : memo_new(MEMO_START, a->target->function->param_count);
    memo_put(a->memo, arguments, entry);
    return entry.bits;
}

/* The arguments are the evaluating model's, which an evaluation within this one may use again. */
static U128 call_memoised(void *data, const U128 *arguments, uint32_t count)
{
    U128 copy[MAX_APPLIED];
    REQUIRE(count <= MAX_APPLIED, "too many arguments");
    memcpy(copy, arguments, count * sizeof *copy);
    VmStop stop;
    return evaluate(data, copy, EVALUATING_TRIAL, &stop);
}

/* ---- for real ---- */

/* The path ends in the function, as it would natively.  That is so for these arguments; others are another way. */
static void end_path(Vm *vm, const Expr *arguments, const U128 *bits, uint32_t count, const VmStop *stop)
{
    Expr same = expr_const(vm->pool, 1, 1);
    for (uint32_t i = 0; i < count; i++) {
        Expr value = expr_const(vm->pool, expr_width(vm->pool, arguments[i]), bits[i]);
        same = expr_and(vm->pool, same, expr_eq(vm->pool, arguments[i], value));
    }
    vm__check(vm, expr_not(vm->pool, same), stop->kind == VM_BUG ? stop->bug : BUG_NONE, true);
    if (vm->stop.kind == VM_RUNNING) vm->stop = *stop;
    vm->stop.in_real = true;
}

/* Executes the application as the path does.  False: the path has ended, or (UNSUPPORTED) it cannot be executed this way. */
static bool confirm(Vm *vm, Application *a, const Expr *arguments, VmStop *stop)
{
    uint32_t count = a->target->function->param_count;
    U128 bits[MAX_APPLIED];
    for (uint32_t i = 0; i < count; i++) bits[i] = expr_eval(vm->model, arguments[i]);
    evaluate(a, bits, EVALUATING_REAL, stop);
    if (stop->kind == VM_RUNNING) return true;
    if (stop->kind == VM_TIME) vm->stop = *stop;
    else if (stop->kind != VM_UNSUPPORTED) end_path(vm, arguments, bits, count, stop);
    return false;
}

void vm__cut_applied(Vm *vm, uint32_t length)
{
    while (vm->applied.len > length) map_remove(&vm->is_applied, vec_pop(&vm->applied));
}

static void add_applied(Vm *vm, Expr application)
{
    if (expr_kind(vm->pool, application) != EXPR_APPLY || map_find(&vm->is_applied, application)) return;
    map_put(&vm->is_applied, application, 1);
    vec_push(&vm->applied, application);
}

/* The applications inside an expression that was made elsewhere. */
void vm_adopt(Vm *vm, Expr e)
{
    if (!expr_has_apply(vm->pool, e)) return;
    Map seen = {0};
    Vec(Expr) work = {0};
    vec_push(&work, e);
    while (work.len) {
        Expr at = vec_pop(&work);
        ExprKind kind = expr_kind(vm->pool, at);
        const Expr *elements;
        if (map_find(&seen, at) || !expr_has_apply(vm->pool, at)) continue;
        map_put(&seen, at, 1);
        if (kind == EXPR_APPLY && !((const Application *)expr_function(vm->pool, at)->data)->pure) add_applied(vm, at);
        uint32_t count = kind == EXPR_APPLY || kind == EXPR_ARRAY ? expr_elements(vm->pool, at, &elements) : 0;
        for (uint32_t i = 0; i < count; i++) vec_push(&work, elements[i]);
        for (unsigned i = 0; i < expr_operand_count(kind); i++) vec_push(&work, expr_operand(vm->pool, at, i));
    }
    map_release(&seen);
    vec_release(&work);
}

void vm__confirm_applied(Vm *vm)
{
    vm_begin_step(vm);
    for (uint32_t i = 0; i < vm->applied.len && vm->stop.kind == VM_RUNNING; i++) {
        const Expr *arguments;
        VmStop stop;
        expr_elements(vm->pool, vm->applied.data[i], &arguments);
        confirm(vm, expr_function(vm->pool, vm->applied.data[i])->data, arguments, &stop);
    }
}

/* ---- calls ---- */

/* The common case of libm, without ado.  False: an argument is symbolic. */
static bool apply_pure(Vm *vm, const Instr *instr, const CallSite *site, const Application *a)
{
    const Function *f = a->target->function;
    U128 bits[MAX_APPLIED];
    for (uint32_t i = 0; i < f->param_count; i++) {
        Value value = vm__operand(vm, site->arguments[i].value, f->params[i].type.width);
        if (value.e) return false;
        bits[i] = value.bits;
    }
    if (site->result_count) vm__set(vm, instr->dst, f->results[0].width, (Value){.bits = vm__pure_value(a, bits)});
    vm->stats.native_calls++;
    vm__frame(vm)->pc++;
    return true;
}

/* The arguments as expressions; false: none is symbolic. */
static bool gather(Vm *vm, const CallSite *site, const Function *f, Expr *arguments)
{
    bool symbolic = false;
    for (uint32_t i = 0; i < f->param_count; i++) {
        unsigned width = f->params[i].type.width;
        Value value = vm__operand(vm, site->arguments[i].value, width);
        symbolic |= value.e != 0;
        arguments[i] = vm__expr(vm, value, width);
    }
    return symbolic;
}

static void give(Vm *vm, const Instr *instr, const CallSite *site, const Function *f, Expr value)
{
    uint32_t reg = instr->dst;
    for (uint32_t i = 0, low = 0; i < site->result_count; low += f->results[i++].width) {
        vm__set(vm, reg, f->results[i].width, (Value){.e = expr_extract(vm->pool, value, low, f->results[i].width)});
        reg += scalar_registers(site->results[i]);
    }
    vm__frame(vm)->pc++;
}

/* Only of calls whose types are the function's own. */
bool vm__apply(Vm *vm, const Instr *instr, const CallSite *site, Prepared *target)
{
    Application *a = target->application;
    const Function *f = target->function;
    Expr arguments[MAX_APPLIED] = {0};
    VmStop stop;
    if (a->pure && apply_pure(vm, instr, site, a)) return true;
    if (!gather(vm, site, f, arguments)) return false;
    if (!a->pure && !confirm(vm, a, arguments, &stop)) {
        if (stop.kind != VM_UNSUPPORTED) return true;
        vm__note(vm, "the function '%s', marked as concrete, cannot be: %s; it is executed as any other", f->name, stop.message);
        target->application = NULL;
        return false;
    }
    vm->stats.symbolic_instructions++;
    Expr exact = a->pure ? vm__pure_expression(vm, a, arguments) : 0;
    Expr value = exact ? exact : expr_apply(vm->pool, &a->expr, result_width(f), arguments, f->param_count);
    if (!a->pure) add_applied(vm, value);
    give(vm, instr, site, f, value);
    return true;
}
