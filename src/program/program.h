/* program: the model of the program under test that all else uses.  LLVM is not visible past here.
 *
 * A function is register code: fixed-size instructions over an unbounded file of 64-bit registers, in blocks that end in one terminator.
 * Values wider than 64 bits (integers up to 128, long double) take two consecutive registers, low half first; vectors and first-class
 * structs have been taken apart into scalars in consecutive registers.  A register holds its value zero-extended.  Phi nodes have become
 * MOVs at the end of predecessors (critical edges were split), so each register is written where its block says so and nowhere
 * implicitly.
 *
 * Everything lives in the program's arena and is immutable once front/ has finished it. */
#ifndef CLEW_PROGRAM_H
#define CLEW_PROGRAM_H

#include "base/base.h"

typedef enum Opcode {
#define OP(NAME, text, operands, writes) OP_##NAME,
#include "program/opcodes.def"
#undef OP
    OPCODES
} Opcode;

enum { FLAG_NSW = 1, FLAG_NUW = 2, FLAG_EXACT = 4, FLAG_VOLATILE = 8, FLAG_ATOMIC = 16, FLAG_UNALIGNED = 32 /* may be at any address */ };

/* Predicates.  Integer: ICMP; float: FCMP, a set of the four outcomes (as in LLVM: less, greater, equal, unordered). */
typedef enum Predicate { PRED_EQ, PRED_NE, PRED_UGT, PRED_UGE, PRED_ULT, PRED_ULE, PRED_SGT, PRED_SGE, PRED_SLT, PRED_SLE } Predicate;
enum { FPRED_EQ = 1, FPRED_GT = 2, FPRED_LT = 4, FPRED_UNO = 8 };

/* An operand is a register or a constant of the program. */
typedef uint32_t Operand;
#define OPERAND_NONE 0xffffffffu
#define OPERAND_CONST 0x80000000u
static inline bool operand_is_const(Operand o)
{
    return o != OPERAND_NONE && (o & OPERAND_CONST);
}
static inline bool operand_is_reg(Operand o)
{
    return !(o & OPERAND_CONST);
}
static inline uint32_t operand_index(Operand o)
{
    return o & ~OPERAND_CONST;
}

typedef struct Instr {
    uint8_t op;         /* Opcode */
    uint8_t flags;      /* FLAG_… */
    uint16_t predicate; /* of ICMP: Predicate; of FCMP: FPRED_… set */
    uint16_t width, width2;
    Operand dst, a, b, c;
    int64_t imm;
    uint32_t loc; /* into Program.locs; 0: unknown */
    uint32_t
        origin; /* number + 1, in Function.origins, of the bitcode's instruction that this one was made from; 0: none (copies for phis) */
} Instr;

/* A constant: bits, or the address of a symbol plus `value` (minus another symbol's address: label differences), cut to the width. */
typedef struct Const {
    U128 value;
    uint16_t width;
    bool undef;
    uint32_t symbol, minus; /* into Program.symbols, 0: none */
} Const;

/* What an address constant can name. */
typedef enum SymbolKind { SYMBOL_NONE, SYMBOL_FUNCTION, SYMBOL_GLOBAL, SYMBOL_LABEL } SymbolKind;
typedef struct Symbol {
    SymbolKind kind;
    uint32_t index; /* function or global; for a label its function */
    uint32_t block; /* of a label */
} Symbol;

/* A scalar as it is passed and returned. */
typedef enum ScalarKind { SCALAR_INT, SCALAR_POINTER, SCALAR_FLOAT } ScalarKind;
typedef struct Scalar {
    uint8_t kind;   /* ScalarKind */
    bool sign;      /* signext attribute: how a narrow integer is widened for native code; of a wider parameter: its C type is signed */
    uint16_t width; /* bits */
    uint16_t lanes; /* n on the first of n scalars that are the elements of one vector (one SSE register natively), else 0 */
} Scalar;
static inline uint32_t scalar_registers(Scalar s)
{
    return s.width > 64 ? 2 : 1;
}

typedef struct Param {
    const char *name; /* may be "" */
    Scalar type;
    uint32_t reg;        /* where the function finds it */
    uint64_t byval_size; /* != 0: a pointer to memory that the call copies for the callee */
    uint32_t byval_align;
} Param;

typedef struct Argument {
    Operand value;
    Scalar type;
    uint64_t byval_size;
    uint32_t byval_align;
} Argument;

typedef struct CallSite {
    uint32_t callee; /* function index, or UINT32_MAX: computed, in operand a */
    uint32_t argument_count;
    Argument *arguments;
    uint32_t fixed_count; /* arguments of the prototype; the rest are variadic */
    bool variadic;
    uint32_t result_count; /* scalars returned, in consecutive registers from dst */
    Scalar *results;
} CallSite;

typedef struct SwitchCase {
    U128 value;
    uint32_t block;
} SwitchCase;
typedef struct Switch {
    uint32_t case_count;
    SwitchCase *cases;
    uint32_t default_block;
    uint32_t branch; /* id of the first case's branch; the default's is branch + case_count */
} Switch;

typedef struct CondBranch {
    uint32_t yes, no; /* blocks */
    uint32_t branch;  /* id of the true outcome; the false one's is branch + 1 */
} CondBranch;

/* One outcome of a conditional, of a switch, or of a `?:` that clang made a select. */
typedef enum OutcomeKind { OUTCOME_TRUE, OUTCOME_FALSE, OUTCOME_CASE, OUTCOME_DEFAULT } OutcomeKind;
typedef struct Branch {
    uint32_t function;
    uint32_t loc;
    uint32_t block, target; /* for a select both are its own block */
    OutcomeKind outcome;
    U128 value;       /* of OUTCOME_CASE, sign-extended from the width of the switch */
    uint32_t ordinal; /* of its instruction among those of the function that branch, in the order of the compiler's code */
    uint32_t which;   /* of that instruction's outcomes: 0 true, 1 false; of a switch the cases in order, the default last */
    uint32_t origin;  /* of its instruction, as Instr.origin; never 0 */
    bool
        objective; /* Clew has added the choice, so that inputs are looked for by which this outcome comes about (front/guide.c); such are uncounted */
    bool
        uncounted; /* no branch of the user's: it belongs to Clew's library, or repeats what operands of && and || have decided, or is in no source */
} Branch;

typedef struct Block {
    uint32_t first, count; /* instructions; the last one is the terminator */
    uint32_t *successors, successor_count;
    uint32_t *predecessors, predecessor_count;
    uint32_t idom; /* immediate dominator; the entry's and an unreachable block's is itself */
    uint32_t loop; /* innermost loop, UINT32_MAX: none */
} Block;

typedef struct Loop {
    uint32_t header, parent /* UINT32_MAX: outermost */, depth;
    uint32_t *blocks, block_count; /* all of them, inner loops' included */
} Loop;

/* Where an instruction stands in the bitcode that the program was made from: the number of its block in its function, and its number in the block.  Phis
 * count, debug information does not. */
typedef struct CodeOrigin {
    uint32_t block, instr;
} CodeOrigin;

typedef struct Function {
    const char *name, *file;
    uint32_t symbol, line;
    bool defined, variadic, in_model, internal /* static */, weak, noreturn;
    bool in_harness; /* neither the user's nor the library's: Clew has written it to call a unit, or as a stub */
    uint32_t param_count;
    Param *params;
    uint32_t result_count;
    Scalar *results;
    uint32_t register_count;
    Instr *code;
    uint32_t code_count;
    Block *blocks; /* [0] is the entry */
    uint32_t block_count;
    Loop *loops;
    uint32_t loop_count;
    CallSite *calls;
    uint32_t call_count;
    Switch *switches;
    uint32_t switch_count;
    CondBranch *branches;
    uint32_t branch_count;
    uint32_t *callees, callee_count; /* direct ones, each once */
    bool calls_unknown;              /* has a computed call */
    bool concrete;                   /* CLEW_CONCRETE: to the solver it is one function of its arguments */
    /* The way back to the bitcode, for proofs.  Block i of the bitcode is block i here, for i < source_blocks; at its start, its phis have their values. */
    uint32_t source_blocks;
    CodeOrigin *origins;
    uint32_t origin_count;
    uint32_t *
        register_origins; /* per register: ORIGIN_NONE, or the value of the bitcode (a number of at most 64 bits or a pointer) that it holds */
    const char **partitions; /* CLEW_PARTITION: conditions over the parameters, as written */
    uint32_t partition_count;
} Function;

/* In Function.register_origins: number + 1 of an instruction in Function.origins, or ORIGIN_PARAM + the number of a parameter in the bitcode. */
#define ORIGIN_NONE 0u
#define ORIGIN_PARAM 0x80000000u

/* Part of a global's initial value that is an address: `width` bits at `offset` hold constant `value`. */
typedef struct Reloc {
    uint64_t offset;
    uint32_t value; /* into Program.consts */
} Reloc;

typedef struct Global {
    const char *name;
    uint32_t symbol;
    uint64_t size;
    uint32_t align;
    bool defined, constant, internal, weak, in_model, thread_local_;
    const uint8_t *bytes; /* NULL: all zero; `size` bytes otherwise */
    const uint8_t
        *unset; /* per byte: 1 where the initial value says nothing (padding, undefined values) and `bytes` has 0; NULL: nowhere */
    Reloc *relocs;
    uint32_t reloc_count;
} Global;

typedef struct Loc {
    const char *file; /* as the compiler was given it, made absolute only if it was */
    uint32_t line, column;
} Loc;

typedef struct Initializer { /* constructor or destructor, in the order to run */
    uint32_t function;
    uint32_t priority;
} Initializer;

typedef struct Program {
    Arena arena;
    Function *functions;
    uint32_t function_count;
    Global *globals;
    uint32_t global_count;
    Symbol *symbols; /* [0] is SYMBOL_NONE */
    uint32_t symbol_count;
    Const *consts;
    uint32_t const_count;
    Loc *locs; /* [0] is unknown */
    uint32_t loc_count;
    Branch *branches; /* by id */
    uint32_t branch_count;
    const char **messages; /* of TRAPs */
    uint32_t message_count;
    Initializer *constructors, *destructors;
    uint32_t constructor_count, destructor_count;
    NameMap function_names, global_names; /* an alias is listed under its own name too */
} Program;

void program_free(Program *program);
Function *program_function(const Program *program, const char *name); /* NULL if there is none */
Global *program_global(const Program *program, const char *name);
/* Fills successors, predecessors, dominators, loops and callees of every function. */
void program_analyse(Program *program);
uint32_t function_block(const Function *function, uint32_t instr); /* the block that the instruction is in */
/* Per block a set of registers, 64 to a word and register_count / 64 + 1 words long: those that may be read before they are written once execution is at
 * its start.  The caller's to free. */
uint64_t *program_live(const Function *function);
/* The same for the time while the call is made: its arguments were passed, its result is not there yet.  `live` is what program_live gave. */
void program_live_across(const Function *function, const uint64_t *live, uint32_t call, uint64_t *set);
/* Aborts with a message if an invariant of the model does not hold. */
void program_check(const Program *program);
/* Text for people: `clew run --dump`. */
void program_print(const Program *program, StrBuf *out);
void program_print_instr(const Program *program, const Function *function, const Instr *instr, StrBuf *out);
const char *opcode_name(Opcode op);
bool opcode_is_terminator(Opcode op);
const char *branch_outcome_text(const Branch *branch, char buffer[64]); /* "true", "false", "case V", "default" */

#endif
