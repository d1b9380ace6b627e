/* Threads, one at a time: pthread_create runs the new thread to its end before it returns, which is one of the schedules a real machine
 * may choose.  Locks are then mostly free when asked for; asking for one that can never become free again is a deadlock, which ends the
 * program as SIGABRT would.  pthread_exit outside the main thread cannot unwind the frames below it and is not supported: it ends the
 * program likewise. */
#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

enum { MAX_KEYS = 1024, DESTRUCTOR_ROUNDS = 4 };

typedef struct Thread {
    struct Thread *outer; /* the one that created it, and waits */
    void *result;
    const void *values[MAX_KEYS];
    bool detached, done;
} Thread;

static Thread main_thread, *current = &main_thread;
static struct Key {
    bool used;
    void (*destroy)(void *);
} keys[MAX_KEYS];

static _Noreturn void deadlock(const char *what)
{
    static const char start[] = "deadlock: ";
    clew__write(2, start, sizeof start - 1);
    clew__write(2, what, text_length(what));
    clew__write(2, "\n", 1);
    clew__die(6);
}

/* ---- threads ---- */

static void run_key_destructors(Thread *thread)
{
    bool again = true;
    for (int round = 0; again && round < DESTRUCTOR_ROUNDS; round++) {
        again = false;
        for (int i = 0; i < MAX_KEYS; i++) {
            void *value = (void *)(uintptr_t)thread->values[i];
            if (!value || !keys[i].used || !keys[i].destroy) continue;
            thread->values[i] = NULL;
            keys[i].destroy(value);
            again = true;
        }
    }
}

static int run_thread(pthread_t *out, void *(*function)(void *), void *argument, bool detached)
{
    Thread *thread = clew__malloc(sizeof *thread);
    if (!thread) return EAGAIN;
    bytes_fill(thread, 0, sizeof *thread);
    thread->outer = current;
    thread->detached = detached;
    *out = (pthread_t)thread;
    current = thread;
    thread->result = function(argument);
    run_key_destructors(thread);
    current = thread->outer;
    thread->done = true;
    return 0;
}

int pthread_create(pthread_t *restrict out, const pthread_attr_t *restrict attributes, void *(*function)(void *), void *restrict argument)
{
    int detached = 0;
    if (attributes) detached = *(const int *)attributes;
    return run_thread(out, function, argument, detached == PTHREAD_CREATE_DETACHED);
}

static int join(pthread_t id, void **result)
{
    Thread *thread = (Thread *)id;
    if (thread == current) return EDEADLK;
    if (thread->detached) return EINVAL;
    if (!thread->done) deadlock("a thread joins one that waits for it");
    if (result) *result = thread->result;
    clew__free(thread);
    return 0;
}

int pthread_join(pthread_t id, void **result)
{
    return join(id, result);
}

int pthread_tryjoin_np(pthread_t id, void **result)
{
    return ((Thread *)id)->done ? join(id, result) : EBUSY;
}

int pthread_detach(pthread_t id)
{
    Thread *thread = (Thread *)id;
    if (thread->detached) return EINVAL;
    thread->detached = true;
    return 0;
}

pthread_t pthread_self(void)
{
    return (pthread_t)current;
}

int pthread_equal(pthread_t a, pthread_t b)
{
    return a == b;
}

/* From the main thread: the others have ended, so the process does, with status 0. */
void pthread_exit(void *result)
{
    (void)result;
    if (current != &main_thread) deadlock("pthread_exit in a thread other than the first is not supported; return instead");
    run_key_destructors(&main_thread);
    clew__leave(0);
}

int pthread_cancel(pthread_t id)
{
    (void)id;
    return 0;
}

int pthread_setcancelstate(int new_state, int *old)
{
    static int state = PTHREAD_CANCEL_ENABLE;
    if (old) *old = state;
    state = new_state;
    return 0;
}

int pthread_setcanceltype(int new_type, int *old)
{
    static int type = PTHREAD_CANCEL_DEFERRED;
    if (old) *old = type;
    type = new_type;
    return 0;
}

void pthread_testcancel(void)
{
}

int clew__pthread_yield(void) __asm__("pthread_yield"); /* the header gives that name to sched_yield */
int clew__pthread_yield(void)
{
    return 0;
}

int sched_yield(void)
{
    return 0;
}

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
    (void)prepare;
    (void)parent;
    (void)child;
    return 0;
}

/* ---- attributes: the first int holds the detach state ---- */

int pthread_attr_init(pthread_attr_t *attributes)
{
    bytes_fill(attributes, 0, sizeof *attributes);
    return 0;
}

int pthread_attr_destroy(pthread_attr_t *attributes)
{
    (void)attributes;
    return 0;
}

int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state)
{
    if (state != PTHREAD_CREATE_DETACHED && state != PTHREAD_CREATE_JOINABLE) return EINVAL;
    *(int *)attributes = state;
    return 0;
}

int pthread_attr_getdetachstate(const pthread_attr_t *attributes, int *state)
{
    *state = *(const int *)attributes;
    return 0;
}

int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size)
{
    ((size_t *)attributes)[1] = size;
    return size < 16384 ? EINVAL : 0;
}

int pthread_attr_getstacksize(const pthread_attr_t *restrict attributes, size_t *restrict size)
{
    size_t kept = ((const size_t *)attributes)[1];
    *size = kept ? kept : 8u << 20;
    return 0;
}

/* ---- mutexes: glibc's structure has the lock first, then the count, the owner, and the kind ---- */

static int lock(pthread_mutex_t *mutex, bool wait)
{
    int kind = mutex->__data.__kind & 3;
    int owner = current == &main_thread ? 1 : (int)((uintptr_t)current >> 4 & 0x7fffffff);
    if (mutex->__data.__lock) {
        bool mine = mutex->__data.__owner == owner;
        if (mine && kind == PTHREAD_MUTEX_RECURSIVE_NP) {
            mutex->__data.__count++;
            return 0;
        }
        if (!wait) return EBUSY;
        if (mine && kind == PTHREAD_MUTEX_ERRORCHECK_NP) return EDEADLK;
        deadlock("a mutex is locked for good");
    }
    mutex->__data.__lock = 1;
    mutex->__data.__count = 1;
    mutex->__data.__owner = owner;
    return 0;
}

static int unlock(pthread_mutex_t *mutex)
{
    int kind = mutex->__data.__kind & 3;
    if (kind != PTHREAD_MUTEX_TIMED_NP && !mutex->__data.__lock) return EPERM;
    if (kind == PTHREAD_MUTEX_RECURSIVE_NP && --mutex->__data.__count > 0) return 0;
    mutex->__data.__lock = 0;
    mutex->__data.__count = 0;
    mutex->__data.__owner = 0;
    return 0;
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    bytes_fill(mutex, 0, sizeof *mutex);
    if (attributes) mutex->__data.__kind = *(const int *)attributes & 3;
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    return mutex->__data.__lock ? EBUSY : 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    return lock(mutex, true);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    return lock(mutex, false);
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict until)
{
    (void)until;
    return lock(mutex, false) == EBUSY ? ETIMEDOUT : 0;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    return unlock(mutex);
}

int pthread_mutexattr_init(pthread_mutexattr_t *attributes)
{
    bytes_fill(attributes, 0, sizeof *attributes);
    return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes)
{
    (void)attributes;
    return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int kind)
{
    if (kind < 0 || kind > 3) return EINVAL;
    *(int *)attributes = kind;
    return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *restrict attributes, int *restrict kind)
{
    *kind = *(const int *)attributes;
    return 0;
}

/* ---- condition variables ---- */

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes)
{
    (void)attributes;
    bytes_fill(condition, 0, sizeof *condition);
    return 0;
}

int pthread_cond_destroy(pthread_cond_t *condition)
{
    (void)condition;
    return 0;
}

int pthread_cond_signal(pthread_cond_t *condition)
{
    (void)condition;
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition)
{
    (void)condition;
    return 0;
}

/* Nobody else will run, so a wait is a deadlock unless it has a limit. */
int pthread_cond_wait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex)
{
    (void)condition;
    (void)mutex;
    deadlock("a condition is awaited that no thread will signal");
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict until)
{
    (void)condition;
    (void)mutex;
    (void)until;
    return ETIMEDOUT;
}

int pthread_condattr_init(pthread_condattr_t *attributes)
{
    bytes_fill(attributes, 0, sizeof *attributes);
    return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *attributes)
{
    (void)attributes;
    return 0;
}

int pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t id)
{
    (void)attributes;
    (void)id;
    return 0;
}

/* ---- once, keys ---- */

int pthread_once(pthread_once_t *once, void (*function)(void))
{
    if (*once) return 0;
    *once = 2;
    function();
    return 0;
}

int pthread_key_create(pthread_key_t *key, void (*destroy)(void *))
{
    for (unsigned i = 0; i < MAX_KEYS; i++) {
        if (keys[i].used) continue;
        keys[i].used = true;
        keys[i].destroy = destroy;
        for (Thread *t = current; t; t = t->outer) t->values[i] = NULL;
        *key = i;
        return 0;
    }
    return EAGAIN;
}

int pthread_key_delete(pthread_key_t key)
{
    if (key >= MAX_KEYS || !keys[key].used) return EINVAL;
    keys[key].used = false;
    return 0;
}

void *pthread_getspecific(pthread_key_t key)
{
    return key < MAX_KEYS && keys[key].used ? (void *)(uintptr_t)current->values[key] : NULL;
}

int pthread_setspecific(pthread_key_t key, const void *value)
{
    if (key >= MAX_KEYS || !keys[key].used) return EINVAL;
    current->values[key] = value;
    return 0;
}

/* ---- readers and writers: the first word counts readers, the second the writer ---- */

typedef struct ReadersWriter {
    unsigned readers, writer;
} ReadersWriter;

int pthread_rwlock_init(pthread_rwlock_t *restrict rwlock, const pthread_rwlockattr_t *restrict attributes)
{
    (void)attributes;
    bytes_fill(rwlock, 0, sizeof *rwlock);
    return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *rwlock)
{
    (void)rwlock;
    return 0;
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *rwlock)
{
    ReadersWriter *rw = (ReadersWriter *)rwlock;
    if (rw->writer) return EBUSY;
    rw->readers++;
    return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *rwlock)
{
    ReadersWriter *rw = (ReadersWriter *)rwlock;
    if (rw->writer) return EDEADLK;
    rw->readers++;
    return 0;
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *rwlock)
{
    ReadersWriter *rw = (ReadersWriter *)rwlock;
    if (rw->writer || rw->readers) return EBUSY;
    rw->writer = 1;
    return 0;
}

int pthread_rwlock_wrlock(pthread_rwlock_t *rwlock)
{
    ReadersWriter *rw = (ReadersWriter *)rwlock;
    if (rw->writer) return EDEADLK;
    if (rw->readers) deadlock("a lock held for reading is asked for writing");
    rw->writer = 1;
    return 0;
}

int pthread_rwlock_unlock(pthread_rwlock_t *rwlock)
{
    ReadersWriter *rw = (ReadersWriter *)rwlock;
    if (rw->writer) rw->writer = 0;
    else if (rw->readers) rw->readers--;
    return 0;
}

/* ---- spin locks, barriers, semaphores ---- */

int pthread_spin_init(pthread_spinlock_t *spin, int shared)
{
    (void)shared;
    *spin = 0;
    return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *spin)
{
    (void)spin;
    return 0;
}

int pthread_spin_lock(pthread_spinlock_t *spin)
{
    if (*spin) deadlock("a spin lock is locked for good");
    *spin = 1;
    return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *spin)
{
    if (*spin) return EBUSY;
    *spin = 1;
    return 0;
}

int pthread_spin_unlock(pthread_spinlock_t *spin)
{
    *spin = 0;
    return 0;
}

int pthread_barrier_init(pthread_barrier_t *restrict barrier, const pthread_barrierattr_t *restrict attributes, unsigned count)
{
    (void)attributes;
    if (!count) return EINVAL;
    bytes_fill(barrier, 0, sizeof *barrier);
    *(unsigned *)barrier = count;
    return 0;
}

int pthread_barrier_destroy(pthread_barrier_t *barrier)
{
    (void)barrier;
    return 0;
}

int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    if (*(unsigned *)barrier > 1) deadlock("a barrier waits for threads that run only after it");
    return PTHREAD_BARRIER_SERIAL_THREAD;
}

int sem_init(sem_t *semaphore, int shared, unsigned value)
{
    (void)shared;
    *(unsigned *)semaphore = value;
    return 0;
}

int sem_destroy(sem_t *semaphore)
{
    (void)semaphore;
    return 0;
}

int sem_post(sem_t *semaphore)
{
    ++*(unsigned *)semaphore;
    return 0;
}

int sem_trywait(sem_t *semaphore)
{
    if (!*(unsigned *)semaphore) return fail_with(EAGAIN);
    --*(unsigned *)semaphore;
    return 0;
}

int sem_wait(sem_t *semaphore)
{
    if (!*(unsigned *)semaphore) deadlock("a semaphore is awaited that no thread will post");
    --*(unsigned *)semaphore;
    return 0;
}

int sem_getvalue(sem_t *restrict semaphore, int *restrict value)
{
    *value = *(int *)semaphore;
    return 0;
}
