/* What the commands share: the arguments that name a program, loading it, and a child process for what may go wrong. */
#ifndef CLEW_CLI_COMMON_H
#define CLEW_CLI_COMMON_H

#include "base/base.h"
#include "front/front.h"

#include <stdio.h>

/* The program under test: files, and flags as for a compiler. */
typedef struct Sources {
    Vec(const char *) files, flags, libraries, library_dirs;
    bool verbose;
} Sources;

typedef Vec(const char *) Words;

/* Reads the arguments one by one with `parse_one`, up to `--`; what follows that goes to `guest`, after a place for the program's name. */
int cli_parse(int argc, char **argv, int (*parse_one)(void *options, int argc, char **argv, int *i), void *options, Words *guest);
/* Prints the message with a pointer to the help; returns EXIT_USAGE. */
int cli_complain(const char *format, const char *what);
bool cli_positive_number(const char *text, double *value);
/* Reads the argument at *i if it is a file, a compiler flag or an option about these, and moves *i over it.  Returns 0, or the exit status of
 * a complaint. */
int sources_parse(Sources *sources, int argc, char **argv, int *i);
/* entry: "main", or NULL where any set of functions will do. */
Status sources_open_libraries(const Sources *sources, Error *error);
FrontOptions sources_front(const Sources *sources, const char *entry); /* points into `sources` */
Status sources_load(const Sources *sources, const char *entry, Program **program, FrontTimes *times, Error *error);
char *cli_program_name(const char *file);
void cli_print_place(FILE *out, const Program *program, uint32_t loc); /* "FILE:LINE:COLUMN: ", or nothing */
/* Does the work in a child process and returns its exit status; ends as it did if a signal ended it, and ends it if it outlives its
 * time (0: none; counted from `started`). */
int cli_end_like(int status); /* as waitpid gives it: the exit status, or by the same signal */
int cli_in_child(int (*work)(void *data), void *data, double time, double started);

#endif
