/* The other solver: a process that reads SMT-LIB and answers line by line, with a limit on its counted work for each question and on its memory.  What cvc5
 * 1.0.3 counts does not include the work of its SAT solver, so that a limit on processor time ends a question that takes much too long. */
#include "check.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { QUESTIONS_OF_ONE = 500 /* a process is replaced after these, so that it does not slow down; guess */ };
enum { PROCESSOR_SECONDS = 5 /* of one process; guess */ };
#define MEMORY_BYTES ((rlim_t)2 << 30)

static const char *chosen = "cvc5";
static unsigned long chosen_effort = 2000000; /* of cvc5: a quotient of 64 bits takes more than 200,000, measured */
static pid_t child;
static FILE *to, *from;
static unsigned asked;

void solver_choose(const char *name, unsigned long effort)
{
    if (strcmp(name, "cvc5") != 0 && strcmp(name, "z3") != 0) reject("--solver is cvc5 or z3, not '%s'", name);
    chosen = name;
    if (effort) chosen_effort = effort;
}

static void become_solver(int in, int out)
{
    char option[64];
    struct rlimit memory = {MEMORY_BYTES, MEMORY_BYTES};
    struct rlimit processor = {PROCESSOR_SECONDS, PROCESSOR_SECONDS};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_AS, &memory);
    setrlimit(RLIMIT_CPU, &processor);
    dup2(in, 0);
    dup2(out, 1);
    for (int i = 3; i < 64; i++) close(i);
    if (strcmp(chosen, "cvc5") == 0) {
        snprintf(option, sizeof option, "--rlimit-per=%lu", chosen_effort);
        execlp("cvc5", "cvc5", "--lang=smt2", "--incremental", option, (char *)NULL);
    } else {
        snprintf(option, sizeof option, "rlimit=%lu", chosen_effort * 10); /* z3 counts in smaller units; guess */
        execlp("z3", "z3", "-in", "-smt2", option, (char *)NULL);
    }
    fprintf(stderr, "clew-check: cannot start %s (Debian package %s)\n", chosen, chosen);
    _exit(127);
}

void solver_end(void)
{
    if (!child) return;
    fclose(to);
    fclose(from);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    child = 0;
}

static void start(void)
{
    int in[2], out[2];
    if (pipe(in) || pipe(out)) reject("cannot make a pipe");
    fflush(NULL);
    child = fork();
    if (child < 0) reject("cannot start a process");
    if (child == 0) become_solver(in[0], out[1]);
    close(in[0]);
    close(out[1]);
    to = fdopen(in[1], "w");
    from = fdopen(out[0], "r");
    asked = 0;
    fputs("(set-logic QF_BV)\n", to);
}

/* What the process says; ANSWER_NONE: it has died. */
static Answer ask_once(const Query *query)
{
    char line[256];
    if (!child) start();
    asked++;
    fprintf(to, "(push 1)\n%s%s(check-sat)\n(pop 1)\n", query->symbols.data, query->body.data);
    fflush(to);
    if (fgets(line, sizeof line, from)) {
        if (strcmp(line, "unsat\n") == 0) return ANSWER_UNSAT;
        if (strcmp(line, "sat\n") == 0) return ANSWER_SAT;
        if (strcmp(line, "unknown\n") != 0) fprintf(stderr, "clew-check: %s says: %s", chosen, line);
        if (strcmp(line, "unknown\n") != 0) solver_end();
        return ANSWER_UNKNOWN;
    }
    int status = 0;
    waitpid(child, &status, 0);
    fclose(to), fclose(from);
    child = 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) reject("no solver, so nothing can be checked");
    return ANSWER_NONE;
}

Answer solver_ask(const Query *query)
{
    if (child && asked >= QUESTIONS_OF_ONE) solver_end();
    bool was_used = child;
    Answer answer = ask_once(query);
    if (answer == ANSWER_NONE && was_used) answer = ask_once(query); /* earlier questions may have used up its limits */
    return answer;
}
