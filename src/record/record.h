/* record: what a run was given and what it did.  A test is written from a record, and the campaign's store keeps it.
 *
 * Inputs are in the order in which the run asked for them, one for each variable.  Names:
 *   units            as the unit's harness names them (unit.h): "n", "list_object.next", "text[3]"
 *   clew_int("x")    "x"; bytes of clew_make_symbolic(p, n, "buf"): "buf[0]", "buf[1]", …
 *   __VERIFIER_nondet_T, stubs    by type or function; several of one name follow each other in order
 *   standard input   "stdin.size", then "stdin[0]", …; a file: "NAME.size", "NAME[0]", …
 *   arguments        "argc", "argv1[0]", …; environment: "$NAME[0]", … */
#ifndef CLEW_RECORD_H
#define CLEW_RECORD_H

#include "base/base.h"

typedef struct RecordInput {
    char *name;
    char type;      /* 'i' signed, 'u' unsigned, 'b' bool, 'c' byte or character, 'f' float (width 32, 64, 80), 'p' pointer */
    uint32_t width; /* bits */
    U128 bits;
    uint64_t address; /* of the object it was written to while it ran; 0: a plain value */
} RecordInput;

/* A value that the harness looked at after the call. */
typedef struct RecordSeen {
    char *name;
    char
        type; /* one of RecordInput's, or 'o': `name` is an object, which stands at `address`; or 'k': the stub `name` was called, and its arguments follow */
    bool defined; /* false: some of it was never initialised, so nothing may be said of it */
    uint32_t width;
    U128 bits;
    uint64_t address; /* where it stands */
} RecordSeen;

/* The contents of an object that a recorded pointer leads to, directly or through pointers in other objects, so that tests can compare them. */
typedef enum RecordMemoryKind { MEMORY_GLOBAL, MEMORY_LOCAL, MEMORY_HEAP, MEMORY_FUNCTION } RecordMemoryKind;
typedef struct RecordMemory {
    char *name; /* of a global or a function; else "" */
    RecordMemoryKind kind;
    uint32_t moment;        /* 0: after the call; else 1 + the index in `seen` of the call of a stub during which it was so */
    uint64_t address, size; /* of the object */
    uint32_t count, zeros;  /* bytes that are kept, from the first; so many more are initialised and 0; of the others nothing is known */
    unsigned char *bytes, *set; /* `count` each: values, and whether they are initialised */
} RecordMemory;

/* The name in Record.object of memory that the program has allocated. */
#define RECORD_ALLOCATED "allocated memory"

/* Is this value an address in the machine (vm/memory.h, code included)?  Natively it is another one. */
static inline bool record_is_address(U128 bits)
{
    return bits >= 0x1f0000000000u && bits < 0x240000000000u;
}

/* Is this the name of an input that says whether a call of a function of the library fails: "malloc() fails"? */
bool record_is_failure(const char *name);

#define RECORD_ANY_STATUS (-1) /* Record.status of an exit: it was never initialised */

typedef enum RecordEnd {
    END_RETURN,     /* the function returned, or main did (status) */
    END_EXIT,       /* exit was called: status */
    END_SIGNAL,     /* the program raised it: status */
    END_BUG,        /* bug, file, line */
    END_ASSUMPTION, /* an assumption did not hold */
    END_LIMIT,      /* cut off, or something unsupported */
    END_INPUTS,     /* it asks for one more input than it was given */
    END_IDLE,       /* it idles for ever */
} RecordEnd;

typedef struct Record {
    char *unit; /* function, or "main" for a whole program */
    Vec(RecordInput) inputs;
    Vec(RecordSeen) seen;
    Vec(RecordMemory) memory;
    uint32_t doublings; /* of the bounds of its buffers (unit.h, clew__bound) */
    RecordEnd end;
    int status;
    char *bug;  /* kind, as in the ledger; NULL: none */
    char *file; /* of the bug, or of what stopped it */
    uint32_t line;
    char *function, *message;
    char *blame;   /* of a bug: names of the inputs that the faulty operation depends on, each followed by a space; NULL: not known */
    char *unasked; /* those of `blame` that no branch of the path has asked about before; NULL: there are none */
    char *object;  /* of a bad access: "NAME:OFFSET", the object of the harness that it is beside, in bytes from its start; NULL: none */
    char *turns;   /* how often loops go round, as the inputs were solved for, in words (loops_told); NULL: they were not */
    StrBuf output; /* what it wrote to standard output */
    Vec(uint32_t) branches; /* reached for the first time by this run; ids of Program.branches */
    Vec(uint32_t) taken;    /* all branches that count and that the run takes in the machine, ascending; empty: not known */
} Record;

void record_release(Record *record);              /* leaves an empty one */
void record_copy(Record *to, const Record *from); /* `to` holds nothing before, as in record_read */
/* NULL if there is none; `nth` 0 is the first of that name. */
const RecordInput *record_input(const Record *record, const char *name, uint32_t nth);
const RecordSeen *record_seen(const Record *record, const char *name); /* a value, not an object */
/* What was at an address at that moment, or ended there; NULL: not known. */
const RecordMemory *record_memory(const Record *record, uint32_t moment, uint64_t address);
bool record_byte(const RecordMemory *memory, uint64_t offset,
                 unsigned char *byte);                                       /* false, and *byte as before: not initialised, or not known */
bool record_text(const RecordMemory *memory, uint64_t offset, StrBuf *text); /* up to a 0; false: there is none before what is not known */
/* Bytes that any build of Clew of this version can read back; bits above a value's width are not kept.  Bytes that were damaged, or were never a
 * record, are an error and leave an empty record. */
void record_write(const Record *record, StrBuf *out);
Status record_read(Record *record, const void *bytes, size_t n, Error *error);

#endif
