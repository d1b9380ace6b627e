/* Guest memory.
 *
 * One region of address space is reserved and cut into classes of 16 GiB; in a class all slots have one size, so the slot of an address is found
 * by one multiplication (as with "low-fat" pointers) and its Object by one more index.  An object starts at its slot's start and leaves at
 * least GAP bytes of the slot free: a pointer one past the end still belongs to its own object, and nothing is adjacent.
 * Freed slots are reused first in, first out, after a delay, so that dangling pointers keep pointing at dead objects.
 *
 *   access: off = address - MEM_BASE; class = off >> 34; index = (off mod 16 GiB) * inverse >> 64; object = objects[class][index]
 *
 * Uninitialised bytes hold PATTERN, and a bit beside each byte says "this PATTERN was really written".  So a store looks aside only
 * when it stores a PATTERN byte and a load only when it sees one: about one in 256, and the answer is exact.
 *
 * Bytes that are symbolic have their expression in the object's Shadow; their bytes in memory mean nothing.
 *
 * Going back: before the first change since the last mark each 64-byte line is saved on the trail; a line's epoch tells whether it was. */
#ifndef CLEW_VM_MEMORY_H
#define CLEW_VM_MEMORY_H

#include "base/base.h"
#include "expr/expr.h"

#define MEM_BASE 0x200000000000u
#define CLASS_SHIFT 34
#define CLASS_COUNT 256u
#define CLASS_BYTES ((uint64_t)1 << CLASS_SHIFT)
#define MEM_BYTES ((uint64_t)CLASS_COUNT << CLASS_SHIFT)
#define CODE_BASE 0x1f0000000000u       /* function and label addresses: CODE_BASE + 16 * symbol; nothing is mapped there */
#define OBJECTS_SHIFT (CLASS_SHIFT - 5) /* the smallest slot has 32 bytes */
#define GAP 16u
#define PATTERN 0xb7u
#define LINE_SHIFT 6
#define LINE_BYTES 64u
#define UNTRACKED_BYTES (1u << 20) /* objects from this size on are not filled with PATTERN: fresh pages stay untouched */

typedef enum ObjectKind { OBJECT_NONE, OBJECT_GLOBAL, OBJECT_STACK, OBJECT_HEAP, OBJECT_FREED_HEAP, OBJECT_FREED_STACK } ObjectKind;

typedef struct Object {
    uint64_t size;   /* bytes that may be accessed; 0 for a dead object */
    uint32_t shadow; /* 0: plain; SHADOW_SYMBOLIC | index of its shadow; OBJECT_READONLY: stores must look */
    uint32_t info;   /* kind, and the place (Program.locs) where it was made */
} Object;
#define SHADOW_SYMBOLIC 0x80000000u
#define OBJECT_READONLY 0x40000000u
#define OBJECT_LIMITED 0x20000000u /* ends earlier than its size says, see vm__limit; always with a shadow */
#define SHADOW_INDEX 0x1fffffffu

static inline ObjectKind object_kind(const Object *object)
{
    return object->info & 15;
}
static inline uint32_t object_loc(const Object *object)
{
    return object->info >> 4;
}

/* What an access needs of a class; kept apart so that the table stays in the first-level cache. */
typedef struct ClassSpan {
    uint64_t size, inverse; /* inverse == 0: one slot fills the class */
} ClassSpan;

typedef struct SizeClass {
    uint64_t fresh;      /* slots from here on were never handed out (in this state) */
    uint64_t touched;    /* slots from here on are untouched, zero pages */
    uint32_t *queue;     /* freed slots, a ring */
    uint32_t queue_cap;  /* power of two */
    uint64_t head, tail; /* counts; index modulo cap */
} SizeClass;

/* The symbolic bytes of one object. */
typedef struct Shadow {
    uint64_t size;
    Expr *value;   /* per byte: 0 if the byte in memory is the value */
    uint8_t *part; /* which byte of the expression */
    Expr limit;    /* of an object with OBJECT_LIMITED: how many bytes it has */
    Expr array;    /* != 0: the whole object as an array of bytes, after a write at a symbolic index; value/part are then unused */
} Shadow;

typedef enum TrailKind {
    TRAIL_LINE,       /* address, 64 bytes */
    TRAIL_OBJECT,     /* Object pointer, old contents */
    TRAIL_ALLOC,      /* class, slot, taken from the queue?, size */
    TRAIL_FREE,       /* class, size */
    TRAIL_BITS,       /* word pointer, old word */
    TRAIL_SHADOW,     /* shadow index, offset, old value, old part */
    TRAIL_ARRAY,      /* shadow index, old array */
    TRAIL_FRAME,      /* depth, frame, registers, expressions */
    TRAIL_STACK_PUSH, /* an alloca was made */
    TRAIL_STACK_POP,  /* address: an alloca went */
    TRAIL_WORD,       /* pointer, old 64-bit word of the machine itself */
} TrailKind;

typedef struct Memory {
    ClassSpan spans[CLASS_COUNT];
    Object *objects; /* OBJECTS_PER_CLASS for each class */
    SizeClass classes[CLASS_COUNT];
    uint32_t class_used; /* classes below huge_first are regular */
    uint32_t huge_first;
    uint32_t *line_epoch; /* by (address - MEM_BASE) >> LINE_SHIFT */
    uint64_t *written;    /* a bit per byte: a PATTERN byte that is a value */
    void *reserved[3];
    size_t reserved_bytes[3];
    Vec(Shadow) shadows; /* [0] unused */
    Vec(uint32_t) free_shadows;
    uint64_t symbolic_objects; /* how many have a shadow */
    Vec(uint64_t) trail;
    bool trailing; /* a mark exists */
    uint32_t epoch;
    uint64_t live_bytes, peak_bytes, limit;
} Memory;

Status memory_init(Memory *memory, uint64_t limit, Error *error);
void memory_release(Memory *memory);

/* Returns 0 if the limit forbids it.  The object is filled with PATTERN (or zeros). */
uint64_t memory_alloc(Memory *memory, uint64_t size, uint32_t align, ObjectKind kind, uint32_t loc, bool zero);
uint32_t memory_class(const Memory *memory, uint64_t size, uint32_t align); /* CLASS_COUNT: none */
uint64_t memory_alloc_class(Memory *memory, uint32_t class_index, uint64_t size, ObjectKind kind, uint32_t loc, bool zero);
void memory_free(Memory *memory, Object *object, uint64_t start);     /* heap or stack; the object is live */
void memory_set_object(Memory *memory, Object *object, Object value); /* on the trail */

/* Before bytes are changed by anything but the interpreter's own store paths. */
void memory_save(Memory *memory, uint64_t address, uint64_t n);
void memory_save_line(Memory *memory, uint64_t address); /* unconditionally, and marks it as saved */
/* The n bytes at address were just written by native code: PATTERN bytes among them are values. */
void memory_mark_written(Memory *memory, uint64_t address, uint64_t n);
void memory_clear_written(Memory *memory, uint64_t address, uint64_t n);
bool memory_is_written(const Memory *memory, uint64_t address); /* is this PATTERN byte a value? */
void memory_set_written(Memory *memory, uint64_t address, bool written);

/* Shadows.  Offsets are within the object. */
Shadow *memory_shadow(Memory *memory, const Object *object); /* NULL if it has none */
Shadow *memory_make_shadow(Memory *memory, Object *object);
void memory_set_symbolic(Memory *memory, Object *object, uint64_t offset, Expr value, uint8_t part); /* value 0: plain again */
void memory_set_array(Memory *memory, Object *object, Expr array);

void memory_trail(Memory *memory, TrailKind kind, const uint64_t *words, uint32_t count);
/* Undoes and removes the newest entry of kinds LINE … ARRAY and WORD; `words` points to the payload. */
void memory_undo(Memory *memory, TrailKind kind, const uint64_t *words);

static inline bool memory_contains(uint64_t address)
{
    return address - MEM_BASE < MEM_BYTES;
}

/* The object whose slot holds the address; only for addresses with memory_contains.  May be dead or OBJECT_NONE. */
static inline Object *memory_object(const Memory *memory, uint64_t address, uint64_t *start)
{
    uint64_t off = address - MEM_BASE;
    const ClassSpan *span = &memory->spans[off >> CLASS_SHIFT];
    uint64_t in = off & (CLASS_BYTES - 1);
    uint64_t index = (uint64_t)(((U128)in * span->inverse) >> 64);
    *start = address - in + index * span->size;
    return &memory->objects[((off >> CLASS_SHIFT) << OBJECTS_SHIFT) + index];
}

#endif
