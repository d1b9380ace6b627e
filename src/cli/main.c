/* The command line.  Thin: it reads the arguments and hands over.  `clew run` lives in run.c. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

static const char usage[] =
    "Usage: clew run FILE... [options] [compiler flags] [-- ARGS]\n"
    "\n"
    "Executes the program's main in Clew's machine, with every check on; the output and exit status are those of the native program.\n"
    "FILE may be .c, .i, .bc, .ll, a directory, or a compile_commands.json.  Compiler flags (-I -D -U -std= -include -isystem -f -m -W -l "
    "-L)\n"
    "stand anywhere; the guest's own arguments come after `--`.\n"
    "\n"
    "Options of run:\n"
    "  --time SECONDS   stop after that long (exit status 124)\n"
    "  --memory MIB     what the guest may allocate; beyond it malloc returns NULL\n"
    "  --env NAME=VALUE the guest's environment is this (repeatable) instead of the real one\n"
    "  --clock SECONDS  the guest's clock stands at that time since 1970\n"
    "  --rand-seed N    what rand() starts from without srand()\n"
    "  --stats          print instructions, seconds and peak memory on stderr\n"
    "  --cflags 'FLAGS' any other flags for the compiler\n"
    "  --reference      use the reference interpreter only (slow; for comparison)\n"
    "  --dump           print the program as Clew sees it, and stop\n"
    "  --verbose        print the compiler's commands\n"
    "  --in-process     do not start a child process for the guest (for debuggers)\n"
    "  --help, --version\n"
    "\n"
    "Exit status of run: the guest's own, or as if by the signal that ended it; 124 for --time and for a loop without progress; 2 for a "
    "usage, compile or\n"
    "environment error, or when something unsupported is reached.  Findings are printed on stderr as `clew: FILE:LINE:COLUMN: KIND: "
    "message`.\n";

int main(int argc, char **argv)
{
    if (argc >= 2 && strcmp(argv[1], "run") == 0) return cli_run(argc - 2, argv + 2);
    if (argc >= 2 && strcmp(argv[1], "test") == 0) return cli_test(argc - 2, argv + 2);
    if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0)) {
        fputs(usage, stdout);
        return 0;
    }
    if (argc >= 2 && strcmp(argv[1], "--version") == 0) {
        puts("clew " CLEW_VERSION);
        return 0;
    }
    if (argc >= 2) fprintf(stderr, "clew: unknown command '%s'\n", argv[1]);
    fputs(usage, stderr);
    return 2;
}

void cli_usage(void)
{
    fputs(usage, stdout);
}
