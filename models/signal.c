/* Signals a program sends itself.  Handlers run at once, in raise; a blocked signal waits until it is unblocked. */
#include "internal.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

static struct sigaction actions[_NSIG];
static uint64_t blocked, pending;

static bool valid(int signal)
{
    return signal > 0 && signal < _NSIG;
}

static uint64_t bit_of(int signal)
{
    return (uint64_t)1 << (signal - 1);
}

static uint64_t *bits(const sigset_t *set)
{
    return (uint64_t *)(uintptr_t)set;
}

static bool default_is_ignore(int signal)
{
    return (signal == SIGCHLD) | (signal == SIGURG) | (signal == SIGWINCH) | (signal == SIGCONT);
}

static void deliver(int signal)
{
    struct sigaction *action = &actions[signal];
    void (*handler)(int) = action->sa_handler;
    if (handler == SIG_IGN || (handler == SIG_DFL && default_is_ignore(signal))) return;
    if (handler == SIG_DFL) clew__die(signal);
    void (*detailed)(int, siginfo_t *, void *) = action->sa_sigaction;
    uint64_t saved = blocked;
    blocked |= *bits(&action->sa_mask);
    if (!(action->sa_flags & SA_NODEFER)) blocked |= bit_of(signal);
    int flags = action->sa_flags;
    if (flags & (int)SA_RESETHAND) action->sa_handler = SIG_DFL;
    if (flags & SA_SIGINFO) {
        siginfo_t info;
        bytes_fill(&info, 0, sizeof info);
        info.si_signo = signal;
        info.si_code = SI_TKILL;
        info.si_pid = clew__getpid();
        detailed(signal, &info, NULL);
    } else {
        handler(signal);
    }
    blocked = saved;
}

static void deliver_pending(void)
{
    for (int signal = 1; pending & ~blocked; signal = signal % (_NSIG - 1) + 1) {
        if (!(pending & ~blocked & bit_of(signal))) continue;
        pending &= ~bit_of(signal);
        deliver(signal);
    }
}

static int send(int signal)
{
    if (signal == 0) return 0;
    if (!valid(signal)) return fail_with(EINVAL);
    if (signal == SIGKILL || signal == SIGSTOP) clew__die(signal);
    pending |= bit_of(signal);
    deliver_pending();
    return 0;
}

int raise(int signal)
{
    if (signal == 0) return 0;
    return send(signal);
}

int kill(pid_t pid, int signal)
{
    if (pid == clew__getpid()) return send(signal);
    if (signal < 0 || signal >= _NSIG) return fail_with(EINVAL);
    if (!clew__real_effects()) return fail_with(EPERM);
    return (int)checked(clew__kill(pid, signal));
}

void clew__abort_handler(void)
{
    blocked &= ~bit_of(SIGABRT);
    if (actions[SIGABRT].sa_handler == SIG_DFL) return;
    deliver(SIGABRT);
    actions[SIGABRT].sa_handler = SIG_DFL;
}

/* Unblocks SIGABRT, gives a handler its chance, and dies all the same. */
void clew__abort(void)
{
    clew__abort_handler();
    clew__die(SIGABRT);
}

void abort(void)
{
    clew__abort();
}

static int set_action(int signal, const struct sigaction *action, struct sigaction *old)
{
    if (!valid(signal) || (action && (signal == SIGKILL || signal == SIGSTOP))) return fail_with(EINVAL);
    if (old) *old = actions[signal];
    if (!action) return 0;
    actions[signal] = *action;
    int caught = action->sa_flags & SA_RESTART ? CLEW__CATCH_RESTART : CLEW__CATCH;
    clew__disposition(signal, action->sa_handler == SIG_DFL ? CLEW__DEFAULT : action->sa_handler == SIG_IGN ? CLEW__IGNORE : caught);
    return 0;
}

/* The VM calls it between two instructions when a caught signal has come from outside. */
void clew__deliver(int signal);
void clew__deliver(int signal)
{
    send(signal);
}

int sigaction(int signal, const struct sigaction *restrict action, struct sigaction *restrict old)
{
    return set_action(signal, action, old);
}

static sighandler_t set_handler(int signal, sighandler_t handler, int flags)
{
    struct sigaction action, old;
    bytes_fill(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    if (flags == SA_RESTART && valid(signal)) *bits(&action.sa_mask) = bit_of(signal);
    if (handler == SIG_ERR) return fail_with(EINVAL), SIG_ERR;
    return set_action(signal, &action, &old) < 0 ? SIG_ERR : old.sa_handler;
}

sighandler_t signal(int number, sighandler_t handler)
{
    return set_handler(number, handler, SA_RESTART);
}

sighandler_t bsd_signal(int number, sighandler_t handler);
sighandler_t bsd_signal(int number, sighandler_t handler)
{
    return set_handler(number, handler, SA_RESTART);
}

sighandler_t sysv_signal(int number, sighandler_t handler)
{
    return set_handler(number, handler, (int)(SA_RESETHAND | SA_NODEFER));
}

sighandler_t __sysv_signal(int number, sighandler_t handler)
{
    return set_handler(number, handler, (int)(SA_RESETHAND | SA_NODEFER));
}

static int set_mask(int how, const sigset_t *set, sigset_t *old)
{
    uint64_t before = blocked;
    if (set) {
        uint64_t mask = *bits(set) & ~(bit_of(SIGKILL) | bit_of(SIGSTOP));
        if (how == SIG_BLOCK) blocked |= mask;
        else if (how == SIG_UNBLOCK) blocked &= ~mask;
        else if (how == SIG_SETMASK) blocked = mask;
        else return EINVAL;
    }
    if (old) {
        bytes_fill(old, 0, sizeof *old);
        *bits(old) = before;
    }
    deliver_pending();
    return 0;
}

int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
    int error = set_mask(how, set, old);
    return error ? fail_with(error) : 0;
}

int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
    return set_mask(how, set, old);
}

int sigpending(sigset_t *set)
{
    *bits(set) = pending & blocked;
    return 0;
}

int sigemptyset(sigset_t *set)
{
    bytes_fill(set, 0, sizeof *set);
    return 0;
}

int sigfillset(sigset_t *set)
{
    bytes_fill(set, 0xff, sizeof *set);
    *bits(set) &= ~((uint64_t)3 << 31); /* glibc keeps signals 32 and 33 to itself */
    return 0;
}

static bool can_be_in_set(int signal)
{
    return valid(signal) && signal != 32 && signal != 33;
}

int sigaddset(sigset_t *set, int signal)
{
    if (!can_be_in_set(signal)) return fail_with(EINVAL);
    *bits(set) |= bit_of(signal);
    return 0;
}

int sigdelset(sigset_t *set, int signal)
{
    if (!can_be_in_set(signal)) return fail_with(EINVAL);
    *bits(set) &= ~bit_of(signal);
    return 0;
}

int sigismember(const sigset_t *set, int signal)
{
    if (!valid(signal)) return fail_with(EINVAL);
    return (*bits(set) & bit_of(signal)) != 0;
}
