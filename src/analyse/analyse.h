/* analyse: a sound abstract interpreter of the program model, and the certificates that follow from its result.
 *
 * For each block, in each context, it finds for every register and for every cell of memory that it tracks a set of up to 48 constants, or an unsigned and a
 * signed interval with the bits that are known.  Branches that none of these states can take cannot be taken at all.  What is found is written as a
 * certificate (docs/proofs.md), which clew-check judges without knowing of this module; nothing may be called infeasible before that.
 *
 * No assumption is made that docs/limits.md or a harness makes: what is not seen is arbitrary. */
#ifndef CLEW_ANALYSE_H
#define CLEW_ANALYSE_H

#include "base/base.h"
#include "program/program.h"
#include "verified/verified.h"

typedef struct AnalyseOptions {
    const uint32_t *entries; /* functions that are called from outside with any arguments, in any state of the globals */
    uint32_t entry_count;
    bool whole;            /* the analysis starts at `main`, its only entry, where globals have their initial values */
    uint32_t call_depth;   /* calls that tell contexts apart: 0 joins all calls of a function */
    bool partition;        /* keep states apart by the value of each function's state variable */
    bool divide;           /* an exploration divides states by the values of registers that have few */
    bool exclude_overflow; /* signed overflow, which C leaves undefined, is taken not to happen; the certificate then says so */
    bool ends_at_faults;   /* an access through a null pointer and a division by zero end the execution */
    /* Instructions of one function of which something is assumed, in activations that are called from outside: that signed arithmetic does not overflow, that a call
     * that allocates does not return NULL, that another call or a store through a pointer leaves `kept` global variables as they are.  By their index in the function's code; NULL: none. */
    const uint8_t *assumed;
    uint32_t assumed_function;
    const uint8_t *kept; /* by global variable */
    uint64_t work;       /* instructions to interpret before giving up; 0: no limit */
} AnalyseOptions;

typedef struct Analysis Analysis;
/* NULL: the program has something that is not supported (jumps between functions, threads, signals, constructors), or the work was not enough. */
Analysis *analyse(const Program *program, const AnalyseOptions *options);
/* The same with states that are not joined (explore.c). */
Analysis *explore(const Program *program, const AnalyseOptions *options);
/* Leaves out of the states what is not needed to show that the branch is not taken.  False: it is taken, or seems to be. */
bool explore_focus(Analysis *analysis, uint32_t branch);
void analysis_free(Analysis *analysis);
bool analysis_takes(const Analysis *analysis, uint32_t branch); /* some state may take it; false: none can */
/* The certificate for branches that cannot be taken.  `ids` are the numbers that the certificate gives them; `bitcode_hash` is that of the file `program.bc`
 * beside the certificate. */
void analysis_certificate(Analysis *analysis, const uint32_t *branches, const uint32_t *ids, uint32_t count, uint64_t bitcode_hash,
                          StrBuf *out);
/* Only its nodes, for a certificate that others complete; `parameters`: with what is known of parameters that are not read any more; *first: no node was written
 * before. */
void analysis_nodes(Analysis *analysis, bool parameters, StrBuf *out, bool *first);
/* ---- verdicts (verdicts.c) ---- */

typedef struct VerdictOptions {
    bool whole; /* names belong to the program, not to functions */
    bool wraps; /* signed overflow is no fault of the program */
    /* Proves that the function cannot take the branch, whoever calls it.  `relied`, by index in the function's code, gets 1 for the instructions whose overflow was
     * excluded.  False: it is not proved, or relies on something else that does not end an execution.  NULL: nothing is proved so. */
    bool (*prove)(void *data, uint32_t function, uint32_t branch, uint8_t *relied);
    void *data;
} VerdictOptions;
/* Judges every assertion and implicit check of the functions that the sources define, each function for any arguments in any state of the globals, and adds to
 * the results what was assumed without justification and, for each verdict, what it rests on: the names used, `true` if none, `false` if it was not shown. */
void analyse_verdicts(const Program *program, const VerdictOptions *options, Results *results);

/* Words of certificates: a text in quotes; the place of an instruction (by the number of its origin), or of what comes so many instructions after it. */
void analysis_write_text(StrBuf *out, const char *text);
void analysis_write_place(StrBuf *out, const Function *function, uint32_t origin, uint32_t after);

#endif
