/* Slots, uninitialised bytes, shadows and the trail of guest memory; the layout is described in memory.h.
 *
 * The allocator is made to be undone: an allocation takes the oldest freed slot (head moves on) or a fresh one, a release appends to
 * the queue, and each leaves one trail entry that takes it back exactly.  Hence the same addresses come out after a return. */
#include "vm/memory.h"

#include "base/arith.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Freed slots wait until this many others of their class were freed, within a bound of bytes; the pages of large ones have gone back to the system,
 * so they need not count bytes. */
enum { QUARANTINE_SLOTS = 1024, QUARANTINE_LARGE = 16, QUARANTINE_BYTES = 256 * 1024, LARGE_BYTES = 64 * 1024 };

static void *reserve(Memory *memory, int which, void *at, size_t bytes, Error *error)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED_NOREPLACE : 0);
    void *p = mmap(at, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (p == MAP_FAILED || (at && p != at)) {
        fail(error, "cannot reserve %zu GiB of address space for the guest: %s (is there a limit, see `ulimit -v`?)", bytes >> 30,
             p == MAP_FAILED ? strerror(errno) : "the range is taken");
        return NULL;
    }
    madvise(p, bytes, MADV_DONTDUMP);
    if (at) madvise(p, bytes, MADV_NOHUGEPAGE); /* memory used stays near memory touched */
    memory->reserved[which] = p;
    memory->reserved_bytes[which] = bytes;
    return p;
}

static void add_class(Memory *memory, uint64_t size)
{
    ClassSpan *span = &memory->spans[memory->class_used++];
    span->size = size;
    span->inverse = size == CLASS_BYTES ? 0 : (uint64_t)(((U128)1 << 64) / size) + 1;
}

/* Classes start at multiples of 16 GiB, which all compete for one set of the cache; so each begins with another slot.
 * Slot 0 is never used: its address would end in 32 zero bits, which programs that cut pointers take for null. */
static void stagger(Memory *memory)
{
    for (uint32_t i = 0; i < memory->huge_first; i++) {
        uint64_t most = CLASS_BYTES / memory->spans[i].size / 64, first = 1 + i * 41 % 255;
        memory->classes[i].fresh = memory->classes[i].touched = first < most ? first : most;
    }
}

/* Regular sizes first: GAP plus a payload of 16 k up to 128, then four per doubling; powers of two for objects of larger
 * alignment; the rest are classes with one slot each, for what is larger than 512 MiB. */
static void set_up_classes(Memory *memory)
{
    for (uint64_t payload = 16; payload <= 128; payload += 16) add_class(memory, payload + GAP);
    for (uint64_t base = 128; base < (1u << 29); base *= 2)
        for (uint64_t quarter = 1; quarter <= 4; quarter++) add_class(memory, base + base / 4 * quarter + GAP);
    for (uint64_t size = 64; size <= (1u << 29); size *= 2) add_class(memory, size);
    memory->huge_first = memory->class_used;
    while (memory->class_used < CLASS_COUNT) add_class(memory, CLASS_BYTES);
    stagger(memory);
}

Status memory_init(Memory *memory, uint64_t limit, Error *error)
{
    *memory = (Memory){.limit = limit, .epoch = 1};
    if (!reserve(memory, 0, (void *)(uintptr_t)MEM_BASE, MEM_BYTES, error)) return FAILED;
    memory->objects = reserve(memory, 1, NULL, ((size_t)CLASS_COUNT << OBJECTS_SHIFT) * sizeof(Object), error);
    if (!memory->objects) goto failed;
    size_t epochs = (MEM_BYTES >> LINE_SHIFT) * sizeof(uint32_t), bits = MEM_BYTES / 8;
    char *sides = reserve(memory, 2, NULL, epochs + bits, error);
    if (!sides) goto failed;
    memory->line_epoch = (uint32_t *)sides;
    memory->written = (uint64_t *)(sides + epochs);
    set_up_classes(memory);
    vec_push(&memory->shadows, (Shadow){0});
    return OK;
failed:
    memory_release(memory);
    return FAILED;
}

static void release_shadow(Shadow *shadow)
{
    free(shadow->value);
    free(shadow->part);
    *shadow = (Shadow){0};
}

void memory_release(Memory *memory)
{
    for (int i = 0; i < 3; i++)
        if (memory->reserved[i]) munmap(memory->reserved[i], memory->reserved_bytes[i]);
    for (uint32_t i = 0; i < CLASS_COUNT; i++) free(memory->classes[i].queue);
    for (uint32_t i = 0; i < memory->shadows.len; i++) release_shadow(&memory->shadows.data[i]);
    vec_release(&memory->shadows);
    vec_release(&memory->free_shadows);
    vec_release(&memory->trail);
    *memory = (Memory){0};
}

/* ---- allocation ---- */

static uint32_t first_fitting(const Memory *memory, uint32_t from, uint32_t end, uint64_t size)
{
    while (from < end) { /* sizes ascend */
        uint32_t middle = (from + end) / 2;
        if (memory->spans[middle].size < size) from = middle + 1;
        else end = middle;
    }
    return from;
}

/* The powers of two start after 8 + 22 * 4 regular classes. */
enum { POWERS_FIRST = 8 + 22 * 4 };

uint32_t memory_class(const Memory *memory, uint64_t size, uint32_t align)
{
    if (size > CLASS_BYTES - GAP) return CLASS_COUNT;
    uint64_t wanted = size + GAP < 32 ? 32 : size + GAP;
    uint32_t found, end;
    if (align <= 16) {
        end = POWERS_FIRST;
        found = first_fitting(memory, 0, end, wanted);
    } else {
        end = memory->huge_first;
        if (wanted < align) wanted = align;
        found = first_fitting(memory, POWERS_FIRST, end, wanted);
    }
    if (found < end) return found;
    for (uint32_t i = memory->huge_first; i < CLASS_COUNT; i++)
        if (memory->classes[i].fresh == 0 || memory->classes[i].head != memory->classes[i].tail) return i;
    return CLASS_COUNT;
}

static void queue_push(SizeClass *c, uint32_t slot)
{
    if (c->tail - c->head == c->queue_cap) {
        uint32_t cap = c->queue_cap ? c->queue_cap * 2 : 16;
        uint32_t *queue = mem_alloc(cap * sizeof *queue);
        for (uint64_t i = c->head; i < c->tail; i++) queue[i & (cap - 1)] = c->queue[i & (c->queue_cap - 1)];
        free(c->queue);
        c->queue = queue;
        c->queue_cap = cap;
    }
    c->queue[c->tail++ & (c->queue_cap - 1)] = slot;
}

/* Reuse only once enough others wait behind it. */
static bool reusable(const SizeClass *c, uint64_t size)
{
    uint64_t waiting = c->tail - c->head;
    if (waiting == 0) return false;
    if ((c->fresh + 1) * size > CLASS_BYTES) return true;
    return size >= LARGE_BYTES ? waiting > QUARANTINE_LARGE : waiting > QUARANTINE_SLOTS || waiting * size > QUARANTINE_BYTES;
}

static void fill(Memory *memory, uint64_t address, uint64_t size, bool zero, bool fresh)
{
    if (size == 0) return;
    bool untracked = size >= UNTRACKED_BYTES;
    if (fresh && untracked) return; /* zero pages */
    if (untracked && !zero) return;
    if (!fresh) {
        memory_save(memory, address, size);
        memory_clear_written(memory, address, size);
    }
    memset((void *)(uintptr_t)address, zero ? 0 : PATTERN, size);
}

#define NO_SLOT UINT64_MAX

static uint64_t take_slot(Memory *memory, uint32_t class_index, uint64_t size, bool *fresh)
{
    SizeClass *c = &memory->classes[class_index];
    uint64_t slot, slot_size = memory->spans[class_index].size;
    bool queued = reusable(c, slot_size);
    if (queued) slot = c->queue[c->head++ & (c->queue_cap - 1)];
    else if ((c->fresh + 1) * slot_size <= CLASS_BYTES) slot = c->fresh++;
    else return NO_SLOT;
    *fresh = slot >= c->touched;
    if (*fresh) c->touched = slot + 1;
    if (memory->trailing) memory_trail(memory, TRAIL_ALLOC, (uint64_t[]){class_index, slot, queued, size}, 4);
    return slot;
}

uint64_t memory_alloc_class(Memory *memory, uint32_t class_index, uint64_t size, ObjectKind kind, uint32_t loc, bool zero)
{
    REQUIRE(class_index < CLASS_COUNT, "no such size class");
    if (size > memory->limit || memory->live_bytes + size > memory->limit) return 0;
    bool fresh;
    uint64_t slot = take_slot(memory, class_index, size, &fresh);
    if (slot == NO_SLOT) return 0;
    uint64_t address = MEM_BASE + ((uint64_t)class_index << CLASS_SHIFT) + slot * memory->spans[class_index].size;
    fill(memory, address, size, zero, fresh);
    Object *object = &memory->objects[((uint64_t)class_index << OBJECTS_SHIFT) + slot];
    memory_set_object(memory, object, (Object){.size = size, .info = (uint32_t)kind | loc << 4});
    memory->live_bytes += size;
    if (memory->live_bytes > memory->peak_bytes) memory->peak_bytes = memory->live_bytes;
    return address;
}

uint64_t memory_alloc(Memory *memory, uint64_t size, uint32_t align, ObjectKind kind, uint32_t loc, bool zero)
{
    uint32_t class_index = memory_class(memory, size, align);
    return class_index == CLASS_COUNT ? 0 : memory_alloc_class(memory, class_index, size, kind, loc, zero);
}

void memory_set_object(Memory *memory, Object *object, Object value)
{
    if (memory->trailing) {
        uint64_t old[3] = {(uintptr_t)object};
        memcpy(old + 1, object, sizeof *object);
        memory_trail(memory, TRAIL_OBJECT, old, 3);
    }
    *object = value;
}

/* A large object's pages go back to the system at once, unless a mark may need them. */
static void drop_pages(Memory *memory, uint32_t class_index, uint64_t start, uint64_t size)
{
    if (memory->trailing || size < LARGE_BYTES) return;
    uint64_t from = (start + 4095) & ~(uint64_t)4095, to = (start + size) & ~(uint64_t)4095;
    if (to > from) madvise((void *)(uintptr_t)from, to - from, MADV_DONTNEED);
    if (memory->spans[class_index].inverse == 0) memory->classes[class_index].touched = 0;
}

void memory_free(Memory *memory, Object *object, uint64_t start)
{
    uint32_t class_index = (uint32_t)((start - MEM_BASE) >> CLASS_SHIFT);
    SizeClass *c = &memory->classes[class_index];
    uint32_t slot = (uint32_t)(object - (memory->objects + ((uint64_t)class_index << OBJECTS_SHIFT)));
    uint64_t size = object->size;
    ObjectKind kind = object_kind(object);
    assert(kind == OBJECT_HEAP || kind == OBJECT_STACK);
    if (object->shadow & SHADOW_SYMBOLIC) {
        memory->symbolic_objects--;
        if (!memory->trailing) { /* with a mark the shadow must stay as it is */
            uint32_t index = object->shadow & SHADOW_INDEX;
            release_shadow(&vec_at(&memory->shadows, index));
            vec_push(&memory->free_shadows, index);
        }
    }
    ObjectKind dead = kind == OBJECT_HEAP ? OBJECT_FREED_HEAP : OBJECT_FREED_STACK;
    memory_set_object(memory, object, (Object){.info = (uint32_t)dead | object_loc(object) << 4});
    queue_push(c, slot);
    memory->live_bytes -= size;
    if (memory->trailing) memory_trail(memory, TRAIL_FREE, (uint64_t[]){class_index, size}, 2);
    drop_pages(memory, class_index, start, size);
}

/* ---- uninitialised bytes ---- */

bool memory_is_written(const Memory *memory, uint64_t address)
{
    uint64_t at = address - MEM_BASE;
    return memory->written[at >> 6] >> (at & 63) & 1;
}

static void change_word(Memory *memory, uint64_t *word, uint64_t value)
{
    if (*word == value) return;
    if (memory->trailing) memory_trail(memory, TRAIL_BITS, (uint64_t[]){(uintptr_t)word, *word}, 2);
    *word = value;
}

void memory_set_written(Memory *memory, uint64_t address, bool written)
{
    uint64_t at = address - MEM_BASE, bit = (uint64_t)1 << (at & 63), *word = &memory->written[at >> 6];
    change_word(memory, word, written ? *word | bit : *word & ~bit);
}

void memory_mark_written(Memory *memory, uint64_t address, uint64_t n)
{
    const char *p = (const char *)(uintptr_t)address, *end = p + n;
    while (p < end && (p = memchr(p, PATTERN, (size_t)(end - p)))) memory_set_written(memory, (uintptr_t)p++, true);
}

void memory_clear_written(Memory *memory, uint64_t address, uint64_t n)
{
    uint64_t first = address - MEM_BASE,
             last = first + n; /* objects start at multiples of 16 and never share a word's bits with others' bytes */
    while (first < last) {
        uint64_t *word = &memory->written[first >> 6], bits = 64 - (first & 63);
        if (bits > last - first) bits = last - first;
        uint64_t mask = (bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1) << (first & 63);
        if (*word & mask) change_word(memory, word, *word & ~mask);
        first += bits;
    }
}

/* ---- shadows ---- */

Shadow *memory_shadow(Memory *memory, const Object *object)
{
    return object->shadow & SHADOW_SYMBOLIC ? &vec_at(&memory->shadows, object->shadow & SHADOW_INDEX) : NULL;
}

Shadow *memory_make_shadow(Memory *memory, Object *object)
{
    Shadow *shadow = memory_shadow(memory, object);
    if (shadow) return shadow;
    uint32_t index;
    if (memory->free_shadows.len) {
        index = vec_pop(&memory->free_shadows);
    } else {
        index = memory->shadows.len;
        vec_push(&memory->shadows, (Shadow){0});
    }
    shadow = &vec_at(&memory->shadows, index);
    shadow->size = object->size;
    shadow->value = mem_alloc(object->size * sizeof(Expr));
    shadow->part = mem_alloc(object->size);
    Object changed = *object;
    changed.shadow = SHADOW_SYMBOLIC | (changed.shadow & (OBJECT_READONLY | OBJECT_LIMITED)) | index;
    memory_set_object(memory, object, changed);
    memory->symbolic_objects++;
    return shadow;
}

void memory_set_symbolic(Memory *memory, Object *object, uint64_t offset, Expr value, uint8_t part)
{
    Shadow *shadow = memory_shadow(memory, object);
    if (!shadow) {
        if (!value) return;
        shadow = memory_make_shadow(memory, object);
    }
    assert(offset < shadow->size && !shadow->array);
    if (shadow->value[offset] == value && shadow->part[offset] == part) return;
    if (memory->trailing) {
        uint64_t index = object->shadow & SHADOW_INDEX;
        memory_trail(memory, TRAIL_SHADOW, (uint64_t[]){index, offset, shadow->value[offset], shadow->part[offset]}, 4);
    }
    shadow->value[offset] = value;
    shadow->part[offset] = part;
}

void memory_set_array(Memory *memory, Object *object, Expr array)
{
    Shadow *shadow = memory_make_shadow(memory, object);
    if (memory->trailing) memory_trail(memory, TRAIL_ARRAY, (uint64_t[]){object->shadow & SHADOW_INDEX, shadow->array}, 2);
    shadow->array = array;
}

/* ---- trail ---- */

/* Payload first, then a word with kind and length: read from the end. */
void memory_trail(Memory *memory, TrailKind kind, const uint64_t *words, uint32_t count)
{
    assert(memory->trailing);
    vec_reserve(&memory->trail, memory->trail.len + count + 1);
    memcpy(memory->trail.data + memory->trail.len, words, count * sizeof *words);
    memory->trail.len += count;
    memory->trail.data[memory->trail.len++] = (uint64_t)count << 8 | kind;
}

void memory_save_line(Memory *memory, uint64_t address)
{
    uint64_t line = (address - MEM_BASE) >> LINE_SHIFT;
    uint64_t words[1 + LINE_BYTES / 8] = {MEM_BASE + (line << LINE_SHIFT)};
    memcpy(words + 1, (const void *)(uintptr_t)words[0], LINE_BYTES);
    memory_trail(memory, TRAIL_LINE, words, COUNT_OF(words));
    memory->line_epoch[line] = memory->epoch;
}

void memory_save(Memory *memory, uint64_t address, uint64_t n)
{
    if (!memory->trailing || n == 0) return;
    uint64_t last = (address - MEM_BASE + n - 1) >> LINE_SHIFT;
    for (uint64_t line = (address - MEM_BASE) >> LINE_SHIFT; line <= last; line++)
        if (memory->line_epoch[line] != memory->epoch) memory_save_line(memory, MEM_BASE + (line << LINE_SHIFT));
}

static void undo_object(Memory *memory, const uint64_t *words)
{
    Object *object = (Object *)(uintptr_t)words[0], old;
    memcpy(&old, words + 1, sizeof old);
    bool now = object->shadow & SHADOW_SYMBOLIC, before = old.shadow & SHADOW_SYMBOLIC;
    uint32_t shadow = object->shadow & SHADOW_INDEX;
    memory->symbolic_objects += (uint64_t)before - (uint64_t)now;
    *object = old;
    if (now && !before) { /* the shadow was made after the mark */
        release_shadow(&vec_at(&memory->shadows, shadow));
        vec_push(&memory->free_shadows, shadow);
    }
}

void memory_undo(Memory *memory, TrailKind kind, const uint64_t *words)
{
    switch (kind) {
    case TRAIL_LINE: memcpy((void *)(uintptr_t)words[0], words + 1, LINE_BYTES); break;
    case TRAIL_OBJECT: undo_object(memory, words); break;
    case TRAIL_ALLOC: {
        SizeClass *c = &memory->classes[words[0]];
        if (words[2]) c->queue[--c->head & (c->queue_cap - 1)] = (uint32_t)words[1];
        else c->fresh--;
        memory->live_bytes -= words[3];
        break;
    }
    case TRAIL_FREE:
        memory->classes[words[0]].tail--;
        memory->live_bytes += words[1];
        break;
    case TRAIL_BITS:
    case TRAIL_WORD: *(uint64_t *)(uintptr_t)words[0] = words[1]; break;
    case TRAIL_SHADOW: {
        Shadow *shadow = &vec_at(&memory->shadows, words[0]);
        shadow->value[words[1]] = (Expr)words[2];
        shadow->part[words[1]] = (uint8_t)words[3];
        break;
    }
    case TRAIL_ARRAY: vec_at(&memory->shadows, words[0]).array = (Expr)words[1]; break;
    default: base_abort(__FILE__, __LINE__, "not an entry of memory's trail");
    }
}
