/* What the checks found, said with the nearest place in the user's own code. */
#include "vm/vm_int.h"

#include <signal.h>
#include <stdio.h>

const char *bug_name(BugKind kind)
{
    static const char *const names[] = {
#define BUG(NAME, text, signal) text,
#include "vm/bugs.def"
#undef BUG
    };
    return kind < BUG_KINDS ? names[kind] : "?";
}

int bug_signal(BugKind kind)
{
    static const int signals[] = {
#define BUG(NAME, text, signal) signal,
#include "vm/bugs.def"
#undef BUG
    };
    return kind < BUG_KINDS ? signals[kind] : 0;
}

static uint32_t instr_loc(const Function *f, const Origin *origin)
{
    for (uint32_t k = origin->instrs; k-- > 0;)
        if (f->code[origin->instr + k].loc) return f->code[origin->instr + k].loc;
    for (uint32_t i = origin->instr; i-- > 0;) /* compiler-made code: what stands before it */
        if (f->code[i].loc) return f->code[i].loc;
    for (uint32_t i = origin->instr; i < f->code_count; i++) /* a function's entry: what stands after it */
        if (f->code[i].loc) return f->code[i].loc;
    return 0;
}

uint32_t vm__place(const Vm *vm, const char **function)
{
    *function = "";
    for (uint32_t depth = vm->depth; depth-- > 0;) {
        const Frame *frame = &vm->frames[depth];
        const Function *f = frame->code->function;
        if (f->in_model || f->in_harness) continue;
        ptrdiff_t at = frame->pc - frame->code->code;
        assert(at >= 0 && at < (ptrdiff_t)frame->code->code_count);
        *function = f->name;
        return instr_loc(f, &frame->code->origin[at]);
    }
    return 0;
}

bool vm_is_making(const Vm *vm)
{
    for (uint32_t i = 0; i < vm->depth; i++) {
        const Function *f = vm->frames[i].code->function;
        if (f->in_harness && strncmp(f->name, "clew__make_", 11) == 0) return true;
    }
    return false;
}

/* No object is made where the functions that should make it fail: the path is of no interest to the function that is to get the object. */
static void stop_with(Vm *vm, VmStopKind kind, int status, const char *format, va_list args)
{
    if (vm->stop.kind != VM_RUNNING) return; /* the first reason counts */
    if ((kind == VM_BUG || kind == VM_EXIT || kind == VM_SIGNAL) && vm_is_making(vm)) kind = VM_ASSUMPTION;
    vm->stop = (VmStop){.kind = kind, .status = status};
    vm->stop.loc = vm__place(vm, &vm->stop.function);
    vsnprintf(vm->stop.message, sizeof vm->stop.message, format, args);
}

void vm__stop(Vm *vm, VmStopKind kind, int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    stop_with(vm, kind, status, format, args);
    va_end(args);
}

void vm_end_run(Vm *vm, VmStopKind kind, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    stop_with(vm, kind, 0, format, args);
    va_end(args);
}

void vm__lose(Vm *vm, const char *format, ...)
{
    char text[256];
    const char *function;
    va_list args;
    if (!vm->options.exploring || !vm->options.on_loss || vm->evaluating) return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (vm__isolated(vm)) (void)vm->observer.outside(vm->observer.data, OUTSIDE_LOSS, text);
    vm->options.on_loss(vm->options.on_loss_data, vm__place(vm, &function), text);
}

void vm__report(Vm *vm, BugKind bug, const char *format, ...)
{
    va_list args;
    bool ends = bug_signal(bug) || bug == BUG_NO_PROGRESS;
    if (!ends && vm->evaluating == EVALUATING_TRIAL) return;
    va_start(args, format);
    if (bug == BUG_UNINITIALIZED && vm->by_chance) {
        /* MemorySanitizer confirms only the first such bug of a run, and that one was reported: this run ends without another. */
        stop_with(vm, VM_UNSUPPORTED, 0, format, args);
    } else if (ends || vm->options.stop_at_report) {
        stop_with(vm, VM_BUG, bug_signal(bug), format, args);
        if (vm->stop.kind == VM_BUG) vm->stop.bug = bug;
    } else {
        const char *function;
        uint32_t loc = vm__place(vm, &function);
        uint64_t key = (uint64_t)bug << 32 | loc;
        if (!map_find(&vm->reported, key)) {
            char text[512];
            map_put(&vm->reported, key, 1);
            vsnprintf(text, sizeof text, format, args);
            VmReport report = {bug, loc, function, text};
            if (vm->options.on_report) vm->options.on_report(vm->options.on_report_data, &report);
        }
    }
    va_end(args);
}

void vm__note(Vm *vm, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (names_find(&vm->noted, text)) return;
    names_put(&vm->noted, text, 1);
    if (vm->options.on_note) vm->options.on_note(vm->options.on_note_data, text);
    else fprintf(stderr, "clew: %s\n", text);
}

static const char *global_at(const Vm *vm, uint64_t start)
{
    for (uint32_t i = 0; i < vm->program->global_count; i++)
        if (vm->symbols[vm->program->globals[i].symbol] == start) return vm->program->globals[i].name;
    return "";
}

const char *vm_name_of_global(const Vm *vm, uint64_t start)
{
    const char *name = global_at(vm, start);
    return *name ? name : "an object";
}

void vm__describe(const Vm *vm, uint64_t address, char *text, size_t n)
{
    if (address < 65536) {
        snprintf(text, n, "a null pointer%s", address ? " plus an offset" : "");
        return;
    }
    if (!memory_contains(address)) {
        snprintf(text, n, "in no object");
        return;
    }
    uint64_t start;
    const Object *object = memory_object(&vm->memory, address, &start);
    const Loc *loc = &vm->program->locs[object_loc(object)];
    char made[160] = "";
    if (loc->line) snprintf(made, sizeof made, " made at %s:%u", loc->file, loc->line);
    long long offset = (long long)(address - start);
    unsigned long long size = object->size;
    switch (object_kind(object)) {
    case OBJECT_GLOBAL: snprintf(text, n, "offset %lld of the %llu bytes of global %s", offset, size, global_at(vm, start)); break;
    case OBJECT_STACK: snprintf(text, n, "offset %lld of %llu bytes of a local variable%s", offset, size, made); break;
    case OBJECT_HEAP: snprintf(text, n, "offset %lld of %llu bytes of allocated memory%s", offset, size, made); break;
    case OBJECT_FREED_HEAP: snprintf(text, n, "offset %lld of memory that was freed%s", offset, made); break;
    case OBJECT_FREED_STACK: snprintf(text, n, "offset %lld of a local variable of a function that has returned%s", offset, made); break;
    default: snprintf(text, n, "in no object"); break;
    }
}
