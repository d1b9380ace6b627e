/* C11's threads, on the same principle as threads.c: the new thread runs to its end at once. */
#include "internal.h"

#include <threads.h>

typedef struct Thread {
    struct Thread *outer;
    int result;
    bool done, detached;
} Thread;

static Thread main_thread, *current = &main_thread;

static _Noreturn void deadlock(void)
{
    static const char message[] = "deadlock: no thread will release what is awaited\n";
    clew__write(2, message, sizeof message - 1);
    clew__die(6);
}

int thrd_create(thrd_t *out, thrd_start_t function, void *argument)
{
    Thread *thread = clew__malloc(sizeof *thread);
    if (!thread) return thrd_nomem;
    *thread = (Thread){.outer = current};
    *out = (thrd_t)thread;
    current = thread;
    thread->result = function(argument);
    current = thread->outer;
    thread->done = true;
    return thrd_success;
}

int thrd_join(thrd_t id, int *result)
{
    Thread *thread = (Thread *)id;
    if (thread->detached) return thrd_error;
    if (!thread->done) deadlock();
    if (result) *result = thread->result;
    clew__free(thread);
    return thrd_success;
}

int thrd_detach(thrd_t id)
{
    ((Thread *)id)->detached = true;
    return thrd_success;
}

thrd_t thrd_current(void)
{
    return (thrd_t)current;
}

int thrd_equal(thrd_t a, thrd_t b)
{
    return a == b;
}

int thrd_sleep(const struct timespec *wanted, struct timespec *left)
{
    (void)left;
    if (clew__real_effects()) clew__sleep_ns(wanted->tv_sec * 1000000000 + wanted->tv_nsec);
    return 0;
}

void thrd_yield(void)
{
}

void thrd_exit(int result)
{
    (void)result;
    if (current != &main_thread) deadlock();
    clew__leave(0);
}

/* ---- mutexes: depth, then kind ---- */

typedef struct Mutex {
    int depth, kind;
} Mutex;

int mtx_init(mtx_t *mutex, int kind)
{
    *(Mutex *)mutex = (Mutex){0, kind};
    return thrd_success;
}

void mtx_destroy(mtx_t *mutex)
{
    (void)mutex;
}

int mtx_trylock(mtx_t *mutex)
{
    Mutex *m = (Mutex *)mutex;
    if (m->depth && !(m->kind & mtx_recursive)) return thrd_busy;
    m->depth++;
    return thrd_success;
}

int mtx_lock(mtx_t *mutex)
{
    Mutex *m = (Mutex *)mutex;
    if (m->depth && !(m->kind & mtx_recursive)) deadlock();
    m->depth++;
    return thrd_success;
}

int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict until)
{
    Mutex *m = (Mutex *)mutex;
    (void)until;
    if (m->depth && !(m->kind & mtx_recursive)) return thrd_timedout;
    m->depth++;
    return thrd_success;
}

int mtx_unlock(mtx_t *mutex)
{
    Mutex *m = (Mutex *)mutex;
    if (!m->depth) return thrd_error;
    m->depth--;
    return thrd_success;
}

void call_once(once_flag *once, void (*function)(void))
{
    int *done = (int *)once;
    if (*done) return;
    *done = 2;
    function();
}

int cnd_init(cnd_t *condition)
{
    bytes_fill(condition, 0, sizeof *condition);
    return thrd_success;
}

void cnd_destroy(cnd_t *condition)
{
    (void)condition;
}

int cnd_signal(cnd_t *condition)
{
    (void)condition;
    return thrd_success;
}

int cnd_broadcast(cnd_t *condition)
{
    (void)condition;
    return thrd_success;
}

int cnd_wait(cnd_t *condition, mtx_t *mutex)
{
    (void)condition;
    (void)mutex;
    deadlock();
}

int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict until)
{
    (void)condition;
    (void)mutex;
    (void)until;
    return thrd_timedout;
}
