/* The other solver: a process that reads SMT-LIB and answers line by line, with a limit on its counted work for each question and on its memory. */
#include "check.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { QUESTIONS_OF_ONE = 500 /* a process is replaced after these, so that it does not slow down; guess */ };
#define MEMORY_BYTES ((rlim_t)2 << 30)

static const char *chosen = "cvc5";
static unsigned long chosen_effort = 20000; /* of cvc5 about 3 seconds for a hard product, measured; z3's unit is smaller, see start */
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
    setrlimit(RLIMIT_AS, &memory);
    dup2(in, 0);
    dup2(out, 1);
    for (int i = 3; i < 64; i++) close(i);
    if (strcmp(chosen, "cvc5") == 0) {
        snprintf(option, sizeof option, "--rlimit-per=%lu", chosen_effort);
        execlp("cvc5", "cvc5", "--lang=smt2", "--incremental", option, (char *)NULL);
    } else {
        snprintf(option, sizeof option, "rlimit=%lu", chosen_effort * 500); /* a z3 unit is about 1/500 of cvc5's, measured on a product */
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

Answer solver_ask(const Query *query)
{
    char line[256];
    if (child && asked >= QUESTIONS_OF_ONE) solver_end();
    if (!child) start();
    asked++;
    fprintf(to, "(push 1)\n%s%s(check-sat)\n(pop 1)\n", query->symbols.data ? query->symbols.data : "", query->body.data ? query->body.data : "");
    if (getenv("CLEW_CHECK_LOG")) fprintf(stderr, "%s%s(check-sat)\n", query->symbols.data, query->body.data);
    fflush(to);
    if (fgets(line, sizeof line, from)) {
        if (strcmp(line, "unsat\n") == 0) return ANSWER_UNSAT;
        if (strcmp(line, "sat\n") == 0) return ANSWER_SAT;
        if (strcmp(line, "unknown\n") == 0) return ANSWER_UNKNOWN;
        fprintf(stderr, "clew-check: %s says: %s", chosen, line);
    } else {
        int status = 0;
        waitpid(child, &status, 0);
        fclose(to), fclose(from);
        child = 0;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 127) reject("no solver, so nothing can be checked");
        return ANSWER_UNKNOWN;
    }
    solver_end();
    return ANSWER_UNKNOWN;
}
