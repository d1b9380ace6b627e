/* The command line.  Thin: it reads the arguments and hands over.  Each command has a file of its name. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

static const char usage[] =
    "Usage: clew test FILE... [options] [compiler flags] [-- ARGS]   generate tests\n"
    "       clew replay DIR                                          run the tests of DIR natively and compare with its ledger\n"
    "       clew check DIR [--solver cvc5|z3]                        judge the proofs of DIR again, by clew-check\n"
    "       clew explain DIR FILE:LINE[:COLUMN] [--json]             why the branches there are covered, open or infeasible\n"
    "       clew inspect FILE... [compiler flags] [--json]           the source with what a verifier has assumed and verified\n"
    "       clew run  FILE... [options] [compiler flags] [-- ARGS]   execute main, with every check on\n"
    "       clew explore FILE... [options] [compiler flags]          search only, and print what is found\n"
    "       clew summary DIR FUNCTION                                what DIR's campaign found out about a function\n"
    "\n"
    "FILE may be .c, .i, .h, .bc, .ll, a directory, or a compile_commands.json.  Compiler flags (-I -D -U -std= -include -isystem -f -m -W "
    "-l -L)\n"
    "stand anywhere; the program's own arguments come after `--`.\n"
    "\n"
    "What test does: the whole program if there is a main, else every external function.\n"
    "  --function NAME    test this function, also a static one (repeatable)\n"
    "  --out DIR          where tests and ledger.json go (clew-out)\n"
    "  --time SECONDS     for everything, replay included (60, if neither --work nor --max-runs is given)\n"
    "  --work N           a budget of the search in counted work, about a millisecond a unit: the same tests every time\n"
    "  --max-runs N       at most N runs for each function\n"
    "  --patience N       give up a function after N runs in a row that bring nothing new\n"
    "  --jobs N           searches at a time (as many as there are processors; 1 with --work or --max-runs)\n"
    "  --seed N           of everything random\n"
    "  --search NAME      auto, rarest, dfs, bfs, random, generational, cfg or summaries\n"
    "  --format NAME      c, cmocka, testcomp, ktest or corpus (repeatable)\n"
    "  --resume           go on where an earlier command was stopped, or search further what it had no time for\n"
    "  --fresh            search everything, whatever an earlier command into the same directory has found out\n"
    "  --no-replay        do not run the tests natively; nothing is then called covered\n"
    "  --no-backward      do not try to prove that branches which no test covers cannot be taken\n"
    "  --cc COMPILER      for replay (gcc)\n"
    "  --first-bug        stop a search at its first bug\n"
    "  --strict           calls that break a precondition of a function are bugs, too\n"
    "  --suppress FILE    bugs that are known, one a line: KIND FILE:FUNCTION, each with * and ? (repeatable); they are counted, but not "
    "listed\n"
    "  --quiet, --json    print bugs only; print the ledger\n"
    "Inputs of a whole program (if none is stated, what its code reads):\n"
    "  --stdin N          up to N bytes of standard input; 0: it is empty\n"
    "  --argv K,N         up to K arguments of up to N characters\n"
    "  --file NAME:N      a file of up to N bytes\n"
    "  --env NAME:N       an environment variable of up to N characters, or unset\n"
    "  --fail NAME        calls of malloc, fopen, fclose, … may fail (repeatable); also where functions are tested one by one\n"
    "Inputs of a function (P is a parameter, or FUNCTION.P):\n"
    "  --array P:N        P is NULL or points to N elements, N a number or another parameter\n"
    "  --string P:N       P is NULL or a string of up to N characters\n"
    "  --nonnull P        P is not NULL\n"
    "  --assume 'EXPR'    an expression in C over the parameters\n"
    "How it reasons:\n"
    "  --concrete NAME    about this function only by running it (like CLEW_CONCRETE in the source; repeatable)\n"
    "  --config FILE      lines `concrete NAME` and `partition NAME CONDITION`, for code that cannot be edited\n"
    "  --no-summaries     execute functions at every call instead of finding out once what they do\n"
    "  --summaries        find that out even where executing all paths is less work\n"
    "  --no-loops         do not solve for how often a loop has to go round for a branch below it\n"
    "  --guide NAME       what verification results in the source do: none, partial, may, must or both (both)\n"
    "  --verified FILE    what a verifier has assumed and verified, for sources that do not say it themselves (the form of clew inspect "
    "--json,\n"
    "                     or of Frama-C's -report-csv)\n"
    "  --from-analysis    what Clew's own analysis verifies, under assumptions that it names, counts as such results\n"
    "  --alarms FILE      what cppcheck (--xml), clang's analyzer (SARIF), gcc (-fdiagnostics-format=json) or Frama-C (-report-csv) "
    "reports;\n"
    "                     each alarm is confirmed by a test, refuted by a proof, or open (repeatable)\n"
    "  --revisit          go on also in states that the program was in before\n"
    "  --log-queries FILE, --tiers LIST, --solver-effort N   see the manual\n"
    "Exit status of test: 0 done, no bug; 1 at least one bug found; 2 usage, compile or environment error.  Of replay: 1 if something\n"
    "does not agree.  Of check: 1 if a proof is rejected, 2 if one cannot be judged.  Of explain: 2 if there is no branch at that place.\n"
    "With --stats, test and explore say of each function how often its summary was used.\n"
    "\n"
    "Options of all commands: --memory MIB (what the program may allocate), --stats, --cflags 'FLAGS', --verbose, --help, --version\n"
    "\n"
    "Options of run:\n"
    "  --time SECONDS   stop after that long (exit status 124)\n"
    "  --env NAME=VALUE the program's environment is this (repeatable) instead of the real one\n"
    "  --clock SECONDS  its clock stands at that time since 1970\n"
    "  --rand-seed N    what rand() starts from without srand()\n"
    "  --reference      use the reference interpreter only (slow; for comparison)\n"
    "  --dump           print the program as Clew sees it, and stop\n"
    "  --in-process     do not start a child process (for debuggers)\n"
    "The output and exit status of run are those of the native program, or as if by the signal that ended it; 124 for --time and for a "
    "loop\n"
    "without progress; 2 for a usage, compile or environment error, or when something unsupported is reached.  Findings are printed on "
    "stderr\n"
    "as `clew: FILE:LINE:COLUMN: KIND: message`.\n"
    "\n"
    "Options of explore: those of test about the search and the program's inputs; --paths prints every run, --show-summaries what\n"
    "functions do.\n";

int main(int argc, char **argv)
{
    if (argc >= 2 && strcmp(argv[1], "run") == 0) return cli_run(argc - 2, argv + 2);
    if (argc >= 2 && strcmp(argv[1], "test") == 0) return cli_test(argc - 2, argv + 2);
    if (argc >= 2 && strcmp(argv[1], "replay") == 0) return cli_replay(argc - 2, argv + 2);
    if (argc >= 2 && strcmp(argv[1], "check") == 0) return cli_check(argc - 2, argv + 2);
    if (argc >= 2 && strcmp(argv[1], "explain") == 0) return cli_explain(argc - 2, argv + 2);
    if (argc >= 2 && strcmp(argv[1], "inspect") == 0) return cli_inspect(argc - 2, argv + 2);
    if (argc >= 2 && strcmp(argv[1], "explore") == 0) return cli_explore(argc - 2, argv + 2);
    if (argc >= 2 && strcmp(argv[1], "summary") == 0) return cli_summary(argc - 2, argv + 2);
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
