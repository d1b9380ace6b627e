/* clew-check: an independent judge of certificates that branches of a program cannot be taken.  docs/proofs.md states what a certificate is.
 *
 * Nothing here is shared with Clew.  The bitcode is read through LLVM-C, each instruction is translated to SMT-LIB here, each edge of the program is derived
 * here, and another program decides the formulas.  Whatever is not understood gives an arbitrary value (an instruction), an arbitrary memory (a call), or
 * a rejection (control flow, a certificate).  An answer other than `unsat` proves nothing.
 *
 * The contract with code outside of a whole program: that code never calls the program's entry again, and changes an internal global variable that has not
 * escaped only through functions of the program that it may call. */
#ifndef CLEW_CHECK_H
#define CLEW_CHECK_H

#include <jansson.h>
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- storage (base.c) ---- */
_Noreturn void reject(const char *format, ...) __attribute__((format(printf, 1, 2))); /* bad input: message, exit status 2 */
void *get(size_t size);                                                               /* zeroed */
void *grow(void *old, size_t count, size_t size);                                     /* room for one more than `count`, which only grows */
typedef struct Text {
    char *data;
    size_t len, cap;
} Text;
void add(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
typedef struct Table { /* from addresses to numbers */
    void *tree;
} Table;
size_t table_get(const Table *table, const void *key); /* 0: absent */
void table_put(Table *table, const void *key, size_t value);
void table_clear(Table *table);

/* ---- the program (program.c) ---- */
typedef struct Block {
    LLVMBasicBlockRef ref;
    LLVMValueRef *instrs; /* without debug information */
    size_t place;         /* number of the first of them */
    unsigned count, first /* that is no phi */;
} Block;
typedef struct Fn {
    LLVMValueRef ref;
    const char *name;
    Block *blocks;
    unsigned block_count;
    bool taken; /* its address is used otherwise than to call it */
    bool open;  /* code outside of the program may call it at any time, with any arguments, in any state of the globals */
    bool
        initial; /* `main` of a whole program: called once from outside, when globals have their initial values, and never again (unless its
                           address is taken, which makes it open, too) */
    size_t entry, exit; /* locations */
    size_t *callers;    /* numbers of the calls that may call it */
    size_t caller_count;
} Fn;
typedef struct Object { /* a global variable, or a local variable in memory */
    LLVMValueRef ref;
    uint64_t size;
    bool local, constant;
    bool tracked; /* its content is modelled: it has one instance (in each activation) and a moderate size */
    bool foreign; /* a global variable that is only declared: others of these may be names of the same one */
    bool escaped; /* pointers that are not followed here may lead to it */
    bool exposed; /* unknown code may change it: it has escaped, or a function writes it that such code may call, perhaps through others */
    const uint8_t *bytes, *known; /* initial value; which bytes of it are known numbers */
    const LLVMValueRef *pointers; /* per byte: the address that begins there in the initial value, or NULL */
} Object;
typedef struct Place {
    unsigned fn, block, instr;
} Place;
typedef struct Program {
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    Fn *fns;
    size_t fn_count;
    Object *objects;
    size_t object_count;
    Place *places; /* of instructions, by number */
    size_t place_count,
        location_count; /* a location has the number of the place that comes next; exits have numbers above those of places */
    Table fn_numbers, object_numbers, place_numbers, block_numbers; /* + 1 */
    bool outside;                                                   /* calls lead out of the program to code of which nothing is known */
    bool whole;                                                     /* one entry, main */
    bool assembly;                                                  /* outside of functions */
    bool errors;                                                    /* the program may look at errno */
    bool buffers;                                                   /* standard output may go through memory of the program */
} Program;
void program_read(Program *program, const char *path);
/* Once the contract is known: who may be called from outside, and which objects are seen completely. */
void program_open(Program *program, const char *entry, const char *const *units, size_t unit_count);
size_t program_fn(const Program *program, const char *name);   /* number + 1, 0: none is defined */
unsigned type_width(const Program *program, LLVMTypeRef type); /* of numbers of 1 to 64 bits and pointers; 0: any other type */
bool is_gep(LLVMValueRef value);
enum { MOST_INDICES = 8 };
typedef struct Index {
    LLVMValueRef value;
    uint64_t scale; /* bytes */
} Index;
/* Adds the constant bytes that a GEP adds to `offset`, and gives the number of its other indices; -1: something in it is not modelled. */
int gep_indices(const Program *program, LLVMValueRef gep, uint64_t *offset, Index indices[MOST_INDICES]);
typedef enum CallKind {
    CALL_NOTHING,
    CALL_QUIET,
    CALL_ASSUME,
    CALL_UNKNOWN,
    CALL_PROGRAM,
    CALL_COMPUTED,
    CALL_COPY,
    CALL_SET,
    CALL_SAME
} CallKind;
CallKind call_kind(LLVMValueRef call);
bool is_listed(const char *name, const char *list); /* the name is a word of the list, in which a space is before and after every word */
bool leaves_memory(const Program *program, LLVMValueRef call); /* a quiet call that changes nothing */
static inline bool is_cut(LLVMValueRef instr)                  /* control leaves the function here and may come back */
{
    if (!LLVMIsACallInst(instr)) return false;
    CallKind kind = call_kind(instr);
    return kind == CALL_PROGRAM || kind == CALL_COMPUTED;
}

/* ---- formulas (formula.c) ---- */
enum { BOOL = 1000 };
typedef struct Term {
    const char *text;
    unsigned width;   /* bits; BOOL; 0: a value of a kind that is not modelled */
    const char *base; /* of an address: what it is `offset` bytes away from; NULL: itself */
    uint64_t offset;
    size_t object; /* number + 1 of the object whose address the base is; 0: none */
    unsigned tag;  /* of the frame whose local variable that is; 0: a global */
} Term;
typedef struct Frame { /* the registers of one activation of a function */
    const Fn *fn;
    unsigned tag; /* tells its symbols apart, from 1 on */
    Table values;
    Term *terms;
    size_t term_count;
    bool at_exit; /* the function has returned */
    Term result;  /* then: what it has returned */
} Frame;
/* What a layer changes: some bytes of an object; some bytes at an address; an object; what has escaped; what unknown code may change; what has escaped and all globals; everything. */
typedef enum LayerKind { LAYER_WRITE, LAYER_STORE, LAYER_OBJECT, LAYER_ESCAPED, LAYER_EXPOSED, LAYER_GLOBALS, LAYER_ALL } LayerKind;
typedef struct Layer { /* one change of the memory */
    LayerKind kind;
    size_t object;
    unsigned tag;          /* of the frame whose local variable the object is; 0: a global */
    uint64_t offset, size; /* WRITE: bytes from offset + variable on */
    Term variable, value;  /* variable of width 0: none; of STORE: the address; value of width 0: any */
    Term guard;            /* LAYER_ALL happens only where this does not hold; width 0: always */
} Layer;
typedef struct Shared { /* the value of a term that predicates have in common */
    size_t state;       /* of the query in which it was evaluated last; 0: none */
    Term term;
} Shared;
typedef struct Extent {
    const char *start; /* an address */
    uint64_t size;
} Extent;
typedef struct Cell { /* a byte of memory at an address that is not followed to an object, part of what is read as one number */
    size_t layer;     /* below which it was read */
    Term address;
    const char *symbol;
    uint64_t size, index; /* of the number, in bytes; of the byte in it */
} Cell;
typedef struct Query {
    const Program *program;
    const uint8_t *relies; /* by place: undefined behaviour of this instruction may be excluded */
    Text symbols, body;
    json_t *declared, *defined, *excluded; /* sets of texts; of what is defined with the names */
    size_t fresh;
    Extent *extents; /* objects whose addresses were declared: they do not overlap */
    size_t extent_count;
    Layer *layers;
    size_t layer_count;
    Cell *cells;
    size_t cell_count;
    uint64_t read_size, read_index; /* of what is being read from memory */
    bool initial;                   /* at the bottom of the layers, globals have their initial values */
    json_t *shared_list;            /* terms of the certificate */
    Shared *shared;
    size_t state;              /* a number for the memory and the registers that predicates are about; shared terms are kept for it */
    size_t shared_bound;       /* the shared terms below may be used at this point */
    unsigned nesting, callers; /* of shared terms; frames of callers that the predicate at hand may name */
} Query;
void query_start(Query *query);
void frame_start(Frame *frame, const Fn *fn, unsigned tag);
void frame_set(Frame *frame, LLVMValueRef value, Term term);
Term term_format(unsigned width, const char *format, ...) __attribute__((format(printf, 2, 3)));
Term fresh(Query *query, unsigned width);
Term value_of(Query *query, Frame *frame, LLVMValueRef value);
Term memory_at(Query *query, const Frame *frame, size_t object, uint64_t offset, uint64_t size);
void layer_push(Query *query, Layer layer);
void step_over(Query *query, Frame *frame, LLVMValueRef instr); /* one instruction that is neither a phi, nor a terminator, nor a cut */
void require(Query *query, Term condition);                     /* asserts a BOOL */
void exclude(Query *query, Term condition);                     /* asserts that it does not hold */
bool is_excluded(const Query *query, Term condition);           /* exactly this was excluded */
/* Condition for the outcome-th successor of a terminator or outcome of a select: 0 true, 1 false; of a switch the cases in order, then the default. */
Term outcome_of(Query *query, Frame *frame, LLVMValueRef instr, unsigned outcome);
/* A predicate of a certificate about the frame, the frames of its callers, which follow in the same array, and the memory as it is now.  The query's `state`
 * must have changed since a predicate about another frame, other registers or another memory. */
Term predicate(Query *query, Frame *frame, json_t *json, unsigned callers);

/* ---- the other solver (solver.c) ---- */
typedef enum Answer { ANSWER_UNSAT, ANSWER_SAT, ANSWER_UNKNOWN, ANSWER_NONE } Answer;
void solver_choose(const char *name, unsigned long effort, uint64_t seconds); /* processor time of one question, within what is usual */
unsigned solver_seconds(void);
Answer solver_ask(const Query *query);
void solver_end(void);

#endif
