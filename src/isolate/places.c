/* Places seen from inside an isolated call: what they are called, and which accesses to them are possible.
 *
 * An object that was there before the call is named by the first base that points into it.  A base is *resolved* the first time an access goes through it:
 * which base names its object, and at what distance, is then a fact; so aliasing is part of what a path depends on. */
#include "isolate/isolate_int.h"

/* ---- names ---- */

uint32_t isolation__add_base(Isolation *isolation, uint32_t L, const IsolatedBase *base)
{
    Level *level = isolation__level(isolation, L);
    uint32_t index = level->bases.len;
    if (base->variable && !map_find(&level->base_of, base->variable)) map_put(&level->base_of, base->variable, index);
    vec_push(&level->bases, *base);
    vec_top(&level->bases).start = vm_object_start(isolation->vm, base->address);
    isolation__log(isolation, &(Undo){.kind = UNDO_BASE, .level = L});
    return index;
}

IsolatedBase *isolation__change_base(Isolation *isolation, uint32_t L, uint32_t base)
{
    IsolatedBase *b = &vec_at(&isolation__level(isolation, L)->bases, base);
    isolation__log(isolation, &(Undo){.kind = UNDO_CHANGE, .level = L, .index = base, .base = *b});
    return b;
}

uint32_t isolation__canonical(const Isolation *isolation, uint32_t L, uint64_t start)
{
    const Level *level = isolation__level(isolation, L);
    for (uint32_t k = 0; k < level->bases.len; k++)
        if (level->bases.data[k].start == start) return k;
    return UINT32_MAX;
}

static void resolve(Isolation *isolation, uint32_t L, uint32_t base)
{
    const Level *level = isolation__level(isolation, L);
    if (level->bases.data[base].resolved) return;
    isolation__change_base(isolation, L, base)->resolved = true;
    const IsolatedBase *b = &level->bases.data[base];
    uint32_t first = isolation__canonical(isolation, L, b->start);
    IsolatedFact fact = {
        .kind = FACT_SAME, .base = base, .other = first, .offset = (int64_t)(b->address - level->bases.data[first].address)};
    isolation__add_fact(isolation, L, &fact);
}

Expr isolation__settle(void *data, Expr variable)
{
    Isolation *isolation = data;
    uint32_t L = isolation__top(isolation);
    const uint64_t *base = map_find(&isolation__level(isolation, L)->base_of, variable);
    if (!base) return 0;
    resolve(isolation, L, (uint32_t)*base);
    return expr_const(isolation->pool, 64, isolation__level(isolation, L)->bases.data[*base].address);
}

void isolation__name(Isolation *isolation, uint32_t L, uint64_t address)
{
    uint64_t start = vm_object_start(isolation->vm, address);
    Level *level = isolation__level(isolation, L);
    if (!start || isolation__is_own(isolation, L, start) || map_find(&level->placed, start)) return;
    uint32_t made = isolation__add_base(isolation, L, &(IsolatedBase){.address = start, .key = hash_mix(start)});
    map_put(&level->placed, start, made);
    isolation__add_fact(isolation, L, &(IsolatedFact){.kind = FACT_PLACE, .base = made, .value = start});
    resolve(isolation, L, made);
}

uint32_t isolation__name_of(Isolation *isolation, uint32_t L, uint64_t start)
{
    uint32_t base = isolation__canonical(isolation, L, start);
    if (base != UINT32_MAX) return base;
    isolation__name(isolation, L, start);
    return isolation__canonical(isolation, L, start);
}

uint64_t isolation_place_key(uint64_t base_key, int64_t offset, uint64_t bytes)
{
    return hash_mix(base_key ^ hash_mix((uint64_t)offset ^ hash_mix(bytes)));
}

uint64_t isolation_follow(Isolation *isolation, Expr pointer)
{
    bool based;
    uint64_t address = (uint64_t)expr_eval(vm_model(isolation->vm), vm_settle(isolation->vm, pointer, &based));
    if (!based && isolation->levels.len) isolation__name(isolation, isolation__top(isolation), address);
    return address;
}

/* ---- accesses ---- */

static bool is_known(const IsolatedBase *base, int64_t from, int64_t end, bool write)
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

static void note_access(Isolation *isolation, uint64_t start, const VmAccess *access, unsigned outcome)
{
    uint32_t L = isolation__top(isolation);
    if (isolation__is_own(isolation, L, start)) return;
    uint32_t named = isolation__name_of(isolation, L, start);
    const IsolatedBase *b = &isolation__level(isolation, L)->bases.data[named];
    int64_t offset = (int64_t)(access->address - b->address), end = offset + (int64_t)access->bytes;
    if (outcome < ACCESS_BUG && is_known(b, offset, end, access->write)) return;
    IsolatedFact fact = {.kind = FACT_ACCESS, .base = named, .offset = offset, .bytes = access->bytes, .write = access->write};
    fact.outcome = (uint8_t)outcome;
    isolation__add_fact(isolation, L, &fact);
    if (outcome >= ACCESS_BUG) return;
    IsolatedBase *changed = isolation__change_base(isolation, L, named);
    widen(&changed->low, &changed->high, offset, end);
    if (access->write) widen(&changed->write_low, &changed->write_high, offset, end);
}

/* Where the access failed, the object is that of the pointer it was made from. */
void isolation__access(void *data, const VmAccess *access)
{
    Isolation *isolation = data;
    VmObject object;
    const VmStop *stop = vm_stop(isolation->vm);
    bool found = !access->fine && vm_object(isolation->vm, access->base, &object);
    if (!found && !vm_object(isolation->vm, access->address, &object)) return;
    if (!access->fine && stop->kind != VM_BUG) return;
    note_access(isolation, object.start, access, !access->fine ? ACCESS_BUG + stop->bug : object.limit ? ACCESS_LIMITED : ACCESS_FINE);
}

static unsigned outcome_of(const VmObject *object, uint64_t at, uint64_t bytes, bool write)
{
    if (object->exists && !object->is_live) return ACCESS_BUG + BUG_USE_AFTER_FREE;
    if (!object->exists || at > object->size || bytes > object->size - at) return ACCESS_BUG + BUG_OUT_OF_BOUNDS;
    if (write && object->is_readonly) return ACCESS_BUG + BUG_OUT_OF_BOUNDS;
    return object->limit ? ACCESS_LIMITED : ACCESS_FINE;
}

unsigned isolation_access(Isolation *isolation, uint64_t base, int64_t offset, uint64_t bytes, bool write)
{
    VmObject object;
    bool found = vm_object(isolation->vm, base, &object);
    uint64_t address = base + (uint64_t)offset;
    unsigned outcome = outcome_of(&object, address - object.start, bytes, write);
    if (found && isolation->levels.len) note_access(isolation, object.start, &(VmAccess){address, bytes, base, write, false}, outcome);
    return outcome;
}

void isolation__note_size(Isolation *isolation, uint32_t L, uint64_t address)
{
    VmObject object;
    if (!vm_object(isolation->vm, address, &object) || isolation__is_own(isolation, L, object.start)) return;
    uint32_t named = isolation__name_of(isolation, L, object.start);
    const IsolatedBase *b = &isolation__level(isolation, L)->bases.data[named];
    if (b->sized) return;
    uint64_t before = b->address - object.start;
    IsolatedFact fact = {.kind = FACT_SIZE, .base = named, .offset = (int64_t)before, .bytes = object.size - before};
    fact.outcome = object.limit ? ACCESS_LIMITED : ACCESS_FINE;
    fact.write = object.is_readonly;
    isolation__change_base(isolation, L, named)->sized = true;
    isolation__add_fact(isolation, L, &fact);
}
