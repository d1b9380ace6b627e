/* base: a process in a sandbox cannot harm what is outside. */
#include "base/sandbox.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs the function in a child in that sandbox; its result is the exit status. */
static int in_sandbox(Sandbox sandbox, int (*act)(void))
{
    pid_t child = fork();
    if (child == 0) {
        sandbox_enter(&sandbox);
        _exit(act());
    }
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool has_landlock(void)
{
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) > 0;
}

static int starts_processes(void)
{
    pid_t child = fork();
    if (child == 0) _exit(0);
    return child < 0 && errno == EPERM ? 0 : 1;
}

static void *nothing(void *data)
{
    return data;
}

static int starts_threads(void)
{
    pthread_t thread;
    return pthread_create(&thread, NULL, nothing, NULL) == 0 && pthread_join(thread, NULL) == 0 ? 0 : 1;
}

static int signals_its_parent(void)
{
    return kill(getppid(), 0) < 0 && errno == EPERM ? 0 : 1;
}

static int signals_all(void)
{
    return kill(-1, 0) < 0 && errno == EPERM ? 0 : 1;
}

static int signals_itself(void)
{
    raise(SIGTERM);
    return 1;
}

static int writes_here(void)
{
    int file = open("made", O_CREAT | O_WRONLY, 0600);
    if (file < 0) return errno == EACCES ? 2 : 1;
    close(file);
    return unlink("made") == 0 ? 0 : 1;
}

static int removes_what_is_kept(void)
{
    return unlink("kept") < 0 && errno == EACCES ? 0 : 1;
}

static void processes_are_left_alone(void **state)
{
    (void)state;
    const Sandbox strict = {.strict = true}, lenient = {0};
    assert_int_equal(in_sandbox(strict, starts_processes), 0);
    assert_int_equal(in_sandbox(lenient, starts_processes), 1);
    assert_int_equal(in_sandbox(strict, starts_threads), 0);
    assert_int_equal(in_sandbox(strict, signals_its_parent), 0);
    assert_int_equal(in_sandbox(lenient, signals_its_parent), 0);
    assert_int_equal(in_sandbox(strict, signals_all), 0);
    assert_int_equal(in_sandbox(lenient, signals_all), 0);
    assert_int_equal(in_sandbox(strict, signals_itself), 128 + SIGTERM);
    assert_int_equal(in_sandbox(lenient, signals_itself), 128 + SIGTERM);
}

static void files_are_left_alone(void **state)
{
    (void)state;
    char directory[] = "/tmp/clew-sandbox-XXXXXX";
    if (!has_landlock()) skip();
    assert_non_null(mkdtemp(directory));
    assert_int_equal(chdir(directory), 0);
    close(open("kept", O_CREAT | O_WRONLY, 0600));
    assert_int_equal(in_sandbox((Sandbox){.strict = true}, writes_here), 2);
    assert_int_equal(in_sandbox((Sandbox){.strict = true}, removes_what_is_kept), 0);
    assert_int_equal(in_sandbox((Sandbox){.writable = "/dev/shm"}, removes_what_is_kept), 0);
    assert_int_equal(in_sandbox((Sandbox){.writable = directory}, writes_here), 0);
    assert_int_equal(unlink("kept"), 0);
    assert_int_equal(chdir("/"), 0);
    rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_are_left_alone),
        cmocka_unit_test(files_are_left_alone),
    };
    return cmocka_run_group_tests_name("base: sandbox", tests, NULL, NULL);
}
