/* What the files of front/ share: the list of files to compile, the translator of a module, the lowering of one function. */
#ifndef CLEW_FRONT_INT_H
#define CLEW_FRONT_INT_H

#include "front/front.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

/* ---- sources (compile.c, database.c) ---- */
typedef struct Source {
    char *path;      /* as given to the compiler, or the bitcode itself */
    char *directory; /* where the compiler runs, NULL: here */
    char **flags;    /* this file's own, before the user's */
    uint32_t flag_count;
    bool is_bitcode;  /* .bc or .ll, nothing to compile */
    bool found;       /* in a directory or a database: the user has not named it */
    char *conditions; /* a file of functions (results.c) that follow the source in its translation unit; NULL: there are none */
    char *bitcode;    /* the result */
} Source;
typedef struct Sources {
    Vec(Source) list;
    char *scratch; /* directory for the results, removed by sources_release */
} Sources;
Status front__collect_sources(const FrontOptions *options, Sources *sources, Error *error);
Status front__read_database(const char *path, Sources *sources, Error *error);
void front__project_sources(const FrontProject *project, Sources *sources); /* adds copies */
Status front__compile(const FrontOptions *options, Sources *sources, Error *error);
void front__release_sources(Sources *sources);
#define COMPILER "clang-19"
typedef Vec(const char *) Words;
uint32_t front__dropped_words(const char *flag); /* how many words of a flag that is not for the compiler proper, else 0 */
bool front__is_header(const char *path);         /* a .h given as a source */
/* Names of warnings ("implicit-int") that clang takes for errors unless told otherwise, though they are about C as it was once written: functions
 * without a declaration, functions without a result type, pointers given as integers.  Ended by NULL. */
extern const char *const front__old_style[];

/* ---- linking (link.c) ---- */
LLVMModuleRef front__read_module(LLVMContextRef context, const char *path, Error *error); /* NULL: it cannot be read */
/* The linked and promoted module in a fresh context; both belong to the caller. */
Status front__library_names(const char *models_dir, NameMap *names, Error *error); /* what the library defines */
Status front__link(const FrontOptions *options, const Sources *sources, LLVMContextRef context, LLVMModuleRef *module, Error *error);
#define MODEL_MARK "clew-model" /* attribute of the library's functions, section of its globals */

/* ---- results of a verifier (results.c) ---- */
#define RESULT_CONDITION "clew__condition_%u" /* the function that computes the condition of the annotation with this number */
#define RESULT_OLD "clew__old_%u_%u"          /* the function that keeps the value of an old(…) in that condition */
bool front__names_word(const char *text, const char *word);                         /* not as a part of a longer word */
bool front__write_conditions(const Results *results, uint32_t source, StrBuf *out); /* those functions of a source; false: there are none */

/* Adds what verification results do (guide.c). */
void front__guide(const FrontOptions *options, const Sources *sources, LLVMContextRef context, LLVMModuleRef module);

/* ---- --fail (fails.c) ---- */
void front__let_fail(const FrontOptions *options, LLVMModuleRef module);

/* ---- conditions (conditions.c) ---- */
void front__split_conditions(LLVMModuleRef module); /* before anything is numbered */
bool front__is_negated(LLVMValueRef condition);     /* by an odd number of ! */
bool front__is_repeated(LLVMValueRef terminator); /* it branches on what operands of && and || have decided, or on nothing in the source */

/* ---- shapes (shape.c): how a first-class type is taken apart ---- */
typedef struct Leaf {
    Scalar type;
    bool exotic;     /* half, bfloat, fp128: can be moved but not computed with */
    uint32_t reg;    /* relative to the value's first register */
    uint64_t offset; /* in memory, bytes; unused where the shape is packed */
} Leaf;
typedef struct Shape {
    Leaf *leaves;
    uint32_t count, registers;
    bool packed; /* a vector whose elements are no whole bytes: consecutive bits in memory */
    bool is_vector;
    bool exotic;         /* some leaf is */
    uint32_t wide;       /* of an integer of more than 128 bits: its width; the leaves are its limbs (wide.c) */
    const char *problem; /* why values of this type are not supported, NULL if they are */
} Shape;

/* ---- translation of a module (translate.c, globals.c, constants.c) ---- */
typedef struct Translator {
    Program *program;
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    Error *error;
    const char *here; /* current working directory */
    Map shapes, functions, globals, constants, locations, blocks, labels, intrinsics;
    NameMap message_numbers, files;
    Vec(Function) function_list;
    Vec(Global) global_list;
    Vec(Symbol) symbols;
    Vec(Const) consts;
    Vec(Loc) locs;
    Vec(Branch) branches;
    Vec(const char *) messages;
    Vec(const char *) file_names;
    unsigned attr_byval, attr_align, attr_signext, attr_noreturn;
} Translator;
Status front__translate(LLVMModuleRef module, Program **program, Error *error);
const Shape *front__shape(Translator *t, LLVMTypeRef type);
uint32_t front__message(Translator *t, const char *text);
uint32_t front__location(Translator *t, LLVMMetadataRef location);
const char *front__file_name(Translator *t, LLVMMetadataRef file);
void front__read_signs(Translator *t, LLVMValueRef value, Function *function); /* of its parameters; marks.c */
void front__read_marks(Translator *t);
uint32_t front__declare_library(Translator *t, const char *name, uint32_t result_count, const Scalar *results, uint32_t count,
                                const Scalar *params);
uint32_t front__function_index(Translator *t, LLVMValueRef function);
uint32_t front__block_index(Translator *t, LLVMBasicBlockRef block);
void front__number_blocks(Translator *t, LLVMValueRef function);
uint64_t front__type_size(Translator *t, LLVMTypeRef type); /* 0 for unsized */
uint32_t front__type_align(Translator *t, LLVMTypeRef type);
char *front__value_name(LLVMValueRef value);                     /* not owned */
void *front__keep(Translator *t, const void *data, size_t size); /* a copy in the program's arena */

/* Constants.  A leaf of a constant becomes a Const where it is bits, an address, or a difference of addresses. */
bool front__fold(Translator *t, LLVMValueRef value, uint32_t leaf, Const *result);
Operand front__const(Translator *t, Const constant);
Operand front__const_int(Translator *t, uint32_t width, U128 value);
U128 front__constant_bits(LLVMValueRef value); /* of a ConstantInt or ConstantFP of up to 128 bits */
/* The bytes of an integer of any width, little endian. */
void front__wide_bytes(LLVMValueRef value, uint8_t *bytes, uint64_t size);
LLVMOpcode front__opcode(LLVMValueRef value); /* of an instruction or constant expression */
Status front__translate_globals(Translator *t);
Status front__initial_value(Translator *t, Global *global, LLVMValueRef value);

/* ---- lowering of one function (lower.c and the files named for what they lower) ---- */
typedef Vec(Instr) Draft; /* a block being written */
typedef struct Lower {
    Translator *t;
    LLVMValueRef function;
    uint32_t index;
    bool in_model;
    Vec(Draft) blocks;    /* first those of LLVM, in order; then those that splitting edges and TRAPs made */
    uint32_t block_total; /* drafts in use; the others keep their memory for the next function */
    uint32_t current;     /* draft */
    Vec(uint32_t) exits;  /* for each block of LLVM the draft with its terminator */
    Map values;           /* instruction or argument -> first register + 1; 0 while being decided */
    uint32_t register_count;
    uint32_t loc;
    uint32_t origin; /* Instr.origin of what is emitted now */
    Vec(CodeOrigin) origins;
    uint32_t ordinal, outcomes, which; /* of the instruction being lowered: Branch.ordinal, front__outcomes, how many are numbered */
    uint32_t fresh;                    /* register of the temporary that the last instruction of `current` defines, UINT32_MAX: none */
    Vec(CallSite) calls;
    Vec(Switch) switches;
    Vec(CondBranch) branches;
} Lower;
void front__lower_function(Lower *l, LLVMValueRef function, uint32_t index);
void front__lower_instruction(Lower *l, LLVMValueRef value, uint32_t first); /* results from register `first` on */
void front__lower_phis(Lower *l);

/* build.c: registers, operands, single instructions */
uint32_t front__new_registers(Lower *l, uint32_t count);
uint32_t front__new_register(Lower *l, uint32_t width); /* one or two, by width */
uint32_t front__register_of(Lower *l, LLVMValueRef value);
uint32_t front__new_block(Lower *l);
Operand front__operand(Lower *l, LLVMValueRef value, uint32_t leaf);
Instr *front__emit(Lower *l, Opcode op, uint32_t width);
Operand front__unary(Lower *l, Opcode op, uint32_t width, Operand a);
Operand front__binary(Lower *l, Opcode op, uint32_t width, Operand a, Operand b);
Operand front__compare(Lower *l, Opcode op, uint32_t predicate, uint32_t width, Operand a, Operand b);
Operand front__select(Lower *l, uint32_t width, Operand condition, Operand yes, Operand no);
Operand front__convert(Lower *l, Opcode op, uint32_t to, uint32_t from, Operand a);
Operand front__resize(Lower *l, uint32_t to, uint32_t from, Operand a); /* ZEXT, TRUNC or nothing */
Operand front__offset(Lower *l, Operand address, int64_t bytes);
Operand front__load(Lower *l, uint32_t width, Operand address);
void front__store(Lower *l, uint32_t width, Operand address, Operand value);
void front__move(Lower *l, uint32_t to, uint32_t width, Operand from);   /* always a MOV */
void front__finish(Lower *l, uint32_t to, uint32_t width, Operand from); /* lets the instruction that computed `from` write `to` */
void front__undefine(Lower *l, uint32_t first, const Shape *shape);
void front__trap(Lower *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* How many outcomes an instruction has if it branches: a conditional, a switch, a choice (select) by one bit; else 0.  The instructions of
 * a function for which it is not 0, in order, have the ordinals 0, 1, …; the same when a Program is made and when code is given counters. */
uint32_t front__outcomes(LLVMValueRef value);
uint32_t front__add_branch(Lower *l, uint32_t target, OutcomeKind outcome, U128 value);
bool front__is_objective(LLVMValueRef value); /* a choice that guide.c has added, which has no ordinal: native code does not have it */
uint32_t front__add_objective(Lower *l);      /* its two outcomes; the number of the first, which is the objective */

/* one function per family of instructions; `first` as above */
bool front__lower_wide(Lower *l, LLVMValueRef value, LLVMOpcode opcode, uint32_t first);
void front__lower_cast(Lower *l, LLVMValueRef value, uint32_t first);
void front__lower_bitcast(Lower *l, LLVMValueRef value, uint32_t first);
/* The bits of `count` scalars of `width` each, laid end to end, as other scalars. */
void front__repack(Lower *l, const Operand *from, uint32_t from_count, uint32_t from_width, Operand *to, uint32_t to_count,
                   uint32_t to_width);
void front__lower_load(Lower *l, LLVMValueRef value, uint32_t first);
void front__lower_store(Lower *l, LLVMValueRef value);
void front__lower_alloca(Lower *l, LLVMValueRef value, uint32_t first);
void front__lower_address(Lower *l, LLVMValueRef value, uint32_t first);
void front__lower_atomic(Lower *l, LLVMValueRef value, uint32_t first);
void front__lower_exchange(Lower *l, LLVMValueRef value, uint32_t first);
void front__lower_call(Lower *l, LLVMValueRef value, uint32_t first);
void front__lower_intrinsic(Lower *l, LLVMValueRef call, LLVMValueRef callee, uint32_t first);
void front__add_call(Lower *l, CallSite site, uint32_t first, Operand computed);
/* The C function that an intrinsic becomes a call of (a library may define it), or NULL. */
const char *front__intrinsic_symbol(LLVMValueRef intrinsic, char buffer[32]);
Scalar front__scalar(ScalarKind kind, uint32_t width);
/* A GEP over constants: constant bytes and, through `index`, each variable part (operand number, scale). */
typedef struct AddressStep {
    LLVMValueRef index;
    uint64_t scale;
} AddressStep;
uint32_t front__address_steps(Translator *t, LLVMValueRef gep, AddressStep *steps, uint32_t lane, int64_t *constant, bool *supported);

#endif
