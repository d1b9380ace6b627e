/* The command line.  Thin: it reads the arguments and hands over.  Each command has a file of its name. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

static const char usage[] =
    "Usage: clew run  FILE... [options] [compiler flags] [-- ARGS]   execute main, with every check on\n"
    "       clew test FILE... [options] [compiler flags] [-- ARGS]   search for inputs that reach every branch\n"
    "\n"
    "FILE may be .c, .i, .bc, .ll, a directory, or a compile_commands.json.  Compiler flags (-I -D -U -std= -include -isystem -f -m -W -l "
    "-L)\n"
    "stand anywhere; the program's own arguments come after `--`.\n"
    "\n"
    "Options of run and test:\n"
    "  --time SECONDS   stop after that long (exit status 124 of run)\n"
    "  --memory MIB     what the program may allocate; beyond it malloc returns NULL\n"
    "  --stats          print on stderr what it cost\n"
    "  --cflags 'FLAGS' any other flags for the compiler\n"
    "  --verbose        print the compiler's commands\n"
    "  --in-process     do not start a child process (for debuggers)\n"
    "  --help, --version\n"
    "\n"
    "Options of run:\n"
    "  --env NAME=VALUE the program's environment is this (repeatable) instead of the real one\n"
    "  --clock SECONDS  its clock stands at that time since 1970\n"
    "  --rand-seed N    what rand() starts from without srand()\n"
    "  --reference      use the reference interpreter only (slow; for comparison)\n"
    "  --dump           print the program as Clew sees it, and stop\n"
    "The output and exit status of run are those of the native program, or as if by the signal that ended it; 124 for --time and for a "
    "loop without\n"
    "progress; 2 for a usage, compile or environment error, or when something unsupported is reached.  Findings are printed on stderr as\n"
    "`clew: FILE:LINE:COLUMN: KIND: message`.\n"
    "\n"
    "Options of test (main is tested if there is one, else every external function whose parameters are numbers):\n"
    "  --function NAME  test this function (repeatable)\n"
    "  --max-runs N     stop after that many runs\n"
    "  --first-bug      stop at the first bug\n"
    "  --seed N         of the first inputs and of everything random\n"
    "  --search NAME    auto, dfs, bfs or random\n"
    "  --stdin N        the program reads N bytes of input from standard input\n"
    "  --file NAME:N    and from a file of that name\n"
    "  --concrete NAME  reason about this function only by running it (like CLEW_CONCRETE in the source; repeatable)\n"
    "  --config FILE    lines `concrete NAME` and `partition NAME CONDITION`, for code that cannot be edited\n"
    "  --paths          print every run, not only those that reach something new\n"
    "  --log-queries FILE   write every question to the solver as SMT-LIB 2\n"
    "  --tiers LIST     the solver's tiers to use, separated by commas: slice cache bounds local descent blast z3 mixed\n"
    "  --solver-effort N    work for one question, about a nanosecond a unit\n"
    "Exit status of test: 0 done, no bug; 1 at least one bug found; 2 usage, compile or environment error.\n";

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
