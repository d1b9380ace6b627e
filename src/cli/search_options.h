/* The options of a search, as `clew test` and `clew explore` take them. */
#ifndef CLEW_CLI_SEARCH_OPTIONS_H
#define CLEW_CLI_SEARCH_OPTIONS_H

#include "cli/common.h"
#include "search/search.h"

typedef struct SearchArguments {
    Vec(const char *) functions, concrete;
    Words arguments; /* of the program; [0] is its name */
    Vec(VmSymbolicFile) files, environment;
    Vec(VmPartition) partitions;
    SearchOptions search;
    double time;
    bool no_summaries, always_summaries;
} SearchArguments;

bool search_option_known(const char *word);
/* Reads the option at *i and its value.  Returns 0, or the exit status of a complaint. */
int search_option_parse(SearchArguments *arguments, int argc, char **argv, int *i);
/* Once all are read: what the machine is to have. */
void search_options_finish(SearchArguments *arguments, const Sources *sources);

#endif
