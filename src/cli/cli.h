/* cli: one function per command; each gets the arguments after the command's name and returns the exit status. */
#ifndef CLEW_CLI_H
#define CLEW_CLI_H

enum { EXIT_DONE = 0, EXIT_BUG = 1, EXIT_USAGE = 2, EXIT_TIME = 124 };

int cli_run(int argc, char **argv);
int cli_test(int argc, char **argv);
int cli_replay(int argc, char **argv);
int cli_check(int argc, char **argv);
int cli_explain(int argc, char **argv);
int cli_inspect(int argc, char **argv);
int cli_explore(int argc, char **argv);
int cli_summary(int argc, char **argv);
void cli_usage(void);

#endif
