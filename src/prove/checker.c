/* Running clew-check, which stands beside the program itself. */
#include "prove/prove_int.h"

#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static char *checker_path(void)
{
    char own[4096];
    ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
    const char *given = getenv("CLEW_CHECK");
    if (given && *given) return mem_strdup(given);
    if (n <= 0) return mem_strdup("clew-check");
    own[n] = 0;
    char *slash = strrchr(own, '/');
    return mem_format("%.*s/clew-check", (int)(slash - own), own);
}

static void take_line(const char *line, CheckerTold *told)
{
    unsigned number;
    size_t n = strlen(line);
    const char end[] = ": accepted\n";
    if (sscanf(line, "branch %u ", &number) == 1 && n > sizeof end && strcmp(line + n - (sizeof end - 1), end) == 0)
        told->accepted(told->data, number);
    else if (sscanf(line, "node %u: dropped", &number) == 1) told->dropped(told->data, number);
    const char *work = strstr(line, " dropped, work ");
    if (work) sscanf(work, " dropped, work %" SCNu64, &told->work);
    told->unfinished |= strncmp(line, "the budget of ", 14) == 0;
}

/* The timer outlives exec, and ends the checker. */
static void end_in(double seconds)
{
    if (seconds < 0.01) seconds = 0.01;
    struct itimerval timer = {.it_value = {(time_t)seconds, (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6)}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

static bool is_wanted_end(int signal)
{
    return signal == SIGALRM || signal == SIGINT || signal == SIGTERM;
}

/* 0: all accepted, 1: some rejected or no time left, 2: no certificate of this program, -1: it did not run.  `budget`: where something is told; `deadline` on clock_seconds; 0: none. */
static int run(const char *certificate, const char *solver, uint64_t budget, double deadline, CheckerTold *told, StrBuf *output)
{
    int pipe_ends[2], status = -1;
    char *path = checker_path(), *units = mem_format("%" PRIu64, budget), *line = NULL;
    size_t capacity = 0;
    if (pipe(pipe_ends) != 0) return -1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(pipe_ends[1], 1);
        close(pipe_ends[0]);
        close(pipe_ends[1]);
        if (deadline) end_in(deadline - clock_seconds());
        if (solver) execl(path, path, "--solver", solver, certificate, (char *)NULL);
        else if (told) execl(path, path, "--list-dropped", "--budget", units, certificate, (char *)NULL);
        else execl(path, path, certificate, (char *)NULL);
        _exit(127);
    }
    close(pipe_ends[1]);
    FILE *in = fdopen(pipe_ends[0], "r");
    while (child > 0 && getline(&line, &capacity, in) > 0) {
        if (told) take_line(line, told);
        if (output) strbuf_add(output, line);
    }
    fclose(in);
    free(line);
    free(path);
    free(units);
    if (child <= 0 || waitpid(child, &status, 0) != child) return -1;
    if (WIFSIGNALED(status) && is_wanted_end(WTERMSIG(status))) return 1;
    return WIFEXITED(status) && WEXITSTATUS(status) <= 2 ? WEXITSTATUS(status) : -1;
}

Status prove__run_checker(const char *certificate, uint64_t budget, double deadline, CheckerTold *told, Error *error)
{
    int status = run(certificate, NULL, budget, deadline, told, NULL);
    if (status < 0)
        return fail(error, "clew-check does not run or has died on %s (it stands beside clew; it needs the package cvc5)", certificate);
    return OK;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return atoi((*a)->d_name) - atoi((*b)->d_name);
}

static int is_certificate(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);
    return n > 5 && strcmp(entry->d_name + n - 5, ".json") == 0;
}

Status prove_check(const char *directory, const char *solver, uint32_t *rejected, Error *error)
{
    char *folder = mem_format("%s/proofs", directory);
    struct dirent **names = NULL;
    int count = scandir(folder, &names, is_certificate, by_name);
    Status status = OK;
    *rejected = 0;
    for (int i = 0; i < count; i++) {
        StrBuf output = {0};
        char *path = mem_format("%s/%s", folder, names[i]->d_name);
        int result = run(path, solver, 0, 0, NULL, &output);
        if (output.len) printf("%s:\n%s", path, output.text);
        if (result != 0) ++*rejected;
        if (result != 0 && result != 1 && status == OK) status = fail(error, "%s cannot be judged", path);
        strbuf_release(&output);
        free(path);
        free(names[i]);
    }
    if (count <= 0) printf("%s holds no certificates\n", directory);
    free(names);
    free(folder);
    return status;
}
