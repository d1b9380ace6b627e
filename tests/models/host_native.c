/* The primitives of models/host.h, natively.  `host` says whether effects are real and which file counts as symbolic. */
#include "host_native.h"

#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

Host host = {.real = 1};

static int64_t result_of(int64_t result)
{
    return result < 0 ? -errno : result;
}

int clew__real_effects(void)
{
    return host.real;
}

int clew__open(const char *path, int flags, int mode)
{
    return (int)result_of(open(path, flags, mode));
}

int clew__openat(int directory, const char *path, int flags, int mode)
{
    return (int)result_of(openat(directory, path, flags, mode));
}

int clew__close(int fd)
{
    return (int)result_of(close(fd));
}

ssize_t clew__read(int fd, void *buffer, size_t n)
{
    return result_of(read(fd, buffer, n));
}

ssize_t clew__pread(int fd, void *buffer, size_t n, int64_t offset)
{
    return result_of(pread(fd, buffer, n, offset));
}

/* Redirected so that a test can look at what the library writes. */
ssize_t clew__write(int fd, const void *buffer, size_t n)
{
    if ((fd == 1 || fd == 2) && host.console) fd = host.console;
    return result_of(write(fd, buffer, n));
}

ssize_t clew__pwrite(int fd, const void *buffer, size_t n, int64_t offset)
{
    return result_of(pwrite(fd, buffer, n, offset));
}

int64_t clew__seek(int fd, int64_t offset, int whence)
{
    return result_of(lseek(fd, offset, whence));
}

int clew__unlink(const char *path)
{
    return (int)result_of(unlink(path));
}

int clew__rmdir(const char *path)
{
    return (int)result_of(rmdir(path));
}

int clew__rename(const char *from, const char *to)
{
    return (int)result_of(rename(from, to));
}

int clew__access(const char *path, int mode)
{
    return (int)result_of(access(path, mode));
}

int clew__fcntl(int fd, int command, long argument)
{
    return (int)result_of(fcntl(fd, command, argument));
}

int clew__ftruncate(int fd, int64_t size)
{
    return (int)result_of(ftruncate(fd, size));
}

int clew__dup(int fd)
{
    return (int)result_of(dup(fd));
}

int clew__dup3(int fd, int wanted, int flags)
{
    return (int)result_of(dup3(fd, wanted, flags));
}

int clew__fstatat(int directory, const char *path, struct stat *out, int flags)
{
    return (int)result_of(fstatat(directory, path, out, flags));
}

int clew__isatty(int fd)
{
    return isatty(fd) ? 1 : -errno;
}

const unsigned char *clew__symbolic_file(const char *path, size_t *size)
{
    if (!host.symbolic_path || strcmp(path, host.symbolic_path) != 0) return NULL;
    *size = host.symbolic_size;
    return host.symbolic_bytes;
}

void clew__read_nothing(void)
{
}

const char *clew__symbolic_name(unsigned i)
{
    return i == 0 ? host.symbolic_path : NULL;
}

void clew__exit(int status)
{
    _exit(status);
}

void clew__die(int number)
{
    signal(number, SIG_DFL);
    kill(getpid(), number);
    _exit(200);
}

void clew__assertion_failed(void)
{
    clew__die(SIGABRT);
}

int clew__snprintf(char *out, size_t n, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int result = vsnprintf(out, n, format, args);
    va_end(args);
    return result;
}

/* errno is the library's own; a native conversion reports through it. */
extern int model_clew__errno;

#define CONVERSION(type, name, native) \
    type name(const char *text, char **end) \
    { \
        errno = 0; \
        type value = native(text, end); \
        if (errno) model_clew__errno = errno; \
        return value; \
    }
CONVERSION(double, clew__strtod, strtod)
CONVERSION(float, clew__strtof, strtof)
CONVERSION(long double, clew__strtold, strtold)

void *clew__malloc(size_t n)
{
    return malloc(n);
}

void clew__free(void *memory)
{
    free(memory);
}

void *clew__realloc(void *memory, size_t n)
{
    return realloc(memory, n);
}

void *clew__memalign(size_t alignment, size_t n)
{
    return memalign(alignment, n);
}

size_t clew__object_size(const void *address)
{
    return malloc_usable_size((void *)(uintptr_t)address);
}

/* Inputs come from a counter: enough to see that every name reaches the right primitive. */
void clew__symbolic(void *address, size_t n, const char *name)
{
    (void)name;
    memset(address, (int)(++host.inputs & 0xff), n);
}

uint64_t clew__symbolic_value(int bits, int kind, const char *name)
{
    (void)kind;
    (void)name;
    host.last_bits = bits;
    uint64_t value = ++host.inputs * 0x9e3779b97f4a7c15u;
    return bits >= 64 ? value : value & (((uint64_t)1 << bits) - 1);
}

unsigned clew__argument_limit(void)
{
    return 0;
}

int clew__variable_is_set(unsigned i)
{
    (void)i;
    return -1;
}

int clew__may_fail(const char *name)
{
    (void)name;
    return 0;
}

void clew__assume(int condition)
{
    host.assumptions++;
    if (!condition) host.violated++;
}

/* In a test of symbolic behaviour everything counts as an input, and the model's value is the value itself. */
int clew__is_symbolic(uint64_t value)
{
    (void)value;
    return host.all_symbolic;
}

uint64_t clew__peek(uint64_t value)
{
    return value;
}

void clew__disposition(int signal_number, int disposition)
{
    (void)signal_number, (void)disposition;
}

clew__Initializer *clew__constructor_at(unsigned i)
{
    (void)i;
    return NULL;
}

static void run_destructor(int argc, char **argv, char **envp)
{
    (void)argc, (void)argv, (void)envp;
    host.destructor();
}

clew__Initializer *clew__destructor_at(unsigned i)
{
    return i == 0 && host.destructor ? run_destructor : NULL;
}

int clew__getpid(void)
{
    return getpid();
}

int clew__kill(int pid, int number)
{
    return (int)result_of(kill(pid, number));
}

void clew__sleep_ns(int64_t ns)
{
    host.slept += ns;
}

size_t clew__strerror(int error, char *out, size_t n)
{
    char text[128];
    const char *message = strerror_r(error, text, sizeof text);
    if (n) {
        size_t length = strnlen(message, n - 1);
        memcpy(out, message, length);
        out[length] = 0;
    }
    return strlen(message);
}

size_t clew__strerrorname(int error, char *out, size_t n)
{
    const char *name = strerrorname_np(error);
    if (!name) return 0;
    snprintf(out, n, "%s", name);
    return strlen(name);
}

size_t clew__strsignal(int number, char *out, size_t n)
{
    const char *message = strsignal(number);
    snprintf(out, n, "%s", message);
    return strlen(message);
}

int64_t clew__time_ns(int clock_id)
{
    struct timespec now;
    if (clock_gettime(clock_id, &now) < 0) return -errno;
    return now.tv_sec * 1000000000 + now.tv_nsec;
}

unsigned clew__random_seed(void)
{
    return 1;
}

_Noreturn void clew__wrong_verdict(const char *formula)
{
    fprintf(stderr, "a verdict was wrong: %s\n", formula);
    abort();
}
