/* emit: writes tests.
 *
 *   DIR/tests/test_FUNCTION.c    standalone C: one function `static void test_…(void)` for each test, a main that runs them all, or those that
 *                                are named as arguments; exit status 0 if all hold
 *   DIR/tests/clew_test.h, .c    what they share: running a program in a child process, giving inputs, checking
 *   DIR/tests/clew_clock.c       functions that tell the time, where the program calls one
 *   DIR/tests/clew_inputs.c      the functions by which programs ask for inputs (clew.h, KLEE, SV-COMP), where one does
 *   DIR/tests/Makefile           `make` builds and runs them all (CC, CFLAGS as usual)
 *   DIR/tests/bugs/bug_N_FUNCTION.c   one program for each bug: it shows the fault when it runs (best with a sanitizer)
 *   DIR/cmocka/…, DIR/testcomp/…, DIR/ktest/…, DIR/corpus/…   the other formats
 * Sources are included by a path relative to the test, so the folder can be kept in the project. */
#ifndef CLEW_EMIT_H
#define CLEW_EMIT_H

#include "base/base.h"
#include "decl/decl.h"
#include "ledger/ledger.h"
#include "unit/unit.h"

typedef enum EmitFormat {
#define FORMAT(NAME, text, help) EMIT_##NAME,
#include "emit/formats.def"
#undef FORMAT
    EMIT_FORMATS
} EmitFormat;
const char *emit_format_name(EmitFormat format);

/* The environment of a program under test, besides what a test sets.  It is the same in the search and natively, so that what is found does not depend on
 * who starts Clew. */
#define PROGRAM_PATH "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
#define PROGRAM_HOME "/"

typedef struct EmitOptions {
    uint32_t formats;             /* a set of 1 << EmitFormat; EMIT_C is always written, since replay runs that */
    const char *command;          /* as the user typed it, for the head of a file */
    const char *const *libraries; /* "-lm", "-L…": for linking */
    uint32_t library_count;
    const char *include_dir;      /* where clew.h is */
    const char *support;          /* directory of emit_support; NULL: that of the ledger, whose suite has the same files */
    const char *const *arguments; /* of the program under test, as in argv, its name first; those that are inputs follow them */
    uint32_t argument_count;      /* 0: only a name */
    const char *const *fails;     /* functions of the library (decl/fails.def) that a test may let fail */
    uint32_t fail_count;
    int64_t clock; /* seconds since 1970, at which the clock stands for the program; 0: it is the real one */
} EmitOptions;

/* Writes every kept test of the ledger (and every bug's), sets their paths and names, and removes files of an earlier call that are not
 * written again.  `units` NULL: the program has only sources that libclang cannot read (bitcode); then the formats testcomp, ktest and corpus
 * remain, and C tests of main if the sources are C. */
Status emit_suite(Ledger *ledger, const Decls *decls, const Units *units, const EmitOptions *options, Error *error);

typedef Vec(char *) EmitLibraries;

/* How a test file is compiled and linked; for replay and the Makefile.  The words belong to the caller (each and the table); all paths in them are
 * absolute.  The source that a test file includes is not among `other_sources`.  The program under test's main has the symbol clew_program_main
 * in a test file, and clew_program_main_N in another source. */
typedef struct EmitBuild {
    Vec(char *) flags;           /* for compiling the test file itself: those of the source it includes */
    Vec(uint32_t) other_sources; /* each to be compiled with its own flags (emit_build_source) and linked */
    EmitLibraries libraries;     /* last words of the link command: Clew's own C files beside the test, then -L and -l */
} EmitBuild;
void emit_build(const Ledger *ledger, const Decls *decls, const Units *units, const EmitOptions *options, const char *unit,
                EmitBuild *build);
/* Only `flags`: for compiling one of the other sources. */
void emit_build_source(const Ledger *ledger, const Decls *decls, const EmitOptions *options, uint32_t source, EmitBuild *build);
void emit_build_release(EmitBuild *build);

/* Writes what all test files share to options->support, for tests that are built before the suite is written. */
Status emit_support(const Decls *decls, const Units *units, const EmitOptions *options, Error *error);
/* For replay, which then compiles a source once and not for every file of tests: one file of C with the tests of several.  Those of units with the
 * same key can stand together; NULL: with no others.  The caller's to free. */
char *emit_together_key(const Decls *decls, const Units *units, const char *unit);
/* Writes the tests (indices in the ledger), also those that show bugs, to the file `path`; each is called test_ID there. */
Status emit_together(Ledger *ledger, const Decls *decls, const Units *units, const EmitOptions *options, const char *path,
                     const uint32_t *tests, uint32_t count, Error *error);

#endif
