/* popen and pclose: a stream to or from a shell.  The process is real, so there is none while inputs are explored. */
#include "stdio_int.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **__environ;

/* glibc's reserved names, which no program defines. */
extern int __pipe(int ends[2]);
extern pid_t __fork(void);
extern pid_t __waitpid(pid_t pid, int *status, int options);

static _Noreturn void run_shell(const char *command, int end, int wanted)
{
    char *const words[] = {(char *)"sh", (char *)"-c", (char *)(uintptr_t)command, NULL};
    if (end == wanted) clew__fcntl(end, F_SETFD, 0);
    else clew__dup3(end, wanted, 0);
    execve("/bin/sh", words, __environ);
    clew__exit(127);
}

FILE *popen(const char *command, const char *mode)
{
    bool reads = mode[0] == 'r';
    int ends[2] = {-1, -1};
    if (!reads && mode[0] != 'w') return fail_with(EINVAL), NULL;
    if (!clew__real_effects()) return fail_with(ENOSYS), NULL;
    if (__pipe(ends) < 0) return NULL;
    int ours = ends[!reads], theirs = ends[reads];
    clew__fcntl(ours, F_SETFD, FD_CLOEXEC); /* later children must not hold it open */
    clew__fcntl(theirs, F_SETFD, FD_CLOEXEC);
    pid_t pid = __fork();
    if (pid == 0) run_shell(command, theirs, reads ? STDOUT_FILENO : STDIN_FILENO);
    clew__close(theirs);
    ClewFile *f = pid < 0 ? NULL : clew__file_new(ours, reads ? FILE_NO_WRITES : FILE_NO_READS, &clew__fd_ops);
    if (!f) {
        clew__close(ours);
        return NULL;
    }
    f->state = (void *)(intptr_t)pid;
    return &f->io;
}

int pclose(FILE *stream)
{
    ClewFile *f = file_of(stream);
    pid_t pid = (pid_t)(intptr_t)f->state;
    int status = 0;
    clew__file_flush(f);
    f->ops->close(f);
    f->io._fileno = -1;
    clew__file_release(f);
    while (__waitpid(pid, &status, 0) < 0)
        if (clew__errno != EINTR) return -1;
    return status;
}
