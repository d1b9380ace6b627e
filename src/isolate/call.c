/* A call in isolation: how it begins, how it ends, and how its caller goes on with what is known of it. */
#include "expr/cases.h"
#include "isolate/isolate_int.h"

#include <stdlib.h>

/* ---- arguments ---- */

/* The object that a pointer was computed from, where the caller's view knows it: an address plus an offset that depends on inputs. */
static bool object_of_base(const Isolation *isolation, Expr pointer, VmObject *object)
{
    if (isolation->levels.len || expr_kind(isolation->pool, pointer) != EXPR_ADD) return false;
    Expr base = expr_operand(isolation->pool, pointer, 1);
    if (!expr_is_const(isolation->pool, base)) return false;
    uint64_t address = (uint64_t)expr_value(isolation->pool, base);
    return vm_object(isolation->vm, address, object) && object->exists && address - object->start <= object->size;
}

static Expr outside(Isolation *isolation, Expr pointer, uint64_t start, uint64_t size)
{
    Expr offset = expr_binary(isolation->pool, EXPR_SUB, pointer, expr_const(isolation->pool, 64, start));
    return expr_binary(isolation->pool, EXPR_ULT, expr_const(isolation->pool, 64, size), offset);
}

/* What the caller has to say of a pointer of which only the model knows where it points; 0: nothing.  Every pointer that the path allows is in one
 * class: in an object, or outside of the object that it was computed from. */
static Expr said_of_pointer(Isolation *isolation, IsolatedSession *session, Expr actual)
{
    ExprPool *pool = isolation->pool;
    bool known = expr_is_const(pool, isolation_root(isolation, actual)), isolated = isolation->levels.len, based;
    if (known && isolation_is_plain(isolation, actual)) return 0;
    if (expr_is_const(pool, vm_settle(isolation->vm, actual, &based))) return 0;
    uint64_t address = (uint64_t)expr_eval(vm_model(isolation->vm), actual);
    VmObject base, object;
    bool computed = object_of_base(isolation, actual, &base);
    bool inside = vm_object(isolation->vm, address, &object) && object.exists && address - object.start <= object.size;
    Expr said = expr_eq(pool, actual, expr_const(pool, 64, address));
    if (inside && (!computed || object.start == base.start)) {
        Expr begin = based ? isolation_start(isolation, address) : expr_const(pool, 64, object.start);
        Expr offset = expr_binary(pool, EXPR_SUB, actual, begin);
        if (known) said = expr_eq(pool, offset, expr_const(pool, 64, address - object.start));
        else said = expr_binary(pool, EXPR_ULE, offset, expr_const(pool, 64, object.size));
    } else if ((address || computed) && !known) {
        session->astray = true;
        if (computed) said = outside(isolation, actual, base.start, base.size);
    }
    Expr root = isolation_root(isolation, said);
    bool decided = expr_is_const(pool, said) || (!isolated && expr_is_const(pool, root));
    return decided || (!isolated && session->holds(session->data, root)) ? 0 : said;
}

bool isolation_settle_arguments(Isolation *isolation, IsolatedSession *session, bool always)
{
    Vm *vm = isolation->vm;
    const Function *f = vm_call_target(vm);
    vm_set_stop(vm, (VmStop){0});
    session->astray = false;
    for (uint32_t i = 0; i < f->param_count && vm_stop(vm)->kind == VM_RUNNING && !session->astray; i++) {
        if (f->params[i].type.kind != SCALAR_POINTER || f->params[i].type.width != 64) continue;
        Expr argument = vm_call_argument(vm, i), said = said_of_pointer(isolation, session, argument);
        if (said && (always || !session->astray)) vm_record(vm, argument, said, CONDITION_OBJECT);
    }
    return vm_stop(vm)->kind == VM_RUNNING;
}

/* ---- its beginning ---- */

/* Where a struct that is passed by value lies.  There is no state to go back to between the caller and the function's first instruction, so no condition can
 * be recorded. */
static Expr settle_struct(Isolation *isolation, Expr pointer)
{
    bool based;
    VmObject object;
    ExprPool *pool = isolation->pool;
    if (expr_is_const(pool, pointer)) isolation__name(isolation, isolation__top(isolation), (uint64_t)expr_value(pool, pointer));
    if (!expr_is_const(pool, vm_settle(isolation->vm, pointer, &based)))
        isolation__be_unfit(isolation, "it is given a struct at an address that depends on inputs");
    uint64_t address = (uint64_t)expr_eval(vm_model(isolation->vm), pointer);
    if (vm_object(isolation->vm, address, &object) && object.limit)
        isolation__be_unfit(isolation, "it is given a struct whose end depends on inputs");
    return expr_const(pool, 64, address);
}

void isolation_enter(Isolation *isolation, IsolatedSession *session)
{
    Vm *vm = isolation->vm;
    const Function *f = vm_call_target(vm);
    Vec(Expr) arguments = {0};
    for (uint32_t i = 0; i < f->param_count; i++) vec_push(&arguments, vm_call_argument(vm, i));
    vm_set_stop(vm, (VmStop){0});
    if (!session->roots.from) expr_translation_init(&session->roots, isolation->pool, isolation->pool);
    session->roots.variable = session->meaning;
    session->roots.data = session->data;
    vec_push(&isolation->levels, ((Level){.session = session, .depth = vm_depth(vm), .completed = (uint32_t)isolation->completed}));
    isolation__log(isolation, &(Undo){.kind = UNDO_LEVEL, .level = isolation->levels.len});
    isolation->observer->isolating = true;
    for (uint32_t i = 0; i < f->param_count && vm_stop(vm)->kind == VM_RUNNING; i++)
        arguments.data[i] = isolation__read_argument(isolation, &f->params[i], i, arguments.data[i]);
    for (uint32_t i = 0; i < f->param_count && vm_stop(vm)->kind == VM_RUNNING; i++)
        if (f->params[i].byval_size) arguments.data[i] = settle_struct(isolation, arguments.data[i]);
    if (vm_stop(vm)->kind == VM_RUNNING) vm_enter_call(vm, arguments.data);
    vec_release(&arguments);
}

IsolatedPath isolation_path(const Isolation *isolation)
{
    if (!isolation->levels.len) return (IsolatedPath){0};
    const Level *level = &vec_top(&isolation->levels);
    return (IsolatedPath){.facts = level->facts.data,
                          .bases = level->bases.data,
                          .results = level->results.data,
                          .writes = level->writes.data,
                          .fact_count = level->facts.len,
                          .base_count = level->bases.len,
                          .result_count = level->results.len,
                          .write_count = level->writes.len,
                          .level = isolation->levels.len};
}

/* ---- its end ---- */

static bool keeps_memory(const Isolation *isolation)
{
    const Level *level = &vec_top(&isolation->levels);
    VmObject object;
    for (uint32_t i = 0; i < level->own.len; i++)
        if (vm_object(isolation->vm, level->own.data[i], &object) && object.is_heap) return true;
    return false;
}

static bool is_own_address(const Isolation *isolation, Expr e)
{
    uint64_t address = expr_width(isolation->pool, e) == 64 ? (uint64_t)expr_value(isolation->pool, e) : 0;
    uint64_t start = vm_object_start(isolation->vm, address);
    return start && isolation__is_own(isolation, isolation->levels.len, start);
}

/* The address of an object that is gone when the call is over would be that of another one for the caller. */
static bool has_own_address(const Isolation *isolation, Expr e, Map *seen)
{
    bool found = false;
    const IsolatedSession *session = vec_top(&isolation->levels).session;
    Vec(Expr) work = {0};
    vec_push(&work, e);
    while (work.len && !found) {
        Expr at = vec_pop(&work);
        const Expr *elements;
        if (map_find(seen, at)) continue;
        map_put(seen, at, 1);
        ExprKind kind = expr_kind(isolation->pool, at);
        found = kind == EXPR_CONST && is_own_address(isolation, at);
        uint32_t count = kind == EXPR_ARRAY || kind == EXPR_APPLY ? expr_elements(isolation->pool, at, &elements) : 0;
        if (kind == EXPR_VAR && session->parts) count = session->parts(session->data, at, &elements);
        for (uint32_t i = 0; i < count; i++) vec_push(&work, elements[i]);
        for (unsigned i = 0; i < expr_operand_count(kind); i++) vec_push(&work, expr_operand(isolation->pool, at, i));
    }
    vec_release(&work);
    return found;
}

/* A choice of an address and another constant may be one of their bits. */
static bool may_be_own_address(const Isolation *isolation, ExprCases *cases, Expr e)
{
    const ExprCase *list;
    uint32_t count = expr_width(isolation->pool, e) == 64 ? expr_cases(cases, e, &list) : 0;
    for (uint32_t i = 0; i < count; i++)
        if (expr_is_const(isolation->pool, list[i].value) && is_own_address(isolation, list[i].value)) return true;
    return false;
}

static bool leaves_address(const Isolation *isolation, const Level *level)
{
    Map seen = {0};
    bool found = false;
    for (uint32_t i = 0; i < level->results.len && !found; i++) found = has_own_address(isolation, level->results.data[i], &seen);
    for (uint32_t i = 0; i < level->writes.len && !found; i++) found = has_own_address(isolation, level->writes.data[i].value, &seen);
    ExprCases cases;
    expr_cases_init(&cases, isolation->pool);
    for (uint32_t i = 0; i < level->results.len && !found; i++) found = may_be_own_address(isolation, &cases, level->results.data[i]);
    for (uint32_t i = 0; i < level->writes.len && !found; i++) found = may_be_own_address(isolation, &cases, level->writes.data[i].value);
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

static void add_write(Isolation *isolation, uint64_t address, unsigned bytes)
{
    uint32_t L = isolation->levels.len;
    Level *level = isolation__level(isolation, L);
    uint32_t named = isolation__canonical(isolation, L, vm_object_start(isolation->vm, address));
    IsolatedWrite write = {.base = named, .offset = (int64_t)(address - level->bases.data[named].address), .bytes = bytes};
    write.value = vm_read(isolation->vm, address, bytes);
    vec_push(&level->writes, write);
}

/* Values that were written whole and not overlapped by others stay whole; all else goes byte by byte. */
static void collect_writes(Isolation *isolation)
{
    Level *level = isolation__level(isolation, isolation->levels.len);
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
        if (!overlapped) add_write(isolation, r.address, (unsigned)r.bytes);
        for (uint64_t at = r.address > done ? r.address : done; overlapped && at < end; at++) add_write(isolation, at, 1);
        if (end > done) done = end;
        i = next;
    }
    vec_release(&ranges);
}

void isolation__end(Isolation *isolation, const Function *function, const Expr *results, uint32_t count)
{
    Level *level = &vec_top(&isolation->levels);
    if (keeps_memory(isolation)) {
        isolation__be_unfit_always(isolation, "it keeps memory that it has allocated");
        return;
    }
    vec_clear(&level->results);
    vec_clear(&level->writes);
    for (uint32_t i = 0; i < count; i++) vec_push(&level->results, results[i]);
    collect_writes(isolation);
    if (leaves_address(isolation, level)) {
        isolation__be_unfit_always(isolation, "it leaves the address of an object of its own");
        return;
    }
    vm_end_run(isolation->vm, VM_RETURNED, "%s returns", function->name);
}

/* ---- completing a call with what is known ---- */

void isolation_put(Isolation *isolation, uint64_t address, uint32_t bytes, Expr value)
{
    isolation_access(isolation, address, 0, bytes, true);
    vm_put(isolation->vm, address, bytes, value);
}

void isolation_complete(Isolation *isolation, const IsolatedOutcome *outcome)
{
    Vm *vm = isolation->vm;
    const Function *f = vm_call_target(vm);
    vm_set_stop(vm, (VmStop){0});
    isolation->outcome = outcome;
    if (outcome->returns) vm_adopt(vm, outcome->returns);
    for (uint32_t i = 0; i < outcome->result_count; i++) vm_adopt(vm, outcome->results[i]);
    if (outcome->returns) vm_record(vm, outcome->returns, outcome->returns, CONDITION_SUMMARY);
    isolation->outcome = NULL;
    vm_finish_call(vm, outcome->results, outcome->result_count);
    isolation__met(isolation, f);
    vm_save_word(vm, &isolation->completed);
    isolation->completed++;
}

void isolation_divide(Isolation *isolation, Expr in_place)
{
    Vm *vm = isolation->vm;
    VmStop stop = *vm_stop(vm);
    bool is = expr_eval(vm_model(vm), in_place);
    vm_set_stop(vm, (VmStop){0});
    vm_adopt(vm, in_place);
    vm_record(vm, in_place, is ? in_place : expr_not(isolation->pool, in_place), CONDITION_IN_PLACE);
    vm_set_stop(vm, stop);
}

void isolation_say(Isolation *isolation, Expr condition)
{
    VmStop stop = *vm_stop(isolation->vm);
    vm_set_stop(isolation->vm, (VmStop){0});
    vm_adopt(isolation->vm, condition);
    vm_record(isolation->vm, condition, condition, CONDITION_SUMMARY);
    vm_begin_step(isolation->vm); /* what is said or done next depends on it */
    vm_set_stop(isolation->vm, stop);
}
