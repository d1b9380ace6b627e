/* `clew check`: the proofs of a campaign, judged again by the independent checker. */
#include "cli/cli.h"
#include "cli/common.h"
#include "prove/prove.h"

#include <stdio.h>
#include <unistd.h>

typedef struct CheckArguments {
    const char *directory, *solver;
} CheckArguments;

static int parse_one(void *data, int argc, char **argv, int *i)
{
    CheckArguments *arguments = data;
    const char *word = argv[*i], *next = *i + 1 < argc ? argv[*i + 1] : NULL;
    if (strcmp(word, "--solver") == 0 && next) arguments->solver = argv[++*i];
    else if (word[0] == '-') return cli_complain("unknown option '%s', or its value is missing", word);
    else if (arguments->directory) return cli_complain("one directory is checked at a time, not also '%s'", word);
    else arguments->directory = word;
    return 0;
}

int cli_check(int argc, char **argv)
{
    CheckArguments arguments = {0};
    Words none = {0};
    Error error;
    uint32_t rejected = 0;
    int status = cli_parse(argc, argv, parse_one, &arguments, &none);
    if (status) return status;
    if (!arguments.directory) return cli_complain("%s", "no directory to check (the one that `clew test` wrote)");
    if (access(arguments.directory, R_OK | X_OK) != 0) return cli_complain("there is no directory '%s'", arguments.directory);
    if (prove_check(arguments.directory, arguments.solver, &rejected, &error) != OK) {
        fprintf(stderr, "clew: %s\n", error.text);
        return EXIT_USAGE;
    }
    return rejected ? EXIT_BUG : EXIT_DONE;
}
