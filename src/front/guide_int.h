/* What guide.c and guide_code.c share: the functions of a program with their names, assumptions and assertions. */
#ifndef CLEW_GUIDE_INT_H
#define CLEW_GUIDE_INT_H

#include "front/front_int.h"
#include "verified/verified.h"

#define ASSUMED "clew__assumed"
#define ASSERTED "clew__assert_verified"

/* An instruction that concerns names or assertions, or calls a function. */
typedef struct Event {
    LLVMValueRef instr;
    PointKind kind;
    uint32_t name;
    Table supposition;
    const Annotation *from; /* the result in a file that says so; NULL: the source does */
    uint32_t number;        /* of that result */
    bool before; /* The event happens before the instruction.  Code for it is put there, since the instruction is the program's own. */
    bool behind; /* The event happens after the instruction. */
    bool rests_on_itself;  /* It is a verdict on a check that rests on nothing but that this check is passed. */
    LLVMValueRef callee;   /* of a call; NULL: none, or it is computed */
    uint32_t point, after; /* numbers in the inference: before it, and after a call */
} Event;
typedef Vec(Event) Events;

typedef struct GuidedBlock {
    LLVMBasicBlockRef block;
    LLVMValueRef start; /* the first instruction that is no phi and no alloca */
    Events events;
    uint32_t first, last; /* points at its start and before its terminator */
} GuidedBlock;

typedef struct GuidedFunction {
    LLVMValueRef function,
        mine; /* mine: the variable that tells whether the test itself has called this activation; NULL: it does not matter */
    bool is_unit, is_annotated, may_be_unverified;
    bool is_doubted; /* a verdict on its source cannot be used, and may have been about this function: nothing is left out */
    Vec(GuidedBlock) blocks;
    Map block_numbers;
} GuidedFunction;

typedef struct Guide {
    const FrontOptions *options;
    const Sources *sources;
    Results *results;   /* NULL: there are none */
    Map source_numbers; /* name of a file in debug information -> source */
    Map olds;           /* number of a result and of an old(…) in its condition -> where the value is kept */
    Map said;           /* number of a result -> the call by which a macro in the source says the same */
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    Vec(GuidedFunction) functions;
    Map function_numbers; /* function -> number + 1 */
    /* names of the function at hand, or of the program */
    Vec(char *) names;
    LLVMValueRef variables[VERIFIED_MOST_NAMES];
    uint32_t reported; /* names, as bits, under which only checks are assumed whose failing is reported */
    uint32_t ending;   /* … and ends the execution */
    bool is_full;
    bool has_context;  /* something is assumed under FRAMA_C_CONTEXT */
    bool wraps;        /* signed overflow is no fault: the code does not tell which arithmetic is signed */
    bool is_whole;     /* the program is tested as a whole */
    bool calls_back;   /* a function whose address is taken may be unverified */
    uint32_t anywhere; /* the point after such a function has returned, in a whole program */
    LLVMValueRef unverified, go_on_if, check_verdict;
    /* Flags, where functions are tested one by one.  The harness sets both for the call that is tested, not for those that make what is passed. */
    LLVMValueRef outermost; /* the next activation of a unit is the one that the test has called */
    LLVMValueRef within;    /* that activation has not returned yet */
    Inference *inference;
} Guide;

bool guide__calls(LLVMValueRef instr, const char *name); /* is it a call of the function with that name? */

bool guide__fails(LLVMBasicBlockRef block);               /* does it do nothing but report that an assertion has failed? */
void guide__shorten(const char **file, unsigned *length); /* without the "./" that the compiler gives to what a file includes */
char *guide__text(LLVMValueRef call, unsigned argument);  /* that the argument points to, to be freed; NULL: no constant text */

/* guide_checks.c */
bool guide__wraps(LLVMModuleRef module);
void guide__find_macros(Guide *g, LLVMValueRef instr);                 /* what results say that it says */
const Annotation *guide__verdict_on(Guide *g, LLVMValueRef assertion); /* NULL: no result is about it */
void guide__find_results(Guide *g, GuidedFunction *f, GuidedBlock *block, LLVMValueRef instr,
                         bool behind); /* adds the events before the instruction, or behind it */
void guide__refuse_unfound(Guide *g);
bool guide__is_doubted(Guide *g, LLVMValueRef function);
void guide__hide_conditions(Guide *g); /* the functions that compute conditions are not under test */
void guide__keep_olds(Guide *g,
                      const GuidedFunction *f); /* code at the start of a function that keeps what its conditions say of that time */
/* Builds code that computes whether the event's condition holds at the place where the builder stands.  NULL: no code can compute that condition. */
LLVMValueRef guide__build_holds(Guide *g, const Event *event);

/* guide_code.c */
GuidedFunction *guide__function(Guide *g, LLVMValueRef function); /* guide.c; NULL: it has no code here */
void guide__build_entries(Guide *g);                              /* in harnesses: which call is tested */
bool guide__is_own_variable(LLVMValueRef global);
void guide__declare(Guide *g);                                /* the functions and variables that all code of a guide uses */
void guide__build_names(Guide *g);                            /* variables of the names of a whole program */
void guide__build_start(Guide *g, GuidedFunction *f);         /* variables of one activation of the function */
void guide__build_checks(Guide *g, const GuidedBlock *block); /* only what finds wrong verdicts */
/* What the events of a block do to the variables; where the function decides what is tested, what the inferred conditions do as well. */
void guide__build_block(Guide *g, const GuidedFunction *f, const GuidedBlock *block, bool decides);

#endif
