/* Loads and stores with every check: symbolic bytes, uninitialised bytes, foreign memory, read-only objects, provenance.
 * The dispatch loop does the plain case itself and comes here for the rest. */
#include "base/arith.h"
#include "vm/vm_int.h"

enum { NULL_ZONE = 65536, MAX_ITE_ELEMENTS = 256, MAX_ARRAY_BYTES = 65536, LARGE_ELEMENTS = 64 };

/* Where an access goes. */
typedef struct Place {
    Object *object; /* NULL: foreign memory */
    uint64_t start, offset;
} Place;

/* ---- finding the object ---- */

/* After a report: which object the access is beside. */
static void note_object(Vm *vm, uint64_t start, uint64_t address)
{
    if (vm->stop.kind != VM_BUG || vm->stop.object) return;
    vm->stop.object = start;
    vm->stop.offset = (int64_t)(address - start);
}

static bool bad_access(Vm *vm, BugKind bug, bool write, uint64_t address, uint64_t n)
{
    char where[256];
    vm__describe(vm, address, where, sizeof where);
    vm__report(vm, bug, "%s of %llu byte%s at %#llx, %s", write ? "write" : "read", (unsigned long long)n, n == 1 ? "" : "s",
               (unsigned long long)address, where);
    if (memory_contains(address)) {
        uint64_t start;
        memory_object(&vm->memory, address, &start);
        note_object(vm, start, address);
    }
    return false;
}

/* The pointer the address was computed from lies in another object: the access leaves that one. */
static bool left_object(Vm *vm, uint64_t address, uint64_t base, uint64_t n, bool write)
{
    if (!base || !memory_contains(base)) return false;
    uint64_t start;
    const Object *object = memory_object(&vm->memory, base, &start);
    ObjectKind kind = object_kind(object);
    bool live = kind == OBJECT_GLOBAL || kind == OBJECT_STACK || kind == OBJECT_HEAP;
    if (address - start < vm->memory.spans[(start - MEM_BASE) >> CLASS_SHIFT].size) return false;
    if (!live || base - start > object->size) return false; /* the pointer was outside already (a[-1] idioms): judge the address alone */
    char what[256];
    vm__describe(vm, base, what, sizeof what);
    vm__report(vm, BUG_OUT_OF_BOUNDS, "%s of %llu bytes through a pointer to %s, %lld bytes from its start", write ? "write" : "read",
               (unsigned long long)n, what, (long long)(address - start));
    note_object(vm, start, address);
    return true;
}

static bool foreign_allowed(Vm *vm, uint64_t address)
{
    return vm->native_seen && address >= NULL_ZONE && !(address - CODE_BASE < (uint64_t)vm->program->symbol_count * 16);
}

static bool outside(Vm *vm, uint64_t address, uint64_t n, bool write, Place *place)
{
    if (foreign_allowed(vm, address)) {
        *place = (Place){.offset = address};
        return true;
    }
    if (address - CODE_BASE < (uint64_t)vm->program->symbol_count * 16) {
        const Symbol *symbol = &vm->program->symbols[(address - CODE_BASE) / 16];
        if (symbol->kind == SYMBOL_GLOBAL) {
            vm__stop(vm, VM_UNSUPPORTED, 0, "the variable '%s' is used but defined nowhere: add the file or library that defines it",
                     vm->program->globals[symbol->index].name);
            return false;
        }
    }
    return bad_access(vm, address < NULL_ZONE ? BUG_NULL_DEREFERENCE : BUG_OUT_OF_BOUNDS, write, address, n);
}

/* ---- objects whose end depends on inputs ---- */

void vm__limit(Vm *vm, Object *object, Expr bytes)
{
    memory_make_shadow(&vm->memory, object);
    Object changed = *object;
    changed.shadow |= OBJECT_LIMITED;
    memory_set_object(&vm->memory, object, changed);
    memory_shadow(&vm->memory, object)->limit = bytes; /* for good: nothing on the trail */
}

uint64_t vm__object_end(Vm *vm, const Object *object)
{
    return object->shadow & OBJECT_LIMITED ? (uint64_t)expr_eval(vm->model, memory_shadow(&vm->memory, object)->limit) : object->size;
}

static bool within_limit(Vm *vm, const Place *place, Expr offset, uint64_t n, bool write)
{
    if (!place->object || !(place->object->shadow & OBJECT_LIMITED)) return true;
    Expr limit = vm__limit_of(vm, place->object, place->start), end = expr_add(vm->pool, offset, expr_const(vm->pool, 64, n));
    if (vm__check(vm, expr_binary(vm->pool, EXPR_ULE, end, limit), BUG_OUT_OF_BOUNDS, true)) return true;
    vm__report(vm, BUG_OUT_OF_BOUNDS, "%s of %llu byte%s at offset %llu of an array of %llu bytes", write ? "write" : "read",
               (unsigned long long)n, n == 1 ? "" : "s", (unsigned long long)place->offset,
               (unsigned long long)vm__object_end(vm, place->object));
    note_object(vm, place->start, place->start + place->offset);
    return false;
}

static bool find(Vm *vm, uint64_t address, uint64_t base, uint64_t n, bool write, Place *place)
{
    if (left_object(vm, address, base, n, write)) return false;
    if (!memory_contains(address)) return outside(vm, address, n, write, place);
    uint64_t start;
    Object *object = memory_object(&vm->memory, address, &start);
    ObjectKind kind = object_kind(object);
    if (kind == OBJECT_FREED_HEAP || kind == OBJECT_FREED_STACK) return bad_access(vm, BUG_USE_AFTER_FREE, write, address, n);
    uint64_t offset = address - start;
    if (kind == OBJECT_NONE || offset > object->size || n > object->size - offset)
        return bad_access(vm, BUG_OUT_OF_BOUNDS, write, address, n);
    if (write && (object->shadow & OBJECT_READONLY)) {
        vm__report(vm, BUG_OUT_OF_BOUNDS, "write to a constant object");
        return false;
    }
    *place = (Place){object, start, offset};
    return true;
}

static bool locate(Vm *vm, uint64_t address, uint64_t base, uint64_t n, bool write, Place *p)
{
    bool found = find(vm, address, base, n, write, p);
    if (UNLIKELY(vm__isolated(vm))) vm->observer.access(vm->observer.data, &(VmAccess){address, n, base, write, found});
    return found &&
           (!p->object || !(p->object->shadow & OBJECT_LIMITED) || within_limit(vm, p, expr_const(vm->pool, 64, p->offset), n, write));
}

bool vm__check_range(Vm *vm, uint64_t address, uint64_t n, bool write)
{
    Place place = {0};
    return n == 0 || locate(vm, address, 0, n, write, &place);
}

/* ---- bytes ---- */

static bool tracked(const Object *object)
{
    return object->size < UNTRACKED_BYTES;
}

static bool uninitialised(const Vm *vm, const Place *p, uint64_t k)
{
    const uint8_t *byte = (const uint8_t *)(uintptr_t)(p->start + p->offset + k);
    return *byte == PATTERN && tracked(p->object) && !memory_is_written(&vm->memory, (uintptr_t)byte);
}

bool vm__initialised(Vm *vm, const Object *object, uint64_t address, unsigned bytes)
{
    if (!tracked(object)) return true;
    const uint8_t *byte = (const uint8_t *)(uintptr_t)address;
    for (unsigned k = 0; k < bytes; k++)
        if (byte[k] == PATTERN && !memory_is_written(&vm->memory, address + k)) return false;
    return true;
}

void vm__note_pattern(Vm *vm, uint64_t address, uint64_t value, unsigned bytes)
{
    for (unsigned k = 0; k < bytes; k++)
        if ((uint8_t)(value >> (k * 8)) == PATTERN) memory_set_written(&vm->memory, address + k, true);
}

/* Byte k of the place as an expression or constant. */
static Value byte_at(Vm *vm, const Place *p, uint64_t k)
{
    const Shadow *shadow = memory_shadow(&vm->memory, p->object);
    uint64_t at = p->offset + k;
    if (shadow && shadow->array) return (Value){.e = expr_select(vm->pool, shadow->array, expr_const(vm->pool, 64, at))};
    if (shadow && shadow->value[at]) return (Value){.e = expr_extract(vm->pool, shadow->value[at], shadow->part[at] * 8u, 8)};
    if (uninitialised(vm, p, k)) return (Value){.e = vm__undef(vm, 8)};
    return (Value){.bits = *(const uint8_t *)(uintptr_t)(p->start + at)};
}

Value vm__load_byte(Vm *vm, uint64_t address)
{
    uint64_t start;
    Object *object = memory_object(&vm->memory, address, &start);
    return byte_at(vm, &(Place){object, start, address - start}, 0);
}

static U128 raw_bytes(uint64_t address, unsigned bytes)
{
    U128 bits = 0;
    memcpy(&bits, (const void *)(uintptr_t)address, bytes);
    return bits;
}

/* The same expression's bytes in order: the value that was stored, whole or a part of it. */
static Expr whole_value(Vm *vm, const Shadow *shadow, uint64_t at, unsigned bytes)
{
    Expr e = shadow->value[at];
    if (!e) return 0;
    unsigned part = shadow->part[at];
    for (unsigned k = 1; k < bytes; k++)
        if (shadow->value[at + k] != e || shadow->part[at + k] != part + k) return 0;
    return expr_extract(vm->pool, e, part * 8, bytes * 8);
}

static Value read_place(Vm *vm, const Place *p, unsigned bytes)
{
    const Shadow *shadow = memory_shadow(&vm->memory, p->object);
    unsigned missing = 0;
    bool symbolic = shadow && shadow->array;
    if (shadow && !symbolic) {
        Expr whole = whole_value(vm, shadow, p->offset, bytes);
        if (whole) return (Value){.e = whole};
        for (unsigned k = 0; k < bytes; k++) symbolic |= shadow->value[p->offset + k] != 0;
    }
    for (unsigned k = 0; k < bytes && !symbolic; k++) missing += uninitialised(vm, p, k);
    if (!symbolic && missing == 0) return (Value){.bits = raw_bytes(p->start + p->offset, bytes)};
    if (!symbolic && missing == bytes) return (Value){.e = vm__undef(vm, bytes * 8)};
    Expr e = vm__expr(vm, byte_at(vm, p, bytes - 1), 8);
    for (unsigned k = bytes - 1; k-- > 0;) e = expr_binary(vm->pool, EXPR_CONCAT, e, vm__expr(vm, byte_at(vm, p, k), 8));
    return (Value){.e = e};
}

Value vm__read_raw(Vm *vm, uint64_t address, unsigned bytes)
{
    uint64_t start;
    Object *object = memory_object(&vm->memory, address, &start);
    return read_place(vm, &(Place){object, start, address - start}, bytes);
}

uint32_t vm_undefined_bytes(Vm *vm, uint64_t address, unsigned bytes)
{
    uint64_t start;
    Object *object = memory_object(&vm->memory, address, &start);
    const Shadow *shadow = memory_shadow(&vm->memory, object);
    Place place = {object, start, address - start};
    uint32_t missing = 0;
    for (unsigned k = 0; k < bytes; k++)
        if (!(shadow && (shadow->array || shadow->value[place.offset + k])) && uninitialised(vm, &place, k)) missing |= 1u << k;
    return missing;
}

static void store_into_array(Vm *vm, const Place *p, unsigned bytes, Value value)
{
    Expr array = memory_shadow(&vm->memory, p->object)->array, whole = vm__expr(vm, value, bytes * 8);
    for (unsigned k = 0; k < bytes; k++) {
        Expr index = expr_const(vm->pool, 64, p->offset + k);
        array = expr_store(vm->pool, array, index, expr_extract(vm->pool, whole, k * 8, 8));
    }
    memory_set_array(&vm->memory, p->object, array);
}

static void write_constant_byte(Vm *vm, const Place *p, unsigned k, uint8_t byte)
{
    uint64_t address = p->start + p->offset + k;
    *(uint8_t *)(uintptr_t)address = byte;
    if (byte == PATTERN) memory_set_written(&vm->memory, address, true);
    memory_set_symbolic(&vm->memory, p->object, p->offset + k, 0, 0);
}

static void write_expr_byte(Vm *vm, const Place *p, unsigned k, Expr whole, unsigned part)
{
    Expr byte = expr_extract(vm->pool, whole, part * 8, 8);
    uint64_t address = p->start + p->offset + k;
    if (expr_is_const(vm->pool, byte)) {
        write_constant_byte(vm, p, k, (uint8_t)expr_value(vm->pool, byte));
    } else if (expr_kind(vm->pool, byte) == EXPR_UNDEF && tracked(p->object)) {
        *(uint8_t *)(uintptr_t)address = PATTERN;
        memory_set_written(&vm->memory, address, false);
        memory_set_symbolic(&vm->memory, p->object, p->offset + k, 0, 0);
    } else {
        memory_set_symbolic(&vm->memory, p->object, p->offset + k, whole, (uint8_t)part);
    }
}

static void write_place(Vm *vm, const Place *p, unsigned bytes, Value value)
{
    uint64_t address = p->start + p->offset;
    const Shadow *shadow = memory_shadow(&vm->memory, p->object);
    vm->effects++;
    if (shadow && shadow->array) {
        store_into_array(vm, p, bytes, value);
        return;
    }
    memory_save(&vm->memory, address, bytes);
    bool undef = value.e && expr_kind(vm->pool, value.e) == EXPR_UNDEF && tracked(p->object);
    for (unsigned k = 0; k < bytes; k++) {
        if (undef) {
            *(uint8_t *)(uintptr_t)(address + k) = PATTERN;
            memory_set_written(&vm->memory, address + k, false);
            memory_set_symbolic(&vm->memory, p->object, p->offset + k, 0, 0);
        } else if (value.e) {
            write_expr_byte(vm, p, k, value.e, k);
        } else {
            write_constant_byte(vm, p, k, (uint8_t)(value.bits >> (k * 8)));
        }
    }
}

void vm__write_raw(Vm *vm, uint64_t address, unsigned bytes, Value value)
{
    uint64_t start;
    Object *object = memory_object(&vm->memory, address, &start);
    write_place(vm, &(Place){object, start, address - start}, bytes, value);
}

void vm__store_bytes(Vm *vm, uint64_t address, unsigned bytes, Value value)
{
    if (!memory_contains(address)) {
        U128 bits = vm__concrete(vm, value);
        vm__guarded_copy((void *)(uintptr_t)address, &bits, bytes);
        return;
    }
    vm__write_raw(vm, address, bytes, value);
}

/* ---- symbolic addresses ---- */

/* The access failed under the model.  What it says of the address: that it is outside of its base's object, where there is one, else
 * which one it is.  Without this a first run that ends here would not tell that there is another side.  Which object is the base's
 * may depend on inputs too; both are one condition, since any other pair of object and address is another case. */
static void note_fault(Vm *vm, Expr address, Value base, unsigned bytes)
{
    if (vm->stop.kind != VM_BUG) return;
    uint64_t start, pointer = (uint64_t)vm__concrete(vm, base);
    const Object *object = pointer && memory_contains(pointer) ? memory_object(&vm->memory, pointer, &start) : NULL;
    if (!object || object->size < bytes || pointer - start > object->size) {
        vm__concretize(vm, (Value){.e = address}, 64);
        return;
    }
    Expr offset = expr_binary(vm->pool, EXPR_SUB, address, expr_const(vm->pool, 64, start));
    Expr inside = expr_binary(vm->pool, EXPR_ULE, offset, expr_const(vm->pool, 64, object->size - bytes));
    Expr another = base.e ? expr_not(vm->pool, expr_eq(vm->pool, base.e, expr_const(vm->pool, 64, pointer))) : expr_const(vm->pool, 1, 0);
    vm__check(vm, expr_or(vm->pool, another, inside), vm->stop.bug, true);
}

/* The address stays in the object it is in under the model; `index` is its offset there.  False: stopped. */
static bool locate_symbolic(Vm *vm, Expr address, Value base, unsigned bytes, bool write, Place *p, Expr *index)
{
    uint64_t concrete = (uint64_t)expr_eval(vm->model, address), pointer = (uint64_t)vm__concrete(vm, base);
    if (!vm__record_defined(vm, address)) { /* said even where every address it can be is inside */
        vm__report(vm, BUG_UNINITIALIZED, "this address depends on an uninitialised value");
        if (vm->stop.kind != VM_RUNNING) return false;
    }
    bool based = vm->based;
    if (based) vm__tell_place(vm, PLACE_SIZED, memory_contains(pointer) ? pointer : concrete, 0);
    if (!find(vm, concrete, pointer, bytes, write, p)) {
        note_fault(vm, address, base, bytes);
        return false;
    }
    *index = 0;
    if (!p->object) {
        vm__concretize(vm, (Value){.e = address}, 64);
        return true;
    }
    Expr offset = expr_binary(vm->pool, EXPR_SUB, address, expr_const(vm->pool, 64, p->start));
    Expr inside = expr_binary(vm->pool, EXPR_ULE, offset, expr_const(vm->pool, 64, p->object->size - bytes));
    vm__condition(vm, address, inside, CONDITION_OBJECT, BUG_OUT_OF_BOUNDS, UINT32_MAX, true);
    if (!based) { /* which object it is in is decided now */
        vm__tell_place(vm, PLACE_NAMED, concrete, 0);
        vm__tell_place(vm, PLACE_SIZED, concrete, 0);
    }
    if (!within_limit(vm, p, offset, bytes, write)) return false;
    if (!expr_is_const(vm->pool, offset) && p->object->size <= MAX_ARRAY_BYTES) *index = offset;
    else if (!expr_is_const(vm->pool, offset)) vm__concretize(vm, (Value){.e = address}, 64);
    return true;
}

/* Elements of the accessed size, if the index is known to be a multiple of it; else bytes. */
static unsigned element_bytes(Vm *vm, const Place *p, Expr index, unsigned bytes)
{
    const Shadow *shadow = memory_shadow(&vm->memory, p->object);
    bool power = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
    ExprKnown known = expr_known(vm->pool, index);
    if (!power || (shadow && shadow->array) || p->object->size % bytes) return 1;
    return ((uint64_t)known.zeros & (bytes - 1)) == bytes - 1 ? bytes : 1;
}

static Expr element_index(Vm *vm, Expr index, unsigned bytes)
{
    unsigned shift = (unsigned)__builtin_ctz(bytes);
    return shift ? expr_binary(vm->pool, EXPR_LSHR, index, expr_const(vm->pool, 64, shift)) : index;
}

/* How many elements there are before the last ones that are all plain zeros. */
static uint32_t elements_in_use(Vm *vm, const Place *p, unsigned element)
{
    const Shadow *shadow = memory_shadow(&vm->memory, p->object);
    uint64_t n = p->object->size;
    const uint8_t *bytes = (const uint8_t *)(uintptr_t)p->start;
    while (n > 0 && !bytes[n - 1] && !(shadow && shadow->value[n - 1])) n--;
    return (uint32_t)((n + element - 1) / element);
}

static Expr object_array(Vm *vm, const Place *p, unsigned element, uint32_t count)
{
    bool fixed = (p->object->shadow & OBJECT_READONLY) && !(p->object->shadow & SHADOW_SYMBOLIC);
    uint64_t key = p->start << 5 | element, *known = fixed ? map_find(&vm->const_arrays, key) : NULL;
    if (known) return (Expr)*known;
    Vec(Expr) elements = {0};
    vec_reserve(&elements, count);
    for (uint32_t j = 0; j < count; j++) {
        Place at = {p->object, p->start, (uint64_t)j * element};
        vec_push(&elements, vm__expr(vm, read_place(vm, &at, element), element * 8));
    }
    Expr array = expr_array(vm->pool, element * 8, elements.data, count);
    vec_release(&elements);
    if (fixed) {
        map_put(&vm->const_arrays, key, array);
        if (array > vm->newest_array) vm->newest_array = array;
    }
    return array;
}

/* Of an object that is 0 from some element on, only the others are an array. */
static Value read_head(Vm *vm, const Place *p, Expr at, unsigned element, uint32_t used)
{
    Expr zero = expr_const(vm->pool, element * 8, 0);
    if (!used) return (Value){.e = zero};
    Expr inside = expr_binary(vm->pool, EXPR_ULT, at, expr_const(vm->pool, 64, used));
    Expr index = expr_ite(vm->pool, inside, at, expr_const(vm->pool, 64, 0));
    return (Value){.e = expr_ite(vm->pool, inside, expr_select(vm->pool, object_array(vm, p, element, used), index), zero)};
}

static Value read_at_index(Vm *vm, const Place *p, Expr index, unsigned bytes)
{
    unsigned element = element_bytes(vm, p, index, bytes);
    const Shadow *shadow = memory_shadow(&vm->memory, p->object);
    uint32_t all = (uint32_t)(p->object->size / element), used = shadow && shadow->array ? all : elements_in_use(vm, p, element);
    bool fixed = (p->object->shadow & OBJECT_READONLY) && !(p->object->shadow & SHADOW_SYMBOLIC);
    if (element == bytes && !fixed && used < all / 2 && all >= LARGE_ELEMENTS)
        return read_head(vm, p, element_index(vm, index, element), element, used);
    Expr array = shadow && shadow->array ? shadow->array : object_array(vm, p, element, all), value = 0;
    if (element == bytes) return (Value){.e = expr_select(vm->pool, array, element_index(vm, index, element))};
    for (unsigned k = 0; k < bytes; k++) {
        Expr byte = expr_select(vm->pool, array, expr_add(vm->pool, index, expr_const(vm->pool, 64, k)));
        value = value ? expr_binary(vm->pool, EXPR_CONCAT, byte, value) : byte;
    }
    return (Value){.e = value};
}

/* Small objects: every element becomes "the new value if the index is here, else the old one".  Large ones turn into an array. */
static void write_at_index(Vm *vm, const Place *p, Expr index, unsigned bytes, Value value)
{
    unsigned element = element_bytes(vm, p, index, bytes);
    Expr whole = vm__expr(vm, value, bytes * 8);
    const Shadow *shadow = memory_shadow(&vm->memory, p->object);
    uint64_t count = p->object->size / element;
    if (element == bytes && count <= MAX_ITE_ELEMENTS && !(shadow && shadow->array)) {
        Expr at = element_index(vm, index, element);
        for (uint64_t j = 0; j < count; j++) {
            Expr here = expr_eq(vm->pool, at, expr_const(vm->pool, 64, j));
            if (expr_is_const(vm->pool, here) && !expr_value(vm->pool, here)) continue;
            Place slot = {p->object, p->start, j * element};
            Expr old = vm__expr(vm, read_place(vm, &slot, element), element * 8);
            write_place(vm, &slot, element, (Value){.e = expr_ite(vm->pool, here, whole, old)});
        }
        return;
    }
    Expr array = shadow && shadow->array ? shadow->array : object_array(vm, p, 1, (uint32_t)p->object->size);
    for (unsigned k = 0; k < bytes; k++) {
        Expr at = expr_add(vm->pool, index, expr_const(vm->pool, 64, k));
        array = expr_store(vm->pool, array, at, expr_extract(vm->pool, whole, k * 8, 8));
    }
    vm->effects++;
    memory_set_array(&vm->memory, p->object, array);
}

/* ---- the two accesses ---- */

static Value cut(Vm *vm, Value value, unsigned width)
{
    if (value.e) return (Value){.e = expr_extract(vm->pool, value.e, 0, width)};
    return (Value){.bits = value.bits & arith_mask(width)};
}

static bool load_foreign(Vm *vm, uint64_t address, unsigned bytes, Value *value)
{
    *value = (Value){0};
    if (vm__guarded_copy(&value->bits, (const void *)(uintptr_t)address, bytes)) return true;
    return bad_access(vm, BUG_OUT_OF_BOUNDS, false, address, bytes);
}

/* Which object a pointer input points to is settled first. */
static Value settled(Vm *vm, Value address)
{
    if (!address.e) vm__tell_place(vm, PLACE_NAMED, (uint64_t)address.bits, 0);
    if (address.e) address.e = vm__settle(vm, address.e);
    if (!address.e) return address;
    bool known = expr_is_const(vm->pool, address.e) || vm__is_implied(vm, address.e);
    return known ? (Value){.bits = expr_eval(vm->model, address.e)} : address;
}

bool vm__load(Vm *vm, Value address, Value base, unsigned width, Value *value)
{
    unsigned bytes = (width + 7) / 8;
    address = settled(vm, address);
    Place p;
    Expr index = 0;
    if (address.e ? !locate_symbolic(vm, address.e, base, bytes, false, &p, &index)
                  : !locate(vm, (uint64_t)address.bits, (uint64_t)vm__concrete(vm, base), bytes, false, &p))
        return false;
    if (!p.object) {
        if (!load_foreign(vm, (uint64_t)vm__concrete(vm, address), bytes, value)) return false;
    } else {
        vm__tell_place(vm, PLACE_READ, index ? p.start : p.start + p.offset, index ? p.object->size : bytes);
        if (vm->stop.kind != VM_RUNNING) return false;
        *value = index ? read_at_index(vm, &p, index, bytes) : read_place(vm, &p, bytes);
    }
    if (width != bytes * 8) *value = cut(vm, *value, width);
    return true;
}

bool vm__store(Vm *vm, Value address, Value base, unsigned width, Value value)
{
    unsigned bytes = (width + 7) / 8;
    address = settled(vm, address);
    Place p;
    Expr index = 0;
    if (address.e ? !locate_symbolic(vm, address.e, base, bytes, true, &p, &index)
                  : !locate(vm, (uint64_t)address.bits, (uint64_t)vm__concrete(vm, base), bytes, true, &p))
        return false;
    if (value.e && width != bytes * 8) value.e = expr_zext(vm->pool, value.e, bytes * 8);
    if (!p.object) {
        U128 bits = vm__concrete(vm, value);
        uint64_t to = (uint64_t)vm__concrete(vm, address);
        return vm__guarded_copy((void *)(uintptr_t)to, &bits, bytes) || bad_access(vm, BUG_OUT_OF_BOUNDS, true, to, bytes);
    }
    if (index) vm__tell_place(vm, PLACE_READ, p.start, p.object->size);
    vm__tell_place(vm, PLACE_WRITTEN, index ? p.start : p.start + p.offset, index ? p.object->size : bytes);
    if (vm->stop.kind != VM_RUNNING) return false;
    if (index) write_at_index(vm, &p, index, bytes, value);
    else write_place(vm, &p, bytes, value);
    return true;
}

/* ---- ranges ---- */

static bool has_shadow(const Vm *vm, uint64_t address)
{
    uint64_t start;
    return memory_contains(address) && (memory_object(&vm->memory, address, &start)->shadow & SHADOW_SYMBOLIC);
}

/* Are all PATTERN bytes of the range values? */
static bool all_initialised(Vm *vm, uint64_t address, uint64_t n)
{
    uint64_t start;
    const Object *object = memory_object(&vm->memory, address, &start);
    if (!tracked(object)) return true;
    const char *p = (const char *)(uintptr_t)address, *end = p + n;
    while (p < end && (p = memchr(p, PATTERN, (size_t)(end - p))))
        if (!memory_is_written(&vm->memory, (uintptr_t)p++)) return false;
    return true;
}

bool vm__plain(Vm *vm, uint64_t address, uint64_t n)
{
    if (n == 0) return true;
    if (!memory_contains(address)) return false;
    uint64_t start;
    const Object *object = memory_object(&vm->memory, address, &start);
    uint64_t offset = address - start;
    if (offset > object->size || n > object->size - offset || (object->shadow & SHADOW_SYMBOLIC)) return false;
    return all_initialised(vm, address, n);
}

/* Byte by byte, with expressions and uninitialised bytes kept; the source is read whole first, since the ranges may overlap. */
static void copy_general(Vm *vm, uint64_t to, uint64_t from, uint64_t n)
{
    typedef struct Kept {
        Value byte;
        Expr whole;
        uint8_t part;
    } Kept;
    Kept *kept = mem_alloc(n * sizeof *kept);
    for (uint64_t k = 0; k < n; k++) {
        uint64_t start;
        const Object *object = memory_object(&vm->memory, from + k, &start);
        const Shadow *shadow = memory_shadow(&vm->memory, object);
        uint64_t at = from + k - start;
        if (shadow && !shadow->array && shadow->value[at]) kept[k] = (Kept){.whole = shadow->value[at], .part = shadow->part[at]};
        else kept[k].byte = vm__load_byte(vm, from + k);
    }
    uint64_t start;
    Object *object = memory_object(&vm->memory, to, &start);
    const Shadow *shadow = memory_shadow(&vm->memory, object);
    memory_save(&vm->memory, to, n);
    for (uint64_t k = 0; k < n; k++) {
        Place p = {object, start, to + k - start};
        if (kept[k].whole && !(shadow && shadow->array)) write_expr_byte(vm, &p, 0, kept[k].whole, kept[k].part);
        else if (kept[k].whole) write_place(vm, &p, 1, (Value){.e = expr_extract(vm->pool, kept[k].whole, kept[k].part * 8u, 8)});
        else write_place(vm, &p, 1, kept[k].byte);
    }
    vec__free(kept);
}

/* Plain bytes, some of them uninitialised: moved at once, and each PATTERN byte keeps what it is. */
static void copy_partly_initialised(Vm *vm, uint64_t to, uint64_t from, uint64_t n)
{
    uint8_t few[256], *written = n <= sizeof few ? few : mem_alloc(n);
    const uint8_t *source = (const uint8_t *)(uintptr_t)from, *copy = (const uint8_t *)(uintptr_t)to;
    for (uint64_t k = 0; k < n; k++) written[k] = source[k] == PATTERN && memory_is_written(&vm->memory, from + k);
    memory_save(&vm->memory, to, n);
    memmove((void *)(uintptr_t)to, source, n);
    for (uint64_t k = 0; k < n; k++)
        if (copy[k] == PATTERN) memory_set_written(&vm->memory, to + k, written[k]);
    if (written != few) vec__free(written);
}

bool vm__copy(Vm *vm, uint64_t to, uint64_t from, uint64_t n)
{
    if (n == 0) return true;
    if (!vm__check_range(vm, from, n, false) || !vm__check_range(vm, to, n, true)) return false;
    vm__tell_place(vm, PLACE_READ, from, n);
    vm__tell_place(vm, PLACE_WRITTEN, to, n);
    if (vm->stop.kind != VM_RUNNING) return false;
    vm->effects++;
    bool to_guest = memory_contains(to), from_guest = memory_contains(from);
    if (!to_guest || !from_guest) {
        if (from_guest) vm__materialize(vm, from);
        if (to_guest) memory_save(&vm->memory, to, n);
        if (!vm__guarded_copy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, n))
            return bad_access(vm, BUG_OUT_OF_BOUNDS, !to_guest, to_guest ? from : to, n);
        if (to_guest) {
            for (uint64_t k = 0; has_shadow(vm, to) && k < n; k++)
                vm__store_bytes(vm, to + k, 1, (Value){.bits = *(uint8_t *)(uintptr_t)(to + k)});
            memory_mark_written(&vm->memory, to, n);
        }
        return true;
    }
    bool initialised = all_initialised(vm, from, n);
    uint64_t start;
    if (has_shadow(vm, from) || has_shadow(vm, to) || (!initialised && !tracked(memory_object(&vm->memory, to, &start)))) {
        copy_general(vm, to, from, n);
        return true;
    }
    if (!initialised) {
        copy_partly_initialised(vm, to, from, n);
        return true;
    }
    memory_save(&vm->memory, to, n);
    memmove((void *)(uintptr_t)to, (const void *)(uintptr_t)from, n);
    memory_mark_written(&vm->memory, to, n);
    return true;
}

bool vm__fill(Vm *vm, uint64_t to, Value byte, uint64_t n)
{
    if (n == 0) return true;
    if (!vm__check_range(vm, to, n, true)) return false;
    vm__tell_place(vm, PLACE_WRITTEN, to, n);
    if (vm->stop.kind != VM_RUNNING) return false;
    vm->effects++;
    if (!memory_contains(to)) {
        uint8_t value = (uint8_t)vm__concrete(vm, byte);
        for (uint64_t k = 0; k < n; k++)
            if (!vm__guarded_copy((void *)(uintptr_t)(to + k), &value, 1)) return bad_access(vm, BUG_OUT_OF_BOUNDS, true, to, n);
        return true;
    }
    if (byte.e || has_shadow(vm, to)) {
        for (uint64_t k = 0; k < n; k++) vm__store_bytes(vm, to + k, 1, byte);
        return true;
    }
    memory_save(&vm->memory, to, n);
    memset((void *)(uintptr_t)to, (int)(uint8_t)byte.bits, n);
    if ((uint8_t)byte.bits == PATTERN) memory_mark_written(&vm->memory, to, n);
    return true;
}

/* Native code is about to look at the object. */
void vm__materialize(Vm *vm, uint64_t address)
{
    if (!memory_contains(address) || !has_shadow(vm, address)) return;
    uint64_t start;
    Object *object = memory_object(&vm->memory, address, &start);
    for (uint64_t at = 0; at < object->size; at++) {
        const Shadow *shadow = memory_shadow(&vm->memory, object); /* evaluation may execute guest code, which may move it */
        if (!shadow->array && !shadow->value[at]) continue;
        uint8_t byte = (uint8_t)vm__concrete(vm, vm__load_byte(vm, start + at));
        memory_save(&vm->memory, start + at, 1);
        *(uint8_t *)(uintptr_t)(start + at) = byte;
    }
}
