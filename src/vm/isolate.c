/* Watched calls and isolated ones: how they begin, how they end, how they are undone.  Places and inputs: isolate_read.c.
 *
 * Functions are watched once a condition was recorded while they were active: before that there is nothing to summarise in them, and calls cost
 * nothing.  The run that finds it out is repeated from a mark before the call. */
#include "expr/cases.h"
#include "vm/vm_int.h"

#include <stdio.h>
#include <stdlib.h>

enum { ISOLATED_INSTRUCTIONS = 200000 }; /* of a path, calls within included */

/* ---- the log: what has to be undone when the machine goes back ---- */

void vm__add_fact(Vm *vm, uint32_t L, const VmFact *fact)
{
    vec_push(&vm__level(vm, L)->facts, *fact);
    vec_push(&vm->isolation.log, ((Undo){.kind = UNDO_FACT, .level = L}));
}

uint32_t vm__add_base(Vm *vm, uint32_t L, const Base *base)
{
    Level *level = vm__level(vm, L);
    uint32_t index = level->bases.len;
    if (base->variable && !map_find(&level->base_of, base->variable)) map_put(&level->base_of, base->variable, index);
    vec_push(&level->bases, *base);
    vec_push(&vm->isolation.log, ((Undo){.kind = UNDO_BASE, .level = L}));
    return index;
}

Base *vm__change_base(Vm *vm, uint32_t L, uint32_t base)
{
    Base *b = &vec_at(&vm__level(vm, L)->bases, base);
    vec_push(&vm->isolation.log, ((Undo){.kind = UNDO_CHANGE, .level = L, .index = base, .base = *b}));
    return b;
}

void vm__own(Vm *vm, uint64_t address)
{
    uint32_t L = vm->isolation.levels.len;
    if (!L || vm->evaluating) return;
    const uint64_t *old = map_find(&vm->isolation.own, address);
    vec_push(&vm->isolation.log, ((Undo){.kind = UNDO_OWN, .level = L, .key = address, .old = old ? *old : 0}));
    map_put(&vm->isolation.own, address, L);
}

/* Was it made inside the call of that level, or of one within? */
bool vm__is_own(const Vm *vm, uint32_t L, uint64_t start)
{
    const uint64_t *level = map_find(&vm->isolation.own, start);
    return level && *level >= L;
}

static void restore(Map *map, uint64_t key, uint64_t old)
{
    if (old) map_put(map, key, old);
    else map_remove(map, key);
}

static void undo_base(Level *level)
{
    Base base = vec_pop(&level->bases);
    const uint64_t *known = base.variable ? map_find(&level->base_of, base.variable) : NULL;
    if (known && *known == level->bases.len) map_remove(&level->base_of, base.variable);
    if (!base.variable) map_remove(&level->placed, base.address);
}

static void undo(Vm *vm, const Undo *entry)
{
    switch (entry->kind) {
    case UNDO_FACT: (void)vec_pop(&vm__level(vm, entry->level)->facts); break;
    case UNDO_BASE: undo_base(vm__level(vm, entry->level)); break;
    case UNDO_CHANGE: vec_at(&vm__level(vm, entry->level)->bases, entry->index) = entry->base; break;
    case UNDO_WRITTEN: (void)vec_pop(&vm__level(vm, entry->level)->written); break;
    case UNDO_TOUCH: restore(&vm->isolation.touched, entry->key, entry->old); break;
    case UNDO_OWN: restore(&vm->isolation.own, entry->key, entry->old); break;
    }
}

static void release_level(Level *level)
{
    vec_release(&level->bases);
    vec_release(&level->facts);
    map_release(&level->base_of);
    map_release(&level->placed);
    vec_release(&level->written);
    vec_release(&level->results);
    vec_release(&level->writes);
}

void vm__isolation_undo(Vm *vm, uint32_t levels, uint32_t length)
{
    Isolation *isolation = &vm->isolation;
    while (isolation->log.len > length) {
        Undo entry = vec_pop(&isolation->log);
        undo(vm, &entry);
    }
    while (isolation->levels.len > levels) {
        release_level(&vec_top(&isolation->levels));
        (void)vec_pop(&isolation->levels);
    }
    isolation->unfit[0] = 0;
    isolation->unfit_always = false;
    isolation->in_place = false;
    isolation->trial = 0;
}

void vm__isolation_release(Vm *vm)
{
    vm__isolation_undo(vm, 0, 0);
    vec_release(&vm->isolation.levels);
    vec_release(&vm->isolation.log);
    map_release(&vm->isolation.touched);
    map_release(&vm->isolation.own);
    free(vm->isolation.seen);
    vec_release(&vm->isolation.newly_seen);
}

void vm_session_release(VmSession *session)
{
    vec_release(&session->formals);
    map_release(&session->by_key);
    map_release(&session->by_variable);
    expr_translation_release(&session->roots);
}

/* ---- what does not fit ---- */

void vm__be_unfit(Vm *vm, const char *format, ...)
{
    va_list args;
    if (!vm__isolated(vm) || vm->isolation.unfit[0]) return;
    va_start(args, format);
    vsnprintf(vm->isolation.unfit, sizeof vm->isolation.unfit, format, args);
    va_end(args);
    vm__stop(vm, VM_UNSUPPORTED, 0, "%s", vm->isolation.unfit);
}

/* What it does on this path it would do in any state. */
void vm__be_unfit_always(Vm *vm, const char *what, const char *name)
{
    vm__be_unfit(vm, "%s%s%s%s", what, name ? " (" : "", name ? name : "", name ? ")" : "");
    vm->isolation.unfit_always = true;
}

bool vm_unfit_always(const Vm *vm)
{
    return vm->isolation.unfit_always;
}

const char *vm_unfit(const Vm *vm)
{
    return vm->isolation.unfit[0] ? vm->isolation.unfit : NULL;
}

/* Library functions that are done natively on plain data would read memory behind our back: their own code is executed. */
bool vm__builtin_isolated(Vm *vm, const Builtin *builtin, bool *declines)
{
    static const char *const fit[] = {"malloc",
                                      "clew__malloc",
                                      "calloc",
                                      "free",
                                      "clew__free",
                                      "realloc",
                                      "clew__realloc",
                                      "clew__assume",
                                      "clew__exit",
                                      "clew__die",
                                      "clew__trap",
                                      "clew__assertion_failed",
                                      "clew__wrong_verdict",
                                      "aligned_alloc",
                                      "memalign",
                                      "clew__memalign",
                                      "clew__is_symbolic",
                                      "clew__destructor_at",
                                      "clew__real_effects"};
    *declines = false;
    for (const Builtin *b = vm__string_builtins; b->name; b++)
        if (b == builtin) {
            *declines = true;
            return true;
        }
    for (size_t i = 0; i < COUNT_OF(fit); i++)
        if (strcmp(builtin->name, fit[i]) == 0) return true;
    vm__be_unfit_always(vm, "it uses the world outside", builtin->name);
    return false;
}

void vm__fit_free(Vm *vm, uint64_t address)
{
    uint64_t start;
    if (!vm__isolated(vm) || !memory_contains(address)) return;
    memory_object(&vm->memory, address, &start);
    if (!vm__is_own(vm, vm->isolation.levels.len, start)) vm__be_unfit_always(vm, "it frees memory that it has not allocated", NULL);
}

/* ---- watching ---- */

void vm__seen_isolated(Vm *vm, uint32_t branch)
{
    if (vm->seen[branch] || vm->isolation.seen[branch]) return;
    vm->isolation.seen[branch] = 1;
    vec_push(&vm->isolation.newly_seen, branch);
}

uint32_t vm_isolated_new(const Vm *vm)
{
    return vm->isolation.newly_seen.len;
}

void vm_isolated_forget(Vm *vm, uint32_t count)
{
    while (vm->isolation.newly_seen.len > count) vm->isolation.seen[vec_pop(&vm->isolation.newly_seen)] = 0;
}

void vm_watch_functions(Vm *vm, const Function *top)
{
    vm->isolation.watching = true;
    if (!vm->isolation.seen) vm->isolation.seen = mem_alloc(vm->program->branch_count + 1);
    if (top) vm->prepared[top - vm->program->functions].declined = true;
}

void vm_watch(Vm *vm, bool watching)
{
    vm->isolation.watching = watching;
}

void vm_decline(Vm *vm, const Function *function)
{
    Prepared *p = &vm->prepared[function - vm->program->functions];
    p->watched = false;
    p->declined = true;
}

bool vm__watch_stack(Vm *vm)
{
    bool more = false;
    if (!vm->isolation.watching || vm->evaluating || vm->nested) return false;
    if (vm->isolation.trial && vm->depth > vm->isolation.trial) {
        vm__stop(vm, VM_DECIDES, 0, "something is decided in a call");
        return true;
    }
    for (uint32_t i = vm->depth; i-- > 1 && !vm->frames[i].checked;) {
        Prepared *p = vm->frames[i].code;
        vm->frames[i].checked = true;
        if (p->watched || p->declined) continue;
        p->watched = more = true;
    }
    if (more) vm__stop(vm, VM_AGAIN, 0, "there is something to decide in a function");
    return more;
}

/* How many calls of it are past since the last condition.  Since the start it would not be the same whenever the path is executed: calls are not
 * counted before the function is watched.  But runs go on from conditions. */
static uint32_t count_met(const Vm *vm, const Prepared *target)
{
    return target->met >> 32 == vm->path.len ? (uint32_t)target->met : 0;
}

/* The call is past: a run that comes back to it stops there as it did before. */
static void note_met(Vm *vm, Prepared *target)
{
    vm__save_word(vm, &target->met);
    target->met = (uint64_t)vm->path.len << 32 | (count_met(vm, target) + 1);
}

bool vm__stops_call(Vm *vm, Prepared *target)
{
    if (!target->watched || !vm->isolation.watching || vm->evaluating || vm->nested || !target->function->defined) return false;
    bool on_trial = vm->isolation.trial && vm->depth > vm->isolation.trial;
    if (vm->isolation.in_place || on_trial) {
        note_met(vm, target);
        vm->isolation.in_place = false;
        return false;
    }
    vm__stop(vm, VM_CALL, 0, "%s is called", target->function->name);
    return true;
}

/* ---- the call at hand ---- */

static const Instr *call_instr(const Vm *vm)
{
    const Frame *frame = vm__frame(vm);
    Origin origin = frame->code->origin[frame->pc - frame->code->code];
    return &frame->code->function->code[origin.instr + origin.instrs - 1];
}

static const CallSite *call_site(const Vm *vm)
{
    return &vm__frame(vm)->code->function->calls[call_instr(vm)->imm];
}

const Function *vm_call_target(const Vm *vm)
{
    const CallSite *site = call_site(vm);
    if (site->callee != UINT32_MAX) return &vm->program->functions[site->callee];
    Vm *mutable = (Vm *)vm;
    return vm__target(mutable, (uint64_t)vm__concrete(mutable, vm__operand(mutable, call_instr(vm)->a, 64)))->function;
}

const VmStop *vm_stop(const Vm *vm)
{
    return &vm->stop;
}

bool vm_call_is_recursive(const Vm *vm)
{
    const Function *f = vm_call_target(vm);
    for (uint32_t i = vm->depth; i-- > 0;)
        if (vm->frames[i].code->function == f) return true;
    return false;
}

static bool decides(const Vm *vm, const Function *f, const Instr *i)
{
    if (i->op == OP_BRANCH || i->op == OP_SWITCH || i->op == OP_INDIRECT) return true;
    if (i->op != OP_CALL) return false;
    uint32_t callee = f->calls[i->imm].callee;
    return callee == UINT32_MAX || (vm->program->functions[callee].defined && vm->program->functions[callee].code_count);
}

/* Is there a branch, or a call of something that may have one, that can be reached from behind the call at the frame's pc? */
static bool decides_later(const Vm *vm, const Frame *frame)
{
    const Function *f = frame->code->function;
    Origin origin = frame->code->origin[frame->pc - frame->code->code];
    uint32_t at = origin.instr + origin.instrs;
    bool found = false;
    uint8_t *seen = mem_alloc(f->block_count + 1);
    Vec(uint32_t) work = {0};
    for (uint32_t i = at; i < f->code_count && !found; i++) {
        found = decides(vm, f, &f->code[i]);
        if (!opcode_is_terminator(f->code[i].op)) continue;
        for (uint32_t b = 0; b < f->block_count; b++)
            if (i == f->blocks[b].first + f->blocks[b].count - 1) vec_push(&work, b);
        break;
    }
    while (work.len && !found) {
        const Block *block = &f->blocks[vec_pop(&work)];
        for (uint32_t s = 0; s < block->successor_count; s++) {
            const Block *next = &f->blocks[block->successors[s]];
            if (seen[block->successors[s]]++) continue;
            for (uint32_t i = 0; i < next->count && !found; i++) found = decides(vm, f, &f->code[next->first + i]);
            vec_push(&work, block->successors[s]);
        }
    }
    vec_release(&work);
    free(seen);
    return found;
}

bool vm_call_matters(const Vm *vm)
{
    for (uint32_t i = vm->depth; i-- > 0;)
        if (decides_later(vm, &vm->frames[i])) return true;
    return false;
}

void vm_call_in_place(Vm *vm)
{
    vm->isolation.in_place = vm->prepared[vm_call_target(vm) - vm->program->functions].watched && vm->isolation.watching;
    vm->stop = (VmStop){0};
}

void vm_call_on_trial(Vm *vm)
{
    vm_call_in_place(vm);
    vm->isolation.trial = vm->depth;
}

Expr vm_call_argument(Vm *vm, uint32_t i)
{
    const Argument *a = &call_site(vm)->arguments[i]; /* of the parameter's type: other calls are executed in place */
    return vm__expr(vm, vm__operand(vm, a->value, a->type.width), a->type.width);
}

/* ---- isolation ---- */

uint32_t vm_level(const Vm *vm)
{
    return vm->isolation.levels.len;
}

/* The object that a pointer was computed from, where the caller's view knows it: an address plus an offset that depends on inputs. */
static bool object_of_base(const Vm *vm, Expr pointer, uint64_t *start, uint64_t *size)
{
    if (vm->isolation.levels.len || expr_kind(vm->pool, pointer) != EXPR_ADD) return false;
    Expr base = expr_operand(vm->pool, pointer, 1);
    if (!expr_is_const(vm->pool, base)) return false;
    uint64_t address = (uint64_t)expr_value(vm->pool, base);
    return vm_look_object(vm, address, start, size) && address - *start <= *size;
}

static Expr outside(Vm *vm, Expr pointer, uint64_t start, uint64_t size)
{
    Expr offset = expr_binary(vm->pool, EXPR_SUB, pointer, expr_const(vm->pool, 64, start));
    return expr_binary(vm->pool, EXPR_ULT, expr_const(vm->pool, 64, size), offset);
}

/* What the caller has to say of a pointer of which only the model knows where it points; 0: nothing.  Every pointer that the path allows is in one
 * class: in an object, or outside of the object that it was computed from. */
static Expr said_of_pointer(Vm *vm, VmSession *session, Expr actual)
{
    bool known = expr_is_const(vm->pool, vm_root(vm, actual)), isolated = vm->isolation.levels.len;
    if (known && vm_is_plain(vm, actual)) return 0;
    vm->isolation.based = false;
    if (expr_is_const(vm->pool, vm__settle(vm, actual))) return 0;
    uint64_t start, size, base, base_size, address = (uint64_t)expr_eval(vm->model, actual);
    bool computed = object_of_base(vm, actual, &base, &base_size);
    Expr said = expr_eq(vm->pool, actual, expr_const(vm->pool, 64, address));
    if (vm_look_object(vm, address, &start, &size) && address - start <= size && (!computed || start == base)) {
        Expr begin = vm->isolation.based ? vm_look_start(vm, address) : expr_const(vm->pool, 64, start);
        Expr offset = expr_binary(vm->pool, EXPR_SUB, actual, begin);
        if (known) said = expr_eq(vm->pool, offset, expr_const(vm->pool, 64, address - start));
        else said = expr_binary(vm->pool, EXPR_ULE, offset, expr_const(vm->pool, 64, size));
    } else if ((address || computed) && !known) {
        session->astray = true;
        if (computed) said = outside(vm, actual, base, base_size);
    }
    Expr root = vm_root(vm, said);
    bool decided = expr_is_const(vm->pool, said) || (!isolated && expr_is_const(vm->pool, root));
    return decided || (!isolated && session->holds(session->data, root)) ? 0 : said;
}

bool vm_settle_arguments(Vm *vm, VmSession *session, bool always)
{
    const Function *f = vm_call_target(vm);
    vm->stop = (VmStop){0};
    session->astray = false;
    for (uint32_t i = 0; i < f->param_count && vm->stop.kind == VM_RUNNING && !session->astray; i++) {
        if (f->params[i].type.kind != SCALAR_POINTER || f->params[i].type.width != 64) continue;
        Expr argument = vm_call_argument(vm, i), said = said_of_pointer(vm, session, argument);
        if (said && (always || !session->astray)) vm__condition(vm, argument, said, CONDITION_OBJECT, BUG_OUT_OF_BOUNDS, UINT32_MAX, true);
    }
    return vm->stop.kind == VM_RUNNING;
}

void vm_go_on_isolated(Vm *vm)
{
    vm->isolation.end = vm->stats.instructions + ISOLATED_INSTRUCTIONS;
}

void vm_isolate(Vm *vm, VmSession *session)
{
    const Function *f = vm_call_target(vm);
    const Instr *instr = call_instr(vm);
    const CallSite *site = call_site(vm);
    Vec(Expr) arguments = {0};
    for (uint32_t i = 0; i < f->param_count; i++) vec_push(&arguments, vm_call_argument(vm, i));
    vm->stop = (VmStop){0};
    if (!session->roots.from) expr_translation_init(&session->roots, vm->pool, vm->pool);
    session->roots.variable = session->meaning;
    session->roots.data = session->data;
    vec_push(&vm->isolation.levels, ((Level){.session = session, .depth = vm->depth, .completed = vm->isolation.completed}));
    vm_go_on_isolated(vm);
    for (uint32_t i = 0; i < f->param_count && vm->stop.kind == VM_RUNNING; i++)
        arguments.data[i] = vm__read_argument(vm, &f->params[i], i, arguments.data[i]);
    if (vm->stop.kind == VM_RUNNING) vm__enter_isolated(vm, f, arguments.data, site->result_count ? instr->dst : OPERAND_NONE);
    vec_release(&arguments);
}

uint32_t vm_fact_count(const Vm *vm)
{
    return vec_top(&vm->isolation.levels).facts.len;
}

const VmFact *vm_fact(const Vm *vm, uint32_t i)
{
    return &vec_at(&vec_top(&vm->isolation.levels).facts, i);
}

uint64_t vm_base_key(const Vm *vm, uint32_t base)
{
    return vec_at(&vec_top(&vm->isolation.levels).bases, base).key;
}

uint64_t vm_base_address(const Vm *vm, uint32_t base)
{
    return vec_at(&vec_top(&vm->isolation.levels).bases, base).address;
}

uint64_t vm_place_key(uint64_t base_key, int64_t offset, uint64_t bytes)
{
    return hash_mix(base_key ^ hash_mix((uint64_t)offset ^ hash_mix(bytes)));
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

/* ---- its end ---- */

static bool keeps_memory(const Vm *vm)
{
    for (uint32_t i = 0; i < vm->isolation.log.len; i++) {
        const Undo *entry = &vm->isolation.log.data[i];
        uint64_t start;
        if (entry->kind != UNDO_OWN || entry->level < vm->isolation.levels.len) continue;
        if (object_kind(memory_object(&vm->memory, entry->key, &start)) == OBJECT_HEAP) return true;
    }
    return false;
}

static bool is_own_address(const Vm *vm, Expr e)
{
    uint64_t start, address = expr_width(vm->pool, e) == 64 ? (uint64_t)expr_value(vm->pool, e) : 0;
    if (!memory_contains(address)) return false;
    memory_object(&vm->memory, address, &start);
    return vm__is_own(vm, vm->isolation.levels.len, start);
}

/* The address of an object that is gone when the call is over would be that of another one for the caller. */
static bool has_own_address(const Vm *vm, Expr e, Map *seen)
{
    bool found = false;
    const VmSession *session = vec_top(&vm->isolation.levels).session;
    Vec(Expr) work = {0};
    vec_push(&work, e);
    while (work.len && !found) {
        Expr at = vec_pop(&work);
        const Expr *elements;
        if (map_find(seen, at)) continue;
        map_put(seen, at, 1);
        ExprKind kind = expr_kind(vm->pool, at);
        found = kind == EXPR_CONST && is_own_address(vm, at);
        uint32_t count = kind == EXPR_ARRAY || kind == EXPR_APPLY ? expr_elements(vm->pool, at, &elements) : 0;
        if (kind == EXPR_VAR && session->parts) count = session->parts(session->data, at, &elements);
        for (uint32_t i = 0; i < count; i++) vec_push(&work, elements[i]);
        for (unsigned i = 0; i < expr_operand_count(kind); i++) vec_push(&work, expr_operand(vm->pool, at, i));
    }
    vec_release(&work);
    return found;
}

/* A choice of an address and another constant may be one of their bits. */
static bool may_be_own_address(const Vm *vm, ExprCases *cases, Expr e)
{
    const ExprCase *list;
    uint32_t count = expr_width(vm->pool, e) == 64 ? expr_cases(cases, e, &list) : 0;
    for (uint32_t i = 0; i < count; i++)
        if (expr_is_const(vm->pool, list[i].value) && is_own_address(vm, list[i].value)) return true;
    return false;
}

static bool leaves_address(const Vm *vm, const Level *level)
{
    Map seen = {0};
    bool found = false;
    for (uint32_t i = 0; i < level->results.len && !found; i++) found = has_own_address(vm, level->results.data[i], &seen);
    for (uint32_t i = 0; i < level->writes.len && !found; i++) found = has_own_address(vm, level->writes.data[i].value, &seen);
    ExprCases cases;
    expr_cases_init(&cases, vm->pool);
    for (uint32_t i = 0; i < level->results.len && !found; i++) found = may_be_own_address(vm, &cases, level->results.data[i]);
    for (uint32_t i = 0; i < level->writes.len && !found; i++) found = may_be_own_address(vm, &cases, level->writes.data[i].value);
    expr_cases_release(&cases);
    map_release(&seen);
    return found;
}

static int compare_ranges(const void *a, const void *b)
{
    const Range *x = a, *y = b;
    if (x->address != y->address) return x->address < y->address ? -1 : 1;
    return x->bytes < y->bytes ? 1 : x->bytes > y->bytes ? -1 : 0;
}

static void add_write(Vm *vm, uint64_t address, unsigned bytes)
{
    uint32_t L = vm->isolation.levels.len;
    Level *level = vm__level(vm, L);
    uint64_t start;
    memory_object(&vm->memory, address, &start);
    uint32_t named = vm__canonical(vm, L, start);
    VmWrite write = {.base = named, .offset = (int64_t)(address - level->bases.data[named].address), .bytes = bytes};
    write.value = vm__expr(vm, vm__read_raw(vm, address, bytes), bytes * 8);
    vec_push(&level->writes, write);
}

/* Values that were written whole and not overlapped by others stay whole; all else goes byte by byte. */
static void collect_writes(Vm *vm)
{
    Level *level = vm__level(vm, vm->isolation.levels.len);
    Vec(Range) ranges = {0};
    for (uint32_t i = 0; i < level->written.len; i++) vec_push(&ranges, level->written.data[i]);
    if (ranges.len) qsort(ranges.data, ranges.len, sizeof(Range), compare_ranges);
    uint64_t done = 0; /* everything below is collected */
    for (uint32_t i = 0; i < ranges.len;) {
        Range r = ranges.data[i];
        uint64_t end = r.address + r.bytes;
        uint32_t next = i + 1;
        bool overlapped = r.bytes > 8 || (r.bytes & (r.bytes - 1));
        while (next < ranges.len && ranges.data[next].address < end) {
            uint64_t other = ranges.data[next].address + ranges.data[next].bytes;
            overlapped |= ranges.data[next].address != r.address || ranges.data[next].bytes != r.bytes;
            if (other > end) end = other;
            next++;
        }
        if (!overlapped) add_write(vm, r.address, (unsigned)r.bytes);
        for (uint64_t at = r.address > done ? r.address : done; overlapped && at < end; at++) add_write(vm, at, 1);
        if (end > done) done = end;
        i = next;
    }
    vec_release(&ranges);
}

void vm__isolated_return(Vm *vm, const Value *results, uint32_t count)
{
    Level *level = vm__level(vm, vm->isolation.levels.len);
    const Function *f = vm__frame(vm)->code->function;
    if (keeps_memory(vm)) {
        vm__be_unfit_always(vm, "it keeps memory that it has allocated", NULL);
        return;
    }
    vec_clear(&level->results);
    vec_clear(&level->writes);
    for (uint32_t i = 0; i < count; i++) vec_push(&level->results, vm__expr(vm, results[i], f->results[i].width));
    collect_writes(vm);
    if (leaves_address(vm, level)) {
        vm__be_unfit_always(vm, "it leaves the address of an object of its own", NULL);
        return;
    }
    vm__stop(vm, VM_RETURNED, 0, "%s returns", f->name);
}

uint32_t vm_isolated_results(const Vm *vm, const Expr **values)
{
    *values = vec_top(&vm->isolation.levels).results.data;
    return vec_top(&vm->isolation.levels).results.len;
}

uint32_t vm_isolated_writes(const Vm *vm, const VmWrite **writes)
{
    *writes = vec_top(&vm->isolation.levels).writes.data;
    return vec_top(&vm->isolation.levels).writes.len;
}

/* ---- completing a call with what is known ---- */

void vm_put(Vm *vm, uint64_t address, uint32_t bytes, Expr value)
{
    vm__note_access(vm, address, 0, bytes, true, true);
    vm__note_write(vm, address, bytes);
    vm__adopt_applied(vm, value);
    Value v = expr_is_const(vm->pool, value) ? (Value){.bits = expr_value(vm->pool, value)} : (Value){.e = value};
    vm__write_raw(vm, address, bytes, v);
}

void vm_complete_call(Vm *vm, Expr returns, Expr ends, bool whole, const Expr *results, uint32_t count)
{
    const CallSite *site = call_site(vm);
    const Instr *instr = call_instr(vm);
    const Function *f = vm_call_target(vm);
    vm->stop = (VmStop){0};
    vm->isolation.ends = ends;
    vm->isolation.whole = whole;
    if (returns) vm__adopt_applied(vm, returns);
    for (uint32_t i = 0; i < count; i++) vm__adopt_applied(vm, results[i]);
    if (returns) vm__condition(vm, returns, returns, CONDITION_SUMMARY, BUG_NONE, UINT32_MAX, true);
    vm->isolation.ends = 0;
    vm->isolation.whole = false;
    for (uint32_t i = 0, reg = instr->dst; i < site->result_count; i++) {
        unsigned width = site->results[i].width;
        Value value = {.e = i < count ? results[i] : vm__undef(vm, width)};
        if (expr_is_const(vm->pool, value.e)) value = (Value){.bits = expr_value(vm->pool, value.e)};
        vm__set(vm, reg, width, value);
        reg += scalar_registers(site->results[i]);
    }
    vm__frame(vm)->pc++;
    note_met(vm, &vm->prepared[f - vm->program->functions]);
    vm->isolation.completed++;
    vm->effects++;
}

void vm_say_of_call(Vm *vm, Expr condition)
{
    VmStop stop = vm->stop;
    vm->stop = (VmStop){0};
    vm__adopt_applied(vm, condition);
    vm__condition(vm, condition, condition, CONDITION_SUMMARY, BUG_NONE, UINT32_MAX, true);
    vm__begin_step(vm); /* what is said or done next depends on it */
    vm->stop = stop;
}

bool vm_watch_callers(Vm *vm)
{
    return vm__watch_stack(vm);
}

uint64_t vm_position(const Vm *vm)
{
    const Frame *frame = vm__frame(vm);
    bool isolated = vm->isolation.levels.len;
    Level start = isolated ? vec_top(&vm->isolation.levels) : (Level){0};
    const Prepared *target = &vm->prepared[vm_call_target(vm) - vm->program->functions];
    uint64_t before = isolated ? vm->isolation.completed - start.completed : count_met(vm, target);
    uint64_t hash = hash_mix((uint64_t)(vm->depth - start.depth) << 32 | frame->code->index) ^ (uint64_t)(frame->pc - frame->code->code);
    hash = hash_mix(hash ^ hash_mix(before));
    for (uint32_t i = 0; i < vm->path.len && !isolated; i++) hash = hash_mix(hash ^ vm->path.data[i].condition);
    return hash;
}
