/* Random numbers, environment, time, allocation, inputs, threads. */
#include "test.h"

#include "clew.h"

#include <malloc.h>
#include <pthread.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

MODEL(rand);
MODEL(srand);
MODEL(rand_r);
MODEL(random);
MODEL(srandom);
MODEL(initstate);
MODEL(setstate);
MODEL(drand48);
MODEL(erand48);
MODEL(lrand48);
MODEL(nrand48);
MODEL(mrand48);
MODEL(jrand48);
MODEL(srand48);
MODEL(seed48);
MODEL(lcong48);
MODEL(getenv);
MODEL(setenv);
MODEL(unsetenv);
MODEL(putenv);
MODEL(clearenv);
MODEL(secure_getenv);
MODEL(time);
MODEL(gettimeofday);
MODEL(clock_gettime);
MODEL(nanosleep);
MODEL(usleep);
MODEL(sleep);
MODEL(difftime);
MODEL(reallocarray);
MODEL(posix_memalign);
MODEL(valloc);
MODEL(pvalloc);
MODEL(clew_int);
MODEL(clew_char);
MODEL(clew_range);
MODEL(clew_double);
MODEL(clew_bool);
MODEL(clew_make_symbolic);
extern char **model___environ;

/* ---- random numbers ---- */

static bool trial_rand(Random *r)
{
    if (one_in(r, 50)) {
        unsigned seed = (unsigned)any_bits(r);
        srand(seed);
        model_srand(seed);
    }
    int a = rand(), b = model_rand();
    return a == b || differ("glibc %d, model %d", a, b);
}

static bool trial_random(Random *r)
{
    static char states[2][2][256];
    if (one_in(r, 50)) {
        unsigned seed = (unsigned)any_bits(r);
        srandom(seed);
        model_srandom(seed);
    }
    if (one_in(r, 100)) {
        int which = (int)below(r, 2);
        unsigned seed = (unsigned)any_bits(r);
        size_t size = 8 + below(r, 249);
        step("initstate(%u,%d,%zu) ", seed, which, size);
        initstate(seed, states[0][which], size);
        model_initstate(seed, states[1][which], size);
    } else if (one_in(r, 50)) {
        int which = (int)below(r, 2);
        if (states[0][which][0] || states[0][which][1]) {
            setstate(states[0][which]);
            model_setstate(states[1][which]);
        }
    }
    long a = random(), b = model_random();
    return a == b || differ("glibc %ld, model %ld", a, b);
}

static bool trial_rand_r(Random *r)
{
    unsigned a = (unsigned)any_bits(r), b = a;
    return (rand_r(&a) == model_rand_r(&b) && a == b) || differ("%u", a);
}

static bool trial_drand48(Random *r)
{
    unsigned short x[3] = {(unsigned short)any_bits(r), (unsigned short)any_bits(r), (unsigned short)any_bits(r)}, y[3], p[7], q[7];
    memcpy(y, x, sizeof x);
    if (one_in(r, 20)) {
        long seed = (long)any_bits(r);
        srand48(seed);
        model_srand48(seed);
    }
    if (one_in(r, 50)) {
        unsigned short *a = seed48(x), *b = model_seed48(y);
        if (memcmp(a, b, 6) != 0) return differ("seed48");
    }
    if (one_in(r, 50)) {
        for (int i = 0; i < 7; i++) p[i] = (unsigned short)any_bits(r);
        memcpy(q, p, sizeof p);
        lcong48(p);
        model_lcong48(q);
    }
    double a = drand48(), b = model_drand48(), c = erand48(x), d = model_erand48(y);
    if (a != b || c != d) return differ("glibc %a %a, model %a %a", a, c, b, d);
    if (lrand48() != model_lrand48() || nrand48(x) != model_nrand48(y)) return differ("lrand48");
    return (mrand48() == model_mrand48() && jrand48(x) == model_jrand48(y) && memcmp(x, y, 6) == 0) || differ("mrand48");
}

/* ---- the environment: the same operations on both; then they must list the same ---- */

static const char *any_name(Random *r)
{
    static const char *names[] = {"CLEW_A", "CLEW_B", "CLEW_AB", "CLEW_", "CLEW", "", "CLEW_A=", "CLEW_C"};
    return names[below(r, 8)];
}

static bool trial_setenv(Random *r)
{
    if (!model___environ) {
        static char *start[] = {(char *)"CLEW_S=start", NULL};
        clearenv();
        setenv("CLEW_S", "start", 1);
        model___environ = start;
    }
    const char *name = any_name(r), *value = one_in(r, 2) ? "x" : "longer value";
    int x = 0, y = 0;
    errno = model_clew__errno = 0;
    switch (below(r, 4)) {
    case 0:
    case 1: {
        int overwrite = (int)below(r, 2);
        x = setenv(name, value, overwrite);
        y = model_setenv(name, value, overwrite);
        break;
    }
    case 2:
        x = unsetenv(name);
        y = model_unsetenv(name);
        break;
    default: {
        static char kept[8][40];
        char *entry = kept[below(r, 8)];
        if (!*entry) sprintf(entry, "CLEW_P%d=%d", (int)below(r, 4), (int)below(r, 10));
        x = putenv(entry);
        y = model_putenv(entry);
        break;
    }
    }
    if (x != y || (x < 0 && errno != model_clew__errno)) return differ("\"%s\": glibc %d, model %d", name, x, y);
    for (int i = 0; i < 3; i++) {
        const char *asked = any_name(r), *a = getenv(asked), *b = i == 1 ? model_secure_getenv(asked) : model_getenv(asked);
        if (!a != !b || (a && strcmp(a, b) != 0))
            return differ("getenv(\"%s\"): glibc %s, model %s", asked, a ? a : "NULL", b ? b : "NULL");
    }
    size_t n = 0, m = 0;
    while (environ[n]) n++;
    while (model___environ[m]) m++;
    return n == m || differ("%zu entries, model %zu", n, m);
}

/* ---- time ---- */

static bool trial_time(Random *r)
{
    struct timeval a, b;
    struct timespec c, d;
    (void)r;
    time_t before = time(NULL), kept, now = model_time(&kept), after = time(NULL);
    if (now < before || now > after || kept != now) return differ("time");
    gettimeofday(&a, NULL);
    model_gettimeofday(&b, NULL);
    clock_gettime(CLOCK_MONOTONIC, &c);
    if (model_clock_gettime(CLOCK_MONOTONIC, &d) != 0 || d.tv_sec < c.tv_sec || d.tv_sec > c.tv_sec + 10) return differ("clock_gettime");
    if (model_clock_gettime(9999, &d) != -1 || model_clew__errno != EINVAL) return differ("clock_gettime of no clock");
    return (b.tv_sec >= a.tv_sec && b.tv_sec <= a.tv_sec + 10 && b.tv_usec < 1000000) || differ("gettimeofday");
}

static bool trial_sleep(Random *r)
{
    unsigned seconds = (unsigned)below(r, 100);
    struct timespec wanted = {seconds, (long)below(r, 1100000000)};
    host.slept = 0;
    model_sleep(seconds);
    model_usleep(seconds);
    int64_t expected = (int64_t)seconds * 1000001000;
    if (host.slept != expected) return differ("slept %lld", (long long)host.slept);
    int result = model_nanosleep(&wanted, NULL);
    if (wanted.tv_nsec >= 1000000000) return (result == -1 && model_clew__errno == EINVAL) || differ("nanosleep");
    host.real = 0;
    host.slept = 0;
    model_sleep(100);
    return (result == 0 && host.slept == 0) || differ("slept while exploring");
}

/* ---- allocation ---- */

static bool trial_posix_memalign(Random *r)
{
    static const size_t alignments[] = {0, 1, 3, 8, 16, 24, 64, 4096};
    size_t alignment = alignments[below(r, 8)], n = below(r, 100);
    void *a = NULL, *b = NULL;
    int x = posix_memalign(&a, alignment, n), y = model_posix_memalign(&b, alignment, n);
    bool ok = x == y && (y || (uintptr_t)b % alignment == 0);
    free(a);
    free(b);
    return ok || differ("%zu %zu: %d %d", alignment, n, x, y);
}

static bool trial_reallocarray(Random *r)
{
    size_t count = any_bits(r), size = any_bits(r);
    if (count < 1u << 20 && size < 1u << 20) count &= 255, size &= 255;
    else count |= (size_t)1 << 40, size |= (size_t)1 << 40;
    errno = model_clew__errno = 0;
    void *a = reallocarray(NULL, count, size), *b = model_reallocarray(NULL, count, size);
    bool ok = !a == !b && (b || model_clew__errno == ENOMEM);
    free(a);
    free(b);
    char *page = model_valloc(10), *pages = model_pvalloc(10);
    ok = ok && (uintptr_t)page % 4096 == 0 && (uintptr_t)pages % 4096 == 0 && malloc_usable_size(pages) >= 4096;
    free(page);
    free(pages);
    return ok || differ("%zu %zu", count, size);
}

/* ---- inputs ---- */

extern int model___VERIFIER_nondet_int(void), model_klee_range(int, int, const char *), model_klee_int(const char *);
extern unsigned char model___VERIFIER_nondet_uchar(void);
extern _Bool model___VERIFIER_nondet_bool(void);
extern unsigned long model___VERIFIER_nondet_ulong(void);
extern double model___VERIFIER_nondet_double(void);
extern void model_klee_make_symbolic(void *, size_t, const char *), model___VERIFIER_assume(int), model_klee_assume(uintptr_t);

static bool of_width(uint64_t before, int bits)
{
    return (host.inputs == before + 1 && host.last_bits == bits) || differ("a value of %d bits expected, %d made", bits, host.last_bits);
}

static bool trial_inputs(Random *r)
{
    char bytes[8] = {0};
    host.inputs = below(r, 1000000);
    uint64_t n = host.inputs;
    int value = model___VERIFIER_nondet_int();
    if (!of_width(n, 32) || value != (int)(uint32_t)(host.inputs * 0x9e3779b97f4a7c15u)) return false;
    model___VERIFIER_nondet_uchar();
    if (!of_width(n + 1, 8)) return false;
    model___VERIFIER_nondet_ulong();
    if (!of_width(n + 2, 64)) return false;
    model___VERIFIER_nondet_double();
    if (!of_width(n + 3, 64)) return false;
    if (model_clew_int("x"), !of_width(n + 4, 32)) return false;
    if (model_clew_char("x"), !of_width(n + 5, 8)) return false;
    _Bool flag = model_clew_bool("x"), other = model___VERIFIER_nondet_bool();
    if (host.inputs != n + 8 || flag != ((n + 7) * 0x9e3779b97f4a7c15u & 1) || other != ((n + 8) * 0x9e3779b97f4a7c15u & 1))
        return differ("bool");
    model_klee_make_symbolic(bytes, 4, "b");
    if (bytes[0] != (char)host.inputs || bytes[3] != (char)host.inputs || bytes[4]) return differ("klee_make_symbolic");
    host.assumptions = host.violated = 0;
    value = model_clew_range(0, 100, "x");
    if (host.assumptions != 1 || host.violated != !(value >= 0 && value < 100)) return differ("clew_range");
    value = model_klee_range(-5, 100, "x");
    if (host.assumptions != 2) return differ("klee_range");
    host.violated = 0;
    model___VERIFIER_assume(0);
    model_klee_assume((uintptr_t)1 << 40);
    return host.violated == 1 || differ("assume");
}

/* ---- threads ---- */

MODEL(pthread_create);
MODEL(pthread_join);
MODEL(pthread_self);
MODEL(pthread_equal);
MODEL(pthread_mutex_init);
MODEL(pthread_mutex_lock);
MODEL(pthread_mutex_trylock);
MODEL(pthread_mutex_unlock);
MODEL(pthread_mutexattr_init);
MODEL(pthread_mutexattr_settype);
MODEL(pthread_once);
MODEL(pthread_key_create);
MODEL(pthread_setspecific);
MODEL(pthread_getspecific);
MODEL(pthread_key_delete);
MODEL(pthread_rwlock_tryrdlock);
MODEL(pthread_rwlock_trywrlock);
MODEL(pthread_rwlock_unlock);
MODEL(pthread_rwlock_init);
MODEL(thrd_create);
MODEL(thrd_join);

static pthread_key_t key;
static int destroyed, once_runs;

static void count_destroyed(void *value)
{
    destroyed += *(int *)value;
}

static void count_once(void)
{
    once_runs++;
}

static void *thread_body(void *argument)
{
    static int one = 1;
    model_pthread_setspecific(key, &one);
    *(pthread_t *)argument = model_pthread_self();
    return (char *)argument + 1;
}

static int c11_body(void *argument)
{
    return *(int *)argument + 1;
}

/* Random operations on one mutex from one thread: where glibc would not block, results agree. */
static bool same_mutex(Random *r, int kind)
{
    pthread_mutexattr_t attributes, model_attributes;
    pthread_mutex_t a, b;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, kind);
    pthread_mutex_init(&a, &attributes);
    model_pthread_mutexattr_init(&model_attributes);
    model_pthread_mutexattr_settype(&model_attributes, kind);
    model_pthread_mutex_init(&b, &model_attributes);
    int depth = 0;
    for (int i = 0; i < 12; i++) {
        int x, y;
        bool would_block = kind == PTHREAD_MUTEX_NORMAL && depth > 0;
        if (one_in(r, 3) && !would_block) {
            x = pthread_mutex_lock(&a), y = model_pthread_mutex_lock(&b);
            depth += x == 0;
        } else if (one_in(r, 2)) {
            x = pthread_mutex_trylock(&a), y = model_pthread_mutex_trylock(&b);
            depth += x == 0;
        } else if (depth > 0 || kind != PTHREAD_MUTEX_NORMAL) {
            x = pthread_mutex_unlock(&a), y = model_pthread_mutex_unlock(&b);
            depth -= x == 0;
        } else {
            continue;
        }
        if (x != y) return differ("kind %d, depth %d: glibc %d, model %d", kind, depth, x, y);
    }
    while (depth-- > 0) pthread_mutex_unlock(&a);
    pthread_mutex_destroy(&a);
    return true;
}

static bool same_rwlock(Random *r)
{
    pthread_rwlock_t a, b;
    pthread_rwlock_init(&a, NULL);
    model_pthread_rwlock_init(&b, NULL);
    int held = 0;
    for (int i = 0; i < 12; i++) {
        int x, y;
        switch (below(r, 3)) {
        case 0: x = pthread_rwlock_tryrdlock(&a), y = model_pthread_rwlock_tryrdlock(&b); break;
        case 1: x = pthread_rwlock_trywrlock(&a), y = model_pthread_rwlock_trywrlock(&b); break;
        default:
            if (!held) continue;
            x = pthread_rwlock_unlock(&a), y = model_pthread_rwlock_unlock(&b);
            held -= 2;
            break;
        }
        if (x == 0) held++;
        if (x != y) return differ("rwlock: glibc %d, model %d", x, y);
    }
    return true;
}

static bool trial_pthread(Random *r)
{
    pthread_t thread, inside;
    void *result = NULL;
    destroyed = once_runs = 0;
    if (model_pthread_key_create(&key, count_destroyed) != 0) return differ("pthread_key_create");
    if (model_pthread_create(&thread, NULL, thread_body, &inside) != 0 || !model_pthread_equal(thread, inside))
        return differ("pthread_create");
    if (model_pthread_equal(model_pthread_self(), thread) || destroyed != 1 || model_pthread_getspecific(key))
        return differ("after the thread");
    if (model_pthread_join(thread, &result) != 0 || result != (char *)&inside + 1) return differ("pthread_join");
    model_pthread_key_delete(key);
    pthread_once_t once = PTHREAD_ONCE_INIT;
    model_pthread_once(&once, count_once);
    model_pthread_once(&once, count_once);
    thrd_t id;
    int value = (int)below(r, 1000), returned = 0;
    if (once_runs != 1 || model_thrd_create(&id, c11_body, &value) != thrd_success) return differ("once");
    if (model_thrd_join(id, &returned) != thrd_success || returned != value + 1) return differ("thrd_join");
    return same_mutex(r, between(r, 0, 2)) && same_rwlock(r);
}

const Trial misc_trials[] = {TRIAL(rand),  TRIAL(random),         TRIAL(rand_r),       TRIAL(drand48), TRIAL(setenv),  TRIAL(time),
                             TRIAL(sleep), TRIAL(posix_memalign), TRIAL(reallocarray), TRIAL(inputs),  TRIAL(pthread), {NULL, NULL, 0}};
