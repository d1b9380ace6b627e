/* front: from C sources, bitcode or a compilation database to a Program.
 *
 * Sources are compiled by clang-19 without optimisation, linked with the parts of Clew's library (models/) that they need, promoted to
 * registers (mem2reg, except in functions that call setjmp), and translated.  This is the only module that sees LLVM. */
#ifndef CLEW_FRONT_H
#define CLEW_FRONT_H

#include "base/base.h"
#include "decl/decl.h"
#include "program/program.h"

/* C code that follows a source in its translation unit. */
typedef struct FrontHarness {
    uint32_t source;  /* index in the list of sources */
    const char *path; /* of the file with the code */
} FrontHarness;

/* What the annotations of verification results in the sources do to the code (guide.c). */
typedef enum FrontGuide {
    FRONT_GUIDE_NONE = 0,
    FRONT_GUIDE_PARTIAL = 1, /* executions that contradict a verified assertion end there; set with each of the others */
    FRONT_GUIDE_MAY = 2,     /* an execution ends where all that can follow is verified, unless something before was not */
    FRONT_GUIDE_MUST = 4,    /* inputs are looked for by which all suppositions that follow are false */
    FRONT_GUIDE_CHECK = 8    /* alone: nothing is left out; an assertion that fails while its supposition holds is a bug of its own kind */
} FrontGuide;
typedef enum FrontNoteKind {
    FRONT_NOTE_ASSUMED,   /* the text is a name */
    FRONT_NOTE_ASSERTED,  /* the text is a formula, as it is understood */
    FRONT_NOTE_CONDITIONS /* may-unverified and must-unverified conditions, before the place or after it */
} FrontNoteKind;
typedef struct FrontNote {
    FrontNoteKind kind;
    const char *function, *file;
    uint32_t line, column;
    bool after;
    const char *text, *must; /* the latter of conditions only */
    /* What the note assumes or verifies, in the words of a file of results: an expression in C, or the name of an implicit check.  Both are NULL where
     * the note is about an assertion of the source, or where the text of the expression is not known. */
    const char *condition, *check;
} FrontNote;
#define FRONT_UNIT_ENTRY "clew_unit_"   /* so begin the names of the functions in harnesses that call a function under test (unit/plan.c) */
#define FRONT_GO_ON_IF "clew__go_on_if" /* the function that such code calls: the execution is of interest only if its argument is not 0 */
#define FRONT_CHECK_VERDICT "clew__check_verdict" /* reports a wrong verdict unless its first argument is not 0 (models/inputs.c) */
typedef struct FrontProject FrontProject;
typedef struct Results Results; /* Its members are declared in verified/verified.h. */

typedef struct FrontOptions {
    const char **files; /* .c .i .bc .ll, a directory, or compile_commands.json */
    uint32_t file_count;
    const FrontProject *project; /* what of the files is tested together (front_survey); NULL: all of them */
    const char **flags;          /* for the compiler, in order */
    uint32_t flag_count;
    const char *include_dir; /* where clew.h is */
    const char *models_dir;  /* where the library's .bc files and their index are; NULL: link none */
    const char *entry;       /* "main", or NULL where any set of functions will do */
    const FrontHarness *harnesses;
    uint32_t harness_count;
    /* Told of each error that the compiler finds in a harness: the source, the line of the harness, the compiler's words.  Loading then fails, and
     * nothing is printed; the caller may try again with another harness.  NULL: errors of harnesses are printed like all others. */
    void (*on_fault)(void *data, uint32_t source, uint32_t line, const char *message);
    void *on_fault_data;
    const char *bitcode_out; /* != NULL: the linked bitcode, exactly as it is translated, is written to this file */
    unsigned guide;          /* FRONT_GUIDE_… */
    Results *results;        /* results of a verifier that are not in the sources, as front_place_results has left them; NULL: none */
    const char *const
        *units; /* names of the functions that are tested one by one; if there are none: the whole program, or each external function */
    uint32_t unit_count;
    void (*on_note)(void *data, const FrontNote *note); /* told what the guide finds, function by function; NULL: nobody */
    void *on_note_data;
    const char *const
        *fails; /* functions of the library (decl/fails.def) whose calls may fail: clew__failing_NAME is called in their place */
    uint32_t fail_count;
    bool verbose; /* print the compiler commands on stderr */
} FrontOptions;

/* Directories and compilation databases: finds the files that are tested together, and leaves aside tests, examples, further programs,
 * files that do not compile, and second definitions (rules: project.c).  *project is NULL where `options` names only single files.  `functions`
 * are those that the user asks for: the files that define them are kept. */
Status front_survey(const FrontOptions *options, const char *const *functions, uint32_t count, FrontProject **project, Error *error);
void front_project_free(FrontProject *project);
/* Which files were left out though they belong to the project, and why, one sentence each. */
const char *const *front_project_notes(const FrontProject *project, uint32_t *count);
/* "12 C files; 3 left aside as tests, examples or programs: test.c, …" */
void front_project_describe(const FrontProject *project, StrBuf *out);

/* Finds the source of each annotation and what its condition may name there.  Refuses, with one message each, what is about a line that does not exist, a
 * condition that the compiler does not accept there, and all results about another version of a file.  Loading refuses what is about a line without such code. */
Status front_place_results(const FrontOptions *options, Results *results, Error *error);

typedef struct FrontTimes {
    double compile, load; /* seconds in the compiler; in reading, linking and translating */
} FrontTimes;

/* On failure *program is NULL and the error says what and where (the compiler's own messages have gone to stderr). */
Status front_load(const FrontOptions *options, Program **program, FrontTimes *times, Error *error);

/* What the sources declare, read by libclang.  Sources that are bitcode are listed and nothing else is known of them. */
Status front_declare(const FrontOptions *options, Decls **decls, Error *error);

/* Native code that counts.  `bitcode` (made from C by clang as for front_load) is given, before every branching instruction, a call that tells
 * which outcome is about to be taken, and written to `out`:
 *     void clew_count(uint32_t number)
 * where the number is what `number_of` answers for it; UINT32_MAX: not counted (an instruction of which no outcome is counted stays as it is). */
typedef struct FrontOutcome {
    const char *function;    /* its name in this file */
    const char *file;        /* of the place, absolute if the compiler's directory is known; "" where line is 0 */
    uint32_t line, column;   /* as a Program has them */
    uint32_t ordinal, which; /* Branch.ordinal and .which */
    bool nested; /* its condition is computed from another choice, as in `(p ? p->n : 0) > 0`: other compilers may join the two */
} FrontOutcome;
Status front_count(const char *bitcode, const char *out, uint32_t (*number_of)(void *data, const FrontOutcome *outcome), void *data,
                   Error *error);

/* What the source calls values and places in variables of bitcode, by its debug information.  Numbers of blocks and instructions are those of CodeOrigin.
 * The questions append the name to `out`; they return false, and append nothing, where there is none. */
typedef struct FrontNames FrontNames;
Status front_names_new(FrontNames **names, const char *bitcode, Error *error);
void front_names_free(FrontNames *names);
bool front_names_value(const FrontNames *names, const char *function, uint32_t block, uint32_t instr, StrBuf *out);
bool front_names_param(const FrontNames *names, const char *function, uint32_t index, StrBuf *out);
/* What the variable that holds this value points to: `p->next`.  Block UINT32_MAX: the parameter with that number. */
bool front_names_pointed(const FrontNames *names, const char *function, uint32_t block, uint32_t instr, uint64_t offset, uint64_t size,
                         StrBuf *out);
/* `size` bytes from `offset` on of a global variable, or of the local variable whose `alloca` stands there: `accounts[1].balance`. */
bool front_names_global(const FrontNames *names, const char *global, uint64_t offset, uint64_t size, StrBuf *out);
bool front_names_local(const FrontNames *names, const char *function, uint32_t block, uint32_t instr, uint64_t offset, uint64_t size,
                       StrBuf *out);

#endif
