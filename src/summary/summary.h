/* summary: what functions do, found out once and used at every call (SMART: P. Godefroid, Compositional Dynamic Test Generation, POPL 2007).
 *
 * A function is executed in isolation (isolate/isolate.h): its arguments and every place it reads before it writes are inputs of its own.  Each of its paths is a
 * disjunct of the summary: a precondition over those inputs and a postcondition that says what is returned and written; where the program ends
 * inside, the postcondition is false.  Disjuncts are leaves of a tree of what the paths depend on, so that they share what they have in common.
 *
 * At a call, the actual values are put for the function's inputs.  Where the calling context allows a path that no leaf stands for, the function is
 * explored there first; then the caller goes on with results that say which leaf they come from, as one condition and nested choices:
 * nothing is expanded.  What cannot be summarised is executed in place, counted, and named. */
#ifndef CLEW_SUMMARY_H
#define CLEW_SUMMARY_H

#include "base/base.h"
#include "program/program.h"
#include "solve/solve.h"
#include "vm/vm.h"

typedef struct Summaries Summaries;

/* What the search that uses the summaries does for them. */
typedef struct SummaryOptions {
    void *data;
    /* A path of a function was executed under the machine's model; `another`: it is not the one of the run at hand.  False: there is no time
     * for more. */
    bool (*on_path)(void *data, bool another);
    /* Under the machine's model something new is reached: to be executed to the end.  The call at hand is about to be made in place.  A run that ends
     * in an assumption that does not hold is of no interest, unless it is the last try. */
    VmStopKind (*on_witness)(void *data, bool last);
    /* These, and no others, are to be the conditions on the solver's stack. */
    void (*assert_context)(void *data, const Expr *conditions, uint32_t count);
    void (*on_loss)(void *data, uint32_t loc, const char *reason);
    bool (*knows_bug)(void *data, BugKind bug, uint32_t loc);
    const Function *top; /* is under test, so it is never summarised; NULL: there is none */
    uint32_t parameters; /* the first so many variables of the machine's pool are inputs, besides those it asks for */
    uint32_t most_paths; /* of a function; 0: 2048 */
} SummaryOptions;

/* Of one function. */
typedef struct SummaryFacts {
    uint32_t function; /* in the program */
    uint64_t paths;    /* summarised */
    uint64_t kept;     /* … of these, from an earlier campaign */
    uint64_t explored; /* contexts in which it was explored */
    uint64_t reused;   /* calls that needed no exploration */
    uint64_t inlined;  /* calls that were executed in place */
    const char *why;   /* the last time it was; NULL: never */
} SummaryFacts;

Summaries *summaries_new(const Program *program, Vm *vm, Solver *solver, const SummaryOptions *options);
void summaries_free(Summaries *summaries);

/* The machine has stopped at a call (VM_CALL), or in one that was on trial (VM_DECIDES).  Afterwards it is ready to run on; the model may be another one that satisfies the path.  False: it has
 * stopped for good: SUMMARY_AGAIN, to be run once more from an earlier mark; SUMMARY_ENDS, in no way that is new. */
typedef enum SummaryResult { SUMMARY_GOES_ON, SUMMARY_AGAIN, SUMMARY_ENDS } SummaryResult;
SummaryResult summaries_call(Summaries *summaries);
void summaries_watch(Summaries *summaries, bool watching); /* false: all calls are executed in place, for now */

uint64_t summaries_work(const Summaries *summaries); /* besides that of solver and machine: places and expressions */
bool summaries_used(const Summaries *summaries);     /* are calls completed by them?  NULL: no */
bool summaries_stopped(const Summaries *summaries);  /* a limit was reached while one was made: calls are executed in place since then */

/* All functions that were called with something symbolic, by their first call. */
uint32_t summaries_count(const Summaries *summaries);
SummaryFacts summaries_facts(const Summaries *summaries, uint32_t i);
/* The summary as text for people: a line for each disjunct.  Empty: it has none. */
void summaries_print(const Summaries *summaries, uint32_t i, StrBuf *out);

/* ---- kept between campaigns ---- */
/* Of the function's code and all that it may call: equal for the same behaviour.  0: a callee is not known, so nothing is kept. */
uint64_t summary_hash(const Program *program, uint32_t function);
/* The same of a unit's entry: equal if a call of it does the same from the start of the program.  Never 0. */
uint64_t summary_hash_unit(const Program *program, uint32_t function);
/* The summary as bytes; false: there is none, or it names places that another run of the machine would not have. */
bool summaries_save(const Summaries *summaries, uint32_t i, StrBuf *bytes);
/* Takes it up again; bytes that are not whole are refused. */
Status summaries_load(Summaries *summaries, uint32_t function, const void *bytes, size_t n, Error *error);

#endif
