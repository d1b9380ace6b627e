/* Landlock restricts files by path, seccomp system calls by their arguments; neither needs privileges.  /tmp stays writable in a lenient sandbox, but nothing
 * can be removed or renamed there: tmpfile() and compilers' scratch files work, and what others keep there stays. */
#include "base/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- files ---- */

#define CHANGES \
    (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | \
     LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | \
     LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM)

static void allow(int rules, const char *path, uint64_t access)
{
    int directory = open(path, O_PATH | O_CLOEXEC);
    if (directory < 0) return;
    struct landlock_path_beneath_attr below = {.allowed_access = access, .parent_fd = directory};
    syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &below, 0);
    close(directory);
}

static void restrict_files(const Sandbox *sandbox)
{
    struct landlock_ruleset_attr handled = {.handled_access_fs = CHANGES};
    int rules = (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0);
    if (rules < 0) return;
    allow(rules, "/dev/null", LANDLOCK_ACCESS_FS_WRITE_FILE);
    allow(rules, "/dev/tty", LANDLOCK_ACCESS_FS_WRITE_FILE);
    if (sandbox->writable) {
        allow(rules, sandbox->writable, CHANGES);
        allow(rules, "/tmp", LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR);
        allow(rules, "/dev/shm", CHANGES);
    }
    syscall(SYS_landlock_restrict_self, rules, 0);
    close(rules);
}

/* ---- system calls ---- */

typedef Vec(struct sock_filter) Filter;

static void add(Filter *filter, uint16_t code, uint8_t yes, uint8_t no, uint32_t value)
{
    vec_push(filter, ((struct sock_filter){code, yes, no, value}));
}

static void refuse(Filter *filter)
{
    add(filter, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EPERM);
}

static void refuse_call(Filter *filter, uint32_t number)
{
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, number);
    refuse(filter);
}

/* Refused if the first argument is one of two processes, or all of them. */
static void refuse_signals_to(Filter *filter, uint32_t number, uint32_t parent)
{
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 6, number);
    add(filter, BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, args[0]));
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, 3, 0, parent);
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, 2, 0, 1);
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, (uint32_t)-1);
    add(filter, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
    refuse(filter);
}

/* Refused unless the first argument is this very process. */
static void refuse_signals_but_to(Filter *filter, uint32_t number, uint32_t self)
{
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 4, number);
    add(filter, BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, args[0]));
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, self);
    add(filter, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
    refuse(filter);
}

/* Threads may be started (the solver has some), processes not.  What clone3 is asked for cannot be seen; without it clone is used. */
static void refuse_clones(Filter *filter)
{
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_clone3);
    add(filter, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | ENOSYS);
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 4, SYS_clone);
    add(filter, BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, args[0]));
    add(filter, BPF_JMP | BPF_JSET | BPF_K, 0, 1, CLONE_THREAD);
    add(filter, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
    refuse(filter);
}

static void restrict_calls(const Sandbox *sandbox)
{
    static const uint32_t always[] = {SYS_reboot,     SYS_mount,        SYS_umount2,      SYS_pivot_root,  SYS_swapon,
                                      SYS_swapoff,    SYS_settimeofday, SYS_ptrace,       SYS_init_module, SYS_finit_module,
                                      SYS_kexec_load, SYS_sethostname,  SYS_clock_settime};
    static const uint32_t processes[] = {SYS_fork, SYS_vfork, SYS_execve, SYS_execveat, SYS_setsid, SYS_setpgid};
    static const uint32_t signals[] = {SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo};
    Filter filter = {0};
    add(&filter, BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, arch));
    add(&filter, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, AUDIT_ARCH_X86_64);
    add(&filter, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
    add(&filter, BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < COUNT_OF(always); i++) refuse_call(&filter, always[i]);
    for (size_t i = 0; sandbox->strict && i < COUNT_OF(processes); i++) refuse_call(&filter, processes[i]);
    if (sandbox->strict) refuse_clones(&filter);
    for (size_t i = 0; i < COUNT_OF(signals); i++) {
        if (sandbox->strict) refuse_signals_but_to(&filter, signals[i], (uint32_t)getpid());
        else refuse_signals_to(&filter, signals[i], (uint32_t)getppid());
    }
    add(&filter, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {.len = (unsigned short)filter.len, .filter = filter.data};
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
    vec_release(&filter);
}

void sandbox_enter(const Sandbox *sandbox)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
    restrict_files(sandbox);
#if defined(__x86_64__)
    restrict_calls(sandbox);
#endif
}
