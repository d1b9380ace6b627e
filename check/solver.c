/* The other solver: a process that reads SMT-LIB and answers line by line, with a limit on its counted work for each question and on its memory.  What cvc5
 * 1.0.3 counts does not include the work of its SAT solver, so that a limit on processor time, set anew for each question, ends one that takes much too long. */
#include "check.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { QUESTIONS_OF_ONE = 500 /* a process is replaced after these, so that it does not slow down; guess */ };
/* Of processor time for one question.  A guess; the hardest of a certificate with pointers took 1.5 s on an idle machine. */
enum { LEAST_SECONDS = 3, MOST_SECONDS = 5 };
#define MEMORY_BYTES ((rlim_t)2 << 30)

static const char *chosen = "cvc5";
static unsigned long chosen_effort = 2000000; /* of cvc5: a quotient of 64 bits takes more than 200,000, measured */
static unsigned chosen_seconds = MOST_SECONDS;
static pid_t child;
static FILE *to, *from;
static unsigned asked;

void solver_choose(const char *name, unsigned long effort, uint64_t seconds)
{
    if (strcmp(name, "cvc5") != 0 && strcmp(name, "z3") != 0) reject("--solver is cvc5 or z3, not '%s'", name);
    chosen = name;
    if (effort) chosen_effort = effort;
    chosen_seconds = seconds < LEAST_SECONDS ? LEAST_SECONDS : seconds > MOST_SECONDS ? MOST_SECONDS : (unsigned)seconds;
}

unsigned solver_seconds(void)
{
    return chosen_seconds;
}

static void become_solver(int in, int out)
{
    char option[64];
    struct rlimit memory = {MEMORY_BYTES, MEMORY_BYTES};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_AS, &memory);
    dup2(in, 0);
    dup2(out, 1);
    for (int i = 3; i < 64; i++) close(i);
    /* cvc5 tells its standard error that it was interrupted, which says nothing to the user: the checker reads no answer. */
    int errors = fcntl(2, F_DUPFD_CLOEXEC, 3), nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, 2);
    if (strcmp(chosen, "cvc5") == 0) {
        snprintf(option, sizeof option, "--rlimit-per=%lu", chosen_effort);
        execlp("cvc5", "cvc5", "--lang=smt2", "--incremental", option, (char *)NULL);
    } else {
        snprintf(option, sizeof option, "rlimit=%lu",
                 chosen_effort * 50); /* z3 counts in smaller units: addresses in a certificate took 40 times as many, measured */
        execlp("z3", "z3", "-in", "-smt2", option, (char *)NULL);
    }
    dprintf(errors, "clew-check: cannot start %s (Debian package %s)\n", chosen, chosen);
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

/* Limits the processor time that the process may use from now on; gives the limit, in seconds since its start. */
static rlim_t limit_processor_time(void)
{
    clockid_t clock;
    struct timespec used = {0};
    struct rlimit processor;
    if (clock_getcpuclockid(child, &clock) == 0) clock_gettime(clock, &used);
    if (prlimit(child, RLIMIT_CPU, NULL, &processor) != 0) return RLIM_INFINITY; /* it has ended, which is noticed below */
    rlim_t limit = (rlim_t)used.tv_sec + 1 + chosen_seconds;
    processor.rlim_cur = limit < processor.rlim_max ? limit : processor.rlim_max;
    prlimit(child, RLIMIT_CPU, &processor, NULL);
    return processor.rlim_cur;
}

/* What the process says; ANSWER_NONE: it has died.  *timed_out: since it had used up its processor time. */
static Answer ask_once(const Query *query, bool *timed_out)
{
    char line[256];
    if (!child) start();
    asked++;
    rlim_t limit = limit_processor_time();
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
    struct rusage usage = {0};
    wait4(child, &status, 0, &usage);
    fclose(to), fclose(from);
    child = 0;
    *timed_out = (rlim_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + 1 >= limit;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) reject("no solver, so nothing can be checked");
    return ANSWER_NONE;
}

Answer solver_ask(const Query *query)
{
    if (child && asked >= QUESTIONS_OF_ONE) solver_end();
    bool was_used = child, timed_out = false;
    Answer answer = ask_once(query, &timed_out);
    if (answer == ANSWER_NONE && was_used && !timed_out)
        answer = ask_once(query, &timed_out); /* earlier questions may have used up its memory */
    return answer;
}
