/* front: from C sources, bitcode or a compilation database to a Program.
 *
 * Sources are compiled by clang-19 without optimisation, linked with the parts of Clew's library (models/) that they need, promoted to
 * registers (mem2reg, except in functions that call setjmp), and translated.  This is the only module that sees LLVM. */
#ifndef CLEW_FRONT_H
#define CLEW_FRONT_H

#include "base/base.h"
#include "program/program.h"

typedef struct FrontOptions {
    const char **files; /* .c .i .bc .ll, a directory, or compile_commands.json */
    uint32_t file_count;
    const char **flags; /* for the compiler, in order */
    uint32_t flag_count;
    const char *include_dir; /* where clew.h is */
    const char *models_dir;  /* where the library's .bc files and their index are; NULL: link none */
    const char *entry;       /* "main", or NULL where any set of functions will do */
    bool verbose;            /* print the compiler commands on stderr */
} FrontOptions;

typedef struct FrontTimes {
    double compile, load; /* seconds in the compiler; in reading, linking and translating */
} FrontTimes;

/* On failure *program is NULL and the error says what and where (the compiler's own messages have gone to stderr). */
Status front_load(const FrontOptions *options, Program **program, FrontTimes *times, Error *error);

#endif
