/* Places seen from inside an isolated call: what they are called, and in which form they are read for the first time.
 *
 * An object that was there before the call is named by the first base that points into it.  A base is *resolved* the first time an access goes through
 * it: which base names its object, and at what distance, is then a fact; so aliasing is part of what a path depends on.  Bytes that
 * become inputs are overwritten by their variables (on the trail), so later reads find them like anything else in memory.
 * What a call sees of a place is what its caller sees there first: callers take note before. */
#include "vm/vm_int.h"

enum { LARGE_OBJECT = 4096 }; /* not read whole at an index that is not constant */

static uint64_t start_of(const Vm *vm, uint64_t address)
{
    uint64_t start;
    memory_object(&vm->memory, address, &start);
    return start;
}

/* ---- names ---- */

uint32_t vm__canonical(Vm *vm, uint32_t L, uint64_t start)
{
    const Level *level = vm__level(vm, L);
    for (uint32_t k = 0; k < level->bases.len; k++)
        if (memory_contains(level->bases.data[k].address) && start_of(vm, level->bases.data[k].address) == start) return k;
    return UINT32_MAX;
}

static void resolve(Vm *vm, uint32_t L, uint32_t base)
{
    Level *level = vm__level(vm, L);
    if (level->bases.data[base].resolved) return;
    vm__change_base(vm, L, base)->resolved = true;
    uint64_t address = level->bases.data[base].address;
    uint32_t first = vm__canonical(vm, L, start_of(vm, address));
    VmFact fact = {.kind = FACT_SAME, .base = base, .other = first, .offset = (int64_t)(address - level->bases.data[first].address)};
    vm__add_fact(vm, L, &fact);
}

Expr vm__settle_base(Vm *vm, Expr variable)
{
    uint32_t L = vm->isolation.levels.len;
    const uint64_t *base = L ? map_find(&vm__level(vm, L)->base_of, variable) : NULL;
    if (!base) return 0;
    resolve(vm, L, (uint32_t)*base);
    vm->isolation.based = true;
    return expr_const(vm->pool, 64, vm__level(vm, L)->bases.data[*base].address);
}

static void name_directly(Vm *vm, uint32_t L, uint64_t address)
{
    if (!memory_contains(address)) return;
    uint64_t start = start_of(vm, address);
    Level *level = vm__level(vm, L);
    if (vm__is_own(vm, L, start) || map_find(&level->placed, start)) return;
    Base base = {.address = start, .key = hash_mix(start)};
    uint32_t made = vm__add_base(vm, L, &base);
    map_put(&vm__level(vm, L)->placed, start, made);
    vm__add_fact(vm, L, &(VmFact){.kind = FACT_PLACE, .base = made, .value = start});
    resolve(vm, L, made);
}

void vm__name_directly(Vm *vm, uint64_t address)
{
    if (vm__isolated(vm)) name_directly(vm, vm->isolation.levels.len, address);
}

static uint32_t name_of(Vm *vm, uint32_t L, uint64_t start)
{
    uint32_t base = vm__canonical(vm, L, start);
    if (base != UINT32_MAX) return base;
    name_directly(vm, L, start);
    return vm__canonical(vm, L, start);
}

/* ---- accesses ---- */

static unsigned outcome_of(const Vm *vm, const Object *object, bool fine)
{
    if (!fine) return ACCESS_BUG + vm->stop.bug;
    return object->shadow & OBJECT_LIMITED ? ACCESS_LIMITED : ACCESS_FINE;
}

static bool is_known(const Base *base, int64_t from, int64_t end, bool write)
{
    if (base->low == base->high || from < base->low || end > base->high) return false;
    return !write || (base->write_low != base->write_high && from >= base->write_low && end <= base->write_high);
}

static void widen(int64_t *low, int64_t *high, int64_t from, int64_t end)
{
    bool none = *low == *high;
    if (none || from < *low) *low = from;
    if (none || end > *high) *high = end;
}

/* Where the access failed, the object is that of the pointer it was made from. */
void vm__note_access(Vm *vm, uint64_t address, uint64_t base, uint64_t n, bool write, bool fine)
{
    uint32_t L = vm->isolation.levels.len;
    uint64_t start, at = !fine && memory_contains(base) ? base : address;
    if (!vm__isolated(vm) || !memory_contains(at) || (!fine && vm->stop.kind != VM_BUG)) return;
    const Object *object = memory_object(&vm->memory, at, &start);
    if (vm__is_own(vm, L, start)) return;
    uint32_t named = name_of(vm, L, start);
    const Base *b = &vm__level(vm, L)->bases.data[named];
    int64_t offset = (int64_t)(address - b->address);
    if (fine && is_known(b, offset, offset + (int64_t)n, write)) return;
    VmFact fact = {.kind = FACT_ACCESS, .base = named, .offset = offset, .bytes = n, .write = write};
    fact.outcome = (uint8_t)outcome_of(vm, object, fine);
    vm__add_fact(vm, L, &fact);
    if (!fine) return;
    Base *changed = vm__change_base(vm, L, named);
    widen(&changed->low, &changed->high, offset, offset + (int64_t)n);
    if (write) widen(&changed->write_low, &changed->write_high, offset, offset + (int64_t)n);
}

static void note_size(Vm *vm, uint32_t L, uint64_t address)
{
    uint64_t start;
    const Object *object = memory_object(&vm->memory, address, &start);
    if (vm__is_own(vm, L, start)) return;
    uint32_t named = name_of(vm, L, start);
    const Base *b = &vm__level(vm, L)->bases.data[named];
    int64_t before = (int64_t)(b->address - start);
    uint64_t after = object->size - (uint64_t)before;
    if (!b->sized) {
        VmFact fact = {.kind = FACT_SIZE, .base = named, .offset = before, .bytes = after};
        fact.outcome = object->shadow & OBJECT_LIMITED ? ACCESS_LIMITED : ACCESS_FINE;
        fact.write = (object->shadow & OBJECT_READONLY) != 0;
        vm__change_base(vm, L, named)->sized = true;
        vm__add_fact(vm, L, &fact);
    }
}

void vm__note_size(Vm *vm, uint64_t address)
{
    if (vm__isolated(vm) && memory_contains(address)) note_size(vm, vm->isolation.levels.len, address);
}

/* ---- inputs ---- */

static Expr root_at(Vm *vm, uint32_t L, Expr e)
{
    return L ? expr_translate(&vm__level(vm, L)->session->roots, e) : e;
}

/* The variable of an input, the same in all executions of the call from this state. */
static Expr formal(Vm *vm, uint32_t L, uint64_t key, unsigned width, const char *name, Expr actual)
{
    VmSession *session = vm__level(vm, L)->session;
    const uint64_t *found = map_find(&session->by_key, key);
    if (found) return session->formals.data[*found].variable;
    VmFormal made = {.variable = expr_var(vm->pool, width, name), .actual = actual, .root = root_at(vm, L - 1, actual), .key = key};
    expr_model_set(vm->model, made.variable, expr_eval(vm->model, actual));
    expr_translation_set(&session->roots, made.variable, made.root);
    map_put(&session->by_key, key, session->formals.len);
    map_put(&session->by_variable, made.variable, session->formals.len);
    vec_push(&session->formals, made);
    return made.variable;
}

static bool is_object_address(const Vm *vm, uint64_t address)
{
    uint64_t start;
    return memory_contains(address) && object_kind(memory_object(&vm->memory, address, &start)) != OBJECT_NONE;
}

/* The start of an object as an expression of a view; that it begins there is then a fact. */
static Expr start_expression(Vm *vm, uint32_t L, uint64_t start)
{
    if (L == 0 || vm__is_own(vm, L, start)) return expr_const(vm->pool, 64, start);
    uint32_t named = name_of(vm, L, start);
    const Base *base = &vm__level(vm, L)->bases.data[named];
    if (!base->variable) return expr_const(vm->pool, 64, start);
    note_size(vm, L, start);
    base = &vm__level(vm, L)->bases.data[named];
    return expr_binary(vm->pool, EXPR_SUB, base->variable, expr_const(vm->pool, 64, base->address - start));
}

/* Does a pointer of unknown value stay in the object it is in under the model, whatever the inputs? */
static bool stays_inside(Vm *vm, uint32_t L, Expr root, uint64_t start, uint64_t size)
{
    const VmSession *session = vm__level(vm, L)->session;
    Expr offset = expr_binary(vm->pool, EXPR_SUB, root, expr_const(vm->pool, 64, start));
    Expr inside = expr_binary(vm->pool, EXPR_ULE, offset, expr_const(vm->pool, 64, size));
    if (expr_is_const(vm->pool, inside)) return expr_value(vm->pool, inside) != 0;
    return session->holds && session->holds(session->data, inside);
}

static Expr read_pointer(Vm *vm, uint32_t L, uint64_t key, Expr actual, uint64_t address, const char *name, VmFact *fact)
{
    fact->form = FORM_POINTER;
    fact->variable = formal(vm, L, key, 64, name, actual);
    fact->made = vm__add_base(vm, L, &(Base){.address = address, .key = key, .variable = fact->variable});
    return fact->variable;
}

static Expr read_cursor(Vm *vm, uint32_t L, uint64_t key, Expr actual, uint64_t address, const char *name, VmFact *fact)
{
    uint64_t start = start_of(vm, address), base_key = hash_mix(key ^ 0xb5);
    Expr begin = start_expression(vm, L - 1, start);
    Expr base = formal(vm, L, base_key, 64, "object", begin);
    fact->form = FORM_CURSOR;
    fact->object = base;
    fact->variable = formal(vm, L, hash_mix(key ^ 0x0f), 64, name, expr_binary(vm->pool, EXPR_SUB, actual, begin));
    fact->made = vm__add_base(vm, L, &(Base){.address = start, .key = base_key, .variable = base});
    return expr_add(vm->pool, base, fact->variable);
}

static bool is_plain_in(const Vm *vm, uint32_t L, Expr pointer)
{
    if (expr_kind(vm->pool, pointer) == EXPR_ADD && expr_is_const(vm->pool, expr_operand(vm->pool, pointer, 1)))
        pointer = expr_operand(vm->pool, pointer, 0);
    if (L == 0 || expr_is_const(vm->pool, pointer)) return true;
    return expr_kind(vm->pool, pointer) == EXPR_VAR && map_find(&vm->isolation.levels.data[L - 1].session->by_variable, pointer);
}

bool vm_is_plain(const Vm *vm, Expr pointer)
{
    return is_plain_in(vm, vm->isolation.levels.len, pointer);
}

/* What the call sees instead of the caller's expression. */
static Expr read_as(Vm *vm, uint32_t L, uint64_t key, Expr actual, bool pointer, bool readonly, const char *name, VmFact *fact)
{
    unsigned width = expr_width(vm->pool, actual);
    Expr root = root_at(vm, L - 1, actual);
    bool known = expr_is_const(vm->pool, root);
    uint64_t address = pointer ? (uint64_t)expr_eval(vm->model, actual) : 0, start;
    if (pointer && is_object_address(vm, address)) {
        const Object *object = memory_object(&vm->memory, address, &start);
        if (known && fact->base != ARGUMENT_BASE && !is_plain_in(vm, L - 1, actual))
            vm__be_unfit(vm, "it reads a pointer that is computed");
        if (known) return read_pointer(vm, L, key, actual, address, name, fact);
        if (stays_inside(vm, L, root, start, object->size)) return read_cursor(vm, L, key, actual, address, name, fact);
        vm__be_unfit(vm, "it reads a pointer that may point to several objects");
    }
    if (fact->base != ARGUMENT_BASE && expr_is_const(vm->pool, actual) &&
        (readonly || !map_find(vm__level(vm, L)->session->general, key))) {
        fact->form = FORM_VALUE;
        fact->value = expr_value(vm->pool, actual);
        return actual;
    }
    fact->form = FORM_INPUT;
    fact->variable = formal(vm, L, key, width, name, actual);
    return fact->variable;
}

Expr vm__read_argument(Vm *vm, const Param *param, uint32_t i, Expr actual)
{
    uint32_t L = vm->isolation.levels.len;
    unsigned width = param->type.width;
    VmFact fact = {.kind = FACT_READ, .base = ARGUMENT_BASE, .offset = i, .bytes = width};
    uint64_t key = vm_place_key(ARGUMENT_BASE, i, width);
    Expr seen = read_as(vm, L, key, actual, width == 64 && param->type.kind == SCALAR_POINTER, false, param->name, &fact);
    vm__add_fact(vm, L, &fact);
    return seen;
}

/* ---- bytes ---- */

static uint64_t touch_key(uint32_t L, uint64_t address)
{
    return address >> 3 | L * (UINT64_C(1) << 48);
}

static uint64_t touched_in_word(const Vm *vm, uint32_t L, uint64_t address)
{
    const uint64_t *found = map_find(&vm->isolation.touched, touch_key(L, address));
    return found ? *found : 0;
}

static bool is_touched(const Vm *vm, uint32_t L, uint64_t address)
{
    return touched_in_word(vm, L, address) >> (address & 7) & 1;
}

static bool any_touched(const Vm *vm, uint32_t L, uint64_t address, uint64_t n)
{
    for (uint64_t k = 0; k < n; k++)
        if (is_touched(vm, L, address + k)) return true;
    return false;
}

static void touch(Vm *vm, uint32_t L, uint64_t address, uint64_t n)
{
    while (n > 0) {
        uint64_t in = address & 7, count = n < 8 - in ? n : 8 - in, old = touched_in_word(vm, L, address);
        uint64_t now = old | ((1u << count) - 1) << in;
        if (now != old) {
            vec_push(&vm->isolation.log, ((Undo){.kind = UNDO_TOUCH, .key = touch_key(L, address), .old = old}));
            map_put(&vm->isolation.touched, touch_key(L, address), now);
        }
        address += count;
        n -= count;
    }
}

static void note_read(Vm *vm, uint32_t L, uint64_t address, uint64_t n);

static void read_bytes(Vm *vm, uint32_t L, uint64_t address, uint32_t base, unsigned bytes)
{
    if (L > 1) note_read(vm, L - 1, address, bytes);
    const Base *b = &vm__level(vm, L)->bases.data[base];
    VmFact fact = {.kind = FACT_READ, .base = base, .offset = (int64_t)(address - b->address), .bytes = bytes};
    uint64_t key = vm_place_key(b->key, fact.offset, bytes);
    uint32_t undefined = vm__undefined_bytes(vm, address, bytes), all = (1u << bytes) - 1;
    if (undefined) {
        fact.form = undefined == all ? FORM_UNDEFINED : FORM_BYTES;
        vm__add_fact(vm, L, &fact);
        if (undefined == all) touch(vm, L, address, bytes);
        for (unsigned k = 0; k < bytes && undefined != all; k++) read_bytes(vm, L, address + k, base, 1);
        return;
    }
    Expr actual = vm__expr(vm, vm__read_raw(vm, address, bytes), bytes * 8);
    if (expr_has_undef(vm->pool, actual)) vm__be_unfit(vm, "it reads what may be uninitialised");
    Expr seen = read_as(vm, L, key, actual, bytes == 8, vm_is_readonly(vm, address), "", &fact);
    vm__add_fact(vm, L, &fact);
    touch(vm, L, address, bytes);
    uint64_t effects = vm->effects;
    if (seen != actual) vm__write_raw(vm, address, bytes, (Value){.e = seen});
    vm->effects = effects; /* a step that begins anew reads the same */
}

static bool is_natural(uint64_t n)
{
    return n == 1 || n == 2 || n == 4 || n == 8 || n == 10;
}

/* Whole values where nothing of them was seen yet; else words at their places relative to the base, else bytes. */
static void note_read(Vm *vm, uint32_t L, uint64_t address, uint64_t n)
{
    uint64_t start;
    if (!memory_contains(address)) return;
    const Object *object = memory_object(&vm->memory, address, &start);
    if (vm__is_own(vm, L, start)) return;
    if ((object->shadow & OBJECT_READONLY) && map_find(&vm__level(vm, L)->placed, start)) return; /* always the same */
    uint32_t base = name_of(vm, L, start);
    uint64_t from = vm__level(vm, L)->bases.data[base].address;
    if (is_natural(n) && !any_touched(vm, L, address, n)) {
        read_bytes(vm, L, address, base, (unsigned)n);
        return;
    }
    for (uint64_t k = 0; k < n;) {
        uint64_t at = address + k;
        unsigned chunk = (at - from) % 8 == 0 && n - k >= 8 && !any_touched(vm, L, at, 8) ? 8 : 1;
        if (!is_touched(vm, L, at)) read_bytes(vm, L, at, base, chunk);
        k += chunk;
    }
}

void vm__note_read(Vm *vm, uint64_t address, uint64_t n)
{
    uint32_t L = vm->isolation.levels.len;
    if (!vm__isolated(vm) || n == 0) return;
    if (n > LARGE_OBJECT && memory_contains(address) && !vm__is_own(vm, L, start_of(vm, address)))
        vm__be_unfit(vm, "it reads a large object");
    else note_read(vm, L, address, n);
}

void vm__note_write(Vm *vm, uint64_t address, uint64_t n)
{
    uint32_t L = vm->isolation.levels.len;
    if (vm->heads) vm__log_write(vm, address, n);
    if (!vm__isolated(vm) || n == 0 || !memory_contains(address) || vm__is_own(vm, L, start_of(vm, address))) return;
    if (n > LARGE_OBJECT) {
        vm__be_unfit(vm, "it writes a large object");
        return;
    }
    touch(vm, L, address, n);
    vec_push(&vm__level(vm, L)->written, ((Range){address, n}));
    vec_push(&vm->isolation.log, ((Undo){.kind = UNDO_WRITTEN, .level = L}));
}

/* ---- ends that depend on inputs ---- */

static Expr limit_at(Vm *vm, uint32_t L, const Object *object, uint64_t start)
{
    if (L == 0 || vm__is_own(vm, L, start)) return memory_shadow(&vm->memory, object)->limit;
    uint32_t named = name_of(vm, L, start);
    Base *base = &vm__level(vm, L)->bases.data[named];
    if (base->limit) return base->limit;
    note_size(vm, L, start); /* where in the object the base points to: what is said of the end is relative to the start */
    Expr actual = limit_at(vm, L - 1, object, start);
    VmFact fact = {.kind = FACT_LIMIT, .base = named, .form = FORM_INPUT};
    fact.variable = formal(vm, L, hash_mix(vm__level(vm, L)->bases.data[named].key ^ 0x1e), 64, "size", actual);
    vm__change_base(vm, L, named)->limit = fact.variable;
    vm__add_fact(vm, L, &fact);
    return fact.variable;
}

Expr vm__limit_of(Vm *vm, const Object *object, uint64_t start)
{
    return limit_at(vm, vm__isolated(vm) ? vm->isolation.levels.len : 0, object, start);
}

/* ---- from outside ---- */

Expr vm_undefined(Vm *vm, unsigned width)
{
    uint32_t undefs = vm->undefs;
    vm->undefs = 0;
    Expr e = vm__undef(vm, width);
    vm->undefs = undefs;
    return e;
}

Expr vm_root(Vm *vm, Expr e)
{
    return root_at(vm, vm->isolation.levels.len, e);
}

Expr vm_look(Vm *vm, uint64_t address, uint32_t bytes, uint32_t *undefined)
{
    vm__note_read(vm, address, bytes);
    *undefined = vm__undefined_bytes(vm, address, bytes);
    return vm__expr(vm, vm__read_raw(vm, address, bytes), bytes * 8);
}

uint64_t vm_look_address(Vm *vm, Expr pointer)
{
    vm->isolation.based = false;
    uint64_t address = (uint64_t)expr_eval(vm->model, vm__settle(vm, pointer));
    if (!vm->isolation.based) vm__name_directly(vm, address);
    return address;
}

bool vm_look_object(const Vm *vm, uint64_t address, uint64_t *start, uint64_t *size)
{
    if (!memory_contains(address)) return false;
    const Object *object = memory_object(&vm->memory, address, start);
    *size = object->size;
    return object_kind(object) != OBJECT_NONE;
}

unsigned vm_look_access(const Vm *vm, uint64_t base, int64_t offset, uint64_t bytes, bool write)
{
    uint64_t start;
    const Object *object = memory_object(&vm->memory, base, &start);
    ObjectKind kind = object_kind(object);
    uint64_t at = base + (uint64_t)offset - start;
    if (kind == OBJECT_FREED_HEAP || kind == OBJECT_FREED_STACK) return ACCESS_BUG + BUG_USE_AFTER_FREE;
    if (kind == OBJECT_NONE || at > object->size || bytes > object->size - at) return ACCESS_BUG + BUG_OUT_OF_BOUNDS;
    if (write && (object->shadow & OBJECT_READONLY)) return ACCESS_BUG + BUG_OUT_OF_BOUNDS;
    return object->shadow & OBJECT_LIMITED ? ACCESS_LIMITED : ACCESS_FINE;
}

void vm_look_at(Vm *vm, uint64_t address, uint64_t bytes, bool write)
{
    vm__note_access(vm, address, 0, bytes, write, true);
}

void vm_look_size(Vm *vm, uint64_t address)
{
    vm__note_size(vm, address);
}

bool vm_is_readonly(const Vm *vm, uint64_t address)
{
    uint64_t start;
    return memory_object(&vm->memory, address, &start)->shadow & OBJECT_READONLY;
}

Expr vm_look_limit(Vm *vm, uint64_t address)
{
    uint64_t start;
    const Object *object = memory_object(&vm->memory, address, &start);
    return object->shadow & OBJECT_LIMITED ? vm__limit_of(vm, object, start) : 0;
}

Expr vm_look_start(Vm *vm, uint64_t address)
{
    return start_expression(vm, vm->isolation.levels.len, start_of(vm, address));
}
